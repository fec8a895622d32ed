"""Files that are damaged, foreign or malicious: each is refused in one sentence, and left alone."""

import hashlib
import json
import os
import tempfile
import tracemalloc
import unittest
import zlib
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.kit.runs import SMALL, Told, left_behind, play, tiny
from tests.kit.samples import outcome
from traffic_lights.train import main as train_command
from traffic_lights.training.folder import CHECKPOINT, LOG, TABLE

MOST_MEMORY: Final = 100_000_000
DEEP: Final = b"[" * 200_000
LONG: Final = b"9" * 100_000

ROW: Final = b'"000000000123": {"4": 1.0}'
HEADER: Final = b'{"format": "traffic-lights-qtable", "version": 2,\n "meta": {},\n "q": {\n'
LOST: Final = b' "lost": {\n'


def sealed(text: bytes) -> bytes:
    """Return the table file *text* with the checksum that it needs."""
    return text + b'"sha256": "' + hashlib.sha256(text).hexdigest().encode() + b'"}\n'


def table(rows: bytes = ROW, header: bytes = HEADER, lost: bytes = LOST) -> bytes:
    """Return a table file whose checksum is right."""
    return sealed(header + rows + b"\n},\n" + lost + b"},\n")


def with_meta(meta: bytes) -> bytes:
    return table(header=HEADER.replace(b'"meta": {}', b'"meta": ' + meta))


def chances(text: bytes) -> bytes:
    return table(lost=LOST + text + b"\n")


def value(text: bytes) -> bytes:
    return table(b'"000000000123": {"4": ' + text + b"}")


RUN: Final = json.dumps(
    {"games": 1, "settings": {"programme": "random"}}  # settings without most of their names
).encode()
TABLES: Final[dict[str, bytes]] = {
    "empty": b"",
    "a version of terminal codes": HEADER.replace(b'"version": 2', b'"version": "\\u001b[31m\\nx"'),
    "cut short after a row": table()[: len(HEADER) + len(ROW) + 1],
    "binary": bytes(range(256)) * 100,
    "NaN": value(b"NaN"),
    "out of range": value(b"1.5"),
    "a value of 0": value(b"0.0"),
    "a loss for a move that wins at once": table(b'"000000000011": {"9": -1.0}'),
    "a win for a move that lets the opponent win": table(b'"000000000001": {"10": 1.0}'),
    "a digit of 9": table(b'"000000000129": {"4": 1.0}'),
    "action 12": table(b'"000000000123": {"12": 1.0}'),
    "a move on red": table(b'"000000000123": {"11": 1.0}'),
    "a boolean for a value": value(b"true"),
    "a future version": table(header=HEADER.replace(b": 2,", b": 3,")),
    "no format": table(header=HEADER.replace(b'"format": "traffic-lights-qtable", ', b"")),
    "no meta": table(header=HEADER.replace(b' "meta": {},\n', b"")),
    "losses in version 1": table(header=HEADER.replace(b": 2,", b": 1,")),
    "no losses": sealed(HEADER + ROW + b"\n},\n"),
    "a chance above 1": chances(b'"000000000000": {"4": 1.5}'),
    "a chance twice": chances(b'"000000000000": {"4": 0.5, "4": 0.5}'),
    "a chance for a red cell": chances(b'"000000000003": {"11": 0.5}'),
    "chances of a finished board": chances(b'"000000000111": {"4": 0.5}'),
    "chances out of order": chances(b'"000000000012": {},\n"000000000000": {}'),
    "nested brackets": DEEP,
    "bad UTF-8 in the meta": with_meta(b'{"a": "\xff"}'),
    "UTF-16": table().decode().encode("utf-16"),
    "a number of 100,000 digits": with_meta(b'{"a": ' + LONG + b"}"),
    "a value of 100,000 digits": value(b"0." + LONG),
    "a row twice": table(ROW + b",\n" + ROW),
    "an action twice": table(b'"000000000123": {"4": 1.0, "4": -1.0}'),
    "a finished board": table(b'"000000000111": {"4": 1.0}'),
    "a mirrored board": table(b'"321000000000": {"4": 1.0}'),
    "two rows on a line": table(ROW + b", " + ROW.replace(b"3", b"2")),
    "a comma after the last row": table(ROW + b","),
    "a row without values": table(b'"000000000123": {}'),
    "rows out of order": table(b'"000000000123": {"4": 1.0},\n"000000000012": {"4": 1.0}'),
    "more after the end": table() + b"x",
    "an object for a value": value(b"{}"),
    "a chance for action 12": chances(b'"000000000000": {"12": 0.5}'),
    "a changed value": table().replace(b"1.0}", b"-1.0}"),
    "a run with foreign settings": with_meta(b'{"runs": [' + RUN + b'], "progress": {}}'),
    "a long line": HEADER + b" " * 3_000_000,
}  # fmt: skip


@cache
def left() -> dict[str, bytes]:
    """Return the files of a run that was left after two batches."""
    with tiny():
        return left_behind(SMALL, 2)


def checkpoint(**changes: Any) -> bytes:
    """Return its checkpoint with *changes*, also inside objects, and the checksum it then needs."""
    content = json.loads(left()[CHECKPOINT])
    del content["crc"]
    for name, value in changes.items():
        content[name] = {**content[name], **value} if isinstance(value, dict) else value
    crc = zlib.crc32(json.dumps(content).encode())
    return json.dumps({**content, "crc": f"{crc:08x}"}).encode()


def counting(log: bytes) -> bytes:
    """Return its checkpoint as if *log* had been written."""
    return checkpoint(log={"bytes": len(log), "crc": f"{zlib.crc32(log):08x}"})


def lost(board: bytes = b"000000000000", actions: int = 12) -> bytes:
    """Return records that make the first *actions* of *board* proven losses."""
    return b"".join(b'{"s":"%s","a":%d,"v":-1.0}\n' % (board, a) for a in range(actions))


RECORDS: Final[dict[str, bytes]] = {
    "a mirrored board": b'{"s":"321000000000","a":4,"v":1.0}',
    "a red cell": b'{"s":"000000000123","a":11,"v":1.0}',
    "action 12": b'{"s":"000000000123","a":12,"v":1.0}',
    "out of range": b'{"s":"000000000123","a":4,"v":2.0}',
    "NaN": b'{"s":"000000000123","a":4,"v":NaN}',
    "a value of 0": b'{"s":"000000000123","a":4,"v":0.0}',
    "an estimate that is taken back": b"".join(
        b'{"s":"000000000000","a":0,"v":%s}\n' % value for value in (b"0.5", b"0.0")
    ),
    "a loss for a move that wins at once": b'{"s":"000000000011","a":9,"v":-1.0}',
    "a win for a move that lets the opponent win": b'{"s":"000000000001","a":10,"v":1.0}',
    "a win and a loss for one move": b"".join(
        b'{"s":"000000000000","a":0,"v":%s}\n' % value for value in (b"-1.0", b"1.0")
    ),
    "a chance above 1": lost() + b'{"s":"000000000000","a":4,"c":1.5}',
    "a chance where nothing is lost": b'{"s":"000000000000","a":4,"c":0.5}',
    "a chance of a red cell": lost(b"000000000003", 11) + b'{"s":"000000000003","a":11,"c":0.5}',
    "something else": b'{"hello":"world"}',
    "terminal codes": b"\x1b]0;owned\x07\x1b[2J\x9b31m",
    "a long line": b"x" * 3_000_000,
}
"""Ends of logs that are what the checkpoint counts."""
CHECKPOINTS: Final[dict[str, bytes]] = {
    "empty": b"",
    "binary": bytes(range(256)),
    "an array": b"[]",
    "nested brackets": DEEP,
    "a name twice": b'{"run": 0, "run": 0}',
    "not a checkpoint": b'{"version": 2}',
}
CHANGES: Final[dict[str, dict[str, Any]]] = {
    "a future version": {"version": 4},
    "no settings": {"settings": None},
    "an unknown plan": {"settings": {"programme": "chess"}},
    "a game of text": {"progress": {"games": "many"}},
    "a ply out of range": {"progress": {"ply": 99999}},
}
"""Changes of a checkpoint that has the right checksum."""
WRONG: Final[dict[str, tuple[object, ...]]] = {
    "run": ("x", None, -1, True, 1.5, 10**30, []),
    "games": ("many", None, -5, True, 1.5, 1e308, 0),
    "finished": ("no", 1, None),
    "base": (5, "", "f" * 63),
    "bytes": ("9", None, -5, False, 1.5, [], "", 0),
    "crc": (7, None, "0x1234567", ""),
}
"""Values of another type or range, by field."""


class HostileFileTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()

    def assert_refused(self, path: Path) -> None:
        """Check that training next to *path* is refused in one sentence."""
        status, out, sentence = outcome(train_command, "--dir", str(self.folder))
        self.assertEqual((status, out), (2, ""), sentence)
        self.assertRegex(sentence, r"\Atrain: .{1,400}\n\Z")
        self.assertIn(str(path), sentence)
        self.assertTrue(sentence.removesuffix("\n").isprintable(), sentence)

    def test_the_builders_build_what_is_accepted(self) -> None:
        log = left()[LOG] + lost() + b'{"s":"000000000000","a":4,"c":0.5}\n'
        with tiny():
            for files in (
                {TABLE: table()},
                {LOG: left()[LOG], CHECKPOINT: checkpoint()},
                {LOG: log, CHECKPOINT: counting(log)},
            ):
                with tempfile.TemporaryDirectory() as folder:
                    for name, data in files.items():
                        (Path(folder) / name).write_bytes(data)
                    play(Path(folder), SMALL, Told())

    def refuse(self, kind: str, files: dict[str, bytes], named: str) -> None:
        """Check that training on *files* is refused by a sentence with the name of one of them."""
        for name, data in files.items():
            (self.folder / name).write_bytes(data)
        with self.subTest(file=named, kind=kind):
            self.assert_refused(self.folder / named)
            for name, data in files.items():
                self.assertEqual((self.folder / name).read_bytes(), data)
        for name in files:
            (self.folder / name).unlink()

    def test_hostile_files_are_refused_in_one_sentence_and_left_alone(self) -> None:
        for kind, data in TABLES.items():
            self.refuse(kind, {TABLE: data}, TABLE)
        for kind, record in RECORDS.items():
            log = left()[LOG] + record + b"\n"
            self.refuse(kind, {LOG: log, CHECKPOINT: counting(log)}, LOG)
        more = checkpoint(log={"bytes": 1 << 60})
        self.refuse("more bytes than there are", {LOG: left()[LOG], CHECKPOINT: more}, LOG)
        for kind, data in CHECKPOINTS.items():
            self.refuse(kind, {LOG: left()[LOG], CHECKPOINT: data}, CHECKPOINT)
        for kind, changes in CHANGES.items():
            files = {LOG: left()[LOG], CHECKPOINT: checkpoint(**changes)}
            self.refuse(kind, files, CHECKPOINT)

    def test_a_sealed_checkpoint_with_a_value_that_does_not_fit_is_refused(self) -> None:
        for name, values in WRONG.items():
            for value in values:
                change = {"log": {name: value}} if name in ("bytes", "crc") else {name: value}
                files = {LOG: left()[LOG], CHECKPOINT: checkpoint(**change)}
                self.refuse(f"{name} {value!r}", files, CHECKPOINT)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs what POSIX has for files")
    def test_what_is_no_regular_file_is_refused(self) -> None:
        for name in (TABLE, CHECKPOINT):
            path = self.folder / name
            for make in (
                path.mkdir,
                lambda path=path: os.mkfifo(path),
                lambda path=path: path.symlink_to("/dev/zero"),
            ):
                make()
                with self.subTest(file=name):
                    self.assert_refused(path)
                if path.is_dir():
                    path.rmdir()
                else:
                    path.unlink()

    def test_a_gigabyte_is_refused_in_little_memory(self) -> None:
        for name, start in (
            (TABLE, b""),
            (TABLE, HEADER + ROW + b",\n"),
            (CHECKPOINT, b"[" * 1000),
        ):
            path = self.folder / name
            path.write_bytes(start)
            os.truncate(path, 1 << 30)
            tracemalloc.start()
            with self.subTest(file=name, start=start[:20]):
                self.assert_refused(path)
                self.assertLess(tracemalloc.get_traced_memory()[1], MOST_MEMORY)
            tracemalloc.stop()
            path.unlink()
