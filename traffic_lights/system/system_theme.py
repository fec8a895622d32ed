"""Find out whether the system is set to dark colours; light if that is unknown."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from traffic_lights.system.folders import home_folder


def system_prefers_dark(
    platform: str = sys.platform, environ: Mapping[str, str] = os.environ
) -> bool:
    """Return whether the user's desktop is set to dark colours."""
    try:
        if platform == "win32":
            return _windows_is_dark()
        if platform == "darwin":
            return _mac_is_dark()
        return _desktop_is_dark(environ)
    except (OSError, ValueError, subprocess.SubprocessError):
        return False


def _windows_is_dark() -> bool:
    if sys.platform != "win32":
        return False
    import winreg

    path = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, path) as key:
        return bool(winreg.QueryValueEx(key, "AppsUseLightTheme")[0] == 0)


def _mac_is_dark() -> bool:
    answer = subprocess.run(
        ["/usr/bin/defaults", "read", "-g", "AppleInterfaceStyle"],
        capture_output=True,
        text=True,
        timeout=0.5,
        check=False,
    )
    return answer.stdout.strip() == "Dark"


def _desktop_is_dark(environ: Mapping[str, str]) -> bool:
    """Read the settings files of GTK and KDE."""
    if "dark" in environ.get("GTK_THEME", "").lower():
        return True
    folder = Path(environ.get("XDG_CONFIG_HOME") or home_folder(environ) / ".config")
    for name, sign in (
        ("gtk-4.0/settings.ini", "gtk-application-prefer-dark-theme=1"),
        ("gtk-3.0/settings.ini", "gtk-application-prefer-dark-theme=1"),
        ("kdeglobals", "ColorScheme=BreezeDark"),
    ):
        path = folder / name
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace").replace(" ", "")
            if sign.lower() in text.lower().replace("=true", "=1"):
                return True
    return False
