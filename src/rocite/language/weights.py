"""How much a word tells, and how far two words are the same: for comparing a question with sentences.

The weight comes from a shipped list of how frequent words are in general Romanian and English, never from the
texts at hand, so that adding a text changes no weight. Words arrive folded (lower case, no diacritics), and the
language of a text need not be known: a word is as frequent as in the language where it is more frequent.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

LISTS = Path(__file__).parent / "lists"
LANGUAGES = ("ro", "en")
UNLISTED = 60  # the class of a word in neither list; the lists end at 51
NUMBER = 55  # the class of a word with a digit
FUNCTION = 22  # the class from which on words count; articles, prepositions and auxiliaries are below
LEAST = 1  # what the words below count, so that they still break ties

MIN_SHARED = 3  # letters that two words must share at the start
MIN_SHARE = 0.2  # of the longer word, from which on the credit grows


@cache
def _classes() -> dict[str, int]:
    found: dict[str, int] = {}
    for language in LANGUAGES:
        fields = (LISTS / f"frequency_{language}.tsv").read_text(encoding="utf-8").split()
        for word, value in zip(fields[::2], map(int, fields[1::2]), strict=True):
            if found.get(word, UNLISTED) > value:
                found[word] = value
    return found


@lru_cache(maxsize=1 << 14)
def frequency_class(word: str) -> int:
    """Return -10 times the decimal logarithm of the frequency of a folded word, 60 for an unlisted one.

    >>> frequency_class("the"), frequency_class("termen"), frequency_class("extracomunitar")
    (13, 41, 60)
    """
    if any(c.isdigit() for c in word):
        return NUMBER
    return _classes().get(word, UNLISTED)


@lru_cache(maxsize=1 << 14)
def weight(word: str) -> float:
    """Return how much a folded word tells, in [0.1, 3.8]: its class above that of function words, in powers of ten.

    >>> weight("de"), weight("termen"), weight("extracomunitar")
    (0.1, 1.9, 3.8)
    """
    return max(LEAST, frequency_class(word) - FUNCTION) / 10


@lru_cache(maxsize=1 << 14)
def match_key(word: str) -> str:
    """Return a folded word without the vowel that Romanian changes under stress: ``oa`` as ``o``, ``ea`` as ``e``.

    >>> match_key("scoala"), match_key("scolii")
    ('scola', 'scolii')
    """
    return word.replace("oa", "o").replace("ea", "e")


@lru_cache(maxsize=1 << 14)
def credit(a: str, b: str) -> float:
    """Return how far two match keys are the same word, in [0, 1].

    1 for equal keys; else ``(s - 0.2) / 0.8``, at least 0, where s is the length of the common start over the length of
    the longer key. 0 where the common start is shorter than three letters, or one of the keys has a digit.

    >>> credit("termen", "termenul"), round(credit("colet", "colete"), 2), credit("2021", "2022")
    (0.6875, 0.79, 0.0)
    """
    if a == b:
        return 1.0
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        if x.isdigit():
            return 0.0
        shared += 1
    if shared < MIN_SHARED or any(c.isdigit() for c in a[shared:] + b[shared:]):
        return 0.0
    return max(0.0, (shared / max(len(a), len(b)) - MIN_SHARE) / (1 - MIN_SHARE))
