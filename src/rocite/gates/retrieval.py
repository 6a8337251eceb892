"""Gate A, retrieval: the best fragment must be similar enough to the question.

Deliberately weak: the similarity of a question to a corpus does not tell whether the corpus answers it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocite.gates.base import Case, Score

NAME = "retrieval"


def fit_threshold(legitimate: Sequence[float], slack: float) -> float:
    """Return the article's threshold: the lowest legitimate score less `slack`.

    >>> fit_threshold([0.697, 0.75], 0.02)
    0.677
    """
    return round(float(min(legitimate)) - slack, 6)


def score(case: Case) -> Score:
    """Return the highest similarity among the fragments; None where they carry no scores or no threshold is set."""
    scores = [f.score for f in case.fragments if f.score is not None]
    best = max(scores) if scores else None
    return Score(best if case.settings.min_sim is not None else None, {"best": best})


def failure(score: Score, case: Case) -> str | None:
    """Return why the gate fails, or None. At exactly `min_sim` it passes."""
    if score.value is None or score.value >= case.settings.min_sim:
        return None
    return f"the best fragment scores {score.value:.3f}, below {case.settings.min_sim:.3f}"
