"""The buttons under the board: each has its own place, in every state of the game.

A place belongs to buttons that mean alike: a new game, back, forward, help,
review, and whatever goes on by itself. So nothing jumps, and a button that is
clicked twice does not meet another that does something else.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme

_BUTTONS: Final = (
    ("new_game", "New game", 0),
    ("play_again", "Play again", 0),
    ("finish_setup", "Start here", 0),
    ("undo", "Undo", 1),
    ("go_previous", "Back", 1),
    ("previous_mistake", "Back", 1),
    ("redo", "Redo", 2),
    ("go_next", "Next", 2),
    ("next_mistake", "Next", 2),
    ("hint", "Hint", 3),
    ("step", "Step", 3),
    ("reveal", "Show", 3),
    ("clear_setup", "Empty", 3),
    ("review", "Review", 4),
    ("speed", "Speed", 4),
    ("leave", "Done", 4),
    ("cancel_setup", "Cancel", 4),
    ("why", "Why?", 5),
    ("pause", "Pause", 5),
    ("resume", "Play", 5),
    ("harder", "Harder", 5),
    ("easier", "Easier", 5),
)
"""The command of each button, its text, and its place from the left."""
_MAIN: Final = {"play_again", "finish_setup", "resume"}
PLACES: Final = 1 + max(place for _, _, place in _BUTTONS)


class ButtonRow(ttk.Frame):
    """The row of buttons; *say* is told why the greyed one under the pointer means nothing."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        commands: Mapping[str, Callable[[], object]],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._say = say
        self._shown: tuple[str, ...] = ()
        self._arranged: object = None
        self._reasons: Mapping[str, str] = {}
        self.buttons: dict[str, ttk.Button] = {}
        self._places = {name: place for name, _, place in _BUTTONS}
        for name, text, _ in _BUTTONS:
            button = ttk.Button(self, text=text, command=commands[name])
            button.bind("<Return>", lambda _, b=button: b.invoke())  # type: ignore[misc]
            for event in ("<Enter>", "<Button-1>"):
                button.bind(event, partial(self._explain, name), add=True)
            button.bind("<Leave>", lambda _: self._say(""), add=True)
            self.buttons[name] = button

    def _explain(self, name: str, _: object) -> None:
        reason = self._reasons.get(name)
        if reason:
            self._say(reason)

    def show(self, names: tuple[str, ...], greyed: Mapping[str, str]) -> list[ttk.Button]:
        """Show the buttons *names*, those of *greyed* disabled; return the hidden ones."""
        self._reasons = greyed
        if names != self._shown:
            self._shown = names
            for name, button in self.buttons.items():
                if name in names:
                    button.grid(row=0, column=self._places[name], sticky="ew")
                else:
                    button.grid_remove()
        for name in names:
            state = tk.DISABLED if name in greyed else tk.NORMAL
            self.buttons[name].configure(state=state)
        return [button for name, button in self.buttons.items() if name not in names]

    def arrange(self, room: int) -> None:
        """Give each place the width of its widest button; with less padding if *room* is short."""
        arranged = room, self._theme.name, self._theme.scale
        if arranged == self._arranged:
            return
        self._arranged = arranged
        gap = self._theme.px(2)
        for prefix in ("", "Tight."):
            for name, button in self.buttons.items():
                kind = "Accent.TButton" if name in _MAIN else "TButton"
                button.configure(style=prefix + kind)
            widths = [self._width(place) for place in range(PLACES)]
            if sum(widths) + gap * PLACES <= room:
                break
            gap = self._theme.px(1)
        # The main button is the highest: the board must not jump when it comes or goes.
        high = max(button.winfo_reqheight() for button in self.buttons.values())
        self.rowconfigure(0, minsize=high)
        for place, width in enumerate(widths):
            self.columnconfigure(place, minsize=width + gap)
        for name, button in self.buttons.items():
            shown = button.grid_info()
            button.grid(row=0, column=self._places[name], padx=(0, gap), sticky="ew")
            if not shown:
                button.grid_remove()

    def _width(self, place: int) -> int:
        mine = [b for name, b in self.buttons.items() if self._places[name] == place]
        return max(button.winfo_reqwidth() for button in mine)
