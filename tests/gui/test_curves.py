"""What is kept of bots: their curves, also of a training that is played again, and their scores."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from tests.kit.samples import measured
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.kept_scores import plain, rows_of
from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.players.external import Program
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.own_bots import OwnBot

MYOPIC, RANDOM = map(Roster().entry, ("myopic", "random"))
ROW = Row(MYOPIC, MYOPIC, 40, SeatScore(20, 15), SeatScore(20, 5), 38)


class CurvesTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.bot = OwnBot("bot:One", "One", folder, games=20)
        self.curves = Curves()

    def test_games_that_are_played_again_take_the_place_of_those_that_were_not_saved(self) -> None:
        for games in (10, 20, 30, 15, 25):
            self.curves.add(self.bot.key, measured(games, 0.5))
        points = self.curves.points[self.bot.key]
        self.assertEqual([point.games for point in points], [10, 15, 25])

    def test_the_wins_of_a_bot_are_those_of_its_last_measurement_against_myopic(self) -> None:
        entry = replace(MYOPIC, key=self.bot.key, score=None)
        self.assertIsNone(self.curves.rate(entry))
        for point in (measured(5, 0.1), measured(10, 0.5), measured(20, 0.8, "random")):
            self.curves.add(self.bot.key, point)
        self.assertEqual(self.curves.rate(entry), 0.5)

    def test_the_score_of_strength_ends_a_curve_until_the_bot_changes(self) -> None:
        points = [measured(games, 0.5, sampled=100) for games in (10, 20)]
        write_curve(self.bot.folder, points)
        self.curves.read([self.bot], "")
        row = replace(ROW, bot=replace(MYOPIC, key=self.bot.key, own=self.bot))
        for one, scores in ((row, (0.75, 0.25, 40)),
                            (replace(row, exact=ExactScore(0.4, 0.8)), (0.4, 0.8, 0))):  # fmt: skip
            self.curves.end_with(one)
            last = self.curves.points[self.bot.key][-1]
            self.assertEqual((last.first, last.second, last.sampled), scores)
        self.curves.read([self.bot], "")
        self.curves.end_with(replace(row, bot=replace(row.bot, own=replace(self.bot, games=30))))
        self.assertEqual(self.curves.points[self.bot.key][-1], points[-1])

    def test_only_scores_that_will_still_be_true_are_kept(self) -> None:
        program = Entry("program-1", "Mine", "", Group.PROGRAM, Program("mine", "Mine"))
        entries = {entry.key: entry for entry in (MYOPIC, RANDOM, program)}
        row = replace(ROW, opponent=RANDOM, planned=40)
        kept = plain([row, replace(row, opponent=program), replace(row, planned=400)])
        self.assertEqual([*rows_of(kept, entries)], [row])
        self.assertEqual([*rows_of(kept, {MYOPIC.key: MYOPIC})], [], "Random is gone")
        self.assertEqual([*rows_of({**kept, "program": "1.4"}, entries)], [])
