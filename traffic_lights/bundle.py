"""Pack the whole program into one file that can be passed on.

    python3 -m traffic_lights.bundle traffic-lights.pyzw

The file is a Python zip application with the tables inside. ``python3 traffic-lights.pyzw`` starts
it wherever CPython 3.11 or newer is installed, and on Windows a double-click does too. The same
sources make the same bytes.
"""

import sys
from pathlib import Path

if not __package__:  # started as a file, such as by an editor: find the package from its parent
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import io
import os
import zipfile
from collections.abc import Sequence
from typing import Final

from traffic_lights.console.shell import SUCCESS, CommandError, Parser, command, say
from traffic_lights.storage.files import open_file, remove_leftovers, write_atomically
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
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            # Ask for one byte more, so that no other start is as long, however large it is.
            return archive.open("__main__.py").read(len(_STARTER) + 1) == _STARTER
    # A damaged zip raises almost anything.
    except Exception:
        return False


def bundle() -> bytes:
    """Return the zip application as bytes: the program, its tables, and what starts it."""
    if not PACKAGE_FOLDER.is_dir():  # such an application cannot list its own files
        raise CommandError(f"{PACKAGE_FOLDER} is not a folder: start this from an unpacked program")
    contents = {"__main__.py": _STARTER}
    for path in PACKAGE_FOLDER.rglob("*.py"):
        name = path.relative_to(PACKAGE_FOLDER).as_posix()
        contents[f"traffic_lights/{name}"] = path.read_bytes()
    for table in shipped_tables().iterdir():
        if table.name.endswith(".json") and not is_written(table.name):
            contents[f"traffic_lights/qtables/{table.name}"] = table.read_bytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(name)  # with the date of 1980, whenever it is made
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # the same on every system, for equal bytes
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()


if __name__ == "__main__":
    sys.exit(main())
