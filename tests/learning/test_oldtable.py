import contextlib
import io
import json
import random
import tempfile
import tracemalloc
import unittest
from pathlib import Path
from typing import Any

from tests.kit.samples import played_states
from traffic_lights.board.baselines import safe_actions
from traffic_lights.board.rules import COLUMNS, format_board, legal_actions, mover, parse_board
from traffic_lights.board.symmetry import MIRRORS, orbit
from traffic_lights.learning.oldtable import origin
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import DamagedFileError
from traffic_lights.train import main as train_command


def key(state: int) -> str:
    board = format_board(state)
    return f"{board[:4]}/{board[4:8]}/{board[8:]}|{mover(state) + 1}"


def cell(action: int) -> str:
    return ",".join(map(str, divmod(action, COLUMNS)))


def old_rows(rng: random.Random, count: int) -> dict[str, dict[str, float]]:
    """Return *count* rows as the older program writes them, values of up to 17 digits."""
    return {
        key(state): {
            cell(a): rng.uniform(-1, 1) for a in legal_actions(state) if rng.random() < 0.7
        }
        for state in played_states(rng, count)
    }


class OldTableTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "old.json"

    def read(self, value: object, **options: Any) -> QTable:
        text = value if isinstance(value, str) else json.dumps(value, **options)
        self.path.write_text(text, "utf-8")
        return read_table(self.path)

    def test_every_value_is_found_again_under_every_mirror_image(self) -> None:
        rng = random.Random(7)
        rows: dict[str, dict[str, float]] = {}
        expected: dict[tuple[int, int], float] = {}
        for state in played_states(rng, 300):
            mirror = rng.randrange(4)
            if any(key(image) in rows for image in orbit(state)):
                continue
            values = {a: round(rng.uniform(-1, 1), 3) for a in legal_actions(state)}
            image = orbit(state)[mirror]
            rows[key(image)] = {cell(MIRRORS[mirror][a]): v for a, v in values.items()}
            expected |= {(image, MIRRORS[mirror][a]): v for a, v in values.items()}
        for options in ({}, {"indent": 8}, {"separators": (",", ":")}):
            table = self.read(rows, **options)
            for (state, action), value in expected.items():
                self.assertEqual(table.value(state, action), value)
            self.assertEqual(table.meta["imported"]["rows"], len(rows))
            self.assertEqual(table.meta["imported"]["conflicts"], 0)

    def test_mirrored_rows_merge_and_conflicts_are_counted(self) -> None:
        left, right = "1000/0000/0000|2", "0001/0000/0000|1"  # the player adds nothing
        rows = {left: {"0,0": 0.5, "1,1": 0.25}, right: {"0,3": -0.75, "1,2": 0.25, "2,2": 1}}
        for order in (rows, dict(reversed(rows.items()))):
            table = self.read(order)
            state = 0b01 << 22
            self.assertEqual([table.value(state, a) for a in (0, 5, 9)], [-0.75, 0.25, 1.0])
            self.assertEqual(
                table.meta["imported"],
                {"rows": 2, "taken": 1, "merged": 1, "zeros": 0, "refused": 0, "conflicts": 1},
            )

    def test_each_row_is_counted_once(self) -> None:
        zeros = {"0000/0000/0000|1": {"0,0": 0, "0,1": 0.0}, "1000/0000/0000|2": {}}
        rows = old_rows(random.Random(8), 400) | {"1110/0000/0000|1": {"1,0": 0.5}} | zeros
        table = self.read(rows)
        counts = table.meta["imported"]
        parts = [counts[name] for name in ("taken", "merged", "zeros", "refused")]
        self.assertEqual((sum(parts), *parts[2:]), (len(rows), 2, 1))
        self.assertTrue(origin(table.meta).startswith(f"{len(rows)} rows of the older program"))
        for foreign in (None, 7, [1], {"lines": 1}, {"rows": "x"}):
            self.assertEqual(origin({"imported": foreign}), "")

    def test_ties_are_broken_as_the_older_program_does(self) -> None:
        state = parse_board("100000000000")  # a2 would let the opponent complete a column
        bot = QBot(self.read({key(state): {"0,1": 0.0, "2,3": -0.5}}), random.Random(7))
        self.assertEqual(set(bot.choices(state)), set(safe_actions(state)) - {11})
        lost = parse_board("110000000000")
        self.assertEqual(bot.choices(lost), tuple(a for a in range(12) if a in safe_actions(lost)))

    def test_what_that_program_does_not_write_is_refused(self) -> None:
        good = '"0000/0000/0000|1": {"0,0": 0.5}'
        red = good.replace("0000/", "0003/", 1).replace("0,0", "0,3")
        for text, words in (
            (good, "not a row"),
            (good + ",", "not a row"),
            (good + ",}", "not a row"),
            (good + "} {}", "after its end"),
            (red + "}", "red cell"),
            (good.replace("0000/", "1110/", 1) + "}", "finished board"),
            (good.replace("0.5", "1.5") + "}", "from -1 to 1"),
            (good.replace("0.5", "1e999") + "}", "from -1 to 1"),
            *((good.replace(*change) + "}", "not a row") for change in (
                ("|1", "|3"), ("0000/", "0009/"), ("0,0", "0,4"), ("0,0", "3,0"), ("0.5}", "0.5,}"),
            )),
            *((good.replace("0.5", value) + "}", "not a row") for value in (
                "NaN", "-Infinity", "true", '"0.5"', "0.5\u00e4",
                "9" * 100_000, "[" * 200_000,
            )),
        ):  # fmt: skip
            with self.subTest(text=text[:70]):
                with self.assertRaises(DamagedFileError) as caught:
                    self.read("{" + text)
                self.assertIn(words, str(caught.exception))
                self.assertIn(str(self.path), str(caught.exception))
                self.assertLess(len(str(caught.exception)) - len(str(self.path)), 200)

    def test_a_long_line_takes_little_memory(self) -> None:
        rows = old_rows(random.Random(7), 1500)
        self.path.write_text("{" + ", ".join(
            f'"{name}": ' + json.dumps(values).replace("}", " " * 9000 + "}")
            for name, values in rows.items()
        ) + "}")  # fmt: skip
        self.assertGreater(self.path.stat().st_size, 9e6)
        tracemalloc.start()
        try:
            read_table(self.path)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        self.assertLess(peak, 7e6)

    def command(self, *arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = train_command([*arguments, "--dir", str(self.folder / "new")])
        return status, out.getvalue(), err.getvalue()

    def test_its_values_are_trained_on_as_estimates_and_prove_nothing(self) -> None:
        self.read({"0000/0000/0000|1": {"0,0": 1.0}, "1100/0000/0000|1": {"0,0": 1.0}})
        self.command("--import", str(self.path))
        options = ("--opponent", "random", "--games", "1", "--quiet")
        self.assertEqual(self.command(*options)[0], 0)
        table = read_table(self.folder / "new" / "qtable.json")
        self.assertNotIn("estimates", table.meta)
        self.assertTrue(0.5 < table.value(parse_board("110000000000"), 0) < 1)
        self.assertFalse(table.is_proven(0))

    def test_an_old_table_can_be_the_folder_s_own(self) -> None:
        (self.folder / "new").mkdir()
        self.path = self.folder / "new" / "qtable.json"
        self.read({"0000/0000/0000|1": {"0,0": 0.5}})
        options = ("--opponent", "self", "--update", "monte-carlo", "--quiet", "--games")
        self.assertEqual(self.command(*options, "20")[0], 0)
        self.assertEqual(self.command(*options, "40")[0], 0)
        self.assertEqual(read_table(self.path).meta["games"], 40)
