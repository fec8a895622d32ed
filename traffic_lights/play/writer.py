"""The writer of the user's files: threads write, so that a slow disk never delays a move.

If a file cannot be written, the player sees one sentence and can play on. The next save tries
again.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from traffic_lights.storage.files import explained, make_folder

LONGEST_WAIT_S: Final = 18.0
"""How long the end of the program waits for a disk that may hang."""


class Writer:
    """Writes the files of *folder*; calls *report* with a sentence after a failure and its end.

    Its methods belong to one thread; *report* is called by others.
    """

    def __init__(self, folder: Path, report: Callable[[str], object]) -> None:
        self.has_failed = False
        """Whether a file could not be written."""
        self._folder = folder
        self._report = report
        self._unsaved: dict[str, Callable[[], None]] = {}
        """What is still to be written, by file; what failed stays here for the next save."""
        self._changes = defaultdict[str, deque[Callable[[], None]]](deque)
        """What is still to be done to a file that is changed, in this order."""
        self._writing = threading.Lock()

    def write(self, name: str, write: Callable[[], None]) -> None:
        """Have *write* called soon, in place of a waiting write of the same file *name*."""
        self._unsaved[name] = write
        threading.Thread(target=self._write_unsaved, daemon=True).start()

    def change(self, name: str, change: Callable[[], None]) -> None:
        """Have *change* called soon, after the waiting changes of the same file *name*."""
        changes = self._changes[name]
        changes.append(change)

        def make_changes() -> None:
            while changes:
                changes[0]()  # it stays until it has succeeded
                changes.popleft()

        self.write(name, make_changes)

    def _write_unsaved(self) -> None:
        """Write what waits; if another thread is writing, afterwards what it has left."""
        with self._writing:
            problem = ""
            for name in list(self._unsaved):
                write = self._unsaved.pop(name)
                try:
                    make_folder(self._folder)
                    with explained("write", self._folder / name):
                        write()
                except Exception as error:  # a mistake must not end the program
                    self._unsaved.setdefault(name, write)  # there may be a newer one
                    text = f"{error}. You can play on, but nothing is saved."
                    problem = problem or text[0].upper() + text[1:]
            had_failed = self.has_failed
            self.has_failed = bool(problem)
            if self.has_failed != had_failed:
                self._report(problem or "What could not be saved is saved now.")

    def finish(self) -> None:
        """Wait until everything is written or has failed."""
        # Ctrl-C may have interrupted the start of an earlier thread; this one writes what it left.
        thread = threading.Thread(target=self._write_unsaved, daemon=True)
        thread.start()
        thread.join(LONGEST_WAIT_S)
