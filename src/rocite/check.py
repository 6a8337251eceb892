"""The judgement on a finished answer: every gate scored, thresholds compared last, one verdict.

Decides the verdict in the article's order: retrieval, abstention, citation, numbers, grounding. Refuses to
call an exception or a missing input a pass: what could not be looked at is listed as unchecked.
"""

from __future__ import annotations

from dataclasses import dataclass

from rocite import citations, gates
from rocite.errors import InputError, UnknownNameError
from rocite.gates import coverage
from rocite.gates.base import Case, Fragment, Settings
from rocite.text import content_words

GATE_SETS = {"article": gates.ARTICLE}
DEFAULT_GATES = "article"
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


def settings_from(values: dict[str, object]) -> Settings:
    """Return the settings that `values` (name to value) mean; those not named have the article's values.

    Raises UnknownNameError for a name that is no setting.
    """
    for name in values:
        if name not in SETTINGS:
            raise UnknownNameError("setting", name, sorted(SETTINGS))
    return Settings(**values)


def judge(question: str, fragments: tuple[Fragment, ...], answer: str, settings: Settings, gate_set: str = DEFAULT_GATES) -> Judgement:
    """Judge `answer`, which was written from `fragments` in their numbered order.

    Raises UnknownNameError for an unknown gate set and InputError for fragments that share an id.
    """
    if gate_set not in GATE_SETS:
        raise UnknownNameError("gate set", gate_set, sorted(GATE_SETS))
    ids = [f.id for f in fragments]
    if len(set(ids)) != len(ids):
        raise InputError(f"two fragments share an id: {', '.join(sorted({i for i in ids if ids.count(i) > 1}))}.")
    reading = citations.read(answer, ids)
    case = Case(question, tuple(fragments), reading, settings)
    scored = {gate: gate.score(case) for gate in GATE_SETS[gate_set]}
    reasons = {gate.NAME: reason for gate, score in scored.items() if (reason := gate.failure(score, case))}
    rows = tuple(scored[gates.grounding].details["sentences"])
    attributed = [(r["text"], r["source"]) for r in rows if r["source"] is not None and r["score"] >= settings.min_ground]
    sources = tuple(dict.fromkeys(source for _, source in attributed))
    abstains = len(content_words(reading.text)) < settings.min_claim_words
    verdict, failed, reason = _verdict(reasons, abstains, reading.marker)
    return Judgement(
        verdict=verdict,
        failed=failed,
        reason=reason,
        sources=sources,
        padding=tuple(i for i in reading.cited if i not in sources),
        sentences=rows,
        scores=_scores(case, scored, attributed),
        unchecked=tuple(gate.NAME for gate, score in scored.items() if score.value is None),
    )


def _verdict(reasons: dict[str, str], abstains: bool, marker: bool) -> tuple[str, tuple[str, ...], str]:
    """Return verdict, failing gates and reason, in the article's order: retrieval comes before the abstention."""
    if abstains and gates.retrieval.NAME not in reasons:
        why = "it declares that it does not know" if marker else "it says too little to be judged"
        return "abstained", (), why
    if reasons:
        failed = tuple(reasons)
        return "refused", failed, f"{failed[0]}: {reasons[failed[0]]}"
    return "accepted", (), "every gate passed"


def _scores(case: Case, scored: dict, attributed: list[tuple[str, str]]) -> dict:
    ground = scored[gates.grounding]
    covered, focus = coverage.scores(case, attributed)
    rounded = {gate.NAME: score.value if score.value is None else round(score.value, 6) for gate, score in scored.items()}
    mean = ground.details["mean"]
    return {
        **rounded,
        "similarity": scored[gates.retrieval].details["best"],
        "support_min": rounded[gates.grounding.NAME],
        "support_mean": None if mean is None else round(mean, 6),
        "coverage": covered,
        "focus": focus,
    }
