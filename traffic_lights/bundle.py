"""Pack the whole program into one file that can be passed on.

    python3 -m traffic_lights.bundle traffic-lights.pyzw

The file is a Python zip application with the tables inside. ``python3 traffic-lights.pyzw`` starts
it wherever CPython 3.11 or newer is installed, and on Windows a double-click does too.
"""

import sys
from pathlib import Path

if not __package__:  # started as a file, such as by an editor: find the package from its parent
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import io
import os
import shutil
import tempfile
import zipapp
import zipfile
from collections.abc import Sequence
from typing import Final

from traffic_lights.console.shell import SUCCESS, CommandError, Parser, command, say
from traffic_lights.storage.files import remove_leftovers, write_atomically
from traffic_lights.storage.folders import PACKAGE_FOLDER, parse_path, shipped_tables
from traffic_lights.training.folder import is_written

# No "#!" line comes before the archive: on Windows it would make the launcher
# choose an interpreter that opens a console window.
_STARTER: Final = b"""\
import sys

from traffic_lights.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
"""


@command("bundle")
def main(arguments: Sequence[str]) -> int:
    """Run the command; raise CommandError if another file has that name."""
    parser = Parser("bundle", "Pack the whole program into one file that Python can run.")
    parser.add_argument("path", type=parse_path, metavar="FILE", help="such as traffic-lights.pyzw")
    path: Path = parser.parse_args(arguments).path
    if os.path.lexists(path) and not _is_bundle(path):
        raise CommandError(
            f"{path} already exists and is not a Traffic Lights bundle; choose another name"
        )
    data = bundle()
    remove_leftovers(path.parent, lambda name: name == path.name)
    write_atomically(path, [data])
    say(f"{path}: {len(data) / 1e6:.1f} MB")
    return SUCCESS


def _is_bundle(path: Path) -> bool:
    """Return whether the file *path* is a zip application that starts this program."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read("__main__.py") == _STARTER
    # A damaged zip raises almost anything.
    except Exception:
        return False


def bundle() -> bytes:
    """Return the zip application as bytes: the program, its tables, and what starts it."""
    if not PACKAGE_FOLDER.is_dir():  # such an application cannot list its own files
        raise CommandError(f"{PACKAGE_FOLDER} is not a folder: start this from an unpacked program")
    application = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "traffic_lights")
        shutil.copytree(PACKAGE_FOLDER, package, ignore=_other_files)
        tables = package / "qtables"
        tables.mkdir(exist_ok=True)
        for table in shipped_tables().iterdir():
            if table.name.endswith(".json") and not is_written(table.name):
                (tables / table.name).write_bytes(table.read_bytes())
        Path(folder, "__main__.py").write_bytes(_STARTER)
        zipapp.create_archive(folder, application, compressed=True)
    return application.getvalue()


def _other_files(folder: str, names: list[str]) -> list[str]:
    """Return those of *names* in *folder* that are neither folders nor modules of the program."""
    paths = [Path(folder, name) for name in names if name != "__pycache__"]
    kept = {path.name for path in paths if path.is_dir() or path.suffix == ".py"}
    return [name for name in names if name not in kept]


if __name__ == "__main__":
    sys.exit(main())
