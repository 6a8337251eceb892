"""Codes and acronyms: what has digits or capitals and counts nothing ("P-2", "RO12345", "EN 54", "EORI").

Decides which stretches of a text are names rather than numbers. A digit with a unit on it ("5kg"), an ordinal
("3rd", "15-lea") or an article of a law ("12bis") is left to the numbers.
"""

from __future__ import annotations

import re

from rocite.language.units import SYMBOLS, UNITS
from rocite.text import fold, normalise

_DIGIT = re.compile(r"[0-9][^ \n]*")
_EDGES = "()[]{}.,;:!?\"'„”“’‘«»…–—"
_LETTER_FIRST = re.compile(r"(?:[^\W\d_]+-?|[A-Z]+/|[^\W\d_]+-[A-Z]+-?)[0-9]")
_DIGIT_FIRST = re.compile(r"[0-9][0-9.,]*(?:[-–][0-9][0-9.,]*)?([^\W\d_]+)([^\W_]?)")
_DIGIT_HYPHEN = re.compile(r"[0-9]+[-/][A-Z]")
_TAILS = frozenset("st nd rd th am pm bis ter quater a lea x ½ ¼ ¾".split())
_WEB = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s<>()]+|(?<![\w@])(?:www\.)?[\w-]+(?:\.[\w-]+)*\.(?:ro|eu|com|org|net|gov|md|uk)\b(?:/\S*)?"
)
_WEB_HINT = re.compile(r"@|://|\.(?:ro|eu|com|org|net|gov|md|uk)\b")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3}\b)?")
_PHONE = re.compile(r"(?:\+[0-9]{1,3}|\(?0[0-9]{2,3}\)?)(?:[ .-]?[0-9]{2,4}){2,4}(?![0-9])")
_VERSION = re.compile(r"(?<![\w.,/-])[0-9]+(?:\.[0-9]+){2,}(?![\w,/-])")
_DATE_OR_THOUSANDS = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}|[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_ACRONYM = re.compile(r"(?<![\w@./])[A-ZĂÂÎȘȚ]{2,8}(?![\w@])(?: (?=[0-9])[0-9][0-9:./-]*(?<=[0-9])(?![\w%€]|[.,][0-9]))?")
_SHOUT = re.compile(r"(?:[A-ZĂÂÎȘȚ]{2,}[^\w\n]+){3,}[A-ZĂÂÎȘȚ]+\b")
_ROMAN = re.compile(r"[IVXLC]+")
# Capitals that are words, units or references, and so neither acronyms nor the first half of a code.
PLAIN_CAPITALS = frozenset(
    """in la de si sau pe cu din ora art alin lit pct nr no max min sub the for at to of and or from by up cel mult lei ron eur usd
    gbp chf nu da se un este euro kw kwh mw hz oug hg og om""".split()
)

STANDARDS = frozenset("en iso sr stas iec np ral".split())  # a number behind one belongs to it


def is_code(chunk: str) -> bool:
    """Whether a stretch without white space and with a digit is a code rather than a number with something on it.

    >>> [is_code(c) for c in ("A4", "P-2", "RO12345", "4x4", "5kg", "30-day", "art.5", "14h30")]
    [True, True, True, True, False, False, False, False]
    """
    if _LETTER_FIRST.match(chunk):
        head = chunk.rstrip("0123456789.,")
        return (
            fold(chunk) not in UNITS
            and fold(head) not in ("eur", "ron", "usd", "gbp", "lei")
            and not (head.endswith("/") and head[:-1] in SYMBOLS)
        )
    tail = _DIGIT_FIRST.match(chunk)
    if tail:
        letters, after = fold(tail[1]), tail[2]
        if after:
            return not (letters == "h" or letters + after in UNITS)
        return not (letters in UNITS or letters in _TAILS or tail[1] in SYMBOLS or letters in ("v", "w"))
    return bool(_DIGIT_HYPHEN.match(chunk))


def codes(text: str) -> list[tuple[int, int]]:
    """Return where the codes, telephone numbers and accounts of a normalised text stand."""
    found: list[tuple[int, int]] = []
    last = 0
    for match in _DIGIT.finditer(text):
        if match.start() < last:
            continue
        start = max(text.rfind(" ", 0, match.start()), text.rfind("\n", 0, match.start())) + 1
        while start < match.start() and text[start] in _EDGES:
            start += 1
        chunk = text[start : match.end()].rstrip(_EDGES)
        end = start + len(chunk)
        phone = _PHONE.match(text, start) if chunk[:1] in "0+" else None
        if phone:
            end = max(end, phone.end())
            found.append((start, end))
        elif not (chunk.isascii() and chunk.replace(".", "").replace(",", "").isdigit()):
            account = _IBAN.match(text, start)
            if account:
                end = max(end, account.end())
            if account or is_code(chunk):
                found.append((start, end))
        last = end
    if _WEB_HINT.search(text):
        found = sorted(found + [m.span() for m in _WEB.finditer(text)])
    return found


def mask(text: str) -> str:
    """Return a normalised text with every code overwritten by as many letters x."""
    if not _DIGIT.search(text):
        return text  # only numbers are ever looked for in what is masked
    parts, last = [], 0
    for start, end in codes(text):
        if end > last:
            start = max(start, last)
            parts += text[last:start], "x" * (end - start)
            last = end
    return "".join(parts) + text[last:] if parts else text


def identifiers(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every code and acronym, in order; offsets refer to the normalised text.

    Codes with letters and digits, acronyms of two to eight capitals with the number that belongs to them, version
    and telephone numbers, accounts, e-mail and web addresses. Capitals within a heading are no acronyms.

    >>> [name for *_, name in identifiers("Numărul EORI (RO12345) și ghidul EN 54, pe hârtie A4, cu TVA 19%.")]
    ['EORI', 'RO12345', 'EN 54', 'A4', 'TVA']
    """
    text = normalise(text)
    spans = codes(text)
    spans += [m.span() for m in _VERSION.finditer(text) if not _DATE_OR_THOUSANDS.fullmatch(m[0])]
    shouts = [m.span() for m in _SHOUT.finditer(text)]
    for match in _ACRONYM.finditer(text):
        start, end = match.span()
        word = match[0].split(" ")[0]
        if _ROMAN.fullmatch(word) or fold(word) in PLAIN_CAPITALS or any(a <= start < b for a, b in shouts):
            continue
        if len(word) < end - start and _counts(text, end):
            end = start + len(word)
        spans.append((start, end))
    found: list[tuple[int, int, str]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end, text[start:end]))
    return found


def _counts(text: str, end: int) -> bool:
    """Whether a unit, "de" or "la sută" follows the number that ends at `end`."""
    following = text[end : end + 30].split()[:2]
    if not following:
        return False
    word = fold(following[0].rstrip(_EDGES))
    return text[end : end + 1] == " " and (word in UNITS or word in ("de", "la", "mii", "mil") or following[0] in SYMBOLS)
