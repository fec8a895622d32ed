"""How everything looks: applies the settings of the Appearance sheet, size and full screen."""

from __future__ import annotations

from typing import Any, Final

from traffic_lights.gui.main.context import Context
from traffic_lights.userdata.settings import LIMITS

SCREEN_IS_FULL: Final = (
    "The screen has no room for a larger board. View ▸ Appearance… makes the texts larger still."
)


class ViewSettings:
    """Applies what the player has set, and remembers it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.is_full_screen = False
        self._natural = (0.0, 0.0)
        """The size of the window at scale 1."""
        self._sizes: set[tuple[int, int]] = set()
        """The sizes that zooming gave the window since the player last chose one."""
        self._size = (0, 0)
        """The last of them, which a window manager may give the window later."""

    def change(self, name: str, value: Any) -> None:
        """Change the setting *name*, remember it and apply it at once."""
        self._context.userdata.change(**{name: value})
        before = self._context.theme.scale
        self.apply()
        if name == "zoom":
            self._context.say(f"Size {round(100 * self._context.theme.zoom)} %")
        self._resize(before)

    def apply(self) -> None:
        """Draw everything in the theme, lamps and size that are set."""
        context, settings = self._context, self._context.userdata.settings
        context.theme.set(settings.theme, settings.lamps, settings.zoom)
        context.window.board.animated = settings.animations
        context.window.wants_panel = settings.side_panel
        context.window.retheme(context.theme.look(settings.letters, settings.coordinates))
        context.refresh()

    def zoom(self, steps: int) -> None:
        """Make everything *steps* larger, or smaller if negative; 0 is the normal size."""
        limits = LIMITS["zoom"]
        wanted = self._context.userdata.settings.zoom + steps if steps else 0
        self.change("zoom", min(max(wanted, limits[0]), limits[-1]))

    def larger(self) -> None:
        """Make everything larger, unless the screen is so full that the board would shrink."""
        root, window = self._context.root, self._context.window
        side = window.block_in(root.winfo_width(), root.winfo_height()).side
        self.zoom(1)
        if window.block_in(*self._size).side < side:
            self.zoom(-1)
            self._context.say(SCREEN_IS_FULL)

    def toggle_full_screen(self) -> None:
        self.is_full_screen = not self.is_full_screen
        self._context.root.wm_attributes("-fullscreen", self.is_full_screen)

    def _is_placed(self) -> bool:
        """Return whether the window has a place of its own on the screen."""
        root = self._context.root
        return not self.is_full_screen and root.state() == "normal" and bool(root.winfo_viewable())

    def _resize(self, before: float) -> None:
        """Let the window grow or shrink with its content, whose scale was *before*.

        Its size at scale 1 is kept until the player changes it, so that what the screen has cut
        off comes back.
        """
        root, window, scale = self._context.root, self._context.window, self._context.theme.scale
        size = self._size = root.winfo_width(), root.winfo_height()
        if scale == before or not self._is_placed():
            return
        if size not in self._sizes:
            self._sizes = {size}
            self._natural = size[0] / before, size[1] / before
        width, height = (
            max(least, round(natural * scale))
            for natural, least in zip(self._natural, window.least_size(), strict=True)
        )
        _, _, corner = root.wm_geometry().partition("+")
        self._size = window.place(f"{width}x{height}+{corner}")
        self._sizes.add(self._size)

    def remember_geometry(self) -> None:
        """Note where the window stands, unless it fills the screen or was never shown."""
        if self._is_placed():
            self._context.userdata.change(geometry=self._context.root.wm_geometry())
