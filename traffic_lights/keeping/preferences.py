"""What is remembered from one start to the next: settings, the game under way, statistics.

Each is one JSON file in the person's data folder, written durably and as a
whole. Nothing here stops a game: a file that is damaged is set aside under the
name ``….damaged`` and said once; a folder that cannot be written is said once,
and play goes on with what is in memory.

Several programs may share the folder: each adds its results to the statistics
that are there, changes those settings that it was asked to, and keeps its own
game, the second program beside the first's.
"""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import Field, asdict, dataclass, field, fields, replace
from itertools import chain, count
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from traffic_lights.keeping.tally import FORMAT as TALLY_FORMAT
from traffic_lights.keeping.tally import Tally
from traffic_lights.players.game import Game
from traffic_lights.session.notation import RecordError, game_from_plain, game_to_plain
from traffic_lights.session.phases import Result
from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    explain,
    read_json,
    write_json,
)
from traffic_lights.storage.lock import FileLock, LockedError, alone_with

T = TypeVar("T")
SETTINGS_FORMAT: Final = "traffic-lights-settings"
SAVED_FORMAT: Final = "traffic-lights-saved-game"
VERSION: Final = 1
_MOST_GAMES: Final = 1 + 2 * 50
_MOST_PROGRAMS: Final = 20
"""The programs that keep a game of their own in one folder at the same time."""


def _choice(default: str, *others: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others)})


def _pattern(default: str, pattern: str) -> Any:
    return field(default=default, metadata={"pattern": re.compile(pattern)})


def _range(default: int, least: int, most: int) -> Any:
    return field(default=default, metadata={"range": range(least, most + 1)})


_LEVEL: Final = r"[a-z0-9][a-z0-9-]{0,39}|"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Everything a person can set, with its default; change one with `dataclasses.replace`."""

    theme: str = _choice("system", "light", "dark", "high-contrast")
    lamps: str = _choice("signal", "classic", "okabe-ito", "monochrome")
    letters: bool = True
    coordinates: bool = True
    side_panel: bool = True
    animations: bool = True
    zoom: int = _range(0, -3, 8)
    """Steps of Larger, negative for Smaller."""
    geometry: str = _pattern("", r"(\d{2,5}x\d{2,5}[+-]-?\d{1,5}[+-]-?\d{1,5})?")
    """The window's size and place as Tk writes them; empty at the first start."""
    opponent: str = _pattern("qbot", _LEVEL)
    """The key of the level that New Game plays against."""
    first: str = _choice("alternate", "first", "second", "random")
    speed: str = _choice("normal", "instant", "quick", "slow")
    tell_me: bool = False
    """Whether each move is followed by its verdict."""
    show_values: bool = False
    show_beliefs: bool = False
    is_first_start: bool = True

    @classmethod
    def from_plain(cls, plain: Any) -> Preferences:
        """Return the settings of a file; a value that cannot be is its default.

        Unknown names are ignored, so an older program reads a newer file.
        Raise DamagedFileError if *plain* is no object.
        """
        if not isinstance(plain, dict):
            raise DamagedFileError("settings must be an object")
        return cls(**{f.name: plain[f.name] for f in fields(cls) if _is_possible(f, plain)})

    def to_plain(self) -> dict[str, Any]:
        """Return the settings as plain values for a JSON file."""
        return {"format": SETTINGS_FORMAT, "version": VERSION, **asdict(self)}


def _is_possible(setting: Field[Any], plain: dict[str, Any]) -> bool:
    """Return whether *plain* has a value that *setting* can take."""
    value = plain.get(setting.name)
    if type(value) is not type(setting.default):
        return False
    choices, pattern = setting.metadata.get("choices"), setting.metadata.get("pattern")
    allowed = setting.metadata.get("range")
    if choices is not None:
        return value in choices
    if pattern is not None:
        return pattern.fullmatch(value) is not None
    return allowed is None or value in allowed


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A session as it is saved: `Session.saved` gives these, `Session.restore` takes them."""

    game: Game
    earlier: tuple[Game, ...] = ()
    later: tuple[Game, ...] = ()


class DataStore:
    """The files in the data *folder*; *say* is told each trouble once, in a sentence.

    The folder is made at the first write. Several threads may save, each file
    from one thread at a time. A store that has loaded or saved a game keeps
    other programs from that game's file until `close`.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self.settings_path = folder / "settings.json"
        self.saved_path = folder / "game.json"
        self.statistics_path = folder / "statistics.json"
        self._say = say
        self._failing: set[Path] = set()
        """The files that could not be written when that was last tried."""
        self._kept: set[Path] = set()
        """The files that are left as they are."""
        self._unsaved: dict[str, Any] = {}
        """Settings that are not in their file yet, by name."""
        self._uncounted: list[Result] = []
        """Results that are not in the file of the statistics yet."""
        self._claiming = Lock()
        self._claim: weakref.finalize[[], DataStore] | None = None
        """Gives the file of the game back."""

    @property
    def has_failed(self) -> bool:
        """Whether something could not be saved, and still cannot: a file, or the game at all."""
        return bool(self._failing) or self.saved_path in self._kept

    def load_settings(self) -> Preferences:
        """Return the saved settings; the defaults if there are none."""
        return self._load_settings() or Preferences()

    def save_settings(self, settings: Preferences) -> bool:
        """Save *settings*; return False, having said why once, if that is impossible."""
        return self.change_settings(settings, **asdict(settings))

    def change_settings(self, settings: Preferences, **changes: Any) -> bool:
        """Save *changes*, some of *settings*, beside what other programs have changed meanwhile.

        Return False, having said why once, if that is impossible; the next call tries again.
        Where no file can be read, all of *settings* is saved.
        """
        self._unsaved |= changes
        with alone_with(self.settings_path):
            there = self._load_settings() or settings
            if not self._save(self.settings_path, replace(there, **self._unsaved).to_plain()):
                return False
            self._unsaved.clear()
            return True

    def _load_settings(self) -> Preferences | None:
        return self._load(self.settings_path, SETTINGS_FORMAT, Preferences.from_plain, "settings")

    def load_game(self) -> SavedGame | None:
        """Return the session that was saved last; None if there is none."""
        if self.folder.is_dir():
            self._claim_game()
        return self._load(self.saved_path, SAVED_FORMAT, _saved_from_plain, "the saved game")

    def save_game(self, saved: SavedGame) -> bool:
        """Save the session; return False, having said why once, if that is impossible."""
        with suppress(StorageError):  # of which saving tells
            self._make_folder()
            self._claim_game()
        return self._save(self.saved_path, _saved_to_plain(saved))

    def _claim_game(self) -> None:
        """Take the first game's file that no other program has, and say so if it is another's."""
        with self._claiming:
            if self._claim is not None:
                return
            for number in range(1, _MOST_PROGRAMS):
                name = "game" if number == 1 else f"game-{number}"
                lock = FileLock(self.folder / f"{name}.lock")
                try:
                    lock.acquire()
                except LockedError:
                    continue
                except StorageError:  # a folder that knows no locks has one program
                    name = "game"
                break
            self._claim = weakref.finalize(self, lock.release)
            self._failing.discard(self.saved_path)
            self.saved_path = self.folder / f"{name}.json"
        if name != "game":
            self._say(
                "Another Traffic Lights is open and has the game that was saved; this one keeps "
                f"its game beside it, in {self.saved_path.name}."
            )

    def close(self) -> None:
        """Give the file of the game back to other programs."""
        with self._claiming:
            if self._claim is not None:
                self._claim()
                self._claim = None

    def load_statistics(self) -> Tally:
        """Return the statistics; empty ones if there are none."""
        return (
            self._load(self.statistics_path, TALLY_FORMAT, Tally.from_plain, "the statistics")
            or Tally()
        )

    def add_results(self, *results: Result) -> Tally | None:
        """Add *results* to the statistics that are there now, and return these.

        None, having said why once, if that is impossible; the next call tries again.
        """
        self._uncounted += results
        with alone_with(self.statistics_path):
            tally = self.load_statistics()
            for result in self._uncounted:
                tally.add_result(result)
            if not self._save(self.statistics_path, tally.to_plain()):
                return None
            self._uncounted.clear()
            return tally

    def clear_statistics(self) -> bool:
        """Have the statistics begin anew; return False, having said why, if that is impossible."""
        self._uncounted.clear()
        with alone_with(self.statistics_path):
            return self._save(self.statistics_path, Tally().to_plain())

    def _load(self, path: Path, expected: str, parse: Callable[[Any], T], what: str) -> T | None:
        """Return what *parse* makes of the file; None if it is missing, set aside or left alone."""
        try:
            if path in self._kept or not path.exists():
                return None
            plain = read_json(path)
            if not isinstance(plain, dict) or plain.get("format") != expected:
                raise DamagedFileError(f"it is not a file of format {expected!r}")
            if plain.get("version") == VERSION:
                return parse(plain)
            problem = f"{path} was written by another version of this program"
        except (DamagedFileError, RecordError) as error:
            text = str(error)
            self._set_aside(path, what, text if str(path) in text else f"{path} is damaged: {text}")
            return None
        except StorageError as error:
            problem = str(error)
        except OSError as error:
            problem = explain(error, "read", path)
        self._keep(path, f"{problem}; starting without {what}.")
        return None

    def _keep(self, path: Path, sentence: str) -> None:
        """Leave a file that may be good alone: never write over it."""
        self._kept.add(path)
        self._say(sentence)

    def _set_aside(self, path: Path, what: str, problem: str) -> None:
        """Rename a damaged file, so that it is not lost, and say so."""
        aside = _free_name(path, ".damaged")
        try:
            path.replace(aside)
        except OSError as error:
            reason = explain(error, "rename", path)
            self._keep(path, f"{problem}; starting without {what} ({reason}).")
        else:
            self._say(f"{problem}; starting without {what}, the file is now {aside.name}.")

    def _save(self, path: Path, plain: object) -> bool:
        if path in self._kept:
            return False
        try:
            self._make_folder()
            write_json(path, plain)
        except StorageError as error:
            if not self._failing:
                self._say(f"{error}. You can play on, but nothing is remembered.")
            self._failing.add(path)
            return False
        self._failing.discard(path)
        return True

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(explain(error, "write", self.folder)) from error


def _free_name(path: Path, ending: str) -> Path:
    """Return *path* with *ending*, numbered if need be: what was set aside before stays."""
    endings = chain([ending], (f"{ending}.{number}" for number in count(2)))
    names = (path.with_name(path.name + free) for free in endings)
    return next(name for name in names if not os.path.lexists(name))


def _saved_to_plain(saved: SavedGame) -> dict[str, Any]:
    return {
        "format": SAVED_FORMAT,
        "version": VERSION,
        "game": game_to_plain(saved.game),
        "earlier": [game_to_plain(game) for game in saved.earlier],
        "later": [game_to_plain(game) for game in saved.later],
    }


def _saved_from_plain(plain: dict[str, Any]) -> SavedGame:
    stacks = [plain.get("earlier", []), plain.get("later", [])]
    if not all(isinstance(stack, list) and len(stack) <= _MOST_GAMES for stack in stacks):
        raise DamagedFileError("the saved game has no lists of games before and after it")
    earlier, later = (tuple(game_from_plain(game) for game in stack) for stack in stacks)
    return SavedGame(game_from_plain(plain.get("game")), earlier, later)
