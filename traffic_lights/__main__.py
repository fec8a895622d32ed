"""Start the game: ``python -m traffic_lights [--text]``.

Pythons that are too old must be able to read this file. It imports no more
than the first picture needs. Worker processes may import it again, which
starts nothing.
"""

import os
import sys

if not __package__:  # started as a file or a folder: import the package from its parent
    _HERE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120
    sys.path[:] = [
        os.path.dirname(_HERE),  # noqa: PTH120
        *(path for path in sys.path if os.path.realpath(path or ".") != _HERE),
    ]

from traffic_lights import __version__

REFUSED = 2
"""The exit status when the game cannot be started as asked."""
INTERRUPTED = 130


def main(arguments: "list[str] | None" = None) -> int:
    """Start the game and return its exit status: 0, or 2 if it cannot start as asked."""
    words = sys.argv[1:] if arguments is None else arguments
    if not words:
        return _play_in_window()
    from traffic_lights.console.shell import run

    return run("traffic-lights", _with_options, words)


def _with_options(arguments):  # type: ignore[no-untyped-def]
    from traffic_lights.console.shell import Parser, say

    parser = Parser("", "Play Traffic Lights in a window.")
    add = parser.add_argument
    add("--text", action="store_true", help="play in the terminal instead")
    add(
        "--install-shortcut",
        action="store_true",
        help="add the game to the system menu and exit",
    )
    add("--version", action="store_true", help="show the version and exit")
    options = parser.parse_args(arguments)
    if options.version:
        say("Traffic Lights " + __version__)
        return 0
    if options.install_shortcut:
        from traffic_lights.system.shortcut import install_shortcut

        say("Traffic Lights was added to the system menu (" + str(install_shortcut()) + ").")
        return 0
    if not options.text:
        return _play_in_window()
    from traffic_lights.console.terminal import play_in_terminal

    return play_in_terminal()


def _play_in_window() -> int:
    try:
        import tkinter

        from traffic_lights.gui.app import run
    except ImportError as error:
        if "tkinter" not in str(error):
            raise
        return _refuse(_without_tk(sys.platform) + _terminal_offer())
    except KeyboardInterrupt:
        return INTERRUPTED
    from traffic_lights.storage.files import StorageError

    try:
        return run()
    except StorageError as error:  # the data folder has an impossible name
        return _refuse(str(error))
    except tkinter.TclError as error:
        if "display" not in str(error):
            raise
        return _refuse("cannot open a window (" + str(error) + ")." + _terminal_offer())


def _without_tk(platform: str) -> str:
    """Return what to do about a Python without Tk on *platform*."""
    if platform == "win32":
        remedy = "run the Python installer again, choose Modify, and tick 'tcl/tk and IDLE'."
    elif platform == "darwin":
        remedy = "install Python from python.org, or run 'brew install python-tk'."
    else:
        remedy = (
            "install it with 'sudo apt install python3-tk', "
            "'sudo dnf install python3-tkinter' or 'sudo pacman -S tk'."
        )
    return "this Python has no Tk, which the window needs: " + remedy


def _terminal_offer() -> str:
    from traffic_lights.console.shell import python_command
    from traffic_lights.system.folders import PACKAGE_FOLDER

    # The package folder of a one-file program is inside the file, and the file itself starts.
    start = PACKAGE_FOLDER if PACKAGE_FOLDER.is_dir() else PACKAGE_FOLDER.parent
    return " To play in the terminal: " + python_command(start, "--text")


def _refuse(text: str) -> int:
    """Report why the game cannot start, where the player can see it; return the status."""
    if sys.stderr is not None:
        print("traffic-lights: " + text, file=sys.stderr)
    elif sys.platform == "win32":  # started without a console
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, "Traffic Lights", 0x10)
    return REFUSED


if __name__ == "__main__":
    sys.exit(main())
