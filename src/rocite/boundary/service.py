"""One request all the way: examined, routed, written, checked, released or not, logged, escalated.

What leaves this module for the asker is made of what the asker may see, and of nothing else: the documents that a
request may not see are left out before anything is ranked, and whether one of them would have answered is looked up
apart, for every request alike, and written to the restricted log alone. A response without an answer is released at a
whole multiple of the pace, so that its time does not tell why there is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rocite import check, retention
from rocite.audit import AuditLog
from rocite.boundary import release, routes
from rocite.boundary.bundle import Bundle
from rocite.boundary.bundle_parts import document_digest
from rocite.boundary.evidence import SIGNALS, Picker, parallel
from rocite.boundary.examine import Examiner
from rocite.boundary.found import Examination, Pick, Request
from rocite.boundary.policy import Gate, Limits, Policy
from rocite.boundary.tickets import Queue, QueueFull, QueueUnavailable
from rocite.check import Judgement
from rocite.corpus import Corpus, Document
from rocite.embed import Embedder
from rocite.gates.base import Settings
from rocite.generate import Generation, Generator
from rocite.language.statements import Statement
from rocite.prompt import grounded


@dataclass(frozen=True)
class Terms:
    """How the service is run: pace and longest check in seconds, who gets what no document's owner can decide, targets in hours."""

    pace: float = 0.5
    check_seconds: float = 10.0
    owner: str = "service desk"
    hours: float = 48.0
    hours_high: float = 8.0
    retention_days: int = 90

    @classmethod
    def of(cls, values: dict[str, object]) -> Terms:
        """Return the terms that a run's parameters mean."""
        return cls(
            float(values["pace"]),
            float(values["check_seconds"]),
            str(values["service_owner"]),
            float(values["response_hours"]),
            float(values["response_hours_high"]),
            int(values["retention_days"]),
        )


@dataclass(frozen=True)
class Response:
    """What the asker is given, and what is behind it for who may see it. `reason` is the one that may be told.

    `shown` are the documents that are named with it: the sources of an answer, or those whose owners decide.
    `ticket` is True where somebody was asked, False where the queue was full or away, None where nobody has to be.
    """

    request: Request
    route: str
    reason: str
    answer: str
    shown: tuple[Document, ...]
    ticket: bool | None
    record: str | None
    examination: Examination
    generation: Generation | None
    judgement: Judgement | None
    sentences: tuple[dict, ...] = ()
    high_impact: bool = False
    seconds: dict | None = None


class Service:
    """A corpus, a policy, a generator and a check, with a log, a restricted log and a queue."""

    def __init__(
        self,
        desk: Examiner,
        policy: Policy,
        generator: Generator,
        settings: Settings,
        terms: Terms,
        queue: Queue | None,
        log: AuditLog | None,
        restricted: AuditLog | None,
        bundle: str = "",
        shadow: Bundle | None = None,
        judge: Callable[..., Judgement] = check.judge,
    ):
        self.desk, self.policy, self.generator, self.settings, self.terms = desk, policy, generator, settings, terms
        self.queue, self.log, self.restricted, self.bundle, self.shadow = queue, log, restricted, bundle, shadow
        self._judge = judge

    def ask(self, request: Request) -> Response:
        """Return what becomes of `request`. Raises InputError for an empty question, RociteError when it cannot be logged."""
        start = time.monotonic()
        spent: dict[str, float] = {}
        found = self._timed(spent, "gate", lambda: self.desk.examine(request))
        denied = self._timed(spent, "restricted", lambda: self._denied(found))
        reason, written, judgement = self._decided(found, spent)
        response = self._response(found, reason, written, judgement)
        response = self._recorded(response, denied)
        if response.route != routes.ANSWER:
            self._wait(start)
        spent["whole"] = time.monotonic() - start
        return replace(response, seconds={k: round(v, 4) for k, v in spent.items()})

    # --- deciding -------------------------------------------------------------------------------------------------

    def _decided(self, found: Examination, spent: dict) -> tuple[str, Generation | None, Judgement | None]:
        reason = self.policy.decide(found)
        if reason != routes.SUFFICIENT:
            return reason, None, None
        corpus = self.desk.pool(found.request.scope).corpus
        shown = release.shown_to_generator(found, corpus)
        written = self._timed(spent, "generation", lambda: self.generator.generate(grounded(found.request.question, shown)))
        laid = release.fragments(found, corpus, self.desk.pool(found.request.scope).similarity(found.request.question))

        settings = release.settings_for(found, corpus, self.settings)

        def judge() -> Judgement:
            # as the cases were measured: no language is declared for the answer, so that a number which reads two ways fails
            return self._judge(found.request.question, laid, written.text, settings, "strict")

        judgement, broken = self._timed(spent, "check", lambda: release.checked(judge, self.terms.check_seconds))
        if judgement is None:
            return broken, written, None
        if judgement.verdict == "abstained":
            return routes.ABSTAINED, written, judgement
        return (reason if judgement.verdict == "accepted" else routes.UNSUPPORTED), written, judgement

    def _denied(self, found: Examination) -> tuple[str, ...]:
        """The scopes of a document that this request may not see and that comes nearer than anything it may; () for none.

        Looked up for every request, whatever its route, so that doing it tells nothing. No text of the document is kept.
        """
        hidden = self.desk.hidden(found.request)
        return hidden.scopes if hidden is not None and hidden.score > hidden.visible else ()

    def _response(self, found: Examination, reason: str, written: Generation | None, judgement: Judgement | None) -> Response:
        route = routes.ROUTE_OF[reason]
        corpus = self.desk.pool(found.request.scope).corpus
        answer, sentences = "", ()
        if route == routes.ANSWER:
            sentences = judgement.sentences
            answer = " ".join(s["text"] for s in sentences)
            shown = tuple(corpus[i] for i in judgement.sources)
        elif reason in routes.TO_THE_OWNER:
            shown = _owners(found, reason, corpus)
        else:
            shown = ()
        concerned = (*shown, *(corpus[p.document] for p in found.picks))
        high = any(d.field("impact") == "high" for d in concerned)
        return Response(found.request, route, reason, answer, shown, None, None, found, written, judgement, tuple(sentences), high)

    # --- recording ------------------------------------------------------------------------------------------------

    def _recorded(self, response: Response, denied: Sequence[str]) -> Response:
        """Log the decision, ask whoever has to decide, and write a denial to the restricted log."""
        record = self.log.append(self._entry(response)) if self.log else None
        ticket = self._ticket(response, record or "")
        if self.restricted is not None:
            entry = {"kind": "restricted", "of": record, "denied": bool(denied) and response.route != routes.ANSWER}
            entry |= {
                "route": routes.DENY if entry["denied"] else response.route,
                "reason": routes.SCOPE if entry["denied"] else response.reason,
                "scopes": list(denied),
                "retain_until": retention.until(self.terms.retention_days),
            }
            self.restricted.append(entry)
        return replace(response, record=record, ticket=ticket)

    def _entry(self, response: Response) -> dict:
        found, pool = response.examination, self.desk.pool(response.request.scope)
        corpus, similarity = pool.corpus, pool.similarity(response.request.question)
        entry = {
            "kind": "boundary",
            "question": response.request.question,
            "asked": {"scope": sorted(response.request.scope), "at": response.request.at, "asset": response.request.asset},
            "route": response.route,
            "reason": response.reason,
            "bundle": self.bundle,
            "policy": self.policy.name,
            "probability": self.policy.gate.probability(found.signs) if found.picks else None,
            "signs": {k: round(v, 6) for k, v in found.signs.items()},
            "fragments": [{"id": name, "score": similarity[name]} for name in found.context],
            "evidence": [{"id": p.document, "position": p.position, "revision": corpus[p.document].revision} for p in found.picks],
            "against": {name: document for name, (document, _) in found.against.items() if document},
            "corpus": {"name": corpus.name, "digest": corpus.digest},
            "settings": {**asdict(release.settings_for(found, corpus, self.settings)), "documents": self.desk.documents},
            "embedder": self.desk.embedder.identity,
            "scopes": sorted({s for p in found.picks for s in corpus[p.document].scopes}),
            "retain_until": retention.until(self.terms.retention_days),
        }
        if self.shadow is not None:
            reason = self.shadow.policy_object.decide(found)
            entry["shadow"] = {"bundle": self.shadow.short, "reason": reason, "route": routes.ROUTE_OF[reason]}
        if response.generation is not None:
            facts = asdict(response.generation)
            entry |= {"answer": facts.pop("text"), "generation": facts}
        if response.judgement is not None:
            judged = response.judgement.as_dict()
            entry |= {"gates": "strict", **judged, "reason": response.reason, "judged": judged["reason"]}
        else:
            entry |= {"verdict": "refused", "failed": [], "gate": None}
        return entry

    def _ticket(self, response: Response, record: str) -> bool | None:
        if response.route in (routes.ANSWER, routes.CLARIFY):
            return None
        if self.queue is None:
            return False
        owners = dict.fromkeys(d.field("owner") or self.terms.owner for d in response.shown) or {self.terms.owner: None}
        hours = self.terms.hours_high if response.high_impact else self.terms.hours
        sources = [f"{d.id} {d.revision}".strip() for d in response.shown]
        try:
            for owner in owners:
                self.queue.put(record, owner, routes.outward(response.reason), response.request.question, sources, hours)
        except (QueueFull, QueueUnavailable):
            return False
        return True

    # --- time -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _timed(spent: dict[str, float], name: str, work: Callable):
        start = time.monotonic()
        try:
            return work()
        finally:
            spent[name] = time.monotonic() - start

    def _wait(self, start: float) -> None:
        """Wait until a whole multiple of the pace has passed since `start`."""
        if self.terms.pace <= 0:
            return
        passed = time.monotonic() - start
        until = start + (int(passed / self.terms.pace) + 1) * self.terms.pace
        time.sleep(max(0.0, until - AWAKE - time.monotonic()))
        while time.monotonic() < until:  # how late a sleeper wakes depends on how long it slept, which is what must not show
            pass


def _owners(found: Examination, reason: str, corpus: Corpus) -> tuple[Document, ...]:
    """The documents whose owners decide: the one that the evidence was picked from, and the one that stands against it."""
    sign = {routes.STALE: "retired", routes.REVISION: "edition", routes.CONFLICT: "rival"}[reason]
    against = found.against.get(sign, ("", ""))[0]
    own = contradicted(found) if reason == routes.CONFLICT else found.picks[0]
    names = [own.document, against] if reason != routes.STALE else [against]
    return tuple(corpus[n] for n in dict.fromkeys(names) if n)


def contradicted(found: Examination) -> Pick:
    """Return the pick that the statement against it contradicts: the one that is most like it."""
    rival = Statement(found.against["rival"][1])
    return max(found.picks, key=lambda p: (parallel(Statement(p.text), rival), -p.position))


AWAKE = 0.005  # seconds before a response is released in which the wait does not sleep
UNASSESSED = Policy("routes, no estimate of sufficiency", Limits(0.5, 2.0, 0.6, 4.0), Gate((), (), 0.0), None)
"""Hard boundaries with limits in the middle of what training tries; for documents and models that no bundle was assessed on."""
BY_HAND = Picker(tuple(float(name in ("near", "near_alone", "words", "relevance", "coverage", "translated", "fits")) for name in SIGNALS))
"""Equal weights for the signals that tell of the question, where no bundle's weights belong to the embedder."""


def prepared(corpus: Corpus, embedder: Embedder, bundle: Bundle | None, documents: int) -> tuple[Examiner, Policy, bool]:
    """Return the examiner and the policy for `corpus`, and whether the bundle was assessed on these documents and this embedder.

    A bundle's weights go with its embedder, its policy with its documents too: where all of these are documents that it was
    assessed on. Elsewhere the hard boundaries and the support check stand alone.
    """
    if bundle is None or bundle.embedder["identity"] != embedder.identity:
        return Examiner(corpus, embedder, BY_HAND, documents), UNASSESSED, False
    known = all(bundle.index["documents"].get(d.id) == document_digest(d) for d in corpus.documents)
    desk = Examiner(corpus, embedder, bundle.picker_object, bundle.documents)
    return desk, bundle.policy_object if known else UNASSESSED, known


def logs(folder: Path) -> tuple[AuditLog, AuditLog]:
    """Return the ordinary and the restricted log of an audit folder."""
    return AuditLog(folder / "ask.jsonl"), AuditLog(folder / "restricted.jsonl", mode=0o600)
