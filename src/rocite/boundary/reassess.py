"""When a policy is to be assessed anew: what differs between the bundle that it was assessed in and what is here now.

Every difference is one reason in words. Nothing is decided by it: who runs the policy reassesses it, or rolls back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rocite.boundary.bundle import Bundle
from rocite.boundary.bundle_parts import ABSENT, Parts, document_digest, permissions
from rocite.boundary.evidence import SIGNALS
from rocite.boundary.found import SIGNS, Request
from rocite.corpus import Corpus
from rocite.text import normalise

NAMED = 3  # documents that a reason names; the others are counted
LEAST_LOGGED = 50  # different questions from which the mix of languages is compared


def changes(
    bundle: Bundle, corpus: Corpus, made_with: Parts | None = None, questions: Iterable[str] = (), whole: bool = False
) -> list[str]:
    """Return why the policy of `bundle` is to be reassessed, one reason each; [] where nothing speaks for it.

    A `corpus` of documents that the bundle has, all with the same content, may be a part of what was assessed: documents
    that are gone are then a reason only where it is said to be the `whole`. `made_with` are the models, the prompt and the
    checks here now, compared where given (`rocite.boundary.bundle_parts.parts_here`); `questions` are the logged ones.
    """
    reasons = [*_documents(bundle, corpus, whole), *_permissions(bundle, corpus), *_signals(bundle)]
    if made_with is not None:
        for what in ("embedder", "retriever", "generator"):
            reasons += _model(what, getattr(bundle, what), getattr(made_with, what))
        reasons += ["the prompt changed"] if bundle.prompt != made_with.prompt else []
        reasons += _checks(bundle.checks, made_with.checks)
    return reasons + _languages(bundle, questions)


def _documents(bundle: Bundle, corpus: Corpus, whole: bool) -> list[str]:
    before, now = bundle.index["documents"], {d.id: document_digest(d) for d in corpus.documents}
    changed = [i for i in now if i in before and now[i] != before[i]]
    new = [i for i in now if i not in before]
    gone = [i for i in before if i not in now] if whole or changed or new else []
    found = (("changed", changed), ("new", new), ("gone", gone))
    return [f"{_count(ids)} {_verb(ids, how)}: {_some(ids)}" for how, ids in found if ids]


def _verb(ids: Sequence[str], how: str) -> str:
    return how if how == "changed" else f"{'is' if len(ids) == 1 else 'are'} {how}"


def _permissions(bundle: Bundle, corpus: Corpus) -> list[str]:
    before, now = bundle.permissions, permissions(corpus)
    ids = [i for i in now if i in before and now[i] != sorted(set(before[i]))]
    return [f"the permissions of {_count(ids)} changed: {_some(ids)}"] if ids else []


def _signals(bundle: Bundle) -> list[str]:
    other = sorted(set(bundle.picker["weights"]) ^ set(SIGNALS)) + sorted(set(bundle.policy["gate"]["signs"]) - set(SIGNS))
    return [f"this version measures other signals: {', '.join(other)}"] if other else []


def _model(what: str, before: Mapping, now: Mapping) -> list[str]:
    if before == now:
        return []
    if before["name"] != now["name"]:
        return [f"the {what} is {now['name']}, was {before['name']}"]
    if ABSENT in now["identity"]:
        return [f"the {what} {now['name']} cannot be used here: {now['identity'][ABSENT]}"]
    names = [*_differing(before["identity"], now["identity"]), *_differing(before.get("options", {}), now.get("options", {}))]
    return [f"the {what} {now['name']} changed: {', '.join(dict.fromkeys(names))}"]


def _checks(before: Mapping, now: Mapping) -> list[str]:
    reasons = [] if before["gates"] == now["gates"] else [f"the checks are the set {now['gates']}, were {before['gates']}"]
    old, new = before["settings"], now["settings"]
    names = [f"{n} {old.get(n, 'absent')} -> {new.get(n, 'absent')}" for n in _differing(old, new)]
    reasons += [f"the settings of the checks changed: {', '.join(names)}"] if names else []
    return reasons + (["the code of the checks changed"] if before["code"] != now["code"] else [])


def _languages(bundle: Bundle, questions: Iterable[str]) -> list[str]:
    """One reason where the exact 95 % interval of the logged share of Romanian leaves the assessed one out.

    A question that is asked again counts once: the interval needs items that are independent.
    """
    asked = list(dict.fromkeys(normalise(q).strip() for q in questions))
    if len(asked) < LEAST_LOGGED:
        return []
    from rocite.stats import exact_interval

    romanian = sum(Request(q).lang == "ro" for q in asked)
    low, high = exact_interval(romanian, len(asked))
    share = bundle.languages["ro"]
    if low <= share <= high:
        return []
    value = f"{romanian / len(asked):.3f} ({romanian}/{len(asked)}, 95 % interval {low:.3f} to {high:.3f})"
    return [f"the share of Romanian among different logged questions is {value}, was {share:.3f}"]


def _differing(before: Mapping, now: Mapping) -> list[str]:
    return [name for name in sorted({*before, *now}) if (name in before, before.get(name)) != (name in now, now.get(name))]


def _count(ids: Sequence[str]) -> str:
    return f"{len(ids)} document{'' if len(ids) == 1 else 's'}"


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return ", ".join(sorted(ids)[:NAMED]) + more
