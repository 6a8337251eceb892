"""``python -m rocite.workflow.resolve``: tells make, in one line of words, what a run is and what is stale.

Prints ``ok run:NAME env:HASH nb:NOTEBOOK... stale:NOTEBOOK...``, or one sentence on the standard error and
status 2. With ``--explain`` it tells a reader instead what would run and why.
"""

from __future__ import annotations

import sys

if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    found = ".".join(map(str, sys.version_info[:3]))
    sys.exit(f"rocite: Python 3.11 to 3.13 is needed, this is {found}; name one with make PYTHON=python3.12")

from rocite.errors import RociteError
from rocite.records import sha256_of, sha256_of_file
from rocite.workflow import arguments, plan


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = arguments.parser("resolve")
    parser.add_argument("--explain", action="store_true")
    given = parser.parse_args(words)
    try:
        run = arguments.run_of(given)
        found = plan.steps(arguments.TOP, run)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return 2
    folder = arguments.TOP / "build" / run.name
    why = {step.notebook: plan.reasons(folder, step) for step in found}
    if given.explain:
        _explain(run, why)
        return 0
    if run.changed:
        print(run.described, file=sys.stderr)
    environment = sha256_of(
        *(sha256_of_file(arguments.TOP / f) for f in ("requirements.lock", "pyproject.toml") if (arguments.TOP / f).exists())
    )
    told = ["ok", f"run:{run.name}", f"env:{environment.removeprefix('sha256:')[:12]}"]
    told += [f"nb:{name}" for name in why] + [f"stale:{name}" for name, reasons in why.items() if reasons]
    print(" ".join(told))
    return 0


def _explain(run: plan.Run, why: dict[str, list[str]]) -> None:
    print(run.described)
    for name, reasons in why.items():
        print(f"  {name}: {'runs' if reasons else 'up to date'}")
        for reason in reasons[:8]:
            print(f"      {reason}")
        if len(reasons) > 8:
            print(f"      and {len(reasons) - 8} more")


if __name__ == "__main__":
    sys.exit(main())
