"""Find the best move in lost positions: the one that wins most often against an imperfect opponent.

The page of this folder explains how. The value of the next position is known, because positions
with more moves on the board are practised first. If all replies count the same, nothing is drawn.
"""

import random
from collections.abc import Sequence
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import contains, finished, one_move_from_the_end
from traffic_lights.board.rules import CELLS, STATE_CODES, STEPS, State, legal_actions
from traffic_lights.board.symmetry import HALF_IMAGES, canonical, orbit
from traffic_lights.learning.deltas import MIDDLES, RATE_ENDS, STARTS, Batch, rate_texts
from traffic_lights.learning.qtable import RATE_STEPS
from traffic_lights.learning.rowtable import NO_RATES, RowTable

TRIES: Final = 100
"""The tries of each position after an action. A try is one reply of the opponent."""
_BYTES: Final = TRIES * 5 // 4
"""Random bytes for that many replies, with some to spare for those that are not fair."""
_NOWHERE: Final = bytes(STATE_CODES // 8)
"""The set of no position, as `pack` has it."""
_UNFAIR: Final = tuple(bytes(range(256 // n * n, 256)) for n in range(1, CELLS + 1))
"""By the number of replies less one: the bytes that would draw the first of them too often."""
_REPLY_OF: Final = tuple(bytes(byte % n for byte in range(256)) for n in range(1, CELLS + 1))
"""By the same number: the reply that each other byte draws."""


class Practice:
    """Practises in the lost positions of one ply after the other, against one opponent.

    The table decides every position that follows them.
    """

    def __init__(self, table: RowTable, opponent: str) -> None:
        """Practise against the baseline *opponent*."""
        self._table = table
        self._policy = BASELINES[opponent]
        self._later: dict[State, int] = {}
        self._rates: dict[State, int] = {}
        """The win rates of this ply in steps, by the canonical position after the action."""

    def begin(self, done: Sequence[State], later: Sequence[State]) -> None:
        """Begin a ply: *done* of it is practised, and *later*, the lost states two plies on."""
        rows = self._table.win_rates
        self._later = {}
        for state in later:
            # Replies lead to positions that are not canonical, so all images are needed.
            self._later |= dict.fromkeys(orbit(state), max(rows.get(state, (0,))))
        self._rates = {
            # A resumed run has the win rates in its table, so no file has to say what was played.
            canonical(state + STEPS[action]): steps
            for state in done
            for action, steps in self._table.win_rate_steps(state).items()
        }

    def play(self, states: Sequence[State], rng: random.Random) -> Batch:
        """Practise in the canonical lost *states* of the ply that was begun."""
        games = 0
        rates = self._rates
        rows = self._table.win_rates
        texts = rate_texts()
        records: list[bytes] = []
        wins_at_once = one_move_from_the_end() if self._policy.completes_lines else _NOWHERE
        (left_right, left_right_low), (up_down, up_down_low), (both, both_low) = HALF_IMAGES[1:]
        for state in states:
            before = rows.get(state, NO_RATES)
            row = NO_RATES[:]
            ends = [b""]
            for action in legal_actions(state):
                played = state + STEPS[action]
                high = played >> 12
                low = played & 4095
                # Mirror images and transpositions share the position after the action. Calling
                # `canonical` here would add a fifth to the time of practice.
                after = min(
                    played,
                    left_right[high] | left_right_low[low],
                    up_down[high] | up_down_low[low],
                    both[high] | both_low[low],
                )
                steps = rates.get(after)
                if steps is None:
                    steps = 0
                    if not contains(wins_at_once, after):
                        steps = self._score(after, rng)
                    rates[after] = steps
                    games += TRIES
                row[action] = steps
                if before[action] != steps:
                    ends.append(RATE_ENDS[action] + texts[steps])
            rows[state] = row
            records.append((STARTS[state >> 12] + MIDDLES[state & 4095]).join(ends))
        return Batch(games, b"".join(records))

    def _score(self, state: State, rng: random.Random) -> int:
        """Return the win rate in RATE_STEPS of a learner whose opponent is to move in *state*.

        It is not a position where an opponent that completes lines wins at once.
        """
        replies = [state + STEPS[action] for action in self._policy.actions(state)]
        # A reply into a position that is not lost throws the win away.
        results = [self._later.get(after, RATE_STEPS) for after in replies]
        if not self._policy.completes_lines:
            ends = finished()
            results = [
                0 if contains(ends, after) else result
                for after, result in zip(replies, results, strict=True)
            ]
        first = results[0]
        if results.count(first) == len(results):
            return first
        kind = len(results) - 1
        # Drawing and counting all tries of a position at once happens in C.
        drawn = rng.randbytes(_BYTES).translate(_REPLY_OF[kind], _UNFAIR[kind])[:TRIES]
        won = sum([drawn.count(reply) * n for reply, n in enumerate(results) if n])
        # Four digits are enough for 100 tries, and they keep the files small.
        return 2 * round(won / len(drawn) / 2)
