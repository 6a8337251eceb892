"""Whether probabilities mean what they say: reliability by bins, Brier score with its parts, calibration error, log loss.

Decides nothing and fits nothing. A probability is the stated chance that a case is right; 1 is right and 0 is not. Bins are
closed below and open above, the last one closed on both sides: exactly at an edge goes up, 1.0 is in the last. Every
figure keeps its denominator, and without cases it is None. What depends on the bins says so. Raises ValueError for
probabilities outside 0 to 1, for lengths that differ and for edges that do not rise from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from rocite import stats
from rocite.stats import Estimate, exact_interval

BINS = 10
CLIP = 1e-6  # log loss: a probability counts as at least this and at most 1 less this; gates round theirs to 6 places
COLUMNS = ("bin", "low", "high", "count", "right", "probability", "share", "share_low", "share_high")

Bins = int | Sequence[float]  # how many of equal width, or their edges from 0 to 1


def reliability(probability: Sequence[float], right: Sequence[bool], bins: Bins = BINS) -> pd.DataFrame:
    """Return one row a bin: what was said on average, and the share that came out right with its exact 95 % interval.

    Denominator of a share: the cases of its bin, `count`. Columns: bin (from 0), low, high (its edges), count, right,
    probability (the mean), share, share_low, share_high (Clopper and Pearson 1934); a bin without cases keeps its row, with
    count 0 and no value. The interval takes cases as independent: where several are phrasings of one need it is too
    narrow, and one case a family gives an honest one.

    >>> reliability([0.2, 0.5, 1.0], [False, True, True], 2)[["low", "high", "count", "right", "share"]]
       low  high  count  right  share
    0  0.0   0.5      1      0    0.0
    1  0.5   1.0      2      2    1.0
    """
    said, came = _checked(probability, right)
    edges = _edges(bins)
    place = _places(said, edges)
    rows = []
    for number, (low, high) in enumerate(pairwise(edges)):
        own = place == number
        count, good = int(own.sum()), int(came[own].sum())
        found = (float(said[own].mean()), good / count, *exact_interval(good, count)) if count else (np.nan,) * 4
        rows.append((number, float(low), float(high), count, good, *found))
    return pd.DataFrame(rows, columns=list(COLUMNS))


@dataclass(frozen=True)
class Brier:
    """A Brier score and the parts that add up to it, up to rounding of the last digits; all None without cases.

    value = reliability - resolution + uncertainty + within. The first three are Murphy's (1973) and exact where all
    probabilities of a bin are one; `within` is what binning leaves: the variance of the probabilities within bins less
    twice their covariance with the outcome (Stephenson, Coelho and Jolliffe 2008).
    """

    value: float | None
    numerator: float
    denominator: int
    reliability: float | None = None  # 0 is best: means of bins less their shares, squared
    resolution: float | None = None  # more is better: shares of bins less the share of all, squared
    uncertainty: float | None = None  # of the cases, whatever was said about them
    within_variance: float | None = None
    within_covariance: float | None = None  # twice the covariance

    @property
    def within(self) -> float | None:
        """The within-bin remainder; negative where probabilities tell right from wrong inside of bins."""
        return None if self.value is None else self.within_variance - self.within_covariance

    @property
    def generalised_resolution(self) -> float | None:
        """Resolution less the within-bin remainder: it depends less on the bins than resolution alone."""
        return None if self.value is None else self.resolution - self.within


def brier(probability: Sequence[float], right: Sequence[bool], bins: Bins = BINS) -> Brier:
    """Denominator: all cases. Return the mean squared difference of probability and outcome (Brier 1950), with its parts.

    Score and uncertainty do not depend on `bins`; the other parts do.

    >>> found = brier([0.1, 0.9, 0.8, 0.4], [False, True, True, False], 2)
    >>> round(found.value, 3), round(found.reliability - found.resolution + found.uncertainty + found.within, 3)
    (0.055, 0.055)
    """
    said, came = _checked(probability, right)
    n = len(said)
    if not n:
        return Brier(None, 0.0, 0)
    place = _places(said, _edges(bins))
    _, bin_of, count = np.unique(place, return_inverse=True, return_counts=True)
    mean, share = np.bincount(bin_of, said) / count, np.bincount(bin_of, came) / count
    base = float(came.mean())
    inside, outcome = said - mean[bin_of], came - share[bin_of]
    total = float(((said - came) ** 2).sum())
    return Brier(
        total / n,
        round(total, 6),
        n,
        reliability=float((count * (mean - share) ** 2).sum()) / n,
        resolution=float((count * (share - base) ** 2).sum()) / n,
        uncertainty=base * (1 - base),
        within_variance=float((inside**2).sum()) / n,
        within_covariance=2 * float((inside * outcome).sum()) / n,
    )


def brier_interval(
    probability: Sequence[float], right: Sequence[bool], units: Sequence[str], draws: int, seed: stats.Randomness
) -> Estimate:
    """Denominator: all cases. Return the Brier score with its interval; whole `units` (families) are drawn together.

    >>> brier_interval([], [], [], 100, 1).value is None
    True
    """
    said, came = _checked(probability, right)
    return stats.mean((said - came) ** 2, np.asarray(units), draws, seed)


def expected_calibration_error(probability: Sequence[float], right: Sequence[bool], bins: Bins = BINS) -> Estimate:
    """Denominator: all cases. Return the mean over cases of how far the mean of their bin is from its share.

    After Naeini, Cooper and Hauskrecht (2015). It depends on `bins`, and chance alone puts it above 0, the more so the
    fewer cases there are: read it beside the counts of `reliability`.

    >>> round(expected_calibration_error([0.1, 0.1, 0.9, 0.9], [False, False, True, False]).value, 3)
    0.25
    """
    table = reliability(probability, right, bins)
    own = table[table["count"] > 0]
    n = int(own["count"].sum())
    total = float((own["count"] * (own.probability - own.share).abs()).sum())
    return Estimate(total / n, round(total, 6), n) if n else Estimate(None, 0, 0)


def log_loss(probability: Sequence[float], right: Sequence[bool], clip: float = CLIP) -> Estimate:
    """Denominator: all cases. Return the mean of minus the natural logarithm of what was said of the outcome that came.

    A probability under `clip` counts as `clip` and one over 1 - `clip` as that, so that one case costs at most -ln(clip).

    >>> round(log_loss([0.5, 1.0], [True, False]).value, 3), round(log_loss([0.5, 1.0], [True, False], 0.01).value, 3)
    (7.254, 2.649)
    """
    if not 0 < clip < 0.5:
        raise ValueError(f"clip must lie between 0 and 0.5, both excluded; found {clip}")
    said, came = _checked(probability, right)
    if not len(said):
        return Estimate(None, 0, 0)
    held = np.clip(said, clip, 1 - clip)
    total = float(-np.log(np.where(came == 1, held, 1 - held)).sum())
    return Estimate(total / len(said), round(total, 6), len(said))


def _checked(probability: Sequence[float], right: Sequence[bool]) -> tuple[np.ndarray, np.ndarray]:
    said, came = np.asarray(probability, float), np.asarray(right, bool).astype(float)
    if said.ndim != 1 or said.shape != came.shape:
        raise ValueError(f"one probability and one outcome a case are expected; found {said.shape} and {came.shape}")
    wrong = np.flatnonzero(~((said >= 0) & (said <= 1)))
    if len(wrong):
        raise ValueError(f"probabilities must lie between 0 and 1; found {said[wrong[0]]} at position {wrong[0]}, {len(wrong)} in all")
    return said, came


def _edges(bins: Bins) -> np.ndarray:
    if isinstance(bins, int | np.integer):
        if bins < 1:
            raise ValueError(f"at least one bin is expected; found {bins}")
        return np.arange(bins + 1) / bins  # not linspace: 3 / 10 is the 0.3 that a reader writes
    edges = np.asarray(bins, float)
    if len(edges) < 2 or edges[0] != 0 or edges[-1] != 1 or not (np.diff(edges) > 0).all():
        raise ValueError(f"edges must rise from 0 to 1; found {[float(e) for e in edges]}")
    return edges


def _places(said: np.ndarray, edges: np.ndarray) -> np.ndarray:
    return np.minimum(np.searchsorted(edges, said, side="right") - 1, len(edges) - 2)
