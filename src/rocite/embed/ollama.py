"""Embedding models of an Ollama server; the server's rules are in `rocite.ollama_server`."""

from __future__ import annotations

import numpy as np

from rocite.cache import Store
from rocite.embed.base import Embedder, prefixes_of
from rocite.ollama_server import OllamaServer


class OllamaEmbedder(Embedder):
    """A model of an Ollama server, through its own client."""

    def __init__(self, name: str, model: str, store: Store | None = None):
        super().__init__(name, store)
        self.model = model
        self._server = OllamaServer(model)
        self._prefixes = prefixes_of(model)

    @property
    def limit(self) -> int:  # type: ignore[override]
        """The model's context length as the server tells it."""
        return self._server.context_length

    @property
    def identity(self) -> dict[str, object]:
        """Name, digest, quantisation, prefixes, limit."""
        return {"embedder": "ollama", **self._server.identity, "prefixes": list(self._prefixes), "limit": self.limit}

    def _tokens(self, text: str, kind: str) -> int:
        # The client cannot tokenise: two bytes a token is more than any tokenizer needs for prose, and the
        # server's own count is compared with the limit after the call.
        return len((self._prefixes[kind == "passage"] + text).encode("utf-8")) // 2 + 2

    def _encode(self, texts: list[str], kind: str) -> np.ndarray:
        prefix = self._prefixes[kind == "passage"]
        return np.stack([self._server.embed(prefix + t) for t in texts])
