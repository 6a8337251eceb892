"""The shipped word lists: nouns that name who or what, synonyms, and opposites, in Romanian and English.

Written for the project (``rocite/lists``). Words are looked up by their stem (`rocite.statements.stem`), so that an
inflected form finds its entry; expressions of several words are joined with ``_``. Loaded once, when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from rocite.statements import is_content, stem
from rocite.text import fold

LISTS = Path(__file__).parent / "lists"
LANGUAGES = ("ro", "en")
SHORTEST = 4  # shorter words are compared whole, without endings


def _lines(name: str, *languages: str) -> Iterator[str]:
    for language in languages or LANGUAGES:
        for line in fold((LISTS / f"{name}_{language}.txt").read_text(encoding="utf-8")).splitlines():
            if line.strip() and not line.startswith("#"):
                yield line


def entry(word: str) -> str:
    """Return the form under which a folded word is looked up: its stem, or the word itself where it is short or joined."""
    return word if len(word) < SHORTEST or "_" in word else stem(word)


_NOUN_ENDINGS = {
    "ro": frozenset(
        " a ei ele elor e ul ului i ii ilor ile le lui u uri urile urilor iei ia iile iilor lor ua uei uele uelor ele eaua ului".split(" ")
    ),
    "en": frozenset(("", "s", "es")),
}


_HOMOGRAPHS = frozenset("mari macar tin permis permisa permise permisi serviciu urgent price pret preturi".split())  # more often no noun


@cache
def _nouns() -> dict[str, frozenset[str]]:
    """The stems of the listed nouns by language: a Romanian noun without its last vowel, an English one whole."""
    found: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    for language in LANGUAGES:
        for line in _lines("nouns", language):
            found[language].add(line.strip())
            if language == "ro" and len(line.strip()) > SHORTEST and line.strip()[-1] in "aeiu":
                found[language].add(line.strip()[:-1])
            if language == "en" and line.strip().endswith("y"):
                found[language].add(line.strip()[:-1] + "i")
    return {language: frozenset(stems) for language, stems in found.items()}


@lru_cache(maxsize=8192)
def is_noun(word: str) -> bool:
    """Whether a folded word is a form of a listed noun.

    >>> is_noun("chiriasului"), is_noun("companies"), is_noun("returneaza")
    (True, True, False)
    """
    if not is_content(word) or word in _HOMOGRAPHS:
        return False
    lists = _nouns()
    return any(
        word[:n] in lists[language] for language in LANGUAGES for n in range(3, len(word) + 1) if word[n:] in _NOUN_ENDINGS[language]
    )


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _lines("synonyms"):
        group = {entry(word) for word in line.split()}
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(others) for word, others in found.items()}


def synonyms(word: str) -> frozenset[str]:
    """Return the stems of the synonyms of a folded word or expression; groups are never chained.

    >>> "pachet" in synonyms("coletului")
    True
    """
    return _synonyms().get(entry(word), frozenset())


@cache
def _opposites() -> dict[str, frozenset[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for number, line in enumerate(_lines("antonyms")):
        for sign, side in zip((1, -1), line.split("|"), strict=True):
            for word in side.split():
                found.setdefault(entry(word), set()).add((number, sign))
    return {word: frozenset(poles) for word, poles in found.items()}


def poles(word: str) -> frozenset[tuple[int, int]]:
    """Return the poles that a folded word or expression names: (number of the pair, +1 or -1).

    >>> {n for n, _ in poles("creste")} & {n for n, _ in poles("scade")} != set()
    True
    """
    return _opposites().get(entry(word), frozenset())
