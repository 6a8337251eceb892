"""Simulated data sets: what is drawn agrees with its closed form, and a method that does not hold is found out."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PathCollection
from scipy.stats import binom, binomtest, norm

from rocite import figures, stats
from rocite.evaluate import risk, simulate
from rocite.evaluate.simulate import Curve, Held, Method, Pair, Scores, Setting
from rocite.report import method_check as chapter

SETS = 1500
SURE = 0.9999  # a wrong method has to be found out far beyond chance, a right one may not be


def held(holds, under=0, over=0, silent=0, nominal=0.95, **more):
    return Held("m", "s", nominal, True, holds, under, over, silent, **more)


def agrees(found: Held, share: float) -> bool:
    """Whether the share that held is compatible with the one expected."""
    return binomtest(found.estimate.numerator, found.estimate.denominator, share).pvalue > 1 - SURE


# --- what is drawn -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [Setting(40_000, 3, 0.03), Setting(40_000, 3, 0.5), Setting(40_000, 5, 0.2, 0.1)])
def test_families_have_the_mean_the_correlation_and_the_share_with_any_wrong_that_are_told(setting):
    wrong = setting.draw(np.random.default_rng(1)).reshape(setting.families, setting.items)
    assert wrong.mean() == pytest.approx(setting.mean, abs=5 * 0.5 / math.sqrt(wrong.size))
    assert wrong.any(1).mean() == pytest.approx(setting.any_wrong, abs=5 * 0.5 / math.sqrt(setting.families))
    together = np.corrcoef(wrong[:, 0], wrong[:, 1])[0, 1]
    assert together == pytest.approx(setting.correlation, abs=0.04)


def test_items_stand_in_the_order_of_their_families():
    setting = Setting(3, 2, 0.5)
    assert setting.units.tolist() == [0, 0, 1, 1, 2, 2] and setting.draw(np.random.default_rng(1)).shape == (6,)


def test_scores_have_the_auroc_that_is_told():
    scores = Scores(3000, 0.7)
    good, bad = scores.draw(np.random.default_rng(1))
    assert (good[:, None] > bad).mean() == pytest.approx(scores.truth, abs=0.03)
    assert scores.truth == pytest.approx(norm.sf(0, loc=0.7, scale=math.sqrt(2)))


@pytest.mark.parametrize("less", [0.0, 0.4, 1.0])
def test_two_systems_differ_by_what_is_told(less):
    pair = Pair(Setting(40_000, 3, 0.2), less)
    assert pair.draw(np.random.default_rng(1)).mean() == pytest.approx(pair.truth, abs=0.01)
    assert pair.truth == pytest.approx(0.2 * less)


def test_a_curve_has_the_risk_and_the_coverage_that_are_told_at_every_threshold():
    curve = Curve(200_000, 0.8, 1.5)
    for threshold, (wrong, answered) in zip(simulate.GRID, curve.draw(np.random.default_rng(1)), strict=True):
        assert answered / curve.families == pytest.approx(1 - threshold, abs=0.006)
        assert not answered or wrong / answered == pytest.approx(curve.risk(threshold), abs=5 * 0.5 / math.sqrt(answered))


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.3])
def test_answering_all_of_a_curve_is_over_the_rate(rate):
    assert simulate.curve_under(rate).risk(0) > rate


# --- what is counted -----------------------------------------------------------------------------------------------


def test_silence_is_counted_and_keeps_only_the_promise_of_a_threshold():
    assert held(80, under=5, over=5, silent=10).estimate.value == 0.8
    assert held(80, under=5, over=5, silent=10, silence_holds=True).estimate.value == 0.9
    found = held(0, silent=4).estimate
    assert (found.value, found.denominator, found.low) == (0.0, 4, 0.0)


def test_a_method_is_short_when_its_whole_interval_is_and_not_when_it_ends_on_the_line():
    high = stats.exact_interval(90, 100)[1]
    assert held(90, under=10, nominal=high + 1e-9).below() and not held(90, under=10, nominal=high).below()
    assert held(90, under=10, nominal=0.97).below() and not held(90, under=10, nominal=0.97).below(SURE)


@pytest.mark.parametrize(
    ("low", "high", "outcome"), [(0.1, 0.2, "under"), (0.4, 0.5, "over"), (0.3, 0.5, "holds"), (0.1, 0.3, "holds"), (None, None, "silent")]
)
def test_an_interval_holds_the_truth_up_to_its_ends(low, high, outcome):
    source, method = Setting(5, 1, 0.3), Method("m", 0.95, lambda data, rng: simulate._against(low, high, 0.3))
    (found,) = simulate.run(source, [method], 3, 1)
    assert {name: getattr(found, name) for name in ("holds", "under", "over", "silent")}[outcome] == 3


def test_methods_see_the_same_data_sets_and_settings_others():
    def seen(source, seed):
        data = [[], []]
        methods = [Method("m", 0.95, lambda wrong, rng, mine=mine: mine.append(wrong.tolist()) or "holds") for mine in data]
        simulate.run(source, methods, 5, seed)
        assert data[0] == data[1]
        return data[0]

    first = seen(Setting(20, 3, 0.3), 1)
    assert first == seen(Setting(20, 3, 0.3), 1) and len({str(d) for d in first}) == 5
    assert first != seen(Setting(20, 3, 0.3), 2)
    assert first != seen(Setting(20, 3, 0.31), 1)
    here, there = (simulate.generator(Setting(20, 3, mean), 1) for mean in (0.3, 0.31))
    assert here.random() != there.random(), "settings share their luck"


def test_no_data_sets_are_no_measurement():
    with pytest.raises(ValueError, match="0 data sets asked for; expected at least 1"):
        simulate.run(simulate.SCORES, [], 0, 1)


def test_a_replay_gives_what_new_generators_would():
    a, b = simulate.SCORES.draw(np.random.default_rng(1))
    few, units, fewer = b[:30], np.arange(40), np.arange(30)
    replay = simulate.Replay(7)
    for good, bad, others in ((a, b, units), (b, a, units)):
        new = stats.auroc(good, bad, units, others, 50, np.random.default_rng(7))
        assert stats.auroc(good, bad, units, others, 50, replay.again()) == new
    assert stats.auroc(a, few, units, fewer, 50, simulate.Replay(7)) == stats.auroc(a, few, units, fewer, 50, np.random.default_rng(7))


# --- whether the count is right: coverages that are known ------------------------------------------------------------


def run(setting, method, sets=SETS):
    (found,) = simulate.run(setting, [method], sets, 1)
    return found


@pytest.mark.parametrize("mean", [0.03, 0.2])
def test_with_single_items_the_exact_interval_holds_as_often_as_the_binomial_says(mean):
    """With one item a family the number of wrong ones is binomial, and the coverage is a finite sum."""
    n = 60
    ends = [stats.exact_interval(k, n) for k in range(n + 1)]
    expected = sum(binom.pmf(k, n, mean) for k, (low, high) in enumerate(ends) if low <= mean <= high)
    assert agrees(run(Setting(n, 1, mean), simulate.over_items(Setting(n, 1, mean))), expected)


@pytest.mark.parametrize("setting", [Setting(60, 3, 0.03), Setting(60, 3, 0.2)])
def test_the_bound_holds_as_often_as_the_binomial_of_families_says(setting):
    n, p = setting.families, setting.any_wrong
    expected = sum(binom.pmf(k, n, p) for k in range(n + 1) if risk.upper_bound(k, n, 0.95) >= p)
    found = run(setting, simulate.family_bound(setting, 0.95))
    assert expected >= 0.95 and agrees(found, expected) and found.over == 0


def test_items_for_independent_hold_as_often_as_the_design_effect_says():
    """Kish 1965: the variance is 1 + (items - 1) * correlation times what independent items would have."""
    setting = Setting(400, 5, 0.5, 0.3)
    found = run(setting, simulate.over_items(setting))
    assert found.estimate.value == pytest.approx(2 * norm.cdf(1.96 / math.sqrt(1 + 4 * 0.3)) - 1, abs=0.04)
    assert found.below(SURE)


def test_the_bootstrap_holds_with_many_wrong_families_and_falls_short_with_few():
    often, rare = Setting(60, 3, 0.5), Setting(60, 3, 0.03)
    good, bad = (run(s, simulate.over_families(s, 500, 1)) for s in (often, rare))
    assert not good.below(SURE) and good.estimate.value > 0.92
    assert bad.below(SURE) and bad.under > 5 * bad.over, "where little is wrong, the interval lies under the truth"


# --- what is broken is found out -------------------------------------------------------------------------------------


def test_a_bound_at_the_wrong_level_is_found_out(monkeypatch):
    setting = Setting(60, 3, 0.2)
    assert not run(setting, simulate.family_bound(setting, 0.95)).below(SURE)
    monkeypatch.setattr(simulate, "upper_bound", lambda wrong, families, level: risk.upper_bound(wrong, families, 0.8))
    assert run(setting, simulate.family_bound(setting, 0.95)).below(SURE)


def test_a_bootstrap_that_draws_items_apart_is_found_out(monkeypatch):
    setting, rate = Setting(60, 3, 0.5), stats.rate
    monkeypatch.setattr(stats, "rate", lambda wrong, units, draws, seed: rate(wrong, np.arange(len(wrong)), draws, seed))
    assert run(setting, simulate.over_families(setting, 500, 1)).below(SURE)


def test_an_auroc_interval_of_half_its_width_is_found_out(monkeypatch):
    whole = simulate.run(simulate.SCORES, [simulate.auroc(simulate.SCORES, 200, 1)], 600, 1)[0]
    auroc = stats.auroc

    def narrow(*given):
        e = auroc(*given)
        return stats.Estimate(e.value, low=(e.low + e.value) / 2, high=(e.high + e.value) / 2)

    monkeypatch.setattr(stats, "auroc", narrow)
    half = simulate.run(simulate.SCORES, [simulate.auroc(simulate.SCORES, 200, 1)], 600, 1)[0]
    assert not whole.below(SURE) and half.below(SURE)


def test_a_difference_that_is_not_paired_with_its_families_is_found_out(monkeypatch):
    pair = Pair(Setting(40, 6, 0.3, 0.6), 0.8)
    paired = stats.paired_difference
    assert not run(pair, simulate.difference(pair, 500, 1)).below(SURE)
    monkeypatch.setattr(stats, "paired_difference", lambda d, units, draws, seed: paired(d, np.arange(len(d)), draws, seed))
    assert run(pair, simulate.difference(pair, 500, 1)).below(SURE)


def loosest(tested, rate, level):
    """Whatever passes at a level that is no longer that of the bound."""
    return max(
        (n for n, (wrong, answered) in enumerate(tested) if answered and risk.upper_bound(wrong, answered, 0.5) <= rate), default=None
    )


def test_a_threshold_chosen_without_its_bound_is_found_out(monkeypatch):
    tested, looking = simulate.thresholds(SETS, 0.1, 0.95, 1)
    assert not tested.below(SURE) and looking.below(SURE)
    assert tested.over == looking.over == 0 and tested.silent > looking.silent
    assert tested.coverage < tested.possible < 1
    monkeypatch.setattr(simulate, "fixed_sequence", loosest)
    assert simulate.thresholds(SETS, 0.1, 0.95, 1)[0].below(SURE)


def test_a_threshold_is_over_the_rate_only_past_it():
    curve = Curve(100, 0.6, 1.0)  # a risk of 0.3 at 0, of 0.15 at 0.5
    found = simulate.kept([0.5, 0.475, None, 1.0], "m", curve, 0.15, 0.95)
    assert (found.holds, found.under, found.silent) == (2, 1, 1)
    assert found.coverage == pytest.approx((0.5 + 0.525 + 0 + 0) / 4) and found.possible == 0.5


def test_the_best_looking_threshold_answers_somebody_and_reaches_the_rate_exactly():
    assert simulate.best_looking([(0, 0), (2, 10)], 0.1) is None
    assert simulate.best_looking([(0, 0), (1, 10), (2, 11)], 0.1) == 1


def test_a_rate_that_cannot_be_shown_is_silence_and_nothing_broken():
    tested, _ = simulate.thresholds(50, 0.01, 0.95, 1)
    assert (tested.silent, tested.estimate.value, tested.coverage) == (50, 1.0, 0.0)


# --- the chapter -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    return [*simulate.shares(400, 0.95, 1), *simulate.comparisons(60, 1), *simulate.thresholds(60, 0.1, 0.95, 1)]


class Run:
    """Keeps the numbers; one path may come once."""

    def __init__(self):
        self.numbers = {}

    def number(self, path, value, text=None, **more):
        assert path not in self.numbers
        self.numbers[path] = value


def test_every_check_stands_in_the_figure_once_apart_by_use(found):
    frame = chapter.frame(found)
    with figures.style():
        figure = figures.observed_coverage(frame.round(3))
    drawn = [[t.get_text() for t in ax.texts] for ax in figure.axes]
    points = [[c for c in ax.collections if isinstance(c, PathCollection)] for ax in figure.axes]
    plt.close(figure)
    for texts, own, used in zip(drawn, points, (True, False), strict=True):
        rows = frame[frame.used == used]
        assert [x for points in own for x, _ in points.get_offsets()] == pytest.approx(rows.value.round(3).tolist())
        assert set(rows.method) <= set(texts) and "says 0.95" in texts
    assert len(frame) == len(found)


def test_the_chapter_says_plainly_where_the_bootstrap_fails(found):
    said = chapter.answer(found, 0.1)
    rare = next(h for h in found if h.method == simulate.BOOTSTRAP and h.setting == "60 families of 3, 0.03 wrong")
    assert said.startswith("**Not every one.**") and f"{rare.holds}/400" in said
    tested = next(h for h in found if h.method == simulate.SEQUENCE)
    assert f"in {tested.under} of all 60 data sets" in said and f"In {tested.silent} it chooses none" in said


def test_the_chapter_says_yes_only_when_nothing_falls_short(found):
    all_hold = [Held(h.method, h.setting, h.nominal, h.used, 60, 0, 0, 0, h.silence_holds, h.coverage, h.possible) for h in found]
    assert chapter.answer(all_hold, 0.1).startswith("**Yes, as far as 60 data sets each can tell.**")
    assert "falls short in none of 7 settings" in chapter.answer(all_hold, 0.1)


def test_tables_show_every_count_and_fewest_wrong_families_first(found):
    table = chapter.table(found)
    assert (table[["truth above", "truth below", "silent"]].sum(axis=1) <= [h.estimate.denominator for h in found]).all()
    assert table.use.value_counts().to_dict() == {"in use": 18, "mistake": 8}
    shares = chapter.share_table(found)
    expected = shares["families with a wrong item, expected"].astype(int).tolist()
    assert expected == sorted(expected) and len(shares) == len(simulate.SETTINGS)
    thresholds = chapter.threshold_table(found[-2:], 0.1)
    assert thresholds["risk over 0.10"].tolist() == [f"{h.under}/60" for h in found[-2:]]


def test_every_number_is_recorded_once_with_the_count_of_those_that_fall_short(found):
    run = Run()
    chapter.record(run, found, 60)
    assert run.numbers["method_check/short"] == sum(h.below() for h in found if h.used)
    assert run.numbers["method_check/bootstrap_over_families/60_families_of_3_0.03_wrong/held"] == found[0].estimate.value
    assert run.numbers["method_check/fixed-sequence_testing/120_families_0.17_wrong_in_all/exceeded"] == found[-2].under / 60
