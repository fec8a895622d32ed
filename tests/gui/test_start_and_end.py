"""The first start of the program, and its end, whatever is open when the user quits."""

import os
import subprocess
import sys
import tempfile
import tkinter as tk
import unittest
from pathlib import Path

from tests.kit.samples import IS_SLOW_RUN, PROJECT
from tests.kit.windows import HAS_DISPLAY, new_folder
from traffic_lights.gui.app import App
from traffic_lights.play.userdata import UserData

_apps: list[App] = []
"""Kept for the whole run, because a Tk that another thread deletes ends the process."""
PROGRAM = """
import tkinter as tk
from traffic_lights.gui.app import App

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
                self.assertFalse((Path(home) / "log.txt").exists(), "no error was logged")


@unittest.skipUnless(HAS_DISPLAY, "no display")
class FirstStartTests(unittest.TestCase):
    def test_the_board_waits_with_the_weakest_opponent(self) -> None:
        folder = new_folder()
        for _ in range(2):
            app = App(tk.Tk(), UserData(folder))
            _apps.append(app)
            weakest = app.context.roster.levels()[0]
            self.assertEqual([player.bot for player in app.session.players], [None, weakest.key])
            self.assertIn("Choose a lamp", app.window.detail.cget("text"))
            app.root.update_idletasks()
            app.context.close()
