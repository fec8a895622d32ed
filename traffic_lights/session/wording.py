"""How numbers, cells, lines and players are said, in every text about the game.

A distance is told in moves of the winner, never in plies. Cells are named a1 to
d3, lines by their end cells, colours are written out.

>>> listed(["9", "11", "13"]), counted(2, "hint"), value_text(5)
('9, 11 and 13', '2 hints', 'wins in 3')
"""

from __future__ import annotations

from traffic_lights.board.rules import (
    CELL_NAMES,
    CELLS,
    COLOUR_NAMES,
    Action,
    Line,
    State,
    colour_of,
    format_cell,
)
from traffic_lights.players.game import Player


def moves_of_winner(distance: int) -> int:
    """Return *distance*, in plies, as moves of whoever wins: 5 is 3, 8 is 4."""
    return (distance + 1) // 2


def counted(number: int, noun: str) -> str:
    """Return *number* and *noun*, in the plural unless it is one: ``1 hint``, ``2 hints``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def unbroken(text: str) -> str:
    """Return *text*, to be wrapped, with each figure and its sign of per cent on one line.

    >>> " " in unbroken("18 %")
    False
    """
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def listed(words: list[str], last: str = "and") -> str:
    """Return *words* as a list for reading: ``9``, ``9 and 13``, ``9, 11 and 13``."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def cells(actions: tuple[Action, ...], last: str = "and") -> str:
    """Return the names of *actions*: ``a1, b2 and c3``."""
    return listed([format_cell(action) for action in actions], last)


def seat_name(players: tuple[Player, Player], seat: int) -> str:
    """Return what the player of *seat* is called in a sentence: "you", a bot's name, "Player 1"."""
    player, other = players[seat], players[1 - seat]
    if player.is_human:
        return f"Player {seat + 1}" if other.is_human else "you"
    if other.name == player.name:
        return f"{player.name} (Player {seat + 1})"
    return player.name


def subject(name: str, verb: str) -> str:
    """Return the subject and its verb in the third person, or the second for "you"."""
    return f"you {verb}" if name == "you" else f"{name} {verb}s"


def sentence(text: str) -> str:
    """Return *text* with a capital at its start, unless that is the name of a cell."""
    return text if text[:2] in CELL_NAMES else text[:1].upper() + text[1:]


def line_name(line: Line) -> str:
    """Return the end cells of *line*: ``a1–c1``."""
    return f"{format_cell(line[0])}–{format_cell(line[2])}"


def lines_text(state: State, lines: tuple[Line, ...]) -> str:
    """Return the complete *lines* of *state*: ``three greens, a1–c1``, ``… and b1–d1``."""
    colours: list[str] = []
    for colour in (1, 2, 3):
        names = [line_name(line) for line in lines if colour_of(state, line[0]) == colour]
        if names:
            colours.append(f"three {COLOUR_NAMES[colour]}s, {listed(names)}")
    return " and ".join(colours)


def value_badge(distance: int) -> str:
    """Return the badge of a move from its distance in plies: ``W 3`` or ``L 4``."""
    return f"{'W' if distance % 2 else 'L'} {moves_of_winner(distance)}"


def value_text(distance: int) -> str:
    """Return the same in words: ``wins in 3``, ``loses in 4``."""
    return f"{'wins' if distance % 2 else 'loses'} in {moves_of_winner(distance)}"


def values_text(distances: dict[Action, int]) -> str:
    """Return the moves by what they lead to, the best first: ``wins in 3: c1. loses in 2: a1``."""
    groups: dict[int, list[Action]] = {}
    for action, distance in distances.items():
        groups.setdefault(distance, []).append(action)
    # Wins first, the fastest ahead; then losses, those that hold out longest ahead.
    order = sorted(groups, key=lambda n: n if n % 2 else 1000 - n)
    return ". ".join(f"{sentence(value_text(n))}: {cells(tuple(groups[n]))}" for n in order) + "."


def board_in_words(state: State) -> str:
    """Return the board for ears: ``Green: b2 and c1. Yellow: none. Red: none.``."""
    parts: list[str] = []
    for colour in (1, 2, 3):
        held = tuple(cell for cell in range(CELLS) if colour_of(state, cell) == colour)
        parts.append(f"{sentence(COLOUR_NAMES[colour])}: {cells(held) or 'none'}.")
    return " ".join(parts)
