"""Evidence: one sentence, or neighbouring sentences of one cited document, carry each sentence of the answer.

The support of a sentence is the weighted share of its content words that its evidence holds (`rocite.gates.claims`).
Words that the evidence lacks but another statement of the fragments has weigh against it as a mosaic. Answers are decided
on the mean over their sentences and on the weakest, each with its own threshold, the same whatever the sentence's length.
A summary (no question, or one that asks for it) of more than one statement draws on the whole document by nature: its
sentences are measured against that, and only their mean decides, because one sentence of it may say nothing but what is
being summed up ("Two friends talk").
"""

from __future__ import annotations

from collections.abc import Sequence

from rocite.gates.base import Case, Score
from rocite.language.statements import Statement

NAME = "evidence"
DIGITS = 6  # what is decided on is what is reported, so that a sum of weights that is 1 passes a threshold of 1


def score(case: Case) -> Score:
    """Return the mean support of the answer's sentences, in [0, 1]; None when no sentence says anything.

    `details` has the sentences with their source and score, the lowest support and the heaviest mosaic.
    """
    supports = [round(c.in_document if _sums_up(case, case.parts.get(c.source, ())) else c.support, DIGITS) for c in case.claims]
    rows = [{"text": c.sentence.text, "source": c.source, "score": s} for c, s in zip(case.claims, supports, strict=True)]
    mosaic = max(((c.elsewhere, c) for c in case.claims), key=lambda m: m[0], default=(0.0, None))
    mean = round(sum(supports) / len(supports), DIGITS) if supports else None
    return Score(
        mean,
        {
            "sentences": rows,
            "mean": mean,
            "min": min(supports) if supports else None,
            "mosaic": mosaic[0],
            "spliced": mosaic[1].sentence.text if mosaic[1] else "",
        },
    )


def failure(score: Score, case: Case) -> str | None:
    """Return why the check fails, or None. Exactly at a threshold passes."""
    if score.value is None:
        return None
    settings = case.settings
    if any(_sums_up(case, statements) for statements in case.parts.values()):
        if score.value < settings.min_summary_support:
            return f"the source as a whole does not carry the summary: {score.value:.2f}, below {settings.min_summary_support:.2f}"
        return None
    if score.value < settings.min_support:
        return f"the sentences' mean support is {score.value:.2f}, below {settings.min_support:.2f}"
    if score.details["min"] < settings.min_sentence_support:
        weakest = min(score.details["sentences"], key=lambda r: r["score"])
        return f"no statement carries {weakest['text'][:80]!r}: {weakest['score']:.2f}, below {settings.min_sentence_support:.2f}"
    if score.details["mosaic"] > settings.max_mosaic:
        return f"it joins what no statement says together: {score.details['spliced'][:80]!r}"
    return None


def _sums_up(case: Case, statements: Sequence[Statement]) -> bool:
    """Whether the answer is a summary of a text with these statements; of a single one it is a rewording."""
    return case.summary and len(statements) > 1
