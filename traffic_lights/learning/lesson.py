"""A lesson: what one game teaches a bot, move by move, from the last to the first.

The learner's own update rule learns from the game on a copy of the table, and this module notes
what it does on the way. So what is shown is what training does with the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    Action,
    format_cell,
    is_terminal,
    legal_actions,
)
from traffic_lights.board.symmetry import map_action, to_canonical
from traffic_lights.learning.afterstates import (
    OFFSET,
    PROVEN_LOSS,
    PROVEN_WIN,
    AfterstateTable,
    estimate_in,
)
from traffic_lights.learning.episodes import Learner
from traffic_lights.learning.qtable import LOST, EpsilonSchedule, QTable
from traffic_lights.learning.update_rules import Move, TrainingGames


@dataclass(frozen=True, slots=True)
class LessonStep:
    """What a game taught about one of its moves."""

    number: int
    """How many moves came before it."""
    action: Action
    old: float
    """Its value before the lesson, from -1 to 1 for the player who made it."""
    new: float
    """Its value after the lesson; a proof if it is exactly -1 or 1."""
    target: float | None = None
    """What its estimate was moved towards; None if it was not moved."""

    def text(self, alpha: float) -> str:
        """Return the step in words and, with the learning rate *alpha*, as a formula.

        >>> LessonStep(4, 0, 0.1, 0.28, 1.0).text(0.2)
        'Move 5, a1: 0.10 + 0.2 × (1.00 − 0.10) = 0.28.'
        """
        if abs(self.new) == 1:
            before = "already" if self.old == self.new else f"{self.old:.2f} before, now"
            text = f"{before} proven to {'win' if self.new > 0 else 'lose'}."
        elif self.target is not None:
            old, target, new = (f"{value:.2f}" for value in (self.old, self.target, self.new))
            difference = f"({target} − {old})".replace("− -", "+ ")
            text = f"{old} + {alpha:g} × {difference} = {new}."
        else:
            text = "nothing changes."
        return f"Move {self.number + 1}, {format_cell(self.action)}: {text}".replace("-", "−")


def lesson(
    table: QTable, actions: Sequence[Action], seat: int, rule: str, alpha: float, gamma: float
) -> list[LessonStep]:
    """Return what a bot with *table* in *seat* learns from a game, the last move first.

    The *actions* begin on the empty board. As in training, a game ends for the learner when it is
    proven to win; moves after that teach nothing. The *table* does not change.
    """
    copy = AfterstateTable.of(table)
    moves, result = _as_trained(copy, actions, seat)
    before = [_value(copy, move) for move in moves]
    targets: dict[Move, tuple[int, float]] = {}
    games = TrainingGames(Learner(copy, alpha), rule, gamma, EpsilonSchedule(0.0, 0.0, 1.0), None)
    games.watch = lambda move, value, goal: targets.update({move: (value, goal)})
    if moves:
        games.learn(moves, range(seat, len(moves), 2), result)
    steps = []
    for number, (move, old) in enumerate(zip(moves, before, strict=True)):
        new, target = _value(copy, move), None
        if move in targets:
            old, target = (part / PROVEN_WIN for part in targets[move])
        steps.append(LessonStep(number, actions[number], old, new, target))
    return steps[::-1]


def _as_trained(
    table: AfterstateTable, actions: Sequence[Action], seat: int
) -> tuple[list[Move], int]:
    """Return the moves of a learner in *seat* and the result, as `TrainingGames.play` has them."""
    state, moves = EMPTY_BOARD, list[Move]()
    for number, action in enumerate(actions):
        image, mirror = to_canonical(state)
        table.mark_illegal(image)
        is_own, row = number % 2 == seat, table.proofs[image]
        if row >= LOST and (row > LOST) == is_own:
            return moves, PROVEN_WIN if row == LOST else PROVEN_LOSS
        values = [table.after_values[image + STEPS[a]] for a in legal_actions(image)]
        best = max(v if v <= PROVEN_WIN else v - OFFSET for v in values)
        turned = map_action(action, mirror)
        moves.append((image, turned, image + STEPS[turned], best if is_own else 0))
        state += STEPS[action]
    return moves, PROVEN_WIN if is_terminal(state) else PROVEN_LOSS


def _value(table: AfterstateTable, move: Move) -> float:
    """Return the value of *move*: a proof if there is one, otherwise its estimate."""
    state, _, after, _ = move
    value = table.after_values[after]
    if table.proofs[state] != LOST and value > PROVEN_WIN:
        return -1.0
    return (value if abs(value) == PROVEN_WIN else estimate_in(value)) / PROVEN_WIN
