"""The escalation queue: what a person has to decide, with an owner, a response target and a bound, in one SQLite file.

Refuses a ticket beyond the bound and says so; who escalates then tells the asker that nobody was asked. A ticket is
taken by one person only and resolved only by that person. It names sources by id and revision and holds no text of
theirs, and a denied request has a ticket of the same shape as one that nothing answers.
"""

from __future__ import annotations

import datetime
import json
import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rocite.errors import InputError, RociteError

OPEN, TAKEN, RESOLVED = "open", "taken", "resolved"
STATES = (OPEN, TAKEN, RESOLVED)
_COLUMNS = "id record created due owner reason question sources state person note changed".split()
_SCHEMA = f"CREATE TABLE IF NOT EXISTS tickets ({', '.join(f'{c} TEXT NOT NULL' for c in _COLUMNS)}, PRIMARY KEY (id))"
_SECONDS = 10  # how long one process waits for another that writes


class QueueFull(RociteError):
    """The queue holds as many open tickets as it may; nobody was asked."""


class QueueUnavailable(RociteError):
    """The queue cannot be read or written; nobody was asked."""


@dataclass(frozen=True)
class Ticket:
    """One escalation. Times are UTC, ISO. `sources` are "id revision" of the documents; `person` took it, `note` resolves it."""

    id: str
    record: str
    created: str
    due: str
    owner: str
    reason: str
    question: str
    sources: tuple[str, ...]
    state: str = OPEN
    person: str = ""
    note: str = ""
    changed: str = ""

    def overdue(self, now: datetime.datetime) -> bool:
        """Whether nobody resolved it by its response target."""
        return self.state != RESOLVED and now > datetime.datetime.fromisoformat(self.due)

    def as_dict(self) -> dict:
        """Return the ticket as plain JSON values."""
        return asdict(self) | {"sources": list(self.sources)}


class Queue:
    """The tickets in the SQLite file at `path`, at most `limit` of them unresolved. The file is made when the first is put."""

    def __init__(self, path: Path, limit: int):
        self.path = Path(path)
        self.limit = limit

    def put(self, record: str, owner: str, reason: str, question: str, sources: Sequence[str], hours: float) -> Ticket:
        """Add a ticket that is due in `hours`. Raises QueueFull beyond the limit and QueueUnavailable when it cannot be written."""
        now = _now()
        due = now + datetime.timedelta(hours=hours)
        ticket = Ticket(uuid.uuid4().hex[:12], record, _text(now), _text(due), owner, reason, question, tuple(sources), changed=_text(now))
        with self._changing() as connection:
            waiting = connection.execute("SELECT count(*) FROM tickets WHERE state != ?", (RESOLVED,)).fetchone()[0]
            if waiting >= self.limit:
                raise QueueFull(
                    f"the queue {self.path} is full: {waiting} tickets wait and {self.limit} may; nobody was asked. "
                    "Resolve some (rocite queue list) or raise queue_limit."
                )
            connection.execute(f"INSERT INTO tickets VALUES ({', '.join('?' * len(_COLUMNS))})", _row(ticket))
        return ticket

    def all(self, state: str = "", owner: str = "") -> list[Ticket]:
        """Return the tickets, oldest target first, of one state and one owner where given. An absent file is an empty queue."""
        if state and state not in STATES:
            raise InputError(f"state {state!r}; expected one of {', '.join(STATES)}.")
        if not self._made():
            return []
        with self._opened() as connection:
            found = [_ticket(r) for r in connection.execute(f"SELECT {', '.join(_COLUMNS)} FROM tickets ORDER BY due, id")]
        return [t for t in found if (not state or t.state == state) and (not owner or t.owner == owner)]

    def take(self, ticket_id: str, person: str) -> Ticket:
        """Give an open ticket to `person`. Raises InputError for one that is not there or not open."""
        return self._move(ticket_id, person, TAKEN, "", OPEN)

    def resolve(self, ticket_id: str, person: str, note: str) -> Ticket:
        """Resolve a ticket that `person` took, with a note. Raises InputError for another's, for one not taken, and without a note."""
        if not note.strip():
            raise InputError("a resolution says what was decided: --note is empty.")
        return self._move(ticket_id, person, RESOLVED, note.strip(), TAKEN)

    def drop(self, records: Sequence[str]) -> int:
        """Delete the resolved tickets of these audit records; return how many. What is unresolved stays.

        Their text is gone from the file too. A call that was cut short may be made again.
        """
        if not records or not self._made():
            return 0
        with self._changing() as connection:
            gone = connection.executemany("DELETE FROM tickets WHERE state = ? AND record = ?", [(RESOLVED, r) for r in records])
        with self._opened() as connection:
            connection.execute("PRAGMA temp_store = MEMORY")  # no copy of the questions in a temporary file
            connection.execute("VACUUM")  # secure_delete leaves what a row left behind when its page was split
        return gone.rowcount

    def _move(self, ticket_id: str, person: str, to: str, note: str, wanted: str) -> Ticket:
        if not person.strip() or not person.strip().isprintable():
            raise InputError(f"who takes or resolves a ticket has a name: --by is {person!r}; expected printable letters.")
        unknown = InputError(f"no ticket {ticket_id!r} in the queue {self.path}; rocite queue list names them.")
        if not self._made():
            raise unknown
        with self._changing() as connection:
            row = connection.execute(f"SELECT {', '.join(_COLUMNS)} FROM tickets WHERE id = ?", (ticket_id,)).fetchone()
            if row is None:
                raise unknown
            ticket = _ticket(row)
            if ticket.state != wanted or (wanted == TAKEN and ticket.person != person.strip()):
                by = f" by {ticket.person}" if ticket.person else ""
                mine = f" by {person.strip()}" if wanted == TAKEN else ""
                first = " Take it first: rocite queue take." if ticket.state == OPEN else ""
                raise InputError(f"ticket {ticket_id} is {ticket.state}{by}; expected one that is {wanted}{mine}.{first}")
            moved = replace(ticket, state=to, person=person.strip(), note=note, changed=_text(_now()))
            connection.execute(
                "UPDATE tickets SET state = ?, person = ?, note = ?, changed = ? WHERE id = ?",
                (moved.state, moved.person, moved.note, moved.changed, ticket_id),
            )
        return moved

    def _made(self) -> bool:
        """Whether the file is there. A folder that may not be searched, or that is no folder, is no empty queue."""
        try:
            self.path.stat()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._unavailable(error) from error
        return True

    def _unavailable(self, error: Exception) -> QueueUnavailable:
        return QueueUnavailable(
            f"the queue {self.path} cannot be used ({error}); expected a SQLite file that may be read and written. "
            "If it is locked, try again; else mend the folder or move the file aside."
        )

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_SECONDS, isolation_level=None)) as connection:
                connection.execute("PRAGMA secure_delete = ON")  # what is deleted or replaced is overwritten
                connection.execute(_SCHEMA)
                yield connection
        except UnicodeEncodeError as error:
            raise InputError("a text for the queue is not UTF-8; set the terminal's encoding to UTF-8. Nothing was changed.") from error
        except (sqlite3.Error, OSError) as error:
            raise self._unavailable(error) from error

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that excludes every other writer from its first statement on."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:  # a full disk has rolled it back already
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")


def _row(ticket: Ticket) -> tuple[str, ...]:
    return tuple(json.dumps(list(v), ensure_ascii=False) if isinstance(v, tuple) else v for v in (getattr(ticket, c) for c in _COLUMNS))


def _ticket(row: Sequence[str]) -> Ticket:
    found = dict(zip(_COLUMNS, row, strict=True))
    try:
        if datetime.datetime.fromisoformat(found["due"]).tzinfo is None:
            raise ValueError(f"{found['due']!r} has no time zone")
        return Ticket(**{**found, "sources": tuple(json.loads(found["sources"]))})
    except (TypeError, ValueError) as error:
        raise QueueUnavailable(f"ticket {found['id']!r} of the queue is damaged: {error}. Mend or delete its row.") from error


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _text(moment: datetime.datetime) -> str:
    return moment.isoformat(timespec="seconds")
