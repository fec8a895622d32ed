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
        version="show the version and exit",
    )
    options = parser.parse_args(arguments)
    if options.version:
        say("Traffic Lights " + __version__)
        return 0
    if options.text:
        from traffic_lights.console.text_mode import play_in_terminal

        return play_in_terminal()
    return _play_in_window()


def _play_in_window() -> int:
    from traffic_lights.gui.kit.root import NoWindowError, open_root
    from traffic_lights.storage.files import StorageError

    try:
        root = open_root()
        from traffic_lights.gui.app import run

        return run(root)
    except NoWindowError as error:
        from traffic_lights.console.shell import shell_command

        return refuse(str(error) + " To play in the terminal: " + shell_command("", "--text"))
    except StorageError as error:  # the data folder has an impossible name
        return refuse(str(error))
    except OSError as error:  # the data folder cannot be read
        return refuse("cannot read " + str(error.filename) + ": " + str(error.strerror))


if __name__ == "__main__":
    sys.exit(main())
