"""The wrong-answer budget: how many answers that are shown may be wrong, whether that is shown, and when to refuse.

Decides what counts against a signed rate. The unit is the family of paraphrases: a family is wrong when at least one of
its answers that are shown holds an unsupported or wrong claim. An incomplete answer leaves something out and is no wrong
one; it is counted apart. The rate is shown when the one-sided exact upper bound (Clopper and Pearson 1934) is at or under
it; without an answer there is no rate, and nothing is shown.

A threshold of refusal is chosen on tuning families by testing in a fixed order, strictest first, until the first one
fails (fixed-sequence testing, Maurer, Hothorn and Lehmacher 1995; for risks Angelopoulos and others 2021). Thresholds
with too few answered families to show the rate whatever their answers are worth, or with fewer than a least number, are
passed over; which those are is told by the scores alone, so that the confidence holds for the chosen one, given the
score. That one score was picked among several on the same families is not in that confidence: the untouched families,
which had no say, are the test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rocite import stats
from rocite.evaluate.answers import BAD, Given
from rocite.evaluate.gold import Item
from rocite.evaluate.retrieval import Ranked
from rocite.evaluate.risk import fixed_sequence, upper_bound
from rocite.stats import Estimate

NOT_SHOWN = ("abstains", "error")
GRID = tuple(round(1 - n / 100, 2) for n in range(101))  # thresholds, strictest first

# --- answers and what is shown of them -------------------------------------------------------------------------


def _times(a: str, b: str) -> Callable[[Given, Ranked], float | None]:
    def product(given: Given, ranked: Ranked) -> float | None:
        x, y = given.judgement.scores[a], given.judgement.scores[b]
        return None if x is None or y is None else round(x * y, 6)

    return product


def _lead(given: Given, ranked: Ranked) -> float | None:
    return round(ranked.scores[0] - ranked.scores[1], 6) if len(ranked.scores) > 1 else None


SCORES: dict[str, Callable[[Given, Ranked], float | None]] = {
    **{name: lambda g, r, name=name: g.judgement.scores[name] for name in ("coverage", "focus", "support_mean", "support_min")},
    "retrieval": lambda g, r: r.best,
    "retrieval lead": _lead,
    "coverage * support_mean": _times("coverage", "support_mean"),
    "coverage * focus": _times("coverage", "focus"),
}
"""What a threshold may look at, each in [0, 1] and higher for an answer that is to be shown; None is refused."""


@dataclass(frozen=True)
class Answer:
    """A system's answer to one item: what it is worth, whether the checks accept it, and its scores.

    `retrieved` tells whether every required passage was; None for an unanswerable item.
    """

    item: Item
    label: str
    accepted: bool
    retrieved: bool | None
    scores: Mapping[str, float | None]


Rule = Callable[[Answer], bool]  # which answers are shown


def always(answer: Answer) -> bool:
    """Show whatever was written."""
    return answer.label not in NOT_SHOWN


def never(answer: Answer) -> bool:
    """Show nothing."""
    return False


def strict(answer: Answer) -> bool:
    """Show what the checks accept."""
    return answer.accepted and always(answer)


def at_least(score: str, value: float) -> Rule:
    """Show what the checks accept and whose `score` is at least `value`; exactly this is shown, an answer without score is not."""
    return lambda a: strict(a) and a.scores[score] is not None and a.scores[score] >= value


@dataclass(frozen=True)
class Counts:
    """What a rule shows of a system's answers; `right`, `incomplete` and `wrong` answers add up to those shown."""

    items: int
    answerable: int
    answered: int  # answerable items with an answer shown
    right: int
    incomplete: int
    wrong: int
    errors: int  # failures of the system: never shown
    families: int  # with at least one answer shown
    wrong_families: int
    level: float

    @property
    def shown(self) -> int:
        """The number of answers shown."""
        return self.right + self.incomplete + self.wrong

    @property
    def risk(self) -> float | None:
        """Denominator: families with an answer shown. The share with a wrong one; None when nothing is shown."""
        return self.wrong_families / self.families if self.families else None

    @property
    def bound(self) -> float | None:
        """Denominator: families with an answer shown. The upper bound of the risk at `level`; None when nothing is shown."""
        return upper_bound(self.wrong_families, self.families, self.level)

    @property
    def coverage(self) -> float | None:
        """Denominator: answerable items. The share with an answer shown; None when no item is answerable."""
        return self.answered / self.answerable if self.answerable else None

    def shows(self, rate: float) -> bool:
        """Whether the bound is at or under `rate`; never without an answer."""
        return self.bound is not None and self.bound <= rate


def count(answers: Sequence[Answer], rule: Rule, level: float) -> Counts:
    """Count what `rule` shows of `answers`."""
    shown = [a for a in answers if rule(a)]
    labels = [a.label for a in shown]
    wrong = [a for a in shown if a.label in BAD]
    return Counts(
        items=len(answers),
        answerable=sum(a.item.answerable for a in answers),
        answered=sum(a.item.answerable for a in shown),
        right=labels.count("right"),
        incomplete=labels.count("incomplete"),
        wrong=len(wrong),
        errors=sum(a.label == "error" for a in answers),
        families=len({a.item.family for a in shown}),
        wrong_families=len({a.item.family for a in wrong}),
        level=level,
    )


def coverage(answers: Sequence[Answer], rule: Rule, draws: int, seed: int) -> Estimate:
    """Denominator: answerable items. The share of which `rule` shows an answer, with an interval over families."""
    asked = [a for a in answers if a.item.answerable]
    shown, families = np.array([rule(a) for a in asked], bool), np.array([a.item.family for a in asked])
    return stats.rate(shown, families, draws, seed)


# --- choosing a threshold --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """A threshold and what it shows."""

    threshold: float
    counts: Counts


def curve(answers: Sequence[Answer], score: str, level: float, grid: Sequence[float] = GRID) -> tuple[Point, ...]:
    """Return what each threshold on `score` shows, strictest first."""
    return tuple(Point(value, count(answers, at_least(score, value), level)) for value in sorted(grid, reverse=True))


def choose(points: Sequence[Point], rate: float, least: int = 1) -> Point | None:
    """Return the point of largest coverage that shows `rate`, tested strictest first up to the first that does not; None for none.

    Points with fewer answered families than would show the rate with no wrong one, or than `least`, are passed over and
    never taken.
    """
    if not points:
        return None
    tested = [(p.counts.wrong_families, p.counts.families) for p in points]
    chosen = fixed_sequence(tested, rate, points[0].counts.level, least)
    return None if chosen is None else points[chosen]


def lowest_rate(points: Sequence[Point], least: int = 1) -> float | None:
    """Return the lowest rate in whole percent for which a point would be chosen; None when none under 100 % is."""
    return next((percent / 100 for percent in range(1, 100) if choose(points, percent / 100, least)), None)


def separation(answers: Sequence[Answer], score: str, draws: int, seed: int) -> Estimate:
    """Denominator: pairs of an answer that is not wrong and one that is, among those that the checks accept. AUROC of `score`.

    The interval resamples families; n/a (0) without a pair. An answer without the score counts as lowest.
    """
    accepted = [a for a in answers if strict(a)]
    kinds = ([a for a in accepted if (a.label in BAD) == bad] for bad in (False, True))
    (good, families), (bad, others) = (
        (np.array([-1.0 if a.scores[score] is None else a.scores[score] for a in kind]), np.array([a.item.family for a in kind]))
        for kind in kinds
    )
    if not len(good) or not len(bad):
        return Estimate(None, 0, 0, None, None, 0)
    return stats.auroc(good, bad, families, others, draws, np.random.default_rng(seed))


def separations(answers: Sequence[Answer], draws: int, seed: int) -> dict[str, Estimate]:
    """Return `separation` for every score, each from its own generator."""
    return {name: separation(answers, name, draws, seed) for name in SCORES}


def best_score(found: Mapping[str, Estimate]) -> str:
    """Return the score that separates best; of equal ones, and where none can be told, the first."""
    return max(found, key=lambda name: -1.0 if found[name].value is None else round(found[name].value, 6))


def frame(points: Sequence[Point]) -> pd.DataFrame:
    """Return a curve as a table: threshold, answers shown, right, incomplete and wrong, families, wrong_families, risk, bound, coverage."""
    names = ("shown", "right", "incomplete", "wrong", "families", "wrong_families", "risk", "bound", "coverage")
    found = pd.DataFrame([{"threshold": p.threshold} | {n: getattr(p.counts, n) for n in names} for p in points])
    return found.astype(dict.fromkeys(("risk", "bound", "coverage"), float))
