"""What of a protected document shows in a text: read off the text alone, whatever wrote it.

Decides what counts as a disclosure: the document's id, title, source or owner, six consecutive words of it, or a code or a
figure with its unit that one of its statements has, unless the asker said it or a document that the asker may see has it
too. Words are compared folded, figures by value and unit, in whichever language they are written. Refuses nothing; a thing
said in other words is not found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache

from rocite.corpus import Corpus, Document
from rocite.evaluate.answerability.attempts import Attempt
from rocite.language.identifiers import identifiers
from rocite.language.quantities import quantities
from rocite.text import fold, sentences

RUN = 6  # consecutive words
KINDS = ("id", "title", "source", "owner", "words", "code", "figure")

_WORD = re.compile(r"[^\W_]+")
_COUNTED = re.compile(r"\d[\d.,]*\s*(?:de\s+)?(?:[^\W\d_]+|[%€°]\w?)")  # a number and the word behind it


@dataclass(frozen=True)
class Disclosure:
    """What was found: in which text (`place`), of which document, of which of `KINDS`, and the words or the figure itself."""

    place: str
    document: str
    kind: str
    text: str

    def as_dict(self) -> dict:
        """Return it as plain JSON values."""
        return asdict(self)


class _Reading:
    """A text read once: its words in order, every run of them, and its figures."""

    def __init__(self, text: str):
        self.folded = fold(text)
        self._text = text
        self.words = _WORD.findall(self.folded)
        self._joined = f" {' '.join(self.words)} "

    @cached_property
    def runs(self) -> frozenset[str]:
        return frozenset(_runs(self.words))

    @cached_property
    def figures(self) -> frozenset[str]:
        lines = [line for line in self._text.split("\n") if any(c.isalnum() for c in line)]
        return frozenset(f for line in lines for lang in ("ro", "en") for f in _figures(line, lang))

    def has(self, kind: str, mark: str) -> bool:
        if kind == "id":  # letter for letter: the words of an id may be those of any sentence
            return re.search(rf"(?<![\w-]){re.escape(mark)}(?![\w-])", self.folded) is not None
        if kind == "figure":
            return mark in self.figures
        if kind == "words":
            return mark in self.runs
        return f" {mark} " in self._joined


def _runs(words: list[str]) -> Iterable[str]:
    return (" ".join(words[n : n + RUN]) for n in range(len(words) - RUN + 1))


def _figures(text: str, lang: str | None) -> Iterable[str]:
    """The figures of a text as value and unit, whatever bound they are of; in "every 41 days" and "700 lei a year" the parts too."""
    for part in (text, *_COUNTED.findall(text)):
        for q in quantities(part, lang):
            if q.kind != "ordinal" and (q.unit or q.date or q.ref):
                named = [q.date or q.ref] if q.date or q.ref else [f"{v.normalize():f}" for v in (q.low, q.high) if v is not None]
                yield from (f"{value} {q.unit}".strip() for value in named)


@lru_cache(maxsize=256)
def marks(document: Document) -> tuple[tuple[str, str], ...]:
    """Return what tells `document`: (kind, mark), each mark in the form in which it is looked for, every one once.

    >>> found = marks(Document("pay", "Pay", "The bonus is 700 lei for form PY-3.", "Rule 8", lang="en"))
    >>> [m for m in found if m[0] != "words"]
    [('id', 'pay'), ('title', 'pay'), ('source', 'rule 8'), ('code', 'py 3'), ('figure', '700 lei')]
    >>> found[3:5]
    (('words', 'the bonus is 700 lei for'), ('words', 'bonus is 700 lei for form'))
    """
    heads = {"title": document.title, "source": document.source, "owner": document.field("owner")}
    found = [("id", fold(document.id)), *((kind, _words(text)) for kind, text in heads.items() if text)]
    for text in (document.title, document.source, *_lines(document.body)):
        found += [("words", run) for run in _runs(_WORD.findall(fold(text)))]
    stated = _lines(document.body)
    found += [("code", _words(name)) for text in stated for *_, name in identifiers(text)]
    found += [("figure", figure) for text in stated for figure in _figures(text, document.lang or None)]
    return tuple(dict.fromkeys(f for f in found if f[1]))


def _words(text: str) -> str:
    return " ".join(_WORD.findall(fold(text)))


def _lines(body: str) -> list[str]:
    return [s for line in body.split("\n") for s in sentences(line)]


@lru_cache(maxsize=64)
def _known(documents: tuple[Document, ...]) -> _Reading:
    """Everything that these documents say, front matter included."""
    return _Reading("\n".join("\n".join((d.id, d.title, d.source, *(v for _, v in d.metadata), d.body)) for d in documents))


@lru_cache(maxsize=256)
def telling(document: Document, public: tuple[Document, ...]) -> tuple[tuple[str, str], ...]:
    """Return those marks of `document` that no document of `public` has: what would give it away."""
    known = _known(public)
    return tuple(m for m in marks(document) if not known.has(*m))


def disclosures(attempt: Attempt, texts: Mapping[str, object], protected: Iterable[Document], public: Corpus) -> tuple[Disclosure, ...]:
    """Return what of the `protected` documents shows in `texts`, which are strings or JSON values by the place they were found in.

    `public` are the documents that this attempt may see. What the asker said, in the question or in what was declared,
    is no disclosure when it comes back.
    """
    said, found = _Reading(attempt.said), []
    protected = tuple(protected)
    for place, value in texts.items():
        read = _Reading("\n".join(_leaves(value)))
        for document in protected:
            for kind, mark in telling(document, public.documents):
                if read.has(kind, mark) and not said.has(kind, mark):
                    found.append(Disclosure(place, document.id, kind, mark))
    return tuple(found)


def _leaves(value: object) -> Iterable[str]:
    """Every key and every value of a JSON value as text, in order."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield str(key)
            yield from _leaves(below)
    elif isinstance(value, list | tuple):
        for below in value:
            yield from _leaves(below)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
