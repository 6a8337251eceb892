"""Documents and where they come from: a folder of Markdown, a JSON Lines file or a SQuAD 1.1 file.

Decides what a document is: an id that is unique, a body that is not empty, and for Markdown a front matter
with title, source and the date it was checked. Refuses everything else with one error naming file and line.
"""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rocite.errors import InputError
from rocite.records import dumps, read_jsonl, read_text, sha256_of
from rocite.text import normalise

_ROMANIAN_NAMES = {"titlu": "title", "sursa": "source", "sursă": "source", "verificat": "checked"}
_REQUIRED = ("id", "title", "source", "checked")
_ALLOWED = frozenset(
    "id title source checked lang revision authority owner impact effective_from effective_to supersedes scope constructed asset".split()
)


@dataclass(frozen=True)
class Document:
    """One document. `body` is what the gates read; `metadata` holds the other fields of the front matter."""

    id: str
    title: str
    body: str
    source: str = ""
    checked: str = ""
    lang: str = ""
    metadata: tuple[tuple[str, str], ...] = ()

    @property
    def passage(self) -> str:
        """The text that is embedded: title, newline, body."""
        return f"{self.title}\n{self.body}" if self.title else self.body

    def field(self, name: str) -> str:
        """Return a field of the front matter, "" where it is not given."""
        return dict(self.metadata).get(name, "")

    @property
    def revision(self) -> str:
        """The revision that the document declares, "" for none."""
        return self.field("revision")

    @property
    def asset(self) -> str:
        """The equipment or product that the document is about, "" for none."""
        return self.field("asset")

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes of which a request needs one to see the document; () for a public one."""
        return tuple(s for s in self.field("scope").split("|") if s and s != "public")

    @property
    def supersedes(self) -> tuple[str, ...]:
        """The ids of the documents that this one replaces."""
        return tuple(name for name in self.field("supersedes").split("|") if name)


@dataclass(frozen=True)
class Corpus:
    """Documents in a fixed order, sorted by id unless the file that holds them has an order of its own."""

    documents: tuple[Document, ...]
    name: str

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def ids(self) -> list[str]:
        """The ids of the documents, in order."""
        return [d.id for d in self.documents]

    def __getitem__(self, document_id: str) -> Document:
        return next(d for d in self.documents if d.id == document_id)

    @property
    def digest(self) -> str:
        """``sha256:...`` over the documents' contents and order, not over file names or times."""
        return sha256_of(*(dumps(asdict(d)) for d in self.documents))


def load(path: Path | str, lang: str = "") -> Corpus:
    """Load the corpus at `path`; `lang` is the language of documents that declare none.

    A folder is read as Markdown files (``README.md`` aside, sub-folders included), ``.jsonl`` as objects with
    ``id``, ``title`` and ``text``, ``.json`` as SQuAD 1.1, of which every paragraph is a document.
    Raises InputError naming file and line for a document that cannot be used, an id that comes twice, and a
    corpus without documents.
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(f for f in path.rglob("*.md") if f.name.lower() != "readme.md")
        placed = [(_from_markdown(f), str(f)) for f in files]
        placed.sort(key=lambda pair: pair[0].id)
    elif path.suffix == ".jsonl":
        placed = [(_from_object(o, f"{path}, object {n}"), f"{path}, object {n}") for n, o in enumerate(read_jsonl(path), 1)]
    elif path.suffix == ".json":
        placed = [(Document(p.id, p.title, p.text), f"{path}, paragraph {p.id}") for p in load_squad(path).paragraphs]
    else:
        found = "a file of another kind" if path.exists() else "nothing"
        raise InputError(f"{path}: expected a folder of Markdown documents, a .jsonl or a SQuAD .json file; found {found}.")
    if not placed:
        raise InputError(f"{path}: the corpus is empty; expected at least one document (*.md with front matter).")
    seen: dict[str, str] = {}
    for document, place in placed:
        if document.id in seen:
            raise InputError(f"{place}: the id {document.id!r} is already that of {seen[document.id]}; ids are unique.")
        seen[document.id] = place
    return Corpus(tuple(d if d.lang else replace(d, lang=lang) for d, _ in placed), path.name or str(path))


def _from_markdown(path: Path) -> Document:
    import frontmatter
    import yaml

    text = read_text(path)
    if not text.lstrip().startswith("---"):
        raise InputError(f"{path}, line 1: no front matter; expected '---' and at least id, title, source and checked.")
    try:
        post = frontmatter.loads(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        above = len(text) - len(text.lstrip())  # blank lines, which the parser does not count; it counts the '---'
        line = mark.line + 1 + text.count("\n", 0, above) if mark else 1
        raise InputError(f"{path}, line {line}: the front matter is not YAML ({getattr(error, 'problem', error)}).") from error
    except ValueError as error:  # a date such as 2026-13-45
        raise InputError(f"{path}, line 1: the front matter holds a value that cannot be ({error}).") from error
    fields = {_ROMANIAN_NAMES.get(str(k), str(k)): _as_text(v) for k, v in post.metadata.items()}
    if not fields:
        raise InputError(f"{path}, line 1: the front matter is empty or not closed by a line '---'.")
    missing = [name for name in _REQUIRED if not fields.get(name)]
    if missing:
        raise InputError(f"{path}, line 1: the front matter lacks {', '.join(missing)}.")
    unknown = sorted(set(fields) - _ALLOWED)
    if unknown:
        raise InputError(f"{path}, line 1: unknown front matter {', '.join(unknown)}; known: {', '.join(sorted(_ALLOWED))}.")
    if not post.content.strip():
        raise InputError(f"{path}: the document {fields['id']!r} has no text below its front matter.")
    return _document(fields, post.content, f"{path}, line 1")


def _from_object(record: dict, place: str) -> Document:
    for name in ("id", "text"):
        if not isinstance(record.get(name), str | int) or not str(record[name]).strip():
            raise InputError(f"{place}: expected {{'id', 'title', 'text'}}; {name!r} is missing or empty.")
    fields = {k: _as_text(v) for k, v in record.items() if k in _ALLOWED}
    return _document({"title": "", **fields}, str(record["text"]), place)


_DATES = ("effective_from", "effective_to")


def _document(fields: dict[str, str], body: str, place: str) -> Document:
    for name in _DATES:
        if fields.get(name) and not _is_date(fields[name]):
            raise InputError(f"{place}: {name} {fields[name]!r}; expected a date as 2026-07-15.")
    if any("\ud800" <= letter <= "\udfff" for letter in body):
        raise InputError(f"{place}: the text holds half of a letter (a lone surrogate); it is not UTF-8.")
    extra = tuple(sorted((k, v) for k, v in fields.items() if k not in {*_REQUIRED, "lang"}))
    return Document(
        id=normalise(fields["id"]).strip(),
        title=normalise(fields["title"]).strip(),
        body=normalise(body).strip(),
        source=normalise(fields.get("source", "")).strip(),
        checked=fields.get("checked", ""),
        lang=fields.get("lang", ""),
        metadata=extra,
    )


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _as_text(value: object) -> str:
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, list):
        return "|".join(_as_text(v) for v in value)
    return "" if value is None else str(value)


# --- SQuAD ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SquadQuestion:
    """One question of a SQuAD file; each of `answers` is an answer with its offset in the paragraph's text."""

    id: str
    text: str
    answers: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of a SQuAD file with the questions asked about it."""

    id: str
    article: int
    title: str
    text: str
    questions: tuple[SquadQuestion, ...]


@dataclass(frozen=True)
class Squad:
    """A SQuAD 1.1 file: articles in file order, numbered from 0."""

    paragraphs: tuple[Paragraph, ...]
    articles: tuple[str, ...]


def load_squad(path: Path | str) -> Squad:
    """Read a SQuAD 1.1 JSON file. Raises InputError when it does not have that shape."""
    path = Path(path)
    try:
        articles = json.loads(read_text(path))["data"]
        paragraphs = []
        for number, article in enumerate(articles):
            for index, p in enumerate(article["paragraphs"]):
                questions = tuple(_squad_question(q, p["context"]) for q in p["qas"])
                paragraphs.append(Paragraph(f"{number:03d}-{index:03d}", number, "", normalise(p["context"]).strip(), questions))
        titles = tuple(str(a.get("title", n)) for n, a in enumerate(articles))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not a SQuAD 1.1 file ({type(error).__name__}: {error}).") from error
    except RecursionError as error:
        raise InputError(f"{path}: not a SQuAD 1.1 file (nested too deeply).") from error
    return Squad(tuple(paragraphs), titles)


def _squad_question(question: dict, context: str) -> SquadQuestion:
    answers = tuple((normalise(a["text"]), len(normalise(context[: a["answer_start"]]).lstrip())) for a in question.get("answers", ()))
    return SquadQuestion(str(question["id"]), normalise(question["question"]).strip(), answers)


# --- what a question may see ------------------------------------------------------------------------------


def visible(corpus: Corpus, scopes: tuple[str, ...] = (), at: str | None = None, authorities: tuple[str, ...] = ()) -> Corpus:
    """Return the documents that a request with `scopes` may see and that are in force on the date `at` (ISO).

    A document without ``scope`` is public; one with a scope is seen only by a request that has it. On `at`, a document
    is out of force outside its dates, and once another in force names it in ``supersedes``; without `at` nothing is left
    out for its date. `authorities`, where given, are the only kinds of document wanted. Raises InputError when `at` is
    no date.
    """
    if at is not None:
        try:
            at = datetime.date.fromisoformat(at).isoformat()
        except ValueError as error:
            raise InputError(f"--at {at!r}: expected a date as 2026-07-15.") from error
    in_force = [d for d in corpus.documents if at is None or _in_force(d, at)]
    superseded = {name for d in in_force for name in d.supersedes} if at else set()
    kept = [
        d
        for d in in_force
        if d.id not in superseded
        and (not d.scopes or set(d.scopes) & set(scopes))
        and (not authorities or d.field("authority") in authorities)
    ]
    return Corpus(tuple(kept), corpus.name)


def _in_force(document: Document, at: str) -> bool:
    return at >= document.field("effective_from") and not (document.field("effective_to") and at > document.field("effective_to"))
