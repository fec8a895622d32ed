"""The Inside tab: what a bot has learned about each move, and what it learns from one game."""

import tkinter as tk
from collections.abc import Sequence
from functools import partial, reduce
from tkinter import ttk
from typing import Final

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    State,
    complete_lines,
    format_cell,
    is_terminal,
    legal_actions,
    play,
)
from traffic_lights.gui.kit.board_view import BoardView, Picture
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.widgets import ScrollFrame, button_row, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import exact_values, learned_values
from traffic_lights.gui.workshop.model import Act, in_background
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.update_rules import LessonStep, lesson
from traffic_lights.play import texts
from traffic_lights.play.verdicts import ranked_moves
from traffic_lights.training.replay import settings_of_last_run

BOARD: Final = (280, 210)
"""The least size of the board, in pixels at 96 dpi."""
READING: Final = "Reading what the bot has learned…"
COLUMNS: Final = {"Move": "a1", "Learned": "(−0.50)", "Best play": "loses in 13"}
"""The headings of the list of moves, and the longest text of each column."""
NO_GAME: Final = (
    "Finish a game in the main window first. Then see here what the bot learns from it."
)
NOTHING: Final = "The bot has solved this game already, so it learns nothing from it."
READY: Final = "Replay My Game shows your last game, and then what the bot learns from it."


class InsideTab(ScrollFrame):
    """A board on which the user goes through positions and a game, with the values of one bot."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._key = self._name = self._note = ""
        self._table: QTable | None = None
        self.moves: Sequence[Action] = ()
        """The moves from the empty board to the position that is shown."""
        self._steps: list[tuple[Sequence[Action], str]] = []
        """The moves on the board at each step of a lesson, and the sentence about it."""
        self._step = 0
        body = self.inside
        px = context.theme.px
        body.configure(padding=px(3))
        stretch(body)
        self.board = BoardView(body, context.theme, self._play)
        self.board.grid(row=0, column=0, sticky="nsew")
        values = ttk.Treeview(
            body, columns=list(COLUMNS), show="headings", height=12, selectmode="browse"
        )
        self.values = put(values, row=0, column=1, sticky="nsew", padx=(px(3), 0))
        for event in ("<Double-Button-1>", "<Return>"):
            self.values.bind(event, lambda _: self._play_chosen())
        note = wrapping(ttk.Label(body, style="Muted.TLabel"))
        self.note = put(note, row=1, columnspan=2, sticky="new", pady=(px(2), 0))
        acts: dict[str, Act] = {
            "Back": lambda: self._put(self.moves[:-1]),
            "Empty Board": lambda: self._put(()),
            "Replay My Game": self._replay,
            "Step Back": lambda: self._go(-1),
            "Step": lambda: self._go(1),
        }
        row = put(ttk.Frame(body), row=2, columnspan=2, sticky="w", pady=(px(2), px(1)))
        self.back, self.empty, self.replay, self.step_back, self.step = button_row(row, px(2), acts)
        self.text = put(ttk.Label(body, anchor="w", width=1), row=3, columnspan=2, sticky="ew")
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def _dress(self) -> None:
        theme = self._context.theme
        # Two lines and a label's edge are kept free for the note, so that the board keeps its size.
        self.inside.rowconfigure(1, minsize=2 * theme.body.metrics("linespace") + 4 + theme.px(2))
        width, height = (round(side * theme.scale) for side in BOARD)
        self.board.configure(width=width, height=height)
        for heading, example in COLUMNS.items():
            width = max(theme.strong.measure(heading), theme.body.measure(example)) + theme.px(6)
            self.values.heading(heading, text=heading, anchor="w")
            self.values.column(heading, width=width, minwidth=width)

    # --- the bot and the position ---

    def show(self, key: str) -> None:
        """Show the values of the bot *key* in the position on the board."""
        name = self._context.roster.entry(key).name
        if key != self._key:
            self._key = key
            self._name = name
            self._take(None, READING)

        def take(table: QTable | None, note: str) -> None:
            if key == self._key:
                self._take(table, note)

        fixed = f"{name} follows fixed rules, so it has no learned values."
        in_background(
            self._context.root,
            lambda: self._context.roster.table(key),
            lambda table: take(table, fixed),
            partial(take, None),
        )

    def _take(self, table: QTable | None, note: str) -> None:
        """Show the values in *table*; without one, a *note*."""
        if table is None or table is not self._table:
            self._steps = []
            self.text.configure(text="" if table is None else READY)
        self._table = table
        self._note = note
        self._draw()

    @property
    def position(self) -> State:
        return reduce(play, self.moves, EMPTY_BOARD)

    def _put(self, moves: Sequence[Action]) -> None:
        self.moves = moves
        self._draw()

    def _play(self, cell: Action) -> None:
        if not is_terminal(self.position) and cell in legal_actions(self.position):
            self._put((*self.moves, cell))

    def _play_chosen(self) -> None:
        for row in self.values.selection():
            self._play(int(row))

    def _draw(self) -> None:
        state = self.position
        table = self._table
        note = self._note
        is_over = is_terminal(state)
        moves = ranked_moves(state) if self._context.session.is_solved and not is_over else ()
        values = exact_values(moves)
        if table is not None:
            values |= learned_values(table, state)
            note = texts.legend(self._name, table, state)
        last = self.moves[-1] if self.moves else None
        lines = complete_lines(state)
        self.board.show(Picture(state, last=last, lines=lines, inviting=not is_over, **values))
        self.values.delete(*self.values.get_children())
        for move in moves:
            value = values["numbers"][move.action] if table is not None else "–"
            cells = format_cell(move.action), value, texts.value_text(move.distance)
            self.values.insert("", "end", iid=str(move.action), values=cells)
        self.note.configure(text="The game is over." if is_over else note)
        for button, can in (
            (self.back, self.moves),
            (self.empty, self.moves),
            (self.replay, table is not None),
            (self.step_back, self._step > 0 and self._steps),
            (self.step, self._step < len(self._steps) - 1),
        ):
            button.state(["!disabled" if can else "disabled"])

    # --- the lesson ---

    def _replay(self) -> None:
        game = self._context.session.game
        table = self._table
        if table is None or game.start != EMPTY_BOARD or not game.is_over:
            self.text.configure(text=NO_GAME)
            return
        seat = next((n for n, player in enumerate(game.players) if not player.is_human), 1)
        settings = settings_of_last_run(table.meta)
        actions = game.actions

        def learn() -> list[LessonStep]:
            return lesson(table, actions, seat, settings.update, settings.alpha, settings.gamma)

        def done(steps: list[LessonStep]) -> None:
            if table is self._table:
                self._steps = [
                    *((actions[:n], f"Move {n}: {format_cell(actions[n - 1])}.")
                      for n in range(1, len(actions) + 1)),
                    *((actions[: step.number + 1], step.text(settings.alpha)) for step in steps),
                    *([] if steps else [(actions, NOTHING)]),
                ]  # fmt: skip
                self._step = 0
                self._go(0)

        run_job(self._context.root, learn, done)

    def _go(self, by: int) -> None:
        self._step += by
        moves, text = self._steps[self._step]
        self.text.configure(text=text)
        self._put(moves)
