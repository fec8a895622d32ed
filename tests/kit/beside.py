"""Run some of the tests in a process of their own, at the same time as all others.

That process runs this module, which writes what came of the tests as its last line.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from typing import Any

from tests import MARK


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


class TestName(str):
    """The name of a test of the other process, which stands for the test in a report."""

    def shortDescription(self) -> None:  # noqa: N802
        """Leave the report at the name."""


class Beside(unittest.TestSuite):
    """The tests of some *modules*; their process starts at once, and `run` waits for it."""

    def __init__(self, modules: Sequence[str], patterns: Sequence[str]) -> None:
        super().__init__()
        self._output = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        options = [f"-k{pattern}" for pattern in patterns]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.beside", *options, *modules],
            stdout=self._output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name != MARK},
        )  # fmt: skip
        atexit.register(self._process.kill)

    def run(self, result: Any, debug: bool = False) -> Any:  # noqa: ARG002
        """Add what the process found to *result*, as if its tests had run here."""
        status = self._process.wait()
        with self._output as output:
            output.seek(0)
            text = output.read()
        if status:
            words = f"{text}\ntheir process ended with status {status}"
            result.errors.append((TestName("the tests in a process beside this one"), words))
            return result
        text, found = text.rstrip("\n").rsplit("\n", 1)
        if getattr(result, "showAll", False):
            result.stream.writeln(text)
        tests_run, lists = json.loads(found)
        result.testsRun += tests_run
        for kind, tests in lists.items():
            getattr(result, kind).extend((TestName(name), about) for name, about in tests)
        return result


if __name__ == "__main__":
    loader = SkippingLoader()
    tested = unittest.main(None, testLoader=loader, verbosity=2, exit=False).result
    lists = {
        kind: [(str(test), about) for test, about in getattr(tested, kind)]
        for kind in ("errors", "failures", "skipped")
    }
    print(json.dumps([tested.testsRun, lists]))
