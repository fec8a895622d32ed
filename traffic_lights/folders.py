"""Where things live: the person's data folder, the shipped tables, the training folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

PACKAGE_FOLDER: Final = Path(__file__).resolve().parent


def data_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder of settings, games and own tables; it may not exist yet.

    ``TRAFFIC_LIGHTS_HOME`` wins; else it is where each system keeps such data.
    """
    chosen = environ.get("TRAFFIC_LIGHTS_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    if platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming") / "TrafficLights"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "TrafficLights"
    shared = Path(environ.get("XDG_DATA_HOME", ""))
    base = shared if shared.is_absolute() else home / ".local" / "share"
    return base / "traffic-lights"


def is_checkout() -> bool:
    """Return whether the program runs from its source tree rather than installed or zipped."""
    return (PACKAGE_FOLDER.parent / "pyproject.toml").is_file()


def shipped_tables() -> Traversable:
    """Return the folder of the tables that come with the program, in a checkout, wheel or zip."""
    if is_checkout():
        return PACKAGE_FOLDER.parent / "qtables"
    return files("traffic_lights") / "qtables"


def training_folder() -> Path:
    """Return where training keeps its files by default: the checkout's qtables, or own data."""
    if is_checkout():
        return PACKAGE_FOLDER.parent / "qtables"
    return data_folder() / "qtables"


def table_in(folder: Path) -> Path:
    """Return the newest table in a training *folder*: the cut one, once a run has made it."""
    small, whole = folder / "qbot.json", folder / "qtable.json"
    if not small.exists() or not whole.exists():
        return small if small.exists() else whole
    return small if small.stat().st_mtime_ns >= whole.stat().st_mtime_ns else whole
