"""``python -m rocite.workflow.execute NOTEBOOK``: run one notebook through papermill, all or nothing.

Everything is written aside and moved into the run's folder when the notebook finished; the record that makes
it believed is written last. A failed notebook is kept as ``NAME.failed.ipynb`` and changes nothing else.
A notebook that another run already executed with the very same inputs is taken from there.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from rocite.errors import RociteError
from rocite.native import standard_error_to
from rocite.records import dumps, sha256_of_file, write_atomically
from rocite.workflow import arguments, plan

MANY_DOCUMENTS = 200
FINISHED = "numbers/{notebook}.json"  # the file that a notebook's last cell writes


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = arguments.parser("execute")
    parser.add_argument("notebook")
    given = parser.parse_args(words)
    try:
        run = arguments.run_of(given)
        step = next((s for s in plan.steps(arguments.TOP, run) if s.notebook == given.notebook), None)
        if step is None:
            raise RociteError(f"no notebook {given.notebook} in this run.")
        execute(arguments.TOP, run, step)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return 1
    return 0


def execute(top: Path, run: plan.Run, step: plan.Step) -> None:
    """Execute `step` and put what it wrote into the run's folder.

    Raises RociteError when a cell raised, when the last cell did not finish, or when another process is at it.
    """
    folder = top / "build" / run.name
    (folder / "notebooks").mkdir(parents=True, exist_ok=True)
    with open(folder / "notebooks" / f".{step.notebook}.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RociteError(f"{step.notebook} is being run by another make in build/{run.name}; let it finish.") from error
        start = time.perf_counter()
        for leftover in folder.glob(f".partial-{step.notebook}-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        partial = Path(tempfile.mkdtemp(prefix=f".partial-{step.notebook}-", dir=folder))
        try:
            how = "taken over from a run with the same inputs"
            if not _taken_over(top, run, step, partial):
                if run.own_material:
                    prepare_own_material(top, run)
                _run_notebook(top, folder, partial, step)
                how = "done"
            _put_in_place(folder, partial, step)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        print(f"{step.notebook}: {how} in {time.perf_counter() - start:.1f} s", file=sys.stderr)


def prepare_own_material(top: Path, run: plan.Run) -> None:
    """Read the reader's own documents and questions and embed them, with progress, before a kernel starts.

    What is embedded is kept at once, so that a run that was killed goes on where it was. Raises InputError for a
    document or question that cannot be used.
    """
    from rocite import corpus, embed, questions
    from rocite.cache import default_store
    from rocite.retrieve import Index

    documents = corpus.load(top / str(run.values["corpus"]))
    asked = questions.load(top / str(run.values["questions"]), documents.ids, least_of_each=5)
    if len(documents) > MANY_DOCUMENTS:
        print(
            f"{len(documents)} documents: minilm takes several times less than e5; each is kept as soon as it is embedded", file=sys.stderr
        )
    store = default_store()
    for name in dict.fromkeys([*embed.INSTALLED, str(run.values["embedder"])]):
        Index(documents, embed.load(name, store)).scores([q.question for q in asked])


def _taken_over(top: Path, run: plan.Run, step: plan.Step, partial: Path) -> bool:
    """Copy into `partial` what another run wrote with the same inputs; tell whether there was such a run."""
    for other in sorted((top / "build").iterdir()):
        manifest = plan.manifest_path(other, step.notebook)
        if other.name == run.name or not manifest.is_file() or plan.reasons(other, step):
            continue
        outputs = json.loads(manifest.read_text(encoding="utf-8"))["outputs"]
        for name in outputs:
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(other / name, partial / name)
        if all(sha256_of_file(partial / name) == digest for name, digest in outputs.items()):
            return True
    return False


def _run_notebook(top: Path, folder: Path, partial: Path, step: plan.Step) -> None:
    """Execute the source notebook into `partial`. Raises RociteError when it did not reach its end."""
    os.environ["ROCITE_RUN_DIR"] = str(partial)
    # The kernel of this very interpreter: a kernelspec that the reader installed under the same name must not win.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    os.environ["JUPYTER_DATA_DIR"] = str(partial / ".jupyter")
    os.environ.pop("JUPYTER_PATH", None)
    import papermill
    from papermill.exceptions import PapermillExecutionError

    executed = partial / "notebooks" / f"{step.notebook}.ipynb"
    executed.parent.mkdir(parents=True)
    print(f"{step.notebook}: running", file=sys.stderr)
    failure = None
    try:
        with standard_error_to(partial / ".kernel.log"):  # a kernel's start-up notes are no news to a reader
            papermill.execute_notebook(
                str(top / "notebooks" / f"{step.notebook}.ipynb"),
                str(executed),
                parameters=step.values,
                kernel_name="python3",
                cwd=str(top),
                progress_bar=False,
                request_save_on_cell_execute=False,
            )
        if not (partial / FINISHED.format(notebook=step.notebook)).is_file():
            failure = "its last cell did not write its numbers (run.finish())"
    except PapermillExecutionError as error:
        failure = f"cell {error.exec_count}: {error.ename}: {error.evalue}"
    except Exception as error:  # a kernel that died or did not start
        said = [
            line for line in (partial / ".kernel.log").read_text(errors="replace").splitlines() if line.strip() and "WARNING" not in line
        ]
        failure = f"{type(error).__name__}: {error}" + (f" (the kernel said: {said[-1]})" if said else "")
    if failure:
        kept = folder / "notebooks" / f"{step.notebook}.failed.ipynb"
        if executed.is_file():
            os.replace(executed, kept)
        raise RociteError(f"{step.notebook} failed: {failure}. The notebook with its traceback: {kept.relative_to(top)}")


def _put_in_place(folder: Path, partial: Path, step: plan.Step) -> None:
    """Move what was written into the run's folder, drop what an earlier run had and this one has not, record it."""
    manifest = plan.manifest_path(folder, step.notebook)
    try:
        before = json.loads(manifest.read_text(encoding="utf-8"))["outputs"]
    except (OSError, ValueError, KeyError, TypeError):
        before = {}
    manifest.unlink(missing_ok=True)
    files = [f for f in partial.rglob("*") if f.is_file() and not any(p.startswith(".") for p in f.relative_to(partial).parts)]
    outputs = {}
    for file in sorted(files):
        name = str(file.relative_to(partial))
        outputs[name] = sha256_of_file(file)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, folder / name)
    for name in set(before) - set(outputs):
        (folder / name).unlink(missing_ok=True)
    (folder / "notebooks" / f"{step.notebook}.failed.ipynb").unlink(missing_ok=True)
    write_atomically(manifest, dumps({"inputs": step.inputs, "outputs": outputs}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
