"""What a bundle is frozen from: models, prompt, checks and documents, each as a name with all that shapes it, or as a digest.

Decides when two of them are the same: by content, never by file names or times. Refuses nothing; a model that cannot be
used here has an identity that says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rocite import check, prompt
from rocite.boundary.found import Request
from rocite.cache import Store
from rocite.corpus import Corpus, Document
from rocite.embed import Embedder
from rocite.errors import InputError, ModelError, UnknownNameError
from rocite.gates.base import Settings
from rocite.generate import Generator, Options
from rocite.records import dumps, sha256_of
from rocite.retrieve import Retriever

if TYPE_CHECKING:
    from rocite.boundary.bundle import Bundle

LANGUAGES = ("ro", "en")
ABSENT = "absent"  # key of the identity of a model that cannot be used here; its value says why
BY_STATEMENT = "best statement"  # the name of no retriever: a document is ranked by its best statement, which the picker scores


@dataclass(frozen=True)
class Parts:
    """What a decision is made with beside documents and policy; each as `rocite.boundary.bundle.Bundle` has it."""

    embedder: dict
    retriever: dict
    generator: dict
    prompt: str
    checks: dict

    def __post_init__(self):
        make_plain(self)


def make_plain(value: Bundle | Parts) -> None:
    """Make every field JSON values of its own: tuples become lists, and nobody else holds what is in it."""
    for field in fields(value):
        object.__setattr__(value, field.name, json.loads(dumps(getattr(value, field.name))))


def parts(
    embedder: Embedder, retriever: Retriever | None, generator: Generator, settings: Settings, gates: str = check.DEFAULT_GATES
) -> Parts:
    """Return the parts that these objects are, with the prompt and the code of the checks as they are here.

    Without a retriever documents are ranked by their best statement.
    """
    return Parts(
        {"name": embedder.name, "identity": embedder.identity},
        {"name": retriever.name if retriever else BY_STATEMENT, "identity": retriever.identity if retriever else {}},
        {"name": generator.name, "identity": generator.identity, "options": asdict(generator.options)},
        prompt_digest(),
        {"gates": gates, "settings": asdict(settings), "code": code_digest()},
    )


def parts_here(bundle: Bundle, settings: Settings, store: Store | None = None) -> Parts:
    """Return what the names in `bundle` mean here and now, with `settings`. A model that cannot be used has an identity that says so."""
    from rocite import embed, generate, retrieve

    options, retriever = bundle.generator["options"], bundle.retriever["name"]
    own = {"name": BY_STATEMENT, "identity": {}}
    return Parts(
        _named(bundle.embedder["name"], lambda name: embed.load(name, store)),
        own if retriever == BY_STATEMENT else _named(retriever, lambda name: retrieve.load(name, store)),
        {**_named(bundle.generator["name"], lambda name: generate.load(name, Options(**options), store)), "options": options},
        prompt_digest(),
        {"gates": check.DEFAULT_GATES, "settings": asdict(settings), "code": code_digest()},
    )


def _named(name: str, load: Callable[[str], Embedder | Retriever | Generator]) -> dict:
    try:
        identity = load(name).identity
    except (ModelError, UnknownNameError, OSError, TypeError) as error:  # TypeError: options of another version
        identity = {ABSENT: str(error)}
    return {"name": name, "identity": identity}


def shares(questions: Iterable[str]) -> dict[str, float]:
    """Return the share of each language among `questions`, read as the boundary reads them: Romanian where their words do not tell.

    Raises InputError without questions.

    >>> shares(["Cât costă o cutie?", "What does a box cost?", "AS-3?", "Unde este biroul?"])
    {'ro': 0.75, 'en': 0.25}
    """
    found = [Request(q).lang for q in questions]
    if not found:
        raise InputError("no question to count languages of; expected at least one.")
    return {lang: round(found.count(lang) / len(found), 6) for lang in LANGUAGES}


def document_digest(document: Document) -> str:
    """Return ``sha256:...`` over a document without its scope, which is a permission."""
    plain = tuple(pair for pair in document.metadata if pair[0] != "scope")
    return sha256_of(dumps(asdict(replace(document, metadata=plain))))


def permissions(corpus: Corpus) -> dict[str, list[str]]:
    """Return the scopes of each document, sorted, by its id."""
    return {d.id: sorted(set(d.scopes)) for d in corpus.documents}


def prompt_digest() -> str:
    """Return ``sha256:...`` over what every grounded prompt has: instruction, examples, layout, opening and stop strings."""
    empty = prompt.grounded("", ())
    return sha256_of(empty.prompt, *empty.stop)


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return ``sha256:...`` over the code of `rocite.check` and of every rocite module and word list that it imports."""
    from rocite.workflow.plan import code_digests

    source = Path(__file__).resolve().parents[2]
    return sha256_of(*(part for item in code_digests(source, ["from rocite import check"]).items() for part in item))
