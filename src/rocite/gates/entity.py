"""Entity: the names, codes, references and roles of the answer stand in its evidence, and in the same role.

A code or reference must be the very same; a name or a role may be inflected. The question, and the title of the cited
document, may name them too. What is named there and stands in the place of another is refused all the same
(`rocite.gates.slots`). In a summary only what the whole document lacks is refused, and no noun.
"""

from __future__ import annotations

import re

from rocite.gates import slots
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.language import wordlists
from rocite.language.nominals import named_codes, opens_text, same
from rocite.language.quantities import Quantity
from rocite.language.statements import Statement, covered, is_content, key
from rocite.text import fold

NAME = "entity"

_PERIOD = re.compile(r"Q[1-4]|[1-4]Q|H[12]|FY\d*")  # a quarter or half of a year names nothing
_SAYING = frozenset(
    "prevede prevad spune spun arata precizeaza mentioneaza stabileste indica says say states state provides mentions specifies".split()
)
_ACCORDING = frozenset("potrivit conform according".split())
VERBATIM = 0.75  # share of a sentence's other words that the evidence must have before a noun that it lacks counts
SHORTEST = 4  # letters of a stem that another word may hold
CLOSE = 0.6  # support from which a name is looked for in the statement itself and not anywhere in its document


def named(statement: Statement) -> list[tuple[str, str]]:
    """Return what a statement names: (kind, folded word or code), kind one of "code", "name", "noun"."""
    shouted = sum(map(str.isupper, statement.text)) > sum(map(str.islower, statement.text))
    found_codes = [c for c in named_codes(statement.text) if not shouted or (any(map(str.isdigit, c[2])) and " " not in c[2])]
    found = [("code", fold(code)) for _, _, code in found_codes if not _PERIOD.fullmatch(code)]
    codes = [(a, b) for a, b, _ in found_codes] + [(q.start, q.end) for q in statement.quantities]
    for i, (a, _b) in enumerate(statement.spans):
        word = statement.words[i]
        if any(start <= a < end for start, end in codes) or word[0].isdigit():
            continue
        capital = statement.text[a].isupper() and i > 0 and not shouted and len(word) > 1
        if wordlists.is_noun(word) and not wordlists.is_party(word) and _speaks(statement.words, i):
            continue
        if wordlists.is_noun(word):
            found.append(("noun", word))
        elif capital and is_content(word) and not opens_text(statement.text, a):
            found.append(("name", word))
    return found


def _speaks(words: list[str], i: int) -> bool:
    """Whether the word at `i` names the source that is quoted: "regulamentul prevede", "according to the manual"."""
    return any(w in _SAYING for w in words[i + 1 : i + 3]) or any(w in _ACCORDING for w in words[max(0, i - 3) : i])


def score(case: Case) -> Score:
    """Return the share of the answer's names, codes and roles that its evidence has, in [0, 1]; None where there is none."""
    found, looked = [], 0
    for claim in case.claims:
        if not claim.evidence:
            continue
        names = named(claim.sentence)
        looked += len(names)
        stated = (*case.stated(claim), case.titles[claim.source], case.asked)
        codes = {fold(c) for s in stated for _, _, c in named_codes(s.text)} if any(kind == "code" for kind, _ in names) else set()
        if case.summary and not _other_acronyms(claim, case):  # a name added, where no other gave way to it
            codes |= {name for kind, name in names if kind == "code" and name.isalpha()}
        known = _known(claim, case)
        for kind, name in names:
            if not _same_code(name, codes) if kind == "code" else _missing(kind, name, claim, known, case):
                found.append(f"{name!r} is not in the statement that carries {claim.sentence.text[:60]!r}")
        references = [q for q in claim.sentence.quantities if q.kind == "reference"]
        held = {
            _reference(q) for s in (*claim.evidence, case.titles[claim.source], case.asked) for q in s.quantities if q.kind == "reference"
        }
        for reference in references:
            looked += 1
            if _reference(reference) not in held:
                found.append(f"the reference {reference.text!r} is not in the evidence")
        if problem := slots.exchanged(claim, case):
            looked += 1
            found.append(problem)
    return judged(found, looked)


failure = first_found


def _other_acronyms(claim: Claim, case: Case) -> bool:
    """Whether the evidence has an acronym that the answer leaves out."""
    held = {fold(c) for s in claim.evidence for _, _, c in named_codes(s.text) if c.isalpha()}
    return bool(held - {word for c in case.claims for word in c.sentence.words})


def _known(claim: Claim, case: Case) -> frozenset[str]:
    """The keys of the words among which a name is looked for."""
    known = claim.known_words | case.titles[claim.source].all_keys | case.asked.all_keys
    if case.summary or claim.support < CLOSE:  # too far from its evidence to tell whose role it is
        known = known.union(*(s.all_keys for s in case.parts[claim.source]))
    return known


def _missing(kind: str, name: str, claim: Claim, known: frozenset[str], case: Case) -> bool:
    """Whether what the sentence names is in none of the places that may name it; a noun only in an otherwise literal sentence."""
    if key(name) in known or wordlists.synonyms(name) & frozenset().union(*(s.stems for s in (*case.stated(claim), case.asked))):
        return False
    if len(key(name)) >= SHORTEST and any(key(name) in w for s in claim.evidence for w in s.words):
        return False  # "chirie" for "închiriază"
    if any(same(name, w) for s in (*claim.evidence, case.titles[claim.source], case.asked) for w in s.words):
        return False
    if kind == "name" and any(_misspelt(name, w) for s in claim.evidence for w in s.words):
        return False
    return kind == "name" or (not case.summary and _verbatim_but_for(name, claim, known))


def _misspelt(name: str, word: str) -> bool:
    """Whether one of two long words is the other with a letter left out.

    >>> _misspelt("columbus", "colmbus"), _misspelt("ionescu", "ionesco")
    (True, False)
    """
    short, long = sorted((name, word), key=len)
    return len(short) + 1 == len(long) > SHORTEST + 2 and any(long[:n] + long[n + 1 :] == short for n in range(1, len(long)))


def _verbatim_but_for(name: str, claim: Claim, known: frozenset[str]) -> bool:
    """Whether the evidence has nearly every other word of the sentence, so that this one stands in another's place."""
    others = [k for k in claim.sentence.keys if k != key(name) and not k[0].isdigit()]
    return covered(others, claim.sentence.weights, known) >= VERBATIM


def _same_code(code: str, codes: set[str]) -> bool:
    """Whether `code` is one of `codes`; hyphens and blanks are no difference,
    and a name of four letters or more may drop its number ("COVID-19", "COVID").
    """
    if code in codes or re.sub(r"[\W_]", "", code) in {re.sub(r"[\W_]", "", c) for c in codes}:
        return True
    stem = re.match(r"[^\W\d_]{4,}", code)
    return bool(stem) and any(c == stem.group() or (code == stem.group() and c.startswith(code)) for c in codes)


def _reference(reference: Quantity) -> tuple[str, str]:
    """What a reference names: "art. 7" and "articolul 7" are the same."""
    return reference.unit, reference.ref or "".join(re.findall(r"\w", fold(reference.text)))
