"""The learner of `learner.py`, faster: it plays training games and learns from each at its end.

With `afterstates.py` it does what `learner.py` does, and the tests compare the values. It is fast
because a look-up turns a board, an array holds what is known of all its images, and the values of a
position are read once a turn.
"""

import random
from collections.abc import Callable, Sequence

from traffic_lights.board.baselines import Policy
from traffic_lights.board.positions import contains, finished
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    ply,
    red_cells,
)
from traffic_lights.learning.afterstates import LOSES, STEPS_OF, UNTRIED, WINS, AfterstateTable
from traffic_lights.learning.batches import (
    FINISHED,
    Batch,
    EpsilonSchedule,
    TrainingState,
)
from traffic_lights.learning.exploration import Explore, at_random, one_of
from traffic_lights.learning.learner import LOSS, WIN, one_of_range
from traffic_lights.learning.state_ints import SparseInts
from traffic_lights.learning.update_rules import UPDATE_RULES, Move


class FastLearner:
    """Learns from its games against one *opponent*, or against itself if that is None."""

    def __init__(
        self,
        training: TrainingState,
        opponent: Policy | None,
        rule: str,
        *,
        alpha: float,
        gamma: float,
        schedule: EpsilonSchedule,
        explore: Explore = at_random,
    ) -> None:
        """Use the update *rule*, with the learning rate *alpha* and the discount *gamma*."""
        assert isinstance(training.table, AfterstateTable)
        self._training = training
        self._table = training.table
        self._opponent = opponent
        self._rule = rule
        self._alpha = alpha
        self._gamma = gamma
        self._schedule = schedule
        self._explore = explore
        self._visits: dict[State, int] = {}
        """How often each position was met in this batch; empty if exploring is at random."""
        self.watch: Callable[[Move, int, float], object] | None = None
        """Called with a move, its value and the target before the value is moved; for replays."""

    def play(self, game_numbers: Sequence[int], epsilon: float, rng: random.Random) -> Batch:
        """Play one game for each number, and return what they changed."""
        # Visits are counted per batch, because no file stores them and a resumed run counts alike.
        self._visits = {}
        for number in game_numbers:
            self._play_game(number, epsilon, rng)
            epsilon = self._schedule.after(epsilon)
        table = self._table
        for state in table.decided:
            self._training.decided_by_ply[ply(state)] += 1
        batch = Batch(len(game_numbers), epsilon, table.deltas, moved=table.moved / WIN)
        table.deltas = []
        table.moved = 0
        table.decided = []
        return batch

    def _play_game(self, number: int, epsilon: float, rng: random.Random) -> None:
        training = self._training
        status = self._table.status
        canonical_of = training.canonical_of
        draw = rng.random
        visits = self._visits
        counts_visits = self._explore is not at_random
        opponent = self._opponent
        choices = training.choices(opponent) if opponent is not None else SparseInts()
        # The number of the game decides who begins, so a resumed run continues alike.
        seats = (0, 1) if opponent is None else (number % 2,)
        tires_after = 0 if opponent is None else one_of_range(opponent.lasts, rng)
        game: list[Move] = []
        state = EMPTY_BOARD
        while state != FINISHED:
            is_own_turn = len(game) % 2 in seats
            # This is `is_over`, in place because it runs for every move: against itself any proof
            # ends the game, against a bot only a proven win of the learner.
            proof = status[state]
            if proof >= LOSES and (opponent is None or (proof == LOSES) == is_own_turn):
                break
            if counts_visits and game:
                visits[state] = visits.get(state, 0) + 1
            if opponent is None or is_own_turn:
                action = self._choose(state, epsilon, rng)
            else:
                mask = ALL_CELLS ^ red_cells(state)
                if len(game) // 2 < tires_after:
                    mask = choices[state] or training.register_choices(opponent, state)
                actions = ACTIONS_OF[mask]
                ways = len(actions)
                # And this is `one_of`.
                action = actions[int(draw() * ways)] if ways > 1 else actions[0]
            after = state + STEPS[action]
            game.append((state, action, after))  # not turned: the arrays know all images
            state = canonical_of[after] or training.register(after)
        if game:
            has_won = state == FINISHED or status[state] == WINS
            self.learn(game, seats, WIN if has_won else LOSS)

    def _values(self, state: State, steps: Sequence[int]) -> list[int]:
        """Return what each move of *state* is worth that adds one of *steps*."""
        values = self._table.values
        if self._opponent is None:
            status = self._table.status
            return [LOSS if status[state + s] == LOSES else values[state + s] for s in steps]
        return [values[state + step] for step in steps]

    def value(self, after: State) -> int:
        return self._values(after, (0,))[0]

    def highest_value(self, state: State) -> int:
        return max(self._values(state, STEPS_OF[ALL_CELLS ^ red_cells(state)]))

    def _choose(self, state: State, epsilon: float, rng: random.Random) -> Action:
        """Explore with the probability *epsilon*; otherwise return a move of highest value."""
        status = self._table.status
        legal = ALL_CELLS ^ red_cells(state)
        actions = ACTIONS_OF[legal]
        if epsilon and rng.random() < epsilon:
            not_losing = [a for a in actions if status[state + STEPS[a]] != LOSES] or actions
            return self._explore(state, not_losing, self._visits, rng)
        values = self._values(state, STEPS_OF[legal])
        highest = max(values)
        best = [a for a, value in zip(actions, values, strict=True) if value == highest]
        if highest == 0:
            best = [a for a in best if status[state + STEPS[a]] != UNTRIED] or best
        return one_of(best, rng)

    def learn(self, game: Sequence[Move], seats: Sequence[int], result: int) -> None:
        """Learn from *game*; *result* is WIN or LOSS for the player who made the last move."""
        targets = UPDATE_RULES[self._rule].targets
        if targets is None:
            self._learn_to_the_start(game, seats, result)
            return
        own = {move for number, move in enumerate(game) if number % 2 in seats}
        for move, target in targets(game, result, self._gamma, self):
            if move in own:
                self._move_towards(move, target)

    def _learn_to_the_start(self, game: Sequence[Move], seats: Sequence[int], result: int) -> None:
        table = self._table
        status = table.status
        _, _, end = game[-1]
        if contains(finished(), end):
            table.prove(end, WINS)
        seat = (len(game) - 1) % 2
        targets = {seat: result, 1 - seat: -result}
        winner = seat if result == WIN else 1 - seat
        for move in reversed(game):
            state, _, after = move
            if seat in seats or seat == winner:
                self._move_towards(move, targets[seat])
                targets[seat] = self.highest_value(state)
            elif status[after] >= LOSES:
                table.add_row(state)
            seat = 1 - seat

    def _move_towards(self, move: Move, target: float) -> None:
        table = self._table
        state, action, after = move
        is_new_row = not table.has_row[state]
        if is_new_row:
            table.add_row(state)
        proof = table.status[after]
        value = table.values[after]
        # An estimate is above LOSS, which is the value of a move that is only proven to lose.
        has_estimate = proof != UNTRIED and value != LOSS
        if proof == WINS or (proof == LOSES and not table.keeps_estimates):
            return
        if proof == LOSES and not has_estimate and table.status[state] != WINS:
            return
        old = value if has_estimate else 0
        if self.watch is not None:
            self.watch(move, old, target)
        new = round(old + self._alpha * (target - old))
        # Most values of 0 stay 0 and need not be written again. But the log must name each row.
        if new != old or not has_estimate or is_new_row:
            new = table.set_estimate(after, new)
            table.deltas.append((state, action, new / WIN))
            table.moved += abs(new - old)
