"""Ranges, lists and bounds: what the words between and around numbers make of them.

Decides which two numbers are one range, which unit a bare number shares with the next, and whether "cel mult",
"at least" or "peste" turns a value into a bound. Takes the findings of one text in order.
"""

from __future__ import annotations

from itertools import pairwise

from rocite.language.lexicon import WENT
from rocite.language.number_words import SMALL
from rocite.language.scan.dates import MONTHS, at_time
from rocite.language.scan.tokens import PAD, Found, Tokens, is_digits

_BETWEEN = frozenset(("intre", "between"))
_DASHES = frozenset("-–—")
_TO = (("la",), ("pana", "la"), ("si", "pana", "la"), ("to",), ("up", "to"), ("pana", "in"), ("until",), ("till",), ("and",), ("si",))
_ALTERNATIVES = frozenset(("sau", "si", "or", "and", "ori", ","))


def combine(t: Tokens, found: list[Found]) -> list[Found]:
    """Return the findings with ranges joined, shared units given and bounds set."""
    for a, b in pairwise(found):
        if a.kind == "reference" and b.bare and _next_reference(t, a, b):
            unit = a.unit if t.words[a.j] != "(" else "paragraph"  # "Article 3(2)"
            b.kind, b.unit, b.ref, b.year, b.date = "reference", unit, t.words[b.i], False, ""
    for k in range(len(found) - 2, -1, -1):
        _share(t, found[k], found[k + 1])
    joined: list[Found] = []
    for item in found:
        if joined and joined[-1].bound != "range" and _is_range(t, joined[-1], item):
            joined[-1] = _range(t, joined[-1], item)
        else:
            joined.append(item)
    last = PAD
    for k, item in enumerate(joined):
        if item.bound != "range" and item.kind not in ("reference", "ordinal"):
            _bound(t, item, last, joined[k + 1].i if k + 1 < len(joined) else t.n)
        last = item.j
    return joined


# --- ranges and lists ------------------------------------------------------------------------------------


def _is_range(t: Tokens, a: Found, b: Found) -> bool:
    """Whether `a` and `b` are the ends of one range by what stands between and before them."""
    gap = tuple(t.words[a.j : b.i]) if b.i - a.j <= 3 else ()
    before = t.words[a.i - 1]
    if len(gap) == 1 and gap[0] in _DASHES:
        joined = True
    elif gap in _TO:
        if gap[0] in ("si", "and"):
            joined = before in _BETWEEN or (before in ("orele", "datele", "anii", "the") and t.words[a.i - 2] in _BETWEEN)
        elif gap == ("la",):
            joined = t.words[a.i - 2 : a.i] == ["de", "la"] or ((a.bare or a.shared) and bool(b.unit))
        elif gap[0] in ("until", "till", "pana", "si", "up"):
            joined = (
                a.bare or a.shared or t.words[a.i - 2 : a.i] == ["de", "la"] or before in ("from", "din") or a.kind == b.kind != "amount"
            )
        else:
            joined = True
    else:
        joined = False
    return joined and _alike(t, a, b)


def _alike(t: Tokens, a: Found, b: Found) -> bool:
    """Make the ends of a range alike where one leaves out what the other says; False if they cannot be."""
    if a.kind in ("reference", "ordinal") or b.kind in ("reference", "ordinal"):
        return False
    if a.bare and b.kind == "time" and a.raw is not None and a.raw <= 24 and a.raw == a.raw.to_integral_value():
        start = at_time(a.i, a.j, int(a.raw), 0)
    elif a.bare and not a.year and b.kind == "date" and b.date.count("-") > 1 and a.raw is not None:
        start = _day_before(a, b)
    else:
        start = None
        if a.kind == "date" and b.bare and not b.year and t.words[a.i] in MONTHS and len(a.date) > 7 and (end := _day_before(b, a)):
            _become(b, end)  # "Jan. 17-18"
    if start:
        _become(a, start)
        return True
    if a.bare and b.bare and (times := [_dotted_time(t, a), _dotted_time(t, b)]) and all(times):
        _become(a, times[0])
        _become(b, times[1])
    if a.kind == "time" and b.bare and b.raw is not None and b.raw <= 24 and b.raw == b.raw.to_integral_value():
        end = at_time(b.i, b.j, int(b.raw), 0)
        if end:
            _become(b, end)
        return bool(end)
    if a.kind == "date" and b.kind == "date":
        if a.date.startswith("--") and not a.date.startswith("---") and b.date[0].isdigit() and len(b.date) == 10:
            a.date = b.date[:4] + a.date[1:]
        return True
    return a.kind == b.kind and a.unit == b.unit and (a.counted == b.counted or not a.counted or not b.counted)


def _dotted_time(t: Tokens, a: Found) -> Found | None:
    """Return the bare number `a` as a time if it is written as one: "8.30" where a decimal would have a comma."""
    hour, point, minute = t.words[a.i].partition(".")
    if t.lang != "ro" or not point or a.j - a.i != 1 or len(minute) != 2 or len(hour) > 2 or not (hour + minute).isdecimal():
        return None
    return at_time(a.i, a.j, int(hour), int(minute))


def _become(a: Found, b: Found) -> None:
    """Take over kind and value of `b`."""
    a.kind, a.date, a.low, a.high, a.unit = b.kind, b.date, b.low, b.high, ""


def _day_before(a: Found, b: Found) -> Found | None:
    """Return the bare number `a` as a day in the month of the date `b`: "10-15 martie", "15.03-20.03.2026"."""
    day, cents = divmod(a.raw, 1)
    month = f"{int(cents * 100):02}" if cents else b.date[-5:-3]
    if not 1 <= day <= 31 or not (month.isdecimal() and 1 <= int(month) <= 12):
        return None
    year = b.date[:-6] if b.date[0].isdigit() else "-"
    return Found(a.i, a.j, "date", date=f"{year}-{month}-{int(day):02}")


def _range(t: Tokens, a: Found, b: Found) -> Found:
    """Join two ends; the words that open the range belong to it."""
    start = a.i
    if t.words[start - 1] in ("orele", "datele", "anii") and t.words[start - 2] in _BETWEEN:
        start -= 1
    if t.words[start - 1] in (*_BETWEEN, "from"):
        start -= 1
    elif t.words[start - 2 : start] == ["de", "la"]:
        start -= 2
    date = f"{a.date}/{b.date}" if a.kind in ("date", "time") else ""
    low, high = a.low, b.high
    if a.kind != "time" and low is not None and high is not None and low > high:
        low, high = high, low
    counted = a.counted or b.counted
    return Found(start, b.j, a.kind, low, high, a.unit, counted, date, "", a.ambiguous or b.ambiguous, a.raw, "range")


def _share(t: Tokens, a: Found, b: Found) -> None:
    """Give the bare number `a` the unit, noun and scale of `b` where they stand side by side: "2, 4 sau 6 luni"."""
    if not a.bare or not _side_by_side(t, a, b) or b.kind not in ("amount", "frequency") or (b.bare and b.low == b.raw):
        return
    if a.low is None or b.raw is None or not b.raw or b.low is None:
        return
    rate = b.low / b.raw
    if b.kind == "frequency" or (a.low < b.raw and rate >= 1000):
        a.low = a.high = a.low * rate
    a.kind, a.unit, a.counted, a.date, a.year, a.shared = b.kind, b.unit, b.counted, "", False, True


def _next_reference(t: Tokens, a: Found, b: Found) -> bool:
    """Whether the bare number `b` goes on with what `a` names: "art. 5 și 6", "alin. (1) și (2)"."""
    gap = t.words[a.j : b.i] if b.i - a.j <= 3 else []
    if gap == ["("]:
        return t.glued(a.j - 1) and t.words[b.j] == ")"
    return bool(gap) and gap[0] in _ALTERNATIVES and gap[1:] in ([], ["("])


def _side_by_side(t: Tokens, a: Found, b: Found) -> bool:
    gap = t.words[a.j : b.i] if b.i - a.j <= 3 else []
    if len(gap) == 1:
        return gap[0] in _DASHES or gap[0] in _ALTERNATIVES or gap[0] in ("la", "to")
    return tuple(gap) in _TO


# --- bounds ----------------------------------------------------------------------------------------------


def _phrases(text: str) -> dict[str, list[tuple[list[str], str]]]:
    """Read lines "bound phrase|phrase" into phrases by their last word, longest first."""
    table: dict[str, list[tuple[list[str], str]]] = {}
    for line in text.strip().splitlines():
        bound, _, rest = line.strip().partition(" ")
        for phrase in rest.split("|"):
            words = phrase.split()
            table.setdefault(words[-1], []).append((words, bound))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table


_BEFORE = _phrases("""
    max cel mult|cel mult de|cel mult la|maxim|maximum|max|maxim de|maximum de|maximum of|maxima de|maxime de|max of|a maximum of
    max un maxim de|un maximum de|cel tarziu|cel tarziu la|cel mai tarziu|cel mai tarziu la|cel mai tarziu pe|cel tarziu in|cel mai tarziu in|cel tarziu pe|pana la
    max nu mai mult de|nu mai mare de|nu mai mari de|nu mai tarziu de|nu mai lung de|at most|no more than|not more than|up to
    max a maximum|no later than|not later than|no longer than|not longer than|at the latest|in limita a|maximum permitted of|≤|pana la maximum
    max de maximum|pana la maxim|not to exceed|cel mult in|at the latest by|at the latest on|up to a maximum of|not greater than|no greater than
    max pana la data de|pana in data de|pana pe data de|pana cel tarziu la
    min cel putin|cel putin de|minim|minimum|min|minim de|minimum de|minimum of|minima de|a minimum of|un minim de|un minimum de
    min nu mai putin de|nu mai mic de|nu mai mici de|nu mai mica de|macar|at least|no less than|not less than|no fewer than|not fewer than
    min a minimum|≥|de minimum|nu mai devreme de|no earlier than|not earlier than|mai mare sau egal cu|mai mare sau egala cu
    over peste|mai mult de|mai multe de|mai multi de|mai mult decat|mai mare de|mai mari de|mai mare decat|mai mari decat|mai lung de
    over mai lunga de|mai vechi de|mai veche de|more than|over|above|greater than|longer than|older than|larger than|higher than|>|in excess of
    under sub|mai putin de|mai putine de|mai putini de|mai putin decat|mai mic de|mai mica de|mai mici de|mai mic decat|mai mica decat
    under mai scurt de|mai scurta de|under|less than|fewer than|below|lower than|smaller than|shorter than|younger than|<
    about circa|aproximativ|aprox|cca|in jur de|in jurul a|aproape|about|around|approximately|approx|roughly|~|≈|nearly
""")
_BEFORE_DATE = _phrases("""
    max until|by|pana|pana in|pana pe|pana in data de|pana la data de|pana pe data de|pana la sfarsitul lunii|pana in luna|pana in anul
    min incepand cu|incepand din|incepand de la|starting|starting from|starting on|as of|incepand cu data de
    over dupa|after|dupa data de
    under inainte de|before|inainte de data de
""")
_EXCEED = frozenset(
    "depaseste depasesc depasind depaseasca depasi depasit depasita exceed exceeds exceeding exceeded depaseau depasea".split()
)
_NOT = frozenset("nu not cannot never without fara".split())
_BETWEEN_NOT = frozenset(
    """poate pot va vor trebuie sa a fie fi este sunt be is are may shall can must aiba have has dureaza dura does do will should
    putea ar""".split()
)
_OPPOSITE = {"over": "max", "under": "min"}
_AFTER = {
    "cel": (("mult", "max"), ("putin", "min"), ("tarziu", "max")),
    "at": (("most", "max"), ("least", "min"), ("the latest", "max")),
    "maximum": (("", "max"),),
    "minimum": (("", "min"),),
    "maxim": (("", "max"),),
    "minim": (("", "min"),),
    "max": (("", "max"),),
    "sau": (
        *((f"mai {word}", "min") for word in "mult multe multi mare mari".split()),
        *((f"mai {word}", "max") for word in "putin putine putini mic mici".split()),
        ("peste", "min"),
    ),
    "si": (("peste", "min"), ("mai mult", "min"), ("mai multe", "min"), ("mai multi", "min")),
    "or": (*((w, "min") for w in "more over above longer later older".split()), *((w, "max") for w in "less fewer under earlier".split())),
    "and": (("over", "min"), ("above", "min"), ("more", "min")),
}


def _bound(t: Tokens, item: Found, first: int, limit: int) -> None:
    """Set the bound that the words before (not before token `first`) or behind (not beyond `limit`) give to `item`."""
    bound, i = _bound_before(t, item, first)
    j = item.j
    if not bound or bound == "about":
        after, end = _bound_after(t, j, limit)
        if after:
            bound, j = after, end
    if not bound:
        return
    item.i, item.j, item.bound, item.open = i, j, bound, bound in ("over", "under")
    if bound in ("max", "under"):
        item.low = None
    elif bound in ("min", "over"):
        item.high = None


def _match(words: list[str], end: int, first: int, table: dict[str, list[tuple[list[str], str]]]) -> tuple[str, int]:
    for phrase, bound in table.get(words[end - 1], ()):
        start = end - len(phrase)
        if start >= first and words[start:end] == phrase and not (phrase == ["up", "to"] and words[start - 1] in WENT):
            return bound, start
    return "", end


def _bound_before(t: Tokens, item: Found, first: int) -> tuple[str, int]:
    words, end = t.words, item.i
    if words[end - 1] == "." and words[end - 2] in ("max", "min", "aprox", "approx") and end - 2 >= first:
        end -= 1
    bound, start = _match(words, end, first, _BEFORE)
    if not bound and item.kind == "date":
        bound, start = _match(words, end, first, _BEFORE_DATE)
    if not bound and words[end - 1] in ("cu", "de") and words[end - 2] in _EXCEED:
        end -= 1
    if not bound and words[end - 1] in _EXCEED and end - 1 >= first:
        bound, start = "over", end - 1
    if not bound:
        return "", item.i
    if bound in _OPPOSITE:
        k = start - 1
        while k >= first and words[k] in _BETWEEN_NOT:
            k -= 1
        if k >= first and words[k] in _NOT:
            return _OPPOSITE[bound], k
    return bound, start


def _bound_after(t: Tokens, j: int, limit: int) -> tuple[str, int]:
    words = t.words
    for rest, bound in _AFTER.get(words[j], ()):
        parts = rest.split()
        end = j + 1 + len(parts)
        if words[j + 1 : end] == parts and end <= limit:
            following = words[end]
            if end == limit != t.n or is_digits(following) or following in SMALL or following in ("de", "of", "than"):
                return "", j  # the words belong to the next number
            return bound, end
    return "", j
