"""Frames and lists whose content scrolls where there is not enough room for it.

The mouse wheel, the page keys and the bars reach everything, and a widget that gets the keyboard
focus scrolls into sight. The bars always have their room: no layout depends on whether one is
needed, because then a layout could go back and forth for ever.
"""

from __future__ import annotations

import tkinter as tk
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from tkinter import ttk
from typing import Final, Literal

from traffic_lights.gui.kit.theme import Theme

Column = tuple[str, str, int, Literal["w", "e"]]
"""A column of a list: its name, heading, least width in steps of the grid, and anchor."""
_OWN_PAGES: Final = ("Treeview", "Text", "Listbox")
"""The classes of widgets that handle the page keys and the mouse wheel themselves."""
_BOUND: Final = weakref.WeakSet[tk.Misc]()
"""The roots whose wheel, page keys and focus are handled."""


class ScrollFrame(ttk.Frame):
    """Shows `inside`, which is at least as large as *least* pixels and as what it holds needs.

    The frame itself asks for next to nothing; its parent gives it the room that there is. With
    *across* it scrolls sideways too; without, its content gets the frame's width.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, across: bool = False) -> None:
        # Tk would see no reason to lay out a request of 1×1, because every window starts as that.
        super().__init__(parent, width=2, height=2)
        self.grid_propagate(False)
        self._theme = theme
        self._across = across
        self.least = (1, 1)
        self._held: tk.Misc | None = None
        """What stays in sight when the content grows, until the user scrolls."""
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self.canvas = tk.Canvas(self, highlightthickness=0, borderwidth=0, width=1, height=1)
        self.canvas.grid(row=0, column=0, sticky="nsew")
        self._bar = ttk.Scrollbar(self, command=partial(self._drag, self.canvas.yview))
        self._bar.grid(row=0, column=1, sticky="ns")
        self.canvas.configure(yscrollcommand=self._bar.set)
        if across:
            below = ttk.Scrollbar(
                self, orient="horizontal", command=partial(self._drag, self.canvas.xview)
            )
            below.grid(row=1, column=0, sticky="ew")
            self.canvas.configure(xscrollcommand=below.set)
        # The frame around the content is as large as the content needs or as the room that there
        # is, whichever is more. So it hears of every change of either.
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
        _bind_scrolling(self.winfo_toplevel().nametowidget("."))

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
        """Ask the parent for all the room that the content needs now."""
        bar = self._bar.winfo_reqwidth()
        self.configure(
            width=self.inside.winfo_reqwidth() + bar,
            height=self.inside.winfo_reqheight() + (bar if self._across else 0),
        )

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        self.canvas.configure(scrollregion=(0, 0, event.width, event.height))
        self.after_idle(self._see_held)  # once what is inside has its place

    def _see_held(self) -> None:
        if self._held is not None and self._held.winfo_exists():
            self.see(self._held)

    def _drag(self, view: Callable[..., object], *to: str) -> None:
        self._held = None
        view(*to)

    @property
    def is_scrolling(self) -> bool:
        """Whether there is more of the content, up or down, than can be seen."""
        return tuple(self.canvas.yview()) != (0.0, 1.0)

    def is_free(self, direction: int) -> bool:
        """Return whether there is more of the content above (-1) or below (1) what is seen."""
        first, last = self.canvas.yview()
        return first > 0 if direction < 0 else last < 1

    def scroll(self, steps: int, what: Literal["units", "pages", "pixels"]) -> None:
        """Scroll down by *steps*, or up if negative."""
        self._held = None
        if what == "pixels":
            top = self.canvas.canvasy(0) + steps
            self.canvas.yview_moveto(top / max(1, self._around.winfo_height()))
        else:
            self.canvas.yview_scroll(steps, what)

    def hold(self, widget: tk.Misc) -> None:
        """Keep *widget*, which is inside, in sight until the user scrolls."""
        self._held = widget
        self.see(widget)

    def see(self, widget: tk.Misc) -> None:
        """Scroll so far that *widget*, which is inside, can be seen."""
        inside, canvas = self.inside, self.canvas
        down = widget.winfo_rooty() - inside.winfo_rooty(), widget.winfo_height()
        right = widget.winfo_rootx() - inside.winfo_rootx(), widget.winfo_width()
        room = canvas.winfo_width(), canvas.winfo_height()
        for move, (place, size), first, whole, seen in (
            (canvas.yview_moveto, down, canvas.canvasy(0), inside.winfo_height(), room[1]),
            (canvas.xview_moveto, right, canvas.canvasx(0), inside.winfo_width(), room[0]),
        ):
            if place < first:
                move(place / max(1, whole))
            elif place + size > first + seen:
                move(min(place, place + size - seen) / max(1, whole))


def _bind_scrolling(root: tk.Misc) -> None:
    """Let the wheel, the page keys and the focus scroll every frame under *root*."""
    if root in _BOUND:
        return
    _BOUND.add(root)
    root.bind_all("<FocusIn>", _focus_moved, add="+")
    for sequence, steps in (("<Button-4>", -2), ("<Button-5>", 2)):
        root.bind_all(sequence, partial(_scroll, steps=steps, what="units"), add="+")
    for sequence, steps in (("<Prior>", -1), ("<Next>", 1)):
        root.bind_all(sequence, partial(_scroll, steps=steps, what="pages"), add="+")

    def turned(event: tk.Event[tk.Misc]) -> None:
        _scroll(event, -1 if event.delta > 0 else 1, "units")

    root.bind_all("<MouseWheel>", turned, add="+")
    with suppress(tk.TclError):  # Tk 8.6 reports two fingers as a wheel
        root.bind_all("<TouchpadScroll>", two_fingers, add="+")


def _scroll(
    event: tk.Event[tk.Misc], steps: int, what: Literal["units", "pages", "pixels"]
) -> None:
    """Scroll the inmost frame over the event's widget that can go further."""
    widget = event.widget
    handled = _OWN_PAGES if what == "pages" else (*_OWN_PAGES, "TCombobox")
    if isinstance(widget, tk.Misc) and widget.winfo_class() not in handled:
        frame = next((f for f in _frames_over(widget) if f.is_free(steps)), None)
        if frame is not None:
            frame.scroll(steps, what)


def two_fingers(event: tk.Event[tk.Misc]) -> None:
    """Scroll by the pixels that two fingers have moved on a touchpad, under Tk 9.

    The low half of the event's delta is how far down, signed, the high half how far across.
    """
    down = (event.delta & 0xFFFF ^ 0x8000) - 0x8000
    if down:
        _scroll(event, -down, "pixels")


def _focus_moved(event: tk.Event[tk.Misc]) -> None:
    for frame in _frames_over(event.widget):
        frame.hold(event.widget)


def _frames_over(widget: object) -> Iterator[ScrollFrame]:
    """Yield the scrolling frames that hold *widget*, the inmost first."""
    while isinstance(widget, tk.Misc):
        if isinstance(widget, ScrollFrame):
            yield widget
        widget = widget.master


class ScrollList(ttk.Frame):
    """A `list` with *columns* and bars; no column is narrower than its heading."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, columns: Sequence[Column], height: int
    ) -> None:
        """Make a list of *height* lines."""
        super().__init__(parent)
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
        down = ttk.Scrollbar(self, command=self.list.yview)
        down.grid(row=0, column=1, sticky="ns")
        across = ttk.Scrollbar(self, orient="horizontal", command=self.list.xview)
        across.grid(row=1, column=0, sticky="ew")
        self.list.configure(yscrollcommand=down.set, xscrollcommand=across.set)
        self.list.bind("<FocusIn>", lambda _: self._choose_first())
        for key, direction in (("<Left>", -1), ("<Right>", 1)):
            self.list.bind(key, lambda _, d=direction: self._scroll(d))  # type: ignore[misc]

    def _scroll(self, direction: int) -> str:
        # Tk's own keys would open and close a row, and these rows have nothing inside.
        first, last = self.list.xview()
        self.list.xview_moveto(first + direction * (last - first) / 4)
        return "break"

    def _choose_first(self) -> None:
        """Select the first row if none is selected, because the arrow keys start from one."""
        rows = self.list
        if rows.get_children() and not rows.selection():
            first = rows.focus() or rows.get_children()[0]
            rows.focus(first)
            rows.selection_set(first)
