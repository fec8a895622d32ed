"""The windows over a data folder with a damaged file: they open, and no error is reported."""

import subprocess
import sys
import unittest

from tests.kit.person import HAS_DISPLAY
from tests.kit.samples import PROJECT, slow

SHARE = 0.03
OPEN_EACH = """
import os, random, sys, tkinter
from tests.kit import damage
from traffic_lights.gui.app import App

rng = random.Random(7)
for name in damage.FILES:
    for number, act in enumerate(damage.damages(name)):
        if rng.random() >= float(sys.argv[1]):
            continue
        with damage.damaged_folder(name, act) as folder:
            os.environ["TRAFFIC_LIGHTS_HOME"] = str(folder)
            root = tkinter.Tk()
            app = App(root)
            app.open()
            for command in ("workshop", "statistics"):
                app.run(command)
                root.update()
            log = app.context.log.file
            words = log.read_text("utf-8", "replace") if log.exists() else ""
            print(name, number, "errors:", words.count("Traceback"), flush=True)
            app.context.close()
"""


@slow
@unittest.skipUnless(HAS_DISPLAY, "no display")
class DamagedFolderTests(unittest.TestCase):
    def test_the_windows_open_over_any_damaged_file(self) -> None:
        command = [sys.executable, "-c", OPEN_EACH, str(SHARE)]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        lines = ended.stdout.splitlines()
        self.assertGreater(len(lines), 2)
        self.assertEqual([line for line in lines if not line.endswith("errors: 0")], [])
