"""Cutting a table down to what plays.

A fixed greedy policy, ties broken by the lowest action of the canonical board,
can reach only a small part of the game from the empty board, whatever the
opponent does. The rows in which it moves there, in either seat, are all that
it ever reads.
"""

from __future__ import annotations

from traffic_lights.qlearning import QTable
from traffic_lights.rules import EMPTY_BOARD, STEPS, State, is_terminal, legal_actions
from traffic_lights.symmetry import canonical


def cut(table: QTable) -> QTable:
    """Return a sparse table with the rows of *table* that its fixed greedy policy can reach.

    It names its tie rule, ``"ties": "first"``, in its meta, and plays in every
    game from the empty board what *table* plays under that rule.
    """
    small = QTable()
    small.meta = {"ties": "first", **table.meta}
    for state in sorted(_reach(table, 0) | _reach(table, 1)):
        for action, value in table.canonical_row(state).items():
            small.set_value(state, action, value)
    return small


def _reach(table: QTable, seat: int) -> set[State]:
    """Return the canonical live states in which the policy may have to move in *seat*."""
    moved_in: set[State] = set()
    layer = {EMPTY_BOARD}
    is_its_turn = seat == 0
    while layer:
        if is_its_turn:
            moved_in |= layer
            played = {s + STEPS[table.best_canonical_actions(s)[0]] for s in layer}
        else:
            played = {s + STEPS[a] for s in layer for a in legal_actions(s)}
        layer = {canonical(state) for state in played if not is_terminal(state)}
        is_its_turn = not is_its_turn
    return moved_in
