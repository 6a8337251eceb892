"""A model of an Ollama server as generator; the server's rules are in `rocite.ollama_server`."""

from __future__ import annotations

from rocite.cache import Store
from rocite.generate.base import Generator, Options, Request, opened
from rocite.ollama_server import OllamaServer


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
        return {**written, "raw": opened(request, written["raw"])}
