"""Starting the game: from everywhere, otherwise one plain sentence with the remedy and status 2."""

import ast
import contextlib
import io
import os
import shutil
import subprocess
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT, FolderTestCase, outcome
from traffic_lights import __main__ as program
from traffic_lights import refuse
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import data_folder
from traffic_lights.version import __version__

PACKAGE = PROJECT / "traffic_lights"
VERSION = f"Traffic Lights {__version__}\n"
CODES = {
    "importing has no side effects": ("""if True:
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
        """, r"\[\]\nTrue\n"),
    "the first picture needs no solver and no trainer": ("""if True:
        import sys, traffic_lights.gui.app
        print([m for m in ('traffic_lights.training.run', 'multiprocessing', 'asyncio',
               'concurrent.futures', 'tkinter.filedialog') if m in sys.modules])
        """, r"\[\]\n"),
}  # fmt: skip
"""What new processes run, and what they print."""


def run(*command: str | Path, at: Path = PROJECT) -> tuple[int, str, str]:
    done = subprocess.run(command, capture_output=True, text=True, cwd=at, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def start(*words: str) -> tuple[int, str, str]:
    return outcome(lambda given: program.main([*given]), *words)


class RefusalTests(unittest.TestCase):
    def assert_refused(self, patch: contextlib.AbstractContextManager[object], *words: str) -> None:
        with patch:
            status, out, err = start()
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
        self.assertTrue(err.startswith("traffic-lights: "), err)
        for word in words:
            self.assertIn(word, err)

    def test_a_tk_that_is_missing_and_a_folder_that_cannot_be_read(self) -> None:
        for platform, remedy in (("win32", "tcl/tk"), ("darwin", "brew"), ("linux", "apt")):
            with mock.patch("traffic_lights.gui.kit.root.sys.platform", platform):
                missing = mock.patch.dict(sys.modules, {"tkinter": None})
                self.assert_refused(missing, "import of tkinter halted", remedy, "--text")
        for error, text in (
            (PermissionError(13, "Permission denied", "/data"), "cannot read /data: Permission"),
            (StorageError("the home folder is not known"), "the home folder is not known"),
        ):
            opened = mock.patch("traffic_lights.gui.kit.root.open_root", side_effect=error)
            self.assert_refused(opened, text)

    @unittest.skipUnless(find_spec("_tkinter"), "this Python has no Tk")
    def test_a_tk_that_does_not_start(self) -> None:
        import tkinter

        for problem, remedy in (
            ("Can't find a usable init.tcl in\n  {/usr/lib}\n", "nstall"),
            ("failed to allocate font", "Install a font"),
        ):
            fails = mock.patch("tkinter.Tk", side_effect=tkinter.TclError(problem))
            self.assert_refused(fails, problem[:20], remedy, "--text")
        for display in ("", ":4711") if sys.platform == "linux" else ():
            elsewhere = mock.patch.dict(os.environ, DISPLAY=display)
            self.assert_refused(elsewhere, "cannot open a window", display, "--text")


class OldPythonTests(unittest.TestCase):
    def test_it_is_one_sentence_with_the_remedy_and_status_2(self) -> None:
        path = PACKAGE / "__init__.py"
        code = compile(path.read_text("ascii"), str(path), "exec")
        for version in ((2, 7, 18), (3, 10, 13)):
            old, err = mock.patch.object(sys, "version_info", version), io.StringIO()
            with old, contextlib.redirect_stderr(err), self.assertRaisesRegex(SystemExit, "^2$"):
                exec(code, {})
            needs = f"Python {'.'.join(map(str, version))}, and the game needs 3.11 or newer"
            self.assertRegex(err.getvalue(), rf"\A.*{needs}.* https://www.python.org.*\n\Z")
        for version in ((3, 11, 0), (4, 0, 0)):
            with mock.patch.object(sys, "version_info", version):
                exec(code, {})

    def test_without_a_console_the_sentence_stands_in_a_box_of_windows(self) -> None:
        shown = self.enterContext(mock.patch.dict(sys.modules, ctypes=mock.Mock()))["ctypes"]
        self.enterContext(mock.patch.object(sys, "stderr", None))
        self.enterContext(mock.patch.object(sys, "platform", "win32"))
        self.assertEqual(refuse("why"), 2)
        shown.windll.user32.MessageBoxW.assert_called_once_with(None, "why", "Traffic Lights", 16)

    def test_it_can_read_what_is_started_first(self) -> None:
        for name in ("__init__.py", "__main__.py", "play.pyw"):
            ast.parse((PACKAGE / name).read_text("utf-8"), feature_version=(3, 5))
        # Python 2.7 reads the first of them too, and it knows none of these.
        new = ast.Starred, ast.JoinedStr, ast.AnnAssign
        tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
        self.assertEqual([node for node in ast.walk(tree) if isinstance(node, new)], [])


class StartTests(FolderTestCase):
    def test_each_starting_file_finds_the_package_from_anywhere(self) -> None:
        self.assertEqual(start("--version"), (0, VERSION, ""))
        python = sys.executable
        starts: list[list[str | Path]] = [[python, PACKAGE], [python, PACKAGE / "play.pyw"]]
        if os.name != "nt":
            (self.folder / "link").symlink_to(PACKAGE / "play.command")
            starts.append([self.folder / "link"])
        for command in starts:
            self.assertEqual(run(*command, "--version", at=self.folder), (0, VERSION, ""))
        # An editor can run the file of a command, and a module that is a name of the library too
        # starts without a warning.
        for words in ((PACKAGE / "engine.py",), ("-m", "traffic_lights.solve")):
            status, out, err = run(sys.executable, *words, "--help")
            self.assertEqual((status, out[:7], err), (0, "usage: ", ""))

    def test_a_starting_file_alone_says_to_unpack_the_archive(self) -> None:
        for *interpreter, name in ((sys.executable, "play.pyw"), ("play.command",)):
            if interpreter or os.name != "nt":
                status, out, err = run(*interpreter, shutil.copy(PACKAGE / name, self.folder))
                self.assertEqual((status, out), (2, ""))
                self.assertRegex(err, "unpack the (whole )?archive")

    def test_what_a_new_process_needs_and_does(self) -> None:
        for promise, (code, expected) in CODES.items():
            if "picture" in promise and not find_spec("_tkinter"):
                continue
            with self.subTest(promise):
                status, out, err = run(sys.executable, "-c", code)
                self.assertEqual((status, err), (0, ""))
                self.assertRegex(out, rf"^{expected}$")

    def test_no_test_writes_into_the_home_of_the_user_who_runs_it(self) -> None:
        home = Path(os.environ["TRAFFIC_LIGHTS_TEST_HOME"]).resolve()
        for path in (Path.home(), data_folder()):
            self.assertTrue(path.resolve().is_relative_to(home), path)
