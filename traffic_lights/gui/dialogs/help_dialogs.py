"""How to play, the keys, and what this program is."""

from __future__ import annotations

import platform
import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from tkinter import ttk
from typing import Final

from traffic_lights import __version__
from traffic_lights.board.rules import COLOUR_NAMES
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.keys import shown_key
from traffic_lights.gui.kit.lamps import LampPictures, Tile, draw_sign
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.commands import WindowCommand
from traffic_lights.session import texts

_RULES: Final = (
    "Two players take turns. A move changes one lamp by one step: an empty place becomes green, "
    "green becomes yellow, yellow becomes red. A red lamp stays red.",
    "If you complete three adjacent lamps of one colour in a row, across, down or diagonally, you "
    "win at once. It does not matter who lit the other two.",
    "You may not pass. Every game has a winner after at most 32 moves.",
    "The program knows best play from every position. A hint (F3) comes in three steps. F7 shows "
    "what every move leads to. After the game, Review (F4) goes through your mistakes.",
    texts.MARKS,
)
_BOARD_KEYS: Final = (
    ("Arrow keys", "move the cursor"),
    ("Space, Return", "play the lamp under the cursor"),
    ("b then 2", "play the lamp b2"),
    ("Home, End", "first, last column"),
    ("N, U, R, H", "New Game, Undo, Redo, Hint"),
    ("Escape", "one step back: out of a review, a set-up, a look back"),
    ("Tab", "to the buttons and the panel"),
)


def how_to_play(root: tk.Tk, theme: Theme, on_close: Callable[[], None]) -> Dialog:
    """Show the rules on one page, with the way a lamp goes."""
    dialog = Dialog(root, theme, "How to Play", on_close)
    page = dialog.add_page()
    ttk.Label(page, text="Three in a row win", style="Title.TLabel").grid(sticky="w")
    _way_of_a_lamp(page, theme).grid(sticky="w", pady=theme.px(3))
    for paragraph in _RULES:
        label = ttk.Label(page, text=paragraph, wraplength=theme.px(112), justify=tk.LEFT)
        label.grid(sticky="w", pady=(0, theme.px(2)))
    dialog.appear_with_close()
    return dialog


def _way_of_a_lamp(parent: tk.Misc, theme: Theme) -> tk.Canvas:
    side, gap, words = theme.px(21), theme.px(7), theme.px(5)
    colours = theme.colours
    canvas = tk.Canvas(parent, width=4 * side + 3 * gap, height=side + words)
    canvas.configure(background=colours.window, highlightthickness=0)
    look = theme.look(letters=True, coordinates=False)

    def draw() -> None:
        canvas.delete(tk.ALL)
        y = side / 2
        for colour, name in enumerate(COLOUR_NAMES):
            x = colour * (side + gap) + side / 2
            tile = Tile(colour)
            canvas.create_image(x, y, image=lamps.get(tile, side, look))
            draw_sign(canvas, look, tile, x, y, side)
            canvas.create_text(x, y + side / 2 + words / 2, text=name, font=theme.body,
                               fill=colours.muted)  # fmt: skip
            if colour:
                start = x - side / 2 - gap
                canvas.create_line(start + gap * 0.1, y, start + gap * 0.9, y, arrow=tk.LAST,
                                   fill=colours.muted, width=max(2, theme.px(0.5)))  # fmt: skip

    lamps = LampPictures(canvas, draw)
    draw()
    return canvas


def keys(
    root: tk.Tk, theme: Theme, on_close: Callable[[], None], commands: Mapping[str, WindowCommand]
) -> Dialog:
    """Show every key: those of the board, and those of *commands* as they are bound."""
    dialog = Dialog(root, theme, "Keys", on_close)
    columns = ttk.Frame(dialog.add_page())
    columns.grid(sticky="nw")
    menu_rows = [
        (", ".join(shown_key((key,)) for key in command.keys), command.label)
        for command in commands.values()
        if command.keys
    ]
    split = (len(menu_rows) - len(_BOARD_KEYS)) // 2 - 1
    rows_of = (
        (("On the board", _BOARD_KEYS), ("Everywhere", menu_rows[:split])),
        (("", menu_rows[split:]),),
    )
    for column, sections in enumerate(rows_of):
        frame = ttk.Frame(columns)
        frame.grid(row=0, column=column, sticky="nw", padx=(theme.px(5 * column), 0))
        for title, rows in sections:
            _key_section(frame, theme, title, rows)
    dialog.appear_with_close()
    return dialog


def _key_section(
    frame: ttk.Frame, theme: Theme, title: str, rows: Sequence[tuple[str, str]]
) -> None:
    above = theme.px(3) if frame.grid_size()[1] else 0
    ttk.Label(frame, text=title, style="Title.TLabel").grid(
        columnspan=2, sticky="w", pady=(above, theme.px(2))
    )
    for key, meaning in rows:
        row = frame.grid_size()[1]
        ttk.Label(frame, text=key, style="Strong.TLabel").grid(
            row=row, column=0, sticky="nw", padx=(0, theme.px(3)), pady=theme.px(0.25)
        )
        ttk.Label(frame, text=meaning, wraplength=theme.px(62)).grid(row=row, column=1, sticky="w")


def about(root: tk.Tk, theme: Theme, on_close: Callable[[], None]) -> Dialog:
    """Show what this program is and what it runs on."""
    dialog = Dialog(root, theme, "About Traffic Lights", on_close)
    tk_version = root.tk.call("info", "patchlevel")
    for text, style in (
        ("Traffic Lights", "Title.TLabel"),
        (f"Version {__version__}", "Strong.TLabel"),
        (
            "Alan Parr's game for two on a board of three rows and four columns. A bot has learned "
            "it, and a solver knows the best moves of every position.",
            "TLabel",
        ),
        ("Free software under the MIT licence.", "TLabel"),
        (f"Python {platform.python_version()}, Tk {tk_version}", "Muted.TLabel"),
    ):
        label = ttk.Label(dialog.body, text=text, style=style)
        label.configure(wraplength=theme.px(95), justify=tk.LEFT)
        label.grid(sticky="w", pady=(0, theme.px(2)))
    dialog.appear_with_close()
    return dialog


def last_lines(root: tk.Tk, theme: Theme, name: str, lines: Sequence[str]) -> Dialog:
    """Show what the external bot *name* has written last."""
    dialog = Dialog(root, theme, f"Last Lines of {name}")
    text = "\n".join(lines) or f"{name} has written nothing."
    ttk.Label(dialog.add_page(), text=text, font=theme.fixed).grid(sticky="w")
    dialog.appear_with_close()
    return dialog
