"""Policies on the same cases: what each releases and what it costs.

Every policy sees the same candidate, which copies the picked statements, and decides by arithmetic on what was recorded.
Policies that look at one thing stand beside the routes: always, never, a similarity, the documents' metadata alone, the
four gates and the strict checks alone. A withheld candidate is an escalation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from rocite.boundary.naming import assets_named
from rocite.boundary.policy import Policy, boundary, route
from rocite.boundary.routes import ANSWER, CLARIFY, ESCALATE, WITHHOLD
from rocite.corpus import Corpus
from rocite.evaluate.answerability import outcomes
from rocite.evaluate.answerability.cases import Cases
from rocite.evaluate.answerability.examined import Examined
from rocite.evaluate.answerability.outcomes import ANSWERABLE_COVERAGE, Outcome

Rule = Callable[[Examined], str]  # from a case to the route that is taken
BEFORE, AFTER, LEARNED = "bounded, before support check", "bounded, after support check", "learned gate"


def always(e: Examined) -> str:
    """Answer with whatever was picked."""
    return ANSWER if e.found.picks else ESCALATE


def never(e: Examined) -> str:
    """Answer nothing."""
    return ESCALATE


def similar(threshold: float) -> Rule:
    """Answer from the similarity of the best document on; exactly the threshold answers."""
    return lambda e: ANSWER if e.found.picks and e.found.similarity >= threshold else ESCALATE


def by_metadata(corpus: Corpus) -> Rule:
    """Answer unless the front matter speaks against it.

    An edition that is not in force is escalated, two documents of the context about one asset of which neither supersedes the
    other too; no asset named and documents of several assets in the context is to be clarified. No text is compared.
    """

    def rule(e: Examined) -> str:
        if not e.found.picks or e.found.signs["edition"]:
            return ESCALATE
        context = [corpus[name] for name in e.found.context[:3]]
        own = corpus[e.found.picks[0].document]
        assets = {d.asset for d in context if d.asset}
        if own.asset and len(assets) > 1 and not e.case.asset and not assets_named(e.case.question, sorted(assets)):
            return CLARIFY
        others = [d for d in context if d.id != own.id and own.asset and d.asset == own.asset]
        unresolved = [d for d in others if own.id not in d.supersedes and d.id not in own.supersedes]
        return ESCALATE if unresolved else ANSWER

    return rule


def gates(name: str) -> Rule:
    """Answer what this set of gates accepts, and nothing else decides."""

    def rule(e: Examined) -> str:
        verdict = e.verdicts[name][0]
        return ANSWER if verdict == "accepted" else WITHHOLD if verdict == "refused" else ESCALATE

    return rule


def covering(policy: Policy, least: float, checked: bool) -> Rule:
    """The routes, with the share of the question that the picks cover as the estimate of sufficiency; then, if `checked`, the strict checks."""

    def rule(e: Examined) -> str:
        hard = boundary(e.found, policy.limits)
        if hard:
            return route(hard)
        if e.found.signs["coverage"] < least:
            return ESCALATE
        return gates("strict")(e) if checked else ANSWER

    return rule


def learned(policy: Policy) -> Rule:
    """The routes with the learned estimate of sufficiency, then the strict checks."""

    def rule(e: Examined) -> str:
        taken = route(policy.decide(e.found))
        return gates("strict")(e) if taken == ANSWER else taken

    return rule


def rules(policy: Policy, least_covered: float, similarity: float, corpus: Corpus) -> dict[str, Rule]:
    """Return every policy by its name, in the order in which they are shown."""
    return {
        "always answer": always,
        "never answer": never,
        "similarity": similar(similarity),
        "metadata rules": by_metadata(corpus),
        "four gates": gates("article"),
        "strict checks": gates("strict"),
        BEFORE: covering(policy, least_covered, False),
        AFTER: covering(policy, least_covered, True),
        LEARNED: learned(policy),
    }


def run(examined: Sequence[Examined], rule: Rule) -> list[Outcome]:
    """Return what `rule` does with every case."""
    found = []
    for e in examined:
        taken = rule(e)
        shown = taken == ANSWER
        found.append(Outcome(e.case.id, e.case.intent, e.case.answerable, taken, shown and e.unsupported, shown and not all(e.met)))
    return found


# --- fitted on tuning parts ---------------------------------------------------------------------------------------


def fit_similarity(cases: Cases, examined: Sequence[Examined], slack: float) -> float:
    """Return the article's threshold: the lowest similarity of an answerable case, less `slack`. Raises AcceptanceError."""
    cases.fitting(e.case for e in examined)
    return round(min(e.found.similarity for e in examined if e.case.answerable and e.found.picks) - slack, 6)


def fit_covered(cases: Cases, examined: Sequence[Examined], policy: Policy) -> float:
    """Return the least coverage that tells right candidates from others best (Youden's index). Raises AcceptanceError."""
    cases.fitting(e.case for e in examined)
    passed = [e for e in examined if not boundary(e.found, policy.limits)]
    right = [e.found.signs["coverage"] for e in passed if e.right]
    other = [e.found.signs["coverage"] for e in passed if not e.right]
    grid = [n / 20 for n in range(21)]
    return max(grid, key=lambda v: (sum(c >= v for c in right) / max(len(right), 1) - sum(c >= v for c in other) / max(len(other), 1), -v))


# --- tables -------------------------------------------------------------------------------------------------------


def table(examined: Sequence[Examined], named: Mapping[str, Rule], level: float, draws: int, seed: int) -> pd.DataFrame:
    """Return one row for each policy and measure: policy, measure, value, numerator, denominator, low, high, units.

    The measure "wrong families" has the share of answered families with an unsupported claim; its `high` is the one-sided
    bound at `level` and it has no `low`.
    """
    rows = []
    for name, rule in named.items():
        found = run(examined, rule)
        for measure in outcomes.MEASURES:
            e = measure.estimate(found, draws, seed)
            rows.append((name, measure.name, e.value, e.numerator, e.denominator, e.low, e.high, e.units))
        wrong, answered, bound = outcomes.family_risk(found, level)
        rows.append((name, "wrong families", wrong / answered if answered else None, wrong, answered, None, bound, answered))
    return pd.DataFrame(rows, columns=["policy", "measure", "value", "numerator", "denominator", "low", "high", "units"])


SEGMENTS: dict[str, Callable[[Examined, Corpus], str]] = {
    "kind": lambda e, corpus: e.case.kind,
    "language": lambda e, corpus: e.case.lang,
    "documents": lambda e, corpus: e.case.documents,
    "impact": lambda e, corpus: "high impact" if any(corpus[i].field("impact") == "high" for i, _ in e.case.sources) else "other impact",
}


def segments(examined: Sequence[Examined], named: Mapping[str, Rule], corpus: Corpus, level: float) -> pd.DataFrame:
    """Return, for each policy and segment, what is answered, what of it is wrong, and how far coverage is below the policy's own.

    Columns: policy, by, segment, cases, answerable, answered, covered (of answerable), unsupported, wrong_families, families,
    bound, escalate, clarify, below (coverage of the whole less that of the segment; None without an answerable case).
    """
    rows = []
    for name, rule in named.items():
        every = run(examined, rule)
        whole = _share(every)
        for by, of in SEGMENTS.items():
            labels = [of(e, corpus) for e in examined]
            for label in sorted(set(labels)):
                group = [o for o, own in zip(every, labels, strict=True) if own == label]
                wrong, answered, bound = outcomes.family_risk(group, level)
                share = _share(group)
                rows.append(
                    {
                        "policy": name,
                        "by": by,
                        "segment": label,
                        "cases": len(group),
                        "answerable": sum(o.answerable for o in group),
                        "answered": sum(o.answered for o in group),
                        "covered": ANSWERABLE_COVERAGE.count(group)[0],
                        "unsupported": sum(o.unsupported for o in group),
                        "wrong_families": wrong,
                        "families": answered,
                        "bound": bound,
                        "escalate": outcomes.ESCALATED.count(group)[0],
                        "clarify": outcomes.CLARIFIED.count(group)[0],
                        "below": None if share is None or whole is None else round(whole - share, 6),
                    }
                )
    return pd.DataFrame(rows)


def _share(found: Sequence[Outcome]) -> float | None:
    n, of = ANSWERABLE_COVERAGE.count(found)
    return n / of if of else None


def taken_from_worst(frame: pd.DataFrame) -> pd.DataFrame:
    """Return, for each policy and way of parting the cases, the segment whose coverage lies furthest below the policy's own.

    Columns: policy, by, segment, covered, answerable, below. Segments without an answerable case are left out.
    """
    known = frame[frame.answerable > 0]
    worst = known.loc[known.groupby(["policy", "by"], sort=False).below.idxmax()]
    return worst[["policy", "by", "segment", "covered", "answerable", "below"]].reset_index(drop=True)
