"""The learner: it plays training games from the empty board, and learns from each when it ends.

One game against a bot, by the rule ``terminal``, from the empty board and with no moves yet::

    while not (is_terminal(state) or learner_has_proven_win(state)):
        if mover(state) != learner:
            action = bot.choose(state)
        elif random() < epsilon:
            action = any_of(actions of state that are not proven losses)
        else:
            action = any_of(actions of state with the highest Q)
        moves.append((state, action))
        state = play(state, action)
    target = 1 if the learner has won else -1
    for state, action in reversed(moves):
        prove what now follows of this action, and of all that lead here
        if mover(state) == learner:
            Q[state, action] += alpha * (target - Q[state, action])  # if it is not proven
            target = max(Q[state, a] for a in legal_actions(state))

The page of this folder explains this, the proofs and the other update rules. Against a bot a game
continues from a proven loss of the learner, because the bot may not find the win. Against itself
the learner moves for both players, and a proven position ends the game.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from traffic_lights.board.baselines import RANDOM, Policy
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    EMPTY_BOARD,
    LONGEST_GAME,
    STEPS,
    Action,
    State,
    by_mask,
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
    EpsilonSchedule,
    Learner,
    least_visited_action,
)
from traffic_lights.learning.qtable import LOST, WINS_SHIFT, SparseRows

_STEPS_OF: Final = by_mask(STEPS)
"""For each mask of actions, what they add to the state."""
Move: TypeAlias = tuple[State, Action, State, int]
"""A canonical state, the action played in it, the state right after, as it came, and the highest
value that the learner saw there, 0 if the opponent moved."""


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
        """Use the update *rule*, with the discount *gamma* where it has one."""
        assert isinstance(learner.table, AfterstateTable)
        self._learner = learner
        self._table = learner.table
        self._rule = rule
        self._gamma = gamma
        self._schedule = schedule
        self._policy = policy
        self._least_visited = least_visited
        self.watch: Callable[[Move, int, float], object] | None = None
        """Called with a move, its value and the target before the value is moved; for lessons."""
        self._values: list[float] = []
        self._batch = Batch(values=self._values)
        self._proven_from = LONGEST_GAME
        """The lowest ply of a position about which something was proven after the last game."""

    def play(self, game_numbers: Sequence[int], epsilon: float, rng: random.Random) -> Batch:
        """Play one game for each number, with the result of tests/kit/slow_learner.py."""
        self._values = []
        self._batch = batch = Batch(epsilon=epsilon, values=self._values)
        table = self._table
        learner = self._learner
        learn = self.learn
        proofs = table.proofs
        after_values = table.after_values
        mirrors = learner.mirrors
        register = learner.register
        choose_among = ACTIONS_OF
        steps = STEPS
        steps_of = _STEPS_OF
        draw = rng.random
        turn_high = TURN_HIGH
        turn_low = TURN_LOW
        policy = self._policy or RANDOM
        plays_itself = self._policy is None
        # A policy that allows every legal action behaves as if it were tired from the start.
        fewest, most = (0, 0) if policy.actions is legal_actions else policy.lasts
        choices = learner.choices(policy) if most else SparseRows()
        visits: dict[State, int] | None = {} if self._least_visited else None
        floor = self._schedule.end
        after = self._schedule.after
        # No move leads to this position, so `register` never sees it.
        table.mark_illegal(EMPTY_BOARD)
        for number in game_numbers:
            # The number of the game decides who begins, so a resumed run continues alike.
            first_own = 0 if plays_itself else number % 2
            is_learners_turn = first_own == 0
            row = proofs[EMPTY_BOARD]
            # A greater row would be a proven win of the first player. The game is lost for them, so
            # only a faulty imported table can say so.
            if is_learners_turn and (row > LOST or (plays_itself and row == LOST)):
                batch.games += 1
                continue
            # Draw only for a policy with a random phase, so that others use the source for moves.
            left = fewest if fewest == most else fewest + int(draw() * (most - fewest + 1))
            state = EMPTY_BOARD
            moves = []
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
                    actions = choose_among[legal]
                    if epsilon and draw() < epsilon:
                        actions = choose_among[open_actions]
                        if visits is not None:
                            actions = (least_visited_action(state, actions, visits, rng),)
                    elif (ties := values.count(best)) == 1:
                        actions = (actions[values.index(best)],)
                    elif ties < len(actions):
                        actions = tuple([actions[i] for i, v in enumerate(values) if v == best])
                else:
                    best = 0
                    if left > 0:
                        mask = choices[state] or learner.register_choices(policy, state)
                        left -= 1
                    else:
                        mask = ALL_CELLS ^ red_cells(state)
                    actions = choose_among[mask]
                ways = len(actions)
                action = actions[int(draw() * ways)] if ways > 1 else actions[0]
                played = state + steps[action]
                moves.append((state, action, played, best))
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
            own = range(first_own, len(moves), 1 if plays_itself else 2)
            learn(moves, own, PROVEN_WIN if has_won_last else PROVEN_LOSS)
            batch.games += 1
            if epsilon > floor:
                epsilon = after(epsilon)
        batch.epsilon = epsilon
        return batch

    def learn(self, moves: list[Move], own: range, result: int) -> None:
        """Learn from the *moves* of a game; those at the indexes *own* are the learner's.

        *result* is that of the player who moved last, PROVEN_WIN or PROVEN_LOSS.
        """
        if self._rule == "terminal":
            self._prove_and_estimate(moves, own, result)
            return
        table = self._table
        alpha = self._learner.alpha
        for index, goal in _GOALS[self._rule](moves, result, self._gamma):
            move = moves[index]
            value = table.after_values[move[2]]
            # A proof is never replaced by an estimate.
            if index in own and PROVEN_LOSS < value < PROVEN_WIN:
                if self.watch is not None:
                    self.watch(move, value, goal)
                self._set_estimate(move, round(value + alpha * (goal - value)))

    def _prove_and_estimate(self, moves: list[Move], own: range, result: int) -> None:
        """Learn by the rule terminal, from the last move to the first."""
        alpha = self._learner.alpha
        watch = self.watch
        after_values = self._table.after_values
        visited = self._table.visited
        proofs = self._table.proofs
        estimate = self._table.estimate
        deltas = self._batch.deltas
        values = self._values
        steps_of = _STEPS_OF
        self._proven_from = LONGEST_GAME
        # Tables that other rules trained have estimates of terminal positions too.
        if result == PROVEN_WIN and after_values[moves[-1][2]] != PROVEN_WIN:
            self._prove_end(moves[-1])
        goal = result
        others_goal = -result
        is_own = len(moves) - 1 in own
        plays_itself = own.step == 1
        at = ply(moves[0][0]) + len(moves)
        for move in reversed(moves):
            state, action, after, best = move
            at -= 1
            value = after_values[after]
            # A proven loss without an estimate gets its first one only in a lost position.
            if is_own and value != PROVEN_WIN and (value != PROVEN_LOSS or proofs[state] == LOST):
                if not PROVEN_LOSS < value < PROVEN_WIN:
                    value = estimate_in(value)
                if watch is not None:
                    watch(move, value, goal)
                moved = round(value + alpha * (goal - value))
                # Most values of 0 stay 0 and need not be written again.
                if moved != value or not value or not visited[state]:
                    # This is `_set_estimate`, in place because it runs for every move.
                    moved = estimate(after, moved)
                    if not visited[state]:
                        self._ensure_row(state)
                    deltas.append(state << 5 | action << 1 | (moved > 0))
                    values.append(moved / PROVEN_WIN)
            else:
                moved = value
                if not visited[state] and not PROVEN_LOSS < value < PROVEN_WIN:
                    self._ensure_row(state)
            if is_own:
                # The target of the move before is what this turn is worth now.
                row = proofs[state]
                if row > LOST:
                    goal = PROVEN_WIN
                elif row == LOST and plays_itself:
                    goal = PROVEN_LOSS
                elif at < self._proven_from and (moved >= best or value < best):
                    # Since the learner chose, only the value of its move has changed here. To read
                    # all values of each turn again would make training a tenth slower.
                    goal = max(moved, best)
                else:
                    legal = row ^ LOST if plays_itself else ALL_CELLS ^ red_cells(state)
                    now = [after_values[state + step] for step in steps_of[legal]]
                    goal = max(now)
                    if goal > PROVEN_WIN:
                        goal = max([v if v <= PROVEN_WIN else v - OFFSET for v in now])
            goal, others_goal = others_goal, goal
            is_own = plays_itself or not is_own

    def _prove_end(self, move: Move) -> None:
        """Prove that *move* completes a line, and what follows from that."""
        state, action, end, _ = move
        table = self._table
        table.mark_proven(end, PROVEN_WIN)
        self._record(table.propagate(table.before(end)))
        # If another action has decided this row already, propagating adds nothing to it. Note the
        # win here, because a run that continues from the stored rows could not know it.
        row = table.proofs[state]
        win = 1 << action + WINS_SHIFT
        if row >= LOST and not row & win:
            table.proofs[state] = row | win
            self._batch.deltas.append(state << 5 | action << 1 | 1)
            self._values.append(1.0)

    def _set_estimate(self, move: Move, steps: int) -> None:
        state, action, after, _ = move
        steps = self._table.estimate(after, steps)
        if not self._table.visited[state]:
            self._ensure_row(state)
        self._batch.deltas.append(state << 5 | action << 1 | (steps > 0))
        self._values.append(steps / PROVEN_WIN)

    def _ensure_row(self, state: State) -> None:
        """Give *state* a row, with what the positions after it prove."""
        self._table.ensure_row(state)
        if proven := self._table.propagate([state]):
            self._record(proven)

    def _record(self, proven: Sequence[tuple[State, Action, int]]) -> None:
        deltas = self._batch.deltas
        values = self._values
        for state, action, sign in proven:
            deltas.append(state << 5 | action << 1 | (sign > 0))
            values.append(float(sign))
            self._proven_from = min(self._proven_from, ply(state))
        # Several actions may be proven at a time, but the position is decided once.
        for state in {state for state, _, _ in proven}:
            if self._table.proofs[state] >= LOST:
                self._learner.decided_by_ply[ply(state)] += 1


Goals: TypeAlias = Iterable[tuple[int, float]]
"""By the index of a move, what its estimate is moved towards, in the order of learning."""


def _last_action(moves: Sequence[Move], result: int, _: float) -> Goals:
    last = len(moves) - 1
    return (last, result), (last - 1, -result)


def _bootstrap(moves: Sequence[Move], result: int, gamma: float) -> Goals:
    # The moves come in the order of the game, so each target is a value from before it.
    goals = [gamma * best for *_, best in moves[2:]]
    # The last action of each side is followed by the result, not by another decision.
    return enumerate([*goals, -result, result][-len(moves) :])


def _monte_carlo(moves: Sequence[Move], result: int, gamma: float) -> Iterator[tuple[int, float]]:
    goal = float(result)
    others_goal = float(-result)
    for index in reversed(range(len(moves))):
        yield index, goal
        goal, others_goal = others_goal, gamma * goal


_GOALS: Final[dict[str, Callable[[Sequence[Move], int, float], Goals]]] = {
    "last-action": _last_action,
    "bootstrap": _bootstrap,
    "monte-carlo": _monte_carlo,
}
"""The targets of the rules that only estimate."""
