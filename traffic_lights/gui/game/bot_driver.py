"""Asks bots for their moves without making the window wait, and drops late answers.

The session numbers its requests. A bot chooses in a thread; its answer is
played after the pause that the person has chosen, and only if the session
still wants it. Whatever was changed in the meantime, nothing has to be undone
here and nothing can wait for ever.
"""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from typing import Final

from traffic_lights.board.rules import Action, State
from traffic_lights.gui.kit.jobs import Jobs
from traffic_lights.session.session import BotRequest, Session

SHORTEST_PAUSE_MS: Final = 15
"""Between two moves of bots, so that the window is drawn and keys are heard."""

Chooser = Callable[[str, State], Action]


class BotDriver:
    """Keeps the bots of *session* moving.

    *choose* is called in a thread with a level and a state; *pause_ms* says how
    long a move takes at least; *played* and *failed* are called in the Tk loop.
    """

    def __init__(
        self,
        root: tk.Misc,
        jobs: Jobs,
        session: Session,
        choose: Chooser,
        pause_ms: Callable[[], int],
        played: Callable[[BotRequest], None],
        failed: Callable[[BotRequest, Exception], None],
    ) -> None:
        self._root = root
        self._jobs = jobs
        self._session = session
        self._choose = choose
        self._pause_ms = pause_ms
        self._played = played
        self._failed = failed
        self._request: BotRequest | None = None
        self._asked_at = 0.0
        self._timer: str | None = None

    def drive(self) -> None:
        """Ask the bot whose turn it is, unless it has been asked already."""
        if self._request is not None and self._session.is_current(self._request.token):
            return
        self._forget_answer()
        self._request = request = self._session.request_bot()
        if request is None:
            return
        self._asked_at = time.monotonic()
        self._jobs.run(
            lambda: self._choose(request.player.bot or "", request.state),
            lambda action: self._answered(request, action),
            lambda error: self._could_not(request, error),
        )

    def stop(self) -> None:
        """Play no answer any more; for the end of the program."""
        self._forget_answer()
        self._request = None

    def _forget_answer(self) -> None:
        if self._timer is not None:
            self._root.after_cancel(self._timer)
            self._timer = None

    def _answered(self, request: BotRequest, action: Action) -> None:
        if request is not self._request or not self._session.is_current(request.token):
            return
        taken_ms = 1000 * (time.monotonic() - self._asked_at)
        pause = max(SHORTEST_PAUSE_MS, round(self._pause_ms() - taken_ms))
        self._forget_answer()
        self._timer = self._root.after(pause, self._play, request, action)

    def _play(self, request: BotRequest, action: Action) -> None:
        self._timer = None
        if self._session.answer_bot(request.token, action):
            self._request = None
            self._played(request)

    def _could_not(self, request: BotRequest, error: Exception) -> None:
        if request is self._request and self._session.is_current(request.token):
            self._request = None
            self._failed(request, error)
