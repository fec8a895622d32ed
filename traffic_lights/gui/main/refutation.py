"""Play out on the board what would follow a mistake: a picture, not a part of the game."""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import STEPS, Action, State, complete_lines, format_cell
from traffic_lights.gui.board.board_view import Picture
from traffic_lights.gui.main.context import Context
from traffic_lights.session import texts
from traffic_lights.session.session import Phase
from traffic_lights.session.verdicts import Verdict

STEP_MS: Final = 700
END_MS: Final = 2500
"""How long the last picture stays."""


class Refutation:
    """Shows a move and best play after it, then the game's own board again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._timer: str | None = None
        self._left: list[Action] = []
        self._state: State = 0
        self.title = ""
        """What is being played out; empty if nothing is."""

    def verdict(self) -> Verdict | None:
        """Return the mistake on the board that can be played out; None if there is none."""
        session = self._context.session
        review = session.review
        if review is None:
            is_asked = session.phase is Phase.YOUR_TURN
            against_bot = is_asked and session.only_human is not None
            verdict = (
                None
                if is_asked and not against_bot
                else session.verdict(session.index - against_bot)
            )
        elif review.tried is not None and review.tried.is_mistake:
            verdict = review.tried
        else:
            verdict = review.verdict if review.is_solved else None
        is_mistake = verdict is not None and (verdict.is_blunder or verdict.is_mistake)
        return verdict if is_mistake and verdict is not None and verdict.replies else None

    def start(self) -> None:
        """Show what follows the mistake on the board, one reply after the other."""
        verdict = self.verdict()
        if verdict is None:
            return
        self.stop()
        self._state = verdict.state
        self._left = [verdict.action, *verdict.replies]
        self.title = f"What would follow {format_cell(verdict.action)}"
        words = texts.line_of_play(verdict.replies)
        players = self._context.session.players
        better = "" if verdict.is_blunder else texts.verdict_text(verdict, players)
        self._context.say(f"{words}. {better}".rstrip())
        self._next(None)

    def _next(self, last: Action | None) -> None:
        """Show the position after the move *last*, and the next one a little later."""
        picture = Picture(self._state, last, complete_lines(self._state), inviting=False)
        self._context.window.board.show(picture)
        wait = STEP_MS if self._left else END_MS
        self._timer = self._context.root.after(wait, self._advance)

    def _advance(self) -> None:
        if self._left:
            action = self._left.pop(0)
            self._state += STEPS[action]
            self._next(action)
        else:
            self.stop()
            self._context.refresh()

    def stop(self) -> bool:
        """End the showing; return whether there was one."""
        if self._timer is None:
            return False
        self._context.root.after_cancel(self._timer)
        self._timer, self.title = None, ""
        return True
