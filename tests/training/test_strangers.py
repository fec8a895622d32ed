"""What a training folder holds of other people's stays as it is; no link leads out of it."""

import contextlib
import io
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from tests.kit.runs import BATCH, tiny
from traffic_lights import train
from traffic_lights.console.shell import REFUSED, SUCCESS
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.paths import CHECKPOINT, CUT, LOCK, LOG, TABLE, WRITTEN
from traffic_lights.training.run_folder import clear

SHORT = ("--opponent", "random", "--games", str(2 * BATCH))
MINE = ("qtable.probe", "qtable-notes.tmp", "qtable.json.tmp", "quotes.json", "q.jsonl", "my.lock")
"""Names that a person may choose, which a broad pattern would take for the trainer's."""


class StrangerTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.top = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.folder, self.outside = self.top / "run", self.top / "precious"
        self.folder.mkdir()
        self.outside.write_bytes(b"{}")

    def train(self, *options: str) -> tuple[int, str]:
        """Return the status of the command with *options*, and what it complained of."""
        err = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
            return train.main(["--dir", str(self.folder), "--quiet", *options]), err.getvalue()

    @unittest.skipIf(os.name == "nt", "links need a right there")
    def test_no_link_is_followed_whatever_is_asked_for(self) -> None:
        commands = (SHORT, ("--repair", *SHORT), ("--import", str(self.top / "own" / WRITTEN[0])))
        self.make_own_table()
        for name in (*WRITTEN, LOCK):
            for command in commands:
                for target in (self.outside, self.top / "nowhere"):
                    path = self.folder / name
                    path.symlink_to(target)
                    with self.subTest(name=name, command=command, target=target.name):
                        self.refused_or_untouched(path, command)
                    for left in self.folder.iterdir():
                        left.unlink()

    def refused_or_untouched(self, link: Path, command: tuple[str, ...]) -> None:
        status, said = self.train(*command)
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.outside.read_bytes(), b"{}")
        self.assertFalse((self.top / "nowhere").exists())
        if link.name == LOCK or "--import" not in command:
            self.assertEqual((status, said.count("\n")), (REFUSED, 1), said)
            self.assertIn(str(link), said)

    def test_the_log_of_a_run_with_other_settings_is_refused(self) -> None:
        wanted = {"programme": "random", "games": 2 * BATCH}
        # What was killed before its first commit, and gone on with, has a table of game 0.
        for seed, sessions, where in ((1, 2, self.folder), (2, 1, self.top / "other")):
            for _ in range(sessions):
                with Training(where, {**wanted, "seed": seed}) as training:
                    next(training.run())
        (self.top / "other" / LOG).replace(self.folder / LOG)
        status, said = self.train()
        self.assertEqual((status, said.count("\n")), (REFUSED, 1), said)
        self.assertIn("does not belong", said)

    def make_own_table(self) -> None:
        whole = self.folder
        self.folder = self.top / "own"
        self.assertEqual(self.train(*SHORT)[0], SUCCESS)
        self.folder = whole

    def test_a_file_that_only_has_the_name_of_the_cut_is_refused_and_kept(self) -> None:
        path = self.folder / CUT
        path.write_bytes(b"My bot, a poem")
        self.make_own_table()
        shutil.copyfile(self.top / "own" / TABLE, self.folder / TABLE)
        for command in (SHORT, ("--repair", *SHORT), ("--cut",)):
            status, said = self.train(*command)
            self.assertEqual(status, REFUSED)
            self.assertIn(f"{path} is not of this program's making", said)
            self.assertEqual(path.read_bytes(), b"My bot, a poem")
        self.assertEqual(self.train("--fresh", *SHORT)[0], SUCCESS)
        self.assertEqual((self.folder / f"{CUT}.bak").read_bytes(), b"My bot, a poem")

    def test_a_repair_keeps_the_checkpoint_that_it_cannot_read(self) -> None:
        (self.folder / CHECKPOINT).write_bytes(b"shopping list")
        self.assertEqual(self.train(*SHORT)[0], REFUSED)
        self.assertEqual(self.train("--repair", *SHORT)[0], SUCCESS)
        self.assertEqual((self.folder / f"{CHECKPOINT}.bak").read_bytes(), b"shopping list")

    def test_files_of_similar_names_outlive_training_and_its_end(self) -> None:
        for name in MINE:
            (self.folder / name).write_bytes(name.encode())
        for command in (SHORT, ("--fresh", *SHORT), ("--cut",)):
            self.assertEqual(self.train(*command)[0], SUCCESS)
        clear(self.folder)
        left = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        self.assertEqual(left, {name: name.encode() for name in MINE})


if __name__ == "__main__":
    unittest.main()
