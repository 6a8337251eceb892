"""Gate C, numbers: every number of the answer stands in a cited fragment.

A number is a run of digits, and it passes if the same run stands anywhere in a cited text, whatever it
counts there. That is the article's formula, its weakness included.
"""

from __future__ import annotations

from rocite.gates.base import Case, Score
from rocite.text import digit_runs

NAME = "numbers"


def score(case: Case) -> Score:
    """Return the share of the answer's numbers that stand in a cited text, in [0, 1]; None without numbers."""
    asked = digit_runs(case.reading.text)
    known = {run for fragment in case.cited for run in digit_runs(fragment.text)}
    missing = [run for run in asked if run not in known]
    return Score((len(asked) - len(missing)) / len(asked) if asked else None, {"missing": missing})


def failure(score: Score, case: Case) -> str | None:
    """Return why the gate fails, or None. One missing number fails."""
    if not score.details["missing"]:
        return None
    return f"no cited source has the number {', '.join(dict.fromkeys(score.details['missing']))}"
