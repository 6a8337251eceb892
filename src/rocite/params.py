"""Parameters: declared once in ``notebooks/params/default.toml``, typed, range-checked, resolved before anything runs.

Decides which value a run uses: default, then the run's own file, then what was given on the command line.
Refuses unknown names (the nearest known one is named), wrong types and values out of range, and says that
nothing was run. Uses the standard library alone, because make reads it before the environment exists.
"""

from __future__ import annotations

import ast
import json
import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rocite.errors import InputError, UnknownNameError

_INT = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?")
_TYPES = ("int", "float", "float or fitted", "text", "file")
FITTED = "fitted"

Value = int | float | str


@dataclass(frozen=True)
class Parameter:
    """One declared parameter: default value, type, unit, inclusive range and reason."""

    name: str
    value: Value
    type: str
    unit: str
    why: str
    min: float | None = None
    max: float | None = None

    @property
    def range(self) -> str:
        """The legal values in words."""
        if self.type in ("text", "file"):
            return "text" if self.type == "text" else "a path, or empty"
        numbers = f"{self.min:g} to {self.max:g}"
        return f"{numbers}, or {FITTED}" if self.type == "float or fitted" else numbers

    def check(self, value: object, where: str) -> Value:
        """Return `value` as this parameter's type.

        Text is read as a number where the parameter is one. Raises InputError naming the legal range.
        """
        problem = InputError(f"{where}: {self.name} = {value!r}; expected {self.type}, {self.range} ({self.unit}). Nothing was run.")
        if self.type in ("text", "file"):
            if not isinstance(value, str) or "\n" in value or (self.type == "text" and not value.strip()):
                raise problem
            return value
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise problem
        if value == FITTED and self.type == "float or fitted":
            return FITTED
        if isinstance(value, str):
            pattern = _INT if self.type == "int" else _FLOAT
            if not pattern.fullmatch(value):
                raise problem
            value = int(value) if self.type == "int" else float(value)
        if self.type == "int" and not isinstance(value, int):
            raise problem
        number = value if self.type == "int" else float(value)
        if not math.isfinite(number) or not self.min <= number <= self.max:
            raise problem
        return number


def definitions(path: Path) -> dict[str, Parameter]:
    """Read the declared parameters. Raises InputError for a declaration that is incomplete or breaks its own range."""
    declared = {}
    for name, fields in _toml(path).items():
        try:
            parameter = Parameter(name, **fields)
        except TypeError as error:
            raise InputError(f"{path}: [{name}] {error}.") from error
        if parameter.type not in _TYPES:
            raise InputError(f"{path}: [{name}] has type {parameter.type!r}; expected one of {', '.join(_TYPES)}.")
        parameter.check(parameter.value, str(path))
        declared[name] = parameter
    return declared


def resolve(declared: dict[str, Parameter], overlay: Path | None = None, given: dict[str, str] | None = None) -> dict[str, Value]:
    """Return every parameter's value: defaults, then the file `overlay`, then `given` (name to text).

    Raises UnknownNameError or InputError at the first name or value that does not fit.
    """
    values: dict[str, Value] = {name: p.value for name, p in declared.items()}
    layers = [(str(overlay), _toml(overlay))] if overlay else []
    layers.append(("SET", given or {}))
    for where, layer in layers:
        for name, value in layer.items():
            if name not in declared:
                error = UnknownNameError("parameter", name, list(declared))
                raise InputError(f"{where}: {error} Nothing was run.")
            values[name] = declared[name].check(value, where)
    return values


def parse_settings(text: str) -> dict[str, str]:
    """Parse ``name=value name=value``; a name may come once.

    >>> parse_settings("min_ground=0.6 k=2")
    {'min_ground': '0.6', 'k': '2'}
    """
    given: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or not name:
            raise InputError(f"SET: {part!r}; expected name=value, several separated by spaces. Nothing was run.")
        if name in given:
            raise InputError(f"SET: {name} is given twice. Nothing was run.")
        given[name] = value
    return given


def declared_in(notebook: Path) -> dict[str, Value]:
    """Return the parameters that a notebook declares, with the literal values of its tagged cell.

    Raises InputError unless exactly one cell is tagged ``parameters`` and holds literal assignments alone.
    """
    cells = [c for c in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    tags = [c.get("metadata", {}).get("tags", []) for c in cells]
    if any("injected-parameters" in t for t in tags):
        raise InputError(f"{notebook}: this is the output of a run; run the source notebook instead.")
    tagged = [c for c, t in zip(cells, tags, strict=True) if "parameters" in t]
    if len(tagged) != 1:
        raise InputError(f"{notebook}: {len(tagged)} cells are tagged 'parameters'; expected one.")
    values: dict[str, Value] = {}
    for node in ast.parse("".join(tagged[0]["source"])).body:
        try:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            values[target.id] = ast.literal_eval(node.value)
        except (AttributeError, ValueError, TypeError) as error:
            raise InputError(f"{notebook}: the parameters cell may hold literal assignments only.") from error
    return values


def _toml(path: Path) -> dict:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: {error}. Nothing was run.") from error
