"""A model of an Ollama server as generator; the server's rules are in `rocite.ollama_server`."""

from __future__ import annotations

import re

from rocite.cache import Store
from rocite.generate.base import Generator, Options, Request, opened
from rocite.ollama_server import OllamaServer

_GOES_ON = re.compile(r"\s*\d[\d ,;-]*\]")  # "3] Este gratuit.": what follows an opening bracket


class OllamaGenerator(Generator):
    """Asks the model through Ollama's own client, with the model's own template."""

    def __init__(self, name: str, model: str, options: Options, store: Store | None = None):
        super().__init__(name, options, store)
        self._server = OllamaServer(model)

    @property
    def identity(self) -> dict[str, object]:
        """Model digest, quantisation, template and options, as the server has them now."""
        options = {**self.options.sampling, "max_tokens": self.options.max_tokens, "context": self.options.context}
        return {"generator": "ollama", **self._server.identity, "options": options}

    def _write(self, request: Request) -> dict:
        written = self._server.generate(
            request.prompt, self.options.sampling, list(request.stop), self.options.max_tokens, self.options.context
        )
        # A model behind a chat template mostly begins anew, and then nothing is missing in front of what it wrote.
        raw = written["raw"]
        return {**written, "raw": opened(request, raw) if _GOES_ON.match(raw) else raw}
