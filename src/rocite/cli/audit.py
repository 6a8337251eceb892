"""``rocite audit``: what was decided, and the end of its retention.

``show`` prints the ordinary log and never the restricted one. Exit status 0 when done, 1 when the log has to be looked at (a
line that was changed, is missing or torn) or cannot be rewritten, 2 for bad usage and a log that cannot be read.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from dataclasses import asdict

from rocite.cli.common import positive, read_log
from rocite.cli.queue import WIDTH, as_json, opened, shown
from rocite.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two sub-commands with their options."""
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION", dest="action")
    show = actions.add_parser("show", help="one line a decision, oldest first, and whether the log is whole")
    purge = actions.add_parser("purge", help="remove the records that were kept long enough, and their resolved tickets; for good")
    show.add_argument("--last", metavar="N", type=positive, help="only the last N records")
    purge.add_argument("--at", metavar="DATE", help="what was to be kept until a day before this date (default: today)")
    for action in (show, purge):
        action.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: argparse.Namespace) -> int:
    """Show or purge; return the exit status."""
    return {"show": _show, "purge": _purge}[given.action](given)


def _show(given: argparse.Namespace) -> int:
    from rocite import places, retention

    path = places.audit_folder() / retention.LOGS[0]
    records, messages = read_log(path)
    found = records[-given.last :] if given.last else records
    for message in messages:
        print(f"rocite: {shown(message)}", file=sys.stderr)
    if given.json:
        print(as_json({"log": str(path), "records": found, "warnings": messages}))
    else:
        print("\n".join(_line(r) for r in found) or f"the audit log {path} holds no record")
    return 1 if messages else 0


def _line(record: dict) -> str:
    from rocite.retention import PURGED

    if record.get("kind") == PURGED:
        broken = f", {record['broken']} broken links among them" if record.get("broken") else ""
        said = [f"{record.get('count')} records from {record.get('from')} to {record.get('to')} were purged{broken}"]
    else:
        until, scopes = record.get("retain_until"), record.get("scopes") or []
        said = [
            record.get("route") or record.get("verdict") or record.get("kind") or "no decision",
            *([shown(record["reason"], WIDTH)] if record.get("reason") else []),
            f"kept until {until}" if until else "kept without a date",
            f"scopes {', '.join(map(str, scopes)) if isinstance(scopes, list) else scopes}" if scopes else "public",
        ]
    head = [record.get("time") or "no time", record["record"], *said]
    return "  ".join([*(shown(part) for part in head), shown(record.get("question") or "", WIDTH)]).rstrip()


def _purge(given: argparse.Namespace) -> int:
    from rocite import places, retention

    found = retention.purge(places.audit_folder(), opened(), _date(given.at))
    for name, log in found.logs.items():
        if log.broken:
            print(
                f"rocite: {name}: {log.broken} lines were changed or are missing; the log says so still where records stay",
                file=sys.stderr,
            )
    if given.json:
        print(as_json(asdict(found)))
        return 0
    lines = [
        f"{name}: {log.purged} purged, {log.kept} kept ({log.waiting} due with an unresolved ticket, {log.undated} without a date), "
        f"{log.torn} torn lines"
        for name, log in found.logs.items()
    ]
    print("\n".join([*lines, f"queue: {found.tickets} resolved tickets purged"] if lines else ["no audit log is here; nothing to purge"]))
    return 0


def _date(text: str | None) -> datetime.date:
    if text is None:
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"--at {text!r}: expected a date as 2026-07-15. Nothing was purged.") from error
