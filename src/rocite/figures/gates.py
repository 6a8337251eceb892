"""Figures of the chapters on grounding and gates: prefix sweep, outcomes, threshold sweep."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from rocite.figures.style import (
    FAINT,
    INK,
    OUTCOME_COLOURS,
    RECORDED_COLOURS,
    SENTENCE_COLOURS,
    SET_COLOURS,
    SWEEP_CATCH,
    SWEEP_COLOURS,
)


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


def catch_matrix(frame: pd.DataFrame, checks: list[str]) -> Figure:
    """Draw the share of answers of each kind that each check fails, faults above faithful ones.

    `frame`: kind, fault, items, and a column of shares for each of `checks`.
    """
    labels = [f"{r.kind.replace('_', ' ')} ({r.items})" for r in frame.itertuples()]
    figure, ax = plt.subplots(figsize=(7.4, 0.9 + 0.31 * len(frame)))
    values = frame[checks].to_numpy(float)
    texts = np.array([["" if v < 0.005 else f"{100 * v:.0f}" for v in row] for row in values])
    sns.heatmap(
        values, annot=texts, fmt="", cmap=sns.light_palette(SWEEP_CATCH, as_cmap=True), vmin=0, vmax=1, cbar=False,
        linewidths=1.2, linecolor="white", ax=ax, annot_kws={"fontsize": 8.5},
    )  # fmt: skip
    ax.set_yticks(np.arange(len(frame)) + 0.5, labels, rotation=0)
    ax.set_xticks(np.arange(len(checks)) + 0.5, checks, rotation=35, ha="left")
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    faults = int(frame.fault.sum())
    ax.axhline(faults, color=INK, lw=1.4)
    ax.annotate("faults: should be failed", (len(checks), faults / 2), xytext=(10, 0), textcoords="offset points", rotation=-90, va="center", fontsize=8.5)  # fmt: skip
    ax.annotate("faithful: should not", (len(checks), faults + (len(frame) - faults) / 2), xytext=(10, 0), textcoords="offset points", rotation=-90, va="center", fontsize=8.5)  # fmt: skip
    ax.set(xlabel="", ylabel="")
    figure.tight_layout()
    return figure


def refused_by_kind(frame: pd.DataFrame) -> Figure:
    """Draw the share that either set refuses, kind by kind, with intervals; faults left, faithful answers right.

    `frame`: kind, fault, and for "article" and "strict" the share with `_low` and `_high`.
    """
    figure, axes = plt.subplots(1, 2, figsize=(7.4, 3.6), gridspec_kw={"width_ratios": [8, 7]})
    for ax, fault, title in zip(axes, (True, False), ("Faults refused", "Faithful answers refused"), strict=True):
        part = frame[frame.fault == fault].reset_index(drop=True)
        for name, colour, marker, shift in (("article", SET_COLOURS["article"], "D", -0.14), ("strict", SET_COLOURS["strict"], "o", 0.14)):
            y = np.arange(len(part)) + shift
            ax.hlines(y, part[f"{name}_low"], part[f"{name}_high"], color=colour, lw=1.6, alpha=0.75)
            ax.scatter(part[name], y, color=colour, marker=marker, s=26, zorder=3, label=name)
        ax.set_yticks(np.arange(len(part)), [k.replace("_", " ") for k in part.kind])
        ax.invert_yaxis()
        ax.set(xlim=(-0.03, 1.03), title=title, xlabel="share, interval over documents")
        ax.tick_params(axis="y", length=0)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncols=2, fontsize=8.5)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    return figure


def risk_coverage(frame: pd.DataFrame, points: dict[str, tuple[float, float]]) -> Figure:
    """Draw risk against coverage as one threshold moves, with the default settings as points.

    `frame`: threshold, value, coverage, risk; `points`: set to (coverage, risk).
    """
    figure, ax = plt.subplots(figsize=(7.4, 3.6))
    for (name, group), style in zip(frame.groupby("threshold", sort=False), ("-", "--", ":"), strict=False):
        colour = SET_COLOURS["article" if name == "min_ground" else "strict"]
        line = group.dropna(subset=["risk"]).sort_values("coverage")
        ax.plot(line.coverage, line.risk, style, color=colour, lw=1.8)
        first = line.iloc[-1]
        ax.annotate(
            f"{name} moves",
            (first.coverage, first.risk),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color=colour,
        )
    for name, (coverage, risk) in points.items():
        ax.scatter([coverage], [risk], color=SET_COLOURS[name], marker="D" if name == "article" else "o", s=52, zorder=4)
        ax.annotate(
            f"{name}, as set",
            (coverage, risk),
            xytext=(0, -16),
            textcoords="offset points",
            ha="center",
            fontsize=8.5,
            color=SET_COLOURS[name],
        )
    ax.set(
        xlim=(0, 1.12),
        ylim=(0, None),
        xlabel="coverage: share of answers shown",
        ylabel="",
        title="Risk: share of faulty answers among those shown",
    )
    figure.tight_layout()
    return figure


def recorded_outcomes(frame: pd.DataFrame) -> Figure:
    """Draw what became of the answers that models gave: right and wrong, shown and stopped, for each recording and set.

    `frame`: recording, gates, and the five counts of `evaluate.end_to_end.outcome_counts`.
    """
    parts = ["right shown", "right stopped", "abstained", "wrong stopped", "wrong shown"]
    recordings = list(dict.fromkeys(frame.recording))
    figure, axes = plt.subplots(1, len(recordings), figsize=(7.4, 2.6), sharey=True, squeeze=False)
    for ax, recording in zip(axes[0], recordings, strict=True):
        group = frame[frame.recording == recording].reset_index(drop=True)
        left = np.zeros(len(group))
        for part in parts:
            counts = group[part].to_numpy(float)
            ax.barh(np.arange(len(group)), counts, left=left, color=RECORDED_COLOURS[part], edgecolor="white", lw=1.2, label=part)
            for y, (start, count) in enumerate(zip(left, counts, strict=True)):
                if count >= 4:
                    dark = part in ("right shown", "wrong shown")
                    ax.text(start + count / 2, y, f"{count:.0f}", ha="center", va="center", fontsize=8, color="white" if dark else INK)
            left += counts
        ax.set_yticks(np.arange(len(group)), group.gates)
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set(title=recording, xlabel="answers")
    handles, names = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncols=len(parts), fontsize=8)
    figure.tight_layout(rect=(0, 0.1, 1, 1))
    return figure
