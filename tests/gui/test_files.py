"""Games to and from files and the clipboard, bad ones refused in words; what is kept on disk."""

import os
import subprocess
import sys
import tempfile
import tkinter as tk
import unittest
from dataclasses import replace
from pathlib import Path
from tkinter import filedialog
from unittest import mock

from tests.kit.windows import (
    WindowTestCase,
    add_test_bot,
    close_dialogs,
    load_moves,
    new_folder,
    open_dialogs,
)
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.play.game import HUMAN, Game
from traffic_lights.play.modes.set_up import SetUp
from traffic_lights.play.userdata import UserData

GAME = "1. b2 b2 2. a3 c1"


class FileTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.folder = new_folder()
        load_moves(self.app, GAME)
        self.before = self.app.session.history.saved

    def choose(self, name: str, *keys: str) -> None:
        """Press *keys* and choose the file *name* in the dialog that comes."""
        path = mock.Mock(return_value=str(self.folder / name))
        with mock.patch.multiple(filedialog, askopenfilename=path, asksaveasfilename=path):
            self.key(*keys)

    def press(self, words: str, dialog: Dialog) -> None:
        """Press the button of *dialog* with these *words*."""
        row = dialog.buttons.winfo_children()
        self.click_on(next(button for button in row if button.cget("text") == words))

    @unittest.skipUnless(sys.platform == "linux", "how a folder is opened on Linux")
    def test_the_data_folder_opens_in_the_file_manager_and_is_named(self) -> None:
        folder = str(self.app.context.userdata.folder)
        for failure in (None, FileNotFoundError()):
            self.app.context.say("")
            with mock.patch.object(subprocess, "Popen", side_effect=failure) as popen:
                self.app.run("data_folder")
            self.assertEqual(popen.call_args.args, (["xdg-open", folder],))
            self.assertEqual(self.status, f"The data folder is {folder}.")

    def test_a_dialog_for_a_file_that_is_closed_changes_nothing(self) -> None:
        self.app.context.say("Before")
        answer = mock.Mock(return_value="")
        with mock.patch.multiple(filedialog, askopenfilename=answer, asksaveasfilename=answer):
            self.key("<Control-o>", "<Control-s>")
        self.assertEqual(answer.call_count, 2)
        self.assertEqual(self.app.session.history.saved, self.before)
        self.assertEqual(self.status, "Before")

    def test_a_saved_game_opens_as_it_was_with_the_line_ends_of_windows_too(self) -> None:
        state = self.app.session.state
        self.choose("game.tlg", "<Control-s>")
        self.assertEqual(self.status, f"Saved as {self.folder / 'game.tlg'}.")
        text = (self.folder / "game.tlg").read_text("utf-8")
        windows = "\ufeff" + text.replace("\n", "\r\n")
        (self.folder / "windows.tlg").write_bytes(windows.encode("utf-8"))
        for name in ("game.tlg", "windows.tlg"):
            self.choose(name, "<F2>", "<Control-o>")
            self.assertEqual((self.app.session.state, self.status), (state, f"Opened {name}."))

    def test_a_bad_file_changes_nothing_and_is_explained(self) -> None:
        (self.folder / "noise").write_bytes(bytes(range(256)))
        (self.folder / "illegal").write_bytes(b"Traffic Lights 1\n\n1. b2 b2 2. b2 b2\n")
        (self.folder / "long").write_bytes(b"1. b2 " * 20000)
        for name in ("noise", "illegal", "long", "missing"):
            with self.subTest(file=name):
                self.choose(name, "<Control-o>")
                self.assertEqual(self.app.session.history.saved, self.before)
                self.assertIn(name, self.status)

    def test_a_file_that_cannot_be_written_is_explained(self) -> None:
        self.choose("no/such/folder.tlg", "<Control-s>")
        self.assertIn("no such file or folder", self.status)

    def test_a_dialog_starts_in_the_documents_with_a_name_that_is_free(self) -> None:
        (self.folder / "Documents").mkdir()
        game = replace(self.app.session.game, day="2026-01-31")
        self.app.session.restore(game)
        with (
            mock.patch.dict(os.environ, {"HOME": str(self.folder), "XDG_CONFIG_HOME": ""}),
            mock.patch.object(filedialog, "asksaveasfilename", return_value="") as ask,
        ):
            self.key("<Control-s>")
            asked = ask.call_args.kwargs
            self.assertEqual(asked["initialdir"], self.folder / "Documents")
            self.assertEqual(asked["initialfile"], "Traffic Lights 2026-01-31.tlg")
            self.assertEqual(asked["defaultextension"], ".tlg")
            (self.folder / "Documents" / asked["initialfile"]).touch()
            self.key("<Control-s>")
            name = ask.call_args.kwargs["initialfile"]
            self.assertEqual(name, "Traffic Lights 2026-01-31 2.tlg")

    def test_what_was_copied_and_what_could_not_be_pasted_is_named(self) -> None:
        self.key("<Control-c>")
        self.assertEqual(self.status, "The game is on the clipboard.")
        self.app.root.clipboard_clear()
        for blank in ("", " \n"):
            self.app.root.clipboard_append(blank)
            self.key("<Control-v>")
            self.assertEqual(self.status, "The clipboard has no text.")
        self.app.root.clipboard_append("333000000000")
        self.key("<Control-v>")
        self.assertTrue(self.status.startswith("Not pasted: "), self.status)

    def test_copy_and_paste_bring_game_and_position_back(self) -> None:
        state = self.app.session.state
        self.key("<Control-c>", "<F2>", "<Control-v>")
        game = self.app.session.game
        self.assertEqual((self.app.session.state, len(game.actions)), (state, 4))
        self.assertIn("recent games", self.status)

    def test_no_way_back_is_named_where_there_was_no_game(self) -> None:
        for text in ("1. a1 b2", "0120/0000/0003"):
            self.app.session.restore(Game())
            self.app.root.clipboard_clear()
            self.app.root.clipboard_append(text)
            self.key("<Control-v>")
            self.assertEqual(self.status, "Pasted.")

    def test_a_position_pasted_in_set_up_is_set_up(self) -> None:
        self.app.run("set_up")
        self.app.root.clipboard_clear()
        self.app.root.clipboard_append("0120/0000/0003")
        self.key("<Control-v>")
        self.assertIsInstance(self.app.session.mode, SetUp)
        self.assertEqual(self.app.session.state, int("012000000003", 4))


class KeptTests(WindowTestCase):
    def test_a_result_against_a_bot_is_counted_once(self) -> None:
        bot = add_test_bot(self.app, lambda state: 11 if not state & 3 else 4)
        self.app.session.new_game((HUMAN, bot))
        self.app.context.changed()
        for cell in (0, 1, 2):
            self.wait(lambda: self.app.session.is_your_turn)
            self.click(cell)
        self.assertTrue(self.app.session.shows_result)
        self.key("<Control-z>")
        self.wait(lambda: self.app.session.is_your_turn)
        self.click(2)
        rows = self.app.context.userdata.records()
        self.assertEqual([(r.opponent, r.wins, r.losses) for r in rows], [("test-bot", 1, 0)])
        self.app.context.userdata.finish()
        self.assertEqual(UserData(self.app.context.userdata.folder).records(), rows)

    def test_a_folder_that_cannot_be_written_is_said_once_and_play_goes_on(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            self.app.context.userdata.finish()
            self.app.context.userdata = UserData(Path(file.name) / "inside-a-file")
            self.click(0)
            self.wait(lambda: "nothing is saved" in self.status)
            self.click(1)
            self.app.context.userdata.finish()
            self.assertEqual(self.app.context.userdata.take_trouble(), "")
            self.assertEqual(len(self.app.session.game.actions), 2)

    def test_a_second_program_shows_that_it_does_not_save(self) -> None:
        first = UserData(new_folder())
        first.restore_session(self.app.session)
        self.app.context.userdata.finish()
        self.app.context.userdata = UserData(first.folder)
        self.click(0)
        self.wait(lambda: "already open" in self.status)
        self.assertTrue(self.app.window.notice.winfo_ismapped())
        first.finish()


class ErrorTests(WindowTestCase):
    def test_errors_are_counted_and_shown_once_and_the_game_goes_on(self) -> None:
        def fail() -> None:
            raise RuntimeError("made by a test")

        dialogs: list[tk.Misc] = []
        for count in (1, 2):
            self.app.root.after(1, fail)
            self.wait(lambda: self.app.context.log.errors == count)  # noqa: B023
            dialogs += open_dialogs(self.app.root)
        self.assertEqual(dialogs, dialogs[:1] * 2, "the second does not replace the first")
        written = self.app.context.log.file.read_text("utf-8")
        self.assertEqual(written.count("RuntimeError: made by a test"), 2)
        self.assertRegex(written, r"(?m)^\d{4}-.* Traffic Lights \d.*, Python 3.*, Tk \d.*, \w+$")
        first, _ = written.split("\n\n", 1)
        _, copy = open_dialogs(self.app.root)[0].buttons.winfo_children()
        self.key("<space>", widget=copy)
        self.assertEqual(self.app.root.clipboard_get().strip(), first.strip())
        close_dialogs(self.app)
        self.app.context.log.errors = 0
        self.click(0)
        self.assertEqual(len(self.app.session.game.actions), 1)
