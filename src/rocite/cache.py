"""A content-keyed store on disk: what a slow model gave for exactly this input, kept for the next run.

The key is a hash of the content and of everything that shaped the result; nothing in here has a name or a
date, so a changed model, prefix or option is simply another key. SQLite does the locking: several runs may
read and write side by side, and a killed one leaves whole entries only. A store that cannot be opened or
written costs time, never a result: it warns and the work is done again.
"""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Iterable
from pathlib import Path

from rocite import places
from rocite.records import sha256_of, sha256_of_file


class Store:
    """Bytes by key, in the SQLite file at `path`, which is created when the first value is put.

    `recorded` is a store that is only read, for what is not in this one: results that come with the project.
    """

    def __init__(self, path: Path, recorded: Store | None = None):
        self.path = Path(path)
        self.recorded = recorded
        self._connection: sqlite3.Connection | None = None
        self._broken = False

    def get(self, *key: str) -> bytes | None:
        """Return the value stored under `key`, or None."""
        found = self._find(*key)
        return self.recorded.get(*key) if found is None and self.recorded else found

    def _find(self, *key: str) -> bytes | None:
        try:
            if self._broken or not (self._connection or self.path.exists()):
                return None
            row = self._open().execute("SELECT value FROM entries WHERE key = ?", (sha256_of(*key),)).fetchone()
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
            return None
        return row[0] if row else None

    def put(self, *key: str, value: bytes) -> None:
        """Store `value` under `key`, replacing what was there."""
        self.put_all([(key, value)])

    def put_all(self, entries: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
        """Store every value under its key in one transaction."""
        if self._broken:
            return
        try:
            connection = self._open()
            with connection:
                connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?)", [(sha256_of(*key), value) for key, value in entries])
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)

    def copy_to(self, path: Path) -> None:
        """Write everything to a new SQLite file of one piece at `path`. Raises sqlite3.Error when it cannot."""
        self._open().execute("VACUUM INTO ?", (str(path),))

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.path, timeout=60)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value BLOB NOT NULL)")
        return self._connection

    def _give_up(self, error: Exception) -> None:
        self._broken = True
        self._connection = None
        note = ""
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            damaged = self.path.with_suffix(".damaged")
            try:
                os.replace(self.path, damaged)
                note = f"; it was set aside as {damaged}"
            except OSError:
                pass
        warnings.warn(f"the cache {self.path} cannot be used ({error}){note}; models run anew", stacklevel=3)


class RecordedStore(Store):
    """A store that is never written: a file that comes with the project."""

    def put_all(self, entries: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
        """Refuse: a recorded file is made anew by the command that records it."""
        raise TypeError(f"{self.path} is recorded and only read")

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        return self._connection

    def _give_up(self, error: Exception) -> None:
        self._broken, self._connection = True, None
        warnings.warn(f"{self.path} cannot be read ({error}); models run anew", stacklevel=4)


def default_store() -> Store:
    """Return the store of this checkout, with the recorded vectors and judgements behind it."""
    recorded = places.root() / "data" / "recorded"
    behind = RecordedStore(recorded / "vectors.sqlite", RecordedStore(recorded / "judgements.sqlite"))
    return Store(places.cache_folder() / "store.sqlite", behind)


def file_digest(path: Path, store: Store | None = None) -> str:
    """Return ``sha256:...`` of a file; `store` remembers it as long as size and time of the file stay.

    Raises OSError when the file cannot be read.
    """
    stat = os.stat(path)
    key = ("file digest", str(Path(path).resolve()), str(stat.st_size), str(stat.st_mtime_ns))
    known = store.get(*key) if store else None
    if known:
        return known.decode()
    digest = sha256_of_file(path)
    if store:
        store.put(*key, value=digest.encode())
    return digest
