"""The Inside tab: what a bot has learned about each move, and what it learns from one game."""

import tkinter as tk
from collections.abc import Collection, Iterable, Sequence
from functools import partial, reduce
from random import Random
from tkinter import ttk
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
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
from traffic_lights.gui.kit.board_view import Picture
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import button_row, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import exact_values, learned_values
from traffic_lights.gui.workshop.lesson_view import (
    FormulaView,
    MarkedBoard,
    Term,
    learning_rate,
    shown_values,
    terms,
)
from traffic_lights.gui.workshop.model import Act, in_background
from traffic_lights.learning.lesson import GameLesson, lesson
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.play import texts
from traffic_lights.play.verdicts import Verdict, ranked_moves
from traffic_lights.training.replay import settings_of_last_run

BOARD: Final = (240, 180)
"""The least size of the board, in pixels at 96 dpi."""
READING: Final = "Reading what the bot has learned…"
VALUE_COLUMNS: Final = {"Move": "a1 ●", "Learned": "(−0.50)", "Best play": "loses in 13"}
"""The headings of the list of moves, and the longest text of each column."""
NOW: Final = "Afterwards"
"""The last row of the steps of a lesson: what the bot would play after it."""
STEPS: Final = {"Move": NOW, "Before": "(−0.50)", "After": "−0.50"}
"""The headings of the list of these steps, and the longest text of each column."""
NO_GAME: Final = (
    "Finish a game in the main window first. Then see here what the bot learns from it."
)
NOTHING: Final = "All values in this game are proven already, so the bot learns nothing from it."
READY: Final = "Replay My Game shows, move by move, what the bot learns from your last game."
PROVEN_WIN: Final = "After this move the bot is proven to win, so the later moves teach nothing."
STEP_MS: Final = 1500
"""How long Play shows each step."""


def both_can_expect_to_win(table: QTable) -> str:
    """Return why a move and its answer can both have values above 0; empty if they should not."""
    opponent = BASELINES.get(settings_of_last_run(table.meta).plan)
    if opponent is None:
        return ""
    return (
        "Both sides can expect to win, because the bot learned each value in its own games against "
        f"{opponent.name}."
    )


class InsideTab(ScrollFrame):
    """A board on which the user goes through positions and a game, with the values of one bot."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._key = ""
        self._name = ""
        self._note = ""
        self._bot: TableBot | None = None
        """The bot that is shown; None if it has no table, or while that is being read."""
        self._table: QTable | None = None
        """All that it has learned, which may be more than the table by which it plays."""
        self.moves: Sequence[Action] = ()
        """The moves from the empty board to the position that is shown."""
        self.lesson: GameLesson | None = None
        """The lesson that is shown; None while the user goes through positions."""
        self._origin = ""
        """Whose game the lesson is, unless the bot played it."""
        self.step_number = 0
        """Which step of the lesson is shown; after the last one, what the bot would play now."""
        self._timer = ""
        """That of Play."""
        body = self.inside
        theme = context.theme
        px = theme.px
        body.configure(padding=px(3))
        stretch(body)
        self.board = MarkedBoard(body, theme, self._play)
        self.board.grid(row=0, column=0, sticky="nsew")
        self._bars: dict[ttk.Treeview, ttk.Scrollbar] = {}
        """The bar of each list; it looks empty if all rows can be seen."""
        self.values = self._add_list(VALUE_COLUMNS)
        for event in ("<Double-Button-1>", "<Return>"):
            self.values.bind(event, lambda _: self._play_chosen())
        self.steps = self._add_list(STEPS)
        self.steps.bind("<<TreeviewSelect>>", lambda _: self._show_chosen_step())
        below = (px(2), 0)
        note = wrapping(ttk.Label(body, style="Muted.TLabel"))
        self.note = put(note, row=1, columnspan=3, sticky="new", pady=below)
        self.formula = FormulaView(body, theme)
        self.formula.grid(row=1, columnspan=3, sticky="nsew", pady=below)
        acts: dict[str, Act] = {
            "Back": self._go_back,
            "Empty Board": lambda: self._put(()),
            "Replay My Game": self._replay,
            "Step": lambda: self._go(self.step_number + 1),
            "Play": self._play_or_pause,
        }
        row = put(ttk.Frame(body), row=2, columnspan=3, sticky="w", pady=(px(2), px(1)))
        self.back, self.empty, self.replay, self.step, self.play = button_row(row, px(2), acts)
        self.text = put(wrapping(ttk.Label(body)), row=3, columnspan=3, sticky="new")
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def _add_list(self, columns: dict[str, str]) -> ttk.Treeview:
        """Add a list with *columns* at the right of the board."""
        found = ttk.Treeview(
            self.inside, columns=list(columns), show="headings", height=6, selectmode="browse"
        )
        bar = self._bars[found] = ttk.Scrollbar(self.inside, command=found.yview)
        found.configure(yscrollcommand=bar.set)
        put(bar, row=0, column=2, sticky="ns")
        return put(found, row=0, column=1, sticky="nsew", padx=(self._context.theme.px(3), 0))

    def _dress(self) -> None:
        """Keep room for what may appear, so that the board keeps its size."""
        theme = self._context.theme
        lines = 4 * theme.body.metrics("linespace") + 4  # a label has an edge
        least = max(lines, self.formula.wanted_height) + theme.px(2)
        self.inside.rowconfigure(1, minsize=least)
        self.inside.rowconfigure(3, minsize=3 * theme.body.metrics("linespace"))
        width, height = (round(side * theme.scale) for side in BOARD)
        self.board.configure(width=width, height=height)
        for found, columns in ((self.values, VALUE_COLUMNS), (self.steps, STEPS)):
            for heading, example in columns.items():
                room = max(map(theme.strong.measure, (heading, example)))
                width = room + theme.px(3.5)
                found.heading(heading, text=heading, anchor="w")
                found.column(heading, width=width, minwidth=width)
            found.tag_configure("chosen", font=theme.strong)

    # --- the bot and the position ---

    def show(self, key: str) -> None:
        """Show the values of the bot *key* in the position on the board; reads its table."""
        name = self._context.roster.entry(key).name
        if key != self._key:
            self._key = key
            self._name = name
            self._take(None, None, READING)
        roster = self._context.roster
        fixed = f"{name} follows fixed rules, so it has no learned values."

        def read() -> tuple[TableBot | None, QTable | None]:
            bot = roster.bot(key)
            return bot if isinstance(bot, TableBot) else None, roster.whole_table(key)

        def take(found: tuple[TableBot | None, QTable | None], note: str = fixed) -> None:
            if key == self._key:
                self._take(*found, note)

        in_background(self._context.root, read, take, partial(take, (None, None)))

    def _take(self, bot: TableBot | None, table: QTable | None, note: str) -> None:
        """Show what *bot* plays and the values in *table*; without one, a *note*."""
        if table is None or table is not self._table:
            self._leave_lesson()
            self.text.configure(text="" if table is None else READY)
        self._bot = bot
        self._table = table
        self._note = note
        self._draw()

    @property
    def position(self) -> State:
        """The position on the board."""
        return reduce(play, self.moves, EMPTY_BOARD)

    def _put(self, moves: Sequence[Action]) -> None:
        """Show the position after *moves*; a lesson ends."""
        if self.lesson is not None:
            self._leave_lesson()
            self.text.configure(text=READY)
        self.moves = moves
        self._draw()

    def _play(self, cell: Action) -> None:
        if not is_terminal(self.position) and cell in legal_actions(self.position):
            self._put((*self.moves, cell))

    def _play_chosen(self) -> None:
        for row in self.values.selection():
            self._play(int(row))

    def _go_back(self) -> None:
        if self.lesson is None:
            self._put(self.moves[:-1])
        else:
            self._go(self.step_number - 1)

    def _draw(self) -> None:
        """Show the position on the board, or the present step of a lesson."""
        is_lesson = self.lesson is not None
        for widget, is_shown in (
            (self.values, not is_lesson),
            (self._bars[self.values], not is_lesson),
            (self.note, not is_lesson),
            (self.steps, is_lesson),
            (self._bars[self.steps], is_lesson),
            (self.formula, is_lesson),
        ):
            widget.grid() if is_shown else widget.grid_remove()
        if self.lesson is not None:
            self._draw_step(self.lesson)
        else:
            self._draw_position()
        last = len(self.steps.get_children()) - 1
        for button, can in (
            (self.back, self.step_number > 0 if is_lesson else self.moves),
            (self.empty, self.moves or is_lesson),
            (self.replay, self._table is not None),
            (self.step, is_lesson and self.step_number < last),
            (self.play, is_lesson and self.step_number < last),
        ):
            button.state(["!disabled" if can else "disabled"])
        self.play.configure(text="Pause" if self._timer else "Play")

    def _draw_position(self) -> None:
        state = self.position
        bot = self._bot
        table = self._table
        note = self._note
        is_over = is_terminal(state)
        can_rank = self._context.session.is_solved and not is_over
        moves: Sequence[Verdict] = ranked_moves(state) if can_rank else ()
        values: dict[str, Any] = exact_values(moves)
        choices: tuple[Action, ...] = ()
        if bot is not None and table is not None:
            choices = bot.choices(state) if not is_over and bot.comes_to(state) else ()
            learned = learned_values(table, state)
            # Pruning also finds wins that training has never tried.
            for kind, found in learned_values(bot.table, state).items():
                learned[kind] |= {action: found[action] for action in choices}
            wash = learned["wash"]
            values |= learned
            note = self._legend(table, moves, choices, wash.values())
            # The list is about the bot, so what it plays comes first.
            moves = sorted(moves, key=lambda m: (m.action not in choices, -wash[m.action]))
        last = self.moves[-1] if self.moves else None
        lines = complete_lines(state)
        self.board.mark(frozenset(choices))
        self.board.show(Picture(state, last=last, lines=lines, inviting=not is_over, **values))
        self.values.delete(*self.values.get_children())
        for move in moves:
            is_chosen = move.action in choices
            value = values["numbers"][move.action] if table is not None else "–"
            name = f"{format_cell(move.action)} ●" if is_chosen else format_cell(move.action)
            cells = name, value, texts.value_text(move.distance)
            tags = ("chosen",) if is_chosen else ()
            self.values.insert("", "end", iid=str(move.action), values=cells, tags=tags)
        self.note.configure(text="The game is over." if is_over else note)

    def _legend(
        self,
        table: QTable,
        moves: Sequence[Verdict],
        choices: Collection[Action],
        values: Iterable[float],
    ) -> str:
        """Return how to read the *values* of *moves* in *table*; the bot plays *choices*."""
        sentences = [texts.legend(self._name, table, self.position)]
        if choices:
            sentences.append(f"Framed, ●: what {self._name} plays.")
        elif texts.NEVER_HERE not in sentences[0]:
            sentences.append(f"{texts.sentence(texts.NEVER_HERE)}.")
        sentences.append("White edge: best play, which counts the moves of the winner.")
        why = texts.why_promising(table, self.position, moves)
        if not why and any(0 < value < 1 for value in values):
            why = both_can_expect_to_win(table)
        return " ".join([*sentences, why])

    # --- the lesson ---

    def _replay(self) -> None:
        game = self._context.session.game
        table = self._table
        if table is None or game.start != EMPTY_BOARD or not game.is_over:
            self.text.configure(text=NO_GAME)
            return
        players = game.players
        bots = [seat for seat in (0, 1) if not players[seat].is_human]
        seat = min(bots, key=lambda seat: players[seat].bot != self._key, default=1)
        origin = ""
        if players[seat].bot != self._key:
            other = texts.seat_name(players, seat)
            origin = f"{self._name} did not play this game: it learns in the place of {other}. "
        settings = settings_of_last_run(table.meta)
        actions = game.actions

        def learn() -> GameLesson:
            return lesson(
                table,
                actions,
                seat,
                settings.update,
                settings.alpha,
                settings.gamma,
                against_itself=settings.is_against_itself,
            )

        def done(found: GameLesson) -> None:
            if table is self._table:
                self._begin(found, origin)

        run_job(self._context.root, learn, done)

    def _begin(self, found: GameLesson, origin: str) -> None:
        """Show the *found* lesson from its first step; its sentences follow the *origin*."""
        self._leave_lesson()
        self.lesson = found
        self._origin = origin
        for row, step in enumerate(found.steps):
            name = f"{step.number + 1}. {format_cell(step.action)}"
            self.steps.insert("", "end", iid=str(row), values=(name, *shown_values(found, step)))
        row = len(found.steps)
        self.steps.insert("", "end", iid=str(row), values=(NOW, "", ""))
        self._go(0)

    def _leave_lesson(self) -> None:
        self._pause()
        self.lesson = None
        self.step_number = 0
        self.steps.delete(*self.steps.get_children())

    def _go(self, number: int) -> None:
        """Show the step *number* of the lesson."""
        self.step_number = min(max(number, 0), len(self.steps.get_children()) - 1)
        self._draw()

    def _show_chosen_step(self) -> None:
        for row in self.steps.selection():
            if int(row) != self.step_number:
                self._go(int(row))

    def _draw_step(self, found: GameLesson) -> None:
        row = str(self.step_number)
        if self.steps.selection() != (row,):
            self.steps.selection_set(row)
        self.steps.focus(row)
        self.steps.see(row)
        if self.step_number == len(found.steps):
            self._draw_change(found)
            return
        step = found.steps[self.step_number]
        before, after = shown_values(found, step)
        badge = before if before == after else f"{before} → {after}"
        chain = found.chain(step.number) if step.is_proven else [step.number]
        numbered = [(number + 1, found.actions[number]) for number in chain]
        self.board.mark(frozenset({step.action}), numbered)
        self._show_state(found.before, step.number, {step.action: badge})
        self.formula.show(terms(found, step))
        shown = [*self.board.picture.numbers.values()]
        for row in self.steps.get_children():
            shown += self.steps.item(row, "values")[1:]
        signs = texts.signs_text(found.before, " ".join(map(str, shown)))
        text = step.text(learning_rate(found))
        if self.step_number == 0 and len(found.steps) < len(found.actions):
            text += f" {PROVEN_WIN}"
        text += signs
        if step.number % 2 != found.seat and 0 < step.new < 1:
            text += f" {both_can_expect_to_win(found.before)}"
        self._tell(text)

    def _show_state(self, table: QTable, number: int, badges: dict[Action, str]) -> None:
        """Show the position before move *number* with the values in *table*, and other *badges*."""
        assert self.lesson is not None
        self.moves = self.lesson.actions[:number]
        state = self.position
        values = learned_values(table, state)
        values["numbers"] |= badges
        last = self.moves[-1] if self.moves else None
        self.board.show(Picture(state, last=last, **values))

    def _draw_change(self, found: GameLesson) -> None:
        """Show what the bot would play now, after the lesson."""
        change = found.change()
        if change is None:
            first_moves = TableBot(found.after, Random(0)).choices(EMPTY_BOARD)
            self.board.mark(frozenset(first_moves))
            self._show_state(found.after, 0, {})
            self.formula.show([Term("It plays as before")])
            text = f"{self._name} would play as before: one game moves a value by only "
            text += f"{learning_rate(found):g} of the difference."
            if all(step.old == step.new for step in found.steps):
                text = NOTHING
            self._tell(text)
            return
        number, action = change
        old = format_cell(found.actions[number])
        new = format_cell(action)
        self.board.mark(frozenset({action}))
        self._show_state(found.after, number, {})
        self.formula.show([Term(old, "before"), Term("→"), Term(new, "now", is_new=True)])
        self._tell(f"{self._name} would now play {new} in move {number + 1} instead of {old}.")

    def _tell(self, text: str) -> None:
        """Show a *text* of the lesson."""
        self.text.configure(text=self._origin + text)

    def _play_or_pause(self) -> None:
        if self._timer:
            self._pause()
            self._draw()
        else:
            self._timer = self.after(STEP_MS, self._play_on)
            self._draw()

    def _play_on(self) -> None:
        """Show the next step, and the ones after it until the last."""
        self._timer = ""
        if self.step_number + 2 < len(self.steps.get_children()):
            self._timer = self.after(STEP_MS, self._play_on)
        self._go(self.step_number + 1)

    def _pause(self) -> None:
        if self._timer:
            self.after_cancel(self._timer)
        self._timer = ""
