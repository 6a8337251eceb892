"""The control without a model: the sentence that shares most with the question, cited."""

from __future__ import annotations

from rocite.gates.grounding import overlap
from rocite.generate.base import Generator, Request
from rocite.text import content_words, sentences

_PREFIX = 6


class ExtractiveGenerator(Generator):
    """Returns one sentence of the fragments word for word, and NU_STIU where none shares a word with the question."""

    @property
    def identity(self) -> dict[str, object]:
        """Its name and its rule."""
        return {"generator": "extractive", "model": "best-matching sentence", "prefix": _PREFIX}

    def _write(self, request: Request) -> dict:
        asked = content_words(request.question)
        best, best_score = None, 0.0
        for number, fragment in enumerate(request.fragments, start=1):
            for sentence in sentences(fragment.text):
                score = overlap(asked, content_words(sentence), _PREFIX)
                if score > best_score:
                    best, best_score = (sentence, number), score
        return {"raw": f"{best[0]}\nSURSE: {best[1]}" if best else "NU_STIU"}
