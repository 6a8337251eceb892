"""Slots: a noun, name or code of the answer that stands in the place of another one of its evidence.

Decides by place, not by presence: the word may well stand elsewhere in the evidence or in the question. Three ways to see
it: two nouns that change their parts or their neighbours; a clause that the evidence says in full, but of another party
or thing; a run of words of the evidence that the whole answer dropped, and between the same neighbours another one.
Refuses to see a slot where the word has its place in the evidence too: a reordered, shortened or inflected sentence.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rocite.gates.base import Case
from rocite.gates.claims import Claim
from rocite.language import wordlists
from rocite.language.nominals import AND, DOES, PREPOSITIONS, Term, Terms, same, terms
from rocite.language.statements import Statement, key, stem

WHOLE = 0.97  # support from which no statement but the evidence is looked at
LONGEST_RUN = 5  # words in one slot
BESIDE = 0.6  # share of a sentence's words beside a slot that the statement must have
ANOTHER = 0.75  # the same for a statement that is not the sentence's own evidence
UNLISTED = 0.85  # the same where only an article, a preposition or an ending shows a new word to be a noun
FEWEST = 2  # words beside a slot from which a word that the evidence has elsewhere counts

# Nouns that stand for any person or make up a preposition.
_VAGUE = frozenset(
    """exceptia exceptie afara prezenta fata baza caz cazul lipsa urma partea fel mod timp timpul timpului persoana persoane persoanei
    case except exception way time basis presence absence part person persons people""".split()
)


def exchanged(claim: Claim, case: Case) -> str | None:
    """Return the first thing that the sentence names in the place of another, or None."""
    statements = [s for s in claim.evidence if not s.text.startswith("|")]
    if any(claim.sentence.text.rstrip(".") in s.text for s in statements):
        return None
    sentence = terms(claim.sentence)
    for statement in statements:
        if problem := _swapped(claim.sentence, sentence, statement):
            return problem
    if case.summary:
        return None
    answer = Terms([t for c in case.claims for t in terms(c.sentence)])
    for statement in statements:
        evidence = terms(statement)
        if problem := _misplaced(sentence, evidence, answer) or _replaced(sentence, evidence, answer, BESIDE, (), case):
            return problem
    rivals = [terms(s) for s in statements]
    for statement in _others(claim, case) if claim.support < WHOLE else ():
        if problem := _replaced(sentence, terms(statement), answer, ANOTHER, rivals, case):
            return problem
    return None


def _others(claim: Claim, case: Case) -> list[Statement]:
    """The statements that a sentence may come from beside its evidence: those of the sentences around it, and the one nearest to the question."""
    at = case.claims.index(claim)
    found = [s for c in case.claims[max(0, at - 1) : at + 2] for s in c.evidence if c.source == claim.source]
    if case.asked.keys:
        relevance = case.relevance[claim.source].relevance
        found.append(case.parts[claim.source][max(range(len(relevance)), key=lambda n: relevance[n])])
    return [s for s in dict.fromkeys(found) if s not in claim.evidence and not s.text.startswith("|")]


def _swapped(said: Statement, sentence: Terms, statement: Statement) -> str | None:
    """Two parties that change places in what they do, or two nouns that change their neighbours."""
    if len(said.key_set & statement.key_set) < BESIDE * len(said.key_set):
        return None
    mine, held = sentence.parts, terms(statement).parts
    for a, b in itertools.combinations([k for k in mine if k in held], 2):
        x, y, u, v = mine[a], mine[b], held[a], held[b]
        parties = x.party and y.party and DOES in (x.part, y.part) and x.part != y.part and (x.part, y.part) == (v.part, u.part)
        if parties or any(
            p and q and p != q and (p, q) == (s, r) and b not in (p, r) and a not in (q, s)
            for p, q, r, s in zip(x.beside, y.beside, u.beside, v.beside, strict=True)
        ):
            return f"{a!r} and {b!r} change places"
    return None


def _misplaced(sentence: Terms, evidence: Terms, answer: Terms) -> str | None:
    """A noun in a clause that the evidence says in full of another noun in the same part, which the answer dropped."""
    held = evidence.parts
    words = {key(t.word) if t.kind != "code" else t.word: t.word for t in evidence}
    dropped = [k for k in held if not answer.has(words[k])]
    if not dropped:
        return None
    upto = dict(zip(evidence.clauses, itertools.accumulate(evidence.clauses.values(), lambda a, b: Terms([*a, *b])), strict=True))
    for k, mine in sentence.parts.items():
        rivals = [r for r in dropped if held[r].part == mine.part and held[r].party == mine.party]
        others = [t.word for t in sentence if t.clause == mine.clause and key(t.word) != k and t.word != k]
        if not rivals or len(others) < FEWEST:
            continue
        # A clause may leave out what the clauses before it say.
        full = [n for n, c in evidence.clauses.items() if all(map(c.has, others))] or [
            n for n, c in upto.items() if all(map(c.has, others))
        ]
        at = {t.clause for t in evidence if key(t.word) == k or same(t.word, k)}
        if at.isdisjoint(full) and (rival := next((r for r in rivals if held[r].clause in full), None)):
            return f"{k!r} stands where the evidence has {rival!r}"
    return None


@dataclass(frozen=True, slots=True)
class _Slot:
    """A run of the sentence, from `start` to `stop`, in the place of a run of the evidence, from `first` to `end`."""

    sentence: Terms
    start: int
    stop: int
    evidence: Terms
    first: int
    end: int

    @property
    def new(self) -> list[Term]:
        return self.sentence[self.start : self.stop]

    @property
    def old(self) -> list[Term]:
        return self.evidence[self.first : self.end]

    def share(self, evidence: Terms) -> float:
        """The share of the sentence's words beside the slot that `evidence` has."""
        others = [t.word for t in (*self.sentence[: self.start], *self.sentence[self.stop :]) if t.kind != "number"]
        return sum(map(evidence.has, others)) / len(others) if others else 0.0


def _slots(sentence: Terms, evidence: Terms, answer: Terms) -> Iterator[_Slot]:
    """Yield the slots: the whole answer has no word of the old run, and the words beside both runs are the same, or a clause begins or ends."""
    dropped = [t.kind != "number" and not answer.has(t.word) for t in evidence]
    for end in range(1, len(evidence) + 1):
        if not dropped[end - 1] or not (end == len(evidence) or not dropped[end] or evidence[end].opens):
            continue
        first = end - 1
        while first and dropped[first - 1] and not evidence[first].opens:
            first -= 1
        if end < len(evidence) and evidence.words[evidence[end].at - 1] in AND:
            continue  # the first of two, left out
        left = None if evidence[first].opens else evidence[first - 1].word
        right = None if end == len(evidence) or evidence[end].opens else evidence[end].word
        for start, term in enumerate(sentence):
            if term.opens != (left is None) or (left is not None and not same(sentence[start - 1].word, left)):
                continue
            for stop in range(start + 1, min(start + LONGEST_RUN, len(sentence)) + 1):
                closes = stop == len(sentence) or sentence[stop].opens
                meets = right is not None and not closes and same(sentence[stop].word, right)
                if meets or (closes and left is not None):
                    yield _Slot(sentence, start, stop, evidence, first, end)
                if meets or closes:
                    break


def _replaced(sentence: Terms, evidence: Terms, answer: Terms, least: float, rivals: Sequence[Terms], case: Case) -> str | None:
    """A word that names another thing in a slot, where the evidence has at least the share `least` of what stands beside it.

    It must have more of that than any of `rivals`.
    """
    joined = "".join(evidence.words)
    for slot in _slots(sentence, evidence, answer):
        share = slot.share(evidence)
        if share < least or any(slot.share(rival) >= share for rival in rivals):
            continue
        modifies = _modifies(slot, case)
        if not any((t.names or modifies) and t.word not in _VAGUE for t in slot.old):
            continue
        places = {term: [j for j, t in enumerate(evidence) if same(t.word, term.word)] for term in slot.new}
        if any((term.names or modifies) and at and _in_place(slot, at) for term, at in places.items()):
            continue
        for term, at in places.items():
            if not (term.names or (modifies and term.kind != "number")) or term.word in _VAGUE:
                continue
            if not at and (term.word.replace("-", "") in joined or any(term.word.startswith(stem(t.word)) for t in slot.old)):
                continue  # "makeup" for "make-up", "beekeeping" for "bees are kept"
            if _elsewhere(slot) if at else (term.kind != "slot" or share >= UNLISTED):
                return f"{term.word!r} stands where the evidence has {' '.join(t.word for t in slot.old)!r}"
    return None


def _elsewhere(slot: _Slot) -> bool:
    """Whether the two runs stand in the same case and voice, so that a word that the evidence has elsewhere is out of its place here."""
    if len(slot.sentence) - len(slot.new) < FEWEST:
        return False
    if slot.new[0].opens and slot.sentence.passive != slot.evidence.passive:
        return False
    a, b = slot.new[0], slot.old[0]
    before = {slot.sentence.words[a.at - 1] if a.at else "", slot.evidence.words[b.at - 1] if b.at else ""}
    return slot.sentence.mark(a) == slot.evidence.mark(b) or (len(before) == 1 and before < PREPOSITIONS)


def _in_place(slot: _Slot, at: list[int]) -> bool:
    """Whether the evidence has the word in the phrase that was dropped, beside the same word, or in a clause nearer to the sentence's."""
    sentence, evidence, run = slot.sentence, slot.evidence, Terms(slot.new)
    others = [t.word for t in sentence if t.clause == slot.new[0].clause and t not in slot.new]
    left = sentence[slot.start - 1] if slot.start else None
    right = sentence[slot.stop] if slot.stop < len(sentence) else None
    here = evidence.clauses[evidence[slot.first].clause]
    for j in at:
        term = evidence[j]
        if j == slot.end and (term.at - evidence[j - 1].at == 1 or (term.kind == "noun" and term.of)):
            return True
        there = evidence.clauses[term.clause]
        if there is not here and any(there.has(w) and not here.has(w) for w in others):
            return True
        low, high = j, j + 1
        while low and run.has(evidence[low - 1].word):
            low -= 1
        while high < len(evidence) and run.has(evidence[high].word):
            high += 1
        before, after = evidence[low - 1] if low else None, evidence[high] if high < len(evidence) else None
        for x, y, same_side in ((left, before, True), (right, after, True), (left, after, False), (right, before, False)):
            if x and y and (same_side or not x.kind) and same(x.word, y.word):  # a verb may change sides
                return True
    return False


def _modifies(slot: _Slot, case: Case) -> bool:
    """Whether the runs tell apart two things of one name: words beside a noun that both have.

    Of a proper name ("Biroul tehnic") or a party ("directorului economic"), or words that the fragments have beside that noun.
    """
    sentence, evidence, new, old = slot.sentence, slot.evidence, slot.new[0], slot.old[0]
    if slot.start and slot.first and new.tight:
        head, other = sentence[slot.start - 1], evidence[slot.first - 1]
        if head.capital and other.capital and head.names and head.at and other.at:
            return True
        if len(slot.new) == 1 and (old.tight or old.of) and _told_apart(head.word, new.word, case):
            return True
        closes = all(n == len(ts) or ts[n].opens for ts, n in ((sentence, slot.stop), (evidence, slot.end)))
        if len(slot.new) == len(slot.old) == 1 and old.tight and closes and wordlists.is_party(head.word) and sentence.mark(head):
            return True
    if len(slot.new) == len(slot.old) == 1 and slot.stop < len(sentence) and slot.end < len(evidence):
        return sentence[slot.stop].tight and evidence[slot.end].tight and _told_apart(new.word, sentence[slot.stop].word, case)
    return False


def _told_apart(first: str, second: str, case: Case) -> bool:
    """Whether a statement of the fragments has the two words side by side."""
    return any(
        same(second, s.words[i + 1])
        for statements in case.parts.values()
        for s in statements
        for i, word in enumerate(s.words[:-1])
        if word[:2] == first[:2] and same(first, word)
    )
