"""Traffic Lights: Alan Parr's game on a 3x4 board, a learner that becomes perfect, a judge.

Every way to start the program passes here first, so this file stays readable
for any Python, to say so if it is too old.
"""

import os
import sys

__version__ = "1.1.0"

if sys.version_info < (3, 11):  # noqa: UP036
    _COMPLAINT = (
        "traffic-lights: this is Python "
        + ".".join(str(part) for part in sys.version_info[:3])
        + ", and the game needs 3.11 or newer: get one from https://www.python.org/downloads/"
    )
    if sys.stderr is not None:
        sys.stderr.write(_COMPLAINT + "\n")
    elif sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, _COMPLAINT, "Traffic Lights", 0x10)
    raise SystemExit(2)

# Whether Python is about to import a command of this package, by its module or as it is installed.
_started_as = os.path.basename("".join(sys.argv[:1]))  # noqa: PTH119
if _started_as == "-m" or _started_as.startswith("traffic-lights"):
    # Until it begins, and takes interrupts as it likes, there is nothing to save or to explain:
    # neither here nor in the milliseconds that the module of signals takes to come.
    def _leave_quietly(kind, error, trace):  # type: ignore[no-untyped-def]
        if issubclass(kind, KeyboardInterrupt):
            os._exit(130)
        if issubclass(kind, MemoryError):
            if sys.stderr is not None:
                sys.stderr.write(
                    "traffic-lights: there is not enough memory to begin: "
                    "100 MB are needed to play, about 230 MB to train\n"
                )
                sys.stderr.flush()
            os._exit(2)
        sys.__excepthook__(kind, error, trace)

    sys.excepthook = _leave_quietly
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(130))
