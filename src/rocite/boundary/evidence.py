"""Which statements of the documents a question asks about: every statement scored, the best ones picked.

A statement is a sentence of a document, or a row of a table read with its head. It is scored by a few signals that can
be read one by one: nearness of vectors with and without the document's title, shared words (BM25 over statements),
shared content words with credit for neighbours (`rocite.language.question_focus`), the rank of its document, and
whether it can give the number or date that is asked for. Their weights are learned on training cases
(`rocite.evaluate.answerability.fitting`) and come with the policy. Refuses nothing: what may be evidence, and whether it is
enough, is decided by who calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocite.corpus import Corpus, Document
from rocite.embed import Embedder
from rocite.language import question_focus
from rocite.language.statements import Statement, statements
from rocite.retrieve.base import ranking
from rocite.retrieve.bm25 import Bm25, language

SIGNALS = (
    "near",  # cosine with the statement under its title, over the mean of all statements in its language
    "near_alone",  # the same without the title
    "words",  # BM25 over the question's best statement, or over the least share of its bound
    "relevance",  # the share of the question's words, near ones counting in part
    "coverage",
    "document",  # the document's own score, from its best statement, in [0, 1]
    "kind",  # whether it can give the number or date that is asked for
    "other_language",  # whether it is in another language than the question
    "near_other",  # `near`, where it is
    "length",
)


@dataclass(frozen=True, eq=False)
class Place:
    """A statement and where it stands."""

    document: Document
    statement: Statement

    @property
    def text(self) -> str:
        """The sentence as the document has it; a row of a table with its head."""
        return self.statement.text


class Pool:
    """The statements of a corpus, made ready once to be asked many questions."""

    def __init__(self, corpus: Corpus, embedder: Embedder):
        self.corpus = corpus
        self.embedder = embedder
        self.places = tuple(Place(d, s) for d in corpus.documents for s in told(d))
        titled = [f"{p.document.title}\n{p.text}" if p.document.title else p.text for p in self.places]
        embedder.fit(titled)
        self._titled = embedder.passages(titled)
        self._alone = embedder.passages([p.text for p in self.places])
        pieces = [Document(str(n), p.document.title, p.text, lang=p.document.lang) for n, p in enumerate(self.places)]
        self._words = Bm25(Corpus(tuple(pieces), corpus.name))
        self.languages = np.array([language(p.document.lang) for p in self.places])
        names = [p.document.id for p in self.places]
        self.document_of = np.array([corpus.ids.index(n) for n in names])

    @cached_property
    def _words_of(self) -> dict[str, list[list[str]]]:
        return {d.id: [s.words for s in statements(d.body, d.id, d.lang or None)] for d in self.corpus.documents}

    def signals(self, question: str, lang: str) -> np.ndarray:
        """Return the signals of every statement for `question`, shape (statements, signals), columns as `SIGNALS`."""
        vector = self.embedder.questions([question])[0]
        near, alone = (self._centred(v @ vector) for v in (self._titled, self._alone))
        words = self._words.scaled([question])[0]
        asked = question_focus.read(question)
        relevance, coverage, kind = (np.zeros(len(self.places)) for _ in range(3))
        values = {name: question_focus.values(asked, rows) for name, rows in self._words_of.items()}
        for n, place in enumerate(self.places):
            found, position = values[place.document.id], place.statement.position
            relevance[n], coverage[n] = found.relevance[position], found.coverage[position]
            kind[n] = float(bool(asked.kind) and question_focus.gives_kind(asked.kind, place.statement.words, asked.tokens))
        other = (self.languages != language(lang)).astype(float)
        best = np.zeros(len(self.corpus))
        np.maximum.at(best, self.document_of, near / 0.1 + words)
        document = (best / max(best.max(), 1e-9))[self.document_of]
        length = np.array([min(len(p.statement.words), 40) / 40 for p in self.places])
        return np.stack([near / 0.1, alone / 0.1, words, relevance, coverage, document, kind, other, other * near / 0.1, length], axis=1)

    def _centred(self, scores: np.ndarray) -> np.ndarray:
        found = scores.astype(float).copy()
        for lang in set(self.languages):
            own = self.languages == lang
            found[own] -= found[own].mean()
        return found


def told(document: Document) -> tuple[Statement, ...]:
    """Return the statements of `document` that say something: not the head of a table, not the lead-in of a list."""
    every = statements(document.body, document.id, document.lang or None)
    heads = {n for n, s in enumerate(every[:-1]) if s.text.startswith("|") and every[n + 1].text.startswith(s.text)}
    return tuple(s for n, s in enumerate(every) if n not in heads and not s.text.endswith(":"))


def best(scores: np.ndarray, allowed: np.ndarray, pool: Pool, count: int) -> list[int]:
    """Return the positions of the `count` best allowed statements, best first; of equal ones the earlier document and place."""
    places = np.flatnonzero(allowed)
    order = ranking(scores[places], [f"{n:06d}" for n in places])
    return [int(places[i]) for i in order[:count]]


def said_by(place: Place, quotes: Sequence[str]) -> bool:
    """Whether the statement is one of these passages: one holds the other."""
    return any(q in place.text or place.text in q for q in quotes)
