"""The tests; none of them, nor what it starts, sees the home of the person who runs them."""

import atexit
import os
import signal
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

MARK = "TRAFFIC_LIGHTS_TEST_HOME"
"""Names the home of the tests, for the processes that they start too."""
_HOMES = (
    "HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_CONFIG_HOME",
    "TRAFFIC_LIGHTS_HOME",
)  # fmt: skip


# A shell has what it starts in the background ignore interrupts; the tests and their processes
# take them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if MARK not in os.environ:
    # Every way to a home leads to a new folder, which goes when the tests are over.
    cookies = Path.home() / ".Xauthority"
    if cookies.exists():  # by which the person's own screen lets the windows in
        os.environ.setdefault("XAUTHORITY", str(cookies))
    home = tempfile.TemporaryDirectory(prefix="traffic-lights-home-", ignore_cleanup_errors=True)
    atexit.register(home.cleanup)
    os.environ[MARK] = home.name
    os.environ.update(dict.fromkeys(_HOMES, home.name))
    # The processes that the tests start read what this one has compiled, outside the tree.
    # Compiling the program again takes each of them up to half a second.
    compiled = os.environ.setdefault("PYTHONPYCACHEPREFIX", f"{os.environ[MARK]}/compiled")
    sys.pycache_prefix = compiled
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# No test loses its power, and a sync of a disk takes up to 20 ms.
os.fsync = lambda fd: None  # noqa: ARG005


def modules_in(folder: Path, pattern: str = "test*.py") -> list[str]:
    """Return the names of the modules with tests in *folder*."""
    top = Path(__file__).parent.parent
    paths = sorted(folder.rglob(pattern))
    return [".".join(path.relative_to(top).with_suffix("").parts) for path in paths]


def loads(init: str) -> Callable[..., unittest.TestSuite]:
    """Return the `load_tests` of the folder of *init*, so that its name alone runs its tests."""
    return lambda loader, *_: loader.loadTestsFromNames(modules_in(Path(init).parent))


def load_tests(loader: unittest.TestLoader, _: Any, pattern: str | None) -> unittest.TestSuite:
    """Return all tests; the longest run in other processes, because those of windows often wait."""
    from tests.kit.beside import Beside

    names = modules_in(Path(__file__).parent, pattern or "test*.py")
    suite = unittest.TestSuite()
    groups = (
        ("tests.gui.",), ("tests.learning.", "tests.training."),
        ("tests.test_pages", "tests.test_lab", "tests.test_api", "tests.judging."),
    )  # fmt: skip
    for folders in groups:
        modules = [name for name in names if name.startswith(folders)]
        if modules:  # no names would be those of all tests
            # The folder of windows knows that none of its modules can be imported without Tk.
            run = ["tests.gui"] if folders == groups[0] else modules
            suite.addTest(Beside(run, loader.testNamePatterns or ()))
            if folders == groups[0] and hasattr(os, "nice"):
                os.nice(5)  # the windows take longest, so all others give way to them
        names = [name for name in names if name not in modules]
    return unittest.TestSuite([loader.loadTestsFromNames(names), suite])
