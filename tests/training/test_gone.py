"""Files that somebody takes away while a run has them open: it stops, and nothing is lost."""

import io
import os
import re
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest import mock

from tests.kit.faults import Disk
from tests.kit.runs import (
    AFRESH,
    CHAIN,
    GRADED,
    OPPONENTS,
    REVERSE,
    SMALL,
    Script,
    Told,
    digest,
    folder,
    play,
    tiny,
    undisturbed,
)
from tests.kit.samples import IS_SLOW_RUN
from traffic_lights.storage.files import StorageError, write_atomically
from traffic_lights.storage.witness import Witness
from traffic_lights.train import main as train_command
from traffic_lights.training import folder as folder_module
from traffic_lights.training.events import Event, Finished, Saved, Stop, Stopped
from traffic_lights.training.folder import RunFiles
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.paths import LOCK, LOG, TABLE
from traffic_lights.training.troubles import GoneError


def rename_folder(where: Path) -> None:
    where.rename(where.with_name("elsewhere"))


def replace_folder(where: Path) -> None:
    rename_folder(where)
    where.mkdir()


def delete(name: str) -> Callable[[Path], None]:
    return lambda where: (where / name).unlink(missing_ok=True)


def replace_log(where: Path) -> None:
    if (where / LOG).exists():
        data = (where / LOG).read_bytes()
        (where / LOG).unlink()
        (where / LOG).write_bytes(data)


MEDDLERS: Final[dict[str, Callable[[Path], None]]] = {
    "the folder renamed": rename_folder,
    "another folder in its place": replace_folder,
    "the log deleted": delete(LOG),
    "the lock deleted": delete(LOCK),
    "another log in its place": replace_log,
}


@contextmanager
def meddling(
    owner: object, name: str, meddle: Callable[[], None], *, first: bool
) -> Iterator[None]:
    """Have *meddle* called before each call of *owner*'s method *name*, or after it."""
    method = getattr(owner, name)

    def call(*arguments: Any) -> Any:
        if first:
            meddle()
        result = method(*arguments)
        if not first:
            meddle()
        return result

    with mock.patch.object(owner, name, call):
        yield


@unittest.skipIf(os.name == "nt", "there what is open cannot be taken away")
class GoneTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())

    def test_whatever_is_taken_away_at_any_effect_nothing_that_was_learned_is_lost(self) -> None:
        rescued = 0
        for number, script in enumerate(
            (SMALL, OPPONENTS[3], GRADED[0], CHAIN[:2], AFRESH, REVERSE)
        ):
            expected, effects, _ = undisturbed(script)
            step = 1 if IS_SLOW_RUN else 97 if script is REVERSE else 11
            for at in range(number, effects, step):
                for kind in list(MEDDLERS)[:: 1 if IS_SLOW_RUN else 2 - at % 2]:
                    with self.subTest(script=number, effect=at, kind=kind):
                        rescued += self.meddled(script, at, MEDDLERS[kind], expected)
        print(f"[durability] {rescued:,} runs rescued from memory", file=sys.stderr)
        self.assertGreater(rescued, 20)

    def meddled(
        self, script: Script, at: int, meddle: Callable[[Path], None], expected: dict[str, str]
    ) -> bool:
        """Play *script*, with *meddle* at effect *at*; return whether it was rescued."""
        told = Told()
        with folder() as where:
            done: list[bool] = []

            def now() -> None:
                with mock.patch.object(os, "unlink", os.remove):
                    if where.exists():
                        meddle(where)
                        done.append(True)

            with Disk(at, meddle=now):
                try:
                    play(where, script, told)
                except StorageError as error:
                    stopped = error
                else:
                    self.assertEqual(digest(where) or expected, expected)
                    return False
            if not isinstance(stopped, GoneError):
                self.assertNotIn("is gone", str(stopped))
                return False
            self.assertNotIn("nothing up to game", str(stopped))
            rescue = stopped.rescue
            if rescue is None:  # before anything was learned: all that there was is elsewhere
                self.assertEqual(told.saved, 0)
                return False
            match = re.search(r"all ([\d,]+) games are in (.+) now$", str(stopped))
            assert match is not None, stopped
            self.assertEqual(match[2], str(rescue))
            self.assertGreaterEqual(int(match[1].replace(",", "")), told.saved)
            wanted = script[told.session]
            script = (
                *script[: told.session],
                type(wanted)(wanted.wanted),
                *script[told.session + 1 :],
            )
            play(rescue, script, told)
            self.assertEqual((digest(rescue), told.problems), (expected, []))
        return True

    def test_the_sentence_names_what_is_gone(self) -> None:
        for kind, meddle in MEDDLERS.items():
            name = LOG if "log" in kind else LOCK if "lock" in kind else ""
            with self.subTest(kind=kind), self.begun() as (where, _, events):
                meddle(where)
                with self.assertRaisesRegex(GoneError, f"^{re.escape(str(where / name))} is gone"):
                    list(events)

    def test_a_run_does_not_begin_anew_in_a_folder_that_has_taken_its_place(self) -> None:
        with folder() as where:
            play(where, SMALL, Told())
            files = RunFiles(where)
            self.addCleanup(files.close)
            files.open()
            replace_folder(where)
            with self.assertRaises(GoneError):
                files.load()

    def test_nothing_is_written_into_a_folder_that_has_taken_its_place(self) -> None:
        for step in ("commit", "fold", "_write_cut"):
            with self.subTest(before=step), self.begun() as (where, training, events):
                owner = training if step == "_write_cut" else training.files
                with meddling(owner, step, partial(replace_folder, where), first=True):
                    self.seen_until_gone(events)
                self.assertEqual(list(where.iterdir()), [])

    def test_what_goes_while_a_stopped_run_is_folded_is_noticed(self) -> None:
        for owner, step, first in (
            (folder_module, "write_atomically", True),
            (RunFiles, "fold", False),
        ):
            with self.subTest(step=step), folder() as where:
                training = self.enterContext(Training(where, SMALL[0].wanted))
                taken = partial(rename_folder, where)
                with meddling(owner, step, taken, first=first):
                    seen = self.seen_until_gone(training.run(lambda: Stop.FOLD))
                self.assertNotIn(Stopped, map(type, seen))

    def test_what_goes_while_it_is_saved_is_not_reported_as_saved(self) -> None:
        for kind, meddle in MEDDLERS.items():
            with self.subTest(kind=kind), self.begun() as (where, training, events):
                taken = partial(meddle, where)
                with meddling(training.files, "commit", taken, first=False):
                    self.assertNotIn(Saved, map(type, self.seen_until_gone(events)))

    def test_what_goes_at_the_very_end_is_noticed(self) -> None:
        for kind in ("the folder renamed", "another folder in its place", "the lock deleted"):
            with self.subTest(kind=kind), self.begun() as (where, training, events):
                taken = partial(MEDDLERS[kind], where)
                with meddling(training, "_write_cut", taken, first=False):
                    self.assertNotIn(Finished, map(type, self.seen_until_gone(events)))

    @contextmanager
    def begun(self) -> Iterator[tuple[Path, Training, Iterator[Event]]]:
        """Yield folder, run and events of a run that has just reported its first commit."""
        with (
            folder() as where,
            Training(where, SMALL[0].wanted, now=lambda: 0.0, commit_every_games=1) as training,
        ):
            events = training.run()
            while not isinstance(next(events), Saved):
                pass
            yield where, training, events

    def seen_until_gone(self, events: Iterator[Event]) -> list[Event]:
        """Return the *events* of a run that must stop because something is gone."""
        seen: list[Event] = []
        with self.assertRaises(GoneError):
            seen.extend(events)
        return seen

    def test_the_command_says_how_to_go_on(self) -> None:
        with folder() as where:
            err = io.StringIO()
            taken: list[bool] = []

            def take_away(files: RunFiles, *arguments: Any) -> None:
                commit(files, *arguments)
                if not taken:
                    taken.append(True)
                    (where / LOCK).unlink()

            commit = RunFiles.commit
            command = ["--dir", str(where), "--opponent", "random", "--games", "60", "--quiet"]
            with mock.patch.object(RunFiles, "commit", take_away), redirect_stderr(err):
                self.assertEqual(train_command([*command, "--save-every", "1"]), 2)
            rescue = where.with_name("one-rescued")
            self.assertIn(f"{where / LOCK} is gone", err.getvalue())
            self.assertTrue(err.getvalue().endswith(f": go on with --dir {rescue}\n"))
            self.assertTrue((rescue / TABLE).is_file())

    def test_where_nothing_can_be_written_that_is_said(self) -> None:
        with self.begun() as (where, _, events):
            (where / LOCK).unlink()
            with (
                mock.patch(
                    "traffic_lights.training.old_run.write_table", side_effect=StorageError("full")
                ),
                self.assertRaisesRegex(GoneError, "could not be written elsewhere"),
            ):
                list(events)


class WitnessTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "file"
        self.path.write_bytes(b"a")

    @unittest.skipIf(os.name == "nt", "there what is open cannot be taken away")
    def test_a_name_that_leads_elsewhere_is_not_there(self) -> None:
        for take_away in (
            self.path.unlink,
            lambda: self.path.rename(self.folder / "moved"),
            lambda: write_atomically(self.path, [b"a"]),
        ):
            self.path.write_bytes(b"a")
            witness = Witness(self.path)
            self.addCleanup(witness.close)
            self.path.write_bytes(b"bb")
            self.assertTrue(witness.is_there())
            take_away()
            self.assertFalse(witness.is_there())

    def test_closing_twice_is_harmless(self) -> None:
        witness = Witness(self.path)
        witness.close()
        witness.close()
        self.path.unlink()
        if os.name != "nt":
            with self.assertRaises(StorageError):
                Witness(self.path)


@unittest.skipIf(os.name == "nt", "needs the descriptors of POSIX")
class FaultLayerTests(unittest.TestCase):
    """The layer that the tests of faults stand on tells the truth about a Mac and about links."""

    def test_a_full_sync_of_a_mac_counts_as_one(self) -> None:
        import fcntl

        with tiny():
            expected = [e.kind for e in undisturbed(SMALL)[2].effects]
            with (
                mock.patch.object(sys, "platform", "darwin"),
                mock.patch.object(fcntl, "F_FULLFSYNC", 51, create=True),
                mock.patch.object(fcntl, "fcntl", return_value=0),
            ):
                self.assertEqual([e.kind for e in undisturbed(SMALL)[2].effects], expected)
        self.assertIn("sync", expected)

    def test_a_link_is_neither_a_new_file_nor_the_file_that_it_names(self) -> None:
        top = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        link = top / "link"
        link.symlink_to(top / "outside")
        with Disk() as disk:
            for flags in (os.O_EXCL, os.O_NOFOLLOW):
                with self.assertRaises(OSError):
                    os.open(link, os.O_WRONLY | os.O_CREAT | flags)
            os.close(os.open(top / "new", os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        self.assertEqual(
            [(e.kind, e.paths) for e in disk.effects], [("create", (str(top / "new"),))]
        )


if __name__ == "__main__":
    unittest.main()
