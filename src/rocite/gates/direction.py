"""Direction: at least or at most, before or after, over or under, rising or falling, first or last, and other opposites.

A word of the answer that names one pole of an axis fails where its evidence names the other pole only; where the
evidence names both, the clause that shares most with the answer's clause decides. A bound on a figure is compared on
that figure.
"""

from __future__ import annotations

from rocite import lexicon
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.gates.polarity import denials
from rocite.quantities import Quantity, same_value
from rocite.statements import Clause, Statement, covered

NAME = "direction"
_UP, _DOWN = frozenset(("min", "over")), frozenset(("max", "under"))


def poles(statement: Statement, first: int = 0, last: int | None = None) -> dict[str, set[int]]:
    """Return the poles that the words from `first` to `last` name: axis to a set of +1 and -1."""
    folded = " ".join(statement.words[first:last])
    found: dict[str, set[int]] = {}
    for axis, (up, down) in lexicon.DIRECTIONS.items():
        ups, downs = [m.span() for m in up.finditer(folded)], [m.span() for m in down.finditer(folded)]
        signs = {+1 for a, b in ups if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in downs)}
        signs |= {-1 for a, b in downs if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in ups)}
        if signs:
            found[axis] = signs
    return found


def score(case: Case) -> Score:
    """Return the share of the answer's directions that its evidence does not reverse, in [0, 1]; None where there is none."""
    found, looked = [], 0
    for claim in case.claims:
        if not claim.evidence:
            continue
        bounds = [q for q in claim.sentence.quantities if q.bound in _UP | _DOWN]
        for figure in bounds:
            looked += 1
            if problem := _reversed_bound(figure, claim):
                found.append(problem)
        for clause in claim.sentence.clauses:
            for axis, signs in poles(claim.sentence, clause.first, clause.last).items():
                if axis == "amount" and bounds:
                    continue
                looked += 1
                if len(signs) == 1 and _reversed(axis, next(iter(signs)), clause, claim):
                    found.append(f"the evidence says the opposite ({axis}) of {claim.sentence.text[:60]!r}")
    return judged(found, looked)


failure = first_found


def _sign(figure: Quantity) -> int:
    return +1 if figure.bound in _UP else -1


def _reversed_bound(figure: Quantity, claim: Claim) -> str | None:
    equal = [q for s in claim.evidence for q in s.quantities if same_value(figure, q)]
    bounded = [q for q in equal if q.bound in _UP | _DOWN]
    if len(denials(claim.sentence)) % 2 != sum(len(denials(s)) for s in claim.evidence) % 2:
        return None  # "interzis peste 8" says what "cel mult 8" says; whether it may is for the polarity
    if bounded and not any(_sign(q) == _sign(figure) for q in bounded):
        return f"the evidence bounds the figure of {figure.text!r} on the other side: {bounded[0].text!r}"
    return None


def _reversed(axis: str, sign: int, clause: Clause, claim: Claim) -> bool:
    """Whether the evidence names only the opposite pole, in the clause nearest to the answer's or, failing that, at all."""
    near = max(
        ((covered(list(clause.keys), claim.sentence.weights, c.keys), s, c) for s in claim.evidence for c in s.clauses),
        key=lambda found: found[0],
        default=None,
    )
    everywhere: set[int] = set()
    for statement in claim.evidence:
        everywhere |= poles(statement).get(axis, set())
    if everywhere == {+1, -1} and near:
        everywhere = poles(near[1], near[2].first, near[2].last).get(axis, everywhere)
    return everywhere == {-sign}
