"""What the windows keep on the disk: settings, the running game, statistics.

Reading is done at once, writing in a thread. Troubles come out of `troubles`,
each said once, in sentences.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from traffic_lights.keeping.preferences import DataStore, Preferences, SavedGame
from traffic_lights.keeping.saver import Saver
from traffic_lights.keeping.tally import Tally
from traffic_lights.session.phases import Result
from traffic_lights.session.session import Session

T = TypeVar("T")


class Keeper:
    """The data *folder* as the windows use it; call everything from the Tk loop."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._troubles: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._saver = Saver(lambda name, error: self._troubles.put(f"{name}: {error}"))
        self._store = DataStore(folder, self._troubles.put)
        self.settings: Preferences = self._store.load_settings()
        self._changes: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        """What the thread is still to change in the file of the settings."""
        self._tally: Tally | None = None
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        """What the thread is still to add to the statistics."""
        self._last_saved: object = None

    def change(self, **changes: Any) -> None:
        """Change and save settings, by name."""
        settings = replace(self.settings, **changes)
        if settings != self.settings:
            self.settings = settings
            self._changes.put(changes)
            self._save("settings", self._change_settings)

    def _change_settings(self) -> None:
        waiting = {name: value for one in _taken(self._changes) for name, value in one.items()}
        self._store.change_settings(self.settings, **waiting)

    def restore_session(self, session: Session) -> bool:
        """Continue the saved session; return whether there was one."""
        saved = self._store.load_game()
        if saved is None:
            return False
        session.restore(saved.game, saved.earlier, saved.later)
        return True

    def save_session(self, session: Session) -> None:
        """Save the session, if anything in it has changed."""
        saved = session.saved()
        if saved != self._last_saved:
            self._last_saved = saved
            self._save("game", lambda: self._save_game(SavedGame(*saved)))

    def _save_game(self, saved: SavedGame) -> None:
        if self._store.save_game(saved) and self._store.has_failed:
            # What failed before may be possible again too.
            self._change_settings()
            self._add_results()

    @property
    def tally(self) -> Tally:
        """The statistics, read when first asked for."""
        if self._tally is None:
            self._tally = self._store.load_statistics()
        return self._tally

    def count_result(self, result: Result) -> None:
        """Count a finished game, if it is one for the statistics."""
        if self.tally.add_result(result):
            self._results.put(result)
            self._save("statistics", self._add_results)

    def _add_results(self) -> None:
        """Add what was counted to the file; from then on, what other programs counted is shown."""
        tally = self._store.add_results(*_taken(self._results))
        if tally is not None and self._results.empty():
            self._tally = tally

    def clear_statistics(self) -> None:
        """Start to count anew."""
        self._tally = Tally()
        list(_taken(self._results))
        self._save("clear statistics", self._store.clear_statistics)

    def _save(self, name: str, write: Callable[[], object]) -> None:
        self._saver.save(name, write)

    def probe(self) -> None:
        """Find out whether the folder can be written, and say it soon if it cannot."""
        self._save("settings", self._change_settings)

    @property
    def has_failed(self) -> bool:
        """Return whether something could not be saved."""
        return self._store.has_failed

    @property
    def is_saving(self) -> bool:
        """Whether something is being saved, of which a trouble may still come."""
        return self._saver.is_busy

    def take_trouble(self) -> str:
        """Return a trouble that was not said yet, as a sentence; empty if there is none."""
        try:
            return self._troubles.get_nowait()
        except queue.Empty:
            return ""

    def finish(self) -> None:
        """Return when everything is on the disk, or could not be; let others have the game."""
        self._saver.finish()
        self._store.close()


def _taken(waiting: queue.SimpleQueue[T]) -> Iterator[T]:
    """Take and yield all that is *waiting*."""
    while not waiting.empty():
        yield waiting.get_nowait()
