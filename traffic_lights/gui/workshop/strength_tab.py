"""The Strength tab of the Workshop: a matrix of bots and opponents, filled while they play."""

import tkinter as tk
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import product
from tkinter import ttk
from typing import Final, NamedTuple

from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.kit.saving import save_as
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import button_row, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import comparing
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.form_values import settings_known
from traffic_lights.gui.workshop.player_picker import PlayerPicker
from traffic_lights.gui.workshop.score_matrix import Pair, ScoreMatrix
from traffic_lights.gui.workshop.shared import as_sentence
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import (
    STANDARD_OPPONENTS,
    Row,
    beat_bot,
    evaluate_pairs,
    evaluation_process,
)
from traffic_lights.judging.proof import Loss
from traffic_lights.play.game import Game, Player
from traffic_lights.players.roster import Entry
from traffic_lights.storage.words import MOST_SEED, whole_number
from traffic_lights.system.processes import Ended, Worker

NUMBERS: Final = {"Games": ("1,000", 9, 1, 10**7), "Seed": ("1", 6, 0, MOST_SEED)}
"""The value of each field at first, its width in letters, its lowest and its highest value."""
PLAYING: Final = "Playing. Exact scores are computed when all games are played."
FIND_LOSS: Final = "A Game That Beats It"
SHOW_LOSS: Final = "Show This Game"
"""What the button is called that finds a game, and then shows it."""
COMPARED: Final = {"direct": "Result", "difference": "Difference", "settings": "Same settings"}
"""The first facts, which compare players, and what they are called."""
WIDEST: Final = "99.9–100.0 %"
"""What the values of the facts have room for at least."""
ALL_PLAYED: Final = "All of these games are played. Another seed plays others."
LEGEND: Final = (
    "“≈” marks a score from played games. All other scores are exact. The greener, the nearer to "
    "the best possible score."
)


class Work(NamedTuple):
    """What a process does: it plays *pairs*, or looks for a game that the *loser* loses."""

    worker: Worker
    pairs: Sequence[Pair]
    loser: Entry | None

    @property
    def players(self) -> set[str]:
        """The keys of all who play."""
        losers = () if self.loser is None else (self.loser.key,)
        return set().union(*self.pairs, losers)


class StrengthTab(ScrollFrame):
    """Evaluates the chosen bots, one pair after the other; the rows stay while the tab exists.

    Exact scores of the user's bots also go to the ends of their *curves*.
    """

    def __init__(self, parent: tk.Misc, context: Context, curves: Curves) -> None:
        super().__init__(parent)
        self._context = context
        self._curves = curves
        theme = context.theme
        self.rows: dict[Pair, Row] = {}
        self._seed = -1
        """The seed of their games."""
        self.chosen: Pair | None = None
        self._entries: dict[str, Entry] = {}
        self._key = ""
        """The bot that the Workshop shows."""
        self.bots: set[str] = set()
        self.opponents: set[str] = set(STANDARD_OPPONENTS)
        """The keys of those that are in the matrix."""
        self._work: Work | None = None
        """What a process does now."""
        self._found: tuple[Entry, Loss] | None = None
        """The bot that was searched last, and what was found."""
        self._news = ""
        """What happened last; it is shown until the user goes on."""
        self._has_failed = False
        """Whether the news are about an error."""
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
        facts.configure(height=len(reports.SHOWN) + len(COMPARED), style="Facts.Treeview")
        self.facts = put(facts, row=3, sticky="nsew")
        for key, heading in COMPARED.items():
            facts.insert("", "end", iid=key, values=(heading, *comparing.UNKNOWN[key]))
        for column in reports.SHOWN:
            facts.insert("", "end", iid=column.key, values=(column.heading, "", column.about))
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
        self.canvas.bind("<Configure>", lambda _: self._draw_matrix(), add="+")
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
        headings = [column.heading for column in reports.SHOWN]
        self._widen("fact", [*COMPARED.values(), *headings])
        self._widen("value", [WIDEST])
        self.inside.rowconfigure(4, minsize=theme.body.metrics("linespace"))
        self._draw()

    def _say(self, news: str, *, has_failed: bool = False) -> None:
        """Show *news* under the facts until the user goes on."""
        self._news = news
        self._has_failed = has_failed
        self._draw_status()

    # --- who plays ---

    def show(self, key: str, ticked: Collection[str] = ()) -> None:
        """Show the bot *key* in the matrix, with those that are *ticked* in the Workshop."""
        self.bots = {key, *ticked}
        if key != self._key and self.chosen is not None:
            self.chosen = (key, self.chosen[1])
        self._key = key
        self._say("")
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
        self._say("")
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
        self._draw_facts()
        self._draw_status()
        self._draw_controls()

    def _draw_matrix(self) -> None:
        bots, opponents = self._players()
        room = self.canvas.winfo_width() - 2 * self._context.theme.px(2)
        self.matrix.show(bots, opponents, self.rows, self.chosen, room=room)

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

    def _draw_status(self) -> None:
        """Show the news, or what is being done and what the facts do not say, or the legend."""
        row = self.rows.get(self.chosen) if self.chosen is not None else None
        doing = self._doing(self._work) if self._work is not None else ""
        result = comparing.pair_result(row) if row is not None else ""
        text = self._news or " ".join(filter(None, (doing, result)))
        style = "TLabel" if text else "Muted.TLabel"
        if self._has_failed:
            style = "Warning.TLabel"
        self.status.configure(text=text or LEGEND, style=style)

    def _widen(self, column: str, texts: Iterable[str]) -> None:
        """Make a *column* of the facts as wide as the longest of *texts*."""
        theme = self._context.theme
        width = max(map(theme.body.measure, texts)) + theme.px(2.5)
        self.facts.column(column, width=width, minwidth=width, stretch=column == "about")

    def _compare(self, row: Row | None) -> None:
        """Show how the bot of *row* stands to its opponent, and to the other bots against it."""
        facts = dict(comparing.UNKNOWN)
        if row is not None and row.games and row.bot != row.opponent:
            facts["direct"] = comparing.against_opponent(row)
            rows = [one for one in self._rows_shown() if one.opponent == row.opponent]
            others = [one for one in rows if one.bot not in (row.bot, row.opponent)]
            chosen = [one for one in others if one.bot.key == self._key]
            facts["difference"] = comparing.against_other(row, chosen or others)
            settings = {one.bot.key: settings_known(one.bot.own) for one in rows if one.bot.own}
            facts["settings"] = comparing.by_settings(row, rows, settings)
        for key, fact in facts.items():
            self.facts.set(key, "value", fact.value)
            self.facts.set(key, "about", fact.about)
        every = self.facts.get_children()
        self._widen("about", [str(self.facts.set(key, "about")) for key in every])

    def _doing(self, work: Work) -> str:
        """Return what the process of *work* does now."""
        if work.loser is not None:
            return f"Looking for a game that beats {work.loser.name}…"
        rows = self._rows_of(work.pairs)
        if len(rows) < len(work.pairs) or not all(row.is_complete for row in rows):
            return PLAYING
        left = [row for row in rows if not row.is_final]
        done = len(rows) - len(left)
        text = (
            f"All games are played. Exact scores, up to minutes each: {done} of {len(rows)} done."
        )
        if left:
            text += f" Now: {left[0].bot.name} against {left[0].opponent.name}."
        return text

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
        self._say("")
        self._draw()

    def _rows_of(self, pairs: Sequence[Pair]) -> list[Row]:
        return [self.rows[pair] for pair in pairs if pair in self.rows]

    def _rows_shown(self) -> list[Row]:
        return self._rows_of(self.pairs)

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
        return self._work is not None

    def uses(self, key: str) -> bool:
        """Return whether the player *key* plays now, so that it must stay as it is."""
        return self._work is not None and key in self._work.players

    def run(self) -> None:
        """Stop, or play every pair that has no complete row of so many games."""
        if self.is_running:
            self.stop()
            return
        self._refill()
        games, seed = self.numbers()
        if games is None or seed is None or not self.pairs:
            return
        if seed != self._seed:  # a table does not mix games of several seeds
            self.rows.clear()
            self._seed = seed
        done = {pair for pair, row in self.rows.items() if row.is_final and row.games == games}
        pairs = [pair for pair in self.pairs if pair not in done]
        if not pairs:
            self._say(ALL_PLAYED)
            return
        for pair in pairs:
            self.rows.pop(pair, None)
        entries = tuple((self._entries[bot], self._entries[other]) for bot, other in pairs)
        self._start(partial(evaluate_pairs, entries, games, seed), pairs=pairs)

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
            self._start(partial(beat_bot, bot), loser=bot)
            return
        loser = Player(bot.key, bot.name)
        players = (loser, Player()) if self.loss.seat == 0 else (Player(), loser)
        self._context.show_game(Game(actions=self.loss.moves, players=players))

    def _start(
        self, task: object, *, pairs: Sequence[Pair] = (), loser: Entry | None = None
    ) -> None:
        self._work = Work(Worker(evaluation_process, task), pairs, loser)
        watch(self._context.root, self._work.worker, self._take)
        self._say("")
        self._draw()

    def _end(self) -> None:
        if self._work is not None:
            self._work.worker.end()
            self._work = None
        self.bar.configure(value=0)
        self._draw()

    def _take(self, message: object) -> None:
        work = self._work
        if work is None:  # it was stopped
            return
        match message:
            case Row():
                self.rows[message.bot.key, message.opponent.key] = message
                self.bar.configure(value=100 * self._share_done(work.pairs))
                if message.bot.own is not None and message.exact is not None:
                    self._curves.note_exact(message.bot.own, message.opponent.key, message.exact)
                self._draw()
            case Loss():
                assert work.loser is not None
                self._found = work.loser, message
                self._end()
                self._say(message.text(work.loser.name))
            case Ended(error, details):
                self._end()
                if error:
                    self._say(as_sentence(error), has_failed=True)
                if details:
                    self._context.log.add(details)

    def _share_done(self, pairs: Sequence[Pair]) -> float:
        """Return how much of the work on *pairs* is done: of the games, then of exact scores."""
        rows = self._rows_of(pairs)
        share = sum(row.games for row in rows) / (rows[0].planned * len(pairs))
        return sum(row.is_final for row in rows) / len(rows) if share == 1 else share

    def copy(self) -> None:
        """Put the scores so far on the clipboard, as a table in Markdown."""
        self.clipboard_clear()
        self.clipboard_append(reports.markdown(reports.table(self._rows_shown())))
        self._say("The table is on the clipboard.")

    def save(self) -> None:
        """Ask for a file, and write the scores so far to it as CSV."""
        content = reports.to_csv(self._rows_shown())
        self._say(save_as(self, "Save CSV", "evaluation.csv", [("CSV", "*.csv")], content))
