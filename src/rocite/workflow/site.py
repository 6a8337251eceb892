"""``python -m rocite.workflow.site RUN``: build the write-up of a run from its executed notebooks and prose pages.

Every number in prose is a mark ``[[path/in/numbers.json]]``; an unknown one stops the build, and so does any
warning of Sphinx. The site is built aside and takes the old one's place only when it is whole.
"""

from __future__ import annotations

import csv
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rocite.errors import RociteError
from rocite.records import read_text
from rocite.workflow import arguments, plan
from rocite.workflow.numbers import substituted

_MARK = re.compile(r"\[\[(?P<path>[^\[\]\n]+)\]\]")


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = arguments.parser("site").parse_args(words)
    try:
        run = arguments.run_of(given)
        build(arguments.TOP, run.name, [s.notebook for s in plan.steps(arguments.TOP, run)])
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return 1
    return 0


def build(top: Path, run: str, notebooks: list[str]) -> None:
    """Build ``build/RUN/site``. Raises RociteError when a page or Sphinx fails; the old site then stays."""
    folder = top / "build" / run
    numbers = json.loads(read_text(folder / "numbers.json"))
    manifest = json.loads(read_text(folder / "manifest.json"))
    with tempfile.TemporaryDirectory(prefix=".site-", dir=folder) as aside:
        source, out = Path(aside) / "source", Path(aside) / "site"
        shutil.copytree(top / "notebooks" / "site", source)
        own = source / "own.md"
        if manifest["own_material"]:  # the chapters on our documents are no part of a run on others
            for page in source.glob("*.md"):
                if page != own:
                    page.unlink()
            own.rename(source / "index.md")
        else:
            own.unlink()
        for page in sorted(source.glob("*.md")):
            page.write_text(with_numbers(read_text(page), numbers, page.name) + run_line(manifest), encoding="utf-8")
        (source / "run.md").write_text(run_page(manifest), encoding="utf-8")
        if not manifest["own_material"]:
            for page in TABLE_PAGES:
                (source / f"{page}.md").write_text(table_page(folder / "tables", page) + run_line(manifest), encoding="utf-8")
        for name in notebooks:
            notebook = json.loads(read_text(folder / "notebooks" / f"{name}.ipynb"))
            (source / f"{name}.ipynb").write_text(json.dumps(for_site(notebook, manifest)), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-W",
            "--keep-going",
            "-q",
            "-b",
            "html",
            "-d",
            str(Path(aside) / "trees"),
            str(source),
            str(out),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode or not (out / "index.html").is_file():
            raise RociteError(f"the write-up was not built:\n{(done.stderr or done.stdout).strip()}")
        old = Path(aside) / "old"
        if (folder / "site").exists():
            os.replace(folder / "site", old)
        os.replace(out, folder / "site")
    print(f"build/{run}/site/index.html", file=sys.stderr)


def with_numbers(text: str, numbers: dict, where: str) -> str:
    """Return `text` with every ``[[path]]`` replaced by that number's text. Raises InputError for an unknown path.

    >>> with_numbers("margin [[a/b]]", {"a": {"b": {"value": -1, "text": "−1.000"}}}, "x.md")
    'margin −1.000'
    """
    return substituted(text, _MARK, numbers, where, lambda _, shown: html.escape(shown))


def for_site(notebook: dict, manifest: dict) -> dict:
    """Return an executed notebook as a page: code folded, run named at its end."""
    for cell in notebook["cells"]:
        tags = cell.setdefault("metadata", {}).setdefault("tags", [])
        if cell["cell_type"] == "code":
            tags.append("hide-input")
    notebook["cells"].append({"cell_type": "markdown", "id": "run-line", "metadata": {}, "source": run_line(manifest)})
    return notebook


def run_line(manifest: dict) -> str:
    """Return the line that names the run, for the end of every page."""
    changed = ", ".join(f"{k} = {v}" for k, v in manifest["changed"].items()) or "default parameters"
    said = html.escape(f"Run {manifest['run']} ({changed}); {manifest['code']}; {manifest['date']}.")
    return f'\n\n<div class="run-line">{said} <a href="run.html">All that it was made of</a>.</div>\n'


def run_page(manifest: dict) -> str:
    """Return the page that names the run: settings, versions, models, corpus, date."""
    rows = []
    for name, value in manifest.items():
        for key, shown in value.items() if isinstance(value, dict) and value else [("", value or "none")]:
            told = json.dumps(shown, ensure_ascii=False) if isinstance(shown, dict | list) else str(shown)
            rows.append(f"<tr><td>{html.escape(name)}</td><td>{html.escape(str(key))}</td><td>{html.escape(told)}</td></tr>")
    head = "<tr><th>what</th><th>name</th><th>value</th></tr>"
    return f"# This run\n\nEverything on these pages was made from what stands here.\n\n{_table(head, rows, 'the run')}\n"


_ASSESSMENT = """# Retrieval evaluation: the result to file

What was measured, on which version of what, for the evidence package of a system that retrieves: every figure with its counts, a 95 % interval over families of questions and the manifest of the run.
The command `rocite retrieval --corpus corpus --gold data/questions/gold.jsonl --part untouched --json` gives the same figures as one JSON object.
The labels are the project's own and not an expert's. An item without an answer in the documents has no recall; it counts in correct refusal alone.

"""


_SERVICE = """# The answer boundary in service: times, time-outs, backlog

How long examining, the support check and a whole response take, how many checks ran out of time, how many tickets waited afterwards, what the security suite found, and what all requests together cost.
Recorded by `make boundary` with the frozen bundle; times depend on the machine that recorded them.
The waiting tickets of your own checkout: `rocite queue list`. Records carry the date until which they are kept; `rocite audit purge` removes them afterwards, with their resolved tickets.

"""
TABLE_PAGES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "assessment": (
        _ASSESSMENT,
        (("Manifest", "assessment_manifest"), ("Result", "assessment"), ("Wrong-answer budget, untouched families", "systems")),
    ),
    "service": (
        _SERVICE,
        (
            ("Times and backlog", "answerability_latency"),
            ("Denied requests", "answerability_security"),
            ("All requests", "answerability_ledger"),
        ),
    ),
}
"""Pages made of a run's tables: what stands above, then title and table."""


def table_page(tables: Path, name: str) -> str:
    """Return one of `TABLE_PAGES` for the run whose tables these are."""
    intro, shown = TABLE_PAGES[name]
    parts = [intro]
    for title, table in shown:
        rows = list(csv.reader(io.StringIO(read_text(tables / f"{table}.csv"), newline="")))
        head = "<tr>" + "".join(f"<th>{html.escape(c)}</th>" for c in rows[0]) + "</tr>"
        body = [
            "<tr>" + "".join(f"<td>{html.escape(c or ('all' if name == 'assessment' else ''))}</td>" for c in row) + "</tr>"
            for row in rows[1:]
        ]
        parts.append(f"## {title}\n\n{_table(head, body, title.lower())}\n\n")
    return "".join(parts)


def _table(head: str, rows: list[str], label: str) -> str:
    table = f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="table-wrap" role="region" tabindex="0" aria-label="table: {label}">{table}</div>'


if __name__ == "__main__":
    sys.exit(main())
