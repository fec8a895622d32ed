"""The exact solution of the whole game, computed in about a tenth of a second.

A position is *won* if the side to move can force a win, and *lost* otherwise. The *distance* is the
number of plies to the end when the winner hurries and the loser delays: odd if won, even if lost,
0 if finished. Each step backwards decides 65,536 positions at a time (see `positions`).

This is the same on a board of one row of three lamps, with sets of boards:

>>> from itertools import product
>>> boards = set(product(range(4), repeat=3))
>>> def moves(board):
...     return {(*board[:i], board[i] + 1, *board[i + 1 :]) for i in range(3) if board[i] < 3}
>>> by_distance = [{(1, 1, 1), (2, 2, 2), (3, 3, 3)}]  # finished: lost in 0
>>> undecided = boards - by_distance[0]
>>> while undecided:
...     won = {board for board in undecided if moves(board) & by_distance[-1]}
...     undecided -= won
...     lost = {board for board in undecided if not moves(board) & undecided}
...     undecided -= lost
...     by_distance += [won, lost]
>>> [len(boards) for boards in by_distance], (0, 0, 0) in by_distance[9]
([3, 9, 6, 9, 9, 12, 9, 3, 3, 1, 0], True)

A board that has a move into a lost one is won. Of the others, a board is lost if every move leads
to a won one. So the first player wins there in nine moves. On the real board the second one wins:

>>> tablebase = Tablebase()
>>> tablebase.get_distance(0), tablebase.is_won(0), len(tablebase.optimal_actions(0))
(26, False, 6)
"""

from collections import Counter
from functools import cache
from typing import Final

from traffic_lights.board.positions import (
    SLABS,
    WHOLE_SLAB,
    PositionSet,
    finished_positions,
    moves_within,
    next_slabs,
    pack,
)
from traffic_lights.board.rules import STEPS, Action, State, is_terminal, legal_actions

_DISTANCE_BITS: Final = 5
"""Enough for the longest distance, 26, and for any after the first move of a game."""


def moves_of_winner(distance: int) -> int:
    """Return *distance*, in plies, as moves of the winner: 5 is 3, 8 is 4."""
    return (distance + 1) // 2


class Tablebase:
    """The value and distance of every live position; 10 MB, immutable once made.

    `won` and `lost` count the live positions by value, `longest` is the greatest distance of any.
    With *proven_lost*, only these positions count as lost, and those left open have distance 0.
    """

    def __init__(self, proven_lost: PositionSet | None = None) -> None:
        planes, counts = _solve(proven_lost or [WHOLE_SLAB] * SLABS)
        self._planes = tuple(pack(plane) for plane in planes)
        self.longest: Final = max(distance for distance, n in counts.items() if n)
        self.won: Final = sum(n for distance, n in counts.items() if distance & 1)
        # Positions lost in 0 are finished, not live.
        self.lost: Final = counts.total() - self.won - counts[0]

    def get_distance(self, state: State) -> int:
        """Return the plies to the end of *state* with best play: odd won, even lost, 0 over."""
        byte = state >> 3
        bit = state & 7
        # A loop over the planes would take a quarter longer, and judging one position takes a dozen
        # of these calls.
        one, two, four, eight, sixteen = self._planes
        return (
            one[byte] >> bit & 1
            | (two[byte] >> bit & 1) << 1
            | (four[byte] >> bit & 1) << 2
            | (eight[byte] >> bit & 1) << 3
            | (sixteen[byte] >> bit & 1) << 4
        )

    def is_won(self, state: State) -> bool:
        """Return whether the side to move can force a win; False in a finished position."""
        # Won positions, and no others, have odd distances, so the lowest plane is enough.
        return bool(self._planes[0][state >> 3] >> (state & 7) & 1)

    def action_distances(self, state: State) -> dict[Action, int]:
        """Return, for each legal action of the live *state*, the plies to the end if it is played.

        Odd means that the action wins for the mover of *state*, even that it loses.
        """
        return {a: 1 + self.get_distance(state + STEPS[a]) for a in legal_actions(state)}

    def optimal_actions(self, state: State) -> tuple[Action, ...]:
        """Return the actions that keep the distance: fastest wins, or longest defences."""
        distance = self.get_distance(state)
        return tuple(a for a, n in self.action_distances(state).items() if n == distance)

    def winning_actions(self, state: State) -> tuple[Action, ...]:
        """Return the actions after which the mover still forces a win; none in a lost position."""
        return tuple(a for a, n in self.action_distances(state).items() if n & 1)

    def principal_variation(self, state: State) -> tuple[Action, ...]:
        """Return best play from *state* to the end, the lowest of equal actions each time."""
        actions: list[Action] = []
        while not is_terminal(state):
            # Take the lowest, so that a line of play that is shown twice is the same.
            actions.append(self.optimal_actions(state)[0])
            state += STEPS[actions[-1]]
        return tuple(actions)


@cache
def shared_tablebase() -> Tablebase:
    """Return the one tablebase of this process, solved at the first call in about 0.1 s."""
    return Tablebase()


def _solve(may_be_lost: PositionSet) -> tuple[list[PositionSet], Counter[int]]:
    """Return the distances as bit planes, lowest bit first, and how many positions have each.

    ``layers[slab][d]`` holds the positions at distance d, ``open_after[slab][k]``
    those undecided once the positions won in 2k - 1 plies or less are taken out.
    """
    finished = finished_positions()
    layers: dict[int, list[int]] = {}
    open_after: dict[int, list[int]] = {}
    counts = Counter[int]()
    # Operations on whole slabs make these five planes of bits, which take 10 MB. A byte for each
    # state would take 16 MB and a loop over all states.
    planes: list[PositionSet] = [[0] * SLABS for _ in range(_DISTANCE_BITS)]
    # A move leads to the same slab or to one with a higher number. If we begin with the last slab,
    # everything that a slab needs from others is known.
    for slab in range(SLABS - 1, -1, -1):
        above = next_slabs(slab)
        decided = [finished[slab]]
        undecided = WHOLE_SLAB ^ finished[slab]
        still_open = [undecided]
        deepest = max([len(layers[other]) for other in above], default=0)
        while undecided:
            distance = len(decided)
            into_lost = moves_within(decided[-1])
            for other in above:
                # A slab that was decided in fewer rounds has nothing at this distance.
                if distance <= len(layers[other]):
                    into_lost |= layers[other][distance - 1]
            won = undecided & into_lost
            undecided ^= won
            still_open.append(undecided)
            into_open = moves_within(undecided)
            for other in above:
                rounds = min(len(still_open), len(open_after[other]))
                into_open |= open_after[other][rounds - 1]
            # The rest has no move into a lost position. If it has none into an open one either,
            # every move leads to a position won by the opponent.
            lost = (undecided ^ (undecided & into_open)) & may_be_lost[slab]
            undecided ^= lost
            decided += (won, lost)
            if not (won or lost) and distance >= deepest:
                break
        for distance, positions in enumerate(decided):
            counts[distance] += positions.bit_count()
            for bit in range(_DISTANCE_BITS):
                if distance >> bit & 1:
                    planes[bit][slab] |= positions
        layers[slab] = decided
        open_after[slab] = still_open
        # No move from the slabs that are left leads this far up. With all sets, solving would take
        # 51 MB instead of 23.
        layers.pop(slab + SLABS // 4, None)
        open_after.pop(slab + SLABS // 4, None)
    return planes, counts
