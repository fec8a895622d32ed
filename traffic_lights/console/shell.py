"""What all commands share: options, output, progress, signals, and how they end.

A command is a function from its arguments to an exit status, made by `command`. Its
errors become one sentence on the standard error and a status.
"""

import argparse
import codecs
import errno
import io
import math
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial, wraps
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn, Self, TextIO

from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import RulesError
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.kinds import Kind, KindError
from traffic_lights.storage.words import NO_MEMORY
from traffic_lights.training.progress import Moment, progress_text
from traffic_lights.training.settings import SettingsError

SUCCESS: Final = 0
REFUSED: Final = 2
"""The exit status after bad usage, bad input or a full disk."""
INTERRUPTED: Final = 130
_PYTHON: Final = "py" if os.name == "nt" else "python3"
"""What people type to start Python; most systems do not know ``python``."""


class CommandError(Exception):
    """A command cannot do what it was asked; the text is one sentence."""


class Parser(argparse.ArgumentParser):
    """A parser of the options of the command *name*, which must be spelt out.

    An empty name stands for the program itself.
    """

    def __init__(self, name: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=shell_command(name),
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise CommandError, so that a wrong option is reported like every other error."""
        raise CommandError(f"{message} (--help lists the options)")


def add_flags(add: Callable[..., object], **flags: str) -> None:
    """Call *add*, a method ``add_argument``, for options without a value, given with their help."""
    for name, about in flags.items():
        add(f"--{name.replace('_', '-')}", action="store_true", help=about)


def typed(kind: Kind) -> Callable[[str], Any]:
    """Return a function that reads an option of *kind*: the ``type`` of ``add_argument``."""

    def read(text: str) -> Any:
        try:
            return kind.read(text)
        except KindError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def say(text: str, end: str = "\n") -> None:
    """Print *text*, a result, on the standard output at once."""
    print(text, end=end, flush=True)


def remark(text: str, end: str = "\n") -> None:
    """Print *text*, progress or a problem, on the standard error, if that is possible."""
    if sys.stderr is not None:  # otherwise print would choose the standard output
        with suppress(OSError):
            print(text, end=end, file=sys.stderr, flush=True)


def conversation() -> tuple[TextIO, TextIO]:
    """Return the standard input and output; raise CommandError if one of them is closed."""
    if sys.stdin is None or sys.stdout is None:
        raise CommandError("the standard input or output is closed, and both are needed here")
    return sys.stdin, sys.stdout


def read_line(longest: int = -1) -> str:
    """Return the next line of the standard input, or so many characters of it; empty at its end.

    A byte that does not belong to a text is shown as such, because the line is then only refused.
    Windows puts a byte order mark before the text that it passes on, which is dropped.
    """
    source, _ = conversation()
    # The errors of a stream can be set only before its first line is read.
    if isinstance(source, io.TextIOWrapper) and source.errors != "replace":
        source.reconfigure(errors="replace")
    mark = codecs.BOM_UTF8.decode(source.encoding or "utf-8", "replace")
    return source.readline(longest).removeprefix(mark)


def ask(question: str) -> str:
    """Print *question* and return the answer; raise EOFError at the end of the input."""
    say(question, end="")
    line = read_line()
    if not line:
        raise EOFError
    return line.strip()


class Ticker:
    """Shows progress on the standard error, on a terminal in one line, which is wiped at exit."""

    def __init__(self, *, quiet: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._quiet = quiet
        self._now = now
        self._is_terminal = bool(sys.stderr and sys.stderr.isatty())  # None if closed
        self._every_s = 0.1 if self._is_terminal else 5.0
        # Outside a terminal a quick command shows nothing.
        self._shown_s = -math.inf if self._is_terminal else now()

    def tell(self, text: str) -> None:
        """Show *text*, as much as there is room for.

        It is dropped if the last one was shown less than 0.1 s ago, or 5 s outside a terminal.
        """
        now_s = self._now()
        if not self._quiet and now_s - self._shown_s >= self._every_s:
            self._shown_s = now_s
            self._show(text)

    def follow(self, moments: Iterable[Moment]) -> Iterator[Moment]:
        """Yield the *moments* of a run, and tell how far it is at each."""
        first = None
        began_s = self._now()
        for moment in moments:
            first = first or moment
            self.tell(progress_text(moment, first, self._now() - began_s))
            yield moment

    def clear(self) -> None:
        """Remove the line of progress from a terminal, so that other text can follow."""
        if self._is_terminal and not self._quiet:
            self._show("", end="\r")

    def _show(self, text: str, end: str = "") -> None:
        if self._is_terminal:
            room = shutil.get_terminal_size().columns - 1
            remark("\r" + text[:room].ljust(room), end)
        else:
            remark(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


def shell_command(name: str, *words: str | Path) -> str:
    """Return what to type to run the command *name* with *words*; an empty name is the game.

    That is an installed script if one started this process, and otherwise a module.
    """
    started = Path(sys.argv[0])
    if started.stem.startswith("traffic-lights") and started.suffix in ("", ".exe"):
        command = [f"traffic-lights-{name}".rstrip("-")]
    else:
        command = [_PYTHON, "-m", f"traffic_lights.{name}".rstrip(".")]
    for word in words:  # a path such as -a would be taken for an option
        is_like_option = isinstance(word, Path) and str(word).startswith("-")
        command.append(f".{os.sep}{word}" if is_like_option else str(word))
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)


def command(name: str) -> Callable[[Callable[[Sequence[str]], int]], Callable[..., int]]:
    """Return a decorator that makes a function the command *name*, which `run` calls.

    The command takes its arguments, by default those of the process, and returns an exit status.
    """

    def decorate(main: Callable[[Sequence[str]], int]) -> Callable[..., int]:
        return wraps(main)(partial(run, name, main))

    return decorate


def run(
    name: str, main: Callable[[Sequence[str]], int], arguments: Sequence[str] | None = None
) -> int:
    """Return the exit status of *main*, called with *arguments* or those of the process.

    Only a mistake in the program itself leaves here as an exception. A termination is an
    interrupt, so that *main* can save.
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a console may not know every letter
    try:
        with handled_signals(signal.default_int_handler):
            return main(sys.argv[1:] if arguments is None else arguments)
    except SystemExit:  # the parser has printed the help
        return SUCCESS
    except KeyboardInterrupt:
        remark(f"{name}: interrupted")
        return INTERRUPTED
    except MemoryError:
        remark(f"{name}: {NO_MEMORY}")
    except (CommandError, PlayerError, RulesError, SettingsError, StorageError) as error:
        remark(f"{name}: {error}")
    except OSError as error:
        with suppress(OSError, AttributeError):  # what is still unwritten would fail again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
            return SUCCESS
        about = f" ({error.filename})" if error.filename else ""
        remark(f"{name}: {error.strerror or error}{about}")
    return REFUSED


@contextmanager
def handled_signals(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Have *handler* called for the signals that end a program, unless they are ignored (nohup)."""
    before = {}
    for number in signal.Signals:  # not every system has all of them
        is_end = number.name in ("SIGINT", "SIGBREAK", "SIGTERM", "SIGHUP")
        if is_end and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


@contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether a signal has asked to stop; a second one interrupts."""
    stopped = list[int]()

    def stop(number: int, frame: FrameType | None) -> None:
        if stopped:
            signal.default_int_handler(number, frame)
        stopped.append(number)

    with handled_signals(stop):
        yield lambda: bool(stopped)
