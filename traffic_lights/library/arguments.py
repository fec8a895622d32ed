"""Check what callers give: a wrong type is a TypeError, a senseless value a ValueError.

Each error is one sentence that names the argument as the caller knows it.

>>> whole("games", 0, 1)
Traceback (most recent call last):
    ...
ValueError: games is 0; it must be a whole number of at least 1
"""

import os
from pathlib import Path

from traffic_lights.storage.words import as_whole_number


def refused(name: str, value: object, expected: str) -> TypeError:
    return TypeError(f"{name} is {value!r:.60}; it must be {expected}")


def text(name: str, value: object, example: str) -> str:
    if not isinstance(value, str):
        raise refused(name, value, f"a text such as {example!r}")
    return value


def whole(name: str, value: object, lowest: int, highest: int | None = None) -> int:
    """Return *value*, perhaps a number of another package, as an int from *lowest* to *highest*."""
    expected = f"a whole number of at least {lowest:,}"
    if highest is not None:
        expected = f"a whole number from {lowest:,} to {highest:,}"
    number = as_whole_number(value)
    if number is None:
        raise refused(name, value, expected)
    if number < lowest or (highest is not None and number > highest):
        raise ValueError(f"{name} is {number}; it must be {expected}")
    return number


def seed(value: object) -> int | None:
    return None if value is None else whole("seed", value, 0)


def path(name: str, value: object) -> Path:
    if not isinstance(value, str | os.PathLike):
        raise refused(name, value, "a path")
    if not os.fspath(value):
        raise ValueError(f"{name} is empty; it must be a path")
    return Path(value)
