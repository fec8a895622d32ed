"""The program's icon: a small board of four, drawn like the large one."""

from __future__ import annotations

import tkinter as tk
from typing import Final

from traffic_lights.board.rules import EMPTY, GREEN, RED, YELLOW
from traffic_lights.gui.kit.lamp_art import Look
from traffic_lights.gui.kit.lamp_field import field_rows, portable_pixmap, ramp
from traffic_lights.gui.kit.palette import LAMPS, THEMES

SIDE: Final = 32
"""Pixels of one of the four cells."""


def set_icon(root: tk.Tk) -> None:
    """Give *root* and all windows under it the icon."""
    image = tk.PhotoImage(master=root, width=2 * SIDE, height=2 * SIDE)
    look = Look(THEMES["light"], LAMPS["signal"])
    for colour, x, y in ((GREEN, 0, 0), (YELLOW, 1, 0), (EMPTY, 0, 1), (RED, 1, 1)):
        field = b"".join(field_rows(colour, SIDE))
        data = portable_pixmap(field, SIDE, ramp(look, colour, hovered=False, side=SIDE))
        tile = tk.PhotoImage(master=root, data=data, format="PPM")
        place = ("-to", x * SIDE, y * SIDE)
        root.tk.call(str(image), "copy", str(tile), *place)
        for point, level in enumerate(field):
            if level == 0:
                row, column = divmod(point, SIDE)
                at = (x * SIDE + column, y * SIDE + row)
                root.tk.call(str(image), "transparency", "set", *at, True)
    root.iconphoto(True, image)
    # Tk keeps no reference to the picture, Python's would go with this frame.
    root._icon = image  # type: ignore[attr-defined]
