"""Exact scores: equal to a plain recursion over the moves, and the golden ones."""

import random
import unittest
from itertools import product
from typing import Final

from tests.kit.samples import played_states
from tests.kit.trained import shipped
from traffic_lights.board.baselines import ALTERNATE, MYOPIC, RANDOM, Choices, Policy
from traffic_lights.board.exact_score import ExactScore, exact_score, first_chance
from traffic_lights.board.rules import STEPS, State, is_terminal, mover, ply
from traffic_lights.learning.qtable import TableBot
from traffic_lights.players.roster import Roster
from traffic_lights.players.tables import table_strategy

EXACT: Final = Roster().entry("exact").strategy()
YOUNG: Final = shipped("selfplay-10000")
FAVOURING: Final = Policy(lambda state: RANDOM.actions(state) + MYOPIC.actions(state))
LOWEST: Final = Policy(lambda state: RANDOM.actions(state)[:1], is_symmetric=False)
PLAYERS: Final[tuple[tuple[Choices, Policy], ...]] = (
    *((one.actions, one) for one in (RANDOM, MYOPIC, FAVOURING, LOWEST)),
    (TableBot(YOUNG, random.Random(0)).choices, table_strategy(YOUNG)),
)
"""How each plays, and the same as a strategy of the program."""


def naive_chance(state: State, seats: tuple[Choices, Choices], known: dict[State, float]) -> float:
    """Return the chance that Player 1 wins from the live *state*, by plain recursion."""
    if state not in known:
        seat = mover(state)
        afters = [state + STEPS[action] for action in seats[seat](state)]
        chances = [1.0 - seat if is_terminal(s) else naive_chance(s, seats, known) for s in afters]
        known[state] = sum(chances) / len(chances)
    return known[state]


class ExactScoreTests(unittest.TestCase):
    def test_late_games_have_the_chances_of_a_plain_recursion(self) -> None:
        # The rest of the game is small.
        late = sorted({one for one in played_states(random.Random(7), 2000) if ply(one) == 20})
        for start, (one, other) in product(late[:3], product(PLAYERS, repeat=2)):
            expected = naive_chance(start, (one[0], other[0]), {})
            found = first_chance(one[1], other[1], start=start)
            self.assertAlmostEqual(found or 0.0, expected, places=12)

    def test_the_golden_scores_of_the_complete_table_and_which_players_have_none(self) -> None:
        perfect = table_strategy(shipped("complete"))
        assert EXACT is not None
        for opponent, first in (
            (RANDOM, 0.9999999227541932), (MYOPIC, 0.9985460329076888), (EXACT, 0.0),
        ):  # fmt: skip
            self.assertEqual(exact_score(perfect, opponent), ExactScore(first, 1.0))
        self.assertIsNone(exact_score(RANDOM, MYOPIC, budget=5000))
        self.assertIsNone(exact_score(perfect, ALTERNATE), "it tires at a moment that it draws")
