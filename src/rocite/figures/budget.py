"""The figure of the chapter on the wrong-answer budget."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from rocite.figures.style import FAINT, IMPOSTOR_TEXT, INK, LEGITIMATE


def budget_curve(
    frame: pd.DataFrame, rate: float, least: int, chosen: float | None, alone: tuple[float, float], trivial: tuple[float, float]
) -> Figure:
    """Draw wrong answers against answers given as the threshold of refusal moves, with the signed rate and the chosen point.

    `frame`: threshold, families, risk, bound, coverage; below `least` families nothing is tested. `chosen` is a threshold
    or None; `alone` coverage and risk of the checks alone, `trivial` of answering always.
    """
    figure, ax = plt.subplots(figsize=(7.4, 3.8))
    given = frame.dropna(subset=["risk"]).sort_values("coverage")
    tested, few = given[given.families >= least], given[given.families < least]
    ax.plot(few.coverage, few.risk, color=FAINT, lw=1.6)
    ax.plot(tested.coverage, tested.risk, color=LEGITIMATE, lw=2)
    ax.plot(tested.coverage, tested.bound, "--", color=LEGITIMATE, lw=1.4)
    ax.axhline(rate, color=IMPOSTOR_TEXT, lw=1.4)
    _say(ax, f"signed rate {rate:.2f}", (1.0, rate), (0, 6), IMPOSTOR_TEXT, "right")
    if len(few):
        _say(ax, f"under {least} families:\nnot tested", (few.coverage.min(), few.risk.min()), (0, -30), "#6b6b6b", "left")
    if len(tested):
        distinct = tested.drop_duplicates("coverage")
        middle = distinct.iloc[len(distinct) // 2]
        _say(ax, "upper bound", (middle.coverage, middle.bound), (0, 12), LEGITIMATE, "left")
        _say(ax, "share of wrong families", (middle.coverage, middle.risk), (0, -18), LEGITIMATE, "left")
    for name, (coverage, risk), marker in (("checks alone", alone, "o"), ("answer always", trivial, "D")):
        ax.scatter([coverage], [risk], color=INK, marker=marker, s=36, zorder=4)
        _say(ax, name, (coverage, risk), (8, -3), INK, "left")
    point = frame[frame.threshold == chosen] if chosen is not None else frame.head(0)
    if len(point):
        ax.scatter(point.coverage, point.bound, color=IMPOSTOR_TEXT, marker="*", s=140, zorder=5)
        _say(ax, f"chosen: {chosen:.2f}", (point.coverage.iloc[0], point.bound.iloc[0]), (8, -12), IMPOSTOR_TEXT, "left")
    else:
        _say(ax, "no threshold is admissible", (0.0, rate), (4, 6), IMPOSTOR_TEXT, "left")
    ax.set(
        xlim=(-0.02, 1.15),
        ylim=(0, 1.05),
        xlabel="coverage: share of answerable items with an answer shown",
        title="Share of families with a wrong answer among those with an answer shown",
    )
    figure.tight_layout()
    return figure


def _say(ax, text: str, at: tuple[float, float], shift: tuple[float, float], colour: str, side: str) -> None:
    ax.annotate(text, at, xytext=shift, textcoords="offset points", ha=side, fontsize=8.5, color=colour)
