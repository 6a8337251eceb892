"""``rocite separation``: does a score separate the reader's real questions from impostors?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rocite.cli.common import values as values_of
from rocite.errors import InputError


def run(given: argparse.Namespace) -> int:
    """Measure and print the separation; return the exit status."""
    import numpy as np

    from rocite import corpus, embed, questions
    from rocite.cache import default_store
    from rocite.evaluate import separation
    from rocite.manifest import manifest
    from rocite.retrieve import Index

    values = values_of([])
    squad = given.questions.endswith(".json")
    if squad and Path(given.questions).resolve() != Path(given.corpus).resolve():
        raise InputError("SQuAD questions go with their own paragraphs: give the same file as --corpus and --questions.")
    names = given.embedder or (["minilm", "tfidf"] if squad else list(embed.INSTALLED))
    store = default_store()
    results, identities = [], {}
    documents = None if squad else corpus.load(given.corpus)
    asked = None if squad else questions.load(given.questions, documents.ids, least_of_each=1)
    squad_file = corpus.load_squad(given.corpus) if squad else None
    for name in names:
        embedder = embed.load(name, store)
        if squad:
            frames = separation.squad_scores(squad_file, embedder)
        else:
            frames = {None: separation.score_questions(Index(documents, embedder), asked)}
        identities[name] = embedder.identity
        for stratum, frame in frames.items():
            rng = np.random.default_rng(int(values["seed"]))
            found = separation.measure(frame, "raw", float(values["admit"]), int(values["resamples"]), rng)
            results += [_result_row(name, metric, stratum, estimate) for metric, estimate in found.items()]
    if given.json:
        inputs = {"corpus": str(given.corpus), "questions": str(given.questions)}
        print(json.dumps({"results": results, "manifest": manifest(embedders=identities, parameters=values, **inputs)}, ensure_ascii=False))
    else:
        print(_results_table(results))
    return 0


def _result_row(retriever: str, metric: str, stratum: str | None, estimate) -> dict:
    return {
        "retriever": retriever,
        "metric": metric,
        "k": 1 if metric == "top1" else None,
        "stratum": stratum,
        "value": estimate.value,
        "numerator": estimate.numerator,
        "denominator": estimate.denominator,
        "low": estimate.low,
        "high": estimate.high,
        "units": estimate.units,
    }


def _results_table(results: list[dict]) -> str:
    import pandas as pd

    frame = pd.DataFrame(results).drop(columns=["k"])
    if frame.stratum.isna().all():
        frame = frame.drop(columns=["stratum"])
    return frame.to_string(index=False, na_rep="n/a", float_format=lambda v: f"{v:.3f}")
