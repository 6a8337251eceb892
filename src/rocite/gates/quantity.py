"""Quantity: every number of the answer stands in its evidence with its unit, and about the same thing.

A number that stands elsewhere in the source does not count, nor does the right number with another unit. Where the
evidence holds several figures of one dimension, each content word belongs to the nearest of them, and the answer's
words must not be those of another figure: "adults pay 3 euro" has the word of 6 in "children pay 3 euro, adults 6".
A figure that can be read in two ways ("1.500" with no language declared) fails as ambiguous. What the question itself
says may be repeated. A weekday or a quarter of which the evidence names only others fails as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.language.number_words import SMALL, TENS
from rocite.language.quantities import Quantity, same, same_value
from rocite.language.statements import Statement, key
from rocite.text import fold

NAME = "quantity"
NEAR = 6.0  # words from a figure at which a word counts half
BREAK = 6  # words that a conjunction counts as, and more a comma or a semicolon
SLACK = 0.25  # how much more of another figure's words the answer must have before its figure is taken for a confusion
SUMMARY_SLACK = 0.5  # the same for a summary, which puts several statements into one
SHARED = 0.6  # what words that both figures have are worth
_JOINING = frozenset("si and".split())
MONTHLY = 12  # times a year
_REFERENCE = "reference"
_EACH = "every day"
_POINTED = re.compile(r"(?<![\d.,])(\d{1,2})\.(\d{2})(?![\d,]|\.\d)")
_BOTH = frozenset("ambele ambii ambelor ambilor amandoua amandoi amandurora both either".split())
_OF_THE_MONTH = re.compile(r"\b(?:a lunii|ale lunii|al lunii|din luna|of (?:the|each|every) month|each month|every month)\b")
_NTH = {w: n for n, ws in enumerate(("first 1 i intai", "second 2 ii", "third 3 iii", "fourth 4 iv final last"), 1) for w in ws.split()}
_QUARTER = re.compile(
    r"\bq([1-4])\b|\b([1-4])q\b|\b(first|second|third|fourth) (?:fiscal )?quarter|\btrimestrul(?:ui)? (iv|iii|ii|i|[1-4])\b|\btrim (iv|iii|ii|i|[1-4])\b"
)
_DAYS = {
    w: d
    for d, ws in (
        ("monday", "luni lunea lunile monday mondays"),
        ("tuesday", "marti martea martile tuesday tuesdays"),
        ("wednesday", "miercuri miercurea miercurile wednesday wednesdays"),
        ("thursday", "joi joia joile thursday thursdays"),
        ("friday", "vineri vinerea vinerile friday fridays"),
        ("saturday", "sambata sambetele sambetei saturday saturdays"),
        ("sunday", "duminica duminicile duminicii sunday sundays"),
    )
    for w in ws.split()
}
_MONTHS_BEFORE = frozenset("cateva multe putine ultimele primele urmatoarele aceste alte cele doua celor din".split())
_THROUGH = frozenset("pana to through until till".split())
_ANY_DAY = frozenset("zilnic daily weekday weekdays weekend weekends lucratoare working zilele saptamanii".split())


def score(case: Case) -> Score:
    """Return the share of the answer's figures that their evidence holds, in [0, 1]; None for an answer without figures."""
    found, looked = [], 0
    for claim in case.claims:
        for problem in (_other_period(claim, case, period) for period in (_quarters, _weekdays)):
            if problem:
                looked += 1
                found.append(problem)
        for figure in claim.sentence.quantities:
            if figure.kind == _REFERENCE:
                continue
            looked += 1
            if figure.ambiguous:
                found.append(f"ambiguous: {figure.text!r} can be read in two ways; declare the language")
            elif problem := _problem(figure, claim, case):
                found.append(problem)
    return judged(found, looked)


failure = first_found


def _problem(figure: Quantity, claim: Claim, case: Case) -> str | None:
    held = [(s, q) for s in case.stated(claim) for q in s.quantities if q.kind != _REFERENCE]
    equal = [(s, q) for s, q in held if _matches(figure, q) or _is_end(figure, q, case.summary)]
    if not equal:
        if _said_otherwise(figure, case.stated(claim)):
            return None
        if any(_matches(figure, q) for q in case.asked.quantities):
            return None
        return f"{figure.text!r} is not in the statement that carries {claim.sentence.text[:60]!r}"
    rivals = [(s, q) for s, q in held if _comparable(q, equal[0][1]) and (s, q) not in equal]
    if rivals:
        return _confusion(figure, claim, case, equal, rivals)
    return None


_Held = list[tuple[Statement, Quantity]]


def _confusion(figure: Quantity, claim: Claim, case: Case, equal: _Held, rivals: _Held) -> str | None:
    """Return a problem if the answer has with its figure the words that belong to a rival of it and not to its equal."""
    ours = [f for f in claim.sentence.quantities if _comparable(f, figure)]
    parts = owned(claim.sentence, [word_span(claim.sentence, f) for f in ours])
    said = parts[ours.index(figure)]
    if not said and len(ours) > 1:
        return None
    slack = SLACK if said else SUMMARY_SLACK  # a bare figure leaves to the question what it counts
    said = said or case.asked.key_set
    words: dict[int, frozenset[str]] = {}
    for statement in dict.fromkeys(s for s, _ in equal + rivals):
        there = sorted((q for s, q in equal + rivals if s is statement), key=lambda q: q.start)
        words.update(zip(map(id, there), owned(statement, [word_span(statement, q) for q in there]), strict=True))
    shared = frozenset().union(*(words[id(q)] for _, q in equal))
    for statement, rival in rivals:
        if case.summary and all(statement is not s for s, _ in equal):
            continue
        if figure.bound and _side(rival) == -_side(figure) and any(_side(q) == _side(figure) for _, q in equal):
            continue
        theirs = share(words[id(rival)] - shared, said, statement)
        if theirs is None:
            continue
        mine = 0.0
        for s, q in equal:
            alone = share(words[id(q)] - words[id(rival)], said, s)
            whole = share(words[id(q)], said, s)
            mine = max(mine, alone if alone is not None else 1.0 if whole is None else SHARED * whole)  # without words: it may be meant
        also = next((part for f, part in zip(ours, parts, strict=True) if f is not figure and _matches(f, rival)), None)
        if also is not None:  # the answer states both: they are confused only if exchanged they fit better
            theirs += max(share(words[id(q)] - words[id(rival)], also, s) or 0.0 for s, q in equal)
            mine += share(words[id(rival)] - shared, also, statement) or 0.0
        if theirs > mine + (SUMMARY_SLACK if case.summary else slack):
            return f"{figure.text!r} counts something else there: nearest to what the answer counts is {rival.text!r}"
    return None


def _comparable(a: Quantity, b: Quantity) -> bool:
    return a.kind == b.kind and _dimension(a) == _dimension(b)


def _side(figure: Quantity) -> int:
    return {"min": 1, "over": 1, "max": -1, "under": -1}.get(figure.bound, 0)


def word_span(statement: Statement, figure: Quantity) -> tuple[int, int]:
    """The first and the last word of a figure."""
    return statement.word_at(figure.start), statement.word_at(figure.end - 1)


def share(words: frozenset[str], said: frozenset[str], statement: Statement) -> float | None:
    """The weighted share of `words` that are in `said`; None without words."""
    total = sum(statement.weights[k] for k in words)
    return sum(statement.weights[k] for k in words & said) / total if total else None


def owned(statement: Statement, spans: Sequence[tuple[int, int]]) -> list[frozenset[str]]:
    """Return for each span of words (first and last, both included) the keys of the content words that belong to it.

    A word belongs to the nearest span; a conjunction, a comma, a semicolon and another span between them count as
    further and further away.
    """
    found: list[set[str]] = [set() for _ in spans]
    if len(spans) == 1:
        first, last = spans[0]
        return [frozenset(key(statement.words[i]) for i in statement.content if not first <= i <= last)]
    cuts: dict[int, float] = {i: BREAK for i, word in enumerate(statement.words) if word in _JOINING}
    for cut in (c.first for c in statement.clauses[1:]):
        between = statement.text[statement.spans[cut - 1][1] : statement.spans[cut][0]]
        cuts[cut] = BREAK * (3.0 if ";" in between else 1.5)
    inside = {i for first, last in spans for i in range(first, last + 1)}
    for i in statement.content:
        if i in inside:
            continue
        distances = []
        for first, last in spans:
            low, high = (i, first) if i < first else (last, i)
            apart = sum(size for cut, size in cuts.items() if low < cut <= high)
            distances.append(high - low + apart + BREAK * sum(low < a and b < high for a, b in spans))
        found[distances.index(min(distances))].add(key(statement.words[i]))
    return [frozenset(words) for words in found]


def surroundings(statement: Statement, figure: Quantity) -> dict[str, float]:
    """Return how near each content word of `statement` stands to `figure`, in [0, 1] by key; figures are left out."""
    return around(statement, statement.word_at(figure.start), statement.word_at(figure.end - 1))


def around(statement: Statement, first: int, last: int) -> dict[str, float]:
    """Return how near each content word stands to the words from `first` to `last`, both included, as `surroundings` does."""
    cuts = [c.first for c in statement.clauses[1:]]
    found: dict[str, float] = {}
    for i in statement.content:
        if first <= i <= last or statement.words[i][0].isdigit():
            continue
        low, high = (i, first) if i < first else (last, i)
        distance = high - low + BREAK * sum(low < cut <= high for cut in cuts)
        k = key(statement.words[i])
        found[k] = max(found.get(k, 0.0), NEAR / (NEAR + distance - 1))
    return found


def _matches(figure: Quantity, other: Quantity) -> bool:
    """Whether two figures say the same; what a plain number counts is judged by its surroundings and not by the next word."""
    if figure.kind != other.kind and not figure.unit and other.kind in ("date", "time") and _written_with_points(figure, other):
        return True
    if "/" in figure.unit and other.unit == figure.unit.partition("/")[0]:  # "metrul cub costă 7 lei": a rate said in words
        return same(replace(figure, unit=other.unit), other)
    if "/" in other.unit and figure.unit == other.unit.partition("/")[0]:  # "4 lei" of "4 lei pe zi"
        return same(figure, replace(other, unit=figure.unit))
    if figure.kind == "time" and other.kind == "amount" and not other.unit and other.low is not None:
        return other.low % 12 * 60 == figure.low % 720 if figure.low is not None else False
    plain = not figure.unit and figure.kind == "amount" == other.kind and (not other.unit or not figure.counted)
    return same_value(figure, other) if plain else same(figure, other)


def _written_with_points(figure: Quantity, other: Quantity) -> bool:
    """Whether a bare figure is the day or hour `other` with a point: "31.03" for 31 March, "9.00" for 9:00, one or both ends of a range."""
    found = _POINTED.findall(figure.text)
    if not found:
        return False
    if other.kind == "time":
        said = [f"{int(a):02d}:{b}" for a, b in found if int(a) < 24 and int(b) < 60]
    else:
        said = [f"{b}-{a}" for a, b in found if 1 <= int(a) <= 31 and 1 <= int(b) <= 12]
    held = [part[-5:] for part in other.date.split("/")]
    return len(said) == len(found) and (said == held or (len(said) == 1 and said[0] in held))


def _is_end(figure: Quantity, other: Quantity, summary: bool) -> bool:
    """Whether `figure` is an end of the range `other`: "until 18" of "from 8 to 18"; a summary may name either end."""
    if other.bound != "range" or figure.bound == "range" or figure.kind != other.kind:
        return False
    dates = other.date.split("/") if other.date else ["", ""]
    ends = [replace(other, bound="", low=v, high=v, date=d) for v, d in zip((other.low, other.high), dates, strict=True)]
    sides = {"min": ends[:1], "over": ends[:1], "max": ends[1:], "under": ends[1:]}
    return any(same(figure, end) for end in sides.get(figure.bound, ends if summary else []))


def _said_otherwise(figure: Quantity, stated: Sequence[Statement]) -> bool:
    """Whether the evidence has the figure in another form: word for word, as a reference's number, as "both", as one day of each month."""
    verbatim = re.compile(rf"(?<![\w.,]){re.escape(fold(figure.text))}(?!\w|[.,]\d)") if figure.unit or figure.kind == "date" else None
    for statement in stated:
        if verbatim and verbatim.search(fold(statement.text)):
            return True
        if figure.kind == "amount" and not figure.unit and figure.low is not None and figure.low == figure.high:
            if any(q.kind == _REFERENCE and q.ref == str(figure.low) for q in statement.quantities):
                return True
            if figure.low == 2 and _BOTH & set(statement.words):
                return True
        if figure.kind == "frequency" and figure.low == MONTHLY and _OF_THE_MONTH.search(" ".join(statement.words)):
            return True
    return False


def _other_period(claim: Claim, case: Case, read: Callable[[Statement], frozenset[str]]) -> str | None:
    """Return a problem if the sentence names a period of which the evidence names only others."""
    said = read(claim.sentence)
    if not said:
        return None
    held = frozenset().union(*(read(s) for s in case.stated(claim)))
    missing = said - held - read(case.asked)
    if not missing or not held or _EACH in held | said:
        return None
    return f"{min(missing)!r} is not in the statement that carries {claim.sentence.text[:60]!r}"


def _quarters(statement: Statement) -> frozenset[str]:
    """The quarters of a year that a statement names: "Q3", "third quarter", "trimestrul III"."""
    folded = " ".join(statement.words)
    if "q" not in folded and "trim" not in folded:
        return frozenset()
    return frozenset(f"Q{_NTH[next(g for g in m.groups() if g)]}" for m in _QUARTER.finditer(folded))


def _weekdays(statement: Statement) -> frozenset[str]:
    """The days of the week that a statement names; a range of days, or words for every day, stand for `_EACH`."""
    found, words = set(), statement.words
    for i, word in enumerate(words):
        day = _DAYS.get(word)
        if day is None:
            continue
        counted = words[i - 2 if i > 1 and words[i - 1] == "de" else i - 1] if i else ""
        if word == "luni" and (counted in _MONTHS_BEFORE or counted[:1].isdigit() or counted in SMALL or counted in TENS):
            continue  # months, and no Monday
        found.add(day)
        following = next((j for j in range(i + 1, min(i + 5, len(words))) if words[j] in _DAYS), i)
        between = statement.text[statement.spans[i][1] : statement.spans[following][0]]
        if set(words[i + 1 : following]) & _THROUGH or "-" in between or "–" in between:
            found.add(_EACH)
    if found and set(words) & _ANY_DAY:
        found.add(_EACH)
    return frozenset(found)


def _dimension(figure: Quantity) -> str:
    return figure.unit.partition("/")[0] or figure.counted[:4]
