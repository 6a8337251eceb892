"""Frequencies and ordinals: how often, and which one.

A frequency is reduced to times a year, so that "o dată pe lună", "lunar" and "monthly" are one value.
"""

from __future__ import annotations

from decimal import Decimal

from rocite.language.number_words import AFTER_A, MAX_DIGITS, ORDINALS, SMALL, digits, whole
from rocite.language.scan.tokens import Found, Tokens, is_digits
from rocite.language.units import ADVERBS, AFTER_ARTICLE, PER, UNITS

_SUFFIXES = frozenset("st nd rd th".split())
_PER_YEAR = {"hour": (8760, 1), "day": (365, 1), "week": (365, 7), "fortnight": (365, 14), "month": (12, 1), "quarter": (4, 1),
             "semester": (2, 1), "year": (1, 1), "decade": (1, 10)}  # fmt: skip
_EVERY = frozenset(("fiecare", "every", "each"))


_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_CLAUSE = frozenset("the you a an your it they we he she this that these those all i ce cu his her their our".split())


def once(t: Tokens, i: int, j: int) -> Found | None:
    """Read "o dată", "once" or "twice", whose words end before `j`, with the period that may follow."""
    value = Decimal(_TIMES.get(t.words[i], 1))
    found = frequency(t, Found(i, j, low=value, high=value, raw=value, unit="times"))
    if found.kind == "frequency" or t.words[i] in ("twice", "thrice") or j - i == 3:
        return found
    after = t.words[j]
    if t.words[i - 1] in ("inca", "la", "de", "at", "din") or after in _CLAUSE or (after.isalpha() and t.words[i] == "o"):
        return None  # "once the form is sent", "la o dată ulterioară"
    return found


def frequency(t: Tokens, found: Found) -> Found:
    """Turn a count of times into times a year if a period follows ("pe an", "every two weeks", "lunar")."""
    period = _period(t, found.j)
    if period:
        over, under, found.j = period
        found.kind, found.unit = "frequency", ""
        found.low = found.high = found.low * over / under
    return found


def _period(t: Tokens, j: int) -> tuple[Decimal, Decimal, int] | None:
    """Return times a year as numerator and denominator, and the index behind the period that begins at `j`."""
    words = t.words
    word = words[j]
    if word in ADVERBS:
        return (*_rate(ADVERBS[word], Decimal(1)), j + 1)
    if word == "intr" and words[j + 1] == "-" and words[j + 2] in ("un", "o"):
        unit = PER.get(words[j + 3])
        return (*_rate(unit, Decimal(1)), j + 4) if unit in _PER_YEAR else None
    several = word in ("la", "every", "in") or (word in ("per", "pe", "/") and is_digits(words[j + 1]))
    if word not in ("pe", "per", "a", "an", "/", "each", "la", "every", "in"):
        return None
    j += 1
    if word in ("la", "in", "pe") and words[j] in _EVERY:
        several, j, word = True, j + 1, "every"
    if word in ("every", "pe", "per", "each", "a", "an", "/") and words[j] in PER and PER[words[j]] in _PER_YEAR:
        return (*_rate(PER[words[j]], Decimal(1)), j + 1)
    return _several(t, j) if several else None


def _several(t: Tokens, j: int) -> tuple[Decimal, Decimal, int] | None:
    """Read "două săptămâni", "6 luni", "other week", "third week", "a doua lună" as a period."""
    words = t.words
    if words[j] == "other" and words[j + 1] in PER:
        count, j = Decimal(2), j + 1
    elif words[j] in ORDINALS and words[j + 1] in PER:
        count, j = Decimal(ORDINALS[words[j]]), j + 1
    elif words[j] == "a" and words[j + 1] in AFTER_A and words[j + 2] in PER:
        count, j = Decimal(SMALL[words[j + 1]] if words[j + 1] in SMALL else ORDINALS[words[j + 1]]), j + 2
    elif is_digits(words[j]):
        value = digits(words[j], t.lang)
        if value is None or not value[0]:
            return None
        count, j = value[0], j + 1
    else:
        number = whole(words, j)
        if number is None and words[j] in AFTER_ARTICLE and words[j + 1] in AFTER_ARTICLE[words[j]]:
            number = (1, j + 1)
        if number is None:
            return None
        count, j = Decimal(number[0]), number[1]
    j += words[j] == "de"
    unit = UNITS.get(words[j])
    return (*_rate(unit, count), j + 1) if unit in _PER_YEAR else None


def _rate(unit: str | None, every: Decimal) -> tuple[Decimal, Decimal]:
    over, under = _PER_YEAR[unit or ""]
    return Decimal(over), under * every


# Adverbs and adjectives of frequency: times a year. "biweekly" and "bimonthly" mean two things and are left out.
YEARLY = {
    word: Decimal(over) / Decimal(under)
    for over, under, text in (
        (8760, 1, "hourly"),
        (365, 1, "zilnic zilnica zilnice zilnici daily"),
        (365, 7, "saptamanal saptamanala saptamanale saptamanali weekly"),
        (365, 14, "fortnightly"),
        (24, 1, "bilunar bilunara bilunare"),
        (12, 1, "lunar lunara lunare lunari monthly"),
        (6, 1, "bimestrial bimestriala bimestriale"),
        (4, 1, "trimestrial trimestriala trimestriale trimestriali quarterly"),
        (2, 1, "semestrial semestriala semestriale semestriali bianual bianuala bianuale biannual biannually semiannual semiannually"),
        (1, 1, "anual anuala anuale anuali annual annually yearly"),
        (1, 2, "bienal bienala bienale biennial"),
    )
    for word in text.split()
}


def adverb(t: Tokens, i: int) -> Found:
    """Read "lunar", "quarterly" or "half-yearly"."""
    value = YEARLY[t.words[i]]
    if t.words[i - 1] == "-" and t.words[i - 2] in ("half", "semi", "bi") and t.words[i] in ("yearly", "annual", "annually"):
        return Found(i - 2, i + 1, "frequency", value * 2, value * 2, raw=Decimal(1))
    if t.words[i - 1] == "-" and t.words[i - 2] in SMALL:  # "six-monthly"
        value /= SMALL[t.words[i - 2]]
        return Found(i - 2, i + 1, "frequency", value, value, raw=Decimal(1))
    return Found(i, i + 1, "frequency", value, value, raw=Decimal(1))


def every(t: Tokens, i: int) -> Found | None:
    """Read "la fiecare 6 luni", "în fiecare an", "every two weeks", "each year"; "pentru fiecare zi" is none."""
    word, before = t.words[i], t.words[i - 1]
    if word == "fiecare":
        period = _period(t, i - 1) if before in ("la", "in") else None
        start = i - 1
    else:
        period = _period(t, i) if before not in ("for", "of") else None
        start = i
    if period is None:
        return None
    value = period[0] / period[1]
    return Found(start, period[2], "frequency", value, value, raw=Decimal(1))


def from_in(t: Tokens, i: int) -> Found | None:
    """Read "din 3 în 3 luni", "din an în an"."""
    words = t.words
    if words[i + 2] == "in" and words[i + 1] == words[i + 3]:
        start = i + 3
        period = _several(t, start)
        if period is None and UNITS.get(words[start]) in _PER_YEAR:
            period = (*_rate(UNITS[words[start]], Decimal(1)), start + 1)
        if period:
            value = period[0] / period[1]
            return Found(i, period[2], "frequency", value, value, raw=Decimal(1))
    return None


def ordinal(t: Tokens, i: int) -> Found | None:
    """Read "primul", "al doilea", "a treia", "second"; "the first three" is a count and no ordinal."""
    words = t.words
    word, before = words[i], words[i - 1]
    if (word in AFTER_A and before != "a") or before == "per":
        return None
    if word == "first" and (is_digits(words[i + 1]) or words[i + 1] in SMALL):
        return None
    value = Decimal(ORDINALS.get(word) or SMALL[word])
    return Found(i - (before in ("al", "a")), i + 1, "ordinal", value, value)


def second_feminine(t: Tokens, i: int) -> bool:
    """Whether "doua" or "noua" at `i` is the ordinal "a doua", not the number "a două zile"."""
    return t.words[i - 1] == "a" and t.exact(i)[-1:] not in "ăĂ"


def digit_ordinal(t: Tokens, i: int) -> Found | None:
    """Read "3rd", "al 3-lea", "a 2-a"."""
    words = t.words
    if not t.glued(i) or not words[i].isdecimal() or len(words[i]) > MAX_DIGITS:
        return None
    value = Decimal(words[i])
    if words[i + 1] in _SUFFIXES:
        return Found(i, i + 2, "ordinal", value, value)
    if words[i + 1] == "-" and t.glued(i + 1) and (words[i + 2] == "lea" or (words[i + 2] == "a" and words[i - 1] == "a")):
        return Found(i - (words[i - 1] in ("al", "a")), i + 3, "ordinal", value, value)
    return None
