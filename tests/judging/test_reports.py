"""The columns of an evaluation, and its JSON object."""

import unittest
from dataclasses import replace

from traffic_lights.board.exact_score import ExactScore
from traffic_lights.judging.evaluation import Row, SeatScore, wilson_interval
from traffic_lights.judging.reports import COLUMNS, as_json, to_text
from traffic_lights.players.roster import Entry, Group, Roster

ROSTER = Roster()
MINE = Entry("mine.json", "mine.json", "", Group.TABLE)
OTHER = Entry("other.json", "other.json", "", Group.TABLE)
MYOPIC = Row(MINE, ROSTER.entry("myopic"), 2000, SeatScore(500, 150, 12, 7_500),
             SeatScore(500, 500, 0, 7_500), 987)  # fmt: skip
EXACT = Row(MINE, ROSTER.entry("exact"), 1, SeatScore(1, 0, 0, 26), exact=ExactScore(0.0, 1.0))
TABLE = Row(MINE, OTHER, 2, SeatScore(1, 1), SeatScore(1, 0))


class ReportTests(unittest.TestCase):
    def test_each_fact_stands_under_its_heading(self) -> None:
        for row, texts in (
            (MYOPIC, ["Myopic", "65.0 %", "30.0 %", "100.0 %", "61.9–67.9 %", "–", "0.012",
                      "15.0", "987 of 1,000"]),
            (EXACT, ["Exact player", "0.0 %", "0.0 %", "–", "0.0–79.4 %", "50.00 %", "0.000",
                     "26.0", "0 of 1"]),
        ):  # fmt: skip
            self.assertEqual([text(row) for text in COLUMNS.values()], texts)
            headings, line, *_ = to_text([row]).splitlines()
            self.assertEqual(headings.split(), " ".join(COLUMNS).split())
            self.assertEqual(line.split(), " ".join(texts).split())

    def test_bots_are_named_if_there_are_several_and_chinese_names_keep_the_columns(self) -> None:
        names = "Ann", "小红灯"
        rows = [replace(TABLE, bot=replace(MINE, key=name, name=name)) for name in names]
        headings, first, second, *_ = to_text(rows).splitlines()
        self.assertTrue(headings.startswith("Bot       Opponent"))
        self.assertTrue(first.startswith("Ann     other.json"))
        self.assertTrue(second.startswith("小红灯  other.json"), "each letter takes two columns")

    def test_forfeits_name_the_move_that_caused_the_first(self) -> None:
        first = "Mine answered z1, which is not a cell"
        row = replace(TABLE, first=SeatScore(2, 2, opponent_forfeits=2), planned=3, forfeit=first)
        expected = f"other.json forfeited 2 of 3 games. The first time: {first}."
        self.assertIn(expected, to_text([row]))
        self.assertEqual(as_json(row)["forfeits"]["first"], first)

    def test_a_script_finds_each_fact_under_its_key(self) -> None:
        facts = {
            "bot": "mine.json", "opponent": "myopic", "games": 1000, "wins": 650,
            "rate": 0.65, "interval": wilson_interval(650, 1000),
            "first": {"games": 500, "wins": 150, "rate": 0.3},
            "second": {"games": 500, "wins": 500, "rate": 1.0},
            "exact": None, "blunders": 12, "mean_plies": 15.0, "distinct": 987,
            "forfeits": {"bot": 0, "opponent": 0, "first": None},
        }  # fmt: skip
        self.assertEqual(as_json(MYOPIC), facts)
        self.assertEqual(as_json(EXACT)["exact"], {"first": 0.0, "second": 1.0, "total": 0.5})
        nothing = as_json(Row(MINE, OTHER, 2))
        self.assertEqual([nothing[key] for key in ("games", "rate", "mean_plies")], [0, None, None])
