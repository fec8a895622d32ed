"""The other windows of the program, each brought in when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from traffic_lights.gui.game.desk import Desk

if TYPE_CHECKING:
    from traffic_lights.gui.workshop.window import WorkshopWindow


class Windows:
    """Opens them, and keeps what outlives a window: the rows of an evaluation."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

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

    def train(self, key: str = "") -> WorkshopWindow:
        """Open the Workshop, where the bot of *key* can be trained."""
        from traffic_lights.gui.workshop.window import open_workshop

        return open_workshop(self._desk, "learning", key)

    def evaluate(self, key: str = "") -> WorkshopWindow:
        """Open the Workshop, where the bot of *key* can be measured."""
        from traffic_lights.gui.workshop.window import open_workshop

        return open_workshop(self._desk, "strength", key)

    def new_game(self) -> None:
        """Ask who plays and who starts."""
        from traffic_lights.gui.dialogs.new_game_dialog import NewGameDialog

        self._desk.dialogs.show("new game", lambda: NewGameDialog(self._desk))

    def add_program(self) -> None:
        """Open the Workshop and ask for a program that plays."""
        self.train().add_program()

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
