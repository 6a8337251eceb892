"""The figure of the chapter that checks the methods."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rocite.figures.style import IMPOSTOR_TEXT, INK, LEGITIMATE

_LINE = 0.22  # inches a row
_PANELS = (("Methods in use", True, LEGITIMATE, "o", LEGITIMATE), ("Mistakes, for comparison", False, IMPOSTOR_TEXT, "D", "white"))


def observed_coverage(frame: pd.DataFrame) -> Figure:
    """Draw how often each method held beside how often it says so: methods in use above, mistakes below, each on its own axis.

    `frame`: method, setting, used, nominal, value, low, high, short; a number is bold where the method falls short.
    Narrow, so that it can be read on a phone.
    """
    parts = [frame[frame.used == used] for _, used, *_ in _PANELS]
    heights = [len(own) + own.method.nunique() + 1.4 for own in parts]
    figure, axes = plt.subplots(2, 1, figsize=(4.8, _LINE * sum(heights) + 1.3), height_ratios=heights)
    for ax, own, (title, _, *drawn) in zip(axes, parts, _PANELS, strict=True):
        _panel(ax, own, *drawn)
        _say(ax, title, ("figure fraction", "data"), (0.01, -1.1), color=drawn[0], fontsize=10, fontweight="bold")
    axes[-1].set_xlabel("share of data sets on which it held", fontsize=9, loc="right")
    figure.subplots_adjust(left=0.4, right=0.88, bottom=0.6 / figure.get_figheight(), top=0.995, hspace=0.14)
    return figure


def _panel(ax: Axes, frame: pd.DataFrame, colour: str, marker: str, face: str) -> None:
    y = -1
    for method, own in frame.groupby("method", sort=False):
        y += 1
        _say(ax, method, ("figure fraction", "data"), (0.01, y), fontweight="bold")
        rows = np.arange(y + 1, y + 1 + len(own))
        ax.vlines(own.nominal, rows - 0.5, rows + 0.5, color=INK, lw=1.2, zorder=1)
        ax.hlines(rows, own.low, own.high, color=colour, lw=1.8, zorder=2)
        ax.scatter(own.value, rows, color=colour, facecolor=face, marker=marker, s=32, zorder=3)
        for row in own.itertuples():
            y += 1
            _say(ax, row.setting, ("figure fraction", "data"), (0.01, y), fontsize=8.5)
            _say(ax, f"{row.value:.3f}", ("axes fraction", "data"), (1.05, y), fontweight="bold" if row.short else "normal")
    nominal, least = frame.nominal.unique(), float(frame.low.min())
    ax.annotate(f"says {nominal[0]:.2f}" if len(nominal) == 1 else "says", (nominal[0], 0), ha="center", va="center", fontsize=9)
    ax.set(xlim=(least - 0.06 * (1 - least), 1 + 0.02 * (1 - least)), ylim=(y + 0.7, -1.4), yticks=[])
    ax.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    ax.tick_params(axis="x", labelsize=9)
    ax.spines["left"].set_visible(False)


def _say(ax: Axes, text: str, coordinates: tuple[str, str], at: tuple[float, float], **style: object) -> None:
    ax.annotate(text, at, xycoords=coordinates, va="center_baseline", annotation_clip=False, **{"fontsize": 9, **style})
