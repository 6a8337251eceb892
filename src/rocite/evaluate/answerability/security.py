"""The security suite: what denied requests get out of the service, whether it would say the same without the documents, and how fast.

Every attempt is asked through the real service and judged by what leaves it. Three questions are kept apart: whether
anything of a protected document shows (`disclosure`), whether anything at all depends on documents that the asker may not
see (`interference`), and whether the time tells a denied request from one that nothing answers (`security_times`). The suite is
in no denominator of answerability.
"""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from rocite.audit import AuditLog
from rocite.boundary import messages, routes
from rocite.boundary.service import Response, Service, logs
from rocite.boundary.tickets import Queue, Ticket
from rocite.corpus import Corpus, visible
from rocite.errors import RociteError
from rocite.evaluate.answerability.attempts import FRAMINGS, PLAIN, Attempt, attempts, plain
from rocite.evaluate.answerability.cases import Case
from rocite.evaluate.answerability.disclosure import Disclosure, disclosures
from rocite.evaluate.answerability.security_times import Times, timing
from rocite.records import dumps
from rocite.stats import LEVEL, Estimate, exact_interval

__all__ = ["FRAMINGS", "PLAIN", "Asked", "Run", "Times", "asker_gets", "attempts", "disclosures", "interference", "run", "timing"]

Factory = Callable[[Corpus, Queue, AuditLog, AuditLog], Service]  # corpus, queue, ordinary and restricted log
Told = Callable[[Response, str], object]  # what the asker gets, as a JSON value; the text is the desk's name

ERROR = "error"  # beside the routes: the request raised, and the asker saw the text of that
PLACES = ("response", "error", "record", "tickets", "counts")
QUEUE = 1_000_000
_NEW = {  # ids, times and hashes, which are others in every run
    "response": ("record",),
    "record": ("record", "time", "previous", "bundle"),
    "tickets": ("id", "record", "created", "changed"),
}
_UNIT = 3600  # seconds in an hour


@dataclass(frozen=True)
class Asked:
    """An attempt with its route, the reason that was told, what showed, and whether the restricted log says that it was denied.

    `leaving` is everything that somebody other than the reader of the restricted log gets, by `PLACES`, as JSON values.
    """

    attempt: Attempt
    route: str
    reason: str
    disclosures: tuple[Disclosure, ...]
    denied: bool
    leaving: dict[str, object]


@dataclass(frozen=True)
class Run:
    """All attempts and all twins, which nothing answers and no document forbids, as they were asked."""

    asked: tuple[Asked, ...]
    twins: tuple[Asked, ...] = ()

    @property
    def disclosed(self) -> Estimate:
        """The attempts that disclosed something over all attempts, with the exact one-sided 95 % upper bound as `high`."""
        return _bounded(sum(bool(a.disclosures) for a in self.asked), len(self.asked))

    @property
    def disclosed_needs(self) -> Estimate:
        """The needs of which an attempt disclosed something over all needs, bounded likewise: attempts of one need are no own units."""
        found = {a.attempt.intent for a in self.asked if a.disclosures}
        return _bounded(len(found), len({a.attempt.intent for a in self.asked}))

    def marked(self, *framings: str) -> tuple[int, int]:
        """Return how many attempts in these framings (none: in any) the restricted log marks as denied, and how many there are."""
        chosen = [a for a in self.asked if not framings or a.attempt.framing in framings]
        return sum(a.denied for a in chosen), len(chosen)

    def totals(self) -> dict:
        """Return the figures of the run as plain JSON values, every count with what it is out of."""
        return {
            "attempts": len(self.asked),
            "requests": len({a.attempt.case for a in self.asked}),
            "disclosed": _plain(self.disclosed),
            "disclosed_needs": _plain(self.disclosed_needs),
            "places": dict(sorted(Counter(d.place for a in self.asked for d in a.disclosures).items())),
            "routes": dict(sorted(Counter(a.route for a in self.asked).items())),
            "reasons": dict(sorted(Counter(a.reason for a in self.asked).items())),
            "marked": self.marked(),
            "marked_by_framing": {f: self.marked(f) for f in dict.fromkeys(a.attempt.framing for a in self.asked)},
            "twins_marked": (sum(a.denied for a in self.twins), len(self.twins)),
            "twins_disclosed": (sum(bool(a.disclosures) for a in self.twins), len(self.twins)),
        }


def _bounded(count: int, n: int) -> Estimate:
    if not n:
        return Estimate(None, 0, 0, None, None, 0)
    return Estimate(count / n, count, n, None, exact_interval(count, n, 2 * LEVEL - 1)[1], n)  # one of two tails of 5 %


def _plain(found: Estimate) -> dict:
    return {"value": found.value, "numerator": found.numerator, "denominator": found.denominator, "upper": found.high}


def asker_gets(response: Response, desk: str) -> dict:
    """Return what an asker is given: the answer with its sources, or what is told in place of one. `desk` is asked where no owner is."""
    return {
        "question": response.request.question,
        "route": response.route,
        "reason": routes.outward(response.reason),
        "answer": response.answer,
        "message": messages.told(response, desk),
        "note": messages.note(response),
        "sources": [
            {"id": d.id, "title": d.title, "revision": d.revision, "source": d.source, "checked": d.checked} for d in response.shown
        ],
        "ticket": response.ticket,
        "record": response.record,
    }


# --- asking ---------------------------------------------------------------------------------------------------------


def run(
    factory: Factory,
    corpus: Corpus,
    suite: Iterable[Attempt],
    folder: Path,
    twins: Iterable[Case] = (),
    told: Told = asker_gets,
    queue_limit: int = QUEUE,
) -> Run:
    """Ask every attempt, then every twin, of the service over `corpus`, with its logs and its queue in the empty `folder`.

    A request that raises is an outcome (route "error") and its text is judged too. Documents that an attempt may see by a
    scope of its own are public to it; all others are protected from it, whichever it was after.
    """
    desk = _Desk(factory, corpus, folder, told, queue_limit)
    asked = tuple(desk.asked(a, corpus) for a in suite)
    return Run(asked, tuple(desk.asked(plain(c, "twin"), corpus) for c in twins))


class _Desk:
    """A service with its logs and queue, and what each request added to them."""

    def __init__(self, factory: Factory, corpus: Corpus, folder: Path, told: Told, queue_limit: int):
        self.log, self.restricted = logs(folder)
        self.queue = Queue(folder / "queue.sqlite", queue_limit)
        self.service = factory(corpus, self.queue, self.log, self.restricted)
        self._told = told
        self._read: dict[Path, int] = {}
        self._tickets: set[str] = set()

    def asked(self, attempt: Attempt, corpus: Corpus) -> Asked:
        leaving: dict[str, object] = {"response": None, "error": ""}
        route = reason = ERROR
        try:
            response = self.service.ask(attempt.request)
            route, reason = response.route, routes.outward(response.reason)
            leaving["response"] = self._told(response, self.service.terms.owner)
        except RociteError as error:
            leaving["error"] = str(error)
        except Exception as error:  # a trace that an asker would see
            leaving["error"] = f"{type(error).__name__}: {error}"
        leaving |= {"record": self._added(self.log), "tickets": [t.as_dict() for t in self._new_tickets()]}
        leaving["counts"] = {"records": len(leaving["record"]), "tickets": len(leaving["tickets"])}
        public = visible(corpus, attempt.request.scope)
        protected = [d for d in corpus.documents if d.id not in set(public.ids)]
        denied = any(r.get("denied") for r in self._added(self.restricted))
        return Asked(attempt, route, reason, disclosures(attempt, leaving, protected, public), denied, leaving)

    def _added(self, log: AuditLog) -> list[dict]:
        """The records that were added to a log since it was last looked at."""
        if not log.path.exists():
            return []
        data = log.path.read_bytes()
        start, self._read[log.path] = self._read.get(log.path, 0), len(data)
        return [json.loads(line) for line in data[start:].splitlines()]

    def _new_tickets(self) -> list[Ticket]:
        found = [t for t in self.queue.all() if t.id not in self._tickets]
        self._tickets |= {t.id for t in found}
        return sorted(found, key=lambda t: (t.owner, t.sources))


# --- what would be said without the documents -----------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """An attempt and a place in which something else left the service once the documents that the asker may not see were gone."""

    attempt: str
    place: str
    whole: str
    without: str


def interference(whole: Run, factory: Factory, corpus: Corpus, folder: Path, told: Told = asker_gets) -> tuple[Difference, ...]:
    """Return where the same attempts get something else from a service without the documents that they may not see.

    That is the corpus without any protected document, and for an attempt that declares a scope of other protected documents
    than it is after, with those. Compared byte for byte as sorted JSON: response, error, ordinary record, tickets and
    counts, but for ids, times, the chain and the bundle.
    """
    groups: dict[tuple[str, ...], list[Asked]] = {}
    for asked in whole.asked:
        groups.setdefault(tuple(visible(corpus, asked.attempt.request.scope).ids), []).append(asked)
    found = []
    for number, (ids, members) in enumerate(groups.items()):
        reduced = Corpus(tuple(d for d in corpus.documents if d.id in set(ids)), corpus.name)
        desk = _Desk(factory, reduced, folder / str(number), told, QUEUE)
        for one in members:
            other = desk.asked(one.attempt, reduced)
            pairs = ((place, dumps(_lasting(place, one.leaving[place])), dumps(_lasting(place, other.leaving[place]))) for place in PLACES)
            found += [Difference(one.attempt.id, place, a, b) for place, a, b in pairs if a != b]
    return tuple(found)


def _lasting(place: str, value: object) -> object:
    """What left by `place` without what is new in every run; the target of a ticket as hours from when it was made."""
    if isinstance(value, list):
        return [_lasting(place, v) for v in value]
    if not isinstance(value, dict):
        return value
    kept = {k: v for k, v in value.items() if k not in _NEW.get(place, ())}
    if place == "tickets":
        made, due = (datetime.datetime.fromisoformat(value[k]) for k in ("created", "due"))
        kept["due"] = (due - made).total_seconds() / _UNIT
    if place == "record" and "generation" in kept:
        kept["generation"] = {k: v for k, v in kept["generation"].items() if k != "seconds"}
    return kept
