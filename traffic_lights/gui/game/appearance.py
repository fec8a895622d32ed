"""The View menu and the other switches: what each does at once, and that it is remembered."""

from __future__ import annotations

import tkinter as tk
from dataclasses import replace
from typing import Any, Final

from traffic_lights.gui.game.belief_table import believer
from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.presenter import Shown
from traffic_lights.gui.kit.geometry import Placement, placement_of
from traffic_lights.gui.kit.lamps import Look
from traffic_lights.gui.kit.theme import LEAST_ZOOM, MOST_ZOOM
from traffic_lights.session import learned
from traffic_lights.session.texts import VALUES

_REMEMBERED: Final = (
    "theme",
    "lamps",
    "letters",
    "coordinates",
    "side_panel",
    "animations",
    "tell_me",
)


class Appearance:
    """Holds the menu's variables and applies them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._theme = desk.theme
        root = desk.root
        self.variables: dict[str, Any] = {
            name: tk.StringVar(root) for name in ("theme", "lamps", "speed", "opponent")
        }
        for name in (
            "letters",
            "coordinates",
            "side_panel",
            "animations",
            "tell_me",
            "values",
            "beliefs",
            "full_screen",
        ):
            self.variables[name] = tk.BooleanVar(root)
        self._legends: dict[str, str] = {}
        """What was said of the values and beliefs when they were switched on."""
        self._natural = (0.0, 0.0)
        self._sizes: set[tuple[int, int]] = set()
        """Those that the window had because of its content since a person gave it one."""

    def take_settings(self) -> None:
        """Show the settings of the keeper, whoever changed them."""
        settings = self._desk.keeper.settings
        for name in (*_REMEMBERED, "speed"):
            self.variables[name].set(getattr(settings, name))
        for name in ("values", "beliefs"):
            self.variables[name].set(getattr(settings, f"show_{name}"))
        self._desk.shown = Shown(settings.show_values, settings.show_beliefs, settings.tell_me)
        self.apply()

    def look(self) -> Look:
        """Return how the board is drawn."""
        settings = self._desk.keeper.settings
        return self._theme.look(settings.letters, settings.coordinates)

    def changed(self, name: str) -> None:
        """Apply the new value of the variable *name*."""
        desk = self._desk
        value: Any = self.variables[name].get()
        if name in _REMEMBERED:
            desk.keeper.change(**{name: value})
        match name:
            case "values" | "beliefs":
                desk.shown = replace(desk.shown, **{name: value})
                desk.keeper.change(**{f"show_{name}": value})
                if value:
                    self._legends[name] = VALUES if name == "values" else self._legend()
                    desk.say(self._legends[name])
                else:
                    desk.unsay(self._legends.get(name, ""))
                desk.refresh()
            case "tell_me":
                desk.shown = replace(desk.shown, marks=value)
                desk.refresh()
            case "speed":
                desk.keeper.change(speed=value)
            case "full_screen":
                self.set_full_screen(value)
            case "side_panel":
                self.apply()
                if value and not desk.window.is_wide():
                    desk.say("The window is too narrow for the panel.")
            case _:
                self.apply()

    def _legend(self) -> str:
        """Return how to read the beliefs of the bot at the board, or why there are none."""
        players = self._desk.session.players
        bot = believer(self._desk)
        return learned.nothing_learned(players) if bot is None else learned.legend(bot.name)

    def apply(self) -> None:
        """Draw everything in the theme, lamps and size that are set."""
        desk = self._desk
        settings = desk.keeper.settings
        self._theme.set(settings.theme, settings.lamps, settings.zoom)
        desk.window.board.animated = settings.animations
        desk.window.wants_panel = settings.side_panel
        desk.window.retheme(self.look())
        desk.refresh()

    def zoom(self, steps: int) -> None:
        """Make everything *steps* larger, or smaller if negative; 0 is the normal size."""
        keeper = self._desk.keeper
        wanted = keeper.settings.zoom + steps if steps else 0
        keeper.change(zoom=min(max(wanted, LEAST_ZOOM), MOST_ZOOM))
        before = self._theme.scale
        self.apply()
        self._resize(before)
        self._desk.say(f"Size {round(100 * self._theme.zoom)} %")

    @property
    def is_full_screen(self) -> bool:
        """Whether the window fills the screen."""
        return bool(self.variables["full_screen"].get())

    def set_full_screen(self, is_full: bool) -> None:
        """Fill the screen, or go back to the window."""
        self.variables["full_screen"].set(is_full)
        self._desk.root.wm_attributes("-fullscreen", is_full)

    def _resize(self, before: float) -> None:
        """Make the window as large as its content, whose scale was *before*, on the screen.

        Its size at scale 1 is kept until a person changes it, so that what the
        screen has cut off comes back.
        """
        desk, root = self._desk, self._desk.root
        if self.is_full_screen or root.state() != "normal" or not root.winfo_viewable():
            return
        size = root.winfo_width(), root.winfo_height()
        if size not in self._sizes:
            self._sizes = {size}
            self._natural = size[0] / before, size[1] / before
        width, height = (
            max(least, round(natural * self._theme.scale))
            for natural, least in zip(self._natural, desk.window.least_size(), strict=True)
        )
        here = Placement.parse(placement_of(root))
        assert here is not None, "a window has a place"
        placed = desk.window.place(str(replace(here, width=width, height=height)))
        self._sizes.add((placed.width, placed.height))

    def remember_geometry(self) -> None:
        """Note where the window stands, unless it fills the screen or was never shown."""
        root = self._desk.root
        if self.is_full_screen or root.state() != "normal" or not root.winfo_viewable():
            return
        self._desk.keeper.change(geometry=placement_of(root))
