import gzip
import hashlib
import json
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import flipped
from tests.kit.samples import outcome, played_states
from traffic_lights.board.baselines import safe_actions, winning_actions
from traffic_lights.board.rules import (
    COLUMNS,
    EMPTY_BOARD,
    STEPS,
    format_board,
    legal_actions,
    mover,
    parse_board,
)
from traffic_lights.board.symmetry import MIRRORS, canonical, orbit
from traffic_lights.learning import tablefile
from traffic_lights.learning.qtable import RATE_STEPS, TableBot
from traffic_lights.learning.rowtable import LOST, RowTable
from traffic_lights.learning.tablefile import read_checksum, read_table, write_table
from traffic_lights.storage.files import DamagedFileError
from traffic_lights.train import main as train


def table_of(rng: random.Random, states: int, *, estimates: bool, dense: bool = False) -> RowTable:
    """Return a table with some values in the rows of some canonical states, some of them lost."""
    table = RowTable(dense=dense)
    for state in sorted(set(map(canonical, played_states(rng, states)))):
        wins = winning_actions(state)
        if not wins and rng.random() < 0.2:
            table.set_lost(state)
            for action in legal_actions(state):
                if rng.random() < 0.7:
                    table.set_win_rate(state, action, rng.randrange(RATE_STEPS + 1) / RATE_STEPS)
            continue
        for action in legal_actions(state):
            if rng.random() < 0.5:
                value = rng.uniform(-1, 1) if estimates else rng.choice((-1.0, 1.0))
                if action in wins:
                    value = 1.0
                elif not estimates and winning_actions(state + STEPS[action]):
                    value = -1.0
                table.set_value(state, action, value)
    table.meta = {"games": 7, "note": "ä"}
    return table


def resealed(text: bytes) -> bytes:
    """Return the table file *text* with the checksum that it needs."""
    text = text[: text.index(b'"sha256"')]
    return text + f'"sha256": "{hashlib.sha256(text).hexdigest()}"}}\n'.encode()


class TableFileTests(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "table.json"

    def test_what_is_written_is_read_back_dense_or_sparse(self) -> None:
        for states, estimates in ((200, False), (200, True)):
            written = table_of(random.Random(7), states, estimates=estimates)
            write_table(self.path, written)
            data = self.path.read_bytes()
            for dense_from in (0, 1 << 30):
                with mock.patch.object(tablefile, "_DENSE_FROM", dense_from):
                    table = read_table(self.path)
                self.assertEqual(isinstance(table.proofs, dict), dense_from > 0)
                self.assertEqual(list(table.states()), list(written.states()))
                for state in written.states():
                    self.assertEqual(table.canonical_row(state), written.canonical_row(state))
                self.assertEqual(table.meta, written.meta)
                self.assertEqual(table.win_rates, written.win_rates)
                write_table(self.path, table)
                self.assertEqual(self.path.read_bytes(), data)

    def test_a_packed_table_of_any_size_is_read_back_and_a_cut_one_is_refused(self) -> None:
        path = self.path.with_suffix(".json.gz")
        written = table_of(random.Random(7), 200, estimates=True)
        write_table(path, written)
        with mock.patch.object(tablefile, "_LARGEST_UNSEALED", 1000):
            write_table(self.path, read_table(path))
        size = self.path.stat().st_size
        self.assertGreater(size, 1000)
        with (
            mock.patch.object(tablefile, "_LARGEST_FILE", size - 1),
            self.assertRaisesRegex(DamagedFileError, f"it is too large: it has {size:,} bytes"),
        ):
            read_table(path)
        data = path.read_bytes()
        self.assertEqual(gzip.decompress(data), self.path.read_bytes())
        path.write_bytes(data[: len(data) // 2])
        with self.assertRaisesRegex(DamagedFileError, "ended before"):
            read_table(path)

    def test_the_file_is_json_with_sorted_rows_and_a_checksum_over_all_before_it(self) -> None:
        table = table_of(random.Random(7), 100, estimates=True)
        write_table(self.path, table)
        data = self.path.read_bytes()
        value = json.loads(data)
        self.assertEqual((value["format"], value["version"]), ("traffic-lights-qtable", 2))
        lost = {format_board(state) for state in table.states() if table.proofs[state] == LOST}
        self.assertGreater(len(lost), 2)
        self.assertEqual(list(value["lost"]), sorted(lost))
        rest = [text for state in table.states() if (text := format_board(state)) not in lost]
        self.assertEqual(list(value["q"]), rest)
        before = data[: data.rindex(b'"sha256"')]
        self.assertEqual(value["sha256"], hashlib.sha256(before).hexdigest())
        self.assertEqual(read_checksum(self.path), value["sha256"])

    def test_in_version_1_every_sign_is_a_proof_unless_the_table_has_estimates(self) -> None:
        board = parse_board("000000000011")
        text = (
            '{"format": "traffic-lights-qtable", "version": 1,\n "meta": {},\n'
            ' "q": {\n"000000000011": {"0": -0.5, "9": 0.75}\n},\n'
        )
        estimated = text.replace('"meta": {', '"meta": {"estimates": true')
        for written, row in ((text, {0: -1.0, 9: 1.0}), (estimated, {0: -0.5, 9: 0.75})):
            self.path.write_bytes(resealed(f'{written}"sha256": ""}}\n'.encode()))
            self.assertEqual(read_table(self.path).row(board), row)

    def test_a_table_that_a_person_writes_needs_no_checksum_and_no_canonical_board(self) -> None:
        board = parse_board("003000000000")
        action = legal_actions(board)[0]
        content = {
            "format": "traffic-lights-qtable",
            "version": 2,
            "q": {"0030/0000/0000": {str(action): 0.25, "b2": 1}},
            "lost": {"000000000000": {"5": 0.75}},
        }
        self.path.write_text(json.dumps(content, indent=1))
        table = read_table(self.path)
        self.assertEqual(table.row(board), {action: 0.25, 5: 1.0})
        self.assertEqual((table.row(EMPTY_BOARD)[0], table.win_rate(EMPTY_BOARD, 5)), (-1.0, 0.75))

    def test_what_is_no_table_is_refused_with_the_row_and_the_reason(self) -> None:
        start = '{"format": "traffic-lights-qtable", "version": 2, "q": {"000000000123": '
        for text, reason in (
            *(
                (start + row + "}}", "the row of 000000000123 " + fault)
                for row, fault in (
                    ('{"4": 1.5}', "has 1.5 for the cell 4; it must be a number from -1 to 1"),
                    ('{"b2": "1.0"}', "has '1.0' for the cell b2"),
                    ('{"4": null}', "has None for the cell 4"),
                    ('{"4": true}', "has True for the cell 4"),
                    ('{"11": 0.5}', "has the cell '11'; it must be a whole number from 0 to 11"),
                    ('{"-10": 0.5}', "has the cell '-10'"),
                    ("[0.1]", r"is \[0.1\]; it must be an object"),
                )
            ),
            (
                start + '{"4": 0.5}, "000000003210": {"7": -0.5}}}',
                "d2 on 000000003210 has two values, 0.5 and -0.5; mirror images",
            ),
            (
                start + '{"4": 0.5}}, "lost": {"000000003210": {}}}',
                "on 000000003210 has two values, 0.5 and -1.0",
            ),
            (start.replace("123", "12x") + "{}}}", "is not a board"),
            (start.replace("0123", "0111") + "{}}}", "the game is over in the row"),
            (start.replace('2, "q"', '9, "q"') + "{}}}", "it needs"),
            (start + "{}}, " + '"sha256": "00"}', "its checksum does not match"),
            (start + '{"4": 0.5', "damaged: not JSON at line 1"),
            ("[" * 200_000, "too many nested brackets"),
            (start.replace('"q"', '"meta": "my own learner", "q"') + "{}}}", "its meta is 'my own"),
            (start.replace('"q"', '"meta": {"games": 1.5}, "q"') + "{}}}", "games is 1.5; it must"),
            (start[: start.index("{", 1)] + "[]}", r"its part q is \[\]; it must be an object"),
            ("[]", r"it is \[\]; it must be an object"),
            ("\xff", "not JSON"),
        ):
            self.path.write_text(text, "latin-1")
            with (
                self.subTest(text=text[:90]),
                self.assertRaisesRegex(DamagedFileError, reason) as caught,
            ):
                read_table(self.path)
            self.assertTrue(str(caught.exception).startswith(str(self.path)))

    def test_no_cut_and_no_flipped_bit_is_taken_for_a_table(self) -> None:
        write_table(self.path, table_of(random.Random(7), 12, estimates=True))
        data = self.path.read_bytes()
        step = 31
        damaged = [data[:size] for size in range(0, len(data), step)]
        damaged += [flipped(data, bit) for bit in range(0, 8 * len(data), step)]
        for text in damaged:
            self.path.write_bytes(text)
            with self.assertRaises(DamagedFileError):
                read_table(self.path)


def key(state: int) -> str:
    board = format_board(state)
    return f"{board[:4]}/{board[4:8]}/{board[8:]}|{mover(state) + 1}"


def cell(action: int) -> str:
    return ",".join(map(str, divmod(action, COLUMNS)))


class OldTableTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "old.json"

    def read(self, value: object, **options: Any) -> RowTable:
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

    def test_ties_are_broken_as_the_older_program_does(self) -> None:
        state = parse_board("100000000000")  # a2 would let the opponent complete a column
        bot = TableBot(self.read({key(state): {"0,1": 0.0, "2,3": -0.5}}), random.Random(7))
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

    def train(self, *words: str) -> None:
        status, _, errors = outcome(train, *words, "--quiet", "--dir", str(self.folder / "new"))
        self.assertEqual(status, 0, errors)

    def test_its_values_are_trained_on_as_estimates_and_prove_nothing(self) -> None:
        self.read({"0000/0000/0000|1": {"0,0": 1.0}, "1100/0000/0000|1": {"0,0": 1.0}})
        self.train("--import", str(self.path))
        self.train("--opponent", "random", "--games", "1")
        table = read_table(self.folder / "new" / "qtable.json")
        self.assertNotIn("estimates", table.meta)
        self.assertTrue(0.5 < table.value(parse_board("110000000000"), 0) < 1)
        self.assertFalse(table.is_proven(0))
