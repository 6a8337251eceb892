"""Direction: at least or at most, before or after, over or under, rising or falling, first or last, and other opposites.

A word of the answer that names one pole of an axis fails where its evidence names the opposite instead: where the
evidence has a word of the same pole too, the one whose surroundings are most like those of the answer's word decides,
and each word of the evidence vouches for one of the answer's. Where only one of the two is negated, an opposite may
say the same. A bound on a figure is compared on that figure. A summary says much in a few words: its words may agree
with any statement of the document, and count only where the evidence carries the sentence well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rocite import lexicon, wordlists
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.gates.quantity import around, surroundings
from rocite.quantities import Quantity, same_value
from rocite.statements import Statement, covered, stem

NAME = "direction"
SLACK = 0.2  # how much more alike the surroundings of the opposite must be where the evidence names both poles
ALIKE = 0.05  # how alike they must be where it names the opposite only
SUMMARY_ALIKE = 0.2  # the same for a summary
CLOSE = 0.35  # support from which a word of a summary counts
REACH = 6  # words before a pole in which a negation counts
BESIDE = 0.2  # how much less of the sentence another statement may carry that has the same bound on the same figure
_UP, _DOWN = frozenset(("min", "over")), frozenset(("max", "under"))
_POINTING = frozenset("acest aceasta acesta aceste acestei acestui acestea acestora this that these those it".split())


@dataclass(frozen=True)
class Pole:
    """A word or expression, `first` to `last` among the words, that names poles: pairs of an axis and +1 or -1."""

    first: int
    last: int
    names: frozenset[tuple[str, int]]
    odd: bool  # an odd number of negations stands in the words right before it in its clause

    @property
    def opposite(self) -> frozenset[tuple[str, int]]:
        """The poles across from those that it names."""
        return frozenset((axis, -sign) for axis, sign in self.names)


@lru_cache(maxsize=1024)
def named(statement: Statement) -> list[Pole]:
    """Return what names a pole in `statement`: the axes of `rocite.lexicon`, and the pairs of the list of opposites by number.

    >>> [p.first for p in named(Statement("Se face în prima zi.")) if ("rank", 1) in p.names]
    [3]
    """
    words = statement.words
    spans: dict[tuple[int, int], set[tuple[str, int]]] = {}
    for i, word in enumerate(words):
        for n in (1, 2, 3) if wordlists.opens_opposite(word) else (1,):
            if i + n <= len(words) and (pairs := wordlists.poles("_".join(words[i : i + n]))):
                spans.setdefault((i, i + n), set()).update((str(number), sign) for number, sign in pairs)
    folded, at = " ".join(words), 0
    for i, word in enumerate(words):
        for axis, sign, pattern in lexicon.directions(word):
            m = pattern.match(folded, at)
            if m and not (m.group() == "up to" and i and words[i - 1] in lexicon.WENT):
                spans.setdefault((i, i + m.group().count(" ") + 1), set()).add((axis, sign))
        at += len(word) + 1
    found, cuts = [], [c.first for c in statement.clauses]
    for (first, last), names in sorted(spans.items()):
        if any(a <= first and last <= b and (a, b) != (first, last) for a, b in spans):
            continue  # "mai mare" within "nu mai mare de"
        clause = max(c for c in cuts if c <= first)
        odd = bool(sum(w in _NEGATING for w in words[max(clause, first - REACH) : first]) % 2)
        found.append(Pole(first, last, frozenset(names), odd))
    return found


def poles(statement: Statement, first: int = 0, last: int | None = None) -> dict[str, set[int]]:
    """Return the poles that the words from `first` to `last` name: axis to a set of +1 and -1."""
    found: dict[str, set[int]] = {}
    for pole in named(statement):
        if pole.first >= first and (last is None or pole.first < last):
            for axis, sign in pole.names:
                found.setdefault(axis, set()).add(sign)
    return found


_NEGATING = frozenset("nu n nici niciodata fara not no never nor without cannot t nimeni nobody nothing niciun nicio none".split())


def score(case: Case) -> Score:
    """Return the share of the answer's directions that its evidence does not reverse, in [0, 1]; None where there is none."""
    found, looked = [], 0
    held: dict[Statement, list[Pole]] = {}
    for claim in case.claims:
        if not claim.evidence:
            continue
        bounds = [q for q in claim.sentence.quantities if q.bound in _UP | _DOWN]
        for figure in bounds:
            looked += 1
            if problem := _reversed_bound(figure, claim, case):
                found.append(problem)
        said = [p for p in named(claim.sentence) if not (bounds and any(axis == "amount" for axis, _ in p.names))]
        looked += len(said)
        if not said or (case.summary and claim.support < CLOSE):
            continue
        for statement in case.stated(claim):
            if statement not in held:
                held[statement] = named(statement)
        found += [
            f"the evidence says the opposite of {' '.join(claim.sentence.words[p.first : p.last])!r} in {claim.sentence.text[:60]!r}"
            for p in _reversed(said, claim, case, held)
        ]
    return judged(found, looked)


failure = first_found


def _sign(figure: Quantity) -> int:
    return +1 if figure.bound in _UP else -1


def _reversed_bound(figure: Quantity, claim: Claim, case: Case) -> str | None:
    """Whether the evidence bounds the same figure on the other side, in what is nearest to the answer's surroundings.

    A bound may take up a figure named before: "peste această valoare", "over this".
    """
    weights = {**case.asked.weights, **claim.sentence.weights}
    own = surroundings(claim.sentence, figure)
    total = sum(weights[k] * v for k, v in own.items()) or 1.0
    near, other = {+1: -1.0, -1: -1.0}, ""
    again = {_taken_up(p, claim.sentence) for p in named(claim.sentence)}  # the answer takes it up in its turn
    for statement in case.stated(claim):
        same = [q for q in statement.quantities if same_value(figure, q) and q.bound in _UP | _DOWN]
        found = [(_sign(q), surroundings(statement, q)) for q in same]
        if found:
            before = {k: max(there.get(k, 0.0) for _, there in found) for k in set().union(*(there for _, there in found))}
            for pole in named(statement):
                sign = _taken_up(pole, statement)
                if sign and sign not in again:
                    beside = around(statement, pole.first, pole.last - 1)
                    found.append((sign, {k: max(before.get(k, 0.0), beside.get(k, 0.0)) for k in before.keys() | beside.keys()}))
        other = next((q.text for q in same if _sign(q) != _sign(figure)), other)
        for sign, there in found:
            near[sign] = max(near[sign], sum(weights[k] * min(v, there[k]) for k, v in own.items() if k in there) / total)
    mine, theirs = near[_sign(figure)], near[-_sign(figure)]
    if theirs < 0 or theirs <= (mine + SLACK if mine >= 0 else -1.0):
        return None
    for statement in case.parts[claim.source]:
        if covered(claim.sentence.keys, claim.sentence.weights, statement.key_set) >= claim.support - BESIDE and any(
            same_value(figure, q) and q.bound and _sign(q) == _sign(figure) for q in statement.quantities if statement not in claim.evidence
        ):
            return None
    return f"the evidence bounds the figure of {figure.text!r} on the other side: {other!r}"


def _taken_up(pole: Pole, statement: Statement) -> int:
    """The sign of a bound that points back to a figure named before, 0 if it does not."""
    pointing = pole.last < len(statement.words) and statement.words[pole.last] in _POINTING
    return next((sign for axis, sign in pole.names if axis == "amount"), 0) if pointing else 0


def _reversed(said: list[Pole], claim: Claim, case: Case, held: dict[Statement, list[Pole]]) -> list[Pole]:
    """The poles of the answer whose opposite the evidence names in their place."""
    sentence, weights = claim.sentence, {**case.asked.weights, **claim.sentence.weights}
    near = [around(sentence, p.first, p.last - 1) for p in said]
    total = [sum(weights[k] * v for k, v in n.items()) or 1.0 for n in near]
    stated = [(s, p) for s in case.stated(claim) for p in held[s]]
    agreeing: list[tuple[float, int, int]] = []
    opposing: list[tuple[float, int, int]] = []
    for m, (statement, theirs) in enumerate(stated):
        there = None
        for n, ours in enumerate(said):
            same = ours.names & theirs.names or _same_word(sentence, ours, statement, theirs)
            if not same and (not ours.names & theirs.opposite or ours.odd != theirs.odd or statement not in claim.evidence):
                continue
            there = around(statement, theirs.first, theirs.last - 1) if there is None else there
            alike = sum(weights[k] * min(v, there[k]) for k, v in near[n].items() if k in there) / total[n]
            (agreeing if same else opposing).append((alike, n, m))
    own, taken = [-1.0] * len(said), {}
    for alike, n, m in sorted(agreeing, reverse=True):
        if own[n] < 0 and (case.summary or m not in taken):
            own[n] = alike
            taken.setdefault(m, alike)
    across = [-1.0] * len(said)
    for alike, n, m in opposing:
        if alike > taken.get(m, -1.0):  # what fits another word of the answer better opposes none
            across[n] = max(across[n], alike)
    least = SUMMARY_ALIKE if case.summary else ALIKE
    return [p for n, p in enumerate(said) if across[n] > (own[n] + SLACK if own[n] >= 0 else least)]


def _same_word(sentence: Statement, ours: Pole, statement: Statement, theirs: Pole) -> bool:
    return [stem(w) for w in sentence.words[ours.first : ours.last]] == [stem(w) for w in statement.words[theirs.first : theirs.last]]
