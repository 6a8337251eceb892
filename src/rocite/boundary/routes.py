"""Routes and reason codes: what can become of a request, and why. Nothing else may become of it.

A route is what happens, a reason the condition that was observed; each reason has exactly one route. What the asker is
told of a denied request is what is told of one that nothing answers: `outward` is the reason that may leave the
restricted record.
"""

from __future__ import annotations

ANSWER, CLARIFY, ESCALATE, DENY, WITHHOLD = "answer", "clarify", "escalate", "deny", "withhold"
ROUTES = (ANSWER, CLARIFY, ESCALATE, DENY, WITHHOLD)

SUFFICIENT = "sufficient_evidence"
SCOPE = "scope_denied"
IDENTIFIER = "missing_identifier"
MISSING = "missing_evidence"
STALE = "stale_source"
REVISION = "wrong_revision"
CONFLICT = "conflicting_sources"
UNSUPPORTED = "unsupported_claim"
ABSTAINED = "model_abstained"
TIMEOUT = "check_timed_out"
FAILURE = "check_failed"

ROUTE_OF = {
    SUFFICIENT: ANSWER,
    SCOPE: DENY,
    IDENTIFIER: CLARIFY,
    MISSING: ESCALATE,
    STALE: ESCALATE,
    REVISION: ESCALATE,
    CONFLICT: ESCALATE,
    UNSUPPORTED: WITHHOLD,
    ABSTAINED: ESCALATE,
    TIMEOUT: WITHHOLD,
    FAILURE: WITHHOLD,
}
"""The route of every reason. A withheld candidate is escalated too; its text is not shown as an answer."""

TO_THE_OWNER = (STALE, REVISION, CONFLICT)  # the owner of the documents decides; both sources are named


def outward(reason: str) -> str:
    """Return the reason that may be told and logged: a denial looks like a question that nothing answers.

    >>> outward(SCOPE), outward(CONFLICT)
    ('missing_evidence', 'conflicting_sources')
    """
    return MISSING if reason == SCOPE else reason
