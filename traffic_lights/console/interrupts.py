"""How the signals of the system ask a training run to stop.

The first interrupt (Ctrl-C, or Ctrl-Break) saves and writes the table, the
second says that this is being done, the third leaves at once, which loses
nothing that was saved. Being terminated or hung up on saves and leaves the
table for the next start, because the system may not wait for long.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

from traffic_lights.console.shell import INTERRUPTED
from traffic_lights.training.events import Stop

_INTERRUPTS: Final = ("SIGINT", "SIGBREAK")
_TERMINATIONS: Final = ("SIGTERM", "SIGHUP")


@contextmanager
def stop_signals() -> Iterator[Callable[[], Stop]]:
    """Yield what tells how the signals so far ask to stop; the main thread alone may enter."""
    asked = Stop.NO
    interrupts = 0

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked, interrupts
        interrupts += 1
        if interrupts == 1:
            asked = Stop.FOLD
        elif interrupts == 2:
            _say_at_once("\nstill saving; interrupt once more to leave at once\n")
        else:
            os._exit(INTERRUPTED)

    def terminate(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = Stop.COMMIT

    before = _handle(_INTERRUPTS, interrupt) | _handle(_TERMINATIONS, terminate)
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _handle(
    names: tuple[str, ...], handler: Callable[[int, FrameType | None], None]
) -> dict[signal.Signals, Any]:
    """Install *handler* for the signals of *names* that the system has; return those before."""
    numbers = [signal.Signals[name] for name in names if hasattr(signal, name)]
    return {number: signal.signal(number, handler) for number in numbers if not _nohup(number)}


def _nohup(number: signal.Signals) -> bool:
    """Return whether whoever started this process wants it to outlive the terminal."""
    return number.name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN


def _say_at_once(text: str) -> None:
    """Write to the standard error past its buffer, which a signal may find in use."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            os.write(sys.stderr.fileno(), text.encode("ascii"))
