"""Whether the user's desktop is set to dark colours."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import home_folder

_DARK_SETTINGS: Final = {
    "gtk-4.0/settings.ini": "gtk-application-prefer-dark-theme=1",
    "gtk-3.0/settings.ini": "gtk-application-prefer-dark-theme=1",
    "kdeglobals": "colorscheme=breezedark",
}
"""The settings files of GTK and KDE, and what is in them, without blanks, if colours are dark."""


def system_prefers_dark() -> bool:
    """Return whether the desktop is set to dark colours; False if that is unknown."""
    with suppress(OSError, StorageError, subprocess.SubprocessError):
        if sys.platform == "win32":
            import winreg

            themes = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, themes) as key:
                return not winreg.QueryValueEx(key, "AppsUseLightTheme")[0]
        if sys.platform == "darwin":
            return _answer("/usr/bin/defaults", "read", "-g", "AppleInterfaceStyle") == b"Dark"
        return _linux_prefers_dark()
    return False


def _answer(*command: str) -> bytes:
    """Return what *command* prints; raise OSError or SubprocessError if it fails or hangs."""
    return subprocess.run(command, capture_output=True, timeout=0.5, check=False).stdout.strip()


def _linux_prefers_dark() -> bool:
    """Return whether GTK, KDE or GNOME is set to dark colours.

    Raise OSError, StorageError or SubprocessError if that is unknown.
    """
    if "dark" in os.environ.get("GTK_THEME", "").lower():
        return True
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or home_folder() / ".config")
    for name, sign in _DARK_SETTINGS.items():
        path = folder / name
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            if sign in text.replace(" ", "").lower().replace("=true", "=1"):
                return True
    # GNOME has this setting in a database, not in a file.
    setting = _answer("gsettings", "get", "org.gnome.desktop.interface", "color-scheme")
    return setting == b"'prefer-dark'"
