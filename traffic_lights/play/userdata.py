"""What the program remembers between two starts: one file, user.json, and one value, `Saved`.

A change is a function from `Saved` to `Saved`. `UserData` applies it at once to what the program
shows, and a thread applies it to what the file holds then. So no move waits for a slow disk, and
two programs on one folder lose nothing that the other has saved.
"""

import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from io import FileIO
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from traffic_lights.board.rules import EMPTY_BOARD, RulesError
from traffic_lights.play.game import (
    LONGEST_TEXT,
    Game,
    Player,
    format_record,
    format_seat,
    parse_record,
)
from traffic_lights.play.older import read_older
from traffic_lights.play.results import OpponentRecord
from traffic_lights.play.session import Session
from traffic_lights.play.settings import Settings
from traffic_lights.play.tasks import PuzzleRecord, Task
from traffic_lights.players.external import Program
from traffic_lights.players.roster import USER_FILE, renamed_key
from traffic_lights.storage.files import (
    DamagedFileError,
    LockedError,
    StorageError,
    explained,
    lock_file,
    make_folder,
    remove_leftovers,
    set_aside,
    write_json,
)
from traffic_lights.storage.kinds import (
    ByName,
    Flag,
    Kind,
    KindError,
    Lines,
    ListOf,
    Whole,
    member,
    record_of,
)
from traffic_lights.storage.records import read_record
from traffic_lights.storage.words import free_name

LOCK: Final = "game.lock"
WRITE_LOCK: Final = "user.lock"
HEADER: Final = {"format": "traffic-lights-user", "version": 1}
MOST_GAMES: Final = 50
"""So many recent games are kept."""
LONGEST_WAIT_S: Final = 18.0
"""How long the end of the program waits for a disk that may hang."""
SECOND_PROGRAM: Final = (
    "Traffic Lights is already open. You can play here too, but this game is not saved."
)


class EndedGame(NamedTuple):
    """A game that was counted."""

    game: Game
    winner: int
    """The seat that won it."""
    opponent: str = ""
    """The key of the bot that a human has played against; empty if no statistics count it."""
    streak: int = 0
    """How many games in a row the human has won against it, or lost if negative."""


def score_key(players: tuple[Player, Player], seat: int) -> str:
    """Return the key that counts the games that the player of *seat* won against the other.

    The seats distinguish two equal players, such as two people without names.
    """
    names = [player.bot or format_seat(player) for player in players]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    return f"{names[seat]}\n{names[1 - seat]}"


def opponent_of(game: Game) -> Player | None:
    """Return the bot against which the result of *game* counts; None if there is none.

    A position that was set up may be won already, so it is left out.
    """
    bots = [player for player in game.players if not player.is_human]
    return bots[0] if len(bots) == 1 and game.start == EMPTY_BOARD else None


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game, as the file holds it."""

    record: str = member(Lines(LONGEST_TEXT), "")
    """Empty before the first game."""
    at: int = member(Whole(), 0)
    """How many of its moves are made on the board."""
    counts: bool = member(Flag(), True)
    """Whether its result still has to be counted."""

    def game(self) -> Game:
        """Return the game; raise RulesError if a file that was changed by hand holds none."""
        return replace(parse_record(self.record), counts=self.counts)


def _saved(game: Game, at: int = 0) -> SavedGame:
    return SavedGame(format_record(game), at, game.counts)


def _by_name(kind: Kind) -> Any:
    return field(default_factory=dict, metadata={"kind": ByName(kind)})


@dataclass(frozen=True, slots=True)
class Saved:
    """All that user.json holds."""

    settings: Settings = member(record_of(Settings), Settings())
    game: SavedGame = member(record_of(SavedGame), SavedGame())
    """The game under way."""
    games: tuple[SavedGame, ...] = member(ListOf(record_of(SavedGame)), ())
    """The recent games, the latest last."""
    opponents: Mapping[str, OpponentRecord] = _by_name(record_of(OpponentRecord))
    """The results against each bot, by its key; that of the latest game last."""
    score: Mapping[str, int] = _by_name(Whole())
    """The games won on the cards; `score_key` makes the keys."""
    puzzles: PuzzleRecord = member(record_of(PuzzleRecord), PuzzleRecord())
    programs: tuple[Program, ...] = member(ListOf(record_of(Program)), ())
    """The external bots that the user has added."""
    strength: Mapping[str, Any] = _by_name(Kind())
    """The scores that Strength has measured."""

    def with_result(self, game: Game) -> Self:
        """Return this with the result of *game*, which is over."""
        winner = 1 - game.mover
        key = score_key(game.players, winner)
        saved = replace(self, score={**self.score, key: self.score.get(key, 0) + 1})
        bot = opponent_of(game)
        if bot is None:
            return saved
        opponents = dict(self.opponents)
        record = opponents.pop(bot.bot or "", OpponentRecord())
        has_won = game.players[winner].is_human
        opponents[bot.bot or ""] = record.with_game(
            bot.name, has_won, is_helped=game.is_helped, day=game.day
        )
        return replace(saved, opponents=opponents)

    def with_ended(self, tasks: Iterable[Task], left: Iterable[Game]) -> Self:
        """Return this with the results of *tasks*, and with the games *left* as the latest ones.

        What is the beginning of a later game goes.
        """
        puzzles = self.puzzles
        for task in tasks:
            puzzles = puzzles.counted(task)
        games = self.games
        for game in left:
            games = (*(one for one in games if not _is_beginning(one, game)), _saved(game))
        return replace(self, puzzles=puzzles, games=games[-MOST_GAMES:])

    def recent_games(self, present: Game) -> list[Game]:
        """Return the recent games, the latest first, without the *present* one."""
        games = [one for one in reversed(self.games) if not _is_beginning(one, present)]
        return [one.game() for one in games]

    def with_program(self, program: Program) -> Self:
        """Return this with *program* in the place of one of its command.

        If another command has its name, it gets a number.
        """
        others = [one for one in self.programs if one.command != program.command]
        name = free_name(program.name, {one.name for one in others}.__contains__)
        return replace(self, programs=(*others, replace(program, name=name)))

    def without_programs(self, gone: Sequence[Program]) -> Self:
        """Return this without the external bots *gone*."""
        return replace(self, programs=tuple(one for one in self.programs if one not in gone))

    def renamed(self, old: str, new: str) -> Self:
        """Return this with the bot *old* under its *new* key."""

        def key(one: str) -> str:
            return renamed_key(one, old, new)

        settings = replace(self.settings, opponent=key(self.settings.opponent))
        score = {"\n".join(map(key, pair.split("\n"))): n for pair, n in self.score.items()}
        opponents = {key(bot): record for bot, record in self.opponents.items()}
        games = tuple(
            replace(one, record=re.sub(rf"\[{re.escape(old)}(?=[:\]])", f"[{new}", one.record))
            for one in self.games
        )
        rows = [
            {**row, "bot": key(row["bot"]), "opponent": key(row["opponent"])}
            for row in self.strength.get("rows", ())
        ]
        return replace(
            self,
            settings=settings,
            score=score,
            opponents=opponents,
            games=games,
            strength={**self.strength, "rows": rows},
        )

    def cleared(self) -> Self:
        """Return this without the results; the level of the puzzles and the mistakes stay."""
        return replace(self, opponents={}, score={}, puzzles=replace(self.puzzles, streak=0))


def _is_beginning(saved: SavedGame, game: Game) -> bool:
    """Return whether *saved* is *game*, or was at an earlier move; one that cannot be read is."""
    try:
        one = saved.game()
    except RulesError:
        return True
    is_same = (one.start, one.players, one.day) == (game.start, game.players, game.day)
    return is_same and one.actions == game.actions[: len(one.actions)]


# --- the folder ---


class UserData:
    """The data *folder* of the user; all methods belong to one thread.

    A second program on the same folder does not save its game.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / USER_FILE
        self._troubles: deque[str] = deque()
        self._changes: deque[Callable[[Saved], Saved]] = deque()
        """What the file still has to get; what could not be written stays for the next save."""
        self._writing = threading.Lock()
        self._could_write = True
        self._lock: FileIO | None = None
        self._is_readable = True
        """Whether the file could be read; otherwise nothing may replace it."""
        remove_leftovers(folder, lambda name: name == USER_FILE, unchanged_s=600)
        self._held = Saved()
        """What was in the file when this program saw it last."""
        try:
            self._held = self._read() or self._older()
        except StorageError as error:
            self._is_readable = self._could_write = False
            self._troubles.append(f"{error}. You can play on, but nothing is saved.")
        self.saved = self._held
        """What this program knows."""

    def _older(self) -> Saved:
        """Return what version 1.4 has saved, as far as it fits."""
        saved = Saved()
        for name, value in read_older(self.folder).items():
            with suppress(KindError):
                saved = replace(saved, **{name: record_of(Saved).members[name].check(value)})
        return saved

    def _read(self) -> Saved | None:
        """Return what the file holds; None if it is missing, or damaged and so renamed."""
        if not os.path.lexists(self._path):
            return None
        try:
            saved: Saved = read_record(self._path, record_of(Saved), HEADER)
        except DamagedFileError as error:
            trouble = f"{USER_FILE} cannot be used ({error}). The program continues without it"
            with suppress(StorageError):
                trouble += f" and renamed the file to {set_aside(self._path)}"
            self._troubles.append(f"{trouble}.")
            return None
        return saved

    def apply(self, change: Callable[[Saved], Saved]) -> None:
        """Make *change* here at once, and in the file soon."""
        after = change(self.saved)
        if after != self.saved:
            self.saved = after
            self._changes.append(change)
            threading.Thread(target=self._write, daemon=True).start()

    def _write(self) -> None:
        """Make the changes that wait in the file, as it is now."""
        with self._writing:
            changes = tuple(self._changes)
            if not changes or not self._is_readable:
                return
            try:
                make_folder(self.folder)
                with explained("write", self._path), self._alone():
                    held = self._read() or self._held
                    for change in changes:
                        held = change(held)
                    write_json(self._path, {**HEADER, **asdict(held)})
                    self._held = held
            except Exception as error:  # a mistake must not end the program
                if self._could_write:
                    text = f"{error}. You can play on, but nothing is saved."
                    self._troubles.append(text[0].upper() + text[1:])
                self._could_write = False
                return
            for _ in changes:
                self._changes.popleft()
            if not self._could_write:
                self._troubles.append("What could not be saved is saved now.")
            self._could_write = True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other programs from writing; they are done in a moment."""
        lock = None
        for _ in range(100):
            try:
                lock = lock_file(self.folder / WRITE_LOCK)
                break
            except LockedError:
                time.sleep(0.02)
            except StorageError:  # a disk without locks
                break
        try:
            yield
        finally:
            if lock is not None:
                lock.close()

    # --- settings, results ---

    @property
    def settings(self) -> Settings:
        return self.saved.settings

    def change(self, **changes: Any) -> None:
        """Change settings by name."""
        self.apply(lambda saved: replace(saved, settings=replace(saved.settings, **changes)))

    def count_ended(self, session: Session) -> EndedGame | None:
        """Count what has ended in *session*, each once: tasks, and a game, which is returned."""
        tasks, session.ended = session.ended, []
        left, session.left = session.left, []
        self.apply(lambda saved: saved.with_ended(tasks, left))
        game = session.now.game
        if game.winner is None or not game.counts:
            return None
        session.put(game=replace(game, counts=False))
        thrown = []
        if session.now.only_human is not None:
            thrown = [one.state for one in session.mistakes().values() if one.is_blunder]
        self.apply(lambda saved: saved.with_result(game))
        self.apply(lambda saved: replace(saved, puzzles=saved.puzzles.with_mistakes(thrown)))
        bot = opponent_of(game)
        if bot is None:
            return EndedGame(game, game.winner)
        key = bot.bot or ""
        return EndedGame(game, game.winner, key, self.saved.opponents[key].streak)

    # --- the game ---

    def restore_session(self, session: Session) -> bool:
        """Continue the saved game; return whether there was one."""
        saved = self.saved.game
        if not self.may_save_game or not saved.record:
            return False
        try:
            session.restore(saved.game(), saved.at)
        except RulesError:
            return False
        return True

    def save_session(self, session: Session) -> None:
        """Save the game of *session* if it has changed."""
        game = session.now.game
        at = session.now.at if session.now.is_game else len(game.actions)
        if self.may_save_game:
            self.apply(lambda saved: replace(saved, game=_saved(game, at)))

    @cached_property
    def may_save_game(self) -> bool:
        """Whether this is the only program on the folder; if it is not, report that once."""
        try:
            make_folder(self.folder)
            self._lock = lock_file(self.folder / LOCK)
        except LockedError:
            self._troubles.append(SECOND_PROGRAM)
            return False
        except StorageError:
            pass  # on a disk without locks there is one program; saving reports all else
        return True

    # --- troubles, the end ---

    @property
    def has_failed(self) -> bool:
        """Whether something is not saved: the file could not be written, or not the game."""
        return not self._could_write or not self.may_save_game

    def take_trouble(self) -> str:
        """Return a problem that was not reported yet, in sentences; empty if there is none."""
        return self._troubles.popleft() if self._troubles else ""

    def close(self, session: Session) -> None:
        """Save what *session* leaves at the end of the program; a puzzle begun counts as tried."""
        if not session.now.is_game:
            session.leave()
        self.count_ended(session)
        self.save_session(session)
        self.finish()

    def finish(self) -> None:
        """Wait until everything is written or has failed, and unlock the game."""
        thread = threading.Thread(target=self._write, daemon=True)
        thread.start()
        thread.join(LONGEST_WAIT_S)
        if self._lock is not None:
            self._lock.close()
