"""The exact bound of a risk over families, how many families show a rate, and a threshold chosen so that the bound holds for it.

The bound is Clopper and Pearson's (1934), one-sided. Thresholds are tested in a fixed order, strictest first, up to the
first that fails (fixed-sequence testing, Maurer, Hothorn and Lehmacher 1995; for risks Angelopoulos and others 2021): the
order does not depend on the data, so that the confidence holds for the one that is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from scipy.stats import beta

MOST = 10**9  # families: more are never needed


@cache
def upper_bound(wrong: float, families: int, level: float) -> float | None:
    """Denominator: `families`. Return the one-sided exact upper bound of the share of wrong ones at `level`; None without any.

    >>> round(upper_bound(0, 29, 0.95), 3), upper_bound(0, 0, 0.95)
    (0.098, None)
    """
    if not families:
        return None
    return 1.0 if wrong >= families else float(beta.ppf(level, wrong + 1, families - wrong))


@cache
def needed(rate: float, level: float, wrong: int = 0) -> int:
    """Return the fewest answered families that show `rate` when `wrong` of them are wrong.

    >>> needed(0.10, 0.95), needed(0.10, 0.95, 1)
    (29, 46)
    """
    return _fewest(lambda n: upper_bound(wrong, n, level) <= rate, wrong + 1)


def needed_at(observed: float, rate: float, level: float) -> int | None:
    """Return the fewest answered families that show `rate` when the share `observed` of them is wrong; None if no number does.

    The number of wrong ones is taken as it comes, not rounded.

    >>> needed_at(0.03, 0.10, 0.95), needed_at(0.10, 0.10, 0.95)
    (57, None)
    """
    if observed >= rate:
        return None
    return _fewest(lambda n: upper_bound(observed * n, n, level) <= rate, 1)


def _fewest(shows: Callable[[int], bool], start: int) -> int | None:
    """The fewest families from `start` on that show the rate; the bound falls as they grow."""
    high = start
    while not shows(high):
        if high > MOST:
            return None
        high *= 2
    low = start
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle + 1, high)
    return low


def fixed_sequence(tested: Sequence[tuple[int, int]], rate: float, level: float, least: int = 1) -> int | None:
    """Return the position of the last of `tested` that shows `rate`, going on up to the first that does not; None for none.

    `tested` holds (wrong families, families with an answer) of each threshold, strictest first. Those with fewer families
    than would show the rate with no wrong one, or than `least`, are passed over and never taken; how many families answer is
    told by the scores alone.

    >>> fixed_sequence([(0, 10), (0, 40), (1, 60), (9, 90), (9, 900)], 0.10, 0.95)
    2
    """
    chosen = None
    for position, (wrong, families) in enumerate(tested):
        if families < max(least, needed(rate, level)):
            continue
        if upper_bound(wrong, families, level) > rate:
            break
        chosen = position
    return chosen
