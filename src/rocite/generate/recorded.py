"""Replay of ``data/recorded/NAME``: answers that a model gave once, with a manifest that says which and how.

Refuses an answer that was recorded for another prompt: a replay must be what the model would be asked now.
"""

from __future__ import annotations

import json
from functools import cached_property

from rocite import places
from rocite.errors import InputError, ModelError, UnknownNameError
from rocite.generate.base import Generation, Generator, Options, Request
from rocite.records import read_jsonl, read_text, sha256_of


class RecordedGenerator(Generator):
    """Answers from a recording, by question and fragment order."""

    def __init__(self, name: str, recording: str, options: Options):
        super().__init__(name, options)
        top = places.root() / "data" / "recorded"
        known = sorted(f.parent.name for f in top.glob("*/manifest.json"))
        if recording not in known:
            raise UnknownNameError("recording", recording, known)
        self.folder = top / recording

    @cached_property
    def manifest(self) -> dict:
        """The manifest of the recording."""
        try:
            return json.loads(read_text(self.folder / "manifest.json"))
        except ValueError as error:
            raise InputError(f"{self.folder}/manifest.json: not JSON ({error}).") from error

    @cached_property
    def _answers(self) -> dict[tuple[str, str], dict]:
        answers = {}
        for number, row in enumerate(self.rows(), start=1):
            key = (row["question"], "|".join(row["fragments"]))
            if key in answers and answers[key]["text"] != row["text"]:
                raise InputError(f"{self.folder}/answers.jsonl, record {number}: a second, different answer to {key[0]!r}.")
            answers[key] = row
        return answers

    def rows(self) -> list[dict]:
        """Return the recorded answers as they lie in the file, with case, phrasing and order of fragments."""
        return read_jsonl(self.folder / "answers.jsonl")

    @property
    def identity(self) -> dict[str, object]:
        """The identity of the model that was recorded."""
        return dict(self.manifest["model"])

    def _write(self, request: Request) -> dict:
        raise NotImplementedError  # generate() never asks a model

    def generate(self, request: Request) -> Generation:
        """Return the recorded answer. Raises ModelError when there is none, or one to another prompt."""
        row = self._answers.get((request.question, "|".join(f.id for f in request.fragments)))
        if row is None:
            raise ModelError(f"{self.name}: no answer to {request.question!r} with these fragments is recorded; run: make record")
        if row["prompt_sha256"] != sha256_of(request.prompt):
            raise ModelError(f"{self.name}: the answer to {request.question!r} was recorded for another prompt; run: make record")
        return Generation(
            text=row["text"],
            raw=row["raw"],
            prompt=request.prompt,
            model=self.identity,
            seconds=row["seconds"],
            tokens=row["tokens"],
            prompt_tokens=row["prompt_tokens"],
            origin="replayed",
        )
