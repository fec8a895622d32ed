"""The slider of the Workshop: what it shows and plays is the bot as it was."""

from __future__ import annotations

import unittest

from tests.gui.test_workshop import WorkshopTestCase
from tests.kit.eye import faults
from tests.kit.samples import PROJECT
from traffic_lights.board.rules import parse_cell
from traffic_lights.gui.workshop.inside import NO_GAME
from traffic_lights.gui.workshop.learning import HistoryBar
from traffic_lights.learning.lesson import lesson
from traffic_lights.learning.tablefile import read_meta, read_table, write_table
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.training.bots import playing_path
from traffic_lights.training.history import make_snapshots, milestones, table_after

TABLE = PROJECT / "qtables" / "myopic-200.json"
KEY = "bot:One"


class HistoryTests(WorkshopTestCase):
    names = ("One",)

    def setUp(self) -> None:
        super().setUp()
        bot = self.own("One")
        playing_path(bot).write_bytes(TABLE.read_bytes())
        self.open(key=KEY)

    @property
    def bar(self) -> HistoryBar:
        return self.window.learning.history

    @property
    def words(self) -> str:
        return str(self.bar.text.cget("text"))

    def keep(self) -> None:
        """Keep the snapshots of the bot, and show it again."""
        list(make_snapshots(self.own("One").folder, read_meta(TABLE)))
        self.window.refill("new")
        self.window.refill(KEY)
        self.app.root.update()

    def drag(self, place: int) -> None:
        self.bar.scale.set(place)
        self.app.root.update()

    def test_the_first_drag_makes_the_snapshots_and_later_ones_answer_at_once(self) -> None:
        self.assertIn("Drag the slider", self.words)
        self.drag(3)
        self.wait(lambda: "snapshots" not in self.words, 30)
        self.assertIn("After 7 games, the bot won", self.words)
        for place, games in enumerate(milestones(200)[:-1]):
            self.drag(place)
            self.assertEqual(self.bar.key, f"{KEY}:{games}")
            self.assertEqual(self.window.learning.chart_shown.mark, games)
        self.drag(len(milestones(200)) - 1)
        self.assertEqual((self.bar.key, self.window.learning.chart_shown.mark), ("", None))

    def test_the_tab_inside_shows_what_the_bot_believed_then(self) -> None:
        self.keep()
        self.drag(8)
        self.window.tabs.select(str(self.window.inside))  # type: ignore[no-untyped-call]
        self.wait(lambda: self.window.inside._table is not None)
        then, shown = table_after(read_meta(TABLE), 100), self.window.inside._table
        assert shown is not None
        self.assertEqual(list(shown.states()), list(then.states()))
        self.assertIn("(100 games)", str(self.window.inside.note.cget("text")))

    def test_the_bot_as_it_was_can_be_played(self) -> None:
        self.keep()
        self.assertTrue(self.bar.button.instate(["disabled"]))
        self.drag(0)
        self.bar.button.invoke()
        players = self.context.session.players
        self.assertEqual([p.bot for p in players if not p.is_human], [f"{KEY}:1"])
        self.assertEqual(self.context.roster.entry(f"{KEY}:1").name, "One (1 game)")

    def test_an_imported_bot_says_why_it_has_no_slider(self) -> None:
        path = playing_path(self.own("One"))
        table = read_table(path)
        table.meta = {"imported": {}}
        write_table(path, table)
        self.keep()
        self.assertIn("cannot be made again", self.words)
        self.assertFalse(self.bar.scale.winfo_manager())

    def test_a_game_is_replayed_and_its_lesson_runs_backwards(self) -> None:
        table = read_table(TABLE)
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        self.window.tabs.select(str(self.window.inside))  # type: ignore[no-untyped-call]
        inside = self.window.inside
        self.wait(lambda: inside._table is not None)
        inside.replay.invoke()
        self.assertEqual(inside.text.cget("text"), NO_GAME)
        game = Game(actions=actions, players=(HUMAN, Player(KEY, "One")))
        self.context.session.open_game(game)
        self.context.changed()
        inside.replay.invoke()
        self.wait(lambda: inside.moves)
        shown = [str(inside.text.cget("text"))]
        while inside.step.instate(["!disabled"]):
            inside.step.invoke()
            shown.append(str(inside.text.cget("text")))
        steps = lesson(table, actions, 1, "terminal", 0.2, 1.0)
        self.assertEqual(shown[len(actions) :], [step.text(0.2) for step in steps])
        self.assertEqual(inside.moves, actions[:1])
        inside.step_back.invoke()
        self.assertEqual(inside.moves, actions[:2])

    def test_nothing_is_cut_off(self) -> None:
        self.keep()
        self.drag(4)
        self.assertEqual(faults(self.window), [])


if __name__ == "__main__":
    unittest.main()
