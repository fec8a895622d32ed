"""What the processes that a person starts in a window have from the start, and how they measure.

A score that is seen in a window may be a rough one; tests/training checks the measurement itself.
"""

from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.judging import evaluation  # noqa: F401
from traffic_lights.training import gauge, worker  # noqa: F401

gauge.SAMPLED_GAMES, gauge.BUDGET, gauge.LAST_BUDGET = 20, 1000, 1000  # type: ignore[misc]
shared_tablebase()
