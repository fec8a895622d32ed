"""Measure how well a table plays: by games, or exactly where that is fast."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Final, Self

from traffic_lights.board.baselines import BASELINES, Policy, safe_actions, winning_actions
from traffic_lights.board.exact_score import exact_score
from traffic_lights.board.games import PolicyBot, play_games
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import CELLS, EMPTY_BOARD, legal_actions, mover
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.storage.kinds import ListOf, Number, OneOf, OrNone, Whole, member, record_of

SAMPLED_GAMES: Final = 200
"""The games of a quick measurement, half of them in each seat."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The score of a bot in training, and how much it has decided."""

    games: int = member(Whole())
    """Of all its runs."""
    opponent: str = member(OneOf({bot.key: bot.name for bot in BASELINES.values()}))
    first: float = member(Number(0, 1))
    """The chance to win as Player 1, from 0 to 1."""
    second: float = member(Number(0, 1))
    """The chance to win as Player 2, from 0 to 1."""
    decided: int = member(Whole(0, POSITIONS))
    """Canonical positions."""
    sampled: int = member(Whole(), 0)
    """The games that the score was estimated from; 0: it is exact."""
    opening: tuple[float, ...] = member(ListOf(Number(-1, 1)), ())
    """The value of each move on the empty board; empty in files of 1.3."""
    others: tuple[Measured, ...] = member(ListOf(), ())
    """The scores of a snapshot against the other baselines."""
    epsilon: float | None = member(OrNone(Number(0, 1)), None)
    """The exploration rate of the next game, if the plan has one."""
    moved: float | None = member(OrNone(Number(0, 1000)), None)
    """How far a game moved the estimates in all since the point before, if it learns any."""
    wins_taken: float | None = member(OrNone(Number(0, 1)), None)
    """How often it completed a line where it could, in the games of the sample."""
    wins_blocked: float | None = member(OrNone(Number(0, 1)), None)
    """How often its opponent could not complete one then, where other moves would have let it."""

    @classmethod
    def from_json(cls, plain: Any) -> Self:
        """Return the score that `dataclasses.asdict` made *plain* of; raise KindError."""
        point: Self = record_of(cls).check(plain)
        return replace(point, others=tuple(map(cls.from_json, point.others)))

    @property
    def score(self) -> float:
        """The chance to win if the seats are swapped after every game, from 0 to 1."""
        return (self.first + self.second) / 2


class Gauge:
    """Measures a bot that trains by *plan*; what is learned does not depend on that.

    The opponent is the one of the plan. If the plan has several or none, it is Myopic.
    """

    def __init__(self, plan: str) -> None:
        self.policy = BASELINES[plan if plan in BASELINES else "myopic"]
        self._rng = random.Random("gauge")
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
        budget = 150_000 if is_last else 40_000  # positions for each seat
        score = exact_score(Policy(TableBot(table, self._rng).choices), self.policy, budget)
        if score is not None:
            return replace(measured, first=score.first, second=score.second, sampled=0)
        self._exact_from = games * 1.4
        if is_last:
            return self._sampled(table, games, decided, 10 * SAMPLED_GAMES)
        return measured

    def _sampled(self, table: QTable, games: int, decided: int, sample: int) -> Measured:
        """Play a *sample* of games; the bot is Player 1 in the even ones."""
        bot = TableBot(table, self._rng)
        opponent = PolicyBot(self.policy, self._rng)
        won = [0, 0]
        wins: list[bool] = []
        blocks: list[bool] = []
        for seat, game in play_games(bot, opponent, range(sample)):
            won[seat] += game.winner == seat
            for state, action in zip(game.states(), game.actions, strict=True):
                if mover(state) != seat:
                    continue
                if winning := winning_actions(state):
                    wins.append(action in winning)
                elif 0 < len(safe := safe_actions(state)) < len(legal_actions(state)):
                    blocks.append(action in safe)
        return Measured(
            games=games,
            opponent=self.policy.key,
            first=2 * won[0] / sample,
            second=2 * won[1] / sample,
            decided=decided,
            sampled=sample,
            opening=tuple(table.value(EMPTY_BOARD, action) for action in range(CELLS)),
            wins_taken=fmean(wins) if wins else None,
            wins_blocked=fmean(blocks) if blocks else None,
        )
