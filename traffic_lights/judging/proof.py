"""Prove that a player never throws a win away, or find a game that beats it.

The walk goes ply by ply through every canonical position that can arise if the opponent plays
anything. The exact solution shows which of the player's possible moves are *blunders*: moves that
turn a won position into a lost one.

>>> from traffic_lights.board.baselines import Policy
>>> walk = prove(Policy(legal_actions))
>>> next(walk)
Walked(seat=0, ply=0, positions=1, blunders=0)
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from traffic_lights.board.baselines import Choices, Policy
from traffic_lights.board.positions import contains, finished, one_move_from_the_end
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    is_terminal,
    legal_actions,
)
from traffic_lights.board.symmetry import canonical, map_action, to_canonical
from traffic_lights.players.policies import shared_tablebase


@dataclass(frozen=True, slots=True)
class Walked:
    """How far the walk is: *seat* is examined in all positions up to *ply*."""

    seat: int
    ply: int
    positions: int
    """The canonical positions with the player in this seat to move, so far."""
    blunders: int
    """The possible moves in them that throw a win away; mirror images count once."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of the walk."""

    first: Walked
    """How the walk as Player 1 ended."""
    second: Walked
    counterexample: tuple[Action, ...] | None
    """The shortest game from the empty board that the player loses after a blunder."""

    @property
    def positions(self) -> int:
        """The positions of both seats."""
        return self.first.positions + self.second.positions

    @property
    def blunders(self) -> int:
        """The blunders of both seats."""
        return self.first.blunders + self.second.blunders

    @property
    def beaten_seat(self) -> int | None:
        """The seat of the player in the counterexample: the one that does not move last."""
        return None if self.counterexample is None else len(self.counterexample) % 2


def prove(strategy: Policy) -> Generator[Walked | Proof, None, None]:
    """Walk through all that *strategy* allows; yield the progress by ply, and last the Proof.

    About a second for a QBot of 60,000 rows, and at most two minutes. A strategy that
    tires is walked as it plays before. Closing the generator stops the walk.
    """
    ends: list[Walked] = []
    for seat in (0, 1):
        step = Walked(seat, 0, 0, 0)
        for step in _walk(strategy.actions, seat):
            yield step
        ends.append(step)
    games = [_shortest_loss(strategy.actions, end.seat) for end in ends if end.blunders]
    yield Proof(ends[0], ends[1], min(filter(None, games), key=len, default=None))


def _walk(choices: Choices, seat: int) -> Iterator[Walked]:
    """Walk for the player that follows *choices* in *seat*; yield the progress after each ply."""
    is_won = shared_tablebase().is_won
    layer = array("i", [EMPTY_BOARD])
    ply = positions = blunders = 0
    while layer:
        is_own_turn = ply % 2 == seat
        if is_own_turn:
            positions += len(layer)
            for state in filter(is_won, layer):
                after = {state + STEPS[action] for action in choices(state)}
                blunders += len(set(map(canonical, filter(is_won, after))))
        yield Walked(seat, ply, positions, blunders)
        layer = successors(layer, choices if is_own_turn else legal_actions)
        ply += 1


def successors(layer: Iterable[State], choices: Choices) -> array[int]:
    """Return the canonical live states to which *choices* lead from *layer*, ascending."""
    is_over = finished()
    played = {state + STEPS[action] for state in layer for action in choices(state)}
    live = {canonical(state) for state in played if not is_over[state >> 3] >> (state & 7) & 1}
    return array("i", sorted(live))


def _shortest_loss(choices: Choices, seat: int) -> tuple[Action, ...] | None:
    """Return the shortest game that the player in *seat* loses after a blunder.

    The search goes through layers of (canonical state, whether the player has slipped before),
    each with the moves of the first game that leads there, as the canonical boards have them.
    """
    is_over, is_won = finished(), shared_tablebase().is_won
    layer: dict[tuple[State, bool], tuple[Action, ...]] = {(EMPTY_BOARD, False): ()}
    is_own_turn = seat == 0
    while layer:
        following: dict[tuple[State, bool], tuple[Action, ...]] = {}
        for (state, has_blundered), moves in layer.items():
            if has_blundered and not is_own_turn and contains(one_move_from_the_end(), state):
                return _finished_game(moves)
            can_blunder = is_own_turn and not has_blundered and is_won(state)
            for action in choices(state) if is_own_turn else legal_actions(state):
                after = state + STEPS[action]
                if not is_over[after >> 3] >> (after & 7) & 1:
                    is_after_blunder = has_blundered or (can_blunder and is_won(after))
                    key = canonical(after), is_after_blunder
                    if key not in following:
                        following[key] = (*moves, action)
        layer, is_own_turn = following, not is_own_turn
    return None


def _finished_game(moves: Iterable[Action]) -> tuple[Action, ...]:
    """Return *moves* of canonical boards as those of one real board, and the move that wins."""
    board, real = EMPTY_BOARD, list[Action]()
    for action in moves:
        real.append(map_action(action, to_canonical(board)[1]))
        board += STEPS[real[-1]]
    real.append(next(a for a in legal_actions(board) if is_terminal(board + STEPS[a])))
    return tuple(real)
