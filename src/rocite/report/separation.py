"""The separation chapter: what is tabled, captioned, recorded and said."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocite.evaluate.separation import SIGNALS, Measured
from rocite.report.base import count, interval, limit, listed, number, percent, record_estimate, signed
from rocite.retrieve import Index
from rocite.stats import Estimate, rate


def first_table(first: Measured, documents: int, article: dict, admit: float) -> pd.DataFrame:
    """Return the article's row and one row an embedder for the first questions."""
    p = article["separation"]
    rows = [
        {
            "": "published",
            "embedder": article["models"]["embedder"],
            "documents": p["documents"],
            "legitimate": p["legitimate"],
            "impostors": p["impostors"],
            "margin": signed(p["margin"]),
            "in the other's range": "not given",
            "AUROC": "not given",
            "admitted when all pass": "not given",
            f"admitted at {percent(admit)}": "not given",
            "first document right": "not given",
        }
    ]
    for (embedder, _), m in first.items():
        rows.append(
            {
                "": "measured",
                "embedder": embedder,
                "documents": documents,
                "legitimate": m["lost_all"].denominator,
                "impostors": m["admitted"].denominator,
                "margin": signed(m["margin"].value),
                "in the other's range": count(m["overlap"]),
                "AUROC": interval(m["auroc"]),
                "admitted when all pass": count(m["admitted_all"]),
                f"admitted at {percent(admit)}": count(m["admitted"]),
                "first document right": count(m["top1"]),
            }
        )
    return pd.DataFrame(rows)


def extremes(first: pd.DataFrame) -> pd.DataFrame:
    """Return, for each embedder, the lowest legitimate question and the highest impostor with their best documents."""
    rows = []
    for embedder, part in first.groupby("embedder", sort=False):
        low = part[part.label == "in"].nsmallest(1, "raw").iloc[0]
        high = part[part.label == "out"].nlargest(1, "raw").iloc[0]
        for kind, row in (("lowest legitimate", low), ("highest impostor", high)):
            right = {True: "right", False: "wrong"}.get(row.right, "none is right")
            rows.append(
                {
                    "embedder": embedder,
                    "kind": kind,
                    "score": round(row.raw, 3),
                    "question": row.question,
                    "best document": row.best,
                    "document": right,
                }
            )
    return pd.DataFrame(rows)


def token_limits(indexes: dict[str, Index]) -> pd.DataFrame:
    """Return each embedder's token limit and how many documents are over it and were embedded in windows."""
    return pd.DataFrame(
        [
            {
                "embedder": name,
                "token limit": limit(index.embedder.limit),
                "documents in windows": f"{len(index.split)}/{len(index.corpus)}",
            }
            for name, index in indexes.items()
        ]
    )


def growth_caption(growth: pd.DataFrame) -> str:
    """Return the finding of the corpus-growth figure."""
    told = []
    for embedder, part in growth.groupby("embedder", sort=False):
        median = part.groupby("articles").margin.median()
        told.append(f"{embedder}: {signed(median.iloc[0])} at {median.index[0]} articles, {signed(median.iloc[-1])} at {median.index[-1]}")
    return f"Median margin as the corpus grows. {'; '.join(told)}."


def points(frame: pd.DataFrame, measured: Measured, thresholds: dict[str, float]) -> pd.DataFrame:
    """Return the table behind a populations figure: one row a question and embedder."""
    shown = frame.rename(columns={"raw": "score"})[["embedder", "label", "id", "score"]]
    margins = {e: m["margin"].value for (e, signal), m in measured.items() if signal == "raw"}
    return shown.assign(threshold=shown.embedder.map(thresholds), margin=shown.embedder.map(margins)).reset_index(drop=True)


def explorer_scores(frame: pd.DataFrame, thresholds: dict[str, float]) -> dict[str, dict[str, object]]:
    """Return what the threshold explorer needs: for each embedder the scores of either kind and gate A's threshold."""
    return {
        str(embedder): {
            **{label: sorted(part[part.label == label].raw.round(6).tolist()) for label in ("in", "out")},
            "threshold": round(thresholds[embedder], 6),
        }
        for embedder, part in frame.groupby("embedder", sort=False)
    }


def populations_caption(measured: Measured) -> str:
    """Return the finding of a populations figure."""
    first = {key: m for key, m in measured.items() if key[1] == "raw"}
    negative = [e for (e, _), m in first.items() if m["margin"].value < 0]
    margins = listed([f"{signed(m['margin'].value)} with {e}" for (e, _), m in first.items()])
    n = next(iter(first.values()))
    if len(negative) == len(first):
        finding = "With no embedder do the two populations part"
    elif negative:
        finding = f"The two populations overlap with {listed(negative)}"
    else:
        finding = "With these questions the two populations part"
    return f"{finding}: the separation margin of {n['lost_all'].denominator} legitimate and {n['admitted'].denominator} impostor questions is {margins}."


def margin_caption(by_size: pd.DataFrame) -> str:
    """Return the finding of the margin-by-size figure."""
    if by_size.empty:
        return "There are too few questions to draw subsamples from."
    small, large = by_size["size"].min(), by_size["size"].max()
    told = [
        f"{e}: {percent(part.set_index('size').negative[small])} of samples negative at {small}, {percent(part.set_index('size').negative[large])} at {large}"
        for e, part in by_size.groupby("embedder", sort=False)
    ]
    return "The margin falls as questions are added. " + "; ".join(told) + "."


def signals_table(more: Measured) -> pd.DataFrame:
    """Return the table behind the signals figure."""
    rows = []
    for (embedder, signal), m in more.items():
        rows.append(
            {
                "embedder": embedder,
                "signal": signal,
                "margin": m["margin"].value,
                **{
                    f"{name}{part}": getattr(m[name], attribute)
                    for name in ("auroc", "admitted")
                    for part, attribute in (("", "value"), ("_low", "low"), ("_high", "high"))
                },
            }
        )
    return pd.DataFrame(rows)


def signals_caption(more: Measured) -> str:
    """Return the finding of the signals figure."""
    best = max(more, key=lambda key: more[key]["auroc"].value)
    parted = [f"{signal} with {embedder}" for (embedder, signal), m in more.items() if m["margin"].value >= 0]
    least = min(more, key=lambda key: more[key]["admitted"].value)
    margins = (
        f"Only {listed(parted)} has a margin that is not negative"
        if parted
        else "No signal of any embedder has a margin that is not negative"
    )
    return (
        f"{margins}. The best AUROC is {interval(more[best]['auroc'])} ({best[1]}, {best[0]}); the fewest impostors admitted "
        f"are {interval(more[least]['admitted'])} ({least[1]}, {least[0]})."
    )


def long_table(measured: Measured) -> pd.DataFrame:
    """Return every estimate as one tidy row: embedder, signal, metric, value, n/d, low, high, units."""
    rows = [
        {
            "embedder": embedder,
            "signal": signal,
            "metric": metric,
            "value": e.value,
            "counts": count(e) if e.numerator is not None else "",
            "low": e.low,
            "high": e.high,
            "units": e.units,
        }
        for (embedder, signal), m in measured.items()
        for metric, e in m.items()
    ]
    return pd.DataFrame(rows)


def gate_table(
    others: pd.DataFrame, thresholds: dict[str, float], fitted_on_these: bool, draws: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, Measured]:
    """Return what gate A at each embedder's threshold loses and lets in, as a table and as estimates."""
    rows, estimates = [], {}
    for embedder, part in others.groupby("embedder", sort=False):
        passed = part.raw >= thresholds[embedder]
        legitimate, impostor = part.label == "in", part.label == "out"
        lost = rate(~passed[legitimate].to_numpy(), part.family[legitimate].to_numpy(str), draws, rng)
        let_in = rate(passed[impostor].to_numpy(), part.family[impostor].to_numpy(str), draws, rng)
        estimates[embedder, "raw"] = {"lost": lost, "let_in": let_in}
        rows.append(
            {
                "embedder": embedder,
                "threshold": round(thresholds[embedder], 3),
                "legitimate lost": count(lost),
                "share lost": interval(lost),
                "impostors let in": count(let_in),
                "share let in": interval(let_in),
                "fitted on": "these questions" if fitted_on_these else "the first questions",
            }
        )
    return pd.DataFrame(rows), estimates


def retrieval_table(found: dict[str, dict[str, Estimate]]) -> pd.DataFrame:
    """Return how well each embedder finds the right documents."""
    return pd.DataFrame(
        [
            {
                "embedder": embedder,
                "questions": m["top1"].denominator,
                "first document right": interval(m["top1"]),
                "recall at 3": interval(m["recall3"]),
                "mean reciprocal rank": interval(m["mrr"]),
            }
            for embedder, m in found.items()
        ]
    )


def record(
    run,
    first: Measured,
    more: Measured,
    by_size: pd.DataFrame,
    gate: Measured,
    thresholds: dict[str, float],
    squad: Measured,
    found: dict[str, dict[str, Estimate]],
) -> None:
    """Record the chapter's numbers: ``separation/<embedder>/margin`` and the rest."""
    for (embedder, _), m in first.items():
        base = f"separation/{embedder}"
        run.number(f"{base}/margin", m["margin"].value, signed(m["margin"].value), n=m["overlap"].denominator)
        run.number(f"{base}/threshold", thresholds[embedder])
        for name in ("overlap", "lost_all", "auroc", "admitted_all", "admitted", "top1"):
            record_estimate(run, f"{base}/{name}", m[name])
            if m[name].low is not None:
                run.number(f"{base}/{name}_interval", m[name].value, interval(m[name]))
            if m[name].numerator is not None and name != "auroc":
                run.number(f"{base}/{name}_count", m[name].value, count(m[name]))
    for (embedder, signal), m in more.items():
        base = f"separation_more/{embedder}/{signal}"
        run.number(f"{base}/margin", m["margin"].value, signed(m["margin"].value), n=m["overlap"].denominator)
        for name in ("auroc", "admitted", "top1"):
            record_estimate(run, f"{base}/{name}", m[name])
    for embedder, m in found.items():
        for name, estimate in m.items():
            record_estimate(run, f"retrieval/{embedder}/{name}", estimate)
    for row in by_size.itertuples():
        run.number(f"margin_by_size/{row.embedder}/{row.size}/negative", row.negative, percent(row.negative), n=row.draws)
        run.number(f"margin_by_size/{row.embedder}/{row.size}/median", row.median, signed(row.median))
    for (embedder, _), m in gate.items():
        for name, estimate in m.items():
            record_estimate(run, f"gate_a/{embedder}/{name}", estimate)
            run.number(f"gate_a/{embedder}/{name}_count", estimate.value, count(estimate))
    for (embedder, half), m in squad.items():
        for name in ("margin", "auroc", "admitted", "top1"):
            record_estimate(run, f"squad/{embedder}/{half}/{name}", m[name], 3)


def record_published(run, article: dict) -> None:
    """Record the article's figures under ``published/``; they enter no measured number."""
    for group in ("separation", "grounding", "eori", "speed"):
        for name, value in article[group].items():
            text = signed(value) if name == "margin" else None
            text = number(value, 2) if group == "grounding" and isinstance(value, float) else text
            run.number(f"published/{group}/{name}", value, text)


def answer(first: Measured, more: Measured, by_size: pd.DataFrame, gate: Measured, admit: float) -> str:
    """Return the chapter's answer in words."""
    embedders = [e for e, _ in first]
    n = next(iter(first.values()))
    negative = [e for e, _ in first if first[e, "raw"]["margin"].value < 0]
    told = listed([f"{signed(first[e, 'raw']['margin'].value)} ({e})" for e in embedders])
    parts = [
        f"On {n['lost_all'].denominator} legitimate and {n['admitted'].denominator} impostor questions the margin is {told}: "
        + (
            "**no embedder separates the two**."
            if len(negative) == len(embedders)
            else f"it is negative with {listed(negative)}."
            if negative
            else "it is positive with every embedder."
        )
    ]
    if not by_size.empty:
        large = by_size["size"].max()
        at_large = by_size[by_size["size"] == large].set_index("embedder").negative
        keeps = [e for e in embedders if at_large[e] < 0.5]
        parts.append(
            f"At {large} questions of each kind "
            + (
                f"{listed(keeps)} keeps a positive margin in most samples."
                if keeps
                else "no embedder keeps a positive margin in most samples."
            )
            + " The share of negative samples is "
            + listed([f"{percent(at_large[e])} ({e})" for e in embedders])
            + "."
        )
    best = max(embedders, key=lambda e: more[e, "raw"]["auroc"].value)
    parts.append(
        f"That does not make the score worthless: it ranks. The best AUROC of a raw score is {interval(more[best, 'raw']['auroc'])} ({best}); "
        f"but at the threshold that keeps {percent(admit)} of the legitimate questions it admits {interval(more[best, 'raw']['admitted'])} of the impostors."
    )
    parts.append(
        "The article's recipe for gate A lets in "
        + listed(
            [
                f"{count(gate[e, 'raw']['let_in'])} impostors and loses {count(gate[e, 'raw']['lost'])} legitimate questions ({e})"
                for e in embedders
            ]
        )
        + "."
    )
    key = max((k for k in more if k[1] != "raw"), key=lambda k: more[k]["auroc"].value)
    parted = [(e, s) for (e, s), m in more.items() if m["margin"].value >= 0]
    parts.append(
        (
            "No other signal separates the populations either"
            if not parted
            else f"{listed([f'{s} with {e}' for e, s in parted])} separates these questions"
        )
        + f"; the best of them, the {SIGNALS[key[1]]} ({key[0]}), has an AUROC of {interval(more[key]['auroc'])} "
        + f"and admits {interval(more[key]['admitted'])} of the impostors."
    )
    return "\n".join(parts)


def what_can_be_said(measured: Measured, admit: float) -> str:
    """Return what these questions can and cannot show, and how many would halve the intervals."""
    parts = []
    for (embedder, signal), m in measured.items():
        if signal != "raw":
            continue
        area, let_in = m["auroc"], m["admitted"]
        parts.append(
            f"{embedder}: AUROC {interval(area)}, impostors admitted at {percent(admit)} {interval(let_in)}, over {area.units} subjects. "
            f"Half as wide takes about four times as many subjects, {4 * (area.units or 0)}."
        )
    n = next(iter(measured.values()))
    parts.append(
        f"The margin is the difference of two extremes among {n['lost_all'].denominator} legitimate and {n['admitted'].denominator} impostor questions: "
        "the next question can only lower it, and no interval around it means anything. A positive one says that these questions part, not that yours will."
    )
    parts.append("Subjects are what is independent: ten wordings of one question are one subject. Give them one name in the column family.")
    return "\n".join(parts)
