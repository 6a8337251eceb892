"""Stress items: answers with one known fault, and faithful ones in other words, laid out beside their documents.

Decides what an item, a seed and a pair are, to which part a document belongs, and in which order the fragments of an
item stand. The two parts are kept apart by document: what was tuned on the documents of one part is judged on the
other, and every revision of a document is in the same part. Refuses a line that cannot be used, with file and line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from rocite import corpus
from rocite.check import fragment
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.parts import SOURCES, cited, shuffled, untouched
from rocite.gates.base import Fragment
from rocite.records import read_text
from rocite.text import fold

FAULTS = tuple("quantity polarity direction qualifier entity focus quotation evidence".split())
VARIANTS = tuple("inflected reordered shortened spelling number_words synonyms list".split())
KINDS = FAULTS + VARIANTS
ORIGINS = ("hand", "rule", "model")
PARTS = ("tuning", "untouched")

Laid = tuple[str, tuple[Fragment, ...], str]  # question, fragments in their order, answer with its sources line


@dataclass(frozen=True)
class Item:
    """One answer about the document `doc`; `others` stand beside it uncited, `also_cited` names those that are cited too.

    `fault` tells whether the answer has to be stopped; `why` says what is wrong, or why it stays true; `seed` is the
    truthful answer that a rule or a model started from, "" where there is none.
    """

    id: str
    kind: str
    fault: bool
    lang: str
    corpus: str
    doc: str
    others: tuple[str, ...]
    question: str
    answer: str
    why: str
    also_cited: tuple[str, ...] = ()
    origin: str = "hand"
    seed: str = ""

    def record(self) -> dict:
        """Return the item as the object of its line; what is empty is left out."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items() if v not in ("", ())}


@dataclass(frozen=True)
class Seed:
    """A truthful answer with what the rules change in it; `swap` and `synonym` are (from, to) or None.

    `neighbour` and `second` are statements of the same document that do not answer the question.
    """

    id: str
    lang: str
    corpus: str
    doc: str
    others: tuple[str, ...]
    question: str
    answer: str
    neighbour: str
    second: str
    swap: tuple[str, str] | None
    synonym: tuple[str, str] | None
    inflected: str
    reordered: str
    short: str


def family(doc_id: str) -> str:
    """Return the key of a document: its id without the number of its revision.

    >>> family("colete-r2"), family("bazin-inot")
    ('colete', 'bazin-inot')
    """
    return re.sub(r"-r\d+$", "", doc_id)


def part(doc_id: str) -> str:
    """Return "untouched" when the SHA-256 of the document's key is odd, "tuning" otherwise.

    >>> part("colete-r1") == part("colete-r2"), part("bazin-inot")
    (True, 'tuning')
    """
    return "untouched" if untouched(family(doc_id)) else "tuning"


# --- reading -------------------------------------------------------------------------------------------------------


def load_corpora(folder: Path) -> dict[str, Corpus]:
    """Load every corpus of a folder of corpora, by the name of its own folder."""
    return {f.name: corpus.load(f) for f in sorted(Path(folder).iterdir()) if f.is_dir()}


def load(path: Path, corpora: Mapping[str, Corpus]) -> list[Item]:
    """Read the stress items of the JSON Lines file at `path`, in order.

    An item without `origin` is by hand when the file's name begins with "hand-". Raises InputError naming file and
    line for an unknown kind, a fault flag that is not the kind's, a missing document, an id that comes twice, an
    empty answer, and a field that is missing, unknown or of another type.
    """
    by_hand = Path(path).name.startswith("hand-")
    found = []
    for place, record in _records(path):
        if by_hand:
            record.setdefault("origin", "hand")
        elif "origin" not in record:
            raise InputError(f"{place}: 'origin' is missing; only in files named hand-*.jsonl may it be left out.")
        item = _made(Item, record, place)
        if item.kind not in KINDS:
            raise InputError(f"{place}: unknown kind {item.kind!r}; known: {', '.join(KINDS)}.")
        if item.fault is not (item.kind in FAULTS):
            raise InputError(f"{place}: kind {item.kind!r} has fault {str(item.kind in FAULTS).lower()}; found {item.fault!r}.")
        if item.origin not in ORIGINS:
            raise InputError(f"{place}: unknown origin {item.origin!r}; known: {', '.join(ORIGINS)}.")
        _check_documents(item, (*item.others, *item.also_cited), corpora, place)
        found.append(item)
    return found


def load_seeds(path: Path, corpora: Mapping[str, Corpus]) -> list[Seed]:
    """Read the seeds of the JSON Lines file at `path`, in order.

    Raises InputError naming file and line as `load` does, for a swap or synonym that does not stand in the answer,
    and for a document of the untouched part, on which no rule may start.
    """
    found = []
    for place, record in _records(path):
        for name in ("swap", "synonym"):
            if (change := record.get(name)) is not None:
                if not isinstance(change, dict) or change.get("from", "\0") not in str(record.get("answer")) or not change.get("to"):
                    raise InputError(f"{place}: {name!r} needs 'from', which stands in the answer, and 'to'; found {change!r}.")
                record[name] = (change["from"], change["to"])
        seed = _made(Seed, record, place)
        _check_documents(seed, seed.others, corpora, place)
        if part(seed.doc) != "tuning":
            raise InputError(f"{place}: {seed.doc!r} belongs to the untouched part; seeds stand on documents of the tuning part.")
        found.append(seed)
    return found


def _records(path: Path) -> list[tuple[str, dict]]:
    """The objects of the file with their places "file, line n"; ids are unique."""
    placed, seen = [], {}
    for number, line in enumerate(read_text(Path(path)).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(f"{place}: not JSON ({error}).") from error
        if not isinstance(record, dict) or not isinstance(record.get("id"), str) or not record["id"].strip():
            raise InputError(f"{place}: expected an object with an id.")
        if record["id"] in seen:
            raise InputError(f"{place}: the id {record['id']!r} is already that of line {seen[record['id']]}; ids are unique.")
        seen[record["id"]] = number
        placed.append((place, record))
    return placed


def _made(kind: type, record: dict, place: str):
    """Make a dataclass of the record: every text is a text and not empty, every list holds texts."""
    known = {f.name: str(f.type) for f in fields(kind)}
    needed = {f.name for f in fields(kind) if f.default is f.default_factory}  # both MISSING: there is no default
    missing, unknown = sorted(needed - set(record)), sorted(set(record) - set(known))
    if missing or unknown:
        raise InputError(f"{place}: " + "; ".join(f"{w} {', '.join(n)}" for w, n in (("lacks", missing), ("unknown", unknown)) if n) + ".")
    values = {}
    for name, value in record.items():
        if known[name] == "str" and (not isinstance(value, str) or (name in needed and not value.strip())):
            raise InputError(f"{place}: {name!r} is empty or no text; expected a text.")
        if known[name] == "tuple[str, ...]":
            if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
                raise InputError(f"{place}: {name!r} is {value!r}; expected a list of texts.")
            value = tuple(value)
        if known[name] == "int" and type(value) is not int:  # True is an int too
            raise InputError(f"{place}: {name!r} is {value!r}; expected a whole number.")
        values[name] = value
    if values["lang"] not in SOURCES:
        raise InputError(f"{place}: unknown language {values['lang']!r}; known: {', '.join(SOURCES)}.")
    return kind(**values)


def _check_documents(item: Item | Seed, beside: Sequence[str], corpora: Mapping[str, Corpus], place: str) -> None:
    if item.corpus not in corpora:
        raise InputError(f"{place}: unknown corpus {item.corpus!r}; known: {', '.join(corpora)}.")
    missing = [d for d in (item.doc, *beside) if d not in corpora[item.corpus].ids]
    if missing:
        raise InputError(f"{place}: no document {missing[0]!r} in corpus {item.corpus!r}.")
    if item.doc in beside:
        raise InputError(f"{place}: {item.doc!r} is the answered document and stands among the others too.")


def fragments(item: Item, corpora: Mapping[str, Corpus]) -> tuple[Fragment, ...]:
    """Return the cited documents and the others as fragments, in an order that depends on the item's id alone."""
    return tuple(fragment(corpora[item.corpus][name]) for name in shuffled((item.doc, *item.also_cited, *item.others), item.id))


def laid_out(item: Item, corpora: Mapping[str, Corpus]) -> Laid:
    """Return (question, fragments, answer); the answer ends with the line that cites the documents by number."""
    beside = fragments(item, corpora)
    return item.question, beside, _with_sources(item.answer, item.lang, beside, (item.doc, *item.also_cited))


def _with_sources(answer: str, lang: str, beside: Sequence[Fragment], names: Sequence[str]) -> str:
    return cited(answer, lang, (n for n, f in enumerate(beside, start=1) if f.id in names))


@dataclass(frozen=True)
class Pair:
    """A short text with and without the one statement that answers a question.

    `right` answers it from the whole text; `neighbour` is true to the text without the deciding statement and does
    not answer the question.
    """

    id: str
    lang: str
    subject: str
    part: str
    title: str
    statements: tuple[str, ...]
    deciding: int
    question: str
    right: str
    neighbour: str
    why: str

    @property
    def family(self) -> str:
        """The unit of resampling: the text, of which several questions may be asked."""
        return self.title

    def cases(self, pairs: Sequence[Pair]) -> tuple[Laid, Laid]:
        """Return the laid-out case with the deciding statement and the right answer, and that without it and the neighbour.

        Beside the text stand, uncited, the texts of up to two of `pairs` of the same language on other subjects, in an
        order that depends on the pair's id alone. Both cases have the same others in the same places.
        """
        texts = {p.title: p for p in pairs if p.lang == self.lang and fold(p.subject) != fold(self.subject) and p.title != self.title}
        chosen = [texts[title] for title in shuffled(list(texts), self.id)[:2]]
        order = shuffled([self.title, *(p.title for p in chosen)], f"order {self.id}")
        less = tuple(s for n, s in enumerate(self.statements) if n != self.deciding)
        return self._case(self.statements, self.right, chosen, order), self._case(less, self.neighbour, chosen, order)

    def _case(self, statements: Sequence[str], answer: str, chosen: Sequence[Pair], order: Sequence[str]) -> Laid:
        made = {p.title: Fragment(p.id, "\n".join(p.statements), p.title, lang=p.lang) for p in chosen}
        made[self.title] = Fragment(self.id, "\n".join(statements), self.title, lang=self.lang)
        beside = tuple(made[title] for title in order)
        return self.question, beside, _with_sources(answer, self.lang, beside, (self.id,))


def load_pairs(path: Path) -> list[Pair]:
    """Read the pairs of the JSON Lines file at `path`, in order.

    Raises InputError naming file and line for an unknown part, a deciding statement that is not there, an id that
    comes twice, and a field that is missing, unknown, empty or of another type.
    """
    found = []
    for place, record in _records(path):
        pair = _made(Pair, record, place)
        if pair.part not in PARTS:
            raise InputError(f"{place}: unknown part {pair.part!r}; known: {', '.join(PARTS)}.")
        if not 0 <= pair.deciding < len(pair.statements) or len(pair.statements) < 2:
            raise InputError(
                f"{place}: 'deciding' is {pair.deciding}; expected a position among {len(pair.statements)} statements, from 0."
            )
        found.append(pair)
    return found
