"""What the training window knows of tables that are kept: their names, and how they came to be."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

from tests.gui.test_training_window import SHORT, TrainingWindowTestCase
from traffic_lights.gui.game.own_bots import register_table
from traffic_lights.gui.training.chart_files import picture, save_charts
from traffic_lights.gui.training.kept import kept_run
from traffic_lights.gui.training.model import RunModel, RunPhase
from traffic_lights.pictures.charts import PLIES
from traffic_lights.pictures.drawing import Box
from traffic_lights.training.curves import write_curves
from traffic_lights.training.notes import Facts
from traffic_lights.training.own_tables import OwnTable
from traffic_lights.training.paths import CHECKPOINT


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


class CurveTests(KeptTestCase):
    def lay_over(self, name: str) -> None:
        compare = self.window.picture_bar.compare
        compare.current(list(compare.cget("values")).index(name))
        compare.event_generate("<<ComboboxSelected>>")
        self.app.root.update()

    def scores(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Return the score against Myopic of the run that is shown, and of the one laid over."""
        chart = self.window.view.charts[0].chart
        shown = {series.name: series.points for series in chart.series}
        return shown["Myopic"], {s.name: s.points for s in chart.others}.get("Myopic", [])

    def test_a_kept_run_is_shown_alone_and_with_another_laid_over(self) -> None:
        first, _ = self.keep("First bot", 50), self.keep("Second bot", 80)
        window = self.window
        window.form.choose_table(first.key)
        self.assertEqual(self.scores(), ([(50.0, 0.25)], []))
        self.assertIn("First bot", str(window.view.title.cget("text")))
        self.assertNotIn("First bot", window.picture_bar.compare.cget("values"))
        self.assertTrue(window.picture_bar.save.instate(["!disabled"]))
        self.lay_over("Second bot")
        self.assertEqual(self.scores(), ([(50.0, 0.25)], [(80.0, 0.25)]))
        window.form.widgets["start"].current(0)  # type: ignore[union-attr]
        window.form.check()
        self.assertEqual(self.scores(), ([], [(80.0, 0.25)]))
        self.assertTrue(window.picture_bar.save.instate(["disabled"]))

    def test_a_saved_picture_of_a_kept_run_shows_no_vessels(self) -> None:
        runs = {"kept": kept_run(self.keep("First bot", 50)), "run": RunModel()}
        heights = {}
        for name, run in runs.items():
            shapes = picture(run, run.charts())
            vessels = [s for s in shapes if isinstance(s, Box) and s.role == "vessel"]
            self.assertEqual(len(vessels), 0 if name == "kept" else PLIES)
            path = self.app.desk.keeper.folder / f"{name}.svg"
            save_charts(path, run, self.app.desk.theme, run.charts())
            heights[name] = int(ElementTree.parse(path).getroot().attrib["height"])
        self.assertLess(heights["kept"], heights["run"])

    def test_a_kept_run_that_was_stopped_is_shown_as_far_as_it_came(self) -> None:
        self.begin(programme="alternate", games="10,000,000")
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        kept = self.control.kept
        self.window.form.choose_table(kept.key)
        games, view = kept.facts.games, self.window.view
        shown = str(view.numbers.cget("text"))
        self.assertIn(f"{games:,} of 10,000,000 games against Alternate", shown)
        self.assertAlmostEqual(float(view.bar.cget("value")), games / 10_000, places=6)

    def test_a_checkpoint_that_says_nonsense_hides_no_kept_run(self) -> None:
        table = replace(self.keep("Odd", 3000), facts=Facts(games=3000, is_finished=False))
        for nonsense in ("", "[]", '{"games": "many"}', '{"games": 1, "settings": 5}'):
            (table.folder / CHECKPOINT).write_text(nonsense, "ascii")
            self.assertIn("unfinished", kept_run(table).note)

    def test_a_kept_run_that_was_finished_is_shown_as_a_whole(self) -> None:
        self.window.form.choose_table(self.keep("First bot", 50).key)
        self.assertEqual(float(self.window.view.bar.cget("value")), 1000.0)

    def test_the_pictures_of_a_run_at_work_can_be_saved(self) -> None:
        save = self.window.picture_bar.save
        self.assertTrue(save.instate(["disabled"]))
        self.begin()
        self.wait(lambda: save.instate(["!disabled"]))

    def test_a_run_can_be_compared_at_once_with_the_one_kept_before(self) -> None:
        self.begin(**SHORT)
        self.wait_for(RunPhase.FINISHED)
        self.window.form.variables["name"].set("Second bot")
        self.begin()
        self.assertIn("My QBot", self.window.picture_bar.compare.cget("values"))

    def test_a_run_that_begins_takes_the_place_of_the_one_looked_at(self) -> None:
        self.begin(**SHORT)
        self.wait_for(RunPhase.FINISHED)
        kept = self.control.kept
        self.window.form.choose_table(kept.key)
        self.assertEqual(self.scores()[0][-1][0], 3000.0)
        self.begin(programme="random", games="2,000")
        self.assertIs(self.window.view.model, self.control.model)
        self.wait_for(RunPhase.FINISHED)
        self.assertIs(self.window.view.model, self.control.model)
        self.assertTrue(self.window.view.filling.winfo_manager())


class DraftTests(KeptTestCase):
    def test_what_was_typed_is_there_when_the_window_is_opened_again(self) -> None:
        base = self.keep("First bot", 50)
        self.fill(programme="alternate", games="1,234", update="bootstrap")
        self.window.form.variables["name"].set("Mine")
        self.window.form.show_more(True)
        self.key("<Escape>", widget=self.window.run_buttons["Start"])
        self.assertFalse(self.window.winfo_exists())
        form = self.reopen().form
        texts = form.texts()
        self.assertEqual(
            (texts["programme"], texts["games"], texts["update"]),
            ("alternate", "1,234", "bootstrap"),
        )
        self.assertEqual((form.name, form.is_wide, form.base), ("Mine", True, None))
        form.choose_table(base.key)
        self.window.close()
        self.assertEqual(self.reopen().form.base, base)
        self.window.close()
        self.control.tables.delete(base.key)
        self.assertEqual(self.reopen().form.base, None)

    def test_a_name_that_was_taken_meanwhile_is_not_offered_again(self) -> None:
        self.window.form.variables["name"].set("Mine")
        self.window.close()
        self.keep("Mine", 50)
        form = self.reopen().form
        self.assertNotEqual(form.name, "Mine")
        self.assertTrue(form.check())


if __name__ == "__main__":
    unittest.main()
