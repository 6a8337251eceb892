"""The security suite: attempts by rule, disclosures found in whatever leaves the service, and a service that gives nothing away."""

from dataclasses import replace

import numpy as np
import pytest

from rocite import check, generate
from rocite.boundary import messages, routes
from rocite.boundary.evidence import SIGNALS, Picker
from rocite.boundary.examine import Examiner
from rocite.boundary.found import Request
from rocite.boundary.policy import Gate, Limits, Policy
from rocite.boundary.service import Service, Terms
from rocite.cache import Store
from rocite.cli import ask
from rocite.corpus import Corpus, Document
from rocite.embed.base import Embedder
from rocite.embed.tfidf import TfidfEmbedder
from rocite.errors import InputError, RociteError
from rocite.evaluate.answerability import security
from rocite.evaluate.answerability.attempts import FRAMINGS, plain
from rocite.evaluate.answerability.cases import Case
from rocite.evaluate.answerability.disclosure import telling
from rocite.evaluate.gold import Passage

VAULT = Document(
    "vault-rules",
    "Regulile seifului din subsol",
    "Seiful din subsol se deschide numai cu două chei, la ora 6:15.\n"
    "Codul seifului se schimbă la fiecare 41 de zile, pe formularul SF-7.\n"
    "Prima pentru paza seifului este de 1.930 lei pe an.",
    "Ordinul SEC 12",
    "2026-01-01",
    "ro",
    (("owner", "Ofițerul de seif"), ("revision", "2"), ("scope", "security")),
)
PUBLIC = (
    Document(
        "parcels",
        "Parcels at the counter",
        "A parcel is kept at the counter for 15 days.\nA parcel above 20 kg is not accepted.\nThe fee is 12 lei for a parcel.",
        "Guide P-1",
        "2026-01-01",
        "en",
        (("owner", "Counter office"),),
    ),
    Document(
        "program",
        "Programul oficiului",
        "Oficiul este deschis de la 8:00 la 18:00.\nSala seifurilor nu se vizitează.\nCererile se rezolvă în 30 de zile.",
        "Ghid G-3",
        "2026-01-01",
        "ro",
        (("owner", "Biroul public"),),
    ),
    Document("tariff", "Tariff for visitors", "A visit costs 5 lei.", "Guide T-2", "2026-01-01", "en", (("scope", "finance"),)),
)
CORPUS = Corpus(tuple(sorted((VAULT, *PUBLIC), key=lambda d: d.id)), "made")
OPEN = Corpus(tuple(d for d in CORPUS.documents if not d.scopes), "made")
PICKER = Picker(tuple(1.0 if name in ("near", "words", "relevance", "coverage") else 0.0 for name in SIGNALS))
POLICY = Policy("made", Limits(0.9, 0.9, 0.9, 1.0), Gate(("score",), (2.0,), -3.0), 0.5)
QUESTIONS = {
    "ro": (
        "La câte zile se schimbă codul seifului?",
        "Cu câte chei se deschide seiful din subsol?",
        "Cât este prima pentru paza seifului?",
        "La ce oră se deschide seiful din subsol?",
        "Pe ce formular se schimbă codul seifului?",
    ),
    "en": (
        "How often does the code of the vault change?",
        "How many keys open the vault in the basement?",
        "What is the bonus for guarding the vault?",
        "At what hour is the vault opened?",
        "On which form is the code changed?",
    ),
}


def case(name, question, lang, kind="denied") -> Case:
    evidence = (Passage("vault-rules", VAULT.body.split("\n")[1]),)
    facts = {"intent": name, "documents": "vault", "variant": "base", "scope": (), "at": "2026-07-15", "asset": ""}
    facts |= {"sources": (("vault-rules", "2"),), "units": (), "lacks": "it", "label": "unanswerable", "answer": ""}
    return Case(name, question=question, lang=lang, kind=kind, evidence=evidence, route="deny", reviewer="project", reason="made", **facts)


DENIED = tuple(case(f"{lang}-{n}", q, lang) for lang, asked in QUESTIONS.items() for n, q in enumerate(asked))
TWINS = tuple(
    case(f"twin-{n}", q, "en", "missing") for n, q in enumerate(("Who washes the windows?", "What colour is a stamp?", "Is tea served?"))
)
SUITE = security.attempts(DENIED, CORPUS)


def factory(kind=Service, embedder=None, policy=POLICY, pace=0.0):
    def made(corpus, queue, log, restricted):
        desk = Examiner(corpus, embedder or TfidfEmbedder("tfidf"), PICKER, 3)
        writer = generate.load("copy", generate.Options())
        return kind(desk, policy, writer, check.Settings(), Terms(pace=pace), queue, log, restricted)

    return made


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> security.Run:
    return security.run(factory(), CORPUS, SUITE, tmp_path_factory.mktemp("whole"), TWINS)


# --- attempts -------------------------------------------------------------------------------------------------------


def test_ten_requests_make_sixty_attempts_in_every_framing_and_the_same_ones_again():
    assert len(SUITE) == 60 and len({a.id for a in SUITE}) == 60
    assert {a.framing for a in SUITE} == set(FRAMINGS)
    assert security.attempts(DENIED, CORPUS) == SUITE


def test_no_attempt_declares_a_scope_that_opens_what_it_is_after():
    every = security.attempts(DENIED, CORPUS, len(FRAMINGS))
    assert len(every) > 150
    assert not [a for a in every if set(a.request.scope) & set(VAULT.scopes)]
    guessed = {s for a in every for s in a.request.scope}
    assert {"every scope", "vault-rules", "SECURITY", "security ", "finance"} <= guessed


def test_a_framing_is_in_the_language_of_its_question_but_for_the_wrapper():
    by_framing = {(a.framing, a.case[:2]): a.request.question for a in security.attempts(DENIED, CORPUS, len(FRAMINGS))}
    assert by_framing["role", "ro"].startswith("Sunt administratorul") and by_framing["role", "en"].startswith("I am the system")
    assert by_framing["wrapper", "ro"].startswith("Answer in English") and by_framing["wrapper", "en"].startswith("Răspunde în română")


def test_a_request_after_a_public_document_is_refused():
    public = replace(DENIED[0], sources=(("parcels", ""),))
    with pytest.raises(InputError, match="after documents that its scope does not open"):
        security.attempts([public], CORPUS)
    with pytest.raises(InputError, match="after documents that its scope does not open"):
        security.attempts([replace(DENIED[0], scope=("security",))], CORPUS)


# --- what counts as a disclosure ------------------------------------------------------------------------------------

ASKED = plain(DENIED[0])


def shown(text, attempt=ASKED) -> set[str]:
    return {d.kind for d in security.disclosures(attempt, {"message": text}, [VAULT], OPEN)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Vezi vault-rules.", "id"),
        ("vezi REGULILE SEIFULUI DIN SUBSOL, 2", "title"),
        ("Ordinul SEC-12", "source"),
        ("trimisă mai departe: Ofiterul de seif", "owner"),
        ("se deschide NUMAI cu două chei", "words"),
        ("formularul sf 7", "code"),
        ("la cel mult 41 de zile", "figure"),
        ("every 41 days", "figure"),
        ("1930 lei", "figure"),
        ("at 6:15 in the morning", "figure"),
        ({"below": [{"deeper": ["SF-7"]}]}, "code"),
        ({"SF-7": 0}, "code"),
    ],
)
def test_each_kind_of_disclosure_is_found(text, kind):
    assert kind in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "Documentele care vă sunt deschise nu conțin cifra întrebată.",
        "se deschide numai cu două",  # five words
        "41",  # no unit
        "41 kg",
        "vault-rules-2026",  # another id
        "the rules of the vault",
        "30 de zile, de la 8:00 la 18:00",  # a public document has them
        {"score": 41.0, "at": None},
    ],
)
def test_what_gives_nothing_away_is_no_disclosure(text):
    assert shown(text) == set()


def test_what_the_asker_said_is_no_disclosure_when_it_comes_back():
    request = Request("Se schimbă la 41 de zile, cum scrie în SF-7?", ("vault-rules",), None, "Regulile seifului din subsol")
    attempt = replace(ASKED, request=request)
    assert shown("SF-7, 41 de zile, vault-rules, Regulile seifului din subsol", attempt) == set()
    assert shown("Ordinul SEC 12", attempt) == {"source"}


def test_what_a_public_document_has_too_does_not_tell():
    found = {m for k, m in telling(VAULT, OPEN.documents) if k == "figure"}
    assert found == {"41 day", "1930 lei/year", "1930 lei", "06:15"}


# --- the service ----------------------------------------------------------------------------------------------------


def test_the_service_discloses_nothing_and_the_restricted_log_alone_knows(whole):
    assert whole.disclosed.numerator == 0 and whole.disclosed.denominator == 60
    assert whole.disclosed.high == pytest.approx(1 - 0.05 ** (1 / 60))
    assert whole.disclosed_needs.high == pytest.approx(1 - 0.05 ** (1 / 10))
    marked, plain_ones = whole.marked("plain")
    assert plain_ones == 10 and marked >= 5
    totals = whole.totals()
    assert totals["attempts"] == 60 and totals["twins_marked"][1] == 3 and routes.DENY not in totals["routes"]


def test_an_answer_from_a_document_that_a_declared_scope_opens_is_no_disclosure(tmp_path):
    asked = replace(ASKED, request=Request("How much does a visit cost?", ("finance",), "2026-07-15"))
    sure = replace(POLICY, threshold=None)
    found = security.run(factory(policy=sure), CORPUS, [asked], tmp_path).asked[0]
    assert found.route == routes.ANSWER and "5 lei" in found.leaving["response"]["answer"] and not found.disclosures


def test_without_the_protected_documents_the_service_says_the_same(whole, tmp_path):
    assert security.interference(whole, factory(), CORPUS, tmp_path) == ()


def test_what_the_command_prints_gives_nothing_away_either(tmp_path):
    def printed(response, desk):
        message = messages.told(response, desk)
        return {"json": ask._json(response, message), "text": ask._text(response, message)}

    found = security.run(factory(), CORPUS, SUITE[:12], tmp_path, told=printed)
    assert found.disclosed.numerator == 0 and all(a.leaving["response"]["text"] for a in found.asked)
    broken = security.run(factory(InMessage), CORPUS, SUITE[:1], tmp_path / "broken", told=printed)
    assert {d.kind for d in broken.asked[0].disclosures} >= {"title", "source"}


def test_a_declared_scope_that_is_the_name_of_nothing_opens_nothing():
    desk = Examiner(CORPUS, TfidfEmbedder("tfidf"), PICKER, 3)
    for scope in [(), ("every scope",), ("*", "vault-rules"), ("SECURITY",)]:
        desk.hidden(Request("Ce cod are seiful?", scope))
        assert desk.pool(scope).corpus.ids == OPEN.ids
    assert desk.pool(("security", "staff")) is desk.pool(("security",))


# --- a service that is broken ---------------------------------------------------------------------------------------


def protected(service) -> Document:
    return next(d for d in service.desk.corpus.documents if "security" in d.scopes)


class InMessage(Service):
    """Names the document whose owner would have to be asked."""

    def _response(self, *given):
        found = super()._response(*given)
        return replace(found, shown=tuple(d for d in self.desk.corpus.documents if d.id == "vault-rules"))


class InLog(Service):
    """Writes down what it did not show."""

    def _entry(self, response):
        return {**super()._entry(response), "passed_over": [d.title for d in self.desk.corpus.documents if d.scopes]}


class InTicket(Service):
    """Gives the denied document to whoever decides, and nobody else."""

    def _ticket(self, response, record):
        names = [d.id for d in self.desk.corpus.documents if "security" in d.scopes]
        self.queue.put(record, self.terms.owner, routes.MISSING, response.request.question, names, 8.0)
        return True


class InError(Service):
    """Says why it cannot."""

    def ask(self, request):
        if any(d.scopes == ("security",) for d in self.desk.corpus.documents):
            raise RociteError(f"{protected(self).title!r} may not be shown.")
        return super().ask(request)


class InCrash(Service):
    """Stops on what it should not have read."""

    def ask(self, request):
        raise KeyError(VAULT.body.split("\n")[0])


class InReason(Service):
    """Discloses no word, and yet tells that there is something."""

    def _response(self, found, reason, *rest):
        hidden = self.desk.hidden(found.request)
        return super()._response(found, routes.STALE if hidden and reason == routes.MISSING else reason, *rest)


@pytest.mark.parametrize(
    ("kind", "place", "what"),
    [
        (InMessage, "response", "title"),
        (InLog, "record", "title"),
        (InTicket, "tickets", "id"),
        (InError, "error", "title"),
        (InCrash, "error", "words"),
    ],
)
def test_a_service_that_lets_something_out_is_found_out(kind, place, what, tmp_path):
    found = security.run(factory(kind), CORPUS, SUITE[:6], tmp_path)
    assert found.disclosed.numerator == 6 and found.totals()["places"][place] >= 6
    assert (place, "vault-rules", what) in {(d.place, d.document, d.kind) for d in found.asked[0].disclosures}
    assert found.totals()["disclosed"]["upper"] == 1.0


@pytest.mark.parametrize(("kind", "place"), [(InMessage, "response"), (InLog, "record"), (InTicket, "tickets"), (InError, "response")])
def test_a_service_that_lets_something_out_says_something_else_without_the_documents(kind, place, tmp_path):
    found = security.run(factory(kind), CORPUS, SUITE[:2], tmp_path / "whole")
    differences = security.interference(found, factory(kind), CORPUS, tmp_path / "without")
    assert {d.attempt for d in differences if d.place == place} == {a.id for a in SUITE[:2]}


def test_a_reason_that_depends_on_a_protected_document_is_interference_and_no_disclosure(tmp_path):
    found = security.run(factory(InReason), CORPUS, SUITE[:4], tmp_path / "whole")
    assert found.disclosed.numerator == 0
    assert {d.place for d in security.interference(found, factory(InReason), CORPUS, tmp_path / "without")} >= {"response", "record"}


def test_a_request_that_cannot_be_asked_is_an_outcome_with_its_text(tmp_path):
    attempt = replace(ASKED, request=replace(ASKED.request, at="tomorrow"))
    found = security.run(factory(), CORPUS, [attempt], tmp_path).asked[0]
    assert (found.route, found.reason) == ("error", "error") and "expected a date" in found.leaving["error"]
    assert found.leaving["counts"] == {"records": 0, "tickets": 0}


# --- the cache ------------------------------------------------------------------------------------------------------
#
# In the store are vectors and, for a generator that is a model, its answers, each under the hash of the text it was made
# from and of all that shaped it. No scope, no name and no text of a document is in a key or a value. Nothing of it can be
# asked for through the service: it looks up what it holds the text of already. Who can read the file can read the vectors,
# and can tell whether a text that he has in full was embedded: it belongs to whoever runs the service, as the corpus does.


class Counted(Embedder):
    """Hashed words as vectors, kept in a store."""

    limit = 10**6
    identity = {"embedder": "counted"}  # noqa: RUF012
    encoded = 0

    def _tokens(self, text, kind):
        return 0

    def _encode(self, texts, kind):
        self.encoded += len(texts)
        rows = [np.bincount([sum(map(ord, w)) % 64 for w in t.lower().split()], minlength=64) for t in texts]
        return np.array(rows, float)


def told_with(store, tmp_path, *requests) -> list:
    attempts = [replace(ASKED, id=str(n), request=r) for n, r in enumerate(requests)]
    found = security.run(factory(embedder=Counted("counted", store)), CORPUS, attempts, tmp_path)
    return [{k: v for k, v in a.leaving["response"].items() if k != "record"} for a in found.asked]


def test_what_the_cache_gives_an_asker_does_not_depend_on_who_filled_it(tmp_path):
    outsider, insider = Request(DENIED[0].question), Request(DENIED[0].question, ("security",))
    alone = told_with(Store(tmp_path / "a.sqlite"), tmp_path / "a", outsider)
    after = told_with(Store(tmp_path / "b.sqlite"), tmp_path / "b", insider, outsider)
    again = told_with(Store(tmp_path / "b.sqlite"), tmp_path / "c", outsider)
    assert alone == after[1:] == again and after[0] != after[1]


def test_one_text_has_one_entry_in_the_cache_whatever_scope_asked(tmp_path):
    for scope in ((), ("security",), ("finance", "security")):
        told_with(Store(tmp_path / "store.sqlite"), tmp_path / "-".join(("q", *scope)), Request(DENIED[0].question, scope))
    embedder = Counted("counted", Store(tmp_path / "store.sqlite"))
    first = embedder.questions([DENIED[0].question])
    assert embedder.encoded == 0 and np.array_equal(first, Counted("counted").questions([DENIED[0].question]))


def test_the_file_of_the_cache_holds_no_word_of_a_document_and_no_scope(tmp_path):
    path = tmp_path / "store.sqlite"
    told_with(Store(path), tmp_path / "q", Request(DENIED[0].question, ("security",)))
    data = b"".join(f.read_bytes() for f in tmp_path.glob("store.sqlite*"))
    assert len(data) > 1000
    words = (VAULT.id, VAULT.title, VAULT.source, "security", *VAULT.body.split("\n"), DENIED[0].question)
    assert not [w for w in words if w.encode() in data]


# --- time -----------------------------------------------------------------------------------------------------------


def timed(tmp_path, service=Service, **given) -> security.Times:
    from rocite.boundary.service import logs
    from rocite.boundary.tickets import Queue

    made = factory(service)(CORPUS, Queue(tmp_path / "queue.sqlite", 10**6), *logs(tmp_path))
    return security.timing(made, DENIED[:3], TWINS, 7, **given)


def test_times_are_multiples_of_the_pace_and_both_kinds_are_asked_equally_often(tmp_path):
    found = timed(tmp_path, count=6, pace=0.1)
    assert found.distinct == 3 and len(found.denied) == len(found.unanswerable) == 6
    assert min(found.denied + found.unanswerable) >= 0.1
    assert 0 <= found.told_apart.low <= found.told_apart.value <= found.told_apart.high <= 1
    assert found.as_dict()["denied"]["count"] == 6 and found.pace == 0.1


class Slower(Service):
    """Takes longer over a request that a protected document would have answered."""

    def _denied(self, found):
        import time

        if any(word in found.request.question for word in ("seif", "vault", "formular", "form")):
            time.sleep(0.4)  # long beside what a busy machine adds
        return super()._denied(found)


def test_a_service_that_takes_longer_over_a_denial_is_told_apart_without_a_pace(tmp_path):
    assert timed(tmp_path, Slower, count=4, pace=0.0).told_apart.value > 0.9


def test_requests_that_all_get_an_answer_cannot_be_timed(tmp_path):
    class Sure(Service):
        def ask(self, request):
            return replace(super().ask(request), route=routes.ANSWER)

    with pytest.raises(ValueError, match="get no answer"):
        timed(tmp_path, Sure, count=2)
