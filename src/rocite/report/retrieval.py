"""The chapter on retrieval: what is tabled, captioned, recorded and said, and the result that an assessor files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pandas as pd

from rocite import stats
from rocite.evaluate.experiments import OTHER
from rocite.evaluate.gold import PARTS, STRATA, Item
from rocite.report.base import interval, number, record_estimate

SHOWN = ("recall@1", "recall@3", "recall@5", "recall@10", "mrr", "coverage@5", "complete@5", "superseded@5")
FILED = ("recall@1", "recall@5", "mrr", "coverage@5", "complete@5", "superseded@5")
REFUSAL = ("correct_refusal", "unnecessary_refusal")


def estimate(row: Mapping) -> stats.Estimate:
    """Return a measured row as an estimate; a missing value is None."""

    def plain(name: str):
        value = row[name]
        return None if value is None or value != value else value

    return stats.Estimate(plain("value"), row["numerator"], row["denominator"], plain("low"), plain("high"), row["units"])


def counts(row: Mapping) -> str:
    """Return the counts of a row as ``n/d``; a sum of shares has two decimals.

    >>> counts({"numerator": 98.1667, "denominator": 105}), counts({"numerator": 0, "denominator": 0})
    ('98.17/105', 'n/a (0)')
    """
    if not row["denominator"]:
        return "n/a (0)"
    whole = float(row["numerator"]).is_integer()
    return f"{row['numerator']:.0f}/{row['denominator']}" if whole else f"{row['numerator']:.2f}/{row['denominator']}"


def gold_table(items: Sequence[Item]) -> pd.DataFrame:
    """Return how many items of each stratum there are, by language and part, and in how many families."""
    rows = []
    for stratum in STRATA:
        own = [i for i in items if i.stratum == stratum]
        row = {"stratum": stratum, "items": len(own), "families": len({i.family for i in own})}
        row |= {lang: sum(i.lang == lang for i in own) for lang in ("ro", "en")}
        row |= {part: sum(i.part == part for i in own) for part in PARTS}
        rows.append(row)
    total = {"stratum": "all", "items": len(items), "families": len({i.family for i in items})}
    total |= {k: sum(r[k] for r in rows) for k in ("ro", "en", *PARTS)}
    return pd.DataFrame([*rows, total])


def side_by_side(frame: pd.DataFrame, metrics: Sequence[str], stratum: str | None = None) -> pd.DataFrame:
    """Return one row a retriever, a column a metric with its interval, of one group of items."""
    group = frame[frame.stratum.isna() if stratum is None else frame.stratum == stratum]
    rows = []
    for name in group.retriever.unique():
        own = group[group.retriever == name].set_index("metric")
        row = {"retriever": name}
        for metric in metrics:
            row[metric] = interval(estimate(own.loc[metric]), 2)
        rows.append(row)
    return pd.DataFrame(rows)


def by_group(frame: pd.DataFrame, retriever: str, metrics: Sequence[str]) -> pd.DataFrame:
    """Return one row a group of items, with value, interval and counts of each metric."""
    own = frame[frame.retriever == retriever]
    rows = []
    for group in own.stratum.unique():
        part = own[own.stratum.isna() if pd.isna(group) else own.stratum == group].set_index("metric")
        row = {"group": "all" if pd.isna(group) else group}
        for metric in metrics:
            row[metric] = interval(estimate(part.loc[metric]), 2)
            row[f"{metric}, n/d"] = counts(part.loc[metric])
        row["families"] = int(part.loc[metrics[0]].units)
        rows.append(row)
    return pd.DataFrame(rows)


def plain(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return measured rows readable: the keys, value with interval, counts and units."""
    shown = frame[list(keys)].copy()
    shown["value"] = [interval(estimate(r), 3) for r in frame.to_dict("records")]
    shown["n/d"] = [counts(r) for r in frame.to_dict("records")]
    shown["units"] = frame.units.astype(int).to_numpy()
    return shown


def pivoted(frame: pd.DataFrame, index: str, places: int = 2) -> pd.DataFrame:
    """Return measured rows with one column a metric, each value with its interval."""
    rows: dict[str, dict] = {}
    for r in frame.to_dict("records"):
        rows.setdefault(r[index], {index: r[index]})[r["metric"]] = interval(estimate(r), places)
    return pd.DataFrame(list(rows.values()))


def chunk_table(rows: Sequence[Mapping], part: str) -> pd.DataFrame:
    """Return the recorded chunking experiment of one part: a row a way of cutting, with the words that five chunks have."""
    frame = pd.DataFrame([r for r in rows if r["part"] == part])
    table = pivoted(frame, "retriever")
    table.insert(1, "words of 5 chunks", [int(frame[frame.retriever == n].words.iloc[0]) for n in table.retriever])
    return table


def set_table(rows: Sequence[Mapping]) -> pd.DataFrame:
    """Return what every retriever finds on the larger sets, one row a set and retriever."""
    frame = pd.DataFrame([r for r in rows if r["against"] is None])
    if frame.empty:
        return pd.DataFrame(columns=["set", "retriever"])
    found = []
    for name in frame["set"].unique():
        table = pivoted(frame[frame["set"] == name], "retriever", 3)
        table.insert(0, "set", name)
        found.append(table)
    return pd.concat(found, ignore_index=True)


def difference_table(rows: Sequence[Mapping]) -> pd.DataFrame:
    """Return the paired differences on the larger sets: ours less the other's, with the interval over articles."""
    frame = pd.DataFrame([r for r in rows if r["against"] is not None])
    if frame.empty:
        return pd.DataFrame(columns=["set", "metric", "less"])
    shown = frame[["set", "retriever", "against", "metric"]].rename(columns={"against": "less"})
    shown["difference"] = [interval(estimate(r), 3) for r in frame.to_dict("records")]
    shown["articles"] = frame.units.astype(int).to_numpy()
    return shown


def strata_caption(frame: pd.DataFrame, ours: str) -> str:
    """Return the finding of the figure of strata."""
    own = frame[frame.retriever == ours]
    lowest = own.loc[own.value.idxmin()]
    return (
        f"Share of required passages among the first five documents, by kind of question, on untouched families. "
        f"{ours} finds least of kind “{lowest.stratum}”: {number(lowest.value, 2)}."
    )


def language_caption(frame: pd.DataFrame, ours: str) -> str:
    """Return the finding of the figure of languages."""
    other = frame[frame.documents == OTHER].set_index("retriever")
    return (
        f"Recall@5 by whether the question is asked in the language of its documents. Asked in the other one, e5 by itself finds "
        f"{number(other.loc['e5'].value, 2)}, over the mean of each language {number(other.loc['mix:e5'].value, 2)}, "
        f"{ours} {number(other.loc[ours].value, 2)}, BM25 {number(other.loc['bm25'].value, 2)}."
    )


def aims(frame: pd.DataFrame, ours: str, sets: Sequence[Mapping]) -> pd.DataFrame:
    """Return each aim of the evaluation with what was measured on untouched items."""
    own = frame[(frame.retriever == ours) & (frame.metric == "recall@5")]
    everything = own[own.stratum.isna()].iloc[0]
    kinds = own[own.stratum.isin(STRATA) & (own.denominator > 0)]
    lowest = kinds.loc[kinds.value.idxmin()]
    retired = frame[(frame.retriever == ours) & (frame.metric == "superseded@5") & frame.stratum.isna()].iloc[0]
    rows = [
        _aim("gold, recall@5 over all answerable items", "at least 0.95", everything, everything.value >= 0.95),
        _aim(f"gold, recall@5 of the lowest answerable stratum ({lowest.stratum})", "at least 0.85", lowest, lowest.value >= 0.85),
        _aim("gold, superseded documents retrieved for current questions", "0", retired, retired.numerator == 0),
    ]
    by = {(r["set"], r["retriever"], r["metric"], r["against"]): r for r in sets}
    for name, metric, least in (
        ("ro questions on ro", "recall@1", 0.955),
        ("ro questions on ro", "recall@5", 0.995),
        ("ro questions on en", "recall@1", 0.85),
    ):
        row = by.get((f"XQuAD, {name} paragraphs", ours, metric, None))
        if row:
            rows.append(_aim(f"XQuAD, {name} paragraphs, {metric}", f"at least {least}", row, row["value"] >= least))
    row = by.get(("XQuAD, ro questions on ro paragraphs", ours, "recall@1", "bm25"))
    if row:
        rows.append(_aim("XQuAD, ro on ro, recall@1 less that of BM25", "lower bound above 0", row, (row["low"] or 0) > 0))
    return pd.DataFrame(rows)


def _aim(measure: str, aim: str, row: Mapping, reached: bool) -> dict:
    return {
        "measure": measure,
        "aim": aim,
        "measured": interval(estimate(row), 3),
        "n/d": counts(row),
        "reached": "yes" if reached else "no",
    }


def assessment(frame: pd.DataFrame, ours: str, beside: str) -> pd.DataFrame:
    """Return the rows to file: every metric of our retriever over all items, kinds and languages, and another's over all items."""
    kinds = frame.stratum.isna() | frame.stratum.isin(STRATA) | frame.stratum.str.startswith("lang:", na=False)
    rows = frame[((frame.retriever == ours) & kinds) | ((frame.retriever == beside) & frame.stratum.isna())]
    return plain(rows[rows.metric.isin((*FILED, *REFUSAL))], ["retriever", "stratum", "metric"])


def manifest_table(facts: Mapping) -> pd.DataFrame:
    """Return a run manifest as rows: what, value."""
    rows = []
    for name, value in facts.items():
        told = json.dumps(value, ensure_ascii=False, sort_keys=True) if isinstance(value, dict | list) else str(value)
        rows.append({"what": name, "value": told})
    return pd.DataFrame(rows)


def record(run, frame: pd.DataFrame, ours: str, languages: pd.DataFrame) -> None:
    """Record the numbers of the chapter."""
    for r in frame[frame.stratum.isna()].to_dict("records"):
        if r["metric"] in (*SHOWN, *REFUSAL):
            record_estimate(run, f"gold/{_key(r['retriever'])}/{r['metric']}", estimate(r))
    for r in frame[(frame.retriever == ours) & frame.stratum.isin(STRATA) & (frame.metric == "recall@5")].to_dict("records"):
        record_estimate(run, f"gold/strata/{r['stratum']}", estimate(r))
    for r in languages.to_dict("records"):
        record_estimate(run, f"gold/language/{_key(r['retriever'])}/{r['documents'].partition(' ')[0]}", estimate(r))
    run.number("gold/default", ours)


def _key(name: str) -> str:
    """A retriever's name as part of a number's path."""
    return name.replace("/", "_")


def answer(frame: pd.DataFrame, ours: str, table: pd.DataFrame, languages: pd.DataFrame) -> str:
    """Return the chapter's answer in words."""
    whole = frame[frame.stratum.isna()]

    def value(name: str, metric: str) -> str:
        return interval(estimate(whole[(whole.retriever == name) & (whole.metric == metric)].iloc[0]), 2)

    reached, missed = (table[table.reached == word].measure.tolist() for word in ("yes", "no"))
    refused = whole[(whole.retriever == ours) & (whole.metric == "correct_refusal")].iloc[0]
    other = languages[languages.documents == OTHER].set_index("retriever")
    said = [
        f"**{'Mostly' if missed else 'Yes'}, by mixing words and vectors.** On untouched families {ours} has recall@5 {value(ours, 'recall@5')}; "
        f"BM25 alone has {value('bm25', 'recall@5')} and e5 alone {value('e5', 'recall@5')}. What helps most is bringing languages to one scale: "
        f"asked in the other language than its documents, a question finds them with e5 by itself in {number(other.loc['e5'].value, 2)} of cases "
        f"and in {number(other.loc['mix:e5'].value, 2)} once each language's mean similarity is taken off.",
        f"A retriever's best score does not tell what the documents cannot answer: {ours} refuses {counts(refused)} of the unanswerable questions "
        f"at a threshold that keeps 95 % of the others. Refusal has to come from the answer.",
        f"Reached: {'; '.join(reached)}." if reached else "No aim is reached.",
    ]
    return "\n".join([*said, f"Not reached: {'; '.join(missed)}."] if missed else said)
