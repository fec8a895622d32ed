"""What is remembered from one start to the next: settings, the game under way, statistics.

Each is one JSON file in the person's data folder, written durably and as a
whole. Nothing here stops a game: a file that is damaged is set aside under the
name ``….damaged`` and said once; a folder that cannot be written is said once,
and play goes on with what is in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import Field, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from traffic_lights.keeping.tally import FORMAT as TALLY_FORMAT
from traffic_lights.keeping.tally import Tally
from traffic_lights.players.game import Game
from traffic_lights.session.notation import RecordError, game_from_plain, game_to_plain
from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    explain,
    read_json,
    write_json,
)

T = TypeVar("T")
SETTINGS_FORMAT: Final = "traffic-lights-settings"
SAVED_FORMAT: Final = "traffic-lights-saved-game"
VERSION: Final = 1
_MOST_GAMES: Final = 1 + 2 * 50


def _choice(default: str, *others: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others)})


def _pattern(default: str, pattern: str) -> Any:
    return field(default=default, metadata={"pattern": re.compile(pattern)})


def _range(default: int, least: int, most: int) -> Any:
    return field(default=default, metadata={"range": range(least, most + 1)})


_LEVEL: Final = r"[a-z0-9][a-z0-9-]{0,39}|"


@dataclass(frozen=True, slots=True)
class Settings:
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
    player_1: str = _pattern("", _LEVEL)
    """The key of the level in seat 0 of New Game…; empty for a person."""
    player_2: str = _pattern("qbot", _LEVEL)
    first: str = _choice("alternate", "first", "second", "random")
    speed: str = _choice("normal", "instant", "quick", "slow")
    tell_me: bool = False
    """Whether each move is followed by its verdict."""
    show_values: bool = False
    show_beliefs: bool = False
    is_first_start: bool = True

    @classmethod
    def from_plain(cls, plain: Any) -> Settings:
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
class Saved:
    """A session as it is saved: `Session.saved` gives these, `Session.restore` takes them."""

    game: Game
    earlier: tuple[Game, ...] = ()
    later: tuple[Game, ...] = ()


class DataStore:
    """The files in the data *folder*; *say* is told each trouble once, in a sentence.

    The folder is made at the first write. Several threads may save, each file
    from one thread at a time.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self.settings_path = folder / "settings.json"
        self.saved_path = folder / "game.json"
        self.statistics_path = folder / "statistics.json"
        self._say = say
        self.has_failed = False
        """Whether something could not be saved; said once."""
        self._kept: set[Path] = set()

    def load_settings(self) -> Settings:
        """Return the saved settings; the defaults if there are none."""
        return (
            self._load(self.settings_path, SETTINGS_FORMAT, Settings.from_plain, "settings")
            or Settings()
        )

    def save_settings(self, settings: Settings) -> bool:
        """Save *settings*; return False, having said why once, if that is impossible."""
        return self._save(self.settings_path, settings.to_plain())

    def load_game(self) -> Saved | None:
        """Return the session that was saved last; None if there is none."""
        return self._load(self.saved_path, SAVED_FORMAT, _saved_from_plain, "the saved game")

    def save_game(self, saved: Saved) -> bool:
        """Save the session; return False, having said why once, if that is impossible."""
        return self._save(self.saved_path, _saved_to_plain(saved))

    def load_statistics(self) -> Tally:
        """Return the statistics; empty ones if there are none."""
        return (
            self._load(self.statistics_path, TALLY_FORMAT, Tally.from_plain, "the statistics")
            or Tally()
        )

    def save_statistics(self, tally: Tally) -> bool:
        """Save *tally*; return False, having said why once, if that is impossible."""
        return self._save(self.statistics_path, tally.to_plain())

    def _load(self, path: Path, expected: str, parse: Callable[[Any], T], what: str) -> T | None:
        """Return what *parse* makes of the file; None if it is missing or set aside."""
        try:
            if not path.exists():
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
        aside = path.with_name(path.name + ".damaged")
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
            if not self.has_failed:
                self.has_failed = True
                self._say(f"{error}. You can play on, but nothing is remembered.")
            return False
        return True

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(explain(error, "write", self.folder)) from error


def _saved_to_plain(saved: Saved) -> dict[str, Any]:
    return {
        "format": SAVED_FORMAT,
        "version": VERSION,
        "game": game_to_plain(saved.game),
        "earlier": [game_to_plain(game) for game in saved.earlier],
        "later": [game_to_plain(game) for game in saved.later],
    }


def _saved_from_plain(plain: dict[str, Any]) -> Saved:
    stacks = [plain.get("earlier", []), plain.get("later", [])]
    if not all(isinstance(stack, list) and len(stack) <= _MOST_GAMES for stack in stacks):
        raise DamagedFileError("the saved game has no lists of games before and after it")
    earlier, later = (tuple(game_from_plain(game) for game in stack) for stack in stacks)
    return Saved(game_from_plain(plain.get("game")), earlier, later)
