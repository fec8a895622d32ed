"""Traffic Lights: Alan Parr's game on a 3x4 board, and a learner that plays it perfectly.

>>> import traffic_lights as tl
>>> board = tl.Board().play("b2")  # print(board.draw()) shows it; in a notebook, board alone
>>> tl.solve(board).best  # exact: the fastest wins, or the longest defences
('d1', 'd3')
>>> bot = tl.train("myopic", games=2_000, seed=1)  # help(tl.train) lists all settings
>>> tl.evaluate(bot, "random", games=500).rate > 0.7  # tl.players() lists all opponents
True
>>> tl.exact_score("perfect", "myopic").second  # computed over all lines of play
1.0
"""

# Every way to start the program imports this file first. It can be read by any Python, so that one
# that is too old gets a plain sentence.

import sys

from traffic_lights.version import __version__ as __version__

__all__ = [
    "CELLS", "Board", "Env", "ExactScore", "Game", "PlayerError", "PlayerLike", "QBot",
    "RosterPlayer", "Sample", "Solution", "StorageError", "TrainingPoint", "Values", "evaluate",
    "exact_score", "gymnasium_env", "play_game", "player", "players", "puzzle_of_the_day",
    "puzzles", "solve", "train",
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
    from traffic_lights.board.exact_score import ExactScore
    from traffic_lights.board.games import PlayerError
    from traffic_lights.library.boards import (
        CELLS,
        Board,
        Game,
        Solution,
        Values,
        puzzle_of_the_day,
        puzzles,
        solve,
    )  # fmt: skip
    from traffic_lights.library.environment import Env, gymnasium_env
    from traffic_lights.library.players import (
        PlayerLike,
        QBot,
        RosterPlayer,
        Sample,
        evaluate,
        exact_score,
        play_game,
        player,
        players,
    )  # fmt: skip
    from traffic_lights.library.training import TrainingPoint, train
    from traffic_lights.storage.files import StorageError


def __dir__():  # type: ignore[no-untyped-def]
    return [name for name in globals() if name.startswith("__")] + __all__


if not TYPE_CHECKING:  # otherwise a type checker would accept every name
    from importlib.util import find_spec, module_from_spec

    def __getattr__(name):
        """Import the library when one of its names is first used."""
        if name not in __all__:
            raise AttributeError("module 'traffic_lights' has no attribute " + repr(name))
        from traffic_lights.library import boards, environment, players, training

        for module in (boards, environment, players, training):
            found = vars(module)
            globals().update((each, found[each]) for each in __all__ if each in found)
        return globals()[name]

    def _register(name):
        """Register the module *name*, to be loaded when something of it is first used.

        When Python imports a module, it becomes an attribute of its package, and the function of
        the same name would be gone. A process that is sent a function may import it at any time.
        """
        spec = find_spec("traffic_lights." + name)
        module = module_from_spec(spec)

        def load(attribute):
            del module.__getattr__
            spec.loader.exec_module(module)
            return getattr(module, attribute)

        module.__getattr__ = load
        # If the module had no path, python -m would warn that it is there before it is run.
        module.__path__ = spec.submodule_search_locations or []
        sys.modules.setdefault(spec.name, module)

    for _name in ("evaluate", "players", "solve", "train"):
        _register(_name)
