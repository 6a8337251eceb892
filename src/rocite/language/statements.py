"""A text as statements: sentences taken apart once, so that every evidence check looks at the same words.

Decides what a word, a clause and the same word are. A word is a run of letters and digits, folded; two words are the
same when their keys are: the first letters without the commonest endings (a number is its own key).
Content words are those of three letters or more that are neither function nor number words, and figures.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rocite.language.quantities import Quantity, may_hold, quantities
from rocite.language.weights import weight
from rocite.stopwords import STOPWORDS
from rocite.text import fold, sentences

KEY_LETTERS = 5
MIN_LETTERS = 3

_WORD = re.compile(r"\w+")
_CLAUSE_END = re.compile(r"[;:()–—]|,(?!\d)|\s-\s")
_CLAUSE_WORDS = frozenset("iar dar ci insa but whereas while or sau".split())
_SHORT = frozenset(
    """
    zero unu una doi doua trei patru cinci sase sapte opt noua zece unsprezece doisprezece douasprezece treisprezece paisprezece cincisprezece
    saisprezece saptesprezece optsprezece nouasprezece douazeci treizeci patruzeci cincizeci saizeci saptezeci optzeci nouazeci suta sute mie mii
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty
    forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
    ale cei cea cel din dar iar ori sau sub sunt era fie cat cum nici mai tot toti unei unui unor lor lui sai sale sau isi imi iti
    vor vei voi are avea pot fost prin care cand unde deci the and for are was has had not but its our you they his her any all can may
    who how why did does will from with this that these those been into than then
    """.split()
)


_PREFIXED = re.compile(r"(?i:re|ne|pre|sub|co|auto|supra|bine|semi)î")
_ENDINGS = tuple(
    sorted(
        "ilor elor ului urilor urile uri ele ile lor lui ul ea ii ei le iei iile eaza esc este easca ing ies es ed".split(),
        key=len,
        reverse=True,
    )
)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a folded word without a common ending and without vowels at its end; a number stays as it is.

    ``oa`` and ``ea``, which Romanian writes for ``o`` and ``e`` under stress, are undone.

    >>> stem("coletelor"), stem("sumelor"), stem("scoala"), stem("1500")
    ('colet', 'sum', 'scol', '1500')
    """
    if word[0].isdigit() or len(word) <= MIN_LETTERS:
        return word
    found = next((word[: -len(e)] for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= MIN_LETTERS), word)
    bare = found.rstrip("aeiu")
    if len(bare) >= MIN_LETTERS:
        found = bare
    if found.endswith("s") and len(found) > MIN_LETTERS:
        found = found[:-1]
    return found.replace("oa", "o").replace("ea", "e")


@lru_cache(maxsize=8192)
def key(word: str) -> str:
    """Return the key of a folded word, its stem's first five letters: words with the same key count as the same word.

    >>> key("extracomunitara") == key("extracomunitarului"), key("lei")
    (True, 'lei')
    """
    return word if word[0].isdigit() else stem(word)[:KEY_LETTERS]


@lru_cache(maxsize=8192)
def _folded(token: str) -> str:
    """A token folded; an "î" inside a word, the old spelling of "â" but behind a prefix, counts as that."""
    if "î" in token[1:] and not _PREFIXED.match(token):
        token = token[0] + token[1:].replace("î", "â")
    return token.lower() if token.isascii() else fold(token)


@lru_cache(maxsize=8192)
def is_content(word: str) -> bool:
    """Whether a folded word carries content: a number, or three letters or more and neither function nor number word."""
    return (word[0].isdigit() and not word.endswith(("st", "nd", "rd", "th", "lea"))) or (
        len(word) >= MIN_LETTERS and word not in STOPWORDS and word not in _SHORT
    )


@dataclass(frozen=True)
class Clause:
    """Part of a statement between separators; `first` to `last` are positions among its words, `last` excluded."""

    first: int
    last: int
    keys: frozenset[str]


@dataclass(frozen=True, eq=False)
class Statement:
    """One sentence of a source or of an answer. `source` is the id of its fragment ("" for an answer)."""

    text: str
    source: str = ""
    position: int = 0
    lang: str | None = None

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word stands in `text`: (start, end)."""
        return [m.span() for m in _WORD.finditer(self.text)]

    @cached_property
    def words(self) -> list[str]:
        """The words, folded, in order."""
        return [_folded(w) for w in _WORD.findall(self.text)]

    @cached_property
    def content(self) -> list[int]:
        """Positions of the content words among `words`."""
        return [i for i, w in enumerate(self.words) if is_content(w)]

    @cached_property
    def keys(self) -> list[str]:
        """The keys of the content words, in order, repeats kept."""
        return [key(self.words[i]) for i in self.content]

    @cached_property
    def key_set(self) -> frozenset[str]:
        """The keys of the content words."""
        return frozenset([key(w) for w in self.words if is_content(w)])

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of every word."""
        return frozenset(map(stem, self.words))

    @cached_property
    def all_keys(self) -> frozenset[str]:
        """The keys of every word, function words too."""
        return frozenset(map(key, self.words))

    @cached_property
    def weights(self) -> dict[str, float]:
        """The weight of each content key: rarer words weigh more (`rocite.language.weights`)."""
        return {key(self.words[i]): weight(self.words[i]) for i in self.content}

    @cached_property
    def quantities(self) -> list[Quantity]:
        """The numbers, amounts, dates and frequencies of the sentence."""
        return quantities(self.text, self.lang) if may_hold(self.text, self.words) else []

    @cached_property
    def clauses(self) -> list[Clause]:
        """The sentence parted at commas, semicolons, brackets and contrasting conjunctions."""
        cuts = [0]
        for i in range(1, len(self.words)):
            between = self.text[self.spans[i - 1][1] : self.spans[i][0]]
            if between in (",", ".") and self.words[i][0].isdigit():
                continue  # "1,500" is one number
            if self.words[i] in _CLAUSE_WORDS or _CLAUSE_END.search(between):
                cuts.append(i)
        cuts.append(len(self.words))
        content = set(self.content)
        return [
            Clause(a, b, frozenset(key(self.words[i]) for i in range(a, b) if i in content)) for a, b in itertools.pairwise(cuts) if b > a
        ]

    def word_at(self, offset: int) -> int:
        """Return the position of the word that holds or follows `offset`."""
        return next((i for i, (_, end) in enumerate(self.spans) if end > offset), len(self.spans))


@lru_cache(maxsize=512)
def statements(text: str, source: str = "", lang: str | None = None) -> tuple[Statement, ...]:
    """Return the sentences of `text` as statements, in order; a row of a table is read with the table's head.

    The latest texts are kept: documents that stand beside one answer after another are taken apart once.

    >>> [s.text for s in statements("| ușa | minute |\\n|---|---|\\n| UA-1 | 90 |")]
    ['| ușa | minute |', '| ușa | minute | | UA-1 | 90 |']
    """
    found, head = [], ""
    for n, sentence in enumerate(sentences(text)):
        if not sentence.startswith("|"):
            head = ""
        elif not head:
            head = sentence
        else:
            sentence = f"{head} {sentence}"
        found.append(Statement(sentence, source, n, lang))
    return tuple(found)


def covered(keys: list[str], weights: dict[str, float], known: frozenset[str] | set[str]) -> float:
    """Return the weighted share of `keys` that are in `known`, repeats counted, in [0, 1]; 0 without keys.

    >>> covered(["termen", "zile"], {"termen": 3.0, "zile": 1.0}, {"termen"})
    0.75
    """
    total = sum(weights[k] for k in keys)
    return sum(weights[k] for k in keys if k in known) / total if total else 0.0
