"""Cases of the answer boundary: typed records, checked against the documents, in four parts that never mix.

Decides what a case is and refuses one that cannot be used. Two labels are kept apart: `label` is what the documents that
the asker may see answer, whoever retrieves; what survives into a context is measured, and a required unit that is lost
on the way is a failure of the pipeline at that stage and never another label.

Parts are whole families of documents, so that no need stands in two, and no document of the acceptance part is a source in
another (the tuning parts share a few): `training` fits, `calibration`
calibrates, `threshold` chooses the policy, `acceptance` is measured alone. `fitting` refuses cases of the acceptance part.
The dates in the documents are constructed; the parts say nothing about a later time.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from rocite.boundary import routes
from rocite.corpus import Corpus, visible
from rocite.errors import InputError
from rocite.evaluate.gold import Passage, reading
from rocite.records import dumps, read_jsonl, read_text, sha256_of, sha256_of_file
from rocite.text import fold, normalise

KINDS = {
    "single": routes.ANSWER,
    "several": routes.ANSWER,
    "cross-language": routes.ANSWER,
    "missing": routes.ESCALATE,
    "contradictory": routes.ESCALATE,
    "stale": routes.ESCALATE,
    "wrong revision": routes.ESCALATE,
    "ambiguous": routes.CLARIFY,
}
"""What a case shows, and the route that is right for it. Denied requests are no cases; they are a suite of their own."""
DENIED = "denied"
LABELS = ("answerable", "unanswerable")
VARIANTS = ("base", "paraphrase", "translation")
PARTS = ("training", "calibration", "threshold", "acceptance")
TUNING = PARTS[:3]

Unit = tuple[Passage, ...]  # acceptable alternatives: any one of them is enough


class AcceptanceError(InputError):
    """A case of the acceptance part was given to something that fits, calibrates or chooses."""


@dataclass(frozen=True)
class Case:
    """One request with what the project knows about it.

    `intent` is the family: one need in several words. `documents` is the family of documents that it is about, `sources`
    are (id, revision) of the documents that the label rests on. All of `units` are required for an answer; `evidence` are
    the passages that make the case unanswerable, none where nothing is stated. `lacks` says what is missing.
    """

    id: str
    intent: str
    documents: str
    question: str
    lang: str
    variant: str
    kind: str
    scope: tuple[str, ...]
    at: str
    asset: str
    sources: tuple[tuple[str, str], ...]
    units: tuple[Unit, ...]
    evidence: tuple[Passage, ...]
    lacks: str
    label: str
    route: str
    answer: str
    reviewer: str
    reason: str

    @property
    def answerable(self) -> bool:
        """Whether the documents that the asker may see answer the question."""
        return self.label == LABELS[0]

    def as_dict(self) -> dict:
        """Return the case as the file has it."""
        record = {f.name: getattr(self, f.name) for f in fields(self)}
        passages = [[{"doc": p.doc, "quote": p.quote} for p in unit] for unit in (*self.units, self.evidence)]
        return record | {
            "scope": list(self.scope),
            "sources": [{"id": i, "revision": r} for i, r in self.sources],
            "units": passages[:-1],
            "evidence": passages[-1],
        }


@dataclass(frozen=True)
class Cases:
    """A set of cases with the part of each family of documents, and the version that the file's contents have."""

    cases: tuple[Case, ...]
    part_of: dict[str, str]
    version: str

    def part(self, *names: str) -> tuple[Case, ...]:
        """Return the cases of these parts."""
        return tuple(c for c in self.cases if self.part_of[c.documents] in names)

    def fitting(self, cases: Iterable[Case]) -> tuple[Case, ...]:
        """Return `cases` for something that fits, calibrates or chooses. Raises AcceptanceError for one of the acceptance part."""
        given = tuple(cases)
        kept = [c.id for c in given if self.part_of[c.documents] == "acceptance"]
        if kept:
            raise AcceptanceError(
                f"{kept[0]} and {len(kept) - 1} other cases are of the acceptance part, which nothing is fitted or chosen on."
            )
        return given


def load_parts(path: Path) -> dict[str, str]:
    """Read the part of every family of documents. Raises InputError for an unknown part and for a family in two."""
    try:
        record = tomllib.loads(read_text(path))
        found = [(str(name), part) for part, about in record.items() for name in about["documents"]]
    except (tomllib.TOMLDecodeError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{path}: expected a table with `documents` for each of {', '.join(PARTS)} ({error}).") from error
    if set(record) != set(PARTS):
        raise InputError(f"{path}: the parts are {', '.join(PARTS)}; found {', '.join(record)}.")
    if len(dict(found)) != len(found):
        raise InputError(f"{path}: a family of documents stands in two parts.")
    return dict(found)


def load(path: Path, corpus: Corpus, part_of: dict[str, str]) -> Cases:
    """Read cases and check them against `corpus`. Raises InputError naming file and line."""
    cases = load_records(path, corpus)
    for number, case in enumerate(cases, start=1):
        if case.documents not in part_of:
            raise InputError(f"{path}, object {number}: {case.documents!r} has no part; known: {', '.join(sorted(part_of))}.")
    homes: dict[str, str] = {}
    for number, case in enumerate(cases, start=1):
        if homes.setdefault(case.intent, case.documents) != case.documents:
            raise InputError(f"{path}, object {number}: the intent {case.intent!r} is that of {homes[case.intent]!r} too.")
    return Cases(cases, part_of, sha256_of(sha256_of_file(path), dumps(part_of)))


def load_records(path: Path, corpus: Corpus) -> tuple[Case, ...]:
    """Read cases or denied requests of one file and check each against `corpus`. Raises InputError naming file and line.

    A torn last line is refused: without it every figure would have another denominator.
    """
    cases, seen = [], {}
    with reading(path):
        records = read_jsonl(path)
    for number, record in enumerate(records, start=1):
        place = f"{path}, object {number}"
        case = _read(record, place)
        _check(case, corpus, place)
        for key in (f"id {case.id}", f"question {fold(case.question)} {case.at} {case.asset} {case.scope}"):
            if key in seen:
                raise InputError(f"{place}: the {key.split(' ', 1)[0]} stands in object {seen[key]} already.")
            seen[key] = number
        cases.append(case)
    if not cases:
        raise InputError(f"{path}: no case; expected at least one.")
    return tuple(cases)


def _read(record: dict, place: str) -> Case:
    wanted = {f.name for f in fields(Case)}
    if set(record) != wanted:
        raise InputError(f"{place}: missing {sorted(wanted - set(record))}, unknown {sorted(set(record) - wanted)}.")
    try:
        if not isinstance(record["scope"], list):
            raise TypeError("scope is no list")
        return Case(
            **{k: normalise(v).strip() for k, v in record.items() if isinstance(v, str)},
            scope=tuple(record["scope"]),
            sources=tuple((s["id"], s["revision"]) for s in record["sources"]),
            units=tuple(tuple(_passage(p) for p in unit) for unit in record["units"]),
            evidence=tuple(_passage(p) for p in record["evidence"]),
        )
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{place}: not a case ({type(error).__name__}: {error}).") from error


def _passage(found: dict) -> Passage:
    return Passage(found["doc"], normalise(found["quote"]).strip())


def _check(case: Case, corpus: Corpus, place: str) -> None:
    problems = list(_problems(case, corpus))
    if problems:
        raise InputError(f"{place} ({case.id}): {problems[0]}.")


def _problems(case: Case, corpus: Corpus):
    denied = case.kind == DENIED
    if case.kind not in KINDS and not denied:
        yield f"kind {case.kind!r}; expected one of {', '.join(KINDS)}"
        return
    if case.route != (routes.DENY if denied else KINDS[case.kind]):
        yield f"route {case.route!r} is not that of kind {case.kind!r}"
    if case.label not in LABELS or case.answerable != (case.route == routes.ANSWER):
        yield f"label {case.label!r} contradicts route {case.route!r}"
    if case.variant not in VARIANTS or case.lang not in ("ro", "en"):
        yield f"variant {case.variant!r} in {case.lang!r}; expected {', '.join(VARIANTS)} in ro or en"
    if not all((case.id, case.intent, case.question, case.reviewer, case.reason)):
        yield "a case needs an id, an intent, a question, a reviewer and a reason"
    if case.answerable and (not case.units or case.evidence or case.lacks or not case.answer):
        yield "an answerable case has units and an answer, and neither evidence nor lacks"
    if not case.answerable and (case.units or case.answer or not case.lacks):
        yield "an unanswerable case says what it lacks, and has neither units nor an answer"
    if not all(case.units) or not all(p.quote for unit in (*case.units, case.evidence) for p in unit):
        yield "a required unit has a passage at least, and a passage has words"
    known = {d.id: d for d in corpus.documents}
    try:
        seen = set(visible(corpus, case.scope, case.at).ids)
    except InputError:
        yield f"at {case.at!r}; expected a date as 2026-07-15"
        return
    for passage in (*(p for unit in case.units for p in unit), *case.evidence):
        if passage.doc not in known or passage.quote not in known[passage.doc].body:
            yield f"no such passage in {passage.doc!r}: {passage.quote[:60]!r}"
        elif passage.doc not in {i for i, _ in case.sources}:
            yield f"{passage.doc!r} is quoted and no source"
    for name, revision in case.sources:
        if name not in known or known[name].revision != revision:
            yield f"the source {name!r} in revision {revision!r} does not exist"
    for unit in case.units:
        for p in unit:
            if p.doc not in seen:
                yield f"{p.doc!r} is required and not in force, or not open to the asker, on {case.at}"
            elif case.asset and known[p.doc].asset not in ("", case.asset):
                yield f"{p.doc!r} is required and of another asset than {case.asset!r}"
    if case.kind in ("contradictory", "ambiguous") and len(case.evidence) < 2:
        yield f"a case of kind {case.kind!r} rests on two passages at least"
    if case.kind in ("stale", "wrong revision", DENIED) and (not case.evidence or any(p.doc in seen for p in case.evidence)):
        yield f"a case of kind {case.kind!r} rests on passages that the asker cannot have on {case.at}"
    if case.kind == "several" and len(case.units) < 2:
        yield "a case of kind 'several' has two units at least"


def counts(cases: Sequence[Case]) -> dict[str, int]:
    """Return cases, families, answerable cases and their families, and the cases of each kind."""
    asked = [c for c in cases if c.answerable]
    return {
        "cases": len(cases),
        "families": len({c.intent for c in cases}),
        "answerable": len(asked),
        "answerable families": len({c.intent for c in asked}),
        **Counter(c.kind for c in cases),
    }
