"""How to win: five lessons, each a position with a winning move that the player looks for.

A lesson is played to its end against best play, so it may ask for several moves.

>>> LESSONS[0].title, LESSONS[0].start == parse_position("1002/0100/0000")
('Complete a Line', True)
"""

from dataclasses import dataclass
from typing import Final

from traffic_lights.board.rules import Action, State, parse_cell
from traffic_lights.play.game import parse_position


@dataclass(frozen=True, slots=True)
class Lesson:
    """A prepared position with its texts, of one or two sentences each."""

    title: str
    start: State
    """A position that the player to move wins."""
    task: str
    """What the player should look for."""
    learned: str
    """What the moves have shown."""
    reply: Action | None = None
    """The reply of best play to the first move that shows it best; None if any does."""


LESSONS: Final = (
    Lesson(
        title="Complete a Line",
        start=parse_position("1002/0100/0000"),
        task="Three lamps of one colour in a row win, across, down or diagonally. "
        "Two greens are in place: light the third.",
        learned="Three in a row win at once, no matter who lit the other two.",
    ),
    Lesson(
        title="See the Threat",
        start=parse_position("3000/2211/0000"),
        task="A line that needs one more step is a threat: the player who moves next can complete "
        "it. Here a green lamp is that one step away from yellow.",
        learned="Look at the lit lamps too: green becomes yellow, and yellow becomes red.",
    ),
    Lesson(
        title="The Second of Three",
        start=parse_position("0010/0100/2231"),
        task="If you make the second of three, the opponent completes the third. "
        "Only one move here avoids that.",
        learned="The opponent had to make a second of three, and you completed the line.",
    ),
    Lesson(
        title="One Move, Two Threats",
        start=parse_position("0000/0000/1231"),
        task="Three moves look safe. Find the one that makes two lines dangerous at once, so that "
        "neither a3 nor d3 can be touched.",
        learned="Two reds in the middle can become three at either end. "
        "One move took two safe moves away.",
        reply=parse_cell("a3"),
    ),
    Lesson(
        title="Leave Only Bad Moves",
        start=parse_position("0010/0321/0010"),
        task="You may not pass, so a player without a safe move loses. Count the safe moves: "
        "the opponent should be the first to have none.",
        learned="Count the safe moves that are left. If each player uses one in turn, "
        "the last of them should be yours.",
    ),
)
