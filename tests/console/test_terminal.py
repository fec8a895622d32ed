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


class TextModeTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)

    def environment(self, encoding: str = "utf-8") -> dict[str, str]:
        return {
            **os.environ,
            "TRAFFIC_LIGHTS_HOME": str(self.home),
            "PYTHONIOENCODING": encoding,
        }

    def start(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            START, stdin=pipe, stdout=pipe, stderr=pipe, cwd=PROJECT, env=self.environment()
        )


class PipeTests(TextModeTests):
    def test_a_pipe_is_played_to_its_end_and_leaves_nothing_behind(self) -> None:
        for text, encoding, answer in (
            (b"\xff\xfe\r\nnew two\r\na1 b1 c1", "utf-8", "Player 1 wins – three greens, a1–c1"),
            (b"new two\na1 b1 c1\n", "ascii", "Player 1 wins - three greens, a1-c1"),
        ):
            with self.subTest(encoding):
                result = subprocess.run(
                    START,
                    input=text,
                    capture_output=True,
                    cwd=PROJECT,
                    timeout=300,
                    env=self.environment(encoding),
                )
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                self.assertIn(answer, result.stdout.decode(encoding))
                self.assertIn(b"You play against Beginner. ", result.stdout)
                self.assertNotIn(b"> ", result.stdout, "no prompt without a terminal")
                self.assertEqual(list(self.home.iterdir()), [])

    @unittest.skipIf(os.name == "nt", "signals of POSIX")
    def test_an_interrupt_ends_it_with_a_goodbye(self) -> None:
        process = self.start()
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, err), (130, b""))
        self.assertTrue((first + out).rstrip().endswith(b"Goodbye."))

    @unittest.skipIf(os.name == "nt", "pipes of POSIX")
    def test_a_reader_that_leaves_is_not_an_error(self) -> None:
        process = self.start()
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(b"new two\na1\n" * 50, timeout=300)
        self.assertEqual((process.returncode, err), (0, b""))


@unittest.skipIf(os.name == "nt", "terminals of POSIX")
class TerminalTests(TextModeTests):
    def at_a_terminal(self, typed: bytes) -> str:
        """Return what the screen shows when *typed* is typed at a terminal."""
        import pty

        master, slave = pty.openpty()
        process = subprocess.Popen(
            START,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=PROJECT,
            env=self.environment(),
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
            pass  # Linux reports the closed other end in this way.
        os.close(master)
        self.assertEqual(process.wait(timeout=300), 0, screen)
        return screen.decode()

    def test_the_first_game_is_against_the_weakest_opponent_and_goes_on_later(self) -> None:
        screen = self.at_a_terminal(b"a1\nnew two\na1\nb2\nquit\n")
        self.assertIn(f"{Roster().levels()[0].name} plays ", screen)
        self.assertIn("Goodbye. Your game is saved.", screen)
        screen = self.at_a_terminal(b"moves\nundo\nundo\nundo\n\x04")
        self.assertIn("You continue your saved game.", screen)
        self.assertIn("1. a1 2. b2", screen)

    def test_a_folder_that_cannot_be_written_is_reported_once_and_play_goes_on(self) -> None:
        self.home = self.home / "file"
        self.home.touch()
        screen = self.at_a_terminal(b"new two\na1\nb1\nc1\nquit\n")
        self.assertEqual(screen.count("nothing is saved"), 1, screen)
        self.assertIn("Player 1 wins", screen)
        self.assertNotIn("Your game is saved", screen)


if __name__ == "__main__":
    unittest.main()
