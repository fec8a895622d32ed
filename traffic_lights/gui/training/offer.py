"""What the program offers at its start when a training run has stopped with it.

This is imported at every start, so it brings in little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.training.questions import DISCARD, TRAINING, ask, discard_text
from traffic_lights.training.own_tables import OwnTables

if TYPE_CHECKING:
    from traffic_lights.gui.training.control import TrainingControl


def offer_interrupted_run(desk: Desk, control: Callable[[], TrainingControl]) -> None:
    """Ask what becomes of a training run that stopped with the program, if there is one.

    *control* returns what the run is controlled with; it is called when that is needed.
    """
    tables = OwnTables(desk.keeper.folder)
    games = tables.interrupted_games()
    note = tables.run()
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

    def discard() -> None:
        now = OwnTables(desk.keeper.folder).interrupted_games()
        if control().note == note and now == games:
            control().discard()
        else:  # another program has gone on with it, or keeps it
            desk.say("Nothing was discarded: another program has changed that training run.")
            offer_interrupted_run(desk, control)

    def ask_to_discard() -> None:
        answers = {"Keep It": lambda: None, "Discard": discard}
        ask(desk, desk.root, DISCARD, discard_text(tables, games), answers)

    text = f"A training run stopped at game {games:,}."
    answers = {"Resume": resume, "Keep as It Is": keep, "Discard…": ask_to_discard}
    ask(desk, desk.root, TRAINING, text, answers)
