"""An entry for the game among the system's own programs.

Linux and its kin get a desktop entry, macOS an application folder that starts
the game, Windows a link in the start menu, which its own PowerShell makes.
All belong to the one person, none needs rights, and a second call replaces
what the first one wrote.
"""

from __future__ import annotations

import os
import plistlib
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from traffic_lights import __version__
from traffic_lights.storage.files import StorageError, explain, write_atomically
from traffic_lights.system.folders import PACKAGE_FOLDER, home_folder

NAME: Final = "Traffic Lights"
_COMMENT: Final = "Alan Parr's board game, for two or against a bot that has learned it"

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

# The values come through the environment, where nothing needs quoting.
_MAKE_LINK: Final = """\
$ErrorActionPreference = 'Stop'
$link = (New-Object -ComObject WScript.Shell).CreateShortcut($env:LINK_PATH)
$link.TargetPath = $env:LINK_TARGET
$link.Arguments = $env:LINK_ARGUMENTS
$link.WorkingDirectory = $env:LINK_FOLDER
$link.Description = $env:LINK_COMMENT
$link.Save()
"""
_LINK_TIMEOUT_S: Final = 30

Runner = Callable[..., "subprocess.CompletedProcess[Any]"]


class ShortcutError(Exception):
    """No shortcut was made; the text is a sentence for people."""


def install_shortcut(
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
    command: Sequence[str] | None = None,
    run: Runner = subprocess.run,
) -> Path:
    """Write the entry that starts *command*, by default this program; return its path.

    Raise ShortcutError if it cannot be written.
    """
    start = list(command or starting_command(platform))
    if any(ord(character) < 32 for part in start for character in part):
        raise ShortcutError(f"no shortcut can name {start!r}, which has control characters")
    try:
        if platform == "win32":
            return _install_link(start, environ, run)
        if platform == "darwin":
            return _install_application(start, environ)
        return _install_desktop_entry(start, environ)
    except StorageError as error:
        raise ShortcutError(str(error)) from error
    except OSError as error:
        sentence = explain(error, "write", Path(error.filename or home_folder(environ)))
        raise ShortcutError(sentence) from error


def starting_command(
    platform: str = sys.platform,
    package: Path = PACKAGE_FOLDER,
    executable: str = sys.executable,
) -> tuple[str, str]:
    """Return (interpreter, file) that start the window, for a checkout, wheel or zip."""
    interpreter = Path(executable)
    if platform == "win32":
        # The one that opens no console beside the window.
        without_console = interpreter.with_name("pythonw.exe")
        interpreter = without_console if without_console.exists() else interpreter
    if not package.is_dir():
        return str(interpreter), str(package.parent)  # the zip application itself
    return str(interpreter), str(package / "play.pyw")


def _install_desktop_entry(command: Sequence[str], environ: Mapping[str, str]) -> Path:
    shared = Path(environ.get("XDG_DATA_HOME", ""))
    base = shared if shared.is_absolute() else home_folder(environ) / ".local" / "share"
    path = base / "applications" / "traffic-lights.desktop"
    path.parent.mkdir(parents=True, exist_ok=True)
    entry = _DESKTOP_ENTRY.format(
        name=NAME, comment=_COMMENT, command=" ".join(map(_exec_argument, command))
    )
    write_atomically(path, [entry.encode("utf-8", "surrogateescape")])
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
    starter.parent.mkdir(parents=True, exist_ok=True)
    properties = {
        "CFBundleName": NAME,
        "CFBundleIdentifier": "org.traffic-lights.game",
        "CFBundleExecutable": starter.name,
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": __version__,
        # Without it the starter, which is a script, is taken to need Rosetta.
        "LSArchitecturePriority": ["arm64", "x86_64"],
        "NSHighResolutionCapable": True,
    }
    script = f"#!/bin/sh\nexec {shlex.join(command)}\n"
    write_atomically(starter, [script.encode("utf-8", "surrogateescape")])
    starter.chmod(0o755)
    write_atomically(application / "Contents" / "Info.plist", [plistlib.dumps(properties)])
    return application


def _install_link(command: Sequence[str], environ: Mapping[str, str], run: Runner) -> Path:
    roaming = environ.get("APPDATA") or str(home_folder(environ) / "AppData" / "Roaming")
    path = Path(roaming, "Microsoft", "Windows", "Start Menu", "Programs", f"{NAME}.lnk")
    path.parent.mkdir(parents=True, exist_ok=True)
    interpreter, *arguments = command
    values = {
        "LINK_PATH": str(path),
        "LINK_TARGET": interpreter,
        "LINK_ARGUMENTS": subprocess.list2cmdline(arguments),
        "LINK_FOLDER": str(home_folder(environ)),
        "LINK_COMMENT": _COMMENT,
    }
    try:
        made = run(
            ["powershell", "-NoProfile", "-NonInteractive", "-Command", _MAKE_LINK],
            env={**environ, **values},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LINK_TIMEOUT_S,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ShortcutError(f"the link was not made: PowerShell did not run ({error})") from error
    if made.returncode or not path.exists():
        raise ShortcutError(f"the link {path} was not made: PowerShell refused to")
    return path
