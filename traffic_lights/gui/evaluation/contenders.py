"""Who can be evaluated, and against whom."""

from __future__ import annotations

from traffic_lights.gui.game.desk import Desk
from traffic_lights.keeping.own_bots import own_key
from traffic_lights.keeping.programs import KeptPrograms
from traffic_lights.storage.files import StorageError
from traffic_lights.training.own_tables import OwnTables
from traffic_lights.workers.evaluation import Contender


def contenders(desk: Desk) -> list[Contender]:
    """Return everyone who can play: own tables and programs, then the ladder from its top."""
    own = [
        Contender(own_key(table), table.name, table.playing_path)
        for table in OwnTables(desk.keeper.folder).all()
    ]
    levels = [
        Contender(level.key, level.name)
        for level in desk.opponents.ladder.levels()
        if not level.problem and level.key != "qbot-own"
    ]
    return [*reversed(own), *_programs(desk), *reversed(levels)]


def _programs(desk: Desk) -> list[Contender]:
    try:
        kept = KeptPrograms(desk.keeper.folder).all()
    except StorageError:  # said when the program started
        return []
    return [Contender(one.key, one.program.name, program=one.program) for one in kept]
