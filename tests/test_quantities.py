"""Quantities: what a number counts, dates or points to, and when two of them are the same."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocite.language.identifiers import is_code
from rocite.language.number_words import digits, whole
from rocite.language.quantities import identifiers, quantities, same, same_value
from rocite.language.units import conversion
from rocite.text import normalise

PIECES = st.lists(
    st.sampled_from(
        """1 2 5 10 30 1.500 1,5 12 000 2026 15.03.2026 08:30 50% 5kg 0721 a o un an de la pe și sau între and to from by in din până
        cel mult puțin peste sub nu at most least over lei zile lucrătoare luni ani oră € $ ° C % / - – ( ) [ ] . , ; : \n art alin lit
        nr Legea b) două trei douăzeci sute mii milioane half quarter treime jumătate dată ori once twice every fiecare lunar martie May
        A4 EN 54 TVA RO12 x@y.ro first second al doilea a treia ½ ² İ ß º e\u0301 \u00a0 times hundred five twenty -""".split(" ")
    ),
    max_size=25,
).map(" ".join)


def only(text, lang=None):
    found = quantities(text, lang)
    assert len(found) == 1, found
    return found[0]


def value(text, lang=None):
    found = only(text, lang)
    assert found.low == found.high
    return found.low


# --- numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("1.500", "ro", "1500"),
        ("1,5", "ro", "1.5"),
        ("1,500", "ro", "1.5"),
        ("1.500,50", "ro", "1500.5"),
        ("3.14", "ro", "3.14"),
        ("0,500", "ro", "0.5"),
        ("1,500", "en", "1500"),
        ("1.500", "en", "1.5"),
        ("1.5", "en", "1.5"),
        ("1,500.50", "en", "1500.5"),
        ("1.500,50", None, "1500.5"),
        ("1,500.50", None, "1500.5"),
        ("2,5", None, "2.5"),
        ("2.50", None, "2.5"),
        ("12.345.678", None, "12345678"),
        ("12 000", None, "12000"),
        ("12\u202f000", None, "12000"),
        ("1 500", None, "1500"),
        ("2 500,75", None, "2500.75"),
    ],
)
def test_point_comma_and_space_follow_the_language(text, lang, expected):
    found = only(f"costă {text} lei", lang)
    assert (found.low, found.unit, found.ambiguous) == (Decimal(expected), "lei", False)


@pytest.mark.parametrize("text", ["1.500", "1,500", "300.000"])
def test_three_digits_behind_one_mark_are_ambiguous_without_a_language(text):
    assert only(f"{text} lei").ambiguous
    assert not only(f"{text} lei", "ro").ambiguous
    assert not only(f"{text} lei", "en").ambiguous


def test_an_ambiguous_number_matches_either_reading():
    unsure = only("1.500 lei")
    assert same(unsure, only("1500 lei")) and same(unsure, only("1,5 lei"))
    assert not same(only("1.500 lei", "ro"), only("1,5 lei"))


@pytest.mark.parametrize("text", ["1.2.3", "1,2,3", "1.23.456", "9" * 25, "1.500.50"])
def test_what_is_not_one_number_has_no_value(text):
    assert digits(text) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("doi", 2),
        ("două", 2),
        ("doua", 2),
        ("trei", 3),
        ("nouă", 9),
        ("unsprezece", 11),
        ("nouăsprezece", 19),
        ("nouăspe", 19),
        ("paișpe", 14),
        ("douăzeci de", 20),
        ("douăzeci și două de", 22),
        ("o sută de", 100),
        ("două sute cincizeci de", 250),
        ("o mie de", 1000),
        ("două mii de", 2000),
        ("o mie două sute cincizeci de", 1250),
        ("douăzeci și două de mii de", 22000),
        ("un milion de", 1000000),
        ("3 mii", 3000),
        ("22 de mii de", 22000),
        ("2,5 milioane", 2500000),
        ("50 mil.", 50000000),
        ("1,2 mld. de", 1200000000),
        ("one hundred and five", 105),
        ("a hundred and five", 105),
        ("ninety-nine", 99),
        ("twenty two", 22),
        ("twenty-two thousand", 22000),
        ("two thousand", 2000),
        ("2.5 million", 2500000),
        ("a dozen", 12),
        ("two and a half", 2.5),
        ("half a", 0.5),
        ("30 (treizeci) de", 30),
        ("thirty (30)", 30),
        ("1½", 1.5),
    ],
)
def test_number_words_are_read_in_both_languages(words, expected):
    found = only(f"{words} {'year' if words == 'half a' else 'ani'}")
    assert (found.low, found.unit) == (Decimal(str(expected)), "year")


@pytest.mark.parametrize("number", range(1, 100))
def test_every_english_number_below_a_hundred_is_read(number):
    small = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    if number < 20:
        words = small.split()[number - 1]
    else:
        words = tens[number // 10 - 2] + (f"-{small.split()[number % 10 - 1]}" if number % 10 else "")
    assert value(f"{words} days") == number


def test_two_numbers_do_not_run_into_one():
    assert [q.low for q in quantities("între douăzeci și treizeci de zile")] == [20]
    assert [q.low for q in quantities("două zile și trei ore")] == [2, 3]
    assert whole("doi trei".split() + [""] * 4, 0) == (2, 1)


@pytest.mark.parametrize(
    ("text", "expected", "unit"),
    [
        ("o jumătate de oră", "0.5", "hour"),
        ("jumătate de an", "0.5", "year"),
        ("un sfert de oră", "0.25", "hour"),
        ("trei sferturi de oră", "0.75", "hour"),
        ("3/4 de oră", "0.75", "hour"),
        ("half an hour", "0.5", "hour"),
        ("a quarter of an hour", "0.25", "hour"),
        ("un an și jumătate", "1.5", "year"),
        ("doi ani și jumătate", "2.5", "year"),
        ("o oră și un sfert", "1.25", "hour"),
        ("one and a half years", "1.5", "year"),
        ("an hour and a half", "1.5", "hour"),
    ],
)
def test_fractions_of_a_unit_are_read(text, expected, unit):
    found = only(text)
    assert (found.low, found.unit) == (Decimal(expected), unit)


@pytest.mark.parametrize("text", ["jumătate din preț", "half of the price", "half the price", "1/2 din preț"])
def test_a_fraction_of_something_counts_that_thing_and_is_a_percentage(text):
    found = only(text)
    assert (found.low, found.unit) == (Decimal("0.5"), "")
    assert found.counted in ("pret", "price")
    assert same(found, only("50%")) and same(only("50 la sută"), found)


def test_thirds_are_equal_in_both_languages():
    assert same_value(only("două treimi din sumă"), only("two thirds of the amount"))


# --- articles and words that only look like numbers ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("o zi", "day"),
        ("o lună", "month"),
        ("un an", "year"),
        ("o oră", "hour"),
        ("unui an", "year"),
        ("unei luni", "month"),
        ("un leu", "lei"),
        ("a week", "week"),
        ("an hour", "hour"),
        ("one day", "day"),
        ("a working day", "workday"),
    ],
)
def test_an_article_before_a_unit_is_one(text, unit):
    found = only(f"durează {text}")
    assert (found.low, found.unit) == (1, unit)


@pytest.mark.parametrize(
    "text",
    [
        "o cerere",
        "un formular",
        "a form",
        "an application",
        "one of them",
        "una dintre ele",
        "legea nouă prevede",
        "noua lege",
        "opt out",
        "luni",
        "luni-vineri",
        "în fiecare",
        "once you have it",
        "la o dată ulterioară",
        "încă o dată",
        "o dată stabilită",
        "mai mult",
        "you may apply",
        "",
        "Niciun număr aici.",
    ],
)
def test_words_that_only_look_like_numbers_are_none(text):
    assert quantities(text) == []


# --- units -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("5 %", "percent"),
        ("5%", "percent"),
        ("5 la sută", "percent"),
        ("cinci procente", "percent"),
        ("5 percent", "percent"),
        ("5 per cent", "percent"),
        ("5 puncte procentuale", "pp"),
        ("5 percentage points", "pp"),
        ("5 lei", "lei"),
        ("5 RON", "lei"),
        ("RON 5", "lei"),
        ("5 bani", "bani"),
        ("5 euro", "eur"),
        ("5 de euro", "eur"),
        ("EUR 5", "eur"),
        ("EUR5", "eur"),
        ("€5", "eur"),
        ("5 €", "eur"),
        ("$5", "usd"),
        ("5 dolari", "usd"),
        ("£5", "gbp"),
        ("5 lire", "gbp"),
        ("5kg", "kg"),
        ("5 kg.", "kg"),
        ("5 mm", "mm"),
        ("5 m", "m"),
        ("5 m2", "m2"),
        ("5 m²", "m2"),
        ("5 metri pătrați", "m2"),
        ("5 l", "litre"),
        ("5 bar", "bar"),
        ("5 °C", "celsius"),
        ("5 grade Celsius", "celsius"),
        ("5 V", "volt"),
        ("5V", "volt"),
        ("5 kWh", "kwh"),
        ("5 A", "ampere"),
        ("5 ore", "hour"),
        ("5h", "hour"),
        ("5 minute", "minute"),
        ("5 min.", "minute"),
        ("5 luni", "month"),
        ("5 ani", "year"),
        ("5 săptămâni", "week"),
        ("5 saptamani", "week"),
        ("5 zile lucrătoare", "workday"),
        ("5 working days", "workday"),
        ("5 business days", "workday"),
        ("5 zile calendaristice", "day"),
        ("5 calendar days", "day"),
        ("5-day", "day"),
        ("5 lei/kg", "lei/kg"),
        ("5 lei pe lună", "lei/month"),
        ("5 lei lunar", "lei/month"),
        ("5 euro per day", "eur/day"),
        ("5 euro a day", "eur/day"),
        ("5 lei pentru fiecare zi", "lei/day"),
        ("5 lei/persoană", "lei/person"),
        ("5 km/h", "km/hour"),
        ("5 ore pe zi", "hour/day"),
        ("V/5 Hz", "hz"),
    ],
)
def test_units_have_one_name(text, unit):
    found = only(text)
    assert (found.low, found.unit, found.kind) == (5, unit, "amount")


def test_two_lengths_of_time_with_a_stroke_are_no_rate():
    assert only("5 zile/luni").unit == "day"


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("3 exemplare", "exemplare"),
        ("trei exemplare", "exemplare"),
        ("22 de mii de cititori", "cititori"),
        ("3 noi exemplare", "exemplare"),
        ("25 de persoane", "persoane"),
        ("3 copies", "copies"),
        ("3 unități", "unitati"),
        ("3 sau mai", ""),
        ("3. Exemplare", ""),
        ("3, exemplare", ""),
    ],
)
def test_an_unknown_noun_is_what_is_counted(text, counted):
    found = only(f"se cer {text}")
    assert (found.unit, found.counted) == ("", counted)


def test_a_minus_belongs_to_a_temperature_and_not_to_a_range():
    assert value("sub cerul de -5 °C") == -5
    assert [(q.low, q.high) for q in quantities("între -5 și 10 °C")] == [(-5, 10)]
    assert [(q.low, q.high) for q in quantities("5-10 °C")] == [(5, 10)]


# --- bounds and ranges -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("cel mult 30 de zile", "max"),
        ("de cel mult 30 de zile", "max"),
        ("în termen de cel mult 30 de zile", "max"),
        ("maximum 30 de zile", "max"),
        ("maxim 30 de zile", "max"),
        ("max. 30 de zile", "max"),
        ("un maximum de 30 de zile", "max"),
        ("cel târziu 30 de zile", "max"),
        ("până la 30 de zile", "max"),
        ("nu mai mult de 30 de zile", "max"),
        ("nu depășește 30 de zile", "max"),
        ("nu poate depăși 30 de zile", "max"),
        ("nu poate fi mai mare de 30 de zile", "max"),
        ("at most 30 days", "max"),
        ("no more than 30 days", "max"),
        ("up to 30 days", "max"),
        ("shall not exceed 30 days", "max"),
        ("no later than 30 days", "max"),
        ("30 de zile cel mult", "max"),
        ("30 days at most", "max"),
        ("cel puțin 30 de zile", "min"),
        ("minimum 30 de zile", "min"),
        ("minim 30 de zile", "min"),
        ("nu mai puțin de 30 de zile", "min"),
        ("măcar 30 de zile", "min"),
        ("at least 30 days", "min"),
        ("no less than 30 days", "min"),
        ("30 days or more", "min"),
        ("30 de zile sau mai mult", "min"),
        ("30 de zile și peste", "min"),
        ("peste 30 de zile", "over"),
        ("mai mult de 30 de zile", "over"),
        ("mai mare de 30 de zile", "over"),
        ("depășește 30 de zile", "over"),
        ("over 30 days", "over"),
        ("more than 30 days", "over"),
        ("exceeds 30 days", "over"),
        ("sub 30 de zile", "under"),
        ("mai puțin de 30 de zile", "under"),
        ("mai mic de 30 de zile", "under"),
        ("under 30 days", "under"),
        ("less than 30 days", "under"),
        ("below 30 days", "under"),
        ("circa 30 de zile", "about"),
        ("aproximativ 30 de zile", "about"),
        ("aprox. 30 de zile", "about"),
        ("în jur de 30 de zile", "about"),
        ("about 30 days", "about"),
        ("approximately 30 days", "about"),
        ("în termen de 30 de zile", ""),
        ("within 30 days", ""),
    ],
)
def test_bounds_are_read_before_and_behind(text, bound):
    found = only(text)
    low, high = {"max": (None, 30), "under": (None, 30), "min": (30, None), "over": (30, None)}.get(bound, (30, 30))
    assert (found.bound, found.low, found.high, found.unit) == (bound, low, high, "day")
    assert found.open == (bound in ("over", "under"))
    assert same(found, only("30 de zile"))


def test_a_bound_between_two_numbers_belongs_to_the_second():
    assert [(q.bound, q.low, q.high) for q in quantities("plătești 5 lei cel mult 3 luni")] == [("", 5, 5), ("max", None, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "5-10 zile",
        "5–10 zile",
        "5 - 10 zile",
        "5 zile - 10 zile",
        "între 5 și 10 zile",
        "de la 5 la 10 zile",
        "de la 5 până la 10 zile",
        "5 până la 10 zile",
        "from 5 to 10 days",
        "between 5 and 10 days",
        "5 to 10 days",
        "five to ten days",
    ],
)
def test_a_range_has_two_ends_and_one_unit(text):
    found = only(text)
    assert (found.bound, found.low, found.high, found.unit) == ("range", 5, 10, "day")
    assert same(found, only("5-10 days"))
    assert not same(found, only("10 days")) and not same(found, only("5-11 days"))


def test_ranges_share_scales_dates_and_hours():
    assert [(q.low, q.high) for q in quantities("2-3 mii de lei, 1500-2000 lei")] == [(2000, 3000), (1500, 2000)]
    assert only("3-4 ori pe an").kind == "frequency"
    assert only("10-15 martie 2026").date == "2026-03-10/2026-03-15"
    assert only("de la 1 martie până la 31 mai 2026").date == "2026-03-01/2026-05-31"
    assert only("15.03-20.03.2026").date == "2026-03-15/2026-03-20"
    assert only("2023-2024").date == "2023/2024"
    assert only("între orele 8 și 16").date == "08:00/16:00"
    assert only("joi 8.30-18.30", "ro").date == "08:30/18:30"
    assert only("8.30-18.30", "en").low == Decimal("8.3")


def test_bare_numbers_beside_each_other_share_the_unit():
    assert [(q.low, q.unit) for q in quantities("2, 4 sau 6 luni")] == [(2, "month"), (4, "month"), (6, "month")]


# --- dates and times -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("15.03.2026", "2026-03-15"),
        ("15/03/2026", "2026-03-15"),
        ("15-03-2026", "2026-03-15"),
        ("2026-03-15", "2026-03-15"),
        ("15 martie 2026", "2026-03-15"),
        ("15 mar. 2026", "2026-03-15"),
        ("15 March 2026", "2026-03-15"),
        ("15th of March 2026", "2026-03-15"),
        ("March 15, 2026", "2026-03-15"),
        ("15 martie", "--03-15"),
        ("March 15", "--03-15"),
        ("1 iulie", "--07-01"),
        ("întâi iulie", "--07-01"),
        ("15 mai", "--05-15"),
        ("15 May", "--05-15"),
        ("martie 2026", "2026-03"),
        ("March 2026", "2026-03"),
        ("03/2026", "2026-03"),
        ("anul 2026", "2026"),
        ("in 2026", "2026"),
        ("2026", "2026"),
        ("25 ale lunii", "---25"),
        ("data de 25", "---25"),
    ],
)
def test_dates_are_day_first(text, date):
    found = only(text)
    assert (found.kind, found.date) == ("date", date)


@pytest.mark.parametrize("text", ["5 mai multe", "2026 de exemplare", "1500 lei", "1499", "2101", "2000 copies"])
def test_numbers_that_only_look_like_dates_are_amounts(text):
    assert only(text).kind == "amount"


@pytest.mark.parametrize("text", ["45.03.2026", "15.13.2026", "1992-1-1"])
def test_impossible_dates_are_nothing(text):
    assert not [q for q in quantities(text) if q.kind == "date"]


def test_a_date_can_be_a_bound():
    assert [(q.bound, q.date) for q in quantities("până la 25 martie 2026")] == [("max", "2026-03-25")]
    assert [(q.bound, q.date) for q in quantities("începând cu 1 ianuarie")] == [("min", "--01-01")]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("15 martie", "15 martie 2026", True),
        ("martie 2026", "15.03.2026", True),
        ("2026", "March 15, 2026", True),
        ("15 martie 2025", "15 martie 2026", False),
        ("16 martie", "15 martie 2026", False),
        ("15 martie", "2026", False),
    ],
)
def test_a_date_matches_one_with_more_detail(a, b, expected):
    assert same(only(a), only(b)) == same(only(b), only(a)) == expected


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("14:30", "14:30"),
        ("ora 8", "08:00"),
        ("ora 8.30", "08:30"),
        ("ora opt", "08:00"),
        ("8 a.m.", "08:00"),
        ("8am", "08:00"),
        ("8 pm", "20:00"),
        ("12 p.m.", "12:00"),
        ("14h30", "14:30"),
        ("08:00-16:00", "08:00/16:00"),
        ("orele 8-16", "08:00/16:00"),
        ("from 9 am to 5 pm", "09:00/17:00"),
    ],
)
def test_times_of_day_are_read(text, time):
    found = only(text)
    assert (found.kind, found.date) == ("time", time)


@pytest.mark.parametrize("text", ["1:100", "25:00", "2:75"])
def test_ratios_are_no_times(text):
    assert quantities(text) == []


# --- frequencies, ordinals, references -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "yearly"),
    [
        (("o dată pe lună", "lunar", "monthly", "once a month", "în fiecare lună", "every month", "din lună în lună"), "12"),
        (
            (
                "de două ori pe an",
                "semestrial",
                "every six months",
                "la fiecare 6 luni",
                "twice a year",
                "o dată la 6 luni",
                "six-monthly",
                "half-yearly",
            ),
            "2",
        ),
        (("trimestrial", "quarterly", "din 3 în 3 luni", "every three months", "de patru ori pe an", "de 4 ori/an"), "4"),
        (("anual", "yearly", "annually", "o dată pe an", "la fiecare 12 luni", "each year", "o singură dată pe an"), "1"),
        (("zilnic", "daily", "every day", "o dată pe zi", "once per day"), "365"),
        (("o dată la doi ani", "every two years", "bienal", "every other year"), "0.5"),
    ],
)
def test_frequencies_are_times_a_year(texts, yearly):
    for text in texts:
        found = only(text)
        assert (found.kind, found.low) == ("frequency", Decimal(yearly)), text


@pytest.mark.parametrize(
    ("a", "b"), [("săptămânal", "once a week"), ("every two weeks", "la fiecare 14 zile"), ("fortnightly", "o dată la două săptămâni")]
)
def test_weeks_and_days_agree(a, b):
    assert same(only(a), only(b))


@pytest.mark.parametrize(("text", "times"), [("de două ori", 2), ("o singură dată", 1), ("twice", 2), ("three times", 3), ("de 3 ori", 3)])
def test_times_without_a_period_are_an_amount(text, times):
    found = only(text)
    assert (found.kind, found.unit, found.low) == ("amount", "times", times)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("primul", 1),
        ("prima cerere", 1),
        ("al doilea", 2),
        ("a doua zi", 2),
        ("a treia", 3),
        ("second", 2),
        ("3rd", 3),
        ("al 15-lea", 15),
        ("a 2-a", 2),
    ],
)
def test_ordinals_are_read(text, number):
    found = only(text)
    assert (found.kind, found.low) == ("ordinal", number)


def test_the_last_and_the_first_three_are_no_ordinals():
    assert quantities("ultimul formular, the last form") == []
    assert [q.kind for q in quantities("the first three months")] == ["amount"]


@pytest.mark.parametrize(
    ("text", "unit", "ref"),
    [
        ("art. 7", "article", "7"),
        ("art.7", "article", "7"),
        ("articolul 7", "article", "7"),
        ("art. 18bis", "article", "18bis"),
        ("art. 226^1", "article", "226^1"),
        ("art. 5-7", "article", "5-7"),
        ("alin. (2)", "paragraph", "2"),
        ("lit. b)", "letter", "b"),
        ("lit. b", "letter", "b"),
        ("pct. 3", "point", "3"),
        ("nr. 7/2009", "number", "7/2009"),
        ("7/2009", "number", "7/2009"),
        ("Legea 227/2015", "law", "227/2015"),
        ("Legea nr. 227/2015", "law", "227/2015"),
        ("Legea nr. 227 din 2015", "law", "227/2015"),
        ("Reg. 952/2013", "law", "952/2013"),
        ("Regulamentul (UE) nr. 952/2013", "law", "952/2013"),
        ("Directiva 2006/112/CE", "law", "2006/112/ce"),
        ("anexa 2", "annex", "2"),
        ("section 4", "section", "4"),
        ("paragraph 2", "paragraph", "2"),
        ("capitolul III", "chapter", "3"),
        ("chapter 3", "chapter", "3"),
        ("page 4", "page", "4"),
        ("pagina 4", "page", "4"),
    ],
)
def test_references_count_nothing(text, unit, ref):
    found = only(f"conform {text}.")
    assert (found.kind, found.unit, found.ref) == ("reference", unit, ref)


def test_a_list_of_references_goes_on():
    assert [(q.unit, q.ref) for q in quantities("art. 5, 7 și 9 alin. (1) și (2)")] == [
        ("article", "5"),
        ("article", "7"),
        ("article", "9"),
        ("paragraph", "1"),
        ("paragraph", "2"),
    ]


def test_a_bracket_on_an_article_is_its_paragraph():
    assert [(q.unit, q.ref) for q in quantities("Article 3(2)")] == [("article", "3"), ("paragraph", "2")]


def test_an_amount_behind_a_reference_stays_an_amount():
    assert [q.kind for q in quantities("art. 5 și 30 de zile")] == ["reference", "amount"]


def test_a_law_is_known_by_its_number_and_year():
    assert same(only("nr. 227/2015"), only("Legea 227/2015"))
    assert not same(only("art. 5"), only("alin. 5"))
    assert not same_value(only("art. 5"), only("5 zile"))


# --- what is no quantity ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A4",
        "P-2",
        "SR 25",
        "EN 54 stabilește",
        "SR EN 1992-1-1:2006",
        "R32",
        "B12",
        "RO12345",
        "ISO 9001:2015",
        "F-12/3",
        "12bis",
        "CO2",
        "v1.2.3",
        "1.2.3",
        "4x4",
        "CUI 12345678",
        "RO49 AAAA 1B31 0075 9384 0000 0000",
        "0721 123 456",
        "021.315.10.10",
        "+40 21 315 1010",
        "ana5@site.ro",
        "https://site.ro/2026/05/30",
        "site.ro/30",
        "file_2024.pdf",
        "24/7",
        "1234567890123",
    ],
)
def test_codes_count_nothing(text):
    assert quantities(f"vezi {text}") == []


@pytest.mark.parametrize(
    "text", ["1. Text", "2) text", "- a) text", "(3) text", "1.1. Text", "text\n12. text", "• 4. text", "text [2]", "text [1, 2]"]
)
def test_items_of_a_list_and_citations_count_nothing(text):
    assert quantities(text) == []


def test_a_number_at_the_start_of_a_line_is_a_number_without_a_full_stop():
    assert value("- 5 lei") == 5
    assert value("30 de zile") == 30


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Numărul EORI și CUI, TVA-ul", ["EORI", "CUI", "TVA"]),
        ("P-2 pe A4, F-12/3, RO12345, CO2", ["P-2", "A4", "F-12/3", "RO12345", "CO2"]),
        ("EN 54 și ISO 9001:2015", ["EN 54", "ISO 9001:2015"]),
        ("TVA 19% la 5kg, 30-day, 14h30, 230V, 5 RON", ["TVA"]),
        ("RO49 AAAA 1B31 0075 9384 0000 0000", ["RO49 AAAA 1B31 0075 9384 0000 0000"]),
        ("versiunea 1.2.3 din 15.03.2026, 1.234.567 lei", ["1.2.3"]),
        ("scrie la ana@site.ro", ["ana@site.ro"]),
        ("capitolul III, IN TERMEN DE CEL MULT", []),
        ("o cerere obișnuită", []),
    ],
)
def test_identifiers_are_codes_and_acronyms(text, names):
    assert [name for *_, name in identifiers(text)] == names


def test_a_number_with_a_unit_is_no_code():
    assert not any(map(is_code, ["5kg", "16A", "3rd", "8am", "15-lea", "100m2", "12bis"]))


# --- equality --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("24 de ore", "o zi"),
        ("60 de minute", "o oră"),
        ("două săptămâni", "14 days"),
        ("12 luni", "un an"),
        ("18 months", "un an și jumătate"),
        ("1000 g", "1 kg"),
        ("2 km", "2000 m"),
        ("500 ml", "0,5 litri"),
        ("150 de bani", "1,5 lei"),
        ("5 lei/kg", "500 de bani/kg"),
        ("5 zile calendaristice", "5 days"),
        ("5 zile lucrătoare", "five working days"),
        ("3 exemplare", "trei exemplarele"),
        ("30", "30 de exemplare"),
        ("cel mult 30 de zile", "cel puțin 30 de zile"),
    ],
)
def test_equal_quantities_are_the_same(a, b):
    assert same(only(a), only(b)) and same(only(b), only(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("5 zile", "5 zile lucrătoare"),
        ("30 de zile", "o lună"),
        ("5 lei", "5 euro"),
        ("5 lei", "5 lei pe lună"),
        ("5%", "5 puncte procentuale"),
        ("3 exemplare", "3 persoane"),
        ("30", "30 de zile"),
        ("3 exemplare", "3 zile"),
        ("5 zile", "6 zile"),
        ("1 exemplar", "100%"),
        ("de două ori pe an", "de două ori"),
        ("ora 8", "8 ore"),
        ("al doilea", "2"),
    ],
)
def test_different_quantities_are_not(a, b):
    assert not same(only(a), only(b)) and not same(only(b), only(a))


def test_the_bare_value_ignores_the_unit():
    assert same_value(only("30"), only("30 de zile"))
    assert same_value(only("5 zile"), only("5 zile lucrătoare"))
    assert not same_value(only("30"), only("31 de zile"))
    assert not same_value(only("5-10"), only("10 zile"))


def test_an_unknown_unit_is_its_own_dimension():
    assert conversion("lei/person") == ("lei/person", 1)


# --- any text --------------------------------------------------------------------------------------------


def check_offsets(text):
    for lang in (None, "ro", "en"):
        found = quantities(text, lang)
        last = 0
        for q in found:
            assert last <= q.start < q.end
            assert normalise(text)[q.start : q.end] == q.text
            last = q.end
    last = 0
    for start, end, name in identifiers(text):
        assert last <= start < end
        assert normalise(text)[start:end] == name
        last = end


@given(st.text())
def test_any_text_is_read_and_offsets_are_right(text):
    check_offsets(text)


@given(PIECES)
def test_any_heap_of_number_words_is_read_and_offsets_are_right(text):
    check_offsets(text)


@given(PIECES, PIECES)
def test_equality_is_symmetric_and_reflexive(a, b):
    for x in quantities(a):
        assert same_value(x, x) or x.kind == "reference"
        assert same(x, x)
        for y in quantities(b):
            assert same(x, y) == same(y, x)
            assert same_value(x, y) == same_value(y, x)


def test_the_example_of_a_whole_sentence_is_read():
    text = "Conform art. 5 alin. (2) din Legea nr. 227/2015, taxa de 25,50 lei pe lună se plătește până la 25 martie 2026, în 2-3 zile."
    assert [(q.text, q.kind, q.unit) for q in quantities(text, "ro")] == [
        ("art. 5", "reference", "article"),
        ("alin. (2)", "reference", "paragraph"),
        ("Legea nr. 227/2015", "reference", "law"),
        ("25,50 lei pe lună", "amount", "lei/month"),
        ("până la 25 martie 2026", "date", ""),
        ("2-3 zile", "amount", "day"),
    ]
