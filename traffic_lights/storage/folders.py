"""Where things are: the user's data folder, the shipped tables, the training folder."""

import os
import sys
from pathlib import Path
from typing import Final

from traffic_lights.storage.files import StorageError

PACKAGE_FOLDER: Final = Path(__file__).resolve().parents[1]
_CHECKOUT: Final = PACKAGE_FOLDER.parent
CHECKOUT_TABLES: Final = _CHECKOUT / "qtables" if (_CHECKOUT / "pyproject.toml").is_file() else None
"""None if the program is installed."""


def parse_path(text: str) -> Path:
    """Return the path that a user typed, perhaps with ``~``; raise StorageError if it is empty."""
    if not text or "\0" in text:
        raise StorageError(f"{text[:40]!r} is not the name of a file or folder")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise StorageError(f"{text[:200]}: no such user, or one without a home folder") from None


def home_folder() -> Path:
    """Return the user's home folder, an absolute path; raise StorageError if it is not known."""
    home = parse_path("~")
    # If HOME is empty, this is the root folder or no folder at all.
    if not home.is_absolute() or home == Path(home.anchor):
        raise StorageError("the home folder is not known: set HOME to an absolute path")
    return home


def data_folder() -> Path:
    """Return the folder of settings, games and own bots; it may not exist yet.

    Raise StorageError if TRAFFIC_LIGHTS_HOME is not a possible path.
    """
    chosen = os.environ.get("TRAFFIC_LIGHTS_HOME")
    if chosen:
        return parse_path(chosen).absolute()
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA") or home_folder() / "AppData" / "Roaming"
        return Path(roaming) / "TrafficLights"
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Application Support" / "TrafficLights"
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not shared.is_absolute():
        shared = home_folder() / ".local" / "share"
    return shared / "traffic-lights"


def shipped_tables() -> Path:
    """Return the folder of the tables that come with the program, in a checkout or wheel."""
    return CHECKOUT_TABLES or PACKAGE_FOLDER / "qtables"


def training_folder() -> Path:
    """Return where the train command keeps its files: in the checkout, or in the user's data."""
    return CHECKOUT_TABLES or data_folder() / "qtables"
