"""What explains the position: the values that a bot has learned, and what follows a mistake."""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import STEPS, Action, State, complete_lines, format_cell
from traffic_lights.gui.kit.board_view import Picture
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.presenter import mistake_on_board
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Player
from traffic_lights.session import texts

STEP_MS: Final = 700
END_MS: Final = 2500
"""How long the last picture stays."""


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
        bots = session.bots
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


class Refutation:
    """Shows a move and best play after it, then the game's own board again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._timer: str | None = None
        self.title = ""
        """What is being played out; empty if nothing is."""

    def start(self) -> None:
        """Show what follows the mistake on the board, one reply after the other."""
        verdict = mistake_on_board(self._context.session)
        if verdict is not None:
            self.stop()
            self.title = f"What would follow {format_cell(verdict.action)}"
            players = self._context.session.players
            better = "" if verdict.is_blunder else texts.verdict_text(verdict, players)
            self._context.say(f"{texts.line_of_play(verdict.replies)}. {better}".rstrip())
            self._show(verdict.state, None, [verdict.action, *verdict.replies])

    def _show(self, state: State, last: Action | None, left: list[Action]) -> None:
        """Show *state* after the move *last*, and a little later the moves that are *left*."""
        picture = Picture(state, last, complete_lines(state), inviting=False)
        self._context.window.board.show(picture)

        def advance() -> None:
            if left:
                self._show(state + STEPS[left[0]], left[0], left[1:])
            else:
                self.stop()
                self._context.refresh()

        self._timer = self._context.root.after(STEP_MS if left else END_MS, advance)

    def stop(self) -> bool:
        """End the showing; return whether there was one."""
        if self._timer is None:
            return False
        self._context.root.after_cancel(self._timer)
        self._timer, self.title = None, ""
        return True
