"""The tests of windows; with a Python that has no Tk, they are skipped."""

import unittest
from importlib.util import find_spec

from tests import loads


@unittest.skip("this Python has no Tk")
class WindowTests(unittest.TestCase):
    def test_the_windows(self) -> None:
        """Stand for all tests of this folder."""


def load_tests(loader: unittest.TestLoader, *_: object) -> unittest.TestSuite:
    """Return the tests of this folder, so that its name alone runs them."""
    if find_spec("_tkinter") is None:
        return loader.loadTestsFromTestCase(WindowTests)
    return loads(__file__)(loader)
