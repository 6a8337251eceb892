"""``python -m rocite.workflow.record``: ask a model the end-to-end cases in every phrasing and keep what it wrote.

Writes ``data/recorded/NAME/answers.jsonl`` and its manifest, the only recorded data that the default run replays.
What was already asked is kept in the cache, so that a recording that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys

from rocite import answer, corpus, embed, generate, params, places, prompt
from rocite.cache import Store
from rocite.errors import InputError, RociteError
from rocite.evaluate import cases
from rocite.generate import Generation, Options, Request
from rocite.manifest import manifest
from rocite.records import sha256_of, sha256_of_file, write_atomically, write_jsonl
from rocite.retrieve import Index

PACKAGED = "gemma-3-270m"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="rocite.workflow.record")
    parser.add_argument("--model", default="", help="a generator by name (gguf:PATH, ollama:MODEL); default: the packaged model")
    parser.add_argument("--name", default="", help="the recording's name")
    parser.add_argument("--about", default="", help="the model in words, with its licence")
    parser.add_argument("--orders", type=int, default=0, help="how many orders of the fragments (default: every one)")
    given = parser.parse_args(arguments)
    try:
        if given.model and not given.name:
            raise InputError(
                "a recording of another model needs a name: make record MODEL=gguf:PATH RECORDING=my-model ABOUT='what it is, licence'"
            )
        about = given.about or (given.model or "Gemma 3 270M, base model, Q4_K_M; Gemma terms apply")
        record(given.model or "llamacpp", given.name or PACKAGED, about, given.orders)
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def record(model: str, name: str, about: str, orders: int) -> None:
    """Record every case, phrasing and order of fragments, and the ungrounded question."""
    top = places.root()
    values = params.resolve(params.definitions(top / "notebooks" / "params" / "default.toml"))
    store = Store(places.cache_folder() / "store.sqlite")
    documents = corpus.load(top / str(values["corpus"]))
    embedder = embed.load(str(values["embedder"]), store)
    line = answer.Pipeline(Index(documents, embedder), generate.load(model, Options.of(values), store), answer.Settings(), int(values["k"]))
    cases_file = top / "data" / "questions" / "cases.toml"
    found, ungrounded = cases.load(cases_file)
    jobs = [(c.id, n, line.retrieve(q)) for c in found for n, q in enumerate(c.phrasings)]
    requests: list[tuple[dict, Request]] = [
        ({"case": "ungrounded", "phrasing": 0, "order": []}, prompt.ungrounded(str(ungrounded["question"])))
    ]
    for case_id, number, fragments in jobs:
        question = next(c for c in found if c.id == case_id).phrasings[number]
        for order in cases.orders(len(fragments))[: orders or None]:
            about_it = {"case": case_id, "phrasing": number, "order": list(order)}
            requests.append((about_it, prompt.grounded(question, [fragments[i] for i in order])))
    from tqdm import tqdm

    rows = []
    for about_it, request in tqdm(requests, desc=name, unit="answer", disable=None):
        generation = line.generator.generate(request)
        rows.append({**about_it, **_row(request, generation)})
        if not sys.stderr.isatty() and len(rows) % 20 == 0:
            print(f"{name}: {len(rows)}/{len(requests)}", file=sys.stderr)
    head = prompt.HEAD
    for row in rows:
        row["prompt"] = row["prompt"].removeprefix(head)
    folder = top / "data" / "recorded" / name
    facts = {
        "name": name,
        "about": about,
        "model": line.generator.identity,
        "answers": len(rows),
        "prompt_head": head,
        "embedder": embedder.identity,
        "corpus": documents.digest,
        "questions": sha256_of_file(cases_file),
    }
    write_jsonl(folder / "answers.jsonl", rows)
    write_atomically(folder / "manifest.json", json.dumps(manifest(**facts), ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    line.generator.close()


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
