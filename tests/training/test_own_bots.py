"""The user's own bots as folders: made, renamed and deleted."""

import errno
import json
import os
from dataclasses import astuple
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import BATCH, tiny, train_in
from tests.kit.samples import FolderTestCase
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.storage.files import StorageError, lock_file
from traffic_lights.storage.words import LONGEST_NAME
from traffic_lights.training import own_bots as bots_module
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.folder import NOTE, table_in
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import Bots, OwnBot
from traffic_lights.training.run import Training

WANTED: dict[str, Any] = {"plan": "myopic", "games": 5 * BATCH, "seed": 4}


class BotTests(FolderTestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.bots = Bots(self.folder)

    def train(self, bot: OwnBot, batches: int = 10**6) -> OwnBot:
        """Train *bot*, for so many batches at most, and return how it is listed then."""
        with Training(bot.folder, WANTED) as training:
            moments = training.play(lambda: training.games >= BATCH * batches)
            *_, last = moments
            if not training.run.is_finished:
                training.compact()
            write_curve(bot.folder, [Measured(last.games, "myopic", 0.25, 0.75, 3)])
        return self.found(bot.key)

    def found(self, key: str) -> OwnBot:
        (bot,) = (bot for bot in self.bots.all() if bot.key == key)
        return bot

    def test_a_bot_is_made_trained_and_listed(self) -> None:
        bot = self.bots.create("  My   bot ")
        self.assertEqual(
            (bot.key, bot.name, bot.games, bot.score), ("bot:My bot", "My bot", 0, None)
        )
        self.assertIn("no table", bot.problem)
        begun = self.train(bot, 2)
        self.assertEqual((begun.games, begun.is_training, begun.problem), (2 * BATCH, True, ""))
        trained = self.train(bot)
        self.assertEqual((trained.games, trained.is_training), (5 * BATCH, False))
        self.assertEqual(trained.score, 0.5)
        self.assertEqual(table_in(trained.folder).name, "qbot.json")
        self.assertEqual(Bots(self.folder).all(), [trained])
        write_curve(bot.folder, [Measured(9, "random", 1.0, 1.0, 0)])
        self.assertIsNone(self.bots.all()[0].score, "it has not met Myopic")

    def test_the_folder_of_the_command_is_a_bot_as_soon_as_it_holds_one(self) -> None:
        folder = self.folder / "qtables"
        bots = Bots(self.folder, folder)
        self.assertEqual(bots.all(), [])
        train_in(folder, WANTED)
        (folder / "complete.json").write_text("{}")
        (bot,) = bots.all()
        self.assertEqual((bot.name, bot.games), ("Your QBot", 5 * BATCH))
        other = bots.create("One")
        with self.assertRaisesRegex(StorageError, "keeps its name"):
            bots.rename(bot, "Other")
        bots.delete(other)
        bots.delete(bot)
        self.assertEqual([path.name for path in folder.iterdir()], ["complete.json"])
        self.assertEqual(bots.all(), [])

    def test_names_are_folders_on_every_system(self) -> None:
        for name in (" ", "a/b", "a\\b", "a:b", ".x", "x.", "x" * 41, "a\0b", "?",
                     "CON", "con.txt", "nul", "Aux .b", "COM1", "lpt9", "conin$"):  # fmt: skip
            with self.subTest(name=name), self.assertRaisesRegex(StorageError, "name"):
                self.bots.create(name)
        for name in ("Ärger über 50 %", "Conrad", "com10", "nullify"):
            self.bots.create(name)
        for name in ("ärger über 50 %", "A\u0308rger über 50 %"):
            with self.subTest(name=name), self.assertRaisesRegex(StorageError, "another bot"):
                self.bots.create(name)
        self.assertEqual(self.bots.free_name("ärger über 50 %"), "ärger über 50 % 2")
        longest = "x" * LONGEST_NAME
        for expected in (longest, "x" * (LONGEST_NAME - 4) + " 2", "x" * (LONGEST_NAME - 4) + " 3"):
            self.assertEqual(self.bots.free_name(longest + "y"), expected)
            self.bots.create(expected)
        self.assertEqual(self.bots.create(self.bots.free_name()).name, "My QBot")

    def test_a_bot_is_renamed_and_deleted_unless_it_is_in_training_now(self) -> None:
        first, other = self.train(self.bots.create("One")), self.bots.create("Two")
        renamed = self.bots.rename(first, "one")
        self.assertEqual((renamed.key, renamed.games), ("bot:one", first.games))
        with self.assertRaisesRegex(StorageError, "another bot"):
            self.bots.rename(renamed, "two")
        self.bots.delete(other)
        with lock_file(renamed.folder / "qtable.lock"):
            for act in (lambda: self.bots.delete(renamed), lambda: self.bots.rename(renamed, "x")):
                self.assertRaisesRegex(StorageError, "in training already", act)
        self.assertEqual([bot.key for bot in self.bots.all()], ["bot:one"])

    def test_a_table_is_imported_and_exported_and_a_failure_leaves_nothing(self) -> None:
        source = self.folder / "table.json"
        table = RowTable()
        table.set_value(0, 3, -1.0)
        table.meta = {"games": 7}
        write_table(source, table)
        bot = self.bots.import_table(source, "Imported")
        self.assertEqual((bot.games, bot.about, bot.problem), (7, "imported from table.json", ""))
        self.bots.export(bot, self.folder / "copy.json")
        self.assertEqual((self.folder / "copy.json").read_bytes(), source.read_bytes())
        full = mock.patch.object(bots_module, "write_table", side_effect=StorageError("full"))
        with full, self.assertRaises(StorageError):
            self.bots.import_table(source, "Two")
        source.write_text("{}")
        with self.assertRaises(StorageError):
            self.bots.import_table(source, "Broken")
        self.assertEqual([path.name for path in self.bots.folder.iterdir()], ["Imported"])

    def test_a_damaged_note_is_said_and_kept_when_the_next_one_is_written(self) -> None:
        bot = self.bots.create("One")
        (bot.folder / NOTE).write_text("{")
        self.assertIn("bot.json is damaged", self.found(bot.key).about)
        write_curve(bot.folder, [Measured(9, "myopic", 1.0, 1.0, 0)])
        found = self.found(bot.key)
        self.assertEqual((found.score, found.about), (1.0, ""))
        self.assertEqual((bot.folder / f"{NOTE}.bak").read_text(), "{")

    def test_a_folder_that_cannot_be_read_does_not_hide_the_others(self) -> None:
        for name in ("One", "Two"):
            self.bots.create(name)
        look = Path.stat

        def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
            # The user who runs this may be one who can read every folder.
            if path.parent.name == "Two":
                raise PermissionError(errno.EACCES, "denied")
            return look(path, follow_symlinks=follow_symlinks)

        with mock.patch.object(Path, "stat", stat):
            one, two = self.bots.all()
        self.assertEqual((one.name, one.problem), ("One", "it has no table yet; train it"))
        self.assertRegex(two.problem, "^cannot read .+Two: permission denied$")

    def test_the_curve_of_a_bot_of_version_1_4_is_read(self) -> None:
        bot = self.bots.create("One")
        point = Measured(2000, "myopic", 0.0, 0.47, 3, 200, 0.2, 0.4)
        plain = {"points": [[*astuple(point)[:8], 0.9, 0.5]], "solved": [], "about": ""}
        (bot.folder / NOTE).write_text(json.dumps(plain), encoding="utf-8")
        self.assertEqual(read_note(bot.folder).points, (point,))

    def test_a_bot_whose_training_was_killed_says_what_to_do(self) -> None:
        self.enterContext(mock.patch("traffic_lights.training.store.COMPACT_FROM", 1 << 30))
        bot = self.bots.create("One")
        with Training(bot.folder, WANTED) as training:
            list(training.play(lambda: True))
        left = self.found(bot.key)
        self.assertEqual((left.games, left.is_training), (BATCH, True))
        self.assertEqual(left.problem, "continue its training first")
