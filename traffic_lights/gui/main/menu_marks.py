"""The marks of menu entries that are on, as large as the type: Tk's own on X11 are a few pixels."""

from __future__ import annotations

import tkinter as tk
from typing import Any

from traffic_lights.gui.kit.smooth import Distance, alpha_rows, disc, portable_graphic, strokes
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.main_window import MARKS


class MenuMarks:
    """A tick for what is on, a dot for what is chosen; where the system draws its own, nothing."""

    def __init__(self, root: tk.Tk, theme: Theme) -> None:
        self._root, self._theme = root, theme
        self._is_ours = root.tk.call("tk", "windowingsystem") == "x11"
        self._images = {name: tk.PhotoImage(master=root) for name in ("", "tick", "dot")}
        root.bind("<<ThemeChanged>>", lambda event: self._draw(event.widget), add="+")
        self._draw(root)

    def options(self, mark: str = "") -> dict[str, Any]:
        """Return what an entry needs to show *mark* while it is on; to stand below such, none."""
        if not self._is_ours:
            return {}
        on = {"indicatoron": False, "selectimage": self._images[mark]} if mark else {}
        return {"image": self._images[""], "compound": tk.LEFT, **on}

    def _draw(self, widget: object) -> None:
        if widget is not self._root or not self._is_ours:
            return
        half = self._theme.px(2)
        size, width = 2 * half, half * 0.3
        (tick,) = (tuple((x * half * 0.8, y * half * 0.8) for x, y in m) for m in MARKS["right"])
        self._images[""].configure(width=size, height=size)
        for name, shape, rim in (
            ("tick", strokes(tick, width), strokes(tick, 2 * width)),
            ("dot", disc(half * 0.45), disc(half * 0.6)),
        ):
            # Its rim is not seen but on the line where the pointer is, whose colour is another.
            self._images[name].configure(data=self._picture(size, rim, self._theme.colours.raised))
            top = tk.PhotoImage(
                master=self._root, data=self._picture(size, shape, self._theme.colours.text)
            )
            self._root.tk.call(str(self._images[name]), "copy", str(top))

    @staticmethod
    def _picture(size: int, shape: Distance, colour: str) -> bytes:
        return portable_graphic(size, alpha_rows(size, size, shape), colour)
