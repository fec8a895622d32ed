"""The library: what ``import traffic_lights as tl`` offers to scripts and notebooks.

Boards and cells are text here ("b2"), and players are 1 and 2, as people write them. The page about
players has examples.

>>> import traffic_lights as tl
>>> tl.solve(tl.Board("1100/0000/0000")).best
('c1',)
>>> tl.exact_score("perfect", "myopic").second
1.0
"""

import os
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any, Literal, Protocol, Self, TypeAlias

from traffic_lights.board.baselines import Policy
from traffic_lights.board.exact_score import BUDGET, ExactScore
from traffic_lights.board.exact_score import exact_score as score_of_policies
from traffic_lights.board.rules import (
    CELLS,
    EMPTY_BOARD,
    RulesError,
    State,
    colour_of,
    format_board,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
    parse_board,
    parse_cell,
)
from traffic_lights.board.rules import play as play_action
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.learning import qtable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.play import puzzles as play_puzzles
from traffic_lights.play.game import format_position
from traffic_lights.players.policies import Bot, PolicyBot
from traffic_lights.players.policies import play_game as play_bots
from traffic_lights.players.roster import Roster, table_strategy
from traffic_lights.training.replay import table_after
from traffic_lights.training.run import Training

Source: TypeAlias = str | os.PathLike[str]


class Board:
    """A position, immutable; ``Board()`` is the empty board, ``Board("1200/0100/0000")`` another.

    The text has a digit for each cell, row by row: 0 empty, 1 green, 2 yellow, 3 red.
    """

    __slots__ = ("_state",)

    def __init__(self, text: str = "") -> None:
        self._state: State = parse_board(text) if text else EMPTY_BOARD

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The cells that can be advanced; none once a line is complete."""
        actions = () if is_terminal(self._state) else legal_actions(self._state)
        return tuple(map(format_cell, actions))

    def play(self, cell: str) -> Self:
        """Return the board after advancing *cell*; raise ValueError if that is not legal."""
        if is_terminal(self._state):
            raise RulesError(f"the game is over in {self}, so {cell} cannot be played")
        return type(self)(format_board(play_action(self._state, parse_cell(cell))))

    @property
    def turn(self) -> int:
        """The player to move, 1 or 2."""
        return mover(self._state) + 1

    @property
    def winner(self) -> int | None:
        """The player who has completed a line, 1 or 2; None while the game is running."""
        return 3 - self.turn if is_terminal(self._state) else None

    def __int__(self) -> int:
        return self._state

    def __str__(self) -> str:
        return format_position(self._state)

    def __repr__(self) -> str:
        return f"Board({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with exactly one winning move."""

    board: Board
    best: str
    """The one move that wins, such as "b2"."""
    wins_in: int
    """How many moves the winner needs, from 1 to 12."""


def puzzles(seed: int, wins_in: int | None = None) -> Iterator[Puzzle]:
    """Return an endless iterator of puzzles, the same for the same *seed*.

    They come from games between Random and Myopic. With *wins_in*, all of them win in so many
    moves. Raise ValueError if that is not from 1 to 12.
    """
    return map(_puzzle, play_puzzles.puzzles(seed, wins_in))


def puzzle_of_the_day(day: date | str) -> Puzzle:
    """Return the puzzle of *day*, a date or a text such as "2026-11-23".

    It is the one that the game shows on that day. Raise ValueError if the text is not a date.
    """
    if isinstance(day, str):
        day = date.fromisoformat(day)
    return _puzzle(play_puzzles.puzzle_of_the_day(day))


def _puzzle(found: play_puzzles.PuzzlePosition) -> Puzzle:
    return Puzzle(Board(format_board(found.state)), format_cell(found.best), found.wins_in)


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact value of a position to the player to move."""

    wins: bool
    plies: int
    """Moves to the end with best play by both sides."""
    best: tuple[str, ...]
    """The fastest wins, or the longest defences."""


def solve(board: Board | str = "") -> Solution:
    """Return the exact solution of *board* or of its text, by default of the empty board.

    Raise ValueError if the game is over. The first call solves the whole game, in 0.1 s.
    """
    state = int(Board(board) if isinstance(board, str) else board)
    tablebase = shared_tablebase()
    distance = tablebase.get_distance(state)
    if not distance:
        raise RulesError(f"the game is over in {board}")
    best = tuple(map(format_cell, tablebase.optimal_actions(state)))
    return Solution(bool(distance % 2), distance, best)


class PlayerLike(Protocol):
    """Anything that chooses a cell.

    For exact scores a player of your own also needs ``moves(board)``, which returns the cells
    among which it chooses with equal probability.
    """

    def choose(self, board: Board) -> str:
        """Return a legal cell of *board*, such as "b2"."""
        ...


AnyPlayer: TypeAlias = PlayerLike | Source


class RosterPlayer:
    """A player of the program, such as ``player("myopic")``."""

    def __init__(self, name: str, bot: Bot, strategy: Policy | None) -> None:
        self.name = name
        self.bot = bot
        self.strategy = strategy

    def choose(self, board: Board) -> str:
        """Return the cell that it plays on *board*; raise ValueError if the game is over."""
        if is_terminal(int(board)):
            raise RulesError(f"the game is over in {board}")
        return format_cell(self.bot.choose(int(board)))

    def __repr__(self) -> str:
        return f"<player {self.name}>"


class QBot(RosterPlayer):
    """A bot that plays what a Q-table says; it is loaded from a file or returned by `train`."""

    def __init__(self, table: qtable.QTable, seed: int | None = None) -> None:
        bot = qtable.TableBot(table, random.Random(seed))
        super().__init__("QBot", bot, table_strategy(table))
        self.table = table
        self._choices = bot.choices

    @classmethod
    def load(cls, path: Source, seed: int | None = None, games: int | None = None) -> Self:
        """Return the bot of the table file *path*; *seed* breaks ties among equal moves.

        With *games* the bot is as it was after so many of its games, which are played again.
        Raise ValueError if that is not possible, or if the file is damaged or cannot be read.
        """
        table = read_table(Path(path))
        return cls(table if games is None else table_after(table.meta, games), seed)

    def save(self, path: Source) -> None:
        """Write the table to the file *path*, as a whole or not at all."""
        write_table(Path(path), self.table)

    def moves(self, board: Board) -> tuple[str, ...]:
        """Return the cells among which `choose` chooses, each with equal probability."""
        return tuple(map(format_cell, self._choices(int(board))))

    def values(self, board: Board) -> dict[str, float]:
        """Return the learned value of each legal cell, from -1 to 1; 0 if it was never tried."""
        state = int(board)
        row = self.table.row(state) if not is_terminal(state) else {}
        return {cell: row.get(parse_cell(cell), 0.0) for cell in board.legal_moves}


def player(name: Source, seed: int | None = None) -> RosterPlayer:
    """Return the player *name*: a name of the roster, a table file, or a command of a program.

    Raise PlayerError, which says why, if there is none.
    """
    entry = _roster().resolve(os.fspath(name))
    return RosterPlayer(entry.key, entry.bot(random.Random(seed)), entry.strategy())


_roster = cache(Roster)


def _known(anyone: AnyPlayer, seed: int | None = None) -> RosterPlayer:
    if isinstance(anyone, RosterPlayer):
        return anyone
    if isinstance(anyone, str | os.PathLike):
        return player(anyone, seed)

    def policy(cells: Callable[[Board], Iterable[str]]) -> Policy:
        return Policy(
            lambda state: tuple(map(parse_cell, cells(Board(format_board(state))))),
            is_symmetric=False,
        )

    moves: Callable[[Board], Iterable[str]] | None = getattr(anyone, "moves", None)
    bot = PolicyBot(policy(lambda board: [anyone.choose(board)]), random.Random())
    return RosterPlayer(repr(anyone), bot, moves and policy(moves))


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game."""

    moves: tuple[str, ...]
    winner: int
    """1 or 2."""


def play_game(first: AnyPlayer, second: AnyPlayer) -> GameResult:
    """Return the game that *first* and *second* play from the empty board."""
    game = play_bots(_known(first).bot, _known(second).bot)
    return GameResult(tuple(map(format_cell, game.actions)), game.winner + 1)


def exact_score(one: AnyPlayer, other: AnyPlayer, budget: int = BUDGET) -> ExactScore | None:
    """Return the exact score of *one* against *other*, over every line that both allow.

    Return None if more than *budget* positions can arise in a seat. Raise TypeError for an
    external program, or for a player of your own without ``moves(board)``.
    """
    players = _known(one), _known(other)
    first, second = (known.strategy for known in players)
    if first is None or second is None:
        raise TypeError(f"no exact score: moves(board) is unknown of one of {players}")
    return score_of_policies(first, second, budget)


@dataclass(frozen=True, slots=True)
class Sample:
    """The result of games played for real."""

    games: int
    wins: int
    interval: tuple[float, float]
    """The 95 % interval of the rate (Wilson)."""

    @property
    def rate(self) -> float:
        return self.wins / self.games


def evaluate(one: AnyPlayer, other: AnyPlayer, games: int = 2000, seed: int = 1) -> Sample:
    """Return how often *one* beats *other* in *games* games; the seats are swapped every game."""
    bots = _known(one, seed).bot, _known(other, seed + 1).bot
    seats = (number % 2 for number in range(games))
    wins = sum(play_bots(bots[seat], bots[1 - seat]).winner == seat for seat in seats)
    return Sample(games, wins, wilson_interval(wins, games))


@dataclass(frozen=True, slots=True)
class TrainingPoint:
    """A bot in training, as `train` reports it."""

    games: int
    bot: QBot
    """It learns more when the report returns; `QBot.save` keeps it as it is."""


def train(
    opponent: str = "myopic",
    games: int | None = None,
    seed: int = 1,
    *,
    every: int = 5_000,
    on_progress: Callable[[TrainingPoint], object] | None = None,
    folder: Source | None = None,
    **settings: Any,
) -> QBot:
    """Train a bot against *opponent*, or by a plan such as "reverse", and return it.

    *on_progress* gets a TrainingPoint about every so many games. With a *folder* the run can be
    interrupted and continued, as on the command line. *settings* are the other options of the
    command by their names: ``alpha=0.3``, ``update="bootstrap"``. Raise ValueError if one is wrong.
    """
    wanted = {"plan": opponent, "seed": seed, **settings}
    if games is not None:
        wanted["games"] = games
    place = tempfile.TemporaryDirectory() if folder is None else nullcontext(os.fspath(folder))
    with place as name, Training(Path(name), wanted) as training:
        due = every
        for moment in training.play():
            if on_progress is not None and moment.games >= due:
                on_progress(TrainingPoint(moment.games, QBot(training.table, seed)))
                due += every * (1 + (moment.games - due) // every)
        return QBot(training.table, seed)


class Env:
    """The game for a learner of your own, with the signatures of Gymnasium's environments.

    An observation is a tuple of twelve colours, 0 to 3. An action is a cell, 0 to 11;
    ``info["action_mask"]`` has a 1 for each legal one. The reward is 1 for a win and -1 for a
    loss, at the end of the game. *seat* is 1, 2 or "alternate".
    """

    def __init__(
        self, opponent: AnyPlayer = "myopic", seat: Literal[1, 2, "alternate"] = "alternate"
    ) -> None:
        seats = {1: (0,), 2: (1,), "alternate": (0, 1)}
        if seat not in seats:
            raise ValueError(f"seat is {seat!r}; it must be 1, 2 or 'alternate'")
        self._seats = cycle(seats[seat])
        self._opponent = opponent
        self._bot = _known(opponent).bot
        self._seat = 0
        self._state = EMPTY_BOARD

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[int, ...], dict[str, Any]]:
        """Begin a game and return (observation, info); a *seed* makes the opponent repeatable."""
        del options  # part of Gymnasium's signature
        if seed is not None:
            self._bot = _known(self._opponent, seed).bot
        self._seat = next(self._seats)
        self._state = EMPTY_BOARD
        if self._seat == 1:
            self._reply()
        return self._view()

    def step(self, action: int) -> tuple[tuple[int, ...], float, bool, bool, dict[str, Any]]:
        """Play *action* and the reply; return (observation, reward, terminated, truncated, info).

        Raise ValueError if the action is not legal, or if the game is over.
        """
        if is_terminal(self._state):
            raise RulesError("the game is over; call reset()")
        self._state = play_action(self._state, action)
        reward = 1.0 if is_terminal(self._state) else 0.0
        if not reward:
            self._reply()
            reward = -1.0 if is_terminal(self._state) else 0.0
        observation, info = self._view()
        return observation, reward, bool(reward), False, info

    def _reply(self) -> None:
        self._state = play_action(self._state, self._bot.choose(self._state))

    def _view(self) -> tuple[tuple[int, ...], dict[str, Any]]:
        legal = () if is_terminal(self._state) else legal_actions(self._state)
        mask = [int(cell in legal) for cell in range(CELLS)]
        observation = tuple(colour_of(self._state, cell) for cell in range(CELLS))
        return observation, {"action_mask": mask, "seat": self._seat + 1}
