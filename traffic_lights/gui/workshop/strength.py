"""The Strength tab of the Workshop: a matrix of bots and opponents, filled while they play."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from traffic_lights.gui.kit.canvas_view import CanvasView
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.model import sentence
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row
from traffic_lights.judging.proof import Proof, Walked
from traffic_lights.judging.worker import (
    EvaluationTask,
    Failure,
    ProofTask,
    evaluation_process,
)
from traffic_lights.pictures.charts import fitted, wash_role
from traffic_lights.pictures.drawing import Box, Drawing, Shape, Stroke, Text
from traffic_lights.pictures.shares import exact_percent
from traffic_lights.players.game import Game, Player
from traffic_lights.players.roster import Entry, Roster
from traffic_lights.storage.files import StorageError, write_atomically
from traffic_lights.system.processes import Worker
from traffic_lights.system.typed import MOST_SEED, whole_number

OPPONENTS: Final = ("random", "alternate", "myopic", "exact")
"""The opponents that are chosen at first."""
GAMES: Final = "1,000"
MOST_GAMES: Final = 10**7
POLL_EVERY_MS: Final = 100
_SILENT_POLLS: Final = 20
"""After this many polls without a message the tab says why it can take a while."""
STILL_RUNNING: Final = "Still running. Slow players and exact scores take a while."
_FACTS_DOWN: Final = 4
_LONGEST_NAME: Final = 20
LEGEND: Final = "“≈” marks a score from played games. All other scores are exact."

Pair = tuple[str, str]
"""The keys of a bot and of its opponent."""


# --- the matrix, as a drawing ---


@dataclass(frozen=True, slots=True)
class Matrix:
    """Where the cells of a matrix lie; *line* and *letter* are the size of the type."""

    bots: Sequence[Entry]
    opponents: Sequence[Entry]
    line: float
    letter: float

    @property
    def left(self) -> float:
        """Where the first column of cells begins."""
        longest = max((len(bot.name) for bot in self.bots), default=0)
        return (min(longest, _LONGEST_NAME) + 2) * self.letter

    @property
    def cell(self) -> tuple[float, float]:
        """The width and height of a cell."""
        longest = max((len(opponent.name) for opponent in self.opponents), default=0)
        return (min(max(longest, 9), _LONGEST_NAME) + 1) * self.letter, 2 * self.line

    @property
    def size(self) -> tuple[int, int]:
        """The room that the whole matrix needs."""
        width, height = self.cell
        across = self.left + width * len(self.opponents)
        return round(across) + 4, round(2 * self.line + height * len(self.bots)) + 4

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """Return the upper left corner of a cell."""
        width, height = self.cell
        return self.left + column * width, 2 * self.line + row * height

    def at(self, x: float, y: float) -> Pair | None:
        """Return the pair of the cell at a point."""
        width, height = self.cell
        column, row = int((x - self.left) // width), int((y - 2 * self.line) // height)
        if 0 <= row < len(self.bots) and 0 <= column < len(self.opponents):
            return self.bots[row].key, self.opponents[column].key
        return None

    def draw(self, rows: Mapping[Pair, Row], chosen: Pair | None) -> Drawing:
        """Return the matrix with the scores of *rows*, the cell *chosen* framed."""
        width, height = self.cell
        shapes: list[Shape] = []
        for column, opponent in enumerate(self.opponents):
            x, _ = self.corner(0, column)
            name = fitted(opponent.name, _LONGEST_NAME)
            shapes.append(Text(x + width / 2, self.line, name, "muted", "center"))
        for number, bot in enumerate(self.bots):
            _, y = self.corner(number, 0)
            name = fitted(bot.name, _LONGEST_NAME)
            shapes.append(Text(self.letter / 2, y + height / 2, name, strong=True))
            for column, opponent in enumerate(self.opponents):
                x, _ = self.corner(number, column)
                pair = bot.key, opponent.key
                row = rows.get(pair)
                score = None if row is None else score_of(row)
                role = "grid" if score is None else wash_role(2 * score - 1)
                shapes.append(Box(x + 2, y + 2, x + width - 2, y + height - 2, role))
                if row is not None:
                    ink = "text" if score is None else "on wash"
                    text = Text(x + width / 2, y + height / 2, cell_text(row), ink, "center")
                    shapes.append(text)
                if pair == chosen:
                    x0, y0, x1, y1 = x + 1, y + 1, x + width - 1, y + height - 1
                    around = (x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)
                    shapes.append(Stroke(around, "accent", 3))
        return Drawing(*self.size, shapes)


def score_of(row: Row) -> float | None:
    """Return the exact score of *row*, or the share of games won; None before the first game."""
    if row.exact is not None:
        return row.exact.total
    return row.rate if row.games else None


def cell_text(row: Row) -> str:
    """Return the words of a cell: an exact score only if it is one.

    >>> from traffic_lights.judging.evaluation import SeatScore
    >>> from traffic_lights.board.exact import ExactScore
    >>> bot = Roster().entry("random")
    >>> cell_text(Row(bot, bot, 4, SeatScore(2, 1), SeatScore(2, 0)))
    '≈ 25 %'
    >>> cell_text(Row(bot, bot, 4, exact=ExactScore(0.4, 1.0)))
    '70.00 %'
    """
    if row.exact is not None:
        return exact_percent(row.exact.total)
    return f"≈ {100 * row.wins // row.games} %" if row.games else "…"


# --- sentences ---


def result_text(row: Row) -> str:
    """Return what the columns do not say about *row*; mostly empty."""
    texts = [reports.CEILING] if row.best.first == 0 else []
    if row.forfeits.first:
        texts.append(reports.forfeit_text(row))
    return " ".join(texts)


def progress_text(name: str, walked: Walked) -> str:
    """Return how far the proof of the bot *name* is."""
    return (
        f"Examining every line of play that {name} allows as Player {walked.seat + 1}: "
        f"{walked.positions:,} positions and {walked.slips:,} possible blunders so far."
    )


# --- the tab ---


class StrengthTab(ttk.Frame):
    """Evaluates the chosen bots, one pair after the other; the rows stay while the tab exists."""

    def __init__(self, parent: tk.Misc, context: Context, roster: Roster) -> None:
        super().__init__(parent)
        self._context, self._roster = context, roster
        theme = self._theme = context.theme
        self.rows: dict[Pair, Row] = {}
        self.chosen: Pair | None = None
        self._stamps: dict[Pair, object] = {}
        """What changes when the table of a bot does; a row of an older table is not shown."""
        self._entries: dict[str, Entry] = {}
        self.ticks: dict[str, list[str]] = {"bots": [], "opponents": list(OPPONENTS)}
        """The keys of the chosen bots and opponents."""
        self._worker: Worker | None = None
        self._task: EvaluationTask | ProofTask | None = None
        self._timer: str | None = None
        self._silent = 0
        self._walked: Walked | None = None
        self.rowconfigure(0, weight=1)
        self.columnconfigure(0, weight=1)
        self.body = ScrollFrame(self, theme, across=True)
        self.body.grid(sticky="nsew")
        inside = self.body.inside
        inside.columnconfigure(0, weight=1)
        inside.rowconfigure(1, weight=1)
        inside.configure(padding=theme.px(2))
        self._make_form(inside)
        self.view = CanvasView(inside, theme, lambda _w, _h: self._drawing(), (1, 1))
        self.view.grid(row=1, sticky="nsew", pady=theme.px(2))
        self.view.configure(takefocus=1, highlightthickness=theme.ring)
        self.view.bind("<Button-1>", self._clicked)
        for key, step in (("Up", (-1, 0)), ("Down", (1, 0)), ("Left", (0, -1)), ("Right", (0, 1))):
            self.view.bind(f"<{key}>", lambda _, s=step: self._step(*s))  # type: ignore[misc]
        ttk.Label(inside, text=LEGEND, style="Muted.TLabel").grid(row=2, sticky="w")
        self._make_facts(inside)
        self._make_ends(inside)
        self.bind("<Destroy>", lambda event: self._end() if event.widget is self else None)
        self.bind("<<ThemeChanged>>", lambda _: self._arrange())
        self._refill()

    def _make_form(self, parent: ttk.Frame) -> None:
        theme = self._theme
        form = ttk.Frame(parent)
        form.grid(row=0, sticky="ew")
        self.menu = tk.Menu(self, tearoff=False)
        self.pickers: dict[str, ttk.Button] = {}
        for kind in self.ticks:
            button = self.pickers[kind] = ttk.Button(form, text=f"{kind.capitalize()} ▾")
            button.configure(command=lambda k=kind: self._pick(k))  # type: ignore[misc]
            button.pack(side=tk.LEFT, padx=(0, theme.px(1.5)))
        self.fields: dict[str, tk.StringVar] = {}
        self.entries: dict[str, ttk.Entry] = {}
        for name, value, width in (("Games", GAMES, 9), ("Seed", "1", 6)):
            ttk.Label(form, text=name).pack(side=tk.LEFT, padx=(theme.px(2), theme.px(1)))
            self.fields[name] = tk.StringVar(self, value)
            entry = self.entries[name] = ttk.Entry(
                form, textvariable=self.fields[name], width=width, font=theme.body
            )
            entry.bind("<Return>", lambda _: self.run())
            entry.pack(side=tk.LEFT)
            self.fields[name].trace_add("write", lambda *_: self._enable())
        self.run_button = ttk.Button(form, style="Accent.TButton", command=self._run_or_stop)
        self.run_button.pack(side=tk.LEFT, padx=theme.px(3))
        self.bar = ttk.Progressbar(form, maximum=1000, length=theme.px(25))
        self.bar.pack(side=tk.LEFT, fill=tk.X, expand=True)

    def _make_facts(self, parent: ttk.Frame) -> None:
        """Make the labels for the columns of the chosen row, and two lines for sentences."""
        theme = self._theme
        self.title = ttk.Label(parent, style="Strong.TLabel")
        self.title.grid(row=3, sticky="w", pady=(theme.px(2), 0))
        frame = ttk.Frame(parent)
        frame.grid(row=4, sticky="ew")
        self.facts: dict[str, ttk.Label] = {}
        self.headings: list[ttk.Label] = []
        for number, column in enumerate(reports.SHOWN):
            across, row = divmod(number, _FACTS_DOWN)
            heading = ttk.Label(frame, text=column.heading, style="Muted.TLabel")
            # One stop of Tab leads to all headings: the arrow keys go from one to the next.
            heading.configure(takefocus=number == 0)
            self.headings.append(heading)
            heading.bind("<FocusIn>", lambda _, n=number: self._mark_heading(n, is_marked=True))  # type: ignore[misc]
            heading.bind("<FocusOut>", lambda _, n=number: self._mark_heading(n, is_marked=False))  # type: ignore[misc]
            for event, step in (("<Up>", -1), ("<Down>", 1)):
                heading.bind(event, lambda _, n=number + step: self._focus_heading(n))  # type: ignore[misc]
            value = self.facts[column.key] = ttk.Label(frame)
            for place, label in enumerate((heading, value)):
                gap = theme.px(2 + 4 * place)
                label.grid(row=row, column=2 * across + place, sticky="w", padx=(0, gap))
                label.bind("<Enter>", lambda _, text=column.about: self._explain(text))  # type: ignore[misc]
                label.bind("<Leave>", lambda _: self._explain(""))
        self.status = ttk.Label(parent, anchor="nw", justify=tk.LEFT)
        self.status.grid(row=5, sticky="new", pady=theme.px(1))
        self._said, self._is_warning = "", False

    def _focus_heading(self, number: int) -> str:
        self.headings[number % len(self.headings)].focus_set()
        return "break"  # otherwise the page would scroll

    def _mark_heading(self, number: int, *, is_marked: bool) -> None:
        """Mark the heading that has the focus, and explain it."""
        column = reports.SHOWN[number]
        self.headings[number].configure(style="TLabel" if is_marked else "Muted.TLabel")
        self._explain(f"{column.heading}: {column.about}" if is_marked else "")

    def _make_ends(self, parent: ttk.Frame) -> None:
        theme = self._theme
        row = ttk.Frame(parent)
        row.grid(row=6, sticky="ew")
        self.copy_button = ttk.Button(row, text="Copy as Markdown", command=self.copy)
        self.save_button = ttk.Button(row, text="Save CSV…", command=self._ask_to_save)
        self.beat_button = ttk.Button(row, text="A Game That Beats It", command=self.prove)
        for button in (self.copy_button, self.save_button, self.beat_button):
            button.pack(side=tk.LEFT, padx=(0, theme.px(1.5)))

    # --- who plays ---

    def show(self, key: str) -> None:
        """Show the bot *key* in the matrix: alone, unless it is among the chosen ones."""
        self._refill()
        if key in self._entries and key not in self.ticks["bots"]:
            self.ticks["bots"] = [key]
            self.chosen = None
        self._arrange()

    def _refill(self) -> None:
        """Read the roster again; forget what has gone, and rows of tables that have changed."""
        self._entries = {entry.key: entry for entry in self._roster.entries() if not entry.problem}
        for kind, keys in self.ticks.items():
            self.ticks[kind] = [key for key in keys if key in self._entries]
        self.rows = {
            pair: row for pair, row in self.rows.items() if self._stamp(pair) == self._stamps[pair]
        }
        self._arrange()

    def _stamp(self, pair: Pair) -> object:
        entries = [self._entries.get(key) for key in pair]
        return [entry and (entry.table, entry.program, entry.stamp()) for entry in entries]

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
        for entry in self._entries.values():
            if group not in (None, entry.group):
                menu.add_separator()
            group = entry.group
            menu.add_checkbutton(
                label=entry.name, variable=self._is_ticked[entry.key],
                command=lambda k=entry.key: self.tick(kind, k),  # type: ignore[misc]
            )  # fmt: skip
        menu.tk_popup(button.winfo_rootx(), button.winfo_rooty() + button.winfo_height())

    def tick(self, kind: str, key: str) -> None:
        """Add the player *key* to the chosen bots or opponents, or take it away."""
        ticked = {*self.ticks[kind]} ^ {key}
        self.ticks[kind] = [key for key in self._entries if key in ticked]
        self._arrange()

    # --- what is shown ---

    def _matrix(self) -> Matrix:
        bots, opponents = (
            [self._entries[key] for key in self.ticks[kind]] for kind in ("bots", "opponents")
        )
        body = self._theme.body
        return Matrix(bots, opponents, body.metrics("linespace"), body.measure("0"))

    def _drawing(self) -> Drawing:
        return self._matrix().draw(self.rows, self.chosen)

    def _arrange(self) -> None:
        """Show everything as it is; the size of the matrix follows the chosen players."""
        matrix, colours = self._matrix(), self._theme.colours
        pairs = self._pairs()
        if self.chosen not in pairs:
            self.chosen = pairs[0] if pairs else None
        width, height = matrix.size
        self.view.configure(width=width, height=height, highlightcolor=colours.accent,
                            highlightbackground=colours.surface)  # fmt: skip
        self.status.configure(wraplength=max(self._theme.px(120), width))
        inside = self.body.inside
        inside.rowconfigure(5, minsize=3 * self._theme.body.metrics("linespace"))
        self._show_rows()

    def _show_rows(self) -> None:
        """Show the matrix and the chosen row as they are."""
        self.view.refresh()
        row = self.rows.get(self.chosen) if self.chosen else None
        names = [self._entries[key].name for key in self.chosen or ()]
        self.title.configure(text=" against ".join(names))
        for column in reports.SHOWN:
            self.facts[column.key].configure(text=column.show(row) if row else "–")
        if not isinstance(self._task, ProofTask):
            self._say(result_text(row) if row else "")
        self._enable()

    def _enable(self) -> None:
        is_running = self._worker is not None
        self.run_button.configure(text="Stop" if is_running else "Run")
        can_run = is_running or (bool(self._pairs()) and None not in self.numbers())
        self._set(self.run_button, can_run)
        self._set(self.copy_button, bool(self._shown()))
        self._set(self.save_button, bool(self._shown()))
        bot = self._entries.get(self.chosen[0]) if self.chosen else None
        self._set(self.beat_button, not is_running and bot is not None and bot.program is None)
        for name, value in zip(self.entries, self.numbers(), strict=True):
            self.entries[name].configure(style="TEntry" if value is not None else "Wrong.TEntry")

    @staticmethod
    def _set(button: ttk.Button, is_on: bool) -> None:
        button.configure(state=tk.NORMAL if is_on else tk.DISABLED)

    def _say(self, text: str, *, is_warning: bool = False) -> None:
        self._said, self._is_warning = text, is_warning
        self._explain("")

    def _explain(self, text: str) -> None:
        """Show *text* about a heading in place of the sentence, which comes back without it."""
        style = "Warning.TLabel" if self._is_warning and not text else "TLabel"
        self.status.configure(text=text or self._said, style=style)

    def _pairs(self) -> list[Pair]:
        return [(bot, other) for bot in self.ticks["bots"] for other in self.ticks["opponents"]]

    def _shown(self) -> list[Row]:
        """Return the rows of the matrix, in its order."""
        return [self.rows[pair] for pair in self._pairs() if pair in self.rows]

    def choose(self, pair: Pair) -> None:
        """Show the facts of *pair*."""
        self.chosen = pair
        self._show_rows()

    def _clicked(self, event: tk.Event[tk.Misc]) -> None:
        self.view.focus_set()
        pair = self._matrix().at(event.x, event.y)
        if pair is not None:
            self.choose(pair)

    def _step(self, down: int, right: int) -> str:
        bots, opponents = self.ticks["bots"], self.ticks["opponents"]
        if self.chosen is not None:
            row = bots.index(self.chosen[0]) + down
            column = opponents.index(self.chosen[1]) + right
            if 0 <= row < len(bots) and 0 <= column < len(opponents):
                self.choose((bots[row], opponents[column]))
        return "break"  # otherwise the page would scroll

    # --- the work ---

    def numbers(self) -> tuple[int | None, int | None]:
        """Return games and seed; None for each that is not such a number."""
        games = whole_number(self.fields["Games"].get(), 1, MOST_GAMES)
        return games, whole_number(self.fields["Seed"].get(), 0, MOST_SEED)

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
        games, seed = self.numbers()
        self._refill()
        pairs = self._pairs()
        if self.is_running or games is None or seed is None or not pairs:
            return
        done = {p for p, row in self.rows.items() if row.is_complete and row.games == games}
        missing = [pair for pair in pairs if pair not in done] or pairs
        for pair in missing:
            self.rows.pop(pair, None)
            self._stamps[pair] = self._stamp(pair)
        entries = tuple((self._entries[bot], self._entries[other]) for bot, other in missing)
        self._start(EvaluationTask(entries, games, seed), "The games begin…")

    def prove(self) -> None:
        """Look for a game that beats the chosen bot, and show it on the board."""
        if self.chosen is not None and not self.is_running:
            bot = self._entries[self.chosen[0]]
            self._start(ProofTask(bot), f"Examining every line of play that {bot.name} allows…")

    def _start(self, task: EvaluationTask | ProofTask, text: str) -> None:
        try:
            self._worker = Worker(evaluation_process, task)
        except OSError as error:
            reason = error.strerror or error
            self._say(f"The process could not be started: {reason}.", is_warning=True)
            return
        self._task, self._silent, self._walked = task, 0, None
        self._show_rows()
        self._say(text)
        if isinstance(task, ProofTask):
            self.bar.configure(mode="indeterminate")
            self.bar.start(40)
        self._timer = self.after(1, self._poll)

    def stop(self) -> None:
        """Stop at once; the games that were played stay."""
        task, walked = self._task, self._walked
        self._end()
        self._show_rows()
        if isinstance(task, ProofTask) and walked is not None and walked.slips:
            self._say(f"Stopped. {progress_text(task.bot.name, walked)}")
        elif task is not None:
            self._say(f"Stopped. {self._said}".strip())

    def _end(self) -> None:
        """End the process, if there is one."""
        worker, self._worker, self._task = self._worker, None, None
        if worker is not None:
            worker.end()
        if self._timer is not None:
            self.after_cancel(self._timer)
            self._timer = None
        if self.bar.winfo_exists():
            self.bar.stop()
            self.bar.configure(mode="determinate", value=0)

    def _poll(self) -> None:
        self._timer = self.after(POLL_EVERY_MS, self._poll)
        worker, task = self._worker, self._task
        assert worker is not None
        messages = worker.poll()
        self._silent = 0 if messages else self._silent + 1
        for message in messages:
            match message:
                case Row():
                    self.rows[message.bot.key, message.opponent.key] = message
                case Walked() if isinstance(task, ProofTask):
                    self._walked = message
                    self._say(progress_text(task.bot.name, message))
                case Proof() if isinstance(task, ProofTask):
                    self._end()
                    self._proven(task.bot, message)
                    return
                case Failure(text, details):
                    self._fail(sentence(text), details)
                    return
        if isinstance(task, EvaluationTask):
            self._show_progress(task, is_silent=not messages)
        if worker.is_over and self.is_running:
            self._fail("The process that played has ended unexpectedly. Its rows are kept.")

    def _show_progress(self, task: EvaluationTask, *, is_silent: bool) -> None:
        pairs = [(bot.key, opponent.key) for bot, opponent in task.pairs]
        rows = [self.rows[pair] for pair in pairs if pair in self.rows]
        if len(rows) == len(pairs) and all(row.is_complete for row in rows):
            self._end()
        else:
            played = sum(row.games for row in rows)
            self.bar.configure(value=1000 * played / (task.games * len(pairs)))
        if not is_silent:
            self._show_rows()
        elif self._silent == _SILENT_POLLS:
            self._say(f"{self._said} {STILL_RUNNING}")

    def _proven(self, bot: Entry, proof: Proof) -> None:
        self._show_rows()
        self._say(reports.proof_text(bot.name, proof).replace("\n", " "))
        if proof.counterexample is not None:
            player = Player(bot.key, bot.name)
            players = (player, Player()) if proof.beaten_seat == 0 else (Player(), player)
            self._context.show_game(Game(actions=proof.counterexample, players=players))

    def _fail(self, text: str, details: str = "") -> None:
        self._end()
        self._show_rows()
        self._say(text, is_warning=True)
        if details:
            self._context.log(details)

    # --- out ---

    def copy(self) -> None:
        """Put the rows of the matrix on the clipboard as a table in Markdown."""
        self.clipboard_clear()
        self.clipboard_append(reports.to_markdown(self._shown()))
        self._say("The table is on the clipboard.")

    def _ask_to_save(self) -> None:
        name = filedialog.asksaveasfilename(
            parent=self,
            title="Save CSV",
            initialfile="evaluation.csv",
            filetypes=(("CSV", "*.csv"), ("All files", "*")),
            defaultextension=".csv",
        )
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Save the rows of the matrix in the file *path*."""
        try:
            write_atomically(path, [reports.to_csv(self._shown()).encode("utf-8")])
        except StorageError as error:
            self._say(sentence(f"the table was not saved: {error}"), is_warning=True)
        else:
            self._say(f"Saved as {path.name}.")
