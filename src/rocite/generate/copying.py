"""The copying generator: every statement that it is shown, word for word, each document cited. No model.

For fragments that hold admitted evidence and nothing else; of whole documents it would copy everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocite.gates.base import Fragment
from rocite.generate.base import Generator, Request


def copied(fragments: Sequence[Fragment]) -> str:
    """Return the text of every fragment and the line that cites them all; NU_STIU without one.

    >>> copied((Fragment("a", "Este gratuit."), Fragment("b", "Durează 5 zile.")))
    'Este gratuit.\\nDurează 5 zile.\\nSURSE: 1, 2'
    """
    if not fragments:
        return "NU_STIU"
    numbers = ", ".join(str(n) for n in range(1, len(fragments) + 1))
    return "\n".join([*(f.text for f in fragments), f"SURSE: {numbers}"])


class CopyingGenerator(Generator):
    """Copies what it is shown."""

    @property
    def identity(self) -> dict[str, object]:
        """Its name and its rule."""
        return {"generator": "copy", "model": "every statement shown"}

    def _write(self, request: Request) -> dict:
        return {"raw": copied(request.fragments)}
