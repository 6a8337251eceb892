"""Entity: the names, codes, references and roles of the answer stand in its evidence, and in the same role.

A code or reference must be the very same; a name or a role may be inflected. The question, and the title of the cited
document, may name them too. Two roles that each stand beside the other's word are a swap.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rocite import wordlists
from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.quantities import identifiers
from rocite.statements import Statement, covered, is_content, key, stem
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
                missing = missing and not any(_same(name, w) for s in (*claim.evidence, title, case.asked) for w in s.words)
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
        if not case.summary and (other := _misplaced(claim, case)):
            looked += 1
            found.append(other)
        if not case.summary and (other := _replaced(claim, case)):
            looked += 1
            found.append(other)
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


def _swapped(claim: Claim) -> str | None:
    """Two parties that change places in what they do, or two nouns that change their neighbours; None where there is none."""
    sentence = _tokens(claim.sentence)
    said = _parts(claim.sentence, sentence)
    for statement in claim.evidence:
        if len(claim.sentence.key_set & statement.key_set) < BESIDE * len(claim.sentence.key_set):
            continue
        held = _parts(statement, _tokens(statement))
        for a, b in itertools.combinations([r for r in said if r in held], 2):
            mine, yours, its, other = said[a], said[b], held[a], held[b]
            if mine.party and yours.party and "does" in (mine.part, yours.part) and mine.part != yours.part:
                if (mine.part, yours.part) == (other.part, its.part):
                    return f"{a!r} and {b!r} change places"
            for x, y, u, v in zip(mine.beside, yours.beside, its.beside, other.beside, strict=True):
                if x and y and x != y and (x, y) == (v, u) and b not in (x, u) and a not in (y, v):
                    return f"{a!r} and {b!r} change places"
    return None


@dataclass(frozen=True, slots=True)
class _Part:
    """What a noun does in its clause: "does", "undergoes", or the case or preposition it stands with; and the nouns on its two sides."""

    part: str
    party: bool
    clause: int
    beside: tuple[str, str]


def _clauses(tokens: list[_Token]) -> list[int]:
    """The number of the clause of each token."""
    return list(itertools.accumulate(int(t.opens) for t in tokens))


def _mark(words: list[str], t: _Token) -> str:
    """The case or preposition of a noun: "does" behind "by", "to" for the one it is given to or belongs to, "" for none."""
    before = words[max(0, t.at - 2) : t.at]
    if before and before[-1] in _ARTICLES:
        before = words[max(0, t.at - 3) : t.at - 1]
    last = before[-1] if before else ""
    if last in ("by", "catre") or (last == "de" and wordlists.is_party(t.word) and any(w.endswith(_PARTICIPLE) for w in words[: t.at - 1])):
        return "does"
    if last in ("to", "of", "lui", "for") or words[t.at + 1 : t.at + 2] == ["s"] or t.word.endswith(_NOMINAL):
        return "to"
    return last if last in _PREPOSITIONS else ""


def _parts(statement: Statement, tokens: list[_Token]) -> dict[str, _Part]:
    """The parts of the nouns, names and codes that a statement has once, by their key."""
    words, clauses = statement.words, _clauses(tokens)
    marks = [_mark(words, t) if t.kind in _NAMING else "" for t in tokens]
    passive = {clause for clause, mark in zip(clauses, marks, strict=True) if mark == "does"}
    for clause in set(clauses):
        inside = [t.at for t, n in zip(tokens, clauses, strict=True) if n == clause]
        if _passive(words[inside[0] : inside[-1] + 1]):
            passive.add(clause)
    found, seen, doer = {}, set(), {}
    for n, t in enumerate(tokens):
        if t.kind not in ("noun", "name", "code"):
            continue
        part, clause = marks[n], clauses[n]
        if not part:
            together = t.at and words[t.at - 1] in _AND
            part = "undergoes" if clause in passive or (clause in doer and n > doer[clause] + 1 and not together) else "does"
            doer.setdefault(clause, n)
        k = key(t.word) if t.kind != "code" else t.word
        if k in seen:
            found.pop(k, None)
            continue
        seen.add(k)
        left = tokens[n - 1] if n and not t.opens else None
        right = tokens[n + 1] if n + 1 < len(tokens) and not tokens[n + 1].opens else None
        beside = tuple(key(o.word) if o and o.kind in _NAMING else "" for o in (left, right))
        found[k] = _Part(part, t.kind == "name" or wordlists.is_party(t.word), clause, beside)
    return found


def _misplaced(claim: Claim, case: Case) -> str | None:
    """A noun of the answer in a clause that the evidence says of another noun in the same part, or a party that does what another does."""
    sentence = _tokens(claim.sentence)
    clauses = _clauses(sentence)
    parts = _parts(claim.sentence, sentence)
    everything = [t for c in case.claims for t in _tokens(c.sentence)]
    for statement in claim.evidence:
        if statement.text.startswith("|"):
            continue
        evidence = _tokens(statement)
        numbers = _clauses(evidence)
        held = _parts(statement, evidence)
        dropped = [k for k in held if not any(_same(t.word, e.word) for e in evidence if key(e.word) == k for t in everything)]
        for k, mine in parts.items():
            others = [
                t.word
                for t, n in zip(sentence, clauses, strict=True)
                if n == mine.clause and key(t.word) != k and t.word != k
            ]
            if len(others) < 2:
                continue
            rivals = [r for r in dropped if held[r].part == mine.part and held[r].party == mine.party]
            if not rivals:
                continue
            full = {n for n in set(numbers) if all(_has(w, [e for e, m in zip(evidence, numbers, strict=True) if m == n]) for w in others)}
            if not full:  # a clause may leave out what the clauses before it say
                full = {
                    n for n in set(numbers) if all(_has(w, [e for e, m in zip(evidence, numbers, strict=True) if m <= n]) for w in others)
                }
            at = {n for e, n in zip(evidence, numbers, strict=True) if key(e.word) == k or _same(e.word, k)}
            if not at & full and any(held[r].clause in full for r in rivals):
                return f"{k!r} stands where the evidence has {next(r for r in rivals if held[r].clause in full)!r}"
    return None


_BE = frozenset("is are was were be been being este sunt e fi fost era erau".split())
_AND = frozenset("si sau ori and or nor nici".split())
_ARTICLES = frozenset("the a an un o unei unui".split())
_PARTICIPLE = ("at", "ata", "ate", "ati", "it", "ita", "ite", "iti", "ut", "uta", "ute", "uti")


@dataclass(frozen=True, slots=True)
class _Token:
    """A content word or a code of a statement.

    `kind` is "code", "noun", "name", "number", "slot" (a word that an article, a preposition or its ending show to be a
    noun) or ""; `tight`: no word stands between it and the token before; `opens`: a clause begins with it.
    """

    word: str
    kind: str
    tight: bool
    opens: bool
    capital: bool
    of: bool
    at: int


_JOINED = re.compile(r"[^\W\d_]{3,}-[^\W\d_]{3,}")
_ENDINGS = frozenset("uri urile urilor ului".split())
_NAMING = frozenset(("code", "noun", "name", "slot"))
_OPENING = frozenset(
    "daca cand care caruia careia carora ca unde pana dupa inainte if unless when which who that where until after before".split()
)
_PREPOSITIONS = frozenset("la de din cu pe prin pentru fara dintre intre spre catre lui at by of in on from with for without via".split())
_BEFORE_NOUN = _PREPOSITIONS | frozenset("al ai ale un unei unui unor the a an".split())
_ENGLISH = frozenset("the an of by for with from on at".split())
_ENGLISH_BEFORE = _ENGLISH | {"a", "without", "in"}
_AFTER_NOUN = frozenset("este sunt poate pot trebuie se nu va vor are au is are was were may must can cannot will shall has have".split())
_NOMINAL = ("ului", "elui", "ilor", "elor")
_VERBAL = tuple(
    "eaza este esc and ind at ata ate ati it ita ite iti ut uta ute uti ed ing area erea irea arii erii irii are ere ire".split()
)
_VAGUE = frozenset(
    """exceptia exceptie afara prezenta fata baza caz cazul lipsa urma partea fel mod timp timpul timpului persoana persoane persoanei
    case except exception way time basis presence absence part person persons people""".split()
)
WHOLE = 0.97  # support from which no statement but the evidence is looked at
LONGEST_RUN = 5  # words in one slot
BESIDE = 0.6  # share of a sentence's words beside a slot that the statement must have
ANOTHER = 0.75  # the same for a statement that is not the sentence's own evidence


def _tokens(statement: Statement) -> list[_Token]:
    codes = [(a, b, fold(code)) for a, b, code in identifiers(statement.text)]
    quantities = [(q.start, q.end) for q in statement.quantities]
    starts = {clause.first for clause in statement.clauses}
    words, found, opens, last = statement.words, [], True, -2
    for i, (a, b) in enumerate(statement.spans):
        word = words[i]
        opens = opens or i in starts or word in _OPENING
        code = next((c for c in codes if c[0] <= a < c[1]), None)
        if code and a > code[0] and found:
            last = i
            continue
        if not (code or is_content(word) or (word == "may" and i and statement.text[a] == "M" and words[i - 1] in _BEFORE_NOUN)):
            continue
        if found and not code and last == i - 1 and _JOINED.fullmatch(statement.text[statement.spans[last][0] : b]):
            before = found.pop()
            if word not in _ENDINGS:
                before = replace(before, word=f"{before.word}-{word}", kind=before.kind or ("noun" if wordlists.is_noun(word) else ""))
            found.append(before)
            last = i
            continue
        tight = last == i - 1 and not opens
        if code:
            word, kind = code[2], "code"
        elif word[0].isdigit() or any(x <= a < y for x, y in quantities):
            kind = "number"
        elif wordlists.is_noun(word) or word == "may":
            kind = "noun"
        elif i and statement.text[a].isupper() and not _opens(statement.text, a):
            kind = "name"
        elif word.endswith(_NOMINAL) or (tight and i > 1 and words[i - 2] in _ENGLISH):
            kind = "slot"
        elif (i and words[i - 1] in _BEFORE_NOUN and not word.endswith(_VERBAL)) or (
            opens and words[i + 1 : i + 2] and words[i + 1] in _AFTER_NOUN
        ):
            kind = "slot"
        else:
            kind = ""
        found.append(
            _Token(word, kind, tight, opens, statement.text[a].isupper(), i > 0 and last == i - 2 and words[i - 1] in ("de", "of"), i)
        )
        if tight and len(found) > 1 and found[-2].kind == "slot" and words[found[-2].at - 1] in _ENGLISH_BEFORE:
            found[-2:] = replace(found[-2], kind=""), replace(found[-1], kind=kind or "slot")
        opens, last = False, i
    return found


@lru_cache(maxsize=1 << 14)
def _same(a: str, b: str) -> bool:
    """Whether two folded words or codes are forms of one word or synonyms; a visit is no visitor."""
    if a == b:
        return True
    if a[0].isdigit() or b[0].isdigit():
        return False
    if "-" in a or "-" in b:
        parts, others = a.split("-"), b.split("-")
        if len(parts) == len(others):
            return all(map(_same, parts, others))
        if _same(parts[0], others[0]) or a.replace("-", "") == b.replace("-", ""):
            return True
        heads = parts if len(parts) > len(others) else others
        return heads[0] != "non" and not wordlists.is_noun(heads[0]) and _same(parts[-1], others[-1])
    if wordlists.entry(b) in wordlists.synonyms(a):
        return True
    x, y = stem(a), stem(b)
    if x.replace("e", "a").replace("z", "d") == y.replace("e", "a").replace("z", "d"):  # masa, mesei; banda, benzi
        return True
    if key(a) != key(b):
        return False
    if x.endswith(_AGENT) == y.endswith(_AGENT) and not (wordlists.is_noun(a) and wordlists.is_noun(b)):
        return True
    shared = next((n for n, (c, d) in enumerate(zip(x, y, strict=False)) if c != d), min(len(x), len(y)))
    return shared >= max(len(x), len(y)) - 3


_AGENT = ("tor", "tar", "ant", "ent", "er", "or", "ist", "ian")


def _has(word: str, tokens: list[_Token]) -> bool:
    return any(_same(word, t.word) for t in tokens)


def _slots(sentence: list[_Token], evidence: list[_Token], everything: list[_Token]) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield each run of the sentence beside the run of the evidence in whose place it stands, and whether both sides tell so.

    The run of the evidence is dropped: the whole answer has none of its words. The words beside the two runs are the same,
    or a clause begins or ends there in both.
    """
    dropped = [t.kind != "number" and not _has(t.word, everything) for t in evidence]
    for end in range(1, len(evidence) + 1):
        if not dropped[end - 1] or not (end == len(evidence) or not dropped[end] or evidence[end].opens):
            continue
        first = end - 1
        while first and dropped[first - 1] and not evidence[first].opens:
            first -= 1
        left = None if evidence[first].opens else evidence[first - 1].word
        right = None if end == len(evidence) or evidence[end].opens else evidence[end].word
        for start, token in enumerate(sentence):
            if token.opens != (left is None) or (left is not None and not _same(sentence[start - 1].word, left)):
                continue
            for stop in range(start + 1, min(start + LONGEST_RUN, len(sentence)) + 1):
                closes = stop == len(sentence) or sentence[stop].opens
                if right is None or closes:
                    if closes and left is not None:
                        yield start, stop, first, end, False
                elif _same(sentence[stop].word, right):
                    yield start, stop, first, end, left is not None
                    break
                if closes:
                    break


def _replaced(claim: Claim, case: Case) -> str | None:
    """A noun, name or code of the answer that stands where its evidence has another, or None."""
    sentence = _tokens(claim.sentence)
    everything = [t for c in case.claims for t in _tokens(c.sentence)]
    own = [s for s in claim.evidence if not s.text.startswith("|")]
    for statement in own:
        if problem := _exchanged(claim, sentence, statement, everything, BESIDE, case):
            return problem
    for statement in _others(claim, case) if claim.support < WHOLE else ():
        if problem := _exchanged(claim, sentence, statement, everything, ANOTHER, case, own):
            return problem
    return None


def _others(claim: Claim, case: Case) -> list[Statement]:
    """The statements beside its evidence that a sentence may come from: those of the sentences around it, and the one nearest to the question."""
    at = case.claims.index(claim)
    found = [s for c in case.claims[max(0, at - 1) : at + 2] for s in c.evidence if c.source == claim.source]
    if case.asked.keys:
        relevance = case.relevance[claim.source].relevance
        found.append(case.parts[claim.source][max(range(len(relevance)), key=lambda n: relevance[n])])
    return [s for s in dict.fromkeys(found) if s not in claim.evidence and not s.text.startswith("|")]


def _exchanged(
    claim: Claim,
    sentence: list[_Token],
    statement: Statement,
    everything: list[_Token],
    least: float,
    case: Case,
    rivals: Sequence[Statement] = (),
) -> str | None:
    """The first slot in which the sentence names another thing, where the statement has at least the share `least` of its other words.

    It must have more of them than any of `rivals`.
    """
    evidence, joined = _tokens(statement), "".join(statement.words)
    for start, stop, first, end, both in _slots(sentence, evidence, everything):
        share = _beside(sentence, start, stop, evidence)
        if share < least or any(_beside(sentence, start, stop, _tokens(rival)) >= share for rival in rivals):
            continue
        modifiers = _modifiers(sentence, start, stop, evidence, first, end, claim.sentence.words, case)
        if not any((t.kind in _NAMING or modifiers) and t.word not in _VAGUE for t in evidence[first:end]):
            continue
        for i in range(start, stop):
            named = sentence[i].kind in _NAMING or (modifiers and sentence[i].kind != "number")
            if not named or sentence[i].word in _VAGUE:
                continue
            at = [j for j, t in enumerate(evidence) if _same(t.word, sentence[i].word)]
            if sentence[i].word.replace("-", "") in joined if not at else _in_place(at, sentence, start, stop, evidence, first, end):
                continue
            if at and len(sentence) - (stop - start) < 2:
                continue
            if at and not _alike(statement.words, evidence[first], claim.sentence.words, sentence[start]):
                continue
            if at and sentence[start].opens and _passive(claim.sentence.words) != _passive(statement.words):
                continue
            return f"{sentence[i].word!r} stands where the evidence has {' '.join(t.word for t in evidence[first:end])!r}"
    return None


def _alike(words: list[str], t: _Token, others: list[str], o: _Token) -> bool:
    """Whether two nouns stand in the same case or behind the same preposition."""
    return _mark(words, t) == _mark(others, o) or (t.at > 0 and o.at > 0 and words[t.at - 1] == others[o.at - 1] in _PREPOSITIONS)


def _passive(words: list[str]) -> bool:
    """Whether what the words are about undergoes rather than does."""
    return "se" in words or any(
        word in _BE and any(w.endswith(_PARTICIPLE) or w.endswith(("ed", "en", "ld", "id", "pt")) for w in words[i + 1 : i + 3])
        for i, word in enumerate(words)
    )


def _in_place(at: list[int], sentence: list[_Token], start: int, stop: int, evidence: list[_Token], first: int, end: int) -> bool:
    """Whether the evidence has the word, at one of the places `at`, where it belongs.

    In the phrase that was dropped, beside what the sentence has it beside, or in a clause that has more of the sentence.
    """
    run = sentence[start:stop]
    number = _clauses(sentence)
    others = [t.word for i, t in enumerate(sentence) if number[i] == number[start] and not start <= i < stop]
    left = sentence[start - 1] if start else None
    right = sentence[stop] if stop < len(sentence) else None
    clauses = _clauses(evidence)
    dropped_from = [t for t, n in zip(evidence, clauses, strict=True) if n == clauses[first]]
    for j in at:
        if (j == end and evidence[j].at - evidence[j - 1].at == 1) or (j == end and evidence[j].kind == "noun" and evidence[j].of):
            return True
        if clauses[j] != clauses[first]:
            there = [t for t, n in zip(evidence, clauses, strict=True) if n == clauses[j]]
            if any(_has(w, there) and not _has(w, dropped_from) for w in others):
                return True
        low, high = j, j + 1
        while low and _has(evidence[low - 1].word, run):
            low -= 1
        while high < len(evidence) and _has(evidence[high].word, run):
            high += 1
        before, after = evidence[low - 1] if low else None, evidence[high] if high < len(evidence) else None
        for x, y, same_side in ((left, before, True), (right, after, True), (left, after, False), (right, before, False)):
            if x and y and (same_side or not x.kind) and _same(x.word, y.word):
                return True
    return False


def _modifiers(sentence: list[_Token], start: int, stop: int, evidence: list[_Token], first: int, end: int, words: list[str], case: Case) -> bool:
    """Whether both runs are one word beside a noun that the two share, and the fragments know the new one beside that noun too.

    Where the noun opens a proper name ("Biroul tehnic"), the fragments need not know it.
    """
    head, behind = (sentence[start - 1], evidence[first - 1]) if start and first else (None, None)
    if head and head.capital and behind.capital and head.kind in _NAMING and sentence[start].tight and head.at and behind.at:
        return True
    new = sentence[start].word
    if head and stop - start == 1 and sentence[start].tight and (evidence[first].tight or evidence[first].of) and _told_apart(head.word, new, case):
        return True
    if stop - start > 1 or end - first > 1:
        return False
    if head and evidence[first].tight and head.kind in _NAMING and _mark(words, head):
        ends = (stop == len(sentence) or sentence[stop].opens) and (end == len(evidence) or evidence[end].opens)
        if ends and wordlists.is_party(head.word):
            return True
    if stop < len(sentence) and end < len(evidence) and sentence[stop].tight and evidence[end].tight:
        return _told_apart(new, sentence[stop].word, case)
    return False


def _told_apart(first: str, second: str, case: Case) -> bool:
    """Whether a statement of the fragments has the two words side by side."""
    return any(
        _same(second, s.words[i + 1])
        for statements in case.parts.values()
        for s in statements
        for i, word in enumerate(s.words[:-1])
        if word[:2] == first[:2] and _same(first, word)
    )


def _beside(sentence: list[_Token], start: int, stop: int, evidence: list[_Token]) -> float:
    """The share of the sentence's words beside those from `start` to `stop` that the evidence has."""
    others = [t.word for t in (*sentence[:start], *sentence[stop:]) if t.kind != "number"]
    return sum(_has(word, evidence) for word in others) / len(others) if others else 0.0
