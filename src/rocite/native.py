"""What code below Python prints: C++ engines and child processes write to the file descriptor, not to `sys.stderr`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def standard_error_to(path: Path | str = os.devnull) -> Iterator[None]:
    """Send what is written to the standard error's file descriptor to `path`, by default to nowhere."""
    sys.stderr.flush()
    kept = os.dup(2)
    instead = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.dup2(instead, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(instead)
