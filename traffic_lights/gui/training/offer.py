"""What the program offers at its start when a training run has stopped with it.

This is imported at every start, so it brings in little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from traffic_lights.gui.kit.dialog import confirm
from traffic_lights.training.own_tables import OwnTables

if TYPE_CHECKING:
    from traffic_lights.gui.app import App


def offer_interrupted_run(app: App) -> None:
    """Ask what becomes of a training run that stopped with the program, if there is one."""
    games = OwnTables(app.keeper.folder).interrupted_games()
    if games is None:
        return

    def act(name: str) -> None:
        from traffic_lights.gui.training.control import control_of

        getattr(control_of(app), name)()
        if name != "discard":
            app.commands.train()

    confirm(
        app.root, app.theme, "Training", f"A training run stopped at game {games:,}.",
        {"Resume": lambda: act("resume"), "Keep as It Is": lambda: act("keep_as_it_is"),
         "Discard": lambda: act("discard")},
    )  # fmt: skip
