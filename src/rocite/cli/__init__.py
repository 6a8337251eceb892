"""The ``rocite`` command: ask, check, separation, params; one module each, imported when it is called.

Exit status: 0 done, 1 an error on the way, 2 bad usage or unreadable input; ``ask`` exits 3 whenever it shows
no answer.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from rocite import __version__
from rocite.cli.common import add_gates
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
        help="answer one question from documents, or refuse it",
        description="Answer QUESTION from the documents, or refuse it. Exits 3 when no answer is shown.",
    )
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--corpus", metavar="DIR", help="documents (default: the customs documents of the checkout)")
    ask.add_argument("--embedder", metavar="E", help="minilm, e5, tfidf, st:NAME_OR_PATH, ollama:MODEL")
    ask.add_argument("--generator", metavar="G", help="llamacpp, gguf:PATH, ollama:MODEL, extractive, recorded:NAME")
    add_gates(ask)
    ask.add_argument(
        "--scope", metavar="NAME", action="append", default=[], help="documents of this scope may be seen too; may be repeated"
    )
    ask.add_argument("--at", metavar="DATE", help="the documents in force on this date (default: today)")
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

    params = commands.add_parser("params", help="list every parameter with value, unit, range and reason")
    params.set_defaults(command="params")
    return parser
