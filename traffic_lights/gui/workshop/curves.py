"""The curves of the user's bots: their measured scores, and how much a plan has proven."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from traffic_lights.board.exact_score import ExactScore
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
        self._ends: dict[tuple[OwnBot, str], dict[str, Any]] = {}
        """What Strength knows of bots as they are, each against the opponent with a key."""

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
                self.points[bot.key] = self._with_end(bot, note.points)

    def wins(self, entry: Entry) -> Measured | ExactScore | None:
        """Return the last measurement of the player of *entry* against Myopic, or its score."""
        found = [one for one in self.points.get(entry.key, ()) if one.opponent == "myopic"]
        return found[-1] if found else entry.score

    def add(self, key: str, point: Measured) -> None:
        """Add a *point*; games that were not saved are played and measured again."""
        known = self.points.get(key, [])
        if known and known[-1].is_as_good_as(point):  # by Strength
            return
        kept = [one for one in known if one.games < point.games]
        self.points[key] = [*kept, point]

    def note_row(self, bot: OwnBot, row: Row) -> None:
        """Let the curve of *bot* end with the score of *row*, so that both tabs say the same."""
        exact = row.exact
        self._ends[bot, row.opponent.key] = {
            "first": exact.first if exact else row.first.rate or 0.0,
            "second": exact.second if exact else row.second.rate or 0.0,
            "sampled": 0 if exact else row.games,
        }
        if bot.key in self.points:
            self.points[bot.key] = self._with_end(bot, self.points[bot.key])

    def _with_end(self, bot: OwnBot, points: Sequence[Measured]) -> Sequence[Measured]:
        """Return *points* with what Strength knows of *bot* as it is at their end, if it does."""
        last = points[-1]
        end = self._ends.get((bot, last.opponent))
        if end is None or last.games != bot.games or not last.sampled:  # an exact score stays
            return points
        return [*points[:-1], replace(last, **end)]
