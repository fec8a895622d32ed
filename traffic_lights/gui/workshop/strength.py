"""The Strength tab of the Workshop: a matrix of bots and opponents, filled while they play."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.palette import roles
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.actions import save_as
from traffic_lights.gui.workshop.model import sentence
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row
from traffic_lights.judging.proof import Proof, Walked
from traffic_lights.judging.worker import (
    EvaluationTask,
    ProofTask,
    evaluation_process,
)
from traffic_lights.pictures.charts import fitted
from traffic_lights.pictures.shares import exact_percent
from traffic_lights.players.game import Game, Player
from traffic_lights.players.roster import Entry
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.system.words import MOST_SEED, whole_number

OPPONENTS: Final = ("random", "alternate", "myopic", "exact")
"""The opponents that are chosen at first."""
NUMBERS: Final = {"Games": ("1,000", 9, 1, 10**7), "Seed": ("1", 6, 0, MOST_SEED)}
"""The value of each field at first, its width in letters, its lowest and its highest value."""
POLL_EVERY_MS: Final = 100
_FACTS_DOWN: Final = 4
_LONGEST_NAME: Final = 20
_CELL: Final = 9
"""The least width of a cell of the matrix, in letters."""
PLAYING: Final = "Playing. Slow players and exact scores take a while."
LEGEND: Final = "“≈” marks a score from played games. All other scores are exact."

Pair = tuple[str, str]
"""The keys of a bot and of its opponent."""


def score_of(row: Row) -> float | None:
    """Return the exact score of *row*, or the share of games won; None before the first game."""
    if row.exact is not None:
        return row.exact.total
    return row.both.rate


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
    texts = [reports.CEILING] if row.best == 0 else []
    if row.forfeit:
        texts.append(reports.forfeit_text(row))
    return " ".join(texts)


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
        self._task: EvaluationTask | ProofTask | None = None
        self._timer = ""
        self.inside.columnconfigure(0, weight=1)
        self.inside.rowconfigure(1, weight=1)
        self.inside.configure(padding=self._theme.px(2))
        self._make_form()
        self._make_matrix()
        self._make_facts()
        self._make_ends()
        self.bind("<Destroy>", lambda event: self._end() if event.widget is self else None)
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
            entry.bind("<Return>", lambda _: self.run())
            entry.pack(side=tk.LEFT)
            self.entries[name] = entry
        self.run_button = ttk.Button(form, style="Accent.TButton", command=self._run_or_stop)
        self.run_button.pack(side=tk.LEFT, padx=theme.px(3))
        self.bar = ttk.Progressbar(form, length=theme.px(25))
        self.bar.pack(side=tk.LEFT, fill=tk.X, expand=True)

    def _make_matrix(self) -> None:
        self.matrix = tk.Frame(self.inside, takefocus=1, highlightthickness=self._theme.ring)
        self.matrix.grid(row=1, sticky="nsew", pady=self._theme.px(2))
        for key, down, right in (("Up", -1, 0), ("Down", 1, 0), ("Left", 0, -1), ("Right", 0, 1)):
            self.matrix.bind(f"<{key}>", partial(self._step, down, right))
        self.cells: dict[Pair, tk.Label] = {}
        self._filled_for: object = None
        ttk.Label(self.inside, text=LEGEND, style="Muted.TLabel").grid(row=2, sticky="w")

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
        for column, key in enumerate(opponents, start=1):
            self.matrix.columnconfigure(column, uniform="cells")
            name = fitted(self._entries[key].name, _LONGEST_NAME)
            heading = ttk.Label(self.matrix, text=name, style="Surface.TLabel")
            heading.grid(row=0, column=column, padx=theme.px(1), pady=theme.px(2))
        for row, bot in enumerate(bots, start=1):
            name = fitted(self._entries[bot].name, _LONGEST_NAME)
            heading = ttk.Label(self.matrix, text=name, style="Surface.TLabel", font=theme.strong)
            heading.grid(row=row, column=0, sticky="w", padx=theme.px(1))
            for column, opponent in enumerate(opponents, start=1):
                cell = tk.Label(self.matrix, width=_CELL, pady=theme.px(1.5), font=theme.body)
                cell.configure(highlightthickness=theme.px(0.75))
                cell.grid(row=row, column=column, sticky="nsew")
                cell.bind("<Button-1>", partial(self.choose, (bot, opponent)))
                self.cells[bot, opponent] = cell

    def _make_facts(self) -> None:
        """Make the labels for the columns of the chosen row, and room for sentences."""
        theme = self._theme
        self.title = ttk.Label(self.inside, style="Strong.TLabel")
        self.title.grid(row=3, sticky="w", pady=(theme.px(2), 0))
        frame = ttk.Frame(self.inside)
        frame.grid(row=4, sticky="ew")
        self.facts: dict[str, ttk.Label] = {}
        self.headings: list[ttk.Label] = []
        for number, column in enumerate(reports.SHOWN):
            across, row = divmod(number, _FACTS_DOWN)
            heading = ttk.Label(frame, text=column.heading, style="Muted.TLabel")
            # One stop of Tab leads to all headings: the arrow keys go from one to the next.
            heading.configure(takefocus=number == 0)
            heading.bind("<Up>", partial(self._go_to_heading, number - 1))
            heading.bind("<Down>", partial(self._go_to_heading, number + 1))
            value = ttk.Label(frame)
            for place, label in enumerate((heading, value)):
                gap = theme.px(2 + 4 * place)
                label.grid(row=row, column=2 * across + place, sticky="w", padx=(0, gap))
                for event in ("<Enter>", "<FocusIn>"):
                    label.bind(event, partial(self._explain, number))
                for event in ("<Leave>", "<FocusOut>"):
                    label.bind(event, partial(self._explain, None))
            self.headings.append(heading)
            self.facts[column.key] = value
        self.status = ttk.Label(self.inside, anchor="nw", justify=tk.LEFT)
        self.status.grid(row=5, sticky="new", pady=theme.px(1))
        self._said, self._is_warning = "", False

    def _go_to_heading(self, number: int, _: object) -> str:
        self.headings[number % len(self.headings)].focus_set()
        return "break"  # otherwise the page would scroll

    def _explain(self, number: int | None, _: object = None) -> None:
        """Explain a heading in place of the sentence, which comes back afterwards."""
        for other, heading in enumerate(self.headings):
            heading.configure(style="TLabel" if other == number else "Muted.TLabel")
        text, style = self._said, "Warning.TLabel" if self._is_warning else "TLabel"
        if number is not None:
            column = reports.SHOWN[number]
            text, style = f"{column.heading}: {column.about}", "TLabel"
        self.status.configure(text=text, style=style)

    def _make_ends(self) -> None:
        row = ttk.Frame(self.inside)
        row.grid(row=6, sticky="ew")
        self.copy_button = ttk.Button(row, text="Copy as Markdown", command=self.copy)
        self.save_button = ttk.Button(row, text="Save CSV…", command=self.save)
        self.beat_button = ttk.Button(row, text="A Game That Beats It", command=self.prove)
        for button in (self.copy_button, self.save_button, self.beat_button):
            button.pack(side=tk.LEFT, padx=(0, self._theme.px(1.5)))

    # --- who plays ---

    def show(self, key: str) -> None:
        """Show the bot *key* in the matrix: alone, unless it is among the chosen ones."""
        if key not in self.ticks["bots"]:
            self.ticks["bots"], self.chosen = [key], None
        self._refill()

    def _refill(self) -> None:
        """Read the roster again; forget who has gone, and rows of tables that have changed."""
        self._entries = {
            entry.key: entry for entry in self._context.roster.entries() if not entry.problem
        }
        stamps: dict[str, object] = {
            key: (entry.table, entry.program, entry.stamp()) for key, entry in self._entries.items()
        }
        same = {key for key, stamp in stamps.items() if stamp == self._stamps.get(key)}
        self.rows = {pair: row for pair, row in self.rows.items() if same.issuperset(pair)}
        self._stamps = stamps
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

    def _draw(self) -> None:
        """Show everything as it is."""
        pairs = [(bot, other) for bot in self.ticks["bots"] for other in self.ticks["opponents"]]
        if self._filled_for != (pairs, self._theme.name):
            self._filled_for = pairs, self._theme.name
            self._fill_matrix()
        if self.chosen not in pairs:
            self.chosen = pairs[0] if pairs else None
        colours = roles(self._theme.name)
        for pair, cell in self.cells.items():
            row = self.rows.get(pair)
            score = None if row is None else score_of(row)
            role = "grid" if score is None else f"wash {round(8 * score - 4)}"
            cell.configure(
                text="" if row is None else cell_text(row),
                background=colours[role],
                foreground=colours["text" if score is None else "on wash"],
                highlightbackground=colours["accent" if pair == self.chosen else "back"],
            )
        line = self._theme.body.metrics("linespace")
        self.inside.rowconfigure(5, minsize=3 * line)
        self.status.configure(wraplength=max(self._theme.px(120), self.matrix.winfo_reqwidth()))
        self._draw_facts()
        self._draw_buttons()

    def _draw_facts(self) -> None:
        """Show what is known of the chosen pair."""
        row = self.rows.get(self.chosen) if self.chosen else None
        self.title.configure(
            text=" against ".join(self._entries[k].name for k in self.chosen or ())
        )
        for column in reports.SHOWN:
            self.facts[column.key].configure(text=column.show(row) if row else "–")
        if not isinstance(self._task, ProofTask):
            text = result_text(row) if row else ""
            self._say(text or (PLAYING if self.is_running else ""))

    def _draw_buttons(self) -> None:
        numbers, rows = self.numbers(), self._rows_shown()
        for entry, number in zip(self.entries.values(), numbers, strict=True):
            entry.configure(style="Wrong.TEntry" if number is None else "TEntry")
        can_run = self.cells and None not in numbers
        is_known = self.chosen is not None and self._entries[self.chosen[0]].program is None
        self.run_button.configure(text="Stop" if self.is_running else "Run")
        for button, can in (
            (self.run_button, self.is_running or can_run),
            (self.copy_button, rows),
            (self.save_button, rows),
            (self.beat_button, is_known and not self.is_running),
        ):
            button.configure(state=tk.NORMAL if can else tk.DISABLED)

    def _say(self, text: str, *, is_warning: bool = False) -> None:
        self._said, self._is_warning = text, is_warning
        self._explain(None)

    def _rows_shown(self) -> list[Row]:
        """Return the rows of the matrix, in its order."""
        return [self.rows[pair] for pair in self.cells if pair in self.rows]

    def choose(self, pair: Pair, _: object = None) -> None:
        """Show the facts of *pair*."""
        self.chosen = pair
        self.matrix.focus_set()
        self._draw()

    def _step(self, down: int, right: int, _: object) -> str:
        bots, opponents = self.ticks.values()
        if self.chosen is not None:
            row = bots.index(self.chosen[0]) + down
            column = opponents.index(self.chosen[1]) + right
            if 0 <= row < len(bots) and 0 <= column < len(opponents):
                self.choose((bots[row], opponents[column]))
        return "break"  # otherwise the page would scroll

    # --- the work ---

    def numbers(self) -> list[int | None]:
        """Return games and seed; None for each that is not such a number."""
        texts = {name: text.get() for name, text in self.fields.items()}
        return [whole_number(texts[name], *limits) for name, (_, _, *limits) in NUMBERS.items()]

    @property
    def is_running(self) -> bool:
        """Whether an evaluation or a proof is under way."""
        return self._worker is not None

    def _run_or_stop(self) -> None:
        if self.is_running:
            self.stop()
        else:
            self.run()

    def run(self) -> None:
        """Play every pair that has no complete row of so many games; if none is left, play all."""
        self._refill()
        games, seed = self.numbers()
        if self.is_running or games is None or seed is None:
            return
        done = {p for p, row in self.rows.items() if row.is_complete and row.games == games}
        pairs = [pair for pair in self.cells if pair not in done]
        pairs = pairs or list(self.cells)
        for pair in pairs:
            self.rows.pop(pair, None)
        entries = tuple((self._entries[bot], self._entries[other]) for bot, other in pairs)
        if entries:
            self._start(EvaluationTask(entries, games, seed))

    def prove(self) -> None:
        """Look for a game that beats the chosen bot, and show it on the board."""
        if self.chosen is not None and not self.is_running:
            bot = self._entries[self.chosen[0]]
            self._start(ProofTask(bot))
            self._say(f"Examining every line of play that {bot.name} allows…")
            self.bar.configure(mode="indeterminate")
            self.bar.start(40)

    def _start(self, task: EvaluationTask | ProofTask) -> None:
        self._worker, self._task = Worker(evaluation_process, task), task
        self._timer = self.after(1, self._poll, self._worker, task)
        self._draw()

    def stop(self) -> None:
        """Stop at once; the games that were played stay."""
        said = self._said.removeprefix(PLAYING)
        self._end()
        self._say(f"Stopped. {said}".strip())

    def _end(self) -> None:
        """End the process, if there is one."""
        if self._worker is not None:
            self._worker.end()
            self.after_cancel(self._timer)
            self._worker = self._task = None
        if self.bar.winfo_exists():
            self.bar.stop()
            self.bar.configure(mode="determinate", value=0)
            self._draw()

    def _poll(self, worker: Worker, task: EvaluationTask | ProofTask) -> None:
        """Take what the process has sent."""
        self._timer = self.after(POLL_EVERY_MS, self._poll, worker, task)
        messages = worker.poll()
        for message in messages:
            match message:
                case Row():
                    self.rows[message.bot.key, message.opponent.key] = message
                case Walked() if isinstance(task, ProofTask):
                    self._say(
                        f"Examining every line of play that {task.bot.name} allows as Player "
                        f"{message.seat + 1}: {message.positions:,} positions and "
                        f"{message.slips:,} possible blunders so far."
                    )
                case Proof() if isinstance(task, ProofTask):
                    self._end()
                    self._proven(task.bot, message)
                case Ended(error, details) if self.is_running:
                    self._end()
                    if error:
                        self._say(sentence(error), is_warning=True)
                    if details:
                        self._context.log(details)
        if messages and self.is_running and isinstance(task, EvaluationTask):
            self._show_progress(task)

    def _show_progress(self, task: EvaluationTask) -> None:
        """Show the rows so far."""
        pairs = [(bot.key, opponent.key) for bot, opponent in task.pairs]
        rows = [self.rows[pair] for pair in pairs if pair in self.rows]
        played = sum(row.games for row in rows)
        self.bar.configure(value=100 * played / (task.games * len(pairs)))
        self._draw()

    def _proven(self, bot: Entry, proof: Proof) -> None:
        self._say(reports.proof_text(bot.name, proof).replace("\n", " "))
        if proof.counterexample is not None:
            player = Player(bot.key, bot.name)
            players = (player, Player()) if proof.beaten_seat == 0 else (Player(), player)
            self._context.show_game(Game(actions=proof.counterexample, players=players))

    # --- out ---

    def copy(self) -> None:
        """Put the rows of the matrix on the clipboard as a table in Markdown."""
        self.clipboard_clear()
        self.clipboard_append(reports.markdown(reports.table(self._rows_shown())))
        self._say("The table is on the clipboard.")

    def save(self) -> None:
        """Ask for a file, and save the rows of the matrix in it."""
        content = reports.to_csv(self._rows_shown())
        self._say(save_as(self, "Save CSV", "evaluation.csv", "CSV", content))
