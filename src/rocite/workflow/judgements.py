"""``python -m rocite.workflow.judgements``: record what the gates say of the bench, so that the default run need not judge it anew.

Every judgement is kept under its content, its settings and the digest of the code that judged, in
``data/recorded/judgements.sqlite``. After a change of that code none of them is found, and the default run judges anew.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from rocite import check, params, places
from rocite.cache import Store, default_store
from rocite.errors import RociteError
from rocite.evaluate import cases, checks, end_to_end, stress
from rocite.evaluate.judged import Judge
from rocite.runs import code_of
from rocite.workflow.retrieval import Copying

FILE = "judgements.sqlite"


def main() -> int:
    """Run the command; return its exit status."""
    try:
        top = places.root()
        values = params.resolve(params.definitions(top / "notebooks" / "params" / "default.toml"))
        record(top, check.settings_from(check.settings_of(values)), default_store())
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def record(top: Path, settings: check.Settings, store: Store) -> None:
    """Judge the bench, the pairs and the recorded answers; write the judgements to the SQLite file, which is replaced when it is whole."""
    folder = top / "data" / "recorded"
    with tempfile.TemporaryDirectory(dir=folder, prefix=".judgements-") as aside:
        kept = Store(Path(aside) / "kept.sqlite")
        judge = Judge(settings, Copying(store, kept, "judgement"), code_of(top, "rocite.check"))
        corpora = stress.load_corpora(top / "corpus")
        bench, asked = top / "data" / "stress", top / "data" / "questions"
        checks.judge_items(checks.load_items(bench, corpora), corpora, judge)
        checks.judge_pairs(stress.load_pairs(bench / "pairs.jsonl"), judge)
        found, _ = cases.load(asked / "cases.toml")
        end_to_end.judge_all(folder, end_to_end.with_cases(end_to_end.load(asked / "end_to_end.csv"), found), corpora, judge)
        judge.keep()
        whole = Path(aside) / "whole.sqlite"
        kept.copy_to(whole)
        os.replace(whole, folder / FILE)


if __name__ == "__main__":
    sys.exit(main())
