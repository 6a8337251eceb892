"""Polarity: what the answer affirms the evidence affirms, what it denies the evidence denies.

A denial is a negation with the word that it bears on, the next content word behind it in its clause; an exception, a
prohibition, an exemption or an invalidity denies by itself ("interzis" denies "permis", "scutit" denies "plata"), and
two negations cancel out. Denials of the same word are paired off, unless the evidence affirms the word of what the
answer denies it of; what is left of one side is paired with what is left of the other where their clauses speak of the
same, because "nu se plătește" and "este interzisă plata" deny different words. Refuses a denial of the answer that
finds no partner, one of the evidence whose word or clause the answer repeats without it, a limit that is "not exceeded"
on one side and "exceeded" on the other, and a "yes" or "no" against what the evidence says of the question.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocite.gates.base import Case, Score, first_found, judged_by_claim
from rocite.gates.claims import Claim
from rocite.gates.denials import BOUNDED, NEAR, NOTHING, Denial, Parsed, bears_on, concept, denials, labels, limits, near, parsed
from rocite.language import lexicon, wordlists
from rocite.language.statements import Statement, covered, key

NAME = "polarity"
CLOSE = 0.6  # support from which a denial that the answer leaves out counts
BARE = 4  # content words up to which a sentence is a bare reply
REPEATED = 0.6  # share of a clause's other words that the answer must repeat before a denial left out of it counts
ANSWERED = 0.8  # share of a question that the evidence must say before a "no" to it counts as wrong

_EXCEPTION = frozenset(("exce", "afar", "unle"))  # how words that except begin


def _named(statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset().union(*(labels(w) for s in statements for w in s.words if bears_on(w)))


def _contradiction(claim: Claim, case: Case) -> str | None:
    """Return the word on which answer and evidence contradict each other, or None."""
    stated = case.stated(claim)
    said, held = parsed(claim.sentence), [parsed(s) for s in stated]
    ours, theirs = _named([claim.sentence]), _named(stated)
    by_answer, by_question = _denied_by(claim, case)
    denied = frozenset().union(*(d.labels for d in by_answer))
    all_held = [d for p in held for d in p.denials]
    left = [d for d in all_held if not d.labels & denied and not (d.prefixed and not d.labels & ours - theirs)]
    alone = []
    for denial in (d for d in said.denials if d.word != BOUNDED):
        same = [d for d in all_held if d.labels & denial.labels]
        if not same:
            alone.append(denial)
        elif len(all_held) + len(said.denials) > 2 and _affirmed_nearer(denial, same, [a for p in held for a in p.affirmed]):
            return denial.word
    alone = _paired_off(alone, left)
    whole = near(claim.sentence.words[i] for i in claim.sentence.content)
    for denial in alone:
        if denial.prefixed:
            if denial.labels & theirs and key(denial.word) not in claim.known_words:
                return denial.word
        elif denial.beside and not _said_otherwise(denial, alone, all_held, left, claim, whole):
            return denial.word
    if claim.support < CLOSE:
        return None  # too far from its evidence to say that it leaves a denial out
    denied = frozenset().union(*(d.labels for d in by_question))
    left = [d for d in left if not d.labels & denied]
    used, by_answer = frozenset(claim.evidence), [*by_question, *by_answer]
    return next(
        (w for s, p in zip(stated, held, strict=True) if s in used and (w := _left_out(p, left, said, by_answer, claim, whole))), None
    )


def _affirmed_nearer(denial: Denial, same: Sequence[Denial], affirmed: Sequence[tuple[frozenset[str], frozenset[str]]]) -> bool:
    """Whether a clause of the other side affirms the denied word of the same things, and none denies it of as many."""
    best = max((len(denial.beside & d.beside) for d in same), default=0)
    return any(
        len(denial.beside & words) > best and len(denial.beside & words) >= REPEATED * len(denial.beside) and denial.labels & named
        for words, named in affirmed
    )


def _paired_off(alone: list[Denial], left: list[Denial]) -> list[Denial]:
    """Pair denials of the answer with those of the evidence, nearest first; `left` loses what is paired. Returns the rest."""
    pairs = [(len(a.beside & b.beside), -i, -j) for i, a in enumerate(alone) for j, b in enumerate(left) if _speak_of_the_same(a, b)]
    ours, theirs = set(), set()
    for _, i, j in sorted(pairs, reverse=True):
        if -i not in ours and -j not in theirs:
            ours.add(-i)
            theirs.add(-j)
    left[:] = [d for j, d in enumerate(left) if j not in theirs]
    return [d for i, d in enumerate(alone) if i not in ours]


def _said_otherwise(
    denial: Denial,
    alone: Sequence[Denial],
    held: Sequence[Denial],
    left: list[Denial],
    claim: Claim,
    whole: frozenset[str],
) -> bool:
    """Whether the evidence says what a denial of the answer says without denying that word."""
    if sum(d.group == denial.group for d in alone) % 2 == 0:
        return True  # "nu se repornește fără acord" for "se repornește cu acord"
    affirmed = any(denial.labels & names for s in claim.evidence for _, names in parsed(s).affirmed)
    for other in held:
        by_concept = other not in left and any(label[0] == "=" for label in other.labels)
        inside = key(denial.word)[:NEAR] in other.beside
        apart = not any(d.group == denial.group and d.labels & other.labels for d in parsed(claim.sentence).denials)
        if by_concept and apart and (inside or not affirmed) and len(denial.beside & other.beside) * 2 >= len(denial.beside):
            return True  # a denial repeated in other words: "nu se folosește, fiind interzis"
    for other in left:
        if other.excepts and len(other.beside & whole) * 2 >= len(other.beside):
            left.remove(other)
            return True  # "not X if Y" for "X unless Y"
    evidence = [w for s in claim.evidence for w in s.words]
    if _opposite_named(denial.word, evidence, claim.sentence.words):
        return True
    return bool(lexicon.ONLY.search(" ".join(evidence)) and lexicon.OTHERS.search(" ".join(claim.sentence.words)))


def _opposite_named(word: str, words: Sequence[str], other: Sequence[str]) -> bool:
    """Whether `words`, and not `other`, name an opposite of `word`: "nu este deschis" and "este închis" say the same."""
    if concept(word):
        return False  # "scutit" and "obligat" contradict each other
    wanted = {(number, -sign) for number, sign in wordlists.poles(word)}
    return bool(wanted) and any(wanted & wordlists.poles(w) for w in words if w not in other)


def _left_out(
    held: Parsed, left: Sequence[Denial], said: Parsed, by_answer: Sequence[Denial], claim: Claim, whole: frozenset[str]
) -> str | None:
    """Return the word of a denial of the evidence that the answer repeats without denying it, or None."""
    words, stated = claim.sentence.words, [w for s in claim.evidence for w in s.words]
    included = lexicon.INCLUDING.search(" ".join(words))
    ours = [d for d in held.denials if d in left and d.word != BOUNDED]
    own = [d for d in by_answer if not any(d.labels & other.labels for other in held.denials)]
    for denial in held.denials:
        same = [d for d in by_answer if d.labels & denial.labels]
        if same and denial.word != BOUNDED and _affirmed_nearer(denial, same, said.affirmed):
            return denial.word
    for denial in ours:
        if sum(d.group == denial.group for d in ours) % 2 == 0 or (denial.excepts and not included):
            continue  # "nu se repornește fără acord" says what "numai cu acord" says
        if denial.word == NOTHING and any(key(d.word)[:NEAR] in denial.beside for d in by_answer):
            continue
        if any(key(denial.word)[:NEAR] in d.beside for d in own) or _opposite_named(denial.word, words, stated):
            continue  # "dublarea nu se face" for "nu se dublează"
        shared = len(denial.beside & whole)
        if denial.conditional and shared < REPEATED * len(denial.beside):
            continue
        named = [w for w, names in said.affirmed if names & denial.labels]
        if named and not any(
            max((len(w & other) for other, names in held.affirmed if names & denial.labels), default=-1) > len(w & denial.beside)
            for w in named
        ):
            return denial.word
        if len(denial.beside) > 1 and shared >= REPEATED * len(denial.beside):
            return denial.word
    return None


def _denied_by(claim: Claim, case: Case) -> tuple[list[Denial], list[Denial]]:
    """What the whole answer denies, and what a bare reply leaves to the question: what that denied and the reply does not name."""
    named = frozenset().union(*(names for _, names in parsed(claim.sentence).affirmed))
    by_question = [d for d in denials(case.asked) if key(d.word) not in named] if len(claim.sentence.content) <= BARE else []
    lead = denials(Statement(case.reading.text)) if ":\n" in case.reading.text else []  # what opens a list denies it all
    return [*lead, *(d for c in case.claims for d in denials(c.sentence))], by_question


def _speak_of_the_same(a: Denial, b: Denial) -> bool:
    return bool(a.beside & b.beside or key(a.word)[:NEAR] in b.beside or key(b.word)[:NEAR] in a.beside)


def _limit_turned(claim: Claim) -> str | None:
    said = list(limits(claim.sentence))
    held = {limit for s in claim.evidence for limit in limits(s)} if said else set()
    return next((n for n, exceeds in said if (n, not exceeds) in held and (n, exceeds) not in held), None)


def _all_in(words: frozenset[str], others: frozenset[str], if_none: bool) -> bool:
    return len(words & others) >= REPEATED * len(words) if words else if_none


def _false_reply(claim: Claim, case: Case) -> str | None:
    """Return the "yes" or "no" that the evidence clearly contradicts, or None: only where it speaks of all that is asked."""
    asked = case.asked
    if not claim.reply or not asked.keys or not lexicon.INTERROGATIVES.isdisjoint(asked.words):
        return None
    wanted, known = parsed(asked), frozenset(k[:NEAR] for k in claim.known)
    questioned = _named([asked])
    whole = near(asked.words[i] for i in asked.content)
    held = [d for s in claim.evidence for d in denials(s) if not (d.conditional or d.prefixed) and d.word != BOUNDED]
    bearing = [d for d in held if _all_in(d.beside - _EXCEPTION, whole, d.excepts) and (d.labels & questioned or not d.excepts)]
    bearing += [d for d in held if d.labels & questioned and not d.excepts and d not in bearing]
    denied = (len(bearing) + sum(not d.prefixed for d in wanted.denials)) % 2 == 1
    if claim.reply == "yes":
        both = any(
            a.group == b.group and a is not b and not (b.excepts or b.prefixed) for a in bearing for s in claim.evidence for b in denials(s)
        )
        turned = denied and not both and any(d.labels & questioned for d in bearing) and not denials(claim.sentence)
        return "yes" if turned and not lexicon.ONLY.search(" ".join(claim.sentence.words)) else None
    stated = " ".join(w for s in claim.evidence for w in s.words)
    hedged = (
        lexicon.ONLY.search(stated)
        or (lexicon.MUST.search(stated) and not lexicon.MUST.search(" ".join(asked.words)))
        or lexicon.EXCEPTIONS.search(stated)
    )
    if held or wanted.denials or hedged or asked.quantities or denials(claim.sentence):
        return None
    weights = {k[:NEAR]: v for k, v in asked.weights.items()}
    return "no" if covered([k[:NEAR] for k in asked.keys], weights, known) >= ANSWERED else None


def score(case: Case) -> Score:
    """Return the share of the answer's sentences that contradict no denial of their evidence, in [0, 1]; None without evidence."""
    return judged_by_claim(case, _problem)


def _problem(claim: Claim, case: Case) -> str | None:
    if reply := _false_reply(claim, case):
        return f"the evidence contradicts the {reply!r} to the question"
    if limit := _limit_turned(claim):
        return f"answer and evidence disagree on whether {limit} is exceeded, in {claim.sentence.text[:60]!r}"
    if word := _contradiction(claim, case):
        return f"answer and evidence disagree on whether {word!r} is denied, in {claim.sentence.text[:60]!r}"
    return None


failure = first_found
