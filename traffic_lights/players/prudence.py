"""What a bot is held to when it moves in a person's place: no loss that one look ahead prevents.

>>> from traffic_lights.board.rules import parse_board
>>> prudent(parse_board("110000000000"), 11), prudent(parse_board("000000000000"), 11)
(2, 11)
"""

from __future__ import annotations

from traffic_lights.board.rules import Action, State
from traffic_lights.board.threats import safe_actions, winning_actions


def prudent(state: State, action: Action) -> Action:
    """Return *action*, legal in the live *state*, or another that is better at first sight.

    That is one which completes a line, if any does; else one after which the
    opponent cannot, if *action* would let it.
    """
    holding = winning_actions(state) or safe_actions(state)
    return action if not holding or action in holding else holding[0]
