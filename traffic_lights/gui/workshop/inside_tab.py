"""The Inside tab: what a bot has learned about each move, and what it learns from one game."""

import tkinter as tk
from collections.abc import Collection, Sequence
from functools import reduce
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
from traffic_lights.gui.kit.board_view import MoveValues, Picture
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import button_row, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import exact_values, learned_values
from traffic_lights.gui.workshop.column_list import ColumnList
from traffic_lights.gui.workshop.marked_board import MarkedBoard
from traffic_lights.gui.workshop.replay_view import ReplayView
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.replay import GameReplay, replay
from traffic_lights.play import texts
from traffic_lights.play.verdicts import Verdict, ranked_moves
from traffic_lights.players.roster import Entry
from traffic_lights.training.rerun import settings_of_last_run
from traffic_lights.workshop.formula import both_can_expect_to_win
from traffic_lights.workshop.shared import NEW_BOT, Act, as_sentence

BOARD: Final = (240, 180)
"""The least size of the board, in pixels at 96 dpi."""
READING: Final = "Reading what the bot has learned…"
LATER: Final = "What it learns can be seen here when its training ends or is stopped."
VALUE_COLUMNS: Final = {"Move": "a1 ●", "Learned": "(−0.50)", "Best play": "loses in 13"}
"""The headings of the list of moves, and the longest text of each column."""
NO_GAME: Final = (
    "First finish a game from the empty board in the main window. Then see here what it would "
    "teach the bot."
)
READY: Final = (
    "Replay My Game shows, move by move, what training with your last game would teach the bot. "
    "It does not change the bot."
)


class _Player(NamedTuple):
    """The player that is looked into."""

    entry: Entry = NEW_BOT
    note: str = ""
    """What stands under its values, if it has none."""
    bot: TableBot | None = None
    """By what it plays; None if it has no table, or while that is being read."""
    table: QTable | None = None
    """All that it has learned, which may be more than the table by which it plays."""


class InsideTab(ScrollFrame):
    """A board on which the user goes through positions or a replay, with the values of one bot."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._player = _Player()
        self._reading: Entry | None = None
        """Whose table is being read."""
        self.moves: Sequence[Action] = ()
        """The moves from the empty board to the position that is shown."""
        body = self.content
        theme = context.theme
        px = theme.px
        body.configure(padding=px(3))
        stretch(body, row=1)
        self.board = MarkedBoard(body, theme, self._click)
        self.board.grid(row=1, column=0, sticky="nsew")
        self.list = ColumnList(body, theme, VALUE_COLUMNS)
        self.values = self.list.rows
        for event in ("<Double-Button-1>", "<Return>"):
            self.values.bind(event, lambda _: self._play_chosen())
        self.replay = ReplayView(body, theme, self.board, self._draw)
        for found in (self.list, self.replay.steps):
            put(found, row=1, column=1, sticky="nsew", padx=(px(3), 0))
        below = (px(2), 0)
        note = wrapping(ttk.Label(body, style="Muted.TLabel"))
        self.note = put(note, row=2, columnspan=2, sticky="new", pady=below)
        put(self.replay.formula, row=2, columnspan=2, sticky="nsew", pady=below)
        acts: dict[str, Act] = {
            "Back": self._go_back,
            "Empty Board": lambda: self._put(()),
            "Replay My Game": self._replay_game,
            "Step": lambda: self.replay.go(self.replay.number + 1),
            "All Steps": self.replay.play_or_pause,
        }
        # Over the board, so that no text of another length moves Step away from the pointer.
        row = put(ttk.Frame(body), row=0, columnspan=2, sticky="w", pady=(0, px(2)))
        self.buttons = dict(zip(acts, button_row(row, px(2), acts), strict=True))
        self.text = put(wrapping(ttk.Label(body)), row=3, columnspan=2, sticky="new")
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def _dress(self) -> None:
        """Keep room for what may appear, so that the board keeps its size."""
        theme = self._context.theme
        lines = 4 * theme.body.metrics("linespace") + 4  # a label has an edge
        least = max(lines, self.replay.formula.wanted_height) + theme.px(2)
        self.content.rowconfigure(2, minsize=least)
        self.content.rowconfigure(3, minsize=3 * theme.body.metrics("linespace"))
        width, height = (round(side * theme.scale) for side in BOARD)
        self.board.configure(width=width, height=height)

    # --- the bot and the position ---

    def show(self, key: str, *, is_in_training: bool = False) -> None:
        """Show the values of the bot *key* in the position on the board; reads its table.

        A bot that *is_in_training* for the first time has none yet.
        """
        entry = self._context.roster.entry(key)
        name = entry.name
        if entry != self._player.entry:  # another player, or one that has changed
            self._take(_Player(entry, READING))
        if self._reading == entry:
            return
        self._reading = entry
        roster = self._context.roster
        fixed = f"{name} follows fixed rules, so it has no learned values."
        if entry.is_program:
            fixed = f"{name} is a program of its own, so what it has learned is not known."

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
        """Show what *player* plays and the values in its table; without one, its note."""
        if player.table is None or player.table is not self._player.table:
            self.replay.leave()
            self.text.configure(text="" if player.table is None else READY)
        self._player = player
        self._draw()

    @property
    def position(self) -> State:
        """The position on the board."""
        return reduce(play, self.moves, EMPTY_BOARD)

    def _put(self, moves: Sequence[Action]) -> None:
        """Show the position after *moves*; a replay ends."""
        if self.replay.shown is not None:
            self.replay.leave()
            self.text.configure(text=READY)
        self.moves = moves
        self._draw()

    def _click(self, cell: Action) -> None:
        if not is_terminal(self.position) and cell in legal_actions(self.position):
            self._put((*self.moves, cell))

    def _play_chosen(self) -> None:
        for row in self.values.selection():
            self._click(int(row))

    def _go_back(self) -> None:
        if self.replay.shown is None:
            self._put(self.moves[:-1])
        else:
            self.replay.go(self.replay.number - 1)

    def _draw(self) -> None:
        """Show the position on the board, or the present step of a replay."""
        view = self.replay
        shown = view.shown
        for widget, is_shown in (
            (self.list, shown is None),
            (self.note, shown is None),
            (view.steps, shown is not None),
            (view.formula, shown is not None),
        ):
            widget.grid() if is_shown else widget.grid_remove()
        if shown is None:
            self._draw_position()
        else:
            self.moves, text = view.draw(shown)
            self.text.configure(text=text)
        can_go_on = shown is not None and view.number < view.last
        for words, can in (
            ("Back", self.moves if shown is None else view.number > 0),
            ("Empty Board", self.moves or shown is not None),
            ("Replay My Game", self._player.table is not None),
            ("Step", can_go_on),
            ("All Steps", can_go_on),
        ):
            self.buttons[words].state(["!disabled" if can else "disabled"])
        self.buttons["All Steps"].configure(text="Pause" if view.is_playing else "All Steps")

    def _draw_position(self) -> None:
        state = self.position
        note = self._player.note
        bot = self._player.bot
        table = self._player.table
        is_over = is_terminal(state)
        can_rank = self._context.session.is_solved and not is_over
        moves: Sequence[Verdict] = ranked_moves(state) if can_rank else ()
        values = exact_values(moves)
        choices: tuple[Action, ...] = ()
        if bot is not None and table is not None:
            choices = bot.choices(state) if not is_over and bot.comes_to(state) else ()
            learned = learned_values(table, state)
            # Pruning also finds wins that training has never tried.
            played = learned_values(bot.table, state)
            wash = {**learned.wash, **{cell: played.wash[cell] for cell in choices}}
            numbers = {**learned.numbers, **{cell: played.numbers[cell] for cell in choices}}
            values = MoveValues(wash, numbers, values.best)
            note = self._legend(table, moves, choices, values)
            # The list is about the bot, so what it plays comes first.
            moves = sorted(moves, key=lambda m: (m.action not in choices, -wash[m.action]))
        last = self.moves[-1] if self.moves else None
        lines = complete_lines(state)
        self.board.mark(frozenset(choices))
        self.board.show(Picture(state, last=last, lines=lines, inviting=not is_over, values=values))
        self.list.clear()
        for move in moves:
            is_chosen = move.action in choices
            value = values.numbers[move.action] if table is not None else "–"
            name = f"{format_cell(move.action)} ●" if is_chosen else format_cell(move.action)
            cells = name, value, texts.value_text(move.distance)
            self.list.add(str(move.action), cells, is_chosen=is_chosen)
        self.note.configure(text="The game is over." if is_over else note)

    def _legend(
        self,
        table: QTable,
        moves: Sequence[Verdict],
        choices: Collection[Action],
        learned: MoveValues,
    ) -> str:
        """Return how to read what is *learned* of *moves*, in *table*; the bot plays *choices*."""
        sentences = [texts.legend(self._player.entry.name, table, learned.numbers.values())]
        if choices:
            which = "this" if len(choices) == 1 else "one of these, at random"
            sentences.append(f"Framed, ●: {self._player.entry.name} plays {which}.")
        elif texts.NEVER_HERE not in sentences[0]:
            sentences.append(f"{texts.sentence(texts.NEVER_HERE)}.")
        sentences.append(f"White edge: {texts.why_outlined(moves)}.")
        sentences.append("Best play is counted in moves of the winner.")
        why = texts.why_promising(table, self.position, moves)
        if not why and any(0 < value < 1 for value in learned.wash.values()):
            why = both_can_expect_to_win(table)
        return " ".join([*sentences, why])

    # --- the replay ---

    def _replay_game(self) -> None:
        games = reversed(self._context.session.history.games)
        finished = (game for game in games if game.is_over and game.start == EMPTY_BOARD)
        game = next(finished, None)
        player = self._player
        table = player.table
        if table is None or game is None:
            self.text.configure(text=NO_GAME)
            return
        players = game.players
        bots = [seat for seat in (0, 1) if not players[seat].is_human]
        seat = min(bots, key=lambda seat: players[seat].bot != player.entry.key, default=1)
        origin = ""
        if players[seat].bot != player.entry.key:
            other = texts.seat_name(players, seat)
            origin = (
                f"{player.entry.name} did not play this game: it learns in the place of {other}. "
            )
        settings = settings_of_last_run(table.meta)
        actions = game.actions

        def learn() -> GameReplay:
            return replay(
                table,
                actions,
                seat,
                settings.update,
                settings.alpha,
                settings.gamma,
                against_itself=settings.is_against_itself,
            )

        def done(found: GameReplay) -> None:
            if table is self._player.table:
                self.replay.begin(found, player.entry.name, origin)

        run_job(self._context.root, learn, done, self._context.warn)
