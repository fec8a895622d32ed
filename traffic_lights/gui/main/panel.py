"""The panel at the right: what the board shows of every move, the moves, and their verdicts.

It shows what it is given and reports what was clicked; it decides nothing.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.cards import fitted
from traffic_lights.gui.main.presenter import MoveEntry
from traffic_lights.userdata.settings import CHOICES

_JUMP: Final = "jump"
"""The start of the tag of a move; its number in the game follows."""
_LINES: Final = 6
"""The lines that are kept for the text of a move."""


class SidePanel(ttk.Frame):
    """The switch "Show", its legend, the list of moves and the text of the move on the board."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on_show: Callable[[str], object],
        on_jump: Callable[[int], object],
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_jump = on_jump
        self._shown: tuple[tuple[str, str], Sequence[MoveEntry], int] = ("", ""), (), 0
        """The names over the columns, the moves, and the number of the move on the board."""
        self._about = ""
        self.columnconfigure(0, weight=1)
        self.rowconfigure(2, weight=1)
        self._value = tk.StringVar(self)
        switch = ttk.Frame(self)
        switch.grid(row=0, column=0, sticky="ew")
        self._label = ttk.Label(switch, text="Show")
        self._label.grid(row=0, column=0, sticky="w")
        self.switches: dict[str, ttk.Radiobutton] = {}
        for column, (show, text) in enumerate(CHOICES["show"].items(), 1):
            button = self.switches[show] = ttk.Radiobutton(
                switch, text=text, value=show, variable=self._value, style="Switch.Toolbutton",
                command=partial(on_show, show),
            )  # fmt: skip
            button.grid(row=0, column=column, sticky="ew")
            switch.columnconfigure(column, weight=1)
        self.legend = ttk.Label(self, style="Muted.TLabel", justify=tk.LEFT, width=1)
        self.legend.grid(row=1, column=0, sticky="ew")
        frame = ttk.Frame(self, style="Surface.TFrame")
        frame.grid(row=2, column=0, sticky="nsew")
        frame.columnconfigure(0, weight=1)
        frame.rowconfigure(0, weight=1)
        self.moves = tk.Text(
            frame, width=24, height=4, wrap=tk.WORD, cursor="arrow", state=tk.DISABLED, takefocus=1
        )
        self.moves.grid(row=0, column=0, sticky="nsew")
        self._bind_moves()
        self.text = ttk.Label(frame, style="Surface.TLabel", anchor="nw", justify=tk.LEFT, width=1)
        self.text.grid(row=1, column=0, sticky="ew")
        self.bind("<Configure>", self._resized)

    def _bind_moves(self) -> None:
        text = self.moves
        text.bind("<Motion>", self._hovered, add=True)
        text.bind("<Leave>", lambda _: self.text.configure(text=self._about), add=True)
        for key, name in (("Up", "Prior"), ("Left", "Prior"), ("Down", "Next"), ("Right", "Next")):
            send = partial(text.winfo_toplevel().event_generate, f"<{name}>")
            text.bind(f"<{key}>", lambda _, send=send: send() or "break")  # type: ignore[misc]
        # Text has its own bindings for a selection, which would fight the clicks.
        for event in ("<B1-Motion>", "<Double-1>", "<Triple-1>", "<<Selection>>"):
            text.bind(event, lambda _: "break")
        text.bind("<Button-1>", self._clicked, add=True)

    def _number_at(self, event: tk.Event[tk.Misc]) -> int:
        """Return the number of the move under the pointer; 0 if there is none."""
        tags = self.moves.tag_names(f"@{event.x},{event.y}")
        return next((int(t.removeprefix(_JUMP)) for t in tags if t.startswith(_JUMP)), 0)

    def _hovered(self, event: tk.Event[tk.Misc]) -> None:
        number, entries = self._number_at(event), self._shown[1]
        self.text.configure(text=entries[number - 1].about if number else self._about)

    def _clicked(self, event: tk.Event[tk.Misc]) -> None:
        number = self._number_at(event)
        if number:
            self._on_jump(number)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self:
            self._fit_texts()
            self._list_moves()

    def _fit_texts(self) -> None:
        theme, width = self._theme, self.winfo_width()
        space = theme.px(3)
        self.legend.configure(wraplength=max(1, width - theme.px(2)), padding=(0, theme.px(1.5)))
        # A label breaks its lines a few pixels too late.
        self.text.configure(wraplength=max(1, width - 3 * space), padding=space)
        high = _LINES * theme.body.metrics("linespace") + 2 * space
        self.text.master.rowconfigure(1, minsize=min(high, self.winfo_height() // 2))

    def retheme(self) -> None:
        theme, c = self._theme, self._theme.colours
        theme.style.configure(
            "Switch.Toolbutton", padding=(theme.px(1), theme.px(1.5)), anchor="center",
            relief="solid", borderwidth=1, bordercolor=c.border, background=c.raised,
            foreground=c.text, lightcolor=c.raised, darkcolor=c.raised,
        )  # fmt: skip
        theme.style.map(
            "Switch.Toolbutton",
            background=[("selected", c.accent), ("active", c.pressed)],
            foreground=[("selected", c.on_accent)],
            bordercolor=[("focus", c.text)],
            lightcolor=[("focus", c.text), ("selected", c.accent)],
            darkcolor=[("focus", c.text), ("selected", c.accent)],
        )
        self._label.grid_configure(padx=(0, theme.px(2)))
        text = self.moves
        text.configure(
            padx=theme.px(3), pady=theme.px(2), spacing1=theme.px(0.75), spacing3=theme.px(0.75),
            tabs=(theme.px(13), theme.px(35)), selectbackground=c.surface,
            selectforeground=c.text, inactiveselectbackground=c.surface,
        )  # fmt: skip
        text.tag_configure("number", foreground=c.muted)
        text.tag_configure("head", foreground=c.muted, font=theme.strong, wrap=tk.NONE)
        text.tag_configure("back", foreground=c.muted)
        text.tag_configure("current", background=c.accent, foreground=c.on_accent)
        self._fit_texts()
        self._list_moves()

    def show_values(self, show: str, legend: str) -> None:
        self._value.set(show)
        self.legend.configure(text=legend)

    def show_moves(
        self, names: tuple[str, str], entries: Sequence[MoveEntry], current: int, about: str
    ) -> None:
        """List *entries*, the move number *current* marked, and *about* below them."""
        self._about = about
        self.text.configure(text=about)
        if self._shown != (names, entries, current):
            self._shown = names, entries, current
            self._list_moves()

    def _list_moves(self) -> None:
        names, entries, current = self._shown
        text = self.moves
        text.configure(state=tk.NORMAL)
        text.delete("1.0", tk.END)
        for tag in text.tag_names():
            if tag.startswith(_JUMP):
                text.tag_delete(tag)
        text.insert(tk.END, self._heading(names), "head")
        for number, entry in enumerate(entries, 1):
            if entry.seat == 0:
                text.insert(tk.END, f"\n{number}–{number + 1}", "number")
            elif number == 1:
                text.insert(tk.END, "\n1\t…", "number")
            tags = (f"{_JUMP}{number}", *["back"] * entry.is_taken_back)
            text.insert(tk.END, "\t")
            text.insert(tk.END, f" {entry.text} ", (*tags, *["current"] * (number == current)))
        if not entries:
            text.insert(tk.END, "\nNo move yet.", "number")
        text.configure(state=tk.DISABLED)
        text.see("current.first" if 0 < current <= len(entries) else tk.END)

    def _heading(self, names: tuple[str, str]) -> str:
        """Return *names* over their columns, shortened to stand on one line."""
        theme, width = self._theme, self.moves.winfo_width()
        rooms = theme.px(35 - 13 - 1), max(theme.px(21), width - theme.px(6 + 35 + 1))
        pairs = zip(names, rooms, strict=True)
        return "".join(f"\t{fitted(name, theme.strong.measure, room)}" for name, room in pairs)
