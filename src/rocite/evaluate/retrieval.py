"""How well a retriever finds the passages that answer: recall at k, reciprocal rank, coverage of several needs, refusal.

Retrieval is judged by itself, before any answer. What is counted are needs, not hits: a need is found once, whatever
number of its passages and whichever of its alternatives is retrieved, so that repeats cannot raise a figure. An item
without needs has no recall; it counts in correct refusal alone. Every figure has its counts and an interval over families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rocite import chunk, stats
from rocite.corpus import Corpus, visible
from rocite.evaluate.gold import PARTS, Item
from rocite.retrieve import Ranker, Retriever, ranking
from rocite.stats import Estimate


@dataclass(frozen=True)
class Ranked:
    """What one question retrieved: the documents in order, and which needs each of them satisfies.

    `best` is the highest score, None when nothing could be retrieved; `found[r]` holds the numbers of the needs that
    rank r + 1 satisfies.
    """

    item: Item
    ids: tuple[str, ...]
    scores: tuple[float, ...]
    found: tuple[frozenset[int], ...]

    @property
    def best(self) -> float | None:
        """The highest score, None when nothing was retrieved."""
        return self.scores[0] if self.scores else None

    def satisfied(self, k: int) -> frozenset[int]:
        """The numbers of the needs that the first `k` satisfy; `k` may be more than there are."""
        return frozenset().union(*self.found[:k])

    def recall(self, k: int) -> float | None:
        """The share of the needs that the first `k` satisfy; None for an item without needs."""
        return len(self.satisfied(k)) / len(self.item.needs) if self.item.needs else None

    @property
    def reciprocal_rank(self) -> float | None:
        """One over the rank of the first document that satisfies a need, 0 when none does; None for an item without needs."""
        if not self.item.needs:
            return None
        return next((1 / rank for rank, found in enumerate(self.found, start=1) if found), 0.0)

    def tied(self, k: int) -> bool:
        """Whether the score at rank `k` and the one behind it are equal, so that an id decided."""
        return 0 < k < len(self.scores) and self.scores[k - 1] == self.scores[k]


View = Callable[[Corpus, tuple[str, ...], str | None], Corpus]


def rank(items: Sequence[Item], corpus: Corpus, retriever: Retriever, view: View = visible) -> list[Ranked]:
    """Rank the documents for every item, in the order of `items`.

    Each item is asked of a ranker over the documents that it may see on its date and over no others; `view` decides
    which those are (experiments look at what happens without).
    """
    return _rank(items, corpus, view, retriever.over, _documents)


def rank_chunks(items: Sequence[Item], corpus: Corpus, retriever: Retriever, view: View = visible) -> list[Ranked]:
    """Rank chunks instead of documents, for a retriever that has one way of cutting them: a need is satisfied by a chunk that holds its passage."""
    return _rank(items, corpus, view, retriever.over, _chunks)


def _rank(items: Sequence[Item], corpus: Corpus, view: View, over: Callable[[Corpus], Ranker], retrieved) -> list[Ranked]:
    groups: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for n, item in enumerate(items):
        groups.setdefault((item.scope, item.at), []).append(n)
    placed: dict[int, Ranked] = {}
    rankers: dict[tuple[str, ...], Ranker] = {}
    for (scope, at), numbers in groups.items():
        seen = view(corpus, scope, at or None)
        if not len(seen):
            placed |= {n: Ranked(items[n], (), (), ()) for n in numbers}
            continue
        key = tuple(seen.ids)
        ranker = rankers.get(key) or rankers.setdefault(key, over(seen))
        ids, scores, satisfy = retrieved(ranker, [items[n].question for n in numbers])
        for n, row in zip(numbers, scores, strict=True):
            order = ranking(row, ids)
            found = satisfy(items[n])
            placed[n] = Ranked(
                items[n],
                tuple(ids[i] for i in order),
                tuple(round(float(row[i]), 6) for i in order),
                tuple(found.get(i, frozenset()) for i in order),
            )
    return [placed[n] for n in range(len(items))]


def _documents(ranker: Ranker, asked: list[str]):
    ids = ranker.corpus.ids
    place = {name: i for i, name in enumerate(ids)}

    def satisfy(item: Item) -> Mapping[int, frozenset[int]]:
        found: dict[int, frozenset[int]] = {}
        for n, need in enumerate(item.needs):
            for name in {p.doc for p in need} & place.keys():
                found[place[name]] = found.get(place[name], frozenset()) | {n}
        return found

    return ids, ranker.scores(asked), satisfy


def _chunks(ranker, asked: list[str]):
    by_document: dict[str, list[tuple[int, chunk.Chunk]]] = {}
    for i, piece in enumerate(ranker.chunks):
        by_document.setdefault(piece.document.id, []).append((i, piece))

    def satisfy(item: Item) -> Mapping[int, frozenset[int]]:
        found: dict[int, frozenset[int]] = {}
        for n, need in enumerate(item.needs):
            for passage in need:
                if passage.doc in by_document:
                    span = passage.span(ranker.corpus)
                    for i, piece in by_document[passage.doc]:
                        if piece.holds(*span):
                            found[i] = found.get(i, frozenset()) | {n}
        return found

    return [c.id for c in ranker.chunks], ranker.chunk_scores(asked), satisfy


# --- metrics ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Metric:
    """A metric: its name is its configuration. `values` gives one value in [0, 1] for each item that counts, None for the others."""

    name: str
    k: int | None
    value: Callable[[Ranked], float | None]

    def estimate(self, ranked: Sequence[Ranked], draws: int, rng: stats.Randomness) -> Estimate:
        """Return the mean over the items that count, with an interval over families; n/a when none counts."""
        values = [(v, r.item.family) for r in ranked if (v := self.value(r)) is not None]
        return stats.mean(np.array([v for v, _ in values]), np.array([f for _, f in values]), draws, rng)


def recall(k: int) -> Metric:
    """Denominator: answerable items. The share of an item's needs that the first `k` documents satisfy, averaged."""
    return Metric(f"recall@{k}", k, lambda r: r.recall(k))


def mean_reciprocal_rank() -> Metric:
    """Denominator: answerable items. One over the rank of the first document that satisfies a need, averaged."""
    return Metric("mrr", None, lambda r: r.reciprocal_rank)


def coverage(k: int) -> Metric:
    """Denominator: items with several needs. The share of those needs that the first `k` documents satisfy, averaged."""
    return Metric(f"coverage@{k}", k, lambda r: r.recall(k) if len(r.item.needs) > 1 else None)


def complete(k: int) -> Metric:
    """Denominator: items with several needs. The share of items of which the first `k` documents satisfy every need."""
    return Metric(f"complete@{k}", k, lambda r: float(r.recall(k) == 1) if len(r.item.needs) > 1 else None)


def superseded(k: int) -> Metric:
    """Denominator: items with documents that are not in force. The share of items with such a document among the first `k`."""
    return Metric(f"superseded@{k}", k, lambda r: float(bool(_names(r.ids[:k]) & set(r.item.retired))) if r.item.retired else None)


def _names(ids: Sequence[str]) -> set[str]:
    """The ids of documents among `ids`, whether these are documents or chunks ("id#1"); an id may itself have a "#"."""
    return {*ids, *(name.rpartition("#")[0] for name in ids)}


def refused(ranked: Sequence[Ranked], share: float) -> list[bool]:
    """Return for each question whether its best score is below the threshold that keeps `share` of answerable ones.

    The threshold of one part is fitted on the answerable items of the other, so that no item has a say in its own;
    where the other part has none, nothing is refused. Nothing retrieved is a refusal.
    """
    thresholds = {}
    for part in PARTS:
        known = [r.best for r in ranked if r.item.answerable and r.item.part != part and r.best is not None]
        thresholds[part] = stats.threshold_keeping(np.array(known), share) if known else -np.inf
    return [r.best is None or r.best < thresholds[r.item.part] for r in ranked]


def refusal_metrics(declined: Mapping[str, bool]) -> list[Metric]:
    """Return correct refusal (of unanswerable items) and, beside it, unnecessary refusal (of answerable ones)."""
    return [
        Metric("correct_refusal", None, lambda r: None if r.item.answerable else float(declined[r.item.id])),
        Metric("unnecessary_refusal", None, lambda r: float(declined[r.item.id]) if r.item.answerable else None),
    ]


GROUPS: dict[str, Callable[[Item], str]] = {
    "": lambda item: item.stratum,
    "lang": lambda item: item.lang,
    "source": lambda item: item.source,
    "difficulty": lambda item: item.difficulty,
}


def strata(items: Iterable[Item]) -> dict[str | None, Callable[[Item], bool]]:
    """Return the groups in which figures are reported, each with who belongs to it: None for all, strata, ``lang:ro``, ``source:user``.

    Groups that the items do not name are left out.
    """
    found: dict[str | None, Callable[[Item], bool]] = {None: lambda item: True}
    items = list(items)
    for prefix, of in GROUPS.items():
        for value in dict.fromkeys(of(i) for i in items):
            if value:
                found[f"{prefix}:{value}" if prefix else value] = lambda item, of=of, value=value: of(item) == value
    return found


def measure(
    retriever: str, ranked: Sequence[Ranked], ks: Sequence[int], admit: float, draws: int, seed: int, part: str | None = None
) -> list[dict]:
    """Return every metric for every group as a row: retriever, metric, k, stratum, value, numerator, denominator, low, high, units.

    `part` limits what is reported; thresholds of refusal come from the other part in any case. Every row starts its own
    generator from `seed`, so that no row depends on which others there are.
    """
    declined = {r.item.id: d for r, d in zip(ranked, refused(ranked, admit), strict=True)}
    metrics = [
        *map(recall, ks),
        mean_reciprocal_rank(),
        *map(coverage, ks),
        *map(complete, ks),
        *map(superseded, ks),
        *refusal_metrics(declined),
    ]
    shown = [r for r in ranked if part is None or r.item.part == part]
    rows = []
    for stratum, belongs in strata(r.item for r in shown).items():
        group = [r for r in shown if belongs(r.item)]
        for metric in metrics:
            found = metric.estimate(group, draws, seed)
            rows.append({"retriever": retriever, "metric": metric.name, "k": metric.k, "stratum": stratum, **row_of(found)})
    return rows


def row_of(found: Estimate) -> dict:
    """Return an estimate's figures as columns."""
    return {
        "value": found.value,
        "numerator": found.numerator,
        "denominator": found.denominator,
        "low": found.low,
        "high": found.high,
        "units": found.units,
    }


def difference(metric: Metric, ours: Sequence[Ranked], theirs: Sequence[Ranked], draws: int, rng: stats.Randomness) -> Estimate:
    """Return the mean difference of a metric between two retrievers on the same items, by a paired bootstrap over families."""
    pairs = [(metric.value(a), metric.value(b), a.item.family) for a, b in zip(ours, theirs, strict=True)]
    pairs = [(a - b, family) for a, b, family in pairs if a is not None and b is not None]
    return stats.paired_difference(np.array([d for d, _ in pairs]), np.array([f for _, f in pairs]), draws, rng)


def ties(ranked: Sequence[Ranked], k: int) -> int:
    """Return how many questions have equal scores on both sides of rank `k`."""
    return sum(r.tied(k) for r in ranked)
