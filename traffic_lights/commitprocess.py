"""Commits made by a process of their own, so that the one that plays only has to name them.

The process is told what to save through a pipe, a line of JSON and then the
deltas as bytes, and answers each time with a line when that is on the disk. It
ends when the pipe does: what it was told in full is saved before. It shares the
lock of the folder, so that no other trainer begins while it still writes. The
signals that end a trainer do not reach it: the trainer decides when it is over.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from array import array
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.commits import Receipt, Request, Unsaved, make_commit
from traffic_lights.deltalog import DeltaLog
from traffic_lights.storage import NoRoomError, StorageError, SyncError

IS_POSSIBLE: Final = os.name == "posix" and bool(sys.executable)
"""Whether a lock can be shared and a pipe be asked whether it holds an answer."""
_ERRORS: Final = {kind.__name__: kind for kind in (StorageError, NoRoomError, SyncError)}
_PROGRAM: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from traffic_lights.commitprocess import main; main()"
)


class CommitterBeside:
    """Has each commit made by another process, which ends with `close` or with this one."""

    def __init__(self, log: DeltaLog, checkpoint: Path, lock: int) -> None:
        """Hand *log* over to a new process, which also holds *lock*, the descriptor of a lock.

        Raise StorageError if none can be started; *log* can still be used then.
        """
        self._path = log.path
        self._is_waiting = False
        home = str(Path(__file__).resolve().parent.parent)
        words = (home, str(log.path), str(log.size), str(log.crc), str(checkpoint))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-S", "-c", _PROGRAM, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                pass_fds=(lock,),
                start_new_session=True,
            )
        except OSError as error:
            raise StorageError(f"cannot start a process: {error.strerror or error}") from error
        log.close()

    def start(self, request: Request) -> None:
        """Tell the process to save *request*; raise StorageError if it is gone."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # its answer will say why, or that it is gone
            for part in _parts(request):
                _write_all(self._process.stdin, part)
        self._is_waiting = True

    def receipt(self, *, wait: bool) -> Receipt | None:
        """Return the answer to what was started, once; None if there is none, or none yet."""
        answers = self._process.stdout
        assert answers is not None
        if not self._is_waiting or not (wait or select.select([answers], [], [], 0)[0]):
            return None
        self._is_waiting = False
        answer = json.loads(answers.readline() or b"{}")
        if "log_size" in answer:
            return Receipt(**answer)
        default = f"cannot write {self._path}: the process that saves has ended"
        raise _ERRORS[answer.get("error", "StorageError")](answer.get("text", default))

    def close(self) -> None:
        """End the process when it has saved what it was told; wait for that."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _parts(request: Request) -> tuple[bytes | memoryview, ...]:
    """Return *request* as it goes through the pipe."""
    unsaved = request.unsaved
    values = unsaved.values if unsaved.values is not None else array("d")
    line = {
        "content": request.content,
        "checkpoint": request.checkpoint,
        "deltas": len(unsaved.deltas),
        "values": len(values),
        "has_values": unsaved.values is not None,
    }
    head = json.dumps(line).encode("utf-8") + b"\n"
    return head, memoryview(unsaved.deltas).cast("B"), memoryview(values).cast("B")


def _write_all(file: BinaryIO | Any, data: bytes | memoryview) -> None:
    """Write all of *data* to the unbuffered *file*."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _read_request(requests: BinaryIO) -> Request | None:
    """Return the next of *requests*; None if they end before it is whole."""
    try:
        line = json.loads(requests.readline())
        unsaved = Unsaved(array("I"), array("d"))
        unsaved.deltas.fromfile(requests, line["deltas"])
        values: array[float] = array("d")
        values.fromfile(requests, line["values"])
    except (ValueError, EOFError):
        return None
    unsaved.values = values if line["has_values"] else None
    return Request(unsaved, line["content"], line["checkpoint"])


def serve(log: DeltaLog, checkpoint: Path, requests: BinaryIO, answers: BinaryIO) -> None:
    """Save each of *requests* to *log* and answer, until they end; raise StorageError."""
    while (request := _read_request(requests)) is not None:
        receipt = make_commit(log, checkpoint, request)
        _answer(answers, {"log_size": receipt.log_size, "problem": receipt.problem})


def _answer(answers: BinaryIO, answer: dict[str, Any]) -> None:
    with suppress(BrokenPipeError):  # nobody is left to be told
        answers.write(json.dumps(answer).encode("utf-8") + b"\n")
        answers.flush()


def main() -> None:
    """Serve the process that started this one, until something cannot be saved."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    path, size, crc, checkpoint = sys.argv[2:]
    answers = sys.stdout.buffer
    try:
        log = DeltaLog(Path(path), int(size), int(crc))
        serve(log, Path(checkpoint), sys.stdin.buffer, answers)
    except StorageError as error:
        _answer(answers, {"error": type(error).__name__, "text": str(error)})
