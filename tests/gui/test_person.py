"""What a user would try first, with real events from another process on a screen of its own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.kit.person import MISSING, Program, Screen, poll
from tests.kit.samples import PROJECT

PACKAGE = PROJECT / "traffic_lights"
NO_STREAMS: dict[str, Any] = {
    "stdin": subprocess.DEVNULL,
    "stdout": subprocess.DEVNULL,
    "stderr": subprocess.PIPE,
}
CLOSED_STREAMS = (
    "import sys; sys.stdin = sys.stdout = sys.stderr = None; "
    "from traffic_lights.__main__ import main; sys.exit(main([]))"
)


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class PersonTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="traffic-lights-person-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.home = folder / "data"
        self.screen = Screen()
        self.addCleanup(self.screen.close)

    def start(self, command: list[str] | None = None, **options: Any) -> Program:
        program = Program(self.screen, self.home, command, **options)
        self.addCleanup(program.process.wait)
        self.addCleanup(program.process.kill)
        return program

    def wait_for_move(self, program: Program, number: int) -> str:
        """Wait for the answer to the move before *number*; return all moves."""
        poll(lambda: len(program.moves().split()) == number - 1, f"move {number - 1}")
        program.wait_for_title(f"Your turn – move {number}")
        return program.moves()

    def test_a_game_survives_a_kill_and_the_window_comes_back_where_it_was(self) -> None:
        first = self.start([str(PACKAGE / "play.command")], folder=Path("/"), **NO_STREAMS)
        first.click(5)
        moves = self.wait_for_move(first, 3)
        self.assertTrue(moves.startswith("b2 "))
        first.press("Caps_Lock", "ctrl+z")
        self.wait_for_move(first, 1)
        first.press("ctrl+y")
        self.assertEqual(self.wait_for_move(first, 3), moves)
        first.press("B", "2", "Caps_Lock")
        moves = self.wait_for_move(first, 5)
        first.kill()
        _, errors = first.process.communicate()
        self.assertEqual(errors, b"")

        second = self.start([sys.executable, str(PACKAGE / "play.pyw")])
        second.wait_for_title("Your turn – move 5")
        self.assertEqual(second.moves(), moves)
        # A third move of the bot could end the game.
        second.press("ctrl+z")
        self.wait_for_move(second, 3)
        self.screen.do("windowsize", "--sync", second.window(), "777", "555")
        second.press("ctrl+q")
        self.assertEqual(second.wait_for_end(), 0)

        third = self.start([sys.executable, "-c", CLOSED_STREAMS])
        third.wait_for_title("Your turn – move 3")
        self.assertIn("777x", self.screen.do("getwindowgeometry", third.window()))
        third.process.send_signal(signal.SIGINT)
        self.assertEqual(third.wait_for_end(), 130)

    def test_a_game_can_be_played_where_nothing_can_be_written(self) -> None:
        self.home.write_text("a file, where a folder is expected", "utf-8")
        program = self.start()
        program.click(5)
        program.wait_for_title("Your turn – move 3")


if __name__ == "__main__":
    unittest.main()
