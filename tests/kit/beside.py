"""Run some of the tests in a process of their own, at the same time as all others."""

import atexit
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from typing import Any

from tests import MARK


class Beside(unittest.TestSuite):
    """The tests of some *modules*; their process starts at once, and `run` waits for it."""

    def __init__(self, modules: Sequence[str], patterns: Sequence[str]) -> None:
        super().__init__()
        self._output = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        options = [f"-k{pattern}" for pattern in patterns]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "unittest", "--verbose", *options, *modules],
            stdout=self._output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name != MARK},
        )  # fmt: skip
        atexit.register(self._process.kill)

    def run(self, result: Any, debug: bool = False) -> Any:  # noqa: ARG002
        """Add what the process found to *result*, with its own report if a test has failed."""
        status = self._process.wait()
        with self._output as output:
            output.seek(0)
            text = output.read()
        if getattr(result, "showAll", False):
            result.stream.writeln(text)
        result.testsRun += sum(map(int, re.findall(r"(?m)^Ran (\d+) tests? in", text)))
        result.skipped += re.findall(r"(?m)^(.*) \.\.\. skipped (.*)$", text)
        if status and "NO TESTS RAN" not in text:
            result.errors.append((self, text[max(0, text.find("\n======")) :]))
        return result

    def shortDescription(self) -> str:  # noqa: N802
        """Return what stands above the report of a failure."""
        return "the tests in a process beside this one"
