"""Figures of the chapters on grounding and gates: prefix sweep, outcomes, threshold sweep."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from rocite.figures.style import FAINT, INK, OUTCOME_COLOURS, SENTENCE_COLOURS, SWEEP_COLOURS


def prefix_sweep(frame: pd.DataFrame, threshold: float, chosen: str) -> Figure:
    """Draw which share of each kind of sentence reaches the threshold, by how words are compared.

    `frame`: method, faithful_share, inflected_share, paraphrased_share, ungrounded_share.
    """
    figure, ax = plt.subplots(figsize=(7.4, 3.3))
    long = frame.melt("method", [f"{k}_share" for k in SENTENCE_COLOURS], "kind", "share")
    long["kind"] = long.kind.str.removesuffix("_share")
    words = frame[frame.method != "stemmer"].method.tolist()
    lines = long[long.method.isin(words)]
    sns.lineplot(
        lines, x="method", y="share", hue="kind", style="kind", palette=SENTENCE_COLOURS, dashes=False,
        markers={"faithful": "o", "inflected": "s", "paraphrased": "^", "ungrounded": "D"}, lw=1.7, ax=ax, legend=False, errorbar=None,
    )  # fmt: skip
    stem = long[long.method == "stemmer"]
    markers = {"faithful": "o", "inflected": "s", "paraphrased": "^", "ungrounded": "D"}
    last = -1.0
    for _, row in stem.sort_values("share").iterrows():
        ax.scatter([len(words)], [row.share], color=SENTENCE_COLOURS[row.kind], marker=markers[row.kind], s=34, zorder=3)
        height = max(row.share, last + 0.075)
        last = height
        ax.annotate(
            row.kind,
            (len(words), height),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            color=SENTENCE_COLOURS[row.kind],
            fontsize=8.5,
        )
    if chosen in words:
        ax.axvline(words.index(chosen), color=FAINT, lw=6, alpha=0.35, zorder=0)
    ax.set_xticks(range(len(words) + 1), [w.replace("prefix ", "") for w in words[:-1]] + ["whole\nwords", "stemmer"])
    ax.set(
        ylim=(-0.03, 1.05),
        xlim=(-0.3, len(words) + 0.2),
        xlabel="letters compared",
        ylabel="",
        title=f"Share of sentences that reach {threshold:.2f}",
    )
    figure.tight_layout()
    return figure


def outcomes(frame: pd.DataFrame) -> Figure:
    """Draw what became of every phrasing of every case: one tile each, in three outcomes.

    `frame`: model, case, position (of the tile), outcome.
    """
    models, cases = list(frame.model.unique()), list(frame.case.unique())
    kinds = list(OUTCOME_COLOURS)
    figure, axes = plt.subplots(1, len(models), figsize=(7.4, 1.2 + 0.42 * len(cases)), sharey=True, squeeze=False)
    for ax, model in zip(axes[0], models, strict=True):
        part = frame[frame.model == model]
        grid = part.pivot(index="case", columns="position", values="outcome").loc[cases]
        codes = grid.map(lambda o: kinds.index(o) if o in kinds else np.nan).astype(float)
        sns.heatmap(
            codes,
            cmap=sns.color_palette(list(OUTCOME_COLOURS.values()), as_cmap=False),
            vmin=0,
            vmax=2,
            cbar=False,
            linewidths=1.5,
            linecolor="white",
            ax=ax,
        )
        for row, case in enumerate(cases):
            for column, outcome in enumerate(grid.loc[case]):
                mark = {"answered rightly": "✓", "answered wrongly": "✗"}.get(outcome, "")
                ax.text(
                    column + 0.5,
                    row + 0.5,
                    mark,
                    ha="center",
                    va="center",
                    color="white" if outcome == "answered rightly" else INK,
                    fontsize=8,
                )
        ax.set(xlabel="", ylabel="", title=model.replace(" (", "\n("), xticks=[])
        ax.tick_params(axis="y", length=0, rotation=0)
    handles = [plt.Rectangle((0, 0), 1, 1, color=OUTCOME_COLOURS[k]) for k in kinds]
    figure.legend(handles, ["✓ answered rightly", "✗ answered wrongly", "refused"], loc="lower center", ncols=3, fontsize=8.5)
    figure.tight_layout(rect=(0, 0.1, 1, 1))
    return figure


def sweep(frame: pd.DataFrame, parameter: str) -> Figure:
    """Draw what each value of a parameter costs (true refused) and buys (false let through).

    `frame`: the parameter, and the four shares named in `SWEEP_COLOURS`.
    """
    figure, ax = plt.subplots(figsize=(7.4, 3.4))
    x = range(len(frame))
    last: list[float] = []
    for name, colour in SWEEP_COLOURS.items():
        ax.plot(x, frame[name], color=colour, lw=1.7, marker="o" if "refused" in name else "D", ms=5, clip_on=False)
    for name, value in sorted(((n, frame[n].iloc[-1]) for n in SWEEP_COLOURS), key=lambda item: item[1]):
        height = max(value, last[-1] + 0.07) if last else value
        last.append(height)
        ax.annotate(
            name, (len(frame) - 1, height), xytext=(8, 0), textcoords="offset points", va="center", fontsize=8.5, color=SWEEP_COLOURS[name]
        )
    ax.set_xticks(list(x), [str(v) for v in frame[parameter]])
    ax.set(ylim=(-0.02, 1.02), xlabel=parameter, title="Share refused and let through")
    figure.tight_layout()
    return figure
