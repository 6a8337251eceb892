"""``rocite bundle``: which frozen bundles are here, which is in use, what another policy would have done.

Exit status 0 when done, 1 when a log has to be looked at (a line that was changed, is missing or torn) or a file cannot be
written, 2 for bad usage, an unknown hash and a bundle that was changed. Neither a reason to reassess nor a disagreement is
a failure.
"""

from __future__ import annotations

import argparse
import sys

from rocite.cli.common import read_log
from rocite.cli.common import values as values_of
from rocite.cli.queue import WIDTH, as_json, shown
from rocite.errors import InputError

LISTED = 20  # disagreements on the terminal; --json has all of them
_LABELS = {"answer": "answers for the check", "clarify": "clarifications", "escalate": "escalations"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the four sub-commands with their options."""
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION", dest="action")
    listing = actions.add_parser("list", help="every bundle, which is current, and why one is to be reassessed")
    use = actions.add_parser("use", help="make a bundle the current one")
    shadow = actions.add_parser("shadow", help="run a bundle beside the current one and list where they disagree")
    freeze = actions.add_parser("freeze", help="a bundle of your own: the current one with other values in its policy")
    use.add_argument("hash", metavar="HASH", help="the bundle, by at least 6 digits of its hash")
    shadow.add_argument("hash", metavar="HASH", nargs="?", help="the bundle; without it the disagreements are listed again")
    shadow.add_argument("--off", action="store_true", help="end it")
    freeze.add_argument("name", metavar="NAME", help="what the new bundle and its policy are called")
    freeze.add_argument(
        "--set", metavar="name=value", action="append", default=[], help="threshold or limits.NAME; may be repeated, at least one"
    )
    for action in (listing, shadow):
        action.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: argparse.Namespace) -> int:
    """List, use, shadow or freeze; return the exit status."""
    return {"list": _list, "use": _use, "shadow": _shadow, "freeze": _freeze}[given.action](given)


def _list(given: argparse.Namespace) -> int:
    from rocite import cache, check, corpus, places
    from rocite.boundary import bundle_store
    from rocite.boundary.bundle_parts import parts_here
    from rocite.boundary.reassess import changes

    store = bundle_store.default_store()
    bundles = store.all()
    marked = {"current": store.current(), "shadow": store.shadow()}
    rows, messages = [], []
    if bundles:
        records, messages = _logged()
        questions = [r["question"] for r in records if r.get("kind") in ("boundary", "grounded") and isinstance(r.get("question"), str)]
        documents = corpus.load(places.root() / "corpus")
        settings, vectors = check.settings_from(check.settings_of(values_of([]))), cache.default_store()
        for bundle in bundles:
            reasons = changes(bundle, documents, parts_here(bundle, settings, vectors), questions, whole=True)
            marks = [name for name, one in marked.items() if one is not None and one.hash == bundle.hash]
            rows.append({**_named(bundle), "marks": marks, "threshold": bundle.policy_object.threshold, "reasons": reasons})
    rows = [row | {"reassess": bool(row["reasons"])} for row in rows]
    if given.json:
        print(as_json({"bundles": rows, **{k: b.hash if b else None for k, b in marked.items()}, "warnings": messages}))
    else:
        print("\n".join(line for row in rows for line in _lines(row)) or "no bundle is here yet")
        if rows and marked["current"] is None:
            print("none is current; choose one: rocite bundle use HASH")
    return _warned(messages)


def _lines(row: dict) -> list[str]:
    threshold = "no threshold" if row["threshold"] is None else f"threshold {row['threshold']:g}"
    said = "to be reassessed" if row["reassess"] else "holds"
    head = "  ".join([row["short"], row["name"], *row["marks"], threshold, said])
    return [shown(head), *(f"    {shown(reason)}" for reason in row["reasons"])]


def _use(given: argparse.Namespace) -> int:
    from rocite.boundary import bundle_store

    store = bundle_store.default_store()
    bundle = store.find(given.hash)
    store.point(bundle_store.CURRENT, bundle)
    print(f"current: {bundle.short} {bundle.name}")
    return 0


def _shadow(given: argparse.Namespace) -> int:
    from rocite.boundary import bundle_store
    from rocite.boundary.shadow import disagreements

    store = bundle_store.default_store()
    if given.off:
        if given.hash:
            raise InputError("--off ends the shadow and takes no HASH. Nothing was changed.")
        store.point(bundle_store.SHADOW, None)
        print("no bundle runs in shadow")
        return 0
    current = _current(store)
    other = store.find(given.hash) if given.hash else store.shadow()
    if other is None:
        raise InputError("no bundle runs in shadow; name one: rocite bundle shadow HASH (rocite bundle list has them).")
    if given.hash and other.hash == current.hash:
        raise InputError(f"{other.short} is the current bundle; expected another one beside it. Nothing was changed.")
    disagreements((), current, other)  # refused before anything is changed
    records, messages = _logged()
    found = disagreements(records, current, other, store.all())
    if given.hash:
        store.point(bundle_store.SHADOW, other)
    if given.json:
        print(as_json({"current": _named(current), "shadow": _named(other), **found.as_dict(), "warnings": messages}))
    else:
        print("\n".join(_compared(found, current, other)))
    return _warned(messages)


def _compared(found, current, other) -> list[str]:
    lines = [
        f"shadow {other.short} {other.name} beside {current.short} {current.name}: {len(found.disagreements)} disagreements "
        f"in {found.compared} logged decisions",
        f"  {found.withheld} candidates were not released and count as answers for the check under both; "
        f"{found.left_out} decisions of other bundles are left out",
    ]
    for name, load in found.workload.items():
        lines.append(f"  {_LABELS[name]}: {load.current} -> {load.other} ({load.more} more, {load.less} less)")
    for d in found.disagreements[:LISTED]:
        ways = f"{d.route} ({d.reason}) -> {d.other_route} ({d.other_reason})"
        lines.append("  ".join([shown(d.record), ways, shown(d.question, WIDTH)]))
    more = len(found.disagreements) - LISTED
    return [*lines, f"and {more} more; --json lists all"] if more > 0 else lines


def _freeze(given: argparse.Namespace) -> int:
    from rocite.boundary import bundle_store
    from rocite.boundary.bundle import SETTABLE, with_values

    wanted: dict[str, str] = {}
    for part in given.set:
        name, equals, value = part.partition("=")
        if not equals or not name or name in wanted:
            raise InputError(f"--set {part!r}: expected name=value, each name once. Nothing was written.")
        wanted[name] = value
    if not wanted:
        raise InputError(f"nothing is set; expected at least one --set name=value, of {', '.join(SETTABLE)}. Nothing was written.")
    store = bundle_store.default_store()
    bundle = with_values(_current(store), given.name, wanted)
    path = store.add(bundle)
    print(
        f"{bundle.short} {bundle.name}: {path}\nnot in use yet: rocite bundle shadow {bundle.short}, then rocite bundle use {bundle.short}"
    )
    return 0


# --- what they share ----------------------------------------------------------------------------------------------


def _current(store):
    current = store.current()
    if current is None:
        raise InputError("no bundle is current; choose one: rocite bundle use HASH (rocite bundle list has them). Nothing was changed.")
    return current


def _named(bundle) -> dict:
    return {"hash": bundle.hash, "short": bundle.short, "name": bundle.name}


def _logged() -> tuple[list[dict], list[str]]:
    """The records of the ordinary audit log and what was found wrong with it; an absent log has none."""
    from rocite import places
    from rocite.retention import LOGS

    return read_log(places.audit_folder() / LOGS[0])


def _warned(messages: list[str]) -> int:
    for message in messages:
        print(f"rocite: {shown(message)}", file=sys.stderr)
    return 1 if messages else 0
