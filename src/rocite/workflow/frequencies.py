"""Write the word frequency lists of `rocite.language.weights` from the data folder of the wordfreq package.

Usage: ``python -m rocite.workflow.frequencies FOLDER``, with ``FOLDER/small_ro.msgpack.gz`` and
``FOLDER/small_en.msgpack.gz``. Needs msgpack, which nothing else here does. The same input gives the same bytes.
"""

from __future__ import annotations

import gzip
import math
import re
import sys
from collections import defaultdict
from pathlib import Path

from rocite.language.weights import LANGUAGES, LISTS
from rocite.text import fold

WORDS = 8_000  # in each list
_LETTERS = re.compile(r"[^\W\d_]+")


def classes(bins: list[list[str]]) -> dict[str, int]:
    """Return the class of the `WORDS` most frequent folded words: -10 times the decimal logarithm of the frequency.

    Bin i of wordfreq holds the words of frequency ``10 ** (-i / 100)``. Spellings that fold to one word are added up;
    a hyphen or apostrophe parts words.

    >>> classes([[]] * 200 + [["și", "și-a"], ["și"]])
    {'a': 20, 'si': 15}
    """
    frequency: dict[str, float] = defaultdict(float)
    for i, words in enumerate(bins):
        for word in words:
            for piece in _LETTERS.findall(fold(word)):
                frequency[piece] += 10 ** (-i / 100)
    kept = sorted(frequency, key=lambda word: (-frequency[word], word))[:WORDS]
    return {word: max(0, round(-10 * math.log10(frequency[word]))) for word in sorted(kept)}


def main(folder: Path) -> None:
    """Write one list for each language: a line for each word, the word TAB its class."""
    import msgpack

    for language in LANGUAGES:
        with gzip.open(folder / f"small_{language}.msgpack.gz") as packed:
            bins = msgpack.load(packed)
        found = classes(bins[1:])  # the first entry describes the format
        lines = "".join(f"{word}\t{value}\n" for word, value in found.items())
        (LISTS / f"frequency_{language}.tsv").write_text(lines, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
