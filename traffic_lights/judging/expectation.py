"""Exact scores: the chance to win of one player against another, as an expectation.

A player of this game chooses by the position alone, with equal chance among
some actions. Whoever knows these actions for both sides need not sample games:
the chance of each position is carried from the empty board ply by ply, along
every move that either side may make, until all of it has arrived at ends of
the game. Canonical positions share what is carried, so each is looked at once.

A *manner* is how a player chooses. Alternate hides one thing, how long it plays
as Myopic; its chance is carried in two manners, and at each of its moves the
due share changes from the first to the second.

>>> exact = manner_of(Contestant("exact"))
>>> expectation(exact, exact)
Expectation(first=0.0, second=1.0)
>>> expectation(RANDOM, RANDOM, budget=1000) is None
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.policy import Choices
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, State, legal_actions, ply
from traffic_lights.board.symmetry import canonical
from traffic_lights.board.threats import finished
from traffic_lights.board.traps import traps
from traffic_lights.judging.best_response import horizon_choices
from traffic_lights.judging.proof import canonical_policy
from traffic_lights.players.contestants import (
    EXACT,
    Contestant,
    horizon_depth,
    shared_tablebase,
)

Distribution: TypeAlias = dict[State, float]
"""The chance of each canonical live state of one ply to arise."""

BUDGET: Final = 1_000_000
"""The positions in each seat beyond which a walk is given up, after some 6 s."""


@dataclass(frozen=True, slots=True, eq=False)
class Manner:
    """How a player chooses: among *choices*, until it changes to *later* for good."""

    choices: Choices
    """Of a canonical state; it must treat mirror images alike."""
    later: Manner | None = None
    lasts: tuple[int, int] = (0, 0)
    """For how many own moves, if there is a later manner: each number of the range is as likely."""

    def leaving(self, moves: int) -> float:
        """Return the chance to change before the next move, after *moves* in this manner."""
        fewest, most = self.lasts
        return 0.0 if self.later is None or moves < fewest else 1 / (most - moves + 1)


RANDOM: Final = Manner(legal_actions)
"""How whoever tires goes on."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The chance to win, from 0 to 1, by seat."""

    first: float
    second: float

    @property
    def total(self) -> float:
        """The score with seats swapped every game."""
        return (self.first + self.second) / 2


class UnknownMannerError(LookupError):
    """A player of whom no manner is known; the message is its name."""


def manner_of(player: Contestant) -> Manner:
    """Return how *player* chooses; raise UnknownMannerError if its actions do not say it."""
    if player.table is not None:
        return Manner(canonical_policy(player.table))
    if player.program is not None:
        raise UnknownMannerError(player.name)
    if player.name == EXACT:
        return Manner(traps(shared_tablebase()).best_actions)
    depth = horizon_depth(player.name)
    if depth is not None:
        return Manner(horizon_choices(shared_tablebase(), depth))
    policy = BASELINES.get(player.name)
    if policy is None or not policy.is_symmetric:
        raise UnknownMannerError(player.name)
    return Manner(policy.actions, RANDOM if policy.tires else None, policy.lasts)


def exact_score(one: Contestant, other: Contestant, budget: int = BUDGET) -> Expectation | None:
    """Return the `expectation` of two players; None too if the manner of either is unknown."""
    try:
        return expectation(manner_of(one), manner_of(other), budget)
    except UnknownMannerError:
        return None


def expectation(one: Manner, other: Manner, budget: int = BUDGET) -> Expectation | None:
    """Return the exact score of *one* against *other*; None if they allow too many positions.

    The *budget* holds for each seat. About 6 to 25 µs a position: 0.4 s for a
    complete table against Myopic and Random.
    """
    first = first_chance(one, other, budget)
    second = None if first is None else first_chance(other, one, budget)
    return None if first is None or second is None else Expectation(first, 1.0 - second)


_Manners: TypeAlias = tuple[Manner, Manner]
"""How Player 1 and Player 2 choose at present."""


def first_chance(
    first: Manner, second: Manner, budget: int = BUDGET, start: State = EMPTY_BOARD
) -> float | None:
    """Return the chance that *first* wins from the live *start*; None beyond *budget* positions."""
    won = [0.0, 0.0]
    layers: dict[_Manners, Distribution] = {(first, second): {canonical(start): 1.0}}
    moves, positions = ply(start), 0
    while layers:
        seat = moves & 1
        layers = _changed(layers, seat, moves // 2)
        positions += sum(map(len, layers.values()))
        if positions > budget:
            return None
        for manners, layer in layers.items():
            ended, layers[manners] = _moved(layer, manners[seat].choices)
            won[seat] += ended
        layers = {manners: layer for manners, layer in layers.items() if layer}
        moves += 1
    # Both add up to one but for rounding; so divided, who never loses scores exactly 1.
    return won[0] / (won[0] + won[1])


def _changed(
    layers: dict[_Manners, Distribution], seat: int, moves: int
) -> dict[_Manners, Distribution]:
    """Return *layers* after *seat*, who has made *moves*, may have changed its manner."""
    changed: dict[_Manners, Distribution] = {}
    for manners, layer in layers.items():
        leaving = manners[seat].leaving(moves)
        later = manners[seat].later
        if later is None or not leaving:
            _add(changed, manners, layer, 1.0)
            continue
        _add(changed, (later, manners[1]) if seat == 0 else (manners[0], later), layer, leaving)
        if leaving < 1:
            _add(changed, manners, layer, 1 - leaving)
    return changed


def _add(
    layers: dict[_Manners, Distribution], manners: _Manners, layer: Distribution, share: float
) -> None:
    """Add a *share* of *layer* to that of *manners*."""
    if manners not in layers and share == 1:
        layers[manners] = layer
        return
    there = layers.setdefault(manners, {})
    for state, chance in layer.items():
        there[state] = there.get(state, 0.0) + share * chance


def _moved(layer: Distribution, choices: Choices) -> tuple[float, Distribution]:
    """Return the chance that a move from *layer* ends the game, and the layer after it."""
    raw: Distribution = {}
    steps, known = STEPS, raw.get
    for state, chance in layer.items():
        actions = choices(state)
        share = chance / len(actions)
        for action in actions:
            successor = state + steps[action]
            raw[successor] = known(successor, 0.0) + share
    ended, is_over = 0.0, finished()
    after: Distribution = {}
    for state, chance in raw.items():
        if is_over[state >> 3] >> (state & 7) & 1:
            ended += chance
        else:
            image = canonical(state)
            after[image] = after.get(image, 0.0) + chance
    return ended, after
