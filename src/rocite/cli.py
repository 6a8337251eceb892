"""The ``rocite`` command: ask, check, separation, params.

Exit status: 0 done, 1 an error on the way, 2 bad usage or unreadable input; ``ask`` exits 3 whenever it shows
no answer. Heavy libraries are imported by the command that needs them.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import threading
import time
from pathlib import Path

from rocite import __version__
from rocite.errors import InputError, RociteError

NO_ANSWER = 3
_GATE_SETTINGS = ("min_sim", "min_ground", "prefix_length", "min_claim_words")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    given = _parser().parse_args(arguments)
    if hasattr(sys.stdout, "reconfigure"):  # JSON Lines are UTF-8 wherever they are printed
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        return given.command(given)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    except BrokenPipeError:  # the reader of a pipe, "head" perhaps, has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        print("rocite: stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rocite", description="Check the answers of systems that answer questions from documents.")
    parser.add_argument("--version", action="version", version=f"rocite {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    ask = commands.add_parser("ask", help="answer one question from documents, or refuse it", description="Answer QUESTION from the documents, or refuse it. Exits 3 when no answer is shown.")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--corpus", metavar="DIR", help="documents (default: the customs documents of the checkout)")
    ask.add_argument("--embedder", metavar="E", help="minilm, e5, tfidf, st:NAME_OR_PATH, ollama:MODEL")
    ask.add_argument("--generator", metavar="G", help="llamacpp, gguf:PATH, ollama:MODEL, extractive, recorded:NAME")
    _add_gates(ask)
    ask.add_argument("--scope", metavar="NAME", action="append", default=[], help="documents of this scope may be seen too; may be repeated")
    ask.add_argument("--at", metavar="DATE", help="the documents in force on this date (default: today)")
    ask.add_argument("--json", action="store_true", help="print one JSON object")
    ask.set_defaults(command=_ask)

    check = commands.add_parser("check", help="judge a file of finished answers", description="Judge every line of ANSWERS.jsonl; print one line each, in the same order. Exits 1 when a line could not be read.")
    check.add_argument("answers", metavar="ANSWERS.jsonl")
    _add_gates(check)
    check.add_argument("--out", metavar="FILE", help="write there instead of the standard output")
    check.set_defaults(command=_check)

    separation = commands.add_parser("separation", help="measure whether a score separates real questions from impostors")
    separation.add_argument("--corpus", metavar="PATH", required=True, help="a folder of Markdown, a .jsonl, or a SQuAD .json")
    separation.add_argument("--questions", metavar="FILE", required=True, help="labelled questions (.csv, .jsonl), or the SQuAD file itself")
    separation.add_argument("--embedder", metavar="E", action="append", help="may be repeated; default: e5, minilm and tfidf (SQuAD: minilm and tfidf; e5 is several times slower)")
    separation.add_argument("--json", action="store_true", help="print one JSON object")
    separation.set_defaults(command=_separation)

    params = commands.add_parser("params", help="list every parameter with value, unit, range and reason")
    params.set_defaults(command=_params)
    return parser


def _add_gates(parser: argparse.ArgumentParser) -> None:
    from rocite.check import DEFAULT_GATES, GATE_SETS

    parser.add_argument("--gates", choices=sorted(GATE_SETS), default=DEFAULT_GATES, help=f"which gates judge (default: {DEFAULT_GATES})")
    parser.add_argument("--set", metavar="name=value", action="append", default=[], help="another value for a parameter; may be repeated")


# --- ask --------------------------------------------------------------------------------------------------


def _ask(given: argparse.Namespace) -> int:
    from rocite import answer, audit, corpus, embed, places, questions
    from rocite.cache import Store

    if not given.question.strip():
        raise InputError("the question is empty; expected one question, in quotes.")
    if any("\ud800" <= letter <= "\udfff" for letter in given.question):
        raise InputError("the question is not UTF-8; set the terminal's encoding to UTF-8.")
    top = places.root()
    values = _values(given.set)
    folder = Path(given.corpus) if given.corpus else top / "corpus" / "customs"
    everything = corpus.load(folder)
    documents = corpus.visible(everything, tuple(given.scope), given.at or _today())
    store = Store(places.cache_folder() / "store.sqlite")
    embedder = embed.load(given.embedder or str(values["embedder"]), store)
    fitting = None
    if folder.resolve() == (top / "corpus" / "customs").resolve():
        fitting = questions.load(top / "data" / "questions" / "separation.csv", everything.ids)
    log = audit.AuditLog(top / "build" / "audit" / "ask.jsonl")
    if not documents.documents:
        raise InputError(f"{folder}: no document is in force and open to this request.")
    with _progress("retrieving and writing"):
        line = answer.pipeline(documents, embedder, values, store, fitting, given.generator, given.gates, log)
        if line.settings.min_sim is None:
            print("rocite: no similarity threshold belongs to these documents; gate retrieval is unchecked (--set min_sim=X sets one)", file=sys.stderr)
        found = line.ask(given.question)
        line.generator.close()
    print(json.dumps(_ask_json(found), ensure_ascii=False) if given.json else _ask_text(found))
    return 0 if found.judgement.verdict == "accepted" else NO_ANSWER


def _ask_json(found) -> dict:
    from rocite import citations

    shown = found.judgement.verdict == "accepted"
    text = citations.read(found.generation.text, [f.id for f in found.fragments]).text
    return {
        "question": found.question,
        "verdict": found.judgement.verdict,
        "route": "answer" if shown else "withhold",
        "answer": text if shown else None,
        "sources": _sources(found) if shown else [],
        "record": found.record,
    }


def _sources(found) -> list[dict]:
    by_id = {f.id: f for f in found.fragments}
    return [
        {"id": i, "title": by_id[i].title, "source": by_id[i].source, "checked": by_id[i].checked} for i in found.judgement.sources
    ]


_REFUSALS = {
    "retrieval": "niciun document nu este destul de apropiat de întrebare",
    "citation": "răspunsul scris nu trimite la documentele găsite",
    "numbers": "răspunsul scris conține un număr care nu se află în documentele citate",
    "grounding": "răspunsul scris conține o afirmație pe care documentele citate nu o susțin",
}


def _ask_text(found) -> str:
    judgement = found.judgement
    if judgement.verdict != "accepted":
        reason = "documentele găsite nu conțin răspunsul" if judgement.verdict == "abstained" else _REFUSALS[judgement.gate]
        return f"Nu pot răspunde la această întrebare: {reason}.\n(înregistrarea {found.record})"
    numbers = {source: n for n, source in enumerate(judgement.sources, start=1)}
    sentences = [s["text"] + (f" [{numbers[s['source']]}]" if s["source"] in numbers else "") for s in judgement.sentences]
    lines = [" ".join(sentences), "", "Surse:"]
    for source in _sources(found):
        lines.append(f"  [{numbers[source['id']]}] {source['title']} - {source['source']}, verificat {source['checked']}")
    return "\n".join([*lines, f"(înregistrarea {found.record})"])


def _today() -> str:
    import datetime

    return datetime.date.today().isoformat()


@contextlib.contextmanager
def _progress(what: str):
    """Show that something is being done: one counting line on a terminal, one plain line elsewhere."""
    if not sys.stderr.isatty():
        print(f"rocite: {what} ...", file=sys.stderr)
        yield
        return
    done = threading.Event()

    def count() -> None:
        start = time.monotonic()
        while not done.wait(0.5):
            print(f"\rrocite: {what} ... {time.monotonic() - start:.0f} s ", end="", file=sys.stderr, flush=True)

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _declared():
    from rocite import params, places

    return params.definitions(places.root() / "notebooks" / "params" / "default.toml")


def _values(settings: list[str], only: tuple[str, ...] | None = None) -> dict:
    """Return every parameter's value with ``--set`` applied; `only` limits which names may be set."""
    from rocite import params
    from rocite.errors import UnknownNameError

    given = params.parse_settings(" ".join(settings))
    for name in given:
        if only is not None and name not in only:
            raise UnknownNameError("setting", name, list(only))
    return params.resolve(_declared(), given=given)


# --- check ------------------------------------------------------------------------------------------------


def _check(given: argparse.Namespace) -> int:
    from rocite.gates.base import Settings
    from rocite.params import FITTED
    from rocite.records import dumps, write_atomically

    values = _values(given.set, _GATE_SETTINGS)
    chosen = {name: values[name] for name in _GATE_SETTINGS}
    chosen["min_sim"] = None if chosen["min_sim"] == FITTED else chosen["min_sim"]
    try:
        lines = Path(given.answers).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        raise InputError(f"{given.answers}: cannot be read ({error.strerror}); expected a JSON Lines file of answers.") from error
    results = [_check_line(line, n, Settings(**chosen), given.gates) for n, line in enumerate(lines, start=1) if line.strip()]
    text = "".join(dumps(r) + "\n" for r in results)  # each was tried by _check_line
    if given.out:
        try:
            write_atomically(Path(given.out), text)
        except OSError as error:
            raise RociteError(f"{given.out}: cannot be written ({error.strerror}).") from error
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    counts = {v: sum(r["verdict"] == v for r in results) for v in ("accepted", "abstained", "refused", "error")}
    print(f"rocite: {len(results)} answers: " + ", ".join(f"{n} {v}" for v, n in counts.items()), file=sys.stderr)
    return 1 if counts["error"] else 0


def _check_line(line: bytes, number: int, settings, gate_set: str) -> dict:
    from rocite import check

    record_id = None
    try:
        record = json.loads(line.decode("utf-8"))
        if not isinstance(record, dict):
            raise InputError(f"expected an object, found {type(record).__name__}")
        record_id = record.get("id")
        question, fragments, answer = _answer_fields(record)
        result = {"id": record_id, **check.judge(question, fragments, answer, settings, gate_set).as_dict()}
        _written(result)
        return result
    except (ValueError, RecursionError, RociteError) as error:
        reason = str(error) or type(error).__name__
    except Exception as error:  # whatever else goes wrong on one line is an error of that line, never a pass
        reason = f"{type(error).__name__}: {error}"
    try:
        _written(record_id)
    except (ValueError, RecursionError):
        record_id = None
    return {"id": record_id, "line": number, "verdict": "error", "reason": reason.encode("utf-8", "backslashreplace").decode()}


def _written(value: object) -> bytes:
    """Return `value` as it will stand in the output. Raises ValueError for what JSON in UTF-8 cannot hold."""
    from rocite.records import dumps

    return dumps(value).encode("utf-8")


def _answer_fields(record: dict) -> tuple[str, tuple, str]:
    from rocite.gates.base import Fragment

    question, answer, listed = record.get("question") or "", record.get("answer"), record.get("fragments")
    if not isinstance(question, str) or not isinstance(answer, str):
        raise InputError("'question' and 'answer' have to be text")
    if not isinstance(listed, list):
        raise InputError("'fragments' has to be a list of {'id', 'title', 'text'}")
    fragments = []
    for position, item in enumerate(listed, start=1):
        if not isinstance(item, dict) or not isinstance(item.get("text"), str) or not _is_id(item.get("id")):
            raise InputError(f"fragment {position} has to be an object with 'id' and 'text'")
        score = item.get("score")
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) <= sys.float_info.max):
            raise InputError(f"the score of fragment {position} has to be a finite number")
        title = item.get("title") or ""
        if not isinstance(title, str):
            raise InputError(f"the title of fragment {position} has to be text")
        fragments.append(Fragment(str(item["id"]), item["text"], title, score))
    return question, tuple(fragments), answer


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and bool(str(value).strip())


# --- separation -------------------------------------------------------------------------------------------


def _separation(given: argparse.Namespace) -> int:
    import numpy as np

    from rocite import corpus, embed, places, questions
    from rocite.cache import Store
    from rocite.evaluate import separation
    from rocite.manifest import manifest
    from rocite.retrieve import Index

    values = _values([])
    squad = given.questions.endswith(".json")
    if squad and Path(given.questions).resolve() != Path(given.corpus).resolve():
        raise InputError("SQuAD questions go with their own paragraphs: give the same file as --corpus and --questions.")
    names = given.embedder or (["minilm", "tfidf"] if squad else list(embed.INSTALLED))
    store = Store(places.cache_folder() / "store.sqlite")
    results, identities = [], {}
    documents = None if squad else corpus.load(given.corpus)
    asked = None if squad else questions.load(given.questions, documents.ids, least_of_each=1)
    squad_file = corpus.load_squad(given.corpus) if squad else None
    for name in names:
        embedder = embed.load(name, store)
        if squad:
            frames = separation.squad_scores(squad_file, embedder)
        else:
            frames = {None: separation.score_questions(Index(documents, embedder), asked)}
        identities[name] = embedder.identity
        for stratum, frame in frames.items():
            rng = np.random.default_rng(int(values["seed"]))
            found = separation.measure(frame, "raw", float(values["admit"]), int(values["resamples"]), rng)
            results += [_result_row(name, metric, stratum, estimate) for metric, estimate in found.items()]
    if given.json:
        inputs = {"corpus": str(given.corpus), "questions": str(given.questions)}
        print(json.dumps({"results": results, "manifest": manifest(embedders=identities, parameters=values, **inputs)}, ensure_ascii=False))
    else:
        print(_results_table(results))
    return 0


def _result_row(retriever: str, metric: str, stratum: str | None, estimate) -> dict:
    return {
        "retriever": retriever,
        "metric": metric,
        "k": 1 if metric == "top1" else None,
        "stratum": stratum,
        "value": estimate.value,
        "numerator": estimate.numerator,
        "denominator": estimate.denominator,
        "low": estimate.low,
        "high": estimate.high,
        "units": estimate.units,
    }


def _results_table(results: list[dict]) -> str:
    import pandas as pd

    frame = pd.DataFrame(results).drop(columns=["k"])
    if frame.stratum.isna().all():
        frame = frame.drop(columns=["stratum"])
    return frame.to_string(index=False, na_rep="n/a", float_format=lambda v: f"{v:.3f}")


# --- params -----------------------------------------------------------------------------------------------


def _params(given: argparse.Namespace) -> int:
    import textwrap

    for p in _declared().values():
        print(f"{p.name} = {p.value!r}   [{p.type}; {p.range}; {p.unit}]")
        print(textwrap.indent(textwrap.fill(p.why, 96), "    "))
    return 0
