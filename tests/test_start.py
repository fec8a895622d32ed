"""Starting where it cannot work: one plain sentence, the remedy, the terminal offered, status 2."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

from tests.kit.samples import PROJECT
from traffic_lights import __version__

PACKAGE = PROJECT / "traffic_lights"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run Python with *command* and return what came of it."""
    with tempfile.TemporaryDirectory() as home:
        environ = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environ["TRAFFIC_LIGHTS_HOME"] = home
        return subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, timeout=300, check=False,
            env=environ, cwd=PROJECT, stdin=subprocess.DEVNULL,
        )  # fmt: skip


def main_after(preparation: str, arguments: str = "[]") -> subprocess.CompletedProcess[str]:
    """Run the program's main after the statements of *preparation*."""
    return run(
        "-c",
        f"import sys; {preparation}; from traffic_lights.__main__ import main; "
        f"sys.exit(main({arguments}))",
    )


class RefusalTests(unittest.TestCase):
    def assert_refused(self, done: subprocess.CompletedProcess[str], *words: str) -> None:
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("traffic-lights: "))
        for word in words:
            self.assertIn(word, done.stderr)

    def test_no_tk(self) -> None:
        done = main_after("sys.modules['tkinter'] = None")
        self.assert_refused(done, "no Tk", "--text")

    def test_no_tk_has_a_remedy_for_each_system(self) -> None:
        for platform, remedy in (("win32", "tcl/tk"), ("darwin", "brew"), ("linux", "apt")):
            # The library itself goes by the platform when it looks for the Python to be named.
            prepared = (
                "from traffic_lights.console import copied; copied.python = lambda: 'python'; "
                "sys.modules['tkinter'] = None"
            )
            done = main_after(f"{prepared}; sys.platform = '{platform}'")
            with self.subTest(platform=platform):
                self.assert_refused(done, remedy, "--text")

    @unittest.skipIf(find_spec("_tkinter") is None, "this Python has no Tk")
    @unittest.skipUnless(sys.platform.startswith("linux"), "only X needs a display")
    def test_no_display(self) -> None:
        self.assert_refused(main_after("pass"), "no screen", "--text")

    @unittest.skipIf(find_spec("_tkinter") is None, "this Python has no Tk")
    @unittest.skipUnless(sys.platform.startswith("linux"), "only X needs a display")
    def test_a_display_that_does_not_answer(self) -> None:
        done = main_after("import os; os.environ['DISPLAY'] = ':4711'")
        self.assert_refused(done, "no screen", ":4711")

    def test_an_old_python(self) -> None:
        self.assert_refused(main_after("sys.version_info = (3, 10, 9)"), "3.10.9", "3.11")

    def test_an_unknown_argument(self) -> None:
        self.assert_refused(run("-m", "traffic_lights", "--txet"), "'--txet'", "--help")

    @unittest.skipIf(find_spec("_tkinter") is None, "this Python has no Tk")
    @unittest.skipIf(os.name == "nt", "there the homes of others are guessed, not looked up")
    def test_a_data_folder_that_cannot_be(self) -> None:
        done = main_after(
            "import os; os.environ['TRAFFIC_LIGHTS_HOME'] = '~nobody-of-this-name/x'; "
            "import tkinter; tkinter.Tk = lambda **_: __import__('unittest.mock').mock.Mock()"
        )
        self.assert_refused(done, "no such user")

    @unittest.skipUnless(Path("/dev/full").exists(), "needs a device that is always full")
    def test_help_that_cannot_be_printed(self) -> None:
        for command in (["traffic_lights"], ["traffic_lights.solve"]):
            with self.subTest(command=command), Path("/dev/full").open("wb") as full:
                done = subprocess.run(
                    [sys.executable, "-m", *command, "--help"], stdout=full, cwd=PROJECT,
                    stderr=subprocess.PIPE, text=True, check=False,
                )  # fmt: skip
                self.assertEqual(done.returncode, 2)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    @unittest.skipUnless(sys.platform.startswith("linux"), "elsewhere the window would open")
    def test_no_streams_and_no_display_still_is_status_2(self) -> None:
        done = main_after("sys.stdin = sys.stdout = sys.stderr = None")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", ""))

    def test_the_starting_files_can_be_read_by_much_older_pythons(self) -> None:
        import ast

        for name in ("__main__.py", "play.pyw"):
            ast.parse((PACKAGE / name).read_text("utf-8"), feature_version=(3, 5))


class StartTests(unittest.TestCase):
    def test_help_and_version(self) -> None:
        done = run("-m", "traffic_lights", "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--text", done.stdout)
        done = run("-m", "traffic_lights", "--version")
        self.assertEqual(done.stdout, f"Traffic Lights {__version__}\n")

    def test_text_plays_in_the_terminal_without_tk(self) -> None:
        done = main_after("sys.modules['tkinter'] = None", "['--text']")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout)

    def test_each_starting_file_finds_the_package_from_anywhere(self) -> None:
        for path in (PACKAGE, PACKAGE / "__main__.py", PACKAGE / "play.pyw"):
            with self.subTest(path=path.name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [sys.executable, str(path), "--version"], cwd=folder, capture_output=True,
                    text=True, check=False,
                )  # fmt: skip
                self.assertEqual(done.stdout, f"Traffic Lights {__version__}\n", done.stderr)

    def test_importing_starts_nothing(self) -> None:
        done = run("-c", "import traffic_lights.__main__")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    @unittest.skipIf(sys.platform == "win32", "no modes there")
    def test_play_command_may_be_executed_and_play_pyw_has_no_shebang(self) -> None:
        self.assertTrue(os.access(PACKAGE / "play.command", os.X_OK))
        self.assertFalse((PACKAGE / "play.pyw").read_text("utf-8").startswith("#!"))

    @unittest.skipIf(find_spec("_tkinter") is None, "this Python has no Tk")
    def test_the_first_picture_needs_no_solver_and_no_trainer(self) -> None:
        code = (
            "import sys, traffic_lights.gui.app; "
            "print([m for m in ('traffic_lights.training.old_run', 'multiprocessing', 'asyncio', "
            "'concurrent.futures', 'tkinter.filedialog') if m in sys.modules])"
        )
        self.assertEqual(run("-c", code).stdout.strip(), "[]")


if __name__ == "__main__":
    unittest.main()
