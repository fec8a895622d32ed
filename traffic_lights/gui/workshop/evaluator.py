"""The evaluation of the Workshop: a process plays pairs, or looks for a game that a bot loses.

The evaluator asks the process now and then what is new, and keeps the rows, also in a file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.main.context import Context
from traffic_lights.judging import kept_rows
from traffic_lights.judging.evaluation import Row, beat_bot, evaluate_pairs, evaluation_process
from traffic_lights.judging.proof import Loss
from traffic_lights.players.roster import Entry
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.workshop.comparing import Pair
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.shared import OnText, as_sentence

PLAYING: Final = "Playing. Exact scores are computed when all games are played."
ALL_PLAYED: Final = "All of these games are played. Another seed plays others."
STOPPED: Final = "Stopped."


class _Work(NamedTuple):
    """What the process does: it plays *pairs*, or looks for a game that the *loser* loses."""

    worker: Worker
    pairs: Sequence[Pair]
    loser: Entry | None
    rows: dict[Pair, Row]
    """Those of the pairs so far. Of a bot that has changed meanwhile, they are not kept."""

    @property
    def players(self) -> set[str]:
        """The keys of all who play."""
        losers = () if self.loser is None else (self.loser.key,)
        return set().union(*self.pairs, losers)


class Evaluator:
    """Does one work at a time, in a process; exact scores also go to the ends of *curves*.

    *show* is called after each change, at the end with the news. It begins with the rows that were
    kept of players in *entries*, by key.
    """

    def __init__(
        self, context: Context, curves: Curves, show: OnText, entries: Mapping[str, Entry]
    ) -> None:
        self._context = context
        self._curves = curves
        self._show = show
        self.rows: dict[Pair, Row] = {}
        """The scores so far. All games have one seed: a table does not mix several."""
        self.problem = ""
        """Why the last work ended early, in a sentence."""
        self.seed, kept = context.userdata.kept_scores()
        """That of the games."""
        self._checksums: dict[OwnBot | None, str] = {}
        """Those of the tables of all bots in the rows, as they were before the games."""
        self._work: _Work | None = None
        self._found: tuple[Entry, Loss] | None = None
        """The bot that was searched last, and what was found."""
        for row in kept_rows.rows_of(kept, entries):
            self._add(row)
        self._note_checksums((row.bot, row.opponent) for row in self.rows.values())

    @property
    def is_running(self) -> bool:
        """Whether a process plays, or looks for a game that beats a bot."""
        return self._work is not None

    def uses(self, key: str) -> bool:
        """Return whether the player *key* plays now, so that it must stay as it is."""
        return self._work is not None and key in self._work.players

    def loss(self, bot: Entry) -> Loss | None:
        """Return what was found of *bot*, if it was searched last and is still the same."""
        if self._found is None:
            return None
        searched, loss = self._found
        return loss if (searched.key, searched.own) == (bot.key, bot.own) else None

    def forget_others(self, entries: Mapping[str, Entry]) -> None:
        """Forget the rows of players that are not in *entries* as they were, by key."""

        def is_same(player: Entry) -> bool:
            return player.key in entries and entries[player.key].own == player.own

        self.rows = {
            pair: row
            for pair, row in self.rows.items()
            if is_same(row.bot) and is_same(row.opponent)
        }

    # --- what is kept ---

    def rename(self, old: str, player: Entry) -> None:
        """Keep the rows of the bot *old*, which is *player* now, if its table has played them."""
        checksum = kept_rows.checksum(player.own)
        for pair, row in tuple(self.rows.items()):
            if old in pair:
                del self.rows[pair]
                before = row.bot if row.bot.key == old else row.opponent
                if self._checksums[before.own] != checksum:
                    continue
                self._checksums[player.own] = checksum
                bot, opponent = (
                    player if one.key == old else one for one in (row.bot, row.opponent)
                )
                self._add(replace(row, bot=bot, opponent=opponent))
        self._keep()

    def _note_checksums(self, pairs: Iterable[tuple[Entry, Entry]]) -> None:
        for bot in {player.own for pair in pairs for player in pair}:
            self._checksums[bot] = kept_rows.checksum(bot)

    def _add(self, row: Row) -> None:
        self.rows[row.bot.key, row.opponent.key] = row
        if row.bot.own is not None and row.exact is not None:
            self._curves.note_exact(row.bot.own, row.opponent.key, row.exact)

    def _keep(self) -> None:
        plain = kept_rows.plain_rows(self.rows.values(), self._checksums)
        self._context.userdata.keep_scores(self.seed, plain)

    # --- the work ---

    def play(self, pairs: Sequence[tuple[Entry, Entry]], games: int, seed: int) -> None:
        """Play every one of *pairs* that has no final row of so many *games* with this *seed*."""
        if seed != self.seed:
            self.rows.clear()
            self.seed = seed
        done = {pair for pair, row in self.rows.items() if row.is_final and row.games == games}
        left = {(bot.key, other.key): (bot, other) for bot, other in pairs}
        left = {pair: entries for pair, entries in left.items() if pair not in done}
        if not left:
            self._show(ALL_PLAYED)
            return
        for pair in left:
            self.rows.pop(pair, None)
        self._note_checksums(left.values())
        self._start(partial(evaluate_pairs, tuple(left.values()), games, seed), pairs=tuple(left))

    def find_loss(self, bot: Entry) -> None:
        """Look for a game that *bot* loses."""
        self._start(partial(beat_bot, bot), loser=bot)

    def stop(self) -> None:
        """End the work, if there is any; the rows so far stay."""
        if self.is_running:
            self._end(STOPPED)

    def _start(
        self, task: object, *, pairs: Sequence[Pair] = (), loser: Entry | None = None
    ) -> None:
        self._work = _Work(Worker(evaluation_process, task), pairs, loser, {})
        self.problem = ""
        watch(self._context.root, self._work.worker, self._take)
        self._show("")

    def _end(self, news: str) -> None:
        if self._work is not None:
            self._work.worker.end()
            self._work = None
        self._keep()
        self._show(news)

    def _take(self, message: object) -> None:
        work = self._work
        if work is None:  # the game that was looked for has come, and then the end
            return
        match message:
            case Row():
                work.rows[message.bot.key, message.opponent.key] = message
                self._add(message)
                if message.is_complete:
                    self._keep()
                self._show("")
            case Loss():
                assert work.loser is not None
                self._found = work.loser, message
                self._end(message.text(work.loser.name))
            case Ended(error, details):
                if details:
                    self._context.log.add(details)
                self.problem = as_sentence(error)
                self._end(self.problem)

    # --- how far it is ---

    @property
    def share_done(self) -> float:
        """How much is done, from 0 to 1: of the games, and after them of the exact scores."""
        rows = [*self._work.rows.values()] if self._work is not None else []
        if self._work is None or not rows:
            return 0.0
        share = sum(row.games for row in rows) / (rows[0].planned * len(self._work.pairs))
        return sum(row.is_final for row in rows) / len(rows) if share == 1 else share

    @property
    def doing(self) -> str:
        """What the process does now, in sentences; empty if there is none."""
        work = self._work
        if work is None:
            return ""
        if work.loser is not None:
            return f"Looking for a game that beats {work.loser.name}…"
        rows = [*work.rows.values()]
        if len(rows) < len(work.pairs) or not all(row.is_complete for row in rows):
            return PLAYING
        left = [row for row in rows if not row.is_final]
        done = len(rows) - len(left)
        text = (
            f"All games are played. Exact scores, up to minutes each: {done} of {len(rows)} tried."
        )
        if left:
            text += f" Now: {left[0].bot.name} against {left[0].opponent.name}."
        return text
