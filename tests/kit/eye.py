"""A checker for layouts: what is cut off, and what lies over something else.

It looks at widgets, not at pixels: what a widget asks for, what it got, and where it lies. A
widget in a scrolling canvas may be out of sight, because the player can scroll to it.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from itertools import combinations
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

TEXTUAL: Final = (ttk.Label, ttk.Button, ttk.Checkbutton, ttk.Radiobutton)
SLACK: Final = 1
"""Pixels that rounding may take."""
_TOUCH: Final = 2
"""Pixels by which the boxes of two texts may meet: above and below letters they are empty."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def faults(window: tk.Misc) -> list[str]:
    """Return a sentence about everything in *window* that a player could not read or press."""
    window.update_idletasks()
    found = [fault for widget in shown(window) for fault in _faults_of(widget)]
    return [*found, *_overlaps(window)]


def shown(widget: tk.Misc) -> Iterator[tk.Widget]:
    """Yield the widgets under *widget* that are on the screen, windows of their own left out."""
    for child in widget.winfo_children():
        if not isinstance(child, (tk.Toplevel, tk.Menu)) and child.winfo_ismapped():
            yield child
            yield from shown(child)


def _faults_of(widget: tk.Widget) -> Iterator[str]:
    yield from _outside(widget)
    if isinstance(widget, TEXTUAL):
        yield from _cut_text(widget)
    elif isinstance(widget, ttk.Treeview):
        yield from _cut_columns(widget)
    elif isinstance(widget, tk.Canvas):
        yield from _cut_items(widget)
    elif isinstance(widget, tk.Text):
        yield from _wrapped_header(widget)


def _outside(widget: tk.Widget) -> Iterator[str]:
    """Yield a fault if *widget* is not wholly inside what holds it."""
    holder = widget.master
    if isinstance(holder, tk.Canvas):
        return
    x, y = widget.winfo_x(), widget.winfo_y()
    right, bottom = x + widget.winfo_width(), y + widget.winfo_height()
    if (
        min(x, y) < -SLACK
        or right > holder.winfo_width() + SLACK
        or (bottom > holder.winfo_height() + SLACK)
    ):
        yield f"{_name(widget)} is cut off by {_name(holder)}"


def _cut_text(widget: tk.Widget) -> Iterator[str]:
    """Yield a fault if the text of *widget* has less room than it needs."""
    text = str(widget.cget("text"))
    if not text.strip():
        return
    if (
        widget.winfo_width() < widget.winfo_reqwidth() - SLACK
        or widget.winfo_height() < widget.winfo_reqheight() - SLACK
    ):
        yield f"{_name(widget)} shows only a part of its text"


def _cut_columns(tree: ttk.Treeview) -> Iterator[str]:
    """Yield a fault for each heading or cell that is wider than its column."""
    style = ttk.Style(tree)
    head = _font(tree, style.lookup("Treeview.Heading", "font") or "TkHeadingFont")
    body = _font(tree, style.lookup("Treeview", "font") or "TkDefaultFont")
    columns = tree.cget("displaycolumns")
    names = tree.cget("columns") if tuple(columns) == ("#all",) else columns
    for name in map(str, names):
        width = int(tree.column(name, "width"))
        heading = str(tree.heading(name, "text"))
        if head.measure(heading) > width:
            yield f"the heading {heading!r} is wider than its column"
        for row in tree.get_children():
            cell = str(tree.set(row, name))
            if body.measure(cell) > width:
                yield f"the cell {cell!r} is wider than its column"
    total = sum(int(tree.column(str(name), "width")) for name in names)
    if total > tree.winfo_width() + SLACK and not str(tree.cget("xscrollcommand")):
        yield f"{_name(tree)} has columns that nothing scrolls to"


def _font(widget: tk.Misc, name: object) -> tkfont.Font:
    return tkfont.nametofont(str(name), root=widget)


def _cut_items(canvas: tk.Canvas) -> Iterator[str]:
    """Yield a fault for each text on *canvas* that is cut off, or lies over another."""
    region = [int(float(side)) for side in str(canvas.cget("scrollregion")).split()]
    left, top, right, bottom = region or (0, 0, canvas.winfo_width(), canvas.winfo_height())
    texts: list[tuple[str, Box]] = []
    for item in canvas.find_all():
        if str(canvas.tk.call(str(canvas), "type", item)) == "text":
            text = str(canvas.tk.call(str(canvas), "itemcget", item, "-text"))
            box = canvas.bbox(item)
            texts.append((text, box))
            if (
                box[0] < left - _TOUCH
                or box[1] < top - _TOUCH
                or (box[2] > right + _TOUCH or box[3] > bottom + _TOUCH)
            ):
                yield f"the text {text!r} on {_name(canvas)} is cut off"
    for (one, a), (other, b) in combinations(texts, 2):
        if _meet(a, b, _TOUCH):
            yield f"the texts {one!r} and {other!r} on {_name(canvas)} lie over each other"


def _wrapped_header(text: tk.Text) -> Iterator[str]:
    """Yield a fault if the first of several lines, the header, is broken into two."""
    lines = text.tk.call(str(text), "count", "-displaylines", "1.0", "1.0 lineend")
    if int(text.index("end-1c").partition(".")[0]) > 1 and int(lines or 0) > 0:
        yield f"the header {text.get('1.0', '1.0 lineend')!r} is broken into two lines"


def _overlaps(window: tk.Misc) -> Iterator[str]:
    """Yield a fault for any two widgets side by side of which one covers the other."""
    for holder in (window, *shown(window)):
        if isinstance(holder, tk.Canvas):
            continue
        children = [
            child
            for child in holder.winfo_children()
            if isinstance(child, tk.Widget) and child.winfo_ismapped()
            if not isinstance(child, (tk.Toplevel, tk.Menu)) and child.winfo_manager() != "place"
        ]
        for one, other in combinations(children, 2):
            if _meet(_box(one), _box(other), SLACK):
                yield f"{_name(one)} and {_name(other)} lie over each other"


def _box(widget: tk.Widget) -> Box:
    x, y = widget.winfo_x(), widget.winfo_y()
    return x, y, x + widget.winfo_width(), y + widget.winfo_height()


def _meet(a: Box, b: Box, slack: int) -> bool:
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    return across > slack and down > slack


def _name(widget: tk.Misc) -> str:
    text = str(widget.cget("text")) if isinstance(widget, TEXTUAL) else ""
    return f"{widget.winfo_class()} {text[:40]!r}" if text else str(widget)
