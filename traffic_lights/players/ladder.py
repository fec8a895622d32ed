"""The ladder of opponents: what each does, how it scores against Myopic, and the bot itself.

The order is by the exact score against Myopic and, where that is equal, against
Random. The scores come from ``qtables/ladder.json``, which ``python -m
tests.make.ladder`` makes; a level without a score stands where it was declared,
after those that have one.

A level whose table cannot be read is never played by another bot in its place:
its `problem` says why, and asking for its bot raises LadderError.

>>> ladder = Ladder(random.Random(7))
>>> ladder.player("myopic")
Player(bot='myopic', name='Myopic')
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, fields, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import Action, State
from traffic_lights.board.solver import Tablebase
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.bots import Bot, PlayerError, PolicyBot
from traffic_lights.players.exact import ExactBot
from traffic_lights.players.game import Player
from traffic_lights.players.horizon import HorizonBot
from traffic_lights.players.roster import Score as Score
from traffic_lights.storage.files import DamagedFileError, StorageError, read_json
from traffic_lights.system.folders import shipped_tables

FORMAT: Final = "traffic-lights-ladder"
VERSION: Final = 2
SCORES_FILE: Final = "ladder.json"
OWN_KEY: Final = "qbot-own"
_LARGEST_SCORES: Final = 1 << 16
_DIGITS: Final = 12


LadderError = PlayerError


_SCORE_FIELDS: Final = tuple(field.name for field in fields(Score))


@dataclass(frozen=True, slots=True)
class Level:
    """One opponent of the ladder."""

    key: str
    """What settings, records and statistics call it."""
    name: str
    """What lists and sentences call it, different for every level."""
    about: str
    """What it does, in one sentence."""
    table: str = ""
    """The file of its Q-table; empty if it needs none."""
    score: Score | None = None
    """None if it was not measured."""
    problem: str = ""
    """Why it cannot play, in a sentence; empty if it can, as far as is known."""


def _after_games(games: int) -> Level:
    return Level(
        f"qbot-{games}",
        f"QBot {games // 1000}k" if games >= 1000 else f"QBot {games}",
        f"A QBot that has trained for {games:,} games against Myopic.",
        f"myopic-{games}.json",
    )


def _looking_ahead(plies: int) -> Level:
    own, others = (plies + 1) // 2, plies // 2
    return Level(
        f"horizon-{plies}",
        f"Horizon {plies}",
        f"Looks {plies} turns ahead: sees its own wins in {own} moves, yours in {others}.",
    )


STRONGEST: Final = "qbot"
"""The level of the complete QBot."""
_ABOVE_BASELINES: Final = (
    _after_games(200),
    _after_games(1_000),
    _after_games(8_000),
    _after_games(10_000),
    _looking_ahead(3),
    _looking_ahead(5),
    _looking_ahead(7),
    _after_games(30_000),
    Level(
        "qbot",
        "QBot",
        "Never throws a win away, and where it is lost plays what it has seen win most often.",
        "complete.json",
    ),
    Level(
        "exact",
        "Exact player",
        "Wins as fast as it can, sets traps where it is lost, by the exact solution.",
    ),
)


def declared() -> tuple[Level, ...]:
    """Return the levels before they are measured."""
    baselines = (Level(p.key, p.name, p.about) for p in BASELINES.values())
    return (*baselines, *_ABOVE_BASELINES)


OWN_LEVEL: Final = Level(OWN_KEY, "Your QBot", "Plays what it has learned in your own training.")


class Ladder:
    """The levels, and their bots; each bot is made when it is first asked for.

    *tables* is the folder of the shipped tables, *own_table* the file of the
    person's training, a level of its own while it exists. Methods may be called
    from several threads; a table is read once, in the thread that needs it.
    """

    def __init__(
        self,
        rng: random.Random,
        tables: Traversable | None = None,
        own_table: Path | None = None,
        tablebase: Tablebase | None = None,
    ) -> None:
        self._rng = rng
        self._tables = shipped_tables() if tables is None else tables
        self._own_table = own_table
        self.tablebase = tablebase
        self._lock = threading.Lock()
        self._bots: dict[str, Bot] = {}
        self._problems: dict[str, str] = {}
        self._declared = _measured(declared(), read_scores(self._tables))

    def levels(self) -> tuple[Level, ...]:
        """Return every level in the measured order, each with the problem known so far.

        A table that is missing is found here; what else is wrong with one only
        when it is read, so have `check` called once in the background.
        """
        own = (OWN_LEVEL,) if self._own_table is not None and self._own_table.exists() else ()
        return tuple(
            replace(level, problem=self._problems.get(level.key) or self._missing(level))
            for level in (*self._declared, *own)
        )

    def _missing(self, level: Level) -> str:
        if not level.table or level.key in self._bots:
            return ""
        return (
            "" if (self._tables / level.table).is_file() else f"its table {level.table} is missing"
        )

    def level(self, key: str) -> Level:
        """Return the level of *key*; raise LadderError if there is none."""
        for level in self.levels():
            if level.key == key:
                return level
        raise LadderError(f"there is no opponent {key!r}")

    def player(self, key: str) -> Player:
        """Return the player that sits down for the level of *key*; raise LadderError if none."""
        return Player(key, self.level(key).name)

    def choose(self, key: str, state: State) -> Action:
        """Return what the level of *key* plays in the live *state*.

        Raise LadderError if it cannot play. One bot chooses at a time.
        """
        with self._lock:
            return self._bot(key).choose(state)

    def bot(self, key: str) -> Bot:
        """Return the bot of the level of *key*; raise LadderError if it cannot play."""
        with self._lock:
            return self._bot(key)

    def table(self, key: str) -> QTable | None:
        """Return the Q-table by which the level of *key* plays; None if it needs none.

        Raise LadderError if it cannot be read.
        """
        bot = self.bot(key)
        return bot.table if isinstance(bot, QBot) else None

    def is_guessing(self, key: str, state: State) -> bool:
        """Return whether the level of *key* plays by a cut table that has no row for *state*.

        A game from the empty board never leads there, a position set up by hand may.
        """
        table = self.table(key)
        return table is not None and table.meta.get("ties") == "first" and not table.knows(state)

    def check(self) -> tuple[Level, ...]:
        """Read every table and return all levels, with what is wrong with any; may take seconds."""
        for level in self.levels():
            if level.table and not level.problem:
                with self._lock:
                    self._find_problem(level)
        return self.levels()

    def _find_problem(self, level: Level) -> None:
        """Learn whether *level*'s table can be read; keep none that is not played."""
        if level.key not in self._bots:
            try:
                read_table(self._tables / level.table)
            except StorageError as error:
                self._problems[level.key] = str(error)

    def _bot(self, key: str) -> Bot:
        if key not in self._bots:
            self._bots[key] = self._made(self.level(key))
        return self._bots[key]

    def _made(self, level: Level) -> Bot:
        if level.table or level.key == OWN_KEY:
            return self._qbot(level)
        if level.key == "exact":
            self.tablebase = self.tablebase or Tablebase()
            return ExactBot(self._rng)
        if level.key in BASELINES:
            return PolicyBot(BASELINES[level.key], self._rng)
        return HorizonBot(self._rng, int(level.key.removeprefix("horizon-")))

    def _qbot(self, level: Level) -> QBot:
        own = self._own_table if level.key == OWN_KEY else None
        try:
            table = read_table(own or self._tables / level.table)
        except StorageError as error:
            self._problems[level.key] = str(error)
            raise LadderError(f"{level.name} cannot play: {error}") from error
        self._problems.pop(level.key, None)
        return QBot(table, self._rng)


def _measured(levels: tuple[Level, ...], scores: dict[str, Score]) -> tuple[Level, ...]:
    """Return *levels* with their *scores*, the lowest first and those without at the end."""
    scored = [replace(level, score=scores.get(level.key)) for level in levels]
    return tuple(sorted(scored, key=_strength))


def _strength(level: Level) -> tuple[float, float]:
    if level.score is None:
        return 2.0, 2.0
    return level.score.rate, level.score.random_rate


def read_scores(tables: Traversable) -> dict[str, Score]:
    """Return the measured scores beside the shipped *tables*; none if they cannot be read."""
    source = tables / SCORES_FILE
    try:
        return scores_from_plain(read_json(source, _LARGEST_SCORES))
    except StorageError:
        return {}


def scores_to_plain(scores: dict[str, Score]) -> dict[str, Any]:
    """Return *scores* as plain values for the file that `read_scores` reads."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "opponent": "myopic",
        "levels": {
            key: {name: round(getattr(score, name), _DIGITS) for name in _SCORE_FIELDS}
            for key, score in scores.items()
        },
    }


def scores_from_plain(plain: Any) -> dict[str, Score]:
    """Return the scores that `scores_to_plain` wrote; raise DamagedFileError otherwise."""
    levels = plain.get("levels") if isinstance(plain, dict) else None
    if not isinstance(levels, dict) or plain.get("format") != FORMAT:
        raise DamagedFileError(f"{SCORES_FILE} is not a file of format {FORMAT!r}")
    scores: dict[str, Score] = {}
    for key, row in levels.items():
        values: list[Any] = [row.get(n) if isinstance(row, dict) else None for n in _SCORE_FIELDS]
        if not all(type(value) is float and 0 <= value <= 1 for value in values):
            raise DamagedFileError(f"{SCORES_FILE} has no chances from 0 to 1 for {key[:40]!r}")
        scores[key] = Score(*values)
    return scores
