"""How long a judgement takes: different answers of three sentences, each with five fragments of 120 words.

The texts are cut from the sentences of the project's documents in an order that the seed decides; no two answers and
no two sets of fragments are alike, so that nothing kept from one judgement helps the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import numpy as np

from rocite.check import judge
from rocite.corpus import Corpus
from rocite.gates.base import Fragment, Settings
from rocite.language.statements import statements
from rocite.text import sentences

FRAGMENTS, WORDS, SENTENCES = 5, 120, 3


def workload(corpora: Iterable[Corpus], lang: str, answers: int, rng: np.random.Generator) -> list[tuple[str, tuple[Fragment, ...], str]]:
    """Return `answers` different cases (question, fragments, answer) made of the documents in `lang`."""
    known = [s for c in corpora for d in c.documents if d.lang == lang for s in sentences(d.body)]
    cases = []
    for number in range(answers):
        fragments = []
        for position in range(FRAGMENTS):
            words: list[str] = []
            while len(words) < WORDS:
                words += known[rng.integers(len(known))].split()
            fragments.append(Fragment(f"f{position + 1}", " ".join(words[:WORDS]), f"Document {number}-{position}", lang=lang))
        said = [sentences(fragments[i].text) for i in rng.integers(FRAGMENTS, size=SENTENCES)]
        answer = " ".join(s[rng.integers(len(s))] for s in said)
        question = " ".join(known[rng.integers(len(known))].split()[:9])
        cases.append((f"{question} ({number})?", tuple(fragments), f"{answer}\nSURSE: 1, 2, 3, 4, 5"))
    return cases


def milliseconds(
    cases: Sequence[tuple[str, tuple[Fragment, ...], str]], settings: Settings, lang: str, sets: Sequence[str] = ("article", "strict")
) -> dict[str, list[float]]:
    """Return the processor time of each judgement, by set; the sets take turns on every case, each with nothing taken apart yet."""
    found: dict[str, list[float]] = {name: [] for name in sets}
    for question, fragments, answer in cases:
        for name in sets:
            statements.cache_clear()
            start = time.process_time()
            judge(question, fragments, answer, settings, name, lang)
            found[name].append((time.process_time() - start) * 1000)
    return found
