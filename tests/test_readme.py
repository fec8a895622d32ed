"""The README's commands do what it says they do; those that take long run in the slow mode."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tests.kit.samples import IS_SLOW_RUN, PROJECT

PAGES = ("README.md", ".github/CONTRIBUTING.md")
TAKES_LONG = {
    "python -m traffic_lights.train",
    "python -m traffic_lights.train --programme selfplay",
    "python -m traffic_lights.train --programme baselines",
}
ELSEWHERE = (
    "tests.make.",
    "--install-shortcut",
    "--bot",
    "--opponent-program",
    "traffic_lights.engine",
)
"""Commands with these are tested with their modules, where nothing is left behind."""


@cache
def commands() -> tuple[str, ...]:
    """Return every command of the pages that starts with ``python -m``, each once."""
    text = "\n".join((PROJECT / name).read_text(encoding="utf-8") for name in PAGES)
    inline = (" ".join(found.split()) for found in re.findall(r"`(python -m [^`]+)`", text))
    blocks = (found.strip() for found in re.findall(r"^    (python -m .*?)(?:  |$)", text, re.M))
    return tuple(sorted({*inline, *blocks}))


def module_of(command: str) -> str:
    return command.split()[2]


class ReadmeTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.table = self.folder / "table.json"
        shutil.copyfile(PROJECT / "qtables" / "complete.json", self.table)

    def test_it_names_commands(self) -> None:
        self.assertGreater(len(commands()), 20)
        self.assertIn("python -m unittest", commands())

    def test_every_file_that_a_page_names_is_there(self) -> None:
        for page in PAGES:
            text = (PROJECT / page).read_text(encoding="utf-8")
            for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", text):
                with self.subTest(page=page, name=name):
                    roots = (PROJECT, PROJECT / "traffic_lights")
                    self.assertTrue(any((root / name).is_file() for root in roots))

    def test_the_map_shows_every_wing(self) -> None:
        text = (PROJECT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
        shown = re.findall(r"^    ([a-z]+) {4,}", text, re.M)
        wings = [path.parent.name for path in (PROJECT / "traffic_lights").glob("*/__init__.py")]
        self.assertEqual(sorted(shown), sorted(wings))

    def test_every_module_is_there_and_knows_the_options(self) -> None:
        for command in commands():
            module = module_of(command)
            with self.subTest(command=command):
                self.assertIsNotNone(find_spec(module))
                options = re.findall(r"--[a-z-]+", command)
                if options:
                    help_text = self.output(["python", "-m", module, "--help"])
                    for option in options:
                        self.assertIn(option, help_text)

    def test_the_commands_run(self) -> None:
        for command in commands():
            if not module_of(command).startswith("traffic_lights.") and "--text" not in command:
                continue
            if any(word in command for word in ELSEWHERE):
                continue
            if command in TAKES_LONG and not IS_SLOW_RUN:
                continue
            with self.subTest(command=command):
                self.assertTrue(self.output(self.harmless(command)).strip())

    def harmless(self, command: str) -> list[str]:
        """Return the words of *command*, its files in a folder of its own, and nothing to ask."""
        bundle = "traffic-lights.pyzw"
        files = {"FILE": str(self.table), bundle: str(self.folder / bundle)}
        words = [files.get(word, word) for word in command.replace(" --dir D", "").split()]
        if module_of(command) == "traffic_lights.train":
            words += ["--dir", str(self.folder / "run")]
            shutil.rmtree(self.folder / "run", ignore_errors=True)
        return words

    def output(self, command: Sequence[str]) -> str:
        """Return what *command* prints; it must end well, with the input at its end."""
        _, *words = command
        done = subprocess.run(
            [sys.executable, *words], cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, encoding="utf-8", timeout=300, check=False,
            env={**os.environ, "TRAFFIC_LIGHTS_HOME": str(self.folder), "PYTHONUTF8": "1"},
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
