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
import unittest
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast
from unittest import mock
from xml.etree import ElementTree

import traffic_lights as tl
from tests.kit.external_bots import write_bot
from tests.kit.samples import PROJECT, FolderTestCase, outcome, played_states, tablebase
from traffic_lights.board.rules import draw_board, format_board, is_terminal, parse_cell, play
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.library import players
from traffic_lights.players.roster import Roster
from traffic_lights.train import main as train_command
from traffic_lights.training.settings import SETTINGS

YOUNG: Final = PROJECT / "qtables" / "myopic-200.json"
OVER: Final = tl.Board("1110/0000/0000")
LATE: Final = tl.Board("1130/2000/0000")
"""A board near the end, with Player 2 to move."""


class Own:
    """A player of a student's own: among which cells it chooses, and by default the first."""

    def __init__(self, moves: Any, choose: Any = None) -> None:
        self.moves = moves
        self.choose = choose or (lambda board: moves(board)[0])


CORNER: Final = Own(
    lambda board: [c for c in ("a1", "d3") if c in board.legal_moves] or board.legal_moves[:1]
)
"""It does not treat mirror images alike."""
TWELVE: Final = Own(None, lambda _: 12)


def boards(seed: int, count: int) -> list[tl.Board]:
    return [tl.Board(format_board(state)) for state in played_states(random.Random(seed), count)]


class PlayTests(FolderTestCase):
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

    def test_boards_and_games_are_those_of_the_rules_and_solved_as_by_the_tablebase(self) -> None:
        own = tl.play_game(CORNER, YOUNG, seed=1)
        late = tl.play_game("random", "myopic", seed=1, start=LATE)
        self.assertEqual(own.players, ("Own", "myopic-200.json"))
        self.assertEqual((late.boards[0], late.players), (LATE, ("Random", "Myopic")))
        for game in (own, late, *(tl.play_game("random", "myopic", seed=n) for n in range(20))):
            self.assertEqual(tl.Game.parse(str(game)), game)
            self.assertEqual(game.winner, game.boards[-1].winner)
            if game is not late:
                self.assertEqual(tl.Game.parse(" ".join(game.moves)).boards, game.boards)
            for board, cell, after in zip(game.boards, game.moves, game.boards[1:], strict=False):
                self.assertEqual(int(after), play(int(board), parse_cell(cell)))
                self.look(after)
        self.assertEqual(tl.Board("1110/1000/1000").winner, 1, "two lines that share a cell")
        self.assertEqual(tl.solve().plies, 26)

    def look(self, board: tl.Board) -> None:
        state = int(board)
        self.assertEqual(board.draw(), draw_board(state))
        for same in (board.text, str(board), board.colours, [*board.colours], board):
            self.assertEqual(tl.Board(same), board)
        self.assertEqual({board: 1, tl.Board(board.text): 2}, {board: 2})
        self.assertEqual([board[cell] for cell in board], [*board.colours])
        images = {int(tl.Board(format_board(one)).canonical) for one in orbit(state)}
        self.assertEqual(images, {canonical(state)})
        self.assertEqual(board.winner is not None, is_terminal(state))
        if is_terminal(state):
            return
        solution = tl.solve(board)
        self.assertEqual(tl.solve(board.text), solution)
        distance, after = tablebase().get_distance(state), tablebase().action_distances(state)
        self.assertEqual((solution.wins, solution.plies), (distance % 2 == 1, distance))
        for found in (solution.values, solution.distances):
            self.assertEqual(tuple(found), board.legal_moves)
        for cell, plies in solution.distances.items():
            self.assertEqual(plies, after[parse_cell(cell)])
            self.assertEqual(solution.values[cell], 1 if plies % 2 else -1)
            self.assertEqual(board.play(cell), board.play(parse_cell(cell)))
        self.assertEqual([*map(parse_cell, solution.best)], [*tablebase().optimal_actions(state)])

    def test_a_notebook_shows_pictures_also_after_a_download(self) -> None:
        # Notebooks that are not trusted show an image of HTML, and no SVG.
        game = tl.Game.parse("a1 b1 c1")
        for thing in (OVER, game, tl.solve(), tl.solve().values):
            (image,) = ElementTree.fromstring(f"<p>{thing._repr_html_()}</p>")
            start, _, data = image.get("src", "").partition(",")
            self.assertEqual((image.tag, start), ("img", "data:image/svg+xml;base64"))
            self.assertEqual(base64.b64decode(data).decode(), thing.svg())
            self.assertEqual(image.get("alt", "").split(), thing.draw().split())
        self.assertRegex(game._repr_svg_(), '(?s)data-last="c1".*data-line="a1-c1"')

    def test_every_player_has_a_description_also_one_that_was_added_meanwhile(self) -> None:
        self.enterContext(mock.patch.object(players, "_roster", return_value=Roster(self.folder)))
        self.assertEqual(next(iter(tl.players())), "beginner")
        row = {"command": "./mine", "name": "Mine"}
        (self.folder / "user.json").write_text(json.dumps({"programs": [row]}))
        listed = tl.players()
        self.assertEqual({entry.key for entry in Roster().entries()}, {*listed} - {"program:Mine"})
        for key, about in listed.items():
            self.assertRegex(about, r"^[A-Z].*: .+", key)

    def test_the_seats_are_swapped_after_every_game(self) -> None:
        # Perfect never loses as Player 2.
        sample = tl.evaluate("perfect", "perfect", games=9)
        self.assertEqual((sample.wins, sample.rate, sample.forfeits), (4, 4 / 9, 0))
        self.assertEqual((sample.first, sample.second), (0, 1))
        low, high = sample.interval
        self.assertTrue(0 < low < sample.rate < high < 1)
        # Player 1 can complete a line here, which a corner does not see.
        self.assertEqual(tl.evaluate("perfect", CORNER, games=9, start="1100/0000/0000").wins, 9)

    def test_a_seed_decides_every_game(self) -> None:
        bot, three = tl.train("random", 100, seed=1), mock.MagicMock()
        three.__index__.return_value = 3  # a number of another package
        for one, other in ((bot, "random"), ("random", tl.player("myopic")), ("qbot", "alternate")):
            first = tl.evaluate(one, other, games=40, seed=3)
            self.assertEqual(tl.evaluate(one, other, games=40, seed=three), first)
            games = [tl.play_game(one, other, seed=seed) for seed in (*range(9), 8)]
            self.assertEqual(games[8], games[9])
            self.assertGreater(len(set(games)), 1)
        self.assertEqual(*(tl.player("random", seed=4).choose("") for _ in range(2)))

    def test_an_exact_score_follows_probabilities_and_shows_how_far_it_is(self) -> None:
        last = Own(lambda board: board.legal_moves[-1:])
        half = Own(lambda board: dict.fromkeys(moves := CORNER.moves(board), 1 / len(moves)))
        self.assertEqual(tl.exact_score(half, last), tl.exact_score(CORNER, last))
        sure = Own(lambda board: {**dict.fromkeys(board.legal_moves, 0), last.choose(board): 1})
        # No game has more positions than moves.
        self.assertEqual(tl.exact_score(sure, last, budget=36), tl.exact_score(last, last))
        counts: list[int] = []
        with self.assertRaisesRegex(ValueError, "^more than 30,000 positions can arise; give a la"):
            tl.exact_score("random", CORNER, budget=30_000, on_progress=counts.append)
        self.assertGreater(len(counts), 3)
        self.assertEqual(counts, sorted({*counts, 1}))

    def test_a_program_that_fails_loses_or_is_an_error_if_it_never_starts(self) -> None:
        command = write_bot(self.folder, at_go="say('move z9')")
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

    def test_training_gives_the_table_of_the_command_and_the_bot_of_each_moment(self) -> None:
        points: list[tl.TrainingPoint] = []
        for module in ("training.plans", "library.training"):
            self.enterContext(mock.patch(f"traffic_lights.{module}.BATCH", 100))
        bot = tl.train("myopic", 300, seed=5, every=200, on_progress=points.append)
        self.assertEqual([point.games for point in points], [200, 300])
        # Its learner has gone on.
        self.assertEqual([*points[0].bot], [*tl.train("myopic", 200, seed=5)])
        words = "--opponent myopic --games 300 --seed 5 --quiet --dir"
        outcome(train_command, *words.split(), str(self.folder))
        bot.save(self.folder / "mine.json")
        for name in ("qtable", "mine"):
            loaded = tl.QBot.load(self.folder / f"{name}.json")
            self.assertEqual([*loaded], [*bot])
        self.assertIn(loaded.choose(""), loaded.moves(""))
        self.assertEqual(repr(loaded), "<QBot after 300 games>")

    def test_the_values_of_a_learner_of_ones_own_make_a_bot(self) -> None:
        learned = tl.QBot.load(YOUNG)
        known = {board: learned.values(board) for board in boards(4, 60)}
        bot = tl.QBot(known)
        for board in known:
            self.assertEqual(bot.values(board), learned.values(board))
            self.assertEqual(bot.moves(board), learned.moves(board))
        self.assertEqual(repr(tl.QBot({tl.Board(): {"a1": 0.5}})), "<QBot with 1 position>")
        self.assertEqual(len(tl.QBot({}).moves("")), 12)
        with self.assertRaisesRegex(ValueError, "^c1 on 0001.* two values, 0.5 and 0.25; mirror"):
            tl.QBot({"1000/0000/0000": {"b1": 0.5}, "0001/0000/0000": {"c1": 0.25}})


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
    (lambda action: (env := tl.Env()).reset(seed=0) and env.step(action), {"action": 12}),
    (lambda seed: tl.Env().reset(seed=seed), {"seed": -1}),
    (lambda board: tl.Env().reset(options={"board": board}), {"board": "1"}),
)  # fmt: skip
"""Each call of the library, with a wrong value of each argument."""
RIGHT: Final[dict[str, Any]] = {
    **dict.fromkeys(("name", "first", "second", "one", "other", "opponent"), "random"),
    "board": "", "values": {}, "table": {}, "seed": 1, "games": 1, "start": "",
}  # fmt: skip
"""What an argument is while another is wrong; those without a value here are left out."""


class ArgumentTests(FolderTestCase):
    """Wrong arguments are refused in one sentence, in the words of the caller."""

    def test_any_wrong_argument_is_named_or_its_value(self) -> None:
        for function, wrong in CALLS:
            right = {name: RIGHT[name] for name in wrong if name in RIGHT}
            for name, value in wrong.items():
                for other in (value, *WRONG):
                    if (name, other) == ("games", None):
                        continue  # it trains for a while
                    with self.subTest(function=function, name=name, value=other):
                        try:
                            function(**{**right, name: other})
                            self.assertIsNot(other, value)
                        except TypeError as error:
                            called = "board" if name in ("text", "start") else name
                            self.assertRegex(str(error), rf"^{called}\b.* is .*; it must be .")
                        except (ValueError, tl.StorageError) as error:
                            named = re.escape(str(other) or "''")
                            self.assertRegex(
                                str(error), rf"\A.*(must be|no difference|is n(ot|either) |{named})"
                            )
                            self.assertNotIn("\n", str(error))

    def test_what_is_wrong_says_what_is_right(self) -> None:
        over, first = "^the game is over in 1110/0000/0000; use a", "0000/0000/0000"
        cases: tuple[tuple[str, Callable[[], object]], ...] = (
            ("^unknown setting 'plan'; the settings are opponent, gam", lambda: tl.train(plan="")),
            (over, lambda: OVER.play("d1")),
            (over, lambda: tl.solve(OVER)),
            (over, lambda: tl.player("myopic").choose(OVER)),
            (over, lambda: tl.QBot.load(YOUNG).moves(OVER)),
            ("cannot arise", lambda: tl.Board("1110/0000/1110")),
            ("^unknown player 'Miopic' .*did you mean myopic", lambda: tl.player("Miopic")),
            ("^on_progress is 5; it must be a function$",
             lambda: tl.exact_score("random", "random", on_progress=cast(Any, 5))),
            (f"^Own.choose chose 12 on {first}; the legal", lambda: tl.play_game(TWELVE, "random")),
            ("possible moves of <player Own> .*moves", lambda: tl.exact_score("random", TWELVE)),
            *(
                (expected, partial(tl.exact_score, Own(lambda _, among=among: among), "random"))
                for among, expected in (
                    ((), f"^Own.moves gave no cell for {first}"),
                    (["a1", "z9"], "^Own.moves chose 'z9' on"),
                    ("a1", rf"^Own.moves\({first}\) is 'a1'; "),
                    ({"a1": 2}, "^the probability of a1 in Own.moves is 2; it must be "),
                    ({"a1": 0.5, "b1": 0.4}, "^the prob.* Own.moves on .* add up to 0.9; it must"),
                )
            ),
        )  # fmt: skip
        errors = TypeError, ValueError, tl.StorageError
        for expected, call in cases:
            with self.subTest(expected), self.assertRaisesRegex(errors, expected) as caught:
                call()
            self.assertNotRegex(str(caught.exception), r"\n|--|RunSettings|epsilon-|NoneType|attr")
        self.assertTrue(issubclass(tl.PlayerError, ValueError))

    def test_a_run_in_the_way_is_named_as_here(self) -> None:
        folder = self.folder / "epsilon-end 0.1"
        stop = mock.Mock(side_effect=InterruptedError)
        with self.assertRaises(InterruptedError):
            tl.train(games=3000, every=1000, on_progress=stop, folder=folder)
        with self.assertRaises(ValueError) as caught:
            tl.train(epsilon_end=0.1, folder=folder)
        for words in (str(folder), "has epsilon_end 0.15, not 0.1", "fresh=True"):
            self.assertIn(words, str(caught.exception))


class EnvTests(FolderTestCase):
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
                action = rng.choice([n for n, flag in enumerate(info["action_mask"]) if flag])
                observation, reward, done, truncated, info = env.step(action)
                self.assertEqual((done, truncated), (reward != 0, False))
                self.assertEqual(tl.Board(observation), env.board)
                self.assertEqual(env.render(), env.board.draw())
            self.assertEqual(env.board.winner == info["seat"], reward > 0)
            self.assertEqual(sum(info["action_mask"]), 0)
            self.assertRaisesRegex(ValueError, "over", env.step, 0)
        self.assertEqual(seats, [1, 2] * 10)
        self.assertEqual(env.reset(seed=7), env.reset(seed=7))
        env.close()

    def test_a_game_can_begin_at_a_board_near_the_end(self) -> None:
        env = tl.Env("myopic", seat=2)
        for board, seat in ((LATE, 2), (LATE.text, 2), ("1100/0000/0000", 1)):
            observation, info = env.reset(seed=1, options={"board": board})
            self.assertEqual((env.board, info["seat"]), (tl.Board(board), seat))
            self.assertEqual(observation, env.board.colours)
        self.assertEqual(env.step("c1")[1:3], (1.0, True))
        self.assertEqual(env.reset()[1]["seat"], 2, "the next game begins as always")

    def test_a_program_as_opponent_quits_at_the_end(self) -> None:
        env = tl.Env(write_bot(self.folder, at_quit="note('quit'); break"), seat=2)
        env.reset(seed=1)
        env.close()
        self.assertTrue((self.folder / "quit").exists())


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
