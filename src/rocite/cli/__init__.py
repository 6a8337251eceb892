"""The ``rocite`` command: ask, check, separation, drift, retrieval, queue, audit, bundle, params; one module each, imported when it is called.

Exit status: 0 done, 1 an error on the way, 2 bad usage or unreadable input; ``ask`` exits 3 whenever it shows
no answer, ``drift``, ``audit show`` and ``bundle`` exit 1 whenever something has to be looked at.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from rocite import __version__
from rocite.cli.audit import add_arguments as add_audit
from rocite.cli.bundle import add_arguments as add_bundle
from rocite.cli.common import add_gates, positive
from rocite.cli.drift import add_arguments as add_drift
from rocite.cli.queue import add_arguments as add_queue
from rocite.errors import RociteError


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    given = _parser().parse_args(arguments)
    if hasattr(sys.stdout, "reconfigure"):  # JSON Lines are UTF-8 wherever they are printed
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        return importlib.import_module(f"rocite.cli.{given.command}").run(given)
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

    ask = commands.add_parser(
        "ask",
        help="answer one question from documents, ask back, escalate or withhold",
        description="Answer QUESTION from the documents, or say which route it takes instead and why. Exits 3 when no answer is shown.",
    )
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--corpus", metavar="DIR", help="documents (default: the customs documents of the checkout)")
    ask.add_argument(
        "--embedder",
        metavar="E",
        help="compare vectors of this embedder: minilm, e5, tfidf, st:NAME_OR_PATH, ollama:MODEL (default: the parameter embedder)",
    )
    ask.add_argument("--generator", metavar="G", help="llamacpp, gguf:PATH, ollama:MODEL, extractive, copy, recorded:NAME")
    add_gates(ask)
    ask.add_argument(
        "--scope", metavar="NAME", action="append", default=[], help="documents of this scope may be seen too; may be repeated"
    )
    ask.add_argument("--at", metavar="DATE", help="the documents in force on this date (default: today)")
    ask.add_argument("--asset", metavar="ID", help="the equipment or product that is asked about: documents of another are no evidence")
    ask.add_argument("--json", action="store_true", help="print one JSON object")
    ask.set_defaults(command="ask")

    check = commands.add_parser(
        "check",
        help="judge a file of finished answers",
        description="Judge every line of ANSWERS.jsonl; print one line each, in the same order. Exits 1 when a line could not be read.",
    )
    check.add_argument("answers", metavar="ANSWERS.jsonl")
    add_gates(check)
    check.add_argument("--out", metavar="FILE", help="write there instead of the standard output")
    check.set_defaults(command="check")

    separation = commands.add_parser("separation", help="measure whether a score separates real questions from impostors")
    separation.add_argument("--corpus", metavar="PATH", required=True, help="a folder of Markdown, a .jsonl, or a SQuAD .json")
    separation.add_argument(
        "--questions", metavar="FILE", required=True, help="labelled questions (.csv, .jsonl), or the SQuAD file itself"
    )
    separation.add_argument(
        "--embedder",
        metavar="E",
        action="append",
        help="may be repeated; default: e5, minilm and tfidf (SQuAD: minilm and tfidf; e5 is several times slower)",
    )
    separation.add_argument("--json", action="store_true", help="print one JSON object")
    separation.set_defaults(command="separation")

    drift = commands.add_parser(
        "drift",
        help="what moved since the baseline: documents, questions, embedder",
        description="Hold what is here against the baseline. Exits 1 when something has to be looked at.",
    )
    add_drift(drift)
    drift.set_defaults(command="drift")

    retrieval = commands.add_parser("retrieval", help="measure whether retrievers find the passages that answer")
    retrieval.add_argument("--corpus", metavar="PATH", required=True, help="a folder of Markdown, a .jsonl, or a SQuAD .json")
    retrieval.add_argument("--gold", metavar="FILE", required=True, help="questions with their passages (.jsonl, .csv), or a SQuAD .json")
    retrieval.add_argument(
        "--embedder",
        "--retriever",
        metavar="E",
        action="append",
        help="bm25, an embedder, E@WAY of cutting documents, rrf:A+B, mix:A+B; may be repeated (default: those installed and the default mix)",
    )
    retrieval.add_argument(
        "--k", metavar="K", type=positive, action="append", help="how many documents; may be repeated (default: 1 3 5 10)"
    )
    retrieval.add_argument("--part", choices=("tuning", "untouched"), help="report one part of the items (default: all)")
    retrieval.add_argument("--lang", metavar="LANG", default="", help="the language of documents that declare none (ro, en)")
    retrieval.add_argument("--json", action="store_true", help="print one JSON object")
    retrieval.set_defaults(command="retrieval")

    queue = commands.add_parser(
        "queue",
        help="the questions that wait for a person: list, take, resolve",
        description="List, take and resolve escalated questions. Exits 1 when the queue cannot be used.",
    )
    add_queue(queue)
    queue.set_defaults(command="queue")

    audit = commands.add_parser(
        "audit",
        help="the audit log: show its records, purge what is due",
        description="Show what was decided, and remove what was kept long enough. Exits 1 when a log has to be looked at.",
    )
    add_audit(audit)
    audit.set_defaults(command="audit")

    bundle = commands.add_parser(
        "bundle",
        help="what decisions are made with, frozen: list, use, shadow, freeze",
        description="List frozen bundles, choose the current one, compare another with it. Exits 1 when the audit log has to be looked at.",
    )
    add_bundle(bundle)
    bundle.set_defaults(command="bundle")

    params = commands.add_parser("params", help="list every parameter with value, unit, range and reason")
    params.set_defaults(command="params")
    return parser
