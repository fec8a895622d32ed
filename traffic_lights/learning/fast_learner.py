"""The learner of `learner.py`, faster: it plays training games and learns from each at its end.

With `afterstates.py` it does what `learner.py` does, and the tests compare the values. It is fast
because a look-up turns a board, an array holds what is known of all its images, and the values of a
position are read once a turn. Here it can also explore the least visited positions.
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
    least_visited_action,
)
from traffic_lights.learning.learner import LOSS, TARGETS, WIN, Move, one_of, one_of_range
from traffic_lights.learning.qtable import SparseRows


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
        least_visited: bool = False,
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
        self._least_visited = least_visited
        self._visits: dict[State, int] | None = None
        """How often each position was met in this batch; None if exploring is at random."""
        self.watch: Callable[[Move, int, float], object] | None = None
        """Called with a move, its value and the target before the value is moved; for lessons."""

    def play(self, game_numbers: Sequence[int], epsilon: float, rng: random.Random) -> Batch:
        """Play one game for each number, and return what they changed."""
        # Visits are counted per batch, because no file stores them and a resumed run counts alike.
        self._visits = {} if self._least_visited else None
        for number in game_numbers:
            self._play_game(number, epsilon, rng)
            epsilon = self._schedule.after(epsilon)
        table = self._table
        for state in table.decided:
            self._training.decided_by_ply[ply(state)] += 1
        batch = Batch(len(game_numbers), epsilon, table.changes, moved=table.moved / WIN)
        table.changes = []
        table.moved = 0
        table.decided = []
        return batch

    def _play_game(self, number: int, epsilon: float, rng: random.Random) -> None:
        training = self._training
        known = self._table.known
        canonical_of = training.canonical_of
        draw = rng.random
        visits = self._visits
        opponent = self._opponent
        choices = training.choices(opponent) if opponent is not None else SparseRows()
        plays_itself = opponent is None
        # The number of the game decides who begins, so a resumed run continues alike.
        first_own = 0 if plays_itself else number % 2
        is_own_turn = first_own == 0
        tires_after = 0 if opponent is None else one_of_range(opponent.lasts, rng)
        game: list[Move] = []
        state = EMPTY_BOARD
        while state != FINISHED:
            result = known[state]
            if result >= LOSES and (plays_itself or (result == LOSES) == is_own_turn):
                break
            if visits is not None and game:
                visits[state] = visits.get(state, 0) + 1
            best = 0
            if is_own_turn:
                action, best = self._choose(state, epsilon, rng)
            elif opponent is not None:
                if len(game) // 2 < tires_after:
                    mask = choices[state] or training.register_choices(opponent, state)
                else:
                    mask = ALL_CELLS ^ red_cells(state)
                actions = ACTIONS_OF[mask]
                ways = len(actions)
                # This is `one_of`, in place because it runs for every move.
                action = actions[int(draw() * ways)] if ways > 1 else actions[0]
            after = state + STEPS[action]
            game.append((state, action, after, best))
            state = canonical_of[after] or training.register(after)
            is_own_turn = plays_itself or not is_own_turn
        if game:
            own = range(first_own, len(game), 1 if plays_itself else 2)
            has_won = state == FINISHED or known[state] == WINS
            self.learn(game, own, WIN if has_won else LOSS)

    def _values(self, state: State, steps: Sequence[int]) -> list[int]:
        """Return what each move of *state* is worth that adds one of *steps*."""
        values = self._table.values
        if self._opponent is None:
            known = self._table.known
            return [LOSS if known[state + s] == LOSES else values[state + s] for s in steps]
        return [values[state + step] for step in steps]

    def _choose(self, state: State, epsilon: float, rng: random.Random) -> tuple[Action, int]:
        """Return the action, and the highest value that the learner sees."""
        legal = ALL_CELLS ^ red_cells(state)
        steps = STEPS_OF[legal]
        values = self._values(state, steps)
        best = max(values)
        actions = ACTIONS_OF[legal]
        if epsilon and rng.random() < epsilon:
            known = self._table.known
            not_lost = [a for a in actions if known[state + STEPS[a]] != LOSES] or actions
            if self._visits is not None:
                return least_visited_action(state, not_lost, self._visits, rng), best
            return one_of(not_lost, rng), best
        if values.count(best) == 1:
            return actions[values.index(best)], best
        tied = [i for i, value in enumerate(values) if value == best]
        if best == 0:
            known = self._table.known
            tied = [i for i in tied if known[state + steps[i]]] or tied
        return actions[one_of(tied, rng)], best

    def learn(self, game: Sequence[Move], own: range, result: int) -> None:
        """Learn from *game*; the moves at the indexes *own* are the learner's.

        *result* is that of the player who moved last, WIN or LOSS.
        """
        if self._rule == "terminal":
            self._learn_to_the_start(game, own, result)
            return
        own_states = {game[index][0] for index in own}
        for move, target in TARGETS[self._rule](game, result, self._gamma):
            if move[0] in own_states:
                self._move_towards(move, target)

    def _learn_to_the_start(self, game: Sequence[Move], own: range, result: int) -> None:
        table = self._table
        known = table.known
        _, _, end, _ = game[-1]
        if contains(finished(), end):
            table.prove(end, WINS)
        target, target_of_other = result, -result
        is_own = len(game) - 1 in own
        for move in reversed(game):
            state, _, after, _ = move
            if is_own:
                self._move_towards(move, target)
                target = max(self._values(state, STEPS_OF[ALL_CELLS ^ red_cells(state)]))
            elif known[after] >= LOSES:
                table.add_row(state)
            target, target_of_other = target_of_other, target
            is_own = own.step == 1 or not is_own

    def _move_towards(self, move: Move, target: float) -> None:
        table = self._table
        state, action, after, _ = move
        must_record = not table.visited[state]
        if must_record:
            table.add_row(state)
        known = table.known[after]
        old = table.values[after]
        is_first = known == UNTRIED
        if known >= LOSES:
            is_first = old == LOSS  # it has no estimate, because those are above LOSS
            if known == WINS or (is_first and table.known[state] != WINS):
                return
        if is_first:
            old = 0
        if self.watch is not None:
            self.watch(move, old, target)
        new = round(old + self._alpha * (target - old))
        # Most values of 0 stay 0 and need not be written again. But the log must name each row.
        if new != old or is_first or must_record:
            new = table.estimate(after, new)
            table.changes.append((state, action, new / WIN))
            table.moved += abs(new - old)
