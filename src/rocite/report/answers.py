"""The chapter on answers: what is captioned, recorded and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from rocite.evaluate.answers import BAD, OUTCOMES
from rocite.report.base import listed, record_estimate
from rocite.report.retrieval import estimate, plain

__all__ = ["answer", "caption", "plain", "record"]


def caption(frame: pd.DataFrame) -> str:
    """Return the finding of the figure of answers."""
    told = [f"{system} {row['right']} of {row['items']}" for system, row in _rows(frame, "no gates", "yes").items()]
    return (
        f"What became of every question, without gates and with strict. With every passage retrieved, right without gates: {listed(told)}."
    )


def _rows(frame: pd.DataFrame, gates: str, retrieved: str) -> dict[str, Mapping]:
    own = frame[(frame.gates == gates) & (frame.retrieved == retrieved)]
    return {r["system"]: r for r in own.to_dict("records")}


def record(run, frame: pd.DataFrame, citations: Sequence[Mapping]) -> None:
    """Record the numbers of the chapter."""
    for r in frame.to_dict("records"):
        for outcome in OUTCOMES:
            path = f"answers/{r['system']}/{r['gates']}/{r['retrieved']}/{outcome}".replace(" ", "_")
            run.number(path, int(r[outcome]), f"{r[outcome]}/{r['items']}", n=int(r["items"]))
    for r in citations:
        if r["stratum"] is None and r["value"] is not None:
            record_estimate(run, f"answers/{r['system']}/citations/{r['cited']}/{r['metric']}".replace(" ", "_"), estimate(r))


def answer(frame: pd.DataFrame) -> str:
    """Return the chapter's answer in words."""
    free, checked = ({k: _rows(frame, gates, k) for k in ("yes", "no", "nothing to retrieve")} for gates in ("no gates", "strict"))
    said = []
    for system, row in free["yes"].items():
        shown = {k: sum(checked[k][system][o] for o in BAD) for k in checked}
        said.append(
            f"{system}: with every passage retrieved {row['right']} of {row['items']} answers are right and {sum(row[o] for o in BAD)} wrong or "
            f"over-claimed, of which strict shows {shown['yes']}; where a passage was missing it shows {shown['no']} bad answers to "
            f"{checked['no'][system]['items']} questions, and {shown['nothing to retrieve']} to {checked['nothing to retrieve'][system]['items']} "
            f"that nothing answers. Right answers that strict refuses, with everything retrieved: {row['right'] - checked['yes'][system]['right']}."
        )
    most = sum(sum(r[o] for o in BAD) for r in free["yes"].values())
    every = sum(sum(r[o] for o in BAD) for rows in free.values() for r in rows.values())
    head = f"**Seldom.** Of {every} bad answers {most} were given with every required passage at hand: there the fault is the answer's, and no better retrieval would mend it."
    return "\n".join([head, *said])
