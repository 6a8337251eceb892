"""What an answer cites, as models really write it, and the answer's text without its citations.

Grammar: a sources line (``SURSE: 1, 2``, ``SOURCES: [1][2]``, ``1-3``, literal ids) and marks in the text
(``[1]``, ``[1, 2]``, ``[1-3]``, ``[id]``) before or after the full stop. Numbers are positions among the
fragments, from 1; they are mapped back to ids here, where a model cannot get it wrong.
Decides what is an invention: 0, a number out of range, and anything else that names no fragment. An
abstention marker (NU_STIU in any spelling) is removed before anything is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rocite.text import fold, normalise

_MARKER = re.compile(r"(?<![^\W_])(?:nu[ _\-]*[sș]tiu|i[ _\-]*don['’]?t[ _\-]*know)(?![^\W_])", re.IGNORECASE)
_SOURCES = re.compile(
    r"(?:^[ \t]*[*_#>\-•\"']*\s*|(?<=[.!?\])])\s+[*_]*)(?:surs(?:a|ă|e|ele)|sources?)[*_]*[ \t]*:[*_]*[ \t]*(?P<list>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = re.compile(r"[ \t]*\[(?P<list>[^\[\]\n]{1,200})\]")
_RANGE = re.compile(r"(?<!\w)(\d{1,6})[ ]*[-–—][ ]*(\d{1,6})(?!\w)")
_FILLER = re.compile(
    r"\b(?:fragment(?:ul|ele|e)?|document(?:ul|ele|e)?|docs?|surs[aăe]|source|si|și|and|nr|no)\b\.?", re.IGNORECASE
)
_NUMBERS_ONLY = re.compile(r"\s*\d+(?:\s*(?:[,;]|[-–—])\s*\d+)*\s*")
_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")


@dataclass(frozen=True)
class Reading:
    """An answer taken apart. `cited` are ids in order of first mention, `invented` the tokens that name none."""

    text: str
    cited: tuple[str, ...]
    invented: tuple[str, ...]
    marker: bool


def read(answer: str, ids: Sequence[str]) -> Reading:
    """Take `answer` apart; `ids` are those of the fragments, in the order in which they were numbered.

    >>> read("Este gratuit [2]. Durează 5 zile.\\nSURSE: 2, 7", ["a", "b"])
    Reading(text='Este gratuit. Durează 5 zile.', cited=('b',), invented=('7',), marker=False)
    """
    text = normalise(answer)
    text, markers = _MARKER.subn("", text)
    cited: dict[str, None] = {}
    invented: dict[str, None] = {}

    def take(listed: str) -> None:
        good, bad = _resolve(listed, ids)
        cited.update(dict.fromkeys(good))
        invented.update(dict.fromkeys(bad))

    while line := _SOURCES.search(text):
        end = line.end()
        take(line["list"])
        if not line["list"].strip(" *_."):  # "SURSE:" with the list on the lines below
            while below := re.compile(r"\n[ \t]*[-*•]?[ \t]*(\[?\d[\d\[\], ;\-–]*)\.?[ \t]*(?=\n|$)").match(text, end):
                take(below[1])
                end = below.end()
        text = text[: line.start()] + text[end:]

    def take_mark(mark: re.Match) -> str:
        if not _is_citation(mark["list"], ids):
            return mark.group()
        take(mark["list"])
        following = text[mark.end() : mark.end() + 1]
        return " " if following.isalnum() else ""

    text = _MARK.sub(take_mark, text)
    tidy = re.sub(r" +([.,;:!?])", r"\1", text)
    return Reading(tidy.strip(" \n*_"), tuple(cited), tuple(invented), bool(markers))


def _is_citation(listed: str, ids: Sequence[str]) -> bool:
    """Whether what stands in brackets points at a source; "[sic]" and "[...]" do not."""
    bare = _FILLER.sub(" ", listed)
    if _NUMBERS_ONLY.fullmatch(bare):
        return True
    tokens = [t for t in re.split(r"[,;\s]+", bare) if t]
    return bool(tokens) and all(t in ids or t.isdigit() or _SLUG.fullmatch(fold(t)) for t in tokens)


def _resolve(listed: str, ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a list of citations into ids of fragments and inventions, both in order."""
    placed: list[tuple[int, str, bool]] = []

    def blank(match: re.Match) -> str:
        return " " * len(match.group())

    rest = listed
    for known in sorted((i for i in ids if not i.isdigit()), key=len, reverse=True):
        pattern = re.compile(rf"(?<![\w-]){re.escape(known)}(?![\w-])")
        placed += [(m.start(), known, True) for m in pattern.finditer(rest)]
        rest = pattern.sub(blank, rest)
    for span in _RANGE.finditer(rest):
        low, high = sorted((int(span[1]), int(span[2])))
        if low < 1 or high > len(ids):
            placed.append((span.start(), span.group(), False))
        placed += [(span.start(), ids[n - 1], True) for n in range(max(low, 1), min(high, len(ids)) + 1)]
    rest = _FILLER.sub(blank, _RANGE.sub(blank, rest))
    for token in re.finditer(r"[^\s,;\[\](){}*\"'„”«»|&]+", rest):
        word = token.group().strip(".:")
        if not any(c.isalnum() for c in word):
            continue
        number = int(word) if word.isdecimal() and len(word) <= 6 else 0
        known = 1 <= number <= len(ids)
        placed.append((token.start(), ids[number - 1] if known else word, known))
    placed.sort(key=lambda p: p[0])
    return [name for _, name, known in placed if known], [name for _, name, known in placed if not known]
