"""What the scanner reads and what it makes: a text in tokens, and one finding.

Decides where words, numbers and signs begin and end. Words are read folded; `Tokens.exact` gives one as it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from rocite.language.identifiers import mask
from rocite.text import normalise

PAD = 6  # empty tokens on either side, so that looking around needs no bounds check

# What normalisation leaves alone; text of nothing else need not pass through it again.
_UNUSUAL = re.compile("[^ -~\nĂÂÎȘȚăâîșț„”“’‘–—…€£°²³«»§•]|  ")
_LETTERS = "a-z²³ªºµß-öø-\u1fff℃"
_PIECE = re.compile(
    rf"(?:[{_LETTERS}]+(?:(?<!eur)(?<!usd)(?<!ron)[0-9][{_LETTERS}0-9]*)?"
    r"|[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9])(?:[.,][0-9]+)?(?![.,]?[0-9])"
    r"|[0-9]+(?:[.,][0-9]+)*"
    r"|[^ ]) ?| "
)


@dataclass(slots=True, eq=False, repr=False)
class Found:
    """What the scanner found in tokens `i` to `j`, before ranges and bounds; `raw` is the number before its scale."""

    i: int
    j: int
    kind: str = "amount"
    low: Decimal | None = None
    high: Decimal | None = None
    unit: str = ""
    counted: str = ""
    date: str = ""
    ref: str = ""
    ambiguous: bool = False
    raw: Decimal | None = None
    bound: str = ""
    open: bool = False
    year: bool = False  # a date that is four bare digits and could be an amount
    shared: bool = False  # its unit or noun was taken from its neighbour

    @property
    def bare(self) -> bool:
        """Whether this is a number and nothing else."""
        return (self.kind == "amount" and not self.unit and not self.counted) or self.year


class Tokens:
    """A normalised text as folded words, numbers and signs with their places; a line break is the empty word."""

    __slots__ = ("lang", "n", "starts", "text", "words")

    def __init__(self, text: str, lang: str | None):
        self.text = normalise(text) if _UNUSUAL.search(text) else text
        self.lang = lang[:2].lower() if lang else None
        flat = _flatten(mask(self.text))
        pieces = _PIECE.findall(flat)
        self.words = [""] * PAD + list(map(str.strip, pieces)) + [""] * PAD
        self.starts = [0] * PAD + list(accumulate(map(len, pieces), initial=0)) + [len(flat)] * (PAD - 1)
        self.n = PAD + len(pieces)

    def end(self, i: int) -> int:
        """The offset just behind token `i`."""
        return self.starts[i] + len(self.words[i])

    def exact(self, i: int) -> str:
        """Token `i` as it stands in the text, neither folded nor in lower case."""
        return self.text[self.starts[i] : self.starts[i] + len(self.words[i])]

    def glued(self, i: int) -> bool:
        """Whether nothing stands between token `i` and the next, and both are there."""
        return bool(self.words[i]) and bool(self.words[i + 1]) and self.starts[i] + len(self.words[i]) == self.starts[i + 1]


def _flatten(text: str) -> str:
    """Return `text` folded without changing its length, which `fold` does not promise."""
    flat = text.lower()
    if len(flat) != len(text):
        flat = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    if flat.isascii():
        return flat
    return flat.replace("ă", "a").replace("â", "a").replace("î", "i").replace("ș", "s").replace("ț", "t")


def is_digits(word: str) -> bool:
    """Whether a token is a number in digits."""
    return "0" <= word[:1] <= "9"
