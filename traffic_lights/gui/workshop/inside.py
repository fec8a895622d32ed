"""The Inside tab: what a bot has learned about each move of a position, next to best play."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final, Literal

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
from traffic_lights.gui.kit.lamps import Look
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.lesson import LessonBar
from traffic_lights.gui.workshop.model import sentence
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.roster import Roster
from traffic_lights.session import learned, texts
from traffic_lights.session.verdicts import ranked_moves
from traffic_lights.storage.files import StorageError

BOARD: Final = (280, 210)
"""The least size of the board, in pixels at 96 dpi."""
READING: Final = "Reading what the bot has learned…"
COLUMNS: Final = {
    "move": ("Move", "a1"),
    "learned": ("Learned", "(−0.50)"),
    "best": ("Best play", "loses in 13"),
}
"""The headings of the list of moves, and the longest text of each column."""


class InsideTab(ttk.Frame):
    """A board on which the user goes through positions, with the values of one bot."""

    def __init__(self, parent: tk.Misc, context: Context, roster: Roster) -> None:
        theme = context.theme
        super().__init__(parent)
        self._context, self._roster = context, roster
        self._key, self._name = "", ""
        self._table: QTable | None = None
        self._note = ""
        self._moves: list[Action] = []
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        page = ScrollFrame(self, theme, across=True)
        page.grid(sticky="nsew")
        body = self._body = page.inside
        body.configure(padding=theme.px(3))
        body.columnconfigure(0, weight=1)
        body.rowconfigure(0, weight=1)
        self.board = BoardView(body, self._look(), self._play)
        self.board.grid(row=0, column=0, sticky="nsew")
        side = ttk.Frame(body)
        side.grid(row=0, column=1, sticky="nsew", padx=(theme.px(3), 0))
        side.rowconfigure(0, weight=1)
        self.values = ttk.Treeview(
            side, columns=list(COLUMNS), show="headings", height=12, selectmode="browse"
        )
        self.values.grid(row=0, column=0, columnspan=2, sticky="nsew")
        for event in ("<Double-Button-1>", "<Return>"):
            self.values.bind(event, lambda _: self._play_chosen())
        self.back = ttk.Button(side, text="Back", command=self._go_back)
        self.empty = ttk.Button(side, text="Empty Board", command=self._go_to_start)
        for number, button in enumerate((self.back, self.empty)):
            gap = (0, theme.px(1)) if number == 0 else (theme.px(1), 0)
            button.grid(row=1, column=number, sticky="ew", padx=gap, pady=(theme.px(2), 0))
            side.columnconfigure(number, weight=1)
        self.note = ttk.Label(body, style="Muted.TLabel", justify=tk.LEFT, width=1)
        self.note.grid(row=1, column=0, columnspan=2, sticky="new", pady=(theme.px(2), 0))
        self.lesson = LessonBar(body, context, self._show_moves)
        self.lesson.grid(row=2, column=0, columnspan=2, sticky="ew", pady=(theme.px(2), 0))
        body.bind("<Configure>", lambda event: self.note.configure(wraplength=event.width * 0.95))
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def _look(self) -> Look:
        settings = self._context.userdata.settings
        return self._context.theme.look(settings.letters, settings.coordinates)

    def _dress(self) -> None:
        theme = self._context.theme
        self.board.set_look(self._look())
        # Two lines are kept free for the note, so that the board keeps its size.
        self._body.rowconfigure(1, minsize=2 * theme.body.metrics("linespace") + theme.px(2))
        self.board.configure(
            width=round(BOARD[0] * theme.scale), height=round(BOARD[1] * theme.scale)
        )
        for name, (heading, example) in COLUMNS.items():
            anchor: Literal["w", "e"] = "w" if name == "move" else "e"
            width = max(theme.strong.measure(heading), theme.body.measure(example)) + theme.px(6)
            self.values.heading(name, text=heading, anchor=anchor)
            self.values.column(name, width=width, minwidth=width, anchor=anchor)

    @property
    def position(self) -> State:
        """The position that is shown."""
        state = EMPTY_BOARD
        for action in self._moves:
            state = play(state, action)
        return state

    def show(self, key: str, name: str) -> None:
        """Show the values of the bot *key*, called *name*, in the position on the board."""
        self._key, self._name, self._table, self._note = key, name, None, READING
        self.lesson.use(None)
        self._context.jobs.run(
            lambda: self._roster.table(key),
            lambda table: self._take(key, table),
            lambda error: self._failed(key, error),
        )
        self._draw()

    def _take(self, key: str, table: QTable | None) -> None:
        if key == self._key and self.winfo_exists():
            self._table = table
            self.lesson.use(table)
            if table is None:
                self._note = f"{self._name} follows fixed rules, so it has no learned values."
            self._draw()

    def _failed(self, key: str, error: Exception) -> None:
        if not isinstance(error, (PlayerError, StorageError)):
            self._context.failed(error)
        elif key == self._key and self.winfo_exists():
            self._note = sentence(error)
            self._draw()

    # --- the position ---

    def _play(self, cell: Action) -> None:
        if not is_terminal(self.position) and cell in legal_actions(self.position):
            self._moves.append(cell)
            self._draw()

    def _show_moves(self, moves: list[Action]) -> None:
        self._moves = moves
        self._draw()

    def _play_chosen(self) -> None:
        for row in self.values.selection():
            self._play(int(row))

    def _go_back(self) -> None:
        if self._moves:
            self._moves.pop()
            self._draw()

    def _go_to_start(self) -> None:
        self._moves.clear()
        self._draw()

    def _draw(self) -> None:
        """Show the position, the values of its moves, and what they mean."""
        state, table = self.position, self._table
        is_over = is_terminal(state)
        tablebase = self._context.session.tablebase
        moves = () if is_over or tablebase is None else ranked_moves(tablebase, state)
        if table is None:
            wash = {move.action: 1.0 if move.distance % 2 else -1.0 for move in moves}
            numbers = {move.action: texts.value_badge(move.distance) for move in moves}
        else:
            actions = () if is_over else legal_actions(state)
            known = {a: learned.learned_value(table, state, a) for a in actions}
            wash = {action: value.value for action, value in known.items()}
            numbers = {action: value.text for action, value in known.items()}
        self.board.show(
            Picture(
                state,
                last=self._moves[-1] if self._moves else None,
                lines=complete_lines(state),
                wash=wash,
                numbers=numbers,
                best=frozenset(move.action for move in moves if move.rank == 0),
                inviting=not is_over,
            )
        )
        self.values.delete(*self.values.get_children())
        for move in moves:
            value = numbers[move.action] if table is not None else "–"
            cells = format_cell(move.action), value, texts.value_text(move.distance)
            self.values.insert("", "end", iid=str(move.action), values=cells)
        for button in (self.back, self.empty):
            button.state(["!disabled" if self._moves else "disabled"])
        note = self._note
        if table is not None:
            note = learned.legend(self._name, table, state)
        self.note.configure(text="The game is over." if is_over else note)
