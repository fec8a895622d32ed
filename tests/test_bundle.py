"""The one-file program holds everything and runs from anywhere."""

import contextlib
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

from tests.kit.samples import PROJECT
from traffic_lights import bundle as bundle_module
from traffic_lights.bundle import bundle, main

PLAY_ONE_MOVE = """
import json, random
from traffic_lights.system.folders import is_checkout, shipped_tables, training_folder
from traffic_lights.learning.tablefile import read_table
from traffic_lights.learning.qtable import QBot
table = read_table(shipped_tables() / "complete.json")
move = QBot(table, random.Random(7)).choose(0)
print(json.dumps({"checkout": is_checkout(), "training": str(training_folder()), "move": move}))
"""

SPAWN_A_TRAINER = """
import multiprocessing, sys
from traffic_lights.train import main
if __name__ == "__main__":
    words = ["--opponent", "random", "--games", "500", "--seed", "1", "--quiet"]
    trainer = multiprocessing.get_context("spawn").Process(target=main, args=(words,))
    trainer.start()
    trainer.join(60)
    sys.exit(trainer.exitcode)
"""


class BundleTests(unittest.TestCase):
    folder: Path
    archive: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.archive = cls.folder / "traffic-lights.pyzw"
        cls.archive.write_bytes(bundle())

    def python(self, *arguments: str, path: Path | None = None) -> tuple[int, str, str]:
        """Return (status, output, errors) of Python in the root folder."""
        environment = {**os.environ, "TRAFFIC_LIGHTS_HOME": str(self.folder / "home")}
        environment["PYTHONPATH"] = str(path or "")
        done = subprocess.run(
            [sys.executable, *arguments], cwd=Path(os.sep).resolve(), env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def test_it_holds_the_program_and_the_shipped_tables_and_nothing_else(self) -> None:
        with zipfile.ZipFile(self.archive) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
        sources = {
            f"traffic_lights/{path.relative_to(PROJECT / 'traffic_lights').as_posix()}"
            for path in (PROJECT / "traffic_lights").rglob("*.py")
        }
        tables = {name for name in names if name.startswith("traffic_lights/qtables/")}
        self.assertEqual(set(names), sources | tables | {"__main__.py"})
        self.assertIn("traffic_lights/qtables/complete.json", tables)

    def test_the_user_s_own_tables_stay_out_and_equal_sources_make_equal_bytes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.json", "qtable.json", "qtable_checkpoint.json", "qbot.json", "a.txt"):
                (Path(folder) / name).write_text("{}")
            with mock.patch.object(bundle_module, "shipped_tables", return_value=Path(folder)):
                data = bundle()
                self.assertEqual(bundle(), data)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            tables = [name for name in archive.namelist() if "/qtables/" in name]
        self.assertEqual(tables, ["traffic_lights/qtables/a.json"])

    def test_it_starts_and_its_commands_run(self) -> None:
        status, out, err = self.python(str(self.archive), "--version")
        self.assertEqual((status, out[:14], err), (0, "Traffic Lights", ""))
        words = ("-m", "traffic_lights.solve", "110000000000", "--json")
        status, out, err = self.python(*words, path=self.archive)
        self.assertEqual((status, json.loads(out)["value"], err), (0, "won", ""))

    def test_qbot_plays_from_the_table_inside(self) -> None:
        status, out, err = self.python("-c", PLAY_ONE_MOVE, path=self.archive)
        self.assertEqual((status, err), (0, ""))
        facts = json.loads(out)
        self.assertIn(facts.pop("move"), range(12))
        training = str(self.folder / "home" / "qtables")
        self.assertEqual(facts, {"checkout": False, "training": training})

    def test_a_training_worker_spawns_and_keeps_its_table_in_the_data_folder(self) -> None:
        # The same archive, started by a program that does what the training window does.
        archive = self.folder / "trainer.pyzw"
        with zipfile.ZipFile(self.archive) as old, zipfile.ZipFile(archive, "w") as new:
            for name in old.namelist():
                new.writestr(name, SPAWN_A_TRAINER if name == "__main__.py" else old.read(name))
        status, _, err = self.python(str(archive))
        self.assertEqual((status, err), (0, ""))
        table = json.loads((self.folder / "home" / "qtables" / "qtable.json").read_bytes())
        self.assertEqual(table["meta"]["games"], 500)

    def test_a_bundle_does_not_bundle_itself(self) -> None:
        with mock.patch.object(bundle_module, "PACKAGE_FOLDER", self.archive / "traffic_lights"):
            status, out, err = call(self.folder / "x.pyzw")
        self.assertEqual((status, out, err.count("\n")), (2, "", 1))
        self.assertIn("unpacked program", err)


def call(path: Path) -> tuple[int, str, str]:
    """Return (status, output, errors) of the command that writes *path*."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(path)])
    return status, out.getvalue(), err.getvalue()


class CommandTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch.object(bundle_module, "bundle", return_value=b"PK"))

    def test_the_file_is_written_and_named(self) -> None:
        path = self.folder / "game.pyzw"
        self.assertEqual(call(path), (0, f"{path}: 0.0 MB\n", ""))
        self.assertEqual(path.read_bytes(), b"PK")

    def test_another_file_is_not_overwritten(self) -> None:
        path = self.folder / "diary"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("letter", "dear diary")
        for data in (path.read_bytes(), b"dear diary"):
            path.write_bytes(data)
            status, out, err = call(path)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1))
            self.assertEqual(path.read_bytes(), data)

    def test_a_missing_folder_is_one_sentence(self) -> None:
        status, out, err = call(self.folder / "missing" / "game.pyzw")
        self.assertEqual((status, out, err.count("\n")), (2, "", 1))
        self.assertIn("no such file or folder", err)


if __name__ == "__main__":
    unittest.main()
