"""The library: one import, no side effects, and the same answers as the parts that it calls."""

import base64
import contextlib
import copy
import io
import json
import os
import pickle
import pydoc
import random
import shlex
import subprocess
import sys
import tempfile
import threading
import unittest
from collections.abc import Callable
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal
from unittest import mock
from xml.etree import ElementTree

import traffic_lights as tl
from tests.kit.external_bots import write_bot
from tests.kit.samples import PROJECT, played_states, tablebase
from traffic_lights.board.rules import (
    draw_board,
    format_board,
    is_terminal,
    legal_actions,
    parse_cell,
)
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import read_meta, read_table
from traffic_lights.library import players
from traffic_lights.play import game as records
from traffic_lights.players.roster import Roster
from traffic_lights.train import main as train_command
from traffic_lights.training import store
from traffic_lights.training.folder import TABLE
from traffic_lights.training.settings import SETTINGS


class Corner:
    """A student's own policy, which prefers corners and does not treat mirror images alike."""

    def __init__(self) -> None:
        self.openings = 0
        """In how many games it made the first move."""

    def moves(self, board: tl.Board) -> tuple[str, ...]:
        return tuple(c for c in ("a1", "d3") if c in board.legal_moves) or board.legal_moves[:1]

    def choose(self, board: tl.Board) -> str:
        self.openings += board == tl.Board()
        return self.moves(board)[0]


class Player:
    """A player with the methods that a test gives it."""

    def __init__(self, choose: Callable[..., Any], moves: Callable[..., Any] | None = None) -> None:
        self.choose = choose
        if moves is not None:
            self.moves = moves


def python(*words: str) -> str:
    """Return what this Python prints if it is started with *words*."""
    done = subprocess.run(
        [sys.executable, *words], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return done.stdout


class ImportTests(unittest.TestCase):
    def test_a_module_of_the_same_name_does_not_hide_a_function(self) -> None:
        code = """if True:
            import importlib, pkgutil, traffic_lights as tl
            doubled = {module.name for module in pkgutil.iter_modules(tl.__path__)} & {*tl.__all__}
            modules = [importlib.import_module("traffic_lights." + name) for name in doubled]
            assert len(doubled) == 4
            assert all(callable(getattr(tl, name)) for name in doubled)
            from traffic_lights.players.roster import Roster
            from traffic_lights.train import main
            assert all(callable(getattr(tl, name)) for name in doubled)
            assert main.__module__ == "traffic_lights.train"
        """
        python("-c", code)

    def test_the_package_is_an_ordinary_module_that_a_function_can_take_along(self) -> None:
        # Packages that send functions to other processes know a module only by its exact type.
        self.assertIs(type(tl), type(sys))

    def test_a_misspelt_name_is_an_error_and_completion_offers_only_the_library(self) -> None:
        with self.assertRaisesRegex(AttributeError, "nothing"):
            _ = tl.nothing  # type: ignore[attr-defined]  # a type checker finds it as well
        public = {name for name in dir(tl) if not name.startswith("_")}
        self.assertEqual(public, set(tl.__all__))

    def test_the_help_of_training_lists_the_settings(self) -> None:
        of_train = " ".join(pydoc.plain(pydoc.render_doc(tl.train)).split())
        for name, info in SETTINGS.items():
            parameter = "opponent" if name == "plan" else name
            described = of_train[of_train.index(f"{parameter}: {info.help}; ") :]
            self.assertIn(info.kind.must.removeprefix("one of "), described[:400])


class BoardTests(unittest.TestCase):
    def test_a_board_is_its_text_and_its_number(self) -> None:
        for state in played_states(random.Random(7), 200):
            board = tl.Board(format_board(state))
            self.assertEqual(int(board), state)
            for same in (board.text, str(board), board.colours, [*board.colours], board):
                self.assertEqual(tl.Board(same), board)
            self.assertEqual({board: 1, tl.Board(board.text): 2}, {board: 2})
            self.assertEqual(len(board.legal_moves), len(legal_actions(state)))
            self.assertEqual(board.winner is not None, is_terminal(state))
            self.assertEqual(board.draw(), draw_board(state))
            self.assertEqual([board[cell] for cell in tl.CELLS], [*board.colours])
            self.assertEqual("".join(map(str, board.colours)), format_board(state))

    def test_a_board_is_gone_through_by_its_cells(self) -> None:
        board = tl.Board("1200/0000/0000")
        self.assertEqual({cell: board[cell] for cell in board}["b1"], 2)
        self.assertTrue("a1" in board and "z9" not in board)
        self.assertNotEqual(board, tl.Board())

    def test_a_finished_board_refuses_moves(self) -> None:
        over = tl.Board("1100/0000/0000").play("c1")
        bot = tl.player("myopic")
        shipped = tl.QBot.load(PROJECT / "qtables" / "myopic-200.json")
        self.assertEqual((over.winner, over.legal_moves, shipped.values(over)), (1, (), {}))
        for refused in (
            lambda: over.play("d1"),
            lambda: tl.solve(over),
            lambda: bot.choose(over),
            lambda: shipped.moves(over),
        ):
            with self.assertRaisesRegex(ValueError, "the game is over in 1110/0000/0000; use a"):
                refused()
        for wrong in ("e1", "", "a1 "):
            with self.assertRaises(ValueError):
                tl.Board("3000/0000/0000").play(wrong)

    def test_a_board_that_cannot_arise_is_refused(self) -> None:
        # A move may complete two lines, but only if both have its cell.
        self.assertEqual(tl.Board("1110/1000/1000").winner, 1)
        for text in ("1110/0000/1110", "3333/3333/3333", "2220/0000/0111"):
            with self.assertRaisesRegex(ValueError, "cannot arise"):
                tl.Board(text)

    def test_mirror_images_have_one_canonical_board(self) -> None:
        for state in played_states(random.Random(9), 50):
            for image in orbit(state):
                board = tl.Board(format_board(image))
                self.assertEqual(int(board.canonical), canonical(state))

    def test_it_solves_like_the_solver(self) -> None:
        for state in played_states(random.Random(8), 50):
            solution = tl.solve(tl.Board(format_board(state)))
            self.assertEqual(tl.solve(format_board(state)), solution)
            distance = tablebase().get_distance(state)
            self.assertEqual((solution.wins, solution.plies), (distance % 2 == 1, distance))
            self.assertEqual(hash(tl.solve(format_board(state))), hash(solution))
            found = {parse_cell(cell): plies for cell, plies in solution.distances.items()}
            self.assertEqual(found, tablebase().action_distances(state))
            self.assertTrue(solution.best)
            self.assertEqual(max(solution.values.values()), 1.0 if solution.wins else -1.0)
            self.assertEqual({solution.values[cell] for cell in solution.best}, {1.0} if
                             solution.wins else {-1.0})  # fmt: skip
            self.assertEqual(tuple(solution.values), solution.values.board.legal_moves)
        self.assertEqual(tl.solve().plies, 26)


class PictureTests(unittest.TestCase):
    """In a notebook boards, games and values are pictures."""

    def texts(self, shown: Any) -> str:
        """Return the texts in the picture of *shown*, apart from its title."""
        root = ElementTree.fromstring(shown._repr_svg_())
        return " ".join(element.text or "" for element in root.iter() if element.tag[-4:] == "text")

    def test_a_downloaded_notebook_shows_pictures_too(self) -> None:
        # Notebooks that are not trusted show an image of HTML, and no SVG.
        puzzle = next(tl.puzzles(seed=1))
        for thing in (puzzle.board, puzzle, tl.Game.parse("a1"), tl.solve(), tl.solve().values):
            (image,) = ElementTree.fromstring(f"<p>{thing._repr_html_()}</p>")
            self.assertEqual(image.tag, "img")
            start, _, data = image.get("src", "").partition(",")
            self.assertEqual(start, "data:image/svg+xml;base64")
            self.assertEqual(base64.b64decode(data).decode(), thing.svg())
            self.assertEqual(image.get("alt", "").split(), thing.draw().split())

    def test_a_game_shows_its_last_move_and_its_line(self) -> None:
        game = tl.Game.parse("a1 b1 c1")
        self.assertIn('data-last="c1"', game._repr_svg_())
        self.assertIn('data-line="a1-c1"', game._repr_svg_())
        self.assertNotIn("data-last", tl.Board()._repr_svg_())

    def test_a_move_that_stands_at_0_differs_from_one_that_was_never_tried(self) -> None:
        table = RowTable()
        for action, value in ((0, 0.5), (1, 0.0), (3, -1.0), (4, -0.0001)):
            table.set_value(1 << 10, action, value)
        values = tl.QBot(table).values(format_board(1 << 10))
        self.assertEqual(values, {"a1": 0.5, "b1": 0.0, "d1": -1.0, "a2": -0.0001})
        self.assertEqual(values.draw().split().count("-"), 8)
        self.assertEqual(self.texts(values).split().count("–"), 8)


class GameTests(unittest.TestCase):
    def test_a_game_is_its_record(self) -> None:
        for seed in range(20):
            game = tl.play_game("random", "myopic", seed=seed)
            self.assertEqual(tl.Game.parse(str(game)), game)
            self.assertEqual(tl.Game.parse(" ".join(game.moves)).moves, game.moves)
            self.assertEqual(hash(tl.Game.parse(str(game))), hash(game))
            self.assertEqual(game.players, ("Random", "Myopic"))
            self.assertEqual(str(game), records.format_record(records.parse_record(str(game))))
            boards = [tl.Board()]
            for cell in game.moves:
                boards.append(boards[-1].play(cell))
            self.assertEqual((game.boards, game.winner), (tuple(boards), boards[-1].winner))

    def test_what_a_record_of_the_window_says_is_kept(self) -> None:
        text = (
            "Traffic Lights 1\nPlayer 1: Anna [human]\nPlayer 2: QBot [qbot]\nDate: 2026-11-23\n"
            "Start: 1000/0000/0000\nHints: 2\n\n1... b2 2. c1\n"
        )
        game = tl.Game.parse(text.replace("\n", "\r\n"))
        self.assertEqual(str(game), text)
        self.assertEqual((game.players, game.moves), (("Anna", "QBot"), ("b2", "c1")))
        self.assertEqual(repr(game), "<game b2 c1>")
        self.assertNotEqual(game, tl.Game.parse(text.replace("Hints: 2\n", "")))
        self.assertNotEqual(game, text)

    def test_players_of_any_kind_have_a_name_in_the_record(self) -> None:
        table = PROJECT / "qtables" / "myopic-200.json"
        game = tl.play_game(Corner(), table, seed=1)
        self.assertEqual(game.players, ("Corner", "myopic-200.json"))
        self.assertIn("Player 1: Corner [bot:Corner]\n", str(game))
        self.assertIn("Player 2: myopic-200.json [bot:myopic-200.json]\n", str(game))
        self.assertEqual(tl.Game.parse(str(game)), game)


class PuzzleTests(unittest.TestCase):
    def test_a_puzzle_is_solved_by_its_one_winning_move(self) -> None:
        for puzzle in islice(tl.puzzles(seed=5), 5):
            solution = tl.solve(puzzle.board)
            self.assertEqual(solution.best, (puzzle.best,))
            self.assertEqual([*solution.values.values()].count(1.0), 1)
            self.assertEqual(solution.plies, 2 * puzzle.wins_in - 1)

    def test_a_day_may_be_a_date_or_its_text(self) -> None:
        day = date(2026, 11, 23)
        self.assertEqual(tl.puzzle_of_the_day("2026-11-23"), tl.puzzle_of_the_day(day))
        with self.assertRaises(ValueError):
            tl.puzzle_of_the_day("today")


class PlayTests(unittest.TestCase):
    def test_every_player_has_a_description(self) -> None:
        listed = tl.players()
        self.assertEqual(next(iter(listed)), "beginner")
        self.assertLessEqual({entry.key for entry in Roster().entries()}, set(listed))
        for key, about in listed.items():
            self.assertRegex(about, r"^[A-Z].*: .+\.$", key)

    def test_a_program_that_was_added_meanwhile_is_listed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            roster = Roster(Path(folder))
            with mock.patch.object(players, "_roster", return_value=roster):
                self.assertNotIn("program:Mine", tl.players())
                row = {"command": "./mine", "name": "Mine"}
                Path(folder, "user.json").write_text(json.dumps({"programs": [row]}))
                self.assertRegex(tl.players()["program:Mine"], "^Mine: ")

    def test_the_seats_are_swapped_after_every_game(self) -> None:
        corner = Corner()
        sample = tl.evaluate(corner, "random", games=9)
        self.assertEqual((corner.openings, sample.games), (5, 9))
        # Perfect never loses as Player 2, and no player loses against it as Player 1 and wins then.
        sample = tl.evaluate("perfect", "perfect", games=10)
        self.assertEqual((sample.wins, sample.rate, sample.forfeits), (5, 0.5, 0))
        low, high = sample.interval
        self.assertTrue(0 < low < 0.5 < high < 1)

    def test_a_seed_decides_every_game(self) -> None:
        bot = tl.train("random", 100, seed=1)
        for one, other in ((bot, "random"), ("random", tl.player("myopic")), ("qbot", "alternate")):
            first = tl.evaluate(one, other, games=40, seed=3)
            self.assertEqual(tl.evaluate(one, other, games=40, seed=3), first)
            game = tl.play_game(one, other, seed=3)
            self.assertEqual(tl.play_game(one, other, seed=3), game)
            games = {tl.play_game(one, other, seed=seed) for seed in range(9)}
            self.assertGreater(len(games), 1)
        self.assertEqual(tl.player("random", seed=4).choose(tl.Board()),
                         tl.player("random", seed=4).choose(tl.Board()))  # fmt: skip

    def test_games_can_begin_at_a_board_near_the_end(self) -> None:
        start = tl.Board("1130/2000/0000")
        game = tl.play_game("random", "myopic", seed=1, start=start)
        self.assertEqual((game.boards[0], game.players), (start, ("Random", "Myopic")))
        self.assertEqual(game.boards[1].turn, 1, "Player 2 made the first move")
        self.assertEqual(tl.Game.parse(str(game)), game)
        # Player 1 can complete a line here, which a Corner does not see.
        self.assertEqual(tl.evaluate("perfect", Corner(), games=9, start="1100/0000/0000").wins, 9)

    def test_a_player_that_explores_is_scored_by_its_probabilities(self) -> None:
        class Weighted(Corner):
            """Plays the first cell that a Corner may choose, and the others, with *chances*."""

            def __init__(self, *chances: float) -> None:
                self.chances = chances

            def moves(self, board: tl.Board) -> Any:
                cells = Corner.moves(self, board)
                chances = self.chances if len(cells) == len(self.chances) else (1.0,)
                return dict(zip(cells, chances, strict=True))

        class Last(Corner):
            def moves(self, board: tl.Board) -> tuple[str, ...]:
                return board.legal_moves[-2:]

        equal = tl.exact_score(Corner(), Last())
        self.assertEqual(tl.exact_score(Weighted(0.5, 0.5), Last()), equal)
        self.assertNotEqual(tl.exact_score(Weighted(1, 0), Last()), equal)
        for expected, chances in (
            ("^the probability of a1 in Weighted.moves is 2; it must be ", (2, 0)),
            ("^the probabilities of Weighted.moves on .* add up to 0.9; it must be 1", (0.5, 0.4)),
        ):
            with self.assertRaisesRegex(ValueError, expected):
                tl.exact_score(Weighted(*chances), Last())

    def test_a_move_of_probability_0_is_not_followed_in_an_exact_score(self) -> None:
        class First(Corner):
            def moves(self, board: tl.Board) -> Any:
                return {cell: float(cell == board.legal_moves[0]) for cell in board.legal_moves}

        most_positions = 36  # as many as a game has moves
        score = tl.exact_score(First(), First(), budget=most_positions)
        self.assertEqual(score.first + score.second, 1.0)

    def test_a_table_has_one_exact_score_however_it_is_given(self) -> None:
        perfect = tl.QBot.load(PROJECT / "qtables" / "complete.json")
        own = Player(perfect.choose, perfect.moves)
        exact, other = tl.exact_score(perfect, Corner()), tl.exact_score(own, Corner())
        self.assertAlmostEqual(exact.first, other.first, 12)
        # A perfect bot never loses as Player 2, whatever a player of any kind does.
        self.assertEqual(exact.second, 1.0)
        self.assertAlmostEqual(other.second, 1.0, 12)

    def test_a_long_exact_score_shows_how_far_it_is_and_ends_with_a_sentence(self) -> None:
        counts: list[int] = []
        with self.assertRaisesRegex(ValueError, "^more than 30,000 positions can arise; give a la"):
            tl.exact_score("random", Corner(), budget=30_000, on_progress=counts.append)
        self.assertGreater(len(counts), 3)
        self.assertEqual(counts, sorted({*counts, 1}))

    def test_a_player_without_known_moves_has_no_exact_score(self) -> None:
        plain = Player(lambda board: board.legal_moves[0])
        with self.assertRaisesRegex(TypeError, "possible moves of <player Player> .*moves"):
            tl.exact_score("random", plain)

    def test_a_program_that_fails_loses_its_games(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            command = write_bot(Path(folder), at_go="say('move z9')")
            with self.assertRaisesRegex(tl.PlayerError, "'z9', which is not a cell"):
                tl.play_game("random", command)
            sample = tl.evaluate(command, "random", games=2)
            self.assertEqual((sample.forfeits, sample.rate), (2, 0.0))
            self.assertRegex(sample.first_forfeit, "'z9', which is not a cell")

    def test_a_program_that_never_is_ready_is_an_error_and_not_a_weak_player(self) -> None:
        command = shlex.join([sys.executable, "nofile.py"])
        with self.assertRaisesRegex(tl.PlayerError, "ended with exit status 2.*nofile.py"):
            tl.evaluate(command, "random", games=2)

    def test_every_player_of_the_program_says_among_which_moves_it_chooses(self) -> None:
        board = tl.Board("1230/0000/0100")
        for key in ("beginner", "perfect", "alternate", "exact", "qbot-200", "horizon-4"):
            player = tl.player(key, seed=1)
            chosen = {player.choose(board) for _ in range(300)}
            self.assertEqual(chosen, {*player.moves(board)}, key)

    def test_unknown_players_and_files_are_plain_value_errors(self) -> None:
        for name in ("nobody", Path("missing.json")):
            with self.assertRaisesRegex(ValueError, str(name)):
                tl.player(name)
        with self.assertRaisesRegex(tl.PlayerError, "^unknown player 'Miopic' .*choose beginner, "):
            tl.player("Miopic")
        with self.assertRaisesRegex(tl.StorageError, "missing.json"):
            tl.QBot.load("missing.json")


class BotTests(unittest.TestCase):
    def test_training_gives_the_table_of_the_command_with_progress(self) -> None:
        points: list[int] = []
        bot = tl.train(
            "myopic", 3_000, seed=5, every=2_000, on_progress=lambda p: points.append(p.games)
        )
        self.assertEqual(points, [2_000, 3_000], "the end has a point too")
        with tempfile.TemporaryDirectory() as folder:
            with contextlib.redirect_stdout(io.StringIO()):
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
        self.assertLessEqual(set(again.values(tl.Board())), set(tl.Board().legal_moves))
        self.assertIn(again.choose(tl.Board()), again.moves(tl.Board()))
        self.assertEqual(repr(again), "<QBot after 3,000 games>")

    def test_the_values_of_a_learner_of_ones_own_make_a_bot(self) -> None:
        learned = tl.QBot.load(PROJECT / "qtables" / "myopic-200.json")
        boards = [tl.Board(format_board(state)) for state in played_states(random.Random(4), 60)]
        known = {board: learned.values(board) for board in boards}
        bot = tl.QBot(known)
        for board in boards:
            self.assertEqual(bot.values(board), learned.values(board))
            self.assertEqual(bot.moves(board), learned.moves(board))
        with tempfile.TemporaryDirectory() as folder:
            bot.save(Path(folder) / "mine.json")
            self.assertEqual(tl.player(Path(folder) / "mine.json").moves(""), bot.moves(""))
        self.assertEqual(repr(tl.QBot({tl.Board(): {"a1": 0.5}})), "<QBot with 1 position>")
        self.assertEqual(len(tl.QBot({}).moves("")), 12)

    def test_every_path_of_a_script_may_begin_with_the_home_folder(self) -> None:
        with (
            tempfile.TemporaryDirectory() as home,
            mock.patch.dict(os.environ, HOME=home, USERPROFILE=home),
        ):
            tl.train("random", 5, folder="~/run").save("~/mine.json")
            bot = tl.QBot.load("~/mine.json")
            self.assertEqual(repr(bot), "<QBot after 5 games>")
            self.assertEqual(tl.player("~/mine.json").moves(""), bot.moves(""))

    def test_mirror_images_cannot_have_two_values_in_a_bot(self) -> None:
        images = {"1000/0000/0000": {"b1": 0.5}, "0001/0000/0000": {"c1": 0.25}}
        with self.assertRaisesRegex(ValueError, "^c1 on 0001.* two values, 0.5 and 0.25; mirror"):
            tl.QBot(images)

    def test_a_point_keeps_the_bot_of_its_moment(self) -> None:
        points: list[tl.TrainingPoint] = []
        bots: list[tl.QBot] = []

        def keep(point: tl.TrainingPoint) -> None:
            if point.games < 3_000:
                points.append(point)
            else:
                bots.append(point.bot)

        last = tl.train(games=4_000, seed=5, every=1_000, on_progress=keep)
        then = [point.bot for point in points] + bots[-2:]
        for bot, games in zip(then, (1_000, 2_000, 3_000, 4_000), strict=True):
            young = tl.train(games=games, seed=5)
            for state in played_states(random.Random(games), 60):
                board = tl.Board(format_board(state))
                self.assertEqual(bot.values(board), young.values(board))
            self.assertEqual([*bot.table.states()], [*young.table.states()])
        self.assertEqual(then[-1].values(tl.Board()), last.values(tl.Board()))

    def test_it_trains_and_saves_in_a_browser_which_has_no_threads(self) -> None:
        expected = tl.train("random", 50).values("")
        with tempfile.TemporaryDirectory() as folder:
            no_threads = RuntimeError("can't start new thread")
            with mock.patch.object(threading.Thread, "start", side_effect=no_threads):
                tl.train("random", 50, folder=folder).save(Path(folder) / "mine.json")
                with (
                    mock.patch.object(store, "append", side_effect=tl.StorageError("full")),
                    self.assertRaisesRegex(tl.StorageError, "full"),
                ):
                    tl.train("random", 80, folder=folder)
            self.assertEqual(tl.QBot.load(Path(folder) / "mine.json").values(""), expected)
            tl.train("random", 80, folder=folder)
            self.assertEqual(read_meta(Path(folder) / "qtable.json")["games"], 130)


class ArgumentTests(unittest.TestCase):
    """Wrong arguments are refused in one sentence, in the words of the caller."""

    def refused(self, error: type[Exception], expected: str, call: Callable[[], object]) -> None:
        with self.subTest(expected=expected), self.assertRaises(error) as caught:
            call()
        text = str(caught.exception)
        self.assertRegex(text, expected)
        self.assertNotRegex(text, r"\n|--|RunSettings|epsilon-|NoneType|attribute")

    def test_wrong_types(self) -> None:
        for expected, call in {
            "^board is 0; it must be a Board, its text": lambda: tl.Board(0),  # type: ignore[arg-type]
            "^board is 0.5; it must be a Board": lambda: tl.solve(0.5),  # type: ignore[arg-type]
            "^cell is 1.5; it must be a whole number from 0 to 11": lambda: tl.Board().play(1.5),  # type: ignore[arg-type]
            "^one is 3; it must be a name": lambda: tl.evaluate(3, "random"),  # type: ignore[arg-type]
            "^opponent is 1; it must be one of myopic": lambda: tl.train(1),  # type: ignore[arg-type]
            "^games is 1.5; ": lambda: tl.evaluate("random", "random", 1.5),  # type: ignore[arg-type]
            "^alpha is 'high'; it must be above 0 and at most 1": lambda: tl.train(alpha="high"),
            "^folder is 5; it must be a path": lambda: tl.train(folder=5),  # type: ignore[arg-type]
            "^table is 5; ": lambda: tl.QBot(5),  # type: ignore[arg-type]
            "^action is True; ": lambda: begun().step(True),
            "^unknown setting 'plan'; the settings are opponent, games": lambda: tl.train(
                plan="reverse"
            ),
        }.items():
            self.refused(TypeError, expected, call)

    def test_senseless_values(self) -> None:
        for expected, call in {
            "^games is 0; it must be a whole number of at least 1": lambda: tl.evaluate(
                "random", "random", games=0
            ),
            "^every is 100; it must be a whole number of at least 1,000": lambda: tl.train(
                every=100
            ),
            "^alpha makes no difference with opponent reverse: ": lambda: tl.train(
                "reverse", alpha=0.3
            ),
            "^practice makes no difference with an opponent: ": lambda: tl.train(practice="none"),
            "^gamma makes no difference with update terminal: ": lambda: tl.train(gamma=0.9),
            "^epsilon_end is 0.2; it must be at most epsilon_start": lambda: tl.train(
                epsilon_start=0.1, epsilon_end=0.2
            ),
            "^seat is 3; ": lambda: tl.Env(seat=3),  # type: ignore[arg-type]
            "call reset": lambda: tl.Env().step(0),
            "^action is 12; it must be a whole number from 0 to 11": lambda: begun().step(12),
            "is a position, not a game": lambda: tl.Game.parse("0000/0000/0000"),
            "move 2: ": lambda: tl.Game.parse("a1 z9"),
            "^the value of a1 is 5; it must be a number from -1 to 1": lambda: tl.Values(
                tl.Board(), {"a1": 5}
            ),
            "^a1 has a value, and it is not legal": lambda: tl.Values(
                tl.Board("3000/0000/0000"), {"a1": 1}
            ),
        }.items():
            self.refused(ValueError, expected, call)

    def test_a_folder_with_another_run_is_named_as_here(self) -> None:
        class StopError(Exception):
            pass

        def stop(_: object) -> None:
            raise StopError

        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent, "epsilon-end 0.1")
            with self.assertRaises(StopError):
                tl.train(games=3000, every=1000, on_progress=stop, folder=folder)
            with self.assertRaises(ValueError) as caught:
                tl.train(epsilon_end=0.1, folder=folder)
            for words in (str(folder), "has epsilon_end 0.15, not 0.1", "fresh=True"):
                self.assertIn(words, str(caught.exception))

    def test_a_folder_that_cannot_be_used_is_a_storage_error(self) -> None:
        self.refused(tl.StorageError, "the name is too long", lambda: tl.train(folder="x" * 300))

    def test_a_damaged_run_names_what_a_script_can_do(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            tl.train("random", 5, folder=folder)
            table = Path(folder, TABLE)
            table.write_bytes(table.read_bytes()[:-9])
            with self.assertRaisesRegex(tl.StorageError, "start over with fresh=True"):
                tl.train("random", 5, folder=folder)

    def test_what_a_player_of_the_caller_does_wrong(self) -> None:
        def own(chosen: object, among: object = None) -> Player:
            return Player(lambda _: chosen, lambda _: among)

        for expected, chosen in (
            ("^Player.choose chose 'z9' on 0000/0000/0000; the legal", "z9"),
            ("^Player.choose chose None on", None),
            ("^Player.choose chose 12 on", 12),
        ):
            self.refused(ValueError, expected, partial(tl.play_game, own(chosen), "random"))
        cases: tuple[tuple[type[Exception], str, object], ...] = (
            (ValueError, "^Player.moves gave no cell for 0000/0000/0000", ()),
            (ValueError, "^Player.moves chose 'z9' on", ["a1", "z9"]),
            (TypeError, "^Player.moves\\(0000/0000/0000\\) is None; ", None),
            (TypeError, "^Player.moves\\(0000/0000/0000\\) is 'a1'; ", "a1"),
        )
        for error, expected, among in cases:
            self.refused(error, expected, partial(tl.exact_score, own("a1", among), "random"))


def begun() -> tl.Env:
    """Return an environment after its first reset."""
    env = tl.Env()
    env.reset(seed=0)
    return env


class EnvTests(unittest.TestCase):
    def test_games_end_with_a_reward_and_seats_alternate(self) -> None:
        env, rng, seats = tl.Env("myopic"), random.Random(1), []
        for game in range(20):
            observation, info = env.reset(seed=game if game < 10 else None)
            seats.append(info["seat"])
            # The opponent has made the first move if the learner is Player 2.
            self.assertEqual(sum(observation), info["seat"] - 1)
            done = False
            while not done:
                self.assertEqual([int(c < 3) for c in observation], info["action_mask"])
                self.assertEqual(env.action_masks(), info["action_mask"])
                self.assertEqual(env.board.turn, info["seat"])
                legal = [a for a, flag in enumerate(info["action_mask"]) if flag]
                observation, reward, done, truncated, info = env.step(rng.choice(legal))
                self.assertEqual((done, truncated), (reward != 0, False))
                self.assertEqual(tl.Board(observation), env.board)
                self.assertEqual(env.render(), env.board.draw())
            self.assertEqual(env.board.winner == info["seat"], reward > 0)
            self.assertEqual(sum(info["action_mask"]), 0)
            with self.assertRaisesRegex(ValueError, "over"):
                env.step(0)
        self.assertEqual(seats, [1, 2] * 10)
        env.close()

    def test_a_seat_can_be_kept(self) -> None:
        seats: tuple[Literal[1, 2], ...] = (1, 2)
        for seat in seats:
            env = tl.Env("random", seat=seat)
            for seed in (None, 0, 1):
                observation, info = env.reset(seed=seed)
                self.assertEqual((info["seat"], sum(observation)), (seat, seat - 1))

    def test_a_seed_decides_everything(self) -> None:
        def play(env: tl.Env, seed: int) -> list[object]:
            views: list[object] = [env.reset(seed=seed)]
            views += [env.step(action) for action in (0, 1)]
            return [*views, env.reset(), env.reset()]

        env = tl.Env("random")
        for seed in (7, 8):
            self.assertEqual(play(env, seed), play(env, seed))
            self.assertEqual(play(env, seed), play(tl.Env(tl.player("random")), seed))
        self.assertNotEqual(play(env, 7)[1], play(env, 9)[1])

    def test_a_game_can_begin_at_a_board_near_the_end(self) -> None:
        env = tl.Env("myopic", seat=2)
        for text, seat in (("1100/0000/0000", 1), ("1130/2000/0000", 2)):
            for board in (text, tl.Board(text)):
                observation, info = env.reset(seed=1, options={"board": board})
                self.assertEqual((env.board.text, info["seat"]), (text, seat))
                self.assertEqual(observation, tl.Board(text).colours)
        env.reset(options={"board": "1100/0000/0000"})
        self.assertEqual(env.step(parse_cell("c1"))[1:3], (1.0, True))
        self.assertEqual(env.reset()[1]["seat"], 2, "the next game begins as always")

    def test_a_program_as_opponent_quits_at_the_end(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            env = tl.Env(write_bot(Path(folder), at_quit="note('quit'); break"), seat=2)
            env.reset(seed=1)
            env.close()
            self.assertTrue((Path(folder) / "quit").exists())


def through_a_pickle(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


class CopyTests(unittest.TestCase):
    """Values of a script can be copied and sent to another process, and work the same there."""

    def moves(self, player: Any) -> list[str]:
        return [player.choose(board) for board in [tl.Board(), tl.Board().play("b2")] * 10]

    def test_a_copied_player_makes_the_same_choices_and_leaves_the_original_alone(self) -> None:
        keys = ("beginner", "perfect", "alternate", "exact", "qbot-1000", "horizon-4")
        bot = tl.QBot(read_table(PROJECT / "qtables" / "myopic-200.json"), seed=1)
        trained = tl.train("myopic", 1_000)
        players = [tl.player(key, seed=2) for key in keys]
        for original in (bot, trained, tl.Env(trained)._player, tl.Env(Corner())._player, *players):
            for made in (copy.deepcopy, through_a_pickle):
                self.moves(original)
                copied = made(original)
                expected = self.moves(copied)
                self.assertEqual(self.moves(original), expected, original)
                self.assertEqual(repr(copied), repr(original))

    def test_boards_games_and_results_survive(self) -> None:
        game = tl.Game.parse("a1 b1")
        puzzle = next(tl.puzzles(seed=1))
        sample = tl.evaluate("random", "random", games=2)
        for thing in (game, game.boards[0], tl.solve(), tl.solve().values, puzzle, sample):
            for made in (copy.copy, copy.deepcopy, through_a_pickle):
                self.assertEqual(made(thing), thing)
        self.assertEqual(through_a_pickle(tl.solve().values).board, tl.Board())

    def test_a_copied_environment_is_a_game_of_its_own(self) -> None:
        for made in (copy.deepcopy, through_a_pickle):
            env = tl.Env("random")
            env.reset(seed=3)
            before = env.board
            copied = made(env)
            found = [copied.step(action) for action in (0, 1)]
            self.assertEqual(env.board, before)
            self.assertEqual([env.step(action) for action in (0, 1)], found)
            self.assertEqual(env.reset(), copied.reset())


class GymnasiumTests(unittest.TestCase):
    """What the real package gets is checked by tests/check_gymnasium.py, where it is installed."""

    def test_without_gymnasium_the_error_names_it(self) -> None:
        is_missing = mock.patch.dict(sys.modules, {"gymnasium": None})
        with is_missing, self.assertRaisesRegex(ImportError, "gymnasium"):
            tl.gymnasium_env()
