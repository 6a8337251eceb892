"""Cases of the answer boundary, what is counted of them, and policies side by side."""

from dataclasses import replace

import pandas as pd
import pytest
from answerability_cases import (
    CORPUS,
    COST,
    KEPT,
    OLD,
    PART_OF,
    POLICY,
    case,
    document,
    quoted,
    record,
    right,
    seen,
    unanswerable,
    written,
    wrong,
)  # fmt: skip
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from rocite import corpus as documents
from rocite.boundary.routes import ANSWER, CLARIFY, DENY, ESCALATE, WITHHOLD
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.answerability import cases as case_set
from rocite.evaluate.answerability import examined, fixture, outcomes, policies
from rocite.evaluate.answerability.outcomes import Outcome
from rocite.report import answerability as report
from rocite.report import boundary_service

# --- the eight-case fixture -------------------------------------------------------------------------------------------


def test_the_fixture_is_exact_to_the_last_count():
    rows = fixture.table()
    assert list(rows)[:6] == ["policy", "coverage", "unsupported", "unnecessary", "escalate", "clarify"]
    assert rows.iloc[:, :6].to_numpy().tolist() == [
        ["always answer", "8/8", "5/8", "0/4", "0/8", "0/8"],
        ["similarity baseline", "6/8", "5/6", "2/4", "2/8", "0/8"],
        ["bounded, before support check", "3/8", "1/3", "1/4", "4/8", "1/8"],
        ["bounded, after support check", "2/8", "0/2", "2/4", "5/8", "1/8"],
    ]
    assert fixture.exact()


@pytest.mark.parametrize("name", [c.id for c in fixture.CASES])
def test_the_fixture_is_found_out_when_one_case_is_labelled_otherwise(name, monkeypatch):
    other = tuple(replace(c, answerable=not c.answerable) if c.id == name else c for c in fixture.CASES)
    monkeypatch.setattr(fixture, "CASES", other)
    assert not fixture.exact()


@pytest.mark.parametrize("policy", list(fixture.EXACT))
@pytest.mark.parametrize("place", range(5))
def test_the_fixture_is_found_out_when_one_published_count_is_another(policy, place, monkeypatch):
    n, of = fixture.EXACT[policy][place].split("/")
    changed = list(fixture.EXACT[policy])
    changed[place] = f"{int(n) + 1}/{of}"
    monkeypatch.setitem(fixture.EXACT, policy, tuple(changed))
    assert not fixture.exact()


def test_the_baseline_of_the_fixture_answers_exactly_at_its_similarity():
    at = replace(fixture.CASES[0], similarity=fixture.SIMILARITY)
    answers = fixture.POLICIES["similarity baseline"]
    assert answers(at) == ANSWER and answers(replace(at, similarity=0.849999)) == ESCALATE


# --- reading cases ----------------------------------------------------------------------------------------------------

TWO = [quoted("keys", KEPT), quoted("rooms", "A room is locked at 20:00.")]
BOTH = [{"id": "keys", "revision": "2"}, {"id": "rooms", "revision": ""}]
FORMER = {"sources": [{"id": "keys-old", "revision": "1"}]}
VAULT = {"sources": [{"id": "vault", "revision": ""}]}
GATE = {"sources": [{"id": "gate", "revision": ""}], "units": [[quoted("gate", "The gate opens at 7 bar.")]]}
SHUT = "rests on passages that the asker cannot have on 2026-07-15"
GOOD = [
    record(),
    record(kind="several", units=[[p] for p in TWO], sources=BOTH),
    record(kind="cross-language", lang="ro", variant="translation"),
    record(**VAULT, units=[[quoted("vault", "The vault opens at 6:15.")]], scope=["security"]),
    record(**GATE, asset="G-1"),
    unanswerable("missing"),
    unanswerable("contradictory", evidence=TWO, sources=BOTH),
    unanswerable("ambiguous", evidence=TWO, sources=BOTH),
    unanswerable("stale", evidence=[quoted("keys-old", OLD)], **FORMER),
    unanswerable("wrong revision", evidence=[quoted("keys-old", OLD)], **FORMER),
    unanswerable("denied", evidence=[quoted("vault", "The vault opens at 6:15.")], **VAULT),
]


@pytest.mark.parametrize("good", GOOD, ids=lambda r: r["kind"])
def test_a_case_of_every_kind_is_read_as_it_was_written(good, tmp_path):
    (found,) = case_set.load_records(written(tmp_path / "cases.jsonl", good), CORPUS)
    assert found.as_dict() == good


REFUSED = [
    (record(kind="odd"), "kind 'odd'; expected one of single, several"),
    (record(route="escalate"), "route 'escalate' is not that of kind 'single'"),
    (record(label="unanswerable"), "label 'unanswerable' contradicts route 'answer'"),
    (record(label="perhaps"), "label 'perhaps' contradicts"),
    (record(variant="joke"), "variant 'joke' in 'en'; expected base, paraphrase, translation"),
    (record(lang="fr"), "variant 'base' in 'fr'"),
    *((record(**{name: " "}), "needs an id, an intent, a question, a reviewer") for name in ("id", "intent", "question", "reviewer", "reason")),
    (record(units=[]), "an answerable case has units and an answer"),
    (record(answer=""), "an answerable case has units and an answer"),
    (record(lacks="a price"), "neither evidence nor lacks"),
    (record(evidence=TWO[:1]), "neither evidence nor lacks"),
    (unanswerable("missing", lacks=""), "says what it lacks"),
    (unanswerable("missing", answer="15 days."), "neither units nor an answer"),
    (unanswerable("missing", units=[TWO[:1]]), "neither units nor an answer"),
    (record(units=[TWO[:1], []]), "a required unit has a passage at least"),
    (record(units=[[quoted("keys", " ")]]), "a passage has words"),
    (record(at="soon"), "at 'soon'; expected a date as 2026-07-15"),
    (record(units=[[quoted("doors", KEPT)]]), "no such passage in 'doors'"),
    (record(units=[[quoted("keys", "The key is kept for 16 days.")]]), "no such passage in 'keys': 'The key is kept for 16"),
    (record(units=[TWO[:1], TWO[1:]]), "'rooms' is quoted and no source"),
    (record(sources=[{"id": "keys", "revision": "9"}]), "the source 'keys' in revision '9' does not exist"),
    (record(sources=[*BOTH, {"id": "doors", "revision": ""}]), "the source 'doors' in revision '' does not exist"),
    (record(units=[[quoted("keys-old", OLD)]], **FORMER), "'keys-old' is required and not in force"),
    (record(units=[[quoted("vault", "The vault opens at 6:15.")]], **VAULT), "'vault' is required and not in force, or not open"),
    (record(**GATE, asset="G-2"), "'gate' is required and of another asset than 'G-2'"),
    (unanswerable("contradictory", evidence=TWO[:1]), "kind 'contradictory' rests on two passages"),
    (unanswerable("ambiguous", evidence=TWO[:1]), "kind 'ambiguous' rests on two passages"),
    *((unanswerable(kind), f"kind '{kind}' {SHUT}") for kind in ("stale", "wrong revision", "denied")),
    *((unanswerable(kind, evidence=TWO[:1]), f"kind '{kind}' {SHUT}") for kind in ("stale", "wrong revision", "denied")),
    (record(kind="several"), "kind 'several' has two units"),
    ({k: v for k, v in record().items() if k != "lacks"} | {"luck": 1}, "missing ['lacks'], unknown ['luck']"),
    (record(id=5), "not a case (TypeError"),
    (record(scope="security"), "not a case (TypeError: scope is no list"),
    (record(sources=["keys"]), "not a case (TypeError"),
    (record(units=[[{"doc": "keys"}]]), "not a case (KeyError: 'quote'"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "said"), REFUSED, ids=lambda v: v if isinstance(v, str) else None)
def test_a_case_that_cannot_be_used_is_refused_with_its_place_and_the_reason(bad, said, tmp_path):
    path = written(tmp_path / "cases.jsonl", record(id="first", question="Who keeps the first key?"), bad)
    with pytest.raises(InputError) as refused:
        case_set.load_records(path, CORPUS)
    assert str(refused.value).startswith(f"{path}, object 2") and said in str(refused.value)


def test_a_file_torn_at_its_end_is_refused_and_not_read_short(tmp_path):
    with pytest.raises(InputError, match="cases.jsonl: the last line is torn"):
        case_set.load_records(written(tmp_path / "cases.jsonl", record(), tail='{"id": "q2", "int'), CORPUS)


def test_a_file_without_cases_is_refused(tmp_path):
    with pytest.raises(InputError, match="no case; expected at least one"):
        case_set.load_records(written(tmp_path / "cases.jsonl"), CORPUS)


def test_a_question_or_an_id_that_comes_twice_is_refused_unless_another_time_is_asked_about(tmp_path):
    path = tmp_path / "cases.jsonl"
    with pytest.raises(InputError, match="object 2: the question stands in object 1 already"):
        case_set.load_records(written(path, record(), record(id="q2", question="HOW long is the KEY kept?")), CORPUS)
    with pytest.raises(InputError, match="object 2: the id stands in object 1 already"):
        case_set.load_records(written(path, record(), record(question="Until when is the key kept?")), CORPUS)
    assert len(case_set.load_records(written(path, record(), record(id="q2", at="2026-07-16")), CORPUS)) == 2


def test_documents_without_a_part_and_a_need_in_two_families_of_documents_are_refused(tmp_path):
    path = written(tmp_path / "cases.jsonl", record(), record(id="q2", question="And how long?", documents="yard"))
    with pytest.raises(InputError, match="object 2: the intent 'need-1' is that of 'house' too"):
        case_set.load(path, CORPUS, PART_OF)
    with pytest.raises(InputError, match="object 2: 'yard' has no part; known: house"):
        case_set.load(path, CORPUS, {"house": "training"})


def test_the_version_of_a_set_of_cases_changes_with_its_parts(tmp_path):
    path = written(tmp_path / "cases.jsonl", record())
    one, other = (case_set.load(path, CORPUS, PART_OF | {"house": part}) for part in ("training", "acceptance"))
    assert one.version != other.version and one.version == case_set.load(path, CORPUS, PART_OF).version
    assert one.part("training") == one.cases and other.part(*case_set.TUNING) == ()


PARTS_FILE = "".join(f'[{part}]\ndocuments = ["{name}"]\n' for name, part in PART_OF.items())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PARTS_FILE.replace('["yard"]', '["yard", "house"]'), "a family of documents stands in two parts"),
        (PARTS_FILE.replace("[threshold]", "[tuning]"), "the parts are training, calibration, threshold, acceptance; found"),
        (PARTS_FILE.split("[acceptance]")[0], "the parts are training, calibration, threshold, acceptance; found"),
        (PARTS_FILE.replace("documents", "papers", 1), "expected a table with `documents`"),
        ("[training", "expected a table with `documents`"),
        ("training = 3", "expected a table with `documents`"),
    ],
)
def test_a_part_file_that_parts_nothing_cleanly_is_refused(text, said, tmp_path):
    path = tmp_path / "parts.toml"
    path.write_text(PARTS_FILE, encoding="utf-8")
    assert case_set.load_parts(path) == PART_OF
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        case_set.load_parts(path)


# --- the cases of the checkout ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped(root):
    found = documents.load(root / "corpus")
    folder = root / "data" / "boundary"
    cases = case_set.load(folder / "cases.jsonl", found, case_set.load_parts(folder / "parts.toml"))
    return cases, case_set.load_records(folder / "denied.jsonl", found)


def test_the_cases_of_the_checkout_are_as_many_as_were_asked_for(shipped):
    cases, _ = shipped
    whole, held = case_set.counts(cases.cases), case_set.counts(cases.part("acceptance"))
    assert whole["cases"] >= 480 and whole["families"] >= 160
    assert held["cases"] >= 200 and held["answerable"] >= 120
    assert all(whole[kind] and held[kind] for kind in case_set.KINDS)
    assert {c.lang for c in cases.part("acceptance")} == {"ro", "en"}


def test_no_family_of_documents_stands_in_two_parts_and_no_document_in_acceptance_and_elsewhere(shipped):
    cases, _ = shipped
    families = {part: {c.documents for c in cases.part(part)} for part in case_set.PARTS}
    assert sum(map(len, families.values())) == len(set().union(*families.values()))
    used = [{i for c in cases.part(*parts) for i, _ in c.sources} for parts in (("acceptance",), case_set.TUNING)]
    assert used[0] and not used[0] & used[1]


def test_the_reviewer_of_every_case_is_the_project(shipped):
    cases, denied = shipped
    assert {c.reviewer for c in (*cases.cases, *denied)} == {"project"}


def test_denied_requests_are_a_suite_of_their_own_and_no_cases(shipped):
    cases, denied = shipped
    assert len(denied) >= 100 and {(c.kind, c.route) for c in denied} == {("denied", DENY)}
    assert not {c.id for c in denied} & {c.id for c in cases.cases} and not {c.intent for c in denied} & {c.intent for c in cases.cases}
    assert all(c.kind != "denied" and c.route != DENY for c in cases.cases)


# --- what a candidate is worth ---------------------------------------------------------------------------------------

BOTH_UNITS = ((("keys", KEPT),), (("keys", COST), ("rooms", "A room is locked at 20:00.")))


@pytest.mark.parametrize("kind", [k for k, way in case_set.KINDS.items() if way != ANSWER])
@pytest.mark.parametrize("picks", [(), (("keys", KEPT),)])
def test_an_answer_to_a_case_that_nothing_answers_is_unsupported_whatever_it_says(kind, picks):
    e = seen(case(kind=kind), *picks)
    assert e.unsupported and not e.right and not e.sufficient_context
    (shown,) = policies.run([e], lambda _: ANSWER)
    assert shown.unsupported and not shown.incomplete
    (kept,) = policies.run([e], lambda _: ESCALATE)
    assert not kept.unsupported


def test_a_missing_unit_is_incomplete_and_not_unsupported():
    e = seen(case(kind="several", units=BOTH_UNITS), ("keys", KEPT))
    (found,) = policies.run([e], policies.always)
    assert (e.met, found.unsupported, found.incomplete, e.right) == ((True, False), False, True, False)
    assert outcomes.INCOMPLETE.count([found]) == (1, 1) and outcomes.UNSUPPORTED.count([found]) == (0, 1)


def test_any_alternative_meets_a_unit_and_another_statement_is_an_unsupported_claim():
    of = case(kind="several", units=BOTH_UNITS)
    assert seen(of, ("keys", KEPT), ("rooms", "A room is locked at 20:00.")).right
    extra = seen(of, ("keys", KEPT), ("keys", COST), ("gate", "The gate opens at 7 bar."))
    assert extra.met == (True, True) and extra.unsupported and not extra.right
    assert seen(of, ("keys-old", KEPT), ("keys", COST)).unsupported  # the same words of another document


@pytest.mark.parametrize(
    ("picks", "context", "route", "stage"),
    [
        ((), ("gate",), ESCALATE, "retrieval"),
        ((("keys", KEPT),), ("keys",), ANSWER, ""),
        ((("keys", COST),), ("keys",), ANSWER, "admission"),
        ((("keys", KEPT),), ("keys",), ESCALATE, "admission gate"),
        ((("keys", KEPT),), ("keys",), CLARIFY, "admission gate"),
        ((("keys", KEPT),), ("keys",), WITHHOLD, "support"),
    ],
)
def test_a_required_unit_is_reported_lost_at_its_stage_and_the_label_stays(picks, context, route, stage):
    e = seen(case(), *picks, context=context)
    assert e.lost(route) == stage and e.case.label == "answerable" and stage in (*report.STAGES, "")
    assert e.sufficient_context == (stage != "retrieval")
    table = report.stages([e, seen(case("other", "missing"))], lambda _: route).set_index("kind")
    assert table.loc["single", stage or "nothing lost"] == 1 and table.answerable.sum() == 1


def test_a_case_that_nothing_answers_loses_nothing():
    assert {seen(case(kind="missing"), context=()).lost(r) for r in (ANSWER, ESCALATE, WITHHOLD)} == {""}


def test_examined_cases_are_read_back_as_they_were_written(tmp_path):
    found = [
        seen(case("a"), ("keys", KEPT), similarity=0.123456, against={"rival": ("rooms", "A room is locked at 20:00.")}, rival=0.654321),
        seen(case("b", "missing"), context=(), strict="abstained"),
        seen(case("c", lang="ro", asset="G-1"), ("gate", "Poarta se deschide la 7 bari, „așa”."), strict="refused"),
    ]
    examined.write(tmp_path / "examined.jsonl", found)
    assert examined.read(tmp_path / "examined.jsonl", [e.case for e in found]) == found
    assert examined.read(tmp_path / "examined.jsonl", [found[2].case, found[0].case]) == [found[2], found[0]]
    with pytest.raises(InputError, match="d and 0 other cases were not examined; run: make boundary"):
        examined.read(tmp_path / "examined.jsonl", [case("a"), case("d")])


# --- counts -----------------------------------------------------------------------------------------------------------


def test_withheld_counts_as_escalated_and_as_unnecessary_where_the_documents_answer():
    found = [Outcome("a", "a", True, WITHHOLD), Outcome("u", "u", False, WITHHOLD), Outcome("c", "c", True, CLARIFY), Outcome("d", "d", True, ANSWER)]  # fmt: skip
    assert outcomes.ESCALATED.count(found) == (2, 4) and outcomes.CLARIFIED.count(found) == (1, 4)
    assert outcomes.UNNECESSARY.count(found) == (2, 3) and outcomes.ANSWERABLE_COVERAGE.count(found) == (1, 3)
    a4 = next(o for o in fixture.run(fixture.POLICIES["bounded, after support check"]) if o.case == "A4")
    assert a4.route == WITHHOLD and outcomes.UNNECESSARY.holds(a4) and outcomes.UNNECESSARY.among(a4)


def test_selective_error_without_an_answer_is_undefined_and_shown_so():
    frame = policies.table([right("a"), wrong("b")], {"never answer": policies.never, "always answer": policies.always}, 0.95, 50, 1)
    rows = {(r["policy"], r["measure"]): report.estimate(r) for r in frame.to_dict("records")}
    none = rows["never answer", "unsupported"]
    assert (none.value, none.denominator, none.low, none.high) == (None, 0, None, None)
    assert rows["never answer", "wrong families"].high is None
    assert rows["always answer", "unsupported"].value == 0.5 and rows["always answer", "unsupported"].denominator == 2
    shown = report.side_by_side(frame).set_index("policy")
    assert [shown.loc["never answer", m] for m in ("unsupported", "incomplete", "wrong families")] == ["n/a (0)"] * 3
    assert shown.loc["never answer", "coverage"].startswith("0/2 = 0.00") and shown.loc["always answer", "unsupported"].startswith("1/2")


@settings(deadline=None)
@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_bound_over_families_is_the_exact_binomial_one(counted, level):
    wrong_ones, families = counted
    found = [
        Outcome(f"{n}-{m}", str(n), True, ANSWER, unsupported=n < wrong_ones and m == 1) for n in range(families) for m in range(2)
    ]  # one wrong phrasing of two makes a family wrong
    interval = binomtest(wrong_ones, families, alternative="less").proportion_ci(level, "exact")
    assert outcomes.family_risk(found, level) == (wrong_ones, families, pytest.approx(interval.high, abs=1e-9))
    assert outcomes.family_risk([replace(o, route=ESCALATE) for o in found], level) == (0, 0, None)


# --- policies ---------------------------------------------------------------------------------------------------------


def test_a_similarity_exactly_at_the_threshold_answers():
    at, under = right("a", similarity=0.7), right("b", similarity=0.699999)
    assert [policies.similar(0.7)(e) for e in (at, under, seen(case("c"), similarity=0.9))] == [ANSWER, ESCALATE, ESCALATE]


def test_a_set_of_gates_alone_withholds_what_it_refuses_and_escalates_what_abstains():
    rule = policies.gates("strict")
    assert [rule(right("a", strict=v)) for v in ("accepted", "refused", "abstained")] == [ANSWER, WITHHOLD, ESCALATE]


def test_hard_boundaries_come_before_any_estimate_and_the_check_after_it():
    sure = {"score": 9.0, "coverage": 1.0}
    before, after, learned = policies.covering(POLICY, 0.5, False), policies.covering(POLICY, 0.5, True), policies.learned(POLICY)
    for signs, way in (({"rival": 0.7}, ESCALATE), ({"sister": 0.5}, CLARIFY), ({"sibling": 0.5}, CLARIFY), ({"edition": 1.0}, ESCALATE)):
        assert {rule(right("a", **sure, **signs)) for rule in (before, after, learned)} == {way}
    assert {rule(right("a", **sure, strict="refused")) for rule in (after, learned)} == {WITHHOLD}
    assert before(right("a", **sure, strict="refused")) == ANSWER
    assert [before(right("a", coverage=c)) for c in (0.5, 0.499999)] == [ANSWER, ESCALATE]
    assert [learned(right("a", score=s)) for s in (0.0, -0.001)] == [ANSWER, ESCALATE]


def test_metadata_rules_look_at_front_matter_alone():
    g2 = document("gate-2", "The gate opens at 9 bar.", asset="G-2")
    again = document("gate-3", "The gate opens at 7 bar.", asset="G-1")
    rule = policies.by_metadata(Corpus((*CORPUS.documents, g2, again), "more"))
    pick = ("gate", "The gate opens at 7 bar.")
    asked = {name: case(question=q) for name, q in (("one", "At what pressure does gate G-1 open?"), ("none", "When does it open?"))}
    assert rule(seen(asked["none"], pick, context=("gate", "gate-2"))) == CLARIFY
    assert rule(seen(asked["one"], pick, context=("gate", "gate-2"))) == ANSWER
    assert rule(seen(asked["one"], pick, context=("gate", "gate-3"))) == ESCALATE
    assert rule(seen(asked["none"], ("keys", KEPT), context=("keys", "rooms"))) == ANSWER
    assert rule(seen(asked["none"], ("keys", KEPT), edition=1.0)) == ESCALATE


KINDS = st.sampled_from(sorted(case_set.KINDS))
ANY = st.builds(
    lambda kind, lang, name, picks, score, cover, rival, verdict, near: (kind, lang, name, picks, score, cover, rival, verdict, near),
    KINDS, st.sampled_from(["ro", "en"]), st.sampled_from(["house", "yard", "shed"]),
    st.lists(st.sampled_from([("keys", KEPT), ("keys", COST), ("gate", "The gate opens at 7 bar.")]), max_size=2, unique=True),
    st.floats(-2, 2), st.floats(0, 1), st.sampled_from([0.0, 0.9]), st.sampled_from(["accepted", "refused", "abstained"]), st.floats(0, 1),
)  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(st.lists(ANY, min_size=1, max_size=12))
def test_what_segments_count_adds_up_to_the_whole_for_every_policy(drawn):
    group = [
        seen(
            case(f"c{n}", kind, documents=name, lang=lang, intent=f"need-{n // 2}", sources=(("gate", "") if n % 2 else ("keys", "2"),)),
            *picks, context=("keys", "gate"), strict=verdict, article=verdict, similarity=near, score=score, coverage=cover, rival=rival,
        )
        for n, (kind, lang, name, picks, score, cover, rival, verdict, near) in enumerate(drawn)
    ]  # fmt: skip
    named = policies.rules(POLICY, 0.5, 0.5, CORPUS)
    frame = policies.segments(group, named, CORPUS, 0.95)
    assert set(frame.by) == {"kind", "language", "documents", "impact"} and set(frame.policy) == set(named)
    for (name, _), own in frame.groupby(["policy", "by"]):
        found = policies.run(group, named[name])
        whole = {
            "cases": len(group),
            "answerable": sum(e.case.answerable for e in group),
            "answered": outcomes.COVERAGE.count(found)[0],
            "covered": outcomes.ANSWERABLE_COVERAGE.count(found)[0],
            "unsupported": outcomes.UNSUPPORTED.count(found)[0],
            "escalate": outcomes.ESCALATED.count(found)[0],
            "clarify": outcomes.CLARIFIED.count(found)[0],
        }
        assert {k: int(own[k].sum()) for k in whole} == whole
        assert whole["answered"] + whole["escalate"] + whole["clarify"] == whole["cases"]
    told = report.fates(group, named).drop(columns="policy")
    assert (told.sum(axis=1) == len(group)).all()
    ledger = boundary_service.ledger(group, named[policies.LEARNED], 7).set_index("what").requests
    assert ledger.iloc[1:5].sum() == ledger.iloc[0] == len(group) and ledger["all requests"] == len(group) + 7


def test_the_worst_segment_is_the_one_furthest_below_the_policys_own_coverage():
    group = [right("a", lang="ro", score=2.0), right("b", lang="ro", score=-2.0), right("c", lang="ro", score=-2.0), right("d", score=2.0)]
    frame = policies.segments([*group, seen(case("u", "missing"))], {"p": policies.learned(POLICY)}, CORPUS, 0.95)
    worst = policies.taken_from_worst(frame).set_index("by")
    row = worst.loc["language"]
    assert (row.segment, row.covered, row.answerable, row.below) == ("ro", 1, 3, pytest.approx(2 / 4 - 1 / 3, abs=1e-6))
    assert worst.loc["kind", "segment"] == "single"  # the missing case has no coverage to take
    assert pd.isna(frame[frame.segment == "missing"].below).all()
