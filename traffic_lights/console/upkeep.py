"""What the command that trains does with a training folder instead of training in it."""

from __future__ import annotations

import json
from argparse import Namespace
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from traffic_lights.console.remedies import with_remedy
from traffic_lights.console.shell import SUCCESS, CommandError, remark, say
from traffic_lights.learning.oldtable import origin
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.session.wording import counted
from traffic_lights.training import paths
from traffic_lights.training.folder import RunFiles
from traffic_lights.training.troubles import DamagedRunError


def cut_table(folder: Path, options: Namespace) -> int:
    """Write the table of *folder*, cut to what plays, beside it; return the exit status.

    Raise CommandError or StorageError.
    """
    with closing(RunFiles(folder)) as files:
        files.open()
        files.refuse_strangers()
        if files.log_path.exists():
            raise CommandError(f"the run in {folder} is not over: go on with it, without --cut")
        table = prune(read_table(folder / paths.TABLE))
        write_table(files.cut_path, table)
    return _written(files.cut_path, table, options)


def import_table(source: Path, folder: Path, options: Namespace) -> int:
    """Write *source*, a table of the older program or ours, as that of *folder*; return the status.

    Raise CommandError or StorageError.
    """
    table = read_table(source)
    with closing(RunFiles(folder)) as files:
        files.open()
        if options.fresh and (set_aside := files.set_aside()):
            remark(f"what was here is {set_aside}")
        if files.is_taken:
            raise CommandError(
                f"{folder} holds a table or a run already: choose another folder with --dir, or "
                "add --fresh, which keeps the old files as .bak"
            )
        write_table(files.table_path, table)
    return _written(files.table_path, table, options, origin(table.meta))


def _written(path: Path, table: QTable, options: Namespace, taken_from: str = "") -> int:
    """Say that *path* holds *table*, which was not trained just now."""
    rows = sum(1 for _ in table.states())
    if options.json:
        say(json.dumps({"table": str(path), "rows": rows}))
    else:
        say(f"{path}: {counted(rows, 'row')}{', from ' + taken_from if taken_from else ''}")
    return SUCCESS


def repair(folder: Path, options: Namespace) -> dict[str, Any] | None:
    """Mend what is damaged in *folder*; return the settings of the run to go on with, if any.

    A sound folder is left as it is, and that is said. Raise CommandError or StorageError.
    """
    try:
        with closing(RunFiles(folder)) as files:
            files.open()
            loaded = files.load(repair=True)
    except DamagedRunError as error:
        raise CommandError(with_remedy(error)) from error
    for note in loaded.notes:
        remark(note)
    if loaded.notes and loaded.run is not None:
        return asdict(loaded.run.settings)
    if options.json:
        say(json.dumps({"table": str(files.table_path), "repaired": bool(loaded.notes)}))
    elif loaded.notes:
        say(f"{folder} is repaired; it holds no run to go on with")
    else:
        say(f"There is nothing to repair in {folder}")
    return None
