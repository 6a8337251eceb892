"""Cases as they were examined: what was picked, what each candidate is worth, at which stage a required unit was lost.

Examining needs vectors and takes minutes for all cases; what was found is recorded with everything that shaped it, and
policies are arithmetic on the record. A candidate copies the picked statements. It is worth what the labels say: a
statement that is no alternative of any required unit is an unsupported claim, whatever else it says; any answer to a case
that the documents do not answer is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocite import check
from rocite.boundary.evidence import said_by
from rocite.boundary.examine import Examiner
from rocite.boundary.found import Examination, Pick, Request
from rocite.boundary.release import candidate, fragments, settings_for
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.answerability.cases import Case
from rocite.gates.base import Settings
from rocite.records import read_jsonl, write_jsonl

STAGES = ("retrieval", "admission", "admission gate", "support")
"""Where a required unit can be lost; a candidate that copies loses none in generation."""
RERECORD = "make boundary"


@dataclass(frozen=True)
class Examined:
    """A case, what was found for it, and what both sets of gates say of its candidate: verdict and failed gates."""

    case: Case
    found: Examination
    verdicts: Mapping[str, tuple[str, tuple[str, ...]]]

    @property
    def met(self) -> tuple[bool, ...]:
        """For each required unit, whether a pick is one of its alternatives."""
        return tuple(any(holds(p, unit) for p in self.found.picks) for unit in self.case.units)

    @property
    def unsupported(self) -> bool:
        """Whether the candidate would hold a claim that no required unit bears out."""
        return not self.case.answerable or any(not any(holds(p, unit) for unit in self.case.units) for p in self.found.picks)

    @property
    def right(self) -> bool:
        """Whether the candidate holds every required unit and nothing else."""
        return not self.unsupported and all(self.met)

    @property
    def retrieved(self) -> tuple[bool, ...]:
        """For each required unit, whether a document of one of its alternatives is in the context."""
        return tuple(any(p.doc in self.found.context for p in unit) for unit in self.case.units)

    @property
    def sufficient_context(self) -> bool:
        """Whether what survived into the context holds every required unit; never for a case that nothing answers."""
        return self.case.answerable and all(self.retrieved)

    def lost(self, route: str) -> str:
        """Return the stage at which an answerable case lost a required unit, "" where none was lost.

        The candidate copies what was admitted, so that nothing is lost in generation; `route` tells whether it was released.
        """
        if not self.case.answerable:
            return ""
        if not all(self.retrieved):
            return "retrieval"
        if not all(self.met):
            return "admission"
        return "" if route == "answer" else "support" if route == "withhold" else "admission gate"


def holds(pick: Pick, unit: Sequence) -> bool:
    """Return whether a pick is one of the alternatives of `unit`."""
    return any(pick.document == p.doc and said_by(pick.text, p.quote) for p in unit)


def examine(cases: Iterable[Case], desk: Examiner, settings: Settings) -> list[Examined]:
    """Examine every case and let both sets of gates judge its candidate."""
    found = []
    for case in cases:
        seen = desk.examine(Request(case.question, case.scope, case.at, case.asset))
        found.append(Examined(case, seen, verdicts(seen, desk.corpus, settings)))
    return found


def verdicts(seen: Examination, corpus: Corpus, settings: Settings) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return verdict and failed gates of the copied candidate under either set of gates."""
    if not seen.picks:
        return dict.fromkeys(check.GATE_SETS, ("abstained", ()))
    laid, text = fragments(seen, corpus), candidate(seen, corpus)
    own = settings_for(seen, corpus, settings)
    judged = check.judge_by(tuple(check.GATE_SETS), seen.request.question, laid, text, own, None)
    return {name: (j.verdict, j.failed) for name, j in judged.items()}


# --- the record ---------------------------------------------------------------------------------------------------


def write(path: Path, examined: Iterable[Examined]) -> None:
    """Record what was found, one object a case."""
    write_jsonl(path, [recorded(e) for e in examined])


def recorded(e: Examined) -> dict:
    """Return what was found for a case as the record has it."""
    return {
        "id": e.case.id,
        "context": list(e.found.context),
        "picks": [
            {"document": p.document, "text": p.text, "position": p.position, "score": round(p.score, 6), "part": p.part}
            for p in e.found.picks
        ],
        "signs": {k: round(v, 6) for k, v in e.found.signs.items()},
        "against": {k: list(v) for k, v in e.found.against.items()},
        "similarity": e.found.similarity,
        "verdicts": {k: [v, list(failed)] for k, (v, failed) in e.verdicts.items()},
    }


def read(path: Path, cases: Sequence[Case]) -> list[Examined]:
    """Return the recorded examinations of `cases`, in their order. Raises InputError when a case has none."""
    recorded = {r["id"]: r for r in read_jsonl(path)}
    lacking = [c.id for c in cases if c.id not in recorded]
    if lacking:
        raise InputError(f"{path}: {lacking[0]} and {len(lacking) - 1} other cases were not examined; run: {RERECORD}")
    return [from_record(c, recorded[c.id]) for c in cases]


def from_record(case: Case, r: Mapping) -> Examined:
    """Return a case with what the record says was found for it."""
    request = Request(case.question, case.scope, case.at, case.asset)
    found = Examination(
        request,
        tuple(r["context"]),
        tuple(Pick(**p) for p in r["picks"]),
        dict(r["signs"]),
        {k: (d, t) for k, (d, t) in r["against"].items()},
        float(r["similarity"]),
    )
    return Examined(case, found, {k: (v, tuple(failed)) for k, (v, failed) in r["verdicts"].items()})
