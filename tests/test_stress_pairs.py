"""Stress pairs: what is constructed, what is expected of each perturbation, and how stages and wrong claims are counted."""

from dataclasses import replace

import pytest

from rocite import embed
from rocite.boundary import routes
from rocite.boundary.alike import contradicts
from rocite.boundary.evidence import SIGNALS, Picker, Place, told
from rocite.boundary.examine import Examiner
from rocite.boundary.found import SIGNS, Examination, Pick, Request
from rocite.boundary.policy import Gate, Limits, Policy
from rocite.corpus import Corpus, Document
from rocite.errors import InputError
from rocite.evaluate.answerability import constructed, stress
from rocite.evaluate.answerability.cases import Case
from rocite.evaluate.answerability.examined import RERECORD, Examined
from rocite.evaluate.gold import Passage
from rocite.gates.base import Settings

WEIGHTS = {"near": 10.0, "near_alone": 5.0, "words": 4.0}
PICKER = Picker(tuple(WEIGHTS.get(name, 0.0) for name in SIGNALS))
POLICY = Policy("try", Limits(2.0, 2.0, 0.6, 1000.0), Gate((), (), 0.0), None)
REQUIRED = "Revizia liftului AS-3 se face la cel mult 35 de zile."
LIFT = f"Liftul AS-3 transportă 8 persoane.\n{REQUIRED}\nCopiii sub 10 ani folosesc liftul însoțiți de un adult."
POOL = "Abonamentul la bazin costă 90 de lei.\nBazinul se închide în luna august.\nCasca este obligatorie în apă."
LIBRARY = "Cititorul împrumută cel mult 5 cărți.\nSala de lectură este deschisă sâmbăta."


def document(name, title, body, lang="ro", **fields):
    metadata = {"owner": "Biroul A", "effective_from": "2025-01-01", "revision": "2", **fields}
    return Document(name, title, body, "test", "2026-01-01", lang, tuple(sorted((k, v) for k, v in metadata.items() if v)))


CORPUS = Corpus(
    (
        document("bazin", "Bazinul de înot", POOL, owner="Biroul B", revision=""),
        document("biblioteca", "Biblioteca", LIBRARY, owner="Biroul B"),
        document("lift", "Liftul AS-3: folosire și revizii", LIFT, asset="AS-3"),
    ),
    "test",
)


def case(name="c1", question="La câte zile se face revizia liftului AS-3?", units=(((("lift", REQUIRED)),),), **changed):
    units = tuple(tuple(Passage(d, q) for d, q in unit) for unit in units)
    label = changed.pop("label", "answerable")
    route = routes.ANSWER if label == "answerable" else routes.ESCALATE
    made = Case(name, "f-" + name, "lift", question, "ro", "base", "single", (), "2026-07-15", "", (("lift", "2"),), units, (), "", label,
                route, "35 de zile", "project", "one sentence says it")  # fmt: skip
    return replace(made, **changed)


PARAPHRASED = case("c1b", "Cât de des se face revizia la liftul AS-3, în zile?", variant="paraphrase", intent="f-c1")
TRANSLATED = case("c1c", "How often is the lift AS-3 serviced?", variant="translation", intent="f-c1", lang="en")
CASES = (case(), PARAPHRASED, TRANSLATED)


def examiner(corpus):
    return Examiner(corpus, embed.load("tfidf"), PICKER, 1)


@pytest.fixture(scope="module")
def pairs():
    return {p.perturbation: p for p in stress.perturbed(CASES, CORPUS)}


@pytest.fixture(scope="module")
def tested(pairs):
    return {p.perturbation: p for p in stress.examine_pairs(pairs.values(), examiner, Settings())}


def added(pair):
    return pair.perturbed[pair.added[0]]


# --- what is constructed --------------------------------------------------------------------------------------------


def test_every_perturbation_is_made_once_and_the_same_again(pairs):
    assert tuple(sorted(pairs)) == tuple(sorted(stress.PERTURBATIONS))
    again = {p.perturbation: p for p in stress.perturbed(CASES, CORPUS)}
    assert {n: p.perturbed.digest for n, p in again.items()} == {n: p.perturbed.digest for n, p in pairs.items()}
    assert pairs["language"].after is TRANSLATED and pairs["paraphrase"].after is PARAPHRASED


def test_only_answerable_base_cases_are_perturbed_and_every_base_case_has_its_variants():
    unanswerable = replace(case("u1", units=(), label="unanswerable"), kind="missing", answer="", lacks="a figure")
    variant = replace(unanswerable, id="u1b", variant="paraphrase", question="Câte zile?")
    made = stress.perturbed([unanswerable, variant, PARAPHRASED], CORPUS)
    assert [(p.perturbation, p.before.id, p.after.id) for p in made] == [("paraphrase", "u1", "u1b")]


def test_the_noise_speaks_of_another_machine_and_holds_nothing_required(pairs):
    made = added(pairs["noise"])
    assert made.title == "Liftul AS-6: folosire și revizii"
    assert made.body.split("\n") == ["Liftul AS-6 transportă 16 persoane.", "Copiii sub 20 de ani folosesc liftul însoțiți de un adult."]
    assert made.asset == "" and made.field("constructed") == "yes" and made.field("effective_from") <= "2026-07-15"
    assert made.id not in CORPUS.ids


def test_noise_without_an_identifier_is_of_an_invented_service():
    made = constructed.elsewhere_document(case(units=((("bazin", "Bazinul se închide în luna august."),),)), CORPUS, {"AS": 3})
    assert made.title == "Serviciul SV-1: Bazinul de înot"
    assert "Abonamentul la bazin costă 180 de lei." in made.body and "august" not in made.body


def test_a_row_of_a_table_is_copied_with_its_head_once():
    table = "| Colet | Tarif |\n|---|---|\n| mic | 10 lei |\n| mediu | 15 lei |\n| mare | 30 de lei |"
    corpus = Corpus((document("t", "Tarife", table),), "test")
    made = constructed.elsewhere_document(case(units=((("t", "| mediu | 15 lei |"),),)), corpus, {})
    assert made.body == "| Colet | Tarif |\n| mic | 20 de lei |\n| mare | 60 de lei |"


def test_the_conflict_is_really_one_of_another_owner_and_supersedes_nothing(pairs):
    made, own = added(pairs["conflict"]), CORPUS["lift"]
    assert made.body == "Revizia liftului AS-3 se face la cel mult 70 de zile."
    original = Place(own, next(s for s in told(own) if s.text == REQUIRED))
    assert contradicts(Place(made, told(made)[0]), original) and contradicts(original, Place(made, told(made)[0]))
    assert made.asset == own.asset and made.field("owner") == "Biroul B" and made.supersedes == ()
    assert own.field("effective_from") < made.field("effective_from") <= "2026-07-15"
    assert made.field("constructed") == "yes" and made.revision == "3"


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Găurirea canatului este interzisă.", "ro", "Găurirea canatului nu este interzisă."),
        ("Este interzisă plata.", "ro", "Este permisă plata."),
        ("Fără notificare nu curge niciun termen.", "ro", "Fără notificare curge un termen."),
        ("Numele apar doar la cerere.", "ro", "Nu se mai aplică regula potrivit căreia numele apar doar la cerere."),
        ("Slings are withdrawn at once.", "en", "Slings are not withdrawn at once."),
        ("Propunerile nu se analizează în anul 2026.", "ro", "Propunerile se analizează în anul 2026."),
        ("Se tipăresc cel mult 10 pagini pe zi.", "ro", "Se tipăresc cel mult 11 pagini pe zi."),
        ("Sarcina este de cel mult 80 %.", "ro", "Sarcina este de cel mult 81 %."),
    ],
)
def test_a_contrary_statement_reads_rightly(text, lang, expected):
    assert constructed.contrary(text, lang) == expected


def test_a_conflict_on_the_first_day_of_a_document_is_in_force_that_day():
    corpus = Corpus((document("lift", "Liftul AS-3", LIFT, effective_from="2026-07-15"),), "test")
    made = constructed.conflicting_document(case(), corpus)
    assert made.field("effective_from") == "2026-07-15" and made.field("owner") == "Alt birou"


# --- what came out --------------------------------------------------------------------------------------------------


def test_noise_grows_the_context_and_keeps_the_answer(tested):
    pair = tested["noise"]
    assert pair.before.found.context == ("lift",)
    assert set(pair.after.found.context) == {"lift", "bazin", "biblioteca", "stress-noise-c1"}
    assert stress.decided(pair.before, POLICY).claims == {("lift", REQUIRED)}
    assert stress.rightly(pair, POLICY)


def test_noise_brings_no_other_document_that_holds_a_required_unit():
    twin = document("zz-lift", "Liftul AS-3, rezumat", f"{REQUIRED}\nCabina are 2 uși.", asset="AS-3")
    corpus = Corpus((*CORPUS.documents, twin), "test")
    made = stress.perturbed([case(units=((("lift", REQUIRED), ("zz-lift", REQUIRED)),))], corpus)
    found = stress.examine_pairs(made[:1], examiner, Settings())[0]
    holding = {"lift", "zz-lift"}
    assert holding & set(found.after.found.context) == holding & set(found.before.found.context) and len(found.after.found.context) == 4


def test_a_conflict_is_escalated_with_both_documents_shown(tested):
    after = stress.decided(tested["conflict"].after, POLICY)
    assert (after.route, after.reason) == (routes.ESCALATE, routes.CONFLICT)
    assert stress.rightly(tested["conflict"], POLICY)
    blind = replace(POLICY, limits=replace(POLICY.limits, rival=2.0))
    assert not stress.rightly(tested["conflict"], blind)


def test_a_conflict_shown_without_the_constructed_document_is_not_right(tested):
    pair = tested["conflict"]
    found = replace(pair.after.found, picks=(replace(pair.after.found.picks[0], document="lift"),), against={"rival": ("bazin", "x")})
    assert stress.decided(replace(pair.after, found=found), POLICY).reason == routes.CONFLICT
    assert not stress.rightly(replace(pair, after=replace(pair.after, found=found)), POLICY)


def test_a_budget_pair_is_never_relabelled_and_its_loss_has_a_stage(pairs, tested):
    cut, pair = pairs["budget"].perturbed, tested["budget"]
    assert REQUIRED not in cut["lift"].body and REQUIRED in CORPUS["lift"].body
    assert cut["lift"].body == LIFT.replace(REQUIRED + "\n", "") and cut["bazin"] is CORPUS["bazin"]
    assert pair.after.case is pair.before.case and pair.after.case.answerable and pair.after.case.route == routes.ANSWER
    assert pair.after.found.context == pair.before.found.context == ("lift",)
    assert stress.decided(pair.before, POLICY).lost == ""
    assert {stress.decided(pair.after, p).lost for p in (POLICY, replace(POLICY, threshold=1.0))} == {"admission"}
    assert stress.rightly(pair, replace(POLICY, threshold=1.0))


def test_an_answer_without_its_required_clause_is_not_right(tested):
    released = replace(tested["budget"], after=replace(tested["budget"].after, verdicts={"strict": ("accepted", ())}))
    after = stress.decided(released.after, POLICY)
    assert after.route == routes.ANSWER and len(after.wrong) == len(after.claims) == 1
    assert not stress.rightly(released, POLICY)


def test_a_document_that_holds_nothing_else_is_refused():
    corpus = Corpus((document("lift", "Liftul AS-3", REQUIRED),), "test")
    with pytest.raises(InputError, match="nothing is left of it without"):
        constructed.without(corpus, case().units[0])
    with pytest.raises(InputError, match="there is no neighbour to copy"):
        stress.perturbed([case()], corpus)


# --- counted --------------------------------------------------------------------------------------------------------

SAYS = Pick("lift", REQUIRED, 1, 5.0)
OTHER, THIRD = Pick("bazin", "Bazinul se închide în luna august.", 1, 4.0), Pick("bazin", "Casca este obligatorie în apă.", 2, 3.0)


def side(*picks, verdict="accepted", of=None):
    of = of or case()
    found = Examination(Request(of.question), ("lift",), picks, dict.fromkeys(SIGNS, 0.0), {}, 0.5)
    return Examined(of, found, {"article": ("accepted", ()), "strict": (verdict, ())})


def test_what_the_check_does_not_accept_is_not_released_and_counts_no_claim():
    for verdict, route, reason, stage in (
        ("accepted", routes.ANSWER, routes.SUFFICIENT, ""),
        ("refused", routes.WITHHOLD, routes.UNSUPPORTED, "support"),
        ("abstained", routes.ESCALATE, routes.ABSTAINED, "admission gate"),
    ):
        found = stress.decided(side(SAYS, verdict=verdict), POLICY)
        assert (found.route, found.reason, found.lost) == (route, reason, stage)
        assert bool(found.claims) == (route == routes.ANSWER) and not found.wrong


def test_noise_sensitivity_counts_claims_that_are_wrong_after_and_were_not_before():
    second = case("c2")
    made = [
        stress.ExaminedPair("noise", side(SAYS, OTHER), side(SAYS, OTHER, THIRD)),  # one new wrong claim of three
        stress.ExaminedPair("noise", side(SAYS, of=second), side(SAYS, of=second)),
        stress.ExaminedPair("noise", side(SAYS, of=second), side(OTHER, verdict="refused", of=second)),  # withheld: no claim
    ]
    rows = stress.table(made, POLICY, 200, 0)
    assert [r.perturbation for r in rows] == list(stress.PERTURBATIONS)
    row = rows[0]
    assert (row.pairs, row.families, row.answered_before, row.answered_after) == (3, 2, 3, 2)
    assert (row.claims_before, row.wrong_before, row.claims_after, row.wrong_after) == (4, 1, 4, 2)
    assert (row.noise_sensitivity.numerator, row.noise_sensitivity.denominator, row.noise_sensitivity.units) == (1, 4, 2)
    assert (row.rightly.numerator, row.rightly.denominator) == (1, 3)
    assert row.lost_before == dict.fromkeys(stress.STAGES, 0) and row.lost_after == {**row.lost_before, "admission": 1}


def test_nothing_to_count_is_undefined_and_not_zero():
    row = stress.table([], POLICY, 200, 0)[1]
    assert (row.pairs, row.rightly.value, row.noise_sensitivity.value) == (0, None, None)


def test_an_unanswerable_pair_loses_nothing_and_only_its_route_counts():
    unanswerable = case("u1", units=(), label="unanswerable")
    kept = stress.ExaminedPair("language", side(SAYS, verdict="refused", of=unanswerable), side(OTHER, verdict="refused", of=unanswerable))
    row = stress.table([kept], POLICY, 200, 0)[stress.PERTURBATIONS.index("language")]
    assert row.rightly.value == 1.0 and sum(row.lost_after.values()) == 0


def test_a_record_reads_back_and_a_missing_pair_is_named(tmp_path, tested):
    path = tmp_path / "stress.jsonl"
    written = list(tested.values())
    stress.write(path, written)
    back = stress.read(path, CASES)
    assert [(p.perturbation, p.before.case.id, p.after.case.id, p.added) for p in back] == [
        (p.perturbation, p.before.case.id, p.after.case.id, p.added) for p in written
    ]
    assert stress.table(back, POLICY, 200, 0) == stress.table(written, POLICY, 200, 0)
    with pytest.raises(InputError, match=f"noise of c9 and 2 other pairs were not examined; run: {RERECORD}"):
        stress.read(path, [case("c9")])
