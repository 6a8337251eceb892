"""``rocite queue``: the questions that wait for a person; who takes one resolves it.

Exit status 0 when done, 1 when the queue cannot be used, 2 for bad usage and a ticket that is not there or not free.
"""

from __future__ import annotations

import argparse
import datetime
import json

from rocite.cli.common import values as values_of

FILE = "queue.sqlite"
WIDTH = 60  # letters of a question in a listing; --json has all of them


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the three sub-commands with their options."""
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION", dest="action")
    listing = actions.add_parser("list", help="one line a ticket, oldest target first, and how full the queue is")
    take = actions.add_parser("take", help="take an open ticket")
    resolve = actions.add_parser("resolve", help="resolve a ticket that you took")
    listing.add_argument("--state", choices=("open", "taken", "resolved"), default="", help="only tickets in this state")
    listing.add_argument("--owner", metavar="NAME", default="", help="only tickets of this owner")
    listing.add_argument("--overdue", action="store_true", help="only tickets that nobody resolved by their target")
    listing.add_argument("--json", action="store_true", help="print one JSON object")
    for action in (take, resolve):
        action.add_argument("id", metavar="ID", help="the ticket, as the list names it")
        action.add_argument("--by", metavar="NAME", required=True, help="who takes or resolves it")
    resolve.add_argument("--note", metavar="TEXT", required=True, help="what was decided")


def run(given: argparse.Namespace) -> int:
    """List, take or resolve; return the exit status."""
    print({"list": _list, "take": _take, "resolve": _resolve}[given.action](given))
    return 0


def opened():
    """Return the checkout's queue, with the parameter `queue_limit` as its bound."""
    from rocite import places
    from rocite.boundary.tickets import Queue

    return Queue(places.audit_folder() / FILE, int(values_of([])["queue_limit"]))


def shown(text: object, width: int | None = None) -> str:
    """Return text from outside on one line: nothing in it can move the cursor or hide the rest.

    >>> shown("a\\x1b[2Jb\\nc", 5)
    'a [2…'
    """
    plain = "".join(c if c.isprintable() else " " for c in str(text))
    return plain if width is None or len(plain) <= width else f"{plain[: width - 1]}…"


def as_json(value: object) -> str:
    """Return `value` as one line of JSON in which every letter that a terminal would act on is escaped.

    >>> as_json({"ș": "\\x9b2J"})
    '{"ș": "\\\\u009b2J"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _list(given: argparse.Namespace) -> str:
    queue, now = opened(), datetime.datetime.now(datetime.UTC)
    every = queue.all()
    counts = {state: sum(t.state == state for t in every) for state in ("open", "taken")}
    counts |= {"overdue": sum(t.overdue(now) for t in every), "limit": queue.limit}
    asked = [t for t in every if given.state in ("", t.state) and given.owner in ("", t.owner)]
    found = [t for t in asked if t.overdue(now) or not given.overdue]
    if given.json:
        return as_json({"tickets": [t.as_dict() | {"overdue": t.overdue(now)} for t in found], "counts": counts})
    lines = [_line(t, now) for t in found] or ["no such ticket" if every else "the queue is empty"]
    used = f"{counts['open'] + counts['taken']} of {counts['limit']} places used"
    return "\n".join([*lines, f"{counts['open']} open, {counts['taken']} taken, {counts['overdue']} overdue; {used}"])


def _take(given: argparse.Namespace) -> str:
    ticket = opened().take(given.id, given.by)
    sources = "; ".join(ticket.sources) or "none"
    return "\n".join(
        [
            _line(ticket, datetime.datetime.now(datetime.UTC)),
            f"  question: {shown(ticket.question)}",
            f"  sources: {shown(sources)}",
            f"  record: {shown(ticket.record)}",
        ]
    )


def _resolve(given: argparse.Namespace) -> str:
    return _line(opened().resolve(given.id, given.by, given.note), datetime.datetime.now(datetime.UTC))


def _line(ticket, now: datetime.datetime) -> str:
    state = f"{ticket.state} by {ticket.person}" if ticket.person else ticket.state
    due = f"due {ticket.due}{' (overdue)' if ticket.overdue(now) else ''}"
    return "  ".join([*(shown(f) for f in (ticket.id, state, due, ticket.owner, ticket.reason)), shown(ticket.question, WIDTH)])
