"""The text mode with a real pipe, and at a terminal of its own."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.kit.samples import PROJECT
from traffic_lights.players.roster import Roster

START = [sys.executable, "-m", "traffic_lights", "--text"]


class PipeTests(unittest.TestCase):
    def run_with(self, text: bytes, **environ: str) -> subprocess.CompletedProcess[bytes]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            result = subprocess.run(
                START,
                input=text,
                capture_output=True,
                cwd=PROJECT,
                timeout=300,
                env={**os.environ, "TRAFFIC_LIGHTS_HOME": home, **environ},
            )
            self.assertEqual(list(Path(home).iterdir()), [], "a pipe leaves nothing behind")
        return result

    def test_moves_in_a_pipe_and_the_end_of_it(self) -> None:
        for text in (b"", b"\xff\xfe\r\nnew two\r\na1"):
            with self.subTest(text=text):
                result = self.run_with(text)
                self.assertEqual((result.returncode, result.stderr), (0, b""))
        result = self.run_with(b"new two\na1 b1 c1", PYTHONIOENCODING="utf-8")
        self.assertIn("Player 1 wins – three greens, a1–c1", result.stdout.decode())
        self.assertIn(
            b"You play against Beginner. ", result.stdout, "as at a terminal and a window"
        )
        self.assertNotIn(b"> ", result.stdout, "no prompt where nobody types")

    def test_an_output_without_dashes_gets_plain_ones(self) -> None:
        result = self.run_with(b"new two\na1 b1 c1", PYTHONIOENCODING="ascii")
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"Player 1 wins - three greens, a1-c1", result.stdout)

    @unittest.skipIf(os.name == "nt", "signals of POSIX")
    def test_interrupted_it_says_goodbye(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            process = subprocess.Popen(
                START,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=PROJECT,
                env={**os.environ, "TRAFFIC_LIGHTS_HOME": home, "PYTHONIOENCODING": "utf-8"},
            )
            assert process.stdout is not None
            first = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(err, b"")
        self.assertTrue((first + out).rstrip().endswith(b"Goodbye."))

    @unittest.skipIf(os.name == "nt", "pipes of POSIX")
    def test_a_reader_that_leaves_is_no_error(self) -> None:
        process = subprocess.Popen(
            START,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
        )
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(b"new two\na1\n" * 50, timeout=300)
        self.assertEqual((process.returncode, err), (0, b""))


@unittest.skipIf(os.name == "nt", "terminals of POSIX")
class TerminalTests(unittest.TestCase):
    def at_a_terminal(self, home: str, typed: bytes) -> tuple[int, str]:
        """Return (status, what the screen shows) of a game at a terminal of its own."""
        import pty

        master, slave = pty.openpty()
        environ = {**os.environ, "TRAFFIC_LIGHTS_HOME": home, "PYTHONIOENCODING": "utf-8"}
        process = subprocess.Popen(
            START,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=PROJECT,
            env=environ,
            start_new_session=True,
        )
        os.close(slave)
        screen = b""
        while b"> " not in screen:
            screen += os.read(master, 4096)
        os.write(master, typed)
        try:
            while chunk := os.read(master, 4096):
                screen += chunk
        except OSError:
            pass  # how Linux says that the other end is closed
        os.close(master)
        return process.wait(timeout=300), screen.decode()

    def test_a_game_goes_on_where_it_was_left(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            status, screen = self.at_a_terminal(home, b"new two\na1\nb2\nquit\n")
            self.assertEqual(status, 0, screen)
            self.assertIn("Goodbye. Your game is saved.", screen)
            status, screen = self.at_a_terminal(home, b"moves\nundo\nundo\nundo\n\x04")
            self.assertEqual(status, 0, screen)
            self.assertIn("Your game goes on where you left it.", screen)
            self.assertIn("1. a1 2. b2", screen)

    def test_the_first_game_is_against_the_weakest_opponent(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            status, screen = self.at_a_terminal(home, b"a1\nquit\n")
        weakest = Roster().levels()[0]
        self.assertEqual(status, 0, screen)
        self.assertIn(f"{weakest.name} plays ", screen)

    def test_what_cannot_be_saved_is_said_once_and_play_goes_on(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            status, screen = self.at_a_terminal(file.name, b"new two\na1\nb1\nc1\nquit\n")
        self.assertEqual(status, 0, screen)
        self.assertEqual(screen.count("nothing is saved"), 1, screen)
        self.assertIn("Player 1 wins", screen)
        self.assertNotIn("Your game is saved", screen)

    def test_the_game_of_another_version_is_set_aside(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            path = Path(home) / "game.json"
            path.write_text('{"format": "traffic-lights-saved-game", "version": 2}')
            status, screen = self.at_a_terminal(home, b"new two\na1\nquit\n")
            self.assertIn('"version": 2', (Path(home) / "game.json.damaged").read_text())
        self.assertEqual(status, 0, screen)
        self.assertIn("another version", screen)
        self.assertIn("Your game is saved", screen)


if __name__ == "__main__":
    unittest.main()
