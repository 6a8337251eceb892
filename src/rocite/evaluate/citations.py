"""Citation recall and precision by sentence, as ALCE defines them, with the evidence checks as the judge of support.

A sentence has recall 1 when the passages that it cites, together, support it; one that cites nothing has 0. A citation is
irrelevant when its passage does not support the sentence alone and the others support it without it; its precision is 1
when the sentence's recall is 1 and it is not irrelevant (Gao et al. 2023, "Enabling Large Language Models to Generate Text
with Citations"). An invented citation names no passage: it supports nothing, so that its precision is 0.

Decides what a sentence cites: a mark belongs to the sentence in which it stands or that it follows, and where a line opens
with a mark, to the sentence behind it; the lead-in of a list is read, and cites, with each point; a sources line belongs to
every sentence of the answer. The latter says less, so that answers with such a line are reported apart.

The judge looks for one sentence, or neighbours in one document, as the evidence of each sentence: what no single document
says is not supported, whatever is cited together. ALCE's own judge is a model that reads all passages as one text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from rocite import stats
from rocite.check import judge
from rocite.citations import read
from rocite.evaluate.answers import Given
from rocite.evaluate.retrieval import row_of, strata
from rocite.gates import focus
from rocite.gates.base import Fragment, Settings
from rocite.gates.claims import TRIVIAL
from rocite.language.statements import Statement
from rocite.stats import Estimate
from rocite.text import normalise, sentence_spans, sentences

INLINE, LINE = "inline", "line"
Supports = Callable[[tuple[str, ...]], bool]

_BRACKETS = re.compile(r"[ \t]*(\[[^\[\]\n]{1,200}\])")
_HEADING = re.compile(r"(?:surs(?:a|ă|e|ele)|sources?)[*_]*[ \t]*:[*_]*", re.IGNORECASE)


# --- what each sentence cites ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sentence:
    """One sentence of an answer without its marks. `cited` are ids in order of first mention, `invented` the tokens that name none."""

    text: str
    cited: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()

    def citing(self, cited: Sequence[str], invented: Sequence[str]) -> Sentence:
        """Return the sentence with further citations, each once."""
        return replace(self, cited=_once(self.cited, cited), invented=_once(self.invented, invented))


@dataclass(frozen=True)
class Parted:
    """An answer by its sentences. `by` tells how it cites: "line" when it has a sources line, else "inline"."""

    sentences: tuple[Sentence, ...]
    by: str


def by_sentence(answer: str, ids: Sequence[str]) -> Parted:
    """Return the sentences of `answer` with what each cites; `ids` are those of the fragments in their numbered order.

    >>> for s in by_sentence("Este gratuit [2]. Durează 5 zile. [1, 7]", ["a", "b"]).sentences:
    ...     print(s.text, s.cited, s.invented)
    Este gratuit. ('b',) ()
    Durează 5 zile. ('a',) ('7',)
    >>> found = by_sentence("Este gratuit [2]. Durează 5 zile.\\nSURSE: 1", ["a", "b"])
    >>> found.by, [s.cited for s in found.sentences]
    ('line', [('b', 'a'), ('a',)])
    """
    spoken, listed = _without_sources(normalise(answer).split("\n"), ids)
    found = _joined(_marked("\n".join(spoken), ids))
    if not listed:
        return Parted(tuple(found), INLINE)
    line = read("\n".join(listed), ids)
    return Parted(tuple(s.citing(line.cited, line.invented) for s in found), LINE)


def _once(*lists: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in lists for name in names))


def _says(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _without_sources(lines: Sequence[str], ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the lines of an answer into those that speak and those that list sources, with the list below a bare heading."""
    spoken, listed = [], []
    open_list = ""  # a bare heading and what was found below it
    for line in lines:
        heading = _sources_at(line, ids)
        if open_list and not heading and not _says(read(f"{open_list}\n{line}", ids).text):
            open_list += f"\n{line}"
            listed[-1] = open_list
            continue
        start, end = heading or (len(line), len(line))
        spoken.append(line[:start])
        listed += [line[start:]] if heading else []
        open_list = line[start:] if heading and not line[end:].strip(" *_.") else ""
    return spoken, listed


def _sources_at(line: str, ids: Sequence[str]) -> tuple[int, int] | None:
    """Where the heading of a sources line stands in `line`: one that is no part of what the answer says."""
    headings = (m.span() for m in _HEADING.finditer(line))
    return next(((a, b) for a, b in headings if _says(read(line[:b], ids).text) == _says(read(line[:a], ids).text)), None)


def _marked(text: str, ids: Sequence[str]) -> list[Sentence]:
    """Return the sentences of `text`, each with its marks."""
    text, marks = _unmarked(text, ids)
    pieces = [(a, b, " ".join(sentences(read(text[a:b], ids).text))) for a, b in sentence_spans(text)]
    spans = [(a, b) for a, b, piece in pieces if piece]
    found = [Sentence(piece) for _, _, piece in pieces if piece]
    line_of = [text.rfind("\n", 0, at) + 1 for at, _ in marks]
    opened = {line for (at, _), line in zip(marks, line_of, strict=True) if not _says(text[line:at])}
    for (at, mark), line in zip(marks, line_of, strict=True):
        inside = [n for n, (a, b) in enumerate(spans) if a < at < b and _says(text[a:at])]
        behind = [n for n, (a, b) in enumerate(spans) if a >= at or not _says(text[a:at])]
        before = [n for n, (a, b) in enumerate(spans) if b <= at][-1:]
        same_line = [n for n in behind[:1] if line in opened and "\n" not in text[at : spans[n][1]].rstrip()]
        for n in [*inside, *same_line, *before, *behind][:1]:
            found[n] = found[n].citing(mark.cited, mark.invented)
    return found


def _unmarked(text: str, ids: Sequence[str]) -> tuple[str, list[tuple[int, Sentence]]]:
    """Return `text` without its marks, and what each mark cites with the place where it stood."""
    kept, marks, end = "", [], 0
    for m in _BRACKETS.finditer(text):
        reading = read(m[1], ids)
        if _says(reading.text) or not (reading.cited or reading.invented):
            continue
        kept += text[end : m.start()]
        end = m.end()
        marks.append((len(kept), Sentence("", reading.cited, reading.invented)))
        kept += " " if text[end : end + 1].isalnum() else ""
    return kept + text[end:], marks


def _joined(found: Sequence[Sentence]) -> list[Sentence]:
    """Read the lead-in of a list with each of its points and a table's row with its head, as the checks do."""
    joined: list[Sentence] = []
    lead, head = Sentence(""), ""
    for sentence in found:
        text = sentence.text
        if text.endswith(":"):
            lead = replace(sentence, text=f"{text} " if len(Statement(text).keys) > TRIVIAL else "")
            continue
        row = text.startswith("|")
        before = head if row else lead.text
        joined.append(replace(sentence, text=f"{before}{text}").citing(lead.cited, lead.invented))
        head = (head or f"{text} ") if row else ""
    return joined


# --- the definitions -------------------------------------------------------------------------------------------


def recall(cited: tuple[str, ...], supports: Supports) -> int:
    """Return 1 when the passages `cited` support the sentence together, 0 when they do not or nothing is cited.

    >>> recall(("a", "b"), {("a", "b")}.__contains__), recall((), {()}.__contains__)
    (1, 0)
    """
    return int(bool(cited) and supports(cited))


def precision(cited: tuple[str, ...], supports: Supports) -> tuple[int, ...]:
    """Return for each citation 1 when the sentence is supported and the citation is not irrelevant, else 0.

    >>> alone = {("a",), ("a", "b")}  # what supports the sentence
    >>> precision(("a", "b"), alone.__contains__)
    (1, 0)
    """
    if not recall(cited, supports):
        return (0,) * len(cited)
    without = {name: tuple(n for n in cited if n != name) for name in cited}
    return tuple(int(supports((name,)) or not recall(without[name], supports)) for name in cited)


def supported(question: str, sentence: str, fragments: Sequence[Fragment], settings: Settings, lang: str | None = None) -> bool:
    """Whether the strict checks accept `sentence` as an answer that cites all of `fragments`, and is shown no others.

    Focus and the similarity threshold are switched off: what is asked here is support, and not relevance. Without any
    fragment nothing is supported.
    """
    if not fragments:
        return False
    looking = replace(settings, min_sim=None, without=f"{settings.without},{focus.NAME}")
    listed = ", ".join(str(n) for n in range(1, len(fragments) + 1))
    return judge(question, tuple(fragments), f"{sentence}\nSURSE: {listed}", looking, "strict", lang).verdict == "accepted"


# --- answers ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cited:
    """An answer by its sentences. `recall` has one value for each, `precision` one for each of its citations, inventions last.

    An abstention has no sentence, whatever is written: the mark of "[0] NU_STIU", as the prompt teaches it, cites nothing.
    """

    given: Given
    by: str
    sentences: tuple[Sentence, ...]
    invented: tuple[str, ...]
    recall: tuple[int, ...]
    precision: tuple[tuple[int, ...], ...]

    @property
    def abstained(self) -> bool:
        """Whether the answer declares that it does not know."""
        return self.given.label == "abstains"


def of_answer(given: Given, settings: Settings) -> Cited:
    """Return what each sentence of an answer cites, with its recall and the precision of its citations."""
    by_id = {f.id: f for f in given.fragments}
    parted = by_sentence(given.text, list(by_id))
    if given.label == "abstains":
        return Cited(given, parted.by, (), (), (), ())
    recalls, precisions = [], []
    for sentence in parted.sentences:
        supports = _judge_of(given, sentence.text, by_id, settings)
        recalls.append(recall(sentence.cited, supports))
        precisions.append((*precision(sentence.cited, supports), *(0 for _ in sentence.invented)))
    return Cited(given, parted.by, parted.sentences, read(given.text, list(by_id)).invented, tuple(recalls), tuple(precisions))


def _judge_of(given: Given, sentence: str, by_id: dict[str, Fragment], settings: Settings) -> Supports:
    @cache
    def supports(cited: tuple[str, ...]) -> bool:
        return supported(given.item.question, sentence, [by_id[name] for name in cited], settings, given.item.lang or None)

    return supports


# --- metrics ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Metric:
    """A metric by name. `values` gives the values in {0, 1} that an answer adds: one for each thing that counts, or none."""

    name: str
    values: Callable[[Cited], Sequence[int]]

    def estimate(self, found: Sequence[Cited], draws: int, rng: stats.Randomness) -> Estimate:
        """Return the mean over all that counts, with an interval over families; n/a when nothing counts."""
        values = [(v, c.given.item.family) for c in found for v in self.values(c)]
        return stats.mean(np.array([v for v, _ in values]), np.array([f for _, f in values]), draws, rng)


def citation_recall() -> Metric:
    """Denominator: sentences. The share that the passages they cite support."""
    return Metric("citation_recall", lambda c: c.recall)


def citation_precision() -> Metric:
    """Denominator: citations of a passage by a sentence, inventions included. The share that bear out a supported sentence."""
    return Metric("citation_precision", lambda c: [v for values in c.precision for v in values])


def wholly_supported() -> Metric:
    """Denominator: answers that do not abstain. The share of which every sentence has recall 1; an empty answer is none."""
    return Metric("wholly_supported", lambda c: [] if c.abstained else [int(bool(c.recall) and all(c.recall))])


def with_invention() -> Metric:
    """Denominator: answers that do not abstain. The share with a citation that names no fragment."""
    return Metric("with_invention", lambda c: [] if c.abstained else [int(bool(c.invented))])


METRICS = (citation_recall(), citation_precision(), wholly_supported(), with_invention())


def measure(given: Sequence[Given], settings: Settings, draws: int, seed: int, part: str | None = None) -> list[dict]:
    """Return every metric for every system, way of citing and group of answers as a row.

    Columns: system, cited ("inline", or "line" for answers with a sources line), metric, stratum (None for all), value,
    numerator, denominator, low, high, units, and what stands behind them: answers, abstained, empty, sentences, citations
    (inventions included), invented. Every answer is in one of "inline" and "line". Abstentions and empty answers have no
    sentence: they are counted, and an empty one is never wholly supported. `part` limits what is reported. Every row
    starts its own generator from `seed`.
    """
    found = [of_answer(g, settings) for g in given if part is None or g.item.part == part]
    rows = []
    for system, by in itertools.product(dict.fromkeys(c.given.system for c in found), (INLINE, LINE)):
        own = [c for c in found if (c.given.system, c.by) == (system, by)]
        for stratum, belongs in strata(c.given.item for c in own).items() if own else ():
            group = [c for c in own if belongs(c.given.item)]
            for metric in METRICS:
                estimate = metric.estimate(group, draws, seed)
                about = {"system": system, "cited": by, "metric": metric.name, "stratum": stratum}
                rows.append({**about, **row_of(estimate), **_counts(group)})
    return rows


def _counts(group: Sequence[Cited]) -> dict[str, int]:
    return {
        "answers": len(group),
        "abstained": sum(c.abstained for c in group),
        "empty": sum(not c.abstained and not c.sentences for c in group),
        "sentences": sum(len(c.sentences) for c in group),
        "citations": sum(len(values) for c in group for values in c.precision),
        "invented": sum(len(c.invented) for c in group),
    }
