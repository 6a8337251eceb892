"""What a notebook stands on: its parameters, its declared inputs, and the one place where it writes.

Decides that a notebook reads only what its metadata declares (make reruns it when that changes) and writes
tables, figures and numbers into the run's folder. Started by hand, in JupyterLab, it writes to ``build/lab``.
Refuses a kernel that runs another copy of rocite or another Python than make started.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rocite import params, places
from rocite.cache import default_store
from rocite.errors import InputError
from rocite.records import sha256_of, write_atomically
from rocite.workflow import plan

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from rocite.display import Picture, Table

PLACES = 3  # figures are drawn from values rounded to this many places


class Run:
    """One execution of a notebook."""

    def __init__(self, notebook: str, values: dict[str, params.Value]):
        self.top = places.root()
        self.notebook = notebook
        self.values = values
        self.folder = Path(os.environ.get("ROCITE_RUN_DIR") or self.top / "build" / "lab")
        self.store = default_store()
        source = json.loads((self.top / "notebooks" / f"{notebook}.ipynb").read_text(encoding="utf-8"))
        self._declared = params.definitions(self.top / "notebooks" / "params" / "default.toml")
        self._inputs = plan.declared_inputs(source, values, self.top)
        self._numbers: dict = {}

    def input(self, path: str) -> Path:
        """Return the full path of an input. Raises InputError when the notebook's metadata does not declare it."""
        if path not in self._inputs:
            raise InputError(f"{self.notebook} reads {path}, which its metadata (rocite.inputs) does not declare.")
        return self.top / path

    def generator(self) -> np.random.Generator:
        """Return a random generator started from the parameter `seed`."""
        import numpy as np

        return np.random.default_rng(int(self.values["seed"]))

    def code_of(self, module: str) -> str:
        """Return the digest of a module of rocite and of all that it imports: the key of what that code has found."""
        return code_of(self.top, module)

    def table(self, name: str, frame: pd.DataFrame) -> Table:
        """Write `frame` to ``tables/NAME.csv`` and return it for display."""
        from rocite.display import Table

        write_atomically(self.folder / "tables" / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
        own = any(self.values.get(key, self._declared[key].value) != self._declared[key].value for key in plan.OWN_MATERIAL)
        return Table(frame, f"tables/{name}.csv", romanian=not own)

    def figure(self, name: str, draw, frame: pd.DataFrame, caption: str, alt: str, **settings: object) -> Picture:
        """Draw a figure from `frame` rounded to 3 places and write it as SVG and PNG beside that table.

        `draw(frame, **settings)` returns the Figure. `caption` states the finding, `alt` describes the picture.
        """
        from rocite import figures
        from rocite.display import Picture

        rounded = frame.round(PLACES)
        with figures.style():
            figure = draw(rounded, **settings)
            base = self.folder / "figures" / name
            base.parent.mkdir(parents=True, exist_ok=True)
            figures.save(figure, base)
        write_atomically(base.with_suffix(".csv"), rounded.to_csv(index=False, lineterminator="\n"))
        about = {"caption": caption, "alt": alt, "notebook": self.notebook, "parameters": self.values}
        write_atomically(base.with_suffix(".json"), json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
        settings = ", ".join(f"{k} = {v}" for k, v in self.values.items() if v != "")
        return Picture(base.with_suffix(".svg"), caption, alt, self.notebook, settings)

    def number(self, path: str, value: object, text: str | None = None, **more: object) -> None:
        """Record one number under `path` (``separation/e5/margin``).

        `text` is how prose shows it; by default floats have 3 places and None is "n/a". `more` may hold n, low,
        high, unit. Raises InputError when the path is taken.
        """
        *groups, leaf = path.split("/")
        place = self._numbers
        for group in groups:
            place = place.setdefault(group, {})
        if leaf in place:
            raise InputError(f"{self.notebook} writes the number {path} twice.")
        plain = value.item() if hasattr(value, "item") else value
        if text is None:
            text = "n/a" if plain is None else f"{plain:.{PLACES}f}" if isinstance(plain, float) else str(plain)
        place[leaf] = {"value": plain, "text": text, **{k: v.item() if hasattr(v, "item") else v for k, v in more.items()}}

    def finish(self) -> None:
        """Write the numbers: the sign that the notebook reached its end."""
        text = json.dumps(self._numbers, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
        write_atomically(self.folder / "numbers" / f"{self.notebook}.json", text + "\n")


def code_of(top: Path, module: str) -> str:
    """Return the digest of a module of rocite in the checkout `top` and of all that it imports."""
    return sha256_of(*(f"{name} {digest}" for name, digest in plan.code_digests(top / "src", [f"import {module}"]).items()))


def start(notebook: str, namespace: dict[str, object]) -> Run:
    """Start the run of `notebook`, whose parameters are read from `namespace` (its ``globals()``) and checked.

    Raises InputError for a parameter that is missing or out of range and for a kernel that is not the project's.
    """
    top = places.root()
    expected = os.environ.get("ROCITE_PYTHON")
    if expected and Path(expected).absolute() != Path(sys.executable).absolute():
        raise InputError(f"the kernel runs {sys.executable}, make started {expected}; remove the other kernelspec 'python3'.")
    declared = params.definitions(top / "notebooks" / "params" / "default.toml")
    wanted = params.declared_in(top / "notebooks" / f"{notebook}.ipynb")
    values = {}
    for name in wanted:
        if name not in namespace:
            raise InputError(f"{notebook}: the parameter {name} is not set; run the parameters cell first.")
        values[name] = declared[name].check(namespace[name], notebook)
    return Run(notebook, values)
