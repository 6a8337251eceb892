"""The parts of the answer boundary: what a question names and asks, what is picked, in which order boundaries stop an answer."""

from dataclasses import replace

import numpy as np
import pytest
from boundary_made import AT, CT1, CT2, HALL, KEPT, KEPT_15, KEPT_30, KEY, POLICY, PRESSURE, TARIFF, desk, document

from rocite.boundary import routes
from rocite.boundary.evidence import SIGNALS, Picker, cells_of, fits, told
from rocite.boundary.found import SIGNS, Examination, Pick, Request
from rocite.boundary.naming import MOST_PARTS, assets_named, edition_asked, parts_of, says
from rocite.boundary.policy import Gate, boundary, policy_from
from rocite.boundary.release import admitted, candidate, fragments, readable, settings_for, shown_to_generator
from rocite.errors import InputError
from rocite.gates.base import Settings
from rocite.language import translations
from rocite.language.asked_for import asked_for, gives
from rocite.language.quantities import quantities
from rocite.language.statements import Statement


def examined(question, *documents, at=AT, asset="", scope=(), **given) -> Examination:
    return desk(*documents, **given).examine(Request(question, scope, at, asset))


# --- reasons and the order of hard boundaries -------------------------------------------------------------------------


def test_every_reason_has_one_route_and_no_reason_but_sufficient_evidence_is_an_answer():
    assert set(routes.ROUTE_OF.values()) == set(routes.ROUTES)
    assert [r for r, route in routes.ROUTE_OF.items() if route == routes.ANSWER] == [routes.SUFFICIENT]
    assert [r for r in routes.ROUTE_OF if routes.outward(r) != r] == [routes.SCOPE]


AGAINST = {"edition": 1.0, "sister": 1.0, "sibling": 1.0, "rival": 1.0, "retired": 9.0}
ORDER = (
    ("edition", routes.REVISION),
    ("sister", routes.IDENTIFIER),
    ("sibling", routes.IDENTIFIER),
    ("rival", routes.CONFLICT),
    ("retired", routes.STALE),
)


def found(picks=True, **signs) -> Examination:
    pick = (Pick("a", "Text.", 0, 9.0),) if picks else ()
    return Examination(Request("Ce?"), ("a",), pick, {**dict.fromkeys(SIGNS, 0.0), "score": 9.0, **signs}, {"retired": ("b", "T")}, 0.0)


@pytest.mark.parametrize("n", range(len(ORDER)))
def test_of_several_hard_boundaries_the_first_in_their_order_is_the_reason(n):
    signs = {name: AGAINST[name] for name, _ in ORDER[n:]}
    assert boundary(found(**signs), POLICY.limits) == POLICY.decide(found(**signs)) == ORDER[n][1]
    assert POLICY.decide(found(picks=False, **AGAINST)) == routes.MISSING


def test_no_probability_overrides_a_hard_boundary_and_none_is_needed_without_a_threshold():
    certain = replace(POLICY, gate=Gate((), (), 50.0))
    assert certain.gate.probability({}) == 1.0
    assert [certain.decide(found(**{name: AGAINST[name]})) for name, _ in ORDER] == [reason for _, reason in ORDER]
    assert POLICY.decide(found(score=-5.0)) == routes.MISSING
    assert replace(POLICY, threshold=None).decide(found(score=-5.0)) == routes.SUFFICIENT


def test_at_its_limit_a_sign_counts_but_a_retired_statement_does_not():
    limits = POLICY.limits
    for name, reason in ORDER[1:4]:
        limit = getattr(limits, name)
        assert boundary(found(**{name: limit}), limits) == reason and boundary(found(**{name: limit - 1e-6}), limits) == ""
    assert boundary(found(retired=limits.retired), limits) == ""
    assert boundary(found(retired=limits.retired + 1e-6), limits) == routes.STALE


def test_at_its_threshold_evidence_is_sufficient():
    half = replace(POLICY, threshold=0.5)
    assert half.decide(found(score=0.0)) == routes.SUFFICIENT and half.decide(found(score=-1e-4)) == routes.MISSING


@pytest.mark.parametrize("broken", [{}, {"limits": {}}, {"threshold": "high"}, {"gate": None}])
def test_a_policy_that_is_incomplete_is_refused(broken):
    with pytest.raises(InputError, match="not a policy"):
        policy_from({**POLICY.as_dict(), **broken} if broken else {})
    assert policy_from(POLICY.as_dict()) == POLICY


# --- what a question names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "edition"),
    [
        ("Conform ediției a doua, cât costă?", "2"),
        ("Conform celei de-a doua ediții, cât costă?", "2"),
        ("Potrivit ediției a II-a, cine semnează?", "2"),
        ("În a 3-a ediție, cine semnează?", "3"),
        ("În prima ediție, cât costă?", "1"),
        ("Ediția I a manualului?", "1"),
        ("By the 2nd edition, who signs?", "2"),
        ("Under rev. 4, who signs?", "4"),
        ("Under revision no. 4, who signs?", "4"),
        ("Which edition I should use?", ""),
        ("Which version one must follow?", ""),
        ("În care dintre cele două ediții?", ""),
        ("Ce versiune este în vigoare?", ""),
        ("La câte ore se face revizia?", ""),
        ("What does the last edition say?", ""),
    ],
)
def test_an_edition_is_read_where_a_question_names_one(question, edition):
    assert edition_asked(question) == edition


@pytest.mark.parametrize(
    ("question", "assets", "named"),
    [
        ("Supapa de la ct 1?", ("CT-1", "CT-12"), ("CT-1",)),
        ("Supapa de la CT–1?", ("CT-1",), ("CT-1",)),
        ("The valve of CT-1-2?", ("CT-1", "CT-1-2"), ("CT-1-2",)),
        ("The valves of CT-1-2 and CT-1?", ("CT-1", "CT-1-2"), ("CT-1", "CT-1-2")),
        ("Supapa de la ACT-1 sau CT-10?", ("CT-1",), ()),
        ("Orice supapă?", (".*", "-", ".", "", " ", "(", "[a-z]"), ()),
        ("Supapa (.*)?", (".*",), ()),
        ("CT-1's valve?", ("CT-1",), ("CT-1",)),
        ("Cazanul de la scoala 5?", ("Școala 5",), ("Școala 5",)),
    ],
)
def test_an_asset_is_named_however_it_is_spaced_and_never_as_part_of_another(question, assets, named):
    assert assets_named(question, assets) == named


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Unde se depune și cine semnează; în cât timp?", ["Unde se depune", "cine semnează", "în cât timp?"]),
        ("Unde se depune şi cine semnează?", ["Unde se depune", "cine semnează?"]),  # with cedilla
        ("How much is it and when is it due?", ["How much is it", "when is it due?"]),
        ("Coletul are 2 kg. Cine îl ridică și de unde?", ["Cine îl ridică", "de unde?"]),
        ("How long is it kept? Who may open it?", ["How long is it kept?", "Who may open it?"]),
        ("Who signs and dates the form?", ["Who signs and dates the form?"]),
        ("Cine semnează, cine?", ["Cine semnează, cine?"]),
        ("Sare și piper", ["Sare și piper"]),
        ("și și și", ["și și și"]),
        ("???", ["???"]),
    ],
)
def test_a_question_is_parted_where_it_asks_several_things(question, parts):
    assert parts_of(question) == parts


def test_a_question_of_many_parts_is_read_as_one_and_a_repeated_part_once():
    many = " și ".join(f"unde se lasă cheia {n}" for n in range(MOST_PARTS + 1)) + "?"
    assert parts_of(many) == [many] and len(parts_of(many.replace(" și unde se lasă cheia 0", ""))) == 1
    assert len(parts_of(many.rpartition(" și ")[0])) == MOST_PARTS
    assert parts_of("Unde se lasă? " * 500 + "Cine semnează?") == ["Unde se lasă?", "Cine semnează?"]


@pytest.mark.parametrize("question", ["???", "...", "\u200b", "\x00\x07", "🔑", "se se se", "Cine?", "What is it?", "și " * 50])
def test_a_question_without_a_word_to_go_by_picks_nothing(question):
    assert not says(question)
    seen = examined(question, HALL, CT1)
    assert seen.picks == () and set(seen.signs.values()) == {0.0} and POLICY.decide(seen) == routes.MISSING


@pytest.mark.parametrize("question", ["Ce e UE?", "12345", "P-1", "Cât costă?", "Who signs?"])
def test_a_code_or_a_number_is_something_to_go_by(question):
    assert says(question)


# --- kinds of value ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("La ce interval se gresează?", ("frequency",)),
        ("How often and for how long?", ("frequency", "duration")),
        ("ÎN CÂT TIMP?", ("duration",)),
        ("Within how many days?", ("duration",)),
        ("Care este taxa?", ("money",)),
        ("What is the fee?", ("money",)),
        ("La ce oră se închide?", ("clock",)),
        ("Când expiră?", ("date",)),
        ("At which temperature?", ("temperature",)),
        ("La câți bari?", ("pressure",)),
        ("Cât cântărește?", ("weight",)),
        ("Cine aprobă?", ()),
        ("How much water is needed?", ()),
        ("Unde?", ()),
        ("", ()),
    ],
)
def test_the_kinds_of_value_that_a_question_asks_for(question, kinds):
    assert asked_for(question) == kinds


@pytest.mark.parametrize(
    ("kind", "text", "lang", "gives_it"),
    [
        ("duration", "Se păstrează 15 zile.", "ro", True),
        ("duration", "Costă 15 lei.", "ro", False),
        ("duration", "Potrivit art. 15 alin. (3).", "ro", False),
        ("duration", "It is paid at once.", "en", True),
        ("money", "Eliberarea este gratuită.", "ro", True),
        ("money", "The form is free of charge.", "en", True),
        ("money", "Se păstrează 15 zile.", "ro", False),
        ("frequency", "Se curăță o dată pe an.", "ro", True),
        ("pressure", "The valve opens at 6 bar.", "en", True),
        ("temperature", "The valve opens at 6 bar.", "en", False),
        ("clock", "Oficiul se închide la ora 18:30.", "ro", True),
    ],
)
def test_whether_a_statement_gives_a_value_of_the_kind(kind, text, lang, gives_it):
    assert gives(kind, text, quantities(text, lang)) is gives_it


def test_a_value_that_the_question_names_itself_is_not_given():
    stated = quantities("Un colet nelivrat în 15 zile se returnează.", "ro")
    assert gives("duration", "…", stated) and not gives("duration", "…", stated, quantities("După 15 zile, cât mai aștept?", "ro"))


@pytest.mark.parametrize(
    ("question", "statement", "value"),
    [
        ("un colet de 2 kg", "peste 2 kg", -1.0),
        ("un colet de 2 kg", "cel mult 2 kg", 1.0),
        ("un colet de 2,5 kg", "peste 2 kg și până la 10 kg", 1.0),
        ("a parcel of 12 kg", "over 2 kg and up to 10 kg", -1.0),
        ("un colet de 7 kg", "în cel mult 5 zile", 0.0),
        ("un colet de 7 kg", "taxa este de 9 lei", 0.0),
        ("un colet", "peste 2 kg", 0.0),
        ("colete de 1 kg și de 7 kg", "cel mult 2 kg", -1.0),
    ],
)
def test_an_amount_is_held_against_the_bounds_of_a_statement(question, statement, value):
    lang = "en" if "parcel" in question else "ro"
    assert fits(quantities(question, lang), quantities(statement, lang)) == value


def test_words_are_shared_in_translation_both_ways_and_by_weight():
    pump = [{"pomp", "greas"}, {"pump"}, set()]
    assert translations.shared(["is", "the", "pump"], "en", pump) == [1.0, 1.0, 0.0]
    assert translations.shared(["pompa", "zxqw"], "ro", [Statement("The pump stops.").key_set])[0] < 0.6
    assert translations.shared(["the", "of"], "en", pump) == [0.0] * 3 and translations.shared([], "ro", [{"x"}]) == [0.0]
    assert translations.shared(["2026"], "ro", [{"2026"}, {"2025"}]) == [1.0, 0.0]


# --- statements as evidence -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("| a | b |\n|---|---|\n| x | y |", ["| a | b | | x | y |"]),
        ("| a | b |\n|---|---|", []),
        ("Se cer:\n- cerere;\n- copie.", ["cerere;", "copie."]),
        ("Cine semnează? Directorul semnează.", ["Directorul semnează."]),
        ("Taxa:", []),
        ("--- ...", []),
    ],
)
def test_only_what_says_something_is_a_statement(body, texts):
    assert [s.text for s in told(document("x", body))] == texts


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("| greutatea | taxa | | 2 kg | 15 lei |", "greutatea – 2 kg, taxa – 15 lei."),
        ("| | taxa | | 2 kg | 15 lei |", "2 kg, taxa – 15 lei."),
        ("| g | A | B | C | | 1 kg | | | 5 lei |", "g – 1 kg, C – 5 lei."),  # a cell never moves to another head
        ("| g | A | | 1 kg | |", "g – 1 kg."),
        ("| g | A | | 1 kg | 5 lei", "g – 1 kg, A – 5 lei."),
        ("| g | A | B | | 1 kg | 5 lei |", "| g | A | B | | 1 kg | 5 lei |"),  # which head is missing cannot be told
        ("| g | A |", "g – A."),
        ("| g |", "| g |"),
        ("Fără tabel | deloc.", "Fără tabel | deloc."),
        ("|", "|"),
        ("", ""),
    ],
)
def test_a_row_is_read_with_its_own_heads(row, said):
    assert readable(row) == said


def test_no_text_makes_reading_a_row_fail():
    rng = np.random.default_rng(1)
    for _ in range(500):
        text = "|" + "".join(rng.choice(list("|| ab\n1"), rng.integers(0, 12)))
        assert readable(text) and all(cell for _, cell in cells_of(text))


def test_the_row_that_holds_the_amount_is_picked_and_shown_as_a_sentence():
    seen = examined("Care este taxa la oficiu pentru un colet de 7 kg?", TARIFF, HALL)
    assert seen.picks[0].text == "| Greutatea coletului | Taxa la oficiu | | peste 2 kg și până la 10 kg | 23 lei |"
    shown = "Greutatea coletului – peste 2 kg și până la 10 kg, Taxa la oficiu – 23 lei."
    assert admitted(seen) == {"tariff": (shown,)}
    assert candidate(seen, desk(TARIFF, HALL).corpus) == f"{shown}\nSURSE: 1"
    assert seen.signs["unfixed"] == 0.0
    assert examined("Care este taxa la oficiu pentru un colet?", TARIFF, HALL).signs["unfixed"] == 1.0


def test_the_generator_sees_the_admitted_statements_alone_and_the_check_whole_documents_in_the_same_order():
    made = desk(KEPT_15, HALL, CT1)
    seen = made.examine(Request("Câte zile se păstrează coletul la ghișeu și unde se lasă cheia sălii?", (), AT))
    assert [p.document for p in seen.picks] == ["a", "hall"]
    shown, laid = shown_to_generator(seen, made.corpus), fragments(seen, made.corpus)
    assert [(f.id, f.text) for f in shown] == [("a", KEPT_15.body), ("hall", "Cheia sălii se lasă la portar.")]
    assert [f.id for f in laid][:2] == ["a", "hall"] and laid[1].text == HALL.body


def test_focus_is_off_only_where_question_and_evidence_are_in_two_languages():
    made = desk(HALL)
    ro, en = (made.examine(Request(q, (), AT)) for q in (KEY, "Where is the portar and cheia?"))
    assert settings_for(ro, made.corpus, Settings()) == Settings()
    assert settings_for(en, made.corpus, Settings()).without == "focus"
    assert settings_for(en, made.corpus, Settings(without="polarity")).without == "polarity,focus"


# --- signs ------------------------------------------------------------------------------------------------------------


def test_a_later_date_alone_supersedes_nothing_and_supersedes_does():
    seen = examined(KEPT, KEPT_15, KEPT_30)
    assert seen.signs["rival"] >= POLICY.limits.rival and {seen.picks[0].document, seen.against["rival"][0]} == {"a", "b"}
    resolved = replace(KEPT_30, metadata=(*KEPT_30.metadata, ("supersedes", "a")))
    seen = examined(KEPT, KEPT_15, resolved)
    assert seen.signs["rival"] == 0.0 and seen.picks[0].document == "b" and "retired" not in seen.against
    seen = examined(KEPT, KEPT_15, resolved, at="2024-01-01")
    assert seen.picks[0].document == "a" and "b" not in seen.context


def test_documents_that_agree_or_are_about_two_assets_are_no_conflict():
    again = document("b", "La ghișeu, coletul se păstrează 15 zile.")
    assert examined(KEPT, KEPT_15, again).signs["rival"] == 0.0
    assert examined(PRESSURE, CT1, CT2).signs["rival"] == 0.0


@pytest.mark.parametrize("asset", ["CT-1", "ct-1", "ct 1", "CT1", " CT-1\n"])
def test_an_asset_that_is_declared_fixes_which_is_meant_however_it_is_spelled(asset):
    seen = examined(PRESSURE, CT1, CT2, HALL, asset=asset)
    assert seen.picks[0].document == "ct1" and "ct2" not in seen.context and seen.signs["sister"] == 0.0


def test_a_question_that_names_another_asset_than_the_request_has_no_identifier():
    seen = examined("La ce presiune se deschide supapa la CT-1?", CT1, CT2, HALL, asset="CT-2")
    assert POLICY.decide(seen) == routes.IDENTIFIER


@pytest.mark.parametrize("asset", [".*", "XX-9", "[", "(CT-1|CT-2)", "\\", " ", "CT", "CT-", "-"])
def test_an_asset_that_no_document_has_makes_no_document_of_another_evidence(asset):
    seen = examined(PRESSURE, CT1, CT2, asset=asset)
    assert seen.picks == () and POLICY.decide(seen) == routes.MISSING


@pytest.mark.parametrize("asset", [".*", "-", "/", "a|b", "(", "*", "\\d+"])
def test_an_odd_asset_in_front_matter_is_never_what_a_question_names(asset):
    odd = replace(CT2, metadata=(*((k, v) for k, v in CT2.metadata if k != "asset"), ("asset", asset)))
    seen = examined(PRESSURE, CT1, odd, HALL)
    assert POLICY.decide(seen) == routes.IDENTIFIER
    assert examined("La ce presiune se deschide supapa la CT-1?", CT1, odd).picks[0].document == "ct1"


def test_before_every_document_there_is_nothing_and_a_retired_one_alone_is_stale():
    assert examined(KEPT, KEPT_15, KEPT_30, at="0001-01-01").picks == ()
    gone = replace(KEPT_15, metadata=(*KEPT_15.metadata, ("effective_to", "2025-01-01")))
    seen = examined(KEPT, gone, HALL)
    assert POLICY.decide(seen) == routes.STALE and seen.against["retired"] == ("a", KEPT_15.body)
    assert POLICY.decide(examined(KEPT, gone, KEPT_30, HALL)) == routes.SUFFICIENT, "a document in force says it too"
    with pytest.raises(InputError, match="expected a date as 2026-07-15"):
        examined(KEPT, HALL, at="2026-13-01")


def test_what_a_request_may_not_see_has_no_part_in_its_examination():
    hidden = replace(KEPT_15, metadata=(*KEPT_15.metadata, ("scope", "staff")))
    assert examined(KEPT, HALL, CT1, hidden) == examined(KEPT, HALL, CT1)
    assert examined(KEPT, HALL, CT1, hidden, scope=("staff",)).picks[0].document == "a"
    assert desk(HALL, hidden).hidden(Request(KEPT, (), AT)).scopes == ("staff",)
    assert desk(HALL, hidden).hidden(Request(KEPT, ("staff",), AT)) is None


def test_the_weights_alone_decide_which_statement_is_picked():
    rows = [tuple(float(name == wanted) for name in SIGNALS) for wanted in ("length", "words")]
    long = document("long", "Un text lung despre cu totul altceva, " + "care nu se mai termină " * 8 + "niciodată.")
    first, second = (examined(KEY, HALL, long, picker=Picker(row)).picks[0].document for row in rows)
    assert (first, second) == ("long", "hall")


def test_an_empty_question_is_an_error():
    with pytest.raises(InputError, match="the question is empty"):
        examined(" \n", HALL)


@pytest.mark.parametrize("bodies", [(), ("Taxa:",), ("--- ...", "🔑🔑"), ("| a | b |",)])
def test_documents_that_say_nothing_give_nothing(bodies):
    silent = [document(f"s{n}", body) for n, body in enumerate(bodies)]
    hidden = document("h", HALL.body, scope="staff")
    for documents in (silent, [*silent, hidden]):
        if documents:
            seen = examined(KEY, *documents)
            assert seen.picks == () and seen.similarity == 0.0 and POLICY.decide(seen) == routes.MISSING
