"""The list of bots at the left of the Workshop: a tick, a bar for the strength, and the name."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Collection, Mapping
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.model import Act, OnText
from traffic_lights.players.roster import Entry, Group

TICK: Final = 3.25
BAR: Final = 9
GAP: Final = 2
"""The sizes of the tick, of the bar and of the room behind each, in steps of the grid."""
_SECTIONS: Final = {
    "My Bots": (Group.OWN,),
    "Levels": (Group.LEVEL,),
    "Other Players": (Group.BASELINE, Group.LADDER, Group.TABLE),
    "Programs": (Group.PROGRAM,),
}
"""The headings, and which players are under them."""
HEADING: Final = "heading"


class BotList(ttk.Frame):
    """Shows bots under headings.

    *on_choose* is called when a row is chosen, *on_tick* with the key of a row that is ticked.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, on_choose: Act, on_tick: OnText) -> None:
        super().__init__(parent)
        self._theme, self._on_choose, self._on_tick = theme, on_choose, on_tick
        self._rows: dict[str, Entry] = {}
        self._ticks: Mapping[str, str] = {}
        self._images: list[tk.PhotoImage] = []
        """Tk forgets an image that Python lets go."""
        self.chosen = ""
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        tree = self.tree = ttk.Treeview(
            self, show="tree", selectmode="browse", style="Bots.Treeview"
        )
        tree.grid(row=0, column=0, sticky="nsew")
        bar = ttk.Scrollbar(self, orient="vertical", command=tree.yview)
        bar.grid(row=0, column=1, sticky="ns")  # always there, so that nothing moves
        tree.configure(yscrollcommand=bar.set)
        tree.bind("<Configure>", lambda _: self._see_chosen())
        tree.bind("<Button-1>", self._clicked)
        tree.bind("<space>", lambda _: on_tick(self.chosen))
        tree.bind("<Up>", lambda _: self._step(-1))
        tree.bind("<Down>", lambda _: self._step(1))
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def show(self, entries: Collection[Entry], ticks: Mapping[str, str]) -> None:
        """Show *entries* under the headings of their groups.

        *ticks* has the keys of those that can be ticked, with the colour if they are.
        """
        self._ticks = ticks
        self._rows, lines = {}, []
        for title, groups in _SECTIONS.items():
            if part := {entry.key: entry for entry in entries if entry.group in groups}:
                self._rows |= part
                lines += [title, *part]
        if list(self.tree.get_children()) != lines:
            self.tree.delete(*self.tree.get_children())
            for line in lines:
                self.tree.insert("", "end", iid=line, text=line, tags=(HEADING,))
        for key, entry in self._rows.items():
            self.tree.item(key, text=entry.name, tags=("problem",) if entry.problem else ())
        self._draw()
        if self.chosen in self._rows:
            self.tree.selection_set(self.chosen)

    def choose(self, key: str) -> None:
        """Choose the row *key*."""
        self.tree.focus(key)
        self.tree.selection_set(key)
        self.chosen = key
        self._on_choose()
        self._see_chosen()

    def _see_chosen(self) -> None:
        """Scroll to the chosen row; where there is room, the list shows its beginning."""
        if self.chosen in self._rows:
            self.tree.yview_moveto(0)
            self.tree.see(self.chosen)

    def _step(self, steps: int) -> str:
        keys = list(self._rows)
        place = keys.index(self.chosen) + steps
        self.choose(keys[min(max(place, 0), len(keys) - 1)])
        return "break"

    def _clicked(self, event: tk.Event[ttk.Treeview]) -> str:
        key = self.tree.identify_row(event.y)
        self.tree.focus_set()
        if key in self._ticks and event.x < self._theme.px(TICK + 2 * GAP):
            self._on_tick(key)
        elif key in self._rows:
            self.choose(key)
        return "break"  # otherwise Tk would choose a heading

    # --- how it looks ---

    def _dress(self) -> None:
        theme, style = self._theme, self._theme.style
        style.layout("Bots.Treeview", style.layout("Treeview"))
        style.configure("Bots.Treeview", indent=0)
        style.layout(
            "Bots.Treeview.Item",
            [
                ("Treeitem.padding", {"sticky": "nswe", "children": [
                    ("Treeitem.image", {"side": "left", "sticky": ""}),
                    ("Treeitem.text", {"side": "left", "sticky": ""}),
                ]})
            ],
        )  # fmt: skip
        style.configure("Bots.Treeview.Item", padding=(theme.px(1.5), 0))
        self.tree.tag_configure(HEADING, foreground=theme.colours.muted, font=theme.strong)
        self.tree.tag_configure("problem", foreground=theme.colours.disabled)
        self.tree.column("#0", width=theme.px(52), minwidth=theme.px(30))
        self._draw()

    def _draw(self) -> None:
        """Draw the tick and the bar of each row as a picture that is transparent elsewhere."""
        theme, colours = self._theme, self._theme.colours
        side, width, gap = theme.px(TICK), theme.px(BAR), theme.px(GAP)
        line, middle, half = max(1, theme.px(0.25)), side // 2, max(2, theme.px(0.75))
        left, images = side + gap, []
        for key, entry in self._rows.items():
            image = tk.PhotoImage(master=self, width=left + width + gap, height=side)
            ink, track, box = colours.text, colours.border, colours.surface
            if key == self.chosen:
                ink, track, box = colours.on_accent, colours.on_accent, colours.accent
            if key in self._ticks:
                box = self._ticks[key] or box
                image.put(track, to=(0, 0, side, side))
                image.put(box, to=(line, line, side - line, side - line))
            if entry.score is not None:
                image.put(track, to=(left, middle, left + width, middle + line))
                if filled := round(width * entry.score.total):
                    image.put(ink, to=(left, middle - half, left + filled, middle + half))
            self.tree.item(key, image=image)
            images.append(image)
        self._images = images
