"""Names that people and programs give to bots, made fit for lists and files."""

from __future__ import annotations

from typing import Final

LONGEST_NAME: Final = 40
"""The letters of a name that a person or a program gives."""


def fit_name(text: str, longest: int = LONGEST_NAME) -> str:
    """Return *text* as a name that any list and file can hold: one line, short; perhaps empty.

    >>> fit_name("  Bot  [v2] ")
    'Bot [v2]'
    """
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(seen.split())[:longest].strip()
