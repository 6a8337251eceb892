"""The chapter on the wrong-answer budget: what is tabled, captioned, recorded and said."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from rocite import stats
from rocite.evaluate import budget as measure
from rocite.evaluate import risk
from rocite.evaluate.budget import Answer, Counts, Point, Rule, always, never, strict
from rocite.evaluate.retrieval import strata
from rocite.evaluate.signed import Budget, Threshold
from rocite.report.base import NOT_AVAILABLE, count, interval, listed, number, percent, record_estimate

Asked = dict[str, tuple[Sequence[Answer], Rule]]  # a name to answers and to what is shown of them
RETRIEVED = {"every required passage retrieved": True, "not every required passage retrieved": False, "nothing to retrieve": None}
RELEASED = "what would be released"


def signed(budget: Budget, threshold: Threshold, why_not: Sequence[str]) -> pd.DataFrame:
    """Return the budget and the recorded threshold as facts; `why_not`: the reasons for which the threshold may not be used here."""
    rows = {
        "rate": f"wrong in at most {percent(budget.rate)} of the families with an answer shown",
        "shown by": f"a one-sided exact bound at {percent(budget.level)}",
        "signed by": budget.owner,
        "signed on": budget.date,
        "because": budget.reason,
        "system": f"{budget.system} over {budget.retriever}, {budget.k} documents, gates {budget.gates}",
        "recorded threshold": f"none admissible on {threshold.score}"
        if threshold.value is None
        else f"{threshold.score} ≥ {threshold.value:g}",
        "chosen on": f"{len(threshold.families)} tuning families, {threshold.date}",
        "fits this run": "yes" if not why_not else f"no: {'; '.join(why_not)}",
    }
    return pd.DataFrame(rows.items(), columns=["fact", "found"])


def scores(tuning: Sequence[Answer], budget: Budget, draws: int, seed: int, least: int) -> pd.DataFrame:
    """Return for each score how it separates, what would be chosen on it, and the lowest rate that it could show."""
    rows = []
    for name, found in measure.separations(tuning, draws, seed).items():
        points = measure.curve(tuning, name, budget.level)
        rows.append(
            {
                "score": name,
                "AUROC": interval(found),
                "pairs": count(found),
                "families": found.units,
                "chosen": _chosen(measure.choose(points, budget.rate, least)),
                "lowest rate that is shown": _percent(measure.lowest_rate(points, least)),
            }
        )
    return pd.DataFrame(rows)


def rates(points: Sequence[Point], budget: Budget, other: float, least: int) -> pd.DataFrame:
    """Return what the tuning families choose under the signed rate, under `other`, and under the lowest that can be shown."""
    lowest = measure.lowest_rate(points, least)
    named = {"signed": budget.rate, "other_rate, signed by nobody": other} | ({"lowest that is shown": lowest} if lowest else {})
    rows = []
    for name, rate in named.items():
        point = measure.choose(points, rate, least)
        found = {"budget": name, "rate": number(rate), "families needed with none wrong": risk.needed(rate, budget.level)}
        rows.append(found | {"chosen": _chosen(point)} | (_risk(point.counts) if point else dict.fromkeys(_RISK, NOT_AVAILABLE)))
    return pd.DataFrame(rows)


def _chosen(point: Point | None) -> str:
    return f"{point.threshold:.2f}" if point else "none admissible"


def _percent(share: float | None) -> str:
    return NOT_AVAILABLE if share is None else percent(share)


_RISK = ("wrong families", "share", "upper bound", "coverage")


def _risk(counts: Counts) -> dict[str, str]:
    wrong = stats.Estimate(counts.risk, counts.wrong_families, counts.families)
    answered = stats.Estimate(counts.coverage, counts.answered, counts.answerable)
    return dict(zip(_RISK, (count(wrong), _share(counts.risk), _share(counts.bound), count(answered)), strict=True))


def _share(value: float | None) -> str:
    return f"{NOT_AVAILABLE} (0)" if value is None else number(value)


def systems(answers: Sequence[Answer], released: Rule) -> Asked:
    """Return two trivial systems, the checks alone, and what would be released, on the same answers."""
    rules = {"never answer": never, "always answer": always, "checks alone": strict, RELEASED: released}
    return {name: (answers, rule) for name, rule in rules.items()}


def groups(answers: Sequence[Answer], rule: Rule) -> Asked:
    """Return the answers by stratum and by language, all of them first."""
    wanted = {
        name: belongs
        for name, belongs in strata(a.item for a in answers).items()
        if not name or name.startswith("lang:") or ":" not in name
    }
    return {name or "all": ([a for a in answers if belongs(a.item)], rule) for name, belongs in wanted.items()}


def by_retrieval(answers: Sequence[Answer], rule: Rule) -> Asked:
    """Return the answers by whether every required passage was retrieved."""
    return {name: ([a for a in answers if a.retrieved is wanted], rule) for name, wanted in RETRIEVED.items()}


def table(asked: Asked, level: float, draws: int, seed: int) -> pd.DataFrame:
    """Return one row a name: answers by what they are worth, wrong families with bound, coverage with interval."""
    rows = []
    for name, (answers, rule) in asked.items():
        found = measure.count(answers, rule, level)
        answers_shown = {
            "items": found.items,
            "shown": found.shown,
            "right": found.right,
            "incomplete": found.incomplete,
            "wrong": found.wrong,
        }
        share = {"share answered": interval(measure.coverage(answers, rule, draws, seed))}
        rows.append({"which": name, **answers_shown, **_risk(found), **share})
    return pd.DataFrame(rows)


def needed(budget: Budget, counts: Counts) -> pd.DataFrame:
    """Return how many answered families would show the rate: with none wrong, with those that are, and at the observed share."""
    at = None if counts.risk is None else risk.needed_at(counts.risk, budget.rate, budget.level)
    rows = [
        ("no wrong family", str(risk.needed(budget.rate, budget.level))),
        (f"the {counts.wrong_families} wrong families found", str(risk.needed(budget.rate, budget.level, counts.wrong_families))),
        (
            f"the share found, {_share(counts.risk)}",
            NOT_AVAILABLE if counts.risk is None else "no number would do" if at is None else str(at),
        ),
        ("answered families there are", str(counts.families)),
    ]
    return pd.DataFrame(rows, columns=["with", "families with an answer shown"])


def curve_caption(points: Sequence[Point], chosen: Point | None, budget: Budget, score: str, least: int) -> str:
    """Return the finding of the curve."""
    tested = [p for p in points if p.counts.families >= max(least, risk.needed(budget.rate, budget.level))]
    if not tested:
        return f"No threshold on {score} leaves enough answered tuning families to be tested."
    lowest = min(tested, key=lambda p: p.counts.bound)
    first = tested[0]
    text = (
        f"Tuning families, as the threshold on {score} moves. The strictest value that leaves enough answered families to be tested, "
        f"{first.threshold:.2f}, has {first.counts.wrong_families} of {first.counts.families} wrong "
        f"(upper bound {number(first.counts.bound)}) at a coverage of {number(first.counts.coverage)}; "
        f"the lowest bound of all, {number(lowest.counts.bound)}, is at {lowest.threshold:.2f} "
        f"and coverage {number(lowest.counts.coverage)}. "
    )
    if chosen:
        return (
            text
            + f"Chosen is {chosen.threshold:.2f}: upper bound {number(chosen.counts.bound)} at coverage {number(chosen.counts.coverage)}."
        )
    return text + f"No threshold is admissible under the signed rate of {number(budget.rate, 2)}."


def coordinates(counts: Counts) -> tuple[float, float]:
    """Return coverage and risk for a point of the figure; not a number where there is none."""
    return tuple(float("nan") if v is None else v for v in (counts.coverage, counts.risk))


def passes(budget: Budget, chosen: Point | None, counts: Counts) -> bool:
    """Whether the budget is shown: a threshold was admissible on the tuning families and the untouched ones show the rate."""
    return chosen is not None and counts.shows(budget.rate)


def record(
    run, budget: Budget, chosen: Point | None, tuning: Asked, untouched: Asked, others: Sequence[Asked], draws: int, seed: int
) -> None:
    """Record the chapter's numbers under ``budget/``."""
    run.number("budget/rate", budget.rate, percent(budget.rate))
    run.number("budget/level", budget.level, percent(budget.level))
    run.number("budget/threshold", chosen.threshold if chosen else None, _chosen(chosen))
    for part, asked in (("tuning", tuning), ("untouched", untouched), *(("untouched/by", a) for a in others)):
        for name, (answers, rule) in asked.items():
            path = f"budget/{part}/{name.replace(' ', '_').replace(':', '_')}"
            found = measure.count(answers, rule, budget.level)
            run.number(f"{path}/risk", found.risk, _share(found.risk), n=found.families, wrong=found.wrong_families)
            run.number(f"{path}/bound", found.bound, _share(found.bound))
            run.number(f"{path}/shown", found.shown, n=found.items)
            run.number(f"{path}/wrong", found.wrong, n=found.shown)
            run.number(f"{path}/incomplete", found.incomplete, n=found.shown)
            record_estimate(run, f"{path}/coverage", measure.coverage(answers, rule, draws, seed), 3)
    answers, rule = untouched[RELEASED]
    found = measure.count(answers, rule, budget.level)
    run.number("budget/needed", risk.needed(budget.rate, budget.level, found.wrong_families))
    run.number("budget/needed_with_none_wrong", risk.needed(budget.rate, budget.level))
    at = None if found.risk is None else risk.needed_at(found.risk, budget.rate, budget.level)
    run.number("budget/needed_at_observed", at, "no number" if at is None else str(at))
    run.number("budget/shown", "yes" if passes(budget, chosen, found) else "no")


def answer(budget: Budget, chosen: Point | None, score: str, points: Sequence[Point], least: int, asked: Asked, by: Asked) -> str:
    """Return the chapter's answer in words."""
    found, all_shown = (measure.count(*asked[name], budget.level) for name in (RELEASED, "always answer"))
    verdict = "**Yes.**" if passes(budget, chosen, found) else "**No.**"
    lowest = measure.lowest_rate(points, least)
    signed_by = (
        f"The {budget.owner} signed on {budget.date} that at most {percent(budget.rate)} of the families with an answer shown "
        "may hold a wrong one."
    )
    choice = (
        f"On the tuning families {score} of at least {chosen.threshold:.2f} was chosen"
        if chosen
        else f"On the tuning families no threshold on {score} is admissible"
    )
    lowest_text = (
        "and no rate under 100 % could be shown there."
        if lowest is None
        else f"and the lowest rate that could be shown there is {percent(lowest)}."
    )
    if found.risk is None:
        measured = "On the untouched families nothing is shown, so that there is no rate."
    else:
        at = risk.needed_at(found.risk, budget.rate, budget.level)
        measured = (
            f"On the untouched families {found.shown} answers to {found.items} questions are shown; "
            f"{found.wrong_families} of {found.families} families hold a wrong one "
            f"({number(found.risk)}, upper bound {number(found.bound)}) at a coverage of {_share(found.coverage)} "
            f"({found.answered}/{found.answerable}); "
            f"{found.incomplete} answers are incomplete, which is not counted as wrong. "
            f"With {found.wrong_families} wrong families it would take "
            f"{risk.needed(budget.rate, budget.level, found.wrong_families)} answered ones to show the rate; "
            f"at the share that was found {'no number would do' if at is None else f'it would take {at}'}. "
            f"Answering always has a risk of {_share(all_shown.risk)} at a coverage of {_share(all_shown.coverage)}; "
            "answering never has no risk and no coverage, and shows nothing."
        )
    return f"{verdict} {signed_by} {choice}, {lowest_text}\n{measured} {_retrieval(by, budget.level)}"


def _retrieval(by: Asked, level: float) -> str:
    told = []
    for name, (answers, rule) in by.items():
        found = measure.count(answers, rule, level)
        told.append(f"{f'{found.wrong} of {found.shown}' if found.shown else f'{NOT_AVAILABLE} (0)'} with {name}")
    return f"Of the answers shown, these are wrong: {listed(told)}."
