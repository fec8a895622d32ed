"""Descriptions of the JSON files that the program reads back, and the check of a value by one.

Each field of an object has a `JsonType`: what it may be, and what stands for it if it is absent.
Fields that are not described are ignored, so that an older program can read a newer file.

>>> POINT = {"games": whole(0, 10**6), "rate": number(0, 1), "note": optional(text(20), "")}
>>> checked({"games": 5, "rate": 0.5, "colour": "red"}, POINT)
{'games': 5, 'rate': 0.5, 'note': ''}
>>> checked({"games": 5, "rate": "high"}, POINT)
Traceback (most recent call last):
    ...
traffic_lights.storage.schema.MisfitError: rate is 'high'; expected a number from 0 to 1
>>> fitting_rows([{"games": 5, "rate": 2}, {"games": 5, "rate": 1}], POINT)
[{'games': 5, 'rate': 1, 'note': ''}]
"""

import dataclasses
import re
from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, TypeAlias

from traffic_lights.storage.files import (
    DamagedFileError,
    parse_json,
    read_bytes,
    read_json,
)

REQUIRED: Final = object()
"""The default of a field that must be there."""
MOST: Final = 2**63 - 1
"""The highest number that anything counts to."""


class MisfitError(ValueError):
    """A value is not what its description says; the text is one sentence without a period."""


@dataclasses.dataclass(frozen=True, slots=True)
class JsonType:
    """What a JSON value may be."""

    expected: str
    """In words that follow "expected"."""
    fits: Callable[[Any], bool]
    default: Any = REQUIRED


Fields: TypeAlias = Mapping[str, JsonType]
"""What an object may hold, by the names of its fields."""
Header: TypeAlias = Mapping[str, Any]
"""What an object must hold: the name and the version of its format."""
NO_HEADER: Final[Header] = {}


# --- kinds ---


def whole(lowest: int = 0, highest: int = MOST) -> JsonType:
    """Return the type of a whole number from *lowest* to *highest*."""
    span = f"{lowest:,} or more" if highest == MOST else f"from {lowest:,} to {highest:,}"
    # Compare types, because JSON has true, which isinstance takes for an int.
    return JsonType(
        f"a whole number, {span}",
        lambda value: type(value) is int and lowest <= value <= highest,
    )


def number(lowest: float, highest: float) -> JsonType:
    """Return the type of a finite number from *lowest* to *highest*."""
    return JsonType(
        f"a number from {lowest:,} to {highest:,}",
        lambda value: type(value) in (int, float) and lowest <= value <= highest,
    )


def flag() -> JsonType:
    """Return the type of true and false."""
    return JsonType("true or false", lambda value: type(value) is bool)


def text(longest: int) -> JsonType:
    """Describe a text that lists and sentences can show: one line, which UTF-8 can hold."""
    return JsonType(
        f"a line of at most {longest:,} characters",
        lambda value: type(value) is str and len(value) <= longest and value.isprintable(),
    )


def lines(longest: int) -> JsonType:
    """Describe a text of several lines, which another reader checks."""
    return JsonType(
        f"a text of at most {longest:,} characters",
        lambda value: type(value) is str and len(value) <= longest,
    )


def matching(pattern: str) -> JsonType:
    """Return the type of a text that the regular expression *pattern* describes as a whole."""
    return JsonType(
        f"a text such as {pattern}",
        lambda value: type(value) is str and re.fullmatch(pattern, value) is not None,
    )


def one_of(*values: Any) -> JsonType:
    """Return the type of a value that is one of *values*, of the same type."""
    # 1 equals true, so the types are compared as well.
    known = {(type(value), value) for value in values}
    return JsonType(
        "one of " + ", ".join(map(str, values)),
        lambda value: isinstance(value, str | int) and (type(value), value) in known,
    )


def list_of(kind: JsonType, longest: int = 10**6) -> JsonType:
    """Return the type of a list of at most *longest* values of the type *kind*."""
    return JsonType(
        f"a list, each of it {kind.expected}",
        lambda value: type(value) is list and len(value) <= longest and all(map(kind.fits, value)),
    )


def a_list() -> JsonType:
    """Describe a list whose items another reader checks, such as `fitting_rows`."""
    return list_of(anything())


def row_of(*kinds: JsonType) -> JsonType:
    """Describe a list that has one item of each of *kinds*."""
    return JsonType(
        f"a list of {len(kinds)} values",
        lambda value: (
            type(value) is list
            and len(value) == len(kinds)
            and all(kind.fits(item) for kind, item in zip(kinds, value, strict=True))
        ),
    )


def optional(kind: JsonType, default: Any) -> JsonType:
    """Describe a field that may be absent, and then counts as *default*."""
    return dataclasses.replace(kind, default=default)


def or_null(kind: JsonType) -> JsonType:
    """Return the type of a value of the type *kind*, or null."""
    return JsonType(f"{kind.expected}, or null", lambda value: value is None or kind.fits(value))


def anything() -> JsonType:
    """Describe a value that another reader checks."""
    return JsonType("a value", lambda _: True)


def object_of(fields: Fields) -> JsonType:
    """Return the type of an object that has the *fields*."""

    def fits(value: Any) -> bool:
        try:
            checked(value, fields)
        except MisfitError:
            return False
        return True

    return JsonType("an object with " + ", ".join(fields), fits)


def by_name(kind: JsonType) -> JsonType:
    """Describe an object with any names, and values of one *kind*."""
    return JsonType(
        f"an object, each value of it {kind.expected}",
        lambda value: type(value) is dict and all(map(kind.fits, value.values())),
    )


# --- the fields of a dataclass ---


def field(kind: JsonType) -> Any:
    """Return a field of a dataclass, which a file holds as *kind*, with the default of *kind*."""
    if kind.default is REQUIRED:
        return dataclasses.field(metadata={"kind": kind})
    return dataclasses.field(default=kind.default, metadata={"kind": kind})


def fields_of(cls: type) -> Fields:
    """Return how a file holds the dataclass *cls*, each `field` by its name."""
    kinds = {}
    for member in dataclasses.fields(cls):
        if "kind" in member.metadata:
            kinds[member.name] = member.metadata["kind"]
    return kinds


# --- check ---


def checked(plain: Any, fields: Fields) -> dict[str, Any]:
    """Return what *plain* holds of *fields*; raise MisfitError if one does not fit."""
    if type(plain) is not dict:
        raise MisfitError(f"it is {plain!r:.60}; expected an object with {', '.join(fields)}")
    values = {}
    for name, kind in fields.items():
        value = plain.get(name, kind.default)
        if value is REQUIRED:
            raise MisfitError(f"{name} is missing; expected {kind.expected}")
        if name in plain and not kind.fits(value):
            raise MisfitError(f"{name} is {value!r:.60}; expected {kind.expected}")
        values[name] = value
    return values


def fitting(plain: Any, fields: Fields) -> tuple[dict[str, Any], list[str]]:
    """Return the *fields* of *plain*, and the names of those that do not fit.

    Those have their defaults, so every field needs one.
    """
    if type(plain) is not dict:
        return {name: kind.default for name, kind in fields.items()}, list(fields)
    sound = {}
    wrong = []
    for name, kind in fields.items():
        if name not in plain:
            continue
        if kind.fits(plain[name]):
            sound[name] = plain[name]
        else:
            wrong.append(name)
    return checked(sound, fields), wrong


def fitting_rows(plain: list[Any], fields: Fields) -> list[dict[str, Any]]:
    """Return the fields of those objects in *plain* that fit."""
    found = []
    for row in plain:
        try:
            found.append(checked(row, fields))
        except MisfitError:
            continue
    return found


# --- read ---


def read_plain(path: Path, header: Header = NO_HEADER) -> dict[str, Any]:
    """Return the object that the JSON file *path* holds, unchecked except for its *header*.

    Raise DamagedFileError if it holds none, or StorageError if it cannot be read.
    """
    value = read_json(path)
    if type(value) is not dict:
        raise DamagedFileError(f"{path} is damaged: it does not hold an object")
    for name, wanted in header.items():
        if value.get(name) != wanted:
            raise DamagedFileError(
                f"{path} has the {name} {value.get(name)!r:.60}; this program reads {wanted!r}"
            )
    return value


def read(path: Path, fields: Fields, header: Header = NO_HEADER) -> dict[str, Any]:
    """Return what the JSON file *path* holds of *fields*; raise errors like `read_plain`.

    If one does not fit, that is a DamagedFileError too, and it names the field.
    """
    return _checked_file(path, read_plain(path, header), fields)


def read_shipped(path: Traversable, fields: Fields) -> dict[str, Any]:
    """Read a file that comes with the program as `read` does; it may be a link or in a zip."""
    return _checked_file(path, read_json(path), fields)


def _checked_file(path: Path | Traversable, plain: Any, fields: Fields) -> dict[str, Any]:
    """Return what *plain*, the content of *path*, holds of *fields*; raise DamagedFileError."""
    try:
        return checked(plain, fields)
    except MisfitError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from None


def read_lines(path: Path, fields: Fields) -> list[dict[str, Any]]:
    """Return the objects that a file of JSON lines holds; lines that do not fit are left out.

    Raise StorageError if the file cannot be read.
    """
    found = []
    for line in read_bytes(path).splitlines():
        try:
            found.append(checked(parse_json(line.decode("utf-8"), str(path)), fields))
        except (DamagedFileError, UnicodeDecodeError, MisfitError):
            continue
    return found
