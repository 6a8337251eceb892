"""Direction: at least or at most, before or after, over or under, rising or falling, first or last, and other opposites.

A word of the answer that names one pole of an axis fails where its evidence names the opposite instead. Where the
evidence has words of both poles, each content word belongs to the nearest of them, and the answer's words must not be
those of the opposite. Where only one of the two is negated, an opposite may say the same; so may "after" for "before"
where what stands on its two sides has changed places. A bound on a figure is compared on that figure. A summary says
much in a few words: its words may agree with any statement of the document, and count only where the evidence carries
the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rocite.gates.base import Case, Score, first_found, judged
from rocite.gates.claims import Claim
from rocite.gates.quantity import around, owned, share, word_span
from rocite.language import lexicon, wordlists
from rocite.language.quantities import Quantity, same_value
from rocite.language.statements import Statement, covered, key, stem

NAME = "direction"
SLACK = 0.25  # how much more of the opposite's words the answer must have where the evidence names both poles
ALIKE = 0.05  # how alike the surroundings must be where it names the opposite only
SUMMARY_ALIKE = 0.2  # the same for a summary, and how much more alike than those of the same pole
SHARED = 0.6  # what words that both poles have are worth
CLOSE = 0.35  # support from which a word of a summary counts
REACH = 6  # words before a pole in which a negation counts
BESIDE = 0.2  # how much less of the sentence another statement may carry that has the same bound on the same figure
_UP, _DOWN = frozenset(("min", "over")), frozenset(("max", "under"))
_POINTING = frozenset("acest aceasta acesta aceste acestei acestui acestea acestora this that these those it".split())
_NEGATING = frozenset(
    "nu n nici niciodata fara not no never nor without cannot t nimeni nobody nothing niciun nicio none unless decat".split()
)
_LATE = frozenset("later latest tarziu".split())
_AHEAD = frozenset("before beforehand ahead advance prior inainte inaintea avans".split())


@dataclass(frozen=True)
class Pole:
    """A word or expression, `first` to `last` among the words, that names poles: pairs of an axis and +1 or -1."""

    first: int
    last: int
    names: frozenset[tuple[str, int]]
    odd: bool  # an odd number of negations stands in the words right before it in its clause

    @property
    def opposite(self) -> frozenset[tuple[str, int]]:
        """The poles across from those that it names."""
        return frozenset((axis, -sign) for axis, sign in self.names)


_LENGTHS_OF_TIME = frozenset(
    "zi zile zilei ora ore orei minut minute luna luni an ani saptamana saptamani lucratoare day days hour hours minutes month months year years week weeks".split()
)


@lru_cache(maxsize=8192)
def _tells(word: str) -> bool:
    """Whether a folded word names a pole, or may begin an expression that does."""
    return bool(wordlists.poles(word) or wordlists.opens_opposite(word) or lexicon.directions(word))


@lru_cache(maxsize=1024)
def named(statement: Statement) -> list[Pole]:
    """Return what names a pole in `statement`: the axes of `rocite.language.lexicon`, and the pairs of the list of opposites by number.

    >>> [p.first for p in named(Statement("Se face în prima zi.")) if ("rank", 1) in p.names]
    [3]
    """
    words = statement.words
    spans: dict[tuple[int, int], set[tuple[str, int]]] = {}
    telling = [(i, word) for i, word in enumerate(words) if _tells(word)]
    for i, word in telling:
        for n in (1, 2, 3) if wordlists.opens_opposite(word) else (1,):
            if i + n <= len(words) and (pairs := wordlists.poles("_".join(words[i : i + n]))):
                spans.setdefault((i, i + n), set()).update((str(number), sign) for number, sign in pairs)
    folded, at = " ".join(words), 0
    for i, word in enumerate(words):
        for axis, sign, pattern in lexicon.directions(word):
            m = pattern.match(folded, at)
            if axis == "deadline" and i and word in ("dupa", "after") and words[i - 1] in _LENGTHS_OF_TIME:
                continue  # "la cel mult 3 zile după verificare": from when it runs
            if m and not (m.group() == "up to" and i and words[i - 1] in lexicon.WENT):
                spans.setdefault((i, i + m.group().count(" ") + 1), set()).add((axis, sign))
        at += len(word) + 1
    found, cuts = [], [c.first for c in statement.clauses]
    for (first, last), names in sorted(spans.items()):
        if any(a <= first and last <= b and (a, b) != (first, last) for a, b in spans):
            continue  # "mai mare" within "nu mai mare de"
        clause = max(c for c in cuts if c <= first)
        odd = bool(sum(w in _NEGATING for w in words[max(clause, first - REACH) : first]) % 2)
        found.append(Pole(first, last, frozenset(names), odd))
    return found


def poles(statement: Statement, first: int = 0, last: int | None = None) -> dict[str, set[int]]:
    """Return the poles that the words from `first` to `last` name: axis to a set of +1 and -1."""
    found: dict[str, set[int]] = {}
    for pole in named(statement):
        if pole.first >= first and (last is None or pole.first < last):
            for axis, sign in pole.names:
                found.setdefault(axis, set()).add(sign)
    return found


def score(case: Case) -> Score:
    """Return the share of the answer's directions that its evidence does not reverse, in [0, 1]; None where there is none."""
    found, looked = [], 0
    for claim in case.claims:
        if not claim.evidence:
            continue
        bounds = [q for q in claim.sentence.quantities if q.bound in _UP | _DOWN]
        for figure in bounds:
            looked += 1
            if problem := _reversed_bound(figure, claim, case):
                found.append(problem)
        said = [p for p in named(claim.sentence) if not (bounds and any(axis == "amount" for axis, _ in p.names))]
        looked += len(said)
        if said and not (case.summary and claim.support < CLOSE):
            found += [
                f"the evidence says the opposite of {' '.join(claim.sentence.words[p.first : p.last])!r} in {claim.sentence.text[:60]!r}"
                for p in _reversed(said, claim, case)
            ]
    return judged(found, looked)


failure = first_found


# --- bounds on figures -----------------------------------------------------------------------------------


def _signs(figure: Quantity, statement: Statement) -> tuple[int, int]:
    """On which side a figure is bounded, +1 for "at least": as it stands, and as a negation or "at the latest 2 days before" turns it."""
    first, last = word_span(statement, figure)
    clause = next(c for c in reversed(statement.clauses) if c.first <= first)
    turned = sum(w in _NEGATING for w in (*statement.words[clause.first : first], *statement.words[last + 1 : clause.last]))
    turned += any(lexicon.DENIALS[name].fullmatch(w) for w in statement.words[clause.first : clause.last] for name in ("permis", "plata"))
    turned += bool(_LATE & set(statement.words[first : last + 1]) and _AHEAD & set(statement.words[last + 1 : last + 4]))
    plain = +1 if figure.bound in _UP else -1
    return plain, -plain if turned % 2 else plain


def _reversed_bound(figure: Quantity, claim: Claim, case: Case) -> str | None:
    """Return a problem if the evidence bounds the same figure on the other side, in what has more of the answer's words.

    A bound may take up a figure named before: "peste această valoare", "over this".
    """
    sentence, sign = claim.sentence, _signs(figure, claim.sentence)
    ours = [q for q in sentence.quantities if q.bound in _UP | _DOWN and same_value(figure, q)]
    said = owned(sentence, [word_span(sentence, q) for q in ours])[ours.index(figure)] or case.asked.key_set
    again = {_taken_up(p, sentence) for p in named(sentence)}  # the answer takes the figure up in its turn
    mine, theirs, other = None, None, ""
    for statement in case.stated(claim):
        same = [q for q in statement.quantities if same_value(figure, q) and q.bound in _UP | _DOWN]
        if not same:
            continue
        pointing = [p for p in named(statement) if (taken := _taken_up(p, statement)) and taken not in again]
        signs = [_signs(q, statement) for q in same] + [(_taken_up(p, statement),) * 2 for p in pointing]
        agreeing = [_agree(sign, theirs) for theirs in signs]
        parts = owned(statement, [word_span(statement, q) for q in same] + [(p.first, p.last - 1) for p in pointing])
        before = frozenset().union(*parts[: len(same)])
        own = [part | before if n >= len(same) else part for n, part in enumerate(parts) if agreeing[n]]
        opposite = [part for n, part in enumerate(parts) if not agreeing[n]]
        mine, theirs = _further(mine, theirs, *_contest(said, own, opposite, statement))
        other = next((q.text for q in same if not _agree(sign, _signs(q, statement))), other)
    if theirs is None or (mine is not None and theirs <= mine + SLACK):
        return None
    for statement in case.parts[claim.source]:
        if statement in claim.evidence or covered(sentence.keys, sentence.weights, statement.key_set) < claim.support - BESIDE:
            continue
        if any(same_value(figure, q) and q.bound in _UP | _DOWN and _agree(sign, _signs(q, statement)) for q in statement.quantities):
            return None
    return f"the evidence bounds the figure of {figure.text!r} on the other side: {other!r}"


def _agree(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether two bounds are on one side, as they stand or turned: which of the two denies is for polarity to say."""
    return a[0] == b[0] or a[1] == b[1]


def _taken_up(pole: Pole, statement: Statement) -> int:
    """The sign of a bound that points back to a figure named before, 0 if it does not."""
    pointing = pole.last < len(statement.words) and statement.words[pole.last] in _POINTING
    return next((sign for axis, sign in pole.names if axis == "amount"), 0) if pointing else 0


def _contest(
    said: frozenset[str], own: list[frozenset[str]], opposite: list[frozenset[str]], statement: Statement
) -> tuple[float | None, float | None]:
    """How much the answer has of the words of one pole and of the opposite, in [0, 1]; None where a pole is not named."""
    ours, across = frozenset().union(*own), frozenset().union(*opposite)
    mine = theirs = None
    for part in own:
        alone = share(part - across, said, statement)
        whole = share(part, said, statement)
        value = alone if alone is not None else 1.0 if whole is None else SHARED * whole  # a pole without words may be meant
        mine = value if mine is None else max(mine, value)
    for part in opposite:
        value = share(part - ours, said, statement) or 0.0
        theirs = value if theirs is None else max(theirs, value)
    return mine, theirs


def _further(a: float | None, b: float | None, c: float | None, d: float | None) -> tuple[float | None, float | None]:
    """The greater of the first and third and of the second and fourth."""
    return (c if a is None else a if c is None else max(a, c)), (d if b is None else b if d is None else max(b, d))


# --- words -----------------------------------------------------------------------------------------------


def _reversed(said: list[Pole], claim: Claim, case: Case) -> list[Pole]:
    """The poles of the answer whose opposite the evidence names in their place."""
    sentence, weights = claim.sentence, {**case.asked.weights, **claim.sentence.weights}
    stated = [(s, p) for s in case.stated(claim) for p in named(s)]
    beside: dict[int, dict[str, float]] = {}
    agreeing: list[tuple[float, int, int]] = []
    opposing: list[tuple[float, int, int]] = []
    repeated: dict[int, set[int]] = {}  # which of the answer's words are the very word of the evidence
    for n, ours in enumerate(said):
        near = around(sentence, ours.first, ours.last - 1)
        total = sum(weights[k] * v for k, v in near.items()) or 1.0
        for m, (statement, theirs) in enumerate(stated):
            exact = _same_word(sentence, ours, statement, theirs)
            same = exact or bool(ours.names & theirs.names)
            if not same and (not ours.names & theirs.opposite or ours.odd != theirs.odd or statement not in claim.evidence):
                continue
            if not same and _converse(sentence, ours, statement, theirs):
                continue
            there = beside.get(m)
            if there is None:
                there = beside[m] = around(statement, theirs.first, theirs.last - 1)
            alike = sum(weights[k] * min(v, there[k]) for k, v in near.items() if k in there) / total
            (agreeing if same else opposing).append((alike, n, m))
            if exact:
                repeated.setdefault(m, set()).add(n)
    taken = {m: alike for alike, _, m in sorted(agreeing)}
    least = SUMMARY_ALIKE if case.summary else ALIKE
    found = []
    for n, ours in enumerate(said):
        own = [(alike, m) for alike, i, m in agreeing if i == n and (case.summary or n in repeated.get(m, {n}))]
        # what fits another word of the answer better opposes none
        across = [(alike, m) for alike, i, m in opposing if i == n and (own or alike > taken.get(m, -1.0))]
        if not across:
            continue
        if not own:
            if max(across)[0] > least:
                found.append(ours)
        elif case.summary:
            if max(across)[0] > max(own)[0] + SUMMARY_ALIKE:
                found.append(ours)
        elif _opposite_fits(ours, said, sentence, [stated[m] for _, m in own], [stated[m] for _, m in across], case):
            found.append(ours)
    return found


def _opposite_fits(
    ours: Pole, said: list[Pole], sentence: Statement, own: list[tuple[Statement, Pole]], across: list[tuple[Statement, Pole]], case: Case
) -> bool:
    """Whether the answer has with its word what belongs to the opposite in the evidence, which names both."""
    along = [p for p in said if p is ours or {axis for axis, _ in p.names} & {axis for axis, _ in ours.names}]
    words = owned(sentence, [(p.first, p.last - 1) for p in along])[along.index(ours)]
    if not words and len(along) > 1:
        return False
    words = words or case.asked.key_set
    mine, theirs = None, None
    for statement in dict.fromkeys(s for s, _ in own + across):
        here = [[p for s, p in side if s is statement] for side in (own, across)]
        parts = owned(statement, [(p.first, p.last - 1) for p in here[0] + here[1]])
        mine, theirs = _further(mine, theirs, *_contest(words, parts[: len(here[0])], parts[len(here[0]) :], statement))
    return theirs is not None and theirs > (mine or 0.0) + SLACK


def _same_word(sentence: Statement, ours: Pole, statement: Statement, theirs: Pole) -> bool:
    return [stem(w) for w in sentence.words[ours.first : ours.last]] == [stem(w) for w in statement.words[theirs.first : theirs.last]]


def _converse(sentence: Statement, ours: Pole, statement: Statement, theirs: Pole) -> bool:
    """Whether "after" has on its two sides what "before" has on the other ones."""
    if not any(axis == "time" for axis, _ in ours.names & theirs.opposite):
        return False
    behind, ahead = _sides(sentence, ours)
    there_behind, there_ahead = _sides(statement, theirs)
    crossed = len(behind & there_ahead) + len(ahead & there_behind)
    return crossed > len(behind & there_behind) + len(ahead & there_ahead)


def _sides(statement: Statement, pole: Pole) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of what stands behind a pole in its clause, and of everything else."""
    clause = next(c for c in reversed(statement.clauses) if c.first <= pole.first)
    content = [i for i in statement.content if not pole.first <= i < pole.last]
    behind = frozenset(key(statement.words[i]) for i in content if pole.last <= i < clause.last)
    rest = frozenset(key(statement.words[i]) for i in content if not pole.last <= i < clause.last)
    relative = statement.words[pole.last : pole.last + 1] in (["care"], ["which"])
    return (rest, behind) if relative else (behind, rest)  # "after which the permit ends": after what stands before
