"""``python -m rocite.workflow.collect``: gather a run's numbers into ``numbers.json``, name the run, publish figures.

Published figures (``figures/``) come from the default run alone, and one is replaced only when the rounded
table it is drawn from changed: another machine's last digits are no news.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from rocite import corpus, embed, generate
from rocite.cache import default_store
from rocite.errors import RociteError
from rocite.manifest import manifest
from rocite.records import sha256_of_file, write_atomically
from rocite.workflow import arguments, plan

FIGURE_FILES = (".csv", ".json", ".svg", ".png")


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = arguments.parser("collect").parse_args(words)
    top = arguments.TOP
    try:
        run = arguments.run_of(given)
        folder = top / "build" / run.name
        collect_numbers(folder, [s.notebook for s in plan.steps(top, run)])
        about = run_manifest(top, run)
        write_atomically(folder / "manifest.json", json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
        if run.name == "default":
            for name in publish_figures(folder / "figures", top / "figures"):
                print(f"figures/{name}: its table changed; published anew", file=sys.stderr)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return 1
    return 0


def run_manifest(top: Path, run: plan.Run) -> dict:
    """Return what the run was made of: parameters, models, corpus, lock, code, packages, machine, date."""
    store = default_store()
    names = [*embed.INSTALLED, str(run.values["embedder"])]
    return manifest(
        run=run.name,
        changed=run.changed,
        own_material=run.own_material,
        parameters=run.values,
        embedders={name: embed.load(name, store).identity for name in dict.fromkeys(names)},
        generator=generate.load(str(run.values["generator"]), generate.Options.of(run.values), store).identity,
        corpus={str(run.values["corpus"]): corpus.load(top / str(run.values["corpus"])).digest},
        lock=sha256_of_file(top / "requirements.lock"),
    )


def collect_numbers(folder: Path, notebooks: list[str]) -> None:
    """Write ``numbers.json``: the numbers of all notebooks in one nested object.

    Raises RociteError when a notebook's numbers are missing or two notebooks write the same one.
    """
    merged: dict = {}
    for name in notebooks:
        path = folder / "numbers" / f"{name}.json"
        try:
            merge(merged, json.loads(path.read_text(encoding="utf-8")), name)
        except OSError as error:
            raise RociteError(f"{path}: missing; run make again.") from error
    write_atomically(folder / "numbers.json", json.dumps(merged, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def merge(into: dict, numbers: dict, whose: str) -> None:
    """Merge nested `numbers` into `into`. Raises RociteError when a leaf stands there already."""
    for key, value in numbers.items():
        if key not in into:
            into[key] = value
        elif isinstance(value, dict) and "value" not in value and "value" not in into[key]:
            merge(into[key], value, whose)
        else:
            raise RociteError(f"{whose} writes the number {key!r} that another notebook wrote.")


def publish_figures(built: Path, published: Path) -> list[str]:
    """Copy every figure whose rounded table differs from the published one; return their names."""
    changed = []
    for table in sorted(built.glob("*.csv")):
        stem = table.stem
        complete = all((published / f"{stem}{suffix}").is_file() for suffix in FIGURE_FILES)
        if complete and (published / table.name).read_bytes() == table.read_bytes():
            continue
        published.mkdir(exist_ok=True)
        for suffix in FIGURE_FILES:
            shutil.copyfile(built / f"{stem}{suffix}", published / f"{stem}{suffix}")
        changed.append(stem)
    return changed


if __name__ == "__main__":
    sys.exit(main())
