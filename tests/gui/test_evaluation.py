"""The evaluation window: its figures are the judge's, its rows outlive Stop, proofs can be seen."""

from __future__ import annotations

import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests.gui.test_training_window import buttons_in
from tests.kit.windows import WindowTestCase
from traffic_lights.board.exact import BUDGET
from traffic_lights.gui.evaluation import window as evaluation_window
from traffic_lights.gui.evaluation.model import words_of_proof, words_of_stop, words_of_walk
from traffic_lights.gui.evaluation.window import SIZE, EvaluationWindow
from traffic_lights.gui.game.own_bots import register_table
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import evaluate
from traffic_lights.judging.proof import Proof, SeatProof, Walked
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.players.contestants import Contestant
from traffic_lights.system.folders import shipped_tables
from traffic_lights.training.notes import Facts
from traffic_lights.training.own_tables import OwnTables
from traffic_lights.workers.evaluation import Contender, PairMeasured


class EvaluationWindowTests(WindowTestCase):
    window: EvaluationWindow

    def setUp(self) -> None:
        super().setUp()
        self.window = self.app.windows.evaluate()
        self.window.model.start([])
        self.addCleanup(self.window.model.start, [])
        self.addCleanup(self._close)
        self.app.root.update()

    def _close(self) -> None:
        if self.window.winfo_exists():
            self.window.close()

    @property
    def said(self) -> str:
        return str(self.window.view.said.cget("text")).replace("\N{NO-BREAK SPACE}", " ")

    def test_a_figure_and_its_sign_stay_on_one_line(self) -> None:
        self.window.view.say("About 0 % won.")
        self.assertNotIn(" %", self.window.view.said.cget("text"))

    def run_it(self, bots: list[str], opponents: list[str], games: str, seed: str = "1") -> None:
        form = self.window.form
        form.bots.choose(bots)
        form.opponents.choose(opponents)
        form.variables["games"].set(games)
        form.variables["seed"].set(seed)
        self.app.root.update()
        self.window.run_button.invoke()

    def wait_for_end(self) -> None:
        self.wait(lambda: not self.window.is_running)

    def test_the_figures_are_those_of_the_judge(self) -> None:
        self.run_it(["qbot", "exact"], ["myopic", "exact"], "400", "7")
        self.wait_for_end()
        table = read_table(shipped_tables() / "complete.json")
        bots = {"qbot": Contestant("QBot", table), "exact": Contestant("exact")}
        opponents = [Contestant("myopic"), Contestant("exact")]
        for key, bot in bots.items():
            rows = evaluate(bot, opponents, 400, 7, budget=BUDGET)
            direct = {row.opponent: row for row in rows if row.is_complete}
            for opponent in opponents:
                row = self.window.model.rows[key, opponent.name]
                self.assertEqual(reports.cells(row), reports.cells(direct[opponent.name]))
        self.assertIn("Over every line of play the true score is 50.00 %: 0 %", self.said)
        self.assertIn("Nobody can score more than 50 %", self.said)

    def test_stop_keeps_the_rows_and_another_window_shows_them(self) -> None:
        self.run_it(["myopic"], ["random", "horizon-5"], "5,000")
        self.wait(lambda: ("myopic", "random") in self.window.model.rows)
        self.window.stop_button.invoke()
        self.assertFalse(self.window.is_running)
        self.assertTrue(self.said.startswith("Stopped."), self.said)
        count = len(self.window.view.list.get_children())
        self.assertGreaterEqual(count, 1)
        self.window.close()
        self.window = self.app.windows.evaluate()
        self.assertEqual(len(self.window.view.list.get_children()), count)

    def test_columns_sort_both_ways(self) -> None:
        self.run_it(["qbot"], ["random", "myopic", "exact"], "60")
        self.wait_for_end()
        model, view = self.window.model, self.window.view
        view.sort_by("total")
        rates = [model.rows[pair].rate for pair in model.order()]
        self.assertEqual(rates, sorted(rates, reverse=True))
        view.sort_by("total")
        self.assertEqual([model.rows[pair].rate for pair in model.order()], rates[::-1])
        self.assertIn("▴", view.list.heading("total")["text"])

    def test_rows_go_out_as_markdown_and_csv(self) -> None:
        self.run_it(["qbot"], ["random"], "40")
        self.wait_for_end()
        self.window.copy()
        self.assertTrue(self.app.root.clipboard_get().startswith("| bot | opponent | games |"))
        path = self.app.desk.keeper.folder / "rows.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.window.save(path)
        self.assertEqual(len(path.read_text("utf-8").splitlines()), 2)
        nowhere = Path("/nowhere/at/all.csv")
        self.window.save(nowhere)
        self.assertIn(str(nowhere), self.said)

    def test_wrong_numbers_and_empty_choices_grey_run(self) -> None:
        form = self.window.form
        form.variables["games"].set("none")
        self.app.root.update()
        self.assertIn("from 1 to", form.complaints["games"].cget("text"))
        self.assertTrue(self.window.run_button.instate(["disabled"]))
        form.variables["games"].set("10")
        self.assertFalse(self.window.run_button.instate(["disabled"]))
        form.opponents.choose([])
        self.assertTrue(self.window.run_button.instate(["disabled"]))

    def test_three_bots_against_four_have_twelve_bars_that_can_be_seen(self) -> None:
        *_, row = evaluate(Contestant("myopic"), [Contestant("random")], 20)
        model, view = self.window.model, self.window.view
        for bot in ("myopic", "exact", "x" * 40):
            for opponent in ("random", "alternate", "myopic", "exact"):
                model.take(PairMeasured(bot, opponent, replace(row, opponent=opponent)))
        view.show_rows()
        self.app.root.update()
        bars = view.bars
        kinds = [str(bars.tk.call(str(bars), "type", item)) for item in bars.find_all()]
        self.assertEqual(kinds.count("rectangle"), 12)
        left, top, right, bottom = bars.bbox("all")
        self.assertGreaterEqual(min(left, top), 0)
        self.assertLessEqual((right, bottom), (bars.winfo_width(), bars.winfo_height()))
        self.assertTrue(view.scroll.is_scrolling)
        width = view.list.column("bot", "width")
        self.assertGreater(width, self.app.desk.theme.body.measure("x" * 40))

    def test_no_column_is_out_of_sight_at_first_and_none_appears_later(self) -> None:
        *_, row = evaluate(Contestant("myopic"), [Contestant("random")], 20)
        model, view = self.window.model, self.window.view
        bots = [Contender("exact", "Exact player"), Contender("qbot", "QBot")]
        model.start(bots, len(bots))
        view.show_rows()
        before = view.list.cget("displaycolumns")
        for bot in bots:
            model.take(PairMeasured(bot.key, "random", row))
            view.show_rows()
            self.app.root.update()
            self.assertEqual(view.list.cget("displaycolumns"), before)
        self.assertIn("bot", map(str, before))
        needed = sum(int(view.list.column(name, "width")) for name in before)
        beside = self.window.form.winfo_reqwidth()
        room = SIZE[0] * self.app.desk.theme.scale - beside
        self.assertLess(needed, 1.1 * room, "some fonts are wider")

    def test_a_proof_without_slips_says_so(self) -> None:
        self.window.form.choose_bot("qbot")
        self.window.prove_button.invoke()
        self.wait_for_end()
        self.assertIn("0 slips in", self.said)
        self.assertTrue(self.window.game_button.instate(["disabled"]))

    def test_a_bot_that_can_be_beaten_is_beaten_on_the_board(self) -> None:
        tables = OwnTables(self.app.desk.keeper.folder)
        folder = tables.new_folder()
        write_table(folder / "qtable.json", _stubborn())
        table = tables.add(folder, "Stubborn", Facts())
        self.window.close()
        self.window = self.app.windows.evaluate(table.key, prove=True)
        self.wait_for_end()
        self.assertIn("The shortest game that beats it", self.said)
        self.assertTrue(self.window.game_button.instate(["!disabled"]))
        self.window.game_button.invoke()
        proof, session = self.window.proof, self.app.session
        assert proof is not None
        assert proof.beaten_seat is not None
        self.assertEqual(session.game.actions, proof.counterexample)
        self.assertEqual(session.players[proof.beaten_seat].name, "Stubborn")
        self.assertEqual(session.index, 0)

    def test_a_bot_that_is_renamed_has_its_new_name_in_form_and_rows(self) -> None:
        tables = OwnTables(self.app.desk.keeper.folder)
        folder = tables.new_folder()
        write_table(folder / "qtable.json", _stubborn())
        table = tables.add(folder, "Stubborn", Facts())
        register_table(self.app.desk, table)
        key = f"own-{table.key}"
        self.run_it([key], ["random"], "20")
        self.wait_for_end()
        tables.rename(table.key, "Wayward")
        register_table(self.app.desk, replace(table, name="Wayward"))
        self.assertEqual(self.window.form.bots.boxes[key].cget("text"), "Wayward")
        self.assertEqual(self.window.form.bots.chosen(), [key])
        (row,) = self.window.view.list.get_children()
        self.assertEqual(self.window.view.list.set(row, "bot"), "Wayward")

    def test_arrows_move_between_boxes_and_tab_leaves_them(self) -> None:
        boxes = list(self.window.form.bots.boxes.values())
        self.key("<Up>", "<Down>", "<Down>", widget=boxes[0])
        self.key("<Down>", widget=boxes[0])
        self.assertIs(self.window.focus_get(), boxes[1])
        following = boxes[1].tk_focusNext()
        self.assertIs(following, next(iter(self.window.form.opponents.boxes.values())))
        assert following is not None
        self.assertIs(following.tk_focusPrev(), boxes[1], "the box that was left")
        self.key("<Up>", widget=boxes[0])
        self.assertIs(self.window.focus_get(), boxes[-1])

    def test_escape_asks_before_it_stops_what_is_under_way(self) -> None:
        self.window.form.variables["games"].set("1,000,000")
        self.window.run()
        self.key("<Escape>", widget=self.window.stop_button)
        question = next(w for w in self.window.winfo_children() if isinstance(w, Dialog))
        self.assertTrue(self.window.is_running)
        buttons_in(question)["Go On"].invoke()
        self.assertTrue(self.window.is_running)
        self.key("<Escape>", widget=self.window.stop_button)
        question = next(w for w in self.window.winfo_children() if isinstance(w, Dialog))
        buttons_in(question)["Stop and Close"].invoke()
        self.assertFalse(self.window.winfo_exists())

    def test_a_window_that_is_closed_twice_is_closed_once(self) -> None:
        _, *others = self.app.desk.on_quit
        link = mock.Mock(is_over=False, **{"take.return_value": []})
        link.retire.side_effect = lambda _: self.window.close()  # while it waits for the process
        with mock.patch.object(evaluation_window, "WorkerLink", return_value=link):
            self.window.run()
        self.window.close()
        self.window.close()
        self.assertFalse(self.window.winfo_exists())
        self.assertEqual(self.app.desk.on_quit, others)

    def test_a_quit_stops_what_is_under_way_only_when_nobody_objects(self) -> None:
        desk = self.app.desk
        self.window.form.variables["games"].set("1,000,000")
        self.window.run()

        def object_to_it(_: object) -> bool:
            return True

        desk.ask_before_quitting(object_to_it)
        self.addCleanup(desk.forget_guard, object_to_it)
        desk.quit()
        self.assertTrue(self.window.is_running)
        desk.forget_guard(object_to_it)
        self.assertEqual(desk.on_quit[-1], self.app.close, "when all else has ended")
        with mock.patch.object(desk, "on_quit", desk.on_quit[:-1]):
            desk.quit()
        self.assertFalse(self.window.is_running)

    def test_a_long_silence_is_explained(self) -> None:
        silent = mock.Mock(is_over=False, **{"take.return_value": []})
        with mock.patch.object(evaluation_window, "WorkerLink", return_value=silent):
            self.window.run()
        self.assertNotIn("Still at work", self.said)
        self.wait(lambda: "Still at work" in self.said)
        self.window.stop()
        self.assertNotIn("Still at work", self.said)

    def test_more_slips_than_positions_are_explained(self) -> None:
        for slips, is_explained in ((9, True), (2, False)):
            text = words_of_proof("One", Proof(SeatProof(3, slips), SeatProof(1, 0), None))
            self.assertIn(f"with {slips} moves in 4 positions", text)
            self.assertEqual("each of those counts" in text, is_explained)

    def test_a_proof_that_is_stopped_says_what_it_found(self) -> None:
        words = [Walked(0, 15, 222_291, 1_577_447), Walked(1, 3, 20, 0)]
        said = mock.Mock(is_over=False, **{"take.side_effect": [words, *[[]] * 9999]})
        self.window.form.choose_bot("qbot")
        with mock.patch.object(evaluation_window, "WorkerLink", return_value=said):
            self.window.prove()
        self.assertNotIn("16, 222", words_of_walk(words[0]))
        self.wait(lambda: "20 positions" in self.said)
        self.window.stop()
        self.assertIn("not perfect: as Player 1 it can throw a win away with 1,577,447", self.said)
        self.assertNotIn("not perfect", words_of_stop(words[1]))

    def test_a_table_that_is_gone_is_named(self) -> None:
        tables = OwnTables(self.app.desk.keeper.folder)
        folder = tables.new_folder()
        (folder / "qtable.json").write_text("no table")
        table = tables.add(folder, "Broken", Facts())
        self.window.close()
        self.window = self.app.windows.evaluate(table.key)
        self.window.run_button.invoke()
        self.wait_for_end()
        self.assertIn(str(folder / "qtable.json"), self.said)


def _stubborn() -> QTable:
    """Return a table that always plays the lowest action, and knows next to nothing."""
    table = QTable()
    table.set_value(0, 0, 0.5)
    table.meta["ties"] = "first"
    return table


if __name__ == "__main__":
    unittest.main()
