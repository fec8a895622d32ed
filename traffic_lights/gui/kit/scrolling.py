"""Frames that scroll.

The mouse wheel, the page keys and the bars reach everything in a scrolling frame, and a widget that
gets the keyboard focus scrolls into sight. The bars always have their room: no layout depends on
whether one is needed, because then a bar could come and go for ever.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.widgets import focused_widget, put, stretch

_OWN_PAGES: Final = ("Treeview", "Text", "Listbox")
"""The classes of widgets that handle the page keys and the mouse wheel themselves."""
_FIELDS: Final = ("TCombobox", "TSpinbox", "TScale", "TNotebook")
"""The classes of widgets whose value the mouse wheel changes in some version of Tk."""
_LINE: Final = 16
"""The pixels that a line scrolls."""
_PAGE: Final = 0.9
_NOTCH: Final = 0.2
"""The shares of the height that a page key and a notch of the mouse wheel scroll."""


class ScrollFrame(ttk.Frame):
    """Shows `content`, which fills the frame and scrolls if it needs more room.

    The frame itself requests almost no room; its parent decides its size.
    """

    def __init__(self, parent: tk.Misc) -> None:
        # Every window starts as 1×1, so Tk would not lay out again for a request of that size.
        super().__init__(parent, width=2, height=2)
        self.grid_propagate(False)
        self._held: tk.Misc | None = None
        """What stays in sight when the content grows, until the user scrolls."""
        canvas = tk.Canvas(self, highlightthickness=0, borderwidth=0, width=1, height=1)
        canvas.configure(xscrollincrement=1, yscrollincrement=1)
        self.canvas = put(canvas, row=0, column=0, sticky="nsew")
        stretch(self)
        down = ttk.Scrollbar(self, command=partial(self._drag, "yview"))
        across = ttk.Scrollbar(self, orient="horizontal", command=partial(self._drag, "xview"))
        put(down, row=0, column=1, sticky="ns")
        put(across, row=1, column=0, sticky="ew")
        canvas.configure(yscrollcommand=down.set, xscrollcommand=across.set)
        # The frame around the content is as large as the content or as the room, whichever is more.
        # So it gets an event when either changes.
        around = ttk.Frame(self.canvas)
        stretch(around)
        self.content = put(ttk.Frame(around), sticky="nsew")
        self.canvas.create_window(0, 0, window=around, anchor="nw")

        def fit(event: tk.Event[tk.Misc]) -> None:
            around.columnconfigure(0, minsize=event.width)
            around.rowconfigure(0, minsize=event.height)

        around.bind("<Configure>", self._resized)
        # Tk hides what has become too short to reach into sight, and then gives it no new size.
        around.bind("<Unmap>", lambda _: canvas.yview_moveto(0))
        # Tk gives what is inside its place after that, before it is idle again.
        self.content.bind("<Configure>", lambda _: self.after_idle(self._see_held))
        self.canvas.bind("<Configure>", fit)

    def ask_for_all(self) -> None:
        """Ask the parent for all the room that the content needs now."""
        bar = max(child.winfo_reqwidth() for child in self.grid_slaves(column=1))
        width = self.content.winfo_reqwidth()
        height = self.content.winfo_reqheight()
        self.configure(width=width + bar, height=height + bar)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        self.canvas.configure(scrollregion=(0, 0, event.width, event.height))

    def _see_held(self) -> None:
        widget = self._held
        canvas = self.canvas
        if widget is None or not widget.winfo_exists():
            return
        x = widget.winfo_rootx() - canvas.winfo_rootx()
        width = widget.winfo_width()
        y = widget.winfo_rooty() - canvas.winfo_rooty()
        height = widget.winfo_height()
        canvas.xview_scroll(min(x, max(0, x + width - canvas.winfo_width())), "units")
        canvas.yview_scroll(min(y, max(0, y + height - canvas.winfo_height())), "units")

    def _drag(self, direction: str, *to: str) -> None:
        self._held = None
        self.tk.call(self.canvas, direction, *to)

    def scroll(self, share: float, pixels: int, *, is_across: bool) -> bool:
        """Scroll by a *share* of the size and *pixels*, down or right if positive.

        Return whether there was more to see.
        """
        canvas = self.canvas
        view = canvas.xview if is_across else canvas.yview
        size = canvas.winfo_width() if is_across else canvas.winfo_height()
        wanted = round(share * size) + pixels
        first, last = view()
        is_free = first > 0 if wanted < 0 else last < 1
        if is_free:
            self._held = None
            view("scroll", wanted, "units")
        return is_free

    def hold(self, widget: tk.Misc) -> None:
        """Keep *widget*, which is in it, in sight until the user scrolls."""
        self._held = widget
        self._see_held()


def bind_scrolling(root: tk.Misc) -> None:
    """Let the wheel, the page keys and the focus scroll every frame under *root*."""

    def focus_moved(event: tk.Event[tk.Misc]) -> None:
        if event.widget is not focused_widget(root):
            return  # Tk also sends the event to all that hold the widget
        for frame in _frames_over(event.widget):
            frame.hold(event.widget)

    root.bind_all("<FocusIn>", focus_moved, add="+")
    for sequence, share in (("<Prior>", -_PAGE), ("<Next>", _PAGE)):
        root.bind_all(sequence, partial(_scroll, share=share), add="+")
    is_mac = root.tk.call("tk", "windowingsystem") == "aqua"
    counts_lines = is_mac and tk.TkVersion < 8.7
    for name in ("Button-4", "Button-5", "MouseWheel"):
        for before, is_across in (("", False), ("Shift-", True)):
            turned = partial(_wheel, is_across=is_across, counts_lines=counts_lines)
            root.bind_all(f"<{before}{name}>", turned, add="+")
    with suppress(tk.TclError):  # Tk 8.6 reports two fingers as a wheel
        root.bind_all("<TouchpadScroll>", two_fingers, add="+")
    for kind in _FIELDS:
        for sequence in root.bind_class(kind):
            if any(word in sequence for word in ("Wheel", "Button-4", "Button-5", "Touchpad")):
                root.unbind_class(kind, sequence)


def _wheel(event: tk.Event[tk.Misc], is_across: bool, counts_lines: bool) -> None:
    """Scroll by what the wheel has turned; on X11 it is a button, 4 up or left.

    Before Tk 9, a Mac *counts_lines*, and two fingers on its touchpad send many events.
    """
    if counts_lines:
        _scroll(event, 0, -event.delta * _LINE, is_across=is_across)
    else:
        is_back = event.delta > 0 if event.delta else event.num == 4
        _scroll(event, -_NOTCH if is_back else _NOTCH, is_across=is_across)


def _scroll(
    event: tk.Event[tk.Misc], share: float, pixels: int = 0, *, is_across: bool = False
) -> None:
    """Scroll the inmost frame over the widget that can, by a *share* of its size and *pixels*."""
    widget = event.widget
    if not isinstance(widget, tk.Misc):
        return
    shows_all = getattr(widget, "xview" if is_across else "yview", tuple)() == (0.0, 1.0)
    if shows_all or widget.winfo_class() not in _OWN_PAGES:
        for frame in _frames_over(widget):
            if frame.scroll(share, pixels, is_across=is_across):
                break


def two_fingers(event: tk.Event[tk.Misc]) -> None:
    """Scroll by the pixels that two fingers have moved on a touchpad, under Tk 9.

    The low half of the event's delta is how far down, signed, the high half how far across.
    """
    for half, is_across in ((event.delta & 0xFFFF, False), (event.delta >> 16 & 0xFFFF, True)):
        moved = (half ^ 0x8000) - 0x8000
        if moved:
            _scroll(event, 0, -moved, is_across=is_across)


def _frames_over(widget: object) -> Iterator[ScrollFrame]:
    """Yield the scrolling frames that hold *widget*, the inmost first."""
    while isinstance(widget, tk.Misc):
        if isinstance(widget, ScrollFrame):
            yield widget
        widget = widget.master
