"""What is learned, calibrated and chosen, each on its own part, and never on the acceptance part.

Statement weights are a conditional logit: of all statements that a case may be answered from, those of its units are to
score highest. Limits of the hard boundaries are the ones that route most training cases rightly. The gate is a logistic
regression over a few signs (scikit-learn), its probabilities are mapped by a sigmoid fitted on the calibration part (Platt
1999, with his smoothed targets), and the threshold is tested on the threshold part in a fixed order against a declared
risk. Every function takes the set of cases and refuses those of the acceptance part.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocite.boundary.evidence import SIGNALS, Picker, Pool, said_by
from rocite.boundary.naming import assets_named
from rocite.boundary.policy import Gate, Limits, Policy, boundary, route
from rocite.boundary.routes import ANSWER
from rocite.corpus import visible
from rocite.embed import Embedder
from rocite.evaluate.answerability.cases import Case, Cases
from rocite.evaluate.answerability.examined import Examined
from rocite.evaluate.risk import fixed_sequence

MEANING = {
    "coverage": 1, "relevance": 1, "near": 1, "weakest": 1, "margin": 1, "document_margin": 1, "agreement": 1,
    "lacking": -1, "unfixed": -1, "retired": -1, "rival": -1,
}  # fmt: skip
"""What the gate may look at, and whether more of it speaks for the picks (1) or against them (-1)."""
PENALTY = 0.03  # of the conditional logit, on standardised signals
STRENGTH = 0.1  # C of the logistic regression: few cases, so strongly regularised
GRID = tuple(round(n / 100, 2) for n in range(100, -1, -1))  # thresholds, strictest first
_LIMITS = {
    "sister": (0.3, 0.5, 0.7, 0.85, 2.0),
    "sibling": (0.5, 0.7, 0.85, 0.95, 2.0),
    "rival": (0.6, 0.7, 0.8, 0.9, 2.0),
    "retired": (-2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 1000.0),
}
FEW = 20  # cases with so few of either outcome are not calibrated


@dataclass(frozen=True)
class Training:
    """One case for the picker: the signals of the statements that it may be answered from, and which are of its units."""

    signals: np.ndarray
    wanted: np.ndarray


def training(cases: Cases, chosen: Sequence[Case], pool: Pool) -> list[Training]:
    """Return what the picker learns from: answerable cases with a unit among the statements. Raises AcceptanceError."""
    found = []
    for case in cases.fitting(chosen):
        seen = visible(pool.corpus, case.scope, case.at)
        named = {case.asset} if case.asset else set(assets_named(case.question, [d.asset for d in seen.documents if d.asset]))
        ids = {d.id for d in seen.documents if not named or d.asset in ("", *named)}
        allowed = np.array([p.document.id in ids for p in pool.places], bool)
        quotes = {(p.doc, p.quote) for unit in case.units for p in unit}
        wanted = np.array([any(p.document.id == d and said_by(p.text, q) for d, q in quotes) for p in pool.places], bool)[allowed]
        if wanted.any():
            found.append(Training(pool.signals(case.question, case.lang)[allowed], wanted))
    return found


def fit_picker(asked: Sequence[Training], centre: dict[str, np.ndarray], penalty: float = PENALTY) -> Picker:
    """Return the weights under which wanted statements score highest (conditional logit, McFadden 1974, ridge penalty)."""
    from scipy.optimize import minimize

    everything = np.concatenate([t.signals for t in asked])
    scale = everything.std(0)
    scale[scale == 0] = 1.0
    rows = [(t.signals / scale, t.wanted) for t in asked]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.0, np.zeros_like(weights)
        for signals, wanted in rows:
            z = signals @ weights
            share = np.exp(z - z.max())
            share /= share.sum()
            held = share[wanted].sum()
            total -= np.log(max(held, 1e-300))
            slope -= (np.where(wanted, share / max(held, 1e-300), 0.0) - share) @ signals
        return total / len(rows) + penalty * weights @ weights, slope / len(rows) + 2 * penalty * weights

    found = minimize(loss, np.zeros(len(SIGNALS)), jac=True, method="L-BFGS-B")
    means = tuple((lang, tuple(float(x) for x in np.round(centre[lang], 5))) for lang in sorted(centre))
    return Picker(tuple(float(w) for w in np.round(found.x / scale, 6)), means)


def question_centre(cases: Cases, chosen: Sequence[Case], embedder: Embedder) -> dict[str, np.ndarray]:
    """Return the mean vector of the questions in each language. Raises AcceptanceError."""
    asked = cases.fitting(chosen)
    found = {}
    for lang in sorted({c.lang for c in asked}):
        found[lang] = np.round(embedder.questions([c.question for c in asked if c.lang == lang]).mean(0).astype(float), 5)
    return found


def fit_limits(cases: Cases, examined: Sequence[Examined]) -> Limits:
    """Return the limits that send most cases the right way; of equal ones those that stop the fewest answerable cases.

    A case is sent rightly when its own route is taken; an answerable one passes. Evidence that is merely missing is not
    for the limits to tell and does not count.
    """
    cases.fitting(e.case for e in examined)
    best, chosen = (-1, -1), None
    for values in itertools.product(*_LIMITS.values()):
        limits = Limits(**dict(zip(_LIMITS, values, strict=True)))
        right = passed = 0
        for e in examined:
            if e.case.kind == "missing":
                continue
            taken = boundary(e.found, limits)
            took = route(taken) if taken else ANSWER
            right += took == e.case.route or (e.case.answerable and took == ANSWER)
            passed += e.case.answerable and took == ANSWER
        if (right, passed) > best:
            best, chosen = (right, passed), limits
    return chosen


def fit_gate(cases: Cases, examined: Sequence[Examined], limits: Limits, strength: float = STRENGTH) -> Gate:
    """Return the gate that tells right candidates from others, among the cases that pass every hard boundary.

    A sign whose weight comes out against its meaning, on so few cases, is left out and the rest is fitted again, the
    furthest first: what stays can be read.
    """
    cases.fitting(e.case for e in examined)
    passed = [e for e in examined if not boundary(e.found, limits)]
    right = [e.right for e in passed]
    names = list(MEANING)
    while True:
        weights, intercept, apart = _logistic(np.array([[e.found.signs[name] for name in names] for e in passed]), right, strength)
        against = [abs(w) if w * MEANING[name] < 0 else 0.0 for name, w in zip(names, apart, strict=True)]
        if not any(against) or len(names) == 1:
            return Gate(tuple(names), tuple(float(w) for w in np.round(weights, 6)), round(intercept, 6))
        del names[int(np.argmax(against))]


def _logistic(signs: np.ndarray, right: Sequence[bool], strength: float) -> tuple[np.ndarray, float, np.ndarray]:
    """Weights and intercept of a regularised logistic regression for the signs as they are, and the weights of the standardised signs."""
    from sklearn.linear_model import LogisticRegression

    centre, scale = signs.mean(0), signs.std(0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=strength, max_iter=5000).fit((signs - centre) / scale, right)
    weights = model.coef_[0] / scale
    return weights, float(model.intercept_[0] - weights @ centre), model.coef_[0]


def calibrate(cases: Cases, examined: Sequence[Examined], gate: Gate, limits: Limits) -> Gate:
    """Return `gate` with its sigmoid fitted on these cases; unchanged where fewer than `FEW` came out either way."""
    cases.fitting(e.case for e in examined)
    passed = [e for e in examined if not boundary(e.found, limits)]
    right = np.array([e.right for e in passed], bool)
    if min(right.sum(), (~right).sum()) < FEW:
        return gate
    slope, offset = platt(np.array([gate.odds(e.found.signs) for e in passed]), right)
    return replace(gate, slope=round(slope, 6), offset=round(offset, 6))


def platt(odds: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """Return slope and offset of the sigmoid that maps `odds` to probabilities of `right`, with Platt's smoothed targets."""
    from scipy.optimize import minimize

    n, p = int((~right).sum()), int(right.sum())
    target = np.where(right, (p + 1) / (p + 2), 1 / (n + 2))

    def loss(x: np.ndarray) -> float:
        z = x[0] * odds + x[1]
        return float((np.logaddexp(0, z) - target * z).sum())

    slope, offset = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B", bounds=[(0.0, None), (None, None)]).x
    return float(slope), float(offset)


def choose_threshold(
    cases: Cases, examined: Sequence[Examined], policy: Policy, rate: float, level: float, least: int, checked: bool = True
) -> float | None:
    """Return the loosest threshold whose risk over families is shown to be at or under `rate`; None where none is admissible.

    Thresholds are tested strictest first up to the first that fails. With `checked`, only candidates that strict accepts count.
    """
    cases.fitting(e.case for e in examined)
    released = [
        (policy.gate.probability(e.found.signs), e)
        for e in examined
        if not boundary(e.found, policy.limits) and (not checked or e.verdicts["strict"][0] == "accepted")
    ]
    tested = []
    for value in GRID:
        shown = [e for p, e in released if p >= value]
        tested.append((len({e.case.intent for e in shown if e.unsupported}), len({e.case.intent for e in shown})))
    position = fixed_sequence(tested, rate, level, least)
    return None if position is None else GRID[position]


def best_balance(cases: Cases, examined: Sequence[Examined], policy: Policy) -> float:
    """Return the threshold under which the answers released are right more often than they are not by the widest margin; of equal ones the loosest.

    For where no threshold is admissible, and a decision has to be made with one that is not. Strict checks apply.
    """
    cases.fitting(e.case for e in examined)
    released = [
        (policy.gate.probability(e.found.signs), e.right)
        for e in examined
        if not boundary(e.found, policy.limits) and e.verdicts["strict"][0] == "accepted"
    ]
    return max(GRID, key=lambda v: (sum(1 if right else -1 for p, right in released if p >= v), -v))
