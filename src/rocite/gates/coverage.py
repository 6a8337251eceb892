"""How much of the question the fragments and the answer's evidence speak about. No gate: two scores beside them.

`coverage` is the share of the question's words that the best single sentence of any fragment holds, by
prefix; `focus` is the same share for the sentences that carry the answer, over `coverage`.
"""

from __future__ import annotations

import re

from rocite.gates.base import Case
from rocite.gates.grounding import overlap, prefixes, share
from rocite.text import content_words, fold, sentences


def _question_words(question: str) -> list[str]:
    """The content words of the question; all its words where it has none, so that coverage is defined."""
    return content_words(question) or re.findall(r"\w+", fold(question))


def _source_words(text: str, with_short: bool) -> list[str]:
    return re.findall(r"\w+", fold(text)) if with_short else content_words(text)


def scores(case: Case, attributed: list[tuple[str, str]]) -> tuple[float | None, float | None]:
    """Return (coverage, focus), each in [0, 1].

    `attributed` holds (answer sentence, id of the fragment that carries it). Coverage is None only for an
    empty question or without fragments; focus is None without evidence or where coverage is 0.
    """
    words = _question_words(case.question)
    if not case.question.strip() or not case.fragments:
        return None, None
    short = not content_words(case.question)
    length = case.settings.prefix_length
    parts = {
        f.id: [(prefixes(content_words(s), length), _source_words(f"{f.title} {s}", short)) for s in sentences(f.text)]
        for f in case.fragments
    }
    coverage = max((overlap(words, titled, length) for group in parts.values() for _, titled in group), default=0.0)
    if not attributed or not coverage:
        return round(coverage, 6), None
    evidence: set[str] = set()
    for sentence, source in attributed:
        claimed = content_words(sentence)
        best = max(parts[source], key=lambda part: share(claimed, part[0], length), default=(None, []))
        evidence.update(best[1])
    return round(coverage, 6), round(min(1.0, overlap(words, list(evidence), length) / coverage), 6)
