"""Play training games from the empty board and learn from each when it ends.

The page of this folder explains how proofs travel back through a game, and the update rules. A game
ends with a line or a proven win of the learner. Against a bot it continues from a proven loss of
the learner, because the bot may not find the win; against itself a proven position ends it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from traffic_lights.board.baselines import Policy
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    legal_actions,
    ply,
    red_cells,
)
from traffic_lights.learning.afterstates import (
    OFFSET,
    PROVEN_LOSS,
    PROVEN_WIN,
    AfterstateTable,
    estimate_in,
)
from traffic_lights.learning.episodes import (
    FINISHED,
    TURN_HIGH,
    TURN_LOW,
    Batch,
    Learner,
    least_visited_action,
)
from traffic_lights.learning.qtable import LOST, WINS_SHIFT, EpsilonSchedule, SparseRows

_STEPS_OF: Final = tuple(tuple(STEPS[action] for action in actions) for actions in ACTIONS_OF)
"""For each mask of actions, what they add to the state."""
Move: TypeAlias = tuple[State, Action, State]
"""A canonical state, the action played in it, and the state right after, as it came."""


class TrainingGames:
    """The games of a learner against one *policy*, or against itself if that is None."""

    def __init__(
        self,
        learner: Learner,
        rule: str,
        gamma: float,
        schedule: EpsilonSchedule,
        policy: Policy | None,
        *,
        least_visited: bool = False,
    ) -> None:
        """Use *rule*, one of RULES, with the discount *gamma* where it has one."""
        assert isinstance(learner.table, AfterstateTable)
        self._learner, self._table = learner, learner.table
        self._schedule, self._gamma = schedule, gamma
        self._policy = policy
        self._least_visited = least_visited
        self._learn = RULES[rule]
        self.watch: Callable[[Move, int, float], object] | None = None
        """Called with a move, its value and the target before the value is moved; for lessons."""
        self._batch = Batch()
        self._values: list[float] = []

    def play(self, game_numbers: Sequence[int], epsilon: float, rng: random.Random) -> Batch:
        """Play one game for each number, on canonical boards.

        The reference implementation in tests/kit/slow_learner.py gives the same result.
        """
        self._values = []
        self._batch = batch = Batch(epsilon=epsilon, values=self._values)
        table, learner, learn = self._table, self._learner, self._learn
        proofs, after_values = table.proofs, table.after_values
        mirrors, register = learner.mirrors, learner.register
        choose_among, steps, steps_of, draw = ACTIONS_OF, STEPS, _STEPS_OF, rng.random
        turn_high, turn_low = TURN_HIGH, TURN_LOW
        policy, plays_itself, left = self._policy, self._policy is None, 0
        # A policy that allows every legal action behaves like the random phase from the start.
        is_tired = policy is None or policy.actions is legal_actions
        fewest, most = (0, 0) if policy is None or is_tired else policy.lasts
        choices = learner.choices(policy) if policy is not None and most else SparseRows()
        visits: dict[State, int] | None = {} if self._least_visited else None
        floor, after = self._schedule.end, self._schedule.after
        # No move leads to this position, so `register` never sees it.
        table.mark_illegal(EMPTY_BOARD)
        for number in game_numbers:
            # The number of the game decides who begins, so a resumed run continues alike.
            is_learners_turn = plays_itself or number % 2 == 0
            row = proofs[EMPTY_BOARD]
            # A greater row would be a proven win of the first player. The game is lost for them, so
            # only a faulty imported table can say so.
            if is_learners_turn and (row > LOST or (plays_itself and row == LOST)):
                batch.games += 1
                continue
            # Draw only for a policy with a random phase, so that others use the source for moves.
            left = fewest if fewest == most else fewest + int(draw() * (most - fewest + 1))
            state, moves, bests = EMPTY_BOARD, [], []
            while True:
                if is_learners_turn:
                    legal = ALL_CELLS ^ red_cells(state)
                    # These are not proven losses; in a lost position every legal action counts.
                    open_actions = row ^ LOST or legal
                    if plays_itself:
                        legal = open_actions
                    values = [after_values[state + step] for step in steps_of[legal]]
                    best = max(values)
                    if best > PROVEN_WIN:
                        values = [v if v <= PROVEN_WIN else v - OFFSET for v in values]
                        best = max(values)
                    bests.append(best)
                    actions = choose_among[legal]
                    if epsilon and draw() < epsilon:
                        actions = choose_among[open_actions]
                        if visits is not None:
                            actions = (least_visited_action(state, actions, visits, rng),)
                    elif (ties := values.count(best)) == 1:
                        actions = (actions[values.index(best)],)
                    elif ties < len(actions):
                        actions = tuple([actions[i] for i, v in enumerate(values) if v == best])
                elif left > 0 and policy is not None:
                    left -= 1
                    actions = choose_among[
                        choices[state] or learner.register_choices(policy, state)
                    ]
                else:
                    actions = choose_among[ALL_CELLS ^ red_cells(state)]
                ways = len(actions)
                action = actions[int(draw() * ways)] if ways > 1 else actions[0]
                played = state + steps[action]
                moves.append((state, action, played))
                mirror = mirrors[played] or register(played)
                if mirror == FINISHED:
                    break
                state = turn_high[mirror][played >> 12] | turn_low[mirror][played & 4095]
                row = proofs[state]
                if row >= LOST and (plays_itself or (row == LOST) == is_learners_turn):
                    break
                if visits is not None:
                    visits[state] = visits.get(state, 0) + 1
                is_learners_turn = plays_itself or not is_learners_turn
            has_won_last = mirror == FINISHED or proofs[state] == LOST
            own = 3 if plays_itself else 1 if number % 2 == 0 else 2
            learn(self, moves, bests, own, PROVEN_WIN if has_won_last else PROVEN_LOSS)
            batch.games += 1
            if epsilon > floor:
                epsilon = after(epsilon)
        batch.epsilon = epsilon
        return batch

    def _prove_and_estimate(
        self, moves: list[Move], bests: list[int], own: int, result: int
    ) -> None:
        """Learn by the rule terminal from the *moves* of a game.

        *result* is that of the player who moved last, *bests* are the highest values that the
        learner had at its own moves. Bit 0 of *own* is set if it was the first player, and bit 1
        if it was the second.
        """
        table, alpha, keep = self._table, self._learner.alpha, self._ensure_row
        watch = self.watch
        after_values, visited, proofs = table.after_values, table.visited, table.proofs
        deltas, values = self._batch.deltas, self._values
        state, action, end = moves[-1]
        # Tables that other rules trained have estimates of terminal positions too.
        if result == PROVEN_WIN and after_values[end] != PROVEN_WIN:
            table.mark_proven(end, PROVEN_WIN)
            self._record(table.propagate(table.before(end)))
            # If another action has decided this row already, propagating adds nothing to it. Note
            # the win here, because a run that continues from the stored rows could not know it.
            row, win = proofs[state], 1 << action + WINS_SHIFT
            if row >= LOST and not row & win:
                proofs[state] = row | win
                deltas.append(state << 5 | action << 1 | 1)
                values.append(1.0)
        goal, others_goal = result, -result
        is_own, alternates = bool(own >> (len(moves) - 1 & 1) & 1), own != 3
        for state, action, after in reversed(moves):
            value = after_values[after]
            if value == PROVEN_WIN or (
                value == PROVEN_LOSS and not (is_own and proofs[state] == LOST)
            ):
                if not visited[state]:
                    keep(state)
            elif is_own:
                if not PROVEN_LOSS < value < PROVEN_WIN:
                    value = estimate_in(value)
                if watch is not None:
                    watch((state, action, after), value, goal)
                moved = round(value + alpha * (goal - value))
                # Most values of 0 stay 0 and need not be written again.
                if moved != value or not value or not visited[state]:
                    value = table.estimate(after, moved)
                    if not visited[state]:
                        keep(state)
                    deltas.append(state << 5 | action << 1 | (value > 0))
                    values.append(value / PROVEN_WIN)
            if is_own:
                goal, row = bests.pop(), proofs[state]
                if row > LOST:
                    goal = PROVEN_WIN
                elif row == LOST and not alternates:
                    goal = PROVEN_LOSS
            goal, others_goal = others_goal, goal
            is_own ^= alternates

    def _estimate_last(self, moves: list[Move], _: list[int], own: int, result: int) -> None:
        """Learn by the rule last-action."""
        for index, goal in ((len(moves) - 1, result), (len(moves) - 2, -result)):
            if index >= 0 and own >> (index & 1) & 1:
                self._move(moves[index], goal)

    def _bootstrap(self, moves: list[Move], bests: list[int], own: int, result: int) -> None:
        """Learn by the rule bootstrap, in the order of the game."""
        mine = [move for index, move in enumerate(moves) if own >> (index & 1) & 1]
        # The last own move of each side is followed by the result, not by another decision.
        ends = [-result, result] if own == 3 else [result if mine[-1] is moves[-1] else -result]
        # Going in the order of the game, each target is the value that the next turn had before it.
        goals = [self._gamma * best for best in bests[len(ends) :]] + ends[-len(mine) :]
        for move, goal in zip(mine, goals, strict=True):
            self._move(move, goal)

    def _average(self, moves: list[Move], _: list[int], own: int, result: int) -> None:
        """Learn by the rule monte-carlo."""
        goals = [float(result), float(-result)]
        for index in range(len(moves) - 1, -1, -1):
            if own >> (index & 1) & 1:
                back = (len(moves) - 1 - index) & 1
                self._move(moves[index], goals[back])
                goals[back] *= self._gamma

    def _move(self, move: Move, goal: float) -> None:
        """Move the estimate of *move* by α towards *goal*, in steps, if nothing proves it."""
        state, action, after = move
        value = self._table.after_values[after]
        # A proof is never replaced by an estimate.
        if PROVEN_LOSS < value < PROVEN_WIN:
            if self.watch is not None:
                self.watch(move, value, goal)
            steps = self._table.estimate(after, round(value + self._learner.alpha * (goal - value)))
            if not self._table.visited[state]:
                self._ensure_row(state)
            self._batch.deltas.append(state << 5 | action << 1 | (steps > 0))
            self._values.append(steps / PROVEN_WIN)

    def _ensure_row(self, state: State) -> None:
        """Give *state* a row, with what the positions after it prove."""
        self._table.ensure_row(state)
        self._record(self._table.propagate([state]))

    def _record(self, proven: Sequence[tuple[State, int, int]]) -> None:
        """Note what was *proven*."""
        if not proven:
            return
        deltas, values, proofs = self._batch.deltas, self._values, self._table.proofs
        for state, action, sign in proven:
            deltas.append(state << 5 | action << 1 | (sign > 0))
            values.append(float(sign))
        # Several actions may be proven at a time, but the position is decided once.
        for state in {state for state, _, _ in proven}:
            if proofs[state] >= LOST:
                self._learner.decided_by_ply[ply(state)] += 1


RULES: Final[dict[str, Callable[[TrainingGames, list[Move], list[int], int, int], None]]] = {
    "terminal": TrainingGames._prove_and_estimate,
    "last-action": TrainingGames._estimate_last,
    "bootstrap": TrainingGames._bootstrap,
    "monte-carlo": TrainingGames._average,
}
"""How each update rule learns from a game."""
