import gzip
import hashlib
import json
import random
from unittest import mock

from tests.kit.runs import flipped
from tests.kit.samples import FolderTestCase
from tests.kit.trained import random_table
from traffic_lights.board.rules import format_board
from traffic_lights.learning import tablefile
from traffic_lights.learning.rowtable import ALL_LOSE
from traffic_lights.learning.tablefile import read_checksum, read_table, write_table
from traffic_lights.storage.files import DamagedFileError


def resealed(text: bytes) -> bytes:
    """Return the table file *text* with the checksum that it needs."""
    text = text[: text.index(b'"sha256"')]
    return text + f'"sha256": "{hashlib.sha256(text).hexdigest()}"}}\n'.encode()


class TableFileTests(FolderTestCase):
    def setUp(self) -> None:
        self.path = self.folder / "table.json"

    def test_what_is_written_is_read_back_dense_or_sparse(self) -> None:
        for states, estimates in ((200, False), (200, True)):
            written = random_table(random.Random(7), states, estimates=estimates)
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
        table = random_table(random.Random(7), 100, estimates=True)
        write_table(self.path, table)
        data = self.path.read_bytes()
        value = json.loads(data)
        self.assertEqual((value["format"], value["version"]), ("traffic-lights-qtable", 2))
        lost = {format_board(state) for state in table.states() if table.proofs[state] == ALL_LOSE}
        self.assertGreater(len(lost), 2)
        self.assertEqual(list(value["lost"]), sorted(lost))
        rest = [text for state in table.states() if (text := format_board(state)) not in lost]
        self.assertEqual(list(value["q"]), rest)
        before = data[: data.rindex(b'"sha256"')]
        self.assertEqual(value["sha256"], hashlib.sha256(before).hexdigest())
        self.assertEqual(read_checksum(self.path), value["sha256"])

    def test_what_has_no_checksum_or_another_form_is_refused_in_a_sentence(self) -> None:
        write_table(self.path, random_table(random.Random(7), 12, estimates=True))
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

    def test_no_cut_and_no_flipped_bit_is_taken_for_a_table(self) -> None:
        write_table(self.path, random_table(random.Random(7), 12, estimates=True))
        data = self.path.read_bytes()
        step = 31
        damaged = [data[:size] for size in range(0, len(data), step)]
        damaged += [flipped(data, bit) for bit in range(0, 8 * len(data), step)]
        for text in damaged:
            self.path.write_bytes(text)
            with self.assertRaises(DamagedFileError):
                read_table(self.path)
