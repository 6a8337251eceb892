"""Answers to the gold set, each with one outcome, apart by whether every required passage had been retrieved.

An answer is right when it says all that the needs ask for and nothing that the documents do not bear out; incomplete when
a need is missing; over-claimed when it says all and something unsupported beside it; wrong otherwise, and whenever it
answers a question that the documents do not answer. What is not shown (an abstention of the model, or a refusal by the
checks) is refused: rightly for an unanswerable item, unnecessarily for an answerable one. A failure is an outcome of its
own. Every item has exactly one outcome, so that the counts add up to the items.

Recorded answers of models were read and labelled (``data/recorded/gold-labels.csv``); the control without a model copies
a sentence, so that the passages of the gold set tell by themselves whether it is the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from rocite.check import Judgement, fragment, judge
from rocite.citations import read
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate import end_to_end
from rocite.evaluate.gold import Item
from rocite.evaluate.retrieval import Ranked
from rocite.gates.base import Fragment, Settings
from rocite.generate import Generator
from rocite.prompt import grounded
from rocite.text import normalise

LABELS = ("right", "incomplete", "overclaimed", "wrong", "abstains")
OUTCOMES = ("right", "incomplete", "overclaimed", "wrong", "refused though answerable", "refused rightly", "error")
Labels = Mapping[tuple[str, str], tuple[str, str]]  # (recording, item) to (label, why)
BAD = ("overclaimed", "wrong")  # answers that hold at least one unsupported claim


@dataclass(frozen=True)
class Given:
    """An answer to a gold item as it was written. `label` is what it is worth, whoever shows it; `why` the reader's reason.

    `retrieved` tells whether the fragments hold every required passage; None for an unanswerable item.
    """

    system: str
    item: Item
    fragments: tuple[Fragment, ...]
    text: str
    label: str
    why: str
    retrieved: bool | None
    judgement: Judgement

    @property
    def accepted(self) -> bool:
        """Whether the checks let the answer through."""
        return self.judgement.verdict == "accepted" and self.label != "abstains"

    def outcome(self, shown: bool) -> str:
        """Return the outcome when the answer is shown or not."""
        if self.label == "error":
            return "error"
        if not shown or self.label == "abstains":
            return "refused though answerable" if self.item.answerable else "refused rightly"
        return self.label


def load_labels(path: Path) -> Labels:
    """Read what a reader found of each recorded answer; see `rocite.evaluate.end_to_end.load_labels`."""
    return end_to_end.load_labels(path, LABELS)


def of_recording(
    name: str,
    rows: Iterable[Mapping],
    items: Sequence[Item],
    corpus: Corpus,
    labels: Labels,
    settings: Settings,
) -> list[Given]:
    """Return a recording's answers to gold items, labelled and judged. Raises InputError for one without a label or item."""
    by_id = {i.id: i for i in items}
    found = []
    for row in rows:
        if row["id"] not in by_id:
            raise InputError(f"data/recorded/{name}/gold.jsonl: {row['id']!r} is no item of the gold set; run: make record ASK=gold")
        if (name, row["id"]) not in labels:
            raise InputError(f"data/recorded/gold-labels.csv: the answer of {name} to {row['id']} has no label.")
        label, why = labels[name, row["id"]]
        found.append(_given(name, by_id[row["id"]], [corpus[d] for d in row["fragments"]], row["text"], label, why, settings))
    return found


def of_extracts(ranked: Sequence[Ranked], corpus: Corpus, generator: Generator, k: int, settings: Settings) -> list[Given]:
    """Let a generator that copies one sentence answer every ranked item from its first `k` documents, and label what it copied."""
    found = []
    for r in ranked:
        documents = [corpus[name] for name in r.ids[:k]]
        text = generator.generate(grounded(r.item.question, [fragment(d) for d in documents])).text
        label, why = _label_of_extract(r.item, text, [d.id for d in documents])
        found.append(_given(generator.name, r.item, documents, text, label, why, settings))
    return found


def _given(system: str, item: Item, documents: Sequence, text: str, label: str, why: str, settings: Settings) -> Given:
    fragments = tuple(fragment(d) for d in documents)
    shown = {d.id for d in documents}
    retrieved = all(any(p.doc in shown for p in need) for need in item.needs) if item.answerable else None
    judgement = judge(item.question, fragments, text, settings, "strict", item.lang)
    return Given(system, item, fragments, text, label, why, retrieved, judgement)


def _label_of_extract(item: Item, text: str, ids: Sequence[str]) -> tuple[str, str]:
    reading = read(text, ids)
    if reading.marker or not reading.text.strip():
        return "abstains", "it copies nothing"
    if not item.answerable:
        return "wrong", "the documents do not answer the question"
    said = normalise(reading.text).strip()
    met = sum(any(p.doc in reading.cited and _overlap(p.quote, said) for p in need) for need in item.needs)
    if met == len(item.needs):
        return "right", "the sentence holds every required passage"
    return ("incomplete", f"{met} of {len(item.needs)} required passages") if met else ("wrong", "another sentence than the required ones")


def _overlap(quote: str, said: str) -> bool:
    """Whether the copied sentence is the one of the passage: one holds the other."""
    return quote in said or said in quote


def outcomes(given: Sequence[Given]) -> pd.DataFrame:
    """Return, for each system, without and with the checks, and by whether every passage was retrieved, the count of every outcome.

    Columns: system, gates, retrieved ("yes", "no", "nothing to retrieve"), items, then one for each outcome; a row's
    outcomes add up to its items.
    """
    rows = []
    for system in dict.fromkeys(g.system for g in given):
        own = [g for g in given if g.system == system]
        for gates in ("no gates", "strict"):
            for name, wanted in (("yes", True), ("no", False), ("nothing to retrieve", None)):
                group = [g for g in own if g.retrieved is wanted]
                found = [g.outcome(g.accepted if gates == "strict" else True) for g in group]
                rows.append(
                    {"system": system, "gates": gates, "retrieved": name, "items": len(group)} | {o: found.count(o) for o in OUTCOMES}
                )
    return pd.DataFrame(rows)
