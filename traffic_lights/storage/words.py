"""Read the numbers and names that users type, and write numbers, shares and lists in English.

Groups of three digits may be separated by one kind of sign. Other numbers may have a decimal
point or comma. Anything else is refused, because a guess at the meaning could be wrong.

>>> whole_number("1,000 ", 1, 5000), whole_number("1 000 000", 1, 10**7)
(1000, 1000000)
>>> [whole_number(text, 0, 5000) for text in ("1.5", "3,7,1", "1,0.0", "5001")]
[None, None, None, None]
>>> decimal_number("0,5"), decimal_number("1e-4"), decimal_number("1,0.0")
(0.5, 0.0001, None)
>>> listed(["9", "11", "13"]), counted(2, "hint"), counted(1, "game")
('9, 11 and 13', '2 hints', '1 game')

A share in percent is 0 % or 100 % only where that is true.

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

import math
import re
from collections.abc import Callable, Sequence
from typing import Final

LONGEST_NAME: Final = 40
NO_MEMORY: Final = (
    "there is not enough memory; training needs about 230 MB, and a large table of estimates "
    "400 MB. What was saved is kept"
)


def whole_number(text: str, least: int = 0, most: int | None = None) -> int | None:
    """Return the whole number in *text*, from *least* (0 or more) to *most*; otherwise None."""
    # The length is limited, because Python refuses to read an int of thousands of digits.
    pattern = r"[0-9]{1,40}|[0-9]{1,3}(?:([ ,._'’\u00a0\u202f])[0-9]{3})(?:\1[0-9]{3}){0,5}"
    if not re.fullmatch(pattern, text.strip()):
        return None
    number = int(re.sub(r"[^0-9]", "", text))
    return number if least <= number and (most is None or number <= most) else None


def decimal_number(text: str) -> float | None:
    """Return the number in *text*, or None."""
    if not re.fullmatch(r"-?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE]-?[0-9]{1,3})?", text.strip()):
        return None
    return float(text.replace(",", "."))


def fit_name(text: str) -> str:
    """Return *text* as a name that fits into lists and files: one short line, perhaps empty.

    >>> fit_name("  Bot  [v2] ")
    'Bot [v2]'
    """
    words = "".join(letter if letter.isprintable() else " " for letter in text).split()
    return " ".join(words)[:LONGEST_NAME].strip()


def free_name(wanted: str, is_taken: Callable[[str], bool]) -> str:
    """Return *wanted* as `fit_name` does, with a number behind it if it *is_taken*.

    >>> taken = {"Bot", "Bot 2"}.__contains__
    >>> free_name("Bot", taken), len(free_name("x" * 99, taken))
    ('Bot 3', 40)
    """
    name = fit_name(wanted)
    stem = name[: LONGEST_NAME - 4].strip()
    number = 1
    while is_taken(name):
        number += 1
        name = f"{stem} {number}"
    return name


def short(number: float) -> str:
    """Return *number* in a few characters.

    >>> short(1_250_000), short(999_999), short(84_000), short(900)
    ('1.25 M', '1 M', '84 k', '900')
    """
    for unit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= 0.9995 * unit:
            return f"{number / unit:.3g}{letter}"
    return f"{number:.0f}"


def counted(number: int, noun: str) -> str:
    """Return *number* and *noun*, in the plural unless there is one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return *words* with commas between them, and the word *last* before the last one."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def percent(rate: float | None, digits: int = 1) -> str:
    """Return *rate*, from 0 to 1, in percent with so many *digits*; a dash for None."""
    if rate is None:
        return "–"
    least = 10.0**-digits
    number = round(100 * rate, digits)
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
    least = math.floor(1000 * low + 1e-9) / 10
    most = math.ceil(1000 * high - 1e-9) / 10
    return f"{least:.1f}–{most:.1f} %"


def percent_done(done: int, whole: int) -> str:
    """Return how much of *whole* is *done*, rounded down."""
    thousandths = 1000 * done // whole
    if thousandths >= 100 or not done:
        return f"{thousandths // 10} %"
    return f"{thousandths / 10:.1f} %" if thousandths else "< 0.1 %"


def fitted(text: str, measure: Callable[[str], float], room: float) -> str:
    """Return so much of *text* that *measure* finds it fits *room*; no number is cut in two.

    >>> fitted("QBot of 20,000 games", len, 18), fitted("QBot of 20,000 games", len, 13)
    ('QBot of 20,000 ga…', 'QBot of…')
    """
    cut = text
    for kept in range(len(text) - 1, -1, -1):
        if measure(cut) <= room:
            break
        cut = text[:kept].rstrip("0123456789,. ") + "…"
    return cut
