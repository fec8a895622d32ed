"""Scores against others: what is counted, in which process, and how it ends."""

import random
import sys
import unittest
from dataclasses import replace
from functools import partial
from unittest import mock

from tests.kit.external_bots import is_running, noted_pids, write_bot
from tests.kit.samples import FolderTestCase, tablebase, wait_until
from traffic_lights.board.exact_score import BUDGET, ExactScore
from traffic_lights.board.games import PlayedGame, PlayerError, play_game
from traffic_lights.board.rules import mover
from traffic_lights.judging import evaluation
from traffic_lights.judging.proof import Walked
from traffic_lights.players.external import Program
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.system.processes import Worker

RANDOM, MYOPIC = map(Roster().entry, ("random", "myopic"))


def blunders_of(game: PlayedGame, seat: int) -> int:
    """Return how many moves of *seat* lost a position that was won."""
    return sum(
        tablebase().is_won(state) and action not in tablebase().winning_actions(state)
        for state, action in zip(game.states(), game.actions, strict=True)
        if mover(state) == seat
    )


class EvaluationTests(unittest.TestCase):
    def test_rows_add_up_what_the_referee_reports(self) -> None:
        bots = beginner, casual = [*map(Roster().entry, ("beginner", "casual"))]
        *_, row = evaluation.evaluate([(beginner, casual)], 101, 9)
        rng = random.Random("9/casual/0")
        one, other = (bot.bot(rng) for bot in bots)
        played: list[list[PlayedGame]] = [[], []]
        for number in range(101):
            seat = number % 2
            played[seat].append(play_game(other, one) if seat else play_game(one, other))
        for seat, (score, games) in enumerate(zip((row.first, row.second), played, strict=True)):
            wins = sum(game.winner == seat for game in games)
            blunders = sum(blunders_of(game, seat) for game in games)
            plies = sum(len(game.actions) for game in games)
            self.assertGreater(min(wins, blunders), 5, "each sum has something to add up")
            self.assertEqual(score, evaluation.SeatScore(len(games), wins, blunders, plies))
        self.assertEqual(row.distinct, len({game.actions for game in played[0] + played[1]}))


class ExactTests(unittest.TestCase):
    def test_who_compares_bots_has_all_sampled_scores_before_the_slow_exact_ones(self) -> None:
        with mock.patch("traffic_lights.judging.evaluation.exact_score") as computed:
            computed.return_value = ExactScore(0.5, 0.5)
            rows = [*evaluation.evaluate([(RANDOM, MYOPIC), (MYOPIC, RANDOM)], 2, 7, budget=BUDGET)]
        keys = [(row.bot.key, row.opponent.key, row.exact is not None) for row in rows]
        one, two = ("random", "myopic"), ("myopic", "random")
        self.assertEqual(keys, [(*one, False), (*two, False), (*one, True), (*two, True)])
        self.assertEqual([row.is_final for row in rows], [False, False, True, True])
        self.assertEqual(computed.call_args[0][2], BUDGET)

    def test_a_bot_whose_moves_are_not_known_is_neither_proved_nor_beaten(self) -> None:
        program = Entry("x", "Mine", "", Group.PROGRAM, plays_by=Program("x"))
        for task in (evaluation.prove_bot, evaluation.beat_bot):
            with self.assertRaisesRegex(PlayerError, "^the possible moves of Mine are not known$"):
                next(iter(task(program)))
        self.assertEqual(next(iter(evaluation.prove_bot(RANDOM))), Walked(0, 0, 1, 0))


THINKING = "note('asked'); time.sleep(600)"
PARENT = "open('parents', 'a').write(f'{os.getppid()}\\n')"
"""Code of a bot: it never answers, and it notes which process started it."""


@unittest.skipIf(sys.platform == "win32", "a process that is ended there cannot end its bot")
class EndTests(FolderTestCase):
    """However an evaluation ends while external bots think, it ends soon and leaves no process."""

    def test_a_closed_window_ends_it_too(self) -> None:
        bot = Roster().resolve(write_bot(self.folder, at_start=PARENT, at_go=THINKING))
        assert isinstance(bot.plays_by, Program)
        bot = replace(bot, plays_by=replace(bot.plays_by, move_s=600.0))
        worker = Worker(
            evaluation.evaluation_process, partial(evaluation.evaluate, ((bot, RANDOM),), 100, 1)
        )
        wait_until((self.folder / "asked").exists, "the bot is asked to move")
        started = (self.folder / "parents").read_text().split()
        pids = [*noted_pids(self.folder), *map(int, started)]
        worker.close()
        wait_until(lambda: not any(map(is_running, pids)), "the evaluation and its bot have ended")
