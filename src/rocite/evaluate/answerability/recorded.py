"""The recorded answer boundary: cases as they were examined with the frozen bundle, and the suites that take minutes.

Refuses a record that was made for other cases, documents or another bundle than those that are here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rocite.boundary.bundle import Bundle
from rocite.boundary.bundle_store import read as read_bundle
from rocite.boundary.policy import Policy
from rocite.corpus import Corpus
from rocite.errors import InputError
from rocite.evaluate.answerability import cases as case_set
from rocite.evaluate.answerability import examined, policies, stress
from rocite.evaluate.answerability.cases import Cases
from rocite.evaluate.answerability.examined import Examined
from rocite.evaluate.answerability.policies import Rule
from rocite.params import FITTED
from rocite.records import read_text, sha256_of_file

AGAIN = "make boundary"


@dataclass(frozen=True)
class Bench:
    """What the chapter starts from: cases with what was found for them, the policies, and the recorded suites."""

    cases: Cases
    examined: Mapping[str, Examined]
    bundle: Bundle
    policy: Policy
    rules: Mapping[str, Rule]
    fitted: Mapping
    pairs: Sequence
    recorded: Mapping

    def part(self, *names: str) -> list[Examined]:
        """Return the examined cases of these parts, in the order of the file."""
        return [self.examined[c.id] for c in self.cases.part(*names)]

    @property
    def selected(self) -> str | None:
        """The policy that was selected on the threshold part, None where none was admissible."""
        return self.fitted["selected"]

    @property
    def breaks(self) -> Mapping[str, Sequence[str]]:
        """Which declared limits each policy breaks on the threshold part."""
        return {name: self.fitted["breaks"][name] for name in self.rules}

    @property
    def threshold_admissible(self) -> bool:
        """Whether the bundle's threshold was shown to keep the declared risk."""
        return bool(self.fitted["threshold_admissible"])

    @property
    def fitted_on(self) -> set[str]:
        """The families of documents that anything was fitted, calibrated or chosen on."""
        return {d for names in self.fitted["fitted_on"].values() for d in names}

    @property
    def security(self) -> Mapping:
        """What the security suite found."""
        return self.recorded["security"]

    @property
    def timing(self) -> Mapping:
        """How far the times of denied and unanswerable requests can be told apart."""
        return self.recorded["timing"]

    @property
    def latency(self) -> Mapping:
        """The times of the steps, in seconds."""
        return self.recorded["latency"]

    @property
    def denied(self) -> int:
        """How many denied requests there are in the suite."""
        return int(self.recorded["denied"])


def load(folder: Path, recorded: Path, corpus: Corpus, sufficient: float | str = FITTED) -> Bench:
    """Read what was recorded with the current bundle; `sufficient` is another threshold, or "fitted".

    Raises InputError where something is missing or belongs to other cases, documents or another bundle.
    """
    cases = case_set.load(folder / "cases.jsonl", corpus, case_set.load_parts(folder / "parts.toml"))
    current = read_text(folder / "current").strip().removeprefix("sha256:")
    bundle = read_bundle(folder / "bundles" / f"{current[:12]}.json")
    fitted, manifest = _object(folder / "fitted.json"), _object(recorded / "manifest.json")
    files = {f.name: sha256_of_file(f) for f in sorted(recorded.glob("*.jsonl"))}
    here = {"cases": cases.version, "corpus": corpus.digest, "bundle": bundle.hash, "files": files}
    wrong = [name for name, value in here.items() if manifest.get(name) != value]
    if wrong or fitted.get("bundle") != bundle.hash:
        raise InputError(f"{recorded}: recorded with other {', '.join(wrong) or 'fitted values'} than those that are here; run: {AGAIN}")
    policy = bundle.policy_object
    if sufficient != FITTED:
        policy = replace(policy, threshold=float(sufficient))
    found = {e.case.id: e for e in examined.read(recorded / "examined.jsonl", cases.cases)}
    rules = policies.rules(policy, fitted["covered"], fitted["similarity"], corpus)
    return Bench(cases, found, bundle, policy, rules, fitted, stress.read(recorded / "stress.jsonl", cases.part("acceptance")), manifest)


def _object(path: Path) -> dict:
    try:
        record = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); run: {AGAIN}") from error
    if not isinstance(record, dict):
        raise InputError(f"{path}: expected an object, found {type(record).__name__}; run: {AGAIN}")
    return record
