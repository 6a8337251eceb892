"""``rocite params``: every parameter with value, unit, range and reason."""

from __future__ import annotations

import argparse
import textwrap

from rocite.cli.common import declared


def run(given: argparse.Namespace) -> int:
    """Print every parameter; return the exit status."""
    for p in declared().values():
        print(f"{p.name} = {p.value!r}   [{p.type}; {p.range}; {p.unit}]")
        print(textwrap.indent(textwrap.fill(p.why, 96), "    "))
    return 0
