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
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final
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
from traffic_lights.learning.tablefile import read_table
from traffic_lights.library import players
from traffic_lights.play import game as records
from traffic_lights.players.roster import Roster
from traffic_lights.train import main as train_command
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

    def test_a_misspelt_name_is_an_error_and_completion_offers_only_the_library(self) -> None:
        with self.assertRaisesRegex(AttributeError, "nothing"):
            _ = tl.nothing  # type: ignore[attr-defined]  # a type checker finds it as well
        # Packages that send functions to other processes know a module only by its exact type.
        self.assertIs(type(tl), type(sys))
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
            self.assertEqual([board[cell] for cell in board], [*board.colours])
            self.assertTrue("a1" in board and "z9" not in board)
            self.assertEqual("".join(map(str, board.colours)), format_board(state))

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

    def test_an_exact_score_follows_the_probabilities_of_moves(self) -> None:
        def weighted(*chances: float) -> Player:
            def moves(board: tl.Board) -> dict[str, float]:
                cells = board.legal_moves[: len(chances)]
                return dict(zip(cells, chances[: len(cells)], strict=True))

            return Player(lambda board: board.legal_moves[0], moves)

        last = Player(lambda board: board.legal_moves[-1], lambda board: board.legal_moves[-1:])
        first = tl.exact_score(weighted(1), last)
        self.assertEqual(tl.exact_score(weighted(1, 0), last, budget=36), first)

        class Even(Corner):
            def moves(self, board: tl.Board) -> Any:
                cells = super().moves(board)
                return dict.fromkeys(cells, 1 / len(cells))

        self.assertEqual(tl.exact_score(Even(), last), tl.exact_score(Corner(), last))

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
        command = shlex.join([sys.executable, "nofile.py"])
        with self.assertRaisesRegex(tl.PlayerError, "ended with exit status 2.*nofile.py"):
            tl.evaluate(command, "random", games=2)  # it is not a weak player

    def test_every_player_of_the_program_says_among_which_moves_it_chooses(self) -> None:
        board = tl.Board("1230/0000/0100")
        for key in ("beginner", "perfect", "alternate", "exact", "qbot-200", "horizon-4"):
            player = tl.player(key, seed=1)
            chosen = {player.choose(board) for _ in range(300)}
            self.assertEqual(chosen, {*player.moves(board)}, key)


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

    def test_a_point_keeps_the_bot_of_its_moment(self) -> None:
        points: list[tl.TrainingPoint] = []
        tl.train("random", games=3_000, seed=5, every=1_000, on_progress=points.append)
        for point in points:  # after the end, when the learner has gone on
            young = tl.train("random", games=point.games, seed=5)
            self.assertEqual([*point.bot], [*young])

    def test_mirror_images_cannot_have_two_values_in_a_bot(self) -> None:
        images = {"1000/0000/0000": {"b1": 0.5}, "0001/0000/0000": {"c1": 0.25}}
        with self.assertRaisesRegex(ValueError, "^c1 on 0001.* two values, 0.5 and 0.25; mirror"):
            tl.QBot(images)


WRONG: Final = (
    object(), None, True, 0.5, -1, 12, 10**30, "nonsense", "", "a\0", (), b"a1", [object()],
)  # fmt: skip
CALLS: Final[tuple[tuple[Callable[..., object], dict[str, Any]], ...]] = (
    (tl.Board, {"text": "1"}),
    (tl.Board("3000/0000/0000").play, {"cell": "a1"}),
    (tl.Game.parse, {"text": "a1 z9"}),
    (tl.Values, {"board": "1", "values": {"a1": 5}}),
    (tl.QBot, {"table": {"": {"a1": 5}}, "seed": 0.5}),
    (tl.QBot.load, {"path": "missing.json"}),
    (tl.solve, {"board": "3333/3333/3333"}),
    (tl.puzzles, {"seed": "one", "wins_in": 13}),
    (tl.puzzle_of_the_day, {"day": "today"}),
    (tl.player, {"name": "nobody", "seed": -1}),
    (tl.play_game, {"first": "nobody", "second": "nobody", "seed": -1, "start": "1"}),
    (tl.evaluate, {"one": "", "other": "", "games": 0, "seed": -1, "start": "1"}),
    (tl.exact_score, {"one": "", "other": "nobody", "budget": 0}),
    (tl.train, {"opponent": "nobody", "games": 0, "seed": -1, "every": 100, "alpha": 2,
                "epsilon_start": -1, "epsilon_end": 2, "epsilon_decay": 0, "update": "sarsa",
                "explore": "never", "practice": "none", "gamma": 0.9}),
    (tl.Env, {"opponent": "nobody", "seat": 3}),
    (lambda action: begun().step(action), {"action": 12}),
    (lambda seed: tl.Env().reset(seed=seed), {"seed": -1}),
    (lambda options: tl.Env().reset(options=options), {"options": {"board": 1}}),
)  # fmt: skip
"""Each call of the library, with a wrong value of each argument."""
RIGHT: Final[dict[str, Any]] = {
    **dict.fromkeys(("name", "first", "second", "one", "other", "opponent"), "random"),
    "board": "", "values": {}, "table": {}, "seed": 1, "games": 1, "start": "",
}  # fmt: skip
"""What an argument is while another is wrong; those without a value here are left out."""


class ArgumentTests(unittest.TestCase):
    """Wrong arguments are refused in one sentence, in the words of the caller."""

    def refused(self, error: type[Exception], expected: str, call: Callable[[], object]) -> None:
        with self.subTest(expected=expected), self.assertRaises(error) as caught:
            call()
        text = str(caught.exception)
        self.assertRegex(text, expected)
        self.assertNotRegex(text, r"\n|--|RunSettings|epsilon-|NoneType|attribute")

    def test_any_wrong_argument(self) -> None:
        for function, wrong in CALLS:
            right = {name: RIGHT[name] for name in wrong if name in RIGHT}
            for name, value in wrong.items():
                given = partial(function, **{**right, name: value})
                self.assertRaises((TypeError, ValueError, tl.StorageError), given)
                for other in WRONG:
                    if (name, other) != ("games", None):  # which trains for a while
                        with self.subTest(function=function, name=name, value=other):
                            self._look(partial(function, **{**right, name: other}), name, other)

    def _look(self, call: Callable[[], object], name: str, value: object) -> None:
        """Check that *call* works, or that its error names the argument *name*, or its *value*."""
        try:
            call()
        except TypeError as error:
            called = "board" if name in ("text", "start") else name
            self.assertRegex(str(error), rf"^{called}\b.* is .*; it must be .")
        except (ValueError, tl.StorageError) as error:
            named = re.escape(str(value) or "''")
            self.assertRegex(str(error), f"must be|no difference|is n(ot|either) |{named}")
            self.assertNotIn("\n", str(error))

    def test_what_is_wrong_says_what_is_right(self) -> None:
        for expected, call in {
            "^board is 0; it must be a Board, its text": lambda: tl.Board(0),  # type: ignore[arg-type]
            "^one is 3; it must be a name": lambda: tl.evaluate(3, "random"),  # type: ignore[arg-type]
            "^alpha is 'high'; it must be above 0 and at most 1": lambda: tl.train(alpha="high"),
            "^unknown setting 'plan'; the settings are opponent, games": lambda: tl.train(plan=""),
        }.items():
            self.refused(TypeError, expected, call)
        for expected, call in {
            "^every is 100; it must be a whole number of at least 1,000": lambda: tl.train(
                every=100
            ),
            "^practice makes no difference with an opponent: ": lambda: tl.train(practice="none"),
            "^epsilon_end is 0.2; it must be at most epsilon_start": lambda: tl.train(
                epsilon_start=0.1, epsilon_end=0.2
            ),
            "call reset": lambda: tl.Env().step(0),
            "is a position, not a game": lambda: tl.Game.parse("0000/0000/0000"),
            "^a1 has a value, and it is not legal": lambda: tl.Values(
                tl.Board("3000/0000/0000"), {"a1": 1}
            ),
            "cannot arise": lambda: tl.Board("1110/0000/1110"),
            "^unknown player 'Miopic' .*choose beginner, ": lambda: tl.player("Miopic"),
        }.items():
            self.refused(ValueError, expected, call)
        self.refused(tl.StorageError, "missing.json", lambda: tl.QBot.load("missing.json"))
        self.refused(tl.StorageError, "the name is too long", lambda: tl.train(folder="x" * 300))
        self.assertTrue(issubclass(tl.PlayerError, ValueError))

    def test_a_folder_with_another_run_is_named_as_here(self) -> None:
        def stop(_: object) -> None:
            raise InterruptedError

        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent, "epsilon-end 0.1")
            with self.assertRaises(InterruptedError):
                tl.train(games=3000, every=1000, on_progress=stop, folder=folder)
            with self.assertRaises(ValueError) as caught:
                tl.train(epsilon_end=0.1, folder=folder)
            for words in (str(folder), "has epsilon_end 0.15, not 0.1", "fresh=True"):
                self.assertIn(words, str(caught.exception))

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

        for chosen in ("z9", None, 12):
            words = f"^Player.choose chose {chosen!r} on 0000/0000/0000; the legal"
            self.refused(ValueError, words, partial(tl.play_game, own(chosen), "random"))
        cases: tuple[tuple[type[Exception], str, object], ...] = (
            (ValueError, "^Player.moves gave no cell for 0000/0000/0000", ()),
            (ValueError, "^Player.moves chose 'z9' on", ["a1", "z9"]),
            (TypeError, r"^Player.moves\(0000/0000/0000\) is None; ", None),
            (TypeError, r"^Player.moves\(0000/0000/0000\) is 'a1'; ", "a1"),
            (ValueError, "^the probability of a1 in Player.moves is 2; it must be ", {"a1": 2}),
            (ValueError, "^the probabilities of Player.moves on .* add up to 0.9; it must be 1",
             {"a1": 0.5, "b1": 0.4}),
        )  # fmt: skip
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
