"""Ask bots for their moves without making the window wait, and drop late answers.

The session numbers its requests. A bot chooses in a thread; its answer is played after the pause
that the player has set, and only if the session still wants it. If the game changed meanwhile, the
answer is dropped. Nothing needs to be undone and nothing can block.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from traffic_lights.board.rules import Action
from traffic_lights.gui.main.context import Context
from traffic_lights.session.session import BotRequest

PAUSES_MS: Final = {"instant": 0, "quick": 250, "normal": 600, "slow": 1200}
"""How long a bot takes at least, by the speed that is set."""
SHORTEST_PAUSE_MS: Final = 15
"""The least time between two moves of bots: the window is drawn and handles keys meanwhile."""


class BotDriver:
    """Keeps the bots of the session moving.

    *played* and *failed* are called in the Tk loop.
    """

    def __init__(
        self,
        context: Context,
        played: Callable[[BotRequest], object],
        failed: Callable[[BotRequest, Exception], object],
    ) -> None:
        self._context = context
        self._played = played
        self._failed = failed
        self._request: BotRequest | None = None
        self._asked_at = 0.0
        self._timer: str | None = None

    def drive(self) -> None:
        """Ask the bot whose turn it is, unless it was asked already."""
        session = self._context.session
        if self._request is not None and session.is_current(self._request.token):
            return
        self.stop()
        self._request = request = session.request_bot()
        if request is None:
            return
        self._asked_at = time.monotonic()
        self._context.jobs.run(
            lambda: self._context.roster.choose(request.player.bot or "", request.state),
            lambda action: self._answered(request, action),
            lambda error: self._could_not(request, error),
        )

    def stop(self) -> None:
        """Play no answer any more."""
        if self._timer is not None:
            self._context.root.after_cancel(self._timer)
        self._timer = self._request = None

    def _is_wanted(self, request: BotRequest) -> bool:
        return request is self._request and self._context.session.is_current(request.token)

    def _answered(self, request: BotRequest, action: Action) -> None:
        if self._is_wanted(request):
            taken_ms = 1000 * (time.monotonic() - self._asked_at)
            pause_ms = PAUSES_MS[self._context.userdata.settings.speed]
            wait = max(SHORTEST_PAUSE_MS, round(pause_ms - taken_ms))
            self._timer = self._context.root.after(wait, self._play, request, action)

    def _play(self, request: BotRequest, action: Action) -> None:
        self._timer = None
        if self._context.session.answer_bot(request.token, action):
            self._request = None
            self._played(request)

    def _could_not(self, request: BotRequest, error: Exception) -> None:
        if self._is_wanted(request):
            self._request = None
            self._failed(request, error)
