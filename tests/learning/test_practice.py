"""Practice finds out how often a lost position still wins, by games whose mean is known."""

import random
import unittest
from functools import cache
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


@cache
def lost_states() -> list[list[State]]:
    """Return the lost positions after one of ply 15, by ply."""
    after = reached_from(2_347_713)
    return [[state for state in states if not tablebase().is_won(state)] for states in after]


def lost_table() -> RowTable:
    """Return a table in which nothing is known but that these positions are lost."""
    table = RowTable()
    for state in (state for states in lost_states() for state in states):
        table.set_lost(state)
    return table


class PracticeTests(unittest.TestCase):
    def expected(self, table: RowTable, opponent: str, after: State) -> float:
        """Return the mean result when *opponent* replies in the position *after* an action."""
        results: list[float] = []
        for reply in REPLIES[opponent](after):
            state = canonical(after + STEPS[reply])
            is_lost = not is_terminal(state) and table.proofs[state] == ALL_LOSE
            best = max(table.win_rate_row(state).values()) if is_lost else 1.0
            results.append(0.0 if is_terminal(state) else best)
        return fmean(results)

    def test_win_rates_are_the_results_of_games_whose_mean_is_the_expectation(self) -> None:
        for opponent in REPLIES if IS_SLOW_RUN else ("myopic",):
            table, log, games = lost_table(), b"", 0
            practice = Practice(table, opponent)
            for number in range(LONGEST_GAME - 2, 14, -1):
                practice.begin([], lost_states()[number + 2])
                batch = practice.play(lost_states()[number], random.Random(f"7/{number}"))
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
            errors = [rate - self.expected(table, opponent, s) for s, rate in known.items()]
            drawn = [error for error in errors if abs(error) > 1e-3]
            self.assertGreater(len(drawn), 50)
            # Five standard deviations of the mean of TRIES results, at most 1/2 each.
            self.assertLess(max(map(abs, drawn)), 5 * 0.5 / TRIES**0.5)
            self.assertLess(abs(fmean(drawn)), 5 * 0.5 / (TRIES * len(drawn)) ** 0.5)
            replayed = lost_table()
            apply_records(replayed, log)
            self.assertEqual(replayed.win_rates, table.win_rates)
