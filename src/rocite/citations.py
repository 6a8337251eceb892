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

_MARKER = re.compile(r"(?<![^\W_])(?:nu[ _\-\\]*[sș]tiu|i[ _\-\\]*don['’]?t[ _\-\\]*know)(?![^\W_])", re.IGNORECASE)
_SOURCES = re.compile(
    r"(?:^[ \t]*[*_#>\-•\"']*[ \t]*|(?:(?<=[.!?\])])|(?<=[.!?][*_\"”“»])|(?<=[.!?]\*\*))\s+[*_]*)"
    r"(?:surs(?:a|ă|e|ele)|sources?)[*_]*[ \t]*:[*_]*[ \t]*(?P<list>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED_BELOW = re.compile(r"\s*\n[ \t]*(?:[-*•][ \t]*)?(?P<list>[^\n]{1,200})")
_MARK = re.compile(r"[ \t]*\[(?P<list>[^\[\]\n]{1,200})\]")
_RANGE = re.compile(r"(?<!\w)(\d{1,6})[ ]*[-–—][ ]*(\d{1,6})(?!\w)")
_FILLER = re.compile(
    r"(?<![\w-])(?:fragment(?:ul|ele|e)?|document(?:ul|ele|e)?|docs?|surs[aăe]|source|si|și|and|nr|no)(?![\w-])[.:]?", re.IGNORECASE
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


class _Known:
    """The fragments' ids: by position, and by name in the normalised form in which an answer is read."""

    def __init__(self, ids: Sequence[str]):
        self.ids = ids
        named = {normalise(i).strip(): i for i in reversed(ids) if not i.isdigit()}
        self.by_name = {name: i for name, i in named.items() if any(c.isalnum() for c in name)}
        longest_first = sorted(self.by_name, key=len, reverse=True)
        self.names = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])" if longest_first else "(?!)")


def read(answer: str, ids: Sequence[str]) -> Reading:
    """Take `answer` apart; `ids` are those of the fragments, in the order in which they were numbered.

    >>> read("Este gratuit [2]. Durează 5 zile.\\nSURSE: 2, 7", ["a", "b"])
    Reading(text='Este gratuit. Durează 5 zile.', cited=('b',), invented=('7',), marker=False)
    """
    text = normalise(answer)
    text, markers = _MARKER.subn("", text)
    text = re.sub(" {2,}", " ", text)
    known = _Known(ids)
    lists: dict[str, None] = {}  # each list once, in order: an answer may repeat "[1]" a hundred thousand times
    kept, start = [], 0
    while line := _SOURCES.search(text, start):
        end = line.end()
        lists[line["list"]] = None
        if not line["list"].strip(" *_."):  # "SURSE:" with the list on the lines below
            while (below := _LISTED_BELOW.match(text, end)) and _is_citation(re.sub(r"[\[\]*]", " ", below["list"]).rstrip(" ."), known):
                lists[below["list"]] = None
                end = below.end()
        kept.append(text[start : line.start()])
        start = end
    text = "".join([*kept, text[start:]])

    citing: dict[str, bool] = {}

    def take_mark(mark: re.Match) -> str:
        listed = mark["list"]
        if not citing.setdefault(listed, listed in citing or _is_citation(listed, known)):
            return mark.group()
        lists[listed] = None
        following = text[mark.end() : mark.end() + 1]
        return " " if following.isalnum() else ""

    text = _MARK.sub(take_mark, text)
    tidy = re.sub(r" +([.,;:!?])", r"\1", text)
    cited: dict[str, None] = {}
    invented: dict[str, None] = {}
    for listed in lists:
        good, bad = _resolve(listed, known)
        cited.update(dict.fromkeys(good))
        invented.update(dict.fromkeys(bad))
    return Reading(tidy.strip(" \n*_"), tuple(cited), tuple(invented), bool(markers))


def _is_citation(listed: str, known: _Known) -> bool:
    """Whether what stands in brackets points at a source; "[sic]" and "[...]" do not."""
    unnamed, named = known.names.subn(" ", listed)
    bare = _FILLER.sub(" ", unnamed)
    if _NUMBERS_ONLY.fullmatch(bare):
        return True
    tokens = [t for t in re.split(r"[,;\s]+", bare) if t]
    return bool(tokens or named) and all(t.isdigit() or _SLUG.fullmatch(fold(t)) for t in tokens)


def _resolve(listed: str, known: _Known) -> tuple[list[str], list[str]]:
    """Split a list of citations into ids of fragments and inventions, both in order."""
    ids = known.ids

    def blank(match: re.Match) -> str:
        return " " * len(match.group())

    placed = [(m.start(), known.by_name[m.group()], True) for m in known.names.finditer(listed)]
    rest = known.names.sub(blank, listed)
    for span in _RANGE.finditer(rest):
        low, high = sorted((int(span[1]), int(span[2])))
        if low < 1 or high > len(ids):
            placed.append((span.start(), span.group(), False))
        placed += [(span.start(), ids[n - 1], True) for n in range(max(low, 1), min(high, len(ids)) + 1)]
    rest = _FILLER.sub(blank, _RANGE.sub(blank, rest))
    for token in re.finditer(r"[^\s,;\[\](){}<>*#`\"'„”“«»|&]+", rest):
        word = token.group().strip(".:")
        if not any(c.isalnum() for c in word):
            continue
        number = int(word) if word.isdecimal() and len(word) <= 6 else 0
        there = 1 <= number <= len(ids)
        placed.append((token.start(), ids[number - 1] if there else word, there))
    placed.sort(key=lambda p: p[0])
    return [name for _, name, there in placed if there], [name for _, name, there in placed if not there]
