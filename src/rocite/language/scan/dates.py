"""Dates and times of day.

Decides which numbers name a day or a clock time and so count nothing. Dates are day first; a missing part is left
out of the value: "2026-03-15", "2026-03", "2026", "--03-15", "---15".
"""

from __future__ import annotations

import re
from decimal import Decimal

from rocite.language.identifiers import STANDARDS
from rocite.language.number_words import SMALL, whole
from rocite.language.scan.tokens import Found, Tokens, is_digits
from rocite.language.units import SYMBOLS, UNITS

MONTHS = {
    word: number
    for number, text in enumerate(
        (
            "ianuarie ian january jan", "februarie feb february", "martie mart mar march", "aprilie apr april", "mai may",
            "iunie iun june jun", "iulie iul july jul", "august aug", "septembrie sept sep september", "octombrie oct october",
            "noiembrie noi november nov", "decembrie dec december",
        ),
        1,
    )
    for word in text.split()
}  # fmt: skip
_ENGLISH = frozenset("january february march april may june july august september october november december jan jun jul".split())
_COMPARED = frozenset("mult multe multi multa putin putine putini putina mare mari mic mici mica bine tarziu devreme ales sus jos".split())
_POINTED = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
_YEAR_BEFORE = frozenset("anul anului anii year years in din until since pentru of from by before after dupa pana".split())


def is_year(word: str) -> bool:
    """Whether a token is four digits that can be a year."""
    return len(word) == 4 and word.isdecimal() and 1500 <= int(word) <= 2100


def _date(i: int, j: int, year: str, month: int, day: int) -> Found | None:
    if not (1 <= month <= 12 and 0 <= day <= 31):
        return None
    value = (year or "-") + f"-{month:02}" + (f"-{day:02}" if day else "")
    return Found(i, j, "date", date=value)


def digit_date(t: Tokens, i: int) -> Found | None:
    """Read a date that begins with digits: 15.03.2026, 15/03/2026, 2026-03-15, 15 martie, 25 ale lunii, 2026."""
    words = t.words
    word = words[i]
    pointed = _POINTED.fullmatch(word)
    if pointed:
        return _date(i, i + 1, pointed[3], int(pointed[2]), int(pointed[1]))
    if not word.isdecimal() or len(word) > 4:
        return None
    mark = words[i + 1]
    if mark in ("/", "-") and t.glued(i) and t.glued(i + 1):
        found = _stroke_date(t, i, mark)
        if found:
            return found
    if len(word) <= 2 and 1 <= int(word) <= 31:
        return _day(t, i, i + 1, int(word))
    if is_year(word) and mark not in ("/", "%") and not (mark == "." and t.glued(i) and is_digits(words[i + 2])):
        return _year(t, i)
    return None


def _stroke_date(t: Tokens, i: int, mark: str) -> Found | None:
    words = t.words
    first, second, third = words[i], words[i + 2], words[i + 4]
    if words[i + 3] == mark and t.glued(i + 2) and t.glued(i + 3) and second.isdecimal() and third.isdecimal() and len(second) <= 2:
        if is_year(first) and len(second) == len(third) == 2:
            return _date(i, i + 5, first, int(second), int(third))
        if len(first) <= 2 and is_year(third):
            if int(second) > 12 >= int(first) and t.lang != "ro":
                first, second = second, first
            return _date(i, i + 5, third, int(second), int(first))
    if mark == "/" and len(first) == 2 and first[0] in "01" and is_year(second) and not (words[i + 3] == "/" and t.glued(i + 2)):
        return _date(i, i + 3, second, int(first), 0)
    return None


def _month_at(t: Tokens, j: int) -> int:
    """The month whose name is token `j`, 0 if none: "mai mult", "noi" and "may" are no months."""
    word = t.words[j]
    month = MONTHS.get(word, 0)
    if (
        not month
        or (word == "mai" and t.words[j + 1] in _COMPARED)
        or (word == "noi" and t.words[j + 1] != ".")
        or (word in ("may", "march") and t.exact(j)[0] != "M")
    ):
        return 0
    return month


def _after_month(t: Tokens, j: int) -> tuple[str, int]:
    """Return the year behind a month's name, if any, and the index behind both."""
    at = j + 1 if t.words[j] == "." and t.glued(j - 1) and len(t.words[j - 1]) <= 4 else j
    comma = t.words[at] == "," and t.lang != "ro"
    if is_year(t.words[at + comma]):
        return t.words[at + comma], at + comma + 1
    return "", j


def _day(t: Tokens, i: int, j: int, day: int) -> Found | None:
    """Read what makes a number a day: a month behind it, "ale lunii", or "data de" before it."""
    words = t.words
    if words[j] in ("st", "nd", "rd", "th") and t.glued(j - 1):
        j += 1
        if (words[j : j + 2] == ["of", "the"] and words[j + 2] in ("month", "following", "next")) or words[j : j + 3] == [
            "of",
            "each",
            "month",
        ]:
            return Found(i, j, "date", date=f"---{day:02}")
    at = j + 1 if words[j] in ("of", "a") and words[j + 1] in MONTHS else j
    month = _month_at(t, at)
    if month:
        year, end = _after_month(t, at + 1)
        return _date(i, end, year, month, day)
    if is_digits(words[i]) and (
        (words[j] in ("a", "ale", "al") and words[j + 1] in ("lunii", "fiecarei"))
        or (words[i - 2 : i] == ["data", "de"] and words[j] not in UNITS and words[j] != "de")
    ):
        return Found(i, j, "date", date=f"---{day:02}")
    return None


def word_date(t: Tokens, i: int) -> Found | None:
    """Read a date whose day is a word: "întâi iulie", "cinci martie"."""
    if t.words[i] in ("intai", "prima", "primul"):
        return _day(t, i, i + 1, 1) if t.words[i + 1] in MONTHS else None
    number = whole(t.words, i) if t.words[i] in SMALL else None
    if number and t.words[number[1]] in MONTHS and number[0] <= 31:
        return _day(t, i, number[1], number[0])
    return None


def month(t: Tokens, i: int) -> Found | None:
    """Read a date that begins with the month: "martie 2026", "March 15, 2026"."""
    number = _month_at(t, i)
    if not number:
        return None
    year, end = _after_month(t, i + 1)
    if year:
        return _date(i, end, year, number, 0)
    at = i + 2 if t.words[i + 1] == "." and t.glued(i) else i + 1
    day = t.words[at]
    if t.words[i] in _ENGLISH and day.isdecimal() and len(day) <= 2 and 1 <= int(day) <= 31:
        end = at + 1 + (t.words[at + 1] in ("st", "nd", "rd", "th"))
        comma = end + (t.words[end] == ",")
        if is_year(t.words[comma]):
            return _date(i, comma + 1, t.words[comma], number, int(day))
        return _date(i, end, "", number, int(day))
    return None


def _year(t: Tokens, i: int) -> Found | None:
    """Read four bare digits as a year, unless a unit or a counted noun says otherwise."""
    words = t.words
    following = words[i + 1]
    told = words[i - 1] in _YEAR_BEFORE
    counted = following in UNITS or following in ("°", "mii") or t.exact(i + 1) in SYMBOLS
    if counted or (following in ("de", "(", "la") and not told):
        return None
    if not told and t.lang != "ro" and following.endswith("s") and following.isalpha() and len(following) > 3:
        return None
    if t.glued(i) and (following.isalpha() or (following == "-" and t.glued(i + 1) and not is_year(words[i + 2]))):
        return None
    if words[i - 1] in STANDARDS:  # "EN 1992"
        return None
    return Found(i, i + 1, "date", Decimal(words[i]), Decimal(words[i]), date=words[i], raw=Decimal(words[i]), year=not told)


# --- times of day ----------------------------------------------------------------------------------------


def _half_day(t: Tokens, j: int) -> tuple[int, int] | None:
    """Return the hours that "am" or "pm" at `j` adds after noon, and the index behind it; None if neither is there."""
    words = t.words
    if words[j] in ("am", "pm") and (t.lang != "ro" or t.glued(j - 1) or t.exact(j).isupper()):
        return 12 * (words[j] == "pm"), j + 1
    if words[j] in ("a", "p") and words[j + 1] == "." and words[j + 2] == "m" and t.glued(j):
        return 12 * (words[j] == "p"), j + 3 + (words[j + 3] == "." and t.glued(j + 2))
    return None


def at_time(i: int, j: int, hour: int, minute: int) -> Found | None:
    """Return a time of day, in minutes since midnight; None outside 0:00 to 24:00."""
    if hour > 24 or minute > 59:
        return None
    value = Decimal(hour * 60 + minute)
    return Found(i, j, "time", value, value, date=f"{hour:02}:{minute:02}", raw=Decimal(hour))


def clock(t: Tokens, i: int, told: bool = False) -> Found | None:
    """Read a time of day that begins with digits: "14:30", "8 a.m.", "14h30"; after "ora" also "8" and "8.30"."""
    words = t.words
    word, j, minute = words[i], i + 1, 0
    shown = False
    if told and re.fullmatch(r"[0-9]{1,2}[.,][0-9]{2}", word):
        word, minute = word[:-3], int(word[-2:])
        shown = True
    if not word.isdecimal() or len(word) > 2:
        return None
    if words[j] == ":" and t.glued(i) and t.glued(j) and len(words[j + 1]) == 2 and words[j + 1].isdecimal():
        minute, j, shown = int(words[j + 1]), j + 2, True
        if words[j] == ":" and t.glued(j - 1) and len(words[j + 1]) == 2 and words[j + 1].isdecimal():
            j += 2
    elif t.glued(i) and re.fullmatch(r"h[0-9]{2}", words[j]):
        minute, j, shown = int(words[j][1:]), j + 1, True
    hour = int(word)
    half = _half_day(t, j)
    if half and 1 <= hour <= 12:
        return at_time(i, half[1], hour % 12 + half[0], minute)
    if words[j] == "o" and words[j + 2] == "clock":
        return at_time(i, j + 3, hour, minute)
    return at_time(i, j, hour, minute) if shown or told else None


def hour(t: Tokens, i: int) -> Found | None:
    """Read "ora 8", "orele 16:30", "ora opt"."""
    if is_digits(t.words[i + 1]):
        found = clock(t, i + 1, told=True)
    else:
        number = whole(t.words, i + 1) if t.words[i + 1] in SMALL or t.words[i + 1] in ("douazeci",) else None
        found = at_time(i, number[1], number[0], 0) if number else None
    if found:
        found.i = i
    return found
