"""The one-file program holds everything and runs from anywhere."""

import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT, outcome, slow
from traffic_lights import bundle as bundle_module
from traffic_lights.bundle import bundle, main

PLAY_ONE_MOVE = """
import traffic_lights as tl
from traffic_lights.storage.folders import CHECKOUT_TABLES
print(CHECKOUT_TABLES, tl.play_game("perfect", "perfect").winner)
"""

SPAWN_A_TRAINER = """
import os, sys, time
from pathlib import Path
from traffic_lights.system.processes import Worker
from traffic_lights.training.worker import train_process
if __name__ == "__main__":
    folder = Path(os.environ["TRAFFIC_LIGHTS_HOME"], "bot")
    settings = {"plan": "random", "games": 500, "seed": 1}
    job = Worker(train_process, (folder, settings, False))
    messages = []
    while not job.is_over:
        messages += job.poll()
        time.sleep(0.01)
    sys.exit(messages[-1].error or 0)
"""


def zipped(contents: dict[str, str]) -> bytes:
    """Return a zip file with *contents* by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return buffer.getvalue()


class BundleTests(unittest.TestCase):
    folder: Path
    archive: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.archive = cls.folder / "traffic-lights.pyzw"
        cls.archive.write_bytes(bundle())

    def python(self, *words: str) -> str:
        """Return the output of Python in the root folder, with the archive in its path."""
        home = str(self.folder / "home")
        environ = {"TRAFFIC_LIGHTS_HOME": home, "PYTHONPATH": str(self.archive)}
        done = subprocess.run(
            [sys.executable, *words], cwd=Path(os.sep).resolve(), env={**os.environ, **environ},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_it_holds_the_program_and_the_shipped_tables_and_nothing_else(self) -> None:
        with zipfile.ZipFile(self.archive) as archive:
            self.assertIsNone(archive.testzip())
            names = [name for name in archive.namelist() if not name.endswith("/")]
        sources = {
            path.relative_to(PROJECT).as_posix()
            for path in (PROJECT / "traffic_lights").rglob("*.py")
        }
        tables = {name for name in names if name.startswith("traffic_lights/qtables/")}
        self.assertEqual(set(names), sources | tables | {"__main__.py"})
        self.assertIn("traffic_lights/qtables/complete.json", tables)

    def test_the_user_s_own_tables_stay_out(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.json", "qtable.json", "qtable_checkpoint.json", "qbot.json", "a.txt"):
                (Path(folder) / name).write_text("{}")
            with mock.patch.object(bundle_module, "shipped_tables", return_value=Path(folder)):
                data = bundle()
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            tables = [name for name in archive.namelist() if name.endswith(".json")]
        self.assertEqual(tables, ["traffic_lights/qtables/a.json"])

    def test_it_starts_its_commands_run_and_its_bots_play(self) -> None:
        self.assertEqual(self.python(str(self.archive), "--version")[:14], "Traffic Lights")
        self.assertEqual(self.python("-c", PLAY_ONE_MOVE), "None 2\n")

    @slow
    def test_a_bot_trains_in_a_process_of_its_own(self) -> None:
        # The same archive, started by a program that does what the Workshop does.
        archive = self.folder / "trainer.pyzw"
        with zipfile.ZipFile(self.archive) as old, zipfile.ZipFile(archive, "w") as new:
            for name in old.namelist():
                new.writestr(name, SPAWN_A_TRAINER if name == "__main__.py" else old.read(name))
        self.python(str(archive))
        table = json.loads((self.folder / "home" / "bot" / "qtable.json").read_bytes())
        self.assertEqual(table["meta"]["games"], 500)


class CommandTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def assert_refused(self, words: str, path: Path) -> None:
        status, out, err = outcome(main, str(path))
        self.assertEqual((status, out, err.count("\n")), (2, "", 1))
        self.assertIn(words, err)

    def test_the_file_is_written_and_named(self) -> None:
        path = self.folder / "game.pyzw"
        starter = bundle_module._STARTER.decode()
        # A newer bundle takes the place of an older one.
        for data in (zipped({"__main__.py": starter}), zipped({"__main__.py": starter, "a": "b"})):
            with mock.patch.object(bundle_module, "bundle", return_value=data):
                self.assertEqual(outcome(main, str(path)), (0, f"{path}: 0.0 MB\n", ""))
            self.assertEqual(path.read_bytes(), data)

    def test_another_file_is_not_overwritten(self) -> None:
        path = self.folder / "diary"
        for data in (
            b"dear diary, see traffic_lights/__init__.py",
            zipped({"letter": "dear diary"}),
            zipped({"__main__.py": "import traffic_lights", "traffic_lights/__init__.py": ""}),
            zipped({"__main__.py": bundle_module._STARTER.decode()})[:-9],
            b"",
        ):
            path.write_bytes(data)
            self.assert_refused("already exists", path)
            self.assertEqual(path.read_bytes(), data)
        self.assert_refused("already exists", self.folder)

    def test_what_cannot_be_is_one_sentence(self) -> None:
        with mock.patch.object(bundle_module, "bundle", return_value=b"PK"):
            self.assert_refused("no such file or folder", self.folder / "missing" / "game.pyzw")
        with mock.patch.object(bundle_module, "PACKAGE_FOLDER", self.folder / "inside a bundle"):
            self.assert_refused("unpacked program", self.folder / "game.pyzw")
