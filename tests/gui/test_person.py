"""What a user would try first, with real events from another process on a screen of its own.

Needs Xvfb and xdotool.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.kit.samples import PATIENCE_S, PROJECT, FolderTestCase, slow, wait_until

PACKAGE = PROJECT / "traffic_lights"
MISSING = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
MISSING += ["Tk"] if find_spec("_tkinter") is None else []
CLOSED_STREAMS = (
    "import sys; sys.stdin = sys.stdout = sys.stderr = None; "
    "from traffic_lights.__main__ import main; sys.exit(main([]))"
)


@slow
@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class PersonTests(FolderTestCase):
    def setUp(self) -> None:
        self.home = self.folder / "data"
        reading, writing = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-dpi", "96",
             "-noreset", "-nolisten", "tcp"],  # while it resets, it refuses every program
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.addCleanup(screen.wait)
        self.addCleanup(screen.terminate)
        os.close(writing)
        with os.fdopen(reading) as answer:
            display = f":{answer.readline().strip()}"
        self.environ = {
            **os.environ, "DISPLAY": display, "TRAFFIC_LIGHTS_HOME": str(self.home),
            "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.home),
        }  # fmt: skip

    def start(self, *command: str | Path, **options: Any) -> subprocess.Popen[bytes]:
        program = subprocess.Popen(command, env=self.environ, **{"cwd": PROJECT, **options})
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        return program

    def do(self, *words: str) -> str:
        """Run xdotool with *words* and return what it prints; empty if it fails."""
        done = subprocess.run(["xdotool", *words], env=self.environ, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    def window(self) -> str:
        words = ("search", "--onlyvisible", "--name", "Traffic Lights")
        return str(wait_until(lambda: self.do(*words), "the window")).split()[0]

    def moves(self) -> list[str]:
        """Return the moves of the saved game that are made on the board."""
        path = self.home / "user.json"
        if not path.exists():
            return []
        saved = json.loads(path.read_text("utf-8"))["game"]
        words = saved["record"].partition("\n\n")[2].split()
        return [word for word in words if not word.endswith(".")][: saved["at"]]

    def wait_for_move(self, number: int) -> list[str]:
        """Wait for the answer to the move before *number*; return all moves."""
        wait_until(lambda: len(self.moves()) == number - 1, f"move {number - 1}")
        title = f"Your turn – move {number}"
        wait_until(lambda: title in self.do("getwindowname", self.window()), title)
        return self.moves()

    def press(self, *keys: str) -> None:
        self.do("key", "--delay", "15", *keys)

    def test_a_game_survives_a_kill_and_the_window_comes_back_where_it_was(self) -> None:
        first = self.start(PACKAGE / "play.command", cwd="/", stderr=subprocess.PIPE)
        self.wait_for_move(1)
        time.sleep(1)  # a person looks first: a window that is just there may have no board yet
        self.do("mousemove", "435", "446", "click", "1")
        moves = self.wait_for_move(3)
        self.assertEqual(moves[0], "b2")
        self.press("Caps_Lock", "ctrl+z")
        self.wait_for_move(1)
        self.press("ctrl+y")
        self.assertEqual(self.wait_for_move(3), moves)
        self.press("B", "2", "Caps_Lock")
        moves = self.wait_for_move(5)
        first.kill()
        self.assertEqual(first.communicate()[1], b"")

        second = self.start(sys.executable, PACKAGE / "play.pyw")
        self.assertEqual(self.wait_for_move(5), moves)
        # A third move of the bot could end the game.
        self.press("ctrl+z")
        self.wait_for_move(3)
        self.do("windowsize", "--sync", self.window(), "777", "555")
        self.press("ctrl+q")
        self.assertEqual(second.wait(PATIENCE_S), 0)

        third = self.start(sys.executable, "-c", CLOSED_STREAMS)
        self.wait_for_move(3)
        self.assertIn("777x", self.do("getwindowgeometry", self.window()))
        third.send_signal(signal.SIGINT)
        self.assertEqual(third.wait(PATIENCE_S), 130)
