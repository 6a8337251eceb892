"""What every retriever gives: scores of documents for questions, and one order of documents with one rule for ties.

Decides the order: score rounded to 6 places, descending, then id. A retriever knows only the documents that it was
given; who may not see a document, or asks about another date, gets a retriever over other documents
(`rocite.corpus.visible`), so that nothing that is left out has a part in any score.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocite.corpus import Corpus, Document

SCORE_PLACES = 6


@dataclass(frozen=True)
class Hit:
    """A retrieved document with its score for the question."""

    document: Document
    score: float


def ranking(scores: np.ndarray, ids: Sequence[str]) -> list[int]:
    """Return the positions of `ids`, best first: by score rounded to 6 places, descending, then by id.

    >>> ranking(np.array([0.5, 0.9, 0.50000001]), ["b", "c", "a"])
    [1, 2, 0]
    """
    rounded = np.round(scores, SCORE_PLACES)
    return sorted(range(len(ids)), key=lambda i: (-rounded[i], ids[i]))


def to_scale(scores: np.ndarray) -> np.ndarray:
    """Return each row of `scores` from 0 for its lowest to 1 for its highest, 0 where all are alike.

    >>> to_scale(np.array([[0.7, 0.9, 0.8], [2.0, 2.0, 2.0]])).round(2).tolist()
    [[0.0, 1.0, 0.5], [0.0, 0.0, 0.0]]
    """
    scores = np.round(np.asarray(scores, dtype=float), SCORE_PLACES)
    low, high = scores.min(1, keepdims=True), scores.max(1, keepdims=True)
    return np.divide(scores - low, high - low, out=np.zeros_like(scores), where=high > low)


class Ranker(ABC):
    """The documents of a corpus, made ready once to be asked many questions."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus

    @abstractmethod
    def scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return one score for each question and document, shape (questions, documents); higher is nearer."""

    def scaled(self, questions: Sequence[str]) -> np.ndarray:
        """Return the scores brought to one scale: 0 for a question's worst document, 1 for its best; 0 where all are alike."""
        return to_scale(self.scores(questions))

    def search(self, question: str, k: int) -> list[Hit]:
        """Return the best `k` documents for `question`, fewer when the corpus is smaller."""
        row = self.scores([question])[0]
        documents = self.corpus.documents
        return [Hit(documents[i], float(row[i])) for i in ranking(row, self.corpus.ids)[:k]]
