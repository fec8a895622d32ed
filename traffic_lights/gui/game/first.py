"""The seats of the next game, by the setting."""

from __future__ import annotations

import random
from enum import Enum

from traffic_lights.players.game import Player


class First(Enum):
    """Who starts a new game, seen from the players given."""

    FIRST = "first"
    SECOND = "second"
    RANDOM = "random"
    ALTERNATE = "alternate"


def players_of_next_game(players: tuple[Player, Player], first: First) -> tuple[Player, Player]:
    """Return the seats of the game after one of *players*."""
    swaps = first is First.ALTERNATE or (first is First.RANDOM and random.random() < 0.5)
    return players[::-1] if swaps else players
