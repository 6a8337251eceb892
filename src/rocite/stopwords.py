"""Romanian and English function words of four letters or more, folded (lower case, no diacritics).

Only words that carry no claim: articles, pronouns, prepositions, conjunctions and auxiliary verbs.
Shorter function words need no entry, because content words have at least four letters.
"""

STOPWORDS = frozenset(
    """
    about above acea aceasta aceea aceeasi aceia aceiasi acel acela acelasi acele acelea aceleasi
    acest acesta aceste acestea acestei acestor acestora acestui acestuia acum adica after again against aici
    also alta altceva alte altele altfel altul anume apoi aproape asemenea asta astea astfel asupra atare
    atat atata atatea atatia atunci avand avea avem aveti avut because been before being below between both cand
    care careia caror carora carui caruia catre ceea cele celei celelalte celor celui ceva chiar cine cineva
    conform could cumva daca decat deci deja deoarece desi despre dintr dintre doar does doing down
    dumneavoastra dupa during each eram erau este esti fara fiecare fiind fiti foarte fost from
    further fuse have havea having here hers herself himself inainte incat insa insasi insusi into intr intre
    itself just langa mele more most mult multa multe multi must myself nici niste noastra noastre nostre nostri
    nostru noua numai oare once only oricare orice oricine oricum oriunde other ours ourselves over pana pentru
    peste poate potrivit prea precum prin printr printre sale same shall should some spre such sunt suntea
    suntem sunteti tale than that their theirs them themselves then there these they this those through tine
    toata toate toti totusi trebuie unde under unei uneia unele unii unor unora until unui unuia upon vasta very
    voastra voastre vostri vostru vrea were what when where which while whom will with would your yours yourself
    yourselves
    """.split()
)
