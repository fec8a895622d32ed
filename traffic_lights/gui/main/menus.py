"""The menus as data: what each item is called, what it does, which keys do the same.

`build_menu` makes them and binds the keys; a test walks the same data.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from traffic_lights.gui.kit.keys import sequences, shown_key
from traffic_lights.gui.kit.palette import LAMPS, THEMES
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.menu_marks import MenuMarks


@dataclass(frozen=True, slots=True)
class Item:
    """A menu item that does something."""

    label: str
    command: str
    """The name under which the program offers what it does."""
    keys: tuple[str, ...] = ()
    """``Ctrl+Shift+N`` or ``F2``; the first is shown."""


@dataclass(frozen=True, slots=True)
class Check:
    """A menu item that is on or off."""

    label: str
    variable: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A submenu of which one item is chosen: pairs of value and label."""

    label: str
    variable: str
    options: tuple[tuple[str, str], ...] = ()
    """Empty: filled by the program when it knows them."""


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """One of the options of a choice that the program fills."""

    value: str
    label: str
    is_enabled: bool = True
    aside: str = ""
    """Stands in a second column."""
    heading: str = ""
    """Stands above it, and above those that follow."""


SEPARATOR: Final = None
MenuEntry = Item | Check | Choice | None

SPEEDS: Final = (("instant", "Instant"), ("quick", "Quick"), ("normal", "Normal"), ("slow", "Slow"))

MENUS: Final[tuple[tuple[str, tuple[MenuEntry, ...]], ...]] = (
    (
        "Game",
        (
            Item("New Game", "new_game", ("Ctrl+N", "F2")),
            Item("Players…", "new_game_dialog", ("Ctrl+Shift+N",)),
            SEPARATOR,
            Item("Open…", "open_game", ("Ctrl+O",)),
            Item("Save As…", "save_game", ("Ctrl+S",)),
            SEPARATOR,
            Item("Copy Game", "copy_game", ("Ctrl+C",)),
            Item("Copy Position", "copy_position", ("Ctrl+Shift+C",)),
            Item("Paste", "paste", ("Ctrl+V",)),
            SEPARATOR,
            Item("Set Up Position…", "set_up"),
            Item("Statistics…", "statistics"),
            SEPARATOR,
            Item("Quit", "quit", ("Ctrl+Q",)),
        ),
    ),
    (
        "Move",
        (
            Item("Undo", "undo", ("Ctrl+Z",)),
            Item("Redo", "redo", ("Ctrl+Y", "Ctrl+Shift+Z")),
            SEPARATOR,
            Item("First", "go_first", ("Ctrl+Home",)),
            Item("Previous", "go_previous", ("PageUp",)),
            Item("Next", "go_next", ("PageDown",)),
            Item("Last", "go_last", ("Ctrl+End",)),
            SEPARATOR,
            Item("Bot Plays for Me", "bot_plays", ("Ctrl+B",)),
        ),
    ),
    (
        "Advice",
        (
            Item("Hint", "hint", ("F3",)),
            Check("Value of Every Move", "values", ("F7",)),
            Check("What the Bot Has Learned", "beliefs", ("F8",)),
            Check("Tell Me After Each Move", "tell_me"),
            SEPARATOR,
            Item("Review Mistakes", "review", ("F4",)),
            Item("Next Mistake", "next_mistake", ("F6",)),
            Item("Previous Mistake", "previous_mistake", ("Shift+F6",)),
        ),
    ),
    (
        "Bot",
        (
            Choice("Opponent", "opponent"),
            Choice("Speed", "speed", SPEEDS),
            Item("Pause", "pause", ("Ctrl+P",)),
            Item("Step", "step", ("F5",)),
            Item("Play", "resume", ("Ctrl+Shift+P",)),
            Item("Next Speed", "speed", ("Shift+F5",)),
            SEPARATOR,
            Item("Train…", "train", ("Ctrl+T",)),
            Item("Evaluate…", "evaluate", ("Ctrl+E",)),
            Item("Add a Program…", "add_program"),
        ),
    ),
    (
        "View",
        (
            Choice(
                "Theme",
                "theme",
                (("system", "System"), *((name, c.title) for name, c in THEMES.items())),
            ),
            Choice("Lamps", "lamps", tuple((name, lamps.title) for name, lamps in LAMPS.items())),
            Check("Letters", "letters"),
            Check("Coordinates", "coordinates"),
            Check("Side Panel", "side_panel", ("F9",)),
            SEPARATOR,
            Item("Larger", "larger", ("Ctrl++", "Ctrl+=")),
            Item("Smaller", "smaller", ("Ctrl+-",)),
            Item("Normal Size", "normal_size", ("Ctrl+0",)),
            SEPARATOR,
            Check("Animations", "animations"),
            Check("Full Screen", "full_screen", ("F11",)),
        ),
    ),
    (
        "Help",
        (
            Item("How to Play", "how_to_play", ("F1",)),
            Item("Keys", "keys"),
            SEPARATOR,
            Item("Open Data Folder", "open_data_folder"),
            Item("Create Shortcut…", "create_shortcut"),
            SEPARATOR,
            Item("About", "about"),
        ),
    ),
)


class MenuBar:
    """The menus of the main window, and the keys that do the same."""

    def __init__(
        self,
        root: tk.Tk,
        commands: Mapping[str, Callable[[], object]],
        variables: Mapping[str, Any],
        on_variable: Callable[[str], None],
        theme: Theme,
    ) -> None:
        self._root = root
        self._marks = MenuMarks(root, theme)
        self._variables = variables
        self._on_variable = on_variable
        self.bar = tk.Menu(root, tearoff=False)
        self.submenus: dict[str, tk.Menu] = {}
        self._places: dict[str, tuple[tk.Menu, int]] = {}
        for title, entries in MENUS:
            menu = tk.Menu(self.bar, tearoff=False)
            self.bar.add_cascade(label=title, menu=menu, underline=0)
            for entry in entries:
                self._add(menu, entry, commands)
            self.submenus[title] = menu
        root.configure(menu=self.bar)

    def _add(
        self, menu: tk.Menu, entry: MenuEntry, commands: Mapping[str, Callable[[], object]]
    ) -> None:
        if entry is None:
            menu.add_separator()
        elif isinstance(entry, Item):

            def command() -> object:
                return commands[entry.command]()

            keys = shown_key(entry.keys)
            menu.add_command(
                label=entry.label, command=command, accelerator=keys, **self._marks.options()
            )
            self._places[entry.command] = (menu, menu.index(tk.END) or 0)
            self._bind(entry.keys, command)
        elif isinstance(entry, Check):
            variable = self._variables[entry.variable]
            menu.add_checkbutton(
                label=entry.label,
                variable=variable,
                accelerator=shown_key(entry.keys),
                command=lambda: self._on_variable(entry.variable),
                **self._marks.options("tick"),
            )
            self._bind(entry.keys, lambda: self._toggle(entry.variable))
        else:
            submenu = tk.Menu(menu, tearoff=False)
            menu.add_cascade(label=entry.label, menu=submenu, **self._marks.options())
            self.submenus[entry.label] = submenu
            self.fill(entry.label, entry.variable, [MenuChoice(*pair) for pair in entry.options])

    def fill(self, label: str, variable: str, choices: Sequence[MenuChoice]) -> None:
        """Fill the submenu *label* with the *choices* of *variable*."""
        submenu = self.submenus[label]
        submenu.delete(0, tk.END)
        for choice in choices:
            if choice.heading:
                submenu.add_separator()
                submenu.add_command(
                    label=choice.heading, state=tk.DISABLED, **self._marks.options()
                )
            submenu.add_radiobutton(
                label=choice.label,
                value=choice.value,
                variable=self._variables[variable],
                command=lambda: self._on_variable(variable),
                accelerator=choice.aside,
                state=tk.NORMAL if choice.is_enabled else tk.DISABLED,
                **self._marks.options("dot"),
            )

    def place_of(self, command: str) -> tuple[tk.Menu, int]:
        """Return the menu that has the item of *command*, and its index there."""
        return self._places[command]

    def enable(self, command: str, is_enabled: bool) -> None:
        """Allow or grey the item of *command*; its keys ask for themselves."""
        menu, index = self._places[command]
        menu.entryconfigure(index, state=tk.NORMAL if is_enabled else tk.DISABLED)

    def _toggle(self, variable: str) -> None:
        self._variables[variable].set(not self._variables[variable].get())
        self._on_variable(variable)

    def _bind(self, keys: Sequence[str], command: Callable[[], object]) -> None:
        def act(_: tk.Event[tk.Misc]) -> str:
            command()
            return "break"

        for key in keys:
            for sequence in sequences(key):
                self._root.bind(sequence, act)
