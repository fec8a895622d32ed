"""The list of bots at the left of the Workshop: a tick, a bar for the strength, and the name."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme

TICK: Final = 3.25
BAR: Final = 9
GAP: Final = 2
"""The sizes of the tick, of the bar and of the room behind each, in steps of the grid."""
HEADING: Final = "heading"


@dataclass(frozen=True, slots=True)
class BotRow:
    """One line of the list."""

    key: str
    name: str
    share: float | None = None
    """The strength from 0 to 1; None if it was not measured."""
    can_tick: bool = False
    """Whether it has a curve that can be laid over another."""
    problem: str = ""


class BotList(ttk.Frame):
    """Shows bots under headings; *on_choose* and *on_tick* are called with the key of a row."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on_choose: Callable[[str], object],
        on_tick: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self._theme, self._on_choose, self._on_tick = theme, on_choose, on_tick
        self._rows: dict[str, BotRow] = {}
        self._colours: Mapping[str, str] = {}
        self._images: dict[str, tk.PhotoImage] = {}
        """Tk forgets an image that Python lets go."""
        self.chosen = ""
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self.tree = ttk.Treeview(self, show="tree", selectmode="browse", style="Bots.Treeview")
        self.tree.grid(row=0, column=0, sticky="nsew")
        bar = ttk.Scrollbar(self, orient="vertical", command=self.tree.yview)
        bar.grid(row=0, column=1, sticky="ns")  # always there, so that nothing moves
        self.tree.configure(yscrollcommand=bar.set)
        self.tree.bind("<<TreeviewSelect>>", lambda _: self._selected())
        self.tree.bind("<Button-1>", self._clicked)
        self.tree.bind("<space>", lambda _: self._tick(self.chosen))
        for event, steps in (("<Up>", -1), ("<Down>", 1)):
            self.tree.bind(event, lambda _, s=steps: self._step(s))  # type: ignore[misc]
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def show(
        self, sections: Sequence[tuple[str, Sequence[BotRow]]], colours: Mapping[str, str]
    ) -> None:
        """Show *sections* of rows; *colours* are those of the lines of the ticked bots, by key."""
        rows = {row.key: row for _, part in sections for row in part}
        self._colours = colours
        wanted = [line for title, part in sections for line in (title, *(row.key for row in part))]
        if list(self.tree.get_children()) != wanted:
            self.tree.delete(*self.tree.get_children())
            for title, part in sections:
                self.tree.insert("", "end", iid=title, text=title, tags=(HEADING,))
                for row in part:
                    self.tree.insert("", "end", iid=row.key)
        self._rows = rows
        for row in rows.values():
            tags = ("problem",) if row.problem else ()
            self.tree.item(row.key, text=row.name, tags=tags)
        self._draw()
        if self.chosen in rows:
            self.tree.selection_set(self.chosen)

    def choose(self, key: str) -> None:
        """Choose the row *key*, or the first if there is no such row."""
        found = key if key in self._rows else next(iter(self._rows), "")
        if found:
            self.tree.see(found)
            self.tree.focus(found)
            self.tree.selection_set(found)
            self._selected()  # Tk would report it later

    def _selected(self) -> None:
        key = next(iter(self.tree.selection()), "")
        if key not in self._rows:  # a heading
            self.tree.selection_set(self.chosen or ())
        elif key != self.chosen:
            before, self.chosen = self.chosen, key
            self._draw(before, key)
            self._on_choose(key)

    def _step(self, steps: int) -> str:
        keys = list(self._rows)
        if keys:
            place = keys.index(self.chosen) + steps if self.chosen in keys else 0
            self.choose(keys[min(max(place, 0), len(keys) - 1)])
        return "break"

    def _clicked(self, event: tk.Event[ttk.Treeview]) -> str | None:
        key = self.tree.identify_row(event.y)
        self.tree.focus_set()
        if key not in self._rows:
            return "break"
        is_on_tick = event.x < self._theme.px(TICK + 2 * GAP)
        return self._tick(key) if is_on_tick and self._rows[key].can_tick else None

    def _tick(self, key: str) -> str:
        if key in self._rows and self._rows[key].can_tick:
            self._on_tick(key)
        return "break"

    # --- how it looks ---

    def _dress(self) -> None:
        theme = self._theme
        colours, style = theme.colours, theme.style
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
        self.tree.tag_configure(HEADING, foreground=colours.muted, font=theme.strong)
        self.tree.tag_configure("problem", foreground=colours.disabled)
        self.tree.column("#0", width=theme.px(52), minwidth=theme.px(30))
        self._draw()

    def _draw(self, *keys: str) -> None:
        """Draw tick and bar of the rows *keys*, by default of all."""
        for key in keys or tuple(self._rows):
            if key in self._rows:
                image = self._images[key] = self._image(self._rows[key])
                self.tree.item(key, image=image)

    def _image(self, row: BotRow) -> tk.PhotoImage:
        """Return the tick and the bar of *row* as a picture that is transparent elsewhere."""
        theme, colours = self._theme, self._theme.colours
        is_chosen = row.key == self.chosen
        ink = colours.on_accent if is_chosen else colours.text
        track = colours.on_accent if is_chosen else colours.border
        side, width, gap = theme.px(TICK), theme.px(BAR), theme.px(GAP)
        line = max(1, theme.px(0.25))
        image = tk.PhotoImage(master=self, width=side + width + 2 * gap, height=side)
        if row.can_tick:
            fill = self._colours.get(row.key, "")
            image.put(track, to=(0, 0, side, side))
            inside = fill or (colours.accent if is_chosen else colours.surface)
            image.put(inside, to=(line, line, side - line, side - line))
        if row.share is not None:
            left, middle, half = side + gap, side // 2, max(2, theme.px(0.75))
            filled = left + round(width * min(max(row.share, 0.0), 1.0))
            image.put(track, to=(left, middle, left + width, middle + line))
            if filled > left:
                image.put(ink, to=(left, middle - half, filled, middle + half))
        return image
