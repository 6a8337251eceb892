"""Whether the time of a response tells a denied request from one that nothing answers.

Measures whole times through the real service and compares the two distributions; only requests without an answer count,
because an answer shows by itself that nothing was denied. Refuses kinds without a request that gets none.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocite.boundary import routes
from rocite.boundary.found import Request
from rocite.boundary.service import Service
from rocite.evaluate.answerability.cases import Case
from rocite.stats import Estimate, auroc

DRAWS = 2000


@dataclass(frozen=True)
class Times:
    """Whole times in seconds of denied and of merely unanswerable requests, and how far they can be told apart.

    `told_apart` is the AUROC with its interval over requests: 0.5 where they cannot. `answered` requests got an answer and
    are left out; `distinct` requests of each kind were asked, each as often as it takes.
    """

    pace: float
    told_apart: Estimate
    denied: tuple[float, ...]
    unanswerable: tuple[float, ...]
    distinct: int
    answered: int

    def as_dict(self) -> dict:
        """Return figures as plain JSON values, with the median and the longest of either kind."""
        kinds = {"denied": self.denied, "unanswerable": self.unanswerable}
        counted = {k: {"count": len(v), "median": statistics.median(v), "longest": max(v)} for k, v in kinds.items()}
        found = self.told_apart
        facts = {"pace": self.pace, "auroc": found.value, "low": found.low, "high": found.high, "units": found.units}
        return facts | counted | {"distinct": self.distinct, "answered": self.answered}


def timing(
    service: Service, denied: Sequence[Case], twins: Sequence[Case], seed: int, count: int = 200, pace: float | None = None
) -> Times:
    """Ask `count` denied and `count` merely unanswerable requests in random order and compare their whole times.

    `pace` is that of the service unless given. Every request is asked once before, without a pace, so that none pays for
    what is made ready at first and those with an answer are left out; as many distinct requests of either kind are then
    repeated equally often, so that neither is the better known. Raises ValueError when a kind has none without an answer.
    """
    rng = np.random.default_rng(seed)
    terms = service.terms
    try:
        service.terms = replace(terms, pace=0.0)
        kinds = [[c for c in cases if _seconds(service, c) is not None] for cases in (denied, twins)]
        distinct = min(*map(len, kinds), count)
        if not distinct:
            raise ValueError("timing needs denied and unanswerable requests that get no answer.")
        chosen = [[kind[i] for i in rng.permutation(len(kind))[:distinct]] for kind in kinds]
        asked = [(which, chosen[which][n % distinct]) for n in range(count) for which in (0, 1)]
        service.terms = terms if pace is None else replace(terms, pace=pace)
        taken = [(which, case.id, _seconds(service, case)) for which, case in (asked[i] for i in rng.permutation(len(asked)))]
        used = service.terms.pace
    finally:
        service.terms = terms
    kept = [[(name, s) for which, name, s in taken if which == kind and s is not None] for kind in (0, 1)]
    (names, times), (other_names, other_times) = (tuple(zip(*k, strict=True)) for k in kept)
    found = auroc(np.array(times), np.array(other_times), np.array(names), np.array(other_names), DRAWS, rng)
    left_out = len(denied) + len(twins) - sum(map(len, kinds)) + sum(s is None for *_, s in taken)
    return Times(used, found, times, other_times, distinct, left_out)


def _seconds(service: Service, case: Case) -> float | None:
    """The whole time of a request, None where it got an answer."""
    response = service.ask(Request(case.question, case.scope, case.at, case.asset))
    return None if response.route == routes.ANSWER else response.seconds["whole"]
