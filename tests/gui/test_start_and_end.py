"""The first start of the program, and its end, whatever is open when the user quits."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.kit.person import HAS_DISPLAY, PersonTestCase
from tests.kit.samples import IS_SLOW_RUN, PROJECT
from traffic_lights.play.userdata import UserData

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
                self.assertTrue((Path(home) / "user.json").exists())
                self.assertTrue(UserData(Path(home)).settings.geometry, "the place of the window")
                self.assertFalse((Path(home) / "log.txt").exists(), "no error was logged")


@unittest.skipIf(sys.platform == "win32", "Windows has no such signals")
@unittest.skipUnless(HAS_DISPLAY, "no display")
class SignalTests(unittest.TestCase):
    def test_a_log_out_saves_like_a_quit(self) -> None:
        program = """
import os, signal, sys
from traffic_lights.gui.app import run
from traffic_lights.gui.kit.root import open_root
root = open_root()
root.after(500, lambda: os.kill(os.getpid(), signal.{name}))
sys.exit(run(root))
"""
        for name in ("SIGTERM", "SIGHUP"):
            with self.subTest(name=name), tempfile.TemporaryDirectory() as home:
                done = subprocess.run(
                    [sys.executable, "-c", program.replace("{name}", name)],
                    capture_output=True, text=True, cwd=PROJECT, timeout=60, check=False,
                    env={**os.environ, "TRAFFIC_LIGHTS_HOME": home},
                )  # fmt: skip
                wanted = 128 + getattr(signal, name)
                self.assertEqual((done.returncode, done.stderr), (wanted, ""))
                self.assertTrue(UserData(Path(home)).settings.geometry, "the place of the window")


class StartTests(PersonTestCase):
    def test_a_first_game_is_against_the_weakest_and_says_what_a_move_is(self) -> None:
        self.see("Your turn", "Beginner", "Level 1 of 6", "off → green → yellow → red")

    def test_the_window_has_the_size_again_that_it_had(self) -> None:
        root = self.app.root
        wide, high = root.winfo_width() - 44, root.winfo_height() - 33
        root.wm_geometry(f"{wide}x{high}")
        self.wait(lambda: root.winfo_width() == wide, "the size")
        self.restart()
        self.assertEqual(self.app.root.wm_geometry().partition("+")[0], f"{wide}x{high}")
