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
from traffic_lights.gui.kit.file_dialogs import end_file_dialogs

root = tk.Tk()
app = App(root)
finish = app.desk.keeper.finish

def told_finish():
    print("closing", flush=True)
    finish()

app.desk.keeper.finish = told_finish
app.open()

def is_open(name=".__tk_filedialog"):
    return bool(root.tk.call("winfo", "exists", name)) and root.tk.call("winfo", "ismapped", name)

def when(is_true, act):
    if is_true():
        act()
    else:
        root.after(20, when, is_true, act)

def close():
    root.tk.call(root.protocol("WM_DELETE_WINDOW"))
    app.desk.quit()
    app.close()

def ask(then):
    root.after(1, app.commands.table["open_game"])
    when(is_open, then)

def escape(then):
    if is_open():  # a dialog that does not wait yet does not hear it
        root.tk.call("event", "generate", ".__tk_filedialog", "<Escape>")
        root.after(20, escape, then)
    else:
        then()
"""
END = """
root.mainloop()
print("ended", flush=True)
"""
WAYS = {
    "at once": "when(root.winfo_viewable, close)",
    "with the dialog open": "when(root.winfo_viewable, lambda: ask(close))",
    "with the dialog open again": "when(root.winfo_viewable, "
    "lambda: ask(lambda: escape(lambda: ask(close))))",
    "after the dialog": "when(root.winfo_viewable, lambda: ask(lambda: escape(close)))",
}


@unittest.skipUnless(HAS_DISPLAY, "no display")
@unittest.skipUnless(sys.platform == "linux", "the dialog of files is Tk's own on X11 only")
class ClosingTests(unittest.TestCase):
    def test_the_program_ends_and_saves_once_however_often_it_is_asked(self) -> None:
        for name, way in WAYS.items():
            with self.subTest(way=name), tempfile.TemporaryDirectory() as home:
                done = subprocess.run(
                    [sys.executable, "-c", textwrap.dedent(BEGIN) + way + END],
                    capture_output=True, text=True, cwd=PROJECT, timeout=120, check=False,
                    env={**os.environ, "TRAFFIC_LIGHTS_HOME": home},
                )  # fmt: skip
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, "closing\nended\n")
                self.assertFalse((Path(home) / "log.txt").exists(), "no error was logged")


if __name__ == "__main__":
    unittest.main()
