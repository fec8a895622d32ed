"""The note of a bot, `bot.json`: what a list shows of it, and the curve of its measured scores.

No training depends on it. So a damaged note counts as empty, and the file is set aside when a new
one is written.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    set_aside,
    write_json,
)
from traffic_lights.storage.kinds import Absent, ListOf, Record, TextLine, Whole, record_of
from traffic_lights.storage.records import checked, read_record
from traffic_lights.training.folder import NOTE
from traffic_lights.training.gauge import Measured


@dataclass(frozen=True, slots=True)
class Note:
    points: list[Measured] = field(default_factory=list)
    """The curve."""
    solved: Sequence[int] = ()
    """How many positions of each ply are solved; empty if that was not noted."""
    about: str = ""
    """How the bot was imported, or what is wrong with the file."""


_POINT: Final = record_of(Measured)
_FILE: Final = Record(
    {
        "points": Absent(ListOf(ListOf()), []),
        "solved": Absent(ListOf(Whole()), []),
        "about": Absent(TextLine(1000), ""),
    }
)


def read_note(folder: Path) -> Note:
    """Return the note of the bot in *folder*; an empty one if it has none that can be used."""
    try:
        return _note_in(folder)
    except StorageError as error:
        return Note(about=str(error))


def _note_in(folder: Path) -> Note:
    """Return what `read_note` does; raise StorageError."""
    path = folder / NOTE
    if not os.path.lexists(path):
        return Note()
    found: dict[str, Any] = read_record(path, _FILE)
    points = [
        checked(path, dict(zip(_POINT.members, row, strict=False)), _POINT)
        for row in found.pop("points")
    ]
    return Note(points, **found)


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
        "solved": list(note.solved),
        "about": note.about,
    }
    write_json(folder / NOTE, content)


def write_curve(folder: Path, points: list[Measured], solved: Sequence[int] = ()) -> None:
    """Note the measured *points* of the bot in *folder*, if there is room for them.

    *solved* has the number of positions of each ply, after a plan that proves.
    """
    with suppress(StorageError):
        write_note(folder, points=points, solved=solved)
