"""The place and the size of the main window: remembered, and larger or smaller with its content."""

import tkinter as tk
from typing import Final

from traffic_lights.gui.kit.places import is_maximized, place_window
from traffic_lights.gui.main.context import Context
from traffic_lights.play.userdata import CHOICES

FIRST_SIZE: Final = (900, 640)
LEAST_SIZE: Final = (480, 420)
ABOVE: Final = 72
"""The pixels of a window's title and menu at 96 dpi, about; its height does not count them."""

ANSWER_MS: Final = 500
"""After this time a window has the size that the window manager gives it, which may do it in steps.
"""


class WindowPlace:
    """The place of the main window of *context*."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._root = context.root
        self._theme = context.theme
        self._natural = (0.0, 0.0)
        """The size of the window at scale 1."""
        self._zoomed = (0, 0)
        """The size that zooming gave the window last; any other was chosen by the player."""
        self._waiting = ""
        """The timer that waits for that size; empty if none does."""
        self._places = ["", ""]
        """The last two places of the window while it was not maximized, the latest last."""
        context.root.bind("<Configure>", self._note, add=True)
        self._go_to(context.userdata.settings.geometry)

    def _go_to(self, wanted: str) -> None:
        """Give the window the place *wanted*, as Tk writes it, or the first one; on the screen."""
        scale = self._theme.scale
        size = round(FIRST_SIZE[0] * scale), round(FIRST_SIZE[1] * scale)
        place_window(self._root, wanted, size, self.least_size(), self._above)

    def least_size(self) -> tuple[int, int]:
        """Return the least width and height, in pixels; both grow with the zoom on the screen."""
        scale = max(self._theme.scale, self._theme.screen_scale)
        wide, high = (round(side * scale) for side in LEAST_SIZE)
        most = self._root.winfo_screenheight() - self._above
        return min(wide, self._root.winfo_screenwidth()), min(high, most)

    @property
    def _above(self) -> int:
        return round(ABOVE * self._theme.screen_scale)

    @property
    def is_full_screen(self) -> bool:
        """Whether the window fills the screen."""
        return bool(self._root.wm_attributes("-fullscreen"))

    @property
    def _is_own(self) -> bool:
        """Whether the window has a place of its own on the screen: it neither fills nor left it."""
        fills = self.is_full_screen or is_maximized(self._root)
        is_normal = not fills and self._root.state() == "normal"
        return is_normal and bool(self._root.winfo_viewable())

    # --- the zoom ---

    def zoom(self, steps: int) -> None:
        """Make everything *steps* larger, or smaller if negative; 0 is the normal size."""
        wanted = self._context.userdata.settings.zoom + steps if steps else 0
        if wanted in CHOICES["zoom"]:
            self._context.change(zoom=wanted)
            self._context.say(f"Size {CHOICES['zoom'][wanted]}")

    def larger(self) -> None:
        """Make everything larger, unless the screen is so full that the board would shrink."""
        most = self._root.winfo_screenheight() - self._above
        if self._is_own and 1.1 * self._root.winfo_height() <= most:
            self.zoom(1)
        else:
            self._context.say(
                "The screen has no room for a larger board. View ▸ Appearance… makes the texts "
                "larger still."
            )

    def follow_scale(self, before: float) -> None:
        """Let the window grow or shrink with its content, whose scale was *before*.

        Its size at scale 1 is kept until the player changes it, so that what the screen has cut
        off comes back.
        """
        root = self._root
        if self._theme.scale == before or not self._is_own:
            return
        size = root.winfo_width(), root.winfo_height()
        if self._waiting:
            root.after_cancel(self._waiting)
        elif size != self._zoomed:
            self._natural = size[0] / before, size[1] / before
        width, height = (
            max(least, round(natural * self._theme.scale))
            for natural, least in zip(self._natural, self.least_size(), strict=True)
        )
        _, _, corner = root.wm_geometry().partition("+")
        self._go_to(f"{width}x{height}+{corner}")
        self._waiting = root.after(ANSWER_MS, self._note_zoomed)

    def _note_zoomed(self) -> None:
        self._waiting = ""
        self._zoomed = self._root.winfo_width(), self._root.winfo_height()

    # --- the next start ---

    def _note(self, event: "tk.Event[tk.Misc]") -> None:
        place = self._root.wm_geometry()
        if event.widget is self._root and self._is_own and place != self._places[-1]:
            self._places = [self._places[-1], place]

    def keep(self) -> None:
        """Keep the place of the window in the settings; if it is maximized, the one before.

        A window may get its new size before Tk knows that it is maximized. So a noted place of
        that size is not the one before.
        """
        userdata = self._context.userdata
        if self._is_own:
            userdata.change(geometry=self._root.wm_geometry(), is_maximized=False)
        elif is_maximized(self._root):
            size = f"{self._root.winfo_width()}x{self._root.winfo_height()}+"
            places = [place for place in self._places if place and not place.startswith(size)]
            before = places[-1] if places else userdata.settings.geometry
            userdata.change(geometry=before, is_maximized=True)
