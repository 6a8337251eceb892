"""Policies: from what was examined to a route, by limits that are written down. Nothing is measured and nothing learned here.

Hard boundaries come first and no probability overrides them: an edition that is not in force, a missing identifier, a
conflict that nobody resolved, evidence only in what is out of force. Only what passes them all is held against the
sufficiency estimate. What the request may not see was left out before anything was ranked, so that no policy can release it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from rocite.boundary.found import Examination
from rocite.boundary.routes import CONFLICT, IDENTIFIER, MISSING, REVISION, ROUTE_OF, STALE, SUFFICIENT
from rocite.errors import InputError


@dataclass(frozen=True)
class Limits:
    """From where a sign counts. At its limit `sister`, `sibling` and `rival` count, `retired` does not."""

    sister: float
    sibling: float
    rival: float
    retired: float


@dataclass(frozen=True)
class Gate:
    """A learned estimate that the picks hold all that the question needs and nothing else: logistic regression over signs.

    `slope` and `offset` map its log-odds to a probability (Platt 1999), fitted on other cases; 1 and 0 leave them.
    """

    signs: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    slope: float = 1.0
    offset: float = 0.0

    def odds(self, signs: Mapping[str, float]) -> float:
        """Return the log-odds before calibration."""
        return self.intercept + sum(w * signs[name] for name, w in zip(self.signs, self.weights, strict=True))

    def probability(self, signs: Mapping[str, float]) -> float:
        """Return the calibrated probability, rounded to 6 places."""
        return sigmoid(self.slope * self.odds(signs) + self.offset)


@dataclass(frozen=True)
class Policy:
    """Routes with limits, and the least probability from which evidence counts as sufficient; None: whatever was picked is."""

    name: str
    limits: Limits
    gate: Gate
    threshold: float | None

    def decide(self, found: Examination) -> str:
        """Return the reason code for `found`, before anything is written."""
        hard = boundary(found, self.limits)
        if hard:
            return hard
        enough = self.threshold is None or self.gate.probability(found.signs) >= self.threshold
        return SUFFICIENT if enough else MISSING

    def as_dict(self) -> dict:
        """Return the policy as plain JSON values."""
        return asdict(self)


def boundary(found: Examination, limits: Limits) -> str:
    """Return the reason for which no estimate is asked, "" where every hard boundary is passed."""
    signs = found.signs
    if not found.picks:
        return MISSING
    if signs["edition"]:
        return REVISION
    if signs["sister"] >= limits.sister or signs["sibling"] >= limits.sibling:
        return IDENTIFIER
    if signs["rival"] >= limits.rival:
        return CONFLICT
    if "retired" in found.against and signs["retired"] > limits.retired:
        return STALE
    return ""


def route(reason: str) -> str:
    """Return the route of a reason."""
    return ROUTE_OF[reason]


def sigmoid(x: float) -> float:
    """Return 1 / (1 + exp(-x)), rounded to 6 places.

    >>> sigmoid(0.0), sigmoid(-1000.0)
    (0.5, 0.0)
    """
    return round(1 / (1 + math.exp(-x)) if x >= 0 else math.exp(max(x, -700)) / (1 + math.exp(max(x, -700))), 6)


def policy_from(record: Mapping) -> Policy:
    """Return the policy that `as_dict` or a file describes. Raises InputError for one that is incomplete."""
    try:
        limits = Limits(**{f.name: float(record["limits"][f.name]) for f in fields(Limits)})
        gate = record["gate"]
        learned = Gate(
            tuple(gate["signs"]),
            tuple(float(w) for w in gate["weights"]),
            float(gate["intercept"]),
            float(gate["slope"]),
            float(gate["offset"]),
        )
        threshold = record.get("threshold")
        return Policy(str(record["name"]), limits, learned, None if threshold is None else float(threshold))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"not a policy ({type(error).__name__}: {error}).") from error
