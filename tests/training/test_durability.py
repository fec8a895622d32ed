"""Nothing is ever lost: training that dies, starves and loses its power, and ends as if it had not.

The normal run takes few samples, and ``TRAFFIC_LIGHTS_SLOW=1`` many.
"""

import os
import random
import re
import signal
import stat
import subprocess
import time
import unittest
from contextlib import suppress
from itertools import chain, cycle, product
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit import runs
from tests.kit.disk import DEATHS, ERRORS, Disk
from tests.kit.samples import IS_SLOW_RUN, PATIENCE_S, FolderTestCase, slow, start_python
from traffic_lights.storage import files as storage
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.training.folder import CHECKPOINT, LOG, TABLE

COMMANDS = (
    "--opponent random --games 6000",
    "--seed 2",
    "--opponent random --games 4000 --update monte-carlo --gamma 0.9",
    "--opponent alternate --games 6000 --update last-action",
    "--opponent self --games 6000 --update q-learning --gamma 0.9",
    "--opponent myopic --games 6000 --explore least-visited",
    "--opponent self --games 9000",
    "--opponent myopic --games 8000 --alpha 0.5 --epsilon-decay 0.999",
    "--opponent alternate --games 5000 --update q-learning --epsilon-end 0.05",
)
"""Both plans and every update rule, in runs of a second or two; the plan *reverse* takes ten."""


class DurabilityTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.enterClassContext(runs.tiny())


class EffectTests(DurabilityTestCase):
    def test_whatever_fails_at_any_effect_nothing_is_lost_or_different(self) -> None:
        tried = stopped = 0
        problems: list[str] = []
        for number, script in enumerate(runs.SCRIPTS):
            effects = runs.undisturbed(script)[1].count
            pairs = list(product(range(effects), (*DEATHS, *ERRORS)))
            step = 101 if IS_SLOW_RUN else 397 if script is runs.CHAIN else 1201
            at_end = range(effects - 16 + number % 4, effects, 1 if IS_SLOW_RUN else 4)
            for at, failure in (*pairs[37 * number % step :: step], *product(at_end, ["die"])):
                told = runs.Told()
                with runs.folder() as where:
                    runs.play_on(Disk(at, failure), where, script, told)
                    runs.finish(where, script, told)
                # A death damages no file.
                noted = told.notes if failure in DEATHS else []
                problems += [f"{failure} at effect {at}: {one}" for one in told.problems + noted]
                if failure in ERRORS:
                    stopped += len(told.sentences)
                    tried += 1
        self.assertEqual(problems, [])
        self.assertGreater(stopped, tried // 3, "most errors of the system stop a run")


@slow
@unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs processes that can be killed")
class KilledCommandTests(FolderTestCase):
    def start(self, where: Path, options: str) -> Any:
        words = "-m", "traffic_lights.train", "--dir", str(where), *options.split()
        return start_python(*words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def test_the_command_killed_at_random_moments_ends_as_if_it_had_not_been(self) -> None:
        known: list[tuple[str, dict[str, str], float]] = []
        for options in COMMANDS:
            where, started_s = self.folder / str(len(known)), time.monotonic()
            said = self.start(where, options).communicate(timeout=PATIENCE_S)[1]
            expected = runs.digest(where)
            self.assertTrue(expected, said)
            known.append((options, expected, time.monotonic() - started_s))
        kills, rng = 0, random.Random(7)
        for number, (options, expected, seconds) in enumerate(cycle(known)):
            where, limit_s = self.folder / f"killed-{number}", seconds
            while runs.digest(where) != expected:
                saved = 0
                with suppress(StorageError):  # there is no checkpoint yet
                    saved = read_json(where / CHECKPOINT)["meta"]["games"]
                # A run that has begun also continues without its settings.
                process = self.start(where, "" if saved and rng.random() < 0.5 else options)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(rng.uniform(0, limit_s))
                process.kill()
                said = process.communicate(timeout=PATIENCE_S)[1]
                if resumed := re.search(r"resuming .+ after ([\d,]+) games?", said):
                    began = int(resumed[1].replace(",", ""))
                    self.assertGreaterEqual(began, saved, f"{options}: {said}")
                if process.returncode == -signal.SIGKILL:
                    kills += 1
                    limit_s *= 1.1  # so one comes after the first save on a slow machine too
                else:
                    self.assertEqual(process.returncode, 0, f"{options}: {said}")
                    self.assertEqual(runs.digest(where), expected, f"{options}: {said}")
            if kills >= 20:
                break


class PowerCutTests(DurabilityTestCase):
    def test_whatever_a_power_cut_leaves_the_run_goes_on_from_what_was_saved(self) -> None:
        scripts = runs.SCRIPTS if IS_SLOW_RUN else (runs.CHAIN, runs.AFRESH, runs.PUT_AWAY)
        tried = 0
        problems: list[str] = []
        for script in scripts:
            disk = runs.undisturbed(script)[1]
            for found in runs.after_power_cuts(script, disk, 19 if IS_SLOW_RUN else 229):
                tried += 1
                problems += found
        self.assertEqual(problems, [])
        self.assertGreater(tried, len(scripts))

    def test_dying_again_while_recovering_changes_nothing(self) -> None:
        script = runs.CHAIN[:2]
        effects = runs.undisturbed(script)[1].count
        rng = random.Random(7)
        for _ in range(40 if IS_SLOW_RUN else 4):
            told = runs.Told()
            with runs.folder() as where:
                for _ in range(6):
                    disk = Disk(rng.randrange(effects // 2), rng.choice(DEATHS))
                    runs.play_on(disk, where, script, told)
                runs.finish(where, script, told)
            self.assertEqual(told.problems, [])


@slow
class MutantTests(DurabilityTestCase):
    """Each mistake of the protocol, made on purpose, is noticed by the tests above."""

    def test_bytes_or_names_that_are_not_synced_are_noticed(self) -> None:
        whole = storage.sync

        def only_folders(descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                whole(descriptor)

        for module, name, mutant, words in (
            (storage, "sync", only_folders, ""),
            (storage, "sync_folder", mock.Mock(), "lost"),
        ):
            with self.subTest(name=name), mock.patch.object(module, name, mutant):
                # A run of its own: the one that all others share was made without the mistake.
                _, disk = runs.undisturbed.__wrapped__(runs.SMALL)
                found = chain.from_iterable(runs.after_power_cuts(runs.SMALL, disk))
                self.assertTrue(any(words in problem for problem in found))


class DamagedFileTests(DurabilityTestCase):
    def setUp(self) -> None:
        self.small = runs.left_behind(runs.SMALL, lambda training: training.games > runs.BATCH)
        self.practice = runs.left_behind(
            runs.REVERSE, lambda training: training.run.progress.practice_games > 0, has_table=True
        )

    def recovered(self, script: runs.Script, changes: dict[str, bytes]) -> runs.Told:
        """Return what comes of *script* if *changes* were made; a file without bytes is none."""
        left = {**(self.small if script is runs.SMALL else self.practice), **changes}
        files = {name: data for name, data in left.items() if data}
        return runs.recovered(script, files, runs.Told())

    def test_what_is_missing_or_replaced_is_repaired_except_for_a_table(self) -> None:
        is_gone = f"{CHECKPOINT} is missing; .* kept as {LOG}.bak, .* from game "
        other = runs.left_behind(runs.REVERSE, lambda _: True, has_table=True)[TABLE]
        log = self.small[LOG]
        cases: tuple[tuple[runs.Script, dict[str, bytes], str], ...] = (
            (runs.SMALL, {LOG: log + b'{"s":"0000'}, "^$"),
            (runs.SMALL, {LOG: log + log}, "^$"),
            (runs.SMALL, {CHECKPOINT: b""}, is_gone),
            (runs.SMALL, {CHECKPOINT: b"", LOG: b""}, "^$"),
            (runs.REVERSE, {CHECKPOINT: b""}, is_gone),
            (runs.REVERSE, {CHECKPOINT: b"", LOG: b""}, "^$"),
            (runs.REVERSE, {LOG: b""}, f"{LOG} "),
            (runs.REVERSE, {TABLE: other}, "continues another table than"),
        )
        for script, changes, words in cases:
            told = self.recovered(script, changes)
            with self.subTest(script=script, files=[*changes]):
                self.assertEqual(told.problems, [])
                self.assertRegex("".join(told.notes), words)
        for table, words in ((b"", "is missing; put it back"), (b"{}", "not a readable Q-table")):
            refused = self.recovered(runs.REVERSE, {TABLE: table}).problems[0]
            self.assertRegex(refused, f"^refused: .*{TABLE} (is )?{words}")

    def test_no_flipped_bit_leads_to_another_end(self) -> None:
        self.assertGreater(self.practice[LOG].count(b'"c":0.'), 20)
        for script, left, name, step in (
            (runs.SMALL, self.small, LOG, 1997),
            (runs.REVERSE, self.practice, LOG, 5597),
            (runs.REVERSE, self.practice, CHECKPOINT, 997),
        ):
            for bit in range(0, 8 * len(left[name]), step // 20 if IS_SLOW_RUN else step):
                told = self.recovered(script, {name: runs.flipped(left[name], bit)})
                found = told.problems, bool(told.notes)
                self.assertEqual(found, ([], True), f"{name}, bit {bit}")
