"""Where things lie: the checkout this package belongs to. Nothing depends on the current directory."""

from __future__ import annotations

import os
from pathlib import Path

from rocite.errors import InputError


def root() -> Path:
    """Return the checkout's top folder.

    Raises InputError when the package was installed away from its checkout, where corpus and data are absent.
    """
    top = Path(__file__).resolve().parents[2]
    if not (top / "corpus").is_dir():
        raise InputError(f"{top}: no corpus/ here; rocite works from its checkout. Install it with 'make' or 'pip install -e .'.")
    return top


def cache_folder() -> Path:
    """Return the folder for what models gave: ``build/cache`` of the checkout, or ``$ROCITE_CACHE``."""
    return Path(os.environ.get("ROCITE_CACHE") or root() / "build" / "cache")


def audit_folder() -> Path:
    """Return the folder for audit logs and the escalation queue: ``build/audit`` of the checkout, or ``$ROCITE_AUDIT``."""
    return Path(os.environ.get("ROCITE_AUDIT") or root() / "build" / "audit")
