"""External bots: programs in any language that play by the protocol `tlp 1`.

One process of the program plays all games. If it fails, it is killed, and the next game begins
with a new one. At the end it receives the line ``quit``, and is killed if it still runs after two
seconds. While it is to move it is killed at once.
"""

import atexit
import copy
import os
import queue
import random
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
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
from traffic_lights.storage.kinds import Lines, Number, TextLine, member
from traffic_lights.storage.words import LONGEST_NAME, fit_name

LONGEST_LINE: Final = 4096
"""A longer line of a program is read in parts."""
MOST_LINES: Final = 10_000
"""The most lines of a program that wait to be read; a program that writes more has to wait."""
START_S: Final = 30.0
"""How long a program may take to write ``ready``."""
QUIT_S: Final = 2.0
"""How long a program may take to end after the line ``quit``."""
_LAST_WORDS_S: Final = 0.5
"""How long to wait for what a program that has ended wrote on its standard error."""
_FLAGS: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "CREATE_NO_WINDOW", 0
)
"""What Windows is told of a new process; 0 elsewhere."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays, as the user describes it."""

    command: str = member(Lines(10_000))
    name: str = member(TextLine(LONGEST_NAME), "")
    """What lists call it; empty for the name that it gives itself."""
    move_s: float = member(Number(0.001, 86_400), 5.0)
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
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        """The lines that the process wrote; an empty text follows the last one."""
        self._errors: deque[str] = deque()
        """The last line of its standard error, and an empty text after it."""
        self._listener: threading.Thread | None = None
        """Reads the standard error."""
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
            for _ in range(self._lines.qsize()):
                # Lines that it wrote before it had to move are not answers.
                self._take_line(0.0)
            move_s = self.program.move_s
            new = "new\n" if is_new else ""
            self._write(f"{new}position {format_board(state)}\ngo {round(1000 * move_s)}\n")
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
                self._end(0.0)
                raise PlayerError(f"{self.name} {error}{self._last_words()}") from None
            except BaseException:
                self._end(0.0)
                raise

    # --- the conversation ---

    def _answer(self, example: str, within_s: float) -> list[str]:
        """Return the words of the next line that begins like *example*; raise PlayerError."""
        deadline_s = time.monotonic() + within_s + 0.5  # pipes take time too
        wrote = ""
        while (left_s := deadline_s - time.monotonic()) > 0:
            try:
                line = self._take_line(left_s)
            except queue.Empty:
                break
            words = line.split()
            if words[:1] == example.split()[:1]:
                return words
            if words[:2] == ["id", "name"]:
                self.name = self.program.name or fit_name(line.partition("name")[2]) or self.name
            elif words and words[0] != "id":
                wrote = f"; it wrote {line.strip()[:40]!a}"
            elif not line:
                raise PlayerError(f"{self._end_of_output()}{wrote}; expected '{example}'")
        why = wrote or "; does it flush each line?"
        raise PlayerError(f"did not answer within {within_s:g} s{why}; expected '{example}'")

    def _take_line(self, within_s: float) -> str:
        """Return the next line of the process; raise queue.Empty if it is late."""
        line = self._lines.get(timeout=within_s) if within_s else self._lines.get_nowait()
        if not line:
            self._lines.put("")  # also for the next who asks
        self._show("<", line)
        return line

    def _end_of_output(self) -> str:
        """Return why no more lines come."""
        with suppress(subprocess.TimeoutExpired):
            if self._process is not None:
                return f"ended with exit status {self._process.wait(QUIT_S)}"
        return "closed its output"

    def _last_words(self) -> str:
        """Return a part of a sentence with the last line of its standard error."""
        if self._listener is not None:
            self._listener.join(_LAST_WORDS_S)
        line = _printable("".join(self._errors)).strip()
        return f"; its standard error ends with {line[-200:]!r}" if line else ""

    def _write(self, text: str) -> None:
        """Write *text* to the process, if it runs; an error shows at its next answer."""
        process = self._process  # which another thread may end now
        if process is not None and process.stdin is not None:
            self._show(">", text)
            with suppress(OSError, ValueError):
                process.stdin.write(text)
                process.stdin.flush()

    def _show(self, sign: str, text: str) -> None:
        if self.on_line is not None:
            for line in text.splitlines():
                self.on_line(f"{sign} {_printable(line)}")

    # --- the process ---

    def _start(self) -> None:
        """Start the process and wait until it is ready, unless it runs; raise PlayerError."""
        if self._process is not None:
            return
        self._lines = queue.Queue(MOST_LINES)
        self._errors = deque(maxlen=2)
        try:
            words, file = parse_command(self.program.command)
            process = self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                cwd=file.parent if file else None,
                start_new_session=True,
                creationflags=_FLAGS,
            )
        except (PlayerError, OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PlayerError(f"cannot be started: {reason}") from None
        _listen(process.stdout, self._lines.put)
        self._listener = _listen(process.stderr, self._errors.append)
        self._write("tlp 1\n")
        self._answer("ready", START_S)
        self._write(f"seed {self._seed}\n")

    def _end(self, within_s: float) -> None:
        """Close the input of the process, wait for it to end, then kill its process group."""
        process = self._process
        self._process = self._expected = None
        if process is not None and process.stdin is not None:
            with suppress(OSError):  # it has ended without reading all
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(within_s)
            if sys.platform != "win32":
                with suppress(OSError):  # the group has ended
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait()


def _listen(stream: IO[str] | None, take: Callable[[str], object]) -> threading.Thread:
    """Start a thread that calls *take* with each line of *stream*, and at its end with ""."""

    def listen() -> None:
        assert stream is not None
        with stream:
            while line := stream.readline(LONGEST_LINE):
                take(line.removeprefix("\ufeff"))  # Windows puts it before a text
        take("")

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    return thread


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _legal(words: list[str], state: State) -> Action:
    cell = words[1][:40] if len(words) > 1 else ""
    try:
        action = parse_cell(cell)
    except RulesError:
        raise PlayerError(f"answered {cell!a}, which is not a cell") from None
    if action not in legal_actions(state):
        raise PlayerError(f"answered {cell}, but {cell} is red in {format_board(state)}")
    return action


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
    try:
        # On Windows a backslash separates folders.
        words = shlex.split(command.replace("\\", "\\\\") if os.name == "nt" else command)
    except ValueError:
        raise PlayerError("the command has a quote that is not closed") from None
    if not words or not words[0]:
        raise PlayerError("the command is empty")
    # A program without a folder is looked for where the system has its programs.
    has_folder = Path(words[0]).name != words[0]
    if has_folder:
        words[0] = str(Path(words[0]).absolute())
    program = None
    with suppress(ValueError):  # Windows refuses a zero in a name
        program = shutil.which(words[0])
    if program is None:
        fault = "cannot be executed" if os.path.lexists(words[0]) else "was not found"
        raise PlayerError(f"{words[0]} {fault}")
    place = next((n for n, word in enumerate(words) if n and not word.startswith("-")), 0)
    is_known = place or has_folder
    if not is_known or not os.path.isfile(words[place]):  # noqa: PTH113 - longer than any path
        return words, None
    file = Path(words[place]).absolute()
    words[place] = str(file)
    return words, file


def standing_command(command: str) -> str:
    """Return *command* so that it works from any folder; raise PlayerError like `parse_command`."""
    words, _ = parse_command(command)
    return shlex.join(words) if os.name == "posix" else " ".join(f'"{word}"' for word in words)


def program_name(command: str) -> str:
    """Return the name of the file that *command* starts, without its ending."""
    words, file = parse_command(command)
    return fit_name((file or Path(words[0])).stem)
