"""The train command as a user or a program calls it."""

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import nullcontext
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT, outcome, slow
from traffic_lights.evaluate import main as evaluate_command
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.train import main as train_command
from traffic_lights.training import plans
from traffic_lights.training.run import Training
from traffic_lights.training.settings import SETTINGS, RunSettings

EVALUATE = sys.modules[evaluate_command.__module__]


class TrainTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch.object(plans, "BATCH", 100))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "run"
        self.path = self.folder / "qtable.json"

    def call(self, *words: str, status: int = 0) -> str:
        """Return what the command prints in this test's folder; it must end with *status*."""
        found, out, err = outcome(train_command, *words, "--dir", str(self.folder))
        self.assertEqual(found, status, err)
        return out + err

    def table(self) -> QTable:
        return read_table(self.path)

    def assert_refused(self, expected: str, *words: str) -> None:
        """Check that the command *words* is refused in one sentence, and trains nothing."""
        message = self.call(*words, status=2)
        self.assertRegex(message, r"^train: .*\n$")
        self.assertIn(expected, message)
        self.assertFalse(self.path.exists())


class RunTests(TrainTestCase):
    def test_it_trains_and_reports_what_it_did(self) -> None:
        words = ("--opponent", "random", "--games", "200", "--seed", "3", "--json", "--quiet")
        report = json.loads(self.call(*words))
        states = [*self.table().states()]
        found = {
            "table": str(self.path), "plan": "random", "games": 200, "practice_games": 0,
            "rows": len(states), "proven": sum(map(abs, map(self.table().proven_result, states))),
            "complete": False, "seed": 3, "finished": True,
        }  # fmt: skip
        measured = ("seconds", "games_per_second", "peak_rss_mb")
        self.assertEqual(set(report), {*found, *measured})
        self.assertEqual({key: report[key] for key in found}, found)
        for key in measured[:2]:
            self.assertGreater(report[key], 0)
        if sys.platform == "linux":
            self.assertGreater(report["peak_rss_mb"], 10)

    def test_every_setting_of_a_run_is_an_option_and_in_the_help(self) -> None:
        text = "".join(self.call("--help").split())  # argparse breaks lines after a hyphen, too
        for name, info in SETTINGS.items():
            self.assertIn(f"--{info.option}", text)
            self.assertIn("".join(info.help.split()), text, name)

    def test_every_setting_given_is_one_of_the_run(self) -> None:
        words = (
            "--opponent self --games 40 --seed 9 --alpha 0.3 --epsilon-start 0.5 --gamma 0.75 "
            "--epsilon-end 0.25 --epsilon-decay 0.5 --update bootstrap --explore least-visited"
        )
        self.call(*words.split())
        (run,) = self.table().meta["runs"]
        self.assertEqual(
            RunSettings.from_json(run["settings"]),
            RunSettings(
                "self", games=40, seed=9, alpha=0.3, epsilon_start=0.5, epsilon_end=0.25,
                epsilon_decay=0.5, update="q-learning", gamma=0.75, explore="least-visited",
            ),
        )  # fmt: skip

    def test_a_stopped_run_can_be_played_and_goes_on(self) -> None:
        words = ("--opponent", "random", "--games", "200")
        at_once = nullcontext(lambda: True)
        with mock.patch("traffic_lights.train.stop_signals", return_value=at_once):
            self.call(*words, status=130)
        self.assertEqual(self.table().meta["games"], 100)
        self.assertIn("resuming against Random after 100 games\n", self.call())
        self.assertIn("this run is already finished, after 200 games\n", self.call(*words))


class RefusalTests(TrainTestCase):
    def test_bad_usage_is_one_sentence(self) -> None:
        for words, expected in (
            ("--opponent random --games 0", "games is 0; it must be a whole number from 1 to"),
            ("--opponent random --games ''", "--games needs a value"),
            ("--seed ' '", "--seed needs a value"),
            ("--opponent nobody", "nobody"),
            ("--surprise", "--surprise"),
            ("--opponent reverse --games 5", "games makes no difference with opponent reverse"),
            ("--update q-learning", "update makes no difference with opponent reverse"),
            ("--opponent self --gamma 0.5", "gamma makes no difference with update terminal"),
            ("--opponent self --practice myopic", "practice makes no difference with an opponent"),
            ("--menu --seed 0", "leave out the other options"),
        ):
            with self.subTest(words=words):
                self.assert_refused(expected, *shlex.split(words))
                self.assertFalse(self.folder.exists())


class MenuTests(TrainTestCase):
    def choose(self, *answers: str) -> tuple[str, list[mock._Call]]:
        """Return what is shown for *answers*, and the commands that the menu runs."""
        with (
            mock.patch("traffic_lights.train.ask", side_effect=[*answers, EOFError]),
            mock.patch.object(EVALUATE, "main") as evaluate,
        ):
            return self.call("--menu"), evaluate.mock_calls

    def test_it_trains_and_evaluates_whatever_was_typed_before(self) -> None:
        nonsense = ("", "0", "6", "-3", "²", "two", "9" * 5000)
        text, calls = self.choose(*nonsense, "2", "50", "4")
        self.assertEqual(text.count("Type a number from 1 to 5"), len(nonsense))
        self.assertIn("after 50 games", text)
        self.assertEqual(calls, [mock.call(["--table", str(self.folder / "qbot.json")])])
        self.assertEqual(self.table().meta["games"], 50)


class ProcessTests(TrainTestCase):
    """What only a process of its own can show."""

    def start(self, folder: Path, games: int) -> subprocess.Popen[str]:
        words = ["--opponent", "random", "--games", str(games), "--seed", "4"]
        return subprocess.Popen(
            [sys.executable, "-m", "traffic_lights.train", "--dir", str(folder), *words],
            cwd=PROJECT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    @unittest.skipIf(os.name == "nt", "needs the signals of POSIX")
    def test_a_signal_saves_and_says_how_to_resume(self) -> None:
        checkpoint = self.folder / "qtable_checkpoint.json"
        process = self.start(self.folder, 10**6)
        while not checkpoint.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate()
        self.assertEqual(process.returncode, 130, text)
        self.assertIn(f" -m traffic_lights.train --dir {shlex.quote(str(self.folder))}", text)
        self.assertNotIn("Traceback", text)
        with Training(self.folder, {}) as training:
            self.assertGreaterEqual(training.games, 1000)

    @slow
    def test_hash_seeds_make_no_difference(self) -> None:
        tables = set()
        for seed in ("1", "2"):
            folder = self.folder.with_name(seed)
            with mock.patch.dict(os.environ, PYTHONHASHSEED=seed):
                process = self.start(folder, 2000)
            text, _ = process.communicate()
            self.assertEqual(process.returncode, 0, text)
            tables.add((folder / "qtable.json").read_bytes())
        self.assertEqual(len(tables), 1)
