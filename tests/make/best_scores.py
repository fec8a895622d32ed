"""The best possible score against a player, found backwards over the whole game (expectimax)."""

from collections.abc import Sequence

from traffic_lights.board.baselines import Choices
from traffic_lights.board.positions import contains, one_move_from_the_end
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, State, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.proof import successors


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
