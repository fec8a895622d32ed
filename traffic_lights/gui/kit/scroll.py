"""Frames whose content scrolls where there is no room for it, and fills the room where there is.

What scrolls is never cut off: the mouse wheel, the page keys and the bars reach it, and a
widget that gets the keyboard comes into sight by itself.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from tkinter import ttk
from typing import Final, Literal

from traffic_lights.gui.kit.theme import Theme

Column = tuple[str, str, int, Literal["w", "e"]]
"""A column of a list: its name, heading, least width in steps of the grid, and anchor."""
_OWN_PAGES: Final = ("Treeview", "Text", "Listbox")
"""The kinds of widgets that turn their own pages."""
_OWN_WHEEL: Final = (*_OWN_PAGES, "TCombobox")
"""The kinds of widgets that do something of their own when the wheel turns."""


class HidingBar(ttk.Scrollbar):
    """A scrollbar in a grid that is there only while there is something to scroll."""

    def set(self, first: float | str, last: float | str) -> None:
        """Show which part is seen, from *first* to *last* of 0 to 1; hide if that is all."""
        if float(first) <= 0 and float(last) >= 1:
            self.grid_remove()
        else:
            self.grid()
        super().set(first, last)


class ScrollFrame(ttk.Frame):
    """Shows `inside`, at least as large as *least*, in pixels, and as what it holds asks for.

    With *across* it scrolls sideways too; without, its content gets the width that there is.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        across: bool = False,
        keeps_place: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._across = across
        self.least = (1, 1)
        self._held: tk.Misc | None = None
        """What stays in sight when the content grows, until somebody scrolls."""
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self.canvas = tk.Canvas(self, highlightthickness=0, borderwidth=0, width=1, height=1)
        self.canvas.grid(row=0, column=0, sticky="nsew")
        self._bars = {
            "y": HidingBar(self, orient="vertical", command=partial(self._drag, self.canvas.yview)),
            "x": HidingBar(
                self, orient="horizontal", command=partial(self._drag, self.canvas.xview)
            ),
        }
        self._bars["y"].grid(row=0, column=1, sticky="ns")
        self._bars["x"].grid(row=1, column=0, sticky="ew")
        if keeps_place:  # the bar comes and goes, and nothing moves
            self.columnconfigure(1, minsize=self._bars["y"].winfo_reqwidth())
        self.canvas.configure(
            yscrollcommand=self._bars["y"].set, xscrollcommand=self._bars["x"].set
        )
        # The frame around the content asks for what the content asks for, or for the room that
        # there is, whichever is more; so whatever changes, it hears of it.
        self._around = ttk.Frame(self.canvas)
        self._around.columnconfigure(0, weight=1)
        self._around.rowconfigure(0, weight=1)
        self.inside = ttk.Frame(self._around)
        self.inside.grid(sticky="nsew")
        self._item = self.canvas.create_window(0, 0, window=self._around, anchor="nw")
        self._around.bind("<Configure>", self._resized)
        self.canvas.bind("<Configure>", lambda _: self.fit())
        self.canvas.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()
        top = self.winfo_toplevel()
        top.bind("<FocusIn>", self._focus_moved, add="+")
        for sequence, steps in (("<Button-4>", -2), ("<Button-5>", 2)):
            top.bind(sequence, partial(self._wheel, steps=steps), add="+")
        for sequence, steps in (("<Prior>", -1), ("<Next>", 1)):
            top.bind(sequence, partial(self._page, steps=steps), add="+")
        top.bind(
            "<MouseWheel>", lambda event: self._wheel(event, -1 if event.delta > 0 else 1), add="+"
        )
        with suppress(tk.TclError):  # Tk 8.6 tells of two fingers as of a wheel
            top.bind("<TouchpadScroll>", self.two_fingers, add="+")

    def _dress(self) -> None:
        self.canvas.configure(background=self._theme.colours.window)

    def fit(self) -> None:
        """Give the content the room that there is, or what it needs."""
        width, height = self.canvas.winfo_width(), self.canvas.winfo_height()
        if self._across:
            self._around.columnconfigure(0, minsize=max(width, self.least[0]))
        else:
            self.canvas.itemconfigure(self._item, width=width)
        self._around.rowconfigure(0, minsize=max(height, self.least[1]))

    def ask_for_all(self) -> None:
        """Ask for all the room that the content needs; what there is may be less."""
        width, height = self.inside.winfo_reqwidth(), self.inside.winfo_reqheight()
        self.canvas.configure(width=width, height=height)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        self.canvas.configure(scrollregion=(0, 0, event.width, event.height))
        self.after_idle(self._see_held)  # once what is inside has its place

    def _see_held(self) -> None:
        if self._held is not None and self._held.winfo_exists():
            self.see(self._held)

    def _drag(self, view: Callable[..., object], *to: str) -> None:
        """Scroll as a bar says."""
        self._held = None
        view(*to)

    @property
    def is_scrolling(self) -> bool:
        """Whether there is more of the content, up or down, than can be seen."""
        return tuple(self.canvas.yview()) != (0.0, 1.0)

    def _holds(self, widget: object) -> bool:
        return str(widget).startswith(f"{self.inside}.")

    def _is_free(self, direction: int) -> bool:
        """Whether there is more of the content above (-1) or below (1) what is seen."""
        first, last = self.canvas.yview()
        return first > 0 if direction < 0 else last < 1

    def _wheel(self, event: tk.Event[tk.Misc], steps: int) -> None:
        if _class_of(event.widget) not in _OWN_WHEEL:
            self._scroll(event.widget, steps, "units")

    def _page(self, event: tk.Event[tk.Misc], steps: int) -> None:
        if _class_of(event.widget) not in _OWN_PAGES:
            self._scroll(event.widget, steps, "pages")

    def two_fingers(self, event: tk.Event[tk.Misc]) -> None:
        """Scroll by the pixels that two fingers have moved on a touchpad, under Tk 9.

        The low half of the event's delta is how far down, signed, the high half how far across.
        """
        down = (event.delta & 0xFFFF ^ 0x8000) - 0x8000
        is_free = down and _class_of(event.widget) not in _OWN_WHEEL
        if is_free and self._is_meant(event.widget, -down):
            top = self.canvas.canvasy(0) - down
            self.canvas.yview_moveto(top / max(1, self._around.winfo_height()))

    def _scroll(self, widget: object, steps: int, what: Literal["units", "pages"]) -> None:
        if self._is_meant(widget, steps):
            self.canvas.yview_scroll(steps, what)

    def _is_meant(self, widget: object, direction: int) -> bool:
        """Return whether this is the inmost frame over *widget* that can scroll; let go if so."""
        free = (frame for frame in _frames_over(widget) if frame._is_free(direction))
        is_meant = next(free, None) is self
        self._held = None if is_meant else self._held
        return is_meant

    def _focus_moved(self, event: tk.Event[tk.Misc]) -> None:
        if self._holds(event.widget):
            self._held = event.widget
            self.see(event.widget)

    def see(self, widget: tk.Misc) -> None:
        """Scroll so far that *widget*, somewhere in the content, can be seen."""
        for view, place, size, least, whole, canvas_size in (
            (
                self.canvas.yview_moveto,
                widget.winfo_rooty() - self.inside.winfo_rooty(),
                widget.winfo_height(),
                self.canvas.canvasy(0),
                self.inside.winfo_height(),
                self.canvas.winfo_height(),
            ),
            (
                self.canvas.xview_moveto,
                widget.winfo_rootx() - self.inside.winfo_rootx(),
                widget.winfo_width(),
                self.canvas.canvasx(0),
                self.inside.winfo_width(),
                self.canvas.winfo_width(),
            ),
        ):
            if place < least:
                view(place / max(1, whole))
            elif place + size > least + canvas_size:
                view(min(place, place + size - canvas_size) / max(1, whole))


def _class_of(widget: object) -> str:
    """Return the kind of *widget*; none for one that only Tk knows."""
    return widget.winfo_class() if isinstance(widget, tk.Misc) else ""


def _frames_over(widget: object) -> Iterator[ScrollFrame]:
    """Yield the scrolling frames that hold *widget*, the inmost first."""
    while isinstance(widget, tk.Misc):
        if isinstance(widget, ScrollFrame):
            yield widget
        widget = widget.master


class ScrollList(ttk.Frame):
    """A `list` with *columns*, whose bars show where not all of it fits."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, columns: Sequence[Column], height: int
    ) -> None:
        """Make it *height* lines high; no column is narrower than its heading."""
        super().__init__(parent)
        self._theme = theme
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        names = [name for name, *_ in columns]
        self.list = ttk.Treeview(
            self, columns=names, show="headings", height=height, selectmode="browse"
        )
        for name, heading, width, anchor in columns:
            least = max(theme.px(width), theme.strong.measure(heading) + theme.px(4))
            self.list.heading(name, text=heading, anchor=anchor)
            self.list.column(name, width=least, minwidth=least, anchor=anchor)
        self.list.grid(row=0, column=0, sticky="nsew")
        down = HidingBar(self, orient="vertical", command=self.list.yview)
        down.grid(row=0, column=1, sticky="ns")
        across = HidingBar(self, orient="horizontal", command=self.list.xview)
        across.grid(row=1, column=0, sticky="ew")
        self.list.configure(yscrollcommand=down.set, xscrollcommand=across.set)
        self.list.bind("<FocusIn>", lambda _: choose_first(self.list))
        for key, direction in (("<Left>", -1), ("<Right>", 1)):
            self.list.bind(key, lambda _, d=direction: self._scroll(d))  # type: ignore[misc]

    def _scroll(self, direction: int) -> str:
        # By a quarter of what is seen. A list of levels would open and close a row; none has any.
        first, last = self.list.xview()
        self.list.xview_moveto(first + direction * (last - first) / 4)
        return "break"


def choose_first(rows: ttk.Treeview) -> None:
    """Choose the first of *rows* if none is, or the keys that go up and down would do nothing."""
    if rows.get_children() and not rows.selection():
        first = rows.focus() or rows.get_children()[0]
        rows.focus(first)
        rows.selection_set(first)
