"""Whether a name still leads to the file or folder that it led to.

Somebody may delete or rename what a program has open; the program can go on
writing to it, and all of it is lost. A `Witness` compares the name with what is
open (its device and inode), which costs two calls of the system.
"""

from __future__ import annotations

import os
from pathlib import Path

from traffic_lights.storage.files import StorageError, explain


class Witness:
    """Keeps *path* open, so that nothing else can get its number, until `close`."""

    def __init__(self, path: Path) -> None:
        """Open what *path* leads to; raise StorageError if that is impossible."""
        self.path = path
        self._descriptor = -1
        if os.name == "nt":  # what is open cannot be deleted or renamed there
            return
        try:
            self._descriptor = os.open(path, os.O_RDONLY)
        except OSError as error:
            raise StorageError(explain(error, "read", path)) from error

    def is_there(self) -> bool:
        """Return whether the name leads to what it led to; not if nobody can tell."""
        if self._descriptor < 0:
            return True
        try:
            # Device and inode, not the name: a new file of the same name is another one. Kept
            # open, the inode cannot be given to it.
            return os.path.samestat(self.path.stat(), os.fstat(self._descriptor))
        except OSError:
            return False

    def close(self) -> None:
        """Let go of the file; nothing happens if that is done."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
