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
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import lru_cache, partial
from itertools import pairwise, starmap, takewhile
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES, Policy
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.board.rules import LONGEST_GAME, Action, State
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players import policies
from traffic_lights.players.external import (
    Program,
    close_external_bots,
    external_bot,
    parse_command,
    program_name,
)
from traffic_lights.players.policies import Bot, PlayerError, PolicyBot
from traffic_lights.storage import folders
from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    explained,
    make_folder,
    open_file,
    set_aside,
    write_json,
)
from traffic_lights.storage.kinds import ByName, Lines, ListOf, Matching, Number, Record, TextLine
from traffic_lights.storage.records import read_record, read_shipped
from traffic_lights.storage.words import LONGEST_NAME, counted
from traffic_lights.training.folder import TABLE, snapshot_path
from traffic_lights.training.own_bots import Bots, OwnBot, playing_path

SCORES_FILE: Final = "ladder.json"
PROGRAMS_FILE: Final = "programs.json"
ENOUGH: Final = 2
"""After this many wins in a row the next level is offered, after as many losses the one below."""
_READING: Final = threading.Lock()
"""Held while a table is read."""
_READING_WHOLE: Final = threading.Lock()
"""Held while a whole table is read, which takes so long that no move may wait for it."""


class Group(Enum):
    """The kind of a player, as a heading for lists."""

    LEVEL = "Levels"
    BASELINE = "Baselines"
    LADDER = "Other players"
    OWN = "My bots"
    PROGRAM = "Programs"
    TABLE = "Tables"


@dataclass(frozen=True, slots=True)
class Entry:
    """One player, as lists and reports know it; one of *policy*, *table*, *program* is given."""

    key: str
    """What settings, saved games, statistics and commands call it."""
    name: str
    """What lists and sentences call it."""
    about: str
    group: Group
    score: ExactScore | None = None
    """Against Myopic; None if it was not measured."""
    problem: str = ""
    """Why it cannot play, as far as is known."""
    own: OwnBot | None = None
    """The bot that the user can train, if it is one; it then plays by its newest *table*."""
    policy: Policy | None = None
    table: Path | str | None = None
    """The file of its Q-table; a plain text is the name of a shipped one."""
    elsewhere: Policy | None = None
    """How it plays positions that its table does not have."""
    program: Program | None = None

    @property
    def tires(self) -> bool:
        """Whether it may come to play any legal action."""
        return self.policy is not None and self.policy.tires

    def bot(self, rng: random.Random) -> Bot:
        """Return a new bot, which draws from *rng*; raise PlayerError if its table is damaged."""
        if self.table is not None and self.elsewhere is not None:
            return policies.CompletedBot(self.q_table(), rng, self.elsewhere)
        if self.table is not None:
            return TableBot(self.q_table(), rng)
        if self.program is not None:
            return external_bot(self.program, rng)
        assert self.policy is not None, self.key
        return PolicyBot(self.policy, rng)

    def strategy(self) -> Policy | None:
        """Return how it chooses, for exact scores, if that is known; raise PlayerError."""
        if self.table is not None and self.elsewhere is not None:
            return _completed(self.q_table(), self.elsewhere)
        if self.table is not None:
            return table_strategy(self.q_table())
        return self.policy if self.policy and self.policy.is_symmetric else None

    def q_table(self) -> QTable:
        """Return the table by which it plays; raise PlayerError if it cannot be read."""
        assert self.table is not None, self.key
        try:
            return _own_table(self.own) if self.own else _read_table_now(self.table)
        except StorageError as error:
            # If the user named the file, the error alone says enough.
            who = "" if self.group is Group.TABLE else f"{self.name} cannot play: "
            raise PlayerError(f"{who}{error}") from error


def _own_table(bot: OwnBot) -> QTable:
    """Return the table by which *bot* plays: if the pruned one is damaged, the whole one."""
    path = playing_path(bot)
    whole = bot.folder / TABLE
    try:
        return _read_table_now(path)
    except DamagedFileError:
        if path == whole or not whole.is_file():
            raise
        return _read_table_now(whole)


def _read_table_now(table: Path | str) -> QTable:
    path = Path(table)  # a shipped table has no file of that name
    changed_ns = path.stat().st_mtime_ns if path.exists() else 0
    # Two threads that want one table get the same, which is read once.
    with _READING:
        return _read_table(table, changed_ns)


@lru_cache(maxsize=8)
def _read_table(table: Path | str, _changed_ns: int) -> QTable:
    return read_table(folders.shipped_tables() / table if isinstance(table, str) else table)


@lru_cache(maxsize=1)  # it may take 300 MB
def _read_whole_table(table: Path, _changed_ns: int) -> QTable:
    return read_table(table)


def table_strategy(table: QTable) -> Policy:
    """Return what a `TableBot` of *table* chooses among in canonical states."""
    match table.meta.get("ties"):
        case "first":
            return Policy(partial(_first_best_action, table))
        case "safe":
            return Policy(TableBot(table, random.Random(0)).choices)
    return Policy(table.best_canonical_actions)


def _first_best_action(table: QTable, state: State) -> tuple[Action, ...]:
    return table.best_canonical_actions(state)[:1]


def _completed(table: QTable, elsewhere: Policy) -> Policy:
    """Return what a `CompletedBot` chooses among in canonical states."""
    return Policy(partial(_completed_actions, table, table_strategy(table), elsewhere))


def _completed_actions(
    table: QTable, known: Policy, elsewhere: Policy, state: State
) -> tuple[Action, ...]:
    policy = known if table.canonical_row(state) else elsewhere
    return policy.actions(state)


def _entries_of(group: Group, *found: Policy) -> list[Entry]:
    return [Entry(policy.key, policy.name, policy.about, group, policy=policy) for policy in found]


def _trained_bot(games: int) -> Entry:
    name = f"QBot {games // 1000}k" if games >= 1000 else f"QBot {games}"
    about = f"Has trained for {games:,} games against Myopic."
    return Entry(f"qbot-{games}", name, about, Group.LADDER, table=f"myopic-{games}.json")


def _standard() -> list[Entry]:
    """Return the players that come with the program, the weakest of each kind first."""
    return [
        *_entries_of(Group.LEVEL, *policies.LEVELS),
        Entry("perfect", "Perfect", "Never throws a win away. You can beat it if it moves first.",
              Group.LEVEL, table="complete.json", elsewhere=policies.EXACT_PLAYER),
        *_entries_of(Group.BASELINE, *BASELINES.values()),
        *map(_trained_bot, (200, 1_000, 8_000)),
        _trained_bot(10_000),
        *_entries_of(Group.LADDER, policies.horizon(3)),
        *_entries_of(Group.LADDER, policies.horizon(5), policies.horizon(7)),
        _trained_bot(30_000),
        *_entries_of(Group.LADDER, policies.EXACT_PLAYER),
        Entry("qbot", "QBot", "Never throws a win away in a game that it plays from the start. In "
              "lost positions it plays the move that won most often.", Group.LADDER,
              table="complete.json"),
    ]  # fmt: skip


_SCORE: Final = Record({"first": Number(0, 1), "second": Number(0, 1)})
_SCORES: Final = Record({"levels": ByName(_SCORE)})
_PROGRAM: Final = Record(
    {
        "key": Matching("program-[1-9][0-9]{0,8}"),
        "command": Lines(10_000),
        "name": TextLine(LONGEST_NAME),
        "move_s": Number(0.001, 86_400),
    }
)
_PROGRAMS: Final = Record({"programs": ListOf()})
_PROGRAMS_HEADER: Final = {"format": "traffic-lights-programs", "version": 1}


def read_scores() -> Any:
    """Return the measured scores by the keys of the players; raise StorageError."""
    return read_shipped(folders.shipped_tables() / SCORES_FILE, _SCORES)["levels"]


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
        self._data = data
        self._rng = rng or random.Random()
        self.bots = None if data is None else Bots(data, command_folder)
        self._scores = read_scores()
        self._shipped = [self._scored(entry) for entry in _standard()]
        self._own: list[Entry] | None = None
        """The user's bots and programs; None before they are read."""
        self._tiring: dict[str, Bot] = {}
        """These remember when they tire."""
        self.troubles: list[str] = []
        """What the user should know of damaged files, in sentences."""

    def refresh(self) -> None:
        """Look at the files of the user's bots and programs again when they are next needed."""
        self._own = None

    def entries(self) -> Iterator[Entry]:
        """Yield all players; the files of those of the user are read once until `refresh`."""
        yield from self._shipped
        if self._own is None:
            bots = [] if self.bots is None else self.bots.all()
            programs = starmap(_program_entry, self._programs().items())
            self._own = [*map(_own_entry, bots), *programs]
        yield from self._own

    def _scored(self, entry: Entry) -> Entry:
        """Return *entry* with the score that was measured of it, if there is one."""
        row = self._scores.get(entry.key)
        return replace(entry, score=ExactScore(row["first"], row["second"])) if row else entry

    def levels(self) -> list[Entry]:
        """Return the six levels, the weakest first."""
        return list(takewhile(lambda entry: entry.group is Group.LEVEL, self.entries()))

    def entry(self, text: str) -> Entry:
        """Return the player whose key or name is *text*; raise PlayerError if there is none."""
        try:
            return self._known_entry(text)
        except PlayerError:
            self.refresh()  # it may be a new bot
            return self._known_entry(text)

    def _known_entry(self, text: str) -> Entry:
        for entry in self.entries():
            if entry.key == text:
                return entry
        folded = text.casefold()
        for entry in self.entries():
            if folded in (entry.key.casefold(), entry.name.casefold()):
                return entry
        for depth in range(1, LONGEST_GAME + 1):
            if text == f"horizon-{depth}":
                return _entries_of(Group.LADDER, policies.horizon(depth))[0]
        own = [(entry, entry.own) for entry in self.entries() if entry.own is not None]
        key, _, games = text.rpartition(":")
        for _, bot in own:
            if games.isdecimal() and key == bot.key:
                snapshot = _snapshot_entry(bot, int(games))
                if snapshot is not None:
                    return snapshot
        raise PlayerError(f"unknown player {text[:60]!r}")

    def name_of(self, key: str, known: str) -> str:
        """Return the name of the player *key*; *known* if it is gone."""
        with suppress(PlayerError):
            return self.entry(key).name
        return known

    def resolve(self, text: str) -> Entry:
        """Return the player that *text* names: a key, a table file, or the command of a program.

        Raise PlayerError if it names none or the table cannot be read, or StorageError.
        """
        with suppress(PlayerError):
            return self.entry(text)
        if text.endswith(".json") or _is_json(text):
            return self._table_entry(text)
        try:
            parse_command(text)
        except PlayerError as error:
            if os.path.isfile(text):  # noqa: PTH113  # a command may be longer than any path
                raise PlayerError(
                    f"{text} is neither a Q-table nor a program that can be executed; a script "
                    f"needs its interpreter, as in 'python3 {text}'"
                ) from None
            if os.path.lexists(text):
                return self._table_entry(text)
            raise self._unknown_error(text, error) from None
        return Entry(text, program_name(text), "", Group.PROGRAM, program=Program(text))

    def _table_entry(self, text: str) -> Entry:
        entry = Entry(text, Path(text).name, "", Group.TABLE, table=folders.parse_path(text))
        entry.q_table()  # so that a table that cannot be read is refused here
        return entry

    def _unknown_error(self, text: str, error: PlayerError) -> PlayerError:
        """Return the error that *text* names no player; as a command it has the other *error*."""
        known = [entry.key for entry in self.entries()]
        likely = get_close_matches(text.casefold(), known, 1)
        if likely:
            return PlayerError(f"unknown player {text[:60]!r}; did you mean {likely[0]}?")
        keys = ", ".join(entry.key for entry in _standard())
        return PlayerError(
            f"unknown player {text[:60]!r} ({error}): choose {keys}, horizon-N with N from 1 to "
            f"{LONGEST_GAME}, or give a Q-table file or a command such as 'python3 mybot.py'"
        )

    def offer(self, key: str, streak: int) -> tuple[Entry, str] | None:
        """Return another level after a game against the level *key*, and ``two wins in a row``.

        *streak* counts the games in a row against it that were won, or lost if it is negative.
        """
        levels = self.levels() if streak > 0 else self.levels()[::-1]
        following = {level.key: other for level, other in pairwise(levels)}
        if abs(streak) < ENOUGH or key not in following:
            return None
        number = "two" if abs(streak) == ENOUGH else str(abs(streak))
        games = "wins" if streak > 0 else "losses"
        return following[key], f"{number} {games} in a row"

    def offers_lessons(self, key: str, streak: int) -> bool:
        """Return whether lessons may help: after *streak*, losses in a row at the lowest level."""
        return key == self.levels()[0].key and streak <= -ENOUGH

    # --- bots ---

    def bot(self, key: str) -> Bot:
        """Return the bot of the player *key*, with its present table; raise PlayerError."""
        try:
            entry = self.entry(key)
        except PlayerError:
            raise PlayerError("this player was removed in the Workshop") from None
        bot = entry.bot(self._rng)
        return self._tiring.setdefault(key, bot) if entry.tires else bot

    def is_trained(self, key: str) -> bool:
        """Return whether the player *key* plays by a table; reads none."""
        with suppress(PlayerError):
            return self._known_entry(key).table is not None
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
            if program := self._program(key):
                external_bot(program, self._rng).end_game(seat == winner)

    def _program(self, key: str | None) -> Program | None:
        """Return the program of the player *key*; None if it is another kind of player."""
        return next((entry.program for entry in self.entries() if entry.key == key), None)

    # --- programs ---

    def add_program(self, program: Program) -> Entry:
        """Remember *program*, in the place of one of its name; raise StorageError."""
        programs = self._programs()
        numbers = [int(key.removeprefix("program-")) for key in programs]
        new = f"program-{max(numbers, default=0) + 1}"
        key = next((key for key, one in programs.items() if one.name == program.name), new)
        self._save_programs(programs | {key: program})
        return _program_entry(key, program)

    def remove_program(self, key: str) -> None:
        """Forget the program *key*, and end its process; raise StorageError.

        An unknown key changes nothing.
        """
        self._save_programs({k: one for k, one in self._programs().items() if k != key})

    def _programs(self) -> dict[str, Program]:
        """Return the programs that the user has added, by key, those in rows that fit."""
        programs, _ = self._read_programs()
        return programs

    def _read_programs(self) -> tuple[dict[str, Program], bool]:
        """Return the programs, and whether something in their file was left out."""
        if self._data is None or not os.path.lexists(self._data / PROGRAMS_FILE):
            return {}, False
        try:
            path = self._data / PROGRAMS_FILE
            plain = read_record(path, _PROGRAMS, _PROGRAMS_HEADER)["programs"]
        except StorageError:
            return {}, True
        rows = _PROGRAM.fitting(plain)
        programs = {row["key"]: Program(row["command"], row["name"], row["move_s"]) for row in rows}
        return programs, len(programs) < len(plain)

    def _save_programs(self, programs: dict[str, Program]) -> None:
        assert self._data is not None, "only a roster with a folder has programs"
        before, is_damaged = self._read_programs()
        close_external_bots(set(before.values()) - set(programs.values()))
        make_folder(self._data)
        path = self._data / PROGRAMS_FILE
        if is_damaged:
            with explained("rename", path):
                kept = set_aside(path)
            self.troubles.append(
                f"{path} was damaged, and some programs in it could not be read. The file as it "
                f"was is now {kept.name}."
            )
        rows = [{"key": key, **asdict(program)} for key, program in programs.items()]
        write_json(path, {**_PROGRAMS_HEADER, "programs": rows})
        self.refresh()


def _is_json(text: str) -> bool:
    """Return whether *text* is the path of a file that begins as JSON does, and no program."""
    with suppress(OSError, StorageError, ValueError), open_file(Path(text)) as file:
        return file.read(100).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return False


def _program_entry(key: str, program: Program) -> Entry:
    return Entry(
        key, program.name, "Plays in a program of its own.", Group.PROGRAM, program=program
    )


def _snapshot_entry(bot: OwnBot, games: int) -> Entry | None:
    """Return *bot* as it was after *games* games; None without a snapshot of that."""
    path = snapshot_path(bot.folder, games)
    if not path.is_file():
        return None
    after = counted(games, "game")
    # The number tells this bot from the others of its name, so it is kept whole.
    stem = bot.name[: LONGEST_NAME - len(after) - 3].strip()
    name = f"{stem} ({after})"
    about = f"Plays as it did after {after}."
    return Entry(f"{bot.key}:{games}", name, about, Group.OWN, table=path)


def _own_entry(bot: OwnBot) -> Entry:
    about = f"Has trained for {bot.games:,} games"
    if bot.about:
        about = bot.about[0].upper() + bot.about[1:]  # the rest names a file
        about += f", {bot.games:,} games" if bot.games else ""
    # The score of a bot is kept for both seats together.
    score = None if bot.score is None else ExactScore(bot.score, bot.score)
    return Entry(
        bot.key,
        bot.name,
        f"{about}.",
        Group.OWN,
        score=score,
        problem=bot.problem,
        own=bot,
        table=playing_path(bot),
    )
