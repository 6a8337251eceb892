"""What a notebook shows: tables, figures with captions, answers in words, as HTML in which all text is escaped.

A document or a model's answer is text, whatever it contains: nothing that comes from one becomes markup.
Romanian columns are marked as Romanian, so that a screen reader reads them as such.
"""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path

import pandas as pd

ROMANIAN_COLUMNS = frozenset({"question", "sentence", "wrote", "the model wrote", "answer", "word", "in the source", "title", "source"})
_SHOWN_ROWS = 40
_PLACES = 3


class Table:
    """A data frame as a table that scrolls sideways on a narrow screen; `frame` is the whole of it.

    `romanian` tells whether its questions and answers are Romanian, as ours are.
    """

    def __init__(self, frame: pd.DataFrame, file: str, romanian: bool = True):
        self.frame = frame
        self.file = file
        self.romanian = romanian

    def __repr__(self) -> str:
        return self.frame.to_string(index=False)

    def _repr_html_(self) -> str:
        shown = self.frame.head(_SHOWN_ROWS)
        head = "".join(f'<th scope="col">{html.escape(str(c))}</th>' for c in shown.columns)
        rows = "".join(
            f"<tr>{''.join(_cell(v, self.romanian and _meaning(c, row) in ROMANIAN_COLUMNS) for c, v in zip(shown.columns, row, strict=True))}</tr>"
            for row in shown.itertuples(index=False)
        )
        more = (
            ""
            if len(shown) == len(self.frame)
            else f"<p>The first {len(shown)} of {len(self.frame)} rows; all of them: {html.escape(self.file)}</p>"
        )
        label = html.escape(Path(self.file).stem.replace("_", " "))
        return (
            f'<div class="table-wrap" role="region" tabindex="0" aria-label="table: {label}">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{more}"
        )


class Picture:
    """A drawn figure with its caption and alternative text."""

    def __init__(self, svg: Path, caption: str, alt: str, notebook: str, settings: str):
        self.svg = svg
        self.caption = caption
        self.alt = alt
        self.notebook = notebook
        self.settings = settings

    def __repr__(self) -> str:
        return f"Figure: {self.caption}"

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.svg.read_bytes()).decode("ascii")
        return (
            f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{html.escape(self.alt)}">'
            f"<figcaption>{html.escape(self.caption)} <small>Made by "
            f'<a href="../notebooks/{html.escape(self.notebook)}.ipynb">notebooks/{html.escape(self.notebook)}.ipynb</a> '
            f"with {html.escape(self.settings)}.</small></figcaption></figure>"
        )


class Prose:
    """Paragraphs of text, one a line; ``**bold**`` is the only markup, ``“quoted”`` text is Romanian."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        paragraphs = []
        for line in self.text.split("\n"):
            escaped = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html.escape(line))
            paragraphs.append("<p>" + re.sub("“(.*?)”", r'“<span lang="ro">\1</span>”', escaped) + "</p>")
        return f'<div class="answer">{"".join(paragraphs)}</div>'


def _meaning(column: str, row: tuple) -> str:
    """What a cell holds: its column, or in a table of facts (fact, value) what the row names."""
    return str(row[0]) if column == "value" else column


def _cell(value: object, romanian: bool) -> str:
    if value is None or value is pd.NA or (isinstance(value, float) and value != value):
        return "<td>n/a</td>"
    if isinstance(value, float):
        return f'<td class="number">{value:.{_PLACES}f}</td>'.replace(">-", ">−")
    text = html.escape(str(value)).replace("\n", "<br>")
    return f'<td lang="ro">{text}</td>' if romanian else f"<td>{text}</td>"


class Explorer:
    """Two populations of scores for each embedder, for the write-up's threshold explorer.

    `scores` is ``{embedder: {"in": [...], "out": [...], "threshold": t}}``. Outside the write-up, or with scripts
    off, a sentence stands in its place.
    """

    def __init__(self, scores: dict[str, dict[str, object]]):
        self.scores = scores

    def __repr__(self) -> str:
        return "Threshold explorer: open the write-up to drag the threshold."

    def _repr_html_(self) -> str:
        data = html.escape(json.dumps(self.scores, ensure_ascii=False, allow_nan=False))
        return (
            f'<div class="explorer" data-scores="{data}"><p>With scripts on, a threshold can be dragged here in the write-up; '
            "the figure above shows the same points.</p></div>"
        )
