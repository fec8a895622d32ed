"""The opponent that is offered after a game: it follows the results, and is never forced.

>>> streak_text(2), streak_text(-3)
('Two wins in a row', '3 losses in a row')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from traffic_lights.players.game import Game
from traffic_lights.players.ladder import Level
from traffic_lights.players.rungs import neighbour
from traffic_lights.userdata.statistics import Statistics, opponent_of

ENOUGH: Final = 2
"""So many wins in a row offer the next rung up, so many losses the one below."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Another opponent for the next game."""

    level: Level
    streak: int
    """The games in a row that led to it: wins, or losses if negative."""

    @property
    def is_harder(self) -> bool:
        """Return whether the opponent is stronger than the last."""
        return self.streak > 0

    @property
    def text(self) -> str:
        """Return the sentence: ``Two wins in a row: try Myopic next? It …``."""
        return f"{streak_text(self.streak)}: try {self.level.name} next? {self.level.about}"


def offer_after(game: Game, statistics: Statistics, levels: Sequence[Level]) -> Offer | None:
    """Return what to offer after the finished *game*; often nothing.

    The *statistics* have counted the game. Nothing is offered if it does not count, or if it
    was counted with another end before a move was taken back.
    """
    seat_and_key = opponent_of(game)
    record = None if seat_and_key is None else statistics.record(seat_and_key[1])
    if seat_and_key is None or record is None or abs(record.streak) < ENOUGH:
        return None
    seat, key = seat_and_key
    if (record.streak > 0) != (game.winner == seat):
        return None
    level = neighbour(levels, key, 1 if record.streak > 0 else -1)
    return None if level is None else Offer(level, record.streak)


def streak_text(streak: int) -> str:
    """Return *streak* in words: wins, or losses if negative."""
    number = "Two" if abs(streak) == ENOUGH else f"{abs(streak):,}"
    return f"{number} {'wins' if streak > 0 else 'losses'} in a row"
