"""The command that tells the exact value of the game, or of a position and each of its moves.

python -m traffic_lights.solve [POSITION] [--json]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import Final

from traffic_lights.board.positions import canonical_positions, count, intersection, live_positions
from traffic_lights.board.rules import (
    CELLS,
    COLOUR_LETTERS,
    COLOUR_NAMES,
    COLUMNS,
    EMPTY_BOARD,
    ROWS,
    STEPS,
    Action,
    BoardTextError,
    State,
    colour_of,
    complete_lines,
    format_board,
    format_cell,
    is_terminal,
    mover,
    parse_board,
    ply,
)
from traffic_lights.board.solver import Tablebase
from traffic_lights.console.shell import SUCCESS, CommandError, Parser, run, say

_DESCRIPTION: Final = """\
Solve Traffic Lights: all its positions, or one and each of its moves."""
_EPILOG: Final = """\
A position is 12 digits, row by row from the top: 0 empty, 1 green, 2 yellow,
3 red; slashes may part the rows. Who moves follows from the number of moves
made. Values belong to the side to move, distances count the moves of both
sides with best play: odd if the side to move wins, even if it loses.

examples:
  python -m traffic_lights.solve
  python -m traffic_lights.solve 1200/0100/0000
  python -m traffic_lights.solve 120001000000 --json"""


def game_facts() -> dict[str, object]:
    """Return the facts of the whole game under the keys of ``solve --json``."""
    started = time.perf_counter()
    tablebase = Tablebase()
    canonical = count(intersection(live_positions(), canonical_positions()))
    return {
        "positions": tablebase.won + tablebase.lost,
        "won": tablebase.won,
        "lost": tablebase.lost,
        "canonical": canonical,
        "value": _value(tablebase.probe_distance(EMPTY_BOARD)),
        "distance": tablebase.probe_distance(EMPTY_BOARD),
        "seconds": round(time.perf_counter() - started, 3),
    }


def position_facts(state: State, tablebase: Tablebase) -> dict[str, object]:
    """Return the facts of one position under the keys of ``solve POSITION --json``.

    A finished position is "over", at distance 0 and without moves.
    """
    if is_terminal(state):
        return {"position": format_board(state), "value": "over", "distance": 0, "moves": []}
    distance = tablebase.probe_distance(state)
    moves = [
        {
            "cell": format_cell(action),
            "action": action,
            "value": _value(plies),
            "distance": plies,
        }
        for action, plies in tablebase.action_distances(state).items()
    ]
    return {
        "position": format_board(state),
        "value": _value(distance),
        "distance": distance,
        "moves": moves,
    }


def _value(distance: int) -> str:
    return "won" if distance & 1 else "lost"


def _game_text() -> str:
    """Return the facts of the whole game for people."""
    facts = game_facts()
    return "\n".join(
        (
            "Traffic Lights is solved: with best play the second player wins, after "
            f"{facts['distance']} moves in all.",
            "",
            f"  {facts['positions']:>9,}  positions of games under way",
            f"  {facts['won']:>9,}  won by the side to move",
            f"  {facts['lost']:>9,}  lost by the side to move",
            f"  {facts['canonical']:>9,}  different ones, mirror images counted once",
            "",
            f"Solved in {facts['seconds']} seconds.",
        )
    )


def _position_text(state: State, tablebase: Tablebase) -> str:
    """Return the value of *state* and of each of its moves for people, drawn as boards."""
    if is_terminal(state):
        return f"{_drawn(state, {})}\n\n{_ending(state)}."
    distances = tablebase.action_distances(state)
    best = tablebase.optimal_actions(state)
    variation = " ".join(map(format_cell, tablebase.principal_variation(state)))
    return "\n".join(
        (
            _drawn(state, distances),
            "",
            f"Move {ply(state) + 1}, Player {mover(state) + 1} to move: "
            f"{_verdict(tablebase.probe_distance(state))}.",
            f"Best: {', '.join(map(format_cell, best))}.",
            f"Best play: {variation}.",
            "",
            "Each cell shows its colour (G, Y, R) and what playing it leads to: W 3, the mover",
            "wins with its 3rd move from here; L 4, it loses to the opponent's 4th.",
        )
    )


def _ending(state: State) -> str:
    """Return who has won the finished *state*, and with which lines, if a game can end so."""
    if not any(
        colour_of(state, cell) and not is_terminal(state - STEPS[cell]) for cell in range(CELLS)
    ):
        return "No game ends like this: its first line was complete a move or more ago"
    lines = ", ".join(
        f"three {COLOUR_NAMES[colour_of(state, first)]}s, {format_cell(first)}–{format_cell(last)}"
        for first, _, last in complete_lines(state)
    )
    return f"The game is over: Player {2 - mover(state)} has won with {lines}"


def _verdict(distance: int) -> str:
    moves = (distance + 1) // 2
    return f"wins in {moves}" if distance & 1 else f"loses in {moves}"


def _drawn(state: State, distances: dict[Action, int]) -> str:
    """Return the board with a box for each cell: its colour, and the value of playing it."""
    rule = "    " + "+------" * COLUMNS + "+"
    rows = ["       " + "      ".join("abcd"[:COLUMNS]), rule]
    for row in range(ROWS):
        cells = range(row * COLUMNS, (row + 1) * COLUMNS)
        colours = "|".join(f"  {COLOUR_LETTERS[colour_of(state, cell)]}   " for cell in cells)
        values = "|".join(f" {_badge(distances.get(cell)):<5}" for cell in cells)
        rows += [f"  {row + 1} |{colours}|", f"    |{values}|", rule]
    return "\n".join(rows)


def _badge(distance: int | None) -> str:
    if distance is None:
        return ""
    return f"{'W' if distance & 1 else 'L'} {(distance + 1) // 2}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, by default those of the process; return its status."""
    return run("solve", _main, arguments)


def _main(arguments: Sequence[str]) -> int:
    parser = Parser("solve", _DESCRIPTION, _EPILOG)
    parser.add_argument("position", nargs="?", metavar="POSITION", help="the board, in 12 digits")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    if options.position is None:
        say(json.dumps(game_facts()) if options.json else _game_text())
        return SUCCESS
    try:
        state = parse_board(options.position)
    except BoardTextError as error:
        raise CommandError(str(error)) from None
    tablebase = Tablebase()
    if options.json:
        say(json.dumps(position_facts(state, tablebase)))
    else:
        say(_position_text(state, tablebase))
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
