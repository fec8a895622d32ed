"""The library: one import, no side effects, and the same answers as the parts that it calls."""

import random
import tempfile
import unittest
from datetime import date
from itertools import islice
from pathlib import Path

import traffic_lights as tl
from tests.kit.samples import played_states, tablebase
from traffic_lights.board.rules import format_board, is_terminal, legal_actions
from traffic_lights.learning.tablefile import read_table
from traffic_lights.train import main as train_command


class Corner:
    """A student's own policy, which prefers corners and does not treat mirror images alike."""

    def moves(self, board: tl.Board) -> tuple[str, ...]:
        return tuple(c for c in ("a1", "d3") if c in board.legal_moves) or board.legal_moves[:1]

    def choose(self, board: tl.Board) -> str:
        return self.moves(board)[0]


class ImportTests(unittest.TestCase):
    def test_a_command_of_the_same_name_does_not_hide_a_function(self) -> None:
        self.assertTrue(callable(train_command))
        self.assertTrue(all(map(callable, (tl.train, tl.evaluate, tl.solve))))
        with self.assertRaises(AttributeError):
            _ = tl.nothing


class BoardTests(unittest.TestCase):
    def test_a_board_is_its_text_and_its_number(self) -> None:
        for state in played_states(random.Random(7), 200):
            board = tl.Board(format_board(state))
            self.assertEqual((int(board), tl.Board(str(board))), (state, board))
            self.assertEqual(len(board.legal_moves), len(legal_actions(state)))
            self.assertEqual(board.winner is not None, is_terminal(state))

    def test_a_finished_board_refuses_moves(self) -> None:
        over = tl.Board("1100/0000/0000").play("c1")
        bot = tl.player("myopic")
        self.assertEqual((over.winner, over.legal_moves), (1, ()))
        for refused in (lambda: over.play("d1"), lambda: tl.solve(over), lambda: bot.choose(over)):
            with self.assertRaisesRegex(ValueError, "the game is over"):
                refused()
        for wrong in ("e1", "", "a1 "):
            with self.assertRaises(ValueError):
                tl.Board("3000/0000/0000").play(wrong)

    def test_it_solves_like_the_solver(self) -> None:
        for state in played_states(random.Random(8), 50):
            solution = tl.solve(tl.Board(format_board(state)))
            self.assertEqual(tl.solve(format_board(state)), solution)
            distance = tablebase().get_distance(state)
            self.assertEqual((solution.wins, solution.plies), (distance % 2 == 1, distance))
            self.assertTrue(solution.best)
        self.assertEqual(tl.solve().plies, 26)

    def test_a_puzzle_has_one_winning_move_and_a_day_has_the_same_in_either_form(self) -> None:
        for puzzle in islice(tl.puzzles(seed=7), 100):
            solution = tl.solve(puzzle.board)
            self.assertEqual((solution.wins, solution.best), (True, (puzzle.best,)))
            self.assertEqual(solution.plies, 2 * puzzle.wins_in - 1)
        self.assertEqual(
            tl.puzzle_of_the_day(date(2026, 11, 23)), tl.puzzle_of_the_day("2026-11-23")
        )
        with self.assertRaises(ValueError):
            tl.puzzle_of_the_day("tomorrow")


class PlayTests(unittest.TestCase):
    def test_anything_that_chooses_can_play(self) -> None:
        game = tl.play_game(Corner(), tl.player("myopic", seed=3))
        board = tl.Board()
        for cell in game.moves:
            board = board.play(cell)
        self.assertEqual(board.winner, game.winner)

    def test_an_exact_score_is_what_sampling_approaches(self) -> None:
        pair = Corner(), "myopic"
        exact, sample = tl.exact_score(*pair), tl.evaluate(*pair, games=400, seed=5)
        assert exact is not None
        low, high = sample.interval
        self.assertTrue(low - 0.03 < exact.total < high + 0.03, (exact, sample))

    def test_a_player_without_known_moves_has_no_exact_score(self) -> None:
        class Plain:
            def choose(self, board: tl.Board) -> str:
                return board.legal_moves[0]

        with self.assertRaisesRegex(TypeError, "moves"):
            tl.exact_score(Plain(), "random")
        self.assertIsNone(tl.exact_score("random", "random", budget=10))

    def test_unknown_players_and_files_are_plain_value_errors(self) -> None:
        for name in ("nobody", Path("missing.json")):
            with self.assertRaisesRegex(Exception, str(name)):
                tl.player(name)


class BotTests(unittest.TestCase):
    def test_training_gives_the_table_of_the_command_with_progress(self) -> None:
        points: list[int] = []
        bot = tl.train(
            "myopic", 3000, seed=5, every=1000, on_progress=lambda p: points.append(p.games)
        )
        self.assertEqual(points, [1000, 2000, 3000])
        with tempfile.TemporaryDirectory() as folder:
            train_command(
                ["--opponent", "myopic", "--games", "3000", "--seed", "5", "--quiet",
                 "--dir", folder]
            )  # fmt: skip
            bot.save(Path(folder) / "mine.json")
            rows = [read_table(Path(folder) / f"{n}.json") for n in ("qtable", "mine")]
            again = tl.QBot.load(f"{folder}/mine.json", seed=1)
        self.assertEqual([*rows[0].states()], [*rows[1].states()])
        for state in rows[0].states():
            self.assertEqual(rows[0].canonical_row(state), rows[1].canonical_row(state))
        self.assertEqual(set(again.values(tl.Board())), set(tl.Board().legal_moves))
        self.assertIn(again.choose(tl.Board()), again.moves(tl.Board()))

    def test_a_bot_can_be_loaded_as_it_was(self) -> None:
        bot, young = tl.train("myopic", 2000, seed=5), tl.train("myopic", 70, seed=5)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mine.json"
            bot.save(path)
            then = tl.QBot.load(path, games=70)
        self.assertEqual(then.values(tl.Board()), young.values(tl.Board()))

    def test_wrong_settings_are_plain_value_errors(self) -> None:
        with self.assertRaisesRegex(ValueError, "alpha"):
            tl.train("myopic", 10, alpha=7.0)


class EnvTests(unittest.TestCase):
    def test_games_end_with_a_reward_and_seats_alternate(self) -> None:
        env, rng, seats = tl.Env("myopic"), random.Random(1), []
        for game in range(20):
            observation, info = env.reset(seed=game)
            seats.append(info["seat"])
            done = False
            while not done:
                self.assertEqual([int(c < 3) for c in observation], info["action_mask"])
                legal = [a for a, flag in enumerate(info["action_mask"]) if flag]
                observation, reward, done, truncated, info = env.step(rng.choice(legal))
                self.assertEqual((done, truncated), (reward != 0, False))
            with self.assertRaisesRegex(ValueError, "over"):
                env.step(0)
        self.assertEqual(seats, [1, 2] * 10)

    def test_a_seed_repeats_the_opponent(self) -> None:
        def play(seed: int) -> list[tuple[int, ...]]:
            env = tl.Env("myopic", seat=1)
            env.reset(seed=seed)
            return [env.step(action)[0] for action in (5, 6)]

        self.assertEqual(play(3), play(3))
