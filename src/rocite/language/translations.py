"""Words of a question in the other language: which Romanian words an English one may stand for, and the reverse.

The list (``lists/translations.tsv``) was written for the project from general knowledge of the two languages, word by word;
it is no translation of a sentence, and a word may stand for any of its entries.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from rocite.language.statements import is_content, key
from rocite.language.weights import weight
from rocite.language.wordlists import LISTS


@cache
def _entries() -> dict[str, dict[str, frozenset[str]]]:
    """By language of the question: the key of a word to the keys of the words that it may stand for."""
    found: dict[str, dict[str, set[str]]] = {"en": {}, "ro": {}}
    for line in (LISTS / "translations.tsv").read_text(encoding="utf-8").splitlines():
        english, romanian = line.split("\t")
        for word in romanian.split():
            found["en"].setdefault(key(english), set()).add(key(word))
            found["ro"].setdefault(key(word), set()).add(key(english))
    return {lang: {k: frozenset(v) for k, v in own.items()} for lang, own in found.items()}


def translated(word: str, lang: str) -> frozenset[str]:
    """Return the keys of the words of the other language that a folded word in `lang` may stand for, its own key among them.

    >>> sorted(translated("pump", "en")), sorted(translated("zxq", "en"))
    (['pomp', 'pump'], ['zxq'])
    """
    return _entries()[lang].get(key(word), frozenset()) | {key(word)}


def shared(words: Sequence[str], lang: str, statements: Sequence[Collection[str]]) -> list[float]:
    """Return, for each statement as a set of keys, the weighted share of the content words of a question in `lang` that it has in translation.

    >>> shared(["how", "is", "the", "pump"], "en", [{"pomp"}, {"vana"}])
    [1.0, 0.0]
    """
    asked = [(weight(w), translated(w, lang)) for w in dict.fromkeys(words) if is_content(w)]
    total = sum(w for w, _ in asked)
    if not total:
        return [0.0] * len(statements)
    return [sum(w for w, keys in asked if not keys.isdisjoint(s)) / total for s in statements]
