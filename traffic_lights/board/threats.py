"""What a player sees who looks one move ahead: lines that can be completed now or next.

>>> from traffic_lights.board.rules import parse_board
>>> winning_actions(parse_board("1100/0000/0000"))
(2,)
>>> 2 in safe_actions(parse_board("1000/0000/0000"))
False
"""

from __future__ import annotations

from functools import cache

from traffic_lights.board.positions import contains, finished_positions, pack, predecessors
from traffic_lights.board.rules import STEPS, Action, State, legal_actions


@cache
def finished() -> bytes:
    """Return the packed set of finished positions, made at the first call."""
    return pack(finished_positions())


@cache
def one_move_from_the_end() -> bytes:
    """Return the packed set of positions where a move completes a line."""
    return pack(predecessors(finished_positions()))


def winning_actions(state: State) -> tuple[Action, ...]:
    """Return the actions that complete a line, in ascending order."""
    # Most positions have no winning action, so one look-up saves up to twelve.
    if not contains(one_move_from_the_end(), state):
        return ()
    return _leading_into(finished(), 1, state)


def safe_actions(state: State) -> tuple[Action, ...]:
    """Return the actions after which the opponent cannot complete a line at once."""
    return _leading_into(one_move_from_the_end(), 0, state)


def _leading_into(packed: bytes, bit: int, state: State) -> tuple[Action, ...]:
    """Return the actions after which `contains` of *packed* is *bit*, written out for its speed."""
    return tuple(
        [
            action
            for action in legal_actions(state)
            if packed[(after := state + STEPS[action]) >> 3] >> (after & 7) & 1 == bit
        ]
    )


def myopic_actions(state: State) -> tuple[Action, ...]:
    """Return Myopic's choices: the winning actions; if there are none, the safe ones; or all."""
    return winning_actions(state) or safe_actions(state) or legal_actions(state)
