"""Ask bots for their moves without making the window wait, and drop late answers.

The session numbers its requests. A bot chooses in a thread; its answer is played after the pause
that the player has set, and only if the session still wants it. Nothing can block.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from traffic_lights.board.rules import Action, format_cell
from traffic_lights.gui.main.context import Context
from traffic_lights.players.game import Player
from traffic_lights.session.session import BotRequest

PAUSES_MS: Final = {"instant": 0, "quick": 250, "normal": 600, "slow": 1200}
"""How long a bot takes at least, by the speed that is set."""
SHORTEST_PAUSE_MS: Final = 15
"""The least time between two moves of bots: the window is drawn and handles keys meanwhile."""


class BotDriver:
    """Keeps the bots of the session moving; *show_lines* shows what a program has written."""

    def __init__(self, context: Context, show_lines: Callable[[Player], object]) -> None:
        self._context = context
        self._show_lines = show_lines
        self._request: BotRequest | None = None
        self._asked_at = 0.0
        self._timer: str | None = None

    def drive(self) -> None:
        """Ask the bot whose turn it is, unless it was asked already."""
        session = self._context.session
        if self._request is not None and self._request is session.request:
            return
        self.stop()
        self._request = request = session.request_bot()
        if request is None:
            return
        self._asked_at = time.monotonic()
        self._context.jobs.run(
            lambda: self._context.roster.choose(request.player.bot or "", request.state),
            lambda action: self._answered(request, action),
            lambda error: self._failed(request, error),
        )

    def stop(self) -> None:
        """Play no answer any more."""
        if self._timer is not None:
            self._context.root.after_cancel(self._timer)
        self._timer = self._request = None

    def _answered(self, request: BotRequest, action: Action) -> None:
        if request is self._request:
            taken_ms = 1000 * (time.monotonic() - self._asked_at)
            pause_ms = PAUSES_MS[self._context.userdata.settings.speed]
            wait = max(SHORTEST_PAUSE_MS, round(pause_ms - taken_ms))
            self._timer = self._context.root.after(wait, self._play, request, action)

    def _play(self, request: BotRequest, action: Action) -> None:
        """Play the move of a bot; if it made it for the player, report which it was."""
        self._timer = self._request = None
        context, session = self._context, self._context.session
        if session.answer_bot(request, action):
            context.changed(by_bot=True)
            if session.players[1 - session.game.mover].is_human:
                played = format_cell(session.game.actions[-1])
                context.say(f"{request.player.name} plays {played} for you.")

    def _failed(self, request: BotRequest, error: Exception) -> None:
        context, session, name = self._context, self._context.session, request.player.name
        is_stand_in = session.mover_is_human
        if request is not self._request or not session.fail_bot(request, str(error)):
            return
        self._request = None
        lines = context.roster.last_lines(request.player.bot or "")
        context.log("".join(f"{name}: {line}\n" for line in (f"failed: {error!r}", *lines)))
        context.changed()
        reason = str(error).rstrip(".")
        if " cannot play: " not in reason:
            reason = f"{name} cannot play: {reason}"
        if is_stand_in:
            context.warn(f"{reason}. The move is yours again.")
        else:
            context.warn(
                f"{reason}. Choose another player on its card, or let it try again.",
                ("Try Again", self._try_again),
                ("Last Lines", lambda: self._show_lines(request.player)),
            )

    def _try_again(self) -> None:
        self._context.session.resume_bots()
        self._context.changed()
