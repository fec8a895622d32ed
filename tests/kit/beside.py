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

_LINE = re.compile(r"^.* [.]{3} (?:ok|FAIL|ERROR|skipped (?P<why>.*)|expected failure)$", re.M)


class Beside(unittest.TestSuite):
    """The tests of some *modules*; their process starts at once, and `run` waits for it."""

    def __init__(self, modules: Sequence[str], patterns: Sequence[str]) -> None:
        super().__init__()
        self._output = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        options = [f"-k{pattern}" for pattern in patterns]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "unittest", "-v", *options, *modules],
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
        lines = list(_LINE.finditer(text))
        result.testsRun += len(lines)
        if getattr(result, "showAll", False):
            result.stream.writeln("\n".join(line[0] for line in lines))
        test = unittest.FunctionTestCase(str, description="the tests in a process beside this one")
        result.skipped += [(test, line["why"]) for line in lines if line["why"]]
        if status:
            rest = text[lines[-1].end() :] if lines else text
            result.failures.append((test, f"{rest}\ntheir process ended with status {status}"))
        return result
