"""External bots: programs in any language that play by the protocol `tlp 1`.

One process of the program plays all games. Whatever it does, `ExternalBot.choose` returns
a legal move in time or raises PlayerError, whose text names the cause. After such a failure
the process is killed, and the next game begins with a new one.

At the end the process gets the line ``quit``, and its input is closed. After two seconds
its process group is killed.

>>> Program("python3 bots/first.py").move_s
5.0
"""

from __future__ import annotations

import atexit
import copy
import os
import queue
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeVar

from traffic_lights.board.rules import (
    STEPS,
    Action,
    CellNameError,
    State,
    format_board,
    is_legal,
    parse_cell,
)
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.protocol import LONGEST_LINE
from traffic_lights.system.typed import fit_name

MOST_LINES: Final = 10_000
"""The lines that a program may write before the next one is read, or for one answer."""
GRACE_S: Final = 0.5
"""How much later than the time for a move an answer may come, because pipes take time too."""
QUIT_S: Final = 2.0
"""How long a program may take to end after the line ``quit``."""
MOST_FAILURES: Final = 5
"""After so many failed games in a row the program is not started again."""
_KEPT_ERRORS: Final = 4096
_NEW_GROUP: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_NO_WINDOW: Final = getattr(subprocess, "CREATE_NO_WINDOW", 0)
Answer = TypeVar("Answer")
_CELL: Final = re.compile(rb"\b[a-d][1-3]\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays, as the user describes it."""

    command: str
    name: str = ""
    """What lists call it; empty for the name that it gives itself."""
    move_s: float = 5.0
    """The seconds that it has for a move."""
    start_s: float = 30.0
    """The seconds that it has to write ``ready``."""


class ExternalBot:
    """The player that *program* is. Its process starts when it is first asked.

    Several threads may ask, one after the other; `close` may be called at any time.
    """

    def __init__(self, program: Program, quit_s: float = QUIT_S, seed: int = 0) -> None:
        self.program = program
        self._seed, self._quit_s = seed, quit_s
        self._here = Path.cwd()
        self._own_name = ""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes | str] = queue.SimpleQueue()
        """What the process wrote: lines, and at last how it ended, as text."""
        self._errors = b""
        self._reader = threading.Thread()
        """Reads the standard error."""
        self._expected: State | None = None
        """The state after its last move in the game that it plays."""
        self._failures: list[str] = []
        """Why it lost each of the last games, which it did not finish."""

    @property
    def name(self) -> str:
        """What to call it: the name that the user gave it, or its own, or that of its file."""
        return self.program.name or self._own_name or program_name(self.program.command)

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The last lines that it wrote to its standard error."""
        lines = self._errors.decode("utf-8", "replace").splitlines()
        return tuple("".join(c if c.isprintable() else " " for c in line) for line in lines)

    def meet(self) -> str:
        """Start the program, wait until it is ready and return its name; raise PlayerError."""
        self._failures.clear()
        self._guarded(self._start)
        return self.name

    def choose(self, state: State) -> Action:
        """Return what the program plays in the live *state*; raise PlayerError."""
        return self._guarded(lambda: self._ask(state))

    def _guarded(self, act: Callable[[], Answer]) -> Answer:
        """Return what *act* returns; if it raises PlayerError, kill the process."""
        with self._lock:
            try:
                return act()
            except PlayerError as error:
                self._failures.append(str(error))
                process, self._process, self._expected = self._process, None, None
                if process is not None:
                    _end(process, 0.0)
                    self._reader.join(1.0)  # what it wrote last often tells why it failed
                raise

    def end_game(self, has_won: bool) -> None:
        """Tell the program the result of the game, so that it can learn."""
        if self._lock.acquire(blocking=False):  # otherwise it thinks about another game
            with suppress(PlayerError):
                self._write(f"result {'win' if has_won else 'loss'}\n")
            self._lock.release()

    def close(self, *, wait: bool = False) -> None:
        """Tell the program to quit; a thread ends it after a while, unless *wait* is given."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        with suppress(OSError, ValueError):
            process.stdin.write(b"quit\n")
            process.stdin.close()
        if wait:
            _end(process, self._quit_s)
        else:
            threading.Thread(target=_end, args=(process, self._quit_s)).start()

    def _failure(self, did: str) -> PlayerError:
        return PlayerError(f"{self.name} {did}")

    # --- the conversation ---

    def _ask(self, state: State) -> Action:
        expected = self._expected
        # If it plays both seats, the state is the one that it has just made.
        is_new = expected is None or state - expected not in (0, *STEPS)
        if is_new and expected is not None:
            self._failures.clear()
        if is_new and len(self._failures) >= MOST_FAILURES:
            raise PlayerError(
                f"{self.name} failed in {MOST_FAILURES} games in a row and is not asked again; "
                f"the first cause: {self._failures[0]}"
            )
        self._start()
        while not self._lines.empty():
            self._line(0.0, "")  # what it wrote without being asked is not an answer
        move_ms = round(1000 * self.program.move_s)
        question = f"position {format_board(state)}\ngo {move_ms}\n"
        self._write(f"new\n{question}" if is_new else question)
        late = f"did not answer within {self.program.move_s:g} s"
        words = self._answer(b"move", self.program.move_s + GRACE_S, late)
        action = self._legal(words[1] if len(words) > 1 else b"", state)
        self._expected = state + STEPS[action]
        return action

    def _legal(self, word: bytes, state: State) -> Action:
        try:
            action = parse_cell(word.decode("ascii"))
        except (CellNameError, UnicodeDecodeError):
            raise self._failure(f"answered {_shown(word)}, which is not a cell") from None
        if not is_legal(state, action):
            cell = word.decode("ascii")
            raise self._failure(f"answered {cell}, but {cell} is red in {format_board(state)}")
        return action

    def _answer(self, keyword: bytes, patience_s: float, late: str) -> list[bytes]:
        """Return the words of the next line that begins with *keyword*; raise PlayerError."""
        deadline_s = time.monotonic() + patience_s
        hint = ""
        for _ in range(MOST_LINES):
            line = self._line(deadline_s, late, hint)
            words = line.split()
            if words[:1] == [keyword]:
                return words
            if words[:2] == [b"id", b"name"]:
                self._own_name = fit_name(_text(line.strip()[len(b"id name") :]))
            elif words and words[0] != b"id":
                cell = _CELL.search(line)
                expected = "ready" if keyword == b"ready" else "move b2"
                if cell and keyword == b"move":
                    expected = f"move {cell[0].decode('ascii').lower()}"
                hint = f"; it wrote {_shown(line.rstrip())}; expected '{expected}'"
        raise self._failure(f"wrote more than {MOST_LINES:,} lines at once")

    def _line(self, deadline_s: float, late: str, hint: str = "") -> bytes:
        """Return the next line; raise PlayerError, *late* if none comes before the deadline."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline_s - time.monotonic()))
        except queue.Empty:
            raise self._failure(late + hint) from None
        if isinstance(line, bytes):
            return line
        raise self._failure((line or self._end_of_output()) + hint)

    def _end_of_output(self) -> str:
        """Return how the process ended that closed its output."""
        process = self._process
        if process is None:
            return "was closed"
        try:
            return f"ended with exit status {process.wait(self._quit_s)}"
        except subprocess.TimeoutExpired:
            return "closed its output"

    def _write(self, text: str) -> None:
        """Write *text* to the process without waiting; raise PlayerError if it does not read."""
        process, data = self._process, text.encode("ascii")
        if process is None or process.stdin is None:
            return
        with suppress(OSError, ValueError):  # the end of its output will tell more
            if process.stdin.write(data) != len(data):
                raise self._failure("does not read its input")

    # --- the process ---

    def _start(self) -> None:
        """Start the process and greet it, unless it runs already; raise PlayerError."""
        if self._process is not None:
            return
        try:
            words, folder = parse_command(self.program.command, self._here)
            process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                start_new_session=True,
                creationflags=_NEW_GROUP | _NO_WINDOW,
            )
        except (PlayerError, OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise self._failure(f"cannot be started: {reason}") from None
        assert process.stdin is not None
        with suppress(AttributeError, OSError):  # before Python 3.12 Windows cannot do this
            os.set_blocking(process.stdin.fileno(), False)
        self._process, self._lines, self._errors = process, queue.SimpleQueue(), b""
        threading.Thread(target=_read, args=(process.stdout, self._lines), daemon=True).start()
        self._reader = threading.Thread(
            target=self._keep_errors, args=(process.stderr,), daemon=True
        )
        self._reader.start()
        self._write("tlp 1\n")
        start_s = self.program.start_s
        self._answer(b"ready", start_s, f"did not write 'ready' within {start_s:g} s of its start")
        self._write(f"seed {self._seed}\n")

    def _keep_errors(self, output: IO[bytes]) -> None:
        with suppress(OSError, ValueError), output:
            while data := output.read(1 << 16):
                self._errors = (self._errors + data)[-_KEPT_ERRORS:]


def _read(output: IO[bytes], lines: queue.SimpleQueue[bytes | str]) -> None:
    """Put each line of *output* into *lines*, and at last why no more come."""
    with output, open(output.fileno(), "rb", closefd=False) as stream:
        lines.put(_pass_on(stream, lines))


def _pass_on(stream: IO[bytes], lines: queue.SimpleQueue[bytes | str]) -> str:
    """Put the lines of *stream* into *lines*; return which limit it broke, or nothing."""
    with suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE + 2):
            if len(line.rstrip(b"\r\n")) > LONGEST_LINE:
                return f"wrote a line of more than {LONGEST_LINE:,} characters"
            if not line.endswith(b"\n"):
                return "stopped writing in the middle of a line"
            if lines.qsize() >= MOST_LINES:
                return f"wrote more than {MOST_LINES:,} lines at once"
            lines.put(line)
    return ""


def _end(process: subprocess.Popen[bytes], patience_s: float) -> None:
    """Wait *patience_s* for *process* to end, then kill its process group."""
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience_s)
    if sys.platform == "win32":
        if process.poll() is None:
            subprocess.run(
                ["taskkill", "/F", "/T", "/PID", str(process.pid)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                creationflags=_NO_WINDOW,
                check=False,
            )
    else:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _shown(data: bytes) -> str:
    """Return the beginning of *data* in quotes, so that a terminal shows it safely."""
    return ascii(data[:40]).removeprefix("b")


def _text(data: bytes) -> str:
    """Return *data* as text: UTF-8, or Latin-1 if it is not that."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


# --- the bots of this process ---

_running: dict[Program, ExternalBot] = {}


def external_bot(program: Program, rng: random.Random) -> ExternalBot:
    """Return the one external bot of this process for *program*; a new one has a seed of *rng*."""
    if program not in _running:
        # Draw from a copy, so that the games of other bots do not depend on this one.
        _running[program] = ExternalBot(program, seed=copy.copy(rng).getrandbits(31))
    return _running[program]


def close_external_bots(*, wait: bool = False) -> None:
    """Tell the external bots of this process to quit."""
    while _running:
        _running.popitem()[1].close(wait=wait)


def close_program(program: Program) -> None:
    """Tell the external bot of *program* to quit, if there is one."""
    bot = _running.pop(program, None)
    if bot is not None:
        bot.close()


atexit.register(close_external_bots, wait=True)


# --- commands ---


def parse_command(command: str, here: Path) -> tuple[list[str], Path]:
    """Return the words of *command*, with full paths, and the folder to start it in.

    That is the folder of its first argument, if this is a file, such as a script for an
    interpreter. Without arguments it is the folder of the program, if it is given with a
    path; otherwise it is *here*, to which paths are relative. Raise PlayerError if the
    program is not there or cannot be executed.
    """
    try:
        if os.name == "posix":
            words = shlex.split(command)
        else:  # there a backslash separates folders
            words = [word.strip("\"'") for word in shlex.split(command, posix=False)]
    except ValueError:
        raise PlayerError("the command has a quote that is not closed") from None
    if not words or not words[0] or "\0" in command:
        raise PlayerError("the command is empty")
    folder = here
    if Path(words[0]).name != words[0]:
        words[0] = str((here / words[0]).absolute())
    own = next((n for n, word in enumerate(words) if n and not word.startswith("-")), 0)
    if is_file(here / words[own]) and (own or Path(words[0]).name != words[0]):
        words[own] = str((here / words[own]).absolute())
        folder = Path(words[own]).parent
    if shutil.which(words[0]) is None:
        fault = "cannot be executed" if is_file(Path(words[0])) else "was not found"
        raise PlayerError(f"{words[0]} {fault}")
    return words, folder


def standing_command(command: str, here: Path) -> str:
    """Return *command* so that it works from any folder; raise PlayerError like `parse_command`."""
    words, _ = parse_command(command, here)
    return shlex.join(words) if os.name == "posix" else " ".join(f'"{word}"' for word in words)


def program_name(command: str) -> str:
    """Return the name of the file that *command* starts, without its ending."""
    try:
        words, folder = parse_command(command, Path.cwd())
    except PlayerError:
        return "The program"
    own = next((word for word in words[1:] if Path(word).parent == folder), words[0])
    return fit_name(Path(own).stem) or "The program"


def is_file(path: Path) -> bool:
    """Return whether *path* is a file; False also if it cannot be a path."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
