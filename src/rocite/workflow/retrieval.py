"""``python -m rocite.workflow.retrieval``: measure retrieval where it takes minutes, and record figures and vectors.

Records in ``data/recorded/retrieval.json`` what every way of cutting documents finds on the gold set, and, where SQuAD
files are given, what every retriever finds on their untouched articles (no text of theirs is kept); and in
``data/recorded/vectors.sqlite`` the vectors of documents, sentences and gold questions, so that the default run needs no
model for them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from rocite import corpus, embed, params, places, questions, retrieve
from rocite.boundary.evidence import Pool
from rocite.cache import Store, default_store
from rocite.errors import InputError, RociteError
from rocite.evaluate import experiments, gold, retrieval
from rocite.manifest import manifest
from rocite.records import sha256_of_file, write_atomically

FIGURES, VECTORS = "retrieval.json", "vectors.sqlite"
CUTS = tuple(
    f"{method}@{way}"
    for method in ("bm25", "e5")
    for way in (
        "whole",
        "section",
        "section-untitled",
        "sentences:1",
        "sentences:3",
        "sentences:3-untitled",
        "words:60",
        "words:60-untitled",
    )
)
SETS = ("bm25", "minilm", "tfidf", "e5", "e5@sentences:1", "rrf:bm25+e5", "mix:bm25+e5")  # beside the default retriever
KEPT = ("e5", "e5@sentences:1", "minilm")  # whose vectors of the gold set and its documents are kept
STATEMENTS = "e5"  # whose vectors of every statement the answer boundary compares
K, WORDS = 5, 300


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="rocite.workflow.retrieval")
    parser.add_argument("--squad", action="append", default=[], help="LANG=PATH of a SQuAD 1.1 file (ro=xquad.ro.json); may be repeated")
    given = parser.parse_args(words)
    try:
        top = places.root()
        values = params.resolve(params.definitions(top / "notebooks" / "params" / "default.toml"))
        store = default_store()
        documents = corpus.load(top / "corpus")
        asked = gold.load(top / "data" / "questions" / "gold.jsonl", documents)
        record = {
            "chunking": cuts(asked, documents, values, store),
            "sets": sets(given.squad, values, store),
            **manifest(
                gold=asked.version,
                corpus=documents.digest,
                files={Path(f.partition("=")[2]).name: sha256_of_file(Path(f.partition("=")[2])) for f in given.squad},
                retrievers={name: retrieve.load(name, store).identity for name in (*CUTS, *_sets(values))},
                parameters={name: values[name] for name in ("admit", "resamples", "seed", "retriever")},
            ),
        }
        folder = top / "data" / "recorded"
        if not given.squad and (folder / FIGURES).is_file():  # the sets need files that not every reader has
            record["sets"] = json.loads((folder / FIGURES).read_text(encoding="utf-8"))["sets"]
        write_atomically(folder / FIGURES, json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
        separation = questions.load(top / "data" / "questions" / "separation.csv")
        keep_vectors(folder / VECTORS, documents, asked, store, [q.question for q in separation])
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def cuts(asked: gold.Gold, documents: corpus.Corpus, values: dict, store: Store) -> list[dict]:
    """Return the chunking experiment's rows for either part."""
    rows = []
    for part in gold.PARTS:
        retrievers = [retrieve.load(name, store) for name in CUTS]
        found = experiments.chunking(asked.part(part), documents, retrievers, K, int(values["resamples"]), int(values["seed"]), WORDS)
        rows += [{"part": part, **row} for row in found]
    return rows


def _sets(values: dict) -> tuple[str, ...]:
    return (*SETS, str(values["retriever"]))


def sets(files: list[str], values: dict, store: Store) -> list[dict]:
    """Return the figures of every pair of languages: questions of one file on the paragraphs of another, untouched articles."""
    paths = {}
    for named in files:
        lang, _, path = named.partition("=")
        if not path:
            raise InputError(f"--squad {named}: expected LANG=PATH, for example ro=xquad.ro.json.")
        paths[lang] = path
    pairs = [(lang, lang) for lang in paths] + [("ro", "en")] * ({"ro", "en"} <= set(paths))
    rows = []
    draws, seed = int(values["resamples"]), int(values["seed"])
    for questions_in, documents_in in pairs:
        documents = corpus.load(paths[documents_in], documents_in)
        items = gold.load(paths[questions_in], documents).part("untouched")
        about = {"set": f"XQuAD, {questions_in} questions on {documents_in} paragraphs", "part": "untouched"}
        ranked = {}
        for name in _sets(values):
            ranked[name] = retrieval.rank(items, documents, retrieve.load(name, store))
            for metric in (retrieval.recall(1), retrieval.recall(5), retrieval.mean_reciprocal_rank()):
                found = metric.estimate(ranked[name], draws, seed)
                rows.append({**about, "retriever": name, "metric": metric.name, "against": None, **retrieval.row_of(found)})
            print(about["set"], name, f"recall@1 {rows[-3]['value']:.3f}", file=sys.stderr)
        ours = str(values["retriever"])
        for other in ("bm25", "e5"):
            for metric in (retrieval.recall(1), retrieval.recall(5)):
                found = retrieval.difference(metric, ranked[ours], ranked[other], draws, seed)
                rows.append({**about, "retriever": ours, "metric": metric.name, "against": other, **retrieval.row_of(found)})
    return rows


def keep_vectors(path: Path, documents: corpus.Corpus, asked: gold.Gold, store: Store, more: Sequence[str] = ()) -> None:
    """Write the vectors of documents, sentences, statements, gold questions and `more` questions to the SQLite file at `path`.

    The file is replaced when it is whole.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".vectors-") as folder:
        kept = Store(Path(folder) / "kept.sqlite")
        for name in KEPT:
            ranker = retrieve.load(name, Copying(store, kept)).over(documents)
            ranker.scores([*(item.question for item in asked.items), *more])
        Pool(documents, embed.load(STATEMENTS, Copying(store, kept)), {})
        whole = Path(folder) / "whole.sqlite"
        kept.copy_to(whole)
        os.replace(whole, path)


class Copying(Store):
    """A store whose entries of one `kind` are copied to another one as they are read or written."""

    def __init__(self, store: Store, kept: Store, kind: str = "vector"):
        super().__init__(store.path, store.recorded)
        self._kept = kept
        self._kind = kind

    def get(self, *key: str) -> bytes | None:
        """Return the value stored under `key`, or None, and copy it."""
        value = super().get(*key)
        if value is not None and key[0] == self._kind:
            self._kept.put(*key, value=value)
        return value

    def put_all(self, entries: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
        """Store every value under its key and copy them."""
        entries = list(entries)
        super().put_all(entries)
        self._kept.put_all([(key, value) for key, value in entries if key[0] == self._kind])


if __name__ == "__main__":
    sys.exit(main())
