"""The chapter on the answer boundary: what is tabled and said of the estimate's calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from rocite.boundary.policy import Gate, Policy, boundary
from rocite.evaluate import calibration
from rocite.evaluate.answerability.examined import Examined
from rocite.report.base import interval, number


def passed(examined: Sequence[Examined], policy: Policy) -> list[Examined]:
    """Return the cases of which the estimate of sufficiency decides: those that pass every hard boundary."""
    return [e for e in examined if not boundary(e.found, policy.limits)]


def reliability(examined: Sequence[Examined], policy: Policy) -> pd.DataFrame:
    """Return the reliability of the estimate before and after calibration, as the figure wants it."""
    asked, frames = passed(examined, policy), []
    for panel, gate in (("before", _raw(policy)), ("after calibration", policy.gate)):
        frame = calibration.reliability([gate.probability(e.found.signs) for e in asked], [e.right for e in asked])
        frames.append(frame.assign(panel=panel))
    return pd.concat(frames, ignore_index=True)


def _raw(policy: Policy) -> Gate:
    return replace(policy.gate, slope=1.0, offset=0.0)


def brier(examined: Sequence[Examined], policy: Policy, draws: int, seed: int) -> pd.DataFrame:
    """Return the Brier score of the estimate with its parts, before and after calibration, and of always saying the base rate."""
    asked = passed(examined, policy)
    right, units = [e.right for e in asked], [e.case.intent for e in asked]
    base = sum(right) / len(right) if right else 0.0
    said = {
        "before calibration": [_raw(policy).probability(e.found.signs) for e in asked],
        "after calibration": [policy.gate.probability(e.found.signs) for e in asked],
        "always the share of these cases": [base] * len(asked),
    }
    rows = []
    for name, probability in said.items():
        b = calibration.brier(probability, right)
        found = calibration.brier_interval(probability, right, units, draws, seed)
        rows.append(
            {
                "estimate": name,
                "cases": len(asked),
                "families": len(set(units)),
                "right": sum(right),
                "Brier score": interval(found, 3),
                "reliability": number(b.reliability),
                "resolution": number(b.resolution),
                "uncertainty": number(b.uncertainty),
                "within bins": number(b.within),
                "calibration error": number(calibration.expected_calibration_error(probability, right).value),
            }
        )
    return pd.DataFrame(rows)


def reliability_caption(table: pd.DataFrame) -> str:
    """Return the finding of the reliability diagram."""
    rows = table.set_index("estimate")
    before, after = rows.loc["before calibration"], rows.loc["after calibration"]
    return (
        f"On {after['cases']} cases of the acceptance part that pass the hard boundaries ({after['right']} right), the mean distance between "
        f"what is said and what comes is {before['calibration error']} before and {after['calibration error']} after calibration."
    )
