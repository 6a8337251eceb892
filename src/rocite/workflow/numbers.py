"""``numbers.json``: nested objects whose leaves are ``{"value", "text", ...}``, looked up by paths as ``a/b/c``."""

from __future__ import annotations

import re
from collections.abc import Callable

from rocite.errors import InputError


def leaf(numbers: dict, path: str) -> dict | None:
    """Return the leaf at `path`, None where there is none.

    >>> leaf({"a": {"b": {"value": 1, "text": "1"}}}, "a/b")["text"]
    '1'
    """
    place: object = numbers
    for part in path.split("/"):
        place = place.get(part) if isinstance(place, dict) else None
    return place if isinstance(place, dict) and "text" in place else None


def substituted(text: str, mark: re.Pattern, numbers: dict, where: str, written: Callable[[str, str], str]) -> str:
    """Return `text` with every `mark` (group ``path``) replaced by ``written(path, text of that number)``.

    Raises InputError for a path that is not there.
    """

    def replaced(match: re.Match) -> str:
        found = leaf(numbers, match["path"])
        if found is None:
            raise InputError(f"{where}: no number {match['path']!r} in numbers.json.")
        return written(match["path"], found["text"])

    return mark.sub(replaced, text)
