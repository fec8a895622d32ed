"""A second, slow Traffic Lights, written from the rules text to judge the fast one.

A board is a tuple of three rows, each a tuple of four colours from 0 to 3; a
move is a pair (row, column). Nothing here is taken from the program but the
order of its board text: row by row from the top left.
"""

import random
from itertools import combinations
from typing import Final, TypeAlias

Board: TypeAlias = tuple[tuple[int, ...], ...]
Place: TypeAlias = tuple[int, int]

EMPTY: Final[Board] = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
PLACES: Final = [(row, column) for row in range(3) for column in range(4)]


def three_adjacent_in_a_row(places: tuple[Place, ...]) -> bool:
    (top, left), (row, column), (bottom, right) = places
    down, across = row - top, column - left
    return (bottom - row, right - column) == (down, across) and max(down, abs(across)) == 1


LINES: Final = [three for three in combinations(PLACES, 3) if three_adjacent_in_a_row(three)]

CELLS_OF_LINES: Final = [tuple(4 * row + column for row, column in line) for line in LINES]


def full_lines(board: Board) -> list[tuple[Place, ...]]:
    """Return the lines whose three cells have one colour that is not empty."""
    full = ({1}, {2}, {3})
    return [line for line in LINES if {board[row][column] for row, column in line} in full]


def is_over(board: Board) -> bool:
    cells = board[0] + board[1] + board[2]
    return any(cells[a] == cells[b] == cells[c] != 0 for a, b, c in CELLS_OF_LINES)


def moves(board: Board) -> list[Place]:
    """Return the cells that are not red."""
    return [(row, column) for row, column in PLACES if board[row][column] < 3]


def after(board: Board, move: Place) -> Board:
    """Return the board after a move: empty to green to yellow to red."""
    rows = [list(row) for row in board]
    rows[move[0]][move[1]] += 1
    return tuple(tuple(row) for row in rows)


def number_of_moves_made(board: Board) -> int:
    return sum(sum(row) for row in board)


def from_text(text: str) -> Board:
    return tuple(tuple(int(text[4 * row + column]) for column in range(4)) for row in range(3))


def to_text(board: Board) -> str:
    return "".join(str(colour) for row in board for colour in row)


def images(board: Board) -> list[Board]:
    """Return the board and its reflections: left to right, top to bottom, both."""
    left_to_right = tuple(row[::-1] for row in board)
    return [board, left_to_right, board[::-1], left_to_right[::-1]]


def plies_to_the_end(board: Board, known: dict[Board, int]) -> int:
    """Return how long the game lasts from *board* when the winner hurries and the loser delays.

    Odd: the side to move wins. *known* remembers answers from call to call.
    """
    if board in known:
        return known[board]
    if is_over(board):
        return 0
    answers = [plies_to_the_end(after(board, move), known) for move in moves(board)]
    lost_for_the_other = [plies for plies in answers if plies % 2 == 0]
    known[board] = 1 + (min(lost_for_the_other) if lost_for_the_other else max(answers))
    return known[board]


def random_boards(rng: random.Random, count: int) -> list[Board]:
    """Return *count* boards: half met in random games, half with cells at random."""
    boards: list[Board] = []
    board = EMPTY
    while len(boards) < count // 2:
        boards.append(board)
        board = EMPTY if is_over(board) else after(board, rng.choice(moves(board)))
    while len(boards) < count:
        boards.append(tuple(tuple(rng.choices(range(4), k=4)) for _ in range(3)))
    return boards
