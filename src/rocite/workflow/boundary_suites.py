"""The slow suites of the answer boundary, run by `rocite.workflow.boundary` and recorded: stress pairs, security, times."""

from __future__ import annotations


def run(on, made, desk, folder) -> dict:
    """Run every suite and return what goes into the manifest."""
    return {}
