"""Which of the two languages a question is in, by its function words."""

from __future__ import annotations

import re

from rocite.text import fold

_FUNCTION_WORDS = {
    "ro": frozenset(
        """
        ce cum cat cata cati cate cand cui unde este sunt si sau la pe de din pentru nu se imi ma mi ne o un fi pot poate va vor daca mai ca
        sa al ale ai dupa pana intr despre cine fara prin
        """.split()
    ),
    "en": frozenset(
        """
        the what how when which where who is was and or on of from for with not do does did can i my we our you your it its to must may
        should by if has have at be there this that an any
        """.split()
    ),
}
_WORD = re.compile(r"[^\W\d_]+")


def language_of(question: str) -> str:
    """Return ``ro`` or ``en`` by the function words of a question, "" where neither has more.

    >>> language_of("Cat costa o cutie postala?"), language_of("What does a box cost?"), language_of("AS-3?")
    ('ro', 'en', '')
    """
    words = _WORD.findall(fold(question))
    ro, en = (sum(w in _FUNCTION_WORDS[lang] for w in words) for lang in ("ro", "en"))
    return "ro" if ro > en else "en" if en > ro else ""
