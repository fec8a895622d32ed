"""Compute the best possible scores: `python3 -m tests.make.best_scores`, in five minutes.

They go into `qtables/best_scores.json`, where evaluations read them. Each is found backwards over
the whole game (expectimax).
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from tests.make.qtables import QTABLES
from traffic_lights.board.baselines import Choices, Policy
from traffic_lights.board.positions import contains, one_move_from_the_end
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, State, legal_actions, ply
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.proof import BEST_SCORES, successors
from traffic_lights.players.roster import Roster
from traffic_lights.storage.files import write_json

HORIZONS = range(1, 9)
"""The depths that have best possible scores, next to the players of the roster."""


def best_scores() -> dict[str, Any]:
    """Compute the content of the file, which takes five minutes."""
    roster = Roster()
    keys = [*(entry.key for entry in roster.entries()), *(f"horizon-{n}" for n in HORIZONS)]
    policies = {key: roster.entry(key).strategy() for key in keys}
    best = {
        key: {"first": round(best_first(one), 12), "second": 1.0, "is_bound": one.tires}
        for key, one in policies.items()
        if one is not None
    }
    return {
        "format": "traffic-lights-best-scores",
        "version": 1,
        "command": "python -m tests.make.best_scores",
        "best": best,
    }


def best_first(strategy: Policy) -> float:
    """Return the best chance of Player 1 against *strategy*.

    A player that tires does not show when. The mean over all lengths, as if each were known, is
    only an upper bound.
    """
    actions, (fewest, most) = strategy.actions, strategy.lasts

    def chance(moves: int) -> float:
        return best_chance(
            lambda state: (actions if ply(state) // 2 < moves else legal_actions)(state)
        )

    return fmean(map(chance, range(fewest, most + 1)))


def best_chance(opponent: Choices, start: State = EMPTY_BOARD) -> float:
    """Return the best chance to win against *opponent* for the player to move in *start*.

    *opponent* must treat mirror images alike. From the empty board it takes about 10 s.
    """
    layers: list[Sequence[State]] = [[canonical(start)]]
    while layers[-1]:
        layers.append(successors(layers[-1], legal_actions if len(layers) % 2 else opponent))
    wins = one_move_from_the_end()
    chances: dict[State, float] = {}
    """Of the positions of the layer after the one that is computed."""
    for number in range(len(layers) - 2, -1, -1):
        later, chances = chances, {}
        for state in layers[number]:
            if number % 2 == 0 and contains(wins, state):
                chances[state] = 1.0
                continue
            actions = opponent(state) if number % 2 else legal_actions(state)
            # Finished positions are missing, because the opponent has won there.
            after = [later.get(canonical(state + STEPS[action]), 0.0) for action in actions]
            chances[state] = sum(after) / len(after) if number % 2 else max(after)
    return chances[canonical(start)]


if __name__ == "__main__":
    write_json(QTABLES / BEST_SCORES, best_scores())
