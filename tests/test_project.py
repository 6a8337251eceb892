"""The checkout as a whole: lock, conda file, notebooks, README, imports."""

import ast
import json
import re
import subprocess
import sys
import time
import tomllib

import pytest

from rocite.workflow import plan

NOTEBOOKS = [
    "01_separation",
    "02_grounding",
    "03_eori",
    "04_gates",
    "05_retrieval",
    "07_budget",
    "08_judge",
    "09_answers",
    "90_method_check",
]


def lock(root) -> dict[str, str]:
    lines = (root / "requirements.lock").read_text(encoding="utf-8").split()
    return dict(line.lower().replace("_", "-").split("==") for line in lines)


def test_the_lock_has_exact_public_versions_and_nothing_for_a_gpu(root):
    text = (root / "requirements.lock").read_text(encoding="utf-8")
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line) for line in text.split())
    assert lock(root)["torch"] == "2.13.0"
    assert not re.search(r"nvidia|cuda|triton|\+", text, re.IGNORECASE)


def test_every_dependency_of_the_project_is_in_the_lock(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(d for group in project["optional-dependencies"].values() for d in group)]
    names = {re.match(r"[A-Za-z0-9._-]+", d).group().lower() for d in wanted}
    assert names <= set(lock(root))
    assert {"jupyterlab", "sentence-transformers", "ollama", "numpy", "pandas", "seaborn", "papermill"} <= names


def test_the_conda_file_delegates_to_the_lock(root):
    import yaml

    conda = yaml.safe_load((root / "environment.yml").read_text(encoding="utf-8"))
    (pip,) = [d["pip"] for d in conda["dependencies"] if isinstance(d, dict)]
    assert pip == ["-r requirements.lock"]
    (python,) = [d for d in conda["dependencies"] if isinstance(d, str) and d.startswith("python=")]
    assert python in ("python=3.11", "python=3.12", "python=3.13")


@pytest.mark.parametrize("package", ["jupyterlab", "sentence_transformers", "ollama", "numpy", "pandas", "seaborn", "papermill"])
def test_every_given_package_is_used(root, package):
    files = [*(root / "src").rglob("*.py"), root / "Makefile"]
    used = "\n".join(f.read_text(encoding="utf-8") for f in files)
    pattern = r"-m jupyter lab" if package == "jupyterlab" else rf"^\s*(?:import|from) {package}\b"
    assert re.search(pattern, used, re.MULTILINE)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_source_notebook_is_stripped_and_in_the_house_order(root, name):
    notebook = json.loads((root / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    code = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    assert all(not c["outputs"] and c["execution_count"] is None for c in code)
    assert len({c["id"] for c in notebook["cells"]}) == len(notebook["cells"])
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    title = "".join(notebook["cells"][0]["source"])
    assert title.startswith("# ") and "?" in title
    assert code[0]["metadata"]["tags"] == ["parameters"]
    assert "runs.start" in "".join(code[1]["source"])
    assert "run.finish()" in "".join(code[-1]["source"]) and "assert " in "".join(code[-1]["source"])
    for cell in code:
        nodes = list(ast.walk(ast.parse("".join(cell["source"]))))
        assert not any(isinstance(n, ast.FunctionDef | ast.ClassDef) for n in nodes)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_declares_inputs_that_exist(root, name):
    notebook = json.loads((root / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert notebook["metadata"]["rocite"]["inputs"]
    assert all((root / path).exists() for path in notebook["metadata"]["rocite"]["inputs"])


def test_every_module_that_a_notebook_needs_is_among_its_inputs(root):
    run = plan.resolve_run(root, "", "", {})
    eori = next(s for s in plan.steps(root, run) if s.notebook == "03_eori")
    assert {"code rocite.text", "code rocite.gates.grounding", "code rocite.generate.llama", "code rocite.citations"} <= set(eori.inputs)


def test_importing_rocite_is_quick_and_loads_nothing(root):
    start = time.perf_counter()
    code = "import sys, rocite, rocite.cli; print([m for m in ('torch', 'numpy', 'pandas', 'sklearn', 'ollama') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert time.perf_counter() - start < 3


def test_no_module_touches_a_file_or_a_model_when_it_is_imported(root):
    drawing = {"report", "figures"}
    light = [f for f in (root / "src" / "rocite").rglob("*.py") if f.parent.name not in drawing and f.name != "__main__.py"]
    names = [".".join(f.relative_to(root / "src").with_suffix("").parts).removesuffix(".__init__") for f in light]
    code = f"import importlib, sys\nfor n in {names!r}: importlib.import_module(n)\nprint('torch' in sys.modules, 'xllamacpp' in sys.modules, 'matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout.strip() == "False False False"


def test_dependencies_point_one_way(root):
    allowed_below = {
        "text": {"stopwords"},
        "records": {"errors"},
        "language": {"text", "stopwords", "language"},
        "gates": {"text", "citations", "language", "gates", "check"},
        "citations": {"text"},
    }
    for path in (root / "src" / "rocite").rglob("*.py"):
        room = path.relative_to(root / "src" / "rocite").parts[0].removesuffix(".py")
        if room not in allowed_below:
            continue
        imported = {
            m.split(".")[1] for m in re.findall(r"^(?:from|import) (rocite\.[a-z_.]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        }
        assert imported <= allowed_below[room] - {"check"}, path


def test_romanian_in_the_project_is_written_with_commas_below(root):
    for folder in ("corpus", "data/questions", "notebooks"):
        for path in (root / folder).rglob("*"):
            if path.is_file():
                assert not re.search("[şţŞŢ]", path.read_text(encoding="utf-8")), path


def test_every_number_of_the_readme_is_generated(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    marked = re.findall(r"<!--n:([^>]+)-->(.*?)<!--/n-->", text)
    assert len(marked) > 10
    assert all(shown not in ("", "?") for _, shown in marked)
    bare = re.sub(r"<!--n:[^>]+-->.*?<!--/n-->", "", text)
    table = [line for line in bare.splitlines() if line.startswith("|")]
    assert not any(re.search(r"\d\.\d{2,}", line) for line in table), "a measured number is typed into the README's table"
