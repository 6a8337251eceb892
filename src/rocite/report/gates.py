"""The chapter on gates and checks: what is tabled, captioned, recorded and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rocite import stats
from rocite.check import judge
from rocite.corpus import Corpus
from rocite.evaluate import stress
from rocite.evaluate.checks import CHECKS, TARGETS
from rocite.evaluate.stress import FAULTS, VARIANTS, Item
from rocite.gates.base import Settings
from rocite.report.base import interval, listed, number, percent, record_estimate

NAMES = {"right": "right answers refused", "neighbour": "neighbouring statements refused"}


def shares(caught: pd.DataFrame) -> pd.DataFrame:
    """Return `evaluate.checks.catch` readable: for each row the counts and intervals of both sets."""
    keys = [c for c in caught.columns if c not in _COUNTED]
    shown = caught[keys].copy()
    for name in ("article", "strict"):
        shown[f"{name} refuses"] = caught[f"{name}_refused"]
        shown[f"{name}, share"] = [
            interval(stats.Estimate(getattr(r, name), low=getattr(r, f"{name}_low"), high=getattr(r, f"{name}_high")))
            for r in caught.itertuples()
        ]
    shown["documents"] = caught.units
    return shown


_COUNTED = {f"{n}{s}" for n in ("article", "strict") for s in ("", "_refused", "_low", "_high")} | {"units"}


def reach(caught: pd.DataFrame, variants: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the measured share beside the share aimed at, for each aim of the bench; `caught` and `pairs` by kind."""
    rows = []
    by_kind = caught.set_index("kind")
    for kind, target in TARGETS.items():
        rows.append((f"{kind} faults refused", f"at least {percent(target)}", by_kind.loc[kind], target, True))
    rows.append(("faithful variants refused", "at most 5 %", variants.iloc[0], 0.05, False))
    by_pair = pairs.set_index("kind")
    rows.append(("pairs: right answers refused", "at most 5 %", by_pair.loc["right"], 0.05, False))
    rows.append(("pairs: neighbouring statements refused", "at least 90 %", by_pair.loc["neighbour"], 0.90, True))
    table = []
    for name, aim, row, target, least in rows:
        met = row.strict >= target if least else row.strict <= target
        estimate = stats.Estimate(row.strict, low=row.strict_low, high=row.strict_high)
        table.append(
            {"measure": name, "aim": aim, "strict": row.strict_refused, "share": interval(estimate, 3), "reached": "yes" if met else "no"}
        )
    return pd.DataFrame(table)


EXAMPLES = ("sr-001-quantity", "sr-060-polarity", "sr-013-direction", "sr-109-qualifier", "sr-018-entity", "sr-009-shortened")


def examples(items: Sequence[Item], corpora: Mapping[str, Corpus], settings: Settings) -> pd.DataFrame:
    """Return worked examples: what was changed, question and answer, and what either set says."""
    rows = []
    for item in items:
        question, fragments, answer = stress.laid_out(item, corpora)
        strict, article = (judge(question, fragments, answer, settings, name, item.lang) for name in ("strict", "article"))
        rows.append(
            {
                "what": f"{item.kind}: {item.why}",
                "question": question,
                "answer": item.answer,
                "article": article.verdict,
                "strict": strict.verdict,
                "because": strict.reason,
            }
        )
    return pd.DataFrame(rows)


def chosen_examples(items: Sequence[Item]) -> list[Item]:
    """Return the items of the bench that the chapter walks through, one of each kind named in `EXAMPLES`."""
    found = []
    for start in EXAMPLES:
        found += sorted((i for i in items if i.id.startswith(f"rule-{start}")), key=lambda i: i.id)[:1]
    return found


def what(frame: pd.DataFrame) -> pd.Series:
    """Return for each item whether it is a fault or a faithful answer."""
    return frame.fault.map({True: "faults", False: "faithful answers"})


def time_table(spent: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Return median and 95th percentile of a judgement's processor time in milliseconds."""
    rows = [
        {
            "gates": name,
            "median, ms": number(float(np.median(v)), 1),
            "95 % under, ms": number(float(np.quantile(v, 0.95)), 1),
            "answers": len(v),
        }
        for name, v in spent.items()
    ]
    return pd.DataFrame(rows)


def missed(frame: pd.DataFrame, kinds: Sequence[str], each: int) -> pd.DataFrame:
    """Return faults that strict lets through and faithful answers that it refuses, up to `each` of a kind, by id."""
    rows = []
    for kind in kinds:
        group = frame[(frame.kind == kind) & (frame.strict_refused != frame.fault)].sort_values("id").head(each)
        for r in group.itertuples():
            what = "let through" if r.fault else f"refused by {r.strict_failed[0] if r.strict_failed else 'abstention'}"
            rows.append({"kind": kind, "what": what, "asked": r.question, "answered": r.answer.replace("\n", " / "), "label": r.why})
    return pd.DataFrame(rows, columns=["kind", "what", "asked", "answered", "label"])


def outside_table(record: Mapping) -> pd.DataFrame:
    """Return the recorded figures of the public sets, article beside strict."""
    frame = pd.DataFrame(record["figures"])
    rows = []
    for (name, measure), group in frame.groupby(["set", "measure"], sort=False):
        row = {"set": name, "measure": measure}
        for r in group.itertuples():
            row[r.gates] = interval(stats.Estimate(r.value, low=r.low, high=r.high), 3)
        row["items"], row["units"] = int(group.denominator.iloc[0]), int(group.units.iloc[0])
        rows.append(row)
    return pd.DataFrame(rows, columns=["set", "measure", "article", "strict", "items", "units"]).fillna("")


def matrix_caption(matrix: pd.DataFrame) -> str:
    """Return the finding of the catch matrix."""
    own = [float(r[r["kind"]]) for _, r in matrix[matrix.fault].iterrows() if r["kind"] in CHECKS]
    return (
        f"Share of answers that each check fails, by what was changed. On faults the check of the same name fails {percent(min(own))} to "
        f"{percent(max(own))}. The lower rows are faithful answers: every number there is a false refusal."
    )


def kinds_caption(faults: pd.DataFrame, variants: pd.DataFrame) -> str:
    """Return the finding of the figure of both kinds."""
    low, high = faults.strict.min(), faults.strict.max()
    v = variants.iloc[0]
    return (
        f"Strict refuses {percent(low)} to {percent(high)} of the faults, by kind, and {percent(v.strict)} of the faithful answers; the article's "
        f"gates refuse {percent(faults.article.min())} to {percent(faults.article.max())} and {percent(v.article)}."
    )


def recorded_caption(outcomes: pd.DataFrame) -> str:
    """Return the finding of the figure of recorded answers."""
    told = []
    for recording, group in outcomes.groupby("recording", sort=False):
        rows = group.set_index("gates")
        told.append(
            f"{recording}: of {rows.loc['no gates', 'wrong shown']} wrong answers the article's gates show {rows.loc['article', 'wrong shown']} and strict "
            f"{rows.loc['strict', 'wrong shown']}; of {rows.loc['no gates', 'right shown']} right ones {rows.loc['article', 'right shown']} and "
            f"{rows.loc['strict', 'right shown']}"
        )
    return "; ".join(told) + "."


def risk_caption(curves: pd.DataFrame, point: Mapping[str, tuple[float, float]]) -> str:
    """Return the finding of the risk-coverage figure. `point`: coverage and risk of each set at its default settings."""
    a, s = point["article"], point["strict"]
    as_much = curves[(curves.threshold == "min_ground") & (curves.coverage >= s[0])]
    least = percent(as_much.risk.min()) if len(as_much) else "n/a (0)"
    moved = curves[(curves.threshold == "min_focus") & (curves.shown > 0)]
    return (
        f"Risk is the share of faulty answers among those shown, coverage the share shown. At the article's settings {percent(a[1])} of what is "
        f"shown is faulty at a coverage of {percent(a[0])}, strict shows {percent(s[1])} faulty at {percent(s[0])}. "
        f"Of the {len(as_much)} values of the article's threshold that show at least as much as strict, the best has {least} faulty. "
        f"Over every value of min_focus, strict's coverage goes from {percent(moved.coverage.min())} to {percent(moved.coverage.max())} "
        f"and its risk from {percent(moved.risk.min())} to {percent(moved.risk.max())}."
    )


def record(run, caught, variants, pairs, by_language, outcomes, outside, timing) -> None:
    """Record the chapter's numbers under ``gates/``."""
    for path, frame in (("stress", caught), ("variants", variants), ("pairs", pairs), ("language", by_language)):
        for row in frame.itertuples():
            keys = [str(getattr(row, c)) for c in frame.columns if c not in _COUNTED]
            for name in ("article", "strict"):
                n, d = map(float, getattr(row, f"{name}_refused").split("/"))
                found = stats.Estimate(getattr(row, name), n, int(d), getattr(row, f"{name}_low"), getattr(row, f"{name}_high"), row.units)
                record_estimate(run, "/".join(["gates", path, *keys, name]), found, 3)
    for row in outcomes.itertuples():
        base = f"gates/recorded/{row.recording}/{row.gates.replace(' ', '_')}"
        for name, value in zip(("right_shown", "right_stopped", "wrong_shown", "wrong_stopped", "abstained"), row[3:8], strict=True):
            run.number(f"{base}/{name}", value, str(value))
    for row in outside.get("figures", ()):
        path = "/".join(part.replace(" ", "_").replace(",", "") for part in ("gates", "outside", row["set"], row["measure"], row["gates"]))
        found = stats.Estimate(row["value"], row["numerator"], row["denominator"], row["low"], row["high"], row["units"])
        record_estimate(run, path, found, 3)
    for name, values in timing.items():
        run.number(
            f"gates/milliseconds/{name}", round(float(np.median(values)), 2), number(float(np.median(values)), 1), n=len(values), unit="ms"
        )


def answer(reached: pd.DataFrame, caught, variants, pairs, outcomes: pd.DataFrame, timing: Mapping[str, Sequence[float]]) -> str:
    """Return the chapter's answer in words."""
    by_kind = caught.set_index("kind")
    article = [by_kind.loc[k, "article"] for k in FAULTS if k in by_kind.index]
    strict = [by_kind.loc[k, "strict"] for k in FAULTS if k in by_kind.index]
    v, p = variants.iloc[0], pairs.set_index("kind")
    met, failed = reached[reached.reached == "yes"].measure.tolist(), reached[reached.reached == "no"].measure.tolist()
    text = (
        f"The article's four gates stop {percent(min(article))} to {percent(max(article))} of the answers with one fault, by kind; the evidence checks stop "
        f"{percent(min(strict))} to {percent(max(strict))}. The price: the checks refuse {v.strict_refused} of the faithful answers in other words "
        f"({percent(v.strict)}; the article's gates {percent(v.article)}). With the deciding statement in the text, {percent(1 - p.loc['right', 'strict'])} of the right "
        f"answers are kept; without it, {percent(p.loc['neighbour', 'strict'])} of the neighbouring statements are refused "
        f"(the article's gates: {percent(p.loc['neighbour', 'article'])}). "
    )
    for recording, group in outcomes.groupby("recording", sort=False):
        rows = group.set_index("gates")
        text += (
            f"Of {recording}'s own wrong answers strict stops {rows.loc['strict', 'wrong stopped']} of "
            f"{rows.loc['no gates', 'wrong shown']} (the article's gates {rows.loc['article', 'wrong stopped']}), and "
            f"{rows.loc['strict', 'right stopped']} of {rows.loc['no gates', 'right shown']} right ones with them. "
        )
    text += f"A judgement takes {number(float(np.median(timing['strict'])), 1)} ms (the article's gates {number(float(np.median(timing['article'])), 1)} ms) on this machine. "
    text += f"Of the aims set beforehand, {len(met)} of {len(reached)} are reached" + (
        f"; not reached: {listed(failed)}." if failed else "."
    )
    return text


def by_groups(kinds: Sequence[str]) -> list[str]:
    """Return the kinds in the chapter's order: faults, then faithful ones."""
    return [k for k in (*FAULTS, *VARIANTS) if k in set(kinds)]
