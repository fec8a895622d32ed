"""Read the numbers and names that users type, and write numbers and lists in English sentences.

Groups of three digits may be separated by one kind of sign. A share may have a decimal
point or comma. Anything else is refused, because a guess at the meaning could be wrong.

>>> whole_number("1,000 ", 1, 5000), whole_number("1 000 000", 1, 10**7)
(1000, 1000000)
>>> [whole_number(text, 0, 5000) for text in ("1.5", "3,7,1", "1,0.0", "5001")]
[None, None, None, None]
>>> share("0,5"), share("1e-4"), share("1,0.0"), share("1.1")
(0.5, 0.0001, None, None)
>>> listed(["9", "11", "13"]), counted(2, "hint"), counted(1, "game")
('9, 11 and 13', '2 hints', '1 game')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

LONGEST_NAME: Final = 40
"""The letters of the longest name of a bot."""
MOST_SEED: Final = 2**63 - 1
"""Seeds are whole numbers from 0 to this."""
NO_MEMORY: Final = (
    "there is not enough memory; training needs about 230 MB, and a large table of estimates "
    "400 MB. What was saved is kept"
)
# The length is limited, because Python refuses to read an int of thousands of digits.
_WHOLE: Final = re.compile(
    r"[0-9]{1,19}|[0-9]{1,3}(?:([ ,._'’\u00a0\u202f])[0-9]{3})(?:\1[0-9]{3}){0,5}"
)
_SHARE: Final = re.compile(r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE]-?[0-9]{1,3})?")


def whole_number(text: str, least: int, most: int | None = None) -> int | None:
    """Return the whole number in *text*, from *least* (0 or more) to *most*; otherwise None."""
    if not _WHOLE.fullmatch(text.strip()):
        return None
    number = int(re.sub(r"[^0-9]", "", text))
    return number if least <= number and (most is None or number <= most) else None


def share(text: str) -> float | None:
    """Return the number from 0 to 1 in *text*; otherwise None."""
    if not _SHARE.fullmatch(text.strip()):
        return None
    number = float(text.replace(",", "."))
    return number if number <= 1 else None


def fit_name(text: str, longest: int = LONGEST_NAME) -> str:
    """Return *text* as a name that fits into lists and files: one short line, perhaps empty.

    >>> fit_name("  Bot  [v2] ")
    'Bot [v2]'
    """
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:longest].strip()


def counted(number: int, noun: str) -> str:
    """Return *number* and *noun*, in the plural unless it is one: ``1 hint``, ``2 hints``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return *words* as a list for reading: ``9``, ``9 and 13``, ``9, 11 and 13``."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
