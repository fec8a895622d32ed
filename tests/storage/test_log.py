import os
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

from traffic_lights.storage.files import DamagedFileError, StorageError
from traffic_lights.storage.log import BrokenLogError, DeltaLog, LogReader

RECORD = b'{"s":"000000000123","a":4,"v":1.0}\n'


class DeltaLogTests(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name) / "log"

    def write(self, *counts: int) -> None:
        """Write a log with a commit of each number of records."""
        log = DeltaLog.create(self.path, {"title": "a test"})
        for number, count in enumerate(counts, start=1):
            log.append(RECORD * count, count, {"number": number})
        log.close()

    def read(self) -> tuple[list[tuple[int, int]], LogReader]:
        """Return (number, records) of each commit, and the reader after the last, closed."""
        with closing(LogReader(self.path)) as reader:
            commits = [(c.content["number"], c.records.count(b"\n")) for c in reader.commits()]
        return commits, reader

    def test_what_is_appended_is_read_back_in_order(self) -> None:
        for counts in ((), (1,), (0, 0, 3, 0), (250_000, 1), tuple(range(200))):
            self.write(*counts)
            commits, reader = self.read()
            self.assertEqual(commits, list(enumerate(counts, start=1)))
            self.assertEqual((reader.size, reader.torn), (self.path.stat().st_size, 0))
            self.assertEqual(reader.header["title"], "a test")

    def test_a_log_goes_on_behind_its_last_commit_over_what_was_torn(self) -> None:
        self.write(2, 3)
        with self.path.open("ab") as file:
            file.write(RECORD + b'{"commit":{"num')
        commits, reader = self.read()
        self.assertEqual((len(commits), reader.torn), (2, len(RECORD) + 15))
        log = DeltaLog(self.path, reader.size, reader.crc)
        log.append(RECORD, 1, {"number": 3})
        log.close()
        commits, reader = self.read()
        self.assertEqual((commits, reader.torn), ([(1, 2), (2, 3), (3, 1)], 0))

    @unittest.skipIf(os.name == "nt", "links of POSIX")
    def test_a_link_is_not_followed(self) -> None:
        self.write(2)
        log, before = LogReader(self.path), self.path.read_bytes()
        log.close()
        moved = self.path.rename(self.path.with_name("precious"))
        self.path.symlink_to(moved)
        with self.assertRaisesRegex(StorageError, "it is a link"):
            DeltaLog(self.path, log.size - 1, log.crc)
        self.assertEqual(moved.read_bytes(), before)

    def test_damage_before_a_sound_commit_is_told_from_a_torn_tail(self) -> None:
        self.write(2, 2, 2)
        data = self.path.read_bytes()
        ends = [at + 1 for at in range(len(data)) if data[at : at + 1] == b"\n"]
        for at in range(len(data)):
            if data[at : at + 1] == b"\n" and at == len(data) - 1:
                continue
            self.path.write_bytes(data[:at] + b"~" + data[at + 1 :])
            with self.subTest(at=at):
                if at < ends[0]:
                    self.assertRaises(DamagedFileError, LogReader, self.path)
                elif at < ends[6]:  # before the end of the second commit
                    self.assertRaises(BrokenLogError, self.read)
                else:
                    self.assertEqual(len(self.read()[0]), 2)

    def test_the_reader_stands_where_its_caller_came_back_from(self) -> None:
        self.write(1, 1)
        reader = LogReader(self.path)
        self.addCleanup(reader.close)
        start = reader.size
        commits = reader.commits()
        next(commits)
        self.assertEqual(reader.size, start)
        next(commits)
        self.assertGreater(reader.size, start)

    def test_a_flood_of_false_commits_is_read_in_time_that_grows_with_its_length(self) -> None:
        self.write(1)
        with self.path.open("ab") as file:
            file.write(b'{"commit":"bytes":0,"after":"00000000"}\n' * 400_000)
        # One that looked at each line once more for every line would not come back.
        self.assertEqual(len(self.read()[0]), 1)

    def test_a_log_that_is_gone_is_said(self) -> None:
        with self.assertRaisesRegex(StorageError, "no such file"):
            LogReader(self.path)
        with self.assertRaisesRegex(StorageError, "no such file"):
            DeltaLog(self.path, 0, 0)
