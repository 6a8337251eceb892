"""``python -m rocite.workflow.publish``: write the default run's numbers into the README, between their marks.

A number stands as ``<!--n:path/in/numbers.json-->text<!--/n-->``. Nobody types one.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from rocite.errors import RociteError
from rocite.records import read_text, write_atomically
from rocite.workflow.numbers import substituted

_MARK = re.compile(r"<!--n:(?P<path>[^>]+?)-->(?P<text>.*?)<!--/n-->")


def main() -> int:
    """Run the command; return its exit status."""
    top = Path(__file__).resolve().parents[3]
    try:
        numbers = json.loads(read_text(top / "build" / "default" / "numbers.json"))
        before = read_text(top / "README.md")
        after = with_numbers(before, numbers, "README.md")
    except RociteError as error:
        print(f"rocite: {error} Run make first.", file=sys.stderr)
        return error.exit_status
    if after != before:
        write_atomically(top / "README.md", after)
    print(f"README.md: {len(_MARK.findall(after))} numbers {'written' if after != before else 'unchanged'}", file=sys.stderr)
    return 0


def with_numbers(text: str, numbers: dict, where: str) -> str:
    """Return `text` with every marked number as `numbers` has it. Raises InputError for a path that is not there.

    >>> with_numbers("<!--n:a/b-->?<!--/n-->", {"a": {"b": {"value": 1, "text": "1"}}}, "x")
    '<!--n:a/b-->1<!--/n-->'
    """
    return substituted(text, _MARK, numbers, where, lambda path, shown: f"<!--n:{path}-->{shown}<!--/n-->")


if __name__ == "__main__":
    sys.exit(main())
