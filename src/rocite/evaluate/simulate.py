"""Does each interval hold as often as it says? Data sets drawn from a known truth, the project's own functions on each.

Every method is run on `sets` simulated data sets whose truth is known in closed form; what is counted is how often the
interval holds the truth, or the bound stands at or above it. Families have a wrong share of their own (beta-distributed),
so that the items of one family resemble each other, as paraphrases do. A method that treats items as independent is
run beside them: it is not used anywhere, and shows what the families are for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta, norm

from rocite import stats
from rocite.evaluate.risk import fixed_sequence, upper_bound
from rocite.stats import Estimate

GRID = tuple(np.round(np.linspace(1, 0, 41), 3))  # thresholds, strictest first


@dataclass(frozen=True)
class Setting:
    """A size of data set: families, items in each, the mean share of wrong ones and how unlike the families are (0 to 1)."""

    families: int
    items: int
    mean: float
    unlike: float = 0.3

    @property
    def shape(self) -> tuple[float, float]:
        """The two parameters of the beta distribution of a family's share."""
        total = 1 / self.unlike - 1
        return self.mean * total, (1 - self.mean) * total


@dataclass(frozen=True)
class Held:
    """How often a method held: of `sets` data sets, `held` of those on which it said something. `one_sided` for a bound."""

    method: str
    setting: str
    nominal: float
    held: int
    sets: int
    silent: int
    used: bool

    @property
    def estimate(self) -> Estimate:
        """Denominator: data sets on which the method said something. The share that held, with its exact interval."""
        low, high = stats.exact_interval(self.held, self.sets) if self.sets else (None, None)
        return Estimate(self.held / self.sets if self.sets else None, self.held, self.sets, low, high, self.sets)


Method = Callable[[np.random.Generator], bool | None]  # one data set: held, did not hold, or said nothing


def run(method: Method, name: str, setting: str, nominal: float, sets: int, seed: int, used: bool = True) -> Held:
    """Return how often `method` held on `sets` data sets, each from its own generator."""
    found = [method(rng) for rng in np.random.default_rng(seed).spawn(sets)]
    said = [f for f in found if f is not None]
    return Held(name, setting, nominal, sum(said), len(said), len(found) - len(said), used)


def _clustered(setting: Setting, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    shares = rng.beta(*setting.shape, size=setting.families)
    wrong = rng.random((setting.families, setting.items)) < shares[:, None]
    return wrong.ravel(), np.repeat(np.arange(setting.families), setting.items)


def _within(found: Estimate, truth: float) -> bool | None:
    return None if found.low is None else found.low <= truth <= found.high


def rate_over_families(setting: Setting, draws: int) -> Method:
    """The bootstrap interval of a share, whole families drawn (`stats.rate`)."""

    def method(rng: np.random.Generator) -> bool | None:
        wrong, families = _clustered(setting, rng)
        return _within(stats.rate(wrong, families, draws, 1), setting.mean)

    return method


def rate_over_items(setting: Setting) -> Method:
    """The exact interval that takes every item for independent: the mistake."""

    def method(rng: np.random.Generator) -> bool | None:
        wrong, _ = _clustered(setting, rng)
        low, high = stats.exact_interval(int(wrong.sum()), len(wrong))
        return low <= setting.mean <= high

    return method


def family_bound(setting: Setting, level: float) -> Method:
    """The one-sided exact bound of the share of families with at least one wrong item (`risk.upper_bound`)."""
    a, b = setting.shape
    right = np.exp(sum(np.log((b + i) / (a + b + i)) for i in range(setting.items)))  # a family with no wrong item

    def method(rng: np.random.Generator) -> bool | None:
        wrong, families = _clustered(setting, rng)
        bad = int(np.bincount(families, wrong).astype(bool).sum())
        return upper_bound(bad, setting.families, level) >= 1 - right

    return method


def auroc(families: int, shift: float, draws: int) -> Method:
    """The bootstrap interval of AUROC, units of both populations drawn (`stats.auroc`); normal scores, `shift` apart."""
    truth = float(norm.cdf(shift / np.sqrt(2)))
    units = np.arange(families)

    def method(rng: np.random.Generator) -> bool | None:
        good, bad = rng.normal(shift, 1, families), rng.normal(0, 1, families)
        return _within(stats.auroc(good, bad, units, units, draws, np.random.default_rng(1)), truth)

    return method


def difference(setting: Setting, draws: int) -> Method:
    """The paired bootstrap of a difference of two systems on the same families (`stats.paired_difference`); the truth is 0."""

    def method(rng: np.random.Generator) -> bool | None:
        shares = rng.beta(*setting.shape, size=setting.families)[:, None]
        one, two = (rng.random((setting.families, setting.items)) < shares for _ in range(2))
        found = stats.paired_difference((one.astype(int) - two).ravel(), np.repeat(np.arange(setting.families), setting.items), draws, 1)
        return _within(found, 0.0)

    return method


# --- a threshold under a bound on the risk ----------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """Families with a score in [0, 1], uniform; the lower, the more often wrong: ``worst * (1 - score) ** power``."""

    families: int
    worst: float
    power: float = 2.0

    def risk(self, threshold: float) -> float:
        """Return the true share of wrong families among those that score at least `threshold`; 0 at 1."""
        return self.worst * (1 - threshold) ** self.power / (self.power + 1)

    def draw(self, rng: np.random.Generator) -> list[tuple[int, int]]:
        """Return (wrong, answered) families at every threshold of the grid, strictest first."""
        scores = rng.random(self.families)
        wrong = rng.random(self.families) < self.worst * (1 - scores) ** self.power
        return [(int((wrong & (scores >= t)).sum()), int((scores >= t).sum())) for t in GRID]


def controlled(curve: Curve, rate: float, level: float) -> Method:
    """The threshold that fixed-sequence testing chooses (`risk.fixed_sequence`): is its true risk at or under the rate?"""

    def method(rng: np.random.Generator) -> bool | None:
        chosen = fixed_sequence(curve.draw(rng), rate, level)
        return None if chosen is None else curve.risk(GRID[chosen]) <= rate

    return method


def best_looking(curve: Curve, rate: float) -> Method:
    """The loosest threshold whose observed share is at or under the rate, without any bound: the mistake."""

    def method(rng: np.random.Generator) -> bool | None:
        fitting = [n for n, (wrong, answered) in enumerate(curve.draw(rng)) if answered and wrong / answered <= rate]
        return curve.risk(GRID[fitting[-1]]) <= rate if fitting else None

    return method


def sigmoid_calibration(families: int, fit: Callable, apply: Callable) -> Callable[[np.random.Generator], float]:
    """Return a method that gives the mean absolute error of a calibrated probability against the known one."""

    def method(rng: np.random.Generator) -> float:
        truth = beta.rvs(2, 2, size=families, random_state=rng)
        score = np.log(truth / (1 - truth)) * 2.5 - 1  # overconfident and shifted
        right = rng.random(families) < truth
        return float(np.abs(apply(fit(score, right), score) - truth).mean())

    return method
