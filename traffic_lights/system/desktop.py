"""The user's desktop: whether it is dark, and the entry that starts the game from its menu.

Linux gets a desktop entry, macOS an application folder, and Windows a link in the start menu. All
are for this user alone, and a second call replaces what the first one wrote.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from traffic_lights.storage.files import StorageError, make_folder, write_atomically
from traffic_lights.storage.folders import PACKAGE_FOLDER, home_folder, shared_data_folder
from traffic_lights.version import __version__

NAME: Final = "Traffic Lights"
_COMMENT: Final = "Alan Parr's board game, for two or against a bot"

_DESKTOP_ENTRY: Final = """\
[Desktop Entry]
Type=Application
Version=1.0
Name={name}
GenericName=Board Game
Comment={comment}
Exec={command}
Icon={icon}
Terminal=false
Categories=Game;BoardGame;
Keywords=strategy;three in a row;learning;
StartupWMClass=Traffic-lights
"""

_DARK_SETTINGS: Final = {
    "gtk-4.0/settings.ini": "gtk-application-prefer-dark-theme=1",
    "gtk-3.0/settings.ini": "gtk-application-prefer-dark-theme=1",
    "kdeglobals": "colorscheme=breezedark",
}
"""The settings files of GTK and KDE, and what is in them, without blanks, if colours are dark."""

# The values come through the environment, because nothing needs quoting there.
_MAKE_LINK: Final = """\
$ErrorActionPreference = 'Stop'
$link = (New-Object -ComObject WScript.Shell).CreateShortcut($env:LINK_PATH)
$link.TargetPath = $env:LINK_TARGET
$link.Arguments = $env:LINK_ARGUMENTS
$link.WorkingDirectory = $env:LINK_FOLDER
$link.Description = $env:LINK_COMMENT
$link.Save()
"""


def system_prefers_dark(
    platform: str = sys.platform, environ: Mapping[str, str] = os.environ
) -> bool:
    """Return whether the desktop is set to dark colours; False if that is unknown."""
    with suppress(OSError, StorageError, subprocess.SubprocessError):
        if sys.platform == "win32" and platform == "win32":
            import winreg

            themes = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, themes) as key:
                return bool(winreg.QueryValueEx(key, "AppsUseLightTheme")[0] == 0)
        if platform == "darwin":
            command = ["/usr/bin/defaults", "read", "-g", "AppleInterfaceStyle"]
            return _answer(command, environ) == b"Dark"
        return _linux_prefers_dark(environ)
    return False


def _answer(command: list[str], environ: Mapping[str, str]) -> bytes:
    """Return what *command* prints; raise OSError or SubprocessError if it fails or hangs."""
    shown = subprocess.run(command, env=environ, capture_output=True, timeout=0.5, check=False)
    return shown.stdout.strip()


def _linux_prefers_dark(environ: Mapping[str, str]) -> bool:
    """Return whether GTK, KDE or GNOME is set to dark colours.

    Raise OSError, StorageError or SubprocessError if that is unknown.
    """
    if "dark" in environ.get("GTK_THEME", "").lower():
        return True
    folder = Path(environ.get("XDG_CONFIG_HOME") or home_folder(environ) / ".config")
    for name, sign in _DARK_SETTINGS.items():
        path = folder / name
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            text = text.replace(" ", "").lower().replace("=true", "=1")
            if sign in text:
                return True
    # GNOME has this setting in a database, not in a file.
    command = ["gsettings", "get", "org.gnome.desktop.interface", "color-scheme"]
    return _answer(command, environ) == b"'prefer-dark'"


def install_shortcut(platform: str = sys.platform, environ: Mapping[str, str] = os.environ) -> Path:
    """Write the entry that starts this program; return its path, or raise StorageError."""
    path, *others = shortcut_paths(platform, environ)
    command = starting_command(platform)
    if platform == "win32":
        _install_link(path, command, environ)
    elif platform == "darwin":
        _install_application(path, command)
    else:
        _install_entry(path, others[0], command)
    if not path.exists():
        raise StorageError(f"the system did not write {path}; start the game from its folder")
    return path


def remove_shortcut(
    platform: str = sys.platform, environ: Mapping[str, str] = os.environ
) -> list[Path]:
    """Remove what `install_shortcut` wrote; return what was there, or raise StorageError."""
    removed = [path for path in shortcut_paths(platform, environ) if path.exists()]
    for path in removed:
        try:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        except OSError as error:
            raise StorageError(f"cannot remove {path}: {error.strerror}") from error
    return removed


def shortcut_paths(platform: str, environ: Mapping[str, str]) -> list[Path]:
    """Return the paths of what `install_shortcut` writes, the entry first."""
    if platform == "win32":
        roaming = Path(environ.get("APPDATA") or home_folder(environ) / "AppData" / "Roaming")
        return [roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs" / f"{NAME}.lnk"]
    if platform == "darwin":
        return [home_folder(environ) / "Applications" / f"{NAME}.app"]
    shared = shared_data_folder(environ)
    return [
        shared / "applications" / "traffic-lights.desktop",
        shared / "icons" / "hicolor" / "scalable" / "apps" / "traffic-lights.svg",
    ]


def starting_command(platform: str) -> list[str]:
    """Return the command that starts the window of a checkout, wheel, zip or frozen program."""
    if getattr(sys, "frozen", False):  # one program with Python inside, which unpacks itself anew
        return [sys.executable]
    interpreter = Path(sys.executable)
    without_console = interpreter.with_name("pythonw.exe")
    if platform == "win32" and without_console.exists():
        interpreter = without_console
    # The package folder of a one-file program is inside the file.
    start = PACKAGE_FOLDER / "play.pyw" if PACKAGE_FOLDER.is_dir() else PACKAGE_FOLDER.parent
    return [str(interpreter), str(start)]


def _install_entry(path: Path, icon: Path, command: list[str]) -> None:
    from traffic_lights.drawing.board_svg import icon_svg  # as in _install_application

    entry = _DESKTOP_ENTRY.format(
        name=NAME, comment=_COMMENT, command=" ".join(map(_exec_argument, command)), icon=icon
    )
    for place, text in ((icon, icon_svg()), (path, entry)):
        make_folder(place.parent)
        write_atomically(place, [text.encode("utf-8")])


def _exec_argument(argument: str) -> str:
    # Quoted arguments escape four characters, and the value as a whole escapes the backslash once
    # more (Desktop Entry Specification, "The Exec key").
    quoted = "".join("\\" + c if c in '"`$\\' else c for c in argument)
    return '"' + quoted.replace("\\", "\\\\").replace("%", "%%") + '"'


def _install_application(application: Path, command: list[str]) -> None:
    import plistlib  # the first picture, which needs this module too, starts faster without it

    starter = application / "Contents" / "MacOS" / "traffic-lights"
    properties = {
        "CFBundleName": NAME,
        "CFBundleIdentifier": "org.traffic-lights.game",
        "CFBundleExecutable": starter.name,
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": __version__,
        # macOS would otherwise think that a script needs Rosetta.
        "LSArchitecturePriority": ["arm64", "x86_64"],
        "NSHighResolutionCapable": True,
    }
    make_folder(starter.parent)
    write_atomically(starter, [f"#!/bin/sh\nexec {shlex.join(command)}\n".encode()])
    starter.chmod(0o755)
    write_atomically(application / "Contents" / "Info.plist", [plistlib.dumps(properties)])


def _install_link(path: Path, command: list[str], environ: Mapping[str, str]) -> None:
    make_folder(path.parent)
    try:
        subprocess.run(
            ["powershell", "-NoProfile", "-NonInteractive", "-Command", _MAKE_LINK],
            env={
                **environ,
                "LINK_PATH": str(path),
                "LINK_TARGET": command[0],
                "LINK_ARGUMENTS": subprocess.list2cmdline(command[1:]),
                "LINK_FOLDER": str(home_folder(environ)),
                "LINK_COMMENT": _COMMENT,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise StorageError(f"cannot write {path}: PowerShell failed ({error})") from error
