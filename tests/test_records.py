"""JSON Lines and the audit log: whole lines only, nothing skipped in silence."""

import json
import multiprocessing
import os
import warnings
from pathlib import Path

import pytest

from rocite.audit import AuditLog
from rocite.errors import InputError, RociteError
from rocite.records import append_jsonl, dumps, read_jsonl, read_text, sha256_of, sha256_of_file, write_atomically, write_jsonl

PROCESSES, EACH = 6, 25
PROMPT = "Întrebare și fragmente. " * 2000  # about 50 kB, as a full prompt is


def _append(path, writer):
    for n in range(EACH):
        append_jsonl(path, {"writer": writer, "n": n, "prompt": PROMPT})


def _log(path, writer):
    for n in range(EACH):
        AuditLog(path).append({"writer": writer, "n": n, "prompt": PROMPT})


def _run(target, path):
    context = multiprocessing.get_context("fork")
    running = [context.Process(target=target, args=(path, w)) for w in range(PROCESSES)]
    for process in running:
        process.start()
    for process in running:
        process.join()
    assert [p.exitcode for p in running] == [0] * PROCESSES


# --- JSON Lines -------------------------------------------------------------------------------------------


def test_what_is_written_is_read_back_in_order(tmp_path):
    records = [{"b": 1, "a": "șț„”\u2028\u0085\n"}, {}, {"n": [0.1, None, True]}]
    write_jsonl(tmp_path / "new" / "r.jsonl", records)
    assert read_jsonl(tmp_path / "new" / "r.jsonl") == records


def test_a_line_has_sorted_keys_and_plain_letters(tmp_path):
    write_jsonl(tmp_path / "r.jsonl", [{"b": 1, "a": "ș"}])
    assert (tmp_path / "r.jsonl").read_bytes() == '{"a": "ș", "b": 1}\n'.encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_nan_and_infinity_are_refused_and_the_old_file_stays(tmp_path, value):
    path = tmp_path / "r.jsonl"
    write_jsonl(path, [{"a": 1}])
    for write in (lambda: dumps({"a": [value]}), lambda: write_jsonl(path, [{"a": value}]), lambda: append_jsonl(path, {"a": value})):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write()
    assert read_jsonl(path) == [{"a": 1}]
    assert [p.name for p in tmp_path.iterdir()] == ["r.jsonl"]


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path):
    (tmp_path / "r.jsonl").write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n  \r\n{"a": 2}\r\n')
    assert read_jsonl(tmp_path / "r.jsonl") == [{"a": 1}, {"a": 2}]


def test_a_torn_last_line_is_dropped_with_a_warning(tmp_path):
    path = tmp_path / "r.jsonl"
    write_jsonl(path, [{"text": "primul"}, {"text": "țară"}])
    whole = path.read_bytes()
    for cut in range(len(whole) - 2, whole.index(b"\n") + 1, -1):  # inside "ț", too
        path.write_bytes(whole[:cut])
        with pytest.warns(UserWarning, match="line 2: torn last line dropped"):
            assert read_jsonl(path) == [{"text": "primul"}]


def test_an_append_after_a_torn_line_starts_a_line_of_its_own(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"a": 1}\n{"a": ')
    append_jsonl(path, {"a": 3})
    with pytest.warns(UserWarning, match="line 2: not JSON"):
        assert read_jsonl(path, viewing=True) == [{"a": 1}, {"a": 3}]
    with pytest.raises(InputError, match=r"r\.jsonl, line 2: not JSON"):
        read_jsonl(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{,}", "line 2: not JSON"),
        (b"[1]", "line 2: expected an object, found list"),
        (b'{"a": "\xba"}', "line 2: not UTF-8.*0xba.*iconv"),
    ],
)
def test_a_bad_line_inside_is_an_error_with_its_number(tmp_path, line, message):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"a": 1}\n' + line + b'\n{"a": 2}\n')
    with pytest.raises(InputError, match=message):
        read_jsonl(path)


def test_a_missing_file_is_named():
    with pytest.raises(InputError, match=r"nothing\.jsonl: cannot be read"):
        read_jsonl(Path("nothing.jsonl"))


def test_text_in_another_encoding_is_refused_with_its_line_and_the_remedy(tmp_path):
    (tmp_path / "a.csv").write_bytes("id\nţară".encode("cp1250"))
    with pytest.raises(InputError, match=r"a\.csv, line 2: not UTF-8 .*iconv -f CP1250"):
        read_text(tmp_path / "a.csv")


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path):
    (tmp_path / "r").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "r", "\ud800")
    assert (tmp_path / "r").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, "țară")
    assert os.read(reader, 100) == "țară".encode()
    os.close(reader)
    assert pipe.is_fifo()


def test_writers_side_by_side_never_mix_their_lines(tmp_path):
    path = tmp_path / "r.jsonl"
    _run(_append, path)
    records = read_jsonl(path)
    assert sorted((r["writer"], r["n"]) for r in records) == [(w, n) for w in range(PROCESSES) for n in range(EACH)]
    assert all(r["prompt"] == PROMPT for r in records)


def test_hashes_carry_their_algorithm_and_their_parts(tmp_path):
    (tmp_path / "f").write_bytes(b"abc")
    assert sha256_of_file(tmp_path / "f") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256_of("ș") == sha256_of("ș".encode())
    assert len({sha256_of(*parts) for parts in (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], [])}) == 5


# --- the audit log ----------------------------------------------------------------------------------------


def test_each_entry_names_the_one_before_it(tmp_path):
    log = AuditLog(tmp_path / "audit" / "ask.jsonl")
    ids = [log.append({"n": n}) for n in range(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        entries = log.read()
    assert [(e["n"], e["record"]) for e in entries] == list(enumerate(ids))
    assert entries[0]["previous"] is None
    lines = log.path.read_text(encoding="utf-8").splitlines()
    assert [e["previous"] for e in entries[1:]] == [sha256_of(line) for line in lines[:2]]


def test_a_long_entry_is_chained_too(tmp_path):
    log = AuditLog(tmp_path / "ask.jsonl")
    for n in range(3):
        log.append({"n": n, "prompt": PROMPT * 4})  # longer than one block read from the end
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(log.read()) == 3


@pytest.mark.parametrize("change", ["altered", "removed"])
def test_an_entry_that_was_altered_or_removed_is_noticed(tmp_path, change):
    log = AuditLog(tmp_path / "ask.jsonl")
    for n in range(3):
        log.append({"n": n, "verdict": "refused"})
    lines = log.path.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace("refused", "accepted") if change == "altered" else ""
    log.path.write_text("".join(lines))
    with pytest.warns(UserWarning, match=r"line \d: the line before it was changed or is missing") as caught:
        log.read()
    assert len(caught) == 1


def test_a_log_with_a_torn_line_is_read_and_continued(tmp_path):
    log = AuditLog(tmp_path / "ask.jsonl")
    log.append({"n": 0})
    with open(log.path, "ab") as file:
        file.write('{"n": 1, "answer": "ț'.encode()[:-1])
    log.append({"n": 2})
    log.append({"n": 3})
    with pytest.warns(UserWarning) as caught:
        assert [e["n"] for e in log.read()] == [0, 2, 3]
    assert ["line 2: not JSON" in str(w.message) for w in caught] == [True]


def test_an_object_that_is_no_audit_record_is_refused_with_its_line(tmp_path):
    log = AuditLog(tmp_path / "ask.jsonl")
    log.append({"n": 0})
    append_jsonl(log.path, {"n": 1})
    with pytest.raises(InputError, match="line 2: no audit record"):
        log.read()


def test_a_log_that_cannot_be_written_is_an_error_and_nothing_is_shown(tmp_path):
    (tmp_path / "ask.jsonl").mkdir()
    with pytest.raises(RociteError, match=r"cannot be written .* no answer is shown unlogged"):
        AuditLog(tmp_path / "ask.jsonl").append({"n": 0})


def test_loggers_side_by_side_keep_one_chain(tmp_path):
    log = AuditLog(tmp_path / "ask.jsonl")
    _run(_log, log.path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        entries = log.read()
    assert sorted((e["writer"], e["n"]) for e in entries) == [(w, n) for w in range(PROCESSES) for n in range(EACH)]
    assert len({e["record"] for e in entries}) == PROCESSES * EACH
    assert json.loads(log.path.read_text(encoding="utf-8").splitlines()[0])["previous"] is None
