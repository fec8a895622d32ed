"""The menus of the main window, made from the table of commands, and the keys that do the same."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from typing import Final

from traffic_lights.gui.kit.keys import sequences, shown_key
from traffic_lights.gui.kit.smooth import shape_png, strokes
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.commands import Commands

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


class MenuBar:
    """The menus of the main window. Each is filled when it opens."""

    def __init__(self, root: tk.Tk, commands: Commands, theme: Theme) -> None:
        self._commands = commands
        self._theme = theme
        self.menus: dict[str, tk.Menu] = {}
        self._images: dict[tk.Menu, dict[bool, tk.PhotoImage]] = {}
        bar = tk.Menu(root, tearoff=False)
        for title, names in MENUS.items():
            menu = self.menus[title] = tk.Menu(bar, tearoff=False)
            menu.configure(postcommand=partial(self._fill, menu, names))
            bar.add_cascade(label=title, menu=menu, underline=0)
            self._fill(menu, names)  # some systems do not open a menu without entries
        root.configure(menu=bar)
        for command in commands.table.values():
            for sequence in (s for key in command.keys for s in sequences(key)):
                root.bind(sequence, partial(self._run, command.name))

    def _run(self, name: str, _: object) -> str:
        self._commands.run(name)
        return "break"

    def _fill(self, menu: tk.Menu, names: tuple[str, ...]) -> None:
        """Grey the entries that do not apply now, and tick the switches that are on."""
        commands, size = self._commands, 2 * self._theme.px(2)
        points = tuple((x * size, y * size) for x, y in _TICK)
        tick = shape_png(size, size, self._theme.colours.text, strokes, points, size * 0.15)
        # Tk's own ticks on X11 are only a few pixels large.
        images = self._images[menu] = {
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
