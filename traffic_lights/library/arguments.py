"""Check what callers give: a wrong type is a TypeError, a senseless value a ValueError.

Each error is one sentence that names the argument as the caller knows it.

>>> whole("games", 0, 1)
Traceback (most recent call last):
    ...
ValueError: games is 0; it must be a whole number of at least 1
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from traffic_lights.storage.folders import parse_path
from traffic_lights.storage.kinds import MOST, Kind, KindError, Whole


def refused(name: str, value: object, expected: str) -> TypeError:
    return TypeError(f"{name} is {value!r:.60}; it must be {expected}")


def checked(name: str, value: object, kind: Kind) -> Any:
    """Return *value* as *kind* has it; raise TypeError or ValueError."""
    try:
        return kind.check(value, name)
    except KindError as error:
        kind_of_error = TypeError if error.is_wrong_type else ValueError
        raise kind_of_error(str(error)) from None


def whole(name: str, value: object, lowest: int, highest: int = MOST) -> int:
    """Return *value*, perhaps a number of another package, as an int from *lowest* to *highest*."""
    number: int = checked(name, value, Whole(lowest, highest))
    return number


def listener(name: str, value: Any) -> Callable[[Any], object]:
    """Return the function *value*, or one that does nothing for None."""
    if value is not None and not callable(value):
        raise refused(name, value, "a function")
    return (lambda _: None) if value is None else value


def seed(value: object) -> int | None:
    return None if value is None else whole("seed", value, 0)


def path(name: str, value: object) -> Path:
    """Return the path *value*, perhaps with ``~``; raise StorageError if that is not known."""
    if not isinstance(value, str | os.PathLike):
        raise refused(name, value, "a path")
    return parse_path(os.fspath(value))
