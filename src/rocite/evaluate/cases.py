"""The four end-to-end cases, each in ten phrasings: answered rightly, answered wrongly, or refused.

Decides whether an answer is right by the case's own list of facts: all `must` patterns have to occur in it and
none of the `never` patterns may, on folded text; the lists were written before any of these answers was recorded.
Words can stand in a false sentence, so every recorded answer that matches was read as well, and a reading of
"wrong" is the last word. A case that must be refused has no right answer.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rocite.check import Judgement
from rocite.errors import InputError
from rocite.records import read_text
from rocite.text import fold

OUTCOMES = ("answered rightly", "answered wrongly", "refused")


@dataclass(frozen=True)
class EndToEndCase:
    """One case. `phrasings[0]` is the published one; `answerable` tells whether the corpus answers it."""

    id: str
    title: str
    answerable: bool
    phrasings: tuple[str, ...]
    published: str
    must: tuple[str, ...]
    never: tuple[str, ...]


def load(path: Path) -> tuple[list[EndToEndCase], dict[str, object]]:
    """Read the cases and the table ``[ungrounded]``. Raises InputError for a case that is incomplete."""
    try:
        data = tomllib.loads(read_text(path))
        found = [
            EndToEndCase(
                c["id"],
                c["title"],
                c["answerable"],
                tuple(c["phrasings"]),
                c["published"],
                tuple(c.get("must", ())),
                tuple(c.get("never", ())),
            )
            for c in data["case"]
        ]
        ungrounded = dict(data["ungrounded"])
    except (KeyError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: a case is incomplete ({error}).") from error
    for case in found:
        if len(set(case.phrasings)) != len(case.phrasings) or not case.phrasings:
            raise InputError(f"{path}: case {case.id}: phrasings are missing or repeated.")
        if case.answerable and not case.must:
            raise InputError(f"{path}: case {case.id} is answerable and has no facts to be right by.")
    return found, ungrounded


def is_right(text: str, must: Sequence[str], never: Sequence[str] = ()) -> bool:
    """Whether `text`, folded, matches every pattern of `must` and none of `never`; False without `must`.

    >>> is_right("Numărul este GRATUIT.", ["gratuit"], ["lei"])
    True
    """
    folded = fold(text)
    return bool(must) and all(re.search(p, folded) for p in must) and not any(re.search(p, folded) for p in never)


Readings = dict[tuple[str, str], bool]  # (case, answer) -> whether a reader found it right


def load_readings(path: Path) -> Readings:
    """Read what a reader found of recorded answers (CSV: case, reading, why, answer).

    Raises InputError naming the line for a reading other than right or wrong, and for one without its reason.
    """
    found: Readings = {}
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    for row in reader:
        if row["reading"] not in ("right", "wrong") or not row["why"]:
            raise InputError(f"{path}, line {reader.line_num}: reading {row['reading']!r}; expected right or wrong, and why.")
        found[row["case"], row["answer"]] = row["reading"] == "right"
    return found


def answers_rightly(case: EndToEndCase, text: str, readings: Readings) -> bool:
    """Whether `text` is a right answer to `case`: it states the facts and no reader found it wrong."""
    return case.answerable and is_right(text, case.must, case.never) and readings.get((case.id, text), True)


def outcome(case: EndToEndCase, judgement: Judgement, text: str, readings: Readings) -> str:
    """Return one of `OUTCOMES`: an abstention counts as refused, an answer to an unanswerable case as wrong."""
    if judgement.verdict != "accepted":
        return "refused"
    return "answered rightly" if answers_rightly(case, text, readings) else "answered wrongly"


def orders(count: int) -> list[tuple[int, ...]]:
    """Return every order of `count` fragments, the retrieved one first.

    >>> orders(3)[:2], len(orders(3))
    ([(0, 1, 2), (0, 2, 1)], 6)
    """
    return list(itertools.permutations(range(count)))
