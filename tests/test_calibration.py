"""Calibration and risk-coverage: the parts of the Brier score add up, bins keep their edges, curves keep their counts."""

import math
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from sklearn import metrics

from rocite import figures
from rocite.evaluate import calibration
from rocite.evaluate.answerability import curves
from rocite.evaluate.risk import upper_bound
from rocite.stats import exact_interval

CASES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def some_cases(n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    said = np.round(rng.random(n), 6)
    return said, rng.random(n) < said**2, np.array([f"f{i // 4}" for i in range(n)])


# --- Brier score --------------------------------------------------------------------------------------------------


@given(CASES, st.integers(1, 15))
def test_the_parts_of_the_brier_score_add_up(cases, bins):
    found = calibration.brier(*zip(*cases, strict=True), bins)
    assert found.reliability - found.resolution + found.uncertainty + found.within == pytest.approx(found.value, abs=1e-12)
    assert found.reliability - found.generalised_resolution + found.uncertainty == pytest.approx(found.value, abs=1e-12)
    assert min(found.reliability, found.resolution, found.uncertainty, found.within_variance) >= 0


@given(st.lists(st.tuples(st.sampled_from([0.05, 0.25, 0.75, 1.0]), st.booleans()), min_size=1, max_size=40))
def test_nothing_is_left_within_bins_that_hold_one_probability_each(cases):
    assert calibration.brier(*zip(*cases, strict=True), 10).within == pytest.approx(0, abs=1e-12)


@given(CASES)
def test_brier_score_and_log_loss_agree_with_scikit_learn(cases):
    said, right = zip(*cases, strict=True)
    assert calibration.brier(said, right).value == pytest.approx(metrics.brier_score_loss(right, said, pos_label=True), abs=1e-12)
    clipped = np.clip(said, calibration.CLIP, 1 - calibration.CLIP)
    expected = metrics.log_loss(right, clipped, labels=[False, True])
    assert calibration.log_loss(said, right).value == pytest.approx(expected, abs=1e-9)


def test_murphys_parts_of_a_hand_made_example():
    found = calibration.brier([0.2] * 5 + [0.8] * 5, [True] + [False] * 4 + [True] * 3 + [False] * 2, 2)
    assert found.reliability == pytest.approx(0.5 * 0.2**2)  # 0.2 came out at 1/5, 0.8 at 3/5
    assert found.resolution == pytest.approx(0.5 * 0.2**2 + 0.5 * 0.2**2)  # 4/10 of all
    assert found.uncertainty == pytest.approx(0.4 * 0.6)
    assert (found.numerator, found.denominator) == (2.2, 10)


def test_the_interval_of_the_brier_score_draws_whole_families():
    said, right, families = some_cases()
    found = calibration.brier_interval(said, right, families, 500, 3)
    assert found.value == pytest.approx(calibration.brier(said, right).value)
    assert found.low < found.value < found.high
    assert (found.denominator, found.units) == (200, 50)
    # the same case forty times is no more evidence than once
    copies = calibration.brier_interval(np.tile(said, 40), np.tile(right, 40), np.tile(families, 40), 500, 3)
    assert (copies.low, copies.high) == pytest.approx((found.low, found.high))


def test_a_wrong_certainty_costs_what_the_clip_says():
    assert calibration.log_loss([1.0], [False], 0.01).value == pytest.approx(-math.log(0.01))
    with pytest.raises(ValueError, match="clip must lie between 0 and 0.5, both excluded; found 0"):
        calibration.log_loss([1.0], [False], 0)


# --- bins ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(11))
def test_a_probability_at_an_edge_goes_up_and_one_is_in_the_last_bin(number):
    table = calibration.reliability([number / 10], [True])
    assert table.bin[table["count"] == 1].tolist() == [min(number, 9)]
    if number:
        below = calibration.reliability([np.nextafter(number / 10, 0)], [True])
        assert below.bin[below["count"] == 1].tolist() == [number - 1]


def test_bins_of_ones_own_keep_their_edges():
    table = calibration.reliability([0.89, 0.9, 0.99, 1.0], [False, True, True, False], [0, 0.5, 0.9, 0.99, 1])
    assert table[["low", "high", "count", "right"]].to_numpy().tolist() == [[0, 0.5, 0, 0], [0.5, 0.9, 1, 0], [0.9, 0.99, 1, 1], [0.99, 1, 2, 1]]  # fmt: skip


def test_an_empty_bin_keeps_its_row_and_has_no_value():
    table = calibration.reliability([0.05, 0.95, 0.95], [False, True, False])
    assert len(table) == 10 and table["count"].sum() == 3
    assert table.loc[table["count"] == 0, ["probability", "share", "share_low", "share_high"]].isna().all(axis=None)
    last = table.iloc[-1]
    assert (last.share_low, last.share_high) == exact_interval(1, 2)


@given(CASES, st.integers(1, 12))
def test_every_case_is_in_one_bin_and_the_error_is_that_of_the_table(cases, bins):
    said, right = zip(*cases, strict=True)
    table = calibration.reliability(said, right, bins).dropna()
    assert (table["count"].sum(), table.right.sum()) == (len(cases), sum(right))
    assert ((table.low <= table.probability + 1e-12) & (table.probability <= table.high + 1e-12)).all()
    error = calibration.expected_calibration_error(said, right, bins)
    gaps = [n * abs(p - s) for n, p, s in zip(table["count"], table.probability, table.share, strict=True)]
    assert error.value == pytest.approx(sum(gaps) / len(cases), abs=1e-12)
    assert error.value**2 <= calibration.brier(said, right, bins).reliability + 1e-12  # Jensen


@pytest.mark.parametrize(
    ("said", "right", "bins", "message"),
    [
        ([1.2], [True], 10, "between 0 and 1; found 1.2 at position 0, 1 in all"),
        ([0.5, math.nan], [True, True], 10, "found nan at position 1"),
        ([0.5], [True, False], 10, r"one probability and one outcome a case are expected; found \(1,\) and \(2,\)"),
        ([0.5], [True], 0, "at least one bin is expected; found 0"),
        ([0.5], [True], [0, 0.5, 0.5, 1], r"edges must rise from 0 to 1; found \[0.0, 0.5, 0.5, 1.0\]"),
        ([0.5], [True], [0, 0.9], "edges must rise from 0 to 1"),
    ],
)
def test_what_cannot_be_binned_is_refused(said, right, bins, message):
    with pytest.raises(ValueError, match=message):
        calibration.reliability(said, right, bins)


def test_without_cases_there_is_no_value_and_not_nought():
    found = calibration.brier([], [])
    assert (found.value, found.numerator, found.denominator, found.within, found.generalised_resolution) == (None, 0, 0, None, None)
    for estimate in (
        calibration.brier_interval([], [], [], 10, 1),
        calibration.expected_calibration_error([], []),
        calibration.log_loss([], []),
        curves.area_under_risk_coverage(curves.risk_coverage([], [], [], [], [], 0.95)),
    ):
        assert (estimate.value, estimate.numerator, estimate.denominator) == (None, 0, 0)
    assert calibration.reliability([], [])["count"].tolist() == [0] * 10


# --- curves -------------------------------------------------------------------------------------------------------


def hand_made() -> pd.DataFrame:
    """Six cases in four families; the fourth may not be released, the last has no score."""
    return curves.risk_coverage(
        [0.9, 0.8, 0.8, 0.7, 0.6, math.nan],
        [False, True, False, True, True, True],
        [True, False, True, True, True, True],
        ["a", "b", "a", "c", "b", "d"],
        [True, True, True, False, True, True],
        0.95,
    )


def test_a_hand_made_curve_counts_cases_and_families():
    table = hand_made()
    assert list(table.columns) == list(curves.COLUMNS)
    assert table.threshold.tolist() == [0.9, 0.8, 0.6]
    assert table.answers.tolist() == [1, 3, 4]
    assert table.unsupported.tolist() == [0, 1, 2]
    assert table.answered.tolist() == [1, 2, 3]
    assert table.answerable.tolist() == [5, 5, 5]
    assert table.coverage.tolist() == pytest.approx([1 / 5, 2 / 5, 3 / 5])
    assert table.families.tolist() == [1, 2, 2]
    assert table.wrong_families.tolist() == [0, 1, 1]
    assert table.bound.tolist() == [upper_bound(0, 1, 0.95), upper_bound(1, 2, 0.95), upper_bound(1, 2, 0.95)]


def test_the_area_of_the_hand_made_curve():
    found = curves.area_under_risk_coverage(hand_made())
    assert found.value == pytest.approx((0 + 1 / 3 + 1 / 3 + 2 / 4) / 4)  # the two of 0.8 are answered together
    assert found.denominator == 4


def test_the_order_of_equal_scores_does_not_count():
    def area(bad):
        n = len(bad)
        return curves.area_under_risk_coverage(curves.risk_coverage([0.5] * n, bad, [True] * n, range(n), [True] * n, 0.95)).value

    assert area([True, False, False]) == area([False, False, True]) == pytest.approx(1 / 3)


def test_scores_that_differ_past_the_sixth_place_are_one_threshold():
    table = curves.risk_coverage([0.5, 0.5 + 1e-9], [False, True], [True, True], ["a", "b"], [True, True], 0.95)
    assert table.answers.tolist() == [2]


def test_without_an_answerable_case_there_is_no_coverage():
    assert curves.risk_coverage([0.5], [True], [False], ["a"], [True], 0.95).coverage.isna().all()


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="one value a case is expected; found lengths"):
        curves.risk_coverage([0.5], [True, False], [True], ["a"], [True], 0.95)


# --- figures ------------------------------------------------------------------------------------------------------


def reliability_figure(empty: bool = False):
    said, right, _ = (x[:0] if empty else x for x in some_cases())
    panels = (("Before calibration", said), ("After calibration", said**2))
    return figures.reliability_diagram(pd.concat([calibration.reliability(p, right).assign(panel=n) for n, p in panels]).round(3))


def curves_figure(chosen: float | None = 0.4):
    said, right, families = some_cases()
    tables = []
    for name, noise in (("learned gate", 0.0), ("coverage", 0.3), ("similarity", 0.9), ("one of mine", 2.0)):
        score = said + np.random.default_rng(1).normal(0, noise, len(said))
        tables.append(curves.risk_coverage(score, ~right, right, families, np.ones(len(said), bool), 0.95).assign(score=name))
    return figures.risk_coverage_curves(pd.concat(tables).round(3), 0.10, 0.70, chosen=chosen, least=5)


def policies_table() -> pd.DataFrame:
    parts = list(figures.POLICY_OUTCOMES)
    return pd.DataFrame([{"policy": f"p{i}", **dict.fromkeys(parts, 0), parts[i]: 30, parts[-1 - i]: 10} for i in range(3)])


def segments_table() -> pd.DataFrame:
    rows = [("kind", "single", 9, 10), ("kind", "missing", 0, 0), ("language", "română", 3, 12), ("language", "English", 8, 9)]
    found = pd.DataFrame([(p, *r) for p in ("one", "two") for r in rows], columns="policy dimension segment answered answerable".split())
    found["coverage"] = (found.answered / found.answerable).round(3)
    return found.assign(overall=0.645)


DRAWN = {
    "reliability": reliability_figure,
    "reliability_empty": lambda: reliability_figure(empty=True),
    "curves": curves_figure,
    "curves_none_chosen": lambda: curves_figure(None),
    "policies": lambda: figures.policies_compared(policies_table()),
    "segments": lambda: figures.worst_segment(segments_table()),
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_table_gives_the_same_bytes(name, tmp_path):
    written = []
    for run in ("first", "second"):
        (tmp_path / run).mkdir()
        with figures.style():
            figures.save(DRAWN[name](), tmp_path / run / name)
        written.append([(tmp_path / run / f"{name}.{kind}").read_bytes() for kind in ("svg", "png")])
    assert written[0] == written[1]


def texts(name: str) -> set[str]:
    with figures.style():
        figure = DRAWN[name]()
    found = {t.get_text() for ax in figure.axes for t in ax.texts}
    plt.close(figure)
    return found


def test_the_worst_segment_is_named_with_its_counts():
    assert "worst: română, 3/12" in texts("segments")


def test_policies_show_unsupported_answers_over_all_answers():
    assert {"0 of 30 unsupported", "30 of 30 unsupported"} <= texts("policies")


def test_policies_on_different_cases_are_refused():
    table = policies_table()
    table.loc[0, "withheld"] += 1
    with pytest.raises(ValueError, match="policies are compared on the same cases; found {'p0': 41, 'p1': 40, 'p2': 40}"):
        figures.policies_compared(table)


def test_neighbouring_outcomes_differ_in_lightness():
    grey = [float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114))) for colour, *_ in figures.POLICY_OUTCOMES.values()]
    assert min(abs(a - b) for a, b in pairwise(grey)) > 0.07
