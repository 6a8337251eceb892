"""The release checklist of the answer boundary as something that runs: each point is looked at, and says what was found.

A point that cannot be looked at does not hold. Nothing here decides to release; a person does.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rocite import check, embed, generate
from rocite.audit import AuditLog
from rocite.boundary import messages, reassess, routes
from rocite.boundary.bundle_parts import parts_here
from rocite.boundary.bundle_store import default_store as default_bundles
from rocite.boundary.examine import Examiner
from rocite.boundary.found import Request
from rocite.boundary.service import BY_HAND, UNASSESSED, Service, Terms
from rocite.boundary.tickets import Queue
from rocite.corpus import Corpus, Document
from rocite.evaluate.answerability import fitting
from rocite.evaluate.answerability.cases import AcceptanceError, Cases
from rocite.gates.base import Settings

ATTEMPTS = 500  # generated attempts that show nothing of a protected document
AUROC = (0.45, 0.55)  # within which the times of denied and unanswerable requests are not told apart


@dataclass(frozen=True)
class Point:
    """One point of the checklist: what is asked, whether it holds, and what was found."""

    asked: str
    holds: bool
    found: str


def points(top: Path, corpus: Corpus, cases: Cases) -> list[Point]:
    """Look at every point, for the checkout at `top`."""
    recorded = top / "data" / "recorded" / "boundary" / "manifest.json"
    fitted = top / "data" / "boundary" / "fitted.json"
    looked = {
        "every rule on applicability has a named owner": lambda: owners(corpus),
        "corpus labels and context labels are distinct": lambda: labels(cases),
        "denied access reveals nothing": lambda: denials(_json(recorded)),
        "every route has a fallback that runs": drill,
        "what chooses a threshold never sees the acceptance part": lambda: isolation(cases, _json(fitted)),
        "results keep numerators and denominators by segment": lambda: numerators(top),
        "the bundle is the one that was assessed": lambda: assessed(corpus),
        "a policy keeps the declared limits": lambda: admissible(_json(fitted)),
    }
    return [_point(asked, look) for asked, look in looked.items()]


def _point(asked: str, look: Callable[[], tuple[bool, str]]) -> Point:
    try:
        holds, found = look()
    except Exception as error:  # what cannot be looked at does not hold
        holds, found = False, f"could not be looked at ({type(error).__name__}: {error})"
    return Point(asked, holds, found)


def _json(path: Path) -> Mapping:
    return json.loads(path.read_text(encoding="utf-8"))


def owners(corpus: Corpus) -> tuple[bool, str]:
    """Whether every document that declares a revision, dates, a scope or an authority names its owner."""
    ruled = [d for d in corpus.documents if any(d.field(n) for n in ("revision", "effective_from", "scope", "authority"))]
    without = [d.id for d in ruled if not d.field("owner")]
    return not without and bool(ruled), f"{len(ruled) - len(without)} of {len(ruled)} such documents" + (
        f"; without: {', '.join(without[:3])}" if without else ""
    )


def labels(cases: Cases) -> tuple[bool, str]:
    """Whether a case keeps its label whatever was lost on the way: labels stand in the file, contexts in the record."""
    answerable = [c for c in cases.cases if c.answerable]
    mixed = [c.id for c in cases.cases if c.answerable != bool(c.units)]
    return (
        not mixed,
        f"{len(answerable)} answerable cases with required units, {len(cases.cases) - len(answerable)} without; labels come from the file alone",
    )


def denials(recorded: Mapping) -> tuple[bool, str]:
    """Whether the recorded security suite found nothing disclosed, nothing that depends on protected documents, and no time that tells."""
    s, t = recorded["security"], recorded["timing"]
    low, high = AUROC
    holds = s["disclosed"] == 0 and s["attempts"] >= ATTEMPTS and s["interfering"] == 0 and low <= t["auroc"] <= high
    return (
        holds,
        f"{s['disclosed']} of {s['attempts']} attempts disclosed, {s['interfering']} responses depend on protected documents, AUROC of times {t['auroc']:.2f}",
    )


def drill() -> tuple[bool, str]:
    """Whether a request gets an honest response where the queue is full or broken, and where the check breaks or runs out of time."""
    document = Document(
        "rule", "Regula", "Cererea se depune la ghișeu în cel mult 10 zile.", "Sursa", "2026-07-15", "ro", (("owner", "Biroul"),)
    )
    corpus = Corpus((document,), "drill")
    desk = Examiner(corpus, embed.load("tfidf"), BY_HAND, 5)
    asked = Request("În câte zile se depune cererea?")

    def breaks(*_) -> None:
        raise OSError("broken")

    def slow(*_) -> None:
        import time

        time.sleep(1.0)

    done = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "broken.sqlite").write_text("no database")
        full = Queue(folder / "full.sqlite", 1)
        full.put("r", "o", routes.MISSING, "?", (), 1)
        for queue in (full, Queue(folder / "broken.sqlite", 9), None):
            for judge in (breaks, slow):
                service = Service(
                    desk, UNASSESSED, generate.load("copy", generate.Options()), Settings(), Terms(pace=0, check_seconds=0.05), queue,
                    AuditLog(folder / "a.jsonl"), None, judge=judge,
                )  # fmt: skip
                found = service.ask(asked)
                said = messages.told(found, service.terms.owner)
                done.append(found.route == routes.WITHHOLD and found.ticket is False and not found.answer and service.terms.owner in said)
        fine = Service(
            desk, UNASSESSED, generate.load("copy", generate.Options()), Settings(), Terms(pace=0), full, None, None, judge=check.judge
        )
        done.append(fine.ask(asked).route == routes.ANSWER)
    return all(
        done
    ), f"{sum(done)} of {len(done)} drills: full, broken and absent queue, each with a check that breaks and one that runs out of time"


def isolation(cases: Cases, fitted: Mapping) -> tuple[bool, str]:
    """Whether fitting refuses the acceptance part, and what was fitted names none of its documents."""
    kept = cases.part("acceptance")
    refused = 0
    for use in (cases.fitting, lambda given: fitting.training(cases, given, None)):
        try:
            use(kept[:1])
        except AcceptanceError:
            refused += 1
    used = {d for names in fitted["fitted_on"].values() for d in names}
    shared = used & {c.documents for c in kept}
    holds = refused == 2 and not shared and fitted["cases"] == cases.version
    return (
        holds,
        f"refused {refused} of 2 tries; {len(used)} families of documents fitted on, {len(shared)} of them in the acceptance part ({len(kept)} cases)",
    )


def numerators(top: Path) -> tuple[bool, str]:
    """Whether the default run's tables have them."""
    import csv

    wanted = {"answerability_policies": {"policy", "measure", "numerator", "denominator", "low", "high", "units"}, "answerability_segments": {"policy", "by", "segment", "answered", "covered", "answerable", "unsupported", "wrong_families", "families"}}  # fmt: skip
    for name, columns in wanted.items():
        path = top / "build" / "default" / "tables" / f"{name}.csv"
        if not path.is_file():
            return False, f"{path.name} is not there; run: make"
        with open(path, encoding="utf-8", newline="") as file:
            if lacking := columns - set(next(csv.reader(file))):
                return False, f"{path.name} lacks {', '.join(sorted(lacking))}"
    return True, "policies and segments in build/default/tables"


def assessed(corpus: Corpus) -> tuple[bool, str]:
    """Whether nothing of the current bundle differs from what is here."""
    bundle = default_bundles().current()
    if bundle is None:
        return False, "there is no bundle; run: make boundary"
    changed = reassess.changes(bundle, corpus, parts_here(bundle, Settings(**bundle.checks["settings"])), whole=True)
    return not changed, "; ".join(changed) or f"{bundle.short}, unchanged"


def admissible(fitted: Mapping) -> tuple[bool, str]:
    """Whether a policy was admissible on the threshold part."""
    return fitted["selected"] is not None, fitted[
        "selected"
    ] or f"none of {len(fitted['breaks'])} policies is; repair evidence or narrow the scope"
