"""Verify, compare and sweep: from what runs wrote, with hand-made numbers."""

import json

import pytest

from rocite.errors import InputError
from rocite.workflow import collect, compare, plan, verify


@pytest.mark.parametrize(
    ("value", "state"),
    [(0.50, "OK"), (0.51, "OK"), (0.5300, "close"), (0.5301, "FAIL"), (None, "FAIL")],
)
def test_a_number_is_ok_close_or_failing_by_its_tolerance(value, state):
    assert verify.verdict("a", {"value": 0.5, "tolerance": 0.01, "reason": "r"}, value)[0] == state


def test_an_exact_number_is_never_close():
    assert verify.verdict("a", {"value": 0.5, "tolerance": 0, "reason": "r"}, 0.5)[0] == "OK"
    assert verify.verdict("a", {"value": 0.5, "tolerance": 0, "reason": "r"}, 0.5001)[0] == "FAIL"
    assert verify.verdict("a", {"value": False, "tolerance": 0, "reason": "r"}, 0.0)[0] == "OK"
    assert verify.verdict("a", {"value": "accepted", "tolerance": 0, "reason": "r"}, "refused")[0] == "FAIL"


def test_an_expected_number_without_a_reason_is_refused(tmp_path):
    (tmp_path / "expected.toml").write_text('["a/b"]\nvalue = 1\ntolerance = 0\n', encoding="utf-8")
    with pytest.raises(InputError, match="a/b needs value, tolerance and reason"):
        verify.load(tmp_path / "expected.toml")


def test_the_shipped_expectations_are_complete(root):
    expected = verify.load(root / "data" / "expected.toml")
    assert {"separation/e5/margin", "grounding/exact", "grounding/prefix", "grounding/ungrounded", "eori/grounded/verdict"} <= set(expected)


def run_folder(build, name, margin, verdicts):
    folder = build / name
    (folder / "tables").mkdir(parents=True)
    (folder / "numbers.json").write_text(json.dumps({"a": {"margin": {"value": margin, "text": str(margin)}}}), encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps({"parameters": {"min_ground": margin, "k": 3}}), encoding="utf-8")
    rows = [f"m,c,{n},123,q,{v},{'' if v == 'accepted' else 'grounding'},{v}" for n, v in enumerate(verdicts)]
    (folder / "tables" / "replays.csv").write_text(
        "\n".join(["model,case,phrasing,order,question,verdict,gate,outcome", *rows]), encoding="utf-8"
    )


def test_a_comparison_names_what_moved_and_nothing_else(tmp_path, capsys):
    run_folder(tmp_path, "one", 0.5, ["accepted", "accepted"])
    run_folder(tmp_path, "two", 0.7, ["accepted", "refused"])
    folder = compare.compare(tmp_path, "one", "two")
    assert (folder / "parameters.csv").read_text(encoding="utf-8") == "parameter,one,two\nmin_ground,0.5,0.7\n"
    assert (folder / "numbers.csv").read_text(encoding="utf-8") == "number,one,two\na/margin,0.5,0.7\n"
    (_, row) = (folder / "verdicts.csv").read_text(encoding="utf-8").splitlines()
    assert row == "m,c,1,123,q,accepted,,refused,grounding,accepted -> refused"
    assert "<h2>Answers with another verdict (1)</h2>" in (folder / "index.html").read_text(encoding="utf-8")


def test_a_run_with_itself_has_no_changed_verdict(tmp_path):
    run_folder(tmp_path, "one", 0.5, ["accepted", "refused"])
    run_folder(tmp_path, "same", 0.5, ["accepted", "refused"])
    folder = compare.compare(tmp_path, "one", "same")
    assert "<p>None.</p>" in (folder / "index.html").read_text(encoding="utf-8")


def test_a_run_that_was_not_made_is_named(tmp_path):
    run_folder(tmp_path, "one", 0.5, ["accepted"])
    with pytest.raises(InputError, match="build/two has no numbers.json.*make RUN=two"):
        compare.compare(tmp_path, "one", "two")


def test_two_runs_are_needed_to_compare(capsys):
    assert compare.main(["default"]) == 2
    assert "expected two runs" in capsys.readouterr().err


def test_own_documents_run_the_chapters_that_read_them_and_no_other(root):
    run = plan.resolve_run(root, "mine", "", {"corpus": "corpus/example", "questions": "data/questions/example.csv"})
    assert run.name == "mine"
    assert [s.notebook for s in plan.steps(root, run)] == ["01_separation"]


def test_a_manifest_names_the_options_of_its_own_run(root):
    run = plan.resolve_run(root, "", "max_tokens=7 context=512 seed=5", {})
    options = collect.run_manifest(root, run)["generator"]["options"]
    assert (options["max_tokens"], options["context"], options["seed"]) == (7, 512, 5)
