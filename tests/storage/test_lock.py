import errno
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT
from traffic_lights.storage import lock
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.lock import FileLock, LockedError, NoLocksError

HOLDER = """
import sys, time
from pathlib import Path
from traffic_lights.storage.lock import FileLock
FileLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
time.sleep(600)
"""


class LockTests(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.path = self.folder / "lock"

    def test_one_holder_at_a_time(self) -> None:
        with FileLock(self.path):
            for _ in range(2):
                with self.assertRaisesRegex(
                    LockedError, "in use by another training run"
                ) as caught:
                    FileLock(self.path).acquire()
                self.assertIn(str(self.folder), str(caught.exception))
        with FileLock(self.path):
            pass

    def test_reading_the_lock_file_does_not_drop_the_lock(self) -> None:
        with FileLock(self.path):
            self.path.read_bytes()
            with self.assertRaises(LockedError):
                FileLock(self.path).acquire()

    @unittest.skipIf(os.name == "nt", "links of POSIX")
    def test_a_link_is_not_followed(self) -> None:
        self.path.symlink_to(self.folder / "target")
        with self.assertRaisesRegex(StorageError, "it is a link"):
            FileLock(self.path).acquire()
        self.assertEqual(list(self.folder.iterdir()), [self.path])

    def test_releasing_twice_is_harmless(self) -> None:
        held = FileLock(self.path)
        held.acquire()
        held.release()
        held.release()
        with FileLock(self.path):
            held.release()
            with self.assertRaises(LockedError):
                FileLock(self.path).acquire()

    def test_a_system_without_locks_is_not_mistaken_for_another_holder(self) -> None:
        for code, kind, words in (
            (errno.ENOLCK, NoLocksError, "cannot lock .*choose a folder on another disk"),
            (errno.EIO, NoLocksError, "cannot lock"),
            (errno.EACCES, LockedError, "in use"),
            (0, LockedError, "in use"),
        ):
            with (
                mock.patch.object(lock, "_try_lock", side_effect=OSError(code, "")),
                self.assertRaisesRegex(StorageError, words) as caught,
            ):
                FileLock(self.path).acquire()
            self.assertIs(type(caught.exception), kind)

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs processes that can be killed")
    def test_the_lock_is_free_the_moment_its_holder_is_dead(self) -> None:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(self.path)],
            cwd=PROJECT, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        assert holder.stdout is not None
        with holder.stdout:
            self.assertEqual(holder.stdout.readline(), b"held\n")
        with self.assertRaises(LockedError):
            FileLock(self.path).acquire()
        holder.kill()
        holder.wait()
        with FileLock(self.path):
            pass
