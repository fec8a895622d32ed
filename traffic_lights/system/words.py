"""Write numbers and lists in English sentences, as every message and window shows them.

>>> listed(["9", "11", "13"]), counted(2, "hint"), counted(1, "game")
('9, 11 and 13', '2 hints', '1 game')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NO_MEMORY: Final = (
    "there is not enough memory; training needs about 230 MB, and a large table of estimates "
    "400 MB. What was saved is kept"
)


def counted(number: int, noun: str) -> str:
    """Return *number* and *noun*, in the plural unless it is one: ``1 hint``, ``2 hints``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return *words* as a list for reading: ``9``, ``9 and 13``, ``9, 11 and 13``."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
