"""Retrieval by shared words: BM25 over stemmed words, in Romanian and English.

Words are folded and stemmed by Snowball; a document's language decides the stemmer. A question is stemmed in every
language of the corpus, since who asks in Romanian may mean an English document with a code or a name in it. Tokens of
one character stay ("lit. b", "P-1"), and a code stands both whole and in its parts ("AS-3", "as", "3").
"""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from rocite import chunk
from rocite.corpus import Corpus
from rocite.retrieve.base import Ranker
from rocite.stopwords import STOPWORDS
from rocite.text import fold, normalise

K1, B = 1.2, 0.75  # Lucene's defaults
LEAST = 0.4  # the share of its bound at which a question's best score counts in full
SHORT_WORDS = frozenset(
    """
    a ai al ale am ar as au ca ce cea cei cel cu da de din e ei el ele era eu iar ii il in io isi iti la le li lui ma mai mi ne nu o ori
    pe pot s sa sai sau se si sunt te un va vi voi vor asa cat cum sub
    an and are at be but by can do for had has he her him his how i if is it its me my no not of on or our she so the to us was we who why
    you your did get
    """.split()
)
_TOKEN = re.compile(r"\w+(?:[-./]\w+)*")
_PART = re.compile(r"[-./]")
_SPACED_CODE = re.compile(r"\b[A-Z]{2,3}(?= \d)")  # "AS 3": its letters may be those of a short word
LANGUAGES = {"ro": "romanian", "en": "english"}
DEFAULT_LANGUAGE = "ro"


@lru_cache(maxsize=4)
def _stemmer(lang: str):
    import snowballstemmer

    return snowballstemmer.stemmer(LANGUAGES[lang])


@lru_cache(maxsize=65536)
def stem(word: str, lang: str) -> str:
    """Return the Snowball stem of a normalised word in lower case, folded; a word with a digit stays as it is.

    >>> stem("termenelor", "ro"), stem("inspections", "en"), stem("as-3", "ro")
    ('termen', 'inspect', 'as-3')
    """
    return word if any(c.isdigit() for c in word) else fold(_stemmer(lang).stemWord(word))


def analyse(text: str, lang: str = DEFAULT_LANGUAGE) -> list[str]:
    """Return the index terms of `text`, in order.

    >>> analyse("Termenele din art. 5 lit. b) pentru AS-3", "ro")
    ['termen', 'art', '5', 'lit', 'b', 'as-3', 'as3', 'as', '3']
    >>> analyse("Aș opri liftul AS 3", "ro")
    ['opri', 'lift', 'as', '3']
    """
    terms = []
    text = normalise(text)
    codes = {code.lower() for code in _SPACED_CODE.findall(text)}
    for word in _TOKEN.findall(text.lower()):
        plain = fold(word)
        if plain in STOPWORDS or (plain in SHORT_WORDS and len(plain) > 1 and word not in codes):
            continue
        if len(parts := _PART.split(word)) == 1:
            terms.append(stem(word, lang))
        else:
            terms += [plain, *([_PART.sub("", plain)] if any(c.isdigit() for c in plain) else []), *(stem(p, lang) for p in parts if p)]
    return terms


class Bm25(Ranker):
    """A corpus indexed by its words, as whole documents or in chunks; a document scores as its best chunk does.

    The formula is Robertson's as Lucene has it (Kamphuis et al. 2020, "Which BM25 do you mean?"), computed by bm25s.
    """

    def __init__(self, corpus: Corpus, way: str = chunk.WHOLE):
        super().__init__(corpus)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its progress bars miss widgets in a notebook; none is shown
            import bm25s

        self.chunks = chunk.chunks_of(corpus, way)
        self.languages = sorted({language(c.document.lang) for c in self.chunks})
        terms = [analyse(c.passage, language(c.document.lang)) for c in self.chunks]
        self._frequency = Counter(t for words in terms for t in set(words))
        self._known = frozenset(self._frequency)
        self._index = bm25s.BM25(method="lucene", k1=K1, b=B) if self._known else None
        if self._index:
            self._index.index(terms, show_progress=False)

    def terms(self, question: str) -> list[str]:
        """Return the terms of `question` that some document has, once for each time it stands there in its best language."""
        found: dict[str, int] = {}
        for lang in self.languages:
            own: dict[str, int] = {}
            for term in analyse(question, lang):
                if term in self._known:
                    own[term] = own.get(term, 0) + 1
            for term, times in own.items():
                found[term] = max(times, found.get(term, 0))
        return [term for term, times in sorted(found.items()) for _ in range(times)]

    def chunk_scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return BM25 scores, shape (questions, chunks); 0 where no word is shared."""
        found = np.zeros((len(questions), len(self.chunks)))
        for row, question in enumerate(questions):
            if self._index and (terms := self.terms(question)):
                found[row] = self._index.get_scores(terms)
        return found

    def scores(self, questions: Sequence[str]) -> np.ndarray:
        """Return BM25 scores, shape (questions, documents); 0 where no word is shared."""
        return chunk.best_of_each(self.chunk_scores(questions), self.chunks, self.corpus)

    def scaled(self, questions: Sequence[str]) -> np.ndarray:
        """Return scores over the question's best, or over `LEAST` of what a document with all its words could have.

        A question of which the documents have few words, as one in another language, thus counts for little in a mix.
        """
        scores = self.scores(questions)
        floor = np.array([LEAST * self.bound(q) for q in questions])
        return scores / np.maximum(np.maximum(scores.max(1), floor), 1e-9)[:, None]

    def bound(self, question: str) -> float:
        """Return a score that no document exceeds: the sum of the inverse document frequencies of all words of the question."""
        own = min((analyse(question, lang) for lang in self.languages), key=lambda terms: -sum(t in self._known for t in terms))
        n = len(self.chunks)
        return sum(math.log(1 + (n - self._frequency[t] + 0.5) / (self._frequency[t] + 0.5)) for t in own)


def language(lang: str) -> str:
    """Return the language whose stemmer a text in `lang` gets: its own where there is one, else the default."""
    return lang if lang in LANGUAGES else DEFAULT_LANGUAGE
