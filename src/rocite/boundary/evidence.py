"""Which statements of the documents a question asks about: every statement scored, the best ones picked.

A statement is a sentence of a document, or a row of a table read with its head. It is scored by a few signals that can
be read one by one: nearness of vectors with and without the document's title, shared words (BM25 over statements),
shared content words with credit for neighbours (`rocite.language.question_focus`), words shared in translation
(`rocite.language.translations`), the best of its document, whether it gives the kind of value that is asked for
(`rocite.language.asked_for`), and whether its bounds hold an amount that the question names. Their weights are learned on training cases
(`rocite.evaluate.answerability.fitting`) and come with the policy. Refuses nothing: what may be evidence, and whether it is
enough, is decided by who calls.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rocite.corpus import Corpus, Document
from rocite.embed import Embedder
from rocite.language import asked_for, question_focus, translations
from rocite.language.quantities import Quantity, quantities
from rocite.language.statements import Statement, statements
from rocite.retrieve.base import SCORE_PLACES, ranking
from rocite.retrieve.bm25 import Bm25, language

SIGNALS = (
    "near",  # cosine with the statement under its title, each side over the mean of its language
    "near_alone",  # the same without the title
    "words",  # BM25 over the question's best statement, or over the least share of its bound
    "relevance",  # the share of the question's words, near ones counting in part
    "coverage",
    "document",  # the best that any statement of its document has, nearness and words together
    "kind",  # the share of the kinds of value asked for that it gives; where none is, 0
    "other_language",  # whether it is in another language than the question
    "translated",  # where it is: the share of the question's words that it or its title has in translation
    "translated_alone",  # the same without the title
    "length",
    "fits",  # whether its bounds hold an amount that the question names (1), exclude it (-1), or say nothing of it (0)
)
LONG = 40  # words from which a statement counts as long


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
    """The statements of a corpus, made ready once to be asked many questions.

    `centre` is the mean vector of questions in each language, taken off before vectors are compared, as the mean of the
    statements in their language is: a multilingual model holds texts in one language for nearer than what they say makes them.
    """

    def __init__(self, corpus: Corpus, embedder: Embedder, centre: Mapping[str, np.ndarray]):
        self.corpus = corpus
        self.embedder = copy.copy(embedder) if embedder.learns else embedder
        self.centre = centre
        self.places = tuple(Place(d, s) for d in corpus.documents for s in told(d))
        titled = [f"{p.document.title}\n{p.text}" if p.document.title else p.text for p in self.places]
        if titled:  # documents that say nothing, or none at all, are nothing to learn from
            self.embedder.fit(titled)
        self._languages = np.array([language(p.document.lang) for p in self.places])
        self._titled = self._centred(self.embedder.passages(titled))
        self.alone = self._centred(self.embedder.passages([p.text for p in self.places]))
        self._whole = self.embedder.passages([d.passage for d in corpus.documents] if self.places else [])
        pieces = [Document(str(n), p.document.title, p.text, lang=p.document.lang) for n, p in enumerate(self.places)]
        self._words = Bm25(Corpus(tuple(pieces), corpus.name))
        at = {name: n for n, name in enumerate(corpus.ids)}
        self.document_of = np.array([at[p.document.id] for p in self.places], int)
        self._lengths = np.array([min(len(p.statement.words), LONG) / LONG for p in self.places])
        self._rows = {d.id: [s.words for s in statements(d.body, d.id, d.lang or None)] for d in corpus.documents}
        titles = {d.id: Statement(d.title).key_set for d in corpus.documents}
        self._stated = [asked_for.stated(p.text, p.statement.quantities) for p in self.places]
        self._keys = [p.statement.key_set for p in self.places]
        self._titled_keys = [k | titles[p.document.id] for k, p in zip(self._keys, self.places, strict=True)]

    def signals(self, question: str, lang: str) -> np.ndarray:
        """Return the signals of every statement for `question`, shape (statements, signals), columns as `SIGNALS`."""
        if not self.places:
            return np.zeros((0, len(SIGNALS)))
        vector = self._vector(question, lang)
        near, alone = self._titled @ vector, self.alone @ vector
        words = self._words.scaled([question])[0]
        asked = question_focus.read(question)
        relevance, coverage = (np.zeros(len(self.places)) for _ in range(2))
        values = {name: question_focus.values(asked, rows) for name, rows in self._rows.items()}
        for n, place in enumerate(self.places):
            found, position = values[place.document.id], place.statement.position
            relevance[n], coverage[n] = found.relevance[position], found.coverage[position]
        kind = self.values_given(question, lang)
        other = (self._languages != language(lang)).astype(float)
        shared = [
            np.array(translations.shared(Statement(question).words, language(lang), keys)) for keys in (self._titled_keys, self._keys)
        ]
        document = self._best_of_documents(2 * near + words)[self.document_of]
        amounts = _amounts(quantities(question, lang))
        held = np.array([fits(amounts, p.statement.quantities) for p in self.places]) if amounts else np.zeros(len(self.places))
        return np.stack(
            [near, alone, words, relevance, coverage, document, kind, other, *(other * s for s in shared), self._lengths, held], axis=1
        )

    def values_given(self, question: str, lang: str) -> np.ndarray:
        """Return, for each statement, the share of the kinds of value that the question asks for which it gives; 0 where it asks for none."""
        wanted, known = asked_for.asked_for(question), asked_for.known_values(quantities(question, lang))
        rows = [[asked_for.given(kind, stated, known) for kind in wanted] for stated in self._stated]
        return np.mean(rows, axis=1) if wanted else np.zeros(len(self.places))

    def documents(self, scores: np.ndarray, allowed: np.ndarray, count: int) -> list[tuple[str, float]]:
        """Return the `count` best documents with an allowed statement and the score of the best, best first; ties by id."""
        tops = self._best_of_documents(np.where(allowed, scores, -np.inf))
        order = [n for n in ranking(np.where(np.isfinite(tops), tops, -1e9), self.corpus.ids) if np.isfinite(tops[n])]
        return [(self.corpus.ids[n], float(tops[n])) for n in order[:count]]

    def similarity(self, question: str) -> dict[str, float]:
        """Return each document's plain cosine with the question, by its id: what a similarity threshold looks at."""
        if not self.places:
            return dict.fromkeys(self.corpus.ids, 0.0)
        found = self._whole @ self.embedder.questions([question])[0]
        return dict(zip(self.corpus.ids, np.round(found, SCORE_PLACES).tolist(), strict=True))

    def covered(self, question: str, lang: str, taken: Sequence[int]) -> float:
        """Return the weighted share of the question's content words that these statements and their titles have together, in [0, 1].

        Words of a statement in the other language count in translation.
        """
        keys = frozenset().union(*(self._titled_keys[n] for n in taken))
        return translations.shared(Statement(question).words, language(lang), [keys])[0]

    def likeness(self, one: int, two: int) -> float:
        """Return how far two statements are about the same thing, in [0, 1].

        In one language the weighted share of common words, figures aside; across languages the cosine over their means.
        """
        if self._languages[one] != self._languages[two]:
            return max(0.0, float(self.alone[one] @ self.alone[two]))
        return parallel(self.places[one].statement, self.places[two].statement)

    def _best_of_documents(self, scores: np.ndarray) -> np.ndarray:
        found = np.full(len(self.corpus), -np.inf)
        np.maximum.at(found, self.document_of, scores)
        return found

    def _vector(self, question: str, lang: str) -> np.ndarray:
        vector = self.embedder.questions([question])[0].astype(float)
        centre = self.centre.get(language(lang))
        return _unit((vector if centre is None or len(centre) != len(vector) else vector - centre)[None])[0]

    def _centred(self, vectors: np.ndarray) -> np.ndarray:
        found = vectors.astype(float)
        for lang in sorted(set(self._languages)):
            own = self._languages == lang
            found[own] -= found[own].mean(0)
        return _unit(found)


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-9)


def parallel(one: Statement, two: Statement) -> float:
    """Return the weighted share of words that two statements have in common, figures aside, in [0, 1] (Dice)."""
    keys = [{k for k in s.key_set if not k[0].isdigit()} for s in (one, two)]
    weights = {**one.weights, **two.weights}
    total = sum(weights[k] for k in keys[0]) + sum(weights[k] for k in keys[1])
    return 2 * sum(weights[k] for k in keys[0] & keys[1]) / total if total else 0.0


@dataclass(frozen=True)
class Picker:
    """The learned weight of each signal, and the mean question vector of each language ("ro", "en") that goes with them.

    A statement's score is the weighted sum of its signals; only differences mean anything.
    """

    weights: tuple[float, ...]
    centre: tuple[tuple[str, tuple[float, ...]], ...] = ()

    def scores(self, signals: np.ndarray) -> np.ndarray:
        """Return the score of every statement, rounded to 6 places."""
        return np.round(signals @ np.array(self.weights), SCORE_PLACES)


def _amounts(asked: Sequence[Quantity]) -> list[Quantity]:
    return [q for q in asked if q.kind == "amount" and q.unit and not q.bound and q.low is not None]


def fits(asked: Sequence[Quantity], stated: Sequence[Quantity]) -> float:
    """Return 1 where the bounds that a statement sets hold every amount asked about in the same unit, -1 where one does not, else 0.

    >>> rows = [quantities(text, "ro") for text in ("cel mult 2 kg", "peste 2 kg și până la 10 kg", "3 zile")]
    >>> [fits(quantities("un colet de 7 kg", "ro"), row) for row in rows]
    [-1.0, 1.0, 0.0]
    """
    compared = [(a, s) for a in asked for s in stated if s.bound and s.unit == a.unit and s.kind == a.kind]
    if not compared:
        return 0.0
    return 1.0 if all(_holds(s, a) for a, s in compared) else -1.0


def _holds(bound: Quantity, amount: Quantity) -> bool:
    value = amount.low
    above = bound.low is None or value > bound.low or (value == bound.low and not bound.open)
    below = bound.high is None or value < bound.high or (value == bound.high and not bound.open)
    return above and below


def told(document: Document) -> tuple[Statement, ...]:
    """Return the statements of `document` that say something: no head of a table, no lead-in of a list, no question."""
    every = statements(document.body, document.id, document.lang or None)
    heads = {n for n, s in enumerate(every) if s.text.startswith("|") and not (n and every[n - 1].text.startswith("|"))}
    return tuple(s for n, s in enumerate(every) if n not in heads and not s.text.endswith((":", "?")))


def cells_of(text: str) -> list[tuple[str, str]]:
    """Return the cells of a row of a table, each as (head, cell), empty ones left out; [] for another text and for a row that does not fit its head.

    >>> cells_of("| greutatea | la oficiu | acasă | | 2 kg | | 23 lei |"), cells_of("| a | b | | x |")
    ([('greutatea', '2 kg'), ('acasă', '23 lei')], [])
    """
    if not text.startswith("|"):
        return []
    cells = [c.strip() for c in text.strip()[1:].removesuffix("|").split("|")]
    half, odd = divmod(len(cells), 2)
    if odd and half and not cells[half]:  # what stands between the last bar of the head and the first of the row
        pairs = zip(cells[:half], cells[half + 1 :], strict=True)
    elif not odd and all(cells):  # a head without its last bar
        pairs = zip(cells[:half], cells[half:], strict=True)
    else:
        return []
    return [(head, cell) for head, cell in pairs if cell]


def best(scores: np.ndarray, allowed: np.ndarray, count: int) -> list[int]:
    """Return the positions of the `count` best allowed statements, best first; of equal ones the earlier document and place."""
    places = np.flatnonzero(allowed)
    order = ranking(scores[places], [f"{n:06d}" for n in places])
    return [int(places[i]) for i in order[:count]]


def said_by(text: str, quote: str) -> bool:
    """Whether a statement is this passage: one holds the other.

    >>> said_by("| usa | minute | | UA-1 | 90 |", "| UA-1 | 90 |")
    True
    """
    return quote in text or text in quote
