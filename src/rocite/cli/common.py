"""What several commands share: parameters with ``--set`` applied, and the gates' options."""

from __future__ import annotations

import argparse
from pathlib import Path


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


def read_log(path: Path) -> tuple[list[dict], list[str]]:
    """Return the records of an audit log and what was found wrong with it; an absent log has none."""
    import warnings

    from rocite.audit import AuditLog
    from rocite.errors import InputError

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            records = AuditLog(path).read() if path.exists() else []
        except OSError as error:  # the folder may not be searched
            raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: a record holds what rocite never writes ({error}); mend the line or move it elsewhere.") from error
    return records, [str(w.message) for w in caught if issubclass(w.category, UserWarning)]
