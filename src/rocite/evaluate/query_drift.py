"""Whether what is asked still looks like the gold set: logged questions beside gold questions.

Decides how near a logged question is to the gold set by shared words alone, so that no retriever under test has a say, and
compares the retriever's best scores in log and gold. Shared words say little of one question; only shares are judged, and
what would be expected without drift is read from the gold set itself: how near its questions are to those of other families.
Refuses to call a small log's silence anything but `not shown`. What can be read as a log is `rocite.evaluate.query_log`'s.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rocite import stats
from rocite.corpus import Corpus
from rocite.evaluate import retrieval
from rocite.evaluate.gold import Item
from rocite.evaluate.query_log import Logged
from rocite.language.guess import language_of
from rocite.retrieve import Retriever
from rocite.retrieve.bm25 import DEFAULT_LANGUAGE, analyse
from rocite.stats import Estimate
from rocite.text import fold, normalise

NEAR_QUESTION = 0.15  # tf-idf cosine from which on a gold question is near, inclusive; 1 gold question in 6 has none in another family
ALPHA = 0.01  # the p-value below which the best scores count as moved
NEW_WORD = 2  # different questions that must have a word before it is listed as new
BATCH, ROOM = 500, 2_500_000  # permutations at a time, and scores at a time in all of them
SHORTEST = 4  # letters of such a word
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Near:
    """A logged question, its nearest gold question, how near it is, and its best retrieval score (None: nothing retrieved)."""

    logged: Logged
    item: Item
    cosine: float
    best: float | None


@dataclass(frozen=True)
class Spread:
    """Where scores lie: how many, mean and quartiles; `without` counts questions that retrieved nothing."""

    count: int
    without: int
    mean: float | None
    quartiles: tuple[float, float, float] | None


@dataclass(frozen=True)
class QueryDrift:
    """Log beside gold. `far` and `expected` are shares without a near gold question, in the log and between gold families.

    `statistic` is the Kolmogorov-Smirnov distance of the best scores, `p` its permutation p-value; None with fewer than
    two questions on a side. `languages` and `words` count different questions: (language or word, log, gold).
    """

    questions: tuple[Near, ...]
    far: Estimate
    expected: Estimate
    log_scores: Spread
    gold_scores: Mapping[str, Spread]
    statistic: float | None
    p: float | None
    languages: tuple[tuple[str, int, int], ...]
    words: tuple[tuple[str, int], ...]
    different: tuple[int, int]

    @property
    def reasons(self) -> list[str]:
        """What shows drift, in words; empty when nothing does."""
        found = []
        if self.far.low is not None and self.expected.high is not None and self.far.low > self.expected.high:
            found.append(
                "more logged questions lack a near gold question than gold questions of other families do; their intervals do not meet"
            )
        if self.p is not None and self.p < ALPHA:
            found.append(f"the best scores of log and gold are distributed otherwise (p < {ALPHA})")
        return found


def cosines(asked: Sequence[str], known: Sequence[str]) -> np.ndarray:
    """Return the tf-idf cosine of the stems of each asked and each known question, shape (asked, known).

    Weights come from the known questions alone; a stem that none of them has weighs as the rarest would, so that a question
    which shares its only known word is far all the same.

    >>> cosines(["Cât costă inspecția?", "Cât costă pașaportul?"], ["Cât costă inspecțiile?"]).round(2).tolist()
    [[1.0], [0.36]]
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(analyzer=_stems, norm=None, sublinear_tf=True)
    try:
        gold = vectorizer.fit_transform(known)
    except ValueError:  # not one stem in all of them
        return np.zeros((len(asked), len(known)))
    log = vectorizer.transform(asked)
    unknown = np.array([len(set(_stems(q)) - vectorizer.vocabulary_.keys()) for q in asked])
    rarest = np.log(1 + len(known)) + 1  # scikit-learn's smoothed idf of a stem in no question
    norms, lengths = np.sqrt(_squares(log) + unknown * rarest**2), np.sqrt(_squares(gold))
    return (log @ gold.T).toarray() / np.maximum(norms[:, None] * lengths[None, :], 1e-12)


def _squares(rows) -> np.ndarray:
    return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()


def query_drift(
    logged: Sequence[Logged],
    items: Sequence[Item],
    corpus: Corpus,
    retriever: Retriever,
    at: str,
    near: float = NEAR_QUESTION,
    draws: int = 2000,
    seed: int = 1,
) -> QueryDrift:
    """Compare logged questions with the gold items; `at` is the date asked about where the log has none."""
    asked = [Item(f"log-{n}", q.question, "", fold(q.question), at=q.at or at, scope=q.scope) for n, q in enumerate(logged)]
    similar = np.round(cosines([q.question for q in asked], [i.question for i in items]), 6)
    closest = similar.argmax(1)
    log_ranked, gold_ranked = (retrieval.rank(of, corpus, retriever) for of in (asked, items))
    nearest = [Near(q, items[c], float(row[c]), r.best) for q, row, c, r in zip(logged, similar, closest, log_ranked, strict=True)]
    far = stats.rate(np.array([n.cosine < near for n in nearest]), np.array([a.family for a in asked]), draws, np.random.default_rng(seed))
    statistic, p = _distance(log_ranked, gold_ranked, draws, np.random.default_rng(seed))
    groups = {"all": gold_ranked, "answerable": [r for r in gold_ranked if r.item.answerable]}
    groups["unanswerable"] = [r for r in gold_ranked if not r.item.answerable]
    different = list({a.family: a.question for a in asked}.values())
    return QueryDrift(
        tuple(nearest),
        far,
        _expected(items, near, draws, seed),
        _spread(log_ranked),
        {name: _spread(ranked) for name, ranked in groups.items()},
        statistic,
        p,
        _languages(different, [i.question for i in items]),
        _new_words(different, [i.question for i in items]),
        (len(different), len(items)),
    )


def _expected(items: Sequence[Item], near: float, draws: int, seed: int) -> Estimate:
    """Denominator: gold items. The share without a near gold question of another family."""
    families = np.array([i.family for i in items])
    similar = np.round(cosines([i.question for i in items], [i.question for i in items]), 6)
    similar[families[:, None] == families[None, :]] = -1
    return stats.rate(similar.max(1) < near, families, draws, np.random.default_rng(seed))


def _distance(log: Sequence[retrieval.Ranked], gold: Sequence[retrieval.Ranked], draws: int, rng: np.random.Generator):
    """The distance of two samples with one score for each unit, its first: the different questions of the log, the gold families."""
    from scipy.stats import permutation_test

    samples = [
        np.array([r.best for r in {r.item.family: r for r in reversed(ranked)}.values() if r.best is not None]) for ranked in (log, gold)
    ]
    if min(map(len, samples)) < 2:
        return None, None
    batch = max(1, min(BATCH, ROOM // sum(map(len, samples))))  # a log of 100,000 questions stays under 200 MB
    found = permutation_test(samples, ks_distance, vectorized=True, n_resamples=draws, batch=batch, alternative="greater", rng=rng)
    return round(float(found.statistic), 6), float(found.pvalue)


def ks_distance(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return the Kolmogorov-Smirnov distance: the largest difference of two samples' empirical distribution functions.

    >>> float(ks_distance(np.array([1.0, 2.0, 2.0]), np.array([2.0, 3.0])).round(3))
    0.5
    """
    a, b = np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)
    both = np.concatenate([a, b], axis=-1)
    order = both.argsort(axis=-1, kind="stable")
    ordered = np.take_along_axis(both, order, axis=-1)
    apart = np.abs(np.where(order < a.shape[-1], 1 / a.shape[-1], -1 / b.shape[-1]).cumsum(axis=-1))
    last = np.concatenate([ordered[..., 1:] != ordered[..., :-1], np.ones((*ordered.shape[:-1], 1), bool)], axis=-1)  # of equal scores
    return np.where(last, apart, 0).max(axis=-1)


def _spread(ranked: Sequence[retrieval.Ranked]) -> Spread:
    scores = np.array([r.best for r in ranked if r.best is not None])
    if not len(scores):
        return Spread(0, len(ranked), None, None)
    low, middle, high = np.percentile(scores, [25, 50, 75])
    return Spread(len(scores), len(ranked) - len(scores), float(scores.mean()), (float(low), float(middle), float(high)))


def _stems(question: str) -> list[str]:
    return analyse(question, language_of(question) or DEFAULT_LANGUAGE)


def _languages(log: Sequence[str], gold: Sequence[str]) -> tuple[tuple[str, int, int], ...]:
    counts = [Counter(map(language_of, texts)) for texts in (log, gold)]
    return tuple((lang, counts[0][lang], counts[1][lang]) for lang in ("ro", "en", ""))


def _new_words(log: Sequence[str], gold: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Words of four letters or more whose stem no gold question has, each by its commonest form, with how many logged questions have it."""
    known = {stem for question in gold for stem in _stems(question)}
    forms: dict[str, Counter[str]] = {}
    for question in log:
        lang = language_of(question) or DEFAULT_LANGUAGE
        words = dict.fromkeys(w for w in _WORD.findall(normalise(question).lower()) if len(w) >= SHORTEST)
        own = {stem: fold(w) for w in words for stem in analyse(w, lang)}
        for stem in own.keys() - known:
            forms.setdefault(stem, Counter())[own[stem]] += 1
    counted = [(min(form, key=lambda w: (-form[w], w)), form.total()) for form in forms.values()]
    return tuple(sorted(((w, n) for w, n in counted if n >= NEW_WORD), key=lambda pair: (-pair[1], pair[0])))
