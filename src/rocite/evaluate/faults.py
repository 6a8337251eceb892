"""Rules that make wrong answers and faithful variants out of truthful seeds: one change each, in Romanian and English.

Decides nothing about an answer: what the rules propose are candidates, and a person reads each before anything is
measured with it. A rule is a pure function from a seed in its surroundings to changed answers with the reason, and
returns none where it finds nothing to change. The rules of a kind take turns, so that none fills its kind alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from rocite.corpus import Corpus
from rocite.evaluate.stress import FAULTS, Item, Seed, shuffled
from rocite.text import content_words, fold, sentences

Change = tuple[str, str]  # the changed answer, and why it is wrong or stays true


@dataclass(frozen=True)
class Source:
    """A seed with its document's `body` and what all seeds of its corpus and language know of names, synonyms and codes."""

    seed: Seed
    body: str
    swaps: tuple[tuple[str, str], ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()
    codes: tuple[str, ...] = ()

    def table(self, name: str) -> list[tuple[str, str]]:
        """Return the (pattern, replacement) pairs of a table in the seed's language, the longest pattern first.

        In a table "a <> b" goes both ways and "a > b" one way; "#" asks for a number behind.
        """
        split = (re.fullmatch(r"(.*?) (<?)> ?(.*)", e).groups() for e in " ".join(_TABLES[name, self.seed.lang].split()).split("; "))
        pairs = [pair for a, both, b in split for pair in ([(a, b), (b, a)] if both else [(a, b)])]
        return sorted(pairs, key=lambda pair: -len(pair[0]))


Rule = Callable[[Source], list[Change]]

_TABLES = {
    ("unit", "ro"): """zile > luni; luni > zile; ore > zile; minute > ore; secunde > minute; ani > luni; săptămâni > luni; lei <> euro;
        kg > g; g > kg; % > lei; mm > cm; cm > m; m > cm; metri > centimetri; km > m; litri > mililitri; bar > mbar; la sută > lei; kW > MW;
        m³ > l; °C > K; Wh > kWh""",
    ("unit", "en"): """days > months; months > days; hours > days; minutes > hours; seconds > minutes; years > months; weeks > months;
        lei <> euro; kg > g; g > kg; % > euro; mm > cm; cm > m; m > cm; metres > centimetres; litres > millilitres; bar > mbar; kW > MW;
        working days > weeks; °C > K; m³ > l; Wh > kWh""",
    ("frequency", "ro"): """lunar > anual; anual > lunar; anuală > lunară; lunară > anuală; zilnic > săptămânal; zilnică > săptămânală;
        săptămânal > lunar; trimestrial > anual; pe lună > pe an; pe an > pe lună; pe zi > pe săptămână; pe săptămână > pe lună;
        de două ori > de trei ori; de trei ori > de două ori; o dată > de două ori; o singură dată > de două ori; luni > marți;
        lunea > marțea; marțea > miercurea; miercurea > joia; joia > vinerea; vinerea > lunea; sâmbăta > duminica; duminica > sâmbăta""",
    ("frequency", "en"): """monthly <> yearly; daily > weekly; weekly > monthly; quarterly > monthly; once > twice; twice > once;
        a month > a year; a year > a month; a day > a week; a week > a month; per day > per week; every day > every week;
        three times > four times; Mondays <> Fridays; Sundays <> Saturdays; Thursdays > Tuesdays; Sunday > Saturday; Wednesday > Tuesday""",
    ("polarity", "ro"): r"""interzis <> permis; interzisă <> permisă; interzise <> permise; interziși <> permiși; admisă > interzisă;
        admise > interzise; admis > interzis; se interzice <> se permite; scutit de <> obligat la; scutită de <> obligată la;
        scutiți de <> obligați la; scutite de <> obligate la; gratuit <> contra cost; gratuită > contra cost; gratuite > contra cost;
        cu excepția > inclusiv în cazul; fără(?! a\b| să\b) > cu; obligatoriu <> facultativ; obligatorie <> facultativă;
        cu(?= (?:acordul|aprobarea|avizul|semnătura|referat|contract|bilet|permis|confirmare)) > fără; inclus <> exclus; inclusă <> exclusă;
        primită <> refuzată; primite <> refuzate; primiți <> refuzați; niciodată > întotdeauna;
        valabil > nevalabil; valabilă > nevalabilă""",
    ("polarity", "en"): """prohibited <> allowed; forbidden <> permitted; exempt from <> liable for; free of charge <> for a fee;
        without <> with; with the exception of > including; except for > including; except > including; unless <> if; nobody > anybody;
        cannot > can; can(?! not) > cannot; never > always; optional > compulsory; accepted <> refused; included <> excluded;
        free > charged for; valid > invalid; no(?! (?:more|less|later|larger|higher|longer|fewer|earlier|closer)) > a""",
    ("direction", "ro"): r"""cel mult <> cel puțin; maximum <> minimum; maxim <> minim; maximă <> minimă; înainte de(?! a\b) > după;
        după(?! (?:ce|cum|caz|a)\b) > înainte de; peste# <> sub#; mai mult de <> mai puțin de; mai mare <> mai mic; mai mari <> mai mici;
        până la(?= \d+ (?:ian|feb|mart|apr|mai|iun|iul|aug|sept|oct|noi|dec)) > după; până la# > peste;
        crește <> scade; cresc <> scad; urcă <> coboară; primul <> ultimul; prima <> ultima; primele <> ultimele; primii <> ultimii;
        deschis <> închis; deschisă <> închisă; deschise <> închise; se deschide <> se închide; se închid <> se deschid;
        la intrare <> la ieșire; intrarea <> ieșirea; începutul <> sfârșitul; pornește <> oprește; pornirea <> oprirea; înaintea > după;
        mărește <> micșorează; se prelungește <> se scurtează; anterior <> ulterior; mai devreme <> mai târziu;
        superioară <> inferioară; vara <> iarna; ziua <> noaptea;
        în cel mult > după cel puțin; superior <> inferior""",
    ("direction", "en"): r"""at most <> at least; before <> after; over# <> under#; above# <> below#; more than <> less than; up to# > over;
        first <> last; rises <> falls; rise <> fall; opens <> closes; opened <> closed; open <> closed; entry <> exit; minimum <> maximum;
        no more than > no less than; starts <> stops; until > from; within# > after; beginning <> end; highest <> lowest; later <> earlier;
        higher <> lower; longer <> shorter; larger <> smaller; increases <> decreases; upper <> lower; arrival <> departure""",
    ("bound", "ro"): "cel mult# > ; cel puțin# > ; maximum# > ; minimum# > ; numai > ; doar > ; exclusiv > ",
    ("bound", "en"): "at most# > ; at least# > ; up to# > ; no more than# > ; only > ; no later than# > ",
    ("widened", "ro"): r"""(?<!nu )poate fi > trebuie să fie; (?<!nu )pot fi > trebuie să fie; unii > toți; unele > toate; anumite > toate;
        (?<!nu )(?<!se )(?<!îl )(?<!le )poate(?= \w+[aie]\b)(?! fi\b) > are obligația de a; primul > orice; prima > orice;
        (?<!nu )(?<!se )(?<!le )pot(?= \w+[aie]\b)(?! fi\b) > au obligația de a; doar(?= \w+ului?\b|de\b) > oricui, inclusiv""",
    (
        "widened",
        "en",
    ): """may(?! not) > must; can(?! not) > must; some > all; most > all; should > must; the first > every; certain > all""",
    ("spelling", "en"): """colour > color; metres > meters; litres > liters; metre > meter; centre > center; licence > license;
        authorised > authorized; organised > organized; programme > program; cheque > check; per cent > percent; kg > kilograms;
        mm > millimetres; hours > h; minutes > min; metres > m; euro > EUR; lei > RON; square metres > m²; % > per cent; kilograms > kg;
        post office > post-office; make-up > makeup; sub-let > sublet; year-round > year round; up to date > up-to-date; °C > degrees C""",
    (
        "spelling",
        "ro",
    ): """ore > h; lei > RON; kilograme > kg; minute > min; metri > m; kg > kilograme; mm > milimetri; litri > l; euro > EUR;
        secunde > s; bar > bari; sunt > sînt; suntem > sîntem; % > la sută; g > grame; centimetri > cm; niciun > nici un; nicio > nici o""",
}
_MONTHS = {
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie".split(),
    "en": "January February March April May June July August September October November December".split(),
}
_CLAUSE = {  # what a condition or exception begins with; it ends before the next comma, semicolon or full stop
    "ro": r"(?:numai|doar) (?=dacă|cu\b|în|la\b|pe\b|după|pentru|prin|de la|până|între|însoți)"
    r"|(?<!chiar )dacă|cu condiția|cu excepția|cât timp"
    r"|cu (?:acordul|aprobarea|avizul)|în limita|(?<!nici )atunci când|în prezența|la cererea",
    "en": r"only (?=with|if|after|on\b|in\b|at\b|for\b|by\b|when|to\b|between)|if|unless|except|provided that|as long as|when"
    r"|with the (?:written )?(?:consent|approval|permission|agreement|exception)|in the presence of|at the request of",
}
_SUBORDINATE = re.compile(
    r"\b(?:dacă|care|când|unde|să|căreia|căruia|nu|fără|nici|decât|if|who|which|that|when|where|unless|while|not|no|never|after|before)\b",
    re.I,
)
_VERB = {
    "ro": r"(?:mai )?(?:(?:se|își|îi|îl|le|o|i) )?(?:mai )?(?:este|sunt|are|au|poate|pot|trebuie|costă"
    r"|rămâne|rămân|intră|face|fac|cere|oferă|începe"
    r"|durează|anunță|verifică|aprobă|depune|scoate|ține|răspunde|permite|plătesc|primesc|duce|curge|trece|suportă|notează|lasă"
    r"|predă|suspendă|menține|preia"
    r"|\w{2,}(?:ează|ește|ăște))\b|se (?!află)\w{3,}",
    "en": r"(?:is|are|was|were|may|must|can|will|shall|should)\b|(?:costs|pays|needs|applies|opens|closes|holds|receives|measures|requires"
    r"|lasts|runs|starts|stops|takes|issues|checks|approves|signs|falls|rises|tests|carries|ends"
    r"|pay|apply|need|receive|hold|keep|inspect)\b",
}


# --- numbers -------------------------------------------------------------------------------------------------------

_NUMBER = (
    r"(?<![\w.,:/(-])(?<!art\. )(?<!nr\. )(?<!rticle )(?<!ediția )(?<!dition )"
    r"(?:\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,]\d+)?(?![\w:/]|[.,-]\d|-\w)"
)
_UNITS = r"(?:lei|zile|ore|luni|ani|minute|secunde|kilograme|metri|litri|persoane|săptămâni|euro|copii|bani|colete|locuri)\b"
_MASCULINE = re.compile(r" (?:de )?(?:lei|ani|bani|metri|litri|\w*metri|bari|euro|membri|copii|pași|elevi|străini|electromecanici)\b")
_SYMBOLS = {"kg": "kilograme", "g": "grame", "mm": "milimetri", "cm": "centimetri", "m": "metri", "km": "kilometri", "bar": "bari"}
_SYMBOLS |= {"%": "la sută", "°C": "grade Celsius", "l": "litri"}
_RO = """zero unu doi trei patru cinci șase șapte opt nouă zece unsprezece doisprezece treisprezece paisprezece cincisprezece
    șaisprezece șaptesprezece optsprezece nouăsprezece""".split()
_RO_TENS = ". . douăzeci treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci".split()
_EN = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen""".split()
_EN_TENS = ". . twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(n: int, lang: str, feminine: bool = False) -> str:
    """Return a number below a million in words; Romanian knows two genders.

    >>> in_words(22, "ro"), in_words(22, "ro", feminine=True), in_words(1500, "ro"), in_words(121, "en")
    ('douăzeci și doi', 'douăzeci și două', 'o mie cinci sute', 'one hundred and twenty-one')
    """
    ro = lang == "ro"
    if n < 20:
        return {1: "una", 2: "două", 12: "douăsprezece"}.get(n, _RO[n]) if ro and feminine else (_RO if ro else _EN)[n]
    if n < 100:
        rest = in_words(n % 10, lang, feminine)
        return (_RO_TENS if ro else _EN_TENS)[n // 10] + ("" if n % 10 == 0 else f"{' și ' if ro else '-'}{rest}")
    size, one, many = (1000, "o mie", "mii") if n >= 1000 else (100, "o sută", "sute")
    if ro:
        head = one if n < 2 * size else f"{in_words(n // size, lang, True)} {'de ' if takes_de(str(n // size)) else ''}{many}"
    else:
        head = f"{in_words(n // size, lang)} {'thousand' if size == 1000 else 'hundred'}"
    joint = " " if ro or (size == 1000 and n % 1000 >= 100) else " and "
    return head + (joint + in_words(n % size, lang, feminine) if n % size else "")


_WORDS = {lang: {in_words(n, lang, f): (n, f) for f in (True, False) for n in range(99, 1, -1)} for lang in ("ro", "en")}
_ANY_WORD = {lang: "|".join(sorted(words, key=len, reverse=True)) for lang, words in _WORDS.items()}


def takes_de(token: str) -> bool:
    """Whether a Romanian noun stands behind this number with "de".

    >>> takes_de("19"), takes_de("20"), takes_de("101"), takes_de("1.500"), takes_de("2,5")
    (False, True, False, True, False)
    """
    whole = token.replace(".", "")
    return whole.isdigit() and int(whole) >= 20 and not 1 <= int(whole) % 100 <= 19


def _numbers(text: str, lang: str) -> Iterator[re.Match]:
    """The numbers of `text` that are no part of a date, a reference or a code."""
    month = "|".join(_MONTHS[lang])  # a lone 1 is left out too: the noun behind it stands in the singular
    for m in re.finditer(_NUMBER, text):
        if m[0] != "1" and not re.match(rf" (?:{month})\b", text[m.end() :]) and not re.search(rf"\b(?:{month}) $", text[: m.start()]):
            yield m


def _unit(text: str, m: re.Match) -> str:
    found = re.match(r"\s?(?:de )?([^\s\d.,;]+)", text[m.end() :])
    return found[1] if found else ""


def _put(text: str, m: re.Match, new: str) -> str:
    """`text` with `new` in the place of the number `m`, and with "de" behind it where Romanian now asks for it."""
    tail = text[m.end() :]
    if noun := re.match(rf" (de )?(?={_UNITS})", tail):
        de = takes_de(new) and (noun[1] or not takes_de(m.group()))
        tail = (" de " if de else " ") + tail[noun.end() :]
    return text[: m.start()] + new + tail


def _scaled(token: str, lang: str, turn: int) -> str:
    """`token` doubled, plus one or ten times, written as it was; `turn` chooses."""
    thousand, point = (".", ",") if lang == "ro" else (",", ".")
    digits = token.replace(thousand, "") if re.fullmatch(rf"\d{{1,3}}(?:\{thousand}\d{{3}})+(?:\{point}\d+)?", token) else token
    places = len(digits.partition(point)[2])
    value = float(digits.replace(point, "."))
    value = (value * 2, value + 1, value * 10)[turn % 3]
    return f"{value:,.{places}f}".translate(str.maketrans({",": thousand, ".": point}))


# --- faults --------------------------------------------------------------------------------------------------------


def _tidy(text: str) -> str:
    """One space between words, none before a stop, a capital at the start."""
    text = re.sub(r"[\s,;]+([,;.])", r"\1", re.sub(r" {2,}", " ", text)).strip(" ,;")
    return re.sub(r"(?:^|(?<=[^.]\. ))[^\W\d_]", lambda m: m[0].upper(), text)


def _cased(new: str, old: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _by_table(source: Source, name: str, before: str = r"(?<![\w-])") -> list[Change]:
    """One change for each place where a pattern of the table stands and no longer pattern does."""
    text, found, taken = source.seed.answer, [], {}
    number = rf"(?= (?:de )?(?:[−\d]|(?:{_ANY_WORD[source.seed.lang]})\b))"
    for a, b in source.table(name):
        pattern = rf"({before})({a.rstrip('#')})(?![\w-]){number if a.endswith('#') else ''}"
        for m in re.finditer(pattern, text, re.IGNORECASE):
            start, end = m.span(2)
            if any(start < e and s < end and p != a for (s, e), p in taken.items()):
                continue
            taken[start, end] = a
            new = _cased(b.rstrip("#"), m[2])
            found.append((start, _tidy(text[:start] + new + text[end:]), f"{m[2]!r} became {new!r}." if new else f"{m[2]!r} was dropped."))
    return [change[1:] for change in sorted(found)]


def _table_rule(name: str) -> Rule:
    return lambda source: _by_table(source, name)


def another_number(source: Source, elsewhere: str = "") -> list[Change]:
    """A number gives way to another number of the document, of the same unit where there is one."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    there = elsewhere or source.body
    for m in _numbers(text, lang):
        others = {n.group(): _unit(there, n) == _unit(text, m) for n in _numbers(there, lang) if n.group() not in text}
        names = [n for n, same in others.items() if same] or [n for n in others if len(n) == len(m[0])]
        for new in sorted(shuffled(names, source.seed.id), key=lambda n: abs(len(n) - len(m[0])))[:1]:
            found.append((_put(text, m, new), f"{m.group()} became {new}, which the document says of something else."))
    return found


def neighbours_number(source: Source) -> list[Change]:
    """A number gives way to a number of the neighbouring statement."""
    return another_number(source, source.seed.neighbour)


def scaled_number(source: Source) -> list[Change]:
    """A number is doubled, plus one or ten times."""
    text, lang, turn = source.seed.answer, source.seed.lang, int(re.sub(r"\D", "", source.seed.id) or 0)
    changes = [(m, _scaled(m.group(), lang, turn + n)) for n, m in enumerate(_numbers(text, lang))]
    return [(_put(text, m, new), f"{m.group()} became {new}.") for m, new in changes if new != m.group()]


def swapped_numbers(source: Source) -> list[Change]:
    """Two numbers of the answer change places."""
    text, found = source.seed.answer, [*_numbers(source.seed.answer, source.seed.lang)]
    pairs = [(a, b) for a, b in pairwise(found) if a.group() != b.group()]
    return [(_put(_put(text, b, a.group()), a, b.group()), f"{a.group()} and {b.group()} changed places.") for a, b in pairs]


def another_unit(source: Source) -> list[Change]:
    """The unit behind a number becomes another unit."""
    return _by_table(source, "unit", rf"(?:\d|\b(?:{_ANY_WORD[source.seed.lang]})) ?(?:de )?")


def shifted_time(source: Source) -> list[Change]:
    """A date or an hour is shifted."""
    text, months = source.seed.answer, _MONTHS[source.seed.lang]
    found = []
    for m in re.finditer(rf"\b(?:(\d{{1,2}}) )?({'|'.join(months)})\b", text):
        if not m[1] and m[2].lower() in ("mai", "may"):  # most often other words
            continue
        month = months[(months.index(m[2]) + 1) % 12]
        moved = (
            f"{int(m[1]) + (10 if int(m[1]) < 15 else -10)} {m[2]}" if m[1] and len(text) % 2 else f"{m[1] + ' ' if m[1] else ''}{month}"
        )
        found.append((text[: m.start()] + moved + text[m.end() :], f"{m.group()} became {moved}."))
    for m in re.finditer(r"\b(\d{1,2})(?=:\d\d\b)", text):
        moved = str((int(m[1]) + 2) % 24)
        found.append((text[: m.start()] + moved + text[m.end() :], f"The hour {m[1]} became {moved}."))
    return found


def another_number_word(source: Source) -> list[Change]:
    """A number in words becomes the next but one."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    for m in re.finditer(rf"\b(?:{_ANY_WORD[lang]})\b", text, re.IGNORECASE):
        n, feminine = _WORDS[lang][m[0].lower()]
        new = _cased(in_words(n + 2, lang, feminine), m[0])
        found.append((text[: m.start()] + new + text[m.end() :], f"{m[0]!r} became {new!r}."))
    return found


def _verb(text: str, lang: str) -> re.Match | None:
    """The first verb that stands in no subordinate clause and under no negation."""
    for m in re.finditer(rf"\b(?:{_VERB[lang]})", text):
        clause = re.split(r"[;:]|[.,](?!\d)", text[: m.start()])[-1]
        if m.start() and not _SUBORDINATE.search(clause) and not re.match(r" (?:not|no)\b", text[m.end() :]):
            return m
    return None


def inserted_not(source: Source) -> list[Change]:
    """The main verb is negated."""
    text, lang = source.seed.answer, source.seed.lang
    m = _verb(text, lang)
    if not m:
        return []
    stem = re.sub("ies$", "y", m[0]) if m[0].endswith("ies") else m[0].removesuffix("s")
    plain = {"ro": f"nu {m[0]}", "en": f"does not {stem}" if m[0].endswith("s") else f"do not {m[0]}"}
    new = f"{m[0]} not" if re.fullmatch("is|are|was|were|may|must|can|will|shall|should", m[0]) else plain[lang]
    return [(text[: m.start()] + new + text[m.end() :], f"{m[0]!r} is negated.")]


def dropped_not(source: Source) -> list[Change]:
    """A negation is dropped, and with it what only stands under a negation."""
    text, found = source.seed.answer, []
    positive = {"nicio": "o", "niciun": "un", "niciodată": "întotdeauna", "nimeni": "oricine", "nici": "și"}
    pattern = r"\b(nu(?: mai)?(?! numai) )(?!.*\bci\b)" if source.seed.lang == "ro" else r"(?:\b(?:do|does))?( not)\b"
    for m in re.finditer(pattern, text, re.IGNORECASE):
        tail = text[m.end() :]
        if source.seed.lang == "ro":
            tail = _cased(re.sub(r"\bnici\w*", lambda n: positive.get(n[0], n[0]), tail), m[0])
        elif m[0].startswith("does"):
            tail = re.sub(r"^ (\w+)", r"\1s", tail)
        found.append((_tidy(text[: m.start()] + tail), "The negation was dropped."))
    return found


def _conditions(text: str, lang: str) -> list[tuple[int, int]]:
    """Where the conditions and exceptions of `text` stand, without the comma or full stop at their end."""
    ends = re.finditer(rf"(?:, )?(?:(?:și|dar|but|and) )?\b(?:{_CLAUSE[lang]})\b(?:[^,;.]|[,.](?=\d))*", text, re.IGNORECASE)
    return [m.span() for m in ends]


def dropped_condition(source: Source, instead: str = "") -> list[Change]:
    """A condition, an exception or a limit is dropped."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    for start, end in _conditions(text, lang):
        left = _tidy(f"{text[:start]} {instead if start else _cased(instead, 'A')} {text[end:].lstrip(', ') if not start else text[end:]}")
        if len(left.split()) >= 4 and re.search(rf"\b(?:{_VERB[lang]})", left, re.IGNORECASE):
            found.append((left, f"{text[start:end].strip(' ,')!r} was {'widened to ' + repr(instead) if instead else 'dropped'}."))
    return found


def widened_condition(source: Source) -> list[Change]:
    """A condition gives way to "in every case"."""
    return dropped_condition(source, "în orice situație" if source.seed.lang == "ro" else "in every case")


def swapped_name(source: Source) -> list[Change]:
    """The seed's own swap: a name, role, place or code gives way to another."""
    return (
        [(_tidy(source.seed.answer.replace(a, b)), f"{a!r} became {b!r}.") for a, b in [source.seed.swap] if a] if source.seed.swap else []
    )


def borrowed_name(source: Source) -> list[Change]:
    """A name gives way to one that another seed of the same corpus has for it, in the same grammatical form."""
    text, own = source.seed.answer, source.seed.swap
    fitting = [
        (a, b) for a, b in source.swaps if (a, b) != own and b not in text and re.search(rf"(?<![\w-]){re.escape(a)}(?![\w-])", text)
    ]
    return [(_tidy(re.sub(rf"(?<![\w-]){re.escape(a)}(?![\w-])", b, text)), f"{a!r} became {b!r}.") for a, b in fitting]


def another_code(source: Source) -> list[Change]:
    """An identifier gives way to another of the corpus with the same letters, an article or paragraph to the next."""
    text, found = source.seed.answer, []
    for m in re.finditer(_CODE, text):
        letters = re.match(r"[A-Z]+", m[0])[0]
        fitting = [
            c
            for c in source.codes
            if re.match(r"[A-Z]+", c)[0] == letters and c not in text and c.replace("-", "") not in text.replace("-", "")
        ]
        found += [(text.replace(m[0], new), f"{m[0]} became {new}.") for new in shuffled(fitting, source.seed.id)[:1]]
    for m in re.finditer(r"\b(?:art\. |alin\. \(|[Aa]rticle |ediția |edition )(\d+)", text):
        found.append((f"{text[: m.start(1)]}{int(m[1]) + 1}{text[m.end(1) :]}", f"{m[0]} became {int(m[1]) + 1}."))
    return found


_CODE = r"\b[A-Z]{1,4}-?\d+[A-Z]?\b"
_WH = re.compile(
    r"\b(?:cat|cati|cate|cata|ce|cine|cand|unde|cum|care|cui|carui|carei|cator|who|what|when|where|which|whose|whom|how|why)\b"
)


def neighbour_said(source: Source) -> list[Change]:
    """A neighbouring statement stands in the place of the answer."""
    return [(source.seed.neighbour, "A neighbouring statement of the document; it does not answer the question.")]


def other_statement(source: Source) -> list[Change]:
    """A statement about something else stands in the place of the answer."""
    return [(source.seed.second, "A statement of the document about something else; it does not answer the question.")]


def echoed_question(source: Source) -> list[Change]:
    """The question comes back as a statement."""
    asked = source.seed.question.rstrip(" ?.")
    asked = asked[0].lower() + asked[1:] if asked[1:2].islower() or asked[1:2] == " " else asked
    if source.seed.lang == "en":
        return [(f"The document says the following about this question: {asked}.", "It echoes the question and answers nothing.")]
    joint = "" if _WH.search(" ".join(fold(asked).split()[:4])) else "dacă "
    return [(f"Documentul arată {joint}{asked}.", "It echoes the question and answers nothing.")]


def _statement(source: Source) -> str:
    """The answer's first sentence where the document has it in these words, else the document's nearest statement."""
    first, words = sentences(source.seed.answer)[0], set(content_words(source.seed.answer))
    if fold(first.rstrip(".")) in fold(source.body):
        return first
    return max(sentences(source.body), key=lambda s: len(words & set(content_words(s))) / len(words | set(content_words(s))))


def _quoted(source: Source, text: str) -> str:
    text = text.strip().rstrip(".")
    return f"Documentul prevede: „{text}”." if source.seed.lang == "ro" else f'The document says: "{text}".'


def _words(text: str) -> list[re.Match]:
    """The content words of `text` where they stand, without its first word."""
    return [m for m in re.finditer(r"(?<![\w-])[a-zăâîșț]{4,}(?![\w-])", text) if m.start() and content_words(m[0])]


def exchanged_words(source: Source) -> list[Change]:
    """A quotation in which two content words have changed places, of the same ending where there are such."""
    text, pairs = _statement(source), []
    words = _words(text)
    for n, a in enumerate(words):
        pairs += [(a[0][-2:] != b[0][-2:], b.start() - a.end(), a, b) for b in words[n + 1 :] if a[0] != b[0]]
    return [
        (
            _quoted(source, text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]),
            f"{a[0]!r} and {b[0]!r} changed places.",
        )
        for _, _, a, b in sorted(pairs, key=lambda p: p[:2])[:1]
    ]


def replaced_word(source: Source) -> list[Change]:
    """A quotation in which one content word gives way to another content word of the document with the same ending."""
    text, there = _statement(source), [m[0] for m in _words(source.body)]
    for m in sorted(_words(text), key=lambda m: -m.start()):
        fitting = [o for o in there if o[-3:] == m[0][-3:] and o[:4] != m[0][:4] and len(o) > 4 < len(m[0]) and o not in text]
        for new in shuffled(fitting, source.seed.id)[:1]:
            return [(_quoted(source, text[: m.start()] + new + text[m.end() :]), f"The document says {m[0]!r}, not {new!r}.")]
    return []


def swallowed(source: Source) -> list[Change]:
    """A quotation with an ellipsis over a negation or a condition."""
    text, lang = _statement(source), source.seed.lang
    spans = [m.span(1) for m in re.finditer(r" (nu|fără|not|without|never|cel mult|cel puțin|at most|at least) " if lang else "", text)]
    found = []
    for start, end in [*spans, *_conditions(text, lang)]:
        after = text[end:].lstrip(" ,").rstrip(".")
        if start and len(text[:start].split()) > 1:
            found.append(
                (_quoted(source, f"{text[:start].rstrip(' ,')} [...] {after}"), f"The ellipsis swallows {text[start:end].strip(' ,')!r}.")
            )
    return found


def quoted_paraphrase(source: Source) -> list[Change]:
    """The answer in quotation marks, where the document says it in other words."""
    first = sentences(source.seed.answer)[0]
    if fold(first.rstrip(".")) in fold(source.body):
        return []
    return [(_quoted(source, first), "The document says this in other words; it is no quotation.")]


_PLURAL_EN = "are|were|pay|need|receive|apply|hold|keep|inspect"
_MODAL = re.compile(r"(?:may|must|can|will|shall|should)$|ă$|\btrebuie$")


def _number_of(subject: str, verb: str, lang: str) -> str:
    """Whether subject and verb stand in the singular or the plural, "either" where the verb does not tell."""
    if _MODAL.search(verb):
        return "either"
    first = subject.split()[0]
    if lang == "en":
        return "plural" if re.fullmatch(_PLURAL_EN, verb) else "singular"
    return "plural" if first.endswith(("ile", "ele", "ii")) or re.search(r"(?:sunt|au|pot|[^aeiouăâî])$", verb) else "singular"


def _halves(statement: str, lang: str) -> dict[str, tuple[str, str, str]]:
    """`statement` in two, with the number of its verb: before the verb, and before a comma or conjunction."""
    text, found = statement.strip().rstrip("."), {}
    if verb := _verb(text, lang):
        subject = text[: verb.start()].rstrip()
        found["verb"] = (subject, text[verb.start() :], _number_of(subject, verb[0], lang))
    joint = re.search(r"(?:, (?:iar|dar|și|dacă|cu|ci|apoi|but|and|unless|if|except)\b|; | (?:dacă|numai|doar|if|only|unless)\b)", text)
    if joint:
        found["joint"] = (text[: joint.start()], text[joint.start() :], "either")
    return {way: half for way, half in found.items() if len(half[0]) > 3 and len(half[1].split()) >= 3}


def _fit(subject: str, predicate: str, lang: str) -> bool:
    """Whether a predicate may stand behind a subject: a participle behind "este" of its gender, no pronoun for another object."""
    participle = re.match(r"(?:\w+ )?(?:este|fi) \w+[tsă]\b", predicate)
    object_before = re.match(r"(?:îl|le|o|îi|i) ", predicate)
    return lang == "en" or (not object_before and (not participle or participle[0].endswith("ă") is subject.split()[0].endswith("a")))


def mosaic(source: Source) -> list[Change]:
    """Half of the answer and half of another statement of the document in one sentence, either way round."""
    lang, found, why = source.seed.lang, [], "Two statements of the document are joined into one that it does not make."
    own = _halves(sentences(source.seed.answer)[0], lang)
    for other in (source.seed.second, source.seed.neighbour):
        theirs = _halves(sentences(other)[0], lang)
        for way in ("verb", "joint"):
            if way in own and way in theirs and not {fold(h) for h in own[way][:2]} & {fold(h) for h in theirs[way][:2]}:
                for (head, _, n), (_, tail, m) in ((own[way], theirs[way]), (theirs[way], own[way])):
                    if m in ("either", n) and (way == "joint" or _fit(head, tail, lang)):
                        found.append((f"{head}{'' if tail[0] in ',;' else ' '}{tail.strip()}.", why))
    turn = int(re.sub(r"\D", "", source.seed.id) or 0) % max(len(found), 1)
    return found[turn:] + found[:turn]


# --- faithful variants ---------------------------------------------------------------------------------------------


def _written(name: str, why: str) -> Rule:
    """A rule that takes the variant which the seed itself brings."""

    def rule(source: Source) -> list[Change]:
        text = _tidy(getattr(source.seed, name))
        return [(text if text.endswith((".", "!")) else f"{text}.", why)]

    return rule


def _respelled(change: Callable[[str], str], lang: str, why: str) -> Rule:
    """A rule that spells the whole answer another way, in one language."""
    return lambda source: [(change(source.seed.answer), why)] if source.seed.lang == lang else []


def _plain(text: str) -> str:
    return text.translate(str.maketrans("ăâîșțĂÂÎȘȚ", "aaistAAIST"))


def own_synonym(source: Source) -> list[Change]:
    """The seed's own synonym."""
    return [
        (_tidy(source.seed.answer.replace(a, b, 1)), f"{a!r} and {b!r} mean the same here.")
        for a, b in [source.seed.synonym or ("", "")]
        if a
    ]


def borrowed_synonym(source: Source) -> list[Change]:
    """A synonym that another seed of the same corpus has for a phrase of this answer."""
    text = source.seed.answer
    fitting = [
        (a, b) for a, b in source.synonyms if (a, b) != source.seed.synonym and re.search(rf"(?<![\w-]){re.escape(a)}(?![\w-])", text)
    ]
    return [
        (_tidy(re.sub(rf"(?<![\w-]){re.escape(a)}(?![\w-])", b, text, count=1)), f"{a!r} and {b!r} mean the same here.") for a, b in fitting
    ]


def digits_in_words(source: Source) -> list[Change]:
    """A whole number in words; its unit symbol is spelt out."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    for m in _numbers(text, lang):
        whole = re.sub(r",00$" if lang == "ro" else r"\.00$", "", m[0]).replace("." if lang == "ro" else ",", "")
        tail, new = text[m.end() :], in_words(int(whole), lang) if whole.isdigit() and int(whole) < 1_000_000 else ""
        within = re.match(r" ?\S{0,8} (?:și|la|×|până la|and|to|or|sau) \d", tail) or re.search(
            r"\d ?\S{0,8} (?:și|la|până la|and|to|or|sau) $|[×−] ?$", text[: m.start()]
        )
        if not new or within:  # half a range would be in words, half in digits
            continue
        if lang == "ro":
            symbol = re.match(r" ?([a-zA-Z°%/³²·]+)(?![\w/³²])", tail)
            if symbol and symbol[1] in _SYMBOLS:
                name = _SYMBOLS[symbol[1]]
                tail = f" {'de ' if takes_de(whole) and name != 'la sută' else ''}{name}{tail[symbol.end() :]}"
            elif noun := re.match(rf" (de )?(?={_UNITS})", tail):
                tail = (" de " if takes_de(whole) else " ") + tail[noun.end() :]
            elif not re.match(r" (?:de )?[a-zăâîșț]{4,}", tail):
                continue
            neuter = symbol and symbol[1] in ("kg", "g", "°C")
            new = in_words(int(whole), lang, bool(neuter or not (_MASCULINE.match(tail) or tail.startswith(" la sută"))))
        elif re.match(r" ?(?:[A-Z°³]|kg|mm|cm|km|m\b|g\b)", tail):
            continue
        elif tail.startswith(("%", " %")):
            tail = " per cent" + tail.lstrip(" %")[0:0] + tail.split("%", 1)[1]
        found.append((_tidy(text[: m.start()] + new + tail), f"{m[0]} is written {new!r}."))
    return found


def words_in_digits(source: Source) -> list[Change]:
    """A number in words becomes digits."""
    text, lang = source.seed.answer, source.seed.lang
    not_counting = r"(?! (?:treimi|sferturi|thirds|quarters|of\b|or\b))"
    found = re.finditer(rf"(?<![\w-])(?:{_ANY_WORD[lang]})(?![\w-]){not_counting}", text, re.IGNORECASE)
    numbers = [(m, _WORDS[lang][m[0].lower()][0]) for m in found if m[0].lower() != "nouă"]
    return [(f"{text[: m.start()]}{n}{text[m.end() :]}", f"{m[0]!r} is written {n}.") for m, n in numbers]


def percent_form(source: Source) -> list[Change]:
    """A percentage in another form."""
    forms = (" la sută", " de procente") if source.seed.lang == "ro" else (" per cent", " percent")
    found = []
    for m in re.finditer(r"(?<=\d)( ?%)", source.seed.answer):
        number = re.search(r"[\d.,]+$", source.seed.answer[: m.start()])[0]
        for form in forms:
            form = form if takes_de(number) else form.replace(" de ", " ")
            found.append((source.seed.answer[: m.start()] + form + source.seed.answer[m.end() :], f"{m[0]!r} is written {form.strip()!r}."))
    return found


def date_form(source: Source) -> list[Change]:
    """A date or an hour written another way."""
    text, lang, found = source.seed.answer, source.seed.lang, []
    months = _MONTHS[lang]
    for m in re.finditer(rf"\b(\d{{1,2}}) ({'|'.join(months)})\b(?: (\d{{4}}))?", text):
        day, number, year = int(m[1]), months.index(m[2]) + 1, m[3]
        if lang == "ro":
            new = f"{day:02d}.{number:02d}.{year}" if year else f"{in_words(day, lang) if day > 1 else 'întâi'} {m[2]}"
        else:
            new = f"{m[2]} {day}{', ' + year if year else ''}"
        found.append((text[: m.start()] + new + text[m.end() :], f"{m[0]} is written {new}."))
    for m in re.finditer(r"\b(\d{1,2}):(\d\d)\b", text):
        hour = int(m[1])
        twelve = f"{(hour - 1) % 12 + 1}{'' if m[2] == '00' else ':' + m[2]} {'am' if hour < 12 else 'pm'}"
        new = f"{hour}.{m[2]}" if lang == "ro" else twelve
        if lang == "ro" or 0 < hour < 24:
            found.append((text[: m.start()] + new + text[m.end() :], f"{m[0]} is written {new}."))
    return found


def bullets(source: Source) -> list[Change]:
    """The sentences, clauses or members of the answer as the lines of a list; at the least the answer as the one line."""
    text = source.seed.answer
    parts, why = sentences(text), "The sentences are laid out as a list."
    if len(parts) == 1:
        joint = (
            r"; |, (?:iar|dar|și|apoi|and|but) |, (?=dacă|cu excepția|numai|doar|între|în |la |cu |unless|if|except|only|with)"
            r"| (?=(?:numai |doar )?dacă |(?:numai|doar) (?:cu|după|în|la|pentru) |(?:only )?if |unless |only with )"
        )
        parts, why = re.split(joint, text.rstrip(".")), "The parts of the sentence are laid out as a list."
    if len(parts) == 1 and (enumerated := re.match(r"(.*?): (.+?(?:, .+?)* (?:și|and) .+)\.$", text)):
        members = re.split(r", | (?:și|and) ", enumerated[2])
        return [(f"{enumerated[1]}:\n" + "\n".join(f"- {m}" for m in members), "The members are laid out as a list.")]
    if len(parts) == 1:
        head = ("", "Pe scurt:\n" if source.seed.lang == "ro" else "In short:\n")[len(text) % 2]
        return [(f"{head}- {text}", "The sentence is the one line of a list.")]
    lines = [_tidy(p if p.endswith(".") else f"{p};") for p in parts]
    lines = [line + ("." if n == len(lines) - 1 and not line.endswith(".") else "") for n, line in enumerate(lines)]
    numbered = "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    return [(numbered if len(text) % 3 == 0 else "\n".join(f"- {line}" for line in lines), why)]


# --- generating ----------------------------------------------------------------------------------------------------

RULES: dict[str, tuple[Rule, ...]] = {
    "quantity": (
        another_number, another_unit, scaled_number, _table_rule("frequency"), swapped_numbers,
        shifted_time, neighbours_number, another_number_word,
    ),
    "polarity": (dropped_not, _table_rule("polarity"), inserted_not),
    "direction": (_table_rule("direction"),),
    "qualifier": (dropped_condition, _table_rule("bound"), widened_condition, _table_rule("widened")),
    "entity": (swapped_name, another_code, borrowed_name),
    "focus": (neighbour_said, echoed_question, other_statement),
    "quotation": (exchanged_words, swallowed, replaced_word, quoted_paraphrase),
    "evidence": (mosaic,),
    "inflected": (_written("inflected", "Other inflections of the same words."),),
    "reordered": (_written("reordered", "The same parts in another order."),),
    "shortened": (_written("short", "The shortest answer that is still true."),),
    "spelling": (
        _table_rule("spelling"),
        _respelled(_plain, "ro", "Without diacritics."),
        _respelled(lambda t: t.translate(str.maketrans("șțȘȚ", "şţŞŢ")), "ro", "With the old cedilla letters."),
        _respelled(lambda t: re.sub(r"(?<=\w)â(?=\w)", "î", t), "ro", "With î inside words, as before 1993."),
        _respelled(str.upper, "ro", "In capitals."),
        _respelled(str.upper, "en", "In capitals."),
        _respelled(str.lower, "en", "In lower case."),
    ),
    "number_words": (digits_in_words, words_in_digits, date_form, percent_form),
    "synonyms": (own_synonym, borrowed_synonym),
    "list": (bullets,),
}  # fmt: skip
LIMITS = {
    "quantity": 2,
    "polarity": 2,
    "direction": 3,
    "qualifier": 2,
    "entity": 2,
    "evidence": 2,
    "number_words": 2,
}  # of a kind from one seed, else 1


def generate(seeds: Iterable[Seed], corpora: Mapping[str, Corpus]) -> list[Item]:
    """Return the candidates that the rules make of `seeds`, in the order of the seeds and kinds.

    Ids read ``rule-<seed>-<kind>-<n>``; the same seeds and corpora always give the same candidates. At most `LIMITS`
    of a kind come from one seed; which rule goes first turns with the seed's id.
    """
    seeds, made = list(seeds), []
    for seed in seeds:
        near = [s for s in seeds if (s.corpus, s.lang) == (seed.corpus, seed.lang)]
        swaps = {pair: None for s in near if s.swap for pair in (s.swap, s.swap[::-1])}
        synonyms = {s.synonym: None for s in near if s.synonym}
        codes = {c: None for d in corpora[seed.corpus].documents for c in re.findall(_CODE, d.body)}
        source = Source(seed, corpora[seed.corpus][seed.doc].body, tuple(swaps), tuple(synonyms), tuple(codes))
        for kind in RULES:
            for n, (answer, why) in enumerate(_chosen(source, kind), start=1):
                made.append(
                    Item(
                        f"rule-{seed.id}-{kind}-{n}", kind, kind in FAULTS, seed.lang, seed.corpus, seed.doc, seed.others, seed.question,
                        answer, why, origin="rule", seed=seed.id,
                    )
                )  # fmt: skip
    return made


def _chosen(source: Source, kind: str) -> list[Change]:
    """The first changes of the kind's rules in turn, none of them twice and none equal to the answer."""
    rules = RULES[kind]
    order = shuffled([str(n) for n in range(len(rules))], source.seed.id + kind)
    turns = zip_longest(*(rules[int(n)](source) for n in order))
    found = {answer: why for turn in turns for answer, why in reversed([c for c in turn if c]) if answer.strip()}
    found.pop(source.seed.answer, None)
    if kind in FAULTS and kind != "focus":  # what the document says elsewhere in these words is no fault of another kind
        said = {fold(s) for s in sentences(source.body)}
        found = {answer: why for answer, why in found.items() if fold(answer) not in said}
    return list(found.items())[: LIMITS.get(kind, 1)]
