"""What every embedder does with texts: prefix by kind, windows within the token limit, unit length, cache.

A passage over the limit is split at sentences into windows whose vectors are averaged, and counted in
`windows`; nothing is cut silently. Refuses empty texts and vectors that are missing, zero or not finite.
"""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np

from rocite.cache import Store
from rocite.errors import InputError, ModelError
from rocite.records import dumps
from rocite.text import sentences

_BATCH = 32
_HEARTBEAT_SECONDS = 15.0
# Query and passage prefixes that models were trained with, by a part of their name. Others get none.
PREFIXES = {
    "e5-": ("query: ", "passage: "),
    "nomic-embed-text": ("search_query: ", "search_document: "),
}


def prefixes_of(model: str) -> tuple[str, str]:
    """Return the question and passage prefix that `model` was trained with, by its name; two empty ones where none is known."""
    return next((p for part, p in PREFIXES.items() if part in model.lower()), ("", ""))


class Embedder(ABC):
    """Texts to unit vectors. `identity` is everything that shapes a vector: it keys the cache and the record."""

    limit: int  # tokens of one window, prefix and special tokens included
    learns = False  # whether `fit` changes what a vector is, so that every corpus needs an embedder of its own

    def __init__(self, name: str, store: Store | None = None):
        self.name = name
        self.store = store
        self.windows: dict[str, int] = {}

    @property
    @abstractmethod
    def identity(self) -> dict[str, object]:
        """Name, model hash, prefixes, token limit."""

    @abstractmethod
    def _encode(self, texts: list[str], kind: str) -> np.ndarray:
        """Encode `texts`, all within the limit; `kind` is ``question`` or ``passage``."""

    @abstractmethod
    def _tokens(self, text: str, kind: str) -> int:
        """Number of tokens of `text` with prefix and special tokens."""

    def fit(self, passages: Sequence[str]) -> None:
        """Learn from the passages what the embedder needs to know of them; nothing, for a trained model."""

    def questions(self, texts: Sequence[str]) -> np.ndarray:
        """Return unit vectors of `texts` as questions, shape (len(texts), dimension), float32."""
        return self._vectors(list(texts), "question")

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return unit vectors of `texts` as passages, shape (len(texts), dimension), float32."""
        return self._vectors(list(texts), "passage")

    def _vectors(self, texts: list[str], kind: str) -> np.ndarray:
        for number, text in enumerate(texts):
            if not text.strip():
                raise InputError(f"{kind} {number + 1} is empty; there is nothing to embed.")
        shaping = dumps(self.identity)
        found: dict[str, np.ndarray] = {}
        missing = []
        for text in dict.fromkeys(texts):
            blob = self.store.get("vector", shaping, kind, text) if self.store else None
            if blob is None:
                missing.append(text)
            else:
                self.windows[text] = int(np.frombuffer(blob[:4], dtype="<i4")[0])
                found[text] = np.frombuffer(blob[4:], dtype="<f4")
        for batch in _batches(missing, f"{self.name}: {kind}s"):
            for text, vector in zip(batch, self._batch(batch, kind), strict=True):
                found[text] = vector
                if self.store:
                    count = np.array([self.windows[text]], dtype="<i4").tobytes()
                    self.store.put("vector", shaping, kind, text, value=count + vector.astype("<f4").tobytes())
        return np.stack([found[t] for t in texts]) if texts else np.zeros((0, 0), dtype=np.float32)

    def _batch(self, texts: list[str], kind: str) -> list[np.ndarray]:
        pieces = [self._windows(t, kind) for t in texts]
        flat = [p for group in pieces for p in group]
        try:
            vectors = np.asarray(self._encode(flat, kind), dtype=np.float32)
        except ValueError as error:  # rows of different lengths
            raise ModelError(f"{self.name}: the vectors do not have one length ({error}).") from error
        if vectors.ndim != 2 or len(vectors) != len(flat):
            raise ModelError(f"{self.name}: expected {len(flat)} vectors, got an array of shape {vectors.shape}.")
        norms = np.linalg.norm(vectors, axis=1)
        for text, norm in zip(flat, norms, strict=True):
            if not np.isfinite(norm) or norm == 0:
                raise ModelError(f"{self.name}: the vector of {text[:60]!r} is zero or not finite; it cannot be compared.")
        vectors /= norms[:, None]
        result, start = [], 0
        for text, group in zip(texts, pieces, strict=True):
            self.windows[text] = len(group)
            mean = vectors[start : start + len(group)].mean(axis=0)
            result.append(mean / np.linalg.norm(mean))
            start += len(group)
        return result

    def _windows(self, text: str, kind: str) -> list[str]:
        if self._tokens(text, kind) <= self.limit:
            return [text]
        windows: list[str] = []
        for piece in (w for s in sentences(text) for w in self._fitting(s, kind)):
            joined = f"{windows[-1]} {piece}" if windows else piece
            if windows and self._tokens(joined, kind) <= self.limit:
                windows[-1] = joined
            else:
                windows.append(piece)
        return windows

    def _fitting(self, sentence: str, kind: str) -> list[str]:
        if self._tokens(sentence, kind) <= self.limit or len(sentence) < 2:
            return [sentence]
        middle = sentence.rfind(" ", 1, len(sentence) // 2) if " " in sentence else -1
        middle = middle if middle > 0 else len(sentence) // 2
        halves = (sentence[:middle].strip(), sentence[middle:].strip())
        return [w for half in halves if half for w in self._fitting(half, kind)]


def _batches(texts: list[str], label: str) -> Iterator[list[str]]:
    """Yield `texts` in batches; where there are many, show progress with the time left.

    On a terminal that is a bar; elsewhere a plain line now and then, on the process's own standard error.
    """
    from tqdm import tqdm

    many = len(texts) > 4 * _BATCH
    start = last = time.monotonic()
    with tqdm(total=len(texts), desc=label, unit="text", disable=not (many and sys.stderr.isatty()), leave=False) as bar:
        for done in range(0, len(texts), _BATCH):
            batch = texts[done : done + _BATCH]
            yield batch
            bar.update(len(batch))
            done += len(batch)
            now = time.monotonic()
            if many and bar.disable and sys.__stderr__ and now - last > _HEARTBEAT_SECONDS and done < len(texts):
                left = (now - start) / done * (len(texts) - done)
                print(f"{label}: {done}/{len(texts)}, about {left:.0f} s left", file=sys.__stderr__, flush=True)
                last = now
