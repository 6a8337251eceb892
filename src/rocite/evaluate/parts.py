"""What every measured item shares: the part that it belongs to, and the line with which its answer cites its sources."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

SOURCES = {"ro": "SURSE", "en": "SOURCES"}  # how the last line of an answer begins, by language


def untouched(key: str) -> bool:
    """Whether what has this key belongs to the untouched part: the SHA-256 of the key, read as a number, is odd.

    >>> untouched("a"), untouched("c")
    (True, False)
    """
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2 == 1


def cited(text: str, lang: str, numbers: Iterable[int] = (1,)) -> str:
    """Return `text` as an answer that cites the fragments with these numbers.

    >>> cited("Termenul este de 5 zile.", "ro", (2, 3))
    'Termenul este de 5 zile.\\nSURSE: 2, 3'
    """
    return f"{text}\n{SOURCES[lang]}: {', '.join(map(str, numbers))}"


def shuffled(names: Iterable[str], salt: str) -> list[str]:
    """Return `names` once each, in an order that `salt` and the names alone decide."""
    return sorted(set(names), key=lambda name: (hashlib.sha256((salt + name).encode()).hexdigest(), name))
