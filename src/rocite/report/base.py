"""Words and cells shared by the chapters: published figures, estimates with intervals, counts as n/d."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from rocite.records import read_text
from rocite.stats import Estimate

NOT_AVAILABLE = "n/a"


def published(path: Path) -> dict:
    """Return the article's figures as the file has them."""
    return tomllib.loads(read_text(path))


def number(value: float | None, places: int = 3) -> str:
    """Return a number with a true minus sign; "n/a" for None and NaN.

    >>> number(-0.0764), number(None)
    ('−0.076', 'n/a')
    """
    if value is None or value != value:
        return NOT_AVAILABLE
    text = f"{value:.{places}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def signed(value: float, places: int = 3) -> str:
    """Return a number with its sign.

    >>> signed(0.011), signed(-0.076)
    ('+0.011', '−0.076')
    """
    return f"{value:+.{places}f}".replace("-", "−")


def count(estimate: Estimate) -> str:
    """Return ``n/d``.

    >>> count(Estimate(0.5, 7, 14))
    '7/14'
    """
    if not estimate.denominator:
        return f"{NOT_AVAILABLE} (0)"
    return f"{estimate.numerator:g}/{estimate.denominator}"


def interval(estimate: Estimate, places: int = 2) -> str:
    """Return the value with its interval, where it has one.

    >>> interval(Estimate(0.932, low=0.88, high=0.97))
    '0.93 (0.88 to 0.97)'
    """
    if estimate.value is None:
        return f"{NOT_AVAILABLE} (0)"
    text = number(estimate.value, places)
    return text if estimate.low is None else f"{text} ({number(estimate.low, places)} to {number(estimate.high, places)})"


def percent(share: float) -> str:
    """Return a share as a whole percentage.

    >>> percent(0.953)
    '95 %'
    """
    return f"{100 * share:.0f} %"


def limit(tokens: int) -> str:
    """Return a token limit in words."""
    return "none" if tokens >= sys.maxsize else str(tokens)


def listed(items: list[str]) -> str:
    """Join words as a sentence does.

    >>> listed(["e5", "minilm", "tfidf"])
    'e5, minilm and tfidf'
    """
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def record_estimate(run, path: str, estimate: Estimate, places: int = 2) -> None:
    """Record an estimate as a number with n, low and high where it has them."""
    more = {"n": estimate.denominator, "low": estimate.low, "high": estimate.high, "units": estimate.units}
    run.number(path, estimate.value, number(estimate.value, places), **{k: v for k, v in more.items() if v is not None})
