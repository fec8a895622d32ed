"""Start the game: ``python3 -m traffic_lights [--text]``.

Pythons that are too old must be able to read this file. It imports no more than the first picture
needs. Worker processes may import it again, which starts nothing.
"""

import os
import sys

if not __package__:  # started as a file or a folder: find the package from its parent
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))  # noqa: PTH120

from traffic_lights import refuse
from traffic_lights.version import __version__


def main(arguments: "list[str] | None" = None) -> int:
    """Start the game and return its exit status: 0, or 2 if it cannot start as asked."""
    words = sys.argv[1:] if arguments is None else arguments
    if getattr(sys, "frozen", False):  # a frozen program is started again for each worker process
        import multiprocessing

        multiprocessing.freeze_support()
    try:
        if not words:
            return _play_in_window()
        if sys.stdout is None and sys.platform == "win32":
            return refuse("this command has no console; type traffic-lights-text instead")
        from traffic_lights.console.shell import run

        return run("traffic-lights", _with_options, words)
    except KeyboardInterrupt:
        return 130


def main_in_terminal() -> int:
    """Do the same as `main`, but play in the terminal by default.

    Windows gives an installed ``traffic-lights`` no console, and this one has it.
    """
    return main(sys.argv[1:] or ["--text"])


def _with_options(arguments):  # type: ignore[no-untyped-def]
    from traffic_lights.console.shell import Parser, add_flags, say

    parser = Parser("", "Play Traffic Lights in a window.")
    add_flags(
        parser.add_argument,
        text="play in the terminal instead",
        install_shortcut="add the game to the system menu and exit",
        remove_shortcut="remove it from the system menu and exit",
        version="show the version and exit",
    )
    options = parser.parse_args(arguments)
    if options.version:
        say("Traffic Lights " + __version__)
    elif options.install_shortcut:
        from traffic_lights.system.desktop import install_shortcut

        say("Traffic Lights was added to the system menu (" + str(install_shortcut()) + ").")
    elif options.remove_shortcut:
        from traffic_lights.system.desktop import remove_shortcut

        removed = remove_shortcut()
        say("Removed: " + ", ".join(map(str, removed)) if removed else "There was no such entry.")
    elif options.text:
        from traffic_lights.console.text_mode import play_in_terminal

        return play_in_terminal()
    else:
        return _play_in_window()
    return 0


def _play_in_window() -> int:
    from traffic_lights.gui.kit.root import NoWindowError, open_root
    from traffic_lights.storage.files import StorageError

    try:
        root = open_root()
        from traffic_lights.gui.app import run

        return run(root)
    except NoWindowError as error:
        return refuse(str(error) + " To play in the terminal: " + _text_command())
    except StorageError as error:  # the data folder has an impossible name
        return refuse(str(error))
    except OSError as error:  # the data folder cannot be read
        return refuse("cannot read " + str(error.filename) + ": " + str(error.strerror))


def _text_command() -> str:
    from traffic_lights.console.shell import installed_script, python_command, shell_command
    from traffic_lights.storage.folders import PACKAGE_FOLDER

    if installed_script():
        return shell_command("text")
    # The package folder of a one-file program is inside the file, and the file itself starts.
    start = PACKAGE_FOLDER if PACKAGE_FOLDER.is_dir() else PACKAGE_FOLDER.parent
    return python_command(start, "--text")


if __name__ == "__main__":
    sys.exit(main())
