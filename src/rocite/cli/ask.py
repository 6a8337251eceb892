"""``rocite ask``: one question in, an answer with its sources or a refusal out, in Romanian."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import threading
import time
from pathlib import Path

from rocite.cli.common import values as values_of
from rocite.errors import InputError

NO_ANSWER = 3  # the exit status of a question that is not answered


def run(given: argparse.Namespace) -> int:
    """Answer one question; return the exit status."""
    from rocite import answer, audit, corpus, embed, places, questions
    from rocite.cache import default_store

    if not given.question.strip():
        raise InputError("the question is empty; expected one question, in quotes.")
    if any("\ud800" <= letter <= "\udfff" for letter in given.question):
        raise InputError("the question is not UTF-8; set the terminal's encoding to UTF-8.")
    top = places.root()
    values = values_of(given.set)
    folder = Path(given.corpus) if given.corpus else top / "corpus" / "customs"
    everything = corpus.load(folder)
    documents = corpus.visible(everything, tuple(given.scope), given.at or _today())
    store = default_store()
    embedder = embed.load(given.embedder or str(values["embedder"]), store)
    fitting = None
    if folder.resolve() == (top / "corpus" / "customs").resolve():
        fitting = questions.load(top / "data" / "questions" / "separation.csv", everything.ids)
    log = audit.AuditLog(top / "build" / "audit" / "ask.jsonl")
    if not documents.documents:
        raise InputError(f"{folder}: no document is in force and open to this request.")
    with _progress("retrieving and writing"):
        finder = None if given.embedder else str(values["retriever"])  # an embedder by name retrieves by itself
        line = answer.pipeline(documents, embedder, values, store, fitting, given.generator, given.gates, log, finder)
        if line.settings.min_sim is None:
            print(
                "rocite: no similarity threshold belongs to these documents; gate retrieval is unchecked (--set min_sim=X sets one)",
                file=sys.stderr,
            )
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
    return [{"id": i, "title": by_id[i].title, "source": by_id[i].source, "checked": by_id[i].checked} for i in found.judgement.sources]


_REFUSALS = {
    "retrieval": "niciun document nu este destul de apropiat de întrebare",
    "citation": "răspunsul scris nu trimite la documentele găsite",
    "numbers": "răspunsul scris conține un număr care nu se află în documentele citate",
    "grounding": "răspunsul scris conține o afirmație pe care documentele citate nu o susțin",
    "quantity": "răspunsul scris conține o cantitate, o dată sau un termen care nu se potrivește cu documentul citat",
    "polarity": "răspunsul scris neagă ce documentul citat afirmă sau afirmă ce acesta neagă",
    "direction": "răspunsul scris spune contrariul documentului citat",
    "qualifier": "răspunsul scris lasă deoparte o condiție sau o limită din documentul citat",
    "entity": "răspunsul scris numește pe altcineva sau altceva decât documentul citat",
    "focus": "propoziția pe care se sprijină răspunsul scris nu răspunde la întrebare",
    "quotation": "răspunsul scris citează cuvinte care nu se află în documentul citat",
    "evidence": "răspunsul scris conține o afirmație pe care documentul citat nu o susține",
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
