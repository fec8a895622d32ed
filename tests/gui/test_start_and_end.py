"""The first start of the program, and its end, whatever is open when the user quits."""

import os
import subprocess
import sys
import tempfile
import tkinter as tk
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import IS_SLOW_RUN, PROJECT
from tests.kit.sessions import task_of
from tests.kit.windows import HAS_DISPLAY, WindowTestCase, new_folder
from traffic_lights.board.rules import legal_actions
from traffic_lights.gui import app
from traffic_lights.gui.app import App
from traffic_lights.gui.main import window
from traffic_lights.play.userdata import UserData

_apps: list[App] = []
"""Kept for the whole run, because a Tk that another thread deletes ends the process."""
PROGRAM = """
import tkinter as tk
from traffic_lights.gui.app import App
from traffic_lights.gui.main import window

root = tk.Tk()
app = App(root)
app.open()

def when(is_true, act):
    act() if is_true() else root.after(20, when, is_true, act)

def close():
    root.tk.call(root.protocol("WM_DELETE_WINDOW"))
    app.context.quit()
    app.context.close()

def is_asking():
    # Tk takes the grab right before it waits; until then the dialog is being made.
    return str(root.tk.call("grab", "current", ".")) == ".__tk_filedialog"

command = "{command}"
if command:
    when(root.winfo_viewable, lambda: root.after_idle(lambda: app.run(command)))
when(is_asking if command else root.winfo_viewable, close)
root.mainloop()
print("ended")
"""


@unittest.skipUnless(HAS_DISPLAY, "no display")
class ClosingTests(unittest.TestCase):
    def test_the_program_ends_and_saves_however_often_it_is_asked(self) -> None:
        # The dialog for a file on X11 is a window of Tk's own.
        asking = ("", "open_game", "save_game") if IS_SLOW_RUN else ("open_game",)
        for command in asking if sys.platform == "linux" else ("",):
            with self.subTest(asking=command), tempfile.TemporaryDirectory() as home:
                done = subprocess.run(
                    [sys.executable, "-c", PROGRAM.replace("{command}", command)],
                    capture_output=True, text=True, cwd=PROJECT, timeout=300, check=False,
                    env={**os.environ, "TRAFFIC_LIGHTS_HOME": home},
                )  # fmt: skip
                self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", "ended\n"))
                self.assertTrue((Path(home) / "game.json").exists())
                self.assertTrue(UserData(Path(home)).settings.geometry, "the place of the window")
                self.assertFalse((Path(home) / "log.txt").exists(), "no error was logged")


class PlaceTests(WindowTestCase):
    def test_a_maximized_window_comes_back_so_and_keeps_the_size_that_it_had_before(self) -> None:
        root = self.app.root
        settings = self.app.context.userdata
        root.wm_geometry("700x500+30+30")
        self.wait(lambda: root.winfo_width() == 700)
        self.app.window.keep_place()
        with mock.patch.object(window, "is_maximized", return_value=True):
            root.wm_geometry("1200x700+0+0")
            self.wait(lambda: root.winfo_width() == 1200)
            self.app.window.keep_place()
        kept = settings.settings
        self.assertEqual((kept.geometry, kept.is_maximized), ("700x500+30+30", True))
        with mock.patch.object(root, "after"), mock.patch.object(app, "show_maximized") as show:
            self.app.open()
        show.assert_called_once_with(root)
        self.app.window.keep_place()
        kept = settings.settings
        self.assertEqual((kept.geometry[:8], kept.is_maximized), ("1200x700", False))


@unittest.skipUnless(HAS_DISPLAY, "no display")
class StartTests(unittest.TestCase):
    def start(self, folder: Path) -> App:
        """Return a program on the data *folder*."""
        program = App(tk.Tk(), UserData(folder))
        _apps.append(program)
        return program

    def test_the_board_waits_with_the_weakest_opponent(self) -> None:
        folder = new_folder()
        for _ in range(2):
            program = self.start(folder)
            weakest = program.context.roster.levels()[0]
            bots = [player.bot for player in program.session.players]
            self.assertEqual(bots, [None, weakest.key])
            self.assertIn("Choose a lamp", program.window.message.detail.cget("text"))
            program.context.close()

    def test_who_quits_with_a_puzzle_on_the_board_has_tried_it(self) -> None:
        folder = new_folder()
        for steps, heading in (("wrong", "You win in"), ("right", "Solved – 2 tries")):
            program = self.start(folder)
            program.session.is_solved = True
            program.run("todays_puzzle")
            puzzle = task_of(program.session)
            wrong = [a for a in legal_actions(puzzle.state) if a not in puzzle.solutions]
            program.window._click(wrong[0] if steps == "wrong" else puzzle.solutions[0])
            self.assertTrue(puzzle.heading().startswith(heading), puzzle.heading())
            program.context.close()
        self.assertEqual(UserData(folder).puzzles.streak, 0)
