"""How far a judge of support agrees with labels: pairs of evidence and sentence, Cohen's kappa, and what goes to a person.

Decides what a pair is and which pairs are judged: the project's own, drawn from hand-written stress items about untouched
documents, whose labels are the project's and no expert's; and BEGIN's (Dziri et al., 2022, TACL 10), labelled by people,
read from a path. A judge that gives no usable answer has the outcome "no verdict", which agrees with neither label and
stays in every denominator. Refuses to call an undefined kappa 0: it is None.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rocite import check, stats
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.parts import cited, untouched
from rocite.evaluate.stress import FAULTS, VARIANTS, Item, family, part
from rocite.gates.base import Fragment, Settings
from rocite.records import read_text, sha256_of
from rocite.stats import Estimate

OWN, HUMAN = "the project's labels", "BEGIN's human labels"
KINDS = tuple(k for k in (*FAULTS, *VARIANTS) if k != "focus")  # a focus fault is true to its document: it does not answer
SUPPORTED, NOT, NONE = "supported", "not supported", "no verdict"
HALF = 0.5
NEAR = 0.1  # a probability at most so far from the threshold is too near to be believed
HIGH_IMPACT, NEAR_THRESHOLD, DISAGREEMENT = "high impact", "near the threshold", "judge and checks disagree"
REASONS = (HIGH_IMPACT, NONE, NEAR_THRESHOLD, DISAGREEMENT)

_BEGIN_LABELS = {"fully attributable": True, "not fully attributable": False, "not attributable": False, "generic": False}


@dataclass(frozen=True)
class Pair:
    """A sentence beside the evidence that should carry it, with its label; `unit` is what is drawn when resampling.

    `origin` says whose label it is. `kind`, `question`, `title` and `impact` are "" where there are none; pairs that were
    read from a recording have no texts.
    """

    id: str
    unit: str
    evidence: str
    sentence: str
    supported: bool
    lang: str
    origin: str
    kind: str = ""
    question: str = ""
    title: str = ""
    impact: str = ""

    @property
    def stratum(self) -> str:
        """Whose label and in which language: a judge is asked in the pair's language, and has one threshold for each of these."""
        return f"{self.origin}, {self.lang}"


@dataclass(frozen=True)
class Verdict:
    """What a judge said of a pair: `supported` is None where it gave no usable answer, `probability` where it gives none."""

    supported: bool | None
    probability: float | None = None

    @property
    def word(self) -> str:
        """The outcome as it is recorded and counted."""
        return NONE if self.supported is None else SUPPORTED if self.supported else NOT

    def at(self, threshold: float) -> Verdict:
        """Return the verdict that is "supported" from `threshold` on, inclusive; no verdict stays none.

        >>> Verdict(False, 0.4).at(0.4).word, Verdict(None, 0.9).at(0.4).word
        ('supported', 'no verdict')
        """
        if self.supported is None or self.probability is None:
            return self
        return replace(self, supported=self.probability >= threshold)


Verdicts = Mapping[str, Verdict]  # by the id of the pair; a pair that is not there has no verdict


# --- pairs ---------------------------------------------------------------------------------------------------------


def own_pairs(items: Sequence[Item], corpora: Mapping[str, Corpus], which: str = "untouched", each: int = 8) -> list[Pair]:
    """Return `each` pairs of every kind and language, from hand-written items about documents of the part `which`.

    Faults are "not supported", faithful variants "supported"; there are as many kinds of the one as of the other. Within a
    kind and language the SHA-256 of the item's id decides. Left out are items that cite several documents, and `focus`
    faults, which are true to their document. Raises InputError when there are fewer than `each`.
    """
    chosen = []
    able = [i for i in items if i.origin == "hand" and part(i.doc) == which and not i.also_cited]
    for lang in ("ro", "en"):
        for kind in KINDS:
            found = sorted((i for i in able if (i.lang, i.kind) == (lang, kind)), key=lambda i: _order(i.id))
            if len(found) < each:
                raise InputError(f"{len(found)} hand-written {kind} items in {lang!r} about {which} documents; expected at least {each}.")
            chosen += found[:each]
    return [_own(item, corpora) for item in chosen]


def _own(item: Item, corpora: Mapping[str, Corpus]) -> Pair:
    document = corpora[item.corpus][item.doc]
    return Pair(
        id=item.id,
        unit=family(item.doc),
        evidence=document.body,
        sentence=item.answer,
        supported=not item.fault,
        lang=item.lang,
        origin=OWN,
        kind=item.kind,
        question=item.question,
        title=document.title,
        impact=document.field("impact"),
    )


def _order(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8")).hexdigest()


def begin_pairs(path: Path | str, which: str = "untouched", cap: int = 200) -> list[Pair]:
    """Return at most `cap` pairs of a BEGIN file (TSV, no quoting), in the order of the SHA-256 of their ids.

    Evidence is the knowledge, which also decides the part; ids and units are hashes, since no text of the set is kept. "Fully
    attributable" is supported and everything else is not, "Generic" too (the Wizard-of-Wikipedia dev file has none): what
    says nothing is carried by nothing. Raises InputError naming the line for a missing column or an unknown label.
    """
    lines = read_text(Path(path)).replace("\r\n", "\n").rstrip("\n").split("\n")
    rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    missing = [name for name in ("knowledge", "response", "begin_label") if name not in rows[0]]
    if missing:
        raise InputError(f"{path}, line 1: lacks the column {missing[0]!r}; expected a BEGIN file (TSV).")
    found: dict[str, Pair] = {}
    for number, cells in enumerate(rows[1:], start=2):
        row = dict(zip(rows[0], cells, strict=False))
        label = row.get("begin_label", "").strip().lower()
        if label not in _BEGIN_LABELS:
            raise InputError(f"{path}, line {number}: label {row.get('begin_label')!r}; expected one of {', '.join(_BEGIN_LABELS)}.")
        if untouched(row["knowledge"]) == (which == "untouched"):
            key = sha256_of(*(row.get(name, "") for name in ("model_name", "knowledge", "message", "response")))
            unit = sha256_of(row["knowledge"])
            found[key] = Pair(key, unit, row["knowledge"], row["response"], _BEGIN_LABELS[label], "en", HUMAN, kind=label)
    return sorted(found.values(), key=lambda p: _order(p.id))[:cap]


# --- judges --------------------------------------------------------------------------------------------------------


def by_checks(pairs: Sequence[Pair], settings: Settings) -> dict[str, Verdict]:
    """Return what the evidence checks (gate set strict) say of each sentence as an answer that cites its evidence.

    Accepted is supported, refused is not, and an answer that counts as an abstention has no verdict. Checks that need a
    question have the pair's, or an empty one.
    """
    said = {"accepted": True, "refused": False, "abstained": None}
    verdicts = {}
    for p in pairs:
        fragment = Fragment(p.id, p.evidence, p.title, lang=p.lang)
        verdicts[p.id] = Verdict(said[check.judge(p.question, (fragment,), cited(p.sentence, p.lang), settings, "strict", p.lang).verdict])
    return verdicts


def always(pairs: Sequence[Pair], supported: bool) -> dict[str, Verdict]:
    """Return the verdicts of the judge that says the same of every pair."""
    return {p.id: Verdict(supported) for p in pairs}


def moved(verdicts: Verdicts, threshold: float) -> dict[str, Verdict]:
    """Return the verdicts at another threshold of probability, inclusive."""
    return {key: v.at(threshold) for key, v in verdicts.items()}


def tuned(pairs: Sequence[Pair], verdicts: Verdicts, thresholds: Mapping[str, float]) -> dict[str, Verdict]:
    """Return the verdicts of `pairs`, each at the threshold of its stratum; one half where it has none."""
    return {p.id: verdicts[p.id].at(thresholds.get(p.stratum, HALF)) for p in pairs if p.id in verdicts}


def best_threshold(pairs: Sequence[Pair], verdicts: Verdicts) -> float:
    """Return the threshold with the highest kappa over all `pairs`, which are tuning pairs; of equals the one nearest to one half.

    Candidates are one half and the probabilities themselves; an undefined kappa counts as the lowest.
    """
    seen = {round(v.probability, 4) for p in pairs if (v := verdicts.get(p.id)) and v.probability is not None}

    def worth(threshold: float) -> tuple[float, float, float]:
        found = kappa(pairs, moved(verdicts, threshold))
        return (-2.0 if found is None else round(found, 6), -abs(threshold - HALF), threshold)

    return max(seen | {HALF}, key=worth)


# --- agreement -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """How far a judge agrees with the labels; `confusion` counts (label, outcome). Each estimate has its own denominator."""

    kappa: Estimate
    raw: Estimate
    sensitivity: Estimate
    specificity: Estimate
    auroc: Estimate
    confusion: dict[tuple[str, str], int]

    @property
    def without_verdict(self) -> int:
        """How many pairs got no verdict."""
        return sum(n for (_, outcome), n in self.confusion.items() if outcome == NONE)


def _words(pairs: Sequence[Pair], verdicts: Verdicts) -> tuple[list[str], list[str]]:
    """The labels and the outcomes, in the order of the pairs."""
    labels = [SUPPORTED if p.supported else NOT for p in pairs]
    return labels, [verdicts.get(p.id, Verdict(None)).word for p in pairs]


def kappa(pairs: Sequence[Pair], verdicts: Verdicts) -> float | None:
    """Return Cohen's kappa over all pairs, "no verdict" being an outcome that no label has; None where chance alone agrees wholly.

    Cohen (1960), as `sklearn.metrics.cohen_kappa_score` has it.

    >>> pairs = [Pair(i, i, "", "", i in "ab", "en", OWN) for i in "abcd"]
    >>> kappa(pairs, always(pairs, True)), kappa(pairs[:2], always(pairs, True))
    (0.0, None)
    """
    from sklearn.metrics import cohen_kappa_score

    labels, outcomes = _words(pairs, verdicts)
    if len({*labels, *outcomes}) < 2:  # nothing varies: 0/0
        return None
    return float(cohen_kappa_score(labels, outcomes))


def agreement(pairs: Sequence[Pair], verdicts: Verdicts, draws: int, rng: np.random.Generator) -> Agreement:
    """Return the agreement over all `pairs`, those without a verdict included, with 95 % intervals over units.

    Sensitivity: supported pairs judged supported over supported pairs. Specificity: the others judged "not supported" over
    the others. AUROC: of the probability, over all pairs of one of either label, where a missing probability counts as one
    half; undefined for a judge that gives none. Kappa gets no interval where the judge always says the same or is always
    right, because then every draw gives the same.
    """
    labels, outcomes = (np.array(words, dtype=str) for words in _words(pairs, verdicts))
    units = np.array([p.unit for p in pairs], dtype=str)
    right, true = labels == outcomes, labels == SUPPORTED
    chances = [v.probability for p in pairs if (v := verdicts.get(p.id, Verdict(None)))]
    area = Estimate(None, 0, 0)
    if true.any() and not true.all() and any(c is not None for c in chances):
        score = np.array([HALF if c is None else round(c, 6) for c in chances])
        area = stats.auroc(score[true], score[~true], units[true], units[~true], draws, rng)
    counts = Counter(zip(labels.tolist(), outcomes.tolist(), strict=True))
    return Agreement(
        kappa=Estimate(kappa(pairs, verdicts), None, len(pairs), *_interval(labels, outcomes, units, draws, rng), len(set(units))),
        raw=stats.rate(right, units, draws, rng),
        sensitivity=stats.rate(right[true], units[true], draws, rng),
        specificity=stats.rate(right[~true], units[~true], draws, rng),
        auroc=area,
        confusion={(label, said): counts[label, said] for label in (SUPPORTED, NOT) for said in (SUPPORTED, NOT, NONE)},
    )


def _interval(
    labels: np.ndarray, outcomes: np.ndarray, units: np.ndarray, draws: int, rng: np.random.Generator
) -> tuple[float | None, float | None]:
    """The percentile interval of kappa when whole units are drawn; draws in which it is undefined are left out."""
    if len(set(outcomes)) < 2 or (labels == outcomes).all():
        return None, None
    codes = np.unique(units, return_inverse=True)[1]
    count = int(codes.max()) + 1
    weights = rng.multinomial(count, np.full(count, 1 / count), size=draws)[:, codes].astype(float)
    total = weights.sum(1)
    observed = weights @ (labels == outcomes) / total
    expected = sum((weights @ (labels == word)) * (weights @ (outcomes == word)) for word in (SUPPORTED, NOT)) / total**2
    defined = expected < 1 - 1e-12
    if not defined.any():
        return None, None
    sampled = (observed - expected)[defined] / (1 - expected)[defined]
    tail = 100 * (1 - stats.LEVEL) / 2
    low, high = np.percentile(sampled, [tail, 100 - tail])
    return float(low), float(high)


# --- routing -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Routing:
    """What goes to a person, with every reason for it, and what is left to the judge; `agreement` of `left` is what remains."""

    to_person: dict[str, tuple[str, ...]]
    left: tuple[Pair, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many pairs each reason sends to a person; a pair may have several."""
        counted = Counter(reason for reasons in self.to_person.values() for reason in reasons)
        return {reason: counted[reason] for reason in REASONS}


def route(
    pairs: Sequence[Pair], verdicts: Verdicts, checks: Verdicts, thresholds: Mapping[str, float] | None = None, near: float = NEAR
) -> Routing:
    """Return which pairs the judge may not decide: no label is looked at, since outside of a measurement there is none.

    `verdicts` are those at `thresholds`, by stratum; one half where a stratum has none. To a person go pairs on documents
    whose front matter says ``impact: high``, those without a verdict, those whose probability is at most `near` from the
    threshold (inclusive), and those on which judge and checks differ. On what is left the judge says what the checks say.
    """
    found: dict[str, tuple[str, ...]] = {}
    for p in pairs:
        said, checked = verdicts.get(p.id, Verdict(None)), checks.get(p.id, Verdict(None))
        threshold = (thresholds or {}).get(p.stratum, HALF)
        holds = {
            HIGH_IMPACT: p.impact == "high",
            NONE: said.supported is None,
            NEAR_THRESHOLD: said.probability is not None and round(abs(said.probability - threshold), 6) <= near,
            DISAGREEMENT: said.supported is not None and said.supported is not checked.supported,
        }
        if reasons := tuple(reason for reason in REASONS if holds[reason]):
            found[p.id] = reasons
    return Routing(found, tuple(p for p in pairs if p.id not in found))


# --- the recording -------------------------------------------------------------------------------------------------


def row(pair: Pair, verdict: Verdict, checks: Verdict) -> dict:
    """Return a pair as it is recorded: no text, its label and what was said of it."""
    kept = {name: getattr(pair, name) for name in ("id", "unit", "lang", "origin", "kind", "impact")}
    label = SUPPORTED if pair.supported else NOT
    return {**kept, "label": label, "probability": verdict.probability, "verdict": verdict.word, "checks": checks.word}


def load(path: Path | str) -> tuple[list[Pair], dict[str, Verdict], dict[str, Verdict], dict]:
    """Read a recording as (pairs without texts, verdicts of the model, verdicts of the checks, manifest).

    Raises InputError when it is no such recording.
    """
    said = {SUPPORTED: True, NOT: False, NONE: None}
    try:
        record = json.loads(read_text(Path(path)))
        pairs, model, checks = [], {}, {}
        for r in record["pairs"]:
            about = {name: r[name] for name in ("id", "unit", "lang", "origin", "kind", "impact")}
            pairs.append(Pair(evidence="", sentence="", supported=said[r["label"]], **about))
            model[r["id"]] = Verdict(said[r["verdict"]], r["probability"])
            checks[r["id"]] = Verdict(said[r["checks"]])
        return pairs, model, checks, record["manifest"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: not a recording of a judge ({type(error).__name__}: {error}). Run: python -m rocite.workflow.judge"
        ) from error
