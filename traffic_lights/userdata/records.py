"""Files that hold the record of one game."""

from __future__ import annotations

from pathlib import Path

from traffic_lights.players.game import Game
from traffic_lights.session.notation import LONGEST_TEXT, RecordError, format_record, parse_record
from traffic_lights.storage.files import StorageError, read_text, write_atomically


def read_record(path: Path) -> Game:
    """Return the game in *path*; raise RecordError or StorageError if there is none."""
    return parse_record(read_text(path, LONGEST_TEXT))


def write_record(path: Path, game: Game) -> None:
    """Replace *path* by the record of *game*, durably and as a whole; raise StorageError."""
    write_atomically(path, [format_record(game).encode("utf-8")])


def refuse_other_files(path: Path) -> None:
    """Raise StorageError if *path* exists and is not a game, so that it is not overwritten."""
    if not path.exists():
        return
    try:
        read_record(path)
    except (StorageError, RecordError):
        raise StorageError(
            f"{path} already exists and is not a game; choose another name"
        ) from None
