"""Show the exact value of the game, or of a position and each of its moves.

python3 -m traffic_lights.solve [POSITION] [--json]
"""

import sys
from pathlib import Path

if not __package__:  # started as a file, such as by an editor: find the package from its parent
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import json
import time
from collections.abc import Sequence
from typing import Any, Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import (
    COLOUR_LETTERS,
    COLUMN_NAMES,
    COLUMNS,
    EMPTY_BOARD,
    ROWS,
    Action,
    State,
    can_arise,
    colour_of,
    complete_lines,
    format_board,
    format_cell,
    is_terminal,
    mover,
    parse_board,
    ply,
)
from traffic_lights.board.tablebase import Tablebase, moves_of_winner
from traffic_lights.console.shell import SUCCESS, Parser, command, say
from traffic_lights.play.texts import lines_text, value_badge, value_text

_EPILOG: Final = """\
A position is 12 digits, row by row from the top: 0 off, 1 green, 2 yellow,
3 red. Slashes may separate the rows. The number of moves made says whose turn
it is. Values belong to the side to move. In JSON, distances count the moves of
both sides with best play. They are odd if the side to move wins.

examples:
  python3 -m traffic_lights.solve
  python3 -m traffic_lights.solve 1200/0100/0000
  python3 -m traffic_lights.solve 120001000000 --json"""


@command("solve")
def main(arguments: Sequence[str]) -> int:
    """Run the command, and return the exit status."""
    about = "Solve the whole game, or show the value of one position and each of its moves."
    parser = Parser("solve", about, _EPILOG)
    parser.add_argument("position", nargs="?", metavar="POSITION", help="the board, in 12 digits")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    state = EMPTY_BOARD if options.position is None else parse_board(options.position)
    started_s = time.perf_counter()
    tablebase = Tablebase()
    seconds = time.perf_counter() - started_s
    if options.position is None:
        facts = _game_facts(tablebase, seconds)
        text = _game_text(facts)
    else:
        facts = position_facts(state, tablebase)
        text = _position_text(state, tablebase)
    say(json.dumps(facts) if options.json else text)
    return SUCCESS


def _game_facts(tablebase: Tablebase, seconds: float) -> dict[str, Any]:
    distance = tablebase.get_distance(EMPTY_BOARD)
    return {
        "positions": tablebase.won + tablebase.lost,
        "won": tablebase.won,
        "lost": tablebase.lost,
        "canonical": POSITIONS,
        "value": _value(distance),
        "distance": distance,
        "seconds": round(seconds, 3),
    }


def _game_text(facts: dict[str, Any]) -> str:
    return f"""\
Traffic Lights is solved: with best play the second player wins in \
{moves_of_winner(facts["distance"])} moves.

  {facts["positions"]:>9,}  positions of unfinished games
  {facts["won"]:>9,}  won by the side to move
  {facts["lost"]:>9,}  lost by the side to move
  {facts["canonical"]:>9,}  different positions if mirror images count once

Solved in {facts["seconds"]} seconds."""


def position_facts(state: State, tablebase: Tablebase) -> dict[str, Any]:
    """Return the facts of a position, finished or not, as ``solve POSITION --json`` shows them."""
    distance = tablebase.get_distance(state)
    distances = tablebase.action_distances(state) if distance else {}
    moves = [
        {"cell": format_cell(action), "action": action, "value": _value(plies), "distance": plies}
        for action, plies in distances.items()
    ]
    return {
        "position": format_board(state),
        "value": _value(distance) if distance else "over",
        "distance": distance,
        "moves": moves,
    }


def _value(distance: int) -> str:
    return "won" if distance % 2 else "lost"


def _position_text(state: State, tablebase: Tablebase) -> str:
    if is_terminal(state):
        return f"{_drawn(state, {})}\n\n{_ending(state)}."
    best = ", ".join(map(format_cell, tablebase.optimal_actions(state)))
    variation = " ".join(map(format_cell, tablebase.principal_variation(state)))
    return f"""\
{_drawn(state, tablebase.action_distances(state))}

Move {ply(state) + 1}, Player {mover(state) + 1} to move: \
{value_text(tablebase.get_distance(state))}.
Best: {best}.
Best play: {variation}.

Each cell shows its colour (G, Y, R) and what a move there leads to. With W 3, the side to
move wins with its 3rd move from here. With L 4, it loses to the opponent's 4th."""


def _ending(state: State) -> str:
    """Return who has won the finished *state*, and with which lines, if a game can end so."""
    if not can_arise(state):
        return "No game ends like this: its first line was complete a move or more ago"
    lines = lines_text(state, complete_lines(state))
    return f"The game is over: Player {2 - mover(state)} has won with {lines}"


def _drawn(state: State, distances: dict[Action, int]) -> str:
    """Return the board, with what a move on each cell of *distances* leads to."""
    lines = ["     " + "       ".join(COLUMN_NAMES)]
    for row in range(ROWS):
        line = f"  {row + 1}  "
        for cell in range(row * COLUMNS, (row + 1) * COLUMNS):
            letter = COLOUR_LETTERS[colour_of(state, cell)]
            badge = value_badge(distances[cell]) if cell in distances else ""
            line += f"{letter} {badge:<6}"
        lines.append(line.rstrip())
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
