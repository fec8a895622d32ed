"""The layouts of the old training and evaluation windows, until these are gone."""

from __future__ import annotations

import time
import tkinter as tk
import unittest
from collections.abc import Callable, Iterator, Mapping, Sequence

from tests.kit.eye import faults
from tests.kit.windows import WindowTestCase, forget_run
from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.dialogs.tables_dialog import open_tables
from traffic_lights.gui.training.form_model import RECOMMENDED
from traffic_lights.gui.training.window import TrainingWindow
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.training.notes import Facts
from traffic_lights.training.own_tables import OwnTables
from traffic_lights.training.settings import RunSettings
from traffic_lights.workers.training import Began, Failed, Trouble

LONG_NAME = "Wanda, who learned from Myopic for a year"[:40]
SIZES = ((420, 300), (680, 520), (900, 640), (1280, 800), (1920, 1080))
SIGHTS = ((-3, 1.0), (0, 1.0), (6, 1.0), (0, 2.0), (6, 2.0))
"""Steps of zoom, 75 to 177 %, and the resolution of the screen in steps of 96 dpi."""
PATIENCE_S = 3.0
MOVES = "1. b2 b2 2. a3"
WON = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"


class LayoutTestCase(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        forget_run(self.app)
        self.addCleanup(self.see, 0, 1.0)
        self.addCleanup(forget_run, self.app)

    def see(self, zoom: int, scale: float) -> None:
        """Show everything in *zoom* steps on a screen of *scale* times 96 dpi."""
        self.app.desk.theme._screen_scale = scale
        self.app.desk.keeper.change(zoom=zoom)
        self.app.appearance.take_settings()
        self.app.root.update()

    def resize(self, window: tk.Toplevel | tk.Tk, width: int, height: int) -> None:
        """Give *window* this size, as far as the screen and the window allow it."""
        least = window.wm_minsize()
        size = max(width, least[0]), max(height, least[1])
        window.wm_geometry(f"{size[0]}x{size[1]}")
        until = time.monotonic() + PATIENCE_S
        while (window.winfo_width(), window.winfo_height()) != size and time.monotonic() < until:
            self.app.root.update()
        self.app.root.update()

    def look(
        self,
        window: tk.Toplevel | tk.Tk,
        states: Mapping[str, Callable[[], object]],
        sizes: Sequence[tuple[int, int]] = SIZES,
        **sight: object,
    ) -> None:
        """Look at *window* in all *sizes* and *states*."""
        for size in sizes:
            self.resize(window, *size)
            for name, show in states.items():
                show()
                self.app.root.update()
                with self.subTest(size=size, state=name, **sight):
                    self.assertEqual(faults(window), [])

    def keep(self, *names: str) -> OwnTables:
        tables = OwnTables(self.app.desk.keeper.folder)
        for name in names:
            folder = tables.new_folder()
            write_table(folder / "qtable.json", QTable())
            facts = Facts(
                games=987_654_321, decided=POSITIONS, origin="reverse curriculum", score=0.5
            )
            tables.add(folder, name, facts)
        return tables


class TrainingLayoutTests(LayoutTestCase):
    def states(self, window: TrainingWindow) -> Iterator[tuple[str, Callable[[], object]]]:
        control, form = self.app.windows.training, window.form

        def fail() -> None:
            model = control.model
            model.take(Began(RunSettings(plan="myopic"), 0, (), (0,) * 33))
            for games in range(0, 100_000, 5000):
                model.share.add(games, games / 1e6)
                for series in (*model.scores.values(), model.slips):
                    series.add(games, 0.5)
            text = f"cannot write in {'/a/long/way/down' * 4}: the disk is full"
            model.take(Failed(Trouble.PROGRAM, text, "details"))
            window.show_end()

        def all_wrong() -> None:
            form.show_more(True)
            for name in form.variables:
                form.variables[name].set("1.5" if name == "games" else "")

        yield "first", lambda: form.fill(dict(RECOMMENDED))
        yield "all wrong", all_wrong
        yield "over, with an error and all settings", fail
        yield "all charts", lambda: window.picture_bar.all_charts.invoke()

    def test_the_training_window(self) -> None:
        self.keep(LONG_NAME, "B")
        for zoom, scale in SIGHTS:
            self.see(zoom, scale)
            window = self.app.windows.train()
            self.look(window, dict(self.states(window)), zoom=zoom, scale=scale)
            window.destroy()
            forget_run(self.app)


class TablesLayoutTests(LayoutTestCase):
    def test_the_tables(self) -> None:
        self.keep(LONG_NAME, "B")
        for zoom, scale in SIGHTS[:3]:
            self.see(zoom, scale)
            dialog = open_tables(self.app.desk, self.app.root, print, print)
            self.app.root.update()
            with self.subTest(zoom=zoom):
                self.assertEqual(faults(dialog), [])
            dialog.close()


if __name__ == "__main__":
    unittest.main()
