"""``python -m rocite.workflow.boundary``: fit the answer boundary on its tuning parts, freeze it, and record what it finds.

``fit`` learns on the training part, calibrates on the calibration part, chooses on the threshold part, and writes the bundle
(``data/boundary/bundles``) and what was fitted beside it (``data/boundary/fitted.json``). ``record`` examines every case
with the frozen bundle, the acceptance part for the first time, then stress pairs, security suite and times, into
``data/recorded/boundary``. Recording refuses a bundle that is not the one that fitting would give now.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from rocite import check, embed, generate, params, places
from rocite import corpus as documents
from rocite.boundary import bundle as bundles
from rocite.boundary.bundle import Bundle
from rocite.boundary.bundle_parts import parts, shares
from rocite.boundary.bundle_store import default_store as default_bundles
from rocite.boundary.bundle_store import rendered
from rocite.boundary.evidence import Picker, Pool
from rocite.boundary.examine import Examiner
from rocite.boundary.policy import Policy
from rocite.cache import Store, default_store
from rocite.corpus import Corpus, visible
from rocite.embed import Embedder
from rocite.errors import InputError, RociteError
from rocite.evaluate import gold
from rocite.evaluate.answerability import cases as case_set
from rocite.evaluate.answerability import declared, examined, fitting, policies
from rocite.evaluate.answerability.cases import Case, Cases
from rocite.gates.base import Settings
from rocite.manifest import manifest
from rocite.records import sha256_of_file, write_atomically
from rocite.workflow import boundary_suites

GENERATOR, EMBEDDER = "copy", "e5"
OTHER_SUBJECT = "town"  # documents of the gold set that no case is about; their tuning questions teach the picker too
FITTED = "fitted.json"
LEAST_FAMILIES = 1


@dataclass(frozen=True)
class Bench:
    """Everything that fitting and recording start from."""

    top: Path
    values: dict
    store: Store
    corpus: Corpus
    embedder: Embedder
    cases: Cases
    settings: Settings

    @property
    def folder(self) -> Path:
        """Where cases, bundles and what was fitted lie."""
        return self.top / "data" / "boundary"


def bench() -> Bench:
    """Return the checkout's cases, documents, embedder and default settings."""
    top = places.root()
    values = params.resolve(params.definitions(top / "notebooks" / "params" / "default.toml"))
    store = default_store()
    corpus = documents.load(top / "corpus")
    folder = top / "data" / "boundary"
    cases = case_set.load(folder / "cases.jsonl", corpus, case_set.load_parts(folder / "parts.toml"))
    settings = check.settings_from(check.settings_of(values))
    return Bench(top, values, store, corpus, embed.load(EMBEDDER, store), cases, settings)


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="rocite.workflow.boundary")
    parser.add_argument("what", choices=("fit", "record", "check"))
    given = parser.parse_args(words)
    try:
        return {"fit": fit, "record": record, "check": release_check}[given.what](bench())
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status


# --- fitting --------------------------------------------------------------------------------------------------------


def fit(on: Bench) -> int:
    """Fit, freeze and write the bundle; say what was found on the threshold part."""
    picker, examined_by = _learned(on)
    limits = fitting.fit_limits(on.cases, examined_by["training"])
    gate = fitting.fit_gate(on.cases, examined_by["training"], limits)
    gate = fitting.calibrate(on.cases, examined_by["calibration"], gate, limits)
    under = declared.load_declared(on.folder / "declared.toml")
    open_policy = Policy("fitted", limits, gate, None)
    threshold = fitting.choose_threshold(on.cases, examined_by["threshold"], open_policy, under.risk, under.level, LEAST_FAMILIES)
    admissible = threshold is not None
    if not admissible:
        threshold = fitting.best_balance(on.cases, examined_by["threshold"], open_policy)
    policy = Policy("routes with learned gate" + ("" if admissible else " (not admissible)"), limits, gate, threshold)
    tuning = [*examined_by["training"], *examined_by["threshold"]]
    facts = {
        "similarity": policies.fit_similarity(on.cases, tuning, float(on.values["sim_slack"])),
        "covered": policies.fit_covered(on.cases, examined_by["training"], policy),
    }
    rules = policies.rules(policy, facts["covered"], facts["similarity"], on.corpus)
    best, broken = declared.selected(on.cases, examined_by["threshold"], rules, under)
    made = bundles.freeze(
        policy.name.replace(" ", "-").replace("(", "").replace(")", ""),
        on.corpus,
        parts(on.embedder, None, generate.load(GENERATOR, generate.Options()), on.settings),
        int(on.values["context_documents"]),
        picker,
        policy,
        shares([c.question for c in on.cases.part(*case_set.TUNING)]),
    )
    record = {
        **facts,
        "bundle": made.hash,
        "threshold_admissible": admissible,
        "selected": best,
        "breaks": broken,
        "fitted_on": {part: sorted({c.documents for c in on.cases.part(part)}) for part in case_set.TUNING},
        "cases": on.cases.version,
    }
    _write_bundle(on, made, record)
    print(f"bundle {made.short}: threshold {threshold:g}{'' if admissible else ', not admissible'}; selected: {best or 'none'}")
    for name, why in broken.items():
        print(f"  {name}: {'admissible' if not why else '; '.join(why)}")
    return 0


def _write_bundle(on: Bench, made: Bundle, record: dict) -> None:
    folder = on.folder / "bundles"
    for old in folder.glob("*.json") if folder.is_dir() else ():
        if old.stem != made.short:
            old.unlink()
    write_atomically(folder / f"{made.short}.json", rendered(made))
    write_atomically(on.folder / "current", f"{made.hash}\n")
    write_atomically(on.folder / FITTED, json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def _learned(on: Bench) -> tuple[Picker, dict[str, list[examined.Examined]]]:
    """The picker, and the cases of every tuning part examined with it."""
    with_others = Cases(on.cases.cases, {**on.cases.part_of, OTHER_SUBJECT: "training"}, on.cases.version)
    asked = [*on.cases.part("training"), *other_questions(on)]
    centre = fitting.question_centre(with_others, asked, on.embedder)
    pool = Pool(visible(on.corpus, (), None), on.embedder, centre)
    picker = fitting.fit_picker(fitting.training(with_others, asked, pool), centre)
    desk = Examiner(on.corpus, on.embedder, picker, int(on.values["context_documents"]))
    return picker, {part: examined.examine(on.cases.part(part), desk, on.settings) for part in case_set.TUNING}


def other_questions(on: Bench) -> list[Case]:
    """Return tuning questions of the gold set about documents that no case is about, as cases of the training part."""
    ids = {f.stem for f in (on.top / "corpus" / OTHER_SUBJECT).glob("*.md")}
    asked = gold.load(on.top / "data" / "questions" / "gold.jsonl", on.corpus).part("tuning")
    return [
        Case(
            i.id, i.family, OTHER_SUBJECT, i.question, i.lang, "base", "several" if len(i.needs) > 1 else "single", i.scope, i.at, "",
            tuple((d, on.corpus[d].revision) for d in i.docs), i.needs, (), "", case_set.LABELS[0], "answer", i.answer, i.labelled_by, i.why,
        )
        for i in asked
        if i.answerable and set(i.docs) <= ids
    ]  # fmt: skip


# --- recording ------------------------------------------------------------------------------------------------------


def record(on: Bench) -> int:
    """Examine every case with the frozen bundle and record it, then the suites that take minutes."""
    made = default_bundles().find(current_hash(on.folder))
    here = parts(on.embedder, None, generate.load(GENERATOR, generate.Options()), on.settings)
    again = bundles.freeze(made.name, on.corpus, here, made.documents, made.picker_object, made.policy_object, made.languages)
    if again.hash != made.hash:
        raise InputError("the bundle is not the one that is here now; run: make boundary (fits it anew, then records).")
    folder = on.top / "data" / "recorded" / "boundary"
    desk = Examiner(on.corpus, on.embedder, made.picker_object, made.documents)
    examined.write(folder / "examined.jsonl", examined.examine(on.cases.cases, desk, on.settings))
    facts = boundary_suites.run(on, made, desk, folder)
    files = {f.name: sha256_of_file(f) for f in sorted(folder.glob("*.jsonl"))}
    about = manifest(cases=on.cases.version, corpus=on.corpus.digest, bundle=made.hash, files=files, parameters=_shaping(on))
    write_atomically(folder / "manifest.json", json.dumps({**facts, **about}, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    return 0


def _shaping(on: Bench) -> dict:
    return {name: on.values[name] for name in ("context_documents", "pace", "check_seconds", "resamples", "seed")}


def current_hash(folder: Path) -> str:
    """Return the hash of the shipped bundle. Raises InputError where none was made."""
    try:
        return (folder / "current").read_text(encoding="utf-8").strip().removeprefix("sha256:")
    except OSError as error:
        raise InputError(f"{folder}/current: no bundle; run: make boundary") from error


def release_check(on: Bench) -> int:
    """Print the release checklist; 0 when every point holds."""
    from rocite.evaluate.answerability import checklist

    found = checklist.points(on.top, on.corpus, on.cases)
    for point in found:
        print(f"{'ok  ' if point.holds else 'FAIL'} {point.asked}: {point.found}")
    return 0 if all(p.holds for p in found) else 1


if __name__ == "__main__":
    sys.exit(main())
