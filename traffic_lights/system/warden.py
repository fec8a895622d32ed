"""The process between this program and a stranger's: when either ends, it ends all that is left.

It starts the command that it is given, with its own standard streams, waits
for it, and leaves with its exit status. If it is told to leave (SIGTERM), or
the program that started it is gone, however it went, it kills the command.
Either way it kills what the command has left behind: on Linux and Windows
every process that came of it, elsewhere those of its process group.

It is started as a script of its own, given as an argument: so it imports nothing of
this program, and is plain ASCII, which every system can pass on.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, Final

NOT_STARTED: Final = 113
"""The exit status if the command cannot be started; the standard error has the reason."""
_LOOK_EVERY_S: Final = 0.5
_ADOPT_ORPHANS: Final = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""
_KILL_ON_CLOSE: Final = 0x2000
"""JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE."""
_EXTENDED_LIMITS: Final = 9
_WAIT_ONLY: Final = 0x00100000
"""SYNCHRONIZE."""


def main() -> None:
    """Run the command of the process's arguments, which follow the number of its parent."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    _adopt()
    guest: subprocess.Popen[bytes] | None = None

    def leave(_number: int, _frame: FrameType | None) -> None:
        _end(guest)
        os._exit(128 + signal.SIGTERM)

    signal.signal(signal.SIGTERM, leave)
    try:
        guest = _started(command)
    except (OSError, ValueError) as error:
        os.write(2, str(getattr(error, "strerror", None) or error).encode("ascii", "replace"))
        sys.exit(NOT_STARTED)
    for stream in (0, 1, 2):  # so that the command's end of each is the only one
        os.close(stream)
    threading.Thread(target=_outlive_nobody, args=(parent, guest), daemon=True).start()
    status = guest.wait()
    _end(guest)
    os._exit(_passed_on(status))


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Return the process of *command*; raise OSError or ValueError if there can be none."""
    return subprocess.Popen(
        command,
        stdin=0,
        stdout=1,
        stderr=2,
        start_new_session=os.name == "posix",
        # A warden without a console has none to share, and a console of its own is a window.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _passed_on(status: int) -> int:
    """Return *status* as a process can leave with it: 128 and more for a signal.

    Windows has statuses above those of C's int, 0xC0000005 after a crash; as
    negative numbers they are the same to it.
    """
    if status < 0:
        return 128 - status
    return status - (1 << 32) if status >= 1 << 31 else status


def _adopt() -> None:
    """Have every process that comes of the command belong to this one, where that is possible."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    elif sys.platform == "win32":
        kernel = _kernel()
        job = kernel.CreateJobObjectW(None, None)
        limits = bytearray(144 if sys.maxsize > 2**32 else 112)
        struct.pack_into("<I", limits, 16, _KILL_ON_CLOSE)
        buffer = (ctypes.c_char * len(limits)).from_buffer(limits)
        kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, buffer, len(limits))
        # The handle is never closed: the system does that when this process is gone.
        kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())


def _kernel() -> Any:
    """Return the functions of Windows that deal in handles."""
    kernel = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined, unused-ignore]
    for name in ("CreateJobObjectW", "GetCurrentProcess", "OpenProcess"):
        getattr(kernel, name).restype = ctypes.c_void_p
    kernel.SetInformationJobObject.argtypes = (
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_void_p,
        ctypes.c_uint32,
    )
    kernel.AssignProcessToJobObject.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    return kernel


def _outlive_nobody(parent: int, guest: subprocess.Popen[bytes]) -> None:
    """End the *guest* and this process when the process *parent* is gone."""
    if sys.platform == "win32":
        kernel = _kernel()
        handle = kernel.OpenProcess(_WAIT_ONLY, False, parent)
        if handle:
            kernel.WaitForSingleObject(handle, 0xFFFFFFFF)
    else:
        while os.getppid() == parent:
            time.sleep(_LOOK_EVERY_S)
    _end(guest)
    os._exit(1)


def _end(guest: subprocess.Popen[bytes] | None) -> None:
    """Kill the *guest* and all that came of it; on Windows the end of this process does."""
    if guest is None or sys.platform == "win32":
        return
    with suppress(OSError):
        os.killpg(guest.pid, signal.SIGKILL)
    if sys.platform == "linux":
        with suppress(ChildProcessError):
            while True:  # the children of who is killed become children of this process
                for pid in _children():
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
                os.waitpid(-1, 0)


def _children() -> list[int]:
    """Return the processes whose parent is this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                # "pid (name) state parent ...", and the name may hold anything
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[1]) == os.getpid():
                    found.append(int(entry.name))
    return found


if __name__ == "__main__":
    main()
