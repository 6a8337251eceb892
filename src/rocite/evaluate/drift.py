"""Whether the documents or the embedder moved since the baseline, and which gold items that touches.

Decides what of a corpus differs from its snapshot and which gold items a person has to read again, each with the reason;
and whether a candidate retriever is better than the one in use, from a paired bootstrap over families. Refuses to call a
candidate better when nothing shows it: `not shown` is a verdict of its own. Items are never relabelled here. What is asked
is `rocite.evaluate.query_drift`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocite import corpus as documents
from rocite import questions
from rocite.corpus import Corpus, Document, visible
from rocite.evaluate import gold, retrieval
from rocite.evaluate.gold import PARTS, Item, Passage
from rocite.evaluate.retrieval import Metric, Ranked
from rocite.records import read_jsonl, sha256_of, sha256_of_file
from rocite.retrieve.bm25 import analyse, language
from rocite.stats import Estimate

NEAR_DOCUMENT = 0.6  # a document is near a passage from this share of the passage's words on, inclusive
_QUIET = frozenset({"checked"})  # a document that was only looked through again needs no review


# --- documents -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Snapshot:
    """A corpus at one time: its digest, every document's fields with the body's digest, and the gold passages.

    `passages` is how many gold passages were looked for, `fallen` names those that did not stand even then.
    """

    digest: str
    documents: Mapping[str, Mapping[str, str]]
    passages: int = 0
    fallen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """One difference between a snapshot and a corpus: ``added``, ``removed``, ``body``, ``metadata`` or ``superseded``."""

    kind: str
    document: str
    what: str


@dataclass(frozen=True)
class Review:
    """A gold item that a person has to read again, and why."""

    item: Item
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class CorpusDrift:
    """All changes, and the items to review out of `items`."""

    changes: tuple[Change, ...]
    reviews: tuple[Review, ...]
    items: int


def snapshot(corpus: Corpus, items: Sequence[Item] = ()) -> Snapshot:
    """Return what `corpus_drift` has to know later: documents by id, and which passages of `items` stand today."""
    placed = {d.id: d for d in corpus.documents}
    wanted = [(item.id, passage) for item in items for passage in _passages(item)]
    fallen = tuple(f"{name}: {p.doc}" for name, p in wanted if p.doc not in placed or p.quote not in placed[p.doc].body)
    return Snapshot(corpus.digest, {name: _fields(d) for name, d in placed.items()}, len(wanted), fallen)


def corpus_drift(old: Snapshot, corpus: Corpus, items: Sequence[Item]) -> CorpusDrift:
    """Return what differs between `old` and `corpus`, and which of `items` have to be reviewed."""
    changes = tuple(_changes(old.documents, {d.id: _fields(d) for d in corpus.documents}))
    reader = _Reader(old, corpus, changes)
    found = [Review(item, tuple(dict.fromkeys(reader.reasons(item)))) for item in items]
    return CorpusDrift(changes, tuple(r for r in found if r.reasons), len(items))


def items_of(path: Path | str) -> tuple[list[Item], str]:
    """Return the items of a gold set and its version without holding them against a corpus, which may have moved from under them.

    Raises InputError naming file and line for an item that cannot be read at all.
    """
    path = Path(path)
    with gold.reading(path):
        return _items_of(path), sha256_of_file(path)


def _items_of(path: Path) -> list[Item]:
    if gold.is_full(path):
        return [gold.read_item(record, f"{path}, item {n}") for n, record in enumerate(read_jsonl(path), start=1)]
    if path.suffix == ".json":
        named = documents.load(path)
    else:
        named = Corpus(tuple(Document(name, "", "") for name in dict.fromkeys(d for q in questions.load(path) for d in q.docs)), path.name)
    return list(gold.load(path, named).items)


def _passages(item: Item) -> list[Passage]:
    return [passage for need in item.needs for passage in need]


def _fields(document: Document) -> dict[str, str]:
    plain = {"title": document.title, "source": document.source, "checked": document.checked, "lang": document.lang}
    return {"body": sha256_of(document.body), **{k: v for k, v in (plain | dict(document.metadata)).items() if v}}


def _changes(old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]) -> Iterator[Change]:
    for name in sorted(new.keys() - old.keys()):
        yield Change("added", name, new[name].get("title", ""))
    for name in sorted(old.keys() - new.keys()):
        yield Change("removed", name, old[name].get("title", ""))
    for name in sorted(old.keys() & new.keys()):
        before, now = old[name], new[name]
        if before.get("body") != now["body"]:
            yield Change("body", name, "its text is another")
        other = [k for k in sorted(before.keys() | now.keys()) if k != "body" and before.get(k) != now.get(k)]
        if other:
            yield Change("metadata", name, "; ".join(f"{k}: {before.get(k, 'none')} -> {now.get(k, 'none')}" for k in other))
    for name, by in sorted(_superseded(new).items()):
        since = [d for d in by if d not in _superseded(old).get(name, ())]
        if since:
            yield Change("superseded", name, f"by {', '.join(since)}")


def _superseded(documents: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, fields in sorted(documents.items()):
        for replaced in filter(None, fields.get("supersedes", "").split("|")):
            found.setdefault(replaced, []).append(name)
    return found


class _Reader:
    """Holds gold items against a corpus and what changed in it."""

    def __init__(self, old: Snapshot, corpus: Corpus, changes: Sequence[Change]):
        self._old, self._corpus = old, corpus
        self._documents = {d.id: d for d in corpus.documents}
        self._of: dict[str, list[Change]] = {}
        for change in changes:
            self._of.setdefault(change.document, []).append(change)
        self._added = [c.document for c in changes if c.kind == "added"]
        self._rewritten = [c.document for c in changes if c.kind == "body"]
        self._terms = {name: _terms(self._documents[name].passage, self._documents[name].lang) for name in self._added + self._rewritten}
        self._seen: dict[tuple, frozenset[str]] = {}

    def reasons(self, item: Item) -> Iterator[str]:
        """Yield every reason to read the item again."""
        inside = self._visible(item.scope, item.at)
        for passage in _passages(item):
            yield from self._of_passage(item, passage, inside)
        for name in item.retired:
            if name in inside:
                yield f"{name}, which must not be in force, is in force on {item.at or 'any date'}"
            elif name not in self._documents:
                yield f"{name}, which must not be retrieved, vanished"
        yield from self._near(item, inside)

    def _of_passage(self, item: Item, passage: Passage, inside: frozenset[str]) -> Iterator[str]:
        name = passage.doc
        if name not in self._documents:
            yield f"{name}, which it needs, {'vanished' if name in self._old.documents else 'is no document of the corpus'}"
            return
        for change in self._of.get(name, ()):
            if change.kind == "body":
                yield f"{name}, which it needs, has another text"
            elif change.kind == "superseded":
                yield f"{name}, which it needs, is superseded {change.what}"
            elif change.kind == "metadata" and (named := [p for p in change.what.split("; ") if p.partition(":")[0] not in _QUIET]):
                yield f"{name}, which it needs, changed in {'; '.join(named)}"
        if passage.quote not in self._documents[name].body:
            yield f"its passage does not stand in {name}: {passage.quote!r}"
        if name not in inside:
            open_to = name in self._visible(item.scope, "")
            yield f"{name}, which it needs, is not {f'in force on {item.at}' if open_to else 'open to the item’s scope'}"

    def _near(self, item: Item, inside: frozenset[str]) -> Iterator[str]:
        """New documents that share the words of a passage; for an unanswerable item, new texts that share the words of its question."""
        passages = [(p, self._documents[p.doc]) for p in _passages(item) if p.doc in self._documents]
        wanted = [(f"its passage in {d.id}", _terms(p.quote or d.body, d.lang), self._added) for p, d in passages]
        if not item.needs:
            wanted = [("its question", _terms(item.question, item.lang), self._added + self._rewritten)]
        for what, words, names in wanted:
            for name in names:
                shared = len(words & self._terms[name])
                if name in inside and name not in item.docs and words and shared / len(words) >= NEAR_DOCUMENT:
                    yield f"{name}, whose text is new, has {shared} of the {len(words)} words of {what}"

    def _visible(self, scope: tuple[str, ...], at: str) -> frozenset[str]:
        if (scope, at) not in self._seen:
            self._seen[scope, at] = frozenset(visible(self._corpus, scope, at or None).ids)
        return self._seen[scope, at]


def _terms(text: str, lang: str) -> frozenset[str]:
    return frozenset(analyse(text, language(lang)))


# --- embedders -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Candidate less baseline in one metric and group of items; the interval is a paired bootstrap over families."""

    metric: str
    k: int | None
    group: str | None
    estimate: Estimate

    @property
    def verdict(self) -> str:
        """``better`` or ``worse`` when the whole interval lies on that side of 0, else ``not shown``."""
        low, high = self.estimate.low, self.estimate.high
        if low is None or low <= 0 <= high:
            return "not shown"
        return "better" if (low > 0) != self.metric.startswith("superseded") else "worse"


@dataclass(frozen=True)
class Moved:
    """An item of which a need is found at `k` by one retriever alone: the rank of its first hit in either, None for no hit."""

    item: Item
    needs: int
    before: int | None
    now: int | None


@dataclass(frozen=True)
class EmbedderDrift:
    """A candidate beside the baseline; `verdict` is what `decide` says."""

    k: int
    differences: tuple[Difference, ...]
    lost: tuple[Moved, ...]
    won: tuple[Moved, ...]
    verdict: str


def embedder_drift(candidate: Sequence[Ranked], baseline: Sequence[Ranked], k: int, draws: int, seed: int) -> EmbedderDrift:
    """Compare two retrievers that ranked the same items in the same order."""
    groups = retrieval.strata(r.item for r in baseline)
    groups |= {f"part:{part}": lambda item, part=part: item.part == part for part in PARTS}
    differences = []
    for group, belongs in groups.items():
        ours, theirs = ([r for r in ranked if belongs(r.item)] for ranked in (candidate, baseline))
        for metric in metrics(k):
            found = retrieval.difference(metric, ours, theirs, draws, seed)
            if found.denominator:
                differences.append(Difference(metric.name, metric.k, group, found))
    return EmbedderDrift(
        k, tuple(differences), _moved(baseline, candidate, k), _moved(baseline, candidate, k, True), decide(differences, k)
    )


def metrics(k: int) -> list[Metric]:
    """The metrics that a candidate is compared in; the first decides whether it is better."""
    return [
        retrieval.recall(k),
        *([retrieval.recall(1)] if k != 1 else []),
        retrieval.mean_reciprocal_rank(),
        retrieval.coverage(k),
        retrieval.superseded(k),
    ]


def decide(differences: Sequence[Difference], k: int) -> str:
    """Return ``worse`` when any metric is shown worse over all items, ``better`` when recall@k is shown better, else ``not shown``.

    >>> up, level = Estimate(0.1, 10, 100, 0.02, 0.18, 50), Estimate(0.0, 0, 100, -0.05, 0.05, 50)
    >>> decide([Difference("recall@5", 5, None, up), Difference("mrr", None, None, level)], 5)
    'better'
    """
    overall = {d.metric: d.verdict for d in differences if d.group is None}
    return "worse" if "worse" in overall.values() else overall.get(f"recall@{k}", "not shown")


def _moved(baseline: Sequence[Ranked], candidate: Sequence[Ranked], k: int, won: bool = False) -> tuple[Moved, ...]:
    found = []
    for before, now in zip(baseline, candidate, strict=True):
        gone = before.satisfied(k) - now.satisfied(k) if not won else now.satisfied(k) - before.satisfied(k)
        if gone:
            found.append(Moved(before.item, len(gone), _first(before), _first(now)))
    return tuple(found)


def _first(ranked: Ranked) -> int | None:
    return next((rank for rank, found in enumerate(ranked.found, start=1) if found), None)
