"""The grounding chapter: what is tabled, captioned, recorded and said."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocite.evaluate.grounding import WHOLE_WORDS, Labelled, score
from rocite.report.base import listed, number, percent
from rocite.text import content_words, prefix


def word_by_word(sentence: Labelled, prefix_length: int) -> pd.DataFrame:
    """Return each content word of a sentence, whether it stands in the source, and by which source word."""
    source = content_words(sentence.source)
    rows = []
    for word in content_words(sentence.sentence):
        alike = sorted({w for w in source if prefix(w, prefix_length) == prefix(word, prefix_length)})
        rows.append(
            {
                "word": word,
                "as it is": "yes" if word in source else "no",
                "by its first letters": "yes" if alike else "no",
                "in the source": ", ".join(alike) or "nothing",
            }
        )
    return pd.DataFrame(rows)


def three_scores(example: Labelled, ungrounded: Labelled, prefix_length: int) -> dict[str, float]:
    """Return the scores that the article reports: exact words, prefixes, and an ungrounded sentence by prefixes."""
    return {
        "exact": score(example.sentence, example.source, WHOLE_WORDS),
        "prefix": score(example.sentence, example.source, prefix_length),
        "ungrounded": score(ungrounded.sentence, ungrounded.source, prefix_length),
    }


def three_scores_table(three: dict[str, float], article: dict, prefix_length: int) -> pd.DataFrame:
    """Return published beside measured for the three scores."""
    names = {
        "exact": "the faithful sentence, exact words",
        "prefix": f"the same sentence, prefixes of {prefix_length}" if prefix_length else "the same sentence, whole words",
        "ungrounded": "an ungrounded sentence",
    }
    return pd.DataFrame(
        [{"score of": names[k], "published": number(article["grounding"][k], 2), "measured": number(v, 2)} for k, v in three.items()]
    )


def sweep_table(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the readable columns of the sweep."""
    shown = summary[["method", "faithful", "inflected", "paraphrased", "ungrounded"]].copy()
    shown["balanced accuracy"] = [number(v, 3) for v in summary.balanced_accuracy]
    shown["AUROC"] = [f"{number(r.auroc, 2)} ({number(r.auroc_low, 2)} to {number(r.auroc_high, 2)})" for r in summary.itertuples()]
    return shown


def best_method(summary: pd.DataFrame) -> list[str]:
    """Return the method or methods with the highest balanced accuracy at the threshold."""
    return summary[np.isclose(summary.balanced_accuracy, summary.balanced_accuracy.max())].method.tolist()


def choice_stability(scores: pd.DataFrame, threshold: float, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return how often each method is chosen when documents are resampled; ties count in equal parts."""
    methods = list(dict.fromkeys(scores.method))
    families = sorted(scores.family.unique())
    kept = scores.assign(passed=scores.score >= threshold, grounded=scores.label != "ungrounded")
    right = np.zeros((len(methods), len(families), 2))
    total = np.zeros((len(families), 2))
    for j, family in enumerate(families):
        for g, grounded in enumerate((True, False)):
            part = kept[(kept.family == family) & (kept.grounded == grounded)]
            total[j, g] = len(part) / len(methods)
            for i, method in enumerate(methods):
                passed = part[part.method == method].passed
                right[i, j, g] = passed.sum() if grounded else (~passed).sum()
    weights = rng.multinomial(len(families), np.full(len(families), 1 / len(families)), size=draws)
    shares = np.einsum("dj,ijg->dig", weights, right) / np.maximum(np.einsum("dj,jg->dg", weights, total), 1e-9)[:, None, :]
    accuracy = shares.mean(2)
    best = np.isclose(accuracy, accuracy.max(1, keepdims=True))
    chosen = (best / best.sum(1, keepdims=True)).mean(0)
    return pd.DataFrame({"method": methods, "chosen": chosen, "draws": draws, "documents": len(families)})


def sweep_caption(summary: pd.DataFrame, used: str) -> str:
    """Return the finding of the sweep figure."""
    rows = summary.set_index("method")
    whole = rows.loc["whole words"]
    told = f"Whole words support {whole.inflected} inflected sentences"
    if used in rows.index and used != "whole words":
        row = rows.loc[used]
        told += (
            f"; {used} supports {row.inflected} and lets {row.ungrounded} ungrounded ones through, as it does {row.paraphrased} paraphrases"
        )
    return told + "."


def record(run, three: dict[str, float], summary: pd.DataFrame, chosen: list[str], stability: pd.DataFrame, sts: pd.DataFrame) -> None:
    """Record the chapter's numbers: ``grounding/exact`` and the rest."""
    for name, value in three.items():
        run.number(f"grounding/{name}", value, number(value, 2))
    run.number("grounding/chosen", chosen, listed(chosen))
    for row in summary.itertuples():
        base = f"grounding_sweep/{row.method.replace(' ', '_')}"
        for label in ("faithful", "inflected", "paraphrased", "ungrounded"):
            done, of = getattr(row, label).split("/")
            run.number(f"{base}/{label}", int(done) / int(of), getattr(row, label), n=int(of))
        run.number(f"{base}/balanced_accuracy", row.balanced_accuracy)
        run.number(f"{base}/auroc", row.auroc, number(row.auroc, 2), low=row.auroc_low, high=row.auroc_high)
    for row in stability.itertuples():
        run.number(f"grounding_choice/{row.method.replace(' ', '_')}", row.chosen, percent(row.chosen), n=row.draws)
    for row in sts.itertuples():
        base = f"grounding_rosts/{row.method.replace(' ', '_')}"
        run.number(f"{base}/equivalents_refused", row.refused_share, row.equivalents_refused)
        run.number(f"{base}/different_supported", row.supported_share, row.different_supported)


def answer(
    three: dict[str, float],
    summary: pd.DataFrame,
    chosen: list[str],
    used: str,
    stability: pd.DataFrame,
    sts: pd.DataFrame,
    threshold: float,
) -> str:
    """Return the chapter's answer in words."""
    rows = summary.set_index("method")
    share = stability.set_index("method").chosen
    parts = [
        f"The three scores come out: {number(three['exact'], 2)} with exact words, {number(three['prefix'], 2)} with {used}, "
        f"{number(three['ungrounded'], 2)} for the ungrounded sentence."
    ]
    best = listed(chosen)
    if used in chosen and len(chosen) == 1:
        parts.append(
            f"**On these sentences {used} is the best choice** at the threshold {threshold:.2f} (balanced accuracy {number(rows.loc[used].balanced_accuracy)}),"
        )
    else:
        parts.append(
            f"**On these sentences {best} does best** at the threshold {threshold:.2f} (balanced accuracy {number(rows.loc[chosen[0]].balanced_accuracy)}; {used}: {number(rows.loc[used].balanced_accuracy) if used in rows.index else 'not in the sweep'}),"
        )
    runner = share.drop(chosen).nlargest(1)
    parts[-1] += (
        f" and it is chosen in {percent(share[chosen].sum())} of resampled documents; next comes {runner.index[0]} with {percent(runner.iloc[0])}."
    )
    stem = rows.loc["stemmer"]
    parts.append(
        f"The stemmer does not win: it supports {stem.inflected} inflected sentences."
        if stem.balanced_accuracy < rows.balanced_accuracy.max()
        else "The stemmer does as well."
    )
    parts.append(
        f"No length saves paraphrases: at most {percent(rows.paraphrased_share.max())} of them reach the threshold, so this gate refuses true sentences in other words."
    )
    if len(sts):
        row, top = sts.set_index("method"), sts.loc[sts.balanced_accuracy.idxmax()]
        told = (
            f"On RO-STS, {used} refuses {row.loc[used].equivalents_refused} equivalents and supports {row.loc[used].different_supported} different pairs; "
            if used in row.index
            else "On RO-STS, "
        )
        parts.append(told + f"the best balanced accuracy there is that of {top.method} ({number(top.balanced_accuracy)}).")
    return "\n".join(parts)
