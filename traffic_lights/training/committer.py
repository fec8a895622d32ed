"""Commits made by a process of their own, so that the one that plays only has to name them.

The process is told what to save through a pipe, a line of JSON and then the
deltas as bytes, and answers each time with a line when that is on the disk. It
ends when the pipe does: what it was told in full is saved before. It shares the
lock of the folder, so that no other trainer begins while it still writes. The
signals that end a trainer do not reach it: the trainer decides when it is over.
Only the trainer's own death, or the end of the process itself, is not planned;
then nothing is lost, and the trainer that is left goes on by itself.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from array import array
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.storage.files import (
    NoRoomError,
    SizeLimitError,
    StorageError,
    SyncError,
    write_all,
)
from traffic_lights.storage.log import DeltaLog
from traffic_lights.system.processes import held
from traffic_lights.training.commits import CommitterHere, Receipt, Request, Unsaved, make_commit

IS_POSSIBLE: Final = os.name == "posix" and bool(sys.executable)
"""Whether a lock can be shared and a pipe be asked whether it holds an answer."""
_OPTIONS: Final = ("-I", "-S", "-B", "-X", f"utf8={sys.flags.utf8_mode}")
"""Nothing but this program and the standard library, whatever the environment says."""
_ERRORS: Final = {
    kind.__name__: kind for kind in (StorageError, NoRoomError, SizeLimitError, SyncError)
}
_PROGRAM: Final = f"import sys; sys.path.append(sys.argv[1]); from {__name__} import main; main()"


class CommitterBeside:
    """Has each commit made by another process, which ends with `close` or with this one.

    If that process is killed, this one makes its commits itself from then on.
    """

    def __init__(self, log: DeltaLog, checkpoint: Path, lock: int) -> None:
        """Hand *log* over to a new process, which also holds *lock*, the descriptor of a lock.

        Raise StorageError if none can be started; *log* can still be used then.
        """
        self._path, self._size, self._crc = log.path, log.size, log.crc
        self._checkpoint = checkpoint
        self._started: Request | None = None
        self._here: CommitterHere | None = None
        home = str(Path(__file__).resolve().parents[2])
        words = (home, str(log.path), str(log.size), str(log.crc), str(checkpoint))
        try:
            # Ctrl+C reaches every process of the terminal; this one has to outlive it, to save.
            with held("SIGINT", "SIGTERM", "SIGHUP"):
                self._process = subprocess.Popen(
                    [sys.executable, *_OPTIONS, "-c", _PROGRAM, *words],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    # Read past any buffer: `select` knows nothing of what Python holds in one.
                    bufsize=0,
                    # flock is held as long as any process has the file open: a trainer that follows
                    # a killed one waits until what that one had begun to save is written.
                    pass_fds=(lock,),
                    # A terminal that is closed hangs up on its whole session.
                    start_new_session=True,
                )
        except OSError as error:
            raise StorageError(f"cannot start a process: {error.strerror or error}") from error
        log.close()

    def start(self, request: Request) -> None:
        """Tell the process to save *request*; raise StorageError."""
        if self._here is not None:
            self._here.start(request)
            return
        assert self._process.stdin is not None
        self._started = request
        with suppress(BrokenPipeError):  # `receipt` finds out
            for part in _parts(request):
                write_all(self._process.stdin.fileno(), part)

    def receipt(self, *, wait: bool) -> Receipt | None:
        """Return the answer to what was started, once; None if there is none, or none yet.

        Raise StorageError if it could not be saved.
        """
        if self._here is not None:
            return self._here.receipt(wait=wait)
        answers = self._process.stdout
        assert answers is not None
        if self._started is None or not (wait or select.select([answers], [], [], 0)[0]):
            return None
        line = answers.readline()
        # Killed, by a person or for want of memory: what it was told is still here.
        if not line.endswith(b"\n"):
            return self._made_here(self._started)
        self._started = None
        answer = json.loads(line)
        if "error" in answer:
            raise _ERRORS[answer["error"]](answer["text"])
        receipt = Receipt(**answer)
        self._size, self._crc = receipt.log_size, receipt.crc
        return receipt

    def _made_here(self, request: Request) -> Receipt | None:
        """Make the commit that the process died of, over what it may have left; go on here."""
        self._end_process()
        self._started = None
        # Cut back to the last receipt: what lies behind it may be whole, but was never said to be
        # saved, and is made again.
        self._here = CommitterHere(DeltaLog(self._path, self._size, self._crc), self._checkpoint)
        self._here.start(request)
        return self._here.receipt(wait=True)

    def _end_process(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def close(self) -> None:
        """End the process when it has saved what it was told; wait for that."""
        if self._here is not None:
            self._here.close()
        else:
            self._end_process()


def _parts(request: Request) -> tuple[bytes | memoryview, ...]:
    """Return *request* as it goes through the pipe."""
    unsaved = request.unsaved
    values = unsaved.values if unsaved.values is not None else array("d")
    line = {
        "content": request.content,
        "checkpoint": request.checkpoint,
        "deltas": len(unsaved.deltas),
        "values": None if unsaved.values is None else len(values),
    }
    head = json.dumps(line).encode("utf-8") + b"\n"
    # In the byte order of this machine: nobody else reads it.
    return head, memoryview(unsaved.deltas).cast("B"), memoryview(values).cast("B")


def _read_request(requests: BinaryIO) -> Request | None:
    """Return the next of *requests*; None if they end before it is whole."""
    try:
        line = json.loads(requests.readline())
        unsaved = Unsaved()
        unsaved.deltas.fromfile(requests, line["deltas"])
        if line["values"] is not None:
            unsaved.values = array("d")
            unsaved.values.fromfile(requests, line["values"])
    except (ValueError, EOFError):
        return None
    return Request(unsaved, line["content"], line["checkpoint"])


def serve(log: DeltaLog, checkpoint: Path, requests: BinaryIO) -> None:
    """Save each of *requests* to *log* and answer, until they end; raise StorageError."""
    while (request := _read_request(requests)) is not None:
        _answer(asdict(make_commit(log, checkpoint, request)))


def _answer(answer: dict[str, Any]) -> None:
    """Write *answer* to the standard output, past its buffer, which would try again at the end."""
    with suppress(BrokenPipeError):  # nobody is left to be told
        write_all(1, json.dumps(answer).encode("utf-8") + b"\n")


def main() -> None:
    """Serve the process that started this one, until something cannot be saved."""
    path, size, crc, checkpoint = sys.argv[2:]
    try:
        log = DeltaLog(Path(path), int(size), int(crc))
        serve(log, Path(checkpoint), sys.stdin.buffer)
    except StorageError as error:
        _answer({"error": type(error).__name__, "text": str(error)})
