"""Rules that say a truthful answer in another way: other words, order, spelling or layout, and still true."""

from __future__ import annotations

import re
from collections.abc import Callable

from rocite.evaluate.faults.base import Change, Rule, Source, replaced, table_rule, tidy, whole
from rocite.evaluate.faults.numbers import ANY_WORD, MASCULINE, MONTHS, SYMBOLS, UNITS, WORDS, in_words, numbers_in, takes_de
from rocite.text import sentences

# --- inflected, reordered, shortened -------------------------------------------------------------------------------


def _written(name: str, why: str) -> Rule:
    """A rule that takes the variant which the seed itself brings."""

    def rule(source: Source) -> list[Change]:
        text = tidy(getattr(source.seed, name))
        return [(text if text.endswith((".", "!")) else f"{text}.", why)]

    return rule


inflected = _written("inflected", "Other inflections of the same words.")
reordered = _written("reordered", "The same parts in another order.")
shortened = _written("short", "The shortest answer that is still true.")

# --- spelling ------------------------------------------------------------------------------------------------------


def _respelled(change: Callable[[str], str], lang: str, why: str) -> Rule:
    """A rule that spells the whole answer another way, in one language."""
    return lambda source: [(change(source.seed.answer), why)] if source.seed.lang == lang else []


_PLAIN = str.maketrans("ăâîșțĂÂÎȘȚ", "aaistAAIST")
_CEDILLA = str.maketrans("șțȘȚ", "şţŞŢ")

SPELLINGS = (
    table_rule("spelling"),
    _respelled(lambda t: t.translate(_PLAIN), "ro", "Without diacritics."),
    _respelled(lambda t: t.translate(_CEDILLA), "ro", "With the old cedilla letters."),
    _respelled(lambda t: re.sub(r"(?<=\w)â(?=\w)", "î", t), "ro", "With î inside words, as before 1993."),
    _respelled(str.upper, "ro", "In capitals."),
    _respelled(str.upper, "en", "In capitals."),
    _respelled(str.lower, "en", "In lower case."),
)

# --- number words --------------------------------------------------------------------------------------------------


def digits_in_words(source: Source) -> list[Change]:
    """A whole number in words; its unit symbol is spelt out."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    for m in numbers_in(text, lang):
        digits = re.sub(r",00$" if lang == "ro" else r"\.00$", "", m[0]).replace("." if lang == "ro" else ",", "")
        behind = _behind_words(text[m.end() :], digits, lang)
        if not digits.isdigit() or int(digits) >= 1_000_000 or _in_range(text, m) or not behind:
            continue
        tail, feminine = behind
        new = in_words(int(digits), lang, feminine)
        found.append((tidy(text[: m.start()] + new + tail), f"{m[0]} is written {new!r}."))
    return found


def _in_range(text: str, m: re.Match) -> bool:
    """Whether the number is half of a range, of which the other half would stay in digits."""
    after = re.match(r" ?\S{0,8} (?:și|la|×|până la|and|to|or|sau) \d", text[m.end() :])
    return bool(after or re.search(r"\d ?\S{0,8} (?:și|la|până la|and|to|or|sau) $|[×−] ?$", text[: m.start()]))


def _behind_words(tail: str, digits: str, lang: str) -> tuple[str, bool] | None:
    """What stands behind the number in words, and whether it asks for the feminine; None where no words can stand."""
    if lang == "en":
        symbol = re.match(r" ?(?:[A-Z°³]|kg|mm|cm|km|m\b|g\b)", tail)
        return None if symbol else (re.sub(r"^ ?%", " per cent", tail), False)
    symbol = re.match(r" ?([a-zA-Z°%/³²·]+)(?![\w/³²])", tail)
    if symbol and symbol[1] in SYMBOLS:
        name = SYMBOLS[symbol[1]]
        tail = f" {'de ' if takes_de(digits) and name != 'la sută' else ''}{name}{tail[symbol.end() :]}"
    elif noun := re.match(rf" (?:de )?(?={UNITS})", tail):
        tail = (" de " if takes_de(digits) else " ") + tail[noun.end() :]
    elif not re.match(r" (?:de )?[a-zăâîșț]{4,}", tail):
        return None
    neuter = symbol and symbol[1] in ("kg", "g", "°C")  # its plural takes the feminine number
    return tail, bool(neuter or not (MASCULINE.match(tail) or tail.startswith(" la sută")))


def words_in_digits(source: Source) -> list[Change]:
    """A number in words becomes digits."""
    text, lang = source.seed.answer, source.seed.lang
    not_counting = r"(?! (?:treimi|sferturi|thirds|quarters|of\b|or\b))"
    found = re.finditer(rf"(?<![\w-])(?:{ANY_WORD[lang]})(?![\w-]){not_counting}", text, re.IGNORECASE)
    numbers = [(m, str(WORDS[lang][m[0].lower()][0])) for m in found if m[0].lower() != "nouă"]  # "nouă" is "new" too
    return [(replaced(text, m, n), f"{m[0]!r} is written {n}.") for m, n in numbers]


def percent_form(source: Source) -> list[Change]:
    """A percentage in another form."""
    text, found = source.seed.answer, []
    for m in re.finditer(r"(?<=\d)( ?%)", text):
        de = "de " if takes_de(re.search(r"[\d.,]+$", text[: m.start()])[0]) else ""
        for form in ("la sută", f"{de}procente") if source.seed.lang == "ro" else ("per cent", "percent"):
            found.append((replaced(text, m, f" {form}"), f"{m[0]!r} is written {form!r}."))
    return found


def date_form(source: Source) -> list[Change]:
    """A date or an hour written another way."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    months = MONTHS[lang]
    for m in re.finditer(rf"\b(\d{{1,2}}) ({'|'.join(months)})\b(?: (\d{{4}}))?", text):
        day, year = int(m[1]), m[3]
        if lang == "en":
            new = f"{m[2]} {day}{', ' + year if year else ''}"
        elif year:
            new = f"{day:02d}.{months.index(m[2]) + 1:02d}.{year}"
        else:
            new = f"{in_words(day, lang) if day > 1 else 'întâi'} {m[2]}"
        found.append((replaced(text, m, new), f"{m[0]} is written {new}."))
    for m in re.finditer(r"\b(\d{1,2}):(\d\d)\b", text):
        hour, minute = int(m[1]), m[2]
        if lang == "ro":
            new = f"{hour}.{minute}"
        elif 0 < hour < 24:
            new = f"{(hour - 1) % 12 + 1}{'' if minute == '00' else ':' + minute} {'am' if hour < 12 else 'pm'}"
        else:
            continue
        found.append((replaced(text, m, new), f"{m[0]} is written {new}."))
    return found


# --- synonyms ------------------------------------------------------------------------------------------------------


def own_synonym(source: Source) -> list[Change]:
    """The seed's own synonym."""
    a, b = source.seed.synonym or ("", "")
    return [(tidy(source.seed.answer.replace(a, b, 1)), f"{a!r} and {b!r} mean the same here.")] if a else []


def borrowed_synonym(source: Source) -> list[Change]:
    """A synonym that another seed of the same corpus has for a phrase of this answer."""
    text, own = source.seed.answer, source.seed.synonym
    fitting = [(a, b) for a, b in source.synonyms if (a, b) != own and re.search(whole(a), text)]
    return [(tidy(re.sub(whole(a), b, text, count=1)), f"{a!r} and {b!r} mean the same here.") for a, b in fitting]


# --- list ----------------------------------------------------------------------------------------------------------

_JOINT = (
    r"; |, (?:iar|dar|și|apoi|and|but) |, (?=dacă|cu excepția|numai|doar|între|în |la |cu |unless|if|except|only|with)"
    r"| (?=(?:numai |doar )?dacă |(?:numai|doar) (?:cu|după|în|la|pentru) |(?:only )?if |unless |only with )"
)


def bullets(source: Source) -> list[Change]:
    """The sentences, clauses or members of the answer as the lines of a list; at the least the answer as the one line."""
    text = source.seed.answer
    parts, why = sentences(text), "The sentences are laid out as a list."
    if len(parts) == 1:
        parts, why = re.split(_JOINT, text.rstrip(".")), "The parts of the sentence are laid out as a list."
    if len(parts) == 1:
        if enumerated := re.match(r"(.*?): (.+?(?:, .+?)* (?:și|and) .+)\.$", text):
            members = re.split(r", | (?:și|and) ", enumerated[2])
            return [(f"{enumerated[1]}:\n" + "\n".join(f"- {m}" for m in members), "The members are laid out as a list.")]
        head = ("", "Pe scurt:\n" if source.seed.lang == "ro" else "In short:\n")[len(text) % 2]
        return [(f"{head}- {text}", "The sentence is the one line of a list.")]
    lines = [tidy(part) for part in parts]
    if not lines[-1].endswith("."):
        lines[-1] += "."
    marks = [f"{n}." for n in range(1, len(lines) + 1)] if len(text) % 3 == 0 else ["-"] * len(lines)
    return [("\n".join(f"{mark} {line}" for mark, line in zip(marks, lines, strict=True)), why)]
