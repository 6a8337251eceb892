"""Stress: every perturbation paired with its original case, and what it did to route, required units and claims.

Five perturbations. `noise`: the context grows by one constructed document about another machine or service and by the next
five nearest documents without a required unit; the same route and the same answer are expected. `conflict`: a constructed
document in force contradicts a required statement; the owners are to be asked, both documents shown. `budget`: a required
statement is gone from the documents of the context; nothing may be answered, and the loss is one of the pipeline, at its
stage, while the label stays answerable. `language` and `paraphrase`: the family's own variants of the question; the same
route is expected. Noise, conflict and budget are made of answerable base cases alone.

Noise sensitivity has its idea from the metric of that name in Ragas (docs.ragas.io, "Noise Sensitivity", after RAGChecker,
Ru et al. 2024: incorrect claims of a response over all its claims). The counting is our own and asks no model: a claim is a
released statement, wrong when it is no alternative of a required unit, and counted only when it was not wrong before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rocite import stats
from rocite.boundary import routes
from rocite.boundary.evidence import Pool
from rocite.boundary.examine import Examiner
from rocite.boundary.policy import Policy
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.answerability import examined as base
from rocite.evaluate.answerability.cases import Case
from rocite.evaluate.answerability.constructed import conflicting_document, elsewhere_document, identifiers, without
from rocite.evaluate.answerability.examined import Examined
from rocite.gates.base import Settings
from rocite.records import read_jsonl, write_jsonl
from rocite.stats import Estimate

NOISE, CONFLICT, BUDGET, LANGUAGE, PARAPHRASE = PERTURBATIONS = ("noise", "conflict", "budget", "language", "paraphrase")
STAGES = ("retrieval", "admission", "admission gate", "support")
FURTHER = 5  # documents that noise adds to the context beside the constructed one
_VARIANTS = {"translation": LANGUAGE, "paraphrase": PARAPHRASE}

Ranked = list[tuple[str, float]]  # documents with their scores, best first


@dataclass(frozen=True)
class Pair:
    """A case with the documents that it is asked of, before and after; `added` are the ids of constructed documents.

    `after` is the case itself, with its own label, or the variant that is asked instead. Where no document changed the two
    corpora are one object.
    """

    perturbation: str
    before: Case
    after: Case
    corpus: Corpus
    perturbed: Corpus
    added: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExaminedPair:
    """What was found for a case before and after its perturbation."""

    perturbation: str
    before: Examined
    after: Examined
    added: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decided:
    """One side of a pair under a policy, after the support check: route and reason, the stage at which a required unit was lost.

    `claims` are the statements released, as (document, text); `wrong` are those that no required unit bears out. Both are
    empty unless an answer is released.
    """

    route: str
    reason: str
    lost: str
    claims: frozenset[tuple[str, str]]
    wrong: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Row:
    """One perturbation: how many pairs and families, and what came out.

    `rightly`: of all pairs, those whose route was kept or changed as it should be. `lost_before` and `lost_after`: pairs by the
    stage at which a required unit was lost. `noise_sensitivity`: of the claims released after, those that are wrong and
    were not before. Intervals are over families; without pairs or claims the value is None.
    """

    perturbation: str
    pairs: int
    families: int
    answered_before: int
    answered_after: int
    rightly: Estimate
    lost_before: dict[str, int]
    lost_after: dict[str, int]
    claims_before: int
    wrong_before: int
    claims_after: int
    wrong_after: int
    noise_sensitivity: Estimate


# --- pairs ----------------------------------------------------------------------------------------------------------


def perturbed(cases: Sequence[Case], corpus: Corpus) -> list[Pair]:
    """Return the pairs of `cases` over `corpus`, in the order of the cases; the same input gives the same pairs.

    Raises InputError for a document that holds nothing but what its case requires.
    """
    highest = identifiers(corpus)
    return [_pair(name, before, after, corpus, highest) for name, before, after in _planned(cases)]


def _planned(cases: Sequence[Case]) -> Iterator[tuple[str, Case, Case]]:
    for case in cases:
        if case.variant != "base":
            continue
        if case.answerable:
            yield from ((name, case, case) for name in (NOISE, CONFLICT, BUDGET))
        for other in cases:
            if other.intent == case.intent and other.variant in _VARIANTS:
                yield _VARIANTS[other.variant], case, other


def _pair(name: str, before: Case, after: Case, corpus: Corpus, highest: dict[str, int]) -> Pair:
    if name == BUDGET:
        return Pair(name, before, after, corpus, without(corpus, before.units[-1]))
    if name in (NOISE, CONFLICT):
        new = elsewhere_document(before, corpus, highest) if name == NOISE else conflicting_document(before, corpus)
        return Pair(name, before, after, corpus, Corpus((*corpus.documents, new), corpus.name), (new.id,))
    return Pair(name, before, after, corpus, corpus)


# --- examined -------------------------------------------------------------------------------------------------------


class _Pool(Pool):
    """A pool whose context is chosen by a rule from all documents in their order."""

    def __init__(self, pool: Pool, choose: Callable[[Ranked], Ranked]):
        vars(self).update(vars(pool))
        self._choose = choose

    def documents(self, scores: np.ndarray, allowed: np.ndarray, count: int) -> Ranked:
        return self._choose(super().documents(scores, allowed, len(self.corpus)))


class _Desk(Examiner):
    """An examiner whose contexts are chosen by a rule."""

    def __init__(self, desk: Examiner, choose: Callable[[Ranked], Ranked]):
        vars(self).update(vars(desk))
        self._choose = choose

    def pool(self, scope: Sequence[str]) -> Pool:
        return _Pool(super().pool(scope), self._choose)


def examine_pairs(pairs: Iterable[Pair], make_examiner: Callable[[Corpus], Examiner], settings: Settings) -> list[ExaminedPair]:
    """Return what was found for every pair; `make_examiner` makes a corpus ready, once for each that is perturbed.

    An original and its examiner are used again for all pairs that share them.
    """
    desks: dict[int, Examiner] = {}
    seen: dict[tuple[int, str], Examined] = {}
    found = []
    for pair in pairs:
        key = id(pair.corpus)
        if key not in desks:
            desks[key] = make_examiner(pair.corpus)
        if (key, pair.before.id) not in seen:
            seen[key, pair.before.id] = base.examine([pair.before], desks[key], settings)[0]
        before = seen[key, pair.before.id]
        desk = desks[key] if pair.perturbed is pair.corpus else make_examiner(pair.perturbed)
        after = base.examine([pair.after], _laid(pair, before, desk), settings)[0]
        found.append(ExaminedPair(pair.perturbation, before, after, pair.added))
    return found


def _laid(pair: Pair, before: Examined, desk: Examiner) -> Examiner:
    """The examiner with the context that a perturbation asks for: grown for noise, the original's for budget, else as it comes."""
    kept = {*before.found.context, *pair.added}
    if pair.perturbation == BUDGET:
        return _Desk(desk, lambda ranked: [r for r in ranked if r[0] in kept])
    if pair.perturbation != NOISE:
        return desk
    holders = {p.doc for unit in pair.before.units for p in unit}

    def grown(ranked: Ranked) -> Ranked:
        further = [name for name, _ in ranked if name not in kept and name not in holders][:FURTHER]
        return [r for r in ranked if r[0] in kept or r[0] in further]

    return _Desk(desk, grown)


# --- the record -----------------------------------------------------------------------------------------------------


def write(path: Path, pairs: Iterable[ExaminedPair]) -> None:
    """Record what was found, one object a pair; each side as `rocite.evaluate.answerability.examined` records it."""
    rows = [{"perturbation": p.perturbation, "added": list(p.added)} | {s: base.recorded(getattr(p, s)) for s in _SIDES} for p in pairs]
    write_jsonl(path, rows)


_SIDES = ("before", "after")


def read(path: Path, cases: Sequence[Case]) -> list[ExaminedPair]:
    """Return the recorded pairs of `cases`, in their order. Raises InputError when a pair has no record."""
    recorded = {(r["perturbation"], r["before"]["id"], r["after"]["id"]): r for r in read_jsonl(path)}
    planned = list(_planned(cases))
    lacking = [f"{name} of {b.id}" for name, b, a in planned if (name, b.id, a.id) not in recorded]
    if lacking:
        raise InputError(f"{path}: {lacking[0]} and {len(lacking) - 1} other pairs were not examined; run: {base.RERECORD}")
    found = []
    for name, before, after in planned:
        r = recorded[name, before.id, after.id]
        found.append(ExaminedPair(name, base.from_record(before, r["before"]), base.from_record(after, r["after"]), tuple(r["added"])))
    return found


# --- counted --------------------------------------------------------------------------------------------------------


def decided(e: Examined, policy: Policy) -> Decided:
    """Return what becomes of a case under `policy` after the strict support check; only what is accepted is released."""
    reason = policy.decide(e.found)
    if reason == routes.SUFFICIENT:
        reason = {"accepted": reason, "abstained": routes.ABSTAINED}.get(e.verdicts["strict"][0], routes.UNSUPPORTED)
    route = routes.ROUTE_OF[reason]
    picks = e.found.picks if route == routes.ANSWER else ()
    wrong = [p for p in picks if not any(base.holds(p, unit) for unit in e.case.units)]
    return Decided(route, reason, e.lost(route), *(frozenset((p.document, p.text) for p in some) for some in (picks, wrong)))


def rightly(pair: ExaminedPair, policy: Policy) -> bool:
    """Return whether the route was kept or changed as the perturbation asks, whatever it was before.

    A lost unit is found right only where the loss is reported at retrieval or admission.
    """
    before, after = decided(pair.before, policy), decided(pair.after, policy)
    if pair.perturbation == CONFLICT:
        return after.reason == routes.CONFLICT and _both_shown(pair)
    if pair.perturbation == BUDGET:
        return after.route != routes.ANSWER and after.lost in STAGES[:2]
    return after.route == before.route and (pair.perturbation != NOISE or after.claims == before.claims)


def _both_shown(pair: ExaminedPair) -> bool:
    """Whether the owners see the constructed document and one that holds the statement which it contradicts."""
    found = pair.after.found
    shown = {found.picks[0].document, found.against.get("rival", ("", ""))[0]}
    return set(pair.added) <= shown and any(p.doc in shown for p in pair.after.case.units[0])


def table(pairs: Sequence[ExaminedPair], policy: Policy, draws: int, seed: int) -> list[Row]:
    """Return one row for each of `PERTURBATIONS`; intervals are bootstraps over families with `draws` resamples from `seed`."""
    return [_row(name, [p for p in pairs if p.perturbation == name], policy, draws, seed) for name in PERTURBATIONS]


def _row(name: str, pairs: Sequence[ExaminedPair], policy: Policy, draws: int, seed: int) -> Row:
    families = np.array([p.before.case.intent for p in pairs])
    before, after = ([decided(getattr(p, side), policy) for p in pairs] for side in _SIDES)
    right = np.array([rightly(p, policy) for p in pairs], bool)
    new = [(c in a.wrong and c not in b.wrong, f) for b, a, f in zip(before, after, families, strict=True) for c in sorted(a.claims)]
    wrong, whose = np.array([n for n, _ in new], bool), np.array([f for _, f in new])
    return Row(
        perturbation=name,
        pairs=len(pairs),
        families=len(set(families)),
        answered_before=sum(d.route == routes.ANSWER for d in before),
        answered_after=sum(d.route == routes.ANSWER for d in after),
        rightly=stats.rate(right, families, draws, seed),
        lost_before=_stages(before),
        lost_after=_stages(after),
        claims_before=sum(len(d.claims) for d in before),
        wrong_before=sum(len(d.wrong) for d in before),
        claims_after=sum(len(d.claims) for d in after),
        wrong_after=sum(len(d.wrong) for d in after),
        noise_sensitivity=stats.rate(wrong, whose, draws, seed),
    )


def _stages(decided: Sequence[Decided]) -> dict[str, int]:
    counted = Counter(d.lost for d in decided)
    return {stage: counted[stage] for stage in STAGES}
