"""Horizon: a player that looks a number of plies ahead and knows nothing beyond.

Negamax with alpha-beta pruning (Knuth & Moore 1975) and a table of the
positions that it has met. A *score* belongs to the side to move. It is 0 if
the horizon hides the end; a win scores one more than the plies that were left
to look when it came, so a sooner one scores higher, and a loss its negative,
so a later one does. Who looks far enough thus plays exactly: hurries when
winning and delays when losing.

>>> from traffic_lights.board.rules import parse_board
>>> action_scores(parse_board("1100/0000/0000"), depth=2)[2]
2
>>> HorizonBot(random.Random(7), depth=4).choose(parse_board("1100/0000/0000"))
2
"""

from __future__ import annotations

import random
from typing import Final, TypeAlias

from traffic_lights.board.policy import Choices
from traffic_lights.board.positions import contains
from traffic_lights.board.rules import (
    LONGEST_GAME,
    STEPS,
    Action,
    State,
    is_terminal,
    legal_actions,
)
from traffic_lights.board.solver import Tablebase
from traffic_lights.board.threats import one_move_from_the_end

_ABOVE_ALL: Final = LONGEST_GAME + 1
_Bounds: TypeAlias = tuple[int, int]


class HorizonBot:
    """Plays as well as looking *depth* plies ahead lets it, ties at random.

    No game lasts longer than 26 plies with best play, so at that depth it is an
    exact player: in about 3 s on the empty board, in 1 ms from ply 14 on.
    """

    def __init__(self, rng: random.Random, depth: int) -> None:
        if depth < 1:
            raise ValueError(f"a depth of {depth} moves is not 1 or more")
        self._rng = rng
        self._depth = depth

    def choose(self, state: State) -> Action:
        """Return one of `horizon_actions`, each with equal chance."""
        return self._rng.choice(horizon_actions(state, self._depth))


def horizon_actions(state: State, depth: int) -> tuple[Action, ...]:
    """Return the actions that look best *depth* plies ahead, in ascending order."""
    scores = action_scores(state, depth)
    best = max(scores.values())
    return tuple(action for action, score in scores.items() if score == best)


def horizon_choices(tablebase: Tablebase, depth: int) -> Choices:
    """Return `horizon_actions` for *depth*, read off the exact distances of *tablebase*.

    Horizon sees exactly the ends that are *depth* plies away or nearer: it takes the
    fastest win that it sees, avoids the losses that it sees, and if every action loses,
    it delays.
    """

    def choices(state: State) -> tuple[Action, ...]:
        distances = tablebase.action_distances(state)
        wins = [n for n in distances.values() if n & 1 and n <= depth]
        if wins:
            best = {min(wins)}
        else:
            unseen = {n for n in distances.values() if n > depth}
            best = unseen or {max(distances.values())}
        return tuple(action for action, n in distances.items() if n in best)

    return choices


def action_scores(state: State, depth: int) -> dict[Action, int]:
    """Return the score of each legal action of the live *state*, looking *depth* plies ahead.

    The best score is exact, for every action that has it; another action's is
    an upper bound of it. *depth* is 1 or more.
    """
    depth = min(depth, _ABOVE_ALL)
    seen: dict[State, _Bounds] = {}
    best = -_ABOVE_ALL
    scores: dict[Action, int] = {}
    wins = one_move_from_the_end()
    for action in legal_actions(state):
        successor = state + STEPS[action]
        # The window opens one below the best so far, so that equals prove to be equal.
        scores[action] = (
            depth
            if contains(wins, state) and is_terminal(successor)
            else -_negamax(successor, depth - 1, -_ABOVE_ALL, 1 - best, seen)
        )
        best = max(best, scores[action])
    return scores


def _negamax(state: State, left: int, alpha: int, beta: int, seen: dict[State, _Bounds]) -> int:
    """Return the score of the live *state* with *left* plies to look, if inside the window.

    At or below *alpha* it is an upper bound, at or above *beta* a lower one.
    *seen* keeps (lower, upper) bounds of scores; all paths to a state are
    equally long, so it always comes with the same *left*.
    """
    wins = one_move_from_the_end()
    if left < 1:
        return 0
    if contains(wins, state):
        return left
    lower, upper = seen.get(state, (1 - left, max(left - 2, 0)))
    if lower >= beta or lower == upper:
        return lower
    if upper <= alpha:
        return upper
    best = 1 - left  # what a move is worth that lets the opponent win at once
    floor = max(alpha, lower)
    ceiling = min(beta, upper)
    for action in legal_actions(state):
        successor = state + STEPS[action]
        if contains(wins, successor):
            continue
        score = -_negamax(successor, left - 1, -ceiling, -max(floor, best), seen)
        if score > best:
            best = score
            if best >= ceiling:
                break
    if best >= ceiling:
        seen[state] = (max(best, lower), upper)
    elif best <= floor:
        seen[state] = (lower, min(best, upper))
    else:
        seen[state] = (best, best)
    return best
