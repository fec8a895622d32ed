"""The list of all bots at the left of the Workshop, and in the lists that tick players."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Collection, Container, Mapping
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.words import fitted
from traffic_lights.workshop.shared import OnText

TICK: Final = 3.25
"""The side of the box for a tick, in steps of the grid."""
BAR: Final = 9
"""The length of the bar for the strength, in steps of the grid."""
GAP: Final = 2
"""The room behind each of them, in steps of the grid."""
BESIDE_NAME: Final = 26
"""The room for the box, the bar and the edges of a row, in steps of the grid."""
WIDTH: Final = 56
"""The width of a list that does not show all names whole, in steps of the grid."""
SECTIONS: Final = {
    Group.OWN.value: (Group.OWN,),
    Group.LEVEL.value: (Group.LEVEL,),
    Group.LADDER.value: (Group.BASELINE, Group.LADDER, Group.TABLE),
    Group.PROGRAM.value: (Group.PROGRAM,),
}
"""The headings of the list, and which players are under them."""


class BotList(ttk.Treeview):
    """Shows bots under headings: a box for a tick, a bar for the strength, and the name.

    A click on a box ticks it, and one on a name chooses the bot; if the list *only_ticks*, each
    click does both.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on_choose: OnText,
        on_tick: OnText,
        *,
        only_ticks: bool = False,
    ) -> None:
        super().__init__(parent, show="tree", selectmode="browse", style="Bots.Treeview")
        self._theme = theme
        self._on_choose = on_choose
        self._on_tick = on_tick
        self._only_ticks = only_ticks
        self._rows: dict[str, Entry] = {}
        self._boxes: Mapping[str, str] = {}
        self._ticked: Container[str] = ()
        self._images: list[tk.PhotoImage] = []
        """Tk forgets an image that Python lets go."""
        self.chosen = ""
        """The key of the row that is chosen."""
        # Pictures must be deleted in the thread of Tk, which runs this.
        self.bind("<Destroy>", lambda _: self._images.clear())
        self.bind("<Configure>", lambda _: self._see_chosen())
        self.bind("<Button-1>", self._clicked)
        self.bind("<space>", lambda _: on_tick(self.chosen))
        self.bind("<Up>", lambda _: self._step(-1))
        self.bind("<Down>", lambda _: self._step(1))
        self.bind("<Home>", lambda _: self._step(-len(self._rows)))
        self.bind("<End>", lambda _: self._step(len(self._rows)))

    def show(
        self,
        entries: Collection[Entry],
        boxes: Mapping[str, str],
        ticked: Container[str],
        chosen: str = "",
        *,
        has_whole_names: bool = False,
    ) -> None:
        """Show *entries* under the headings of their groups, and one *chosen*, or the first.

        *boxes* has the keys of those that have a box, with its colour if it has one; those of the
        players *ticked* have a tick. A long name
        loses its middle, so that its end can be read, unless the list is as wide as all names.
        """
        colours = self._theme.colours
        theme = self._theme
        self.tag_configure("heading", foreground=colours.muted, font=theme.strong)
        self.tag_configure("problem", foreground=colours.disabled)
        measure = theme.body.measure
        beside = theme.px(BESIDE_NAME)
        width = theme.px(WIDTH)
        if has_whole_names:
            width = beside + max(measure(entry.name) for entry in entries)
        self.column("#0", width=width, minwidth=theme.px(30))
        self._boxes = boxes
        self._ticked = ticked
        self._rows = {}
        lines = list[str]()
        for title, groups in SECTIONS.items():
            if part := {entry.key: entry for entry in entries if entry.group in groups}:
                self._rows |= part
                lines += [title, *part]
        before = self.chosen
        self.chosen = chosen or next(iter(self._rows))
        if list(self.get_children()) != lines:
            self.delete(*self.get_children())
            for line in lines:
                self.insert("", "end", iid=line, text=line, tags=("heading",))
        self._images = [self._draw(entry) for entry in self._rows.values()]
        for image, (key, entry) in zip(self._images, self._rows.items(), strict=True):
            tags = ("problem",) if entry.problem else ()
            name = fitted(entry.name, measure, width - beside, keeps_end=True)
            self.item(key, text=name, image=image, tags=tags)
        self.selection_set(self.chosen)
        if self.chosen != before:
            self.see(self.chosen)

    def _draw(self, entry: Entry) -> tk.PhotoImage:
        """Draw the box and the bar of *entry*, transparent elsewhere."""
        theme = self._theme
        colours = self._theme.colours
        side = theme.px(TICK)
        width = theme.px(BAR)
        gap = theme.px(GAP)
        line = max(1, theme.px(0.25))
        middle = side // 2
        half = max(2, theme.px(0.75))
        left = side + gap
        image = tk.PhotoImage(master=self, width=left + width + gap, height=side)
        ink = colours.text
        track = colours.border
        if entry.key == self.chosen:
            ink = colours.on_accent
            track = colours.on_accent
        if entry.key in self._boxes:
            draw_tick_box(
                image, theme, self._boxes[entry.key],
                is_ticked=entry.key in self._ticked, is_chosen=entry.key == self.chosen,
            )  # fmt: skip
        if entry.rate is not None:
            image.put(track, to=(left, middle, left + width, middle + line))
            if filled := round(width * entry.rate):
                image.put(ink, to=(left, middle - half, left + filled, middle + half))
        return image

    def _see_chosen(self) -> None:
        """Show the beginning of the list, but rather the chosen row where both do not fit."""
        self.yview_moveto(0)
        self.after_idle(lambda: self.see(self.chosen))  # once Tk knows which rows that shows

    def _step(self, steps: int) -> str:
        keys = list(self._rows)
        place = keys.index(self.chosen) + steps
        self._on_choose(keys[min(max(place, 0), len(keys) - 1)])
        return "break"

    def _clicked(self, click: tk.Event[tk.Misc]) -> str:
        self.press(click.x, click.y)
        return "break"  # otherwise Tk would choose a heading

    def press(self, x: int, y: int) -> bool:
        """Tick or choose the player at a point; return whether one was chosen."""
        key = self.identify_row(y)
        self.focus_set()
        if self._only_ticks and key in self._rows:
            self._on_choose(key)
            self._on_tick(key)
            return True
        if key in self._boxes and x < self._theme.px(TICK + 2 * GAP):
            self._on_tick(key)
            return False
        if key in self._rows:
            self._on_choose(key)
            return True
        return False


def draw_tick_box(
    image: tk.PhotoImage, theme: Theme, colour: str, *, is_ticked: bool, is_chosen: bool
) -> None:
    """Draw a box at the left of *image* in *colour*, or an empty one, and perhaps a tick in it.

    The row of the box has the colour of the selection if it *is_chosen*.
    """
    colours = theme.colours
    side = theme.px(TICK)
    line = max(1, theme.px(0.25))
    edge = colours.on_accent if is_chosen else colours.border
    empty = colours.accent if is_chosen else colours.surface
    image.put(edge, to=(0, 0, side, side))
    image.put(colour or empty, to=(line, line, side - line, side - line))
    if not is_ticked:
        return
    thick = max(2, round(0.17 * side))
    for column in range(round(0.2 * side), round(0.8 * side)):
        # The tick falls to the right for a third of its way, and then rises.
        row = round(0.72 * side - abs(column - 0.42 * side))
        image.put(colours.surface, to=(column, row - thick + 1, column + 1, row + 1))
