"""Prune a table to the rows that its own play needs.

A policy that always makes the same move in the same position can reach only a small part of the
game, whatever the opponent does. Among equally good actions, the pruned table prefers those that
lead a whole ply of positions into as few different ones as a greedy cover finds.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Final

from traffic_lights.board.positions import contains, finished, position_set
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, legal_actions
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.board.tablebase import Tablebase
from traffic_lights.learning.qtable import QTable, highest
from traffic_lights.learning.rowtable import RowTable

WHOLE_UP_TO: Final = 50_000
"""A table of at most so many rows is kept whole: 2 MB, read in a tenth of a second."""


def prune(table: QTable) -> QTable:
    """Return a table that plays every game from the empty board on few rows of *table*.

    A won or lost position keeps the one action that is played, an undecided one its row. Ties are
    then broken by the lowest action of the canonical board, ``"ties": "first"`` in the meta. If
    *table* has decided all that its policy reaches, so has the result.

    A table of at most WHOLE_UP_TO rows is returned as it is.
    """
    # One row past the limit is enough to know that the table is larger.
    rows = sum(1 for _ in islice(table.states(), WHOLE_UP_TO + 1))
    if rows <= WHOLE_UP_TO:
        return table
    small = RowTable()
    # A table that was pruned before keeps its tie rule, so that pruning it again changes nothing.
    small.meta = {"ties": "first", **table.meta}
    policy = _policy(table)
    # Sort them, so that the same table gives the same bytes.
    for state in sorted(policy):
        action = policy[state]
        proven = table.proven_result(state)
        if not proven:
            small.copy_row(table, state)
        elif proven > 0:
            small.set_value(state, action, table.canonical_row(state).get(action, 1.0))
        else:
            small.set_lost(state)
            # The row then has one win rate, so its action is played.
            small.set_win_rate(state, action, table.win_rate_row(state).get(action, 0.0))
    return small


def _policy(table: QTable) -> dict[State, Action]:
    """Return the action in each canonical state with a row where the policy may have to move."""
    policy: dict[State, Action] = {}
    ends = finished()
    # If the table is complete, these are the exact distances.
    proven = Tablebase(position_set(chain.from_iterable(map(orbit, table.lost_states()))))
    # The policy meets other positions as Player 2 than as Player 1.
    for seat in (0, 1):
        layer = {EMPTY_BOARD}
        is_its_turn = seat == 0
        while layer:
            if is_its_turn:
                # A young table has no row for most of the positions that it reaches.
                with_row = {state for state in layer if table.canonical_row(state)}
                chosen = _choose(table, proven, with_row)
                policy |= chosen
                played = {state + STEPS[action] for state, action in chosen.items()}
                played |= {state + STEPS[legal_actions(state)[0]] for state in layer - with_row}
            else:
                played = {state + STEPS[a] for state in layer for a in legal_actions(state)}
            # Testing each line would take as long as all the rest, so look up the set of the ends.
            layer = {min(orbit(s)) for s in played if not contains(ends, s)}
            is_its_turn = not is_its_turn
    return policy


def _choose(table: QTable, proven: Tablebase, layer: Iterable[State]) -> dict[State, Action]:
    """Return an action for each state of *layer*; they lead into few different positions."""
    chosen: dict[State, Action] = {}
    ways: dict[State, dict[State, Action]] = {}
    into: defaultdict[State, list[State]] = defaultdict(list)
    for state in layer:
        if not table.proven_result(state):
            chosen[state] = table.best_canonical_actions(state)[0]
            continue
        best = _best_actions(table, proven, state)
        # A later action replaces an earlier one, so of several into one successor the lowest stays.
        ways[state] = {canonical(state + STEPS[action]): action for action in reversed(best)}
        for successor in ways[state]:
            into[successor].append(state)
    # Look at a whole ply at once, because positions that share a successor share its row.
    for successor in _greedy_cover(into):
        for state in into[successor]:
            if state in ways:
                chosen[state] = ways.pop(state)[successor]
    return chosen


def _best_actions(table: QTable, proven: Tablebase, state: State) -> Sequence[Action]:
    """Return the best actions in a decided *state*, ascending.

    In a lost state these are the highest win rates, or the slowest losses if there are
    none. In a won one they are the fastest wins, or the highest values if no win is proven.
    """
    if steps := table.win_rate_steps(state):
        return highest(steps)
    after = {action: state + STEPS[action] for action in legal_actions(state)}
    if table.proven_result(state) < 0:
        plies = {action: proven.get_distance(then) for action, then in after.items()}
        wanted = max(plies.values())
        return [action for action, n in plies.items() if n == wanted]
    # Most moves in a won position lead to one that the opponent wins, which one look-up shows.
    left = {a: proven.get_distance(then) for a, then in after.items() if not proven.is_won(then)}
    wins = {a: n for a, n in left.items() if n or contains(finished(), after[a])}
    fastest = min(wins.values(), default=0)
    best = [action for action, n in wins.items() if n == fastest]
    return best or table.best_canonical_actions(state)


def _greedy_cover(groups: dict[State, list[State]]) -> Iterable[State]:
    """Yield names of *groups* until their union is covered, the one that adds most each time."""
    left = set().union(*groups.values())
    # The name decides between equals, so that the same table gives the same bytes.
    largest = [(-len(members), name) for name, members in groups.items()]
    heapq.heapify(largest)
    while left:
        # Choosing a group can only reduce what the others add. So if the number noted for the
        # first group is still true, no other group adds more.
        promised, name = heapq.heappop(largest)
        adds = len(left.intersection(groups[name]))
        if adds < -promised:
            if adds:
                heapq.heappush(largest, (-adds, name))
            continue
        left.difference_update(groups[name])
        yield name
