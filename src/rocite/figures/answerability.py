"""Figures of the chapter on the answer boundary: reliability, risk against coverage, policies side by side, worst segments.

All are narrow, so that they can be read on a phone. Tables hold values rounded to 3 places; NaN is a value that is not there.
"""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from rocite.figures.style import FAINT, IMPOSTOR_TEXT, INK, LEGITIMATE, OTHER_COLOURS

WIDTH = 4.8  # inches, of every figure here
SCORE_COLOURS = {"learned gate": LEGITIMATE, "coverage": "#c2571a", "similarity": "#7d7d7d"}
_MARKERS = {"D": "◆", "^": "▲", "s": "■"}  # of the scores without a bound, on the line and before its name
POLICY_OUTCOMES = {
    "answered rightly": (LEGITIMATE, "", "white"),
    "answered incompletely": ("#8fb4d9", "", INK),
    "answered, unsupported claim": ("#c2571a", "////", "white"),
    "clarified": ("#f2e3c6", "", INK),
    "escalated": ("#cfcfcf", "", INK),
    "withheld": ("#7d7d7d", "", "white"),
}
"""What can become of an eligible case: colour, hatching and colour of the number; lightness alone tells neighbours apart."""
_DIMENSIONS = (("o", LEGITIMATE), ("D", "#c2571a"), ("s", "#6b6b6b"), ("^", "#3f8fc5"), ("v", "#8c6d31"))


# --- reliability --------------------------------------------------------------------------------------------------


def reliability_diagram(frame: pd.DataFrame, outcome: str = "right") -> Figure:
    """Draw the observed share of each bin with its interval against the mean probability, the number of cases of each below.

    `frame`: panel (its title; two, before and after calibration, in their order), low, high, count, probability, share,
    share_low, share_high, as `evaluate.calibration.reliability` has them. `outcome` says of what the share is. A bin
    without cases has no point.
    """
    panels = list(dict.fromkeys(frame.panel))
    figure, axes = plt.subplots(2, len(panels), figsize=(WIDTH, 3.7), sharex=True, sharey="row", height_ratios=(3, 1), squeeze=False)
    most = max(1, int(frame["count"].max()))
    for (upper, lower), panel in zip(axes.T, panels, strict=True):
        own = frame[frame.panel == panel]
        upper.plot([0, 1], [0, 1], color=FAINT, lw=1.4, zorder=1)
        seen = own[own["count"] > 0]
        upper.vlines(seen.probability, seen.share_low, seen.share_high, color=LEGITIMATE, lw=1.6, zorder=2)
        upper.scatter(seen.probability, seen.share, color=LEGITIMATE, s=26, zorder=3, clip_on=False)
        upper.set(xlim=(0, 1), ylim=(0, 1), title=panel)
        lower.bar(own.low, own["count"], width=own.high - own.low, align="edge", color="#cfcfcf", edgecolor="white", lw=0.8)
        for row in own.itertuples():
            if row.count:
                _say(lower, str(row.count), ((row.low + row.high) / 2, row.count), (0, 1.5), INK, "center", fontsize=7, va="bottom")
        lower.set(ylim=(0, 1.3 * most), yticks=[])
        lower.spines["left"].set_visible(False)
        ticks = [0, 0.25, 0.5, 0.75, 1]
        lower.set_xticks(ticks, ["0", "", "0.5", "", "1"])
    axes[0][0].set_yticks(ticks, ["0", "", "0.5", "", "1"])
    axes[0][0].set_ylabel(f"observed share {outcome}", fontsize=9)
    axes[1][0].set_ylabel("cases", fontsize=9)
    _say(axes[0][0], "above: says\ntoo little", (0.0, 1.0), (3, -1), "#6b6b6b", "left", fontsize=7.5, va="top")
    _say(axes[0][0], "below: says\ntoo much", (1.0, 0.0), (0, 3), "#6b6b6b", "right", fontsize=7.5)
    figure.supxlabel("stated probability", fontsize=9)
    figure.tight_layout(pad=0.5, w_pad=1.2)
    return figure


# --- risk and coverage --------------------------------------------------------------------------------------------


def risk_coverage_curves(
    frame: pd.DataFrame, risk: float, coverage: float, bounded: str = "learned gate", chosen: float | None = None, least: int = 1
) -> Figure:
    """Draw selective error against coverage for each score, and the upper bound of one of them.

    `frame`: score, threshold, coverage, risk, bound, families. The bound of `bounded` is dashed; `risk` and `coverage` are
    the declared limits, `chosen` a threshold on `bounded`, or None. Thresholds with fewer answered families than `least` are
    not drawn; the bound is cut off where it leaves the scale of the errors.
    """
    figure, ax = plt.subplots(figsize=(WIDTH, 3.5))
    drawn = frame[(frame.families >= least)].dropna(subset=["coverage", "risk"])
    names = list(dict.fromkeys(frame.score))
    colours = {n: SCORE_COLOURS.get(n, OTHER_COLOURS[i % len(OTHER_COLOURS)]) for i, n in enumerate(names)}
    others = [n for n in names if n != bounded]
    ends = []
    for name, own in drawn.groupby("score", sort=False):
        line = own.sort_values("threshold", ascending=False)
        marker, sign = ("", "") if name == bounded else list(_MARKERS.items())[others.index(name) % len(_MARKERS)]
        width = 2.2 if name == bounded else 1.6
        ax.plot(line.coverage, line.risk, color=colours[name], lw=width, marker=marker, ms=4.5, markevery=(0.05, 0.15), zorder=3)
        ends.append((line.risk.iloc[-1], f"{sign} {name}".strip(), colours[name]))
        if name == bounded:
            ax.plot(line.coverage, line.bound, "--", color=colours[name], lw=1.4, zorder=3)
            ends.append((line.bound.iloc[-1], "bound over families", colours[name]))
    reached = drawn[(drawn.score == bounded) & (drawn.threshold >= chosen)] if chosen is not None else drawn.head(0)
    point = reached.loc[reached.threshold.idxmin()] if len(reached) else None
    top = min(1.0, 1.25 * max([risk, *drawn.risk, *([point.bound] if point is not None else [])]))
    ends.append((risk, f"at most {risk:.2f}", IMPOSTOR_TEXT))
    _spread(ax, [(min(height, 0.98 * top), *more) for height, *more in ends], 0.055 * top)
    ax.axhline(risk, color=IMPOSTOR_TEXT, lw=1.2, zorder=2)
    ax.axvline(coverage, color=INK, lw=1.0, ls=":", zorder=1)
    _say(ax, f"at least {coverage:.2f}", (coverage, top), (-3, -2), INK, "right", va="top")
    if point is not None:
        ax.scatter(point.coverage, point.bound, color=INK, marker="*", s=110, zorder=5)
        side = "left" if point.coverage < 0.3 else "right"
        _say(ax, f"chosen: {chosen:.2f}", (point.coverage, point.bound), (-4, 8), INK, side)
    ax.set(xlim=(0, 1), ylim=(0, top))
    ax.set_xlabel("coverage: share of answerable cases answered", fontsize=9)
    ax.set_title("Share of answers with an unsupported claim")
    figure.tight_layout(pad=0.5)
    return figure


def _spread(ax: Axes, ends: Sequence[tuple[float, str, str]], gap: float) -> None:
    """Write the name of each line right of the axes, at the height of its end and `gap` apart at least."""
    last = -gap
    for height, name, colour in sorted(ends):
        last = max(height, last + gap)
        ax.annotate(
            name, (1, last), (6, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
            va="center", fontsize=8.5, color=colour, annotation_clip=False,
        )  # fmt: skip


# --- policies -----------------------------------------------------------------------------------------------------


def policies_compared(frame: pd.DataFrame) -> Figure:
    """Draw what each policy did with the same eligible cases: one bar a policy, in parts that add up to all cases.

    `frame`: policy, and the number of cases of each of `POLICY_OUTCOMES`. Raises ValueError when policies had different
    numbers of cases. A number stands where its part is wide enough for it;
    the unsupported answers are counted above each bar too, over all answers.
    """
    parts = list(POLICY_OUTCOMES)
    totals = frame[parts].sum(axis=1)
    if totals.nunique() != 1:
        raise ValueError(f"policies are compared on the same cases; found {dict(zip(frame.policy, totals.tolist(), strict=True))}")
    total = int(totals.iloc[0])
    figure, ax = plt.subplots(figsize=(WIDTH, 1.5 + 0.46 * len(frame)))
    y = np.arange(len(frame))
    left = np.zeros(len(frame))
    for part, (colour, hatch, ink) in POLICY_OUTCOMES.items():
        shares = frame[part].to_numpy(float) / max(1, total)
        ax.barh(y, shares, 0.5, left=left, color=colour, hatch=hatch, edgecolor="white", lw=1)
        for row, (start, share, cases) in enumerate(zip(left, shares, frame[part], strict=True)):
            if share >= 0.018 + 0.02 * len(str(cases)):
                box = {"boxstyle": "square,pad=0.12", "fc": colour, "ec": "none"} if hatch else None
                ax.text(start + share / 2, row, str(cases), ha="center", va="center_baseline", fontsize=8.5, color=ink, bbox=box)
        left = left + shares
    unsupported = frame["answered, unsupported claim"]
    answers = frame["answered rightly"] + frame["answered incompletely"] + unsupported
    for row, (policy, wrong, of) in enumerate(zip(frame.policy, unsupported, answers, strict=True)):
        _say(ax, policy, (0, row - 0.27), (0, 1), INK, "left", fontsize=9, va="bottom")
        text = f"{wrong:.0f} of {of:.0f} unsupported" if of else "no answer"
        _say(ax, text, (1, row - 0.27), (0, 1), IMPOSTOR_TEXT, "right", va="bottom")
    ax.set(xlim=(0, 1), ylim=(len(frame) - 0.65, -0.75), yticks=[])
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100 %"])
    ax.set_xlabel(
        f"share of all {total} eligible cases; numbers are cases,\nabove each bar: unsupported answers of all answers", fontsize=9
    )
    ax.spines["left"].set_visible(False)
    _keys(figure, [Patch(facecolor=c, hatch=h, edgecolor="white", label=p) for p, (c, h, _) in POLICY_OUTCOMES.items()], 2)
    return figure


def worst_segment(frame: pd.DataFrame) -> Figure:
    """Draw the coverage of answerable cases in each segment as a dot, the policy's overall as a line; the worst is ringed and named.

    `frame`: policy, dimension (kind, language, ...), segment, answered, answerable, coverage, overall. A segment without an
    answerable case (coverage NaN) has no dot. Of equal ones the first is named.
    """
    policies, dimensions = list(dict.fromkeys(frame.policy)), list(dict.fromkeys(frame.dimension))
    marks = {d: _DIMENSIONS[i % len(_DIMENSIONS)] for i, d in enumerate(dimensions)}
    shift = {d: 0.3 * (i / max(1, len(dimensions) - 1) - 0.5) for i, d in enumerate(dimensions)}
    figure, ax = plt.subplots(figsize=(WIDTH, 1.2 + 0.62 * len(policies)))
    for y, policy in enumerate(policies):
        own = frame[frame.policy == policy].dropna(subset=["coverage"])
        ax.axhspan(y - 0.24, y + 0.24, color="#f3f3f3", lw=0, zorder=0)
        for dimension, part in own.groupby("dimension", sort=False):
            marker, colour = marks[dimension]
            ax.scatter(part.coverage, np.full(len(part), y + shift[dimension]), marker=marker, color=colour, s=20, zorder=3, clip_on=False)
        _say(ax, policy, (0, y - 0.24), (0, 1), INK, "left", fontsize=9, va="bottom")
        if not len(own):
            continue
        overall, worst = own.overall.iloc[0], own.loc[own.coverage.idxmin()]
        ax.vlines(overall, y - 0.24, y + 0.24, color=INK, lw=2, zorder=2)
        even = own.coverage.nunique() == 1
        text = "every segment alike" if even else f"worst: {worst.segment}, {worst.answered:.0f}/{worst.answerable:.0f}"
        _say(ax, text, (1, y - 0.24), (0, 1), "#555555", "right", va="bottom")
        if not even:
            ring = {"s": 80, "facecolor": "none", "edgecolor": INK, "lw": 1.2, "zorder": 4, "clip_on": False}
            ax.scatter(worst.coverage, y + shift[worst.dimension], **ring)
    ax.set(xlim=(0, 1), ylim=(len(policies) - 0.55, -0.75), yticks=[])
    ax.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    ax.set_xlabel("share of answerable cases answered", fontsize=9)
    ax.spines["left"].set_visible(False)
    dots = [plt.Line2D([], [], ls="", marker=m, color=c, ms=5, label=f"by {d}") for d, (m, c) in marks.items()]
    _keys(figure, [*dots, plt.Line2D([], [], ls="", marker="|", color=INK, ms=12, mew=2, label="all cases")], 3)
    return figure


def _keys(figure: Figure, handles: list, columns: int) -> None:
    """Put the keys above the axes, as many rows as they need."""
    rows = -(-len(handles) // columns)
    figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0.0, 1.0), ncols=columns, fontsize=8.5, columnspacing=1.2, borderaxespad=0
    )
    figure.tight_layout(pad=0.5, rect=(0, 0, 1, 1 - (0.19 * rows) / figure.get_figheight()))


def _say(ax: Axes, text: str, at: tuple[float, float], shift: tuple[float, float], colour: str, side: str, **more: object) -> None:
    style = {"fontsize": 8.5, "annotation_clip": False, **more}
    ax.annotate(text, at, xytext=shift, textcoords="offset points", ha=side, color=colour, **style)
