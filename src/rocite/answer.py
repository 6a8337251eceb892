"""The pipeline: retrieve, generate, check, record. One question in, one recorded decision out.

Decides nothing itself: similarity comes from the index, text from the generator, the verdict from `rocite.check`.
The similarity threshold belongs to one embedder on one corpus and is fitted on that corpus's legitimate
questions; where there are none, the retrieval gate is unchecked unless the reader sets one.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from rocite import check, chunk, generate, prompt, questions
from rocite.audit import AuditLog
from rocite.cache import Store
from rocite.check import Judgement
from rocite.corpus import Corpus
from rocite.embed import Embedder
from rocite.errors import InputError
from rocite.gates.base import Fragment, Settings
from rocite.gates.retrieval import fit_threshold
from rocite.generate import Generation, Generator, Options
from rocite.params import FITTED
from rocite.retrieve import Index, Ranker
from rocite.retrieve import load as load_retriever


@dataclass(frozen=True)
class Answer:
    """One answered or refused question with all that led to it."""

    question: str
    fragments: tuple[Fragment, ...]
    generation: Generation
    judgement: Judgement
    record: str | None


class Pipeline:
    """A corpus, an embedder, a generator and the gates' settings, ready to be asked.

    `ranker` finds the fragments, by default the index; the similarity that the retrieval gate judges is the index's.
    """

    def __init__(
        self,
        index: Index,
        generator: Generator,
        settings: Settings,
        k: int,
        gate_set: str = check.DEFAULT_GATES,
        log: AuditLog | None = None,
        ranker: Ranker | None = None,
        retriever: dict[str, object] | None = None,
    ):
        self.index = index
        self.ranker = ranker or index
        self.generator = generator
        self.settings = settings
        self.k = k
        self.gate_set = gate_set
        self.log = log
        self.retriever = retriever

    def retrieve(self, question: str) -> tuple[Fragment, ...]:
        """Return the `k` best fragments for `question`, best first. Raises InputError for an empty question."""
        return retrieve(self.index, question, self.k, self.ranker)

    def ask(self, question: str, fragments: tuple[Fragment, ...] | None = None) -> Answer:
        """Answer `question` from `fragments`, by default those retrieved for it; log the decision."""
        fragments = self.retrieve(question) if fragments is None else fragments
        generation = self.generator.generate(prompt.grounded(question, fragments))
        judgement = check.judge(question, fragments, generation.text, self.settings, self.gate_set, _language(fragments))
        record = self._record(question, fragments, generation, judgement)
        return Answer(question, fragments, generation, judgement, self.log.append(record) if self.log else None)

    def ask_ungrounded(self, question: str) -> Generation:
        """Return what the same model writes without any fragment and without any gate; log it as such."""
        generation = self.generator.generate(prompt.ungrounded(question))
        if self.log:
            self.log.append({"kind": "ungrounded", "question": question, "answer": generation.text, "generation": _facts(generation)})
        return generation

    def _record(self, question: str, fragments: tuple[Fragment, ...], generation: Generation, judgement: Judgement) -> dict:
        return {
            "kind": "grounded",
            "question": question,
            "fragments": [{"id": f.id, "score": f.score} for f in fragments],
            "answer": generation.text,
            "generation": _facts(generation),
            "gates": self.gate_set,
            "settings": {**asdict(self.settings), "k": self.k},
            "embedder": self.index.embedder.identity,
            "retriever": self.retriever,
            "corpus": {"name": self.index.corpus.name, "digest": self.index.corpus.digest},
            **judgement.as_dict(),
        }


def retrieve(index: Index, question: str, k: int, ranker: Ranker | None = None) -> tuple[Fragment, ...]:
    """Return the `k` best fragments for `question`, best first as `ranker` has it, with their similarity in `index`.

    Raises InputError for an empty question.
    """
    if not question.strip():
        raise InputError("the question is empty.")
    similarity = dict(zip(index.corpus.ids, index.scores([question])[0], strict=True))
    return tuple(check.fragment(hit.document, float(similarity[hit.document.id])) for hit in (ranker or index).search(question, k))


def pipeline(
    corpus: Corpus,
    embedder: Embedder,
    values: dict[str, object],
    store: Store | None = None,
    fitting: list[questions.Question] | None = None,
    generator: str | None = None,
    gate_set: str = check.DEFAULT_GATES,
    log: AuditLog | None = None,
    retriever: str | None = None,
) -> Pipeline:
    """Build a pipeline from parameters.

    `fitting` are questions labelled for this corpus; the similarity threshold is fitted on the legitimate ones of
    the fitting stratum when ``min_sim`` is "fitted". Without them it is None. Fragments are found by `retriever` (a
    name of `rocite.retrieve`), by default by the embedder alone, as the article does.
    """
    index = Index(corpus, embedder)
    writer = generate.load(generator or str(values["generator"]), Options.of(values), store)
    finder = load_retriever(retriever, store) if retriever else None
    return Pipeline(
        index,
        writer,
        gate_settings(index, values, fitting),
        int(values["k"]),
        gate_set,
        log,
        finder.over(corpus) if finder else index,
        finder.identity if finder else {**embedder.identity, "chunks": chunk.WHOLE},
    )


def gate_settings(index: Index | None, values: dict[str, object], fitting: list[questions.Question] | None) -> Settings:
    """Return the gates' settings, the similarity threshold fitted where it is to be; `index` is asked only with questions to fit on."""
    min_sim = values["min_sim"]
    if min_sim == FITTED:
        legitimate = [q.question for q in fitting or [] if q.label == "in" and q.stratum == questions.FITTING_STRATUM]
        min_sim = fit_threshold(index.scores(legitimate).max(1), float(values["sim_slack"])) if legitimate else None
    return check.settings_from({**check.settings_of(values), "min_sim": min_sim})


def _language(fragments: tuple[Fragment, ...]) -> str | None:
    """The language that all fragments declare, None where they differ or declare none."""
    declared = {f.lang for f in fragments}
    return declared.pop() if len(declared) == 1 else None


def _facts(generation: Generation) -> dict:
    facts = asdict(generation)
    facts.pop("text")
    return facts
