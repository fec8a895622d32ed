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

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from traffic_lights.board.baselines import Policy
from traffic_lights.board.positions import finished
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, legal_actions, ply
from traffic_lights.board.symmetry import canonical

BUDGET: Final = 1_000_000
"""The positions for each seat beyond which an exact score is given up, after about 6 s."""

_Distribution: TypeAlias = dict[State, float]
"""The probability of each canonical live state of one ply."""
_Tired: TypeAlias = frozenset[int]
"""The seats whose players have begun to play any legal move."""


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
    """Return the score of *one* against *other*; None beyond *budget* positions for a seat."""
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
    """Return Player 1's chance to win from the live *start*; None beyond *budget* positions.

    Call *on_progress* before each ply with the number of positions so far.
    """
    players = (first, second)
    fold = canonical if first.is_symmetric and second.is_symmetric else int
    won = [0.0, 0.0]
    layers: dict[_Tired, _Distribution] = {frozenset(): {fold(start): 1.0}}
    moves = ply(start)
    positions = 0
    while layers:
        seat = moves & 1
        fewest, most = players[seat].lasts
        own_moves = moves // 2
        if own_moves >= fewest:
            # The numbers of the range that have not passed are equally likely.
            layers = _after_tiring(layers, seat, 1 / max(1, most - own_moves + 1))
        positions += sum(len(layer) for layer in layers.values())
        if positions > budget:
            return None
        on_progress(positions)
        following: dict[_Tired, _Distribution] = {}
        for tired, layer in layers.items():
            policy = players[seat]
            choices: Callable[[State], Sequence[Action] | Mapping[Action, float]]
            choices = legal_actions if seat in tired else policy.chances or policy.actions
            ended, after = _after_moving(layer, choices, fold)
            won[seat] += ended
            if after:
                following[tired] = after
        layers = following
        moves += 1
    # The sum is 1 apart from rounding. Dividing by it gives a player that never loses exactly 1.
    return won[0] / (won[0] + won[1])


def _after_tiring(
    layers: dict[_Tired, _Distribution], seat: int, chance: float
) -> dict[_Tired, _Distribution]:
    """Return the *layers* after the player in *seat* tired with probability *chance*."""
    changed: defaultdict[_Tired, _Distribution] = defaultdict(dict)
    for tired, layer in layers.items():
        shares = {tired: 1.0}
        if seat not in tired:
            shares = {tired | {seat}: chance, tired: 1.0 - chance}
        for after, share in shares.items():
            # An empty layer would be played on.
            if share == 0.0:
                continue
            distribution = changed[after]
            for state, probability in layer.items():
                distribution[state] = distribution.get(state, 0.0) + share * probability
    return changed


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
