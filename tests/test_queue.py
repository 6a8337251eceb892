"""The escalation queue and ``rocite queue``: bounded, each ticket one person's, harmless to list, honest when it cannot be used."""

import contextlib
import datetime
import json
import multiprocessing
import os
import random
import re
import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest

from rocite import cli, params, places
from rocite.boundary import tickets
from rocite.boundary.tickets import OPEN, RESOLVED, TAKEN, Queue, QueueFull, QueueUnavailable
from rocite.cli import queue as queue_command
from rocite.errors import InputError

PROCESSES = 8
NOBODY = 65534
QUESTION = "Care este intervalul de inspecție pentru ansamblul B?"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Keep the queue out of the checkout."""
    monkeypatch.setenv("ROCITE_AUDIT", str(tmp_path / "audit"))
    return tmp_path / "audit"


@pytest.fixture
def queue(folder) -> Queue:
    return Queue(folder / "queue.sqlite", 200)


@pytest.fixture
def rocite(capsys):
    """Runs the command; returns status, output and messages."""

    def run(*arguments):
        code = cli.main(["queue", *arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


@contextlib.contextmanager
def folder_that_nobody_may_write(mode):
    """A folder of this mode outside pytest's own, in which even a test that root runs has no rights of root."""
    folder = Path(tempfile.mkdtemp(prefix="rocite-test-"))
    try:
        yield folder, lambda: _unprivileged(folder, mode)
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@contextlib.contextmanager
def _unprivileged(folder, mode):
    folder.chmod(mode)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


def put(queue, record="r", question=QUESTION, owner="maintenance", hours=48.0, reason="missing_evidence"):
    return queue.put(record, owner, reason, question, ["manual B"], hours)


def resolved(queue, record, question=QUESTION):
    ticket = put(queue, record, question)
    queue.take(ticket.id, "Ana")
    return queue.resolve(ticket.id, "Ana", "revision C is approved")


def side_by_side(target, *arguments):
    """Run `target` in several processes that start together; return what each of them exits with."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(PROCESSES)

    def started(number):
        barrier.wait(30)
        os._exit(target(number, *arguments))

    running = [context.Process(target=started, args=(n,)) for n in range(PROCESSES)]
    for process in running:
        process.start()
    for process in running:
        process.join(120)
    return [p.exitcode for p in running]


# --- the bound --------------------------------------------------------------------------------------------------------


def test_eight_processes_together_put_no_more_than_the_bound(folder):
    def fill(number, path):
        queue, done = Queue(path, 30), 0
        for n in range(10):
            with contextlib.suppress(QueueFull):
                put(queue, f"{number}-{n}")
                done += 1
        return done

    put_by_each = side_by_side(fill, folder / "queue.sqlite")
    kept = Queue(folder / "queue.sqlite", 30).all()
    assert sum(put_by_each) == len(kept) == len({t.record for t in kept}) == 30, put_by_each


def test_a_full_queue_says_that_nobody_was_asked_and_has_room_again_when_one_is_resolved(folder):
    queue = Queue(folder / "queue.sqlite", 2)
    first = put(queue)
    queue.take(put(queue).id, "Ana")
    with pytest.raises(QueueFull, match=r"is full: 2 tickets wait and 2 may; nobody was asked\. Resolve some .* or raise queue_limit\."):
        put(queue)
    assert len(queue.all()) == 2
    queue.take(first.id, "Ion")
    with pytest.raises(QueueFull):
        put(queue)  # a taken ticket waits too
    queue.resolve(first.id, "Ion", "done")
    put(queue)
    assert len(queue.all()) == 3


def test_the_parameters_of_the_queue_are_declared_with_their_ranges(root, monkeypatch):
    declared = params.definitions(root / "notebooks" / "params" / "default.toml")
    found = {n: (p.value, p.type, p.min, p.max, p.unit) for n, p in declared.items()}
    assert found["queue_limit"] == (200, "int", 1, 100000, "tickets")
    assert found["response_hours"] == (48.0, "float", 0.1, 8760.0, "hours")
    assert found["response_hours_high"] == (8.0, "float", 0.1, 8760.0, "hours")
    assert found["retention_days"] == (90, "int", 1, 36500, "days")
    assert queue_command.opened().limit == 200


def test_the_queue_lies_in_the_checkout_unless_the_environment_names_a_folder(root, folder, monkeypatch):
    assert queue_command.opened().path == folder / "queue.sqlite"
    for unset in ("", None):
        monkeypatch.setenv("ROCITE_AUDIT", unset) if unset is not None else monkeypatch.delenv("ROCITE_AUDIT")
        assert places.audit_folder() == root / "build" / "audit"


# --- take and resolve -------------------------------------------------------------------------------------------------


def test_of_eight_takers_at_once_one_wins_and_the_others_are_told_who(queue):
    def take(number, path, ticket):
        try:
            Queue(path, 200).take(ticket, f"person {number}")
            return 0
        except InputError as error:
            return 7 if f"ticket {ticket} is taken by person " in str(error) else 9

    for _ in range(5):
        ticket = put(queue)
        codes = side_by_side(take, queue.path, ticket.id)
        assert sorted(codes) == [0] + [7] * (PROCESSES - 1)
        [kept] = [t for t in queue.all() if t.id == ticket.id]
        assert (kept.state, kept.person) == (TAKEN, f"person {codes.index(0)}")


def test_a_ticket_goes_from_open_to_taken_to_resolved(rocite, queue):
    ticket = put(queue)
    code, out, _ = rocite("take", ticket.id, "--by", "Ana")
    assert code == 0 and f"{ticket.id}  taken by Ana  due {ticket.due}" in out
    assert f"question: {QUESTION}\n  sources: manual B\n  record: r\n" in out
    code, out, _ = rocite("resolve", ticket.id, "--by", " Ana ", "--note", " revision C is approved\n")
    assert code == 0 and f"{ticket.id}  resolved by Ana" in out
    [kept] = queue.all()
    assert (kept.state, kept.person, kept.note) == (RESOLVED, "Ana", "revision C is approved")
    assert kept.changed >= ticket.changed and kept.question == QUESTION


@pytest.mark.parametrize(
    ("before", "step", "said"),
    [
        ([], ("resolve", "Ana"), r"is open; expected one that is taken by Ana\. Take it first: rocite queue take\."),
        ([("take", "Ana")], ("take", "Ion"), r"is taken by Ana; expected one that is open\."),
        ([("take", "Ana")], ("take", "Ana"), r"is taken by Ana; expected one that is open\."),
        ([("take", "Ana")], ("resolve", "Ion"), r"is taken by Ana; expected one that is taken by Ion\."),
        ([("take", "Ana")], ("resolve", "ana"), r"is taken by Ana; expected one that is taken by ana\."),
        ([("take", "Ana"), ("resolve", "Ana")], ("take", "Ion"), r"is resolved by Ana; expected one that is open\."),
        ([("take", "Ana"), ("resolve", "Ana")], ("resolve", "Ana"), r"is resolved by Ana; expected one that is taken by Ana\."),
    ],
)
def test_a_step_in_the_wrong_order_exits_2_and_changes_nothing(rocite, queue, before, step, said):
    ticket = put(queue)

    def go(action, person):
        return rocite(action, ticket.id, "--by", person, *(["--note", "done"] if action == "resolve" else []))

    for each in before:
        assert go(*each)[0] == 0
    kept = queue.all()
    code, out, err = go(*step)
    assert (code, out) == (2, "") and re.search(said, err)
    assert queue.all() == kept


@pytest.mark.parametrize("there", [True, False])
def test_an_unknown_ticket_exits_2_and_makes_no_file(rocite, queue, there):
    if there:
        put(queue)
    for arguments in (["take", "0123", "--by", "Ana"], ["resolve", "0123", "--by", "Ana", "--note", "done"]):
        code, out, err = rocite(*arguments)
        assert (code, out) == (2, "")
        assert err == f"rocite: no ticket '0123' in the queue {queue.path}; rocite queue list names them.\n"
    assert queue.path.parent.exists() == there


@pytest.mark.parametrize(
    ("name", "note", "said"),
    [
        ("  ", "done", "expected printable letters"),
        ("A\x1b[2Jna", "done", "--by is 'A\\x1b[2Jna'; expected printable letters"),
        (os.fsdecode(b"\xe2na"), "done", "expected printable letters"),
        ("Ana", " \n", "--note is empty"),
        ("Ana", os.fsdecode(b"\xe2"), "not UTF-8"),
    ],
)
def test_a_name_or_note_that_says_nothing_exits_2_and_changes_nothing(rocite, queue, name, note, said):
    ticket = queue.take(put(queue).id, "Ana")
    code, out, err = rocite("resolve", ticket.id, "--by", name, "--note", note)
    assert (code, out) == (2, "") and said in err and "\x1b" not in err
    assert queue.all() == [ticket]


def test_a_question_that_is_not_utf8_is_refused_and_not_put(queue):
    with pytest.raises(InputError, match="not UTF-8"):
        put(queue, question=os.fsdecode(b"C\xe2t?"))
    assert queue.all() == []


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["drop"],
        ["list", "--state", "closed"],
        ["take", "x"],
        ["take", "--by", "Ana"],
        ["resolve", "x", "--by", "Ana"],
        ["resolve", "x", "--note", "done"],
    ],
)
def test_a_command_line_that_cannot_be_read_exits_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["queue", *arguments])
    assert caught.value.code == 2 and "usage: rocite queue" in capsys.readouterr().err


# --- the listing ------------------------------------------------------------------------------------------------------


def test_an_empty_queue_says_so_and_makes_no_file(rocite, folder):
    assert rocite("list") == (0, "the queue is empty\n0 open, 0 taken, 0 overdue; 0 of 200 places used\n", "")
    code, out, _ = rocite("list", "--json")
    assert code == 0 and json.loads(out) == {"tickets": [], "counts": {"open": 0, "taken": 0, "overdue": 0, "limit": 200}}
    assert not folder.exists()


@pytest.fixture
def four(queue):
    """An overdue open ticket, an overdue taken one, an open one in time, a resolved one whose target is past."""
    late = put(queue, "late", hours=-1.0, owner="customs")
    taken = queue.take(put(queue, "taken", hours=-2.0).id, "Ana")
    early = put(queue, "early")
    done = put(queue, "done", hours=-3.0)
    queue.take(done.id, "Ana")
    done = queue.resolve(done.id, "Ana", "done")
    return {"late": late, "taken": taken, "early": early, "done": done}


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ([], ["done", "taken", "late", "early"]),  # the oldest target first
        (["--state", "open"], ["late", "early"]),
        (["--state", "resolved"], ["done"]),
        (["--overdue"], ["taken", "late"]),
        (["--overdue", "--state", "taken"], ["taken"]),
        (["--owner", "customs"], ["late"]),
        (["--owner", "nobody"], []),
    ],
)
def test_the_listing_is_of_what_was_asked_and_counts_the_whole_queue(rocite, four, options, named):
    code, out, _ = rocite("list", *options)
    *lines, last = out.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines] == [four[n].id for n in named] or (lines, named) == (["no such ticket"], [])
    assert last == "2 open, 1 taken, 2 overdue; 3 of 200 places used"
    listed = json.loads(rocite("list", *options, "--json")[1])
    assert [t["record"] for t in listed["tickets"]] == named
    assert listed["counts"] == {"open": 2, "taken": 1, "overdue": 2, "limit": 200}


def test_a_line_says_id_state_target_owner_reason_and_question(rocite, four):
    late, early = four["late"], four["early"]
    lines = rocite("list")[1].splitlines()
    assert f"{late.id}  open  due {late.due} (overdue)  customs  missing_evidence  {QUESTION}" in lines
    assert f"{early.id}  open  due {early.due}  maintenance  missing_evidence  {QUESTION}" in lines
    [listed] = [t for t in json.loads(rocite("list", "--json")[1])["tickets"] if t["id"] == late.id]
    assert listed == late.as_dict() | {"overdue": True}


def test_a_full_queue_is_listed_as_full(rocite, queue, monkeypatch):
    monkeypatch.setattr(queue_command, "values_of", lambda _: {"queue_limit": 2})
    put(queue)
    put(queue)
    assert rocite("list")[1].endswith("2 open, 0 taken, 0 overdue; 2 of 2 places used\n")


def test_a_ticket_is_overdue_after_its_target_and_not_at_it(queue):
    ticket = put(queue, hours=1.0)
    due = datetime.datetime.fromisoformat(ticket.due)
    assert not ticket.overdue(due)
    assert ticket.overdue(due + datetime.timedelta(seconds=1))


HOSTILE = "\x1b[2J\x1b]0;owned\x07Ș\r\n0123456789ab  resolved\t\x9b31m\u202etfel\u2028\x00\x7f" + "x" * 100


def test_a_hostile_question_stays_one_harmless_line(rocite, queue):
    ticket = put(queue, question=HOSTILE, owner="own\x1b[1mer\n", reason="rea\nson")
    put(queue, question="y" * 60)
    put(queue, question="z" * 61)
    code, out, _ = rocite("list")
    lines = out.split("\n")
    assert code == 0 and len(lines) == 5 and lines[-1] == ""
    assert all(line.isprintable() for line in lines)
    [line] = [each for each in lines if each.startswith(ticket.id)]
    question = line.split("rea son  ")[1]
    assert len(question) == 60 and question.startswith(" [2J ]0;owned Ș") and question.endswith("…")
    assert any(each.endswith("  " + "y" * 60) for each in lines) and any(each.endswith("  " + "z" * 59 + "…") for each in lines)

    code, out, _ = rocite("list", "--json")
    assert code == 0 and out.count("\n") == 1 and out.rstrip("\n").isprintable() and "Ș" in out
    assert HOSTILE in [t["question"] for t in json.loads(out)["tickets"]]

    code, out, _ = rocite("take", ticket.id, "--by", "Ana")
    assert code == 0 and out.count("\n") == 4 and all(each.isprintable() for each in out.split("\n"))


# --- a queue that cannot be used --------------------------------------------------------------------------------------


def test_a_file_that_is_no_database_is_an_unavailable_queue_and_stays_as_it_is(rocite, queue):
    queue.path.parent.mkdir()
    queue.path.write_bytes(b"not a database, but somebody's notes " * 100)
    before = queue.path.read_bytes()
    for arguments in (["list"], ["list", "--json"], ["take", "x", "--by", "Ana"], ["resolve", "x", "--by", "Ana", "--note", "done"]):
        code, out, err = rocite(*arguments)
        assert (code, out) == (1, "")
        assert f"the queue {queue.path} cannot be used (file is not a database); expected a SQLite file" in err and err.count("\n") == 1
    with pytest.raises(QueueUnavailable):
        put(queue)
    with pytest.raises(QueueUnavailable):
        queue.drop(["r"])
    assert queue.path.read_bytes() == before


def test_a_folder_that_is_a_file_is_no_empty_queue(rocite, folder):
    folder.write_text("")
    code, out, err = rocite("list")
    assert (code, out) == (1, "") and "cannot be used (" in err


def test_a_table_of_other_columns_is_an_unavailable_queue(rocite, queue):
    queue.path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(queue.path)) as other:
        other.execute("CREATE TABLE tickets (id TEXT)")
    code, _, err = rocite("list")
    assert code == 1 and "no such column" in err


@pytest.mark.parametrize(
    ("column", "value"), [("due", "soon"), ("due", "2026-01-01T00:00:00"), ("due", b"\xff"), ("sources", "{"), ("sources", "1")]
)
def test_a_damaged_row_is_named(rocite, queue, column, value):
    ticket = put(queue)
    with contextlib.closing(sqlite3.connect(queue.path, isolation_level=None)) as other:
        other.execute(f"UPDATE tickets SET {column} = ?", (value,))
    code, out, err = rocite("list")
    assert (code, out) == (1, "") and f"ticket '{ticket.id}' of the queue is damaged" in err
    assert rocite("take", ticket.id, "--by", "Ana")[0] == 1


def test_a_queue_that_another_process_holds_is_unavailable_after_a_while(rocite, queue, monkeypatch):
    monkeypatch.setattr(tickets, "_SECONDS", 0.05)
    ticket = put(queue)
    with contextlib.closing(sqlite3.connect(queue.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        code, _, err = rocite("take", ticket.id, "--by", "Ana")
        assert code == 1 and "database is locked" in err and "try again" in err
    assert rocite("take", ticket.id, "--by", "Ana")[0] == 0


def test_in_a_read_only_folder_tickets_are_listed_and_none_is_put_or_taken(rocite, monkeypatch):
    with folder_that_nobody_may_write(0o555) as (folder, without_rights):
        monkeypatch.setenv("ROCITE_AUDIT", str(folder))
        queue = Queue(folder / "queue.sqlite", 200)
        with without_rights():
            with pytest.raises(QueueUnavailable, match="cannot be used"):
                put(queue)
            assert rocite("list")[:2] == (0, "the queue is empty\n0 open, 0 taken, 0 overdue; 0 of 200 places used\n")
        ticket = put(queue)
        with without_rights():
            with pytest.raises(QueueUnavailable):
                put(queue)
            code, out, err = rocite("take", ticket.id, "--by", "Ana")
            assert (code, out) == (1, "") and "cannot be used" in err
            code, out, _ = rocite("list")
            assert code == 0 and out.startswith(f"{ticket.id}  open")
        assert queue.all() == [ticket]


def test_a_folder_that_may_not_be_searched_is_no_empty_queue(rocite, monkeypatch):
    with folder_that_nobody_may_write(0o000) as (folder, without_rights):
        monkeypatch.setenv("ROCITE_AUDIT", str(folder))
        put(Queue(folder / "queue.sqlite", 200))
        with without_rights():
            code, out, err = rocite("list")
        assert (code, out) == (1, "") and "Permission denied" in err


# --- what is deleted is gone ------------------------------------------------------------------------------------------


def test_only_the_resolved_tickets_of_the_named_records_are_dropped(queue):
    assert queue.drop(["a"]) == 0 and not queue.path.exists()
    resolved(queue, "a")
    resolved(queue, "a")
    kept = [resolved(queue, "b"), put(queue, "a"), queue.take(put(queue, "c").id, "Ana")]
    assert queue.drop([]) == 0
    assert queue.drop(["a", "c", "nothing", "a"]) == 2
    assert {t.id for t in queue.all()} == {t.id for t in kept}
    assert {t.state for t in queue.all("", "maintenance")} == {OPEN, TAKEN, RESOLVED}


def test_no_text_of_a_dropped_ticket_is_left_in_the_folder(queue):
    put(queue, "first")
    draw = random.Random(0)
    with queue._opened() as connection:  # questions of all lengths, so that pages are split and rows moved
        connection.execute("BEGIN")
        for n in range(900):
            question = ("SECRET " if n % 2 else "STAYS ") * draw.randint(1, 100)
            row = (f"{draw.random()}", f"{n % 2}", "2026-01-01T00:00:00+00:00", question)
            connection.execute("INSERT INTO tickets VALUES (?, ?, '', ?, '', '', ?, '[]', 'resolved', 'Ana', '', '')", row)
        connection.execute("COMMIT")
        connection.execute("UPDATE tickets SET note = ? WHERE record != 'first'", ("a long note " * 20,))
    assert queue.drop(["1"]) == 450
    assert not [f for f in queue.path.parent.iterdir() if b"SECRET" in f.read_bytes()]
    assert len(queue.all()) == 451
    assert [f.name for f in queue.path.parent.iterdir()] == ["queue.sqlite"]


def test_a_drop_that_cannot_tidy_the_file_has_deleted_the_text_and_may_be_repeated(queue, monkeypatch):
    class FullDisk(sqlite3.Connection):
        def execute(self, statement, *values):
            if statement == "VACUUM":
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(statement, *values)

    resolved(queue, "a", "SECRET")
    connect = sqlite3.connect
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=FullDisk))
        with pytest.raises(QueueUnavailable, match="disk is full"):
            queue.drop(["a"])
    assert queue.all() == [] and b"SECRET" not in queue.path.read_bytes()
    assert queue.drop(["a"]) == 0
