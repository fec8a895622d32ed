"""Files that survive anything: replaced as a whole, read strictly, and locked."""

import contextlib
import errno
import math
import os
import re
import time
import unittest
from collections.abc import Iterator
from unittest import mock

from tests.kit.samples import FolderTestCase
from traffic_lights.storage import files
from traffic_lights.storage.records import read_plain


class FileTestCase(FolderTestCase):
    def setUp(self) -> None:
        self.path = self.folder / "file.json"

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@contextlib.contextmanager
def failing(name: str, code: int, winerror: int | None = None) -> Iterator[mock.Mock]:
    """Have the function os.*name* fail with the error *code*."""
    error = OSError(code, os.strerror(code))
    if winerror is not None:
        error.winerror = winerror  # type: ignore[attr-defined, unused-ignore]
    with mock.patch.object(os, name, side_effect=error) as function:
        yield function


class WriteTests(FileTestCase):
    def test_a_failed_append_leaves_what_was_there_and_no_append_makes_a_hole(self) -> None:
        path = self.folder / "log"
        files.append(path, 0, b"saved")
        files.append(path, 5, b" more")
        with failing("fsync", errno.ENOSPC), self.assertRaisesRegex(files.StorageError, "is full"):
            files.append(path, 5, b" much")
        self.assertEqual(path.read_bytes(), b"saved")
        path.write_bytes(b"save")
        with self.assertRaisesRegex(files.StorageError, "log: it has lost some of its 5 bytes"):
            files.append(path, 5, b" more")
        self.assertEqual(path.read_bytes(), b"save")
        path.unlink()
        with self.assertRaisesRegex(files.StorageError, "no such file or folder"):
            files.append(path, 5, b" more")
        self.assertEqual(self.names(), [])

    def test_what_is_written_is_read_back(self) -> None:
        for data in (b"", b"x", bytes(range(256)) * 1000):
            files.write_atomically(self.path, [data[:7], data[7:]])
            self.assertEqual(self.path.read_bytes(), data)
        value = {"ä": [1, 2.5, None, True, "\u2028"], "empty": {}, "deep": [[["x"]]]}
        files.write_json(self.path, value)
        self.assertEqual(files.read_json(self.path), value)
        for refused in (math.nan, math.inf, object(), {1, 2}):
            with self.assertRaises((TypeError, ValueError)):
                files.write_json(self.path, [refused])
        self.assertEqual((files.read_json(self.path), self.names()), (value, ["file.json"]))

    def test_every_failure_leaves_the_old_file_and_nothing_else(self) -> None:
        files.write_atomically(self.path, [b"old"])
        for function, code, words in (
            ("write", errno.ENOSPC, "the disk is full"),
            ("write", errno.EFBIG, "may not grow larger here"),
            ("replace", errno.EROFS, "read-only"),
            ("open", errno.EACCES, "permission denied"),
        ):
            with self.subTest(function=function, error=errno.errorcode[code]):
                with failing(function, code), self.assertRaises(files.StorageError) as caught:
                    files.write_atomically(self.path, [b"new"])
                self.assertIn(words, str(caught.exception))
                self.assertIn(str(self.path), str(caught.exception))
                self.assertEqual((self.path.read_bytes(), self.names()), (b"old", ["file.json"]))

    def test_an_interruption_leaves_the_old_file_and_nothing_else(self) -> None:
        def chunks() -> Iterator[bytes]:
            yield b"new"
            raise KeyboardInterrupt

        files.write_atomically(self.path, [b"old"])
        with self.assertRaises(KeyboardInterrupt):
            files.write_atomically(self.path, chunks())
        self.assertEqual((self.path.read_bytes(), self.names()), (b"old", ["file.json"]))

    def test_a_name_that_no_file_can_have_is_refused_in_a_sentence(self) -> None:
        words = "cannot read" if os.name == "nt" else "cannot have the letter"
        with self.assertRaisesRegex(files.StorageError, words):
            files.read_text(self.folder / "\ud800")

    def test_short_writes_are_finished(self) -> None:
        whole = os.write
        with mock.patch.object(os, "write", lambda fd, data: whole(fd, data[:3])):
            files.write_atomically(self.path, [b"0123456789", b"abc"])
        self.assertEqual(self.path.read_bytes(), b"0123456789abc")

    @unittest.skipIf(os.name == "nt", "other errors there")
    def test_what_is_in_the_way_is_named(self) -> None:
        self.path.touch()
        for name, words in (
            ("missing/file", "no such file or folder"),
            (".", "it is a folder"),
            ("file.json/file", "part of that path is a file"),
            ("x" * 300, "too long"),
        ):
            with self.assertRaisesRegex(files.StorageError, words):
                files.write_atomically(self.folder / name, [b""])
        files.make_folder(self.folder / "a" / "b")
        self.assertEqual(self.names(), ["a", "file.json"])
        for path in (self.path, self.path / "run"):
            with self.assertRaisesRegex(files.StorageError, "not a folder has that name"):
                files.make_folder(path)

    def test_what_a_killed_program_left_is_removed_and_what_is_written_now_stays(self) -> None:
        old = time.time() - 700
        for name in (
            "file.json.0123456789abcdef.tmp", "other.json.0123456789abcdef.tmp", "file.json.tmp",
            "file.json.0123.tmp", "file.json.0123456789abcdef.tmp.bak",
        ):  # fmt: skip
            (self.folder / name).write_bytes(b"half")
            os.utime(self.folder / name, (old, old))
        before = self.names()

        def chunks() -> Iterator[bytes]:
            yield b"n"
            files.remove_leftovers(self.folder, lambda name: name == "file.json", unchanged_s=600)
            yield b"ew"

        files.write_atomically(self.path, chunks())
        self.assertEqual(self.path.read_bytes(), b"new")
        before.remove("file.json.0123456789abcdef.tmp")
        self.assertEqual(self.names(), ["file.json", *before])
        files.remove_leftovers(self.folder / "missing", bool)

    @unittest.skipIf(os.name == "nt", "links of POSIX")
    def test_a_link_is_replaced_and_what_it_names_stays(self) -> None:
        real = self.folder / "real"
        real.write_bytes(b"old")
        for target in (real, self.folder / "nowhere"):
            self.path.symlink_to(target)
            files.write_atomically(self.path, [b"new"])
            self.assertEqual((self.path.is_symlink(), self.path.read_bytes()), (False, b"new"))
            self.path.unlink()
        temporary = self.folder / "file.json.0000000000000000.tmp"
        temporary.symlink_to(real)
        with mock.patch.object(os, "urandom", bytes), self.assertRaises(files.StorageError):
            files.write_atomically(self.path, [b"new"])
        self.assertEqual((real.read_bytes(), self.names()), (b"old", [temporary.name, "real"]))

    def test_a_file_that_another_program_keeps_open_stays_as_it_was(self) -> None:
        files.write_atomically(self.path, [b"old"])
        for winerror, tries in ((5, 14), (32, 14), (1, 1), (None, 1)):
            with (
                self.subTest(winerror=winerror),
                mock.patch.object(time, "sleep") as sleep,
                failing("replace", errno.EACCES, winerror) as rename,
            ):
                words = "another program has it open" if tries > 1 else "permission denied$"
                with self.assertRaisesRegex(files.StorageError, words):
                    files.write_atomically(self.path, [b"new"])
                self.assertEqual((rename.call_count, sleep.call_count), (tries, tries - 1))
        self.assertEqual((self.path.read_bytes(), self.names()), (b"old", ["file.json"]))


HOSTILE = (
    "", " ", "{", "[1,]", "{'a': 1}", '{"a": 1', "nul", "[1] 2", "\ufeff{}", '"\n"', '"\ud800',
    "9" * 5000,
    "[" * 200_000, '{"a":' * 200_000,
    "01", "+1", "1.", ".5", "0x10", "1_000", "'a'", "tru", "[1 2]", "// a\n1",
)  # fmt: skip


class SyncTests(FileTestCase):
    """A system that cannot sync does not stop the program, but a sync that fails does."""

    @unittest.skipIf(os.name == "nt", "folders are not synced there")
    def test_a_folder_that_cannot_be_synced_is_an_error_unless_its_system_never_can(self) -> None:
        for code, is_error in ((errno.EIO, True), (errno.EINVAL, False), (errno.ENOTSUP, False)):
            with failing("fsync", code):
                if is_error:
                    self.assertRaises(OSError, files.sync_folder, self.folder)
                else:
                    files.sync_folder(self.folder)


class StrictJsonTests(FileTestCase):
    def test_a_file_of_another_program_or_version_is_refused_by_its_name(self) -> None:
        path = self.path
        path.write_text('{"format": "theirs"}')
        words = f"^{re.escape(str(path))} .*has the format 'theirs'; this program reads 'ours'"
        with self.assertRaisesRegex(files.DamagedFileError, words):
            read_plain(path, {"format": "ours"})

    def test_what_json_does_not_have_is_refused_in_a_sentence(self) -> None:
        for text in HOSTILE:
            with self.subTest(text=text[:40]), self.assertRaises(files.DamagedFileError) as caught:
                files.parse_json(text, "some file")
            self.assertRegex(str(caught.exception), r"^some file is damaged: .+$")
        with self.assertRaisesRegex(files.DamagedFileError, "not JSON at line 2, column 4$"):
            files.parse_json('{"a":\n 1 2}', "some file")


class LockTests(FileTestCase):
    def test_one_holder_at_a_time(self) -> None:
        with files.lock_file(self.path):
            self.path.open("rb").close()  # which does not drop the lock
            with self.assertRaisesRegex(
                files.LockedError, f"{re.escape(str(self.folder))} is in training"
            ):
                files.lock_file(self.path)
        with files.lock_file(self.path):
            pass

    @unittest.skipIf(os.name == "nt", "locks of POSIX")
    def test_a_lock_holds_a_file_and_not_its_name(self) -> None:
        path = self.folder / "lock"
        with files.lock_file(path) as lock:
            files.check_lock(lock, path)
            path.unlink()
            with (
                files.lock_file(path),
                self.assertRaisesRegex(files.StorageError, "deleted, moved or"),
            ):
                files.check_lock(lock, path)

    def test_a_system_without_locks_is_not_mistaken_for_another_holder(self) -> None:
        error = OSError(errno.ENOLCK, "")
        with (
            mock.patch("fcntl.flock", side_effect=error),
            self.assertRaises(files.StorageError) as found,
        ):
            files.lock_file(self.path)
        self.assertNotIsInstance(found.exception, files.LockedError)
