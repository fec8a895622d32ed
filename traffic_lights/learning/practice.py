"""Practice: which of the actions that all lose still wins most often against an opponent that errs.

In a lost position every action is a proven loss, but not every opponent finds
the win. So the learner plays each action against one, GAMES games from the
position after it: the opponent draws its reply, and the game is over there,
because all that can follow was practised before, positions being taken by
descending ply.

    the reply throws the win away     the learner has won
    it keeps the win                  it wins as often as its best action in that position does

Where all replies are worth the same, the games are counted and none is drawn.
Practice changes chances alone: what is proven stays so.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import ACTIONS_OF, ALL_CELLS, CELLS, STEPS, State, red_cells
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.board.threats import finished
from traffic_lights.learning import chances
from traffic_lights.learning.deltas import CHANCE
from traffic_lights.learning.episodes import Batch
from traffic_lights.learning.qtable import QTable

GAMES: Final = 100
"""The games from each position after an action."""
_BYTES: Final = GAMES * 5 // 4
"""The random bytes for that many replies, a few of which are not fair."""
_WON: Final = chances.STEPS
MOST_GAMES: Final = GAMES * CELLS
"""The most games that one position takes."""
_UNKNOWN: Final = chances.STEPS // 2
"""What a position is worth that nobody has decided, as in a table of self-play."""
_UNFAIR: Final = tuple(bytes(range(256 // n * n, 256)) for n in range(1, CELLS + 1))
"""By the number of replies less one: the bytes that would draw the first of them too often."""
_REPLY_OF: Final = tuple(bytes(byte % n for byte in range(256)) for n in range(1, CELLS + 1))
"""By the same number: the reply that each other byte draws."""


class Practice:
    """Practises in the lost positions of one ply after the other, against one opponent."""

    def __init__(self, table: QTable, opponent: str, *, is_complete: bool) -> None:
        """Practise for *table* against the baseline *opponent*; *is_complete*: it decides all."""
        self._table, self._is_complete = table, is_complete
        self._actions = BASELINES[opponent].actions
        self._later: dict[State, int] = {}
        self._known: dict[State, int] = {}
        """The steps of what was played in this ply, by the canonical position after the action."""

    def begin(self, done: Sequence[State], later: Sequence[State]) -> None:
        """Begin a ply, of which the states of *done* are practised, and those of *later*.

        Those are the lost states two plies on. All are canonical.
        """
        rows = self._table.chances
        self._later = {}
        for state in later:
            steps = round(chances.highest(rows.get(state, chances.NONE)) * _WON)
            # All images, because the positions after replies are looked up as they are played.
            self._later |= dict.fromkeys(orbit(state), steps)
        self._known = {
            # Read off the chances, which a resume has in its table: what was played needs no file.
            canonical(state + STEPS[action]): round(chance * _WON)
            for state in done
            for action, chance in chances.as_dict(rows.get(state, chances.NONE)).items()
        }

    def play(self, states: Sequence[State], rng: random.Random) -> Batch:
        """Practise in the canonical lost *states* of the ply that was begun."""
        batch, values = Batch(), list[float]()
        known, rows, score = self._known, self._table.chances, self._score
        shifts, mask = chances.SHIFTS, chances.MASK
        for state in states:
            before = rows.get(state, chances.NONE)
            row = chances.NONE
            for action in ACTIONS_OF[ALL_CELLS ^ red_cells(state)]:
                after = canonical(state + STEPS[action])
                # By the position after the action: mirror images and transpositions are played
                # once.
                steps = known.get(after)
                if steps is None:
                    steps = known[after] = score(after, rng)
                    batch.games += GAMES
                row |= steps + 1 << shifts[action]
                if before >> shifts[action] & mask != steps + 1:
                    batch.deltas.append(CHANCE | state << 5 | action << 1)
                    values.append(steps / _WON)
            rows[state] = row
        batch.values = values
        return batch

    def _score(self, state: State, rng: random.Random) -> int:
        """Return how many of _WON games the learner wins if its opponent is to move in *state*."""
        replies = [state + STEPS[action] for action in self._actions(state)]
        over = finished()
        afters = [after for after in replies if not over[after >> 3] >> (after & 7) & 1]
        worth = self._later.get
        if self._is_complete:
            results = [worth(after, _WON) for after in afters]
        else:
            results = [worth(after) or self._guess(after) for after in afters]
        results += [0] * (len(replies) - len(afters))
        if min(results) == max(results):
            return results[0]
        kind = len(results) - 1
        # All games of a position are drawn and counted in C: no loop of Python runs over them.
        drawn = rng.randbytes(_BYTES).translate(_REPLY_OF[kind], _UNFAIR[kind])[:GAMES]
        won = sum([drawn.count(reply) * n for reply, n in enumerate(results) if n])
        return round(won / len(drawn))

    def _guess(self, state: State) -> int:
        """Return what *state* is worth, of which no chance above 0 is known."""
        if state in self._later:
            return 0
        return _WON if self._table.is_decided(state) else _UNKNOWN
