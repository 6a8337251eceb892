"""What a question names: an edition, assets, several things at once, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from rocite.language.identifiers import identifiers
from rocite.language.statements import Statement
from rocite.text import fold, normalise

_ORDINALS = {
    "1": "prima intai intaia first one i",
    "2": "doua second two ii",
    "3": "treia third three iii",
    "4": "patra fourth four iv",
    "5": "cincea fifth five v",
}
_NUMBER_OF = {word: number for number, words in _ORDINALS.items() for word in words.split()}
_EDITION = re.compile(
    r"\b(?:editi\w+|edition|revision|rev\.?|versiun\w+|version)\s+(?:a\s+|nr\.?\s*|no\.?\s*|number\s+)?(\d+|(?!(?:i|one)\s+[a-z])\w+|(?<=a )i)\b"
    r"|\b(prima|first|second|third|fourth|fifth|(?<=\ba )(?:doua|treia|patra|cincea)|\d+(?=-a |st |nd |rd |th ))(?:-a|st|nd|rd|th)?"
    r"\s+(?:editi\w+|edition|revision|versiun\w+|version)\b"
)


def edition_asked(question: str) -> str:
    """Return the edition that a question names, "" for none.

    >>> [edition_asked(q) for q in ("Conform ediției a doua, cât costă?", "By the first edition?", "La câte ore se face revizia?")]
    ['2', '1', '']
    """
    for match in _EDITION.finditer(fold(question)):
        word = match[1] or match[2]
        number = word if word.isdigit() else _NUMBER_OF.get(word, "")
        if number:
            return number
    return ""


_PARTING = r"[-‐‑–—−\s./]"


def assets_named(question: str, assets: Sequence[str]) -> tuple[str, ...]:
    """Return those of `assets` that stand in the question, however they are spaced.

    >>> assets_named("La ce presiune se deschide supapa la CT 2?", ("CT-1", "CT-2"))
    ('CT-2',)
    """
    plain = fold(question)
    found = {}
    for asset in sorted((a for a in assets if any(c.isalnum() for c in a)), key=len, reverse=True):  # "CT-1-2" before "CT-1"
        if found.setdefault(asset, bool(spelled(asset).search(plain))):
            plain = spelled(asset).sub(" ; ", plain)
    return tuple(a for a in assets if found.get(a))


@cache
def spelled(asset: str) -> re.Pattern:
    """Return the pattern of an asset in a folded text, however its parts are spaced."""
    return re.compile(r"(?<!\w)" + rf"{_PARTING}?".join(map(re.escape, re.split(_PARTING, fold(asset).strip()))) + r"(?!\w)")


def says(question: str) -> bool:
    """Return whether a question has a word, number or name to go by.

    >>> [says(q) for q in ("Cât costă?", "Ce e UE?", "12", "Cine?", "???")]
    [True, True, True, False, False]
    """
    return bool(Statement(question).content or identifiers(question))


_ASKS = (
    "cat cata cati cate cand cine ce care cum unde in de la dupa pana pentru peste cu pe sub mai pot poate putem trebuie este sunt am avem are "
    "how when who what which where may can must do does is are should will by for at within after until"
).split()
_WRITTEN = str.maketrans({"a": "[aăâ]", "i": "[iî]", "s": "[sș]", "t": "[tț]"})  # a folded word as it may stand in the question
_JOINT = re.compile(
    rf"(?:[,;]\s*|\s+)(?:și|si|iar|dar|and|but|or)\s+(?=(?:{'|'.join(w.translate(_WRITTEN) for w in _ASKS)})\b)|(?<=\?)\s+|;\s+",
    re.IGNORECASE,
)
LEAST_WORDS = 2  # a part of a question has so many words at least
MOST_PARTS = 8  # a question of more parts is read as one: each part is looked up in every document


def parts_of(question: str) -> list[str]:
    """Return the parts of a question that asks several things, the whole where it asks one.

    Sentences that ask nothing belong to the whole alone.

    >>> parts_of("Cât durează și cine o aprobă la final?")
    ['Cât durează', 'cine o aprobă la final?']
    >>> parts_of("Cât costă un colet?")
    ['Cât costă un colet?']
    """
    pieces = re.split(r"(?<=[.!])\s+(?=\w)", normalise(question).strip())
    asked = " ".join(p for p in pieces if p.endswith("?")) or question
    parts = list(dict.fromkeys(p.strip() for p in _JOINT.split(asked) if p and p.strip()))
    return parts if 1 < len(parts) <= MOST_PARTS and all(len(p.split()) >= LEAST_WORDS for p in parts) else [question]
