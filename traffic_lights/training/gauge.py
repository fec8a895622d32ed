"""Measure how well a table plays: by games, or exactly where that is fast."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from traffic_lights.board.baselines import BASELINES, Policy
from traffic_lights.board.exact_score import exact_score
from traffic_lights.board.games import PolicyBot, play_games
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import CELLS, EMPTY_BOARD, Action
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.storage.kinds import Number, OneOf, OrNone, Whole, member

SAMPLED_GAMES: Final = 200
"""The games of a quick measurement, half of them in each seat."""
BUDGET: Final = 40_000
"""The positions for each seat beyond which an exact score is given up."""
LAST_BUDGET: Final = 150_000
"""The same for the last measurement."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The score of a bot in training, and how much it has decided.

    A file has its values in this order, without their names, so a new one comes last.
    """

    games: int = member(Whole())
    """Of all its runs; 0 before the first game."""
    opponent: str = member(OneOf({bot.key: bot.name for bot in BASELINES.values()}))
    first: float = member(Number(0, 1))
    """The chance to win as Player 1, from 0 to 1."""
    second: float = member(Number(0, 1))
    """The chance to win as Player 2, from 0 to 1."""
    decided: int = member(Whole(0, POSITIONS))
    """The canonical positions that are proven won or lost."""
    sampled: int = member(Whole(), 0)
    """The games that the score was estimated from; 0: it is exact.

    The bot is Player 1 in those of even numbers, counted from 0, so in one more if they are odd.
    """
    epsilon: float | None = member(OrNone(Number(0, 1)), None)
    """The exploration rate of the next game, if the plan has one."""
    moved: float | None = member(OrNone(Number(0, 1000)), None)
    """How far a game moved the estimates in all since the point before, if it learns any."""
    opening: Action | None = member(OrNone(Whole(0, CELLS - 1)), None)
    """Its first move in an even game, the first of equal ones; None if it prefers none."""

    @property
    def score(self) -> float:
        """The chance to win if the seats are swapped after every game, from 0 to 1."""
        return (self.first + self.second) / 2

    def is_as_good_as(self, other: Measured) -> bool:
        """Whether it says as much of the same table against the same opponent as *other* does."""
        is_as_exact = not self.sampled or self.sampled >= other.sampled > 0
        is_same = (self.games, self.opponent) == (other.games, other.opponent)
        return is_same and is_as_exact


class Gauge:
    """Measures a bot that trains by *plan*; what is learned does not depend on that.

    The opponent is the one of the plan. If the plan has none, it is Myopic. A score by games
    follows from the table alone, so the same table has the same score again.
    """

    def __init__(self, plan: str) -> None:
        self.policy = BASELINES[plan if plan in BASELINES else "myopic"]
        self._exact_from = 0.0
        """The next exact score is tried after so many games."""

    def measure(
        self,
        table: QTable,
        games: int,
        decided: int,
        *,
        is_quick: bool = False,
        is_last: bool = False,
    ) -> Measured:
        """Return the score of *table* after *games*, exact if that takes at most half a second.

        The score of the last measurement may take two seconds. A quick one, of about 50 ms, is
        never exact.
        """
        measured = self._sampled(table, games, decided, SAMPLED_GAMES)
        # A bot that knows little can reach a million positions, and an exact score takes seconds.
        is_too_early = measured.score < 0.3 or games < self._exact_from
        if is_quick or (is_too_early and not is_last):
            return measured
        budget = LAST_BUDGET if is_last else BUDGET
        bot = TableBot(table, random.Random())
        score = exact_score(Policy(bot.choices), self.policy, budget)
        if score is not None:
            return replace(measured, first=score.first, second=score.second, sampled=0)
        self._exact_from = games * 1.4
        if is_last:
            return self._sampled(table, games, decided, 10 * SAMPLED_GAMES)
        return measured

    def _sampled(self, table: QTable, games: int, decided: int, sample: int) -> Measured:
        """Play a *sample* of games; the bot is Player 1 in the even ones."""
        rng = random.Random("gauge")
        bot = TableBot(table, rng)
        opponent = PolicyBot(self.policy, rng)
        won = [0, 0]
        for seat, game in play_games(bot, opponent, range(sample)):
            won[seat] += game.winner == seat
        first, second = (2 * wins / sample for wins in won)
        choices = bot.choices(EMPTY_BOARD)
        opening = choices[0] if len(choices) < CELLS else None
        return Measured(games, self.policy.key, first, second, decided, sample, opening=opening)
