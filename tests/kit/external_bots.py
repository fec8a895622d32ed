"""Programs that play by the protocol, well and badly, as files that a test can start."""

import os
import sys
from pathlib import Path
from typing import Final

_HEAD: Final = """\
import os, random, subprocess, sys, time
def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()
def cell():
    free = [i for i in range(12) if board[i] != "3"]
    return "abcd"[free[0] % 4] + "123"[free[0] // 4]
def note(name):
    with open(name, "a") as file:
        print(os.getpid(), file=file, flush=True)
board = ""
note("pids")
"""
_LOOP: Final = """\
for line in sys.stdin:
    word = line.split()[0]
    if word == "tlp":
        say("id name Polite"); say("ready")
    elif word == "position":
        board = line.split()[1]
    elif word == "go":
        GO
    elif word == "quit":
        QUIT
"""
POLITE: Final = "say('move ' + cell())"


def write_bot(folder: Path, at_go: str = POLITE, at_start: str = "", at_quit: str = "break") -> str:
    """Write a bot into *folder* and return its command.

    The codes say what it does when it starts, when it has to move in `board`,
    and when it receives quit. It writes its process number to the file ``pids``.
    """
    path = folder / "bot.py"
    loop = _LOOP.replace("GO", at_go).replace("QUIT", at_quit)
    path.write_text(f"{_HEAD}{at_start}\n{loop}", "utf-8")
    return f'"{sys.executable}" "{path}"'


def noted_pids(folder: Path) -> list[int]:
    """Return the process numbers that bots have noted in *folder*, the oldest first."""
    path = folder / "pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_running(pid: int) -> bool:
    """Return whether there is a process *pid* that is more than a zombie."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        process = kernel.OpenProcess(0x100000, False, pid)  # SYNCHRONIZE
        is_ended = kernel.WaitForSingleObject(process, 0) != 0x102  # WAIT_TIMEOUT
        kernel.CloseHandle(process)
        return not is_ended
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.parent.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
