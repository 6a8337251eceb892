"""What an answer cites: the grammar, the inventions, and the text that is left."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocite.citations import read

IDS = ["eori-numar", "eori-verificare", "posta"]
FIRST, SECOND, THIRD = IDS


@pytest.mark.parametrize(
    ("listed", "cited"),
    [
        ("1", [FIRST]),
        ("1, 2", [FIRST, SECOND]),
        ("2, 1, 2", [SECOND, FIRST]),
        ("[1][2]", [FIRST, SECOND]),
        ("[1], [3].", [FIRST, THIRD]),
        ("(1)", [FIRST]),
        ("1; 3", [FIRST, THIRD]),
        ("1 3", [FIRST, THIRD]),
        ("1-3", IDS),
        ("3-1", IDS),
        ("1–2", [FIRST, SECOND]),
        ("1 și 2", [FIRST, SECOND]),
        ("1 and 2", [FIRST, SECOND]),
        ("Fragmentul 2", [SECOND]),
        ("fragmentele 1, 2", [FIRST, SECOND]),
        ("posta, eori-numar", [THIRD, FIRST]),
        ("1 (eori-numar)", [FIRST]),
        ("`1`, <2>, #3", IDS),
        ("01", [FIRST]),
    ],
)
def test_a_sources_line_is_read_as_models_write_it(listed, cited):
    reading = read(f"Este gratuit.\nSURSE: {listed}", IDS)
    assert (list(reading.cited), reading.invented, reading.text) == (cited, (), "Este gratuit.")


@pytest.mark.parametrize(
    "line",
    [
        "SURSE: 2",
        "Surse: 2",
        "SURSA: 2",
        "Sursă: 2",
        "Sursele : 2",
        "SOURCES: 2",
        "Source: 2",
        "**SURSE:** 2",
        "**SURSE**: 2",
        "**SURSE: 2**",
        "*Surse: 2*",
        "## Surse: 2",
        "> SURSE: 2",
        "- SURSE: 2",
        "[SURSE: 2]",
        "SURSE:\n2",
        "SURSE:\n\n- 2",
        "SURSE:\n- eori-verificare",
    ],
)
def test_the_sources_line_is_found_under_every_heading(line):
    reading = read(f"Este gratuit.\n{line}", IDS)
    assert (reading.cited, reading.invented, reading.text) == ((SECOND,), (), "Este gratuit.")


@pytest.mark.parametrize("end", [".", "!", ".”", ".“", ".*", ".**", " [1]."])
def test_the_sources_may_follow_on_the_same_line(end):
    assert read(f"Este gratuit{end} SURSE: 1", IDS).cited == (FIRST,)


def test_a_sources_line_in_the_middle_hides_no_other_line():
    assert read("Primul.\nSURSE: 1\nAl doilea.", IDS).text == "Primul.\nAl doilea."


def test_words_behind_the_sources_are_inventions_and_cannot_hide():
    assert read("Da. SURSE: 1. Costă 100 lei.", IDS).invented == ("Costă", "100", "lei")


@pytest.mark.parametrize("text", ["Principalele surse: vama și poșta", "**Principalele** surse: vama", "Are resurse: 1 leu"])
def test_the_word_surse_inside_a_sentence_is_no_sources_line(text):
    assert read(text, IDS).cited == () and "vama" in read(text + " vama", IDS).text


@pytest.mark.parametrize(
    "text",
    [
        "Este gratuit [1]. Durează [2].",
        "Este gratuit. [1] Durează. [2]",
        "Este gratuit.[1] Durează.[2]",
        "Este gratuit [eori-numar]. Durează [Fragmentul 2].",
    ],
)
def test_marks_stand_before_or_after_the_full_stop(text):
    reading = read(text, IDS)
    assert (reading.text, reading.cited) == ("Este gratuit. Durează.", (FIRST, SECOND))


@pytest.mark.parametrize(
    ("mark", "cited"),
    [("[1, 2]", (FIRST, SECOND)), ("[1; 2]", (FIRST, SECOND)), ("[1-3]", tuple(IDS)), ("[1][3]", (FIRST, THIRD)), ("[ 1 ]", (FIRST,))],
)
def test_a_mark_may_list_several_sources(mark, cited):
    assert read(f"Este gratuit {mark}.", IDS).cited == cited


@pytest.mark.parametrize(
    "text", ["Este [sic] gratuit.", "Este [...] gratuit.", "Este [5 zile] gratuit.", "Este (1) gratuit.", "Este [] gratuit."]
)
def test_other_brackets_are_no_citations(text):
    reading = read(text, IDS)
    assert (reading.text, reading.cited, reading.invented) == (text, (), ())


def test_zero_is_an_invention():
    assert read("Da [0].", IDS).invented == ("0",)
    assert read("Da.\nSURSE: 0", IDS).invented == ("0",)


def test_the_last_number_is_a_source_and_the_next_an_invention():
    reading = read("Da [3] [4].", IDS)
    assert (reading.cited, reading.invented) == ((THIRD,), ("4",))


def test_an_id_that_was_not_retrieved_is_an_invention():
    assert read("Da [doc-9] [necunoscut-doc].", IDS).invented == ("doc-9", "necunoscut-doc")


def test_a_range_that_leaves_the_fragments_is_an_invention_and_ends():
    reading = read("Da.\nSURSE: 1-999999", IDS)
    assert (reading.cited, reading.invented) == (tuple(IDS), ("1-999999",))
    assert read("Da [0-1].", IDS).invented == ("0-1",)


@pytest.mark.parametrize("number", ["9" * 5000, "1" + "0" * 4999, "²", "1.0", "1/2"])
def test_what_is_no_position_is_an_invention(number):
    reading = read(f"Da.\nSURSE: {number}", IDS)
    assert (reading.cited, reading.invented) == ((), (number,))


def test_a_number_is_a_position_even_where_ids_are_numbers():
    reading = read("Da [1] [10].", ["10", "7"])
    assert (reading.cited, reading.invented) == (("10",), ("10",))


@pytest.mark.parametrize("known", ["doc-1", "source-2", "Legea 287", "nr-5", "legea.md", "a/b", "și-altele"])
def test_a_literal_id_is_read_in_marks_and_in_the_sources_line(known):
    assert read(f"Da [{known}].", ["x", known]).cited == (known,)
    assert read(f"Da.\nSURSE: {known}", ["x", known]).cited == (known,)


def test_the_longer_of_two_ids_wins():
    assert read("Da [eori-numar-nou].", ["eori-numar", "eori-numar-nou"]).cited == ("eori-numar-nou",)
    assert read("Da [Legea 5 bis].", ["Legea 5", "Legea 5 bis"]).cited == ("Legea 5 bis",)


@pytest.mark.parametrize("respell", ["poştă-1", unicodedata.normalize("NFD", "poștă-1")])
def test_an_id_is_found_in_every_spelling(respell):
    assert read("Da [poștă-1].", [respell]).cited == (respell,)
    assert read(f"Da.\nSURSE: {respell}", ["poștă-1"]).cited == ("poștă-1",)


@pytest.mark.parametrize("empty", ["", " ", ",", "."])
def test_an_id_without_letters_or_digits_is_cited_by_nothing(empty):
    assert read("Da, nu.\nSURSE: , .", [empty]).cited == ()


@pytest.mark.parametrize(
    "marker",
    [
        "NU_STIU",
        "NU_ȘTIU",
        "NU ŞTIU",
        "nu știu",
        "nu_s\u0326tiu",
        "NU-STIU",
        "NUSTIU",
        "NU\\_STIU",
        "**NU_STIU**",
        "I don't know",
        "I DON’T KNOW",
        "I dont know",
    ],
)
def test_the_marker_of_abstention_is_known_in_every_spelling(marker):
    assert read(marker, IDS).marker and not any(c.isalnum() for c in read(marker, IDS).text)
    reading = read(f"Termenul curge. {marker}\nSURSE: 1", IDS)
    assert (reading.marker, reading.cited) == (True, (FIRST,)) and "tiu" not in reading.text.lower() and "know" not in reading.text.lower()


def test_the_marker_is_a_word_of_its_own():
    assert not read("Menu stiuca. Genu știut.", IDS).marker


@given(st.text(), st.lists(st.text(), max_size=4))
def test_any_answer_can_be_read_and_cites_only_ids(answer, ids):
    reading = read(answer, ids)
    assert set(reading.cited) <= set(ids)
    assert len(set(reading.cited)) == len(reading.cited)


PIECES = st.lists(
    st.sampled_from(
        ["SURSE:", "SOURCES:", "[", "]", "1", "2", "0", "99", "-", ",", " ", "\n", ".", "*", "posta", "doc-1", "nu știu", "zile", "și"]
    )
)


@given(PIECES)
def test_any_mixture_of_citation_signs_cites_only_ids(pieces):
    reading = read("".join(pieces), IDS)
    assert set(reading.cited) <= set(IDS)
    assert not set(reading.invented) & {"1", "2"}


@given(PIECES)
def test_the_spelling_of_an_answer_does_not_change_what_it_cites(pieces):
    answer = "".join(pieces)
    assert read(unicodedata.normalize("NFD", answer).replace("\u0326", "\u0327"), IDS) == read(answer, IDS)


@given(st.lists(st.integers(0, 9), min_size=1))
def test_each_number_is_cited_or_invented_and_none_is_lost(numbers):
    reading = read("Da.\nSURSE: " + ", ".join(map(str, numbers)), IDS)
    assert set(reading.cited) == {IDS[n - 1] for n in numbers if 1 <= n <= 3}
    assert set(reading.invented) == {str(n) for n in numbers if not 1 <= n <= 3}


@pytest.mark.parametrize("piece", ["\n", "nu știu ", "SURSE: 1\n", "SURSE:\n", "[1]", "[", ". \n", "*", "1-3, ", "1 - "])
def test_hostile_repetition_takes_no_quadratic_time(piece):
    start = time.process_time()
    read(piece * (300_000 // len(piece)), IDS)
    assert time.process_time() - start < 3
