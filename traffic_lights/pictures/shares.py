"""Shares in percent: 0 % and 100 % are shown only where they are true.

>>> [percent(rate) for rate in (None, 0.0, 0.0001, 0.5, 0.9999, 1.0)]
['–', '0.0 %', '< 0.1 %', '50.0 %', '> 99.9 %', '100.0 %']
>>> [percent(rate, 0) for rate in (0.0, 0.004, 0.5, 0.996, 1.0)]
['0 %', '< 1 %', '50 %', '> 99 %', '100 %']
>>> [exact_percent(rate) for rate in (0.0, 1e-6, 0.737, 0.99996, 1.0)]
['0 %', '< 0.01 %', '73.70 %', '> 99.99 %', '100 %']
>>> [percent_done(done, 1000) for done in (0, 7, 999, 1000)], percent_done(1, 10**6)
(['0 %', '0.7 %', '99 %', '100 %'], '< 0.1 %')
>>> interval_percent(0.99999, 1.0), interval_percent(0.25, 0.50001)
('99.9–100.0 %', '25.0–50.1 %')
"""

from __future__ import annotations

import math


def percent(rate: float | None, digits: int = 1) -> str:
    """Return *rate*, from 0 to 1, in percent with so many *digits*; a dash for None."""
    if rate is None:
        return "–"
    least, number = 10.0**-digits, round(100 * rate, digits)
    if number <= 0 < rate:
        return f"< {least:.{digits}f} %"
    if rate < 1 and number >= 100:
        return f"> {100 - least:.{digits}f} %"
    return f"{100 * rate:.{digits}f} %"


def exact_percent(rate: float | None) -> str:
    """Return *rate* with two digits, but none if it is exactly 0 or 1; a dash for None."""
    return percent(rate, 0 if rate in (0.0, 1.0) else 2)


def interval_percent(low: float, high: float) -> str:
    """Return the bounds of an interval in percent, rounded outwards, so that none is lost."""
    least, most = math.floor(1000 * low + 1e-9) / 10, math.ceil(1000 * high - 1e-9) / 10
    return f"{least:.1f}–{most:.1f} %"


def percent_done(done: int, whole: int) -> str:
    """Return how much of *whole* is *done*, rounded down."""
    thousandths = 1000 * done // whole
    if thousandths >= 100 or not done:
        return f"{thousandths // 10} %"
    return f"{thousandths / 10:.1f} %" if thousandths else "< 0.1 %"
