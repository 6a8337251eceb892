"""Ways of cutting documents into the chunks that are retrieved: whole, by section, sentence windows, fixed length.

A chunk keeps where it stands in its document, so that what it holds can be told whatever the way. The title is put in
front of every chunk unless the way ends with ``-untitled``. A table is never cut; it stands whole in one chunk,
or in one of its own where it is longer than a chunk may be.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rocite.corpus import Corpus, Document
from rocite.errors import UnknownNameError
from rocite.text import sentence_spans

WHOLE = "whole"
WAYS = ["whole", "section", "sentences:N", "words:N", "each of them with -untitled"]
_UNTITLED = "-untitled"
_WAY = re.compile(r"whole|section|(?:sentences|words):([1-9]\d{0,3})")
_HEADING = re.compile(r"#{1,6} ")

Span = tuple[int, int]


@dataclass(frozen=True)
class Chunk:
    """Part of a document, `start` to `end` in its body. `passage` is what is indexed: the title, if any, and the text."""

    id: str
    document: Document
    start: int
    end: int
    passage: str

    @property
    def text(self) -> str:
        """The part of the document's body."""
        return self.document.body[self.start : self.end]

    def holds(self, start: int, end: int) -> bool:
        """Whether the whole of `start` to `end` of the document stands in the chunk."""
        return self.start <= start and end <= self.end


def known(way: str) -> str:
    """Return `way`. Raises UnknownNameError when it is no way of cutting documents."""
    if not _WAY.fullmatch(way.removesuffix(_UNTITLED)):
        raise UnknownNameError("way of cutting documents", way, WAYS)
    return way


def chunks_of(corpus: Corpus, way: str) -> list[Chunk]:
    """Return the chunks of every document, in the order of the corpus. Raises UnknownNameError for an unknown way."""
    return [c for document in corpus.documents for c in cut(document, way)]


def cut(document: Document, way: str) -> list[Chunk]:
    """Return the chunks of `document` in order; they hold every sentence (fixed length: every word), and windows overlap by half.

    A document without a visible character is one empty chunk, so that each document has a score.

    >>> d = Document("a", "Taxe", "Una. Două.\\n\\nTrei.")
    >>> [c.text for c in cut(d, "section")], [c.text for c in cut(d, "sentences:2")]
    (['Una. Două.', 'Trei.'], ['Una. Două.', 'Două.\\n\\nTrei.'])
    """
    kind, _, size = known(way).removesuffix(_UNTITLED).partition(":")
    title = "" if way.endswith(_UNTITLED) or not document.title else f"{document.title}\n"
    body = document.body
    spans = _CUTS[kind](body, int(size or 0))
    made = [(a, b) for a, b in (_trimmed(body, *span) for span in spans) if a < b]
    return [Chunk(f"{document.id}#{n}", document, a, b, title + body[a:b]) for n, (a, b) in enumerate(made or [(0, 0)], start=1)]


def best_of_each(scores: np.ndarray, chunks: Sequence[Chunk], corpus: Corpus) -> np.ndarray:
    """Return each document's best chunk score, shape (questions, documents), from scores of shape (questions, chunks)."""
    ids = [c.document.id for c in chunks]
    starts = [n for n, name in enumerate(ids) if not n or ids[n - 1] != name]
    if [ids[n] for n in starts] != corpus.ids:
        raise ValueError("the chunks are not those of the corpus, in its order")
    return np.maximum.reduceat(scores, starts, axis=1)


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _units(body: str) -> list[Span]:
    """Sentences, and tables whole: the pieces that are never cut, without white space around them."""
    units: list[Span] = []
    in_table = False
    for start, end in (_trimmed(body, *span) for span in sentence_spans(body)):
        if start == end:
            continue
        row = body[start] == "|" or (in_table and "\n" not in body[units[-1][1] : start])  # a full stop in a cell ends no row
        if row and in_table:
            units[-1] = (units[-1][0], end)
        else:
            units.append((start, end))
        in_table = row
    return units


def _whole(body: str, size: int) -> list[Span]:
    return [(0, len(body))]


def _section(body: str, size: int) -> Iterator[Span]:
    """Between headings, or between blank lines where the document has no heading."""
    units = _units(body)
    headings = any(_HEADING.match(body[a:b]) for a, b in units)
    start = 0
    for (_, before), (a, b) in itertools.pairwise(units):
        if _HEADING.match(body[a:b]) if headings else body.count("\n", before, a) > 1:
            yield start, a
            start = a
    yield start, len(body)


def _sentences(body: str, size: int) -> list[Span]:
    """Windows of `size` sentences, each beginning half a window behind the one before."""
    units = _units(body)
    step = max(1, size // 2)
    starts = range(0, max(1, len(units) - size + step), step)
    return [(units[s][0], units[min(s + size, len(units)) - 1][1]) for s in starts if s < len(units)]


def _words(body: str, size: int) -> Iterator[Span]:
    """`size` words each, wherever that cuts a sentence; a table is not cut."""
    tables = [(a, b) for a, b in _units(body) if body[a] == "|"]
    start, count = 0, 0
    for word in re.finditer(r"\S+", body):
        if count >= size and not any(a < word.start() < b for a, b in tables):
            yield start, word.start()
            start, count = word.start(), 0
        count += 1
    yield start, len(body)


_CUTS: dict[str, Callable[[str, int], object]] = {"whole": _whole, "section": _section, "sentences": _sentences, "words": _words}
