"""The arguments that make passes to each of its steps, and the run they mean. Standard library alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from rocite.workflow import plan

VARIABLES = ("embedder", "generator", "corpus", "questions", "squad", "rosts")
TOP = Path(__file__).resolve().parents[3]


def parser(step: str) -> argparse.ArgumentParser:
    """Return a parser for the step's module that knows RUN, SET and the variables."""
    made = argparse.ArgumentParser(prog=f"rocite.workflow.{step}")
    for name in ("run", "set", *VARIABLES):
        made.add_argument(f"--{name}", default="")
    return made


def run_of(given: argparse.Namespace) -> plan.Run:
    """Return the run. Raises InputError for a name or value that does not fit."""
    return plan.resolve_run(TOP, given.run.strip(), given.set, {v: getattr(given, v).strip() for v in VARIABLES})
