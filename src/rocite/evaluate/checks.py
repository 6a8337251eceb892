"""What the gates and checks catch and what they cost, on stress items, pairs and recorded answers.

Every answer is judged once by each set of gates and everything that was found is kept, so that switching a check off or
moving a threshold is arithmetic on the record. An answer counts as refused when it is not shown: a failed gate or an
abstention. Items about one document (all its revisions) are one unit; intervals come from resampling units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from rocite import gates, stats
from rocite.check import judge as judge_once
from rocite.corpus import Corpus
from rocite.evaluate import stress
from rocite.evaluate.judged import Judge
from rocite.evaluate.stress import Item, Laid, Pair
from rocite.gates.base import Settings

SETS = ("article", "strict")
CHECKS = tuple(check.NAME for check in gates.CHECKS)
TARGETS = {"quantity": 0.95, "polarity": 0.95, "direction": 0.90, "qualifier": 0.80, "entity": 0.90}


def load_items(folder: Path, corpora: Mapping[str, Corpus]) -> list[Item]:
    """Read every item of the bench: those made by rule and those written by hand."""
    return [item for file in sorted(folder.glob("*-*.jsonl")) if not file.name.startswith("seeds-") for item in stress.load(file, corpora)]


def judge_items(items: Iterable[Item], corpora: Mapping[str, Corpus], judge: Judge) -> pd.DataFrame:
    """Judge every item by both sets of gates.

    Columns: id, origin, part, kind, fault, lang, unit, answer, question, why; for each set its verdict, `*_refused` and
    the failed gates; for strict also its scores (support_mean, support_min, mosaic, focus), the unchecked, and
    `focus_anyway`: whether focus fails whatever `min_focus` is.
    """
    rows = []
    for item in items:
        facts = _facts(stress.laid_out(item, corpora), judge, item.lang)
        about = (item.id, item.origin, stress.part(item.doc), item.kind, item.fault, item.lang, stress.family(item.doc))
        rows.append((*about, item.question, item.answer, item.why, *facts))
    judge.keep()
    return pd.DataFrame(rows, columns=["id", "origin", "part", "kind", "fault", "lang", "unit", "question", "answer", "why", *_FACTS])


def judge_pairs(pairs: Sequence[Pair], judge: Judge) -> pd.DataFrame:
    """Judge the right answer with the deciding statement and the neighbouring statement without it.

    Columns: id, part, kind ("right" or "neighbour"), fault, lang, unit (the text), question, answer, and those of `judge_items`.
    """
    rows = []
    for pair in pairs:
        for kind, laid in zip(("right", "neighbour"), pair.cases(pairs), strict=True):
            facts = _facts(laid, judge, pair.lang)
            rows.append((pair.id, pair.part, kind, kind == "neighbour", pair.lang, pair.family, laid[0], laid[2], *facts))
    judge.keep()
    return pd.DataFrame(rows, columns=["id", "part", "kind", "fault", "lang", "unit", "question", "answer", *_FACTS])


_FACTS = [
    "article_verdict", "article_refused", "article_failed", "article_ground",
    "strict_verdict", "strict_refused", "strict_failed", "strict_reason", "unchecked", "support_mean", "support_min", "mosaic", "focus",
    "focus_anyway",
]  # fmt: skip


def _facts(laid: Laid, judge: Judge, lang: str) -> tuple:
    question, fragments, answer = laid
    by_set = judge.by(SETS, question, fragments, answer, lang)
    article, strict = by_set["article"], by_set["strict"]
    scores = strict.scores
    focus_anyway = "focus" in strict.failed
    if focus_anyway and scores["focus"] < judge.settings.min_focus:  # the threshold decided: what else would have?
        free = replace(judge.settings, min_focus=0.0)
        focus_anyway = "focus" in judge_once(question, fragments, answer, free, "strict", lang).failed
    return (
        article.verdict,
        article.verdict != "accepted",
        article.failed,
        article.scores["grounding"],
        strict.verdict,
        strict.verdict != "accepted",
        strict.failed,
        strict.reason,
        strict.unchecked,
        scores["support_mean"],
        scores["support_min"],
        scores["mosaic"],
        scores["focus"],
        focus_anyway,
    )


def catch(frame: pd.DataFrame, draws: int, rng: np.random.Generator, by: Sequence[str] = ("kind",)) -> pd.DataFrame:
    """Return, for each group, the share refused by each set, with n/d, interval over units, and the units."""
    rows = []
    for names, group in frame.groupby(list(by), sort=False):
        row = dict(zip(by, names, strict=True))
        for name in SETS:
            found = stats.rate(group[f"{name}_refused"].to_numpy(), group.unit.to_numpy(), draws, rng)
            row |= {f"{name}_refused": f"{found.numerator:g}/{found.denominator}", name: found.value}
            row |= {f"{name}_low": found.low, f"{name}_high": found.high, "units": found.units}
        rows.append(row)
    return pd.DataFrame(rows)


def matrix(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the catch matrix: for each kind the share of items that each check fails, alone and whatever the others say."""
    rows = []
    for kind, group in frame.groupby("kind", sort=False):
        row = {"kind": kind, "fault": bool(group.fault.iloc[0]), "items": len(group)}
        rows.append(row | {check: float(group.strict_failed.map(lambda f, c=check: c in f).mean()) for check in CHECKS})
    return pd.DataFrame(rows)


def ablation(frame: pd.DataFrame) -> pd.DataFrame:
    """Return what each check does alone and what is lost without it: faults caught and faithful answers refused.

    The first row is every check together. Retrieval and citation stay on throughout.
    """
    faults, faithful = frame[frame.fault], frame[~frame.fault]

    def refused(group: pd.DataFrame, names: Sequence[str]) -> int:
        kept = {"retrieval", "citation", *names}
        return int(((group.strict_verdict == "abstained") | group.strict_failed.map(lambda f: bool(kept & set(f)))).sum())

    rows = []
    for check in (None, *CHECKS):
        alone = CHECKS if check is None else (check,)
        others = CHECKS if check is None else tuple(c for c in CHECKS if c != check)
        rows.append(
            {
                "check": "all checks" if check is None else check,
                "faults caught alone": f"{refused(faults, alone)}/{len(faults)}",
                "faithful refused alone": f"{refused(faithful, alone)}/{len(faithful)}",
                "faults caught without it": f"{refused(faults, others)}/{len(faults)}",
                "faithful refused without it": f"{refused(faithful, others)}/{len(faithful)}",
            }
        )
    return pd.DataFrame(rows)


def risk_coverage(frame: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return risk (faulty among shown) and coverage (shown of all) as one threshold moves, the rest as it is.

    Columns: threshold (its name), value, shown, faulty, coverage, risk (None where nothing is shown). Beside two of
    strict stands the article's `min_ground` under the article's own gates.
    """

    def fixed(name: str, without: str) -> pd.Series:
        return (frame[f"{name}_verdict"] == "abstained") | frame[f"{name}_failed"].map(lambda f: bool(set(f) - {without}))

    rows = []
    grid = np.round(np.linspace(0, 1, 41), 3)
    for name, score, others in (
        ("min_focus", frame.focus, fixed("strict", "focus") | frame.focus_anyway),
        ("min_support", frame.support_mean, fixed("strict", "evidence") | _other_evidence(frame, settings)),
        ("min_ground", frame.article_ground, fixed("article", "grounding")),
    ):
        for value in grid:
            shown = ~others & ~(score < value)
            faulty = int((shown & frame.fault).sum())
            rows.append((name, value, int(shown.sum()), faulty, shown.mean(), faulty / shown.sum() if shown.any() else None))
    return pd.DataFrame(rows, columns=["threshold", "value", "shown", "faulty", "coverage", "risk"])


def points(frame: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Return coverage and risk of each set as it is set."""
    found = {}
    for name in SETS:
        shown = ~frame[f"{name}_refused"]
        found[name] = (float(shown.mean()), float(frame.fault[shown].mean()) if shown.any() else 0.0)
    return found


def _other_evidence(frame: pd.DataFrame, settings: Settings) -> pd.Series:
    return (frame.support_min < settings.min_sentence_support) | (frame.mosaic > settings.max_mosaic)
