"""The chapter on the answer boundary: what is tabled, captioned, recorded and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from rocite.boundary.policy import Policy, boundary
from rocite.boundary.routes import ANSWER, CLARIFY, WITHHOLD
from rocite.evaluate.answerability import cases as case_set
from rocite.evaluate.answerability import curves, policies
from rocite.evaluate.answerability.cases import Cases
from rocite.evaluate.answerability.declared import Declared
from rocite.evaluate.answerability.examined import STAGES, Examined
from rocite.evaluate.answerability.policies import AFTER, LEARNED, Rule
from rocite.figures.answerability import POLICY_OUTCOMES
from rocite.report.base import count, interval, listed, number, percent, record_estimate
from rocite.stats import Estimate

SHOWN = ("strict checks", AFTER, LEARNED)  # policies whose segments are drawn


def case_table(cases: Cases) -> pd.DataFrame:
    """Return cases and families of each kind in each part."""
    rows = []
    for kind, way in case_set.KINDS.items():
        row = {"kind": kind, "right route": way}
        for part in case_set.PARTS:
            own = [c for c in cases.part(part) if c.kind == kind]
            row[part] = f"{len(own)} in {len({c.intent for c in own})}"
        rows.append(row)
    whole = {"kind": "all", "right route": ""}
    for part in case_set.PARTS:
        own = cases.part(part)
        whole[part] = f"{len(own)} in {len({c.intent for c in own})}"
    return pd.DataFrame([*rows, whole])


def fates(examined: Sequence[Examined], named: Mapping[str, Rule]) -> pd.DataFrame:
    """Return, for each policy, how many cases were answered rightly, incompletely, with an unsupported claim, clarified, escalated, withheld."""
    rows = []
    for name, rule in named.items():
        found = policies.run(examined, rule)
        told = [
            "answered, unsupported claim"
            if o.unsupported
            else "answered incompletely"
            if o.incomplete
            else "answered rightly"
            if o.route == ANSWER
            else "clarified"
            if o.route == CLARIFY
            else "withheld"
            if o.route == WITHHOLD
            else "escalated"
            for o in found
        ]
        rows.append({"policy": name} | {part: told.count(part) for part in POLICY_OUTCOMES})
    return pd.DataFrame(rows)


def side_by_side(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the policies' table in words: counts with intervals, one column a measure."""
    rows = []
    for name, group in frame.groupby("policy", sort=False):
        row = {"policy": name}
        for r in group.to_dict("records"):
            found = estimate(r)
            if r["measure"] == "wrong families":
                row[r["measure"]] = f"{count(found)}, bound {number(found.high)}" if found.denominator else "n/a (0)"
            else:
                row[r["measure"]] = f"{count(found)} = {interval(found)}" if found.denominator else "n/a (0)"
        rows.append(row)
    return pd.DataFrame(rows)


def estimate(r: Mapping) -> Estimate:
    """Return a row of the policies' table as an estimate."""

    def plain(value):
        return None if value is None or value != value else float(value)

    return Estimate(plain(r["value"]), plain(r["numerator"]), int(r["denominator"]), plain(r["low"]), plain(r["high"]), int(r["units"]))


def segment_figure(frame: pd.DataFrame, named: Sequence[str]) -> pd.DataFrame:
    """Return what the figure of segments is drawn from: policy, dimension, segment, answered, answerable, coverage, overall."""
    rows = []
    for r in frame[frame.policy.isin(named)].itertuples():
        if r.answerable:
            rows.append((r.policy, r.by, r.segment, r.covered, r.answerable, r.covered / r.answerable, r.below + r.covered / r.answerable))
    return pd.DataFrame(rows, columns=["policy", "dimension", "segment", "answered", "answerable", "coverage", "overall"])


def admissible(broken: Mapping[str, Sequence[str]], best: str | None) -> pd.DataFrame:
    """Return which declared limits each policy breaks on the threshold part."""
    rows = [
        {"policy": n, "admissible": "no" if why else "yes", "because": "; ".join(why) or "it keeps every limit"}
        for n, why in broken.items()
    ]
    return pd.DataFrame([*rows, {"policy": "selected", "admissible": best or "none", "because": ""}])


def risk_curves(examined: Sequence[Examined], policy: Policy, level: float) -> dict[str, pd.DataFrame]:
    """Return risk against coverage for the learned estimate, the covered share of the question and the similarity, behind the same boundaries and checks."""
    scores = {
        LEARNED: lambda e: policy.gate.probability(e.found.signs),
        "coverage": lambda e: e.found.signs["coverage"],
        "similarity": lambda e: e.found.similarity,
    }
    free = [not boundary(e.found, policy.limits) and e.verdicts["strict"][0] == "accepted" for e in examined]
    return {
        name: curves.risk_coverage(
            [score(e) for e in examined],
            [e.unsupported for e in examined],
            [e.case.answerable for e in examined],
            [e.case.intent for e in examined],
            free,
            level,
        )
        for name, score in scores.items()
    }


def curve_figure(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the curves as one table: score, threshold, coverage, risk, bound, families."""
    return pd.concat(
        [frame.assign(score=name)[["score", "threshold", "coverage", "risk", "bound", "families"]] for name, frame in found.items()],
        ignore_index=True,
    )


def stages(examined: Sequence[Examined], rule: Rule) -> pd.DataFrame:
    """Return where answerable cases lost a required unit, by kind; the label stays what the documents answer, whatever was lost."""
    lost = [(e.case.kind, e.lost(rule(e))) for e in examined if e.case.answerable]
    enough = [e.case.kind for e in examined if e.sufficient_context]
    rows = []
    for kind in [k for k, way in case_set.KINDS.items() if way == ANSWER]:
        own = [stage for k, stage in lost if k == kind]
        rows.append(
            {"kind": kind, "answerable": len(own), "context sufficient": enough.count(kind)}
            | {stage or "nothing lost": own.count(stage) for stage in (*STAGES, "")}
        )
    return pd.DataFrame(rows)


def routes_taken(examined: Sequence[Examined], rule: Rule) -> pd.DataFrame:
    """Return, for each kind of case, the routes that were taken and how many took the right one."""
    rows = []
    for kind, way in case_set.KINDS.items():
        own = [rule(e) for e in examined if e.case.kind == kind]
        right = sum(r == way or (way == "escalate" and r == WITHHOLD) for r in own)
        rows.append(
            {"kind": kind, "right route": way, "cases": len(own), "right": right}
            | {r: own.count(r) for r in ("answer", "clarify", "escalate", "withhold")}
        )
    return pd.DataFrame(rows)


# --- captions, numbers, words ----------------------------------------------------------------------------------------


def policies_caption(frame: pd.DataFrame) -> str:
    """Return the finding of the figure of policies."""
    told = []
    for r in frame.to_dict("records"):
        answers = r["answered rightly"] + r["answered incompletely"] + r["answered, unsupported claim"]
        if r["policy"] in ("always answer", "strict checks", policies.AFTER, LEARNED):
            told.append(f"{r['policy']}: {r['answered, unsupported claim']} of {answers} answers unsupported")
    return f"What becomes of the same cases of the acceptance part under each policy. {'; '.join(told)}."


def segments_caption(frame: pd.DataFrame) -> str:
    """Return the finding of the figure of segments."""
    worst = policies.taken_from_worst(frame[frame.policy.isin(SHOWN)])
    told = []
    for name in SHOWN:
        row = worst[worst.policy == name].sort_values("below", ascending=False).iloc[0]
        told.append(
            f"{name} covers {row.covered} of {row.answerable} answerable cases of {row.segment}, {100 * row.below:.0f} percentage points less than of all"
        )
    return f"Each policy takes coverage from its hardest segment: {'; '.join(told)}."


def curves_caption(found: Mapping[str, pd.DataFrame], declared: Declared) -> str:
    """Return the finding of the risk-coverage figure."""
    told = []
    for name, frame in found.items():
        at = frame[frame.coverage >= declared.coverage]
        told.append(f"{name} {percent(at.risk.iloc[0]) if len(at) else 'never reaches it'}")
    most = max(float(f.coverage.max()) for f in found.values())
    text = f"Behind the same hard boundaries and checks at most {percent(most)} of the answerable cases can be answered."
    if most >= declared.coverage:
        text += f" Selective error at the declared coverage of {percent(declared.coverage)}: {listed(told)}."
    lowest = found[LEARNED]
    few = lowest[lowest.families >= 10]
    return text + (
        f" With ten families answered or more the learned estimate's error is {percent(few.risk.min())} at best." if len(few) else ""
    )


def record(run, frame: pd.DataFrame, taken: pd.DataFrame, security: Mapping, timing: Mapping) -> None:
    """Record the numbers of the chapter."""
    for r in frame.to_dict("records"):
        path = f"answerability/{r['policy']}/{r['measure']}".replace(" ", "_").replace(",", "")
        found = estimate(r)
        record_estimate(run, path, found)
        run.number(f"{path}_count", count(found), count(found))
    for r in taken.to_dict("records"):
        run.number(f"answerability/routes/{r['kind']}".replace(" ", "_"), int(r["right"]), f"{r['right']}/{r['cases']}", n=int(r["cases"]))
    run.number(
        "answerability/disclosed",
        int(security["disclosed"]),
        f"{security['disclosed']}/{security['attempts']}",
        n=int(security["attempts"]),
    )
    run.number("answerability/timing_auroc", timing["auroc"], number(timing["auroc"], 2), low=timing["low"], high=timing["high"])


def wrong_answers(taken: pd.DataFrame) -> dict[str, int]:
    """Return how many cases of the kinds that must never be answered were."""
    rows = taken.set_index("kind").answer
    return {kind: int(rows[kind]) for kind in ("contradictory", "stale", "wrong revision", "missing", "ambiguous")}


def answer(
    frame: pd.DataFrame,
    declared: Declared,
    best: str | None,
    threshold: float,
    admitted: bool,
    taken: pd.DataFrame,
    security: Mapping,
    timing: Mapping,
    phrasing: str,
) -> str:
    """Return the chapter's answer in words; `phrasing` is what `phrased` gives."""
    rows = {(r["policy"], r["measure"]): estimate(r) for r in frame.to_dict("records")}
    ours, always = (
        {m: rows[name, m] for m in ("unsupported", "coverage of answerable", "wrong families", "escalate", "clarify")}
        for name in (LEARNED, "always answer")
    )
    wrong = wrong_answers(taken)
    verdict = (
        f"**{best} is admissible on the threshold part.**"
        if best
        else f"**None of these policies may be shipped under the declared limits.** On the threshold part none keeps a risk of {percent(declared.risk)} at a coverage of {percent(declared.coverage)}."
    )
    told = [
        verdict,
        f"On the acceptance part, measured with everything frozen, always answering is wrong in {count(always['unsupported'])} answers; the routes with the learned estimate"
        f"{'' if admitted else f' (at {threshold:g}, a threshold that is not admissible)'} answer {count(ours['coverage of answerable'])} of the answerable cases and "
        f"{count(ours['unsupported'])} of their answers hold an unsupported claim; {count(ours['wrong families'])} answered families are wrong, with an upper bound of {number(ours['wrong families'].high, 2)}.",
        f"It costs {count(ours['escalate'])} requests that go to a person and {count(ours['clarify'])} that are asked back.",
        f"Of cases that must not be answered it answers {listed([f'{n} {kind}' for kind, n in wrong.items()])}.",
        f"Denied content shows in {security['disclosed']} of {security['attempts']} attempts, and the times of denied and merely unanswerable requests are told apart with an AUROC of {number(timing['auroc'], 2)}.",
        f"Phrasing decides: {phrasing}.",
        "What would help is better evidence, not a lower bar: cases are lost where a small embedder and shared words pick another sentence of the right document, or cannot tell a near sentence from one that answers.",
    ]
    return "\n".join(told)


def phrased(examined: Sequence[Examined], rule: Rule) -> str:
    """Return, for each way of putting a need, how many answerable cases are answered."""
    told = []
    for variant in case_set.VARIANTS:
        own = [rule(e) == ANSWER for e in examined if e.case.variant == variant and e.case.answerable]
        told.append(f"{sum(own)} of {len(own)} {variant} questions")
    return f"of the answerable cases {listed(told)} are answered"
