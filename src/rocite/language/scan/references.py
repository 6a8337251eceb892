"""References: what names a place in a law or document, and numbers that only count off a list.

Decides which numbers point to something and so count nothing.
"""

from __future__ import annotations

import re
from decimal import Decimal

from rocite.language.scan.dates import is_year
from rocite.language.scan.tokens import PAD, Found, Tokens, is_digits
from rocite.language.units import UNITS


def _kinds(text: str) -> dict[str, str]:
    return {word: kind for kind, *words in map(str.split, text.strip().splitlines()) for word in words}


REFERENCES = _kinds("""
    article art articol articolul articolului articole articolele article articles
    paragraph alin alineatul alineatului alineat alineatele paragraful paragrafului par paragraph paragraphs para
    letter lit litera literei letter
    point pct punctul punctului point points item
    number nr no numarul number
    law legea legii lege law oug og hg ordonanta ordonantei hotararea hotararii ordinul ordinului decizia deciziei decision
    law regulamentul regulamentului reg regulation directiva directivei directive
    annex anexa anexei anexele annex appendix
    section sectiunea sectiunii section sections sect
    chapter capitolul capitolului cap chapter
    title titlul titlului title
    page pagina paginii pag page p
    table tabelul tabelului table
    figure figura figurii fig figure
    step etapa pasul step stage
    form formularul formularului form
    version versiunea versiunii version
""")
_DOTTED = frozenset(("no", "par", "p", "reg", "cap", "sect", "fig", "pag"))
_LETTERED = frozenset(("letter", "annex", "point", "section"))
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def _roman(text: str) -> str:
    """The value of a roman numeral, in digits; empty if `text` is none."""
    if not text or any(c not in _ROMAN for c in text):
        return ""
    values = [_ROMAN[c] for c in text]
    return str(sum(-v if v < max(values[k:]) else v for k, v in enumerate(values)))


def reference(t: Tokens, i: int) -> Found | None:
    """Read "art. 7", "alin. (2)", "lit. b)", "nr. 7/2009", "Legea nr. 227/2015", "anexa 2", "capitolul III", "page 4"."""
    words = t.words
    kind, j = REFERENCES[words[i]], i + 1
    dotted = words[j] == "." and t.glued(i)
    j += dotted
    if words[j] == "(" and words[j + 1] in ("ue", "eu", "ce", "ec", "cee") and words[j + 2] == ")":
        j += 3
        dotted = True
    if words[j] in ("nr", "no") and words[i] not in ("nr", "no"):
        j += 1
        j += words[j] == "."
        dotted = True
    if words[i] in _DOTTED and not dotted and not (words[i] == "cap" and _roman(t.exact(j))):
        return None
    bracket = words[j] == "("
    j += bracket
    ref, end = _reference_value(t, j, kind, bracket)
    if not ref:
        return None
    end += bool(words[end] == ")" and (bracket or kind in _LETTERED))
    number = re.match(r"[0-9]+", ref)
    value = Decimal(number[0]) if number else None
    return Found(i, end, "reference", value, value, kind, ref=ref)


def _reference_value(t: Tokens, j: int, kind: str, bracket: bool) -> tuple[str, int]:
    """Return the number, roman numeral or letter at `j` as digits or a small letter, and the index behind it."""
    words = t.words
    word = words[j]
    if is_digits(word):
        if len(word) > 16:
            return "", j
        ref, j = word.replace(" ", ""), j + 1
        while t.glued(j - 1) and words[j] in ("/", "-", "^", "–") and t.glued(j) and words[j + 1].isalnum():
            ref, j = ref + words[j].replace("–", "-") + words[j + 1], j + 2
        if t.glued(j - 1) and words[j].isalpha() and len(words[j]) <= 6:
            ref, j = ref + words[j], j + 1
        if kind in ("law", "number") and words[j] in ("din", "of") and is_year(words[j + 1]) and "/" not in ref:
            ref, j = f"{ref}/{words[j + 1]}", j + 2
        return ref, j
    exact = t.exact(j)
    roman = _roman(exact)
    if roman and (kind != "letter" or len(exact) > 1):
        return roman, j + 1
    closed = words[j + 1] == ")"
    if len(word) == 1 and word.isalpha() and kind in _LETTERED and (closed or bracket or kind == "letter" or exact.isupper()):
        return word, j + 1
    return "", j


def numbered(t: Tokens, i: int) -> Found | None:
    """Read a bare "7/2009" as the reference that it is."""
    number, stroke, year, after = t.words[i : i + 4]
    if stroke != "/" or not is_year(year) or not number.isdecimal() or len(number) > 5 or not t.glued(i):
        return None
    if t.glued(i + 2) and after in ("/", "-"):
        return None
    return Found(i, i + 3, "reference", Decimal(number), Decimal(number), "number", ref=f"{number}/{year}")


def enumerator(t: Tokens, i: int) -> bool:
    """Whether the number at `i` only counts off an item of a list ("1.", "2)", "(3)") or a citation ("[4]")."""
    words = t.words
    before, after = words[i - 1], words[i + 1]
    if before == "[" or (before == "," and after == "]"):
        return True
    line_start = not before or (before in "-–—•*·▪" and not words[i - 2] and not t.glued(i - 1))
    if before == "(" and after == ")" and not words[i - 2]:
        return True
    if len(words[i]) > 6 or (after not in (".", ")") or not t.glued(i)):
        return line_start and "." in words[i] and bool(after) and t.exact(i + 1)[:1].isupper() and after not in UNITS
    if after == ")" and not line_start:
        start = t.starts[i]
        return t.text.rfind("(", 0, start) <= t.text.rfind(")", 0, start) and len(words[i]) <= 2
    return line_start and i + 2 < t.n + PAD and not t.glued(i + 1)
