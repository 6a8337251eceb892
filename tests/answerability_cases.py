"""Cases, documents and examinations made by hand, for the tests of the answer boundary."""

from __future__ import annotations

import json
import math

from rocite.boundary.found import SIGNS, Examination, Pick, Request
from rocite.boundary.policy import Gate, Limits, Policy
from rocite.corpus import Corpus, Document
from rocite.evaluate.answerability import cases as case_set
from rocite.evaluate.answerability.cases import Case, Cases
from rocite.evaluate.answerability.examined import Examined
from rocite.evaluate.gold import Passage

AT = "2026-07-15"
KEPT, COST, OLD = "The key is kept for 15 days.", "A lost key costs 12 lei.", "The key is kept for 30 days."


def document(name: str, body: str, **metadata: str) -> Document:
    return Document(name, name.capitalize(), body, "Guide", "2026-01-01", "en", tuple(sorted(metadata.items())))


CORPUS = Corpus(
    (
        document("gate", "The gate opens at 7 bar.", owner="Plant", asset="G-1", impact="high"),
        document("keys", f"{KEPT}\n{COST}", owner="Desk", revision="2", supersedes="keys-old"),
        document("keys-old", OLD, owner="Desk", revision="1"),
        document("rooms", "A room is locked at 20:00.", owner="Desk"),
        document("vault", "The vault opens at 6:15.", owner="Guard", scope="security"),
    ),
    "made",
)
PART_OF = {"house": "training", "yard": "calibration", "shed": "threshold", "held": "acceptance"}
LIMITS = Limits(sister=0.5, sibling=0.5, rival=0.7, retired=0.0)
POLICY = Policy("made", LIMITS, Gate(("score",), (1.0,), 0.0), 0.5)


def quoted(doc: str, quote: str) -> dict:
    return {"doc": doc, "quote": quote}


def record(**changes) -> dict:
    """An answerable case as the file has it, with changes."""
    base = {
        "id": "q1", "intent": "need-1", "documents": "house", "question": "How long is the key kept?", "lang": "en", "variant": "base",
        "kind": "single", "scope": [], "at": AT, "asset": "", "sources": [{"id": "keys", "revision": "2"}], "units": [[quoted("keys", KEPT)]],
        "evidence": [], "lacks": "", "label": "answerable", "route": "answer", "answer": "15 days.", "reviewer": "project", "reason": "Stated.",
    }  # fmt: skip
    return base | changes


def unanswerable(kind: str, **changes) -> dict:
    """A case that nothing answers, as the file has it."""
    way = case_set.KINDS.get(kind, "deny")
    return record(**{"kind": kind, "route": way, "label": "unanswerable", "units": [], "answer": "", "lacks": "a price", **changes})


def written(path, *records, tail=""):
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records) + tail, encoding="utf-8")
    return path


def case(name: str = "q1", kind: str = "single", units=(((("keys", KEPT)),),), **fields) -> Case:
    """A case as an object; `units` as ((doc, quote), ...) each, left out where nothing answers."""
    way = case_set.KINDS[kind]
    known = way == "answer"
    return Case(
        **{
            "id": name, "intent": f"need-{name}", "documents": "house", "question": f"Question {name}?", "lang": "en", "variant": "base",
            "kind": kind, "scope": (), "at": AT, "asset": "", "sources": (("keys", "2"),),
            "units": tuple(tuple(Passage(*p) for p in unit) for unit in units) if known else (), "evidence": (), "lacks": "" if known else "a price",
            "label": "answerable" if known else "unanswerable", "route": way, "answer": "15 days." if known else "",
            "reviewer": "project", "reason": "Stated.", **fields,
        }
    )  # fmt: skip


def seen(
    of: Case, *picks: tuple[str, str], context=("keys",), strict="accepted", article="accepted", similarity=0.5, against=None, **signs
) -> Examined:
    """A case as if it had been examined: these statements picked, these signs, 0 where none is given."""
    chosen = tuple(Pick(doc, text, n, 1.0) for n, (doc, text) in enumerate(picks))
    found = Examination(
        Request(of.question, of.scope, of.at, of.asset), context, chosen, dict.fromkeys(SIGNS, 0.0) | signs, against or {}, similarity
    )
    return Examined(of, found, {"article": (article, ()), "strict": (strict, () if strict == "accepted" else ("focus",))})


def right(name: str, **more) -> Examined:
    """An answerable case of which the only required unit was picked."""
    fields = {k: more.pop(k) for k in ("documents", "lang", "intent") if k in more}
    return seen(case(name, **fields), ("keys", KEPT), **more)


def wrong(name: str, **more) -> Examined:
    """An answerable case of which another statement was picked."""
    fields = {k: more.pop(k) for k in ("documents", "lang", "intent") if k in more}
    return seen(case(name, **fields), ("keys", COST), **more)


def together(*examined: Examined) -> Cases:
    return Cases(tuple(e.case for e in examined), PART_OF, "sha256:made")


def logit(p: float) -> float:
    return math.log(p / (1 - p))
