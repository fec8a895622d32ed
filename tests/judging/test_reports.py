"""The columns of an evaluation: the same facts in text, Markdown, CSV and JSON."""

import csv
import io
import json
import unittest
from dataclasses import replace

from traffic_lights.board.exact_score import ExactScore
from traffic_lights.judging.evaluation import Row, SeatScore, wilson_interval
from traffic_lights.judging.proof import Proof, Walked
from traffic_lights.judging.reports import (
    CEILING,
    REPORT_COLUMNS,
    SHOWN,
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


class ColumnTests(unittest.TestCase):
    def test_every_column_shown_explains_itself_in_a_sentence(self) -> None:
        for column in SHOWN:
            self.assertRegex(column.about, r"^[A-Z][^.]+\.$", column.key)
        self.assertEqual(len({column.key for column in REPORT_COLUMNS}), len(REPORT_COLUMNS))

    def test_exact_scores_are_shown_only_where_they_are_exact(self) -> None:
        exact = [column for column in SHOWN if column.key.startswith("exact")]
        self.assertEqual([column.show(EXACT) for column in exact], ["50.00 %", "0 %", "100 %"])
        self.assertEqual({column.show(MYOPIC) for column in exact}, {"–"})
        self.assertIn("–: no exact score.", to_text([MYOPIC]))
        self.assertNotIn("no exact score", to_text([EXACT]))

    def test_no_rate_is_rounded_to_all_or_none(self) -> None:
        for wins, rate, interval in (
            (1, "< 0.1 %", "0.0–0.1 %"),
            (9_999, "> 99.9 %", "99.9–100.0 %"),
            (10_000, "100.0 %", "99.9–100.0 %"),
        ):
            score = SeatScore(10_000, wins)
            row = Row(MINE, OTHER, 20_000, score, score)
            shown = dict(zip(*table([row]), strict=True))
            for heading in ("Won", "As Player 1", "As Player 2"):
                self.assertEqual(shown[heading], rate)
            self.assertEqual(shown["95 % interval"], interval)


class TextTests(unittest.TestCase):
    def test_a_table_has_a_line_for_each_row_and_the_notes_that_it_needs(self) -> None:
        lines = to_text(ROWS).splitlines()
        self.assertEqual(len({len(line) for line in lines[:5]}), 1)
        self.assertEqual(lines[0].split()[0], "Opponent")
        for text in ("30.0 %", "100.0 %", "99.94 %", "0.012"):
            self.assertIn(text, lines[1])
        self.assertIn("≤ 99.96 %", lines[3])
        self.assertIn(CEILING, lines)
        self.assertNotIn(CEILING, to_text([MYOPIC]))

    def test_forfeits_name_the_move_that_caused_the_first(self) -> None:
        first = "Mine answered z1, which is not a cell"
        row = replace(TABLE, first=SeatScore(2, 2, opponent_forfeits=2), planned=3, forfeit=first)
        expected = f"other|one.json forfeited 2 of 3 games. The first time: {first}."
        self.assertIn(expected, to_text([row]))
        self.assertEqual(as_json(row)["forfeits"]["first"], first)

    def test_more_blunders_than_positions_are_explained(self) -> None:
        for blunders, is_explained in ((9, True), (2, False)):
            text = Proof(Walked(0, 9, 3, blunders), Walked(1, 9, 1, 0), None).text("One")
            self.assertIn(f"can meet 3 positions, and can blunder with {blunders} moves", text)
            self.assertIn("No player can beat it as Player 2.", text)
            self.assertEqual("each blunder among them counts" in text, is_explained)

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
    def test_csv_reads_back_as_the_values(self) -> None:
        rows = list(csv.DictReader(io.StringIO(to_csv(ROWS))))
        self.assertEqual([row["opponent"] for row in rows], [row.opponent.key for row in ROWS])
        self.assertEqual(float(rows[0]["rate"]), 0.65)
        self.assertEqual((rows[0]["first_wins"], rows[0]["second_wins"]), ("150", "500"))
        self.assertEqual(float(rows[0]["interval_low"]), wilson_interval(650, 1000)[0])
        self.assertEqual(rows[3]["best_total"], "")
        self.assertEqual((rows[0]["exact_total"], rows[1]["exact_total"]), ("", "0.5"))
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))

    def test_json_has_the_keys_that_stay(self) -> None:
        value = json.loads(json.dumps(as_json(MYOPIC)))
        self.assertEqual((value["bot"], value["opponent"]), ("mine.json", "myopic"))
        self.assertEqual(value["interval"], [*wilson_interval(650, 1000)])
        self.assertEqual(value["first"], {"games": 500, "wins": 150, "rate": 0.3})
        self.assertEqual(value["second"], {"games": 500, "wins": 500, "rate": 1.0})
        self.assertEqual((value["games"], value["wins"], value["rate"]), (1000, 650, 0.65))
        self.assertEqual((value["slips"], value["mean_plies"]), (12, 15.0))
        self.assertIsNone(value["exact"])
        self.assertEqual(as_json(EXACT)["exact"], {"first": 0.0, "second": 1.0, "total": 0.5})
        self.assertEqual(value["best"]["is_bound"], False)
