"""Judgements kept: the same answer beside the same fragments under the same settings and code is judged once.

Decides what a judgement depends on: question, fragments, answer, language, the settings that its set of gates reads, and
the code that judges. A changed threshold of one set thus leaves what the other said; a changed word list leaves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from rocite.cache import Store
from rocite.check import Judgement, judge_by
from rocite.gates.base import Fragment, Settings
from rocite.records import dumps

READ = {  # the settings that each set of gates reads
    "article": ("min_sim", "min_ground", "prefix_length", "min_claim_words"),
    "strict": tuple(f.name for f in fields(Settings) if f.name not in ("min_ground", "prefix_length", "min_claim_words")),
}


class Judge:
    """Judges by several sets of gates; `code` is the digest of what judges, `store` keeps what was found (None: nothing)."""

    def __init__(self, settings: Settings, store: Store | None = None, code: str = ""):
        self.settings = settings
        self._store = store
        self._code = code
        self._found: list[tuple[tuple[str, ...], bytes]] = []

    def by(
        self, sets: Sequence[str], question: str, fragments: tuple[Fragment, ...], answer: str, lang: str | None
    ) -> dict[str, Judgement]:
        """Return what each set of gates says of `answer`; see `rocite.check.judge_by`."""
        if self._store is None:
            return judge_by(sets, question, fragments, answer, self.settings, lang)
        about = dumps([self._code, question, [asdict(f) for f in fragments], answer, lang])
        keys = {name: ("judgement", name, dumps({k: getattr(self.settings, k) for k in READ[name]}), about) for name in sets}
        kept = {name: self._store.get(*key) for name, key in keys.items()}
        missing = [name for name in sets if kept[name] is None]
        made = judge_by(missing, question, fragments, answer, self.settings, lang) if missing else {}
        self._found += [(keys[name], dumps(judgement.as_dict()).encode()) for name, judgement in made.items()]
        return {name: made[name] if name in made else _read(kept[name]) for name in sets}

    def keep(self) -> None:
        """Put what was judged since the last time into the store, in one transaction."""
        if self._store is not None:
            self._store.put_all(self._found)
        self._found = []


def _read(kept: bytes) -> Judgement:
    found = json.loads(kept)
    lists = ("failed", "sources", "padding", "sentences", "unchecked")
    return Judgement(**{f.name: tuple(found[f.name]) if f.name in lists else found[f.name] for f in fields(Judgement)})
