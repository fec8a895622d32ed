"""Where things are: the user's data folder, the shipped tables, the training folder."""

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from traffic_lights.storage.files import StorageError

PACKAGE_FOLDER: Final = Path(__file__).resolve().parents[1]
_CHECKOUT: Final = PACKAGE_FOLDER.parent
CHECKOUT_TABLES: Final = _CHECKOUT / "qtables" if (_CHECKOUT / "pyproject.toml").is_file() else None
"""None if the program is installed or zipped."""

_DOCUMENTS: Final = re.compile(r'^XDG_DOCUMENTS_DIR="(.+)"$', re.MULTILINE)


def parse_path(text: str) -> Path:
    """Return the path that a user typed, perhaps with ``~``; raise StorageError if it is empty."""
    if not text or "\0" in text:
        raise StorageError(f"{text[:40]!r} is not the name of a file or folder")
    path = Path(text)
    if path.parts[:1] == ("~",):
        return home_folder(os.environ).joinpath(*path.parts[1:])
    try:
        return path.expanduser()
    except RuntimeError:
        raise StorageError(f"{text[:200]}: no such user, or one without a home folder") from None


def home_folder(environ: Mapping[str, str]) -> Path:
    """Return the user's home folder, an absolute path; raise StorageError if it is not known."""
    for text in (environ.get("HOME"), environ.get("USERPROFILE"), _home_of_account()):
        if text and Path(text).is_absolute():
            return Path(text)
    raise StorageError("the home folder is not known: set HOME to an absolute path")


def _home_of_account() -> str:
    """Return the home folder that the system knows of this user; empty or "~" if there is none."""
    # If HOME is empty, expanduser returns the root folder.
    if os.environ.get("HOME") != "" or sys.platform == "win32":
        return os.path.expanduser("~")  # noqa: PTH111
    import pwd

    with suppress(KeyError):
        return pwd.getpwuid(os.getuid()).pw_dir
    return ""


def shared_data_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder where Linux programs keep their data."""
    chosen = Path(environ.get("XDG_DATA_HOME", ""))
    return chosen if chosen.is_absolute() else home_folder(environ) / ".local" / "share"


def documents_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the user's documents, the home folder, or the current one.

    Linux desktops in other languages give the folder another name, which is in user-dirs.dirs.
    """
    try:
        home = home_folder(environ)
    except StorageError:
        return Path()
    chosen = Path(environ.get("XDG_CONFIG_HOME", ""))
    settings = (chosen if chosen.is_absolute() else home / ".config") / "user-dirs.dirs"
    candidates = [home / "Documents"]
    with suppress(OSError, ValueError):
        found = _DOCUMENTS.search(settings.read_text("utf-8"))
        if found:
            candidates.insert(0, Path(found[1].replace("$HOME", str(home))))
    return next((folder for folder in candidates if folder.is_dir()), home)


def data_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder of settings, games and own bots; it may not exist yet.

    Raise StorageError if TRAFFIC_LIGHTS_HOME is not a possible path.
    """
    chosen = environ.get("TRAFFIC_LIGHTS_HOME")
    if chosen:
        return parse_path(chosen).absolute()
    home = home_folder(environ)
    if platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming") / "TrafficLights"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "TrafficLights"
    return shared_data_folder(environ) / "traffic-lights"


def shipped_tables() -> Traversable:
    """Return the folder of the tables that come with the program, in a checkout, wheel or zip."""
    return CHECKOUT_TABLES or files("traffic_lights") / "qtables"


def training_folder() -> Path:
    """Return where the train command keeps its files: in the checkout, or in the user's data."""
    return CHECKOUT_TABLES or data_folder() / "qtables"
