"""The train command as a person or a program calls it."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.faults import HELD, Disk
from tests.kit.samples import PROJECT
from traffic_lights import train
from traffic_lights.board.solver import Tablebase
from traffic_lights.console.menu import run_menu
from traffic_lights.console.progress import ProgressLine
from traffic_lights.console.shell import REFUSED, CommandError
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import StorageError
from traffic_lights.training.events import Event, Progressed, Stop
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.settings import RunSettings
from traffic_lights.training.troubles import StoppedError


@contextlib.contextmanager
def stopping_at_once() -> Iterator[Callable[[], Stop]]:
    """Ask to stop after the first batch."""
    answers = iter([Stop.NO])
    yield lambda: next(answers, Stop.COMMIT)


class TrainTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "run"
        self.out, self.err = io.StringIO(), io.StringIO()

    def call(self, *words: str) -> int:
        """Return the status of the command in this test's folder."""
        self.out, self.err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(self.out), contextlib.redirect_stderr(self.err):
            return train.main([*words, "--dir", str(self.folder)])

    def test_a_folder_with_a_sign_of_per_cent_in_its_name_stands_in_the_help(self) -> None:
        with mock.patch("traffic_lights.train.training_folder", return_value=Path("100%s off")):
            self.assertEqual(self.call("--help"), 0)
        self.assertIn("(default: 100%s off)", " ".join(self.out.getvalue().split()))

    def test_it_trains_and_says_what_it_did(self) -> None:
        status = self.call("--opponent", "random", "--games", "2000", "--seed", "3", "--json")
        self.assertEqual(status, 0)
        report = json.loads(self.out.getvalue())
        table = read_table(self.folder / "qtable.json")
        self.assertEqual(report["table"], str(self.folder / "qtable.json"))
        self.assertEqual((report["programme"], report["games"]), ("random", 2000))
        self.assertEqual(report["rows"], len(list(table.states())))
        decided = sum(table.is_proven(state) for state in table.states())
        self.assertEqual((report["decided"], report["complete"]), (decided, False))
        self.assertEqual(report["seed"], 3)
        self.assertGreater(report["games_per_second"], 0)

    @unittest.skipUnless(Path("/proc/self/status").exists(), "only Linux counts so")
    def test_the_memory_is_that_of_the_trainer_not_of_what_started_it(self) -> None:
        words = ["-m", "traffic_lights.train", "--opponent", "random", "--games", "10", "--json"]
        command = [sys.executable, *words, "--quiet", "--dir", str(self.folder)]
        start = f"import os; held = bytearray(1 << 29); os.execv({command[0]!r}, {command!r})"
        done = subprocess.run(
            [sys.executable, "-c", start], cwd=PROJECT, capture_output=True, text=True, check=True
        )
        self.assertLess(json.loads(done.stdout)["peak_rss_mb"], 400)

    def test_memory_is_in_millions_of_bytes_on_every_system(self) -> None:
        for status, platform, peak in (
            ("VmHWM:\t  250000 kB\n", "linux", 1),
            ("VmPeak: 1 kB", "linux", 250_000),
            ("", "darwin", 256_000_000),
        ):
            resource = mock.Mock(**{"getrusage.return_value.ru_maxrss": peak})
            with (
                self.subTest(status=status, platform=platform),
                mock.patch.dict(sys.modules, resource=resource),
                mock.patch.object(sys, "platform", platform),
                mock.patch.object(Path, "read_text", return_value=status),
            ):
                self.assertEqual(train._peak_memory_mb(), 256.0)

    def test_a_file_that_another_program_holds_is_waited_for_with_a_word(self) -> None:
        options = ("--opponent", "random", "--games", "300", "--quiet")
        with Disk() as disk:
            self.call(*options)
        expected = (self.folder / "qtable.json").read_bytes()
        words = 0
        for at in range(disk.count):
            self.folder = self.folder.with_name(f"run-{at}")
            with Disk(at, HELD[0]):
                self.assertEqual(self.call(*options), 0)
            words += "waiting for another program" in self.err.getvalue()
            self.assertEqual((self.folder / "qtable.json").read_bytes(), expected)
        self.assertGreater(words, 3)

    def test_one_game_is_a_game_and_not_games(self) -> None:
        said = ""
        for words in (("--opponent", "random", "--games", "1"),) * 2:
            self.assertEqual(self.call(*words, "--quiet"), 0)
            said += self.out.getvalue() + self.err.getvalue()
        self.assertIn("finished before, after 1 game\n", said)
        self.assertNotIn("1 games", said)

    def test_a_finished_run_says_so_and_more_games_go_on(self) -> None:
        self.call("--opponent", "self", "--games", "2000")
        before = (self.folder / "qtable.json").read_bytes()
        self.assertEqual(self.call("--opponent", "self", "--games", "2000"), 0)
        self.assertIn("Finished", self.out.getvalue())
        self.assertEqual(self.err.getvalue(), "this run was finished before, after 2,000 games\n")
        self.assertEqual((self.folder / "qtable.json").read_bytes(), before)
        self.assertEqual(self.call("--opponent", "self", "--games", "4000"), 0)
        longer = (self.folder / "qtable.json").read_bytes()
        self.assertEqual(self.call("--opponent", "self", "--games", "4000", "--fresh"), 0)
        self.assertEqual((self.folder / "qtable.json").read_bytes(), longer)
        self.assertTrue((self.folder / "qtable.json.bak").exists())

    def test_runs_follow_one_another_on_one_table(self) -> None:
        for opponent in ("random", "myopic"):
            self.assertEqual(self.call("--opponent", opponent, "--games", "1000"), 0)
        meta = read_table(self.folder / "qtable.json").meta
        self.assertEqual(meta["games"], 2000)
        self.assertEqual([run["settings"]["programme"] for run in meta["runs"]],
                         ["random", "myopic"])  # fmt: skip

    def test_the_last_chance_to_explore_is_never_above_the_first_unless_it_is_given(self) -> None:
        for start in (0.0, 0.01, 0.5):
            words = ("--opponent", "random", "--games", "10", "--epsilon-start", str(start))
            self.assertEqual(self.call(*words, "--fresh"), 0, self.err.getvalue())
            *_, run = read_table(self.folder / "qtable.json").meta["runs"]
            expected = min(start, RunSettings().epsilon_end)
            self.assertEqual(run["settings"]["epsilon_end"], expected)

    def test_a_stopped_run_goes_on_with_one_of_its_chances_to_explore_named(self) -> None:
        words = ("--opponent", "random", "--games", "20000")
        with mock.patch("traffic_lights.train.stop_signals", stopping_at_once):
            self.call(*words, "--epsilon-start", "0.1", "--epsilon-end", "0.05", "--json")
        report = json.loads(self.out.getvalue())
        self.assertFalse(report["finished"])
        self.assertGreater(report["rows"], 100)
        self.assertEqual(self.call("--cut"), 2)
        self.assertIn("is not over", self.err.getvalue())
        self.assertEqual(self.call("--resume", "--epsilon-start", "0.1"), 0, self.err.getvalue())
        self.assertEqual(self.call("--cut"), 0)

    def test_no_learned_sign_contradicts_the_solver(self) -> None:
        tablebase = Tablebase()
        for words in (("--opponent", "alternate"), ("--programme", "baselines"),
                      ("--opponent", "self", "--alpha", "0.5"),
                      ("--programme", "reverse", "--alpha", "0.5")):  # fmt: skip
            with self.subTest(words=words):
                self.assertEqual(self.call(*words, "--games", "3000", "--fresh"), 0)
                table = read_table(self.folder / "qtable.json")
                checked = 0
                for state in table.states():
                    distances = tablebase.action_distances(state)
                    for action, value in table.canonical_row(state).items():
                        if abs(value) == 1:
                            self.assertEqual(value > 0, distances[action] % 2 == 1)
                            checked += 1
                self.assertGreater(checked, 500)

    def test_rules_and_programmes_follow_one_another_on_one_table(self) -> None:
        self.call("--opponent", "self", "--games", "1000", "--update", "monte-carlo", "--json")
        self.assertEqual(json.loads(self.out.getvalue())["decided"], 0)
        kinds = []
        for words in (("--opponent", "self"), ("--programme", "selfplay")):
            self.assertEqual(self.call(*words, "--games", "1000"), 0)
            table = read_table(self.folder / "qtable.json")
            values = [v for s in table.states() for v in table.canonical_row(s).values()]
            kinds.append((1.0 in values, any(abs(value) < 1 for value in values)))
        self.assertEqual(kinds, [(True, True), (True, False)])

    def test_estimates_that_a_programme_puts_away_are_kept_in_a_copy(self) -> None:
        self.call("--opponent", "myopic", "--games", "1000")
        before = (self.folder / "qtable.json").read_bytes()
        reverse = ("--programme", "reverse", "--games", "100")
        for _ in range(2):  # the first is killed before its run begins
            with contextlib.closing(Training(self.folder, {"programme": "reverse", "games": 100})):
                pass
        self.assertEqual(self.call(*reverse), 0)
        self.assertIn("with its estimates is kept as qtable.json.bak", self.err.getvalue())
        self.assertEqual([p.name for p in self.folder.glob("*.bak*")], ["qtable.json.bak"])
        self.assertEqual((self.folder / "qtable.json.bak").read_bytes(), before)
        self.assertEqual(self.call("--programme", "reverse", "--games", "200"), 0)
        self.assertEqual(len(list(self.folder.glob("*.bak*"))), 1, "there was nothing to put away")

    def test_bad_usage_is_one_sentence(self) -> None:
        for words in (
            ("--games", "0"), ("--games", "many"), ("--alpha", "0"), ("--alpha", "nan"),
            ("--opponent", "nobody"), ("--surprise",), ("--epsilon-start", "2"),
            ("--opponent", "self", "--programme", "reverse"),
            ("--programme", "reverse", "--update", "bootstrap"),
            ("--epsilon-start", "0.1", "--epsilon-end", "0.5"), ("--resume",),
            ("--fresh", "--resume"), ("--fresh", "--repair"), ("--cut", "--menu"),
            ("--cut", "--import", "old.json"),
        ):  # fmt: skip
            with self.subTest(words=words):
                self.assertEqual(self.call(*words), 2)
                message = self.err.getvalue()
                self.assertEqual(message.count("\n"), 1, message)
                self.assertNotIn("Traceback", message)
                self.assertEqual(self.out.getvalue(), "")
                self.assertFalse((self.folder / "qtable.json").exists())

    def test_the_cut_table_can_be_made_alone(self) -> None:
        self.call("--opponent", "self", "--games", "1000")
        cut_table = self.folder / "qbot.json"
        before = cut_table.read_bytes()
        cut_table.unlink()
        self.assertEqual(self.call("--cut"), 0)
        self.assertEqual(cut_table.read_bytes(), before)
        self.assertEqual(self.call("--cut", "--json"), 0)
        rows = len(list(read_table(cut_table).states()))
        self.assertEqual(json.loads(self.out.getvalue()), {"table": str(cut_table), "rows": rows})

    def test_what_trains_nothing_takes_no_setting_of_a_run(self) -> None:
        for instead in (("--cut",), ("--import", "old.json"), ("--menu",)):
            for idle in (
                ("--seed", "0"),
                ("--shares", *"1234"),
                ("--save-every", "5"),
                ("--repair",),
            ):
                self.assertEqual(self.call(*instead, *idle), 2)
                sentence = f"{instead[0]} trains nothing: leave out {idle[0]}"
                self.assertIn(sentence, self.err.getvalue())

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def test_a_sound_folder_is_left_as_it_is_by_a_repair_and_that_is_said(self) -> None:
        run = ("--opponent", "random", "--games", "20000")
        self.folder.mkdir()
        for is_stopped in (None, True, False):
            if is_stopped:
                with mock.patch("traffic_lights.train.stop_signals", stopping_at_once):
                    self.call(*run)
            elif is_stopped is False:
                self.call(*run)
            (self.folder / "qtable.lock").touch()
            before = self.files()
            with mock.patch.object(train, "Training", side_effect=AssertionError):
                self.assertEqual(self.call("--repair"), 0)
                said = f"There is nothing to repair in {self.folder}\n"
                self.assertEqual((self.out.getvalue(), self.err.getvalue()), (said, ""))
                self.assertEqual(self.call("--repair", "--json"), 0)
                self.assertFalse(json.loads(self.out.getvalue())["repaired"])
            self.assertEqual(self.files(), before)

    def test_a_repair_goes_on_with_the_run_that_is_there_and_begins_no_other(self) -> None:
        run = ("--opponent", "random", "--games", "2000")
        self.call(*run)
        finished = (self.folder / "qtable.json").read_bytes()
        for stops in (False, True):
            if stops:
                with mock.patch("traffic_lights.train.stop_signals", stopping_at_once):
                    self.assertEqual(self.call(*run, "--fresh"), 130)
            (self.folder / "qtable_checkpoint.json").write_bytes(b"{")
            self.assertEqual(self.call(), 2)
            self.assertIn("with --repair it is put aside", self.err.getvalue())
            self.assertEqual(self.call("--repair"), 0)
            self.assertIn("the damaged checkpoint is kept as", self.err.getvalue())
            self.assertIn("after 2,000 games", self.out.getvalue())
            self.assertEqual((self.folder / "qtable.json").read_bytes(), finished)

    def test_a_repair_where_no_run_is_begins_none(self) -> None:
        self.folder.mkdir()
        (self.folder / "qtable_checkpoint.json").write_bytes(b"{")
        self.assertEqual(self.call("--repair"), 0)
        self.assertIn("is repaired; it holds no run", self.out.getvalue())
        self.assertFalse((self.folder / "qtable.json").exists())

    def test_what_needs_a_folder_makes_none(self) -> None:
        for option in ("--cut", "--repair", "--resume"):
            self.assertEqual(self.call(option), 2)
            self.assertEqual(self.err.getvalue(), f"train: there is no folder {self.folder}\n")
            self.assertFalse(self.folder.exists())

    def test_a_setting_of_another_programme_is_refused(self) -> None:
        for words, said in (
            (("--opponent", "self", "--practice", "none"), "--practice follows programme reverse"),
            (("--opponent", "self", "--shares", *"1234"), "--shares divides the games of"),
            (("--programme", "reverse", "--shares", *"0000"), "--shares divides the games of"),
        ):
            self.assertEqual(self.call(*words), 2)
            self.assertIn(said, self.err.getvalue())
            self.assertFalse(self.folder.exists())

    def test_what_stops_a_run_is_said_on_a_line_of_its_own(self) -> None:
        def stopping(*_arguments: Any) -> Iterator[Event]:
            yield Progressed(1000, "lessons", -1, 0.1, 5, 0.5)
            raise StoppedError(StorageError("the disk is full"), 1000)

        self.err, ticking = io.StringIO(), partial(ProgressLine, now=count().__next__)
        with (
            mock.patch.object(Training, "run", stopping),
            mock.patch.object(train, "ProgressLine", ticking),
            mock.patch.object(self.err, "isatty", return_value=True),
            contextlib.redirect_stderr(self.err),
        ):
            self.assertEqual(
                train.main(["--dir", str(self.folder), "--opponent", "random"]), REFUSED
            )
        shown, said = self.err.getvalue().lstrip("\r").splitlines()
        self.assertIn("1,000 games", shown)
        self.assertTrue(said.startswith("train: the disk is full"), said)

    def test_the_menu_needs_somewhere_to_ask(self) -> None:
        for stream in ("stdin", "stdout", "stderr"):
            with (
                self.subTest(closed=stream),
                mock.patch.object(sys, stream, None),
                self.assertRaisesRegex(CommandError, "no terminal"),
            ):
                train.train_command(["--menu"])

    def test_what_is_no_text_is_no_choice_of_the_menu(self) -> None:
        typed = io.TextIOWrapper(io.BytesIO(b"\xff\n11\n"), "utf-8", errors="strict")
        with mock.patch.object(sys, "stdin", typed):
            self.assertEqual(self.call("--menu"), 0)
        self.assertIn("is not a number from 1 to 11", self.out.getvalue())


class MenuTests(unittest.TestCase):
    def choose(self, *answers: str) -> list[list[str]]:
        """Return the commands that the menu runs for *answers*, after which the input ends."""
        called: list[list[str]] = []
        left: Iterator[str] = iter(answers)

        def ask(_question: str) -> str:
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        def command(name: str, words: list[str]) -> int:
            called.append([name, *words])
            return 0

        commands = {
            name: lambda words, name=name: command(name, list(words))
            for name in ("train", "evaluate")
        }
        with contextlib.redirect_stdout(io.StringIO()) as self.out:
            self.assertEqual(run_menu(Path("folder"), commands, ask), 0)
        return called

    def test_it_trains_with_the_games_that_were_asked_for(self) -> None:
        self.assertEqual(
            self.choose("3", "500", "11"),
            [["train", "--opponent", "myopic", "--games", "500", "--dir", "folder"]],
        )

    def test_return_takes_the_number_of_games_offered(self) -> None:
        ((*_, games, _, _),) = self.choose("1", "", "11")
        self.assertEqual(games, "100000")

    def test_it_goes_on_after_nonsense_and_ends_with_the_input(self) -> None:
        nonsense = ("", "0", "12", "-3", "²", "１", "two", "00", "0000000012", "9" * 5000)
        called = self.choose(*nonsense, "07")
        self.assertEqual(called, [["evaluate", "--opponent", "random", "--table",
                                   str(Path("folder") / "qtable.json")]])  # fmt: skip
        self.assertEqual(self.out.getvalue().count("is not a number from 1 to 11"), len(nonsense))


if __name__ == "__main__":
    unittest.main()
