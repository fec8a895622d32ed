"""The tests; none of them, nor what it starts, sees the home of the person who runs them."""

import atexit
import os
import signal
import tempfile
from pathlib import Path

_MARK = "TRAFFIC_LIGHTS_TEST_HOME"
"""Names the home of the tests, for the processes that they start too."""
_HOMES = (
    "HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_CONFIG_HOME",
    "TRAFFIC_LIGHTS_HOME",
)  # fmt: skip


def _leave_home() -> None:
    """Have every way to a home lead to a new folder, which goes when the tests are over."""
    cookies = Path.home() / ".Xauthority"
    if cookies.exists():  # by which the person's own screen lets the windows in
        os.environ.setdefault("XAUTHORITY", str(cookies))
    home = tempfile.TemporaryDirectory(prefix="traffic-lights-home-", ignore_cleanup_errors=True)
    atexit.register(home.cleanup)
    os.environ[_MARK] = home.name
    os.environ.update(dict.fromkeys(_HOMES, home.name))


def _hear_interrupts() -> None:
    """Take interrupts, and let the processes that the tests start take them.

    A shell has what it starts in the background ignore them.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


_hear_interrupts()
if _MARK not in os.environ:
    _leave_home()
