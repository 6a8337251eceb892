"""The control without a model: tf-idf over character n-grams."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from rocite.embed.base import Embedder
from rocite.errors import ModelError
from rocite.text import fold


class TfidfEmbedder(Embedder):
    """The control: character 3- to 5-grams of folded text, weighted by tf-idf over the passages it was fitted on."""

    limit = sys.maxsize
    learns = True

    def __init__(self, name: str):
        super().__init__(name)
        self._vectorizer = None

    @property
    def identity(self) -> dict[str, object]:
        """Its settings; the weights come from the passages."""
        return {"embedder": "tfidf", "ngrams": [3, 5], "analyzer": "char_wb", "sublinear_tf": True, "max_features": 30000}

    def fit(self, passages: Sequence[str]) -> None:
        """Learn the n-grams and their document frequencies."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        settings = self.identity
        self._vectorizer = TfidfVectorizer(
            preprocessor=fold,
            analyzer=settings["analyzer"],
            ngram_range=tuple(settings["ngrams"]),
            sublinear_tf=settings["sublinear_tf"],
            max_features=settings["max_features"],
        ).fit(passages)

    def _tokens(self, text: str, kind: str) -> int:
        return 0

    def _batch(self, texts: list[str], kind: str) -> list[np.ndarray]:
        if self._vectorizer is None:
            raise ModelError("tfidf: fit it on the passages first.")
        self.windows.update(dict.fromkeys(texts, 1))
        # A question without one known n-gram has no direction: its vector stays zero, its similarity 0.
        return list(self._encode(texts, kind))

    def _encode(self, texts: list[str], kind: str) -> np.ndarray:
        return self._vectorizer.transform(texts).toarray().astype(np.float32)
