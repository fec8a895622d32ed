"""Cutting a table down to what plays.

A policy that always makes the same move in the same position can reach only a
small part of the game from the empty board, whatever the opponent does. The
rows in which it has to move, in either seat, are all that it ever reads.

How small that part is depends on which of several winning actions it makes. So
before it cuts, the learner tries every action of the won positions it reaches
in one more game: if the action completes a line, or the table concedes the
position that it leads to, that game wins and the action's value turns positive.
Of these winning actions, the policy of a ply is made to lead into as few
different positions as a greedy cover finds.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import Final

from traffic_lights.qlearning import CONCEDED, QTable
from traffic_lights.rules import EMPTY_BOARD, STEPS, Action, State, is_terminal, legal_actions
from traffic_lights.symmetry import canonical

WHOLE_UP_TO: Final = 50_000
"""The rows up to which a table is not worth cutting."""


def cut(table: QTable, whole_up_to: int = WHOLE_UP_TO) -> QTable:
    """Return a sparse table that plays every game from the empty board on few rows of *table*.

    A won position keeps the one action that is played, others keep their row.
    The tie rule is the lowest action of the canonical board, ``"ties": "first"``
    in the meta. If *table* has decided all that its policy reaches, so has the
    cut. Of a table of estimates the rows in reach are kept as they are, and a
    table of no more than *whole_up_to* rows is kept whole, ties at random.
    """
    small = QTable()
    rows = list(islice(table.states(), whole_up_to + 1))
    if len(rows) <= whole_up_to:
        small.meta = dict(table.meta)
        for state in rows:
            for action, value in table.canonical_row(state).items():
                small.set_value(state, action, value)
        return small
    small.meta = {"ties": "first", **table.meta}
    policy = _policy(table, 0) | _policy(table, 1)
    for state, action in sorted(policy.items()):
        row = table.canonical_row(state)
        if not table.meta.get("estimates") and table.signs[state] > CONCEDED:
            row = {action: row.get(action, 1.0)}
        for known, value in row.items():
            small.set_value(state, known, value)
    return small


def _policy(table: QTable, seat: int) -> dict[State, Action]:
    """Return the action in each canonical live state in which the policy may move in *seat*."""
    policy: dict[State, Action] = {}
    layer = {EMPTY_BOARD}
    is_its_turn = seat == 0
    while layer:
        if is_its_turn:
            chosen = _choose(table, layer)
            policy |= chosen
            played = {state + STEPS[action] for state, action in chosen.items()}
        else:
            played = {s + STEPS[a] for s in layer for a in legal_actions(s)}
        layer = {canonical(state) for state in played if not is_terminal(state)}
        is_its_turn = not is_its_turn
    return policy


def _choose(table: QTable, layer: Iterable[State]) -> dict[State, Action]:
    """Return an action for each state of *layer*, the successors of won ones as few as can be."""
    chosen: dict[State, Action] = {}
    ways: dict[State, dict[State, Action]] = {}
    for state in layer:
        chosen[state] = table.best_canonical_actions(state)[0]
        if table.signs[state] > CONCEDED and not table.meta.get("estimates"):
            ways[state] = _winning_ways(table, state)
    into: defaultdict[State, set[State]] = defaultdict(set)
    for state, successors in ways.items():
        for successor in successors:
            into[successor].add(state)
    for successor in _greedy_cover(into):
        for state in into[successor] & ways.keys():
            chosen[state] = ways.pop(state)[successor]
    return chosen


def _winning_ways(table: QTable, state: State) -> dict[State, Action]:
    """Return the lowest action into each conceded canonical successor, or into a finished one."""
    ways: dict[State, Action] = {}
    for action in legal_actions(state):
        successor = state + STEPS[action]
        if is_terminal(successor):
            return {successor: action}
        image = canonical(successor)
        if table.signs[image] == CONCEDED:
            ways.setdefault(image, action)
    return ways


def _greedy_cover(sets: dict[State, set[State]]) -> Iterable[State]:
    """Yield names of *sets* until their union is covered, the one that adds most each time."""
    left = set().union(*sets.values())
    largest = [(-len(members), name) for name, members in sets.items()]
    heapq.heapify(largest)
    while left:
        promised, name = heapq.heappop(largest)
        adds = len(sets[name] & left)
        if adds < -promised:
            if adds:
                heapq.heappush(largest, (-adds, name))
            continue
        left -= sets[name]
        yield name
