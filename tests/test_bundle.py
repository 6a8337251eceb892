"""Frozen bundles and ``rocite bundle``: one hash over everything, changed files refused, two policies compared by arithmetic."""

import json
from dataclasses import fields, replace

import pytest

from rocite import cli, generate, retrieve
from rocite.audit import AuditLog
from rocite.boundary import bundle_parts, bundle_store, reassess, shadow
from rocite.boundary.bundle import Bundle, bundle_from, freeze, with_values
from rocite.boundary.bundle_parts import parts, shares
from rocite.boundary.bundle_store import BundleStore
from rocite.boundary.evidence import SIGNALS, Picker
from rocite.boundary.examine import Examiner
from rocite.boundary.found import SIGNS, Request
from rocite.boundary.policy import Gate, Limits, Policy
from rocite.boundary.service import Service, Terms
from rocite.corpus import Corpus, Document
from rocite.embed.tfidf import TfidfEmbedder
from rocite.errors import InputError
from rocite.gates.base import Settings
from rocite.generate import Options
from rocite.records import dumps

EVEN = Gate(("score",), (1.0,), 0.0)  # the probability is the sigmoid of the score: 0.5 at 0, 0.731 at 1, 0.881 at 2
POLICY = Policy("bounded", Limits(sister=0.5, sibling=0.7, rival=0.3, retired=1.0), EVEN, 0.7)
WEIGHTS = tuple(float(n) for n in range(len(SIGNALS)))
CENTRE = (("en", (0.5, 0.25)), ("ro", (0.125, -1.5)))
HALF = {"ro": 0.5, "en": 0.5}


def document(name, body="Taxa este de 5 lei.", **metadata):
    return Document(name, f"Titlu {name}", body, lang="ro", metadata=tuple(sorted(metadata.items())))


CORPUS = Corpus((*(document(n) for n in ("a", "b", "c")), document("d", scope="office|hangar")), "made")


def made_with(settings=None, gates="strict"):
    return parts(TfidfEmbedder("tfidf"), retrieve.load("bm25"), generate.load("extractive", Options()), settings or Settings(), gates)


def frozen(name="first", corpus=CORPUS, policy=POLICY, languages=HALF, **changed):
    picker = Picker(WEIGHTS, CENTRE)
    return replace(freeze(name, corpus, made_with(), 5, picker, policy, languages), **changed)


@pytest.fixture
def store(tmp_path, monkeypatch) -> BundleStore:
    """A project without bundles of its own, and the reader's folder, both away from the checkout."""
    monkeypatch.setenv("ROCITE_BUNDLES", str(tmp_path / "own"))
    monkeypatch.setenv("ROCITE_AUDIT", str(tmp_path / "audit"))
    made = BundleStore(tmp_path / "shipped", tmp_path / "own")
    monkeypatch.setattr(bundle_store, "default_store", lambda: made)
    return made


@pytest.fixture
def rocite(store, capsys):
    """Runs the command; returns status, output and messages."""

    def run(*arguments):
        code = cli.main(["bundle", *arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


# --- one hash over everything -----------------------------------------------------------------------------------------

ANOTHER = {
    "name": "second",
    "index": lambda b: {**b.index, "corpus": "sha256:0"},
    "permissions": lambda b: {**b.permissions, "a": ["office"]},
    "embedder": lambda b: {**b.embedder, "identity": {"weights": "sha256:0"}},
    "retriever": lambda b: {**b.retriever, "name": "e5"},
    "documents": 6,
    "picker": lambda b: {**b.picker, "centre": {"ro": [0.25, -1.0]}},
    "prompt": "sha256:0",
    "generator": lambda b: {**b.generator, "options": {**b.generator["options"], "max_tokens": 7}},
    "checks": lambda b: {**b.checks, "code": "sha256:0"},
    "policy": lambda b: {**b.policy, "threshold": 0.8},
    "languages": {"ro": 0.6, "en": 0.4},
}


@pytest.mark.parametrize("part", [f.name for f in fields(Bundle)])
def test_another_value_of_any_part_is_another_hash(part):
    one, value = frozen(), ANOTHER[part]
    other = replace(one, **{part: value(one) if callable(value) else value})
    assert other.hash != one.hash and other.short != one.short
    assert bundle_from(json.loads(dumps(other.as_dict()))) == other


def test_a_bundle_gives_back_the_policy_and_the_weights_that_it_was_frozen_from():
    made = frozen()
    assert made.policy_object == POLICY
    assert made.picker_object == Picker(WEIGHTS, CENTRE)
    again = bundle_from(json.loads(dumps(made.as_dict())))
    assert again == made and again.hash == made.hash and made.hash == f"sha256:{made.short}{made.hash[19:]}"
    made.as_dict()["policy"]["threshold"] = 0.1
    assert made.hash == again.hash


def test_weights_of_signals_that_this_version_does_not_measure_are_not_used():
    with pytest.raises(InputError, match="weighs the signals .*smell.*; this version measures near, .*Use the version"):
        _ = frozen(picker={"weights": {"smell": 1.0}, "centre": {}}).picker_object


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("name", "two words", "expected letters, digits"),
        ("documents", 0, "expected a whole number from 1"),
        ("documents", True, "expected a whole number from 1"),
        ("languages", {"ro": 1.2, "en": 0.0}, "shares from 0 to 1"),
        ("languages", {"ro": 1.0}, "languages has ro"),
        ("picker", {"weights": {"near": float("nan")}, "centre": {}}, "not a bundle"),
        ("picker", {"weights": {"near": 1.0}, "centre": {"ro": ["x"]}}, "a list of numbers for each language"),
        ("index", {"corpus": "x", "documents": {"a": "sha256:0"}}, "the same documents"),
        ("policy", {**POLICY.as_dict(), "threshold": "0.8"}, "expected what Policy.as_dict gives"),
        ("policy", {**POLICY.as_dict(), "luck": 1}, "expected what Policy.as_dict gives"),
        ("policy", {"name": "x"}, "not a policy"),
        ("checks", None, "not a bundle"),
    ],
)
def test_a_part_of_another_shape_is_refused(part, value, said):
    with pytest.raises(InputError, match=said):
        replace(frozen(), **{part: value})


def test_a_part_that_is_missing_or_unknown_is_named():
    record = frozen().as_dict()
    with pytest.raises(InputError, match="expected checks, .*; found .*luck"):
        bundle_from({**record, "luck": 1})
    record.pop("policy")
    with pytest.raises(InputError, match="not a bundle: expected"):
        bundle_from(record)


# --- where they are kept ----------------------------------------------------------------------------------------------


def test_a_changed_byte_anywhere_in_a_file_is_refused(store):
    path = store.add(frozen())
    whole = path.read_bytes()
    for place in [*range(0, len(whole), 37), len(whole) - 1]:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(InputError, match=path.name):
            store.find(path.stem)
    for changed in (whole + b"\n", b"\xef\xbb\xbf" + whole, whole[:-1], b""):
        path.write_bytes(changed)
        with pytest.raises(InputError, match=path.name):
            store.find(path.stem)
    path.write_bytes(whole)
    assert store.find(path.stem) == frozen()


def test_a_changed_value_is_refused_as_changed_and_says_what_to_do(store):
    path = store.add(frozen())
    path.write_text(path.read_text().replace('"threshold": 0.7', '"threshold": 0.1'))
    with pytest.raises(
        InputError, match=rf"was changed: its content has the hash \w+, its name says {path.stem}\. Restore .* or remove it"
    ):
        store.all()


def test_a_bundle_under_another_ones_name_is_refused(store):
    path = store.add(frozen())
    path.rename(path.with_name("0123456789ab.json"))
    with pytest.raises(InputError, match="its name says 0123456789ab"):
        store.find("012345")


def test_any_prefix_of_six_digits_or_more_finds_a_bundle_and_no_other(store):
    one = frozen()
    store.add(one)
    digits = one.hash.removeprefix("sha256:")
    assert all(store.find(digits[:n]) == one for n in range(6, 65))
    assert store.find(one.hash) == store.find(f" {digits[:8].upper()}\n") == one
    wrong = "0" if digits[-1] != "0" else "1"
    for text in (digits[:5], "", "zzzzzz", digits + "0", "../../x"):
        with pytest.raises(InputError, match=f"expected 6 to 64 hex digits. Known: {one.short}"):
            store.find(text)
    with pytest.raises(InputError, match="no bundle .* in .*shipped.* or .*own"):
        store.find(digits[:-1] + wrong)


def test_a_prefix_of_several_bundles_names_them(store, monkeypatch):
    store.own.mkdir()
    for name in ("abcdef000000", "abcdef111111"):
        (store.own / f"{name}.json").write_text("{}")
    with pytest.raises(InputError, match="abcdef is how 2 bundles begin: abcdef000000, abcdef111111. Give more digits"):
        store.find("abcdef")


def test_the_pointers_survive_and_the_readers_choice_comes_before_the_projects(store):
    assert store.current() is None and store.shadow() is None and store.all() == []
    one, two = frozen("one"), frozen("two")
    folder = store.shipped / "bundles"
    folder.mkdir(parents=True)
    (folder / f"{one.short}.json").write_text(bundle_store.rendered(one), encoding="utf-8")
    (store.shipped / "current").write_text(f"{one.short}\n")
    assert store.current() == one
    store.add(two)
    store.point("current", two)
    store.point("shadow", one)
    fresh = BundleStore(store.shipped, store.own)
    assert (fresh.current(), fresh.shadow()) == (two, one)
    assert (store.own / "current").read_text() == f"{two.hash}\n"
    assert fresh.all() == [one, two]
    store.point("shadow", None)
    store.point("shadow", None)
    assert fresh.shadow() is None
    assert store.add(one) == folder / f"{one.short}.json"


@pytest.mark.parametrize("text", ["0123456789ab\n", "", "no hash\x1b[2J", "x" * 500])
def test_a_dangling_pointer_is_one_clear_error_and_can_be_mended(store, rocite, text):
    one = frozen()
    store.add(one)
    (store.own / "current").write_text(text)
    for arguments in (["list"], ["shadow"], ["freeze", "x", "--set", "threshold=0.5"]):
        code, out, err = rocite(*arguments)
        assert code == 2 and out == "" and err.count("\n") == 1 and "\x1b" not in err and len(err) < 1000
        assert "current points at no bundle that can be used" in err and f"Known: {one.short}" in err and "rocite bundle use HASH" in err
    assert rocite("use", one.short)[0] == 0
    assert store.current() == one


def test_a_folder_that_cannot_be_written_is_an_error_and_no_traceback(store, rocite):
    store.own.parent.joinpath("own").write_text("a file")
    code, _, err = rocite("list")
    assert code == 2 and "cannot be read" in err


# --- when to reassess -------------------------------------------------------------------------------------------------


def changed_corpus(*documents):
    return Corpus(documents, "made")


def test_nothing_is_said_of_the_same_corpus_and_the_same_parts():
    assert reassess.changes(frozen(), CORPUS, made_with(), [], whole=True) == []


def test_documents_that_changed_are_new_or_are_gone_are_counted_and_three_are_named():
    others = [document(n) for n in ("e", "f", "g", "h")]
    now = changed_corpus(document("a", "Taxa este de 6 lei."), *CORPUS.documents[2:], *others)
    assert reassess.changes(frozen(), now) == ["1 document changed: a", "4 documents are new: e, f, g and 1 more", "1 document is gone: b"]


def test_a_revision_or_a_date_in_the_front_matter_is_a_change_of_the_document():
    now = changed_corpus(document("a", revision="2"), *CORPUS.documents[1:])
    assert reassess.changes(frozen(), now) == ["1 document changed: a"]


def test_a_part_of_the_assessed_corpus_is_no_change_unless_it_is_the_whole():
    part = changed_corpus(*CORPUS.documents[:1])
    assert reassess.changes(frozen(), part) == []
    assert reassess.changes(frozen(), part, whole=True) == ["3 documents are gone: b, c, d"]


def test_permissions_that_changed_are_told_apart_from_the_documents_content():
    now = changed_corpus(document("a", scope="office"), *CORPUS.documents[1:3], document("d", scope="hangar|office"))
    assert reassess.changes(frozen(), now) == ["the permissions of 1 document changed: a"]
    opened = changed_corpus(*CORPUS.documents[:3], document("d", scope="public"))
    assert reassess.changes(frozen(), opened) == ["the permissions of 1 document changed: d"]


def test_another_model_prompt_or_check_is_named():
    made = frozen()
    for what, value, said in (
        ("embedder", {"name": "e5", "identity": {}}, "the embedder is e5, was tfidf"),
        ("embedder", {"name": "tfidf", "identity": {**made.embedder["identity"], "ngrams": [2, 5]}}, "the embedder tfidf changed: ngrams"),
        ("retriever", {"name": "bm25", "identity": {**made.retriever["identity"], "k1": 9}}, "the retriever bm25 changed: k1"),
        ("generator", {**made.generator, "identity": {"absent": "no file x"}}, "the generator extractive cannot be used here: no file x"),
        ("generator", {**made.generator, "options": {**made.generator["options"], "seed": 9}}, "the generator extractive changed: seed"),
        ("prompt", "sha256:0", "the prompt changed"),
        ("checks", {**made.checks, "code": "sha256:0"}, "the code of the checks changed"),
        ("checks", {**made.checks, "gates": "article"}, "the checks are the set article, were strict"),
    ):
        assert reassess.changes(made, CORPUS, replace(made_with(), **{what: value})) == [said]
    stricter = made_with(Settings(min_focus=0.8))
    assert reassess.changes(made, CORPUS, stricter) == ["the settings of the checks changed: min_focus 0.75 -> 0.8"]


def test_signals_that_this_version_does_not_measure_are_a_reason():
    old = frozen(picker={"weights": {**frozen().picker["weights"], "smell": 1.0}, "centre": {}})
    assert reassess.changes(old, CORPUS) == ["this version measures other signals: smell"]


def asked(romanian, english):
    return [f"Cât costă {n} colete?" for n in range(romanian)] + [f"What do {n} parcels cost?" for n in range(english)]


def test_the_mix_of_languages_is_compared_from_fifty_different_questions_on():
    made = frozen()
    assert reassess.changes(made, CORPUS, None, asked(0, 49)) == []
    assert reassess.changes(made, CORPUS, None, asked(0, 30) * 3) == []
    (said,) = reassess.changes(made, CORPUS, None, asked(0, 50))
    assert said == "the share of Romanian among different logged questions is 0.000 (0/50, 95 % interval 0.000 to 0.071), was 0.500"


def test_the_mix_is_another_only_where_the_exact_interval_leaves_the_assessed_share_out():
    # Clopper-Pearson, n = 60: 22/60 reaches up to 0.5007, 21/60 up to 0.4839
    assert reassess.changes(frozen(), CORPUS, None, asked(22, 38)) == []
    assert len(reassess.changes(frozen(), CORPUS, None, asked(21, 39))) == 1


def test_the_code_of_the_checks_is_that_of_everything_they_import(root, tmp_path):
    import shutil

    from rocite.workflow.plan import code_digests

    shutil.copytree(root / "src" / "rocite", tmp_path / "rocite", ignore=shutil.ignore_patterns("__pycache__"))
    before = code_digests(tmp_path, ["from rocite import check"])
    path = tmp_path / "rocite" / "gates" / "focus.py"
    path.write_text(path.read_text(encoding="utf-8") + "\nMORE = 1\n", encoding="utf-8")
    assert code_digests(tmp_path, ["from rocite import check"]) != before
    assert bundle_parts.code_digest().startswith("sha256:") and len(bundle_parts.code_digest()) == 71


def test_a_model_that_is_not_here_is_a_reason_and_no_error():
    made = frozen(embedder={"name": "st:/no/such/model", "identity": {}}, generator={**frozen().generator, "name": "gguf:/no/such"})
    here = bundle_parts.parts_here(made, Settings())
    said = reassess.changes(made, CORPUS, here)
    assert len(said) == 2 and "/no/such/model" in said[0] and "the generator gguf:/no/such cannot be used here" in said[1]
    assert reassess.changes(frozen(), CORPUS, bundle_parts.parts_here(frozen(), Settings())) == []
    by_statement = parts(TfidfEmbedder("tfidf"), None, generate.load("extractive", Options()), Settings())
    made = frozen(retriever=by_statement.retriever)
    assert reassess.changes(made, CORPUS, bundle_parts.parts_here(made, Settings())) == []
    assert reassess.changes(frozen(), CORPUS, by_statement) == ["the retriever is best statement, was bm25"]


# --- two policies on the same decisions -------------------------------------------------------------------------------


def record(made, reason="sufficient_evidence", route="answer", against=None, picks=1, **signs):
    return {
        "kind": "boundary",
        "record": f"r{signs.get('score', 0)}",
        "question": "Cât costă?",
        "asked": {"scope": [], "at": None, "asset": ""},
        "route": route,
        "reason": reason,
        "bundle": made.hash,
        "fragments": [{"id": "a", "score": 0.5}],
        "evidence": [{"id": "a", "position": n, "revision": ""} for n in range(picks)],
        "signs": {**dict.fromkeys(SIGNS, 0.0), **signs},
        "against": against or {},
    }


def load(found, name):
    row = found.workload[name]
    return row.current, row.other, row.more, row.less


def test_disagreements_and_the_workload_are_counted_on_the_recorded_signs():
    current = frozen()
    other = with_values(current, "second", {"threshold": "0.8", "limits.sister": "0.9", "limits.retired": "3"})
    stale = {"retired": "b"}
    records = [
        record(current, score=2.0),  # answered by both
        record(current, score=1.0),  # 0.731: answered from 0.7, escalated under 0.8
        record(current, score=-1.0),  # escalated by both
        record(current, score=3.0, sister=0.6),  # asked back from 0.5, answered under 0.9
        record(current, score=1.0, sister=0.6),  # asked back, then missing under 0.8
        record(current, score=4.0, retired=2.0, against=stale),  # stale above 1, answered up to 3
        record(current, score=5.0, picks=0),  # nothing was picked: missing for both
        {"kind": "grounded", "question": "?"},
        {"kind": "purged", "count": 3},
    ]
    found = shadow.disagreements(records, current, other)
    assert (found.compared, found.withheld, found.left_out) == (7, 0, 0)
    assert [(d.record, d.route, d.other_route) for d in found.disagreements] == [
        ("r1.0", "answer", "escalate"),
        ("r3.0", "clarify", "answer"),
        ("r1.0", "clarify", "escalate"),
        ("r4.0", "escalate", "answer"),
    ]
    assert found.disagreements[3].reason == "stale_source" and found.disagreements[2].other_reason == "missing_evidence"
    assert load(found, "answer") == (2, 3, 2, 1)
    assert load(found, "clarify") == (2, 0, 0, 2)
    assert load(found, "escalate") == (3, 4, 2, 1)
    back = shadow.disagreements(records, other, current)
    assert load(back, "answer") == (3, 2, 1, 2) and len(back.disagreements) == 4


@pytest.mark.parametrize("reason", ["unsupported_claim", "check_timed_out", "check_failed", "model_abstained"])
def test_a_candidate_that_was_not_released_counts_as_an_answer_for_the_check_under_both(reason):
    current = frozen()
    stricter = with_values(current, "second", {"threshold": "0.9"})
    found = shadow.disagreements([record(current, reason, "withhold", score=1.0)], current, stricter)
    assert (found.compared, found.withheld, found.disagreements) == (1, 1, ())
    assert load(found, "answer") == (1, 1, 0, 0)


def test_decisions_of_other_bundles_are_left_out_and_counted():
    current = frozen()
    other = with_values(current, "second", {"threshold": "0.8"})
    third = with_values(current, "third", {"threshold": "0.5"})
    unlike = frozen("unlike", documents=9)
    short = {**record(current, score=1.0), "bundle": other.short}
    records = [short, record(third, score=1.0), record(unlike, score=1.0), {**record(current, score=1.0), "bundle": ""}]
    assert shadow.disagreements(records, current, other).left_out == 3
    found = shadow.disagreements(records, current, other, [third, unlike])
    assert (found.compared, found.left_out) == (2, 2)


def test_bundles_that_differ_in_more_than_their_policy_are_not_compared():
    with pytest.raises(
        InputError, match="differ in documents, checks; expected two that differ in their policy alone.*rocite bundle freeze"
    ):
        shadow.disagreements([], frozen(), frozen("x", documents=9, checks={**frozen().checks, "code": "sha256:0"}))


@pytest.mark.parametrize("broken", [{"signs": {}}, {"evidence": [{}]}, {"asked": None}, {"signs": dict.fromkeys(SIGNS, "high")}])
def test_a_record_that_does_not_hold_a_decision_is_named(broken):
    current = frozen()
    with pytest.raises(InputError, match="audit record r1.0: its decision cannot be made again"):
        shadow.disagreements([{**record(current, score=1.0), **broken}], current, current)


def test_a_record_of_the_service_is_decided_again_as_it_was(tmp_path):
    documents = (
        document("fee", "Taxa pentru un colet este de 5 lei. Plata se face la ghișeu."),
        document("old", "Taxa pentru telegrame este de 9 lei.", effective_to="2020-01-01"),
        document("hours", "Biroul este deschis luni între orele 8 și 16."),
    )
    corpus = Corpus(documents, "made")
    weights = tuple(float(name in ("words", "relevance", "coverage")) for name in SIGNALS)
    made = freeze(
        "real",
        corpus,
        replace(made_with(), retriever={"name": bundle_parts.BY_STATEMENT, "identity": {}}),
        3,
        Picker(weights),
        POLICY,
        HALF,
    )
    desk = Examiner(corpus, TfidfEmbedder("tfidf"), made.picker_object, made.documents)
    log, terms = AuditLog(tmp_path / "ask.jsonl"), Terms(pace=0.0)
    service = Service(desk, made.policy_object, generate.load("extractive", Options()), Settings(), terms, None, log, None, made.hash)
    for question in (
        "Cât este taxa pentru un colet?",
        "Când este deschis biroul?",
        "Cât este taxa pentru telegrame?",
        "Ce culoare are cerul?",
    ):
        service.ask(Request(question, at="2026-01-01"))
    records = log.read()
    assert len({r["route"] for r in records}) > 1
    for entry in records:
        if entry["reason"] not in shadow.NOT_RELEASED:
            assert made.policy_object.decide(shadow.examination_from(entry)) == entry["reason"]
    never = with_values(made, "never", {"threshold": "1"})
    found = shadow.disagreements(records, made, never)
    assert (found.compared, found.left_out) == (4, 0)
    assert len(found.disagreements) == sum(r["route"] == "answer" for r in records) > 0


# --- another policy ---------------------------------------------------------------------------------------------------


def test_other_values_make_another_bundle_that_differs_in_its_policy_alone():
    one = frozen()
    two = with_values(one, "careful", {"threshold": "0.8", "limits.retired": "-2"})
    assert shadow.differing(one, two) == []
    assert two.policy_object == replace(POLICY, name="careful", threshold=0.8, limits=replace(POLICY.limits, retired=-2.0))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("treshold", "0.8", "unknown policy value 'treshold'. Did you mean 'threshold'"),
        ("limits.rivals", "0.8", "Did you mean 'limits.rival'"),
        ("gate.slope", "1", "unknown policy value"),
        ("threshold", "high", "threshold = 'high'; expected a number from 0 to 1. Nothing was written"),
        ("threshold", "1.01", "from 0 to 1"),
        ("threshold", "-0.1", "from 0 to 1"),
        ("threshold", "nan", "from 0 to 1"),
        ("threshold", "", "from 0 to 1"),
        ("threshold", "0,8", "from 0 to 1"),
        ("limits.rival", "0", "above 0"),
        ("limits.sister", "1e999", "above 0"),
        ("limits.retired", "inf", "that is finite"),
        ("limits.retired", "1_0", "that is finite"),
    ],
)
def test_an_unknown_name_or_a_value_out_of_its_range_is_refused(rocite, store, name, value, said):
    one = frozen()
    store.point("current", store.find(store.add(one).stem))
    code, out, err = rocite("freeze", "second", "--set", f"{name}={value}")
    assert code == 2 and out == "" and said in err
    assert store.all() == [one]


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_policy_is_frozen_run_in_shadow_and_used(rocite, store):
    one = frozen()
    store.add(one)
    assert rocite("freeze", "second", "--set", "threshold=0.8")[0] == 2  # nothing to start from
    assert rocite("use", one.short[:6])[:2] == (0, f"current: {one.short} first\n")
    code, out, _ = rocite("freeze", "second", "--set", "threshold=0.8", "--set", "limits.rival=0.4")
    two = next(b for b in store.all() if b.name == "second")
    assert code == 0 and two.short in out and (two.policy["threshold"], two.policy["limits"]["rival"]) == (0.8, 0.4)
    log = AuditLog(store.own.parent / "audit" / "ask.jsonl")
    for score in (2.0, 1.0):
        log.append(record(one, score=score))
    code, out, _ = rocite("shadow", two.short)
    assert code == 0 and "1 disagreements in 2 logged decisions" in out and "answers for the check: 2 -> 1 (0 more, 1 less)" in out
    assert "answer (sufficient_evidence) -> escalate (missing_evidence)" in out
    code, out, _ = rocite("shadow", "--json")
    found = json.loads(out)
    assert (
        code == 0
        and found["shadow"]["hash"] == two.hash
        and found["workload"]["escalate"] == {"current": 0, "other": 1, "more": 1, "less": 0}
    )
    assert rocite("shadow", "--off")[0] == 0 and store.shadow() is None
    code, _, err = rocite("shadow")
    assert code == 2 and "no bundle runs in shadow; name one" in err
    assert rocite("use", two.short)[0] == 0 and store.current() == two


def test_a_shadow_that_cannot_be_compared_is_not_set(rocite, store):
    one, unlike = frozen(), frozen("unlike", documents=9)
    for made in (one, unlike):
        store.add(made)
    store.point("current", one)
    code, _, err = rocite("shadow", unlike.short)
    assert code == 2 and "differ in documents" in err and store.shadow() is None
    code, _, err = rocite("shadow", one.short)
    assert code == 2 and "is the current bundle" in err and store.shadow() is None
    assert rocite("shadow", one.short, "--off")[0] == 2
    code, _, err = rocite("use", "0123456789")
    assert code == 2 and "no bundle 0123456789" in err and store.current() == one


def test_the_list_has_marks_thresholds_and_reasons_and_exits_with_0(rocite, store, monkeypatch):
    monkeypatch.setattr("rocite.corpus.load", lambda path: CORPUS)
    here = replace(frozen("here"), checks=bundle_parts.parts_here(frozen(), Settings()).checks)
    other = replace(with_values(here, "nowhere", {"threshold": "0.25"}), prompt="sha256:0")
    bare = replace(here, name="bare", policy={**here.policy, "threshold": None})
    for made in (here, other, bare):
        store.add(made)
    store.point("current", here)
    store.point("shadow", other)
    code, out, _ = rocite("list")
    assert code == 0
    assert f"{here.short}  here  current  threshold 0.7  holds" in out
    assert f"{other.short}  nowhere  shadow  threshold 0.25  to be reassessed\n    the prompt changed" in out
    assert f"{bare.short}  bare  no threshold  holds" in out
    code, out, _ = rocite("list", "--json")
    rows = {row["name"]: row for row in json.loads(out)["bundles"]}
    assert code == 0 and json.loads(out)["current"] == here.hash
    assert rows["here"]["marks"] == ["current"] and not rows["here"]["reassess"]
    assert rows["nowhere"]["reasons"] == ["the prompt changed"] and rows["nowhere"]["reassess"]
    log = AuditLog(store.own.parent / "audit" / "ask.jsonl")
    for question in asked(0, 60):
        log.append({**record(here, score=1.0), "question": question})
    assert "share of Romanian among different logged questions is 0.000 (0/60" in rocite("list")[1]


def test_a_log_that_was_changed_is_told_of_and_exits_with_1(rocite, store):
    one = frozen()
    two = with_values(one, "second", {"threshold": "0.8"})
    for made in (one, two):
        store.add(made)
    store.point("current", one)
    log = AuditLog(store.own.parent / "audit" / "ask.jsonl")
    for score in (2.0, 1.0):
        log.append(record(one, score=score))
    log.path.write_text(log.path.read_text().replace('"score": 2.0', '"score": 9.0'))
    code, out, err = rocite("shadow", two.short)
    assert code == 1 and "was changed or is missing" in err and "1 disagreements" in out


def test_without_a_bundle_the_list_is_empty_and_says_so(rocite):
    assert rocite("list")[:2] == (0, "no bundle is here yet\n")
    assert json.loads(rocite("list", "--json")[1])["bundles"] == []


@pytest.mark.parametrize("given", [[], ["--set", "threshold"], ["--set", "=1"], ["--set", "threshold=0.5", "--set", "threshold=0.6"]])
def test_a_freeze_without_a_usable_setting_writes_nothing(rocite, store, given):
    store.point("current", store.find(store.add(frozen()).stem))
    code, _, err = rocite("freeze", "second", *given)
    assert code == 2 and "Nothing was written" in err and len(store.all()) == 1


def test_shares_of_languages_need_a_question():
    assert shares(["Cât costă?"]) == {"ro": 1.0, "en": 0.0}
    with pytest.raises(InputError, match="at least one"):
        shares([])
