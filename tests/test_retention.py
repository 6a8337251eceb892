"""Retention: what is due is gone for good, what stays is whole, and the purged log still tells when somebody changed it."""

import datetime
import itertools
import json
import multiprocessing
import os
import random
import shutil
import signal
import stat
import tempfile
import threading
import warnings
from pathlib import Path

import pytest

from rocite import cli, retention
from rocite.audit import AuditLog
from rocite.boundary.tickets import RESOLVED, Queue, QueueUnavailable
from rocite.errors import RociteError
from rocite.records import append_jsonl, dumps, sha256_of

AT = datetime.date(2026, 7, 15)
DUE, LAST_DAY, LATER = "2026-07-14", "2026-07-15", "2026-10-01"
BROKEN = r"line \d+: the line before it was changed or is missing"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Keep logs and queue out of the checkout."""
    monkeypatch.setenv("ROCITE_AUDIT", str(tmp_path / "audit"))
    return tmp_path / "audit"


@pytest.fixture
def queue(folder) -> Queue:
    return Queue(folder / "queue.sqlite", 200)


@pytest.fixture
def log(folder) -> AuditLog:
    return AuditLog(folder / "ask.jsonl")


@pytest.fixture
def rocite(capsys):
    """Runs the command; returns status, output and messages."""

    def run(*arguments):
        code = cli.main(["audit", *arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


def write(log, *dates, **more):
    """One record for each date (None: a record that says no date); return the ids."""
    return [log.append({"n": n, "question": f"SECRET {n}", **({"retain_until": d} if d else {}), **more}) for n, d in enumerate(dates)]


def whole(log):
    """The records of a log that verifies without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return log.read()


def ticket(queue, record, state):
    found = queue.put(record, "owner", "missing_evidence", f"QUESTION of {record}", [], 48.0)
    if state != "open":
        found = queue.take(found.id, "Ana")
    return queue.resolve(found.id, "Ana", "DECISION") if state == RESOLVED else found


def state_of(folder):
    """Every file with its bytes and what the system knows of it, locks aside."""
    files = (f for f in folder.iterdir() if not f.name.endswith(".lock"))
    return {f.name: (f.read_bytes(), f.stat().st_ino, f.stat().st_mtime_ns) for f in files}


def holding(folder, text):
    return [f.name for f in folder.iterdir() if text.encode() in f.read_bytes()]


# --- what goes and what stays -----------------------------------------------------------------------------------------


def test_what_is_recorded_today_is_kept_for_so_many_days():
    assert retention.until(90, AT) == "2026-10-13"
    before = datetime.date.today()
    assert retention.until(1) in {str(d + datetime.timedelta(days=1)) for d in (before, datetime.date.today())}


def test_a_record_is_kept_on_its_last_day_and_gone_the_day_after(log, queue, folder):
    write(log, LAST_DAY)
    assert retention.purge(folder, queue, AT).logs["ask.jsonl"].purged == 0
    assert retention.purge(folder, queue, AT + datetime.timedelta(days=1)).logs["ask.jsonl"].purged == 1


def test_each_run_of_removed_records_leaves_one_tombstone_without_content(log, queue, folder):
    ids = write(log, DUE, DUE, LATER, DUE, None, LATER, DUE)
    before = log.read()
    found = retention.purge(folder, queue, AT)
    assert found == retention.Purge("2026-07-15", {"ask.jsonl": retention.Outcome(4, 3, 1, 0, 0, 0)}, 0)
    after = whole(log)
    assert [r.get("n", r.get("count")) for r in after] == [2, 2, 1, 4, 5, 1]
    assert [r.get("kind") for r in after] == ["purged", None, "purged", None, None, "purged"]
    for tombstone in after[::2][:2]:
        assert set(tombstone) == {"kind", "count", "from", "to", "record", "time", "previous"}
    assert (after[0]["from"], after[0]["to"], after[0]["previous"]) == (before[0]["time"], before[1]["time"], None)
    assert not {r["record"] for r in after if r.get("kind")} & set(ids)
    kept = [r for r in after if not r.get("kind")]
    assert [r | {"previous": None} for r in kept] == [before[n] | {"previous": None} for n in (2, 4, 5)]
    assert [holding(folder, f"SECRET {n}") for n in range(7)] == [["ask.jsonl"] if n in (2, 4, 5) else [] for n in range(7)]


def test_what_stands_before_the_first_removed_record_is_not_rewritten(log, queue, folder):
    write(log, LATER, None, DUE, LATER)
    lines = log.path.read_bytes().split(b"\n")
    retention.purge(folder, queue, AT)
    assert log.path.read_bytes().split(b"\n")[:2] == lines[:2]


@pytest.mark.parametrize("until", ["soon", "", "2026-02-30", 20260101, None, ["2026-01-01"]])
def test_a_date_that_cannot_be_read_keeps_its_record_and_is_counted(log, queue, folder, until):
    log.append({"retain_until": until})
    assert retention.purge(folder, queue, AT).logs["ask.jsonl"] == retention.Outcome(0, 1, 1, 0, 0, 0)
    assert len(whole(log)) == 1


def test_a_purged_log_is_continued(log, queue, folder):
    write(log, DUE, DUE)
    retention.purge(folder, queue, AT)
    write(log, LATER, LATER)
    assert [r.get("kind") for r in whole(log)] == ["purged", None, None]


def test_a_purge_of_nothing_changes_no_byte(log, queue, folder):
    write(log, DUE, LATER, None)
    ticket(queue, "elsewhere", RESOLVED)
    first = retention.purge(folder, queue, AT)
    before = state_of(folder)
    second = retention.purge(folder, queue, AT)
    assert (first.logs["ask.jsonl"].purged, second.logs["ask.jsonl"].purged) == (1, 0)
    assert state_of(folder) == before


def test_where_no_log_is_nothing_is_made(queue, folder):
    assert retention.purge(folder, queue, AT) == retention.Purge("2026-07-15", {}, 0)
    assert not folder.exists()


def test_tombstones_side_by_side_become_one_that_counts_all(log, queue, folder):
    write(log, DUE, "2026-07-20", LATER, "2026-07-20")
    before = log.read()
    for day in (0, 10):
        retention.purge(folder, queue, AT + datetime.timedelta(days=day))
    after = whole(log)
    assert [(r.get("kind"), r.get("count")) for r in after] == [("purged", 2), (None, None), ("purged", 1)]
    assert (after[0]["from"], after[0]["to"]) == (before[0]["time"], before[1]["time"])
    retention.purge(folder, queue, datetime.date(2027, 1, 1))
    assert [(r["kind"], r["count"]) for r in whole(log)] == [("purged", 4)]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_purged_in_whatever_order_the_log_verifies_and_the_counts_add_up(log, queue, folder, seed):
    draw = random.Random(seed)
    dates = {}
    for day in range(1, 25):
        for _ in range(draw.randint(0, 4)):
            until = draw.choice([None, datetime.date(2026, 1, draw.randint(1, 31))])
            dates[log.append({"question": "q", **({"retain_until": until.isoformat()} if until else {})})] = until
        if draw.random() < 0.3:
            at = datetime.date(2026, 1, draw.randint(1, day))
            retention.purge(folder, queue, at)
            dates = {r: u for r, u in dates.items() if not u or u >= at}
            records = whole(log) if log.path.exists() else []
            assert [r["record"] for r in records if r.get("kind") != "purged"] == list(dates)
    kinds = [r.get("kind") for r in whole(log)]
    assert ("purged", "purged") not in set(itertools.pairwise(kinds))


# --- the restricted log, the owner of a file, the lock --------------------------------------------------------------------


def test_the_restricted_log_is_purged_too_and_stays_restricted(queue, folder):
    logs = [AuditLog(folder / name) for name in retention.LOGS]
    for log, mode in zip(logs, (0o644, 0o600), strict=True):
        write(log, DUE, LATER)
        log.path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(logs[1].path, 65534, 65534)
    owner = logs[1].path.stat().st_uid
    found = retention.purge(folder, queue, AT)
    assert {name: outcome.purged for name, outcome in found.logs.items()} == {"ask.jsonl": 1, "restricted.jsonl": 1}
    assert [stat.S_IMODE(log.path.stat().st_mode) for log in logs] == [0o644, 0o600]
    assert logs[1].path.stat().st_uid == owner
    assert all([r.get("kind") for r in whole(log)] == ["purged", None] for log in logs)


def test_a_log_behind_a_link_is_purged_where_it_lies(log, queue, folder, tmp_path):
    write(log, DUE, LATER)
    real = tmp_path / "elsewhere.jsonl"
    shutil.move(log.path, real)
    log.path.symlink_to(real)
    retention.purge(folder, queue, AT)
    assert log.path.is_symlink() and b"SECRET 0" not in real.read_bytes()
    assert len(whole(log)) == 2


def test_records_written_while_others_purge_are_all_there(folder):
    context = multiprocessing.get_context("fork")

    def append(number):
        for n in range(40):
            AuditLog(folder / "ask.jsonl").append({"writer": number, "n": n, **({"retain_until": DUE} if n % 2 else {})})

    def purge(_):
        for _ in range(20):
            retention.purge(folder, Queue(folder / "queue.sqlite", 200), AT)

    running = [context.Process(target=t, args=(n,)) for n, t in enumerate((append, append, append, purge, purge))]
    for process in running:
        process.start()
    for process in running:
        process.join(120)
    assert [p.exitcode for p in running] == [0] * 5
    purge(0)
    records = whole(AuditLog(folder / "ask.jsonl"))
    assert sorted((r["writer"], r["n"]) for r in records if "n" in r) == [(w, n) for w in range(3) for n in range(0, 40, 2)]
    assert sum(r["count"] for r in records if r.get("kind") == "purged") == 60


# --- tickets ----------------------------------------------------------------------------------------------------------


def test_resolved_tickets_go_with_their_records_and_unresolved_ones_keep_theirs(log, queue, folder):
    ids = write(log, DUE, DUE, DUE, LATER, DUE)
    for record, state in zip(ids, ("open", "taken", RESOLVED, RESOLVED), strict=False):
        ticket(queue, record, state)
    kept = [t for t in queue.all() if t.record != ids[2]]
    found = retention.purge(folder, queue, AT)
    assert found.logs["ask.jsonl"] == retention.Outcome(purged=2, kept=3, undated=0, waiting=2, torn=0, broken=0)
    assert found.tickets == 1 and queue.all() == kept
    assert [r["record"] for r in whole(log) if not r.get("kind")] == [ids[0], ids[1], ids[3]]
    assert not holding(folder, f"QUESTION of {ids[2]}") and holding(folder, f"QUESTION of {ids[0]}")

    for each in queue.all("open"):
        queue.take(each.id, "Ana")
    for each in queue.all("taken"):
        queue.resolve(each.id, "Ana", "decided")
    found = retention.purge(folder, queue, AT)
    assert (found.logs["ask.jsonl"].purged, found.logs["ask.jsonl"].waiting, found.tickets) == (2, 0, 2)


def test_the_restricted_record_of_an_unresolved_ticket_stays_with_the_ordinary_one(log, queue, folder):
    restricted = AuditLog(folder / "restricted.jsonl")
    for record in write(log, DUE, DUE):
        restricted.append({"kind": "restricted", "of": record, "retain_until": DUE})
    restricted.append({"kind": "restricted", "of": None, "retain_until": DUE})
    waits = ticket(queue, log.read()[1]["record"], "open")
    found = retention.purge(folder, queue, AT)
    assert [(o.purged, o.kept, o.waiting) for o in found.logs.values()] == [(1, 1, 1), (2, 1, 1)]
    assert [r["of"] for r in whole(restricted) if "of" in r] == [waits.record]


def test_a_record_with_a_resolved_and_an_open_ticket_stays_with_both(log, queue, folder):
    [record] = write(log, DUE)
    ticket(queue, record, RESOLVED)
    ticket(queue, record, "open")
    found = retention.purge(folder, queue, AT)
    assert (found.logs["ask.jsonl"].waiting, found.tickets, len(queue.all())) == (1, 0, 2)


def test_without_the_queue_nothing_is_purged(rocite, log, queue, folder):
    write(log, DUE)
    queue.path.write_text("no database, whatever it is called" * 50)
    before = state_of(folder)
    with pytest.raises(QueueUnavailable):
        retention.purge(folder, queue, AT)
    code, out, err = rocite("purge", "--at", "2026-07-15")
    assert (code, out) == (1, "") and "cannot be used (file is not a database)" in err
    assert state_of(folder) == before


# --- a purge that is cut short ----------------------------------------------------------------------------------------


@pytest.fixture
def full(log, queue, folder):
    """Two logs with records that are due, one of them with a resolved ticket."""
    ids = write(log, DUE, LATER, DUE)
    write(AuditLog(folder / "restricted.jsonl"), DUE)
    ticket(queue, ids[0], RESOLVED)
    return ids


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("survives", [0, 1])
def test_a_purge_that_cannot_replace_the_log_loses_nothing(full, log, queue, folder, monkeypatch, error, survives):
    before = {name: found[0] for name, found in state_of(folder).items()}
    replace, calls = os.replace, []

    def failing(*arguments):
        calls.append(arguments)
        if len(calls) > survives:
            raise error
        replace(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", failing)
        with pytest.raises(RociteError if isinstance(error, OSError) else KeyboardInterrupt) as caught:
            retention.purge(folder, queue, AT)
    if isinstance(error, OSError):
        assert "No space left" in str(caught.value) and "No record was lost." in str(caught.value)
    after = {name: found[0] for name, found in state_of(folder).items() if name != ".purging.jsonl"}
    assert after == before
    assert len(queue.all()) == 1 and len(whole(log)) == 3

    found = retention.purge(folder, queue, AT)
    assert ([o.purged for o in found.logs.values()], found.tickets) == ([2, 1], 1)
    assert not holding(folder, "QUESTION") and not holding(folder, "SECRET 0") and not (folder / ".purging.jsonl").exists()


def test_a_killed_purge_loses_nothing_and_the_next_one_clears_what_it_left(full, log, queue, folder):
    before = log.path.read_bytes()

    def killed():
        replace = os.replace

        def kill(source, target):
            if Path(target).name == "ask.jsonl":
                os.kill(os.getpid(), signal.SIGKILL)
            replace(source, target)

        os.replace = kill
        retention.purge(folder, queue, AT)

    process = multiprocessing.get_context("fork").Process(target=killed)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert log.path.read_bytes() == before and len(queue.all()) == 1
    assert sorted(holding(folder, "SECRET 1")) == [".ask.jsonl.purged", "ask.jsonl"]
    retention.purge(folder, queue, AT)
    assert holding(folder, "SECRET 1") == ["ask.jsonl"] and not holding(folder, "SECRET 0") and not holding(folder, "QUESTION")
    assert len(whole(log)) == 3


@pytest.mark.parametrize("more", [[], [DUE]])
def test_a_purge_killed_between_log_and_queue_is_finished_by_the_next(full, log, queue, folder, monkeypatch, more):
    elsewhere = ticket(queue, "a record of another log", RESOLVED)
    with monkeypatch.context() as patched:
        patched.setattr(Queue, "drop", lambda self, records: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            retention.purge(folder, queue, AT)
    assert "ask.jsonl" not in holding(folder, "SECRET 0") and len(queue.all()) == 2
    write(log, *more)
    found = retention.purge(folder, queue, AT)
    assert found.logs["ask.jsonl"].purged == len(more) and found.tickets == 1
    assert queue.all() == [elsewhere]
    before = state_of(folder)
    retention.purge(folder, queue, AT)
    assert state_of(folder) == before


def test_a_purge_that_failed_takes_no_ticket_of_a_record_that_is_still_there(log, queue, folder, monkeypatch):
    [record] = write(log, LATER)
    kept = ticket(queue, record, RESOLVED)
    with monkeypatch.context() as patched:
        patched.setattr(retention, "_replace", lambda *_: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            retention.purge(folder, queue, datetime.date(2027, 1, 1))
    assert retention.purge(folder, queue, AT).tickets == 0
    assert queue.all() == [kept] and len(whole(log)) == 1


def test_a_second_purge_waits_for_the_first(full, log, queue, folder, monkeypatch):
    replace, others = retention._replace, []

    def slow(*arguments):
        if not others:
            others.append(threading.Thread(target=retention.purge, args=(folder, Queue(queue.path, 200), AT)))
            others[0].start()
            others[0].join(0.3)
        replace(*arguments)

    monkeypatch.setattr(retention, "_replace", slow)
    retention.purge(folder, queue, AT)
    others[0].join(30)
    assert not others[0].is_alive() and queue.all() == [] and len(whole(log)) == 3


def test_in_a_read_only_folder_the_purge_is_an_error_and_nothing_changes(rocite, monkeypatch):
    folder = Path(tempfile.mkdtemp(prefix="rocite-test-"))
    root = os.geteuid() == 0
    try:
        monkeypatch.setenv("ROCITE_AUDIT", str(folder))
        write(AuditLog(folder / "ask.jsonl"), DUE, LATER)
        before = state_of(folder)
        folder.chmod(0o555)
        if root:  # root may write anywhere: try it as nobody
            os.seteuid(65534)
        try:
            code, out, err = rocite("purge", "--at", "2026-07-15")
            shown = rocite("show")
        finally:
            if root:
                os.seteuid(0)
        assert (code, out) == (1, "")
        assert (
            f"the audit logs in {folder} cannot be purged" in err and "Permission denied" in err and "run rocite audit purge again" in err
        )
        assert shown[0] == 0 and shown[1].count("\n") == 2
        assert state_of(folder) == before
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


# --- tampering --------------------------------------------------------------------------------------------------------


def changed(number, **fields):
    def change(lines):
        lines[number] = dumps(json.loads(lines[number]) | fields)

    return change


def inserted(lines):
    first = json.loads(lines[0])
    lines.insert(2, dumps({"question": "never asked", "record": "0" * 32, "time": first["time"], "previous": sha256_of(lines[1])}))


@pytest.mark.parametrize(
    "change",
    [
        changed(1, question="another"),
        changed(1, retain_until=DUE),
        changed(0, count=1),
        changed(0, to=None),
        changed(2, count=7),
        lambda lines: lines.pop(0),
        lambda lines: lines.pop(1),
        lambda lines: lines.pop(2),
        lambda lines: lines.insert(1, lines.pop(2)),
        inserted,
    ],
)
def test_tampering_after_a_purge_is_found(log, queue, folder, change):
    write(log, DUE, DUE, LATER, DUE, LATER)
    retention.purge(folder, queue, AT)
    assert len(whole(log)) == 4  # tombstone, record, tombstone, record
    lines = log.path.read_text(encoding="utf-8").splitlines()
    change(lines)
    log.path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    with pytest.warns(UserWarning, match=BROKEN):
        log.read()


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("change", [lambda n: changed(n, question="another"), lambda n: lambda lines: lines.pop(n)])
def test_a_purge_hides_no_earlier_tampering(rocite, log, queue, folder, number, change):
    write(log, DUE, LATER, LATER, DUE, LATER, DUE, LATER)
    lines = log.path.read_text(encoding="utf-8").splitlines()
    change(number)(lines)
    log.path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    code, _, err = rocite("purge", "--at", "2026-07-15")
    assert code == 0 and "ask.jsonl: 1 lines were changed or are missing" in err
    with pytest.warns(UserWarning, match=BROKEN) as caught:
        log.read()
    assert len(caught) == 1
    AuditLog(log.path).append({"retain_until": LATER})
    with pytest.warns(UserWarning, match=BROKEN) as caught:
        log.read()
    assert len(caught) == 1


def test_what_was_broken_among_removed_records_is_kept_as_a_number(rocite, log, queue, folder):
    write(log, DUE, DUE, DUE, "2026-07-20", LATER)
    lines = log.path.read_text(encoding="utf-8").splitlines()
    changed(1, question="another")(lines)
    log.path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    retention.purge(folder, queue, AT)
    assert whole(log)[0]["broken"] == 1
    retention.purge(folder, queue, AT + datetime.timedelta(days=10))
    [tombstone, _] = whole(log)
    assert (tombstone["count"], tombstone["broken"]) == (4, 1)
    assert "4 records from" in rocite("show")[1] and "were purged, 1 broken links among them" in rocite("show")[1]


# --- torn and foreign lines -------------------------------------------------------------------------------------------


def tear(log, text="TORN"):
    with open(log.path, "ab") as file:
        file.write(f'{{"question": "{text} ț'.encode()[:-1])


def test_a_torn_line_goes_with_the_record_behind_it(log, queue, folder):
    write(log, DUE)
    tear(log)
    write(log, DUE, LATER)
    found = retention.purge(folder, queue, AT)
    assert found.logs["ask.jsonl"] == retention.Outcome(2, 1, 0, 0, 0, 0)
    assert [r.get("count") for r in whole(log)] == [2, None]
    assert not holding(folder, "TORN")


def test_a_torn_line_before_a_kept_record_and_at_the_end_stays_and_is_counted(rocite, log, queue, folder):
    write(log, DUE)
    tear(log, "TORN before")
    write(log, LATER)
    tear(log, "TORN last")
    found = retention.purge(folder, queue, AT)
    assert found.logs["ask.jsonl"] == retention.Outcome(1, 1, 0, 0, 2, 0)
    with pytest.warns(UserWarning) as caught:
        assert [r.get("kind") for r in log.read()] == ["purged", None]
    assert ["not JSON" in str(w.message) or "torn last line" in str(w.message) for w in caught] == [True, True]
    write(log, LATER)
    with pytest.warns(UserWarning) as caught:
        assert len(log.read()) == 3
    assert not [w for w in caught if "was changed" in str(w.message)]
    code, out, err = rocite("show")
    assert code == 1 and out.count("\n") == 3 and err.count("not JSON") == 2


def test_a_log_of_a_torn_line_alone_is_left_alone(log, queue, folder):
    log.path.parent.mkdir()
    tear(log)
    assert retention.purge(folder, queue, AT).logs["ask.jsonl"] == retention.Outcome(0, 0, 0, 0, 1, 0)
    assert holding(folder, "TORN")


def test_a_last_record_without_its_newline_is_purged_and_the_log_goes_on(log, queue, folder):
    write(log, LATER, DUE)
    log.path.write_bytes(log.path.read_bytes()[:-1])
    retention.purge(folder, queue, AT)
    write(log, LATER)
    assert [r.get("kind") for r in whole(log)] == [None, "purged", None]


@pytest.mark.parametrize(
    "line",
    [
        '{"question": "no record"}',
        "[1]",
        "null",
        '{"record": 7, "previous": null}',
        '{"record": "a", "previous": null, "score": NaN}',
        '{"record": "a", "previous": null, "q": "\\ud800"}',
    ],
)
def test_a_log_with_a_line_that_is_no_audit_record_is_not_purged(rocite, log, folder, line):
    write(log, DUE)
    with open(log.path, "a") as file:
        file.write(line + "\n")
    before = state_of(folder)
    code, out, err = rocite("purge", "--at", "2026-07-15")
    assert (code, out) == (2, "")
    assert f"{log.path}, line 2: no audit record (" in err and "Nothing was purged from this log." in err
    assert state_of(folder) == before


def test_a_tombstone_of_somebody_elses_making_is_kept_as_a_record_without_a_date(log, queue, folder):
    log.append({"kind": "purged", "count": "many"})
    log.append({"kind": "purged", "count": 1, "retain_until": DUE, "question": "SECRET"})
    assert retention.purge(folder, queue, AT).logs["ask.jsonl"] == retention.Outcome(1, 1, 1, 0, 0, 0)
    assert not holding(folder, "SECRET") and len(whole(log)) == 2


# --- the command ------------------------------------------------------------------------------------------------------


def test_purge_prints_what_went_and_what_stayed(rocite, log, queue, folder):
    ids = write(log, DUE, DUE, LATER, None)
    ticket(queue, ids[0], "open")
    ticket(queue, ids[1], RESOLVED)
    assert rocite("purge", "--at", "2026-07-15") == (
        0,
        "ask.jsonl: 1 purged, 3 kept (1 due with an unresolved ticket, 1 without a date), 0 torn lines\nqueue: 1 resolved tickets purged\n",
        "",
    )
    code, out, _ = rocite("purge", "--at", "2026-07-15", "--json")
    outcome = {"purged": 0, "kept": 3, "undated": 1, "waiting": 1, "torn": 0, "broken": 0}
    assert (code, json.loads(out)) == (0, {"at": "2026-07-15", "logs": {"ask.jsonl": outcome}, "tickets": 0})


def test_purge_without_a_date_means_today(rocite, log):
    today = datetime.date.today()
    write(log, (today - datetime.timedelta(days=2)).isoformat(), (today + datetime.timedelta(days=2)).isoformat())
    assert rocite("purge")[1].startswith("ask.jsonl: 1 purged, 1 kept")


def test_without_a_log_there_is_nothing_to_show_or_purge(rocite, folder):
    assert rocite("purge")[:2] == (0, "no audit log is here; nothing to purge\n")
    assert rocite("show")[:2] == (0, f"the audit log {folder / 'ask.jsonl'} holds no record\n")
    assert json.loads(rocite("show", "--json")[1]) == {"log": str(folder / "ask.jsonl"), "records": [], "warnings": []}
    assert not folder.exists()


@pytest.mark.parametrize("date", ["tomorrow", "2026-13-01", ""])
def test_a_wrong_date_exits_2_and_purges_nothing(rocite, log, date):
    write(log, DUE)
    code, out, err = rocite("purge", "--at", date)
    assert (code, out) == (2, "") and "expected a date as 2026-07-15. Nothing was purged." in err
    assert len(whole(log)) == 1


@pytest.mark.parametrize("arguments", [[], ["drop"], ["show", "--last", "0"], ["show", "--last", "-1"], ["purge", "--at"]])
def test_a_command_line_that_cannot_be_read_exits_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["audit", *arguments])
    assert caught.value.code == 2 and "usage: rocite audit" in capsys.readouterr().err


def test_show_prints_a_line_a_record_and_the_restricted_log_never(rocite, log, folder):
    ids = write(log, LATER, None, route="escalate", reason="missing_evidence")
    log.append({"question": "Q", "verdict": "accepted", "scopes": ["hangar", "office"]})
    AuditLog(folder / "restricted.jsonl").append({"question": "HIDDEN"})
    records = whole(log)
    assert rocite("show") == (
        0,
        f"{records[0]['time']}  {ids[0]}  escalate  missing_evidence  kept until 2026-10-01  public  SECRET 0\n"
        f"{records[1]['time']}  {ids[1]}  escalate  missing_evidence  kept without a date  public  SECRET 1\n"
        f"{records[2]['time']}  {records[2]['record']}  accepted  kept without a date  scopes hangar, office  Q\n",
        "",
    )
    assert rocite("show", "--last", "1")[1].endswith("  Q\n") and rocite("show", "--last", "1")[1].count("\n") == 1
    assert json.loads(rocite("show", "--json", "--last", "2")[1]) == {"log": str(log.path), "records": records[1:], "warnings": []}


def test_show_exits_1_and_says_so_when_a_record_was_changed(rocite, log):
    write(log, LATER, LATER)
    log.path.write_text(log.path.read_text().replace("SECRET 0", "another"))
    for options in ([], ["--json"]):
        code, out, err = rocite("show", *options)
        assert code == 1 and "the line before it was changed or is missing" in err and "SECRET 1" in out
    assert len(json.loads(out)["warnings"]) == 1


def test_show_of_hostile_records_moves_no_cursor(rocite, log):
    hostile = "\x1b[2J\x9b31m\nforged line\u202e" + "x" * 99
    log.append({"question": hostile, "route": hostile, "retain_until": hostile, "scopes": hostile, "kind": "\x1b[0m"})
    log.append({"question": 7, "scopes": [None, {"a": 1}], "route": ["x"]})
    code, out, _ = rocite("show")
    assert code == 0 and out.count("\n") == 2 and all(line.isprintable() for line in out.split("\n"))
    code, out, _ = rocite("show", "--json")
    assert out.count("\n") == 1 and out.rstrip("\n").isprintable() and json.loads(out)["records"][0]["question"] == hostile


def test_a_log_that_cannot_be_shown_exits_2(rocite, log):
    log.path.mkdir(parents=True)
    assert rocite("show")[0] == 2
    log.path.rmdir()
    write(log, LATER)
    append_jsonl(log.path, {"no": "record"})
    code, _, err = rocite("show")
    assert code == 2 and "line 2: no audit record" in err
    log.path.write_text('{"record": "a", "previous": null, "score": NaN}\n')
    code, _, err = rocite("show")
    assert code == 2 and "mend the line or move it elsewhere" in err
