"""What keeps a run from going on, as facts; what to do about it is worded where it is shown."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from traffic_lights.storage.files import DamagedFileError, StorageError
from traffic_lights.training.settings import SettingsError


class Remedy(Enum):
    """What a person can do so that a run goes on."""

    SOUND_COPY = "put a sound copy in the place of the file, or start over"
    TABLE_BACK = "put the table back that the log continues, or start over"
    CUT_OFF = "cut the log off where the damage begins; the games behind it are played again"
    PUT_ASIDE = "put the log aside; the games since the table was written are played again"
    WRITE_ANEW = "have the file written anew"
    SAME_SETTINGS = "go on with the settings that the run has, or start over"

    @property
    def is_repair(self) -> bool:
        """Return whether loading the folder with *repair* does it."""
        return self in (Remedy.CUT_OFF, Remedy.PUT_ASIDE, Remedy.WRITE_ANEW)


class DamagedRunError(DamagedFileError):
    """A file of a training folder that a run cannot go on with; the text says what is wrong."""

    def __init__(self, text: str, remedy: Remedy) -> None:
        super().__init__(text)
        self.remedy = remedy


class OtherSettingsError(SettingsError):
    """Settings that the run, or the table, in a folder does not have; the text says which."""

    def __init__(self, text: str, remedy: Remedy) -> None:
        super().__init__(text)
        self.remedy = remedy


class StoppedError(StorageError):
    """What a run has played could not be saved; the text says why, and what is safe."""

    def __init__(self, cause: StorageError, saved_games: int) -> None:
        super().__init__(f"{cause}; nothing up to game {saved_games:,} is lost")
        self.cause = cause
        self.saved_games = saved_games


class UnkeptRunError(StorageError):
    """Where a run was to begin waits one that is not kept yet, and nobody is at work on it."""


class GoneError(StorageError):
    """Somebody took away what a run has open; the text says what, and what became of the table."""

    def __init__(self, text: str, rescue: Path | None = None) -> None:
        super().__init__(text)
        self.rescue = rescue
        """The folder that the whole table was written into; None if it could not be."""
