"""Exact search over a corpus: one score per question and document, one rule for ties.

Decides the order of documents: score rounded to 6 places, descending, then id. Scores are cosine
similarities, higher is nearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocite.corpus import Corpus, Document
from rocite.embed import Embedder

SCORE_PLACES = 6


@dataclass(frozen=True)
class Hit:
    """A retrieved document with its similarity to the question."""

    document: Document
    score: float


def ranking(scores: np.ndarray, ids: Sequence[str]) -> list[int]:
    """Return the positions of `ids`, best first: by score rounded to 6 places, descending, then by id.

    >>> ranking(np.array([0.5, 0.9, 0.50000001]), ["b", "c", "a"])
    [1, 2, 0]
    """
    rounded = np.round(scores, SCORE_PLACES)
    return sorted(range(len(ids)), key=lambda i: (-rounded[i], ids[i]))


class Index:
    """A corpus embedded once, to be asked many questions."""

    def __init__(self, corpus: Corpus, embedder: Embedder):
        self.corpus = corpus
        self.embedder = embedder
        passages = [d.passage for d in corpus.documents]
        embedder.fit(passages)
        self.vectors = embedder.passages(passages)

    @property
    def split(self) -> list[str]:
        """Ids of the documents that are over the embedder's token limit and were embedded in windows."""
        return [d.id for d in self.corpus.documents if self.embedder.windows.get(d.passage, 1) > 1]

    def scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return similarities rounded to 6 places, shape (questions, documents)."""
        return np.round(self.embedder.questions(questions) @ self.vectors.T, SCORE_PLACES).astype(float)

    def search(self, question: str, k: int) -> list[Hit]:
        """Return the best `k` documents for `question`, fewer when the corpus is smaller."""
        row = self.scores([question])[0]
        documents = self.corpus.documents
        return [Hit(documents[i], float(row[i])) for i in ranking(row, self.corpus.ids)[:k]]
