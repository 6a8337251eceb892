"""What a reader brings: documents, questions, parameters. Each mistake is one error that names file and line."""

import json
import math
import tomllib
from pathlib import Path

import pytest

from rocite import cli, corpus, params, places, questions
from rocite.errors import InputError, RociteError
from rocite.evaluate import separation

TOP = Path(params.__file__).parents[2]
DEFAULTS = TOP / "notebooks" / "params" / "default.toml"
NOTEBOOKS = sorted((TOP / "notebooks").glob("*.ipynb"))
GOOD = "---\nid: eori\ntitlu: EORI\nsursa: AVR\nverificat: 2026-07-15\n---\nNumărul este gratuit.\n"


# --- documents -----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """Writes files (name to text or bytes) into a folder of documents and returns its path."""

    def write(**files):
        for name, content in files.items():
            path = tmp_path / f"{name}.md"
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return tmp_path

    return write


def test_a_good_document_is_read_with_romanian_names_and_its_date_as_text(folder):
    [document] = corpus.load(folder(a=GOOD)).documents
    assert (document.id, document.title, document.source, document.checked) == ("eori", "EORI", "AVR", "2026-07-15")
    assert document.passage == "EORI\nNumărul este gratuit."


def test_documents_are_in_the_order_of_their_ids_and_a_readme_is_none(folder):
    path = folder(a=GOOD.replace("id: eori", "id: z"), b=GOOD, README="no front matter here")
    assert corpus.load(path).ids == ["eori", "z"]


def test_spelling_and_file_names_make_no_difference_to_what_a_corpus_is(folder, tmp_path):
    first = corpus.load(folder(a=GOOD.replace("Numărul", "Funcţia"))).digest
    (tmp_path / "a.md").rename(tmp_path / "renamed.md")
    (tmp_path / "renamed.md").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("Numărul", "Funcția").replace("\n", "\r\n").encode())
    assert corpus.load(tmp_path).digest == first
    assert corpus.load(folder(renamed=GOOD)).digest != first


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Numărul este gratuit.", r"bad\.md, line 1: no front matter; expected '---'"),
        ("---\nid: a\ntitle: T\n", r"bad\.md, line 1: the front matter is empty or not closed"),
        ("---\n---\nText.", r"bad\.md, line 1: the front matter is empty"),
        ("---\n- id\n- title\n---\nText.", r"bad\.md, line 1: the front matter is empty"),
        (GOOD.replace("id: eori\n", ""), r"bad\.md, line 1: the front matter lacks id\."),
        (GOOD.replace("id: eori", "id:"), r"bad\.md, line 1: the front matter lacks id\."),
        (GOOD.replace("sursa: AVR\nverificat: 2026-07-15\n", ""), r"bad\.md, line 1: the front matter lacks source, checked\."),
        (GOOD.replace("titlu: EORI", "titlu: EORI: ce este"), r"bad\.md, line 3: the front matter is not YAML"),
        ("\n" + GOOD.replace("titlu: EORI", "titlu: [EORI"), r"bad\.md, line 5: the front matter is not YAML"),
        (GOOD.replace("2026-07-15", "2026-13-45"), r"bad\.md, line 1: the front matter holds a value that cannot be \(month"),
        (GOOD.replace("sursa:", "autor: X\nsursa:"), r"bad\.md, line 1: unknown front matter autor; known: .*effective_from"),
        (GOOD.replace("Numărul este gratuit.\n", " \n"), r"bad\.md: the document 'eori' has no text"),
        (GOOD.encode("cp1250", "replace"), r"bad\.md, line 7: not UTF-8 \(byte 0xe3\).*iconv -f CP1250 -t UTF-8"),
        (GOOD.encode("utf-16"), r"bad\.md, line 1: not UTF-8 \(byte 0xff\)"),
        (b"", r"bad\.md, line 1: no front matter"),
    ],
)
def test_a_bad_document_is_one_error_with_file_and_line(folder, content, expected):
    with pytest.raises(InputError, match=expected):
        corpus.load(folder(bad=content))


def test_an_id_that_comes_twice_names_both_files(folder):
    with pytest.raises(InputError, match=r"b\.md: the id 'eori' is already that of .*a\.md; ids are unique"):
        corpus.load(folder(a=GOOD, b=GOOD))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("docs", None, "docs: the corpus is empty; expected at least one document"),
        ("none.jsonl", "\n\n", r"none\.jsonl: the corpus is empty"),
        ("no.jsonl", '{"id": "a", "text": "x"}\n{"id": "b", "title": "T"}\n', r"no\.jsonl, object 2: .*'text' is missing or empty"),
        ("no.jsonl", '{"title": "T", "text": "x"}\n', r"no\.jsonl, object 1: .*'id' is missing or empty"),
        (
            "no.jsonl",
            '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n',
            r"no\.jsonl, object 2: the id 'a' is already that of .*object 1",
        ),
        ("no.jsonl", '{"id": "a", "text": "x"}\n{"id": \n{"id": "b", "text": "y"}\n', r"no\.jsonl, line 2: not JSON"),
        ("no.jsonl", '["a"]\n', r"no\.jsonl, line 1: expected an object, found list"),
        ("no.txt", "text", r"no\.txt: expected a folder of Markdown documents, .*; found a file of another kind"),
    ],
)
def test_another_kind_of_corpus_is_refused_as_clearly(tmp_path, name, content, expected):
    path = tmp_path / name
    path.mkdir() if content is None else path.write_text(content)
    with pytest.raises(InputError, match=expected):
        corpus.load(path)


@pytest.mark.parametrize(
    ("name", "expected"), [("docs", "found nothing"), ("docs.jsonl", "cannot be read"), ("squad.json", "cannot be read")]
)
def test_a_corpus_that_is_not_there_is_named(tmp_path, name, expected):
    with pytest.raises(InputError, match=f"{tmp_path}/{name}: .*{expected}"):
        corpus.load(tmp_path / name)


# --- who may see a document, and when ---------------------------------------------------------------------------------


def some(**metadata):
    fields = tuple(sorted(metadata.items()))
    return corpus.Corpus((corpus.Document("a", "A", "text", metadata=fields),), "some")


@pytest.mark.parametrize(
    ("scope", "asked", "seen"),
    [
        ("", (), True),
        ("public", (), True),
        ("hangar", (), False),
        ("hangar", ("hangar",), True),
        ("hangar|atelier", ("atelier",), True),
        ("hangar", ("public",), False),
    ],
)
def test_a_document_with_a_scope_is_seen_only_by_a_request_that_has_it(scope, asked, seen):
    assert len(corpus.visible(some(scope=scope), asked)) == seen


@pytest.mark.parametrize(
    ("at", "seen"),
    [("2025-12-31", False), ("2026-01-01", True), ("2026-06-30", True), ("2026-07-01", False), (None, True)],
)
def test_a_document_is_in_force_from_its_first_to_its_last_day(at, seen):
    assert len(corpus.visible(some(effective_from="2026-01-01", effective_to="2026-06-30"), at=at)) == seen


@pytest.mark.parametrize("at", ["yesterday", "2026-02-30", "15.07.2026", ""])
def test_a_date_that_is_none_is_refused(at):
    with pytest.raises(InputError, match=f"--at '{at}': expected a date as 2026-07-15"):
        corpus.visible(some(), at=at)


# --- SQuAD ----------------------------------------------------------------------------------------------------------


def squad(articles=2):
    paragraph = {"context": "Numărul este gratuit.", "qas": [{"id": "q", "question": "Cât costă?"}]}
    return {"data": [{"title": f"A{n}", "paragraphs": [paragraph]} for n in range(articles)]}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("{", "JSONDecodeError"),
        ("[]", "TypeError"),
        ("{}", "KeyError: 'data'"),
        ('{"data": [{"title": "A"}]}', "KeyError: 'paragraphs'"),
        ('{"data": [{"paragraphs": [{"context": "c"}]}]}', "KeyError: 'qas'"),
        ('{"data": [{"paragraphs": [{"context": 5, "qas": []}]}]}', "AttributeError"),
        ('{"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "q"}]}]}]}', "KeyError: 'question'"),
        ('{"data": ["A"]}', "TypeError"),
    ],
)
def test_a_file_that_is_no_squad_is_named_with_what_is_missing(tmp_path, content, expected):
    path = tmp_path / "squad.json"
    path.write_text(content)
    with pytest.raises(InputError, match=rf"squad\.json: not a SQuAD 1\.1 file \({expected}"):
        corpus.load_squad(path)


def test_every_paragraph_of_a_squad_file_is_a_document_with_an_id_of_its_own(tmp_path):
    path = tmp_path / "squad.json"
    path.write_text(json.dumps(squad()))
    assert corpus.load(path).ids == ["000-000", "001-000"]


@pytest.mark.parametrize("articles", [0, 1])
def test_a_squad_file_without_impostors_is_refused(tmp_path, articles, capsys):
    path = tmp_path / "squad.json"
    path.write_text(json.dumps(squad(articles)))
    assert cli.main(["separation", "--corpus", str(path), "--questions", str(path), "--embedder", "tfidf"]) == 2
    assert "needs questions in articles of both halves (even, odd)" in capsys.readouterr().err


def test_of_a_squad_file_each_half_is_the_others_impostors(tmp_path):
    path = tmp_path / "squad.json"
    path.write_text(json.dumps(squad(3)))
    documents, asked = separation.squad_half(corpus.load_squad(path), "even")
    assert documents.ids == ["000-000", "002-000"]
    assert [(q.label, q.docs, q.family) for q in asked] == [("in", ("000-000",), "000"), ("out", (), "001"), ("in", ("002-000",), "002")]


# --- questions ------------------------------------------------------------------------------------------------------

CSV = "id,question,label,docs\nq1,Cât costă?,in,eori\nq2,Unde este Roma?,out,\n"


@pytest.fixture
def asked(tmp_path):
    def write(content, name="q.csv", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return questions.load(path, **options)

    return write


@pytest.mark.parametrize(
    "content",
    [
        CSV,
        CSV.replace(",", ";"),
        b"\xef\xbb\xbf" + CSV.replace(",", ";").replace("\n", "\r\n").encode(),
        CSV.replace("id,question,label,docs", " ID , Question ,LABEL,docs").replace(",in,", ", IN ,"),
        CSV.replace("Cât costă?", "C\u0061\u0302t costa\u0306?"),
    ],
    ids=["commas", "semicolons", "semicolons, byte-order mark and CRLF", "capitals and spaces", "decomposed letters"],
)
def test_questions_read_the_same_from_every_spreadsheet(asked, content):
    assert asked(content, document_ids=["eori"], least_of_each=1) == [
        questions.Question("q1", "Cât costă?", "in", ("eori",), "", "q1"),
        questions.Question("q2", "Unde este Roma?", "out", (), "", "q2"),
    ]


def test_a_quoted_field_may_hold_the_delimiter_and_several_documents_may_answer(asked):
    [first, _] = asked(CSV.replace("Cât costă?", '"Cât costă, și cui?"').replace("in,eori", "in,eori|posta"))
    assert (first.question, first.docs) == ("Cât costă, și cui?", ("eori", "posta"))


def test_questions_may_come_as_json_lines(asked):
    content = '{"id": 1, "question": "Cât?", "label": "in", "docs": ["a", "b"], "family": "f"}\n'
    assert asked(content, "q.jsonl") == [questions.Question("1", "Cât?", "in", ("a", "b"), "", "f")]


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        (CSV.replace(",in,", ",yes,"), {}, r"q\.csv, line 2: label 'yes'; expected 'in' .* or 'out'"),
        (CSV.replace(",in,", ",,"), {}, r"q\.csv, line 2: label missing or empty"),
        (CSV.replace("Unde este Roma?", " "), {}, r"q\.csv, line 3: question missing or empty"),
        (CSV.replace("label", "labl"), {}, r"q\.csv, line 2: label missing or empty; expected id, question, label"),
        (CSV, {"document_ids": ["posta"]}, r"q\.csv, line 2: docs names 'eori', which is no document"),
        (CSV.replace("q2", "q1"), {}, r"q\.csv, line 3: the id 'q1' stands already at .*q\.csv, line 2"),
        (CSV.replace("Unde este Roma?", "Cât costă?"), {}, r"q\.csv, line 3: the question 'Cât costă\?' stands already at .*line 2"),
        (CSV.replace("Unde este Roma?", "cat COSTA?"), {}, r"q\.csv, line 3: the question 'cat COSTA\?' stands already at .*line 2"),
        (
            CSV.replace("out", "in").replace("in,\n", "in,eori\n"),
            {"least_of_each": 1},
            r"q\.csv: 0 questions labelled 'out'; at least 1 of each",
        ),
        ("id,question,label\n", {"least_of_each": 1}, r"q\.csv: 0 questions labelled 'in'"),
        ("", {"least_of_each": 1}, r"q\.csv: 0 questions labelled 'in'"),
        (
            CSV.replace("Cât costă?", "Cât costă, și cui?"),
            {},
            r"q\.csv, line 2: more fields than the header names; quote fields that hold ','",
        ),
        (CSV.replace(",out,", ",out"), {}, r"q\.csv, line 3: fewer fields than the header names"),
        (CSV.encode("cp1250"), {}, r"q\.csv, line 2: not UTF-8 \(byte 0xe2\).*iconv -f CP1250 -t UTF-8"),
    ],
)
def test_a_bad_question_file_is_one_error_with_file_and_line(asked, content, options, expected):
    with pytest.raises(InputError, match=expected):
        asked(content, **options)


@pytest.mark.parametrize("name", ["q.txt", "q.xlsx"])
def test_another_kind_of_question_file_is_refused(asked, name):
    with pytest.raises(InputError, match=rf"{name}: expected a \.csv or \.jsonl file"):
        asked(CSV, name)


@pytest.mark.parametrize(
    ("corpus_name", "question_name", "expected"),
    [
        ("docs", "missing.csv", "missing.csv: cannot be read"),
        ("nowhere", "q.csv", "found nothing"),
        ("docs", "squad.json", "give the same file as --corpus and --questions"),
    ],
)
def test_the_separation_command_ends_with_the_same_errors_and_status_two(folder, tmp_path, capsys, corpus_name, question_name, expected):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(GOOD)
    (tmp_path / "q.csv").write_text(CSV)
    code = cli.main(
        ["separation", "--corpus", str(tmp_path / corpus_name), "--questions", str(tmp_path / question_name), "--embedder", "tfidf"]
    )
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.startswith("rocite: ") and expected in captured.err and captured.err.count("\n") == 1


# --- parameters -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def declared():
    return params.definitions(DEFAULTS)


def test_a_later_layer_wins_and_text_becomes_the_declared_type(declared, tmp_path):
    overlay = tmp_path / "run.toml"
    overlay.write_text("k = 2\nmin_ground = 1\n")
    values = params.resolve(declared, overlay, {"k": "5", "min_sim": "fitted"})
    assert (values["k"], values["min_ground"], values["min_sim"], values["seed"]) == (5, 1.0, "fitted", 1)
    assert isinstance(values["min_ground"], float)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("k", v) for v in ("0", "21", "2.0", "two", "", "01", "1_000", "+2", " 2", "1,234", "nan", "True", "٣")],
        *[("min_ground", v) for v in ("-0.1", "1.01", "nan", "inf", "-inf", "1e999", ".5", "0,5", "half", "fitted", "[1,2]", "None")],
        *[("min_sim", v) for v in ("1.5", "nan", "Fitted", "")],
        ("embedder", " "),
        ("corpus", "a\nb"),
    ],
)
def test_text_that_does_not_fit_a_parameter_is_refused_with_its_range(declared, name, value):
    with pytest.raises(InputError) as caught:
        params.resolve(declared, given={name: value})
    assert str(caught.value).startswith(f"SET: {name} = {value!r}; expected {declared[name].type}, {declared[name].range}")
    assert str(caught.value).endswith("Nothing was run.")


@pytest.mark.parametrize(
    "line", ["k = true", "k = 3.0", 'k = "3x"', "k = [3]", "min_ground = nan", "min_ground = true", "embedder = 5", "[k]\nvalue = 3"]
)
def test_a_value_of_another_type_in_a_runs_own_file_is_refused(declared, tmp_path, line):
    overlay = tmp_path / "run.toml"
    overlay.write_text(line + "\n")
    with pytest.raises(InputError, match=r"run\.toml: .* expected .*Nothing was run\."):
        params.resolve(declared, overlay)


@pytest.mark.parametrize(
    ("name", "value"), [("min_ground", "0"), ("min_ground", "1"), ("k", "1"), ("k", "20"), ("min_sim", "-1"), ("min_sim", "1.0")]
)
def test_both_ends_of_a_range_are_legal(declared, name, value):
    assert params.resolve(declared, given={name: value})[name] == float(value)


def test_an_unknown_name_is_refused_with_the_nearest_one(declared, tmp_path):
    with pytest.raises(InputError, match=r"SET: unknown parameter 'min_grond'\. Did you mean 'min_ground'\?.*Nothing was run"):
        params.resolve(declared, given={"min_grond": "0.6"})
    overlay = tmp_path / "run.toml"
    overlay.write_text("sead = 2\n")
    with pytest.raises(InputError, match=r"run\.toml: unknown parameter 'sead'\. Did you mean 'seed'\?"):
        params.resolve(declared, overlay)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k=2 k=3", "k is given twice"),
        ("k=2 seed", "'seed'; expected name=value"),
        ("=2", "'=2'; expected name=value"),
        ("k = 2", "'k'; expected name=value"),
    ],
)
def test_settings_that_cannot_be_read_are_refused(text, expected):
    with pytest.raises(InputError, match=f"SET: {expected}.*Nothing was run"):
        params.parse_settings(text)


@pytest.mark.parametrize("content", [None, "k = ", b"k = '\xe3'"])
def test_a_parameter_file_that_cannot_be_read_is_named(declared, tmp_path, content):
    path = tmp_path / "run.toml"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=r"run\.toml.*Nothing was run"):
        params.resolve(declared, path)


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ('value = 5\ntype = "int"\nunit = "u"\nwhy = "w"\nmin = 0\nmax = 3', "x = 5; expected int, 0 to 3"),
        ('value = 5\ntype = "number"\nunit = "u"\nwhy = "w"', r"\[x\] has type 'number'; expected one of int, float"),
        ('value = 5\ntype = "int"', r"\[x\] .*missing.*'unit' and 'why'"),
        ('value = 5\ntype = "int"\nunit = "u"\nwhy = "w"\nmni = 0', r"\[x\] .*unexpected keyword argument 'mni'"),
    ],
)
def test_a_declaration_that_is_incomplete_or_breaks_its_own_range_is_refused(tmp_path, declaration, expected):
    path = tmp_path / "default.toml"
    path.write_text(f"[x]\n{declaration}\n")
    with pytest.raises(InputError, match=expected):
        params.definitions(path)


def test_the_params_command_lists_every_parameter_with_its_range(declared, capsys):
    assert cli.main(["params"]) == 0
    listed = capsys.readouterr().out
    for name, p in declared.items():
        assert f"{name} = {p.value!r}   [{p.type}; {p.range}; {p.unit}]" in listed


# --- the parameters cell of each notebook ----------------------------------------------------------------------------


def cell(notebook):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    [source] = ["".join(c["source"]) for c in cells if "parameters" in c["metadata"].get("tags", [])]
    return source


def test_there_are_notebooks_to_test():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_every_literal_in_the_parameters_cell_is_the_default(notebook, declared):
    for name, value in params.declared_in(notebook).items():
        assert name in declared, f"{notebook.name}: {name} is not in {DEFAULTS.name}"
        assert (value, type(value)) == (declared[name].value, type(declared[name].value)), name


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_every_line_of_the_parameters_cell_is_annotated_and_says_its_range(notebook, declared):
    for line in cell(notebook).strip().split("\n"):
        code, _, comment = line.partition("  # ")
        name, _, rest = code.partition(": ")
        assert rest.split(" = ")[0] in ("int", "float", "str"), line
        p = declared[name]
        assert comment.count(";") >= 1, f"meaning; unit: {line}"
        if p.min is None:
            continue
        switch = p.type == "int" and (p.min, p.max) == (0, 1)
        stated = "1 yes, 0 no" if switch else f"{p.min:g} to {p.max:d}" if isinstance(p.max, int) else f"{p.min:g} to {p.max:g}"
        assert stated in comment, f"{line!r} should say {stated!r}"
        assert p.type != "float or fitted" or params.FITTED in comment


def notebook_with(tmp_path, *cells):
    path = tmp_path / "nb.ipynb"
    made = [{"cell_type": "code", "metadata": {"tags": tags}, "source": [source]} for tags, source in cells]
    path.write_text(json.dumps({"cells": made}))
    return path


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([([], "k = 3")], "0 cells are tagged 'parameters'; expected one"),
        ([(["parameters"], "k = 3"), (["parameters"], "k = 4")], "2 cells are tagged"),
        ([(["parameters"], "k = 3\nhalf = k / 2")], "may hold literal assignments only"),
        ([(["parameters"], "k = 3\nprint(k)")], "may hold literal assignments only"),
        ([(["parameters"], "k: int")], "may hold literal assignments only"),
        ([(["parameters"], "k = 3"), (["injected-parameters"], "k = 4")], "the output of a run; run the source notebook instead"),
    ],
)
def test_a_notebook_whose_parameters_would_not_take_effect_is_refused(tmp_path, cells, expected):
    with pytest.raises(InputError, match=expected):
        params.declared_in(notebook_with(tmp_path, *cells))


def test_the_defaults_file_holds_no_value_outside_its_range_and_a_reason_for_each(declared):
    raw = tomllib.loads(DEFAULTS.read_text(encoding="utf-8"))
    assert list(raw) == list(declared)
    for name, p in declared.items():
        assert p.why.endswith(".") and p.unit, name
        assert p.min is None or (math.isfinite(p.max) and p.min <= p.max), name


def test_away_from_its_checkout_the_package_says_where_it_works(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "__file__", str(tmp_path / "site-packages" / "rocite" / "places.py"))
    with pytest.raises(RociteError, match=r"no corpus/ here; rocite works from its checkout"):
        places.root()
