"""What a statement denies, and what it affirms: the words that its negations bear on, clause by clause.

A denial is a negation with the word that it bears on, the next content word behind it in its clause; an exception, a
prohibition, an exemption or an invalidity denies by itself ("interzis" denies "permis", "scutit" denies "plata"), and
two negations of one word cancel out. A negation before a bound ("nu mai mult de") denies nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rocite.language import lexicon
from rocite.language.statements import Statement, is_content, key

BASE = 6  # letters in which a word under a denying prefix must agree with the word itself
NEAR = 4  # letters in which two words agree that may be forms of one: "copierea", "copiază"
REACH = 5  # words behind a negation in which the word that it denies is looked for

_NEGATING = frozenset("nu n nici niciodata deloc nefiind not no never nor neither cannot".split())
_ABSENCE = frozenset("fara lipsa without fail fails failed unable decat".split())
_NOBODY = frozenset("nimeni nimic niciun nicio niciunul niciuna none nobody nothing".split())
_AUXILIARIES = frozenset("don doesn didn isn aren wasn weren won can couldn shouldn mustn wouldn haven hasn hadn needn".split())
_FINITE = frozenset("is are was were may must can shall will does do has have".split())
_CONCEPTS = {name: (lexicon.DENIALS[name], lexicon.AFFIRMATIONS[name]) for name in lexicon.DENIALS}
_CONCORDANT = _NOBODY | {"nici", "niciodata", "deloc", "nor", "never"}
_EVEN = frozenset("macar even".split())
_NOWHERE, _BOUND = -1, -2
BOUNDED = "a bound"  # what a negation makes in "nu mai mult de": it denies nothing, but is one way to deny
NOTHING = "nothing by name"  # what a negation bears on where no content word follows: "nu este de 3 lei"


@dataclass(frozen=True)
class Denial:
    """A denied word: the labels under which the other side may name it, and the other words of its clause.

    `group` numbers the clauses in which two negations cancel out. `excepts` is an exception, `prefixed` a word under a
    denying prefix, `conditional` a denial within a condition.
    """

    word: str
    labels: frozenset[str]
    beside: frozenset[str] = frozenset()
    group: int = 0
    excepts: bool = False
    prefixed: bool = False
    conditional: bool = False


@dataclass(frozen=True)
class Parsed:
    """A statement's denials, and for each clause its words and the labels that it affirms."""

    denials: tuple[Denial, ...]
    affirmed: tuple[tuple[frozenset[str], frozenset[str]], ...]


@lru_cache(maxsize=8192)
def labels(word: str) -> frozenset[str]:
    """Return the labels of a folded word: its key, its first letters, and the concept that it affirms or denies."""
    found = {key(word), "+" + word[:BASE]}
    if about := concept(word):
        found.add("=" + about[0])
    return frozenset(found)


def denials(statement: Statement) -> list[Denial]:
    """Return what a statement denies, in order.

    >>> [d.word for d in denials(Statement("Taxa nu se returnează, iar fumatul este interzis."))]
    ['returneaza', 'interzis']
    """
    return list(parsed(statement).denials)


@lru_cache(maxsize=256)
def parsed(statement: Statement) -> Parsed:
    """Return the denials and affirmations of a statement, clause by clause."""
    found, affirmed, words = [], [], statement.words
    group, leads, subject = -1, False, frozenset()
    for first, last in _clauses(statement):
        opening = frozenset(words[first : first + 2])
        dependent = not opening.isdisjoint(lexicon.DEPENDENT)
        group += not (group >= 0 and (dependent or leads))
        leads = dependent and first == 0
        conditional = not opening.isdisjoint(lexicon.CONDITIONAL)
        denied: dict[int, int] = {}
        excepted, before = set(), len(found)
        for target, excepting in _targets(statement, first, last):
            denied[target] = denied.get(target, 0) + 1
            excepted |= {target} if excepting else set()
        inside = {i: words[i] for i in range(first, last) if is_content(words[i])}
        named: set[str] = set()
        for i in range(first, last):
            about = concept(words[i])
            if (denied.get(i, 0) + (about is not None and not about[1])) % 2:
                beside = near(w for w in inside.values() if key(w) != key(words[i]))
                found.append(Denial(words[i], labels(words[i]), beside, group, i in excepted, False, conditional))
            elif i not in denied and (base := _without_prefix(words[i])):
                found.append(Denial(words[i], frozenset({"+" + base}), frozenset(), group, prefixed=True))
            elif about or i in inside:
                named |= labels(words[i])
        whole = near(inside.values())
        if words[first] == "ci" and before and found[before - 1].group == group - 1:
            named |= found[before - 1].labels  # "nu se face în numerar, ci prin card": of the card it is affirmed
            whole |= subject
        negation = next((i for i in range(first, last) if words[i] in _NEGATING), first)
        subject = near(w for i, w in inside.items() if i < negation)
        for target, name in ((_NOWHERE, NOTHING), (_BOUND, BOUNDED)):
            if target in denied:
                found.append(Denial(name, frozenset({name}), whole, group, conditional=conditional))
        affirmed.append((whole, frozenset(named).difference(*(d.labels for d in found[before:]))))
    return Parsed(tuple(found), tuple(affirmed))


def near(words: Iterable[str]) -> frozenset[str]:
    """The first letters of words, in which forms and derivations of one word agree."""
    return frozenset(map(_near, words))


@lru_cache(maxsize=8192)
def _near(word: str) -> str:
    k = key(word)
    return k if k[0].isdigit() else k[:NEAR]


def _clauses(statement: Statement) -> Iterator[tuple[int, int]]:
    """Yield the clauses, parted also at "and" before a negation: "costă 5 lei și nu se returnează"."""
    words = statement.words
    for clause in statement.clauses:
        first = clause.first
        for i in range(clause.first + 1, clause.last - 1):
            ahead = i + 2 if words[i + 1] in _FINITE and i + 2 < clause.last else i + 1
            if words[i] in ("si", "and") and words[ahead] in _NEGATING:
                yield first, i
                first = i
        yield first, clause.last


def _targets(statement: Statement, first: int, last: int) -> Iterator[tuple[int, bool]]:
    """Yield on which word each negation of a clause bears, -1 for no word of content, and whether it is an exception."""
    words, denies = statement.words, False
    for i in range(first, last):
        word = words[i]
        negating = word in _NEGATING or word in _NOBODY or (word == "t" and i > first and words[i - 1] in _AUXILIARIES)
        excepting = word in lexicon.EXCEPTING
        if not (negating or excepting or word in _ABSENCE):
            continue
        if word == "decat" and not (denies and words[i - 1] not in ("mult", "putin", "mare", "mic")):
            continue  # a comparison; behind a negation it says "only"
        if denies and word in _CONCORDANT:
            continue  # negative concord: "nu ... nici", "nu ... niciun" deny once
        if word in _CONCORDANT and any(w in _NEGATING - _CONCORDANT for w in words[i + 1 : last]):
            continue
        if i + 1 < last and words[i + 1] in _EVEN and i == 0 and not _FINITE.isdisjoint(words[i + 2 : last]):
            yield _NOWHERE, False  # "Not even for an hour may it run"
            continue
        if lexicon.BOUNDING.match(" ".join(words[i + 1 : i + 5])):
            yield _BOUND, False
            continue
        denies = denies or negating or word == "fara"
        behind = itertools.takewhile(lambda j: words[j] not in lexicon.CONDITIONAL, range(i + 1, min(last, i + 1 + REACH)))
        yield next((j for j in behind if bears_on(words[j])), _NOWHERE), excepting


def bears_on(word: str) -> bool:
    """Whether a negation can bear on a folded word."""
    return (is_content(word) and not word[0].isdigit()) or concept(word) is not None


@lru_cache(maxsize=8192)
def concept(word: str) -> tuple[str, bool] | None:
    """Return the concept that a folded word speaks of and whether it affirms it, None for other words."""
    for name, (denial, affirmation) in _CONCEPTS.items():
        if denial.fullmatch(word):
            return name, False
        if affirmation.fullmatch(word):
            return name, True
    return None


@lru_cache(maxsize=8192)
def _without_prefix(word: str) -> str | None:
    """Return the first letters of the word under a denying prefix ("nevalabil" -> "valabi"), None without one."""
    for prefix in lexicon.PREFIXES:
        if word.startswith(prefix) and len(word) >= len(prefix) + BASE:
            return word[len(prefix) :][:BASE]
    return None


def limits(statement: Statement) -> Iterator[tuple[str, bool]]:
    """Yield each figure that something exceeds or not, and whether it does: "nu depășește 80 N" -> ("80", False)."""
    words = statement.words
    for first, last in _clauses(statement):
        for i in range(first, last):
            if lexicon.EXCEED.fullmatch(words[i]):
                negated = not _NEGATING.isdisjoint(words[max(first, i - 4) : i]) or "fara" in words[max(first, i - 2) : i]
                yield from ((w, not negated) for w in words[i + 1 : min(i + 5, last)] if w[0].isdigit())
