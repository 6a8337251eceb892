"""What a rule takes and gives, and what all rules share.

A rule is a pure function from a `Source`, a truthful answer in its surroundings, to changed answers with the reason;
it returns none where it finds nothing to change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rocite.evaluate.faults.numbers import ANY_WORD
from rocite.evaluate.faults.wording import table
from rocite.evaluate.stress import Seed

CODE = r"\b[A-Z]{1,4}-?\d+[A-Z]?\b"  # an identifier: "RC-1", "PT-22"

Change = tuple[str, str]  # the changed answer, and why it is wrong or stays true


@dataclass(frozen=True)
class Source:
    """A seed with its document's `body` and what all seeds of its corpus and language know of names, synonyms and codes."""

    seed: Seed
    body: str
    swaps: tuple[tuple[str, str], ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def turn(self) -> int:
        """The digits of the seed's id as a number: what chooses where one change is as good as another."""
        return int(re.sub(r"\D", "", self.seed.id) or 0)


Rule = Callable[[Source], list[Change]]


def tidy(text: str) -> str:
    """Return `text` with one space between words, none before a stop, and a capital at the start of a sentence.

    >>> tidy("the hall is open , .  it is free.")
    'The hall is open. It is free.'
    """
    text = re.sub(r"[\s,;]+([,;.])", r"\1", re.sub(r" {2,}", " ", text)).strip(" ,;")
    return re.sub(r"(?:^|(?<=[^.]\. ))[^\W\d_]", lambda m: m[0].upper(), text)


def cased(new: str, old: str) -> str:
    """Return `new` with a capital where `old` has one."""
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def replaced(text: str, m: re.Match, new: str) -> str:
    """Return `text` with `new` in the place of the match `m`."""
    return text[: m.start()] + new + text[m.end() :]


def whole(phrase: str) -> str:
    """Return a pattern for `phrase` where it is no part of a longer word.

    >>> re.findall(whole("post"), "the post, a postman and a by-post")
    ['post']
    """
    return rf"(?<![\w-]){re.escape(phrase)}(?![\w-])"


def by_table(source: Source, name: str, before: str = r"(?<![\w-])") -> list[Change]:
    """Return one change for each place where a pattern of the table stands and no longer pattern does."""
    text, lang, found, taken = source.seed.answer, source.seed.lang, [], {}
    number = rf"(?= (?:de )?(?:[−\d]|(?:{ANY_WORD[lang]})\b))"
    for a, b in table(name, lang):
        pattern = rf"({before})({a.rstrip('#')})(?![\w-]){number if a.endswith('#') else ''}"
        for m in re.finditer(pattern, text, re.IGNORECASE):
            start, end = m.span(2)
            if any(start < e and s < end and p != a for (s, e), p in taken.items()):
                continue
            taken[start, end] = a
            new = cased(b.rstrip("#"), m[2])
            found.append((start, tidy(text[:start] + new + text[end:]), f"{m[2]!r} became {new!r}." if new else f"{m[2]!r} was dropped."))
    return [change[1:] for change in sorted(found)]


def table_rule(name: str) -> Rule:
    """Return the rule that exchanges the phrases of a table."""
    return lambda source: by_table(source, name)
