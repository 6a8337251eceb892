"""Two statements side by side: what each counts and names, whether they contradict each other, how near one comes to the other."""

from __future__ import annotations

from rocite import check
from rocite.boundary.evidence import Place
from rocite.gates.base import Settings
from rocite.language.statements import Statement

CONTRADICTING = ("quantity", "polarity", "direction")  # checks that tell that two like statements do not agree


def figures(statement: Statement) -> tuple:
    """Return what a statement counts and names: the numbers and codes that stand in it, in order of size."""
    return tuple(sorted(w for w in statement.words if any(c.isdigit() for c in w)))


def contradicts(one: Place, two: Place) -> bool:
    """Whether two parallel statements do not agree: read as an answer, the one fails a check of quantity, polarity or direction against the other."""
    fragment = check.Fragment(two.document.id, two.text, lang=two.document.lang or None)
    found = check.judge("", (fragment,), f"{one.text}\nSURSE: 1", Settings(), "strict", one.document.lang or None)
    return bool(set(found.failed) & set(CONTRADICTING))


def closeness(first: float, other: float) -> float:
    """Return how near `other` comes to `first`, in [0, 1]: 1 where it is as high, half where it is 2 lower.

    >>> closeness(3.0, 3.5), closeness(3.0, 1.0)
    (1.0, 0.5)
    """
    return 1.0 if other >= first else float(2.0 ** ((other - first) / 2))
