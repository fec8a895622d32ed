"""The train command as a user or a program calls it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT
from traffic_lights.console.shell import Ticker
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import StorageError
from traffic_lights.train import _progress_text
from traffic_lights.train import main as train_command
from traffic_lights.training.run import Moment, Training
from traffic_lights.training.settings import SETTINGS, RunSettings


@contextlib.contextmanager
def stopping_at_once() -> Iterator[Callable[[], bool]]:
    """Ask to stop after the first batch."""
    yield lambda: True


TRAIN = sys.modules[train_command.__module__]
STOPPING = mock.patch.object(TRAIN, "stop_signals", stopping_at_once)


class TrainTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "run"
        self.out, self.err = io.StringIO(), io.StringIO()

    def call(self, *words: str) -> int:
        """Return the status of the command in this test's folder."""
        self.out, self.err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(self.out), contextlib.redirect_stderr(self.err):
            return train_command([*words, "--dir", str(self.folder)])

    def table(self) -> bytes:
        return (self.folder / "qtable.json").read_bytes()

    def assert_refused(self, said: str, *words: str) -> None:
        """Check that the command *words* is refused in one sentence, and trains nothing."""
        self.assertEqual(self.call(*words), 2)
        message = self.err.getvalue()
        self.assertEqual((self.out.getvalue(), message.count("\n")), ("", 1), message)
        self.assertTrue(message.startswith("train: "), message)
        self.assertIn(said, message)
        self.assertFalse((self.folder / "qtable.json").exists())


class RunTests(TrainTestCase):
    def test_it_trains_and_reports_what_it_did(self) -> None:
        words = ("--opponent", "random", "--games", "2000", "--seed", "3")
        self.assertEqual(self.call(*words, "--json"), 0)
        report = json.loads(self.out.getvalue())
        table = read_table(self.folder / "qtable.json")
        decided = sum(table.is_proven(state) for state in table.states())
        found = {
            "table": str(self.folder / "qtable.json"), "programme": "random", "games": 2000,
            "practice_games": 0, "rows": len(list(table.states())), "decided": decided,
            "complete": False, "seed": 3, "finished": True,
        }  # fmt: skip
        self.assertEqual({key: report[key] for key in found}, found)
        for key in ("seconds", "games_per_second"):
            self.assertGreater(report[key], 0)
        if sys.platform == "linux":
            self.assertGreater(report["peak_rss_mb"], 10)

    def test_every_setting_of_a_run_is_an_option_and_in_the_help(self) -> None:
        self.assertEqual(self.call("--help"), 0)
        text = " ".join(self.out.getvalue().split())
        for name, info in SETTINGS.items():
            self.assertIn(f"--{name.replace('_', '-')} ", text)
            if name != "plan":
                self.assertIn(" ".join(info.help.split()), text)
        for value in ("0.2", "terminal", "1 1 1 17", "myopic"):
            self.assertIn(f"(default {value})", text)

    def test_every_setting_given_is_one_of_the_run(self) -> None:
        given = {
            "plan": "baselines", "games": "40", "seed": "9", "alpha": "0.3",
            "epsilon_start": "0.5", "epsilon_end": "0.25", "epsilon_decay": "0.5",
            "update": "bootstrap", "gamma": "0.75", "explore": "least-visited",
            "shares": "1 2 3 4",
        }  # fmt: skip
        words = [
            word
            for name, text in given.items()
            for word in (f"--{name.replace('_', '-')}", *text.split())
        ]
        self.assertEqual(self.call(*words), 0, self.err.getvalue())
        (run,) = read_table(self.folder / "qtable.json").meta["runs"]
        self.assertEqual(
            RunSettings.from_json(run["settings"]),
            RunSettings(
                "baselines", 40, 9, 0.3, 0.5, 0.25, 0.5, "bootstrap", 0.75, "least-visited",
                (1, 2, 3, 4), "none",
            ),
        )  # fmt: skip

    def test_a_finished_run_says_so_and_more_games_continue_it(self) -> None:
        for words in (("--opponent", "random", "--games", "1", "--quiet"),) * 2:
            self.assertEqual(self.call(*words), 0)
        self.assertEqual(self.err.getvalue(), "this run is already finished (1 game)\n")
        again = ("--opponent", "self", "--fresh", "--games")
        self.call(*again, "2000")
        self.assertIn("of 2,266,543 positions are solved, after 2,000 games", self.out.getvalue())
        self.call("--opponent", "self", "--games", "4000")
        longer = self.table()
        self.call(*again, "4000")
        self.assertEqual(self.table(), longer)
        self.assertTrue((self.folder / "qtable.json.bak").exists())

    def test_runs_follow_one_another_on_one_table(self) -> None:
        plans = ("random", "myopic", "selfplay")
        for option, plan in zip(("opponent", "opponent", "programme"), plans, strict=True):
            self.assertEqual(self.call(f"--{option}", plan, "--games", "1000"), 0)
        self.assertIn("the table with its estimates was copied to", self.err.getvalue())
        meta = read_table(self.folder / "qtable.json").meta
        self.assertEqual(meta["games"], 3000)
        self.assertEqual(tuple(run["settings"]["programme"] for run in meta["runs"]), plans)

    def test_a_stopped_run_continues_to_the_same_bytes(self) -> None:
        words = ("--opponent", "random", "--games", "20000", "--epsilon-end", "0.05")
        self.call(*words)
        whole = self.table()
        with STOPPING:
            self.assertEqual(self.call(*words, "--fresh", "--json"), 130)
        report = json.loads(self.out.getvalue())
        self.assertEqual((report["finished"], report["games"]), (False, 1000))
        table = read_table(self.folder / "qtable.json")
        self.assertEqual(len(list(table.states())), report["rows"])
        self.assertEqual(self.call("--alpha", "0.5"), 2)
        self.assertIn("has alpha 0.2, not 0.5", self.err.getvalue())
        self.assertEqual(self.call("--resume", "--epsilon-end", "0.05"), 0)
        self.assertIn("resuming plan random at game 1,000\n", self.err.getvalue())
        self.assertEqual(self.table(), whole)

    def test_what_stops_a_run_is_shown_on_a_line_of_its_own(self) -> None:
        def playing(*_: object) -> Iterator[Moment]:
            yield Moment(0, "", -1, 0.1, (0,), 0, 0.0, "found")
            yield Moment(1000, "training games", -1, 0.1, (5,), 1000, 0.5, "")
            raise StorageError("the disk is full")

        clock = count().__next__
        with (
            mock.patch.object(Training, "play", playing),
            mock.patch.object(TRAIN, "Ticker", lambda quiet: Ticker(quiet=quiet, now=clock)),
            mock.patch("traffic_lights.console.shell.sys.stderr") as err,
        ):
            err.isatty.return_value = True
            self.assertEqual(train_command(["--dir", str(self.folder), "--opponent", "random"]), 2)
        shown = "".join(call.args[0] for call in err.write.call_args_list)
        self.assertRegex(shown, r"found\n.*1,000 games.*\ntrain: the disk is full\n$")

    def test_the_progress_fits_the_line(self) -> None:
        first, moment = (Moment(n, "reverse", 7, 0.0, (n,), n, n / 4000, "") for n in (1000, 2000))
        wide = _progress_text(moment, first, 10.0, 200)
        narrow = _progress_text(moment, first, 10.0, 79)
        self.assertEqual(wide, f"[############------------]  {narrow}")
        self.assertEqual(
            narrow,
            "50 %  0:20 left  reverse, 7 moves made  2,000 solved  2,000 games  100/s",
        )


class RefusalTests(TrainTestCase):
    def test_bad_usage_is_one_sentence(self) -> None:
        for words, said in (
            ("--games 0", "games is '0'; it must be a whole number from 1 to"),
            ("--games many", "games is 'many'"),
            ("--alpha 0", "alpha is '0'; it must be above 0 and at most 1"),
            ("--alpha nan", "alpha is 'nan'"),
            ("--shares 0 0 0 0 --plan baselines", "not all 0"),
            ("--opponent nobody", "nobody"),
            ("--surprise", "--surprise"),
            ("--epsilon-start 2", "epsilon-start is '2'"),
            ("--epsilon-start 0.1 --epsilon-end 0.5", "epsilon-end"),
            ("--opponent self --plan reverse", "not allowed with"),
            ("--plan reverse --update bootstrap", "learns only proofs"),
            ("--opponent self --practice none", "--practice works only with --plan reverse"),
            ("--plan reverse --shares 1 2 3 4", "--shares works only with --plan baselines"),
            ("--fresh --resume", "not allowed with"),
            ("--fresh --repair", "not allowed with"),
            ("--cut --menu", "not allowed with"),
            ("--cut --seed 0", "leave out --seed"),
        ):
            with self.subTest(words=words):
                self.assert_refused(said, *words.split())

    def test_what_needs_a_folder_makes_none(self) -> None:
        for option in ("--cut", "--repair", "--resume"):
            self.assert_refused(f"folder not found: {self.folder}", option)
            self.assertFalse(self.folder.exists())

    def test_a_folder_that_cannot_be_written_is_refused_before_the_first_game(self) -> None:
        self.folder.write_text("")
        self.assert_refused(str(self.folder), "--opponent", "random")

    def test_a_second_trainer_is_refused(self) -> None:
        with Training(self.folder, {"plan": "random"}):
            self.assert_refused("in use by another training run")


class OtherTests(TrainTestCase):
    """What the command does instead of training."""

    def test_the_rows_that_play_can_be_written_again(self) -> None:
        self.call("--opponent", "self", "--games", "1000")
        pruned = self.folder / "qbot.json"
        before = pruned.read_bytes()
        pruned.unlink()
        self.assertEqual(self.call("--cut"), 0)
        self.assertEqual(pruned.read_bytes(), before)
        self.assertEqual(self.call("--cut", "--json"), 0)
        rows = len(list(read_table(pruned).states()))
        self.assertEqual(json.loads(self.out.getvalue()), {"table": str(pruned), "rows": rows})

    def test_a_table_is_imported_and_no_other_is_replaced(self) -> None:
        table = PROJECT / "qtables" / "complete.json"
        self.assertEqual(self.call("--import", str(table)), 0)
        self.assertIn(f"{self.folder / 'qtable.json'}: ", self.out.getvalue())
        self.assertEqual(self.call("--import", str(table)), 2)
        self.assertIn("already has a table", self.err.getvalue())
        self.assertEqual(self.call("--import", str(table), "--fresh"), 0)
        self.assertIn("renamed to qtable.json.bak", self.err.getvalue())
        old = self.folder / "old.json"
        old.write_text('{"0000/0000/0000|1": {"0,1": 0.5}}')
        self.assertEqual(self.call("--import", str(old), "--fresh"), 0)
        self.assertIn("1 row", self.out.getvalue())

    def test_a_repair_continues_the_run_that_is_there(self) -> None:
        words = ("--opponent", "random", "--games", "3000")
        self.call(*words)
        whole = self.table()
        with STOPPING:
            self.call(*words, "--fresh")
        for games in ("1,000", "3,000"):
            (self.folder / "qtable_checkpoint.json").write_bytes(b"{")
            self.assertEqual(self.call(), 2)
            self.assertIn("--repair", self.err.getvalue())
            self.assertEqual(self.call("--repair"), 0, self.err.getvalue())
            self.assertIn(f"the run continues from game {games}", self.err.getvalue())
            self.assertEqual(self.table(), whole)
        self.assertEqual(self.call(*words), 0, "the damage is mended")

    def test_without_a_run_there_is_nothing_to_repair(self) -> None:
        self.folder.mkdir()
        self.assert_refused("no unfinished run to resume", "--repair")


class ProcessTests(TrainTestCase):
    """What only a process of its own can show."""

    words = ("--opponent", "random", "--games", "200000", "--seed", "4", "--save-every", "1000")

    def start(self, folder: Path, games: int = 200_000) -> subprocess.Popen[str]:
        command = ["-m", "traffic_lights.train", "--dir", str(folder), *self.words]
        command[command.index("200000")] = str(games)
        return subprocess.Popen(
            [sys.executable, *command], cwd=PROJECT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    @unittest.skipIf(os.name == "nt", "needs the signals of POSIX")
    def test_a_signal_saves_and_says_how_to_resume(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(self.folder)
            checkpoint = self.folder / "qtable_checkpoint.json"
            before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
            while not (checkpoint.exists() and checkpoint.stat().st_mtime_ns != before):
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(number)
            said, _ = process.communicate()
            self.assertEqual(process.returncode, 130, said)
            self.assertIn(f" -m traffic_lights.train --dir {shlex.quote(str(self.folder))}", said)
            self.assertNotIn("Traceback", said)
        with Training(self.folder, {}, resume=True) as training:
            self.assertGreater(training.games, 1000)

    def test_hash_seeds_make_no_difference(self) -> None:
        tables = set()
        for seed in ("1", "2"):
            folder = self.folder.with_name(seed)
            with mock.patch.dict(os.environ, PYTHONHASHSEED=seed):
                process = self.start(folder, games=2000)
            said, _ = process.communicate()
            self.assertEqual(process.returncode, 0, said)
            tables.add((folder / "qtable.json").read_bytes())
        self.assertEqual(len(tables), 1)


if __name__ == "__main__":
    unittest.main()
