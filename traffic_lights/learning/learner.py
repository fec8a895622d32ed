"""The learner: how it chooses, plays and learns. Read this file first.

What it knows, and how it proves, stands in `afterstates.py`, and the rules that are there for
comparison in `update_rules.py`. The page of this folder explains why each step is as it is.

>>> from traffic_lights.board.baselines import MYOPIC
>>> learner = Learner(AfterstateTable(), MYOPIC, "terminal", alpha=0.2, gamma=1.0)
>>> source = random.Random(7)
>>> for number in range(300):
...     learner.play_game(number, epsilon=0.2, source=source)
>>> len(learner.table.rows), learner.highest_value(EMPTY_BOARD)
(1162, 2215)
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from traffic_lights.board.baselines import Policy
from traffic_lights.board.positions import contains, finished
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, legal_actions, mover
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.afterstates import (
    LOSS,
    LOST,
    UNTRIED,
    WIN,
    WON,
    AfterstateTable,
    legal_steps,
)
from traffic_lights.learning.deltas import Batch, format_records
from traffic_lights.learning.exploration import EpsilonSchedule, Explore, at_random, one_of
from traffic_lights.learning.qtable import UNTRIED_VALUE
from traffic_lights.learning.update_rules import UPDATE_RULES, Move


class Learner:
    """Learns from its games against one *opponent*, or against itself if that is None."""

    def __init__(
        self,
        table: AfterstateTable,
        opponent: Policy | None,
        rule: str,
        *,
        alpha: float,
        gamma: float,
        explore: Explore = at_random,
        schedule: EpsilonSchedule = EpsilonSchedule(),
    ) -> None:
        """Use the update *rule*, with the learning rate *alpha* and the discount *gamma*."""
        self.table = table
        table.opponent_may_fail = opponent is not None
        self.opponent = opponent
        self.rule = rule
        self.alpha = alpha
        self.gamma = gamma
        self.explore = explore
        self.schedule = schedule
        self.visits: Counter[State] = Counter()
        """How often each position was met in this batch of games."""
        self.moved = 0
        """How far estimates were moved in all, in this batch and in steps of 1 / WIN."""
        self.watch: Callable[[Move, int, float], object] | None = None
        """Called with a move, its value and the target before the value is moved; for replays."""
        if opponent is not None:
            self._choices = lru_cache(maxsize=1 << 16)(opponent.actions)

    # --- choose ---

    def value(self, after: State) -> int:
        """Return what a move to the position *after* is worth."""
        # A bot may fail to punish a losing move, so what it was worth so far still counts.
        if self.opponent is None and self.table.status[after] == WON:
            return LOSS
        return self.table.values[after]

    def values_in(self, state: State) -> list[int]:
        """Return what each legal action in *state* is worth, by ascending action."""
        # This is `value`, in place because training reads most values here.
        values = self.table.values
        steps = legal_steps(state)
        if self.opponent is None:
            status = self.table.status
            return [LOSS if status[state + s] == WON else values[state + s] for s in steps]
        return [values[state + step] for step in steps]

    def highest_value(self, state: State) -> int:
        return max(self.values_in(state))

    def choose(self, state: State, epsilon: float, source: random.Random) -> Action:
        """Explore with the probability *epsilon*; otherwise return a move of highest value."""
        status = self.table.status
        actions = legal_actions(state)
        if epsilon and source.random() < epsilon:
            not_losing = [a for a in actions if status[state + STEPS[a]] != WON]
            return self.explore(state, not_losing or actions, self.visits, source)
        values = self.values_in(state)
        highest = max(values)
        best = [action for action, value in zip(actions, values, strict=True) if value == highest]
        if highest == UNTRIED_VALUE:
            # A move that was tried and is worth as much is better.
            best = [a for a in best if status[state + STEPS[a]] != UNTRIED] or best
        return one_of(best, source)

    # --- play ---

    def play(self, numbers: Sequence[int], epsilon: float, source: random.Random) -> Batch:
        """Play the games of these *numbers*, the first with *epsilon*; return what they changed.

        They are a whole batch, with a random *source* of its own. What is counted begins anew with
        each batch, because no file stores it, and a resumed run counts alike.
        """
        self.visits.clear()
        self.moved = 0
        for number in numbers:
            self.play_game(number, epsilon, source)
            epsilon = self.schedule.after(epsilon)
        batch = Batch(
            len(numbers), format_records(self.table.deltas), epsilon, moved=self.moved / WIN
        )
        self.table.deltas = []
        return batch

    def play_game(self, number: int, epsilon: float, source: random.Random) -> None:
        """Play game *number*, whose parity decides the seat, and learn from it."""
        opponent = self.opponent
        seats = (0, 1) if opponent is None else (number % 2,)
        # Some bots tire: after so many of their moves they play any.
        low, high = (0, 0) if opponent is None else opponent.lasts
        tires_after = one_of(range(low, high + 1), source)
        game: list[Move] = []
        state = EMPTY_BOARD
        is_own = 0 in seats
        while not self.is_over(state, is_own=is_own):
            if is_own:
                action = self.choose(state, epsilon, source)
            elif len(game) // 2 < tires_after:
                action = one_of(self._choices(state), source)
            else:
                action = one_of(legal_actions(state), source)
            after = state + STEPS[action]
            game.append((state, action, after))  # not turned: the table knows all mirror images
            state = canonical(after)
            is_own = opponent is None or not is_own
        # No game comes to the same position again, so its visits count only from now on.
        self.visits.update([before for before, _, _ in game])
        # If the empty board is proven, there is nothing to play.
        if game:
            last_mover_won = contains(finished(), state) or self.table.status[state] == LOST
            self.learn(game, seats, WIN if last_mover_won else LOSS)

    def is_over(self, state: State, *, is_own: bool) -> bool:
        """Return whether a game ends in *state*, where it may be the learner's *own* turn."""
        if contains(finished(), state):
            return True
        status = self.table.status[state]
        if self.opponent is None:
            return status >= WON
        # Only a proven win of the learner ends the game, because a bot may not find its own.
        return status == (WON if is_own else LOST)

    # --- learn ---

    def learn(self, game: Sequence[Move], seats: Sequence[int], result: int) -> None:
        """Learn from *game*; *result* is WIN or LOSS for the player who made the last move."""
        targets = UPDATE_RULES[self.rule].targets
        if targets is None:
            self.learn_to_the_start(game, seats, result)
            return
        for move, target in targets(game, result, self.gamma, self):
            if mover(move[0]) in seats:
                self.move_towards(move, target)

    def learn_to_the_start(self, game: Sequence[Move], seats: Sequence[int], result: int) -> None:
        """Learn by the rule *terminal*: from the last move to the first, with fresh targets."""
        last_state, _, end = game[-1]
        if contains(finished(), end):
            self.table.prove(end, LOST)
        seat = mover(last_state)
        targets: dict[int, float] = {seat: result, 1 - seat: -result}
        winner = seat if result == WIN else 1 - seat
        for move in reversed(game):
            state, _, after = move
            if seat in seats or seat == winner:
                self.move_towards(move, targets[seat])
                targets[seat] = self.highest_value(state)
            elif self.table.status[after] >= WON:
                self.table.add_row(state)
            seat = 1 - seat

    def move_towards(self, move: Move, target: float) -> None:
        """Move the estimate of *move* by alpha towards *target*."""
        state, action, after = move
        table = self.table
        is_new_row = state not in table.rows
        if is_new_row:
            table.add_row(state)  # first, because this may prove *state*
        is_new = not table.has_estimate(after)
        if table.status[after] >= WON and not self.may_still_win(state, after, is_new=is_new):
            return
        old = UNTRIED_VALUE if is_new else table.values[after]
        if self.watch is not None:
            self.watch(move, old, target)
        new = round(old + self.alpha * (target - old))
        # Most values of 0 stay 0 and need not be written again. But the log must name each row.
        if new != old or is_new or is_new_row:
            new = table.set_estimate(after, new)
            table.deltas.append((state, action, new / WIN))
            self.moved += abs(new - old)

    def may_still_win(self, state: State, after: State, *, is_new: bool) -> bool:
        """Return whether a proven move from *state* to *after* keeps learning an estimate.

        Only one that loses does, because a bot may not find the win: if it was tried before it was
        proven, so that its estimate is not new, or where all moves lose.
        """
        if self.opponent is None or self.table.status[after] == LOST:
            return False
        return not is_new or self.table.status[state] == LOST
