"""A stranger's program as a process: lines go in, lines come out, and nothing it does waits here.

The process runs under a `warden`, so that it and its children are gone soon
after this program is, however that ends. What it writes is read by threads,
within bounds: who writes too much is read no more. What it is told goes
through a pipe that takes it at once or not at all.
"""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from importlib.resources import files
from pathlib import Path
from typing import Final

from traffic_lights.system.warden import NOT_STARTED as NOT_STARTED

LONGEST_LINE: Final = 4096
"""The bytes of a line."""
MOST_LINES: Final = 10_000
"""The lines that may come while nobody has taken notice."""
_KEPT_ERRORS: Final = 4096
"""How much of the end of the standard error is kept."""
_OPTIONS: Final = ("-I", "-S", "-B")
"""Nothing but the standard library, whatever the environment says."""
_NO_WINDOW: Final = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Silence(Enum):
    """Why no line comes any more."""

    TOO_LONG = "a line does not end"
    TOO_MANY = "too many lines came"
    TORN = "the output ended within a line"
    ENDED = "the output ended"
    TIMEOUT = "nothing came in time"


class Child:
    """The process of a command, with its own pipes and its own group of processes."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        """Start the command *words* in *folder*; raise OSError if the system makes no process."""
        warden = (files("traffic_lights.system") / "warden.py").read_text("utf-8")
        self._process = subprocess.Popen(
            [sys.executable or "python3", *_OPTIONS, "-c", warden, str(os.getpid()), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            start_new_session=True,
            creationflags=_NO_WINDOW,
        )
        assert self._process.stdin is not None
        _never_wait(self._process.stdin.fileno())
        self._input: int | None = self._process.stdin.fileno()
        self._input_lock = threading.Lock()
        self._lines: queue.SimpleQueue[bytes | Silence] = queue.SimpleQueue()
        self._unnoticed = 0
        self._errors = b""
        self._readers = [
            threading.Thread(target=reader, daemon=True)
            for reader in (self._read_lines, self._read_errors)
        ]
        for reader in self._readers:
            reader.start()
        atexit.register(self.end)

    @property
    def pid(self) -> int:
        """The number of the warden's process."""
        return self._process.pid

    def say(self, text: str) -> bool:
        """Write *text*, some hundred ASCII characters at most; return whether it was taken.

        It is not if the process has not read what it was told before, or is gone.
        """
        with self._input_lock:  # a number that is closed may soon be another file's
            try:
                return self._input is not None and os.write(self._input, text.encode()) == len(text)
            except OSError:
                return False

    def forget(self) -> None:
        """Drop the lines that have come; those that come now may be many again."""
        self._unnoticed = 0
        with suppress(queue.Empty):
            while isinstance(line := self._lines.get_nowait(), bytes):
                pass
            self._lines.put(line)  # what silence means stays true

    def line(self, deadline_s: float) -> bytes | Silence:
        """Return the next line, without its end; wait for it until *deadline_s* (monotonic)."""
        try:
            return self._lines.get(timeout=max(0.0, deadline_s - time.monotonic()))
        except queue.Empty:
            return Silence.TIMEOUT

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            self._lines.put(self._pass_on(output.fileno()))

    def _pass_on(self, output: int) -> Silence:
        """Pass on the lines of *output* as long as they come in bounds; return why no longer."""
        rest = b""
        while data := _read(output):
            *lines, rest = (rest + data).split(b"\n")
            self._unnoticed += len(lines)
            if self._unnoticed > MOST_LINES:
                return Silence.TOO_MANY
            for line in lines:
                if len(line) > LONGEST_LINE:
                    return Silence.TOO_LONG
                self._lines.put(line)
            if len(rest) > LONGEST_LINE:
                return Silence.TOO_LONG
        return Silence.TORN if rest else Silence.ENDED

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as output:
            while data := _read(output.fileno()):
                self._errors = (self._errors + data)[-_KEPT_ERRORS:]

    def errors(self) -> tuple[str, ...]:
        """Return the last lines that the process wrote to its standard error."""
        text = self._errors.decode("ascii", "replace")
        return tuple("".join(c if c.isprintable() else " " for c in x) for x in text.splitlines())

    def status(self, patience_s: float = 0.0) -> int | None:
        """Return the exit status, 128 and more for a signal; wait for it for *patience_s*."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(patience_s)
        return None

    def end(self, patience_s: float = 0.0) -> None:
        """Close the input, wait for the process for *patience_s*, and end it with its children."""
        atexit.unregister(self.end)
        assert self._process.stdin is not None
        with self._input_lock, suppress(OSError):
            self._input = None
            self._process.stdin.close()
        if self.status(patience_s) is None:
            self._process.terminate()
            if self.status(5.0) is None:  # a warden stopped by somebody
                self._process.kill()
                self._process.wait()
        for reader in self._readers:
            reader.join(1.0)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # as good as its end
        return b""


def _never_wait(descriptor: int) -> None:
    """Have writing to the pipe *descriptor* take all or nothing, at once."""
    if sys.platform != "win32" or sys.version_info >= (3, 12):
        os.set_blocking(descriptor, False)
        return
    import ctypes
    import msvcrt

    no_wait = ctypes.c_uint32(1)
    handle = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))
    ctypes.WinDLL("kernel32").SetNamedPipeHandleState(handle, ctypes.byref(no_wait), None, None)
