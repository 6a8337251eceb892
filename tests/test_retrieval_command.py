"""`rocite retrieval`: the output contract, larger sets, and input that cannot be used; retrieval's answers and experiments."""

import json

import pytest

from rocite import check, cli, corpus, generate
from rocite.cache import RecordedStore, Store
from rocite.errors import InputError
from rocite.evaluate import answers, experiments, gold, retrieval
from rocite.gates.base import Settings
from rocite.retrieve import load

ROW = {"retriever", "metric", "k", "stratum", "value", "numerator", "denominator", "low", "high", "units"}
HEAD = "---\nid: {id}\ntitle: {title}\nsource: s\nchecked: 2026-07-15\nlang: {lang}\n{more}---\n{body}\n"


def document(folder, name, body, lang="ro", more="", title=None):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(HEAD.format(id=name, title=title or name, lang=lang, more=more, body=body), encoding="utf-8")


@pytest.fixture
def library(tmp_path):
    """Three documents, two questions that they answer and one that they do not."""
    folder = tmp_path / "docs"
    document(folder, "taxe", "Taxa de parcare este de 5 lei pe oră. Duminica parcarea este gratuită.")
    document(folder, "bazin", "Bazinul se deschide la ora 8. Casca de înot este obligatorie.")
    document(folder, "museum", "The museum is closed on Mondays. A ticket costs 12 lei.", "en")
    rows = [
        {"id": "a", "question": "Cât costă ora de parcare?", "label": "in", "docs": "taxe", "stratum": "user"},
        {"id": "b", "question": "Is the museum open on Mondays?", "label": "in", "docs": "museum", "stratum": "expert"},
        {"id": "c", "question": "Cine repară liftul?", "label": "out", "docs": "", "stratum": "unanswerable"},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return folder, path


def run(capsys, *words):
    status = cli.main(["retrieval", *map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_json_has_rows_of_the_contract_and_a_manifest(library, capsys):
    folder, path = library
    status, out, _ = run(capsys, "--corpus", folder, "--gold", path, "--embedder", "bm25", "--embedder", "tfidf", "--json")
    found = json.loads(out)
    assert status == 0
    assert all(row.keys() == ROW for row in found["results"])
    assert {r["retriever"] for r in found["results"]} == {"bm25", "tfidf"}
    manifest = found["manifest"]
    assert manifest["gold"]["version"].startswith("sha256:") and manifest["corpus"]["digest"].startswith("sha256:")
    assert manifest["retrievers"]["bm25"]["k1"] == 1.2 and {"code", "date", "machine", "packages", "parameters"} <= manifest.keys()


def test_an_unanswerable_question_has_no_recall_and_stands_in_refusal_alone(library, capsys):
    folder, path = library
    _, out, _ = run(capsys, "--corpus", folder, "--gold", path, "--embedder", "bm25", "--k", "1", "--json")
    rows = {(r["metric"], r["stratum"]): r for r in json.loads(out)["results"]}
    assert (rows["recall@1", None]["value"], rows["recall@1", None]["denominator"]) == (1.0, 2)
    assert (rows["recall@1", "unanswerable"]["value"], rows["recall@1", "unanswerable"]["denominator"]) == (None, 0)
    assert rows["correct_refusal", "unanswerable"]["denominator"] == 1


def test_two_runs_give_the_same_numbers(library, capsys):
    folder, path = library
    first, second = (run(capsys, "--corpus", folder, "--gold", path, "--embedder", "rrf:bm25+tfidf", "--json")[1] for _ in range(2))
    assert json.loads(first)["results"] == json.loads(second)["results"]


def test_the_table_says_n_a_where_nothing_counts(library, capsys):
    folder, path = library
    _, out, _ = run(capsys, "--corpus", folder, "--gold", path, "--embedder", "bm25")
    line = next(x for x in out.splitlines() if "recall@5" in x and "unanswerable" in x)
    assert "n/a" in line and "(0)" in line


def test_a_squad_file_is_corpus_and_gold_in_one(tmp_path, capsys):
    paragraphs = [
        {"context": "Podul leagă malurile.", "qas": [{"id": "1", "question": "Ce leagă podul?", "answers": []}]},
        {"context": "Turnul are un ceas.", "qas": [{"id": "2", "question": "Ce are turnul?", "answers": []}]},
    ]
    path = tmp_path / "set.json"
    path.write_text(json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]}), encoding="utf-8")
    status, out, _ = run(capsys, "--corpus", path, "--gold", path, "--embedder", "bm25", "--k", "1", "--json")
    rows = {(r["metric"], r["stratum"]): r for r in json.loads(out)["results"]}
    assert status == 0 and rows["recall@1", None]["value"] == 1.0 and rows["recall@1", None]["units"] == 1


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--embedder", "bm52"], "bm25"),
        (["--embedder", "e5@paragraph"], "way of cutting"),
        (["--embedder", "rrf:bm25"], "rrf"),
        (["--part", "untouched", "--gold", "tuning-only"], "untouched"),
        (["--embedder", "rrf:"], "unknown retriever 'rrf:'"),
        (["--embedder", "mix:+"], "unknown retriever 'mix:+'"),
        (["--embedder", "rrf:bm25+"], "unknown retriever 'rrf:bm25+'"),
        (["--embedder", "bm25@"], "unknown way of cutting documents ''"),
        (["--embedder", "bm25@words:0"], "unknown way of cutting documents 'words:0'"),
        (["--lang", "xx"], "--lang 'xx': expected one of ro, en"),
    ],
)
def test_what_cannot_be_measured_is_one_clear_error(library, tmp_path, capsys, words, expected):
    folder, path = library
    only = tmp_path / "tuning.jsonl"
    only.write_text(
        json.dumps({"id": "a", "question": "Cât costă?", "label": "in", "docs": "taxe", "family": "c"}) + "\n", encoding="utf-8"
    )
    words = [str(only) if w == "tuning-only" else w for w in words]
    if "--gold" not in words:
        words += ["--gold", str(path)]
    if "--embedder" not in words:
        words += ["--embedder", "bm25"]
    status, out, err = run(capsys, "--corpus", folder, *words)
    assert status in (1, 2) and not out
    assert err.startswith("rocite: ") and err.count("\n") == 1 and expected in err


@pytest.mark.parametrize("k", ["0", "-1", "five"])
def test_a_k_that_is_no_number_from_1_is_bad_usage(library, capsys, k):
    folder, path = library
    with pytest.raises(SystemExit) as stopped:
        cli.main(["retrieval", "--corpus", str(folder), "--gold", str(path), f"--k={k}"])
    assert stopped.value.code == 2


def squad(path, *contexts, **question):
    """A SQuAD file of one article with one question, "1", "2", ..., to each paragraph."""
    paragraphs = [
        {"context": text, "qas": [{"id": str(n), "question": f"Întrebarea {n}?", "answers": [], **question}]}
        for n, text in enumerate(contexts, start=1)
    ]
    path.write_text(json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]}), encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [("--json",), ()])
@pytest.mark.parametrize("kept", ["in", "out"])
def test_a_gold_set_of_one_label_and_a_k_above_the_corpus_are_measured(library, capsys, tmp_path, kept, words):
    folder, path = library
    only = tmp_path / "only.jsonl"
    rows = [r for r in path.read_text(encoding="utf-8").splitlines(keepends=True) if json.loads(r)["label"] == kept]
    only.write_text("".join(rows), encoding="utf-8")
    status, out, err = run(capsys, "--corpus", folder, "--gold", only, "--embedder", "bm25", "--k", 10**30, "--k", 10**30, *words)
    assert (status, err) == (0, "") and "NaN" not in out
    if words:
        names = [(r["metric"], r["stratum"]) for r in json.loads(out)["results"]]
        assert len(names) == len(set(names))


def test_a_document_of_which_nothing_is_visible_is_ranked_like_any_other(tmp_path, capsys):
    places = tmp_path / "docs.jsonl", tmp_path / "gold.jsonl"
    texts = [{"id": "a", "title": "Taxe", "text": "\u200b"}, {"id": "b#1", "title": "", "text": "|a|b|\n|-|-|\n|1|2|"}]
    places[0].write_text("".join(json.dumps(t) + "\n" for t in texts), encoding="utf-8")
    places[1].write_text(json.dumps({"id": "1", "question": "Taxe?", "label": "in", "docs": ["a"]}) + "\n", encoding="utf-8")
    for name in ("bm25", "tfidf", "bm25@section", "bm25@sentences:1", "bm25@words:1"):
        status, out, _ = run(capsys, "--corpus", places[0], "--gold", places[1], "--embedder", name, "--k", "1", "--json")
        assert status == 0 and json.loads(out)["results"][0]["value"] == 1.0


def test_a_stratum_cannot_move_the_cursor_or_break_the_line(library, capsys):
    folder, path = library
    row = {"id": "a", "question": "Cât costă?", "label": "in", "docs": "taxe", "stratum": "x\n\x1b[2Jy"}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    _, out, _ = run(capsys, "--corpus", folder, "--gold", path, "--embedder", "bm25", "--k", "1")
    assert "\x1b" not in out and all(line.startswith(("retriever", "bm25")) for line in out.splitlines())


def test_a_squad_file_with_the_paragraphs_of_another_corpus_is_refused_and_a_translation_is_not(tmp_path, capsys):
    corpus_file = squad(tmp_path / "corpus.json", "Podul leagă malurile.", "Turnul are un ceas.")
    other = squad(tmp_path / "other.json", "Altceva.")
    status, _, err = run(capsys, "--corpus", corpus_file, "--gold", other, "--embedder", "bm25")
    assert status == 2 and "paragraph 000-000 has another text than the document of corpus.json" in err
    translated = squad(tmp_path / "translated.json", "The bridge joins the banks.", "The tower has a clock.")
    assert run(capsys, "--corpus", corpus_file, "--gold", translated, "--embedder", "bm25", "--k", "1")[0] == 0


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"is_impossible": True}, "is_impossible; expected SQuAD 1.1"),
        ({"id": "same"}, "the id 'same' stands already at"),
        ({"question": "Ce \ud800?"}, "holds half a character"),
    ],
)
def test_a_squad_file_that_would_change_a_figure_in_silence_is_refused(tmp_path, capsys, question, said):
    path = squad(tmp_path / "set.json", "Podul leagă malurile.", "Turnul are un ceas.", **question)
    status, out, err = run(capsys, "--corpus", path, "--gold", path, "--embedder", "bm25")
    assert status == 2 and not out and said in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("gold.json", "[" * 200_000, "nested too deeply"),
        ("gold.jsonl", "[" * 200_000 + "\n", "nested too deeply"),
        ("gold.csv", f"id,question,label,docs\na,{'x' * 200_000},in,taxe\n", "not CSV (field larger"),
        ("gold.jsonl", '{"id": "a", "question": "x?", "label": "out"}\n{"id": "b", "que', "the last line is torn"),
        ("gold.csv", "id;question;label;docs\na;Cât costă?;out;taxe\n", "'a' is labelled 'out' and names 'taxe' in docs"),
        ("gold.csv", "id,question,label,docs\na,\u200b,in,taxe\n", "'question' is empty"),
        ("gold.jsonl", '{"id": "a", "question": "x?", "label": "out", "family": "\\ud800"}\n', "family '\\ud800' holds half a character"),
    ],
)
def test_a_gold_file_that_cannot_be_read_is_one_clear_error(library, tmp_path, capsys, name, text, said):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    status, out, err = run(capsys, "--corpus", library[0], "--gold", path, "--embedder", "bm25")
    assert status == 2 and not out and err.startswith("rocite: ") and err.count("\n") == 1 and said in err


# --- answers to gold items ------------------------------------------------------------------------------------


def item(**changes):
    passage = gold.Passage("taxe", "Taxa de parcare este de 5 lei pe oră.")
    return gold.Item(
        **{"id": "a", "question": "Cât costă parcarea pe oră?", "part": "untouched", "family": "f", "needs": ((passage,),), "lang": "ro"}
        | changes
    )


def extract(library, asked):
    documents = corpus.load(library[0])
    ranked = retrieval.rank([asked], documents, load("bm25"))
    copier = generate.load("extractive", generate.Options(), None)
    (found,) = answers.of_extracts(ranked, documents, copier, 3, Settings())
    return found


def test_a_copied_sentence_is_right_when_it_is_the_required_one(library):
    found = extract(library, item())
    assert (found.label, found.retrieved, found.outcome(True)) == ("right", True, "right")
    assert found.outcome(False) == "refused though answerable"


def test_a_copied_sentence_is_incomplete_when_another_is_needed_too_and_wrong_when_it_is_another(library):
    second = gold.Passage("bazin", "Casca de înot este obligatorie.")
    assert extract(library, item(needs=(*item().needs, (second,)))).label == "incomplete"
    assert extract(library, item(needs=((second,),))).label == "wrong"


def test_any_answer_to_an_unanswerable_question_is_wrong_and_no_answer_is_refused_rightly(library):
    found = extract(library, item(needs=()))
    assert (found.label, found.retrieved) == ("wrong", None)
    assert (found.outcome(True), found.outcome(False)) == ("wrong", "refused rightly")


def test_outcomes_add_up_to_the_items(library):
    given = [extract(library, item()), extract(library, item(needs=()))]
    frame = answers.outcomes(given)
    assert (frame[list(answers.OUTCOMES)].sum(axis=1) == frame["items"]).all()
    assert frame.groupby("gates")["items"].sum().tolist() == [2, 2]


def test_a_recorded_answer_without_a_label_is_refused(library):
    documents = corpus.load(library[0])
    with pytest.raises(Exception, match="has no label"):
        answers.of_recording("m", [{"id": "a", "fragments": ["taxe"], "text": "5 lei"}], [item()], documents, {}, Settings())


# --- filters ---------------------------------------------------------------------------------------------------


def test_a_filter_left_out_shows_what_it_kept_away(tmp_path):
    folder = tmp_path / "docs"
    document(folder, "veche", "Taxa este de 4 lei.", more="effective_to: 2025-12-31\n", title="Taxe de parcare")
    document(folder, "taxe", "Taxa este de 5 lei.", more="effective_from: 2026-01-01\n", title="Taxe de parcare")
    document(folder, "secret", "Taxa internă este de 1 leu.", more="scope: intern\n", title="Taxe de parcare interne")
    documents = corpus.load(folder)
    asked = item(
        question="Ce taxe de parcare sunt?", needs=((gold.Passage("taxe", "Taxa este de 5 lei."),),), at="2026-07-15", retired=("veche",)
    )
    frame = experiments.filters([asked], documents, load("bm25"), 3, 200, 1).set_index(["filters", "metric"]).value
    assert frame["none", "superseded@3"] == 1 and frame["none", "forbidden@3"] == 1
    assert frame["scope", "forbidden@3"] == 0 and frame["validity and revision", "superseded@3"] == 0
    assert frame["scope, validity and revision", "recall@3"] == 1


def test_a_document_that_another_in_force_supersedes_is_out_of_force_without_a_date_of_its_own(tmp_path):
    folder = tmp_path / "docs"
    document(folder, "r1", "Taxa este de 4 lei.")
    document(folder, "r2", "Taxa este de 5 lei.", more="effective_from: 2026-01-01\nsupersedes: r1\n")
    documents = corpus.load(folder)
    assert corpus.visible(documents, (), "2026-07-15").ids == ["r2"]
    assert corpus.visible(documents, (), "2025-07-15").ids == ["r1"]
    assert corpus.visible(documents).ids == ["r1", "r2"]


def test_languages_compete_once_each_ones_mean_is_taken_off(tmp_path):
    """An embedder that holds a language for near must not put every document of it before the other language's right one."""
    import numpy as np

    from rocite.retrieve.dense import Index

    class Biased:
        name, learns, windows, limit = "biased", False, {}, 99
        directions = {"ro plin": [9, 0, 0], "ro alt": [9, 1, 0], "en right": [6, 0, 3], "en other": [6, 1, 0]}  # noqa: RUF012

        def fit(self, passages):
            pass

        def passages(self, texts):
            return np.array([self.directions[t] for t in texts], dtype=float)

        def questions(self, texts):
            return np.array([[1.0, 0.0, 0.3]])

    folder = tmp_path / "docs"
    for n, (text, lang) in enumerate([("ro plin", "ro"), ("ro alt", "ro"), ("en right", "en"), ("en other", "en")]):
        document(folder, f"d{n}", text, lang)
    documents = corpus.load(folder)
    documents = corpus.Corpus(tuple(corpus.Document(d.id, "", d.body, lang=d.lang) for d in documents.documents), "c")
    index = Index(documents, Biased())
    assert index.search("q", 1)[0].document.lang == "ro"
    assert documents.ids[int(index.scaled(["q"])[0].argmax())] == "d2"


# --- recorded vectors ------------------------------------------------------------------------------------------


def test_what_a_store_lacks_is_read_from_the_recorded_one_which_is_never_written(tmp_path):
    kept = Store(tmp_path / "kept.sqlite")
    kept.put("vector", "a", value=b"1")
    kept.copy_to(tmp_path / "recorded.sqlite")
    before = (tmp_path / "recorded.sqlite").read_bytes()
    store = Store(tmp_path / "own.sqlite", RecordedStore(tmp_path / "recorded.sqlite"))
    assert store.get("vector", "a") == b"1" and store.get("vector", "b") is None
    store.put("vector", "a", value=b"2")
    assert store.get("vector", "a") == b"2"
    assert (tmp_path / "recorded.sqlite").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith("recorded")) == ["recorded.sqlite"]


def test_a_damaged_recorded_store_warns_and_is_left_where_it_is(tmp_path):
    path = tmp_path / "recorded.sqlite"
    path.write_bytes(b"no database at all" * 100)
    store = Store(tmp_path / "own.sqlite", RecordedStore(path))
    with pytest.warns(UserWarning, match="cannot be read"):
        assert store.get("vector", "a") is None
    assert path.exists()


def test_a_recorded_store_that_is_absent_is_empty(tmp_path):
    assert Store(tmp_path / "own.sqlite", RecordedStore(tmp_path / "none.sqlite")).get("vector", "a") is None


# --- the pipeline ----------------------------------------------------------------------------------------------


def test_the_pipeline_finds_by_its_retriever_and_judges_the_embedders_similarity(library):
    from rocite import answer, embed
    from rocite.params import definitions, resolve
    from rocite.places import root

    values = resolve(definitions(root() / "notebooks" / "params" / "default.toml"))
    documents = corpus.load(library[0])
    line = answer.pipeline(documents, embed.load("tfidf"), values, None, None, "extractive", retriever="bm25")
    found = line.ask("Casca de înot este obligatorie la bazin?")
    similarity = dict(zip(documents.ids, line.index.scores([found.question])[0], strict=True))
    assert found.fragments[0].id == "bazin"
    assert [f.score for f in found.fragments] == [pytest.approx(similarity[f.id]) for f in found.fragments]
    assert found.judgement.verdict in ("accepted", "refused", "abstained")


def test_the_default_retriever_is_one_that_can_be_loaded_and_a_wrong_name_says_so(capsys):
    status = cli.main(["ask", "Ce este EORI?", "--gates", "article", "--generator", "extractive", "--set", "retriever=bm26"])
    assert status in (1, 2)
    assert "bm25" in capsys.readouterr().err


def test_a_fragment_is_found_whatever_the_way_of_cutting(library):
    documents = corpus.load(library[0])
    for name in ("bm25@section", "bm25@sentences:2", "bm25@words:5", "bm25@section-untitled"):
        assert load(name).over(documents).search("Casca de înot", 1)[0].document.id == "bazin"
    assert check.fragment(documents["bazin"]).text.startswith("Bazinul")


@pytest.mark.parametrize("value", ['"31.12.2025"', '"1 iulie 2026"', '"2025-1-5"', "yes"])
def test_a_date_of_validity_that_is_no_date_is_refused_with_its_document(tmp_path, value):
    folder = tmp_path / "docs"
    document(folder, "a", "Taxa este de 4 lei.", more=f"effective_to: {value}\n")
    with pytest.raises(InputError, match=r"a\.md.*effective_to.*2026-07-15"):
        corpus.load(folder)


def test_nesting_without_end_is_one_clear_error(tmp_path, capsys):
    path = tmp_path / "deep.jsonl"
    path.write_text('{"id": "a", "text": ' + "[" * 100_000 + "]" * 100_000 + "}\n{}\n", encoding="utf-8")
    status, out, err = run(capsys, "--corpus", path, "--gold", path, "--embedder", "bm25")
    assert status == 2 and not out and err.count("\n") == 1
