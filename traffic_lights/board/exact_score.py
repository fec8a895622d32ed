"""Exact scores: the chance that one player beats another, computed instead of sampled.

Probability 1 starts on the empty board. It is passed on, ply by ply, along every move that either
side may make, until all of it has arrived at finished games.

>>> from traffic_lights.board.rules import parse_board
>>> from traffic_lights.board.baselines import MYOPIC, RANDOM
>>> first_chance(MYOPIC, RANDOM, start=parse_board("1100/0000/0000"))
1.0
>>> exact_score(RANDOM, MYOPIC, budget=1000) is None
True
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from traffic_lights.board.baselines import Policy
from traffic_lights.board.positions import finished
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, ply
from traffic_lights.board.symmetry import canonical

BUDGET: Final = 1_000_000
"""The positions for each seat beyond which an exact score is given up, after about 6 s."""

_Distribution: TypeAlias = dict[State, float]
"""The probability of each canonical live state of one ply."""


@dataclass(frozen=True, slots=True)
class ExactScore:
    """The chance to win, from 0 to 1, by seat."""

    first: float
    second: float

    @property
    def total(self) -> float:
        """The score when the seats are swapped after every game."""
        return (self.first + self.second) / 2


def exact_score(
    one: Policy,
    other: Policy,
    budget: int = BUDGET,
    on_progress: Callable[[int], object] = lambda _: None,
) -> ExactScore | None:
    """Return the score of *one* against *other*, or None.

    It has none if one of the two tires, because how long that one still plays well cannot be seen
    on the board, or if more than *budget* positions can arise in a seat.
    """
    first = first_chance(one, other, budget, on_progress=on_progress)
    if first is None:
        return None
    others_first = first_chance(other, one, budget, on_progress=on_progress)
    if others_first is None:
        return None
    return ExactScore(first, 1.0 - others_first)


def first_chance(
    first: Policy,
    second: Policy,
    budget: int = BUDGET,
    *,
    start: State = EMPTY_BOARD,
    on_progress: Callable[[int], object] = lambda _: None,
) -> float | None:
    """Return Player 1's chance to win from the live *start*, or None, as `exact_score` does.

    Call *on_progress* before each ply with the number of positions so far.
    """
    if first.tires or second.tires:
        return None
    players = (first, second)
    fold = canonical if first.is_symmetric and second.is_symmetric else int
    won = [0.0, 0.0]
    layer: _Distribution = {fold(start): 1.0}
    moves = ply(start)
    positions = 0
    while layer:
        positions += len(layer)
        if positions > budget:
            return None
        on_progress(positions)
        seat = moves & 1
        ended, layer = _after_moving(layer, players[seat].chances or players[seat].actions, fold)
        won[seat] += ended
        moves += 1
    # The sum is 1 apart from rounding. Dividing by it gives a player that never loses exactly 1.
    return won[0] / (won[0] + won[1])


def _after_moving(
    layer: _Distribution,
    choices: Callable[[State], Sequence[Action] | Mapping[Action, float]],
    fold: Callable[[State], State],
) -> tuple[float, _Distribution]:
    """Return the chance that a move from *layer* ends the game, and the layer after the move."""
    raw: _Distribution = {}
    steps = STEPS
    known = raw.get
    for state, chance in layer.items():
        actions = choices(state)
        if isinstance(actions, Mapping):
            for action, probability in actions.items():
                if probability:
                    successor = state + steps[action]
                    raw[successor] = known(successor, 0.0) + chance * probability
            continue
        share = chance / len(actions)
        for action in actions:
            successor = state + steps[action]
            raw[successor] = known(successor, 0.0) + share
    ended = 0.0
    is_over = finished()
    after: _Distribution = {}
    for state, chance in raw.items():
        if is_over[state >> 3] >> (state & 7) & 1:
            ended += chance
        else:
            image = fold(state)
            after[image] = after.get(image, 0.0) + chance
    return ended, after
