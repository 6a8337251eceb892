"""Citation recall and precision on hand-made answers with known values, and which sentence cites what."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocite.check import judge
from rocite.citations import read
from rocite.evaluate import citations
from rocite.evaluate.answers import Given
from rocite.evaluate.citations import by_sentence, of_answer, precision, recall, supported
from rocite.evaluate.gold import Item, Passage
from rocite.gates.base import Fragment, Settings

FREE = Fragment("eori", "Numărul EORI se atribuie gratuit. Cererea se depune la biroul vamal.", "Numărul EORI", lang="ro")
TERM = Fragment(
    "termen", "Durata medie de soluționare a cererii este de 5 zile, iar termenul maxim este de 30 de zile.", "Termene", lang="ro"
)
POST = Fragment("posta", "Coletul se returnează expeditorului după 45 de zile.", "Poșta", lang="ro")
FRAGMENTS = (FREE, TERM, POST)
IDS = [f.id for f in FRAGMENTS]
IS_FREE, TAKES = "Numărul EORI se atribuie gratuit", "Termenul maxim de soluționare a cererii este de 30 de zile"
QUESTION = "Cât costă numărul EORI și cât durează?"
SETTINGS = Settings()
DRAWS = 200


def answered(text, label="right", family="f", system="s", **fields):
    item = Item(f"i-{family}", QUESTION, "tuning", family, ((Passage("eori"),),), lang="ro", **fields)
    return Given(system, item, FRAGMENTS, text, label, "", True, judge(QUESTION, FRAGMENTS, text, SETTINGS, lang="ro"))


def values(text, label="right"):
    found = of_answer(answered(text, label), SETTINGS)
    return found.recall, found.precision


def cited(text, ids=IDS):
    return [(s.text, s.cited) for s in by_sentence(text, ids).sentences]


def figures(given, **wanted):
    rows = citations.measure(given, SETTINGS, DRAWS, 1)
    return {r["metric"]: r for r in rows if all(r[k] == v for k, v in ({"stratum": None} | wanted).items())}


# --- the definitions --------------------------------------------------------------------------------------


def test_a_sentence_that_only_two_passages_support_together_needs_both():
    together = {("a", "b"), ("b", "a")}
    assert recall(("a", "b"), together.__contains__) == 1
    assert precision(("a", "b"), together.__contains__) == (1, 1)
    assert (recall(("a",), together.__contains__), precision(("a",), together.__contains__)) == (0, (0,))


def test_of_three_citations_the_one_that_adds_nothing_is_irrelevant():
    support = {("a", "b"), ("a", "b", "c")}
    assert precision(("a", "b", "c"), support.__contains__) == (1, 1, 0)


def test_two_passages_that_each_support_the_sentence_are_both_relevant():
    support = {("a",), ("b",), ("a", "b")}
    assert precision(("a", "b"), support.__contains__) == (1, 1)


def test_no_citation_of_an_unsupported_sentence_is_precise_even_where_its_passage_alone_would_do():
    assert precision(("a", "b"), {("a",)}.__contains__) == (0, 0)


def test_what_cites_nothing_has_recall_0_whatever_the_judge_says():
    assert (recall((), lambda cited: True), precision((), lambda cited: True)) == (0, ())


@given(st.lists(st.sampled_from("abcd"), unique=True, max_size=4).map(tuple), st.sets(st.frozensets(st.sampled_from("abcd"))))
def test_precision_has_one_value_for_each_citation_and_is_0_without_recall(names, supporting):
    def supports(cited):
        return frozenset(cited) in supporting

    found = precision(names, supports)
    assert len(found) == len(names)
    assert sum(found) <= len(names) * recall(names, supports)


# --- the judge --------------------------------------------------------------------------------------------


def test_the_judge_asks_for_support_and_not_for_relevance():
    strict = judge("Cine conduce muzeul?", (FREE,), f"{IS_FREE}.\nSURSE: 1", SETTINGS, lang="ro")
    assert (strict.verdict, strict.failed) == ("refused", ("focus",))
    assert supported("Cine conduce muzeul?", f"{IS_FREE}.", [FREE], SETTINGS, "ro")


def test_the_judge_looks_at_no_similarity():
    far = Fragment(FREE.id, FREE.text, FREE.title, 0.1, lang="ro")
    assert supported(QUESTION, f"{IS_FREE}.", [far], Settings(min_sim=0.9), "ro")


def test_checks_that_are_switched_off_stay_off():
    wrong = "Termenul maxim de soluționare a cererii este de 90 de zile."
    assert not supported(QUESTION, wrong, [TERM], SETTINGS, "ro")
    assert supported(QUESTION, wrong, [TERM], Settings(without="quantity"), "ro")


def test_a_sentence_is_supported_by_its_own_passage_alone():
    assert [supported(QUESTION, f"{TAKES}.", [f], SETTINGS, "ro") for f in FRAGMENTS] == [False, True, False]
    assert not supported(QUESTION, f"{TAKES}.", [], SETTINGS, "ro")


def test_what_no_single_document_says_is_not_supported_by_several():
    joined = "Numărul EORI se atribuie gratuit, iar coletul se returnează expeditorului după 45 de zile."
    assert not supported(QUESTION, joined, [FREE, POST], SETTINGS, "ro")


# --- answers with known values ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "recalls", "precisions"),
    [
        (f"{IS_FREE} [1].", (1,), ((1,),)),
        (f"{IS_FREE} [1][3].", (1,), ((1, 0),)),  # one of two is irrelevant: 1/2
        (f"{IS_FREE}.", (0,), ((),)),  # uncited
        (f"{IS_FREE} [2].", (0,), ((0,),)),
        (f"{IS_FREE} [1]. {TAKES}.", (1, 0), ((1,), ())),
        (f"{IS_FREE} [1]. {TAKES} [2].", (1, 1), ((1,), (1,))),
        (f"{IS_FREE} [1]. {TAKES} [1].", (1, 0), ((1,), (0,))),
        (f"{IS_FREE} [1][9].", (1,), ((1, 0),)),  # an invention supports nothing
        (f"{IS_FREE} [0].", (0,), ((0,),)),
        (f"{IS_FREE}. {TAKES}.\nSURSE: 1, 2", (1, 1), ((1, 0), (0, 1))),  # a line cites both for each
        (f"{IS_FREE}. {TAKES}.\nSURSE: 1", (1, 0), ((1,), (0,))),
        ("", (), ()),
        ("[1]", (), ()),
    ],
)
def test_an_answer_has_the_values_of_the_definitions(text, recalls, precisions):
    assert values(text) == (recalls, precisions)


@pytest.mark.parametrize("text", ["NU_STIU", "[0] NU_STIU", f"{IS_FREE} [1]. NU_STIU"])
def test_an_abstention_has_no_sentence_and_cites_nothing(text):
    found = of_answer(answered(text, "abstains"), SETTINGS)
    assert (found.abstained, found.sentences, found.recall, found.precision, found.invented) == (True, (), (), (), ())


# --- which sentence cites what ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Este gratuit [1]. Durează [2].",
        "Este gratuit. [1] Durează. [2]",
        "Este gratuit.[1] Durează.[2]",
        "[1] Este gratuit. [2] Durează.",
        "[1] Este gratuit.\n[2] Durează.",
        "- [1] Este gratuit.\n- [2] Durează.",
        "1. Este gratuit. [1]\n2. Durează. [2]",
        "Este gratuit.\n[1]\nDurează.\n[2]",
        "**Este gratuit.** [eori] Durează [Fragmentul 2].",
    ],
)
def test_a_mark_belongs_to_its_sentence_wherever_it_stands(text):
    assert cited(text) == [("Este gratuit.", ("eori",)), ("Durează.", ("termen",))]


def test_a_mark_before_the_first_sentence_belongs_to_it():
    assert cited("[1]\nEste gratuit.") == [("Este gratuit.", ("eori",))]


@pytest.mark.parametrize("mark", ["[1, 2]", "[1][2]", "[1-2]", "[1], [2]", "[1 și 2]", "[2-1]", "[1, 2, 1]"])
def test_a_mark_may_list_several_passages(mark):
    (sentence,) = by_sentence(f"Este gratuit {mark}.", IDS).sentences
    assert (sentence.cited, sentence.invented) == (("eori", "termen"), ())


@pytest.mark.parametrize(
    ("mark", "known", "unknown"),
    [("[0]", (), ("0",)), ("[2-5]", ("termen", "posta"), ("2-5",)), ("[1, 9]", ("eori",), ("9",)), ("[doc-9]", (), ("doc-9",))],
)
def test_an_invention_stands_with_the_sentence_that_cites_it(mark, known, unknown):
    first, second = by_sentence(f"Este gratuit {mark}. Durează [2].", IDS).sentences
    assert (first.cited, first.invented) == (known, unknown)
    assert (second.cited, second.invented) == (("termen",), ())


def test_other_brackets_stay_in_the_text_and_cite_nothing():
    assert cited("Este [sic] gratuit. Durează [4,5 mm/s].") == [("Este [sic] gratuit.", ()), ("Durează [4,5 mm/s].", ())]


def test_a_reference_with_an_abbreviation_is_one_sentence():
    assert cited("Conform art. 5 [1] lit. b) este gratuit. Durează.") == [
        ("Conform art. 5 lit. b) este gratuit.", ("eori",)),
        ("Durează.", ()),
    ]


@pytest.mark.parametrize("line", ["SURSE: 1, 3", "**Surse:** [1][3]", "SOURCES:\n- 1\n- 3", "Sursele: [1], [3].", "- SURSE: eori, posta"])
def test_a_sources_line_belongs_to_every_sentence(line):
    found = by_sentence(f"Este gratuit. Durează.\n{line}", IDS)
    assert found.by == "line"
    assert [(s.text, s.cited) for s in found.sentences] == [("Este gratuit.", ("eori", "posta")), ("Durează.", ("eori", "posta"))]


def test_the_sources_may_follow_the_last_sentence():
    found = by_sentence("Este gratuit [2]. SURSE: 1", IDS)
    assert (found.by, [s.cited for s in found.sentences]) == ("line", [("termen", "eori")])


@pytest.mark.parametrize("text", ["Principalele surse: vama și poșta [1].", "Are resurse: 1 leu [1]."])
def test_the_word_surse_inside_a_sentence_is_no_sources_line(text):
    found = by_sentence(text, IDS)
    assert (found.by, [s.cited for s in found.sentences]) == ("inline", [("eori",)])


def test_the_lead_in_of_a_list_is_read_with_each_point_and_cites_with_it():
    assert cited("Cererea la biroul vamal cuprinde [1]:\n- numele;\n- adresa [2].") == [
        ("Cererea la biroul vamal cuprinde: numele;", ("eori",)),
        ("Cererea la biroul vamal cuprinde: adresa.", ("termen", "eori")),
    ]
    assert cited("Pe scurt:\n- Este gratuit [1].") == [("Este gratuit.", ("eori",))]


def test_a_row_of_a_table_is_read_with_its_head():
    table = Fragment("usi", "| Ușa | Verificare |\n|---|---|\n| UA-1 | lunar |\n| UA-2 | anual |", "Uși", lang="ro")
    text = "[1] | Ușa | Verificare |\n[1] | UA-2 | anual |"
    assert cited(text, ["usi"]) == [("| Ușa | Verificare |", ("usi",)), ("| Ușa | Verificare | | UA-2 | anual |", ("usi",))]
    row, wrong = "| Ușa | Verificare | | UA-2 | anual |", "| Ușa | Verificare | | UA-2 | lunar |"
    assert supported("Cât de des se verifică UA-2?", row, [table], SETTINGS, "ro")
    assert not supported("Cât de des se verifică UA-2?", wrong, [table], SETTINGS, "ro")


MARKS = st.sampled_from(["", " [1]", " [2, 3]", "[1-3]", " [0]", " [posta]", " [7][1]"])
PIECES = st.lists(
    st.tuples(st.sampled_from(["Este gratuit", "Durează 5 zile", "Se depune la vamă"]), MARKS, st.sampled_from([". ", ".\n", "\n"])),
    min_size=1,
    max_size=5,
)
LINES = st.sampled_from(["", "\nSURSE: 1, 2", "\n**Surse:** [3]", "\nSURSE:\n- 2\n- 8"])


@given(PIECES, LINES, st.booleans())
def test_no_citation_and_no_word_of_an_answer_is_lost(pieces, line, after):
    text = "".join(
        f"{said}{end.strip(' ')}{mark}{' ' if end == '. ' else ''}" if after else f"{said}{mark}{end}" for said, mark, end in pieces
    )
    text += line
    whole, found = read(text, IDS), by_sentence(text, IDS)
    assert {n for s in found.sentences for n in s.cited} == set(whole.cited)
    assert {n for s in found.sentences for n in s.invented} == set(whole.invented)
    assert "".join(" ".join(s.text for s in found.sentences).split()) == "".join(whole.text.split())
    assert len(found.sentences) == len(pieces)


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_answer_can_be_taken_apart_and_cites_only_ids(answer, ids):
    assert {n for s in by_sentence(answer, ids).sentences for n in s.cited} <= set(ids)


# --- metrics ----------------------------------------------------------------------------------------------

ANSWERS = [
    answered(f"{IS_FREE} [1][3]. {TAKES} [2].", family="a"),  # 2 of 2 sentences, 2 of 3 citations
    answered(f"{IS_FREE}.", family="b"),  # 0 of 1
    answered(f"{IS_FREE} [1][9].", family="c"),  # 1 of 1, 1 of 2, one invented
    answered("[0] NU_STIU", "abstains", family="d"),
    answered("", "error", family="e"),
]


def test_figures_come_with_their_counts_and_an_abstention_and_an_empty_answer_are_counted():
    found = figures(ANSWERS)
    counts = {"answers": 5, "abstained": 1, "empty": 1, "sentences": 4, "citations": 5, "invented": 1}
    assert all({k: row[k] for k in counts} == counts for row in found.values())
    shown = {name: (row["numerator"], row["denominator"], row["units"]) for name, row in found.items()}
    assert shown == {
        "citation_recall": (3, 4, 3),
        "citation_precision": (3, 5, 2),
        "wholly_supported": (2, 4, 4),  # the empty answer is not
        "with_invention": (1, 4, 4),
    }
    assert all(0 <= r["low"] <= r["value"] <= r["high"] <= 1 and r["value"] == r["numerator"] / r["denominator"] for r in found.values())


def test_where_nothing_but_abstentions_is_given_figures_are_undefined_and_not_zero():
    found = figures([answered("NU_STIU", "abstains"), answered("NU_STIU", "abstains", family="g")])
    assert {(r["value"], r["denominator"], r["answers"], r["abstained"]) for r in found.values()} == {(None, 0, 2, 2)}


def test_answers_with_a_sources_line_are_reported_apart_and_every_answer_once():
    given = [*ANSWERS, answered(f"{IS_FREE}. {TAKES}.\nSURSE: 1, 2", family="l")]
    inline, line = figures(given, cited="inline"), figures(given, cited="line")
    assert (inline["citation_recall"]["answers"], line["citation_recall"]["answers"]) == (5, 1)
    assert inline == figures(ANSWERS)
    assert (line["citation_precision"]["numerator"], line["citation_precision"]["denominator"]) == (2, 4)


def test_systems_and_strata_have_rows_of_their_own():
    given = [answered(f"{IS_FREE} [1].", stratum="user"), answered(f"{IS_FREE}.", stratum="expert", system="t")]
    rows = citations.measure(given, SETTINGS, DRAWS, 1)
    found = {(r["system"], r["stratum"]): r["value"] for r in rows if r["metric"] == "citation_recall"}
    assert found == {("s", None): 1, ("s", "user"): 1, ("s", "lang:ro"): 1, ("t", None): 0, ("t", "expert"): 0, ("t", "lang:ro"): 0}


def test_a_part_limits_what_is_reported_and_the_same_seed_gives_the_same_rows():
    assert citations.measure(ANSWERS, SETTINGS, DRAWS, 1, part="untouched") == []
    assert citations.measure(ANSWERS, SETTINGS, DRAWS, 1, part="tuning") == citations.measure(ANSWERS, SETTINGS, DRAWS, 1)


def test_sentences_of_one_family_are_one_unit():
    together = [answered(f"{IS_FREE} [1]. {TAKES}.", family="one") for _ in range(5)]
    row = figures(together)["citation_recall"]
    assert (row["numerator"], row["denominator"], row["units"]) == (5, 10, 1)
    assert np.allclose([row["low"], row["high"]], 0.5)
