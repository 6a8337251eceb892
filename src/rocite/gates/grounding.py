"""Gate D, grounding: every sentence that claims something is carried by one cited document.

The score of a sentence against a document is the share of its content words, repeats counted, whose prefix
stands among the prefixes of the document's content words; the article's formula, with prefixes of 6 letters.
Sentences with fewer than `min_claim_words` content words carry no claim and are not scored.
"""

from __future__ import annotations

from rocite.gates.base import Case, Score
from rocite.text import content_words, prefix, sentences

NAME = "grounding"
SENTENCE_ENDS = ".!?;:"


def overlap(words: list[str], source_words: list[str], prefix_length: int) -> float:
    """Return the share of `words` that match one of `source_words` by prefix, in [0, 1]; 0 without words.

    A `prefix_length` of 0 compares whole words.

    >>> overlap(["returnat", "colet"], ["returnată"[:8] + "a", "trimitere"], 6)
    0.5
    """
    return share(words, prefixes(source_words, prefix_length), prefix_length)


def prefixes(words: list[str], prefix_length: int) -> frozenset[str]:
    """Return the prefixes of `words`, for a source that is compared with many sentences."""
    return frozenset(prefix(w, prefix_length) for w in words)


def share(words: list[str], known: frozenset[str], prefix_length: int) -> float:
    """Return the share of `words` whose prefix is in `known`, in [0, 1]; 0 without words."""
    return sum(prefix(w, prefix_length) in known for w in words) / len(words) if words else 0.0


def sentence_overlap(sentence: str, source: str, prefix_length: int) -> float:
    """Return `overlap` of the content words of a sentence with those of a source text.

    >>> sentence_overlap("Coletele extracomunitare", "Un colet extracomunitar", 0)
    0.0
    """
    return overlap(content_words(sentence), content_words(source), prefix_length)


def score(case: Case) -> Score:
    """Return the lowest sentence score, in [0, 1]; None when no sentence carries a claim.

    `details["sentences"]` has each sentence with its best cited document and score; both are None for a
    sentence without a claim, and the document is None where no cited document shares a word with it.
    """
    settings = case.settings
    sources = [(f.id, prefixes(content_words(f.text), settings.prefix_length)) for f in case.cited]
    rows, scores = [], []
    for sentence in sentences(case.reading.text, SENTENCE_ENDS):
        words = content_words(sentence)
        if len(words) < settings.min_claim_words:
            rows.append({"text": sentence, "source": None, "score": None})
            continue
        best_id, best = None, 0.0
        for source_id, known in sources:
            value = share(words, known, settings.prefix_length)
            if value > best:  # the first cited wins a tie
                best_id, best = source_id, value
        rows.append({"text": sentence, "source": best_id, "score": round(best, 6)})
        scores.append(best)
    least = min(scores) if scores else None
    return Score(least, {"sentences": rows, "min": least, "mean": sum(scores) / len(scores) if scores else None})


def failure(score: Score, case: Case) -> str | None:
    """Return why the gate fails, or None. A sentence at exactly `min_ground` passes."""
    if score.value is None or score.value >= case.settings.min_ground:
        return None
    weakest = min((r for r in score.details["sentences"] if r["score"] is not None), key=lambda r: r["score"])
    return f"no cited source carries {weakest['text'][:80]!r}: {weakest['score']:.2f}, below {case.settings.min_ground:.2f}"
