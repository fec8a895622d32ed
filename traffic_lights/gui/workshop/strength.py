"""The Strength tab of the Workshop: a matrix of bots and opponents, filled while they play."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import font as tkfont
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.charts import fitted
from traffic_lights.gui.kit.dialog import save_as
from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.kit.palette import ON_WASH, wash
from traffic_lights.gui.kit.widgets import ScrollFrame
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.model import sentence
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import (
    Row,
    evaluate_pairs,
    evaluation_process,
    prove_bot,
)
from traffic_lights.judging.walks import Proof, Walked
from traffic_lights.players.game import Game, Player
from traffic_lights.players.roster import Entry
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.system.words import MOST_SEED, exact_percent, whole_number

OPPONENTS: Final = ("random", "alternate", "myopic", "exact")
"""The opponents that are chosen at first."""
NUMBERS: Final = {"Games": ("1,000", 9, 1, 10**7), "Seed": ("1", 6, 0, MOST_SEED)}
"""The value of each field at first, its width in letters, its lowest and its highest value."""
_FACTS_DOWN: Final = 4
_LONGEST_NAME: Final = 20
_CELL: Final = 9
"""The least width of a cell of the matrix, in letters."""
PLAYING: Final = "Playing. Slow players and exact scores take a while."
LEGEND: Final = "“≈” marks a score from played games. All other scores are exact."

Pair = tuple[str, str]
"""The keys of a bot and of its opponent."""


def cell_text(row: Row) -> str:
    """Return the words of a cell: an exact score only if it is one.

    >>> from traffic_lights.judging.evaluation import SeatScore
    >>> from traffic_lights.board.exact import ExactScore
    >>> from traffic_lights.players.roster import Roster
    >>> bot = Roster().entry("random")
    >>> cell_text(Row(bot, bot, 4, SeatScore(2, 1), SeatScore(2, 0)))
    '≈ 25 %'
    >>> cell_text(Row(bot, bot, 4, exact=ExactScore(0.4, 1.0)))
    '70.00 %'
    """
    if row.exact is not None:
        return exact_percent(row.exact.total)
    return f"≈ {100 * row.both.wins // row.games} %" if row.games else "…"


def result_text(row: Row) -> str:
    """Return what the columns do not say about *row*; mostly empty."""
    ceiling = reports.CEILING if row.best == 0 else ""
    return f"{ceiling} {reports.forfeit_text(row) if row.forfeit else ''}".strip()


class StrengthTab(ScrollFrame):
    """Evaluates the chosen bots, one pair after the other; the rows stay while the tab exists."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context, self._theme = context, context.theme
        self.rows: dict[Pair, Row] = {}
        self.chosen: Pair | None = None
        self._entries: dict[str, Entry] = {}
        self._stamps: dict[str, object] = {}
        """What changes when a player does; its rows are not shown any more then."""
        self.ticks: dict[str, list[str]] = {"bots": [], "opponents": list(OPPONENTS)}
        """The keys of the chosen bots and opponents."""
        self._worker: Worker | None = None
        self._playing: list[Pair] = []
        """The pairs that the process plays."""
        self._proving: Entry | None = None
        """The bot whose possible moves it examines instead."""
        self._said = "", "TLabel"
        """The sentence at the bottom, and its style."""
        px = self._theme.px
        self.inside.columnconfigure(0, weight=1)
        self.inside.rowconfigure(1, weight=1)
        self.inside.configure(padding=px(2))
        self._make_form()
        self.matrix = tk.Frame(self.inside, takefocus=1, highlightthickness=self._theme.ring)
        self.matrix.grid(row=1, sticky="nsew", pady=px(2))
        for key, down, right in (("Up", -1, 0), ("Down", 1, 0), ("Left", 0, -1), ("Right", 0, 1)):
            self.matrix.bind(f"<{key}>", partial(self._step, down, right))
        self.cells: dict[Pair, tk.Label] = {}
        self._filled_for: object = None
        ttk.Label(self.inside, text=LEGEND, style="Muted.TLabel").grid(row=2, sticky="w")
        self.title = ttk.Label(self.inside, style="Strong.TLabel")
        self.title.grid(row=3, sticky="w", pady=(px(2), 0))
        self._make_facts()
        self.status = ttk.Label(self.inside, anchor="nw", justify=tk.LEFT)
        self.status.grid(row=5, sticky="new", pady=px(1))
        ends = ttk.Frame(self.inside)
        ends.grid(row=6, sticky="ew")
        self.copy_button = ttk.Button(ends, text="Copy as Markdown", command=self.copy)
        self.save_button = ttk.Button(ends, text="Save CSV…", command=self.save)
        self.beat_button = ttk.Button(ends, text="A Game That Beats It", command=self.prove)
        for button in (self.copy_button, self.save_button, self.beat_button):
            button.pack(side=tk.LEFT, padx=(0, px(1.5)))
        self.bind("<<ThemeChanged>>", lambda _: self._draw())
        self._refill()

    def _make_form(self) -> None:
        theme = self._theme
        form = ttk.Frame(self.inside)
        form.grid(row=0, sticky="ew")
        self.menu = tk.Menu(self, tearoff=False)
        self.pickers: dict[str, ttk.Button] = {}
        for kind in self.ticks:
            button = self.pickers[kind] = ttk.Button(form, text=f"{kind.capitalize()} ▾")
            button.configure(command=partial(self._pick, kind))
            button.pack(side=tk.LEFT, padx=(0, theme.px(1.5)))
        self.fields: dict[str, tk.StringVar] = {}
        self.entries: dict[str, ttk.Entry] = {}
        for name, (value, width, *_) in NUMBERS.items():
            ttk.Label(form, text=name).pack(side=tk.LEFT, padx=(theme.px(2), theme.px(1)))
            text = self.fields[name] = tk.StringVar(self, value)
            text.trace_add("write", lambda *_: self._draw())
            entry = ttk.Entry(form, textvariable=text, width=width, font=theme.body)
            self.entries[name] = entry
            entry.bind("<Return>", lambda _: self.run())
            entry.pack(side=tk.LEFT)
        self.run_button = ttk.Button(form, style="Accent.TButton", command=self.run)
        self.run_button.pack(side=tk.LEFT, padx=theme.px(3))
        self.bar = ttk.Progressbar(form, length=theme.px(25))
        self.bar.pack(side=tk.LEFT, fill=tk.X, expand=True)

    def _make_facts(self) -> None:
        """Make the labels for the columns of the chosen row; each heading explains itself."""
        frame = ttk.Frame(self.inside)
        frame.grid(row=4, sticky="ew")
        self.facts: dict[str, ttk.Label] = {}
        self.headings: list[ttk.Label] = []
        for number, column in enumerate(reports.SHOWN):
            # Tab stops once for all headings; the arrow keys go from one to the next.
            heading = ttk.Label(frame, text=column.heading, takefocus=number == 0)
            value = self.facts[column.key] = ttk.Label(frame)
            self.headings.append(heading)
            across, row = divmod(number, _FACTS_DOWN)
            for place, label in enumerate((heading, value)):
                gap = self._theme.px(2 + 4 * place)
                label.grid(row=row, column=2 * across + place, sticky="w", padx=(0, gap))
                for event, shown in (
                    ("Enter", number),
                    ("FocusIn", number),
                    ("Leave", None),
                    ("FocusOut", None),
                ):
                    label.bind(f"<{event}>", partial(self._explain, shown))
            for key, steps in (("Up", -1), ("Down", 1)):
                place = (number + steps) % len(reports.SHOWN)
                heading.bind(f"<{key}>", lambda _, at=place: self.headings[at].focus_set())  # type: ignore[misc]

    def _explain(self, number: int | None, _: object = None) -> None:
        """Explain a heading in place of the sentence, which comes back afterwards."""
        for other, heading in enumerate(self.headings):
            heading.configure(style="TLabel" if other == number else "Muted.TLabel")
        text, style = self._said
        if number is not None:
            column = reports.SHOWN[number]
            text, style = f"{column.heading}: {column.about}", "TLabel"
        self.status.configure(text=text, style=style)

    def _say(self, text: str, style: str = "TLabel") -> None:
        self._said = text, style
        self._explain(None)

    # --- who plays ---

    def show(self, key: str) -> None:
        """Show the bot *key* in the matrix: alone, unless it is among the chosen ones."""
        if key not in self.ticks["bots"]:
            self.ticks["bots"], self.chosen = [key], None
        self._refill()

    def _refill(self) -> None:
        """Read the roster again; forget who has gone, and rows of tables that have changed."""
        entries = (entry for entry in self._context.roster.entries() if not entry.problem)
        before, self._entries = self._stamps, {entry.key: entry for entry in entries}
        self._stamps = {key: (one, one.stamp()) for key, one in self._entries.items()}
        same = {key for key, stamp in self._stamps.items() if stamp == before.get(key)}
        self.rows = {pair: row for pair, row in self.rows.items() if same.issuperset(pair)}
        for kind, keys in self.ticks.items():
            self.ticks[kind] = [key for key in keys if key in self._entries]
        self._draw()

    def _pick(self, kind: str) -> None:
        """Show the menu that ticks bots or opponents."""
        self._refill()
        menu, button = self.menu, self.pickers[kind]
        menu.delete(0, tk.END)
        # Keep the variables, because the ticks vanish when Python deletes them.
        self._is_ticked = {
            key: tk.BooleanVar(self, key in self.ticks[kind]) for key in self._entries
        }
        group = None
        for key, entry in self._entries.items():
            if group not in (None, entry.group):
                menu.add_separator()
            group = entry.group
            menu.add_checkbutton(
                label=entry.name,
                variable=self._is_ticked[key],
                command=partial(self.tick, kind, key),
            )
        menu.tk_popup(button.winfo_rootx(), button.winfo_rooty() + button.winfo_height())

    def tick(self, kind: str, key: str) -> None:
        """Add the player *key* to the chosen bots or opponents, or take it away."""
        ticked = {*self.ticks[kind]} ^ {key}
        self.ticks[kind] = [key for key in self._entries if key in ticked]
        self._draw()

    # --- what is shown ---

    def _fill_matrix(self) -> None:
        """Make a cell for each pair, with the names of the bots and of their opponents around."""
        theme, colours = self._theme, self._theme.colours
        for child in self.matrix.winfo_children():
            child.destroy()
        self.cells.clear()
        self.matrix.configure(
            background=colours.surface, highlightbackground=colours.surface,
            highlightcolor=colours.accent,
        )  # fmt: skip
        bots, opponents = self.ticks.values()

        def add_heading(key: str, font: tkfont.Font, **place: Any) -> None:
            name = fitted(self._entries[key].name, len, _LONGEST_NAME)
            heading = ttk.Label(self.matrix, text=name, style="Surface.TLabel", font=font)
            heading.grid(padx=theme.px(1), **place)

        for column, key in enumerate(opponents, start=1):
            self.matrix.columnconfigure(column, uniform="cells")
            add_heading(key, theme.body, row=0, column=column, pady=theme.px(2))
        for row, bot in enumerate(bots, start=1):
            add_heading(bot, theme.strong, row=row, column=0, sticky="w")
            for column, opponent in enumerate(opponents, start=1):
                cell = tk.Label(self.matrix, width=_CELL, pady=theme.px(1.5), font=theme.body)
                cell.configure(highlightthickness=theme.px(0.75))
                cell.grid(row=row, column=column, sticky="nsew")
                cell.bind("<Button-1>", partial(self.choose, (bot, opponent)))
                self.cells[bot, opponent] = cell

    def _draw(self) -> None:
        """Show everything as it is."""
        pairs = [(bot, other) for bot in self.ticks["bots"] for other in self.ticks["opponents"]]
        if self._filled_for != (pairs, self._theme.name):
            self._filled_for = pairs, self._theme.name
            self._fill_matrix()
        if self.chosen not in pairs:
            self.chosen = pairs[0] if pairs else None
        colours = self._theme.colours
        for pair, cell in self.cells.items():
            row = self.rows.get(pair)
            score = None
            if row is not None:
                score = row.exact.total if row.exact is not None else row.both.rate
            cell.configure(
                text="" if row is None else cell_text(row),
                background=colours.pressed if score is None else wash(2 * score - 1),
                foreground=colours.text if score is None else ON_WASH,
                highlightbackground=colours.accent if pair == self.chosen else colours.surface,
            )
        self.inside.rowconfigure(5, minsize=3 * self._theme.body.metrics("linespace"))
        self.status.configure(wraplength=max(self._theme.px(120), self.matrix.winfo_reqwidth()))
        row = self.rows.get(self.chosen) if self.chosen else None
        names = [self._entries[key].name for key in self.chosen or ()]
        self.title.configure(text=" against ".join(names))
        for column in reports.SHOWN:
            self.facts[column.key].configure(text=column.show(row) if row else "–")
        if self._proving is None:
            self._say((row and result_text(row)) or (PLAYING if self.is_running else ""))
        self._draw_form()

    def _draw_form(self) -> None:
        """Mark numbers that are wrong, and grey the buttons that could do nothing."""
        numbers = self.numbers()
        for entry, number in zip(self.entries.values(), numbers, strict=True):
            entry.configure(style="Wrong.TEntry" if number is None else "TEntry")
        self.run_button.configure(text="Stop" if self.is_running else "Run")
        has_rows = bool(self._rows_shown())
        is_known = self.chosen is not None and self._entries[self.chosen[0]].program is None
        for button, can in (
            (self.run_button, self.is_running or (self.cells and None not in numbers)),
            (self.copy_button, has_rows),
            (self.save_button, has_rows),
            (self.beat_button, is_known and not self.is_running),
        ):
            button.configure(state=tk.NORMAL if can else tk.DISABLED)

    def _rows_shown(self) -> list[Row]:
        """Return the rows of the matrix, in its order."""
        return [self.rows[pair] for pair in self.cells if pair in self.rows]

    def choose(self, pair: Pair, _: object = None) -> None:
        """Show the facts of *pair*."""
        self.chosen = pair
        self.matrix.focus_set()
        self._draw()

    def _step(self, down: int, right: int, _: object) -> None:
        bots, opponents = self.ticks.values()
        if self.chosen is not None:
            row = bots.index(self.chosen[0]) + down
            column = opponents.index(self.chosen[1]) + right
            if 0 <= row < len(bots) and 0 <= column < len(opponents):
                self.choose((bots[row], opponents[column]))

    # --- the work ---

    def numbers(self) -> list[int | None]:
        """Return games and seed; None for each that is not such a number."""
        return [
            whole_number(self.fields[name].get(), *limits)
            for name, (_, _, *limits) in NUMBERS.items()
        ]

    @property
    def is_running(self) -> bool:
        """Whether an evaluation or a proof is under way."""
        return self._worker is not None

    def run(self) -> None:
        """Play every pair that has no complete row of so many games; if none is left, play all.

        Stop what is running; the games that were played stay.
        """
        if self.is_running:
            self.stop()
            return
        self._refill()
        games, seed = self.numbers()
        if games is None or seed is None or not self.cells:
            return
        done = {p for p, row in self.rows.items() if row.is_complete and row.games == games}
        pairs = [pair for pair in self.cells if pair not in done] or list(self.cells)
        for pair in pairs:
            self.rows.pop(pair, None)
        entries = tuple((self._entries[bot], self._entries[other]) for bot, other in pairs)
        self._playing = pairs
        self._start(partial(evaluate_pairs, entries, games, seed))

    def stop(self) -> None:
        """Stop what is running, if anything is."""
        if self.is_running:
            said = self._said[0].removeprefix(PLAYING)
            self._end()
            self._say(f"Stopped. {said}".strip())

    def prove(self) -> None:
        """Look for a game that beats the chosen bot, and show it on the board."""
        if self.chosen is not None and not self.is_running:
            bot = self._proving = self._entries[self.chosen[0]]
            self._start(partial(prove_bot, bot))
            self._say(f"Examining every line of play that {bot.name} allows…")
            self.bar.configure(mode="indeterminate")
            self.bar.start(40)

    def _start(self, task: object) -> None:
        self._worker = Worker(evaluation_process, task)
        watch(self._context.root, self._worker, self._take)
        self._draw()

    def _end(self) -> None:
        """End the process, if there is one."""
        if self._worker is not None:
            self._worker.end()
            self._worker = self._proving = None
        self.bar.stop()
        self.bar.configure(mode="determinate", value=0)
        self._draw()

    def _take(self, message: object) -> None:
        """Take what the process has sent."""
        bot = self._proving
        match message:
            case Row(planned=games):
                self.rows[message.bot.key, message.opponent.key] = message
                played = sum(self.rows[pair].games for pair in self._playing if pair in self.rows)
                self.bar.configure(value=100 * played / (games * len(self._playing)))
                self._draw()
            case Walked(seat, _, positions, blunders) if bot:
                self._say(
                    f"Examining every line of play that {bot.name} allows as Player {seat + 1}: "
                    f"{positions:,} positions and {blunders:,} possible blunders so far."
                )
            case Proof() if bot:
                self._end()
                self._say(message.text(bot.name).replace("\n", " "))
                if message.counterexample is not None:
                    players = Player(), Player(bot.key, bot.name)
                    if message.beaten_seat == 0:
                        players = players[1], players[0]
                    self._context.show_game(Game(actions=message.counterexample, players=players))
            case Ended(error, details) if self.is_running:
                self._end()
                if error:
                    self._say(sentence(error), "Warning.TLabel")
                if details:
                    self._context.log(details)

    # --- out ---

    def copy(self) -> None:
        """Put the rows of the matrix on the clipboard as a table in Markdown."""
        self.clipboard_clear()
        self.clipboard_append(reports.markdown(reports.table(self._rows_shown())))
        self._say("The table is on the clipboard.")

    def save(self) -> None:
        """Ask for a file, and save the rows of the matrix in it."""
        content = reports.to_csv(self._rows_shown())
        self._say(save_as(self, "Save CSV", "evaluation.csv", [("CSV", "*.csv")], content))
