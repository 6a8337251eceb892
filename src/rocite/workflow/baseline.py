"""``python -m rocite.workflow.baseline``: the retrieval figures now beside the accepted ones, and a new baseline with a reason.

Decides whether ``data/baseline.toml`` still speaks of what is here. It is stale when the gold set, the documents, the
retriever or a parameter is another; a stale baseline is never called equal, whatever its figures. Refuses to write without
a reason. Exit status: 0 equal, or accepted now; 1 stale, absent or different; 2 for input that cannot be read.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import math
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rocite.corpus import Corpus
from rocite.errors import InputError, RociteError
from rocite.evaluate.drift import Snapshot, snapshot
from rocite.evaluate.gold import PARTS
from rocite.evaluate.retrieval import Ranked, measure
from rocite.records import dumps, read_text, write_atomically
from rocite.workflow import arguments

K = 5
FIGURES = (f"recall@{K}", "recall@1", "mrr", f"coverage@{K}", f"superseded@{K}", "correct_refusal")
PARAMETERS = ("retriever", "admit", "resamples", "seed")
PLACES = 6
FILE = arguments.TOP / "data" / "baseline.toml"
ACCEPT = 'make baseline REASON="why the new figures are right"'
REPAIR = f"Restore it from git, or remove it and make another: {ACCEPT}."
_BARE = re.compile(r"[A-Za-z0-9_-]+")

Figures = dict[str, dict[str, dict[str, float]]]


def main(argv: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = _parser().parse_args(argv)
    return exit_status(lambda: run(given))


def exit_status(work: Callable[[], int]) -> int:
    """Return what `work` returns, or the status of what stopped it, said in one line: never a traceback.

    A reader who closed the pipe ends with 1, since what was not read was not shown.
    """
    if hasattr(sys.stdout, "reconfigure"):  # reasons and names are UTF-8 wherever they are printed
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        status = work()
        sys.stdout.flush()
        return status
    except RociteError as error:
        print(f"rocite: {one_line(error)}", file=sys.stderr)
        return error.exit_status
    except OSError as error:  # a reader who closed the pipe, a full disk
        if not isinstance(error, BrokenPipeError):
            print(f"rocite: {one_line(error)}", file=sys.stderr)
        with contextlib.suppress(OSError, ValueError):  # what is still to be printed fails no second time when Python ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("rocite: stopped", file=sys.stderr)
        return 130


def run(given: argparse.Namespace) -> int:
    """Show old and new; write the new one when there is a reason and a difference."""
    from rocite import corpus, params, retrieve
    from rocite.cache import default_store
    from rocite.evaluate import gold, retrieval
    from rocite.manifest import manifest

    reason = _reason(given.reason)
    values = params.resolve(params.definitions(arguments.TOP / "notebooks" / "params" / "default.toml"))
    values |= {"retriever": given.retriever} if given.retriever else {}
    documents = corpus.load(given.corpus)
    try:
        items = gold.load(given.gold, documents)
    except InputError as error:
        raise InputError(f"{error} Nothing was measured; rocite drift corpus lists every gold item to review.") from error
    retriever = retrieve.load(str(values["retriever"]), default_store())
    found = figures(retrieval.rank(items.items, documents, retriever), values)
    path = Path(given.baseline)
    if old := load_if_any(path):
        check_whole(old, documents, path)
    print(side_by_side(old["figures"] if old else {}, found))
    reasons = stale(old, values, items.version, documents.digest, retriever.identity, found)
    for line in reasons:
        print(f"stale: {line}")
    if not reasons:
        print(f"{path.name} holds: accepted on {old['date']}, {old['reason']}")
        return 0
    if not reason:
        print(f"Nothing was written. To accept the new figures: {ACCEPT}")
        return 1
    facts = manifest(
        **{name: values[name] for name in PARAMETERS},
        identity=dumps(retriever.identity),
        gold=items.name,
        gold_version=items.version,
        corpus=documents.name,
        corpus_digest=documents.digest,
    )
    new = baseline(reason, facts, found, snapshot(documents, items.items), old)
    try:
        write_atomically(path, "# Written by make baseline, never by hand. Accepted figures of retrieval on the gold set.\n" + toml(new))
    except OSError as error:
        raise RociteError(f"{path}: cannot be written ({error.strerror or error}); the old baseline stays.") from error
    print(f"{path}: accepted, {reason}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rocite.workflow.baseline")
    parser.add_argument("--reason", default="", help="why the new figures are accepted; without it nothing is written")
    parser.add_argument("--baseline", default=str(FILE))
    parser.add_argument("--corpus", default=str(arguments.TOP / "corpus"))
    parser.add_argument("--gold", default=str(arguments.TOP / "data" / "questions" / "gold.jsonl"))
    parser.add_argument("--retriever", default="", help="instead of the parameter `retriever`")
    return parser


def _reason(text: str) -> str:
    if text and not text.strip():
        raise InputError(f"REASON is blank; expected why the new figures are accepted: {ACCEPT}. Nothing was written.")
    if any(not c.isprintable() for c in text):
        raise InputError("REASON: expected one line of text. Nothing was written.")
    return text.strip()


def figures(ranked: Sequence[Ranked], values: Mapping[str, object]) -> Figures:
    """Return the headline figures of either part, rounded to 6 places: value, numerator, denominator, low, high, units.

    What no item counts for has a denominator of 0 and no value.
    """
    found: Figures = {}
    for part in PARTS:
        rows = measure("", ranked, (1, K), float(values["admit"]), int(values["resamples"]), int(values["seed"]), part)
        by_name = {row["metric"]: row for row in rows if row["stratum"] is None}
        found[part] = {name: _plain(by_name[name]) for name in FIGURES}
    return found


def _plain(row: Mapping) -> dict[str, float]:
    names = ("value", "numerator", "denominator", "low", "high", "units")
    return {n: round(row[n], PLACES) for n in names if row[n] is not None}


def baseline(reason: str, facts: Mapping[str, object], found: Figures, seen: Snapshot, old: Mapping | None) -> dict:
    """Return a new baseline with the old one's date, reason, manifest and figures under ``previous``."""
    kept = {"previous": {name: old[name] for name in ("date", "reason", "manifest", "figures")}} if old else {}
    return {
        "date": datetime.date.today().isoformat(),
        "reason": reason,
        "manifest": facts,
        "figures": found,
        **kept,
        "passages": {"looked_for": seen.passages, "fallen": list(seen.fallen)},
        "documents": seen.documents,
    }


def load(path: Path) -> dict:
    """Read a baseline. Raises InputError when there is none or something is missing in it."""
    if (found := load_if_any(path)) is None:
        raise InputError(f"{path}: no baseline here. Make one: {ACCEPT}.")
    return found


def load_if_any(path: Path) -> dict | None:
    """Read a baseline, None where there is no file. Raises InputError for one in which something is missing or of the wrong kind."""
    try:
        if not path.exists():
            return None
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    try:
        found = tomllib.loads(read_text(path))
        for name in ("gold_version", "corpus_digest", "identity", *PARAMETERS):
            found["manifest"][name]
        json.loads(found["manifest"]["identity"])
        for name in ("date", "reason"):
            if not isinstance(found[name], str) or not found[name].isprintable():
                raise ValueError(f"{name} = {found[name]!r}; expected one line of text")
        for part, rows in found["figures"].items():
            for name, row in rows.items():
                _check_figure(f"figures.{part}.{name}", row)
        for name, fields in snapshot_of(found).documents.items():
            if not all(isinstance(v, str) for v in fields.values()):
                raise ValueError(f"documents.{name}: expected texts")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not a baseline ({type(error).__name__}: {_short(error)}). {REPAIR}") from error
    return found


def _check_figure(name: str, row: Mapping[str, float]) -> None:
    """Raise ValueError for a row that `figures` does not write: no denominator, half an interval, what is no number."""
    wanted = ({"numerator", "denominator", "units"}, {"value"}, {"low", "high"})
    if any(0 < len(names & row.keys()) < len(names) for names in wanted) or not wanted[0] <= row.keys():
        raise ValueError(f"{name} has {', '.join(row)}")
    if any(type(v) not in (int, float) or not math.isfinite(v) for v in row.values()):
        raise ValueError(f"{name}: expected numbers")


def check_whole(found: Mapping, corpus: Corpus, path: Path) -> None:
    """Raise InputError when the baseline's snapshot is not that of the documents although their digest is the same: a file cut short."""
    seen = snapshot_of(found)
    if seen.digest == corpus.digest and seen.documents != snapshot(corpus).documents:
        raise InputError(
            f"{path}: holds {len(seen.documents)} documents, not the {len(corpus)} of its digest; it was cut or edited. {REPAIR}"
        )


def snapshot_of(found: Mapping) -> Snapshot:
    """Return the snapshot of the documents that a baseline holds."""
    passages = found["passages"]
    documents = {name: dict(fields) for name, fields in found["documents"].items()}
    return Snapshot(found["manifest"]["corpus_digest"], documents, passages["looked_for"], tuple(passages["fallen"]))


def stale(
    found: Mapping | None,
    values: Mapping[str, object],
    gold_version: str,
    corpus_digest: str,
    identity: Mapping | None = None,
    now: Figures | None = None,
) -> list[str]:
    """Return why a baseline does not speak of what is here, in words; empty when it does.

    `identity` of the retriever and the figures `now` are held against it where they are given.
    """
    if found is None:
        return [f"there is no baseline; make one: {ACCEPT}"]
    facts = found["manifest"]
    pairs = [("gold set", facts["gold_version"], gold_version), ("documents", facts["corpus_digest"], corpus_digest)]
    pairs += [(name, facts[name], values[name]) for name in PARAMETERS]
    if identity is not None and facts["retriever"] == values["retriever"]:
        pairs.append(("identity of the retriever", facts["identity"], dumps(identity)))
    reasons = [f"the {what} changed: {_short(before)} -> {_short(after)}" for what, before, after in pairs if before != after]
    for part, rows in (now or {}).items():
        for name, row in rows.items():
            before = found["figures"].get(part, {}).get(name, {})
            if any(before.get(n) != row.get(n) for n in ("value", "numerator", "denominator")):
                reasons.append(f"{part} {name} was {_figure(before)} and is {_figure(row)}")
    return reasons


def one_line(value: object) -> str:
    """Return a text from outside on one line: nothing in it can move the cursor or pass for another line."""
    return "".join(c if c.isprintable() else " " for c in str(value))


def _short(value: object) -> str:
    text = one_line(value)
    return text[:19] if text.startswith("sha256:") else text


def _figure(row: Mapping[str, float]) -> str:
    if "value" not in row:
        return "n/a (0)"
    text = f"{row['value']:.3f} {row['numerator']:g}/{row['denominator']}"
    return f"{text} ({row['low']:.3f} to {row['high']:.3f})" if "low" in row else text


def side_by_side(old: Mapping, new: Figures) -> str:
    """Return a table of old and new figures with the difference of each."""
    rows = [("part", "figure", "baseline", "now", "difference")]
    for part, by_name in new.items():
        for name, row in by_name.items():
            before = old.get(part, {}).get(name)
            both = before is not None and "value" in before and "value" in row
            change = f"{row['value'] - before['value']:+.3f}" if both else "n/a"
            rows.append((part, name, "none" if before is None else _figure(before), _figure(row), change))
    widths = [max(len(r[n]) for r in rows) for n in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(r, widths, strict=True)).rstrip() for r in rows)


def toml(table: Mapping, prefix: str = "") -> str:
    """Return a table as TOML: texts, numbers, truth values and lists of texts, then tables within.

    >>> print(toml({"a": 'x "y"', "n": 0.5, "t": {"recall@5": {"k": 5}}}), end="")
    a = "x \\"y\\""
    n = 0.5
    <BLANKLINE>
    [t."recall@5"]
    k = 5
    """
    plain = {k: v for k, v in table.items() if not isinstance(v, Mapping)}
    lines = [f"{_key(k)} = {_value(v)}\n" for k, v in plain.items()]
    head = f"\n[{prefix}]\n" if prefix and (plain or not table) else ""
    within = [toml(v, f"{prefix}.{_key(k)}".lstrip(".")) for k, v in table.items() if isinstance(v, Mapping)]
    return head + "".join(lines + within)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: object) -> str:
    """A value in TOML, whose texts are JSON's but for one more character that has to be escaped."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007F")


if __name__ == "__main__":
    sys.exit(main())
