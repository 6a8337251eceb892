"""The audit log: every decision, accepted or refused, as one line that lets a reader rebuild it.

Records are chained: each carries the hash of the one before it in its file, so that a line that was taken
out or changed shows. Refuses to let a decision go unlogged: a log that cannot be written is an error.
"""

from __future__ import annotations

import datetime
import os
import uuid
import warnings
from pathlib import Path

from rocite.errors import InputError, RociteError
from rocite.records import append_jsonl, dumps, read_jsonl, sha256_of


class AuditLog:
    """An append-only JSON Lines file at `path`, made with the permissions `mode`."""

    def __init__(self, path: Path, mode: int = 0o644):
        self.path = Path(path)
        self.mode = mode

    def append(self, record: dict) -> str:
        """Append `record` with an id, the time and the hash of the line before it; return the id.

        Raises RociteError when the log cannot be written.
        """
        entry_id = uuid.uuid4().hex
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        try:
            with _locked(self.path):
                entry = {**record, "record": entry_id, "time": now, "previous": self._last_hash()}
                append_jsonl(self.path, entry, self.mode)
        except OSError as error:
            raise RociteError(f"the audit log {self.path} cannot be written ({error}); no answer is shown unlogged.") from error
        return entry_id

    def _last_hash(self) -> str | None:
        """The hash of the last whole line, read from the end of the file."""
        try:
            with open(self.path, "rb") as file:
                size = file.seek(0, os.SEEK_END)
                tail = b""
                while size and tail.count(b"\n") < 3:
                    step = min(size, 1 << 16)
                    size -= step
                    file.seek(size)
                    tail = file.read(step) + tail
        except FileNotFoundError:
            return None
        whole = [line for line in tail.split(b"\n")[:-1] if line.strip()]
        return sha256_of(whole[-1]) if whole else None

    def read(self) -> list[dict]:
        """Return all records, checking the chain: a record whose predecessor is another is warned about.

        A line that a killed run left torn is warned about and passed over. Raises InputError for an object that
        is no audit record.
        """
        records = read_jsonl(self.path, viewing=True)
        previous = None
        for number, record in enumerate(records, start=1):
            if "record" not in record or "previous" not in record:
                raise InputError(f"{self.path}, line {number}: no audit record (record, previous).")
            if record["previous"] != previous:
                warnings.warn(f"{self.path}, line {number}: the line before it was changed or is missing", stacklevel=2)
            previous = sha256_of(dumps(record))
        return records


class _locked:
    """An exclusive lock beside the file, where the system has one: reading the last line and appending are one step."""

    def __init__(self, path: Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path.with_name(f".{path.name}.lock")

    def __enter__(self):
        self._file = open(self._path, "w")
        try:
            import fcntl
        except ImportError:  # no such locks here: one appending process at a time
            return self
        fcntl.flock(self._file, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_):
        self._file.close()
