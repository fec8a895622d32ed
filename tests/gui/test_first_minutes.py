"""What a new person meets: a game that can be won, offers, two bots, buttons that stay put."""

from __future__ import annotations

import tempfile
import threading
import unittest
from pathlib import Path
from tkinter import ttk

from tests.kit.windows import (
    PATIENCE_S,
    WindowTestCase,
    add_bot,
    add_test_bot,
    load_moves,
    new_folder,
    play_added,
    remove_bot,
)
from traffic_lights.board.rules import Action, State, legal_actions
from traffic_lights.gui.dialogs.new_game_dialog import NewGameDialog
from traffic_lights.gui.dialogs.statistics_dialog import StatisticsDialog
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.session import texts
from traffic_lights.session.notation import parse_moves
from traffic_lights.session.session import Phase, Result
from traffic_lights.userdata.store import UserData

GAME = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
ALTERNATE = Player("alternate", "Alternate")
CASUAL = Player("casual", "Casual")


class ButtonPlaceTests(WindowTestCase):
    def places(self) -> dict[str, tuple[int, int]]:
        """Return the left edge and the width of every button that is shown."""
        self.app.root.update()
        shown = {n: b for n, b in self.app.window.buttons.items() if b.winfo_ismapped()}
        return {name: (b.winfo_x(), b.winfo_width()) for name, b in shown.items()}

    def resize(self, width: int, height: int) -> None:
        self.app.root.wm_geometry(f"{width}x{height}")
        self.wait(lambda: self.app.root.winfo_width() == width)

    def states(self) -> list[dict[str, tuple[int, int]]]:
        """Return the places in every state of the window."""
        app, found = self.app, []
        load_moves(app, "1. b2 b2 2. a3")
        found.append(self.places())
        app.commands.step(-1)
        found.append(self.places())
        load_moves(app, GAME)
        found.append(self.places())
        app.commands.review()
        found.append(self.places())
        app.commands.set_up()
        found.append(self.places())
        app.commands.escape()
        app.session.new_game((add_test_bot(app), ALTERNATE))
        app.session.pause_bots()
        app.desk.changed()
        found.append(self.places())
        return found

    def test_every_button_has_one_place_and_undo_never_becomes_play_again(self) -> None:
        for width in (900, 480, 1500):
            self.resize(width, 640)
            with self.subTest(width=width):
                seen: dict[str, tuple[int, int]] = {}
                for places in self.states():
                    for name, place in places.items():
                        self.assertEqual(seen.setdefault(name, place), place, name)
                self.assertNotEqual(seen["undo"][0], seen["play_again"][0])
                self.assertEqual(seen["new_game"], seen["play_again"])

    def test_a_greyed_button_says_why(self) -> None:
        buttons, before = self.app.window.buttons, self.status
        for name, words in (("undo", "nothing to undo"), ("review", "when the game is over")):
            self.click_on(buttons[name])
            self.assertIn(words, self.status)
            buttons[name].event_generate("<Leave>")
            self.app.root.update()
            self.assertEqual(self.status, before)
        load_moves(self.app, "1. a1 b1 2. c1")
        self.click_on(buttons["hint"])
        self.assertIn("when it is your turn", self.status)


class OfferTests(WindowTestCase):
    results = ""

    def lose_or_win(self, results: str) -> None:
        """Count *results* against Casual, and show the end of such a game."""
        statistics = self.app.desk.keeper.statistics
        for letter in results:
            game = Game(players=(CASUAL, HUMAN))
            statistics.add_result(Result(game, 1 if letter == "w" else 0))
        self.results += results
        actions = parse_moves("a1 b1 d3 c1" if self.results[-1] == "w" else "a1 b1 c1")
        self.app.session.restore(Game(actions=actions, players=(CASUAL, HUMAN), is_counted=True))
        self.app.desk.changed()
        self.app.root.update()

    def test_two_wins_offer_a_harder_opponent_and_nothing_is_forced(self) -> None:
        self.lose_or_win("ww")
        self.assertIn("Two wins in a row: try Careful next?", self.status)
        self.click_on(self.app.window.buttons["play_again"])
        self.assertIn(CASUAL, self.app.session.players)
        self.lose_or_win("")
        self.click_on(self.app.window.buttons["harder"])
        self.assertEqual(self.app.session.players[0], HUMAN, "seats take turns")
        self.assertEqual(self.app.session.players[1].bot, "careful")
        self.assertEqual(self.app.desk.keeper.settings.opponent, "careful")

    def test_two_losses_offer_an_easier_one_and_one_win_nothing(self) -> None:
        self.lose_or_win("w")
        self.assertFalse(self.app.window.buttons["harder"].winfo_ismapped())
        self.lose_or_win("ll")
        self.assertTrue(self.app.window.buttons["easier"].winfo_ismapped())
        self.assertFalse(self.app.window.buttons["harder"].winfo_ismapped())

    def test_the_offer_fits_the_smallest_window(self) -> None:
        self.lose_or_win("ww")
        root = self.app.root
        width, height = self.app.window.least_size()
        root.wm_geometry(f"{width}x{height}")
        self.wait(lambda: root.winfo_width() == width)
        button, label = self.app.window.buttons["harder"], self.app.window.status
        self.assertLessEqual(button.winfo_x() + button.winfo_width(), width)
        self.assertGreaterEqual(button.winfo_width(), button.winfo_reqwidth())
        self.assertGreaterEqual(label.winfo_height(), label.winfo_reqheight())
        bottom = label.winfo_rooty() + label.winfo_height()
        self.assertLessEqual(bottom, root.winfo_rooty() + root.winfo_height())


class TwoBotsTests(WindowTestCase):
    """Bots whose answers wait for the test: what it looks at is held open."""

    def setUp(self) -> None:
        super().setUp()
        self.gate = threading.Semaphore(0)

        def choose(state: State) -> Action:
            self.gate.acquire(timeout=PATIENCE_S)
            return legal_actions(state)[-1]

        bot = add_test_bot(self.app, choose)
        self.addCleanup(self.gate.release, 100)
        self.app.session.new_game((bot, bot))
        self.app.desk.changed()

    def present(self) -> int:
        return len(self.app.session.game.actions)

    def test_pause_step_and_play(self) -> None:
        self.click_on(self.app.window.buttons["pause"])
        self.assertIn("Paused", self.app.window.title_text)
        self.gate.release(2)  # the answer that was under way is dropped, the next one is played
        self.click_on(self.app.window.buttons["step"])
        self.wait(lambda: self.present() == 1)
        self.assertTrue(self.app.session.is_paused)
        self.wait(lambda: self.app.desk.jobs.outstanding == 0)
        self.gate.release(100)
        self.click_on(self.app.window.buttons["resume"])
        self.wait(lambda: self.app.session.phase is Phase.OVER)

    def test_whatever_key_is_pressed_a_pause_lasts(self) -> None:
        self.gate.release(100)
        self.wait(lambda: self.present() >= 3)
        self.key("<Control-p>")
        self.wait(lambda: self.app.desk.jobs.outstanding == 0)
        for keys in (
            ("<Prior>", "<Next>"), ("<Control-Home>", "<Control-End>"), ("<Key-u>", "<Key-r>"),
            ("<Key-h>",), ("<F3>",), ("<F4>", "<Escape>"), ("<F7>",), ("<F8>",), ("<space>",),
            ("<Key-a>", "<Key-1>"), ("<Return>",), ("<Control-b>",), ("<Escape>",),
            ("<Control-z>", "<Control-y>"),
        ):  # fmt: skip
            with self.subTest(keys=keys):
                self.key(*keys)
                self.assertTrue(self.app.session.is_paused)
                self.assertEqual(self.app.desk.jobs.outstanding, 0, "no bot was asked")

    def test_the_speed_goes_round(self) -> None:
        self.click_on(self.app.window.buttons["pause"])
        met = []
        for _ in range(4):
            self.click_on(self.app.window.buttons["speed"])
            met.append(self.app.desk.keeper.settings.speed)
            self.assertIn(met[-1], self.status)
        self.assertEqual(met[-1], "instant")
        self.assertEqual(len(set(met)), 4)


class WarningTests(WindowTestCase):
    def test_a_warning_survives_the_reply_of_the_bot_and_news_do_not(self) -> None:
        gate = threading.Event()
        self.addCleanup(gate.set)

        def choose(state: State) -> Action:
            gate.wait(PATIENCE_S)
            return legal_actions(state)[0]

        for tell, stays in ((self.app.desk.warn, True), (self.app.desk.say, False)):
            gate.clear()
            self.app.session.new_game((HUMAN, add_test_bot(self.app, choose)))
            self.app.desk.changed()
            self.click(5)
            tell("The disk is full.")
            gate.set()
            self.wait(lambda: self.app.session.phase is Phase.YOUR_TURN)
            self.assertEqual(self.status == "The disk is full.", stays)
            self.click(6)
            self.wait(lambda: self.app.session.phase is Phase.YOUR_TURN)
            self.assertNotEqual(self.status, "The disk is full.", "a person has acted")


class NoticeTests(WindowTestCase):
    def test_a_folder_that_cannot_be_written_is_said_at_the_start_and_stays_visible(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            self.app.desk.keeper = UserData(Path(file.name) / "inside-a-file")
            self.app.desk.keeper.restore_session(self.app.session)
            self.app.desk.keeper.finish()
            self.app.desk.changed()
            self.wait(lambda: "nothing is saved" in self.status)
            self.assertTrue(self.app.window.notice.winfo_ismapped())
            self.click(0)
            self.assertNotIn("nothing is saved", self.status)
            self.assertTrue(self.app.window.notice.winfo_ismapped())
            self.app.desk.keeper = UserData(new_folder())
            self.app.desk.changed()
            self.app.root.update()
            self.assertFalse(self.app.window.notice.winfo_ismapped())

    def test_the_notice_goes_as_soon_as_all_is_saved_again(self) -> None:
        folder = new_folder() / "data"
        folder.write_text("a file in its place")
        self.app.desk.keeper = UserData(folder)
        self.click(0)
        self.wait(self.app.window.notice.winfo_ismapped)
        self.app.desk.keeper.finish()
        folder.unlink()
        self.click(1)
        self.wait(lambda: not self.app.window.notice.winfo_ismapped())


class MarkTests(WindowTestCase):
    def test_a_mark_in_the_list_explains_itself_under_the_pointer(self) -> None:
        load_moves(self.app, GAME)
        panel = self.app.window.panel
        self.assertEqual(panel.explanation, "b1# – b1 completes three yellows.")
        panel.moves.update_idletasks()
        first, _ = panel.moves.tag_ranges("jump4")
        box = panel.moves.bbox(str(first))
        assert box is not None
        panel.moves.event_generate("<Motion>", x=box[0] + 8, y=box[1] + box[3] // 2)
        self.app.root.update()
        self.assertTrue(panel.explanation.startswith("c1?? – Throws the win away"))
        panel.moves.event_generate("<Leave>")
        self.app.root.update()
        self.assertEqual(panel.explanation, "b1# – b1 completes three yellows.")

    def test_in_review_nothing_is_explained(self) -> None:
        load_moves(self.app, GAME)
        self.app.commands.review()
        self.assertEqual(self.app.window.panel.explanation, "")


class FirstMoveTests(WindowTestCase):
    def test_the_first_game_says_what_a_move_is_until_one_was_made(self) -> None:
        session = self.app.session
        session.new_game((HUMAN, add_test_bot(self.app)))
        self.app.desk.changed()
        self.assertEqual(self.status, texts.FIRST_MOVE)
        self.click(5)
        self.wait(lambda: len(session.game.actions) == 2)
        self.assertEqual(self.status, "")
        self.app.desk.keeper.statistics.add_result(Result(Game(players=(HUMAN, ALTERNATE)), 0))
        session.new_game((HUMAN, ALTERNATE))
        self.app.desk.changed()
        self.assertEqual(self.status, "")


class StatisticsTests(WindowTestCase):
    def rows(self) -> list[tuple[str, ...]]:
        """Return the lines of the dialog."""
        self.app.windows.statistics()
        dialog = next(w for w in self.app.root.winfo_children() if isinstance(w, StatisticsDialog))
        return [tuple(map(str, dialog.table.item(row, "values")))
                for row in dialog.table.get_children()]  # fmt: skip

    def test_each_opponent_has_its_rate_streak_and_days_under_its_name_of_today(self) -> None:
        own = Player("own-table-99", "Old Name")
        for bot, day, winner in (
            (own, "2026-01-02", 0), (own, "2026-01-03", 0), (own, "2026-01-04", 1),
            (ALTERNATE, "2026-01-01", 1),
        ):  # fmt: skip
            self.app.desk.keeper.statistics.add_result(
                Result(Game(players=(HUMAN, bot), day=day), winner)
            )
        counts = ("2", "1", "66 %", "2", "1 lost", "2", "2026-01-02", "2026-01-04")
        self.assertEqual(self.rows()[0], ("Old Name", *counts))
        self.assertEqual(self.rows()[1][:4], ("Alternate", "0", "1", "0 %"))
        add_bot(self.app.desk, "New Name", "own-table-99", lambda _: 0)
        self.addCleanup(remove_bot, self.app.desk, "own-table-99")
        self.assertEqual(self.rows()[0], ("New Name", *counts))

    def test_one_game_lost_in_many_is_not_all_won(self) -> None:
        for winner in [0] * 300 + [1]:
            self.app.desk.keeper.statistics.add_result(
                Result(Game(players=(HUMAN, ALTERNATE)), winner)
            )
        self.assertEqual(self.rows()[0][:4], ("Alternate", "300", "1", "99 %"))

    def test_to_start_over_asks_and_return_keeps_them(self) -> None:
        self.app.desk.keeper.statistics.add_result(Result(Game(players=(HUMAN, ALTERNATE)), 0))
        self.app.windows.statistics()
        dialog = next(w for w in self.app.root.winfo_children() if isinstance(w, StatisticsDialog))
        buttons = [w for w in dialog.buttons.winfo_children() if isinstance(w, ttk.Button)]
        self.click_on(next(b for b in buttons if "Start Over" in str(b.cget("text"))))
        question = next(w for w in dialog.winfo_children() if isinstance(w, Dialog))
        self.key("<Return>", widget=question)
        self.assertFalse(question.winfo_exists())
        self.assertEqual(len(self.app.desk.keeper.statistics.records()), 1)


class PlayersDialogTests(WindowTestCase):
    def test_what_an_opponent_does_is_never_cut(self) -> None:
        for zoom in (0, 6):
            self.app.desk.keeper.change(zoom=zoom)
            self.app.appearance.take_settings()
            self.app.windows.new_game()
            dialog = next(w for w in self.app.root.winfo_children() if isinstance(w, NewGameDialog))
            box = dialog.seats[1]
            frames = [w for w in dialog.body.winfo_children() if w.winfo_class() == "TFrame"]
            label = frames[1].winfo_children()[0]
            for number, name in enumerate(box["values"]):
                with self.subTest(zoom=zoom, opponent=name):
                    box.current(number)
                    box.event_generate("<<ComboboxSelected>>")
                    self.app.root.update()
                    self.assertLessEqual(label.winfo_reqheight(), frames[1].winfo_height())
                    self.assertLessEqual(label.winfo_reqwidth(), frames[1].winfo_width())
            dialog.close()


class AnalysisTests(WindowTestCase):
    def test_no_column_is_cut_at_any_zoom(self) -> None:
        table = QTable()
        table.set_value(0, 5, -1.0)
        name = "The very longest of names"
        play_added(self.app.desk, name, "young", lambda s: legal_actions(s)[0], lambda: table)
        self.app.window.panel.select(analysis=True)
        for zoom in (-3, 0, 6):
            self.app.desk.keeper.change(zoom=zoom)
            self.app.appearance.take_settings()
            self.app.root.wm_geometry("1400x900")
            self.wait(lambda: self.app.root.winfo_width() == 1400)
            self.wait(lambda: self.app.beliefs.table is table)
            self.app.desk.refresh()
            self.app.root.update()
            tree = self.app.window.panel.analysis
            with self.subTest(zoom=zoom):
                widths = [int(tree.column(name, "width")) for name in tree["columns"]]
                self.assertLessEqual(sum(widths), tree.winfo_width() + 1)
                for name, width in zip(tree["columns"], widths, strict=True):
                    heading = str(tree.heading(name, "text"))
                    self.assertLessEqual(self.app.desk.theme.strong.measure(heading), width)

    def test_a_chance_is_told_with_its_opponent_and_a_proof_fits_its_column(self) -> None:
        table = QTable()
        table.set_lost(0)
        table.set_win_rate(0, 5, 0.875)
        table.meta["practice"] = "myopic"
        play_added(self.app.desk, "Young", "young", lambda s: legal_actions(s)[0], lambda: table)
        panel = self.app.window.panel
        panel.select(analysis=True)
        self.key("<F8>")
        self.wait(lambda: self.app.window.board.picture.beliefs)
        self.assertEqual(self.app.window.board.picture.beliefs[5].text, "87.5 %")
        self.assertTrue(self.status.endswith("win rates against Myopic."), self.status)
        self.app.root.update()
        strong, room = self.app.desk.theme.strong, int(panel.analysis.column("belief", "width"))
        told = {str(panel.analysis.set(row, "belief")) for row in panel.analysis.get_children()}
        self.assertEqual(told, {"87.5 %", "proven loss"})
        self.assertLess(max(map(strong.measure, told)), room)


class CursorTests(WindowTestCase):
    def test_the_cursor_is_drawn_after_a_key_and_not_after_the_mouse(self) -> None:
        board = self.app.window.board
        self.click(5)
        self.assertFalse(board.find_withtag("cursor"))
        self.assertIs(focused_widget(self.app.root), board)
        self.key("<Left>")
        self.assertTrue(board.find_withtag("cursor"))
        self.app.commands.undo()
        self.assertTrue(board.find_withtag("cursor"))
        self.click(5)
        self.assertFalse(board.find_withtag("cursor"))


if __name__ == "__main__":
    unittest.main()
