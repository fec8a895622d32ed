"""The library: one import, no side effects, and the same answers as the parts that it calls."""

import base64
import copy
import json
import pickle
import pydoc
import random
import re
import shlex
import sys
import tempfile
import unittest
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, cast
from unittest import mock
from xml.etree import ElementTree

import traffic_lights as tl
from tests.kit.external_bots import write_bot
from tests.kit.samples import PROJECT, outcome, played_states, tablebase
from traffic_lights.board.rules import draw_board, format_board, is_terminal, parse_cell
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.library import players
from traffic_lights.players.roster import Roster
from traffic_lights.train import main as train_command
from traffic_lights.training.settings import SETTINGS

YOUNG: Final = PROJECT / "qtables" / "myopic-200.json"
OVER: Final = tl.Board("1110/0000/0000")


class Corner:
    """A student's own policy, which prefers corners and does not treat mirror images alike."""

    def __init__(self) -> None:
        self.openings = 0
        """In how many games it made the first move."""

    def moves(self, board: tl.Board) -> Any:
        return tuple(c for c in ("a1", "d3") if c in board.legal_moves) or board.legal_moves[:1]

    def choose(self, board: tl.Board) -> str:
        self.openings += board == tl.Board()
        return str(self.moves(board)[0])


class Three:
    """A number of another package."""

    def __index__(self) -> int:
        return 3


THREE: Final[Any] = Three()


class Player:
    def __init__(self, choose: Callable[..., Any], moves: Callable[..., Any] | None = None) -> None:
        self.choose = choose
        if moves is not None:
            self.moves = moves


FIRST: Final = Player(lambda board: board.legal_moves[0])


def own(chosen: object, among: object = None) -> Player:
    return Player(lambda _: chosen, lambda _: among)


def scored(among: object) -> object:
    return tl.exact_score(own("a1", among), "random")


def boards(seed: int, count: int) -> list[tl.Board]:
    return [tl.Board(format_board(state)) for state in played_states(random.Random(seed), count)]


class ImportTests(unittest.TestCase):
    def test_it_offers_its_names_and_their_help(self) -> None:
        with self.assertRaisesRegex(AttributeError, "nothing"):
            _ = tl.nothing  # type: ignore[attr-defined]  # a type checker finds it as well
        # Packages that send functions to other processes know a module only by its exact type.
        self.assertIs(type(tl), type(sys))
        self.assertEqual({name for name in dir(tl) if not name.startswith("_")}, set(tl.__all__))
        of_train = " ".join(pydoc.plain(pydoc.render_doc(tl.train)).split())
        for name, info in SETTINGS.items():
            parameter = "opponent" if name == "plan" else name
            described = of_train[of_train.index(f"{parameter}: {info.help}; ") :]
            self.assertIn(info.kind.must.removeprefix("one of "), described[:400])

    def test_without_gymnasium_the_error_names_it(self) -> None:
        """What the real package gets is checked by tests/check_gymnasium.py."""
        is_missing = mock.patch.dict(sys.modules, {"gymnasium": None})
        with is_missing, self.assertRaisesRegex(ImportError, "gymnasium"):
            tl.gymnasium_env()


class BoardTests(unittest.TestCase):
    def test_a_board_is_its_text_and_its_number(self) -> None:
        for board in boards(7, 200):
            state = int(board)
            self.assertEqual(board.draw(), draw_board(state))
            for same in (board.text, str(board), board.colours, [*board.colours], board):
                self.assertEqual(tl.Board(same), board)
            self.assertEqual({board: 1, tl.Board(board.text): 2}, {board: 2})
            self.assertEqual(board.winner is not None, is_terminal(state))
            self.assertEqual([board[cell] for cell in board], [*board.colours])
            self.assertEqual({int(tl.Board(format_board(one)).canonical) for one in orbit(state)},
                             {canonical(state)})  # fmt: skip
            for cell in board.legal_moves:
                self.assertEqual(board.play(cell), board.play(parse_cell(cell)))
        self.assertEqual(tl.Board("1110/1000/1000").winner, 1, "two lines that share a cell")

    def test_it_solves_like_the_solver(self) -> None:
        for board in boards(8, 50):
            solution, state = tl.solve(board), int(board)
            self.assertEqual(tl.solve(board.text), solution)
            distance = tablebase().get_distance(state)
            self.assertEqual((solution.wins, solution.plies), (distance % 2 == 1, distance))
            found = {parse_cell(cell): plies for cell, plies in solution.distances.items()}
            self.assertEqual(found, tablebase().action_distances(state))
            best = {parse_cell(cell) for cell in solution.best}
            self.assertLessEqual({*tablebase().optimal_actions(state)}, best)
            self.assertEqual({solution.values[cell] for cell in solution.best},
                             {1.0 if solution.wins else -1.0})  # fmt: skip
            self.assertEqual(tuple(solution.values), board.legal_moves)
        self.assertEqual(tl.solve().plies, 26)


class PictureTests(unittest.TestCase):
    """In a notebook boards, games and values are pictures."""

    def test_a_downloaded_notebook_shows_pictures_too(self) -> None:
        # Notebooks that are not trusted show an image of HTML, and no SVG.
        for thing in (
            tl.Board("1100/0000/0000"),
            tl.Game.parse("a1"),
            tl.solve(),
            tl.solve().values,
        ):
            (image,) = ElementTree.fromstring(f"<p>{thing._repr_html_()}</p>")
            start, _, data = image.get("src", "").partition(",")
            self.assertEqual((image.tag, start), ("img", "data:image/svg+xml;base64"))
            self.assertEqual(base64.b64decode(data).decode(), thing.svg())
            self.assertEqual(image.get("alt", "").split(), thing.draw().split())
        picture = tl.Game.parse("a1 b1 c1")._repr_svg_()
        self.assertIn('data-last="c1"', picture)
        self.assertIn('data-line="a1-c1"', picture)


class GameTests(unittest.TestCase):
    def test_a_game_is_its_record(self) -> None:
        players = (tl.play_game("random", "myopic", seed=n) for n in range(20))
        own = tl.play_game(Corner(), YOUNG, seed=1)
        self.assertEqual(own.players, ("Corner", "myopic-200.json"))
        for game in (own, *players):
            self.assertEqual(tl.Game.parse(str(game)), game)
            self.assertEqual(tl.Game.parse(" ".join(game.moves)).moves, game.moves)
            boards = [tl.Board()]
            for cell in game.moves:
                boards.append(boards[-1].play(cell))
            self.assertEqual((game.boards, game.winner), (tuple(boards), boards[-1].winner))


class PlayTests(unittest.TestCase):
    def test_every_player_has_a_description_also_one_that_was_added_meanwhile(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            roster = Roster(Path(folder))
            with mock.patch.object(players, "_roster", return_value=roster):
                self.assertEqual(next(iter(tl.players())), "beginner")
                row = {"command": "./mine", "name": "Mine"}
                Path(folder, "user.json").write_text(json.dumps({"programs": [row]}))
                listed = tl.players()
        self.assertLess({entry.key for entry in Roster().entries()}, set(listed))
        self.assertIn("program:Mine", listed)
        for key, about in listed.items():
            self.assertRegex(about, r"^[A-Z].*: .+", key)

    def test_the_seats_are_swapped_after_every_game(self) -> None:
        corner = Corner()
        sample = tl.evaluate(corner, "random", games=9)
        self.assertEqual((corner.openings, sample.games), (5, 9))
        # Perfect never loses as Player 2.
        sample = tl.evaluate("perfect", "perfect", games=10)
        self.assertEqual((sample.wins, sample.rate, sample.forfeits), (5, 0.5, 0))
        low, high = sample.interval
        self.assertTrue(0 < low < 0.5 < high < 1)

    def test_a_seed_decides_every_game(self) -> None:
        bot = tl.train("random", 100, seed=1)
        for one, other in ((bot, "random"), ("random", tl.player("myopic")), ("qbot", "alternate")):
            first = tl.evaluate(one, other, games=40, seed=3)
            self.assertEqual(tl.evaluate(one, other, games=40, seed=THREE), first)
            games = [tl.play_game(one, other, seed=seed) for seed in (*range(9), 8)]
            self.assertEqual(games[8], games[9])
            self.assertGreater(len(set(games)), 1)
        one, other = (tl.player("random", seed=4).choose(tl.Board()) for _ in range(2))
        self.assertEqual(one, other)

    def test_games_can_begin_at_a_board_near_the_end(self) -> None:
        start = tl.Board("1130/2000/0000")
        game = tl.play_game("random", "myopic", seed=1, start=start)
        self.assertEqual((game.boards[0], game.players), (start, ("Random", "Myopic")))
        self.assertEqual(game.boards[1].turn, 1, "Player 2 made the first move")
        self.assertEqual(tl.Game.parse(str(game)), game)
        # Player 1 can complete a line here, which a Corner does not see.
        self.assertEqual(tl.evaluate("perfect", Corner(), games=9, start="1100/0000/0000").wins, 9)

    def test_an_exact_score_follows_the_probabilities_of_moves(self) -> None:
        def even(board: tl.Board) -> dict[str, float]:
            return dict.fromkeys(corner.moves(board), 1 / len(corner.moves(board)))

        def sure(board: tl.Board) -> dict[str, float]:
            return {cell: float(cell == last.choose(board)) for cell in board.legal_moves}

        corner = Corner()
        last = Player(lambda board: board.legal_moves[-1], lambda board: board.legal_moves[-1:])
        expected = tl.exact_score(corner, last)
        self.assertEqual(tl.exact_score(Player(corner.choose, even), last), expected)
        # No game has more positions than moves.
        expected = tl.exact_score(last, last)
        self.assertEqual(tl.exact_score(Player(last.choose, sure), last, budget=36), expected)

    def test_a_long_exact_score_shows_how_far_it_is_and_ends_with_a_sentence(self) -> None:
        counts: list[int] = []
        with self.assertRaisesRegex(ValueError, "^more than 30,000 positions can arise; give a la"):
            tl.exact_score("random", Corner(), budget=30_000, on_progress=counts.append)
        self.assertGreater(len(counts), 3)
        self.assertEqual(counts, sorted({*counts, 1}))

    def test_a_program_that_fails_loses_its_games_and_one_that_does_not_start_is_an_error(
        self,
    ) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            command = write_bot(Path(folder), at_go="say('move z9')")
            with self.assertRaisesRegex(tl.PlayerError, "'z9', which is not a cell"):
                tl.play_game("random", command)
            sample = tl.evaluate(command, "random", games=2)
            self.assertEqual((sample.forfeits, sample.rate), (2, 0.0))
            self.assertRegex(sample.first_forfeit, "'z9', which is not a cell")
        command = shlex.join([sys.executable, "nofile.py"])
        with self.assertRaisesRegex(tl.PlayerError, "ended with exit status 2.*nofile.py"):
            tl.evaluate(command, "random", games=2)

    def test_every_player_of_the_program_says_among_which_moves_it_chooses(self) -> None:
        board = tl.Board("1230/0000/0100")
        for key in ("beginner", "perfect", "alternate", "exact", "qbot-200", "horizon-4"):
            player = tl.player(key, seed=1)
            chosen = {player.choose(board) for _ in range(300)}
            self.assertEqual(chosen, {*player.moves(board)}, key)


class BotTests(unittest.TestCase):
    def test_training_gives_the_table_of_the_command_and_the_bot_of_each_moment(self) -> None:
        points: list[tl.TrainingPoint] = []
        for module in ("training.plans", "library.training"):
            self.enterContext(mock.patch(f"traffic_lights.{module}.BATCH", 100))
        bot = tl.train("myopic", 300, seed=5, every=200, on_progress=points.append)
        self.assertEqual([point.games for point in points], [200, 300])
        # Its learner has gone on.
        self.assertEqual([*points[0].bot], [*tl.train("myopic", 200, seed=5)])
        words = ["--opponent", "myopic", "--games", "300", "--seed", "5", "--quiet", "--dir"]
        with tempfile.TemporaryDirectory() as folder:
            outcome(train_command, *words, folder)
            bot.save(Path(folder) / "mine.json")
            one, other = (tl.QBot.load(Path(folder) / f"{n}.json") for n in ("qtable", "mine"))
        self.assertEqual([*one], [*other])
        self.assertEqual([*one], [*bot])
        self.assertIn(other.choose(tl.Board()), other.moves(tl.Board()))
        self.assertEqual(repr(other), "<QBot after 300 games>")

    def test_the_values_of_a_learner_of_ones_own_make_a_bot(self) -> None:
        learned = tl.QBot.load(YOUNG)
        known = {board: learned.values(board) for board in boards(4, 60)}
        bot = tl.QBot(known)
        for board in known:
            self.assertEqual(bot.values(board), learned.values(board))
            self.assertEqual(bot.moves(board), learned.moves(board))
        self.assertEqual(repr(tl.QBot({tl.Board(): {"a1": 0.5}})), "<QBot with 1 position>")
        self.assertEqual(len(tl.QBot({}).moves("")), 12)
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
    (tl.puzzle_of_the_day, {"day": "2026-11-234"}),
    (tl.player, {"name": "nobody", "seed": -1}),
    (tl.play_game, {"first": "nobody", "second": "nobody", "seed": -1, "start": "1"}),
    (tl.evaluate, {"one": "", "other": "", "games": 0, "seed": -1, "start": "1"}),
    (tl.exact_score, {"one": "", "other": "nobody", "budget": 0}),
    (tl.train, {"opponent": "nobody", "games": 0, "seed": -1, "every": 100, "alpha": 2,
                "epsilon_start": -1, "epsilon_end": 2, "epsilon_decay": 0, "update": "sarsa",
                "explore": "never", "practice": "none", "gamma": 0.9, "on_progress": 5}),
    (tl.Env, {"opponent": "nobody", "seat": 3}),
    (lambda action: begun().step(action), {"action": 12}),
    (lambda seed: tl.Env().reset(seed=seed), {"seed": -1}),
    (lambda board: tl.Env().reset(options={"board": board}), {"board": "1"}),
)  # fmt: skip
"""Each call of the library, with a wrong value of each argument."""
RIGHT: Final[dict[str, Any]] = {
    **dict.fromkeys(("name", "first", "second", "one", "other", "opponent"), "random"),
    "board": "", "values": {}, "table": {}, "seed": 1, "games": 1, "start": "",
}  # fmt: skip
"""What an argument is while another is wrong; those without a value here are left out."""


class ArgumentTests(unittest.TestCase):
    """Wrong arguments are refused in one sentence, in the words of the caller."""

    def test_any_wrong_argument(self) -> None:
        for function, wrong in CALLS:
            right = {name: RIGHT[name] for name in wrong if name in RIGHT}
            for name, value in wrong.items():
                for other in (value, *WRONG):
                    if (name, other) != ("games", None):  # which trains for a while
                        with self.subTest(function=function, name=name, value=other):
                            given = partial(function, **{**right, name: other})
                            self._look(given, name, other, is_wrong=other is value)

    def _look(
        self, call: Callable[[], object], name: str, value: object, *, is_wrong: bool
    ) -> None:
        """Check that the error of *call* names the argument *name*, or its *value*."""
        try:
            call()
        except TypeError as error:
            called = "board" if name in ("text", "start") else name
            self.assertRegex(str(error), rf"^{called}\b.* is .*; it must be .")
        except (ValueError, tl.StorageError) as error:
            named = re.escape(str(value) or "''")
            self.assertRegex(str(error), f"must be|no difference|is n(ot|either) |{named}")
            self.assertNotIn("\n", str(error))
        else:
            self.assertFalse(is_wrong)

    def test_what_is_wrong_says_what_is_right(self) -> None:
        cases: tuple[tuple[str, Callable[[], object]], ...] = (
            ("^unknown setting 'plan'; the settings are opponent, gam", lambda: tl.train(plan="")),
            *(
                ("^the game is over in 1110/0000/0000; use a", call)
                for call in (
                    lambda: OVER.play("d1"),
                    lambda: tl.solve(OVER),
                    lambda: tl.player("myopic").choose(OVER),
                    lambda: tl.QBot.load(YOUNG).moves(OVER),
                )
            ),
            ("cannot arise", lambda: tl.Board("1110/0000/1110")),
            ("^unknown player 'Miopic' .*did you mean myopic", lambda: tl.player("Miopic")),
            ("^on_progress is 5; it must be a function$",
             lambda: tl.exact_score("random", "random", on_progress=cast(Any, 5))),
            ("^Player.choose chose 12 on 0000/0000/0000; the legal",
             lambda: tl.play_game(own(12), "random")),
            ("^Player.moves gave no cell for 0000/0000/0000", lambda: scored(())),
            ("^Player.moves chose 'z9' on", lambda: scored(["a1", "z9"])),
            (r"^Player.moves\(0000/0000/0000\) is 'a1'; ", lambda: scored("a1")),
            ("^the probability of a1 in Player.moves is 2; it must be ", lambda: scored({"a1": 2})),
            ("^the probabilities of Player.moves on .* add up to 0.9; it must be 1",
             lambda: scored({"a1": 0.5, "b1": 0.4})),
            ("possible moves of <player Player> .*moves", lambda: tl.exact_score("random", FIRST)),
        )  # fmt: skip
        for expected, call in cases:
            with self.subTest(expected=expected):
                with self.assertRaisesRegex(
                    (TypeError, ValueError, tl.StorageError), expected
                ) as e:
                    call()
                self.assertNotRegex(str(e.exception), r"\n|--|RunSettings|epsilon-|NoneType|attr")
        self.assertTrue(issubclass(tl.PlayerError, ValueError))

    def test_a_run_in_the_way_is_named_as_here(self) -> None:
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


def begun() -> tl.Env:
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
        self.assertEqual(env.reset(seed=7), env.reset(seed=7))
        env.close()

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


class CopyTests(unittest.TestCase):
    """Values of a script can be copied and sent to another process, and work the same there."""

    def test_a_copy_is_the_same_and_leaves_the_original_alone(self) -> None:
        def play(env: tl.Env) -> list[object]:
            played = [*map(env.step, (0, 1)), env.reset(), env.reset(seed=5)]
            return [*played, *map(env.step, (2, 2)), env.reset()]

        keys = ("beginner", "perfect", "alternate", "exact", "qbot-1000", "horizon-4")
        env, game = tl.Env("random"), tl.Game.parse("a1 b1")
        bot = tl.train("myopic", 200)
        players = [bot, tl.Env(bot)._player, *(tl.player(key, seed=2) for key in keys)]
        sample = tl.evaluate("random", "random", games=2)
        ways: tuple[Callable[[Any], Any], ...] = (
            copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing)),
        )  # fmt: skip
        for made in ways:
            for thing in (game, game.boards[0], tl.solve(), tl.solve().values, sample):
                self.assertEqual(made(thing), thing)
            for player in players:
                both = [[one.choose(board) for board in boards(9, 20)]
                        for one in (made(player), player)]  # fmt: skip
                self.assertEqual(*both)
            env.reset(seed=3)
            self.assertEqual(play(made(env)), play(env))
