"""Constructed documents for the stress pairs: made from a case's own documents by rule, never typed by hand.

Decides how a statement is made to disagree with itself, how it is made to speak of another machine or service, and how a
required statement is taken out. What is made is marked ``constructed: "yes"``, is in force on the day asked about and
may be seen by whoever may see its model. No rule looks at what a check would say of its result, so that no pair is
chosen for being easy. Numbers and negations follow `rocite.evaluate.faults`, which no check of an answer reads.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace

from rocite.boundary.evidence import said_by, told
from rocite.corpus import Corpus, Document
from rocite.errors import InputError
from rocite.evaluate.answerability.cases import Case, Unit
from rocite.evaluate.faults.base import CODE, Source, table_rule
from rocite.evaluate.faults.numbers import UNITS, numbers_in, put, scaled, takes_de
from rocite.evaluate.faults.wrong_parts import another_number_word, dropped_not, inserted_not, shifted_time
from rocite.evaluate.gold import Passage
from rocite.evaluate.parts import shuffled
from rocite.evaluate.stress import Seed
from rocite.text import sentence_spans

REACH = 2  # statements on either side that count as neighbours
_WORDED = (another_number_word, shifted_time, table_rule("frequency"))  # figures in words, dates, frequencies
_NEGATED = (inserted_not, dropped_not, table_rule("polarity"))
_YEAR = re.compile(r"(?:19|20)\d\d")  # documents write other numbers of this size with a point or comma
_REVOKED = {"ro": "Nu se mai aplică regula potrivit căreia", "en": "The rule no longer applies that"}
_SERVICE = {"ro": "Serviciul", "en": "Service"}
_OFFICE = {"ro": "Alt birou", "en": "Another office"}


def contrary(text: str, lang: str) -> str:
    """Return `text` with its last figure changed, in digits or else in words; where it has none, with its negation.

    >>> contrary("Curierul plătește 10 colete în cel mult 12 zile.", "ro"), contrary("Este interzis accesul.", "ro")
    ('Curierul plătește 10 colete în cel mult 24 de zile.', 'Este permis accesul.')
    """
    found = [(m, _figure(text, m, lang)) for m in _numbers(text, lang)]
    if found:
        return put(text, *found[-1])
    for rule in (*_WORDED, *_NEGATED):
        for changed, _ in rule(_source(text, lang)):
            if changed != text and "at twice" not in changed:  # "at once" is no frequency
                return changed
    return f"{_REVOKED[lang]} {text if text[1:2].isupper() or text[1:2] == '-' else text[0].lower() + text[1:]}"


def elsewhere(text: str, lang: str, highest: dict[str, int]) -> str:
    """Return `text` with other identifiers and other figures; `highest` is the highest number known for an identifier's letters.

    >>> elsewhere("Ascensorul AS-3 duce 8 persoane sau 630 kg.", "ro", {"AS": 3})
    'Ascensorul AS-6 duce 16 persoane sau 1.260 kg.'
    """
    for m in reversed(_numbers(text, lang)):
        text = put(text, m, _figure(text, m, lang))
    return re.sub(CODE, lambda m: _renamed(m[0], highest), text)


def identifiers(corpus: Corpus) -> dict[str, int]:
    """Return, for the letters of every identifier in `corpus`, the highest number that stands behind them."""
    highest: dict[str, int] = {}
    for d in corpus.documents:
        for code in re.findall(CODE, f"{d.title}\n{d.body}"):
            letters, number = _parted(code)[:2]
            highest[letters] = max(highest.get(letters, 0), int(number))
    return highest


def elsewhere_document(case: Case, corpus: Corpus, highest: dict[str, int]) -> Document:
    """Return a document that says what stands beside the first required statement, of another machine or service and with other figures.

    It declares no asset, and holds no statement of a required unit.
    """
    passage = _passage(case.units[0], case, corpus)
    model = corpus[passage.doc]
    lang = model.lang or case.lang
    title = elsewhere(model.title, lang, highest)
    if not re.search(CODE, model.title):
        title = f"{_SERVICE[lang]} SV-{highest.get('SV', 0) + 1}: {title}"
    quotes = [p.quote for unit in case.units for p in unit]
    said = [elsewhere(t, lang, highest) for t in neighbours(model, passage.quote, quotes)]
    if not said:
        raise InputError(f"{case.id}: {model.id} says nothing beside what the case requires; there is no neighbour to copy.")
    return _document(f"stress-noise-{case.id}", title, said, model, lang, model.field("owner"), model.field("effective_from"))


def conflicting_document(case: Case, corpus: Corpus) -> Document:
    """Return a document of another owner, in force from a later day, that contradicts the first required statement and supersedes nothing."""
    passage = _passage(case.units[0], case, corpus)
    model = corpus[passage.doc]
    lang = model.lang or case.lang
    text = next((s.text for s in told(model) if said_by(s.text, passage.quote)), passage.quote)
    owners = [d.field("owner") for d in corpus.documents if d.lang == model.lang and d.field("owner") not in ("", model.field("owner"))]
    owner = (shuffled(owners, case.id) or [_OFFICE[lang]])[0]
    day = _later(model.field("effective_from"), case.at)
    revision = str(int(model.revision) + 1) if model.revision.isdigit() else ""
    more = {"asset": model.asset, "revision": revision}
    return _document(f"stress-conflict-{case.id}", model.title, [contrary(text, lang)], model, lang, owner, day, more)


def without(corpus: Corpus, unit: Unit) -> Corpus:
    """Return `corpus` without the statements of `unit`; everything else of their documents stays. Raises InputError when nothing would."""
    cut = {p.doc: _cut(corpus[p.doc], [q.quote for q in unit if q.doc == p.doc]) for p in unit}
    return Corpus(tuple(cut.get(d.id, d) for d in corpus.documents), corpus.name)


def neighbours(document: Document, quote: str, required: Sequence[str]) -> list[str]:
    """Return the nearest `REACH` statements on either side of the one with `quote` that hold nothing required; a row of a table with its head."""
    every = [s.text for s in told(document)]
    at = next((n for n, text in enumerate(every) if said_by(text, quote)), 0)
    free = [n for n, text in enumerate(every) if not any(said_by(text, q) for q in required)]
    return [every[n] for n in [*[n for n in free if n < at][-REACH:], *[n for n in free if n > at][:REACH]]]


def _passage(unit: Unit, case: Case, corpus: Corpus) -> Passage:
    """The alternative in the language of the question, else the first."""
    return next((p for p in unit if corpus[p.doc].lang == case.lang), unit[0])


def _numbers(text: str, lang: str) -> list[re.Match]:
    return [m for m in numbers_in(text, lang) if not _YEAR.fullmatch(m[0])]


def _figure(text: str, m: re.Match, lang: str) -> str:
    """Another number in the place of `m`, behind which the noun keeps its form: doubled, else plus one, else ten times."""
    tail = text[m.end() :]
    percent = re.match(r" ?(?:%|la sută|per cent)", tail)
    bare = lang == "ro" and re.match(r" (?:de )?[a-zăâîșț]{4,}", tail) and not re.match(rf" (?:de )?{UNITS}", tail)
    for turn in (1,) if percent else (0, 1, 2):
        new = scaled(m[0], lang, turn)
        if new != m[0] and not (bare and takes_de(new) != takes_de(m[0])):
            return new
    return scaled(m[0], lang, 1)


def _source(text: str, lang: str) -> Source:
    return Source(Seed("0", lang, "", "", (), "", text, "", "", None, None, "", "", ""), "")


def _parted(code: str) -> tuple[str, str, str, str]:
    letters, dash, number, tail = re.fullmatch(r"([A-Z]+)(-?)(\d+)([A-Z]?)", code).groups()
    return letters, number, dash, tail


def _renamed(code: str, highest: dict[str, int]) -> str:
    letters, number, dash, tail = _parted(code)
    return f"{letters}{dash}{int(number) + highest.get(letters, int(number)):0{len(number)}d}{tail}"


def _document(
    name: str, title: str, said: Sequence[str], model: Document, lang: str, owner: str, since: str, more: dict[str, str] | None = None
) -> Document:
    kept = {k: model.field(k) for k in ("authority", "impact", "scope")}
    fields = {**kept, "owner": owner, "effective_from": since, **(more or {}), "constructed": "yes"}
    metadata = tuple(sorted((k, v) for k, v in fields.items() if v))
    return Document(name, title, _body(said), "constructed from " + model.id, model.checked, lang, metadata)


def _body(said: Sequence[str]) -> str:
    lines: list[str] = []
    for text in said:
        head, row = _row(text)
        lines += [row] if head and head in lines else [head, row] if head else [row]
    return "\n".join(lines)


def _row(text: str) -> tuple[str, str]:
    """The head and the row of a table's statement; ("", text) for a sentence."""
    if not text.startswith("|"):
        return "", text
    bars = [m.end() for m in re.finditer(r"\|", text)]
    half = bars[len(bars) // 2 - 1]
    return text[:half], text[half:].strip()


def _later(since: str, at: str) -> str:
    """The day halfway from `since` to `at`, `at` itself where that is no later day."""
    if not since or since >= at:
        return at
    first, last = datetime.date.fromisoformat(since), datetime.date.fromisoformat(at)
    return (first + datetime.timedelta(days=-(-(last - first).days // 2))).isoformat()


def _cut(document: Document, quotes: Sequence[str]) -> Document:
    left, open_line = "", False
    for start, end in sentence_spans(document.body):
        piece = document.body[start:end]
        if any(c.isalnum() for c in piece) and any(said_by(piece.strip(), q) for q in quotes):
            open_line = not piece.endswith("\n")  # the line goes with what stood on it
        elif not (open_line and piece == "\n" and left[-1:] in ("", "\n")):
            left, open_line = left + piece, False
        else:
            open_line = False
    if not left.strip():
        raise InputError(f"{document.id}: nothing is left of it without {quotes[0][:60]!r}; it cannot stay in the context.")
    return replace(document, body=left.strip())
