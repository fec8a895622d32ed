"""How well a Q-table plays, judged position by position by the exact solution.

Scores from games are forgiving, because an opponent that errs again makes up for a blunder. The
*share of winning moves found* is not. Greedy play that is tied between several actions counts by
its chance to pick a winning one.

>>> from traffic_lights.learning.qtable import QTable
>>> found, known = shares(QTable(), sample("random"))
>>> round(found, 2), known
(0.28, 0.0)
"""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, TypeAlias

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
)
from traffic_lights.board.solver import shared_tablebase
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import LOST, WINS_SHIFT, QTable
from traffic_lights.players.bots import PolicyBot, play_game
from traffic_lights.system.words import exact_percent

SAMPLE_SIZE: Final = 4000

Finding: TypeAlias = tuple[dict[str, Any], str]
"""Facts for ``--json``, and the same in words."""
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


def judge_moves(table: QTable) -> Finding:
    """Judge single moves in samples of positions that have a winning and a losing move."""
    found, known = {}, {}
    lines = ["In positions with both winning and losing moves, QBot plays a winning one in"]
    for name in ("random", "myopic"):
        found[name], known[name] = shares(table, sample(name))
        lines.append(
            f"  {exact_percent(found[name])} of the positions from {name.capitalize()} games "
            f"(its table has a row for {exact_percent(known[name])} of them)"
        )
    if table.meta.get("ties") == "first":
        lines.append("A pruned table has only the rows that its own games need.")
    return {"found": found, "known": known}, "\n".join(lines)


def check_table(table: QTable) -> Finding:
    """Compare every value of *table* with the exact solution; about 6 s for a complete one.

    If the table has proofs, its estimates and win rates are counted and not judged. Otherwise the
    signs of its estimates are judged, and no position counts as decided.
    """
    is_won, proofs = shared_tablebase().is_won, table.proofs
    check = dict.fromkeys(
        ("positions", "decided", "lost", "values", "wrong", "estimates", "win_rates"), 0
    )
    check["positions"] = POSITIONS
    if table.meta.get("estimates"):
        are_wrong = [
            (value > 0) == is_won(state + STEPS[action])
            for state in table.states()
            for action, value in table.canonical_row(state).items()
        ]
        check["values"], check["wrong"] = len(are_wrong), sum(are_wrong)
        return {"check": check}, (
            f"Its {check['values']:,} values are estimates and prove nothing. The exact "
            f"solution contradicts the sign of {check['wrong']:,}."
        )
    decided = values = wrong = 0
    for state, row in table.rows():
        decided += proofs[state] >= LOST
        values += row.bit_count()
        for action in ACTIONS_OF[row & ALL_CELLS]:
            wrong += not is_won(state + STEPS[action])
        for action in ACTIONS_OF[row >> WINS_SHIFT]:
            wrong += is_won(state + STEPS[action])
    check |= {"decided": decided, "values": values, "wrong": wrong}
    check["lost"] = sum(1 for _ in table.lost_states())
    check["estimates"] = sum(CELLS - row.count(0.0) for row in table.estimates.values())
    check["win_rates"] = sum(len(table.win_rate_row(state)) for state in table.lost_states())
    others = {"estimates": "estimates", "win_rates": "win rates in lost positions"}
    kinds = " and ".join(f"{check[key]:,} {kind}" for key, kind in others.items() if check[key])
    also = f" The table also holds {kinds}." if kinds else ""
    return {"check": check}, (
        f"{decided:,} of {POSITIONS:,} canonical positions are solved, {check['lost']:,} of them "
        f"as lost. The exact solution contradicts {wrong:,} of its {values:,} proofs.{also}"
    )
