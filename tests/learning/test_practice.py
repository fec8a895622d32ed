"""Practice finds out how often a lost position still wins, by games whose mean is known."""

import random
import unittest
from itertools import chain
from statistics import fmean

from tests.kit.runs import reached_from
from tests.kit.samples import IS_SLOW_RUN, tablebase
from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import LONGEST_GAME, STEPS, State, is_terminal, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.deltas import apply_records
from traffic_lights.learning.practice import TRIES, Practice
from traffic_lights.learning.rowtable import ALL_LOSE, RowTable

REPLIES = {key: bot.actions for key, bot in BASELINES.items() if not bot.tires}


def expected(table: RowTable, opponent: str, after: State) -> float:
    """Return the mean result when *opponent* replies in the position *after* an action."""
    results: list[float] = []
    for reply in REPLIES[opponent](after):
        state = canonical(after + STEPS[reply])
        is_lost = not is_terminal(state) and table.proofs[state] == ALL_LOSE
        best = max(table.win_rate_row(state).values()) if is_lost else 1.0
        results.append(0.0 if is_terminal(state) else best)
    return fmean(results)


class PracticeTests(unittest.TestCase):
    def test_win_rates_are_the_results_of_games_whose_mean_is_the_expectation(self) -> None:
        is_won = tablebase().is_won
        lost = [[s for s in states if not is_won(s)] for states in reached_from(2_347_713)]
        for opponent in REPLIES if IS_SLOW_RUN else ("myopic",):
            table, replayed = RowTable(), RowTable()
            for state in chain.from_iterable(lost):  # nothing else is known
                table.set_lost(state)
                replayed.set_lost(state)
            practice, log, games = Practice(table, opponent), b"", 0
            for number in range(LONGEST_GAME - 2, 14, -1):
                practice.begin([], lost[number + 2])
                batch = practice.play(lost[number], random.Random(f"7/{number}"))
                log += batch.records
                games += batch.games
            known: dict[State, float] = {}
            for state in table.win_rates:
                row = table.win_rate_row(state)
                self.assertEqual(tuple(row), legal_actions(state))
                for action, rate in row.items():
                    # Actions that lead to one position share one win rate.
                    after = canonical(state + STEPS[action])
                    self.assertEqual(known.setdefault(after, rate), rate)
            self.assertEqual(games, TRIES * len(known))
            errors = [rate - expected(table, opponent, s) for s, rate in known.items()]
            drawn = [error for error in errors if abs(error) > 1e-3]
            self.assertGreater(len(drawn), 50)
            # Five standard deviations of the mean of TRIES results, at most 1/2 each.
            self.assertLess(max(map(abs, drawn)), 5 * 0.5 / TRIES**0.5)
            self.assertLess(abs(fmean(drawn)), 5 * 0.5 / (TRIES * len(drawn)) ** 0.5)
            apply_records(replayed, log)
            self.assertEqual(replayed.win_rates, table.win_rates)
