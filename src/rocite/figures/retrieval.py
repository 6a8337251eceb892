"""Figures of the chapter on retrieval: recall by kind of question, recall across languages, outcomes of answers."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from rocite.figures.style import FAINT, INK, LEGITIMATE

_MARKERS = ("o", "s", "D", "^", "v", "P")
_COLOURS = ("#0b4f8a", "#c2571a", "#5b7f2b", "#7a3e9d", "#8a8a8a", "#333333")


def recall_by_group(frame: pd.DataFrame, group: str, retrievers: Sequence[str], labels: dict[str, str], aim: float | None = None) -> Figure:
    """Draw recall with its interval for each group and retriever; lines of points, one marker a retriever.

    `frame`: retriever, the column `group`, value, low, high. `labels` names the retrievers, `aim` draws a line.
    """
    groups = list(dict.fromkeys(frame[group]))
    figure, ax = plt.subplots(figsize=(7.4, 1.2 + 0.62 * len(groups)))
    spread = 0.62 / max(1, len(retrievers))
    for n, name in enumerate(retrievers):
        own = frame[frame.retriever == name].set_index(group).loc[groups]
        y = np.arange(len(groups)) + (n - (len(retrievers) - 1) / 2) * spread
        ax.hlines(y, own.low, own.high, color=_COLOURS[n], lw=1.4)
        ax.scatter(own.value, y, color=_COLOURS[n], marker=_MARKERS[n], s=30, zorder=3, label=labels.get(name, name))
    if aim is not None:
        ax.axvline(aim, color=FAINT, lw=1, ls="--", zorder=0)
        ax.annotate(
            f"aim {aim:.2f}", (aim, -0.62), ha="right", va="bottom", fontsize=8, color=INK, xytext=(-3, 0), textcoords="offset points"
        )
    ax.set_yticks(range(len(groups)), groups)
    ax.set_ylim(len(groups) - 0.4, -0.75)
    ax.set(xlim=(min(0.0, float(frame.low.min())) if frame.low.min() < 0.2 else 0.2, 1.02), xlabel="recall@5")
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.45, -0.18 if len(groups) > 3 else -0.3),
        ncols=min(3, len(retrievers)),
        frameon=False,
        fontsize=8.5,
    )
    figure.tight_layout()
    return figure


def answer_outcomes(frame: pd.DataFrame, outcomes: Sequence[str]) -> Figure:
    """Draw what became of every item for each system, without gates and with the checks, by whether its passages were retrieved.

    `frame`: system, gates, retrieved, items, and one column an outcome.
    """
    systems = list(frame.system.unique())
    figure, axes = plt.subplots(1, len(systems), figsize=(7.4, 3.0), sharey=True, squeeze=False)
    names = {"yes": "all retrieved", "no": "some missing", "nothing to retrieve": "unanswerable"}
    for ax, system in zip(axes[0], systems, strict=True):
        own = frame[frame.system == system]
        order = [(r, g) for r in names for g in ("no gates", "strict")]
        left = np.zeros(len(order))
        for outcome in outcomes:
            shares = []
            for retrieved, gates in order:
                row = own[(own.retrieved == retrieved) & (own.gates == gates)].iloc[0]
                shares.append(row[outcome] / row["items"] if row["items"] else 0.0)
            colour, hatch = OUTCOMES[outcome]
            if frame[outcome].any():
                ax.barh(range(len(order)), shares, left=left, color=colour, hatch=hatch, edgecolor="white", lw=0.5, label=outcome)
            left = left + np.array(shares)
        ax.set_yticks(range(len(order)), [f"{names[r]}, {g}" for r, g in order])
        ax.tick_params(axis="x", labelsize=8)
        ax.set(xlim=(0, 1), ylim=(len(order) - 0.5, -0.5), title=system)
    handles, shown = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, shown, loc="lower center", ncols=4, frameon=False, fontsize=8)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    return figure


OUTCOMES = {
    "right": (LEGITIMATE, ""),
    "incomplete": ("#7fa7cf", ""),
    "overclaimed": ("#e0a458", "//"),
    "wrong": ("#c2571a", "//"),
    "refused though answerable": ("#b8b8b8", ""),
    "refused rightly": ("#e3e3e3", ""),
    "error": ("#333333", "xx"),
}
