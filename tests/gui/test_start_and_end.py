"""The first start of the program, and its end, whatever is open when the user quits."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.kit.person import PersonTestCase
from tests.kit.samples import IS_SLOW_RUN, PROJECT
from tests.kit.windows import HAS_DISPLAY
from traffic_lights.play.userdata import UserData

PROGRAM = """
import os, signal, sys
from traffic_lights.gui.app import App, run
from traffic_lights.gui.kit.root import open_root

root = open_root()
act = "{act}"

def is_there():
    # Tk takes the grab right before it waits; until then the dialog is being made.
    wanted = ".__tk_filedialog" if "_game" in act else ""
    return root.winfo_viewable() and str(root.tk.call("grab", "current", ".")) == wanted

def when(end):
    root.after_idle(end) if is_there() else root.after(20, when, end)

def close(app):
    root.tk.call(root.protocol("WM_DELETE_WINDOW"))
    app.context.quit()
    app.context.close()

if act.startswith("SIG"):
    when(lambda: os.kill(os.getpid(), getattr(signal, act)))
    sys.exit(run(root))
app = App(root)
app.open()
if act:
    root.after(50, app.run, act)
when(lambda: close(app))
root.mainloop()
"""
SIGNALS = ("SIGTERM", "SIGHUP") if IS_SLOW_RUN else ("SIGTERM",)


@unittest.skipUnless(HAS_DISPLAY, "no display")
class EndTests(unittest.TestCase):
    def test_the_program_saves_and_ends_however_it_is_asked_and_however_often(self) -> None:
        # The dialog for a file on X11 is a window of Tk's own.
        asking = ("open_game", "save_game") if IS_SLOW_RUN else ("open_game",)
        acts = ("", *(asking if sys.platform == "linux" else ()))
        for act in (*acts, *(SIGNALS if sys.platform != "win32" else ())):
            with self.subTest(act=act), tempfile.TemporaryDirectory() as home:
                done = subprocess.run(
                    [sys.executable, "-c", PROGRAM.replace("{act}", act)],
                    capture_output=True, text=True, cwd=PROJECT, timeout=300, check=False,
                    env={**os.environ, "TRAFFIC_LIGHTS_HOME": home},
                )  # fmt: skip
                status = 128 + getattr(signal, act) if act in SIGNALS else 0
                self.assertEqual((done.returncode, done.stderr), (status, ""))
                self.assertTrue(UserData(Path(home)).settings.geometry, "the place of the window")
                self.assertFalse((Path(home) / "log.txt").exists(), "no error was logged")


class StartTests(PersonTestCase):
    def test_a_first_game_says_what_a_move_is_and_a_window_has_the_size_that_it_had(self) -> None:
        self.see("Your turn", "Beginner", "Level 1 of 6", "off → green → yellow → red")
        root = self.app.root
        wide, high = root.winfo_width() - 44, root.winfo_height() - 33
        self.resize(wide, high)
        self.restart()
        self.assertEqual(self.app.root.wm_geometry().partition("+")[0], f"{wide}x{high}")
