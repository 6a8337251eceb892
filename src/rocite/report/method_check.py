"""The chapter that checks the methods: what is tabled, captioned, recorded and said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from rocite.evaluate import simulate
from rocite.evaluate.simulate import Held, Setting
from rocite.report.base import count, interval, listed, number, percent, record_estimate
from rocite.stats import LEVEL

USES = {True: "in use", False: "mistake"}


def table(found: Sequence[Held]) -> pd.DataFrame:
    """Return one row a method and setting: what it says, how often it held, on which side the truth was when it did not."""
    rows = []
    for h in found:
        row = {"method": h.method, "setting": h.setting, "use": USES[h.used], "says": number(h.nominal, 2)}
        row |= {"held": interval(h.estimate, 3), "n/d": count(h.estimate)}
        rows.append(row | {"truth above": h.under, "truth below": h.over, "silent": h.silent, "short": "yes" if h.below() else "no"})
    return pd.DataFrame(rows)


def share_table(found: Sequence[Held]) -> pd.DataFrame:
    """Return one row a setting of shares, fewest expected families with a wrong item first: how often each method held."""
    rows = []
    for s in _by_wrong_families():
        own = {h.method: h for h in found if h.setting == str(s)}
        rows.append(
            {
                "setting": str(s),
                "families with a wrong item, expected": _expected(s),
                "bootstrap over families": interval(own[simulate.BOOTSTRAP].estimate, 3),
                "truth above it": own[simulate.BOOTSTRAP].under,
                "truth below it": own[simulate.BOOTSTRAP].over,
                "exact bound over families": interval(own[simulate.BOUND].estimate, 3),
                "exact interval over items (mistake)": interval(own[simulate.ITEMS].estimate, 3),
                "data sets": own[simulate.BOOTSTRAP].estimate.denominator,
            }
        )
    return pd.DataFrame(rows)


def threshold_table(found: Sequence[Held], rate: float) -> pd.DataFrame:
    """Return one row a way of choosing a threshold: how often the true risk is over `rate`, how often none is chosen, coverage."""
    rows = []
    for h in found:
        sets = h.estimate.denominator
        row = {"threshold": h.method, "use": USES[h.used], "setting": h.setting, f"risk over {number(rate, 2)}": f"{h.under}/{sets}"}
        row |= {"share": _exceeded(h), "at most": number(1 - h.nominal, 2), "none chosen": f"{h.silent}/{sets}"}
        rows.append(row | {"coverage": number(h.coverage, 2), "coverage possible": number(h.possible, 2)})
    return pd.DataFrame(rows)


def frame(found: Sequence[Held]) -> pd.DataFrame:
    """Return the table that the figure is drawn from, rows of one method together."""
    methods = list(dict.fromkeys(h.method for h in found))
    names = ("method", "setting", "used", "nominal", "value", "low", "high", "short")
    rows = [(h, h.estimate) for h in sorted(found, key=lambda h: methods.index(h.method))]
    return pd.DataFrame([(h.method, h.setting, h.used, h.nominal, e.value, e.low, e.high, h.below()) for h, e in rows], columns=names)


def caption(found: Sequence[Held]) -> str:
    """Return the finding of the figure."""
    used = [h for h in found if h.used]
    lowest = min(used, key=lambda h: h.estimate.value)
    return (
        f"How often each method held on {lowest.estimate.denominator} simulated data sets, with the exact interval of that share, beside how often "
        f"it says so (upright line); bold where the whole interval lies under the line. That is so for {sum(h.below() for h in used)} of "
        f"{len(used)} checks of methods in use; lowest is {lowest.method} with {lowest.setting}: {number(lowest.estimate.value)}."
    )


def record(run, found: Sequence[Held], sets: int) -> None:
    """Record the chapter's numbers under ``method_check/``."""
    run.number("method_check/sets", sets)
    run.number("method_check/level", LEVEL, percent(LEVEL))
    run.number("method_check/checks", sum(h.used for h in found))
    run.number("method_check/short", sum(h.used and h.below() for h in found))
    for h in found:
        path = f"method_check/{_key(h.method)}/{_key(h.setting)}"
        record_estimate(run, f"{path}/held", h.estimate, 3)
        for name in ("under", "over", "silent"):
            run.number(f"{path}/{name}", getattr(h, name), n=h.estimate.denominator)
        if h.coverage is not None:
            run.number(f"{path}/exceeded", h.under / h.estimate.denominator, n=h.estimate.denominator)
            run.number(f"{path}/coverage", h.coverage, number(h.coverage, 2))


def answer(found: Sequence[Held], rate: float) -> str:
    """Return the chapter's answer in words."""
    used = [h for h in found if h.used]
    short = [h for h in used if h.below()]
    sets = used[0].estimate.denominator
    if short:
        methods = listed(list(dict.fromkeys(h.method for h in short)))
        head = f"**Not every one.** On {sets} data sets each, {len(short)} of {len(used)} checks of methods in use fall short of what is said: {methods}."
    else:
        head = (
            f"**Yes, as far as {sets} data sets each can tell.** None of {len(used)} checks of methods in use falls short of what is said."
        )
    return "\n".join([head, _shares(found), _bounds(found), _items(found), _comparisons(found), _thresholds(found, rate)])


def _shares(found: Sequence[Held]) -> str:
    own = _of(found, simulate.BOOTSTRAP)
    rows = [(s, own[str(s)]) for s in _by_wrong_families()]
    short = [(s, h) for s, h in rows if h.below()]
    if not short:
        return f"The bootstrap interval of a share falls short in none of {len(rows)} settings; lowest {_lowest(own.values())}."
    worst, lowest = min(short, key=lambda row: row[1].estimate.value)
    most = short[-1][0]
    free = [s for s, _ in rows if s.any_wrong * s.families > most.any_wrong * most.families]
    under, missed = sum(h.under for _, h in short), sum(h.under + h.over for _, h in short)
    said = [
        f"The bootstrap interval of a share says {percent(lowest.nominal)}. With {worst}, where {_expected(worst)} families are expected to hold a "
        f"wrong item at all, it holds in about {percent(lowest.estimate.value)} of data sets ({count(lowest.estimate)}).",
        _beginning(own),
        f"It falls short in {len(short)} of {len(rows)} settings, with up to {_expected(most)} such families expected"
        + (f", and in none with {_expected(free[0])} or more." if free else "."),
        f"Where it missed in these, the truth lay above it in {under} of {missed} data sets: few wrong answers are made to look fewer still, and by symmetry "
        "a share near one looks better than it is. The intervals of such shares in the other chapters are to be read so.",
    ]
    return " ".join(s for s in said if s)


def _beginning(own: Mapping[str, Held]) -> str:
    """Where it begins as the share falls, the size of the first setting kept."""
    size = (simulate.SETTINGS[0].families, simulate.SETTINGS[0].items)
    same = [s for s in simulate.SETTINGS if (s.families, s.items) == size]
    failing = [s for s in same if own[str(s)].below()]
    if not failing:
        return ""
    first = max(failing, key=lambda s: s.mean)
    return f"As the share falls at that size, this begins at {number(first.mean, 2)} ({number(own[str(first)].estimate.value)}; {_expected(first)} families with a wrong item)."


def _bounds(found: Sequence[Held]) -> str:
    own = _of(found, simulate.BOUND)
    fewest = str(_by_wrong_families()[0])
    return (
        f"The one-sided exact bound over families says {number(own[fewest].nominal, 2)}; it held in {number(own[fewest].estimate.value)} of data sets with "
        f"{fewest}, and falls short in {sum(h.below() for h in own.values())} of {len(own)} settings. Where few families hold a wrong item it is the one to read. "
        "It bounds another share, that of families with at least one wrong item, which is never the smaller one."
    )


def _items(found: Sequence[Held]) -> str:
    own, boot = _of(found, simulate.ITEMS), _of(found, simulate.BOOTSTRAP)
    better = [s for s in own if own[s].estimate.value > boot[s].estimate.value]
    text = f"The exact interval that takes items for independent falls short in {sum(h.below() for h in own.values())} of {len(own)} settings, down to {_lowest(own.values())}."
    if not better:
        return text
    told = listed([f"{s} ({number(own[s].estimate.value)} against {number(boot[s].estimate.value)})" for s in better])
    return f"{text} It held more often than the bootstrap with {told}: exact intervals are wide where little is wrong, which covers for the mistake there."


def _comparisons(found: Sequence[Held]) -> str:
    told = [
        f"{h.method}, {h.setting}: {interval(h.estimate, 3)}" for name in (simulate.AUROC, simulate.DIFFERENCE) for h in _each(found, name)
    ]
    return (
        f"AUROC and differences: {'; '.join(told)}. The bootstraps are drawn {simulate.DRAWS} times here, that of AUROC {simulate.AUROC_DRAWS}; "
        "the other chapters draw more."
    )


def _thresholds(found: Sequence[Held], rate: float) -> str:
    (tested,), (looking,) = _each(found, simulate.SEQUENCE), _each(found, simulate.LOOKING)
    sets = tested.estimate.denominator
    return (
        f"The threshold chosen by fixed-sequence testing has a true risk over the signed rate of {percent(rate)} in {tested.under} of all {sets} data sets "
        f"({_exceeded(tested)}; at most {number(1 - tested.nominal, 2)} is promised). In {tested.silent} it chooses none, and its mean coverage over all of them "
        f"is {number(tested.coverage, 2)} where {number(tested.possible, 2)} would be possible. The threshold that looks best on the same data sets is over the rate "
        f"in {looking.under} ({_exceeded(looking)}), at a coverage of {number(looking.coverage, 2)}."
    )


def _of(found: Sequence[Held], method: str) -> dict[str, Held]:
    return {h.setting: h for h in _each(found, method)}


def _each(found: Sequence[Held], method: str) -> list[Held]:
    return [h for h in found if h.method == method]


def _by_wrong_families() -> list[Setting]:
    return sorted(simulate.SETTINGS, key=lambda s: s.any_wrong * s.families)


def _expected(setting: Setting) -> str:
    return f"{setting.any_wrong * setting.families:.0f}"


def _lowest(found: Iterable[Held]) -> str:
    return number(min(h.estimate.value for h in found))


def _exceeded(held: Held) -> str:
    """Denominator: all data sets. The share on which the true risk is over the rate."""
    return number(held.under / held.estimate.denominator)


def _key(name: str) -> str:
    """A method or setting as part of a number's path.

    >>> _key("60 families of 3, 0.03 wrong")
    '60_families_of_3_0.03_wrong'
    """
    return re.sub(r"[^\w.-]+", "_", name)
