"""Boards, games and exact solutions: cells are "b2" or 0 to 11, players are 1 and 2."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape
from typing import Any, Final, TypeAlias

from traffic_lights.board.rules import (
    CELL_NAMES,
    COLUMN_NAMES,
    EMPTY_BOARD,
    ROWS,
    Action,
    RulesError,
    State,
    can_arise,
    colour_of,
    draw_board,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
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

CELLS: Final = CELL_NAMES
"""The names of the cells, "a1" to "d3"; the action 0 of an `Env` is "a1"."""
Cell: TypeAlias = str | int
AnyBoard: TypeAlias = "Board | str | Sequence[int]"


class Drawn:
    """Something that `print` draws, and a notebook shows as a picture, even one not trusted."""

    __slots__ = ()

    def draw(self) -> str:
        """Return it as lines of text, with coordinates."""
        raise NotImplementedError

    def svg(self) -> str:
        """Return the picture as the text of an SVG document."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.draw()

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        data = b64encode(self.svg().encode()).decode()
        return f'<img alt="{escape(self.draw())}" src="data:image/svg+xml;base64,{data}"/>'


def action_of(cell: object, name: str = "cell") -> Action:
    """Return the action of *cell*, a name or a number; raise TypeError or ValueError.

    *name* is that of the argument.
    """
    if isinstance(cell, str):
        return parse_cell(cell)
    return arguments.whole(name, cell, 0, len(CELLS) - 1)


class Board(Drawn):
    """A position, immutable; ``Board()`` is the empty board, ``Board("1200/0100/0000")`` another.

    The text has a digit for each cell, row by row: 0 off, 1 green, 2 yellow, 3 red. A drawing is
    read as well, and twelve colours as an `Env` shows them. A board may show the end of a game, but
    one that cannot arise in a game is a ValueError. Going through a board yields the names of its
    cells.

    >>> board = Board("1200/0100/0000")
    >>> board["b1"], board["d3"], board.turn, board.play("d3")
    (2, 0, 1, Board('1200/0100/0001'))
    >>> print(board)
        a b c d
      1 G Y . .
      2 . G . .
      3 . . . .
    >>> Board(str(board)) == Board(board.text) == Board(board.colours) == board
    True
    """

    __slots__ = ("_state",)

    def __init__(self, text: AnyBoard = "") -> None:
        self._state: State = _state_of(text)

    @property
    def text(self) -> str:
        """Its digits, such as "1200/0100/0000"."""
        return records.format_position(self._state)

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The cells that can be advanced; none once a line is complete."""
        actions = () if is_terminal(self._state) else legal_actions(self._state)
        return tuple(map(format_cell, actions))

    def play(self, cell: Cell) -> Board:
        """Return the board after advancing *cell*; raise ValueError if that is not legal."""
        return board_of(play_action(live_state(self), action_of(cell)))

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

    def __getitem__(self, cell: Cell) -> int:
        """Return the colour of *cell*: 0 off, 1 green, 2 yellow, 3 red."""
        return colour_of(self._state, action_of(cell))

    def __iter__(self) -> Iterator[str]:
        return iter(CELLS)

    def __int__(self) -> int:
        return self._state

    def __repr__(self) -> str:
        return f"Board({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)


def _state_of(board: Any) -> State:
    """Return the state of a Board, of digits, of a drawing or of twelve colours."""
    if isinstance(board, Board):
        return board._state
    text = board
    if not isinstance(board, str):
        try:
            text = "".join(str(arguments.whole("a colour", colour, 0, 3)) for colour in board)
        except TypeError:
            raise arguments.refused("board", board, "a Board, its text or 12 colours") from None
    state = records.parse_position(text) if text else EMPTY_BOARD
    if not can_arise(state):
        raise RulesError(
            f"{text!r} cannot arise in a game, because no last move completes all its lines; "
            "check its digits"
        )
    return state


def board_of(state: State) -> Board:
    board = Board.__new__(Board)
    board._state = state
    return board


def live_state(board: object) -> State:
    """Return the state of *board*, as `Board` reads it; raise ValueError if the game is over."""
    state = _state_of(board)
    if is_terminal(state):
        text = records.format_position(state)
        raise RulesError(f"the game is over in {text}; use a board whose winner is None")
    return state


class Values(dict[str, float], Drawn):
    """The value of legal cells of *board*, from -1 (it loses) to 1 (it wins).

    This is a dict. A bot has no value of a cell that it never tried. In a notebook the values are
    shown as the board with its numbers, and with a dash for a cell without one.

    >>> print(solve("1100/0000/0000").values)
            a     b     c     d
      1 -1.00 -1.00 +1.00 -1.00
      2 -1.00 -1.00 -1.00 -1.00
      3 -1.00 -1.00 -1.00 -1.00
    """

    def __init__(self, board: AnyBoard, values: Mapping[Any, float]) -> None:
        super().__init__()
        self.board = Board(board)
        if not isinstance(values, Mapping):
            raise arguments.refused("values", values, 'a dict such as {"b2": 0.5}')
        legal = self.board.legal_moves
        for cell, value in values.items():
            name = format_cell(action_of(cell))
            if name not in legal:
                raise RulesError(f"{name} has a value, and it is not legal in {self.board.text}")
            self[name] = arguments.checked(f"the value of {name}", value, Number(-1, 1))

    def draw(self) -> str:
        lines = ["    " + " ".join(f"{column:>5}" for column in COLUMN_NAMES)]
        for row in range(1, ROWS + 1):
            cells = (self._text(f"{column}{row}", "-") for column in COLUMN_NAMES)
            lines.append(f"  {row} {' '.join(f'{text:>5}' for text in cells)}".rstrip())
        return "\n".join(lines)

    def svg(self) -> str:
        values = {parse_cell(cell): value for cell, value in self.items()}
        numbers = {parse_cell(cell): self._text(cell, "–") for cell in self.board.legal_moves}
        return board_svg(int(self.board), numbers=numbers, values=values)

    def _text(self, cell: str, dash: str) -> str:
        if cell in self:
            return f"{self[cell]:+.2f}"
        return dash if cell in self.board.legal_moves else ""


@dataclass(frozen=True, slots=True)
class Game(Drawn):
    """A game, finished or not, with its *record*: `parse` makes it of a text.

    ``str(game)`` is the record that the window saves. In a notebook a game is shown as its last
    board.

    >>> game = Game.parse("1. a1 b1 2. c1")
    >>> game.moves, game.winner, game.boards[-1]
    (('a1', 'b1', 'c1'), 1, Board('1110/0000/0000'))
    >>> Game.parse(str(game)) == game
    True
    """

    record: records.Game

    @staticmethod
    def parse(text: str) -> Game:
        """Return the game whose record or moves are in *text*; raise ValueError without any."""
        text = str(text)
        found = records.parse_pasted(text)
        if not isinstance(found, records.Game):
            raise RulesError(f"{text.strip()[:40]!r} is a position, not a game; give it to Board()")
        return Game(found)

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(map(format_cell, self.record.actions))

    @property
    def boards(self) -> tuple[Board, ...]:
        """The board at the start and after each move."""
        count = len(self.record.actions)
        return tuple(board_of(self.record.state_at(index)) for index in range(count + 1))

    @property
    def winner(self) -> int | None:
        """The player who has completed a line, 1 or 2; None while the game is running."""
        return self.boards[-1].winner

    @property
    def players(self) -> tuple[str, ...]:
        """The names of Player 1 and Player 2, empty if unknown."""
        return tuple(player.name for player in self.record.players)

    def draw(self) -> str:
        return draw_board(self.record.state)

    def svg(self) -> str:
        actions = self.record.actions
        return board_svg(self.record.state, last=actions[-1] if actions else None)

    def __str__(self) -> str:
        return records.format_record(self.record)

    def __repr__(self) -> str:
        return f"<game {' '.join(self.moves)}>"


def puzzles(seed: int, wins_in: int | None = None) -> Iterator[Board]:
    """Return an endless iterator of puzzles, the same for the same *seed*.

    A puzzle is a board with exactly one winning move, ``solve(board).best``, from a game between
    Random and Myopic. With *wins_in*, all of them are won in so many moves. Raise ValueError if
    that is not from 1 to 12.
    """
    number = arguments.whole("seed", seed, 0)
    if wins_in is not None:
        wins_in = arguments.whole("wins_in", wins_in, 1, play_puzzles.LONGEST_WIN)
    return (board_of(found.state) for found in play_puzzles.puzzles(number, wins_in))


def puzzle_of_the_day(day: date | str) -> Board:
    """Return the puzzle that the game shows on *day*, a date or a text such as "2026-11-23"."""
    if not isinstance(day, date):
        try:
            day = date.fromisoformat(str(day))
        except ValueError:
            raise ValueError(f"day is {day!r}; it must be a day such as '2026-11-23'") from None
    return board_of(play_puzzles.puzzle_of_the_day(day).state)


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
        result = "wins" if self.wins else "loses"
        plies = "1 ply" if self.plies == 1 else f"{self.plies} plies"
        return f"{result} in {plies}; best: {' '.join(self.best)}\n{self.values}"

    def svg(self) -> str:
        return self.values.svg()


def solve(board: AnyBoard = "") -> Solution:
    """Return the exact solution of *board*, by default of the empty board.

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
