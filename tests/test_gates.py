"""The article's four gates and the judgement on hand-computed examples; every threshold at its boundary."""

import dataclasses
from pathlib import Path

import pytest

from rocite import check, corpus, gates
from rocite.citations import read
from rocite.errors import InputError, UnknownNameError
from rocite.evaluate import cases, grounding
from rocite.gates.base import Case, Fragment, Settings
from rocite.gates.grounding import overlap, sentence_overlap
from rocite.text import content_words

TOP = Path(__file__).resolve().parents[1]
QUESTION = "Cât costă numărul operatorului economic?"
FACT = "Numărul operatorului economic se atribuie gratuit în 30 de zile."  # six content words: zile is the sixth
OTHER = "Trimiterea se returnează expeditorului după notificare."
FRAGMENTS = (Fragment("eori", FACT, "Numărul", 0.70), Fragment("posta", OTHER, "Retur", 0.60))


def case(answer, fragments=FRAGMENTS, question=QUESTION, **settings):
    return Case(question, fragments, read(answer, [f.id for f in fragments]), Settings(**settings))


def judge(answer, fragments=FRAGMENTS, question=QUESTION, **settings):
    return check.judge(question, fragments, answer, Settings(**settings), "article")


# --- the article's figures --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def labelled():
    rows = grounding.load_sentences(TOP / "data/questions/grounding.csv", corpus.load(TOP / "corpus/customs"))
    return {row.id: row for row in rows}


def test_the_near_verbatim_sentence_scores_one_half_by_words_and_five_sixths_by_prefixes(labelled):
    row = labelled["n01"]
    assert len(content_words(row.sentence)) == 6
    assert sentence_overlap(row.sentence, row.source, 0) == 3 / 6
    assert sentence_overlap(row.sentence, row.source, 6) == 5 / 6


def test_the_ungrounded_sentence_scores_zero_by_words_and_prefixes(labelled):
    row = labelled["u01"]
    assert sentence_overlap(row.sentence, row.source, 0) == 0
    assert sentence_overlap(row.sentence, row.source, 6) == 0


@pytest.mark.parametrize(
    ("length", "min_ground", "verdict"), [(0, 0.50, "accepted"), (0, 0.51, "refused"), (6, 0.83, "accepted"), (6, 0.84, "refused")]
)
def test_the_near_verbatim_sentence_passes_only_up_to_its_score(labelled, length, min_ground, verdict):
    row = labelled["n01"]
    fragment = Fragment("retur", row.source)
    found = judge(f"{row.sentence}\nSURSE: 1", (fragment,), prefix_length=length, min_ground=min_ground)
    assert found.verdict == verdict


def test_the_settings_of_the_article_are_the_defaults():
    assert Settings() == Settings(min_sim=None, min_ground=0.50, prefix_length=6, min_claim_words=5)
    assert [gate.NAME for gate in gates.ARTICLE] == ["retrieval", "citation", "numbers", "grounding"]


# --- retrieval --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("min_sim", "fails"), [(0.69, False), (0.70, False), (0.7000001, True), (0.71, True)])
def test_min_sim_is_inclusive(min_sim, fails):
    one = case("x", min_sim=min_sim)
    score = gates.retrieval.score(one)
    assert score.value == 0.70
    assert (gates.retrieval.failure(score, one) is not None) is fails


def test_retrieval_is_unchecked_without_a_threshold_or_without_scores():
    unscored = tuple(dataclasses.replace(f, score=None) for f in FRAGMENTS)
    assert gates.retrieval.score(case("x")).value is None
    assert gates.retrieval.score(case("x")).details == {"best": 0.70}
    assert gates.retrieval.score(case("x", unscored, min_sim=0.5)).value is None


def test_a_negative_or_zero_score_is_a_score():
    low = (Fragment("a", "t", score=-0.2), Fragment("b", "t", score=0.0))
    assert gates.retrieval.score(case("x", low, min_sim=0.0)).value == 0.0


# --- citation ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "value", "fails"), [("Da [1].", 1.0, False), ("Da [1] [2] [9].", 2 / 3, True), ("Da [9].", 0.0, True), ("Da.", 0.0, True)]
)
def test_one_invention_fails_citation_and_so_does_no_citation(answer, value, fails):
    one = case(answer)
    score = gates.citation.score(one)
    assert score.value == value
    assert (gates.citation.failure(score, one) is not None) is fails


def test_citation_names_what_was_invented():
    one = case("Da.\nSURSE: 1, 0, 7")
    assert "0, 7" in gates.citation.failure(gates.citation.score(one), one)


# --- numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "value", "missing"),
    [
        ("În 30 de zile [1].", 1.0, []),
        ("În 30 sau 45 de zile [1].", 0.5, ["45"]),
        ("În 3 zile [1].", 0.0, ["3"]),  # "3" is no run of "30"
        ("În 30 de zile [2].", 0.0, ["30"]),  # it stands in the other fragment
        ("Costă 30 de lei [1].", 1.0, []),  # the article's weakness: whatever it counts
        ("Costă 30,5 lei [1].", 0.5, ["5"]),
    ],
)
def test_a_number_passes_where_the_same_run_stands_in_a_cited_text(answer, value, missing):
    score = gates.numbers.score(case(answer))
    assert (score.value, score.details["missing"]) == (value, missing)


def test_an_answer_without_numbers_leaves_the_numbers_unchecked():
    one = case("Este gratuit [1].")
    assert gates.numbers.score(one).value is None
    assert gates.numbers.failure(gates.numbers.score(one), one) is None


def test_a_number_of_the_title_alone_is_not_in_the_text():
    titled = (Fragment("a", "Este gratuit.", "Articolul 18"),)
    assert gates.numbers.score(case("Articolul 18 [1].", titled)).details["missing"] == ["18"]


# --- grounding --------------------------------------------------------------------------------------------


def test_overlap_counts_repeats_and_compares_prefixes():
    assert overlap(["returnat", "returnat", "colet", "zile"], ["returnata"], 6) == 0.5
    assert overlap(["returnat"], ["returnata"], 0) == 0.0
    assert overlap([], ["returnata"], 6) == 0.0


def test_exactly_one_half_is_grounded_and_less_is_not():
    source = (Fragment("a", "alfabet bucata carton"),)
    half = "alfabet bucata carton dovada etapa fereastra"
    assert judge(f"{half} [1].", source).verdict == "accepted"
    found = judge(f"{half} galerie [1].", source)
    assert (found.verdict, found.failed, found.scores["support_min"]) == ("refused", ("grounding",), round(3 / 7, 6))


def test_a_sentence_of_five_content_words_is_a_claim_and_one_of_four_is_not():
    source = (Fragment("a", "altceva complet diferit"),)
    four, five = "alfabet bucata carton dovada", "alfabet bucata carton dovada etapa"
    assert [s["score"] for s in judge(f"{four}. {five} [1].", source).sentences] == [None, 0.0]


def test_each_sentence_needs_one_document_that_carries_it_and_the_first_cited_wins_a_tie():
    split = (Fragment("a", "alfabet bucata carton"), Fragment("b", "dovada etapa fereastra"))
    found = judge("alfabet bucata carton dovada etapa fereastra.\nSURSE: 2, 1", split)
    assert [(s["source"], s["score"]) for s in found.sentences] == [("b", 0.5)]


def test_an_uncited_document_carries_nothing():
    assert judge(f"{FACT}\nSURSE: 2").failed == ("numbers", "grounding")
    assert judge(f"{FACT}\nSURSE: 1").failed == ()


def test_one_ungrounded_sentence_refuses_the_whole_answer_and_is_named():
    found = judge(f"{FACT} Permisul de conducere se obține după examenul poliției rutiere.\nSURSE: 1")
    assert (found.verdict, found.gate) == ("refused", "grounding")
    assert "Permisul" in found.reason and "below 0.50" in found.reason


def test_bold_type_does_not_join_an_ungrounded_sentence_to_a_grounded_one():
    found = judge(f"**{FACT}** Permisul auto rămâne valabil patru ani consecutivi.\nSURSE: 1")
    assert found.failed == ("grounding",) and len(found.sentences) == 2


# --- coverage and focus -----------------------------------------------------------------------------------


def test_coverage_needs_no_answer_and_falls_when_the_statement_is_taken_away():
    question = "Cât durează soluționarea cererii EORI?"
    there = (Fragment("a", "Cererea EORI se soluționează în 5 zile. Numărul este gratuit."),)
    gone = (Fragment("a", "Numărul este gratuit."),)
    found = [judge("", fragments, question).scores["coverage"] for fragments in (there, gone)]
    assert found[0] > 0.5 > found[1] >= 0


def test_focus_compares_the_evidence_with_the_best_statement():
    source = (Fragment("a", "Cererea EORI se soluționează în 5 zile. Numărul EORI este gratuit pentru solicitanți."),)
    right = judge("Cererea EORI se soluționează în 5 zile.\nSURSE: 1", source, "În cât timp se soluționează cererea?").scores["focus"]
    beside = judge("Numărul EORI este gratuit pentru solicitanți.\nSURSE: 1", source, "În cât timp se soluționează cererea?").scores[
        "focus"
    ]
    assert right == 1.0 > beside


@pytest.mark.parametrize(("question", "fragments"), [("", FRAGMENTS), ("  ", FRAGMENTS), ("Cât costă?", ())])
def test_coverage_is_null_only_for_an_empty_question_or_no_fragment(question, fragments):
    assert judge("x", fragments, question).scores["coverage"] is None


def test_a_question_of_short_words_has_a_coverage():
    assert judge("x", (Fragment("a", "Da, e un om."),), "e un om").scores["coverage"] > 0.5


# --- the verdict ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [4, 5])
def test_an_answer_of_fewer_than_five_content_words_abstains(words):
    answer = " ".join(["alfabet", "bucata", "carton", "dovada", "etapa"][:words])
    source = (Fragment("a", "alfabet bucata carton dovada etapa"),)
    assert judge(f"{answer} [1].", source).verdict == ("abstained" if words == 4 else "accepted")


@pytest.mark.parametrize("answer", ["NU_STIU", "NU_ȘTIU\nSURSE: 1", "", "SURSE: 9", "Costă 77 lei."])
def test_an_abstention_comes_before_citation_numbers_and_grounding(answer):
    found = judge(answer)
    assert (found.verdict, found.failed, found.gate) == ("abstained", (), None)


def test_the_marker_alone_does_not_make_a_long_answer_an_abstention():
    assert judge(f"NU_STIU. {FACT}\nSURSE: 1").verdict == "accepted"


def test_retrieval_comes_before_the_abstention():
    found = judge("NU_STIU", min_sim=0.9)
    assert (found.verdict, found.gate, found.reason[:10]) == ("refused", "retrieval", "retrieval:")


def test_every_gate_is_named_in_order_and_the_first_is_the_gate():
    found = judge("Permisul de conducere costă 77 lei, plătibili poliției rutiere [9].", min_sim=0.9)
    assert found.failed == ("retrieval", "citation", "numbers", "grounding")
    assert found.gate == "retrieval"


def test_no_threshold_changes_a_score():
    answer = f"{FACT}\nSURSE: 1, 2"
    assert judge(answer).scores["grounding"] == judge(answer, min_ground=1.0).scores["grounding"]
    assert judge(answer, min_sim=-1.0).scores["retrieval"] == judge(answer, min_sim=1.0).scores["retrieval"] == 0.70


def test_a_cited_document_that_carries_no_sentence_is_padding():
    found = judge(f"{FACT}\nSURSE: 1, 2")
    assert (found.verdict, found.sources, found.padding) == ("accepted", ("eori",), ("posta",))


def test_a_sentence_below_the_threshold_is_no_source():
    found = judge(f"{FACT} Numărul permisului rutier costă foarte mulți bani.\nSURSE: 1", min_ground=0.5)
    assert [s["source"] for s in found.sentences] == ["eori", "eori"]
    assert found.sources == ("eori",) and found.sentences[1]["score"] < 0.5
    alone = judge("Numărul permisului rutier costă foarte mulți bani.\nSURSE: 1")
    assert (alone.sources, alone.padding, alone.sentences[0]["source"]) == ((), ("eori",), "eori")


def test_a_score_of_zero_was_looked_at_and_is_not_unchecked():
    found = judge("Permisul de conducere costă 77 lei, plătibili poliției rutiere [9].")
    assert [found.scores[name] for name in ("citation", "numbers", "grounding")] == [0.0, 0.0, 0.0]
    assert found.unchecked == ("retrieval",)


@pytest.mark.parametrize("sign", [".", "!", "?", ";", ":", "\n"])
def test_what_stands_behind_any_end_of_a_sentence_is_scored_apart(sign):
    found = judge(f"{FACT[:-1]}{sign} Permisul auto rămâne valabil patru ani consecutivi.\nSURSE: 1")
    assert [s["score"] for s in found.sentences] == [1.0, 0.0]


def test_fragments_that_share_an_id_are_refused():
    with pytest.raises(InputError, match="share an id: a"):
        judge("x", (Fragment("a", "t"), Fragment("a", "u")))


def test_an_unknown_gate_set_is_refused_by_name():
    with pytest.raises(UnknownNameError, match=r"'artcle'.*'article'"):
        check.judge("q", FRAGMENTS, "a", Settings(), "artcle")


def test_an_unknown_setting_names_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'min_ground'"):
        check.settings_from({"min_gruond": 0.4})
    assert check.settings_from({"min_ground": 0.4}).min_ground == 0.4


# --- right and wrong --------------------------------------------------------------------------------------

RETURN = cases.EndToEndCase("retur", "t", True, ("De ce?",), "answered", ("30|treizeci", "zile"), ("lei",))


@pytest.mark.parametrize(
    ("text", "right"), [("În TREIZECI de zile.", True), ("În 30 de ore.", False), ("În 30 de zile, 5 lei.", False), ("", False)]
)
def test_an_answer_is_right_with_every_must_and_no_never(text, right):
    assert cases.is_right(text, RETURN.must, RETURN.never) is right


def test_without_facts_nothing_is_right():
    assert not cases.is_right("orice", ())


@pytest.mark.parametrize(
    ("verdict", "answerable", "expected"),
    [
        ("accepted", True, "answered rightly"),
        ("accepted", False, "answered wrongly"),
        ("refused", True, "refused"),
        ("abstained", True, "refused"),
        ("abstained", False, "refused"),
    ],
)
def test_each_answer_has_exactly_one_outcome(verdict, answerable, expected):
    judgement = dataclasses.replace(judge(f"{FACT} [1]"), verdict=verdict)
    one = dataclasses.replace(RETURN, answerable=answerable)
    assert cases.outcome(one, judgement, "30 de zile", {}) == expected
    assert expected in cases.OUTCOMES


def test_a_reading_of_wrong_is_the_last_word():
    one = cases.EndToEndCase("c", "t", True, ("q",), "answered", ("30 de zile",), ())
    assert cases.answers_rightly(one, "nu 30 de zile", {})
    assert not cases.answers_rightly(one, "nu 30 de zile", {("c", "nu 30 de zile"): False})
    assert not cases.answers_rightly(one, "45 de zile", {("c", "45 de zile"): True})


def test_the_shipped_cases_can_be_read_and_answerable_ones_have_facts():
    found, ungrounded = cases.load(TOP / "data/questions/cases.toml")
    assert len(found) == 4 and all(len(c.phrasings) == 10 for c in found)
    assert not cases.is_right(ungrounded["published"], ungrounded["must"])


def test_a_case_without_facts_is_refused_by_name(tmp_path):
    path = tmp_path / "cases.toml"
    path.write_text(
        '[[case]]\nid = "a"\ntitle = "t"\nanswerable = true\nphrasings = ["q"]\npublished = "p"\n[ungrounded]\nquestion = "q"\n'
    )
    with pytest.raises(InputError, match="case a is answerable and has no facts"):
        cases.load(path)


# --- labelled sentences -----------------------------------------------------------------------------------


def test_every_label_has_sentences_and_no_id_comes_twice(labelled):
    assert {row.label for row in labelled.values()} == set(grounding.LABELS)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,x,eori-numar,true", "label 'true'"),
        ("a,x,nothing,faithful", "no document 'nothing'"),
        ("a,x,eori-numar,faithful\na,y,eori-numar,faithful", "'a' comes twice"),
    ],
)
def test_a_bad_labelled_sentence_is_refused_with_its_line(tmp_path, row, message):
    path = tmp_path / "s.csv"
    path.write_text(f"id,sentence,doc,label\n{row}\n")
    with pytest.raises(InputError, match=f"line {2 + row.count(chr(10))}: .*{message}"):
        grounding.load_sentences(path, corpus.load(TOP / "corpus/customs"))


def test_methods_are_named_for_a_reader():
    assert [grounding.method_name(m) for m in (0, 6, "stemmer")] == ["whole words", "prefix 6", "stemmer"]
