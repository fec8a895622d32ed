"""The reference implementation of Horizon: a plain search, without any table of distances."""

from __future__ import annotations

from traffic_lights.board.rules import Action, State, is_terminal, legal_actions, play


def horizon_actions(state: State, depth: int) -> tuple[Action, ...]:
    """Return the actions of the live *state* that look best *depth* plies ahead, ascending."""
    known: dict[State, int] = {}
    scores = {a: -_score(play(state, a), depth - 1, known) for a in legal_actions(state)}
    best = max(scores.values())
    return tuple(action for action, score in scores.items() if score == best)


def _score(state: State, left: int, known: dict[State, int]) -> int:
    """Return the score of *state* for the side to move, with *left* plies to look.

    It is 0 if no end is seen, and the larger the sooner a win comes or the later a loss.
    All paths to a state are equally long, so it always comes with the same *left*.
    """
    if is_terminal(state):
        return -(left + 1)
    if left == 0:
        return 0
    if state not in known:
        known[state] = max(-_score(play(state, a), left - 1, known) for a in legal_actions(state))
    return known[state]
