"""What stands behind a request: the context, the statements picked from it, and every sign against an answer.

Looks only at documents that the request may see; what it may not see has no part in any figure here. Among those,
documents in force at the time asked about and of the asset asked about may be evidence. The others are looked at for one
purpose: to tell "nobody states it" from "only a document that is out of force states it".

Signs are measured, not decided: `rocite.boundary.policy` holds them against limits. Whether one document supersedes
another is told by its front matter alone; a later date supersedes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocite.boundary.alike import closeness, contradicts, figures
from rocite.boundary.evidence import SIGNALS, Picker, Pool, best, cells_of, fits
from rocite.boundary.found import SIGNS, Examination, Hidden, Pick, Request
from rocite.boundary.naming import assets_named, edition_asked, parts_of, says, spelled
from rocite.corpus import Corpus, Document, visible
from rocite.embed import Embedder
from rocite.errors import InputError
from rocite.language import translations
from rocite.language.asked_for import asked_for, gives
from rocite.language.statements import Statement
from rocite.text import fold

PARALLEL = 0.55  # weighted share of common words from which two statements count as being about the same thing
ALONE = ("near", "near_alone", "words", "relevance", "coverage", "translated")  # signals that could pick by themselves
ALIKE = 0.42  # the same for statements in two languages, whose likeness is a cosine
NEAR = 40  # statements looked at for a rival, a retired version or a contradiction, best first


class Examiner:
    """A corpus made ready to examine requests; what each set of scopes may see is prepared when first asked for."""

    def __init__(self, corpus: Corpus, embedder: Embedder, picker: Picker, documents: int):
        self.corpus = corpus
        self.embedder = embedder
        self.picker = picker
        self.documents = documents
        self._centre = {lang: np.array(vector) for lang, vector in picker.centre}
        self._scopes = frozenset(s for d in corpus.documents for s in d.scopes)
        self._pools: dict[tuple[str, ...], Pool] = {}

    def pool(self, scope: Sequence[str]) -> Pool:
        """Return the statements that a request with `scope` may see, whatever their date.

        A scope that no document has opens nothing: whatever a request declares, it gets no pool of its own.
        """
        key = tuple(sorted(self._scopes & set(scope)))
        if key not in self._pools:
            self._pools[key] = Pool(visible(self.corpus, key), self.embedder, self._centre)
        return self._pools[key]

    def hidden(self, request: Request) -> Hidden | None:
        """Return how near the documents come that `request` may not see, beside those that it may; None where there are none.

        For the restricted log alone: every statement of every scope is ranked here together, which nothing else does.
        """
        pool = self.pool(tuple(self._scopes))
        seen = set(visible(self.corpus, request.scope, request.at).ids)
        out = set(visible(self.corpus, tuple(self._scopes), request.at).ids) - seen
        if not out:
            return None
        scores = self.picker.scores(pool.signals(request.question, request.lang))
        tops = []
        for ids in (out, seen):
            n = best(scores, np.array([p.document.id in ids for p in pool.places], bool), 1)
            tops.append(n[0] if n else None)
        first, other = tops
        if first is None:
            return None
        return Hidden(
            float(scores[first]), float(scores[other]) if other is not None else float("-inf"), pool.places[first].document.scopes
        )

    def assets(self, scope: Sequence[str]) -> tuple[str, ...]:
        """Return the assets of the documents that a request with `scope` may see."""
        return tuple(sorted({d.asset for d in self.pool(scope).corpus.documents if d.asset}))

    def examine(self, request: Request) -> Examination:
        """Return what stands behind `request`. Raises InputError for an empty question or a date that is none."""
        if not request.question.strip():
            raise InputError("the question is empty.")
        pool = self.pool(request.scope)
        return _Work(self, pool, request).examination()


class _Work:
    """One request being examined."""

    def __init__(self, desk: Examiner, pool: Pool, request: Request):
        self.desk, self.pool, self.request = desk, pool, request
        view = visible(pool.corpus, request.scope, request.at)
        assets = desk.assets(request.scope)
        named = set(assets_named(request.question, assets))
        declared = {a for a in assets if spelled(a).fullmatch(fold(request.asset).strip())} or {request.asset}
        self.assets = declared if request.asset else named
        self.torn = bool(request.asset and named and not named & declared)  # asked about one, declared another
        self.applicable = [d for d in view.documents if not self.assets or d.asset in ("", *self.assets)]
        self.in_force = {d.id for d in view.documents}
        self.signals = pool.signals(request.question, request.lang)
        self.scores = desk.picker.scores(self.signals)
        self.places = pool.places
        kept = pool.documents(self.scores, self._where({d.id for d in self.applicable}), desk.documents)
        self.context = tuple(i for i, _ in kept)
        self.document_scores = [s for _, s in kept]

    def _where(self, ids: set[str] | frozenset[str]) -> np.ndarray:
        return np.array([p.document.id in ids for p in self.places], bool)

    def examination(self) -> Examination:
        parts = parts_of(self.request.question)
        allowed = self._where(set(self.context))
        picked = self._picked(parts, allowed)
        if not picked:
            return Examination(self.request, self.context, (), dict.fromkeys(SIGNS, 0.0), {}, 0.0)
        first = picked[0][0]
        place, score = self.places[first], float(self.scores[first])
        against: dict[str, tuple[str, str]] = {}
        signs = self._measured(picked, parts, allowed)
        retired = self._retired()
        if retired is not None:
            signs["retired"] = float(self.scores[retired]) - score
            against["retired"] = self._told(retired)
        for name, found in (("sister", self._sister(first)), ("sibling", self._sibling(first))):
            if found is not None:
                signs[name] = closeness(score, float(self.scores[found]))
                against[name] = self._told(found)
        if self.torn:
            signs["sister"] = 1.0
        signs["rival"], rival = self._rival(picked)
        if rival is not None:
            against["rival"] = self._told(rival)
        signs["unfixed"] = float(self._unfixed(first))
        edition = edition_asked(self.request.question)
        if edition and place.document.revision and place.document.revision != edition:
            signs["edition"] = 1.0
            against["edition"] = self._other_edition(place.document, edition)
        picks = tuple(
            Pick(self.places[n].document.id, self.places[n].text, self.places[n].statement.position, float(s), part)
            for n, s, part in picked
        )
        return Examination(self.request, self.context, picks, {**dict.fromkeys(SIGNS, 0.0), **signs}, against, self._similarity())

    def _picked(self, parts: list[str], allowed: np.ndarray) -> list[tuple[int, float, str]]:
        """The best statement for the question or, where it has parts, for each of them; one may be the best for several."""
        if not allowed.any() or not says(self.request.question):
            return []
        if len(parts) == 1:
            first = best(self.scores, allowed, 1)[0]
            return [(first, float(self.scores[first]), parts[0])]
        found: dict[int, tuple[int, float, str]] = {}
        for part in parts:
            together = (self.scores + self.desk.picker.scores(self.pool.signals(part, self.request.lang))) / 2
            n = best(together, allowed, 1)[0]
            found.setdefault(n, (n, float(together[n]), part))
        return list(found.values())

    def _measured(self, picked: list[tuple[int, float, str]], parts: list[str], allowed: np.ndarray) -> dict[str, float]:
        first = picked[0][0]
        taken = [n for n, _, _ in picked]
        others = [n for n in best(self.scores, allowed, NEAR) if n not in taken and self.pool.likeness(n, first) < PARALLEL]
        signals = dict(zip(SIGNALS, self.signals[first], strict=True))
        wanted = asked_for(self.request.question)
        known = Statement(self.request.question, lang=self.request.lang).quantities
        said = [self.places[n] for n in taken]
        given = [any(gives(k, p.text, p.statement.quantities, known) for p in said) for k in wanted]
        margin = self.document_scores[0] - self.document_scores[1] if len(self.document_scores) > 1 else 0.0
        return {
            "score": float(self.scores[first]),
            "weakest": min(float(self.scores[n]) for n in taken),
            "agreement": self._agreement(first, allowed),
            "margin": float(self.scores[first] - self.scores[others[0]]) if others else 0.0,
            "coverage": self.pool.covered(self.request.question, self.request.lang, taken),
            "relevance": float(signals["relevance"]),
            "near": float(signals["near"]),
            "words": float(signals["words"]),
            "document_margin": margin,
            "given": float(sum(given)),
            "lacking": float(len(given) - sum(given)),
            "parts": float(len(parts)),
            "other_language": float(signals["other_language"]),
        }

    def _agreement(self, first: int, allowed: np.ndarray) -> float:
        """The share of the signals, each by itself, under which no allowed statement is above the first pick."""
        rows = self.signals[allowed]
        alone = [SIGNALS.index(name) for name in ALONE]
        return float(np.mean([rows[:, n].max() <= self.signals[first, n] for n in alone]))

    def _told(self, n: int) -> tuple[str, str]:
        return self.places[n].document.id, self.places[n].text

    def _nearest(self, allowed: np.ndarray) -> list[int]:
        return best(self.scores, allowed, NEAR) if allowed.any() else []

    def _retired(self) -> int | None:
        """The best statement of a document that is not in force, unless a document in force says the same."""
        out = np.array(
            [p.document.id not in self.in_force and (not self.assets or p.document.asset in ("", *self.assets)) for p in self.places], bool
        )
        current = self._nearest(self._where(self.in_force))
        return next((n for n in self._nearest(out) if all(self.pool.likeness(n, m) < PARALLEL for m in current)), None)

    def _sister(self, first: int) -> int | None:
        """The best parallel statement about another asset, where the request names none."""
        own = self.places[first].document.asset
        if self.assets or not own:
            return None
        other = self._where(self.in_force) & np.array([p.document.asset not in ("", own) for p in self.places], bool)
        return next((n for n in self._nearest(other) if self._differs(first, n)), None)

    def _sibling(self, first: int) -> int | None:
        """The best parallel statement of the same document with other figures, of a class that the question does not name."""
        place = self.places[first]
        own = self._where({place.document.id})
        own[first] = False
        asked = set(Statement(self.request.question).words)
        for n in self._nearest(own):
            other = self.places[n]
            if self._differs(first, n) and not (asked & set(place.statement.words) - set(other.statement.words)):
                return n
        return None

    def _rival(self, picked: list[tuple[int, float, str]]) -> tuple[float, int | None]:
        """The statement of another document in force, of the same asset or of none, that is most like a pick and contradicts it."""
        found: tuple[float, int | None] = (0.0, None)
        for first, _, _ in picked:
            own = self.places[first].document
            other = self._where({d.id for d in self.applicable if d.id != own.id and d.asset in ("", own.asset)})
            for n in self._nearest(other):
                like = self.pool.likeness(n, first)
                if like >= PARALLEL and like > found[0] and contradicts(self.places[n], self.places[first]):
                    found = (like, n)
        return found

    def _unfixed(self, first: int) -> bool:
        """Whether the pick is a row of a table, or a sentence with a condition in figures, of which the question names nothing."""
        statement = self.places[first].statement
        asked = Statement(self.request.question, lang=self.request.lang)
        if statement.text.startswith("|"):
            row = cells_of(statement.text)
            label = Statement(row[0][1] if row else statement.text)
            named = translations.shared(label.words, self.places[first].document.lang or "ro", [asked.key_set])[0] if label.keys else 1.0
            return not named and fits(asked.quantities, label.quantities) <= 0
        conditions = [q for q in statement.quantities if q.open and q.bound in ("over", "under") and q.unit]
        return bool(conditions) and not any(a.unit == c.unit for a in asked.quantities for c in conditions)

    def _differs(self, first: int, n: int) -> bool:
        one, two = self.places[first].statement, self.places[n].statement
        return self.pool.likeness(first, n) >= (
            PARALLEL if self.places[first].document.lang == self.places[n].document.lang else ALIKE
        ) and figures(one) != figures(two)

    def _other_edition(self, document: Document, edition: str) -> tuple[str, str]:
        """The document of the same series in the edition asked for, "" where there is none to be seen."""
        links = [{d.id, *d.supersedes} for d in self.pool.corpus.documents]
        series = {document.id}
        while more := set().union(*(link for link in links if link & series)) - series:
            series |= more
        found = [d.id for d in self.pool.corpus.documents if d.id in series and d.revision == edition]
        return (found[0] if found else "", "")

    def _similarity(self) -> float:
        near = self.pool.similarity(self.request.question)
        return max((near[i] for i in self.context), default=0.0)
