"""The answer boundary in service: what is tabled of security, workload and latency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rocite.boundary.routes import WITHHOLD
from rocite.evaluate.answerability import outcomes, policies, stress
from rocite.evaluate.answerability.examined import Examined
from rocite.evaluate.answerability.policies import Rule
from rocite.report.base import count, interval, number
from rocite.stats import Estimate

STEPS = {"gate": "examining and deciding", "check": "support check", "whole": "whole response"}


def security(found: Mapping, timing: Mapping) -> pd.DataFrame:
    """Return what the recorded security suite found, as facts."""
    rows = {
        "attempts on denied content": found["attempts"],
        "attempts that disclosed something": f"{found['disclosed']}/{found['attempts']}, bound {number(found['bound'], 4)}",
        "responses that differ without the protected documents": f"{found['interfering']}/{found['attempts']}",
        "denied requests that the restricted log marks": found["marked"],
        "unanswerable requests that it marks by mistake": found["marked_by_mistake"],
        "times, paced: AUROC of denied against unanswerable": f"{number(timing['auroc'], 3)} ({number(timing['low'], 3)} to {number(timing['high'], 3)})",
        "times, unpaced: AUROC": f"{number(timing['unpaced'], 3)} ({number(timing['unpaced_low'], 3)} to {number(timing['unpaced_high'], 3)})",
        "requests timed": f"{timing['denied']} denied, {timing['unanswerable']} unanswerable",
    }
    return pd.DataFrame(rows.items(), columns=["fact", "found"])


def latency(times: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Return median and 95th percentile of each step in milliseconds, with how many requests took it."""
    rows = []
    for step, name in STEPS.items():
        spent = 1000 * np.array(times[step])
        rows.append(
            {
                "step": name,
                "requests": len(spent),
                "median, ms": number(float(np.median(spent)), 1),
                "95 % under, ms": number(float(np.quantile(spent, 0.95)), 1),
            }
        )
    rows.append(
        {"step": "checks that ran out of time", "requests": times["requests"], "median, ms": "", "95 % under, ms": str(times["timeouts"])}
    )
    rows.append(
        {
            "step": "tickets waiting afterwards, of the limit",
            "requests": times["requests"],
            "median, ms": "",
            "95 % under, ms": f"{times['backlog']}/{times['limit']}",
        }
    )
    return pd.DataFrame(rows)


def stress_table(rows: Sequence[stress.Row]) -> pd.DataFrame:
    """Return what each perturbation did: routes kept or changed rightly, where units were lost, and the wrong claims that it brought in."""
    return pd.DataFrame(
        [
            {
                "perturbation": r.perturbation,
                "pairs": r.pairs,
                "families": r.families,
                "route as it should be": _share(r.rightly),
                "answered before / after": f"{r.answered_before} / {r.answered_after}",
                **{f"lost at {stage}, before / after": f"{r.lost_before[stage]} / {r.lost_after[stage]}" for stage in stress.STAGES},
                "wrong claims before / after": f"{r.wrong_before} of {r.claims_before} / {r.wrong_after} of {r.claims_after}",
                "noise sensitivity": _share(r.noise_sensitivity),
            }
            for r in rows
        ]
    )


def _share(found: Estimate) -> str:
    return f"{count(found)} = {interval(found)}" if found.denominator else count(found)


def ledger(examined: Sequence[Examined], rule: Rule, denied: int) -> pd.DataFrame:
    """Return the total workload: eligible requests by what becomes of them, and denied ones, which no other table counts."""
    found = policies.run(examined, rule)
    rows = [("eligible requests", len(found))]
    rows += [(f"of these: {name}", n) for name, n in (
        ("answered", sum(o.answered for o in found)),
        ("asked for an identifier", outcomes.CLARIFIED.count(found)[0]),
        ("escalated to a person", sum(o.route == "escalate" for o in found)),
        ("withheld and escalated", sum(o.route == WITHHOLD for o in found)),
    )]  # fmt: skip
    return pd.DataFrame(
        [*rows, ("denied requests, each escalated as one that nothing answers", denied), ("all requests", len(found) + denied)],
        columns=["what", "requests"],
    )
