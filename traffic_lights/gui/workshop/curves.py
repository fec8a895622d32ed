"""The curves of the user's bots: their measured scores, and how much a plan has proven."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import le

from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.judging.evaluation import Row
from traffic_lights.training.bot_note import read_note
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot


class Curves:
    """What was measured of each bot, by its key; the training adds to it."""

    def __init__(self) -> None:
        self.points: dict[str, list[Measured]] = {}
        """Those of each bot that has any."""
        self.solved: dict[str, tuple[int, ...]] = {}
        """How many positions of each ply a bot has solved, after a plan that proves."""
        self._rows: dict[tuple[OwnBot, str], Row] = {}
        """What Strength knows of bots as they are, each against the opponent with a key."""

    def read(self, bots: Iterable[OwnBot], in_training: str) -> None:
        """Have the curves of *bots*, as their notes tell them; the one *in_training* is newer."""
        points = {}
        self.solved = {key: by_ply for key, by_ply in self.solved.items() if key == in_training}
        for bot in bots:
            if bot.key == in_training:
                points[bot.key] = self.points.get(bot.key, [])
                continue
            note = read_note(bot.folder)
            points[bot.key] = self._with_end(bot, note.points)
            if note.points and note.points[-1].decided:
                self.note_solved(bot.key, note.solved)
        self.points = {key: measured for key, measured in points.items() if measured}

    def see(self, bot: OwnBot) -> None:
        """Have the curve of *bot*, if it had none when all were read."""
        if bot.key not in self.points and (points := read_note(bot.folder).points):
            self.points[bot.key] = self._with_end(bot, points)

    def add(self, key: str, point: Measured) -> None:
        """Add a *point*; games that were not saved are played and measured again."""
        kept = [one for one in self.points.get(key, []) if one.games < point.games]
        self.points[key] = [*kept, point]

    def note_solved(self, key: str, decided_by_ply: Sequence[int]) -> None:
        """Note how many positions of each ply the bot *key* has solved, if that is known."""
        by_ply = tuple(decided_by_ply[: len(POSITIONS_BY_PLY)])
        # A damaged file may say anything.
        totals = POSITIONS_BY_PLY
        if len(by_ply) == len(totals) and all(map(le, by_ply, totals)):
            self.solved[key] = by_ply

    def note_row(self, bot: OwnBot, row: Row) -> None:
        """Let the curve of *bot* end with the score of *row*, so that both tabs say the same."""
        self._rows[bot, row.opponent.key] = row
        if bot.key in self.points:
            self.points[bot.key] = self._with_end(bot, self.points[bot.key])

    def _with_end(self, bot: OwnBot, points: list[Measured]) -> list[Measured]:
        """Return *points* with what Strength knows of *bot* as it is at their end, if it does."""
        if not points or points[-1].games != bot.games:
            return points
        last = points[-1]
        row = self._rows.get((bot, last.opponent))
        if row is None or not last.sampled:  # an exact score stays
            return points
        if row.exact is not None:
            end = replace(last, first=row.exact.first, second=row.exact.second, sampled=0)
        else:
            rates = row.first.rate or 0.0, row.second.rate or 0.0
            end = replace(last, first=rates[0], second=rates[1], sampled=row.games)
        return [*points[:-1], end]
