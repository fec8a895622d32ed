"""Traffic Lights: Alan Parr's game on a 3x4 board, and a learner that plays it perfectly.

Every way to start the program imports this file first. It can be read by any
Python, so that one that is too old gets a plain sentence.
"""

import sys

__version__ = "1.2.0"

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from traffic_lights.api import Board as Board
    from traffic_lights.api import Env as Env
    from traffic_lights.api import QBot as QBot
    from traffic_lights.api import evaluate as evaluate
    from traffic_lights.api import exact_score as exact_score
    from traffic_lights.api import play_game as play_game
    from traffic_lights.api import player as player
    from traffic_lights.api import solve as solve
    from traffic_lights.api import train as train

_LIBRARY = (
    "Board", "Env", "QBot", "evaluate", "exact_score", "play_game", "player", "solve", "train",
)  # fmt: skip


class _Package(type(sys)):  # type: ignore[misc]
    """Let the function train stay when the command traffic_lights.train is imported."""

    def __setattr__(self, name, value):  # type: ignore[no-untyped-def]
        if name not in _LIBRARY or not isinstance(value, type(sys)):
            super().__setattr__(name, value)


def __getattr__(name):  # type: ignore[no-untyped-def]
    """Import the library when one of its names is first used."""
    if name not in _LIBRARY:
        raise AttributeError("module 'traffic_lights' has no attribute " + repr(name))
    from traffic_lights import api

    globals().update((each, getattr(api, each)) for each in _LIBRARY)
    return globals()[name]


def __dir__():  # type: ignore[no-untyped-def]
    return sorted(set(globals()) | set(_LIBRARY))


sys.modules[__name__].__class__ = _Package
