"""``python -m rocite.workflow.verify``: the default run's headline numbers beside those expected, with a verdict each.

``data/expected.toml`` gives every number a tolerance and the reason for it. OK is within the tolerance, close
within three times the tolerance, anything else is FAIL and so is a number that is missing; exact ones are OK or FAIL.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

from rocite.errors import InputError, RociteError
from rocite.records import read_text
from rocite.workflow import arguments
from rocite.workflow.numbers import leaf

CLOSE = 3  # times the tolerance


def main() -> int:
    """Run the command; return 1 when a number fails."""
    try:
        numbers = json.loads(read_text(arguments.TOP / "build" / "default" / "numbers.json"))
        expected = load(arguments.TOP / "data" / "expected.toml")
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    rows = [verdict(name, facts, (leaf(numbers, name) or {}).get("value")) for name, facts in expected.items()]
    width = max(len(r[1]) for r in rows)
    for state, name, said in rows:
        print(f"{state:5}  {name:{width}}  {said}")
    failed = sum(r[0] == "FAIL" for r in rows)
    print(f"{len(rows)} numbers: {len(rows) - failed} hold, {failed} fail")
    return 1 if failed else 0


def load(path: Path) -> dict[str, dict]:
    """Read the expected numbers. Raises InputError for one without value, tolerance or reason."""
    expected = tomllib.loads(read_text(path))
    for name, facts in expected.items():
        if {"value", "tolerance", "reason"} - set(facts):
            raise InputError(f"{path}: {name} needs value, tolerance and reason.")
    return expected


def verdict(name: str, facts: dict, value: object) -> tuple[str, str, str]:
    """Return (state, name, what was found and why it may differ).

    >>> verdict("a", {"value": 0.5, "tolerance": 0.01, "reason": "sampling"}, 0.52)[0]
    'close'
    """
    wanted, tolerance = facts["value"], facts["tolerance"]
    numeric = isinstance(value, int | float) and not isinstance(value, bool) and not isinstance(wanted, bool | str)
    if numeric:
        distance = abs(value - wanted)
        state = "OK" if distance <= tolerance + 1e-12 else "close" if tolerance and distance <= CLOSE * tolerance + 1e-12 else "FAIL"
        shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    else:
        state, shown = ("OK" if value == wanted else "FAIL"), str(value)
    return state, name, f"{shown}, expected {wanted} within {tolerance}: {facts['reason']}"


if __name__ == "__main__":
    sys.exit(main())
