"""What a run is made of, and what of it has to run: read by make while it reads the makefile.

Decides by content: a notebook is stale when its parameters, its source, the modules it imports, the data it
declares or the lock file differ from what its last finished run recorded, or when a file that run wrote is
missing or was changed. Times of files play no part. Standard library alone; writes nothing.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

from rocite import params
from rocite.errors import InputError
from rocite.records import dumps, sha256_of, sha256_of_file

OWN_MATERIAL = ("corpus", "questions")  # a run with its own documents has the notebooks that read them
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}")
_RESERVED = {"cache", "audit", "lab", "compare", "sweep"}


@dataclass(frozen=True)
class Run:
    """One run: its folder's name, every parameter's value, and what differs from the default."""

    name: str
    values: dict[str, params.Value]
    changed: dict[str, params.Value]

    @property
    def own_material(self) -> list[str]:
        """The names of the parameters that name the reader's own documents or questions."""
        return [name for name in OWN_MATERIAL if name in self.changed]

    @property
    def described(self) -> str:
        """The run in words, for one line on the terminal."""
        changes = ", ".join(f"{k}={v}" for k, v in self.changed.items())
        return f"run {self.name}: {changes or 'default parameters'}"


def resolve_run(top: Path, name: str, settings: str, variables: dict[str, str]) -> Run:
    """Return the run that ``RUN=name SET="settings" EMBEDDER=...`` means.

    `variables` are parameters given by make variables of their own, empty where not given.
    Raises InputError for a name or value that does not fit, and for a run name that nothing sets apart.
    """
    folder = top / "notebooks" / "params"
    declared = params.definitions(folder / "default.toml")
    given = params.parse_settings(settings)
    for key, value in variables.items():
        if value:
            if key in given:
                raise InputError(f"{key} is given twice, by SET and by {key.upper()}. Nothing was run.")
            given[key] = value
    if name and (not _RUN_NAME.fullmatch(name) or name in _RESERVED):
        raise InputError(f"RUN={name!r}: expected letters, digits, - and _, and none of {', '.join(sorted(_RESERVED))}. Nothing was run.")
    overlay = folder / f"{name}.toml" if name and name != "default" and (folder / f"{name}.toml").is_file() else None
    if name and name != "default" and not overlay and not given:
        known = sorted(f.stem for f in folder.glob("*.toml"))
        raise InputError(
            f"RUN={name}: no file notebooks/params/{name}.toml (known: {', '.join(known)}) and no variable to set it apart. Nothing was run."
        )
    values = params.resolve(declared, overlay, given)
    for key, parameter in declared.items():
        if parameter.type == "file" and values[key] and not (top / str(values[key])).exists():
            raise InputError(f"{key.upper()}={values[key]}: no such file or folder. Nothing was run.")
    base = params.resolve(declared, overlay)
    changed = {k: v for k, v in values.items() if v != declared[k].value}
    differs = {k: v for k, v in values.items() if v != base[k]}
    base_name = name or "default"
    named_by_reader = bool(name) and name != "default" and not overlay
    if differs and not named_by_reader:
        base_name += "-" + sha256_of(dumps(differs)).removeprefix("sha256:")[:8]
    return Run(base_name, values, changed)


@dataclass(frozen=True)
class Step:
    """One notebook of a run: the values it declares and everything that shapes what it writes."""

    notebook: str
    values: dict[str, params.Value]
    inputs: dict[str, str]


def steps(top: Path, run: Run) -> list[Step]:
    """Return the run's notebooks in order.

    Raises InputError when a notebook declares a parameter that default.toml does not have.
    """
    lock = sha256_of_file(top / "requirements.lock") if (top / "requirements.lock").exists() else "absent"
    own = run.own_material
    found = []
    for path in sorted((top / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        literals = params.declared_in(path)
        unknown = sorted(set(literals) - set(run.values))
        if unknown:
            raise InputError(f"{path}: declares {unknown[0]!r}, which notebooks/params/default.toml does not have.")
        if own and not set(own) & set(literals):
            continue
        values = {name: run.values[name] for name in literals}
        notebook = json.loads(path.read_text(encoding="utf-8"))
        code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
        inputs = {f"parameter {k}": dumps(v) for k, v in values.items()}
        inputs["notebook"] = sha256_of(dumps([[c["cell_type"], "".join(c["source"])] for c in notebook["cells"]]))
        inputs["lock"] = lock
        inputs |= {f"code {name}": digest for name, digest in code_digests(top / "src", code).items()}
        for data in declared_inputs(notebook, values, top):
            inputs[f"data {data}"] = content_hash(top / data)
        found.append(Step(path.stem, values, inputs))
    return found


def declared_inputs(notebook: dict, values: dict[str, params.Value], top: Path) -> list[str]:
    """Return the paths of data that a notebook declares in its metadata, and those its parameters name."""
    declared = params.definitions(top / "notebooks" / "params" / "default.toml")
    named = [str(values[k]) for k in values if declared[k].type == "file" and values[k]]
    return sorted({*notebook.get("metadata", {}).get("rocite", {}).get("inputs", []), *named})


def content_hash(path: Path) -> str:
    """Return the hash of a file, or of the names and contents of the files below a folder; "absent" for neither."""
    if path.is_file():
        return sha256_of_file(path)
    if not path.is_dir():
        return "absent"
    files = sorted(f for f in path.rglob("*") if f.is_file() and not f.name.startswith("."))
    return sha256_of(*(part for f in files for part in (str(f.relative_to(path)), sha256_of_file(f))))


def code_digests(source: Path, code: list[str]) -> dict[str, str]:
    """Return the hash of every rocite module that `code` imports, and of the folders of data (word lists) beside them."""
    modules = imported_modules(source, code)
    found = {name: sha256_of_file(file) for name, file in modules.items()}
    for folder in sorted({f for file in modules.values() for f in file.parent.iterdir() if f.is_dir()}):
        if folder.name != "__pycache__" and not any(folder.glob("*.py")):
            found[".".join(folder.relative_to(source).parts)] = content_hash(folder)
    return dict(sorted(found.items()))


def imported_modules(source: Path, code: list[str]) -> dict[str, Path]:
    """Return the rocite modules that `code` imports, directly or through one another, wherever the import stands."""
    found: dict[str, Path] = {}
    waiting = [name for text in code for name in _imports(text, "")]
    while waiting:
        name = waiting.pop()
        base = source / Path(*name.split("."))
        file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        if name in found or not file.is_file():
            continue
        found[name] = file
        waiting += _imports(file.read_text(encoding="utf-8"), name)
        if "." in name:
            waiting.append(name.rpartition(".")[0])
    return found


def _imports(code: str, module: str) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names += [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
    return [n for n in names if n == "rocite" or n.startswith("rocite.")]


def manifest_path(folder: Path, notebook: str) -> Path:
    """Where a finished notebook's record lies in a run's folder."""
    return folder / "notebooks" / f"{notebook}.done.json"


def reasons(folder: Path, step: Step) -> list[str]:
    """Return why `step` has to run in `folder`; empty when its last run still holds."""
    path = manifest_path(folder, step.notebook)
    try:
        done = json.loads(path.read_text(encoding="utf-8"))
        before, outputs = done["inputs"], done["outputs"]
    except FileNotFoundError:
        return ["it has not run yet"]
    except (OSError, ValueError, KeyError, TypeError):
        return ["the record of its last run is damaged"]
    why = []
    for name in sorted(before.keys() | step.inputs.keys()):
        old, new = before.get(name), step.inputs.get(name)
        if old == new:
            continue
        if name.startswith("parameter ") and old is not None and new is not None:
            why.append(f"{name}: {old} -> {new}")
        else:
            why.append(f"{name} {'is new' if old is None else 'is gone' if new is None else 'changed'}")
    for name, digest in outputs.items():
        file = folder / name
        if not file.is_file():
            why.append(f"{name} is missing")
        elif sha256_of_file(file) != digest:
            why.append(f"{name} was changed")
    return why
