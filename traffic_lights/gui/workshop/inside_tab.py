"""The Inside tab: what a bot believes of each move, and what it learns from one game."""

import tkinter as tk
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from tkinter import ttk
from typing import Final

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    State,
    complete_lines,
    is_terminal,
    legal_actions,
)
from traffic_lights.gui.kit.board_view import BoardView, Picture
from traffic_lights.gui.kit.jobs import LatestJob
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import (
    button_row,
    enable,
    fill_table,
    fit_columns,
    flow,
    paragraph,
    put,
    stretch,
)
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import STEP_MS
from traffic_lights.gui.workshop import replay_steps
from traffic_lights.gui.workshop.formula import FormulaView
from traffic_lights.gui.workshop.position_values import (
    Inspected,
    Shown,
    position_after,
    shown_position,
)
from traffic_lights.gui.workshop.shared import Act, as_sentence
from traffic_lights.gui.workshop.trainer import Trainer
from traffic_lights.learning.qtable import TableBot
from traffic_lights.learning.replay import GameReplay, replay
from traffic_lights.play.game import Game
from traffic_lights.play.texts import seat_name
from traffic_lights.players.roster import Entry
from traffic_lights.training.plans import learner_for
from traffic_lights.training.progress import settings_of_last_run
from traffic_lights.training.worker import Seen

READING: Final = "Reading what the bot has learned…"
VALUES: Final = {"Move": "a1 ●", "Learned": "−0.50", "Best play": "loses in 13"}
STEPS: Final = {"Move": "Afterwards", "Before": "−0.50", "After": "−0.50"}
"""The headings of the table and the longest text under each, for a position and for a replay."""
NARROW: Final = 140
"""In less width, in steps of 4 pixels, the table is under the board."""
NO_GAME: Final = (
    "First finish a game from the empty board in the main window. Then see here what it would "
    "teach the bot."
)
SMALL_CELL: Final = 16
"""A smaller cell, in steps of 4 pixels, has only room for the value after the game."""
LOOK_EVERY_MS: Final = 1000
"""How often the values of a bot in training are asked for."""


class InsideTab(ScrollFrame):
    """A board on which the user goes through positions or a replay, with the values of one bot."""

    def __init__(self, parent: tk.Misc, context: Context, trainer: Trainer) -> None:
        super().__init__(parent, padding=context.theme.px(3))
        self._context = context
        self._trainer = trainer
        self._player = Inspected()
        self._work = LatestJob(self)
        """Reads its table, or replays a game."""
        self._moves: Sequence[Action] = ()
        """The moves from the empty board to the position that is shown."""
        self._replay: GameReplay | None = None
        """None while the user goes through positions."""
        self._origin = ""
        """Whose game the replay is, unless the bot played it."""
        self._timer = ""
        trainer.on_seen.append(self._take_seen)
        px = context.theme.px
        page = self.body
        stretch(page, row=1)
        acts: dict[str, Act] = {
            "Back": self._go_back,
            "Empty Board": lambda: self._put(()),
            "Replay My Game": self._replay_game,
            "Step": lambda: self._step(1),
            "All Steps": self._play_on,
        }
        row = put(ttk.Frame(page), columnspan=2, sticky="ew", pady=(0, px(2)))
        self.buttons = dict(zip(acts, button_row(row, px(1), acts, "Tight.TButton"), strict=True))
        flow(row, px(1))
        self.board = put(BoardView(page, context.theme, self._click), row=1, sticky="nsew")
        self.table = ttk.Treeview(page, columns=(0, 1, 2), show="headings", selectmode="browse")
        put(self.table, sticky="ns")
        self.table.bind("<<TreeviewSelect>>", lambda _: self._draw_step())
        view = FormulaView(page, context.theme)
        self.formula = put(view, row=3, columnspan=2, sticky="w", pady=(px(2), 0))
        self.text = paragraph(page, row=4, columnspan=2, sticky="new", pady=px(2))
        for event in ("<Configure>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self._lay_out())

    def _lay_out(self) -> None:
        """Fit all to the size of the text, the table beside or under the board."""
        theme = self._context.theme
        px = theme.px
        self.board.configure(height=px(50))
        line = theme.body.metrics("linespace")
        self.text.master.grid_rowconfigure(4, minsize=4 * line + px(4))
        texts = VALUES if self._replay is None else STEPS
        fit_columns(self.table, theme.strong.measure, texts.items())
        is_narrow = self.winfo_width() < px(NARROW)
        self.table.grid(
            row=2 if is_narrow else 1, column=not is_narrow, padx=(0 if is_narrow else px(3), 0)
        )

    # --- the bot ---

    def show(self, key: str) -> None:
        """Show the values of the bot *key* in the position on the board."""
        entry = self._context.roster.entry(key)
        is_training = key == self._trainer.key
        has_ended = self._player.is_training and not is_training
        is_other = entry != self._player.entry  # or one that has changed
        if is_other or has_ended:
            self._take(Inspected(entry, READING))
            self._read(entry)
        if is_training:
            self._work.drop()
            self._player = self._player._replace(is_training=True)
            self._look()

    def _read(self, entry: Entry) -> None:
        """Read the table of the player of *entry*, and show what it has."""
        roster = self._context.roster
        fixed = f"{entry.name} follows fixed rules, so it has no learned values."
        if entry.is_program:
            fixed = f"{entry.name} is a program of its own, so what it has learned is not known."

        def read() -> Inspected:
            bot = roster.bot(entry.key)
            table = roster.whole_table(entry.key)
            return Inspected(entry, fixed, bot if isinstance(bot, TableBot) else None, table)

        def failed(why: str) -> None:
            self._take(Inspected(note=as_sentence(why)))  # the next time it may be read

        self._work.run(read, self._take, failed)

    def _look(self) -> None:
        """Ask the bot in training for its values in this position, again and again."""
        self.after_cancel(self._timer or "none")
        if self.winfo_viewable() and self._trainer.key == self._player.entry.key:
            self._trainer.look(self.position)
            self._timer = self.after(LOOK_EVERY_MS, self._look)

    def _take_seen(self, seen: Seen) -> None:
        """Show what the bot in training has learned of a position."""
        if seen.state == self.position and self._trainer.key == self._player.entry.key:
            bot = TableBot(seen.table, Random(0))
            self._take(Inspected(self._player.entry, "", bot, seen.table, is_training=True))

    def _take(self, player: Inspected) -> None:
        self._player = player
        self._replay = None
        self._draw()

    # --- the position ---

    @property
    def position(self) -> State:
        """The position on the board."""
        return position_after(self._moves)

    def _put(self, moves: Sequence[Action]) -> None:
        """Show the position after *moves*; a replay ends."""
        self._replay = None
        self._moves = moves
        self._draw()
        self._look()

    def _go_back(self) -> None:
        if self._replay is None:
            self._put(self._moves[:-1])
        else:
            self._step(-1)

    def _click(self, cell: Action) -> None:
        if cell in self.board.picture.answering:
            self._put((*self._moves, cell))

    def _draw(self) -> None:
        """Show the position on the board."""
        is_solved = self._context.session.is_solved
        shown, rows = shown_position(self._player, self._moves, is_solved=is_solved)
        self._fill(VALUES, rows)
        self._show(shown, can_go_back=self._moves)

    def _fill(self, headings: Mapping[str, str], rows: Sequence[Sequence[str]]) -> None:
        """Have *rows* in the table, under *headings*."""
        measure = self._context.theme.strong.measure
        fill_table(self.table, measure, [*headings], rows, [*headings.values()])

    def _show(self, shown: Shown, *, can_go_back: object, can_go_on: object = False) -> None:
        """Show a position or a step of a replay, and let the buttons be used that do something."""
        self._moves = shown.moves
        state = self.position
        self.board.show(
            Picture(
                state, self._moves[-1] if self._moves else None, complete_lines(state),
                shown.plays, shown.values, () if is_terminal(state) else legal_actions(state),
                shown.notes,
            )
        )  # fmt: skip
        self.formula.show(shown.terms)
        self.text.configure(text=shown.text)
        player = self._player
        for words, can in (
            ("Back", can_go_back),
            ("Empty Board", self._moves or self._replay is not None),
            ("Replay My Game", player.table is not None and not player.is_training),
            ("Step", can_go_on),
            ("All Steps", can_go_on),
        ):
            enable(self.buttons[words], can)

    # --- the replay ---

    def _replay_game(self) -> None:
        games = self._context.session.now.game, *self._context.userdata.saved.recent_games(Game())
        finished = (game for game in games if game.is_over and game.start == EMPTY_BOARD)
        game = next(finished, None)
        player = self._player
        table = player.table
        if table is None or game is None:
            self.text.configure(text=NO_GAME)
            return
        bots = [seat for seat in (0, 1) if not game.players[seat].is_human]
        name = player.entry.name
        key = player.entry.key
        seat = min(bots, key=lambda seat: game.players[seat].bot != key, default=1)
        self._origin = ""
        if game.players[seat].bot != key:
            other = seat_name(game.players, seat)
            self._origin = f"{name} did not play this game: it learns in the place of {other}. "
        run = settings_of_last_run(table.meta)

        def learn() -> GameReplay:
            return replay(table, game.actions, seat, partial(learner_for, run))

        self._work.run(learn, self._show_replay, self._context.warn)

    def _show_replay(self, found: GameReplay) -> None:
        """Show the first step of a replay: its last move."""
        self._put(())
        self._replay = found
        self._fill(STEPS, replay_steps.rows(found))
        self._step(0)
        self.table.focus_set()

    def _step(self, steps: int) -> None:
        """Choose the step of the replay that is so many *steps* on, or the nearest."""
        rows = self.table.get_children()
        place = sum(map(self.table.index, self.table.selection())) + steps
        row = rows[min(max(place, 0), len(rows) - 1)]
        self.table.selection_set(row)
        self.table.focus(row)
        self.table.see(row)

    def _play_on(self, after: str = "") -> None:
        """Show one step after the other; stop if another row than *after* has been chosen."""
        if after in ("", *self.table.selection()):
            self._step(1)
            (row,) = self.table.selection()
            if self.table.next(row):
                self.after(STEP_MS, self._play_on, row)

    def _draw_step(self) -> None:
        """Show the position and the reason of the chosen step."""
        if self._replay is None:
            return
        for row in self.table.selection():
            is_small = self.board.cell_grid.side < self._context.theme.px(SMALL_CELL)
            name = self._player.entry.name
            place = self.table.index(row)
            shown = replay_steps.shown_step(self._replay, place, name, is_small=is_small)
            shown = shown._replace(text=self._origin + shown.text)
            self._show(shown, can_go_back=place, can_go_on=self.table.next(row))
