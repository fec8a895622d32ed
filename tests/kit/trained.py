"""Small tables for tests, and the tables that come with the program."""

import random
from functools import cache
from pathlib import Path

from tests.kit.samples import played_states
from traffic_lights.board.baselines import winning_actions
from traffic_lights.board.rules import STEPS, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import RATE_STEPS
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.folders import shipped_tables


def random_table(rng: random.Random, states: int, *, estimates: bool) -> RowTable:
    """Return a table with some values in the rows of some canonical states, some of them lost."""
    table = RowTable()
    for state in sorted(set(map(canonical, played_states(rng, states)))):
        wins = winning_actions(state)
        if not wins and rng.random() < 0.2:
            table.set_lost(state)
            for action in legal_actions(state):
                if rng.random() < 0.7:
                    table.set_win_rate(state, action, rng.randrange(RATE_STEPS + 1) / RATE_STEPS)
            continue
        for action in legal_actions(state):
            if rng.random() < 0.5:
                value = rng.uniform(-1, 1) if estimates else rng.choice((-1.0, 1.0))
                if action in wins:
                    value = 1.0
                elif not estimates and winning_actions(state + STEPS[action]):
                    value = -1.0
                table.set_value(state, action, value)
    table.meta = {"games": 7, "note": "ä"}
    return table


@cache
def shipped(name: str) -> RowTable:
    """Return the table *name* of the program, or of version 1.0; tests must not change it."""
    earlier = Path(__file__).parent / "tables" / f"{name}.json"
    return read_table(earlier if earlier.exists() else shipped_tables() / f"{name}.json")


@cache
def narrow(name: str) -> RowTable:
    """Return a copy of that table which never draws a tie, so that little of the game can arise."""
    table = RowTable.of(shipped(name))
    table.meta["ties"] = "first"
    return table
