"""The gates: each a pure function that scores, and a separate comparison that decides.

Every gate always scores, whatever the others say; thresholds are compared last (`rocite.check`). The
order of `ARTICLE` is the order in which the first failing gate is named.
"""

from rocite.gates import citation, grounding, numbers, retrieval

ARTICLE = (retrieval, citation, numbers, grounding)
