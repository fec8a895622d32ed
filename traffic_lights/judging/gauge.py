"""How well a table plays while it learns: scores and slips, measured in small portions.

A `Gauge` belongs to the process that trains. Between two batches it plays a
few games for a share of the time, so that the training hardly notices, and
yields a point when enough games against an opponent have come together. It
reads the table only, and its random source is its own: what is learned does
not depend on whether anybody measures.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from traffic_lights.board.baselines import ALTERNATE, MYOPIC, RANDOM
from traffic_lights.judging.accuracy import CHECK_POSITIONS, check_slips
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.players.bots import Bot, PolicyBot
from traffic_lights.players.exact import ExactBot
from traffic_lights.players.referee import play_game

SLIPS: Final = "slips"
SCORES: Final = ("Random", "Alternate", "Myopic", "Exact")
"""The opponents of the scores, by the names of their series."""
SHARE_OF_TIME: Final = 0.035
SHARE_OF_SHORT_TIME: Final = 0.15
"""In a run against one opponent until `_SHORT_RUN_S`: its curve is to be seen from the start."""
_SHORT_RUN_S: Final = 10.0
GAMES_A_POINT: Final = 50
_FIRST_GAMES: Final = 20
"""The games of a point at the start of a run against one opponent, which may be over in seconds."""
_LATER_GAMES: Final = 400
"""The games of a point in a long run, whose points are many."""
_LONG_RUN_S: Final = 60.0
_CHECK_EVERY_S: Final = 0.4
_LONGEST_TURN_S: Final = 0.01
PARTS: Final = 10
"""In how many parts a run with a limit has points of its scores, however short it is."""
_UNNOTICED_S: Final = 0.5
"""So much time the points of all parts may cost in any run; else their share is that of turns."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement: a score from 0 to 1, or the slips in the check positions, by its name."""

    name: str
    value: float


class Gauge:
    """Measures *table* in turns; *now* is a clock in seconds.

    In a run against one opponent, its *rival*, the score against that one is
    what the run is about: it is measured as often as all others together, and
    a short run has more of its time measured.
    """

    def __init__(
        self, table: QTable, rival: str = "", now: Callable[[], float] = time.perf_counter
    ) -> None:
        self._table = table
        self._rival = rival if rival in SCORES else ""
        self._now = now
        self._rng = random.Random("gauge")
        self._bot = QBot(table, self._rng)
        opponents: tuple[Bot, ...] = (
            PolicyBot(RANDOM, self._rng),
            PolicyBot(ALTERNATE, self._rng),
            PolicyBot(MYOPIC, self._rng),
            ExactBot(self._rng),
        )
        self._bots = dict(zip(SCORES, opponents, strict=True))
        self._steps = self._measuring()
        self._began_s = self._last_s = now()
        self._credit_s = 0.0
        self._part = 0
        self._parts_cost_s = 0.0

    def turn(self) -> list[Measurement]:
        """Measure for a share of the time since the last turn; return what came of it."""
        now_s = self._now()
        is_short = self._rival and now_s - self._began_s < _SHORT_RUN_S
        share = SHARE_OF_SHORT_TIME if is_short else SHARE_OF_TIME
        self._credit_s += share * (now_s - self._last_s)
        self._last_s = now_s
        # Neither a slow first measurement nor a pause has to be made up for later.
        self._credit_s = min(max(self._credit_s, -_LONGEST_TURN_S), _LONGEST_TURN_S)
        points: list[Measurement] = []
        while self._credit_s > 0:
            point = next(self._steps)
            after_s = self._now()
            self._credit_s -= after_s - self._last_s
            self._last_s = after_s
            if point is not None:
                points.append(point)
        return points

    def at_part(self, share: float) -> list[Measurement]:
        """Return points of the scores when *share* of a run is in a new part; else none.

        What would cost a run more than a little of its time is left out.
        """
        part, began_s = int(share * PARTS), self._now()
        most_s = max(_UNNOTICED_S, SHARE_OF_TIME * (began_s - self._began_s))
        if part <= self._part or part >= PARTS or self._parts_cost_s > most_s:
            return []
        self._part = part
        games = dict.fromkeys(SCORES, _FIRST_GAMES)
        if self._rival:
            games[self._rival] = GAMES_A_POINT
        points = [self._point(name, count) for name, count in games.items()]
        self._parts_cost_s += self._now() - began_s
        return points

    def at_once(self) -> list[Measurement]:
        """Return a point of everything, whatever the time; about 0.2 s."""
        slips = Measurement(SLIPS, check_slips(self._table))
        return [slips, *(self._point(name, GAMES_A_POINT) for name in SCORES)]

    def _point(self, name: str, games: int) -> Measurement:
        wins = sum(self._wins(self._bots[name], game % 2) for game in range(games))
        return Measurement(name, wins / games)

    def _measuring(self) -> Iterator[Measurement | None]:
        """Yield after each game; a point when there is one."""
        check_slips(QTable())  # the first call makes the positions
        yield None
        games = dict.fromkeys(SCORES, 0)
        wins = dict.fromkeys(SCORES, 0)
        checked_s = float("-inf")
        while True:
            for name in self._order():
                if self._now() - checked_s >= _CHECK_EVERY_S:
                    checked_s = self._now()
                    yield Measurement(SLIPS, check_slips(self._table))
                # Seats are swapped every game.
                for seat in (0, 1):
                    games[name] += 1
                    wins[name] += self._wins(self._bots[name], seat)
                    enough = games[name] >= self._games_a_point()
                    if not enough or seat == 0:
                        yield None
                if enough:
                    yield Measurement(name, wins[name] / games[name])
                    games[name] = wins[name] = 0

    def _order(self) -> Iterator[str]:
        """Yield the opponents of a round, the rival before each of the others."""
        for name in SCORES:
            if name != self._rival:
                yield from (self._rival, name) if self._rival else (name,)

    def _wins(self, bot: Bot, seat: int) -> bool:
        pair = (self._bot, bot) if seat == 0 else (bot, self._bot)
        return play_game(*pair).winner == seat

    def _games_a_point(self) -> int:
        age_s = self._now() - self._began_s
        if self._rival and age_s < _SHORT_RUN_S:
            return _FIRST_GAMES
        return _LATER_GAMES if age_s > _LONG_RUN_S else GAMES_A_POINT


__all__ = ["CHECK_POSITIONS", "SCORES", "SLIPS", "Gauge", "Measurement"]
