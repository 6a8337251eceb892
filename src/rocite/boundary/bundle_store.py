"""Where bundles are kept: those that come with the project, which are only read, and the reader's own.

A bundle's file is named by the first digits of its hash and read back byte for byte: a file whose content is not what its
name says is refused. Which bundle is in use and which runs in its shadow is said by two files of one line each.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from rocite import places
from rocite.boundary.bundle import SHORT, Bundle, bundle_from
from rocite.errors import InputError, RociteError
from rocite.records import dumps, read_text, write_atomically

LEAST = 6  # hex digits by which a bundle may be named
CURRENT, SHADOW = "current", "shadow"
_FILE = re.compile(rf"[0-9a-f]{{{SHORT}}}\.json")
_ASKED = re.compile(rf"[0-9a-f]{{{LEAST},64}}")


@dataclass(frozen=True)
class BundleStore:
    """The folder `shipped` with ``bundles/`` and perhaps ``current``, and the folder `own` with bundles and pointers."""

    shipped: Path
    own: Path

    def all(self) -> list[Bundle]:
        """Return every bundle, by name and hash. Raises InputError for a file that was changed."""
        return sorted((read(path) for path in self._paths().values()), key=lambda b: (b.name, b.short))

    def find(self, text: str) -> Bundle:
        """Return the bundle whose hash begins with these digits, at least 6 of them, with or without ``sha256:``.

        Raises InputError for what is no hash, for one that is not here, and where several begin so.
        """
        digits = text.strip().lower().removeprefix("sha256:")
        if not _ASKED.fullmatch(digits):
            raise InputError(f"{text.strip()[:80]!r} is no hash of a bundle; expected {LEAST} to 64 hex digits. {self._known()}")
        paths = [path for name, path in self._paths().items() if name.startswith(digits[:SHORT])]
        if len(paths) > 1:
            raise InputError(f"{digits} is how {len(paths)} bundles begin: {', '.join(p.stem for p in paths)}. Give more digits.")
        found = read(paths[0]) if paths else None
        if found is None or not found.hash.removeprefix("sha256:").startswith(digits):
            raise InputError(f"no bundle {digits} in {self.shipped / 'bundles'} or {self.own}. {self._known()}")
        return found

    def add(self, bundle: Bundle) -> Path:
        """Write one of the reader's own and return its file; one that is here already stays as it is."""
        if known := self._paths().get(bundle.short):
            read(known)
            return known
        path = self.own / f"{bundle.short}.json"
        self._write(path, rendered(bundle))
        return path

    def current(self) -> Bundle | None:
        """Return the bundle in use: the reader's choice, else the one that comes with the project, else None."""
        return self._pointed(self.own / CURRENT) or self._pointed(self.shipped / CURRENT)

    def shadow(self) -> Bundle | None:
        """Return the bundle that runs in the shadow of the current one, None where there is none."""
        return self._pointed(self.own / SHADOW)

    def point(self, which: str, bundle: Bundle | None) -> None:
        """Make `bundle` the one that `which` (``current`` or ``shadow``) points at; None removes the pointer."""
        path = self.own / which
        if bundle is not None:
            self._write(path, f"{bundle.hash}\n")
            return
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RociteError(f"{path}: cannot be removed ({error.strerror or error}).") from error

    def _pointed(self, path: Path) -> Bundle | None:
        if not _is_there(path):
            return None
        try:
            return self.find(read_text(path))
        except InputError as error:
            mend = "rocite bundle shadow --off, or shadow HASH" if path.name == SHADOW else "rocite bundle use HASH"
            raise InputError(
                f"{path} points at no bundle that can be used: {error} Point at another ({mend}) or remove the file."
            ) from error

    def _paths(self) -> dict[str, Path]:
        """The files by short name; where both folders have one, the one that comes with the project."""
        found: dict[str, Path] = {}
        for folder in (self.own, self.shipped / "bundles"):
            try:
                found |= {p.stem: p for p in sorted(folder.iterdir()) if _FILE.fullmatch(p.name)} if _is_there(folder) else {}
            except OSError as error:
                raise InputError(f"{folder}: cannot be read ({error.strerror or error}); expected a folder of bundles.") from error
        return dict(sorted(found.items()))

    def _known(self) -> str:
        known = list(self._paths())
        return f"Known: {', '.join(known)}." if known else "There is no bundle here yet."

    @staticmethod
    def _write(path: Path, text: str) -> None:
        try:
            write_atomically(path, text)
        except OSError as error:
            raise RociteError(f"{path}: cannot be written ({error.strerror or error}); nothing was changed.") from error


def default_store() -> BundleStore:
    """Return the checkout's bundles: ``data/boundary``, and ``build/bundles`` or ``$ROCITE_BUNDLES``."""
    top = places.root()
    return BundleStore(top / "data" / "boundary", Path(os.environ.get("ROCITE_BUNDLES") or top / "build" / "bundles"))


def rendered(bundle: Bundle) -> str:
    """Return the text of a bundle's file: JSON, sorted keys, one part a line."""
    rows = [f"{dumps(name)}: {dumps(value)}" for name, value in sorted(bundle.as_dict().items())]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def read(path: Path) -> Bundle:
    """Read the bundle of a file. Raises InputError unless the file is byte for byte the bundle of its name."""
    text = read_text(path)
    mend = "Restore the file (git checkout, for one that comes with the project) or remove it."
    try:
        bundle = bundle_from(json.loads(text))
    except (ValueError, RecursionError, InputError) as error:
        raise InputError(f"{path}: not a bundle any more, or never one: {error} {mend}") from error
    if bundle.short != path.stem:
        raise InputError(f"{path}: was changed: its content has the hash {bundle.short}, its name says {path.stem}. {mend}")
    if text.encode("utf-8") != rendered(bundle).encode("utf-8") or path.stat().st_size != len(text.encode("utf-8")):
        raise InputError(f"{path}: was changed: it is not written as rocite writes a bundle. {mend}")
    return bundle


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
