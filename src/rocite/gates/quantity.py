"""Quantity: every number of the answer stands in its evidence with its unit, and about the same thing.

A number that stands elsewhere in the source does not count, nor does the right number with another unit. Where the
evidence holds several figures of one dimension, the figure must be the one whose surroundings are most like the
answer's: content words weigh by rarity and by nearness to the figure, half at `NEAR` words, and further behind a comma
or a contrasting conjunction. A figure that can be read in two ways ("1.500" with no language declared) fails as
ambiguous. What the question itself says may be repeated.
"""

from __future__ import annotations

from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.quantities import Quantity, same, same_value
from rocite.statements import Statement, key

NAME = "quantity"
NEAR = 4.0  # words from a figure at which a word counts half
BREAK = 3  # words that a comma or a contrasting conjunction counts as
SLACK = 0.15  # how much more alike another figure's surroundings may be before the figure is taken for a confusion
BOUND = 0.2
_REFERENCE = "reference"


def score(case: Case) -> Score:
    """Return the share of the answer's figures that their evidence holds, in [0, 1]; None for an answer without figures."""
    found, looked = [], 0
    for claim in case.claims:
        for figure in claim.sentence.quantities:
            if figure.kind == _REFERENCE:
                continue
            looked += 1
            if figure.ambiguous:
                found.append(f"ambiguous: {figure.text!r} can be read in two ways; declare the language")
            elif problem := _problem(figure, claim, case):
                found.append(problem)
    return judged(found, looked)


failure = first_found


def _problem(figure: Quantity, claim: Claim, case: Case) -> str | None:
    held = [(s, q) for s in case.stated(claim) for q in s.quantities if q.kind != _REFERENCE]
    equal = [(s, q) for s, q in held if _matches(figure, q)]
    if not equal:
        if any(_matches(figure, q) for q in case.asked.quantities):
            return None
        return f"{figure.text!r} is not in the statement that carries {claim.sentence.text[:60]!r}"
    rivals = [
        (s, q) for s, q in held if q.kind == equal[0][1].kind and _dimension(q) == _dimension(equal[0][1]) and not _matches(figure, q)
    ]
    if not rivals:
        return None
    weights = {**case.asked.weights, **claim.sentence.weights}
    nearest = lambda f, found: max(_alike(f, claim, s, q, weights, case) for s, q in found)  # noqa: E731
    mine = nearest(figure, equal)
    for rival in rivals:
        theirs = nearest(figure, [rival])
        also = next((f for f in claim.sentence.quantities if f is not figure and _matches(f, rival[1])), None)
        if also is not None:  # the answer states both: they are confused only if exchanged they fit better
            theirs, kept = theirs + nearest(also, equal), mine + nearest(also, [rival])
        else:
            kept = mine
        if theirs > kept + SLACK:
            return f"{figure.text!r} counts something else there: nearest to what the answer counts is {rival[1].text!r}"
    return None


def surroundings(statement: Statement, figure: Quantity) -> dict[str, float]:
    """Return how near each content word of `statement` stands to `figure`, in [0, 1] by key; figures are left out."""
    first, last = statement.word_at(figure.start), statement.word_at(figure.end - 1)
    cuts = [c.first for c in statement.clauses[1:]]
    found: dict[str, float] = {}
    for i in statement.content:
        if first <= i <= last or statement.words[i][0].isdigit():
            continue
        low, high = (i, first) if i < first else (last, i)
        distance = high - low + BREAK * sum(low < cut <= high for cut in cuts)
        k = key(statement.words[i])
        found[k] = max(found.get(k, 0.0), NEAR / (NEAR + distance - 1))
    return found


def _alike(figure: Quantity, claim: Claim, statement: Statement, other: Quantity, weights: dict[str, float], case: Case) -> float:
    """How far the surroundings of `other` are those of the answer's figure, in [0, 1]; the same bound adds `BOUND`."""
    own = surroundings(claim.sentence, figure) or {k: 1.0 for k in case.asked.keys if not k[0].isdigit()}
    there = surroundings(statement, other)
    total = sum(weights[k] * near for k, near in own.items()) or 1.0
    shared = sum(weights[k] * min(near, there[k]) for k, near in own.items() if k in there) / total
    return shared + (BOUND if figure.bound and figure.bound == other.bound else 0.0)


def _matches(figure: Quantity, other: Quantity) -> bool:
    """Whether two figures say the same; what a plain number counts is judged by its surroundings and not by the next word."""
    if figure.kind == "time" and other.kind == "amount" and not other.unit and other.low is not None:
        return other.low % 12 * 60 == figure.low % 720 if figure.low is not None else False
    plain = not figure.unit and figure.kind == "amount" == other.kind and (not other.unit or not figure.counted)
    return same_value(figure, other) if plain else same(figure, other)


def _dimension(figure: Quantity) -> str:
    return figure.unit or figure.counted[:4]
