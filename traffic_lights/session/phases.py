"""The words between a session and whoever shows it: phases, outcomes, requests, results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from traffic_lights.board.rules import State
from traffic_lights.players.game import Game


class Phase(Enum):
    """What the session waits for; every handler asks it first."""

    YOUR_TURN = "your turn"
    BOT_TURN = "bot turn"
    LOOKING_BACK = "looking back"
    OVER = "over"
    REVIEW = "review"
    SETUP = "setup"


class Outcome(Enum):
    """What came of a click on a cell."""

    PLAYED = "played"
    PLAYED_ON = "played on from an earlier move; redo brings the old line back"
    RED_CELL = "refused: the cell is red"
    BOT_CHOOSING = "refused: the bot is choosing"
    BOT_MOVES_HERE = "refused: looking back at a position in which the bot moves"
    OVER = "refused: the game is over"
    SOLVED = "review: right"
    TRY_AGAIN = "review: not winning"
    SETUP_CHANGED = "set-up: the cell has its next colour"


class First(Enum):
    """Who starts a new game, seen from the players given."""

    FIRST = "first"
    SECOND = "second"
    RANDOM = "random"
    ALTERNATE = "alternate"


@dataclass(frozen=True, slots=True)
class BotRequest:
    """The question which action the bot of *level* plays in the live *state*."""

    token: int
    state: State
    level: str
    name: str


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game, for the statistics."""

    game: Game
    winner: int
    """The seat, 0 or 1."""
