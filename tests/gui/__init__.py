"""The tests of windows. With a Python that has no Tk, each of them that needs it is skipped."""

import sys
import unittest
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests import modules_in


class SkippingLoader(unittest.TestLoader):
    """Skips a module that is not to be imported here, as `unittest` does when it finds one."""

    def loadTestsFromName(self, name: str, module: Any = None) -> Any:  # noqa: N802
        """Return the tests of *name*, or one that is skipped."""
        try:
            return super().loadTestsFromName(name, module)
        except unittest.SkipTest as reason:
            skipped = reason

        def skip() -> None:
            raise skipped

        return unittest.FunctionTestCase(skip, description=name)


class _NeedsTk(MetaPathFinder):
    """Has whoever imports tkinter skipped as a test."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name.partition(".")[0] in ("tkinter", "_tkinter"):
            raise unittest.SkipTest("this Python has no Tk")


if find_spec("_tkinter") is None:
    sys.meta_path.insert(0, _NeedsTk())


def load_tests(loader: unittest.TestLoader, *_: Any) -> unittest.TestSuite:
    """Return the tests of this folder, so that its name alone runs them."""
    skipping = SkippingLoader()
    skipping.testNamePatterns = loader.testNamePatterns
    return skipping.loadTestsFromNames(modules_in(Path(__file__).parent))
