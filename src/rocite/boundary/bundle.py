"""A bundle: everything that a decision at the answer boundary was made with, frozen under one hash.

Decides what belongs to it: the documents and who may see them, the models, the weights that pick evidence, the prompt, the
checks with their code, the policy, and the mix of languages that it was assessed on. Two bundles that differ in any of it
have different hashes. Refuses what is not plain data and finite numbers. What its parts are read from is in
`rocite.boundary.bundle_parts`, where bundles are kept in `bundle_store`, when one is to be reassessed in `reassess`, how two
compare in `shadow`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace

from rocite.boundary.bundle_parts import LANGUAGES, Parts, document_digest, make_plain, permissions
from rocite.boundary.evidence import SIGNALS, Picker
from rocite.boundary.policy import Limits, Policy, policy_from
from rocite.corpus import Corpus
from rocite.errors import InputError, UnknownNameError
from rocite.records import dumps, sha256_of

SHORT = 12  # hex digits of a hash that are its short name
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?")
_ABOVE_ZERO = ("sister", "sibling", "rival")  # at its limit such a sign counts, so that at 0 it would for every request
_HAVE = {
    "index": {"corpus", "documents"},
    "embedder": {"name", "identity"},
    "retriever": {"name", "identity"},
    "picker": {"weights", "centre"},
    "generator": {"name", "identity", "options"},
    "checks": {"gates", "settings", "code"},
    "languages": set(LANGUAGES),
}


@dataclass(frozen=True)
class Bundle:
    """What a decision is made with, as plain JSON values.

    `index` has the corpus's digest and each document's, `permissions` each document's scopes ([] for a public one).
    `embedder`, `retriever` and `generator` have a name and an identity, the generator options too. `documents` is the size
    of the context, `picker` the weight of each signal and the mean question vector of each language, `prompt` a digest. `checks` are the gate set, its settings and a
    digest of its code; `policy` is `Policy.as_dict`; `languages` the shares, in [0, 1], that it was assessed on.
    """

    name: str
    index: dict
    permissions: dict
    embedder: dict
    retriever: dict
    documents: int
    picker: dict
    prompt: str
    generator: dict
    checks: dict
    policy: dict
    languages: dict

    def __post_init__(self):
        try:
            make_plain(self)
            _check_shape(self)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise InputError(f"not a bundle ({type(error).__name__}: {error}).") from error

    @property
    def hash(self) -> str:
        """``sha256:...`` over the canonical JSON of all of it."""
        return sha256_of(dumps(self.as_dict()))

    @property
    def short(self) -> str:
        """The first 12 hex digits of the hash."""
        return self.hash.removeprefix("sha256:")[:SHORT]

    @property
    def policy_object(self) -> Policy:
        """The policy, ready to decide."""
        return policy_from(self.policy)

    @property
    def picker_object(self) -> Picker:
        """The weights, ready to score. Raises InputError when this version of rocite measures other signals."""
        weights = self.picker["weights"]
        if set(weights) != set(SIGNALS):
            raise InputError(
                f"bundle {self.short} weighs the signals {', '.join(sorted(weights))}; this version measures {', '.join(SIGNALS)}. "
                "Use the version that it was frozen with, or freeze another bundle."
            )
        centre = tuple((lang, tuple(vector)) for lang, vector in self.picker["centre"].items())
        return Picker(tuple(weights[name] for name in SIGNALS), centre)

    def as_dict(self) -> dict:
        """Return the bundle as plain JSON values."""
        return asdict(self)


def bundle_from(record: Mapping) -> Bundle:
    """Return the bundle that `as_dict` describes. Raises InputError for one with a part that is missing, unknown or of another shape."""
    known = {f.name for f in fields(Bundle)}
    if not isinstance(record, Mapping) or set(record) != known:
        found = ", ".join(sorted(map(str, record))) if isinstance(record, Mapping) else type(record).__name__
        raise InputError(f"not a bundle: expected {', '.join(sorted(known))}; found {found}.")
    return Bundle(**record)


def _check_shape(bundle: Bundle) -> None:
    """Raise ValueError, or what a wrong shape raises by itself, for a bundle that could not be used."""
    if not isinstance(bundle.name, str) or not _NAME.fullmatch(bundle.name):
        raise ValueError(f"name {bundle.name!r}; expected letters, digits, '.', '-' and '_', at most 61")
    for part, names in _HAVE.items():
        if getattr(bundle, part).keys() != names:
            raise ValueError(f"{part} has {', '.join(getattr(bundle, part))}; expected {', '.join(sorted(names))}")
    listed = bundle.index["documents"]
    if listed.keys() != bundle.permissions.keys() or not all(isinstance(v, str) for v in listed.values()):
        raise ValueError("index and permissions: expected the same documents, each with a digest")
    if not all(isinstance(v, list) and all(isinstance(s, str) for s in v) for v in bundle.permissions.values()):
        raise ValueError("permissions: expected a list of scopes for each document")
    for part in ("embedder", "retriever", "generator"):
        if not isinstance(getattr(bundle, part)["name"], str) or not isinstance(getattr(bundle, part)["identity"], dict):
            raise ValueError(f"{part}: expected the name as text and the identity as an object")
    if not all(isinstance(v, str) for v in (bundle.index["corpus"], bundle.prompt, bundle.checks["gates"], bundle.checks["code"])):
        raise ValueError("corpus digest, prompt, gates and code: expected texts")
    if not isinstance(bundle.checks["settings"], dict) or not isinstance(bundle.generator["options"], dict):
        raise ValueError("settings and options: expected objects")
    if isinstance(bundle.documents, bool) or not isinstance(bundle.documents, int) or bundle.documents < 1:
        raise ValueError(f"documents {bundle.documents!r}; expected a whole number from 1")
    numbers = [bundle.picker["weights"].values(), *bundle.picker["centre"].values()]
    if not all(_is_number(n) for row in numbers for n in row):
        raise ValueError("picker: expected a number for each signal, and a list of numbers for each language")
    if not all(_is_number(v) and 0 <= v <= 1 for v in bundle.languages.values()):
        raise ValueError("languages: expected shares from 0 to 1")
    back, gate = json.loads(dumps(policy_from(bundle.policy).as_dict())), bundle.policy["gate"]
    if any(back.get(k) != v for k, v in bundle.policy.items()) or len(gate["signs"]) != len(gate["weights"]):
        raise ValueError("policy: expected what Policy.as_dict gives, with a weight for each sign of its gate")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def freeze(
    name: str, corpus: Corpus, made_with: Parts, documents: int, picker: Picker, policy: Policy, languages: Mapping[str, float]
) -> Bundle:
    """Return the bundle of `corpus`, these parts, a context of `documents`, the weights and the policy.

    `languages` are the shares of the questions that it was assessed on, as `shares` counts them. Raises InputError for a
    name or a value that no bundle can have.
    """
    if len(picker.weights) != len(SIGNALS):
        raise InputError(f"the picker has {len(picker.weights)} weights; expected one for each of the {len(SIGNALS)} signals.")
    return Bundle(
        name=name,
        index={"corpus": corpus.digest, "documents": {d.id: document_digest(d) for d in corpus.documents}},
        permissions=permissions(corpus),
        embedder=made_with.embedder,
        retriever=made_with.retriever,
        documents=documents,
        picker={"weights": dict(zip(SIGNALS, picker.weights, strict=True)), "centre": dict(picker.centre)},
        prompt=made_with.prompt,
        generator=made_with.generator,
        checks=made_with.checks,
        policy=policy.as_dict(),
        languages=languages,
    )


SETTABLE = ("threshold", *(f"limits.{f.name}" for f in fields(Limits)))


def with_values(bundle: Bundle, name: str, given: Mapping[str, str]) -> Bundle:
    """Return `bundle` with other values in its policy, both called `name`; `given` has the values as text.

    Raises UnknownNameError for what no policy value is called, InputError for a value that is no number in its range.
    """
    policy = replace(bundle.policy_object, name=name)
    for key, text in given.items():
        if key not in SETTABLE:
            raise UnknownNameError("policy value", key, list(SETTABLE))
        part = key.removeprefix("limits.")
        low, high = (0.0, 1.0) if key == "threshold" else (-math.inf, math.inf)
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(value) or not low <= value <= high or (part in _ABOVE_ZERO and value <= 0):
            legal = "from 0 to 1" if key == "threshold" else "above 0; above 1 it never counts" if part in _ABOVE_ZERO else "that is finite"
            raise InputError(f"{key} = {text!r}; expected a number {legal}. Nothing was written.")
        policy = replace(policy, threshold=value) if key == "threshold" else replace(policy, limits=replace(policy.limits, **{part: value}))
    return replace(bundle, name=name, policy=policy.as_dict())
