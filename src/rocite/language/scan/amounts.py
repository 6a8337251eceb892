"""Amounts: a number in digits or words with the unit or noun that it counts.

Decides where an amount begins and ends, its bounds left aside.
"""

from __future__ import annotations

from decimal import Decimal

from rocite.language.number_words import FRACTIONS, HUNDREDS, ORDINALS, SCALES, SMALL, digits, fraction, half_more, whole
from rocite.language.scan.frequencies import frequency, once
from rocite.language.scan.tokens import Found, Tokens, is_digits
from rocite.language.units import ADVERBS, AFTER_ARTICLE, SYMBOLS, UNITS, per_at, simple_at
from rocite.stopwords import STOPWORDS
from rocite.text import fold

_SHORT = """din sau pot vor are cum dar nici unde prin ale lor lui sunt fie cea cel cei iar mai ori asa doar inca nu
    and the for are was has had may can not per but its any all you our who how out off via one two only each both
    art alin lit pct nr pag cap sect devine revine apoi etc plus minus respectiv inclusiv"""
_NO_NOUN = STOPWORDS | frozenset(_SHORT.split())
_ADJECTIVES = frozenset("noi new mari mici consecutive successive full intregi complete intreg original originale".split())
_DETERMINERS = frozenset("the this that a an its their your cele cei".split())
_ONE = frozenset("unu una one".split())  # a number only with a unit behind it
_GLUED = frozenset("v w".split())  # lower-case symbols that need no space: "230v"


def amount(t: Tokens, i: int) -> Found | None:
    """Read the amount or frequency that begins at token `i`, in digits or words; None if there is none."""
    words = t.words
    if is_digits(words[i]):
        value = digits(words[i], t.lang)
        if value is None:
            return None
        found = Found(i, i + 1, low=value[0], ambiguous=value[1])
        if words[i + 1] == "/" and t.glued(i) and is_digits(words[i + 2]):
            return _fraction(t, found) if _digit_fraction(t, found) else None
        if words[i + 1] in ("½", "¼", "¾"):
            found.low += Decimal({"½": "0.5", "¼": "0.25", "¾": "0.75"}[words[i + 1]])
            found.j += 1
    else:
        part = fraction(words, i)
        if part:
            return _fraction(t, Found(i, part[1], low=part[0]))
        number = whole(words, i)
        if number is None:
            return None
        found = Found(i, number[1], low=Decimal(number[0]))
    found.raw = found.low
    scale(t, found)
    more, found.j = half_more(words, found.j)
    found.low += more
    _restated(t, found)
    return _counted_thing(t, found)


def _digit_fraction(t: Tokens, found: Found) -> bool:
    """Read "1/2"; False for any other stroke between numbers ("24/7")."""
    top, bottom = t.words[found.i], t.words[found.i + 2]
    if bottom not in ("2", "3", "4", "5", "8", "10") or not top.isdecimal() or not 0 < int(top) < int(bottom):
        return False
    if t.words[found.i + 3] == "/" and t.glued(found.i + 2):
        return False
    found.low, found.j = Decimal(top) / int(bottom), found.i + 3
    return True


def scale(t: Tokens, found: Found) -> None:
    """Multiply by "mii", "milioane", "mil.", "million" behind a number in digits."""
    j = found.j
    at = j + 1 if t.words[j] == "de" else j
    scale = SCALES.get(t.words[at])
    if scale and t.words[j - 1] not in SCALES:
        found.low, found.j, found.ambiguous = found.low * scale, at + 1, False
        if t.words[at] in ("mil", "mld") and t.words[at + 1] == "." and t.glued(at):
            found.j = at + 2


def _restated(t: Tokens, found: Found) -> None:
    """Step over the same number in brackets: "30 (treizeci) de zile", "thirty (30) days"."""
    j = found.j
    if t.words[j] != "(":
        return
    if is_digits(t.words[j + 1]):
        value, end = digits(t.words[j + 1], t.lang), j + 2
        same = value is not None and value[0] == found.low
    else:
        number = whole(t.words, j + 1)
        same, end = number is not None and number[0] == found.low, number[1] if number else j
    if same and t.words[end] == ")":
        found.j = end + 1


def _counted_thing(t: Tokens, found: Found) -> Found | None:
    """Add to a number the times, unit or noun that it counts."""
    words, j = t.words, found.j
    found.high = found.low
    if words[j] == "-" and t.glued(j - 1) and t.glued(j) and not is_digits(words[j + 1]):
        j += 1  # "a 30-day period"
        found.j = j if words[j] in UNITS or words[j] == "working" else found.j
    if words[j] in ("ori", "times", "time") and not (words[j] == "ori" and (is_digits(words[j + 1]) or words[j + 1] in SMALL)):
        found.unit, found.j = "times", j + 1
        return frequency(t, found)
    at = j + 1 if words[j] == "de" else j
    if words[at] in _ADJECTIVES and words[at + 1] in UNITS:
        at += 1
    unit = simple_at(words, at, t.exact(at)) or ((_glued_unit(t, at)) if at == j else None)
    if unit:
        found.unit, end = per_at(words, unit[1], unit[0])
        more, found.j = half_more(words, end)
        found.low += more
        found.high = found.low
        return found
    if found.j == found.i + 1:
        word = words[found.i]
        # "nouă" is nine, new and us, and "opt" an English verb: only what follows settles it
        if word in _ONE or word == "noua" or (word == "opt" and words[j] in ("out", "in", "for", "to")):
            return None
    noun = _noun(t, found, j)
    if noun:
        found.counted, found.j = fold(t.exact(noun)), noun + 1
    return found


def _glued_unit(t: Tokens, j: int) -> tuple[str, int] | None:
    if t.words[j] in _GLUED and t.glued(j - 1):
        return SYMBOLS[t.words[j].upper()], j + 1
    return None


def _noun(t: Tokens, found: Found, j: int) -> int | None:
    """Return the token of the noun that a number counts, or None."""
    words = t.words
    value = found.low
    if words[j] == "de":
        j += 1
    elif t.lang == "ro" and value == value.to_integral_value() and value >= 20 and not 1 <= value % 100 < 20:
        return None  # Romanian puts "de" there: "2026 se aplică" counts nothing
    if words[j] in _ADJECTIVES:
        j += 1
    word = words[j]
    if len(word) > 2 and word.isalpha() and word not in _NO_NOUN and not t.glued(j - 1) and word not in ADVERBS:
        return None if word in ("suta", "sute", "mii") or (t.exact(j).isupper() and t.text.isupper() is False) else j
    return None


def _fraction(t: Tokens, found: Found) -> Found | None:
    """Read what a fraction is of: "jumătate de oră", "half an hour", "o treime din preț", "half of the price"."""
    words, j = t.words, found.j
    before = words[found.i - 1]
    if before in ORDINALS or before in ("doua", "ultima", "last"):
        return None  # "the second half"
    found.raw = found.high = found.low
    joined = words[j] in ("de", "din", "of")
    at = j + joined
    while words[at] in _DETERMINERS and words[j] != "de":
        at += 1
    unit = simple_at(words, at, t.exact(at)) if words[j] != "din" else None
    if unit:
        found.unit, found.j = per_at(words, unit[1], unit[0])
        return found
    word = words[at]
    if (joined or at > j) and len(word) > 2 and word.isalpha() and word not in _NO_NOUN:
        found.counted, found.j = fold(t.exact(at)), at + 1
    return found


def article(t: Tokens, i: int) -> Found | None:
    """Read what an article begins: "o zi", "un an și jumătate", "o dată pe lună", "a week", "o sută de lei"."""
    words = t.words
    word, following = words[i], words[i + 1]
    if following in AFTER_ARTICLE[word]:
        unit = simple_at(words, i + 1, t.exact(i + 1))
        if unit is None:
            return None
        name, end = per_at(words, unit[1], unit[0])
        more, end = half_more(words, end)
        return Found(i, end, low=1 + more, high=1 + more, raw=Decimal(1), unit=name)
    if word == "o" and (following == "data" or (following == "singura" and words[i + 2] == "data")):
        return once(t, i, i + 2 + (following == "singura"))
    if following in HUNDREDS or following in SCALES or following in FRACTIONS or following == "dozen":
        return amount(t, i)
    return None
