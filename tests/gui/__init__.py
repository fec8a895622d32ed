"""The tests of windows. With a Python that has no Tk, each of them that needs it is skipped."""

import sys
import unittest
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.kit.beside import SkippingLoader


class _NeedsTk(MetaPathFinder):
    """Has whoever imports tkinter skipped as a test."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name.partition(".")[0] in ("tkinter", "_tkinter"):
            raise unittest.SkipTest("this Python has no Tk")


if find_spec("_tkinter") is None:
    sys.meta_path.insert(0, _NeedsTk())


def load_tests(*_: Any) -> unittest.TestSuite:
    """Return the tests of this folder, so that its name alone runs them."""
    paths = sorted(Path(__file__).parent.glob("test*.py"))
    return SkippingLoader().loadTestsFromNames([f"{__name__}.{path.stem}" for path in paths])
