import multiprocessing
import random
import subprocess
import sys
import unittest
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from tests.kit.external_bots import is_running, wait_until
from tests.kit.samples import PROJECT, tablebase
from traffic_lights.board.rules import mover
from traffic_lights.judging.evaluation import (
    BLOCK_GAMES,
    Row,
    SeatScore,
    blunders_of,
    evaluate,
    wilson_interval,
)
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.bots import PlayedGame, PlayerError, play_game
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
        self.assertIsNone(SeatScore().rate)


class SlipTests(unittest.TestCase):
    def test_slips_are_the_moves_after_which_a_won_position_is_lost(self) -> None:
        rng = random.Random(7)
        seen = 0
        for _ in range(100):
            game = play_game(RANDOM.bot(rng), RANDOM.bot(rng))
            for seat in (0, 1):
                blunders = sum(
                    tablebase().is_won(state) and action not in tablebase().winning_actions(state)
                    for state, action in zip(game.states(), game.actions, strict=True)
                    if mover(state) == seat
                )
                self.assertEqual(blunders_of(game, seat), blunders)
                seen += blunders
        self.assertGreater(seen, 50)

    def test_perfect_players_never_slip_and_win_as_player_2(self) -> None:
        for bot in (EXACT, QBOT):
            for row in result(bot, [RANDOM, MYOPIC, ALTERNATE, EXACT], 60):
                self.assertEqual(row.both.blunders, 0)
                self.assertEqual((row.second.games, row.second.wins), (30, 30))
            self.assertEqual((row.first.wins, row.best), (0, 0.0))


class EvaluationTests(unittest.TestCase):
    def test_rows_add_up_what_the_referee_reports(self) -> None:
        (row,) = result(MYOPIC, [RANDOM], 101, seed=9)
        rng = random.Random("9/random/0")
        one, other = MYOPIC.bot(rng), RANDOM.bot(rng)
        played: list[list[PlayedGame]] = [[], []]
        for number in range(101):
            seat = number % 2
            played[seat].append(play_game(other, one) if seat else play_game(one, other))
        for seat, (score, games) in enumerate(zip((row.first, row.second), played, strict=True)):
            wins = sum(game.winner == seat for game in games)
            blunders = sum(blunders_of(game, seat) for game in games)
            plies = sum(len(game.actions) for game in games)
            self.assertEqual(score, SeatScore(len(games), wins, blunders, plies))
        self.assertEqual(row.distinct, len({game.actions for game in played[0] + played[1]}))

    def test_one_process_and_two_give_the_same_rows(self) -> None:
        bot = Roster().entry("qbot-1000")
        opponents = [MYOPIC, ALTERNATE, QBOT]
        games = 2 * BLOCK_GAMES + 51
        alone = list(evaluate(bot, opponents, games, seed=3, jobs=1))
        together = list(evaluate(bot, opponents, games, seed=3, jobs=2))
        self.assertEqual(alone, together)
        self.assertEqual([row.games for row in alone[:3]], [250, 500, 551])
        self.assertEqual([row.is_complete for row in alone], [False, False, True] * 3)
        self.assertNotEqual(alone, list(evaluate(bot, opponents, games, seed=4, jobs=1)))

    def test_playing_never_writes_a_table(self) -> None:
        for key in ("qbot", "qbot-1000"):
            bot = Roster().entry(key)
            before = contents(bot.q_table())
            result(bot, [RANDOM, MYOPIC, EXACT], 100)
            self.assertEqual(contents(bot.q_table()), before)


class PoolTests(unittest.TestCase):
    def test_closing_keeps_the_rows_and_ends_the_processes(self) -> None:
        before = set(multiprocessing.active_children())
        rows = evaluate(MYOPIC, [RANDOM], 1_000_000, jobs=2)
        self.assertEqual(next(rows).games, BLOCK_GAMES)
        rows.close()
        self.assertEqual(set(multiprocessing.active_children()), before)

    @unittest.skipIf(sys.platform == "win32", "sends a signal that Windows lacks")
    def test_a_process_that_is_killed_ends_the_evaluation_with_a_sentence(self) -> None:
        rows = evaluate(MYOPIC, [RANDOM], 80 * BLOCK_GAMES, jobs=2)
        next(rows)
        multiprocessing.active_children()[0].kill()
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
        command = [sys.executable, "-c", program]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, cwd=PROJECT, text=True, **pipes) as process:
            assert process.stdout is not None
            children = [int(word) for word in process.stdout.readline().split()]
            process.kill()
        self.assertEqual(len(children), 2)
        self.assertTrue(wait_until(lambda: not any(map(is_running, children))))
