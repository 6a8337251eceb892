"""Eight invented cases with scripted scores and routes: does the bookkeeping of policies count right?

Nothing is retrieved, written or judged here. Labels, similarities, first routes and whether a candidate would be
supported are inputs; what comes out must be exact counts. The similarity at which the baseline answers is part of the
invention and no advice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from rocite.boundary.routes import ANSWER, CLARIFY, ESCALATE, WITHHOLD
from rocite.evaluate.answerability import outcomes
from rocite.evaluate.answerability.outcomes import Outcome

SIMILARITY = 0.85  # the baseline answers at this score or above


@dataclass(frozen=True)
class Scripted:
    """An invented case. `first` is the route before the candidate is checked, `supported` whether its candidate would be."""

    id: str
    condition: str
    answerable: bool
    similarity: float
    first: str
    supported: bool


CASES = (
    Scripted("A1", "complete evidence in force", True, 0.93, ANSWER, True),
    Scripted("A2", "asked in another language than the evidence", True, 0.63, ANSWER, True),
    Scripted("A3", "the gate misses evidence that is there", True, 0.57, ESCALATE, True),
    Scripted("A4", "the written answer adds an unsupported claim", True, 0.88, ANSWER, False),
    Scripted("U1", "the required clause is missing", False, 0.92, ESCALATE, False),
    Scripted("U2", "only a stale revision", False, 0.95, ESCALATE, False),
    Scripted("U3", "a contradiction that nobody resolved", False, 0.91, ESCALATE, False),
    Scripted("U4", "the identifier is ambiguous", False, 0.87, CLARIFY, False),
)


def _after(case: Scripted) -> str:
    return WITHHOLD if case.first == ANSWER and not case.supported else case.first


POLICIES: dict[str, Callable[[Scripted], str]] = {
    "always answer": lambda case: ANSWER,
    "similarity baseline": lambda case: ANSWER if case.similarity >= SIMILARITY else ESCALATE,
    "bounded, before support check": lambda case: case.first,
    "bounded, after support check": _after,
}


def run(policy: Callable[[Scripted], str]) -> list[Outcome]:
    """Return what `policy` does with the eight cases."""
    return [Outcome(c.id, c.id, c.answerable, route := policy(c), unsupported=route == ANSWER and not c.supported) for c in CASES]


def table() -> pd.DataFrame:
    """Return the counts of every policy as ``n/d``, then numerators and denominators as numbers.

    Columns: policy, coverage, unsupported, unnecessary, escalate, clarify, and for each of the five `_n` and `_of`.
    """
    wanted = (outcomes.COVERAGE, outcomes.UNSUPPORTED, outcomes.UNNECESSARY, outcomes.ESCALATED, outcomes.CLARIFIED)
    rows = []
    for name, policy in POLICIES.items():
        counts = {m.name: m.count(run(policy)) for m in wanted}
        row = {"policy": name} | {n: f"{a}/{b}" for n, (a, b) in counts.items()}
        rows.append(row | {f"{n}_{what}": v for n, pair in counts.items() for what, v in zip(("n", "of"), pair, strict=True)})
    return pd.DataFrame(rows)


EXACT = {
    "always answer": ("8/8", "5/8", "0/4", "0/8", "0/8"),
    "similarity baseline": ("6/8", "5/6", "2/4", "2/8", "0/8"),
    "bounded, before support check": ("3/8", "1/3", "1/4", "4/8", "1/8"),
    "bounded, after support check": ("2/8", "0/2", "2/4", "5/8", "1/8"),
}
"""The counts that the second source text prints: coverage, unsupported, unnecessary, escalate, clarify."""


def exact() -> bool:
    """Whether the bookkeeping gives the published counts to the last one."""
    rows = table().set_index("policy")[["coverage", "unsupported", "unnecessary", "escalate", "clarify"]]
    return {name: tuple(row) for name, row in zip(rows.index, rows.to_numpy(), strict=True)} == EXACT
