"""One Ollama server and one of its models: the preflight that every call goes through, and the two calls.

Decides when a reply may be believed: the server is there, the model is pulled, the reply is whole and the
prompt was not cut. Refuses to pull a model, to wait for ever, and to take thinking for an answer.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from urllib.parse import urlsplit

import numpy as np

from rocite.errors import InputError, ModelError

TIMEOUT_SECONDS = 300.0
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSED_THINKING = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)  # a template that opens the tag itself
_TOO_LONG = re.compile(r"context (?:length|size|window)|input length|exceeds?\b.*\bcontext", re.IGNORECASE)


class OllamaServer:
    """The server at ``$OLLAMA_HOST`` (default 127.0.0.1:11434) and the model called `model`."""

    def __init__(self, model: str, timeout: float | None = None):
        self.model = model
        self.timeout = timeout or _timeout(os.environ.get("ROCITE_OLLAMA_TIMEOUT") or str(TIMEOUT_SECONDS))
        self.address, self._local = _address(os.environ.get("OLLAMA_HOST", ""))

    @cached_property
    def _client(self):
        import ollama

        # A proxy set for the outside world must not come between this machine and itself.
        return ollama.Client(host=self.address, timeout=self.timeout, **({"trust_env": False} if self._local else {}))

    def _call(self, function, *arguments, **named):
        import httpx
        import ollama

        try:
            return function(*arguments, **named)
        except ollama.ResponseError as error:
            if error.status_code == 404 and not arguments:  # the listing itself is missing, not a model
                raise ModelError(f"what answers at {self.address} is not an Ollama server (404).") from error
            if error.status_code == 404:
                raise ModelError(f"Ollama at {self.address} has no model {self.model!r}. Run: ollama pull {self.model}") from error
            if _TOO_LONG.search(str(error)):
                raise InputError(f"ollama:{self.model}: the text is longer than the model's context ({error}).") from error
            raise ModelError(f"Ollama at {self.address} answered with an error: {error}") from error
        except httpx.TimeoutException as error:
            raise ModelError(
                f"Ollama at {self.address} did not answer within {self.timeout:g} s; set ROCITE_OLLAMA_TIMEOUT to wait longer."
            ) from error
        except (httpx.ReadError, httpx.WriteError, httpx.ProtocolError) as error:
            raise ModelError(f"Ollama at {self.address} broke off the connection ({error}); see what it printed, and run again.") from error
        except (ConnectionError, httpx.TransportError) as error:
            raise ModelError(f"no Ollama server at {self.address}. Start it with: ollama serve (or set OLLAMA_HOST)") from error
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
        return self._told_context_length or 2048

    @property
    def _told_context_length(self) -> int | None:
        info = self._details.modelinfo or {}
        return next((int(v) for k, v in info.items() if k.endswith(".context_length")), None)

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
        context = min(context, self._told_context_length or context)  # the server cuts at the model's own, whatever is asked
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
        closed = _CLOSED_THINKING.search(text)
        if closed:
            thinking.append(closed.group())
            text = text[closed.end() :]
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


def _timeout(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InputError(f"ROCITE_OLLAMA_TIMEOUT={text!r}; expected a number of seconds above 0.")
    return seconds


def _address(host: str) -> tuple[str, bool]:
    """Return the address that `host` means to Ollama's own client, and whether it is this machine.

    Without a scheme the port is 11434. 0.0.0.0 is where a server listens; a client calls 127.0.0.1.

    >>> _address("0.0.0.0"), _address("https://ollama.example.org")
    (('http://127.0.0.1:11434', True), ('https://ollama.example.org', False))
    """
    try:
        parts = urlsplit(host if "://" in host else f"//{host}", scheme="http")
        name, port = parts.hostname or "127.0.0.1", parts.port
    except ValueError as error:
        raise InputError(f"OLLAMA_HOST={host!r}: {error}; expected an address as 127.0.0.1:11434.") from error
    name = "127.0.0.1" if name == "0.0.0.0" else name
    if port is None and "://" not in host:
        port = 11434
    bracketed = f"[{name}]" if ":" in name else name
    address = f"{parts.scheme}://{bracketed}" + (f":{port}" if port else "") + parts.path.rstrip("/")
    return address, name == "localhost" or name == "::1" or name.startswith("127.")
