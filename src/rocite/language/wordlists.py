"""The shipped word lists: nouns that name who or what, synonyms, and opposites, in Romanian and English.

Written for the project (``rocite/language/lists``). Words are looked up by their stem (`rocite.language.statements.stem`), so that an
inflected form finds its entry; expressions of several words are joined with ``_``. Loaded once, when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from rocite.language.statements import is_content, stem
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


_PARTIES = ("# persons", "# organisations")  # the sections of the list whose nouns act


@cache
def _nouns() -> dict[str, dict[str, bool]]:
    """The stems of the listed nouns by language, and whether each is a party: a Romanian noun without its last vowel, an English one whole."""
    found: dict[str, dict[str, bool]] = {language: {} for language in LANGUAGES}
    for language in LANGUAGES:
        party = False
        for line in fold((LISTS / f"nouns_{language}.txt").read_text(encoding="utf-8")).splitlines():
            noun = line.strip()
            if not noun or noun.startswith("#"):
                party = noun.startswith(_PARTIES) if noun else party
                continue
            found[language].setdefault(noun, party)
            if language == "ro" and len(noun) > SHORTEST and noun[-1] in "aeiu":
                found[language].setdefault(noun[:-1], party)
            if language == "ro" and noun.endswith("ian"):
                found[language].setdefault(noun[:-3] + "ien", party)  # electrician, electricieni
            if language == "en" and noun.endswith("y"):
                found[language].setdefault(noun[:-1] + "i", party)
    return found


@lru_cache(maxsize=8192)
def _noun(word: str) -> bool | None:
    """Whether a folded word is a party; None where it is no listed noun."""
    if not is_content(word) or word in _HOMOGRAPHS:
        return None
    lists = _nouns()
    found = [
        lists[language][word[:n]]
        for language in LANGUAGES
        for n in range(3, len(word) + 1)
        if word[n:] in _NOUN_ENDINGS[language] and word[:n] in lists[language]
    ]
    return any(found) if found else None


def is_noun(word: str) -> bool:
    """Whether a folded word is a form of a listed noun.

    >>> is_noun("chiriasului"), is_noun("companies"), is_noun("returneaza")
    (True, True, False)
    """
    return _noun(word) is not None


def is_party(word: str) -> bool:
    """Whether a folded word is a form of a listed noun for a person or a body.

    >>> is_party("chiriasului"), is_party("coletul")
    (True, False)
    """
    return bool(_noun(word))


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _lines("synonyms"):
        group = {entry(word) for word in line.split()}
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=8192)
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


@lru_cache(maxsize=8192)
def poles(word: str) -> frozenset[tuple[int, int]]:
    """Return the poles that a folded word or expression names: (number of the pair, +1 or -1).

    >>> {n for n, _ in poles("creste")} & {n for n, _ in poles("scade")} != set()
    True
    """
    return _opposites().get(entry(word), frozenset())


@cache
def _openers() -> frozenset[str]:
    return frozenset(expression.split("_")[0] for expression in _opposites() if "_" in expression)


def opens_opposite(word: str) -> bool:
    """Whether an expression of several words in the list of opposites begins with this folded word."""
    return word in _openers()
