"""Qualifier: the conditions, exceptions and limits of the evidence are still there, and none is widened.

Refuses a condition or exception that the answer dropped although it repeats what the condition limits; a bound or an
average that became a plain figure; "all", "any", "always" where the evidence does not say so; "may" that became "must"
and the reverse. A condition that the question itself states need not be repeated, and a part of a statement that the
answer leaves out takes its conditions with it.
"""

from __future__ import annotations

import itertools

from rocite import lexicon
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.gates.direction import poles
from rocite.gates.polarity import denials
from rocite.quantities import same
from rocite.statements import Statement, covered, is_content, key

NAME = "qualifier"
KEPT = 0.34  # share of a condition's words that must be repeated for it to count as kept
BARE = 4  # content words up to which a sentence is a bare reply
REPEATED = 0.6  # share of what a condition limits that must be repeated before its loss counts

_SEGMENT = frozenset("iar dar insa ci but while whereas".split())


def score(case: Case) -> Score:
    """Return the share of the answer's sentences that drop and widen nothing, in [0, 1]; None without evidence."""
    found, looked = [], 0
    for claim in case.claims:
        if not claim.evidence:
            continue
        looked += 1
        problem = _widened(claim, case) or _unbounded(claim, case) or _dropped(claim, case)
        if problem:
            found.append(f"{problem}, in {claim.sentence.text[:60]!r}")
    return judged(found, looked)


failure = first_found


def _folded(statements: tuple[Statement, ...]) -> str:
    return " | ".join(" ".join(s.words) for s in statements)


def _widened(claim: Claim, case: Case) -> str | None:
    said, held, asked = " ".join(claim.sentence.words), _folded(claim.evidence), " ".join(case.asked.words)
    universal = lexicon.UNIVERSALS.search(said)
    if universal and not lexicon.WHOLES.search(f"{held} | {asked}") and not denials(claim.sentence):
        return f"{universal.group()!r} is wider than the evidence"
    must, may = lexicon.MUST.search(said), lexicon.MAY.search(said)
    held_must, held_may = lexicon.MUST.search(held), lexicon.MAY.search(held)
    if must and not may and held_may and not held_must:
        return f"{must.group()!r} where the evidence says {held_may.group()!r}"
    if may and not must and held_must and not held_may and not lexicon.NEGATIONS.search(said):
        return f"{may.group()!r} where the evidence says {held_must.group()!r}"
    return None


def _unbounded(claim: Claim, case: Case) -> str | None:
    """A plain figure where the evidence bounds it; not in a bare reply, nor where the question asks for a bound or a deadline."""
    if len(claim.sentence.content) <= BARE or lexicon.ASKED_BOUND.search(" ".join(case.asked.words)):
        return None
    for figure in claim.sentence.quantities:
        if figure.bound or figure.kind not in ("amount", "frequency"):
            continue
        at = claim.sentence.word_at(figure.start)
        if any(c.first <= at < c.last and "amount" in poles(claim.sentence, c.first, c.last) for c in claim.sentence.clauses):
            continue
        equal = [q for s in claim.evidence for q in s.quantities if same(figure, q)]
        if equal and all(q.bound in ("min", "max", "over", "under") for q in equal):
            return f"{equal[0].text!r} became {figure.text!r}"
    return None


def _dropped(claim: Claim, case: Case) -> str | None:
    said = case.said | case.asked.key_set
    weights = {}
    for statement in claim.evidence:
        weights.update(statement.weights)
        for first, last, cue in conditions(statement):
            segment = _segment(statement, first)
            inside = [key(w) for w in statement.words[first:last] if is_content(w)]
            main = [key(statement.words[i]) for i in segment if not first <= i < last and is_content(statement.words[i])]
            if not inside or not main or (lexicon.EXCEPTIONS.fullmatch(cue) and lexicon.CONDITIONS.search(" ".join(claim.sentence.words))):
                continue
            if covered(inside, weights, said) < KEPT and covered(main, weights, claim.sentence.key_set) >= REPEATED:
                return f"it drops {' '.join(statement.words[first:last])[:60]!r}"
    return None


def conditions(statement: Statement) -> list[tuple[int, int, str]]:
    """Return the conditions and exceptions of a statement as (first word, word behind the last, cue)."""
    folded = " ".join(statement.words)
    starts, at = {}, 0
    for n, word in enumerate(statement.words):
        starts[at] = n
        at += len(word) + 1
    found = []
    for cue in lexicon.CONDITIONS.finditer(folded):
        first = starts[cue.start()]
        behind = first + cue.group().count(" ") + 1
        ends = [c.last for c in statement.clauses if c.last > behind]
        last = ends[0] if ends else len(statement.words)
        if found and first < found[-1][1]:
            continue
        found.append((first, last, cue.group()))
    return found


def _segment(statement: Statement, at: int) -> range:
    """The part of the statement between contrasting conjunctions or semicolons in which the word `at` stands."""
    cuts = [0]
    for clause in statement.clauses[1:]:
        before = statement.text[statement.spans[clause.first - 1][1] : statement.spans[clause.first][0]]
        if ";" in before or statement.words[clause.first] in _SEGMENT:
            cuts.append(clause.first)
    cuts.append(len(statement.words))
    return next(range(a, b) for a, b in itertools.pairwise(cuts) if a <= at < b)
