"""The kinds of values that people type, scripts pass and files hold.

A kind says in words what a value must be. It reads what the user typed, checks what a file or a
script holds, and shows a value in a form.

>>> games = Whole(1, 10**6)
>>> games.read("20,000"), games.check(20_000), games.show(20_000)
(20000, 20000, '20,000')
>>> OneOf({"dark": "Dark", "light": "Light"}).check("dark"), Number().read("0,5")
('dark', 0.5)
>>> games.check(0, "games")
Traceback (most recent call last):
    ...
traffic_lights.storage.kinds.KindError: games is 0; it must be a whole number from 1 to 1,000,000
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, field, fields
from numbers import Real
from typing import Any, Final, SupportsIndex

from traffic_lights.storage.words import decimal_number, whole_number

MOST: Final = 2**63 - 1
"""The highest number that anything counts to."""


class KindError(ValueError):
    """A value is not of its kind; the text is one sentence without a period."""

    def __init__(
        self, value: object, must: str, name: str = "", *, is_wrong_type: bool = False
    ) -> None:
        """Take the *value*, what it must be, and perhaps the *name* of what has this value."""
        its = f"{name} is {value!r:.60}; it" if name else f"{value!r:.60}"
        super().__init__(f"{its} must be {must}")
        self.must = must
        self.is_wrong_type = is_wrong_type
        """Whether no value of this type would do."""


class Kind:
    """What a value must be: this one may be anything."""

    types: type | tuple[type, ...] = object
    must: str = "a value"
    """What the value must be, in words that follow "it must be"."""

    def check(self, value: Any, name: str = "") -> Any:
        """Return *value* as a plain value of Python.

        Raise KindError, which says *name* if it is given, if the value is of another kind.
        """
        # True is an int of Python, but no number here.
        is_flag = isinstance(value, bool) and self.types not in (bool, object)
        if is_flag or not isinstance(value, self.types):
            raise KindError(value, self.must, name, is_wrong_type=True)
        if not self.fits(value):
            raise KindError(value, self.must, name)
        return value

    def fits(self, value: Any) -> bool:  # noqa: ARG002
        """Return whether *value*, which is of one of the types, will do."""
        return True

    def read(self, text: str, name: str = "") -> Any:
        """Return the value that the user typed as *text*; raise KindError like `check`."""
        return self.check(text.strip(), name)

    def show(self, value: Any) -> str:
        """Return the text of *value* in a form, which `read` takes for it again."""
        return str(value)


class Whole(Kind):
    """A whole number from *lowest* to *highest*."""

    types = (int, SupportsIndex)  # also the numbers of other packages

    def __init__(self, lowest: int = 0, highest: int = MOST) -> None:
        self.lowest = lowest
        self.highest = highest
        self.must = f"a whole number from {lowest:,} to {highest:,}"
        if highest == MOST:  # which would puzzle everybody
            self.must = f"a whole number of at least {lowest:,}"

    def check(self, value: Any, name: str = "") -> int:
        try:
            number: int = super().check(value, name).__index__()
        except TypeError:  # an array with several numbers
            raise KindError(value, self.must, name, is_wrong_type=True) from None
        if number > MOST:
            raise KindError(value, f"at most {MOST:,}", name)
        if not self.lowest <= number <= self.highest:
            raise KindError(value, self.must, name)
        return number

    def read(self, text: str, name: str = "") -> int:
        number = whole_number(text)
        if number is None:
            raise KindError(text, self.must, name)
        return self.check(number, name)

    def show(self, value: int) -> str:
        return f"{value:,}" if value >= 10_000 else str(value)


class Number(Kind):
    """A number from *lowest* to *highest*; if it *is_positive*, 0 is refused."""

    types = Real

    def __init__(self, lowest: float = 0, highest: float = 1, *, is_positive: bool = False) -> None:
        self._lowest = lowest
        self._highest = highest
        self._is_positive = is_positive
        self.must = f"a number from {lowest:,} to {highest:,}"
        if is_positive:
            self.must = f"above 0 and at most {highest:,}"

    def check(self, value: Any, name: str = "") -> float:
        return float(super().check(value, name))

    def fits(self, value: float) -> bool:
        return self._lowest <= value <= self._highest and (value > 0 or not self._is_positive)

    def read(self, text: str, name: str = "") -> float:
        number = decimal_number(text)
        if number is None:
            raise KindError(text, self.must, name)
        return self.check(number, name)


class OneOf(Kind):
    """One of a few *choices*, each with the text that a form shows for it.

    Some may have had an *older* name, which is understood.
    """

    def __init__(self, choices: Mapping[Any, str], older: Mapping[Any, str] | None = None) -> None:
        self.choices = choices
        self._older = older or {}
        self.types = tuple({type(choice) for choice in choices})
        self.must = "one of " + ", ".join(map(str, choices))

    def check(self, value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            value = self._older.get(value, value)
        return super().check(value, name)

    def fits(self, value: Any) -> bool:
        return value in self.choices


class Flag(Kind):
    """True or false."""

    types = bool
    must = "true or false"


class Lines(Kind):
    """A text of at most *longest* characters, perhaps in several lines."""

    types = str

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.must = f"a text of at most {longest:,} characters"

    def fits(self, value: str) -> bool:
        return len(value) <= self.longest


class TextLine(Lines):
    """A text of at most *longest* characters that lists and sentences can show: one line."""

    def fits(self, value: str) -> bool:
        return super().fits(value) and value.isprintable()


class Matching(Kind):
    """A text that the regular expression *pattern* describes as a whole."""

    types = str

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.must = f"a text such as {pattern}"

    def fits(self, value: str) -> bool:
        return re.fullmatch(self.pattern, value) is not None


class ListOf(Kind):
    """A list of values of one *kind*."""

    types = (list, tuple)

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.must = f"a list, each of it {kind.must}"

    def check(self, value: Any, name: str = "") -> tuple[Any, ...]:
        return tuple(self._kind.check(one, name) for one in super().check(value, name))


class OrNone(Kind):
    """A value of *kind*, or none, which the user types as nothing."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.must = kind.must

    def check(self, value: Any, name: str = "") -> Any:
        return None if value is None else self.kind.check(value, name)

    def read(self, text: str, name: str = "") -> Any:
        return self.kind.read(text, name) if text.strip() else None

    def show(self, value: Any) -> str:
        return "" if value is None else self.kind.show(value)


# --- objects of JSON ---


class ByName(Kind):
    """An object with any names, and values of one *kind*."""

    types = dict

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.must = f"an object, each value of it {kind.must}"

    def check(self, value: Any, name: str = "") -> dict[str, Any]:
        members = super().check(value, name).items()
        return {key: self._kind.check(member, name) for key, member in members}


class Record(Kind):
    """An object with *members*, each a kind under its name; *make* makes a value of them.

    Those that are *optional* may be absent. Members that are not described are ignored, so that an
    older program can read a newer file.

    >>> point = Record({"games": Whole(), "note": TextLine(20)}, optional=["note"])
    >>> point.check({"games": 5, "colour": "red"})
    {'games': 5}
    >>> point.check({"games": -1})
    Traceback (most recent call last):
        ...
    traffic_lights.storage.kinds.KindError: games is -1; it must be a whole number of at least 0
    """

    types = dict

    def __init__(
        self,
        members: Mapping[str, Kind],
        make: Callable[..., Any] = dict,
        optional: Collection[str] = (),
    ) -> None:
        self.members = members
        self._make = make
        self._optional = optional
        self.must = "an object with " + ", ".join(members)

    def check(self, value: Any, name: str = "") -> Any:
        plain = super().check(value, name)
        values = {
            key: kind.check(plain.get(key), key)
            for key, kind in self.members.items()
            if key in plain or key not in self._optional
        }
        return self._make(**values)

    def fitting(self, values: Iterable[Any]) -> list[Any]:
        """Return what `check` makes of those of *values* that fit."""
        found = []
        for value in values:
            with suppress(KindError):
                found.append(self.check(value))
        return found


def member(kind: Kind, default: Any = MISSING) -> Any:
    """Return a field of a dataclass that a file holds as *kind*, or lacks if it has a *default*."""
    return field(default=default, metadata={"kind": kind})


def record_of(cls: type) -> Record:
    """Return the record that a file holds of the dataclass *cls*, whose fields `member` makes."""
    rows = fields(cls)
    members = {row.name: row.metadata["kind"] for row in rows}
    optional = [row.name for row in rows if {row.default, row.default_factory} != {MISSING}]
    return Record(members, cls, optional)
