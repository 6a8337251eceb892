"""``python -m rocite.workflow.compare RUN RUN``: two runs side by side, as tables and as a page.

Which parameters differ, which numbers moved, and which recorded answers got another verdict. Reads what the two
runs wrote and runs nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rocite.errors import InputError, RociteError
from rocite.records import read_text, write_atomically
from rocite.workflow import arguments

_KEY = ["model", "case", "phrasing", "order"]
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; color: #222; }}
.table-wrap {{ overflow-x: auto; }} table {{ border-collapse: collapse; }} td, th {{ padding: 0.3rem 0.6rem; text-align: left;
vertical-align: top; border-bottom: 1px solid #ddd; }}
</style></head><body><h1>{title}</h1>{body}</body></html>
"""


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    names = sys.argv[1:] if words is None else words
    try:
        if len(names) != 2 or names[0] == names[1]:
            raise InputError(f'expected two runs, found {len(set(names))}: make compare RUNS="default demanding"')
        folder = compare(arguments.TOP / "build", *names)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    print(f"{folder.relative_to(arguments.TOP)}/index.html", file=sys.stderr)
    return 0


def compare(build: Path, first: str, second: str) -> Path:
    """Write the comparison to ``build/compare/FIRST-SECOND`` and return that folder. Raises InputError for a run that was not made."""
    import html

    import pandas as pd

    from rocite.display import Table

    manifests = []
    for name in (first, second):
        if not (build / name / "numbers.json").is_file():
            raise InputError(f"build/{name} has no numbers.json; make that run first: make RUN={name}")
        manifests.append(json.loads(read_text(build / name / "manifest.json")))
    numbers = [leaves(json.loads(read_text(build / name / "numbers.json"))) for name in (first, second)]
    parameters = [
        {"parameter": key, first: str(a), second: str(b)}
        for key, a in manifests[0]["parameters"].items()
        if a != (b := manifests[1]["parameters"].get(key))
    ]
    moved = [
        {"number": path, first: numbers[0].get(path, "not there"), second: numbers[1].get(path, "not there")}
        for path in sorted(numbers[0].keys() | numbers[1].keys())
        if numbers[0].get(path) != numbers[1].get(path) and not path.startswith("speed/")
    ]
    tables = {
        "parameters": pd.DataFrame(parameters, columns=["parameter", first, second]),
        "verdicts": changed_verdicts(build, first, second),
        "numbers": pd.DataFrame(moved, columns=["number", first, second]),
    }
    folder = build / "compare" / f"{first}-{second}"
    body = ""
    titles = {"parameters": "Parameters that differ", "verdicts": "Answers with another verdict", "numbers": "Numbers that moved"}
    for name, frame in tables.items():
        write_atomically(folder / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
        shown = Table(frame, f"{name}.csv")._repr_html_() if len(frame) else "<p>None.</p>"
        body += f"<h2>{titles[name]} ({len(frame)})</h2>{shown}"
        print(f"{titles[name]}: {len(frame)}")
    write_atomically(folder / "index.html", _PAGE.format(title=html.escape(f"{first} and {second}"), body=body))
    return folder


def changed_verdicts(build: Path, first: str, second: str):
    """Return the recorded answers whose verdict or gate differs between the two runs; empty where a run has none."""
    import pandas as pd

    paths = [build / name / "tables" / "replays.csv" for name in (first, second)]
    columns = [*_KEY, "question", f"{first} verdict", f"{first} gate", f"{second} verdict", f"{second} gate", "outcome"]
    if not all(p.is_file() for p in paths):
        return pd.DataFrame(columns=columns)
    a, b = (pd.read_csv(p, dtype={"order": str}, keep_default_na=False) for p in paths)
    both = a.merge(b, on=_KEY, suffixes=(" a", " b"))
    both = both[(both["verdict a"] != both["verdict b"]) | (both["gate a"] != both["gate b"])]
    both["outcome"] = both["outcome a"] + " -> " + both["outcome b"]
    return both.rename(
        columns={
            "question a": "question",
            "verdict a": f"{first} verdict",
            "gate a": f"{first} gate",
            "verdict b": f"{second} verdict",
            "gate b": f"{second} gate",
        }
    )[columns].reset_index(drop=True)


def leaves(numbers: dict, prefix: str = "") -> dict[str, str]:
    """Return the text of every number by its path.

    >>> leaves({"a": {"b": {"value": 1, "text": "1"}}})
    {'a/b': '1'}
    """
    if "text" in numbers and "value" in numbers:
        return {prefix: str(numbers["text"])}
    return {path: text for key, value in numbers.items() for path, text in leaves(value, f"{prefix}/{key}".lstrip("/")).items()}


if __name__ == "__main__":
    sys.exit(main())
