import hashlib
import json
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.runs import flipped
from tests.kit.samples import IS_SLOW_RUN, played_states
from traffic_lights.board.baselines import winning_actions
from traffic_lights.board.rules import format_board, legal_actions, parse_board
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning import tablefile
from traffic_lights.learning.qtable import LOST, RATE_STEPS, QTable
from traffic_lights.learning.tablefile import read_checksum, read_table, write_table
from traffic_lights.storage.files import DamagedFileError


def table_of(rng: random.Random, states: int, *, estimates: bool, dense: bool = False) -> QTable:
    """Return a table with some values in the rows of some canonical states, some of them lost."""
    table = QTable(dense=dense)
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
                table.set_value(state, action, 1.0 if action in wins else value)
    table.meta = {"games": 7, "note": "ä"}
    return table


class TableFileTests(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "table.json"

    def test_what_is_written_is_read_back_dense_or_sparse(self) -> None:
        for states, estimates in ((400, False), (400, True), (0, False)):
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
                self.assertEqual((table.meta, table.estimates), (written.meta, written.estimates))
                self.assertEqual(table.win_rates, written.win_rates)
                write_table(self.path, table)
                self.assertEqual(self.path.read_bytes(), data)

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

    def test_a_file_of_version_1_has_its_losses_among_the_values(self) -> None:
        written = table_of(random.Random(7), 100, estimates=False)
        written.win_rates = {}
        rows = (
            f'"{format_board(state)}": '
            + json.dumps({str(a): v for a, v in written.canonical_row(state).items()})
            for state in written.states()
        )
        head = '{"format": "traffic-lights-qtable", "version": 1,\n "meta": {},\n "q": {\n'
        text = (head + ",\n".join(rows) + "\n},\n").encode()
        checksum = hashlib.sha256(text).hexdigest()
        self.path.write_bytes(text + f'"sha256": "{checksum}"}}\n'.encode())
        table = read_table(self.path)
        self.assertEqual((table.proofs, table.win_rates), (written.proofs, {}))

    def test_proofs_that_contradict_the_rules_are_refused(self) -> None:
        won, open_board = parse_board("000000000011"), parse_board("000000000001")
        completing = winning_actions(won)[0]
        loss, lost, both = QTable(), QTable(), QTable()
        loss.set_value(won, completing, -1.0)
        lost.set_lost(won)
        both.set_lost(open_board)
        for table in (loss, lost):
            write_table(self.path, table)
            with self.assertRaisesRegex(DamagedFileError, "which wins at once"):
                read_table(self.path)
        write_table(self.path, both)
        board = f'"{format_board(open_board)}"'.encode()
        text = self.path.read_bytes().replace(b'"q": {\n', b'"q": {\n' + board + b': {"4": 0.5}\n')
        text = text[: text.index(b'"sha256"')]
        digest = hashlib.sha256(text).hexdigest().encode()
        self.path.write_bytes(text + b'"sha256": "' + digest + b'"}\n')
        with self.assertRaisesRegex(DamagedFileError, "has values too"):
            read_table(self.path)

    def test_no_cut_and_no_flipped_bit_is_taken_for_a_table(self) -> None:
        write_table(self.path, table_of(random.Random(7), 12, estimates=True))
        data = self.path.read_bytes()
        whole = data[:-1]  # the last line may lack its end
        step = 1 if IS_SLOW_RUN else 13
        damaged = [data[:size] for size in range(0, len(whole), step)]
        damaged += [flipped(data, bit) for bit in range(0, 8 * len(whole), step)]
        for text in damaged:
            self.path.write_bytes(text)
            with self.assertRaises(DamagedFileError):
                read_table(self.path)
