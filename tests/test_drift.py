"""Drift and the baseline, as a maintainer meets them: what moved, what has to be read again, what is accepted and by whom."""

import json
import subprocess
import sys
import tomllib

import numpy as np
import pytest
from scipy.stats import ks_2samp

from rocite import cli, corpus, retrieve
from rocite.audit import AuditLog
from rocite.errors import InputError
from rocite.evaluate import drift, gold, query_drift, query_log, retrieval
from rocite.records import write_jsonl
from rocite.workflow import baseline

BODIES = {
    "lift-r1": ("Liftul", "Revizia liftului se face o dată la șase săptămâni. Persoanele blocate sunt eliberate în 60 de minute."),
    "lift-r2": ("Liftul", "Revizia liftului se face o dată pe lună. Persoanele blocate sunt eliberate în 45 de minute."),
    "pompa": ("Pompa", "Garnitura pompei se schimbă la 40 de picături pe minut. Uleiul pompei se schimbă anual."),
    "cazan": ("Cazanul", "Supapa cazanului se încearcă în fiecare luni. Temperatura de tur este de cel mult 80 de grade."),
    "paza": ("Cheile", "Codul seifului se schimbă la fiecare 90 de zile de către șeful pazei."),
}
FIELDS = {
    "lift-r1": {"effective_to": "2025-03-31"},
    "lift-r2": {"effective_from": "2025-04-01", "supersedes": "lift-r1"},
    "paza": {"scope": "security"},
}
ITEMS = [
    ("lift-release", "În cât timp sunt eliberate persoanele blocate în lift?", "superseded", [("lift-r2", "eliberate în 45 de minute")]),
    ("lift-service", "Cât de des se face revizia liftului?", "user", [("lift-r2", "Revizia liftului se face o dată pe lună.")]),
    ("pump-seal", "La câte picături se schimbă garnitura pompei?", "user", [("pompa", "Garnitura pompei se schimbă la 40 de picături")]),
    ("pump-oil", "Când se schimbă uleiul pompei?", "user", [("pompa", "Uleiul pompei se schimbă anual.")]),
    ("boiler-valve", "Cât de des se încearcă supapa cazanului?", "expert", [("cazan", "Supapa cazanului se încearcă în fiecare luni.")]),
    ("crane-load", "Ce sarcină maximă are podul rulant din hala mare?", "unanswerable", []),
]


def write(folder, name, title, body, **fields):
    given = {"id": name, "title": title, "source": "probă", "checked": "2026-07-15", "lang": "ro", **fields}
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text("---\n" + "".join(f'{k}: "{v}"\n' for k, v in given.items()) + f"---\n{body}\n", encoding="utf-8")


def record(name, question, stratum, passages, number):
    return {
        "id": name,
        "question": question,
        "lang": "ro",
        "stratum": stratum,
        "source": "user",
        "difficulty": "easy",
        "part": gold.PARTS[number % 2],
        "family": name,
        "at": "2026-07-15",
        "scope": [],
        "label": "in" if passages else "out",
        "docs": sorted({d for d, _ in passages}),
        "needs": [[{"doc": d, "quote": q}] for d, q in passages],
        "retired": ["lift-r1"] if stratum == "superseded" else [],
        "answer": "x",
        "version": 1,
        "labelled_by": "project",
        "why": "x",
    }


class Bench:
    """Documents, gold set and accepted baseline in a folder of their own."""

    def __init__(self, folder):
        self.corpus, self.gold, self.baseline = folder / "documents", folder / "gold.jsonl", folder / "baseline.toml"
        for name, (title, body) in BODIES.items():
            write(self.corpus, name, title, body, **FIELDS.get(name, {}))
        write_jsonl(self.gold, [record(*item, n) for n, item in enumerate(ITEMS)])
        self.places = ["--corpus", str(self.corpus), "--gold", str(self.gold), "--baseline", str(self.baseline)]

    def accept(self, reason="", retriever="bm25"):
        return baseline.main([*self.places, "--retriever", retriever, "--reason", reason])

    def rewrite(self, name, old, new):
        path = self.corpus / f"{name}.md"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def bench(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ROCITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("rocite.cli.drift.values_of", lambda settings: {"retriever": "bm25", "admit": 0.95, "resamples": 300, "seed": 1})
    monkeypatch.setattr("rocite.params.resolve", lambda declared, *more: {"retriever": "bm25", "admit": 0.95, "resamples": 300, "seed": 1})
    made = Bench(tmp_path)
    assert made.accept("the first one") == 0
    capsys.readouterr()
    return made


@pytest.fixture
def run(bench, capsys):
    """Runs ``rocite drift`` on the bench; returns status and the JSON object, or the text with ``text=True``."""

    def run(kind, *options, text=False):
        capsys.readouterr()
        code = cli.main(["drift", kind, *bench.places, *options, *([] if text else ["--json"])])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        run.err = err
        return code, (out if text or not out else json.loads(out))

    return run


def reasons(result):
    return {r["id"]: " | ".join(r["reasons"]) for r in result["review"]}


# --- documents -------------------------------------------------------------------------------------------------


def test_an_unchanged_corpus_is_quiet(run):
    code, result = run("corpus")
    assert (code, result["changes"], result["review"], result["stale"]) == (0, [], [], [])
    assert result["items"] == len(ITEMS) and result["manifest"]["gold_version"].startswith("sha256:")


def test_a_changed_body_marks_the_items_that_need_the_document_and_no_others(bench, run):
    bench.rewrite("pompa", "40 de picături", "30 de picături")
    code, result = run("corpus")
    assert code == 1
    assert [(c["kind"], c["document"]) for c in result["changes"]] == [("body", "pompa")]
    assert list(reasons(result)) == ["pump-seal", "pump-oil"]
    assert "its passage does not stand in pompa: 'Garnitura pompei" in reasons(result)["pump-seal"]
    assert "does not stand" not in reasons(result)["pump-oil"]
    assert any("the documents changed" in s for s in result["stale"])


def test_a_new_revision_that_supersedes_a_document_marks_the_items_that_need_it(bench, run):
    write(bench.corpus, "lift-r3", "Liftul", BODIES["lift-r2"][1], effective_from="2027-01-01", supersedes="lift-r2")
    code, result = run("corpus")
    assert code == 1
    assert {"kind": "superseded", "document": "lift-r2", "what": "by lift-r3"} in result["changes"]
    assert list(reasons(result)) == ["lift-release", "lift-service"]
    assert all("superseded by lift-r3" in r for r in reasons(result).values())


def test_a_document_that_goes_out_of_force_before_the_items_date_marks_them(bench, run):
    bench.rewrite("cazan", 'lang: "ro"', 'lang: "ro"\neffective_to: "2026-01-01"')
    code, result = run("corpus")
    assert code == 1 and list(reasons(result)) == ["boiler-valve"]
    assert "is not in force on 2026-07-15" in reasons(result)["boiler-valve"]
    assert "effective_to: none -> 2026-01-01" in reasons(result)["boiler-valve"]


def test_a_retired_document_that_is_in_force_again_marks_its_trap(bench, run):
    bench.rewrite("lift-r1", "2025-03-31", "2029-03-31")
    bench.rewrite("lift-r2", 'supersedes: "lift-r1"', 'supersedes: ""')
    assert "lift-r1, which must not be in force, is in force on 2026-07-15" in reasons(run("corpus")[1])["lift-release"]


def test_a_document_that_vanished_marks_its_items(bench, run):
    (bench.corpus / "cazan.md").unlink()
    code, result = run("corpus")
    assert code == 1 and reasons(result) == {"boiler-valve": "cazan, which it needs, vanished"}


def test_a_new_document_with_the_words_of_a_passage_or_of_an_unanswerable_question_marks_them(bench, run):
    write(
        bench.corpus,
        "nou",
        "Anexa",
        "Supapa cazanului se încearcă în fiecare luni. Podul rulant din hala mare are sarcină maximă de 5 tone.",
    )
    found = reasons(run("corpus")[1])
    assert list(found) == ["boiler-valve", "crane-load"]
    assert "nou, whose text is new, has" in found["boiler-valve"] and "of its question" in found["crane-load"]


def test_a_new_document_that_the_asker_may_not_see_marks_nothing(bench, run):
    write(bench.corpus, "nou", "Anexa", "Supapa cazanului se încearcă în fiecare luni.", scope="security")
    code, result = run("corpus")
    assert code == 1 and not result["review"] and [c["kind"] for c in result["changes"]] == ["added"]


def test_a_document_that_was_only_looked_through_again_is_listed_and_marks_nothing(bench, run):
    bench.rewrite("pompa", "2026-07-15", "2026-09-01")
    _, result = run("corpus")
    assert result["changes"] == [{"kind": "metadata", "document": "pompa", "what": "checked: 2026-07-15 -> 2026-09-01"}]
    assert not result["review"]


def test_the_share_of_words_that_makes_a_document_near_is_inclusive():
    old = corpus.Corpus((corpus.Document("a", "", "unu doi trei patru cinci"),), "c")
    items = [gold.Item("i", "q", "tuning", "f", ((gold.Passage("a", "unu doi trei patru cinci"),),))]
    for words, near in (("unu doi trei", True), ("unu doi", False)):
        new = corpus.Corpus((*old.documents, corpus.Document("b", "", words)), "c")
        assert bool(drift.corpus_drift(drift.snapshot(old, items), new, items).reviews) == near
    assert drift.NEAR_DOCUMENT == 3 / 5


def test_questions_with_docs_alone_are_held_against_the_documents_too(bench, run, tmp_path):
    simple = tmp_path / "simple.csv"
    simple.write_text("id,question,label,docs\na,Ce pompă?,in,pompa\nb,Ce cazan?,in,cazan\n", encoding="utf-8")
    (bench.corpus / "pompa.md").unlink()
    code = cli.main(["drift", "corpus", "--corpus", str(bench.corpus), "--gold", str(simple), "--baseline", str(bench.baseline), "--json"])
    assert code == 1
    items, _ = drift.items_of(simple)
    found = drift.corpus_drift(baseline.snapshot_of(baseline.load(bench.baseline)), corpus.load(bench.corpus), items)
    assert [r.item.id for r in found.reviews] == ["a"]


def test_a_snapshot_names_passages_that_do_not_stand_even_then(bench):
    items, _ = drift.items_of(bench.gold)
    bench.rewrite("pompa", "anual", "lunar")
    assert drift.snapshot(corpus.load(bench.corpus), items).fallen == ("pump-oil: pompa",)


# --- the baseline ----------------------------------------------------------------------------------------------


def test_a_baseline_that_holds_is_equal_and_nothing_is_written(bench, capsys):
    before = bench.baseline.read_bytes()
    assert bench.accept() == 0 and bench.accept("again") == 0
    assert "holds: accepted on" in capsys.readouterr().out
    assert bench.baseline.read_bytes() == before


@pytest.mark.parametrize("what", ["documents", "gold set", "retriever"])
def test_a_stale_baseline_without_a_reason_writes_nothing_and_exits_1(bench, capsys, what):
    before = bench.baseline.read_bytes()
    if what == "documents":
        bench.rewrite("paza", "90 de zile", "60 de zile")  # no figure moves
    elif what == "gold set":
        bench.gold.write_text(bench.gold.read_text(encoding="utf-8").replace('"why": "x"', '"why": "y"'), encoding="utf-8")
    assert bench.accept(retriever="tfidf" if what == "retriever" else "bm25") == 1
    out = capsys.readouterr().out
    assert f"stale: the {what} changed" in out and 'make baseline REASON="' in out and "holds" not in out
    assert bench.baseline.read_bytes() == before


@pytest.mark.parametrize("reason", [" ", "\t ", "two\nlines", "\x1b[2J"])
def test_a_blank_or_broken_reason_is_refused(bench, capsys, reason):
    bench.rewrite("paza", "90 de zile", "60 de zile")
    before = bench.baseline.read_bytes()
    assert bench.accept(reason) == 2
    assert "REASON" in capsys.readouterr().err and bench.baseline.read_bytes() == before


def test_a_reason_writes_old_and_new_side_by_side(bench):
    old = baseline.load(bench.baseline)
    bench.rewrite("pompa", "Garnitura pompei se schimbă la 40 de picături", "Garnitura pompei se schimbă la 40 de picături ori")
    assert bench.accept('șase "ghilimele" \\ și =') == 0
    new = baseline.load(bench.baseline)
    assert new["reason"] == 'șase "ghilimele" \\ și ='
    assert new["previous"] == {name: old[name] for name in ("date", "reason", "manifest", "figures")}
    assert new["manifest"]["corpus_digest"] != old["manifest"]["corpus_digest"]
    assert bench.accept() == 0
    assert "previous" not in new["previous"]


def test_figures_that_moved_under_the_same_inputs_make_the_baseline_stale(bench, capsys):
    text = bench.baseline.read_text(encoding="utf-8")
    head, tail = text.split('[figures.tuning."recall@5"]\n')
    bench.baseline.write_text(head + '[figures.tuning."recall@5"]\n' + tail.replace("value = 1.0", "value = 0.9", 1), encoding="utf-8")
    assert bench.accept() == 1
    assert "stale: tuning recall@5 was 0.900" in capsys.readouterr().out


def test_a_gold_set_that_the_documents_moved_away_from_is_not_measured(bench, capsys):
    before = bench.baseline.read_bytes()
    bench.rewrite("pompa", "anual", "lunar")
    assert bench.accept("why") == 2
    assert "does not stand in 'pompa'. Nothing was measured; rocite drift corpus lists" in capsys.readouterr().err
    assert bench.baseline.read_bytes() == before


def test_what_no_item_counts_for_is_shown_as_not_available(bench, capsys):
    bench.accept()
    out = capsys.readouterr().out
    assert "coverage@5" in out and "n/a (0)" in out
    assert baseline.load(bench.baseline)["figures"]["tuning"]["coverage@5"]["denominator"] == 0


def test_an_absent_baseline_is_stale_and_a_damaged_one_is_an_error(bench, run, capsys):
    assert baseline.stale(None, {}, "", "") and "no baseline" in baseline.stale(None, {}, "", "")[0]
    bench.baseline.write_text("date = 1\n", encoding="utf-8")
    assert bench.accept("why") == 2
    assert "not a baseline" in capsys.readouterr().err
    bench.baseline.unlink()
    assert run("corpus")[0] == 2 and "make baseline REASON=" in run.err
    code, result = run("embedder", "--candidate", "bm25", "--baseline-retriever", "tfidf", "--k", "1")
    assert code == 1 and "there is no baseline" in result["stale"][0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(figures="x"), "not a baseline"),
        (lambda d: d["figures"]["tuning"].update({"mrr": 5}), "not a baseline"),
        (lambda d: d["figures"]["tuning"]["mrr"].pop("numerator"), "figures.tuning.mrr has value"),
        (lambda d: d["figures"]["tuning"]["mrr"].pop("high"), "figures.tuning.mrr has value"),
        (lambda d: d["figures"]["tuning"]["mrr"].update(value="x"), "figures.tuning.mrr: expected numbers"),
        (lambda d: (d.update(reason=""), d.pop("figures")), "KeyError: 'figures'"),
        (lambda d: d.update(reason="a\n\x1b[2Jb"), "expected one line of text"),
        (lambda d: d.update(date=5), "date = 5; expected one line of text"),
        (lambda d: d["documents"]["pompa"].update(supersedes=4), "documents.pompa: expected texts"),
        (lambda d: d["documents"].pop("pompa"), "holds 4 documents, not the 5 of its digest; it was cut or edited"),
    ],
)
def test_a_baseline_edited_by_hand_is_refused_and_left_as_it_is(bench, run, capsys, change, said):
    edited = tomllib.loads(bench.baseline.read_text(encoding="utf-8"))
    change(edited)
    bench.baseline.write_text(baseline.toml(edited), encoding="utf-8")
    before = bench.baseline.read_bytes()
    assert run("corpus")[0] == 2 and said in run.err and run.err.count("\n") == 1
    assert bench.accept("a new one") == 2
    err = capsys.readouterr().err
    assert said in err and "or remove it and make another: make baseline REASON=" in err
    assert bench.baseline.read_bytes() == before


def test_a_baseline_cut_anywhere_is_never_taken_for_a_whole_one(bench, run):
    whole = bench.baseline.read_text(encoding="utf-8").rstrip()
    ends = [n for n in range(len(whole)) if whole.startswith("\n[", n)]
    for end in [*ends, *range(0, len(whole), 499)]:
        bench.baseline.write_text(whole[:end], encoding="utf-8")
        code, _ = run("corpus")
        assert code == 2 and run.err.startswith(f"rocite: {bench.baseline}") and run.err.count("\n") == 1, end


def test_nan_and_a_date_that_is_no_text_are_refused(bench, run):
    whole = bench.baseline.read_text(encoding="utf-8")
    for old, new in (("value = 1.0", "value = nan"), ('date = "', "date = 2026-12-01 # ")):
        assert old in whole
        bench.baseline.write_text(whole.replace(old, new, 1), encoding="utf-8")
        assert run("corpus")[0] == 2 and "not a baseline" in run.err


@pytest.mark.parametrize("stopped", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_is_stopped_leaves_the_old_baseline_and_nothing_else(bench, capsys, monkeypatch, stopped):
    before, files = bench.baseline.read_bytes(), sorted(p.name for p in bench.baseline.parent.iterdir())

    def stop(*_):
        raise stopped

    monkeypatch.setattr("rocite.records.os.replace", stop)
    assert bench.accept("another", retriever="bm25@section") == (130 if isinstance(stopped, KeyboardInterrupt) else 1)
    err = capsys.readouterr().err
    assert err.startswith("rocite: ") and err.count("\n") == 1
    assert bench.baseline.read_bytes() == before and sorted(p.name for p in bench.baseline.parent.iterdir()) == files


def test_a_baseline_at_a_path_that_cannot_be_looked_up_is_one_clear_error(bench, capsys):
    bench.places[-1] = "x" * 5000
    assert bench.accept("why") == 2
    assert capsys.readouterr().err.endswith("cannot be read (File name too long).\n")


def test_output_that_cannot_be_written_is_no_traceback(bench):
    with open("/dev/full", "w", encoding="utf-8") as full:
        command = [sys.executable, "-m", "rocite.workflow.baseline", *bench.places, "--retriever=bm25"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1 and done.stderr == "rocite: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": "1 iulie 2026"}, "item 1: at '1 iulie 2026'; expected a date"),
        ({"needs": [[{"doc": ["pompa"], "quote": "x"}]]}, "item 1: needs is a list of lists"),
        ({"needs": [[]]}, "item 1: a need without any passage"),
        ({"id": "lift "}, "item 1: id 'lift ' has blanks around it"),
    ],
)
def test_an_item_that_cannot_be_read_is_named_with_its_file(bench, run, change, said):
    write_jsonl(bench.gold, [record(*ITEMS[2], 0) | change])
    assert run("corpus")[0] == 2 and f"{bench.gold}, {said}" in run.err and run.err.count("\n") == 1


def test_the_toml_that_is_written_is_read_back(tmp_path):
    hostile = {"a b.c": {'q"\\\n\x7f\t\u2028': 1.5, "ș": [], "t": ["x", 'y"'], "sub": {"n": 3, "true": True}}, "top": "=[#"}
    assert tomllib.loads(baseline.toml(hostile)) == hostile


def test_make_passes_the_reason_on_and_explains_it(root):
    def make(*arguments):
        return subprocess.run(["make", "-n", *arguments], cwd=root, capture_output=True, text=True, timeout=60)

    assert "--reason='it'\\''s why'" in make("baseline", "REASON=it's why").stdout
    assert "REASON=" in subprocess.run(["make", "help"], cwd=root, capture_output=True, text=True, timeout=60).stdout


# --- what is asked ---------------------------------------------------------------------------------------------


def log_of(path, questions):
    log = AuditLog(path)
    for question in questions:
        log.append({"kind": "grounded", "question": question, "fragments": []})
        log.append({"kind": "ungrounded", "question": question, "answer": ""})
    return str(path)


def test_the_gold_questions_as_a_log_show_no_drift(bench, run, tmp_path):
    code, result = run("queries", "--log", log_of(tmp_path / "a.jsonl", [i[1] for i in ITEMS]))
    assert code == 0 and result["drift"] == []
    assert (result["far"]["numerator"], result["far"]["denominator"]) == (0, len(ITEMS))  # the ungrounded twin is no second question
    assert [q["nearest"] for q in result["questions"]] == [i[0] for i in ITEMS]
    assert result["new_words"] == [] and result["manifest"]["logged"] == len(ITEMS)


def test_questions_about_something_else_show_drift(tmp_path):
    documents = corpus.Corpus(tuple(corpus.Document(n, t, b, lang="ro") for n, (t, b) in BODIES.items()), "c")
    items = [gold.Item(f"i{n}", f"La câte zile se schimbă garnitura pompei P{n}?", "tuning", f"f{n}") for n in range(40)]
    logged = [query_log.Logged(f"Where do I renew passport number {n}?") for n in range(40)]
    found = query_drift.query_drift(logged, items, documents, retrieve.load("bm25"), "2026-07-15", draws=500)
    assert (found.far.value, found.expected.value) == (1, 0) and found.far.low > found.expected.high
    assert found.statistic == 1 and found.p < query_drift.ALPHA and len(found.reasons) == 2
    assert found.languages == (("ro", 0, 40), ("en", 40, 0), ("", 0, 0))
    assert ("passport", 40) in found.words and found.log_scores.quartiles == (0, 0, 0)


def test_one_question_asked_a_hundred_times_is_one_unit_and_shows_nothing(bench, run, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("Where do I renew my passport?\n\n" * 100, encoding="utf-8")
    code, result = run("queries", "--log", str(path))
    assert code == 0 and result["far"]["units"] == 1 and result["far"]["denominator"] == 100
    assert result["test"]["p"] is None and "not shown by 1 different" in run("queries", "--log", str(path), text=True)[1]


def test_nearness_is_inclusive_at_the_threshold_and_needs_shared_words():
    documents = corpus.Corpus((corpus.Document("a", "", "text"),), "c")
    items, logged = [gold.Item("g", "garnitura pompei", "tuning", "f")], [query_log.Logged("garnitura cazanului")]
    exact = round(float(query_drift.cosines([logged[0].question], [items[0].question])[0, 0]), 6)
    for near, far in ((exact, 0), (exact + 1e-6, 1)):
        found = query_drift.query_drift(logged, items, documents, retrieve.load("bm25"), "2026-07-15", near)
        assert found.far.numerator == far
    assert query_drift.cosines(["?!"], ["garnitura"]).tolist() == [[0]] and query_drift.cosines(["a"], ["?"]).tolist() == [[0]]


def test_the_distance_of_two_samples_is_scipys():
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = rng.integers(0, 6, rng.integers(1, 30)) / 7, rng.integers(0, 8, rng.integers(1, 30)) / 7
        assert query_drift.ks_distance(a, b) == pytest.approx(ks_2samp(a, b).statistic)


def test_a_log_is_read_as_json_lines_csv_or_text(tmp_path):
    for name, text in (
        (
            "l.jsonl",
            '{"question": "Unu?", "time": "2026-08-01T10:00:00+00:00"}\n\n{"question": "Doi?", "at": "2025-01-02", "scope": ["s"]}\n',
        ),
        ("l.csv", "ID;Question;at;scope\n1;Unu?;2026-08-01;\n2;Doi?;2025-01-02;s\n"),
        ("l.txt", "Unu?\r\n\r\nDoi?"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = query_log.read_log(tmp_path / name)
        assert [q.question for q in found] == ["Unu?", "Doi?"]
        if name != "l.txt":
            assert [(q.at, q.scope) for q in found] == [("2026-08-01", ()), ("2025-01-02", ("s",))]


def test_only_records_since_a_date_and_only_a_sample_are_read(tmp_path):
    path = tmp_path / "l.jsonl"
    write_jsonl(path, [{"question": f"Q{n}?", "time": f"2026-08-{n + 1:02}"} for n in range(20)])
    found = query_log.read_log(path, "2026-08-11")
    assert [q.question for q in found] == [f"Q{n}?" for n in range(10, 20)]
    drawn = query_log.sampled(found, 4, 1)
    assert len(drawn) == 4 and drawn == query_log.sampled(found, 4, 1) and drawn == [q for q in found if q in drawn]
    for since, said in (("2027-01-01", "no question since"), ("lately", "expected a date")):
        with pytest.raises(InputError, match=said):
            query_log.read_log(path, since)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"question": "a"}\nnot json\n{"question": "b"}\n', "line 2: not JSON"),
        ('{"question": "a"}\n{"q": "b"}\n', "object 2: `question` is missing"),
        ('{"question": 7}\n', "object 1: `question` is missing"),
        ('{"question": "\\ud800"}\n', "no text"),
        ('{"question": "\\u200b"}\n', "empty"),
        ("[1]\n", "expected an object"),
        ('{"question": "a", "at": "soon"}\n', "at 'soon'"),
        ('{"question": "a", "scope": {"x": 1}}\n', "scope {'x': 1}"),
        ('{"question": ' + "[" * 100000 + "\n", "nested too deeply"),
        ("", "no question"),
        ("\n\n", "no question"),
    ],
)
def test_a_line_that_cannot_be_read_is_one_clear_error(bench, run, tmp_path, text, said):
    path = tmp_path / "log.jsonl"
    path.write_text(text, encoding="utf-8")
    code, out = run("queries", "--log", str(path))
    assert (code, out) == (2, "")
    assert said in run.err and str(path) in run.err and run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("log.csv", "question\nCe fac, dacă plouă?\n", "line 2: more fields than the header names; quote fields that hold ','"),
        ("log.csv", 'question\n"Ce fac?\nCum fac?\n', "not CSV (unexpected end of data)"),
        ("log.json", '[{"question": "Ce fac?"}]', "JSON and not one question a line"),
        ("log.log", '{"question": "Ce fac?"}\n{"question": "Cum fac?"}\n', "JSON and not one question a line"),
        ("log.txt", "Ce fac?\0\n", "holds a zero byte"),
    ],
)
def test_a_log_that_would_be_cut_or_read_as_another_kind_is_refused(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        query_log.read_log(path)
    assert said in str(refused.value)


def test_the_kind_of_a_log_is_read_in_capitals_too_and_scopes_lose_their_blanks(tmp_path):
    (tmp_path / "LOG.CSV").write_text("\ufeffid;question;scope\r\n1;Ce fac, oare?;a | b\r\n", encoding="utf-8")
    assert query_log.read_log(tmp_path / "LOG.CSV") == [query_log.Logged("Ce fac, oare?", "", ("a", "b"))]
    (tmp_path / "log.ndjson").write_text('{"question": "Ce fac?"}\n', encoding="utf-8")
    assert query_log.read_log(tmp_path / "log.ndjson") == [query_log.Logged("Ce fac?")]


def test_how_many_permutations_fit_in_the_room_changes_no_figure(bench, run, tmp_path, monkeypatch):
    log = tmp_path / "log.txt"
    log.write_text("Când se schimbă uleiul?\nCât costă pâinea?\nCine repară liftul?\n", encoding="utf-8")
    first = run("queries", "--retriever", "bm25", "--log", str(log))[1]["test"]
    monkeypatch.setattr(query_drift, "ROOM", 1)
    assert run("queries", "--retriever", "bm25", "--log", str(log))[1]["test"] == first


def test_a_torn_last_line_is_dropped_aloud(bench, run, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"question": "Cât de des se face revizia liftului?"}\n{"quest', encoding="utf-8")
    code, result = run("queries", "--log", str(path))
    assert code == 0 and result["manifest"]["logged"] == 1
    assert "torn last line dropped" in run.err and "Warning" not in run.err


def test_nothing_in_a_logged_question_reaches_the_terminal_as_a_command(bench, run, tmp_path):
    path = tmp_path / "log.jsonl"
    write_jsonl(path, [{"question": "\x1b[2J\x07zebra\u202e " + "lung " * 500}])
    _, text = run("queries", "--log", str(path), text=True)
    assert "zebra" in text and not any(c in text for c in "\x1b\x07\u202e") and max(map(len, text.split("\n"))) < 250


def test_a_logged_question_is_asked_of_what_anyone_may_see(bench, run, tmp_path):
    question = "Codul seifului se schimbă la fiecare 90 de zile de către șeful pazei?"
    open_, closed = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write_jsonl(open_, [{"question": question, "scope": ["security"]}])
    write_jsonl(closed, [{"question": question}])
    best = [run("queries", "--log", str(p))[1]["questions"][0]["best"] for p in (open_, closed)]
    assert best[0] > best[1]


# --- embedders -------------------------------------------------------------------------------------------------


def ranked(items, ranks):
    """Ranked as a retriever would that finds each item's need at the given rank."""
    return [
        retrieval.Ranked(
            item,
            tuple("abcdefgh"),
            tuple(np.linspace(1, 0, 8).tolist()),
            tuple(frozenset([0] if n == rank else []) for n in range(1, 9)),
        )
        for item, rank in zip(items, ranks, strict=True)
    ]


@pytest.mark.parametrize(
    ("candidate", "baseline_", "verdict"),
    [([1] * 40, [1] * 10 + [7] * 30, "better"), ([1] * 10 + [7] * 30, [1] * 40, "worse"), ([1] * 40, [1] * 40, "not shown")],
)
def test_the_verdict_comes_from_the_interval(candidate, baseline_, verdict):
    items = [gold.Item(f"i{n}", "q", "tuning", f"f{n}", ((gold.Passage("a"),),)) for n in range(40)]
    found = drift.embedder_drift(ranked(items, candidate), ranked(items, baseline_), 5, 300, 1)
    assert found.verdict == verdict
    assert (len(found.won), len(found.lost)) == {"better": (30, 0), "worse": (0, 30), "not shown": (0, 0)}[verdict]


def test_a_gain_in_recall_does_not_pay_for_what_another_metric_is_shown_to_lose():
    items = [gold.Item(f"i{n}", "q", "tuning", f"f{n}", ((gold.Passage("a"),),)) for n in range(40)]
    found = drift.embedder_drift(ranked(items, [5] * 40), ranked(items, [1] * 20 + [7] * 20), 5, 300, 1)
    by_name = {d.metric: d.verdict for d in found.differences if d.group is None}
    assert by_name["recall@5"] == "better" and by_name["recall@1"] == "worse" and found.verdict == "worse"


def test_more_superseded_documents_are_worse_although_the_figure_rose():
    up = retrieval.Estimate(0.2, 8, 40, 0.1, 0.3, 40)
    assert drift.Difference("superseded@5", 5, None, up).verdict == "worse"
    assert drift.Difference("recall@5", 5, None, up).verdict == "better"


def test_a_candidate_that_is_worse_is_refused_with_exit_1_and_its_lost_items_are_listed(bench, run):
    names = [f"AB-{n}" for n in range(30)]
    for n, name in enumerate(names):
        write(bench.corpus, f"d{n:02}", "Fișa", f"Aparatul {name} se verifică la {n + 2} zile de către echipa de tură.")
    items = [
        record(f"q{n:02}", f"La câte zile se verifică {name}?", "user", [(f"d{n:02}", f"{name} se verifică")], n)
        for n, name in enumerate(names)
    ]
    write_jsonl(bench.gold, items)
    assert bench.accept("other documents") == 0
    code, result = run("embedder", "--candidate", "tfidf@words:1-untitled", "--k", "1")
    assert (code, result["verdict"], result["stale"]) == (1, "worse", [])
    assert len(result["lost"]) > 10 and {"id", "before", "now", "needs", "of"} <= set(result["lost"][0])
    roles = {(r["role"], r["metric"], r["stratum"]) for r in result["results"]}
    assert {("candidate", "recall@1", None), ("baseline", "recall@1", "part:untouched")} <= roles
    assert "verdict: worse (not accepted)" in run("embedder", "--candidate", "tfidf@words:1-untitled", "--k", "1", text=True)[1]
    better = run("embedder", "--candidate", "bm25", "--baseline-retriever", "tfidf@words:1-untitled", "--k", "1")
    assert (better[0], better[1]["verdict"]) == (0, "better")
    bench.rewrite("paza", "90 de zile", "60 de zile")
    code, text = run("embedder", "--candidate", "bm25", "--baseline-retriever", "tfidf@words:1-untitled", "--k", "1", text=True)
    assert code == 1 and "better (not accepted while the baseline is stale)" in text and "stale baseline: the documents changed" in text


def test_the_same_retriever_twice_is_no_improvement(run):
    code, result = run("embedder", "--candidate", "bm25")
    assert (code, result["verdict"], result["lost"], result["won"]) == (1, "not shown", [], [])


@pytest.mark.parametrize("options", [["--candidate", "bm26"], ["--candidate", "bm25", "--k", "0"], []])
def test_bad_usage_exits_2(bench, options, capsys):
    try:
        code = cli.main(["drift", "embedder", *bench.places, *options])
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2 and "Traceback" not in capsys.readouterr().err


def test_two_runs_give_the_same_result(bench, run, tmp_path):
    path = log_of(tmp_path / "a.jsonl", ["Când se schimbă uleiul?", "Ce pompă are garnitura?"])
    for options in (["queries", "--log", path], ["embedder", "--candidate", "tfidf"], ["corpus"]):
        first, second = ({**run(*options)[1], "manifest": None} for _ in range(2))
        assert first == second


def test_the_projects_own_baseline_is_read_and_its_documents_are_the_corpus(root):
    found = baseline.load(root / "data" / "baseline.toml")
    assert found["reason"].strip() and set(found["figures"]) == set(gold.PARTS)
    assert found["passages"]["fallen"] == []
