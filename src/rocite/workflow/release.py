"""``python -m rocite.workflow.release [--tune] [--json]``: is the signed wrong-answer budget shown on the untouched families?

Without ``--tune`` it measures what would be released, the evidence checks with the recorded threshold, on the untouched
families alone, beside ``data/budget.toml``. Refuses a threshold whose record names an untouched family, does not fit what
is here, or is not what choosing on the tuning families gives. Where no threshold was admissible the checks alone are
measured, and nothing is released whatever comes out. ``--tune`` chooses the threshold on the tuning families and writes
``data/threshold.toml``. Exit status: 0 shown, or chosen; 1 not shown; 2 for input that cannot be used.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rocite import check, params
from rocite.cache import default_store
from rocite.corpus import Corpus
from rocite.corpus import load as load_corpus
from rocite.errors import InputError, RociteError
from rocite.evaluate import budget as measure
from rocite.evaluate import gold, risk, signed
from rocite.evaluate.budget import Answer, Counts
from rocite.evaluate.signed import RETUNE, Budget, Threshold
from rocite.gates.base import Settings
from rocite.manifest import manifest
from rocite.records import write_atomically
from rocite.retrieve import load as load_retriever
from rocite.workflow import arguments
from rocite.workflow.baseline import exit_status, one_line, toml

DATA = arguments.TOP / "data"
METHOD = (
    "Thresholds from 1 to 0 in hundredths, strictest first; those with too few answered families to show the rate with no wrong one, or "
    "fewer than least_families, are passed over, the rest is tested by the one-sided exact bound over families up to the first that "
    "fails; the last that holds is taken. "
    "The score is the one of those tried that separates right from wrong best (AUROC) among the answers that the checks accept."
)
HEAD = "# Written by make tune, never by hand. The threshold of refusal, chosen on the tuning families of the gold set.\n"


@dataclass(frozen=True)
class Release:
    """What a release is judged on: the budget, the questions and documents, and every parameter's value."""

    budget: Budget
    items: gold.Gold
    documents: Corpus
    values: Mapping[str, params.Value]

    @property
    def settings(self) -> Settings:
        """The settings of the checks."""
        return check.settings_from(check.settings_of(dict(self.values)))

    @property
    def least(self) -> int:
        """The fewest answered families from which on a threshold is tested."""
        return int(self.values["least_families"])

    def answers(self, part: str) -> list[Answer]:
        """Return the system's answers to the items of a part. Raises InputError when there are none."""
        items = self.items.part(part)
        if not items:
            raise InputError(f"{self.items.name}: no {part} item; the budget is tuned on tuning families and measured on untouched ones.")
        return signed.answered(self.budget, items, self.documents, default_store(), self.settings)


def main(argv: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = _parser().parse_args(argv)
    path = Path(given.threshold)
    return exit_status(lambda: tune(_read(given), path) if given.tune else judge(_read(given), path, given.json))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rocite.workflow.release")
    parser.add_argument("--tune", action="store_true", help="choose the threshold on the tuning families and write it")
    parser.add_argument("--json", action="store_true", help="print the result as JSON, with its manifest")
    parser.add_argument("--budget", default=str(DATA / "budget.toml"))
    parser.add_argument("--threshold", default=str(DATA / "threshold.toml"))
    parser.add_argument("--corpus", default=str(arguments.TOP / "corpus"))
    parser.add_argument("--gold", default=str(DATA / "questions" / "gold.jsonl"))
    parser.add_argument("--retriever", default="", help="the retriever that is released, instead of the parameter `retriever`")
    return parser


def _read(given: argparse.Namespace) -> Release:
    budget = signed.load_budget(Path(given.budget))
    values = params.resolve(params.definitions(arguments.TOP / "notebooks" / "params" / "default.toml"))
    values |= {"retriever": given.retriever} if given.retriever else {}
    for name in ("retriever", "k"):
        if values[name] != (wanted := getattr(budget, name)):
            raise InputError(
                f"{given.budget}: signed for {name} = {wanted}; what would be released has {values[name]}. "
                "A budget is signed for one system: sign it anew."
            )
    documents = load_corpus(given.corpus)
    return Release(budget, gold.load(given.gold, documents), documents, values)


# --- tuning ----------------------------------------------------------------------------------------------------


def tune(release: Release, path: Path) -> int:
    """Choose the threshold on the tuning families, write its record and say what was chosen."""
    answers = release.answers("tuning")
    record = chosen(release, answers)
    try:
        write_atomically(path, HEAD + _toml(record))
    except OSError as error:
        raise RociteError(f"{path}: cannot be written ({error.strerror or error}); the old threshold stays.") from error
    alone = measure.count(answers, measure.strict, release.budget.level)
    tried = ", ".join(f"{name} {facts['auroc']}" for name, facts in record["tried"].items())
    print(f"tried       {tried}")
    print(f"strict      {_families(alone)}")
    print(f"{path}: {_threshold(signed.load_threshold(path))}")
    return 0


def chosen(release: Release, answers: Sequence[Answer]) -> dict:
    """Return the record of the threshold that the tuning families choose."""
    budget, values = release.budget, release.values
    found = measure.separations(answers, int(values["resamples"]), int(values["seed"]))
    score = measure.best_score(found)
    point = measure.choose(measure.curve(answers, score, budget.level), budget.rate, release.least)
    families = sorted({a.item.family for a in answers})
    return {
        "date": datetime.date.today().isoformat(),
        "score": score,
        "admissible": point is not None,
        **({"value": point.threshold} if point else {}),
        "method": METHOD,
        **{name: value for name, value in asdict(budget).items() if name in signed.SIGNED_FOR},
        "gold_version": release.items.version,
        "corpus_digest": release.documents.digest,
        "settings": signed.shaping(release.settings, release.least),
        "tried": {name: _tried(answers, name, release, e.value) for name, e in found.items()},
        "manifest": manifest(identity=json.dumps(load_retriever(budget.retriever, default_store()).identity, sort_keys=True)),
        "families": {"part": "tuning", "count": len(families), "names": families},
    }


def _tried(answers: Sequence[Answer], score: str, release: Release, auroc: float | None) -> dict[str, object]:
    """What came of a score: how it separates, the value that would be chosen, the lowest rate that it could show."""
    points = measure.curve(answers, score, release.budget.level)
    point, lowest = measure.choose(points, release.budget.rate, release.least), measure.lowest_rate(points, release.least)
    facts = {"auroc": "n/a" if auroc is None else round(auroc, 3), "chosen": point.threshold if point else "none"}
    return facts | {"lowest_rate": "none" if lowest is None else lowest}


def _toml(record: Mapping) -> str:
    """The record, the families one a line."""
    text = toml(record)
    line = next(row for row in text.split("\n") if row.startswith("names = "))
    rows = "".join(f"    {json.dumps(name, ensure_ascii=False)},\n" for name in record["families"]["names"])
    return text.replace(line, f"names = [\n{rows}]")


# --- the check -------------------------------------------------------------------------------------------------


def judge(release: Release, path: Path, as_json: bool = False) -> int:
    """Measure on the untouched families, print, and return 0 when the budget is shown, else 1."""
    try:
        threshold = signed.load_threshold(path)
        found = signed.problems(
            threshold, release.budget, release.items, release.documents, signed.shaping(release.settings, release.least)
        )
    except InputError as error:
        raise InputError(str(error) if RETUNE in str(error) else f"{error} Choose it anew: {RETUNE}.") from error
    except (TypeError, AttributeError) as error:  # a field of another kind than the one that is written
        raise InputError(f"{path}: not a threshold ({type(error).__name__}: {error}). Choose it anew: {RETUNE}.") from error
    if found:
        raise InputError(f"{path}: this threshold may not be used: {'; '.join(found)}. Choose it anew: {RETUNE}.")
    points = measure.curve(release.answers("tuning"), threshold.score, release.budget.level)
    point = measure.choose(points, release.budget.rate, release.least)
    if (again := point.threshold if point else None) != threshold.value:
        raise InputError(f"{path}: it says {threshold.value}, the tuning families say {again}. Choose it anew: {RETUNE}.")
    counts = measure.count(release.answers("untouched"), threshold.rule, release.budget.level)
    reasons = failures(release.budget, threshold, counts)
    if as_json:
        facts = manifest(budget=asdict(release.budget), threshold=asdict(threshold), gold=release.items.version)
        figures = asdict(counts) | {"risk": counts.risk, "bound": counts.bound, "coverage": counts.coverage}
        print(
            json.dumps(
                {"shown": not reasons, "reasons": reasons, "counts": figures, "manifest": facts}, ensure_ascii=False, allow_nan=False
            )
        )
    else:
        print(told(release.budget, threshold, counts, reasons))
    return 1 if reasons else 0


def failures(budget: Budget, threshold: Threshold, counts: Counts) -> list[str]:
    """Return why nothing may be released, in words; empty when the budget is shown."""
    reasons = [] if threshold.value is not None else ["no threshold was admissible on the tuning families"]
    if counts.bound is None:
        return [*reasons, "no answer is shown, so that there is no rate"]
    if not counts.shows(budget.rate):
        reasons.append(f"the bound {counts.bound:.3f} is above the rate {budget.rate:.3f}")
    return reasons


def told(budget: Budget, threshold: Threshold, counts: Counts, reasons: Sequence[str]) -> str:
    """Return the result in a few lines."""
    reason = textwrap.wrap(one_line(budget.reason), 110, initial_indent="because     ", subsequent_indent=" " * 12)
    return "\n".join(
        [
            f"budget      wrong in at most {budget.rate:.3f} of the families with an answer shown, "
            f"by a one-sided exact bound at {budget.level:g}",
            f"signed      {one_line(budget.owner)}, {budget.date}",
            *reason,
            f"system      {budget.system} over {budget.retriever}, k = {budget.k}, gates {budget.gates}",
            f"threshold   {_threshold(threshold)}",
            f"untouched   {counts.items} items; {counts.shown} answers shown in {counts.families} families; "
            f"{counts.answered}/{counts.answerable} answerable items answered (coverage {_share(counts.coverage)})",
            f"answers     {counts.right} right, {counts.incomplete} incomplete (not counted as wrong), "
            f"{counts.wrong} wrong; {counts.errors} errors",
            f"wrong       {_families(counts)}",
            f"needed      {_needed(budget, counts)}",
            "OK          the budget is shown" if not reasons else f"FAIL        {'; '.join(reasons)}",
        ]
    )


def _threshold(threshold: Threshold) -> str:
    where = f"on {len(threshold.families)} tuning families, {threshold.date}"
    if threshold.value is None:
        return f"no threshold on {threshold.score} is admissible {where}; the checks alone are measured"
    return f"{threshold.score} at least {threshold.value:g}, chosen {where}"


def _families(counts: Counts) -> str:
    if counts.risk is None:
        return f"n/a (0): no answer is shown; coverage {_share(counts.coverage)}"
    wrong = f"{counts.wrong_families}/{counts.families} families ({counts.risk:.3f})"
    return f"{wrong}, upper bound {counts.bound:.3f}, at coverage {_share(counts.coverage)}"


def _share(value: float | None) -> str:
    return "n/a (0)" if value is None else f"{value:.3f}"


def _needed(budget: Budget, counts: Counts) -> str:
    least = risk.needed(budget.rate, budget.level, counts.wrong_families)
    text = f"{least} answered families with {counts.wrong_families} wrong ones"
    if counts.risk is None:
        return text
    at = risk.needed_at(counts.risk, budget.rate, budget.level)
    return f"{text}; at the observed rate {'no number would do' if at is None else f'{at} answered families'}"


if __name__ == "__main__":
    sys.exit(main())
