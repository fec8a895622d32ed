"""The own tables as a list: what its buttons do."""

from __future__ import annotations

import shutil
import time
import unittest
from pathlib import Path
from unittest import mock

from tests.gui.test_training_window import buttons_in
from tests.kit.faults import held
from tests.kit.samples import PROJECT
from tests.kit.windows import WindowTestCase, wait_until
from traffic_lights.gui.dialogs import tables_dialog
from traffic_lights.gui.dialogs.name_dialog import NameDialog
from traffic_lights.gui.dialogs.tables_dialog import NONE_YET, TablesDialog, open_tables
from traffic_lights.gui.game.own_bots import register_tables
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.keeping.own_bots import own_key
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.storage import patience
from traffic_lights.storage.files import StorageError
from traffic_lights.training.notes import Facts
from traffic_lights.training.own_tables import OwnTable, OwnTables

REAL_SCORE = tables_dialog.exact_score


class TablesDialogTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.tables = OwnTables(self.app.desk.keeper.folder)
        self.trained: list[str] = []
        self.score = self.enterContext(
            mock.patch.object(tables_dialog, "exact_score", side_effect=lambda _: 0.25)
        )
        self.addCleanup(self.app.desk.dialogs.close_all)

    def open(self, *names: str) -> TablesDialog:
        for name in names:
            folder = self.tables.new_folder()
            table = QTable()
            table.set_value(0, 5, 1.0)
            write_table(folder / "qtable.json", table)
            self.tables.add(folder, name, Facts(games=1234, decided=1_200_000, origin="self-play"))
        register_tables(self.app.desk)
        dialog = open_tables(
            self.app.desk, self.app.root, self.trained.append, self.app.windows.evaluate
        )
        assert isinstance(dialog, TablesDialog)
        self.app.root.update()
        return dialog

    def offered(self) -> list[str]:
        return [opponent.label for opponent in self.app.desk.opponents.all()]

    def only_table(self) -> OwnTable:
        (table,) = self.tables.all()
        return table

    def test_a_file_that_another_program_holds_is_waited_for_with_a_word(self) -> None:
        dialog = self.open("One")
        refusals = iter([held()] * 9)
        rmtree = shutil.rmtree

        def refuse(folder: Path) -> None:
            for refusal in refusals:
                raise refusal
            rmtree(folder)

        with (
            mock.patch.object(self.app.desk, "warn") as warn,
            mock.patch.object(time, "sleep"),
            mock.patch.object(shutil, "rmtree", refuse),
            patience.heard(self.app.tell_at_once),
        ):
            dialog.delete(self.only_table())
        self.assertIn("waiting for another program", warn.call_args.args[0])
        self.assertEqual(self.tables.all(), [])

    def test_without_tables_it_says_so_and_greys_its_buttons(self) -> None:
        dialog = self.open()
        self.assertEqual(str(dialog.said.cget("text")), NONE_YET)
        self.assertTrue(all(b.instate(["disabled"]) for b in dialog.choices.values()))

    def test_a_row_tells_what_is_known(self) -> None:
        dialog = self.open("Mine")
        (row,) = dialog.list.get_children()
        self.wait(lambda: dialog.list.set(row, "score") == "25.00 %")
        told = dialog.list.set(row)
        self.assertRegex(str(told.pop("date")), r"^\d{4}-\d\d-\d\d$")
        del told["score"]
        self.assertEqual(
            told,
            {"name": "Mine", "games": "1,234", "decided": "52 %", "size": "1 KB",
             "origin": "self-play"},
        )  # fmt: skip

    def test_the_exact_score_is_computed_beside_the_window_and_kept(self) -> None:
        dialog = self.open("One", "Two")
        self.wait(lambda: [t.facts.score for t in self.tables.all()] == [0.25, 0.25])
        self.wait(lambda: not self.app.desk.jobs.outstanding)
        self.score.side_effect = StorageError("nothing can be read")
        dialog.fill()  # what is known is not computed again
        self.assertEqual(dialog.list.set("table-1", "score"), "25.00 %")
        self.assertEqual(self.app.desk.jobs.outstanding, 0)

    def test_a_table_that_allows_too_much_or_cannot_be_read_has_no_score(self) -> None:
        self.score.side_effect = [None, StorageError("it cannot be read")]
        dialog = self.open("One", "Two")
        self.wait(lambda: self.score.call_count == 2 and not self.app.desk.jobs.outstanding)
        self.assertEqual([dialog.list.set(f"table-{n}", "score") for n in (1, 2)], ["–", "–"])

    def test_the_complete_table_scores_what_the_judge_says(self) -> None:
        score = REAL_SCORE(PROJECT / "qtables" / "complete.json")
        assert score is not None
        self.assertTrue(0.5 < score < 1, score)

    def test_a_name_that_another_table_has_is_refused_in_the_question(self) -> None:
        dialog = self.open("One", "Two")
        dialog.choices["Rename…"].invoke()
        (question,) = (w for w in dialog.winfo_children() if isinstance(w, NameDialog))
        question.variable.set("one")
        buttons_in(question)["Rename"].invoke()
        self.assertIn("another table called", question.complaint.cget("text"))
        question.variable.set("Three")
        buttons_in(question)["Rename"].invoke()
        self.assertEqual([table.name for table in self.tables.all()], ["One", "Three"])

    def test_whatever_deletes_asks_and_return_keeps(self) -> None:
        dialog = self.open("Mine")
        write_table(self.only_table().folder / "qbot.json", QTable())
        dialog.fill()
        before = {path.name for path in self.only_table().folder.iterdir()}
        for words, answer in (("Keep Only What Plays…", "Keep Only What Plays"),
                              ("Delete…", "Delete")):  # fmt: skip
            dialog.choices[words].invoke()
            (question,) = (w for w in dialog.winfo_children() if isinstance(w, Dialog))
            self.assertIn(answer, buttons_in(question))
            default = next(iter(buttons_in(question).values()))
            self.assertEqual(default.cget("style"), "Accent.TButton")
            self.key("<Return>", widget=default)
            self.assertFalse(question.winfo_exists())
            self.assertEqual({path.name for path in self.only_table().folder.iterdir()}, before)

    def test_only_what_plays_is_kept_when_that_is_meant(self) -> None:
        dialog = self.open("Mine")
        self.assertTrue(dialog.choices["Keep Only What Plays…"].instate(["disabled"]))
        write_table(self.only_table().folder / "qbot.json", QTable())
        dialog.fill()
        self.key("<Return>", widget=dialog.choices["Keep Only What Plays…"])
        (question,) = (w for w in dialog.winfo_children() if isinstance(w, Dialog))
        buttons_in(question)["Keep Only What Plays"].invoke()
        self.app.root.update()
        names = {path.name for path in self.only_table().folder.iterdir()}
        self.assertEqual(names, {"qtable.json", "table.json", "qtable.lock"})
        self.assertIn("takes 1 KB now", dialog.said.cget("text"))
        self.assertTrue(dialog.choices["Keep Only What Plays…"].instate(["disabled"]))
        self.wait(lambda: self.app.root.focus_get() is dialog.list)

    def test_a_table_is_exported_in_the_background_or_it_is_said_why_not(self) -> None:
        dialog = self.open("Mine")
        path = self.app.desk.keeper.folder / "for a friend.json"
        dialog.export_to(self.only_table(), path)
        self.wait(lambda: "is in" in str(dialog.said.cget("text")))
        self.assertEqual(path.read_bytes(), self.only_table().path.read_bytes())
        dialog.export_to(self.only_table(), path.parent / "nowhere" / "at all.json")
        self.wait(lambda: "Not exported" in str(dialog.said.cget("text")))

    def test_play_starts_a_game_against_it(self) -> None:
        dialog = self.open("Mine")
        dialog.choices["Play"].invoke()
        self.assertFalse(dialog.winfo_exists())
        self.assertEqual(self.app.session.players[1].bot, own_key(self.only_table()))
        self.click(5)
        wait_until(self.app.root, lambda: len(self.app.session.game.actions) == 2)

    def test_a_double_click_plays_against_the_table_under_it_and_against_none_above(self) -> None:
        dialog = self.open("One")
        x, y, _, height = map(int, dialog.list.bbox(self.only_table().key))
        for place, plays in ((y // 2, False), (y + height // 2, True)):
            for event in ("<Button-1>", "<ButtonRelease-1>", "<Button-1>"):
                dialog.list.event_generate(event, x=x + 40, y=place)
            self.app.root.update()
            self.assertEqual(self.app.session.players[1].name == "One", plays)

    def test_train_further_names_the_table(self) -> None:
        dialog = self.open("One", "Two")
        dialog.list.selection_set("table-1")
        dialog.choices["Train Further…"].invoke()
        self.assertEqual(self.trained, ["table-1"])

    def test_rename_and_delete_reach_the_list_of_opponents(self) -> None:
        dialog = self.open("Mine")
        dialog.rename(self.only_table(), "Better")
        self.assertIn("Better", self.offered())
        self.assertNotIn("Mine", self.offered())
        dialog.delete(self.only_table())
        self.assertNotIn("Better", self.offered())
        self.assertEqual(dialog.list.get_children(), ())

    def test_import_says_what_came_in_or_why_not(self) -> None:
        dialog = self.open()
        path = self.app.desk.keeper.folder / "other.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("no table at all")
        dialog.import_path(path)
        self.wait(lambda: str(dialog.said.cget("text")).startswith("Not imported:"))
        self.assertIn("other.json", str(dialog.said.cget("text")))
        path.write_text('{"0000/0000/0000|1": {"0,0": -0.25}}')
        dialog.import_path(path)
        self.wait(lambda: "was imported" in str(dialog.said.cget("text")))
        self.assertIn("other", self.offered())


if __name__ == "__main__":
    unittest.main()
