"""Quotation: what stands in quotation marks stands in a cited source, word for word and in order.

An ellipsis may shorten a quotation, but what it leaves out may hold no negation, no condition and no bound. White space,
case and diacritics are no difference. A summary may fit a quotation into its own sentence: its content words in order
are enough.
"""

from __future__ import annotations

import re

from rocite.gates.base import Case, Score, first_found, judged
from rocite.language import lexicon
from rocite.language.statements import Statement, key
from rocite.text import fold

NAME = "quotation"
APART = 4  # words between two content words of what a summary quotes in substance
LONGEST_GAP = 400  # characters that an ellipsis may leave out

_QUOTED = re.compile(r"„([^„”“\"]+)[”“\"]|“([^“”\"]+)[”\"]|«([^«»]+)»|\"([^\"]+)\"|(?<!\w)‘([^‘’]{3,})’(?!\w)|(?<!\w)'([^']{3,}?)'(?!\w)")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\(\s*(?:\.\.\.|…)\s*\)|\.\.\.|…)\s*")
_WORD = re.compile(r"\w+")
_NOT_LEFT_OUT = (lexicon.NEGATIONS, lexicon.CONDITIONS, *lexicon.DIRECTIONS["amount"])


def quotations(text: str) -> list[str]:
    """Return what stands in quotation marks in `text`, in order.

    >>> quotations('Scrie „numai cu acordul titularului” și "gratuit".')
    ['numai cu acordul titularului', 'gratuit']
    """
    return [next(g for g in m.groups() if g is not None) for m in _QUOTED.finditer(text)]


def score(case: Case) -> Score:
    """Return the share of the answer's quotations that a cited source holds, in [0, 1]; None for an answer without one."""
    found, quoted = [], quotations(case.reading.text)
    sources = [" ".join(_WORD.findall(fold(f"{f.title} \n {f.text}"))) for f in case.cited] if quoted else []
    for quotation in quoted:
        problems = [_problem(quotation, source) for source in sources]
        if case.summary and any(_in_substance(quotation, statement) for f in case.cited for statement in case.parts[f.id]):
            problems = [None]
        if not sources or all(problems):
            found.append((problems[0] if problems else "no cited source says") + f" {quotation[:80]!r}")
    return judged(found, len(quoted))


failure = first_found


def _in_substance(quotation: str, statement: Statement) -> bool:
    """Whether a statement has the content words of a quotation in order, at least two and no more than `APART` words apart."""
    wanted, at, last = Statement(quotation).keys, 0, -1
    for i in statement.content if len(wanted) > 1 else ():
        if key(statement.words[i]) == wanted[at]:
            if at and i - last > APART:
                return False
            at, last = at + 1, i
            if at == len(wanted):
                return True
    return False


def _problem(quotation: str, source: str) -> str | None:
    parts = [" ".join(_WORD.findall(fold(p))) for p in _ELLIPSIS.split(quotation)]
    parts = [p for p in parts if p]
    at = -1
    for n, part in enumerate(parts):
        found = re.compile(rf"(?<!\w){re.escape(part)}(?!\w)").search(source, max(at, 0))
        if not found:
            return "no cited source says" if n == 0 else "no cited source goes on as the quotation does:"
        if at >= 0:
            gap = source[at : found.start()]
            if len(gap) > LONGEST_GAP or any(words.search(gap) for words in _NOT_LEFT_OUT):
                return "the ellipsis leaves out a negation, a condition or a bound in"
        at = found.end()
    return None
