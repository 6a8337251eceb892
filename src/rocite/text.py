"""The one door through which text enters: normalise, fold, split into sentences and content words.

Decides what counts as the same word: Unicode form, comma-below against cedilla, invisible characters and
white space never make a difference; letters, digits and punctuation do. Diacritics are dropped only by `fold`.
Refuses nothing: any string is text. Offsets always refer to the normalised form.

The sentence splitter is rocite's own, because general ones end a sentence after "art.", "alin." or "nr.".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rocite.stopwords import STOPWORDS

MIN_WORD_LETTERS = 4  # the article's: shorter words carry no content

_CEDILLA = str.maketrans("şŞţŢ", "șȘțȚ")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"})
_LIGATURE = re.compile("[ﬀ-ﬄ]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_COMBINING = re.compile("[\u0300-\u036f]")  # the marks of Latin letters; the others are rare and looked up one by one
_SPACES = re.compile(r"[^\S\n ][^\S\n]*| [^\S\n]+")  # one plain space is no match
_NEWLINES = re.compile("\r\n?|[\u0085\u2028\u2029\u000b\u000c]")
_LETTER_RUN = re.compile(r"[^\W\d_]+")
_DIGIT_RUN = re.compile(r"\d+")


def normalise(text: str) -> str:
    """Return `text` in the one form that everything else works on.

    NFC, cedilla letters as comma-below, ligatures spelt out, invisible characters (soft hyphens, zero-width
    spaces, direction marks) removed, every newline as ``\\n``, every other run of white space as one space.

    >>> normalise("instituţii") == normalise("institut\\u0326ii") == "instituții"
    True
    """
    if not text.isascii():  # the steps are skipped where they would change nothing: most text comes here many times
        text = _INVISIBLE.sub("", text)  # first: either may stand between a letter and its mark
        if _LIGATURE.search(text):
            text = text.translate(_LIGATURES)
        text = unicodedata.normalize("NFC", text)
        if any(letter in text for letter in "şŞţŢ"):
            text = text.translate(_CEDILLA)
    return _SPACES.sub(" ", _NEWLINES.sub("\n", text))


def fold(text: str) -> str:
    """Return normalised `text` in lower case without diacritics, for comparing words.

    >>> fold("Înștiințare"), fold("INSTITUȚII"), fold("שָׁלוֹם") == "שלום"
    ('instiintare', 'institutii', True)
    """
    text = normalise(text).lower()
    if text.isascii():
        return text
    text = _COMBINING.sub("", unicodedata.normalize("NFD", text))
    return text if text.isascii() else "".join(c for c in text if not unicodedata.combining(c))


def content_words(text: str) -> list[str]:
    """Return the folded words of at least four letters that are not stop words, in order, repeats kept.

    A hyphen parts words; a run that touches a digit ("18bis") keeps its letters only.

    >>> content_words("Numărul EORI se atribuie gratuit, în cel mult 30 de zile.")
    ['numarul', 'eori', 'atribuie', 'gratuit', 'zile']
    """
    return [w for w in _LETTER_RUN.findall(fold(text)) if len(w) >= MIN_WORD_LETTERS and w not in STOPWORDS]


def prefix(word: str, length: int) -> str:
    """Return the first `length` letters of `word`; a length of 0 keeps the whole word.

    >>> prefix("extracomunitară", 6), prefix("colet", 6), prefix("colet", 0)
    ('extrac', 'colet', 'colet')
    """
    return word[:length] if length else word


def digit_runs(text: str) -> list[str]:
    """Return every run of digits in `text`, in order: a number exactly as the article's numbers gate sees it.

    >>> digit_runs("între 5 și 30 de zile, 1.500 lei")
    ['5', '30', '1', '500']
    """
    return _DIGIT_RUN.findall(normalise(text))


# --- sentences -------------------------------------------------------------------------------------------

# A reference or unit abbreviation: no sentence ends after it when a number, bracket, roman numeral or
# lower-case letter follows. "conform art. 5. Termenul ..." still ends after the 5.
_REFERENCE_ABBREVIATIONS = frozenset(
    """
    art alin lit nr pct cap tit pag par sect sec vol anexa poz cod ex etc cca aprox min max tel str bl sc ap et jud com
    mun loc ian feb mart apr mai iun iul aug sept oct noi nov dec o.u.g h.g o.g l.g o.m ord dec reg dir
    no sec fig ch para e.g i.e vs approx jan mar jun jul sep lei mil mld
    """.split()
)
# A title: the name behind it belongs to it, capital or not.
_TITLE_ABBREVIATIONS = frozenset("dl dna dra d-na d-ra d-l dr prof ing av jr sf s.c mr mrs ms st".split())
_ROMAN = re.compile(r"[IVXLCDM]+\b")
_LETTERED = re.compile(r"[A-ZĂÂÎȘȚ]\)")  # "LIT. B)"
_CLOSERS = "\"'”’“‘»)]}*_`"  # behind a full stop; "*", "_" and "`" are Markdown
_ENUMERATOR = re.compile(r"(?:\d{1,3}|[A-Za-zĂÂÎȘȚăâîșț]|[ivxIVX]{1,4})[.)](?=\s)|[-–—•*·▪]+(?=\s)")


_LINE_START = re.compile(rf" *(?:{_ENUMERATOR.pattern})?")  # the full stop of an enumerator ends no sentence


def _token_before(text: str, i: int) -> str:
    """The run of letters, digits, dots and hyphens that ends just before `i`, in lower case."""
    start = i
    while start and (text[start - 1].isalnum() or text[start - 1] in ".-"):
        start -= 1
    return text[start:i].lower().lstrip(".-")


def _is_stop(text: str, i: int) -> bool:
    """Whether the full stop at `i` ends a sentence of the normalised `text`."""
    rest = text[i + 1 : i + 40].lstrip(_CLOSERS)
    if rest and not rest[0].isspace():  # 3.5, 12.03.2026, site.ro, O.U.G. - but "zile.Termenul" was two sentences
        return text[i - 1 : i].islower() and rest[0].isupper() and rest[1:2].islower()
    following = rest.lstrip(" ")
    if not following or following[0] == "\n":
        return True
    token = _token_before(text, i)
    if token in _TITLE_ABBREVIATIONS and following[0].isalpha():
        return False
    if len(token) == 1 and text[max(0, i - 3) : i - 1].rstrip(" ")[-1:].isdigit():
        return True  # a unit: "nu depășește 80 N. La uși"
    acronym = "." in token or (len(token) == 1 and token.isalpha())
    if token in _REFERENCE_ABBREVIATIONS or acronym:
        if (
            following[0].isdigit()
            or following[0] in "(["
            or following[0].islower()
            or _ROMAN.match(following)
            or _LETTERED.match(following)
        ):
            return False
        if len(token) == 1 and text[i - 1].isupper():  # an initial: "I. L. Caragiale", not "anexa A. Termenul"
            return _token_before(text, len(text[: i - 1].rstrip(" ."))) in _REFERENCE_ABBREVIATIONS
    return True


def _sentence_ends(text: str, ends: str) -> Iterator[int]:
    """Yield the offset just behind each sentence of the normalised `text`."""
    stop = re.compile(rf"[{re.escape(ends)}\n]")
    line = _LINE_START.match(text)
    i = line.end()
    while found := stop.search(text, i):
        at = found.start()
        c = text[at]
        if c == "\n":
            yield at + 1
            i = _LINE_START.match(text, at + 1).end()
            continue
        i = at + 1
        if _is_stop(text, at) if c == "." else not (c == ":" and text[i : i + 1].isdigit()):
            while text[i : i + 1] and text[i] in ".!?" + _CLOSERS:
                i += 1
            yield i
    yield len(text)


def sentence_spans(text: str, ends: str = ".!?") -> list[tuple[int, int]]:
    """Return where each sentence of the normalised `text` stands; together the spans are the whole text.

    >>> sentence_spans("Una. Două.")
    [(0, 4), (4, 10)]
    """
    stops = list(_sentence_ends(text, ends))
    return [(a, b) for a, b in zip([0, *stops], stops, strict=False) if b > a]


def sentences(text: str, ends: str = ".!?") -> list[str]:
    """Split `text` into sentences, stripped of white space and of leading bullets; none is empty.

    `ends` are the characters that may end one, beside the newline. The article's grounding gate also ends
    sentences at ``;`` and ``:``.

    >>> sentences("Conform art. 5 alin. (2) lit. b) din Legea nr. 7/2009, termenul este de 30 de zile. Se aplică.")
    ['Conform art. 5 alin. (2) lit. b) din Legea nr. 7/2009, termenul este de 30 de zile.', 'Se aplică.']
    """
    text = normalise(text)
    found = []
    for start, end in sentence_spans(text, ends):
        piece = text[start:end].strip()
        bullet = _ENUMERATOR.match(piece)
        piece = piece[bullet.end() :].strip() if bullet else piece
        if any(c.isalnum() for c in piece):
            found.append(piece)
    return found
