"""``python -m rocite.workflow.record``: ask a model a set of questions and keep what it wrote.

Asks the end-to-end cases in every phrasing and order (``data/recorded/NAME/answers.jsonl``), the labelled questions
over several corpora (``questions.jsonl``), or part of the gold set (``gold.jsonl``); each file has its manifest beside
it. What was already asked is kept in the cache, so that a
recording that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rocite import corpus, embed, generate, params, places, prompt
from rocite import retrieve as retriever
from rocite.answer import retrieve
from rocite.cache import Store, default_store
from rocite.check import fragment
from rocite.embed import Embedder
from rocite.errors import InputError, RociteError
from rocite.evaluate import cases, end_to_end, gold
from rocite.evaluate.retrieval import rank
from rocite.generate import Generation, Options, Request
from rocite.manifest import manifest
from rocite.records import sha256_of, sha256_of_file, write_atomically, write_jsonl
from rocite.retrieve import Index

PACKAGED = "gemma-3-270m"
DATE = "2026-12-01"  # the day whose documents are asked about, so that a recording can be repeated


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="rocite.workflow.record")
    parser.add_argument("--model", default="", help="a generator by name (gguf:PATH, ollama:MODEL); default: the packaged model")
    parser.add_argument("--name", default="", help="the recording's name")
    parser.add_argument("--about", default="", help="the model in words, with its licence")
    parser.add_argument("--orders", type=int, default=0, help="how many orders of the fragments (default: every one)")
    parser.add_argument("--questions", action="store_true", help="ask data/questions/end_to_end.csv instead of the cases")
    parser.add_argument(
        "--gold", type=int, default=0, metavar="N", help="ask N items of every stratum of the gold set instead of the cases"
    )
    given = parser.parse_args(arguments)
    try:
        if given.model and not given.name:
            raise InputError(
                "a recording of another model needs a name: make record MODEL=gguf:PATH RECORDING=my-model ABOUT='what it is, licence'"
            )
        about = given.about or (given.model or "Gemma 3 270M, base model, Q4_K_M; Gemma terms apply")
        ask = gold_items(given.gold) if given.gold else labelled_questions if given.questions else every_case(given.orders)
        record(given.model or "llamacpp", given.name or PACKAGED, about, ask)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    return 0


@dataclass(frozen=True)
class Job:
    """What is to be asked: where the answers go, what they were asked about, and each request with its own facts."""

    stem: str
    questions: Path
    corpora: dict[str, str]
    requests: list[tuple[dict, Request]]


def every_case(orders: int) -> Callable[[Asking], Job]:
    """Return the job of asking every case, phrasing and order of fragments, and the ungrounded question."""

    def job(asking: Asking) -> Job:
        file = asking.top / "data" / "questions" / "cases.toml"
        found, ungrounded = cases.load(file)
        index = asking.index(str(asking.values["corpus"]))
        requests = [({"case": "ungrounded", "phrasing": 0, "order": []}, prompt.ungrounded(str(ungrounded["question"])))]
        for case in found:
            for number, question in enumerate(case.phrasings):
                fragments = retrieve(index, question, asking.k)
                for order in cases.orders(len(fragments))[: orders or None]:
                    about = {"case": case.id, "phrasing": number, "order": list(order)}
                    requests.append((about, prompt.grounded(question, [fragments[i] for i in order])))
        return Job("answers", file, {index.corpus.name: index.corpus.digest}, requests)

    return job


def labelled_questions(asking: Asking) -> Job:
    """Return the job of asking each labelled question over its own corpus, as a reader without scopes at `DATE` sees it."""
    file = asking.top / "data" / "questions" / "end_to_end.csv"
    asked = end_to_end.load(file)
    indexes = {name: asking.index(f"corpus/{name}") for name in dict.fromkeys(q.corpus for q in asked)}
    requests = [
        ({"id": q.id, "corpus": q.corpus}, prompt.grounded(q.question, retrieve(indexes[q.corpus], q.question, asking.k))) for q in asked
    ]
    return Job("questions", file, {name: index.corpus.digest for name, index in indexes.items()}, requests)


def gold_items(of_each: int) -> Callable[[Asking], Job]:
    """Return the job of asking `of_each` gold items of every stratum, as many of either part, over what the default retriever finds."""

    def job(asking: Asking) -> Job:
        file = asking.top / "data" / "questions" / "gold.jsonl"
        everything = corpus.load(asking.top / "corpus")
        items = gold.sample(gold.load(file, everything).items, of_each)
        ranked = rank(items, everything, retriever.load(str(asking.values["retriever"]), asking.store))
        requests = [
            ({"id": r.item.id}, prompt.grounded(r.item.question, [fragment(everything[i]) for i in r.ids[: asking.k]])) for r in ranked
        ]
        return Job("gold", file, {everything.name: everything.digest}, requests)

    return job


@dataclass(frozen=True)
class Asking:
    """The default parameters and the embedder with which everything is asked."""

    top: Path
    values: dict[str, object]
    embedder: Embedder
    store: Store

    @property
    def k(self) -> int:
        """How many documents are shown to the model."""
        return int(self.values["k"])

    def index(self, path: str) -> Index:
        """Return the index over the public documents of the corpus at `path` that are in force on `DATE`."""
        return Index(corpus.visible(corpus.load(self.top / path), (), DATE), self.embedder)


def record(model: str, name: str, about: str, ask: Callable[[Asking], Job]) -> None:
    """Ask `model` everything that `ask` lays out and write the answers with their manifest."""
    top = places.root()
    values = params.resolve(params.definitions(top / "notebooks" / "params" / "default.toml"))
    store = default_store()
    embedder = embed.load(str(values["embedder"]), store)
    job = ask(Asking(top, values, embedder, store))
    generator = generate.load(model, Options.of(values), store)
    if job.stem == "gold" and hasattr(generator, "keeps_prefix"):
        generator.keeps_prefix = True  # the head of the prompt is half of it; hundreds of answers take hours otherwise
    from tqdm import tqdm

    rows = []
    for about_it, request in tqdm(job.requests, desc=name, unit="answer", disable=None):
        rows.append({**about_it, **_row(request, generator.generate(request))})
        if not sys.stderr.isatty() and len(rows) % 20 == 0:
            print(f"{name}: {len(rows)}/{len(job.requests)}", file=sys.stderr)
    for row in rows:
        row["prompt"] = row["prompt"].removeprefix(prompt.HEAD)
    folder = top / "data" / "recorded" / name
    facts = {
        "name": name,
        "about": about,
        "model": generator.identity,
        "answers": len(rows),
        "prompt_head": prompt.HEAD,
        "embedder": embedder.identity,
        "corpora": job.corpora,
        "questions": sha256_of_file(job.questions),
    }
    write_jsonl(folder / f"{job.stem}.jsonl", rows)
    described = json.dumps(manifest(**facts), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    write_atomically(folder / f"{'' if job.stem == 'answers' else job.stem + '-'}manifest.json", described)
    generator.close()


def _row(request: Request, generation: Generation) -> dict:
    return {
        "question": request.question,
        "fragments": [f.id for f in request.fragments],
        "prompt": request.prompt,
        "prompt_sha256": sha256_of(request.prompt),
        "text": generation.text,
        "raw": generation.raw,
        "seconds": generation.seconds,
        "tokens": generation.tokens,
        "prompt_tokens": generation.prompt_tokens,
        "recorded": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


if __name__ == "__main__":
    sys.exit(main())
