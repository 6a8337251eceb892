"""The words on which a true sentence turns: negations, directions, conditions, modal verbs, roles - Romanian and English.

Everything is folded (lower case, no diacritics) and matched on whole words; ``*`` stands for any ending. Each table
compiles to one pattern, which a check runs over the folded words of a statement joined by single spaces.
"""

from __future__ import annotations

import re


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
    """numai, doar, mai_mult*, mai_putin*, mai_tarziu, mai_devreme, mai_mic*, mai_mare*, depas*, trece_de, trec_de, treaca_de, trece_peste, poate_depasi, pot_depasi, poate_trece,
    inainte, before, until, pana, macar, even, poate_fi_depas*, pot_fi_depas*, trebuie_sa_depas*, depasita, a_depasi, a_trece, sub, peste
    only, more, less, fewer, later, earlier, sooner, longer, shorter, higher, lower, over, under, above, below, exceed*, be_exceeded, to_exceed"""
)
EXCEPTING = frozenset("exceptia exceptand afara except excepting unless excluding".split())
INCLUDING = compile_words("inclusiv, chiar_si, la_fel_si, precum_si, including, also, even, inclusive, if, daca")
# A word that denies another word: the word that it denies stands behind the colon.
DENIALS = {
    "permis": compile_words("interzi*, interdi*, neadmis*, nepermis*, prohibit*, forbid*, forbidden, banned, ban, bans, barred, disallow*"),
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
    "rank": (
        "prim, primul, prima, primele, primii, primei, primului, intai, intaia, initial*, first, initial, initially, earliest",
        "ultim*, ultimul, final*, last, latest, lastly, finally, eventual",
    ),
}
DIRECTIONS = {axis: (compile_words(up), compile_words(down)) for axis, (up, down) in _AXES.items()}

# --- qualifiers ------------------------------------------------------------------------------------------

CONDITIONS = compile_words(
    """daca, numai_daca, doar_daca, cu_conditia, in_cazul_in_care, in_caz_de, in_cazul, atunci_cand, atat_timp_cat, cu_acordul, cu_aprobarea, cu_avizul, cu_permisiunea,
    cu_incuviintarea, cu_exceptia, exceptand, in_afara, mai_putin_in, numai, doar, exclusiv, numai_cu, doar_cu, in_prezenta, sub_rezerva, in_baza, pe_baza, in_limita, la_cererea, cu_autorizatia, insotit*, pana_cand, sub_supravegherea
    if, only_if, only_when, unless, provided, providing, on_condition, as_long_as, in_case, in_case_of, when, with_the_consent, with_consent, with_the_approval, with_approval, with_the_permission, with_the_written, except, excepting,
    apart_from, other_than, only, solely, exclusively, in_the_presence, subject_to, on_request, at_the_request, accompanied, until, within_the_limit, with_prior, with_written, under_supervision"""
)
EXCEPTIONS = compile_words(
    "cu_exceptia, exceptand, in_afara, mai_putin, except, excepting, apart_from, other_than, unless, excluding, fara, dar_nu, but_not"
)
UNIVERSALS = compile_words(
    """toti, toate, tuturor, orice, oricine, oricand, oriunde, oricare, mereu, intotdeauna, totdeauna, indiferent, in_orice, neconditionat
    all, anyone, anybody, anytime, anywhere, everyone, everybody, always, whenever, regardless, whatever, unconditionally, in_all_cases, in_every_case, at_any_time"""
)
WHOLES = compile_words(
    """toti, toate, tuturor, orice, oricine, oricand, oriunde, oricare, mereu, intotdeauna, totdeauna, indiferent, fiecare, fiecarui, fiecarei, tot, toata, niciun, nicio, nimeni
    all, any, anyone, anybody, anytime, anywhere, every, everyone, everybody, always, whenever, regardless, each, no, none, nobody, throughout, whole, entire"""
)
PARTIALS = compile_words(
    """unii, unele, cativa, cateva, majoritatea, o_parte, de_obicei, in_general, uneori, in_principiu, de_regula, in_mod_normal, adesea, partial
    some, most, several, a_few, usually, generally, sometimes, normally, often, as_a_rule, mostly, part_of, partly"""
)
ASKED_BOUND = compile_words(
    "maxim*, minim*, cel_mult, cel_putin, limita, in_cat_timp, pana_cand, pana_la, termen*, plafon*, maximum, minimum, at_most, at_least, limit, how_soon, by_when, deadline, within"
)
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

# --- roles -----------------------------------------------------------------------------------------------

ROLES = compile_words(
    """director*, administrator*, presedint*, secretar*, contabil*, casier*, primar*, consilier*, functionar*, inspector*, sef*, responsabil*, coordonator*, operator*, tehnician*, mecanic*, electrician*, electricieni*,
    paznic*, portar*, dispecer*, medic*, asistent*, profesor*, invatator*, educator*, elev*, student*, parint*, tutore*, proprietar*, chirias*, locatar*, vecin*, vizitator*, beneficiar*, client*, abonat*, titular*, solicitant*,
    expeditor*, destinatar*, curier*, postas*, factor*, vames*, reprezentant*, mandatar*, imputernicit*, vanzator*, cumparator*, furnizor*, prestator*, angajat*, angajator*, salariat*, salvamar*, antrenor*, membr*, asociat*,
    comisi*, comitet*, consiliu*, primari*, directi*, birou*, departament*, compartiment*, ghiseu*, ghise*, magazi*, casieri*, registratur*, dispecerat*, politi*, pompieri*, tribunal*, judecator*, instant*, minist*, agenti*, autoritat*, oficiu*, banc*, spital*, scoal*, gradinit*, laborator*, atelier*, depozit*
    director*, manager*, administrator*, chair, chairman, chairperson, president*, secretar*, accountant*, cashier*, mayor*, clerk*, officer*, inspector*, head, supervisor*, coordinator*, operator*, technician*, engineer*, electrician*, mechanic*,
    guard*, dispatcher*, doctor*, nurse*, teacher*, pupil*, student*, parent*, guardian*, owner*, tenant*, landlord*, neighbour*, visitor*, customer*, client*, holder*, applicant*, sender*, recipient*, addressee*, courier*, postman,
    representative*, agent*, seller*, buyer*, supplier*, contractor*, employee*, employer*, lifeguard*, coach*, member*, committee*, council*, board, office*, department*, desk, counter, police, court*, ministry, agency, authority, bank, hospital, school, workshop, warehouse, steward*, warden*, caretaker*, librarian*, treasurer*"""
)

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
