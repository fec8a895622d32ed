"""The menus of the main window, made from the table of commands, and the keys that do the same."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from typing import Final

from traffic_lights.gui.kit.lamps import shape_png, strokes
from traffic_lights.gui.kit.widgets import sequences, shown_key
from traffic_lights.gui.main.commands import Commands
from traffic_lights.gui.main.context import Context

MENUS: Final = {
    "Game": (
        "new_game", "undo", "redo", "", "set_up", "open_game", "save_game", "", "copy", "paste",
        "", "statistics", "", "quit",
    ),
    "Learn": ("hint", "best_play", "learned", "review", "", "bot_plays"),
    "Bots": ("workshop", "train", "evaluate", "add_program"),
    "View": ("appearance", "panel", "full_screen"),
    "Help": ("how_to_play", "keys", "", "data_folder", "shortcut", "", "about"),
}  # fmt: skip
"""The commands of each menu, by name; "" is a line between them."""
_TICK: Final = ((-0.36, 0.04), (-0.1, 0.3), (0.38, -0.28))


def add_menus(context: Context, commands: Commands) -> dict[str, tk.Menu]:
    """Give the main window its menus, and return them by title. Each is filled when it opens."""
    bar, theme = tk.Menu(context.root, tearoff=False), context.theme
    menus: dict[str, tk.Menu] = {}
    pictures: dict[tk.Menu, dict[bool, tk.PhotoImage]] = {}
    """Kept, because Tk opens a menu that has lost a picture without its entries."""

    def fill(menu: tk.Menu, names: tuple[str, ...]) -> None:
        """Grey the entries that do not apply now, and tick the switches that are on."""
        size = 2 * theme.px(2)
        points = tuple((x * size, y * size) for x, y in _TICK)
        tick = shape_png(size, size, theme.colours.text, strokes, points, size * 0.15)
        # Tk's own ticks on X11 are only a few pixels large.
        images = pictures[menu] = {
            True: tk.PhotoImage(master=menu, data=tick),
            False: tk.PhotoImage(master=menu, width=size, height=size),
        }
        menu.delete(0, tk.END)
        for name in names:
            if not name:
                menu.add_separator()
                continue
            command = commands.table[name]
            menu.add_command(
                label=command.label,
                accelerator=next(map(shown_key, command.keys), ""),
                command=partial(commands.run, name),
                state=tk.DISABLED if commands.why_not(name) else tk.NORMAL,
                image=images[command.is_on is not None and command.is_on()],
                compound=tk.LEFT,
            )

    for title, names in MENUS.items():
        menu = menus[title] = tk.Menu(bar, tearoff=False)
        menu.configure(postcommand=partial(fill, menu, names))
        bar.add_cascade(label=title, menu=menu, underline=0)
        fill(menu, names)  # some systems do not open a menu without entries
    context.root.configure(menu=bar)
    return menus


def bind_keys(context: Context, commands: Commands) -> None:
    """Bind the keys of the commands in the main window, and their letters on the board."""

    def run(name: str, _: object = None) -> str:
        commands.run(name)
        return "break"

    for command in commands.table.values():
        for sequence in (s for key in command.keys for s in sequences(key)):
            context.root.bind(sequence, partial(run, command.name))
        if command.letter:
            names = command.letter, command.letter.upper()
            context.board.bind_key(names, partial(run, command.name))
    context.board.bind_key(("Return", "KP_Enter"), commands.return_on_board)
    context.root.bind("<Escape>", lambda _: commands.escape())
