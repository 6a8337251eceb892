"""Numbers as they are written: digits with their separators, and Romanian and English number words.

Decides what one number is and what it is worth. It knows nothing of units, bounds or dates. Words arrive folded
and lower-case, as a list that ends in empty strings, so that looking a few places ahead never leaves it.
"""

from __future__ import annotations

import re
from decimal import Decimal

MAX_DIGITS = 24  # longer runs are codes, and Decimal stays exact below its 28 digits


def _table(text: str) -> dict[str, int]:
    return {word: int(value) for value, *words in map(str.split, text.strip().splitlines()) for word in words}


SMALL = _table("""
    1 unu una un one
    2 doi doua two
    3 trei three
    4 patru four
    5 cinci five
    6 sase six
    7 sapte seven
    8 opt eight
    9 noua nine
    10 zece ten
    11 unsprezece unspe eleven
    12 doisprezece douasprezece doispe douaspe twelve
    13 treisprezece treispe thirteen
    14 paisprezece patrusprezece paispe fourteen
    15 cincisprezece cinsprezece cinspe cincispe fifteen
    16 saisprezece sasesprezece saispe sixteen
    17 saptesprezece saptespe saptispe seventeen
    18 optsprezece optspe optispe eighteen
    19 nouasprezece nouaspe nineteen
""")
TENS = _table("""
    20 douazeci twenty
    30 treizeci thirty
    40 patruzeci forty
    50 cincizeci fifty
    60 saizeci sixty
    70 saptezeci seventy
    80 optzeci eighty
    90 nouazeci ninety
""")
HUNDREDS = frozenset(("suta", "sute", "hundred"))
DOZENS = frozenset(("dozen",))
SCALES = _table("""
    1000 mie mii thousand
    1000000 milion milioane million mil mln mio
    1000000000 miliard miliarde billion mld bln bn
""")
ABBREVIATED = frozenset(("mil", "mld"))
FRACTIONS = _table("""
    2 jumatate jumatati half halves
    3 treime treimi third thirds
    4 sfert sferturi patrime patrimi quarter quarters
    5 cincime cincimi fifth fifths
    8 optime optimi eighth eighths
    10 zecime zecimi tenth tenths
""")
ARTICLES = frozenset(("un", "o", "unui", "unei", "a", "an"))
ORDINALS = _table("""
    1 primul prima primului primei first intai intaia
    2 doilea second
    3 treilea treia third
    4 patrulea patra fourth
    5 cincilea cincea fifth
    6 saselea sasea sixth
    7 saptelea saptea seventh
    8 optulea opta eighth
    9 noualea ninth
    10 zecelea zecea tenth
    11 unsprezecelea unsprezecea eleventh
    12 doisprezecelea douasprezecea twelfth
""")
AFTER_A = frozenset("treia patra cincea sasea saptea opta zecea unsprezecea douasprezecea".split())  # "a treia", never alone

_GROUPED = re.compile(r"[1-9]\d{0,2}(?:([., ])\d{3})(?:\1\d{3})*")
_HALVES = {
    ("si", "jumatate"): "0.5",
    ("si", "o", "jumatate"): "0.5",
    ("si", "un", "sfert"): "0.25",
    ("si", "trei", "sferturi"): "0.75",
    ("and", "a", "half"): "0.5",
    ("and", "one", "half"): "0.5",
    ("and", "a", "quarter"): "0.25",
    ("and", "three", "quarters"): "0.75",
}


def digits(written: str, lang: str | None = None) -> tuple[Decimal, bool] | None:
    """Return the value of a number in digits and whether it is ambiguous; None if it is not one number ("1.2.3").

    Point and comma follow `lang` ("ro" or "en"); without it, three digits behind a single mark are ambiguous,
    and taken for thousands.

    >>> digits("1.500,50", "en"), digits("1.500", "ro"), digits("1.500", "en"), digits("1.500"), digits("1.2.3")
    ((Decimal('1500.50'), False), (Decimal('1500'), False), (Decimal('1.500'), False), (Decimal('1500'), True), None)
    """
    if len(written) > MAX_DIGITS:
        return None
    if written.isdecimal():
        return Decimal(written), False
    whole = _GROUPED.fullmatch(written)
    marks = [c for c in written if c in "., "]
    if len(marks) == 1 and marks[0] != " ":
        thousands = {"ro": ".", "en": ","}.get(lang or "")
        if whole and (thousands is None or thousands == marks[0]):
            return Decimal(written.replace(marks[0], "")), thousands is None
        return Decimal(written.replace(",", ".")), False
    if whole:
        return Decimal(written.replace(marks[0], "")), False
    head, tail = written[: written.rfind(marks[-1])], written[written.rfind(marks[-1]) + 1 :]
    if marks[-1] == " " or marks[-1] in head or not _GROUPED.fullmatch(head):
        return None
    return Decimal(f"{head.replace(marks[0], '')}.{tail}"), False


def whole(words: list[str], i: int) -> tuple[int, int] | None:
    """Return the whole number whose words begin at `i`, and the index behind it; None if none begins there.

    An article counts only before "sută", "mie", "milion", "hundred" and their kin.

    >>> whole("douazeci si doua de mii de cititori".split() + [""] * 4, 0)
    (22000, 5)
    """
    total = group = 0
    limit = 10**12
    j = i
    if words[i] in ARTICLES:
        following = words[i + 1]
        if following in ABBREVIATED or not (following in HUNDREDS or following in SCALES or following in DOZENS):
            return None
        group, j = 1, i + 1
    while True:
        word = words[j]
        if word in SMALL and _fits(group, SMALL[word]):
            group += SMALL[word]
        elif word in TENS and group % 100 == 0:
            group += TENS[word]
        elif word in HUNDREDS and 0 < group < 10:
            group *= 100
        elif word in DOZENS and 0 < group < 100:
            return total + group * 12, j + 1
        elif word in SCALES and group and SCALES[word] < limit:
            limit = SCALES[word]
            total, group = total + group * limit, 0
        elif not (j > i and _connects(words, j, group)):
            break
        j += 1
    return (total + group, j) if j > i and (total or group) else None


def _fits(group: int, value: int) -> bool:
    """Whether a number below twenty may follow what the group holds: 0, a round hundred, or a round ten."""
    return group % 100 == 0 or (group % 10 == 0 and group % 100 >= 20 and value < 10)


def _connects(words: list[str], j: int, group: int) -> bool:
    """Whether the word at `j` joins two parts of one number: "douăzeci și doi", "twenty-two", "o mie de milioane"."""
    word, before, after, later = words[j], words[j - 1], words[j + 1], words[j + 2]
    if word == "de":
        return group >= 20 and after in SCALES
    if word in ("si", "-"):
        if before not in TENS or SMALL.get(after, 10) >= 10:
            return False
    elif word == "and":
        if not (before in HUNDREDS or before in SCALES) or not (after in SMALL or after in TENS):
            return False
    else:
        return False
    return word == "-" or later not in HUNDREDS  # "between twenty and two hundred"


def fraction(words: list[str], i: int) -> tuple[Decimal, int] | None:
    """Return the fraction whose words begin at `i`, and the index behind it; None if none begins there.

    >>> fraction(["doua", "treimi", ""], 0), fraction(["half", ""], 0)
    ((Decimal('0.6666666666666666666666666667'), 2), (Decimal('0.5'), 1))
    """
    word = words[i]
    if word in ("jumatate", "half"):
        return Decimal("0.5"), i + 1
    part = FRACTIONS.get(words[i + 1])
    if part is None or (word not in ARTICLES and word not in SMALL):
        return None
    if word == "a" and words[i + 1] not in ("half", "quarter") and words[i + 2] != "of":
        return None  # "a third party"
    value = SMALL.get(word, 1)
    return (Decimal(value) / part, i + 2) if value < part else None


def half_more(words: list[str], j: int) -> tuple[Decimal, int]:
    """Return what "și jumătate" or "and a half" at `j` adds, and the index behind it; 0 and `j` otherwise."""
    if words[j] in ("si", "and"):
        for length in (3, 2):
            added = _HALVES.get(tuple(words[j : j + length]))
            if added:
                return Decimal(added), j + length
    return Decimal(0), j
