"""The wording that the rules change: tables of phrases, and how conditions and main verbs are found.

Knows Romanian and English phrases by name of table and language, and nothing of seeds, answers or numbers. What is
written here was made for the rules alone: no check of an answer reads it.
"""

from __future__ import annotations

import re

# "a <> b" goes both ways, "a > b" one way; "#" asks for a number behind; the side that is looked for is a pattern.
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
    ("widened", "en"): """may(?! not) > must; can(?! not) > must; some > all; most > all; should > must; the first > every;
        certain > all""",
    ("spelling", "en"): """colour > color; metres > meters; litres > liters; metre > meter; centre > center; licence > license;
        authorised > authorized; organised > organized; programme > program; cheque > check; per cent > percent; kg > kilograms;
        mm > millimetres; hours > h; minutes > min; metres > m; euro > EUR; lei > RON; square metres > m²; % > per cent; kilograms > kg;
        post office > post-office; make-up > makeup; sub-let > sublet; year-round > year round; up to date > up-to-date; °C > degrees C""",
    ("spelling", "ro"): """ore > h; lei > RON; kilograme > kg; minute > min; metri > m; kg > kilograme; mm > milimetri; litri > l;
        euro > EUR; secunde > s; bar > bari; sunt > sînt; suntem > sîntem; % > la sută; g > grame; centimetri > cm; niciun > nici un;
        nicio > nici o""",
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
VERB = {
    "ro": r"(?:mai )?(?:(?:se|își|îi|îl|le|o|i) )?(?:mai )?(?:este|sunt|are|au|poate|pot|trebuie|costă"
    r"|rămâne|rămân|intră|face|fac|cere|oferă|începe"
    r"|durează|anunță|verifică|aprobă|depune|scoate|ține|răspunde|permite|plătesc|primesc|duce|curge|trece|suportă|notează|lasă"
    r"|predă|suspendă|menține|preia"
    r"|\w{2,}(?:ează|ește|ăște))\b|se (?!află)\w{3,}",
    "en": r"(?:is|are|was|were|may|must|can|will|shall|should)\b|(?:costs|pays|needs|applies|opens|closes|holds|receives|measures|requires"
    r"|lasts|runs|starts|stops|takes|issues|checks|approves|signs|falls|rises|tests|carries|ends"
    r"|pay|apply|need|receive|hold|keep|inspect)\b",
}


def table(name: str, lang: str) -> list[tuple[str, str]]:
    """Return the (pattern, replacement) pairs of a table, the longest pattern first.

    >>> table("bound", "en")[0], ("under#", "over#") in table("direction", "en")
    (('no later than#', ''), True)
    """
    split = (re.fullmatch(r"(.*?) (<?)> ?(.*)", entry).groups() for entry in " ".join(_TABLES[name, lang].split()).split("; "))
    pairs = [pair for a, both, b in split for pair in ([(a, b), (b, a)] if both else [(a, b)])]
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def main_verb(text: str, lang: str) -> re.Match | None:
    """Return the first verb that stands in no subordinate clause and under no negation."""
    for m in re.finditer(rf"\b(?:{VERB[lang]})", text):
        clause = re.split(r"[;:]|[.,](?!\d)", text[: m.start()])[-1]
        if m.start() and not _SUBORDINATE.search(clause) and not re.match(r" (?:not|no)\b", text[m.end() :]):
            return m
    return None


def conditions(text: str, lang: str) -> list[tuple[int, int]]:
    """Return where the conditions and exceptions of `text` stand, without the comma or full stop at their end.

    >>> conditions("The hall is open, unless it rains.", "en")
    [(16, 33)]
    """
    ends = re.finditer(rf"(?:, )?(?:(?:și|dar|but|and) )?\b(?:{_CLAUSE[lang]})\b(?:[^,;.]|[,.](?=\d))*", text, re.IGNORECASE)
    return [m.span() for m in ends]
