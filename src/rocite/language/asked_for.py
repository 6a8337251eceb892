"""What kind of value a question asks for - how long, how often, how much money, how warm - and whether a statement gives one.

Read by rules from the words of the question, in Romanian and English. A question that asks for no value asks for nothing
here. Finer than `question_focus.expected_kind`, which tells numbers and dates alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rocite.language.quantities import Quantity
from rocite.text import fold

_TIMES = frozenset("second minute hour day week month year".split())
_UNITS = {
    "duration": _TIMES,
    "money": frozenset("lei euro percent eur ron usd bani".split()),
    "temperature": frozenset(("celsius",)),
    "pressure": frozenset("bar mbar pa kpa mpa".split()),
    "weight": frozenset("g kg t mg".split()),
    "length": frozenset("mm cm m km".split()),
    "share": frozenset(("percent",)),
}
_KINDS = {
    "duration": frozenset(("date", "time")),
    "frequency": frozenset(("frequency",)),
    "clock": frozenset(("time",)),
    "date": frozenset(("date", "time")),
}
_FREE = re.compile(r"\b(?:gratuit\w*|gratis|scutit\w*|free|exempt\w*|nu se (?:percepe|plateste)|no (?:charge|fee))\b")
_NOW = re.compile(r"\b(?:imediat\w*|de indata|pe loc|at once|immediately|aceeasi zi|same day|never|niciodata|nelimitat\w*|unlimited)\b")
_ASKED = tuple(
    (name, re.compile(pattern, re.VERBOSE))
    for name, pattern in (
        ("frequency", r"""\b(?:cat[ ]de[ ]des | la[ ](?:ce|cat)[ ](?:interval\w*|timp[ ]se) | de[ ]cate[ ]ori | cu[ ]ce[ ]frecvent\w* | la[ ]cat[ ]timp
            | how[ ](?:often|frequently|regularly) | (?:what|which|at[ ]what|at[ ]which)[ ]intervals? | how[ ]many[ ]times)\b"""),
        ("clock", r"""\b(?:la[ ]ce[ ]or[ae] | intre[ ]ce[ ]ore | in[ ]ce[ ](?:interval[ ]orar|ore) | pana[ ]la[ ]ce[ ]ora | ce[ ]program
            | (?:what|which)[ ](?:hours|opening[ ]hours) | (?:at|by|until|from)?[ ]?what[ ]time[ ](?:of|is|are|does|do|may|must|can|should)
            | between[ ](?:what|which)[ ](?:hours|times))\b"""),
        ("duration", r"""\b(?:(?:in|dupa|pentru|cu)?[ ]?cat(?:a)?[ ](?:timp|vreme|dureaza|tine|asteptam|astept) | cat[ ]de[ ](?:repede|curand|lung) | pana[ ]cand
            | cate[ ](?:zile|ore|minute|luni|saptamani|secunde) | (?:cati|dupa[ ]cati)[ ]ani | (?:ce|care[ ]este|care[ ]e)[ ]termen\w* | in[ ]ce[ ]termen
            | how[ ](?:long|soon|quickly|fast) | within[ ](?:what|which|how) | by[ ]when | until[ ]when | (?:what|which)[ ](?:is[ ]the[ ])?(?:deadline|time[ ]limit|period)
            | how[ ]many[ ](?:calendar[ ]|working[ ])?(?:days|hours|minutes|months|weeks|years|seconds))\b"""),
        ("money", r"""\b(?:cat[ ](?:ma[ ]|ne[ ]|te[ ]|va[ ]|se[ ]|imi[ ]|o[ ]sa[ ]|as[ ])?(?:costa|plate\w+|plat\w+|coste) | (?:ce|care[ ]este|care[ ]e|la[ ]ce)[ ](?:taxa|tarif\w*|pret\w*|cost\w*|suma|suprataxa|comision\w*|despagubir\w*)
            | ce[ ]sum[ae] | cat[ ]primesc | cat[ ]e[ ]taxa | how[ ]much[ ](?:do|does|will|would|must|is|are|money|compensation|extra|more|should) | how[ ]much[ ]\w+[ ]cost
            | (?:what|which)[ ](?:is[ ]the[ ]|does[ ]the[ ]|are[ ]the[ ])?(?:fee|fees|price|cost|charge|charges|postage|surcharge|tariff|rate|penalty|amount|sum) | what[ ](?:do|must|will|would|should)[ ]\w+[ ]pay | what[ ]does[ ]\w+.{0,40}[ ]cost)\b"""),
        ("temperature", r"\b(?:(?:ce|care|la[ ]ce|peste[ ]ce|sub[ ]ce|pana[ ]la[ ]ce)[ ](?:\w+[ ]){0,2}temperatur\w* | cat[ ]de[ ](?:frig|cald|rece|fierbinte) | cate[ ]grade | (?:what|which)[ ](?:\w+[ ]){0,2}temperature | how[ ](?:cold|hot|warm) | how[ ]many[ ]degrees)\b"),
        ("pressure", r"\b(?:(?:ce|care|la[ ]ce|peste[ ]ce|sub[ ]ce)[ ](?:\w+[ ]){0,2}presiun\w* | cati[ ]bari | (?:what|which)[ ](?:\w+[ ]){0,2}pressure | how[ ]many[ ]bars?)\b"),
        ("weight", r"\b(?:(?:ce|care)[ ](?:\w+[ ]){0,2}greutat\w* | cat[ ]cantar\w* | cat[ ]de[ ](?:greu|grea|grei|grele) | cate[ ](?:kilogram\w*|grame|kg) | (?:what|which)[ ](?:\w+[ ]){0,2}(?:weight|load) | how[ ](?:heavy|many[ ]kilos|many[ ]kilograms|many[ ]kg|many[ ]grams))\b"),
        ("share", r"\b(?:ce[ ](?:procent\w*|parte|cota) | (?:what|which)[ ](?:percentage|share|proportion|per[ ]cent))\b"),
        ("date", r"\b(?:cand|(?:in|pana[ ]in|pana[ ]la|din)[ ]ce[ ](?:data|zi|zile|luna|an)|(?:what|which|by[ ]what|on[ ]what|on[ ]which)[ ](?:date|day|days|month|year))\b"),
    )
)  # fmt: skip


def asked_for(question: str) -> tuple[str, ...]:
    """Return the kinds of value that a question asks for, () for none; a question may ask for several.

    >>> asked_for("La ce interval se gresează și cât durează?"), asked_for("How much does it cost?"), asked_for("Cine aprobă?")
    (('frequency', 'duration'), ('money',), ())
    """
    plain = " ".join(re.findall(r"\w+|[,?]", fold(question)))
    return tuple(name for name, pattern in _ASKED if pattern.search(plain))


@dataclass(frozen=True)
class Stated:
    """What a statement gives, read once: whether it says "free", whether "at once", and its values as (kind, plain unit, value)."""

    free: bool
    now: bool
    values: tuple[tuple[str, str, Value], ...]


Value = tuple[str, object, object]  # unit, low and high


def stated(text: str, quantities: Sequence[Quantity]) -> Stated:
    """Return what a statement with these quantities gives."""
    plain = fold(text)
    values = tuple((q.kind, q.unit.split("/")[0], _value(q)) for q in quantities)
    return Stated(bool(_FREE.search(plain)), bool(_NOW.search(plain)), values)


def _value(quantity: Quantity) -> Value:
    return quantity.unit, quantity.low, quantity.high


def known_values(quantities: Iterable[Quantity]) -> frozenset[Value]:
    """Return the values that a question states itself, which give no answer to it."""
    return frozenset(_value(q) for q in quantities if q.unit)


def given(kind: str, found: Stated, known: frozenset[Value] = frozenset()) -> bool:
    """Return whether a statement gives a value of `kind` that is not among the `known` ones of the question.

    "Free of charge" is a sum of money and "at once" a duration. An interval may be told as a frequency or as a duration.
    """
    if (kind == "money" and found.free) or (kind in ("duration", "frequency", "date") and found.now):
        return True
    units, kinds = _WANTED[kind]
    return any(value not in known and (k in kinds or unit in units) for k, unit, value in found.values)


_WANTED = {
    kind: (
        _UNITS.get(kind, frozenset()) | (_TIMES if kind == "frequency" else frozenset()),
        _KINDS.get(kind, frozenset()) | (frozenset(("frequency",)) if kind == "duration" else frozenset()),
    )
    for kind in (*_UNITS, *_KINDS)
}


def gives(kind: str, text: str, quantities: Sequence[Quantity], known: Iterable[Quantity] = ()) -> bool:
    """Return whether a statement with these quantities gives a value of `kind` beside the `known` ones; see `given`.

    >>> from rocite.language.quantities import quantities
    >>> [gives("duration", t, quantities(t, "ro")) for t in ("În cel mult 30 de zile.", "Potrivit art. 7 alin. (2).", "Costă 8 lei.")]
    [True, False, False]
    """
    return given(kind, stated(text, quantities), known_values(known))
