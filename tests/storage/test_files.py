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


def failing(
    name: str, code: int, winerror: int | None = None
) -> contextlib.AbstractContextManager[mock.Mock]:
    """Have the function os.*name* fail with the error *code*."""
    error = OSError(code, os.strerror(code))
    if winerror is not None:
        error.winerror = winerror  # type: ignore[attr-defined, unused-ignore]
    return mock.patch.object(os, name, side_effect=error)


class FileTestCase(FolderTestCase):
    def setUp(self) -> None:
        self.path = self.folder / "file.json"

    def contents(self) -> dict[str, bytes]:
        """Return what is in the folder, links apart."""
        return {path.name: path.read_bytes() for path in sorted(self.folder.iterdir())}


class WriteTests(FileTestCase):
    def test_what_is_written_is_read_back(self) -> None:
        whole = os.write
        with mock.patch.object(os, "write", lambda fd, data: whole(fd, data[:999])):
            for data in (b"", b"x", bytes(range(256)) * 10):
                files.write_atomically(self.path, [data[:7], data[7:]])
                self.assertEqual(self.contents(), {"file.json": data})
        value = {"ä": [1, 2.5, None, True, "\u2028"], "empty": {}, "deep": [[["x"]]]}
        files.write_json(self.path, value)
        for refused in (math.nan, math.inf, object(), {1, 2}):
            with self.assertRaises((TypeError, ValueError)):
                files.write_json(self.path, [refused])
        self.assertEqual(files.read_json(self.path), value)

    def test_a_failed_append_leaves_what_was_there_and_no_append_makes_a_hole(self) -> None:
        files.append(self.path, 0, b"saved")
        files.append(self.path, 5, b" more")
        with failing("fsync", errno.ENOSPC), self.assertRaisesRegex(files.StorageError, "is full"):
            files.append(self.path, 5, b" much")
        self.assertEqual(self.contents(), {"file.json": b"saved"})
        with self.assertRaisesRegex(files.StorageError, "json: it has lost some of its 6 bytes"):
            files.append(self.path, 6, b" more")
        self.assertEqual(self.contents(), {"file.json": b"saved"})
        self.path.unlink()
        with self.assertRaisesRegex(files.StorageError, "no such file or folder"):
            files.append(self.path, 5, b" more")
        self.assertEqual(self.contents(), {})

    def test_every_failure_leaves_the_old_file_and_nothing_else(self) -> None:
        def interrupted() -> Iterator[bytes]:
            yield b"new"
            raise KeyboardInterrupt

        files.write_atomically(self.path, [b"old"])
        for function, code, winerror, tries, words in (
            ("write", errno.ENOSPC, None, 1, "the disk is full"),
            ("write", errno.EFBIG, None, 1, "may not grow larger here"),
            ("open", errno.EACCES, None, 1, "permission denied"),
            ("replace", errno.EROFS, None, 1, "read-only"),
            ("replace", errno.EACCES, 1, 1, "permission denied"),
            ("replace", errno.EACCES, 5, 14, "permission denied, or another program has it open"),
            ("replace", errno.EACCES, 32, 14, "permission denied, or another program has it open"),
        ):
            case = self.subTest(function=function, error=errno.errorcode[code], winerror=winerror)
            fails = failing(function, code, winerror)
            with case, mock.patch.object(time, "sleep") as sleep, fails as call:
                expected = f"^cannot write {re.escape(str(self.path))}: .*{words}"
                with self.assertRaisesRegex(files.StorageError, expected + ".{,20}$"):
                    files.write_atomically(self.path, [b"new"])
                self.assertEqual((call.call_count, sleep.call_count), (tries, tries - 1))
            self.assertEqual(self.contents(), {"file.json": b"old"})
        self.assertRaises(KeyboardInterrupt, files.write_atomically, self.path, interrupted())
        self.assertEqual(self.contents(), {"file.json": b"old"})

    @unittest.skipIf(os.name == "nt", "other errors there")
    def test_what_is_in_the_way_is_named(self) -> None:
        self.path.touch()
        files.make_folder(self.folder / "a" / "b")
        for act, name, words in (
            (files.read_text, "\ud800", "cannot have the letter"),
            (files.read_text, "missing/file", "no such file or folder"),
            (files.read_text, ".", "it is a folder"),
            (files.read_text, "file.json/file", "part of that path is a file"),
            (files.read_text, "x" * 300, "too long"),
            (files.make_folder, "file.json", "not a folder has that name"),
            (files.make_folder, "file.json/run", "not a folder has that name"),
        ):
            with self.assertRaisesRegex(files.StorageError, words):
                act(self.folder / name)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a", "file.json"])

    def test_what_a_killed_program_left_is_removed_and_what_is_written_now_stays(self) -> None:
        old = time.time() - 700
        left = "file.json.0123456789abcdef.tmp"
        others = {f"other.json{left[9:]}", "file.json.tmp", "file.json.0123.tmp", f"{left}.bak"}
        for name in (left, *others):
            (self.folder / name).write_bytes(b"half")
            os.utime(self.folder / name, (old, old))

        def chunks() -> Iterator[bytes]:
            yield b"n"
            files.remove_leftovers(self.folder, lambda name: name == "file.json", unchanged_s=600)
            yield b"ew"

        files.write_atomically(self.path, chunks())
        self.assertEqual(self.contents(), {**dict.fromkeys(others, b"half"), "file.json": b"new"})
        files.remove_leftovers(self.folder / "missing", bool)

    @unittest.skipIf(os.name == "nt", "links of POSIX")
    def test_a_link_is_replaced_and_what_it_names_stays(self) -> None:
        real = self.folder / "real"
        real.write_bytes(b"old")
        for target in (real, self.folder / "nowhere"):
            self.path.unlink(missing_ok=True)
            self.path.symlink_to(target)
            files.write_atomically(self.path, [b"new"])
            self.assertFalse(self.path.is_symlink())
            self.assertEqual(self.contents(), {"file.json": b"new", "real": b"old"})
        self.path.with_name("file.json.0000000000000000.tmp").symlink_to(real)
        with mock.patch.object(os, "urandom", bytes), self.assertRaises(files.StorageError):
            files.write_atomically(self.path, [b"newer"])
        self.assertEqual(real.read_bytes(), b"old")

    @unittest.skipIf(os.name == "nt", "folders are not synced there")
    def test_a_folder_that_cannot_be_synced_is_an_error_unless_its_system_never_can(self) -> None:
        with failing("fsync", errno.EIO):
            self.assertRaises(OSError, files.sync_folder, self.folder)
        for code in (errno.EINVAL, errno.ENOTSUP):
            with failing("fsync", code):
                files.sync_folder(self.folder)


class StrictJsonTests(FileTestCase):
    def test_what_is_not_our_json_is_refused_in_a_sentence(self) -> None:
        for text in ("", "[1 2]", "\ufeff{}", "9" * 5000, "[" * 200_000):
            with self.subTest(text=text[:40]), self.assertRaises(files.DamagedFileError) as caught:
                files.parse_json(text, "some file")
            self.assertRegex(str(caught.exception), r"^some file is damaged: .+$")
        with self.assertRaisesRegex(files.DamagedFileError, "not JSON at line 2, column 4$"):
            files.parse_json('{"a":\n 1 2}', "some file")
        self.path.write_text('{"format": "theirs"}')
        words = f"^{re.escape(str(self.path))} .*has the format 'theirs'; this program reads 'ours'"
        with self.assertRaisesRegex(files.DamagedFileError, words):
            read_plain(self.path, {"format": "ours"})


class LockTests(FileTestCase):
    def test_one_holder_at_a_time(self) -> None:
        for _ in range(2):
            with files.lock_file(self.path) as lock:
                self.path.open("rb").close()  # which does not drop the lock
                files.check_lock(lock, self.path)
                words = f"{re.escape(str(self.folder))} is in training"
                with self.assertRaisesRegex(files.LockedError, words):
                    files.lock_file(self.path)

    @unittest.skipIf(os.name == "nt", "locks of POSIX")
    def test_a_lock_holds_a_file_and_not_its_name(self) -> None:
        with files.lock_file(self.path) as lock:
            self.path.unlink()
            words = "deleted, moved or"
            with files.lock_file(self.path), self.assertRaisesRegex(files.StorageError, words):
                files.check_lock(lock, self.path)

    @unittest.skipIf(os.name == "nt", "locks of POSIX")
    def test_a_system_without_locks_is_not_mistaken_for_another_holder(self) -> None:
        with mock.patch("fcntl.flock", side_effect=OSError(errno.ENOLCK, "")):
            self.assertRaisesRegex(files.StorageError, "without a lock", files.lock_file, self.path)
