"""Games lost without a line on the board, because a bot did not choose: how many, and why."""

from __future__ import annotations

from dataclasses import dataclass

from traffic_lights.players.bots import Bot
from traffic_lights.players.external import ExternalBot
from traffic_lights.players.referee import PlayedGame


@dataclass(slots=True)
class Forfeits:
    """The games that the bot and its opponent lost by not choosing a legal move in time."""

    bot: int = 0
    opponent: int = 0
    first: str = ""
    """What the first of them was, in a sentence; empty without any."""
    last_words: tuple[str, ...] = ()
    """What its program wrote to its standard error before that."""

    def __bool__(self) -> bool:
        return bool(self.first)

    def add(self, other: Forfeits) -> None:
        """Add the numbers of *other*, which came later."""
        self.bot += other.bot
        self.opponent += other.opponent
        if not self.first:
            self.first, self.last_words = other.first, other.last_words


def forfeits_of(game: PlayedGame, seat: int, bot: Bot, opponent: Bot) -> Forfeits:
    """Return the forfeit of *game*, in which *bot* had *seat*."""
    is_bots = game.winner != seat
    loser = bot if is_bots else opponent
    last_words = loser.last_lines if isinstance(loser, ExternalBot) else ()
    return Forfeits(int(is_bots), int(not is_bots), game.forfeit, last_words)
