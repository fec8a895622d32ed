"""The command that packs the whole program into one file, for people to pass on.

    python -m traffic_lights.bundle traffic-lights.pyzw

The file is a Python zip application: a double-click or ``python3
traffic-lights.pyzw`` starts it, with the tables inside, wherever CPython 3.11
or newer is. The same sources make the same bytes.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from traffic_lights.console.shell import SUCCESS, CommandError, Parser, file_path, run, say
from traffic_lights.storage.files import (
    StorageError,
    explain,
    open_file,
    read_bytes,
    write_atomically,
)
from traffic_lights.system.folders import PACKAGE_FOLDER, shipped_tables
from traffic_lights.system.signals import held
from traffic_lights.training.paths import is_ours

# No "#!" line comes before the archive: on Windows it would make the launcher
# choose an interpreter that opens a console window.
_STARTER: Final = b"""\
import sys

from traffic_lights.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
"""


def bundle() -> bytes:
    """Return the zip application as bytes: the program, its tables, what starts it.

    Raise CommandError where the program's own files cannot be listed, inside
    such an application for one.
    """
    if not PACKAGE_FOLDER.is_dir():
        raise CommandError(f"{PACKAGE_FOLDER} is no folder: start this from the unpacked program")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(_contents()):
            entry = zipfile.ZipInfo(name)  # of 1980, whenever it is made
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # whichever system makes it, for equal bytes
            entry.external_attr = 0o644 << 16
            # Interrupted within an entry, the archive could not be closed.
            with held("SIGINT", "SIGTERM", "SIGHUP"):
                archive.writestr(entry, data)
    return buffer.getvalue()


def _contents() -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of each file of the bundle."""
    yield "__main__.py", _STARTER
    for path in PACKAGE_FOLDER.rglob("*.py"):
        inside = path.relative_to(PACKAGE_FOLDER).as_posix()
        yield f"traffic_lights/{inside}", path.read_bytes()
    for table in shipped_tables().iterdir():
        if table.name.endswith(".json") and not is_ours(table.name):
            yield f"traffic_lights/qtables/{table.name}", read_bytes(table)


def _is_bundle(path: Path) -> bool:
    """Return whether *path* is such an application, of any version."""
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            return "traffic_lights/__init__.py" in archive.namelist()
    except (OSError, StorageError, zipfile.BadZipFile):
        return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, by default those of the process; return its status."""
    return run("bundle", _main, arguments)


def _main(arguments: Sequence[str]) -> int:
    parser = Parser("bundle", "Pack the whole program into one file that Python starts.")
    parser.add_argument("path", type=file_path, metavar="FILE", help="such as traffic-lights.pyzw")
    path: Path = parser.parse_args(arguments).path
    if path.exists() and not _is_bundle(path):
        raise CommandError(f"{path} is there already, and is no such program: choose another name")
    try:
        data = bundle()
    except OSError as error:
        raise CommandError(explain(error, "read", Path(error.filename or PACKAGE_FOLDER))) from None
    write_atomically(path, [data])
    say(f"{path}: {len(data) / 1e6:.1f} MB")
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
