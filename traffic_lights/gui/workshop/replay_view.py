"""The replay of a game in the tab Inside: what each of its moves teaches a bot, step by step."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from random import Random
from tkinter import ttk
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, Action, format_cell, play
from traffic_lights.gui.kit.board_view import MoveValues, Picture
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.explain import learned_values
from traffic_lights.gui.workshop.column_list import ColumnList
from traffic_lights.gui.workshop.formula_view import FormulaView
from traffic_lights.gui.workshop.marked_board import MarkedBoard
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.replay import GameReplay
from traffic_lights.play import texts
from traffic_lights.workshop.formula import (
    Term,
    both_can_expect_to_win,
    learning_rate,
    shown_values,
    terms,
)

NOW: Final = "Afterwards"
"""The last row of the steps: what the bot would play after the replay."""
STEPS: Final = {"Move": NOW, "Before": "(−0.50)", "After": "−0.50"}
"""The headings of the list of steps, and the longest text of each column."""
NOTHING: Final = "All values in this game are proven already, so the bot learns nothing from it."
PROVEN_WIN: Final = "After this move the bot is proven to win, so the later moves teach nothing."
STEP_MS: Final = 1500
"""How long each step is shown."""


class ReplayView:
    """The list of steps and the formula of a replay, which are shown while there is one.

    It draws on the *board*, and calls *changed* when another step is to be shown.
    """

    def __init__(
        self, parent: ttk.Frame, theme: Theme, board: MarkedBoard, changed: Callable[[], object]
    ) -> None:
        self._board = board
        self._changed = changed
        self.steps = ColumnList(parent, theme, STEPS)
        self.rows = self.steps.rows
        self.rows.bind("<<TreeviewSelect>>", lambda _: self._go_to_chosen())
        self.formula = FormulaView(parent, theme)
        self.shown: GameReplay | None = None
        """The replay that is shown; None while the user goes through positions."""
        self._name = ""
        self._origin = ""
        """Whose game the replay is, unless the bot played it."""
        self.number = 0
        """Which step is shown; after the last one, what the bot would play now."""
        self._timer = ""
        """That of All Steps."""

    def begin(self, replay: GameReplay, name: str, origin: str) -> None:
        """Show the *replay* of the bot *name* from its first step; texts follow the *origin*."""
        self.leave()
        self.shown = replay
        self._name = name
        self._origin = origin
        for row, step in enumerate(replay.steps):
            move = f"{step.number + 1}. {format_cell(step.action)}"
            self.steps.add(str(row), (move, *shown_values(replay, step)))
        self.steps.add(str(len(replay.steps)), (NOW, "", ""))
        self.go(0)

    def leave(self) -> None:
        """Show no replay any more."""
        self._pause()
        self.shown = None
        self.number = 0
        self.steps.clear()

    # --- which step ---

    @property
    def last(self) -> int:
        return len(self.rows.get_children()) - 1

    @property
    def is_playing(self) -> bool:
        return bool(self._timer)

    def go(self, number: int) -> None:
        """Show the step *number*, or the nearest that there is."""
        self.number = min(max(number, 0), self.last)
        self._changed()

    def _go_to_chosen(self) -> None:
        for row in self.rows.selection():
            if int(row) != self.number:
                self.go(int(row))

    def play_or_pause(self) -> None:
        """Show step after step from now on, or stop doing so."""
        if self._timer:
            self._pause()
        else:
            self._timer = self._board.after(STEP_MS, self._play_on)
        self._changed()

    def _play_on(self) -> None:
        self._timer = ""
        if self.number + 1 < self.last:
            self._timer = self._board.after(STEP_MS, self._play_on)
        self.go(self.number + 1)

    def _pause(self) -> None:
        if self._timer:
            self._board.after_cancel(self._timer)
        self._timer = ""

    # --- the step that is shown ---

    def draw(self, replay: GameReplay) -> tuple[Sequence[Action], str]:
        """Show the present step; return the moves before it, and what to say of it."""
        row = str(self.number)
        if self.rows.selection() != (row,):
            self.rows.selection_set(row)
        self.rows.focus(row)
        self.rows.see(row)
        is_over = self.number == len(replay.steps)
        moves, text = self._draw_change(replay) if is_over else self._draw_step(replay)
        return moves, self._origin + text

    def _draw_step(self, replay: GameReplay) -> tuple[Sequence[Action], str]:
        step = replay.steps[self.number]
        before, after = shown_values(replay, step)
        badge = before if before == after else f"{before} → {after}"
        chain = replay.chain(step.number) if step.is_proven else [step.number]
        numbered = [(number + 1, replay.actions[number]) for number in chain]
        self._board.mark(frozenset({step.action}), numbered)
        moves = replay.actions[: step.number]
        values = self._show_position(replay.before, moves, {step.action: badge})
        self.formula.show(terms(replay, step))
        text = step.text(learning_rate(replay))
        if self.number == 0 and len(replay.steps) < len(replay.actions):
            text += f" {PROVEN_WIN}"
        shown = [*values.numbers.values()]
        for one in replay.steps:
            shown += shown_values(replay, one)
        text += texts.signs_text(replay.before, " ".join(shown))
        if step.number % 2 != replay.seat and 0 < step.new < 1:
            text += f" {both_can_expect_to_win(replay.before)}"
        return moves, text

    def _draw_change(self, replay: GameReplay) -> tuple[Sequence[Action], str]:
        """Show what the bot would play after the replay."""
        change = replay.change
        if change is None:
            first_moves = TableBot(replay.after, Random(0)).choices(EMPTY_BOARD)
            self._board.mark(frozenset(first_moves))
            self._show_position(replay.after, (), {})
            self.formula.show([Term("It plays as before")])
            if all(step.old == step.new for step in replay.steps):
                return (), NOTHING
            return (), (
                f"{self._name} would play as before: one game moves a value by only "
                f"{learning_rate(replay):g} of the difference."
            )
        number, action = change
        moves = replay.actions[:number]
        old = format_cell(replay.actions[number])
        new = format_cell(action)
        self._board.mark(frozenset({action}))
        self._show_position(replay.after, moves, {})
        self.formula.show([Term(old, "before"), Term("→"), Term(new, "now", is_new=True)])
        return moves, f"{self._name} would now play {new} in move {number + 1} instead of {old}."

    def _show_position(
        self, table: QTable, moves: Sequence[Action], badges: dict[Action, str]
    ) -> MoveValues:
        """Show the position after *moves*, with the values in *table* and other *badges*."""
        state = reduce(play, moves, EMPTY_BOARD)
        values = learned_values(table, state)
        values = replace(values, numbers={**values.numbers, **badges})
        self._board.show(Picture(state, last=moves[-1] if moves else None, values=values))
        return values
