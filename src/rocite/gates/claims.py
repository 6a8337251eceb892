"""Which statement of which cited document carries each sentence of an answer: the evidence that every check looks at.

Evidence is one sentence, or neighbouring sentences of one cited document, never a mosaic of several documents. The
support of a sentence is the weighted share of its content words that the evidence holds (keys of `rocite.language.statements`,
weights of `rocite.language.weights`); words that the evidence lacks and the question or the document's title has are left
out. A window of several sentences is taken only where each further one adds at least `WIDER`; between equal ones the one
that speaks most about the question wins, then the earlier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum

from rocite.language import wordlists
from rocite.language.statements import Statement, covered, key, statements
from rocite.text import fold

WIDER = 0.12  # how much support a further neighbouring sentence must add
LONGEST = 3  # neighbouring sentences in one window; more where they are so short that they have fewer than ENOUGH words
ENOUGH = 30
CARRIED = 0.7  # support from which one statement carries a sentence and no neighbour is added to it
TRIVIAL = 2  # content words up to which the lead-in of a list says nothing: "Pe scurt:"
ASKED = 0.15  # how much the share of the question counts in the choice, beside the support

_YES_NO = re.compile(r"^\W*(da|nu|nimic|yes|no|nothing)\b[\s,.;:!–—-]*", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Claim:
    """One sentence of the answer with its evidence. `support` is in [0, 1]; `evidence` is empty where nothing is shared.

    `reply` is "yes" or "no" where the sentence opens with it, "" otherwise; `sentence` is without that opening.
    `elsewhere` is the weighted share of its words that the evidence and the question lack and another statement has;
    `in_document` the share that the document as a whole has.
    """

    sentence: Statement
    evidence: tuple[Statement, ...]
    support: float
    reply: str
    elsewhere: float
    in_document: float

    @property
    def source(self) -> str | None:
        """The id of the fragment that carries the sentence, or None."""
        return self.evidence[0].source if self.evidence else None

    @cached_property
    def known(self) -> frozenset[str]:
        """The keys of the evidence's content words."""
        return frozenset().union(*(s.key_set for s in self.evidence))

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The keys of every word of the evidence."""
        return frozenset().union(*(s.all_keys for s in self.evidence))


def answer_statements(text: str, lang: str | None) -> list[tuple[Statement, str]]:
    """Return the answer's sentences, each with its opening "yes", "no" or "".

    The lead-in of a list, which ends with a colon, is read with each of the list's points; a trivial one is left out.
    """
    found, lead = [], ""
    for statement in statements(text, "", lang):
        if statement.text.endswith(":"):
            lead = statement.text if len(statement.keys) > TRIVIAL else ""
            continue
        if lead:
            statement = Statement(f"{lead} {statement.text}", "", statement.position, lang)
        opening = _YES_NO.match(statement.text)
        if not opening:
            found.append((statement, ""))
            continue
        word = fold(opening[1])
        if word not in ("da", "yes") and not re.search(r"[,.;:!–—-]", opening.group()) and opening.end() < len(statement.text):
            found.append((statement, ""))  # "Nu se returnează": the negation of a verb, no reply
            continue
        rest = statement.text[opening.end() :].strip()
        reply = {"da": "yes", "yes": "yes", "nu": "no", "no": "no"}.get(word, "")
        found.append((Statement(rest, "", statement.position, lang), reply))
    return found


def align(
    question: Statement,
    answer: Sequence[tuple[Statement, str]],
    sources: Sequence[Sequence[Statement]],
    titles: Sequence[Statement],
    everything: Sequence[Sequence[Statement]],
) -> list[Claim]:
    """Return one claim for each sentence of `answer` that has a content word or is a reply, in order.

    `sources` holds the statements of each cited document, `titles` their titles, `everything` the statements of every fragment.
    """
    anywhere = frozenset().union(*(s.key_set for source in everything for s in source))
    documents = [frozenset().union(*(s.key_set for s in source)) for source in sources]
    asked = {k: question.weights[k] for k in question.keys}
    found = []
    for sentence, reply in answer:
        if not sentence.keys and not reply and not sentence.quantities:
            continue
        looked_for = sentence if sentence.keys else question  # a bare "Da." is carried by what the question asks about
        worth: dict[str, float] = {}
        for k in looked_for.keys:
            worth[k] = worth.get(k, 0.0) + looked_for.weights[k]
        if reply:  # "Nu, nici măcar o zi.": what a reply is about stands in the question
            worth |= {k: question.weights[k] for k in question.keys if k not in worth}
        other_words = {other: key(looked_for.words[i]) for i in looked_for.content for other in wordlists.synonyms(looked_for.words[i])}
        evidence, support = _best_window(worth, other_words, asked, sources, [question.key_set | t.key_set for t in titles])
        named = next(
            (t.key_set for t, source in zip(titles, sources, strict=True) if evidence and source[0].source == evidence[0].source),
            frozenset(),
        )
        held = frozenset().union(*(s.key_set for s in evidence), question.key_set, named)
        elsewhere = covered(sentence.keys, sentence.weights, anywhere - held)
        found.append(
            Claim(
                sentence,
                evidence,
                support,
                reply,
                elsewhere,
                max((covered(looked_for.keys, looked_for.weights, d) for d in documents), default=0.0),
            )
        )
    return found


def _best_window(
    worth: dict[str, float],
    other_words: dict[str, str],
    asked: dict[str, float],
    sources: Sequence[Sequence[Statement]],
    given: Sequence[frozenset[str]],
) -> tuple[tuple[Statement, ...], float]:
    """Return the window of neighbouring statements that holds most of `worth`, and the share that it holds."""
    wanted, of_question = worth.keys(), asked.keys()
    total, total_asked = sum(worth.values()) or 1.0, sum(asked.values()) or 1.0
    best, evidence, support = -1.0, (), 0.0
    synonyms = other_words.keys()
    every = [[(wanted & s.key_set) | {other_words[o] for o in synonyms & s.stems} for s in source] for source in sources]
    alone = max((fsum(worth[k] for k in hit) / total for hits in every for hit in hits), default=0.0)
    for source, known, hits in zip(sources, given, every, strict=True):
        optional = wanted & known
        about = [fsum(asked[k] for k in of_question & s.key_set) / total_asked if hit else 0.0 for s, hit in zip(source, hits, strict=True)]
        for start, first in enumerate(hits):
            if not first:
                continue
            held, words, before = set(), 0, 0.0
            for end in range(start, len(source)):
                size = end - start + 1
                if size > LONGEST and words >= ENOUGH:
                    break
                held |= hits[end]
                value = fsum(worth[k] for k in held) / total
                if size > 1 and (value < before + WIDER or alone >= CARRIED):
                    break
                words += len(source[end].words)
                before = value
                rank = value - WIDER / 2 * (size - 1) + ASKED * max(about[start : end + 1])
                if rank > best + 1e-9:
                    needed = total - fsum(worth[k] for k in optional - held)
                    best, evidence, support = rank, tuple(source[start : end + 1]), value * total / needed if needed else 1.0
    return evidence, support
