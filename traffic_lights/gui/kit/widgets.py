"""Helpers for widgets: their places in a grid, their texts, and the focus."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable, Mapping, Sequence
from tkinter import ttk
from typing import Any, TypeVar

W = TypeVar("W", bound=tk.Widget)


def put(widget: W, **where: Any) -> W:
    """Place *widget* in the grid of its parent; return it."""
    widget.grid(**where)
    return widget


def stretch(parent: tk.Misc, row: int = 0, column: int = 0) -> None:
    """Give *row* and *column* of the grid of *parent* all the room that is left."""
    parent.rowconfigure(row, weight=1)
    parent.columnconfigure(column, weight=1)


def paragraph(parent: tk.Misc, style: str = "TLabel", text: str = "", **where: Any) -> ttk.Label:
    """Put a label into the grid of *parent*, which breaks its lines where its room ends."""
    look: dict[str, Any] = {"width": 1, "anchor": "nw", "justify": tk.LEFT}
    label = ttk.Label(parent, style=style, text=text, **look)
    # A label breaks its lines a few pixels too late.
    label.bind("<Configure>", lambda e: label.configure(wraplength=round(0.985 * e.width)))
    return put(label, **{"sticky": "ew", **where})


def add_bar(view: ttk.Treeview | tk.Canvas, **look: Any) -> None:
    """Put a bar that scrolls *view* at its right, where it is always: no layout depends on it."""
    bar = ttk.Scrollbar(view.master, command=view.yview, **look)
    put(bar, row=view.grid_info()["row"], column=9, sticky="ns")
    view.configure(yscrollcommand=bar.set)


def fill_table(
    table: ttk.Treeview,
    measure: Callable[[str], int],
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    longest: Sequence[str] = (),
) -> None:
    """Have *rows* in *table* under *headings*, each column as wide as its longest text.

    The *longest* texts of the columns are measured in place of the rows, if they are given.
    """
    table.delete(*table.get_children())
    for column, heading in enumerate(headings):
        table.heading(column, text=heading, anchor="w")
    for row in rows:
        table.insert("", tk.END, values=tuple(row))
    fit_columns(table, measure, zip(headings, *([longest] if longest else rows), strict=True))


def fit_columns(
    table: ttk.Treeview, measure: Callable[[str], int], columns: Iterable[Iterable[str]]
) -> None:
    """Make each column of *table* as wide as the longest of its texts."""
    for column, texts in enumerate(columns):
        table.column(column, width=max(map(measure, texts)) + measure("00"))
    table.configure(height=table.cget("height"))  # Tk then asks for the width of the columns


def unbroken(text: str) -> str:
    """Return *text* so that no line of it ends between a number and its sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def button_row(
    parent: tk.Misc, gap: int, acts: Mapping[str, Callable[[], object]], style: str = "TButton"
) -> list[ttk.Button]:
    """Make a button for each of *acts*, by its words, from left to right with a *gap* between."""
    buttons = [ttk.Button(parent, text=words, command=acts[words], style=style) for words in acts]
    for button in buttons:
        button.pack(side=tk.LEFT, padx=(0, gap))
    return buttons


def flow(row: tk.Frame | ttk.Frame, gap: int) -> None:
    """Let what is in *row* go on in a next line where its width ends, with a *gap* between."""
    children: list[Any] = [*row.winfo_children()]

    def lay_out(_: object) -> None:
        x = y = 0
        room = row.winfo_width()
        high = max(child.winfo_reqheight() for child in children)
        for child in children:
            wide = child.winfo_reqwidth()
            if x and x + wide > room:
                x = 0
                y += high + gap
            child.place(x=x, y=y, width=room if wide > room else "", height=high)
            x += wide + gap
        row.configure(height=y + high)

    for widget in (row, *children):
        widget.bind("<Configure>", lay_out, add=True)


def enable(widget: ttk.Widget, can: object) -> None:
    """Let *widget* be used if it *can*."""
    widget.state(["!disabled" if can else "disabled"])


def show_if(is_shown: object, widget: tk.Widget, heir: tk.Misc) -> None:
    """Show *widget* in its place in the grid, or not; then *heir* gets the keyboard from it.

    A later `grid` of a hidden widget would show it again.
    """
    if is_shown:
        widget.grid()
        return
    if has_focus_inside(widget):
        heir.focus_set()
    widget.grid_remove()


def focused_widget(near: tk.Misc) -> tk.Misc | None:
    """Return what has the focus; tkinter raises KeyError for what Tk made, such as a menu."""
    try:
        return near.focus_get()
    except KeyError:
        return None


def has_focus_inside(widget: tk.Misc) -> bool:
    """Return whether *widget* or one in it has the focus."""
    return f"{widget.tk.call('focus')}.".startswith(f"{widget}.")
