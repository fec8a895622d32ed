"""What can be done about a run that cannot go on, in the options of the command that trains."""

from __future__ import annotations

import shlex
from typing import Final

from traffic_lights.storage.files import NoRoomError, SizeLimitError
from traffic_lights.training.paths import TABLE
from traffic_lights.training.troubles import (
    DamagedRunError,
    GoneError,
    OtherSettingsError,
    Remedy,
    StoppedError,
)

_WORDS: Final = {
    Remedy.SOUND_COPY: "; put a sound copy in its place, or start over with --fresh",
    Remedy.TABLE_BACK: f": put {TABLE} back beside it, or start over with --fresh",
    Remedy.CUT_OFF: "; with --repair it is cut off there, and the games behind it are played "
    "again, to the same values",
    Remedy.PUT_ASIDE: "; with --repair the log is put aside, and the games since the table was "
    "written are played again, to the same values",
    Remedy.WRITE_ANEW: "; with --repair it is put aside",
    Remedy.SAME_SETTINGS: ": go on with it without that option, or start over with --fresh",
}


_HELP: Final = {NoRoomError: "make room there", SizeLimitError: "raise that limit"}


def with_remedy(error: DamagedRunError | OtherSettingsError | GoneError | StoppedError) -> str:
    """Return what *error* says, and how to go on.

    >>> with_remedy(DamagedRunError("the log has a hole", Remedy.WRITE_ANEW))
    'the log has a hole; with --repair it is put aside'
    """
    if isinstance(error, GoneError):
        rescue = f": go on with --dir {shlex.quote(str(error.rescue))}" if error.rescue else ""
        return f"{error}{rescue}"
    if isinstance(error, StoppedError):
        help_ = _HELP.get(type(error.cause), "put that right")
        return f"{error}: {help_}, and the same command goes on from there"
    return f"{error}{_WORDS[error.remedy]}"
