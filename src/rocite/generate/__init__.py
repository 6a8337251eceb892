"""Generators by name: what writes an answer from a prompt, live, kept from an earlier run, or replayed."""

from __future__ import annotations

from pathlib import Path

from rocite.cache import Store
from rocite.errors import ModelError, UnknownNameError
from rocite.generate.base import Generation, Generator, Options, Request

__all__ = ["NAMES", "Generation", "Generator", "Options", "Request", "load"]

NAMES = ["llamacpp", "gguf:PATH", "ollama:MODEL", "extractive", "copy", "recorded:NAME"]


def load(name: str, options: Options, store: Store | None = None) -> Generator:
    """Return the generator called `name`; a model is loaded at the first prompt that `store` does not know.

    Raises UnknownNameError for an unknown name and ModelError when its model or recording is not there.
    """
    from rocite.generate import copying, extractive, llama, ollama, recorded

    if name == "llamacpp":
        return llama.LlamaCppGenerator(name, options, store)
    if name == "extractive":
        return extractive.ExtractiveGenerator(name, options)
    if name == "copy":
        return copying.CopyingGenerator(name, options)
    scheme, _, rest = name.partition(":")
    if scheme == "gguf" and rest:
        path = Path(rest).expanduser()
        if not path.is_file():
            raise ModelError(f"gguf: no file {path}; expected a GGUF model there.")
        return llama.LlamaCppGenerator(name, options, store, path)
    if scheme == "ollama" and rest:
        return ollama.OllamaGenerator(name, rest, options, store)
    if scheme == "recorded" and rest:
        return recorded.RecordedGenerator(name, rest, options)
    raise UnknownNameError("generator", name, NAMES)
