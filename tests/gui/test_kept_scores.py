"""The rows of the Strength tab that are kept."""

import unittest
from dataclasses import replace

from traffic_lights.gui.workshop.kept_scores import plain, rows_of
from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.players.external import Program
from traffic_lights.players.roster import Entry, Group, Roster

QBOT, RANDOM = map(Roster().entry, ("qbot", "random"))
PROGRAM = Entry("program-1", "Mine", "", Group.PROGRAM, Program("mine", "Mine"))
ROW = Row(QBOT, RANDOM, 200, SeatScore(100, 99), SeatScore(100, 100), 180)
ENTRIES = {entry.key: entry for entry in (QBOT, RANDOM, PROGRAM)}


class KeptRowTests(unittest.TestCase):
    def test_only_rows_that_will_still_be_true_are_kept(self) -> None:
        rows = [ROW, replace(ROW, opponent=PROGRAM), replace(ROW, opponent=QBOT, planned=400)]
        kept = plain(rows)
        self.assertEqual(list(rows_of(kept, ENTRIES)), [ROW])
        self.assertEqual(list(rows_of(kept, {QBOT.key: QBOT})), [], "Random is gone")
        self.assertEqual(list(rows_of({**kept, "program": "1.4"}, ENTRIES)), [])
