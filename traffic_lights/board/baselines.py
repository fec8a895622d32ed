"""The baseline bots, which can be played, trained against and measured.

To add one, write its `Policy` in a file of this folder and name it here.
"""

from __future__ import annotations

from typing import Final

from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import legal_actions
from traffic_lights.board.threats import myopic_actions

RANDOM: Final = Policy("random", "Random", "Plays random moves.", legal_actions)
ALTERNATE: Final = Policy(
    "alternate",
    "Alternate",
    "Plays like Myopic for 10 to 20 moves, then at random.",
    myopic_actions,
    lasts=(10, 20),
)
MYOPIC: Final = Policy(
    "myopic",
    "Myopic",
    "Wins if it can, blocks if it must, and otherwise plays at random.",
    myopic_actions,
)

BASELINES: Final = {policy.key: policy for policy in (RANDOM, ALTERNATE, MYOPIC)}
"""The baselines by key, weakest first."""
