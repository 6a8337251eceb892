"""Retention: until when an audit record is kept, and the purge that removes it from the logs and the queue afterwards.

A record says itself until when it is kept (`retain_until`, the last day). A purge takes out every record that is due,
puts one tombstone without content in the place of each run of them, and links what stays to it, so that
`rocite.audit.AuditLog.read` verifies the purged log as it verified the whole one. A link that was broken before stays
broken: a purge hides no tampering. Refuses to remove a record whose ticket nobody resolved, and to purge a log that
holds what is no audit record.
"""

from __future__ import annotations

import datetime
import json
import os
import stat
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rocite.audit import _locked
from rocite.boundary.tickets import RESOLVED, Queue
from rocite.errors import InputError, RociteError
from rocite.records import dumps, read_jsonl, sha256_of, write_jsonl

LOGS = ("ask.jsonl", "restricted.jsonl")
PURGED = "purged"  # the kind of a tombstone
_PENDING = ".purging.jsonl"  # ids of records that are being removed: a killed purge is finished by the next one


@dataclass(frozen=True)
class Outcome:
    """What became of one log's records.

    `purged` were removed; `kept` stay, among them `undated` without a readable `retain_until` and `waiting` that are due
    and have an unresolved ticket. `torn` lines of killed runs stay: they are removed with the record behind them. `broken`
    counts the links of the chain that did not hold before the purge.
    """

    purged: int
    kept: int
    undated: int
    waiting: int
    torn: int
    broken: int


@dataclass(frozen=True)
class Purge:
    """What a purge at the date `at` did to each log that was there, and how many resolved `tickets` went with the records."""

    at: str
    logs: dict[str, Outcome]
    tickets: int


def until(days: int, today: datetime.date | None = None) -> str:
    """Return the last day that what is recorded `today` is kept, ISO: the `retain_until` of an audit record.

    >>> until(90, datetime.date(2026, 1, 1))
    '2026-04-01'
    """
    return ((today or datetime.date.today()) + datetime.timedelta(days=days)).isoformat()


def purge(folder: Path, queue: Queue, at: datetime.date) -> Purge:
    """Remove from the logs in `folder` every record that was to be kept until a day before `at`, and its resolved tickets.

    A record due on `at` itself stays, and so does one whose ticket nobody resolved, with the record that is `of` it in the
    other log. Where nothing is due no byte changes. Raises QueueUnavailable before anything is
    removed when the queue cannot be read, InputError for a log that holds what is no audit record, and RociteError when
    a log cannot be rewritten; a log is replaced as a whole or not at all.
    """
    folder = Path(folder)
    try:
        if not any((folder / name).exists() for name in (*LOGS, _PENDING)):
            return Purge(at.isoformat(), {}, 0)
        with _locked(folder / "purge"):
            tickets = _drop_pending(folder, queue)
            waiting = {t.record for t in queue.all() if t.state != RESOLVED}
            logs = {}
            for name in LOGS:
                if (folder / name).exists():
                    logs[name] = _purge_log(folder, name, waiting, at)
                    tickets += _drop_pending(folder, queue)
            return Purge(at.isoformat(), logs, tickets)
    except OSError as error:
        raise RociteError(
            f"the audit logs in {folder} cannot be purged ({error}); expected a folder that may be written. "
            "No record was lost. Mend it and run rocite audit purge again."
        ) from error


# --- one log --------------------------------------------------------------------------------------------------------


@dataclass
class _Line:
    """A line of a log: its record (None where it is blank or torn), whether its link holds, whether it is to go."""

    raw: bytes
    record: dict | None = None
    linked: bool = True
    gone: bool = False


def _purge_log(folder: Path, name: str, waiting: set[str], at: datetime.date) -> Outcome:
    path = folder / name
    with _locked(path):
        aside = path.resolve().with_name(f".{name}.purged")
        aside.unlink(missing_ok=True)  # of a killed purge
        lines = _lines(path)
        counts = _decide(lines, waiting, at)
        removed = [line.record["record"] for line in lines if line.gone and line.record]
        if removed:
            write_jsonl(folder / _PENDING, [{"record": r} for r in removed])
            _replace(path.resolve(), aside, _rewritten(lines))
    return counts


def _lines(path: Path) -> list[_Line]:
    """The lines of a log, each held against the one before it as `AuditLog.read` does."""
    found, previous = [], None
    for number, raw in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        line = _Line(raw)
        found.append(line)
        try:
            record = json.loads(raw.decode("utf-8"))
        except (ValueError, RecursionError):  # blank, or torn by a killed run
            continue
        try:
            if not isinstance(record, dict) or not isinstance(record.get("record"), str) or "previous" not in record:
                raise ValueError("record, previous")
            line.linked, previous = record["previous"] == previous, sha256_of(dumps(record))
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{path}, line {number}: no audit record ({error}); expected one as rocite ask logs it. "
                "Nothing was purged from this log. Mend the line or move it elsewhere."
            ) from error
        line.record = record
    if found[-1].record:  # a last line without its newline: the log has to go on behind one
        found.append(_Line(b""))
    return found


def _decide(lines: Sequence[_Line], waiting: set[str], at: datetime.date) -> Outcome:
    """Mark the lines that go; return the counts."""
    records = [line for line in lines if line.record and not _is_tombstone(line.record)]
    undated = held = 0
    for line in records:
        last = _date(line.record.get("retain_until"))
        undated += last is None
        if last is not None and last < at:
            line.gone = not waiting.intersection(v for v in (line.record["record"], line.record.get("of")) if isinstance(v, str))
            held += not line.gone
    behind = False
    for line in reversed(lines):  # a torn line is older than the record behind it, and goes with it
        if line.record is None:
            line.gone = behind
        behind = line.gone
    purged = sum(line.gone for line in records)
    torn = sum(not line.gone and line.record is None and bool(line.raw.strip()) for line in lines)
    return Outcome(purged, len(records) - purged, undated, held, torn, sum(not line.linked for line in lines))


def _rewritten(lines: Sequence[_Line]) -> bytes:
    """The log without the lines that go: a tombstone for each run of them, and every link that held made to hold again."""
    kept: list[_Line] = []
    run: list[_Line] = []
    for line in [*lines, None]:
        if line and (line.gone or _is_tombstone(line.record)):
            run.append(line)
            continue
        kept += [_tombstone(run)] if any(each.gone for each in run) else run
        run = []
        kept += [line] if line else []
    previous, written = None, []
    for line in kept:
        raw = line.raw
        if line.record:
            link = previous if line.linked else line.record["previous"]
            text = dumps({**line.record, "previous": link})
            raw = raw if raw and link == line.record["previous"] else text.encode("utf-8")
            previous = sha256_of(text)
        written.append(raw)
    return b"\n".join(written)


def _tombstone(run: Sequence[_Line]) -> _Line:
    """What stands for a run of records that go and of tombstones between them: how many, from when to when, and no content.

    The run's first link is the tombstone's own. Links that were broken further inside go with the records; their number stays.
    """
    first, *rest = (line for line in run if line.record)
    records = [line.record for line in (first, *rest)]
    before = [r for r in records if _is_tombstone(r)]
    said = [r.get(name) for r in records for name in (("from", "to") if _is_tombstone(r) else ("time",))]
    times = sorted(t for t in said if isinstance(t, str))
    broken = sum(not line.linked for line in rest) + sum(r.get("broken", 0) for r in before)
    record = {
        "kind": PURGED,
        "count": len(records) - len(before) + sum(r["count"] for r in before),
        "from": times[0] if times else None,
        "to": times[-1] if times else None,
        "record": uuid.uuid4().hex,
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "previous": first.record["previous"],
        **({"broken": broken} if broken else {}),
    }
    return _Line(b"", record, first.linked)


def _is_tombstone(record: dict | None) -> bool:
    if record is None or record.get("kind") != PURGED or "retain_until" in record:
        return False
    return isinstance(record.get("count"), int) and isinstance(record.get("broken", 0), int)


def _date(value: object) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _replace(path: Path, aside: Path, data: bytes) -> None:
    """Put `data` in the place of the file at `path`, with its owner and mode: who may not read the log may not read the new one."""
    old = path.stat()
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            new = os.fstat(handle)
            if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
                os.chown(aside, old.st_uid, old.st_gid)
            os.chmod(aside, stat.S_IMODE(old.st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


# --- the tickets of what was removed --------------------------------------------------------------------------------


def _drop_pending(folder: Path, queue: Queue) -> int:
    """Drop the resolved tickets of the records that a purge, this one or a killed one, has removed; return how many."""
    pending = folder / _PENDING
    if not pending.exists():
        return 0
    meant = {row["record"] for row in read_jsonl(pending)}
    for name in LOGS:
        if (folder / name).exists():
            meant -= {line.record["record"] for line in _lines(folder / name) if line.record}
    dropped = queue.drop(sorted(meant))
    pending.unlink()
    return dropped
