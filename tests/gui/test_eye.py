"""Nothing cut off and nothing over anything else, in every size, zoom, resolution and state.

First the eye that looks: it sees each of the faults that version 1.0 had.
"""

from __future__ import annotations

import time
import tkinter as tk
import unittest
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from tkinter import ttk

from tests.kit.eye import faults
from tests.kit.windows import WindowTestCase, forget_run, load_moves
from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.dialogs.tables_dialog import open_tables
from traffic_lights.gui.evaluation.window import EvaluationWindow
from traffic_lights.gui.training.form_model import RECOMMENDED
from traffic_lights.gui.training.window import TrainingWindow
from traffic_lights.judging.evaluation import Row, evaluate
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.contestants import Contestant
from traffic_lights.players.game import Game, Player
from traffic_lights.training.notes import Facts
from traffic_lights.training.own_tables import OwnTables
from traffic_lights.training.settings import RunSettings
from traffic_lights.workers.evaluation import PairMeasured
from traffic_lights.workers.training import Began, Failed, Trouble

LONG_NAME = "Wanda, who learned from Myopic for a year"[:40]
SIZES = ((420, 300), (680, 520), (900, 640), (1280, 800), (1920, 1080))
SIGHTS = ((-3, 1.0), (0, 1.0), (6, 1.0), (0, 2.0), (6, 2.0))
"""Steps of zoom, 75 to 177 %, and the resolution of the screen in steps of 96 dpi."""
PATIENCE_S = 3.0
MOVES = "1. b2 b2 2. a3"
WON = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"


class EyeTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.top = tk.Toplevel(self.app.root)
        self.top.wm_geometry("300x200")
        self.addCleanup(self.top.destroy)

    def assert_seen(self, words: str) -> None:
        self.wait(lambda: self.top.winfo_width() == 300)
        found = faults(self.top)
        self.assertTrue(any(words in fault for fault in found), found)

    def test_what_is_right_is_no_fault(self) -> None:
        ttk.Label(self.top, text="All of this can be read").pack()
        ttk.Button(self.top, text="Start").pack()
        self.wait(lambda: self.top.winfo_width() == 300)
        self.assertEqual(faults(self.top), [])

    def test_a_button_cut_in_half_by_the_end_of_the_window(self) -> None:
        frame = ttk.Frame(self.top, height=400)
        frame.pack_propagate(False)
        frame.grid(sticky="ew")
        self.top.columnconfigure(0, weight=1)
        ttk.Button(self.top, text="Start").grid()
        self.assert_seen("TButton 'Start' is cut off")

    def test_a_text_with_less_room_than_it_needs(self) -> None:
        frame = ttk.Frame(self.top, width=60, height=30)
        frame.pack_propagate(False)
        frame.pack()
        ttk.Label(frame, text="Nobody will ever read all of this").pack(fill="x")
        self.assert_seen("only a part of its text")

    def test_widgets_over_each_other(self) -> None:
        ttk.Button(self.top, text="One").grid(row=0, column=0)
        ttk.Button(self.top, text="Other").grid(row=0, column=0)
        self.assert_seen("over each other")

    def test_a_heading_and_a_cell_wider_than_their_column(self) -> None:
        tree = ttk.Treeview(self.top, columns=("a",), show="headings")
        tree.heading("a", text="Best possible score")
        tree.column("a", width=40, stretch=False)
        tree.insert("", "end", values=("A bot with a long name",))
        tree.pack()
        self.assert_seen("heading 'Best possible score'")
        self.assert_seen("cell 'A bot with a long name'")

    def test_a_header_of_two_lines(self) -> None:
        text = tk.Text(self.top, width=20, height=4, wrap="word")
        text.insert("1.0", "Exact player   Exact player\nNo move yet.")
        text.pack()
        self.assert_seen("broken into two lines")

    def test_a_picture_that_asks_for_more_room_or_writes_over_itself(self) -> None:
        canvas = tk.Canvas(self.top, width=200, height=80)
        canvas.pack()
        canvas.create_text(100, 40, text="Make the window taller.")
        canvas.create_text(100, 42, text="60 %")
        canvas.create_text(195, 10, text="cut at its end")
        self.assert_seen("leaves to the reader")
        self.assert_seen("lie over each other")
        self.assert_seen("is cut off")


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


class EvaluationLayoutTests(LayoutTestCase):
    def test_the_evaluation_window(self) -> None:
        self.keep(LONG_NAME, "B")
        *_, row = evaluate(Contestant("myopic"), [Contestant("random")], 20)
        for zoom, scale in SIGHTS:
            self.see(zoom, scale)
            window = self.app.windows.evaluate()
            window.model.start([])
            window.view.show_rows()
            states: dict[str, Callable[[], object]] = {
                "first": lambda: None,
                "wrong": partial(window.form.variables["games"].set, "3,7,1"),
                "three bots, four opponents": partial(_measured, window, row),
            }
            self.look(window, states, zoom=zoom, scale=scale)
            window.model.start([])
            window.close()


def _measured(window: EvaluationWindow, row: Row) -> None:
    """Show in *window* what three bots did against four opponents: *row*, each of them."""
    for bot in ("Myopic", "Exact player", LONG_NAME):
        for opponent in ("Random", "Alternate", "Myopic", "Exact player"):
            window.model.take(PairMeasured(bot, opponent, replace(row, opponent=opponent)))
    window.view.sort_by("best possible")
    window.view.say(window.model.sentence(None))


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


class MainLayoutTests(LayoutTestCase):
    """The main window; `test_looks` has its colours, and what else depends on its size."""

    def at_work(self) -> None:
        load_moves(self.app, MOVES)
        self.app.desk.shown = replace(self.app.desk.shown, values=True, marks=True)
        self.app.desk.warn("The game cannot be saved: " + "the disk is full, " * 3)

    def over(self) -> None:
        load_moves(self.app, WON)

    def reviewing(self) -> None:
        self.over()
        self.app.commands.review()
        self.app.click(0)

    def bots_alone(self) -> None:
        exact = Player("exact", "Exact player")
        self.app.session.restore(Game(players=(exact, exact)))
        self.app.commands.pause()

    def setting_up(self) -> None:
        load_moves(self.app, MOVES)
        self.app.commands.set_up()

    def test_the_main_window(self) -> None:
        window, choices = self.app.window, self.app.commands.welcome_choices()
        states: dict[str, Callable[[], object]] = {
            "welcome": partial(window.show_welcome, choices),
            "at work": self.at_work,
            "analysis": partial(window.panel.select, analysis=True),
            "over": self.over,
            "review": self.reviewing,
            "two bots": self.bots_alone,
            "set-up": self.setting_up,
        }
        for zoom, scale in SIGHTS:
            self.see(zoom, scale)
            self.look(self.app.root, states, SIZES[:3:2], zoom=zoom, scale=scale)

    def test_the_board_stays_in_its_place_when_the_game_ends(self) -> None:
        load_moves(self.app, WON.rpartition(" ")[0])
        board = self.app.window.board
        before = board.cell_centre(0), board.winfo_height()
        self.over()
        self.assertEqual((board.cell_centre(0), board.winfo_height()), before)

    def test_what_a_greyed_button_says_does_not_move_it(self) -> None:
        self.resize(self.app.root, *self.app.window.least_size())
        self.app.window.show_status("A line that has to be broken into three of them. " * 4)
        self.app.root.update()
        redo, board = self.app.window.buttons["redo"], self.app.window.board
        before = redo.winfo_rooty(), board.winfo_height()
        for event in ("<Enter>", "<Leave>"):
            redo.event_generate(event, x=2, y=2)
            self.app.root.update()
            self.assertEqual((redo.winfo_rooty(), board.winfo_height()), before, event)

    def test_the_least_window_grows_with_the_zoom_as_far_as_the_screen_goes(self) -> None:
        root, least = self.app.root, self.app.window.least_size()
        self.resize(root, *least)
        for _ in range(4):
            self.key("<Control-plus>")
        larger = self.app.window.least_size()
        self.assertEqual(larger, root.wm_minsize())
        self.assertGreater(larger, tuple(round(1.4 * side) for side in least))
        self.wait(lambda: (root.winfo_width(), root.winfo_height()) == larger)
        self.see(0, 8.0)
        width, height = self.app.window.least_size()
        self.assertLessEqual(width, root.winfo_screenwidth())
        self.assertLess(height, root.winfo_screenheight())

    def test_the_panel_at_75_percent(self) -> None:
        app = self.app
        self.see(-3, 1.0)
        self.resize(app.root, 900, 640)
        exact = Player("exact", "Exact player")
        app.session.restore(Game(players=(exact, exact)))
        app.desk.refresh()
        self.assertEqual(faults(app.root), [], "Exact against Exact")
        load_moves(app, MOVES)
        app.window.panel.select(analysis=True)
        app.root.update()
        self.assertEqual(faults(app.root), [], "Analysis")


if __name__ == "__main__":
    unittest.main()
