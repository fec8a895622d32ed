"""The user's own bots: each is a folder, named like the bot, and its training happens there.

What `python3 -m traffic_lights.train` makes is a bot as well, "Your QBot". A bot can be played,
evaluated and trained further at any time. Errors are StorageErrors.
"""

import re
import shutil
import stat
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from traffic_lights.board.baselines import MYOPIC
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import (
    StorageError,
    copy_file,
    explained,
    lock_file,
    make_folder,
    move,
)
from traffic_lights.storage.words import LONGEST_NAME, fit_name, free_name
from traffic_lights.training.bot_note import read_note, write_note
from traffic_lights.training.folder import (
    CHECKPOINT,
    LOCK,
    NOTE,
    PRUNED,
    SNAPSHOTS,
    TABLE,
    is_written,
)
from traffic_lights.training.store import last_meta

COMMAND_KEY: Final = "qbot-own"
_FORBIDDEN: Final = re.compile(
    r"""
      [<>:"/\\|?*]    # what no name on Windows can have
    | ^\.             # the start of a hidden name elsewhere
    | [.\ ]$          # an end that Windows cuts off
    | ^ ( con | conin\$ | conout\$ | prn | aux | nul | (com|lpt)[1-9¹²³] ) (?= \ * (\.|$) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What the name of a folder cannot have, the names of devices on Windows among it."""


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of the user, as lists show it; two are equal as long as the bot has not changed."""

    key: str
    """What settings, saved games and statistics call it."""
    name: str
    folder: Path
    games: int = 0
    """Of all its runs."""
    score: float | None = None
    """The last one against Myopic that was measured, from 0 to 1, seats swapped."""
    is_training: bool = False
    """Whether it has an unfinished run."""
    problem: str = ""
    """Why it cannot play."""
    about: str = ""
    """How it was imported."""


class Bots:
    """The bots in *folder*, the data folder, and the one in *command_folder*.

    One that is in training now cannot be renamed or deleted: that raises LockedError.
    """

    def __init__(self, folder: Path, command_folder: Path | None = None) -> None:
        self.folder = folder / "bots"
        self._command_folder = command_folder

    def all(self) -> list[OwnBot]:
        """Return the bots by name; the bot of the command comes first."""
        bots = []
        if self._command_folder is not None and _holds_a_bot(self._command_folder):
            bots.append(_bot_in(self._command_folder, COMMAND_KEY))
        with suppress(OSError):
            folders = [path for path in self.folder.iterdir() if _holds_a_bot(path)]
            bots += map(_bot_in, sorted(folders, key=lambda path: path.name.casefold()))
        return bots

    def free_name(self, wanted: str = "My QBot") -> str:
        """Return *wanted* as a name that fits, with a number if another bot has it."""
        return free_name(wanted, self._is_taken)

    def _is_taken(self, name: str) -> bool:
        # Some systems treat capital and small letters alike.
        return any(path.name.casefold() == name.casefold() for path in self.folder.glob("*"))

    def create(self, name: str) -> OwnBot:
        """Make a bot that has learned nothing; raise StorageError if *name* cannot be its name."""
        return self._make(name, write_note)

    def import_table(self, path: Path, name: str) -> OwnBot:
        """Make a bot of the table file *path*.

        Raise StorageError if the file cannot be read, or if *name* cannot be the name of a bot.
        """
        table = read_table(path)

        def fill(folder: Path) -> None:
            write_table(folder / TABLE, table)
            write_note(folder, about=f"imported from {path.name}")

        return self._make(name, fill)

    def _make(self, name: str, fill: Callable[[Path], None]) -> OwnBot:
        """Make the folder of a bot, which *fill* fills; if it cannot, nothing is left."""
        folder = self.folder / self.checked_name(name)
        make_folder(folder)
        try:
            fill(folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return _bot_in(folder)

    def rename(self, bot: OwnBot, name: str) -> OwnBot:
        """Give *bot* another name and so another key.

        Raise StorageError if it cannot have that name. The bot of the command keeps its own.
        """
        if bot.key == COMMAND_KEY:
            raise StorageError(f"“{bot.name}” is the bot of the train command and keeps its name")
        folder = self.folder / self.checked_name(name, but=bot.name)
        _refuse_if_in_training(bot)
        move(bot.folder, folder)
        return _bot_in(folder)

    def checked_name(self, name: str, *, but: str = "") -> str:
        """Return *name* as a folder can have it, for the bot that is called *but*, or a new one.

        Raise StorageError if no bot can have this name, or another bot has it.
        """
        name = unicodedata.normalize("NFC", " ".join(name.split()))
        if not name or name != fit_name(name) or _FORBIDDEN.search(name):
            raise StorageError(
                f"“{fit_name(name)}” cannot be the name of a bot: use 1 to {LONGEST_NAME} visible "
                'letters, none of them < > : " / \\ | ? or *, no dot at either end, and not a name '
                "that Windows keeps for itself, such as CON"
            )
        if name.casefold() != but.casefold() and self._is_taken(name):
            raise StorageError(f"there is another bot called “{name}”; choose another name")
        return name

    def delete(self, bot: OwnBot) -> None:
        """Delete *bot* for good; of the folder of the command, only the files of a run.

        Raise StorageError. If a file resists, some may be gone already.
        """
        _refuse_if_in_training(bot)
        with explained("delete", bot.folder):
            if bot.key != COMMAND_KEY:
                shutil.rmtree(bot.folder)
                return
            shutil.rmtree(bot.folder / SNAPSHOTS, ignore_errors=True)
            for path in list(bot.folder.iterdir()):
                if is_written(path.name):
                    path.unlink()

    def export(self, bot: OwnBot, path: Path) -> None:
        """Copy the whole table of *bot* to *path*; raise StorageError."""
        copy_file(bot.folder / TABLE, path)


def _refuse_if_in_training(bot: OwnBot) -> None:
    """Raise LockedError if a program trains *bot* now."""
    lock_file(bot.folder / LOCK).close()


def _holds_a_bot(folder: Path) -> bool:
    if folder.name.startswith("."):
        return False
    try:
        return _has(folder, TABLE, PRUNED, CHECKPOINT, NOTE)
    except PermissionError:
        return True  # perhaps, so the list shows why it cannot play


def _has(folder: Path, *names: str) -> bool:
    """Return whether there is one of the files *names*; raise PermissionError if none may look."""
    for name in names:
        with suppress(FileNotFoundError, NotADirectoryError):
            if stat.S_ISREG((folder / name).stat().st_mode):
                return True
    return False


def _bot_in(folder: Path, key: str = "") -> OwnBot:
    """Return the bot in *folder*; if its *key* is not given, it follows from the folder."""
    note = read_note(folder)
    meta = last_meta(folder)
    games = meta.get("games", 0)
    problem = ""
    try:
        with explained("read", folder):
            if not _has(folder, PRUNED, TABLE):
                problem = (
                    "continue its training first" if games else "it has no table yet; train it"
                )
    except StorageError as error:
        problem = str(error)
    return OwnBot(
        key=key or f"bot:{folder.name}",
        name="Your QBot" if key == COMMAND_KEY else folder.name,
        folder=folder,
        games=games,
        score=next((m.score for m in reversed(note.points) if m.opponent == MYOPIC.key), None),
        is_training=meta.get("finished") is False,
        problem=problem,
        about=note.about,
    )
