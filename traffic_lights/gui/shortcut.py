"""An entry for the game in the system's menu, where the system lets a program write one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from traffic_lights.folders import PACKAGE_FOLDER
from traffic_lights.storage import StorageError, write_atomically

_ENTRY: Final = """[Desktop Entry]
Type=Application
Name=Traffic Lights
Comment=Alan Parr's game for two, with a bot that has learned it
Exec={command}
Terminal=false
Categories=Game;BoardGame;
StartupWMClass=Traffic-lights
"""


class ShortcutError(Exception):
    """No shortcut was made; the text is a sentence for people."""


def install_shortcut(platform: str = sys.platform) -> str:
    """Write the menu entry and return a sentence that says where it is.

    Raise ShortcutError where a person must make the shortcut, and say how.
    """
    starter = PACKAGE_FOLDER / ("play.command" if platform == "darwin" else "play.pyw")
    if platform == "win32":
        raise ShortcutError(
            f"On Windows, right-click {starter} and choose 'Send to', 'Desktop (create shortcut)'."
        )
    if platform == "darwin":
        raise ShortcutError(f"On macOS, drag {starter} with Option and Command to the desktop.")
    shared = os.environ.get("XDG_DATA_HOME", "")
    base = Path(shared) if Path(shared).is_absolute() else Path.home() / ".local" / "share"
    entry = base / "applications" / "traffic-lights.desktop"
    command = " ".join(_quoted(part) for part in (sys.executable, str(starter)))
    try:
        entry.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(entry, [_ENTRY.format(command=command).encode()])
    except StorageError as error:
        raise ShortcutError(f"The shortcut was not made: {error}.") from error
    except OSError as error:
        raise ShortcutError(f"The shortcut was not made: {error.strerror} ({entry}).") from error
    return f"Traffic Lights is in the menu now ({entry})."


def _quoted(argument: str) -> str:
    """Return *argument* as the Exec key of a desktop entry takes it."""
    for special in ("\\", '"', "`", "$"):
        argument = argument.replace(special, "\\" + special)
    # Backslashes are read twice: once in any value, once in the quoted argument.
    return '"' + argument.replace("\\", "\\\\").replace("%", "%%") + '"'
