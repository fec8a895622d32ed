"""The user's data folder: settings, the running game and statistics.

A thread writes, so that a slow disk never delays a move. If a file cannot be
written, the player sees one sentence and can play on. The next save tries again.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from io import FileIO
from pathlib import Path
from typing import Any, Final, TypeVar

from traffic_lights.players.game import Game
from traffic_lights.session.notation import game_from_plain, game_to_plain
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
from traffic_lights.userdata.settings import Settings, settings_from
from traffic_lights.userdata.statistics import Played, Statistics, line_of

T = TypeVar("T")
SETTINGS: Final = "settings.json"
GAME: Final = "game.json"
RESULTS: Final = "results.jsonl"
OLD_STATISTICS: Final = "statistics.json"
"""The statistics of version 1.1, which are read and left as they are."""
_FORMATS: Final = {
    SETTINGS: "traffic-lights-settings",
    GAME: "traffic-lights-saved-game",
    OLD_STATISTICS: "traffic-lights-statistics",
}
_VERSION: Final = 1
LONGEST_SAVE_S: Final = 18.0
"""How long `UserData.finish` waits for the disk."""
SECOND_PROGRAM: Final = (
    "Traffic Lights is already open. You can play here too, but this game is not saved."
)


class UserData:
    """The data *folder* of the user; all methods belong to one thread.

    A second program on the same folder does not save its game. Both save
    settings, where the last change wins, and both add their results.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._troubles: deque[str] = deque()
        self._access = threading.Lock()
        self._unsaved: dict[str, Callable[[], None]] = {}
        """What is still to be written, by file; what failed stays here for the next save."""
        self._is_writing = False
        """Whether a thread writes; it ends when it has no more work."""
        self._has_failed = False
        self._lock: FileIO | None = None
        self._may_save_game: bool | None = None
        """Whether this is the only program on the folder; None until we tried the lock."""
        self._saved: object = None
        self._results: deque[Played | None] = deque()
        """The results that are still to be written; None where the player cleared them."""
        self._statistics: Statistics | None = None
        self.settings = self._load(SETTINGS, self._parse_settings) or Settings()

    def _parse_settings(self, plain: dict[str, Any]) -> Settings:
        settings, refused = settings_from(plain)
        if refused:
            names = ", ".join(refused)
            self._troubles.append(f"{self.folder / SETTINGS}: the default was used for {names}.")
        return settings

    def change(self, **changes: Any) -> None:
        """Change and save settings, by name."""
        settings = replace(self.settings, **changes)
        if settings != self.settings:
            self.settings = settings
            self._save_json(SETTINGS, lambda: asdict(settings))

    def restore_session(self, session: Session) -> bool:
        """Continue the saved session; return whether there was one."""
        saved = self._load(GAME, _parse_session) if self._claim_game() else None
        if saved is not None:
            session.restore(*saved)
        return saved is not None

    def save_session(self, session: Session) -> None:
        """Save the session, if anything in it has changed."""
        saved = session.history.saved()
        if saved != self._saved and self._claim_game():
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

    def _claim_game(self) -> bool:
        """Return whether this program may save its game; ask once, and report if it may not."""
        if self._may_save_game is None:
            self._may_save_game = True
            try:
                make_folder(self.folder)
                self._lock = lock_file(self.folder / "game.lock")
            except LockedError:
                self._may_save_game = False
                self._troubles.append(SECOND_PROGRAM)
            except StorageError:
                pass  # on a disk without locks there is one program; saving reports all else
        return self._may_save_game

    @property
    def statistics(self) -> Statistics:
        """The statistics, read when they are first needed."""
        if self._statistics is None:
            self._statistics = self._load(OLD_STATISTICS, Statistics.from_old) or Statistics()
            with suppress(OSError):
                for line in (self.folder / RESULTS).read_bytes().splitlines():
                    with suppress(ValueError, TypeError):  # a kill may have left half a line
                        self._statistics.add(Played(**json.loads(line)))
        return self._statistics

    def count_result(self, game: Game) -> None:
        """Count a finished game, if it is one for the statistics."""
        played = line_of(game)
        if played is not None:
            self.statistics.add(played)
            self._results.append(played)
            self._save(RESULTS, self._write_results)

    def clear_statistics(self) -> None:
        """Start the statistics again from nothing."""
        self._statistics = Statistics()
        self._results.append(None)
        self._save(RESULTS, self._write_results)

    def _write_results(self) -> None:
        """Write the waiting results in order; only the thread removes them."""
        while self._results:
            played = self._results[0]
            if played is None:
                for name in (RESULTS, OLD_STATISTICS):
                    (self.folder / name).unlink(missing_ok=True)
            else:
                # The line end comes first: a write that failed may have left half a line.
                with (self.folder / RESULTS).open("ab") as file:
                    file.write(f"\n{json.dumps(asdict(played))}".encode("ascii"))
            self._results.popleft()

    def _load(self, name: str, parse: Callable[[dict[str, Any]], T]) -> T | None:
        """Return what *parse* makes of the file *name*; None if it is missing or damaged.

        A file that cannot be used is renamed, so that it is not lost, and reported.
        """
        path = self.folder / name
        try:
            if not path.exists():
                return None
            plain = read_json(path)
            if (plain["format"], plain["version"]) != (_FORMATS[name], _VERSION):
                raise StorageError(f"{path} was written by another version of this program")
            return parse(plain)
        except (OSError, StorageError) as error:
            problem = str(error)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            problem = f"{path} is damaged ({error})"
        aside = path.with_name(f"{name}.damaged")
        with suppress(OSError):
            path.replace(aside)
        self._troubles.append(
            f"{problem}. The program continues without it and renamed the file to {aside.name}."
        )
        return None

    # --- writing ---

    def _save_json(self, name: str, plain: Callable[[], dict[str, Any]]) -> None:
        header = {"format": _FORMATS[name], "version": _VERSION}
        self._save(name, lambda: write_json(self.folder / name, {**header, **plain()}))

    def _save(self, name: str, write: Callable[[], None]) -> None:
        """Have *write* called soon, in place of a waiting write of the same file."""
        with self._access:
            self._unsaved[name] = write
            if not self._is_writing:
                self._is_writing = True
                threading.Thread(target=self._write_unsaved, daemon=True).start()

    def _write_unsaved(self) -> None:
        """Write until nothing new is left; the thread of `_save` runs this."""
        failed: dict[str, Callable[[], None]] = {}
        while True:
            with self._access:
                if not self._unsaved:
                    self._unsaved, self._is_writing = failed, False
                    return
                waiting, self._unsaved = failed | self._unsaved, {}
            failed = {}
            for name, write in waiting.items():
                try:
                    make_folder(self.folder)
                    with explained("write", self.folder):
                        write()
                except Exception as error:  # a mistake must not end the thread
                    failed[name] = write
                    self._report(error)
            self._has_failed = bool(failed)

    def _report(self, error: Exception) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._troubles.append(f"{error}. You can play on, but nothing is saved.")

    @property
    def has_failed(self) -> bool:
        """Whether something is not saved: a file that could not be written, or the game."""
        return self._has_failed or self._may_save_game is False

    def take_trouble(self) -> str:
        """Return a problem that was not reported yet, in sentences; empty if there is none."""
        return self._troubles.popleft() if self._troubles else ""

    def finish(self) -> None:
        """Wait until everything is written or has failed, and unlock the game."""
        # A thread whose start was interrupted by Ctrl-C writes too, but cannot be joined.
        deadline = time.monotonic() + LONGEST_SAVE_S
        while self._is_writing and time.monotonic() < deadline:
            time.sleep(0.002)
        if self._lock is not None:
            self._lock.close()
            self._lock = self._may_save_game = None


def _parse_session(plain: dict[str, Any]) -> tuple[Any, ...]:
    earlier, later = (tuple(map(game_from_plain, plain[name])) for name in ("earlier", "later"))
    return game_from_plain(plain["game"]), earlier, later
