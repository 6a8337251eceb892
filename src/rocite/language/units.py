"""Units as they are written in Romanian and English, and what they convert to.

Decides which words are a unit and which unit that is; a unit has one canonical English name ("day", "lei", "m2").
A compound has two with a stroke between ("lei/month"). Only exact conversions are known: a month is no number
of days, and a working day is no day.
"""

from __future__ import annotations

from decimal import Decimal


def _words(text: str) -> dict[str, str]:
    return {word: unit for unit, *words in map(str.split, text.strip().splitlines()) for word in words}


# Folded words; a number stands before them, so that "luni" is months and not Monday.
UNITS = _words("""
    second secunda secunde secundele secundelor sec second seconds secs
    minute minut minute minutul minutele minutelor min mins minutes
    hour ora ore orele orelor hour hours hr hrs
    day zi zile zilele zilelor ziua day days
    week saptamana saptamani saptamanile saptamanilor week weeks
    fortnight fortnight fortnights
    month luna luni lunile lunilor month months
    quarter trimestru trimestre trimestrul trimestrele
    semester semestru semestre semestrul semestrele semester semesters
    year an ani anii anilor anul year years yr yrs
    decade deceniu decenii decade decades
    workday workday workdays
    lei lei leu leul leii leilor ron
    bani ban bani
    eur eur euro euros €
    usd usd dolar dolari dolarii dollar dollars buck bucks $
    gbp gbp lira lire pound pounds £
    chf chf
    percent % procent procente percent
    permille ‰
    pp pp
    mg mg miligrame miligram milligram milligrams
    g gr gram grame grams
    kg kg kgs kilogram kilograme kilogramul kilograms kilo kilos kile
    tonne tona tone tonne tonnes
    mm mm milimetru milimetri millimetre millimetres millimeter millimeters
    cm cm centimetru centimetri centimetre centimetres centimeter centimeters
    m metru metri metre metres meter meters
    km km kilometru kilometri kilometre kilometres kilometer kilometers
    inch inch inches inci tol toli
    mm2 mm2 mm²
    cm2 cm2 cm²
    m2 m2 m² mp sqm
    km2 km2 km²
    hectare ha hectar hectare hectares
    cm3 cm3 cm³
    m3 m3 m³ mc
    ml ml mililitru mililitri millilitre millilitres milliliter milliliters
    litre litru litri litre litres liter liters
    bar bar bari bars
    mbar mbar
    pa pascal pascali
    kpa kpa
    mpa mpa
    celsius ℃ ºc
    degree grad grade degree degrees º
    volt volt volti volts
    kv kv kilovolti
    watt watt wati watts
    kw kw kilowatt kilowati kilowatts
    wh wh
    kwh kwh kilowattora
    mwh mwh
    ampere amper amperi ampere amperes amp amps
    ma miliamperi
    hz hz hertz herti
    khz khz
    mhz mhz
    ghz ghz
    db db decibel decibeli decibels
    lux lux lucsi
    kb kb
    mb mb
    gb gb
    tb tb
""")
# Symbols whose case matters, as they stand.
SYMBOLS = {
    "V": "volt", "W": "watt", "A": "ampere", "K": "kelvin", "Ω": "ohm", "MW": "mw", "m": "m", "g": "g", "l": "litre",
    "L": "litre", "h": "hour", "s": "second", "t": "tonne", "Pa": "pa", "mA": "ma", "kΩ": "kohm", "N": "newton", "kN": "kilonewton",
}  # fmt: skip
_PHRASES = {
    "workday": """zile lucratoare|zi lucratoare|zilele lucratoare|zilelor lucratoare|working day|working days
                  |business day|business days|work days|work day""",
    "bankday": "zile bancare|zi bancara|banking days|banking day",
    "workhour": "ore lucratoare|working hours|business hours",
    "day": "zile calendaristice|zi calendaristica|zilele calendaristice|zilelor calendaristice|calendar day|calendar days",
    "month": "luni calendaristice|luna calendaristica|calendar month|calendar months",
    "year": "ani calendaristici|an calendaristic|calendar year|calendar years",
    "percent": "la suta|per cent",
    "permille": "la mie|per mille",
    "pp": "puncte procentuale|punct procentual|percentage points|percentage point|puncte de procent",
    "celsius": "grade celsius|grad celsius|degrees celsius|degree celsius|degrees centigrade|grade c|degrees c|° c|º c",
    "degree": "°",
    "m2": "metri patrati|metru patrat|square metres|square metre|square meters|square meter",
    "m3": "metri cubi|metru cub|cubic metres|cubic metre|cubic meters|cubic meter",
    "cm2": "centimetri patrati|square centimetres",
    "cm3": "centimetri cubi|cubic centimetres",
    "km2": "kilometri patrati|square kilometres|square kilometers",
    "eur": "de euro",
    "usd": "us dollars|dolari americani",
    "gbp": "lire sterline|pounds sterling",
}
PHRASES: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _unit, _text in _PHRASES.items():
    for _phrase in _text.split("|"):
        _first, *_rest = _phrase.split()
        PHRASES.setdefault(_first, []).append((tuple(_rest), _unit))

# What an article may stand before to mean one of it.
AFTER_ARTICLE = {
    "un": frozenset(
        "an minut trimestru semestru deceniu leu ban euro dolar procent gram kilogram metru milimetru centimetru kilometru litru".split()
    ),
    "o": frozenset("zi ora luna saptamana secunda tona".split()),
    "unui": frozenset("an minut trimestru semestru deceniu".split()),
    "unei": frozenset("zile ore luni saptamani".split()),
    "a": frozenset(
        """minute day week fortnight month year decade dollar euro pound percent gram kilogram kilo metre meter kilometre kilometer
        litre liter working business calendar""".split()
    ),
    "an": frozenset(("hour",)),
}
# One of what comes behind "pe", "per" or a stroke; things that are charged for have one name in both languages.
PER = _words("""
    second secunda second sec s
    minute minut minute min
    hour ora hour h
    day zi day
    week saptamana week
    month luna month
    quarter trimestru quarter
    semester semestru semester
    year an year annum
    kg kg kilogram
    g g gram
    tonne tona tonne
    litre litru litre liter l
    ml ml
    m metru metre meter m
    km km kilometru kilometre kilometer
    m2 m2 m² mp
    m3 m3 m³ mc
    kwh kwh
    person persoana person
    piece bucata buc piece item
    copy exemplar copie copy
    page pagina page
    parcel colet parcel
    document document act
    child copil child
    vehicle vehicul vehicle
""")
ADVERBS = _words("""
    hour orar hourly
    day zilnic daily
    week saptamanal weekly
    month lunar monthly
    quarter trimestrial quarterly
    semester semestrial
    year anual annually yearly
""")
MONEY = frozenset(("lei", "bani", "eur", "usd", "gbp", "chf"))
_LENGTHS = ("second", "minute", "hour", "day", "workday", "week", "month", "quarter", "semester", "year")

_CONVERSIONS = """
    time second 1, minute 60, hour 3600, day 86400, week 604800, fortnight 1209600
    months month 1, quarter 3, semester 6, year 12, decade 120
    mass mg 0.001, g 1, kg 1000, tonne 1000000
    length mm 1, cm 10, m 1000, km 1000000
    area mm2 0.000001, cm2 0.0001, m2 1, hectare 10000, km2 1000000
    volume ml 0.001, cm3 0.001, litre 1, m3 1000
    lei lei 1, bani 0.01
    share percent 0.01, permille 0.001
    pressure pa 1, mbar 100, kpa 1000, bar 100000, mpa 1000000
    temperature celsius 1, degree 1
    voltage volt 1, kv 1000
    power watt 1, kw 1000, mw 1000000
    energy wh 1, kwh 1000, mwh 1000000
    current ma 0.001, ampere 1
    frequency hz 1, khz 1000, mhz 1000000, ghz 1000000000
"""
CONVERSIONS: dict[str, tuple[str, Decimal]] = {}
for _line in _CONVERSIONS.strip().splitlines():
    _dimension, _, _members = _line.strip().partition(" ")
    for _member in _members.split(", "):
        _unit, _factor = _member.split()
        CONVERSIONS[_unit] = (_dimension, Decimal(_factor))


def conversion(unit: str) -> tuple[str, Decimal]:
    """Return the dimension of a canonical unit and the factor to its base; an unknown unit is its own dimension.

    >>> conversion("bani/kg"), conversion("workday")
    (('lei/mass', Decimal('0.00001')), ('workday', Decimal('1')))
    """
    upper, stroke, lower = unit.partition("/")
    dimension, factor = CONVERSIONS.get(upper, (upper, Decimal(1)))
    if not stroke:
        return dimension, factor
    per, divisor = CONVERSIONS.get(lower, (lower, Decimal(1)))
    return f"{dimension}/{per}", factor / divisor


def simple_at(words: list[str], j: int, exact: str) -> tuple[str, int] | None:
    """Return the simple unit that begins at word `j` and the index behind it; `exact` is that word unfolded."""
    word = words[j]
    for rest, unit in PHRASES.get(word, ()):
        if not rest or tuple(words[j + 1 : j + 1 + len(rest)]) == rest:
            return unit, j + 1 + len(rest)
    unit = SYMBOLS.get(exact) or UNITS.get(word)
    return (unit, j + 1) if unit else None


_POWERS = {"cub": "m3", "patrat": "m2", "cubic": "m3", "square": "m2"}  # "lei pe metru cub", "euro per square metre"


def per_at(words: list[str], j: int, unit: str) -> tuple[str, int]:
    """Return `unit` made compound by what stands at `j` ("/kg", "pe lună", "a day", "lunar"), and the index behind."""
    word = words[j]
    money = unit in MONEY
    if money and word in ADVERBS:
        return f"{unit}/{ADVERBS[word]}", j + 1
    at = j
    if word in ("pentru", "for", "pe") and words[j + 1] in ("fiecare", "each", "every"):
        at += 1
    elif word not in ("/", "pe", "per", "a", "an") and not (word == "each" and money):
        return unit, j
    per = PER.get(words[at + 1])
    if power := _POWERS.get(words[at + 2] if words[at + 1] in ("metru", "metre", "meter") else ""):
        return f"{unit}/{power}", at + 3
    if cubic := _POWERS.get(words[at + 1] if words[at + 2] in ("metre", "meter") else ""):
        return f"{unit}/{cubic}", at + 3
    if per is None and money and word in ("/", "per") and words[at + 1].isalpha() and len(words[at + 1]) > 2:
        per = words[at + 1]
    if per is None or (unit in _LENGTHS and (per not in _LENGTHS or _LENGTHS.index(per) <= _LENGTHS.index(unit))):
        return unit, j  # "zile/luni" are two lengths of time, not a rate
    return f"{unit}/{per}", at + 2
