"""Does a score separate the questions a corpus answers from impostors?

Decides what is measured: per question the top score and the signals people use instead of it; per population
pair the margin, overlap, AUROC and impostors admitted. Labels come with the questions and are never guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from rocite import stats
from rocite.corpus import Corpus, Document, Squad
from rocite.embed import Embedder
from rocite.errors import InputError
from rocite.gates.grounding import overlap
from rocite.questions import Question
from rocite.retrieve import Index, ranking
from rocite.text import content_words

SIGNALS = {
    "raw": "score of the best document",
    "gap": "best less second-best score",
    "zscore": "best score in standard deviations of the question's own scores",
    "mean3": "mean of the best three scores",
    "lexical": "share of the question's content words that the best document holds",
}
_LEXICAL_PREFIX = 6

Measured = dict[tuple[str, str], dict[str, stats.Estimate]]  # (embedder, signal) -> metric -> estimate


def score_questions(index: Index, questions: Sequence[Question]) -> pd.DataFrame:
    """Return one row a question: its label, family, best document, whether that is a right one, and every signal.

    `right` is None for impostors and for questions without known documents; `recall3` (share of the relevant
    documents among the best three) and `reciprocal_rank` (of the first relevant one) are then NaN. A signal that
    needs more documents than there are is NaN.
    """
    ids = index.corpus.ids
    scores = index.scores([q.question for q in questions])
    known = [content_words(d.passage) for d in index.corpus.documents]
    rows = []
    for question, row in zip(questions, scores, strict=True):
        order = ranking(row, ids)
        ordered = row[order]
        spread = float(row.std())
        words = content_words(question.question)
        ranks = [n for n, i in enumerate(order, start=1) if ids[i] in question.docs]
        judged = question.label == "in" and bool(ranks)
        rows.append(
            {
                "id": question.id,
                "question": question.question,
                "label": question.label,
                "stratum": question.stratum,
                "family": question.family,
                "best": ids[order[0]],
                "right": ranks[0] == 1 if judged else None,
                "recall3": sum(n <= 3 for n in ranks) / len(ranks) if judged else np.nan,
                "reciprocal_rank": 1 / ranks[0] if judged else np.nan,
                "raw": float(ordered[0]),
                "gap": round(float(ordered[0] - ordered[1]), 6) if len(row) > 1 else np.nan,
                "zscore": round(float((ordered[0] - row.mean()) / spread), 6) if spread > 0 else np.nan,
                "mean3": round(float(ordered[:3].mean()), 6) if len(row) > 2 else np.nan,
                "lexical": round(max(overlap(words, k, _LEXICAL_PREFIX) for k in known), 6),
            }
        )
    return pd.DataFrame(rows)


def populations(frame: pd.DataFrame, signal: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return legitimate scores, impostor scores, and the families of both, as arrays."""
    legitimate, impostors = frame[frame.label == "in"], frame[frame.label == "out"]
    return (
        legitimate[signal].to_numpy(float),
        impostors[signal].to_numpy(float),
        legitimate.family.to_numpy(str),
        impostors.family.to_numpy(str),
    )


def measure(frame: pd.DataFrame, signal: str, admit: float, draws: int, rng: np.random.Generator) -> dict[str, stats.Estimate]:
    """Return the separation of `frame` by `signal`.

    ``margin`` (no interval: an extreme value), ``overlap`` (questions of either kind that lie in the other
    population's range, over all questions), ``lost_all`` (legitimate questions lost when no impostor is let in),
    ``auroc``, ``admitted_all`` and ``admitted`` (impostors let in when all, or the share `admit`, of the legitimate
    questions are), ``top1`` (legitimate questions whose best document is a right one, over those with known documents).
    """
    legitimate, impostors, units_in, units_out = populations(frame, signal)
    inside = int((legitimate <= impostors.max()).sum() + (impostors >= legitimate.min()).sum())
    judged = frame[frame.right.notna()]
    total = len(legitimate) + len(impostors)
    return {
        "margin": stats.Estimate(round(stats.margin(legitimate, impostors), 6), units=total),
        "lost_all": stats.Estimate(
            float((legitimate <= impostors.max()).mean()), int((legitimate <= impostors.max()).sum()), len(legitimate)
        ),
        "overlap": stats.Estimate(inside / total, inside, total, units=total),
        "auroc": stats.auroc(legitimate, impostors, units_in, units_out, draws, rng),
        "admitted_all": stats.admitted(legitimate, impostors, 1.0, units_in, units_out, draws, rng),
        "admitted": stats.admitted(legitimate, impostors, admit, units_in, units_out, draws, rng),
        "top1": stats.rate(judged.right.to_numpy(bool), judged.family.to_numpy(str), draws, rng),
    }


def measure_all(frame: pd.DataFrame, signals: Sequence[str], admit: float, draws: int, rng: np.random.Generator) -> Measured:
    """Return `measure` for every embedder of `frame` (column embedder) and every signal that is defined throughout."""
    found: Measured = {}
    for embedder, part in frame.groupby("embedder", sort=False):
        for signal in signals:
            if part[signal].notna().all():
                found[str(embedder), signal] = measure(part, signal, admit, draws, rng)
    return found


def retrieval(frame: pd.DataFrame, draws: int, rng: np.random.Generator) -> dict[str, stats.Estimate]:
    """Return how well the right documents are found, over the legitimate questions whose documents are known.

    ``top1`` (the best document is a right one), ``recall3`` (mean share of a question's documents among the best
    three) and ``mrr`` (mean reciprocal rank of the first right one).
    """
    judged = frame[frame.right.notna()]
    units = judged.family.to_numpy(str)
    return {
        "top1": stats.rate(judged.right.to_numpy(bool), units, draws, rng),
        "recall3": stats.mean(judged.recall3.to_numpy(float), units, draws, rng),
        "mrr": stats.mean(judged.reciprocal_rank.to_numpy(float), units, draws, rng),
    }


def margins(frame: pd.DataFrame, signal: str, sizes: Sequence[int], draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return, for each size, the distribution of the margin over subsamples of so many questions of each kind."""
    legitimate, impostors, units_in, units_out = populations(frame, signal)
    rows = []
    for size in sizes:
        if size > min(len(legitimate), len(impostors)):
            continue
        drawn = stats.margin_by_size(legitimate, impostors, units_in, units_out, size, draws, rng)
        low, median, high = np.percentile(drawn, [5, 50, 95])
        rows.append({"size": size, "negative": float((drawn < 0).mean()), "low": low, "median": median, "high": high, "draws": draws})
    return pd.DataFrame(rows)


# --- SQuAD ----------------------------------------------------------------------------------------------

HALVES = ("even", "odd")


def squad_half(squad: Squad, half: str) -> tuple[Corpus, list[Question]]:
    """Return the paragraphs of the even or odd articles as corpus, and every question of the file.

    Questions about the other half's articles are the impostors; the family of a question is its article.
    """
    parity = HALVES.index(half)
    documents = tuple(Document(p.id, p.title, p.text) for p in squad.paragraphs if p.article % 2 == parity)
    questions = []
    for paragraph in squad.paragraphs:
        inside = paragraph.article % 2 == parity
        for asked in paragraph.questions:
            questions.append(
                Question(
                    asked.id,
                    asked.text,
                    "in" if inside else "out",
                    (paragraph.id,) if inside else (),
                    half,
                    f"{paragraph.article:03d}",
                )
            )
    return Corpus(documents, f"{half} articles"), questions


def squad_scores(squad: Squad, embedder: Embedder) -> dict[str, pd.DataFrame]:
    """Return, for either half indexed, `score_questions` of every question of the file.

    Raises InputError unless both halves have questions: one half's are the other's impostors.
    """
    if len({p.article % 2 for p in squad.paragraphs if p.questions}) < 2:
        raise InputError(
            f"a SQuAD file needs questions in articles of both halves (even, odd); this one has {len(squad.articles)} articles."
        )
    frames = {}
    for half in HALVES:
        corpus, questions = squad_half(squad, half)
        frames[half] = score_questions(Index(corpus, embedder), questions)
    return frames


def squad_margins(
    squad: Squad, embedder: Embedder, half: str, sizes: Sequence[int], repeats: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Return the margin as the corpus grows: so many articles of one half indexed, all their questions asked.

    The impostors are the questions on the other half's articles. One row a draw of articles: articles,
    paragraphs, legitimate and impostor questions, margin.
    """
    corpus, questions = squad_half(squad, half)
    if not corpus.documents:
        return pd.DataFrame()
    scores = Index(corpus, embedder).scores([q.question for q in questions])
    article_of_document = np.array([d.id[:3] for d in corpus.documents])
    article_of_question = np.array([q.family for q in questions])
    legitimate = np.array([q.label == "in" for q in questions])
    articles = np.unique(article_of_document)
    rows = []
    for size in sizes:
        if size > len(articles):
            continue
        for _ in range(1 if size == len(articles) else repeats):
            chosen = rng.choice(articles, size, replace=False)
            columns = np.isin(article_of_document, chosen)
            best = scores[:, columns].max(1)
            asked = legitimate & np.isin(article_of_question, chosen)
            rows.append(
                {
                    "articles": size,
                    "paragraphs": int(columns.sum()),
                    "legitimate": int(asked.sum()),
                    "impostors": int((~legitimate).sum()),
                    "margin": round(stats.margin(best[asked], best[~legitimate]), 6),
                }
            )
    return pd.DataFrame(rows)
