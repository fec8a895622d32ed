"""Two update rules to compare with: one-step Q-learning and Monte Carlo returns.

Both estimate how games end under the learner's own play, so a sign is no
proof here and nobody concedes. With reward ±1 at the end, 0 before, and the
values of one player's decisions in order (Sutton & Barto, 2nd ed., §5.4, §6.5):

    bootstrap     Q(s, a) <- Q + α (γ max Q(s', ·) - Q)   s' its next own decision
    monte-carlo   Q(s, a) <- Q + α (γ^k z - Q)            z its result, k own moves later

The last own action moves towards ±1 in both.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    EMPTY_BOARD,
    STEPS,
    State,
    legal_actions,
    mover,
    red_cells,
)
from traffic_lights.learning.episodes import Batch, Learner, least_visited_action
from traffic_lights.learning.qtable import EpsilonSchedule


class Estimator:
    """Plays games from the empty board and learns estimates from them."""

    def __init__(
        self,
        learner: Learner,
        rule: str,
        gamma: float,
        schedule: EpsilonSchedule,
        *,
        least_visited: bool = False,
    ) -> None:
        """Use *rule*, "bootstrap" or "monte-carlo", with the discount *gamma* from 0 to 1."""
        self._learner = learner
        self._bootstraps = rule == "bootstrap"
        self._gamma = gamma
        self._schedule = schedule
        self._least_visited = least_visited
        self._visits: dict[State, int] = {}

    def play(
        self,
        policy: Policy | None,
        game_numbers: Iterable[int],
        epsilon: float,
        rng: random.Random,
    ) -> Batch:
        """Play one game for each number: against itself, or the bot of *policy*.

        Against a bot (see `episodes.play_against`) the learner is first in even games.
        """
        batch = Batch(epsilon=epsilon, values=[])
        self._visits.clear()
        for number in game_numbers:
            seats = (0, 1) if policy is None else (number % 2,)
            self._play_game(seats, policy, batch, rng)
            batch.games += 1
            batch.epsilon = self._schedule.after(batch.epsilon)
        return batch

    def _play_game(
        self, seats: Sequence[int], policy: Policy | None, batch: Batch, rng: random.Random
    ) -> None:
        """Play one game in which the learner has *seats*, and learn from it."""
        images, meet = self._learner.images, self._learner.meet
        # Drawn even where nothing is to be decided, so that all bots are dealt alike.
        lasts = rng.randint(*(policy.lasts if policy is not None else (0, 0)))
        moves: tuple[list[int], list[int]] = ([], [])
        state = EMPTY_BOARD
        while state >= 0:
            seat = mover(state)
            if seat in seats:
                if self._bootstraps and moves[seat]:
                    self._learner.learn(moves[seat][-1], self._gamma * self._best(state), batch)
                action = self._choose(state, batch.epsilon, rng)
                moves[seat].append(state << 4 | action)
            else:
                assert policy is not None, "without a policy the learner has both seats"
                action = self._bots_choice(policy, state, lasts > 0, rng)
                lasts -= 1
            state = images[state + STEPS[action]] or meet(state + STEPS[action])
            self._visits[state] = self._visits.get(state, 0) + 1
        self._learn_from_end(moves, seat, seats, batch)

    def _learn_from_end(
        self, moves: Sequence[Sequence[int]], winner: int, seats: Sequence[int], batch: Batch
    ) -> None:
        for seat in seats:
            target = 1.0 if seat == winner else -1.0
            for move in reversed(moves[seat]):
                self._learner.learn(move, target, batch)
                target *= self._gamma
                if self._bootstraps:
                    break

    def _best(self, state: State) -> float:
        table = self._learner.table
        return table.value(state, table.best_canonical_actions(state)[0])

    def _choose(self, state: State, epsilon: float, rng: random.Random) -> int:
        if rng.random() >= epsilon:
            return rng.choice(self._learner.table.best_canonical_actions(state))
        if self._least_visited:
            return least_visited_action(state, self._visits, rng)
        return rng.choice(ACTIONS_OF[ALL_CELLS ^ red_cells(state)])

    def _bots_choice(self, policy: Policy, state: State, is_fresh: bool, rng: random.Random) -> int:
        learner = self._learner
        if is_fresh and policy.actions is not legal_actions:
            known = learner.choices(policy)[state] or learner.meet_choices(policy, state)
            return rng.choice(ACTIONS_OF[known])
        return rng.choice(ACTIONS_OF[ALL_CELLS ^ red_cells(state)])
