"""What all commands share: how they are called, how they speak, and how they end.

A command is a function from its arguments to an exit status. `run` calls it
and turns whatever stops it into one plain sentence on the standard error and a
status: 0 success, 2 bad usage, bad input or a disk that refuses, 130
interrupted. A reader that leaves early (``| head``) is no error, and changes
no status.

>>> def greet(arguments: Sequence[str]) -> int:
...     options = Parser("greet", "Say hello.").parse_args(arguments)
...     say("hello")
...     return 0
>>> run("greet", greet, [])
hello
0
"""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO

from traffic_lights.storage import patience
from traffic_lights.storage.files import StorageError
from traffic_lights.system import typed_numbers
from traffic_lights.system.folders import parse_path
from traffic_lights.system.memory import NO_MEMORY

SUCCESS: Final = 0
REFUSED: Final = 2
INTERRUPTED: Final = 130


class CommandError(Exception):
    """A command cannot do what it was asked; the text is a sentence for people."""


class Parser(argparse.ArgumentParser):
    """A parser of the options of ``python -m traffic_lights.<name>``.

    Bad usage raises CommandError, and options are never guessed from a prefix.
    """

    def __init__(self, name: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=f"python -m traffic_lights.{name}",
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def parse_given(self, arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """Return the options, and the names of those that *arguments* give; raise CommandError."""
        options = self.parse_args(arguments)
        # What has a value already gets no default, and what is given replaces it.
        only_given = self.parse_args(arguments, argparse.Namespace(**dict.fromkeys(vars(options))))
        return options, [name for name, value in vars(only_given).items() if value is not None]

    def error(self, message: str) -> NoReturn:
        """Raise CommandError with what is wrong and where help is."""
        raise CommandError(f"{message} (--help lists the options)")

    def print_help(self, file: Any = None) -> None:
        """Print the help; raise OSError if it cannot be written, which argparse would swallow."""
        print(self.format_help(), end="", file=file, flush=True)


def refuse_idle(given: Sequence[str], chosen: str, does: str, useful: Collection[str]) -> None:
    """Raise CommandError if option *chosen* is *given*, and beside it one that is not *useful*.

    *does*: what the command does then, which tells why the other would make no difference.
    """
    idle = [name for name in given if name != chosen and name not in useful]
    if chosen in given and idle:
        spelled = [name.replace("_", "-") for name in (chosen, idle[0])]
        raise CommandError(f"--{spelled[0]} {does}: leave out --{spelled[1]}")


def whole_number(lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """Return the reader of an option that takes an int from *lowest*, 0 or more, to *highest*."""
    span = f"from {lowest:,} to {highest:,}" if highest is not None else f"of {lowest:,} or more"

    def read(text: str) -> int:
        number = typed_numbers.whole_number(text, lowest, highest)
        if number is None:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number {span}")
        return number

    return read


def fraction(above_zero: bool = False) -> Callable[[str], float]:
    """Return the reader of an option that takes a number from 0 to 1, or from above 0."""
    span = "above 0 and up to 1" if above_zero else "from 0 to 1"

    def read(text: str) -> float:
        number = typed_numbers.share(text)
        if number is None or (above_zero and number == 0.0):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number {span}")
        return number

    return read


def file_path(text: str) -> Path:
    """Read an option that names a file or folder; it may begin with ``~``."""
    try:
        return parse_path(text)
    except StorageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def say(text: str) -> None:
    """Print *text*, a result, and a line end on the standard output, at once.

    Raise OSError if it cannot be written; `run` knows what that means.
    """
    print(text, flush=True)


def conclude(text: str, status: int) -> int:
    """Say *text*, the last words of a command, and return its *status*, whether they are read.

    Raise OSError if they cannot be written though somebody reads.
    """
    try:
        say(text)
    except OSError as error:
        if not _is_left(error):
            raise
        _silence(sys.stdout)
    return status


def remark(text: str, end: str = "\n") -> None:
    """Print *text*, news of the way or a complaint, on the standard error.

    Never fails: nobody may be listening, and that must not stop any work.
    """
    if sys.stderr is None:  # print would take the standard output instead
        return
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _silence(sys.stderr)


def run(
    name: str, main: Callable[[Sequence[str]], int], arguments: Sequence[str] | None = None
) -> int:
    """Return the exit status of *main*, called with *arguments* or those of the process.

    Nothing but a mistake in the program itself leaves here as an exception.
    Being terminated or hung up on is taken as an interrupt, so that *main* can tidy up.
    """
    has_terminal = any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    _reserve_streams()
    status = SUCCESS
    try:
        with _signals_interrupt(), patience.heard(lambda text: remark(f"{name}: {text}")):
            status = main(sys.argv[1:] if arguments is None else arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as leaving:  # the parser has printed the help
        status = leaving.code if isinstance(leaving.code, int) else SUCCESS
    except KeyboardInterrupt:
        remark(f"{name}: interrupted")
        status = INTERRUPTED
    except (CommandError, StorageError) as error:
        remark(f"{name}: {error}")
        status = REFUSED
    except MemoryError:
        remark(f"{name}: {NO_MEMORY}")
        status = REFUSED
    except UnicodeEncodeError as error:
        remark(f"{name}: {error.object[:60]!a} cannot be a name where names are {error.encoding}")
        status = REFUSED
    except OSError as error:
        is_hung_up = has_terminal and error.errno == errno.EIO and error.filename is None
        _silence(sys.stdout)
        if not _is_left(error):
            status = INTERRUPTED if is_hung_up else _output_lost(name, error)
    _let_go(sys.stdout)
    return status


@contextmanager
def _signals_interrupt() -> Iterator[None]:
    """Have the signals that end a program raise KeyboardInterrupt, if this thread may decide that.

    One that is ignored, as with nohup, stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [signal.Signals[name] for name in names if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, signal.default_int_handler) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _reserve_streams() -> None:
    """Open nothing in place of closed standard streams.

    Else the next file opened would have the number of one, and take what some
    library writes to that number.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _is_left(error: OSError) -> bool:
    """Return whether *error* says that nobody reads any more what a pipe is given."""
    is_left_on_windows = sys.platform == "win32" and error.errno == errno.EINVAL
    return isinstance(error, BrokenPipeError) or is_left_on_windows


def _output_lost(name: str, error: OSError) -> int:
    """Say what *error* of the system stopped the command *name*; return the status for it."""
    about = f" ({error.filename})" if error.filename is not None else ""
    remark(f"{name}: {error.strerror or error}{about}")
    return REFUSED


def _let_go(stream: TextIO | None) -> None:
    """Write what *stream* still holds; drop it if nobody takes it, which at exit would be 120."""
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        _silence(stream)


def _silence(stream: TextIO | None) -> None:
    """Send the rest of *stream* nowhere, so that the flush at exit does not fail again."""
    if stream is None:
        return
    try:
        descriptor = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
    except (OSError, ValueError):
        pass
