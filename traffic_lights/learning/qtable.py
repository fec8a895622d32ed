"""The Q-table, and the greedy policy that reads it.

Q(s, a) is the result that the player to move in state s can expect from action a, from -1 to +1
(Watkins 1989). The table holds canonical states and answers for all their mirror images. The page
of this folder explains proofs, estimates and win rates.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Self

from traffic_lights.board.baselines import Policy
from traffic_lights.board.rules import (
    LONGEST_GAME,
    Action,
    State,
    format_board,
    format_cell,
    legal_actions,
)
from traffic_lights.board.symmetry import map_action, same_actions, to_canonical

UNTRIED_VALUE: Final = 0
"""What an action counts as that was never tried: as a win as likely as a loss."""
RATE_STEPS: Final = 20_000
"""The steps from a win rate of 0 to 1: as many as an estimate has from -1 to 1."""


class QTable(ABC):
    """What every table can be asked for; how it holds its values is the matter of its kind.

    A `RowTable` has the values of each position in a row, as a file has them. An `AfterstateTable`,
    in training with estimates, has one value for each position after a move.
    """

    def __init__(self) -> None:
        self.meta: dict[str, Any] = {}
        self.decided_by_ply = [0] * (LONGEST_GAME + 1)
        """How many positions of each ply are proven won or lost, while the table is trained."""

    @classmethod
    def of(cls, source: QTable, states: Iterable[State] | None = None) -> Self:
        """Return a table with the rows of *source*, or with those of some canonical *states*."""
        table = cls()
        table.meta = dict(source.meta)
        for state in source.states() if states is None else states:
            table.copy_row(source, state)
        return table

    # --- of any state ---

    def row(self, state: State) -> dict[Action, float]:
        """Return Q for *state*'s actions that have a value; the others were never tried."""
        image, mirror = to_canonical(state)
        row = self.canonical_row(image)
        turned = {action: map_action(action, mirror) for action in legal_actions(state)}
        return {action: row[there] for action, there in turned.items() if there in row}

    def best_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in *state*, ascending; never empty."""
        image, mirror = to_canonical(state)
        best = self.best_canonical_actions(image)
        return tuple(sorted([map_action(action, mirror) for action in best]))

    def win_rate(self, state: State, action: Action) -> float | None:
        """Return the win rate of a legal *action* of the lost *state*; None if it has none."""
        image, mirror = to_canonical(state)
        return self.win_rate_row(image).get(map_action(action, mirror))

    def add_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* of any *state*, as another program learned it.

        Raise ValueError if the table has another value for it, which a mirror image brought.
        """
        image, mirror = to_canonical(state)
        turned = map_action(action, mirror)
        known = self.canonical_row(image).get(turned, value)
        if known != value:
            raise ValueError(
                f"{format_cell(action)} on {format_board(state)} has two values, {known} and "
                f"{value}; mirror images must have the same"
            )
        self.set_value(image, turned, value)

    # --- of canonical states ---

    @abstractmethod
    def proven_result(self, state: State) -> int:
        """Return 1 if the canonical *state* is proven won for its mover, -1 if lost, or 0."""

    @abstractmethod
    def canonical_row(self, state: State) -> dict[Action, float]:
        """Return the values of the canonical *state* that there are, by ascending action."""

    @abstractmethod
    def win_rate_steps(self, state: State) -> dict[Action, int]:
        """Return the win rates of the canonical *state* in RATE_STEPS, by ascending action."""

    @abstractmethod
    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; ±1 is a proof."""

    @abstractmethod
    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        """Set the win *rate*, from 0 to 1, of a legal *action* in the canonical lost *state*."""

    def best_canonical_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in the canonical *state*, ascending.

        Of several that are worth UNTRIED_VALUE, those that were tried are better than the others.
        """
        legal = legal_actions(state)
        if self.proven_result(state) < 0:
            return highest(self.win_rate_row(state)) or legal
        row = self.canonical_row(state)
        best = highest({action: row.get(action, UNTRIED_VALUE) for action in legal})
        return tuple([action for action in best if action in row]) or best

    def win_rate_row(self, state: State) -> dict[Action, float]:
        """Return the win rates that are known in the canonical *state*, by ascending action."""
        steps_of = self.win_rate_steps(state)
        return {action: steps / RATE_STEPS for action, steps in steps_of.items()}

    def set_lost(self, state: State) -> None:
        """Make every legal action of the canonical *state* a proven loss."""
        for action in legal_actions(state):
            self.set_value(state, action, -1.0)

    def copy_row(self, source: QTable, state: State) -> None:
        """Copy the row of the canonical *state* from *source*; there must be none here yet."""
        for action, value in source.canonical_row(state).items():
            self.set_value(state, action, value)
        for action, rate in source.win_rate_row(state).items():
            self.set_win_rate(state, action, rate)

    # --- of the whole table ---

    @property
    def decided(self) -> int:
        """How many canonical positions are proven won or lost, while the table is trained."""
        return sum(self.decided_by_ply)

    @property
    def is_pruned(self) -> bool:
        """Whether it keeps only the rows that its own play needs: `prune` writes that as "ties"."""
        return self.meta.get("ties") == "first"

    @abstractmethod
    def states(self) -> Iterator[State]:
        """Yield the canonical states that have a row, in ascending order."""

    @abstractmethod
    def lost_states(self) -> Iterator[State]:
        """Yield the canonical lost states, in ascending order."""


def highest(values: Mapping[Action, float]) -> tuple[Action, ...]:
    """Return the actions of the highest of *values*, ascending; none of no values."""
    best = max(values.values(), default=0.0)
    return tuple([action for action, value in values.items() if value == best])


class TableBot:
    """Plays greedily what a table says: no exploration, no look-ahead, no writing.

    Ties are broken at random. A pruned table has ``"ties": "first"`` in its meta, and the bot plays
    the lowest action of the canonical board.

    A pruned table has only the positions of its own games, but a player may swap seats in the
    middle of a game, or set a position up. There the bot plays by *elsewhere*, if it is given.
    """

    def __init__(self, table: QTable, rng: random.Random, elsewhere: Policy | None = None) -> None:
        self.table = table
        self._rng = rng
        self._elsewhere = elsewhere

    def comes_to(self, state: State) -> bool:
        """Return whether its own games come to *state*, as far as its table shows."""
        is_complete = not self.table.is_pruned or self._elsewhere is not None
        return is_complete or bool(self.table.row(state))

    def choices(self, state: State) -> tuple[Action, ...]:
        """Return the actions that `choose` may return in *state*."""
        if self._elsewhere is not None and not self.table.row(state):
            return self._elsewhere.actions(state)
        if self.table.is_pruned:
            image, mirror = to_canonical(state)
            first, *_ = self.table.best_canonical_actions(image)
            return same_actions(state, map_action(first, mirror))
        return self.table.best_actions(state)

    def choose(self, state: State) -> Action:
        # Draw only if there is a choice, so that a table without ties plays the same from any seed.
        choices = self.choices(state)
        return choices[0] if len(choices) == 1 else self._rng.choice(choices)
