"""``rocite ask``: one question in, an answer with its sources or the reason why there is none, in the question's language."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rocite.cli.common import values as values_of
from rocite.errors import InputError

if TYPE_CHECKING:
    from rocite.boundary.service import Response, Service
    from rocite.corpus import Corpus

NO_ANSWER = 3  # the exit status of a question that is not answered
_UNCHECKED = "rocite: no similarity threshold belongs to these documents; gate retrieval is unchecked (--set min_sim=X sets one)"
_UNBOUNDED = (
    "rocite: no assessed policy belongs to these documents and models; whatever evidence is found counts as sufficient (rocite bundle list)"
)


def run(given: argparse.Namespace) -> int:
    """Answer one question; return the exit status."""
    from rocite import corpus, places

    if not given.question.strip():
        raise InputError("the question is empty; expected one question, in quotes.")
    for what, text in (("the question", given.question), ("--asset", given.asset or ""), ("--scope", "".join(given.scope))):
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise InputError(f"{what} is not UTF-8; set the terminal's encoding to UTF-8.")
    values = values_of(given.set)
    folder = Path(given.corpus) if given.corpus else places.root() / "corpus" / "customs"
    everything = corpus.load(folder)
    given.at = given.at or _today()
    if not corpus.visible(everything, tuple(given.scope), given.at).documents:
        raise InputError(f"{folder}: no document is in force and open to this request.")
    return (_by_article if given.gates == "article" else _by_routes)(given, values, everything, folder)


# --- the article: retrieve, generate, four gates --------------------------------------------------------------------


def _by_article(given: argparse.Namespace, values: dict, everything: Corpus, folder: Path) -> int:
    from rocite import answer, audit, corpus, embed, places
    from rocite.cache import default_store

    if given.asset:
        raise InputError("--asset belongs to the routes of --gates strict; the article's gates know no assets.")
    store = default_store()
    embedder = embed.load(given.embedder or str(values["embedder"]), store)
    log = audit.AuditLog(places.audit_folder() / "ask.jsonl")
    documents = corpus.visible(everything, tuple(given.scope), given.at)
    with _progress("retrieving and writing"):
        finder = None if given.embedder else str(values["retriever"])  # an embedder by name retrieves by itself
        line = answer.pipeline(documents, embedder, values, store, _fitting(everything, folder), given.generator, given.gates, log, finder)
        if line.settings.min_sim is None:
            print(_UNCHECKED, file=sys.stderr)
        found = line.ask(given.question)
        line.generator.close()
    print(json.dumps(_article_json(found), ensure_ascii=False) if given.json else _article_text(found))
    return 0 if found.judgement.verdict == "accepted" else NO_ANSWER


def _article_json(found) -> dict:
    from rocite import citations

    shown = found.judgement.verdict == "accepted"
    text = citations.read(found.generation.text, [f.id for f in found.fragments]).text
    return {
        "question": found.question,
        "verdict": found.judgement.verdict,
        "route": "answer" if shown else "withhold",
        "answer": text if shown else None,
        "sources": _listed(found) if shown else [],
        "record": found.record,
    }


def _listed(found) -> list[dict]:
    by_id = {f.id: f for f in found.fragments}
    return [_source(by_id[i]) for i in found.judgement.sources]


def _source(document) -> dict:
    return {"id": document.id, "title": document.title, "source": document.source, "checked": document.checked}


def _article_text(found) -> str:
    from rocite.boundary import messages

    judgement = found.judgement
    if judgement.verdict != "accepted":
        reason = "documentele găsite nu conțin răspunsul" if judgement.verdict == "abstained" else messages.failed(judgement.gate)
        return f"Nu pot răspunde la această întrebare: {reason}.\n(înregistrarea {found.record})"
    return _answer_text(judgement.sentences, _listed(found), "ro", found.record)


# --- the routes: admit, generate, check, release or not ------------------------------------------------------------


def _by_routes(given: argparse.Namespace, values: dict, everything: Corpus, folder: Path) -> int:
    from rocite.boundary import messages
    from rocite.boundary.found import Request

    with _progress("examining and writing"):
        service = _service(given, values, everything, folder)
        found = service.ask(Request(given.question, tuple(given.scope), given.at, given.asset or ""))
        service.generator.close()
    message = messages.told(found, service.terms.owner)
    print(json.dumps(_json(found, message), ensure_ascii=False) if given.json else _text(found, message))
    return 0 if found.route == "answer" else NO_ANSWER


def _service(given: argparse.Namespace, values: dict, everything: Corpus, folder: Path) -> Service:
    from rocite import answer, embed, generate, places
    from rocite.boundary import bundle_store, service
    from rocite.boundary.tickets import Queue
    from rocite.cache import default_store
    from rocite.retrieve import Index

    store = default_store()
    embedder = embed.load(given.embedder or str(values["embedder"]), store)
    writer = generate.load(given.generator or str(values["generator"]), generate.Options.of(values), store)
    bundle, shadow = (getattr(bundle_store.default_store(), which)() for which in ("current", "shadow"))
    desk, policy, assessed = service.prepared(everything, embedder, bundle, int(values["context_documents"]))
    if not assessed:
        print(_UNBOUNDED, file=sys.stderr)
    fitting = _fitting(everything, folder)
    settings = answer.gate_settings(Index(desk.pool(tuple(given.scope)).corpus, embedder) if fitting else None, values, fitting)
    if settings.min_sim is None:
        print(_UNCHECKED, file=sys.stderr)
    folder = places.audit_folder()
    terms = service.Terms.of(values)
    queue = Queue(folder / "queue.sqlite", int(values["queue_limit"]))
    name = bundle.short if bundle and assessed else ""
    return service.Service(
        desk, policy, writer, settings, terms, queue, *service.logs(folder), bundle=name, shadow=shadow if assessed else None
    )


def _fitting(everything: Corpus, folder: Path) -> list | None:
    """The questions on which the similarity threshold of the customs documents is fitted; None for other documents."""
    from rocite import places, questions

    top = places.root()
    if folder.resolve() != (top / "corpus" / "customs").resolve():
        return None
    return questions.load(top / "data" / "questions" / "separation.csv", everything.ids)


def _json(found: Response, message: str) -> dict:
    from rocite.boundary.routes import ABSTAINED, outward

    shown = found.route == "answer"
    return {
        "question": found.request.question,
        "verdict": "accepted" if shown else "abstained" if found.reason == ABSTAINED else "refused",
        "route": found.route,
        "reason": outward(found.reason),
        "answer": found.answer if shown else None,
        "message": message or None,
        "sources": [_source(d) for d in found.shown],
        "escalated": found.ticket,
        "record": found.record,
    }


def _text(found: Response, message: str) -> str:
    from rocite.boundary import messages

    lang = found.request.lang
    if found.route != "answer":
        return f"{message}\n{_record(lang, found.record)}"
    text = _answer_text(found.sentences, [_source(d) for d in found.shown], lang, found.record)
    note = messages.note(found)
    return f"{text}\n{note}" if note else text


_SOURCES, _CHECKED = {"ro": "Surse:", "en": "Sources:"}, {"ro": "verificat", "en": "checked"}


def _record(lang: str, record: str | None) -> str:
    return f"({'înregistrarea' if lang == 'ro' else 'record'} {record})"


def _answer_text(rows: tuple[dict, ...], sources: list[dict], lang: str, record: str | None) -> str:
    numbers = {source["id"]: n for n, source in enumerate(sources, start=1)}
    sentences = [s["text"] + (f" [{numbers[s['source']]}]" if s["source"] in numbers else "") for s in rows]
    lines = [" ".join(sentences), "", _SOURCES[lang]]
    for source in sources:
        lines.append(f"  [{numbers[source['id']]}] {source['title']} - {source['source']}, {_CHECKED[lang]} {source['checked']}")
    return "\n".join([*lines, _record(lang, record)])


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
