"""What the windows keep on the disk: settings, the running game, statistics."""

from __future__ import annotations

import queue
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from traffic_lights.gui.saver import Saver
from traffic_lights.record import RecordError, game_from_plain, game_to_plain
from traffic_lights.session import Result, Session
from traffic_lights.storage import StorageError, read_json, write_json


@dataclass
class Settings:
    theme: str = "system"
    lamps: str = "signal"
    letters: bool = True
    coordinates: bool = True
    side_panel: bool = True
    animations: bool = True
    tell_me: bool = False
    zoom: float = 1.0
    speed_ms: int = 250
    first: str = "alternate"
    geometry: str = ""


class Keeper:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = Settings()
        self.is_first_start = not (folder / "settings.json").exists()
        self._problems: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._saver = Saver(lambda name, error: self._problems.put(f"{error}"))
        try:
            for name, value in read_json(folder / "settings.json").items():
                setattr(self.settings, name, value)
        except StorageError:
            pass

    def save_settings(self) -> None:
        plain = asdict(self.settings)
        self._saver.save("settings", lambda: self._write("settings.json", plain))

    def _write(self, name: str, plain: Any) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / name, plain)

    def save_session(self, session: Session) -> None:
        game, earlier, later = session.saved()
        plain = {
            "game": game_to_plain(game),
            "earlier": [game_to_plain(g) for g in earlier],
            "later": [game_to_plain(g) for g in later],
        }
        self._saver.save("game", lambda: self._write("game.json", plain))

    def restore_session(self, session: Session) -> str:
        try:
            plain = read_json(self.folder / "game.json")
            session.restore(
                game_from_plain(plain["game"]),
                tuple(map(game_from_plain, plain["earlier"])),
                tuple(map(game_from_plain, plain["later"])),
            )
        except (StorageError, RecordError):
            pass
        return ""

    def count_result(self, result: Result) -> None:
        pass

    def finish(self) -> None:
        self._saver.finish()
