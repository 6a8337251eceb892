"""Evidence: one sentence, or neighbouring sentences of one cited document, carry each sentence of the answer.

The support of a sentence is the weighted share of its content words that its evidence holds (`rocite.gates.claims`).
A short sentence is asked for more, because few words meet by chance: the threshold rises by `SHORT` for each word under
`FEW`. Words that the evidence lacks but another statement of the fragments has weigh against it as a mosaic. Answers
are decided on the mean over their sentences and on the weakest, each with its own threshold. A summary (no question, or
one that asks for it) draws on the whole document by nature: its sentences are measured against that, and only their
mean decides, because one sentence of it may say nothing but what is being summed up ("Two friends talk").
"""

from __future__ import annotations

from rocite.gates.base import Case, Score

NAME = "evidence"


def score(case: Case) -> Score:
    """Return the mean support of the answer's sentences, in [0, 1]; None when no sentence says anything.

    `details` has the sentences with their source and score, the lowest support and the heaviest mosaic.
    """
    supports = [c.in_document if case.summary and len(case.parts.get(c.source, ())) > 1 else c.support for c in case.claims]
    rows = [{"text": c.sentence.text, "source": c.source, "score": round(s, 6)} for c, s in zip(case.claims, supports, strict=True)]
    mosaic = max(((c.elsewhere, c) for c in case.claims), key=lambda m: m[0], default=(0.0, None))
    mean = sum(supports) / len(supports) if supports else None
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
    if case.summary and max(map(len, case.parts.values())) > 1:
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
