"""No test writes into the home of the person who runs it, on any system."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from tests.kit.samples import PROJECT
from traffic_lights.system.folders import data_folder, home_folder

HOME = Path(os.environ["TRAFFIC_LIGHTS_TEST_HOME"]).resolve()
SHOW = (
    "import os, pathlib; from traffic_lights.system.folders import data_folder, home_folder; "
    "print(pathlib.Path.home()); print(data_folder()); print(home_folder(os.environ))"
)


class HomeTests(unittest.TestCase):
    def test_every_way_to_a_home_leads_into_the_folder_of_the_tests(self) -> None:
        without = {k: v for k, v in os.environ.items() if k != "TRAFFIC_LIGHTS_HOME"}
        found = [Path.home(), Path("~").expanduser(), home_folder(os.environ), data_folder()]
        found += [data_folder(without, platform) for platform in ("linux", "darwin", "win32")]
        for path in found:
            self.assertTrue(path.resolve().is_relative_to(HOME), path)

    def test_so_does_every_way_of_what_the_tests_start(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", SHOW], cwd=PROJECT, capture_output=True, text=True, check=True
        )
        for line in done.stdout.splitlines():
            self.assertTrue(Path(line).resolve().is_relative_to(HOME), line)
