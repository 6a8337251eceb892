"""One door for text: spelling never makes a difference, and no sentence ends inside a reference."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocite.text import content_words, digit_runs, fold, normalise, prefix, sentences

ROMANIAN = st.text('aăâbcdeiîlmnorsștțuAĂÂÎȘȚ 0123456789.,;:!?()[]"”*-–\n\t\u00a0\u00ad\u200b', max_size=120)


def cedilla(text):
    return text.translate(str.maketrans("șȘțȚ", "şŞţŢ"))


def decomposed(text):
    return unicodedata.normalize("NFD", text)


def decomposed_cedilla(text):
    return unicodedata.normalize("NFD", cedilla(text))


@pytest.mark.parametrize(
    "spelling", ["instituţii", "institut\u0326ii", "institut\u0327ii", "insti\u00adtuții", "institu\ufeffții", "institut\u200b\u0326ii"]
)
def test_every_spelling_of_a_word_is_one_word(spelling):
    assert normalise(spelling) == "instituții"


def test_all_four_cedilla_letters_become_comma_below():
    assert normalise("şŞţŢ") == "șȘțȚ"


def test_ligatures_are_spelt_out():
    assert normalise("conﬁrmarea oﬀ ﬂux oﬃciu baﬄe") == "confirmarea off flux officiu baffle"


def test_white_space_becomes_one_space_and_newlines_stay():
    assert normalise("a \t\u00a0\u2009b\r\nc\rd\u2028e") == "a b\nc\nd\ne"


def test_digits_and_punctuation_are_not_folded():
    assert normalise("„40” – nu; 1.500,5") == "„40” – nu; 1.500,5"


@given(st.text())
def test_normalise_and_fold_take_any_text(text):
    normalise(text)
    assert fold(text) == fold(normalise(text))
    content_words(text)
    digit_runs(text)


@given(ROMANIAN)
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(ROMANIAN, st.sampled_from([cedilla, decomposed, decomposed_cedilla]))
def test_spelling_changes_neither_words_nor_numbers_nor_sentences(text, respell):
    assert content_words(respell(text)) == content_words(text)
    assert digit_runs(respell(text)) == digit_runs(text)
    assert sentences(respell(text)) == sentences(text)


@given(ROMANIAN)
def test_text_without_diacritics_has_the_same_content_words(text):
    bare = normalise(text).translate(str.maketrans("ăâîșțĂÂÎȘȚ", "aaistAAIST"))
    assert content_words(bare) == content_words(text)


def test_fold_drops_case_and_diacritics():
    assert fold("ÎNȘTIINȚARE ăâ") == "instiintare aa"


def test_a_word_of_four_letters_counts_and_one_of_three_does_not():
    assert content_words("cod codu") == ["codu"]


def test_stop_words_are_dropped_in_every_spelling_and_repeats_kept():
    assert content_words("după dupa DUPĂ colet colet") == ["colet", "colet"]


def test_negation_is_never_a_stop_word_of_the_list():
    from rocite.stopwords import STOPWORDS

    assert not STOPWORDS & {"nu", "niciodata", "niciun", "nicio", "not", "never", "fără"}


def test_stop_words_are_folded_and_long_enough_to_matter():
    from rocite.stopwords import STOPWORDS

    assert all(word == fold(word) and len(word) >= 4 for word in STOPWORDS)


def test_a_hyphen_parts_words():
    assert content_words("CNP-urile post-comunitar") == ["urile", "post", "comunitar"]


def test_a_prefix_of_zero_keeps_the_word():
    assert [prefix("returnat", n) for n in (0, 3, 6, 20)] == ["returnat", "ret", "return", "returnat"]


def test_digit_runs_break_at_every_other_sign():
    assert digit_runs("RO123, 1.500,25 lei, 12.03.2026, 18bis") == ["123", "1", "500", "25", "12", "03", "2026", "18"]


# --- sentences --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Conform art. 5 alin. (2) lit. b) din Legea nr. 287/2009, termenul este de 30 de zile. Se aplică de la 1 ian. 2024.",
            ["Conform art. 5 alin. (2) lit. b) din Legea nr. 287/2009, termenul este de 30 de zile.", "Se aplică de la 1 ian. 2024."],
        ),
        ("Vezi art. IV din O.U.G. nr. 34/2023. Dl. Popescu a semnat.", ["Vezi art. IV din O.U.G. nr. 34/2023.", "Dl. Popescu a semnat."]),
        ("Se aplică conform art. 5. Termenul curge.", ["Se aplică conform art. 5.", "Termenul curge."]),
        ("CONFORM ART. 5 ALIN. (2) LIT. B) DIN LEGE. SE APLICĂ.", ["CONFORM ART. 5 ALIN. (2) LIT. B) DIN LEGE.", "SE APLICĂ."]),
        ("Vezi pct. 3, cap. II, tit. III, pag. 7. Gata.", ["Vezi pct. 3, cap. II, tit. III, pag. 7.", "Gata."]),
        ("Dna. Ionescu și dr. Pop vin. Pleacă.", ["Dna. Ionescu și dr. Pop vin.", "Pleacă."]),
        ("Vezi H.G. nr. 5. Apoi.", ["Vezi H.G. nr. 5.", "Apoi."]),
        ("Acte, cereri etc. Termenul curge.", ["Acte, cereri etc.", "Termenul curge."]),
        ("Durează 3.5 zile. Costă 1.500 lei.", ["Durează 3.5 zile.", "Costă 1.500 lei."]),
        ("Vezi vama.ro pentru detalii. Gata.", ["Vezi vama.ro pentru detalii.", "Gata."]),
        ("Termen de 30 de zile.Termenul curge.", ["Termen de 30 de zile.", "Termenul curge."]),
        ("Ce?! Da... Bine.", ["Ce?!", "Da...", "Bine."]),
        ("Text... și continuă.", ["Text... și continuă."]),
        ("El a zis „nu.” Apoi a plecat.", ["El a zis „nu.”", "Apoi a plecat."]),
        ("El a zis „nu.“ Apoi a plecat.", ["El a zis „nu.“", "Apoi a plecat."]),
        ("«Gata.» Apoi. (Da.) Nu.", ["«Gata.»", "Apoi.", "(Da.)", "Nu."]),
        ("**Este gratuit.** Durează 5 zile.", ["**Este gratuit.**", "Durează 5 zile."]),
        ("1. Primul.\n2. Al doilea.\n10) Al zecelea.", ["Primul.", "Al doilea.", "Al zecelea."]),
        ("- unu\n* doi\n• trei\na) patru\nIV. cinci", ["unu", "doi", "trei", "patru", "cinci"]),
        ("30 de zile.\n5 zile.", ["30 de zile.", "5 zile."]),
        ("Fără punct\nA doua linie", ["Fără punct", "A doua linie"]),
        ("...\n!?\n", []),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text, expected):
    assert sentences(text) == expected


def test_the_grounding_gate_also_ends_sentences_at_semicolon_and_colon_but_not_in_a_time_of_day():
    assert sentences("Vino la 10:30; adu: acte.", ".!?;:") == ["Vino la 10:30;", "adu:", "acte."]
    assert sentences("Vino la 10:30; adu: acte.") == ["Vino la 10:30; adu: acte."]


@given(ROMANIAN)
def test_sentences_lose_no_word(text):
    words = re.findall(r"[^\W\d_]{5,}", normalise(text))  # shorter ones may be enumerators: "a)", "viii."
    found = [w for s in sentences(text, ".!?;:") for w in re.findall(r"[^\W\d_]{5,}", s)]
    assert found == words


@given(st.text())
def test_sentences_take_any_text_and_none_is_empty(text):
    for sentence in sentences(text):
        assert sentence == sentence.strip() and any(c.isalnum() for c in sentence)
