"""A replay: what one game teaches a bot, move by move, from the last to the first.

The learner's own update rule learns from the game on a copy of the table, so what a replay shows is
what training with this game does. Afterwards the copy tells what the bot would play now.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Final

from traffic_lights.board.games import PlayedGame
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    format_cell,
    is_terminal,
    legal_actions,
    play,
)
from traffic_lights.board.symmetry import canonical, map_action, to_canonical
from traffic_lights.learning.afterstates import LOSS, UNTRIED, WIN, WON, AfterstateTable
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.update_rules import RESULT, UPDATE_RULES, Move, UpdateRule

UNTRIED_YET: Final = "unknown before"
UNSEEN: Final = "known before only from the position after it"
"""Why a bot has no value of a move. It plays by its values of moves, and never looks ahead."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """What a game taught about one of its moves."""

    number: int
    """How many moves came before it."""
    action: Action
    old: float
    """Its value before the replay, from -1 to 1 for the player who made it."""
    new: float
    """Its value after the replay; a proof if it is exactly -1 or 1."""
    target: float | None = None
    """What its estimate was moved towards; None if it was not moved."""
    target_name: str = ""
    """What the target is, such as "result of the game"; empty without one."""
    why_nothing: str = ""
    """Why it teaches nothing, in words that can follow a colon, unless it is moved or proven."""
    no_value: str = ""
    """Why the bot did not have its old value to play by; empty if it had."""
    kept: float | None = None
    """The estimate by which the bot still plays it, if it is proven to lose and has one."""
    ignores_loss: bool = False
    """Whether its player lost the game, which does not count for its target."""

    @property
    def is_proven(self) -> bool:
        """Whether the value is a proof now."""
        return abs(self.new) == 1

    @property
    def _estimate(self) -> float:
        return self.new if self.kept is None else self.kept

    def decimals(self, alpha: float) -> int:
        """Return how many decimals the formula needs so that it holds as it is written: 2 to 4."""
        assert self.target is not None
        for places in (2, 3):
            old, target, new = (round(n, places) for n in (self.old, self.target, self._estimate))
            # An estimate is never ±1, which is a proof.
            is_estimate = abs(old) < 1 and abs(new) < 1
            is_seen = old != target or self.old == self.target
            if is_estimate and is_seen and round(old + alpha * (target - old), places) == new:
                return places
        return 4

    def text(self, alpha: float) -> str:
        """Return the step in words and, with the learning rate *alpha*, as a formula.

        >>> ReplayStep(4, 0, 0.1, 0.28, 1.0).text(0.2)
        'Move 5, a1: 0.10 + 0.2 × (1.00 − 0.10) = 0.28.'
        >>> ReplayStep(4, 0, 0.026, 0.0236, 0.014).text(0.2)
        'Move 5, a1: 0.026 + 0.2 × (0.014 − 0.026) = 0.024.'
        >>> ReplayStep(4, 0, 0.987, 0.9884, 0.994).text(0.2)
        'Move 5, a1: 0.987 + 0.2 × (0.994 − 0.987) = 0.988.'
        >>> ReplayStep(4, 0, 0.0, 1.0).text(0.2)
        'Move 5, a1: 0.00 before, now proven to win.'
        >>> ReplayStep(4, 0, -1.0, -1.0, no_value=UNSEEN).text(0.2)
        'Move 5, a1: known before only from the position after it, now proven to lose.'
        """
        if self.kept is not None:
            estimate = (
                f" of {self.kept:.2f}." if self.target is None else f": {self._formula(alpha)}"
            )
            text = (
                "proven to lose. An opponent may not find the win, so the bot still plays by its "
                f"estimate{estimate}"
            )
        elif self.is_proven:
            before = "already" if self.old == self.new else f"{self.old:.2f} before, now"
            if self.no_value:
                before = f"{self.no_value}, now"
            result = "win" if self.new > 0 else "lose"
            text = f"{before} proven to {result}."
        elif self.target is not None:
            text = self._formula(alpha)
        else:
            text = (
                f"nothing changes: {self.why_nothing}." if self.why_nothing else "nothing changes."
            )
        return f"Move {self.number + 1}, {format_cell(self.action)}: {text}".replace("-", "−")

    def _formula(self, alpha: float) -> str:
        """Return how its estimate was moved, and what may surprise in that."""
        places = self.decimals(alpha)
        values = self.old, self.target, self._estimate
        old, target, new = (f"{value:.{places}f}" for value in values)
        difference = f"({target} − {old})".replace("− -", "+ ")
        text = f"{old} + {alpha:g} × {difference} = {new}."
        if self.no_value:
            text += f" The move was {self.no_value}."
        if self.ignores_loss and float(new) > float(old):
            text += (
                f" It rises because the {self.target_name} is {target}. That the game was lost "
                "does not count here."
            )
        return text


@dataclass(frozen=True, slots=True)
class GameReplay:
    """What a bot learns from one game."""

    actions: Sequence[Action]
    """The moves of the game."""
    seat: int
    """The seat of the bot, 0 or 1."""
    steps: Sequence[ReplayStep]
    """One for each move that teaches, the last one first."""
    before: QTable
    """The table of the bot, unchanged."""
    after: QTable
    """What the table is after the replay."""
    alpha: float
    """The learning rate by which it learned."""
    change: tuple[int, Action] | None = None
    """The number of the first of the bot's moves that it would not play any more, and what it would
    play now; None if it would play all of its moves again."""

    def state(self, number: int) -> State:
        """Return the position before move *number*."""
        return reduce(play, self.actions[:number], EMPTY_BOARD)


def replay(
    table: QTable,
    actions: Sequence[Action],
    seat: int,
    make_learner: Callable[[AfterstateTable], Learner],
) -> GameReplay:
    """Return what a bot with *table* in *seat* learns from a game, as the learner that is made.

    The *actions* begin on the empty board. As in training, a game ends for the learner when it is
    proven to win; moves after that teach nothing. The *table* does not change.
    """
    copy = AfterstateTable.of(table, _around(actions))
    learner = make_learner(copy)
    # A pruned table has only one of several moves that are as good. The copy knows the others too,
    # so it is compared with itself.
    choices = _choices(copy, actions)
    moves, result = _as_trained(copy, actions, seat)
    before = [_value(copy, move) for move in moves]
    missing = [_why_no_value(copy, move) for move in moves]
    moved: dict[Move, tuple[float, float]] = {}

    def note(move: Move, value: int, goal: float) -> None:
        moved[move] = value / WIN, goal / WIN

    learner.watch = note
    if moves:
        learner.learn(moves, (seat,), result)
    after = [_value(copy, move) for move in moves]
    known = UPDATE_RULES[learner.rule]
    steps: list[ReplayStep] = []
    for number, move in enumerate(moves):
        new = after[number]
        old, target = moved.get(move, (before[number], None))
        is_own = number % 2 == seat
        state, turned, _ = move
        estimate = copy.canonical_row(state).get(turned)
        target_name = _target_name(known, learner.gamma, is_last=number >= len(moves) - 2)
        has_lost = ((len(moves) - 1 - number) % 2 == 0) == (result == LOSS)
        step = ReplayStep(
            number,
            actions[number],
            old,
            new,
            target,
            target_name=target_name,
            why_nothing=known.why_not_learned if is_own else known.why_not_own,
            no_value=missing[number],
            kept=estimate if is_own and new == -1 and estimate != -1 else None,
            ignores_loss=has_lost and RESULT not in target_name,
        )
        steps.append(step)
    later = _choices(copy, actions)
    not_again = (
        (number, later[number][0])
        for number in range(seat, len(actions), 2)
        if actions[number] in choices[number] and actions[number] not in later[number]
    )
    change = next(not_again, None)
    return GameReplay(actions, seat, steps[::-1], table, copy, learner.alpha, change)


def _choices(table: QTable, actions: Sequence[Action]) -> list[tuple[Action, ...]]:
    """Return what a bot with *table* may play in the place of each of *actions*."""
    bot = TableBot(table, Random(0))
    return [bot.choices(state) for state in PlayedGame(tuple(actions)).states()]


def _target_name(rule: UpdateRule, gamma: float, *, is_last: bool) -> str:
    """Return what a move is moved towards, perhaps the last move of its player in the game."""
    if is_last:
        return RESULT
    has_discount = gamma < 1 and rule.uses_gamma
    return f"discounted {rule.target_name}" if has_discount else rule.target_name


def _around(actions: Sequence[Action]) -> set[State]:
    """Return the positions whose rows the replay of a game reads, changes or shows.

    They are those of the positions up to two moves later, and of all with a move into one that a
    move from the game leads to, because these share its value. Copying a complete table would take
    minutes.
    """
    near: set[State] = set()
    state = EMPTY_BOARD
    for action in (*actions, None):
        found = {state}
        for _ in range(3):
            near.update(map(canonical, found))
            found = {s + STEPS[a] for s in found if not is_terminal(s) for a in legal_actions(s)}
        afters = () if is_terminal(state) else [play(state, a) for a in legal_actions(state)]
        for after in afters:
            near.update(canonical(after - step) for step in STEPS if after & 3 * step)
        if action is not None:
            state += STEPS[action]
    return near


def _as_trained(
    table: AfterstateTable, actions: Sequence[Action], seat: int
) -> tuple[list[Move], int]:
    """Return the moves of a learner in *seat* and the result, as `Learner.play_game` has them."""
    state = EMPTY_BOARD
    moves = list[Move]()
    for number, action in enumerate(actions):
        image, mirror = to_canonical(state)
        is_own = number % 2 == seat
        proven = table.proven_result(image)
        if proven == (1 if is_own else -1):
            return moves, WIN if proven < 0 else LOSS
        turned = map_action(action, mirror)
        moves.append((image, turned, image + STEPS[turned]))
        state += STEPS[action]
    return moves, WIN if is_terminal(state) else LOSS


def _why_no_value(table: AfterstateTable, move: Move) -> str:
    """Return why a bot with *table* has no value of *move*; empty if it has one."""
    state, action, after = move
    if action in table.canonical_row(state):
        return ""
    return UNSEEN if table.status[after] != UNTRIED else UNTRIED_YET


def _value(table: AfterstateTable, move: Move) -> float:
    """Return the value of *move*: a proof if there is one, otherwise its estimate."""
    state, _, after = move
    # Where every move is proven to lose, the estimate says how often this one still wins.
    if table.status[after] == WON and table.proven_result(state) >= 0:
        return -1.0
    return table.values[after] / WIN
