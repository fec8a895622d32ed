"""Games to and from files and the clipboard, bad ones refused in words; what is kept on disk."""

import subprocess
import sys
import unittest
from unittest import mock

from tests.kit import damage
from tests.kit.person import PersonTestCase
from tests.kit.samples import slow, tablebase
from traffic_lights.board.rules import format_cell
from traffic_lights.play.userdata import UserData


class FileTests(PersonTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.press("Beginner", "A person")
        self.click("b2 b2 a3 c1")
        self.before = self.lamps

    def test_a_game_that_was_saved_or_copied_comes_back_and_the_one_before_is_kept(self) -> None:
        self.file = self.folder / "game.tlg"
        self.key("Control-s")
        self.see(f"Saved as {self.file}.")
        self.key("Control-c")
        self.see("on the clipboard")
        for key, words in (("Control-o", "Opened game.tlg."), ("Control-v", "move 5")):
            self.key("F2")
            self.click("a1")
            self.key(key)
            self.see(words, "move 5")
            self.assertEqual(self.lamps, self.before)
            self.key("Control-z")
            self.assertEqual(self.lamps, "0000/0200/1000")

    def test_a_lesson_that_is_done_is_saved_as_a_game_and_a_set_up_without_one_is_not(self) -> None:
        self.file = self.folder / "lesson.tlg"
        self.pick("Learn", "How to Win")
        self.press("Solution")
        self.key("Control-s", "Control-o")
        self.see("Opened lesson.tlg.", "three greens")
        self.file = self.folder / "none.tlg"
        self.pick("Game", "Set Up Position")
        self.key("Control-s", "Control-c")
        self.see("A line is already complete here")
        self.assertFalse(self.file.exists())

    def test_what_is_no_game_is_refused_with_the_reason_and_changes_nothing(self) -> None:
        self.app.root.clipboard_clear()
        self.key("Control-v")
        self.see("The clipboard has no text")
        self.paste("Lunch at 12?")
        self.see("Not pasted")
        for name, content in (
            ("noise", bytes(range(256))), ("long", b"1. b2 " * 20_000),
            ("illegal", b"Traffic Lights 1\n\n1. b2 b2 2. b2 b2\n"), ("missing", b""),
        ):  # fmt: skip
            self.file = self.folder / name
            if content:
                self.file.write_bytes(content)
            self.key("Control-o")
            self.see(name)
            self.assertEqual(self.lamps, self.before)
            self.key("Escape")

    @unittest.skipUnless(sys.platform == "linux", "how a folder is opened on Linux")
    def test_the_data_folder_opens_in_the_file_manager_and_is_named(self) -> None:
        with mock.patch.object(subprocess, "Popen", side_effect=FileNotFoundError()) as popen:
            self.pick("Help", "Data Folder")
        self.assertEqual(popen.call_args.args, (["xdg-open", str(self.data)],))
        self.see(f"The data folder is {self.data}.")


class KeptTests(PersonTestCase):
    def test_a_result_against_a_bot_is_in_the_statistics_until_these_start_over(self) -> None:
        session = self.app.session
        while not session.now.is_over:
            self.click(format_cell(tablebase().optimal_actions(session.now.state)[0]))
            self.wait(lambda: session.now.is_over or session.now.is_your_turn, "the answer")
        self.restart()
        self.pick("Game", "Statistics")
        self.see("Beginner", "Most won", self.app.session.today)
        self.press("Start Over…")
        self.see("Forget all games")
        self.key("Escape")
        self.see("Most won")

    def test_what_cannot_be_saved_is_said_and_play_goes_on(self) -> None:
        (self.folder / "file").write_text("not a folder")
        self.quit()
        first = UserData(self.data)
        self.addCleanup(first.finish)
        self.assertTrue(first.may_save_game)
        for folder, words in (
            (self.data, "already open"), (self.folder / "file" / "inside-a-file", "saved"),
        ):  # fmt: skip
            self.data = folder
            self.start()
            self.see(words)
            self.click("b2")
            self.see("move 3")
            self.quit()

    @slow
    def test_the_windows_open_over_any_damaged_file(self) -> None:
        for name, number, act in damage.some(0.03):
            self.quit()
            damaged = damage.filled_folder(name, act)
            with self.subTest(file=name, damage=number), damaged as self.data:
                self.start()
                self.pick("Game", "Statistics")
                self.pick("Bots", "Workshop")
                self.quit()


class ErrorTests(PersonTestCase):
    def test_an_error_is_shown_and_logged_and_the_game_goes_on(self) -> None:
        def fail() -> None:
            raise RuntimeError("made by a test")

        for _ in range(2):
            self.app.root.after(1, fail)
        log = self.data / "log.txt"
        self.wait(lambda: log.exists() and log.read_text("utf-8").count("RuntimeError: made") == 2)
        self.assertEqual(len(self.windows), 2, "the second does not replace the first")
        log.unlink()
        self.key("Escape")
        self.click("b2")
        self.see("move 3")
        log.unlink(missing_ok=True)
