"""What the training window knows of tables that are kept: their names, and how they came to be."""

from __future__ import annotations

import unittest

from tests.gui.test_training_window import SHORT, TrainingWindowTestCase
from traffic_lights.gui.game.own_bots import register_table
from traffic_lights.gui.training.model import RunPhase
from traffic_lights.training.curves import write_curves
from traffic_lights.training.own_tables import Facts, OwnTable


class KeptTestCase(TrainingWindowTestCase):
    def keep(self, name: str, games: float) -> OwnTable:
        """Return a table of that *name* whose run had *games*."""
        tables = self.control.tables
        folder = tables.new_folder()
        (folder / "qtable.json").write_text("not read here")
        write_curves(folder, {"decided": [(0.0, 0.0), (games, 0.5)], "Myopic": [(games, 0.25)]})
        table: OwnTable = tables.add(folder, name, Facts(games=int(games), is_finished=True))
        register_table(self.app.desk, table)
        return table


class NameTests(KeptTestCase):
    def test_a_table_that_is_renamed_has_its_new_name_everywhere(self) -> None:
        self.begin(**SHORT)
        self.wait_for(RunPhase.FINISHED)
        kept, other = self.control.kept, self.keep("Other", 50)
        window, compare = self.window, self.window.picture_bar.compare
        window.form.choose_table(kept.key)
        compare.current(1)
        compare.event_generate("<<ComboboxSelected>>")
        self.app.root.update()
        self.assertEqual(window.view.charts[0].chart.other_name, "Other")
        for table, name in ((kept, "Newer"), (other, "Another")):
            self.control.tables.rename(table.key, name)
            register_table(self.app.desk, self.control.tables.get(table.key))
        self.assertIn("Kept as “Newer”", self.said)
        self.assertEqual(window.form.widgets["start"].get(), "Newer")
        self.assertEqual(window.form.name, "Newer")
        self.assertEqual(compare.get(), "Another")
        self.assertEqual(window.view.charts[0].chart.other_name, "Another")


if __name__ == "__main__":
    unittest.main()
