"""The Strength tab of the Workshop: a table of pairs of players, filled while they play."""

import tkinter as tk
from collections.abc import Collection
from tkinter import ttk
from typing import Final

from traffic_lights.drawing.palette import ON_WASH, wash
from traffic_lights.gui.kit.saving import save_as
from traffic_lights.gui.kit.widgets import button_row, enable, put, stretch, unbroken, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import show_game
from traffic_lights.gui.workshop import comparing
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.evaluator import Evaluator, Pair
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import STANDARD_OPPONENTS, Row
from traffic_lights.play.game import Game, Player
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.words import whole_number

COLUMNS: Final = ("rate", "interval", "exact.total", "best.total")
"""The keys of the columns after those of the names; the files have all."""
SHOWN: Final = [column for column in reports.SHOWN if column.key in COLUMNS]
OPPONENTS: Final = ("Standard opponents", "The six levels", "The ticked bots", "All players")
FIND_LOSS: Final = "A Game That Beats It"
SHOW_LOSS: Final = "Show This Game"
LEGEND: Final = "The greener, the nearer to the best possible score. Choose a row to read about it."


class StrengthTab(ttk.Frame):
    """Shows how strong the chosen bots are, and has the evaluator play what is not known yet."""

    def __init__(self, parent: tk.Misc, context: Context, curves: Curves) -> None:
        super().__init__(parent, padding=context.theme.px(3))
        self._context = context
        self._entries = self._able_to_play()
        self.evaluator = Evaluator(context, curves, self._show_work, self._entries)
        self.bots: list[str] = []
        """The keys of the bots in the table, the chosen one first."""
        theme = context.theme
        stretch(self, row=1)
        form = put(ttk.Frame(self), sticky="ew")
        self.opponents = ttk.Combobox(
            form, values=OPPONENTS, state="readonly", font=theme.body, width=17
        )
        self.opponents.current(0)
        self.opponents.bind("<<ComboboxSelected>>", lambda _: self._draw())
        self.games = ttk.Entry(form, width=8, font=theme.body)
        self.games.insert(0, "1,000")
        self.run_button = ttk.Button(form, style="Accent.TButton", text="Run", command=self.run)
        for text, field in (("Against", self.opponents), ("Games", self.games)):
            ttk.Label(form, text=text).pack(side=tk.LEFT, padx=(0, theme.px(1)))
            field.pack(side=tk.LEFT, padx=(0, theme.px(2)))
            field.bind("<Return>", lambda _: self.run())
        self.run_button.pack(side=tk.LEFT)
        keys = ["bot", "opponent", *(column.key for column in SHOWN)]
        self.table = ttk.Treeview(self, columns=keys, show="headings", selectmode="browse")
        headings = ["Bot", "Opponent", *(column.heading for column in SHOWN)]
        for key, heading in zip(keys, headings, strict=True):
            self.table.heading(key, text=heading, anchor="w")
            width = max(theme.px(18), theme.strong.measure(heading) + theme.px(3))
            self.table.column(key, width=width, minwidth=theme.px(14))
        for step in range(5):
            self.table.tag_configure(str(step), background=wash(step / 2 - 1), foreground=ON_WASH)
        self.table.bind("<<TreeviewSelect>>", lambda _: self._draw_chosen())
        self.table.grid(sticky="nsew", pady=theme.px(2))
        self.verdict = put(wrapping(ttk.Label(self, style="Strong.TLabel")), sticky="ew")
        self.status = put(wrapping(ttk.Label(self, style="Muted.TLabel")), sticky="ew")
        acts = {"Save Table…": self.save, FIND_LOSS: self.beat}
        row = put(ttk.Frame(self), sticky="ew", pady=(theme.px(2), 0))
        self.save_button, self.beat_button = button_row(row, theme.px(2), acts)

    def _able_to_play(self) -> dict[str, Entry]:
        """Return the players of the roster that have no problem, by key."""
        self._context.roster.refresh()  # another program may train a bot too
        every = self._context.roster.entries()
        return {entry.key: entry for entry in every if not entry.problem}

    def show(self, key: str, ticked: Collection[str] = ()) -> None:
        """Show the bot *key* in the table, with those that are *ticked* in the Workshop."""
        self.bots = [key, *sorted({*ticked} - {key})]
        self._entries = self._able_to_play()
        self.evaluator.forget_others(self._entries)
        self._draw()

    def pairs(self) -> dict[Pair, tuple[Entry, Entry]]:
        """Return every bot with every opponent, by their keys, in the order of the roster."""
        entries = self._entries.values()
        opponents = {
            0: [entry for entry in entries if entry.key in STANDARD_OPPONENTS],
            1: [entry for entry in entries if entry.group is Group.LEVEL],
            2: [entry for entry in entries if entry.key in self.bots],
            3: entries,
        }[self.opponents.current()]
        bots = [self._entries[key] for key in self.bots if key in self._entries]
        return {(bot.key, other.key): (bot, other) for bot in bots for other in opponents}

    def _rows(self) -> list[Row]:
        """Return the rows that are shown and have games."""
        rows = self.evaluator.rows
        return [rows[pair] for pair in self.pairs() if pair in rows and rows[pair].games]

    # --- what is shown ---

    def _draw(self) -> None:
        """Show who plays, the scores so far, and what can be done now."""
        pairs = {"/".join(pair): entries for pair, entries in self.pairs().items()}
        rows = {f"{row.bot.key}/{row.opponent.key}": row for row in self._rows()}
        chosen = self.table.selection()
        self.table.delete(*self.table.get_children())
        for line, (bot, opponent) in pairs.items():
            cells = [bot.name, opponent.name]
            tags: tuple[str, ...] = ()
            if row := rows.get(line):
                cells += [column.show(row) for column in SHOWN]
                score = comparing.score_of(row) or 0.0
                tags = (str(round(4 * min(1.0, score / row.best_total))),)
            self.table.insert("", tk.END, line, values=cells, tags=tags)
        self.table.selection_set([line for line in chosen if line in pairs] or list(pairs)[:1])
        is_running = self.evaluator.is_running
        self.run_button.configure(text="Stop" if is_running else "Run")
        for button, can in (
            (self.run_button, True),
            (self.save_button, rows),
            (self.beat_button, not is_running),
        ):
            enable(button, can)

    def _chosen(self) -> tuple[Entry, Entry] | None:
        """Return the players of the chosen row."""
        for line in self.table.selection():
            return {"/".join(pair): both for pair, both in self.pairs().items()}.get(line)
        return None

    def _draw_chosen(self) -> None:
        """Show which of the chosen pair is better."""
        text = ""
        if chosen := self._chosen():
            bot, opponent = chosen
            row = self.evaluator.rows.get((bot.key, opponent.key))
            text = f"Press Run to see whether {bot.name} is better than {opponent.name}."
            if row is not None and row.games:
                text = f"{comparing.verdict(row)} {comparing.pair_result(row)}"
            self.beat_button.configure(text=SHOW_LOSS if self._lost_game(bot) else FIND_LOSS)
        self.verdict.configure(text=unbroken(text))

    def _show_work(self, news: str) -> None:
        """Show how far the evaluator is, and its *news* at the end of its work."""
        self.evaluator.forget_others(self._entries)  # a bot may have trained while it played
        rows = self.evaluator.rows.values()
        if self.evaluator.is_running and not news:
            games = sum(row.games for row in rows)
            planned = sum(row.planned for row in rows)
            news = f"Playing: {games:,} of {planned:,} games."
            if self.evaluator.is_searching:
                news = "Looking for a game that beats the bot…"
            elif games == planned:
                done = sum(row.is_final for row in rows)
                news = f"Computing exact scores, up to minutes each: {done} of {len(rows)}."
        self.status.configure(text=news or LEGEND)
        self._draw()

    # --- the work ---

    def run(self) -> None:
        """Stop, or play every pair that has no complete row of so many games."""
        games = whole_number(self.games.get(), 1, 10**7)
        if self.evaluator.is_running:
            self.evaluator.stop()
        elif games is None:
            self.status.configure(text="Games must be a whole number from 1 to 10,000,000.")
        else:
            self._entries = self._able_to_play()
            self.evaluator.play([*self.pairs().values()], games, self.evaluator.seed)

    def _lost_game(self, bot: Entry) -> Game | None:
        """Return the game that was found, if *bot* loses it."""
        loss = self.evaluator.loss_of(bot)
        if loss is None or loss.moves is None:
            return None
        loser = Player(bot.key, bot.name)
        players = (loser, Player()) if loss.seat == 0 else (Player(), loser)
        return Game(actions=loss.moves, players=players)

    def beat(self) -> None:
        """Look for a game that beats the chosen bot, or show the one found on the board."""
        if chosen := self._chosen():
            if game := self._lost_game(chosen[0]):
                show_game(self._context, game)
            else:
                self.evaluator.find_loss(chosen[0])

    def save(self) -> None:
        """Ask for a file, and write the scores so far to it as CSV."""
        content = reports.to_csv(self._rows())
        text = save_as(self, "Save CSV", "evaluation.csv", [("CSV", "*.csv")], content)
        self.status.configure(text=text)
