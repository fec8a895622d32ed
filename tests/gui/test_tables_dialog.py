"""The own tables as a list: what its buttons do."""

from __future__ import annotations

import unittest

from tests.kit.windows import WindowTestCase, wait_until
from traffic_lights.gui.dialogs.tables_dialog import NONE_YET, TablesDialog, open_tables
from traffic_lights.gui.game.own_bots import register_tables
from traffic_lights.keeping.own_bots import own_key
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.training.own_tables import Facts, OwnTable, OwnTables


class TablesDialogTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.tables = OwnTables(self.app.desk.keeper.folder)
        self.trained: list[str] = []
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

    def test_without_tables_it_says_so_and_greys_its_buttons(self) -> None:
        dialog = self.open()
        self.assertEqual(str(dialog.said.cget("text")), NONE_YET)
        self.assertTrue(all(b.instate(["disabled"]) for b in dialog.choices.values()))

    def test_a_row_tells_what_is_known(self) -> None:
        dialog = self.open("Mine")
        (row,) = dialog.list.get_children()
        self.assertEqual(
            list(dialog.list.item(row)["values"]), ["Mine", "1,234", "52 %", "self-play"]
        )

    def test_play_starts_a_game_against_it(self) -> None:
        dialog = self.open("Mine")
        dialog.choices["Play"].invoke()
        self.assertFalse(dialog.winfo_exists())
        self.assertEqual(self.app.session.players[1].bot, own_key(self.only_table()))
        self.click(5)
        wait_until(self.app.root, lambda: self.app.session.game.present == 2)

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
