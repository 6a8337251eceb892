"""Retrievers by name: questions to ranked documents.

A name is a method, with ``@`` and a way of cutting documents where that is not whole documents (`rocite.chunk`):
``bm25``, ``e5``, ``e5@sentences:2``. ``rrf:A+B`` fuses ranks, ``mix:A+B`` mixes scores;
``mix:A`` has one retriever's scores as they would be mixed.
"""

from __future__ import annotations

from rocite import chunk
from rocite.cache import Store
from rocite.corpus import Corpus
from rocite.errors import UnknownNameError
from rocite.retrieve.base import SCORE_PLACES, Hit, Ranker, ranking
from rocite.retrieve.dense import Index

__all__ = ["NAMES", "SCORE_PLACES", "Hit", "Index", "Ranker", "Retriever", "load", "ranking"]

NAMES = ["bm25", "minilm", "e5", "tfidf", "st:NAME_OR_PATH", "ollama:MODEL", "rrf:A+B", "mix:A+B", "A@WAY"]
_FUSIONS = ("rrf", "mix")


class Retriever:
    """A retriever by name, ready for any corpus. `identity` is everything that shapes its ranking."""

    def __init__(self, name: str, make, identity: dict[str, object]):
        self.name = name
        self.identity = identity
        self._make = make

    def over(self, corpus: Corpus) -> Ranker:
        """Return the retriever made ready for the documents of `corpus`."""
        return self._make(corpus)


def load(name: str, store: Store | None = None) -> Retriever:
    """Return the retriever called `name`; a model is loaded when a text is not in `store`.

    Raises UnknownNameError for an unknown name or way, ModelError when a model is not there.
    """
    from rocite import embed
    from rocite.retrieve import bm25, fusion

    scheme, _, rest = name.partition(":")
    if scheme in _FUSIONS:
        named = rest.split("+")
        if not all(named) or (scheme == "rrf" and len(named) < 2):
            raise UnknownNameError("retriever", name, NAMES)
        parts = [load(part, store) for part in named]
        kind = fusion.ReciprocalRankFusion if scheme == "rrf" else fusion.Mix
        constants = (
            {"rrf_k": fusion.RRF_K} if scheme == "rrf" else {"scale": "vectors over their language's mean", "bm25_least": bm25.LEAST}
        )
        identity = {"retriever": scheme, "parts": [p.identity for p in parts], **constants}
        return Retriever(name, lambda corpus: kind([p.over(corpus) for p in parts]), identity)
    method, at, way = name.partition("@")
    way = chunk.known(way if at else chunk.WHOLE)
    if method == "bm25":
        identity = {"retriever": "bm25", "k1": bm25.K1, "b": bm25.B, "stemmer": "Snowball", "chunks": way}
        return Retriever(name, lambda corpus: bm25.Bm25(corpus, way), identity)
    try:
        embedder = embed.load(method, store)
    except UnknownNameError as error:
        raise UnknownNameError("retriever", name, NAMES) from error
    return Retriever(name, lambda corpus: Index(corpus, embedder, way), {**embedder.identity, "chunks": way})
