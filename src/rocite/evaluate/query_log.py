"""Logged questions: from the audit log, other JSON Lines, a CSV or plain text.

Decides which records are questions, on which date and with which scopes they were asked. Refuses a log with a line that it
cannot read, since a line that is left out changes every share; only a last line that a killed run left torn is dropped, with
a warning.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rocite.errors import InputError
from rocite.records import read_jsonl, read_text
from rocite.text import normalise

_NO_QUESTION = ("ungrounded", "purged")  # kinds of record: asked a second time without documents; removed after its retention


@dataclass(frozen=True)
class Logged:
    """One logged question: the date it asks about ("" where the log has none) and the scopes it was asked with."""

    question: str
    at: str = ""
    scope: tuple[str, ...] = ()


def read_log(path: Path | str, since: str = "") -> list[Logged]:
    """Read questions from an audit log or other JSON Lines (`question`), a CSV with that column, or text with one a line.

    `since` (ISO) leaves out records of an earlier `time`. Raises InputError naming file and line for what cannot be read,
    and for a log without questions.
    """
    path = Path(path)
    if since and not (since := _date(since)):
        raise InputError("--since: expected a date as 2026-07-15.")
    try:
        rows = _ROWS.get(path.suffix.lower(), _lines)(path)
    except RecursionError as error:
        raise InputError(f"{path}: a record is nested too deeply to be one of a log.") from error
    found = [_logged(row, place) for place, row in rows if row.get("kind") not in _NO_QUESTION and not _earlier(row, since, place)]
    if not found:
        raise InputError(
            f"{path}: no question{f' since {since}' if since else ''}; expected JSON Lines or CSV with `question`, or one a line."
        )
    return found


def sampled(logged: Sequence[Logged], size: int, seed: int) -> list[Logged]:
    """Return `size` of the logged questions, drawn without replacement and in the log's order; all of them when there are no more."""
    if len(logged) <= size:
        return list(logged)
    return [logged[n] for n in sorted(np.random.default_rng(seed).choice(len(logged), size, replace=False))]


def _objects(path: Path) -> list[tuple[str, dict]]:
    return [(f"{path}, object {n}", record) for n, record in enumerate(read_jsonl(path), start=1)]


def _columns(path: Path) -> list[tuple[str, dict]]:
    text = read_text(path)
    header = text.split("\n", 1)[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=_delimiter(header), strict=True)
    rows = []
    try:
        for row in reader:
            if None in row:  # the rest of a question with a comma in it, which would be cut short in silence
                raise InputError(
                    f"{path}, line {reader.line_num}: more fields than the header names; quote fields that hold {_delimiter(header)!r}."
                )
            rows.append((f"{path}, line {reader.line_num}", {k.strip().lower(): v for k, v in row.items()}))
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not CSV ({error}).") from error
    return rows


def _delimiter(header: str) -> str:
    return ";" if header.count(";") > header.count(",") else ","


def _lines(path: Path) -> list[tuple[str, dict]]:
    text = read_text(path)
    if "\0" in text:
        raise InputError(f"{path}: no text (it holds a zero byte); expected JSON Lines or CSV with `question`, or one a line.")
    if text.lstrip().startswith(("{", "[{", "[\n", "[\r")):
        raise InputError(
            f"{path}: JSON and not one question a line; expected JSON Lines, one object with `question` a line, named *.jsonl."
        )
    return [(f"{path}, line {n}", {"question": line}) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]


_ROWS = {".jsonl": _objects, ".ndjson": _objects, ".csv": _columns}


def _logged(row: Mapping, place: str) -> Logged:
    question, at, scope = row.get("question"), row.get("at") or "", row.get("scope") or []
    if not isinstance(question, str) or not normalise(question).strip() or any("\ud800" <= c <= "\udfff" for c in question):
        raise InputError(
            f"{place}: `question` is missing, empty or no text; expected a record as `rocite ask` logs it. Nothing was measured."
        )
    scope = [s.strip() for s in scope.split("|") if s.strip()] if isinstance(scope, str) else scope
    if not isinstance(scope, list) or not all(isinstance(s, str) for s in scope):
        raise InputError(f"{place}: scope {scope!r}; expected a list of names.")
    if at and not _date(at):
        raise InputError(f"{place}: at {at!r}; expected a date as 2026-07-15.")
    return Logged(normalise(question).strip(), _date(at or row.get("time")) or "", tuple(scope))


def _earlier(row: Mapping, since: str, place: str) -> bool:
    if since and not _date(row.get("time")):
        raise InputError(f"{place}: time {row.get('time')!r}; --since needs a date in every record.")
    return bool(since) and _date(row["time"]) < since


def _date(value: object) -> str | None:
    """The ISO date that a date or a time begins with; None where it is neither."""
    try:
        return datetime.date.fromisoformat(str(value)[:10]).isoformat()
    except ValueError:
        return None
