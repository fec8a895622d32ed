"""Make the tables that come with the program again: `python3 -m tests.make.qtables`.

Each is the pruned table of a training run. The run's command is in its meta, and
gives the same bytes on any machine. `test_qtables` does so for the small one.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from traffic_lights.storage.folders import PACKAGE_FOLDER
from traffic_lights.train import main as train_command

QTABLES = PACKAGE_FOLDER.parent / "qtables"
COMMANDS = {
    "myopic-200.json": "--opponent myopic --games 200 --seed 1",
    "myopic-1000.json": "--opponent myopic --games 1000 --seed 1",
    "myopic-8000.json": "--opponent myopic --games 8000 --seed 1",
    "myopic-10000.json": "--opponent myopic --games 10000 --seed 1",
    "myopic-30000.json": "--opponent myopic --games 30000 --seed 1",
    "complete.json": "--seed 1",
}


def make(name: str, target: Path) -> None:
    """Write the table *name* to *target*, by the command that makes it."""
    with tempfile.TemporaryDirectory() as folder:
        words = [*COMMANDS[name].split(), "--dir", folder, "--quiet", "--json"]
        if train_command(words) != 0:
            sys.exit(f"could not make {name}")
        shutil.copyfile(Path(folder) / "qbot.json", target)


if __name__ == "__main__":
    QTABLES.mkdir(exist_ok=True)
    for table in sys.argv[1:] or COMMANDS:
        make(table, QTABLES / table)
        print(f"{table}: {(QTABLES / table).stat().st_size:,} bytes")
