"""The Workshop: its list of bots, its menu, its programs, and how all of it lies."""

import shutil
import sys
import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tkinter import filedialog, ttk
from unittest import mock

from tests.kit.external_bots import write_bot
from tests.kit.eye import faults
from tests.kit.quick import FakeJob
from tests.kit.samples import IS_SLOW_RUN, measured
from tests.kit.windows import (
    heights,
    settle,
)
from tests.kit.workshop import (
    ONE,
    SMALL,
    WorkshopRobot,
    inside,
    moment,
    value_of,
)
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.gui.kit import keys
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.widgets import focused_widget
from traffic_lights.gui.workshop import evaluator
from traffic_lights.gui.workshop.bot_acts import BotAct
from traffic_lights.gui.workshop.program_dialog import ProgramDialog
from traffic_lights.judging.evaluation import STANDARD_OPPONENTS, Row, SeatScore
from traffic_lights.learning.tablefile import read_table
from traffic_lights.play.game import Player
from traffic_lights.system.processes import Ended
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import Bots, playing_path
from traffic_lights.workshop.shared import (
    NEW,
)


class ListTests(WorkshopRobot):
    names = ("One", "Two", "Three")

    def click_row(self, key: str, x: int) -> None:
        tree = self.window.list
        tree.see(key)
        self.app.root.update()
        box = tree.bbox(key)
        assert not isinstance(box, str)
        y = box[1] + box[3] // 2
        tree.event_generate("<Button-1>", x=x, y=y)
        tree.event_generate("<ButtonRelease-1>", x=x, y=y)
        self.app.root.update()

    def test_ticked_bots_are_laid_over_the_chosen_one(self) -> None:
        self.click_row(ONE, 150)
        self.assertEqual(self.lines, {"One": 10})
        self.click_row("bot:Two", 10)
        self.assertEqual(self.window.list.chosen, ONE)
        self.assertEqual(self.lines, {"One": 10, "Two": 10})
        self.path = self.path.with_suffix(".svg")
        self.window.act(BotAct.SAVE_CURVE)
        self.assertIn("Wins against Myopic", self.path.read_text("utf-8"))
        self.window.choose("bot:Three")
        self.key("<space>", widget=self.window.list)
        self.window.choose("myopic")
        self.assertEqual(self.lines, {"One": 10, "Two": 10, "Three": 10})
        chart = self.window.learning.pictures.chart
        before = {line.name: line.style for line in value_of(chart).lines}
        self.assertEqual(len(set(before.values())), 3)
        self.click_row("bot:Two", 10)
        self.assertEqual(self.lines, {"One": 10, "Three": 10})
        self.click_row(ONE, 10)
        self.click_row(ONE, 10)
        self.window.choose("bot:Three")
        for line in value_of(chart).lines:
            self.assertEqual(line.style, before[line.name], "it keeps its colour")

    def test_a_student_ticks_bots_once_to_compare_their_curves_and_their_strength(self) -> None:
        self.window.choose(NEW)
        self.key("<space>", widget=self.window.list)  # what is not there yet is not compared
        self.click_row(ONE, 150)
        for key in ("bot:Two", "myopic"):
            self.click_row(key, 10)
        self.open("strength")
        self.assertEqual(self.window.strength.bots, {ONE, "bot:Two", "myopic"})
        self.click_row("myopic", 10)
        self.assertEqual(self.window.strength.bots, {ONE, "bot:Two"})

    def test_the_chosen_bot_stays_in_sight_in_a_window_of_any_height(self) -> None:
        tree = self.window.list
        self.window.wm_geometry("900x400")
        self.wait(lambda: self.window.winfo_height() == 400)
        for _ in range(2):  # the second time it is in sight already
            self.window.choose("qbot")
            settle(self.window)
            self.assertTrue(tree.bbox("qbot"), "what is chosen stays in sight")
        self.window.wm_geometry("900x300")
        self.wait(lambda: self.window.winfo_height() < 400)
        self.wait(lambda: tree.bbox("qbot"))
        self.window.choose(ONE)
        self.window.wm_geometry("900x400")
        self.wait(lambda: tree.yview()[0] == 0)

    def test_a_bot_keeps_its_name_and_files_while_strength_has_it_play(self) -> None:
        self.enterContext(mock.patch.object(evaluator, "Worker", FakeJob))
        self.open("strength", ONE)
        self.window.strength.run()
        for act in (BotAct.RENAME, BotAct.DELETE, BotAct.SHRINK):
            self.window.act(act)
            self.assertEqual(list(inside(self.window, Dialog)), [], act)
        self.window.strength.run()
        self.window.act(BotAct.DELETE)
        self.dialog().close()

    def test_a_new_bot_has_nothing_of_a_deleted_one_with_its_name(self) -> None:
        bot = self.own("One")
        write_curve(bot.folder, [measured(10, 0.0, decided=9)], POSITIONS_BY_PLY)
        self.context.bots_changed()
        self.window.choose(ONE)
        self.assertTrue(self.window.learning.pictures.strip.value)
        self.trainer.problems[ONE] = "The disk is full."
        self.addCleanup(self.window.strength.set_opponents, set(STANDARD_OPPONENTS))
        self.window.strength.set_opponents({ONE, "myopic"})
        self.bots.delete(bot)
        self.context.bots_changed()
        self.assertEqual(self.window.strength.opponents, {"myopic"})
        self.add_bot("One")
        self.context.bots_changed()
        self.window.choose(ONE)
        self.assertFalse(self.window.learning.pictures.strip.value)
        self.assertNotIn("The disk is full.", self.text)

    def test_rename_refuses_in_the_question_and_reaches_the_players(self) -> None:
        self.click_row(ONE, 10)
        heard = mock.Mock()
        self.context.on_bots.append(heard)
        self.addCleanup(self.context.on_bots.remove, heard)
        self.context.play_against(ONE)
        self.window.choose(ONE)
        self.addCleanup(self.window.strength.set_opponents, set(STANDARD_OPPONENTS))
        self.window.strength.set_opponents({ONE})
        self.trainer.problems[ONE] = "The disk is full."
        self.enterContext(mock.patch.object(evaluator, "Worker", FakeJob))
        self.window.strength.show(ONE, ["bot:Two"])
        self.window.strength.run()
        for bot in (ONE, "bot:Two"):
            players = self.context.roster.entry(bot), self.context.roster.entry(ONE)
            row = Row(*players, 200, SeatScore(100, 40), SeatScore(100, 0), 200)
            self.report(replace(row, exact=ExactScore(0.4, 0.2), is_final=True))
        self.report(Ended())
        self.window.act(BotAct.RENAME)
        question = self.dialog()
        field = next(inside(question, ttk.Entry))
        for name, words in (("Two", "another bot called"), ("a/b", "cannot be the name")):
            field.delete(0, tk.END)
            field.insert(0, name)
            self.press("Rename", question)
            labels = inside(question, ttk.Label)
            self.assertIn(words, str([label.cget("text") for label in labels]))
        heard.assert_not_called()
        field.delete(0, tk.END)
        field.insert(0, "Newer")
        self.key("<Return>", widget=field)
        self.assertEqual(self.window.list.chosen, "bot:Newer")
        self.assertEqual(self.window.heading.cget("text"), "Newer")
        self.assertEqual(self.context.session.bots, [Player("bot:Newer", "Newer")])
        self.assertEqual(self.context.userdata.settings.opponent, "bot:Newer")
        heard.assert_called()
        self.assertEqual(self.window.strength.opponents, {"bot:Newer"})
        rows = self.window.strength.evaluator.rows
        new = {("bot:Newer", "bot:Newer"), ("bot:Two", "bot:Newer")}
        self.assertEqual(rows.keys(), new, "exact scores may have taken minutes")
        self.assertEqual(len(self.context.userdata.kept_scores()[1]), 2, "also for the next time")
        self.assertEqual(self.text, "The disk is full.")
        self.window.choose("bot:Two")
        self.assertEqual(self.lines, {"Newer": 10, "Two": 10}, "it keeps its tick")

    def test_duplicate_import_and_export(self) -> None:
        self.window.choose(ONE)
        self.window.act(BotAct.DUPLICATE)
        self.wait(lambda: self.window.list.chosen == "bot:One 2")
        self.window.act(BotAct.EXPORT)
        self.wait(lambda: "exported to" in self.reported)
        self.window.add_menu.invoke("Import a Table…")
        self.wait(lambda: self.window.list.chosen == "bot:chosen")
        self.assertIn("mported from chosen.json", str(self.window.about.cget("text")))
        one, other = (read_table(playing_path(self.own(name))) for name in ("One", "chosen"))
        self.assertEqual(list(one.rows()), list(other.rows()))
        self.path.write_text("nonsense")
        self.window.add_menu.invoke("Import a Table…")
        self.wait(lambda: str(self.path) in self.reported)

    def test_whatever_deletes_asks_and_return_keeps(self) -> None:
        for label, word in ((BotAct.DELETE, "Delete"), (BotAct.SHRINK, "Shrink")):
            self.window.choose(ONE)
            self.window.act(label)
            question = self.dialog()
            self.assertIn(f"{word} “One”", str(next(inside(question, ttk.Label)).cget("text")))
            self.key("<Return>", widget=question)
            self.assertFalse(question.winfo_exists())
            self.assertIsNotNone(self.bots.find(ONE))
        self.context.play_against(ONE)
        self.key("<Delete>", widget=self.window.list)
        self.press("Delete", self.dialog())
        self.wait(lambda: "deleted" in self.reported)
        self.assertNotIn(ONE, [bot.bot for bot in self.context.session.bots], "of a new One")
        self.assertIsNone(self.bots.find(ONE))
        self.assertNotEqual(self.window.list.chosen, ONE)

    def test_a_bot_without_a_table_has_neither_strength_nor_inside_and_cannot_play(self) -> None:
        self.open("inside", ONE)
        self.window.choose(NEW)
        self.assertEqual(self.window.tabs.index("current"), 0)  # type: ignore[no-untyped-call]
        self.open("strength")
        self.assertEqual(self.window.list.chosen, "qbot")
        self.bots.create("Empty")
        self.context.bots_changed()
        self.window.choose("bot:Empty")
        self.assertTrue(self.window.play_button.instate(["disabled"]))
        self.assertIn("problem", self.window.list.item("bot:Empty", "tags"))


class MenuTests(WorkshopRobot):
    names = ("One",)

    def test_the_menu_under_the_list_has_grey_what_the_chosen_player_cannot(self) -> None:
        buttons = {str(b.cget("text")): b for b in inside(self.window, ttk.Button)}
        menu = self.window.bot_menu
        every = {"Rename…", "Duplicate", "Export…", "Shrink…", "Delete…", "Save Curve…"}
        for key, possible in ((ONE, every), ("careful", set()), (NEW, set())):
            self.window.choose(key)
            with mock.patch.object(tk.Menu, "tk_popup") as popup:
                buttons["…"].invoke()
                buttons["+"].invoke()
            self.assertEqual(popup.call_count, 2)
            x, y = popup.call_args.args
            plus = buttons["+"]
            above = plus.winfo_rooty() - self.window.add_menu.winfo_reqheight()
            self.assertEqual((x, y), (plus.winfo_rootx(), above))
            found = {
                str(menu.entrycget(index, "label"))
                for index in range(len(every))
                if str(menu.entrycget(index, "state")) == "normal"
            }
            self.assertEqual(found, possible, key)

    def test_an_unexpected_error_of_a_job_is_shown_here_and_reported_as_a_mistake(self) -> None:
        self.window.choose(ONE)
        mistake = ValueError("made by a test")
        self.enterContext(mock.patch.object(Bots, "duplicate", side_effect=mistake))
        self.window.act(BotAct.DUPLICATE)
        self.wait(lambda: self.reported == "Made by a test.")
        self.wait(lambda: self.context.log.errors == 1)
        self.context.log.errors = 0

    def test_the_log_has_why_a_training_ended_and_the_details(self) -> None:
        self.window.choose(NEW)
        self.fill(plan="myopic")
        self.begin()
        name = self.window.heading.cget("text")
        self.report(Ended("the disk is full", "Traceback of a test\n"))
        log = self.context.log.file.read_text("utf-8")
        self.assertIn("Traceback of a test\n", log)
        self.assertIn(f"The training of {name} ended: The disk is full.\n", log)
        self.assertEqual(self.text, "The disk is full.")


class ShownTests(WorkshopRobot):
    """What stands around the tabs, and who has the keyboard."""

    names = ("One", "Two")

    def test_the_keys_of_the_window_close_it_or_end_the_program(self) -> None:
        for event in ("<Escape>", "<Control-w>"):
            self.open()
            self.wait(lambda: focused_widget(self.window) is self.window.list)
            self.key(event, widget=self.window.list)
            self.assertFalse(self.window.winfo_viewable(), event)
            # The screen gives the keyboard back in its own time.
            self.wait(lambda: focused_widget(self.window) is self.app.window.board)
        self.open()
        with mock.patch.object(keys, "latin_key", return_value="j"):
            self.key("<Key-semicolon>", widget=self.window.list)  # in a layout of other letters
        with mock.patch.object(self.context, "close") as close:
            self.key("<Control-q>", widget=self.window.list)
        close.assert_called_once()

    def test_an_evaluation_ends_with_the_window_and_takes_no_power_unseen(self) -> None:
        self.open("strength", ONE)
        with mock.patch.object(evaluator, "Worker", FakeJob):
            self.press("Run")
        self.window.close()
        self.assertTrue(FakeJob.last.is_over)

    def test_a_player_without_a_mouse_gets_from_anywhere_to_the_next_tab(self) -> None:
        form = self.window.learning.form
        for widget in (self.window.list, form.fields["games"], self.window.tabs):
            self.open("learning", ONE)
            self.key("<Control-Tab>", widget=widget)
            self.assertEqual(self.window.tab, "strength")

    def test_tab_goes_through_the_form_as_one_reads_it(self) -> None:
        self.open("learning", ONE)
        form = self.window.learning.form
        form.advanced.invoke()
        self.app.root.update()
        fields = form.fields
        stops = (fields["plan"], fields["games"], form.more, form.start, form.advanced, form.rules)
        stops[0].focus_force()
        for stop in (*stops, fields["seed"], fields["alpha"]):
            self.app.root.update()
            self.assertIs(focused_widget(self.window), stop)
            stop.event_generate("<Tab>")

    def test_the_chart_is_in_sight_again_when_its_tab_is(self) -> None:
        self.window.wm_geometry("1060x560")
        self.open("learning", ONE)
        learning = self.window.learning
        learning.form.advanced.invoke()
        self.wait(lambda: learning.canvas.yview()[0] > 0)
        learning.hold(learning.pictures)
        self.wait(lambda: learning.canvas.yview()[0] < 0.05)
        for tab in ("strength", "learning"):
            self.open(tab, ONE)
            settle(self.window)
        self.assertLess(learning.canvas.yview()[0], 0.05)

    def test_the_workshop_opens_where_it_was_left_or_at_the_strength_that_is_asked_for(
        self,
    ) -> None:
        for command, tab in (
            ("workshop", "learning"), ("strength", "strength"), ("workshop", "strength"),
        ):  # fmt: skip
            self.app.run(command)
            self.app.root.update()
            self.assertTrue(self.window.pages[tab].winfo_viewable(), command)
            self.window.close()

    def test_the_line_over_the_tabs_is_about_the_chosen_player(self) -> None:
        for key, name, words in (
            (NEW, "New bot", "press Start"), (ONE, "One", "mported"), ("beginner", "Beginner", ""),
        ):  # fmt: skip
            self.window.status.configure(text="news")
            self.window.choose(key)
            self.assertEqual(self.reported, "", "news of another player")
            self.assertEqual(self.window.heading.cget("text"), name)
            about = str(self.window.about.cget("text"))
            self.assertIn(words, about)
            self.assertTrue(about)
            is_new = key == NEW
            self.assertEqual(self.window.play_button.instate(["disabled"]), is_new)
            states = [str(self.window.tabs.tab(n, "state")) for n in range(3)]  # type: ignore[no-untyped-call]
            self.assertEqual(states, ["normal", *(["disabled" if is_new else "normal"] * 2)])
        self.window.choose(NEW)
        self.begin()
        self.assertEqual(str(self.window.about.cget("text")), "In training.")

    def test_a_double_click_plays_against_the_bot(self) -> None:
        self.window.choose(ONE)
        box = self.window.list.bbox(ONE)
        assert not isinstance(box, str)
        with mock.patch.object(self.context, "play_against") as play:
            for event in ("<Button-1>", "<ButtonRelease-1>") * 2:
                self.window.list.event_generate(event, x=150, y=box[1] + 5)
            self.app.root.update()
        play.assert_called_once_with(ONE)


class DeletedTests(WorkshopRobot):
    """A bot that another program deletes while it is chosen here."""

    names = ("One", "Two")

    def test_whatever_is_done_next_fills_the_list_again_and_trains_nothing(self) -> None:
        acts: dict[str, Callable[[], object]] = {
            "a tab": lambda: self.open("inside"),
            "Start": lambda: self.press("Start"),
            "Play": lambda: self.press("Play"),
            "a menu": lambda: self.window.act(BotAct.DUPLICATE),
            "the list": lambda: self.window.choose("bot:Two"),
            "a box": lambda: self.key("<space>", widget=self.window.list),
        }
        for name, act in acts.items():
            with self.subTest(act=name):
                if self.bots.find("bot:Two") is None:
                    self.add_bot("Two")
                self.context.bots_changed()
                self.open("learning", "bot:Two")
                shutil.rmtree(self.own("Two").folder)
                act()
                self.app.root.update()
                self.assertEqual(self.window.list.chosen, "bot:One")
                self.assertIn("“Two” is not there any more", self.reported)
                self.assertEqual(self.trainer.key, "")
                self.assertIsNone(self.bots.find("bot:Two"))
        self.assertEqual(self.context.log.errors, 0)

    def test_the_end_of_its_training_tells_why_another_bot_is_shown(self) -> None:
        self.window.choose("bot:Two")
        self.begin()
        shutil.rmtree(self.own("Two").folder)
        self.report(Ended("the folder is gone"))
        self.assertIn("“Two” is not there any more", self.reported)


class ProgramTests(WorkshopRobot):
    def setUp(self) -> None:
        super().setUp()
        self.folder = self.context.userdata.folder / "programs"
        self.folder.mkdir()

    def add(self, command: str, name: str = "") -> ProgramDialog:
        """Open the dialog, type *command* and *name*, and press Add."""
        self.window.add_program()
        dialog = self.dialog()
        assert isinstance(dialog, ProgramDialog)
        dialog.name.insert(0, name)
        dialog.command_line.insert(0, command)
        self.press("Add", dialog)
        return dialog

    def program_names(self) -> list[str]:
        rows = self.window.list.get_children()
        return [self.window.list.item(r, "text") for r in rows if r.startswith("program-")]

    def test_one_that_plays_is_added_under_the_name_that_was_typed_and_can_be_removed(self) -> None:
        for typed, name in (("", "Polite"), ("Mine", "Mine")):
            dialog = self.add(write_bot(self.folder), typed)
            self.wait(lambda d=dialog: not d.winfo_exists())  # type: ignore[misc]
            self.assertIn(name, self.program_names())
        self.assertEqual(self.window.heading.cget("text"), "Mine")
        self.window.act(BotAct.DELETE)
        self.press("Remove", self.dialog())
        self.wait(lambda: self.program_names() == ["Polite"])
        dialog = self.add("", "Browsed")
        self.path = self.folder / "bot.py"
        self.press("Browse…", dialog)
        self.press("Add", dialog)
        self.wait(lambda: self.program_names() == ["Polite", "Browsed"])

    def test_one_that_fails_shows_the_cause_and_its_last_words(self) -> None:
        code = "sys.stderr.write('no idea\\n'); sys.stderr.flush(); say('move z1')"
        dialog = self.add(write_bot(self.folder, at_go=code), "Mine")
        self.wait(lambda: "z1" in str(dialog.message.cget("text")))
        self.assertIn("Mine answered 'z1'", str(dialog.message.cget("text")))
        self.assertIn("'no idea'", str(dialog.message.cget("text")))
        self.assertEqual(dialog.name.get(), "Mine")
        self.assertTrue(dialog.add.instate(["!disabled"]))
        self.assertEqual(self.program_names(), [])

    def test_browse_writes_a_command_that_can_be_started(self) -> None:
        self.window.add_program()
        dialog = self.dialog()
        assert isinstance(dialog, ProgramDialog)
        python = f'"{sys.executable}"'
        for path, command in (
            ("/a/bot", "/a/bot"), ("/a b/bot", '"/a b/bot"'), ("/a/bot.py", f"{python} /a/bot.py"),
            ("/a b/bot.py", f'{python} "/a b/bot.py"'),
        ):  # fmt: skip
            self.path = Path(path)
            self.press("Browse…", dialog)
            self.assertEqual(dialog.command_line.get(), command)
        with mock.patch.object(filedialog, "askopenfilename", return_value=""):
            self.press("Browse…", dialog)
        self.assertEqual(dialog.command_line.get(), command, "no file was chosen")

    def test_what_cannot_be_started_is_reported_at_once(self) -> None:
        for command in ("", "'", "no-such-program-here"):
            dialog = self.add(command, "Mine")
            self.assertIn("The program did not start: ", str(dialog.message.cget("text")))
            self.wait(lambda d=dialog: focused_widget(d) is d.command_line)  # type: ignore[misc]
            dialog.close()


class LayoutTests(WorkshopRobot):
    names = ("One", "Two")

    def see(self, zoom: int, scale: float, theme: str) -> None:
        """Show everything in *zoom* steps on a screen of *scale* times 96 dpi."""
        self.context.theme.screen_scale = scale
        self.context.userdata.change(zoom=zoom, theme=theme)
        self.app.window.take_look()
        self.app.root.update()

    def test_the_chart_has_its_room_again_in_a_window_that_was_narrow(self) -> None:
        chart = self.window.learning.pictures.chart
        self.window.choose(ONE)
        self.app.root.update()
        before = chart.winfo_height()
        for width in (640, 1060):
            self.window.wm_geometry(f"{width}x680")
            self.wait(lambda w=width: self.window.winfo_width() == w)  # type: ignore[misc]
            self.app.root.update()
        self.assertEqual(chart.winfo_height(), before)

    def test_another_bot_is_seen_from_its_chart_on_when_the_rarer_settings_were_in_sight(
        self,
    ) -> None:
        learning = self.window.learning
        self.window.wm_geometry("1060x560")
        self.window.choose(ONE)
        learning.form.advanced.invoke()
        self.wait(lambda: learning.canvas.yview()[0] > 0)
        self.window.choose("bot:Two")
        self.wait(lambda: learning.canvas.yview()[0] < 0.05)

    def test_every_tab_comes_to_rest_at_every_height(self) -> None:
        self.window.learning.form.advanced.invoke()
        for turn, tab in enumerate(("learning", "strength", "inside")):
            self.open(tab, ONE)
            for height in heights(360, 760, turn):
                self.window.wm_geometry(f"900x{height}")
                with self.subTest(tab=tab, height=height):
                    settle(self.window)

    def test_nothing_is_cut_off_in_any_size_or_theme(self) -> None:
        playing_path(self.own("One")).write_bytes(SMALL.read_bytes())  # which has a slider
        self.context.bots_changed()
        self.window.learning.form.advanced.invoke()
        self.addCleanup(self.see, 0, self.context.theme.screen_scale, "light")
        for width, height, zoom, scale, theme in (
            (1280, 760, 2, 1.0, "dark"),
            (700, 420, 0, 1.0, "high-contrast"),
            *[(1024, 668, 0, 1.0, "light"), (1280, 760, 0, 1.75, "light")] * IS_SLOW_RUN,
        ):
            self.see(zoom, scale, theme)
            for tab in ("learning", "strength", "inside"):
                self.open(tab, ONE)
                self.window.wm_geometry(f"{width}x{height}+0+0")
                self.wait(lambda: self.window.winfo_height() == height)  # noqa: B023
                with self.subTest(size=(width, height), zoom=zoom, scale=scale, tab=tab):
                    self.app.root.update()
                    self.assertEqual(faults(self.window), [])

    def test_nothing_moves_while_a_bot_trains_and_when_it_ends(self) -> None:
        self.window.choose(NEW)
        self.fill(plan="myopic")

        def places() -> list[tuple[int, int]]:
            self.app.root.update()
            form = self.window.learning.form
            widgets = (
                form,
                form.start,
                form.help,
                self.window.learning.pictures.chart,
                self.window.tabs,
            )
            return [(w.winfo_rooty(), w.winfo_height()) for w in widgets]

        before = places()
        self.begin()
        self.assertEqual(places(), before)
        self.report(moment(123_456_789, 0.5), Measured(9, "myopic", 0.5, 0.5, 9, 0, (0.5,) * 12))
        self.assertEqual(places(), before)
        self.report(Ended("The disk is full, and this explains at length what to do about it." * 2))
        self.assertEqual(places(), before)
