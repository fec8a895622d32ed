"""Players and the games between them: `player`, `play_game`, `evaluate`, `exact_score`.

>>> exact_score("perfect", "myopic").second
1.0
"""

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Protocol, Self, TypeAlias

from traffic_lights.board.baselines import Policy
from traffic_lights.board.exact_score import BUDGET, ExactScore
from traffic_lights.board.exact_score import exact_score as score_of_policies
from traffic_lights.board.games import Bot, PlayerError, PolicyBot, play_games
from traffic_lights.board.games import play_game as play_bots
from traffic_lights.board.rules import Action, State, format_cell, is_terminal
from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.learning import qtable, rowtable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.library import arguments
from traffic_lights.library.boards import (
    CELLS,
    AnyBoard,
    Board,
    Cell,
    Game,
    Values,
    action_of,
    board_of,
    live_state,
)
from traffic_lights.play import game as records
from traffic_lights.players.external import ExternalBot
from traffic_lights.players.roster import users_roster
from traffic_lights.players.tables import TableFile, table_strategy
from traffic_lights.storage.files import StorageError as StorageError
from traffic_lights.storage.kinds import Number
from traffic_lights.storage.words import counted, fit_name, interval_percent, percent

Source: TypeAlias = str | os.PathLike[str]


class PlayerLike(Protocol):
    """Anything that chooses a cell.

    For exact scores a player of your own also needs ``moves(board)``, which returns the cells
    among which it chooses with equal probability, or a dict with the probability of each.
    """

    def choose(self, board: Board) -> Cell:
        """Return a legal cell of *board*, such as "b2" or 5."""
        ...


AnyPlayer: TypeAlias = PlayerLike | Source


class RosterPlayer:
    """A player of the program, such as ``player("myopic")``."""

    def __init__(
        self,
        name: str,
        make: Callable[[random.Random], Bot],
        strategy: Policy | None,
        seed: int | None = None,
    ) -> None:
        self.name = name
        self._make = make
        self._strategy = strategy
        self._bot = make(random.Random(arguments.seed(seed)))

    def choose(self, board: AnyBoard) -> str:
        """Return the cell that it plays on *board*; raise ValueError if the game is over."""
        return format_cell(self._bot.choose(live_state(board)))

    def moves(self, board: AnyBoard) -> tuple[str, ...]:
        """Return the cells among which it chooses with equal probability.

        A cell that is there twice is twice as likely. Raise TypeError if they are not known.
        """
        return tuple(map(format_cell, policy_of(self).actions(live_state(board))))

    def __repr__(self) -> str:
        return f"<player {self.name}>"


def bot_of(player: RosterPlayer, seed: int | None) -> Bot:
    """Return the bot of *player*; with a *seed*, a new one that draws from it."""
    return player._bot if seed is None else player._make(random.Random(seed))


def policy_of(player: RosterPlayer) -> Policy:
    """Return how *player* chooses; raise TypeError if that is not known."""
    if player._strategy is None:
        raise TypeError(
            f"the possible moves of {player} are not known; it needs moves(board), or to be a "
            "player of the program"
        )
    return player._strategy


class QBot(RosterPlayer):
    """A bot that plays what a Q-table says; it is loaded from a file or returned by `train`.

    It can also be made of the values of a learner of your own, by board and cell. Mirror images
    share their values here, so a ValueError says if yours differ. Going through it yields each
    board that it knows, one of all mirror images, with the values of all its cells, also of those
    that are mirror images of each other.

    >>> bot = QBot({"1100/0000/0000": {"c1": 1.0, "a1": -0.5}})
    >>> bot.choose("1100/0000/0000"), len(bot), *bot
    ('c1', 1, (Board('0000/0000/0011'), {'b3': 1.0, 'd3': -0.5}))
    """

    def __init__(
        self,
        table: qtable.QTable | Mapping[Any, Mapping[Any, float]],
        seed: int | None = None,
        *,
        name: str = "QBot",
        elsewhere: Policy | None = None,
    ) -> None:
        """Take how it plays *elsewhere*, where the table knows no move, by default any."""
        self.table = table if isinstance(table, qtable.QTable) else _table_of(table)
        make = partial(qtable.TableBot, self.table, elsewhere=elsewhere)
        super().__init__(name, make, table_strategy(self.table, elsewhere), seed)

    @classmethod
    def load(cls, path: Source, seed: int | None = None) -> Self:
        """Return the bot of the table file *path*; *seed* breaks ties among equal moves.

        Raise StorageError if the file is damaged or cannot be read.
        """
        return cls(read_table(arguments.path("path", path)), seed)

    def __repr__(self) -> str:
        if "games" in self.table.meta:
            return f"<{self.name} after {counted(self.table.meta['games'], 'game')}>"
        return f"<{self.name} with {counted(len(self), 'position')}>"

    def __len__(self) -> int:
        return sum(1 for _ in self.table.states())

    def save(self, path: Source) -> None:
        """Write the table to the file *path*, as a whole or not at all, or raise StorageError."""
        write_table(arguments.path("path", path), self.table)

    def values(self, board: AnyBoard) -> Values:
        """Return the learned value of each cell that was tried, from -1 to 1."""
        known = Board(board)
        return Values(known, {} if is_terminal(int(known)) else self.table.row(int(known)))

    def __iter__(self) -> Iterator[tuple[Board, Values]]:
        for state in self.table.states():
            yield board_of(state), self.values(board_of(state))


def _table_of(values: object) -> qtable.QTable:
    """Return the table of *values* by board and cell; raise TypeError or ValueError."""
    if not isinstance(values, Mapping):
        raise arguments.refused("table", values, 'a dict such as {board: {"b2": 0.5}}')
    table = rowtable.RowTable()
    for board, row in values.items():
        for cell, value in Values(board, row).items():
            table.add_value(live_state(board), action_of(cell), value)
    return table


def player(name: Source, seed: int | None = None) -> RosterPlayer:
    """Return the player *name*: a name of `players`, a table file, or a command of a program.

    A player with a table is a QBot. The same *seed* makes the same choices; a program of your own
    must obey the line ``seed`` for that. Raise PlayerError, a ValueError that says why, if there is
    none.
    """
    if not isinstance(name, str | os.PathLike):
        raise arguments.refused("name", name, "a name, a table file or a command")
    entry = _roster().resolve(os.fspath(name))
    title = entry.key if _roster().knows(entry.key) else entry.name
    if isinstance(entry.plays_by, TableFile):
        return QBot(entry.q_table(), seed, name=title, elsewhere=entry.plays_by.elsewhere)
    return RosterPlayer(title, entry.bot, entry.strategy(), seed)


def players() -> dict[str, str]:
    """Return all players that `player` knows by name, and a description of each.

    >>> players()["myopic"]
    'Myopic: Wins if it can, blocks if it must, and otherwise plays at random.'
    """
    _roster().refresh()
    return {entry.key: f"{entry.name}: {entry.about}" for entry in _roster().entries()}


_roster = cache(users_roster)


def known_player(name: str, anyone: object) -> RosterPlayer:
    """Return the player *anyone*, which the caller calls *name*; raise TypeError or PlayerError."""
    if isinstance(anyone, RosterPlayer):
        return anyone
    if isinstance(anyone, str | os.PathLike):
        return player(anyone)
    if isinstance(anyone, type) or not callable(getattr(anyone, "choose", None)):
        raise arguments.refused(
            name, anyone, "a name, a table file, a command, or an object with choose(board)"
        )
    return _own_player(anyone)


def _own_player(own: Any) -> RosterPlayer:
    """Return a player that asks *own*, an object with ``choose`` and perhaps ``moves``."""
    policy = Policy(partial(_chosen, own), is_symmetric=False)
    strategy = None
    if callable(getattr(own, "moves", None)):
        strategy = replace(policy, chances=partial(_chances, own))
    return RosterPlayer(type(own).__name__, partial(PolicyBot, policy), strategy)


def _chosen(own: Any, state: State) -> tuple[Action, ...]:
    board = board_of(state)
    return _actions_of([own.choose(board)], board, f"{type(own).__name__}.choose")


def _chances(own: Any, state: State) -> Sequence[Action] | Mapping[Action, float]:
    """Return the actions that ``own.moves`` names, with their probabilities if it gives them."""
    board = board_of(state)
    method = f"{type(own).__name__}.moves"
    named = own.moves(board)
    actions = _actions_of(named, board, method)
    if not isinstance(named, Mapping):
        return actions
    chances = [
        arguments.checked(f"the probability of {cell} in {method}", chance, Number())
        for cell, chance in named.items()
    ]
    if abs(sum(chances) - 1) > 1e-6:
        raise ValueError(
            f"the probabilities of {method} on {board.text} add up to {sum(chances)}; it must be 1"
        )
    return dict(zip(actions, chances, strict=True))


def _actions_of(cells: object, board: Board, method: str) -> tuple[Action, ...]:
    """Return the actions that *cells* name, which *method* gave for *board*.

    Raise TypeError or ValueError, naming the method, unless they are legal cells, one or more.
    """
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise arguments.refused(f"{method}({board.text})", cells, "cells such as ['b2']")
    found = tuple(cells)
    if not found:
        raise ValueError(f"{method} gave no cell for {board.text}; it must give at least one")
    legal = board.legal_moves
    for cell in found:
        if cell not in legal and cell not in map(CELLS.index, legal):
            raise ValueError(
                f"{method} chose {cell!r:.40} on {board.text}; the legal cells there are "
                + ", ".join(legal)
            )
    return tuple(map(action_of, found))


def _bots(one: RosterPlayer, other: RosterPlayer, seed: int | None) -> tuple[Bot, Bot]:
    """Return the bots of two players; with a *seed*, new ones that draw from it.

    Raise PlayerError if one of them is a program that is never ready.
    """
    bots = bot_of(one, seed), bot_of(other, None if seed is None else seed + 1)
    for bot in bots:
        if isinstance(bot, ExternalBot):
            bot.meet()
    return bots


def play_game(
    first: AnyPlayer, second: AnyPlayer, seed: int | None = None, *, start: AnyBoard = ""
) -> Game:
    """Return the game that *first*, as Player 1, and *second* play from the board *start*.

    With a *seed* the same players play the same game in every call; a player of your own decides
    alone what it draws. Raise PlayerError if an external program fails.
    """
    number = arguments.seed(seed)
    one = known_player("first", first)
    other = known_player("second", second)
    state = live_state(start)
    played = play_bots(*_bots(one, other, number), state)
    if played.forfeit:
        raise PlayerError(played.forfeit)
    return Game(records.Game(state, played.actions, (_seat(one), _seat(other))))


def _seat(player: RosterPlayer) -> records.Player:
    """Return how the record of a game names *player*."""
    known = _roster().knows(player.name)
    key = player.name if known else f"bot:{fit_name(player.name)}"
    return records.Player(key, _roster().name_of(key, fit_name(player.name)))


def exact_score(
    one: AnyPlayer,
    other: AnyPlayer,
    budget: int = BUDGET,
    *,
    on_progress: Callable[[int], object] | None = None,
) -> ExactScore:
    """Return the exact score of *one* against *other*, over every line that both allow.

    Its ``first`` and ``second`` are the chances of *one* to win, from 0 to 1, as Player 1 and as
    Player 2, and its ``total`` is their mean. *on_progress* gets the number of positions so far,
    ply by ply, first as Player 1 and then as Player 2.

    Raise ValueError if more than *budget* positions can arise in a seat, by default 1,000,000. A
    bot that has played few games allows more. Try a larger *budget* then, which takes as much
    longer, or `evaluate`. Raise TypeError for an external program, for a player of your own without
    ``moves(board)``, and for one that tires, as Alternate does.
    """
    number = arguments.whole("budget", budget, 1)
    tell = arguments.listener("on_progress", on_progress)
    policies = policy_of(known_player("one", one)), policy_of(known_player("other", other))
    for player, policy in zip((one, other), policies, strict=True):
        if policy.tires:
            raise TypeError(f"{player} tires at a moment that it draws; use evaluate()")
    score = score_of_policies(*policies, number, tell)
    if score is None:
        raise ValueError(
            f"more than {number:,} positions can arise; give a larger budget, or use evaluate()"
        )
    return score


@dataclass(frozen=True, slots=True)
class Sample:
    """The result of games played for real."""

    games: int
    wins: int
    first: float
    """The share of the games as Player 1 that was won, from 0 to 1."""
    second: float
    """The same as Player 2; 0 if there was none."""
    forfeits: int
    """The games that ended because an external program failed, which counts as its loss."""
    first_forfeit: str
    """Why the first of them ended so, in a sentence; empty if none did."""

    @property
    def rate(self) -> float:
        """The share of the games that was won, from 0 to 1."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate (Wilson)."""
        return wilson_interval(self.wins, self.games)

    def __str__(self) -> str:
        return (
            f"won {percent(self.rate)} of {counted(self.games, 'game')} "
            f"({interval_percent(*self.interval)}), as Player 1 {percent(self.first)}, as Player 2 "
            f"{percent(self.second)}"
        )


def evaluate(
    one: AnyPlayer,
    other: AnyPlayer,
    games: int = 2000,
    seed: int = 1,
    *,
    start: AnyBoard = "",
) -> Sample:
    """Return how often *one* beats *other* in *games* games from the board *start*.

    The seats are swapped after every game.

    The same arguments give the same result. Only a player of your own, or an external program,
    decides alone what it draws. Raise PlayerError if a program cannot be started.
    """
    planned = arguments.whole("games", games, 1)
    number = arguments.whole("seed", seed, 0)
    bots = _bots(known_player("one", one), known_player("other", other), number)
    wins = [0, 0]
    reasons = []
    for seat, game in play_games(*bots, range(planned), live_state(start)):
        wins[seat] += game.winner == seat
        if game.forfeit:
            reasons.append(game.forfeit)
    return Sample(
        games=planned,
        wins=sum(wins),
        first=wins[0] / (planned - planned // 2),
        second=wins[1] / max(1, planned // 2),
        forfeits=len(reasons),
        first_forfeit=reasons[0] if reasons else "",
    )
