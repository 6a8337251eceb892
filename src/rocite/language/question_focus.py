"""How much of a question a sentence speaks about, and whether it can give the number or date that is asked for.

The caller tokenises: `read` takes the text of a question, `values` the sentences of one fragment as lists of `tokens`.
All values are in [0, 1], and those of one fragment depend on no other. Each value of a sentence is

    kind * sum(W(q) * C(q)) / sum(W(q))        over the different words q of the question,

where C(q) is the best credit of q in the sentence (`weights.credit`) or a part of its best credit nearby, and ``kind``
is 0.7 where the question expects a number or date and the sentence has none that the question lacks, else 1.
- Relevance tells sentences of one fragment apart, for `focus`: W is the root of the word's weight, times 0.7
  for a name; 0.4 of the credit in the sentence before counts, and 0.2 of that in the sentence behind.
- Coverage tells the right fragment from others: W is the weight, and 0.5 of the best credit elsewhere in the
  fragment counts. The coverage of a fragment is that of its best sentence.
Both are 0 throughout a fragment that shares no content word with the question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import NamedTuple

from rocite.language import wordlists
from rocite.language.statements import stem
from rocite.language.weights import MIN_SHARED, credit, frequency_class, match_key, weight
from rocite.stopwords import STOPWORDS
from rocite.text import MIN_WORD_LETTERS, fold, normalise

BEFORE, BEHIND, ELSEWHERE = 0.4, 0.2, 0.5
SYNONYM = 0.8  # the credit of a listed synonym
NAME, WRONG_KIND, SLACK = 0.7, 0.7, 0.2
SAME_WORD = 0.4  # the credit from which on a content word counts as shared
CONTENT_CLASS = 35  # shorter words from this class on are content words: "UE", "TVA"

_TOKEN = re.compile(r"\w+")
_QUESTION_WORDS = """cine care cand unde cum cat cata cati cate ce carei carui caruia careia caror carora cui
    what who whom whose which when where why how many much""".split()

_LEAD = """(?:(?:in|din|de|la|pe|cu|pana|pentru|peste|circa|aproximativ|intre|dupa|inainte|inaintea|about|approximately
    |for|on|at|by|since|until|from|during|between|after|before)[ ])*"""
_CE = r"\b(?:ce|care)[ ](?:(?:este|e|era|a[ ]fost)[ ])?"
_WHAT = r"\b(?:what|which)[ ](?:(?:is|was|are|were)[ ])?(?:the[ ])?(?:(?:approximate|average|total|maximum|minimum)[ ])?"
_DATE = re.compile(
    rf"""^{_LEAD}(?:cand|when)\b
    |{_CE}(?:ani?|anul|anii|data|zi|ziua|luna|secol|deceni\w+|perioada)\b
    |{_WHAT}(?:years?|date|day|month|century|decade)\b""",
    re.VERBOSE,
)
_NUMBER = re.compile(
    rf"""(?:^|,[ ]){_LEAD}(?:cata|cat(?![ ](?:de|mai|si)\b)|cat[ ]de[ ](?:mult|mare|mari|lung|inalt|adanc|departe|repede|vech|des)\w*)\b
    |\b(?:cati|cate)\b(?![ ](?:un|o|unul|una)\b) | \bcatelea\b
    |{_CE}(?:procent\w*|numar\w*|suma|populati\w*|temperatur\w*|suprafat\w*|lungime\w*|inaltime\w*|vitez\w*|valoare\w*|pret\w*
        |marime\w*|distant\w*|varst\w*|proporti\w*|rata|costul|taxa|durata|termen(?:ul)?[ ](?:de|limita|maxim|legal|in[ ]care))\b
    |\bhow[ ](?:many|much|long|old|far|often|large|big|tall|high|fast|deep)\b
    |{_WHAT}(?:percent\w*|number|population|temperature|length|height|speed|amount|price|cost|distance|age|rate|fee|duration|deadline)\b""",
    re.VERBOSE,
)
_NUMBER_ENDINGS = ("sprezece", "zeci", "teen")
_NUMBER_WORDS = """doi doua trei patru cinci sase sapte opt noua zece suta sute mie mii milion milioane miliard miliarde jumatate
    sfert dublu triplu niciun nicio niciunul niciuna ambele ambii cateva catorva doilea treilea patrulea cincilea saselea saptelea
    optulea noualea zecelea gratuit gratuita gratuite nelimitat two three four five six seven eight nine ten eleven twelve twenty
    thirty forty fifty sixty seventy eighty ninety dozen dozens hundred hundreds thousand thousands million millions billion billions
    half quarter once twice none both several zero free unlimited"""
_DATE_WORDS = """ianuarie februarie martie aprilie iunie iulie august septembrie octombrie noiembrie decembrie luni marti miercuri joi
    vineri sambata duminica deceniu deceniul decada decade ani anii ore zile saptamani january february march april june july september
    october november december monday tuesday wednesday thursday friday saturday sunday decades years months weeks days hours"""
_EITHER = """secol secolul secolului secole imediat zilnic saptamanal lunar trimestrial anual century centuries immediately daily
    weekly monthly quarterly annually yearly"""
_NUMBERS, _DATES = frozenset(f"{_NUMBER_WORDS} {_EITHER}".split()), frozenset(f"{_DATE_WORDS} {_EITHER}".split())
_YEAR = re.compile(r"1\d{3}|20(?!00)\d\d")


def _is_number(word: str) -> bool:
    return (word[0].isdigit() and not _YEAR.fullmatch(word)) or word in _NUMBERS or word.endswith(_NUMBER_ENDINGS)


def expected_kind(question: str) -> str:
    """Return "date" or "number" where the question asks for one, else "". Durations, sums and shares are numbers.

    >>> expected_kind("În cât timp se emite certificatul?"), expected_kind("Când intră în vigoare?"), expected_kind("Cine emite?")
    ('number', 'date', '')
    """
    text = " ".join(re.findall(r"\w+,?", fold(question)))
    return "date" if _DATE.search(text) else "number" if _NUMBER.search(text) else ""


def gives_kind(kind: str, sentence: Collection[str], known: Collection[str] = ()) -> bool:
    """Return whether a sentence, as tokens, has a number or date beside the tokens in `known`. True for no kind.

    A bare year is no number; every number may be part of a date.

    >>> gives_kind("number", ["termenul", "este", "de", "30", "de", "zile"]), gives_kind("number", ["legea", "din", "2009"])
    (True, False)
    """
    if kind == "number":
        return any(_is_number(w) for w in sentence if w not in known)
    return kind != "date" or any(w[0].isdigit() or w in _DATES for w in sentence if w not in known)


@dataclass(frozen=True)
class Question:
    """A question taken apart: its different words, without question words if it has others. Weights add up to 1."""

    keys: tuple[str, ...]
    synonyms: dict[str, tuple[int, ...]]  # stem of a synonym to the words that it may stand for
    content: tuple[bool, ...]
    relevance_weights: tuple[float, ...]
    coverage_weights: tuple[float, ...]
    tokens: frozenset[str]
    kind: str
    starts: dict[str, tuple[int, ...]]  # first letters to the words that begin so
    hits: dict[str, tuple[tuple[int, float, bool], ...]] = field(default_factory=dict, compare=False, repr=False)  # by word, as met


class Values(NamedTuple):
    """What each sentence of one fragment is worth for a question, in order; see the module."""

    relevance: list[float]
    coverage: list[float]


def tokens(text: str) -> list[str]:
    """Return the folded runs of letters and digits of a text, in order.

    >>> tokens("Legea nr. 7/2009 se aplică.")
    ['legea', 'nr', '7', '2009', 'se', 'aplica']
    """
    return _TOKEN.findall(fold(text))


def _scaled(weights: list[float]) -> tuple[float, ...]:
    total = sum(weights)
    return tuple(w / total for w in weights)


def read(question: str) -> Question:
    """Take a question apart. A name is a word with a capital, not the first, or a number.

    >>> read("Cine emite certificatul EORI?").keys
    ('emite', 'certificatul', 'eori')
    """
    written = _TOKEN.findall(normalise(question))
    names = {fold(w) for i, w in enumerate(written) if w[0].isdigit() or (i and w[0].isupper())}
    all_words = list(dict.fromkeys(tokens(question)))
    words = [w for w in all_words if w not in _QUESTION_WORDS] or all_words
    content = [(len(w) >= MIN_WORD_LETTERS and w not in STOPWORDS) or frequency_class(w) >= CONTENT_CLASS for w in words]
    others: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        for other in wordlists.synonyms(word):
            others.setdefault(other, []).append(i)
    keys = tuple(match_key(w) for w in words)
    return Question(
        starts={key[:MIN_SHARED]: tuple(i for i, k in enumerate(keys) if k[:MIN_SHARED] == key[:MIN_SHARED]) for key in keys},
        synonyms={other: tuple(places) for other, places in others.items()},
        keys=keys,
        content=tuple(content) if any(content) else (True,) * len(words),
        relevance_weights=_scaled([weight(w) ** 0.5 * (NAME if w in names else 1.0) for w in words]),
        coverage_weights=_scaled([weight(w) for w in words]),
        tokens=frozenset(all_words),
        kind=expected_kind(question),
    )


def _hits(question: Question, word: str) -> tuple[tuple[int, float, bool], ...]:
    """The words of the question that `word` may stand for: (position, credit, whether it is the same content word)."""
    key = match_key(word)
    places, others = question.starts.get(key[:MIN_SHARED], ()), question.synonyms.get(stem(word), ())
    if not places and not others:
        return ()
    same = [(i, credit(question.keys[i], key)) for i in places]
    hits = [(i, found, found >= SAME_WORD and question.content[i]) for i, found in same if found]
    return (*hits, *((i, SYNONYM, False) for i in others))


def _credits(question: Question, sentences: Sequence[Collection[str]]) -> tuple[list[list[float]], bool]:
    """The best credit of every word of the question in every sentence, and whether any shares a content word, synonyms apart."""
    rows, shares, hits = [], False, question.hits
    for sentence in sentences:
        row = [0.0] * len(question.keys)
        for word in sentence:
            found = hits.get(word)
            if found is None:
                found = hits[word] = _hits(question, word)
            for i, value, same in found:
                if value > row[i]:
                    row[i] = value
                    shares = shares or same
        rows.append(row)
    return rows, shares


def values(question: Question, sentences: Sequence[Collection[str]]) -> Values:
    """Return relevance and coverage of each sentence of one fragment, given in order as tokens.

    >>> found = values(read("Cât costă EORI?"), [tokens("EORI e obligatoriu."), tokens("Costă 30 de lei.")])
    >>> [round(v, 2) for v in found.relevance], [round(v, 2) for v in found.coverage]
    ([0.41, 0.71], [0.58, 0.67])
    """
    rows, shares = _credits(question, sentences)
    nothing = [0.0] * len(question.keys)
    best = [max(column) for column in zip(*rows, strict=True)] or nothing
    if not shares:
        return Values([0.0] * len(rows), [0.0] * len(rows))
    found = Values([], [])
    for sentence, own, before, behind in zip(sentences, rows, [nothing, *rows], [*rows[1:], nothing], strict=False):
        kind = 1.0 if gives_kind(question.kind, sentence, question.tokens) else WRONG_KIND
        near = [max(a, BEFORE * b, BEHIND * c) for a, b, c in zip(own, before, behind, strict=True)]
        far = [max(a, ELSEWHERE * b) for a, b in zip(own, best, strict=True)]
        found.relevance.append(kind * min(1.0, sum(map(mul, question.relevance_weights, near))))
        found.coverage.append(kind * min(1.0, sum(map(mul, question.coverage_weights, far))))
    return found


def focus(evidence: float, best: float) -> float:
    """Return how near the relevance of the evidence comes to the best of all fragments, in [0, 1].

    ``(evidence + 0.2) / (best + 0.2)``; the slack forgives small differences where nothing is very relevant.

    >>> round(focus(0.4, 0.6), 2), focus(0.0, 0.0)
    (0.75, 1.0)
    """
    return min(1.0, (evidence + SLACK) / (best + SLACK))
