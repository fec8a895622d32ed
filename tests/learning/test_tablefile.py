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
    text = text[: text.rindex(b'"sha256"')]
    return text + f'"sha256": "{hashlib.sha256(text).hexdigest()}"}}\n'.encode()


class TableFileTests(FolderTestCase):
    def setUp(self) -> None:
        self.path = self.folder / "table.json"

    def test_what_is_written_is_read_back_dense_or_sparse_and_packed(self) -> None:
        for estimates in (False, True):
            written = random_table(random.Random(7), 200, estimates=estimates)
            write_table(self.path, written)
            data = self.path.read_bytes()
            packed = self.folder / "table.json.gz"
            write_table(packed, written)
            self.assertEqual(gzip.decompress(packed.read_bytes()), data)
            for path, dense_from in ((self.path, 0), (self.path, 1 << 30), (packed, 1 << 30)):
                with mock.patch.object(tablefile, "_DENSE_FROM", dense_from):
                    table = read_table(path)
                self.assertEqual(isinstance(table.proofs, dict), dense_from > 0)
                self.assertEqual(list(table.states()), list(written.states()))
                for state in written.states():
                    self.assertEqual(table.canonical_row(state), written.canonical_row(state))
                self.assertEqual(table.meta, written.meta)
                self.assertEqual(table.win_rates, written.win_rates)
                write_table(self.path, table)
                self.assertEqual(self.path.read_bytes(), data)
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
        self.assertEqual(data, resealed(data))
        self.assertEqual(read_checksum(self.path), value["sha256"])

    def test_no_cut_no_flipped_bit_and_no_other_form_is_taken_for_a_table(self) -> None:
        write_table(self.path, random_table(random.Random(7), 12, estimates=True))
        data = self.path.read_bytes()
        cut = (data[:size] for size in range(0, len(data), 31))
        bits = (flipped(data, bit) for bit in range(0, 8 * len(data), 31))
        for text, reason in (
            *((text, "") for text in (*cut, *bits)),
            (b'{"0000/0000/0000|1": {"0,0": 0.5}}', "checksum does not match"),
            (data[: data.rindex(b',\n"sha256"')] + b"}", "checksum does not match"),
            (resealed(data.replace(b'"version": 2', b'"version": 1')), "checksum does not match"),
            (resealed(data.replace(b'"q": {', b'"p": {')), 'it has no part "q"'),
            (resealed(data.replace(b'"meta": {', b'"meta": [')), "its meta is damaged"),
        ):
            self.path.write_bytes(text)
            with self.assertRaisesRegex(DamagedFileError, reason, msg=text):
                read_table(self.path)
