"""The person's own tables and the run under way, as folders on the disk.

    tables/retired.json  the highest number of a table that was deleted
    tables/table-1/      a kept table: qtable.json, qbot.json, table.json
    tables/coming/       the copy of a run from elsewhere that is to be kept
    run/                 the run that is not kept yet, a training folder of its own
    run.json             what it is called and where it is, while there is one

Training always works in the run's folder, on a copy if it goes on from a kept
table. Keeping it is renaming the folder, or a whole copy of it that is on the
disk; until then the kept table is as it was.
Nothing here needs a display.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Final

from traffic_lights.storage import patience
from traffic_lights.storage.files import (
    StorageError,
    explain,
    make_folder,
    read_json,
    sync_folder,
    write_json,
)
from traffic_lights.storage.lock import PATIENCE_S, FileLock, LockedError
from traffic_lights.training import paths, run_folder
from traffic_lights.training.notes import (
    LONGEST_NAME,
    Facts,
    RunNote,
    cleaned,
    read_run_note,
    read_table_note,
    write_run_note,
    write_table_note,
)
from traffic_lights.training.run_folder import (
    ELSEWHERE,
    clear,
    copy_run,
    drop_used_logs,
    free_folder_in,
    remove,
    wait_until_idle,
)
from traffic_lights.training.troubles import UnkeptRunError

RETIRED_FORMAT: Final = "traffic-lights-retired-tables"
_RETIRED: Final = "retired.json"
_COMING: Final = "coming"
_MOST_NUMBERS: Final = 900_000
_NUMBERED: Final = re.compile(r"table-(\d{1,6})(\.old)?")
_REPLACED: Final = re.compile(r"(table-[1-9]\d{0,5})(\.[0-9a-f]{16})?\.old")
"""A table that is being replaced; without the digits, of version 1.0 or a copy of a person's."""
_KEY: Final = re.compile(r"table-[1-9]\d{0,5}")


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A kept table; no two have the same name."""

    key: str
    name: str
    folder: Path
    facts: Facts

    @property
    def path(self) -> Path:
        """The whole table."""
        return self.folder / paths.TABLE

    @property
    def playing_path(self) -> Path:
        """What plays: the cut table where there is one, which is read in no time."""
        small = self.folder / paths.CUT
        return small if small.is_file() else self.path


class OwnTables:
    """The tables and the run under the data *folder*; errors are StorageErrors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tables"
        self.run_folder = folder / "run"
        self._note_path = folder / "run.json"
        self._note: RunNote | None = None

    # --- tables ---

    def all(self) -> list[OwnTable]:
        """Return the kept tables, the oldest first; one that cannot be read has its key as name."""
        self._mend()
        try:
            folders = [p for p in self.folder.iterdir() if _KEY.fullmatch(p.name) and p.is_dir()]
        except OSError:
            return []
        folders.sort(key=lambda path: int(path.name.partition("-")[2]))
        return [self._table(path) for path in folders if (path / paths.TABLE).is_file()]

    def get(self, key: str) -> OwnTable | None:
        """Return the table of *key*, or None."""
        return next((table for table in self.all() if table.key == key), None)

    def _table(self, folder: Path) -> OwnTable:
        name, facts = read_table_note(folder)
        return OwnTable(folder.name, name, folder, facts)

    def _mend(self) -> None:
        """Put back a table that was being replaced at a kill, and delete a half copy of a run."""
        with suppress(OSError):
            found = [m for p in self.folder.iterdir() if (m := _REPLACED.fullmatch(p.name))]
            # First those that are surely of this program's making.
            for match in sorted(found, key=lambda match: not match[2]):
                old, current = self.folder / match[0], self.folder / match[1]
                # Killed after the second rename, only clearing up was left; before it, the first is
                # taken back.
                if not current.exists():
                    old.rename(current)
                elif match[2]:
                    shutil.rmtree(old)
        coming = self.folder / _COMING
        with suppress(OSError, StorageError):
            if coming.exists():
                with FileLock(coming.with_suffix(".lock")):
                    remove(coming)  # nobody is at work on it, and the run itself is where it was

    def has_name(self, name: str, but: str = "") -> bool:
        """Return whether a table is called *name*, in capitals or not; the one of key *but* aside.

        A name names one table.
        """
        wanted = cleaned(name).casefold()
        return any(t.name.casefold() == wanted and t.key != but for t in self.all())

    def free_name(self, wanted: str = "My QBot", but: str = "") -> str:
        """Return *wanted*, with a number if a table, the one of key *but* aside, has that name."""
        stem = cleaned(wanted)
        numbered = (f"{stem[: LONGEST_NAME - 4].strip()} {n}" for n in count(2))
        return next(name for name in chain([stem], numbered) if not self.has_name(name, but))

    def rename(self, key: str, name: str) -> None:
        """Give the table of *key* another *name*; raise StorageError if another has it."""
        table = self.get(key)
        if self.has_name(name, key):
            raise StorageError(f"there is another table called “{cleaned(name)}”")
        if table is not None:
            write_table_note(table.folder, name, table.facts)

    def note_score(self, key: str, score: float) -> None:
        """Remember the exact *score* of the table of *key*."""
        table = self.get(key)
        if table is not None:
            write_table_note(table.folder, table.name, replace(table.facts, score=score))

    def delete(self, key: str) -> None:
        """Delete the table of *key*; its number is never given again."""
        table = self.get(key)
        if table is not None:
            self._retire(key)
            remove(table.folder)

    def _retire(self, key: str) -> None:
        """Note that the number of *key* had its table: statistics and saved games tell of that."""
        number = int(key.partition("-")[2])
        if number > self._retired():
            write_json(
                self.folder / _RETIRED,
                {"format": RETIRED_FORMAT, "version": 1, "highest": number},
            )

    def _retired(self) -> int:
        """Return the highest number of a deleted table; 0 if there is none, or nobody knows."""
        with suppress(StorageError, AttributeError):
            highest = read_json(self.folder / _RETIRED).get("highest")
            if type(highest) is int and 0 < highest < _MOST_NUMBERS:
                return highest
        return 0

    def new_folder(self) -> Path:
        """Make and return the folder of a table to come."""
        folder = self._free_folder()
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise StorageError(explain(error, "make", folder)) from error
        return folder

    def _free_folder(self) -> Path:
        # A number that only an .old has is taken: `_mend` may give it back.
        with_numbers = (_NUMBERED.match(path.name) for path in self.folder.glob("table-*"))
        taken = (int(match[1]) for match in with_numbers if match)
        return self.folder / f"table-{1 + max([self._retired(), *taken])}"

    def add(self, folder: Path, name: str, facts: Facts) -> OwnTable:
        """Return the table whose file is in *folder*, one of `new_folder`, now named.

        It gets a number if another has its *name*.
        """
        write_table_note(folder, self.free_name(name), facts)
        return self._table(folder)

    # --- the run ---

    def begin_run(self, name: str, base: str = "", *, replaces: bool = False) -> RunNote:
        """Note that a run begins, and return its note; one that waits goes if it *replaces* that.

        Raise UnkeptRunError if it does not, LockedError if another program is at work on that one.
        """
        note = self.run()
        if note is not None and not replaces and run_folder.problem_of(note.folder) is None:
            wait_until_idle(note.folder, 0)
            raise UnkeptRunError(f"the training run in {note.folder} is not kept yet")
        if replaces:
            self.discard_run()
        wait_until_idle(self.run_folder)
        remove(self.run_folder)
        return self.note_run(RunNote(name, self.run_folder, base))

    def note_run(self, note: RunNote) -> RunNote:
        """Remember *note* for the next start as well; raise StorageError if that is impossible."""
        self._note = note
        try:
            self._note_path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(explain(error, "make", self._note_path.parent)) from error
        write_run_note(self._note_path, note)
        return note

    def run(self) -> RunNote | None:
        """Return the run that is not kept yet; None if there is none."""
        if self._note is None:
            self._note = read_run_note(self._note_path)
            if self._note is not None and self._note.folder == self.run_folder:
                # A run that was kept, or never began: its note could not be deleted.
                self._note = self._note if os.path.lexists(self.run_folder) else None
        return self._note

    def interrupted_games(self) -> int | None:
        """Return the games of a run that stopped without being kept; None if there is none.

        A run that another program is at work on is none, nor is one that cannot be reached.
        """
        note = self.run()
        if note is None or run_folder.problem_of(note.folder) is not None:
            return None
        lock = FileLock(note.folder / paths.LOCK)
        try:
            # A run whose lock is held is under way somewhere, not interrupted.
            with lock:
                games = read_json(note.folder / paths.CHECKPOINT).get("games")
        except LockedError:
            return None
        except (StorageError, AttributeError):
            return 0
        return games if isinstance(games, int) else 0

    def at_stake(self, games: int) -> tuple[int, str]:
        """Return how many of a run's *games* go with it, and the name of the table that stays.

        That is the one that the run goes on from; its own games are not lost.
        """
        note = self.run()
        base = self.get(note.base) if note is not None and note.base else None
        if note is None or base is None:
            return games, ""
        number, before = _checkpoint(base.folder)
        # What follows a finished run counts from 0; until its first save nobody knows which it is.
        is_same = _checkpoint(note.folder)[0] in (number, -1)
        return max(games - before, 0) if is_same else games, base.name

    def unreachable_run(self) -> str:
        """Return why nobody can tell whether a run stopped, in a sentence; else nothing."""
        note = self.run()
        return (run_folder.problem_of(note.folder) or "") if note is not None else ""

    def keep_run(self, facts: Facts) -> OwnTable:
        """Make the run a table, in the place of the one it goes on from; return it.

        The logs that its table has taken up go: they play nothing, and are many times its size.
        """
        note = self.run()
        assert note is not None, "there is a run to keep"
        # The note before the move: a folder appears among the tables only with its name in it.
        write_table_note(note.folder, self.free_name(note.name, note.base), facts)
        drop_used_logs(note.folder)
        is_elsewhere = note.folder != self.run_folder
        kept = self._bring(note) if is_elsewhere else self._move(note.folder, note.base)
        with suppress(StorageError):  # what names no folder any more names no run
            self._forget_note()
        if is_elsewhere and kept != note.folder:
            with suppress(LockedError):  # who is at work there by now keeps what is there
                clear(note.folder)
        return self._table(kept)

    def _move(self, source: Path, base: str) -> Path:
        """Rename *source* to the folder of table *base*, or a new one; return that, durable."""
        target = self.folder / base if _KEY.fullmatch(base) else self._free_folder()
        old = target.with_name(f"{target.name}.{os.urandom(8).hex()}.old")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                # By two renames, since no system replaces a folder that holds anything; `_mend`
                # finishes what a kill leaves between them.
                patience.replace(target, old)
            patience.replace(source, target)
            sync_folder(target.parent)
        except OSError as error:
            self._mend()
            raise StorageError(explain(error, "rename", source)) from error
        shutil.rmtree(old, ignore_errors=True)
        return target

    def _bring(self, note: RunNote) -> Path:
        """Return where a copy of the run is kept, or its own folder if there is no room for one."""
        coming = self.folder / _COMING
        try:
            make_folder(self.folder)
            # Copied under a name that no list shows: killed meanwhile, it leaves no torn table. And
            # alone: no other program is to take the half copy for one that was left behind.
            with FileLock(coming.with_suffix(".lock"), PATIENCE_S):
                try:
                    remove(coming)
                    copy_run(note.folder, coming)
                    return self._move(coming, note.base)
                finally:
                    shutil.rmtree(coming, ignore_errors=True)
        except StorageError:
            return note.folder

    def discard_run(self) -> None:
        """Delete what the run has learned."""
        note = self.run()
        if note is not None:
            if note.folder == self.run_folder:
                wait_until_idle(note.folder)
                remove(note.folder)
            elif note.folder.name.startswith(ELSEWHERE):
                clear(note.folder)
            self._forget_note()

    def _forget_note(self) -> None:
        self._note = None
        try:
            patience.unlink(self._note_path)
        except OSError as error:
            raise StorageError(explain(error, "delete", self._note_path)) from error

    def begin_elsewhere(self, parent: Path, name: str, base: str = "") -> RunNote:
        """Begin a run in a new folder under *parent*, because its usual place cannot be used."""
        return self._note_elsewhere(RunNote(name, free_folder_in(parent), base))

    def move_run(self, parent: Path) -> RunNote:
        """Go on with the run in a new folder under *parent*, with a copy of what was saved."""
        note = self.run()
        assert note is not None, "there is a run to move"
        folder = free_folder_in(parent)
        copy_run(note.folder, folder)
        return self._note_elsewhere(RunNote(note.name, folder, note.base))

    def _note_elsewhere(self, note: RunNote) -> RunNote:
        # The full disk may be the one with the note: then only this program knows.
        with suppress(StorageError):
            self.note_run(note)
        return note


def _checkpoint(folder: Path) -> tuple[int, int]:
    """Return the number of the run in *folder* and its games; -1 and 0 if they are not noted."""
    with suppress(StorageError, LookupError, TypeError, ValueError):
        noted = read_json(folder / paths.CHECKPOINT)
        return int(noted["run"]), int(noted["games"])
    return -1, 0
