"""Progress of a run or an evaluation, in a line: in place on a terminal, now and then elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Final

from traffic_lights.console.shell import remark
from traffic_lights.pictures.shares import percent_so_far
from traffic_lights.training.events import Progressed

_BAR_CELLS: Final = 24
_WIDEST: Final = 200
_EVERY_S: Final = {True: 0.1, False: 5.0}
"""The seconds between two lines, on a terminal and elsewhere."""


class Ticker:
    """Shows how far something is on the standard error, unless *quiet*: in place on a terminal."""

    def __init__(self, *, quiet: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._quiet = quiet
        self._now = now
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._told_s = now()
        self._width = 0

    @property
    def room(self) -> int:
        """The characters that a line can have."""
        return shutil.get_terminal_size().columns - 1 if self._is_terminal else _WIDEST

    def is_due(self) -> bool:
        """Return whether the last text was shown more than a moment ago."""
        return not self._quiet and self._now() - self._told_s >= _EVERY_S[self._is_terminal]

    def tell(self, text: str) -> None:
        """Show *text*, as much of it as there is room for, if it is due."""
        if not self.is_due():
            return
        self._told_s = self._now()
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


class ProgressLine:
    """Shows how far a run is on the standard error, unless *quiet*."""

    def __init__(self, *, quiet: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._ticker = Ticker(quiet=quiet, now=now)
        self._started_s = self._played_until_s = now()
        self._first_game = 0
        self._first_share = 0.0
        self.games_played = 0

    def start(self, games: int) -> None:
        """Note that the run goes on from *games*."""
        self._first_game = games
        self._started_s = self._now()

    def show(self, event: Progressed) -> None:
        """Show *event*, unless the last was shown a moment ago."""
        if not self.games_played:
            self._first_share = event.share or 0.0
        self.games_played = event.games - self._first_game
        now_s = self._played_until_s = self._now()
        if self._ticker.is_due():
            elapsed_s, room = now_s - self._started_s, self._ticker.room
            self._ticker.tell(
                describe(event, self.games_played, elapsed_s, self._first_share, room)
            )

    def rate(self) -> float:
        """Return the games a second from the start to the last event shown; 0 before it."""
        played_s = self._played_until_s - self._started_s
        return self.games_played / played_s if played_s > 0 else 0.0

    def note(self, text: str) -> None:
        """Print a sentence on a line of its own."""
        self.end()
        remark(text)

    def end(self) -> None:
        """Leave the line, so that other text can follow."""
        self._ticker.end()


def describe(
    event: Progressed, played: int, elapsed_s: float, first_share: float, width: int
) -> str:
    """Return *event* in words: stage, bar, positions decided, games a second, time left.

    Where *width* characters are too few, the bar is left out, then the games a second.
    """
    rate = played / elapsed_s if elapsed_s > 0 else 0.0
    stage = event.stage + (f", {event.ply} moves made" if event.ply >= 0 else "")
    games, speed = f"{event.games:,} games", f", {rate:,.0f}/s"
    bar = percent = left = ""
    if event.share is not None:
        filled = int(event.share * _BAR_CELLS)
        bar = f"[{'#' * filled}{'-' * (_BAR_CELLS - filled)}] "
        percent = f"{percent_so_far(event.share):>5}"
        gained = event.share - first_share
        if gained > 0:
            left_s = int(elapsed_s * (1 - event.share) / gained)
            left = f"{left_s // 60}:{left_s % 60:02d} left"
    decided = f"{event.decided:,} decided"
    wider = [stage, bar + percent, decided, games + speed, left]
    narrow = [stage, percent, decided, games + speed, left]
    narrowest = [stage, percent, decided, games, left]
    texts = ["  ".join(filter(None, parts)) for parts in (wider, narrow, narrowest)]
    return next((text for text in texts if len(text) <= width), texts[-1])
