"""Several retrievers as one: reciprocal rank fusion, and the mean of scores brought to one scale.

Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) adds 1 / (60 + rank) over the retrievers and knows no scores;
documents with equal scores share the mean of their ranks, so that a retriever that found nothing adds nothing.
`Mix` scales each retriever's scores of one question to 0 (its worst document) .. 1 (its best) and takes their mean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata

from rocite.retrieve.base import SCORE_PLACES, Ranker

RRF_K = 60  # the constant of the paper


class Fusion(Ranker):
    """Rankers over the same corpus, combined."""

    def __init__(self, parts: Sequence[Ranker]):
        super().__init__(parts[0].corpus)
        self.parts = tuple(parts)


class ReciprocalRankFusion(Fusion):
    """Reciprocal rank fusion: the score is the mean over the retrievers of 1 / (60 + rank)."""

    def scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return fused reciprocal ranks, shape (questions, documents)."""
        ranks = [rankdata(-np.round(part.scores(questions), SCORE_PLACES), axis=1) for part in self.parts]
        return np.mean([1 / (RRF_K + r) for r in ranks], axis=0)


class Mix(Fusion):
    """The mean of the scores that each retriever brings to one scale for each question (`Ranker.scaled`)."""

    def scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return mean scaled scores in [0, 1], shape (questions, documents)."""
        return np.mean([part.scaled(questions) for part in self.parts], axis=0)
