"""Cutting a table down to what plays.

A policy that always makes the same move in the same position can reach only a
small part of the game from the empty board, whatever the opponent does. The
rows in which it has to move, in either seat, are all that it ever reads.

Of a lost position that is the action of the best chance; where nothing was
practised, one that delays. The proofs of a table say which actions win; a
policy should also win soon. So before it cuts, the learner plays on: it tries
the actions of the positions it reaches, the winner hurrying and the loser
delaying as far as the table's own proofs go (see `endurance`), and keeps a
fastest of its winning actions, or a slowest of its losing ones. Among equals it
keeps those that lead a whole ply of positions into as few different ones as a
greedy cover finds.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final

from traffic_lights.board.positions import contains
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.board.threats import finished
from traffic_lights.learning.chances import NONE, best_actions, chance_of
from traffic_lights.learning.endurance import Endurance
from traffic_lights.learning.qtable import CONCEDED, QTable

# As many rows are 2 MB, read in a tenth of a second: nobody would notice that they are fewer.
WHOLE_UP_TO: Final = 50_000
"""The rows up to which a table is not worth cutting."""


def cut(table: QTable, whole_up_to: int = WHOLE_UP_TO) -> QTable:
    """Return a sparse table that plays every game from the empty board on few rows of *table*.

    A won or lost position keeps the one action that is played, an undecided one
    its row. The tie rule is the
    lowest action of the canonical board, ``"ties": "first"`` in the meta. If
    *table* has decided all that its policy reaches, so has the cut.

    A table of no more than *whole_up_to* rows is kept whole, ties at random, and
    so is an imported one; of another table of estimates the rows in reach are kept as they are.
    """
    # One more than the limit tells, without going through two million.
    # An imported table breaks ties at random, so all of its rows may be needed.
    limit = None if table.meta.get("ties") == "safe" else whole_up_to + 1
    rows = list(islice(table.states(), limit))
    if limit is None or len(rows) < limit:
        return _copy(table, rows, dict(table.meta))
    # The rule of a table that was cut before stays as it is: the cut of a cut plays alike.
    meta = {"ties": "first", **table.meta}
    if table.meta.get("estimates"):
        # Nothing is proven to win there, so no win can be the fastest.
        policy = _reach(table, lambda layer: {s: table.best_canonical_actions(s)[0] for s in layer})
        return _copy(table, sorted(policy), meta)
    return _Cutter(table).cut(meta)


def _copy(table: QTable, states: Iterable[State], meta: dict[str, Any]) -> QTable:
    small = QTable()
    small.meta = meta
    for state in states:
        small.copy_row(table, state)
    return small


def _reach(
    table: QTable, choose: Callable[[set[State]], dict[State, Action]]
) -> dict[State, Action]:
    """Return the action in each canonical live state in which the policy moves in either seat.

    *choose* is given the positions of one ply, and returns the action in each.
    What *table* knows nothing of is passed through, and left out.
    """
    policy: dict[State, Action] = {}
    ends = finished()
    # One seat after the other: the policy meets other positions as Player 2 than as Player 1.
    for seat in (0, 1):
        layer, is_its_turn = {EMPTY_BOARD}, seat == 0
        while layer:
            if is_its_turn:
                chosen = choose(layer)
                # Most of what a young table reaches is unknown to it: there is nothing to keep.
                policy |= {s: action for s, action in chosen.items() if table.has_values(s)}
                played = {state + STEPS[action] for state, action in chosen.items()}
            else:
                played = {s + STEPS[a] for s in layer for a in legal_actions(s)}
            # Looked up in a set: tested line by line, the ends would take as long as all the rest.
            layer = {canonical(state) for state in played if not contains(ends, state)}
            is_its_turn = not is_its_turn
    return policy


class _Cutter:
    """Cuts a table of proofs."""

    def __init__(self, table: QTable) -> None:
        self._table = table
        self._endurance = Endurance(table)

    def cut(self, meta: dict[str, Any]) -> QTable:
        """Return the table of what the policy reads, with *meta*."""
        small = QTable()
        small.meta = meta
        # In order, so that the same table is cut to the same bytes.
        for state, action in sorted(_reach(self._table, self._choose).items()):
            self._keep(small, state, action)
        return small

    def _keep(self, small: QTable, state: State, action: Action) -> None:
        """Give *small* what it needs of *state* to play *action* there."""
        signs = self._table.signs[state]
        if signs > CONCEDED:
            small.set_value(state, action, self._table.canonical_row(state).get(action, 1.0))
        elif signs == CONCEDED:
            small.concede(state)
            chance = chance_of(self._table.chances.get(state, NONE), action)
            # The one chance that the row has is then its best, and so that action is played.
            small.set_chance(state, action, chance or 0.0)
        else:
            small.copy_row(self._table, state)

    def _choose(self, layer: set[State]) -> dict[State, Action]:
        """Return an action for each state of *layer*, won ones leading into as few as can be."""
        chosen: dict[State, Action] = {}
        ways: dict[State, dict[State, Action]] = {}
        into: defaultdict[State, set[State]] = defaultdict(set)
        for state in layer:
            if self._table.signs[state] < CONCEDED:
                chosen[state] = self._table.best_canonical_actions(state)[0]
                continue
            ways[state] = self._best_ways(state)
            for successor in ways[state]:
                into[successor].add(state)
        # For a whole ply at once: positions that share a successor pay for its row together.
        for successor in _greedy_cover(into):
            for state in into[successor] & ways.keys():
                chosen[state] = ways.pop(state)[successor]
        return chosen

    def _best_ways(self, state: State) -> dict[State, Action]:
        """Return the lowest best action into each canonical successor of a decided *state*.

        Best are the fastest of the winning actions, those of the best chance where the state is
        lost, or the slowest if none was practised; of a table whose wins are not proven, those
        of highest value.
        """
        if state in self._table.chances:
            best = list(best_actions(self._table.chances[state]))
        elif self._table.signs[state] == CONCEDED:
            plies = self._endurance.plies_after_losing(state)
            best = [action for action, n in plies.items() if n == max(plies.values())]
        else:
            plies = self._endurance.plies_after_winning(state)
            best = [action for action, n in plies.items() if n == min(plies.values())]
        ways: dict[State, Action] = {}
        for action in best or self._table.best_canonical_actions(state):
            # The lowest of the actions into the same successor, whatever the order of the cover.
            ways.setdefault(canonical(state + STEPS[action]), action)
        return ways


def _greedy_cover(sets: dict[State, set[State]]) -> Iterable[State]:
    """Yield names of *sets* until their union is covered, the one that adds most each time."""
    left = set().union(*sets.values())
    # The name decides between equals, so that the same table is always cut to the same bytes.
    largest = [(-len(members), name) for name, members in sets.items()]
    heapq.heapify(largest)
    while left:
        # A promise is what a set added when it was last looked at. Sets only lose by the choice
        # of others, so the largest promise that still holds is the largest of all.
        promised, name = heapq.heappop(largest)
        adds = len(sets[name] & left)
        if adds < -promised:
            if adds:
                heapq.heappush(largest, (-adds, name))
            continue
        left -= sets[name]
        yield name
