"""Boards, games, puzzles and exact solutions, in text: cells are "b2", players are 1 and 2."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from html import escape
from typing import Final

from traffic_lights.board.rules import (
    CELL_NAMES,
    COLUMN_NAMES,
    EMPTY_BOARD,
    ROWS,
    STEPS,
    RulesError,
    State,
    colour_of,
    draw_board,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
    parse_board,
    parse_cell,
)
from traffic_lights.board.rules import play as play_action
from traffic_lights.board.symmetry import canonical
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.drawing.board_svg import board_svg
from traffic_lights.library import arguments
from traffic_lights.play import game as records
from traffic_lights.play import puzzles as play_puzzles
from traffic_lights.storage.kinds import Number
from traffic_lights.storage.words import fit_name

CELLS: Final = CELL_NAMES
"""The names of the cells, "a1" to "d3"; the action 0 of an `Env` is "a1"."""


class Drawn:
    """Something that a notebook shows as a picture, even one that is not trusted."""

    __slots__ = ()

    def draw(self) -> str:
        """Return it as lines of text, with coordinates."""
        raise NotImplementedError

    def svg(self) -> str:
        """Return the picture as the text of an SVG document."""
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        data = b64encode(self.svg().encode()).decode()
        return f'<img alt="{escape(self.draw())}" src="data:image/svg+xml;base64,{data}"/>'


class Board(Drawn):
    """A position, immutable; ``Board()`` is the empty board, ``Board("1200/0100/0000")`` another.

    The text has a digit for each cell, row by row: 0 off, 1 green, 2 yellow, 3 red. It may show
    the end of a game, but a board that cannot arise in a game is a ValueError. A board is equal to
    the text ``str(board)``. Going through it yields the names of its cells. In a notebook it is
    shown as a picture.

    >>> board = Board("1200/0100/0000")
    >>> board["b1"], board["d3"], board.turn, board.play("d3")
    (2, 0, 1, Board('1200/0100/0001'))
    >>> print(board.draw())
        a b c d
      1 G Y . .
      2 . G . .
      3 . . . .
    """

    __slots__ = ("_state",)

    def __init__(self, text: Board | str = "") -> None:
        state = EMPTY_BOARD
        if isinstance(text, Board):
            text = str(text)
        if arguments.text("text", text, "1200/0100/0000"):
            state = parse_board(text)
        filled = [step for step in STEPS if state & 3 * step]
        if is_terminal(state) and all(is_terminal(state - step) for step in filled):
            raise RulesError(
                f"{text!r} cannot arise in a game, because no last move completes all its lines; "
                "check its digits"
            )
        self._state: State = state

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The cells that can be advanced; none once a line is complete."""
        actions = () if is_terminal(self._state) else legal_actions(self._state)
        return tuple(map(format_cell, actions))

    def play(self, cell: str) -> Board:
        """Return the board after advancing *cell*; raise ValueError if that is not legal."""
        action = parse_cell(arguments.text("cell", cell, "b2"))
        return board_of(play_action(live_state(self), action))

    @property
    def turn(self) -> int:
        """The player to move, 1 or 2."""
        return mover(self._state) + 1

    @property
    def winner(self) -> int | None:
        """The player who has completed a line, 1 or 2; None while the game is running."""
        return 3 - self.turn if is_terminal(self._state) else None

    @property
    def colours(self) -> tuple[int, ...]:
        """The colour of each of the twelve `CELLS`: what an `Env` shows."""
        return tuple(colour_of(self._state, cell) for cell in range(len(CELLS)))

    @property
    def canonical(self) -> Board:
        """The one of its mirror images that stands for all of them, which have the same value."""
        return board_of(canonical(self._state))

    def draw(self) -> str:
        return draw_board(self._state)

    def svg(self) -> str:
        return board_svg(self._state)

    def __getitem__(self, cell: str) -> int:
        """Return the colour of *cell*: 0 off, 1 green, 2 yellow, 3 red."""
        return colour_of(self._state, parse_cell(arguments.text("cell", cell, "b2")))

    def __iter__(self) -> Iterator[str]:
        return iter(CELLS)

    def __int__(self) -> int:
        return self._state

    def __str__(self) -> str:
        return _text_of(self._state)

    def __repr__(self) -> str:
        return f"Board({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        return isinstance(other, Board) and self._state == other._state

    def __hash__(self) -> int:
        return hash(_text_of(self._state))  # what is equal has the same hash


# A learner looks up the values of a board a dozen times in a row, and each hashes the text.
_text_of = lru_cache(maxsize=1024)(records.format_position)


def board_of(state: State) -> Board:
    board = Board.__new__(Board)
    board._state = state
    return board


def as_board(board: object, name: str = "board") -> Board:
    """Return *board*, which the caller calls *name*, or the board of that text.

    Raise TypeError for anything else.
    """
    if isinstance(board, Board):
        return board
    if not isinstance(board, str):
        raise arguments.refused(name, board, "a Board or its text")
    return Board(board)


def live_state(board: object, name: str = "board") -> State:
    """Return the state of *board*, as `as_board` reads it; raise ValueError if the game is over."""
    known = as_board(board, name)
    if known.winner is not None:
        raise RulesError(f"the game is over in {known}; use a board whose winner is None")
    return int(known)


class Values(dict[str, float], Drawn):
    """The value of legal cells of *board*, from -1 (it loses) to 1 (it wins).

    This is a dict. A bot has no value of a cell that it never tried. In a notebook the values are
    shown as the board with its numbers, and with a dash for a cell without one.

    >>> print(solve("1100/0000/0000").values.draw())
            a     b     c     d
      1 -1.00 -1.00 +1.00 -1.00
      2 -1.00 -1.00 -1.00 -1.00
      3 -1.00 -1.00 -1.00 -1.00
    """

    def __init__(self, board: Board | str, values: Mapping[str, float]) -> None:
        super().__init__()
        self.board = as_board(board)
        legal = self.board.legal_moves
        if not isinstance(values, Mapping):
            raise arguments.refused("values", values, 'a dict such as {"b2": 0.5}')
        for cell, value in values.items():
            name = format_cell(parse_cell(arguments.text("a cell", cell, "b2")))
            if name not in legal:
                raise RulesError(
                    f"{name} has a value, and it is not legal in {self.board}; use its legal_moves"
                )
            self[name] = arguments.checked(f"the value of {name}", value, Number(-1, 1))

    def draw(self) -> str:
        legal = self.board.legal_moves
        lines = ["    " + " ".join(f"{column:>5}" for column in COLUMN_NAMES)]
        for row in range(ROWS):
            cells = [f"{column}{row + 1}" for column in COLUMN_NAMES]
            texts = [self._text(cell, "-") if cell in legal else "" for cell in cells]
            line = " ".join(f"{text:>5}" for text in texts)
            lines.append(f"  {row + 1} {line}".rstrip())
        return "\n".join(lines)

    def svg(self) -> str:
        values = {parse_cell(cell): value for cell, value in self.items()}
        numbers = {parse_cell(cell): self._text(cell, "–") for cell in self.board.legal_moves}
        return board_svg(int(self.board), numbers=numbers, values=values)

    def _text(self, cell: str, dash: str) -> str:
        return f"{self[cell]:+.2f}" if cell in self else dash


class Game(Drawn):
    """A game, finished or not, and its record; immutable.

    *moves* are cells, as a text or one by one, and *start* is the board before them. The names of
    *players* are cut to one line of 40 letters. ``str(game)`` is the record that the window saves,
    and `parse` reads one. In a notebook a game is shown as its
    last board.

    >>> game = Game("a1 b1", players=("Anna", "Ben")).play("c1")
    >>> game.winner, game.board, game.players
    (1, Board('1110/0000/0000'), ('Anna', 'Ben'))
    >>> print(game, end="")
    Traffic Lights 1
    Player 1: Anna [human]
    Player 2: Ben [human]
    Result: Player 1 wins
    <BLANKLINE>
    1. a1 b1 2. c1
    >>> Game.parse(str(game)) == game
    True
    """

    __slots__ = ("_record",)

    def __init__(
        self,
        moves: str | Iterable[str] = (),
        *,
        start: Board | str = "",
        players: tuple[str, str] = ("", ""),
    ) -> None:
        if not isinstance(moves, str):
            if isinstance(moves, Board) or not isinstance(moves, Iterable):
                raise arguments.refused("moves", moves, "cells such as 'b2 c2'")
            moves = " ".join(arguments.text("a move", move, "b2") for move in moves)
        if not isinstance(players, tuple | list) or len(players) != 2:
            raise arguments.refused("players", players, "two names")
        first, second = (
            records.Player(name=fit_name(arguments.text("a player", name, "Anna")))
            for name in players
        )
        state = live_state(start, "start")
        actions = records.parse_moves(moves, state)
        self._record = records.Game(state, actions, (first, second))

    @staticmethod
    def parse(text: str) -> Game:
        """Return the game of a record or of a list of moves; raise ValueError if *text* is neither.

        What the record says of hints and of the day is kept.
        """
        found = records.parse_pasted(arguments.text("text", text, "1. b2 c2"))
        if not isinstance(found, records.Game):
            raise RulesError(
                f"{text.strip()[:40]!r} is a position, and a game has moves; give it to Board()"
            )
        return game_of(found)

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(map(format_cell, self._record.actions))

    @property
    def players(self) -> tuple[str, str]:
        """The names of Player 1 and Player 2, empty if unknown."""
        first, second = (player.name for player in self._record.players)
        return first, second

    @property
    def boards(self) -> tuple[Board, ...]:
        """The board at the start and after each move."""
        count = len(self._record.actions)
        return tuple(board_of(self._record.state_at(index)) for index in range(count + 1))

    @property
    def board(self) -> Board:
        """The board after the last move."""
        return board_of(self._record.state)

    @property
    def winner(self) -> int | None:
        """The player who has completed a line, 1 or 2; None while the game is running."""
        return self.board.winner

    def play(self, cell: str) -> Game:
        """Return the game after advancing *cell*; raise ValueError if that is not legal."""
        self.board.play(cell)
        return game_of(self._record.played(parse_cell(cell)))

    def draw(self) -> str:
        return self.board.draw()

    def svg(self) -> str:
        actions = self._record.actions
        return board_svg(self._record.state, last=actions[-1] if actions else None)

    def __str__(self) -> str:
        return records.format_record(self._record)

    def __repr__(self) -> str:
        start = self.boards[0]
        shown = "" if int(start) == EMPTY_BOARD else f", start={str(start)!r}"
        return f"Game({' '.join(self.moves)!r}{shown})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._record == other._record

    def __hash__(self) -> int:
        return hash(self._record)


def game_of(record: records.Game) -> Game:
    game = Game.__new__(Game)
    game._record = record
    return game


@dataclass(frozen=True, slots=True)
class Puzzle(Drawn):
    """A position with exactly one winning move."""

    board: Board
    best: str
    """The one move that wins, such as "b2"."""
    wins_in: int
    """How many moves the winner needs, from 1 to 12."""

    def draw(self) -> str:
        return self.board.draw()

    def svg(self) -> str:
        return self.board.svg()


def puzzles(seed: int, wins_in: int | None = None) -> Iterator[Puzzle]:
    """Return an endless iterator of puzzles, the same for the same *seed*.

    They come from games between Random and Myopic. With *wins_in*, all of them win in so many
    moves. Raise ValueError if that is not from 1 to 12.
    """
    number = arguments.whole("seed", seed, 0)
    wanted = None if wins_in is None else arguments.whole("wins_in", wins_in, 1)
    return map(_puzzle, play_puzzles.puzzles(number, wanted))


def puzzle_of_the_day(day: date | str) -> Puzzle:
    """Return the puzzle of *day*, a date or a text such as "2026-11-23".

    It is the one that the game shows on that day. Raise ValueError if the text is not a date.
    """
    expected = "a date or a text such as '2026-11-23'"
    if isinstance(day, str):
        try:
            day = date.fromisoformat(day)
        except ValueError:
            raise ValueError(f"day is {day!r}; expected {expected}") from None
    if not isinstance(day, date):
        raise arguments.refused("day", day, expected)
    return _puzzle(play_puzzles.puzzle_of_the_day(day))


def _puzzle(found: play_puzzles.PuzzlePosition) -> Puzzle:
    return Puzzle(board_of(found.state), format_cell(found.best), found.wins_in)


@dataclass(frozen=True, slots=True)
class Solution(Drawn):
    """The exact value of a position to the player to move."""

    wins: bool
    plies: int
    """Moves of both players to the end with best play."""
    best: tuple[str, ...]
    """The fastest wins, or the longest defences."""
    values: Values = field(hash=False)
    """1 for each cell that wins, -1 for each that loses."""
    distances: dict[str, int] = field(hash=False)
    """For each cell, the moves of both players to the end if it is played, itself included."""

    def draw(self) -> str:
        return self.values.draw()

    def svg(self) -> str:
        return self.values.svg()


def solve(board: Board | str = "") -> Solution:
    """Return the exact solution of *board* or of its text, by default of the empty board.

    Raise ValueError if the game is over. The first call solves the whole game, in 0.1 s.
    """
    state = live_state(board)
    tablebase = shared_tablebase()
    distance = tablebase.get_distance(state)
    found = tablebase.action_distances(state)
    distances = {format_cell(action): plies for action, plies in found.items()}
    values = {cell: 1.0 if plies % 2 else -1.0 for cell, plies in distances.items()}
    return Solution(
        wins=bool(distance % 2),
        plies=distance,
        best=tuple(map(format_cell, tablebase.optimal_actions(state))),
        values=Values(board_of(state), values),
        distances=distances,
    )
