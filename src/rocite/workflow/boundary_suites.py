"""The slow suites of the answer boundary, run by `rocite.workflow.boundary` and recorded: stress pairs, security, times."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rocite import generate
from rocite.audit import AuditLog
from rocite.boundary.bundle import Bundle
from rocite.boundary.examine import Examiner
from rocite.boundary.found import Request
from rocite.boundary.routes import TIMEOUT
from rocite.boundary.service import Service, Terms, logs
from rocite.boundary.tickets import Queue
from rocite.corpus import Corpus
from rocite.evaluate.answerability import cases as case_set
from rocite.evaluate.answerability import security, stress

if TYPE_CHECKING:
    from rocite.workflow.boundary import Bench

UNPACED = 0.0


def run(on: Bench, made: Bundle, desk: Examiner, folder: Path) -> dict:
    """Run every suite; write the stress pairs into `folder` and return what goes into the manifest."""
    _stress(on, made, desk, folder)
    denied, twins = (case_set.load_records(on.folder / name, on.corpus) for name in ("denied.jsonl", "twins.jsonl"))
    facts = {"denied": len(denied)}
    with tempfile.TemporaryDirectory() as name:
        aside = Path(name)
        facts |= {"latency": _latency(on, made, desk, aside / "latency")}
        facts |= {"security": _security(on, made, desk, denied, twins, aside)}
        facts |= {"timing": _timing(on, made, desk, denied, twins, aside / "times")}
    return facts


def _say(text: str) -> None:
    print(f"boundary: {text}", file=sys.stderr, flush=True)


def _service(
    on: Bench, made: Bundle, desk: Examiner, queue: Queue | None, ordinary: AuditLog, restricted: AuditLog, pace: float
) -> Service:
    terms = Terms.of({**on.values, "pace": pace})
    return Service(
        desk, made.policy_object, generate.load(made.generator["name"], generate.Options()), on.settings, terms, queue, ordinary, restricted,
        bundle=made.short,
    )  # fmt: skip


def _stress(on: Bench, made: Bundle, desk: Examiner, folder: Path) -> None:
    pairs = stress.perturbed(on.cases.part("acceptance"), on.corpus)
    _say(f"{len(pairs)} stress pairs")

    def examiner(corpus: Corpus) -> Examiner:
        return desk if corpus is on.corpus else Examiner(corpus, on.embedder, made.picker_object, made.documents)

    stress.write(folder / "stress.jsonl", stress.examine_pairs(pairs, examiner, on.settings))


def _latency(on: Bench, made: Bundle, desk: Examiner, folder: Path) -> dict:
    """Times in seconds of every step for every case of the acceptance part, unpaced; time-outs, and the tickets that wait afterwards."""
    asked = on.cases.part("acceptance")
    _say(f"{len(asked)} requests timed")
    queue = Queue(folder / "queue.sqlite", int(on.values["queue_limit"]))
    service = _service(on, made, desk, queue, *logs(folder), pace=UNPACED)
    found = [service.ask(Request(c.question, c.scope, c.at, c.asset)) for c in asked]
    times = {step: [r.seconds[step] for r in found if step in r.seconds] for step in ("gate", "check", "whole")}
    return times | {
        "requests": len(found),
        "timeouts": sum(r.reason == TIMEOUT for r in found),
        "backlog": len(queue.all()),
        "refused_by_queue": sum(r.ticket is False for r in found),
        "limit": queue.limit,
    }


def _security(on: Bench, made: Bundle, desk: Examiner, denied, twins, aside: Path) -> dict:
    desks = {on.corpus.digest: desk}

    def factory(corpus: Corpus, queue: Queue, ordinary: AuditLog, restricted: AuditLog) -> Service:
        own = desks.get(corpus.digest) or Examiner(corpus, on.embedder, made.picker_object, made.documents)
        return _service(on, made, desks.setdefault(corpus.digest, own), queue, ordinary, restricted, UNPACED)

    suite = security.attempts(denied, on.corpus)
    _say(f"{len(suite)} attempts on denied content, twice")
    whole = security.run(factory, on.corpus, suite, aside / "whole", twins)
    differences = security.interference(whole, factory, on.corpus, aside / "without")
    totals = whole.totals()
    return {
        "attempts": len(whole.asked),
        "disclosed": int(whole.disclosed.numerator),
        "bound": whole.disclosed.high,
        "interfering": len({d.attempt for d in differences}),
        "marked": "{}/{}".format(*whole.marked(security.PLAIN)),
        "marked_by_mistake": "{}/{}".format(*totals["twins_marked"]),
        "totals": totals,
    }


def _timing(on: Bench, made: Bundle, desk: Examiner, denied, twins, folder: Path) -> dict:
    _say("denied and unanswerable requests in turn, timed")
    seed = int(on.values["seed"])
    queue = Queue(folder / "queue.sqlite", security.QUEUE)
    service = _service(on, made, desk, queue, *logs(folder), pace=float(on.values["pace"]))
    paced, free = (security.timing(service, denied, twins, seed, pace=p) for p in (None, UNPACED))
    a, b = paced.told_apart, free.told_apart
    return {
        "auroc": a.value, "low": a.low, "high": a.high, "unpaced": b.value, "unpaced_low": b.low, "unpaced_high": b.high,
        "denied": len(paced.denied), "unanswerable": len(paced.unanswerable), "paced": paced.as_dict(), "free": free.as_dict(),
    }  # fmt: skip
