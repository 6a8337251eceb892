"""Answers that models really gave to labelled questions, judged: how many are right, and what the gates let through.

An answer is right when it is true to the corpus and answers the question; every recorded answer was read and
labelled (``data/recorded/labels.csv``). A question that the corpus does not answer has no right answer but an
abstention. Coverage is the share of questions answered, selective risk the share of wrong ones among the answers.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from rocite.errors import InputError
from rocite.records import read_text

COLUMNS = ("id", "corpus", "lang", "question", "label", "docs", "right")


@dataclass(frozen=True)
class Asked:
    """One question put to the models. `right` says in a few words what a right answer holds, or what the corpus lacks."""

    id: str
    corpus: str
    lang: str
    question: str
    answerable: bool
    docs: tuple[str, ...]
    right: str


def load(path: Path) -> list[Asked]:
    """Read the questions at `path`. Raises InputError for missing columns, another label or an id that comes twice."""
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    if missing := [c for c in COLUMNS if c not in (reader.fieldnames or ())]:
        raise InputError(f"{path}: the columns {', '.join(missing)} are missing; expected {', '.join(COLUMNS)}.")
    asked: dict[str, Asked] = {}
    for row in reader:
        if row["label"] not in ("in", "out"):
            raise InputError(f"{path}, line {reader.line_num}: label {row['label']!r}; expected 'in' or 'out'.")
        if row["id"] in asked:
            raise InputError(f"{path}, line {reader.line_num}: the id {row['id']!r} comes twice.")
        docs = tuple(d for d in row["docs"].split("|") if d)
        asked[row["id"]] = Asked(row["id"], row["corpus"], row["lang"], row["question"], row["label"] == "in", docs, row["right"])
    return list(asked.values())
