"""The Strength tab: the matrix, the facts of a pair, and the process that plays."""

import gc
import sys
import threading
import tkinter as tk
from dataclasses import replace
from pathlib import Path
from tkinter import filedialog
from unittest import mock

from tests.kit.quick import FakeJob, ThreadWorker, threads_for_processes
from tests.kit.trained import shipped
from tests.kit.windows import WindowTestCase, destroy
from tests.kit.workshop import value_of
from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.gui.kit import jobs
from traffic_lights.gui.workshop import evaluator
from traffic_lights.gui.workshop.evaluator import ALL_PLAYED, PLAYING
from traffic_lights.gui.workshop.pair_facts import EXACT as EXACT_SCORE
from traffic_lights.gui.workshop.pair_facts import PLAYED
from traffic_lights.gui.workshop.strength_tab import (
    FIND_LOSS,
    LEGEND,
    SHOW_LOSS,
    StrengthTab,
)
from traffic_lights.judging import evaluation, reports
from traffic_lights.judging.evaluation import STANDARD_OPPONENTS, Row, SeatScore, evaluate
from traffic_lights.judging.proof import Loss
from traffic_lights.learning.rowtable import copy_of
from traffic_lights.learning.tablefile import write_table
from traffic_lights.play import userdata
from traffic_lights.players.roster import Roster
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training.own_bots import Bots, playing_path
from traffic_lights.workshop.bars import draw_scores
from traffic_lights.workshop.comparing import TOO_MANY, score_text
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.drawings import Text

ROSTER = Roster()
QBOT, RANDOM, MYOPIC, EXACT = map(ROSTER.entry, ("qbot", "random", "myopic", "exact"))
ROW = Row(QBOT, MYOPIC, 200, SeatScore(100, 99), SeatScore(100, 100), 180)
BUDGET = 5_000
"""The positions for a seat up to which an exact score is looked for."""


class StrengthTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(jobs, "POLL_MS", 10))
        self.use(FakeJob)
        self.folder = self.app.context.userdata.folder
        self.top = tk.Toplevel(self.app.root)
        self.addCleanup(self.top.destroy)
        self.top.wm_geometry("800x560")
        self.roster = self.app.context.roster
        self.tab = StrengthTab(self.top, self.app.context, Curves())
        self.tab.pack(fill=tk.BOTH, expand=True)
        self.tab.show("qbot")

    def test_what_is_left_of_a_closed_tab_can_be_collected_by_any_thread(self) -> None:
        top = tk.Toplevel(self.app.root)
        tab = StrengthTab(top, self.app.context, Curves())
        tab.opener.invoke()
        destroy(top)
        del top, tab
        with mock.patch.object(sys, "unraisablehook") as failed:
            thread = threading.Thread(target=gc.collect)
            thread.start()
            thread.join()
        failed.assert_not_called()

    @property
    def said(self) -> str:
        return str(self.tab.status.cget("text"))

    @property
    def verdict(self) -> str:
        return str(self.tab.verdict.cget("text")).replace("\N{NO-BREAK SPACE}", " ")

    @property
    def notes(self) -> str:
        return str(self.tab.notes.cget("text"))

    def type(self, **texts: str) -> None:
        for name, text in texts.items():
            field = self.tab.fields[name]
            field.delete(0, tk.END)
            field.insert(0, text)
            self.key("<Key-Right>", widget=field)
            self.key("<KeyRelease-Right>", widget=field)

    def click_pair(self, row: int, column: int) -> None:
        matrix = self.tab.matrix
        cells = [item for item in matrix.find_all() if str(matrix.type(item)) == "rectangle"]
        x, y, *_ = matrix.coords(cells[len(self.tab.opponents) * row + column])
        matrix.event_generate("<Button-1>", x=round(x) + 5, y=round(y) + 5)
        self.app.root.update()

    def drawn(self, kind: str, option: str) -> list[str]:
        """Return an *option* of each item of a *kind* on the matrix."""
        matrix = self.tab.matrix
        items = [item for item in matrix.find_all() if str(matrix.type(item)) == kind]
        return [str(matrix.itemcget(item, option)) for item in items]  # type: ignore[no-untyped-call]

    def report(self, *reports: object) -> None:
        """Have the process that plays report."""
        job = FakeJob.last
        job.reports += reports
        self.wait(lambda: not job.reports)

    def play(self, *rows: Row) -> None:
        """Play all pairs; the process reports *rows* and ends."""
        self.tab.run()
        self.report(*rows, Ended())

    def use(self, worker: object) -> None:
        """Have workers of this class play."""
        self.enterContext(mock.patch.object(evaluator, "Worker", worker))

    def finish(self) -> None:
        self.wait(lambda: not self.tab.evaluator.is_running)

    def test_its_figures_are_those_of_a_direct_run_with_the_same_seed(self) -> None:
        self.enterContext(threads_for_processes())
        self.use(ThreadWorker)
        self.enterContext(mock.patch.object(evaluation, "BUDGET", BUDGET))
        self.type(Games="60")
        self.type(Seed="5")
        self.tab.run_button.invoke()
        self.finish()
        opponents = [self.roster.entry(key) for key in STANDARD_OPPONENTS]
        direct = evaluate(self.roster.entry("qbot"), opponents, 60, 5, budget=BUDGET)
        last = {row.opponent.key: row for row in direct}
        rows = [replace(row, is_final=True) for row in last.values()]
        self.assertEqual(list(self.tab.evaluator.rows.values()), rows)
        self.tab.copy()
        self.assertEqual(self.tab.clipboard_get(), reports.markdown(reports.table(rows)))
        path = Path(self.folder, "rows.csv")
        with mock.patch.object(filedialog, "asksaveasfilename", return_value=str(path)):
            self.tab.save_button.invoke()
        self.assertEqual(path.read_text("utf-8"), reports.to_csv(rows))
        self.click_pair(0, STANDARD_OPPONENTS.index("exact"))
        self.assertEqual(self.tab.facts.set("exact.total", "value"), "50.00 %")

    def test_stop_keeps_what_was_played_and_run_plays_the_rest(self) -> None:
        self.use(Worker)
        self.type(Games="1,000,000")
        self.tab.run()
        self.wait(lambda: self.tab.evaluator.rows)
        self.tab.run_button.invoke()
        self.assertFalse(self.tab.evaluator.is_running)
        (row,) = self.tab.evaluator.rows.values()
        self.assertGreater(row.games, 0)
        self.assertIn("Stopped.", self.said)
        self.use(FakeJob)
        self.type(Games="200")
        final = replace(ROW, is_final=True)
        self.play(final)
        self.tab.run()
        (left, *_) = FakeJob.last.started.args
        others = [key for key in STANDARD_OPPONENTS if key != "myopic"]
        self.assertEqual([other.key for _, other in left], others)
        self.report(*(replace(final, opponent=other) for _, other in left), Ended())
        self.tab.run()
        self.assertEqual((self.said, {*self.tab.evaluator.rows}), (ALL_PLAYED, {*self.tab.pairs}))
        self.type(Seed="2")
        self.tab.run()
        self.assertEqual(self.tab.evaluator.rows, {}, "no table has games of two seeds")
        self.tab.evaluator.stop()

    def test_a_row_of_a_table_that_has_changed_is_not_shown(self) -> None:
        table = copy_of(shipped("selfplay-1000"))
        path = playing_path(Bots(self.folder).create("Mine"))
        write_table(path, table)
        self.tab.show("bot:Mine")
        for value, left in ((None, 1), (0.5, 0)):
            mine = self.roster.entry("bot:Mine")
            self.play(replace(ROW, bot=mine, opponent=RANDOM))
            if value is not None:
                table.set_value(0, 0, value)
                write_table(path, table)
            self.tab.show("bot:Mine")
            self.assertEqual(len(self.tab.evaluator.rows), left)

    def test_a_bot_that_trains_while_it_plays_keeps_no_score_and_holds_up_no_other(self) -> None:
        table = copy_of(shipped("selfplay-1000"))
        path = playing_path(Bots(self.folder).create("Mine"))
        write_table(path, table)
        self.tab.show("bot:Mine", {"qbot"})
        self.tab.set_opponents({"random"})
        self.tab.run()
        mine = replace(ROW, bot=self.roster.entry("bot:Mine"), opponent=RANDOM)
        other = replace(ROW, opponent=RANDOM)
        self.report(mine, other)
        table.set_value(0, 0, 0.5)
        write_table(path, table)
        self.tab.show("bot:Mine", {"qbot"})
        self.report(replace(mine, exact=ExactScore(0.5, 0.5), is_final=True))
        self.assertEqual(self.tab.evaluator.rows, {("qbot", "random"): other})
        self.assertIn("1 of 2 tried", self.said)
        self.tab.evaluator.stop()

    def test_a_student_reads_no_score_of_before_a_training_when_the_bot_is_renamed(self) -> None:
        table = copy_of(shipped("selfplay-1000"))
        bots = Bots(self.folder)
        path = playing_path(bots.create("Mine"))
        write_table(path, table)
        self.tab.show("bot:Mine")
        mine = self.roster.entry("bot:Mine")
        self.play(replace(ROW, bot=mine, opponent=RANDOM), replace(ROW, opponent=mine))
        for old, new, rows in (("Mine", "Other", 2), ("Other", "Newest", 0)):
            bot = self.roster.entry(f"bot:{old}").own
            assert bot is not None
            path = playing_path(bots.rename(bot, new))
            self.app.context.bot_renamed(f"bot:{old}", f"bot:{new}")
            self.tab.rename(f"bot:{old}", f"bot:{new}")
            self.tab.evaluator.find_loss(QBOT)
            self.report(Ended())
            self.assertEqual(len(self.tab.evaluator.rows), rows)
            table.set_value(0, 0, 0.5)
            write_table(path, table)

    def test_what_was_found_of_a_bot_goes_when_it_has_changed_as_an_opponent_too(self) -> None:
        table = copy_of(shipped("selfplay-1000"))
        path = playing_path(Bots(self.folder).create("Mine"))
        write_table(path, table)
        self.tab.show("bot:Mine")
        self.tab.beat_button.invoke()
        self.report(Loss((0, 4, 1, 5, 2)))
        self.assertEqual(self.tab.beat_button.cget("text"), SHOW_LOSS)
        self.tab.show("qbot")
        self.tab.set_opponents({"bot:Mine"})
        self.play(replace(ROW, opponent=self.roster.entry("bot:Mine")))
        table.set_value(0, 0, 0.5)
        write_table(path, table)
        self.tab.show("qbot")
        self.assertEqual(self.tab.evaluator.rows, {})
        self.tab.show("bot:Mine")
        self.assertEqual(self.tab.beat_button.cget("text"), FIND_LOSS)

    def test_a_student_finds_the_scores_again_after_a_restart_unless_a_bot_has_changed(
        self,
    ) -> None:
        table = copy_of(shipped("selfplay-1000"))
        path, other_path = (playing_path(Bots(self.folder).create(name)) for name in ("A", "B"))
        write_table(path, table)
        write_table(other_path, table)
        self.tab.show("bot:A", {"bot:B"})
        mine, other = map(self.roster.entry, ("bot:A", "bot:B"))
        self.tab.set_opponents({"random", "myopic"})
        self.type(Games="200", Seed="5")
        self.tab.run()
        table.set_value(0, 0, 0.25)
        write_table(other_path, table)  # it was trained while it played
        exact = replace(ROW, exact=ExactScore(0.5, 0.75), is_final=True)
        by_random = replace(exact, bot=RANDOM, opponent=mine)
        played = replace(ROW, opponent=RANDOM)
        self.report(replace(exact, bot=other), replace(exact, bot=mine), by_random, exact, played)
        self.assertEqual(len(self.restarted().evaluator.rows), 4, "if the program is killed now")
        self.tab.evaluator.stop()
        self.use(lambda *_: self.fail("what is known is played again"))
        always = {("qbot", "myopic"), ("qbot", "random")}
        for rows in (always | {("bot:A", "myopic"), ("random", "bot:A")}, always):
            again = self.restarted()
            self.assertEqual(again.evaluator.rows.keys(), rows)
            self.assertEqual(again.evaluator.rows["qbot", "myopic"], exact)
            self.assertEqual(again.numbers(), [200, 5])
            again.show("qbot")
            again.set_opponents({"myopic"})
            again.run()
            self.assertEqual(again.status.cget("text"), ALL_PLAYED)
            write_table(path, table)
        with mock.patch.object(userdata, "__version__", "1.5"):
            another = self.restarted()
        self.assertEqual(another.evaluator.rows, {}, "the players of another version may differ")

    def restarted(self) -> StrengthTab:
        """Return the tab as it is after a restart of the program."""
        self.app.context.userdata.finish()
        return StrengthTab(self.top, self.app.context, Curves())

    def test_a_game_that_beats_the_bot_comes_on_the_board_only_when_asked(self) -> None:
        self.tab.beat_button.invoke()
        self.assertIn("Looking for a game", self.said)
        with mock.patch.object(self.app.context.log, "add") as log:
            self.report(Ended("out of order", "why"))
        self.assertEqual(self.said, "Out of order.")
        log.assert_called_once_with("why")
        session = self.app.context.session
        before = session.game
        for moves, words, label in (
            (None, "never blunders", FIND_LOSS),
            ((0, 4, 1, 5, 2), "as Player 2, QBot loses in 3 moves: a1 a2 b1 b2 c1", SHOW_LOSS),
        ):
            self.tab.beat_button.invoke()
            self.report(Loss(moves))
            self.assertIn(words, self.said)
            self.assertEqual(self.tab.beat_button.cget("text"), label)
            self.assertEqual(session.game, before)
        self.tab.show("myopic")
        self.assertEqual(self.tab.beat_button.cget("text"), FIND_LOSS)
        self.tab.show("qbot")
        self.assertEqual(self.said, LEGEND, "what the signs mean stands under later results")
        self.tab.beat_button.invoke()
        self.assertEqual(session.game.actions, (0, 4, 1, 5, 2))
        self.assertEqual([player.bot for player in session.players], [None, "qbot"])
        self.tab.run_button.invoke()
        self.assertEqual(self.said, PLAYING)
        self.tab.evaluator.stop()
        self.assertTrue(FakeJob.last.is_over)

    def test_a_student_reads_one_score_in_the_cell_and_below_and_exact_only_if_it_is(self) -> None:
        self.play(replace(ROW, opponent=RANDOM, exact=ExactScore(0.5, 1.0)), ROW)
        opponents = STANDARD_OPPONENTS
        self.click_pair(0, opponents.index("myopic"))
        cells = dict(zip(opponents, self.drawn("text", "text")[-len(opponents) :], strict=True))
        self.assertEqual((cells.pop("random"), cells.pop("myopic")), ("75.00 %", "≈ 99.5 %"))
        self.assertEqual(set(cells.values()), {""})
        self.assertEqual(self.tab.facts.set("rate", "value"), "99.5 %", "as in the cell")

    def test_a_student_reads_first_which_bot_is_better_and_the_rest_if_it_is_wanted(self) -> None:
        self.assertEqual(self.verdict, "Press Run to see whether QBot is better than Random.")
        self.assertFalse(self.tab.picture.winfo_manager())
        self.tab.run()
        self.assertEqual(self.verdict, "QBot has not played Random yet.")
        self.tab.evaluator.stop()
        self.tab.show("qbot", {"random"})
        self.play(ROW, replace(ROW, bot=RANDOM))
        self.click_pair(1, STANDARD_OPPONENTS.index("myopic"))
        pair, other = self.verdict.split("\n")
        self.assertIn("QBot is better than Myopic", pair)
        self.assertIn("QBot or Random", other)
        facts = self.tab.facts
        self.assertEqual(facts.get_children(), PLAYED)
        self.assertEqual([bar.name for bar in value_of(self.tab.picture).bars], ["Random", "QBot"])
        self.tab.all_box.invoke()
        self.assertIsNone(self.tab.picture.value, "the figures need the room")
        self.assertEqual(len(facts.get_children()), len(reports.SHOWN))
        self.tab.all_box.invoke()
        self.play(replace(ROW, exact=ExactScore(0.5, 1.0)))
        self.assertEqual(facts.get_children(), EXACT_SCORE)

    def test_a_student_sees_the_bars_of_all_bots_that_are_compared_in_a_low_window(self) -> None:
        self.addCleanup(self.top.wm_geometry, "800x560")
        self.top.wm_geometry("800x300")
        self.tab.set_opponents({"random"})
        bots = self.roster.levels()
        self.tab.show("beginner", [bot.key for bot in bots])
        self.play(*(replace(ROW, bot=bot, opponent=RANDOM) for bot in bots))
        self.app.root.update()
        picture = self.tab.picture
        drawn = draw_scores(value_of(picture), picture.room)
        names = {shape.text for shape in drawn if isinstance(shape, Text)}
        self.assertLessEqual({bot.name for bot in bots}, names)

    def test_arrows_move_through_the_matrix_and_numbers_are_checked(self) -> None:
        self.tab.show("qbot", {"myopic"})
        self.assertEqual(self.tab.chosen, ("qbot", "random"))
        second = STANDARD_OPPONENTS[1]
        for key, pair in (("Right", ("qbot", second)), ("Up", ("myopic", second)),
                          ("Left", ("myopic", "random")), ("Left", ("myopic", "random")),
                          ("Down", ("qbot", "random"))):  # fmt: skip
            self.key(f"<{key}>", widget=self.tab.matrix)
            self.assertEqual(self.tab.chosen, pair)
        self.type(Games="many")
        self.assertEqual(self.tab.fields["Games"].cget("style"), "Wrong.TEntry")
        self.assertTrue(self.tab.run_button.instate(["disabled"]))

    def test_what_is_left_and_what_can_be_done_is_shown_while_they_play(self) -> None:
        def able() -> set[str]:
            buttons = (self.tab.run_button, self.tab.copy_button, self.tab.save_button,
                       self.tab.beat_button)  # fmt: skip
            return {str(b.cget("text")) for b in buttons if b.instate(["!disabled"])}

        self.assertEqual(able(), {"Run", FIND_LOSS})
        self.tab.set_opponents({"random", "myopic"})
        self.type(Games="200")
        self.key("<Return>", widget=self.tab.fields["Games"])
        self.assertEqual((able(), self.said), ({"Stop"}, PLAYING))
        used = [key for key in ("qbot", "myopic", "exact") if self.tab.evaluator.uses(key)]
        self.assertEqual(used, ["qbot", "myopic"], "so that they are not renamed or deleted")
        self.assertIn("true score", self.tab.facts.set("interval", "about"), "also after the run")
        started = SeatScore(0, 0), SeatScore(0, 0)
        for first, second, share in ((SeatScore(50, 20), SeatScore(50, 0), 25),
                                     (SeatScore(100, 40), SeatScore(100, 0), 50)):  # fmt: skip
            row = Row(QBOT, RANDOM, 200, first, second)
            self.report(row)
            self.assertAlmostEqual(float(self.tab.bar.cget("value")), share)
        self.assertEqual(score_text(Row(QBOT, RANDOM, 200, *started)), "…")
        self.assertIn("≈ 20.0 %", self.drawn("text", "text"))
        both = SeatScore(100, 40), SeatScore(100, 0), 200
        self.report(Row(QBOT, MYOPIC, 200, *both))
        self.assertRegex(self.said, "0 of 2 tried. Now: QBot against Random.")
        self.tab.copy_button.invoke()
        self.report(Row(QBOT, RANDOM, 200, *both, is_final=True))
        self.assertRegex(self.said, "on the clipboard.*1 of 2 tried. Now: QBot against Myopic.")
        self.assertAlmostEqual(float(self.tab.bar.cget("value")), 50)
        self.assertEqual(able(), {"Stop", "Copy as Markdown", "Save CSV…"})
        self.report(Ended(""))
        self.assertEqual(float(self.tab.bar.cget("value")), 0)
        self.assertEqual(self.notes, TOO_MANY, "why a student waits for no exact score")
        self.click_pair(0, 0)
        self.assertEqual(self.said, LEGEND)
        self.assertEqual(able(), {"Run", "Copy as Markdown", "Save CSV…", FIND_LOSS})
        self.tab.copy_button.invoke()
        self.assertEqual(self.said, "The table is on the clipboard.")
        self.tab.run_button.invoke()
        self.report(Ended("the disk is full"))
        self.assertEqual(str(self.tab.status.cget("style")), "Warning.TLabel")
        self.click_pair(0, 0)
        self.assertNotEqual(str(self.tab.status.cget("style")), "Warning.TLabel")

    def test_a_student_who_looks_at_another_bot_keeps_those_that_were_ticked(self) -> None:
        for key in ("random", "myopic", "exact"):
            self.tab.show(key, {"qbot", "myopic"})
            self.assertEqual({bot for bot, _ in self.tab.pairs}, {"qbot", "myopic", key})
            assert self.tab.chosen is not None
            self.assertEqual(self.tab.chosen[0], key)
        self.tab.set_opponents(set())
        self.tab.show("qbot", {"random"})
        self.tab.set_opponents({"myopic"})
        self.assertEqual(self.tab.chosen, ("qbot", "myopic"), "the bot that is looked at")

    def test_the_list_stays_open_while_players_are_ticked(self) -> None:
        picker = self.tab.picker
        self.tab.opener.invoke()
        self.app.root.update()
        self.assertEqual(picker.ticked, set(STANDARD_OPPONENTS))
        _, first, *_ = picker.list.get_children()  # after a heading
        self.assertEqual(picker.list.selection(), (first,))
        for key in ("planner", "beginner"):
            picker.list.see(key)
            self.app.root.update()
            box = picker.list.bbox(key)
            assert not isinstance(box, str)
            picker.list.event_generate("<Button-1>", x=box[0] + 5, y=box[1] + box[3] // 2)
            self.app.root.update()
            self.assertIn(key, self.tab.opponents)
            self.assertTrue(picker.is_open)
        self.key("<space>", widget=picker.list)
        self.assertNotIn("beginner", self.tab.opponents)
        self.key("<Down>", "<Return>", widget=picker.list)
        self.assertIn("casual", self.tab.opponents)
        self.key("<Escape>", widget=picker.list)
        self.assertFalse(picker.is_open)
        self.assertIs(self.app.root.focus_get(), self.tab.opener)
        self.tab.opener.invoke()
        self.tab.opener.invoke()
        self.assertFalse(picker.is_open)
        self.tab.opener.invoke()
        self.app.root.update()
        self.tab.matrix.focus_force()
        self.wait(lambda: not picker.is_open)

    def test_a_button_ticks_a_kind_of_players_and_takes_the_ticks_away(self) -> None:
        picker = self.tab.picker
        self.tab.opener.invoke()
        by_name = {str(button.cget("text")): button for button in picker.buttons}
        before = set(picker.ticked)
        levels = {entry.key for entry in self.roster.levels()}
        by_name["Levels"].invoke()
        self.assertEqual(self.tab.opponents, before | levels)
        by_name["Levels"].invoke()
        self.assertEqual(self.tab.opponents, before - levels)
        by_name["All"].invoke()
        self.assertEqual(self.tab.opponents, {e.key for e in self.roster.entries()})
        by_name["All"].invoke()
        self.assertEqual(self.tab.opponents, set())
        self.assertTrue(self.tab.run_button.instate(["disabled"]))
        by_name["Baselines"].invoke()
        self.assertEqual(self.tab.opponents, set(BASELINES))
