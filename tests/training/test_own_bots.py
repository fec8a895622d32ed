"""The user's own bots as folders: made, renamed and deleted."""

import json
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import BATCH, tiny, train_in
from tests.kit.samples import FolderTestCase
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.storage.files import LockedError, StorageError, lock_file
from traffic_lights.storage.words import LONGEST_NAME
from traffic_lights.training import own_bots, store
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.folder import LOCK, NOTE, table_in
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import Bots, OwnBot
from traffic_lights.training.run import Training

WANTED: dict[str, Any] = {"plan": "myopic", "games": 5 * BATCH, "seed": 4}


class BotTests(FolderTestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.bots = Bots(self.folder)

    def test_a_bot_is_made_trained_renamed_and_deleted(self) -> None:
        bot = self.bots.create("  My   bot ")
        untrained = "it has no table yet; train it"
        self.assertEqual(bot, OwnBot("bot:My bot", "My bot", bot.folder, problem=untrained))
        for compact_from, problem in ((1 << 30, "continue its training first"), (0, "")):
            compacts = mock.patch.object(store, "COMPACT_FROM", compact_from)
            with compacts, Training(bot.folder, WANTED) as training:
                list(training.play(lambda: True))  # and it is killed then
                games = training.games
            begun = replace(bot, games=games, is_training=True, problem=problem)
            self.assertEqual(self.bots.all(), [begun])
        train_in(bot.folder, WANTED)
        for point, score in (
            (Measured(9, "random", 1.0, 1.0, 0), None),
            (Measured(9, "myopic", 0.25, 0.75, 3), 0.5),
        ):
            write_curve(bot.folder, [point])
            trained = replace(bot, games=5 * BATCH, score=score, problem="")
            self.assertEqual(self.bots.all(), [trained])
        self.assertEqual(table_in(bot.folder).name, "qbot.json")
        other = self.bots.create("Two")
        renamed = self.bots.rename(trained, "my bot")
        self.assertEqual((renamed.key, renamed.games), ("bot:my bot", 5 * BATCH))
        self.assertRaisesRegex(StorageError, "another bot", self.bots.rename, renamed, "two")
        with lock_file(renamed.folder / LOCK):
            self.assertRaises(LockedError, self.bots.delete, renamed)
            self.assertRaises(LockedError, self.bots.rename, renamed, "x")
        self.bots.delete(other)
        self.assertEqual(self.bots.all(), [renamed])

    def test_the_folder_of_the_command_is_a_bot_as_soon_as_it_holds_one(self) -> None:
        folder = self.folder / "qtables"
        bots = Bots(self.folder, folder)
        self.assertEqual(bots.all(), [])
        train_in(folder, WANTED)
        (folder / "complete.json").write_text("{}")
        (bot,) = bots.all()
        self.assertEqual((bot.name, bot.games), ("Your QBot", 5 * BATCH))
        self.assertRaisesRegex(StorageError, "keeps its name", bots.rename, bot, "Other")
        bots.delete(bot)
        self.assertEqual([path.name for path in folder.iterdir()], ["complete.json"])
        self.assertEqual(bots.all(), [])

    def test_names_are_folders_on_every_system(self) -> None:
        for name in ("Ärger über 50 %", "Conrad", "com10", "nullify", "x" * LONGEST_NAME):
            self.bots.create(name)
        for words, wrong in (
            ("use 1 to", (" ", "a/b", "a\\b", "a:b", ".x", "x.", "x" * 41, "a\0b", "?",
                          "CON", "con.txt", "nul", "Aux .b", "COM1", "lpt9", "conin$")),
            ("another bot", ("ärger über 50 %", "A\u0308rger über 50 %")),
        ):  # fmt: skip
            for name in wrong:
                with self.subTest(name=name), self.assertRaisesRegex(StorageError, words):
                    self.bots.create(name)
        for wanted, free in (
            ("ärger über 50 %", "ärger über 50 % 2"),
            ("x" * LONGEST_NAME + "y", "x" * (LONGEST_NAME - 4) + " 2"),
            ("x" * LONGEST_NAME + "y", "x" * (LONGEST_NAME - 4) + " 3"),
        ):
            self.assertEqual(self.bots.free_name(wanted), free)
            self.bots.create(free)
        self.assertEqual(self.bots.free_name(), "My QBot")

    def test_a_table_is_imported_and_exported_and_a_failure_leaves_nothing(self) -> None:
        source, copy = self.folder / "table.json", self.folder / "copy.json"
        table = RowTable()
        table.set_value(0, 3, -1.0)
        table.meta = {"games": 7}
        write_table(source, table)
        bot = self.bots.import_table(source, "Imported")
        self.assertEqual((bot.games, bot.about, bot.problem), (7, "imported from table.json", ""))
        self.bots.export(bot, copy)
        self.assertEqual(copy.read_bytes(), source.read_bytes())
        full = mock.patch.object(own_bots, "write_table", side_effect=StorageError("full"))
        with full, self.assertRaises(StorageError):
            self.bots.import_table(source, "Two")
        self.assertEqual([path.name for path in self.bots.folder.iterdir()], ["Imported"])

    def test_the_note_of_another_version_is_read_and_a_damaged_one_is_said_and_kept(self) -> None:
        folder = self.bots.create("One").folder
        point = Measured(2000, "myopic", 0.0, 0.47, 3, 200, 0.2, 0.4)
        of_1_4 = {"points": [[*astuple(point)[:8], 0.9, 0.5]], "solved": [], "about": ""}
        (folder / NOTE).write_text(json.dumps(of_1_4))
        self.assertEqual(read_note(folder).points, (point,))
        (folder / NOTE).write_text("{")
        self.assertIn("bot.json is damaged", self.bots.all()[0].about)
        write_curve(folder, [point])
        self.assertEqual((self.bots.all()[0].score, self.bots.all()[0].about), (point.score, ""))
        self.assertEqual((folder / f"{NOTE}.bak").read_text(), "{")

    def test_a_folder_that_cannot_be_read_does_not_hide_the_others(self) -> None:
        for name in ("One", "Two"):
            self.bots.create(name)
        look = Path.stat

        def stat(path: Path, **options: Any) -> Any:
            # The user who runs this may be one who can read every folder.
            if path.parent.name == "Two":
                raise PermissionError(13, "denied")
            return look(path, **options)

        with mock.patch.object(Path, "stat", stat):
            one, two = self.bots.all()
        self.assertEqual(one.problem, "it has no table yet; train it")
        self.assertRegex(two.problem, "^cannot read .+Two: permission denied$")
