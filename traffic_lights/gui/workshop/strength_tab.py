"""The Strength tab of the Workshop: a matrix of bots and opponents, filled while they play."""

import tkinter as tk
from collections.abc import Collection
from itertools import product
from tkinter import ttk
from typing import Final, NamedTuple

from traffic_lights.gui.kit.saving import save_as
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import button_row, put, stretch, unbroken, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.canvas_view import CanvasView
from traffic_lights.gui.workshop.evaluator import Evaluator
from traffic_lights.gui.workshop.pair_facts import PairFacts
from traffic_lights.gui.workshop.player_picker import PlayerPicker
from traffic_lights.gui.workshop.score_matrix import ScoreMatrix
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import STANDARD_OPPONENTS, Row
from traffic_lights.play.game import Game, Player
from traffic_lights.players.roster import Entry
from traffic_lights.storage.words import MOST_SEED, whole_number
from traffic_lights.workshop import comparing
from traffic_lights.workshop.bars import bars_height, draw_scores
from traffic_lights.workshop.comparing import Pair
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.form_values import settings_known


class _Number(NamedTuple):
    """A number that the user can change."""

    first: int
    """The value that the field begins with."""
    digits: int
    """The width of the field."""
    lowest: int
    highest: int


class _News(NamedTuple):
    """What has happened, in a sentence."""

    text: str = ""
    style: str = "TLabel"


NUMBERS: Final = {"Games": _Number(1000, 9, 1, 10**7), "Seed": _Number(1, 6, 0, MOST_SEED)}
FIND_LOSS: Final = "A Game That Beats It"
SHOW_LOSS: Final = "Show This Game"
"""What the button is called that finds a game, and then shows it."""
LEGEND: Final = (
    "≈: from played games; the others are exact. The greener, the nearer to the best possible "
    "score."
)
ALL_FIGURES: Final = "All figures"
"""What the box is called that unfolds the list of figures."""


class StrengthTab(ScrollFrame):
    """Shows how strong the chosen bots are, and has the evaluator play what is not known yet."""

    def __init__(self, parent: tk.Misc, context: Context, curves: Curves) -> None:
        super().__init__(parent)
        self._context = context
        theme = context.theme
        self.chosen: Pair | None = None
        self._entries = self._able_to_play()
        self.evaluator = Evaluator(context, curves, self._show_work, self._entries)
        self._key = ""
        """The bot that the Workshop shows."""
        self.bots: set[str] = set()
        self.opponents: set[str] = set(STANDARD_OPPONENTS)
        """The keys of those that are in the matrix."""
        self._news = _News()
        """What happened last; it is shown until the user does something else."""
        px = theme.px
        body = self.content
        stretch(body, row=6)
        body.configure(padding=(px(2), px(1)))
        self._make_form(put(ttk.Frame(body), row=0, sticky="ew"))
        self.matrix = ScoreMatrix(body, theme, self._choose)
        self.matrix.grid(row=1, sticky="ew", pady=px(0.5))
        self.status = put(wrapping(ttk.Label(body)), row=2, sticky="new")
        verdict = wrapping(ttk.Label(body, style="Strong.TLabel"))
        self.verdict = put(verdict, row=3, sticky="new", pady=(px(3), px(1)))
        self.facts = put(PairFacts(body, theme), row=4, sticky="ew")
        row = put(ttk.Frame(body), row=5, sticky="ew", pady=px(1))
        row.columnconfigure(1, weight=1)
        box = ttk.Checkbutton(row, text=ALL_FIGURES, command=self._draw_pair)
        box.state(["!alternate"])
        self.all_box = put(box, row=0, column=0, sticky="n")
        self.notes = put(wrapping(ttk.Label(row)), row=0, column=1, sticky="ew", padx=(px(4), 0))
        self.picture = put(CanvasView(body, theme, draw_scores), row=6, sticky="nsew", pady=px(1))
        self.picture.grid_remove()
        ends = {
            "Copy as Markdown": self.copy,
            "Save CSV…": self.save,
            FIND_LOSS: self.beat,
        }
        self.copy_button, self.save_button, self.beat_button = button_row(
            put(ttk.Frame(body), row=7, sticky="ew"), px(1.5), ends
        )
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self.canvas.bind("<Configure>", lambda _: self._draw_matrix(), add="+")
        self._fill()
        self._dress()

    def _able_to_play(self) -> dict[str, Entry]:
        """Return the players of the roster that have no problem, by key."""
        every = self._context.roster.entries()
        return {entry.key: entry for entry in every if not entry.problem}

    def _fill(self) -> None:
        """Fill in the numbers of the rows that were kept, so that Run plays what is missing."""
        row = next(iter(self.evaluator.rows.values()), None)
        if row is not None:
            numbers = row.games, self.evaluator.seed
            for field, number in zip(self.fields.values(), numbers, strict=True):
                field.delete(0, tk.END)
                field.insert(0, f"{number:,}")

    def _make_form(self, form: ttk.Frame) -> None:
        theme = self._context.theme
        self.picker = PlayerPicker(self, theme, self.set_opponents)
        self.opener = ttk.Button(form, text="Opponents ▾", style="Tight.TButton")
        self.opener.configure(command=self._pick)
        self.opener.pack(side=tk.LEFT, padx=(0, theme.px(1)))
        self.fields: dict[str, ttk.Entry] = {}
        for name, number in NUMBERS.items():
            ttk.Label(form, text=name).pack(side=tk.LEFT, padx=theme.px(1))
            field = self.fields[name] = ttk.Entry(form, width=number.digits, font=theme.body)
            field.insert(0, f"{number.first:,}")
            field.bind("<KeyRelease>", lambda _: self._draw())
            field.bind("<Return>", lambda _: self.run())
            field.pack(side=tk.LEFT)
        self.run_button = ttk.Button(form, style="Accent.TButton", command=self.run)
        self.run_button.pack(side=tk.LEFT, padx=theme.px(2))
        self.bar = ttk.Progressbar(form, length=theme.px(10))

    def _dress(self) -> None:
        theme = self._context.theme
        self.facts.dress()
        self.content.rowconfigure(2, minsize=theme.body.metrics("linespace"))
        self._draw()

    def _say(self, news: str) -> None:
        """Show *news* under the matrix until the user does something else."""
        self._news = _News(news)
        self._draw_status()

    # --- who plays ---

    def show(self, key: str, ticked: Collection[str] = ()) -> None:
        """Show the bot *key* in the matrix, with those that are *ticked* in the Workshop."""
        self.bots = {key, *ticked}
        if key != self._key and self.chosen is not None:
            self.chosen = (key, self.chosen[1])
        self._key = key
        self._refill()

    def _refill(self) -> None:
        """Show the players that there are now; forget rows of those that have gone or changed."""
        self._context.roster.refresh()  # another program may train a bot too
        self._entries = self._able_to_play()
        self.evaluator.forget_others(self._entries)
        self._news = _News()
        self._draw()

    def rename(self, old: str, new: str) -> None:
        """Keep the rows and the opponent with the key *old*, which is now *new*."""
        self.evaluator.rename(old, self._context.roster.entry(new))
        self._entries = self._able_to_play()
        if old in self.opponents:
            self.opponents.remove(old)
            self.opponents.add(new)

    def keep(self, keys: Collection[str]) -> None:
        """Forget the opponents that are not among *keys*."""
        self.opponents.intersection_update(keys)

    def _pick(self) -> None:
        """Open the list that ticks the opponents, or close it."""
        if self.picker.is_open:
            self.picker.close()
            return
        self._refill()
        self.picker.open(self.opener, self._entries, self.opponents)

    def set_opponents(self, keys: set[str]) -> None:
        """Let the players *keys* be the opponents."""
        self.opponents = set(keys)
        self._news = _News()
        self._draw()

    def _players(self) -> list[list[Entry]]:
        """Return the bots and their opponents, in the order of the roster."""
        return [
            [entry for key, entry in self._entries.items() if key in keys]
            for keys in (self.bots, self.opponents)
        ]

    @property
    def pairs(self) -> list[Pair]:
        """Every bot with every opponent, in the order of the matrix."""
        return [(bot.key, opponent.key) for bot, opponent in product(*self._players())]

    # --- what is shown ---

    def _draw(self) -> None:
        """Show who plays, the scores so far, and what can be done now."""
        pairs = self.pairs
        if self.chosen not in pairs:
            shown = [pair for pair in pairs if pair[0] == self._key]
            self.chosen = next(iter(shown or pairs), None)
        self._draw_matrix()
        self._draw_pair()
        self._draw_status()
        self._draw_controls()

    def _draw_matrix(self) -> None:
        bots, opponents = self._players()
        theme = self._context.theme
        room = self.canvas.winfo_width() - 2 * (theme.px(2) + theme.ring)
        self.matrix.show(bots, opponents, self.evaluator.rows, self.chosen, room=room)

    @property
    def _row(self) -> Row | None:
        """The scores of the chosen pair, as far as they are known."""
        return self.evaluator.rows.get(self.chosen) if self.chosen is not None else None

    def _draw_pair(self) -> None:
        """Show what is known of the chosen pair, first which is better."""
        row = self._row
        verdict = ""
        notes = ""
        picture = None
        has_all = self.all_box.instate(["selected"])
        if self.chosen is not None:
            bot, opponent = (self._entries[key].name for key in self.chosen)
            verdict = f"{bot} has not played {opponent} yet."
            if not self.evaluator.is_running:
                verdict = f"Press Run to see whether {bot} is better than {opponent}."
        if row is not None and row.games:
            rows = self._rows_shown()
            compared = comparing.compared(row, rows, self._key)
            verdict = "\n".join(filter(None, (comparing.verdict(row), compared)))
            own = [one.bot.own for one in rows if one.bot.own is not None]
            settings = {bot.key: settings_known(bot) for bot in own}
            by_settings = comparing.by_settings(row, rows, settings)
            if not has_all:
                picture = comparing.side_by_side(row, rows)
                line = self._context.theme.body.metrics("linespace")
                self.picture.configure(height=bars_height(picture, line))
            notes = " ".join(filter(None, (by_settings, comparing.pair_result(row))))
        self.verdict.configure(text=unbroken(verdict))
        self.facts.show(row, has_all=has_all)
        self.picture.show(picture)
        self.notes.configure(text=unbroken(notes))

    def _draw_status(self) -> None:
        """Show the news, or what is being done, or the legend; all of them are about the matrix."""
        text = " ".join(filter(None, (self._news.text, self.evaluator.doing)))
        style = self._news.style if text else "Muted.TLabel"
        self.status.configure(text=text or LEGEND, style=style)

    def _draw_controls(self) -> None:
        """Mark numbers that are wrong, and disable what cannot be done."""
        numbers = self.numbers()
        for field, number in zip(self.fields.values(), numbers, strict=True):
            field.configure(style="Wrong.TEntry" if number is None else "TEntry")
        is_running = self.evaluator.is_running
        self.bar.configure(value=100 * self.evaluator.share_done)
        if is_running:  # an idle bar looks like a field
            self.bar.pack(side=tk.LEFT, fill=tk.X, expand=True)
        else:
            self.bar.pack_forget()
        self.run_button.configure(text="Stop" if is_running else "Run")
        self.beat_button.configure(text=SHOW_LOSS if self._lost_game is not None else FIND_LOSS)
        has_rows = bool(self._rows_shown())
        for button, can in (
            (self.run_button, is_running or (self.pairs and None not in numbers)),
            (self.copy_button, has_rows),
            (self.save_button, has_rows),
            (self.beat_button, self.chosen and not is_running),
        ):
            button.configure(state=tk.NORMAL if can else tk.DISABLED)

    def _choose(self, pair: Pair) -> None:
        self.chosen = pair
        self._news = _News()
        self._draw()

    def _rows_shown(self) -> list[Row]:
        rows = self.evaluator.rows
        return [rows[pair] for pair in self.pairs if pair in rows]

    # --- the work ---

    def numbers(self) -> list[int | None]:
        """Return the number in each field, in the order of NUMBERS; None for one that is wrong."""
        return [
            whole_number(self.fields[name].get(), number.lowest, number.highest)
            for name, number in NUMBERS.items()
        ]

    def _show_work(self, news: str) -> None:
        """Show how far the evaluator is, and its *news* at the end of its work."""
        if news:
            self._news = _News(news, "Warning.TLabel" if self.evaluator.problem else "TLabel")
        self.evaluator.forget_others(self._entries)  # a bot may have trained while it played
        self._draw()

    def run(self) -> None:
        """Stop, or play every pair that has no complete row of so many games."""
        if self.evaluator.is_running:
            self.evaluator.stop()
            return
        self._refill()
        games, seed = self.numbers()
        if games is None or seed is None or not self.pairs:
            return
        pairs = [(self._entries[bot], self._entries[other]) for bot, other in self.pairs]
        self.evaluator.play(pairs, games, seed)

    @property
    def _lost_game(self) -> Game | None:
        """The game that was found, if the chosen bot loses it."""
        if self.chosen is None:
            return None
        bot = self._entries[self.chosen[0]]
        loss = self.evaluator.loss(bot)
        if loss is None or loss.moves is None:
            return None
        loser = Player(bot.key, bot.name)
        players = (loser, Player()) if loss.seat == 0 else (Player(), loser)
        return Game(actions=loss.moves, players=players)

    def beat(self) -> None:
        """Look for a game that beats the chosen bot, or show the one found on the board."""
        if self.evaluator.is_running:
            return
        self._refill()
        if self.chosen is None:  # another program may have deleted the bot
            return
        if self._lost_game is not None:
            self._context.show_game(self._lost_game)
        else:
            self.evaluator.find_loss(self._entries[self.chosen[0]])

    def copy(self) -> None:
        """Put the scores so far on the clipboard, as a table in Markdown."""
        self.clipboard_clear()
        self.clipboard_append(reports.markdown(reports.table(self._rows_shown())))
        self._say("The table is on the clipboard.")

    def save(self) -> None:
        """Ask for a file, and write the scores so far to it as CSV."""
        content = reports.to_csv(self._rows_shown())
        self._say(save_as(self, "Save CSV", "evaluation.csv", [("CSV", "*.csv")], content))
