"""Does each interval hold as often as it says? Data sets drawn from a known truth, the project's own functions on each.

Decides, for every data set, whether a method's interval holds the truth, lies wholly under or over it, or is not there;
what is counted over many data sets is the method's coverage. Families have a wrong share of their own (beta-binomial), so
that the items of one family resemble each other, as paraphrases do. The truths are known in closed form. Two methods that
nobody here relies on run beside those in use: taking items for independent, and taking the threshold that looks best.
All methods of a setting see the same data sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

import numpy as np
from scipy.stats import norm

from rocite import stats
from rocite.evaluate.risk import fixed_sequence, upper_bound
from rocite.stats import LEVEL, Estimate

Outcome = Literal["holds", "under", "over", "silent"]  # under: the truth lies above all that the method allows for

DRAWS, AUROC_DRAWS, SEEDS = 500, 300, 16
"""Draws of a bootstrap: fewer than the chapters take, to save time, but from several seeds, so that no one set of draws decides."""
GRID = tuple(round(1 - n / 40, 3) for n in range(41))  # thresholds, strictest first
BOOTSTRAP, BOUND, ITEMS = "bootstrap over families", "exact bound over families", "exact interval over items"
AUROC, DIFFERENCE = "AUROC, bootstrap over units", "paired bootstrap over families"
SEQUENCE, LOOKING = "fixed-sequence testing", "best-looking threshold"
GUARANTEED = (BOUND, SEQUENCE)  # these hold at least as often as they say whatever the numbers are; the others where there are many


class Source(Protocol):
    """Where data sets come from; its text names it."""

    def draw(self, rng: np.random.Generator) -> object:
        """Draw one data set."""


@dataclass(frozen=True)
class Method:
    """What is made of a data set. `judge` takes it and a generator; `nominal` is how often the method says that it holds."""

    name: str
    nominal: float
    judge: Callable[[object, np.random.Generator], Outcome]
    used: bool = True


@dataclass(frozen=True)
class Held:
    """What became of a method's data sets: the four counts add up to all of them.

    `silence_holds` tells whether saying nothing keeps what the method promised: it does where a threshold may be refused,
    not where an interval is missing. For thresholds alone, `coverage` is the true share of families that are answered, in the
    mean over all data sets, 0 where none was chosen; `possible` is the largest that keeps the rate.
    """

    method: str
    setting: str
    nominal: float
    used: bool
    holds: int
    under: int
    over: int
    silent: int
    silence_holds: bool = False
    coverage: float | None = None
    possible: float | None = None

    @property
    def estimate(self) -> Estimate:
        """Denominator: all data sets. The share on which the method held, with its exact interval.

        >>> Held("m", "s", 0.95, True, holds=80, under=2, over=0, silent=18, silence_holds=True).estimate.value
        0.98
        """
        sets = self.holds + self.under + self.over + self.silent
        held = self.holds + self.silent * self.silence_holds
        return Estimate(held / sets, held, sets, *_exact(held, sets), sets)

    def below(self, level: float = LEVEL) -> bool:
        """Whether the whole exact interval of the share, two-sided at `level`, lies under the nominal one; ending on it does not."""
        found = self.estimate
        return _exact(found.numerator, found.denominator, level)[1] < self.nominal


_exact = cache(stats.exact_interval)


def generator(source: Source, seed: int) -> np.random.Generator:
    """Return the generator of a source: another one for another source, so that luck is not shared between settings."""
    return np.random.default_rng([seed, *str(source).encode()])


def run(source: Source, methods: Sequence[Method], sets: int, seed: int) -> list[Held]:
    """Return how often each method held on the same `sets` data sets. Raises ValueError without any."""
    if sets < 1:
        raise ValueError(f"{sets} data sets asked for; expected at least 1")
    rng = generator(source, seed)
    outcomes: list[list[Outcome]] = [[] for _ in methods]
    for _ in range(sets):
        data = source.draw(rng)
        for method, found in zip(methods, outcomes, strict=True):
            found.append(method.judge(data, rng))
    return [_tally(f, m.name, source, m.nominal, m.used) for m, f in zip(methods, outcomes, strict=True)]


def _tally(outcomes: Sequence[Outcome], name: str, source: Source, nominal: float, used: bool, **more: object) -> Held:
    return Held(name, str(source), nominal, used, *(outcomes.count(o) for o in ("holds", "under", "over", "silent")), **more)


def _one_seed(seed: int, rng: np.random.Generator) -> int:
    """One of the seeds of the bootstrap; `stats` keeps the draws of each."""
    return seed + int(rng.integers(SEEDS))


def _against(low: float | None, high: float | None, truth: float) -> Outcome:
    """An interval that ends on the truth holds it."""
    if low is None or high is None:
        return "silent"
    return "under" if high < truth else "over" if low > truth else "holds"


# --- shares over families ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """A size of data set: families, items in each, the mean share of wrong items, and how alike the items of a family are.

    `correlation` is the intra-class correlation, above 0 and below 1.
    """

    families: int
    items: int
    mean: float
    correlation: float = 0.3

    def __str__(self) -> str:
        return f"{self.families} families of {self.items}, {self.mean:.2f} wrong"

    @property
    def shape(self) -> tuple[float, float]:
        """The two parameters of the beta distribution of a family's share."""
        total = 1 / self.correlation - 1
        return self.mean * total, (1 - self.mean) * total

    @property
    def any_wrong(self) -> float:
        """Denominator: families. The expected share with at least one wrong item (beta-binomial, in closed form).

        >>> round(Setting(60, 3, 0.5, 1 / 3).any_wrong, 6)  # shares uniform on 0 to 1: none wrong in one family of four
        0.75
        """
        a, b = self.shape
        return 1 - float(np.prod([(b + i) / (a + b + i) for i in range(self.items)]))

    @property
    def units(self) -> np.ndarray:
        """The family of each item."""
        return np.repeat(np.arange(self.families), self.items)

    def shares(self, rng: np.random.Generator) -> np.ndarray:
        """Draw each family's share of wrong items, shape (families, 1)."""
        return rng.beta(*self.shape, size=(self.families, 1))

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw which items are wrong, in the order of `units`."""
        return (rng.random((self.families, self.items)) < self.shares(rng)).ravel()


SETTINGS = (*(Setting(60, 3, mean) for mean in (0.03, 0.05, 0.1, 0.2, 0.5)), Setting(20, 3, 0.1), Setting(200, 3, 0.03))
"""From rare to even. The last two exchange what is rare: 0.1 of few families leaves as few wrong ones as 0.03 of 60, and 0.03 of many as many."""


def over_families(setting: Setting, draws: int, seed: int) -> Method:
    """The bootstrap interval of a share, whole families drawn (`stats.rate`)."""
    units = setting.units

    def judge(wrong: np.ndarray, rng: np.random.Generator) -> Outcome:
        found = stats.rate(wrong, units, draws, _one_seed(seed, rng))
        return _against(found.low, found.high, setting.mean)

    return Method(BOOTSTRAP, LEVEL, judge)


def over_items(setting: Setting) -> Method:
    """The exact interval that takes every item for independent: the mistake."""
    return Method(ITEMS, LEVEL, lambda wrong, _: _against(*_exact(int(wrong.sum()), len(wrong)), setting.mean), used=False)


def family_bound(setting: Setting, level: float) -> Method:
    """The one-sided exact bound of the share of families with at least one wrong item (`risk.upper_bound`)."""

    def judge(wrong: np.ndarray, _: np.random.Generator) -> Outcome:
        families = int(wrong.reshape(setting.families, -1).any(1).sum())
        return _against(0.0, upper_bound(families, setting.families, level), setting.any_wrong)

    return Method(BOUND, level, judge)


def shares(sets: int, level: float, seed: int) -> list[Held]:
    """Return how often the bootstrap, the bound at `level` and the interval over items hold, in every setting."""
    found = []
    for s in SETTINGS:
        found += run(s, [over_families(s, DRAWS, seed), family_bound(s, level), over_items(s)], sets, seed)
    return found


# --- AUROC and differences --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scores:
    """Two populations of normal scores, `units` in each, their means `shift` standard deviations apart."""

    units: int
    shift: float

    def __str__(self) -> str:
        return f"{self.units} + {self.units} units, AUROC {self.truth:.2f}"

    @property
    def truth(self) -> float:
        """The probability that a legitimate score is above an impostor's.

        >>> Scores(40, 0.0).truth
        0.5
        """
        return float(norm.cdf(self.shift / np.sqrt(2)))

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw legitimate and impostor scores."""
        return rng.normal(self.shift, 1, self.units), rng.normal(0, 1, self.units)


SCORES = Scores(40, 1.0)


class Replay:
    """Gives what a new generator of `seed` gives to a bootstrap over units, drawn once and kept: most of its time goes into drawing."""

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)
        self._drawn: list[np.ndarray] = []
        self._given = 0

    def again(self) -> Replay:
        """Begin anew, as a new generator would."""
        self._given = 0
        return self

    def multinomial(self, n: int, pvals: np.ndarray, size: int) -> np.ndarray:
        """Return the next draw. The same calls have to come in the same order every time."""
        self._given += 1
        if self._given > len(self._drawn):
            self._drawn.append(self._rng.multinomial(n, pvals, size=size))
        return self._drawn[self._given - 1]


def auroc(scores: Scores, draws: int, seed: int) -> Method:
    """The bootstrap interval of AUROC, units of both populations drawn (`stats.auroc`)."""
    units, truth = np.arange(scores.units), scores.truth
    replays = [Replay(seed + n) for n in range(SEEDS)]

    def judge(data: tuple[np.ndarray, np.ndarray], rng: np.random.Generator) -> Outcome:
        found = stats.auroc(*data, units, units, draws, replays[rng.integers(SEEDS)].again())
        return _against(found.low, found.high, truth)

    return Method(AUROC, LEVEL, judge)


@dataclass(frozen=True)
class Pair:
    """Two systems on the same families: where one is wrong with some probability, the other is with `1 - less` times that."""

    setting: Setting
    less: float

    def __str__(self) -> str:
        return f"{self.setting.families} families of {self.setting.items}, difference {self.truth:.2f}"

    @property
    def truth(self) -> float:
        """The difference of their shares of wrong items."""
        return self.setting.mean * self.less

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw the difference on every item, in the order of the setting's units."""
        shares = self.setting.shares(rng)
        one, two = (rng.random((self.setting.families, self.setting.items)) < shares * k for k in (1, 1 - self.less))
        return (one.astype(int) - two).ravel()


PAIRS = tuple(Pair(Setting(60, 3, 0.2), less) for less in (0.0, 0.4))


def difference(pair: Pair, draws: int, seed: int) -> Method:
    """The paired bootstrap of a difference, whole families drawn (`stats.paired_difference`)."""
    units = pair.setting.units

    def judge(differences: np.ndarray, rng: np.random.Generator) -> Outcome:
        found = stats.paired_difference(differences, units, draws, _one_seed(seed, rng))
        return _against(found.low, found.high, pair.truth)

    return Method(DIFFERENCE, LEVEL, judge)


def comparisons(sets: int, seed: int) -> list[Held]:
    """Return how often the intervals of AUROC and of differences hold."""
    found = run(SCORES, [auroc(SCORES, AUROC_DRAWS, seed)], sets, seed)
    return found + [held for p in PAIRS for held in run(p, [difference(p, DRAWS, seed)], sets, seed)]


# --- a threshold under a bound on the risk ----------------------------------------------------------------------

Tested = list[tuple[int, int]]  # (wrong, answered) families at every threshold of the grid, strictest first


@dataclass(frozen=True)
class Curve:
    """Families with a score in [0, 1], uniform; the lower, the more often wrong: ``worst * (1 - score) ** power``."""

    families: int
    worst: float
    power: float = 2.0

    def __str__(self) -> str:
        return f"{self.families} families, {self.risk(0):.2f} wrong in all"

    def risk(self, threshold: float) -> float:
        """Denominator: families that score at least `threshold`. The true share of wrong ones; at 1, where there are none, its limit.

        >>> Curve(120, 0.6, 1.0).risk(0.5)
        0.15
        """
        return self.worst * (1 - threshold) ** self.power / (self.power + 1)

    def draw(self, rng: np.random.Generator) -> Tested:
        """Draw scores and which families are wrong; count them at every threshold."""
        scores = rng.random(self.families)
        wrong = rng.random(self.families) < self.worst * (1 - scores) ** self.power
        above = scores >= np.array(GRID)[:, None]
        return list(zip((above & wrong).sum(1).tolist(), above.sum(1).tolist(), strict=True))


def curve_under(rate: float) -> Curve:
    """Return a curve with as many families as the project tunes on, wrong more often than `rate` if all are answered (up to a third).

    >>> str(curve_under(0.1))
    '120 families, 0.17 wrong in all'
    """
    return Curve(120, min(1.0, 5 * rate))


def best_looking(tested: Tested, rate: float) -> int | None:
    """Return the position of the loosest threshold whose observed share is at or under the rate, without any bound: the mistake.

    >>> best_looking([(0, 0), (0, 10), (1, 60), (9, 90), (9, 80)], 0.10)
    3
    """
    fitting = [n for n, (wrong, answered) in enumerate(tested) if answered and wrong <= rate * answered]
    return fitting[-1] if fitting else None


def chosen(curve: Curve, choose: Callable[[Tested], int | None], sets: int, seed: int) -> list[float | None]:
    """Return the threshold that `choose` takes on each data set, None where it takes none."""
    rng = generator(curve, seed)
    positions = (choose(curve.draw(rng)) for _ in range(sets))
    return [None if n is None else GRID[n] for n in positions]


def kept(thresholds: Iterable[float | None], name: str, curve: Curve, rate: float, level: float, used: bool = True) -> Held:
    """Return how often the true risk at a chosen threshold is at or under `rate`; choosing none breaks nothing."""
    thresholds = list(thresholds)
    outcomes = ["silent" if t is None else _against(0.0, rate, curve.risk(t)) for t in thresholds]
    coverage = float(np.mean([0.0 if t is None else 1 - t for t in thresholds]))
    possible = max(1 - t for t in GRID if curve.risk(t) <= rate)  # the strictest has no risk
    return _tally(outcomes, name, curve, level, used, silence_holds=True, coverage=coverage, possible=possible)


def thresholds(sets: int, rate: float, level: float, seed: int) -> list[Held]:
    """Return how often fixed-sequence testing (`risk.fixed_sequence`) keeps the rate, and how often the best-looking threshold does."""
    curve = curve_under(rate)
    tested = chosen(curve, lambda found: fixed_sequence(found, rate, level), sets, seed)
    looking = chosen(curve, lambda found: best_looking(found, rate), sets, seed)
    return [kept(tested, SEQUENCE, curve, rate, level), kept(looking, LOOKING, curve, rate, level, used=False)]
