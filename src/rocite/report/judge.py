"""A model as a judge: what is tabled and said of its agreement with labels, beside the checks and judges that look at nothing.

Decides in words what a judge is worth from the lower end of kappa's interval, never from its value alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rocite.evaluate import judge
from rocite.evaluate.judge import Agreement, Pair, Verdicts
from rocite.report.base import count, interval, listed, number, record_estimate
from rocite.stats import Estimate

MODEL, MOVED, CHECKS, YES, NO = "model", "model, its threshold tuned", "evidence checks", "always yes", "always no"
TRIAGE, WEAK = 0.6, 0.4  # the project's bounds on the lower end of kappa: from the first on a judge may triage

Found = dict[tuple[str, str], Agreement]  # by (origin of the labels, judge)


def origins(pairs: Sequence[Pair]) -> list[str]:
    """Return whose labels there are, in the order of the pairs."""
    return list(dict.fromkeys(p.origin for p in pairs))


def judges(pairs: Sequence[Pair], model: Verdicts, checks: Verdicts, thresholds: Mapping[str, float]) -> dict[str, Verdicts]:
    """Return every judge's verdicts by its name; the tuned thresholds are those of set and language."""
    return {
        MODEL: model,
        MOVED: judge.tuned(pairs, model, thresholds),
        CHECKS: checks,
        YES: judge.always(pairs, True),
        NO: judge.always(pairs, False),
    }


def agreements(pairs: Sequence[Pair], by: Mapping[str, Verdicts], draws: int, rng: np.random.Generator) -> Found:
    """Return the agreement of every judge with every origin's labels, over all pairs of that origin."""
    return {
        (origin, name): judge.agreement([p for p in pairs if p.origin == origin], said, draws, rng)
        for origin in origins(pairs)
        for name, said in by.items()
    }


def agreements_by_language(pairs: Sequence[Pair], by: Mapping[str, Verdicts], draws: int, rng: np.random.Generator) -> Found:
    """Return the agreement of every judge with every origin's labels, over all pairs of that origin in one language."""
    return {
        (stratum, name): judge.agreement([p for p in pairs if p.stratum == stratum], said, draws, rng)
        for stratum in dict.fromkeys(p.stratum for p in pairs)
        for name, said in by.items()
    }


def agreement_table(found: Found) -> pd.DataFrame:
    """Return one row a judge and set: kappa, shares with n/d and intervals, pairs without a verdict over all pairs."""
    rows = []
    for (origin, name), a in found.items():
        shares = {"agree": a.raw, "sensitivity": a.sensitivity, "specificity": a.specificity}
        rows.append(
            {
                "labels": origin,
                "judge": name,
                "pairs": a.raw.denominator,
                "units": a.raw.units,
                "kappa": interval(a.kappa),
                **{title: _share(e) for title, e in shares.items()},
                "no verdict": f"{a.without_verdict}/{a.raw.denominator}",
                "AUROC": interval(a.auroc),
            }
        )
    return pd.DataFrame(rows)


def _share(estimate: Estimate) -> str:
    return f"{count(estimate)}: {interval(estimate)}" if estimate.denominator else count(estimate)


def confusion_table(found: Found) -> pd.DataFrame:
    """Return one row a judge, set and label: how many pairs got each outcome."""
    rows = []
    for (origin, name), a in found.items():
        for label in (judge.SUPPORTED, judge.NOT):
            said = {f"judged {outcome}": a.confusion[label, outcome] for outcome in (judge.SUPPORTED, judge.NOT)}
            rows.append({"labels": origin, "judge": name, "label": label, **said, judge.NONE: a.confusion[label, judge.NONE]})
    return pd.DataFrame(rows)


def kind_table(pairs: Sequence[Pair], by: Mapping[str, Verdicts]) -> pd.DataFrame:
    """Return one row a kind of pair: how many each judge judged as labelled, over all pairs of the kind."""
    rows = []
    for origin, kind in dict.fromkeys((p.origin, p.kind) for p in pairs):
        group = [p for p in pairs if (p.origin, p.kind) == (origin, kind)]
        right = {name: sum(p.id in said and said[p.id].supported is p.supported for p in group) for name, said in by.items()}
        label = judge.SUPPORTED if group[0].supported else judge.NOT
        rows.append({"labels": origin, "kind": kind, "label": label, **{name: f"{n}/{len(group)}" for name, n in right.items()}})
    return pd.DataFrame(rows)


def variants_table(manifest: Mapping) -> pd.DataFrame:
    """Return what every prompt did on the tuning pairs, and which was taken."""
    rows = []
    for name in manifest["variants"]:
        for stratum, row in manifest["variants"][name].items():
            rows.append(
                {
                    "prompt": name,
                    "labels": stratum,
                    "tuning pairs": row["pairs"],
                    "kappa at one half": number(row["kappa"], 2),
                    "AUROC": number(row["auroc"], 2),
                    "no verdict": f"{row['no_verdict']}/{row['pairs']}",
                    "threshold": number(row["threshold"], 2),
                    "kappa at it": number(row["kappa_at_threshold"], 2),
                    "taken": "yes" if name == manifest["variant"] else "no",
                }
            )
    return pd.DataFrame(rows)


def routings(pairs: Sequence[Pair], model: Verdicts, checks: Verdicts, thresholds: Mapping[str, float]) -> dict[str, judge.Routing]:
    """Return what goes to a person, by origin, when the model judges at its tuned thresholds."""
    found = {}
    for origin in origins(pairs):
        group = [p for p in pairs if p.origin == origin]
        found[origin] = judge.route(group, judge.tuned(group, model, thresholds), checks, thresholds)
    return found


def routing_table(routed: Mapping[str, judge.Routing], by: Mapping[str, Verdicts], draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return one row a set: how many pairs go to a person, why (a pair may have several reasons), and the agreement on the rest."""
    rows = []
    for origin, r in routed.items():
        total = len(r.to_person) + len(r.left)
        reasons = {reason: f"{n}/{total}" for reason, n in r.counts.items()}
        left = judge.agreement(r.left, by[MOVED], draws, rng) if r.left else None
        rest = {"kappa on the rest": interval(left.kappa), "agree on the rest": _share(left.raw)} if left else {}
        nothing = {"kappa on the rest": "n/a (0)", "agree on the rest": "n/a (0)"}
        rows.append(
            {
                "labels": origin,
                "to a person": f"{len(r.to_person)}/{total}",
                **reasons,
                "left to the judge": f"{len(r.left)}/{total}",
                **(rest or nothing),
            }
        )
    return pd.DataFrame(rows)


def worth(a: Agreement) -> str:
    """Return in plain words what a judge with this agreement is worth.

    >>> from rocite.stats import Estimate
    >>> e = Estimate(0.1, None, 200, -0.02, 0.2)
    >>> worth(Agreement(e, e, e, e, e, {}))
    'no better than chance can be shown'
    """
    low = a.kappa.low
    if low is None:
        return "it agrees with every label" if a.kappa.value == 1 else "it says the same of everything, which is no judgement"
    if a.kappa.high < 0:
        return "worse than chance"
    if low <= 0:
        return "no better than chance can be shown"
    if low < WEAK:
        return "better than chance, and too weak to decide or to triage"
    return "usable as a second opinion" if low < TRIAGE else "good enough to triage"


def answer(found: Found, routed: Mapping[str, judge.Routing]) -> str:
    """Return the answer in words: what the model is worth as a judge, set by set, beside the checks and a judge that always says yes."""
    parts = []
    for origin in dict.fromkeys(origin for origin, _ in found):
        at_half, tuned, checks = (found[origin, name] for name in (MODEL, MOVED, CHECKS))
        plain = max((found[origin, name] for name in (YES, NO)), key=lambda a: a.raw.value or 0.0)  # the better of the two
        parts.append(
            f"**On {origin} the model's kappa is {interval(tuned.kappa)}: {worth(tuned)}.** With the threshold at one half it is "
            f"{interval(at_half.kappa)}. It agrees with {_share(tuned.raw)} of the labels; a judge that always says the same agrees "
            f"with {_share(plain.raw)}, the evidence checks with {_share(checks.raw)} (kappa {interval(checks.kappa)})."
        )
        if tuned.without_verdict:
            parts.append(f"It gave no verdict on {tuned.without_verdict} of {tuned.raw.denominator} pairs, which count against it.")
        r = routed[origin]
        total = len(r.to_person) + len(r.left)
        parts.append(
            f"By the rules of routing {len(r.to_person)} of {total} pairs go to a person and {len(r.left)} are left to it; "
            "there it says what the checks say."
        )
    if judge.HUMAN not in {origin for origin, _ in found}:
        parts.append("There are no human labels in this recording, so nothing is known of its agreement with people.")
    shown = [origin for origin in routed if (found[origin, MOVED].kappa.low or 0) >= TRIAGE]
    parts.append(
        f"It may triage where it was shown to agree ({listed(shown)}); elsewhere its verdict decides nothing."
        if shown
        else "**Its verdict therefore decides nothing here**: it is measured and not used; every pair is for a person or the checks."
    )
    return "\n".join(parts)


def record(run, found: Found, routed: Mapping[str, judge.Routing]) -> None:
    """Record the numbers: ``judge/SET/JUDGE/kappa`` and the rest, and how many pairs go to a person."""
    short = {judge.OWN: "own", judge.HUMAN: "begin"}
    names = {MODEL: "model", MOVED: "model_tuned", CHECKS: "checks", YES: "always_yes", NO: "always_no"}
    for (origin, name), a in found.items():
        for measure in ("kappa", "raw", "sensitivity", "specificity", "auroc"):
            if (estimate := getattr(a, measure)).value is not None:
                record_estimate(run, f"judge/{short[origin]}/{names[name]}/{measure}", estimate)
    for origin, r in routed.items():
        total = len(r.to_person) + len(r.left)
        run.number(f"judge/{short[origin]}/to_person", len(r.to_person), f"{len(r.to_person)}/{total}", n=total)
