"""What a person starts: ``python -m traffic_lights [--text]``.

This file is kept readable for much older Pythons than the program needs, so
that they can say so. It imports no more than the first picture needs, and it
may be imported again by the trainer's processes, which must start nothing.
"""

import sys
from pathlib import Path

OLDEST_PYTHON = (3, 11)
BAD_START = 2
"""The exit status when the game cannot be started as asked."""
INTERRUPTED = 130

_USAGE = """usage: python -m traffic_lights [--text] [--install-shortcut] [--version]

Play Traffic Lights in a window.

options:
  --text              play in the terminal instead
  --install-shortcut  write an entry for the system's menu, and leave
  --version           show the version, and leave
  -h, --help          show this, and leave"""


def _make_importable() -> None:
    """Let absolute imports find this package, however the file was started."""
    own_folder = Path(__file__).resolve().parent
    parent = str(own_folder.parent)
    if sys.path and Path(sys.path[0] or ".").resolve() == own_folder:
        sys.path[0] = parent
    elif parent not in sys.path:
        sys.path.insert(0, parent)


def _complain(text: str) -> int:
    """Say why the game cannot start, where the person can see it; return the exit status."""
    if sys.stderr is not None:
        print("traffic-lights: " + text, file=sys.stderr)
    elif sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, "Traffic Lights", 0x10)
    return BAD_START


def _tell(text: str) -> int:
    """Print what was asked for and return the exit status, whoever reads it."""
    from traffic_lights.console.shell import run, say

    def tell(_: object) -> int:
        say(text)
        return 0

    return run("traffic-lights", tell, [])


def _terminal_offer() -> str:
    from traffic_lights.console.copied import play_command

    return " To play in the terminal: " + play_command("--text")


def _without_tk(platform: str) -> str:
    """Return what to do about a Python without Tk on *platform*."""
    if platform == "win32":
        remedy = "run the Python installer again, choose Modify, and tick 'tcl/tk and IDLE'."
    elif platform == "darwin":
        remedy = "install Python from python.org, or 'brew install python-tk'."
    else:
        remedy = (
            "install it with 'sudo apt install python3-tk', "
            "'sudo dnf install python3-tkinter' or 'sudo pacman -S tk'."
        )
    return "this Python has no Tk, which the window needs: " + remedy


def main(arguments: "list[str] | None" = None) -> int:
    """Start the game and return its exit status: 0, or 2 if it cannot start as asked."""
    if sys.version_info < OLDEST_PYTHON:
        found = ".".join(str(part) for part in sys.version_info[:3])
        return _complain(
            "this is Python "
            + found
            + ", and the game needs 3.11 or newer: get one from https://www.python.org/downloads/"
        )
    words = sys.argv[1:] if arguments is None else arguments
    if "-h" in words or "--help" in words:
        return _tell(_USAGE)
    unknown = [w for w in words if w not in ("--text", "--install-shortcut", "--version")]
    if unknown:
        return _complain("unknown argument " + repr(unknown[0]) + "; try --help")
    if "--version" in words:
        from traffic_lights import __version__

        return _tell("Traffic Lights " + __version__)
    if "--install-shortcut" in words:
        return _install_shortcut()
    try:
        return _play_in_terminal() if "--text" in words else _play_in_window()
    except KeyboardInterrupt:  # before there was anything to play with
        return INTERRUPTED


def _install_shortcut() -> int:
    from traffic_lights.system.shortcut import ShortcutError, install_shortcut

    try:
        entry = install_shortcut()
    except ShortcutError as error:
        return _complain(str(error))
    return _tell("Traffic Lights is in the menu now (" + str(entry) + ").")


def _play_in_terminal() -> int:
    if sys.stdin is None or sys.stdout is None:
        return _complain("there is no terminal to play in")
    from traffic_lights.console import terminal

    return terminal.main([])


def _play_in_window() -> int:
    try:
        import tkinter
    except ImportError:
        return _complain(_without_tk(sys.platform) + _terminal_offer())
    from traffic_lights.gui.app import run
    from traffic_lights.storage.files import StorageError

    try:
        return run()
    except StorageError as error:  # the data folder has a name that cannot be one
        return _complain(str(error))
    except tkinter.TclError as error:
        if "display" not in str(error):
            raise
        return _complain("no screen to open a window on (" + str(error) + ")." + _terminal_offer())


_make_importable()
if __name__ == "__main__":
    sys.exit(main())
