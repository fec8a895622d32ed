"""Find the best move in lost positions: the one that wins most often against an imperfect opponent.

The page of this folder explains how. The value of the next position is known, because positions
with more moves on the board are practised first. If all replies count the same, nothing is drawn.
"""

import random
from collections.abc import Sequence
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import finished
from traffic_lights.board.rules import CELLS, STEPS, State, legal_actions
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning.deltas import WIN_RATE
from traffic_lights.learning.episodes import Batch
from traffic_lights.learning.qtable import NO_RATES, RATE_STEPS, QTable

GAMES: Final = 100
"""The games from each position after an action."""
_BYTES: Final = GAMES * 5 // 4
"""Random bytes for that many replies, with some to spare for those that are not fair."""
MOST_GAMES: Final = GAMES * CELLS
"""The most games that one position takes."""
_UNKNOWN: Final = RATE_STEPS // 2
"""The value of an undecided position, which a table of self-play may have."""
_UNFAIR: Final = tuple(bytes(range(256 // n * n, 256)) for n in range(1, CELLS + 1))
"""By the number of replies less one: the bytes that would draw the first of them too often."""
_REPLY_OF: Final = tuple(bytes(byte % n for byte in range(256)) for n in range(1, CELLS + 1))
"""By the same number: the reply that each other byte draws."""


class Practice:
    """Practises in the lost positions of one ply after the other, against one opponent."""

    def __init__(self, table: QTable, opponent: str, *, is_complete: bool) -> None:
        """Practise against the baseline *opponent*; *is_complete* if *table* decides all."""
        self._table, self._is_complete = table, is_complete
        self._actions = BASELINES[opponent].actions
        self._later: dict[State, int] = {}
        self._known: dict[State, int] = {}
        """The steps of what was played in this ply, by the canonical position after the action."""

    def begin(self, done: Sequence[State], later: Sequence[State]) -> None:
        """Begin a ply: *done* of it is practised, and *later*, the lost states two plies on."""
        rows = self._table.win_rates
        self._later = {}
        for state in later:
            # Replies lead to positions that are not canonical, so all images are needed.
            self._later |= dict.fromkeys(orbit(state), max(rows.get(state, (0,))))
        self._known = {
            # A resumed run has the win rates in its table, so no file has to say what was played.
            canonical(state + STEPS[action]): round(rate * RATE_STEPS)
            for state in done
            for action, rate in self._table.win_rate_row(state).items()
        }

    def play(self, states: Sequence[State], rng: random.Random) -> Batch:
        """Practise in the canonical lost *states* of the ply that was begun."""
        batch, values = Batch(), list[float]()
        known, rows, score = self._known, self._table.win_rates, self._score
        for state in states:
            before, row = rows.get(state, NO_RATES), NO_RATES[:]
            for action in legal_actions(state):
                after = canonical(state + STEPS[action])
                # Mirror images and transpositions share the position after the action.
                steps = known.get(after)
                if steps is None:
                    steps = known[after] = score(after, rng)
                    batch.games += GAMES
                row[action] = steps
                if before[action] != steps:
                    batch.deltas.append(WIN_RATE | state << 5 | action << 1)
                    values.append(steps / RATE_STEPS)
            rows[state] = row
        batch.values = values
        return batch

    def _score(self, state: State, rng: random.Random) -> int:
        """Return the win rate in RATE_STEPS of a learner whose opponent is to move in *state*."""
        replies = [state + STEPS[action] for action in self._actions(state)]
        over = finished()
        afters = [after for after in replies if not over[after >> 3] >> (after & 7) & 1]
        after_value = self._later.get
        if self._is_complete:
            results = [after_value(after, RATE_STEPS) for after in afters]
        else:
            # A position that was practised without success is lost; an undecided one counts half.
            is_proven, later = self._table.is_proven, self._later
            results = [
                later[after] if after in later else RATE_STEPS if is_proven(after) else _UNKNOWN
                for after in afters
            ]
        results += [0] * (len(replies) - len(afters))
        if min(results) == max(results):
            return results[0]
        kind = len(results) - 1
        # Drawing and counting all games of a position at once happens in C.
        drawn = rng.randbytes(_BYTES).translate(_REPLY_OF[kind], _UNFAIR[kind])[:GAMES]
        won = sum([drawn.count(reply) * n for reply, n in enumerate(results) if n])
        return round(won / len(drawn))
