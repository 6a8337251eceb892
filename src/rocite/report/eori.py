"""The end-to-end chapter: the same model without and with fragments, the four cases, and every phrasing of them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from rocite.answer import Answer, Pipeline
from rocite.check import fragment
from rocite.evaluate.cases import OUTCOMES, EndToEndCase, Readings, answers_rightly, is_right, outcome
from rocite.generate import Generation
from rocite.generate.recorded import RecordedGenerator
from rocite.report.base import listed, number

MARKS = {"live": "measured", "kept": "measured", "replayed": "replayed"}  # kept: asked live by an earlier run


def record_of(answer: Answer) -> pd.DataFrame:
    """Return the decision of one answer as a readable table: what the audit log holds, a row a fact."""
    j = answer.judgement
    rows = [
        ("question", answer.question),
        ("fragments", ", ".join(f"{n}. {f.id} ({number(f.score)})" for n, f in enumerate(answer.fragments, 1))),
        ("the model wrote", answer.generation.text),
        ("verdict", f"{j.verdict}: {j.reason}"),
        ("failing gates", listed(list(j.failed)) if j.failed else "none"),
        *(
            (
                "sentence",
                f"{s['text']} -> {s['source'] or 'no claim' if s['score'] is None else s['source'] or 'no source'}, {number(s['score'], 2)}",
            )
            for s in j.sentences
        ),
        ("sources that carried a sentence", listed(list(j.sources)) if j.sources else "none"),
        ("padding", listed(list(j.padding)) if j.padding else "none"),
        ("unchecked", listed(list(j.unchecked)) if j.unchecked else "none"),
        ("seconds, tokens a second", f"{number(answer.generation.seconds, 1)}, {number(answer.generation.tokens_per_second, 1)}"),
        ("record", answer.record or "none"),
    ]
    return pd.DataFrame(rows, columns=["fact", "value"])


def ungrounded_table(generation: Generation, question: str, right: bool, article: dict) -> pd.DataFrame:
    """Return published beside measured for the ungrounded question."""
    return pd.DataFrame(
        [
            {"": "published", "model": article["models"]["generator"], "wrote": article["eori"]["ungrounded"], "right": "no"},
            {
                "": MARKS[generation.origin],
                "model": str(generation.model["model"]),
                "wrote": generation.text,
                "right": "yes" if right else "no",
            },
        ]
    ).assign(question=question)[["", "model", "question", "wrote", "right"]]


def results_of(cases: Sequence[EndToEndCase], answers: dict[str, Answer], readings: Readings) -> dict[str, str]:
    """Return what became of each case: answered rightly, answered wrongly or refused."""
    return {c.id: outcome(c, answers[c.id].judgement, answers[c.id].generation.text, readings) for c in cases}


def cases_table(cases: Sequence[EndToEndCase], answers: dict[str, Answer], results: dict[str, str]) -> pd.DataFrame:
    """Return one row a case: what must happen, what the article reports, what happened and which gate did it."""
    rows = []
    for case in cases:
        a = answers[case.id]
        rows.append(
            {
                "case": case.title,
                "must be": "answered" if case.answerable else "refused",
                "published": case.published,
                "measured": results[case.id],
                "verdict": a.judgement.verdict,
                "by": a.judgement.gate or ("the model's own abstention" if a.judgement.verdict == "abstained" else "no gate"),
                "best similarity": number(a.judgement.scores["similarity"]),
                "lowest grounding": number(a.judgement.scores["grounding"], 2),
                "seconds": number(a.generation.seconds, 1),
                "tokens a second": number(a.generation.tokens_per_second, 1),
            }
        )
    return pd.DataFrame(rows)


def written(cases: Sequence[EndToEndCase], answers: dict[str, Answer]) -> pd.DataFrame:
    """Return what the model wrote in each case."""
    return pd.DataFrame([{"case": c.title, "question": c.phrasings[0], "the model wrote": answers[c.id].generation.text} for c in cases])


def holds(case: EndToEndCase, result: str) -> bool:
    """Whether an outcome is what the case asks for: a right answer, or a refusal where nothing answers it."""
    return result == ("answered rightly" if case.answerable else "refused")


def replay(line: Pipeline, recording: RecordedGenerator, cases: Sequence[EndToEndCase], label: str, readings: Readings) -> pd.DataFrame:
    """Judge every recorded answer with the gates of this run; one row an answer.

    Fragments and their order are those that were recorded; their similarities are those of this run's embedder.
    """
    replayed = Pipeline(line.index, recording, line.settings, line.k, line.gate_set)
    documents = {d.id: d for d in line.index.corpus.documents}
    rows = []
    for row in recording.rows():
        if row["case"] == "ungrounded":
            continue
        case = next(c for c in cases if c.id == row["case"])
        similarity = dict(zip(line.index.corpus.ids, line.index.scores([row["question"]])[0], strict=True))
        fragments = tuple(fragment(documents[i], float(similarity[i])) for i in row["fragments"])
        answer = replayed.ask(row["question"], fragments)
        result = outcome(case, answer.judgement, answer.generation.text, readings)
        rows.append(
            {
                "model": label,
                "case": case.title,
                "case_id": case.id,
                "phrasing": row["phrasing"],
                "order": "".join(str(i + 1) for i in row["order"]),
                "question": row["question"],
                "outcome": result,
                "verdict": answer.judgement.verdict,
                "gate": answer.judgement.gate or "",
                "matches": is_right(answer.generation.text, case.must, case.never),
                "right_before_gates": answers_rightly(case, answer.generation.text, readings),
                "seconds": answer.generation.seconds,
                "tokens": answer.generation.tokens,
                "answer": answer.generation.text,
            }
        )
    return pd.DataFrame(rows)


def outcomes_table(replays: pd.DataFrame) -> pd.DataFrame:
    """Return counts of outcomes by model and case: the phrasings in retrieved order, then in every order."""
    rows = []
    for (model, case), part in replays.groupby(["model", "case"], sort=False):
        first = part[part.order == part.order.min()]
        every = len(part) > len(first)
        rows.append(
            {
                "model": model,
                "case": case,
                **{f"{o}": f"{int((first.outcome == o).sum())}/{len(first)}" for o in OUTCOMES},
                **{f"{o}, every order": f"{int((part.outcome == o).sum())}/{len(part)}" if every else "not recorded" for o in OUTCOMES},
            }
        )
    return pd.DataFrame(rows)


def tiles(replays: pd.DataFrame) -> pd.DataFrame:
    """Return the table behind the outcomes figure: one row a model, case and phrasing, fragments as retrieved."""
    first = replays[replays.order == replays.order.min()]
    return first.rename(columns={"phrasing": "position"})[["model", "case", "position", "outcome"]].reset_index(drop=True)


def outcomes_caption(replays: pd.DataFrame, cases: Sequence[EndToEndCase]) -> str:
    """Return the finding of the outcomes figure."""
    told = []
    answerable = {c.title for c in cases if c.answerable}
    for model, part in replays[replays.order == replays.order.min()].groupby("model", sort=False):
        can, cannot = part[part.case.isin(answerable)], part[~part.case.isin(answerable)]
        told.append(
            f"{model}: {int((can.outcome == 'answered rightly').sum())} of {len(can)} answerable phrasings answered rightly, "
            f"{int((can.outcome == 'answered wrongly').sum())} wrongly; {int((cannot.outcome == 'answered wrongly').sum())} of {len(cannot)} unanswerable ones answered"
        )
    return "After the four gates. " + ". ".join(told) + "."


def passed_wrong(replays: pd.DataFrame) -> pd.DataFrame:
    """Return the distinct wrong answers that every gate let through, with how often each came."""
    wrong = replays[replays.outcome == "answered wrongly"]
    grouped = (
        wrong.groupby(["model", "case", "answer"], sort=False).agg(times=("answer", "size"), question=("question", "first")).reset_index()
    )
    return grouped.sort_values("times", ascending=False, kind="stable").reset_index(drop=True)


def record(
    run,
    cases: Sequence[EndToEndCase],
    results: dict[str, str],
    answers: dict[str, Answer],
    free: Generation,
    free_right: bool,
    replays: pd.DataFrame,
    measured: str,
) -> None:
    """Record the chapter's numbers; only the embedded model's own answers enter ``eori/`` and ``cases/``."""
    grounded = answers["eori"]
    run.number("eori/ungrounded/right", free_right, "yes" if free_right else "no")
    run.number("eori/ungrounded/answer", free.text)
    run.number("eori/model", str(free.model["model"]))
    run.number("eori/grounded/verdict", grounded.judgement.verdict)
    run.number("eori/grounded/gate", grounded.judgement.gate, grounded.judgement.gate or "none")
    run.number("eori/grounded/answer", grounded.generation.text)
    for case in cases:
        run.number(f"cases/{case.id}/outcome", results[case.id])
        run.number(f"cases/{case.id}/verdict", answers[case.id].judgement.verdict)
        run.number(f"cases/{case.id}/gate", answers[case.id].judgement.gate, answers[case.id].judgement.gate or "none")
    run.number("cases/held", sum(holds(c, results[c.id]) for c in cases), n=len(cases))
    seconds = [a.generation.seconds for a in answers.values()]
    tokens = sum(a.generation.tokens or 0 for a in answers.values())
    run.number("speed/answer_seconds_low", min(seconds), number(min(seconds), 1), unit="s")
    run.number("speed/answer_seconds_high", max(seconds), number(max(seconds), 1), unit="s")
    run.number("speed/tokens_per_second", tokens / sum(seconds) if tokens else None, number(tokens / sum(seconds), 1) if tokens else None)
    for (model, case_id), part in replays.groupby(["model", "case_id"], sort=False):
        first = part[part.order == part.order.min()]
        base = f"phrasings/{'embedded' if model == measured else 'replayed_larger'}/{case_id}"
        for name in OUTCOMES:
            done = int((first.outcome == name).sum())
            run.number(f"{base}/{name.replace(' ', '_')}", done / len(first), f"{done}/{len(first)}", n=len(first))
            if len(part) > len(first):
                done = int((part.outcome == name).sum())
                run.number(f"{base}/every_order/{name.replace(' ', '_')}", done / len(part), f"{done}/{len(part)}", n=len(part))


def answer_in_words(
    cases: Sequence[EndToEndCase],
    results: dict[str, str],
    answers: dict[str, Answer],
    free: Generation,
    free_right: bool,
    replays: pd.DataFrame,
    larger: str,
    article: dict,
) -> str:
    """Return the chapter's answer in words."""
    held = [c.id for c in cases if holds(c, results[c.id])]
    grounded = answers["eori"]
    parts = [
        f"Asked freely, {free.model['model']} wrote “{free.text.strip()}”: {'right' if free_right else 'wrong, like the article’s model'}. "
        f"Asked over the fragments, the question what EORI means and what it costs was **{results['eori']}** ({grounded.judgement.reason}).",
        f"Of the four cases, {len(held)} of {len(cases)} came out as they must ({listed(held) if held else 'none'}); the article reports all four.",
    ]
    stopped = [c for c in cases if answers[c.id].judgement.verdict != "accepted"]
    if stopped:
        parts.append(
            "What was not answered was stopped by "
            + listed([f"{answers[c.id].judgement.gate or 'the model’s own abstention'} ({c.id})" for c in stopped])
            + "."
        )
    failed = [c for c in cases if c.answerable and results[c.id] != "answered rightly"]
    if failed:
        parts.append(
            f"**{free.model['model']} does not do {listed([c.id for c in failed])}** in the published phrasing: "
            + "; ".join(f"{c.id} was {results[c.id]}" for c in failed)
            + ". The larger model's replayed answers stand beside it."
        )
    matched = replays[replays.matches]
    parts.append(
        f"Words stand in false sentences too: of {len(matched)} recorded answers that state their case’s facts, "
        f"{int((~matched.right_before_gates).sum())} were read and found wrong."
    )
    every = replays[replays.model != larger]
    wrong = int((every.outcome == "answered wrongly").sum())
    parts.append(
        f"Over all phrasings and orders of fragments, {wrong} of {len(every)} recorded answers of the embedded model passed every gate and are wrong: "
        "**an answer made of the source’s own words passes, whether or not it answers the question**."
    )
    seconds = sorted(a.generation.seconds for a in answers.values())
    parts.append(
        f"An answer took {number(seconds[0], 1)} to {number(seconds[-1], 1)} s here; the article’s took "
        f"{article['speed']['answer_seconds_low']} to {article['speed']['answer_seconds_high']} s with a model of 2 billion parameters on {article['speed']['cores']} cores."
    )
    return "\n".join(parts)
