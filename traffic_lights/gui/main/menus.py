"""The menus of the main window, made from the table of commands, and the keys that do the same."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from typing import Any, Final

from traffic_lights.gui.kit.keys import sequences, shown_key
from traffic_lights.gui.kit.smooth import shape_png, strokes
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.commands import Commands, WindowCommand

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
    """The menus of the main window; greying and ticks follow the commands."""

    def __init__(self, root: tk.Tk, commands: Commands, theme: Theme) -> None:
        self._root = root
        self._theme = theme
        self._commands = commands
        self.places: dict[str, tuple[tk.Menu, int]] = {}
        """The menu that has each command, and its index there."""
        self._ticks: dict[str, tk.BooleanVar] = {}
        # Tk's own ticks on X11 are only a few pixels large.
        self._draws_ticks = root.tk.call("tk", "windowingsystem") == "x11"
        self._images = {is_on: tk.PhotoImage(master=root) for is_on in (False, True)}
        bar = tk.Menu(root, tearoff=False)
        for title, names in MENUS.items():
            menu = tk.Menu(bar, tearoff=False)
            bar.add_cascade(label=title, menu=menu, underline=0)
            for name in names:
                if name:
                    self._add(menu, commands.table[name])
                else:
                    menu.add_separator()
        root.configure(menu=bar)
        root.bind("<<ThemeChanged>>", self._retheme, add="+")
        self._draw_ticks()
        for command in commands.table.values():
            for sequence in (s for key in command.keys for s in sequences(key)):
                root.bind(sequence, partial(self._run, command.name))

    def _run(self, name: str, _: object) -> str:
        self._commands.run(name)
        return "break"

    def _add(self, menu: tk.Menu, command: WindowCommand) -> None:
        options: dict[str, Any] = {
            "label": command.label,
            "accelerator": next(map(shown_key, command.keys), ""),
            "command": lambda: self._commands.run(command.name),
        }
        if self._draws_ticks:
            options |= {"image": self._images[False], "compound": tk.LEFT}
        if command.is_on is None:
            menu.add_command(**options)
        else:
            self._ticks[command.name] = options["variable"] = tk.BooleanVar(self._root)
            if self._draws_ticks:
                options |= {"indicatoron": False, "selectimage": self._images[True]}
            menu.add_checkbutton(**options)
        self.places[command.name] = (menu, menu.index(tk.END) or 0)

    def refresh(self) -> None:
        """Grey the entries that do not apply now, and tick the switches that are on."""
        for name, (menu, index) in self.places.items():
            state = tk.DISABLED if self._commands.why_not(name) else tk.NORMAL
            if str(menu.entrycget(index, "state")) != state:
                menu.entryconfigure(index, state=state)
            is_on = self._commands.table[name].is_on
            if is_on is not None:
                self._ticks[name].set(is_on())

    def _retheme(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self._root:
            self._draw_ticks()

    def _draw_ticks(self) -> None:
        size = 2 * self._theme.px(2)
        points = tuple((x * size, y * size) for x, y in _TICK)
        colour = self._theme.colours.text
        data = shape_png(size, size, colour, strokes, points, size * 0.15)
        self._images[False].configure(width=size, height=size)
        self._images[True].configure(data=data)
