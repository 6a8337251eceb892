"""Two policies on the same requests: decided again from the signs in the audit log, by arithmetic alone.

Only bundles that agree in everything but their policy can be compared so, and only on records that such a bundle made:
with another index or other weights the same request would have had other signs. What the support check would have said of
a candidate that was never written is not known; routes are those before it, and "answer" means a candidate for the check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from rocite.boundary.bundle import SHORT, Bundle
from rocite.boundary.found import SIGNS, Examination, Pick, Request
from rocite.boundary.policy import Policy, route
from rocite.boundary.routes import ABSTAINED, ANSWER, CLARIFY, ESCALATE, FAILURE, SUFFICIENT, TIMEOUT, UNSUPPORTED
from rocite.errors import InputError

KIND = "boundary"  # the kind of an audit record that holds signs
COUNTED = (ANSWER, CLARIFY, ESCALATE)  # where a request can go before anything is written
NOT_RELEASED = (UNSUPPORTED, ABSTAINED, TIMEOUT, FAILURE)  # reasons for which a written candidate was not shown


@dataclass(frozen=True)
class Disagreement:
    """A request that the two policies send different ways, each with its reason."""

    record: str
    question: str
    route: str
    reason: str
    other_route: str
    other_reason: str


@dataclass(frozen=True)
class Load:
    """Requests on one route: under the current policy, under the other, and how many the other sends there more and less."""

    current: int
    other: int
    more: int
    less: int


@dataclass(frozen=True)
class Comparison:
    """What the other policy would have done with `compared` requests.

    `withheld` of them had a candidate that was not released and count as answers for the check under both policies.
    `left_out` are decisions of other bundles, which cannot be made again. `workload` has a `Load` for each route.
    """

    compared: int
    withheld: int
    left_out: int
    workload: dict[str, Load]
    disagreements: tuple[Disagreement, ...]

    def as_dict(self) -> dict:
        """Return the comparison as plain JSON values."""
        return asdict(self) | {"disagreements": [asdict(d) for d in self.disagreements]}


def differing(one: Bundle, two: Bundle) -> list[str]:
    """Return the parts in which two bundles differ, name and policy aside."""
    return [f.name for f in fields(Bundle) if f.name not in ("name", "policy") and getattr(one, f.name) != getattr(two, f.name)]


def disagreements(records: Iterable[Mapping], current: Bundle, other: Bundle, alike: Sequence[Bundle] = ()) -> Comparison:
    """Decide the logged requests again under both policies and return where their routes differ.

    `records` are those of an audit log; only records of kind "boundary" count. They have to carry the hash of `current`, of
    `other`, or of a bundle of `alike` that differs from these in its policy alone. Raises InputError, naming the parts,
    when the two bundles differ in more, and for a record that does not hold what a decision needs.
    """
    if parts := differing(current, other):
        raise InputError(
            f"bundles {current.short} and {other.short} differ in {', '.join(parts)}; expected two that differ in their policy alone, "
            "because the recorded signs are those of one index and one picker. Make one: rocite bundle freeze NAME --set threshold=X"
        )
    hashes = [b.hash.removeprefix("sha256:") for b in (current, other, *(b for b in alike if not differing(current, b)))]
    policies = current.policy_object, other.policy_object
    compared = withheld = left_out = 0
    pairs: list[tuple[str, str]] = []
    found: list[Disagreement] = []
    for record in records:
        if record.get("kind") != KIND:
            continue
        if not _made_by(record, hashes):
            left_out += 1
            continue
        compared += 1
        held = record.get("reason") in NOT_RELEASED
        withheld += held
        reasons = (SUFFICIENT, SUFFICIENT) if held else _decided(record, policies)
        ways = route(reasons[0]), route(reasons[1])
        pairs.append(ways)
        if ways[0] != ways[1]:
            found.append(
                Disagreement(str(record.get("record", "")), str(record.get("question", "")), ways[0], reasons[0], ways[1], reasons[1])
            )
    return Comparison(compared, withheld, left_out, {name: _load(name, pairs) for name in COUNTED}, tuple(found))


def examination_from(record: Mapping) -> Examination:
    """Return the examination that an audit record of kind "boundary" tells of, good for deciding again and for nothing else.

    The log holds no text of documents: texts of picks and of what stands against them are "", their scores and the similarity 0.
    Raises InputError, naming the record, where something is missing or is no number.
    """
    try:
        asked = record["asked"]
        request = Request(record["question"], tuple(asked["scope"]), asked["at"], asked["asset"])
        picks = tuple(Pick(e["id"], "", e["position"], 0.0) for e in record["evidence"])
        signs = {name: _number(name, record["signs"][name]) for name in SIGNS}
        against = {name: (document, "") for name, document in record["against"].items()}
        return Examination(request, tuple(f["id"] for f in record["fragments"]), picks, signs, against, 0.0)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"audit record {record.get('record', 'without an id')}: its decision cannot be made again ({type(error).__name__}: {error}); "
            "expected question, asked, fragments, evidence, signs and against, as rocite ask logs them."
        ) from error


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} = {value!r}; expected a number")
    return float(value)


def _decided(record: Mapping, policies: Sequence[Policy]) -> tuple[str, str]:
    found = examination_from(record)
    return policies[0].decide(found), policies[1].decide(found)


def _made_by(record: Mapping, hashes: Sequence[str]) -> bool:
    """Whether a record carries one of these hashes, whole or by its short name."""
    digits = str(record.get("bundle") or "").removeprefix("sha256:")
    return len(digits) >= SHORT and any(h.startswith(digits) for h in hashes)


def _load(name: str, pairs: Sequence[tuple[str, str]]) -> Load:
    before, after = ([way == name for way in ways] for ways in zip(*pairs, strict=True)) if pairs else ([], [])
    more = sum(a and not b for b, a in zip(before, after, strict=True))
    less = sum(b and not a for b, a in zip(before, after, strict=True))
    return Load(sum(before), sum(after), more, less)
