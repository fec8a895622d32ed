"""Start the game: ``python -m traffic_lights [--text]``.

Pythons that are too old must be able to read this file. It imports no more than the first picture
needs. Worker processes may import it again, which starts nothing.
"""

import os
import sys

if not __package__:  # started as a file or a folder: import the package from its parent
    _HERE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120
    _PARENT = os.path.dirname(_HERE)  # noqa: PTH120
    _OTHERS = [path for path in sys.path if os.path.realpath(path or ".") != _HERE]
    sys.path[:] = [_PARENT, *_OTHERS]

from traffic_lights import refuse
from traffic_lights.version import __version__

_GET_TK = {
    "win32": "run the Python installer again, choose Modify, and tick 'tcl/tk and IDLE'.",
    "darwin": "install Python from python.org, or run 'brew install python-tk'.",
    "linux": "install it with 'sudo apt install python3-tk', "
    "'sudo dnf install python3-tkinter' or 'sudo pacman -S tk'.",
}
"""What to do about a Python without Tk, by platform."""


def main(arguments: "list[str] | None" = None) -> int:
    """Start the game and return its exit status: 0, or 2 if it cannot start as asked."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if not words:
            return _play_in_window()
        from traffic_lights.console.shell import run

        return run("traffic-lights", _with_options, words)
    except KeyboardInterrupt:
        return 130


def _with_options(arguments):  # type: ignore[no-untyped-def]
    from traffic_lights.console.shell import Parser, add_flags, say

    parser = Parser("", "Play Traffic Lights in a window.")
    add_flags(
        parser.add_argument,
        text="play in the terminal instead",
        install_shortcut="add the game to the system menu and exit",
        version="show the version and exit",
    )
    options = parser.parse_args(arguments)
    if options.version:
        say("Traffic Lights " + __version__)
    elif options.install_shortcut:
        from traffic_lights.system.desktop import install_shortcut

        say("Traffic Lights was added to the system menu (" + str(install_shortcut()) + ").")
    elif options.text:
        from traffic_lights.console.text_mode import play_in_terminal

        return play_in_terminal()
    else:
        return _play_in_window()
    return 0


def _play_in_window() -> int:
    from traffic_lights.storage.files import StorageError

    try:
        import tkinter

        from traffic_lights.gui.app import run

        return run()
    except StorageError as error:  # the data folder has an impossible name
        return refuse(str(error))
    except OSError as error:  # the data folder cannot be read
        return refuse("cannot read " + str(error.filename) + ": " + str(error.strerror))
    except ImportError as error:
        if "tkinter" not in str(error):
            raise
        return _refuse_window(
            "this Python has no Tk, which the window needs: "
            + _GET_TK.get(sys.platform, _GET_TK["linux"])
        )
    except tkinter.TclError as error:
        if "display" not in str(error):
            raise
        return _refuse_window("cannot open a window (" + str(error) + ").")


def _refuse_window(text: str) -> int:
    from traffic_lights.console.shell import python_command
    from traffic_lights.storage.folders import PACKAGE_FOLDER

    # The package folder of a one-file program is inside the file, and the file itself starts.
    start = PACKAGE_FOLDER if PACKAGE_FOLDER.is_dir() else PACKAGE_FOLDER.parent
    return refuse(text + " To play in the terminal: " + python_command(start, "--text"))


if __name__ == "__main__":
    sys.exit(main())
