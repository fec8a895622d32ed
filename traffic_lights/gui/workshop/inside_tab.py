"""The Inside tab: what a bot has learned about each move, and what it learns from one game."""

import tkinter as tk
from collections.abc import Sequence
from functools import reduce
from random import Random
from tkinter import ttk
from typing import Final, NamedTuple

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
from traffic_lights.gui.kit.board_view import BoardView, MoveValues, Picture
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.widgets import button_row, enable, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import exact_values, learned_values
from traffic_lights.gui.workshop.shared import NEW_BOT, Act, as_sentence
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.replay import GameReplay, ReplayStep, replay
from traffic_lights.play import texts
from traffic_lights.play.game import Game
from traffic_lights.play.learned import legend, replayed_value
from traffic_lights.play.verdicts import ranked_moves
from traffic_lights.players.roster import Entry
from traffic_lights.training.progress import settings_of_last_run

READING: Final = "Reading what the bot has learned…"
LATER: Final = "What it learns can be seen here when its training ends or is stopped."
VALUES: Final = ("Move", "Learned", "Best play")
STEPS: Final = ("Move", "Before", "After")
"""The headings of the table, for a position and for a replay."""
NEW: Final = "new\nvalue"
NO_GAME: Final = (
    "First finish a game from the empty board in the main window. Then see here what it would "
    "teach the bot."
)


Term = tuple[str, str]
"""A part of a formula, and the words under it."""


def formula(step: ReplayStep, alpha: float) -> list[Term]:
    """Return how the learning rate *alpha* moved the estimate of *step*; empty if nothing did.

    >>> " ".join(text for text, _ in formula(ReplayStep(4, 0, 0.25, 0.29, 0.46), 0.2))
    '0.25 + 0.2 × ( 0.46 − 0.25 ) = 0.29'
    """
    if step.target is None or step.is_proven:
        return []
    values = step.old, step.target, step.new
    numbers = (f"{value:.{step.decimals(alpha)}f}".replace("-", "−") for value in values)
    old, target, new = numbers
    return [
        (old, "old\nvalue"), ("+", ""), (f"{alpha:g}", "learning\nrate"), ("×", ""), ("(", ""),
        (target, step.target_name.replace(" of ", " of\n")), ("−", ""), (old, "old\nvalue"),
        (")", ""), ("=", ""), (new, NEW),
    ]  # fmt: skip


class _Player(NamedTuple):
    """The player that is looked into."""

    entry: Entry = NEW_BOT
    note: str = ""
    """What is said of its values, if it has none."""
    bot: TableBot | None = None
    """By what it plays; None if it has no table, or while that is being read."""
    table: QTable | None = None
    """All that it has learned, which may be more than the table by which it plays."""


class InsideTab(ttk.Frame):
    """A board on which the user goes through positions or a replay, with the values of one bot."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent, padding=context.theme.px(3))
        self._context = context
        self._player = _Player()
        self._reading: Entry | None = None
        """Whose table is being read."""
        self.moves: Sequence[Action] = ()
        """The moves from the empty board to the position that is shown."""
        self.replay: GameReplay | None = None
        """None while the user goes through positions."""
        px = context.theme.px
        stretch(self, row=1)
        acts: dict[str, Act] = {
            "Back": lambda: self._put(self.moves[:-1]),
            "Empty Board": lambda: self._put(()),
            "Replay My Game": self._replay_game,
        }
        row = put(ttk.Frame(self), columnspan=2, sticky="w", pady=(0, px(2)))
        self.buttons = dict(zip(acts, button_row(row, px(2), acts), strict=True))
        self.board = put(BoardView(self, context.theme, self._click), row=1, sticky="nsew")
        self.table = ttk.Treeview(self, columns=(0, 1, 2), show="headings", selectmode="browse")
        for column, width in enumerate((16, 17, 22)):
            self.table.column(column, width=px(width), stretch=False)
        put(self.table, row=1, column=1, sticky="ns", padx=(px(3), 0))
        self.table.bind("<<TreeviewSelect>>", lambda _: self._draw_step())
        self.formula = put(ttk.Frame(self), row=2, columnspan=2, sticky="w", pady=(px(2), 0))
        self.text = put(wrapping(ttk.Label(self)), row=3, columnspan=2, sticky="new", pady=px(2))
        self.rowconfigure(3, minsize=4 * context.theme.body.metrics("linespace"))

    # --- the bot and the position ---

    def show(self, key: str, *, is_in_training: bool = False) -> None:
        """Show the values of the bot *key* in the position on the board; reads its table."""
        roster = self._context.roster
        entry = roster.entry(key)
        if entry != self._player.entry:  # another player, or one that has changed
            self._take(_Player(entry, READING))
        if self._reading == entry:
            return
        self._reading = entry
        fixed = f"{entry.name} follows fixed rules, so it has no learned values."
        if entry.is_program:
            fixed = f"{entry.name} is a program of its own, so what it has learned is not known."

        def read() -> tuple[TableBot | None, QTable | None]:
            bot = roster.bot(key)
            return bot if isinstance(bot, TableBot) else None, roster.whole_table(key)

        def take(found: tuple[TableBot | None, QTable | None], note: str = fixed) -> None:
            if self._reading == entry:
                self._reading = None
            if entry == self._player.entry:
                self._take(_Player(entry, note, *found))

        def failed(reason: str) -> None:
            take((None, None), LATER if is_in_training else as_sentence(reason))

        run_job(self._context.root, read, take, failed)

    def _take(self, player: _Player) -> None:
        self._player = player
        self.replay = None
        self._draw()

    @property
    def position(self) -> State:
        """The position on the board."""
        return reduce(play, self.moves, EMPTY_BOARD)

    def _put(self, moves: Sequence[Action]) -> None:
        """Show the position after *moves*; a replay ends."""
        self.replay = None
        self.moves = moves
        self._draw()

    def _click(self, cell: Action) -> None:
        if not is_terminal(self.position) and cell in legal_actions(self.position):
            self._put((*self.moves, cell))

    def _fill(self, headings: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> None:
        self.table.delete(*self.table.get_children())
        for column, heading in enumerate(headings):
            self.table.heading(column, text=heading, anchor="w")
        for row, cells in rows:
            self.table.insert("", tk.END, str(row), values=tuple(cells))

    def _write(self, text: str, terms: Sequence[Term] = ()) -> None:
        """Write *text* under the board, and over it the *terms* of a formula."""
        self.text.configure(text=text)
        for old in self.formula.winfo_children():
            old.destroy()
        for column, (number, words) in enumerate(terms):
            style = "New.TLabel" if words == NEW else "Title.TLabel"
            label = ttk.Label(self.formula, text=number, style=style)
            put(label, row=0, column=column, padx=self._context.theme.px(1))
            label = ttk.Label(self.formula, text=words, style="Muted.TLabel", justify=tk.CENTER)
            put(label, row=1, column=column, sticky="n")

    def _draw(self) -> None:
        """Show the position on the board."""
        state = self.position
        player = self._player
        is_over = is_terminal(state)
        can_rank = self._context.session.is_solved and not is_over
        moves = list(ranked_moves(state)) if can_rank else []
        values = exact_values(moves)
        choices: tuple[Action, ...] = ()
        note = player.note
        if player.bot is not None and player.table is not None:
            choices = (
                player.bot.choices(state) if not is_over and player.bot.comes_to(state) else ()
            )
            learned = learned_values(player.table, state)
            values = MoveValues(learned.wash, learned.numbers, values.best)
            moves.sort(key=lambda move: (move.action not in choices, -learned.wash[move.action]))
            note = legend(player.entry.name, player.table)
            note += " Ringed: what it plays. White edge: the best moves."
        last = self.moves[-1] if self.moves else None
        lines = complete_lines(state)
        self.board.show(
            Picture(state, last, lines, frozenset(choices), values, inviting=not is_over)
        )
        rows = []
        for move in moves:
            value = values.numbers[move.action] if player.table is not None else "–"
            cells = format_cell(move.action), value, texts.value_text(move.distance)
            rows.append((move.action, cells))
        self._fill(VALUES, rows)
        self._write("The game is over." if is_over else note)
        for words, can in (
            ("Back", self.moves),
            ("Empty Board", self.moves),
            ("Replay My Game", player.table),
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
            self._write(NO_GAME)
            return
        bots = [seat for seat in (0, 1) if not game.players[seat].is_human]
        key = player.entry.key
        seat = min(bots, key=lambda seat: game.players[seat].bot != key, default=1)
        run = settings_of_last_run(table.meta)

        def learn() -> GameReplay:
            return replay(
                table, game.actions, seat, run.update, run.alpha, run.gamma,
                against_itself=run.is_against_itself,
            )  # fmt: skip

        run_job(self._context.root, learn, self._show_replay, self._context.warn)

    def _show_replay(self, found: GameReplay) -> None:
        """Show the steps of the replay in the table, from its last move back."""
        self._put(())
        self.replay = found
        rows: list[tuple[int, Sequence[str]]] = []
        for row, step in enumerate(found.steps):
            state = found.state(step.number)
            before = replayed_value(found.before, state, step.action, step.old)
            after = replayed_value(found.after, state, step.action, step.new)
            rows.append((row, (f"{step.number + 1}. {format_cell(step.action)}", before, after)))
        rows.append((len(found.steps), ("Afterwards", "", "")))
        self._fill(STEPS, rows)
        enable(self.buttons["Empty Board"], True)  # which leaves the replay
        self.table.selection_set("0")
        self.table.focus("0")
        self.table.focus_set()

    def _draw_step(self) -> None:
        """Show the position and the formula of the chosen step, or what the bot would play now."""
        found = self.replay
        for row in map(int, self.table.selection() if found is not None else ()):
            assert found is not None
            if row < len(found.steps):
                step = found.steps[row]
                alpha = settings_of_last_run(found.before.meta).alpha
                self._draw_moves(found.before, step.number, {step.action})
                text = step.text(alpha)
                if terms := formula(step, alpha):  # which the first sentence repeats
                    text = f"{text.partition(':')[0]}. {text.partition('. ')[2]}"
                self._write(text, terms)
                continue
            name = self._player.entry.name
            text = f"{name} would play as before."
            number = 0
            choices = set(TableBot(found.after, Random(0)).choices(EMPTY_BOARD))
            if found.change is not None:
                number, action = found.change
                choices = {action}
                text = (
                    f"{name} would now play {format_cell(action)} in move {number + 1} instead of "
                    f"{format_cell(found.actions[number])}."
                )
            self._draw_moves(found.after, number, choices)
            self._write(text)

    def _draw_moves(self, table: QTable, number: int, ringed: set[Action]) -> None:
        """Show the position after *number* moves of the game, with the values in *table*."""
        assert self.replay is not None
        self.moves = self.replay.actions[:number]
        last = self.moves[-1] if self.moves else None
        values = learned_values(table, self.position)
        self.board.show(Picture(self.position, last, (), frozenset(ringed), values))
