"""The tests; none of them, nor what it starts, sees the home of the person who runs them."""

import atexit
import os
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


if _MARK not in os.environ:
    _leave_home()
