"""The wrong-answer budget: its bounds, what is chosen, what is refused, and releases of systems that were made up."""

import json
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from rocite import figures, places
from rocite.errors import InputError
from rocite.evaluate import budget, risk, signed
from rocite.evaluate.budget import Answer, Counts
from rocite.evaluate.gold import Item, Passage
from rocite.evaluate.parts import untouched
from rocite.report import budget as chapter
from rocite.workflow import release

ROOT = places.root()

# --- bounds ------------------------------------------------------------------------------------------------------


def test_no_wrong_family_of_29_is_the_least_that_shows_ten_percent():
    assert risk.upper_bound(0, 29, 0.95) == pytest.approx(1 - 0.05 ** (1 / 29)) == pytest.approx(0.098, abs=5e-4)
    assert risk.upper_bound(0, 28, 0.95) > 0.10
    assert risk.needed(0.10, 0.95) == 29 and risk.needed(0.05, 0.95) == 59 and risk.needed(0.01, 0.95) == 299


@given(st.integers(1, 60), st.integers(0, 60), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_bound_is_that_of_scipy(families, wrong, level):
    wrong = min(wrong, families)
    expected = binomtest(wrong, families, alternative="less").proportion_ci(level, method="exact").high
    assert risk.upper_bound(wrong, families, level) == pytest.approx(expected)


@given(st.integers(0, 30), st.sampled_from([0.05, 0.1, 0.3]), st.sampled_from([0.9, 0.95]))
def test_the_families_needed_are_the_fewest_that_show_the_rate(wrong, rate, level):
    fewest = risk.needed(rate, level, wrong)
    assert risk.upper_bound(wrong, fewest, level) <= rate < risk.upper_bound(wrong, fewest - 1, level)


def test_at_an_observed_rate_there_may_be_no_number_that_would_do():
    assert risk.needed_at(0.0, 0.10, 0.95) == 29
    assert risk.needed_at(0.10, 0.10, 0.95) is None and risk.needed_at(0.7, 0.10, 0.95) is None
    assert risk.needed_at(0.09, 0.10, 0.95) > 1000


# --- counting ----------------------------------------------------------------------------------------------------


def answer(name, label="right", family=None, score=1.0, accepted=True, answerable=True, retrieved=True):
    needs = ((Passage("d"),),) if answerable else ()
    item = Item(name, f"{name}?", "tuning", family or name, needs, stratum="user" if answerable else "unanswerable", lang="ro")
    return Answer(item, label, accepted, retrieved if answerable else None, {"coverage": score})


def test_without_an_answer_there_is_no_risk_and_nothing_is_shown():
    for answers in ([], [answer("a"), answer("b", "wrong")]):
        found = budget.count(answers, budget.never, 0.95)
        assert found.risk is None and found.bound is None and not found.shows(0.999)
    assert budget.count([answer("a")], budget.never, 0.95).coverage == 0.0
    assert budget.count([answer("a", "wrong", answerable=False)], budget.always, 0.95).coverage is None


def test_a_family_is_wrong_when_one_of_its_shown_answers_is():
    answers = [answer("a", "right", "f"), answer("b", "wrong", "f"), answer("c", "overclaimed", "g"), answer("d", "right", "h")]
    found = budget.count(answers, budget.always, 0.95)
    assert (found.families, found.wrong_families, found.wrong, found.right) == (3, 2, 2, 2)
    kept = budget.count([*answers[:1], answer("b", "wrong", "f", accepted=False)], budget.strict, 0.95)
    assert (kept.families, kept.wrong_families) == (1, 0)


def test_incomplete_is_counted_apart_and_abstentions_and_errors_are_never_shown():
    answers = [answer("a", "incomplete"), answer("b", "abstains"), answer("c", "error")]
    found = budget.count(answers, budget.always, 0.95)
    assert (found.shown, found.incomplete, found.wrong_families, found.errors, found.items) == (1, 1, 0, 1, 3)


def test_exactly_the_threshold_is_shown_and_an_answer_without_score_is_not():
    rule = budget.at_least("coverage", 0.5)
    assert rule(answer("a", score=0.5)) and not rule(answer("b", score=0.499999)) and not rule(answer("c", score=None))
    assert not rule(answer("d", score=0.9, accepted=False))


# --- choosing ----------------------------------------------------------------------------------------------------


def points(*pairs):
    """Points of a curve, strictest first, each of (families, wrong families)."""
    return [budget.Point(1 - n / 10, Counts(0, 100, f, f - w, 0, w, 0, f, w, 0.95)) for n, (f, w) in enumerate(pairs)]


@pytest.mark.parametrize(
    ("pairs", "taken"),
    [
        (((10, 0), (30, 0), (50, 1), (80, 2)), 3),  # the last of those that hold
        (((10, 0), (30, 0), (50, 3), (90, 3)), 1),  # the last would hold by itself, and is behind one that does not
        (((10, 5), (30, 0), (50, 9)), 1),  # the first is too small to be tested
        (((30, 1), (50, 1)), None),  # the first that is tested fails: none, though the second would hold
        (((10, 0), (28, 0)), None),  # never enough families: the strictest is not taken instead
        ((), None),
    ],
)
def test_the_fixed_sequence_takes_the_last_point_before_the_first_that_fails(pairs, taken):
    found = points(*pairs)
    assert budget.choose(found, 0.10) == (None if taken is None else found[taken])


def test_a_least_number_of_families_passes_over_what_is_smaller():
    found = points((29, 0), (35, 1))
    assert budget.choose(found, 0.10) == found[0] and budget.choose(found, 0.10, 30) is None
    assert budget.choose(found, 0.20, 30) == found[1]


def test_the_curve_is_nested_and_its_strict_end_has_no_risk():
    answers = [answer(f"a{n}", "wrong" if n % 3 == 0 else "right", score=n / 50) for n in range(40)]
    frame = budget.frame(budget.curve(answers, "coverage", 0.95))
    assert frame.threshold.is_monotonic_decreasing and frame.shown.is_monotonic_increasing and frame.coverage.is_monotonic_increasing
    assert frame.risk.isna().equals(frame.shown == 0) and frame.risk.isna().iloc[0]
    assert (frame.shown.iloc[-1], frame.wrong.iloc[-1]) == (40, 14)


def test_a_lower_rate_never_shows_more_on_a_system_that_is_often_wrong():
    answers = [answer(f"a{n}", "wrong" if n % 2 else "right", score=n / 100) for n in range(90)]
    found = budget.curve(answers, "coverage", 0.95)
    lowest = budget.lowest_rate(found, 30)
    assert budget.choose(found, 0.10, 30) is None
    assert lowest > 0.5 and budget.choose(found, lowest, 30) and budget.choose(found, round(lowest - 0.01, 2), 30) is None


def test_an_answer_of_either_kind_is_needed_to_tell_a_score_and_the_first_score_is_taken_when_none_can_be():
    perfect = [Answer(a.item, a.label, True, True, dict.fromkeys(budget.SCORES, 0.5)) for a in (answer("a"), answer("b"))]
    found = budget.separations(perfect, 200, 1)
    assert {e.value for e in found.values()} == {None} and budget.best_score(found) == "coverage"
    told = budget.separation([answer("a", score=0.9), answer("b", "wrong", score=0.2)], "coverage", 200, 1)
    assert told.value == 1.0 and told.denominator == 1


# --- what is signed ----------------------------------------------------------------------------------------------

SIGNED = {
    "rate": 0.10,
    "level": 0.95,
    "owner": "release owner",
    "date": "2026-07-15",
    "reason": "every answer is read",
    "system": "extractive",
    "retriever": "bm25",
    "k": 1,
    "gates": "strict",
}


def write(path, record):
    path.write_text("".join(f"{k} = {json.dumps(v)}\n" for k, v in record.items() if v is not None), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["owner", "date", "reason", "rate"])
def test_a_budget_that_lacks_a_part_of_its_signature_is_refused(tmp_path, name):
    with pytest.raises(InputError, match=f"lacks {name}; a budget is signed"):
        signed.load_budget(write(tmp_path / "budget.toml", {**SIGNED, name: None}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"owner": " "}, "owner is ' '.*signature"),
        ({"reason": ""}, "reason is ''"),
        ({"date": "July"}, "date is 'July'; expected a date"),
        ({"rate": 0.0}, "rate is 0.0.*above 0 and below 1"),
        ({"rate": 1}, "rate is 1;.*above 0 and below 1"),
        ({"level": 1.0}, "level is 1.0"),
        ({"system": "extractiv"}, "unknown system under a budget 'extractiv'. Did you mean 'extractive'"),
        ({"gates": "article"}, "unknown gates under a budget 'article'"),
        ({"k": 0}, "k is 0"),
        ({"budget": 1}, "unknown budget"),
    ],
)
def test_a_budget_that_cannot_be_used_says_why(tmp_path, change, said):
    with pytest.raises(InputError, match=said):
        signed.load_budget(write(tmp_path / "budget.toml", SIGNED | change))


def test_the_projects_budget_and_threshold_can_be_read_and_name_tuning_families_alone():
    found = signed.load_budget(ROOT / "data" / "budget.toml")
    recorded = signed.load_threshold(ROOT / "data" / "threshold.toml")
    assert (recorded.rate, recorded.retriever) == (found.rate, found.retriever)
    lines = (ROOT / "data" / "questions" / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    parts = {item["family"]: item["part"] for item in map(json.loads, lines)}
    assert {parts[family] for family in recorded.families} == {"tuning"}


# --- releases of systems that were made up -------------------------------------------------------------------------

COUNT = 90
SYLLABLES = ("ba", "co", "di", "fu", "ge", "lo", "mi", "nu", "pe", "ra")


def place(n):
    """A made-up name that shares its beginning with no other."""
    return (SYLLABLES[n % 10] + SYLLABLES[n // 10] + SYLLABLES[(n + 3) % 10] + "zum").capitalize()


@pytest.fixture
def made_up(tmp_path):
    """A corpus of rules, one question to each, and the arguments of the command; `right`: whether the labels agree with the extractor."""

    def make(right=True):
        documents = [{"id": f"d{n}", "title": place(n), "text": f"Biletul la {place(n)} costă {n + 11} lei."} for n in range(COUNT)]
        asked = [
            {
                "id": f"q{n}",
                "question": f"Cât costă biletul la {place(n)}?",
                "label": "in",
                "docs": [f"d{n if right else (n + 1) % COUNT}"],
                "family": f"family-{n}",
            }
            for n in range(COUNT)
        ]
        for name, records in (("corpus.jsonl", documents), ("gold.jsonl", asked)):
            text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
            (tmp_path / name).write_text(text, encoding="utf-8")
        defaults = (ROOT / "notebooks" / "params" / "default.toml").read_text(encoding="utf-8")
        write(tmp_path / "budget.toml", SIGNED | {"k": tomllib.loads(defaults)["k"]["value"]})
        files = {"budget": "budget.toml", "threshold": "threshold.toml", "corpus": "corpus.jsonl", "gold": "gold.jsonl"}
        return [*(f"--{name}={tmp_path / file}" for name, file in files.items()), "--retriever=bm25"]

    return make


def test_a_perfect_system_is_released(made_up, capsys, tmp_path):
    arguments = made_up()
    assert release.main([*arguments, "--tune"]) == 0
    record = signed.load_threshold(tmp_path / "threshold.toml")
    assert record.value is not None and not any(map(untouched, record.families))
    capsys.readouterr()
    assert release.main(arguments) == 0
    out = capsys.readouterr().out
    assert "signed      release owner, 2026-07-15" in out and "because     every answer is read" in out
    assert re.search(r"wrong       0/\d+ families \(0.000\), upper bound 0.0\d\d, at coverage ", out)
    assert "needed      29 answered families with 0 wrong ones" in out and out.rstrip().endswith("OK          the budget is shown")


def test_a_bad_system_is_not_released_and_says_that_the_checks_alone_were_measured(made_up, capsys):
    arguments = made_up(right=False)
    assert release.main([*arguments, "--tune"]) == 0
    capsys.readouterr()
    assert release.main(arguments) == 1
    out = capsys.readouterr().out
    assert "is admissible" in out and "the checks alone are measured" in out and "no number would do" in out
    assert "FAIL        no threshold was admissible on the tuning families; the bound 1.000 is above the rate 0.100" in out
    assert release.main([*arguments, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["shown"] is False and found["counts"]["bound"] == 1.0 and found["manifest"]["budget"]["owner"] == "release owner"


def refused(arguments, capsys):
    capsys.readouterr()
    assert release.main(arguments) == 2
    return capsys.readouterr().err


def test_a_threshold_is_refused_when_its_record_does_not_fit(made_up, capsys, tmp_path):
    arguments = made_up()
    path = tmp_path / "threshold.toml"
    assert "cannot be read" in refused(arguments, capsys)
    release.main([*arguments, "--tune"])
    text = path.read_text(encoding="utf-8")
    other = next(f"family-{n}" for n in range(COUNT) if untouched(f"family-{n}"))
    own = next(f"family-{n}" for n in range(COUNT) if not untouched(f"family-{n}"))
    value = re.search(r"\nvalue = (\S+)\n", text)[1]
    for old, new, said in (
        (f'"{own}",', f'"{own}", "{other}",', f"chosen on the untouched family '{other}'"),
        (f'"{own}",', f'"{own}", "elsewhere",', "names the family 'elsewhere', which the gold set lacks"),
        (f'"{own}",', "", f"the tuning family '{own}' had no say"),
        ('gold_version = "sha256:', 'gold_version = "sha256:0', "gold set: it was chosen for sha256:0"),
        ('corpus_digest = "sha256:', 'corpus_digest = "sha256:0', "documents: it was chosen for sha256:0"),
        ("rate = 0.1\n", "rate = 0.2\n", "rate: it was chosen for 0.2, here is 0.1"),
        ("min_focus = ", "min_focus = 1", "setting min_focus"),
        (f"value = {value}", "value = 0.99", f"it says 0.99, the tuning families say {value}"),
        ("admissible = true", "admissible = false", "admissible = False with value"),
        ('score = "', 'score = "x', "unknown score"),
        ("method = ", "methods = ", "lacks method"),
    ):
        assert text.count(old) >= 1, old
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        error = refused(arguments, capsys)
        assert said in error, error


def test_a_threshold_edited_by_hand_is_one_clear_error(made_up, capsys, tmp_path):
    arguments = made_up()
    path = tmp_path / "threshold.toml"
    assert "Choose it anew: make tune." in refused(arguments, capsys)
    release.main([*arguments, "--tune"])
    text = path.read_text(encoding="utf-8")
    before, after = text.split("[settings]")[0], text.split("[families]")[1]
    for new in (
        text.replace('score = "', 'score = ["x"] # ', 1),
        f"{before}settings = 4\n[families]{after}",
        text.replace("[settings]\n", '[settings]\n"a\\nb" = 1\n', 1),
        text.replace('date = "', "date = 2026-12-01 # ", 1),
        text[: len(text) // 2],
        *(text[: text.index(table)] for table in ("[settings]", "[tried", "[manifest]", "[families]")),
    ):
        path.write_text(new, encoding="utf-8")
        error = refused(arguments, capsys)
        assert error.startswith(f"rocite: {path}") and error.count("\n") == 1 and "Choose it anew: make tune." in error, error


def test_a_family_with_a_line_separator_in_its_name_is_written_whole(made_up, capsys, tmp_path):
    arguments = made_up()
    path = tmp_path / "gold.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"family-', '"fam\\u2028ily \\u0085\\"-'), encoding="utf-8")
    assert release.main([*arguments, "--tune"]) == 0
    assert all("\u2028" in name for name in signed.load_threshold(tmp_path / "threshold.toml").families)
    assert release.main(arguments) == 0


def test_a_signature_cannot_pass_for_a_result(made_up, capsys, tmp_path):
    arguments = made_up(right=False)
    release.main([*arguments, "--tune"])
    path = tmp_path / "budget.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('owner = "', 'owner = "x\\nOK the budget is shown\\u001b[2J', 1), encoding="utf-8"
    )
    capsys.readouterr()
    assert release.main(arguments) == 1
    out = capsys.readouterr().out
    assert not any(line.startswith("OK") for line in out.splitlines()) and "\x1b" not in out


def test_a_stopped_tuning_leaves_the_old_threshold(made_up, capsys, tmp_path, monkeypatch):
    arguments = made_up()
    release.main([*arguments, "--tune"])
    before, files = (tmp_path / "threshold.toml").read_bytes(), sorted(p.name for p in tmp_path.iterdir())
    capsys.readouterr()

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("rocite.records.os.replace", stop)
    assert release.main([*arguments, "--tune"]) == 130
    assert capsys.readouterr().err == "rocite: stopped\n"
    assert (tmp_path / "threshold.toml").read_bytes() == before and sorted(p.name for p in tmp_path.iterdir()) == files


def test_a_budget_signed_for_another_system_is_refused(made_up, capsys):
    arguments = made_up()
    assert "signed for retriever = bm25; what would be released has tfidf" in refused([*arguments, "--retriever=tfidf"], capsys)


def test_a_gold_set_of_one_part_cannot_be_released_on(made_up, capsys, tmp_path):
    arguments = made_up()
    lines = (tmp_path / "gold.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "gold.jsonl").write_text("".join(r for r in lines if not untouched(json.loads(r)["family"])), encoding="utf-8")
    release.main([*arguments, "--tune"])
    assert "no untouched item" in refused(arguments, capsys)


# --- the chapter ---------------------------------------------------------------------------------------------------

BUDGET = signed.Budget(**SIGNED)


def told(answers, rule, chosen=None):
    asked, by = chapter.systems(answers, rule), chapter.by_retrieval(answers, rule)
    return chapter.answer(BUDGET, chosen, "coverage", budget.curve(answers, "coverage", 0.95), 30, asked, by)


def test_the_chapter_says_no_with_its_coverage_and_yes_only_with_a_threshold():
    bad = [answer(f"a{n}", "wrong" if n % 2 else "right") for n in range(60)]
    assert told(bad, budget.strict).startswith("**No.**") and "30 of 60 families" in told(bad, budget.strict)
    good = [answer(f"a{n}") for n in range(60)]
    point = budget.choose(budget.curve(good, "coverage", 0.95), 0.10, 30)
    assert told(good, budget.at_least("coverage", point.threshold), point).startswith("**Yes.**")
    assert told(good, budget.strict).startswith("**No.**"), "nothing was chosen"
    assert "nothing is shown, so that there is no rate" in told(good, budget.never)


def test_tables_show_what_is_undefined_as_such():
    answers = [answer("a"), answer("b", "wrong", answerable=False)]
    table = chapter.table(chapter.systems(answers, budget.strict), 0.95, 200, 1).set_index("which")
    assert table.loc["never answer", "share"] == "n/a (0)" and table.loc["never answer", "coverage"] == "0/1"
    groups = chapter.table(chapter.groups(answers, budget.strict), 0.95, 200, 1).set_index("which")
    assert groups.loc["unanswerable", "coverage"] == "n/a (0)" and set(groups.index) == {"all", "user", "unanswerable", "lang:ro"}


@pytest.mark.parametrize("chosen", [None, 0.3])
def test_the_figure_is_drawn_with_and_without_a_chosen_point(chosen):
    answers = [answer(f"a{n}", "wrong" if n % 9 == 0 else "right", score=n / 80) for n in range(80)]
    frame = budget.frame(budget.curve(answers, "coverage", 0.95))
    with figures.style():
        figure = figures.budget_curve(frame, 0.1, 29, chosen, alone=(1.0, 0.1), trivial=(float("nan"), float("nan")))
    said = [t.get_text() for t in figure.axes[0].texts]
    assert ("no threshold is admissible" in said) == (chosen is None)
