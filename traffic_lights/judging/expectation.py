"""The strategy of each contestant, from which exact scores are computed."""

from __future__ import annotations

import random

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.exact import BUDGET, ExactScore, Strategy
from traffic_lights.board.exact import exact_score as score_of_strategies
from traffic_lights.board.traps import traps
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.players.contestants import EXACT, Contestant, horizon_depth
from traffic_lights.players.exact import shared_tablebase
from traffic_lights.players.horizon import horizon_choices


def strategy_of(player: Contestant) -> Strategy | None:
    """Return how *player* chooses; None for a program and for a policy with favourite corners."""
    if player.table is not None:
        return table_strategy(player.table)
    if player.program is not None:
        return None
    if player.name == EXACT:
        return Strategy(traps(shared_tablebase()).best_actions)
    depth = horizon_depth(player.name)
    if depth is not None:
        return Strategy(horizon_choices(shared_tablebase(), depth))
    policy = BASELINES.get(player.name)
    return Strategy(policy.actions, policy.lasts) if policy and policy.is_symmetric else None


def table_strategy(table: QTable) -> Strategy:
    """Return how the QBot of *table* chooses, by the table's rule for ties."""
    best = table.best_canonical_actions
    match table.meta.get("ties"):
        case "first":
            return Strategy(lambda state: best(state)[:1])
        case "safe":
            return Strategy(QBot(table, random.Random(0)).choices)
        case _:
            return Strategy(best)


def exact_score(one: Contestant, other: Contestant, budget: int = BUDGET) -> ExactScore | None:
    """Return the exact score of *one* against *other*; None if a strategy is not known."""
    strategies = strategy_of(one), strategy_of(other)
    if strategies[0] is None or strategies[1] is None:
        return None
    return score_of_strategies(strategies[0], strategies[1], budget)
