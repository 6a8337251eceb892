"""Small documents, policies and services by hand, for the tests of the answer boundary."""

from pathlib import Path

from rocite import check, generate
from rocite.boundary.examine import Examiner
from rocite.boundary.policy import Gate, Limits, Policy
from rocite.boundary.service import BY_HAND, Service, Terms, logs
from rocite.boundary.tickets import Queue
from rocite.corpus import Corpus, Document
from rocite.embed.tfidf import TfidfEmbedder
from rocite.gates.base import Settings
from rocite.generate.copying import CopyingGenerator

AT = "2026-01-01"
SURE = Gate(("score",), (1.0,), 0.0)
POLICY = Policy("by hand", Limits(sister=0.5, sibling=0.7, rival=0.5, retired=1.0), SURE, 0.8)  # 0.8: a score of 1.39


def document(name, body, title="", lang="ro", **metadata) -> Document:
    facts = tuple(sorted({"owner": f"Biroul {name}", **metadata}.items()))
    return Document(name, title or f"Titlul {name}", body, f"Sursa {name}", "2026-01-01", lang, facts)


def corpus(*documents) -> Corpus:
    return Corpus(tuple(sorted(documents, key=lambda d: d.id)), "made")


def desk(*documents, picker=BY_HAND) -> Examiner:
    return Examiner(corpus(*documents), TfidfEmbedder("tfidf"), picker, 5)


class Counting(CopyingGenerator):
    """Copies what it is shown, or writes `text`, and counts how often it was asked."""

    def __init__(self, text=None):
        super().__init__("copy", generate.Options())
        self.text, self.asked = text, []

    def _write(self, request):
        self.asked.append(request)
        return {"raw": self.text} if self.text is not None else super()._write(request)


class Judge:
    """Judges as usual after doing, on its n-th call, what `acts` says; counts its calls."""

    def __init__(self, *acts):
        self.acts, self.calls = acts, 0

    def __call__(self, *given):
        self.calls += 1
        act = self.acts[self.calls - 1] if self.calls <= len(self.acts) else None
        if act:
            act()
        return check.judge(*given)


def service(folder: Path, *documents, writer=None, policy=POLICY, judge=check.judge, limit=100, settings=None, **terms) -> Service:
    """A service over `documents` that logs in `folder` and copies what it admits, without a pace unless `terms` has one."""
    queue = Queue(folder / "queue.sqlite", limit)
    terms = Terms(**{"pace": 0.0, **terms})
    return Service(desk(*documents), policy, writer or Counting(), settings or Settings(), terms, queue, *logs(folder), judge=judge)


CT1 = document("ct1", "Supapa cazanului se deschide la 6 bari.\nCazanul se spală în mai.", asset="CT-1", revision="3")
CT2 = document("ct2", "Supapa cazanului se deschide la 4 bari.\nCazanul se golește iarna.", asset="CT-2", revision="1")
HALL = document("hall", "Sala cazanelor se încuie noaptea.\nCheia sălii se lasă la portar.")
TARIFF = document(
    "tariff",
    "Tarife pentru colete.\n\n| Greutatea coletului | Taxa la oficiu |\n|---|---|\n| până la 2 kg | 15 lei |\n"
    "| peste 2 kg și până la 10 kg | 23 lei |\n| peste 10 kg | 40 lei |\n\nPlata se face la ghișeu.",
)
KEPT_15 = document("a", "Coletul se păstrează la ghișeu 15 zile.", effective_from="2020-01-01", revision="1")
KEPT_30 = document("b", "Coletul se păstrează la ghișeu 30 de zile.", effective_from="2025-01-01", revision="2")
KEPT = "Câte zile se păstrează coletul la ghișeu?"
PRESSURE = "La ce presiune se deschide supapa cazanului?"
KEY = "Unde se lasă cheia sălii?"
