"""The gold set, its metrics beside ir-measures, what a question may see, ways of cutting documents, and retrievers by name."""

import json
import math
from collections import Counter
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocite import chunk, corpus, retrieve
from rocite.chunk import cut
from rocite.corpus import Corpus, Document, visible
from rocite.errors import InputError, UnknownNameError
from rocite.evaluate import gold, retrieval
from rocite.evaluate.gold import Item, Passage
from rocite.evaluate.retrieval import Ranked
from rocite.retrieve import bm25, fusion
from rocite.retrieve.base import Ranker, to_scale
from rocite.stats import Estimate
from rocite.text import sentence_spans

TOP = Path(corpus.__file__).parents[2]
DRAWS = 50
TODAY = "2026-07-15"


class Fixed(Ranker):
    """Scores that were written down: question to document to score, 0 for a document that is not named."""

    def __init__(self, over, table):
        super().__init__(over)
        self.table = table

    def scores(self, questions):
        return np.array([[self.table[q].get(name, 0.0) for name in self.corpus.ids] for q in questions])


def fixed(table):
    return retrieve.Retriever("fixed", lambda over: Fixed(over, table), {})


def documents(*names, **bodies):
    made = [Document(n, "", f"Documentul {n}.") for n in names] + [Document(n, "", body, lang="ro") for n, body in bodies.items()]
    return Corpus(tuple(made), "made")


def item(*needs, name="q", part="tuning", **fields):
    """An item that needs documents: "a" is one need, "a|b" one with two alternatives."""
    wanted = tuple(tuple(Passage(d) for d in need.split("|")) for need in needs)
    return Item(name, fields.pop("question", name), part, fields.pop("family", name), wanted, **fields)


def by_hand(ids, *needs, scores=None, **fields):
    asked = item(*needs, **fields)
    found = tuple(frozenset(n for n, need in enumerate(asked.needs) if i in {p.doc for p in need}) for i in ids)
    return Ranked(asked, tuple(ids), tuple(scores or np.linspace(0.9, 0.1, len(ids)).tolist()), found)


def estimate(metric, *ranked):
    return metric.estimate(ranked, DRAWS, np.random.default_rng(1))


# --- beside ir-measures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_recall_and_reciprocal_rank_agree_with_ir_measures_on_random_runs(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 12))
    over = documents(*(f"d{n:02d}" for n in range(size)))
    asked = [f"q{n:02d}" for n in range(15)]
    items = [item(*rng.choice(over.ids, rng.integers(1, size + 1), replace=False).tolist(), name=q) for q in asked]
    run = {q: {i: int(s) / 1000 for i, s in zip(over.ids, rng.permutation(1000)[:size], strict=True)} for q in asked}
    qrels = {i.id: dict.fromkeys(i.docs, 1) for i in items}
    ranked = retrieval.rank(items, over, fixed(run))
    pairs = [(retrieval.recall(k), ir_measures.R @ k) for k in (1, 2, 5, size, size + 100)]
    for ours, theirs in [*pairs, (retrieval.mean_reciprocal_rank(), ir_measures.RR)]:
        each = {m.query_id: m.value for m in ir_measures.iter_calc([theirs], qrels, run)}
        assert {r.item.id: ours.value(r) for r in ranked} == pytest.approx(each)
        found = estimate(ours, *ranked)
        assert found.value == pytest.approx(ir_measures.calc_aggregate([theirs], qrels, run)[theirs])
        assert (found.denominator, found.units) == (15, 15)


def test_a_question_for_which_nothing_is_retrieved_counts_as_in_ir_measures():
    ranked = [by_hand("ab", "b", name="found"), by_hand("", "a", name="empty")]
    qrels, run = {"found": {"b": 1}, "empty": {"a": 1}}, {"found": {"a": 0.9, "b": 0.1}}
    theirs = ir_measures.calc_aggregate([ir_measures.R @ 2, ir_measures.RR], qrels, run)
    assert estimate(retrieval.recall(2), *ranked).value == theirs[ir_measures.R @ 2] == 0.5
    assert estimate(retrieval.mean_reciprocal_rank(), *ranked).value == theirs[ir_measures.RR] == 0.25


# --- repeats, ties, nothing -------------------------------------------------------------------------------


def test_the_same_document_twice_cannot_raise_a_figure():
    assert by_hand("aax", "a").recall(3) == 1.0
    assert by_hand("aa", "a", "b").recall(2) == 0.5
    assert retrieval.complete(2).value(by_hand("aa", "a", "b")) == 0.0
    assert by_hand("xaa", "a").reciprocal_rank == 0.5


NEEDS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True).map("|".join), max_size=4)


@given(st.lists(st.sampled_from("abcdxyz"), max_size=8), NEEDS, st.integers(1, 12))
def test_every_metric_lies_within_0_and_1_whatever_repeats(ids, needs, k):
    ranked = by_hand(ids, *needs, retired=("x",))
    declined = retrieval.refusal_metrics({"q": True})
    metrics = [*(m(k) for m in (retrieval.recall, retrieval.coverage, retrieval.complete, retrieval.superseded)), *declined]
    values = [m.value(ranked) for m in [*metrics, retrieval.mean_reciprocal_rank()]]
    assert all(v is None or 0 <= v <= 1 for v in values)
    assert ranked.recall(k) is None or ranked.recall(k) <= ranked.recall(k + 1)


@given(st.permutations("abcdef"))
def test_ties_are_decided_by_id_whatever_the_order_of_the_corpus(order):
    table = {"q": {"c": 0.5, "a": 0.5, "f": 0.50000001, "d": 0.9}}
    (ranked,) = retrieval.rank([item("c")], documents(*order), fixed(table))
    assert ranked.ids == tuple("dacfbe")
    assert ranked.reciprocal_rank == pytest.approx(1 / 3)
    assert [ranked.tied(k) for k in range(7)] == [False, False, True, True, False, True, False]


def test_how_many_questions_have_a_tie_across_the_cut_is_told():
    table = {"q": {"a": 0.5, "b": 0.5}, "r": {"a": 0.9}}
    ranked = retrieval.rank([item("a"), item("a", name="r")], documents(*"abc"), fixed(table))
    assert [retrieval.ties(ranked, k) for k in (1, 2, 3)] == [1, 1, 0]


def test_nothing_retrieved_is_recall_0_and_stays_in_the_denominator():
    early = retrieval.rank([item("taxe-r1", at="2019-01-01"), item("taxe-r1", name="p")], DATED, retrieve.load("bm25"))
    assert early[0] == Ranked(early[0].item, (), (), ())
    assert (early[0].best, early[0].recall(5), early[0].reciprocal_rank) == (None, 0.0, 0.0)
    assert (estimate(retrieval.recall(9), *early).numerator, estimate(retrieval.recall(9), *early).denominator) == (1, 2)
    assert estimate(retrieval.mean_reciprocal_rank(), early[0]).value == 0.0
    assert retrieval.refused(early, 0.95) == [True, False]


def test_unanswerable_items_have_no_recall_and_stand_in_correct_refusal_alone():
    ranked = [
        by_hand("ab", "a", scores=(0.8, 0.1), name="known", stratum="user"),
        by_hand("ab", "b", scores=(0.9, 0.1), name="other", part="untouched", stratum="user"),
        by_hand("ab", scores=(0.3, 0.1), name="low", stratum="unanswerable"),
        by_hand("ab", scores=(0.85, 0.1), name="high", part="untouched", stratum="unanswerable"),
    ]
    rows = {(r["metric"], r["stratum"]): r for r in retrieval.measure("fixed", ranked, (1, 2), 0.95, DRAWS, 1)}
    assert {"recall@1", "recall@2", "mrr", "coverage@2", "complete@2", "superseded@2", "correct_refusal", "unnecessary_refusal"} <= {
        m for m, _ in rows
    }
    for metric in ("recall@1", "recall@2", "mrr", "coverage@1", "complete@1", "unnecessary_refusal"):
        row = rows[metric, "unanswerable"]
        assert (row["value"], row["numerator"], row["denominator"], row["low"], row["high"]) == (None, 0, 0, None, None)
    assert (rows["recall@2", None]["denominator"], rows["recall@2", "user"]["denominator"]) == (2, 2)
    assert (rows["correct_refusal", None]["numerator"], rows["correct_refusal", None]["denominator"]) == (1, 2)
    assert rows["correct_refusal", "user"]["value"] is None
    assert (rows["unnecessary_refusal", None]["numerator"], rows["unnecessary_refusal", None]["denominator"]) == (1, 2)


def test_the_threshold_of_a_part_is_that_of_the_other_and_is_inclusive():
    scored = [(0.7, "tuning"), (0.69, "untouched"), (0.7, "untouched")]
    ranked = [by_hand("a", "a", scores=(s,), part=p, name=str(n)) for n, (s, p) in enumerate(scored)]
    assert retrieval.refused(ranked, 1.0) == [False, True, False]
    assert retrieval.refused(ranked[:1], 1.0) == [False]  # the other part has nothing to fit on


def test_two_retrievers_are_compared_on_the_items_that_count():
    ours = [by_hand("ab", "a", name="x"), by_hand("ab", "a", name="y"), by_hand("ab", name="z")]
    theirs = [by_hand("ba", "a", name="x"), by_hand("ab", "a", name="y"), by_hand("ba", name="z")]
    found = retrieval.difference(retrieval.recall(1), ours, theirs, DRAWS, np.random.default_rng(1))
    assert (found.value, found.numerator, found.denominator) == (0.5, 1, 2)


# --- needs and alternatives -------------------------------------------------------------------------------


@pytest.mark.parametrize("ids", ["ax", "bx", "ab"])
def test_any_alternative_satisfies_a_need_and_two_count_once(ids):
    ranked = by_hand(ids, "a|b")
    assert (ranked.satisfied(2), ranked.recall(2), ranked.reciprocal_rank) == (frozenset({0}), 1.0, 1.0)
    assert by_hand(ids, "a|b", "c").recall(2) == 0.5


def test_every_need_is_required_and_one_document_may_satisfy_several():
    assert by_hand("ab", "a", "b").recall(1) == 0.5
    assert by_hand("ab", "a|b", "a|c").recall(1) == 1.0


def test_coverage_counts_items_with_several_needs_alone():
    ranked = [by_hand("ab", "a", "c", name="x"), by_hand("ab", "b", name="y")]
    assert estimate(retrieval.coverage(2), *ranked) == Estimate(0.5, 0.5, 1, 0.5, 0.5, 1)
    assert estimate(retrieval.complete(2), *ranked).numerator == 0


LONG = Document("reguli", "Reguli", "Prima regulă. A doua regulă cere un aviz. A treia regulă. A patra regulă.", lang="ro")
PLACED = Item("q", "Ce cere a doua regulă?", "tuning", "f", ((Passage("reguli", "A doua regulă cere un aviz."),),))


@pytest.mark.parametrize(
    ("way", "found"), [("whole", 1), ("section", 1), ("sentences:1", 1), ("sentences:2", 2), ("words:3", 0), ("words:4", 0)]
)
def test_only_a_chunk_that_holds_the_whole_passage_satisfies_a_need(way, found):
    (ranked,) = retrieval.rank_chunks([PLACED], Corpus((LONG,), "made"), retrieve.load(f"bm25@{way}"))
    assert sum(map(bool, ranked.found)) == found
    assert ranked.recall(len(ranked.ids) + 5) == float(found > 0)


@pytest.mark.parametrize("way", ["whole", "sentences:1", "words:3"])
def test_a_document_satisfies_a_need_however_it_is_cut(way):
    (ranked,) = retrieval.rank([PLACED], Corpus((LONG,), "made"), retrieve.load(f"bm25@{way}"))
    assert (ranked.ids, ranked.recall(1)) == (("reguli",), 1.0)


# --- what a question may see ------------------------------------------------------------------------------

FIRST = (("effective_from", "2020-01-01"),)  # its end is told by the second edition alone
SECOND = (("effective_from", "2025-01-01"), ("supersedes", "taxe-r1"))
DATED = Corpus(
    (
        Document(
            "intern",
            "Taxe interne",
            "Taxa internă pentru angajați este de 3 lei.",
            lang="ro",
            metadata=(("effective_from", "2020-01-01"), ("scope", "intern")),
        ),
        Document(
            "program", "Program", "Ghișeul este deschis de luni până vineri.", lang="ro", metadata=(("effective_from", "2020-01-01"),)
        ),
        Document("taxe-r1", "Taxe", "Taxa de eliberare este de 5 lei.", lang="ro", metadata=FIRST),
        Document("taxe-r2", "Taxe", "Taxa de eliberare este de 7 lei.", lang="ro", metadata=SECOND),
    ),
    "made",
)
ASKED = "Cât este taxa de eliberare pentru angajați?"


@pytest.mark.parametrize(
    ("at", "seen"),
    [
        (TODAY, {"program", "taxe-r2"}),
        ("2024-06-01", {"program", "taxe-r1"}),
        ("2024-12-31", {"program", "taxe-r1"}),
        ("2019-12-31", set()),
    ],
)
@pytest.mark.parametrize("name", ["bm25", "tfidf", "rrf:bm25+tfidf", "mix:bm25+tfidf", "bm25@sentences:1"])
def test_a_superseded_document_is_ranked_for_its_own_time_alone(name, at, seen):
    (ranked,) = retrieval.rank([item("taxe-r2", question=ASKED, at=at)], DATED, retrieve.load(name))
    assert set(ranked.ids) == seen


@pytest.mark.parametrize("name", ["bm25", "tfidf", "mix:bm25+tfidf"])
def test_a_document_that_may_not_be_seen_has_no_part_in_any_score(name):
    public = Corpus(DATED.documents[1:], "public")
    denied, absent = (retrieval.rank([item("taxe-r2", question=ASKED, at=TODAY)], c, retrieve.load(name))[0] for c in (DATED, public))
    assert (denied.ids, denied.scores, denied.found) == (absent.ids, absent.scores, absent.found)
    (allowed,) = retrieval.rank([item("taxe-r2", question=ASKED, at=TODAY, scope=("intern",))], DATED, retrieve.load(name))
    assert set(allowed.ids) == {"intern", "program", "taxe-r2"} and allowed.scores[0] != denied.scores[0]


def test_questions_of_one_view_and_another_keep_their_places():
    asked = [item("taxe-r2", name=str(n), question=ASKED, at=at) for n, at in enumerate([TODAY, "2024-06-01", TODAY, ""])]
    ranked = retrieval.rank(asked, DATED, retrieve.load("bm25"))
    assert [r.item.id for r in ranked] == list("0123")
    assert ranked[0].ids == ranked[2].ids and [len(r.ids) for r in ranked] == [2, 2, 2, 3]


def test_a_retired_document_among_the_first_is_counted_as_document_and_as_chunk():
    metric = retrieval.superseded(2)
    values = [
        metric.value(by_hand(ids, "a", retired=("b", "x#1")))
        for ids in (["a", "b"], ["a#1", "b#2"], ["a", "x#1"], ["x#1#3"], ["a", "x", "b"])
    ]
    assert values == [1.0, 1.0, 1.0, 1.0, 0.0]
    assert metric.value(by_hand("ab", "a")) is None


def test_the_view_alone_keeps_superseded_documents_out_of_the_projects_rankings(own_corpus, own_gold):
    traps = [i for i in own_gold.items if i.retired]
    filtered = retrieval.rank(traps, own_corpus, retrieve.load("bm25"))
    everything = retrieval.rank(traps, own_corpus, retrieve.load("bm25"), lambda c, scope, at: visible(c, scope))
    most = retrieval.superseded(len(own_corpus))
    assert estimate(most, *filtered).numerator == 0
    assert estimate(most, *everything).numerator == len(traps)


# --- the gold set -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_corpus():
    return corpus.load(TOP / "corpus")


@pytest.fixture(scope="module")
def own_gold(own_corpus):
    return gold.load(TOP / "data" / "questions" / "gold.jsonl", own_corpus)


def test_the_projects_gold_set_is_valid_and_large_enough(own_gold):
    strata = Counter(i.stratum for i in own_gold.items)
    assert len(own_gold.items) >= 300
    assert set(strata) == set(gold.STRATA) and min(strata.values()) >= 30
    assert own_gold.version.startswith("sha256:")
    assert sum(len(own_gold.part(p)) for p in gold.PARTS) == len(own_gold.items)
    assert all(i.labelled_by == "project" and i.why for i in own_gold.items)


def test_every_passage_of_the_gold_set_stands_whole_in_a_document(own_corpus, own_gold):
    passages = [p for i in own_gold.items for need in i.needs for p in need]
    assert all(own_corpus[p.doc].body[slice(*p.span(own_corpus))] == p.quote for p in passages)


RECORD = {
    "id": "g-1",
    "question": "Cât este taxa de eliberare?",
    "lang": "ro",
    "stratum": "user",
    "source": "user",
    "difficulty": "easy",
    "part": "tuning",
    "family": "taxa",
    "at": TODAY,
    "scope": [],
    "label": "in",
    "docs": ["taxe-r2"],
    "needs": [[{"doc": "taxe-r2", "quote": "Taxa de eliberare este de 7 lei."}]],
    "retired": [],
    "answer": "7 lei.",
    "version": 1,
    "labelled_by": "project",
    "why": "The edition in force says so.",
}
OTHER = RECORD | {"id": "g-2", "question": "Când este deschis ghișeul?", "family": "program"}
TAXES, HOURS = RECORD["needs"][0], [{"doc": "program", "quote": "de luni până vineri"}]


@pytest.fixture
def written(tmp_path):
    def write(*records):
        path = tmp_path / "gold.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
        return path

    return write


def test_a_valid_gold_set_is_read_with_its_needs_and_alternatives(written):
    several = OTHER | {"stratum": "multi", "docs": ["program", "taxe-r2"], "needs": [TAXES, HOURS]}
    first, second = gold.load(written(RECORD, several), DATED).items
    assert first.needs == ((Passage("taxe-r2", "Taxa de eliberare este de 7 lei."),),)
    assert (second.docs, len(second.needs), second.answerable) == (("program", "taxe-r2"), 2, True)
    unanswerable = OTHER | {"stratum": "unanswerable", "label": "out", "docs": [], "needs": []}
    assert not gold.load(written(RECORD, unanswerable), DATED).items[1].answerable


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"docs": ["nimic"], "needs": [[{"doc": "nimic", "quote": "x"}]]}, "'nimic' is no document of made"),
        (
            {"needs": [[{"doc": "taxe-r2", "quote": "Taxa este de 9 lei."}]]},
            "the passage 'Taxa este de 9 lei.' does not stand in 'taxe-r2'",
        ),
        ({"needs": [[{"doc": "taxe-r2", "quote": " "}]]}, "the passage ' ' does not stand in 'taxe-r2'"),
        ({"docs": ["taxe-r1"], "needs": [[{"doc": "taxe-r1", "quote": "5 lei"}]]}, "'taxe-r1' is not in force on 2026-07-15"),
        ({"at": "2024-06-01"}, "'taxe-r2' is not in force on 2024-06-01"),
        ({"docs": ["intern"], "needs": [[{"doc": "intern", "quote": "3 lei"}]]}, "not open to the scope []"),
        ({"family": "taxa", "part": "untouched"}, "item 1 and untouched here; a family has one part"),
        ({"question": "CAT ESTE TAXA DE ELIBERARE?"}, "the question 'CAT ESTE TAXA DE ELIBERARE?' stands already at item 1"),
        ({"question": "cât este taxa  de eliberare? "}, "stands already at item 1"),
        ({"id": "g-1"}, "the id 'g-1' stands already at item 1"),
        ({"label": "out"}, "label 'out' with 1 needs"),
        ({"needs": [], "docs": []}, "label 'in' with 0 needs"),
        ({"stratum": "unanswerable"}, "stratum 'unanswerable' with 1 needs"),
        ({"needs": [], "docs": [], "label": "out"}, "stratum 'user' with 0 needs"),
        ({"docs": ["program", "taxe-r2"]}, "docs ['program', 'taxe-r2'], but the needs name ['taxe-r2']"),
        ({"docs": []}, "docs [], but the needs name ['taxe-r2']"),
        ({"stratum": "multi"}, "stratum 'multi', but one document answers all of it"),
        ({"stratum": "multi", "needs": [TAXES, TAXES]}, "stratum 'multi', but one document answers all of it"),
        ({"stratum": "superseded"}, "stratum 'superseded' without a retired document"),
        ({"retired": ["nimic"]}, "retired names ['nimic'], which the corpus lacks"),
        ({"retired": ["program"]}, "retired names ['program'], which is in force on 2026-07-15"),
        ({"needs": [TAXES, []]}, "a need without any passage"),
        ({"needs": "taxe-r2"}, "needs is a list of lists"),
        ({"at": "2026-02-30"}, "at '2026-02-30'; expected a date"),
        ({"part": "test"}, "part 'test'; expected one of tuning, untouched"),
        ({"version": True}, "version True; expected a whole number"),
        ({"why": " "}, "'why' is empty"),
        ({"scope": "intern"}, "scope 'intern'; expected a list of names"),
        ({"extra": 1}, "unknown extra"),
        ({"ex\ntra": 1}, "unknown 'ex\\ntra'"),
        ({"needs": [[{"doc": ["taxe-r2"], "quote": "x"}]]}, "needs is a list of lists of {'doc', 'quote'}, both texts"),
        ({"family": "program "}, "family 'program ' has blanks around it"),
        ({"id": " g-2"}, "id ' g-2' has blanks around it"),
        ({"question": "\u200b"}, "'question' is empty"),
        ({"question": "Ce \ud800?"}, "holds half a character"),
    ],
)
def test_an_item_that_cannot_be_used_is_refused_by_name(written, changes, said):
    path = written(RECORD, OTHER | changes)
    with pytest.raises(InputError) as refused:
        gold.load(path, DATED)
    assert str(refused.value).startswith(f"{path}, item 2: ") and said in str(refused.value)


def test_an_item_without_a_field_is_refused(written):
    with pytest.raises(InputError, match="item 2: lacks at, why"):
        gold.load(written(RECORD, {k: v for k, v in OTHER.items() if k not in ("at", "why")}), DATED)


def test_an_item_without_needs_at_the_top_does_not_turn_the_rest_into_a_simpler_set(written):
    with pytest.raises(InputError, match="item 1: lacks needs"):
        gold.load(written({k: v for k, v in RECORD.items() if k != "needs"}, OTHER), DATED)


def test_the_passage_of_a_scope_is_accepted_for_who_may_see_it(written):
    inside = OTHER | {"scope": ["intern"], "docs": ["intern"], "needs": [[{"doc": "intern", "quote": "3 lei"}]]}
    assert gold.load(written(RECORD, inside), DATED).items[1].docs == ("intern",)


def test_a_sample_depends_on_ids_alone_and_takes_both_parts(own_gold):
    chosen, shuffled = (sorted(i.id for i in gold.sample(items, 6)) for items in (own_gold.items, own_gold.items[::-1]))
    assert chosen == shuffled
    parts = Counter((i.stratum, i.part) for i in gold.sample(own_gold.items, 6))
    assert set(parts.values()) == {3} and len(parts) == 12


# --- ways of cutting documents ----------------------------------------------------------------------------

CELL = st.sampled_from(["UA-1", "90 de minute", "Parter. Hol", "art. 5", "lunar", ""])
TABLE = st.lists(st.lists(CELL, min_size=2, max_size=3), min_size=1, max_size=4).map(
    lambda rows: "\n".join(f"| {' | '.join(r)} |" for r in rows)
)
TEXT = st.sampled_from(
    [
        "Taxa este de 5 lei.",
        "Conform art. 5 alin. (2), ușa se închide. Apoi se verifică!",
        "Taxa este de 5 lei. Se plătește la ghișeu",
        "## Taxe",
        "# Uși",
        "- întâi\n- apoi 3. Gata.",
    ]
)
BLOCKS = st.lists(
    st.tuples(TEXT.map(lambda t: (t, False)) | TABLE.map(lambda t: (t, True)), st.sampled_from(["\n", "\n\n"])), min_size=1, max_size=7
)
WAYS = st.sampled_from(["whole", "section", *(f"sentences:{n}" for n in (1, 2, 3, 4, 9)), *(f"words:{n}" for n in (1, 2, 5, 40))])


def laid_out(blocks):
    """The body of the blocks, and where its tables stand."""
    body, tables = "", []
    for (text, table), gap in blocks:
        tables += [(len(body), len(body) + len(text))] if table else []
        body += text + gap
    return body.rstrip("\n"), tables


def places_of_words(body):
    at = 0
    for word in body.split():
        start = body.index(word, at)
        at = start + len(word)
        yield start, at


@given(BLOCKS, WAYS, st.booleans())
def test_every_way_of_cutting_holds_every_sentence_and_cuts_no_table(blocks, way, titled):
    body, tables = laid_out(blocks)
    pieces = cut(Document("d", "Titlul", body), way if titled else f"{way}-untitled")
    spans = [(a + len(t) - len(t.lstrip()), a + len(t.rstrip())) for a, b in sentence_spans(body) if (t := body[a:b]).strip()]
    held = list(places_of_words(body)) if way.startswith("words") else spans  # fixed length cuts sentences, and no word
    assert [s for s in [*held, *tables] if not any(p.holds(*s) for p in pieces)] == []
    assert [p.id for p in pieces] == [f"d#{n}" for n in range(1, len(pieces) + 1)]
    assert all(p.passage == (f"Titlul\n{p.text}" if titled else p.text) and p.text == p.text.strip() != "" for p in pieces)


@given(BLOCKS, st.sampled_from(["whole", "section", "words:1", "words:7"]))
def test_chunks_without_overlap_hold_every_word_once(blocks, way):
    body, _ = laid_out(blocks)
    assert " ".join(p.text for p in cut(Document("d", "", body), way)).split() == body.split()


def test_a_document_without_a_title_has_none_in_front():
    assert [c.passage for c in cut(Document("d", "", "Una. Două."), "sentences:1")] == ["Una.", "Două."]


def test_a_full_stop_in_a_cell_does_not_cut_the_table():
    body = "Orar.\n| Loc | Ore |\n|---|---|\n| Parter. Hol | 8-16 |\nAtât."
    assert [c.text for c in cut(Document("d", "", body), "sentences:1")] == ["Orar.", body[6:-6], "Atât."]


@pytest.mark.parametrize("way", ["section", "sentences:2", "words:20"])
def test_no_document_of_the_project_loses_a_word_or_a_table(own_corpus, way):
    for document in own_corpus.documents:
        pieces = cut(document, way)
        rows = [line for line in document.body.split("\n") if line.startswith("|")]
        assert all(any(row in p.text for p in pieces) for row in rows)
        assert set(document.body.split()) == {w for p in pieces for w in p.text.split()}


@pytest.mark.parametrize(
    ("way", "near"),
    [
        ("hole", "whole"),
        ("sections", "section"),
        ("sentence:2", "sentences:N"),
        ("sentences:0", "sentences:N"),
        ("word:9", "words:N"),
        ("sentences:", "sentences:N"),
    ],
)
def test_an_unknown_way_of_cutting_names_the_nearest(way, near):
    for ask in (lambda: cut(LONG, way), lambda: retrieve.load(f"bm25@{way}")):
        with pytest.raises(UnknownNameError, match=f"unknown way of cutting documents '{way}'. Did you mean '{near}'"):
            ask()


def test_a_document_scores_as_its_best_chunk_and_foreign_chunks_are_refused():
    over = documents(a="Una. Două.", b="Trei.")
    pieces = chunk.chunks_of(over, "sentences:1")
    assert chunk.best_of_each(np.array([[0.1, 0.7, 0.3]]), pieces, over).tolist() == [[0.7, 0.3]]
    with pytest.raises(ValueError, match="not those of the corpus"):
        chunk.best_of_each(np.array([[0.1, 0.7]]), pieces[:2], over)


# --- retrievers -------------------------------------------------------------------------------------------

LIFTS = documents(
    ascensor="Ascensorul AS-3 transportă cel mult 8 persoane, conform art. 5 lit. b) din regulament.",
    centrala="Centrala CT-1 se verifică de 3 ori, conform art. 5 lit. c) din regulament.",
    pompa="Pompa P-1 se oprește, iar revizia P-2 se face la 3 ani.",
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("lit. b)", ["lit", "b"]),
        ("lit. a)", ["lit", "a"]),
        ("AS-3", ["as-3", "as3", "as", "3"]),
        ("as3", ["as3"]),
        ("AS 3", ["as", "3"]),
        ("aș opri 3", ["opri", "3"]),
        ("P-1", ["p-1", "p1", "p", "1"]),
    ],
)
def test_letters_and_codes_stay_and_short_words_go(text, terms):
    assert bm25.analyse(text, "ro") == terms


@pytest.mark.parametrize("question", ["as3", "AS 3", "AS-3", "as-3", "Câte persoane duce AS3?", "litera b", "lit. b"])
def test_a_code_is_found_in_every_spelling_and_a_letter_of_the_law_too(question):
    (first, second, *_) = retrieve.load("bm25").over(LIFTS).search(question, 3)
    assert first.document.id == "ascensor" and first.score > 1.5 * second.score


@pytest.mark.parametrize("respelt", ["termenele reviziei", "TERMENUL REVIZIILOR", "Termenului de revizie", "tērmenul reviziei"])
def test_words_are_found_in_other_forms_and_without_diacritics(respelt):
    over = documents(a="Termenul unei revizii este de un an.", b="Taxa se plătește la ghișeu.")
    assert retrieve.load("bm25").over(over).search(respelt, 1)[0].document.id == "a"


@pytest.mark.parametrize("question", ["xyzzy", "", "?!", "de la și cu", "Wer hat das gemacht"])
def test_a_question_with_no_known_word_scores_0_everywhere(question):
    ranker = retrieve.load("bm25").over(LIFTS)
    assert not ranker.scores([question]).any() and not ranker.scaled([question]).any()
    assert [h.document.id for h in ranker.search(question, 9)] == LIFTS.ids


def test_documents_without_any_word_are_searched_without_a_failure():
    assert not retrieve.load("bm25").over(documents(a="și de la", b="...")).scores(["taxa"]).any()


def test_bm25_is_lucenes_formula():
    over = documents(a="taxa taxa ghișeu", b="taxa", c="ușa liftul pompa clasa")
    lengths, frequency, n = np.array([3, 1, 4]), np.array([2, 1, 0]), 3
    idf = math.log(1 + (n - 2 + 0.5) / (2 + 0.5))
    expected = idf * frequency / (frequency + bm25.K1 * (1 - bm25.B + bm25.B * lengths / lengths.mean()))
    assert retrieve.load("bm25").over(over).scores(["taxa"])[0] == pytest.approx(expected, abs=1e-5)


@given(st.lists(st.sampled_from(["ascensor", "AS-3", "art.", "regulament", "necunoscut", "b", "3", "pompa"]), max_size=8).map(" ".join))
def test_no_document_exceeds_the_bound_of_a_question_without_repeats(question):
    ranker = bm25.Bm25(LIFTS)
    assert (ranker.scores([question]) <= ranker.bound(question) + 1e-5).all()
    assert (ranker.scaled([question]) <= 1).all() and (ranker.scaled([question]) >= 0).all()


@pytest.mark.parametrize("scheme", ["rrf", "mix"])
def test_a_part_that_found_nothing_leaves_the_order_to_the_other(scheme):
    question = "asensorull"  # no word of any document, but most of its letters
    assert not retrieve.load("bm25").over(LIFTS).scores([question]).any()
    alone = retrieve.load("tfidf").over(LIFTS).search(question, 3)
    assert alone[0].score > 0
    both = retrieve.load(f"{scheme}:bm25+tfidf").over(LIFTS).search(question, 3)
    assert [h.document.id for h in both] == [h.document.id for h in alone]


@pytest.mark.parametrize("name", ["rrf:bm25+tfidf", "mix:bm25+tfidf"])
def test_where_no_part_finds_anything_ids_decide(name):
    hits = retrieve.load(name).over(LIFTS).search("ζζζ", 3)
    assert [h.document.id for h in hits] == LIFTS.ids and len({h.score for h in hits}) == 1


def test_reciprocal_rank_fusion_has_the_values_of_the_paper():
    table = {"q": {"a": 0.9, "b": 0.5, "c": 0.5}}
    other = {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}
    over = documents(*"abc")
    fused = fusion.ReciprocalRankFusion([Fixed(over, table), Fixed(over, other)])
    expected = [(1 / 61 + 1 / 63) / 2, (1 / 62.5 + 1 / 62) / 2, (1 / 62.5 + 1 / 61) / 2]  # b and c share ranks 2 and 3
    assert fused.scores(["q"])[0] == pytest.approx(expected)
    assert [h.document.id for h in fused.search("q", 2)] == ["c", "a"]


def test_a_mix_is_the_mean_of_scores_on_one_scale():
    over = documents(*"abc")
    mixed = fusion.Mix([Fixed(over, {"q": {"a": 30, "b": 20, "c": 10}}), Fixed(over, {"q": {"a": 0.1, "b": 0.2, "c": 0.2}})])
    assert mixed.scores(["q"])[0] == pytest.approx([0.5, 0.75, 0.5])


@given(st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3), min_size=1, max_size=4).map(np.array))
def test_scaled_scores_lie_between_0_and_1_and_alike_ones_are_0(scores):
    scaled = to_scale(scores)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    assert (to_scale(np.zeros_like(scores)) == 0).all()


def test_fewer_documents_than_asked_for_are_no_failure():
    assert len(retrieve.load("bm25").over(LIFTS).search("ascensorul", 99)) == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bm52", "unknown retriever 'bm52'. Did you mean 'bm25'"),
        ("minilmm", "unknown retriever 'minilmm'. Did you mean 'minilm'"),
        ("rrf:bm25+tfdif", "unknown retriever 'tfdif'. Did you mean 'tfidf'"),
        ("rrf:bm25", "unknown retriever 'rrf:bm25'. Did you mean 'bm25'"),
        ("mix:", "unknown retriever"),
        ("mix:+bm25", "unknown retriever 'mix:\\+bm25'. Did you mean 'mix:A\\+B'"),
        ("bm25@", "unknown way of cutting documents ''"),
        ("", "unknown retriever ''"),
        ("bm25@sentence:2", "unknown way of cutting documents 'sentence:2'. Did you mean 'sentences:N'"),
        ("rrf:bm25@hole+tfidf", "unknown way of cutting documents 'hole'. Did you mean 'whole'"),
    ],
)
def test_an_unknown_retriever_names_the_nearest(name, said):
    with pytest.raises(UnknownNameError, match=said):
        retrieve.load(name)


def test_the_identity_of_a_retriever_has_everything_that_shapes_its_ranking():
    assert retrieve.load("bm25@words:9").identity == {"retriever": "bm25", "k1": 1.2, "b": 0.75, "stemmer": "Snowball", "chunks": "words:9"}
    fused = retrieve.load("rrf:bm25+tfidf").identity
    assert (fused["rrf_k"], [p["chunks"] for p in fused["parts"]]) == (60, ["whole", "whole"])
