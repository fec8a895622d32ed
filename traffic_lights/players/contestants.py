"""Contestants by name: the baseline bots, Horizon, the exact player, and any Q-table.

A `Contestant` is what can be written down, sent to another process and seated
later: a name, with a table if the name is that of a QBot, or with the command
of a program that somebody else wrote.

>>> import random
>>> bot = parse_contestant("horizon-3").make_bot(random.Random(7))
>>> bot.choose(0) in range(12)
True
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import LONGEST_GAME
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.bots import Bot, PlayerError, PolicyBot
from traffic_lights.players.exact import ExactBot
from traffic_lights.players.exact import shared_tablebase as shared_tablebase
from traffic_lights.players.external import ExternalBot, Program, close_external_bots, external_bot
from traffic_lights.players.horizon import HorizonBot
from traffic_lights.system.folders import parse_path

EXACT: Final = "exact"
_HORIZON: Final = re.compile(r"horizon-([1-9]\d?)")


ContestantNameError = PlayerError


def standard_opponents() -> tuple[str, ...]:
    """Return whom an evaluation plays if nobody is named: the baselines and the exact player."""
    return (*BASELINES, EXACT)


def horizon_depth(name: str) -> int | None:
    """Return how many plies the player *name* looks ahead; None if it is no Horizon."""
    match = _HORIZON.fullmatch(name)
    return int(match[1]) if match and int(match[1]) <= LONGEST_GAME else None


def shared_guest(program: Program) -> ExternalBot:
    """Return the one external bot of this process for *program*."""
    return external_bot(program, random.Random(0))


def dismiss_guests() -> None:
    """Tell the external bots of this process to quit."""
    close_external_bots()


@dataclass(frozen=True, slots=True, eq=False)
class Contestant:
    """Someone who can be seated: a bot that *name* says, the QBot of *table*, or a *program*."""

    name: str
    table: QTable | None = None
    program: Program | None = None

    @property
    def is_named(self) -> bool:
        """Whether the name alone says who it is."""
        return self.table is None and self.program is None

    def make_bot(self, rng: random.Random) -> Bot:
        """Return the bot, which draws from *rng*; raise ContestantNameError if there is none."""
        if self.table is not None:
            return QBot(self.table, rng)
        if self.program is not None:
            return external_bot(self.program, rng)
        if self.name in BASELINES:
            return PolicyBot(BASELINES[self.name], rng)
        if self.name == EXACT:
            return ExactBot(rng)
        depth = horizon_depth(self.name)
        if depth is not None:
            return HorizonBot(rng, depth)
        raise ContestantNameError(
            f"{self.name[:60]!r} is no player: expected {', '.join(BASELINES)}, "
            f"horizon-N with N from 1 to {LONGEST_GAME}, {EXACT}, or the file of a Q-table"
        )


def parse_contestant(text: str) -> Contestant:
    """Return the player that *text* names, or the QBot of the table file *text*.

    A text with a folder or an ending in it is a path; a file that is called like a
    player is not meant. Raise ContestantNameError if nobody has the name,
    StorageError if the file is not a readable table.
    """
    path = Path(text)
    if not path.suffix and len(path.parts) < 2:
        contestant = Contestant(text)
        try:
            contestant.make_bot(random.Random(0))
        except ContestantNameError:
            if not _is_file(path):
                raise
        else:
            return contestant
    return Contestant(path.name, read_table(parse_path(text)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name longer than the system allows
        return False
