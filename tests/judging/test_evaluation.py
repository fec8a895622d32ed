import multiprocessing
import os
import random
import signal
import subprocess
import sys
import unittest
from collections.abc import Sequence
from copy import deepcopy

from tests.kit.external_bots import is_running, wait_until
from tests.kit.samples import PROJECT, tablebase
from tests.kit.trained import entry_of, shipped
from traffic_lights.judging.evaluation import (
    BLOCK_GAMES,
    Row,
    SeatScore,
    evaluate,
    slips_of,
    wilson_interval,
)
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.bots import PlayerError, play_game
from traffic_lights.players.roster import Entry, Roster

RANDOM, ALTERNATE, MYOPIC, EXACT, QBOT = map(
    Roster().entry, ("random", "alternate", "myopic", "exact", "qbot")
)


def result(
    bot: Entry, opponents: Sequence[Entry], games: int, seed: int = 1, jobs: int = 1
) -> list[Row]:
    """Return the last row against each opponent."""
    rows = {row.opponent.key: row for row in evaluate(bot, opponents, games, seed, jobs)}
    return list(rows.values())


def contents(table: QTable) -> tuple[object, ...]:
    """Return copies of all that *table* holds."""
    rows = (table.proofs, table.estimates, table.win_rates, table.meta)
    return tuple(deepcopy(part) for part in rows)


class IntervalTests(unittest.TestCase):
    def test_known_intervals(self) -> None:
        for wins, games, low, high in ((0, 10, 0, 0.2775), (50, 100, 0.4038, 0.5962),
                                       (10, 10, 0.7225, 1), (1, 1, 0.2065, 1)):  # fmt: skip
            found = wilson_interval(wins, games)
            self.assertAlmostEqual(found[0], low, places=4)
            self.assertAlmostEqual(found[1], high, places=4)

    def test_the_bounds_are_where_the_observed_rate_is_just_credible(self) -> None:
        for wins, games in ((1, 30), (17, 29), (499, 1000), (9999, 10_000)):
            for bound in wilson_interval(wins, games):
                deviation = abs(wins / games - bound) / (bound * (1 - bound) / games) ** 0.5
                self.assertAlmostEqual(deviation, 1.959964, places=6)

    def test_no_win_and_no_loss_reach_the_ends_exactly(self) -> None:
        for games in (1, 3, 7, 1000, 12_345):
            self.assertEqual(wilson_interval(0, games)[0], 0.0)
            self.assertEqual(wilson_interval(games, games)[1], 1.0)
        self.assertEqual(wilson_interval(0, 0), (0.0, 1.0))
        self.assertIsNone(SeatScore(0, 0).rate)


class SlipTests(unittest.TestCase):
    def test_slips_are_the_moves_after_which_a_won_position_is_lost(self) -> None:
        rng = random.Random(7)
        seen = 0
        for _ in range(200):
            game = play_game(RANDOM.bot(rng), RANDOM.bot(rng))
            moves = list(zip(game.states(), game.actions, strict=True))
            for seat in (0, 1):
                slips = sum(
                    tablebase().is_won(state) and action not in tablebase().winning_actions(state)
                    for state, action in moves[seat::2]
                )
                self.assertEqual(slips_of(game, seat, tablebase()), slips)
                seen += slips
        self.assertGreater(seen, 100)

    def test_a_game_from_a_later_position_has_the_right_seats(self) -> None:
        rng = random.Random(8)
        whole = play_game(RANDOM.bot(rng), RANDOM.bot(rng))
        start = next(state for number, state in enumerate(whole.states()) if number == 1)
        for _ in range(50):
            game = play_game(EXACT.bot(rng), RANDOM.bot(rng), start)
            self.assertEqual(slips_of(game, 0, tablebase()), 0)

    def test_the_exact_player_never_slips_and_wins_as_player_2(self) -> None:
        for row in result(EXACT, [RANDOM, MYOPIC, ALTERNATE], 60):
            self.assertEqual(row.slips, 0)
            self.assertEqual(row.second, SeatScore(30, 30))


class EvaluationTests(unittest.TestCase):
    def test_rows_add_up_what_the_referee_reports(self) -> None:
        (row,) = result(MYOPIC, [RANDOM], 101, seed=9)
        rng = random.Random("9/random/0")
        one, other = MYOPIC.bot(rng), RANDOM.bot(rng)
        games = [
            (seat, play_game(other, one) if seat else play_game(one, other))
            for seat in (number % 2 for number in range(101))
        ]
        wins = [sum(game.winner == seat for seat, game in games[i::2]) for i in (0, 1)]
        self.assertEqual((row.first, row.second), (SeatScore(51, wins[0]), SeatScore(50, wins[1])))
        self.assertEqual(row.plies, sum(len(game.actions) for _, game in games))
        self.assertEqual(row.distinct, len({game.actions for _, game in games}))
        self.assertEqual(row.slips, sum(slips_of(game, seat, tablebase()) for seat, game in games))
        self.assertEqual(row.games, 101)
        self.assertEqual(row.wins, sum(wins))
        self.assertEqual(row.interval, wilson_interval(row.wins, 101))
        self.assertAlmostEqual(row.mean_plies, row.plies / 101)
        self.assertAlmostEqual(row.slips_per_game, row.slips / 101)

    def test_figures_fit_those_of_an_independent_program(self) -> None:
        # Measured over 6,000 games of each seat; four standard errors either way.
        myopic, random_row = result(MYOPIC, [MYOPIC, RANDOM], 2000)
        self.assertAlmostEqual(myopic.first.rate or 0, 0.281, delta=0.06)
        self.assertAlmostEqual(myopic.mean_plies, 24.0, delta=0.6)
        self.assertGreater(random_row.rate, 0.99)

    def test_one_process_and_two_give_the_same_rows(self) -> None:
        bot = Roster().entry("qbot-8000")
        opponents = [MYOPIC, ALTERNATE, QBOT]
        games = 2 * BLOCK_GAMES + 51
        alone = list(evaluate(bot, opponents, games, seed=3, jobs=1))
        together = list(evaluate(bot, opponents, games, seed=3, jobs=2))
        self.assertEqual(alone, together)
        self.assertEqual([row.games for row in alone[:3]], [250, 500, 551])
        self.assertEqual([row.is_complete for row in alone], [False, False, True] * 3)
        self.assertNotEqual(alone, list(evaluate(bot, opponents, games, seed=4, jobs=1)))

    def test_playing_never_writes_a_table(self) -> None:
        for name in ("complete", "selfplay-1000"):
            table = shipped(name)
            before = contents(table)
            result(entry_of(table), [RANDOM, MYOPIC, EXACT], 100)
            result(MYOPIC, [entry_of(table)], 100)
            self.assertEqual(contents(table), before)

    def test_the_complete_table_never_loses_as_player_2(self) -> None:
        for row in result(QBOT, [RANDOM, MYOPIC, ALTERNATE, EXACT], 300):
            self.assertEqual(row.second, SeatScore(150, 150))
            self.assertEqual(row.slips, 0)
        self.assertEqual(row.first.wins, 0)
        self.assertEqual(row.best.total, 0.5)

    def test_what_cannot_be_played_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "0 games"):
            next(evaluate(MYOPIC, [RANDOM], 0))
        self.assertEqual(list(evaluate(MYOPIC, [], 10)), [])


class PoolTests(unittest.TestCase):
    def test_closing_keeps_the_rows_and_ends_the_processes(self) -> None:
        before = set(multiprocessing.active_children())
        rows = evaluate(MYOPIC, [RANDOM], 1_000_000, jobs=2)
        row = next(rows)
        self.assertEqual((row.games, row.planned), (BLOCK_GAMES, 1_000_000))
        rows.close()
        self.assertEqual(set(multiprocessing.active_children()), before)

    @unittest.skipIf(sys.platform == "win32", "sends a signal that Windows lacks")
    def test_a_process_that_is_killed_ends_the_evaluation_with_a_sentence(self) -> None:
        rows = evaluate(MYOPIC, [RANDOM], 80 * BLOCK_GAMES, jobs=2)
        next(rows)
        victim = multiprocessing.active_children()[0]
        assert victim.pid is not None
        os.kill(victim.pid, signal.SIGKILL)
        with self.assertRaisesRegex(PlayerError, "use --jobs 1"):
            list(rows)

    def test_no_process_outlives_a_killed_evaluation(self) -> None:
        program = (
            "import multiprocessing as m\n"
            "from traffic_lights.judging.evaluation import evaluate\n"
            "from traffic_lights.players.roster import Roster\n"
            "if __name__ == '__main__':\n"
            "    one, other = map(Roster().entry, ('myopic', 'random'))\n"
            "    for row in evaluate(one, [other], 10**7, jobs=2):\n"
            "        print(*(child.pid for child in m.active_children()), flush=True)\n"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        children = [int(word) for word in process.stdout.readline().split()]
        process.kill()
        process.wait()
        process.stdout.close()
        self.assertEqual(len(children), 2)
        self.assertTrue(wait_until(lambda: not any(map(is_running, children))))
