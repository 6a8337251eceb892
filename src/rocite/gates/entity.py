"""Entity: the names, codes, references and roles of the answer stand in its evidence, and in the same role.

A code or reference must be the very same; a name or a role may be inflected. The question, and the title of the cited
document, may name them too. Two roles that each stand beside the other's word are a swap.
"""

from __future__ import annotations

import itertools
import re

from rocite import wordlists
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.quantities import identifiers
from rocite.statements import Statement, covered, is_content, key
from rocite.text import fold

NAME = "entity"

_PERIOD = re.compile(r"Q[1-4]|[1-4]Q|H[12]|FY\d*")  # a quarter or half of a year names nothing
VERBATIM = 0.8  # share of a sentence's other words that the evidence must have before a noun that it lacks counts
CLOSE = 0.6  # support from which a name is looked for in the statement itself and not anywhere in its document


def named(statement: Statement) -> list[tuple[str, str]]:
    """Return what a statement names: (kind, folded word or code), kind one of "code", "name", "noun"."""
    shouted = sum(map(str.isupper, statement.text)) > sum(map(str.islower, statement.text))
    found_codes = [c for c in identifiers(statement.text) if not shouted or (any(map(str.isdigit, c[2])) and " " not in c[2])]
    found = [("code", fold(code)) for _, _, code in found_codes if not _PERIOD.fullmatch(code)]
    codes = [(a, b) for a, b, _ in found_codes] + [(q.start, q.end) for q in statement.quantities]
    for i, (a, _b) in enumerate(statement.spans):
        word = statement.words[i]
        if any(start <= a < end for start, end in codes) or word[0].isdigit():
            continue
        capital = statement.text[a].isupper() and i > 0 and not shouted and len(word) > 1
        if wordlists.is_noun(word):
            found.append(("noun", word))
        elif capital and is_content(word) and not _opens(statement.text, a):
            found.append(("name", word))
    return found


def _opens(text: str, at: int) -> bool:
    """Whether the word at `at` opens a sentence, a quotation or a listed point, where a capital names nothing."""
    return bool(re.search(r"(?:[.:!?\n]|[„“\"«(]|^)[\s*_-]*$", text[:at]))


def score(case: Case) -> Score:
    """Return the share of the answer's names, codes and roles that its evidence has, in [0, 1]; None where there is none."""
    found, looked = [], 0
    asked = set(case.asked.all_keys)
    asked_codes = {fold(code) for _, _, code in identifiers(case.asked.text)}
    for claim in case.claims:
        if not claim.evidence:
            continue
        title = case.titles[claim.source]
        known = claim.known_words | title.all_keys | asked
        if case.summary or claim.support < CLOSE:  # too far from its evidence to tell whose role it is
            known = known.union(*(s.all_keys for s in case.parts[claim.source]))
        codes = asked_codes | {fold(c) for s in (*case.stated(claim), title) for _, _, c in identifiers(s.text)}
        stems = frozenset().union(*(s.stems for s in (*case.stated(claim), case.asked)))
        for kind, name in named(claim.sentence):
            looked += 1
            if kind == "code":
                missing = not _same_code(name, codes)
            else:
                missing = key(name) not in known and not wordlists.synonyms(name) & stems
                missing = missing and (kind == "name" or (not case.summary and _verbatim_but_for(name, claim, known)))
            if missing:
                found.append(f"{name!r} is not in the statement that carries {claim.sentence.text[:60]!r}")
        references = [q for q in claim.sentence.quantities if q.kind == "reference"]
        held = {_reference(q.text) for s in (*claim.evidence, title, case.asked) for q in s.quantities if q.kind == "reference"}
        for reference in references:
            looked += 1
            if _reference(reference.text) not in held:
                found.append(f"the reference {reference.text!r} is not in the evidence")
        if swap := _swapped(claim):
            looked += 1
            found.append(swap)
    return judged(found, looked)


failure = first_found


def _verbatim_but_for(name: str, claim: Claim, known: frozenset[str]) -> bool:
    """Whether the evidence has nearly every other word of the sentence, so that this one stands in another's place."""
    others = [k for k in claim.sentence.keys if k != key(name) and not k[0].isdigit()]
    return covered(others, claim.sentence.weights, known) >= VERBATIM


def _same_code(code: str, codes: set[str]) -> bool:
    """Whether `code` is one of `codes`; a name of four letters or more may drop its number ("COVID-19", "COVID")."""
    if code in codes:
        return True
    stem = re.match(r"[^\W\d_]{4,}", code)
    return bool(stem) and any(c == stem.group() or (code == stem.group() and c.startswith(code)) for c in codes)


def _reference(text: str) -> str:
    return "".join(re.findall(r"\w", fold(text)))


def _neighbours(statement: Statement) -> dict[str, set[str]]:
    """The content words right before and right behind each role, by the role's key."""
    content, found = statement.content, {}
    for n, i in enumerate(content):
        if wordlists.is_noun(statement.words[i]):
            around = [content[m] for m in (n - 1, n + 1) if 0 <= m < len(content)]
            found.setdefault(key(statement.words[i]), set()).update(key(statement.words[j]) for j in around)
    return found


def _swapped(claim: Claim) -> str | None:
    """Two roles that stand each beside the other's word, and neither beside its own."""
    said = _neighbours(claim.sentence)
    for statement in claim.evidence:
        held = _neighbours(statement)
        both = [r for r in said if r in held]
        for a, b in itertools.combinations(both, 2):
            crossed = (said[a] - {b}) & held[b] and (said[b] - {a}) & held[a]
            if crossed and not (said[a] & held[a]) - {b} and not (said[b] & held[b]) - {a}:
                return f"the roles {a!r} and {b!r} change places"
    return None
