"""What every gate takes and gives: the finished answer beside its fragments, and a score with its details."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rocite.citations import Reading
from rocite.gates import claims
from rocite.gates.claims import Claim
from rocite.language import lexicon, question_focus
from rocite.language.statements import Statement, statements


@dataclass(frozen=True)
class Fragment:
    """A retrieved text as the model saw it. `score` is the retriever's similarity, None where it gave none."""

    id: str
    text: str
    title: str = ""
    score: float | None = None
    source: str = ""
    checked: str = ""
    lang: str | None = None


@dataclass(frozen=True)
class Settings:
    """The thresholds and lengths of the gates and checks; each is a parameter of the same name.

    `min_sim` is None where no similarity threshold belongs to the scores: the retrieval gate is then unchecked.
    `without` names evidence checks that are switched off, parted by commas, or is "none".
    """

    min_sim: float | None = None
    min_ground: float = 0.50
    prefix_length: int = 6
    min_claim_words: int = 5
    min_support: float = 0.50
    min_sentence_support: float = 0.45
    max_mosaic: float = 0.35
    min_summary_support: float = 0.30
    min_focus: float = 0.75
    min_asked: float = 0.25
    without: str = "none"


@dataclass(frozen=True)
class Case:
    """One answer to be judged: question, fragments in their numbered order, and the answer taken apart."""

    question: str
    fragments: tuple[Fragment, ...]
    reading: Reading
    settings: Settings
    lang: str | None = None

    @cached_property
    def cited(self) -> tuple[Fragment, ...]:
        """The fragments that the answer cites, in the order of citation."""
        by_id = {f.id: f for f in self.fragments}
        return tuple(by_id[i] for i in self.reading.cited)

    @cached_property
    def asked(self) -> Statement:
        """The question as one statement."""
        return Statement(self.question, lang=self.lang)

    @cached_property
    def taken_apart(self) -> question_focus.Question:
        """The question as `rocite.language.question_focus` reads it."""
        return question_focus.read(self.question)

    @cached_property
    def relevance(self) -> dict[str, question_focus.Values]:
        """How much each statement of each fragment says about the question."""
        return {i: question_focus.values(self.taken_apart, [s.words for s in part]) for i, part in self.parts.items()}

    @cached_property
    def parts(self) -> dict[str, tuple[Statement, ...]]:
        """The statements of each fragment, by its id."""
        return {f.id: statements(f.text, f.id, f.lang or self.lang) for f in self.fragments}

    @cached_property
    def titles(self) -> dict[str, Statement]:
        """The title of each fragment as a statement, by its id."""
        return {f.id: Statement(f.title, f.id, lang=f.lang or self.lang) for f in self.fragments}

    @cached_property
    def claims(self) -> list[Claim]:
        """The answer's sentences, each with the evidence that carries it."""
        answer = claims.answer_statements(self.reading.text, self.lang)
        return claims.align(
            self.asked, answer, [self.parts[f.id] for f in self.cited], [self.titles[f.id] for f in self.cited], list(self.parts.values())
        )

    @cached_property
    def summary(self) -> bool:
        """Whether the answer is to sum up rather than to answer: there is no question, or it asks for a summary."""
        return not self.asked.keys or bool(lexicon.SUMMARY.search(" ".join(self.asked.words)))

    def stated(self, claim: Claim) -> Sequence[Statement]:
        """The statements in which a claim's names and figures are looked for: its evidence, for a summary the whole document."""
        return self.parts[claim.source] if self.summary and claim.source else claim.evidence

    @cached_property
    def said(self) -> frozenset[str]:
        """The keys of the content words of the whole answer."""
        return frozenset().union(*(c.sentence.key_set for c in self.claims))


@dataclass(frozen=True)
class Score:
    """What a gate measured. `value` is None when there was nothing to look at: the gate is then unchecked."""

    value: float | None
    details: dict = field(default_factory=dict)


def judged(found: list[str], looked: int) -> Score:
    """Return the score of a check that looked at `looked` things and found `found` wrong: the share that held."""
    return Score(1 - min(len(found), looked) / looked if looked else None, {"found": found})


def judged_by_claim(case: Case, problem: Callable[[Claim, Case], str | None]) -> Score:
    """Return the score of a check that finds at most one problem in each claim that has evidence; None without such a claim."""
    found = [problem(claim, case) for claim in case.claims if claim.evidence]
    return judged([f for f in found if f], len(found))


def first_found(score: Score, case: Case) -> str | None:
    """Return the first thing that a check found wrong, or None. One is enough to fail."""
    return score.details["found"][0] if score.details["found"] else None
