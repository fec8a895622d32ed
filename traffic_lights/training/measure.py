"""Measure how well a bot in training plays against the opponent that it learns to beat."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from traffic_lights.board.baselines import BASELINES, Policy
from traffic_lights.board.exact import ExactScore, exact_score
from traffic_lights.board.positions import contains, finished
from traffic_lights.board.rules import CELLS, EMPTY_BOARD, STEPS, Action, State, legal_actions
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.training.bots import Measured

_SAMPLED_GAMES: Final = 200
# A bot that knows little can reach a million positions, and their exact score takes seconds.
_KNOWS_MUCH: Final = 0.3
"""The sampled score above which an exact one is tried."""
_BUDGET: Final = 40_000
"""The positions for each seat up to which a score is computed rather than sampled in training."""
_LAST_BUDGET: Final = 150_000
"""The same when a run is finished; beyond it, ten times as many games are sampled."""
_RETRY_AFTER: Final = 1.4
"""By which factor the games must have grown before an exact score is tried again."""


class Gauge:
    """Measures a bot that trains by *plan*, until *stop* returns True.

    The table is only read, and the random source, of its own *seed*, is only for this. So what is
    learned does not depend on whether it is measured.
    """

    def __init__(
        self, plan: str, seed: str = "gauge", stop: Callable[[], bool] = lambda: False
    ) -> None:
        self._policy = BASELINES[plan if plan in BASELINES else "myopic"]
        self.opponent = self._policy.key
        self._rng, self._stop = random.Random(seed), stop
        self._exact_from = 0.0

    def measure(
        self, table: QTable, games: int, decided: int, *, is_last: bool = False
    ) -> Measured:
        """Return the score of *table*, computed if that takes little time, otherwise sampled.

        *games* and *decided* only describe it. The last score of a run may take seconds.
        """
        measured = self._sampled(table, games, decided, _SAMPLED_GAMES)
        if not is_last and (measured.score < _KNOWS_MUCH or games < self._exact_from):
            return measured
        score = self._exact_score(table, _LAST_BUDGET if is_last else _BUDGET)
        self._exact_from = games * _RETRY_AFTER if score is None else 0.0
        if score is not None:
            return replace(measured, first=score.first, second=score.second, sampled=0)
        if is_last and not self._stop():
            return self._sampled(table, games, decided, 10 * _SAMPLED_GAMES)
        return measured

    def _sampled(self, table: QTable, games: int, decided: int, sample: int) -> Measured:
        """Return the score of *table* in *sample* games."""
        bot, rng, policy = QBot(table, self._rng), self._rng, self._policy
        won = [0, 0]
        for game in range(sample):
            state, seat, moves = EMPTY_BOARD, 0, 0
            tires_after = rng.randint(*policy.lasts)
            while not contains(finished(), state):
                if seat == game % 2:
                    action = bot.choose(state)
                else:
                    actions = policy.actions if moves < tires_after else legal_actions
                    action = rng.choice(actions(state))
                    moves += 1
                state, seat = state + STEPS[action], 1 - seat
            won[game % 2] += seat != game % 2
        first, second = (2 * wins / sample for wins in won)
        opening = tuple(table.value(EMPTY_BOARD, action) for action in range(CELLS))
        return Measured(games, policy.key, first, second, decided, sample, opening)

    def _exact_score(self, table: QTable, budget: int) -> ExactScore | None:
        """Return the exact score; None if it exceeds *budget* or the run was stopped."""
        bot = QBot(table, self._rng)

        def choices(state: State) -> tuple[Action, ...]:
            if self._stop():
                raise InterruptedError
            return bot.choices(state)

        with suppress(InterruptedError):
            return exact_score(Policy(choices), self._policy, budget)
        return None
