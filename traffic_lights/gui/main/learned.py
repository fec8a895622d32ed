"""The table whose values are shown: that of the bot at the board, read in the background."""

from __future__ import annotations

from functools import partial

from traffic_lights.gui.main.context import Context
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Player
from traffic_lights.session.learned import bots_at_board


class LearnedTable:
    """The table of the bot at the board; of two bots, that of the one to move comes first."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.owner: Player | None = None
        """The bot to which the table belongs; None if no bot at the board has one."""
        self.table: QTable | None = None
        """None while it is being read, or if that failed."""
        self._wanted: object = None
        """Identifies the latest request: the answer to an earlier one is dropped."""
        context.on_bots.append(self._forget)

    def need(self) -> None:
        """Read the table that belongs to the game as it is now, unless it is there."""
        context, session = self._context, self._context.session
        bots = bots_at_board(session.players, session.mover)
        if self._wanted is not None and self._wanted == bots:
            return
        self.owner, self.table, self._wanted = None, None, bots
        context.jobs.run(partial(self._read, bots), partial(self._show, bots), context.failed)

    def _read(self, bots: list[Player]) -> tuple[Player, QTable] | None:
        """Return the first of *bots* that has a table, and the table; called in a thread."""
        for bot in bots:
            table = self._context.roster.table(bot.bot or "")
            if table is not None:
                return bot, table
        return None

    def _show(self, bots: list[Player], found: tuple[Player, QTable] | None) -> None:
        if self._wanted is bots and found is not None:
            self.owner, self.table = found
            self._context.refresh()

    def _forget(self) -> None:
        """Read the table again at the next need, because its bot may have changed."""
        self._wanted = None
        self._context.refresh()
