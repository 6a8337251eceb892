"""Numbers for the rules: where they stand in a text, what is put in their place, and how they read in words.

Decides which digits count (no date, reference or code) and when Romanian puts "de" between a number and its noun.
Independent of how the checks read numbers (`rocite.language.scan`), so that one mistake cannot hide in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MONTHS = {
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie".split(),
    "en": "January February March April May June July August September October November December".split(),
}
_NUMBER = (
    r"(?<![\w.,:/(-])(?<!art\. )(?<!nr\. )(?<!rticle )(?<!ediția )(?<!dition )"
    r"(?:\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,]\d+)?(?![\w:/]|[.,-]\d|-\w)"
)
UNITS = r"(?:lei|zile|ore|luni|ani|minute|secunde|kilograme|metri|litri|persoane|săptămâni|euro|copii|bani|colete|locuri)\b"
MASCULINE = re.compile(r" (?:de )?(?:lei|ani|bani|litri|\w*metri|bari|euro|membri|copii|pași|elevi|străini|electromecanici)\b")
SYMBOLS = {
    "kg": "kilograme", "g": "grame", "mm": "milimetri", "cm": "centimetri", "m": "metri", "km": "kilometri", "bar": "bari",
    "%": "la sută", "°C": "grade Celsius", "l": "litri",
}  # fmt: skip
_RO = """zero unu doi trei patru cinci șase șapte opt nouă zece unsprezece doisprezece treisprezece paisprezece cincisprezece
    șaisprezece șaptesprezece optsprezece nouăsprezece""".split()
_RO_TENS = ". . douăzeci treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci".split()
_EN = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen""".split()
_EN_TENS = ". . twenty thirty forty fifty sixty seventy eighty ninety".split()


def takes_de(token: str) -> bool:
    """Return whether a Romanian noun stands behind this number with "de".

    >>> takes_de("19"), takes_de("20"), takes_de("101"), takes_de("1.500"), takes_de("2,5")
    (False, True, False, True, False)
    """
    whole = token.replace(".", "")
    return whole.isdigit() and int(whole) >= 20 and not 1 <= int(whole) % 100 <= 19


def in_words(n: int, lang: str, feminine: bool = False) -> str:
    """Return a number below a million in words; Romanian knows two genders.

    >>> in_words(22, "ro"), in_words(22, "ro", feminine=True), in_words(1500, "ro"), in_words(121, "en")
    ('douăzeci și doi', 'douăzeci și două', 'o mie cinci sute', 'one hundred and twenty-one')
    """
    ro = lang == "ro"
    if n < 20:
        return {1: "una", 2: "două", 12: "douăsprezece"}.get(n, _RO[n]) if ro and feminine else (_RO if ro else _EN)[n]
    if n < 100:
        rest = in_words(n % 10, lang, feminine)
        return (_RO_TENS if ro else _EN_TENS)[n // 10] + ("" if n % 10 == 0 else f"{' și ' if ro else '-'}{rest}")
    size, one, many = (1000, "o mie", "mii") if n >= 1000 else (100, "o sută", "sute")
    if ro:
        head = one if n < 2 * size else f"{in_words(n // size, lang, True)} {'de ' if takes_de(str(n // size)) else ''}{many}"
    else:
        head = f"{in_words(n // size, lang)} {'thousand' if size == 1000 else 'hundred'}"
    joint = " " if ro or (size == 1000 and n % 1000 >= 100) else " and "
    return head + (joint + in_words(n % size, lang, feminine) if n % size else "")


WORDS = {lang: {in_words(n, lang, f): (n, f) for f in (True, False) for n in range(99, 1, -1)} for lang in ("ro", "en")}
ANY_WORD = {lang: "|".join(sorted(words, key=len, reverse=True)) for lang, words in WORDS.items()}


def numbers_in(text: str, lang: str) -> Iterator[re.Match]:
    """Yield the numbers of `text` that are no part of a date, a reference or a code."""
    month = "|".join(MONTHS[lang])  # a lone 1 is left out too: the noun behind it stands in the singular
    for m in re.finditer(_NUMBER, text):
        if m[0] != "1" and not re.match(rf" (?:{month})\b", text[m.end() :]) and not re.search(rf"\b(?:{month}) $", text[: m.start()]):
            yield m


def unit_behind(text: str, m: re.Match) -> str:
    """Return the word or symbol behind the number `m`, "" where there is none."""
    found = re.match(r"\s?(?:de )?([^\s\d.,;]+)", text[m.end() :])
    return found[1] if found else ""


def put(text: str, m: re.Match, new: str) -> str:
    """Return `text` with `new` in the place of the number `m`, and with "de" behind it where Romanian now asks for it."""
    tail = text[m.end() :]
    if noun := re.match(rf" (de )?(?={UNITS})", tail):
        de = takes_de(new) and (noun[1] or not takes_de(m[0]))
        tail = (" de " if de else " ") + tail[noun.end() :]
    return text[: m.start()] + new + tail


def scaled(token: str, lang: str, turn: int) -> str:
    """Return `token` doubled, plus one or ten times, written as it was; `turn` chooses."""
    thousand, point = (".", ",") if lang == "ro" else (",", ".")
    digits = token.replace(thousand, "") if re.fullmatch(rf"\d{{1,3}}(?:\{thousand}\d{{3}})+(?:\{point}\d+)?", token) else token
    places = len(digits.partition(point)[2])
    value = float(digits.replace(point, "."))
    value = (value * 2, value + 1, value * 10)[turn % 3]
    return f"{value:,.{places}f}".translate(str.maketrans({",": thousand, ".": point}))
