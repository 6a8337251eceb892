"""The judgement on a finished answer: every gate scored, thresholds compared last, one verdict.

Decides the verdict in this order: retrieval, abstention, then the other gates or checks in theirs. Refuses to call an
exception or a missing input a pass: what could not be looked at is listed as unchecked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

from rocite import citations, gates
from rocite.corpus import Document
from rocite.errors import InputError, UnknownNameError
from rocite.gates.base import Case, Fragment, Score, Settings
from rocite.language import lexicon
from rocite.text import content_words


@dataclass(frozen=True)
class GateSet:
    """A named set of gates: which, which of them finds the sources, what counts as carried, and when an answer abstains."""

    gates: tuple[ModuleType, ...]
    support: ModuleType
    carried: Callable[[Settings], float]
    abstention: Callable[[Case], str | None]


def _says_too_little(case: Case) -> str | None:
    """The article's abstention: fewer than `min_claim_words` content words are left."""
    if len(content_words(case.reading.text)) >= case.settings.min_claim_words:
        return None
    return "it declares that it does not know" if case.reading.marker else "it says too little to be judged"


LEFT_BESIDE_MARKER = 3  # content words beside a marker from which strict judges what is left as an answer


def _declares_not_knowing(case: Case) -> str | None:
    """Strict's abstention: the marker, or nothing but sentences that say that the answer is not known; a short answer is none."""
    known = [c for c in case.claims if not lexicon.UNKNOWN.search(" ".join(c.sentence.words))]
    if case.reading.marker and len(content_words(case.reading.text)) < LEFT_BESIDE_MARKER:
        return "it declares that it does not know"
    if not known:
        return "it declares that it does not know" if case.claims else "it says nothing that could be judged"
    return None


GATE_SETS = {
    "article": GateSet(gates.ARTICLE, gates.grounding, lambda s: s.min_ground, _says_too_little),
    "strict": GateSet(gates.STRICT, gates.evidence, lambda s: s.min_sentence_support, _declares_not_knowing),
}
DEFAULT_GATES = "strict"
NOTHING = "none"  # the value of `without` that switches nothing off
SETTINGS = tuple(Settings.__dataclass_fields__)


@dataclass(frozen=True)
class Judgement:
    """What the gates found. `failed` names the failing gates in order, `unchecked` those with nothing to look at."""

    verdict: str  # accepted, abstained or refused
    failed: tuple[str, ...]
    reason: str
    sources: tuple[str, ...]
    padding: tuple[str, ...]
    sentences: tuple[dict, ...]
    scores: dict
    unchecked: tuple[str, ...]

    @property
    def gate(self) -> str | None:
        """The first gate that failed, or None."""
        return self.failed[0] if self.failed else None

    def as_dict(self) -> dict:
        """Return the judgement as plain JSON values."""
        return {
            "verdict": self.verdict,
            "failed": list(self.failed),
            "gate": self.gate,
            "reason": self.reason,
            "sources": list(self.sources),
            "padding": list(self.padding),
            "sentences": [dict(s) for s in self.sentences],
            "scores": self.scores,
            "unchecked": list(self.unchecked),
        }


def settings_of(values: dict[str, object]) -> dict[str, object]:
    """Return those of a run's parameters that are settings; a similarity threshold that is absent or to be fitted is None."""
    from rocite.params import FITTED

    found = {name: values[name] for name in SETTINGS if name in values}
    return {**found, "min_sim": None if found.get("min_sim") == FITTED else found.get("min_sim")}


def settings_from(values: dict[str, object]) -> Settings:
    """Return the settings that `values` (name to value) mean; those not named have their defaults.

    Raises UnknownNameError for a name that is no setting, and for one in `without` that is no evidence check.
    """
    for name in values:
        if name not in SETTINGS:
            raise UnknownNameError("setting", name, sorted(SETTINGS))
    settings = Settings(**values)
    _switched_off(settings)
    return settings


def fragment(document: Document, score: float | None = None) -> Fragment:
    """Return `document` as a fragment that was retrieved with `score`, or with none."""
    d = document
    return Fragment(d.id, d.body, d.title, score, d.source, d.checked, d.lang or None)


def judge(
    question: str,
    fragments: tuple[Fragment, ...],
    answer: str,
    settings: Settings,
    gate_set: str = DEFAULT_GATES,
    lang: str | None = None,
) -> Judgement:
    """Judge `answer`, which was written from `fragments` in their numbered order.

    `lang` ("ro", "en") is the declared language, which tells a decimal point from a thousands point.
    Raises UnknownNameError for an unknown gate set or check and InputError for fragments that share an id.
    """
    return judge_by((gate_set,), question, fragments, answer, settings, lang)[gate_set]


def judge_by(
    sets: Sequence[str], question: str, fragments: tuple[Fragment, ...], answer: str, settings: Settings, lang: str | None = None
) -> dict[str, Judgement]:
    """Judge `answer` by several gate sets, which share what each takes apart; see `judge`."""
    for name in sets:
        if name not in GATE_SETS:
            raise UnknownNameError("gate set", name, sorted(GATE_SETS))
    ids = [f.id for f in fragments]
    if len(set(ids)) != len(ids):
        raise InputError(f"two fragments share an id: {', '.join(sorted({i for i in ids if ids.count(i) > 1}))}.")
    case = Case(question, tuple(fragments), citations.read(answer, ids), settings, lang)
    return {name: _judged(case, GATE_SETS[name]) for name in sets}


def _judged(case: Case, chosen: GateSet) -> Judgement:
    scored = {gate: gate.score(case) for gate in chosen.gates}
    off = _switched_off(case.settings)
    reasons = {g.NAME: reason for g, score in scored.items() if g.NAME not in off and (reason := g.failure(score, case))}
    rows = tuple(scored[chosen.support].details["sentences"])
    least = chosen.carried(case.settings)
    attributed = [(r["text"], r["source"]) for r in rows if r["source"] is not None and r["score"] >= least]
    sources = tuple(dict.fromkeys(source for _, source in attributed))
    verdict, failed, reason = _verdict(reasons, chosen.abstention(case))
    return Judgement(
        verdict=verdict,
        failed=failed,
        reason=reason,
        sources=sources,
        padding=tuple(i for i in case.reading.cited if i not in sources),
        sentences=rows,
        scores=_scores(case, scored, chosen.support),
        unchecked=tuple(gate.NAME for gate, score in scored.items() if score.value is None or gate.NAME in off),
    )


def _switched_off(settings: Settings) -> frozenset[str]:
    """The checks that `without` names. Raises UnknownNameError for a name that is no evidence check."""
    off = frozenset(name.strip() for name in settings.without.split(",") if name.strip()) - {NOTHING}
    known = sorted(check.NAME for check in gates.CHECKS)
    for name in off - set(known):
        raise UnknownNameError("evidence check", name, known)
    return off


def _verdict(reasons: dict[str, str], abstention: str | None) -> tuple[str, tuple[str, ...], str]:
    """Return verdict, failing gates and reason, in the article's order: retrieval comes before the abstention."""
    if abstention and gates.retrieval.NAME not in reasons:
        return "abstained", (), abstention
    if reasons:
        failed = tuple(reasons)
        return "refused", failed, f"{failed[0]}: {reasons[failed[0]]}"
    return "accepted", (), "every gate passed"


def _scores(case: Case, scored: dict[ModuleType, Score], support: ModuleType) -> dict:
    details = scored[support].details
    values = {gate.NAME: score.value for gate, score in scored.items()}
    values |= {"similarity": scored[gates.retrieval].details["best"], "support_min": details["min"], "support_mean": details["mean"]}
    values |= {"mosaic": details["mosaic"]} if "mosaic" in details else {}
    values |= {"coverage": gates.focus.coverage(case), "focus": (scored.get(gates.focus) or gates.focus.score(case)).value}
    return {name: value if value is None else round(value, 6) for name, value in values.items()}
