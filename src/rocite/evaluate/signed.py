"""What was signed: the budget and the system that it is for, and the threshold that was chosen under it.

Decides whether a record may be used. Refuses a budget that nobody signed, and a threshold whose record names a family
that is not a tuning one, leaves one out, or was made for other questions, documents or settings or under another budget.
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from rocite import generate, retrieve
from rocite.cache import Store
from rocite.corpus import Corpus
from rocite.errors import InputError, UnknownNameError
from rocite.evaluate import retrieval
from rocite.evaluate.answers import of_extracts
from rocite.evaluate.budget import SCORES, Answer, Rule, at_least, strict
from rocite.evaluate.gold import Gold, Item
from rocite.gates.base import Settings
from rocite.records import read_text

SYSTEMS = ("extractive",)  # whose answers the passages of the gold set label by themselves
GATES = ("strict",)
RETUNE = "make tune"


@dataclass(frozen=True)
class Budget:
    """A rate with its signature, and the system that it was signed for."""

    rate: float
    level: float
    owner: str
    date: str
    reason: str
    system: str
    retriever: str
    k: int
    gates: str


@dataclass(frozen=True)
class Threshold:
    """A recorded choice. `value` None says that no threshold was admissible; `score` is then the one that separated best."""

    date: str
    score: str
    value: float | None
    method: str
    rate: float
    level: float
    system: str
    retriever: str
    k: int
    gates: str
    gold_version: str
    corpus_digest: str
    settings: Mapping[str, object]
    families: tuple[str, ...]

    @property
    def rule(self) -> Rule:
        """What is released: the checks with this threshold, or the checks alone where none was admissible."""
        return strict if self.value is None else at_least(self.score, self.value)


def answered(budget: Budget, items: Sequence[Item], documents: Corpus, store: Store | None, settings: Settings) -> list[Answer]:
    """Let the budget's system answer `items` and judge what it wrote."""
    ranked = retrieval.rank(items, documents, retrieve.load(budget.retriever, store))
    generator = generate.load(budget.system, generate.Options())
    given = of_extracts(ranked, documents, generator, budget.k, settings)
    return [
        Answer(g.item, g.label, g.accepted, g.retrieved, {name: of(g, r) for name, of in SCORES.items()})
        for g, r in zip(given, ranked, strict=True)
    ]


SIGNED_FOR = ("rate", "level", "system", "retriever", "k", "gates")


def load_budget(path: Path) -> Budget:
    """Read a budget. Raises InputError for a missing or blank field, a rate outside (0, 1), no date, an unknown system."""
    record = _toml(path)
    _fields(record, {f.name for f in fields(Budget)}, path, "a budget is signed: it needs")
    for name in ("owner", "date", "reason", "system", "retriever", "gates"):
        if not isinstance(record[name], str) or not record[name].strip():
            raise InputError(f"{path}: {name} is {record[name]!r}; expected text. A budget without its signature is none.")
    for name in ("rate", "level"):
        if type(record[name]) is not float or not 0 < record[name] < 1:
            raise InputError(f"{path}: {name} is {record[name]!r}; expected a number above 0 and below 1.")
    _date(record["date"], path)
    if type(record["k"]) is not int or record["k"] < 1:
        raise InputError(f"{path}: k is {record['k']!r}; expected a whole number of documents from 1.")
    for name, kind, known in (("system", "system under a budget", SYSTEMS), ("gates", "gates under a budget", GATES)):
        if record[name] not in known:
            raise InputError(f"{path}: {UnknownNameError(kind, record[name], list(known))}")
    return Budget(**{**record, "reason": record["reason"].strip()})


def load_threshold(path: Path) -> Threshold:
    """Read a recorded threshold. Raises InputError when there is none, or something in it is missing or of the wrong kind."""
    record = _toml(path)
    wanted = {f.name for f in fields(Threshold)} - {"value"}
    _fields({k: v for k, v in record.items() if k not in ("value", "admissible", "tried", "manifest")}, wanted, path, "it needs")
    if record["score"] not in SCORES:
        raise InputError(f"{path}: {UnknownNameError('score', str(record['score']), list(SCORES))}")
    value, admissible = record.get("value"), record.get("admissible")
    if admissible not in (True, False) or admissible != (type(value) is float and 0 <= value <= 1):
        raise InputError(
            f"{path}: admissible = {admissible!r} with value = {value!r}; expected true with a value from 0 to 1, or false without."
        )
    _date(record["date"], path)
    families = record["families"].get("names") if isinstance(record["families"], dict) else None
    if not isinstance(families, list) or not families or not all(isinstance(f, str) for f in families):
        raise InputError(f"{path}: families.names: expected the families that the threshold was chosen on. Choose it anew: {RETUNE}.")
    return Threshold(**{name: record[name] for name in wanted - {"families"}}, value=value, families=tuple(families))


def shaping(settings: Settings, least: int) -> dict[str, object]:
    """Return what shapes a choice beside budget, questions and documents, as it is recorded; a threshold that is None is none."""
    return {name: value for name, value in asdict(settings).items() if value is not None} | {"least_families": least}


def problems(threshold: Threshold, budget: Budget, gold: Gold, documents: Corpus, settings: Mapping[str, object]) -> list[str]:
    """Return why a recorded threshold may not be used here, in words; empty when it may."""
    parts = {item.family: item.part for item in gold.items}
    tuning = {family for family, part in parts.items() if part == "tuning"}
    untouched = sorted(f for f in threshold.families if parts.get(f) == "untouched")
    unknown = sorted(f for f in threshold.families if f not in parts)
    missing = sorted(tuning - set(threshold.families))
    found = [f"it was chosen on the untouched family {f!r}" for f in untouched[:1]]
    found += [f"it names the family {f!r}, which the gold set lacks" for f in unknown[:1]]
    found += [f"the tuning family {f!r} had no say in it" for f in missing[:1]]
    signed, made = asdict(budget), asdict(threshold)
    pairs = [("gold set", threshold.gold_version, gold.version), ("documents", threshold.corpus_digest, documents.digest)]
    pairs += [(name, made[name], signed[name]) for name in SIGNED_FOR]
    pairs += [(f"setting {n}", threshold.settings.get(n), settings.get(n)) for n in sorted(settings.keys() | threshold.settings.keys())]
    return found + [f"{what}: it was chosen for {was}, here is {now}" for what, was, now in pairs if was != now]


def _toml(path: Path) -> dict:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {error}.") from error


def _fields(record: Mapping, wanted: set[str], path: Path, words: str) -> None:
    if missing := sorted(wanted - record.keys()):
        raise InputError(f"{path}: lacks {', '.join(missing)}; {words} {', '.join(sorted(wanted))}.")
    if unknown := sorted(record.keys() - wanted):
        raise InputError(f"{path}: unknown {', '.join(unknown)}; known: {', '.join(sorted(wanted))}.")


def _date(text: object, path: Path) -> None:
    try:
        datetime.date.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}: date is {text!r}; expected a date as 2026-07-15.") from error
