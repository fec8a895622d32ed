"""Ctrl-C while a command is being imported."""

import subprocess
import sys
import tomllib
import unittest

from tests.kit.samples import PROJECT

INTERRUPTED = """
import runpy, sys
class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "traffic_lights.console.shell":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
"""
"""Code after which the import of what all commands share is interrupted."""


class StartTests(unittest.TestCase):
    def assert_interrupted(self, code: str, said: str) -> None:
        done = subprocess.run(
            [sys.executable, "-c", INTERRUPTED + code], capture_output=True, text=True, cwd=PROJECT,
            check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout, done.stderr), (130, "", said))

    def test_each_command_is_interrupted_without_a_traceback(self) -> None:
        for name in ("train", "evaluate", "solve", "engine", "bundle", "__main__"):
            with self.subTest(command=name):
                self.assert_interrupted(
                    "sys.argv[1:] = ['--text']\n"
                    f"runpy.run_module('traffic_lights.{name}', run_name='__main__')",
                    "" if name == "__main__" else f"{name}: interrupted\n",
                )

    def test_so_is_each_installed_script(self) -> None:
        project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
        for name, place in {**project["scripts"], **project["gui-scripts"]}.items():
            with self.subTest(script=name):
                module, function = place.split(":")
                command = name.removeprefix("traffic-lights").removeprefix("-")
                self.assert_interrupted(
                    "sys.argv[1:] = ['--text']\n"
                    f"from {module} import {function}\nsys.exit({function}())",
                    f"{command}: interrupted\n" if command else "",
                )

    def test_without_a_standard_error_it_ends_with_the_same_status(self) -> None:
        self.assert_interrupted(
            "sys.stderr = None\nfrom traffic_lights.console.start import start\nstart('train')", ""
        )
