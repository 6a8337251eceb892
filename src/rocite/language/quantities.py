"""What a text counts, dates and points to: amounts, dates, times, frequencies, ordinals and references.

Decides what each number of a Romanian or English text means and whether two of them are equal. A number inside a
code counts nothing (`identifiers` finds those), and neither does the number of a list item. Refuses nothing: any
string is text. The reading is by rules alone, so that it is the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rocite.language.identifiers import PLAIN_CAPITALS, STANDARDS, identifiers
from rocite.language.number_words import ARTICLES, ORDINALS, SMALL, TENS, digits
from rocite.language.scan.amounts import amount, article, scale
from rocite.language.scan.bounds import combine
from rocite.language.scan.dates import MONTHS, clock, digit_date, hour, month, word_date
from rocite.language.scan.frequencies import YEARLY, adverb, digit_ordinal, every, from_in, once, ordinal, second_feminine
from rocite.language.scan.references import REFERENCES, enumerator, numbered, reference
from rocite.language.scan.tokens import PAD, Found, Tokens
from rocite.language.units import SYMBOLS, UNITS, conversion, per_at, simple_at

__all__ = ["Quantity", "identifiers", "may_hold", "quantities", "same", "same_value"]

COUNTED_LETTERS = 5  # nouns that agree so far are one noun: "exemplare", "exemplarelor"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One thing that a text counts, dates or points to; `start` and `end` are offsets in the normalised text.

    `kind` is "amount", "date", "time", "frequency", "ordinal" or "reference". `low` and `high` are equal for a plain
    value and None where a bound leaves that side free; `bound` is "", "min", "max", "over", "under", "about" or
    "range", and `open` says that the bound itself is left out. A time is in minutes since midnight, a frequency in
    times a year (of 365 days). `unit` is canonical ("day", "lei/month"; for a reference "article", "law", ...) and empty for a
    bare number; `counted` is the folded noun where there is no unit. `date` is a date such as "2026-03-15", "2026-03",
    "2026", "--03-15" or "---15", or a time "14:30", two of them with a stroke between for a range. `ref` is what a
    reference names ("7/2009", "b", "3"). `ambiguous` marks a number whose point or comma could be either.
    """

    start: int
    end: int
    text: str
    low: Decimal | None
    high: Decimal | None
    kind: str = "amount"
    bound: str = ""
    open: bool = False
    unit: str = ""
    counted: str = ""
    date: str = ""
    ref: str = ""
    ambiguous: bool = False


def quantities(text: str, lang: str | None = None) -> list[Quantity]:
    """Return the quantities of `text` in order; none overlaps another.

    `lang` ("ro" or "en") says what a point and a comma in a number mean; words of both languages are always read.

    >>> [(q.text, str(q.high), q.bound, q.unit) for q in quantities("Taxa de 1.500 lei se plătește în cel mult 30 de zile.", "ro")]
    [('1.500 lei', '1500', '', 'lei'), ('cel mult 30 de zile', '30', 'max', 'day')]
    """
    t = Tokens(text, lang)
    found = _scan(t)
    if not found:
        return []
    made = []
    for f in combine(t, found):
        start, end = t.starts[f.i], t.end(f.j - 1)
        made.append(
            Quantity(start, end, t.text[start:end], f.low, f.high, f.kind, f.bound, f.open, f.unit, f.counted, f.date, f.ref, f.ambiguous)
        )
    return made


def _scan(t: Tokens) -> list[Found]:
    """Return what stands in the tokens, from left to right; what has been read is not read again."""
    found: list[Found] = []
    i, n, words = PAD, t.n, t.words
    while i < n:
        word = words[i]
        reader = _READERS.get(word)
        if reader is not None:
            item = reader(t, i)
            i = _kept(found, item) or i + 1
        elif "0" <= word[:1] <= "9":
            item = _number(t, i)
            i = _kept(found, item) or _behind(t, i)
        else:
            i += 1
    return found


def _kept(found: list[Found], item: Found | None) -> int:
    """Keep an item unless it reaches back into the one before; return the index behind it, 0 if there is none."""
    if item is None or (found and item.i < found[-1].j):
        return 0
    found.append(item)
    return item.j


def _behind(t: Tokens, i: int) -> int:
    """The index behind whatever hangs together with the number at `i`, which was no quantity."""
    words, j = t.words, i + 1
    while j < t.n and t.glued(j - 1) and (words[j].isalnum() or (words[j] in "-./:," and t.glued(j) and words[j + 1].isalnum())):
        j += 1
    return j


def _number(t: Tokens, i: int) -> Found | None:
    """Read whatever begins with the digits at `i`."""
    words = t.words
    word, before, after = words[i], words[i - 1], words[i + 1]
    if enumerator(t, i):
        return None
    if t.glued(i - 1) and (before in "_#^@" or (before in "/:" and t.glued(i - 2) and words[i - 2].isalpha() and not _unit(t, i - 2))):
        return None
    found = digit_date(t, i) or clock(t, i) or numbered(t, i) or digit_ordinal(t, i)
    if found:
        return found
    if (len(word) > 2 and word[0] == "0" and word.isdecimal()) or (after == ":" and t.glued(i) and t.glued(i + 1)):
        return None
    if after == "-" == words[i + 3] and t.glued(i) and t.glued(i + 2) and words[i + 4].isdecimal():
        return None  # "1992-1-1"
    found = amount(t, i)
    if found is None:
        return None
    if found.j == i + 1 and t.glued(i) and after.isalpha():
        return None
    if not found.unit:
        capitals = t.exact(i - 1)
        if (
            1 < len(capitals) < 9
            and capitals.isupper()
            and before.isalpha()
            and before not in PLAIN_CAPITALS
            and after != "de"
            and (before in STANDARDS or not (t.exact(i - 2).isupper() and len(words[i - 2]) > 1))
        ):
            return None  # "EN 54"
        if len(word) > 8 and word.isdecimal():
            return None
    if _negative(t, i, found):
        found.i, found.low, found.high, found.raw = i - 1, -found.low, -found.high, None
    return found


def _unit(t: Tokens, i: int) -> bool:
    return t.words[i] in UNITS or t.exact(i) in SYMBOLS


def _negative(t: Tokens, i: int, found: Found) -> bool:
    """Whether a minus stands before the number at `i`: not a dash within a range or before an item of a list."""
    before, earlier = t.words[i - 1], t.words[i - 2]
    if before == "minus":
        return bool(found.unit)
    if before not in ("-", "−") or not t.glued(i - 1) or t.glued(i - 2) or earlier.isdecimal():
        return False
    return bool(earlier) or found.unit in ("celsius", "degree")


def _word(t: Tokens, i: int) -> Found | None:
    """Read what begins with a number word, where it is one."""
    word = t.words[i]
    if word in ("doua", "noua") and second_feminine(t, i):
        return ordinal(t, i)
    if t.words[i + 1] == "-" and t.words[i + 2] in YEARLY:
        return None  # "half-yearly" is read from its end
    return word_date(t, i) or amount(t, i)


def _ordinal(t: Tokens, i: int) -> Found | None:
    return word_date(t, i) or ordinal(t, i)


def _currency(t: Tokens, i: int) -> Found | None:
    """Read an amount behind its currency: "€50", "EUR 1.500", "$2.5 million"."""
    written = t.words[i + 1]
    value = digits(written, t.lang) if "0" <= written[:1] <= "9" else None
    if value is None:
        return None
    found = Found(i, i + 2, low=value[0], ambiguous=value[1], raw=value[0])
    letter = _GLUED_SCALES.get(t.exact(found.j)) if t.glued(found.j - 1) else None
    if letter:  # "$8.2m", "€3bn"
        found.low, found.j, found.ambiguous = found.low * letter, found.j + 1, False
    else:
        scale(t, found)
        if simple_at(t.words, found.j, t.exact(found.j)):
            return None  # "curs EUR 5 lei"
    found.high = found.low
    found.unit, found.j = per_at(t.words, found.j, UNITS[t.words[i]])
    return found


_GLUED_SCALES = {"k": 1000, "K": 1000, "m": 10**6, "M": 10**6, "mn": 10**6, "bn": 10**9, "B": 10**9, "b": 10**9}

_READERS: dict[str, Callable[[Tokens, int], Found | None]] = {
    **dict.fromkeys(MONTHS, month),
    **dict.fromkeys(REFERENCES, reference),
    **dict.fromkeys((*SMALL, *TENS, "half", "jumatate"), _word),
    **dict.fromkeys(ORDINALS, _ordinal),
    **dict.fromkeys(ARTICLES, article),
    **dict.fromkeys(YEARLY, adverb),
    **dict.fromkeys(("fiecare", "every", "each"), every),
    **dict.fromkeys(("ora", "orele", "orei"), hour),
    **dict.fromkeys(("€", "$", "£", "eur", "usd", "gbp", "ron"), _currency),
    **dict.fromkeys(("once", "twice", "thrice"), lambda t, i: once(t, i, i + 1)),
    "din": from_in,
}


_DIGIT = re.compile(r"\d")
_OPENING = frozenset(_READERS) - ARTICLES
_BEHIND_ARTICLE = UNITS.keys() | set("data suta sute mie mii milion milioane hundred hundreds thousand thousands million dozen".split())


def may_hold(text: str, words: Sequence[str]) -> bool:
    """Whether a text, given also as folded words, can hold a quantity at all: a quick look before `quantities`.

    >>> may_hold("O cerere se depune.", ["o", "cerere", "se", "depune"]), may_hold("O zi.", ["o", "zi"])
    (False, True)
    """
    if _DIGIT.search(text) or not _OPENING.isdisjoint(words):
        return True
    return not (_BEHIND_ARTICLE.isdisjoint(words) or ARTICLES.isdisjoint(words))


# --- equality --------------------------------------------------------------------------------------------


def same(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities say the same value of the same thing, whatever bound stands on it.

    Units are converted where that is exact ("24 ore" is "1 zi"); half is 50 %; a date matches one with more detail;
    a range matches only a range with both ends equal; an ambiguous number matches in either reading.

    >>> pairs = [("24 de ore", "o zi"), ("o dată pe lună", "lunar"), ("5 zile", "5 zile lucrătoare"), ("half of it", "50 %")]
    >>> [same(quantities(a)[0], quantities(b)[0]) for a, b in pairs]
    [True, True, False, True]
    """
    if a.kind != b.kind or (a.bound == "range") != (b.bound == "range"):
        return False
    if a.kind == "date":
        return _same_dates(a.date, b.date)
    if a.kind == "reference":
        generic = "number" in (a.unit, b.unit) and "/" in a.ref
        return a.ref == b.ref and (a.unit == b.unit or generic)
    if a.kind != "amount":
        return _equal_ends(a, b, Decimal(1), Decimal(1))
    if not a.unit and not b.unit:
        nouns = a.counted[:COUNTED_LETTERS], b.counted[:COUNTED_LETTERS]
        return (nouns[0] == nouns[1] or not all(nouns)) and _equal_ends(a, b, Decimal(1), Decimal(1))
    (one, factor), (other, times) = conversion(a.unit), conversion(b.unit)
    if one != other:
        return _share_of(a, one, b) or _share_of(b, other, a)
    return _equal_ends(a, b, factor, times)


def same_value(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities have the same value, whatever unit, noun or kind goes with it.

    >>> same_value(quantities("30")[0], quantities("30 de zile")[0])
    True
    """
    if same(a, b):
        return True
    if (a.bound == "range") != (b.bound == "range") or "reference" in (a.kind, b.kind):
        return False
    return _equal_ends(a, b, Decimal(1), Decimal(1))


def _share_of(a: Quantity, dimension: str, b: Quantity) -> bool:
    """Whether `a` is a percentage and `b` the same as a bare fraction ("jumătate")."""
    ends = [v for v in (b.low, b.high) if v is not None]
    fractional = bool(ends) and all(v != v.to_integral_value() for v in ends)
    return dimension == "share" and not b.unit and fractional and _equal_ends(a, b, conversion(a.unit)[1], Decimal(1))


def _ends(q: Quantity) -> tuple[Decimal | None, Decimal | None]:
    """Both ends; a bound has its one value twice, so that direction does not matter."""
    return (q.low if q.low is not None else q.high), (q.high if q.high is not None else q.low)


def _equal_ends(a: Quantity, b: Quantity, factor: Decimal, times: Decimal) -> bool:
    for x, y in zip(_ends(a), _ends(b), strict=True):
        if x is None or y is None:
            return False
        left = {round_off(x * factor)} | ({round_off(x * factor / 1000)} if a.ambiguous else set())
        right = {round_off(y * times)} | ({round_off(y * times / 1000)} if b.ambiguous else set())
        if not left & right:
            return False
    return True


def round_off(value: Decimal) -> Decimal:
    """Return `value` to 12 significant digits, so that a third is a third however it was reached."""
    return Decimal(f"{value:.11e}")


def _same_dates(a: str, b: str) -> bool:
    """Whether two dates or ranges of dates agree in every part that both have, and have one in common."""
    ends = a.split("/"), b.split("/")
    return len(ends[0]) == len(ends[1]) and all(_same_date(x, y) for x, y in zip(*ends, strict=True))


def _same_date(a: str, b: str) -> bool:
    shared = [(x, y) for x, y in zip(_parts(a), _parts(b), strict=True) if x and y]
    return bool(shared) and all(x == y for x, y in shared)


def _parts(date: str) -> tuple[str, str, str]:
    """Return year, month and day of a date, each empty where it is left out."""
    if date.startswith("---"):
        return "", "", date[3:]
    if date.startswith("--"):
        return "", date[2:4], date[5:]
    return date[:4], date[5:7], date[8:]
