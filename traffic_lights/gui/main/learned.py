"""The table whose values are shown: that of the bot at the board, read in the background."""

from __future__ import annotations

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
        self._wanted: list[Player] | None = None
        """The bots of the latest request: the answer to an earlier one is dropped."""
        context.on_bots.append(self._forget)

    def need(self) -> None:
        """Read the table that belongs to the game as it is now, unless it is there."""
        context, session = self._context, self._context.session
        bots = bots_at_board(session.players, session.mover)
        if self._wanted == bots:
            return
        self.owner, self.table, self._wanted = None, None, bots

        def read() -> tuple[Player, QTable] | None:
            tables = ((bot, context.roster.table(bot.bot or "")) for bot in bots)
            return next(((bot, table) for bot, table in tables if table is not None), None)

        def show(found: tuple[Player, QTable] | None) -> None:
            if self._wanted is bots and found is not None:
                self.owner, self.table = found
                context.refresh()

        context.jobs.run(read, show, context.failed)

    def _forget(self) -> None:
        """Read the table again at the next need, because its bot may have changed."""
        self._wanted = None
        self._context.refresh()
