"""The other windows of the program, each imported when it is first opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from traffic_lights.gui.main.commands import WindowCommand
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.view import ViewSettings
from traffic_lights.players.game import Player

if TYPE_CHECKING:
    from traffic_lights.gui.workshop.window import WorkshopWindow


class Windows:
    """Opens the other windows over the main one; *commands* returns what the Keys page lists."""

    def __init__(
        self,
        context: Context,
        view: ViewSettings,
        commands: Callable[[], Mapping[str, WindowCommand]],
    ) -> None:
        self._context = context
        self._view = view
        self._commands = commands

    def openers(self) -> Mapping[str, Callable[[], object]]:
        """Return what opens each window, by the name of its command."""
        return {
            "workshop": self.workshop,
            "train": self.workshop,
            "evaluate": lambda: self.workshop("strength"),
            "add_program": lambda: self.workshop().add_program(),
            "appearance": self.appearance,
            "statistics": self.statistics,
            "how_to_play": self.how_to_play,
            "keys": self.keys,
            "about": self.about,
        }

    def workshop(self, tab: str = "learning", key: str = "") -> WorkshopWindow:
        """Open the Workshop at *tab*, with the bot *key* chosen."""
        from traffic_lights.gui.workshop.window import open_workshop

        return open_workshop(self._context, tab, key)

    def appearance(self) -> None:
        """Show the sheet for theme, lamps, size and the like."""
        from traffic_lights.gui.dialogs.appearance import AppearanceSheet

        context, change = self._context, self._view.change
        context.dialogs.show(
            "appearance",
            lambda: AppearanceSheet(
                context.root,
                context.theme,
                lambda: context.userdata.settings,
                change,
                context.focus_board,
            ),
        )

    def statistics(self) -> None:
        """Show how often the player has won."""
        from traffic_lights.gui.dialogs.statistics_dialog import StatisticsDialog

        dialog = self._context.dialogs.show("statistics", lambda: StatisticsDialog(self._context))
        assert isinstance(dialog, StatisticsDialog)
        dialog.fill()  # it may have been open when the last game ended

    def how_to_play(self) -> None:
        """Show the rules."""
        from traffic_lights.gui.dialogs.help_dialogs import how_to_play

        context = self._context
        context.dialogs.show(
            "how_to_play", lambda: how_to_play(context.root, context.theme, context.focus_board)
        )

    def keys(self) -> None:
        """Show every key."""
        from traffic_lights.gui.dialogs.help_dialogs import keys

        context, table = self._context, self._commands()
        context.dialogs.show(
            "keys", lambda: keys(context.root, context.theme, context.focus_board, table)
        )

    def about(self) -> None:
        """Show what this program is."""
        from traffic_lights.gui.dialogs.help_dialogs import about

        context = self._context
        context.dialogs.show(
            "about", lambda: about(context.root, context.theme, context.focus_board)
        )

    def last_lines(self, player: Player) -> None:
        """Show the last lines that the external bot *player* has written."""
        from traffic_lights.gui.dialogs.help_dialogs import last_lines

        context = self._context
        lines = context.roster.last_lines(player.bot or "")
        context.dialogs.close("last lines")
        context.dialogs.show(
            "last lines", lambda: last_lines(context.root, context.theme, player.name, lines)
        )
