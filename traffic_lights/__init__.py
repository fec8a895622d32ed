"""Traffic Lights: Alan Parr's game on a 3x4 board, and a learner that plays it perfectly.

Every way to start the program imports this file first. It can be read by any
Python, so that one that is too old gets a plain sentence.
"""

import sys

from traffic_lights.version import __version__ as __version__

__all__ = [
    "Board", "Env", "Puzzle", "QBot", "evaluate", "exact_score", "play_game", "player",
    "puzzle_of_the_day", "puzzles", "solve", "train",
]  # fmt: skip


def refuse(text):
    # type: (str) -> int
    """Report why the game cannot start, where the player can see it; return the exit status."""
    if sys.stderr is not None:
        sys.stderr.write("traffic-lights: " + text + "\n")
    elif sys.platform == "win32":  # started without a console
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, "Traffic Lights", 0x10)
    return 2


if sys.version_info < (3, 11):  # noqa: UP036
    raise SystemExit(
        refuse(
            "this is Python "
            + ".".join(str(part) for part in sys.version_info[:3])
            + ", and the game needs 3.11 or newer: get one from https://www.python.org/downloads/"
        )
    )

TYPE_CHECKING = False
if TYPE_CHECKING:
    from traffic_lights.api import (  # noqa: I001
        Board, Env, Puzzle, QBot, evaluate, exact_score, play_game, player,
        puzzle_of_the_day, puzzles, solve, train,
    )  # fmt: skip


class _Package(type(sys)):  # type: ignore[misc]
    """Let the function train stay when the command traffic_lights.train is imported."""

    def __setattr__(self, name, value):  # type: ignore[no-untyped-def]
        if name not in __all__ or not isinstance(value, type(sys)):
            super().__setattr__(name, value)


def __getattr__(name):  # type: ignore[no-untyped-def]
    """Import the library when one of its names is first used."""
    if name not in __all__:
        raise AttributeError("module 'traffic_lights' has no attribute " + repr(name))
    from traffic_lights import api

    globals().update((each, getattr(api, each)) for each in __all__)
    return globals()[name]


def __dir__():  # type: ignore[no-untyped-def]
    return sorted(set(globals()) | set(__all__))


sys.modules[__name__].__class__ = _Package
