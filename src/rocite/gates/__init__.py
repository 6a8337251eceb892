"""The gates and checks: each a pure function that scores, and a separate comparison that decides.

Every one always scores, whatever the others say; thresholds are compared last (`rocite.check`). The order of a
tuple is the order in which the first failing one is named. `ARTICLE` is the four gates of the article; `STRICT` keeps
retrieval and citation, and replaces the rest by the evidence checks.
"""

from rocite.gates import (
    citation,
    direction,
    entity,
    evidence,
    focus,
    grounding,
    numbers,
    polarity,
    qualifier,
    quantity,
    quotation,
    retrieval,
)

ARTICLE = (retrieval, citation, numbers, grounding)
CHECKS = (quantity, polarity, direction, qualifier, entity, focus, quotation, evidence)
STRICT = (retrieval, citation, *CHECKS)
