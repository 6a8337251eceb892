"""The one style sheet and palette of all figures, and how a figure is written."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # figures are files; nothing opens a window

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

INK, FAINT = "#222222", "#b8b8b8"
LEGITIMATE, IMPOSTOR = "#08457e", "#e8821e"
IMPOSTOR_TEXT = "#a85708"  # the impostors' colour, dark enough to read
LABEL_COLOURS = {"in": LEGITIMATE, "out": IMPOSTOR}
LABEL_NAMES = {"in": "legitimate", "out": "impostor"}
LABEL_MARKERS = {"in": "o", "out": "D"}
EMBEDDER_COLOURS = {"e5": "#08457e", "minilm": "#c2571a", "tfidf": "#7f7f7f"}
SENTENCE_COLOURS = {"faithful": "#08457e", "inflected": "#3f8fc5", "paraphrased": "#8a8a8a", "ungrounded": "#e8821e"}
OUTCOME_COLOURS = {"answered rightly": "#08457e", "answered wrongly": "#e8821e", "refused": "#d9d9d9"}
SIGNAL_NAMES = {"raw": "raw score", "gap": "gap to second", "zscore": "z-score", "mean3": "mean of three", "lexical": "shared words"}
OTHER_COLOURS = ("#4d4d4d", "#8c6d31", "#7b4173")  # embedders of the reader's own
_STYLE = {
    "font.family": "DejaVu Sans",  # matplotlib ships it, and it has ă â î ș ț
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "figure.dpi": 100,
    "savefig.dpi": 160,
    "figure.facecolor": "white",
    "svg.fonttype": "path",
    "legend.frameon": False,
}
SWEEP_COLOURS = {
    "true sentences refused": "#3f8fc5",
    "right answers refused": LEGITIMATE,
    "ungrounded sentences supported": "#f0b27a",
    "wrong answers let through": IMPOSTOR,
}
SET_COLOURS = {"article": "#c2571a", "strict": LEGITIMATE}
SWEEP_CATCH = LEGITIMATE  # the dark end of the catch matrix
RECORDED_COLOURS = {
    "right shown": LEGITIMATE,
    "right stopped": "#9dc3e2",
    "abstained": "#d9d9d9",
    "wrong stopped": "#f6d0a8",
    "wrong shown": "#c2571a",
}


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Draw in the project's style; a missing glyph or font is an error, not a box in the figure."""
    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*[Gg]lyph.*")
        warnings.filterwarnings("error", message=".*findfont.*")
        yield


def save(figure: Figure, base: Path) -> None:
    """Write `figure` as ``base.svg`` and ``base.png``, the same bytes for the same drawing, and close it."""
    with matplotlib.rc_context({"svg.hashsalt": base.name}):
        figure.savefig(base.with_suffix(".svg"), metadata={"Date": None, "Creator": None}, bbox_inches="tight", pad_inches=0.08)
        figure.savefig(base.with_suffix(".png"), metadata={"Software": None}, bbox_inches="tight", pad_inches=0.08)
    plt.close(figure)


def embedder_colour(name: str, names: list[str]) -> str:
    """The colour of an embedder: fixed for the installed ones, in turn for others."""
    others = [n for n in names if n not in EMBEDDER_COLOURS]
    return EMBEDDER_COLOURS.get(name) or OTHER_COLOURS[others.index(name) % len(OTHER_COLOURS)]
