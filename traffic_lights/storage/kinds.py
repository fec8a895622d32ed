"""The kinds of values that people type, scripts pass and files hold.

A kind says in words what a value must be. It reads what the user typed, checks what a file or a
script holds, and shows a value in a form.

>>> games = Whole(1, 10**6)
>>> games.read("20,000"), games.check(20_000), games.show(20_000)
(20000, 20000, '20,000')
>>> OneOf({"dark": "Dark", "light": "Light"}).check("dark"), Share().read("0,5")
('dark', 0.5)
>>> games.check(0)
Traceback (most recent call last):
    ...
traffic_lights.storage.kinds.KindError: 0 must be a whole number from 1 to 1,000,000
"""

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from numbers import Real
from typing import Any, Final

from traffic_lights.storage.words import share, whole_number

MOST: Final = 2**63 - 1
"""The highest number that anything counts to."""


class KindError(ValueError):
    """A value is not of its kind; the text is one sentence without a period."""

    def __init__(
        self, value: object, must: str, what: str = "", *, is_wrong_type: bool = False
    ) -> None:
        """Take what the *value* must be, and *what* it is if that is not plain from the value."""
        super().__init__(f"{what}; it must be {must}" if what else f"{value!r:.60} must be {must}")
        self.value = value
        self.must = must
        self.is_wrong_type = is_wrong_type
        """Whether no value of this type would do."""


@dataclass(frozen=True)
class Kind:
    """What a value must be: this one may be anything."""

    @property
    def must(self) -> str:
        """What the value must be, in words that follow "it must be"."""
        return "a value"

    def check(self, value: Any) -> Any:
        """Return *value* as a plain value of Python; raise KindError if it is of another kind."""
        return value

    def read(self, text: str) -> Any:
        """Return the value that the user typed as *text*; raise KindError."""
        return self.check(text.strip())

    def show(self, value: Any) -> str:
        """Return the text of *value* in a form, which `read` takes for it again."""
        return str(value)

    def refusal(self, value: object, *, is_wrong_type: bool = False) -> KindError:
        return KindError(value, self.must, is_wrong_type=is_wrong_type)


ANYTHING: Final = Kind()


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number from *lowest* to *highest*."""

    lowest: int = 0
    highest: int = MOST

    @property
    def must(self) -> str:
        if self.highest == MOST:
            return f"a whole number of at least {self.lowest:,}"
        return self._range

    @property
    def _range(self) -> str:
        return f"a whole number from {self.lowest:,} to {self.highest:,}"

    def check(self, value: Any) -> int:
        # True is not a number here. Numbers of other packages, and arrays with one number, have an
        # index.
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise self.refusal(value, is_wrong_type=True)
        try:
            number = operator.index(value)
        except TypeError:  # an array with several numbers
            raise self.refusal(value, is_wrong_type=True) from None
        if not self.lowest <= number <= self.highest:
            raise self.refusal(value)
        return number

    def read(self, text: str) -> int:
        number = whole_number(text)
        if number is None or not self.lowest <= number <= self.highest:
            raise self.refusal(text)
        return number

    def refusal(self, value: object, *, is_wrong_type: bool = False) -> KindError:
        # MOST is named only if the number is greater, so that it does not puzzle everybody else.
        is_too_large = not is_wrong_type and re.fullmatch(r"\s*[0-9]{19,}\s*", str(value))
        must = self._range if is_too_large else self.must
        return KindError(value, must, is_wrong_type=is_wrong_type)

    def show(self, value: int) -> str:
        return f"{value:,}" if value >= 10_000 else str(value)


@dataclass(frozen=True)
class Number(Kind):
    """A number from *lowest* to *highest*."""

    lowest: float
    highest: float

    @property
    def must(self) -> str:
        return f"a number from {self.lowest:,} to {self.highest:,}"

    def check(self, value: Any) -> float:
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number:
            raise self.refusal(value, is_wrong_type=True)
        if not self.lowest <= value <= self.highest:
            raise self.refusal(value)
        return float(value)


@dataclass(frozen=True)
class Share(Number):
    """A number from 0 to 1; if it *is_positive*, 0 is refused."""

    lowest: float = 0
    highest: float = 1
    is_positive: bool = False

    @property
    def must(self) -> str:
        return "above 0 and at most 1" if self.is_positive else super().must

    def check(self, value: Any) -> float:
        number = super().check(value)
        if self.is_positive and not number:
            raise self.refusal(value)
        return number

    def read(self, text: str) -> float:
        number = share(text)
        if number is None:
            raise self.refusal(text)
        return self.check(number)


@dataclass(frozen=True)
class OneOf(Kind):
    """One of a few *choices*, each with the text that a form shows for it.

    Some may have had an *older* name, which is understood.
    """

    choices: Mapping[Any, str]
    older: Mapping[str, str] = field(default_factory=dict)

    @property
    def must(self) -> str:
        return "one of " + ", ".join(map(str, self.choices))

    def check(self, value: Any) -> Any:
        if isinstance(value, str):
            value = self.older.get(value, value)
        # 1 equals true, so the types are compared as well.
        for known in self.choices:
            if type(value) is type(known) and value == known:
                return known
        raise self.refusal(value, is_wrong_type=type(value) not in map(type, self.choices))


@dataclass(frozen=True)
class Flag(Kind):
    """True or false."""

    @property
    def must(self) -> str:
        return "true or false"

    def check(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.refusal(value, is_wrong_type=True)
        return value


class AnyText(Kind):
    """A text for which `fits` says whether it will do."""

    def check(self, value: Any) -> str:
        if not isinstance(value, str):
            raise self.refusal(value, is_wrong_type=True)
        if not self.fits(value):
            raise self.refusal(value)
        return value

    def fits(self, text: str) -> bool:
        raise NotImplementedError


@dataclass(frozen=True)
class Lines(AnyText):
    """A text of at most *longest* characters, perhaps in several lines."""

    longest: int

    @property
    def must(self) -> str:
        return f"a text of at most {self.longest:,} characters"

    def fits(self, text: str) -> bool:
        return len(text) <= self.longest


@dataclass(frozen=True)
class TextLine(Lines):
    """A text of at most *longest* characters that lists and sentences can show: one line."""

    @property
    def must(self) -> str:
        return f"a line of at most {self.longest:,} characters"

    def fits(self, text: str) -> bool:
        return super().fits(text) and text.isprintable()


@dataclass(frozen=True)
class Matching(AnyText):
    """A text that the regular expression *pattern* describes as a whole."""

    pattern: str

    @property
    def must(self) -> str:
        return f"a text such as {self.pattern}"

    def fits(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text) is not None


@dataclass(frozen=True)
class ListOf(Kind):
    """A list of values of one *kind*: exactly *count*, or at most a million."""

    kind: Kind = ANYTHING
    count: int | None = None

    @property
    def must(self) -> str:
        return f"a list, each of it {self.kind.must}"

    def check(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, Collection) or isinstance(value, str | bytes | Mapping):
            raise self.refusal(value, is_wrong_type=True)
        if self.count not in (None, len(value)) or len(value) > 10**6:
            raise self.refusal(value)
        try:
            return tuple(map(self.kind.check, value))
        except KindError as error:
            raise self.refusal(value, is_wrong_type=error.is_wrong_type) from None


@dataclass(frozen=True)
class OrNone(Kind):
    """A value of *kind*, or none, which the user types as nothing."""

    kind: Kind

    @property
    def must(self) -> str:
        return self.kind.must

    def check(self, value: Any) -> Any:
        return None if value is None else self.kind.check(value)

    def read(self, text: str) -> Any:
        return self.kind.read(text) if text.strip() else None

    def show(self, value: Any) -> str:
        return "" if value is None else self.kind.show(value)


# --- objects of JSON ---


@dataclass(frozen=True)
class ByName(Kind):
    """An object with any names, and values of one *kind*."""

    kind: Kind

    @property
    def must(self) -> str:
        return f"an object, each value of it {self.kind.must}"

    def check(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.refusal(value, is_wrong_type=True)
        return {name: self.kind.check(member) for name, member in value.items()}


@dataclass(frozen=True)
class Absent(Kind):
    """A member of an object that may be absent: it is of *kind*, or counts as *default*."""

    kind: Kind
    default: Any

    @property
    def must(self) -> str:
        return self.kind.must

    def check(self, value: Any) -> Any:
        return self.kind.check(value)


@dataclass(frozen=True)
class Record(Kind):
    """An object with *members*, each a kind under its name; *make* makes a value of them.

    Members that are not described are ignored, so that an older program can read a newer file.

    >>> point = Record({"games": Whole(), "note": Absent(TextLine(20), "")})
    >>> point.check({"games": 5, "colour": "red"})
    {'games': 5, 'note': ''}
    >>> point.check({"games": -1})
    Traceback (most recent call last):
        ...
    traffic_lights.storage.kinds.KindError: games is -1; it must be a whole number of at least 0
    """

    members: Mapping[str, Kind]
    make: Callable[..., Any] = dict

    @property
    def must(self) -> str:
        return "an object with " + ", ".join(self.members)

    def check(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise self.refusal(value, is_wrong_type=True)
        values = {}
        for name, kind in self.members.items():
            if name not in value and isinstance(kind, Absent):
                values[name] = kind.default
                continue
            try:
                values[name] = kind.check(value[name])
            except KeyError:
                raise KindError(None, kind.must, f"{name} is missing") from None
            except KindError as error:
                raise KindError(value, kind.must, f"{name} is {error.value!r:.60}") from None
        return self.make(**values)

    def fitting(self, values: Iterable[Any]) -> list[Any]:
        """Return what `check` makes of those of *values* that fit."""
        found = []
        for value in values:
            with suppress(KindError):
                found.append(self.check(value))
        return found


def member(kind: Kind, default: Any = MISSING) -> Any:
    """Return a field of a dataclass that a file holds as *kind*."""
    described = kind if default is MISSING else Absent(kind, default)
    return field(default=default, metadata={"kind": described})


def record_of(cls: type) -> Record:
    """Return the record that a file holds of the dataclass *cls*: its fields made by `member`."""
    members = {row.name: row.metadata["kind"] for row in fields(cls) if "kind" in row.metadata}
    return Record(members, cls)
