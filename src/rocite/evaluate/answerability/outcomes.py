"""What a policy did with the same cases: coverage, selective error, unnecessary non-answers, escalation, clarification.

Every count keeps its numerator and denominator. Coverage counts answers over all eligible requests, selective error
answers with at least one unsupported claim over answers (undefined without an answer, never zero), unnecessary
non-answers over the cases that the corpus answers, escalation and clarification over all eligible requests. A withheld
candidate is an escalation. Requests that are denied are no cases here. The unit is the family: paraphrases of one need,
and its translation, are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rocite import stats
from rocite.boundary.routes import ANSWER, CLARIFY
from rocite.evaluate.risk import upper_bound
from rocite.stats import Estimate


@dataclass(frozen=True)
class Outcome:
    """One case under one policy. `unsupported`: whether the answer that was released holds an unsupported claim.

    `incomplete`: whether a released answer leaves out a required unit; that is no unsupported claim and is counted apart.
    """

    case: str
    family: str
    answerable: bool
    route: str
    unsupported: bool = False
    incomplete: bool = False

    @property
    def answered(self) -> bool:
        """Whether an answer is released."""
        return self.route == ANSWER


@dataclass(frozen=True)
class Measure:
    """A rate over outcomes: of those that `among` names, the share for which `holds`."""

    name: str
    holds: Callable[[Outcome], bool]
    among: Callable[[Outcome], bool]

    def estimate(self, outcomes: Sequence[Outcome], draws: int, seed: int) -> Estimate:
        """Denominator: the outcomes that `among` names. The share with its interval over families; None of none."""
        asked = [o for o in outcomes if self.among(o)]
        return stats.rate(np.array([self.holds(o) for o in asked], bool), np.array([o.family for o in asked]), draws, seed)

    def count(self, outcomes: Sequence[Outcome]) -> tuple[int, int]:
        """Return numerator and denominator."""
        asked = [o for o in outcomes if self.among(o)]
        return sum(map(self.holds, asked)), len(asked)


def _every(outcome: Outcome) -> bool:
    return True


COVERAGE = Measure("coverage", lambda o: o.answered, _every)
ANSWERABLE_COVERAGE = Measure("coverage of answerable", lambda o: o.answered, lambda o: o.answerable)
UNSUPPORTED = Measure("unsupported", lambda o: o.unsupported, lambda o: o.answered)
INCOMPLETE = Measure("incomplete", lambda o: o.incomplete and not o.unsupported, lambda o: o.answered)
UNNECESSARY = Measure("unnecessary", lambda o: not o.answered, lambda o: o.answerable)
ESCALATED = Measure("escalate", lambda o: o.route not in (ANSWER, CLARIFY), _every)
CLARIFIED = Measure("clarify", lambda o: o.route == CLARIFY, _every)
MEASURES = (COVERAGE, ANSWERABLE_COVERAGE, UNSUPPORTED, INCOMPLETE, UNNECESSARY, ESCALATED, CLARIFIED)


def family_risk(outcomes: Sequence[Outcome], level: float) -> tuple[int, int, float | None]:
    """Denominator: families with an answer. Return wrong families, answered families and the one-sided exact upper bound at `level`.

    A family is wrong when at least one of its answers holds an unsupported claim; without an answer the bound is None.
    """
    answered = {o.family for o in outcomes if o.answered}
    wrong = {o.family for o in outcomes if o.answered and o.unsupported}
    return len(wrong), len(answered), upper_bound(len(wrong), len(answered), level)
