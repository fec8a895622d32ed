"""The register of baselines: whoever is in it can be played, trained against and measured.

To add one, give it a file beside this one with a `Policy`, and its name here.
"""

from __future__ import annotations

from typing import Final

from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import legal_actions
from traffic_lights.board.threats import myopic_actions

RANDOM: Final = Policy(
    "random", "Random", "Plays any lamp that may be played, without a plan.", legal_actions
)
ALTERNATE: Final = Policy(
    "alternate",
    "Alternate",
    "Wins if it can and blocks if it must, until it tires after 10 to 20 moves.",
    myopic_actions,
    lasts=(10, 20),
)
MYOPIC: Final = Policy(
    "myopic", "Myopic", "Wins if it can, blocks if it must, else plays anything.", myopic_actions
)

# In this order everywhere: menus, the help of the commands, the rows of an evaluation.
BASELINES: Final = {policy.key: policy for policy in (RANDOM, ALTERNATE, MYOPIC)}
"""The baselines by key, weakest first."""
