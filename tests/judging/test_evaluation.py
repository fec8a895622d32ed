"""Scores against others: what is counted, in which process, and how it ends."""

import random
import sys
import tempfile
import unittest
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest import mock

from tests.kit.external_bots import is_running, noted_pids, write_bot
from tests.kit.samples import tablebase, wait_until
from traffic_lights.board.exact_score import BUDGET, ExactScore
from traffic_lights.board.games import PlayedGame, PlayerError, play_game
from traffic_lights.board.rules import Action, State, legal_actions, mover, ply
from traffic_lights.judging import evaluation
from traffic_lights.judging.proof import Walked
from traffic_lights.players.external import Program
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.system.processes import Worker

RANDOM, MYOPIC = map(Roster().entry, ("random", "myopic"))


class SlipTests(unittest.TestCase):
    def test_slips_are_the_moves_after_which_a_won_position_is_lost(self) -> None:
        rng = random.Random(7)
        seen = 0
        for _ in range(30):
            game = play_game(RANDOM.bot(rng), RANDOM.bot(rng))
            for seat in (0, 1):
                blunders = sum(
                    tablebase().is_won(state) and action not in tablebase().winning_actions(state)
                    for state, action in zip(game.states(), game.actions, strict=True)
                    if mover(state) == seat
                )
                self.assertEqual(evaluation.blunders_of(game, seat), blunders)
                seen += blunders
        self.assertGreater(seen, 20)


class EvaluationTests(unittest.TestCase):
    def test_rows_add_up_what_the_referee_reports(self) -> None:
        *_, row = evaluation.evaluate(MYOPIC, [RANDOM], 101, 9)
        rng = random.Random("9/random/0")
        one, other = MYOPIC.bot(rng), RANDOM.bot(rng)
        played: list[list[PlayedGame]] = [[], []]
        for number in range(101):
            seat = number % 2
            played[seat].append(play_game(other, one) if seat else play_game(one, other))
        for seat, (score, games) in enumerate(zip((row.first, row.second), played, strict=True)):
            wins = sum(game.winner == seat for game in games)
            blunders = sum(evaluation.blunders_of(game, seat) for game in games)
            plies = sum(len(game.actions) for game in games)
            self.assertEqual(score, evaluation.SeatScore(len(games), wins, blunders, plies, 0, 0))
        self.assertEqual(row.distinct, len({game.actions for game in played[0] + played[1]}))


class Quitter:
    """Plays the lowest action, and gives up after so many *moves* of a game."""

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def choose(self, state: State) -> Action:
        if ply(state) // 2 >= self.moves:
            raise PlayerError(f"gave up after {self.moves}")
        return legal_actions(state)[0]


class BlockTests(unittest.TestCase):
    def block(self, bot: object, opponent: object, games: range) -> evaluation.Row:
        with mock.patch.object(Entry, "bot", autospec=True) as made:
            made.side_effect = lambda entry, _: {"one": bot, "two": opponent}[entry.key]
            one, two = (Entry(key, key, "", Group.TABLE) for key in ("one", "two"))
            row, _ = evaluation.play_block(one, two, games, 1)
        return row

    def test_who_gives_up_has_forfeited_and_the_first_time_is_kept(self) -> None:
        for moves in range(3):
            row = self.block(Quitter(moves), Quitter(10**6), range(4))
            self.assertEqual((row.first.forfeits, row.second.forfeits), (2, 2))
            self.assertEqual((row.both.wins, row.both.opponent_forfeits), (0, 0))
            self.assertEqual(row.both.plies, 2 * (2 * moves) + 2 * (2 * moves + 1))
            self.assertEqual(row.forfeit, f"gave up after {moves}")
            row = self.block(Quitter(10**6), Quitter(moves), range(4))
            self.assertEqual((row.both.forfeits, row.both.wins), (0, 4))
            self.assertEqual((row.first.opponent_forfeits, row.second.opponent_forfeits), (2, 2))


class ExactTests(unittest.TestCase):
    def test_who_compares_bots_has_all_sampled_scores_before_the_slow_exact_ones(self) -> None:
        with mock.patch("traffic_lights.judging.evaluation.exact_score") as computed:
            computed.return_value = ExactScore(0.5, 0.5)
            rows = list(evaluation.evaluate_pairs([(RANDOM, MYOPIC), (MYOPIC, RANDOM)], 2, 7))
        keys = [(row.bot.key, row.opponent.key, row.exact is not None) for row in rows]
        one, two = ("random", "myopic"), ("myopic", "random")
        self.assertEqual(keys, [(*one, False), (*two, False), (*one, True), (*two, True)])
        self.assertEqual([row.is_final for row in rows], [False, False, True, True])
        self.assertEqual(computed.call_args[0][2], BUDGET)

    def test_a_bot_whose_moves_are_not_known_is_neither_proved_nor_beaten(self) -> None:
        program = Entry("x", "My Bot", "", Group.PROGRAM, plays_by=Program("x"))
        for task in (evaluation.prove_bot, evaluation.beat_bot):
            with self.assertRaisesRegex(
                PlayerError, "^the possible moves of My Bot are not known$"
            ):
                next(iter(task(program)))
        self.assertEqual(next(iter(evaluation.prove_bot(RANDOM))), Walked(0, 0, 1, 0))


THINKING = "note('asked'); time.sleep(600)"
PARENT = "open('parents', 'a').write(f'{os.getppid()}\\n')"
"""Code of a bot: it never answers, and it notes which process started it."""


@unittest.skipIf(sys.platform == "win32", "a process that is ended there cannot end its bot")
class EndTests(unittest.TestCase):
    """However an evaluation ends while external bots think, it ends soon and leaves no process."""

    def test_a_closed_window_ends_it_too(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        bot = Roster().resolve(write_bot(folder, at_start=PARENT, at_go=THINKING))
        assert isinstance(bot.plays_by, Program)
        bot = replace(bot, plays_by=replace(bot.plays_by, move_s=600.0))
        worker = Worker(
            evaluation.evaluation_process,
            partial(evaluation.evaluate_pairs, ((bot, RANDOM),), 100, 1),
        )
        wait_until((folder / "asked").exists, "the bot is asked to move")
        started = (folder / "parents").read_text().split()
        pids = [*noted_pids(folder), *map(int, started)]
        worker.close()
        wait_until(lambda: not any(map(is_running, pids)), "the evaluation and its bot have ended")
