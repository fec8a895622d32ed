"""What the windows stand on: jobs, the pause of a bot; what other windows may use."""

import threading
import time
import unittest
from collections.abc import Callable
from functools import partial
from unittest import mock

from tests.kit.windows import WindowTestCase, close_dialogs, load_moves, new_folder
from traffic_lights.board.games import PlayerError
from traffic_lights.gui.app import LOOK_EVERY_MS
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.main.bot_turns import SHORTEST_PAUSE_MS, BotTurns
from traffic_lights.gui.main.seats import bot_deleted, bot_renamed, show_game
from traffic_lights.gui.main.window import MainWindow
from traffic_lights.play.game import HUMAN, Game, Player, parse_moves
from traffic_lights.play.modes.looking_back import LookingBack
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import SECOND_PROGRAM, UserData, score_key
from traffic_lights.storage.files import write_json


class BotDriverTests(unittest.TestCase):
    def test_a_bot_answers_after_the_chosen_pause_less_the_time_it_took(self) -> None:
        for taken_s, pause_ms in ((0.0, 250), (0.1, 150), (9.0, SHORTEST_PAUSE_MS)):
            clock = mock.Mock(side_effect=[5.0, 5.0 + taken_s])
            context = mock.Mock()
            changed = context.changed
            context.roster.bot.return_value.choose.return_value = 3
            context.userdata.settings.speed = "quick"
            context.session = session = Session(lambda: 0.0)
            session.new_game((Player("test", "Tester"), HUMAN))
            with (
                self.subTest(taken_s=taken_s),
                mock.patch.object(time, "monotonic", clock),
                mock.patch("traffic_lights.gui.main.bot_turns.run_job") as run_job,
            ):
                run_job.side_effect = lambda _, ask, answered, __: answered(ask())
                BotTurns(context).ask()
                (pause, play, *arguments), _ = context.root.after.call_args
                self.assertEqual((pause, session.state, changed.called), (pause_ms, 0, False))
                play(*arguments)
                self.assertEqual((session.game.actions, changed.called), ((3,), True))


class JobsTests(WindowTestCase):
    def test_results_come_back_in_the_thread_of_tk_whatever_fails(self) -> None:
        seen: list[object] = []
        main, run = threading.get_ident(), partial(run_job, self.app.root)

        def fail(_: object = None) -> None:
            raise ValueError("a mistake")

        def refuse() -> None:
            raise PlayerError("a reason")

        def later() -> int:
            time.sleep(0.02)
            return threading.get_ident()

        def note(value: object) -> None:
            seen.append(value)
            self.assertEqual(threading.get_ident(), main)

        run(refuse, fail, note)
        run(lambda: 1, fail, note)
        run(fail, fail, note)
        run(later, note, fail)
        self.wait(lambda: len(seen) == 3 and self.app.context.log.errors == 2)
        self.assertLessEqual({"a reason", "a mistake"}, {*seen})
        self.assertNotIn(main, seen)
        close_dialogs(self.app)
        self.app.context.log.errors = 0


class OtherWindowsTests(WindowTestCase):
    """The part of the program that the training and evaluation windows use."""

    def test_each_trouble_can_be_read_until_the_player_goes_on(self) -> None:
        self.app.context.roster.troubles.extend(["One is broken.", "Two is broken."])
        for words in ("One is broken.", "Two is broken."):
            self.wait(lambda words=words: self.status == words)  # type: ignore[misc]
            until = time.monotonic() + 0.003 * LOOK_EVERY_MS
            self.wait(lambda until=until: time.monotonic() > until)  # type: ignore[misc]
            self.assertEqual(self.status, words)
            self.key("<Escape>")
        self.assertNotIn("broken", self.status)

    def test_escape_leaves_the_full_screen_after_all_else(self) -> None:
        full = mock.PropertyMock(return_value=True)
        with (
            mock.patch.object(MainWindow, "is_full_screen", full),
            mock.patch.object(self.app, "run") as run,
        ):
            self.app.context.say("A message.")
            self.key("<Escape>")
            self.assertNotEqual(self.status, "A message.")
            run.assert_not_called()
            self.key("<Escape>")
            run.assert_called_once_with("full_screen")

    def start(self) -> None:
        """Do what the program does when its window opens."""
        with mock.patch.object(self.app.root, "after") as after:
            self.app.open()
        (look,) = (call.args[1] for call in after.mock_calls if call.args[:1] == (LOOK_EVERY_MS,))
        (load_rest,) = (call.args[1] for call in after.mock_calls if call.args[:1] == (30,))
        with mock.patch("traffic_lights.gui.app.run_job"):
            load_rest()
            look()

    def test_a_training_that_was_interrupted_is_reported_once(self) -> None:
        self.app.context.userdata.change(training="My QBot")
        for wanted in (True, False):
            self.app.context.changed()
            self.start()
            self.assertEqual("“My QBot” is still in training" in self.status, wanted)

    def test_a_second_copy_of_the_program_leaves_that_report_to_the_first(self) -> None:
        first = UserData(new_folder())
        self.addCleanup(first.finish)
        self.assertTrue(first.may_save_game)
        settings = {"format": "traffic-lights-settings", "version": 1, "training": "My QBot"}
        write_json(first.folder / "settings.json", settings)
        with mock.patch.object(self.app.context, "userdata", UserData(first.folder)) as second:
            self.app.context.changed()
            self.start()
            self.assertEqual(self.status, SECOND_PROGRAM)
            self.assertEqual(second.settings.training, "My QBot")

    def test_results_go_with_a_renamed_bot_and_no_bot_gets_those_of_a_deleted_one(self) -> None:
        context = self.app.context
        for name in ("Gone", "Deleted", "Old"):
            bot = Player(f"bot:{name}", name)
            game = Game(actions=parse_moves("1. a1 d1 2. a2 d2 3. a3"), players=(HUMAN, bot))
            context.session.open_game(game, is_unrated=False)
            context.changed()
        bot_deleted(context, "bot:Deleted")
        bot_renamed(context, "bot:Old", "bot:Gone")  # whose bot was deleted before
        data = context.userdata
        shown = [(record.name, record.wins) for record in data.records()]
        self.assertEqual(sorted(shown), [("Deleted", 1), ("Gone", 1), ("Old", 1)])
        for key, wins in (("bot:Gone", 1), ("bot:Deleted", 0), ("bot:Old", 0)):
            players = HUMAN, Player(key, "Other")
            self.assertEqual([data.score[score_key(players, seat)] for seat in (0, 1)], [wins, 0])
        opponents = {record.opponent for record in data.records()}
        self.assertEqual(opponents & {"bot:Deleted", "bot:Old", "bot:Gone"}, {"bot:Gone"})
        others = {game.players[1] for game in context.session.history.games}
        self.assertLessEqual({player.bot for player in others}, opponents)
        data.finish()
        self.assertEqual(UserData(data.folder).records(), data.records(), "after a restart")

    def test_a_game_is_shown_from_its_start_and_undone(self) -> None:
        load_moves(self.app, "1. b2 b2")
        before = self.app.session.state
        actions = parse_moves("1. a1 b1 2. a2")
        self.app.window.panel.rows.focus_force()
        show_game(self.app.context, Game(actions=actions))
        self.app.root.update()
        self.assertIs(self.app.root.focus_get(), self.app.window.board)
        self.assertEqual(self.app.window.board.picture.state, 0)
        self.assertEqual((type(self.app.session.mode), self.app.session.state), (LookingBack, 0))
        self.key("<Next>", "<Next>", "<Next>")
        self.assertEqual(self.app.session.mode.index, 3)
        seen = []
        while self.app.session.state != before:
            seen.append(self.app.session.state)
            self.app.session.mode.undo()
            self.assertNotIn(self.app.session.state, seen)

    def test_work_in_the_background_shows_as_a_button_and_comes_back_with_a_click(self) -> None:
        reopened, window = mock.Mock(), self.app.window
        self.app.context.window.show_background("Training: 40 %", reopened)
        self.app.root.update()
        self.assertTrue(window.background.winfo_ismapped())
        self.click_on(window.background)
        reopened.assert_called_once()
        self.app.context.window.show_background("", reopened)
        self.app.root.update()
        self.assertFalse(window.background.winfo_ismapped())

    def test_a_guard_holds_quitting_up_until_it_goes_on(self) -> None:
        going_on: list[Callable[[], None]] = []
        context = self.app.context

        def guard(go_on: Callable[[], None]) -> bool:
            going_on.append(go_on)
            return len(going_on) == 1

        for holds in (True, False):
            context.guard = guard
            with mock.patch.object(context, "close") as close:
                context.quit()
                self.assertEqual(close.called, not holds)
                if holds:
                    going_on[0]()
                close.assert_called_once()
            context.guard = None
