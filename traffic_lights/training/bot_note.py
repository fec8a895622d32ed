"""The note of a bot, `bot.json`: what a list shows of it, and the curve of its measured scores.

No training depends on it. So a damaged note counts as empty, and the file is set aside when a new
one is written.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, Final

from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    set_aside,
    write_json,
)
from traffic_lights.storage.kinds import Kind, ListOf, TextLine, Whole, member, record_of
from traffic_lights.storage.records import read_record
from traffic_lights.training.folder import NOTE
from traffic_lights.training.gauge import Measured

_POINT: Final = record_of(Measured)


class _PointOfCurve(Kind):
    """A point of a curve, the list of its members."""

    types = list
    must = "a list"

    def check(self, value: Any, name: str = "") -> Measured:
        row = super().check(value, name)
        # Version 1.4 has two shares, floats, in the place of the first move.
        plain = row[:8] if len(row) > 8 and isinstance(row[8], float) else row
        point: Measured = _POINT.check(dict(zip(_POINT.members, plain, strict=False)))
        return point


@dataclass(frozen=True, slots=True)
class Note:
    points: Sequence[Measured] = member(ListOf(_PointOfCurve()), ())
    """The curve."""
    solved: Sequence[int] = member(ListOf(Whole()), ())
    """How many positions of each ply are solved; empty if that was not noted."""
    about: str = member(TextLine(1000), "")
    """How the bot was imported, or what is wrong with the file."""


def read_note(folder: Path) -> Note:
    """Return the note of the bot in *folder*; an empty one if it has none that can be used."""
    try:
        return _note_in(folder)
    except StorageError as error:
        return Note(about=str(error))


def _note_in(folder: Path) -> Note:
    """Return what `read_note` does; raise StorageError."""
    path = folder / NOTE
    note: Note = read_record(path, record_of(Note)) if os.path.lexists(path) else Note()
    return note


def write_note(folder: Path, **facts: Any) -> None:
    """Change these *facts* in the note of the bot in *folder*; raise StorageError.

    A file that cannot be read now stays as it is.
    """
    try:
        note = _note_in(folder)
    except DamagedFileError:
        set_aside(folder / NOTE)
        note = Note()
    note = replace(note, **facts)
    content = {
        "points": [astuple(point) for point in note.points],
        "solved": note.solved,
        "about": note.about,
    }
    write_json(folder / NOTE, content)


def write_curve(folder: Path, points: Sequence[Measured], **facts: Any) -> None:
    """Note the measured *points*, and perhaps other *facts*, if there is room for them."""
    with suppress(StorageError):
        write_note(folder, points=points, **facts)
