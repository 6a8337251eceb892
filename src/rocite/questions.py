"""Question sets: which question, whether the corpus answers it, from which documents, in which family.

Reads CSV (comma or semicolon, with or without byte-order mark) and JSON Lines. `label` is ``in`` when the
corpus holds the answer and ``out`` when it does not; `family` groups questions that are not independent.
Refuses what would quietly change a figure: other labels, repeated ids or questions, documents that do not exist.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from rocite.errors import InputError
from rocite.records import read_jsonl, read_text
from rocite.text import fold, normalise

FITTING_STRATUM = "seven"  # the questions of either kind that gate A's threshold is fitted on


@dataclass(frozen=True)
class Question:
    """One labelled question. `docs` are the ids of the documents that answer it; empty for an ``out`` question."""

    id: str
    question: str
    label: str
    docs: tuple[str, ...] = ()
    stratum: str = ""
    family: str = ""


def load(path: Path | str, document_ids: list[str] | None = None, least_of_each: int = 0) -> list[Question]:
    """Read the questions at `path`; `document_ids`, where given, are the ids that `docs` may name.

    Raises InputError naming file and line for a missing column, an empty question, a label other than in/out,
    an unknown document, an id or question that comes twice, and fewer than `least_of_each` of either label.
    """
    path = Path(path)
    rows = _rows(path)
    questions, ids, texts = [], {}, {}
    known = set(document_ids) if document_ids is not None else None
    for place, row in rows:
        missing = [name for name in ("id", "question", "label") if not str(row.get(name) or "").strip()]
        if missing:
            raise InputError(f"{place}: {', '.join(missing)} missing or empty; expected id, question, label, docs, stratum, family.")
        label = str(row["label"]).strip().lower()
        if label not in ("in", "out"):
            raise InputError(f"{place}: label {row['label']!r}; expected 'in' (the corpus answers it) or 'out'.")
        docs = tuple(d.strip() for d in _as_list(row.get("docs")) if d.strip())
        unknown = [d for d in docs if known is not None and d not in known]
        if unknown:
            raise InputError(f"{place}: docs names {unknown[0]!r}, which is no document of the corpus.")
        question = Question(
            id=str(row["id"]).strip(),
            question=normalise(str(row["question"])).strip(),
            label=label,
            docs=docs,
            stratum=str(row.get("stratum") or "").strip(),
            family=str(row.get("family") or "").strip() or str(row["id"]).strip(),
        )
        for name, key, seen in (("id", question.id, ids), ("question", fold(question.question), texts)):
            if key in seen:
                raise InputError(f"{place}: the {name} {getattr(question, name)!r} stands already at {seen[key]}.")
            seen[key] = place
        questions.append(question)
    for label in ("in", "out"):
        count = sum(q.label == label for q in questions)
        if count < least_of_each:
            raise InputError(f"{path}: {count} questions labelled {label!r}; at least {least_of_each} of each are needed.")
    return questions


def _as_list(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(v) for v in value]
    return str(value or "").split("|")


def _rows(path: Path) -> list[tuple[str, dict]]:
    if path.suffix == ".jsonl":
        return [(f"{path}, object {n}", record) for n, record in enumerate(read_jsonl(path), 1)]
    if path.suffix != ".csv":
        raise InputError(f"{path}: expected a .csv or .jsonl file of questions.")
    text = read_text(path)
    header = text.split("\n", 1)[0]
    delimiter = ";" if header.count(";") > header.count(",") else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows = []
    for row in reader:
        place = f"{path}, line {reader.line_num}"
        if None in row or None in row.values():
            raise InputError(
                f"{place}: {'more' if None in row else 'fewer'} fields than the header names; quote fields that hold {delimiter!r}."
            )
        rows.append((place, {(k or "").strip().lower(): v for k, v in row.items()}))
    return rows
