"""A checker for layouts: what is cut off, and what lies over something else.

It looks at widgets, not at pixels: what a widget asks for, what it got, and where it lies. A
widget in a scrolling canvas may be out of sight, because the player can scroll to it.
"""

import tkinter as tk
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

from tests.kit.person import all_in, columns_of, texts_on

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
    return [*_overlaps(window), *(one for widget in all_in(window) for one in _faults_of(widget))]


def _faults_of(widget: tk.Widget) -> Iterator[str]:
    holder = widget.master
    inside = (0, 0, holder.winfo_width(), holder.winfo_height())
    if not isinstance(holder, tk.Canvas) and not _contains(inside, _box(widget), SLACK):
        yield f"{_name(widget)} is cut off by {_name(holder)}"
    if isinstance(widget, TEXTUAL) and str(widget.cget("text")).strip():
        needed = widget.winfo_reqwidth() - SLACK, widget.winfo_reqheight() - SLACK
        if widget.winfo_width() < needed[0] or widget.winfo_height() < needed[1]:
            yield f"{_name(widget)} shows only a part of its text"
    elif isinstance(widget, ttk.Treeview):
        yield from _cut_columns(widget)
    elif isinstance(widget, tk.Canvas):
        yield from _cut_items(widget)
        if not widget.find_all():
            yield f"{_name(widget)} is empty"
    elif isinstance(widget, tk.Text):
        lines = widget.tk.call(str(widget), "count", "-displaylines", "1.0", "1.0 lineend")
        if int(widget.index("end-1c").partition(".")[0]) > 1 and int(lines or 0) > 0:
            header = widget.get("1.0", "1.0 lineend")
            yield f"the header {header!r} is broken into two lines"


def _cut_columns(tree: ttk.Treeview) -> Iterator[str]:
    """Yield a fault for each heading or cell that is wider than its column."""
    style = ttk.Style(tree)
    heading = style.lookup("Treeview.Heading", "font") or "TkHeadingFont"
    body = style.lookup("Treeview", "font") or "TkDefaultFont"
    names = columns_of(tree)
    parents = tree.get_children()
    rows = [*parents, *(row for parent in parents for row in tree.get_children(parent))]
    for name in names:
        width = tree.column(name, "width")
        cells = [("cell", text, body) for text in {str(tree.set(row, name)) for row in rows}]
        for kind, text, font in [("heading", str(tree.heading(name, "text")), heading), *cells]:
            if tkfont.nametofont(str(font), root=tree).measure(text) > width:
                yield f"the {kind} {text!r} is wider than its column"
    for row in tree.tag_has("heading"):
        text = str(tree.item(row, "text"))
        font = tkfont.nametofont(str(tree.tag_configure("heading", "font")), root=tree)
        x, y, wide, high = tree.bbox(row, "#0") or (0, 0, 0, 0)
        at = partial(tree.tk.call, str(tree), "identify", "element")
        room = sum(str(at(one, y + high // 2)).endswith("text") for one in range(x, x + wide))
        if wide and font.measure(text) > room:
            yield f"the heading {text!r} is wider than its column"
    total = sum(tree.column(name, "width") for name in names)
    if total > tree.winfo_width() + SLACK and not str(tree.cget("xscrollcommand")):
        yield f"{_name(tree)} has columns that nothing scrolls to"


def _cut_items(canvas: tk.Canvas) -> Iterator[str]:
    """Yield a fault for each text on *canvas* that is cut off, or lies over another."""
    region = [int(float(side)) for side in str(canvas.cget("scrollregion")).split()]
    left, top, right, bottom = region or (0, 0, canvas.winfo_width(), canvas.winfo_height())
    texts = [(words, canvas.bbox(item)) for item, words in texts_on(canvas)]
    for text, box in texts:
        if not _contains((left, top, right, bottom), box, _TOUCH):
            yield f"the text {text!r} on {_name(canvas)} is cut off"
    for (one, a), (other, b) in combinations(texts, 2):
        if _meet(a, b, _TOUCH):
            yield f"the texts {one!r} and {other!r} on {_name(canvas)} lie over each other"


def _overlaps(window: tk.Misc) -> Iterator[str]:
    """Yield a fault for any two widgets side by side if one covers the other."""
    for holder in (window, *all_in(window)):
        inside = [w for w in all_in(holder) if w.master is holder and w.winfo_manager() != "place"]
        for one, other in combinations(() if isinstance(holder, tk.Canvas) else inside, 2):
            if _meet(_box(one), _box(other), SLACK):
                yield f"{_name(one)} and {_name(other)} lie over each other"


def _box(widget: tk.Widget) -> Box:
    x, y = widget.winfo_x(), widget.winfo_y()
    return x, y, x + widget.winfo_width(), y + widget.winfo_height()


def _contains(outer: Box, inner: Box, slack: int) -> bool:
    is_after = outer[0] - slack <= inner[0] and outer[1] - slack <= inner[1]
    return is_after and inner[2] <= outer[2] + slack and inner[3] <= outer[3] + slack


def _meet(a: Box, b: Box, slack: int) -> bool:
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    return across > slack and down > slack


def _name(widget: tk.Misc) -> str:
    text = str(widget.cget("text")) if isinstance(widget, TEXTUAL) else ""
    return f"{widget.winfo_class()} {text[:40]!r}" if text else str(widget)
