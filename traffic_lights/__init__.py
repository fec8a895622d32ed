"""Traffic Lights: Alan Parr's game on a 3x4 board, and a learner that plays it perfectly.

Every way to start the program imports this file first. It can be read by any
Python, so that one that is too old gets a plain sentence.
"""

import sys

__version__ = "1.1.0"

if sys.version_info < (3, 11):  # noqa: UP036
    _PROBLEM = (
        "traffic-lights: this is Python "
        + ".".join(str(part) for part in sys.version_info[:3])
        + ", and the game needs 3.11 or newer: get one from https://www.python.org/downloads/"
    )
    if sys.stderr is not None:
        sys.stderr.write(_PROBLEM + "\n")
    elif sys.platform == "win32":  # started without a console
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, _PROBLEM, "Traffic Lights", 0x10)
    raise SystemExit(2)
