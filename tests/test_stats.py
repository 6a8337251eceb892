"""Statistics and rankings on hand-computed examples; intervals against independent implementations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import roc_auc_score

from rocite import stats
from rocite.retrieve import ranking

SCORES = st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=1, max_size=12).map(np.array)
DRAWS = 400


def rng():
    return np.random.default_rng(1)


def own(values):
    """Each item is its own unit."""
    return np.array([f"u{i}" for i in range(len(values))])


# --- margin and thresholds --------------------------------------------------------------------------------


def test_the_published_margin_is_negative():
    assert stats.margin(np.array([0.90, 0.697]), np.array([0.611, 0.773])) == pytest.approx(-0.076)


def test_populations_that_touch_have_margin_zero():
    assert stats.margin(np.array([0.5, 0.9]), np.array([0.5, 0.1])) == 0.0


@pytest.mark.parametrize(("share", "threshold"), [(1.0, 0.1), (0.99, 0.1), (0.76, 0.1), (0.75, 0.5), (0.5, 0.6), (0.25, 0.9), (0.01, 0.9)])
def test_the_threshold_keeps_at_least_the_share_and_is_the_highest_that_does(share, threshold):
    assert stats.threshold_keeping(np.array([0.6, 0.1, 0.9, 0.5]), share) == threshold


@given(SCORES, st.sampled_from([0.5, 0.7, 0.9, 0.95, 1.0]))
def test_the_threshold_keeps_the_share_of_any_scores(scores, share):
    threshold = stats.threshold_keeping(scores, share)
    assert (scores >= threshold).mean() >= share - 1e-9
    higher = scores[scores > threshold]
    assert not len(higher) or (scores >= higher.min()).mean() < share


# --- AUROC ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("legitimate", "impostors", "value", "wins", "pairs"),
    [([0.9, 0.8], [0.1], 1.0, 2, 2), ([0.1], [0.9, 0.8], 0.0, 0, 2), ([0.5], [0.5], 0.5, 0.5, 1), ([0.9, 0.5], [0.5, 0.7], 0.625, 2.5, 4)],
)
def test_auroc_counts_pairs_and_ties_as_half(legitimate, impostors, value, wins, pairs):
    a, b = np.array(legitimate), np.array(impostors)
    found = stats.auroc(a, b, own(a), own(b), DRAWS, rng())
    assert (found.value, found.numerator, found.denominator, found.units) == (value, wins, pairs, len(a) + len(b))


@given(SCORES, SCORES)
def test_auroc_agrees_with_scikit_learn_and_lies_in_its_bounds(a, b):
    found = stats.auroc(a, b, own(a), own(b), 50, rng())
    labels = [1] * len(a) + [0] * len(b)
    assert found.value == pytest.approx(roc_auc_score(labels, np.concatenate([a, b])))
    assert 0 <= found.low <= found.high <= 1


def test_items_of_one_unit_are_drawn_together():
    a, b = np.array([0.9, 0.8, 0.2, 0.1] * 5), np.array([0.5])
    apart = stats.auroc(a, b, own(a), own(b), DRAWS, rng())
    together = stats.auroc(a, b, np.array(["x", "x", "y", "y"] * 5), own(b), DRAWS, rng())
    assert (together.units, apart.units) == (3, 21)
    assert (together.low, together.high) == (0.0, 1.0)  # two units: both good, both bad, or one of each
    assert apart.low > 0.1 and apart.high < 0.9


# --- impostors admitted -----------------------------------------------------------------------------------


def test_impostors_at_the_threshold_are_admitted():
    a, b = np.array([0.9, 0.6, 0.5, 0.1]), np.array([0.5, 0.49, 0.7, 0.0])
    found = stats.admitted(a, b, 0.75, own(a), own(b), DRAWS, rng())
    assert (found.value, found.numerator, found.denominator, found.units) == (0.5, 2, 4, 8)
    assert 0 <= found.low <= 0.5 <= found.high <= 1


def test_keeping_every_legitimate_question_is_an_extreme_value_without_interval():
    a, b = np.array([0.9, 0.4]), np.array([0.5, 0.4, 0.3])
    found = stats.admitted(a, b, 1.0, own(a), own(b), DRAWS, rng())
    assert (found.numerator, found.denominator, found.low, found.high) == (2, 3, None, None)


def test_with_one_unit_of_each_kind_every_draw_is_the_sample():
    a, b = np.array([0.9, 0.6, 0.5, 0.1]), np.array([0.5, 0.49, 0.7, 0.0])
    found = stats.admitted(a, b, 0.75, np.full(4, "x"), np.full(4, "y"), DRAWS, rng())
    assert (found.low, found.value, found.high, found.units) == (0.5, 0.5, 0.5, 2)


# --- rates ------------------------------------------------------------------------------------------------


def test_a_rate_returns_its_numerator_denominator_and_units():
    found = stats.rate(np.array([True, False, True, True]), np.array(["a", "a", "b", "c"]), DRAWS, rng())
    assert (found.value, found.numerator, found.denominator, found.units) == (0.75, 3, 4, 3)
    assert 0.0 <= found.low < 0.75 < found.high == 1.0


def test_a_rate_over_nothing_is_undefined_and_not_zero():
    assert stats.rate(np.array([]), np.array([]), DRAWS, rng()) == stats.Estimate(None, 0, 0, None, None, 0)


@pytest.mark.parametrize("value", [0, 1])
def test_where_all_or_none_are_right_the_interval_is_exact_over_units(value):
    found = stats.rate(np.full(20, value), np.repeat(["a", "b", "c", "d"], 5), DRAWS, rng())
    exact = binomtest(4 * value, 4).proportion_ci(method="exact")
    assert (found.low, found.high, found.units) == (pytest.approx(exact.low), pytest.approx(exact.high), 4)
    assert (found.value, found.denominator) == (value, 20)


@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 7), (7, 7), (6, 12), (4, 12), (1, 100)])
def test_the_exact_interval_agrees_with_scipy(successes, n):
    expected = binomtest(successes, n).proportion_ci(confidence_level=0.95, method="exact")
    assert stats.exact_interval(successes, n) == pytest.approx((expected.low, expected.high))


def test_seven_of_seven_still_allows_four_in_ten_wrong():
    assert stats.exact_interval(7, 7)[0] == pytest.approx(0.025 ** (1 / 7))


# --- margin by size ---------------------------------------------------------------------------------------


def test_all_questions_give_the_margin_itself():
    a, b = np.array([0.9, 0.7, 0.8]), np.array([0.5, 0.75, 0.1])
    assert stats.margin_by_size(a, b, own(a), own(b), 3, 20, rng()) == pytest.approx(np.full(20, -0.05))


def test_a_larger_sample_has_a_lower_mean_margin():
    a, b = rng().normal(0.7, 0.1, 60), rng().normal(0.5, 0.1, 60)
    means = [stats.margin_by_size(a, b, own(a), own(b), size, 500, rng()).mean() for size in (2, 10, 50)]
    assert means == sorted(means, reverse=True)


def test_a_subsample_takes_whole_units():
    a, b = np.array([0.9, 0.1, 0.8, 0.7]), np.array([0.0, 0.0])
    found = stats.margin_by_size(a, b, np.array(["x", "x", "y", "y"]), own(b), 2, 300, rng())
    assert set(found.round(6)) == {0.1, 0.7}  # apart, 0.8 would come too: the pair 0.9 and 0.8


def test_more_questions_than_there_are_is_refused():
    a = np.array([0.9, 0.1])
    with pytest.raises(ValueError, match="3 of each kind asked for, 2 and 1 there are"):
        stats.margin_by_size(a, a[:1], own(a), own(a[:1]), 3, 5, rng())


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    a, b = np.linspace(0.3, 0.9, 15), np.linspace(0.1, 0.7, 15)
    first, again, other = (stats.auroc(a, b, own(a), own(b), DRAWS, np.random.default_rng(s)) for s in (1, 1, 2))
    assert first == again
    assert (first.low, first.high) != (other.low, other.high)


# --- ranking ----------------------------------------------------------------------------------------------


def test_ties_are_decided_by_id():
    assert ranking(np.array([0.5, 0.5, 0.9, 0.5]), ["c", "a", "z", "b"]) == [2, 1, 3, 0]


def test_scores_that_differ_in_the_seventh_place_are_a_tie_and_in_the_sixth_are_not():
    assert ranking(np.array([0.5, 0.5000001]), ["a", "b"]) == [0, 1]
    assert ranking(np.array([0.5, 0.500001]), ["a", "b"]) == [1, 0]


@given(st.lists(st.sampled_from([0.1, 0.2, 0.2000000001, 0.3]), min_size=1, max_size=8), st.randoms())
def test_the_order_in_which_documents_stand_never_decides(scores, random):
    ids = [f"d{i}" for i in range(len(scores))]
    expected = [ids[i] for i in ranking(np.array(scores), ids)]
    shuffled = list(zip(scores, ids, strict=True))
    random.shuffle(shuffled)
    new_scores, new_ids = zip(*shuffled, strict=True)
    assert [new_ids[i] for i in ranking(np.array(new_scores), new_ids)] == expected


def test_a_perfect_order_gets_an_exact_interval_and_not_certainty():
    rng = np.random.default_rng(1)
    high, low = np.array([0.8, 0.9, 0.95, 0.85]), np.array([0.1, 0.2, 0.3, 0.4])
    units = np.array(["a", "b", "c", "d"])
    area = stats.auroc(high, low, units, units, 200, rng)
    assert (area.value, area.high) == (1.0, 1.0)
    assert area.low == pytest.approx(stats.exact_interval(4, 4)[0]) and area.low < 0.4
    none = stats.admitted(high, low, 0.95, units, units, 200, rng)
    assert (none.value, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(stats.exact_interval(0, 4)[1])
