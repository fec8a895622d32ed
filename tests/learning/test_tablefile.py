import gzip
import hashlib
import json
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.runs import flipped
from tests.kit.samples import played_states
from traffic_lights.board.baselines import winning_actions
from traffic_lights.board.rules import STEPS, format_board, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning import tablefile
from traffic_lights.learning.qtable import RATE_STEPS
from traffic_lights.learning.rowtable import LOST, RowTable
from traffic_lights.learning.tablefile import is_foreign, read_checksum, read_table, write_table
from traffic_lights.storage.files import DamagedFileError


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
            packed = self.path.with_suffix(".json.gz")
            write_table(packed, table)
            self.assertEqual(gzip.decompress(packed.read_bytes()), data)
            self.assertEqual(list(read_table(packed).states()), list(written.states()))
            packed.write_bytes(packed.read_bytes()[:99])
            self.assertRaisesRegex(DamagedFileError, "ended before", read_table, packed)

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

    def test_what_has_no_checksum_or_another_form_is_refused_in_a_sentence(self) -> None:
        write_table(self.path, table_of(random.Random(7), 12, estimates=True))
        data = self.path.read_bytes()
        for text, reason in (
            (b"", "checksum does not match"),
            (b'{"0000/0000/0000|1": {"0,0": 0.5}}', "checksum does not match"),
            (data[: data.rindex(b',\n"sha256"')] + b"}", "checksum does not match"),
            (resealed(data.replace(b'"version": 2', b'"version": 1')), "checksum does not match"),
            (resealed(data.replace(b'"q": {', b'"p": {')), 'it has no part "q"'),
            (resealed(data.replace(b'"meta": {', b'"meta": [')), "its meta is damaged"),
        ):
            self.path.write_bytes(text)
            with self.subTest(text=text[:90]), self.assertRaisesRegex(DamagedFileError, reason):
                read_table(self.path)

    def test_a_file_of_another_program_is_told_from_a_damaged_table(self) -> None:
        write_table(self.path, table_of(random.Random(7), 12, estimates=True))
        data = self.path.read_bytes()
        for text, is_other in (
            (data, False),
            (data[:-9], False),
            (b"x" + data[1:], False),
            (data[:20] + b"x" + data[21:-9], True),
            (b"", True),
            (b"my notes", True),
        ):
            self.path.write_bytes(text)
            self.assertEqual(is_foreign(self.path), is_other, text[:30])
        self.path.unlink()
        self.assertFalse(is_foreign(self.path))
        self.path.mkdir()
        self.assertTrue(is_foreign(self.path))

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
