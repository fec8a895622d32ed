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
            "how_to_play": lambda: self._help("how_to_play"),
            "keys": lambda: self._help("keys"),
            "about": lambda: self._help("about"),
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

    def _help(self, page: str) -> None:
        from traffic_lights.gui.dialogs import help_dialogs as pages

        context = self._context
        common = context.root, context.theme, context.focus_board
        makers = {
            "how_to_play": lambda: pages.how_to_play(*common),
            "keys": lambda: pages.keys(*common, self._commands()),
            "about": lambda: pages.about(*common),
        }
        context.dialogs.show(page, makers[page])

    def last_lines(self, player: Player) -> None:
        """Show the last lines that the external bot *player* has written."""
        from traffic_lights.gui.dialogs.help_dialogs import last_lines

        context = self._context
        lines = context.roster.last_lines(player.bot or "")
        context.dialogs.close("last lines")
        context.dialogs.show(
            "last lines", lambda: last_lines(context.root, context.theme, player.name, lines)
        )
