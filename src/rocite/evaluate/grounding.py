"""How far a lexical grounding score tells faithful sentences from ungrounded ones, by length of prefix.

Decides nothing about the world: sentences carry labels (faithful, inflected, paraphrased: to be supported;
ungrounded: not), and a way of matching words gives each a score against one document.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from rocite import stats
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.gates.grounding import overlap
from rocite.records import read_text
from rocite.text import content_words

LABELS = ("faithful", "inflected", "paraphrased", "ungrounded")
WHOLE_WORDS = 0
PREFIXES = (3, 4, 5, 6, 7, 8, 9, 10, WHOLE_WORDS)
STEMMER = "stemmer"


@dataclass(frozen=True)
class Labelled:
    """One labelled sentence and the text it is compared with."""

    id: str
    sentence: str
    source: str
    label: str
    family: str


def load_sentences(path: Path, corpus: Corpus) -> list[Labelled]:
    """Read labelled sentences (CSV: id, sentence, doc, label).

    Raises InputError naming the line for an unknown label or document, and for an id that comes twice.
    """
    found: dict[str, Labelled] = {}
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    for row in reader:
        place = f"{path}, line {reader.line_num}"
        if row["label"] not in LABELS:
            raise InputError(f"{place}: label {row['label']!r}; expected one of {', '.join(LABELS)}.")
        if row["doc"] not in corpus.ids:
            raise InputError(f"{place}: no document {row['doc']!r} in the corpus.")
        if row["id"] in found:
            raise InputError(f"{place}: the id {row['id']!r} comes twice.")
        found[row["id"]] = Labelled(row["id"], row["sentence"], corpus[row["doc"]].body, row["label"], row["doc"])
    return list(found.values())


def load_sts(path: Path) -> pd.DataFrame:
    """Read a semantic similarity file (score TAB sentence TAB sentence) as columns similarity, first, second.

    Raises InputError naming the line that does not have that shape.
    """
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        parts = line.split("\t")
        try:
            rows.append((float(parts[0]), parts[1].strip(), parts[2].strip()))
        except (ValueError, IndexError) as error:
            raise InputError(f"{path}, line {number}: expected score TAB sentence TAB sentence.") from error
    return pd.DataFrame(rows, columns=["similarity", "first", "second"])


def stemmed_words() -> Callable[[str], list[str]]:
    """Return a function from text to its content words reduced by the Romanian Snowball stemmer."""
    import snowballstemmer

    stemmer = snowballstemmer.stemmer("romanian")
    return lambda text: stemmer.stemWords(content_words(text))


def score(sentence: str, source: str, method: int | str, stem: Callable[[str], list[str]] | None = None) -> float:
    """Return the overlap of `sentence` with `source`; `method` is a prefix length, 0 for whole words, or "stemmer"."""
    if method == STEMMER:
        words = stem or stemmed_words()
        return overlap(words(sentence), words(source), WHOLE_WORDS)
    return overlap(content_words(sentence), content_words(source), int(method))


def sweep(sentences: Sequence[Labelled], threshold: float, draws: int, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Score every sentence by every method.

    Returns (scores, summary). `scores` has one row a sentence and method. `summary` has one row a method: the share
    of each label that reaches `threshold`, the balanced accuracy of "supported" at it (mean of the share of
    supported sentences kept and of ungrounded ones refused), and the AUROC with its interval over documents.
    """
    stem = stemmed_words()
    methods: list[int | str] = [*PREFIXES, STEMMER]
    rows = [
        {
            "id": s.id,
            "label": s.label,
            "family": s.family,
            "method": method_name(m),
            "score": round(score(s.sentence, s.source, m, stem), 6),
        }
        for s in sentences
        for m in methods
    ]
    scores = pd.DataFrame(rows)
    summary = []
    for method, group in scores.groupby("method", sort=False):
        grounded = group[group.label != "ungrounded"]
        ungrounded = group[group.label == "ungrounded"]
        area = stats.auroc(
            grounded.score.to_numpy(),
            ungrounded.score.to_numpy(),
            grounded.family.to_numpy(str),
            ungrounded.family.to_numpy(str),
            draws,
            rng,
        )
        kept = {label: (group[group.label == label].score >= threshold) for label in LABELS}
        row = {"method": method, "threshold": threshold}
        for label, passed in kept.items():
            row[label] = f"{int(passed.sum())}/{len(passed)}"
            row[f"{label}_share"] = float(passed.mean())
        row["balanced_accuracy"] = (float((grounded.score >= threshold).mean()) + float((ungrounded.score < threshold).mean())) / 2
        row |= {"auroc": area.value, "auroc_low": area.low, "auroc_high": area.high}
        summary.append(row)
    return scores, pd.DataFrame(summary)


def sts_summary(pairs: pd.DataFrame, threshold: float) -> pd.DataFrame:
    """Return, for each method, how many equivalents (similarity >= 4.5) fall below `threshold` and how many different pairs (<= 2) reach it.

    The first sentence of a pair is scored against the second.
    """
    stem = stemmed_words()
    equivalents, different = pairs[pairs.similarity >= 4.5], pairs[pairs.similarity <= 2]
    rows = []
    for method in [*PREFIXES, STEMMER]:
        alike = np.array([score(a, b, method, stem) for a, b in zip(equivalents["first"], equivalents["second"], strict=True)])
        apart = np.array([score(a, b, method, stem) for a, b in zip(different["first"], different["second"], strict=True)])
        refused, supported = int((alike < threshold).sum()), int((apart >= threshold).sum())
        rows.append(
            {
                "method": method_name(method),
                "equivalents_refused": f"{refused}/{len(alike)}",
                "different_supported": f"{supported}/{len(apart)}",
                "refused_share": refused / len(alike) if len(alike) else np.nan,
                "supported_share": supported / len(apart) if len(apart) else np.nan,
            }
        )
    frame = pd.DataFrame(rows)
    frame["balanced_accuracy"] = 1 - (frame.refused_share + frame.supported_share) / 2
    return frame


def method_name(method: int | str) -> str:
    """Return a method's name: ``prefix 6``, ``whole words`` or ``stemmer``."""
    return STEMMER if method == STEMMER else "whole words" if method == WHOLE_WORDS else f"prefix {method}"
