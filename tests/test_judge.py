"""A model as a judge: which pairs there are, what agreement counts, what goes to a person, and how a model is asked."""

import json

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from rocite.errors import InputError
from rocite.evaluate import judge, stress
from rocite.evaluate.judge import NONE, NOT, OWN, SUPPORTED, Pair, Verdict
from rocite.evaluate.parts import untouched
from rocite.gates.base import Settings
from rocite.places import root
from rocite.records import dumps
from rocite.report import judge as report
from rocite.workflow import judge as command

COLUMNS = "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label"


def pair(name: str, supported: bool, unit: str = "", **more) -> Pair:
    """A pair without texts; its unit is itself unless one is given."""
    return Pair(name, unit or name, "Casa se închide la 5.", "Casa se închide la 5.", supported, "ro", OWN, **more)


def measured(pairs, verdicts, draws=300, seed=1):
    return judge.agreement(pairs, verdicts, draws, np.random.default_rng(seed))


@pytest.fixture
def pairs():
    return [pair(f"p{n}", n % 3 > 0, unit=f"u{n // 2}") for n in range(30)]


@pytest.fixture
def noisy(pairs):
    """A judge that is often right, with probabilities, and gives no verdict on two pairs."""
    rng = np.random.default_rng(7)
    chances = [round(float(np.clip(0.5 + 0.25 * (1 if p.supported else -1) + rng.normal(0, 0.3), 0, 1)), 4) for p in pairs]
    verdicts = {p.id: Verdict(c >= 0.5, c) for p, c in zip(pairs, chances, strict=True)}
    return {**verdicts, "p4": Verdict(None), "p9": Verdict(None, 0.2)}


# --- pairs ---------------------------------------------------------------------------------------------------------


def test_own_pairs_are_balanced_about_untouched_documents_and_never_called_human():
    items, corpora, _ = command.own_items(root())
    pairs = judge.own_pairs(items, corpora)
    assert len(pairs) >= 200 and len({p.id for p in pairs}) == len(pairs)
    assert sum(p.supported for p in pairs) * 2 == len(pairs)
    assert {sum((p.lang, p.kind) == (lang, kind) for p in pairs) for lang in ("ro", "en") for kind in judge.KINDS} == {8}
    assert all(untouched(p.unit) for p in pairs) and {p.origin for p in pairs} == {"the project's labels"}
    assert "human" not in judge.OWN and "focus" not in {p.kind for p in pairs}
    assert judge.own_pairs(list(reversed(items)), corpora) == pairs
    documents = {d.id: d for c in corpora.values() for d in c.documents}
    by_id = {i.id: i for i in items}
    assert all(p.evidence == documents[by_id[p.id].doc].body for p in pairs)
    assert {p.impact for p in pairs} == {"", "high"}


def test_tuning_pairs_share_no_document_with_those_that_are_reported():
    items, corpora, _ = command.own_items(root())
    tuning, final = judge.own_pairs(items, corpora, "tuning", 3), judge.own_pairs(items, corpora)
    assert not {p.unit for p in tuning} & {p.unit for p in final}


def test_too_few_items_of_a_kind_are_refused():
    item = stress.Item("one", "quantity", True, "ro", "house", "colete", (), "În cât timp?", "În 5 zile.", "It is 6.")
    with pytest.raises(InputError, match="hand-written quantity items in 'ro' about .* documents; expected at least 2"):
        judge.own_pairs([item], {}, stress.part("colete"), 2)


@pytest.fixture
def begin(tmp_path):
    """A made-up file with BEGIN's columns: quotes that are letters, three labels, both parts."""
    labels = ("Fully attributable", "Not fully attributable", "Generic")
    lines = [f'm\tmade\tthe "mill{n // 2} turns slowly.\thow?\tit turns, no. {n}\t{labels[n % 3]}' for n in range(60)]
    path = tmp_path / "begin.tsv"
    path.write_text("\n".join([COLUMNS, *lines]) + "\n", encoding="utf-8")
    return path


def test_begin_is_read_by_part_and_only_full_attribution_is_support(begin):
    final, tuning = judge.begin_pairs(begin, cap=100), judge.begin_pairs(begin, "tuning", 100)
    assert len(final) + len(tuning) == 60 and final and tuning
    assert all(untouched(p.evidence) for p in final) and not any(untouched(p.evidence) for p in tuning)
    assert all(p.supported == (p.kind == "fully attributable") for p in (*final, *tuning))
    assert {p.kind for p in final} == {"fully attributable", "not fully attributable", "generic"}
    assert {p.origin for p in final} == {judge.HUMAN} and all(p.id.startswith("sha256:") and p.unit.startswith("sha256:") for p in final)
    assert all('"mill' in p.evidence for p in final)


def test_the_cap_keeps_the_first_in_the_order_of_hashes_whatever_the_order_of_lines(begin):
    few = judge.begin_pairs(begin, cap=7)
    assert few == judge.begin_pairs(begin, cap=100)[:7]
    first, *rest = begin.read_text(encoding="utf-8").splitlines()
    begin.write_text("\n".join([first, *reversed(rest)]), encoding="utf-8")
    assert judge.begin_pairs(begin, cap=7) == few


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("begin_label", "label", "line 1: lacks the column 'begin_label'"),
        ("Generic", "Perhaps", "line 4: label 'Perhaps'; expected one of"),
    ],
)
def test_a_file_that_is_not_begin_is_refused_with_its_line(begin, old, new, said):
    begin.write_text(begin.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        judge.begin_pairs(begin)


# --- agreement -----------------------------------------------------------------------------------------------------


def test_kappa_is_that_of_scikit_learn_with_no_verdict_as_a_third_outcome(pairs, noisy):
    found = measured(pairs, noisy)
    labels = ["yes" if p.supported else "no" for p in pairs]
    said = [{True: "yes", False: "no", None: "none"}[noisy[p.id].supported] for p in pairs]
    assert found.kappa.value == pytest.approx(cohen_kappa_score(labels, said))
    assert found.kappa.low < found.kappa.value < found.kappa.high and found.kappa.units == 15


def test_the_interval_of_kappa_is_what_drawing_whole_units_one_by_one_gives(pairs, noisy):
    by_unit = {}
    for p in pairs:
        by_unit.setdefault(p.unit, []).append(p)
    rng, sampled = np.random.default_rng(3), []
    for _ in range(400):
        drawn = [p for unit in rng.choice(list(by_unit), len(by_unit)) for p in by_unit[unit]]
        if (value := judge.kappa(drawn, noisy)) is not None:
            sampled.append(value)
    found = measured(pairs, noisy, draws=4000).kappa
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(sampled, [2.5, 97.5])), abs=0.08)


@pytest.mark.parametrize("said", [True, False])
def test_a_judge_that_always_says_the_same_has_kappa_0_and_no_interval(pairs, said):
    found = measured(pairs, judge.always(pairs, said))
    assert found.kappa.value == 0 and found.kappa.low is None
    assert (found.sensitivity.value, found.specificity.value) == (float(said), float(not said))
    assert found.auroc.value is None


def test_kappa_is_undefined_when_labels_and_judge_never_vary():
    alike = [pair(f"p{n}", True) for n in range(4)]
    found = measured(alike, judge.always(alike, True))
    assert found.kappa.value is None and found.raw.value == 1
    assert (found.specificity.value, found.specificity.denominator) == (None, 0)


def test_no_verdict_is_counted_and_agrees_with_neither_label(pairs, noisy):
    found = measured(pairs, noisy)
    assert found.without_verdict == 2 and sum(found.confusion.values()) == found.raw.denominator == 30
    assert found.sensitivity.denominator + found.specificity.denominator == 30
    assert found.confusion[SUPPORTED, NONE] + found.confusion[NOT, NONE] == 2
    assert found.raw.numerator == found.confusion[SUPPORTED, SUPPORTED] + found.confusion[NOT, NOT]
    silent = measured(pairs, {})
    assert silent.without_verdict == 30 and silent.raw.value == 0 and silent.kappa.value == 0


def test_a_missing_probability_stays_in_the_area_as_one_half():
    two = [pair("a", True), pair("b", False)]
    assert measured(two, {"a": Verdict(True, 0.9), "b": Verdict(None)}).auroc.denominator == 1
    assert measured(two, {"a": Verdict(None), "b": Verdict(False, 0.5)}).auroc.value == 0.5


def test_the_threshold_itself_is_support_and_the_best_one_is_found_on_the_pairs_given():
    three = [pair("a", True), pair("b", True), pair("c", False)]
    verdicts = {"a": Verdict(True, 0.9), "b": Verdict(True, 0.8), "c": Verdict(True, 0.7)}
    assert judge.kappa(three, verdicts) == 0
    assert judge.best_threshold(three, verdicts) == 0.8
    assert judge.kappa(three, judge.moved(verdicts, 0.8)) == 1
    assert judge.best_threshold(three, judge.always(three, True)) == 0.5


def test_the_checks_accept_what_the_evidence_says_and_refuse_another_number():
    true = pair("a", True)
    false = Pair("b", "b", true.evidence, "Casa se închide la 8.", False, "ro", OWN)
    assert {k: v.supported for k, v in judge.by_checks([true, false], Settings()).items()} == {"a": True, "b": False}


# --- routing -------------------------------------------------------------------------------------------------------


def test_high_impact_no_verdict_nearness_and_disagreement_send_a_pair_to_a_person():
    five = [pair("sure", True), pair("high", True, impact="high"), pair("mute", True), pair("near", True), pair("split", True)]
    said = {p.id: Verdict(True, 0.9) for p in five} | {"mute": Verdict(None, 0.9), "near": Verdict(True, 0.6)}
    checks = judge.always(five, True) | {"split": Verdict(False)}
    found = judge.route(five, said, checks)
    assert found.to_person == {
        "high": ("high impact",),
        "mute": ("no verdict",),
        "near": ("near the threshold",),
        "split": ("judge and checks disagree",),
    }
    assert [p.id for p in found.left] == ["sure"] and set(found.counts.values()) == {1}


def test_a_pair_is_near_the_threshold_of_its_own_set_and_language():
    two = [pair("ro", True), Pair("en", "en", "", "", True, "en", OWN)]
    said = {"ro": Verdict(True, 0.75), "en": Verdict(True, 0.75)}
    thresholds = {f"{OWN}, en": 0.7}
    assert judge.route(two, said, judge.always(two, True), thresholds).to_person == {"en": ("near the threshold",)}
    assert [v.supported for v in judge.tuned(two, said, {f"{OWN}, ro": 0.8}).values()] == [False, True]


def test_a_probability_just_outside_the_margin_stays_with_the_judge_and_a_pair_may_have_several_reasons():
    [one] = [pair("a", False, impact="high")]
    assert judge.route([pair("b", True)], {"b": Verdict(True, 0.600001)}, {"b": Verdict(True)}).to_person == {}
    found = judge.route([one], {"a": Verdict(True, 0.55)}, {"a": Verdict(None)})
    assert found.to_person["a"] == ("high impact", "near the threshold", "judge and checks disagree") and not found.left


# --- asking --------------------------------------------------------------------------------------------------------


class FakeModel:
    """Says yes where every number of the claim stands in the text, and takes a word for a token."""

    def __init__(self, room: int = 10_000):
        self.identity = {"generator": "fake", "weights": "sha256:none"}
        self.room = room
        self.asked = []

    def fits(self, text):
        return len(text.split()) < self.room

    def tokens(self, text):
        self.asked.append(text)
        block = text.rpartition("\n\n")[2]
        shown, claim = block.splitlines()[0], block.splitlines()[-2]
        yes, no = ("da", "nu") if block.startswith("Text:") and "Afirmație:" in block else ("yes", "no")
        held = all(word in shown for word in claim.split() if word[0].isdigit())
        return [(f" {yes if held else no}", 0.6), (f" {no if held else yes}", 0.3), (" it", 0.1)]


def test_the_prompt_is_in_the_language_of_the_pair_and_ends_where_the_answer_belongs():
    for lang, end in (("ro", "Susținut (da/nu):"), ("en", "Supported (yes/no):")):
        for variant in command.VARIANTS.values():
            asked = Pair("a", "a", "E.\nF.", "S\nT", True, lang, OWN, question="Q?")
            text = command.prompt(variant, asked)
            assert text.endswith(f"S T\n{end}") and text.count("Q?") == 1
            assert text.count(f"{end} {command.ANSWERS[lang][0]}\n") == text.count(f"{end} {command.ANSWERS[lang][1]}\n")
            assert text.count(end) == len(variant.examples) + 1
            assert sum(ok for _, ok in variant.examples) * 2 == len(variant.examples)


def test_the_examples_speak_of_nothing_that_a_document_speaks_of():
    _, corpora, _ = command.own_items(root())
    texts = " ".join(d.passage.lower() for c in corpora.values() for d in c.documents)
    assert not [w for w in "brutări păpuși observator apicultor stup bakery puppet observatory beekeeper".split() if w in texts]


def test_evidence_that_is_too_long_is_cut_to_the_nearest_sentences_and_counted():
    long = Pair("a", "a", " ".join(f"Room {n} opens at {n}." for n in range(200)), "Room 150 opens at 150.", True, "en", OWN)
    model = FakeModel(room=200)
    verdicts, cut = command.ask(model, command.VARIANTS["whole"], [long])
    assert cut == 1 and verdicts["a"].supported is True and "Room 150 opens at 150." in model.asked[0].rpartition("\n\n")[2]
    assert command.ask(FakeModel(room=5), command.VARIANTS["whole"], [long])[0]["a"] == Verdict(None)


@pytest.mark.parametrize(
    ("tokens", "word", "probability"),
    [
        ([(" da", 0.5), (" NU", 0.5)], SUPPORTED, 0.5),
        ([("Nu", 0.7), (" da", 0.1)], NOT, 0.125),
        ([(" poate", 0.7), (" da", 0.1)], NONE, 1.0),
        ([(" poate", 1.0)], NONE, None),
        ([], NONE, None),
    ],
)
def test_what_the_first_token_says_is_a_verdict_or_none(tokens, word, probability):
    found = command.verdict(tokens, "ro")
    assert (found.word, found.probability) == (word, probability)


def test_the_variant_is_chosen_by_area_on_the_tuning_pairs_and_all_are_recorded():
    tuning = {OWN: [pair("a", True), pair("b", False)]}
    good = {"a": Verdict(True, 0.9), "b": Verdict(True, 0.6)}

    def asks(variant, pairs):
        return (good if variant is command.VARIANTS["nearest"] else {"a": Verdict(True, 0.5), "b": Verdict(True, 0.5)}), 0

    chosen, thresholds, did = command.choose(asks, tuning)
    assert chosen == "nearest" and thresholds == {OWN: 0.9} and set(did) == set(command.VARIANTS)
    assert did["nearest"][OWN]["kappa"] == 0 and did["nearest"][OWN]["kappa_at_threshold"] == 1


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    folder = tmp_path_factory.mktemp("begin")
    lines = [f"m\tmade\tThe mill{n} has {n} wheels.\thow?\tit has {n + n % 2} wheels\tFully attributable" for n in range(40)]
    lines = [line if n % 2 == 0 else line.replace("Fully", "Not fully") for n, line in enumerate(lines)]
    begin = folder / "begin.tsv"
    begin.write_text("\n".join([COLUMNS, *lines]), encoding="utf-8")
    record = command.record(root(), FakeModel(), str(begin), {"min_sim": None})
    path = folder / "judge.json"
    path.write_text(command.written(record), encoding="utf-8")
    return path, record


def test_a_recording_is_read_back_and_holds_no_text_of_begin(recording):
    path, record = recording
    pairs, model, checks, manifest = judge.load(path)
    assert len(pairs) == len(record["pairs"]) and {p.origin for p in pairs} == {OWN, judge.HUMAN}
    assert "mill" not in path.read_text(encoding="utf-8")
    assert [dumps(judge.row(p, model[p.id], checks[p.id])) for p in pairs] == [dumps(r) for r in record["pairs"]]
    assert manifest["prompts"] == command.prompts_digest() and manifest["files"]["BEGIN"].startswith("sha256:")
    assert set(manifest["variants"]) == set(command.VARIANTS) and manifest["model"] == FakeModel().identity


def test_what_is_no_recording_is_refused_with_the_command_that_makes_one(tmp_path):
    path = tmp_path / "judge.json"
    path.write_text(json.dumps({"pairs": [{}]}), encoding="utf-8")
    with pytest.raises(InputError, match="not a recording of a judge .*python -m rocite.workflow.judge"):
        judge.load(path)


def test_an_unknown_model_is_refused_before_anything_is_asked(capsys):
    assert command.main(["--model", "ollama:x"]) != 0
    assert "expected llamacpp or gguf:PATH" in capsys.readouterr().err


def test_the_recording_that_is_kept_belongs_to_the_prompts_and_pairs_of_now():
    path = root() / "data" / "recorded" / "judge.json"
    if not path.exists():
        pytest.skip("no recording yet: python -m rocite.workflow.judge")
    pairs, _, _, manifest = judge.load(path)
    items, corpora, _ = command.own_items(root())
    assert manifest["prompts"] == command.prompts_digest()
    now = judge.own_pairs(items, corpora)
    assert [(p.id, p.supported) for p in pairs if p.origin == OWN] == [(p.id, p.supported) for p in now]
    assert all(p.id.startswith("sha256:") for p in pairs if p.origin == judge.HUMAN)


# --- what is shown -------------------------------------------------------------------------------------------------


def test_the_tables_have_one_row_a_judge_and_set_and_the_words_do_not_flatter(recording):
    pairs, model, checks, manifest = judge.load(recording[0])
    by = report.judges(pairs, model, checks, manifest["thresholds"])
    found = report.agreements(pairs, by, 200, np.random.default_rng(1))
    table = report.agreement_table(found)
    assert len(table) == 2 * len(by) and not table.duplicated(["labels", "judge"]).any()
    yes = table[(table.judge == report.YES) & (table.labels == OWN)].iloc[0]
    assert yes.kappa == "0.00" and yes.sensitivity.startswith("112/112") and yes.AUROC == "n/a (0)"
    assert len(report.confusion_table(found)) == 2 * len(table)
    assert len(report.kind_table(pairs, by)) == len({(p.origin, p.kind) for p in pairs})
    assert len(report.variants_table(manifest)) == 3 * len(command.VARIANTS)
    assert len(report.agreement_table(report.agreements_by_language(pairs, by, 50, np.random.default_rng(1)))) == 3 * len(by)
    routed = report.routings(pairs, model, checks, manifest["thresholds"])
    shown = report.routing_table(routed, by, 200, np.random.default_rng(1))
    assert list(shown["labels"]) == [OWN, judge.HUMAN]
    words = report.answer(found, routed)
    assert "the project's labels" in words and "BEGIN's human labels" in words


def test_a_judge_at_chance_is_said_to_be_one(pairs):
    rng = np.random.default_rng(5)
    chance = {p.id: Verdict(bool(rng.random() < 0.5), 0.5) for p in pairs}
    by = report.judges(pairs, chance, judge.always(pairs, True), {OWN: 0.5}) | {report.MOVED: chance}
    found = report.agreements(pairs, by, 300, np.random.default_rng(1))
    words = report.answer(found, {OWN: judge.route(pairs, chance, chance)})
    assert "no better than chance can be shown" in words and "decides nothing" in words
    assert "no human labels in this recording" in words


def test_an_interval_below_0_is_called_worse_than_chance(pairs):
    against = {p.id: Verdict(not p.supported) for p in pairs} | {"p1": Verdict(True)}
    assert report.worth(measured(pairs, against)) == "worse than chance"


def test_the_numbers_are_recorded_by_set_and_judge(recording):
    class Run:
        def __init__(self):
            self.numbers = {}

        def number(self, path, value, text="", **more):
            self.numbers[path] = value

    pairs, model, checks, manifest = judge.load(recording[0])
    by = report.judges(pairs, model, checks, manifest["thresholds"])
    run = Run()
    found = report.agreements(pairs, by, 50, np.random.default_rng(1))
    report.record(run, found, report.routings(pairs, model, checks, manifest["thresholds"]))
    assert run.numbers["judge/own/always_yes/kappa"] == 0 and "judge/begin/model_tuned/raw" in run.numbers
    assert "judge/own/checks/auroc" not in run.numbers and "judge/own/to_person" in run.numbers
