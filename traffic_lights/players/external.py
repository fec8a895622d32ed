"""External bots: programs in any language that play by the protocol `tlp 1`.

One process of the program plays all games. If it fails, it is killed, and the next game begins
with a new one. At the end it receives the line ``quit``, and is killed if it still runs after two
seconds. While it is to move it is killed at once.
"""

import atexit
import copy
import io
import os
import queue
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import (
    STEPS,
    Action,
    RulesError,
    State,
    format_board,
    legal_actions,
    parse_cell,
)
from traffic_lights.storage.words import fit_name

LONGEST_LINE: Final = 4096
MOST_LINES: Final = 10_000
"""The most lines of a program that may wait to be read, or that one answer may take."""
START_S: Final = 30.0
"""How long a program may take to write ``ready``."""
QUIT_S: Final = 2.0
"""How long a program may take to end after the line ``quit``."""
_NO_WINDOW: Final = getattr(subprocess, "CREATE_NO_WINDOW", 0)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays, as the user describes it."""

    command: str
    name: str = ""
    """What lists call it; empty for the name that it gives itself."""
    move_s: float = 5.0
    """The seconds that it has for a move."""


class ExternalBot:
    """A player whose moves come from *program*. Its process starts at the first move.

    Several threads may call it, one after the other; `close` may be called at any time.
    """

    def __init__(self, program: Program, seed: int = 0) -> None:
        self.program = program
        self._seed = seed
        self.name = program.name or program_name(program.command)
        """What to call it: the name that the user gave it, or its own, or that of its file."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        """The file into which the process writes its standard error."""
        self._lines: queue.SimpleQueue[str | PlayerError] = queue.SimpleQueue()
        """The lines that the process wrote, and at last how it ended."""
        self._expected: State | None = None
        """The state after its last move in the game that it plays."""
        self.on_line: Callable[[str], object] | None = None
        """Called with each line that is written to the process ("> new") or read ("< ready")."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a copy is made of, which has a process of its own."""
        return ExternalBot, (self.program, self._seed)

    def meet(self) -> str:
        """Start the program, wait until it is ready and return its name; raise PlayerError."""
        with self._guarded():
            self._start()
        return self.name

    def choose(self, state: State) -> Action:
        """Return the move of the program in the live *state*; raise PlayerError if it is late."""
        with self._guarded():
            expected = self._expected
            # If it plays both seats, the state is the one that its own last move led to.
            is_new = expected is None or state - expected not in (0, *STEPS)
            self._start()
            while not self._lines.empty():
                # Lines that it wrote before it had to move are not answers.
                self._next_line(0.0)
            move_s = self.program.move_s
            new = "new\n" if is_new else ""
            move_ms = round(1000 * move_s)
            self._write(f"{new}position {format_board(state)}\ngo {move_ms}\n")
            action = _legal(self._answer("move b2", move_s), state)
            self._expected = state + STEPS[action]
            return action

    def end_game(self, has_won: bool) -> None:
        """Tell the program whether it *has_won* its game; raises no error."""
        self._write(f"result {'win' if has_won else 'loss'}\n")

    def close(self) -> None:
        """Have the program quit, and kill it if it does not within QUIT_S seconds.

        A program that is thinking is killed at once.
        """
        is_thinking = self._lock.locked()
        self._write("quit\n")
        self._end(0.0 if is_thinking else QUIT_S)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Let one thread at a time use the process; after an error or Ctrl-C kill the process."""
        with self._lock:
            try:
                yield
            except PlayerError as error:
                last_words = self._end(0.0)
                raise PlayerError(f"{self.name} {error}{last_words}") from None
            except BaseException:
                self._end(0.0)
                raise

    # --- the conversation ---

    def _answer(self, example: str, within_s: float) -> list[str]:
        """Return the words of the next line that begins like *example*; raise PlayerError."""
        deadline_s = time.monotonic() + within_s + 0.5  # pipes take time too
        wrote = ""
        for _ in range(MOST_LINES):
            try:
                line = self._next_line(deadline_s - time.monotonic())
            except (PlayerError, queue.Empty) as error:
                is_late = isinstance(error, queue.Empty)
                why = f"did not answer within {within_s:g} s" if is_late else error
                raise PlayerError(f"{why}{wrote}; expected '{example}'") from None
            words = line.split()
            if words[:1] == example.split()[:1]:
                return words
            if words[:2] == ["id", "name"]:
                self.name = self.program.name or fit_name(line.partition("name")[2]) or self.name
            elif words and words[0] != "id":
                wrote = f"; it wrote {line[:40]!a}"
        raise PlayerError(f"wrote more than {MOST_LINES:,} lines at once")

    def _next_line(self, within_s: float) -> str:
        """Return the next line of the process; raise queue.Empty if it is late.

        After the last one raise PlayerError, which says how the process ended.
        """
        line = self._lines.get(timeout=max(0.0, within_s))
        if isinstance(line, PlayerError):
            raise line
        self._show("<", line)
        return line

    def _write(self, text: str) -> None:
        """Write *text* to the process, if it runs; an error shows at its next answer."""
        process = self._process  # which another thread may end now
        if process is not None and process.stdin is not None:
            self._show(">", text)
            with suppress(OSError, ValueError):
                process.stdin.write(text.encode("ascii"))

    def _show(self, sign: str, text: str) -> None:
        if self.on_line is not None:
            for line in text.splitlines():
                self.on_line(f"{sign} {_printable(line)}")

    # --- the process ---

    def _start(self) -> None:
        """Start the process and wait until it is ready, unless it runs; raise PlayerError."""
        if self._process is not None:
            return
        self._lines = queue.SimpleQueue()
        try:
            words, file = parse_command(self.program.command)
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                cwd=file.parent if file else None,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | _NO_WINDOW,
            )
        except (PlayerError, OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PlayerError(f"cannot be started: {reason}") from None
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        self._write("tlp 1\n")
        self._answer("ready", START_S)
        self._write(f"seed {self._seed}\n")

    def _end(self, within_s: float) -> str:
        """Close the input of the process, wait for it to end, then kill its process group.

        Return the last line of its standard error, which often shows why it failed.
        """
        process = self._process
        errors = self._errors
        self._process = self._errors = self._expected = None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(within_s)
            _kill_group(process)
            process.wait()
        return "" if errors is None else _last_words(errors)


def _last_words(errors: IO[bytes]) -> str:
    """Return a part of a sentence with the last line of the file *errors*, and close it."""
    with errors:
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - 4096))
        text = errors.read().decode("utf-8", "replace")
    line = _printable(text, keep="\n").strip().rpartition("\n")[2]
    return f"; its standard error ends with {line[-200:]!r}" if line else ""


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill *process*, and on POSIX whatever it has started in its group."""
    if sys.platform != "win32":
        with suppress(OSError):  # the group has ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _printable(text: str, keep: str = "") -> str:
    return "".join(c if c.isprintable() or c in keep else " " for c in text)


def _legal(words: list[str], state: State) -> Action:
    cell = words[1][:40] if len(words) > 1 else ""
    try:
        action = parse_cell(cell)
    except RulesError:
        raise PlayerError(f"answered {cell!a}, which is not a cell") from None
    if action not in legal_actions(state):
        raise PlayerError(f"answered {cell}, but {cell} is red in {format_board(state)}")
    return action


def _read(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[str | PlayerError]) -> None:
    """Put each line that *process* writes into *lines*, and at last why no more come."""
    assert isinstance(process.stdout, io.RawIOBase)
    why = ""
    with io.BufferedReader(process.stdout) as stream:
        while not why and (line := stream.readline(LONGEST_LINE + 2)):
            try:
                text = line.decode("utf-8-sig").rstrip("\r\n")
            except UnicodeDecodeError:
                text = line.decode("latin-1").rstrip("\r\n")
            if len(text) > LONGEST_LINE:
                why = f"wrote a line of more than {LONGEST_LINE:,} characters"
            elif lines.qsize() >= MOST_LINES:
                why = f"wrote more than {MOST_LINES:,} lines at once"
            elif line.endswith(b"\n"):  # the end of its output tells more than half a line
                lines.put(text)
    try:
        why = why or f"ended with exit status {process.wait(QUIT_S)}"
    except subprocess.TimeoutExpired:
        why = "closed its output"
    lines.put(PlayerError(why))


_running: dict[Program, ExternalBot] = {}


def external_bot(program: Program, rng: random.Random) -> ExternalBot:
    """Return the external bot for *program*; a new one gets a seed from *rng*."""
    if program not in _running:
        # Draw from a copy, so that the games of other bots do not depend on this one.
        _running[program] = ExternalBot(program, copy.copy(rng).getrandbits(31))
    return _running[program]


@atexit.register
def close_external_bots(programs: Collection[Program] = _running) -> None:
    """Have the external bots of *programs* quit, by default all of this process."""
    for program in _running.keys() & programs:
        _running.pop(program).close()


# --- commands ---


def parse_command(command: str) -> tuple[list[str], Path | None]:
    """Return the words of *command* with full paths, and the bot's own file, if it is known.

    That is the first argument, such as a script for an interpreter. Without arguments it is the
    program, if it is given with a path. Raise PlayerError if the program is not there or cannot
    be executed.
    """
    if "\0" in command:
        raise PlayerError("the command has a NUL character")
    try:
        if os.name == "posix":
            words = shlex.split(command)
        else:  # there a backslash separates folders
            words = [word.strip("\"'") for word in shlex.split(command, posix=False)]
    except ValueError:
        raise PlayerError("the command has a quote that is not closed") from None
    if not words or not words[0]:
        raise PlayerError("the command is empty")
    # A program without a folder is looked for where the system has its programs.
    has_folder = Path(words[0]).name != words[0]
    if has_folder and os.path.lexists(words[0]):
        words[0] = str(Path(words[0]).absolute())
    if shutil.which(words[0]) is None:
        fault = "cannot be executed" if os.path.lexists(words[0]) else "was not found"
        raise PlayerError(f"{words[0]} {fault}")
    for n, word in enumerate(words):
        if n > 0 and not word.startswith("-"):
            if not os.path.lexists(word):
                return words, None
            words[n] = str(Path(word).absolute())
            return words, Path(words[n])
    return words, Path(words[0]) if has_folder else None


def standing_command(command: str) -> str:
    """Return *command* so that it works from any folder; raise PlayerError like `parse_command`."""
    words, _ = parse_command(command)
    return joined_command(words)


def joined_command(words: Collection[str]) -> str:
    """Return the command that `parse_command` splits into *words*."""
    if os.name == "posix":
        return shlex.join(words)
    return " ".join(f'"{word}"' for word in words)


def program_name(command: str) -> str:
    """Return the name of the file that *command* starts, without its ending."""
    words, file = parse_command(command)
    return fit_name((file or Path(words[0])).stem)
