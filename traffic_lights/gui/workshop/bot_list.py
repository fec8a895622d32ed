"""The list of all bots at the left of the Workshop."""

import math
import tkinter as tk
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from tkinter import ttk
from typing import Final, Literal, NamedTuple

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.shared import NEW, OnText
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.words import percent
from traffic_lights.training.folder import LOCK, NOTE

SECTIONS: Final = {
    groups[0].value: groups
    for groups in (
        (Group.OWN,), (Group.PROGRAM,), (Group.LEVEL,), (Group.BASELINE,),
        (Group.LADDER, Group.TABLE),
    )
}  # fmt: skip
"""The headings of the list, and which players are under them; the last one is folded at first."""
NAME_ROOM: Final = 32
"""The width of the names and headings, in steps of 4 pixels."""


class BotRow(NamedTuple):
    """What the list shows of one player."""

    entry: Entry
    """Of a bot in training, as it was before that."""
    rate: float | None
    """The share of its games against Myopic that it wins, from 0 to 1, if that is known."""
    is_ticked: bool


class Column(NamedTuple):
    """A column beside the name."""

    about: str
    """What it shows, in a sentence under the list."""
    widest: str
    """The widest text in it."""
    side: Literal["e", "center"]
    text: Callable[[BotRow], str]


COLUMNS: Final = {
    "rate": Column(
        "Wins against Myopic.", "> 99 %", "e",
        lambda row: "" if row.rate is None else percent(row.rate, 0),
    ),
    "tick": Column(
        "Tick to compare.", "☑", "center",
        lambda row: "" if row.entry.key == NEW else "☐☑"[row.is_ticked],
    ),
}  # fmt: skip
LEGEND: Final = "\n".join(column.about for column in COLUMNS.values())


def made_at(entry: Entry) -> float:
    """Return when the bot of *entry* was made; the row of a new one comes before all others."""
    if entry.key == NEW:
        return math.inf
    if entry.own is not None:
        # The lock is made with the first training and never written; an imported bot has none.
        for name in (LOCK, NOTE):
            with suppress(OSError):
                return (entry.own.folder / name).stat().st_mtime
    return 0.0


class BotList(ttk.Treeview):
    """Shows the names of bots under headings, each with its columns.

    A click on a box or Space ticks it; a click on a name chooses the bot.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, on_choose: OnText, on_tick: OnText) -> None:
        super().__init__(parent, columns=[*COLUMNS], show="tree", selectmode="browse")
        self._theme = theme
        self._on_choose = on_choose
        self._on_tick = on_tick
        self.chosen = ""
        """The key of the row that is chosen."""
        for name, column in COLUMNS.items():
            self.column(name, anchor=column.side, stretch=False)
        for number, title in enumerate(SECTIONS, start=1):
            self.insert(
                "", tk.END, title, text=title, tags=("heading",), open=number < len(SECTIONS)
            )
        self.bind("<Button-1>", self._pressed)
        self.bind("<space>", lambda _: on_tick(self.chosen))
        for key, steps in (("Up", -1), ("Down", 1)):
            self.bind(f"<{key}>", partial(self._step, steps))
        self.bind("<<TreeviewSelect>>", lambda _: self._selected())

    def show(self, rows: Sequence[BotRow], colours: Mapping[str, str], chosen: str) -> None:
        """Show *rows* under their headings, the newest first, and which is *chosen*.

        The names of bots whose curves are seen have their *colours*, by key.
        """
        self.chosen = chosen
        theme = self._theme
        self.column("#0", width=theme.px(NAME_ROOM))
        for name, column in COLUMNS.items():
            self.column(name, width=theme.body.measure(column.widest) + theme.side)
        self.configure(height=self.cget("height"))  # Tk then asks for the width of the columns
        self.tag_configure("heading", foreground=theme.colours.muted, font=theme.strong)
        self.tag_configure("problem", foreground=theme.colours.disabled)
        for title, groups in SECTIONS.items():
            self.delete(*self.get_children(title))
            part = [row for row in rows if row.entry.group in groups]
            for row in sorted(part, key=lambda row: made_at(row.entry), reverse=True):
                key = row.entry.key
                tag = "problem" if row.entry.problem else key
                self.tag_configure(key, foreground=colours.get(key, ""))
                self.insert(title, tk.END, key, text=row.entry.name, tags=(tag,))
            self.detach(title) if not part else self.move(title, "", tk.END)
        self.tell(rows)
        self._keep_chosen()
        self.see(chosen)

    def tell(self, rows: Iterable[BotRow]) -> None:
        """Have the texts of *rows*, which are in the list, as they are now."""
        for row in rows:
            self.item(row.entry.key, values=[column.text(row) for column in COLUMNS.values()])

    def _keep_chosen(self) -> None:
        self.selection_set(self.chosen)
        self.focus(self.chosen)

    def _selected(self) -> None:
        for key in self.selection():
            if key in SECTIONS:
                self._keep_chosen()
            elif key != self.chosen:
                self._on_choose(key)

    def _step(self, steps: int, _: object) -> str:
        """Choose the next player or the one before, over the headings; a folded part unfolds."""
        keys = [key for title in self.get_children() for key in self.get_children(title)]
        place = keys.index(self.chosen) + steps
        if 0 <= place < len(keys):
            self._on_choose(keys[place])
        return "break"

    def _pressed(self, click: "tk.Event[tk.Misc]") -> str | None:
        """Tick the player whose box was clicked."""
        key = self.identify_row(click.y)
        column = self.identify_column(click.x)
        if not column or key in ("", NEW, *SECTIONS) or self.column(column, "id") != "tick":
            return None
        self._on_tick(key)
        return "break"
