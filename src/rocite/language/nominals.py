"""What a statement names and in which part: nouns, names and codes with the clause, the case and the words beside each.

Decides by word lists, word order, prepositions and endings which words name something, whether two of them are forms of
one word, and who does and who undergoes what, the passive included. Refuses to guess where it sees none of these: such a
word names nothing.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from rocite.language import wordlists
from rocite.language.quantities import identifiers
from rocite.language.statements import Statement, is_content, key, stem
from rocite.text import fold

DOES, UNDERGOES = "does", "undergoes"
NAMING = frozenset(("code", "noun", "name", "slot"))
PREPOSITIONS = frozenset("la de din cu pe prin pentru fara dintre intre spre catre lui at by of in on from with for without via".split())

_OPENING = frozenset(
    "daca cand care caruia careia carora ca unde pana dupa inainte if unless when which who that where until after before".split()
)
_BEFORE_NOUN = PREPOSITIONS | frozenset("al ai ale un unei unui unor the a an".split())
_ENGLISH = frozenset("the an of by for with from on at".split())  # before an adjective and its noun; Romanian puts the noun first
_AFTER_NOUN = frozenset("este sunt poate pot trebuie se nu va vor are au is are was were may must can cannot will shall has have".split())
_ARTICLES = frozenset("the a an un o unei unui".split())
AND = frozenset("si sau ori and or nor nici".split())
_BE = frozenset("is are was were be been being este sunt e fi fost era erau".split())
_PARTICIPLE = tuple("at ata ate ati it ita ite iti ut uta ute uti".split())
_PAST = (*_PARTICIPLE, "ed", "en", "ld", "id", "pt")
_NO_NOUN = frozenset("within during between about under over around above below only also once later again back away online".split())
_GENITIVE = ("ului", "elui", "ilor", "elor")
_VERBAL = (*_PARTICIPLE, *"eaza este esc and ind ed ing area erea irea arii erii irii are ere ire".split())
_AGENT = ("tor", "tar", "ant", "ent", "er", "or", "ist", "ian")
_MAY_HAVE_CODE = re.compile(r"[0-9@]|[A-ZĂÂÎȘŞȚŢ]{2}|\w\.\w|www|://")
_JOINED = re.compile(r"[^\W\d_]{3,}-[^\W\d_]{3,}")
_JOINED_ENDINGS = frozenset("uri urile urilor ului".split())


@dataclass(frozen=True, slots=True)
class Term:
    """A content word or a code of a statement.

    `kind` is "code", "noun", "name", "number", "slot" (a word that an article, a preposition or its ending show to be a
    noun) or ""; `tight`: no word stands between it and the term before, `of`: only "de" or "of" does; `opens`: a clause
    begins with it; `at` is its position among the words.
    """

    word: str
    kind: str
    tight: bool
    opens: bool
    of: bool
    capital: bool
    clause: int
    at: int

    @property
    def names(self) -> bool:
        """Whether the word names something."""
        return self.kind in NAMING


@dataclass(frozen=True, slots=True)
class Part:
    """What a noun does in its clause: DOES, UNDERGOES, or the case or preposition it stands with; and the nouns on its two sides."""

    part: str
    party: bool
    clause: int
    beside: tuple[str, str]


def opens_text(text: str, at: int) -> bool:
    """Whether the word at `at` opens a sentence, a quotation or a listed point, where a capital names nothing.

    >>> opens_text("Art. 5: Directorul", 8), opens_text("la Cluj", 3)
    (True, False)
    """
    return bool(re.search(r"(?:[.:!?\n]|[„“\"«(]|^)[\s*_-]*$", text[:at]))


@lru_cache(maxsize=2048)
def named_codes(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return start, end and text of every code and acronym of a text (`rocite.language.identifiers`), in order."""
    return tuple(identifiers(text)) if _MAY_HAVE_CODE.search(text) else ()


class Terms(list[Term]):
    """The terms of one statement or of several, with what looks them up."""

    def __init__(self, terms: list[Term], words: list[str] | None = None):
        super().__init__(terms)
        self.words = words or []

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(t.word for t in self)

    @cached_property
    def _near(self) -> frozenset[str]:
        """What a form or synonym of a word must meet: keys, variants and entries."""
        return frozenset(near for word in self._seen for near in (key(word), _variant(word), wordlists.entry(word)))

    @cached_property
    def _joined(self) -> bool:
        return any("-" in word for word in self._seen)

    def has(self, word: str) -> bool:
        """Whether one of the terms is `word`, another form of it or a synonym."""
        if word in self._seen:
            return True
        if "-" not in word and not self._joined and not {key(word), _variant(word), *wordlists.synonyms(word)} & self._near:
            return False
        return any(same(word, other) for other in self._seen)

    @cached_property
    def clauses(self) -> dict[int, Terms]:
        """The terms of each clause by its number."""
        return {number: Terms(list(terms)) for number, terms in itertools.groupby(self, lambda t: t.clause)}

    def mark(self, term: Term) -> str:
        """The case or preposition of a noun: DOES behind "by", "to" for the one it is given to or belongs to, "" for none."""
        words = self.words
        before = words[max(0, term.at - 2) : term.at]
        if before and before[-1] in _ARTICLES:
            before = before[:-1]
        last = before[-1] if before else ""
        if last in ("by", "catre"):
            return DOES
        if last == "de" and wordlists.is_party(term.word) and any(w.endswith(_PARTICIPLE) for w in words[: term.at - 1]):
            return DOES
        if last in ("to", "of", "lui", "for") or words[term.at + 1 : term.at + 2] == ["s"] or term.word.endswith(_GENITIVE):
            return "to"
        return last if last in PREPOSITIONS else ""

    @cached_property
    def passive(self) -> bool:
        """Whether the statement says what its subject undergoes."""
        return _passive(self.words)

    @cached_property
    def parts(self) -> dict[str, Part]:
        """The parts of the nouns, names and codes that the statement has once, by their key."""
        marks = [self.mark(t) if t.names else "" for t in self]
        passive = {t.clause for t, mark in zip(self, marks, strict=True) if mark == DOES}
        passive |= {n for n, terms in self.clauses.items() if _passive(self.words[terms[0].at : terms[-1].at + 1])}
        found, seen, doer = {}, set(), {}
        for n, (t, part) in enumerate(zip(self, marks, strict=True)):
            if t.kind not in ("noun", "name", "code"):
                continue
            if not part:
                together = t.at and self.words[t.at - 1] in AND
                second = t.clause in doer and n > doer[t.clause] + 1 and not together
                part = UNDERGOES if t.clause in passive or second else DOES
                doer.setdefault(t.clause, n)
            k = t.word if t.kind == "code" else key(t.word)
            if k in seen:
                found.pop(k, None)
                continue
            seen.add(k)
            left = self[n - 1] if n and not t.opens else None
            right = self[n + 1] if n + 1 < len(self) and not self[n + 1].opens else None
            beside = tuple(key(o.word) if o and o.names else "" for o in (left, right))
            found[k] = Part(part, t.kind == "name" or wordlists.is_party(t.word), t.clause, beside)
        return found


@lru_cache(maxsize=512)
def terms(statement: Statement) -> Terms:
    """Return the terms of a statement, in order; words joined by a hyphen are one.

    >>> [(t.word, t.kind) for t in terms(Statement("Chiriașul predă cheia CF-3 inginerului-șef."))]
    [('chiriasul', 'noun'), ('preda', ''), ('cheia', 'noun'), ('cf-3', 'code'), ('inginerului-sef', 'noun')]
    """
    text, words = statement.text, statement.words
    codes = [(a, b, fold(code)) for a, b, code in named_codes(text)]
    quantities = [(q.start, q.end) for q in statement.quantities]
    starts = {clause.first for clause in statement.clauses}
    found: list[Term] = []
    opens, last, number = True, -2, 0
    for i, (a, b) in enumerate(statement.spans):
        word = words[i]
        opens = opens or i in starts or word in _OPENING
        code = next((c for c in codes if c[0] <= a < c[1]), None)
        if code and a > code[0] and found:
            last = i
            continue
        month = word == "may" and i and text[a] == "M" and words[i - 1] in _BEFORE_NOUN
        if not (code or month or is_content(word)):
            continue
        if found and not code and last == i - 1 and _JOINED.fullmatch(text[statement.spans[last][0] : b]):
            if word not in _JOINED_ENDINGS:
                kind = found[-1].kind or ("noun" if wordlists.is_noun(word) else "")
                found[-1] = replace(found[-1], word=f"{found[-1].word}-{word}", kind=kind)
            last = i
            continue
        tight = last == i - 1 and not opens
        counts = word[0].isdigit() or any(x <= a < y for x, y in quantities)
        kind = "code" if code else "number" if counts else "noun" if month else _kind(statement, i, tight, opens)
        if tight and len(found) > 1 and found[-1].kind == "slot" and words[found[-1].at - 1] in _ENGLISH | {"a", "without", "in"}:
            found[-1], kind = replace(found[-1], kind=""), kind or "slot"  # an adjective before its noun
        number += opens and bool(found)
        of = i > 0 and last == i - 2 and words[i - 1] in ("de", "of")
        found.append(Term(code[2] if code else word, kind, tight, opens, of, text[a].isupper(), number, i))
        opens, last = False, i
    return Terms(found, words)


def _kind(statement: Statement, i: int, tight: bool, opens: bool) -> str:
    """The kind of the word at `i`, which is neither code nor number."""
    words, a = statement.words, statement.spans[i][0]
    if words[i] in _NO_NOUN:
        return ""
    if wordlists.is_noun(words[i]):
        return "noun"
    if i and statement.text[a].isupper() and not opens_text(statement.text, a):
        return "name"
    if words[i].endswith(_GENITIVE) or (tight and i > 1 and words[i - 2] in _ENGLISH):
        return "slot"
    if i and words[i - 1] in _BEFORE_NOUN and not words[i].endswith(_VERBAL):
        return "slot"
    subject = opens and (words[i].endswith(("ii", "ul")) or (i + 1 < len(words) and words[i + 1] in _AFTER_NOUN))
    return "slot" if subject else ""


def _passive(words: list[str]) -> bool:
    return "se" in words or any(word in _BE and any(w.endswith(_PAST) for w in words[i + 1 : i + 3]) for i, word in enumerate(words))


@lru_cache(maxsize=1 << 14)
def _variant(word: str) -> str:
    """A stem without the sounds that Romanian changes within it: "masa" and "mesei", "banda" and "benzi"."""
    return stem(word).replace("e", "a").replace("z", "d")


@lru_cache(maxsize=1 << 14)
def same(a: str, b: str) -> bool:
    """Whether two folded words or codes are forms of one word or synonyms.

    Stricter than a key where both are nouns or one is a person who does what the other says.

    >>> same("banda", "benzi"), same("inginerul-sef", "inginer"), same("vizita", "vizitatorul")
    (True, True, False)
    """
    if a == b:
        return True
    if a[0].isdigit() or b[0].isdigit():
        return False
    if "-" in a or "-" in b:
        return _same_joined(a.split("-"), b.split("-"))
    if wordlists.entry(b) in wordlists.synonyms(a) or _variant(a) == _variant(b):
        return True
    if key(a) != key(b):
        return False
    x, y = stem(a), stem(b)
    if x.endswith(_AGENT) == y.endswith(_AGENT) and not (wordlists.is_noun(a) and wordlists.is_noun(b)):
        return True
    shared = next((n for n, (c, d) in enumerate(zip(x, y, strict=False)) if c != d), min(len(x), len(y)))
    return shared >= max(len(x), len(y)) - 3


def _same_joined(parts: list[str], others: list[str]) -> bool:
    if len(parts) == len(others):
        return all(map(same, parts, others))
    if "".join(parts) == "".join(others) or same(parts[0], others[0]):
        return True
    first = (parts if len(parts) > len(others) else others)[0]
    return first != "non" and not wordlists.is_noun(first) and same(parts[-1], others[-1])
