"""A bot as it was after some of its games, and what a game teaches it."""

from dataclasses import replace
from unittest import mock

from tests.kit.workshop import ONE, SMALL, WorkshopRobot, measured
from traffic_lights.board.rules import EMPTY_BOARD, parse_cell
from traffic_lights.gui.kit.charts import Axes
from traffic_lights.gui.main.explain import learned_values
from traffic_lights.gui.workshop import snapshot_slider
from traffic_lights.gui.workshop.inside_tab import NO_GAME
from traffic_lights.gui.workshop.snapshot_slider import SnapshotSlider
from traffic_lights.learning.lesson import GameLesson, lesson
from traffic_lights.learning.tablefile import read_meta, read_table
from traffic_lights.system.processes import Ended
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.own_bots import playing_path
from traffic_lights.training.replay import milestones, table_after


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
        chart = self.window.learning.chart
        axes = Axes(chart.value, chart.room)
        length = axes.x(1000) - axes.left  # those of the bot
        self.bar.scale.set((axes.x(games) - axes.left) / length)
        self.app.root.update()

    def play_again(self) -> None:
        """Have the bot play its games again."""
        self.bar.button.invoke()
        self.wait(lambda: self.bar.scale.instate(["!disabled"]))

    def test_the_slider_shows_and_plays_the_bot_as_it_was(self) -> None:
        self.play_again()
        self.assertIn("shows the bot after 1, 2, 4, 7, … or 200 games", self.words)
        self.assertFalse(self.bar.button.winfo_manager())
        self.drag(100)
        self.assertIn("Wins after 100 games: Random", self.text)
        self.assertNotIn("90.91 %", self.text, "the score of the end")
        self.assertIn("Every first move is worth 0 after 100 games", self.words)
        # The points of the curve go to 1,000 games, and the thumb is below the mark in the chart.
        chart = self.window.learning.chart
        for games in milestones(200)[6:-1]:
            self.drag(games)
            self.assertEqual(self.bar.key, f"{ONE}:{games}")
            self.assertEqual(chart.value.mark, games)
            x, _ = self.bar.scale.coords()
            left = self.bar.scale.winfo_rootx() - chart.winfo_rootx()
            self.assertLess(abs(left + x - Axes(chart.value, chart.room).x(games)), 4)
        self.drag(1000)
        self.assertEqual((self.bar.key, chart.value.mark), ("", None))
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
        self.assertEqual(shown, then["numbers"])
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
        chart = self.window.learning.chart
        axes = Axes(chart.value, chart.room)
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
        self.window.refill()
        self.key("<Up>", "<space>", "<Down>", widget=self.window.list)
        self.assertEqual(set(self.lines), {"One", "Long"})
        self.key("<End>", widget=self.bar.scale)
        chart = self.window.learning.chart
        for games in (200, 1000):
            self.drag(games)

            def stands_there(games: int = games) -> bool:
                x, _ = self.bar.scale.coords()
                left = self.bar.scale.winfo_rootx() - chart.winfo_rootx()
                return bool(abs(left + x - Axes(chart.value, chart.room).x(games)) < 4)

            self.wait(stands_there)  # the chart is laid out first

    def test_snapshots_that_cannot_be_made_are_explained_in_place_of_the_slider(self) -> None:
        worker = self.enterContext(mock.patch.object(snapshot_slider, "Worker")).return_value
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
        bot = self.own("One")
        with mock.patch.object(snapshot_slider, "kept_snapshots", return_value=[measured(7, 0.5)]):
            self.bar.show(None)
            self.bar.show(bot)
        self.assertTrue(self.bar.scale.instate(["!disabled"]))
        self.key("<Home>", widget=self.bar.scale)
        self.assertEqual(self.bar.key, f"{ONE}:7")

    def test_the_end_of_a_lesson_says_what_the_bot_would_play_now(self) -> None:
        tab = self.look_inside()
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        found = lesson(read_table(SMALL), actions, 1, "terminal", 0.2, 1.0)
        unchanged = replace(found, steps=[replace(step, new=step.old) for step in found.steps])
        for shown, change, words in (
            (found, (2, 5), "One would now play b2 in move 3 instead of b1."),
            (found, None, "One would play as before: one game moves a value by only 0.2"),
            (unchanged, None, "proven already, so the bot learns nothing"),
        ):
            self.press("Empty Board")
            with (
                mock.patch("traffic_lights.gui.workshop.inside_tab.lesson", return_value=shown),
                mock.patch.object(GameLesson, "change", return_value=change),
            ):
                self.learn_from(actions)
                self.go_to_step(len(found.steps))
            self.assertIn(words, str(tab.text.cget("text")))
            terms = [term.text for term in tab.formula.terms]
            if change is None:
                self.assertEqual((terms, tab.moves), (["It plays as before"], ()))
                self.assertNotEqual(tab.board.framed, frozenset({5}))
            else:
                self.assertEqual(terms, ["b1", "→", "b2"])
                self.assertEqual((tab.board.framed, tab.moves), (frozenset({5}), actions[:2]))
            self.assertTrue(tab.step.instate(["disabled"]))

    def test_play_shows_step_after_step_until_it_is_paused_or_at_the_end(self) -> None:
        tab = self.look_inside()
        self.enterContext(mock.patch("traffic_lights.gui.workshop.inside_tab.STEP_MS", 5))
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        found = self.learn_from(actions)
        tab.play.invoke()
        self.assertEqual((str(tab.play.cget("text")), tab.step_number), ("Pause", 0))
        tab.play.invoke()
        self.assertEqual(str(tab.play.cget("text")), "Play")
        tab.play.invoke()
        self.wait(lambda: tab.step_number == len(found.steps))
        self.assertEqual(str(tab.play.cget("text")), "Play")

    def test_snapshots_are_made_once_and_no_longer_when_the_window_closes(self) -> None:
        made = self.enterContext(mock.patch.object(snapshot_slider, "Worker"))
        worker = made.return_value
        worker.poll.return_value = []
        worker.is_over = False
        for _ in range(3):
            self.bar.button.invoke()
            self.app.root.update()
        made.assert_called_once()
        self.window.close()
        worker.end.assert_called_once()
        self.open()
        self.assertIn("Not all of its training was here", self.words)
        self.bar.button.invoke()
        self.assertEqual(made.call_count, 2)

    def test_a_game_is_replayed_and_its_lesson_runs_backwards(self) -> None:
        self.enterContext(mock.patch("traffic_lights.gui.workshop.inside_tab.STEP_MS", 50))
        table = read_table(SMALL)
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        inside = self.look_inside()
        inside.replay.invoke()
        self.assertEqual(inside.text.cget("text"), NO_GAME)
        self.learn_from(actions)
        found = lesson(table, actions, 1, "terminal", 0.2, 1.0)
        shown = []
        while inside.step.instate(["!disabled"]):
            step = found.steps[inside.step_number]
            self.assertEqual(inside.moves, actions[: step.number], "the position before the move")
            self.assertEqual(inside.board.framed, {step.action})
            badge = inside.board.picture.numbers[step.action]
            _, before, after = tuple(inside.steps.item(str(inside.step_number), "values"))
            self.assertEqual(badge, before if before == after else f"{before} → {after}")
            self.assertEqual(inside.steps.selection(), (str(inside.step_number),))
            shown.append(str(inside.text.cget("text")))
            inside.step.invoke()
        for text, step in zip(shown, found.steps, strict=True):
            self.assertTrue(text.startswith(step.text(0.2)), text)
        self.assertIn("would", str(inside.text.cget("text")))
        inside.back.invoke()
        self.assertEqual(inside.moves, ())
        inside.steps.selection_set("1")
        self.app.root.update()
        self.assertEqual(inside.moves, actions[: found.steps[1].number])
        inside.play.invoke()
        self.assertEqual(str(inside.play.cget("text")), "Pause")
        self.wait(lambda: inside.step_number >= 2)
        moves = tuple(inside.moves)
        x, y = (round(v) for v in inside.board.cell_centre(5))
        inside.board.event_generate("<Button-1>", x=x, y=y)
        self.app.root.update()
        self.assertIsNone(inside.lesson, "a move on the board leaves the lesson")
        self.assertEqual(inside.moves, (*moves, 5))


class InsideTests(WorkshopRobot):
    names = ("One",)

    def test_learned_values_stand_beside_best_play_and_clicks_move(self) -> None:
        self.open("inside", ONE)
        self.tab = self.window.inside
        self.wait(lambda: self.tab.board.picture.wash)
        rows = [self.tab.values.item(row, "values") for row in self.tab.values.get_children()]
        self.assertEqual(len(rows), 12)
        self.assertTrue(all("in 1" in row[2] for row in rows), rows)
        x, y = (round(v) for v in self.tab.board.cell_centre(5))
        self.tab.board.event_generate("<Button-1>", x=x, y=y)
        self.app.root.update()
        self.assertEqual(self.tab.position, 1 << 2 * (11 - 5))
        self.press("Back")
        self.assertEqual(self.tab.position, 0)
        self.tab.values.focus_force()
        self.tab.values.selection_set(self.tab.values.get_children()[0])
        self.key("<Return>", widget=self.tab.values)
        self.assertNotEqual(self.tab.position, 0)
        self.press("Empty Board")
        self.assertEqual(self.tab.position, 0)
        self.window.list.choose("myopic")  # it has no table
        self.wait(lambda: "no learned values" in str(self.tab.note.cget("text")))
        self.assertEqual(set(self.tab.board.picture.numbers.values()), {"L 13", "L 12"})
