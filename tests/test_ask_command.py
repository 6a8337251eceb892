"""``rocite ask``, as a reader runs it: exit status, what is printed, what is recorded."""

import json
import os
from pathlib import Path

import pytest

from rocite import audit, cli, places, prompt
from rocite.boundary.tickets import Queue
from rocite.cli import ask as ask_command
from rocite.records import read_jsonl

CUSTOMS = Path(cli.__file__).parents[3] / "corpus" / "customs"
QUESTION = "Unde se depune declarația vamală de export?"
FITTED_ON = "Ce înseamnă EORI și cât costă?"  # one of the seven questions that the threshold of the customs documents is fitted on
SENTENCE = "Declarația vamală de export se depune gratuit la biroul vamal competent."


@pytest.fixture(autouse=True)
def log(tmp_path, monkeypatch):
    """Keep audit logs, queue, bundles and cache out of the checkout."""
    monkeypatch.setenv("ROCITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ROCITE_AUDIT", str(tmp_path / "audit"))
    monkeypatch.setenv("ROCITE_BUNDLES", str(tmp_path / "bundles"))
    return audit.AuditLog(tmp_path / "audit" / "ask.jsonl")


@pytest.fixture
def ask(capsys):
    """Runs the command with the two backends that need no model; returns status, output and messages."""

    def run(question, *options, embedder="tfidf", generator="extractive"):
        code = cli.main(["ask", question, "--embedder", embedder, "--generator", generator, "--set", "pace=0", *options])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


def document(folder, name, text, **metadata):
    fields = {"id": name, "title": f"Titlul {name}", "source": f"Sursa {name}", "checked": "2026-07-15", **metadata}
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text("---\n" + "".join(f"{k}: {v}\n" for k, v in fields.items()) + f"---\n{text}\n", encoding="utf-8")
    return str(folder)


@pytest.fixture
def own(tmp_path):
    """A corpus of the reader's own, of two public documents."""
    document(tmp_path / "own", "alt", "Biblioteca municipală este închisă în luna august pentru inventar.")
    return document(tmp_path / "own", "export", SENTENCE)


# --- answered, abstained, refused ---------------------------------------------------------------------------------


def test_an_answer_is_shown_with_its_source_and_exits_0(ask, own):
    code, out, _ = ask(QUESTION, "--corpus", own)
    assert code == 0
    assert out.startswith(f"{SENTENCE} [1]\n\nSurse:\n  [1] Titlul export - Sursa export, verificat 2026-07-15\n(înregistrarea ")


def test_the_json_of_an_answer_has_the_promised_fields(ask, own, log):
    code, out, _ = ask(QUESTION, "--corpus", own, "--json")
    [record] = log.read()
    assert code == 0 and out.count("\n") == 1
    assert json.loads(out) == {
        "question": QUESTION,
        "verdict": "accepted",
        "route": "answer",
        "reason": "sufficient_evidence",
        "answer": SENTENCE,
        "message": None,
        "escalated": None,
        "sources": [{"id": "export", "title": "Titlul export", "source": "Sursa export", "checked": "2026-07-15"}],
        "record": record["record"],
    }


REFUSED = "Nu pot răspunde la această întrebare: "


def test_the_article_abstains_with_exit_3_and_nothing_of_the_answer(ask, own, log):
    options = ["--gates", "article", "--set", "min_claim_words=50"]
    code, out, _ = ask(QUESTION, "--corpus", own, *options)
    assert code == 3
    assert out.startswith(f"{REFUSED}documentele găsite nu conțin răspunsul.\n(înregistrarea ") and SENTENCE not in out
    code, out, _ = ask(QUESTION, "--corpus", own, *options, "--json")
    assert code == 3
    empty = {"question": QUESTION, "verdict": "abstained", "route": "withhold", "answer": None, "sources": [], "record": None}
    assert json.loads(out) | {"record": None} == empty
    assert [(r["verdict"], r["gate"], SENTENCE in r["answer"]) for r in log.read()] == [("abstained", None, True)] * 2


def test_a_withheld_candidate_is_escalated_and_nothing_of_it_is_shown(ask, own, log, tmp_path):
    code, out, _ = ask(QUESTION, "--corpus", own, "--set", "min_sim=1")
    assert code == 3 and SENTENCE not in out
    assert out.startswith(
        f"{REFUSED}niciun document nu este destul de apropiat de întrebare.\nÎntrebarea a fost trimisă mai departe: service desk.\n"
    )
    code, out, _ = ask(QUESTION, "--corpus", own, "--set", "min_sim=1", "--json")
    shown = json.loads(out)
    assert code == 3
    assert (shown["verdict"], shown["route"], shown["reason"], shown["answer"]) == ("refused", "withhold", "unsupported_claim", None)
    assert (shown["sources"], shown["escalated"]) == ([], True)
    records = log.read()
    assert [(r["verdict"], r["gate"], r["reason"], SENTENCE in r["answer"]) for r in records] == [
        ("refused", "retrieval", "unsupported_claim", True)
    ] * 2
    waiting = Queue(tmp_path / "audit" / "queue.sqlite", 10).all()
    assert {t.record for t in waiting} == {r["record"] for r in records}
    assert {(t.owner, t.reason, t.question, t.sources) for t in waiting} == {("service desk", "unsupported_claim", QUESTION, ())}


@pytest.mark.parametrize(
    ("answer", "gate", "reason"),
    [
        (f"{SENTENCE} [7]", "citation", "nu trimite la documentele găsite"),
        (SENTENCE, "citation", "nu trimite la documentele găsite"),
        (f"{SENTENCE.replace('gratuit', 'gratuit în 45 de zile')} [1]", "numbers", "conține un număr care nu se află"),
        (
            "Pinguinii imperiali trăiesc numai pe continentul Antarctica [1].",
            "grounding",
            "o afirmație pe care documentele citate nu o susțin",
        ),
    ],
)
def test_each_gate_refuses_in_words_of_its_own(ask, own, log, monkeypatch, answer, gate, reason):
    from rocite.generate.extractive import ExtractiveGenerator

    monkeypatch.setattr(ExtractiveGenerator, "_write", lambda self, request: {"raw": answer})
    code, out, _ = ask(QUESTION, "--corpus", own, "--gates", "article")
    assert code == 3 and reason in out
    assert log.read()[0]["gate"] == gate


@pytest.mark.parametrize(
    ("answer", "gate", "reason"),
    [
        (f"{SENTENCE.replace('gratuit', 'gratuit în 45 de zile')} [1]", "quantity", "o cantitate, o dată sau un termen"),
        (f"{SENTENCE.replace('se depune', 'nu se depune')} [1]", "polarity", "neagă ce documentul citat afirmă"),
        ("Pinguinii imperiali trăiesc numai pe continentul Antarctica [1].", "evidence", "pe care documentul citat nu o susține"),
    ],
)
def test_each_check_refuses_in_words_of_its_own(ask, own, log, monkeypatch, answer, gate, reason):
    from rocite.generate.extractive import ExtractiveGenerator

    monkeypatch.setattr(ExtractiveGenerator, "_write", lambda self, request: {"raw": answer})
    code, out, _ = ask(QUESTION, "--corpus", own)
    assert code == 3 and answer[:40] not in out
    assert log.read()[0]["gate"] == gate and reason in out


def test_the_customs_documents_are_the_default_and_their_threshold_is_fitted(ask, log):
    _, _, err = ask(FITTED_ON, "--gates", "article")
    [record] = log.read()
    assert "unchecked" not in err and "retrieval" not in record["unchecked"]
    assert record["corpus"]["name"] == "customs"
    assert record["scores"]["similarity"] >= record["settings"]["min_sim"] + 0.02, "the lowest of the seven less sim_slack"


def test_the_log_lies_in_the_checkout(monkeypatch):
    monkeypatch.delenv("ROCITE_AUDIT")
    assert places.audit_folder() == CUSTOMS.parents[1] / "build" / "audit"


def test_the_command_works_from_any_folder(ask, log, tmp_path, monkeypatch):
    ask(FITTED_ON)
    monkeypatch.chdir(tmp_path)
    ask(FITTED_ON)
    here, elsewhere = log.read()
    volatile = dict.fromkeys(("record", "time", "previous", "generation"))
    assert here | volatile == elsewhere | volatile


def test_a_threshold_of_one_corpus_is_not_used_on_another(ask, own, log):
    code, _, err = ask(QUESTION, "--corpus", own)
    assert code == 0
    assert "no similarity threshold belongs to these documents; gate retrieval is unchecked (--set min_sim=X sets one)" in err
    assert "retrieval" in log.read()[0]["unchecked"]

    _, _, err = ask(QUESTION, "--corpus", own, "--set", "min_sim=0.1")
    assert "unchecked" not in err and "retrieval" not in log.read()[1]["unchecked"]


# --- usage ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_exits_2_and_is_not_recorded(ask, log, question):
    code, out, err = ask(question)
    assert (code, out) == (2, "")
    assert err == "rocite: the question is empty; expected one question, in quotes.\n"
    assert not log.path.exists()


def test_a_question_that_is_not_utf8_exits_2(ask):
    assert ask(os.fsdecode(b"C\xe2t cost\xe3?"))[0] == 2


@pytest.mark.parametrize(
    ("backends", "code", "expected"),
    [
        ({"embedder": "tdidf"}, 2, "unknown embedder 'tdidf'. Did you mean 'tfidf'?"),
        ({"generator": "extractiv"}, 2, "unknown generator 'extractiv'. Did you mean 'extractive'?"),
        ({"generator": "recorded:nothing-like-it"}, 2, "unknown recording 'nothing-like-it'"),
        ({"generator": "gguf:/no/such/model.gguf"}, 1, "gguf: no file /no/such/model.gguf; expected a GGUF model there."),
        ({"embedder": "st:/no/such/folder"}, 1, "st:/no/such/folder: no folder /no/such/folder"),
    ],
)
def test_a_backend_that_is_not_there_is_one_error_without_a_decision(ask, log, backends, code, expected):
    found, out, err = ask(QUESTION, **backends)
    assert (found, out) == (code, "")
    assert expected in err.strip().split("\n")[-1]
    assert not log.path.exists()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--set", "min_grond=0.6"], "Did you mean 'min_ground'?"),
        (["--set", "min_ground=2"], "expected float, 0 to 1 (share of content words). Nothing was run."),
        (["--set", "k=1", "--set", "k=2"], "k is given twice"),
        (["--set", "k"], "expected name=value"),
        (["--at", "tomorrow"], "--at 'tomorrow': expected a date as 2026-07-15."),
        (["--corpus", "/no/such/folder"], "/no/such/folder: expected a folder of Markdown documents"),
    ],
)
def test_a_wrong_option_exits_2_and_says_what_was_expected(ask, log, options, expected):
    code, out, err = ask(QUESTION, *options)
    assert (code, out) == (2, "")
    assert expected in err and err.count("\n") == 1
    assert not log.path.exists()


@pytest.mark.parametrize("arguments", [["ask"], ["ask", "one", "two"], ["ask", "one", "--gates", "lax"], ["aks", "one"], []])
def test_a_command_line_that_cannot_be_read_exits_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    assert "usage: rocite" in capsys.readouterr().err


# --- scope and date ------------------------------------------------------------------------------------------------


@pytest.fixture
def dated(tmp_path):
    """Three documents that answer one question: an old rule, the new one, and one for the hangar alone."""
    folder = tmp_path / "dated"
    text = "Presiunea maximă admisă pentru instalația hidraulică este de {} bari."
    document(folder, "old", text.format(150), effective_to="2025-12-31")
    document(folder, "new", text.format(180), effective_from="2026-01-01")
    return document(folder, "hangar", text.format(200), scope="hangar")


@pytest.mark.parametrize(
    ("options", "seen"),
    [
        (["--at", "2025-12-31"], {"old"}),
        (["--at", "2026-01-01"], {"new"}),
        ([], {"new"}),
        (["--at", "2026-01-01", "--scope", "hangar"], {"new", "hangar"}),
        (["--at", "2026-01-01", "--scope", "office"], {"new"}),
        (["--at", "2025-06-01", "--scope", "office", "--scope", "hangar"], {"old", "hangar"}),
    ],
)
def test_only_documents_in_force_and_open_to_the_request_are_retrieved(ask, log, dated, monkeypatch, options, seen):
    monkeypatch.setattr(ask_command, "_today", lambda: "2026-07-15")
    ask("Care este presiunea maximă admisă?", "--corpus", dated, *options)
    assert {f["id"] for f in log.read()[0]["fragments"]} == seen


def test_what_a_request_may_not_see_does_not_shape_its_answer(ask, log, dated, tmp_path):
    question = "Care este presiunea maximă admisă?"
    with_hidden = ask(question, "--corpus", dated, "--at", "2026-07-15", "--json")
    (tmp_path / "dated" / "hangar.md").unlink()
    without = ask(question, "--corpus", dated, "--at", "2026-07-15", "--json")
    assert json.loads(with_hidden[1]) | {"record": None} == json.loads(without[1]) | {"record": None}
    first, second = log.read()
    volatile = dict.fromkeys(("record", "time", "previous", "generation"))
    assert first | volatile == second | volatile


def test_when_nothing_is_open_to_a_request_no_model_is_asked(ask, log, tmp_path):
    hidden = document(tmp_path / "hidden", "hangar", SENTENCE, scope="hangar")
    code, out, err = ask("Unde?", "--corpus", hidden)
    assert (code, out) == (2, "")
    assert err.strip().endswith("no document is in force and open to this request.")
    assert not log.path.exists()


# --- asset and language ------------------------------------------------------------------------------------------


@pytest.fixture
def boilers(tmp_path):
    """Two boilers whose valves open at different pressures, and a document about neither."""
    for name, asset, bars in (("ct1", "CT-1", 6), ("ct2", "CT-2", 4)):
        document(tmp_path / "boilers", name, f"Supapa cazanului se deschide la {bars} bari.", asset=asset, owner=f"Mecanic {name}")
    return document(tmp_path / "boilers", "hall", "Cheia sălii se lasă la portar.")


PRESSURE = "La ce presiune se deschide supapa cazanului?"


@pytest.mark.parametrize("asset", ["CT-1", "ct 1"])
def test_an_asset_makes_documents_of_another_no_evidence_and_is_recorded(ask, log, boilers, asset):
    code, out, _ = ask(PRESSURE, "--corpus", boilers, "--asset", asset)
    assert code == 0 and out.startswith("Supapa cazanului se deschide la 6 bari. [1]")
    [record] = log.read()
    assert record["asked"]["asset"] == asset and "ct2" not in {f["id"] for f in record["fragments"]}


def test_without_the_asset_it_is_asked_for_with_exit_3_and_nobody_else_is_asked(ask, boilers, tmp_path):
    code, out, _ = ask(PRESSURE, "--corpus", boilers)
    assert code == 3 and "lipsește un element de identificare" in out and "--asset" in out
    assert not [told for told in ("CT-", "bari", "Mecanic", "ct1", "ct2") if told in out.split("(înregistrarea")[0]]
    code, out, _ = ask(PRESSURE, "--corpus", boilers, "--json")
    shown = json.loads(out)
    assert (code, shown["route"], shown["reason"], shown["answer"]) == (3, "clarify", "missing_identifier", None)
    assert (shown["sources"], shown["escalated"]) == ([], None)
    assert not (tmp_path / "audit" / "queue.sqlite").exists()


@pytest.mark.parametrize("asset", ["XX-9", ".*", "[", "(CT-1|CT-2)", "\\", "\x07", " ", "a" * 5000])
def test_an_asset_that_no_document_has_gets_no_answer(ask, boilers, asset):
    code, out, _ = ask(PRESSURE, "--corpus", boilers, "--asset", asset)
    assert code == 3 and "bari" not in out


def test_a_question_about_another_asset_than_the_one_given_is_not_answered(ask, boilers):
    code, out, _ = ask("La ce presiune se deschide supapa cazanului CT-1?", "--corpus", boilers, "--asset", "CT-2")
    assert code == 3 and "lipsește un element de identificare" in out


@pytest.mark.parametrize("option", ["--asset", "--scope"])
def test_an_option_that_is_not_utf8_exits_2_and_nothing_is_logged(ask, log, boilers, option):
    code, out, err = ask(PRESSURE, "--corpus", boilers, option, os.fsdecode(b"CT\xe2"))
    assert (code, out, err) == (2, "", f"rocite: {option} is not UTF-8; set the terminal's encoding to UTF-8.\n")
    assert not log.path.exists()


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_gates_of_the_article_know_no_assets(ask, log, boilers, options):
    code, out, err = ask(PRESSURE, "--corpus", boilers, "--gates", "article", "--asset", "CT-1", *options)
    assert (code, out) == (2, "")
    assert err == "rocite: --asset belongs to the routes of --gates strict; the article's gates know no assets.\n"
    assert not log.path.exists()


@pytest.fixture
def english(tmp_path):
    """Two documents in English."""
    document(tmp_path / "english", "hours", "The reading room is open until nine in the evening.", lang="en")
    return document(tmp_path / "english", "fines", "A book that is returned late costs 2 lei a day.", lang="en", owner="Front office")


def test_an_english_question_is_answered_in_english_with_english_sources(ask, english):
    code, out, _ = ask("How much does a book that is returned late cost?", "--corpus", english)
    assert code == 0
    assert out.startswith(
        "A book that is returned late costs 2 lei a day. [1]\n\nSources:\n  [1] Titlul fines - Sursa fines, checked 2026-07-15\n(record "
    )


def test_an_english_question_is_refused_in_english(ask, english):
    code, out, _ = ask("How much does a book that is returned late cost?", "--corpus", english, "--set", "min_sim=1")
    assert code == 3
    assert out.startswith(
        "I cannot answer this question: no document is near enough to the question.\nThe question was passed on to: service desk.\n(record "
    )


def test_a_question_that_is_marks_alone_is_not_answered(ask, english):
    for question in ("?!", "\u200b", "of the"):
        code, out, _ = ask(question, "--corpus", english)
        assert code == 3 and "lei" not in out and "evening" not in out


@pytest.mark.parametrize("text", ["Taxa:", "--- ... ???", "| Taxa | Tariful |"])
def test_documents_that_say_nothing_are_no_error(ask, tmp_path, text):
    code, out, _ = ask("Cât este taxa?", "--corpus", document(tmp_path / "silent", "x", text))
    assert code == 3 and out.startswith(f"{REFUSED}documentele care vă sunt deschise")


# --- the record ----------------------------------------------------------------------------------------------------


def test_the_record_lets_a_reader_rebuild_the_decision(ask, own, log):
    ask(QUESTION, "--corpus", own, "--set", "context_documents=2", "--set", "min_ground=0.6")
    [record] = read_jsonl(log.path)
    assert (record["kind"], record["question"], record["gates"], record["verdict"]) == ("boundary", QUESTION, "strict", "accepted")
    assert (record["route"], record["reason"]) == ("answer", "sufficient_evidence")
    assert record["evidence"] == [{"id": "export", "position": 0, "revision": ""}]
    assert record["answer"] == f"{SENTENCE}\nSURSE: 1"
    assert [f["id"] for f in record["fragments"]] == ["export", "alt"]
    assert record["fragments"][0]["score"] > record["fragments"][1]["score"]
    assert record["settings"] == {
        "min_sim": None,
        "min_ground": 0.6,
        "prefix_length": 6,
        "min_claim_words": 5,
        "min_support": 0.5,
        "min_sentence_support": 0.45,
        "max_mosaic": 0.35,
        "min_summary_support": 0.3,
        "min_focus": 0.75,
        "min_asked": 0.25,
        "without": "none",
        "documents": 2,
    }
    assert record["embedder"]["embedder"] == "tfidf" and record["generation"]["model"]["generator"] == "extractive"
    shown = [line for line in record["generation"]["prompt"].split("\n") if SENTENCE in line]
    assert shown == [f"[1] {SENTENCE}"] and record["generation"]["prompt"].endswith(prompt.OPENING)
    assert record["corpus"]["digest"].startswith("sha256:")
    assert {"evidence", "support_min", "coverage", "focus"} <= set(record["scores"])


def test_records_of_several_runs_are_chained(ask, own, log, recwarn):
    for _ in range(3):
        ask(QUESTION, "--corpus", own)
    assert [r["previous"] is None for r in log.read()] == [True, False, False]
    assert not recwarn.list
    lines = log.path.read_text(encoding="utf-8").splitlines(keepends=True)
    log.path.write_text(lines[0] + lines[2], encoding="utf-8")
    with pytest.warns(UserWarning, match="line 2: the line before it was changed or is missing"):
        log.read()


def test_without_an_audit_log_there_is_no_answer(ask, own, tmp_path, monkeypatch):
    blocking = tmp_path / "a file"
    blocking.write_text("")
    monkeypatch.setenv("ROCITE_AUDIT", str(blocking))
    for options in ([], ["--json"], ["--gates", "article"]):
        code, out, err = ask(QUESTION, "--corpus", own, *options)
        assert (code, out) == (1, "")
        assert f"the audit log {blocking / 'ask.jsonl'} cannot be written" in err and err.strip().endswith("no answer is shown unlogged.")
