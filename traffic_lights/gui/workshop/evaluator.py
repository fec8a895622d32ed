"""The evaluation of the Workshop: a process plays pairs, or looks for a game that a bot loses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from traffic_lights.board.exact_score import BUDGET
from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import kept_scores
from traffic_lights.gui.workshop.comparing import SEED
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.shared import OnText, as_sentence
from traffic_lights.judging.evaluation import Row, beat_bot, evaluate, evaluation_process
from traffic_lights.judging.proof import Loss
from traffic_lights.play.userdata import Saved
from traffic_lights.players.roster import Entry
from traffic_lights.system.processes import Ended, Worker

Pair = tuple[str, str]
"""The keys of a bot and of its opponent."""
ALL_PLAYED: Final = "All of these games are played already."


class Evaluator:
    """Does one work at a time, in a process; its scores also go to the ends of *curves*.

    *show* is called after each change, at the end with the news.
    """

    def __init__(self, context: Context, curves: Curves, show: OnText) -> None:
        self._context = context
        self._curves = curves
        self._show = show
        self._worker: Worker | None = None
        self._loser: Entry | None = None
        """The bot that is searched for a lost game, or was last."""
        self.losses: dict[Entry, Loss] = {}
        """What was found of bots as they were."""
        self.rows: dict[Pair, Row] = {}
        """The scores so far."""
        self.entries: Mapping[str, Entry] = {}
        """The players that can play, as they are, by key."""
        self.pairs: Sequence[tuple[Entry, Entry]] = ()
        """Who plays in the present work; while a lost game is searched for, there are none."""

    @property
    def is_running(self) -> bool:
        """Whether a process plays, or looks for a game that beats a bot."""
        return self._worker is not None

    def take(self, entries: Iterable[Entry]) -> None:
        """Go on with *entries*, and with the rows of those among them that are as they were."""
        self.entries = {entry.key: entry for entry in entries if not entry.problem}
        rows = self.rows
        self.rows = {}
        for row in rows.values():
            self._add(row)
        if not self.is_running:
            self._take_kept()

    def _take_kept(self) -> None:
        """Have the rows that were kept, also in the place of those that are not complete."""
        for row in kept_scores.rows_of(self._context.userdata.saved.strength, self.entries):
            known = self.rows.get((row.bot.key, row.opponent.key))
            if known is None or not known.is_complete:
                self._add(row)

    def rows_of(self, pairs: Sequence[tuple[Entry, Entry]]) -> list[Row]:
        """Return the rows of *pairs* that there are."""
        found = (self.rows.get((bot.key, other.key)) for bot, other in pairs)
        return [row for row in found if row is not None]

    def _add(self, row: Row) -> None:
        # A bot may have trained while it played.
        if all(self.entries.get(one.key) == one for one in (row.bot, row.opponent)):
            self.rows[row.bot.key, row.opponent.key] = row
            if row.is_complete:
                self._curves.end_with(row)

    def play(self, pairs: Sequence[tuple[Entry, Entry]], games: int) -> None:
        """Play every one of *pairs* that has no final row of so many *games*."""
        done = {pair for pair, row in self.rows.items() if row.is_final and row.games == games}
        left = [pair for pair in pairs if (pair[0].key, pair[1].key) not in done]
        if not left:
            self._show(ALL_PLAYED)
            return
        for bot, opponent in left:
            self.rows[bot.key, opponent.key] = Row(bot, opponent, games)
        self.pairs = left
        self._start(partial(evaluate, left, games, seed=SEED, budget=BUDGET))

    def find_loss(self, bot: Entry) -> None:
        """Look for a game that *bot* loses."""
        self._loser = bot
        self.pairs = ()
        self._start(partial(beat_bot, bot))

    def _start(self, task: object) -> None:
        self._worker = Worker(evaluation_process, task)
        watch(self._context.root, self._worker, self._take)
        self._show("")

    def stop(self) -> None:
        """End the work, if there is any; the rows so far stay."""
        if self.is_running:
            self._end("Stopped.")

    def _end(self, news: str) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None
        self._take_kept()
        rows = {pair: row for pair, row in self.rows.items() if row.is_complete}

        def keep(saved: Saved) -> Saved:
            """Add *rows* to those that another program has measured."""
            known = {
                (row.bot.key, row.opponent.key): row
                for row in kept_scores.rows_of(saved.strength, self.entries)
            }
            return replace(saved, strength=kept_scores.plain((known | rows).values()))

        self._context.userdata.apply(keep)
        self._show(news)

    def _take(self, message: object) -> None:
        if not self.is_running:  # the game that was looked for has come, and then the end
            return
        match message:
            case Row():
                self._add(message)
                self._show("")
            case Loss():
                assert self._loser is not None
                self.losses[self._loser] = message
                self._end(message.text(self._loser.name))
            case Ended(error, details):
                if details:
                    self._context.log.add(details)
                self._end(as_sentence(error))
