"""Answers that models really gave to labelled questions, judged: how many are right, and what the gates let through.

An answer is right when it is true to the corpus and answers the question; every recorded answer was read and
labelled (``data/recorded/labels.csv``). A question that the corpus does not answer has no right answer but an
abstention. Coverage is the share of questions answered, selective risk the share of wrong ones among the answers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from rocite.check import fragment
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.cases import EndToEndCase
from rocite.evaluate.judged import Judge
from rocite.records import read_jsonl, read_text

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


LABELS = ("right", "wrong", "abstains")


def load_labels(path: Path, known: Sequence[str] = LABELS) -> dict[tuple[str, str], tuple[str, str]]:
    """Read what a reader found of each recorded answer: (recording, question id) to (label, why); `known` are the labels.

    Raises InputError naming the line for an unknown label and for an answer that is labelled twice.
    """
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for row in reader:
        place = f"{path}, line {reader.line_num}"
        if row.get("label") not in known:
            raise InputError(f"{place}: label {row.get('label')!r}; expected one of {', '.join(known)}.")
        if (row["recording"], row["id"]) in found:
            raise InputError(f"{place}: the answer of {row['recording']} to {row['id']} is labelled twice.")
        found[row["recording"], row["id"]] = (row["label"], row["why"])
    return found


def judge_recorded(
    recording: str,
    rows: list[dict],
    asked: list[Asked],
    corpora: Mapping[str, Corpus],
    labels: Mapping[tuple[str, str], tuple[str, str]],
    judge: Judge,
) -> pd.DataFrame:
    """Judge every answer of a recording by both sets of gates.

    Columns: recording, id, answerable, question, answer, label, why, unit (the corpus and the cited or first document),
    article, strict (verdicts), failed (of strict). Raises InputError for an answer without a label.
    """
    by_id = {q.id: q for q in asked}
    found = []
    for row in rows:
        question = by_id[row["id"]]
        if (recording, row["id"]) not in labels:
            raise InputError(f"data/recorded/labels.csv: the answer of {recording} to {row['id']} has no label.")
        fragments = tuple(fragment(corpora[question.corpus][name]) for name in row["fragments"])
        label, why = labels[recording, row["id"]]
        judged = judge.by(("article", "strict"), question.question, fragments, row["text"], question.lang)
        unit = f"{question.corpus}/{(*question.docs, *row['fragments'])[0]}"
        about = (recording, row["id"], question.answerable, question.question, row["text"], label, why, unit)
        found.append((*about, judged["article"].verdict, judged["strict"].verdict, ", ".join(judged["strict"].failed)))
    judge.keep()
    return pd.DataFrame(found, columns=RECORDED_COLUMNS)


def with_cases(asked: list[Asked], found: list[EndToEndCase]) -> list[Asked]:
    """Return `asked` and every phrasing of the end-to-end cases over the customs documents, with ids as ``eori-0``."""
    more = [
        Asked(f"{case.id}-{n}", "customs", "ro", question, case.answerable, (), case.published)
        for case in found
        for n, question in enumerate(case.phrasings)
    ]
    return [*asked, *more]


def recorded_rows(folder: Path) -> list[dict]:
    """Return a recording's answers to the labelled questions and to the cases' phrasings in the retrieved order, each with its id."""
    rows = read_jsonl(folder / "questions.jsonl")
    cases = [r for r in read_jsonl(folder / "answers.jsonl") if r["case"] != "ungrounded" and r["order"] == sorted(r["order"])]
    return [*rows, *({**r, "id": f"{r['case']}-{r['phrasing']}"} for r in cases)]


def judge_all(folder: Path, asked: list[Asked], corpora: Mapping[str, Corpus], judge: Judge) -> pd.DataFrame:
    """Judge the labelled answers of every recording in `folder` that was asked the labelled questions."""
    labels = load_labels(folder / "labels.csv")
    names = [f.parent.name for f in sorted(folder.glob("*/questions.jsonl"))]
    if not names:
        raise InputError(f"{folder}: no recording has questions.jsonl; run: make record ASK=questions")
    return pd.concat([judge_recorded(n, recorded_rows(folder / n), asked, corpora, labels, judge) for n in names], ignore_index=True)


RECORDED_COLUMNS = ["recording", "id", "answerable", "question", "answer", "label", "why", "unit", "article", "strict", "failed"]


def outcome_counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return, for each recording and set of gates, what became of right and wrong answers.

    Columns: recording, gates, right shown, right stopped, wrong shown, wrong stopped, abstained (by the model itself),
    and as n/d: coverage (shown of all questions) and selective risk (wrong of those shown; n/a (0) where none is).
    """
    rows = []
    for recording, group in frame.groupby("recording", sort=False):
        for name in ("no gates", "article", "strict"):
            abstains = group.label == "abstains"
            shown = ~abstains if name == "no gates" else (group[name] == "accepted") & ~abstains
            right, wrong = group.label == "right", group.label == "wrong"
            rows.append(
                {
                    "recording": recording,
                    "gates": name,
                    "right shown": int((right & shown).sum()),
                    "right stopped": int((right & ~shown).sum()),
                    "wrong shown": int((wrong & shown).sum()),
                    "wrong stopped": int((wrong & ~shown).sum()),
                    "abstained": int(abstains.sum()),
                    "coverage": f"{int(shown.sum())}/{len(group)}",
                    "selective risk": f"{int((wrong & shown).sum())}/{int(shown.sum())}" if shown.any() else "n/a (0)",
                }
            )
    return pd.DataFrame(rows)
