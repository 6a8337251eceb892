"""Experiments on retrieval: what a filter, a way of cutting documents or a language in common does to the figures.

Each compares by name; nothing is chosen here. What a filter would do is seen by leaving it out: the documents that it
keeps away are then ranked with the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from rocite.corpus import Corpus, visible
from rocite.evaluate import retrieval
from rocite.evaluate.gold import Item
from rocite.evaluate.retrieval import Ranked, View, row_of
from rocite.retrieve import Retriever


def _everything(corpus: Corpus, scopes: tuple[str, ...], at: str | None) -> Corpus:
    return corpus


def _any_date(corpus: Corpus, scopes: tuple[str, ...], at: str | None) -> Corpus:
    return visible(corpus, scopes, None)


def _any_scope(corpus: Corpus, scopes: tuple[str, ...], at: str | None) -> Corpus:
    every = {s for d in corpus.documents for s in d.scopes}
    return visible(corpus, tuple(sorted(every)), at)


def _without_circulars(corpus: Corpus, scopes: tuple[str, ...], at: str | None) -> Corpus:
    kinds = {d.field("authority") for d in corpus.documents}
    return visible(corpus, scopes, at, tuple(sorted(kinds - {"circular"})))


FILTERS: dict[str, View] = {
    "none": _everything,
    "scope": _any_date,
    "validity and revision": _any_scope,
    "scope, validity and revision": visible,
    "these and authority (no circulars)": _without_circulars,
}


def filters(items: Sequence[Item], corpus: Corpus, retriever: Retriever, k: int, draws: int, seed: int) -> pd.DataFrame:
    """Return, for each set of filters, recall at `k`, and how often a retired or a forbidden document is among the first `k`.

    Columns: filters, metric, value, numerator, denominator, low, high, units.
    """
    forbidden = retrieval.Metric(f"forbidden@{k}", k, lambda r: float(bool(set(r.ids[:k]) & hidden[r.item.scope])))
    hidden = {scope: set(corpus.ids) - set(visible(corpus, scope).ids) for scope in {i.scope for i in items}}
    rows = []
    for name, view in FILTERS.items():
        ranked = retrieval.rank(items, corpus, retriever, view)
        for metric in (retrieval.recall(k), retrieval.mean_reciprocal_rank(), retrieval.superseded(k), forbidden):
            found = metric.estimate(ranked, draws, seed)
            rows.append({"filters": name, "metric": metric.name, **row_of(found)})
    return pd.DataFrame(rows)


SAME, BOTH, OTHER = "same language", "both languages", "other language"


def crossing(item: Item, corpus: Corpus) -> str:
    """Return "same language" when every document that answers is in the question's, "other language" when none is, else "both languages"."""
    own = {corpus[d].lang == item.lang for d in item.docs}
    return SAME if own == {True} else OTHER if own == {False} else BOTH


def by_language(ranked_by: dict[str, Sequence[Ranked]], corpus: Corpus, k: int, draws: int, seed: int) -> pd.DataFrame:
    """Return recall at `k` of each retriever by whether question and documents share their language.

    Columns: retriever, documents (as `crossing` has it), value, numerator, denominator, low, high, units.
    """
    rows = []
    for name, ranked in ranked_by.items():
        for kind in (SAME, BOTH, OTHER):
            group = [r for r in ranked if r.item.answerable and crossing(r.item, corpus) == kind]
            found = retrieval.recall(k).estimate(group, draws, seed)
            rows.append({"retriever": name, "documents": kind, **row_of(found)})
    return pd.DataFrame(rows)


def chunking(
    items: Sequence[Item], corpus: Corpus, retrievers: Sequence[Retriever], k: int, draws: int, seed: int, words: int
) -> list[dict]:
    """Return, for each retriever (whose name says how documents are cut), what its chunks find.

    `passage@k`: the share of needs of which one of the first `k` chunks holds the whole passage. As chunks differ in
    length, `passage@N words` says the same of as many chunks as fit into `words` words (at least one), and recall at
    `k` and coverage count documents, each by its best chunk.
    """
    rows = []
    for retriever in retrievers:
        pieces = retrieval.rank_chunks(items, corpus, retriever)
        whole = retrieval.rank(items, corpus, retriever)
        lengths = _lengths(corpus, retriever)
        mean_words = float(np.mean([sum(lengths[i] for i in r.ids[:k]) for r in pieces]))
        fitting = retrieval.Metric(f"passage@{words} words", None, lambda r, lengths=lengths: r.recall(_fit(r.ids, lengths, words)))
        measured = [
            (retrieval.Metric(f"passage@{k}", k, lambda r: r.recall(k)), pieces),
            (fitting, pieces),
            (retrieval.recall(k), whole),
            (retrieval.coverage(k), whole),
        ]
        for metric, ranked in measured:
            found = metric.estimate(ranked, draws, seed)
            rows.append({"retriever": retriever.name, "metric": metric.name, "words": round(mean_words), **row_of(found)})
    return rows


def _lengths(corpus: Corpus, retriever: Retriever) -> dict[str, int]:
    return {c.id: len(c.text.split()) for c in retriever.over(corpus).chunks}


def _fit(ids: Sequence[str], lengths: dict[str, int], words: int) -> int:
    """How many of the first chunks have `words` words together, at least one."""
    held = np.cumsum([lengths[i] for i in ids])
    return max(1, int((held <= words).sum()))
