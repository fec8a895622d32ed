"""Judge a player over every line of play that it allows.

`prove` finds the player's *blunders*: possible moves that turn a won position into a lost one. The
walk goes ply by ply through every canonical position that can arise if the opponent plays anything.

>>> from traffic_lights.board.baselines import RANDOM
>>> next(prove(RANDOM))
Walked(seat=0, ply=0, positions=1, blunders=0)
"""

from array import array
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from traffic_lights.board.baselines import Choices, Policy, winning_actions
from traffic_lights.board.positions import contains, finished, one_move_from_the_end
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    format_cell,
    legal_actions,
)
from traffic_lights.board.symmetry import canonical, map_action, to_canonical
from traffic_lights.board.tablebase import moves_of_winner, shared_tablebase
from traffic_lights.storage.words import counted


def _successors(layer: Iterable[State], choices: Choices) -> Sequence[State]:
    """Return the canonical live states to which *choices* lead from *layer*, ascending."""
    is_over = finished()
    played = {state + STEPS[action] for state in layer for action in choices(state)}
    live = {canonical(state) for state in played if not is_over[state >> 3] >> (state & 7) & 1}
    return array("i", sorted(live))


@dataclass(frozen=True, slots=True)
class Walked:
    """How far the walk is: *seat* is examined in all positions up to *ply*."""

    seat: int
    ply: int
    positions: int
    """So far, canonical and with the player to move."""
    blunders: int
    """The possible moves in them that throw a win away; mirror images count once."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How the walks as Player 1 and Player 2 ended."""

    first: Walked
    second: Walked
    counterexample: tuple[Action, ...] | None
    """The shortest game from the empty board that the player loses after a blunder."""

    @property
    def positions(self) -> int:
        """How many positions the player can meet, in both seats."""
        return self.first.positions + self.second.positions

    @property
    def blunders(self) -> int:
        """How many possible moves throw a win away, in both seats."""
        return self.first.blunders + self.second.blunders

    def as_json(self) -> dict[str, Any]:
        """Return the proof as a JSON object."""
        first = self.first
        second = self.second
        return {
            "positions": self.positions,
            "blunders": self.blunders,
            "first": {"positions": first.positions, "blunders": first.blunders},
            "second": {"positions": second.positions, "blunders": second.blunders},
            "counterexample": self.counterexample,
        }

    def text(self, name: str) -> str:
        """Return the proof in sentences, a line each; *name* is that of the player."""
        lines = []
        for number, seat in ((1, self.first), (2, self.second)):
            positions = counted(seat.positions, "position")
            blunders = "never blunders"
            if seat.blunders:
                blunders = f"can blunder with {counted(seat.blunders, 'move')}"
            lines.append(f"As Player {number} {name} can meet {positions}, and {blunders}.")
        if self.blunders > self.positions:
            lines.append(
                "It often chooses at random among several moves, and each blunder among them "
                "counts."
            )
        if not self.second.blunders:
            lines.append("No player can beat it as Player 2.")
        if self.counterexample is not None:
            moves = " ".join(map(format_cell, self.counterexample))
            beaten = f"as Player {len(self.counterexample) % 2 + 1}"
            lines.append(f"The shortest game that beats it after a blunder, {beaten}: {moves}.")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Loss:
    """The shortest game that a player loses after a blunder."""

    moves: tuple[Action, ...] | None
    """From the empty board; None if the player never blunders."""

    @property
    def seat(self) -> int:
        """The seat of the player, 0 or 1: the one that does not move last."""
        return len(self.moves or ()) % 2

    def text(self, name: str) -> str:
        """Return what was found in a sentence; *name* is that of the player."""
        if self.moves is None:
            return (
                f"{name} never blunders. No player can beat it as Player 2. As Player 1, it loses "
                "only to players that never blunder either."
            )
        moves = " ".join(map(format_cell, self.moves))
        count = counted(moves_of_winner(len(self.moves)), "move")
        return f"Found: as Player {self.seat + 1}, {name} loses in {count}: {moves}"


def find_loss(strategy: Policy) -> Loss:
    """Return the shortest game that *strategy* loses after a blunder: that of its Proof.

    Much faster than `prove`, because the search ends at the first game that it finds in a seat.
    Less than a second for most players, and about ten for a perfect one that has many choices.
    """
    games = [_shortest_loss(strategy.actions, seat) for seat in (0, 1)]
    return Loss(min(filter(None, games), key=len, default=None))


def prove(strategy: Policy) -> Generator[Walked | Proof, None, None]:
    """Walk through all that *strategy* allows; yield the progress by ply, and last the Proof.

    About a second for a QBot of 60,000 rows, and at most two minutes. A strategy that
    tires is walked as it plays before. Closing the generator stops the walk.
    """
    actions = strategy.actions
    first = yield from _walk(actions, 0)
    second = yield from _walk(actions, 1)
    games = [_shortest_loss(actions, end.seat) for end in (first, second) if end.blunders]
    yield Proof(first, second, min(filter(None, games), key=len, default=None))


def _walk(choices: Choices, seat: int) -> Generator[Walked, None, Walked]:
    is_won = shared_tablebase().is_won
    layer: Sequence[State] = [EMPTY_BOARD]
    walked = Walked(seat, -1, 0, 0)
    while layer:
        number = walked.ply + 1
        positions = walked.positions
        blunders = walked.blunders
        is_own_turn = number % 2 == seat
        if is_own_turn:
            positions += len(layer)
            for state in filter(is_won, layer):
                after = {state + STEPS[action] for action in choices(state)}
                blunders += len(set(map(canonical, filter(is_won, after))))
        walked = Walked(seat, number, positions, blunders)
        yield walked
        layer = _successors(layer, choices if is_own_turn else legal_actions)
    return walked


def _shortest_loss(choices: Choices, seat: int) -> tuple[Action, ...] | None:
    """Return the shortest game that the player in *seat* loses after a blunder.

    The search goes through layers of (canonical state, whether the player has blundered before),
    each with the moves of the first game that leads there, as the canonical boards have them.
    """
    is_over = finished()
    is_won = shared_tablebase().is_won
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
                    key = canonical(after), has_blundered or (can_blunder and is_won(after))
                    if key not in following:
                        following[key] = (*moves, action)
        layer = following
        is_own_turn = not is_own_turn
    return None


def _finished_game(moves: Iterable[Action]) -> tuple[Action, ...]:
    """Return *moves* of canonical boards as those of one real board, and the move that wins."""
    board = EMPTY_BOARD
    real = list[Action]()
    for action in moves:
        _, mirror = to_canonical(board)
        played = map_action(action, mirror)
        real.append(played)
        board += STEPS[played]
    real.append(winning_actions(board)[0])
    return tuple(real)
