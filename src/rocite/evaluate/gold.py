"""The gold set: questions with the passages that answer them, and the part each family belongs to.

Decides what an item is and refuses one that cannot be used: a passage that does not exist or that the asker could not
see on the day, a family in both parts, a question that stands there already, a label that contradicts its passages. A
simpler set (CSV or JSON Lines with `docs`) and a SQuAD 1.1 file are read as gold sets too.
"""

from __future__ import annotations

import csv
import datetime
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from rocite import corpus as documents
from rocite import questions
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.parts import shuffled, untouched
from rocite.records import read_jsonl, read_text, sha256_of_file
from rocite.text import fold, normalise

STRATA = ("user", "expert", "adversarial", "unanswerable", "multi", "superseded")
SOURCES = ("user", "expert", "adversarial")
DIFFICULTIES = ("easy", "medium", "hard")
LANGUAGES = ("ro", "en")
PARTS = ("tuning", "untouched")
_SURROGATE = re.compile("[\ud800-\udfff]")
_IMPOSSIBLE = re.compile(r'"is_impossible"\s*:\s*true')


@dataclass(frozen=True)
class Passage:
    """A place that answers: the document and the words that do, "" for all of it."""

    doc: str
    quote: str = ""

    def span(self, corpus: Corpus) -> tuple[int, int]:
        """Return where the words stand in the document's body. Raises ValueError when they do not."""
        body = corpus[self.doc].body
        start = body.index(self.quote)
        return start, start + (len(self.quote) or len(body))


Need = tuple[Passage, ...]  # alternatives: any one of them is enough


@dataclass(frozen=True)
class Item:
    """One question. `needs` are all required, each satisfied by any of its passages; none for an unanswerable one.

    `at` is the date that is asked about ("" for none), `scope` what the asker may see beside public documents,
    `retired` the documents that are not in force then and must not be retrieved.
    """

    id: str
    question: str
    part: str
    family: str
    needs: tuple[Need, ...] = ()
    stratum: str = ""
    lang: str = ""
    source: str = ""
    difficulty: str = ""
    at: str = ""
    scope: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    answer: str = ""
    version: int = 1
    labelled_by: str = ""
    why: str = ""

    @property
    def answerable(self) -> bool:
        """Whether the documents answer the question."""
        return bool(self.needs)

    @property
    def docs(self) -> tuple[str, ...]:
        """The ids of all documents that answer, sorted."""
        return tuple(sorted({p.doc for need in self.needs for p in need}))


@dataclass(frozen=True)
class Gold:
    """A gold set with the version that its contents have: ``sha256:...`` of the file."""

    items: tuple[Item, ...]
    name: str
    version: str

    def part(self, name: str) -> tuple[Item, ...]:
        """Return the items of a part."""
        return tuple(i for i in self.items if i.part == name)


def load(path: Path | str, corpus: Corpus) -> Gold:
    """Read the gold set at `path` and check it against `corpus`.

    ``.json`` is read as SQuAD 1.1 (every article is a family), JSON Lines whose objects have `needs` as a full gold set,
    anything else as questions with `docs`, each of which is needed. Raises InputError naming file and line.
    """
    path = Path(path)
    with reading(path):
        if path.suffix == ".json":
            items = _from_squad(path, corpus)
        else:
            items = _full(path, corpus) if is_full(path) else _simple(path, corpus)
    if not items:
        raise InputError(f"{path}: no item; expected at least one question.")
    return Gold(tuple(items), path.name, sha256_of_file(path))


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise InputError naming the file for what the parsers of JSON and CSV raise beside their usual errors.

    A torn last line, which a log may have, is refused: without it every figure would have another denominator.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            yield
    except UserWarning as error:
        raise InputError(f"{path}: the last line is torn and a gold set is read whole or not at all; restore the file.") from error
    except RecursionError as error:
        raise InputError(f"{path}: nested too deeply to be a gold set.") from error
    except csv.Error as error:
        raise InputError(f"{path}: not CSV ({error}).") from error


def is_full(path: Path) -> bool:
    """Whether the file is a full gold set: one object with `needs` is enough, so that one without them is an error there."""
    return path.suffix == ".jsonl" and any("needs" in record for record in read_jsonl(path))


def sample(items: Sequence[Item], of_each: int) -> list[Item]:
    """Return up to `of_each` items of every stratum, half of them of either part, in an order that their ids alone decide."""
    chosen = []
    for stratum in dict.fromkeys(i.stratum for i in items):
        for part, count in zip(PARTS, (of_each // 2, of_each - of_each // 2), strict=True):
            known = {i.id: i for i in items if i.stratum == stratum and i.part == part}
            chosen += [known[name] for name in shuffled(known, "gold")[:count]]
    return chosen


def _usable(place: str, **texts: str) -> None:
    """Raise InputError for a text of which nothing can be seen, or that no UTF-8 file can hold (half of a pair of surrogates)."""
    for name, text in texts.items():
        if _SURROGATE.search(text):
            raise InputError(f"{place}: {name} {text!r} holds half a character (\\ud800 to \\udfff); write the character itself.")
        if name in ("id", "question") and not normalise(text).strip():
            raise InputError(f"{place}: {name!r} is empty.")


def _part(family: str) -> str:
    return "untouched" if untouched(family) else "tuning"


def _from_squad(path: Path, corpus: Corpus) -> list[Item]:
    squad = documents.load_squad(path)
    if _IMPOSSIBLE.search(read_text(path)):
        raise InputError(f"{path}: has questions that are marked is_impossible; expected SQuAD 1.1, of which every question has an answer.")
    bodies = {d.id: d.body for d in corpus.documents}
    translated = bodies.keys() == {p.id for p in squad.paragraphs}  # XQuAD: the same paragraphs in another language
    items, places = [], {}
    for paragraph in squad.paragraphs:
        if paragraph.id not in bodies or not (translated or bodies[paragraph.id] == paragraph.text):
            what = "is no document" if paragraph.id not in bodies else "has another text than the document"
            raise InputError(f"{path}: paragraph {paragraph.id} {what} of {corpus.name}; give the same paragraphs as --corpus.")
        title = squad.articles[paragraph.article]
        need = ((Passage(paragraph.id),),)
        for q in paragraph.questions:
            place = f"{path}, paragraph {paragraph.id}"
            _usable(place, id=q.id, title=title, text=q.text)
            if (first := places.setdefault(q.id, place)) is not place:
                raise InputError(f"{place}: the id {q.id!r} stands already at {first}.")
        items += [Item(q.id, q.text, _part(title), title, need) for q in paragraph.questions if q.text]
    return items


def _simple(path: Path, corpus: Corpus) -> list[Item]:
    items = []
    for q in questions.load(path, corpus.ids):
        if (q.label == "in") != bool(q.docs):
            named = f"names {', '.join(map(repr, q.docs))}" if q.docs else "names no document"
            raise InputError(f"{path}: the question {q.id!r} is labelled {q.label!r} and {named} in docs.")
        _usable(f"{path}, question {q.id!r}", id=q.id, question=q.question, family=q.family, stratum=q.stratum)
        needs = tuple((Passage(d),) for d in dict.fromkeys(q.docs)) if q.label == "in" else ()
        items.append(Item(q.id, q.question, _part(q.family), q.family, needs, q.stratum))
    return items


# --- the full form ---------------------------------------------------------------------------------------------

_WRITTEN = {f.name for f in fields(Item)} | {"docs", "label"}
_CHOICES = {"stratum": STRATA, "source": SOURCES, "difficulty": DIFFICULTIES, "lang": LANGUAGES, "part": PARTS, "label": ("in", "out")}
_TEXTS = ("id", "question", "family", "at", "answer", "labelled_by", "why")


def _full(path: Path, corpus: Corpus) -> list[Item]:
    items: list[Item] = []
    seen: dict[str, dict[str, str]] = {"id": {}, "question": {}}
    parts: dict[str, tuple[str, str]] = {}
    visible: dict[tuple, set[str]] = {}
    for number, record in enumerate(read_jsonl(path), start=1):
        place = f"{path}, item {number}"
        item = read_item(record, place)
        for name, value in (("id", item.id), ("question", fold(item.question))):
            if value in seen[name]:
                raise InputError(f"{place}: the {name} {getattr(item, name)!r} stands already at {seen[name][value]}.")
            seen[name][value] = f"item {number}"
        part, first = parts.setdefault(item.family, (item.part, place))
        if part != item.part:
            raise InputError(f"{place}: the family {item.family!r} is {part} at {first} and {item.part} here; a family has one part.")
        key = (item.scope, item.at)
        if key not in visible:
            visible[key] = set(documents.visible(corpus, item.scope, item.at).ids)
        _check_passages(item, record, corpus, visible[key], place)
        items.append(item)
    return items


def read_item(record: Mapping, place: str) -> Item:
    """Return one record as an item, its passages not yet held against documents. Raises InputError naming `place`."""
    if missing := sorted(_WRITTEN - set(record)):
        raise InputError(f"{place}: lacks {', '.join(missing)}.")
    if unknown := sorted(set(record) - _WRITTEN):
        raise InputError(
            f"{place}: unknown {', '.join(n if n.isprintable() else repr(n) for n in unknown)}; known: {', '.join(sorted(_WRITTEN))}."
        )
    for name in _TEXTS:
        if not isinstance(record[name], str) or not record[name].strip():
            raise InputError(f"{place}: {name!r} is empty or no text.")
    for name in ("id", "family"):
        if record[name] != record[name].strip():
            raise InputError(f"{place}: {name} {record[name]!r} has blanks around it, which would make it another one.")
    _usable(place, **{name: record[name] for name in _TEXTS})
    try:
        datetime.date.fromisoformat(record["at"])
    except ValueError as error:
        raise InputError(f"{place}: at {record['at']!r}; expected a date as 2026-07-15.") from error
    for name, choices in _CHOICES.items():
        if record[name] not in choices:
            raise InputError(f"{place}: {name} {record[name]!r}; expected one of {', '.join(choices)}.")
    if type(record["version"]) is not int or record["version"] < 1:
        raise InputError(f"{place}: version {record['version']!r}; expected a whole number from 1.")
    for name in ("scope", "retired", "docs"):
        if not _texts(record[name]):
            raise InputError(f"{place}: {name} {record[name]!r}; expected a list of names.")
    try:
        needs = tuple(tuple(Passage(p["doc"], normalise(p["quote"])) for p in need) for need in record["needs"])
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{place}: needs is a list of lists of {{'doc', 'quote'}}; found {record['needs']!r}.") from error
    if not all(isinstance(p.doc, str) for need in needs for p in need):
        raise InputError(f"{place}: needs is a list of lists of {{'doc', 'quote'}}, both texts; found {record['needs']!r}.")
    if not all(needs):
        raise InputError(f"{place}: a need without any passage.")
    plain = {f.name: record[f.name] for f in fields(Item) if f.name not in ("needs", "scope", "retired")}
    plain["question"] = normalise(record["question"]).strip()
    return Item(**plain, needs=needs, scope=tuple(record["scope"]), retired=tuple(record["retired"]))


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v for v in value)


def _check_passages(item: Item, record: Mapping, corpus: Corpus, visible: set[str], place: str) -> None:
    known = set(corpus.ids)
    for passage in (p for need in item.needs for p in need):
        if passage.doc not in known:
            raise InputError(f"{place}: {passage.doc!r} is no document of {corpus.name}.")
        if not passage.quote.strip() or passage.quote not in corpus[passage.doc].body:
            raise InputError(f"{place}: the passage {passage.quote!r} does not stand in {passage.doc!r}.")
        if passage.doc not in visible:
            raise InputError(f"{place}: {passage.doc!r} is not in force on {item.at} or not open to the scope {list(item.scope)}.")
    problems = (
        (item.answerable != (record["label"] == "in"), f"label {record['label']!r} with {len(item.needs)} needs"),
        (item.answerable == (item.stratum == "unanswerable"), f"stratum {item.stratum!r} with {len(item.needs)} needs"),
        (list(item.docs) != record["docs"], f"docs {record['docs']}, but the needs name {list(item.docs)}"),
        (item.stratum == "multi" and not _several(item.needs), "stratum 'multi', but one document answers all of it"),
        (bool(set(item.retired) - known), f"retired names {sorted(set(item.retired) - known)}, which the corpus lacks"),
        (bool(set(item.retired) & visible), f"retired names {sorted(set(item.retired) & visible)}, which is in force on {item.at}"),
        (item.stratum == "superseded" and not item.retired, "stratum 'superseded' without a retired document"),
    )
    for wrong, what in problems:
        if wrong:
            raise InputError(f"{place}: {what}.")


def _several(needs: Sequence[Need]) -> bool:
    """Whether no single document satisfies every need."""
    return len(needs) > 1 and not frozenset.intersection(*(frozenset(p.doc for p in need) for need in needs))
