"""The Strength tab of the Workshop: a matrix of bots and opponents, filled while they play."""

import tkinter as tk
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import product
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.dialog import save_as
from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import button_row, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.model import as_sentence
from traffic_lights.gui.workshop.player_picker import PlayerPicker
from traffic_lights.gui.workshop.score_matrix import WIDEST, Pair, ScoreMatrix, cell
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import (
    STANDARD_OPPONENTS,
    Row,
    beat_bot,
    evaluate_pairs,
    evaluation_process,
    wilson_interval,
)
from traffic_lights.judging.proof import Loss
from traffic_lights.play.game import Game, Player
from traffic_lights.players.roster import Entry
from traffic_lights.storage.words import MOST_SEED, whole_number
from traffic_lights.system.processes import Ended, Worker

NUMBERS: Final = {"Games": ("1,000", 9, 1, 10**7), "Seed": ("1", 6, 0, MOST_SEED)}
"""The value of each field at first, its width in letters, its lowest and its highest value."""
PLAYING: Final = "Playing. Exact scores are computed when all games are played."
TOO_MANY: Final = "No exact score: these two can reach too many positions to compute one."
NOT_KNOWN: Final = "No exact score: the possible moves of a program are not known."
"""Why a pair has none for good."""
FIND_LOSS: Final = "A Game That Beats It"
SHOW_LOSS: Final = "Show This Game"
"""What the button is called that finds a game, and then shows it."""
DIRECT: Final = "Whether it is better than this opponent."
NEAREST: Final = "In score, to the nearest other bot here."
"""What the last two facts are about, while they are not known."""
LEGEND: Final = (
    "“≈” marks a score from played games. All other scores are exact. The greener, the nearer to "
    "the best possible score."
)


def pair_result(row: Row) -> str:
    """Return what the columns do not say about *row*; mostly empty."""
    sentences = []
    if row.best == 0:
        sentences.append(reports.CEILING)
    if row.is_final and row.exact is None:
        is_program = row.bot.is_program or row.opponent.is_program
        sentences.append(NOT_KNOWN if is_program else TOO_MANY)
    if row.forfeit:
        sentences.append(reports.forfeit_text(row))
    return " ".join(sentences)


def bounds(row: Row) -> tuple[float, float]:
    """Return the lowest and the highest score that *row* may stand for: the same if it is exact."""
    if row.exact is not None:
        return row.exact.total, row.exact.total
    return wilson_interval(row.both.wins, row.games)


def against_opponent(row: Row) -> tuple[str, str]:
    """Return which of the two players of *row* is better, in a word, and how sure that is."""
    low, high = bounds(row)
    score = "exact score" if low == high else "95 % interval"
    name = row.opponent.name
    if low > 0.5:
        return "better", f"Than {name}: its {score} is above 50 %."
    if high < 0.5:
        return "worse", f"Than {name}: its {score} is below 50 %."
    if low == high:
        return "equal", f"To {name}: its exact score is 50 %."
    return "not sure", f"Its 95 % interval includes 50 %: {name} may be as good."


def against_nearest(row: Row, others: Sequence[Row]) -> tuple[str, str]:
    """Return how much more the bot of *row* wins than the nearest of *others*, and how sure it is.

    All have the same opponent.
    """
    _, score = cell(row)
    found = [(other, rate) for other in others if (rate := cell(other)[1]) is not None]
    if score is None or not found:
        return "–", NEAREST
    other, rate = min(found, key=lambda one: abs(one[1] - score))
    low, high = bounds(row)
    least, most = bounds(other)
    points = f"{100 * (score - rate):+.1f} points".replace("-", "−")
    name = other.bot.name
    is_exact = row.exact is not None and other.exact is not None
    if not is_exact and low <= most and least <= high:
        return points, f"To {name}: not sure, because the 95 % intervals overlap."
    if score == rate:
        return points, f"Equal to {name}: both scores are exact."
    result = "Better" if score > rate else "Worse"
    why = "both scores are exact" if is_exact else "the 95 % intervals do not overlap"
    return points, f"{result} than {name}: {why}."


class StrengthTab(ScrollFrame):
    """Evaluates the chosen bots, one pair after the other; the rows stay while the tab exists."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        theme = context.theme
        self.rows: dict[Pair, Row] = {}
        self.chosen: Pair | None = None
        self._entries: dict[str, Entry] = {}
        self._key = ""
        """The bot that the Workshop shows."""
        self.bots: set[str] = set()
        self.opponents: set[str] = set(STANDARD_OPPONENTS)
        """The keys of those that are in the matrix."""
        self._worker: Worker | None = None
        self._playing: list[Pair] = []
        """What is played, unless a game that beats a bot is looked for."""
        self._beating: Entry | None = None
        """The bot that such a game is looked for."""
        self._found: tuple[Entry, Loss] | None = None
        """The bot that was searched last, and what was found."""
        px = theme.px
        body = self.inside
        stretch(body, row=3)
        body.configure(padding=(px(2), px(1)))
        self._make_form(put(ttk.Frame(body), row=0, sticky="ew"))
        self.matrix = ScoreMatrix(body, theme, self._choose)
        self.matrix.grid(row=1, sticky="ew", pady=px(0.5))
        head = put(ttk.Frame(body), row=2, sticky="ew", pady=px(0.5))
        self.title = ttk.Label(head, style="Strong.TLabel")
        self.title.pack(side=tk.LEFT, padx=(0, px(2)))
        self.bar = ttk.Progressbar(head, length=px(10))
        self.bar.pack(side=tk.LEFT, fill=tk.X, expand=True)
        facts = ttk.Treeview(body, columns=("fact", "value", "about"), show="", selectmode="none")
        facts.configure(height=len(reports.SHOWN) + 2, style="Facts.Treeview")
        self.facts = put(facts, row=3, sticky="nsew")
        for column in reports.SHOWN:
            facts.insert("", "end", iid=column.key, values=(column.heading, "", column.about))
        facts.insert("", "end", iid="direct", values=("Result", "", DIRECT))
        facts.insert("", "end", iid="nearest", values=("Difference", "", NEAREST))
        self.status = put(wrapping(ttk.Label(body)), row=4, sticky="new", pady=px(0.5))
        ends = {
            "Copy as Markdown": self.copy,
            "Save CSV…": self.save,
            FIND_LOSS: self.beat,
        }
        self.copy_button, self.save_button, self.beat_button = button_row(
            put(ttk.Frame(body), row=5, sticky="ew"), px(1.5), ends
        )
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._say("")
        self._refill()
        self._dress()

    def _make_form(self, form: ttk.Frame) -> None:
        theme = self._context.theme
        self.picker = PlayerPicker(self, theme, self.tick)
        self.opener = ttk.Button(form, text="Opponents ▾", style="Tight.TButton")
        self.opener.configure(command=self._pick)
        self.opener.pack(side=tk.LEFT, padx=(0, theme.px(1)))
        self.fields: dict[str, ttk.Entry] = {}
        for name, (value, width, *_) in NUMBERS.items():
            ttk.Label(form, text=name).pack(side=tk.LEFT, padx=theme.px(1))
            field = self.fields[name] = ttk.Entry(form, width=width, font=theme.body)
            field.insert(0, value)
            field.bind("<KeyRelease>", lambda _: self._draw())
            field.bind("<Return>", lambda _: self.run())
            field.pack(side=tk.LEFT)
        self.run_button = ttk.Button(form, style="Accent.TButton", command=self.run)
        self.run_button.pack(side=tk.LEFT, padx=theme.px(2))

    def _dress(self) -> None:
        theme = self._context.theme
        self._widen("fact", [column.heading for column in reports.SHOWN])
        self._widen("value", [WIDEST])
        self.inside.rowconfigure(4, minsize=theme.body.metrics("linespace"))
        self._draw()

    def _say(self, text: str, style: str = "TLabel") -> None:
        """Show *text* under the facts; while there is none, what the signs mean stands there."""
        self.status.configure(text=text or LEGEND, style=style if text else "Muted.TLabel")

    # --- who plays ---

    def show(self, key: str, ticked: Collection[str] = ()) -> None:
        """Show the bot *key* in the matrix, with those that are *ticked* in the Workshop."""
        self.bots = {key, *ticked}
        if key != self._key and self.chosen is not None:
            self.chosen = (key, self.chosen[1])
        self._key = key
        self._refill()

    def _refill(self) -> None:
        """Read the roster again; forget rows of players that have gone or changed."""
        self._context.roster.refresh()
        every = self._context.roster.entries()
        self._entries = entries = {entry.key: entry for entry in every if not entry.problem}

        def is_same(one: Entry) -> bool:
            return one.key in entries and entries[one.key].own == one.own

        self.rows = {
            pair: row
            for pair, row in self.rows.items()
            if is_same(row.bot) and is_same(row.opponent)
        }
        self._draw()

    def _pick(self) -> None:
        """Open the list that ticks the opponents, or close it."""
        if self.picker.is_open:
            self.picker.close()
            return
        self._refill()
        self.picker.open(self.opener, self._entries, self.opponents)

    def tick(self, keys: set[str]) -> None:
        """Let the players *keys* be the opponents."""
        self.opponents = set(keys)
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
            self.chosen = pairs[0] if pairs else None
        bots, opponents = self._players()
        self.matrix.show(bots, opponents, self.rows, self.chosen)
        self._draw_facts()
        self._draw_controls()

    def _draw_facts(self) -> None:
        """Show the facts of the chosen pair."""
        row = None
        title = ""
        if self.chosen is not None:
            row = self.rows.get(self.chosen)
            names = [self._entries[key].name for key in self.chosen]
            title = " against ".join(names)
        self.title.configure(text=title)
        for column in reports.SHOWN:
            self.facts.set(column.key, "value", "–" if row is None else column.show(row))
        self._compare(row)
        if self._beating is None:
            result = "" if row is None else pair_result(row)
            doing = self._doing() if self.is_running else ""
            self._say(" ".join(text for text in (doing, result) if text))

    def _widen(self, column: str, texts: Iterable[str]) -> None:
        """Make a *column* of the facts as wide as the longest of *texts*."""
        theme = self._context.theme
        width = max(map(theme.body.measure, texts)) + theme.px(2.5)
        self.facts.column(column, width=width, minwidth=width, stretch=column == "about")

    def _compare(self, row: Row | None) -> None:
        """Show how the bot of *row* stands to its opponent, and to the other bots against it."""
        facts: dict[str, tuple[str, str]] = {"direct": ("–", DIRECT), "nearest": ("–", NEAREST)}
        if row is not None and row.games and row.bot != row.opponent:
            facts["direct"] = against_opponent(row)
            others = [
                other
                for other in self._rows_shown()
                if other.opponent == row.opponent and other.bot not in (row.bot, row.opponent)
            ]
            facts["nearest"] = against_nearest(row, others)
        for key, (value, about) in facts.items():
            self.facts.set(key, "value", value)
            self.facts.set(key, "about", about)
        rows = self.facts.get_children()
        self._widen("about", [str(self.facts.set(key, "about")) for key in rows])

    def _doing(self) -> str:
        """Return what the process does that plays."""
        rows = self._rows_playing()
        if len(rows) < len(self._playing) or not all(row.is_complete for row in rows):
            return PLAYING
        left = [row for row in rows if not row.is_final]
        done = len(rows) - len(left)
        text = (
            f"All games are played. Exact scores, up to minutes each: {done} of {len(rows)} done."
        )
        if left:
            text += f" Now: {left[0].bot.name} against {left[0].opponent.name}."
        return text

    def _rows_playing(self) -> list[Row]:
        return [self.rows[pair] for pair in self._playing if pair in self.rows]

    def _draw_controls(self) -> None:
        """Mark numbers that are wrong, and disable what cannot be done."""
        numbers = self.numbers()
        for field, number in zip(self.fields.values(), numbers, strict=True):
            field.configure(style="Wrong.TEntry" if number is None else "TEntry")
        self.run_button.configure(text="Stop" if self.is_running else "Run")
        has_game = self.loss is not None and self.loss.moves is not None
        self.beat_button.configure(text=SHOW_LOSS if has_game else FIND_LOSS)
        has_rows = bool(self._rows_shown())
        for button, can in (
            (self.run_button, self.is_running or (self.pairs and None not in numbers)),
            (self.copy_button, has_rows),
            (self.save_button, has_rows),
            (self.beat_button, self.chosen and not self.is_running),
        ):
            button.configure(state=tk.NORMAL if can else tk.DISABLED)

    def _choose(self, pair: Pair) -> None:
        self.chosen = pair
        self._draw()

    def _rows_shown(self) -> list[Row]:
        return [self.rows[pair] for pair in self.pairs if pair in self.rows]

    # --- the work ---

    def numbers(self) -> list[int | None]:
        """Return the number in each field, in the order of NUMBERS; None for one that is wrong."""
        return [
            whole_number(self.fields[name].get(), *limits)
            for name, (_, _, *limits) in NUMBERS.items()
        ]

    @property
    def is_running(self) -> bool:
        """Whether a process plays, or looks for a game that beats a bot."""
        return self._worker is not None

    def run(self) -> None:
        """Stop, or play every pair that has no complete row of so many games, or all if none is."""
        if self.is_running:
            self.stop()
            return
        self._refill()
        games, seed = self.numbers()
        if games is None or seed is None or not self.pairs:
            return
        done = {pair for pair, row in self.rows.items() if row.is_final and row.games == games}
        pairs = [pair for pair in self.pairs if pair not in done] or self.pairs
        for pair in pairs:
            self.rows.pop(pair, None)
        entries = tuple((self._entries[bot], self._entries[other]) for bot, other in pairs)
        self._playing = pairs
        self._start(partial(evaluate_pairs, entries, games, seed))

    def stop(self) -> None:
        """End what is played or looked for; the scores so far stay."""
        if self.is_running:
            self._end()
            self._say("Stopped.")

    @property
    def loss(self) -> Loss | None:
        """What was found of the chosen bot, if it is still the same."""
        if self._found is None or self.chosen is None:
            return None
        bot, loss = self._found
        chosen = self._entries[self.chosen[0]]
        return loss if (bot.key, bot.own) == (chosen.key, chosen.own) else None

    def beat(self) -> None:
        """Look for a game that beats the chosen bot, or show the one found on the board."""
        if self.is_running:
            return
        self._refill()
        if self.chosen is None:  # another program may have deleted the bot
            return
        bot = self._entries[self.chosen[0]]
        if self.loss is None or self.loss.moves is None:
            self._beating = bot
            self._start(partial(beat_bot, bot))
            self._say(f"Looking for a game that beats {bot.name}…")
            return
        loser = Player(bot.key, bot.name)
        players = (loser, Player()) if self.loss.seat == 0 else (Player(), loser)
        self._context.show_game(Game(actions=self.loss.moves, players=players))

    def _start(self, task: object) -> None:
        self._worker = Worker(evaluation_process, task)
        watch(self._context.root, self._worker, self._take)
        self._draw()

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = self._beating = None
        self.bar.configure(value=0)
        self._draw()

    def _take(self, message: object) -> None:
        bot = self._beating
        match message:
            case Row(planned=games):
                self.rows[message.bot.key, message.opponent.key] = message
                rows = self._rows_playing()
                share = sum(row.games for row in rows) / (games * len(self._playing))
                if share == 1:  # the exact scores follow, and take longer than the games
                    share = sum(row.is_final for row in rows) / len(rows)
                self.bar.configure(value=100 * share)
                self._draw()
            case Loss() if bot:
                self._found = bot, message
                self._end()
                self._say(message.text(bot.name))
            case Ended(error, details) if self.is_running:
                self._end()
                if error:
                    self._say(as_sentence(error), "Warning.TLabel")
                if details:
                    self._context.log.add(details)

    def copy(self) -> None:
        """Put the scores so far on the clipboard, as a table in Markdown."""
        self.clipboard_clear()
        self.clipboard_append(reports.markdown(reports.table(self._rows_shown())))
        self._say("The table is on the clipboard.")

    def save(self) -> None:
        """Ask for a file, and write the scores so far to it as CSV."""
        content = reports.to_csv(self._rows_shown())
        self._say(save_as(self, "Save CSV", "evaluation.csv", [("CSV", "*.csv")], content))
