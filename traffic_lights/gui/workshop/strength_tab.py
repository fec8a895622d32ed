"""The Strength tab of the Workshop: a grid of bots and opponents, filled while they play."""

import tkinter as tk
from collections.abc import Collection
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.menus import MenuButton
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import (
    button_row,
    enable,
    flow,
    paragraph,
    put,
    stretch,
    unbroken,
)
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import show_game
from traffic_lights.gui.workshop import comparing
from traffic_lights.gui.workshop.evaluator import Evaluator, Pair
from traffic_lights.gui.workshop.score_bars import ScoreBars
from traffic_lights.gui.workshop.score_grid import ScoreGrid
from traffic_lights.gui.workshop.shared import OnText
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import STANDARD_OPPONENTS, Row
from traffic_lights.play.game import Game, Player
from traffic_lights.players.roster import Entry
from traffic_lights.storage.words import counted, whole_number

FIND_LOSS: Final = "A Game That Beats It"
SHOW_LOSS: Final = "Show This Game"
LEGEND: Final = (
    "≈: from games; the others are exact. The greener, the more wins: 50 % is the most against the "
    "exact player."
)


class StrengthTab(ScrollFrame):
    """Shows how strong the chosen bots are, and has the evaluator play what is not known yet."""

    def __init__(
        self, parent: tk.Misc, context: Context, evaluator: Evaluator, on_choose: OnText
    ) -> None:
        super().__init__(parent, padding=context.theme.px(3))
        self._context = context
        self._on_choose = on_choose
        self._evaluator = evaluator
        self._shown: Collection[str] = ()
        """The keys of the bots in the grid."""
        self._wanted = [*STANDARD_OPPONENTS]
        """The keys of the opponents, as long as they are there."""
        self._chosen: Pair = ("", "")
        theme = context.theme
        gap = theme.px(2)
        page = self.body
        form = put(ttk.Frame(page), sticky="ew")
        self._against = MenuButton(form, self._fill_menu)
        games = ttk.Frame(form)
        ttk.Label(games, text="Games").pack(side=tk.LEFT, padx=(0, gap / 2))
        self.games = ttk.Entry(games, width=8, font=theme.body)
        self.games.pack(side=tk.LEFT)
        self.games.insert(0, "1,000")
        self.games.bind("<Return>", lambda _: self.run())
        self.run_button = ttk.Button(form, style="Accent.TButton", text="Run", command=self.run)
        flow(form, gap)
        self.grid_of_scores = put(ScoreGrid(page, self._choose), sticky="w", pady=(gap, 0))
        self.status = paragraph(page, "Muted.TLabel", LEGEND)
        self.verdict = paragraph(page, "Strong.TLabel", pady=(gap, 0))
        self.facts = paragraph(page, pady=(0, gap))
        self.bars = put(ScoreBars(page, theme), sticky="nsew")
        stretch(page, row=self.bars.grid_info()["row"])
        acts = {"Copy": self.copy, FIND_LOSS: self.beat}
        buttons = put(ttk.Frame(page), sticky="ew", pady=(gap, 0))
        self.copy_button, self.beat_button = button_row(buttons, gap, acts)

    @property
    def _bots(self) -> list[Entry]:
        return [one for key, one in self._evaluator.entries.items() if key in self._shown]

    @property
    def _opponents(self) -> list[Entry]:
        return [one for key, one in self._evaluator.entries.items() if key in self._wanted]

    @property
    def title(self) -> str:
        """Whose scores are read: the chosen bot, and its opponent."""
        bot, opponent = (self._evaluator.entries.get(key) for key in self._chosen)
        return f"{bot.name} against {opponent.name}" if bot and opponent else ""

    def show(self, key: str, ticked: Collection[str] = ()) -> None:
        """Show the bot *key* in the grid, with those that are *ticked* in the Workshop."""
        self._shown = {key, *ticked}
        self._wanted = [one.key for one in self._opponents] or [*STANDARD_OPPONENTS]
        opponent = self._chosen[1]
        if opponent not in self._wanted:
            opponent = next((each for each in self._wanted if each != key), self._wanted[0])
        if key != self._chosen[0] and not self._evaluator.is_running:
            self.status.configure(text=LEGEND)  # the news was about another bot
        self._chosen = key, opponent
        self._draw()

    # --- opponents ---

    def _fill_menu(self, menu: tk.Menu) -> None:
        """Fill the *menu* with all players, those chosen ticked."""
        entries = self._evaluator.entries
        menu.add_command(label="All of Them", command=partial(self._oppose, [*entries]))
        for number, (key, entry) in enumerate(entries.items()):
            tick: dict[str, Any] = {"variable": f"opponent{number}"}
            menu.setvar(tick["variable"], str(int(key in self._wanted)))
            others = [each for each in entries if (each in self._wanted) != (each == key)]
            act = partial(self._oppose, others)
            menu.add_checkbutton(label=entry.name, command=act, **tick)

    def _oppose(self, keys: list[str]) -> None:
        """Have the players *keys* as opponents, at least one."""
        self._wanted = keys or self._wanted
        self._on_choose(self._chosen[0])

    def _choose(self, pair: Pair) -> None:
        self._chosen = pair
        self._on_choose(pair[0])

    # --- what is shown ---

    def _draw(self) -> None:
        """Show who plays, the scores so far, and what can be done now."""
        self._against.configure(text=f"Against {counted(len(self._opponents), 'opponent')}")
        self.grid_of_scores.fill(self._bots, self._opponents)
        self.grid_of_scores.show(self._evaluator.rows, self._chosen)
        self._draw_chosen()
        is_running = self._evaluator.is_running
        self.run_button.configure(text="Stop" if is_running else "Run")
        enable(self.copy_button, self._rows())
        enable(self.beat_button, not is_running)

    def _pairs(self) -> list[tuple[Entry, Entry]]:
        """Return who plays against whom."""
        return [(bot, other) for bot in self._bots for other in self._opponents]

    def _rows(self) -> list[Row]:
        """Return the rows that are shown and have games."""
        return [row for row in self._evaluator.rows_of(self._pairs()) if row.games]

    def _draw_chosen(self) -> None:
        """Show which of the chosen pair is better, and the scores beside it."""
        bot, opponent = (self._evaluator.entries.get(key) for key in self._chosen)
        if bot is None or opponent is None:
            return
        row = self._evaluator.rows.get(self._chosen)
        text = ""
        if bot != opponent and not self._evaluator.is_running:
            text = f"Press Run to see whether {bot.name} is better than {opponent.name}."
        facts = ""
        known = self._rows()
        if row is not None and row.games:
            text = f"{comparing.verdict(row)} {comparing.compared(row, known)}"
            facts = comparing.facts(row)
        self.verdict.configure(text=unbroken(text))
        self.facts.configure(text=unbroken(facts))
        is_alone = len(self._bots) == 1
        bars = [
            ((one.opponent if is_alone else one.bot).name, one)
            for one in known
            if is_alone or one.opponent == opponent
        ]
        self.bars.show(f"{bot.name} against" if is_alone else f"Against {opponent.name}", bars, row)
        self.beat_button.configure(text=SHOW_LOSS if self._lost_game(bot) else FIND_LOSS)

    def show_work(self, news: str) -> None:
        """Show how far the evaluator is, and its *news* at the end of its work."""
        rows = self._evaluator.rows_of(self._evaluator.pairs)
        if self._evaluator.is_running and not news:
            games = sum(row.games for row in rows)
            planned = sum(row.planned for row in rows)
            news = f"Playing: {games:,} of {planned:,} games."
            if not self._evaluator.pairs:
                news = "Looking for a game that beats the bot…"
            elif rows and games == planned:
                done = sum(row.is_final for row in rows)
                news = f"Computing exact scores, up to minutes each: {done} of {len(rows)}."
        self.status.configure(text=news or LEGEND)
        self._draw()

    # --- the work ---

    def run(self) -> None:
        """Stop, or play every pair that has no complete row of so many games."""
        games = whole_number(self.games.get(), 1, 10**7)
        if self._evaluator.is_running:
            self._evaluator.stop()
        elif games is None:
            self.status.configure(text="Games must be a whole number from 1 to 10,000,000.")
        else:
            self._evaluator.play(self._pairs(), games)

    def _lost_game(self, bot: Entry) -> Game | None:
        """Return the game that was found, if *bot* loses it."""
        loss = self._evaluator.losses.get(bot)
        if loss is None or loss.moves is None:
            return None
        loser = Player(bot.key, bot.name)
        winner = Player("exact", "Opponent")  # any moves, which need not be the best
        players = (loser, winner) if loss.seat == 0 else (winner, loser)
        return Game(actions=loss.moves, players=players)

    def beat(self) -> None:
        """Look for a game that beats the chosen bot, or show the one found on the board."""
        if bot := self._evaluator.entries.get(self._chosen[0]):
            if game := self._lost_game(bot):
                show_game(self._context, game)
            else:
                self._evaluator.find_loss(bot)

    def copy(self) -> None:
        """Put the scores so far on the clipboard, as a table of text."""
        self.clipboard_clear()
        self.clipboard_append(reports.to_text(self._rows()))
        self.status.configure(text="The table is on the clipboard.")
