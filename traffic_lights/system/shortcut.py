"""Add the game to the programs of the system.

Linux gets a desktop entry, macOS an application folder, and Windows a link in
the start menu. All are for this user alone, and a second call replaces what
the first one wrote.
"""

from __future__ import annotations

import os
import plistlib
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from traffic_lights import __version__
from traffic_lights.storage.files import StorageError, make_folder, write_atomically
from traffic_lights.system.folders import PACKAGE_FOLDER, home_folder, shared_data_folder

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
Icon=applications-games
Terminal=false
Categories=Game;BoardGame;
Keywords=strategy;three in a row;learning;
StartupWMClass=Traffic-lights
"""

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


def install_shortcut(
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
    command: Sequence[str] | None = None,
) -> Path:
    """Write the entry that starts *command*, by default this program; return its path.

    Raise StorageError if it cannot be written.
    """
    start = command or starting_command(platform)
    if platform == "win32":
        return _install_link(start, environ)
    if platform == "darwin":
        return _install_application(start, environ)
    return _install_desktop_entry(start, environ)


def starting_command(
    platform: str = sys.platform,
    package: Path = PACKAGE_FOLDER,
    executable: str = sys.executable,
) -> tuple[str, str]:
    """Return (interpreter, file) that start the window, for a checkout, wheel or zip."""
    interpreter = Path(executable)
    without_console = interpreter.with_name("pythonw.exe")
    if platform == "win32" and without_console.exists():
        interpreter = without_console
    # The package folder of a one-file program is inside the file.
    start = package / "play.pyw" if package.is_dir() else package.parent
    return str(interpreter), str(start)


def _install_desktop_entry(command: Sequence[str], environ: Mapping[str, str]) -> Path:
    path = shared_data_folder(environ) / "applications" / "traffic-lights.desktop"
    arguments = " ".join(map(_exec_argument, command))
    entry = _DESKTOP_ENTRY.format(name=NAME, comment=_COMMENT, command=arguments)
    make_folder(path.parent)
    write_atomically(path, [entry.encode("utf-8")])
    return path


def _exec_argument(argument: str) -> str:
    """Return *argument* as the Exec key takes it.

    Quoted arguments escape four characters, and the value as a whole escapes
    the backslash once more (Desktop Entry Specification, "The Exec key").
    """
    quoted = "".join("\\" + c if c in '"`$\\' else c for c in argument)
    return '"' + quoted.replace("\\", "\\\\").replace("%", "%%") + '"'


def _install_application(command: Sequence[str], environ: Mapping[str, str]) -> Path:
    application = home_folder(environ) / "Applications" / f"{NAME}.app"
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
    return application


def _install_link(command: Sequence[str], environ: Mapping[str, str]) -> Path:
    roaming = Path(environ.get("APPDATA") or home_folder(environ) / "AppData" / "Roaming")
    path = roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs" / f"{NAME}.lnk"
    interpreter, *arguments = command
    values = {
        "LINK_PATH": str(path),
        "LINK_TARGET": interpreter,
        "LINK_ARGUMENTS": subprocess.list2cmdline(arguments),
        "LINK_FOLDER": str(home_folder(environ)),
        "LINK_COMMENT": _COMMENT,
    }
    make_folder(path.parent)
    try:
        subprocess.run(
            ["powershell", "-NoProfile", "-NonInteractive", "-Command", _MAKE_LINK],
            env={**environ, **values},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise StorageError(f"cannot write {path}: PowerShell failed ({error})") from error
    return path
