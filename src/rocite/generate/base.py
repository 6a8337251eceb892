"""What a generator takes and gives, and the one place where an answer is kept for later runs.

Decides that an answer is a recorded artefact: it is kept under the prompt and everything else that shaped it,
with its own time, and later runs read it from there instead of asking again.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace

from rocite.cache import Store
from rocite.gates.base import Fragment
from rocite.records import dumps
from rocite.text import fold


@dataclass(frozen=True)
class Options:
    """How a model is asked: always greedily, with a fixed context and a fixed length."""

    max_tokens: int = 220
    context: int = 4096
    seed: int = 1
    threads: int = 2

    @classmethod
    def of(cls, values: dict[str, object]) -> Options:
        """Return the options that a run's parameters mean."""
        return cls(**{name: int(values[name]) for name in cls.__dataclass_fields__})

    @property
    def sampling(self) -> dict[str, object]:
        """The sampling options that are sent: temperature 0, one candidate."""
        return {"temperature": 0.0, "top_k": 1, "seed": self.seed}


@dataclass(frozen=True)
class Request:
    """A question, its fragments in their numbered order, the prompt made of them and its stop strings.

    `opening` is how the prompt ends and the answer begins.
    """

    question: str
    fragments: tuple[Fragment, ...]
    prompt: str
    stop: tuple[str, ...]
    opening: str = ""


@dataclass(frozen=True)
class Generation:
    """What a model wrote for one prompt. `origin` is ``live``, ``kept`` (by an earlier run) or ``replayed``.

    `text` is the answer, `raw` all that the model wrote. `seconds` is the time of the run that wrote it; `tokens` and
    `prompt_tokens` are None where none were counted.
    """

    text: str
    raw: str
    prompt: str
    model: dict
    seconds: float
    tokens: int | None = None
    prompt_tokens: int | None = None
    thinking: str = ""
    origin: str = "live"

    @property
    def tokens_per_second(self) -> float | None:
        """Generated tokens over the whole time of the answer, prompt reading included."""
        return self.tokens / self.seconds if self.tokens and self.seconds else None


def until_repeated(raw: str) -> str:
    """Return `raw` up to the first line that says again what an earlier line said; a small model may not stop by itself.

    Citation marks in front make no difference.

    >>> until_repeated("[1] Este gratuit.\\n[2] Durează 5 zile.\\n[3] Este gratuit.\\n[3] Este")
    '[1] Este gratuit.\\n[2] Durează 5 zile.'
    """
    seen: set[str] = set()
    kept = []
    for line in raw.strip().split("\n"):
        said = fold(re.sub(r"^\s*(\[[^\]]*\]\s*)*", "", line)).strip()
        if said in seen:
            break
        seen.add(said)
        kept.append(line)
    return "\n".join(kept)


def repeats(raw: str) -> bool:
    """Whether a finished line of `raw` says again what an earlier one said: nothing after it is kept, so writing may stop."""
    finished = raw.rpartition("\n")[0].strip()
    return len(until_repeated(finished)) < len(finished)


def opened(request: Request, raw: str) -> str:
    """Return what a model wrote with the answer's opening in front, which a completing model does not repeat."""
    return raw if not raw.strip() or raw.lstrip().startswith(request.opening) else request.opening + raw


class Generator(ABC):
    """Writes an answer to a request. `identity` is everything beside the prompt that shapes it."""

    def __init__(self, name: str, options: Options, store: Store | None = None):
        self.name = name
        self.options = options
        self.store = store

    @property
    @abstractmethod
    def identity(self) -> dict[str, object]:
        """Name, model hash, engine version and options."""

    @abstractmethod
    def _write(self, request: Request) -> dict:
        """Ask the model; return `raw` and, where known, `tokens`, `prompt_tokens` and `thinking`."""

    def _alone(self) -> contextlib.AbstractContextManager:
        """What has to be held while the model writes; nothing, for a model that does not use this machine's cores."""
        return contextlib.nullcontext()

    def generate(self, request: Request) -> Generation:
        """Return the answer to `request`, asking the model only where it is not kept yet.

        Raises InputError when the prompt does not fit the context, ModelError when the model fails.
        """
        key = ("generation", dumps(self.identity), dumps(list(request.stop)), request.prompt)
        kept = self.store.get(*key) if self.store else None
        if kept:
            return replace(Generation(**json.loads(kept)), origin="kept")
        with self._alone():
            start = time.perf_counter()
            written = self._write(request)
            seconds = round(time.perf_counter() - start, 3)
        generation = Generation(text=until_repeated(written["raw"]), prompt=request.prompt, model=self.identity, seconds=seconds, **written)
        if self.store:
            self.store.put(*key, value=dumps(asdict(generation)).encode("utf-8"))
        return generation

    def close(self) -> None:
        """Free the model; the generator may still be asked, and loads it again."""
