"""Make itself, in a throw-away copy of the checkout that uses the installed environment."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_make_builds_the_tables_figures_and_numbers(clone):
    numbers = clone.numbers()
    assert numbers["separation"]["e5"]["margin"]["value"] < 0
    assert [numbers["grounding"][k]["text"] for k in ("exact", "prefix", "ungrounded")] == ["0.50", "0.83", "0.00"]
    assert numbers["eori"]["ungrounded"]["right"]["value"] in (True, False)
    assert numbers["eori"]["grounded"]["verdict"]["value"] in ("accepted", "refused", "abstained")
    assert numbers["published"]["separation"]["margin"]["value"] == -0.076
    built = clone.built()
    assert {"tables/cases.csv", "figures/populations.svg", "figures/populations.png", "audit/03_eori.jsonl"} <= set(built)


def test_a_second_make_runs_nothing_and_says_so_quickly(clone):
    start = time.perf_counter()
    second = clone.make()
    assert second.returncode == 0
    assert "running" not in second.stderr
    assert time.perf_counter() - start < 5
    assert clone.make("-q").returncode == 0


def test_a_touched_file_with_the_same_content_makes_nothing_run(clone):
    (clone.folder / "src" / "rocite" / "text.py").touch()
    (clone.folder / "notebooks" / "02_grounding.ipynb").touch()
    assert clone.make("-q").returncode == 0


def test_a_changed_module_makes_only_what_imports_it_run(clone):
    path = clone.folder / "src" / "rocite" / "evaluate" / "grounding.py"
    before = path.read_text(encoding="utf-8")
    path.write_text(before + "\n# another byte\n", encoding="utf-8")
    try:
        plan = clone.make("plan").stdout
        assert "02_grounding: runs" in plan and "code rocite.evaluate.grounding changed" in plan
        assert "01_separation: up to date" in plan
        assert clone.make("-q").returncode == 1
        listed = clone.make("-n").stdout
        assert "execute 02_grounding" in listed and "execute 01_separation" not in listed
    finally:
        path.write_text(before, encoding="utf-8")
    assert clone.make("-q").returncode == 0


def test_another_threshold_gets_its_own_folder_and_changes_decisions(clone):
    before = clone.built()
    start = time.perf_counter()
    run = clone.make("figures", "SET=min_ground=0.9")
    assert run.returncode == 0, run.stderr
    assert time.perf_counter() - start < 60
    assert "01_separation: taken over" in run.stderr
    assert clone.built() == before, "the default's results were touched"
    (folder,) = (clone.folder / "build").glob("default-????????")
    assert f"run {folder.name}: min_ground=0.9" in run.stderr
    changed, default = clone.numbers(folder.name), clone.numbers()
    assert changed["grounding_sweep"]["prefix_6"]["inflected"]["value"] < default["grounding_sweep"]["prefix_6"]["inflected"]["value"]
    assert changed["separation"] == default["separation"]


def test_a_default_value_given_by_hand_is_the_default_run(clone):
    assert clone.make("-q", "SET=min_ground=0.5").returncode == 0


def test_a_named_parameter_file_is_a_run_of_that_name(clone):
    plan = clone.make("plan", "RUN=demanding")
    assert "run demanding: " in plan.stdout and "min_ground=0.7" in plan.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["SET=min_grund=0.6"], "Did you mean 'min_ground'?"),
        (["SET=min_ground=1.5"], "0 to 1"),
        (["SET=min_ground=high"], "expected float"),
        (["SET=k=2.5"], "expected int"),
        (["SET=k=nan"], "expected int"),
        (["SET=k"], "expected name=value"),
        (["SET=k=2 k=3"], "given twice"),
        (["EMBEDDER=e5", "SET=embedder=minilm"], "given twice"),
        (["RUN=nosuchrun"], "no file notebooks/params/nosuchrun.toml"),
        (["RUN=../x", "SET=k=2"], "expected letters"),
        (["CORPUS=no/such/folder"], "no such file or folder"),
    ],
)
def test_a_wrong_parameter_stops_before_anything_runs(clone, arguments, said):
    folders = set((clone.folder / "build").iterdir())
    failed = clone.make(*arguments)
    assert failed.returncode == 2
    assert said in failed.stderr and "Nothing was run" in failed.stderr
    assert set((clone.folder / "build").iterdir()) == folders


def test_a_shell_metacharacter_in_a_value_stays_text(clone):
    failed = clone.make("EMBEDDER=e5'; touch pwned; '", "plan")
    assert not (clone.folder / "pwned").exists()
    assert failed.returncode == 0  # any text is a name until it is loaded


def test_a_cell_that_raises_fails_keeps_the_old_results_and_the_traceback(clone):
    path = clone.folder / "notebooks" / "02_grounding.ipynb"
    source, before = path.read_text(encoding="utf-8"), clone.built()
    path.write_text(source.replace("run.finish()", "raise ValueError('on purpose')"), encoding="utf-8")
    try:
        for _ in range(2):  # a failed run never looks finished, not even the second time
            failed = clone.make()
            assert failed.returncode == 2
            assert "02_grounding failed" in failed.stderr and "ValueError: on purpose" in failed.stderr
            assert "Traceback" in (clone.folder / "build/default/notebooks/02_grounding.failed.ipynb").read_text(encoding="utf-8")
        after = clone.built()
        after.pop("notebooks/02_grounding.failed.ipynb")
        assert after == before
    finally:
        path.write_text(source, encoding="utf-8")
    assert clone.make("-q").returncode == 0, "the restored notebook is what its results were made from"


def test_a_notebook_that_does_not_finish_is_a_failure(clone):
    path = clone.folder / "notebooks" / "02_grounding.ipynb"
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace("run.finish()", "pass"), encoding="utf-8")
    try:
        failed = clone.make()
        assert failed.returncode == 2 and "did not write its numbers" in failed.stderr
    finally:
        path.write_text(source, encoding="utf-8")


def test_a_missing_or_changed_result_is_made_again(clone):
    folder = clone.folder / "build" / "default"
    before = (folder / "tables" / "three_scores.csv").read_bytes()
    (folder / "tables" / "three_scores.csv").write_text("0.50 was typed here\n", encoding="utf-8")
    (folder / "figures" / "prefix_sweep.svg").unlink()
    plan = clone.make("plan").stdout
    assert "tables/three_scores.csv was changed" in plan and "figures/prefix_sweep.svg is missing" in plan
    again = clone.make()
    assert again.returncode == 0, again.stderr
    assert (folder / "tables" / "three_scores.csv").read_bytes() == before
    assert (folder / "figures" / "prefix_sweep.svg").exists()


def test_two_notebooks_side_by_side_give_what_one_after_the_other_gives(clone):
    before = {k: v for k, v in clone.built().items() if k.startswith(("tables/", "figures/")) and k not in TIMED}
    shutil.rmtree(clone.folder / "build" / "default")
    for other in (clone.folder / "build").glob("default-*"):
        shutil.rmtree(other)
    run = clone.make("-j2")
    assert run.returncode == 0, run.stderr
    assert {k: v for k, v in clone.built().items() if k.startswith(("tables/", "figures/")) and k not in TIMED} == before


# the record's own random id; what a judgement took; the date of the run
TIMED = {"tables/record_eori.csv", "tables/time.csv", "tables/assessment_manifest.csv"}


def test_help_and_clean_start_no_python(clone, tmp_path):
    for target in ("help", "clean"):
        done = subprocess.run(
            ["make", target, "PYTHON=/no/such/python", "VENV=/no/such/venv"],
            cwd=tmp_path_copy(clone, tmp_path),
            env=clone.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert not done.stderr


def tmp_path_copy(clone, tmp_path: Path) -> Path:
    shutil.copyfile(clone.folder / "Makefile", tmp_path / "Makefile")
    return tmp_path


def test_another_python_version_stops_with_one_sentence(root):
    code = "import sys, runpy; sys.version_info = (3, 10, 2); sys.argv = ['x']; runpy.run_module('rocite.workflow.resolve', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(root / "src")})
    assert done.returncode == 1
    assert done.stderr.strip() == "rocite: Python 3.11 to 3.13 is needed, this is 3.10.2; name one with make PYTHON=python3.12"


def test_make_test_refuses_another_copy_of_the_package(clone, tmp_path):
    (tmp_path / "rocite").mkdir()
    (tmp_path / "rocite" / "__init__.py").write_text("", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/test_text.py"],
        cwd=clone.folder,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert "another copy of rocite" in done.stderr + done.stdout


def test_a_killed_make_leaves_nothing_half_believed_and_the_next_one_finishes(clone):
    for other in (clone.folder / "build").glob("default*"):
        shutil.rmtree(other)
    command = ["make", f"VENV={sys.prefix}", "SET=min_ground=0.55"]
    for wait in (1.5, 4.0):
        process = subprocess.Popen(
            command, cwd=clone.folder, env=clone.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert clone.make("-q", "SET=min_ground=0.55").returncode == 1
    again = clone.make("SET=min_ground=0.55")
    assert again.returncode == 0, again.stderr
    (folder,) = (clone.folder / "build").glob("default-????????")
    assert not list(folder.glob(".partial-*")), "what the killed run left is cleared away"
    assert clone.make("-q", "SET=min_ground=0.55").returncode == 0
    assert clone.make().returncode == 0


def test_own_documents_get_the_separation_chapter_and_a_page(clone):
    done = clone.make("RUN=example", "CORPUS=corpus/example", "QUESTIONS=data/questions/example.csv")
    assert done.returncode == 0, done.stderr
    numbers = clone.numbers("example")
    assert numbers["separation"]["e5"]["auroc"]["low"] <= numbers["separation"]["e5"]["auroc"]["value"]
    assert "grounding" not in numbers and "eori" not in numbers
    page = (clone.folder / "build" / "example" / "site" / "index.html").read_text(encoding="utf-8")
    assert "Your documents, your questions" in page
    chapter = (clone.folder / "build" / "example" / "site" / "01_separation.html").read_text(encoding="utf-8")
    assert "about four times as many subjects" in chapter
    assert "these questions" in (clone.folder / "build" / "example" / "tables" / "gate_a.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.replace(";in;borrowing;loans\nq02", ";inside;borrowing;loans\nq02").encode(), "label 'inside'; expected 'in'"),
        (lambda t: t.replace("borrowing", "borowing").encode(), "docs names 'borowing', which is no document of the corpus"),
        (lambda t: t.replace("Can children swim", "Pot înota copiii").encode("cp1250"), "not UTF-8"),
        (lambda t: "\n".join(t.splitlines()[:15]).encode(), "4 questions labelled 'out'; at least 5 of each are needed"),
        (lambda t: t.replace(";out;", ";in;").encode(), "0 questions labelled 'out'"),
        (lambda t: (t + "q21;Where do I book a tennis court?;out;;again\n").encode(), "stands already at"),
    ],
    ids=["label", "document", "encoding", "few", "one label", "repeated"],
)
def test_a_question_file_that_cannot_be_used_is_one_clear_error(clone, tmp_path, change, said):
    text = (clone.folder / "data" / "questions" / "example.csv").read_text(encoding="utf-8-sig")
    (tmp_path / "q.csv").write_bytes(change(text))
    failed = clone.make("RUN=broken", "CORPUS=corpus/example", f"QUESTIONS={tmp_path / 'q.csv'}")
    assert failed.returncode == 2
    (line,) = [s for s in failed.stderr.splitlines() if s.startswith("rocite: ")]
    assert said in line and "q.csv" in line


def test_a_sweep_judges_every_value_from_recorded_scores(clone):
    done = clone.make("sweep", "PARAM=min_ground", "VALUES=0.9 0.3")
    assert done.returncode == 0, done.stderr
    lines = (clone.folder / "build" / "sweep" / "min_ground.csv").read_text(encoding="utf-8").splitlines()
    header = lines[0].split(",")
    rows = [dict(zip(header, line.split(","), strict=True)) for line in lines[1:]]
    assert [r["min_ground"] for r in rows] == ["0.3", "0.9"]
    assert float(rows[0]["wrong answers let through"]) > float(rows[1]["wrong answers let through"])
    assert float(rows[0]["true sentences refused"]) < float(rows[1]["true sentences refused"])
    assert (clone.folder / "build" / "sweep" / "min_ground.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"), [(["PARAM=min_grund", "VALUES=0.3"], "min_ground"), (["PARAM=min_ground", "VALUES=3"], "0 to 1")]
)
def test_a_sweep_over_what_does_not_exist_is_one_clear_error(clone, arguments, said):
    failed = clone.make("sweep", *arguments)
    assert failed.returncode == 2 and said in failed.stderr and "Traceback" not in failed.stderr


def test_verify_tells_ok_and_fails_on_a_wrong_number(clone):
    good = clone.make("verify")
    assert good.returncode == 0, good.stdout
    assert "0 fail" in good.stdout and "OK     grounding/prefix" in good.stdout
    path = clone.folder / "data" / "expected.toml"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("value = 0.8333333333333334", "value = 0.9"), encoding="utf-8")
    try:
        bad = clone.make("verify")
        assert bad.returncode == 2 and "FAIL   grounding/prefix" in bad.stdout
    finally:
        path.write_text(before, encoding="utf-8")


@pytest.mark.parametrize("place", ["/", "notebooks"])
def test_a_notebook_run_by_hand_gives_the_published_result_from_any_folder(clone, tmp_path, place):
    shutil.rmtree(clone.folder / "build" / "lab", ignore_errors=True)
    environment = {**clone.environment, "PYTHONPATH": str(clone.folder / "src")}
    environment.pop("ROCITE_RUN_DIR", None)
    source, out = clone.folder / "notebooks" / "02_grounding.ipynb", tmp_path / "out.ipynb"
    command = [sys.executable, "-m", "papermill", "--no-progress-bar", "--cwd", str(clone.folder / place), str(source), str(out)]
    subprocess.run(command, env=environment, check=True, capture_output=True, cwd=tmp_path)
    by_hand = {f.name: f.read_bytes() for f in (clone.folder / "build" / "lab" / "tables").iterdir()}
    made = {name: (clone.folder / "build" / "default" / "tables" / name).read_bytes() for name in by_hand}
    assert len(by_hand) >= 5 and by_hand == made


def test_a_kernel_that_dies_is_a_failure_and_nothing_is_half_written(clone):
    path = clone.folder / "notebooks" / "02_grounding.ipynb"
    source, before = path.read_text(encoding="utf-8"), clone.built()
    path.write_text(source.replace("run.finish()", "import os; os._exit(7)"), encoding="utf-8")
    try:
        failed = clone.make()
        assert failed.returncode == 2 and "02_grounding failed" in failed.stderr and "DeadKernelError" in failed.stderr
        after = clone.built()
        after.pop("notebooks/02_grounding.failed.ipynb", None)
        assert after == before
    finally:
        path.write_text(source, encoding="utf-8")
    assert clone.make().returncode == 0


def test_figures_alone_are_built_without_the_write_up(clone):
    shutil.rmtree(clone.folder / "build" / "default" / "site")
    assert clone.make("figures").returncode == 0
    assert not (clone.folder / "build" / "default" / "site").exists()
    assert clone.make("writeup").returncode == 0
    assert (clone.folder / "build" / "default" / "site" / "index.html").exists()
