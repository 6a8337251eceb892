"""What every gate takes and gives: the finished answer beside its fragments, and a score with its details."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from rocite.citations import Reading


@dataclass(frozen=True)
class Fragment:
    """A retrieved text as the model saw it. `score` is the retriever's similarity, None where it gave none."""

    id: str
    text: str
    title: str = ""
    score: float | None = None
    source: str = ""
    checked: str = ""


@dataclass(frozen=True)
class Settings:
    """The thresholds and lengths of the article's gates; each is a parameter of the same name.

    `min_sim` is None where no similarity threshold belongs to the scores: the retrieval gate is then unchecked.
    """

    min_sim: float | None = None
    min_ground: float = 0.50
    prefix_length: int = 6
    min_claim_words: int = 5


@dataclass(frozen=True)
class Case:
    """One answer to be judged: question, fragments in their numbered order, and the answer taken apart."""

    question: str
    fragments: tuple[Fragment, ...]
    reading: Reading
    settings: Settings

    @cached_property
    def cited(self) -> tuple[Fragment, ...]:
        """The fragments that the answer cites, in the order of citation."""
        by_id = {f.id: f for f in self.fragments}
        return tuple(by_id[i] for i in self.reading.cited)


@dataclass(frozen=True)
class Score:
    """What a gate measured. `value` is None when there was nothing to look at: the gate is then unchecked."""

    value: float | None
    details: dict = field(default_factory=dict)
