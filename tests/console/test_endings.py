"""How the commands end when they are interrupted early, lose their terminal, or lack memory."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

from tests.kit.samples import PROJECT
from traffic_lights.storage.log import LogReader
from traffic_lights.training.paths import CHECKPOINT, LOG

INTERRUPT_AT_IMPORT = """
import os, sys

class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            os.kill(os.getpid(), 2)

sys.meta_path.insert(0, Interrupter())
sys.modules.pop("signal", None)  # which most Pythons have not read when a command begins
"""


@unittest.skipIf(os.name == "nt", "needs the signals of POSIX")
class EarlyInterruptTests(unittest.TestCase):
    def test_an_interrupt_while_a_command_is_imported_is_130_and_nothing_else(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "sitecustomize.py").write_text(INTERRUPT_AT_IMPORT, "utf-8")
        for command, module in (
            ("traffic_lights.train", "signal"),
            ("traffic_lights.train", "traffic_lights.storage.files"),
            ("traffic_lights.evaluate", "traffic_lights.board.rules"),
            ("traffic_lights.solve", "argparse"),
            ("traffic_lights", "traffic_lights.console.terminal"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", command, *(["--text"] if command[-1] == "s" else [])],
                env={**os.environ, "PYTHONPATH": str(folder), "INTERRUPT_AT": module},
                stdin=subprocess.DEVNULL, cwd=PROJECT, capture_output=True, text=True, check=False,
            )  # fmt: skip
            with self.subTest(command=command):
                self.assertEqual((done.returncode, done.stdout, done.stderr), (130, "", ""))

    def test_it_is_for_an_installed_command_too(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "sitecustomize.py").write_text(INTERRUPT_AT_IMPORT, "utf-8")
        script = folder / "traffic-lights-train"
        script.write_text("from traffic_lights.train import main; main()")
        path = os.pathsep.join((str(folder), str(PROJECT)))
        done = subprocess.run(
            [sys.executable, str(script)],
            env={**os.environ, "PYTHONPATH": path, "INTERRUPT_AT": "traffic_lights.storage.files"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout, done.stderr), (130, "", ""))


OF_A_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGHUP, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
OF_NO_TERMINAL = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
"""Nobody tells this one that the terminal hangs up: it finds its input gone, as Linux says it."""


@unittest.skipIf(os.name == "nt", "needs the terminals of POSIX")
class VanishedTerminalTests(unittest.TestCase):
    def test_the_game_is_saved_and_the_status_is_that_of_an_interrupt(self) -> None:
        starters = (OF_A_TERMINAL, OF_NO_TERMINAL) if sys.platform == "linux" else (OF_A_TERMINAL,)
        for starter in starters:
            home = Path(self.enterContext(tempfile.TemporaryDirectory()))
            terminal, process = self.started(starter, home, "traffic_lights", "--text")
            os.write(terminal, b"a1\n")
            said = b""
            while said.count(b"Your turn") < 2:  # after its answer, so the move was saved
                said += os.read(terminal, 4096)
            os.close(terminal)
            self.assertEqual(process.wait(), 130)
            saved = json.loads((home / "game.json").read_bytes())
            self.assertIn("a1", json.dumps(saved["game"]))

    def test_training_saves_and_leaves(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        terminal, process = self.started(
            OF_A_TERMINAL, folder, "traffic_lights.train", "--dir", str(folder), "--save-every", "1"
        )
        while not (folder / CHECKPOINT).exists():
            os.read(terminal, 4096)
        os.close(terminal)
        self.assertEqual(process.wait(), 130)
        with closing(LogReader(folder / LOG)) as reader:
            self.assertGreater(len(list(reader.commits())), 0)
        self.assertEqual(reader.torn, 0)

    def started(
        self, starter: str, home: Path, *command: str
    ) -> tuple[int, subprocess.Popen[bytes]]:
        """Return a new terminal and the *command* that *starter* has started in it."""
        terminal, inner = os.openpty()
        process = subprocess.Popen(
            [sys.executable, "-c", starter, sys.executable, "-m", *command],
            stdin=inner, stdout=inner, stderr=inner, start_new_session=True, cwd=PROJECT,
            env={**os.environ, "TRAFFIC_LIGHTS_HOME": str(home)},
        )  # fmt: skip
        os.close(inner)
        return terminal, process


@unittest.skipUnless(sys.platform == "linux", "needs limits on memory that are kept")
class MemoryTests(unittest.TestCase):
    def test_a_command_without_enough_memory_says_what_it_needs(self) -> None:
        import resource

        def little() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (90 << 20, 90 << 20))

        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-m", "traffic_lights.train", "--dir", folder, "--quiet"],
                cwd=PROJECT, capture_output=True, text=True, check=False, preexec_fn=little,
            )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("training needs about 230 MB", done.stderr)


class ImportTests(unittest.TestCase):
    def test_no_memory_for_the_modules_of_a_command_is_one_sentence(self) -> None:
        program = "import sys; sys.argv[0] = '-m'; import traffic_lights; raise MemoryError"
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=PROJECT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("not enough memory to begin", done.stderr)


@unittest.skipUnless(sys.platform == "linux", "names are Unicode elsewhere")
class NameTests(unittest.TestCase):
    def test_a_name_that_the_locale_cannot_write_is_one_sentence(self) -> None:
        plain = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
        program = (
            "import sys; from traffic_lights import train; "
            "sys.exit(train.main(['--dir', 'caf' + chr(233)]))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, **plain},
            cwd=PROJECT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertIn("choose another name", done.stderr)


if __name__ == "__main__":
    unittest.main()
