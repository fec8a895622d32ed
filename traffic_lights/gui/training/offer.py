"""What the program offers at its start when a training run has stopped with it.

This is imported at every start, so it brings in little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.kit.dialog import confirm
from traffic_lights.training.own_tables import OwnTables

if TYPE_CHECKING:
    from traffic_lights.gui.training.control import TrainingControl


def offer_interrupted_run(desk: Desk, control: Callable[[], TrainingControl]) -> None:
    """Ask what becomes of a training run that stopped with the program, if there is one.

    *control* returns what the run is controlled with; it is called when that is needed.
    """
    tables = OwnTables(desk.keeper.folder)
    games = tables.interrupted_games()
    if games is None:
        if trouble := tables.unreachable_run():
            desk.say(trouble)
        return

    def resume() -> None:
        control().resume()
        control().open_window()

    def keep() -> None:
        control().keep_as_it_is()
        control().open_window()

    def ask_to_discard() -> None:
        confirm(
            desk.root,
            desk.theme,
            "Discard",
            f"Forget what was learned in {games:,} games? This cannot be undone.",
            {"Keep It": lambda: None, "Discard": lambda: control().discard()},
        )

    confirm(
        desk.root,
        desk.theme,
        "Training",
        f"A training run stopped at game {games:,}.",
        {"Resume": resume, "Keep as It Is": keep, "Discard…": ask_to_discard},
    )
