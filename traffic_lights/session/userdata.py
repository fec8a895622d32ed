"""What the program remembers between two starts: settings, the session, statistics.

A setting is described once, with its label, and its choices or limits. The sheets of the windows
are made from that, and a value in settings.json that does not fit becomes the default.

>>> LABELS["speed"], CHOICES["speed"]["quick"]
('Speed', 'Quick')

Threads write, so that a slow disk never delays a move. If a file cannot be written, the player
sees one sentence and can play on. The next save tries again.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from io import FileIO
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.session.game import Game, game_from_plain, game_to_plain
from traffic_lights.session.session import Session
from traffic_lights.storage.files import (
    LockedError,
    StorageError,
    explained,
    lock_file,
    make_folder,
    read_json,
    write_json,
)
from traffic_lights.system.words import percent_done

SETTINGS: Final = "settings.json"
GAME: Final = "game.json"
RESULTS: Final = "results.jsonl"
OLD_STATISTICS: Final = "statistics.json"
"""The statistics of version 1.1, which are read and left as they are."""
_HEADERS: Final = {
    SETTINGS: {"format": "traffic-lights-settings", "version": 1},
    GAME: {"format": "traffic-lights-saved-game", "version": 1},
    OLD_STATISTICS: {"format": "traffic-lights-statistics", "version": 1},
}
SECOND_PROGRAM: Final = (
    "Traffic Lights is already open. You can play here too, but this game is not saved."
)


# --- settings ---


def _setting(label: str, default: Any, *texts: str, **metadata: Any) -> Any:
    """Describe a setting; its values are *texts* in small letters, with hyphens."""
    choices = {text.lower().replace(" ", "-").replace("–", "-"): text for text in texts}
    return field(default=default, metadata={"label": label, "choices": choices, **metadata})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a player can set; `UserData.change` changes it."""

    theme: str = _setting("Theme", "system", "System", "Light", "Dark", "High contrast")
    lamps: str = _setting("Lamps", "signal", "Signal", "Classic", "Okabe–Ito", "Monochrome")
    letters: bool = _setting("Letters on the lamps", True)
    coordinates: bool = _setting("Coordinates", True)
    side_panel: bool = _setting("Panel", True)
    animations: bool = _setting("Animations", True)
    zoom: int = _setting("Size", 0, choices={n: f"{round(100 * 1.1**n)} %" for n in range(-3, 9)})
    """Steps of Larger, negative for Smaller."""
    geometry: str = ""
    """The window's size and place as Tk writes them; empty at the first start."""
    opponent: str = "beginner"
    """The key of the bot that New Game plays against."""
    take_turns: bool = _setting("Take turns", True)
    """Whether the players swap seats with each new game."""
    speed: str = _setting("Speed", "normal", "Normal", "Instant", "Quick", "Slow")
    show: str = _setting("Show", "nothing", "Nothing", "Best Play", "Learned")
    training: str = ""
    """The name of the bot that is in training; still there if the program ends meanwhile."""


def _described(what: str) -> dict[str, Any]:
    return {one.name: one.metadata[what] for one in fields(Settings) if one.metadata.get(what)}


LABELS: Mapping[str, str] = _described("label")
CHOICES: Mapping[str, Mapping[Any, str]] = _described("choices")
"""The text of each value of a setting that has choices."""


# --- statistics ---


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game of one human against a bot: one line of results.jsonl."""

    opponent: str
    """The key of the bot, because a bot can be renamed."""
    name: str
    """What the bot was called then."""
    seat: int
    """The player's seat: 0 moves first."""
    has_won: bool
    is_helped: bool
    day: str


@dataclass(frozen=True, slots=True)
class Record:
    """All games against one opponent."""

    opponent: str
    name: str
    wins: int = 0
    losses: int = 0
    unhelped: int = 0
    """The wins without help."""
    streak: int = 0
    """The last games in a row that were won, or lost if negative; 0 if unknown."""
    longest: int = 0
    """The most games ever won in a row."""
    first_day: str = ""
    last_day: str = ""

    @property
    def shown(self) -> dict[str, str]:
        games = max(1, self.wins + self.losses)
        return {
            "Won": f"{self.wins:,}",
            "Lost": f"{self.losses:,}",
            "Rate": percent_done(self.wins, games),
            "Won unaided": f"{self.unhelped:,}",
            "In a row": f"{abs(self.streak):,} {'won' if self.streak > 0 else 'lost'}",
            "Most won": f"{self.longest:,}",
            "First": self.first_day,
            "Last": self.last_day,
        }


def _count(records: dict[str, Record], played: Played) -> None:
    won, key = played.has_won, played.opponent
    old = records.get(key, Record(key, played.name))
    streak = max(old.streak, 0) + 1 if won else min(old.streak, 0) - 1
    records[key] = replace(
        old,
        name=played.name,
        wins=old.wins + won,
        losses=old.losses + (not won),
        unhelped=old.unhelped + (won and not played.is_helped),
        streak=streak,
        longest=max(old.longest, streak),
        first_day=old.first_day if old.streak else played.day,
        last_day=played.day,
    )


def _counted_by_1_1(plain: Mapping[str, Any]) -> dict[str, Record]:
    records: dict[str, Record] = {}
    histories = plain.get("histories", {})
    for row in plain["rows"]:
        key = row["opponent"]
        record = records.get(key) or Record(key, **{"name": key, **histories.get(key, {})})
        records[key] = replace(
            record,
            wins=record.wins + row["wins"],
            losses=record.losses + row["losses"],
            unhelped=record.unhelped + (0 if row["helped"] else row["wins"]),
        )
    return records


# --- the folder ---


class UserData:
    """The data *folder* of the user; all methods belong to one thread.

    A second program on the same folder does not save its game. Both save settings, where the last
    change wins, and both add their results.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._troubles: deque[str] = deque()
        self._unsaved: dict[str, Callable[[], None]] = {}
        """What is still to be written, by file; what failed stays here for the next save."""
        self._writing = threading.Lock()
        self._has_failed = False
        self._lock: FileIO | None = None
        self._saved: object = None
        self._results: deque[Played | None] = deque()
        """The results that are still to be written; None where the player cleared them."""
        self.settings = self._load(SETTINGS, self._parse_settings) or Settings()

    def _parse_settings(self, plain: dict[str, Any]) -> Settings:
        """Return the settings of a file; report the names of those that do not fit."""
        defaults = asdict(Settings())
        # Unknown names are ignored, so that an older program can read a newer file.
        known = {name: plain[name] for name in defaults if name in plain}
        fitting = {
            name: value
            for name, value in known.items()
            if type(value) is type(defaults[name]) and value in CHOICES.get(name, [value])
        }
        if wrong := ", ".join(name for name in known if name not in fitting):
            self._troubles.append(f"{self.folder / SETTINGS}: the default was used for {wrong}.")
        return Settings(**fitting)

    def change(self, **changes: Any) -> None:
        settings = replace(self.settings, **changes)
        if settings != self.settings:
            self.settings = settings
            self._save_json(SETTINGS, lambda: asdict(settings))

    def restore_session(self, session: Session) -> bool:
        """Continue the saved session; return whether there was one."""
        saved = self._load(GAME, _parse_session) if self._may_save_game else None
        if saved is not None:
            session.restore(*saved)
        return saved is not None

    def save_session(self, session: Session) -> None:
        saved = session.history.saved()
        if saved != self._saved and self._may_save_game:
            self._saved = saved
            game, earlier, later = saved
            self._save_json(
                GAME,
                lambda: {
                    "game": game_to_plain(game),
                    "earlier": [game_to_plain(one) for one in earlier],
                    "later": [game_to_plain(one) for one in later],
                },
            )

    @cached_property
    def _may_save_game(self) -> bool:
        """Whether this is the only program on the folder; if it is not, report that once."""
        try:
            make_folder(self.folder)
            self._lock = lock_file(self.folder / "game.lock")
        except LockedError:
            self._troubles.append(SECOND_PROGRAM)
            return False
        except StorageError:
            pass  # on a disk without locks there is one program; saving reports all else
        return True

    @cached_property
    def _records(self) -> dict[str, Record]:
        records = self._load(OLD_STATISTICS, _counted_by_1_1) or {}
        with suppress(OSError):
            for line in (self.folder / RESULTS).read_bytes().splitlines():
                with suppress(ValueError, TypeError):  # a kill may have left half a line
                    _count(records, Played(**json.loads(line)))
        return records

    def records(self) -> list[Record]:
        """Return the statistics, the opponent of the latest game first."""
        return sorted(self._records.values(), key=lambda record: record.last_day, reverse=True)

    def count_result(self, game: Game) -> tuple[str, int]:
        """Count a result of a human against a bot; return the bot's key and the streak against it.

        The streak is 0 if the game does not count: a position that was set up may be won already.
        """
        seats = [seat for seat in (0, 1) if game.players[seat].is_human]
        if game.start != EMPTY_BOARD or len(seats) != 1:
            return "", 0
        seat, bot = seats[0], game.players[1 - seats[0]]
        has_won = game.winner == seat
        played = Played(bot.bot or "", bot.name, seat, has_won, game.is_helped, game.day)
        _count(self._records, played)
        self._results.append(played)
        self._save(RESULTS, self._write_results)
        return played.opponent, self._records[played.opponent].streak

    def clear_statistics(self) -> None:
        self._records = {}
        self._results.append(None)
        self._save(RESULTS, self._write_results)

    def _load(self, name: str, parse: Callable[[dict[str, Any]], Any]) -> Any:
        """Return what *parse* makes of a file; None if it is missing, or damaged and so renamed."""
        path = self.folder / name
        try:
            if not path.exists():
                return None
            plain = read_json(path)
            if not plain.items() >= _HEADERS[name].items():
                raise StorageError(f"{path} was written by another version of this program")
            return parse(plain)
        except (OSError, StorageError, ValueError, TypeError, LookupError, AttributeError) as error:
            aside = path.with_name(f"{name}.damaged")
            self._troubles.append(
                f"{name} cannot be used ({error}). The program continues without it and renamed "
                f"the file to {aside.name}."
            )
            with suppress(OSError):
                path.replace(aside)
            return None

    # --- writing ---

    def _save_json(self, name: str, plain: Callable[[], dict[str, Any]]) -> None:
        self._save(name, lambda: write_json(self.folder / name, {**_HEADERS[name], **plain()}))

    def _save(self, name: str, write: Callable[[], None]) -> None:
        """Have *write* called soon, in place of a waiting write of the same file."""
        self._unsaved[name] = write
        threading.Thread(target=self._write_unsaved, daemon=True).start()

    def _write_unsaved(self) -> None:
        """Write what waits; if another thread is writing, afterwards what it has left."""
        with self._writing:
            problem = ""
            for name in list(self._unsaved):
                write = self._unsaved.pop(name)
                try:
                    make_folder(self.folder)
                    with explained("write", self.folder):
                        write()
                except Exception as error:  # a mistake must not end the program
                    self._unsaved.setdefault(name, write)  # there may be a newer one
                    problem = problem or f"{error}. You can play on, but nothing is saved."
            if problem and not self._has_failed:
                self._troubles.append(problem)
            self._has_failed = bool(problem)

    def _write_results(self) -> None:
        while self._results:
            played = self._results[0]  # it stays until it is written
            if played is None:
                for name in (RESULTS, OLD_STATISTICS):
                    (self.folder / name).unlink(missing_ok=True)
            else:
                # The line end comes first: a write that failed may have left half a line.
                with (self.folder / RESULTS).open("ab") as file:
                    file.write(f"\n{json.dumps(asdict(played))}".encode("ascii"))
            self._results.popleft()

    @property
    def has_failed(self) -> bool:
        """Whether something is not saved: a file that could not be written, or the game."""
        return self._has_failed or not self._may_save_game

    def take_trouble(self) -> str:
        """Return a problem that was not reported yet, in sentences; empty if there is none."""
        return self._troubles.popleft() if self._troubles else ""

    def finish(self) -> None:
        """Wait until everything is written or has failed, and unlock the game."""
        # Ctrl-C may have interrupted the start of an earlier thread; this one writes what it left.
        thread = threading.Thread(target=self._write_unsaved, daemon=True)
        thread.start()
        thread.join(18.0)  # seconds, because a disk may hang
        if self._lock is not None:
            self._lock.close()


def _parse_session(plain: dict[str, Any]) -> tuple[Any, ...]:
    earlier, later = (tuple(map(game_from_plain, plain[name])) for name in ("earlier", "later"))
    return game_from_plain(plain["game"]), earlier, later
