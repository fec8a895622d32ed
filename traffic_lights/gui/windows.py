"""The other windows of the program, each brought in when it is first asked for."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.programs import Programs
from traffic_lights.gui.kit.geometry import place_scrolling
from traffic_lights.gui.kit.keys import bind_window_keys

if TYPE_CHECKING:
    from traffic_lights.gui.training.control import TrainingControl
    from traffic_lights.gui.training.window import TrainingWindow
    from traffic_lights.gui.workshop.strength import StrengthTab


class Windows:
    """Opens them, and keeps what outlives a window: the training run, the rows of an evaluation."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.programs = Programs(desk)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Return the commands that open a window, by name."""
        return {
            "new_game_dialog": self.new_game,
            "add_program": self.add_program,
            "statistics": self.statistics,
            "train": self.train,
            "evaluate": self.evaluate,
            "how_to_play": self.how_to_play,
            "keys": self.keys,
            "about": self.about,
        }

    @cached_property
    def training(self) -> TrainingControl:
        """The one training run of the program."""
        from traffic_lights.gui.training.control import TrainingControl

        return TrainingControl(self._desk, self.train)

    def train(self, table: str = "") -> TrainingWindow:
        """Open the training window, with the own table of key *table* chosen to go on from."""
        from traffic_lights.gui.training.window import open_training

        return open_training(self.training, self.evaluate, table)

    def evaluate(self, table: str = "", *, prove: bool = False) -> StrengthTab:
        """Show the Strength tab in a window of its own, with the own bot *table*; *prove* it."""
        from traffic_lights.gui.workshop.strength import StrengthTab
        from traffic_lights.players.roster import Roster

        desk = self._desk
        window = tk.Toplevel(desk.root, background=desk.theme.colours.window)
        window.title("Evaluate – Traffic Lights")
        tab = StrengthTab(window, desk, Roster(desk.keeper.folder))
        tab.pack(fill=tk.BOTH, expand=True)
        tab.show(f"own-{table}" if table else "qbot")
        place_scrolling(window, (800, 560), (420, 300), desk.theme.scale, desk.theme.zoom)
        bind_window_keys(window, desk.quit, window.destroy)
        if prove:
            tab.prove()
        return tab

    def new_game(self) -> None:
        """Ask who plays and who starts."""
        from traffic_lights.gui.dialogs.new_game_dialog import NewGameDialog

        self._desk.dialogs.show("new game", lambda: NewGameDialog(self._desk))

    def add_program(self) -> None:
        """Ask for a program that somebody wrote, and try it."""
        from traffic_lights.gui.dialogs.program_dialog import ProgramDialog

        self._desk.dialogs.show("program", lambda: ProgramDialog(self._desk, self.programs))

    def statistics(self) -> None:
        """Show how often who has won."""
        from traffic_lights.gui.dialogs.statistics_dialog import StatisticsDialog

        dialog = self._desk.dialogs.show("statistics", lambda: StatisticsDialog(self._desk))
        assert isinstance(dialog, StatisticsDialog)
        dialog.fill()  # it may have been open when the last game ended

    def how_to_play(self) -> None:
        """Show the rules."""
        from traffic_lights.gui.dialogs.help_dialogs import how_to_play

        desk = self._desk
        desk.dialogs.show(
            "how_to_play", lambda: how_to_play(desk.root, desk.theme, desk.focus_board)
        )

    def keys(self) -> None:
        """Show every key."""
        from traffic_lights.gui.dialogs.help_dialogs import keys

        desk = self._desk
        desk.dialogs.show("keys", lambda: keys(desk.root, desk.theme, desk.focus_board))

    def about(self) -> None:
        """Show what this program is."""
        from traffic_lights.gui.dialogs.help_dialogs import about

        desk = self._desk
        desk.dialogs.show("about", lambda: about(desk.root, desk.theme, desk.focus_board))
