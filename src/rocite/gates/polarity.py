"""Polarity: what the answer affirms the evidence affirms, what it denies the evidence denies.

A denial is a negation with the word that it bears on, the next content word behind it in its clause; an exception, a
prohibition, an exemption or an invalidity denies by itself ("interzis" denies "permis", "scutit" denies "plata"), and
two negations cancel out. Denials of the same word are paired off, and what is left of one side with what is left of
the other where their clauses speak of the same, because "nu se plătește" and "este interzisă plata" deny different
words. A denial of the answer that finds no partner fails, and so does one of the evidence whose word or clause the
answer repeats without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rocite import lexicon
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.statements import Statement, is_content, key

NAME = "polarity"
BASE = 6  # letters in which a word under a denying prefix must agree with the word itself
REACH = 5  # words behind a negation in which the word that it denies is looked for
CLOSE = 0.6  # support from which a denial that the answer leaves out counts
BARE = 4  # content words up to which a sentence is a bare reply
REPEATED = 0.6  # share of a clause's other words that the answer must repeat before a denial left out of it counts

_NEGATING = frozenset("nu n nici niciodata deloc nefiind not no never nor neither cannot".split())
_ABSENCE = frozenset("fara lipsa without fail fails failed refuse refused refuses unable".split())
_NOBODY = frozenset("nimeni nimic niciun nicio niciunul niciuna none nobody nothing".split())
_AUXILIARIES = frozenset("don doesn didn isn aren wasn weren won can couldn shouldn mustn wouldn haven hasn hadn needn".split())
_CONCEPTS = {name: (lexicon.DENIALS[name], lexicon.AFFIRMATIONS[name]) for name in lexicon.DENIALS}
_CONCORDANT = _NOBODY | {"nici", "niciodata", "deloc", "nor", "never"}
BOUND = -2
_BOUNDED = "a bound"  # what a negation makes in "nu mai mult de": it denies nothing, but is one way to deny
_NOTHING = "nothing by name"  # what a negation bears on where no content word follows: "nu este de 3 lei"


@dataclass(frozen=True)
class Denial:
    """A denied word: the labels under which the other side may name it, and the other keys of its clause."""

    word: str
    labels: frozenset[str]
    beside: frozenset[str]
    excepts: bool = False


def labels(word: str) -> frozenset[str]:
    """Return the labels of a folded word: its key, its first letters, and the concept that it affirms or denies."""
    found = {key(word), "+" + word[:BASE]}
    if concept := _concept(word):
        found.add("=" + concept[0])
    return frozenset(found)


def denials(statement: Statement) -> list[Denial]:
    """Return what a statement denies, in order.

    >>> [d.word for d in denials(Statement("Taxa nu se returnează, iar fumatul este interzis."))]
    ['returneaza', 'interzis']
    """
    found = []
    for clause in statement.clauses:
        words, denied, excepted = statement.words, {}, set()
        for target, excepting in _targets(statement, clause.first, clause.last):
            denied[target] = denied.get(target, 0) + 1
            excepted |= {target} if excepting else set()
        for i in range(clause.first, clause.last):
            concept = _concept(words[i])
            if (denied.get(i, 0) + (concept is not None and not concept[1])) % 2:
                found.append(Denial(words[i], labels(words[i]), clause.keys - {key(words[i])}, i in excepted))
            elif i not in denied and (base := _without_prefix(words[i])):
                found.append(Denial(words[i], frozenset({"+" + base}), frozenset()))
        if -1 in denied:
            found.append(Denial(_NOTHING, frozenset({_NOTHING}), clause.keys))
        if BOUND in denied:
            found.append(Denial(_BOUNDED, frozenset({_BOUNDED}), clause.keys))
    return found


def _targets(statement: Statement, first: int, last: int) -> Iterator[tuple[int, bool]]:
    """Yield on which word each negation of a clause bears, -1 for no word of content, and whether it is an exception."""
    words, denies = statement.words, False
    for i in range(first, last):
        word = words[i]
        negating = word in _NEGATING or word in _NOBODY or (word == "t" and i > first and words[i - 1] in _AUXILIARIES)
        excepting = word in lexicon.EXCEPTING
        if not (negating or excepting or word in _ABSENCE):
            continue
        if denies and word in _CONCORDANT:
            continue  # negative concord: "nu ... nici", "nu ... niciun" deny once
        if word in _CONCORDANT and any(w in _NEGATING - _CONCORDANT for w in words[i + 1 : min(last, i + REACH)]):
            continue
        if lexicon.BOUNDING.match(" ".join(words[i + 1 : i + 5])):
            yield BOUND, False
            continue
        denies = denies or negating
        yield next((j for j in range(i + 1, min(last, i + 1 + REACH)) if _bears_on(words[j])), -1), excepting


def _bears_on(word: str) -> bool:
    return (is_content(word) and not word[0].isdigit()) or _concept(word) is not None


def _concept(word: str) -> tuple[str, bool] | None:
    for name, (denial, affirmation) in _CONCEPTS.items():
        if denial.fullmatch(word):
            return name, False
        if affirmation.fullmatch(word):
            return name, True
    return None


def _without_prefix(word: str) -> str | None:
    """Return the first letters of the word under a denying prefix ("nevalabil" -> "valabi"), None without one."""
    for prefix in lexicon.PREFIXES:
        if word.startswith(prefix) and len(word) >= len(prefix) + BASE:
            return word[len(prefix) :][:BASE]
    return None


def _named(statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset().union(*(labels(w) for s in statements for w in s.words if _bears_on(w)))


def _contradiction(claim: Claim, case: Case) -> str | None:
    """Return the word on which answer and evidence contradict each other, or None."""
    stated = case.stated(claim)
    said, held = denials(claim.sentence), [denials(s) for s in stated]
    ours, theirs = _named([claim.sentence]), _named(stated)
    denied = frozenset().union(*(d.labels for d in _denied_by(claim, case)))
    left = [[d for d in found if not d.labels & denied and (d.beside or d.labels & ours - theirs)] for found in held]
    for denial in said:
        if denial.word == _BOUNDED:
            continue
        if any(denial.labels & other.labels for found in held for other in found):
            continue
        partner = max(
            (d for found in left for d in found if _speak_of_the_same(d, denial)), key=lambda d: len(d.beside & denial.beside), default=None
        )
        if partner:
            left = [[d for d in found if d is not partner] for found in left]
        elif denial.beside or denial.labels & theirs:  # a word under a prefix counts only where the evidence has it without
            return denial.word
    if claim.support < CLOSE:
        return None  # too far from its evidence to say that it leaves a denial out
    left = left if not case.summary else [found if s in claim.evidence else [] for s, found in zip(stated, left, strict=True)]
    included = lexicon.INCLUDING.search(" ".join(claim.sentence.words))
    for found in left:
        found = [d for d in found if d.word != _BOUNDED]
        if len(found) % 2 == 0:
            continue  # "nu se repornește fără acord" says what "numai cu acord" says
        for denial in found:
            repeated = len(denial.beside & claim.sentence.key_set)
            if denial.excepts and not included:
                continue
            if denial.labels & ours or (len(denial.beside) > 1 and repeated >= REPEATED * len(denial.beside)):
                return denial.word
    return None


def _denied_by(claim: Claim, case: Case) -> list[Denial]:
    """What the whole answer denies; a bare reply leaves to the question what that denied."""
    by_question = [case.asked] if len(claim.sentence.content) <= BARE else []
    return [d for statement in (*by_question, *(c.sentence for c in case.claims)) for d in denials(statement)]


def _speak_of_the_same(a: Denial, b: Denial) -> bool:
    return bool(a.beside & b.beside or a.labels & b.beside or b.labels & a.beside)


def score(case: Case) -> Score:
    """Return the share of the answer's sentences that contradict no denial of their evidence, in [0, 1]; None without evidence."""
    found, looked = [], 0
    for claim in case.claims:
        if not claim.evidence:
            continue
        looked += 1
        word = _contradiction(claim, case)
        if word:
            found.append(f"answer and evidence disagree on whether {word!r} is denied, in {claim.sentence.text[:60]!r}")
    return judged(found, looked)


failure = first_found
