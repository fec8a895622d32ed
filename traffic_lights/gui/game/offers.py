"""The level that is offered after a game in the window, and taken with one button."""

from __future__ import annotations

from traffic_lights.gui.game.desk import Desk
from traffic_lights.players.game import Player
from traffic_lights.players.roster import Offer, offer_after
from traffic_lights.session.session import Phase


class Offers:
    """Keeps what is offered at the end of a game, while that end is on the board."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.current: Offer | None = None
        """What is offered now; None if nothing is."""

    def look(self) -> None:
        """Find what the game as it stands calls for."""
        desk, session = self._desk, self._desk.session
        self.current = None
        if session.phase is Phase.OVER and session.game.is_counted:
            key, streak = desk.keeper.statistics.streak_after(session.game)
            self.current = offer_after(desk.roster.levels(), key, streak)

    def take(self) -> tuple[Player, Player] | None:
        """Return the players of a game with the opponent offered; None if none is."""
        if self.current is None:
            return None
        level = self.current.level
        self._desk.prefer(level.key)
        bot = Player(level.key, level.name)
        one, other = self._desk.session.players
        return (bot, other) if other.is_human else (one, bot)
