"""``rocite drift``: did the documents, the questions or the embedder move since the baseline was accepted?

Exit status 0 when nothing has to be looked at (for ``embedder``: the candidate is shown better), 1 when something has, 2 for
bad usage and input that cannot be read. A baseline that speaks of something else makes it 1, whatever else was found.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rocite.cli.common import positive
from rocite.cli.common import values as values_of

SHOWN = 20  # lines of a list in the readable text; --json has all of them
WIDTH = 100  # characters of a question or a passage in the readable text
_SCALED = ("mix:", "rrf:")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the three sub-commands with their options."""
    kinds = parser.add_subparsers(title="what moved", required=True, metavar="WHAT", dest="kind")
    corpus = kinds.add_parser("corpus", help="documents that changed since the baseline, and the gold items to review")
    queries = kinds.add_parser("queries", help="logged questions against the gold set")
    embedder = kinds.add_parser("embedder", help="a candidate retriever beside the one in use")
    queries.add_argument("--log", metavar="FILE", required=True, help="an audit log, other JSON Lines or CSV with `question`, or text")
    queries.add_argument("--retriever", metavar="R", help="whose best scores are compared (default: the parameter `retriever`)")
    queries.add_argument("--since", metavar="DATE", default="", help="only what was logged on this date or later")
    queries.add_argument("--sample", metavar="N", type=positive, default=500, help="at most N questions, drawn (default: 500)")
    embedder.add_argument("--candidate", metavar="R", required=True, help="a retriever by name: e5, bm25, mix:A+B, NAME@WAY")
    embedder.add_argument("--baseline-retriever", metavar="R", help="what it is compared with (default: the parameter `retriever`)")
    embedder.add_argument("--k", type=positive, default=5, help="hits are lost or won among the first K (default: 5)")
    for kind in (corpus, queries, embedder):
        kind.add_argument("--corpus", metavar="PATH", help="documents (default: corpus/ of the checkout)")
        kind.add_argument("--gold", metavar="FILE", help="the gold set (default: data/questions/gold.jsonl)")
        kind.add_argument("--baseline", metavar="FILE", help="the accepted baseline (default: data/baseline.toml)")
        kind.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: argparse.Namespace) -> int:
    """Measure one kind of drift and print it; return the exit status."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result, lines, moved = {"corpus": _corpus, "queries": _queries, "embedder": _embedder}[given.kind](given)
    for message in dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, UserWarning)):
        print(f"rocite: {message}", file=sys.stderr)
    lines += [f"stale baseline: {reason}" for reason in result["stale"]]
    print(json.dumps(result, ensure_ascii=False, allow_nan=False) if given.json else "\n".join(lines))
    return 1 if moved or result["stale"] else 0


# --- the three kinds: each returns the JSON object, the readable lines, and whether something has to be looked at -----


def _corpus(given: argparse.Namespace):
    from rocite import corpus
    from rocite.evaluate import drift
    from rocite.workflow import baseline

    values, paths = values_of([]), _paths(given)
    accepted = baseline.load(paths["baseline"])
    documents = corpus.load(paths["corpus"])
    items, version = drift.items_of(paths["gold"])
    baseline.check_whole(accepted, documents, paths["baseline"])
    found = drift.corpus_drift(baseline.snapshot_of(accepted), documents, items)
    reasons = baseline.stale(accepted, values, version, documents.digest)
    lines = [f"{len(found.changes)} changes since {accepted['date']}; {len(found.reviews)}/{found.items} gold items to review"]
    lines += _some([f"  {c.kind:10} {_shown(c.document)}: {_shown(c.what)}" for c in found.changes])
    for review in found.reviews[:SHOWN]:
        lines += [f"review {_shown(review.item.id)}: {_shown(review.item.question)}", *(f"  - {_shown(r)}" for r in review.reasons)]
    lines += _more(len(found.reviews))
    result = {
        "changes": [asdict(c) for c in found.changes],
        "review": [{"id": r.item.id, "question": r.item.question, "reasons": list(r.reasons)} for r in found.reviews],
        "items": found.items,
        "stale": reasons,
        "manifest": _manifest(paths, documents, version, {}, baseline_date=accepted["date"]),
    }
    return result, lines, bool(found.changes or found.reviews)


def _queries(given: argparse.Namespace):
    import datetime

    from rocite import corpus, retrieve
    from rocite.cache import default_store
    from rocite.evaluate import gold, query_log
    from rocite.evaluate import query_drift as queries

    values, paths = values_of([]), _paths(given)
    seed, draws = int(values["seed"]), int(values["resamples"])
    logged = query_log.read_log(given.log, given.since)
    documents = corpus.load(paths["corpus"])
    items = gold.load(paths["gold"], documents)
    name = given.retriever or str(values["retriever"])
    retriever = retrieve.load(name, default_store())
    today = datetime.date.today().isoformat()
    sample = query_log.sampled(logged, given.sample, seed)
    found = queries.query_drift(sample, items.items, documents, retriever, today, queries.NEAR_QUESTION, draws, seed)
    reasons = found.reasons
    result = {
        "far": _estimate(found.far),
        "expected": _estimate(found.expected),
        "scores": {"log": asdict(found.log_scores), **{f"gold:{k}": asdict(v) for k, v in found.gold_scores.items()}},
        "test": {"statistic": "Kolmogorov-Smirnov", "value": found.statistic, "p": found.p, "method": "permutation over units"},
        "languages": [{"language": lang or None, "log": log, "gold": of_gold} for lang, log, of_gold in found.languages],
        "different": {"log": found.different[0], "gold": found.different[1]},
        "new_words": [{"word": w, "questions": n} for w, n in found.words],
        "questions": [
            {
                "question": n.logged.question,
                "nearest": n.item.id,
                "cosine": n.cosine,
                "best": n.best,
                "far": n.cosine < queries.NEAR_QUESTION,
            }
            for n in found.questions
        ],
        "drift": reasons,
        "stale": _stale(paths, values, items.version, documents.digest),
        "manifest": _manifest(
            paths,
            documents,
            items.version,
            {name: retriever.identity},
            log=str(given.log),
            logged=len(logged),
            sampled=len(sample),
            since=given.since or None,
            asked_at=today,
            near=queries.NEAR_QUESTION,
            alpha=queries.ALPHA,
            resamples=draws,
            seed=seed,
        ),
    }
    return result, _queries_text(result, name), bool(reasons)


def _queries_text(result: Mapping, name: str) -> list[str]:
    manifest, languages, of = result["manifest"], result["languages"], result["different"]
    lines = [
        f"{manifest['sampled']} of {manifest['logged']} logged questions, {of['log']} of them different; {of['gold']} gold questions",
        f"without a near gold question (tf-idf cosine under {manifest['near']}): {_figure(result['far'])}",
        f"  expected, gold questions against other families: {_figure(result['expected'])}",
        f"best score of {name}" + (" (scaled for each question: compare with care)" if name.startswith(_SCALED) else ""),
        f"  {'':18} {'count':>5} {'none':>5} {'mean':>7}  quartiles",
    ]
    for group, spread in result["scores"].items():
        quartiles = "n/a (0)" if spread["quartiles"] is None else " ".join(f"{q:.3f}" for q in spread["quartiles"])
        lines.append(f"  {group:18} {spread['count']:5} {spread['without']:5} {_number(spread['mean']):>7}  {quartiles}")
    test = result["test"]
    lines.append(
        f"  Kolmogorov-Smirnov distance {_number(test['value'])}, p = {_number(test['p'], 4)} (permutation; one score a question or family)"
    )
    mix = (f"{row['language'] or 'unknown'} {row['log']}/{of['log']} (gold {row['gold']}/{of['gold']})" for row in languages)
    lines.append(f"language: {', '.join(mix)}")
    words = [f"{_shown(w['word'])} ({w['questions']}/{of['log']})" for w in result["new_words"][:SHOWN]]
    lines.append(f"words absent from gold: {', '.join(words) or 'none in two questions or more'}")
    furthest = sorted((q for q in result["questions"] if q["far"]), key=lambda q: (q["cosine"], q["question"]))
    lines += _some(dict.fromkeys(f"  far {q['cosine']:.2f}  {_shown(q['question'])}" for q in furthest))
    lines += [f"drift: {reason}" for reason in result["drift"]]
    return lines if result["drift"] else [*lines, f"drift: not shown by {of['log']} different questions"]


def _embedder(given: argparse.Namespace):
    from rocite import corpus, retrieve
    from rocite.cache import default_store
    from rocite.evaluate import drift, gold, retrieval
    from rocite.workflow import baseline

    values, paths, store = values_of([]), _paths(given), default_store()
    seed, draws, admit = int(values["seed"]), int(values["resamples"]), float(values["admit"])
    names = {"candidate": given.candidate, "baseline": given.baseline_retriever or str(values["retriever"])}
    retrievers = {role: retrieve.load(name, store) for role, name in names.items()}
    documents = corpus.load(paths["corpus"])
    items = gold.load(paths["gold"], documents)
    ranked = {role: retrieval.rank(items.items, documents, r) for role, r in retrievers.items()}
    found = drift.embedder_drift(ranked["candidate"], ranked["baseline"], given.k, draws, seed)
    rows = []
    for role, of in ranked.items():
        for part in (None, *gold.PARTS):
            measured = retrieval.measure(names[role], of, sorted({1, given.k}), admit, draws, seed, part)
            rows += [
                {"role": role, **r, "stratum": f"part:{part}" if part else r["stratum"]} for r in measured if not part or not r["stratum"]
            ]
    differences = [
        {"metric": d.metric, "k": d.k, "stratum": d.group, **_estimate(d.estimate), "verdict": d.verdict} for d in found.differences
    ]
    in_use = names["baseline"] == values["retriever"]
    now = baseline.figures(ranked["baseline"], values) if in_use and paths["baseline"] else None
    identity = retrievers["baseline"].identity if in_use else None
    result = {
        "verdict": found.verdict,
        "results": rows,
        "differences": differences,
        "lost": [_moved(m, ranked) for m in found.lost],
        "won": [_moved(m, ranked) for m in found.won],
        "stale": _stale(paths, values, items.version, documents.digest, identity, now),
        "manifest": _manifest(
            paths,
            documents,
            items.version,
            {f"{role} {names[role]}": r.identity for role, r in retrievers.items()},
            k=given.k,
            admit=admit,
            resamples=draws,
            seed=seed,
        ),
    }
    return result, _embedder_text(result, names, given.k), found.verdict != "better"


def _embedder_text(result: Mapping, names: Mapping[str, str], k: int) -> list[str]:
    lines = [
        f"candidate {names['candidate']} beside {names['baseline']}",
        "stratum          figure         baseline / candidate / difference",
    ]
    values = {(r["role"], r["metric"], r["stratum"]): r for r in result["results"]}
    for d in result["differences"]:
        pair = [values.get((role, d["metric"], d["stratum"])) for role in ("baseline", "candidate")]
        shown = "" if None in pair else " / ".join(map(_figure, pair)) + " / "
        lines.append(f"{d['stratum'] or 'all':16} {d['metric']:14} {shown}{_figure(d, '+.3f')} {d['verdict']}")
    for role in ("baseline", "candidate"):
        lines.append(f"{'all':16} correct_refusal, {role}: {_figure(values[role, 'correct_refusal', None])}")
    for what in ("lost", "won"):
        lines.append(f"{what} at {k}: {len(result[what])} items")
        lines += _some(
            [
                f"  {m['id']} ({m['stratum'] or 'no stratum'}): first hit {m['before']} -> {m['now']}  {_shown(m['question'])}"
                for m in result[what]
            ]
        )
    said = {"better": "accepted", "worse": "not accepted", "not shown": "not accepted, no difference is shown"}[result["verdict"]]
    said = "not accepted while the baseline is stale" if said == "accepted" and result["stale"] else said
    return [*lines, f"verdict: {result['verdict']} ({said})"]


def _moved(moved, ranked: Mapping) -> dict:
    item = moved.item
    row = {"id": item.id, "question": item.question, "stratum": item.stratum, "part": item.part}
    return {**row, "needs": moved.needs, "of": len(item.needs), "before": moved.before, "now": moved.now}


# --- what they share ---------------------------------------------------------------------------------------------


def _paths(given: argparse.Namespace) -> dict[str, Path | None]:
    """The inputs' paths. The project's baseline speaks of its own gold set and corpus, and of nobody else's unless it is named."""
    from rocite import places

    top = places.root()
    own = not given.corpus and not given.gold
    return {
        "corpus": Path(given.corpus or top / "corpus"),
        "gold": Path(given.gold or top / "data" / "questions" / "gold.jsonl"),
        "baseline": Path(given.baseline) if given.baseline else top / "data" / "baseline.toml" if own or given.kind == "corpus" else None,
    }


def _stale(paths: Mapping, values: Mapping, gold_version: str, digest: str, identity: Mapping | None = None, now=None) -> list[str]:
    from rocite.workflow import baseline

    if paths["baseline"] is None:
        return []
    return baseline.stale(baseline.load_if_any(paths["baseline"]), values, gold_version, digest, identity, now)


def _manifest(paths: Mapping, documents, gold_version: str, retrievers: Mapping, **facts: object) -> dict:
    from rocite.manifest import manifest

    inputs = {name: str(path) for name, path in paths.items() if path}
    return manifest(**inputs, corpus_digest=documents.digest, gold_version=gold_version, retrievers=retrievers, **facts)


def _estimate(found) -> dict:
    from rocite.evaluate.retrieval import row_of

    return row_of(found)


def _figure(row: Mapping, form: str = ".3f") -> str:
    if not row["denominator"]:
        return "n/a (0)"
    text = f"{row['value']:{form}} {row['numerator']:g}/{row['denominator']}"
    return text if row["low"] is None else f"{text} ({row['low']:{form}} to {row['high']:{form}})"


def _number(value: float | None, places: int = 3) -> str:
    return "n/a" if value is None else f"{value:.{places}f}"


def _shown(text: str) -> str:
    """Text from outside on one line: nothing in it can move the cursor or hide the rest."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain if len(plain) <= WIDTH else f"{plain[: WIDTH - 1]}…"


def _some(lines: Iterable[str]) -> list[str]:
    lines = list(lines)
    return [*lines[:SHOWN], *_more(len(lines))]


def _more(count: int) -> Sequence[str]:
    return [f"  and {count - SHOWN} more; --json lists all"] if count > SHOWN else []
