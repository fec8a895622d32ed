"""How well a Q-table plays, judged position by position by the exact solution.

Scores from games are forgiving, because an opponent that errs again makes up for a blunder. The
*share of winning moves found* is not. Greedy play that is tied between several actions counts by
its chance to pick a winning one.

>>> from traffic_lights.learning.qtable import QTable
>>> found, known = shares(QTable(), sample("random"))
>>> round(found, 2), known
(0.28, 0.0)
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    CELLS,
    STEPS,
    Action,
    State,
    legal_actions,
    red_cells,
)
from traffic_lights.board.solver import shared_tablebase
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import LOST, WINS_SHIFT, QTable
from traffic_lights.players.bots import PolicyBot, play_game

SAMPLE_SIZE: Final = 4000

Question: TypeAlias = tuple[State, tuple[Action, ...]]
"""A canonical state with a winning and a losing action, and its winning actions."""


@cache
def sample(baseline: str, size: int = SAMPLE_SIZE) -> tuple[Question, ...]:
    """Return *size* questions, met in games of *baseline*.

    The bot of that name plays itself, always from the same seed; a position
    that is met twice is there twice, so the sample weighs what play meets.
    """
    rng = random.Random(f"2020/{baseline}")
    bot = PolicyBot(BASELINES[baseline], rng)
    questions: list[Question] = []
    while len(questions) < size:
        for image in map(canonical, play_game(bot, bot).states()):
            wins = shared_tablebase().winning_actions(image)
            if 0 < len(wins) < len(legal_actions(image)):
                questions.append((image, wins))
    return tuple(questions[:size])


def shares(table: QTable, questions: Sequence[Question]) -> tuple[float, float]:
    """Return what share of *questions* greedy play wins on average, and *table* has a row for."""
    takes_first = table.meta.get("ties") == "first"
    found = 0.0
    for state, wins in questions:
        best = table.best_canonical_actions(state)
        chosen = best[:1] if takes_first else best
        found += sum(action in wins for action in chosen) / len(chosen)
    known = sum(bool(table.canonical_row(state)) for state, _ in questions)
    return found / len(questions), known / len(questions)


@dataclass(frozen=True, slots=True)
class TableCheck:
    """What the exact solution says about every value of a table."""

    positions: int
    """The canonical positions of the game."""
    decided: int
    """Those that the table proves won or lost; 0 if its values are estimates."""
    lost: int
    """Those that it proves lost."""
    values: int
    """The proofs of the table, or its estimates if it has no proofs."""
    wrong: int
    """The values whose sign the exact solution contradicts."""
    estimates: int
    """The estimates of a table with proofs, which are not judged."""
    win_rates: int
    """The win rates of actions in lost positions, which are not judged either."""


def check_table(table: QTable) -> TableCheck:
    """Compare every value of *table* with the exact solution; about 6 s for a complete one."""
    tablebase = shared_tablebase()
    is_won, steps, reds, choices = tablebase.is_won, STEPS, red_cells, ACTIONS_OF
    proofs, proves = table.proofs, not table.meta.get("estimates")
    decided = lost = values = wrong = 0
    for state in table.states():
        if not proves:
            for action, value in table.canonical_row(state).items():
                values += 1
                wrong += (value > 0) == is_won(state + steps[action])
            continue
        red = reds(state)
        row = proofs[state] | red
        if row >= LOST:
            decided += 1
            lost += row == LOST
        for action in choices[(row & ALL_CELLS) ^ red]:
            values += 1
            wrong += not is_won(state + steps[action])
        for action in choices[row >> WINS_SHIFT]:
            values += 1
            wrong += is_won(state + steps[action])
    kept = table.estimates.values() if proves else ()
    estimates = sum(CELLS - row.count(0.0) for row in kept)
    win_rates = sum(len(table.win_rate_row(state)) for state in table.lost_states())
    return TableCheck(POSITIONS, decided, lost, values, wrong, estimates, win_rates)
