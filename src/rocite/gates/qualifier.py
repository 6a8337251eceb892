"""Qualifier: the conditions, exceptions and limits of the evidence are still there, and none is widened.

Refuses a condition or exception that the answer dropped although it repeats what the condition limits, or turned into
an inclusion; a bound that became a plain figure; "most" or "usually" left out; "all", "any", "always" where the
evidence does not say so; "may" that became "must" and the reverse; an "only" that moved to another word. A condition
that the question itself states need not be repeated, a condition may be put in other words, and a part of a statement
that the answer leaves out takes its conditions with it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from rocite.gates.base import Case, Score, first_found, judged_by_claim
from rocite.gates.claims import Claim
from rocite.gates.direction import poles
from rocite.language import lexicon, wordlists
from rocite.language.quantities import same
from rocite.language.statements import Statement, covered, is_content, key

NAME = "qualifier"
KEPT = 0.34  # share of a condition's words that must be repeated for it to count as kept
SHORTEST = 2  # content words beside figures up to which a sentence without a verb is a bare reply
REPEATED = 0.6  # share of what a condition limits that must be repeated before its loss counts
WANTED = 0.4  # the same where the question asks for the condition
WHOLE = 0.8  # the same for "most" and "usually"
NEAR = 4  # letters in which two words agree that may be forms of one
AHEAD = 4  # words in which a modal verb's verb, or the noun of "all", is looked for

_SEGMENT = frozenset("iar dar insa ci but while whereas".split())
_NEGATING = frozenset("nu n nici not never t no cannot".split())
_LINKS = frozenset("de din cu la pe pentru fara peste sub of from with at for in on without over under".split())
_AGAIN = frozenset("fara numai doar daca without only if".split())
_LIGHT = frozenset("face fac faca scutit scutita scutiti scutite exempt done made".split())
_FINITE = frozenset("se este sunt e are au trebuie poate pot is must may can has have costs".split())


def score(case: Case) -> Score:
    """Return the share of the answer's sentences that drop and widen nothing, in [0, 1]; None without evidence."""
    return judged_by_claim(case, _problem)


def _problem(claim: Claim, case: Case) -> str | None:
    found = _widened(claim, case) or _modal(claim) or _unbounded(claim, case) or _dropped(claim, case) or _moved(claim)
    return found and f"{found}, in {claim.sentence.text[:60]!r}"


failure = first_found


def _folded(*statements: Statement) -> str:
    return " | ".join(" ".join(s.words) for s in statements)


def _matches(pattern: re.Pattern, words: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (position among `words`, matched words) of each match in the words joined by spaces."""
    folded = " ".join(words)
    for match in pattern.finditer(folded):
        yield folded.count(" ", 0, match.start()), match.group()


def _like(word: str, keys: frozenset[str]) -> bool:
    return key(word) in keys or key(word)[:NEAR] in {k[:NEAR] for k in keys}


def _widened(claim: Claim, case: Case) -> str | None:
    words, held = claim.sentence.words, _folded(*claim.evidence)
    said = " ".join(words)
    if (absolute := lexicon.ABSOLUTES.search(said)) and not (lexicon.ABSOLUTES.search(held) or lexicon.WHOLES.search(held)):
        return f"{absolute.group()!r} is wider than the evidence"
    if (never := lexicon.NEVER.search(said) or absolute) and not lexicon.NEVER.search(held):
        for statement in claim.evidence:
            for first, last, _ in conditions(statement):
                inside = [key(w) for w in statement.words[first:last] if is_content(w)]
                if inside and covered(inside, statement.weights, case.said) < KEPT:
                    return f"{never.group()!r} is wider than the evidence"
    for at, universal in _matches(lexicon.UNIVERSALS, words):
        if at and words[at - 1] in ("nu", "not"):
            continue
        clause = next(c for c in claim.sentence.clauses if c.first <= at < c.last)
        if universal in lexicon.PERSONS or universal == "toata lumea":
            licensed = bool(lexicon.WHOLES.search(held))
        else:
            noun = next((w for w in words[at + 1 : at + 1 + AHEAD] if is_content(w) and not w[0].isdigit()), None)
            licensed = noun is None or _whole(noun, claim, held)
        if not licensed and _NEGATING.isdisjoint(words[clause.first : clause.last]):
            return f"{universal!r} is wider than the evidence"
    return None


def _whole(noun: str, claim: Claim, held: str) -> bool:
    """Whether the evidence speaks of every `noun`: as a whole, or without a word that restricts it and that the answer lacks."""
    met, names = False, {key(noun), *wordlists.synonyms(noun)}
    for statement in claim.evidence:
        words = statement.words
        for i, word in enumerate(words):
            if key(word) not in names and key(word)[:NEAR] != key(noun)[:NEAR]:
                continue
            met = True
            before = words[max(0, i - 3) : i]
            while not all(not is_content(w) or w[0].isdigit() or w in lexicon.RESTRICTING for w in before):
                before = before[1:]
            if any(not any(w[:NEAR] == r[:NEAR] for w in claim.sentence.words) for r in lexicon.RESTRICTING.intersection(before)):
                return False
            behind = i + 2 if i + 1 < len(words) and words[i + 1] in _LINKS else i + 1
            limits = words[behind : behind + 1]
            said = all(w[0].isdigit() or not is_content(w) or _like(w, claim.sentence.key_set) for w in limits)
            if said or lexicon.WHOLES.search(" ".join(before)):
                return True
    return not met and bool(lexicon.WHOLES.search(held))


def _modal(claim: Claim) -> str | None:
    """What may be that must be, or the reverse: over the whole sentence, or for one verb."""
    must, may, governed = _modals(claim.sentence)
    if not (must or may):
        return None
    held = [_modals(s) for s in claim.evidence]
    held_must, held_may = next((m for m, _, _ in held if m), None), next((m for _, m, _ in held if m), None)
    only, said_only = (lexicon.ONLY.search(_folded(*s)) for s in (claim.evidence, (claim.sentence,)))
    advised = lexicon.ADVISED.search(_folded(*claim.evidence))
    if must and not may and (held_may or advised) and not held_must and bool(only) <= bool(said_only):
        return f"{must!r} where the evidence says {held_may or advised.group()!r}"
    if may and not must and held_must and not held_may and not said_only and not lexicon.NEGATIONS.search(_folded(claim.sentence)):
        return f"{may!r} where the evidence says {held_must!r}"
    for verb, modal in governed.items():
        others = {g[verb] for _, _, g in held if verb in g}
        if others and modal not in others:
            return f"{modal!r} where the evidence says {others.pop()!r}, of {verb!r}"
    return None


@lru_cache(maxsize=256)
def _modals(statement: Statement) -> tuple[str | None, str | None, dict[str, str]]:
    """Return the first "must" and the first "may" that is not denied, and which of the two governs each verb."""
    words, governed, firsts = statement.words, {}, {}
    for name, pattern in (("must", lexicon.MUST), ("may", lexicon.MAY)):
        for at, modal in _matches(pattern, words):
            behind = at + modal.count(" ") + 1
            if not {"nu", "n", "not", "cannot"}.isdisjoint(words[max(0, at - 2) : at] + words[behind : behind + 1]):
                continue
            firsts.setdefault(name, modal)
            verb = next((w for w in words[behind : behind + AHEAD] if is_content(w)), None)
            if verb:
                governed.setdefault(key(verb), name)
    return firsts.get("must"), firsts.get("may"), governed


def _unbounded(claim: Claim, case: Case) -> str | None:
    """A plain figure where the evidence bounds it; not in a bare reply, nor where the question asks for a bound or a deadline."""
    sentence = claim.sentence
    figures = [q for q in sentence.quantities if not q.bound and q.kind in ("amount", "frequency")]
    bare = sum(not k[0].isdigit() for k in sentence.keys) <= SHORTEST and _FINITE.isdisjoint(sentence.words)
    if not figures or bare or lexicon.ASKED_BOUND.search(" ".join(case.asked.words)):
        return None
    for figure in figures:
        at = sentence.word_at(figure.start)
        if any(c.first <= at < c.last and "amount" in poles(sentence, c.first, c.last) for c in sentence.clauses):
            continue
        equal = [q for s in claim.evidence for q in s.quantities if same(figure, q)]
        if equal and all(q.bound in ("min", "max", "over", "under") for q in equal):
            return f"{equal[0].text!r} became {figure.text!r}"
    return None


def _dropped(claim: Claim, case: Case) -> str | None:
    said, asked = case.said | case.asked.key_set, " ".join(case.asked.words)
    wanted = lexicon.ASKS_CONDITION.search(asked)
    timeless = case.summary or (lexicon.ASKS_WHO_WHERE.search(asked) and not wanted)
    strictly = lexicon.ASKS_CONDITIONS.search(asked)
    in_words = any(not any(c.isdigit() for c in q.text) for q in claim.sentence.quantities)
    given = in_words or any(w[0].isdigit() for w in case.asked.words)
    own = _own_conditions(claim) or (wanted and conditions(claim.sentence))
    for statement in claim.evidence:
        weights, words = statement.weights, statement.words
        for first, last, cue in conditions(statement):
            inside = [key(w) for w in words[first:last] if is_content(w)]
            mains = _limited(statement, first, last)
            share = max((_repeated(m, weights, claim.sentence.key_set) for m in mains), default=0.0)
            if not inside or share < (WANTED if wanted else REPEATED):
                continue
            excepts = lexicon.EXCEPTIONS.fullmatch(cue)
            if excepts and _included(claim.sentence, inside):
                return f"it includes what is excepted: {' '.join(words[first:last])[:60]!r}"
            if case.summary and share < WHOLE:
                continue
            known = case.said if excepts or strictly else said
            apart = [k for k in inside if not any(k in m for m in mains)] or inside
            figures = [k for k in apart if k[0].isdigit()]
            unsaid = bool(figures) and not given and known.isdisjoint(figures)  # the figure may be what was asked for
            if figures and len(figures) == len(apart) and in_words:
                continue  # "numai doi ani" keeps "numai 2 ani": quantity compares the figures
            if own or (covered(apart, weights, known) >= KEPT and not unsaid) or (timeless and lexicon.SPANS.fullmatch(cue)):
                continue
            return f"it drops {' '.join(words[first:last])[:60]!r}"
        for at, partial in _matches(lexicon.PARTIALS, words):
            if case.summary or words[at - 1 : at] in (["at"], ["the"]):
                continue  # a summary may generalise; "at most"
            if lexicon.PARTIALS.search(f"{' '.join(claim.sentence.words)} | {asked}"):
                break
            clause = next(c for c in statement.clauses if c.first <= at < c.last)
            main = [key(words[i]) for i in range(clause.first, clause.last) if is_content(words[i]) and words[i] not in partial]
            if len(main) > 1 and covered(main, weights, claim.sentence.key_set) >= WHOLE:
                return f"it drops {partial!r}"
    return None


def _repeated(keys: list[str], weights: dict[str, float], known: frozenset[str]) -> float:
    """The weighted share of `keys` that are in `known`, forms of one word taken for the same."""
    near = {k[:NEAR] for k in known}
    return covered(keys, weights, {k for k in keys if k in known or (not k[0].isdigit() and k[:NEAR] in near)})


def _included(sentence: Statement, inside: list[str]) -> bool:
    """Whether the sentence includes by name what `inside` names: "inclusiv copiii" for "cu excepția copiilor"."""
    return any(
        any(key(w) in inside for w in sentence.words[at + 1 : at + 1 + AHEAD])
        for at, cue in _matches(lexicon.INCLUDING, sentence.words)
        if cue not in ("if", "daca")
    )


def _own_conditions(claim: Claim) -> bool:
    """Whether the answer states a condition that is none of the evidence in the same words: one put otherwise."""
    held = [frozenset(key(w) for w in s.words[a:b] if is_content(w)) for s in claim.evidence for a, b, _ in conditions(s)]
    for first, last, _ in conditions(claim.sentence):
        inside = {key(w) for w in claim.sentence.words[first:last] if is_content(w)}
        if inside and not any(len(inside & h) >= KEPT * len(inside) for h in held):
            return True
    return False


def _limited(statement: Statement, first: int, last: int) -> list[list[str]]:
    """What a condition from `first` to `last` may limit, as keys: the rest of its segment, or the rest of its clause."""
    found = []
    clause = next(c for c in statement.clauses if c.first <= first < c.last)
    for part in (_segment(statement, first), range(clause.first, first)):
        limited = [statement.words[i] for i in part if not first <= i < last]
        main = [key(w) for w in limited if is_content(w) and not _bare_verdict(w)]
        if main and (len(main) > 1 or not found):
            found.append(main)
    return found


def _bare_verdict(word: str) -> bool:
    """Whether a word only says that something is allowed, forbidden or done: the answer may put that otherwise."""
    return (
        any(p.fullmatch(word) for p in (lexicon.DENIALS["permis"], lexicon.AFFIRMATIONS["permis"]))
        or bool(lexicon.WHOLES.fullmatch(word))
        or word in _LIGHT
    )


@lru_cache(maxsize=256)
def conditions(statement: Statement) -> list[tuple[int, int, str]]:
    """Return the conditions and exceptions of a statement as (first word, word behind the last, cue)."""
    found: list[tuple[int, int, str]] = []
    words = statement.words
    for first, cue in _matches(lexicon.CONDITIONS, words):
        if cue == "decat" and (words[max(0, first - 2)] == "mai" or "nu" not in words[:first]):
            continue  # "mai mic decât" compares, "nu ... decât" limits
        behind = first + cue.count(" ") + 1
        last = next((c.last for c in statement.clauses if c.last > behind), len(words))
        last = next((i for i in range(behind + 1, last - 1) if words[i] in ("si", "and") and words[i + 1] in _AGAIN), last)
        if not found or first >= found[-1][1]:
            found.append((first, last, cue))
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


def _moved(claim: Claim) -> str | None:
    """An "only" that limits another word: the word that each "only" of the evidence limits stands outside that of the answer."""
    sentence = claim.sentence
    ours = [at for at, cue in _matches(lexicon.ONLY, sentence.words) if not cue.startswith("singur")]
    if not ours:
        return None
    within: set[str] = set()
    for at in ours:
        within.update(map(key, _behind(sentence, at) or sentence.words[max(0, at - 1) : at]))
    limited = [[w for w in _behind(s, at) if is_content(w)][:2] for s in claim.evidence for at, _ in _matches(lexicon.ONLY, s.words)]
    moved = [w for w in limited if w and key(w[0]) in sentence.key_set and within.isdisjoint(map(key, w))]
    return f"'only' no longer limits {moved[0][0]!r}" if limited and len(moved) == len(limited) else None


def _behind(statement: Statement, at: int) -> list[str]:
    return statement.words[at + 1 : next(c.last for c in statement.clauses if at < c.last)]
