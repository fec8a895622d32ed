"""The roster: every player but the human ones, each under one key.

To add a player, write its `Policy` and list it in `_standard`, or in `board.baselines` if bots can
train against it.

>>> roster = Roster()
>>> [level.name for level in roster.levels()]
['Beginner', 'Casual', 'Careful', 'Planner', 'Expert', 'Perfect']
>>> roster.entry("myopic").bot(random.Random(7)).choose(0) in range(12)
True
"""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES, Policy
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.board.games import Bot, PlayerError, PolicyBot
from traffic_lights.board.rules import LONGEST_GAME
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players import policies
from traffic_lights.players.external import (
    Program,
    external_bot,
    program_name,
)
from traffic_lights.players.tables import TableFile
from traffic_lights.storage import folders
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.storage.kinds import Matching, record_of
from traffic_lights.storage.words import LONGEST_NAME, counted, fit_name
from traffic_lights.training.folder import TABLE, snapshot_path
from traffic_lights.training.own_bots import Bots, OwnBot

PROGRAM_PREFIX: Final = "program:"
KEY: Final = Matching(rf"[a-z0-9][a-z0-9-]*(:[0-9]+)?|(bot|{PROGRAM_PREFIX[:-1]}):.+")
"""The key of a player; that of a user's bot names its folder, that of a program its name.

The number of games may follow that of a bot, for what it was then.
"""
USER_FILE: Final = "user.json"
"""The file of the user, which holds the external bots among other things."""
SCORES_FILE: Final = "ladder.json"
ENOUGH: Final = 2
"""After this many wins in a row the next level is offered, after as many losses the one below."""
_READING_WHOLE: Final = Lock()
"""Held while a whole table is read, which takes so long that no move may wait for it."""


def renamed_key(key: str, old: str, new: str) -> str:
    """Return *key* after the bot *old* got the key *new*; its snapshots are renamed with it.

    >>> [renamed_key(key, "bot:A", "bot:B") for key in ("bot:A", "bot:A:100", "bot:A 2")]
    ['bot:B', 'bot:B:100', 'bot:A 2']
    """
    is_it = key == old or key.startswith(f"{old}:")
    return new + key.removeprefix(old) if is_it else key


class Group(Enum):
    """The kind of a player, as a heading for lists."""

    LEVEL = "Levels"
    BASELINE = "Baselines"
    LADDER = "Other Players"
    OWN = "My Bots"
    PROGRAM = "Programs"
    TABLE = "Tables"


@dataclass(frozen=True, slots=True)
class Entry:
    """One player, as lists and reports know it."""

    key: str
    """What settings, saved games, statistics and commands call it."""
    name: str
    """What lists and sentences call it."""
    about: str
    group: Group
    plays_by: Policy | TableFile | Program | None = None
    """Where its moves come from; None if it cannot play yet."""
    score: ExactScore | None = None
    """Against Myopic; None if it was not computed, as for bots of the user, whom `rate` knows."""
    problem: str = ""
    """Why it cannot play, as far as is known."""
    own: OwnBot | None = None
    """The bot that the user can train, if it is one; it then plays by its newest table."""

    @property
    def rate(self) -> float | None:
        """The share of its games against Myopic that it wins, from 0 to 1, if that is known."""
        if self.own is not None:
            return self.own.score
        return None if self.score is None else self.score.total

    @property
    def has_table(self) -> bool:
        return isinstance(self.plays_by, TableFile)

    @property
    def is_program(self) -> bool:
        return isinstance(self.plays_by, Program)

    def bot(self, rng: random.Random) -> Bot:
        """Return a new bot, which draws from *rng*; raise PlayerError if its table is damaged."""
        with self._named_errors():
            match self.plays_by:
                case TableFile() as table:
                    return table.bot(rng)
                case Program() as program:
                    return external_bot(program, rng)
                case Policy() as policy:
                    return PolicyBot(policy, rng)
        raise PlayerError(f"{self.name} cannot play yet")

    def strategy(self) -> Policy | None:
        """Return how it chooses, for exact scores, if that is known; raise PlayerError."""
        with self._named_errors():
            match self.plays_by:
                case TableFile() as table:
                    return table.strategy()
                case Policy() as policy:
                    return policy
        return None

    def q_table(self) -> QTable:
        """Return the table by which it plays; raise PlayerError if it cannot be read."""
        assert isinstance(self.plays_by, TableFile), self.key
        with self._named_errors():
            return self.plays_by.read()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Raise a PlayerError with the name of this player if a file cannot be read."""
        try:
            yield
        except StorageError as error:
            # If the user named the file, the error alone says enough.
            who = "" if self.group is Group.TABLE else f"{self.name} cannot play: "
            raise PlayerError(f"{who}{error}") from error


@lru_cache(maxsize=1)  # it may take 300 MB
def _read_whole_table(table: Path, _changed_ns: int) -> QTable:
    return read_table(table)


def _entries_of(group: Group, *chosen: Policy) -> list[Entry]:
    return [Entry(policy.key, policy.name, policy.about, group, policy) for policy in chosen]


def _trained_bot(games: int) -> Entry:
    name = f"QBot {games // 1000}k" if games >= 1000 else f"QBot {games}"
    about = f"Has trained for {games:,} games against Myopic."
    table = TableFile(folders.shipped_tables() / f"myopic-{games}.json")
    return Entry(f"qbot-{games}", name, about, Group.LADDER, table)


def _standard() -> list[Entry]:
    """Return the players that come with the program, the weakest of each kind first."""
    complete = folders.shipped_tables() / "complete.json"
    perfect = Entry(
        "perfect",
        "Perfect",
        "Never throws a win away. You can beat it if it moves first.",
        Group.LEVEL,
        TableFile(complete, elsewhere=policies.EXACT_PLAYER),
    )
    qbot = Entry(
        "qbot",
        "QBot",
        "Never throws a win away in a game that it plays from the start. In lost positions it "
        "plays the move that won most often.",
        Group.LADDER,
        TableFile(complete),
    )
    return [
        *_entries_of(Group.LEVEL, *policies.LEVELS),
        perfect,
        *_entries_of(Group.BASELINE, *BASELINES.values()),
        _trained_bot(200),
        _trained_bot(1_000),
        _trained_bot(8_000),
        *_entries_of(Group.LADDER, *map(policies.horizon, (3, 5))),
        _trained_bot(10_000),
        *_entries_of(Group.LADDER, policies.horizon(7)),
        _trained_bot(30_000),
        *_entries_of(Group.LADDER, policies.EXACT_PLAYER),
        qbot,
    ]


def read_scores() -> dict[str, dict[str, float]]:
    """Return the measured scores by the keys of the players; raise StorageError."""
    scores: dict[str, Any] = read_json(folders.shipped_tables() / SCORES_FILE)["levels"]
    return scores


def read_programs(data: Path | None) -> Sequence[Program]:
    """Return the external bots that the user has added, those that can be read."""
    with suppress(StorageError, AttributeError, TypeError):
        rows = read_json(data / USER_FILE).get("programs", ()) if data else ()
        return record_of(Program).fitting(rows)
    return ()


class Roster:
    """The players; the user's own bots and programs are those of the folder *data*.

    The bot of the train command is in *command_folder*. The bots draw from *rng*. Methods may
    be called from several threads.
    """

    def __init__(
        self,
        data: Path | None = None,
        rng: random.Random | None = None,
        command_folder: Path | None = None,
    ) -> None:
        self._rng = rng or random.Random()
        self.bots = None if data is None else Bots(data, command_folder)
        self.programs: Callable[[], Sequence[Program]] = partial(read_programs, data)
        """Returns the external bots of the user; a window knows them before the file has them."""
        scores = read_scores()
        self._shipped = [
            replace(entry, score=ExactScore(**scores[entry.key])) if entry.key in scores else entry
            for entry in _standard()
        ]
        self._own: list[Entry] | None = None
        """The user's bots and programs; None before they are read."""
        self._policy_bots: dict[str, Bot] = {}
        """The bots without files, by key, for all their games: one that tires remembers when."""

    def refresh(self) -> None:
        """Look at the files of the user's bots and programs again when they are next needed."""
        self._own = None

    def entries(self) -> Iterator[Entry]:
        """Yield all players; the files of those of the user are read once until `refresh`."""
        yield from self._shipped
        if self._own is None:
            bots = [] if self.bots is None else self.bots.all()
            self._own = [*map(_own_entry, bots), *map(program_entry, self.programs())]
        yield from self._own

    def levels(self) -> list[Entry]:
        """Return the six levels, the weakest first."""
        return [entry for entry in self.entries() if entry.group is Group.LEVEL]

    def entry(self, text: str) -> Entry:
        """Return the player whose key or name is *text*; raise PlayerError if there is none."""
        try:
            return self._known_entry(text)
        except PlayerError:
            self.refresh()  # it may be a new bot
            return self._known_entry(text)

    def _known_entry(self, text: str) -> Entry:
        for fold in (str, str.casefold):
            for entry in self.entries():
                if fold(text) in (fold(entry.key), fold(entry.name)):
                    return entry
        for depth in range(1, LONGEST_GAME + 1):
            if text.casefold() in (f"horizon-{depth}", f"horizon {depth}"):
                return _entries_of(Group.LADDER, policies.horizon(depth))[0]
        key, _, games = text.rpartition(":")
        for entry in self.entries():
            if entry.own is not None and entry.key == key and games.isdecimal():
                path = snapshot_path(entry.own.folder, int(games))
                if path.is_file():
                    return _snapshot_entry(entry, int(games), path)
        raise PlayerError(f"unknown player {text[:60]!r}")

    def name_of(self, key: str, known: str) -> str:
        """Return the name of the player *key*; *known* if it is gone."""
        with suppress(PlayerError):
            return self.entry(key).name
        return known

    def knows(self, key: str) -> bool:
        """Return whether there is a player *key*."""
        with suppress(PlayerError):
            self.entry(key)
            return True
        return False

    def resolve(self, text: str) -> Entry:
        """Return the player that *text* names.

        That is a key, a table file, the folder of a training or the command of a program. Raise
        PlayerError if it names none or the table cannot be read, or StorageError.
        """
        with suppress(PlayerError):
            return self.entry(text)
        if text.endswith(".json") or os.path.isdir(text):  # noqa: PTH112 - it takes any text
            table = TableFile(folders.parse_path(text))
            found = Entry(text, Path(text).name, "", Group.TABLE, table)
            found.q_table()  # so that a table that cannot be read is refused here
            return found
        try:
            return Entry(text, program_name(text), "", Group.PROGRAM, Program(text))
        except PlayerError as error:
            keys = [entry.key for entry in self._shipped]
            advice = (
                f"choose {', '.join(keys)}, horizon-N with N from 1 to {LONGEST_GAME}, or give a "
                "Q-table file (.json) or a command such as 'python3 mybot.py'"
            )
            for near in get_close_matches(text.casefold(), keys, 1, cutoff=0.75):
                advice = f"did you mean {near}? Or {advice}"
            raise PlayerError(
                f"unknown player {text[:60]!r} ({str(error)[:60]}): {advice}"
            ) from None

    def offer(self, key: str, streak: int) -> tuple[Entry, str] | None:
        """Return another level after a game against the level *key*, and ``two wins in a row``.

        *streak* counts the games in a row against it that were won, or lost if it is negative. A
        longer streak offers nothing, because the player has seen the offer.
        """
        levels = self.levels() if streak > 0 else self.levels()[::-1]
        following = {level.key: other for level, other in pairwise(levels)}
        if abs(streak) != ENOUGH or key not in following:
            return None
        return following[key], f"two {'wins' if streak > 0 else 'losses'} in a row"

    def offers_lessons(self, key: str, streak: int) -> bool:
        """Return whether lessons may help: after *streak*, losses in a row at the lowest level."""
        return key == self.levels()[0].key and streak == -ENOUGH

    # --- bots ---

    def bot(self, key: str) -> Bot:
        """Return the bot of the player *key*, with its present table; raise PlayerError."""
        try:
            entry = self.entry(key)
        except PlayerError:
            raise PlayerError("there is no such player here") from None
        if not isinstance(entry.plays_by, Policy):
            return entry.bot(self._rng)
        if key not in self._policy_bots:
            self._policy_bots[key] = entry.bot(self._rng)
        return self._policy_bots[key]

    def is_trained(self, key: str) -> bool:
        """Return whether the player *key* plays by a table; reads none."""
        with suppress(PlayerError):
            return self._known_entry(key).has_table
        return False

    def table(self, key: str) -> QTable | None:
        """Return the table by which the player *key* plays, if it has one; raise PlayerError."""
        bot = self.bot(key)
        return bot.table if isinstance(bot, TableBot) else None

    def whole_table(self, key: str) -> QTable | None:
        """Return all that the player *key* has learned; raise PlayerError.

        That is the table by which it plays, unless the user's bot still has the whole one that this
        was pruned from. Reading a complete one takes about six seconds.
        """
        table = self.table(key)
        own = self.entry(key).own
        if own is not None and table is not None and table.is_pruned:
            path = own.folder / TABLE
            with _READING_WHOLE, suppress(StorageError, OSError):
                return _read_whole_table(path, path.stat().st_mtime_ns)
        return table

    def end_game(self, keys: Sequence[str | None], winner: int | None) -> None:
        """Tell those of the players *keys*, by seat, that are programs whether they have won."""
        for seat, key in enumerate(keys):
            for entry in self.entries():
                if entry.key == key and isinstance(entry.plays_by, Program):
                    external_bot(entry.plays_by, self._rng).end_game(seat == winner)


def users_roster() -> Roster:
    """Return the roster of this user; raise StorageError if the data folder is not known."""
    return Roster(folders.data_folder(), command_folder=folders.training_folder())


def program_entry(program: Program) -> Entry:
    """Return the player that is an external bot of the user."""
    key = PROGRAM_PREFIX + program.name
    return Entry(key, program.name, "Plays in a program of its own.", Group.PROGRAM, program)


def _snapshot_entry(bot: Entry, games: int, path: Path) -> Entry:
    """Return *bot*, one of the user, as it was after *games* games, kept in *path*."""
    after = counted(games, "game")
    # The number tells this bot from the others of its name, so it is kept whole.
    stem = bot.name[: LONGEST_NAME - len(after) - 3].strip()
    about = f"Plays as it did after {after}."
    return Entry(f"{bot.key}:{games}", f"{stem} ({after})", about, Group.OWN, TableFile(path))


def _own_entry(bot: OwnBot) -> Entry:
    about = f"Has trained for {bot.games:,} games."
    if bot.about:
        origin = f"{bot.about[0].upper()}{bot.about[1:]}."  # the rest names a file
        about = f"{origin} {about}" if bot.games else origin
    return Entry(
        bot.key,
        fit_name(bot.name),
        about,
        Group.OWN,
        TableFile(bot.folder),
        problem=bot.problem,
        own=bot,
    )
