"""Retrieval by vectors: cosine similarity between the question and a document, or its nearest chunk."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np

from rocite import chunk
from rocite.corpus import Corpus
from rocite.embed import Embedder
from rocite.retrieve.base import SCORE_PLACES, Ranker, to_scale


class Index(Ranker):
    """A corpus embedded once, as whole documents or in chunks; a document scores as its nearest chunk does."""

    def __init__(self, corpus: Corpus, embedder: Embedder, way: str = chunk.WHOLE):
        super().__init__(corpus)
        self.embedder = copy.copy(embedder) if embedder.learns else embedder
        self.chunks = chunk.chunks_of(corpus, way)
        passages = [c.passage for c in self.chunks]
        self.embedder.fit(passages)
        self.vectors = self.embedder.passages(passages)

    @property
    def split(self) -> list[str]:
        """Ids of the documents with a chunk that is over the embedder's token limit and was embedded in windows."""
        return list(dict.fromkeys(c.document.id for c in self.chunks if self.embedder.windows.get(c.passage, 1) > 1))

    def chunk_scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return similarities rounded to 6 places, shape (questions, chunks)."""
        return np.round(self.embedder.questions(questions) @ self.vectors.T, SCORE_PLACES).astype(float)

    def scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return similarities rounded to 6 places, shape (questions, documents)."""
        return chunk.best_of_each(self.chunk_scores(questions), self.chunks, self.corpus)

    def scaled(self, questions: Sequence[str]) -> np.ndarray:
        """Return similarities over the mean of the documents in the same language, brought to one scale for each question.

        A multilingual model holds texts in one language for nearer to each other than what they say makes them; without
        their language's mean, documents in either language compete.
        """
        scores = self.scores(questions)
        languages = np.array([d.lang for d in self.corpus.documents])
        for lang in sorted(set(languages)):
            own = languages == lang
            scores[:, own] -= scores[:, own].mean(1, keepdims=True)
        return to_scale(scores)
