"""A bot as it was after some of its games."""

from tkinter import ttk
from unittest import mock

from tests.kit.samples import measured
from tests.kit.windows import settle
from tests.kit.workshop import ONE, SMALL, WorkshopRobot, inside, value_of
from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.gui.main.explain import learned_values
from traffic_lights.gui.workshop import past
from traffic_lights.gui.workshop.bot_acts import BotAct
from traffic_lights.gui.workshop.snapshot_slider import SnapshotSlider
from traffic_lights.learning.tablefile import read_meta
from traffic_lights.system.processes import Ended
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.own_bots import playing_path
from traffic_lights.training.rerun import milestones, table_after
from traffic_lights.workshop.charts import Axes


class HistoryTests(WorkshopRobot):
    names = ("One",)

    def setUp(self) -> None:
        super().setUp()
        bot = self.own("One")
        playing_path(bot).write_bytes(SMALL.read_bytes())
        self.open(key=ONE)

    @property
    def bar(self) -> SnapshotSlider:
        return self.window.learning.slider

    @property
    def words(self) -> str:
        return str(self.bar.text.cget("text"))

    def drag(self, games: int) -> None:
        """Drag the thumb below the place of so many *games* in the chart."""
        chart = self.window.learning.pictures.chart
        axes = Axes(value_of(chart), chart.room)
        length = axes.x(1000) - axes.left  # those of the bot
        self.bar.scale.set((axes.x(games) - axes.left) / length)
        self.app.root.update()

    def play_again(self) -> None:
        """Have the bot play its games again."""
        self.bar.button.invoke()
        self.wait(lambda: self.bar.scale.instate(["!disabled"]))

    def test_what_a_bot_had_learned_gives_its_room_to_the_curves_of_a_comparison(self) -> None:
        self.play_again()
        self.assertIn("first moves", self.words)
        self.add_bot("Two")
        write_curve(self.own("Two").folder, [measured(1000, 0.5)])
        self.context.bots_changed()
        self.tick("bot:Two")
        self.window.choose(ONE)
        self.assertNotIn("First moves", self.words)

    def test_the_slider_shows_and_plays_the_bot_as_it_was(self) -> None:
        self.play_again()
        self.assertIn("1, 2, 4, 7, … or 200 games", self.words)
        self.assertFalse(self.bar.button.winfo_manager())
        self.drag(1)
        self.assertIn("Every first move is worth 0 after 1 game", self.words)
        self.drag(100)
        self.assertIn("Wins after 100 games: Random", self.text)
        self.assertNotIn("90.91 %", self.text, "the score of the end")
        # The points of the curve go to 1,000 games, and the thumb is below the mark in the chart.
        chart = self.window.learning.pictures.chart
        for games in milestones(200)[6:-1]:
            self.drag(games)
            self.assertEqual(self.bar.key, f"{ONE}:{games}")
            self.assertEqual(value_of(chart).mark, games)
            x, _ = self.bar.scale.coords()
            left = self.bar.scale.winfo_rootx() - chart.winfo_rootx()
            self.assertLess(abs(left + x - Axes(value_of(chart), chart.room).x(games)), 4)
        self.drag(1000)
        self.assertEqual((self.bar.key, value_of(chart).mark), ("", None))
        for key in ("<Home>", "<Right>", "<Right>", "<Left>"):
            self.key(key, widget=self.bar.scale)
        self.assertEqual(self.bar.key, f"{ONE}:2")
        self.key("<End>", widget=self.bar.scale)
        self.assertEqual(self.bar.key, "")
        self.key("<Home>", widget=self.bar.scale)
        self.bar.button.invoke()
        players = self.context.session.players
        self.assertEqual([p.bot for p in players if not p.is_human], [f"{ONE}:1"])
        self.assertEqual(self.context.roster.entry(f"{ONE}:1").name, "One (1 game)")
        self.drag(100)
        self.window.tabs.select(str(self.window.inside))  # type: ignore[no-untyped-call]
        values, note = self.window.inside.values, self.window.inside.note
        self.wait(lambda: "(100 games)" in str(note.cget("text")))
        shown = {int(row): values.set(row, "Learned") for row in values.get_children()}
        then = learned_values(table_after(read_meta(SMALL), 100), EMPTY_BOARD)
        self.assertEqual(shown, then.numbers)
        self.assertEqual(self.window.heading.cget("text"), "One (100 games)")
        self.press("Play")
        players = self.context.session.players
        self.assertEqual([p.bot for p in players if not p.is_human], [f"{ONE}:100"])
        self.assertIn("after 100 games", str(self.window.about.cget("text")))
        self.window.tabs.select(str(self.window.learning))  # type: ignore[no-untyped-call]
        self.app.root.update()
        self.assertNotIn("after 100 games", str(self.window.about.cget("text")))

    def test_a_student_who_clicks_beside_the_thumb_sees_the_bot_at_the_place_of_the_click(
        self,
    ) -> None:
        self.play_again()
        self.window.update()
        scale = self.bar.scale
        chart = self.window.learning.pictures.chart
        axes = Axes(value_of(chart), chart.room)
        for games in (100, 200, 70):
            x = round(axes.x(games)) + chart.winfo_rootx() - scale.winfo_rootx()
            scale.event_generate("<Button-1>", x=x, y=scale.winfo_height() // 2)
            scale.event_generate("<ButtonRelease-1>", x=x, y=scale.winfo_height() // 2)
            self.app.root.update()
            self.assertEqual(self.bar.key, f"{ONE}:{games}")

    def test_the_slider_stands_under_the_part_of_the_axis_that_its_bot_has_played(self) -> None:
        self.add_bot("Long")
        write_curve(self.own("Long").folder, [measured(n, 0.5) for n in (100, 1000, 10**5)])
        self.play_again()
        self.context.bots_changed()
        self.key("<Up>", "<space>", "<Down>", widget=self.window.list)
        self.assertEqual(set(self.lines), {"One", "Long"})
        self.key("<End>", widget=self.bar.scale)
        chart = self.window.learning.pictures.chart
        for games in (200, 1000):
            self.drag(games)

            def stands_there(games: int = games) -> bool:
                x, _ = self.bar.scale.coords()
                left = self.bar.scale.winfo_rootx() - chart.winfo_rootx()
                return bool(abs(left + x - Axes(value_of(chart), chart.room).x(games)) < 4)

            self.wait(stands_there)  # the chart is laid out first

    def test_the_short_slider_of_a_young_bot_makes_nothing_wider_in_any_size(self) -> None:
        self.add_bot("Long")
        write_curve(self.own("Long").folder, [measured(n, n / 10**6) for n in (100, 10**5)])
        write_curve(self.own("One").folder, [])
        self.context.bots_changed()
        self.tick("bot:Long")
        self.window.choose(ONE)
        learning = self.window.learning
        for zoom in (-3, 0):
            self.context.userdata.change(zoom=zoom)
            self.app.window.take_look()
            settle(self.window)
            self.assertTrue(self.bar.scale.winfo_viewable())
            self.assertLess(learning.pictures.winfo_width(), learning.winfo_width())

    def test_snapshots_that_cannot_be_made_are_explained_in_place_of_the_slider(self) -> None:
        worker = self.enterContext(mock.patch.object(past, "Worker")).return_value
        sent: list[object] = []
        worker.poll.side_effect = lambda: [sent.pop()] if sent else []
        worker.is_over = False
        self.bar.button.invoke()
        self.app.root.update()
        self.assertRegex(self.words, "plays its games again. 0 of about [0-9]+ snapshots are ready")
        sent.append(measured(1, 0.1))
        self.wait(lambda: "1 of about" in self.words)
        sent.append(Ended("the disk is full"))
        self.wait(lambda: self.words == "The disk is full.")
        self.assertFalse(self.bar.scale.winfo_manager())
        self.assertFalse(self.bar.button.winfo_manager())
        self.assertEqual(self.bar.key, "")

    def test_who_trains_here_has_the_slider_at_once_and_who_trained_elsewhere_reads_why_not(
        self,
    ) -> None:
        self.assertTrue(self.bar.scale.instate(["disabled"]))
        self.assertIn("Not all of its training was here", self.words)
        with mock.patch.object(past, "kept_snapshots", return_value=[measured(7, 0.5)]):
            self.bar.show(None)
            self.bar.show(self.window.selection.entry.own)
        self.assertTrue(self.bar.scale.instate(["!disabled"]))
        self.key("<Home>", widget=self.bar.scale)
        self.assertEqual(self.bar.key, f"{ONE}:7")

    def test_snapshots_are_made_once_and_no_longer_when_their_bot_is_deleted(self) -> None:
        made = self.enterContext(mock.patch.object(past, "Worker"))
        worker = made.return_value
        worker.poll.return_value = []
        worker.is_over = False
        for _ in range(3):
            self.bar.button.invoke()
            self.app.root.update()
        made.assert_called_once()
        self.window.act(BotAct.SAVE_CURVE)
        self.window.act(BotAct.RENAME)
        next(inside(self.dialog(), ttk.Entry)).insert(0, "?")
        self.press("Rename", self.dialog())
        self.dialog().close()
        folder = self.own("One").folder
        worker.end.side_effect = lambda: self.assertTrue(folder.exists(), "its files are in use")
        for answer in ("Cancel", "Delete"):
            worker.end.assert_not_called()
            self.window.act(BotAct.DELETE)
            self.press(answer, self.dialog())
        worker.end.assert_called_once()

    def test_a_bot_gets_its_new_name_after_the_process_has_let_its_files_go(self) -> None:
        worker = self.enterContext(mock.patch.object(past, "Worker")).return_value
        worker.poll.return_value = []
        worker.is_over = False
        self.bar.button.invoke()
        before = self.own("One").folder
        worker.end.side_effect = lambda: self.assertTrue(before.exists())
        self.window.act(BotAct.RENAME)
        next(inside(self.dialog(), ttk.Entry)).insert(0, "Number ")
        self.press("Rename", self.dialog())
        worker.end.assert_called_once()
        self.assertTrue(self.own("Number One"))

    def test_inside_shows_the_bot_as_it_is_if_the_file_of_a_snapshot_is_gone(self) -> None:
        with mock.patch.object(past, "kept_snapshots", return_value=[measured(7, 0.5)]):
            self.bar.show(None)
            self.bar.show(self.window.selection.entry.own)
        self.key("<Home>", widget=self.bar.scale)
        self.open("inside")
        self.assertIn("gone", self.reported)
        self.assertEqual(self.window.heading.cget("text"), "One")

    def test_who_closes_the_window_has_no_snapshots_made_unseen(self) -> None:
        made = self.enterContext(mock.patch.object(past, "Worker"))
        worker = made.return_value
        worker.poll.return_value = []
        worker.is_over = False
        self.bar.button.invoke()
        self.window.close()
        worker.end.assert_called_once()
        self.open()
        self.assertIn("Not all of its training was here", self.words)
        self.bar.button.invoke()
        self.assertEqual(made.call_count, 2)
