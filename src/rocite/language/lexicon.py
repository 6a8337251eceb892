"""The words on which a true sentence turns: negations, directions, conditions, modal verbs - Romanian and English.

Everything is folded (lower case, no diacritics) and matched on whole words; ``*`` stands for any ending. Each table
compiles to one pattern, which a check runs over the folded words of a statement joined by single spaces.
"""

from __future__ import annotations

import re
from functools import lru_cache


def compile_words(entries: str) -> re.Pattern:
    """Return a pattern for any of `entries`, one a line or parted by commas; ``*`` is any ending, ``_`` a space.

    >>> bool(compile_words("scad*, mai_mic*").search("pretul scade"))
    True
    """
    forms = [e.strip() for e in re.split(r"[,\n]", entries) if e.strip()]
    parts = [re.escape(f).replace(r"\*", r"\w*").replace("_", " ") for f in sorted(forms, key=len, reverse=True)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)")


# --- polarity --------------------------------------------------------------------------------------------

NEGATIONS = compile_words(
    """nu, n, nici, nicio, niciun, niciunul, niciuna, niciodata, deloc, fara, lipsa, absenta, neplata, nimeni, nimic
    not, no, never, nor, neither, none, nobody, nothing, without, cannot, t, lack_of, absence_of"""
)
# Behind a negation these make a bound or an addition ("nu mai mult de", "nu numai", "no later than") and deny nothing.
BOUNDING = compile_words(
    """numai, doar, mai_mult*, mai_putin*, mai_tarziu, mai_devreme, mai_mic*, mai_mare*, depas*, trece_de, trec_de, treaca_de, trece_peste, este_depas*, fie_depas*, sunt_depas*, poate_depasi, pot_depasi, poate_trece,
    inainte, before, until, pana, macar, even, poate_fi_depas*, pot_fi_depas*, trebuie_sa_depas*, depasita, a_depasi, a_trece, sub, peste
    only, more, less, fewer, later, earlier, sooner, longer, shorter, higher, lower, over, under, above, below, exceed*, be_exceeded, to_exceed"""
)
EXCEPTING = frozenset("exceptia exceptand afara except excepting unless excluding".split())
# A clause that opens with one of these goes with the clause before it: negations in the two cancel out.
DEPENDENT = EXCEPTING | frozenset("daca fara cand decat if when until without".split())
CONDITIONAL = frozenset("daca cand if when".split())
OTHERS = compile_words(
    "alt, alta, alte, alti, altcineva, altor, altora, altui, altei, ceilalti, celelalte, celorlalti, restul, others, other, else, rest, third"
)
EXCEED = compile_words("depas*, trece, trec, treaca, exceed*")
INCLUDING = compile_words("inclusiv, chiar_si, la_fel_si, precum_si, including, also, even, inclusive, if, daca")
# What is denied, and the words that deny it by themselves.
DENIALS = {
    "permis": compile_words(
        "interzi*, interdi*, neadmis*, nepermis*, refuz*, respin*, refus*, reject*, prohibit*, forbid*, forbidden, banned, ban, bans, barred, disallow*"
    ),
    "plata": compile_words("scutit*, scutes*, exceptat*, scuti, scutir*, gratuit*, gratis, exempt*, free_of_charge, free, waive*"),
    "valabil": compile_words("nevalabil*, invalid*, expirat*, anulat*, void, expired, nul, nula"),
}
AFFIRMATIONS = {
    "permis": compile_words(
        "permis, permisa, permise, permisi, permite, permit, permits, permitted, voie, admis*, acceptat*, accepta, autoriza*, allow*, may, can, accepted, poate, pot, puteti"
    ),
    "plata": compile_words(
        "plat*, taxa, taxe, taxei, taxelor, tarif*, cost*, achit*, pay, pays, paid, payment*, fee, fees, charge, charged, charges, cost, costs"
    ),
    "valabil": compile_words("valabil*, valid, valida, valide"),
}
PREFIXES = ("ne", "in", "im", "un", "non", "ir", "il", "dis")  # "nevalabil", "unavailable": what is left is denied

# --- direction: each axis has two opposite poles ---------------------------------------------------------

_AXES = {
    "amount": (
        """cel_putin, minim*, nu_mai_putin_de, nu_mai_putin, macar, peste, mai_mult_de, mai_mare*, mai_lung*, depas*, nu_sub, mai_multe_de, mai_multi_de
        at_least, no_less_than, no_fewer_than, not_less_than, minimum, minimal, or_more, sau_mai_mult, sau_mai_mare, over, above, more_than, exceed*, greater, higher_than, longer_than, not_below""",
        """cel_mult, maxim*, nu_mai_mult_de, nu_mai_mult, sub, mai_putin_de, mai_mic*, mai_scurt*, nu_depas*, nu_trece_de, nu_trec_de, a_trece_de, nu_poate_trece, nu_poate_fi_depas*, nu_poate_depasi, nu_pot_depasi, nu_trebuie_sa_depaseasca, fara_a_depasi, nu_peste, plafon*, limita_superioara
        at_most, no_more_than, not_more_than, maximum, maximal, up_to, or_less, under, below, less_than, fewer_than, smaller, lower_than, shorter_than, not_exceed*, does_not_exceed, do_not_exceed, may_not_exceed, must_not_exceed, not_above, not_over""",
    ),
    "time": (
        "inainte, inaintea, inaintat, anterior*, in_avans, before, prior_to, in_advance, ahead_of, preced*, pana_la, earlier, until, till",
        "dupa, ulterior*, incepand_cu, dupa_ce, after, following, afterwards, subsequent*, since, later, post",
    ),
    "deadline": (
        "within, in_cel_mult, in_maximum, in_termen_de, nu_mai_tarziu, no_later_than, not_later_than, at_the_latest, cel_tarziu",
        "after, dupa, later_than, abia_dupa, nu_mai_devreme, no_earlier_than, not_earlier_than, at_the_earliest",
    ),
    "span": (
        "pana_cand, pana_la, pana_in, until, till",
        "de_cand, din_momentul, incepand_cu, de_indata_ce, since, from_when, from_the_moment, from_the_day, starting",
    ),
    "rank": (
        "prim, primul, prima, primele, primii, primei, primului, intai, intaia, initial*, first, initial, initially, earliest",
        "ultim*, ultimul, final*, last, latest, lastly, finally, eventual",
    ),
}
WENT = frozenset("go goes going gone went rose rise rises risen move moves moved jumped climbed shot came comes stepped ramped".split())
DIRECTIONS = {axis: (compile_words(up), compile_words(down)) for axis, (up, down) in _AXES.items()}
DIRECTIONS["change"] = (
    re.compile(r"\b(?:(?:increas|gain|climb)\w*|ris(?:e|es|en|ing)|rose|grew|grow(?:s|n|ing|th)?|up(?= \d| from| by)|cre(?:st|sc)\w*)\b"),
    re.compile(r"\b(?:(?:decreas|declin|drop|reduc|lower|scad|scaz)\w*|f[ae]ll(?:s|en|ing)?|down(?= \d| from| by))\b"),
)
_AXES["change"] = (
    "increas*, gain*, climb*, ris*, rose, grew, grow*, up, crest*, cresc*",
    "decreas*, declin*, drop*, reduc*, lower*, scad*, scaz*, fall*, fell, down",
)
_OPENERS = {
    (axis, sign): compile_words(re.sub(r"_[^,\n]*", "", words))
    for axis, sides in _AXES.items()
    for sign, words in zip((0, 1), sides, strict=True)
}


@lru_cache(maxsize=8192)
def directions(word: str) -> tuple[tuple[str, int, re.Pattern], ...]:
    """Return which poles an expression that begins with the folded word may name: axis, +1 or -1, and the pattern to match there."""
    return tuple((axis, 1 - 2 * side, DIRECTIONS[axis][side]) for (axis, side), opener in _OPENERS.items() if opener.fullmatch(word))


# --- qualifiers ------------------------------------------------------------------------------------------

CONDITIONS = compile_words(
    """daca, numai_daca, doar_daca, cu_conditia, sub_conditia, in_cazul_in_care, in_caz_de, in_cazul, atunci_cand, cand, odata_ce, atat_timp_cat, cat_timp, in_masura_in_care, cu_acord*, cu_aprobar*, cu_aviz*, cu_permisiun*,
    cu_incuviintar*, cu_consimtamant*, cu_autorizati*, cu_exceptia, exceptand, in_afara, mai_putin_in, numai, doar, exclusiv, decat, numai_cu, doar_cu, in_prezent*, sub_rezerva, in_baza, pe_baza, in_limita, la_cerer*, la_solicitar*, insotit*, pana_cand, sub_supraveghere*,
    in_primele, in_primii, in_ultimele, in_ultimii, pe_durata, pe_perioada, in_timpul
    if, only_if, only_when, unless, provided, providing, on_condition, as_long_as, so_long_as, in_case, in_case_of, in_the_event, when, with_the_consent, with_consent, with_the_approval, with_approval, with_the_permission, with_permission, with_the_written, with_the_agreement, with_agreement, with_the_prior, except, excepting, excluding, with_the_exception, save_for,
    apart_from, other_than, only, solely, exclusively, in_the_presence, subject_to, on_request, upon_request, at_the_request, on_presentation, accompanied, until, within_the_limit, with_prior, with_written, under_supervision, under_the_supervision, in_the_first, for_the_first, during_the_first, during"""
)
EXCEPTIONS = compile_words(
    "cu_exceptia, exceptand, in_afara, mai_putin, mai_putin_in, with_the_exception, save_for, except, excepting, apart_from, other_than, unless, excluding, fara, dar_nu, but_not"
)
# Limits of time that an answer to "who" or "where" may leave out.
SPANS = compile_words(
    "in_primele, in_primii, in_ultimele, in_ultimii, pe_durata, pe_perioada, in_timpul, in_the_first, for_the_first, during_the_first, during, cand, when, until, pana_cand"
)
ASKS_CONDITIONS = compile_words(
    "ce_condit*, in_ce_caz*, in_ce_situati*, acordul_cui, aprobarea_cui, permisiunea_cui, cererea_cui, prezenta_cui, under_what, under_which, what_condition*, which_condition*, in_what_case*, in_which_case*, whose"
)
ASKS_CONDITION = re.compile(f"{ASKS_CONDITIONS.pattern}|{compile_words('cand, when').pattern}")
ASKS_WHO_WHERE = compile_words("cine, unde, care, ce, who, where, which, what")
# Wholes without a noun, which widen wherever they come in, and those that stand before a noun.
ABSOLUTES = compile_words(
    """in_orice_situati*, in_orice_caz, in_orice_condit*, in_orice_moment, in_toate_cazurile, in_toate_situatiile, in_fiecare_caz, oricand, oriunde, oricat, oricata, oricati, oricate, mereu, intotdeauna, totdeauna, indiferent, neconditionat*, automat, fara_exceptie, fara_exceptii, fara_nicio_conditi*, fara_conditi*, nelimitat, permanent
    always, anytime, anywhere, everywhere, whenever, wherever, regardless_of, unconditionally, automatically, in_all_cases, in_every_case, in_all_circumstances, in_all_situations, at_any_time, at_all_times, without_exception*, without_condition*, no_matter, any_number, invariably"""
)
NEVER = compile_words(
    """in_niciun_caz, in_nicio_situati*, in_nici_un_caz, in_nicio_condit*, in_nicio_imprejurar*, sub_nicio_form*, niciodata, deloc, in_no_case, in_any_case, under_no_circumstances, under_any_circumstances, in_any_circumstances, never, at_no_time, ever"""
)
UNIVERSALS = compile_words(
    """toti, toate, tuturor, orice, oricarui, oricarei, oricaror, oricine, oricui, oricare, toata_lumea, fiecarui, fiecarei
    all, any, anyone, anybody, everyone, everybody, whoever, every"""
)
PERSONS = frozenset("oricine oricui anyone anybody everyone everybody whoever".split())
WHOLES = compile_words(
    """toti, toate, tuturor, orice, oricine, oricui, oricarui, oricarei, oricaror, oricand, oriunde, oricare, mereu, intotdeauna, totdeauna, indiferent, fiecare, fiecarui, fiecarei, toata, ambele, ambii, niciun, nicio, nimeni, nimanui
    all, any, anyone, anybody, anytime, anywhere, every, everyone, everybody, always, whenever, regardless, each, both, no, none, nobody, throughout, whole, entire"""
)
RESTRICTING = frozenset(
    "prim prima primul primele primii primei primului ultimul ultima ultimele ultimii unii unele cativa cateva anumite anumiti majoritatea partea doar numai exclusiv singurul singura first last some most several certain few only".split()
)
PARTIALS = compile_words(
    """unii, unele, cativa, cateva, majoritatea, o_parte, de_obicei, in_general, uneori, in_principiu, de_regula, in_mod_normal, adesea, partial
    some, most, several, a_few, usually, generally, sometimes, normally, often, as_a_rule, mostly, part_of, partly"""
)
ASKED_BOUND = compile_words(
    "maxim*, minim*, cel_mult, cel_putin, limita, in_cat_timp, pana_cand, pana_la, termen*, plafon*, maximum, minimum, at_most, at_least, limit, how_soon, by_when, deadline, within"
)
ADVISED = compile_words("recomand*, este_bine, e_bine, preferabil, de_preferat, indicat, should, recommend*, advis*, preferably, ideally")
ONLY = compile_words("numai, doar, exclusiv, only, solely, exclusively, just, singur*")
MAY = compile_words(
    "poate, pot, puteti, putem, ar_putea, este_posibil, e_posibil, posibil, facultativ*, optional*, may, might, can, could, optional, possibly, voluntar*"
)
MUST = compile_words(
    "trebuie, obligatori*, obligat*, obligati, este_necesar, necesar*, must, shall, has_to, have_to, required, mandatory, compulsory, obliged, need_to, needs_to, requires"
)
ABOUT = compile_words(
    "aproximativ, circa, in_jur_de, in_medie, medie, mediu, estimat*, about, around, approximately, on_average, average, roughly, estimated"
)

# --- tasks -----------------------------------------------------------------------------------------------

SUMMARY = compile_words("rezum*, sintetiz*, sumar*, pe_scurt, summar*, sum_up, outline")

# --- quotation and replies -------------------------------------------------------------------------------

UNKNOWN = re.compile(
    r"\b(?:nu (?:stiu|am (?:gasit|informat|suficient)|este (?:mentionat|precizat|specificat)|se (?:mentioneaza|precizeaza|specifica)|pot raspunde)|"
    r"(?:i|we) (?:do not|don t|cannot|can t) (?:know|answer|find|say)|not (?:mentioned|specified|stated) in)\b"
)
INTERROGATIVES = frozenset(
    "cine ce care cand unde cum cat cata cati cate carui carei caror cui who what which when where why how whose whom".split()
)
ASKS_NUMBER = compile_words(
    "cat_costa, cat_timp, cat_dureaza, cati, cate, cata, cat_de_des, cat_este, cat_se, cat_poate, cat_trebuie, cat_platesc, cat_plateste, how_many, how_much, how_long, how_often, how_old, how_far"
)

# Words that only say where something stands: "Documentul prevede", "according to the rules".
REPORTING = frozenset(
    """documentul document textul text fragmentul sursa regulamentul manualul arata prevede prevad spune precizeaza mentioneaza
    scrie indica potrivit conform says say states shows rules source according provides""".split()
)
