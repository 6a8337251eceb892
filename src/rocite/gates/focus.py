"""Focus: the statement that carries the answer is the one that the question asks about.

The relevance of the answer's evidence to the question is compared with that of the best statement of any fragment
(`rocite.language.question_focus`); a neighbouring statement about something similar falls short. Where the statement
that decides is missing from the fragments the best one may be no answer either, so that the evidence must also hold a
least share of the question by itself; that tells few of those cases. Where the question asks for a
number, an answer without one fails, and so does an answer that says no more than the question did. `coverage`, the
weighted share of the question that the best statement covers, needs no answer and decides nothing.
"""

from __future__ import annotations

from rocite.gates.base import Case, Score
from rocite.language import lexicon, question_focus
from rocite.language.statements import key

NAME = "focus"


def coverage(case: Case) -> float | None:
    """Return the weighted share of the question that the best statement covers, in [0, 1]; None without question or fragments."""
    if not case.question.strip() or not case.fragments:
        return None
    return max((v for values in case.relevance.values() for v in values.coverage), default=0.0)


def score(case: Case) -> Score:
    """Return the relevance of the answer's evidence over the best, in [0, 1]; None without a question or evidence."""
    carried = [c for c in case.claims if c.evidence]
    if not carried or case.summary:
        return Score(None, {"problem": None})
    evidence = max(case.relevance[s.source].relevance[s.position] for c in carried for s in c.evidence)
    asked = max(case.relevance[s.source].coverage[s.position] for c in carried for s in c.evidence)
    best = max(v for values in case.relevance.values() for v in values.relevance)
    return Score(question_focus.focus(evidence, best), {"problem": _no_answer(case), "asked": asked})


def _no_answer(case: Case) -> str | None:
    said = [c.sentence for c in case.claims]
    asks_number = lexicon.ASKS_NUMBER.search(" ".join(case.asked.words))
    words = [w for s in said for w in s.words]
    if asks_number and not any(s.quantities for s in said) and not question_focus.gives_kind("number", words, case.taken_apart.tokens):
        return "the question asks for a number and the answer gives none"
    asks = bool(lexicon.INTERROGATIVES & set(case.asked.words))
    said_more = case.said - case.asked.key_set - {key(word) for word in lexicon.REPORTING}
    if asks and not any(c.reply for c in case.claims) and case.said and not said_more:
        return "it says no more than the question"
    return None


def failure(score: Score, case: Case) -> str | None:
    """Return why the check fails, or None. Exactly `min_focus` passes."""
    if score.value is None:
        return None
    if score.value < case.settings.min_focus:
        return f"another statement is nearer to the question: {score.value:.2f} of its relevance, below {case.settings.min_focus:.2f}"
    if score.details["asked"] < case.settings.min_asked:
        return (
            f"the evidence says little about the question: {score.details['asked']:.2f} of its words, below {case.settings.min_asked:.2f}"
        )
    return score.details["problem"]
