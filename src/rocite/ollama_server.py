"""One Ollama server and one of its models: the preflight that every call goes through, and the two calls.

Decides when a reply may be believed: the server is there, the model is pulled, the reply is whole and the
prompt was not cut. Refuses to pull a model, to wait for ever, and to take thinking for an answer.
"""

from __future__ import annotations

import os
import re
from functools import cached_property

import numpy as np

from rocite.errors import InputError, ModelError

TIMEOUT_SECONDS = 300.0
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)


class OllamaServer:
    """The server at ``$OLLAMA_HOST`` (default 127.0.0.1:11434) and the model called `model`."""

    def __init__(self, model: str, timeout: float | None = None):
        self.model = model
        self.timeout = timeout or float(os.environ.get("ROCITE_OLLAMA_TIMEOUT", TIMEOUT_SECONDS))
        host = os.environ.get("OLLAMA_HOST", "127.0.0.1:11434").replace("0.0.0.0", "127.0.0.1")
        self.address = host if "://" in host else f"http://{host}"

    @cached_property
    def _client(self):
        import ollama

        local = any(name in self.address for name in ("127.0.0.1", "localhost", "[::1]"))
        # A proxy set for the outside world must not come between this machine and itself.
        return ollama.Client(host=self.address, timeout=self.timeout, **({"trust_env": False} if local else {}))

    def _call(self, function, *arguments, **named):
        import httpx
        import ollama

        try:
            return function(*arguments, **named)
        except ollama.ResponseError as error:
            if error.status_code == 404:
                raise ModelError(
                    f"Ollama at {self.address} has no model {self.model!r}. Run: ollama pull {self.model}"
                ) from error
            if "context" in str(error).lower() or "input length" in str(error).lower():
                raise InputError(f"ollama:{self.model}: the text is longer than the model's context ({error}).") from error
            raise ModelError(f"Ollama at {self.address} answered with an error: {error}") from error
        except httpx.TimeoutException as error:
            raise ModelError(
                f"Ollama at {self.address} did not answer within {self.timeout:g} s; set ROCITE_OLLAMA_TIMEOUT to wait longer."
            ) from error
        except (ConnectionError, httpx.TransportError) as error:
            raise ModelError(
                f"no Ollama server at {self.address}. Start it with: ollama serve (or set OLLAMA_HOST)"
            ) from error
        except (ValueError, TypeError) as error:  # a page that is no JSON, or JSON of another shape
            raise ModelError(f"what answers at {self.address} is not an Ollama server ({error.__class__.__name__}).") from error

    @cached_property
    def _details(self):
        return self._call(self._client.show, self.model)

    @cached_property
    def identity(self) -> dict[str, object]:
        """Model name, digest, quantisation and template, as the server lists them now."""
        listed = self._call(self._client.list).models
        wanted = {self.model, self.model if ":" in self.model else f"{self.model}:latest"}
        digest = next((m.digest for m in listed if m.model in wanted), None)
        if digest is None:
            raise ModelError(f"Ollama at {self.address} has no model {self.model!r}. Run: ollama pull {self.model}")
        details = self._details
        return {
            "model": self.model,
            "weights": digest if digest.startswith("sha256:") else f"sha256:{digest}",
            "quantisation": getattr(details.details, "quantization_level", None) if details.details else None,
            "template": details.template,
        }

    @cached_property
    def context_length(self) -> int:
        """The model's context length in tokens; 2048 when the server does not tell."""
        info = self._details.modelinfo or {}
        return int(next((v for k, v in info.items() if k.endswith(".context_length")), 2048))

    def embed(self, text: str) -> np.ndarray:
        """Return the vector of one text. Raises InputError when the server cut it, ModelError on a bad reply."""
        reply = self._call(self._client.embed, self.model, text, truncate=False)
        vectors = reply.embeddings
        if len(vectors) != 1 or not len(vectors[0]):
            raise ModelError(f"ollama:{self.model}: expected one vector, got {len(vectors)}.")
        if (reply.prompt_eval_count or 0) >= self.context_length:
            raise InputError(f"ollama:{self.model}: a text fills the context of {self.context_length} tokens; it was cut.")
        return np.asarray(vectors[0], dtype=np.float32)

    def generate(self, prompt: str, options: dict, stop: list[str], max_tokens: int, context: int) -> dict:
        """Complete `prompt` and return ``{"raw", "thinking", "prompt_tokens", "tokens"}``.

        Raises InputError when the prompt cannot fit the context, ModelError when it was cut all the same.
        """
        least = len(prompt.encode("utf-8")) // 8  # fewer tokens than this, and a part of the prompt is gone
        if least + max_tokens > context:
            raise InputError(f"ollama:{self.model}: the prompt does not fit a context of {context} tokens.")
        reply = self._call(
            self._client.generate,
            self.model,
            prompt,
            options={**options, "num_ctx": context, "num_predict": max_tokens, "stop": stop},
            stream=False,
        )
        counted = reply.prompt_eval_count
        if counted and counted + max_tokens >= context:
            raise ModelError(f"ollama:{self.model}: the prompt of {counted} tokens does not fit {context}; no answer is taken from it.")
        text = reply.response or ""
        thinking = [reply.thinking] if reply.thinking else []
        thinking += [m.group() for m in _THINKING.finditer(text)]
        text = _THINKING.sub("", text)
        unclosed = _OPEN_THINKING.search(text)
        if unclosed:
            thinking.append(text[unclosed.start() :])
            text = text[: unclosed.start()]
        return {
            "raw": text,
            "thinking": "\n".join(thinking),
            "prompt_tokens": counted,
            "tokens": reply.eval_count,
        }
