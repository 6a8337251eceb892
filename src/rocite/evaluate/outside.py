"""Public test sets as an outside measure of the checks, read from a path: XQuAD, RO-STS and SummEdits.

Each set has a tuning and an untouched part (`rocite.evaluate.parts`), by the title of an article, the first sentence of
a pair, the document. Every function gives one row an item, with its key as unit.
No language is declared for English and Romanian sources other than the set's own.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from rocite import stats
from rocite.check import judge
from rocite.corpus import Squad
from rocite.errors import InputError
from rocite.evaluate.parts import cited, untouched
from rocite.gates.base import Fragment, Settings
from rocite.text import fold, sentences

SUMMEDITS = ("ectsum", "news", "samsum")
BESIDE = 2  # paragraphs beside the right one, the most similar by character n-grams


@dataclass(frozen=True)
class _Asked:
    """One question of a SQuAD file beside the number of its paragraph, and the nearest paragraphs, its own left out."""

    article: str
    question: str
    paragraph: int
    answers: tuple[tuple[str, int], ...]
    nearest: tuple[int, ...]


def _questions(squad: Squad, part: bool) -> list[_Asked]:
    """Return the questions of one part; the paragraphs beside a question's own are those of the same part, nearest first."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    inside = [n for n, p in enumerate(squad.paragraphs) if untouched(squad.articles[p.article]) == part]
    asked = [(n, q) for n in inside for q in squad.paragraphs[n].questions if q.answers]
    if not asked:
        return []
    texts = [squad.paragraphs[n].text for n in inside]
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), preprocessor=fold, sublinear_tf=True).fit(texts)
    scores = np.round((vectors.transform([q.text for _, q in asked]) @ vectors.transform(texts).T).toarray(), 6)
    found = []
    for (n, q), row in zip(asked, np.argsort(-scores, axis=1, kind="stable"), strict=True):
        nearest = tuple(inside[i] for i in row if inside[i] != n)
        found.append(_Asked(squad.articles[squad.paragraphs[n].article], q.text, n, q.answers, nearest[: BESIDE + 1]))
    return found


def _fragments(squad: Squad, numbers: Sequence[int], lang: str) -> tuple[Fragment, ...]:
    return tuple(Fragment(squad.paragraphs[n].id, squad.paragraphs[n].text, lang=lang) for n in numbers)


def neighbours(squad: Squad, settings: Settings, part: bool, lang: str, gate_set: str = "strict") -> pd.DataFrame:
    """Judge every sentence of a question's own paragraph as its answer, cited, with the nearest paragraphs beside it.

    Columns: unit (article), answer (whether the sentence holds the answer at its offset), verdict, failed, focus. Other
    sentences that contain an answer string are left out.
    """
    rows = []
    for q in _questions(squad, part):
        text = squad.paragraphs[q.paragraph].text
        fragments = _fragments(squad, (q.paragraph, *q.nearest[:BESIDE]), lang)
        at = 0
        for sentence in sentences(text):
            start = text.find(sentence, at)
            at = start + len(sentence) if start >= 0 else at
            holds = start <= q.answers[0][1] < at
            if not holds and any(fold(answer) in fold(sentence) for answer, _ in q.answers):
                continue
            found = judge(q.question, fragments, cited(sentence, lang), settings, gate_set, lang)
            rows.append((q.article, holds, found.verdict, ",".join(found.failed), found.scores["focus"], q.question, sentence))
    return pd.DataFrame(rows, columns=["unit", "answer", "verdict", "failed", "focus", "question", "sentence"])


def coverage_with_and_without(squad: Squad, settings: Settings, part: bool, lang: str) -> pd.DataFrame:
    """Return the coverage of every question with its own paragraph among the fragments and with it removed.

    The number of fragments is the same either way. Columns: unit, present, coverage.
    """
    rows = []
    for q in _questions(squad, part):
        for present, numbers in ((True, (q.paragraph, *q.nearest[:BESIDE])), (False, q.nearest[: BESIDE + 1])):
            found = judge(q.question, _fragments(squad, numbers, lang), "", settings, "strict", lang)
            rows.append((q.article, present, found.scores["coverage"]))
    return pd.DataFrame(rows, columns=["unit", "present", "coverage"])


def similar_pairs(pairs: pd.DataFrame, settings: Settings, part: bool, gate_set: str = "strict") -> pd.DataFrame:
    """Judge the first sentence of each pair as an answer from the second; columns unit, similarity, verdict, failed, support."""
    rows = []
    for pair in pairs.itertuples():
        if untouched(pair.first) != part:
            continue
        found = judge("", (Fragment("second", pair.second, lang="ro"),), cited(pair.first, "ro"), settings, gate_set, "ro")
        rows.append((pair.first, pair.similarity, found.verdict, ",".join(found.failed), found.scores["support_mean"], pair.second))
    return pd.DataFrame(rows, columns=["unit", "similarity", "verdict", "failed", "support", "second"])


def load_summaries(folder: Path | str) -> pd.DataFrame:
    """Read the SummEdits files of a folder as columns domain, doc, summary, consistent, edits.

    Raises InputError when a file is missing or does not have that shape.
    """
    rows = []
    for domain in SUMMEDITS:
        path = Path(folder) / f"summedits_{domain}.json.gz"
        try:
            with gzip.open(path, "rt", encoding="utf-8") as file:
                found = json.load(file)
            rows += [(domain, r["doc"], r["summary"], r["label"] == 1, ",".join(r["edit_types"] or ())) for r in found]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: not a SummEdits file ({type(error).__name__}: {error}).") from error
    return pd.DataFrame(rows, columns=["domain", "doc", "summary", "consistent", "edits"])


def summaries(frame: pd.DataFrame, settings: Settings, part: bool, gate_set: str = "strict") -> pd.DataFrame:
    """Judge each summary as an answer without a question; columns domain, unit (document), consistent, edits, verdict, failed."""
    rows = []
    for item in frame.itertuples():
        if untouched(item.doc) != part:
            continue
        found = judge("", (Fragment("document", item.doc, lang="en"),), cited(item.summary, "en"), settings, gate_set, "en")
        rows.append(
            (
                item.domain,
                item.doc,
                item.consistent,
                item.edits,
                found.verdict,
                ",".join(found.failed),
                found.scores["support_min"],
                item.summary,
            )
        )
    return pd.DataFrame(rows, columns=["domain", "unit", "consistent", "edits", "verdict", "failed", "support", "summary"])


# --- what is reported ----------------------------------------------------------------------------------------

SETS = ("article", "strict")
EQUIVALENT, DIFFERENT = 4.5, 2.0  # similarity from which two sentences are equivalent, and up to which they differ


def measure_squad(squad: Squad, lang: str, settings: Settings, part: bool, draws: int, rng: np.random.Generator) -> list[dict]:
    """Return neighbouring statements refused and answers lost, by either set, and the area under the curve of coverage."""
    name, rows = f"XQuAD {lang}", []
    for gate_set in SETS:
        found = neighbours(squad, settings, part, lang, gate_set)
        for measure, group in (("other sentences refused", found[~found.answer]), ("answers lost", found[found.answer])):
            refused = (group.verdict != "accepted").to_numpy()
            rows.append(_row(name, measure, gate_set, stats.rate(refused, group.unit.to_numpy(), draws, rng)))
    covered = coverage_with_and_without(squad, settings, part, lang)
    there, gone = covered[covered.present], covered[~covered.present]
    area = stats.auroc(there.coverage.to_numpy(), gone.coverage.to_numpy(), there.unit.to_numpy(), gone.unit.to_numpy(), draws, rng)
    return [*rows, _row(name, "AUC of coverage, paragraph present or removed", "strict", area)]


def measure_pairs(pairs: pd.DataFrame, settings: Settings, part: bool, draws: int, rng: np.random.Generator) -> list[dict]:
    """Return equivalents refused and different pairs accepted, by either set."""
    rows = []
    for gate_set in SETS:
        found = similar_pairs(pairs, settings, part, gate_set)
        equal, other = found[found.similarity >= EQUIVALENT], found[found.similarity <= DIFFERENT]
        refused, accepted = (equal.verdict != "accepted").to_numpy(), (other.verdict == "accepted").to_numpy()
        rows.append(_row("RO-STS", "equivalents refused", gate_set, stats.rate(refused, equal.unit.to_numpy(), draws, rng)))
        rows.append(_row("RO-STS", "different pairs accepted", gate_set, stats.rate(accepted, other.unit.to_numpy(), draws, rng)))
    return rows


def measure_summaries(frame: pd.DataFrame, settings: Settings, part: bool, draws: int, rng: np.random.Generator) -> list[dict]:
    """Return false alarms, hits and balanced accuracy, by either set: three domains together, then each."""
    rows = []
    for gate_set in SETS:
        found = summaries(frame, settings, part, gate_set)
        for domain in ("", *SUMMEDITS):
            group = found[found.domain == domain] if domain else found
            name = f"SummEdits {domain}".strip()
            refused, true, units = (group.verdict != "accepted").to_numpy(), group.consistent.to_numpy(bool), group.unit.to_numpy()
            rows.append(_row(name, "consistent summaries refused", gate_set, stats.rate(refused[true], units[true], draws, rng)))
            rows.append(_row(name, "inconsistent summaries refused", gate_set, stats.rate(refused[~true], units[~true], draws, rng)))
            rows.append(_row(name, "balanced accuracy", gate_set, stats.balanced_accuracy(refused, ~true, units, draws, rng)))
    return rows


def _row(name: str, measure: str, gate_set: str, found: stats.Estimate) -> dict:
    about = {"set": name, "measure": measure, "gates": gate_set, "value": found.value, "numerator": found.numerator}
    return about | {"denominator": found.denominator, "low": found.low, "high": found.high, "units": found.units}
