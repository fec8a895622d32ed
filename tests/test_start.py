"""Starting the game: from everywhere, otherwise one plain sentence with the remedy and status 2."""

import ast
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

from tests.kit import samples
from tests.kit.samples import PROJECT
from traffic_lights import __main__ as program
from traffic_lights import refuse
from traffic_lights.gui.kit import root
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import data_folder
from traffic_lights.version import __version__

PACKAGE = PROJECT / "traffic_lights"
VERSION = f"Traffic Lights {__version__}\n"
HAS_NO_TK = find_spec("_tkinter") is None


def run(*command: str | Path, folder: str | Path = PROJECT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, stdin=subprocess.DEVNULL
    )


def run_code(code: str) -> tuple[int, str, str]:
    done = run(sys.executable, "-c", code)
    return done.returncode, done.stdout, done.stderr


def outcome(*words: str) -> tuple[int, str, str]:
    return samples.outcome(lambda given: program.main(list(given)), *words)


class RefusalTests(unittest.TestCase):
    def assert_refused(self, found: tuple[int, str, str], *words: str) -> None:
        status, out, err = found
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
        self.assertTrue(err.startswith("traffic-lights: "), err)
        for word in words:
            self.assertIn(word, err)

    def test_a_tk_that_is_missing(self) -> None:
        for platform, remedy in (("win32", "tcl/tk"), ("darwin", "brew"), ("linux", "apt")):
            with (
                mock.patch.dict(sys.modules, {"tkinter": None}),
                mock.patch.object(root, "sys", mock.Mock(platform=platform)),
            ):
                self.assert_refused(outcome(), "import of tkinter halted", remedy, "--text")

    @unittest.skipIf(HAS_NO_TK, "this Python has no Tk")
    @unittest.skipUnless(sys.platform.startswith("linux"), "only X needs a display")
    def test_no_display(self) -> None:
        for display in ("", ":4711"):
            with mock.patch.dict(os.environ, DISPLAY=display):
                self.assert_refused(outcome(), "cannot open a window", display, "--text")

    def test_a_tk_that_does_not_start_and_a_folder_that_cannot_be_read(self) -> None:
        for error, *words in (
            (PermissionError(13, "Permission denied", "/data"), "cannot read /data: Permission"),
            (StorageError("the home folder is not known"), "the home folder is not known"),
        ):
            with mock.patch("traffic_lights.gui.kit.root.open_root", side_effect=error):
                self.assert_refused(outcome(), *words)
        if not HAS_NO_TK:
            import tkinter

            for problem, remedy in (
                ("Can't find a usable init.tcl in\n  {/usr/lib}\n", "nstall"),
                ("failed to allocate font", "Install a font"),
            ):
                with mock.patch("tkinter.Tk", side_effect=tkinter.TclError(problem)):
                    self.assert_refused(outcome(), problem[:20], remedy, "--text")


class OldPythonTests(unittest.TestCase):
    def outcome(self, version: tuple[object, ...]) -> tuple[object, str]:
        """Return (exit status, standard error) of importing the program on *version*."""
        err, path = io.StringIO(), PACKAGE / "__init__.py"
        code = compile(path.read_text("ascii"), str(path), "exec")
        with contextlib.redirect_stderr(err), mock.patch.object(sys, "version_info", version):
            try:
                exec(code, {})
            except SystemExit as leaving:
                return leaving.code, err.getvalue()
        return None, err.getvalue()

    def test_it_is_one_sentence_with_the_remedy_and_status_2(self) -> None:
        for version in ((2, 7, 18), (3, 10, 13)):
            status, text = self.outcome(version)
            self.assertEqual((status, text.count("\n")), (2, 1))
            numbers = ".".join(map(str, version))
            self.assertIn(f"this is Python {numbers}, and the game needs 3.11 or newer", text)
            self.assertIn("https://www.python.org", text)
        for version in ((3, 11, 0), (4, 0, 0)):
            self.assertEqual(self.outcome(version), (None, ""))

    def test_without_a_console_the_sentence_stands_in_a_box_of_windows(self) -> None:
        shown = mock.Mock()
        with (
            mock.patch.dict(sys.modules, ctypes=shown),
            mock.patch.object(sys, "stderr", None),
            mock.patch.object(sys, "platform", "win32"),
        ):
            self.assertEqual(refuse("why"), 2)
        shown.windll.user32.MessageBoxW.assert_called_once_with(None, "why", "Traffic Lights", 16)

    def test_it_can_read_what_is_started_first(self) -> None:
        for name in ("__init__.py", "__main__.py", "play.pyw"):
            ast.parse((PACKAGE / name).read_text("utf-8"), feature_version=(3, 5))
        # Python 2.7 reads the first of them too, and it knows none of these.
        new = ast.Starred, ast.JoinedStr, ast.AnnAssign
        tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
        self.assertEqual([node for node in ast.walk(tree) if isinstance(node, new)], [])


class StartTests(unittest.TestCase):
    def test_help_and_version(self) -> None:
        self.assertIn(" -m traffic_lights [", outcome("--help")[1])
        self.assertEqual(outcome("--version"), (0, VERSION, ""))

    def test_each_starting_file_finds_the_package_from_anywhere(self) -> None:
        starts: list[list[str | Path]] = [
            [sys.executable, PACKAGE / name] for name in ("", "play.pyw")
        ]
        with tempfile.TemporaryDirectory() as folder:
            if os.name != "nt":
                link = Path(folder, "link")
                link.symlink_to(PACKAGE / "play.command")
                starts.append([link])
            for command in starts:
                done = run(*command, "--version", folder=folder)
                self.assertEqual(done.stdout, VERSION, done.stderr)
            # An editor can run the file of a command, and a module that is a name of the library
            # too starts without a warning.
            done = run(sys.executable, PACKAGE / "engine.py", "--help", folder=folder)
            self.assertIn("usage: ", done.stdout, done.stderr)
        done = run(sys.executable, "-m", "traffic_lights.solve", "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_starting_file_alone_says_to_unpack_the_archive(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for *interpreter, name in ((sys.executable, "play.pyw"), ("play.command",)):
                if os.name == "nt" and not interpreter:
                    continue
                done = run(*interpreter, shutil.copy(PACKAGE / name, folder))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, "unpack the (whole )?archive")

    def test_text_plays_in_the_terminal_without_tk(self) -> None:
        status, out, err = run_code(
            "import sys; sys.modules['tkinter'] = None; "
            "from traffic_lights.__main__ import main; sys.exit(main(['--text']))"
        )
        self.assertEqual((status, err), (0, ""))
        self.assertIn("a b c d", out)

    def test_importing_has_no_side_effects(self) -> None:
        code = """if True:
            import signal, sys
            def state():
                handlers = [signal.getsignal(number) for number in signal.valid_signals()]
                return handlers, sys.excepthook, sys.path[:]
            before = state()
            sys.argv[0] = "traffic-lights-mine.py"
            import traffic_lights as tl
            print([m for m in ('traffic_lights.board', 'argparse') if m in sys.modules])
            print('Board' in dir(tl))
            import traffic_lights.__main__, traffic_lights.train, traffic_lights.solve
            assert state() == before
        """
        self.assertEqual(run_code(code), (0, "[]\nTrue\n", ""))

    @unittest.skipIf(HAS_NO_TK, "this Python has no Tk")
    def test_the_first_picture_needs_no_solver_and_no_trainer(self) -> None:
        code = (
            "import sys, traffic_lights.gui.app; "
            "print([m for m in ('traffic_lights.training.run', 'multiprocessing', 'asyncio', "
            "'concurrent.futures', 'tkinter.filedialog') if m in sys.modules])"
        )
        self.assertEqual(run_code(code)[1], "[]\n")


class HomeTests(unittest.TestCase):
    def test_no_test_writes_into_the_home_of_the_user_who_runs_it(self) -> None:
        home = Path(os.environ["TRAFFIC_LIGHTS_TEST_HOME"]).resolve()
        for path in (Path.home(), data_folder()):
            self.assertTrue(path.resolve().is_relative_to(home), path)
