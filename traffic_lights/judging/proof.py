"""The proof of a QBot: a walk through every line of play that it allows.

In one seat the bot plays its greedy policy, every action that its tie rule may
choose; in the other the opponent plays anything. The walk goes ply by ply over
canonical positions, so it meets each position once. In each one in which the
bot is to move, the exact solution says which of its choices are *slips*: moves
that turn a position won for the bot into a lost one. A bot without slips as
Player 2 cannot be beaten there by anybody.

>>> from traffic_lights.learning.qtable import QTable
>>> walk = prove(QTable())
>>> next(walk)
Walked(seat=0, ply=0, positions=1, slips=0)
"""

from __future__ import annotations

import random
from array import array
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from traffic_lights.board.policy import Choices
from traffic_lights.board.positions import contains
from traffic_lights.board.rules import (
    CELLS,
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    colour_of,
    is_terminal,
    legal_actions,
)
from traffic_lights.board.solver import Tablebase
from traffic_lights.board.symmetry import MIRRORS, canonical, orbit
from traffic_lights.board.threats import finished, one_move_from_the_end
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.players.contestants import shared_tablebase

Layer: TypeAlias = "array[int]"
"""Canonical live states of one ply, ascending."""


@dataclass(frozen=True, slots=True)
class Walked:
    """How far the walk is: all positions up to *ply* are done for the bot in *seat*."""

    seat: int
    ply: int
    positions: int
    """Those in which the bot in this seat is to move, so far."""
    slips: int


@dataclass(frozen=True, slots=True)
class SeatProof:
    """The whole walk for one seat of the bot."""

    positions: int
    """The canonical positions that can arise with the bot to move."""
    slips: int
    """The moves that it may choose in them and that throw a win away, mirror images once."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What the walk found."""

    first: SeatProof
    second: SeatProof
    counterexample: tuple[Action, ...] | None
    """The shortest game from the empty board that the bot loses after a slip."""

    @property
    def positions(self) -> int:
        """The positions of both seats."""
        return self.first.positions + self.second.positions

    @property
    def slips(self) -> int:
        """The slips of both seats."""
        return self.first.slips + self.second.slips

    @property
    def beaten_seat(self) -> int | None:
        """The seat of the bot in the counterexample, 0 or 1: the one that does not move last."""
        return None if self.counterexample is None else len(self.counterexample) % 2


def prove(table: QTable) -> Generator[Walked | Proof, None, None]:
    """Walk all that the QBot of *table* allows; yield the progress by ply, and last the Proof.

    About a second for a table of 60,000 rows, at most two minutes for one that
    has none of its ties decided. Whoever stops listening stops the walk.
    """
    policy = canonical_policy(table)
    walks: list[_Walk] = []
    for seat in (0, 1):
        walk = _Walk(policy, seat, shared_tablebase())
        walks.append(walk)
        yield from walk.run()
    games = [game for walk in walks if (game := walk.shortest_loss()) is not None]
    way = min(games, key=len, default=None)
    counterexample = None if way is None else _on_the_board(way, table)
    first, second = (SeatProof(walk.positions, walk.slips) for walk in walks)
    yield Proof(first, second, counterexample)


def canonical_policy(table: QTable) -> Choices:
    """Return what the QBot of *table* may choose in canonical states; see `QBot.choices`."""
    best = table.best_canonical_actions
    if table.meta.get("ties") == "first":
        return lambda state: best(state)[:1]
    return best


class _Walk:
    """The walk for the bot in one seat."""

    def __init__(self, policy: Choices, seat: int, tablebase: Tablebase) -> None:
        self._policy, self._seat, self._tablebase = policy, seat, tablebase
        self._layers: list[Layer] = []
        self._slipping: list[Layer] = []
        """By ply: the positions in which the bot may slip."""
        self.positions = self.slips = 0

    def run(self) -> Iterator[Walked]:
        """Walk; yield the progress after each ply."""
        layer = array("i", [EMPTY_BOARD])
        while layer:
            ply = len(self._layers)
            is_bots_turn = ply % 2 == self._seat
            self._layers.append(layer)
            self._slipping.append(self._judge(layer) if is_bots_turn else array("i"))
            yield Walked(self._seat, ply, self.positions, self.slips)
            layer = successors(layer, self._moves(ply))

    def _moves(self, ply: int) -> Choices:
        return self._policy if ply % 2 == self._seat else legal_actions

    def _judge(self, layer: Layer) -> Layer:
        """Count the positions and slips of *layer*; return the states in which the bot may slip."""
        is_won = self._tablebase.is_won
        self.positions += len(layer)
        slipping = array("i")
        for state in layer:
            if is_won(state):
                slips = self._slips_in(state)
                if slips:
                    self.slips += _different(state, slips)
                    slipping.append(state)
        return slipping

    def _slips_in(self, state: State) -> list[Action]:
        """Return the bot's choices in the won *state* that lose."""
        is_won = self._tablebase.is_won
        return [action for action in self._policy(state) if is_won(state + STEPS[action])]

    def shortest_loss(self) -> list[State] | None:
        """Return the canonical states of the shortest game that the bot loses after a slip.

        None if it never slips: then there is none. The last state is the one
        in which the opponent completes a line.
        """
        fallen: list[set[State]] = []
        for ply in range(len(self._layers)):
            layer = _after(fallen[-1], self._moves(ply - 1)) if fallen else set[State]()
            if ply:
                layer |= _after(self._slipping[ply - 1], self._slips_in)
            fallen.append(layer)
            if ply % 2 != self._seat:
                ends = [s for s in layer if contains(one_move_from_the_end(), s)]
                if ends:
                    return self._way_to(min(ends), fallen)
        return None

    def _way_to(self, state: State, fallen: list[set[State]]) -> list[State]:
        """Return the states of a game to *state*, the last one after a slip."""
        way = [state]
        has_slipped = True
        for ply in range(len(fallen) - 2, -1, -1):
            before = self._before(way[-1], ply, fallen[ply]) if has_slipped else None
            if before is None and has_slipped:
                before = _previous(way[-1], self._slipping[ply].__contains__, self._slips_in)
                has_slipped = False
            elif before is None:
                before = _previous(way[-1], _Members(self._layers[ply]).has, self._moves(ply))
            assert before is not None, "each layer comes from the one before it"
            way.append(before)
        return way[::-1]

    def _before(self, state: State, ply: int, layer: set[State]) -> State | None:
        return _previous(state, layer.__contains__, self._moves(ply))


class _Members:
    """Tells quickly whether a state is in an ascending layer."""

    def __init__(self, layer: Layer) -> None:
        self._layer = layer

    def has(self, state: State) -> bool:
        """Return whether *state* is in the layer."""
        index = bisect_left(self._layer, state)
        return index < len(self._layer) and self._layer[index] == state


def _different(state: State, actions: list[Action]) -> int:
    """Return how many of *actions* differ by more than a mirror that *state* looks alike in."""
    if len(set(orbit(state))) == len(MIRRORS):
        return len(actions)
    return len({canonical(state + STEPS[action]) for action in actions})


def successors(layer: Iterable[State], moves: Callable[[State], Iterable[Action]]) -> Layer:
    """Return the canonical live states that *moves* lead to from *layer*."""
    return array("i", sorted(_after(layer, moves)))


def _after(layer: Iterable[State], moves: Callable[[State], Iterable[Action]]) -> set[State]:
    is_over = finished()
    played = {state + STEPS[action] for state in layer for action in moves(state)}
    return {canonical(state) for state in played if not is_over[state >> 3] >> (state & 7) & 1}


def _previous(
    state: State, is_there: Callable[[State], bool], moves: Callable[[State], Iterable[Action]]
) -> State | None:
    """Return a state that `is_there` and from which *moves* lead to an image of *state*."""
    for cell in range(CELLS):
        if colour_of(state, cell):
            before = canonical(state - STEPS[cell])
            if is_there(before) and any(
                canonical(before + STEPS[a]) == state for a in moves(before)
            ):
                return before
    return None


def _on_the_board(way: list[State], table: QTable) -> tuple[Action, ...]:
    """Return the actions on the real board of the game whose canonical states are *way*."""
    bot = QBot(table, random.Random(0))
    actions: list[Action] = []
    state = EMPTY_BOARD
    bots_turn = len(way) % 2
    for number, image in enumerate(way[1:]):
        choices = bot.choices(state) if number % 2 == bots_turn else legal_actions(state)
        action = next(a for a in choices if canonical(state + STEPS[a]) == image)
        actions.append(action)
        state += STEPS[action]
    actions.append(next(a for a in legal_actions(state) if is_terminal(state + STEPS[a])))
    return tuple(actions)
