import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any
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
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.archive = cls.folder / "traffic-lights.pyzw"
        cls.archive.write_bytes(bundle())

    @unittest.skipUnless(hasattr(signal, "pthread_sigmask"), "needs signals that can be held")
    def test_an_interrupt_within_a_file_of_the_archive_stays_an_interrupt(self) -> None:
        really = zipfile.ZipFile.open

        def interrupted(*given: Any, **named: Any) -> Any:
            file = really(*given, **named)
            signal.raise_signal(signal.SIGINT)
            return file

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with mock.patch.object(zipfile.ZipFile, "open", interrupted):
            self.assertRaises(KeyboardInterrupt, bundle)

    def python(self, *arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "TRAFFIC_LIGHTS_HOME": str(self.folder / "home")}
        environment.pop("PYTHONPATH", None)
        if path is not None:
            environment["PYTHONPATH"] = str(path)
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=Path(os.sep).resolve(), env=environment,
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

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

    def test_tables_of_one_s_own_training_stay_out(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.json", "qtable.json", "qtable_checkpoint.json", "qbot.json", "a.txt"):
                (Path(folder) / name).write_text("{}")
            with mock.patch.object(bundle_module, "shipped_tables", return_value=Path(folder)):
                data = bundle()
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            tables = [name for name in archive.namelist() if "/qtables/" in name]
        self.assertEqual(tables, ["traffic_lights/qtables/a.json"])

    def test_the_same_sources_make_the_same_bytes(self) -> None:
        self.assertEqual(bundle(), self.archive.read_bytes())

    def test_it_starts_from_any_folder(self) -> None:
        done = self.python(str(self.archive), "--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Traffic Lights", done.stdout)

    def test_its_commands_run(self) -> None:
        done = self.python(
            "-m", "traffic_lights.solve", "110000000000", "--json", path=self.archive
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["value"], "won")

    def test_qbot_plays_from_the_table_inside(self) -> None:
        done = self.python("-c", PLAY_ONE_MOVE, path=self.archive)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        facts = json.loads(done.stdout)
        self.assertIn(facts["move"], range(12))
        self.assertEqual(facts["checkout"], False)
        self.assertEqual(facts["training"], str(self.folder / "home" / "qtables"))

    def test_a_training_worker_spawns_and_keeps_its_table_in_the_data_folder(self) -> None:
        # The same archive, started by a program that does what the training window does.
        archive = self.folder / "trainer.pyzw"
        with zipfile.ZipFile(self.archive) as old, zipfile.ZipFile(archive, "w") as new:
            for name in old.namelist():
                new.writestr(name, SPAWN_A_TRAINER if name == "__main__.py" else old.read(name))
        done = self.python(str(archive))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table = json.loads((self.folder / "home" / "qtables" / "qtable.json").read_bytes())
        self.assertEqual(table["meta"]["games"], 500)

    def test_a_bundle_does_not_bundle_itself(self) -> None:
        done = self.python(
            "-m", "traffic_lights.bundle", str(self.folder / "x.pyzw"), path=self.archive
        )
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("unpacked program", done.stderr)
        self.assertFalse((self.folder / "x.pyzw").exists())


class CommandTests(unittest.TestCase):
    def call(self, path: Path) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            mock.patch.object(bundle_module, "bundle", return_value=b"PK"),
        ):
            status = main([str(path)])
        return status, out.getvalue(), err.getvalue()

    def test_the_file_is_written_and_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.pyzw"
            self.assertEqual(self.call(path), (0, f"{path}: 0.0 MB\n", ""))
            self.assertEqual(path.read_bytes(), b"PK")

    def test_a_file_that_is_no_bundle_is_not_written_over(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "diary"
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("letter", "dear diary")
            for text in (path.read_bytes(), b"dear diary"):
                path.write_bytes(text)
                status, out, err = self.call(path)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1))
                self.assertEqual(path.read_bytes(), text)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs what POSIX has for files")
    def test_what_is_no_regular_file_is_refused_at_once(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pipe, endless = Path(folder) / "pipe", Path(folder) / "endless"
            os.mkfifo(pipe)
            endless.symlink_to("/dev/zero")
            for path in (pipe, endless):
                done = subprocess.run(
                    [sys.executable, "-m", "traffic_lights.bundle", str(path)],
                    cwd=PROJECT, capture_output=True, text=True, timeout=300, check=False,
                    preexec_fn=_with_a_gigabyte,
                )  # fmt: skip
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertIn(f"{path} is there already", done.stderr)

    def test_a_folder_that_is_not_there_is_one_sentence(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            status, out, err = self.call(Path(folder) / "missing" / "game.pyzw")
        self.assertEqual((status, out, err.count("\n")), (2, "", 1))
        self.assertIn("no such file or folder", err)


def _with_a_gigabyte() -> None:
    """Keep this process, a child, from taking more memory than that, where limits are kept."""
    import resource

    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
