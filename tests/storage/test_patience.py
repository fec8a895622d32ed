import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.faults import HELD, Disk, held
from traffic_lights.storage import patience
from traffic_lights.storage.files import StorageError, read_bytes, write_atomically


class PatienceTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.path = self.folder / "file"
        self.sleep = self.enterContext(mock.patch.object(time, "sleep"))
        self.said: list[str] = []
        self.enterContext(patience.heard(self.said.append))

    def waited_s(self) -> float:
        return float(sum(call.args[0] for call in self.sleep.call_args_list))

    def refusing(self, times: int) -> mock.Mock:
        return mock.Mock(side_effect=[held()] * times + ["done"])

    def test_what_nobody_holds_is_done_at_once(self) -> None:
        self.assertEqual(patience.patiently(self.refusing(0), self.path), "done")
        self.assertEqual((self.waited_s(), self.said), (0, []))

    def test_a_moment_is_waited_for_without_a_word(self) -> None:
        self.assertEqual(patience.patiently(self.refusing(6), self.path), "done")
        self.assertEqual(self.said, [])
        self.assertAlmostEqual(self.waited_s(), 2.55)

    def test_after_a_moment_the_word_is_said_once(self) -> None:
        self.assertEqual(patience.patiently(self.refusing(15), self.path), "done")
        self.assertEqual(self.said, [f"waiting for another program, which has {self.path} open"])

    def test_after_some_fifteen_seconds_the_error_is_the_callers(self) -> None:
        with self.assertRaises(PermissionError):
            patience.patiently(self.refusing(100), self.path)
        self.assertEqual(len(self.said), 1)
        self.assertTrue(14 < self.waited_s() < 16)

    def test_other_errors_are_not_waited_for(self) -> None:
        for error in (PermissionError(13, "no"), FileNotFoundError(2, "gone")):
            with self.assertRaises(type(error)):
                patience.patiently(mock.Mock(side_effect=error), self.path)
        self.assertEqual(self.waited_s(), 0)

    def test_each_thread_has_a_listener_of_its_own(self) -> None:
        work = threading.Thread(target=patience.patiently, args=(self.refusing(9), self.path))
        work.start()
        work.join()
        self.assertEqual(self.said, [])
        with patience.heard(lambda _: None):
            patience.patiently(self.refusing(9), self.path)
        self.assertEqual(self.said, [])
        patience.patiently(self.refusing(9), self.path)
        self.assertEqual(len(self.said), 1)

    def test_a_folder_is_moved_and_deleted_when_it_is_let_go(self) -> None:
        old, new = self.folder / "old", self.folder / "new"
        old.mkdir()
        (old / "file").touch()
        with Disk(0, HELD[0]):
            patience.replace(old, new)
        self.assertEqual(len(self.said), 1)
        with Disk(0, HELD[0]):
            patience.remove_tree(new)
        self.assertEqual(len(self.said), 2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_file_that_stays_held_is_left_as_it_was(self) -> None:
        self.path.write_bytes(b"old")
        for at in range(4):
            with Disk(at, HELD[1]), self.assertRaisesRegex(StorageError, "has it open"):
                write_atomically(self.path, [b"new"])
            self.assertEqual(read_bytes(self.path), b"old")
