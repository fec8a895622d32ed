"""Games from the empty board that teach a table proofs and estimates, when they end.

The learner plays a baseline bot, first in even games, or both sides. It plays
an action of the highest value, one that was never tried counting as 0, or with
chance ε any that is not a proven loss. A game stops where its result is known:
a line is complete, or the learner has a proven win. Against a bot it goes on
where the learner is lost, because the bot may not find the win: so an estimate
outlives the proof of a loss, and the learner does not leave the opening that
wins most for one it never tried. Against itself a decided position ends it.

*Proofs* then go back through the game, over the actions of both players: one
that leads to a position proven lost for the opponent is exactly +1, one that
leads to a position proven won for it is exactly -1. A position with an action
+1 is won, one with nothing but -1 is lost, its player *concedes*, and the
action before it is proven in turn. *Estimates* are what the learner's other
actions get, by one of the RULES:

    terminal      towards max Q(s', ·) as it was met, s' its next own decision
                  (Sutton & Barto, 2nd ed., §6.5), or +1 where that is won by now
    last-action   only the last action of a game, towards ±1
    bootstrap     towards γ max Q(s', ·), from the first to the last
    monte-carlo   towards γ^k z, z the result of the game, k own moves later (§5.4)

The last three prove nothing, and so compare what estimates alone are worth.
An action never tried counts 0, so a loss goes further back only from positions
of which all actions were tried: what is not yet known to be bad is tried first.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from traffic_lights.board.policy import Policy
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
from traffic_lights.learning.episodes import (
    FINISHED,
    TURNS,
    Batch,
    Learner,
    least_visited_action,
)
from traffic_lights.learning.qtable import CONCEDED, WINS_SHIFT, EpsilonSchedule, SparseRows
from traffic_lights.learning.shared import DOUBTED, PROVEN, REFUTED, SharedTable, hope_of

_STEPS_OF: Final = tuple(tuple(STEPS[action] for action in actions) for actions in ACTIONS_OF)
"""What the moves in a mask of actions add to the state."""
Move: TypeAlias = tuple[State, Action, State]
"""A canonical state, the action played in it, and the state right after, not turned."""


class Lessons:
    """A learner at its games against one *policy*, or against itself if that is None."""

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
        assert isinstance(learner.table, SharedTable)
        self._learner, self._table = learner, learner.table
        self._schedule, self._gamma = schedule, gamma
        self._policy = policy
        self._least_visited = least_visited
        self._learn = RULES[rule]
        self._batch = Batch()
        self._values: list[float] = []

    def play(self, game_numbers: Sequence[int], epsilon: float, rng: random.Random) -> Batch:
        """Play one game for each number.

        Equal to the slow words of the tests; games go on canonical boards.
        """
        self._values = []
        self._batch = batch = Batch(epsilon=epsilon, values=self._values)
        table, learner, learn = self._table, self._learner, self._learn
        signs, worths, mirrors, meet = table.signs, table.worths, learner.mirrors, learner.meet
        choose_among, steps, steps_of, draw = ACTIONS_OF, STEPS, _STEPS_OF, rng.random
        policy, plays_itself, left = self._policy, self._policy is None, 0
        # Who chooses among all legal actions is tired from the start, and needs no memory.
        is_tired = policy is None or policy.actions is legal_actions
        fewest, most = (0, 0) if policy is None or is_tired else policy.lasts
        choices = learner.choices(policy) if policy is not None and most else SparseRows()
        visits: dict[State, int] | None = {} if self._least_visited else None
        floor, after = self._schedule.end, self._schedule.after
        # The one position that no move leads to, so `meet` never marks it.
        learner.mark_illegal(EMPTY_BOARD)
        for number in game_numbers:
            # By the number of the game, not by who began the last one: so it is the same after a
            # resume.
            is_learners_turn = plays_itself or number % 2 == 0
            row = signs[EMPTY_BOARD]
            # Above: a proven win of the first player, which only a stranger's table can have.
            if is_learners_turn and (row > CONCEDED or (plays_itself and row == CONCEDED)):
                batch.games += 1
                continue
            # Drawn only where there is a range: against a bot that never tires, the source is left
            # to the moves.
            left = fewest if fewest == most else fewest + int(draw() * (most - fewest + 1))
            state, moves, bests = EMPTY_BOARD, [], []
            while True:
                if is_learners_turn:
                    legal = ALL_CELLS ^ red_cells(state)
                    # What is not a proven loss, or anything if all is lost.
                    open_actions = row ^ CONCEDED or legal
                    if plays_itself:
                        legal = open_actions
                    values = [worths[state + step] for step in steps_of[legal]]
                    best = max(values)
                    if best > PROVEN:
                        values = [v if v <= PROVEN else v - DOUBTED for v in values]
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
                    actions = choose_among[choices[state] or learner.meet_choices(policy, state)]
                else:
                    actions = choose_among[ALL_CELLS ^ red_cells(state)]
                ways = len(actions)
                action = actions[int(draw() * ways)] if ways > 1 else actions[0]
                played = state + steps[action]
                moves.append((state, action, played))
                mirror = mirrors[played] or meet(played)
                if mirror == FINISHED:
                    break
                turn = TURNS[mirror]
                state = turn[0][played >> 12] | turn[1][played & 4095]
                row = signs[state]
                if row >= CONCEDED and (plays_itself or (row == CONCEDED) == is_learners_turn):
                    break
                if visits is not None:
                    visits[state] = visits.get(state, 0) + 1
                is_learners_turn = plays_itself or not is_learners_turn
            has_won_last = mirror == FINISHED or signs[state] == CONCEDED
            own = 3 if plays_itself else 1 if number % 2 == 0 else 2
            learn(self, moves, bests, own, PROVEN if has_won_last else REFUTED)
            batch.games += 1
            if epsilon > floor:
                epsilon = after(epsilon)
        batch.epsilon = epsilon
        return batch

    def _prove_and_estimate(
        self, moves: list[Move], bests: list[int], own: int, result: int
    ) -> None:
        """Learn by the rule terminal from the *moves* of a game; its last mover got *result*.

        *bests* are the highest values, in steps, that the learner had at its own
        moves; *own* has bit 0 for the learner as first player and bit 1 as second.
        """
        table, alpha, keep = self._table, self._learner.alpha, self._keep_row
        worths, acted, signs = table.worths, table.acted, table.signs
        deltas, values = self._batch.deltas, self._values
        last = moves[-1]
        # Tables of other rules have estimates of finished positions too.
        if result == PROVEN and worths[last[2]] != PROVEN:
            table.mark(last[2], PROVEN)
            self._record(table.settle(table.before(last[2])))
            self._note_win(last)
        goal, others_goal = result, -result
        is_own, alternates = bool(own >> (len(moves) - 1 & 1) & 1), own != 3
        for state, action, after in reversed(moves):
            worth = worths[after]
            if worth == PROVEN or (worth == REFUTED and not (is_own and signs[state] == CONCEDED)):
                if not acted[state]:
                    keep(state)
            elif is_own:
                if not REFUTED < worth < PROVEN:
                    worth = hope_of(worth)
                moved = round(worth + alpha * (goal - worth))
                # Most that is worth nothing stays so, and need not be written down again.
                if moved != worth or not worth or not acted[state]:
                    worth = table.estimate(after, moved)
                    if not acted[state]:
                        keep(state)
                    deltas.append(state << 5 | action << 1 | (worth > 0))
                    values.append(worth / PROVEN)
            if is_own:
                goal, row = bests.pop(), signs[state]
                if row > CONCEDED:
                    goal = PROVEN
                elif row == CONCEDED and not alternates:
                    goal = REFUTED
            goal, others_goal = others_goal, goal
            is_own ^= alternates

    def _note_win(self, move: Move) -> None:
        """Note that *move* wins, in a row that another action has decided.

        Nothing else would say so to who goes on from the rows alone.
        """
        state, action, _ = move
        row, win = self._table.signs[state], 1 << action + WINS_SHIFT
        if row >= CONCEDED and not row & win:
            self._table.signs[state] = row | win
            self._batch.deltas.append(state << 5 | action << 1 | 1)
            self._values.append(1.0)

    def _estimate_last(self, moves: list[Move], _: list[int], own: int, result: int) -> None:
        """Learn by the rule last-action."""
        for index, goal in ((len(moves) - 1, result), (len(moves) - 2, -result)):
            if index >= 0 and own >> (index & 1) & 1:
                self._move(moves[index], goal)

    def _bootstrap(self, moves: list[Move], bests: list[int], own: int, result: int) -> None:
        """Learn by the rule bootstrap, in the order of the game."""
        mine = [move for index, move in enumerate(moves) if own >> (index & 1) & 1]
        # After the last own moves no decision follows, but the result for who made them.
        ends = [-result, result] if own == 3 else [result if mine[-1] is moves[-1] else -result]
        # Forwards: a goal is what was believed of the next decision before this game.
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
        worth = self._table.worths[after]
        # A table that goes on from proofs keeps them: no estimate is written over one.
        if REFUTED < worth < PROVEN:
            steps = self._table.estimate(after, round(worth + self._learner.alpha * (goal - worth)))
            if not self._table.acted[state]:
                self._keep_row(state)
            self._batch.deltas.append(state << 5 | action << 1 | (steps > 0))
            self._values.append(steps / PROVEN)

    def _keep_row(self, state: State) -> None:
        """Give *state* a row, with what the positions after it prove."""
        self._table.keep_row(state)
        self._record(self._table.settle([state]))

    def _record(self, proven: Sequence[tuple[State, int, int]]) -> None:
        """Note what was *proven*."""
        if not proven:
            return
        deltas, values, signs = self._batch.deltas, self._values, self._table.signs
        for state, action, sign in proven:
            deltas.append(state << 5 | action << 1 | (sign > 0))
            values.append(float(sign))
        # Once each: several actions of a position may be proven at a time.
        for state in {state for state, _, _ in proven}:
            if signs[state] >= CONCEDED:
                self._learner.decided_by_ply[ply(state)] += 1


RULES: Final[dict[str, Callable[[Lessons, list[Move], list[int], int, int], None]]] = {
    "terminal": Lessons._prove_and_estimate,
    "last-action": Lessons._estimate_last,
    "bootstrap": Lessons._bootstrap,
    "monte-carlo": Lessons._average,
}
"""How each update rule learns from a game."""
