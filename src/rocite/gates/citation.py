"""Gate B, citation: the answer cites, and all that it cites was retrieved."""

from __future__ import annotations

from rocite.gates.base import Case, Score

NAME = "citation"


def score(case: Case) -> Score:
    """Return the share of citations that name a fragment, in [0, 1]; 0 when nothing is cited."""
    good, bad = len(case.reading.cited), len(case.reading.invented)
    return Score(good / (good + bad) if good + bad else 0.0, {"invented": list(case.reading.invented)})


def failure(score: Score, case: Case) -> str | None:
    """Return why the gate fails, or None. Any invention fails, and so does an answer without a citation."""
    if score.details["invented"]:
        return f"it cites what was not retrieved: {', '.join(score.details['invented'])}"
    return None if case.reading.cited else "it cites no source"
