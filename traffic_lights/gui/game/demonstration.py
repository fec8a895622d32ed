"""Plays a refutation out on the board: a picture of what would follow, not a part of the game."""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import STEPS, Action, State, complete_lines, format_cell
from traffic_lights.gui.board.board_view import Picture
from traffic_lights.gui.game.desk import Desk
from traffic_lights.session import texts
from traffic_lights.session.verdicts import Verdict

STEP_MS: Final = 700
END_MS: Final = 2500
"""How long the last picture stays."""


class Demonstration:
    """Shows a move and best play after it, then the game's own board again."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._timer: str | None = None
        self._left: list[Action] = []
        self._state: State = 0
        self._title = ""

    @property
    def is_running(self) -> bool:
        """Whether the board shows something else than the game."""
        return self._timer is not None

    def verdict(self) -> Verdict | None:
        """Return the move whose consequences can be shown now, else None."""
        session = self._desk.session
        review = session.review
        if review is not None:
            tried = review.tried
            solved = review.mistake.verdict if review.is_solved else None
            # Once a better move is found, what is left to explain is the one that was played.
            verdict = tried if tried is not None and tried.is_mistake else solved
        elif self._desk.shown.marks:
            verdict = session.verdict()
        else:
            verdict = None
        if verdict is None or not verdict.replies:
            return None
        return verdict if verdict.is_blunder or verdict.is_mistake else None

    def start(self) -> None:
        """Show what follows the move, one reply after the other."""
        verdict = self.verdict()
        if verdict is None:
            return
        self.stop()
        self._state = verdict.state
        self._left = [verdict.action, *verdict.replies]
        self._title = f"What would follow {format_cell(verdict.action)}"
        words = texts.line_of_play(verdict.replies)
        better = (
            "" if verdict.is_blunder else texts.verdict_text(verdict, self._desk.session.players)
        )
        self._desk.say(f"{self._title}: {words}. {better}".rstrip())
        self._show(None)
        self._timer = self._desk.root.after(STEP_MS, self._next)

    def _next(self) -> None:
        if not self._left:
            self._timer = None
            self._desk.refresh()
            return
        action = self._left.pop(0)
        self._state += STEPS[action]
        self._show(action)
        wait = STEP_MS if self._left else END_MS
        self._timer = self._desk.root.after(wait, self._next)

    def _show(self, last: Action | None) -> None:
        window = self._desk.window
        window.board.show(Picture(self._state, last, complete_lines(self._state), inviting=False))
        window.show_banner(self._title, "", "")
        window.panel.show_analysis(f"{self._title} is on the board.", [], "")

    def stop(self) -> bool:
        """End the showing; return whether there was one."""
        if self._timer is None:
            return False
        self._desk.root.after_cancel(self._timer)
        self._timer = None
        return True
