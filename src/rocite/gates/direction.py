"""Direction: at least or at most, before or after, over or under, rising or falling, first or last, and other opposites.

A word of the answer that names one pole of an axis fails where its evidence names the other pole only; where the
evidence names both, the clause that shares most with the answer's clause decides. Where only one of the two denies, an opposite may be the same. A bound on a figure is compared on
that figure.
"""

from __future__ import annotations

from rocite import lexicon, wordlists
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.gates.polarity import denials
from rocite.quantities import Quantity, same_value
from rocite.statements import Clause, Statement, covered

NAME = "direction"
SLACK = 0.2  # how much nearer the clause with the opposite must be where the evidence names both poles
_UP, _DOWN = frozenset(("min", "over")), frozenset(("max", "under"))


def poles(statement: Statement, first: int = 0, last: int | None = None) -> dict[str, set[int]]:
    """Return the poles that the words from `first` to `last` name: axis to a set of +1 and -1.

    The axes of `rocite.lexicon` and the pairs of the shipped list of opposites, by number.
    """
    words = statement.words[first:last]
    found: dict[str, set[int]] = {}
    for i, word in enumerate(words):
        for expression in (word, *("_".join(words[i : i + n]) for n in (2, 3))):
            for number, sign in wordlists.poles(expression):
                found.setdefault(str(number), set()).add(sign)
    folded = " ".join(words)
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
    bounded = [(s, q) for s in claim.evidence for q in s.quantities if same_value(figure, q) and q.bound in _UP | _DOWN]
    if not bounded or any(_sign(q) == _sign(figure) or _denied_otherwise(claim, s) for s, q in bounded):
        return None
    return f"the evidence bounds the figure of {figure.text!r} on the other side: {bounded[0][1].text!r}"


def _reversed(axis: str, sign: int, clause: Clause, claim: Claim) -> bool:
    """Whether the evidence names only the opposite pole or, where it names both, names it in the clause nearest to the answer's."""
    near = {+1: -1.0, -1: -1.0}
    for statement in claim.evidence:
        for part in statement.clauses:
            for found in poles(statement, part.first, part.last).get(axis, ()):
                if found == -sign and _denied_otherwise(claim, statement):
                    continue
                near[found] = max(near[found], covered(list(clause.keys), claim.sentence.weights, part.keys))
    return near[-sign] >= 0 and near[-sign] > near[sign] + (SLACK if near[sign] >= 0 else 0.0)


def _denied_otherwise(claim: Claim, statement: Statement) -> bool:
    """Whether one of the two denies and the other does not: then an opposite may say the same, and polarity judges."""
    return (len(denials(claim.sentence)) - len(denials(statement))) % 2 == 1
