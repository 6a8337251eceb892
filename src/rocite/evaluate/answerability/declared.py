"""Declared limits: what a policy must keep to, and which policy is admissible under them.

Decides on the threshold part alone: of the admissible policies the one that covers most answerable cases is selected, and
where none is admissible, none is; nothing is relaxed instead.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from rocite.errors import InputError
from rocite.evaluate.answerability import outcomes
from rocite.evaluate.answerability.cases import Cases
from rocite.evaluate.answerability.examined import Examined
from rocite.evaluate.answerability.outcomes import ANSWERABLE_COVERAGE, Outcome
from rocite.evaluate.answerability.policies import Rule, run
from rocite.records import read_text


@dataclass(frozen=True)
class Declared:
    """What a policy must keep to, declared by its owner before anything was measured.

    The bound of the risk over families at `level`; coverage of answerable cases, in all and in each language; the most that
    may be escalated (withheld included) and clarified, of all eligible requests.
    """

    risk: float
    level: float
    coverage: float
    coverage_language: float
    escalated: float
    clarified: float
    owner: str
    reason: str


def load_declared(path: Path) -> Declared:
    """Read declared limits. Raises InputError for a missing or unknown field and a share outside (0, 1]."""
    try:
        record = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML ({error}).") from error
    names = {f.name for f in fields(Declared)}
    if set(record) != names:
        raise InputError(f"{path}: expected {', '.join(sorted(names))}; found {', '.join(sorted(record))}.")
    for name in names - {"owner", "reason"}:
        if not isinstance(record[name], int | float) or isinstance(record[name], bool) or not 0 < record[name] <= 1:
            raise InputError(f"{path}: {name} is {record[name]!r}; expected a share above 0 and at most 1.")
    if not all(isinstance(record[n], str) and record[n].strip() for n in ("owner", "reason")):
        raise InputError(f"{path}: limits are declared by an owner, with a reason.")
    return Declared(**record)


def failures(found: Sequence[Outcome], declared: Declared, languages: Mapping[str, str]) -> list[str]:
    """Return which declared limits these outcomes break, in words; none: the policy is admissible. `languages`: case to language."""
    broken = []
    wrong, answered, bound = outcomes.family_risk(found, declared.level)
    if bound is None:
        broken.append("nothing is answered, so that no risk is shown")
    elif bound > declared.risk:
        broken.append(f"risk: {wrong} of {answered} answered families wrong, bound {bound:.3f} above {declared.risk:g}")
    for measure, most in ((outcomes.ESCALATED, declared.escalated), (outcomes.CLARIFIED, declared.clarified)):
        n, of = measure.count(found)
        if of and n / of > most:
            broken.append(f"{measure.name}: {n} of {of}, above {most:g}")
    groups = {"": found} | {lang: [o for o in found if languages[o.case] == lang] for lang in sorted(set(languages.values()))}
    for lang, group in groups.items():
        n, of = ANSWERABLE_COVERAGE.count(group)
        least = declared.coverage_language if lang else declared.coverage
        if of and n / of < least:
            broken.append(f"coverage of answerable cases{f' in {lang}' if lang else ''}: {n} of {of}, under {least:g}")
    return broken


def selected(
    cases: Cases, examined: Sequence[Examined], named: Mapping[str, Rule], declared: Declared
) -> tuple[str | None, dict[str, list[str]]]:
    """Return the admissible policy of largest coverage on the threshold part, None where none is, and what each policy breaks.

    Raises AcceptanceError for a case of the acceptance part.
    """
    cases.fitting(e.case for e in examined)
    languages = {e.case.id: e.case.lang for e in examined}
    found = {name: run(examined, rule) for name, rule in named.items()}
    broken = {name: failures(o, declared, languages) for name, o in found.items()}
    fitting = [name for name in named if not broken[name]]
    best = max(fitting, key=lambda name: ANSWERABLE_COVERAGE.count(found[name])[0], default=None)
    return best, broken
