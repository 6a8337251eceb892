"""JSON Lines: one object a line, UTF-8, sorted keys, no NaN. One function writes, one reads, one appends.

A torn last line (a run killed while writing) is dropped with a notice, because everything before it is whole.
A bad line anywhere else is reported with its number: a line skipped in silence would change a denominator.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path

from rocite.errors import InputError


def dumps(record: object) -> str:
    """Return `record` as one line of JSON with sorted keys.

    Raises ValueError for NaN and infinities, which JSON does not have.

    >>> dumps({"b": 1, "a": "ș"})
    '{"a": "ș", "b": 1}'
    """
    return json.dumps(record, ensure_ascii=False, sort_keys=True, allow_nan=False)


def sha256_of(*parts: bytes | str) -> str:
    """Return ``sha256:<hex>`` over `parts`, each preceded by its length so that no two lists collide.

    >>> sha256_of("ab", "c") == sha256_of("a", "bc")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8") if isinstance(part, str) else part
        digest.update(str(len(data)).encode() + b":" + data)
    return f"sha256:{digest.hexdigest()}"


def sha256_of_file(path: Path) -> str:
    """Return ``sha256:<hex>`` of the bytes of the file at `path`: what ``sha256sum`` prints."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return f"sha256:{digest.hexdigest()}"


def write_atomically(path: Path, data: str | bytes) -> None:
    """Write `data` to `path` so that a reader sees the old file or the whole new one, never a part.

    What is no file (``/dev/stdout``, a pipe) is written to, never replaced. Raises OSError when the folder cannot
    be written or the disk is full; the old file then stays.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data.encode("utf-8") if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file (a byte-order mark is dropped).

    Raises InputError naming the file and the line when it does not exist or is not UTF-8.
    """
    data = _read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, data[: error.start].count(b"\n") + 1, error) from error


def _read_bytes(path: Path) -> bytes:
    try:
        return Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> InputError:
    return InputError(
        f"{path}, line {line}: not UTF-8 (byte 0x{error.object[error.start]:02x}); it looks like another encoding, "
        f"CP1250 perhaps. Convert it: iconv -f CP1250 -t UTF-8 {path} > fixed{Path(path).suffix}"
    )


def write_jsonl(path: Path, records: Iterable[dict]) -> None:
    """Write `records` to `path`, one a line, atomically."""
    write_atomically(Path(path), "".join(dumps(r) + "\n" for r in records))


def append_jsonl(path: Path, record: dict, mode: int = 0o644) -> None:
    """Append `record` as one line, in one system call, so that writers side by side never mix; a new file gets `mode`.

    A line that an earlier, killed writer left torn is closed first. Raises OSError when it cannot be written.
    """
    data = (dumps(record) + "\n").encode("utf-8")
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, mode)
    try:
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            data = b"\n" + data
        written = os.write(handle, data)
        if written != len(data):
            raise OSError(f"{path}: only {written} of {len(data)} bytes were written; is the disk full?")
    finally:
        os.close(handle)


def read_jsonl(path: Path, viewing: bool = False) -> list[dict]:
    """Return the objects of a JSON Lines file, in order; blank lines are passed over.

    A torn last line is dropped with a warning. Raises InputError naming file and line for any other line
    that is no JSON object; when only `viewing`, it is warned about and passed over.
    """
    lines = _read_bytes(path).split(b"\n")  # decoded one by one: a write may be cut short inside a letter
    records = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:  # JSON and UTF-8 alike, and nesting without end
            if number == len(lines):  # no newline behind it: the write was cut short
                warnings.warn(f"{path}, line {number}: torn last line dropped", stacklevel=2)
                break
            if viewing:
                warnings.warn(f"{path}, line {number}: not JSON, passed over", stacklevel=2)
                continue
            if isinstance(error, UnicodeDecodeError):
                raise _not_utf8(path, number, error) from error
            what = "nested too deeply" if isinstance(error, RecursionError) else error
            raise InputError(f"{path}, line {number}: not JSON ({what}).") from error
        if not isinstance(record, dict):
            raise InputError(f"{path}, line {number}: expected an object, found {type(record).__name__}.")
        records.append(record)
    return records
