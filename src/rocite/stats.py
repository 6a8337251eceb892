"""Statistics of two populations of scores: separation margin, AUROC, impostors admitted, with intervals.

Scores are "higher is more legitimate". Intervals are percentile bootstraps over units (subjects, articles):
whole units are drawn with replacement, legitimate and impostor units apart. The margin is an extreme value
and gets no interval; `margin_by_size` shows how it falls as questions are added.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import beta

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A figure with what it was computed from. `low` and `high` are a 95 % interval; None where there is none."""

    value: float | None
    numerator: float | None = None
    denominator: int | None = None
    low: float | None = None
    high: float | None = None
    units: int | None = None


def margin(legitimate: np.ndarray, impostors: np.ndarray) -> float:
    """Return the lowest legitimate score less the highest impostor score; negative when the populations overlap.

    >>> round(margin(np.array([0.7, 0.9]), np.array([0.773])), 3)
    -0.073
    """
    return float(legitimate.min() - impostors.max())


def threshold_keeping(legitimate: np.ndarray, share: float) -> float:
    """Return the highest threshold at or above which at least `share` of the legitimate scores lie.

    >>> threshold_keeping(np.array([0.1, 0.5, 0.6, 0.9]), 0.75)
    0.5
    """
    ordered = np.sort(legitimate)[::-1]
    return float(ordered[_kept(len(ordered), share) - 1])


def _kept(count: int, share: float) -> int:
    return max(1, int(np.ceil(share * count - 1e-9)))


def _codes(units: np.ndarray) -> np.ndarray:
    return np.unique(units, return_inverse=True)[1]


Randomness = np.random.Generator | int  # a generator, or a seed that starts a new one for each figure


def _draws(codes: np.ndarray, draws: int, rng: Randomness) -> np.ndarray:
    """Return how often each item was drawn when whole units are drawn with replacement, shape (draws, items)."""
    return _unit_draws(int(codes.max()) + 1, draws, rng)[:, codes]


def _unit_draws(count: int, draws: int, rng: Randomness) -> np.ndarray:
    """Return how often each of `count` units was drawn, shape (draws, units)."""
    return _seeded_draws(count, draws, rng) if isinstance(rng, int) else _multinomial(count, draws, rng)


@lru_cache(maxsize=32)
def _seeded_draws(count: int, draws: int, seed: int) -> np.ndarray:
    return _multinomial(count, draws, np.random.default_rng(seed))


def _multinomial(count: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    return rng.multinomial(count, np.full(count, 1 / count), size=draws).astype(float)


def auroc(
    legitimate: np.ndarray, impostors: np.ndarray, units_in: np.ndarray, units_out: np.ndarray, draws: int, rng: np.random.Generator
) -> Estimate:
    """Return the share of (legitimate, impostor) pairs in which the legitimate score is higher, ties counting half.

    Denominator: all pairs. The interval resamples units of both populations; where every pair is in order, or
    none, it is the exact binomial one with n = units of the smaller population.
    """
    codes_in, codes_out = _codes(units_in), _codes(units_out)
    wins = (legitimate[:, None] > impostors[None, :]) + 0.5 * (legitimate[:, None] == impostors[None, :])
    weights_in, weights_out = _draws(codes_in, draws, rng), _draws(codes_out, draws, rng)
    sampled = ((weights_in @ wins) * weights_out).sum(1) / (weights_in.sum(1) * weights_out.sum(1))
    value = float(wins.mean())
    n_in, n_out = len(set(codes_in)), len(set(codes_out))
    low, high = _percentiles(sampled) if 0 < value < 1 else _exact_extreme(value, min(n_in, n_out))
    return Estimate(value, float(wins.sum()), wins.size, low, high, n_in + n_out)


def admitted(
    legitimate: np.ndarray,
    impostors: np.ndarray,
    share: float,
    units_in: np.ndarray,
    units_out: np.ndarray,
    draws: int,
    rng: np.random.Generator,
) -> Estimate:
    """Return the share of impostors at or above the threshold that keeps `share` of the legitimate scores.

    Denominator: all impostors. The threshold is fitted anew in every draw; at `share` 1 it is an extreme value
    and gets no interval. Where all or none are admitted the interval is the exact binomial one with n = impostor units.
    """
    count = int((impostors >= threshold_keeping(legitimate, share)).sum())
    codes_in, codes_out = _codes(units_in), _codes(units_out)
    units = len(set(codes_in)) + len(set(codes_out))
    if share >= 1:
        return Estimate(count / len(impostors), count, len(impostors), None, None, units)
    order_in, order_out = np.argsort(-legitimate, kind="stable"), np.argsort(-impostors, kind="stable")
    weights_in = _draws(codes_in, draws, rng)[:, order_in]
    weights_out = _draws(codes_out, draws, rng)[:, order_out]
    reached = weights_in.cumsum(1) >= share * weights_in.sum(1, keepdims=True) - 1e-9
    thresholds = legitimate[order_in][reached.argmax(1)]
    above = np.searchsorted(-impostors[order_out], -thresholds, side="right")
    counted = np.concatenate([np.zeros((draws, 1)), weights_out.cumsum(1)], axis=1)
    sampled = counted[np.arange(draws), above] / weights_out.sum(1)
    value = count / len(impostors)
    low, high = _percentiles(sampled) if 0 < value < 1 else _exact_extreme(value, len(set(codes_out)))
    return Estimate(value, count, len(impostors), low, high, units)


def rate(successes: np.ndarray, units: np.ndarray, draws: int, rng: Randomness) -> Estimate:
    """Return the share of true values among `successes`, with an interval over units as `mean` has it."""
    return mean(np.asarray(successes, dtype=bool), units, draws, rng)


def _exact_extreme(value: float, units: int) -> tuple[float, float]:
    """The exact interval where all (1) or none (0) are right: every resample is the same, so a bootstrap says nothing."""
    return exact_interval(units if value else 0, units)


def mean(values: np.ndarray, units: np.ndarray, draws: int, rng: Randomness) -> Estimate:
    """Return the mean of `values` in [0, 1], with an interval over units; numerator: their sum, denominator: their number.

    Where all are 0 or all are 1 the interval is the exact binomial one with n = units.
    """
    values = np.asarray(values, dtype=float)
    if not len(values):
        return Estimate(None, 0, 0, None, None, 0)
    codes = _codes(units)
    value, n_units = float(values.mean()), len(set(codes))
    if 0 < value < 1:
        low, high = _percentiles(_resampled_means(values, codes, draws, rng))
    else:
        low, high = _exact_extreme(value, n_units)
    return Estimate(value, round(float(values.sum()), 6), len(values), low, high, n_units)


def _resampled_means(values: np.ndarray, codes: np.ndarray, draws: int, rng: Randomness) -> np.ndarray:
    """The mean of every resample of whole units."""
    weights = _unit_draws(int(codes.max()) + 1, draws, rng)
    return (weights @ np.bincount(codes, values)) / (weights @ np.bincount(codes))


def paired_difference(differences: np.ndarray, units: np.ndarray, draws: int, rng: Randomness) -> Estimate:
    """Return the mean of `differences` in [-1, 1] of two systems on the same items; whole units are drawn, both systems together.

    Denominator: all items. Where no item differs there is nothing to resample and no interval.
    """
    differences = np.asarray(differences, dtype=float)
    if not len(differences):
        return Estimate(None, 0, 0, None, None, 0)
    codes = _codes(units)
    low, high = _percentiles(_resampled_means(differences, codes, draws, rng)) if differences.any() else (None, None)
    total = round(float(differences.sum()), 6)
    return Estimate(float(differences.mean()), total, len(differences), low, high, len(set(codes)))


def balanced_accuracy(refused: np.ndarray, wrong: np.ndarray, units: np.ndarray, draws: int, rng: np.random.Generator) -> Estimate:
    """Return the mean of the shares of wrong answers refused and of right answers not refused, with an interval over units.

    Denominator: all answers; the numerator is their number times the value. Draws that hold only one kind are left out.
    """
    refused, wrong = np.asarray(refused, bool), np.asarray(wrong, bool)
    if not wrong.any() or wrong.all():
        return Estimate(None, 0, 0, None, None, 0)
    codes = _codes(units)
    weights = _draws(codes, draws, rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        sampled = ((weights @ (refused & wrong)) / (weights @ wrong) + (weights @ (~refused & ~wrong)) / (weights @ ~wrong)) / 2
    low, high = _percentiles(sampled[np.isfinite(sampled)])
    value = float((refused[wrong].mean() + (~refused[~wrong]).mean()) / 2)
    return Estimate(value, round(value * len(wrong), 6), len(wrong), low, high, len(set(codes)))


def exact_interval(successes: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the two-sided exact (Clopper-Pearson) interval of a binomial proportion.

    >>> tuple(round(x, 3) for x in exact_interval(7, 7))
    (0.59, 1.0)
    """
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(beta.ppf(tail, successes, n - successes + 1))
    high = 1.0 if successes == n else float(beta.ppf(1 - tail, successes + 1, n - successes))
    return low, high


def margin_by_size(
    legitimate: np.ndarray,
    impostors: np.ndarray,
    units_in: np.ndarray,
    units_out: np.ndarray,
    size: int,
    draws: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return `draws` margins of `size` questions of each kind, subsampled without replacement by whole units.

    Units are taken in random order; the last one is cut where it would exceed `size`. Raises ValueError when
    there are fewer than `size` of either kind.
    """
    if size > min(len(legitimate), len(impostors)):
        raise ValueError(f"{size} of each kind asked for, {len(legitimate)} and {len(impostors)} there are")
    lowest = _subsample(legitimate, units_in, size, draws, rng).min(1)
    highest = _subsample(impostors, units_out, size, draws, rng).max(1)
    return lowest - highest


def _subsample(values: np.ndarray, units: np.ndarray, size: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    codes = _codes(units)
    unit_keys = rng.permuted(np.tile(np.arange(codes.max() + 1.0), (draws, 1)), axis=1)
    keys = unit_keys[:, codes] + rng.random((draws, len(values))) * 0.5
    return values[np.argsort(keys, axis=1)[:, :size]]


def _percentiles(sampled: np.ndarray) -> tuple[float, float]:
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(sampled, [tail, 100 - tail])
    return float(low), float(high)
