"""Rules that make one part of an answer wrong: a number, unit or time, a negation, a condition, a name or a code.

What only exchanges phrases (frequencies, directions, bounds, permissions) needs no rule of its own: see `wording`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rocite.evaluate.faults.base import CODE, Change, Source, by_table, cased, replaced, tidy, whole
from rocite.evaluate.faults.numbers import ANY_WORD, MONTHS, WORDS, in_words, numbers_in, put, scaled, unit_behind
from rocite.evaluate.faults.wording import VERB, conditions, main_verb
from rocite.evaluate.parts import shuffled

# --- quantity ------------------------------------------------------------------------------------------------------


def another_number(source: Source, elsewhere: str = "") -> list[Change]:
    """A number gives way to another number of the document, of the same unit where there is one."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    there = elsewhere or source.body
    for m in numbers_in(text, lang):
        others = {n[0]: unit_behind(there, n) == unit_behind(text, m) for n in numbers_in(there, lang) if n[0] not in text}
        names = [n for n, same in others.items() if same] or [n for n in others if len(n) == len(m[0])]
        for new in sorted(shuffled(names, source.seed.id), key=lambda n: abs(len(n) - len(m[0])))[:1]:
            found.append((put(text, m, new), f"{m[0]} became {new}, which the document says of something else."))
    return found


def neighbours_number(source: Source) -> list[Change]:
    """A number gives way to a number of the neighbouring statement."""
    return another_number(source, source.seed.neighbour)


def scaled_number(source: Source) -> list[Change]:
    """A number is doubled, plus one or ten times."""
    text, lang = source.seed.answer, source.seed.lang
    changes = [(m, scaled(m[0], lang, source.turn + n)) for n, m in enumerate(numbers_in(text, lang))]
    return [(put(text, m, new), f"{m[0]} became {new}.") for m, new in changes if new != m[0]]


def swapped_numbers(source: Source) -> list[Change]:
    """Two numbers of the answer change places."""
    text = source.seed.answer
    pairs = [(a, b) for a, b in pairwise(numbers_in(text, source.seed.lang)) if a[0] != b[0]]
    return [(put(put(text, b, a[0]), a, b[0]), f"{a[0]} and {b[0]} changed places.") for a, b in pairs]


def another_unit(source: Source) -> list[Change]:
    """The unit behind a number becomes another unit."""
    return by_table(source, "unit", rf"(?:\d|\b(?:{ANY_WORD[source.seed.lang]})) ?(?:de )?")


def shifted_time(source: Source) -> list[Change]:
    """A date or an hour is shifted."""
    text, months, found = source.seed.answer, MONTHS[source.seed.lang], []
    for m in re.finditer(rf"\b(?:(\d{{1,2}}) )?({'|'.join(months)})\b", text):
        day, month = m.groups()
        if not day and month.lower() in ("mai", "may"):  # most often other words
            continue
        if day and len(text) % 2:
            moved = f"{int(day) + (10 if int(day) < 15 else -10)} {month}"
        else:
            moved = f"{day + ' ' if day else ''}{months[(months.index(month) + 1) % 12]}"
        found.append((replaced(text, m, moved), f"{m[0]} became {moved}."))
    for m in re.finditer(r"\b(\d{1,2})(?=:\d\d\b)", text):
        moved = str((int(m[1]) + 2) % 24)
        found.append((replaced(text, m, moved), f"The hour {m[1]} became {moved}."))
    return found


def another_number_word(source: Source) -> list[Change]:
    """A number in words becomes the next but one."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    for m in re.finditer(rf"\b(?:{ANY_WORD[lang]})\b", text, re.IGNORECASE):
        n, feminine = WORDS[lang][m[0].lower()]
        new = cased(in_words(n + 2, lang, feminine), m[0])
        found.append((replaced(text, m, new), f"{m[0]!r} became {new!r}."))
    return found


# --- polarity ------------------------------------------------------------------------------------------------------


def inserted_not(source: Source) -> list[Change]:
    """The main verb is negated."""
    text, lang = source.seed.answer, source.seed.lang
    m = main_verb(text, lang)
    if not m:
        return []
    verb = m[0]
    if re.fullmatch("is|are|was|were|may|must|can|will|shall|should", verb):
        new = f"{verb} not"
    elif lang == "ro":
        new = f"nu {verb}"
    elif verb.endswith("s"):
        new = f"does not {re.sub('ies$', 'y', verb) if verb.endswith('ies') else verb.removesuffix('s')}"
    else:
        new = f"do not {verb}"
    return [(replaced(text, m, new), f"{verb!r} is negated.")]


def dropped_not(source: Source) -> list[Change]:
    """A negation is dropped, and with it what only stands under a negation."""
    text, found = source.seed.answer, []
    positive = {"nicio": "o", "niciun": "un", "niciodată": "întotdeauna", "nimeni": "oricine", "nici": "și"}
    pattern = r"\b(nu(?: mai)?(?! numai) )(?!.*\bci\b)" if source.seed.lang == "ro" else r"(?:\b(?:do|does))?( not)\b"
    for m in re.finditer(pattern, text, re.IGNORECASE):
        tail = text[m.end() :]
        if source.seed.lang == "ro":
            tail = cased(re.sub(r"\bnici\w*", lambda n: positive.get(n[0], n[0]), tail), m[0])
        elif m[0].startswith("does"):
            tail = re.sub(r"^ (\w+)", r"\1s", tail)
        found.append((tidy(text[: m.start()] + tail), "The negation was dropped."))
    return found


# --- qualifier -----------------------------------------------------------------------------------------------------


def dropped_condition(source: Source, instead: str = "") -> list[Change]:
    """A condition, an exception or a limit is dropped, or gives way to `instead`."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    for start, end in conditions(text, lang):
        left = tidy(f"{text[:start]} {instead} {text[end:] if start else text[end:].lstrip(', ')}")
        if len(left.split()) >= 4 and re.search(rf"\b(?:{VERB[lang]})", left, re.IGNORECASE):
            found.append((left, f"{text[start:end].strip(' ,')!r} was {f'widened to {instead!r}' if instead else 'dropped'}."))
    return found


def widened_condition(source: Source) -> list[Change]:
    """A condition gives way to "in every case"."""
    return dropped_condition(source, "în orice situație" if source.seed.lang == "ro" else "in every case")


# --- entity --------------------------------------------------------------------------------------------------------


def swapped_name(source: Source) -> list[Change]:
    """The seed's own swap: a name, role, place or code gives way to another."""
    a, b = source.seed.swap or ("", "")
    return [(tidy(source.seed.answer.replace(a, b)), f"{a!r} became {b!r}.")] if a else []


def borrowed_name(source: Source) -> list[Change]:
    """A name gives way to one that another seed of the same corpus has for it, in the same grammatical form."""
    text, own = source.seed.answer, source.seed.swap
    fitting = [(a, b) for a, b in source.swaps if (a, b) != own and b not in text and re.search(whole(a), text)]
    return [(tidy(re.sub(whole(a), b, text)), f"{a!r} became {b!r}.") for a, b in fitting]


def another_code(source: Source) -> list[Change]:
    """An identifier gives way to another of the corpus with the same letters, an article or paragraph to the next."""
    text, found = source.seed.answer, []
    bare = text.replace("-", "")
    for m in re.finditer(CODE, text):
        fitting = [c for c in source.codes if _letters(c) == _letters(m[0]) and c.replace("-", "") not in bare]
        found += [(text.replace(m[0], new), f"{m[0]} became {new}.") for new in shuffled(fitting, source.seed.id)[:1]]
    for m in re.finditer(r"\b(?:art\. |alin\. \(|[Aa]rticle |ediția |edition )(\d+)", text):
        found.append((f"{text[: m.start(1)]}{int(m[1]) + 1}{text[m.end(1) :]}", f"{m[0]} became {int(m[1]) + 1}."))
    return found


def _letters(code: str) -> str:
    return re.match(r"[A-Z]+", code)[0]
