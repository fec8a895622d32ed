import contextlib
import errno
import json
import math
import os
import random
import stat
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from traffic_lights.storage import files as storage
from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    failure,
    make_folder,
    parse_json,
    read_json,
    read_text,
    write_atomically,
    write_json,
)


class FolderTestCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self._temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self._temporary.cleanup)
        self.folder = Path(self._temporary.name).resolve()
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


class WriteTests(FolderTestCase):
    def setUp(self) -> None:
        super().setUp()
        if sys.platform == "darwin":  # where syncing is not os.fsync, which these tests watch
            as_elsewhere = mock.patch.object(sys, "platform", "linux")
            as_elsewhere.start()
            self.addCleanup(as_elsewhere.stop)

    def test_what_is_written_is_read_back(self) -> None:
        for data in (b"", b"x", bytes(range(256)) * 1000):
            write_atomically(self.path, [data[:7], data[7:]])
            self.assertEqual(self.path.read_bytes(), data)
        self.assertEqual(self.names(), ["file.json"])

    def test_json_comes_back_as_it_was(self) -> None:
        value = {"ä": [1, 2.5, None, True, "\u2028"], "empty": {}, "deep": [[["x"]]]}
        write_json(self.path, value)
        self.assertEqual(read_json(self.path), value)
        self.assertEqual(json.loads(self.path.read_text("utf-8")), value)

    @unittest.skipIf(os.name == "nt", "names and paths have other limits there")
    def test_a_name_that_is_too_long_is_said(self) -> None:
        with self.assertRaisesRegex(StorageError, "cannot write .*too long"):
            write_atomically(self.folder / ("x" * 300), [b""])

    @unittest.skipIf(os.name == "nt", "names and paths have other limits there")
    def test_folders_are_made_however_deep_they_lie(self) -> None:
        deep = self.folder.joinpath(*"a" * 300)
        make_folder(deep)
        self.assertTrue(deep.is_dir())
        make_folder(deep)
        for path in (deep, *deep.parents):  # deeper than the clean-up can go
            if path == self.folder:
                break
            path.rmdir()
        with self.assertRaisesRegex(StorageError, "cannot use the folder"):
            make_folder(self.folder.joinpath("b" * 300, "c"))

    def test_what_is_no_json_is_refused_and_the_old_file_stays(self) -> None:
        write_json(self.path, 1)
        for value in (math.nan, math.inf, object(), {1, 2}):
            with self.assertRaises((TypeError, ValueError)):
                write_json(self.path, [value])
        self.assertEqual((read_json(self.path), self.names()), (1, ["file.json"]))

    def test_every_failure_leaves_the_old_file_and_nothing_else(self) -> None:
        write_atomically(self.path, [b"old"])
        failures = (
            ("write", errno.ENOSPC, "the disk is full"),
            ("write", errno.EFBIG, "may not grow larger here"),
            ("fsync", errno.EIO, "cannot write"),
            ("fsync", errno.ENOSPC, "the disk is full"),
            ("replace", errno.EROFS, "read-only"),
            ("open", errno.EACCES, "not allowed"),
        )
        for function, code, words in failures:
            with self.subTest(function=function, error=errno.errorcode[code]):
                with failing(function, code), self.assertRaises(StorageError) as caught:
                    write_atomically(self.path, [b"new"])
                self.assertIn(words, str(caught.exception))
                self.assertIn(str(self.path), str(caught.exception))
                self.assertEqual(self.path.read_bytes(), b"old")
                self.assertEqual(self.names(), ["file.json"])

    def test_an_interruption_leaves_the_old_file_and_nothing_else(self) -> None:
        def chunks() -> Iterator[bytes]:
            yield b"new"
            raise KeyboardInterrupt

        write_atomically(self.path, [b"old"])
        with self.assertRaises(KeyboardInterrupt):
            write_atomically(self.path, chunks())
        self.assertEqual((self.path.read_bytes(), self.names()), (b"old", ["file.json"]))

    def test_short_writes_are_finished(self) -> None:
        whole = os.write
        with mock.patch.object(os, "write", lambda fd, data: whole(fd, data[:3])):
            write_atomically(self.path, [b"0123456789", b"abc"])
        self.assertEqual(self.path.read_bytes(), b"0123456789abc")

    def test_bytes_are_synced_before_the_rename_and_the_folder_after(self) -> None:
        calls: list[str] = []

        def recorded(name: str) -> Any:
            function = getattr(os, name)

            def record(*arguments: Any, **options: Any) -> Any:
                kind = name
                if name == "fsync" and stat.S_ISDIR(os.fstat(arguments[0]).st_mode):
                    kind = "fsync of the folder"
                calls.append(kind)
                return function(*arguments, **options)

            return mock.patch.object(os, name, record)

        with contextlib.ExitStack() as stack:
            for name in ("write", "fsync", "replace"):
                stack.enter_context(recorded(name))
            write_atomically(self.path, [b"new"])
        folder = [] if os.name == "nt" else ["fsync of the folder"]
        self.assertEqual(calls, ["write", "fsync", "replace", *folder])

    def test_a_folder_that_cannot_be_synced_is_said(self) -> None:
        with (
            mock.patch.object(storage, "sync_folder", side_effect=OSError(errno.EIO, "bad")),
            self.assertRaises(StorageError),
        ):
            write_atomically(self.path, [b"new"])
        self.assertEqual(self.path.read_bytes(), b"new")

    @unittest.skipIf(os.name == "nt", "other errors there")
    def test_a_missing_folder_and_a_folder_in_place_of_the_file_are_said(self) -> None:
        with self.assertRaisesRegex(StorageError, "no such file or folder"):
            write_atomically(self.folder / "missing" / "file", [b""])
        (self.folder / "folder").mkdir()
        with self.assertRaisesRegex(StorageError, "folder"):
            write_atomically(self.folder / "folder", [b""])
        self.path.touch()
        with self.assertRaisesRegex(StorageError, "part of that path is a file"):
            write_atomically(self.path / "file", [b""])
        self.assertEqual(self.names(), ["file.json", "folder"])

    @unittest.skipIf(os.name == "nt", "links and modes of POSIX")
    def test_a_symbolic_link_is_replaced_and_what_it_names_stays(self) -> None:
        real = self.folder / "real" / "file.json"
        real.parent.mkdir()
        for target in (real, self.folder / "nowhere", self.path):
            real.write_bytes(b"old")
            self.path.symlink_to(target)
            write_atomically(self.path, [b"new"])
            self.assertEqual((self.path.is_symlink(), self.path.read_bytes()), (False, b"new"))
            self.assertEqual((real.read_bytes(), list(real.parent.iterdir())), (b"old", [real]))
            self.path.unlink()

    @unittest.skipIf(os.name == "nt", "links and modes of POSIX")
    def test_a_link_laid_where_the_temporary_file_would_be_is_not_followed(self) -> None:
        real = self.folder / "real"
        real.write_bytes(b"somebody's")
        temporary = self.folder / "file.json.0000000000000000.tmp"
        with mock.patch.object(os, "urandom", bytes):
            for lay in (temporary.symlink_to, temporary.hardlink_to):
                lay(real)
                with self.assertRaises(StorageError):
                    write_atomically(self.path, [b"new"])
                self.assertEqual((real.read_bytes(), self.path.exists()), (b"somebody's", False))
                self.assertTrue(temporary.exists(), "what has the name is not ours to remove")
                temporary.unlink()

    @unittest.skipIf(os.name == "nt", "links and modes of POSIX")
    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs named pipes")
    def test_a_named_pipe_is_never_renamed_over(self) -> None:
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with self.assertRaisesRegex(StorageError, "not a regular file"):
            write_atomically(pipe, [b"bytes"])
        self.assertTrue(pipe.is_fifo())

    @unittest.skipIf(os.name == "nt", "links and modes of POSIX")
    def test_new_files_have_the_mode_that_the_umask_leaves(self) -> None:
        for mask, mode in ((0o022, 0o644), (0o077, 0o600)):
            before = os.umask(mask)
            try:
                write_atomically(self.folder / oct(mask), [b""])
            finally:
                os.umask(before)
            self.assertEqual(stat.S_IMODE((self.folder / oct(mask)).stat().st_mode), mode)

    @unittest.skipIf(os.name == "nt", "links and modes of POSIX")
    def test_a_replaced_file_passes_on_its_mode(self) -> None:
        for mode in (0o600, 0o664, 0o444):
            self.path.touch()
            self.path.chmod(mode)
            write_atomically(self.path, [b"new"])
            self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), mode)

    def test_a_file_that_another_program_keeps_open_stays_as_it_was(self) -> None:
        write_atomically(self.path, [b"old"])
        for winerror, tries in ((5, 14), (32, 14), (33, 14), (1, 1), (None, 1)):
            with (
                self.subTest(winerror=winerror),
                mock.patch.object(time, "sleep") as sleep,
                failing("replace", errno.EACCES, winerror) as rename,
            ):
                with self.assertRaises(StorageError):
                    write_atomically(self.path, [b"new"])
                self.assertEqual((rename.call_count, sleep.call_count), (tries, tries - 1))
        self.assertEqual((self.path.read_bytes(), self.names()), (b"old", ["file.json"]))


class ReadTests(FolderTestCase):
    def test_what_cannot_be_read_is_said(self) -> None:
        with self.assertRaisesRegex(StorageError, "cannot read .*file.json: no such file"):
            read_text(self.path)
        with self.assertRaisesRegex(StorageError, "it is a folder"):
            read_text(self.folder)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs named pipes")
    def test_a_named_pipe_is_refused_without_waiting(self) -> None:
        os.mkfifo(self.path)
        with self.assertRaisesRegex(StorageError, "not a regular file"):
            read_text(self.path)

    def test_a_file_longer_than_expected_is_refused(self) -> None:
        self.path.write_bytes(b"x" * 11)
        self.assertEqual(read_text(self.path, 11), "x" * 11)
        with self.assertRaisesRegex(DamagedFileError, "more than 10 bytes"):
            read_text(self.path, 10)

    def test_other_encodings_are_refused(self) -> None:
        for encoding in ("utf-16", "latin-1", "utf-32"):
            self.path.write_bytes('{"ä": 1}'.encode(encoding))
            with self.subTest(encoding=encoding), self.assertRaises(DamagedFileError) as caught:
                read_json(self.path)
            self.assertIn(str(self.path), str(caught.exception))

    def test_a_disk_that_fails_while_reading_is_said(self) -> None:
        self.path.write_bytes(b"{}")
        with (
            mock.patch.object(storage, "open_regular", return_value=-1),
            mock.patch.object(os, "fdopen") as opened,
            self.assertRaisesRegex(StorageError, "cannot read"),
        ):
            file = opened.return_value.__enter__.return_value
            file.read.side_effect = OSError(errno.EIO, "Input/output error")
            read_text(self.path)


HOSTILE = (
    "", " ", "{", "[1,]", "{'a': 1}", '{"a": 1', "nul", "[1] 2", "\ufeff{}", '"\n"', '"\ud800',
    "NaN", "[Infinity]", "-Infinity", "1e999", "[-1e999]", "9" * 41, "0." + "1" * 60,
    '{"a": 1, "a": 2}', '{"b": {"a": 1, "c": 0, "a": 1}}', "[" * 200_000, '{"a":' * 200_000,
    "01", "+1", "1.", ".5", "0x10", "1_000", "'a'", "tru", "[1 2]", "// a\n1",
)  # fmt: skip


class StrictJsonTests(unittest.TestCase):
    def test_what_json_does_not_have_is_refused_in_one_short_sentence(self) -> None:
        for text in HOSTILE:
            with self.subTest(text=text[:40]), self.assertRaises(DamagedFileError) as caught:
                parse_json(text, "some file")
            message = str(caught.exception)
            self.assertTrue(message.startswith("some file is damaged: "), message)
            self.assertLess(len(message), 160)
            self.assertNotIn("\n", message)

    def test_random_damage_is_refused_or_harmless(self) -> None:
        rng = random.Random(7)
        text = json.dumps({"format": "x", "version": 1, "rows": [[1.5, "a"], {"b": None}]})
        for _ in range(5000):
            damaged = list(text)
            for _ in range(rng.randint(1, 3)):
                damaged[rng.randrange(len(damaged))] = chr(rng.choice((0, 10, 34, 44, 57, 93, 125)))
            with contextlib.suppress(DamagedFileError):
                parse_json("".join(damaged), "x")


class ExplainTests(unittest.TestCase):
    def test_every_system_error_becomes_a_sentence_with_the_path(self) -> None:
        for code in errno.errorcode:
            sentence = str(failure(OSError(code, os.strerror(code)), "read", Path("some/file")))
            self.assertRegex(sentence, r"^cannot read some.file: .+$")
        with tempfile.NamedTemporaryFile() as file:
            for folder in (Path(file.name), Path(file.name) / "run"):
                with self.assertRaisesRegex(StorageError, "not a folder has that name"):
                    make_folder(folder)
        for number, expected in ((5, "or a program has it open"), (32, "another program has it")):
            held = PermissionError(errno.EACCES, "no")
            held.winerror = number  # type: ignore[attr-defined, unused-ignore]
            self.assertIn(expected, str(failure(held, "write", Path("f"))))
        self.assertEqual(
            str(failure(OSError("odd"), "write", Path("f"))), "cannot write f: odd"
        )  # no number, no words of the system
