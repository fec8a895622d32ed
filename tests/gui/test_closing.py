"""Closing the window ends the program, whatever is open, and asking for it twice is once."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from tests.kit.samples import PROJECT
from tests.kit.windows import HAS_DISPLAY

BEGIN = """
import sys, tkinter as tk
from traffic_lights.gui.app import App

root = tk.Tk()
app = App(root)
finish = app.context.userdata.finish

def told_finish():
    print("closing", flush=True)
    finish()

app.context.userdata.finish = told_finish
app.open()

def when(is_true, act):
    if is_true():
        act()
    else:
        root.after(20, when, is_true, act)

def close():
    root.tk.call(root.protocol("WM_DELETE_WINDOW"))
    app.context.quit()
    app.close()

DIALOG = ".__tk_filedialog"

def is_asking():
    shown = f"winfo exists {DIALOG}] && [winfo ismapped {DIALOG}"
    return root.tk.eval(f"expr {{[{shown}]}}") == "1"

def ask(then):
    root.after(0, when, is_asking, then)
    app.commands.files.open()

def cancel_and_ask_again():  # a dialog that does not wait yet takes no answer
    if is_asking():
        root.tk.eval(f"{DIALOG}.contents.f2.cancel invoke")
        root.after(20, cancel_and_ask_again)
    else:
        ask(close)
"""
END = """
root.mainloop()
print("ended", flush=True)
"""
FILES = """
def has_files():
    # Tk takes the grab right before it waits; until then the dialog is being made.
    return str(root.tk.call("grab", "current", ".")) == ".__tk_filedialog"

when(root.winfo_viewable, lambda: root.after_idle(lambda: app.commands.run("{command}")))
when(has_files, close)
"""
WAYS = {"at once": "when(root.winfo_viewable, close)"}
ASKING = {
    "while a file is asked for to open": FILES.replace("{command}", "open_game"),
    "while a file is asked for to save": FILES.replace("{command}", "save_game"),
    "asking for a file": "when(root.winfo_viewable, lambda: ask(close))",
    "asking for the second time": "when(root.winfo_viewable, lambda: ask(cancel_and_ask_again))",
}
"""On X11, where the dialog is a window of Tk's own."""


@unittest.skipUnless(HAS_DISPLAY, "no display")
class ClosingTests(unittest.TestCase):
    def test_the_program_ends_and_saves_once_however_often_it_is_asked(self) -> None:
        ways = {**WAYS, **(ASKING if sys.platform == "linux" else {})}
        for name, way in ways.items():
            with self.subTest(way=name), tempfile.TemporaryDirectory() as home:
                done = subprocess.run(
                    [sys.executable, "-c", textwrap.dedent(BEGIN) + way + END],
                    capture_output=True, text=True, cwd=PROJECT, timeout=300, check=False,
                    env={**os.environ, "TRAFFIC_LIGHTS_HOME": home},
                )  # fmt: skip
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, "closing\nended\n")
                self.assertFalse((Path(home) / "log.txt").exists(), "no error was logged")


if __name__ == "__main__":
    unittest.main()
