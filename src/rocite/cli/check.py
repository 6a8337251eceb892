"""``rocite check``: judge the finished answers of any system, a line each."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rocite.cli.common import values as values_of
from rocite.errors import InputError, RociteError


def run(given: argparse.Namespace) -> int:
    """Judge every line of a file; return the exit status."""
    from rocite.check import SETTINGS, settings_from, settings_of
    from rocite.records import dumps, write_atomically

    values = values_of(given.set, SETTINGS)
    settings = settings_from(settings_of(values))
    try:
        lines = Path(given.answers).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        raise InputError(f"{given.answers}: cannot be read ({error.strerror}); expected a JSON Lines file of answers.") from error
    results = [_check_line(line, n, settings, given.gates) for n, line in enumerate(lines, start=1) if line.strip()]
    text = "".join(dumps(r) + "\n" for r in results)  # each was tried by _check_line
    if given.out:
        try:
            write_atomically(Path(given.out), text)
        except OSError as error:
            raise RociteError(f"{given.out}: cannot be written ({error.strerror}).") from error
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    counts = {v: sum(r["verdict"] == v for r in results) for v in ("accepted", "abstained", "refused", "error")}
    print(f"rocite: {len(results)} answers: " + ", ".join(f"{n} {v}" for v, n in counts.items()), file=sys.stderr)
    return 1 if counts["error"] else 0


def _check_line(line: bytes, number: int, settings, gate_set: str) -> dict:
    from rocite import check

    record_id = None
    try:
        record = json.loads(line.decode("utf-8"))
        if not isinstance(record, dict):
            raise InputError(f"expected an object, found {type(record).__name__}")
        record_id = record.get("id")
        question, fragments, answer, lang = _answer_fields(record)
        result = {"id": record_id, **check.judge(question, fragments, answer, settings, gate_set, lang).as_dict()}
        _written(result)
        return result
    except (ValueError, RecursionError, RociteError) as error:
        reason = str(error) or type(error).__name__
    except Exception as error:  # whatever else goes wrong on one line is an error of that line, never a pass
        reason = f"{type(error).__name__}: {error}"
    try:
        _written(record_id)
    except (ValueError, RecursionError):
        record_id = None
    return {"id": record_id, "line": number, "verdict": "error", "reason": reason.encode("utf-8", "backslashreplace").decode()}


def _written(value: object) -> bytes:
    """Return `value` as it will stand in the output. Raises ValueError for what JSON in UTF-8 cannot hold."""
    from rocite.records import dumps

    return dumps(value).encode("utf-8")


def _answer_fields(record: dict) -> tuple[str, tuple, str, str | None]:
    from rocite.gates.base import Fragment

    question, answer, listed = record.get("question") or "", record.get("answer"), record.get("fragments")
    if not isinstance(question, str) or not isinstance(answer, str):
        raise InputError("'question' and 'answer' have to be text")
    if not isinstance(listed, list):
        raise InputError("'fragments' has to be a list of {'id', 'title', 'text'}")
    fragments = []
    for position, item in enumerate(listed, start=1):
        if not isinstance(item, dict) or not isinstance(item.get("text"), str) or not _is_id(item.get("id")):
            raise InputError(f"fragment {position} has to be an object with 'id' and 'text'")
        score = item.get("score")
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) <= sys.float_info.max):
            raise InputError(f"the score of fragment {position} has to be a finite number")
        title = item.get("title") or ""
        if not isinstance(title, str):
            raise InputError(f"the title of fragment {position} has to be text")
        fragments.append(Fragment(str(item["id"]), item["text"], title, score, lang=_language(item, f"fragment {position}")))
    return question, tuple(fragments), answer, _language(record, "the answer")


def _language(item: dict, what: str) -> str | None:
    lang = item.get("lang")
    if lang is not None and not isinstance(lang, str):
        raise InputError(f'the \'lang\' of {what} has to be text, such as "ro" or "en"')
    return lang or None


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and bool(str(value).strip())
