import csv
import io
import unittest
from dataclasses import replace

from traffic_lights.board.exact import ExactScore
from traffic_lights.gui.evaluation.model import EvaluationModel
from traffic_lights.judging.best_response import BestScore
from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.judging.reports import (
    CEILING,
    COLUMNS,
    as_json,
    cells,
    to_csv,
    to_markdown,
    to_text,
)
from traffic_lights.workers.evaluation import PairMeasured

MYOPIC = Row("mine.json", "myopic", 2000, SeatScore(500, 150), SeatScore(500, 500), 12, 15_000, 987,
             BestScore(0.9987880194))  # fmt: skip
EXACT = Row("mine.json", "exact", 1, SeatScore(1, 0), SeatScore(0, 0), 0, 26, 1, BestScore(0.0),
            ExactScore(0.0, 1.0))  # fmt: skip
ALTERNATE = Row("mine.json", "alternate", 2, SeatScore(1, 1), SeatScore(1, 1), 0, 20, 2,
                BestScore(0.9992, is_bound=True))  # fmt: skip
TABLE = Row("mine.json", "other|one.json", 2, SeatScore(1, 1), SeatScore(1, 0), 0, 20, 2,
            BestScore(None))  # fmt: skip
ROWS = [MYOPIC, EXACT, ALTERNATE, TABLE]


class ReportTests(unittest.TestCase):
    def test_text_has_a_line_a_row_and_explains_the_ceiling(self) -> None:
        lines = to_text(ROWS).splitlines()
        self.assertEqual(len(lines), 5 + 6)
        self.assertEqual(lines[0].split()[0], COLUMNS[0])
        self.assertIn("30.0 %", lines[1])
        self.assertIn("100.0 %", lines[1])
        self.assertIn("99.94 %", lines[1])
        self.assertIn("0.012", lines[1])
        self.assertIn("≤ 99.96 %", lines[3])
        self.assertEqual(lines[1].split().count("…"), 3, "a row that is not finished")
        self.assertEqual(lines[4].split().count("–"), 4, "nobody could compute it")
        self.assertRegex(lines[2], r" 0 % +100 % +50\.00 %")
        self.assertEqual(lines[-1], CEILING)
        self.assertEqual(len({len(line) for line in lines[:5]}), 1)
        self.assertNotIn(CEILING, to_text([MYOPIC]))

    def test_no_rate_is_said_to_be_all_or_none_that_is_not(self) -> None:
        for wins, rate, interval in (
            (1, "< 0.1 %", "0.0–0.1 %"),
            (9_999, "> 99.9 %", "99.9–100.0 %"),
            (10_000, "100.0 %", "99.9–100.0 %"),
        ):
            row = Row("mine.json", "other", 20_000, SeatScore(10_000, wins),
                      SeatScore(10_000, wins), 0, 26, 1, BestScore(wins / 10_000))  # fmt: skip
            self.assertEqual(cells(row)[2:6], (rate, rate, rate, interval))
            model = EvaluationModel()
            self.assertIn(f": {rate} of", model.sentence(model.take(PairMeasured("a", "b", row))))

    def test_a_table_called_like_the_exact_player_has_no_ceiling(self) -> None:
        row = replace(TABLE, opponent="exact")
        self.assertNotIn(CEILING, to_text([row]))
        model = EvaluationModel()
        pair = model.take(PairMeasured("qbot", "own-table-1", row))
        self.assertNotIn("Nobody can score", model.sentence(pair))
        pair = model.take(PairMeasured("qbot", "exact", replace(EXACT, opponent="Exact player")))
        self.assertIn("Nobody can score more than 50 % here", model.sentence(pair))

    def test_what_was_not_computed_is_told_from_what_nobody_can_compute(self) -> None:
        unfinished, unknown = to_text([MYOPIC]), to_text([TABLE])
        self.assertIn("…: not computed", unfinished)
        self.assertNotIn("more positions than", unfinished)
        self.assertIn("more positions than", unknown)
        self.assertNotIn("not computed", unknown)

    def test_markdown_is_one_table(self) -> None:
        header, rule, *lines = to_markdown(ROWS).splitlines()
        self.assertEqual(header, "| " + " | ".join(COLUMNS) + " |")
        self.assertEqual(set(rule), set("| :-"))
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertEqual(line.replace("\\|", "").count("|"), len(COLUMNS) + 1)
        self.assertIn("other\\|one.json", lines[3])
        # No game was played as Player 2 here, so there is no rate.
        self.assertIn("| 0.0 % | – |", lines[1])

    def test_csv_reads_back_as_the_figures(self) -> None:
        rows = list(csv.DictReader(io.StringIO(to_csv(ROWS))))
        self.assertEqual([row["opponent"] for row in rows], [row.opponent for row in ROWS])
        self.assertEqual(float(rows[0]["rate"]), 0.65)
        self.assertEqual((rows[0]["wins_first"], rows[0]["wins_second"]), ("150", "500"))
        self.assertEqual(float(rows[0]["interval_low"]), MYOPIC.interval[0])
        self.assertEqual(rows[3]["best_total"], "")
        self.assertEqual((rows[0]["exact_total"], rows[1]["exact_total"]), ("", "0.5"))
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))

    def test_json_has_the_keys_that_stay(self) -> None:
        value = as_json(MYOPIC)
        self.assertEqual(value["interval"], list(MYOPIC.interval))
        self.assertEqual(value["first"], {"games": 500, "wins": 150})
        self.assertEqual(value["second"], {"games": 500, "wins": 500})
        self.assertEqual((value["games"], value["wins"], value["rate"]), (1000, 650, 0.65))
        self.assertEqual((value["slips"], value["mean_plies"]), (12, 15.0))
        self.assertIsNone(value["exact"])
        self.assertEqual(as_json(EXACT)["exact"], {"first": 0.0, "second": 1.0, "total": 0.5})
