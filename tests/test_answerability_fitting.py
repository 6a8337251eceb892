"""What is learned, chosen and declared on tuning parts, what is refused of the acceptance part, the record, the release checklist."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from answerability_cases import (
    CORPUS,
    KEPT,
    LIMITS,
    PART_OF,
    POLICY,
    case,
    logit,
    right,
    seen,
    together,
    wrong,
)  # fmt: skip

from rocite import embed
from rocite.boundary.evidence import SIGNALS, Pool
from rocite.boundary.policy import Gate, Policy
from rocite.boundary.routes import ANSWER, CLARIFY, ESCALATE
from rocite.corpus import visible
from rocite.errors import InputError
from rocite.evaluate.answerability import declared, fitting, policies
from rocite.evaluate.answerability.cases import AcceptanceError, Cases
from rocite.evaluate.answerability.declared import Declared
from rocite.evaluate.answerability.fitting import Training
from rocite.evaluate.answerability.outcomes import Outcome
from rocite.report import answerability_calibration

UNDER = Declared(risk=0.1, level=0.95, coverage=0.7, coverage_language=0.6, escalated=0.5, clarified=0.25, owner="project", reason="made")
OPEN = Policy("open", LIMITS, Gate(("score",), (1.0,), 0.0), None)

# --- the acceptance part is for nothing but measuring -------------------------------------------------------------------

USES = {
    "training": lambda cases, given: fitting.training(cases, [e.case for e in given], None),
    "question_centre": lambda cases, given: fitting.question_centre(cases, [e.case for e in given], None),
    "fit_limits": fitting.fit_limits,
    "fit_gate": lambda cases, given: fitting.fit_gate(cases, given, LIMITS),
    "calibrate": lambda cases, given: fitting.calibrate(cases, given, POLICY.gate, LIMITS),
    "choose_threshold": lambda cases, given: fitting.choose_threshold(cases, given, OPEN, 0.1, 0.95, 1),
    "best_balance": lambda cases, given: fitting.best_balance(cases, given, OPEN),
    "fit_similarity": lambda cases, given: policies.fit_similarity(cases, given, 0.02),
    "fit_covered": lambda cases, given: policies.fit_covered(cases, given, OPEN),
    "selected": lambda cases, given: declared.selected(cases, given, {"always": policies.always}, UNDER),
}


@pytest.mark.parametrize("use", list(USES))
def test_one_acceptance_case_among_others_is_refused_by_everything_that_fits_calibrates_or_chooses(use):
    given = [right("a"), wrong("b"), right("c", documents="held")]
    with pytest.raises(AcceptanceError, match="c and 0 other cases are of the acceptance part, which nothing is fitted or chosen on"):
        USES[use](together(*given), given)


def test_cases_of_the_tuning_parts_are_given_for_fitting():
    given = [right("a"), right("b", documents="yard"), right("c", documents="shed")]
    assert together(*given).fitting(e.case for e in given) == tuple(e.case for e in given)


# --- learning -----------------------------------------------------------------------------------------------------------


def test_the_picker_learns_from_statements_that_may_answer_and_knows_the_wanted_ones():
    embedder = embed.load("tfidf")
    pool = Pool(visible(CORPUS, (), None), embedder, {})
    asked = [case("a", question="How long is the key kept?"), case("b", kind="missing", question="Who keeps the key?")]
    (found,) = fitting.training(Cases(tuple(asked), PART_OF, ""), asked, pool)
    allowed = [p.text for p in pool.places if p.document.id != "keys-old"]  # superseded; the vault is not in the pool
    assert [t for t, w in zip(allowed, found.wanted, strict=True) if w] == [KEPT]
    assert found.signals.shape == (len(allowed), len(SIGNALS))
    centre = fitting.question_centre(Cases(tuple(asked), PART_OF, ""), asked, pool.embedder)
    assert np.allclose(centre["en"], pool.embedder.questions([c.question for c in asked]).mean(0), atol=1e-5) and list(centre) == ["en"]


def test_the_picker_prefers_the_signal_that_tells_and_ignores_noise():
    rng, told = np.random.default_rng(3), SIGNALS.index("words")

    def made(count):
        for _ in range(count):
            signals = rng.normal(size=(12, len(SIGNALS))) * ([5.0] + [1.0] * (len(SIGNALS) - 1))
            wanted = np.arange(12) == signals[:, told].argmax()
            yield Training(signals, wanted)

    picker = fitting.fit_picker(list(made(80)), {"en": np.array([0.25, -1.0])})
    weights = np.abs(np.array(picker.weights))
    assert picker.weights[told] > 0 and weights[told] > 4 * np.delete(weights, told).max()
    assert np.mean([t.wanted[picker.scores(t.signals).argmax()] for t in made(200)]) > 0.8
    assert picker.centre == (("en", (0.25, -1.0)),)


def test_limits_part_conflicts_from_answers_between_the_two():
    group = [right(f"a{n}", rival=0.65) for n in range(4)]
    group += [seen(case(f"c{n}", "contradictory"), ("keys", KEPT), rival=0.75) for n in range(3)]
    group += [seen(case(f"m{n}", "missing"), ("keys", KEPT), rival=0.65) for n in range(9)]  # merely missing: not for the limits to tell
    found = fitting.fit_limits(together(*group), group)
    assert found.rival == 0.7 and found.sister == 0.3


def test_of_equal_limits_those_are_taken_that_stop_the_fewest_answerable_cases():
    group = [right("a", rival=0.7), seen(case("c", "contradictory"), ("keys", KEPT), rival=0.7)]
    assert fitting.fit_limits(together(*group), group).rival > 0.7


def test_the_gate_tells_right_candidates_from_others_and_asks_only_those_that_pass_the_boundaries():
    rng = np.random.default_rng(5)
    group = [right(f"r{n}", coverage=rng.uniform(0.6, 1.0)) for n in range(40)] + [
        wrong(f"w{n}", coverage=rng.uniform(0.0, 0.5)) for n in range(40)
    ]
    stopped = [right(f"s{n}", rival=1.0, coverage=0.0) for n in range(200)]  # would turn the weight round
    gate = fitting.fit_gate(together(*group, *stopped), [*group, *stopped], LIMITS)
    assert set(gate.signs) <= set(fitting.MEANING) and "coverage" in gate.signs
    said = [gate.probability(e.found.signs) for e in group]
    assert min(said[:40]) > 0.5 > max(said[40:])


def test_a_sign_that_comes_out_against_its_meaning_is_left_out_of_the_gate():
    group = [right(f"r{n}", coverage=0.9 - n / 100, relevance=0.1 + n / 90, lacking=0.0) for n in range(20)]
    group += [wrong(f"w{n}", coverage=0.3 + n / 100, relevance=0.6 + n / 90, lacking=1.0) for n in range(20)]
    gate = fitting.fit_gate(together(*group), group, LIMITS)
    weights = dict(zip(gate.signs, gate.weights, strict=True))
    assert "relevance" not in weights and weights["coverage"] > 0 > weights["lacking"]


# --- calibrating --------------------------------------------------------------------------------------------------------


def test_the_sigmoid_is_near_the_truth_on_simulated_odds_and_rises():
    rng = np.random.default_rng(11)
    odds = rng.normal(0, 2, 20_000)
    came = rng.random(20_000) < 1 / (1 + np.exp(-(1.7 * odds - 0.6)))
    slope, offset = fitting.platt(odds, came)
    assert slope == pytest.approx(1.7, abs=0.1) and offset == pytest.approx(-0.6, abs=0.1)
    gate = replace(POLICY.gate, slope=slope, offset=offset)
    said = [gate.probability({"score": x}) for x in np.linspace(-4, 4, 50)]
    assert said == sorted(said) and said[0] < 0.01 < 0.99 < said[-1]


def test_the_sigmoid_never_turns_the_order_round():
    odds = np.linspace(-3, 3, 400)
    slope, offset = fitting.platt(odds, odds < 0)
    assert slope == pytest.approx(0, abs=1e-6) and offset == pytest.approx(0, abs=0.05)


def test_the_sigmoid_of_parted_outcomes_keeps_away_from_certainty():
    slope, offset = fitting.platt(np.repeat([-1.0, 1.0], 30), np.repeat([False, True], 30))
    assert 1 / (1 + np.exp(-(slope + offset))) == pytest.approx(31 / 32, abs=1e-3)  # Platt's smoothed target


def test_few_cases_of_either_outcome_leave_the_gate_as_it_is():
    def calibrated(wrong_ones):
        group = [right(f"r{n}", score=1.0) for n in range(3 * fitting.FEW)] + [wrong(f"w{n}", score=1.0) for n in range(wrong_ones)]
        group += [wrong(f"stopped{n}", rival=1.0) for n in range(60)]  # stopped before the gate, so they do not count
        return fitting.calibrate(together(*group), group, POLICY.gate, LIMITS)

    assert calibrated(fitting.FEW - 1) == POLICY.gate
    gate = calibrated(fitting.FEW)
    assert gate != POLICY.gate and gate.probability({"score": 1.0}) == pytest.approx(0.75, abs=0.01)
    assert (gate.signs, gate.weights, gate.intercept) == (POLICY.gate.signs, POLICY.gate.weights, POLICY.gate.intercept)


def test_calibration_is_shown_for_the_cases_that_the_estimate_decides_alone():
    gate = replace(POLICY.gate, slope=2.0, offset=1.0)
    group = [right("a", score=logit(0.8)), wrong("b", score=logit(0.3)), wrong("c", rival=1.0)]
    policy = replace(POLICY, gate=gate)
    table = answerability_calibration.brier(group, policy, 50, 1).set_index("estimate")
    assert set(table.cases) == {2} and set(table.right) == {1}
    assert table.loc["before calibration", "Brier score"].startswith("0.065")  # (0.2² + 0.3²) / 2
    assert table.loc["always the share of these cases", "Brier score"].startswith("0.250")
    frame = answerability_calibration.reliability(group, policy)
    assert frame.groupby("panel")["count"].sum().to_dict() == {"before": 2, "after calibration": 2}


# --- choosing -----------------------------------------------------------------------------------------------------------


def banded(*bands):
    """Cases of so many families at a probability: (probability, right ones, wrong ones), more signs with it."""
    group = []
    for p, good, bad, *more in bands:
        signs = {"score": logit(p)} | (more[0] if more else {})
        group += [right(f"r{len(group)}-{n}", **signs) for n in range(good)]
        group += [wrong(f"w{len(group)}-{n}", **signs) for n in range(bad)]
    return group


def chosen(group, checked=True):
    return fitting.choose_threshold(together(*group), group, OPEN, 0.1, 0.95, 1, checked)


def test_the_threshold_is_the_last_before_the_first_that_fails_though_a_looser_one_would_pass():
    group = banded((0.9, 40, 0), (0.8, 0, 10), (0.5, 900, 0))
    assert chosen(group) == 0.81
    assert chosen(banded((0.9, 40, 0), (0.5, 900, 0))) == 0.0
    loose = [e for e in group if OPEN.gate.probability(e.found.signs) >= 0.5]
    assert 10 / len(loose) < 0.02  # what stopping gives away, for the sake of the confidence


def test_no_threshold_is_chosen_where_too_few_families_answer_or_too_many_are_wrong():
    assert chosen(banded((0.9, 28, 0))) is None and chosen(banded((0.9, 29, 0))) == 0.0
    assert chosen(banded((0.9, 30, 10), (0.5, 900, 0))) is None


def test_families_count_for_the_threshold_and_not_phrasings():
    same = [right(f"r{n}", intent="one need", score=logit(0.9)) for n in range(60)]
    assert chosen(same) is None
    one = [wrong(f"w{n}", intent="one wrong need", score=logit(0.9)) for n in range(20)]
    assert chosen([*banded((0.9, 59, 0)), *one]) == 0.0


def test_candidates_that_are_not_released_do_not_count_for_the_threshold():
    good, bad = banded((0.9, 40, 0)), banded((0.9, 0, 20))
    refused = [replace(e, verdicts={**e.verdicts, "strict": ("refused", ("focus",))}) for e in bad]
    assert chosen([*good, *bad]) is None
    assert chosen([*good, *refused]) == 0.0 and chosen([*good, *refused], checked=False) is None
    assert chosen([*good, *banded((0.9, 0, 20, {"rival": 1.0}))]) == 0.0


def test_the_best_balance_weighs_right_answers_against_the_others_and_takes_the_looser_of_equals():
    def balance(group):
        return fitting.best_balance(together(*group), group, OPEN)

    assert balance(banded((0.805, 3, 0), (0.6, 1, 2), (0.4, 0, 5))) == pytest.approx(0.61, abs=0.011)
    assert balance(banded((0.805, 3, 0), (0.6, 3, 2), (0.4, 0, 5))) == pytest.approx(0.41, abs=0.011)
    assert balance(banded((0.5, 0, 3))) == pytest.approx(0.51, abs=0.011)


def test_the_similarity_threshold_is_the_lowest_answerable_one_less_the_slack():
    group = [right("a", similarity=0.8), wrong("b", similarity=0.7), seen(case("u", "missing"), ("keys", KEPT), similarity=0.2)]
    assert policies.fit_similarity(together(*group), group, 0.02) == 0.68


def test_the_least_coverage_parts_right_candidates_from_others():
    group = [right("a", coverage=0.8), right("b", coverage=0.62), wrong("c", coverage=0.58), wrong("d", coverage=0.1)]
    group += [right(f"stopped{n}", coverage=0.2, rival=1.0) for n in range(9)]
    assert policies.fit_covered(together(*group), group, OPEN) == 0.6


# --- declared limits ----------------------------------------------------------------------------------------------------


def broken(limits=None, answered=80, wrong_ones=0, escalated=20, clarified=0, spared=0, lost=""):
    """What outcomes of so many families break; `spared` are unanswerable and escalated, `lost` is the language of what is not answered."""
    rows = [(True, ANSWER, n < wrong_ones, "ro" if n % 2 else "en") for n in range(answered)]
    rows += [(True, ESCALATE, False, lost or ("ro" if n % 2 else "en")) for n in range(escalated)]
    rows += [(False, CLARIFY, False, "ro")] * clarified + [(False, ESCALATE, False, "ro")] * spared
    found = [Outcome(str(n), str(n), able, way, bad) for n, (able, way, bad, _) in enumerate(rows)]
    return declared.failures(found, replace(UNDER, **limits or {}), {str(n): row[-1] for n, row in enumerate(rows)})


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"wrong_ones": 4}, "risk: 4 of 80 answered families wrong, bound 0.111 above 0.1"),
        ({"spared": 70}, "escalate: 90 of 170, above 0.5"),
        ({"clarified": 34}, "clarify: 34 of 134, above 0.25"),
        ({"limits": {"coverage": 0.81}}, "coverage of answerable cases: 80 of 100, under 0.81"),
        ({"escalated": 30, "lost": "en"}, "coverage of answerable cases in en: 40 of 70, under 0.6"),
    ],
)
def test_a_declared_limit_that_is_broken_alone_is_named_alone(made, said):
    assert broken() == [] and broken(**made) == [said]


def test_a_value_exactly_at_its_limit_keeps_it():
    assert broken({"coverage": 0.8, "coverage_language": 0.8, "escalated": 0.2}) == []
    assert broken({"escalated": 0.5, "clarified": 0.2}, escalated=20, spared=30, answered=30, clarified=20, wrong_ones=0) == [
        "coverage of answerable cases: 30 of 50, under 0.7"
    ]


def test_without_an_answer_no_risk_is_shown_and_nothing_is_admissible():
    assert broken({"escalated": 1.0}, answered=0)[0] == "nothing is answered, so that no risk is shown"


def test_the_admissible_policy_of_largest_coverage_is_selected_and_none_where_none_is():
    group = [right(f"r{n}", similarity=n / 40) for n in range(40)] + [seen(case(f"u{n}", "missing"), ("keys", KEPT)) for n in range(10)]

    def answers(least, also=False):
        return lambda e: ANSWER if (e.case.answerable and e.found.similarity >= least) or (also and not e.case.answerable) else ESCALATE

    named = {"never": policies.never, "careful": answers(0.2), "better": answers(0.1), "all": answers(0, also=True)}
    best, why = declared.selected(together(*group), group, named, UNDER)
    assert best == "better" and why["better"] == [] and why["careful"] == [] and why["all"][0].startswith("risk: 10 of 50")
    assert declared.selected(together(*group), group, {n: named[n] for n in ("never", "all")}, UNDER)[0] is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"risk": 0}, "risk is 0; expected a share above 0 and at most 1"),
        ({"coverage": 1.5}, "coverage is 1.5"),
        ({"level": True}, "level is True"),
        ({"clarified": "half"}, "clarified is 'half'"),
        ({"owner": " "}, "declared by an owner, with a reason"),
        ({"luck": 0.5}, "found clarified, .*luck"),
        ({"reason": None}, "expected clarified, .*reason"),
    ],
)
def test_limits_that_cannot_be_meant_are_refused(changes, said, tmp_path):
    def file(values):
        path = tmp_path / "declared.toml"
        path.write_text("".join(f"{k} = {json.dumps(v)}\n" for k, v in values.items() if v is not None), encoding="utf-8")
        return path

    assert declared.load_declared(file(asdict(UNDER))) == UNDER
    with pytest.raises(InputError, match=said):
        declared.load_declared(file(asdict(UNDER) | changes))
    (tmp_path / "torn.toml").write_text("risk = ", encoding="utf-8")
    with pytest.raises(InputError, match=r"torn.toml: not TOML"):
        declared.load_declared(tmp_path / "torn.toml")


def test_the_limits_of_the_checkout_are_declared(root):
    under = declared.load_declared(root / "data" / "boundary" / "declared.toml")
    assert (under.risk, under.level, under.coverage, under.coverage_language) == (0.10, 0.95, 0.70, 0.60)
