"""Risk against coverage as the threshold on one score moves, and the area under the curve.

Decides no threshold. A case is answered when its candidate may be released at all (`released`: hard boundaries and support
check passed) and its score, rounded to 6 places, is at or above the threshold. A case without a score (NaN) is never
answered. Risk is never given without coverage; the bound is over families, because phrasings of one need are not
independent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from rocite.evaluate.risk import upper_bound
from rocite.stats import Estimate

COLUMNS = (
    "threshold", "answers", "unsupported", "risk", "answered", "answerable", "coverage", "wrong_families", "families", "bound",
)  # fmt: skip


def risk_coverage(
    scores: Sequence[float],
    unsupported: Sequence[bool],
    answerable: Sequence[bool],
    families: Sequence[str],
    released: Sequence[bool],
    level: float,
) -> pd.DataFrame:
    """Return what every distinct threshold answers, strictest first; no row where nothing may be released.

    All arguments but `level` hold one value a case. `unsupported` tells whether the candidate would hold a claim that no
    evidence bears out. Columns, with what each share is of: threshold (inclusive), answers, unsupported, risk
    (unsupported / answers), answered, answerable, coverage (answered / answerable; none where no case is answerable),
    wrong_families, families (with an answer), bound (one-sided exact upper bound of wrong_families / families at `level`).

    >>> table = risk_coverage([0.9, 0.7, 0.7], [False, True, False], [True, False, True], ["a", "b", "c"], [True] * 3, 0.95)
    >>> table[["threshold", "answers", "unsupported", "answered", "families"]]
       threshold  answers  unsupported  answered  families
    0        0.9        1            0         1         1
    1        0.7        3            1         2         3
    """
    score = np.round(np.asarray(scores, float), 6)
    bad, good, free = (np.asarray(x, bool) for x in (unsupported, answerable, released))
    family = np.asarray(families)
    if len({len(x) for x in (score, bad, good, free, family)}) != 1:
        raise ValueError(f"one value a case is expected; found lengths {[len(x) for x in (score, bad, good, family, free)]}")
    total = int(good.sum())
    rows = []
    for threshold in sorted({float(s) for s in score[free & ~np.isnan(score)]}, reverse=True):
        shown = free & (score >= threshold)
        answers, wrong, answered = int(shown.sum()), int((shown & bad).sum()), int((shown & good).sum())
        wrong_families, with_answer = len(set(family[shown & bad].tolist())), len(set(family[shown].tolist()))
        coverage = answered / total if total else np.nan
        bound = upper_bound(wrong_families, with_answer, level)
        rows.append((threshold, answers, wrong, wrong / answers, answered, total, coverage, wrong_families, with_answer, bound))
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    return found.astype({name: float if name in ("threshold", "risk", "coverage", "bound") else int for name in COLUMNS})


def area_under_risk_coverage(curve: pd.DataFrame) -> Estimate:
    """Denominator: candidates that may be released and have a score. Return the area under the risk-coverage curve (AURC).

    `curve` is what `risk_coverage` returns. The area is the mean over candidates of the selective risk at a threshold of
    the candidate's own score; equal scores are answered together and share one risk, so that no order among them
    counts. Lower is better; a score that tells nothing has, in expectation, the risk of answering all. The curve is that
    of Geifman and El-Yaniv (2017), the empirical area that of Geifman, Uziel and El-Yaniv (2019). Coverage runs here over
    candidates, not over answerable cases: areas compare only for scores of the same candidates. None without a candidate.

    >>> table = risk_coverage([0.9, 0.8, 0.7], [False, True, False], [True] * 3, ["a", "b", "c"], [True] * 3, 0.95)
    >>> round(area_under_risk_coverage(table).value, 4)  # (0 + 1/2 + 1/3) / 3
    0.2778
    """
    if not len(curve):
        return Estimate(None, 0, 0)
    added = np.diff(curve.answers.to_numpy(), prepend=0)
    total = float((added * curve.unsupported / curve.answers).sum())
    n = int(added.sum())
    return Estimate(total / n, round(total, 6), n)
