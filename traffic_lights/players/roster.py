"""The roster: every player but the human ones, each under one key.

Windows, text mode, commands and worker processes all find players here. It has the six
levels, the baselines, other players of any strength, the user's own bots, external programs
and table files. To add a player, write its `Policy` and list it in `_standard`, or in
`board.baselines` if bots can train against it.

The exact scores against Myopic and Random come from ``qtables/ladder.json``, which
``python -m tests.make.ladder`` makes. If the table of a player cannot be read, its bot raises
PlayerError; no other player takes its place.

>>> roster = Roster()
>>> [level.name for level in roster.levels()]
['Beginner', 'Casual', 'Careful', 'Planner', 'Expert', 'Perfect']
>>> roster.entry("myopic").bot(random.Random(7)).choose(0) in range(12)
True
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from traffic_lights.board.baselines import BASELINES, MYOPIC
from traffic_lights.board.exact import Strategy
from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import LONGEST_GAME, Action, State
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.bots import Bot, PlayerError, PolicyBot, tell_result
from traffic_lights.players.exact import Horizon, exact_actions
from traffic_lights.players.external import (
    ExternalBot,
    Program,
    close_external_bots,
    close_program,
    external_bot,
    is_file,
    parse_command,
    program_name,
    standing_command,
)
from traffic_lights.players.game import Game
from traffic_lights.players.levels import BEGINNER, CASUAL
from traffic_lights.storage.files import StorageError, make_folder, read_json, write_json
from traffic_lights.system import folders
from traffic_lights.system.typed import fit_name
from traffic_lights.system.words import counted
from traffic_lights.training.bots import Bots, OwnBot, playing_path
from traffic_lights.training.state import snapshot_path

EXACT: Final = "exact"
SCORES_FILE: Final = "ladder.json"
PROGRAMS_FILE: Final = "programs.json"
ENOUGH: Final = 2
"""After this many wins in a row the next level is offered, after as many losses the one below."""
_GAMES: Final = re.compile(r"[1-9][0-9]{0,12}")
_HORIZON: Final = re.compile(r"horizon-([1-9]\d?)")


class Group(Enum):
    """The kind of a player, as a heading for lists."""

    LEVEL = "Levels"
    BASELINE = "Baselines"
    LADDER = "Other players"
    OWN = "My bots"
    PROGRAM = "Programs"
    TABLE = "Tables"


@dataclass(frozen=True, slots=True)
class Score:
    """The exact chance to win, from 0 to 1."""

    first: float
    """As Player 1 against Myopic."""
    second: float
    """As Player 2 against Myopic."""
    random_rate: float = 0.0
    """Against Random, with seats swapped every game; 0 if it is not known."""

    @property
    def rate(self) -> float:
        """Return the chance against Myopic, with seats swapped every game."""
        return (self.first + self.second) / 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One player: what every list, menu, form, worker and report knows of it.

    It can be sent to another process. Exactly one of the fields from *policy* on says how
    it plays.
    """

    key: str
    """What settings, saved games, statistics and commands call it."""
    name: str
    """What lists and sentences call it."""
    about: str
    """What it does, in one sentence."""
    group: Group
    score: Score | None = None
    """None if it was not measured."""
    problem: str = ""
    """Why it cannot play, as far as is known; empty if it can."""
    policy: Policy | None = None
    table: Path | str | None = None
    """The file of its Q-table; a plain text is the name of a shipped one."""
    program: Program | None = None
    make: Callable[[random.Random], Bot] | None = None
    """For any other player: makes its bot, which draws from the source given."""

    def bot(self, rng: random.Random) -> Bot:
        """Return the bot, which draws from *rng*; raise PlayerError if its table is unreadable."""
        if self.table is not None:
            return QBot(self.q_table(), rng)
        if self.program is not None:
            return external_bot(self.program, rng)
        if self.policy is not None:
            return PolicyBot(self.policy, rng)
        assert self.make is not None, self.key
        return self.make(rng)

    def strategy(self) -> Strategy | None:
        """Return how it chooses, for exact scores; None if that is not known.

        Raise PlayerError if its table is unreadable.
        """
        if self.table is not None:
            return table_strategy(self.q_table())
        if self.policy is not None and self.policy.is_symmetric:
            return Strategy(self.policy.actions, self.policy.lasts)
        return None

    def q_table(self) -> QTable:
        """Return the table by which it plays, read once; raise PlayerError if it cannot be read."""
        assert self.table is not None, self.key
        try:
            return _read_table(self.table, self.stamp())
        except StorageError as error:
            raise PlayerError(f"{self.name} cannot play: {error}") from error

    def stamp(self) -> tuple[int, int]:
        """Return what changes when its table file does."""
        try:
            status = self.table.stat() if isinstance(self.table, Path) else None
        except OSError:
            status = None
        return (0, 0) if status is None else (status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _read_table(table: Path | str, _stamp: tuple[int, int]) -> QTable:
    return read_table(folders.shipped_tables() / table if isinstance(table, str) else table)


def table_strategy(table: QTable) -> Strategy:
    """Return what the QBot of *table* chooses among in canonical states (see `QBot.choices`)."""
    best = table.best_canonical_actions
    match table.meta.get("ties"):
        case "first":
            return Strategy(lambda state: best(state)[:1])
        case "safe":
            return Strategy(QBot(table, random.Random(0)).choices)
    return Strategy(best)


def _played(group: Group, *policies: Policy) -> list[Entry]:
    return [Entry(p.key, p.name, p.about, group, policy=p) for p in policies]


def _horizon(depth: int, key: str = "", name: str = "", about: str = "") -> Policy:
    """Return the policy that looks *depth* plies ahead, by default under its own name."""
    own, others = (depth + 1) // 2, depth // 2
    return Policy(
        key or f"horizon-{depth}",
        name or f"Horizon {depth}",
        about or f"Looks {depth} turns ahead: sees its own wins in {own} moves, yours in {others}.",
        Horizon(depth),
    )


def _trained(games: int) -> Entry:
    return Entry(
        f"qbot-{games}",
        f"QBot {games // 1000}k" if games >= 1000 else f"QBot {games}",
        f"A QBot that has trained for {games:,} games against Myopic.",
        Group.LADDER,
        table=f"myopic-{games}.json",
    )


_CAREFUL: Final = replace(
    MYOPIC,
    key="careful",
    name="Careful",
    about="Completes every line that it can and always watches out for yours, but does not plan.",
)
_EXACT_PLAYER: Final = Policy(
    EXACT,
    "Exact player",
    "Wins as fast as it can, sets traps where it is lost, by the exact solution.",
    exact_actions,
)


def _standard() -> tuple[Entry, ...]:
    """Return the players that come with the program: levels, baselines, ladder."""
    return (
        *_played(
            Group.LEVEL, BEGINNER, CASUAL, _CAREFUL,
            _horizon(7, "planner", "Planner", "Plans its next four moves."),
            _horizon(15, "expert", "Expert", "Plans its next eight moves."),
        ),
        Entry("perfect", "Perfect", "Never throws a win away. You can beat it if it moves first.",
              Group.LEVEL, table="complete.json"),
        *_played(Group.BASELINE, *BASELINES.values()),
        *map(_trained, (200, 1_000, 8_000, 10_000, 30_000)),
        *_played(Group.LADDER, *map(_horizon, (3, 5, 7)), _EXACT_PLAYER),
        Entry("qbot", "QBot", "Never throws a win away, and where it is lost plays what it has "
              "seen win most often.", Group.LADDER, table="complete.json"),
    )  # fmt: skip


class Roster:
    """The players; the user's own bots and programs are those of the folder *data*.

    *tables* is the folder of the shipped tables; the bot of the train command is in
    *command_folder*. The bots draw from *rng*. Methods may be called from several threads.
    """

    def __init__(
        self,
        data: Path | None = None,
        tables: Traversable | None = None,
        rng: random.Random | None = None,
        command_folder: Path | None = None,
    ) -> None:
        self._data, self._tables = data, tables
        self._rng = random.Random() if rng is None else rng
        self._bots = None if data is None else Bots(data, command_folder)
        self._scores = read_scores(folders.shipped_tables() if tables is None else tables)
        self._problems: dict[str, str] = {}
        self._added: dict[str, Entry] = {}
        self._made: dict[str, tuple[Entry, tuple[int, int], Bot]] = {}
        self._lock = threading.Lock()

    # --- entries ---

    def entries(self) -> tuple[Entry, ...]:
        """Return every player: levels, baselines, ladder, own bots, programs.

        The weakest of a group comes first, players without a score come last.
        """
        shipped = sorted(self._shipped(), key=_strength)
        found = {e.key: e for e in (*shipped, *self._own(), *self._programs())}
        return tuple((found | self._added).values())

    def levels(self) -> tuple[Entry, ...]:
        """Return the six levels, the weakest first."""
        return tuple(entry for entry in self._shipped() if entry.group is Group.LEVEL)

    def entry(self, key: str) -> Entry:
        """Return the player *key*; raise PlayerError if there is none."""
        if key in self._added:
            return self._added[key]
        for entries in (self._shipped, self._programs):
            for entry in entries():
                if entry.key == key:
                    return entry
        bot = None if self._bots is None else self._bots.find(key)
        if bot is not None:
            return self._own_entry(bot)
        if (snapshot := self._snapshot(key)) is not None:
            return snapshot
        match = _HORIZON.fullmatch(key)
        if match and int(match[1]) <= LONGEST_GAME:
            return _played(Group.LADDER, _horizon(int(match[1])))[0]
        raise PlayerError(f"unknown player {key[:60]!r}")

    def name_of(self, key: str, known: str) -> str:
        """Return the name of the player *key*, or the one *known* if it is gone."""
        try:
            return self.entry(key).name
        except PlayerError:
            return known

    def add(self, entry: Entry) -> None:
        """List *entry* too, until the program ends."""
        self._added[entry.key] = entry

    def named(self, text: str) -> Entry:
        """Return the player whose key or name is *text*, in small or capital letters.

        Raise PlayerError if there is none.
        """
        wanted = text.casefold()
        for entry in self.entries():
            if wanted in (entry.key.casefold(), entry.name.casefold()):
                return entry
        return self.entry(text)

    def resolve(self, text: str) -> Entry:
        """Return the player that *text* names: a key, a table file, or the command of a program.

        Raise PlayerError if it names none, or the table cannot be read.
        """
        try:
            return self.named(text)
        except PlayerError:
            pass
        if _is_command(text):
            program = Program(text, program_name(text))
            return Entry(text, program.name, "", Group.PROGRAM, program=program)
        path = Path(text)
        if not path.suffix and len(path.parts) < 2 and not is_file(path):
            keys = ", ".join(entry.key for entry in _standard())
            raise PlayerError(
                f"unknown player {text[:60]!r}: choose {keys}, horizon-N with N from 1 to "
                f"{LONGEST_GAME}, or give the path of a Q-table file or a command"
            )
        try:
            entry = Entry(text, path.name, "", Group.TABLE, table=folders.parse_path(text))
            _read_table(entry.table or "", entry.stamp())
        except StorageError as error:
            raise PlayerError(str(error)) from error
        return entry

    def _shipped(self) -> list[Entry]:
        return [self._measured(entry) for entry in _standard()]

    def _measured(self, entry: Entry) -> Entry:
        """Return the standard *entry* with its score, its table and the problem known so far."""
        problem = self._problems.get(entry.key, "")
        if isinstance(entry.table, str):
            folder = folders.shipped_tables() if self._tables is None else self._tables
            if not problem and not (folder / entry.table).is_file():
                problem = f"its table {entry.table} is missing"
            if isinstance(self._tables, Path):
                entry = replace(entry, table=self._tables / entry.table)
        return replace(entry, score=self._scores.get(entry.key), problem=problem)

    def _own(self) -> list[Entry]:
        return [] if self._bots is None else [self._own_entry(bot) for bot in self._bots.all()]

    def _own_entry(self, bot: OwnBot) -> Entry:
        about = bot.about.capitalize() or f"Has trained for {bot.games:,} games"
        # The score of a bot is kept for both seats together.
        score = None if bot.score is None else Score(bot.score, bot.score)
        problem = bot.problem or self._problems.get(bot.key, "")
        path = playing_path(bot)
        return Entry(bot.key, bot.name, f"{about}.", Group.OWN, score, problem, table=path)

    def _snapshot(self, key: str) -> Entry | None:
        """Return an own bot as it was after some of its games; None if *key* names no such one."""
        bot_key, _, games = key.rpartition(":")
        bot = None if self._bots is None else self._bots.find(bot_key)
        if bot is None or not _GAMES.fullmatch(games):
            return None
        after, path = counted(int(games), "game"), snapshot_path(bot.folder, int(games))
        name, about = fit_name(f"{bot.name} ({after})"), f"Plays as it did after {after}."
        return Entry(key, name, about, Group.OWN, table=path) if path.is_file() else None

    # --- bots ---

    def bot(self, key: str) -> Bot:
        """Return the bot of the player *key*, a new one if its table or program has changed.

        Raise PlayerError if it cannot play.
        """
        entry = replace(self.entry(key), problem="")
        with self._lock:
            known = self._made.get(key)
            if known is not None and known[:2] == (entry, entry.stamp()):
                return known[2]
            try:
                bot = entry.bot(self._rng)
            except PlayerError as error:
                self._problems[key] = str(error)
                raise
            self._problems.pop(key, None)
            self._made[key] = entry, entry.stamp(), bot
            return bot

    def choose(self, key: str, state: State) -> Action:
        """Return what the player *key* plays in the live *state*; raise PlayerError."""
        return self.bot(key).choose(state)

    def table(self, key: str) -> QTable | None:
        """Return the table by which the player *key* plays; None if it has none.

        Raise PlayerError if it cannot be read.
        """
        bot = self.bot(key)
        return bot.table if isinstance(bot, QBot) else None

    def is_guessing(self, key: str, state: State) -> bool:
        """Return whether the player *key* plays by a pruned table that has no row for *state*.

        A game from the empty board never leads there, but a position that was set up may.
        """
        try:
            table = self.table(key)
        except PlayerError:  # it was removed after it had chosen
            return False
        return table is not None and table.meta.get("ties") == "first" and not table.row(state)

    def last_lines(self, key: str) -> tuple[str, ...]:
        """Return what the program *key* wrote last to its standard error, if it is one."""
        known = self._made.get(key)
        return known[2].last_lines if known and isinstance(known[2], ExternalBot) else ()

    def end_game(self, game: Game) -> None:
        """Tell the bots of the finished *game* how it ended."""
        for seat, player in enumerate(game.players):
            known = self._made.get(player.bot or "")
            if known is not None:
                tell_result(known[2], seat == game.winner)

    def close(self) -> None:
        """Tell all external bots to quit."""
        close_external_bots()

    # --- programs ---

    def add_program(self, name: str, command: str, move_s: float) -> Entry:
        """Remember the program *command*, in the place of one of that *name*.

        Raise PlayerError if the program is not there, StorageError if it cannot be saved.
        """
        command = standing_command(command, Path.cwd())
        name = fit_name(name) or program_name(command)
        programs = self._programs()
        key = next((entry.key for entry in programs if entry.name == name), "")
        if not key:
            numbers = [entry.key.removeprefix("program-") for entry in programs]
            key = f"program-{max([int(n) for n in numbers if n.isdecimal()], default=0) + 1}"
        added = _program_entry(key, name, command, move_s)
        self._save_programs([*(entry for entry in programs if entry.key != key), added])
        return added

    def remove_program(self, key: str) -> None:
        """Forget the program *key*; raise StorageError if that cannot be saved."""
        self._save_programs([entry for entry in self._programs() if entry.key != key])

    def _programs(self) -> list[Entry]:
        """Return the programs that the user has added; a damaged row is left out."""
        found: list[Entry] = []
        if self._data is None:
            return found
        try:
            rows = list(read_json(self._data / PROGRAMS_FILE)["programs"])
        except (StorageError, TypeError, LookupError):
            return found
        for row in rows:
            with suppress(TypeError, LookupError, ValueError):
                key, name, command = (str(row[field]) for field in ("key", "name", "command"))
                found.append(_program_entry(key, name, command, float(row["move_s"])))
        return found

    def _save_programs(self, entries: list[Entry]) -> None:
        if self._data is None:
            return
        for entry in self._programs():
            if entry.program is not None and entry not in entries:
                close_program(entry.program)
        rows = [
            {"key": e.key, "name": e.name, "command": e.program.command, "move_s": e.program.move_s}
            for e in entries
            if e.program is not None
        ]
        make_folder(self._data)
        plain = {"format": "traffic-lights-programs", "version": 1, "programs": rows}
        write_json(self._data / PROGRAMS_FILE, plain)


def _program_entry(key: str, name: str, command: str, move_s: float) -> Entry:
    about = "An external program."
    return Entry(key, name, about, Group.PROGRAM, program=Program(command, name, move_s))


def _is_command(text: str) -> bool:
    """Return whether *text* is the command of a program, and not the path of a table."""
    try:
        parse_command(text, Path.cwd())
    except PlayerError:
        return False
    return not text.endswith(".json") and (" " in text or is_file(Path(text)))


# --- the next level ---


@dataclass(frozen=True, slots=True)
class Offer:
    """Another level for the next game, which the results call for."""

    level: Entry
    streak: int
    """The games in a row that were won, or lost if negative."""

    @property
    def is_harder(self) -> bool:
        """Return whether the level is stronger than the last."""
        return self.streak > 0

    @property
    def text(self) -> str:
        """Return the sentences for it: ``Two wins in a row: try Careful next? Never misses …``."""
        number = "Two" if abs(self.streak) == ENOUGH else str(abs(self.streak))
        games = "wins" if self.is_harder else "losses"
        return f"{number} {games} in a row: try {self.level.name} next? {self.level.about}"


def offer_after(levels: Sequence[Entry], key: str, streak: int) -> Offer | None:
    """Return what to offer after a game against the level *key*; mostly nothing.

    *streak* counts the games in a row against it that were won, or lost if it is negative.
    """
    keys = [level.key for level in levels]
    if key not in keys or abs(streak) < ENOUGH:
        return None
    place = keys.index(key) + (1 if streak > 0 else -1)
    return Offer(levels[place], streak) if 0 <= place < len(levels) else None


# --- scores ---


def _strength(entry: Entry) -> tuple[int, float, float]:
    """Return what sorts standard players: levels, baselines, ladder, each the weakest first."""
    group = list(Group).index(entry.group)
    if entry.score is None:
        return group, 2.0, 2.0
    return group, entry.score.rate, entry.score.random_rate


def read_scores(tables: Traversable) -> dict[str, Score]:
    """Return the scores of ``ladder.json`` in the folder *tables*; none if it is unreadable."""
    try:
        rows = read_json(tables / SCORES_FILE)["levels"]
        return {key: Score(**row) for key, row in rows.items()}
    except (StorageError, AttributeError, KeyError, TypeError):
        return {}
