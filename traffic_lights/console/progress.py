"""Progress in one line: replaced in place on a terminal, otherwise printed now and then."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Final

from traffic_lights.console.shell import remark

_WIDEST: Final = 200
_EVERY_S: Final = {True: 0.1, False: 5.0}
"""The seconds between two lines, on a terminal and elsewhere."""


class Ticker:
    """Shows progress on the standard error, unless *quiet*."""

    def __init__(self, *, quiet: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._quiet, self._now = quiet, now
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown_s = now()
        self._width = 0

    @property
    def room(self) -> int:
        """The characters that a line can have."""
        return shutil.get_terminal_size().columns - 1 if self._is_terminal else _WIDEST

    def is_due(self) -> bool:
        """Return whether the last text was shown some time ago."""
        return not self._quiet and self._now() - self._shown_s >= _EVERY_S[self._is_terminal]

    def tell(self, text: str) -> None:
        """Show *text*, as much of it as there is room for, if it is due."""
        if not self.is_due():
            return
        self._shown_s = self._now()
        if self._is_terminal:
            text = text[: self.room]
            remark("\r" + text.ljust(min(self._width, self.room)), end="")
            self._width = len(text)
        else:
            remark(text)

    def clear(self) -> None:
        """Wipe what was shown in place."""
        if self._width:
            remark("\r" + " " * self._width + "\r", end="")
        self._width = 0

    def end(self) -> None:
        """Leave the line, so that other text can follow."""
        if self._width:
            remark("")
        self._width = 0
