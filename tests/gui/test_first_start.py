"""The very first start: the game that waits is one that a newcomer can win."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest

from tests.kit.samples import PROJECT
from tests.kit.windows import HAS_DISPLAY

START = """
import tkinter as tk
from traffic_lights.gui.app import App

root = tk.Tk()
app = App(root)
weakest = app.context.roster.levels()[0]
print([player.bot for player in app.session.players] == [None, weakest.key])
print("Choose a lamp" in app.window.detail.cget("text"))
app.close()
root = tk.Tk()
app = App(root)
print(app.session.players[1].bot == weakest.key)
app.close()
"""


@unittest.skipUnless(HAS_DISPLAY, "no display")
class FirstStartTests(unittest.TestCase):
    def test_the_board_waits_with_the_weakest_opponent(self) -> None:
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(
                [sys.executable, "-c", START],
                capture_output=True,
                text=True,
                cwd=PROJECT,
                timeout=300,
                check=False,
                env={**os.environ, "TRAFFIC_LIGHTS_HOME": home},
            )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "True\nTrue\nTrue\n")


if __name__ == "__main__":
    unittest.main()
