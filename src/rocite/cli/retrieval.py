"""``rocite retrieval``: does a retriever find the passages that answer?"""

from __future__ import annotations

import argparse
import json

from rocite.cli.common import values as values_of
from rocite.errors import InputError

KS = (1, 3, 5, 10)
SMALL = ("bm25", "e5", "minilm", "tfidf", "rrf:bm25+e5")  # beside the default retriever
LARGE = ("bm25", "tfidf", "minilm")  # of a SQuAD file; e5 takes minutes there


def run(given: argparse.Namespace) -> int:
    """Measure and print; return the exit status."""
    from rocite import corpus, retrieve
    from rocite.cache import default_store
    from rocite.evaluate import gold, retrieval
    from rocite.manifest import manifest
    from rocite.retrieve.bm25 import LANGUAGES

    if given.lang not in ("", *LANGUAGES):
        raise InputError(f"--lang {given.lang!r}: expected one of {', '.join(LANGUAGES)}, whose stems are known; leave it out for others.")
    values = values_of([])
    ks = list(dict.fromkeys(given.k or KS))
    documents = corpus.load(given.corpus, given.lang)
    asked = gold.load(given.gold, documents)
    if given.part and not asked.part(given.part):
        raise InputError(f"{given.gold}: no item belongs to the part {given.part!r}.")
    default = LARGE if given.gold.endswith(".json") else (*SMALL, str(values["retriever"]))
    store = default_store()
    results, identities = [], {}
    for name in dict.fromkeys(given.embedder or default):
        retriever = retrieve.load(name, store)
        ranked = retrieval.rank(asked.items, documents, retriever)
        identities[name] = retriever.identity
        results += retrieval.measure(name, ranked, ks, float(values["admit"]), int(values["resamples"]), int(values["seed"]), given.part)
    facts = {
        "retrievers": identities,
        "corpus": {"path": given.corpus, "digest": documents.digest, "documents": len(documents)},
        "gold": {"path": given.gold, "version": asked.version, "items": len(asked.items), "part": given.part or "all"},
        "parameters": {name: values[name] for name in ("admit", "resamples", "seed")} | {"ks": ks},
    }
    if given.json:
        print(json.dumps({"results": results, "manifest": manifest(**facts)}, ensure_ascii=False, allow_nan=False))
    else:
        print(_table(results))
    return 0


def _table(results: list[dict]) -> str:
    """One line a retriever, metric and group, with counts and interval."""
    lines = [f"{'retriever':<30} {'metric':<20} {'stratum':<20} {'value':>7} {'interval':>16} {'n/d':>12} {'families':>8}"]
    for row in results:
        if row["denominator"]:
            value, interval = f"{row['value']:.3f}", f"{row['low']:.3f} to {row['high']:.3f}"
            counts = f"{row['numerator']:g}/{row['denominator']}"
        else:
            value, interval, counts = "n/a", "", "(0)"
        lines.append(
            f"{row['retriever']:<30} {row['metric']:<20} {_plain(row['stratum'] or 'all'):<20} {value:>7} {interval:>16} {counts:>12} {row['units']:>8}"
        )
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text from outside on one line: nothing in it can move the cursor."""
    return "".join(c if c.isprintable() else " " for c in text)
