"""``python -m rocite.workflow.sweep PARAM VALUE...``: what each value of a gate's parameter costs and buys.

Thresholds are arithmetic on recorded answers: every recorded answer and every labelled sentence is judged anew
with each value, and no notebook runs and no model is loaded.
"""

from __future__ import annotations

import sys

from rocite import corpus, embed, generate, params, places, questions
from rocite.answer import pipeline
from rocite.cache import default_store
from rocite.errors import RociteError, UnknownNameError
from rocite.evaluate import cases, grounding
from rocite.records import write_atomically

SWEPT = ("min_ground", "prefix_length", "min_claim_words", "min_sim", "sim_slack")
_RECORDINGS = ("gemma-3-270m", "qwen2.5-coder-1.5b")


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    name, *values = sys.argv[1:] if words is None else words
    try:
        sweep(name, values)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def sweep(name: str, texts: list[str]) -> None:
    """Judge with each value; write ``build/sweep/NAME.csv`` and the figure. Raises InputError for a value that does not fit."""
    import pandas as pd

    from rocite import figures
    from rocite.report import eori

    top = places.root()
    declared = params.definitions(top / "notebooks" / "params" / "default.toml")
    if name not in SWEPT:
        raise UnknownNameError("parameter of the gates", name, list(SWEPT))
    chosen = sorted({declared[name].check(text, "VALUES") for text in texts}, key=str if "fitted" in texts else float)
    store = default_store()
    documents = corpus.load(top / "corpus" / "customs")
    fitting = questions.load(top / "data" / "questions" / "separation.csv", documents.ids)
    found, _ = cases.load(top / "data" / "questions" / "cases.toml")
    readings = cases.load_readings(top / "data" / "recorded" / "readings.csv")
    sentences = grounding.load_sentences(top / "data" / "questions" / "grounding.csv", documents)
    defaults = params.resolve(declared)
    embedder = embed.load(str(defaults["embedder"]), store)
    rows = []
    for value in chosen:
        line = pipeline(documents, embedder, {**defaults, name: value}, store, fitting, gate_set="article")
        supported = [s.label != "ungrounded" for s in sentences]
        reached = [grounding.score(s.sentence, s.source, line.settings.prefix_length) >= line.settings.min_ground for s in sentences]
        row = {
            name: value,
            "true sentences refused": sum(t and not r for t, r in zip(supported, reached, strict=True)) / sum(supported),
            "ungrounded sentences supported": sum(r and not t for t, r in zip(supported, reached, strict=True))
            / (len(supported) - sum(supported)),
        }
        replays = pd.concat(
            [eori.replay(line, generate.load(f"recorded:{r}", line.generator.options), found, r, readings) for r in _RECORDINGS]
        )
        right, answered = replays.right_before_gates, replays.verdict == "accepted"
        row["right answers refused"] = float((right & ~answered).sum() / max(1, right.sum()))
        row["wrong answers let through"] = float((~right & answered).sum() / max(1, (~right).sum()))
        row |= {
            "sentences": len(sentences),
            "right answers": f"{int((right & ~answered).sum())}/{int(right.sum())} refused",
            "wrong answers": f"{int((~right & answered).sum())}/{int((~right).sum())} let through",
        }
        rows.append(row)
    frame = pd.DataFrame(rows)
    folder = top / "build" / "sweep"
    write_atomically(folder / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
    with figures.style():
        figures.save(figures.sweep(frame, name), folder / name)
    print(frame.round(3).to_string(index=False))
    print(f"build/sweep/{name}.csv, .svg, .png", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
