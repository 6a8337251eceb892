"""``python -m rocite.workflow.outside``: measure the checks on public sets that the reader has, and record the figures.

Reads XQuAD, RO-STS and SummEdits from paths, judges their untouched parts with the default settings and writes
``data/recorded/outside.json``: each figure with its counts and interval, the digests of the files, of the settings and
of the code that judged. No text of the sets is kept. It takes some minutes, so the default run shows what was recorded.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from rocite import check, corpus, params, places
from rocite.errors import InputError, RociteError
from rocite.evaluate import grounding, outside
from rocite.manifest import manifest
from rocite.records import sha256_of_file, write_atomically

FILE = "outside.json"


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="rocite.workflow.outside")
    parser.add_argument("--squad", action="append", default=[], help="LANG=PATH of a SQuAD 1.1 file (ro=xquad.ro.json); may be repeated")
    parser.add_argument("--rosts", default="", help="a RO-STS file")
    parser.add_argument("--summedits", default="", help="the folder of the SummEdits files")
    parser.add_argument("--part", choices=("untouched", "tuning"), default="untouched")
    given = parser.parse_args(words)
    try:
        if not (given.squad or given.rosts or given.summedits):
            raise InputError("no set was given; expected --squad ro=PATH, --rosts PATH or --summedits FOLDER.")
        top = places.root()
        rows, files = measure(top, given.squad, given.rosts, given.summedits, given.part == "untouched")
        for row in rows:
            print(f"{row['set']:<20} {row['gates']:<8} {row['measure']:<46} {row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})")
        if given.part == "untouched":
            record = {"figures": rows, **manifest(files=files, settings=check.settings_of(_values(top)), part=given.part)}
            write_atomically(top / "data" / "recorded" / FILE, json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def _values(top: Path) -> dict[str, object]:
    return params.resolve(params.definitions(top / "notebooks" / "params" / "default.toml"))


def measure(top: Path, squads: list[str], rosts: str, summedits: str, part: bool) -> tuple[list[dict], dict[str, str]]:
    """Return the figures of the sets that are given, and the digest of each file by its name."""
    values = _values(top)
    settings, draws = check.settings_from(check.settings_of(values)), int(values["resamples"])
    rows, files = [], {}
    for named in squads:
        lang, _, path = named.partition("=")
        if not path:
            raise InputError(f"--squad {named}: expected LANG=PATH, for example ro=xquad.ro.json.")
        rows += outside.measure_squad(corpus.load_squad(path), lang, settings, part, draws, np.random.default_rng(int(values["seed"])))
        files[Path(path).name] = sha256_of_file(Path(path))
    if rosts:
        pairs = grounding.load_sts(Path(rosts))
        rows += outside.measure_pairs(pairs, settings, part, draws, np.random.default_rng(int(values["seed"])))
        files[Path(rosts).name] = sha256_of_file(Path(rosts))
    if summedits:
        frame = outside.load_summaries(summedits)
        rows += outside.measure_summaries(frame, settings, part, draws, np.random.default_rng(int(values["seed"])))
        for domain in outside.SUMMEDITS:
            file = Path(summedits) / f"summedits_{domain}.json.gz"
            files[file.name] = sha256_of_file(file)
    return rows, files


if __name__ == "__main__":
    sys.exit(main())
