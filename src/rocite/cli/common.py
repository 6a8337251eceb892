"""What several commands share: parameters with ``--set`` applied, and the gates' options."""

from __future__ import annotations

import argparse


def add_gates(parser: argparse.ArgumentParser) -> None:
    """Add ``--gates`` and ``--set`` to a command."""
    from rocite.check import DEFAULT_GATES, GATE_SETS

    parser.add_argument("--gates", choices=sorted(GATE_SETS), default=DEFAULT_GATES, help=f"which gates judge (default: {DEFAULT_GATES})")
    parser.add_argument("--set", metavar="name=value", action="append", default=[], help="another value for a parameter; may be repeated")


def positive(text: str) -> int:
    """Return a whole number from 1, for argparse."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number from 1")
    return int(text)


def declared() -> dict:
    """Return the declared parameters."""
    from rocite import params, places

    return params.definitions(places.root() / "notebooks" / "params" / "default.toml")


def values(settings: list[str], only: tuple[str, ...] | None = None) -> dict:
    """Return every parameter's value with ``--set`` applied; `only` limits which names may be set."""
    from rocite import params
    from rocite.errors import UnknownNameError

    given = params.parse_settings(" ".join(settings))
    for name in given:
        if only is not None and name not in only:
            raise UnknownNameError("setting", name, list(only))
    return params.resolve(declared(), given=given)
