"""Figures of the separation chapter: populations, margins, signals."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from rocite.figures.style import (
    FAINT,
    IMPOSTOR_TEXT,
    INK,
    LABEL_COLOURS,
    LABEL_MARKERS,
    LABEL_NAMES,
    LEGITIMATE,
    SIGNAL_NAMES,
    embedder_colour,
)


def populations(frame: pd.DataFrame) -> Figure:
    """Draw every question as one point, a row for each population, a panel for each embedder.

    `frame`: embedder, label (in/out), score, threshold, margin. The band is where the populations overlap.
    """
    names = list(frame.embedder.unique())
    figure, axes = plt.subplots(len(names), 1, figsize=(7.4, 1.0 + 1.25 * len(names)), squeeze=False)
    for ax, name in zip(axes[:, 0], names, strict=True):
        part = frame[frame.embedder == name].copy()
        low, high = part[part.label == "in"].score.min(), part[part.label == "out"].score.max()
        margin = part.margin.iloc[0]
        span = part.score.max() - part.score.min() or 1.0
        part["row"] = part.label.map({"in": 1.0, "out": 0.0})
        part["row"] += _dodge(part, span)
        if margin < 0:
            ax.axvspan(low, high, color="#f4e3d0", lw=0, zorder=0)
        size = 62 if len(part) <= 20 else 26
        sns.scatterplot(
            part, x="score", y="row", hue="label", style="label", palette=LABEL_COLOURS, markers=LABEL_MARKERS,
            s=size, linewidth=0.6, edgecolor="white", legend=False, ax=ax, zorder=3,
        )  # fmt: skip
        threshold = part.threshold.iloc[0]
        if pd.notna(threshold):
            ax.axvline(threshold, color=INK, lw=0.9, ls=(0, (4, 3)), zorder=2)
            if ax is axes[0, 0]:
                ax.annotate("gate A", (threshold, 1.5), ha="right", va="center", fontsize=8, xytext=(-3, 0), textcoords="offset points")
        ax.set_yticks(
            [1, 0], [f"{LABEL_NAMES['in']} ({(part.label == 'in').sum()})", f"{LABEL_NAMES['out']} ({(part.label == 'out').sum()})"]
        )
        for tick, colour in zip(ax.get_yticklabels(), (LEGITIMATE, IMPOSTOR_TEXT), strict=True):
            tick.set_color(colour)
        ax.set(ylim=(-0.65, 1.65), ylabel="", xlabel="", title=f"{name}: margin {_signed(margin)}")
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
    axes[-1, 0].set_xlabel("similarity of the best document (each embedder has its own scale)")
    figure.tight_layout(h_pad=0.9)
    return figure


def _dodge(part: pd.DataFrame, span: float) -> pd.Series:
    """Vertical offsets that keep points of one row from lying on one another; the same for the same table."""
    offsets = pd.Series(0.0, index=part.index)
    for _, group in part.groupby("label"):
        placed: list[tuple[float, float]] = []
        for index, score in group.score.sort_values(kind="stable").items():
            for step in (0, 1, -1, 2, -2, 3, -3, 4, -4):
                offset = 0.1 * step
                if all(abs(score - x) > 0.017 * span or abs(offset - y) > 0.05 for x, y in placed):
                    break
            placed.append((score, offset))
            offsets[index] = offset
    return offsets


def margin_by_size(frame: pd.DataFrame) -> Figure:
    """Draw how the margin falls, and how often it is negative, as questions are added.

    `frame`: embedder, size, negative, low, median, high (5 %, 50 % and 95 % of the subsampled margins).
    """
    names = list(frame.embedder.unique())
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.0), width_ratios=(1.15, 1))
    sizes = sorted(frame["size"].unique())
    for number, name in enumerate(names):
        part = frame[frame.embedder == name].sort_values("size")
        colour = embedder_colour(name, names)
        x = np.array([sizes.index(s) for s in part["size"]]) + 0.13 * (number - (len(names) - 1) / 2)
        left.vlines(x, part.low, part.high, color=colour, lw=2.2, alpha=0.75)
        left.scatter(x, part["median"], color=colour, s=26, zorder=3, edgecolor="white", linewidth=0.6)
        left.text(0.03, 0.05 + 0.085 * (len(names) - 1 - number), name, transform=left.transAxes, color=colour, fontsize=8.5)
        right.text(0.97, 0.05 + 0.085 * (len(names) - 1 - number), name, transform=right.transAxes, ha="right", color=colour, fontsize=8.5)
        right.plot([sizes.index(s) for s in part["size"]], part.negative, color=colour, lw=1.6, marker="o", ms=4.5, clip_on=False)
    left.axhline(0, color=INK, lw=0.9)
    left.annotate("separable", (len(sizes) - 0.55, 0), xytext=(0, 3), textcoords="offset points", ha="right", fontsize=8)
    for ax, title in ((left, "Margin (median, 5 to 95 %)"), (right, "Share of samples with a negative margin")):
        ax.set_xticks(range(len(sizes)), [str(s) for s in sizes])
        ax.set(xlabel="questions of each kind", title=title, xlim=(-0.5, len(sizes) - 0.5))
    right.set_ylim(0, 1.02)
    figure.tight_layout(w_pad=2)
    return figure


def signals(frame: pd.DataFrame, admit: float) -> Figure:
    """Draw how well each signal separates: AUROC and impostors admitted, with intervals.

    `frame`: embedder, signal, auroc, auroc_low, auroc_high, admitted, admitted_low, admitted_high.
    """
    names, kinds = list(frame.embedder.unique()), list(frame.signal.unique())
    figure, axes = plt.subplots(1, 2, figsize=(7.4, 0.9 + 0.55 * len(kinds)), sharey=True)
    for ax, measure, title in ((axes[0], "auroc", "AUROC"), (axes[1], "admitted", f"Impostors admitted at {100 * admit:.0f} %")):
        for number, name in enumerate(names):
            part = frame[frame.embedder == name].set_index("signal").loc[kinds]
            y = np.arange(len(kinds)) + 0.22 * (number - (len(names) - 1) / 2)
            colour = embedder_colour(name, names)
            ax.hlines(y, part[f"{measure}_low"], part[f"{measure}_high"], color=colour, lw=2, alpha=0.7)
            ax.scatter(part[measure], y, color=colour, s=26, zorder=3, edgecolor="white", linewidth=0.6, label=name)
        ax.set(title=title, xlim=(-0.02, 1.02))
        ax.set_yticks(range(len(kinds)), [SIGNAL_NAMES.get(k, k) for k in kinds])
        ax.tick_params(axis="y", length=0)
    axes[0].axvline(0.5, color=FAINT, lw=0.9, zorder=0)
    axes[0].invert_yaxis()
    for number, name in enumerate(names):
        axes[0].annotate(name, (0.0, number * 0.22 - 0.22), color=embedder_colour(name, names), fontsize=8, va="center")
    figure.tight_layout(w_pad=2)
    return figure


def squad_margins(frame: pd.DataFrame) -> Figure:
    """Draw the margin as the corpus grows, one point a draw of articles.

    `frame`: embedder, articles, margin.
    """
    names = list(frame.embedder.unique())
    sizes = sorted(frame.articles.unique())
    figure, ax = plt.subplots(figsize=(7.4, 2.9))
    for number, name in enumerate(names):
        part = frame[frame.embedder == name]
        x = part.articles.map(sizes.index) + 0.16 * (number - (len(names) - 1) / 2)
        ax.scatter(x, part.margin, s=14, color=embedder_colour(name, names), alpha=0.65, lw=0)
        ax.text(
            0.98,
            0.06 + 0.085 * (len(names) - 1 - number),
            name,
            transform=ax.transAxes,
            ha="right",
            color=embedder_colour(name, names),
            fontsize=8.5,
        )
    ax.axhline(0, color=INK, lw=0.9)
    ax.set_xticks(range(len(sizes)), [str(s) for s in sizes])
    ax.set(xlabel="articles indexed", ylabel="", title="Separation margin, one point a draw of articles")
    figure.tight_layout()
    return figure


def _signed(value: float) -> str:
    """A number with its sign, the minus as a minus."""
    return f"{value:+.3f}".replace("-", "−")
