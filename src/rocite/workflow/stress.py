"""``python -m rocite.workflow.stress OUT.jsonl``: candidates for stress items, made by rules from the truthful seeds.

Reads ``data/stress/seeds-*.jsonl`` and writes every candidate to OUT.jsonl; a person reads them before they become
stress items. The same seeds and documents give the same file. Prints how many there are, by kind and language.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from rocite import places
from rocite.errors import InputError, RociteError
from rocite.evaluate import faults, parts, stress
from rocite.records import write_jsonl


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="rocite.workflow.stress")
    parser.add_argument("out", type=Path, help="the JSON Lines file to write")
    given = parser.parse_args(words)
    try:
        items = candidates(places.root())
        write_jsonl(given.out, (item.record() for item in items))
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    print(counted(items))
    return 0


def candidates(top: Path) -> list[stress.Item]:
    """Return the candidates of all seed files below `top`. Raises InputError when there is none or a seed cannot be used."""
    files = sorted((top / "data" / "stress").glob("seeds-*.jsonl"))
    if not files:
        raise InputError(f"{top / 'data' / 'stress'}: no seeds-*.jsonl here; nothing was written.")
    corpora = stress.load_corpora(top / "corpus")
    return faults.generate([seed for file in files for seed in stress.load_seeds(file, corpora)], corpora)


def counted(items: list[stress.Item]) -> str:
    """Return a table of how many items there are of each kind in each language."""
    counts = Counter((item.kind, item.lang) for item in items)
    languages = list(parts.SOURCES)
    rows = [["kind", *languages], *([kind, *(str(counts[kind, lang]) for lang in languages)] for kind in stress.KINDS)]
    return "\n".join(f"{row[0]:<14}" + "".join(f"{cell:>6}" for cell in row[1:]) for row in rows)


if __name__ == "__main__":
    sys.exit(main())
