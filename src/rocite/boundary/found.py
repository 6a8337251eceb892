"""A request, and what was found for it: the records that examining gives and policies decide from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rocite.language.guess import language_of


@dataclass(frozen=True)
class Request:
    """A question with who asks (scopes beside public documents), for which time (ISO date, None: no date) and which asset."""

    question: str
    scope: tuple[str, ...] = ()
    at: str | None = None
    asset: str = ""

    @cached_property
    def lang(self) -> str:
        """The language of the question, Romanian where its words do not tell."""
        return language_of(self.question) or "ro"


@dataclass(frozen=True)
class Pick:
    """A statement picked as evidence, with its score; `part` is the part of the question that it was picked for."""

    document: str
    text: str
    position: int
    score: float
    part: str = ""


SIGNS = (
    "score",  # of the first pick
    "weakest",  # of the weakest pick
    "agreement",  # the share of the single signals that would pick the same statement
    "margin",  # of the first pick over the best statement that is not parallel to it
    "coverage",  # the weighted share of the question's words that the picks and their titles have together
    "relevance",  # of the first pick, neighbours counting in part
    "near",  # the first pick's nearness
    "words",  # the first pick's shared words, in [0, 1]
    "document_margin",  # of the first document over the second, in the context
    "given",  # kinds of value that the question asks for and a pick gives
    "lacking",  # kinds of value that it asks for and no pick gives
    "parts",  # parts of the question
    "other_language",  # whether the first pick is in another language
    "retired",  # how far the best statement out of force is above the first pick; below 0 where it is not
    "sister",  # how near a like statement about another asset comes to the first pick, in [0, 1]; 1 where question and request name two
    "sibling",  # how near a like statement of the same document with other figures comes, in [0, 1]
    "unfixed",  # whether the first pick holds under a condition, or for a class, that the question does not name
    "rival",  # how like a pick the statement is that contradicts it in another document in force, in [0, 1]
    "edition",  # whether the question insists on an edition that is not the one in force
)


@dataclass(frozen=True)
class Examination:
    """What was found for a request. `context` are document ids, best first; `signs` has a number for each of `SIGNS`.

    `against` are the statements that stand behind a sign, by its name: (document, text). `similarity` is the best
    document's similarity by the embedder alone. Without a document to look at there are no picks and every sign is 0.
    """

    request: Request
    context: tuple[str, ...]
    picks: tuple[Pick, ...]
    signs: dict[str, float]
    against: dict[str, tuple[str, str]]
    similarity: float


@dataclass(frozen=True)
class Hidden:
    """The best statement of what a request may not see: its score beside the best that it may see, and the scopes it needs."""

    score: float
    visible: float
    scopes: tuple[str, ...]
