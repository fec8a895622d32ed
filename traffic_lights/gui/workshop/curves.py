"""The curves of the user's bots: their measured scores, and how much a plan has proven."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from traffic_lights.judging.evaluation import Row
from traffic_lights.players.roster import Entry
from traffic_lights.training.bot_note import read_note
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot


class Curves:
    """What was measured of each bot, by its key; the training adds to it."""

    def __init__(self) -> None:
        self.points: dict[str, Sequence[Measured]] = {}
        """Those of each bot that has any."""
        self.solved_by_ply: dict[str, Sequence[int]] = {}
        """How many positions of each ply a bot has solved, after a plan that proves."""

    def read(self, bots: Iterable[OwnBot], in_training: str) -> None:
        """Have the curves of *bots*, as their notes tell them; the one *in_training* is newer."""
        for known in (self.points, self.solved_by_ply):
            for key in known.keys() - {in_training}:
                del known[key]
        for bot in bots:
            if bot.key != in_training:
                self.see(bot)

    def see(self, bot: OwnBot) -> None:
        """Have the curve of *bot*, if it has none yet."""
        if bot.key not in self.points:
            note = read_note(bot.folder)
            self.solved_by_ply[bot.key] = note.solved
            if note.points:
                self.points[bot.key] = note.points

    def rate(self, entry: Entry) -> float | None:
        """Return the last score of the player of *entry* against Myopic, if there is one."""
        found = [one.score for one in self.points.get(entry.key, ()) if one.opponent == "myopic"]
        return found[-1] if found else entry.rate

    def add(self, key: str, point: Measured) -> None:
        """Add a *point*; games that were not saved are played and measured again."""
        known = self.points.get(key, [])
        if known and known[-1].is_as_good_as(point):  # by Strength
            return
        kept = [one for one in known if one.games < point.games]
        self.points[key] = [*kept, point]

    def end_with(self, row: Row) -> None:
        """Let the curve of the bot of *row* end with its score, so that both tabs say the same."""
        bot = row.bot
        points = self.points.get(bot.key)
        if not points or bot.own is None:
            return
        last = points[-1]
        same = last.games, last.opponent
        if last.sampled and same == (bot.own.games, row.opponent.key):  # an exact score stays
            exact = row.exact
            end = replace(
                last,
                first=exact.first if exact else row.first.rate or 0.0,
                second=exact.second if exact else row.second.rate or 0.0,
                sampled=0 if exact else row.games,
            )
            self.points[bot.key] = [*points[:-1], end]
