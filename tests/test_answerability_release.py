"""The record of the answer boundary, read with what it was made for or not at all, and the release checklist, which can fail."""

import csv
import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from answerability_cases import CORPUS, KEPT, PART_OF, case, document, record, right, seen, together, unanswerable, written  # fmt: skip

from rocite import check, embed, generate
from rocite.boundary import bundle as bundles
from rocite.boundary import messages, release, routes
from rocite.boundary.bundle_parts import parts
from rocite.boundary.bundle_store import rendered
from rocite.boundary.examine import Examiner
from rocite.boundary.service import BY_HAND, UNASSESSED, Service
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.answerability import cases as case_set
from rocite.evaluate.answerability import checklist, examined, recorded
from rocite.gates.base import Settings
from rocite.records import sha256_of_file, write_jsonl
from rocite.workflow import boundary as command

# --- the record ---------------------------------------------------------------------------------------------------------

RECORDS = [
    record(variant="paraphrase"),
    unanswerable("missing", id="q2", intent="need-2", question="Who may copy the key?", variant="paraphrase", documents="held"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A throw-away folder with cases, a bundle and what was recorded with it."""
    top = tmp_path_factory.mktemp("boundary")
    folder, store = top / "data", top / "recorded"
    written(folder_of(folder) / "cases.jsonl", *RECORDS)
    (folder / "parts.toml").write_text("".join(f'[{p}]\ndocuments = ["{n}"]\n' for n, p in PART_OF.items()), encoding="utf-8")
    cases = case_set.load(folder / "cases.jsonl", CORPUS, case_set.load_parts(folder / "parts.toml"))
    here = parts(embed.load("tfidf"), None, generate.load("copy", generate.Options()), Settings())
    bundle = bundles.freeze("made", CORPUS, here, 3, BY_HAND, UNASSESSED, {"ro": 0.0, "en": 1.0})
    (folder_of(folder / "bundles") / f"{bundle.short}.json").write_text(rendered(bundle), encoding="utf-8")
    (folder / "current").write_text(bundle.hash + "\n", encoding="utf-8")
    fitted = {"bundle": bundle.hash, "covered": 0.5, "similarity": 0.1, "selected": None, "breaks": {}, "fitted_on": {"training": ["house"]}, "threshold_admissible": False}  # fmt: skip
    (folder / "fitted.json").write_text(json.dumps(fitted), encoding="utf-8")
    found = examined.examine(cases.cases, Examiner(CORPUS, embed.load("tfidf"), BY_HAND, 3), Settings())
    examined.write(folder_of(store) / "examined.jsonl", found)
    write_jsonl(store / "stress.jsonl", [])
    files = {f.name: sha256_of_file(f) for f in sorted(store.glob("*.jsonl"))}
    manifest = {"cases": cases.version, "corpus": CORPUS.digest, "bundle": bundle.hash, "files": files, "denied": 4}
    (store / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder, store, found


def folder_of(path):
    path.mkdir(parents=True, exist_ok=True)
    return path


def test_a_record_is_read_with_what_it_was_made_for(made):
    folder, store, found = made
    bench = recorded.load(folder, store, CORPUS)
    assert [replace(e, found=None) for e in bench.part("training", "acceptance")] == [replace(e, found=None) for e in found]
    assert [e.found.picks[0].text for e in bench.part("training")] == [KEPT]
    assert (bench.selected, bench.denied, bench.fitted_on, bench.threshold_admissible) == (None, 4, {"house"}, False)
    assert bench.policy == UNASSESSED and recorded.load(folder, store, CORPUS, 0.7).policy.threshold == 0.7


def test_what_was_examined_is_the_same_after_it_was_recorded(made):
    _, store, found = made
    examined.write(store / "again", examined.read(store / "examined.jsonl", [e.case for e in found]))
    assert (store / "again").read_bytes() == (store / "examined.jsonl").read_bytes()


@pytest.mark.parametrize("name", ["cases", "corpus", "bundle", "files"])
def test_a_record_of_other_cases_documents_or_another_bundle_is_refused_and_what_differs_is_named(name, made, tmp_path):
    folder, store, _ = made
    for path in store.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    manifest = json.loads((store / "manifest.json").read_text(encoding="utf-8"))
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {name: "sha256:other"}), encoding="utf-8")
    with pytest.raises(InputError, match=f"recorded with other {name} than those that are here; run: make boundary"):
        recorded.load(folder, tmp_path, CORPUS)


def test_a_case_or_a_document_that_was_changed_afterwards_makes_the_record_another_ones(made, tmp_path):
    folder, store, _ = made
    for path in (p for p in folder.rglob("*") if p.is_file()):
        folder_of((tmp_path / path.relative_to(folder)).parent)
        (tmp_path / path.relative_to(folder)).write_bytes(path.read_bytes())
    written(tmp_path / "cases.jsonl", {**RECORDS[0], "reason": "Stated twice."}, RECORDS[1])
    with pytest.raises(InputError, match="recorded with other cases than"):
        recorded.load(tmp_path, store, CORPUS)
    other = Corpus((*CORPUS.documents, document("more", "The lift stops at 22:00.")), CORPUS.name)
    with pytest.raises(InputError, match="recorded with other corpus than"):
        recorded.load(folder, store, other)
    written(tmp_path / "cases.jsonl", *RECORDS)
    fitted = json.loads((folder / "fitted.json").read_text(encoding="utf-8"))
    (tmp_path / "fitted.json").write_text(json.dumps(fitted | {"bundle": "sha256:other"}), encoding="utf-8")
    with pytest.raises(InputError, match="recorded with other fitted values than"):
        recorded.load(tmp_path, store, CORPUS)


@pytest.mark.parametrize(("text", "said"), [(None, "cannot be read"), ('{"cases": "sha', "not JSON"), ("[]", "expected an object"), ("{}", "other cases, corpus, bundle")])  # fmt: skip
def test_a_record_that_is_missing_torn_or_empty_is_refused(text, said, made, tmp_path):
    folder, store, _ = made
    for path in store.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "manifest.json").unlink() if text is None else (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        recorded.load(folder, tmp_path, CORPUS)


def test_without_a_bundle_the_command_says_how_one_is_made(tmp_path):
    with pytest.raises(InputError, match="no bundle; run: make boundary"):
        command.current_hash(tmp_path)


# --- the release checklist ------------------------------------------------------------------------------------------------


def test_a_rule_without_an_owner_fails_the_point_on_owners():
    assert checklist.owners(CORPUS)[0]
    for metadata in ({"revision": "3"}, {"scope": "security"}, {"authority": "manual"}, {"effective_from": "2026-01-01"}):
        holds, said = checklist.owners(Corpus((*CORPUS.documents, document("orphan", "Nobody answers for it.", **metadata)), "x"))
        assert not holds and "without: orphan" in said
    assert not checklist.owners(Corpus((document("plain", "It rules nothing."),), "x"))[0]


def test_a_label_that_does_not_go_with_its_units_fails_the_point_on_labels():
    assert checklist.labels(together(right("a"), seen(case("u", "missing"))))[0]
    for bad in (replace(case("a"), units=()), replace(case("u", "missing"), units=case("a").units)):
        assert not checklist.labels(together(right("b"), seen(bad)))[0]


SUITE = {"security": {"disclosed": 0, "attempts": 500, "interfering": 0}, "timing": {"auroc": 0.5}}


@pytest.mark.parametrize(
    ("suite", "name", "value", "holds"),
    [
        ("security", "disclosed", 0, True),
        ("security", "disclosed", 1, False),
        ("security", "attempts", 499, False),
        ("security", "interfering", 1, False),
        ("timing", "auroc", 0.45, True),
        ("timing", "auroc", 0.55, True),
        ("timing", "auroc", 0.4499, False),
        ("timing", "auroc", 0.5501, False),
    ],
)
def test_anything_disclosed_or_told_by_time_fails_the_point_on_denials(suite, name, value, holds):
    assert checklist.denials(SUITE | {suite: SUITE[suite] | {name: value}})[0] == holds


def test_fitting_that_takes_acceptance_cases_or_was_done_on_them_fails_the_point_on_isolation(monkeypatch):
    cases = together(right("a"), right("b", documents="held"))
    fitted = {"fitted_on": {"training": ["house"]}, "cases": cases.version}
    assert checklist.isolation(cases, fitted)[0]
    assert not checklist.isolation(cases, fitted | {"fitted_on": {"training": ["house", "held"]}})[0]
    assert not checklist.isolation(cases, fitted | {"cases": "sha256:other"})[0]
    assert not checklist.isolation(together(right("a")), fitted)[0]  # nothing to refuse, so nothing was shown
    monkeypatch.setattr(checklist.fitting, "training", lambda cases, given, pool: [])
    holds, said = checklist.isolation(cases, fitted)
    assert not holds and said.startswith("refused 1 of 2 tries")


TABLES = {
    "answerability_policies": ["policy", "measure", "value", "numerator", "denominator", "low", "high", "units"],
    "answerability_segments": ["policy", "by", "segment", "answered", "covered", "answerable", "unsupported", "wrong_families", "families"],
}


@pytest.mark.parametrize("lacks", [None, "denominator", "units", "segment", "wrong_families", "answerability_segments"])
def test_a_table_that_is_not_there_or_lacks_a_denominator_fails_the_point_on_counts(lacks, tmp_path):
    folder = folder_of(tmp_path / "build" / "default" / "tables")
    for name, columns in TABLES.items():
        if name != lacks:
            with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerow([c for c in columns if c != lacks])
    holds, said = checklist.numerators(tmp_path)
    assert holds == (lacks is None) and (lacks is None or lacks in said)


def test_a_bundle_that_is_not_there_or_not_of_these_documents_fails_the_point_on_the_bundle(made, monkeypatch):
    here = parts(embed.load("tfidf"), None, generate.load("copy", generate.Options()), Settings())
    bundle = bundles.freeze("made", CORPUS, here, 3, BY_HAND, UNASSESSED, {"ro": 0.0, "en": 1.0})
    monkeypatch.setattr(checklist, "default_bundles", lambda: SimpleNamespace(current=lambda: bundle))
    assert checklist.assessed(CORPUS) == (True, f"{bundle.short}, unchanged")
    holds, said = checklist.assessed(Corpus(CORPUS.documents[:-1], CORPUS.name))
    assert not holds and said
    monkeypatch.setattr(checklist, "default_bundles", lambda: SimpleNamespace(current=lambda: None))
    assert checklist.assessed(CORPUS) == (False, "there is no bundle; run: make boundary")


def test_no_admissible_policy_fails_the_point_on_limits():
    assert checklist.admissible({"selected": "learned gate", "breaks": {}}) == (True, "learned gate")
    holds, said = checklist.admissible({"selected": None, "breaks": {"a": ["x"], "b": ["y"]}})
    assert not holds and said.startswith("none of 2 policies is")


def test_the_drill_holds_as_the_service_is():
    holds, said = checklist.drill()
    assert holds and said.startswith("7 of 7 drills")


def accepted_without_looking(judge, seconds):
    fragment = check.Fragment("rule", "Cererea se depune la ghișeu în cel mult 10 zile.", lang="ro")
    judged = check.judge("În câte zile se depune cererea?", (fragment,), f"{fragment.text}\nSURSE: 1", Settings())
    assert judged.verdict == "accepted"
    return judged, ""


def test_the_drill_fails_when_the_service_shows_an_answer_without_a_check(monkeypatch):
    monkeypatch.setattr(release, "checked", accepted_without_looking)
    holds, said = checklist.drill()
    assert not holds and said.startswith("1 of 7 drills")


@pytest.mark.parametrize(
    ("where", "name", "instead", "kept"),
    [
        (messages, "told", lambda found, owner: "Nu pot răspunde.", 1),  # names nobody to turn to
        (Service, "_ticket", lambda self, response, record: True, 1),  # says that somebody was asked
        (routes, "ROUTE_OF", dict.fromkeys(routes.ROUTE_OF, routes.WITHHOLD), 6),  # answers nothing at all
    ],
)  # fmt: skip
def test_the_drill_fails_when_a_fallback_is_not_honest_or_nothing_is_answered(where, name, instead, kept, monkeypatch):
    monkeypatch.setattr(where, name, instead)
    holds, said = checklist.drill()
    assert not holds and said.startswith(f"{kept} of 7 drills")


def test_a_point_that_cannot_be_looked_at_does_not_hold_and_the_others_are_still_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(checklist, "drill", lambda: (True, "drilled"))
    monkeypatch.setattr(checklist, "assessed", lambda corpus: 1 / 0)
    (folder_of(tmp_path / "data" / "recorded" / "boundary") / "manifest.json").write_text('{"torn', encoding="utf-8")
    found = {p.asked: p for p in checklist.points(tmp_path, CORPUS, together(right("a"), right("b", documents="held")))}
    assert len(found) == 8 and sum(p.holds for p in found.values()) == 3
    assert found["the bundle is the one that was assessed"].found.startswith("could not be looked at (ZeroDivisionError")
    assert found["denied access reveals nothing"].found.startswith("could not be looked at (JSONDecodeError")
    assert "fitted.json" in found["a policy keeps the declared limits"].found


def test_the_command_returns_1_unless_every_point_holds(monkeypatch, capsys):
    on = SimpleNamespace(top=None, corpus=None, cases=None)
    points = [checklist.Point("one", True, "seen"), checklist.Point("two", False, "not seen")]
    monkeypatch.setattr(checklist, "points", lambda *_: points)
    assert command.release_check(on) == 1 and capsys.readouterr().out == "ok   one: seen\nFAIL two: not seen\n"
    points.pop()
    assert command.release_check(on) == 0
