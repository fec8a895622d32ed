"""The columns of an evaluation: the same facts in text, Markdown, CSV and JSON."""

import csv
import io
import json
import unittest
from dataclasses import replace

from traffic_lights.board.exact_score import ExactScore
from traffic_lights.judging.evaluation import Row, SeatScore, wilson_interval
from traffic_lights.judging.reports import (
    as_json,
    markdown,
    table,
    to_csv,
    to_text,
)
from traffic_lights.players.roster import Entry, Group, Roster

ROSTER = Roster()
MINE = Entry("mine.json", "mine.json", "", Group.TABLE)
OTHER = Entry("other|one.json", "other|one.json", "", Group.TABLE)
MYOPIC = Row(MINE, ROSTER.entry("myopic"), 2000, SeatScore(500, 150, 12, 7_500),
             SeatScore(500, 500, 0, 7_500), 987)  # fmt: skip
EXACT = Row(MINE, ROSTER.entry("exact"), 1, SeatScore(1, 0, 0, 26), exact=ExactScore(0.0, 1.0))
ALTERNATE = Row(MINE, ROSTER.entry("alternate"), 2, SeatScore(1, 1), SeatScore(1, 1))
TABLE = Row(MINE, OTHER, 2, SeatScore(1, 1), SeatScore(1, 0))
ROWS = [MYOPIC, EXACT, ALTERNATE, TABLE]


class TextTests(unittest.TestCase):
    def test_each_fact_stands_under_its_heading(self) -> None:
        expected = (
            {"Opponent": "Myopic", "Won": "65.0 %", "As Player 1": "30.0 %",
             "As Player 2": "100.0 %", "95 % interval": "61.9–67.9 %", "Exact": "–",
             "Exact, as 1": "–", "Exact, as 2": "–", "Best possible": "99.94 %", "Games": "1,000",
             "Blunders": "0.012", "Moves": "15.0", "Distinct": "987"},
            {"Opponent": "Exact player", "Won": "0.0 %", "As Player 1": "0.0 %",
             "As Player 2": "–", "95 % interval": "0.0–79.4 %", "Exact": "50.00 %",
             "Exact, as 1": "0 %", "Exact, as 2": "100 %", "Best possible": "50.00 %",
             "Games": "1", "Blunders": "0.000", "Moves": "26.0", "Distinct": "0"},
        )  # fmt: skip
        headings, *lines = table(ROWS)
        for line, facts in zip(lines, expected, strict=False):
            shown = dict(zip(headings, line, strict=True))
            self.assertEqual(shown, shown | facts)
        for drawn, words in zip(to_text(ROWS).splitlines(), table(ROWS), strict=False):
            self.assertEqual(drawn.split(), " ".join(words).split())

    def test_forfeits_name_the_move_that_caused_the_first(self) -> None:
        first = "Mine answered z1, which is not a cell"
        row = replace(TABLE, first=SeatScore(2, 2, opponent_forfeits=2), planned=3, forfeit=first)
        expected = f"other|one.json forfeited 2 of 3 games. The first time: {first}."
        self.assertIn(expected, to_text([row]))
        self.assertEqual(as_json(row)["forfeits"]["first"], first)

    def test_markdown_is_one_table(self) -> None:
        header, rule, *lines = markdown(table(ROWS)).splitlines()
        self.assertEqual(header, "| " + " | ".join(table(ROWS)[0]) + " |")
        self.assertEqual(set(rule), set("| :-"))
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertEqual(line.replace("\\|", "").count("|"), len(table(ROWS)[0]) + 1)
        self.assertIn("other\\|one.json", lines[3])
        two = markdown(table([TABLE, replace(TABLE, bot=OTHER)]))
        self.assertTrue(two.startswith("| Bot | Opponent |"))


class DataTests(unittest.TestCase):
    def test_json_has_the_facts_that_stay_under_their_keys(self) -> None:
        forfeits = {"bot": 1, "opponent": 2, "first": "Mine stopped"}
        forfeited = Row(
            OTHER, MINE, 4, SeatScore(2, 1, forfeits=1, opponent_forfeits=2), SeatScore(2, 1),
            forfeit="Mine stopped",
        )  # fmt: skip
        none = {**forfeits, "bot": 0, "opponent": 0, "first": None}
        low, high = wilson_interval(650, 1000)
        for row, facts in (
            (MYOPIC, {
                "bot": "mine.json", "opponent": "myopic", "wins": 650, "rate": 0.65,
                "first": {"games": 500, "wins": 150, "rate": 0.3},
                "second": {"games": 500, "wins": 500, "rate": 1.0},
                "interval": [low, high], "exact": None, "games": 1000, "slips": 12,
                "slips_per_game": 0.012, "mean_plies": 15.0, "distinct": 987, "forfeits": none,
            }),
            (EXACT, {
                "bot": "mine.json", "opponent": "exact", "wins": 0, "rate": 0.0,
                "first": {"games": 1, "wins": 0, "rate": 0.0},
                "second": {"games": 0, "wins": 0, "rate": None},
                "exact": {"total": 0.5, "first": 0.0, "second": 1.0},
                "best": {"first": 0.0, "second": 1.0, "total": 0.5, "is_bound": False},
                "games": 1, "slips": 0, "mean_plies": 26.0,
            }),
            (forfeited, {
                "bot": "other|one.json", "opponent": "mine.json", "forfeits": forfeits,
                "best": {"first": None, "second": 1.0, "total": None, "is_bound": False},
            }),
            (Row(MINE, OTHER, 2), {
                "rate": None, "interval": [0.0, 1.0], "games": 0, "slips_per_game": None,
                "mean_plies": None,
            }),
        ):  # fmt: skip
            value = json.loads(json.dumps(as_json(row)))
            self.assertEqual(value, value | facts)
            flat = next(csv.DictReader(io.StringIO(to_csv([row]))))
            for key, fact in facts.items():
                if isinstance(fact, dict):
                    for name, inner in fact.items():
                        self.assertEqual(flat[f"{key}.{name}"], "" if inner is None else str(inner))
                elif isinstance(fact, list):
                    self.assertEqual([flat[f"{key}.low"], flat[f"{key}.high"]], [*map(str, fact)])
                elif key != "exact":
                    self.assertEqual(flat[key], "" if fact is None else str(fact))
        self.assertEqual(as_json(ALTERNATE)["best"]["is_bound"], True)
        self.assertEqual(to_csv([]), "\n")
