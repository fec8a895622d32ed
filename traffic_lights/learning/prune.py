"""Prune a table to the rows that its own play needs.

A policy that always makes the same move in the same position can reach only a
small part of the game from the empty board, whatever the opponent does. The
pruned table keeps the rows where the policy has to move, in either seat.

In a lost position it keeps the action of the best win rate, or, where none is
known, one that delays the loss. In a won position it keeps a fastest win, as
far as the table's own proofs go (see `ProvenDistances`). Among equal actions
it prefers those that lead a whole ply of positions into as few different ones
as a greedy cover finds.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final

from traffic_lights.board.positions import (
    PositionSet,
    contains,
    difference,
    finished_positions,
    intersection,
    live_positions,
    numbered,
    position_set,
    predecessors,
)
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, legal_actions
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.board.threats import finished
from traffic_lights.learning.qtable import LOST, QTable
from traffic_lights.learning.win_rates import as_dict, best_actions

WHOLE_UP_TO: Final = 50_000
"""A table of at most so many rows is kept whole: 2 MB, read in a tenth of a second."""


def prune(table: QTable, whole_up_to: int = WHOLE_UP_TO) -> QTable:
    """Return a table that plays every game from the empty board on few rows of *table*.

    A won or lost position keeps the one action that is played, an undecided one its
    row. Ties are then broken by the lowest action of the canonical board, ``"ties":
    "first"`` in the meta. If *table* has decided all that its policy reaches, so has
    the result.

    A table of at most *whole_up_to* rows is returned as it is. So is an imported one,
    because it breaks ties at random and may need any row. Another table of estimates
    keeps the rows that its policy reaches.
    """
    # One row past the limit is enough to know that the table is larger.
    rows = sum(1 for _ in islice(table.states(), whole_up_to + 1))
    if rows <= whole_up_to or table.meta.get("ties") == "safe":
        return table
    # A table that was pruned before keeps its tie rule, so that pruning it again changes nothing.
    meta = {"ties": "first", **table.meta}
    if table.meta.get("estimates"):
        # No win is proven there, so none can be the fastest.
        policy = _reach(table, lambda layer: {s: table.best_canonical_actions(s)[0] for s in layer})
        return _copy(table, sorted(policy), meta)
    return _Pruner(table).prune(meta)


def _copy(table: QTable, states: Iterable[State], meta: dict[str, Any]) -> QTable:
    small = QTable()
    small.meta = meta
    for state in states:
        small.copy_row(table, state)
    return small


def _reach(
    table: QTable, choose: Callable[[set[State]], dict[State, Action]]
) -> dict[State, Action]:
    """Return the action in each canonical live state where the policy moves in either seat.

    *choose* gets the positions of one ply and returns the action in each. Positions
    without a row in *table* are passed through and left out.
    """
    policy: dict[State, Action] = {}
    ends = finished()
    # The policy meets other positions as Player 2 than as Player 1.
    for seat in (0, 1):
        layer, is_its_turn = {EMPTY_BOARD}, seat == 0
        while layer:
            if is_its_turn:
                chosen = choose(layer)
                # A young table has no row for most of the positions that it reaches.
                policy |= {s: action for s, action in chosen.items() if table.has_values(s)}
                played = {state + STEPS[action] for state, action in chosen.items()}
            else:
                played = {s + STEPS[a] for s in layer for a in legal_actions(s)}
            # Testing each line would take as long as all the rest, so use the set of the ends.
            layer = {canonical(state) for state in played if not contains(ends, state)}
            is_its_turn = not is_its_turn
    return policy


class ProvenDistances:
    """How many plies won and lost positions last, by a table's proofs; 16 MB, made in 1 s.

    The winner plays the fastest win that the table has proven, the loser the
    slowest loss. If the table is complete, these are the exact distances.
    """

    def __init__(self, table: QTable) -> None:
        lost = position_set(image for state in table.lost_states() for image in orbit(state))
        # No game is longer than 32 plies, so a byte numbers the layers with room to spare.
        self._after: Final = numbered(_by_plies(lost))
        """By state: the plies from the position before it to the end, 0 if unknown."""

    def plies_after_losing(self, state: State) -> dict[Action, int]:
        """Return the plies from the lost *state* to the end after each legal action."""
        return {a: self._after[state + STEPS[a]] for a in legal_actions(state)}

    def plies_after_winning(self, state: State) -> dict[Action, int]:
        """Return the plies from *state* to the end after each action that is proven to win."""
        plies = self.plies_after_losing(state)
        return {action: n for action, n in plies.items() if n & 1}


def _by_plies(proven_lost: PositionSet) -> Iterator[PositionSet]:
    """Yield the positions that are lost in 0 plies, won in 1, lost in 2, and so on.

    Lost are the terminal positions and those of *proven_lost* all of whose moves lead
    to positions won in fewer plies.
    """
    lost, not_won = finished_positions(), live_positions()
    left = intersection(proven_lost, not_won)
    yield lost
    # An empty layer of lost positions ends it: nothing could be won through it further back.
    while any(lost):
        won = intersection(not_won, predecessors(lost))
        yield won
        not_won = difference(not_won, won)
        left = difference(left, won)
        # A move to a position that the opponent has not won yet still avoids the loss.
        lost = difference(left, predecessors(not_won))
        left = difference(left, lost)
        yield lost


class _Pruner:
    """Prunes a table of proofs."""

    def __init__(self, table: QTable) -> None:
        self._table = table
        self._distances = ProvenDistances(table)

    def prune(self, meta: dict[str, Any]) -> QTable:
        """Return the table of what the policy reads, with *meta*."""
        small = QTable()
        small.meta = meta
        # Sorted, so that the same table gives the same bytes.
        for state, action in sorted(_reach(self._table, self._choose).items()):
            self._keep(small, state, action)
        return small

    def _keep(self, small: QTable, state: State, action: Action) -> None:
        """Give *small* what it needs of *state* to play *action* there."""
        proofs = self._table.proofs[state]
        if proofs > LOST:
            small.set_value(state, action, self._table.canonical_row(state).get(action, 1.0))
        elif proofs == LOST:
            small.set_lost(state)
            rate = as_dict(self._table.win_rate_row(state)).get(action)
            # The row then has one win rate, so its action is played.
            small.set_win_rate(state, action, rate or 0.0)
        else:
            small.copy_row(self._table, state)

    def _choose(self, layer: set[State]) -> dict[State, Action]:
        """Return an action for each state of *layer*; they lead into few different positions."""
        chosen: dict[State, Action] = {}
        ways: dict[State, dict[State, Action]] = {}
        into: defaultdict[State, set[State]] = defaultdict(set)
        for state in layer:
            if self._table.proofs[state] < LOST:
                chosen[state] = self._table.best_canonical_actions(state)[0]
                continue
            ways[state] = self._best_ways(state)
            for successor in ways[state]:
                into[successor].add(state)
        # A whole ply at once, because positions that share a successor share its row.
        for successor in _greedy_cover(into):
            for state in into[successor] & ways.keys():
                chosen[state] = ways.pop(state)[successor]
        return chosen

    def _best_ways(self, state: State) -> dict[State, Action]:
        """Return the lowest best action into each canonical successor of a decided *state*.

        In a won state the fastest wins are best. In a lost one the highest win rates are, or
        the slowest losses if there are none. If no win is proven, the highest values are.
        """
        if rates := self._table.win_rate_row(state):
            best = list(best_actions(rates))
        elif self._table.proofs[state] == LOST:
            plies = self._distances.plies_after_losing(state)
            best = [action for action, n in plies.items() if n == max(plies.values())]
        else:
            plies = self._distances.plies_after_winning(state)
            best = [action for action, n in plies.items() if n == min(plies.values())]
        ways: dict[State, Action] = {}
        for action in best or self._table.best_canonical_actions(state):
            # Of several actions into one successor keep the lowest.
            ways.setdefault(canonical(state + STEPS[action]), action)
        return ways


def _greedy_cover(sets: dict[State, set[State]]) -> Iterable[State]:
    """Yield names of *sets* until their union is covered, the one that adds most each time."""
    left = set().union(*sets.values())
    # The name decides between equals, so that the same table gives the same bytes.
    largest = [(-len(members), name) for name, members in sets.items()]
    heapq.heapify(largest)
    while left:
        # What a set adds only shrinks when others are chosen. So the first set whose promise, made
        # when it was last looked at, still holds adds most of all.
        promised, name = heapq.heappop(largest)
        adds = len(sets[name] & left)
        if adds < -promised:
            if adds:
                heapq.heappush(largest, (-adds, name))
            continue
        left -= sets[name]
        yield name
